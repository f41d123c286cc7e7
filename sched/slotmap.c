/* slotmap.c - see slotmap.h */
#include "sched/slotmap.h"

#include <string.h>

struct slot_map *slotmap_new(uint32_t n_nodes)
{
	struct slot_map *m = g_new0(struct slot_map, 1);
	m->slots = g_array_new(FALSE, FALSE, sizeof(struct slot));
	m->pool = g_ptr_array_new_with_free_func((GDestroyNotify)bitset_free);
	m->n_nodes = n_nodes;
	return m;
}

static void free_slots(struct slot_map *m)
{
	for (guint i = 0; i < m->slots->len; i++) {
		struct slot *s = slotmap_at(m, (int)i);
		if (s->nodes)
			g_ptr_array_add(m->pool, s->nodes);
		g_free(s->licenses);
	}
	g_array_set_size(m->slots, 0);
}

void slotmap_free(struct slot_map *m)
{
	if (!m)
		return;
	free_slots(m);
	g_free(m->total);
	g_array_unref(m->slots);
	g_ptr_array_unref(m->pool);
	g_free(m);
}

static struct bitset *take_set(struct slot_map *m, const struct bitset *from)
{
	struct bitset *b = m->pool->len ? g_ptr_array_steal_index_fast(m->pool, m->pool->len - 1) : bitset_new(m->n_nodes);
	bitset_assign(b, from);
	return b;
}

void slotmap_licenses(struct slot_map *m, uint32_t n, const uint32_t *total)
{
	g_free(m->total);
	m->total = g_memdup2(total, n * sizeof *total);
	m->n_licenses = n;
}

void slotmap_reset(struct slot_map *m, sec_t begin, sec_t end, const struct bitset *nodes, sec_t resolution)
{
	free_slots(m);
	struct slot s = {.begin = begin, .end = end, .nodes = take_set(m, nodes), .next = -1};
	s.licenses = g_memdup2(m->total, m->n_licenses * sizeof *m->total);
	g_array_append_val(m->slots, s);
	m->records = 1;
	m->changes++;
	m->resolution = resolution;
}

bool slotmap_conflict(const struct slot_map *m, sec_t begin, sec_t end, const struct bitset *nodes, const struct license_list *l)
{
	for (int i = 0; i >= 0; i = slotmap_at(m, i)->next) {
		const struct slot *s = slotmap_at(m, i);
		if (s->begin >= end)
			break;
		if (s->end <= begin)
			continue;
		if (!bitset_subset(nodes, s->nodes) || (s->licenses && !license_fits(l, s->licenses)))
			return true;
	}
	return false;
}

/* Cut slot I at T: I keeps [begin, T), a new slot holds [T, end). */
static void split(struct slot_map *m, int i, sec_t t)
{
	struct slot tail = *slotmap_at(m, i);
	tail.begin = t;
	tail.nodes = take_set(m, tail.nodes);
	tail.licenses = g_memdup2(tail.licenses, m->n_licenses * sizeof *tail.licenses);
	slotmap_at(m, i)->end = t;
	slotmap_at(m, i)->next = (int)m->slots->len;
	g_array_append_val(m->slots, tail);
	m->records++;
}

static bool equal_slots(const struct slot_map *m, const struct slot *a, const struct slot *b)
{
	return bitset_equal(a->nodes, b->nodes) &&
	       (!m->n_licenses || memcmp(a->licenses, b->licenses, m->n_licenses * sizeof *a->licenses) == 0);
}

/* One pair of equal neighbours from slot I on becomes one slot. */
static void merge_one(struct slot_map *m, int i, sec_t end)
{
	for (; i >= 0; i = slotmap_at(m, i)->next) {
		struct slot *a = slotmap_at(m, i);
		if (a->next < 0 || a->begin > end)
			return;
		struct slot *b = slotmap_at(m, a->next);
		if (!equal_slots(m, a, b))
			continue;
		a->end = b->end;
		a->next = b->next;
		g_ptr_array_add(m->pool, b->nodes);
		b->nodes = NULL;
		g_clear_pointer(&b->licenses, g_free);
		return;
	}
}

struct promise { /* what is taken out of slots; members may be NULL */
	const struct bitset *nodes;
	const struct license_list *list;
	const uint32_t *count;
};

static void take(const struct slot_map *m, struct slot *s, const struct promise *p)
{
	if (p->nodes)
		bitset_andnot(s->nodes, p->nodes);
	if (s->licenses)
		license_subtract(p->list, s->licenses);
	for (uint32_t k = 0; p->count && k < m->n_licenses; k++)
		s->licenses[k] -= MIN(s->licenses[k], p->count[k]);
}

static void insert(struct slot_map *m, sec_t begin, sec_t end, const struct promise *p)
{
	sec_t first = slotmap_at(m, 0)->begin;
	m->changes++;
	begin = MAX(begin, first);
	end = MAX(end, begin + m->resolution);
	int before = -1;
	for (int i = 0, next; i >= 0; i = next) {
		if (slotmap_at(m, i)->begin >= end)
			break;
		bool at_map_begin = i == 0 && slotmap_at(m, 0)->begin == begin;
		if (slotmap_at(m, i)->end > begin && (slotmap_at(m, i)->begin < begin || at_map_begin)) {
			split(m, i, begin); /* at the map's begin a slot without length stays in front */
			before = i;
			next = slotmap_at(m, i)->next;
			continue;
		}
		if (slotmap_at(m, i)->end <= begin) {
			before = i;
			next = slotmap_at(m, i)->next;
			continue;
		}
		if (slotmap_at(m, i)->end > end)
			split(m, i, end);
		take(m, slotmap_at(m, i), p);
		next = slotmap_at(m, i)->next;
	}
	merge_one(m, MAX(before, 0), end);
}

void slotmap_add(struct slot_map *m, sec_t begin, sec_t end, const struct bitset *nodes, const struct license_list *l)
{
	struct promise p = {.nodes = nodes, .list = l};
	insert(m, begin, end, &p);
}

void slotmap_reserve_licenses(struct slot_map *m, sec_t begin, sec_t end, const uint32_t *count)
{
	struct promise p = {.count = count};
	insert(m, begin, end, &p);
}
