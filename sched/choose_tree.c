/* choose_tree.c - topology/tree and dragonfly (N48) */
#include "sched/choose.h"

#include <string.h>

struct tree_try {
	struct selector *s;
	const struct topology *t;
	struct need n;
	uint32_t top;
	struct weight_groups g;
	struct bitset *used;   /* switches that count for distances */
	int64_t *nodes, *cpus; /* [units] left on a switch */
	bool old;              /* 22.05 */
};

static bool is_leaf(const struct tree_try *y, uint32_t i)
{
	return topology_unit(y->t, i)->level == 0;
}

/* What is needed at least while counting (N43 "needed"). */
static int64_t needed(const struct tree_try *y)
{
	const struct trial_counts *c = &y->s->count;
	return y->n.nodes - (c->req > c->min ? (int64_t)(c->req - c->min) : 0);
}

static bool covers_required(const struct tree_try *y, uint32_t i)
{
	return bitset_subset(y->s->job->req_nodes, topology_unit(y->t, i)->nodes);
}

/* (a) with required nodes: the highest switch over one of them must hold all. */
static bool top_of_required(struct tree_try *y)
{
	int64_t top = -1;
	for (guint i = 0; i < y->t->units->len; i++) {
		const struct topo_unit *u = topology_unit(y->t, i);
		if (bitset_intersects(u->nodes, y->s->job->req_nodes) &&
		    (top < 0 || u->level > topology_unit(y->t, (uint32_t)top)->level))
			top = i;
	}
	if (top < 0 || !covers_required(y, (uint32_t)top))
		return false;
	y->top = (uint32_t)top;
	return true;
}

/* Usable nodes and CPUs of a switch, and its lowest weight. */
static uint64_t count_unit(struct tree_try *y, uint32_t i)
{
	uint64_t least = UINT64_MAX;
	int64_t k;
	groups_usable(&y->g, y->s, topology_unit(y->t, i)->nodes);
	y->nodes[i] = y->cpus[i] = 0;
	for (BITSET_EACH(k, y->g.scratch)) {
		y->nodes[i]++;
		y->cpus[i] += y->s->left[k];
		least = MIN(least, y->g.weight[k]);
	}
	return least;
}

/* (a) else: the last switch of the highest level and least weight that is large enough. */
static bool top_of_all(struct tree_try *y)
{
	int64_t top = -1;
	uint64_t top_weight = 0;
	for (guint i = 0; i < y->t->units->len; i++) {
		uint64_t weight = count_unit(y, i);
		if (y->nodes[i] == 0 || y->nodes[i] < needed(y) || y->cpus[i] < y->n.cpus)
			continue;
		if (top < 0 || (topology_unit(y->t, i)->level >= topology_unit(y->t, (uint32_t)top)->level &&
		                weight <= top_weight)) {
			top = i;
			top_weight = weight;
		}
	}
	if (top >= 0)
		y->top = (uint32_t)top;
	return top >= 0;
}

/* dragonfly: the highest level holding a node of the set. */
static bool top_of_dragonfly(struct tree_try *y)
{
	int64_t top = -1;
	for (guint i = 0; i < y->t->units->len; i++) {
		count_unit(y, i);
		if (y->nodes[i] &&
		    (top < 0 || topology_unit(y->t, i)->level > topology_unit(y->t, (uint32_t)top)->level))
			top = i;
	}
	if (top >= 0)
		y->top = (uint32_t)top;
	return top >= 0;
}

/* (b) False: not even the minimum is there. */
static bool open_groups(struct tree_try *y)
{
	bool few = y->old || y->s->cl->params->topo_dragonfly;
	return groups_open(&y->g, y->s, &y->n, topology_unit(y->t, y->top)->nodes, few ? needed(y) : y->n.nodes,
	                   needed(y));
}

/* ---- (c), (d) leaves ---- */

static void mark_used(struct tree_try *y)
{
	for (guint i = 0; i < y->t->units->len; i++)
		if (bitset_intersects(topology_unit(y->t, i)->nodes, y->s->chosen) ||
		    bitset_intersects(topology_unit(y->t, i)->nodes, y->g.mandatory))
			bitset_set(y->used, i);
}

static void count_left(struct tree_try *y, uint32_t i)
{
	int64_t k;
	y->nodes[i] = y->cpus[i] = 0;
	bitset_assign(y->g.scratch, topology_unit(y->t, i)->nodes);
	bitset_and(y->g.scratch, y->g.best);
	bitset_andnot(y->g.scratch, y->s->chosen);
	for (BITSET_EACH(k, y->g.scratch)) {
		y->nodes[i]++;
		y->cpus[i] += y->s->left[k];
	}
}

static void take_leaf(struct tree_try *y, uint32_t i)
{
	bitset_assign(y->g.scratch, topology_unit(y->t, i)->nodes);
	bitset_and(y->g.scratch, y->g.best);
	take_nodes_of(y->s, &y->n, y->g.scratch);
}

static bool fits(const struct tree_try *y, uint32_t i)
{
	return y->nodes[i] >= y->n.nodes && (y->old || y->cpus[i] >= y->n.cpus);
}

/* > 0: I is better than J. */
static int compare(const struct tree_try *y, uint32_t i, uint32_t j)
{
	const struct topo_unit *a = topology_unit(y->t, i), *b = topology_unit(y->t, j);
	bool fit_i = fits(y, i), fit_j = fits(y, j);
	if (fit_i && fit_j)
		return y->nodes[i] == y->nodes[j] ? 0 : y->nodes[i] < y->nodes[j] ? 1 : -1;
	if (fit_i || fit_j)
		return fit_i ? 1 : -1;
	if (a->parent != b->parent && a->parent != TOPO_NONE && b->parent != TOPO_NONE) {
		int above = compare(y, a->parent, b->parent);
		if (above)
			return above;
	}
	if (y->nodes[i] != y->nodes[j])
		return y->nodes[i] > y->nodes[j] ? 1 : -1;
	return a->level == b->level ? 0 : a->level < b->level ? 1 : -1;
}

static uint64_t distance(const struct tree_try *y, uint32_t leaf)
{
	uint64_t sum = 0;
	int64_t u;
	for (BITSET_EACH(u, y->used))
		sum += topology_links(y->t, leaf, (uint32_t)u);
	return sum;
}

static bool replaces(const struct tree_try *y, uint32_t i, uint64_t far_i, uint32_t best, uint64_t far_best)
{
	int better = compare(y, i, best);
	if (y->old && far_i < far_best && better >= 0)
		return true;
	return (far_i < far_best && fits(y, i)) || (far_i == far_best && better > 0);
}

/* The best leaf with nodes left that DONE does not hold; -1 = none. */
static int64_t best_leaf(const struct tree_try *y, const struct bitset *done)
{
	int64_t best = -1;
	uint64_t best_far = 0;
	for (guint i = 0; i < y->t->units->len; i++) {
		if (!is_leaf(y, i) || y->nodes[i] <= 0 || bitset_test(done, i))
			continue;
		uint64_t far_i = distance(y, i);
		if (best < 0 || replaces(y, i, far_i, (uint32_t)best, best_far)) {
			best = i;
			best_far = far_i;
		}
	}
	return best;
}

/* The nodes of a leaf are gone from it and what is above it; up to 24.05 only from the leaf. */
static void shrink(struct tree_try *y, uint32_t leaf)
{
	count_left(y, leaf);
	for (uint32_t up = topology_unit(y->t, leaf)->parent; !y->old && up != TOPO_NONE;
	     up = topology_unit(y->t, up)->parent)
		count_left(y, up);
}

static void take_leaves(struct tree_try *y)
{
	struct bitset *done = bitset_new(MAX(1u, y->t->units->len));
	for (guint i = 0; i < y->t->units->len; i++)
		count_left(y, i);
	for (guint i = 0; i < y->t->units->len && !need_met(&y->n); i++) /* (c) */
		if (is_leaf(y, i) && bitset_test(y->used, i)) {
			take_leaf(y, i);
			bitset_set(done, i);
			shrink(y, i);
		}
	while (!need_met(&y->n) && y->n.max_nodes > 0) { /* (d) */
		int64_t leaf = best_leaf(y, done);
		if (leaf < 0)
			break;
		take_leaf(y, (uint32_t)leaf);
		bitset_set(y->used, (uint32_t)leaf);
		bitset_set(done, (uint32_t)leaf);
		shrink(y, (uint32_t)leaf);
	}
	y->s->over_nodes = !need_met(&y->n) && y->n.max_nodes <= 0 && !y->s->job->req_nodes;
	bitset_free(done);
}

/* ---- dragonfly: round robin over the leaves ---- */

static uint32_t used_leaves(const struct tree_try *y, uint32_t *last)
{
	uint32_t n = 0;
	for (guint i = 0; i < y->t->units->len; i++)
		if (is_leaf(y, i) && bitset_test(y->used, i)) {
			*last = i;
			n++;
		}
	return n;
}

static void use_largest_leaf(struct tree_try *y)
{
	int64_t best = -1;
	for (guint i = 0; i < y->t->units->len; i++)
		if (is_leaf(y, i) && y->nodes[i] > 0 && (best < 0 || y->nodes[i] > y->nodes[best]))
			best = i;
	if (best >= 0)
		bitset_set(y->used, (uint32_t)best);
}

static bool take_first_of(struct tree_try *y, uint32_t leaf)
{
	int64_t i;
	bitset_assign(y->g.scratch, topology_unit(y->t, leaf)->nodes);
	bitset_and(y->g.scratch, y->g.best);
	bitset_andnot(y->g.scratch, y->s->chosen);
	for (BITSET_EACH(i, y->g.scratch)) {
		bitset_clear(y->g.best, (uint32_t)i);
		if (take_node(y->s, &y->n, (uint32_t)i))
			return true;
	}
	return false;
}

static void deal_leaves(struct tree_try *y)
{
	uint32_t only = 0;
	for (guint i = 0; i < y->t->units->len; i++)
		count_left(y, i);
	if (used_leaves(y, &only) == 0)
		use_largest_leaf(y);
	if (used_leaves(y, &only) == 1 && y->nodes[only] >= y->n.nodes && y->cpus[only] >= y->n.cpus) {
		take_leaf(y, only);
		return;
	}
	for (bool progress = true; progress && !need_met(&y->n) && y->n.max_nodes > 0;) {
		progress = false;
		for (guint i = 0; i < y->t->units->len && !need_met(&y->n) && y->n.max_nodes > 0; i++)
			progress = (is_leaf(y, i) && take_first_of(y, i)) || progress;
	}
}

/* ---- (f) --switches ---- */

static uint32_t leaves_spanned(const struct tree_try *y)
{
	uint32_t n = 0;
	for (guint i = 0; i < y->t->units->len; i++)
		n += is_leaf(y, i) && bitset_intersects(topology_unit(y->t, i)->nodes, y->s->chosen);
	return n;
}

/* Has the job waited long enough for few switches? If not, the answer changes with the clock. */
static bool waited(const struct tree_try *y)
{
	const struct job *j = y->s->job;
	const struct sched_params *p = y->s->cl->params;
	sec_t wait = p->max_switch_wait;
	if (j->req->switches_wait >= 0)
		wait = MIN(wait, j->req->switches_wait);
	if (y->s->mode == TRIAL_TEST_ONLY || !y->s->now)
		return true;
	sec_t until = (j->first_try ? j->first_try : *y->s->now) + wait;
	if (*y->s->now >= until)
		return true;
	if (y->s->time_bound)
		*y->s->time_bound = MIN(*y->s->time_bound, until);
	return false;
}

static bool few_switches(const struct tree_try *y)
{
	const struct job *j = y->s->job;
	if (!wants_switches(j) || (y->s->cl->params->topo_dragonfly && j->req->switches > 1))
		return true;
	return leaves_spanned(y) <= j->req->switches || waited(y);
}

/* ---- one try ---- */

static enum choice from_groups(struct tree_try *y)
{
	struct selector *s = y->s;
	if (need_met(&y->n) && s->n_chosen)
		return CHOICE_DONE;
	if (!open_groups(y)) {
		bitset_assign(s->dropped, topology_unit(y->t, y->top)->nodes);
		return CHOICE_DROP;
	}
	bitset_clear_all(y->used);
	mark_used(y);
	take_nodes_of(s, &y->n, y->g.mandatory);
	if (s->cl->params->topo_dragonfly)
		deal_leaves(y);
	else
		take_leaves(y);
	if (need_met(&y->n))
		return CHOICE_DONE;
	return y->n.nodes > 0 && need_acceptable(s, &y->n) ? CHOICE_DONE : CHOICE_HINT;
}

/* The state after (a), to which a search with fewer nodes goes back. */
struct after_top {
	struct need n;
	uint32_t n_chosen;
	struct bitset *chosen;
	uint32_t *left, *gtaken;
};

static struct after_top remember(const struct tree_try *y)
{
	const struct selector *s = y->s;
	struct after_top a = {y->n, s->n_chosen, bitset_copy(s->chosen), NULL, NULL};
	a.left = g_memdup2(s->left, s->cl->n_nodes * sizeof *s->left);
	a.gtaken = g_memdup2(s->gtaken, s->cl->n_nodes * sizeof *s->gtaken);
	return a;
}

static void go_back(struct tree_try *y, const struct after_top *a)
{
	struct selector *s = y->s;
	y->n = a->n;
	s->n_chosen = a->n_chosen;
	bitset_assign(s->chosen, a->chosen);
	memcpy(s->left, a->left, s->cl->n_nodes * sizeof *s->left);
	memcpy(s->gtaken, a->gtaken, s->cl->n_nodes * sizeof *s->gtaken);
}

static void forget(struct after_top *a)
{
	bitset_free(a->chosen);
	g_free(a->left);
	g_free(a->gtaken);
}

/* (b) to (f): with fewer nodes than asked for, if that saves switches. */
static enum choice with_few_switches(struct tree_try *y)
{
	struct after_top a = remember(y);
	enum choice c = from_groups(y);
	for (uint32_t fewer = 1; c == CHOICE_DONE && !few_switches(y); fewer++) {
		c = CHOICE_STOP;
		if (y->old || y->s->count.req < y->s->count.min + fewer)
			break;
		go_back(y, &a);
		y->n.nodes -= fewer;
		c = from_groups(y);
	}
	forget(&a);
	return c;
}

static enum choice tree_try(struct tree_try *y)
{
	struct selector *s = y->s;
	if (s->job->req_nodes               ? !top_of_required(y)
	    : s->cl->params->topo_dragonfly ? !top_of_dragonfly(y)
	                                    : !top_of_all(y))
		return CHOICE_STOP;
	if (!take_required(s, &y->n))
		return CHOICE_STOP;
	s->over_nodes = false;
	return wants_switches(s->job) ? with_few_switches(y) : from_groups(y);
}

enum choice choose_tree(struct selector *s, uint32_t max_nodes)
{
	const struct topology *t = s->part->topology;
	uint32_t units = MAX(1u, t->units->len);
	struct tree_try y = {
	    .s = s, .t = t, .n = need_begin(s, max_nodes, s->count.req), .old = s->cl->params->version == SLURM_22_05};
	groups_init(&y.g, s);
	y.used = bitset_new(units);
	y.nodes = g_new0(int64_t, units);
	y.cpus = g_new0(int64_t, units);
	enum choice c = tree_try(&y);
	groups_clear(&y.g);
	bitset_free(y.used);
	g_free(y.nodes);
	g_free(y.cpus);
	return c;
}
