/* greshardware.c - see greshardware.h. */
#include "models/greshardware.h"
#include "models/nodemodel.h"
#include "sched/base/hostlist.h"
#include <stdlib.h>
#include <string.h>

void gres_model_of_free(void *data)
{
	struct gres_model_of *m = data;

	g_free(m->nodes);
	g_free(m->path);
	g_free(m);
}

struct adding {
	struct gres_file *f;
	const struct cluster *c;
	struct diag *d;
	GHashTable *model_of; /* node name -> struct node_model *: named */
	GPtrArray *models;    /* all that were loaded; owned */
	GPtrArray *guesses;   /* of the folder; NULL = not loaded */
	GHashTable *told;     /* guesses told */
	GString *lines;
};

static void model_free(void *m)
{
	node_model_free(m);
}

static void load_named(struct adding *a, const struct gres_hardware *hw)
{
	for (guint i = 0; hw->named && i < hw->named->len; i++) {
		const struct gres_model_of *m = hw->named->pdata[i];
		struct node_model *model = node_model_load(m->path, a->d);
		GError *error = NULL;
		gint64 n = hostlist_count(m->nodes, &error);
		GPtrArray *names = n >= 0 && n <= HOSTLIST_MAX ? hostlist_expand(m->nodes, &error) : NULL;

		if (!names) {
			diag_error(a->d, NULL, 0, 0, NULL, "hardware \"%.60s\": %s", m->nodes,
			           error ? error->message : "too many nodes");
			g_clear_error(&error);
		}
		if (model)
			g_ptr_array_add(a->models, model);
		for (guint k = 0; names && model && k < names->len; k++)
			g_hash_table_replace(a->model_of, g_strdup(names->pdata[k]), model);
		if (names)
			g_ptr_array_unref(names);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct node_model *const *)a)->name, (*(struct node_model *const *)b)->name);
}

/* A broken file in the folder of models is no matter of this cluster. */
static void load_folder(struct adding *a, const char *folder)
{
	GDir *dir = folder ? g_dir_open(folder, 0, NULL) : NULL;
	const char *name;

	a->guesses = g_ptr_array_new();
	while (dir && (name = g_dir_read_name(dir))) {
		char *path = g_build_filename(folder, name, NULL);
		struct diag *quiet = diag_new();
		struct node_model *m = g_str_has_suffix(name, ".json") ? node_model_load(path, quiet) : NULL;

		if (m) {
			g_ptr_array_add(a->models, m);
			g_ptr_array_add(a->guesses, m);
		}
		diag_free(quiet);
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
	if (a->guesses->len)
		qsort(a->guesses->pdata, a->guesses->len, sizeof(void *), by_name);
}

/* ---- does a model fit? ---- */

static const struct node_gres *gpus_of(const struct node_config *k)
{
	for (uint32_t i = 0; i < k->n_gres; i++)
		if (strcmp(k->gres[i].name, "gpu") == 0)
			return &k->gres[i];
	return NULL;
}

static bool same_shape(const struct node_model *m, const struct node_config *k)
{
	return m->total_cores == k->cores && m->boards * m->sockets_per_board == k->sockets;
}

static bool holds(const char *text, const char *part)
{
	char *a = g_ascii_strdown(text, -1), *b = g_ascii_strdown(part, -1);
	bool found = *b && strstr(a, b);

	g_free(a);
	g_free(b);
	return found;
}

static bool type_fits(const struct node_model *m, const char *type)
{
	return !type || holds(m->gpu[0].type, type) || holds(m->gpu[0].gres_type, type) ||
	       holds(type, m->gpu[0].gres_type);
}

static bool same_lines(const struct node_model *a, const struct node_model *b)
{
	char *x = g_strjoinv("\n", a->gres_conf), *y = g_strjoinv("\n", b->gres_conf);
	bool same = strcmp(x, y) == 0;

	g_free(x);
	g_free(y);
	return same;
}

/* The only model, up to equal lines, that fits; NULL. */
static const struct node_model *guess(const struct adding *a, const struct node_config *k)
{
	const struct node_gres *g = gpus_of(k);
	const struct node_model *found = NULL;

	if (g->n_groups != 1)
		return NULL;
	for (guint i = 0; i < a->guesses->len; i++) {
		const struct node_model *m = a->guesses->pdata[i];

		if (!m->n_gpus || m->n_gpus != g->count || !same_shape(m, k) || !type_fits(m, g->group[0].type))
			continue;
		if (found && !same_lines(found, m))
			return NULL;
		if (!found)
			found = m;
	}
	return found;
}

/* ---- lines ---- */

/* A model's line for nodes whose Gres= has another word for the type. g_free. */
static char *line_for(const char *line, const char *type)
{
	const char *at = strstr(line, "Type=");
	gsize n = at ? strcspn(at, " \t") : 0;

	if (!at)
		return g_strdup(line);
	return g_strdup_printf("%.*s%s%s%s", (int)(at - line), line, type ? "Type=" : "", type ? type : "", at + n);
}

static bool has_gpu_line(const struct gres_file *f, const GArray *list)
{
	for (guint i = 0; list && i < list->len; i++)
		if (strcmp(((const struct gres_record *)f->records->pdata[g_array_index(list, guint, i)])->name,
		           "gpu") == 0)
			return true;
	return false;
}

static bool detected(const struct adding *a, const char *node)
{
	const char *word = g_hash_table_lookup(a->f->detect, node);

	if (!word)
		word = a->f->global_detect;
	return word && strcmp(word, "off");
}

static void add_lines(struct adding *a, const struct node *n, const struct node_model *m)
{
	const struct node_gres *g = gpus_of(n->config);

	for (char **l = m->gres_conf; *l; l++) {
		char *line = line_for(*l, g->n_groups == 1 ? g->group[0].type : m->gpu[0].gres_type);

		if (strstr(line, "Name=gpu"))
			g_string_append_printf(a->lines, "NodeName=%s %s\n", n->name, line);
		g_free(line);
	}
}

static void tell_guess(struct adding *a, const struct node *n, const struct node_model *m)
{
	char *key = g_strdup_printf("%u %s", n->config->index, m->name);

	if (g_hash_table_add(a->told, key))
		diag_warn(a->d, "gres.conf", 0, 0,
		          "name the model in \"hardware\" of the scenario if it is another one",
		          "AutoDetect: devices of node %s and its like are taken from the hardware model %s (a guess "
		          "by shape and type)",
		          n->name, m->name);
}

static void take_node(struct adding *a, const struct node *n, const struct gres_hardware *hw)
{
	const struct node_model *m = g_hash_table_lookup(a->model_of, n->name);

	if (!gpus_of(n->config) || has_gpu_line(a->f, g_hash_table_lookup(a->f->by_node, n->name)) ||
	    has_gpu_line(a->f, a->f->global))
		return;
	if (m && !same_shape(m, n->config)) {
		diag_error(a->d, NULL, 0, 0, "name another model, or correct the node's line",
		           "hardware model %s has %u cores in %u sockets, node %s %u in %u", m->name, m->total_cores,
		           m->boards * m->sockets_per_board, n->name, n->config->cores, n->config->sockets);
		return;
	}
	if (!m && detected(a, n->name)) {
		if (!a->guesses)
			load_folder(a, hw->folder);
		m = guess(a, n->config);
		if (m)
			tell_guess(a, n, m);
	}
	if (m && m->n_gpus)
		add_lines(a, n, m);
}

void greshardware_add(struct gres_file *f, const struct cluster *c, const struct gres_hardware *hw, char **gres_types,
                      struct diag *d)
{
	struct adding a = {.f = f, .c = c, .d = d, .lines = g_string_new(NULL)};

	a.models = g_ptr_array_new_with_free_func(model_free);
	a.model_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	a.told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	load_named(&a, hw);
	for (guint i = 0; i < c->pending_nodes->len && d->n_errors < DIAG_SHOWN; i++)
		take_node(&a, c->pending_nodes->pdata[i], hw);
	if (a.lines->len)
		gres_file_append(f, a.lines->str, "(hardware model)", gres_types, d);
	g_string_free(a.lines, TRUE);
	if (a.guesses)
		g_ptr_array_unref(a.guesses);
	g_ptr_array_unref(a.models);
	g_hash_table_unref(a.model_of);
	g_hash_table_unref(a.told);
}
