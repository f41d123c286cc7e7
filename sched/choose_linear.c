/*
 * choose_linear.c - select/linear: whole nodes (node-selection N75), without the sharing passes.
 *
 * The node sets come in by weight, and the choice is tried after each; inside it weights do not count.
 */
#include "sched/choose.h"

#include <string.h>

struct linear_run {
	uint32_t first, last, nodes;
	uint64_t cpus;
	bool required, used;
};

/* N75.3 */
static uint32_t cpus_of(const struct selector *s, uint32_t node)
{
	const struct job *j = s->job;
	uint32_t cpus = s->offer[node];
	return j->ntasks_per_node ? MIN(cpus, (uint32_t)j->ntasks_per_node * j->cpt) : cpus;
}

static bool is_required(const struct selector *s, int64_t node)
{
	return s->job->req_nodes && bitset_test(s->job->req_nodes, (uint32_t)node);
}

static bool enough(const struct selector *s, const struct need *n)
{
	return n->cpus <= 0 && s->n_chosen >= MAX(1u, least_nodes(s));
}

/* Both what was asked for, or all that is allowed. */
static bool stop(const struct need *n)
{
	return (n->nodes <= 0 && n->cpus <= 0) || n->max_nodes <= 0;
}

/* N75.4: the node with most CPUs, the highest index on ties, again and again. */
static bool take_largest(struct selector *s, struct need *n)
{
	while (!stop(n)) {
		int64_t i, best = -1;
		for (BITSET_EACH(i, s->cand))
			if (!bitset_test(s->chosen, (uint32_t)i) &&
			    (best < 0 || cpus_of(s, (uint32_t)i) >= cpus_of(s, (uint32_t)best)))
				best = i;
		if (best < 0 || !take_node(s, n, (uint32_t)best))
			break;
	}
	return enough(s, n);
}

static GArray *find_runs(const struct selector *s)
{
	GArray *runs = g_array_new(FALSE, FALSE, sizeof(struct linear_run));
	struct linear_run *r = NULL;
	int64_t i, prev = -2;
	for (BITSET_EACH(i, s->cand)) {
		if (prev + 1 != i) {
			struct linear_run fresh = {.first = (uint32_t)i};
			g_array_append_val(runs, fresh);
			r = &g_array_index(runs, struct linear_run, runs->len - 1);
		}
		r->last = (uint32_t)i;
		prev = i;
		if (is_required(s, i)) {
			r->required = true;
			continue;
		}
		r->nodes++;
		r->cpus += cpus_of(s, (uint32_t)i);
	}
	return runs;
}

/* N43.3 without the weights. */
static struct linear_run *best_of(GArray *runs, const struct need *n, int64_t slack, bool *sufficient)
{
	struct linear_run *best = NULL;
	for (guint i = 0; i < runs->len; i++) {
		struct linear_run *r = &g_array_index(runs, struct linear_run, i);
		bool is = (int64_t)r->cpus >= n->cpus && (int64_t)r->nodes >= n->nodes - slack;
		if (r->used)
			continue;
		if (!best || (r->required && !best->required) ||
		    (r->required == best->required &&
		     ((is && !*sufficient) || (is && *sufficient && r->cpus < best->cpus) ||
		      (!is && !*sufficient && r->cpus > best->cpus)))) {
			best = r;
			*sufficient = is;
		}
	}
	return best;
}

static void take_one(struct selector *s, struct need *n, int64_t i)
{
	if (bitset_test(s->cand, (uint32_t)i) && !bitset_test(s->chosen, (uint32_t)i))
		take_node(s, n, (uint32_t)i);
}

static void take_run(struct selector *s, struct need *n, const struct linear_run *r)
{
	int64_t first = r->first;
	while (r->required && !is_required(s, first))
		first++;
	for (int64_t i = first; i <= r->last && !stop(n); i++)
		take_one(s, n, i);
	for (int64_t i = first - 1; i >= r->first && !stop(n); i--)
		take_one(s, n, i);
}

/* N75.5 */
static bool take_runs(struct selector *s, struct need *n)
{
	GArray *runs = find_runs(s);
	int64_t slack = s->count.req > s->count.min ? (int64_t)(s->count.req - s->count.min) : 0;
	while (!stop(n)) {
		bool sufficient = false;
		struct linear_run *r = best_of(runs, n, slack, &sufficient);
		if (!r || (s->job->contiguous && !sufficient))
			break;
		take_run(s, n, r);
		r->used = true;
		if (s->job->contiguous)
			break;
	}
	g_array_unref(runs);
	return enough(s, n);
}

/* The choice on s->cand. */
static bool try_sets(struct selector *s)
{
	struct need n = need_begin(s, s->count.max, s->count.req);
	uint32_t smallest = UINT32_MAX, largest = 0;
	int64_t i;
	n.nodes = MAX(s->count.min, s->count.req);
	if (!take_required(s, &n))
		return false;
	if (s->n_chosen && stop(&n))
		return enough(s, &n);
	for (BITSET_EACH(i, s->cand)) {
		smallest = MIN(smallest, cpus_of(s, (uint32_t)i));
		largest = MAX(largest, cpus_of(s, (uint32_t)i));
	}
	if (!s->job->contiguous && largest > smallest && n.cpus > MAX(0, n.nodes) * (int64_t)smallest)
		return take_largest(s, &n);
	return take_runs(s, &n);
}

static gint by_weight(gconstpointer a, gconstpointer b)
{
	const struct node_config *x = *(struct node_config *const *)a, *y = *(struct node_config *const *)b;
	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

bool choose_linear(struct selector *s)
{
	g_autoptr(GPtrArray) sets = g_ptr_array_new();
	bool ok = false;
	for (guint i = 0; i < s->cl->configs->len; i++)
		if (bitset_intersects(s->ok, ((struct node_config *)s->cl->configs->pdata[i])->nodes))
			g_ptr_array_add(sets, s->cl->configs->pdata[i]);
	g_ptr_array_sort(sets, by_weight);
	bitset_clear_all(s->cand);
	memcpy(s->left, s->offer, s->cl->n_nodes * sizeof *s->left);
	for (guint i = 0; i < sets->len && !ok; i++) { /* N29 */
		bitset_or(s->cand, ((struct node_config *)sets->pdata[i])->nodes);
		bitset_and(s->cand, s->ok);
		ok = bitset_count(s->cand) >= MAX(1u, least_nodes(s)) && try_sets(s);
	}
	return ok;
}
