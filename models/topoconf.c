/* topoconf.c - the lines of topology.conf; see topoconf.h. */
#include "models/topoconf.h"
#include "models/conflex.h"
#include "models/topobuild.h"
#include <string.h>

enum { T_SWITCH, T_BLOCK, T_RING, T_NODES, T_SWITCHES, T_SPEED, T_SIZES, T_KEYS };
#define KNOWN "SwitchName, Nodes, Switches, LinkSpeed; BlockName, BlockSizes; RingName are known"
static const struct conf_line_key keys[] = {{"SwitchName", T_SWITCH}, {"BlockName", T_BLOCK}, {"RingName", T_RING},   {"Nodes", T_NODES},
            {"Switches", T_SWITCHES}, {"LinkSpeed", T_SPEED}, {"BlockSizes", T_SIZES}};

struct topoconf {
	struct topo_plan *plan;
	struct diag *d;
	enum topology_kind kind; /* wanted; FLAT = that of the first line */
	GPtrArray *lines;        /* of struct conf_line *, kept for messages */
	bool full;
};

static struct topo_place place(const struct conf_pair *p)
{
	return (struct topo_place){p->file, p->line, p->column};
}

static struct topo_place value_place(const struct conf_pair *p)
{
	return (struct topo_place){p->file, p->value_line, p->value_column};
}

static void read_sizes(struct topoconf *r, const struct conf_pair *p)
{
	char **list = g_strsplit(p->value, ",", 64);

	r->plan->sizes_at = value_place(p);
	g_array_set_size(r->plan->sizes, 0);
	for (char **s = list; *s; s++) {
		guint64 size;

		if (g_ascii_string_to_unsigned(g_strstrip(*s), 10, 1, 1u << 20, &size, NULL)) {
			guint32 n = (guint32)size;
			g_array_append_val(r->plan->sizes, n);
		} else {
			diag_error(r->d, p->file, p->value_line, p->value_column, "numbers such as 4,16",
			           "bad BlockSizes value \"%s\"", *s);
		}
	}
	g_strfreev(list);
}

static const char *kind_word(enum topology_kind kind)
{
	return kind == TOPOLOGY_TREE ? "SwitchName" : kind == TOPOLOGY_BLOCK ? "BlockName" : "RingName";
}

/* Is the line of the kind that the file is? */
static bool right_kind(struct topoconf *r, const struct conf_pair *p, enum topology_kind kind)
{
	if (r->kind == TOPOLOGY_FLAT)
		r->kind = kind;
	if (r->kind == kind)
		return true;
	diag_error(r->d, p->file, p->line, p->column, "one file holds one kind of topology",
	           "%s among %s lines (or TopologyPlugin says otherwise)", p->key, kind_word(r->kind));
	return false;
}

static void add_unit(struct topoconf *r, const struct conf_pair *name, enum topology_kind kind,
                     const struct conf_pair **v)
{
	if (!right_kind(r, name, kind))
		return;
	if (r->plan->items->len >= TOPO_UNITS_MAX) {
		if (!r->full)
			diag_error(r->d, name->file, name->line, name->column, NULL, "more than %u lines",
			           TOPO_UNITS_MAX);
		r->full = true;
		return;
	}
	struct topo_item *i = topo_plan_add(r->plan, name->value, place(name));
	if (v[T_NODES]) {
		i->nodes = g_strdup(v[T_NODES]->value);
		i->nodes_at = value_place(v[T_NODES]);
	}
	if (!v[T_SWITCHES])
		return;
	if (kind != TOPOLOGY_TREE)
		diag_error(r->d, v[T_SWITCHES]->file, v[T_SWITCHES]->line, v[T_SWITCHES]->column, "take it out",
		           "Switches on a %s line", name->key);
	i->children = g_strdup(v[T_SWITCHES]->value);
	i->children_at = value_place(v[T_SWITCHES]);
}

static void take_line(struct conf_line *line, void *data)
{
	struct topoconf *r = data;
	const struct conf_pair *v[T_KEYS] = {NULL}, *first = &line->pair[0];
	static const enum topology_kind kinds[] = {TOPOLOGY_TREE, TOPOLOGY_BLOCK, TOPOLOGY_RING};
	guint before = r->d->n_errors;
	bool named = false;

	g_ptr_array_add(r->lines, line);
	conf_line_collect(line, keys, G_N_ELEMENTS(keys), "topology.conf",
	                  KNOWN, v, r->d);
	for (int k = T_SWITCH; k <= T_RING; k++)
		if (v[k]) {
			add_unit(r, v[k], kinds[k], v);
			named = true;
		}
	if (v[T_SIZES] && right_kind(r, v[T_SIZES], TOPOLOGY_BLOCK))
		read_sizes(r, v[T_SIZES]);
	if (!named && !v[T_SIZES] && r->d->n_errors == before)
		diag_error(r->d, first->file, first->line, first->column,
		           "begin with SwitchName, BlockName or RingName", "the line names no switch, block or ring");
}

static void free_line(void *line)
{
	conf_line_free(line);
}

static void read_all(struct cluster *c, const char *path, const char *text, enum topology_kind kind, struct diag *d)
{
	guint before = d->n_errors;
	struct topoconf r = {.plan = topo_plan_new("default", kind), .d = d, .kind = kind};

	r.lines = g_ptr_array_new_with_free_func(free_line);
	r.plan->at = (struct topo_place){path, 0, 0};
	if (text)
		conflex_text(text, path, take_line, &r, d);
	else
		conflex_file(path, take_line, &r, d);
	r.plan->kind = r.kind == TOPOLOGY_FLAT ? TOPOLOGY_TREE : r.kind;
	bool unreadable = r.plan->items->len == 0 && d->n_errors > before;
	struct topology *t = unreadable ? NULL : topo_plan_build(r.plan, c, d);
	if (t && d->n_errors == before)
		g_ptr_array_add(c->topologies, t);
	else
		topology_free(t);
	topo_plan_free(r.plan);
	g_ptr_array_unref(r.lines);
}

void topoconf_read(struct cluster *c, const char *path, enum topology_kind kind, struct diag *d)
{
	read_all(c, path, NULL, kind, d);
}

void topoconf_read_text(struct cluster *c, const char *text, const char *name, enum topology_kind kind, struct diag *d)
{
	read_all(c, name, text, kind, d);
}
