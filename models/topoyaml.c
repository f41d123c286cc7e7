/* topoyaml.c - topology.yaml as lists of switches, blocks, rings or tori; see topoconf.h. */
#include "models/conflex.h"
#include "models/topobuild.h"
#include "models/yamltree.h"
#include <string.h>

struct topoyaml {
	const char *name;
	struct diag *d;
	struct cluster *c;
	GPtrArray *plans; /* of struct topo_plan * */
	int first;        /* place of the default one; -1 = none says so */
};

static struct topo_place place(const struct topoyaml *r, const struct yaml *y)
{
	return (struct topo_place){r->name, y->line, y->column};
}

static void G_GNUC_PRINTF(4, 5) bad(struct topoyaml *r, const struct yaml *y, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = g_strdup_vprintf(format, args);
	va_end(args);
	diag_error(r->d, r->name, y->line, y->column, hint, "%s", text);
	g_free(text);
}

/* All keys of a map must be among KNOWN ("a,b,c"). False when it is no map. */
static bool check_map(struct topoyaml *r, const struct yaml *y, const char *known)
{
	if (y->type != YAML_MAP) {
		bad(r, y, known, "want a map of keys and values");
		return false;
	}
	char **list = g_strsplit(known, ",", -1);
	for (guint i = 0; i < y->kids->len; i++) {
		const struct yaml *k = y->kids->pdata[i];
		char *shown = conflex_show(k->key);

		if (!g_strv_contains((const char *const *)list, k->key))
			diag_error(r->d, r->name, k->key_line, k->key_column, known, "unknown key %s", shown);
		g_free(shown);
	}
	g_strfreev(list);
	return true;
}

/* A scalar member; NULL when it is missing, or after an error. */
static const struct yaml *scalar(struct topoyaml *r, const struct yaml *map, const char *key, bool must)
{
	const struct yaml *y = yaml_get(map, key);

	if (!y && must)
		bad(r, map, NULL, "%s is missing", key);
	if (y && (y->type != YAML_SCALAR || !*y->text)) {
		bad(r, y, NULL, "%s: want a word", key);
		return NULL;
	}
	return y;
}

static const struct yaml *sequence(struct topoyaml *r, const struct yaml *map, const char *key)
{
	const struct yaml *y = yaml_get(map, key);

	if (!y)
		bad(r, map, NULL, "%s is missing", key);
	else if (y->type != YAML_SEQ)
		bad(r, y, "lines that begin with -", "%s: want a list", key);
	return y && y->type == YAML_SEQ ? y : NULL;
}

static bool number(struct topoyaml *r, const struct yaml *y, guint32 min, guint32 *out)
{
	guint64 n;

	if (y->type != YAML_SCALAR || !g_ascii_string_to_unsigned(y->text, 10, min, 1u << 20, &n, NULL)) {
		bad(r, y, "a whole number", "bad number");
		return false;
	}
	*out = (guint32)n;
	return true;
}

static void keep_list(struct topoyaml *r, const struct yaml *map, const char *key, char **text, struct topo_place *at)
{
	const struct yaml *y = scalar(r, map, key, false);

	if (!y)
		return;
	*text = g_strdup(y->text);
	*at = place(r, y);
}

/* ---- units ---- */

static bool room(struct topoyaml *r, const struct topo_plan *p, const struct yaml *y)
{
	if (p->items->len < TOPO_UNITS_MAX)
		return true;
	if (p->items->len == TOPO_UNITS_MAX && r->d->n_errors == 0)
		bad(r, y, NULL, "more than %u units", TOPO_UNITS_MAX);
	return false;
}

static struct topo_item *unit(struct topoyaml *r, struct topo_plan *p, const struct yaml *y, const char *key,
                              const char *known)
{
	if (!check_map(r, y, known) || !room(r, p, y))
		return NULL;
	const struct yaml *name = scalar(r, y, key, true);
	if (!name)
		return NULL;
	struct topo_item *i = topo_plan_add(p, name->text, place(r, name));
	keep_list(r, y, "nodes", &i->nodes, &i->nodes_at);
	keep_list(r, y, "children", &i->children, &i->children_at);
	return i;
}

static void read_tree(struct topoyaml *r, struct topo_plan *p, const struct yaml *y)
{
	const struct yaml *list = check_map(r, y, "switches") ? sequence(r, y, "switches") : NULL;

	p->children_ignored = true;
	for (guint i = 0; list && i < list->kids->len; i++)
		unit(r, p, list->kids->pdata[i], "switch", "switch,nodes,children");
}

static void read_block(struct topoyaml *r, struct topo_plan *p, const struct yaml *y)
{
	if (!check_map(r, y, "block_sizes,blocks"))
		return;
	const struct yaml *list = sequence(r, y, "blocks"), *sizes = yaml_get(y, "block_sizes");
	for (guint i = 0; list && i < list->kids->len; i++)
		unit(r, p, list->kids->pdata[i], "block", "block,nodes");
	if (!sizes)
		return;
	p->sizes_at = place(r, sizes);
	guint32 n;
	if (sizes->type != YAML_SEQ)
		bad(r, sizes, "such as [4, 16]", "block_sizes: want a list");
	for (guint i = 0; sizes->type == YAML_SEQ && i < sizes->kids->len; i++)
		if (number(r, sizes->kids->pdata[i], 1, &n))
			g_array_append_val(p->sizes, n);
}

static void read_ring(struct topoyaml *r, struct topo_plan *p, const struct yaml *y)
{
	const struct yaml *list = check_map(r, y, "rings") ? sequence(r, y, "rings") : NULL;

	for (guint i = 0; list && i < list->kids->len; i++)
		unit(r, p, list->kids->pdata[i], "ring", "ring,nodes");
}

/* x, y and z of a map; a missing one stays as it is. */
static void three(struct topoyaml *r, const struct yaml *y, guint32 min, guint32 *out)
{
	static const char *const axis[] = {"x", "y", "z"};

	if (!y || !check_map(r, y, "x,y,z"))
		return;
	for (int a = 0; a < 3; a++) {
		const struct yaml *n = yaml_get(y, axis[a]);
		if (n)
			number(r, n, min, &out[a]);
	}
}

static gint by_size(gconstpointer a, gconstpointer b)
{
	const struct topo_placement *p = a, *q = b;
	guint64 m = (guint64)p->dim[0] * p->dim[1] * p->dim[2], n = (guint64)q->dim[0] * q->dim[1] * q->dim[2];

	return m < n ? -1 : m > n;
}

static void read_placement(struct topoyaml *r, struct topo_item *i, const struct yaml *y)
{
	struct topo_placement p = {.dim = {1, 1, 1}};

	if (!check_map(r, y, "dims,anchor_seed,anchor_spacing"))
		return;
	three(r, yaml_get(y, "dims"), 1, p.dim);
	three(r, yaml_get(y, "anchor_seed"), 0, p.seed);
	memcpy(p.spacing, p.dim, sizeof p.dim);
	three(r, yaml_get(y, "anchor_spacing"), 1, p.spacing);
	g_array_append_val(i->placements, p);
}

static void read_torus(struct topoyaml *r, struct topo_plan *p, const struct yaml *y)
{
	const struct yaml *list = check_map(r, y, "toruses") ? sequence(r, y, "toruses") : NULL;

	for (guint i = 0; list && i < list->kids->len; i++) {
		const struct yaml *t = list->kids->pdata[i];
		struct topo_item *item = unit(r, p, t, "name", "name,dims,nodes,regions,placements");
		const struct yaml *boxes = item ? sequence(r, t, "placements") : NULL;

		if (!item)
			continue;
		if (yaml_get(t, "regions"))
			bad(r, yaml_get(t, "regions"), "list all nodes under nodes", "regions are not modelled");
		item->dim[0] = item->dim[1] = item->dim[2] = 1;
		three(r, yaml_get(t, "dims"), 1, item->dim);
		item->placements = g_array_new(FALSE, FALSE, sizeof(struct topo_placement));
		for (guint k = 0; boxes && k < boxes->kids->len; k++)
			read_placement(r, item, boxes->kids->pdata[k]);
		g_array_sort(item->placements, by_size);
	}
}

/* ---- topologies ---- */

static const struct {
	const char *key;
	enum topology_kind kind;
	void (*read)(struct topoyaml *r, struct topo_plan *p, const struct yaml *y);
} kinds[] = {
    {"flat", TOPOLOGY_FLAT, NULL},      {"tree", TOPOLOGY_TREE, read_tree},      {"block", TOPOLOGY_BLOCK, read_block},
    {"ring", TOPOLOGY_RING, read_ring}, {"torus3d", TOPOLOGY_TORUS, read_torus},
};

static void one_topology(struct topoyaml *r, const struct yaml *y)
{
	const struct yaml *name, *is_default, *body = NULL;
	gsize kind = 0;

	if (!check_map(r, y, "topology,cluster_default,flat,tree,block,ring,torus3d") ||
	    !(name = scalar(r, y, "topology", true)))
		return;
	for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
		const struct yaml *found = yaml_get(y, kinds[k].key);
		if (found && body)
			bad(r, found, "make two topologies of it", "topology %s is of two kinds", name->text);
		if (found) {
			body = found;
			kind = k;
		}
	}
	if (!body) {
		bad(r, y, "flat, tree, block, ring or torus3d", "topology %s is of no kind", name->text);
		return;
	}
	for (guint i = 0; i < r->plans->len; i++)
		if (strcmp(((struct topo_plan *)r->plans->pdata[i])->name, name->text) == 0)
			bad(r, name, "give each a name of its own", "topology %s is defined twice", name->text);
	struct topo_plan *p = topo_plan_new(name->text, kinds[kind].kind);
	p->at = place(r, name);
	if (kinds[kind].read)
		kinds[kind].read(r, p, body);
	is_default = scalar(r, y, "cluster_default", false);
	if (is_default && g_ascii_strcasecmp(is_default->text, "true") == 0 && r->first < 0)
		r->first = (int)r->plans->len;
	g_ptr_array_add(r->plans, p);
}

static void build_all(struct topoyaml *r)
{
	for (guint i = 0; i < r->plans->len; i++) {
		struct topology *t = topo_plan_build(r->plans->pdata[i], r->c, r->d);
		if (t)
			g_ptr_array_insert(r->c->topologies, (int)i == r->first ? 0 : -1, t);
	}
}

void topoyaml_read_text(struct cluster *c, const char *text, const char *name, struct diag *d)
{
	struct topoyaml r = {.name = name, .d = d, .c = c, .first = -1};
	guint before = d->n_errors;
	struct yaml *y = yaml_parse(text, name, d);

	r.plans = g_ptr_array_new_with_free_func(topo_plan_free);
	if (y && y->type != YAML_SEQ)
		bad(&r, y, "begin each with - topology: NAME", "want a list of topologies");
	for (guint i = 0; y && y->type == YAML_SEQ && i < y->kids->len; i++)
		one_topology(&r, y->kids->pdata[i]);
	if (y && y->type == YAML_SEQ)
		build_all(&r);
	if (d->n_errors > before)
		g_ptr_array_set_size(c->topologies, 0);
	g_ptr_array_unref(r.plans);
	yaml_free(y);
}

void topoyaml_read(struct cluster *c, const char *path, struct diag *d)
{
	GError *error = NULL;
	char *text = conflex_load(path, CONFLEX_FILE_MAX, &error);

	if (text) {
		topoyaml_read_text(c, text, path, d);
	} else {
		diag_error(d, path, 0, 0, NULL, "%s", error->message);
		g_error_free(error);
	}
	g_free(text);
}
