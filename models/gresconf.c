/*
 * gresconf.c - lay gres.conf over the Gres= counts of the configuration records (spec slurm-conf.md 7.1; N61).
 *
 * Nodes of one record that gres.conf treats alike (the same lines apply, by content) keep one record; others get a
 * copy.
 */
#include "models/gresconf.h"
#include "models/greshardware.h"
#include "models/gresread.h"
#include "sched/base/hostlist.h"
#include <string.h>

/* What becomes of the nodes of one record to which the same lines apply. */
struct variant {
	struct node_config *config;
	struct node_gres *gres; /* refined; goes to config at the end */
	uint32_t n_gres;
	char *reason; /* owned; why the nodes are drained; NULL = all well */
};

struct merger {
	struct cluster *c;
	const struct gres_file *f; /* NULL = there is no gres.conf */
	struct diag *d;
	GHashTable *variants;    /* "config signature" -> struct variant * */
	GHashTable *config_seen; /* set of configs whose own record is in use by a variant */
	GHashTable *warned;      /* texts already said */
};

static void variant_free(void *data)
{
	struct variant *v = data;

	g_free(v->reason);
	g_free(v);
}

/* The records that apply to node NAME, in file order. Free with g_array_free. */
static GArray *records_of(const struct merger *m, const char *name)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(guint));
	const GArray *own = m->f ? g_hash_table_lookup(m->f->by_node, name) : NULL,
	             *global = m->f ? m->f->global : NULL;
	guint i = 0, k = 0, n = own ? own->len : 0, ng = global ? global->len : 0;

	while (i < n || k < ng) {
		guint a = i < n ? g_array_index(own, guint, i) : G_MAXUINT,
		      b = k < ng ? g_array_index(global, guint, k) : G_MAXUINT;
		guint next = MIN(a, b);

		g_array_append_val(all, next);
		i += a == next;
		k += b == next;
	}
	return all;
}

/* Are the GPUs of node NAME found by themselves: no gres.conf, or AutoDetect other than off? */
static bool detects(const struct merger *m, const char *name)
{
	if (!m->f)
		return true;
	const char *word = g_hash_table_lookup(m->f->detect, name);
	if (!word)
		word = m->f->global_detect;
	return word && !g_str_equal(word, "off");
}

static void say_once(struct merger *m, const struct gres_record *g, const char *hint, char *text)
{
	char *key = g_strdup_printf("%s %u %s", g ? g->file : "", g ? g->line : 0, text);

	if (g_hash_table_add(m->warned, key))
		diag_warn(m->d, g ? g->file : "gres.conf", g ? g->line : 0, g ? g->column : 0, hint, "%s", text);
	g_free(text);
}

static struct bitset *cores_of(struct merger *m, const struct gres_record *g, const struct node_config *config)
{
	if (!g->cores)
		return NULL;
	struct bitset *cores = bitset_new(config->cores);
	char *text = g_strdelimit(g_strdup(g->cores), " ", ',');

	if (!bitset_from_ranges(cores, text) || bitset_empty(cores)) {
		say_once(m, g, "core ids such as 0-15,32-47, not CPU ids of the operating system",
		         g_strdup_printf("Cores=%.60s does not fit a node of %u cores: taken as near all cores",
		                         g->cores, config->cores));
		bitset_free(cores);
		cores = NULL;
	}
	g_free(text);
	return cores;
}

static int *links_of(const struct gres_record *g, uint32_t devices)
{
	if (!g->links)
		return NULL;
	char **part = g_strsplit(g->links, ",", -1);
	int *links = g_new0(int, devices);

	for (uint32_t i = 0; i < devices && part[i]; i++)
		links[i] = (int)g_ascii_strtoll(part[i], NULL, 10);
	g_strfreev(part);
	return links;
}

static void append_group(struct node_gres *to, struct gres_group group)
{
	to->group = g_renew(struct gres_group, to->group, to->n_groups + 1);
	group.first = to->count;
	to->group[to->n_groups++] = group;
	to->count += group.count;
}

/* Lines of one name must be all with files or none, all typed or none, and not plain twice. */
static void check_kinds(struct merger *m, const GArray *records, const char *name)
{
	const struct gres_record *first = NULL;

	for (guint i = 0; i < records->len; i++) {
		const struct gres_record *g = g_ptr_array_index(m->f->records, g_array_index(records, guint, i));
		const char *wrong = NULL;

		if (!g_str_equal(g->name, name))
			continue;
		if (first && first->files != g->files)
			wrong = "some lines have File, others not";
		else if (first && !first->type != !g->type)
			wrong = "some lines have Type, others not";
		else if (first && !g->files && !g->type && !g->shared)
			wrong = "two lines with neither File nor Type";
		if (!first)
			first = g;
		if (!wrong)
			continue;
		char *key = g_strdup_printf("kinds %s %u", g->file, g->line);
		if (g_hash_table_add(m->warned, key))
			diag_error(m->d, g->file, g->line, g->column, "make the lines of one node alike",
			           "gres.conf, %s: %s", name, wrong);
	}
}

/* How much of ENTRY (one Gres= entry) the lines offer is taken out of LEFT[]; groups go to TO in line order. */
static uint32_t take_lines(struct merger *m, const GArray *records, guint32 *left, const struct node_gres *was,
                           const struct gres_group *entry, const struct node_config *config, struct node_gres *to)
{
	uint32_t need = entry->count;

	for (guint i = 0; i < records->len && need; i++) {
		const struct gres_record *g = g_ptr_array_index(m->f->records, g_array_index(records, guint, i));
		bool fits = !entry->type || !g->type || g_str_equal(entry->type, g->type);

		if (!fits || !left[i] || !g_str_equal(g->name, was->name))
			continue;
		guint32 n = MIN(left[i], need);
		append_group(to, (struct gres_group){
		                     .type = g_strdup(entry->type ? entry->type : g->type),
		                     .count = n,
		                     .cores = cores_of(m, g, config),
		                     .links = links_of(g, was->count),
		                 });
		to->devices |= g->files;
		left[i] -= n;
		need -= n;
	}
	return entry->count - need;
}

static void copy_plain(const struct node_gres *was, struct node_gres *to)
{
	for (uint32_t k = 0; k < was->n_groups; k++)
		append_group(to,
		             (struct gres_group){.type = g_strdup(was->group[k].type), .count = was->group[k].count});
}

static bool any_line(const struct merger *m, const GArray *records, const char *name)
{
	for (guint i = 0; i < records->len; i++)
		if (g_str_equal(
		        ((const struct gres_record *)g_ptr_array_index(m->f->records, g_array_index(records, guint, i)))
		            ->name,
		        name))
			return true;
	return false;
}

/* Refine one name. Returns the drain reason (g_free) or NULL. */
static char *refine(struct merger *m, const GArray *records, bool detect, const struct node_gres *was,
                    const struct node_config *config, struct node_gres *to)
{
	*to = (struct node_gres){.name = g_strdup(was->name), .no_consume = was->no_consume};
	if (!any_line(m, records, was->name)) {
		copy_plain(was, to);
		to->devices = detect && g_str_equal(was->name, "gpu");
		if (!detect && g_str_equal(was->name, "gpu"))
			say_once(m, NULL, "give File= or AutoDetect=",
			         g_strdup("GPUs without a gres.conf line are a plain count without device numbers"));
		return NULL;
	}
	check_kinds(m, records, was->name);
	guint32 *left = g_new0(guint32, records->len);
	char *reason = NULL;
	for (guint i = 0; i < records->len; i++)
		left[i] =
		    ((const struct gres_record *)g_ptr_array_index(m->f->records, g_array_index(records, guint, i)))
		        ->count;
	for (uint32_t k = 0; k < was->n_groups; k++) {
		const struct gres_group *entry = &was->group[k];
		uint32_t got = take_lines(m, records, left, was, entry, config, to);

		if (got < entry->count && !reason && entry->type && was->n_groups > 1)
			reason = g_strdup_printf("gres/%s:%s count too low (%u < %u)", was->name, entry->type, got,
			                         entry->count);
	}
	g_free(left);
	if (to->count < was->count && was->n_groups == 1)
		reason = g_strdup_printf("gres/%s count reported lower than configured (%u < %u)", was->name, to->count,
		                         was->count);
	return reason;
}

static struct node_config *copy_config(struct cluster *c, const struct node_config *from)
{
	struct node_config *to = cluster_add_config(c);
	struct node_config fresh = *to;

	*to = *from;
	to->index = fresh.index;
	g_strfreev(fresh.features);
	to->features = g_strdupv(from->features);
	g_free(fresh.gres_text);
	to->gres_text = g_strdup(from->gres_text);
	to->spec_cores = from->spec_cores ? bitset_copy(from->spec_cores) : NULL;
	to->gres = NULL;
	to->n_gres = 0;
	to->nodes = NULL;
	return to;
}

/* ---- shares of GPUs (N71) ---- */

/* The device files of the GPUs, in the order of their indexes; NULL when they are not known. */
static GPtrArray *gpu_files(const struct merger *m, const GArray *records, uint32_t n)
{
	GPtrArray *files = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < records->len; i++) {
		const struct gres_record *g = g_ptr_array_index(m->f->records, g_array_index(records, guint, i));
		GPtrArray *list = g_str_equal(g->name, "gpu") && g->devices ? hostlist_expand(g->devices, NULL) : NULL;
		for (guint k = 0; list && k < list->len && files->len < n; k++)
			g_ptr_array_add(files, g_strdup(list->pdata[k]));
		if (list)
			g_ptr_array_unref(list);
	}
	for (uint32_t k = files->len; k < n; k++)
		g_ptr_array_add(files, g_strdup_printf("/dev/nvidia%u", k));
	return files;
}

static bool names_device(const GPtrArray *list, const char *file)
{
	for (guint i = 0; i < list->len; i++)
		if (g_str_equal(list->pdata[i], file))
			return true;
	return false;
}

/* COUNT shares go evenly to the GPUs that a line names (all if none); what does not divide goes to the first. */
static void deal_shares(const struct gres_record *g, uint32_t count, const GPtrArray *files, uint32_t *per_device)
{
	GPtrArray *list = g && g->devices ? hostlist_expand(g->devices, NULL) : NULL;
	GArray *to = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < files->len; i++)
		if (!list || names_device(list, files->pdata[i]))
			g_array_append_val(to, i);
	for (guint i = 0; i < to->len; i++)
		per_device[g_array_index(to, guint, i)] += count / to->len + (i < count % to->len);
	g_array_free(to, TRUE);
	if (list)
		g_ptr_array_unref(list);
}

/* SHARES (mps or shard) of a node whose GPUs are GPUS: as many on each as the lines say, within what slurm.conf counts. */
static void share_gpus(struct merger *m, const GArray *records, const struct node_gres *gpus, struct node_gres *shares)
{
	uint32_t left = shares->count, n = gpus->count;
	GPtrArray *files = gpu_files(m, records, n);

	shares->per_device = g_new0(uint32_t, n + 1);
	shares->n_devices = n;
	for (guint i = 0; i < records->len; i++) {
		const struct gres_record *g = g_ptr_array_index(m->f->records, g_array_index(records, guint, i));
		if (!g_str_equal(g->name, shares->name))
			continue;
		uint32_t count = MIN(left, g->count);
		deal_shares(g, count, files, shares->per_device);
		shares->one_sharing |= g->one_sharing;
		left -= count;
	}
	deal_shares(NULL, left, files, shares->per_device);
	shares->count = 0;
	for (uint32_t i = 0; i < n; i++)
		shares->count += shares->per_device[i];
	shares->devices = false;
	g_ptr_array_unref(files);
}

static void find_shares(struct merger *m, const GArray *records, struct variant *v)
{
	const struct node_gres *gpus = NULL;

	for (uint32_t i = 0; i < v->n_gres; i++)
		if (g_str_equal(v->gres[i].name, "gpu") && v->gres[i].devices && v->gres[i].count <= 64)
			gpus = &v->gres[i];
	for (uint32_t i = 0; i < v->n_gres && gpus; i++)
		if (g_str_equal(v->gres[i].name, "mps") || g_str_equal(v->gres[i].name, "shard"))
			share_gpus(m, records, gpus, &v->gres[i]);
}

static struct variant *make_variant(struct merger *m, struct node_config *config, const GArray *records, bool detect)
{
	struct variant *v = g_new0(struct variant, 1);

	v->n_gres = config->n_gres;
	v->gres = g_new0(struct node_gres, config->n_gres);
	for (uint32_t i = 0; i < config->n_gres; i++) {
		char *reason = refine(m, records, detect, &config->gres[i], config, &v->gres[i]);

		if (v->gres[i].devices && v->gres[i].count > GRES_DEVICES_MAX)
			diag_error(m->d, "slurm.conf", 0, 0, "at most 1024", "Gres=%s: too many devices on a node",
			           config->gres_text);
		if (!v->reason)
			v->reason = reason;
		else
			g_free(reason);
	}
	find_shares(m, records, v);
	v->config = g_hash_table_add(m->config_seen, config) ? config : copy_config(m->c, config);
	return v;
}

/* The text that tells the nodes of a record apart. g_free. */
static char *signature(const struct merger *m, const struct node_config *config, const GArray *records, bool detect)
{
	GString *s = g_string_new(NULL);

	g_string_printf(s, "%u %d", config->index, detect);
	for (guint i = 0; i < records->len; i++) {
		const struct gres_record *g = g_ptr_array_index(m->f->records, g_array_index(records, guint, i));
		g_string_append_printf(s, " %u", g->content);
	}
	return g_string_free(s, FALSE);
}

static void place_node(struct merger *m, struct node *n)
{
	GArray *records = records_of(m, n->name);
	bool detect = detects(m, n->name);
	char *key = signature(m, n->config, records, detect);
	struct variant *v = g_hash_table_lookup(m->variants, key);

	if (!v) {
		v = make_variant(m, n->config, records, detect);
		g_hash_table_insert(m->variants, key, v);
		if (v->reason)
			diag_warn(m->d, "gres.conf", 0, 0, "make Gres= and gres.conf agree",
			          "node %s and its like are drained: %s", n->name, v->reason);
	} else {
		g_free(key);
	}
	n->config = v->config;
	if (v->reason) {
		n->flags |= NODE_DRAIN | NODE_INVALID_REG;
		g_free(n->reason);
		n->reason = g_strdup(v->reason);
	}
	g_array_free(records, TRUE);
}

static void apply(struct cluster *c, const struct gres_file *f, struct diag *d)
{
	struct merger m = {.c = c, .f = f, .d = d};
	GHashTableIter it;
	gpointer value;

	m.variants = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, variant_free);
	m.config_seen = g_hash_table_new(NULL, NULL);
	m.warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < c->pending_nodes->len; i++) {
		struct node *n = g_ptr_array_index(c->pending_nodes, i);

		if (n->config->n_gres)
			place_node(&m, n);
	}
	g_hash_table_iter_init(&it, m.variants);
	while (g_hash_table_iter_next(&it, NULL, &value)) {
		struct variant *v = value;

		gres_free(v->config->gres, v->config->n_gres);
		v->config->gres = v->gres;
		v->config->n_gres = v->n_gres;
	}
	g_hash_table_unref(m.variants);
	g_hash_table_unref(m.config_seen);
	g_hash_table_unref(m.warned);
}

void gresconf_apply(struct cluster *c, const char *path, char **gres_types, struct diag *d)
{
	gresconf_apply_hardware(c, path, gres_types, NULL, d);
}

void gresconf_apply_hardware(struct cluster *c, const char *path, char **gres_types, const struct gres_hardware *hw,
                             struct diag *d)
{
	struct gres_file *f = path ? gres_file_read(path, NULL, NULL, gres_types, d) : NULL;

	if (!f && hw && hw->named && hw->named->len) /* what is not named is detected all the same */
		f = gres_file_read(NULL, "AutoDetect=full\n", "(no gres.conf)", gres_types, d);
	if (f && hw)
		greshardware_add(f, c, hw, gres_types, d);

	apply(c, f, d);
	if (f)
		gres_file_free(f);
}

void gresconf_apply_text(struct cluster *c, const char *text, const char *name, char **gres_types, struct diag *d)
{
	struct gres_file *f = gres_file_read(NULL, text, name, gres_types, d);

	apply(c, f, d);
	gres_file_free(f);
}
