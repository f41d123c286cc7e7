/* confsets.c - NodeSet lines, and the node lists of partitions (spec slurm-conf.md sections 2, 4 and 6). */
#include "models/confread.h"
#include "models/suggest.h"
#include "sched/base/hostlist.h"
#include <string.h>

enum { S_NODES, S_FEATURE, S_KEYS };
static const struct line_key set_keys[] = {{"Nodes", S_NODES}, {"Feature", S_FEATURE}, {NULL, 0}};

static void unknown_node(struct conf_reader *r, const struct conf_pair *p, const char *what, const char *name)
{
	struct suggestion s;
	GHashTableIter it;
	gpointer known;
	guint tried = 0;

	suggest_begin(&s, name);
	g_hash_table_iter_init(&it, r->node_sets);
	while (g_hash_table_iter_next(&it, &known, NULL))
		suggest_offer(&s, known);
	for (guint i = 0; i < r->c->pending_nodes->len && tried++ < 1000; i++)
		suggest_offer(&s, ((const struct node *)g_ptr_array_index(r->c->pending_nodes, i))->name);
	char *hint = suggest_hint(&s, "want a NodeName, a NodeSet or ALL");
	char *shown = conflex_show(name);
	diag_error(r->d, p->file, p->value_line, p->value_column, hint, "%s: unknown node \"%s\"", what, shown);
	g_free(shown);
	g_free(hint);
}

static void add_feature_nodes(struct conf_reader *r, const char *feature, GPtrArray *to)
{
	for (guint i = 0; i < r->c->pending_nodes->len; i++) {
		const struct node *n = g_ptr_array_index(r->c->pending_nodes, i);

		if (g_strv_contains((const char *const *)n->config->features, feature))
			g_ptr_array_add(to, g_strdup(n->name));
	}
}

static void set_line(struct conf_reader *r, const struct conf_line *line)
{
	const struct conf_pair *name = &line->pair[0], *v[S_KEYS] = {NULL};

	conf_line_values(r, line, set_keys, "NodeSet", v);
	if (g_hash_table_contains(r->nodes, name->value) || g_hash_table_contains(r->node_sets, name->value)) {
		conf_error(r, name, "choose another name", "NodeSet %s: a node or NodeSet of this name exists",
		           name->value);
		return;
	}
	GPtrArray *members = g_ptr_array_new_with_free_func(g_free);
	GPtrArray *names = v[S_NODES] ? conf_expand(r, v[S_NODES], v[S_NODES]->value) : NULL;
	for (guint i = 0; names && i < names->len; i++) {
		const char *node = g_ptr_array_index(names, i);

		if (g_ascii_strcasecmp(node, "ALL") == 0 || g_hash_table_contains(r->nodes, node))
			g_ptr_array_add(members, g_strdup(node));
		else
			unknown_node(r, v[S_NODES], "NodeSet", node);
	}
	if (names)
		g_ptr_array_unref(names);
	if (v[S_FEATURE])
		add_feature_nodes(r, v[S_FEATURE]->value, members);
	if (!v[S_NODES] && !v[S_FEATURE])
		conf_error(r, name, "give Nodes= or Feature=", "NodeSet %s is empty", name->value);
	g_hash_table_insert(r->node_sets, name->value, members);
}

void conf_read_node_sets(struct conf_reader *r)
{
	for (guint i = 0; i < r->set_lines->len; i++)
		set_line(r, g_ptr_array_index(r->set_lines, i));
}

static void append_name(GString *list, const char *name)
{
	if (list->len)
		g_string_append_c(list, ',');
	g_string_append(list, name);
}

/* The plain list of partition P: NodeSets replaced by their nodes, ALL kept. g_free. */
static char *plain_list(struct conf_reader *r, const struct partition *p, const struct conf_pair *at)
{
	GString *list = g_string_new(NULL);
	GPtrArray *names = conf_expand(r, at, p->nodes_text);

	for (guint i = 0; names && i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		const GPtrArray *set = g_hash_table_lookup(r->node_sets, name);

		if (set && set->len > r->names_left) {
			conf_error(r, at, NULL, "more than %d node names in all lists", 10 * HOSTLIST_MAX);
			break;
		}
		if (set) {
			r->names_left -= set->len;
			for (guint k = 0; k < set->len; k++)
				append_name(list, g_ptr_array_index(set, k));
		} else if (g_ascii_strcasecmp(name, "ALL") == 0 || g_hash_table_contains(r->nodes, name)) {
			append_name(list, name);
		} else {
			unknown_node(r, at, p->name, name);
		}
	}
	if (names)
		g_ptr_array_unref(names);
	return g_string_free(list, FALSE);
}

GPtrArray *conf_resolve_partitions(struct conf_reader *r)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < r->c->partitions->len; i++) {
		struct partition *p = g_ptr_array_index(r->c->partitions, i);
		char *plain = plain_list(r, p, g_ptr_array_index(r->nodes_pairs, i));

		g_ptr_array_add(texts, p->nodes_text);
		p->nodes_text = plain;
	}
	return texts;
}

void conf_restore_texts(struct conf_reader *r, GPtrArray *texts)
{
	for (guint i = 0; i < texts->len; i++) {
		struct partition *p = g_ptr_array_index(r->c->partitions, i);

		g_free(p->nodes_text);
		p->nodes_text = g_strdup(g_ptr_array_index(texts, i));
	}
	g_ptr_array_unref(texts);
}
