/* choose.c - see choose.h: which method, and what follows when a try fails (N41) */
#include "sched/choose.h"

#include <string.h>

bool need_acceptable(const struct selector *s, const struct need *n)
{
	return n->cpus <= 0 && n->gpus == 0 && s->n_chosen > 0 && s->n_chosen >= least_nodes(s);
}

void take_nodes_of(struct selector *s, struct need *n, const struct bitset *set)
{
	int64_t i;
	for (BITSET_EACH(i, set)) {
		if (need_met(n) || n->max_nodes <= 0)
			return;
		if (bitset_test(s->cand, (uint32_t)i) && !bitset_test(s->chosen, (uint32_t)i))
			take_node(s, n, (uint32_t)i);
	}
}

bool take_required(struct selector *s, struct need *n)
{
	int64_t i;
	if (s->job->req_nodes)
		for (BITSET_EACH(i, s->job->req_nodes))
			if (n->max_nodes <= 0 || !bitset_test(s->cand, (uint32_t)i) || !take_node(s, n, (uint32_t)i))
				return false;
	return true;
}

uint32_t free_cpus(const struct selector *s, uint32_t node)
{
	const struct node_config *k = s->config[node];
	uint32_t spec = k->spec_cores ? bitset_count(k->spec_cores) : 0;
	uint32_t used = s->mode == TRIAL_TEST_ONLY ? 0 : usage_node(s->view, node)->cores;
	return (uint32_t)(k->cores - spec - used) * k->cpus_per_core;
}

/* The methods of the topologies that rule out all other options, if a candidate is in them. */
static enum method method_of_units(const struct selector *s)
{
	const struct topology *t = s->part->topology;
	if (!t || t->kind == TOPOLOGY_TREE || !bitset_intersects(s->ok, t->nodes))
		return METHOD_BEST_FIT;
	return t->kind == TOPOLOGY_BLOCK ? METHOD_BLOCK : t->kind == TOPOLOGY_RING ? METHOD_RING : METHOD_TORUS;
}

enum method choose_method(const struct selector *s)
{
	const struct sched_params *p = s->cl->params;
	const struct job *j = s->job;
	enum method units = method_of_units(s);
	if (units != METHOD_BEST_FIT)
		return units;
	if (j->req->spread_job)
		return METHOD_SPREAD;
	if (p->bf_busy_nodes && s->group_test && !j->contiguous)
		return METHOD_BUSY;
	if (p->cr_lln || s->part->lln)
		return METHOD_LLN;
	if (p->pack_serial_at_end && j->min_cpus == 1 && s->count.req == 1)
		return METHOD_PACK_END;
	if (s->part->topology && !j->contiguous && (!p->topo_optional || wants_switches(j)))
		return METHOD_TREE;
	return METHOD_BEST_FIT;
}

/* Topologies of units use no node outside them. */
static void leave_out_of_units(struct selector *s, enum method m)
{
	if (m == METHOD_BLOCK || m == METHOD_RING || m == METHOD_TORUS)
		bitset_and(s->cand, s->part->topology->nodes);
}

static enum choice try_once(struct selector *s, enum method m, uint32_t max_nodes)
{
	switch (m) {
	case METHOD_SPREAD:
		return choose_spread(s, max_nodes);
	case METHOD_TREE:
		return choose_tree(s, max_nodes);
	case METHOD_BLOCK:
		return choose_block(s, max_nodes);
	case METHOD_RING:
		return choose_ring(s, max_nodes);
	case METHOD_TORUS:
		return choose_torus(s, max_nodes);
	default:
		return choose_in_order(s, m, max_nodes);
	}
}

bool segments_of(const struct selector *s, uint32_t *size, uint32_t *segments)
{
	uint32_t n = MAX(1u, MIN(least_nodes(s), s->count.req)), k = s->job->req->segment;
	*size = n;
	*segments = 1;
	if (k == NO_VAL || k == 0 || k > n)
		return true;
	*size = k;
	*segments = n / k;
	return n % k == 0;
}

void leave_held_units(const struct selector *s, struct bitset *within)
{
	const struct topology *t = s->part->topology;
	int64_t i;
	for (guint b = 0; b < t->units->len; b++)
		for (BITSET_EACH(i, topology_unit(t, b)->nodes))
			if (usage_node(s->view, (uint32_t)i)->topo_only) {
				bitset_andnot(within, topology_unit(t, b)->nodes);
				break;
			}
}

void leave_shared_units(const struct selector *s, struct bitset *within)
{
	const struct topology *t = s->part->topology;
	if (!wants_units(s->job, s->part) || s->mode == TRIAL_TEST_ONLY)
		return;
	for (guint b = 0; b < t->units->len; b++)
		if (!bitset_subset(topology_unit(t, b)->nodes, s->view->idle))
			bitset_andnot(within, topology_unit(t, b)->nodes);
}

/* ---- tries with fewer candidates (N41.4) ---- */

static bool may_go(const struct selector *s, uint32_t node)
{
	return !s->job->req_nodes || !bitset_test(s->job->req_nodes, node);
}

/* What a candidate is worth when one must go: CPUs, for GPU jobs times free units. */
static uint64_t worth(const struct selector *s, uint32_t node)
{
	return s->has_gres ? (uint64_t)s->offer[node] * s->gpus[node] : s->offer[node];
}

static int worth_cmp(gconstpointer a, gconstpointer b, gpointer data)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t p = worth(data, x), q = worth(data, y);
	if (p != q)
		return p < q ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* s->by_offer := the candidates that may go, the least first. */
static void sort_by_worth(struct selector *s)
{
	int64_t i;
	g_array_set_size(s->by_offer, 0);
	for (BITSET_EACH(i, s->cand)) {
		uint32_t node = (uint32_t)i;
		if (may_go(s, node))
			g_array_append_val(s->by_offer, node);
	}
	g_array_sort_with_data(s->by_offer, worth_cmp, s);
}

/* Leave out the least candidate, or the least of the chosen ones; NEXT is the place in by_offer. False when there is
 * none. */
static bool remove_least(struct selector *s, bool chosen_only, guint *next, uint32_t *gone)
{
	for (guint k = chosen_only ? 0 : *next; k < s->by_offer->len; k++) {
		*gone = g_array_index(s->by_offer, uint32_t, k);
		if (!chosen_only)
			*next = k + 1;
		if (!bitset_test(s->cand, *gone) || (chosen_only && !bitset_test(s->chosen, *gone)))
			continue;
		bitset_clear(s->cand, *gone);
		return true;
	}
	return false;
}

/* Could the choice differ without node GONE? Methods that walk an order never looked beyond what they took. */
static bool worth_a_try(const struct selector *s, enum method m, uint32_t gone)
{
	return (m != METHOD_LLN && m != METHOD_BUSY && m != METHOD_PACK_END) || bitset_test(s->chosen, gone);
}

/* Since 25.11. CPU counts cut by N42 stay cut. */
static bool retry(struct selector *s, enum method m, uint32_t max_nodes, enum choice c)
{
	uint32_t least = MAX(1u, least_nodes(s)), left = bitset_count(s->cand), gone;
	guint next = 0;
	sort_by_worth(s);
	while (c != CHOICE_STOP) {
		if (c == CHOICE_DROP) {
			bitset_andnot(s->cand, s->dropped);
			left = bitset_count(s->cand);
			gone = UINT32_MAX;
		} else if (remove_least(s, c == CHOICE_HINT, &next, &gone)) {
			left--;
		} else {
			return false;
		}
		if (left < least)
			return false;
		if (gone != UINT32_MAX && !worth_a_try(s, m, gone))
			continue;
		c = try_once(s, m, max_nodes);
		if (c == CHOICE_DONE)
			return true;
	}
	return false;
}

/* Leave out, ascending, the candidates worth at most X, while more than LEAST remain. Returns how many went. */
static uint32_t remove_small(struct selector *s, uint32_t x, uint32_t least)
{
	uint32_t n = bitset_count(s->cand), gone = 0;
	int64_t i;
	for (BITSET_EACH(i, s->cand)) {
		uint64_t size = (uint64_t)s->left[i] + (s->has_gres ? s->gpus[i] : 0);
		if (n - gone <= least)
			break;
		if (size <= x && may_go(s, (uint32_t)i)) {
			bitset_clear(s->cand, (uint32_t)i);
			gone++;
		}
	}
	return gone;
}

/* Up to 25.05 */
static bool retry_by_size(struct selector *s, enum method m, uint32_t max_nodes)
{
	uint32_t least = MAX(1u, least_nodes(s)), most = 0;
	int64_t i;
	for (BITSET_EACH(i, s->cand))
		most = MAX(most, s->offer[i] + (s->has_gres ? s->gpus[i] : 0));
	for (uint32_t x = 1; x <= most; x++) {
		memcpy(s->left, s->offer, s->cl->n_nodes * sizeof *s->left);
		uint32_t gone = remove_small(s, x, least);
		if ((gone || (x == 1 && s->has_gres)) && try_once(s, m, max_nodes) == CHOICE_DONE)
			return true;
		if (bitset_count(s->cand) <= least)
			return false;
	}
	return false;
}

/* N41.4, N67: once more with all candidates, the locality of GPUs not demanded, and without the cap of N41.2. */
static bool second_pass(struct selector *s, enum method m, uint32_t *max_nodes, enum choice *c)
{
	bool capped = *max_nodes < s->count.max;
	if (!s->has_gres && !capped)
		return false;
	*max_nodes = s->count.max;
	if (s->has_gres) {
		s->first_pass = false;
		bitset_assign(s->cand, s->ok);
		leave_out_of_units(s, m);
	}
	*c = try_once(s, m, *max_nodes);
	return *c == CHOICE_DONE;
}

bool choose_by_method(struct selector *s, enum method m, uint32_t max_nodes)
{
	leave_out_of_units(s, m);
	enum choice c = try_once(s, m, max_nodes);
	if (c == CHOICE_DONE)
		return true;
	if (c == CHOICE_STOP)
		return false;
	if (s->cl->params->version == SLURM_22_05) {
		s->first_pass = !s->has_gres;
		return retry_by_size(s, m, max_nodes);
	}
	return second_pass(s, m, &max_nodes, &c) || (c != CHOICE_STOP && retry(s, m, max_nodes, c));
}
