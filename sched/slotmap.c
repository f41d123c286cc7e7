/* slotmap.c - see slotmap.h */
#include "sched/slotmap.h"

struct slot_map *slotmap_new(uint32_t n_nodes)
{
	struct slot_map *m = g_new0(struct slot_map, 1);
	m->slots = g_array_new(FALSE, FALSE, sizeof(struct slot));
	m->pool = g_ptr_array_new_with_free_func((GDestroyNotify)bitset_free);
	m->n_nodes = n_nodes;
	return m;
}

void slotmap_free(struct slot_map *m)
{
	if (!m)
		return;
	for (guint i = 0; i < m->slots->len; i++)
		bitset_free(slotmap_at(m, (int)i)->nodes);
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

void slotmap_reset(struct slot_map *m, sec_t begin, sec_t end, const struct bitset *nodes, sec_t resolution)
{
	for (guint i = 0; i < m->slots->len; i++)
		if (slotmap_at(m, (int)i)->nodes)
			g_ptr_array_add(m->pool, slotmap_at(m, (int)i)->nodes);
	g_array_set_size(m->slots, 0);
	struct slot s = {begin, end, take_set(m, nodes), -1};
	g_array_append_val(m->slots, s);
	m->records = 1;
	m->resolution = resolution;
}

bool slotmap_conflict(const struct slot_map *m, sec_t begin, sec_t end, const struct bitset *nodes)
{
	for (int i = 0; i >= 0; i = slotmap_at(m, i)->next) {
		const struct slot *s = slotmap_at(m, i);
		if (s->begin >= end)
			break;
		if (s->end > begin && !bitset_subset(nodes, s->nodes))
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
	slotmap_at(m, i)->end = t;
	slotmap_at(m, i)->next = (int)m->slots->len;
	g_array_append_val(m->slots, tail);
	m->records++;
}

/* One pair of equal neighbours from slot I on becomes one slot. */
static void merge_one(struct slot_map *m, int i, sec_t end)
{
	for (; i >= 0; i = slotmap_at(m, i)->next) {
		struct slot *a = slotmap_at(m, i);
		if (a->next < 0 || a->begin > end)
			return;
		struct slot *b = slotmap_at(m, a->next);
		if (a->begin == a->end || !bitset_equal(a->nodes, b->nodes))
			continue;
		a->end = b->end;
		a->next = b->next;
		g_ptr_array_add(m->pool, b->nodes);
		b->nodes = NULL;
		return;
	}
}

void slotmap_add(struct slot_map *m, sec_t begin, sec_t end, const struct bitset *nodes)
{
	sec_t first = slotmap_at(m, 0)->begin;
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
		bitset_andnot(slotmap_at(m, i)->nodes, nodes);
		next = slotmap_at(m, i)->next;
	}
	merge_one(m, MAX(before, 0), end);
}
