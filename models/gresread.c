/* gresread.c - read the lines of gres.conf (spec slurm-conf.md 7.1). */
#include "models/gresread.h"
#include "models/confread.h"
#include "models/gresconf.h"
#include "sched/base/hostlist.h"
#include "sched/base/memsize.h"
#include <string.h>

enum gres_key { G_NODES, G_NAME, G_TYPE, G_COUNT, G_FILE, G_MULTIPLE, G_CORES, G_LINKS, G_FLAGS, G_DETECT, G_KEYS };
#define KNOWN "NodeName, Name, Type, Count, File, MultipleFiles, Cores, Links, Flags and AutoDetect are known"
static const struct conf_line_key keys[] = {
    {"NodeName", G_NODES},
    {"Name", G_NAME},
    {"Type", G_TYPE},
    {"Count", G_COUNT},
    {"File", G_FILE},
    {"Files", G_FILE},
    {"MultipleFiles", G_MULTIPLE},
    {"Cores", G_CORES},
    {"CPUs", G_CORES},
    {"Links", G_LINKS},
    {"Link", G_LINKS},
    {"Flags", G_FLAGS},
    {"AutoDetect", G_DETECT},
};

struct gres_reader {
	struct gres_file *f;
	struct diag *d;
	char **types;
	GHashTable *contents; /* canonical text -> id + 1 */
	guint64 names_left;
	bool full;
};

static void at(struct gres_reader *r, const struct conf_pair *p, bool error, const char *hint, const char *text)
{
	if (error)
		diag_error(r->d, p->file, p->line, p->column, hint, "%s", text);
	else
		diag_warn(r->d, p->file, p->line, p->column, hint, "%s", text);
}

static void record_free(void *data)
{
	struct gres_record *r = data;

	g_free(r->name);
	g_free(r->type);
	g_free(r->cores);
	g_free(r->links);
	g_free(r->devices);
	g_ref_string_release(r->file);
	g_free(r);
}

static void index_array_free(void *data)
{
	g_array_free(data, TRUE);
}

void gres_file_free(struct gres_file *f)
{
	g_ptr_array_unref(f->records);
	g_array_free(f->global, TRUE);
	g_hash_table_unref(f->by_node);
	g_hash_table_unref(f->detect);
	g_hash_table_unref(f->contents);
	g_free(f->global_detect);
	g_free(f);
}

static bool is_shared(const char *name)
{
	return g_str_equal(name, "mps") || g_str_equal(name, "shard");
}

/* Number of devices that File or MultipleFiles stands for; 0 = none given or an error. */
static guint32 count_files(struct gres_reader *r, const struct conf_pair **v)
{
	const struct conf_pair *p = v[G_FILE] ? v[G_FILE] : v[G_MULTIPLE];
	GError *error = NULL;

	if (!p)
		return 0;
	if (v[G_FILE] && v[G_MULTIPLE])
		at(r, v[G_MULTIPLE], true, "give one of them", "File and MultipleFiles on one line");
	gint64 n = hostlist_count(p->value, &error);
	if (n < 0) {
		diag_error(r->d, p->file, p->value_line, p->value_column, NULL, "bad list of files: %s",
		           error->message);
		g_error_free(error);
		return 0;
	}
	if (p == v[G_MULTIPLE] && n < 2)
		at(r, p, true, "use File for a single one", "MultipleFiles needs at least two files");
	if (n > GRES_DEVICES_MAX)
		at(r, p, true, "at most 1024", "too many devices on one line");
	return p == v[G_MULTIPLE] ? 1 : (guint32)CLAMP(n, 1, GRES_DEVICES_MAX);
}

static void set_count(struct gres_reader *r, const struct conf_pair **v, struct gres_record *g)
{
	guint32 files = count_files(r, v);
	uint64_t count = files ? files : 1;

	if (v[G_COUNT] && (!count_parse(v[G_COUNT]->value, &count) || count > G_MAXUINT32 - 2)) {
		at(r, v[G_COUNT], true, "a number, with K, M, G, T or P for powers of 1024; below 4294967294",
		   "bad Count");
		count = files ? files : 1;
	}
	g->files = files > 0 && !g->shared;
	if (g->files && count != files)
		at(r, v[G_COUNT], true, "leave Count out, or make them equal",
		   "Count differs from the number of files");
	g->count = g->files ? files : (guint32)count;
}

/* The Links of a line, checked; NULL when none or ignored. */
static char *take_links(struct gres_reader *r, const struct conf_pair *p, const struct gres_record *g)
{
	if (!p)
		return NULL;
	char **part = g_strsplit(p->value, ",", GRES_DEVICES_MAX + 1);
	bool good = g_strv_length(part) <= GRES_DEVICES_MAX;

	for (char **s = part; good && *s; s++) {
		gint64 v;
		good = g_ascii_string_to_signed(g_strstrip(*s), 10, -2, 65535, &v, NULL);
	}
	g_strfreev(part);
	if (!good)
		at(r, p, false, "numbers of links, -1 for the device itself", "bad Links are ignored");
	else if (!g->files || g->count != 1)
		at(r, p, false, "write a line for each device", "Links go with a single device: ignored");
	else
		return g_strdup(p->value);
	return NULL;
}

static void check_flags(struct gres_reader *r, const struct conf_pair *p)
{
	static const char *const known[] = {"CountOnly",     "explicit",       "one_sharing",
	                                    "all_sharing",   "nvidia_gpu_env", "amd_gpu_env",
	                                    "intel_gpu_env", "opencl_env",     "no_gpu_env"};
	char **part = g_strsplit(p ? p->value : "", ",", -1);

	for (char **s = part; *s; s++) {
		gsize i = 0;

		while (i < G_N_ELEMENTS(known) && g_ascii_strcasecmp(known[i], *s) != 0)
			i++;
		if (i == G_N_ELEMENTS(known))
			at(r, p, false, "CountOnly, explicit, one_sharing, all_sharing or an _env flag",
			   "unknown Flags have no effect");
		else if (i == 1)
			at(r, p, false, NULL, "Flags=explicit is not modelled in this version and has no effect");
	}
	g_strfreev(part);
}

static guint content_id(struct gres_reader *r, const struct gres_record *g)
{
	char *text = g_strdup_printf("%s\n%s\n%u %d %d\n%s\n%s\n%s", g->name, g->type ? g->type : "", g->count, g->files,
	                             g->one_sharing, g->cores ? g->cores : "", g->links ? g->links : "",
	                             g->devices ? g->devices : "");
	gpointer id = g_hash_table_lookup(r->contents, text);

	if (id) {
		g_free(text);
		return GPOINTER_TO_UINT(id);
	}
	guint fresh = g_hash_table_size(r->contents) + 1;
	g_hash_table_insert(r->contents, text, GUINT_TO_POINTER(fresh));
	return fresh;
}

static GPtrArray *expand_nodes(struct gres_reader *r, const struct conf_pair *p)
{
	bool more;
	GPtrArray *names = conf_expand_within(r->d, p, p->value, &r->names_left, &more);

	if (more)
		at(r, p, true, NULL, "too many node names in gres.conf");
	return names;
}

static void set_detect(struct gres_reader *r, const struct conf_pair *p, const GPtrArray *nodes)
{
	static const char *const known[] = {"full", "nvml", "nvidia", "rsmi", "oneapi", "nrt", "off"};
	char *word = g_ascii_strdown(p->value, -1);
	gsize i = 0;

	while (i < G_N_ELEMENTS(known) && !g_str_equal(known[i], word))
		i++;
	if (i == G_N_ELEMENTS(known))
		at(r, p, true, "full, nvml, nvidia, rsmi, oneapi, nrt or off", "unknown AutoDetect");
	for (guint k = 0; nodes && k < nodes->len; k++) {
		const char *node = g_ptr_array_index(nodes, k);
		const char *old = g_hash_table_lookup(r->f->detect, node);

		if (old && !g_str_equal(old, word)) {
			diag_error(r->d, p->file, p->line, p->column, "keep one of them",
			           "node %s has AutoDetect=%s and %s", node, old, word);
			break;
		}
		if (!old)
			g_hash_table_insert(r->f->detect, g_strdup(node), g_strdup(word));
	}
	if (nodes) {
		g_free(word);
		return;
	}
	g_free(r->f->global_detect);
	r->f->global_detect = word;
}

static void note_nodes(struct gres_reader *r, const GPtrArray *nodes, guint index)
{
	for (guint i = 0; i < nodes->len; i++) {
		const char *name = g_ptr_array_index(nodes, i);
		GArray *list = g_hash_table_lookup(r->f->by_node, name);

		if (!list) {
			list = g_array_new(FALSE, FALSE, sizeof(guint));
			g_hash_table_insert(r->f->by_node, g_strdup(name), list);
		}
		if (list->len == 0 || g_array_index(list, guint, list->len - 1) != index)
			g_array_append_val(list, index);
	}
}

static void add_record(struct gres_reader *r, struct conf_line *line, const struct conf_pair **v,
                       const GPtrArray *nodes)
{
	const struct conf_pair *name = v[G_NAME];
	guint index = r->f->records->len;

	if (!r->types || !g_strv_contains((const char *const *)r->types, name->value)) {
		diag_warn(r->d, name->file, name->line, name->column, "name it in GresTypes",
		          "%s is not in GresTypes: the line is ignored", name->value);
		return;
	}
	if (index >= GRES_RECORDS_MAX || (!nodes && r->f->global->len >= GRES_GLOBAL_MAX)) {
		if (!r->full)
			at(r, name, true, NULL, "too many lines in gres.conf");
		r->full = true;
		return;
	}
	struct gres_record *g = g_new0(struct gres_record, 1);
	g->name = g_strdup(name->value);
	g->type = v[G_TYPE] && *v[G_TYPE]->value ? g_strdup(v[G_TYPE]->value) : NULL;
	g->shared = is_shared(g->name);
	g->file = g_ref_string_acquire(line->file);
	g->line = name->line;
	g->column = name->column;
	g->cores = v[G_CORES] && *v[G_CORES]->value ? g_strdup(v[G_CORES]->value) : NULL;
	set_count(r, v, g);
	g->links = take_links(r, v[G_LINKS], g);
	check_flags(r, v[G_FLAGS]);
	const struct conf_pair *files = v[G_FILE] ? v[G_FILE] : v[G_MULTIPLE];
	g->devices = files ? g_strdup(files->value) : NULL;
	g->one_sharing = g_str_equal(g->name, "mps") || (v[G_FLAGS] && strstr(v[G_FLAGS]->value, "one_sharing"));
	if (v[G_FLAGS] && strstr(v[G_FLAGS]->value, "all_sharing"))
		g->one_sharing = false;
	g->content = content_id(r, g);
	g_ptr_array_add(r->f->records, g);
	if (nodes)
		note_nodes(r, nodes, index);
	else
		g_array_append_val(r->f->global, index);
}

static void take_line(struct conf_line *line, void *data)
{
	struct gres_reader *r = data;
	const struct conf_pair *v[G_KEYS] = {NULL};
	GPtrArray *nodes = NULL;

	conf_line_collect(line, keys, G_N_ELEMENTS(keys), "gres.conf",
	                  KNOWN, v, r->d);
	if (v[G_NODES])
		nodes = expand_nodes(r, v[G_NODES]);
	if (v[G_DETECT] && v[G_NAME] && !v[G_NODES])
		at(r, v[G_DETECT], false, "put it on a line of its own, or name the nodes",
		   "AutoDetect on a Name line is ignored");
	else if (v[G_DETECT] && (nodes || !v[G_NODES]))
		set_detect(r, v[G_DETECT], nodes);
	if (v[G_NAME] && (nodes || !v[G_NODES]))
		add_record(r, line, v, nodes);
	else if (!v[G_NAME] && !v[G_DETECT])
		at(r, &line->pair[0], true, "give Name=gpu, or AutoDetect=", "the line names no GRES");
	if (nodes)
		g_ptr_array_unref(nodes);
	conf_line_free(line);
}

struct gres_file *gres_file_read(const char *path, const char *text, const char *name, char **gres_types,
                                 struct diag *d)
{
	struct gres_file *f = g_new0(struct gres_file, 1);
	struct gres_reader r = {.f = f, .d = d, .types = gres_types, .names_left = GRES_NODE_NAMES_MAX};

	f->records = g_ptr_array_new_with_free_func(record_free);
	f->global = g_array_new(FALSE, FALSE, sizeof(guint));
	f->by_node = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, index_array_free);
	f->detect = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	r.contents = f->contents = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (path)
		conflex_file(path, take_line, &r, d);
	else
		conflex_text(text, name, take_line, &r, d);
	return f;
}

void gres_file_append(struct gres_file *f, const char *text, const char *name, char **gres_types, struct diag *d)
{
	struct gres_reader r = {.f = f, .d = d, .types = gres_types, .names_left = GRES_NODE_NAMES_MAX, .contents = f->contents};

	conflex_text(text, name, take_line, &r, d);
}
