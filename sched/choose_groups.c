/* choose_groups.c - weight groups of the candidates (N48 b), shared by the topologies; see choose.h */
#include "sched/choose.h"

void groups_init(struct weight_groups *g, const struct selector *s)
{
	int64_t i;
	g->best = bitset_new(s->cl->n_nodes);
	g->mandatory = bitset_new(s->cl->n_nodes);
	g->scratch = bitset_new(s->cl->n_nodes);
	g->weight = g_new0(uint64_t, s->cl->n_nodes);
	for (BITSET_EACH(i, s->cand))
		g->weight[i] = sched_weight(s, (uint32_t)i);
}

void groups_clear(struct weight_groups *g)
{
	bitset_free(g->best);
	bitset_free(g->mandatory);
	bitset_free(g->scratch);
	g_free(g->weight);
}

void groups_usable(struct weight_groups *g, const struct selector *s, const struct bitset *set)
{
	bitset_assign(g->scratch, set);
	bitset_and(g->scratch, s->cand);
	bitset_andnot(g->scratch, s->chosen);
}

/* The lightest group above FLOOR in WITHIN goes to scratch. */
static bool next_group(struct weight_groups *g, const struct selector *s, const struct bitset *within, uint64_t floor,
                       bool any, uint64_t *weight)
{
	int64_t i;
	*weight = UINT64_MAX;
	groups_usable(g, s, within);
	for (BITSET_EACH(i, g->scratch))
		if (any || g->weight[i] > floor)
			*weight = MIN(*weight, g->weight[i]);
	for (BITSET_EACH(i, g->scratch))
		if (g->weight[i] != *weight)
			bitset_clear(g->scratch, (uint32_t)i);
	return *weight != UINT64_MAX;
}

struct counted {
	int64_t nodes, cpus;
	uint64_t gpus;
};

static void count_group(const struct weight_groups *g, const struct selector *s, struct counted *c)
{
	int64_t i;
	for (BITSET_EACH(i, g->scratch)) {
		c->nodes++;
		c->cpus += s->left[i];
		c->gpus += s->has_gres ? s->gpus[i] : 0;
	}
}

static bool enough(const struct counted *c, const struct need *n, int64_t nodes)
{
	return c->nodes >= nodes && c->cpus >= n->cpus && c->gpus >= n->gpus;
}

bool groups_open(struct weight_groups *g, const struct selector *s, const struct need *n, const struct bitset *within,
                 int64_t want, int64_t least)
{
	struct counted c = {0};
	uint64_t weight = 0;
	bitset_clear_all(g->best);
	bitset_clear_all(g->mandatory);
	for (bool first = true; next_group(g, s, within, weight, first, &weight); first = false) {
		if (!first)
			bitset_assign(g->mandatory, g->best);
		bitset_or(g->best, g->scratch);
		count_group(g, s, &c);
		if (enough(&c, n, want))
			return true;
	}
	return enough(&c, n, least);
}
