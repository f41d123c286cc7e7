/* classic.c - the classic fair-share formula (P46) and its depth-oblivious form (P47); see fairshare.h. */
#include "sched/fairshare.h"
#include <math.h>

/* P47: how far the level above is served (Rp), and this member among its siblings (Rl). */
static long double depth_oblivious(const struct fairshare *f, const struct share_node *m, const struct share_node *up)
{
	long double own = m->norm_usage, siblings = 0.0L;
	if (m->norm_shares == 0.0 || up->norm_shares == 0.0 || up->effective == 0.0L || own == 0.0L)
		return own;
	for (uint32_t i = 0; i < up->n; i++) {
		const struct share_node *s = &f->node[f->order[up->first + i]];
		siblings += shares_inherited(s) ? 0.0L : norm_usage_of(f, s);
	}
	long double rp = up->effective / up->norm_shares, rs = siblings / up->norm_shares;
	long double rl = own / m->norm_shares / rs, k = 1.0L;
	if (rp != 0.0L && rl != 0.0L && logl(rp) * logl(rl) < 0.0L)
		k = 1.0L / (1.0L + powl(5.0L * logl(rp), 2.0L));
	return rp * pow((double)rl, (double)k) * m->norm_shares;
}

long double classic_effective(const struct fairshare *f, const struct share_node *m)
{
	if (m->parent == SHARE_NONE)
		return 1.0L;
	const struct share_node *up = &f->node[m->parent];
	long double own = norm_usage_of(f, m);
	if (shares_inherited(m))
		return up->effective;
	if (up->parent == SHARE_NONE)
		return own;
	if (f->depth_oblivious)
		return depth_oblivious(f, m, up);
	if (!up->level_shares)
		return up->effective;
	return own + (up->effective - own) * (long double)m->assoc->shares / (long double)up->level_shares;
}

double classic_factor(const struct fairshare *f, const struct share_node *m, long double effective)
{
	if (m->norm_shares <= 0.0)
		return 0.0;
	return pow(2.0, -(double)(effective / m->norm_shares / f->damping));
}

void classic_accounts(struct fairshare *f)
{
	for (uint32_t k = 1; f->acct && k < f->n_downwards; k++) {
		struct share_node *m = &f->node[f->downwards[k]];
		m->known = m->assoc->user == NULL;
		if (!m->known)
			continue;
		m->norm_usage = norm_usage_of(f, m);
		m->effective = classic_effective(f, m);
		m->assoc->fairshare = classic_factor(f, m, m->effective);
	}
}
