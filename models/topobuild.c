/* topobuild.c - see topobuild.h; the rules are those of spec slurm-conf.md 7.2 and 7.3. */
#include "models/topobuild.h"
#include "models/conflex.h"
#include "models/suggest.h"
#include "sched/base/hostlist.h"
#include <string.h>

struct builder {
	struct topo_plan *p;
	struct cluster *c;
	struct diag *d;
	struct topology *t;
	GHashTable *by_name; /* item name (borrowed) -> index + 1 */
	GHashTable *member;  /* struct node * -> index + 1 of its first unit */
	guint unknown;       /* node names that no node has */
};

static void item_free(void *data)
{
	struct topo_item *i = data;

	g_free(i->name);
	g_free(i->nodes);
	g_free(i->children);
	if (i->placements)
		g_array_unref(i->placements);
	g_free(i);
}

struct topo_plan *topo_plan_new(const char *name, enum topology_kind kind)
{
	struct topo_plan *p = g_new0(struct topo_plan, 1);

	p->name = g_strdup(name);
	p->kind = kind;
	p->items = g_ptr_array_new_with_free_func(item_free);
	p->sizes = g_array_new(FALSE, FALSE, sizeof(guint32));
	p->names_left = TOPO_NAMES_MAX;
	return p;
}

struct topo_item *topo_plan_add(struct topo_plan *p, const char *name, struct topo_place at)
{
	struct topo_item *i = g_new0(struct topo_item, 1);

	i->name = g_strdup(name);
	i->at = at;
	g_ptr_array_add(p->items, i);
	return i;
}

void topo_plan_free(void *plan)
{
	struct topo_plan *p = plan;

	if (!p)
		return;
	g_ptr_array_unref(p->items);
	g_array_unref(p->sizes);
	g_free(p->name);
	g_free(p);
}

static const char *word_for(enum topology_kind kind)
{
	switch (kind) {
	case TOPOLOGY_TREE:
		return "switch";
	case TOPOLOGY_BLOCK:
		return "block";
	case TOPOLOGY_RING:
		return "ring";
	default:
		return "torus";
	}
}

/* The names of a list, from the budget of names; NULL after an error. */
static GPtrArray *expand(struct builder *b, const char *text, const struct topo_place *at)
{
	GError *error = NULL;
	gint64 n = hostlist_count(text, &error);

	if (n >= 0 && (guint64)n > b->p->names_left) {
		diag_error(b->d, at->file, at->line, at->column, NULL, "the lists hold more than %u names in all",
		           TOPO_NAMES_MAX);
		return NULL;
	}
	GPtrArray *names = n >= 0 ? hostlist_expand(text, &error) : NULL;
	if (names) {
		b->p->names_left -= names->len;
		return names;
	}
	diag_error(b->d, at->file, at->line, at->column, "a list such as n[01-16]", "bad list: %s", error->message);
	g_error_free(error);
	return NULL;
}

/* ---- names ---- */

static void check_name(struct builder *b, const struct topo_item *i)
{
	const char *word = word_for(b->p->kind);
	char *shown = conflex_show(i->name);

	if (!*i->name)
		diag_error(b->d, i->at.file, i->at.line, i->at.column, "give it a name", "a %s without a name", word);
	else if (strlen(i->name) > TOPO_NAME_MAX)
		diag_error(b->d, i->at.file, i->at.line, i->at.column, NULL,
		           "the name of %s %s is longer than %u letters", word, shown, TOPO_NAME_MAX);
	else if (strpbrk(i->name, "[],"))
		diag_error(b->d, i->at.file, i->at.line, i->at.column, "write a line for each",
		           "%s %s is more than one name", word, shown);
	g_free(shown);
}

static void enter_names(struct builder *b)
{
	for (guint k = 0; k < b->p->items->len; k++) {
		const struct topo_item *i = b->p->items->pdata[k];
		guint before = GPOINTER_TO_UINT(g_hash_table_lookup(b->by_name, i->name));

		check_name(b, i);
		topology_add_unit(b->t, i->name);
		if (before) {
			const struct topo_item *first = b->p->items->pdata[before - 1];
			diag_error(b->d, i->at.file, i->at.line, i->at.column, "give each a name of its own",
			           "%s %s is defined twice, first in line %u", word_for(b->p->kind), i->name,
			           first->at.line);
			continue;
		}
		g_hash_table_insert(b->by_name, i->name, GUINT_TO_POINTER(k + 1));
	}
}

/* ---- nodes ---- */

static void note_member(struct builder *b, const struct topo_item *i, guint k, struct node *n)
{
	guint first = GPOINTER_TO_UINT(g_hash_table_lookup(b->member, n));

	if (first == k + 1) {
		diag_warn(b->d, i->nodes_at.file, i->nodes_at.line, i->nodes_at.column, NULL,
		          "node %s stands twice in %s %s", n->name, word_for(b->p->kind), i->name);
		return;
	}
	if (first) {
		const struct topo_item *other = b->p->items->pdata[first - 1];
		diag_warn(b->d, i->nodes_at.file, i->nodes_at.line, i->nodes_at.column, NULL,
		          "node %s is in two %s%s: %s and %s", n->name, word_for(b->p->kind),
		          b->p->kind == TOPOLOGY_TREE ? "es" : "s", other->name, i->name);
	} else {
		g_hash_table_insert(b->member, n, GUINT_TO_POINTER(k + 1));
	}
	topo_unit_add_node(topology_unit(b->t, k), n);
}

static void unknown_node(struct builder *b, const struct topo_item *i, const char *name)
{
	if (b->unknown++ < 20)
		diag_warn(b->d, i->nodes_at.file, i->nodes_at.line, i->nodes_at.column, "name it in slurm.conf",
		          "%s %s: unknown node %s is left out", word_for(b->p->kind), i->name, name);
}

static void add_nodes(struct builder *b, guint k)
{
	const struct topo_item *i = b->p->items->pdata[k];
	GPtrArray *names = i->nodes && *i->nodes ? expand(b, i->nodes, &i->nodes_at) : NULL;

	for (guint n = 0; names && n < names->len; n++) {
		const char *name = names->pdata[n];
		struct node *node = cluster_find_node(b->c, name);

		if (g_ascii_strcasecmp(name, "ALL") == 0)
			for (guint a = 0; a < b->c->pending_nodes->len; a++)
				note_member(b, i, k, b->c->pending_nodes->pdata[a]);
		else if (node)
			note_member(b, i, k, node);
		else
			unknown_node(b, i, name);
	}
	if (b->p->kind == TOPOLOGY_RING && names && names->len > TOPO_RING_MAX)
		diag_error(b->d, i->nodes_at.file, i->nodes_at.line, i->nodes_at.column, "make several rings",
		           "ring %s has %u nodes; at most %u are possible", i->name, names->len, TOPO_RING_MAX);
	if (names)
		g_ptr_array_unref(names);
}

/* ---- switches above switches ---- */

static void unknown_child(struct builder *b, const struct topo_item *i, const char *name)
{
	struct suggestion s;

	suggest_begin(&s, name);
	for (guint k = 0; k < b->p->items->len; k++)
		suggest_offer(&s, ((const struct topo_item *)b->p->items->pdata[k])->name);
	char *hint = suggest_hint(&s, "every name in Switches needs a line SwitchName=");
	diag_error(b->d, i->children_at.file, i->children_at.line, i->children_at.column, hint,
	           "switch %s: there is no switch %s below it", i->name, name);
	g_free(hint);
}

static void adopt(struct builder *b, guint k, const char *name)
{
	const struct topo_item *i = b->p->items->pdata[k];
	guint child = GPOINTER_TO_UINT(g_hash_table_lookup(b->by_name, name));

	if (!child) {
		unknown_child(b, i, name);
		return;
	}
	struct topo_unit *u = topology_unit(b->t, child - 1);
	if (child - 1 == k)
		diag_error(b->d, i->children_at.file, i->children_at.line, i->children_at.column, "take it out",
		           "switch %s is its own child", i->name);
	else if (u->parent != TOPO_NONE && u->parent != k)
		diag_warn(b->d, i->children_at.file, i->children_at.line, i->children_at.column, "list it once",
		          "switch %s is below %s already; %s is left out", name, topology_unit(b->t, u->parent)->name,
		          i->name);
	else
		u->parent = k;
}

static void add_children(struct builder *b, guint k)
{
	const struct topo_item *i = b->p->items->pdata[k];

	if (!i->children || !*i->children)
		return;
	if (i->nodes && b->p->children_ignored) {
		diag_warn(b->d, i->children_at.file, i->children_at.line, i->children_at.column,
		          "give it nodes or children", "switch %s has nodes: its children are ignored", i->name);
		return;
	}
	if (i->nodes) {
		diag_error(b->d, i->at.file, i->at.line, i->at.column, "a leaf has Nodes, the others have Switches",
		           "switch %s has both Nodes and Switches", i->name);
		return;
	}
	GPtrArray *names = expand(b, i->children, &i->children_at);
	for (guint n = 0; names && n < names->len; n++)
		adopt(b, k, names->pdata[n]);
	if (names)
		g_ptr_array_unref(names);
}

/* Levels from the leaves up. A chain of parents longer than there may be levels is a cycle or too deep. */
static void set_levels(struct builder *b)
{
	for (guint k = 0; k < b->t->units->len; k++) {
		const struct topo_item *i = b->p->items->pdata[k];
		uint32_t level = 0, up = k;

		while (level <= TOPO_LEVELS_MAX && (up = topology_unit(b->t, up)->parent) != TOPO_NONE) {
			struct topo_unit *u = topology_unit(b->t, up);
			level++;
			u->level = MAX(u->level, level);
		}
		if (level <= TOPO_LEVELS_MAX)
			continue;
		diag_error(b->d, i->at.file, i->at.line, i->at.column, "check the Switches lists",
		           "switch %s: a cycle, or more than %d levels of switches above it", i->name, TOPO_LEVELS_MAX);
		return;
	}
}

/* ---- blocks ---- */

static guint32 first_block_size(const struct builder *b)
{
	for (guint k = 0; k < b->t->units->len; k++)
		if (topology_unit(b->t, k)->members->len)
			return topology_unit(b->t, k)->members->len;
	return 1;
}

static void add_size(struct builder *b, guint32 size)
{
	guint32 level = 0, base = b->t->base_size;

	while (level < TOPO_BLOCK_LEVELS && (guint64)base << level < size)
		level++;
	if (level < TOPO_BLOCK_LEVELS && (guint64)base << level == size)
		b->t->levels |= 1u << level;
	else
		diag_error(b->d, b->p->sizes_at.file, b->p->sizes_at.line, b->p->sizes_at.column,
		           "the smallest, and 2, 4, 8 ... times it",
		           "invalid BlockSizes value: %u is not %u x 2^k with k <= %d", size, base,
		           TOPO_BLOCK_LEVELS - 1);
}

static void set_block_sizes(struct builder *b)
{
	if (!b->p->sizes->len) {
		b->t->base_size = first_block_size(b);
		b->t->levels = 0x1f;
		return;
	}
	b->t->base_size = g_array_index(b->p->sizes, guint32, 0);
	for (guint i = 1; i < b->p->sizes->len; i++)
		b->t->base_size = MIN(b->t->base_size, g_array_index(b->p->sizes, guint32, i));
	for (guint i = 0; i < b->p->sizes->len; i++)
		add_size(b, g_array_index(b->p->sizes, guint32, i));
	for (guint k = 0; k < b->t->units->len; k++) {
		const struct topo_item *i = b->p->items->pdata[k];
		guint n = topology_unit(b->t, k)->members->len;

		if (n < b->t->base_size)
			diag_warn(b->d, i->at.file, i->at.line, i->at.column, NULL,
			          "block %s has %u nodes, fewer than the base size %u", i->name, n, b->t->base_size);
	}
}

/* ---- tori ---- */

static void set_torus(struct builder *b, guint k)
{
	struct topo_item *i = b->p->items->pdata[k];
	struct topo_unit *u = topology_unit(b->t, k);
	guint64 size = (guint64)i->dim[0] * i->dim[1] * i->dim[2];

	u->x = i->dim[0];
	u->y = i->dim[1];
	u->z = i->dim[2];
	u->placements = g_steal_pointer(&i->placements);
	if (size != u->members->len)
		diag_error(b->d, i->at.file, i->at.line, i->at.column, "list the nodes x first, then y, then z",
		           "torus %s has %u nodes, but its dims are %u x %u x %u", i->name, u->members->len, u->x, u->y,
		           u->z);
	for (guint n = 0; u->placements && n < u->placements->len; n++) {
		const struct topo_placement *q = &g_array_index(u->placements, struct topo_placement, n);
		for (int a = 0; a < 3; a++)
			if (q->dim[a] < 1 || q->dim[a] > i->dim[a] || q->seed[a] >= i->dim[a])
				diag_error(b->d, i->at.file, i->at.line, i->at.column, "a box inside the torus",
				           "torus %s: placement %u does not fit into it", i->name, n + 1);
	}
}

/* ---- all together ---- */

static void check_coverage(struct builder *b)
{
	guint all = b->c->pending_nodes->len, in = g_hash_table_size(b->member);

	if (b->unknown > 20)
		diag_warn(b->d, b->p->at.file, 0, 0, NULL, "%u unknown nodes in all are left out", b->unknown);
	if (b->p->items->len && in < all)
		diag_warn(b->d, b->p->at.file, 0, 0, "a job can never span them and others",
		          b->p->kind == TOPOLOGY_TREE ? "switches lack access to %u nodes" : "%u nodes are in no unit",
		          all - in);
}

static void build_all(struct builder *b)
{
	enter_names(b);
	for (guint k = 0; k < b->p->items->len; k++) {
		add_nodes(b, k);
		if (b->p->kind == TOPOLOGY_TREE)
			add_children(b, k);
		if (b->p->kind == TOPOLOGY_TORUS)
			set_torus(b, k);
	}
	if (b->p->kind == TOPOLOGY_TREE)
		set_levels(b);
	if (b->p->kind == TOPOLOGY_BLOCK)
		set_block_sizes(b);
	check_coverage(b);
}

struct topology *topo_plan_build(struct topo_plan *p, struct cluster *c, struct diag *d)
{
	struct builder b = {.p = p, .c = c, .d = d, .t = topology_new(p->name, p->kind)};
	guint before = d->n_errors;

	b.by_name = g_hash_table_new(g_str_hash, g_str_equal);
	b.member = g_hash_table_new(g_direct_hash, g_direct_equal);
	if (p->items->len == 0 && p->kind != TOPOLOGY_FLAT)
		diag_error(d, p->at.file, p->at.line, p->at.column, NULL, "topology %s has no %s", p->name,
		           word_for(p->kind));
	build_all(&b);
	g_hash_table_unref(b.by_name);
	g_hash_table_unref(b.member);
	if (d->n_errors == before)
		return b.t;
	topology_free(b.t);
	return NULL;
}
