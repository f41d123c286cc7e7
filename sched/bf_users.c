/* bf_users.c - backfill and nodes that one user has for himself (B23) */
#include "sched/state.h"

struct shared_node {
	uint32_t node;
	sec_t latest; /* end of the last job there */
};

static gint latest_first(gconstpointer a, gconstpointer b)
{
	const struct shared_node *x = a, *y = b;
	if (x->latest != y->latest)
		return x->latest > y->latest ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Nodes of USABLE where a job runs that J may not be beside, with the last end of any job there. */
static GArray *conflicts(const struct controller *c, const struct job *j, bool only, const struct bitset *usable)
{
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct shared_node));
	int64_t i;
	for (BITSET_EACH(i, usable)) {
		const struct node_use *u = usage_node(c->use, (uint32_t)i);
		if (!node_use_admits(u, j->user_key + 1, only)) {
			struct shared_node n = {(uint32_t)i, 0};
			g_array_append_val(out, n);
		}
	}
	for (const struct job *x = out->len ? c->running.head : NULL; x; x = x->next)
		for (guint n = 0; n < out->len; n++) {
			struct shared_node *s = &g_array_index(out, struct shared_node, n);
			if (bitset_test(x->nodes, s->node))
				s->latest = MAX(s->latest, x->end);
		}
	g_array_sort(out, latest_first);
	return out;
}

sec_t bf_users_filter(struct controller *c, const struct job *j, const struct partition *p, sec_t start_res, uint32_t min,
                      struct bitset *usable)
{
	bool only = j->req->share == SHARE_EXCLUSIVE_USER || p->exclusive_user;
	sec_t later = 0;
	if (!only && !c->use->user_only)
		return 0;
	g_autoptr(GArray) list = conflicts(c, j, only, usable);
	uint32_t left = list->len ? bitset_count(usable) : 0;
	for (guint i = 0; i < list->len && !later; i++) {
		const struct shared_node *s = &g_array_index(list, struct shared_node, i);
		if (s->latest <= start_res)
			break;
		note_time(c, s->latest);
		if (left > min && !(j->req_nodes && bitset_test(j->req_nodes, s->node))) {
			bitset_clear(usable, s->node);
			left--;
		} else {
			later = s->latest;
		}
	}
	return later;
}
