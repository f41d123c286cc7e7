/* choose_ring.c - topology/ring and topology/torus3d (N49b, N49c) */
#include "sched/choose.h"

struct place_try {
	struct selector *s;
	const struct topology *t;
	struct weight_groups g;
	struct bitset *within; /* nodes that may be used at all */
	uint32_t size, segments;
};

static bool usable(const struct place_try *y, const struct node *n)
{
	const struct selector *s = y->s;
	return bitset_test(s->cand, n->index) && bitset_test(y->within, n->index) && !bitset_test(s->chosen, n->index);
}

static uint32_t usable_of(const struct place_try *y, const struct topo_unit *u)
{
	uint32_t n = 0;
	for (guint i = 0; i < u->members->len; i++)
		n += usable(y, u->members->pdata[i]);
	return n;
}

static enum choice finished(const struct place_try *y, const struct need *n)
{
	return need_met(n) || need_acceptable(y->s, n) ? CHOICE_DONE : CHOICE_DEFAULT;
}

static bool begin(struct place_try *y, struct selector *s)
{
	const struct job *j = s->job;
	*y = (struct place_try){.s = s, .t = s->part->topology};
	groups_init(&y->g, s);
	y->within = bitset_new(s->cl->n_nodes);
	bitset_set_all(y->within);
	leave_shared_units(s, y->within);
	if (j->req_nodes)
		bitset_and(y->within, j->req_nodes);
	return segments_of(s, &y->size, &y->segments) &&
	       !(j->req_nodes && bitset_count(j->req_nodes) < y->size * y->segments);
}

static void end(struct place_try *y)
{
	groups_clear(&y->g);
	bitset_free(y->within);
}

/* ---- ring: runs of neighbours ---- */

struct run_of_ring {
	bool found;
	guint first;
	uint64_t weight;
	uint32_t usable;
};

/* Heaviest node of the run of size nodes from FIRST on; false when one is not usable. */
static bool weigh_run(const struct place_try *y, const struct topo_unit *u, guint first, uint64_t *weight)
{
	*weight = 0;
	for (uint32_t k = 0; k < y->size; k++) {
		const struct node *n = u->members->pdata[(first + k) % u->members->len];
		if (!usable(y, n))
			return false;
		*weight = MAX(*weight, y->g.weight[n->index]);
	}
	return true;
}

static struct run_of_ring best_run_of(const struct place_try *y, const struct topo_unit *u)
{
	struct run_of_ring best = {.usable = usable_of(y, u)};
	uint64_t weight;
	for (guint i = 0; i < u->members->len && best.usable >= y->size; i++)
		if (weigh_run(y, u, i, &weight) && (!best.found || weight < best.weight)) {
			best.found = true;
			best.first = i;
			best.weight = weight;
		}
	return best;
}

static int64_t best_ring(const struct place_try *y, const struct run_of_ring *run, const struct bitset *done)
{
	int64_t best = -1;
	for (guint i = 0; i < y->t->units->len; i++) {
		if (!run[i].found || bitset_test(done, i))
			continue;
		if (best < 0 || run[i].weight < run[best].weight ||
		    (run[i].weight == run[best].weight && run[i].usable < run[best].usable))
			best = i;
	}
	return best;
}

static enum choice ring_try(struct place_try *y, uint32_t max_nodes)
{
	struct need n = need_begin(y->s, max_nodes, y->s->count.req);
	g_autofree struct run_of_ring *run = g_new0(struct run_of_ring, y->t->units->len);
	struct bitset *done = bitset_new(y->t->units->len);
	enum choice c = CHOICE_DONE;
	for (guint i = 0; i < y->t->units->len; i++)
		run[i] = best_run_of(y, topology_unit(y->t, i));
	for (uint32_t k = 0; k < y->segments && c == CHOICE_DONE; k++) {
		int64_t r = best_ring(y, run, done);
		if (r < 0) {
			c = CHOICE_STOP;
			break;
		}
		const struct topo_unit *u = topology_unit(y->t, (uint32_t)r);
		bitset_set(done, (uint32_t)r);
		for (uint32_t m = 0; m < y->size && c == CHOICE_DONE; m++)
			if (!take_node(y->s, &n,
			               ((struct node *)u->members->pdata[(run[r].first + m) % u->members->len])->index))
				c = CHOICE_DEFAULT;
	}
	bitset_free(done);
	return c == CHOICE_DONE ? finished(y, &n) : c;
}

enum choice choose_ring(struct selector *s, uint32_t max_nodes)
{
	struct place_try y;
	enum choice c = begin(&y, s) ? ring_try(&y, max_nodes) : CHOICE_STOP;
	end(&y);
	return c;
}

/* ---- torus: boxes at anchors ---- */

struct anchor {
	uint32_t at[3];
};

struct box { /* the best so far */
	bool found;
	const struct topo_unit *torus;
	const struct topo_placement *placement;
	struct anchor anchor;
	uint64_t weight;
	uint32_t breaks, usable;
};

static uint32_t size_of(const struct topo_placement *p)
{
	return p->dim[0] * p->dim[1] * p->dim[2];
}

static uint32_t steps(const struct topo_unit *u, const struct topo_placement *p, int axis)
{
	const uint32_t dim[3] = {u->x, u->y, u->z};
	return MAX(1u, dim[axis] / p->spacing[axis]);
}

static uint32_t n_anchors(const struct topo_unit *u, const struct topo_placement *p)
{
	return steps(u, p, 0) * steps(u, p, 1) * steps(u, p, 2);
}

/* Anchor I of a placement: x outermost, z innermost. */
static struct anchor anchor_at(const struct topo_unit *u, const struct topo_placement *p, uint32_t i)
{
	uint32_t z = steps(u, p, 2), y = steps(u, p, 1);
	uint32_t step[3] = {i / (y * z), i / z % y, i % z};
	const uint32_t dim[3] = {u->x, u->y, u->z};
	struct anchor a;
	for (int k = 0; k < 3; k++)
		a.at[k] = (p->seed[k] + step[k] * p->spacing[k]) % dim[k];
	return a;
}

/* Node I of the box of P at A. */
static const struct node *node_of(const struct topo_unit *u, const struct topo_placement *p, const struct anchor *a,
                                  uint32_t i)
{
	uint32_t x = (a->at[0] + i % p->dim[0]) % u->x;
	uint32_t y = (a->at[1] + i / p->dim[0] % p->dim[1]) % u->y;
	uint32_t z = (a->at[2] + i / p->dim[0] / p->dim[1]) % u->z;
	return u->members->pdata[x + u->x * (y + u->y * z)];
}

static bool box_usable(const struct place_try *y, const struct topo_unit *u, const struct topo_placement *p,
                       const struct anchor *a, uint64_t *weight)
{
	*weight = 0;
	for (uint32_t i = 0; i < size_of(p); i++) {
		const struct node *n = node_of(u, p, a, i);
		if (!usable(y, n))
			return false;
		*weight = MAX(*weight, y->g.weight[n->index]);
	}
	return true;
}

static bool share_a_node(const struct topo_unit *u, const struct topo_placement *p, const struct anchor *a,
                         const struct topo_placement *q, const struct anchor *b)
{
	for (uint32_t i = 0; i < size_of(p); i++)
		for (uint32_t k = 0; k < size_of(q); k++)
			if (node_of(u, p, a, i) == node_of(u, q, b, k))
				return true;
	return false;
}

/* How many usable anchors of the next larger placement the box would break. */
static uint32_t breaks(const struct place_try *y, const struct topo_unit *u, guint place, const struct anchor *a)
{
	const struct topo_placement *p = &g_array_index(u->placements, struct topo_placement, place);
	uint32_t n = 0;
	uint64_t weight;
	guint next = place + 1;
	while (next < u->placements->len &&
	       size_of(&g_array_index(u->placements, struct topo_placement, next)) <= size_of(p))
		next++;
	if (next == u->placements->len)
		return 0;
	const struct topo_placement *q = &g_array_index(u->placements, struct topo_placement, next);
	for (uint32_t i = 0; i < n_anchors(u, q); i++) {
		struct anchor b = anchor_at(u, q, i);
		n += box_usable(y, u, q, &b, &weight) && share_a_node(u, p, a, q, &b);
	}
	return n;
}

static bool better_box(const struct box *a, const struct box *best)
{
	if (!best->found || a->weight != best->weight)
		return !best->found || a->weight < best->weight;
	if (a->placement == best->placement)
		return a->breaks < best->breaks;
	return a->usable < best->usable;
}

static void look_at_placement(const struct place_try *y, const struct topo_unit *u, guint place, struct box *best)
{
	const struct topo_placement *p = &g_array_index(u->placements, struct topo_placement, place);
	uint32_t count = usable_of(y, u);
	for (uint32_t i = 0; i < n_anchors(u, p); i++) {
		struct box b = {
		    .found = true, .torus = u, .placement = p, .anchor = anchor_at(u, p, i), .usable = count};
		if (!box_usable(y, u, p, &b.anchor, &b.weight))
			continue;
		b.breaks = breaks(y, u, place, &b.anchor);
		if (better_box(&b, best))
			*best = b;
	}
}

static struct box best_box(const struct place_try *y)
{
	struct box best = {0};
	for (guint i = 0; i < y->t->units->len; i++) {
		const struct topo_unit *u = topology_unit(y->t, i);
		for (guint k = 0; u->placements && k < u->placements->len; k++)
			if (size_of(&g_array_index(u->placements, struct topo_placement, k)) == y->size)
				look_at_placement(y, u, k, &best);
	}
	return best;
}

static enum choice torus_try(struct place_try *y, uint32_t max_nodes)
{
	struct need n = need_begin(y->s, max_nodes, y->s->count.req);
	for (uint32_t k = 0; k < y->segments; k++) {
		struct box b = best_box(y);
		if (!b.found)
			return CHOICE_STOP;
		for (uint32_t i = 0; i < y->size; i++)
			if (!take_node(y->s, &n, node_of(b.torus, b.placement, &b.anchor, i)->index))
				return CHOICE_DEFAULT;
	}
	return finished(y, &n);
}

enum choice choose_torus(struct selector *s, uint32_t max_nodes)
{
	struct place_try y;
	enum choice c = begin(&y, s) ? torus_try(&y, max_nodes) : CHOICE_STOP;
	end(&y);
	return c;
}
