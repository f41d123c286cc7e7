/* shares.c - levels of the share tree and norm shares (P43, P44), association priorities (P18); see fairshare.h. */
#include "sched/fairshare.h"
#include <string.h>

static const struct assoc *share_parent(const struct assoc *a)
{
	const struct assoc *up = a->parent;
	while (up && up->shares == SHARES_PARENT && up->parent)
		up = up->parent;
	return up;
}

/* "/phys/theory/0-alice/batch/" (P45.2). */
static void append_path(GString *path, const struct assoc *a)
{
	if (!a->parent)
		return;
	append_path(path, a->parent);
	if (a->user)
		g_string_append_printf(path, "0-%s/%s%s", a->user, a->partition ? a->partition : "",
		                       a->partition ? "/" : "");
	else
		g_string_append_printf(path, "%s/", a->account);
}

struct placing {
	struct fairshare *f;
	char **path; /* [n], by index; NULL = newest first */
};

static int compare_places(const void *x, const void *y, void *data)
{
	const struct placing *p = data;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	uint32_t up = p->f->node[a].parent, other = p->f->node[b].parent;
	if (up != other)
		return up < other ? -1 : 1;
	if (p->f->newest_first)
		return a > b ? -1 : a < b;
	return strcmp(p->path[a], p->path[b]);
}

/* All levels one after the other, root itself left out. */
static void set_order(struct fairshare *f)
{
	struct placing p = {f, g_new0(char *, f->n + 1)};
	f->n_members = 0;
	for (uint32_t i = 0; i < f->n; i++) {
		GString *path = g_string_new("/");
		append_path(path, f->node[i].assoc);
		p.path[i] = g_string_free(path, FALSE);
		if (i > 0 && !f->node[i].assoc->removed)
			f->order[f->n_members++] = i;
	}
	g_qsort_with_data(f->order, (gint)f->n_members, sizeof *f->order, compare_places, &p);
	for (uint32_t k = f->n_members; k-- > 0;) {
		struct share_node *m = &f->node[f->order[k]], *up = &f->node[m->parent];
		m->place = k;
		up->first = k;
		up->n++;
		up->level_shares += shares_inherited(m) ? 0 : m->assoc->shares;
	}
	memcpy(f->ranked, f->order, f->n_members * sizeof *f->order);
	g_strfreev(p.path);
}

/* P44 */
static double norm_shares(const struct fairshare *f, const struct share_node *m)
{
	if (m->parent == SHARE_NONE)
		return f->tree ? 0.0 : 1.0;
	const struct share_node *up = &f->node[m->parent];
	if (shares_inherited(m))
		return up->norm_shares;
	double own = up->level_shares ? (double)m->assoc->shares / (double)up->level_shares : 0.0;
	return f->tree ? own : own * up->norm_shares;
}

/* Parents before their children; an account may have been moved under one with a larger id. */
static void set_downwards(struct fairshare *f)
{
	uint32_t filled = 1;
	f->downwards[0] = 0;
	for (uint32_t k = 0; k < filled; k++) {
		const GPtrArray *children = f->node[f->downwards[k]].assoc->children;
		for (guint i = 0; i < children->len; i++)
			f->downwards[filled++] = ((const struct assoc *)children->pdata[i])->id - 1;
	}
	f->n_downwards = filled;
}

static uint32_t priority_of(const struct assoc *a)
{
	for (; a; a = a->parent)
		if (a->priority != NO_VAL)
			return a->priority == INFINITE ? 0 : a->priority;
	return 0;
}

/* P18: the largest is looked for once, not for each job. */
static void set_priorities(struct fairshare *f)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < f->n; i++)
		most = MAX(most, priority_of(f->node[i].assoc));
	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t own = priority_of(f->node[i].assoc);
		f->node[i].assoc->priority_factor = f->assoc_raw ? own : most ? own / (double)most : 0.0;
	}
}

static void build(struct fairshare *f)
{
	uint32_t old = f->n;
	f->n = f->acct->assocs->len;
	f->node = g_renew(struct share_node, f->node, f->n);
	f->order = g_renew(uint32_t, f->order, f->n);
	f->ranked = g_renew(uint32_t, f->ranked, f->n);
	f->downwards = g_renew(uint32_t, f->downwards, f->n);
	f->generation = f->acct->generation;
	f->n_users = 0;
	for (uint32_t i = 0; i < f->n; i++) {
		struct share_node *m = &f->node[i];
		if (i >= old)
			*m = (struct share_node){.assoc = f->acct->assocs->pdata[i]};
		const struct assoc *up = share_parent(m->assoc);
		g_assert(m->assoc->id == i + 1);
		m->parent = up ? up->id - 1 : SHARE_NONE;
		m->first = m->n = 0;
		m->level_shares = 0;
		f->n_users += m->assoc->user && !m->assoc->removed;
	}
	set_order(f);
	set_downwards(f);
	for (uint32_t k = 0; k < f->n_downwards; k++) {
		struct share_node *m = &f->node[f->downwards[k]];
		m->norm_shares = norm_shares(f, m);
	}
	f->node[0].effective = 1.0L; /* P45d: root's stays so */
	f->node[0].known = true;
	set_priorities(f);
}

struct fairshare *fairshare_new(struct acct *acct, const struct sched_params *p)
{
	struct fairshare *f = g_new0(struct fairshare, 1);
	f->acct = acct;
	f->tree = !(p->priority_flags & PRIO_NO_FAIR_TREE);
	f->depth_oblivious = p->priority_flags & PRIO_DEPTH_OBLIVIOUS;
	f->newest_first = p->version == SLURM_22_05;
	f->assoc_raw = p->priority_flags & PRIO_NO_NORMAL_ASSOC;
	f->damping = p->fairshare_damping;
	if (acct)
		build(f);
	return f;
}

void fairshare_refresh(struct fairshare *f)
{
	if (f->acct && f->acct->generation != f->generation)
		build(f);
}

void fairshare_free(struct fairshare *f)
{
	if (!f)
		return;
	g_free(f->node);
	g_free(f->order);
	g_free(f->ranked);
	g_free(f->downwards);
	g_free(f);
}

long double norm_usage_of(const struct fairshare *f, const struct share_node *m)
{
	long double all = f->acct->root->usage;
	return all > 0 ? MIN(1.0L, m->assoc->usage / all) : 0.0L;
}

double fairshare_of(struct fairshare *f, struct assoc *a)
{
	if (f->tree)
		return a->fairshare;
	fairshare_refresh(f);
	struct share_node *m = share_node_of(f, a);
	if (!m->known) {
		m->norm_usage = norm_usage_of(f, m);
		m->effective = classic_effective(f, m);
		m->known = true;
		a->fairshare = classic_factor(f, m, m->effective);
	}
	return a->fairshare;
}
