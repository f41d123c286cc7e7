/* topology.c - see topology.h */
#include "sched/topology.h"
#include "sched/cluster.h"

struct topology *topology_new(const char *name, enum topology_kind kind)
{
	struct topology *t = g_new0(struct topology, 1);
	t->name = g_strdup(name);
	t->kind = kind;
	t->units = g_ptr_array_new();
	return t;
}

static void unit_free(struct topo_unit *u)
{
	g_free(u->name);
	g_ptr_array_unref(u->members);
	bitset_free(u->nodes);
	if (u->placements)
		g_array_unref(u->placements);
	g_free(u);
}

void topology_free(void *topology)
{
	struct topology *t = topology;
	if (!t)
		return;
	for (guint i = 0; i < t->units->len; i++)
		unit_free(t->units->pdata[i]);
	g_ptr_array_unref(t->units);
	bitset_free(t->nodes);
	g_free(t->name);
	g_free(t);
}

struct topo_unit *topology_add_unit(struct topology *t, const char *name)
{
	struct topo_unit *u = g_new0(struct topo_unit, 1);
	u->name = g_strdup(name);
	u->members = g_ptr_array_new();
	u->parent = TOPO_NONE;
	g_ptr_array_add(t->units, u);
	return u;
}

void topo_unit_add_node(struct topo_unit *u, struct node *n)
{
	g_ptr_array_add(u->members, n);
}

void topology_finish(struct topology *t, uint32_t n_nodes)
{
	bitset_free(t->nodes);
	t->nodes = bitset_new(n_nodes);
	for (guint i = 0; i < t->units->len; i++) {
		struct topo_unit *u = topology_unit(t, i);
		bitset_free(u->nodes);
		u->nodes = bitset_new(n_nodes);
	}
	for (guint i = 0; i < t->units->len; i++) {
		const struct topo_unit *u = topology_unit(t, i);
		for (guint k = 0; k < u->members->len; k++) {
			const struct node *n = u->members->pdata[k];
			bitset_set(t->nodes, n->index);
			for (uint32_t up = i; up != TOPO_NONE; up = topology_unit(t, up)->parent)
				bitset_set(topology_unit(t, up)->nodes, n->index);
		}
	}
}

void topology_rank_nodes(const struct topology *t)
{
	for (guint i = 0; i < t->units->len; i++) {
		const struct topo_unit *u = topology_unit(t, i);
		for (guint k = 0; k < u->members->len; k++) {
			struct node *n = u->members->pdata[k];
			if (!n->rank)
				n->rank = i + 1;
		}
	}
}

uint32_t topology_links(const struct topology *t, uint32_t a, uint32_t b)
{
	uint32_t up_a = 0;
	for (uint32_t x = a; x != TOPO_NONE; x = topology_unit(t, x)->parent, up_a++) {
		uint32_t up_b = 0;
		for (uint32_t y = b; y != TOPO_NONE; y = topology_unit(t, y)->parent, up_b++)
			if (x == y)
				return up_a + up_b;
	}
	return 1u << 16;
}

/* Units I to I + N - 1 together: do some, but not all of their nodes remain? */
static bool broken(const struct topology *t, guint i, guint n, const struct bitset *left)
{
	bool some = false, all = true;
	for (guint k = i; k < i + n && k < t->units->len; k++) {
		const struct bitset *nodes = topology_unit(t, k)->nodes;
		some = some || bitset_intersects(nodes, left);
		all = all && bitset_subset(nodes, left);
	}
	return some && !all;
}

uint32_t topology_fragments(const struct topology *t, const struct bitset *left)
{
	uint32_t n = 0;
	for (guint i = 0; i < t->units->len; i++)
		n += broken(t, i, 1, left);
	for (uint32_t level = 1; t->kind == TOPOLOGY_BLOCK && level < TOPO_BLOCK_LEVELS; level++)
		for (guint i = 0; t->levels >> level & 1 && i < t->units->len; i += 1u << level)
			n += broken(t, i, 1u << level, left);
	return n;
}
