/* choose_block.c - topology/block with segments (N49) */
#include "sched/choose.h"

#include <stdlib.h>
#include <string.h>

struct block_try {
	struct selector *s;
	const struct topology *t;
	struct weight_groups g;
	struct need n;           /* of the segment in progress */
	uint32_t segments, size; /* how many, and nodes of each (k, m) */
	/* of the segment's size (N49.2); level TOPO_BLOCK_LEVELS = the whole topology */
	uint32_t level, lower, quota;
	bool lower_counts;
	struct bitset *group;     /* nodes of the candidate group chosen */
	struct bitset *within;    /* nodes that may be used at all */
	struct bitset *aggregate; /* --consolidate-segments: the segments stay in it; else all nodes */
	struct bitset *spent;     /* base blocks used: by this segment, and by others with --spread-segments */
	struct bitset *lowers;    /* lower groups used by this segment */
	int64_t *nodes;           /* [units] best-set nodes left in a base block */
};

static uint32_t n_blocks(const struct block_try *y)
{
	return y->t->units->len;
}

static uint32_t groups_at(const struct block_try *y, uint32_t level)
{
	return level >= TOPO_BLOCK_LEVELS ? 1 : ((n_blocks(y) - 1) >> level) + 1;
}

static uint32_t group_of(uint32_t block, uint32_t level)
{
	return level >= TOPO_BLOCK_LEVELS ? 0 : block >> level;
}

/* Smallest configured level of at least X; TOPO_BLOCK_LEVELS = none. */
static uint32_t level_up(const struct block_try *y, uint32_t x)
{
	while (x < TOPO_BLOCK_LEVELS && !((y->t->levels >> x) & 1))
		x++;
	return MIN(x, TOPO_BLOCK_LEVELS);
}

static uint32_t log2_up(uint64_t n)
{
	uint32_t x = 0;
	while ((UINT64_C(1) << x) < n)
		x++;
	return x;
}

/* N49.2 for placements of M nodes. */
static void set_levels(struct block_try *y, uint32_t m)
{
	uint32_t s = y->t->base_size, x = log2_up((m + s - 1) / s);
	y->level = level_up(y, x);
	y->lower = 0;
	for (uint32_t l = 1; l < x && l < TOPO_BLOCK_LEVELS; l++)
		if ((y->t->levels >> l) & 1)
			y->lower = l;
	uint64_t lower_size = (uint64_t)s << y->lower;
	y->quota = (uint32_t)((m + lower_size - 1) / lower_size);
	uint64_t size = y->level < TOPO_BLOCK_LEVELS ? (uint64_t)s << y->level : (uint64_t)s * n_blocks(y);
	y->lower_counts = size != y->quota * lower_size;
}

static void group_nodes(const struct block_try *y, uint32_t group, uint32_t level, struct bitset *out)
{
	bitset_clear_all(out);
	for (uint32_t b = 0; b < n_blocks(y); b++)
		if (group_of(b, level) == group && !bitset_test(y->spent, b))
			bitset_or(out, topology_unit(y->t, b)->nodes);
}

static uint32_t usable_in(struct block_try *y, const struct bitset *set)
{
	groups_usable(&y->g, y->s, set);
	bitset_and(y->g.scratch, y->within);
	return bitset_count(y->g.scratch);
}

/* ---- which group (N49.3) ---- */

static int descending(gconstpointer a, gconstpointer b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x > y ? -1 : x < y;
}

/* Usable nodes of the candidate group, of its fullest lower groups only. */
static uint32_t counted_nodes(struct block_try *y, uint32_t group, uint32_t whole)
{
	if (!y->lower_counts)
		return whole;
	uint32_t n = groups_at(y, y->lower), used = 0, sum = 0;
	g_autofree uint32_t *count = g_new0(uint32_t, n + 1);
	struct bitset *set = bitset_new(y->s->cl->n_nodes);
	for (uint32_t l = 0; l < n; l++)
		if (group_of(l << y->lower, y->level) == group) {
			group_nodes(y, l, y->lower, set);
			count[used++] = usable_in(y, set);
		}
	qsort(count, used, sizeof *count, descending);
	for (uint32_t l = 0; l < used && l < y->quota; l++)
		sum += count[l];
	bitset_free(set);
	return sum;
}

struct candidate {
	uint64_t weight;
	uint32_t nodes;
	int64_t cpus;
};

static struct candidate look_at(struct block_try *y, const struct bitset *set)
{
	struct candidate c = {.weight = UINT64_MAX};
	int64_t i;
	c.nodes = usable_in(y, set);
	for (BITSET_EACH(i, y->g.scratch)) {
		c.weight = MIN(c.weight, y->g.weight[i]);
		c.cpus += y->s->left[i];
	}
	return c;
}

static bool holds_required(const struct block_try *y, const struct bitset *set)
{
	return !y->s->job->req_nodes || y->segments > 1 || bitset_subset(y->s->job->req_nodes, set);
}

/* Required nodes of the segment are chosen already: they are counted as taken. */
static bool choose_group(struct block_try *y)
{
	const struct trial_counts *count = &y->s->count;
	int64_t need = y->n.nodes, best = -1;
	struct candidate best_c = {0};
	struct bitset *set = bitset_new(y->s->cl->n_nodes);
	if (count->req > count->min && y->segments == 1)
		need = need + count->min - count->req;
	for (uint32_t g = 0; g < groups_at(y, y->level); g++) {
		group_nodes(y, g, y->level, set);
		bitset_and(set, y->aggregate);
		if (!holds_required(y, set))
			continue;
		struct candidate c = look_at(y, set);
		if (c.cpus < y->n.cpus || (int64_t)counted_nodes(y, g, c.nodes) < need || (!c.nodes && y->n.nodes > 0))
			continue;
		if (best >= 0 && (c.weight > best_c.weight || (c.weight == best_c.weight && c.nodes > best_c.nodes)))
			continue;
		best = g;
		best_c = c;
		bitset_assign(y->group, set);
	}
	bitset_free(set);
	bitset_and(y->group, y->within);
	return best >= 0;
}

/* ---- which base blocks of it (N49.5) ---- */

static void count_block(struct block_try *y, uint32_t b)
{
	groups_usable(&y->g, y->s, topology_unit(y->t, b)->nodes);
	bitset_and(y->g.scratch, y->g.best);
	y->nodes[b] = bitset_count(y->g.scratch);
}

static int64_t lower_nodes(const struct block_try *y, uint32_t lower)
{
	int64_t sum = 0;
	for (uint32_t b = 0; b < n_blocks(y); b++)
		if (group_of(b, y->lower) == lower)
			sum += y->nodes[b];
	return sum;
}

/* Compares two counts against what is needed: > 0 A is better, 0 equal. */
static int better_count(int64_t a, int64_t b, int64_t need)
{
	if ((a >= need) != (b >= need))
		return a >= need ? 1 : -1;
	if (a == b)
		return 0;
	return (a < b) == (a >= need) ? 1 : -1;
}

static bool block_replaces(const struct block_try *y, uint32_t b, uint32_t best)
{
	uint32_t lb = group_of(b, y->lower), lbest = group_of(best, y->lower);
	if (y->lower_counts && lb != lbest) {
		bool used = bitset_test(y->lowers, lb), used_best = bitset_test(y->lowers, lbest);
		if (used != used_best)
			return used;
		int c = better_count(lower_nodes(y, lb), lower_nodes(y, lbest), y->n.nodes);
		if (c)
			return c > 0;
	}
	return better_count(y->nodes[b], y->nodes[best], y->n.nodes) >= 0;
}

static int64_t best_block(const struct block_try *y)
{
	int64_t best = -1;
	for (uint32_t b = 0; b < n_blocks(y); b++) {
		if (y->nodes[b] <= 0 || bitset_test(y->spent, b))
			continue;
		if (best < 0 || block_replaces(y, b, (uint32_t)best))
			best = b;
	}
	return best;
}

static void take_block(struct block_try *y, uint32_t b)
{
	bitset_assign(y->g.scratch, topology_unit(y->t, b)->nodes);
	bitset_and(y->g.scratch, y->g.best);
	take_nodes_of(y->s, &y->n, y->g.scratch);
	bitset_set(y->spent, b);
	bitset_set(y->lowers, group_of(b, y->lower));
	for (uint32_t i = 0; i < n_blocks(y); i++)
		count_block(y, i);
}

/* Mandatory nodes, and the other nodes of their base blocks (N49.4). */
static void take_mandatory(struct block_try *y, const struct bitset *before)
{
	take_nodes_of(y->s, &y->n, y->g.mandatory);
	for (uint32_t b = 0; b < n_blocks(y) && !need_met(&y->n); b++) {
		bitset_assign(y->g.scratch, y->s->chosen);
		bitset_andnot(y->g.scratch, before);
		if (bitset_intersects(y->g.scratch, topology_unit(y->t, b)->nodes))
			take_block(y, b);
	}
}

/* Required nodes: one candidate group must hold them all. */
static bool required_together(struct block_try *y)
{
	bool together = false;
	struct bitset *set = bitset_new(y->s->cl->n_nodes);
	for (uint32_t g = 0; g < groups_at(y, y->level) && !together; g++) {
		group_nodes(y, g, y->level, set);
		together = holds_required(y, set);
	}
	bitset_free(set);
	return together;
}

/* N49.3 to N49.6 for one segment, whose need is y->n. */
static enum choice place_segment(struct block_try *y, const struct bitset *before)
{
	if (!choose_group(y))
		return CHOICE_STOP;
	if (!groups_open(&y->g, y->s, &y->n, y->group, y->n.nodes, MAX(1, y->n.nodes)))
		return CHOICE_DEFAULT;
	for (uint32_t b = 0; b < n_blocks(y); b++)
		count_block(y, b);
	take_mandatory(y, before);
	while (!need_met(&y->n) && y->n.max_nodes > 0) {
		int64_t b = best_block(y);
		if (b < 0)
			break;
		uint32_t lower = group_of((uint32_t)b, y->lower);
		if (y->lower_counts && !bitset_test(y->lowers, lower) && bitset_count(y->lowers) >= y->quota)
			break;
		take_block(y, (uint32_t)b);
	}
	return need_met(&y->n) ? CHOICE_DONE : CHOICE_HINT;
}

/* ---- all segments ---- */

static void segment_need(struct block_try *y, const struct need *all)
{
	y->n = *all;
	y->n.nodes = y->n.min_left = y->size;
	y->n.cpus = all->cpus / y->segments;
	y->n.cpu_cap = all->cpu_cap / y->segments;
	y->n.max_nodes = all->max_nodes / y->segments;
	y->n.gpus = (all->gpus + y->segments - 1) / y->segments;
}

static enum choice place_all(struct block_try *y, const struct need *all)
{
	struct bitset *before = bitset_new(y->s->cl->n_nodes);
	enum choice c = CHOICE_DONE;
	bitset_clear_all(y->spent);
	for (uint32_t k = 0; k < y->segments && c == CHOICE_DONE; k++) {
		bitset_assign(before, y->s->chosen);
		segment_need(y, all);
		if (!y->s->job->req->spread_segments)
			bitset_clear_all(y->spent);
		bitset_clear_all(y->lowers);
		if (y->segments == 1 && (!required_together(y) || !take_required(y->s, &y->n)))
			c = CHOICE_STOP;
		else
			c = need_met(&y->n) ? CHOICE_DONE : place_segment(y, before);
	}
	bitset_free(before);
	return c;
}

/* The aggregate group to try: that of the base block where the first segment would go among those with N usable nodes
 * which are not DROPPED. -1 = none. It goes to y->aggregate. */
static int64_t next_aggregate(struct block_try *y, uint32_t level, uint32_t n, const struct bitset *dropped,
                              const struct need *all)
{
	struct bitset *set = bitset_new(y->s->cl->n_nodes);
	int64_t g = -1;
	bitset_clear_all(y->aggregate);
	bitset_clear_all(y->spent);
	for (uint32_t i = 0; i < groups_at(y, level); i++) {
		group_nodes(y, i, level, set);
		if (!bitset_test(dropped, i) && usable_in(y, set) >= n)
			bitset_or(y->aggregate, set);
	}
	bitset_free(set);
	segment_need(y, all);
	if (bitset_empty(y->aggregate) || !choose_group(y))
		return -1;
	for (uint32_t b = 0; b < n_blocks(y) && g < 0; b++)
		if (bitset_intersects(topology_unit(y->t, b)->nodes, y->group))
			g = group_of(b, level);
	if (g >= 0)
		group_nodes(y, (uint32_t)g, level, y->aggregate);
	return g;
}

/* --consolidate-segments: all in one aggregate group, the first that works. */
static enum choice place_together(struct block_try *y, uint32_t max_nodes)
{
	struct selector *s = y->s;
	uint32_t base = y->t->base_size, n = y->size * y->segments;
	uint64_t holds = s->job->req->spread_segments ? (uint64_t)(y->size + base - 1) / base * base * y->segments : n;
	uint32_t level = level_up(y, log2_up((holds + base - 1) / base));
	enum choice c = CHOICE_STOP;
	struct bitset *dropped = bitset_new(n_blocks(y));
	g_autofree uint32_t *left = g_memdup2(s->left, s->cl->n_nodes * sizeof *left);
	while (c != CHOICE_DONE) {
		struct need all = need_begin(s, max_nodes, s->count.req);
		memcpy(s->left, left, s->cl->n_nodes * sizeof *left);
		int64_t g = next_aggregate(y, level, n, dropped, &all);
		if (g < 0)
			break;
		bitset_set(dropped, (uint32_t)g);
		c = place_all(y, &all);
	}
	bitset_free(dropped);
	return c == CHOICE_DONE ? c : CHOICE_STOP;
}

/* N49.1; false: never runnable. */
static bool set_segments(struct block_try *y)
{
	const struct job *j = y->s->job;
	if (!segments_of(y->s, &y->size, &y->segments))
		return false;
	if (!j->req_nodes || y->segments == 1)
		return true;
	bitset_and(y->within, j->req_nodes);
	return bitset_count(j->req_nodes) >= y->size * y->segments;
}

static enum choice block_try(struct block_try *y, uint32_t max_nodes)
{
	bitset_set_all(y->within);
	bitset_set_all(y->aggregate);
	if (!set_segments(y))
		return CHOICE_STOP;
	leave_shared_units(y->s, y->within);
	set_levels(y, y->size);
	if (y->s->job->req->consolidate_segments && y->segments > 1)
		return place_together(y, max_nodes);
	struct need all = need_begin(y->s, max_nodes, y->s->count.req);
	return place_all(y, &all);
}

enum choice choose_block(struct selector *s, uint32_t max_nodes)
{
	const struct topology *t = s->part->topology;
	struct block_try y = {.s = s, .t = t};
	struct bitset **sets[] = {&y.group, &y.within, &y.aggregate};
	for (size_t i = 0; i < G_N_ELEMENTS(sets); i++)
		*sets[i] = bitset_new(s->cl->n_nodes);
	y.spent = bitset_new(t->units->len);
	y.lowers = bitset_new(t->units->len);
	y.nodes = g_new0(int64_t, t->units->len);
	groups_init(&y.g, s);
	enum choice c = block_try(&y, max_nodes);
	for (size_t i = 0; i < G_N_ELEMENTS(sets); i++)
		bitset_free(*sets[i]);
	bitset_free(y.spent);
	bitset_free(y.lowers);
	g_free(y.nodes);
	groups_clear(&y.g);
	return c;
}
