/* choose_order.c - methods that walk the candidates in a plain order (N44-N47) */
#include "sched/choose.h"

#include <string.h>

struct ranked {
	uint64_t weight;
	uint32_t node;
	uint32_t free, cpus; /* N45 */
	bool idle;           /* N44 */
};

static int by_busy(gconstpointer a, gconstpointer b)
{
	const struct ranked *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	if (x->idle != y->idle)
		return x->idle ? 1 : -1;
	return x->node < y->node ? -1 : 1;
}

static int by_load(gconstpointer a, gconstpointer b)
{
	const struct ranked *x = a, *y = b;
	uint64_t p = (uint64_t)x->free * y->cpus, q = (uint64_t)y->free * x->cpus;
	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	return x->node < y->node ? -1 : 1;
}

static int by_last(gconstpointer a, gconstpointer b)
{
	const struct ranked *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	return x->node > y->node ? -1 : 1;
}

static int by_index(gconstpointer a, gconstpointer b)
{
	const struct ranked *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	return x->node < y->node ? -1 : 1;
}

/* The candidates that are not chosen yet, in the method's order. */
static GArray *rank(const struct selector *s, GCompareFunc cmp)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct ranked));
	int64_t i;
	for (BITSET_EACH(i, s->cand)) {
		uint32_t node = (uint32_t)i;
		if (bitset_test(s->chosen, node))
			continue;
		struct ranked r = {sched_weight(s, node), node, free_cpus(s, node), s->config[node]->cpus,
		                   s->mode == TRIAL_TEST_ONLY || bitset_test(s->view->idle, node)};
		g_array_append_val(list, r);
	}
	g_array_sort(list, cmp);
	return list;
}

/* Recorded (26.11 select-lln, job m: -N1-3 -n70 gets 24 + 24 + 22): a job that may have more nodes than it needs takes an even share from the least
 * loaded ones of LIST, where they have it. CPUs at most from a node. */
static uint32_t even_share(const struct selector *s, enum method m, const GArray *list)
{
	const struct job *j = s->job;
	if (m != METHOD_LLN || s->cl->params->version == SLURM_22_05 || s->count.req <= s->count.min || s->has_gres)
		return UINT32_MAX;
	uint32_t share = (j->min_cpus + s->count.req - 1) / s->count.req;
	share = MAX((share + j->cpt - 1) / j->cpt * j->cpt, j->pn_min_cpus);
	uint64_t sum = 0;
	for (guint i = 0; i < MIN(list->len, s->count.req); i++)
		sum += MIN(s->left[g_array_index(list, struct ranked, i).node], share);
	return sum < j->min_cpus ? UINT32_MAX : share;
}

enum choice choose_in_order(struct selector *s, enum method m, uint32_t max_nodes)
{
	GCompareFunc cmp = m == METHOD_BUSY       ? by_busy
	                   : m == METHOD_LLN      ? by_load
	                   : m == METHOD_PACK_END ? by_last
	                                          : by_index;
	struct need n = need_begin(s, max_nodes, s->count.req);
	if (!take_required(s, &n))
		return CHOICE_STOP;
	if (s->n_chosen && need_met(&n))
		return CHOICE_DONE;
	g_autoptr(GArray) list = rank(s, cmp);
	uint32_t share = even_share(s, m, list);
	for (guint i = 0; i < list->len && n.max_nodes > 0; i++) {
		uint32_t node = g_array_index(list, struct ranked, i).node;
		s->left[node] = MIN(s->left[node], share);
		take_node(s, &n, node);
		if (need_met(&n))
			return CHOICE_DONE;
	}
	return need_acceptable(s, &n) ? CHOICE_DONE : CHOICE_DEFAULT;
}

/* ---- N47: nodes first, then CPUs dealt to them in turn ---- */

struct spread {
	struct selector *s;
	uint32_t *cpus; /* dealt so far, in order of choice */
	GArray *list;   /* of struct ranked, in the order of choice */
	guint n;        /* nodes used: the first N of the list */
	uint64_t dealt;
};

static void add_one(struct spread *d)
{
	uint32_t node = g_array_index(d->list, struct ranked, d->n).node;
	d->cpus[d->n] = MIN(d->s->job->cpt, d->s->left[node]);
	d->dealt += d->cpus[d->n++];
}

/* cpt more to each node in turn until enough are dealt or all are full. */
static void deal(struct spread *d)
{
	const struct job *j = d->s->job;
	for (bool progress = true; progress && d->dealt < j->min_cpus;) {
		progress = false;
		for (guint i = 0; i < d->n && d->dealt < j->min_cpus; i++) {
			uint32_t room = d->s->left[g_array_index(d->list, struct ranked, i).node] - d->cpus[i];
			if (room < j->cpt)
				continue;
			d->cpus[i] += j->cpt;
			d->dealt += j->cpt;
			progress = true;
		}
	}
}

/* Node order ascending once the set is known: dealing and N42 go by index. */
static void required_first(struct spread *d)
{
	const struct bitset *req = d->s->job->req_nodes;
	guint place = 0;
	for (guint i = 0; req && i < d->list->len; i++) {
		struct ranked r = g_array_index(d->list, struct ranked, i);
		if (!bitset_test(req, r.node))
			continue;
		g_array_remove_index(d->list, i);
		g_array_insert_val(d->list, place, r);
		place++;
	}
}

static enum choice take_dealt(struct spread *d, struct need *n)
{
	for (guint i = 0; i < d->n; i++) {
		uint32_t node = g_array_index(d->list, struct ranked, i).node;
		d->s->left[node] = d->cpus[i];
		if (!take_node(d->s, n, node))
			return CHOICE_DEFAULT;
	}
	return need_met(n) || need_acceptable(d->s, n) ? CHOICE_DONE : CHOICE_DEFAULT;
}

/* [22.05] as N44 without the idle test; with -n only the nodes asked for are as many as there may be (N3 of a spread
 * job). */
static enum choice spread_22(struct selector *s, uint32_t max_nodes)
{
	return choose_in_order(s, METHOD_SPREAD, max_nodes);
}

enum choice choose_spread(struct selector *s, uint32_t max_nodes)
{
	if (s->cl->params->version == SLURM_22_05)
		return spread_22(s, max_nodes);
	struct need n = need_begin(s, max_nodes, s->count.req);
	g_autoptr(GArray) list = rank(s, by_index);
	g_autofree uint32_t *cpus = g_new0(uint32_t, list->len + 1);
	struct spread d = {.s = s, .cpus = cpus, .list = list};
	required_first(&d);
	while (d.n < list->len && d.n < n.nodes && d.n < max_nodes)
		add_one(&d);
	deal(&d);
	while (d.dealt < s->job->min_cpus && d.n < list->len && d.n < max_nodes) {
		add_one(&d);
		deal(&d);
	}
	return take_dealt(&d, &n);
}
