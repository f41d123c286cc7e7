/*
 * fairtree.c - Fair Tree (P45): every level is ranked by level fair-share and the tree is walked in that order; a user's
 * fair-share is its rank. Equal sibling accounts are not merged, though the documentation says so (P45a).
 */
#include "sched/fairshare.h"
#include <math.h>

#define LEVEL_OF_PARENT_ACCOUNT 4294967294.0L /* also what no member has tied with yet (P45.3) */

/* P45.1 */
static void set_level_fs(const struct fairshare *f, struct share_node *m)
{
	const struct share_node *up = &f->node[m->parent];
	long double all = up->assoc->usage;
	m->norm_usage = norm_usage_of(f, m);
	m->effective = all > 0 ? m->assoc->usage / all : 0.0L;
	m->known = true;
	if (shares_inherited(m))
		m->level_fs = m->assoc->user ? (long double)INFINITY : LEVEL_OF_PARENT_ACCOUNT;
	else if (m->norm_shares == 0.0)
		m->level_fs = 0.0L;
	else
		m->level_fs = m->effective == 0.0L ? (long double)INFINITY : m->norm_shares / m->effective;
}

/* P45.2: is A ranked before B? Their places decide between equals. */
static bool ranks_before(const struct share_node *a, const struct share_node *b)
{
	if (a->level_fs != b->level_fs)
		return a->level_fs > b->level_fs;
	if (!a->assoc->user != !b->assoc->user)
		return a->assoc->user != NULL;
	return a->place < b->place;
}

static int compare_ranks(const void *x, const void *y, void *data)
{
	const struct fairshare *f = data;
	const struct share_node *a = &f->node[*(const uint32_t *)x], *b = &f->node[*(const uint32_t *)y];
	return a == b ? 0 : ranks_before(a, b) ? -1 : 1;
}

/* From one tick to the next few members change places, so the last ranking is where sorting begins. */
static void rank_level(struct fairshare *f, const struct share_node *up)
{
	uint32_t *list = f->ranked + up->first;
	bool sorted = true;
	for (uint32_t i = 0; i < up->n; i++)
		set_level_fs(f, &f->node[list[i]]);
	for (uint32_t i = 1; i < up->n && sorted; i++)
		sorted = ranks_before(&f->node[list[i - 1]], &f->node[list[i]]);
	if (!sorted)
		g_qsort_with_data(list, (gint)up->n, sizeof *list, compare_ranks, f);
}

struct ranking {
	uint32_t rank; /* the last one given */
	uint32_t next; /* the next one: users not yet ranked */
};

/* P45.3 */
static void walk(struct fairshare *f, const struct share_node *up, bool tied_in, struct ranking *r)
{
	long double last = LEVEL_OF_PARENT_ACCOUNT;
	rank_level(f, up);
	for (uint32_t i = 0; i < up->n; i++) {
		struct share_node *m = &f->node[f->ranked[up->first + i]];
		bool tied = (i == 0 && tied_in) || m->level_fs == last;
		if (m->assoc->user) {
			if (!tied)
				r->rank = r->next;
			m->assoc->fairshare = r->rank / (double)f->n_users;
			r->next--;
		} else {
			walk(f, m, tied, r);
		}
		last = m->level_fs;
	}
}

void fairtree_compute(struct fairshare *f)
{
	struct ranking r = {f->n_users, f->n_users};
	if (f->acct)
		walk(f, &f->node[0], false, &r);
}
