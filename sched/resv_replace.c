/*
 * resv_replace.c - reservations that exchange nodes (lifecycle C63).
 *
 * Recorded (22.05): a node that cannot be used any more is exchanged at the next turn of the loop; of a reservation of cores too, whose new cores may be on
 * a node where jobs run. With REPLACE the nodes that a job takes are exchanged when it starts. Nodes of other reservations of whole nodes are left alone,
 * not those of reservations of cores.
 */
#include "sched/features.h"
#include "sched/resv_draft.h"

static bool replaces(const struct reservation *r)
{
	if (r->flags & (RESV_FLAG(STATIC) | RESV_FLAG(MAINT) | RESV_FLAG(SPEC_NODES)))
		return false;
	return r->by_count || r->flags & (RESV_FLAG(REPLACE) | RESV_FLAG(REPLACE_DOWN));
}

static bool is_bad(const struct controller *c, uint32_t node)
{
	return !node_available(c->cl->node[node]);
}

bool resv_wants_nodes(const struct controller *c, const struct reservation *r)
{
	if (!replaces(r) || r->stuck == c->version || resv_end(c, r) <= c->now_s)
		return false;
	int64_t i;
	for (BITSET_EACH(i, r->nodes))
		if (is_bad(c, (uint32_t)i))
			return true;
	return false;
}

static bool is_anothers(const struct controller *c, const struct reservation *r, uint32_t node)
{
	uint32_t shares = RESV_FLAG(OVERLAP) | (c->p->version == SLURM_22_05 ? RESV_FLAG(MAINT) : 0);
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *s = c->resvs->pdata[i];
		if (s != r && !(s->flags & shares) && !s->cores && bitset_test(s->nodes, node))
			return true;
	}
	return false;
}

static bool may_take(const struct controller *c, const struct reservation *r, uint32_t node)
{
	const struct node *n = c->cl->node[node];
	if (bitset_test(r->nodes, node) || is_bad(c, node) || (r->part && !bitset_test(r->part->nodes, node)))
		return false;
	if (r->features && !features_text_allows(c->cl, r->features, n->config))
		return false;
	return (r->cores || bitset_test(c->use->idle, node)) && !is_anothers(c, r, node);
}

static bool replace_node(struct controller *c, struct reservation *r, uint32_t node)
{
	for (uint32_t i = 0; i < c->cl->n_nodes; i++) {
		if (!may_take(c, r, i) || (r->cores && !resv_move_cores(c, r, node, i)))
			continue;
		bitset_clear(r->nodes, node);
		bitset_set(r->nodes, i);
		return true;
	}
	return false;
}

static void replace_all(struct controller *c, struct reservation *r, bool taken)
{
	struct bitset *bad = bitset_new(c->cl->n_nodes);
	int64_t i;
	for (BITSET_EACH(i, r->nodes))
		if (is_bad(c, (uint32_t)i) || (taken && usage_node(c->use, (uint32_t)i)->jobs > 0))
			bitset_set(bad, (uint32_t)i);
	bool any = false;
	for (BITSET_EACH(i, bad))
		any = replace_node(c, r, (uint32_t)i) || any;
	bitset_free(bad);
	if (!any) {
		r->stuck = c->version;
		return;
	}
	c->config_version++;
	ctl_touch(c);
	resv_set_node_flags(c);
}

void resv_replace_tick(struct controller *c)
{
	for (guint i = 0; i < c->resvs->len; i++) {
		struct reservation *r = c->resvs->pdata[i];
		if (resv_wants_nodes(c, r))
			replace_all(c, r, false);
	}
}

void resv_replace_taken(struct controller *c, struct reservation *r)
{
	if (r->flags & RESV_FLAG(REPLACE) && replaces(r) && !r->cores)
		replace_all(c, r, true);
}
