/* choose_fit.c - the consecutive best fit among runs of usable nodes of equal weight (node-selection N43); see choose.h */
#include "sched/choose.h"

/* With equal weights only COMPLETING nodes could differ, in tests for now. */
static bool weights_plain(const struct selector *s)
{
	return s->plain_weights && !s->bytes_differ && !(s->mode == TRIAL_WILL_RUN && !s->view->base);
}

/* The same where only the CPUs matter: neighbours in one word are counted together. */
static void build_plain_runs(struct selector *s)
{
	struct run *r = NULL;
	uint32_t end = UINT32_MAX; /* one past the last member */
	for (uint32_t w = 0; w < s->cand->nwords; w++)
		for (uint64_t bits = s->cand->word[w]; bits;) {
			uint32_t skip = (uint32_t)__builtin_ctzll(bits), first = w * 64 + skip;
			uint64_t rest = ~(bits >> skip);
			uint32_t n = rest ? (uint32_t)__builtin_ctzll(rest) : 64;
			if (!r || end != first) {
				struct run fresh = {.first = first};
				g_array_append_val(s->runs, fresh);
				r = &g_array_index(s->runs, struct run, s->runs->len - 1);
			}
			uint32_t cpus = 0;
			for (uint32_t i = first; i < first + n; i++)
				cpus += s->left[i];
			r->cpus += cpus;
			r->nodes += n;
			s->most_in_run = MAX(s->most_in_run, r->nodes);
			end = first + n;
			r->last = end - 1;
			bits = skip + n < 64 ? bits & (~UINT64_C(0) << (skip + n)) : 0;
		}
}

static void build_runs(struct selector *s)
{
	g_array_set_size(s->runs, 0);
	s->most_in_run = 0;
	bool plain = s->job->contiguous || weights_plain(s);
	if (plain && !s->has_gres && !s->job->req_nodes) {
		build_plain_runs(s);
		return;
	}
	struct run *r = NULL;
	int64_t i, prev = -2;
	for (BITSET_EACH(i, s->cand)) {
		uint64_t w = plain ? 0 : sched_weight(s, (uint32_t)i);
		if (!r || prev + 1 != i || r->weight != w) {
			struct run fresh = {.first = (uint32_t)i, .weight = w};
			g_array_append_val(s->runs, fresh);
			r = &g_array_index(s->runs, struct run, s->runs->len - 1);
		}
		r->last = (uint32_t)i;
		if (s->job->req_nodes && bitset_test(s->job->req_nodes, (uint32_t)i)) {
			r->required = true;
		} else {
			r->nodes++;
			s->most_in_run = MAX(s->most_in_run, r->nodes);
			r->cpus += s->has_gres ? s->look_cpus[i] : s->left[i];
			r->gpus += s->has_gres ? s->look_gpus[i] : 0;
		}
		prev = i;
	}
}

/*
 * N43.3: the run to take nodes from next. Required runs come first, then lighter ones; among equals one that is enough
 * with the fewest CPUs, or, when none is enough, the one with the most; the first on ties. A wide job takes from hundreds
 * of runs, none of them enough until the end, so runs stand in a heap by what is taken then.
 */
static bool run_before(const struct run *a, const struct run *b)
{
	if (a->required != b->required)
		return a->required;
	if (a->weight != b->weight)
		return a->weight < b->weight;
	return a->cpus != b->cpus ? a->cpus > b->cpus : a->first < b->first;
}

static struct run *heap_at(const struct selector *s, guint i)
{
	return &g_array_index(s->runs, struct run, g_array_index(s->heap, guint, i));
}

static void sift_down(struct selector *s, guint i)
{
	guint *at = (guint *)(void *)s->heap->data, n = s->heap->len;
	for (guint child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && run_before(heap_at(s, child + 1), heap_at(s, child)))
			child++;
		if (!run_before(heap_at(s, child), heap_at(s, i)))
			return;
		guint t = at[i];
		at[i] = at[child];
		at[child] = t;
	}
}

static void heap_runs(struct selector *s)
{
	g_array_set_size(s->heap, s->runs->len);
	for (guint i = 0; i < s->runs->len; i++)
		g_array_index(s->heap, guint, i) = i;
	for (guint i = s->heap->len / 2; i-- > 0;)
		sift_down(s, i);
}

static void drop_used(struct selector *s)
{
	while (s->heap->len && heap_at(s, 0)->used) {
		g_array_index(s->heap, guint, 0) = g_array_index(s->heap, guint, s->heap->len - 1);
		g_array_set_size(s->heap, s->heap->len - 1);
		sift_down(s, 0);
	}
}

static bool run_enough(const struct selector *s, const struct run *r, const struct need *n)
{
	int64_t slack = s->count.req > s->count.min ? (int64_t)(s->count.req - s->count.min) : 0;
	return (int64_t)r->cpus >= n->cpus && (int64_t)r->nodes >= n->nodes - slack && r->gpus >= n->gpus;
}

static struct run *best_run(struct selector *s, const struct need *n, bool *sufficient)
{
	drop_used(s);
	struct run *best = s->heap->len ? heap_at(s, 0) : NULL;
	*sufficient = best && run_enough(s, best, n);
	if (!best || (int64_t)best->cpus < n->cpus ||
	    (int64_t)s->most_in_run < n->nodes - (int64_t)(s->count.req - MIN(s->count.req, s->count.min)))
		return best; /* no run of its kind has as many CPUs, or none as many nodes */
	for (guint i = 0; i < s->heap->len; i++) {
		struct run *r = heap_at(s, i);
		if (r->used || r->required != best->required || r->weight != best->weight || !run_enough(s, r, n))
			continue;
		if (!*sufficient || r->cpus < best->cpus || (r->cpus == best->cpus && r->first < best->first))
			best = r;
		*sufficient = true;
	}
	return best;
}

/* N43.4: one node is enough: the one with the smallest offer that suffices. */
static int64_t best_single(const struct selector *s, const struct run *r, const struct need *n)
{
	int64_t best = -1, i;
	const uint32_t *cpus = s->has_gres ? s->look_cpus : s->left;
	for (i = bitset_next(s->cand, r->first); i >= 0 && i <= r->last; i = bitset_next(s->cand, (uint32_t)i + 1)) {
		if (!bitset_test(s->chosen, (uint32_t)i) && (int64_t)cpus[i] >= n->cpus && (!n->gpus || s->look_gpus[i] >= n->gpus) &&
		    (best < 0 || cpus[i] < cpus[best])) {
			best = i;
			if ((int64_t)cpus[i] == n->cpus)
				break;
		}
		if ((uint32_t)i + 1 >= s->cand->nbits)
			break;
	}
	return best;
}

static void take_one_of_run(struct selector *s, struct need *n, uint32_t i)
{
	if (bitset_test(s->chosen, i) || !bitset_test(s->cand, i))
		return;
	if (n->max_nodes == 1 && (int64_t)(s->has_gres ? s->look_cpus : s->left)[i] < n->cpus)
		return; /* the last node allowed must do */
	take_node(s, n, i);
}

static void take_from_run(struct selector *s, struct need *n, const struct run *r)
{
	if (r->required) { /* from the first required node up, then down */
		int64_t first = -1;
		for (uint32_t i = r->first; i <= r->last && first < 0; i++)
			if (bitset_test(s->job->req_nodes, i))
				first = i;
		for (uint32_t i = (uint32_t)first; i <= r->last && !need_met(n) && n->max_nodes > 0; i++)
			take_one_of_run(s, n, i);
		for (int64_t i = first - 1; i >= r->first && !need_met(n) && n->max_nodes > 0; i--)
			take_one_of_run(s, n, (uint32_t)i);
		return;
	}
	if (n->nodes <= 1) {
		int64_t one = best_single(s, r, n);
		if (one >= 0 && take_node(s, n, (uint32_t)one))
			return;
	}
	for (uint32_t i = r->first; i <= r->last && !need_met(n) && n->max_nodes > 0; i++)
		take_one_of_run(s, n, i);
}

bool choose_best_fit(struct selector *s, uint32_t max_nodes)
{
	const struct job *j = s->job;
	struct need n = need_begin(s, max_nodes, s->count.req);
	if (!take_required(s, &n))
		return false;
	if (s->n_chosen && need_met(&n))
		return true;
	look_at_all(s, &n);
	build_runs(s);
	heap_runs(s);
	while (n.max_nodes > 0) {
		bool sufficient = false;
		struct run *r = best_run(s, &n, &sufficient);
		if (!r || (j->contiguous && !sufficient))
			break;
		take_from_run(s, &n, r);
		if (need_met(&n))
			return true;
		r->used = true;
		if (j->contiguous)
			break;
	}
	return need_acceptable(s, &n);
}
