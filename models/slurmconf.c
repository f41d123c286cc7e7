/* slurmconf.c - collect the lines of slurm.conf and build the cluster from them; see slurmconf.h and confread.h. */
#include "models/slurmconf.h"
#include "models/accounting.h"
#include "models/conforigin.h"
#include "models/confread.h"
#include "models/confset.h"
#include "models/gresconf.h"
#include "models/groups.h"
#include "models/shown.h"
#include "sched/acct.h"
#include "sched/base/hostlist.h"
#include <string.h>

static void free_line(void *line)
{
	conf_line_free(line);
}

static void unref_array(void *array)
{
	g_ptr_array_unref(array);
}

static void reader_init(struct conf_reader *r, const struct slurmconf_options *o, struct diag *d)
{
	*r = (struct conf_reader){.d = d, .o = o, .names_left = 10 * (guint64)HOSTLIST_MAX};
	r->c = cluster_new(o->version ? o->version : SLURM_26);
	r->p = r->c->params;
	r->scalars = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_line);
	r->node_lines = g_ptr_array_new_with_free_func(free_line);
	r->down_lines = g_ptr_array_new_with_free_func(free_line);
	r->set_lines = g_ptr_array_new_with_free_func(free_line);
	r->part_lines = g_ptr_array_new_with_free_func(free_line);
	r->nodes = g_hash_table_new(g_str_hash, g_str_equal);
	r->config_by_text = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	r->node_sets = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, unref_array);
	r->part_pairs = g_ptr_array_new();
	r->nodes_pairs = g_ptr_array_new();
	r->warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

/* Frees everything but the cluster. */
static void reader_clear(struct conf_reader *r)
{
	g_hash_table_unref(r->scalars);
	g_hash_table_unref(r->nodes);
	g_hash_table_unref(r->config_by_text);
	g_hash_table_unref(r->node_sets);
	g_hash_table_unref(r->warned);
	g_ptr_array_unref(r->node_lines);
	g_ptr_array_unref(r->down_lines);
	g_ptr_array_unref(r->set_lines);
	g_ptr_array_unref(r->part_lines);
	g_ptr_array_unref(r->part_pairs);
	g_ptr_array_unref(r->nodes_pairs);
	g_strfreev(r->gres_types);
}

static GPtrArray *lines_for(struct conf_reader *r, const char *key, guint *max)
{
	*max = CONF_OTHER_LINES_MAX;
	if (g_ascii_strcasecmp(key, "NodeName") == 0) {
		*max = CONF_NODE_LINES_MAX;
		return r->node_lines;
	}
	if (g_ascii_strcasecmp(key, "PartitionName") == 0)
		return r->part_lines;
	if (g_ascii_strcasecmp(key, "NodeSet") == 0)
		return r->set_lines;
	if (g_ascii_strcasecmp(key, "DownNodes") == 0)
		return r->down_lines;
	return NULL;
}

static void keep_line(struct conf_reader *r, struct conf_line *line, GPtrArray *lines, guint max)
{
	if (lines->len < max) {
		g_ptr_array_add(lines, line);
		return;
	}
	if (!r->line_limit_told)
		conf_error(r, &line->pair[0], NULL, "more than %u %s lines", max, line->pair[0].key);
	r->line_limit_told = true;
	conf_line_free(line);
}

static void unknown_parameter(struct conf_reader *r, const struct conf_pair *p)
{
	char *hint = conf_key_hint(p->key);

	if (r->o->unknown_is_warning)
		conf_warn(r, p, hint, "unknown parameter %s", p->key);
	else
		conf_error(r, p, hint, "unknown parameter %s", p->key);
	g_free(hint);
}

/* SlurmctldHost, PowerAction and the old FrontendName take further pairs, which do not matter here. */
static bool takes_pairs(const struct conf_key *k)
{
	return g_str_equal(k->name, "SlurmctldHost") || g_str_equal(k->name, "PowerAction") ||
	       g_str_equal(k->name, "FrontendName");
}

static void keep_scalar(struct conf_reader *r, struct conf_line *line)
{
	const struct conf_pair *p = &line->pair[0];
	const struct conf_key *k = conf_key_find(p->key);

	if (!k) {
		unknown_parameter(r, p);
		conf_line_free(line);
		return;
	}
	char *lower = g_ascii_strdown(k->name, -1);
	if (strcmp(k->name, "SlurmctldHost") == 0) {
		g_free(lower);
		lower = g_strdup_printf("slurmctldhost[%u]", r->n_hosts++);
	}
	if (g_hash_table_contains(r->scalars, lower) && k->kind != KEY_IGNORED && !takes_pairs(k))
		conf_warn(r, p, NULL, "%s specified more than once, latest value used", p->key);
	g_hash_table_replace(r->scalars, lower, line);
}

static void take_line(struct conf_line *line, void *data)
{
	struct conf_reader *r = data;
	const struct conf_pair *p = &line->pair[0];
	const struct conf_key *k = conf_key_find(p->key);
	guint max;
	GPtrArray *lines = lines_for(r, p->key, &max);

	if (lines) {
		keep_line(r, line, lines, max);
		return;
	}
	if (line->n_pairs > 1 && k && !takes_pairs(k))
		conf_error(r, &line->pair[1], "one parameter a line", "%s= after the value of %s", line->pair[1].key,
		           p->key);
	keep_scalar(r, line);
}

/* Defaults that follow another parameter. */
static void derive_params(struct sched_params *p)
{
	int half = MAX(1, p->message_timeout / 2);

	p->max_sched_time = MIN(p->max_sched_time, half);
	if (p->max_array_tasks == 1001 || p->max_array_tasks > p->max_array_size)
		p->max_array_tasks = p->max_array_size;
	if (!p->cluster_name)
		p->cluster_name = g_strdup("cluster");
}

static void read_accounting(struct conf_reader *r)
{
	r->c->acct = acct_new(r->c->tres);
	if (r->o->groups_path)
		r->c->groups = groups_read(r->o->groups_path, r->d);
	if (r->o->accounting_path) {
		r->p->has_accounting = true;
		accounting_read_all(r->o->accounting_path, g_hash_table_contains(r->scalars, "clustername") ? r->p->cluster_name : NULL, r->c->acct, r->d);
		accounting_check_release(r->c->acct, r->p, r->o->accounting_path, r->d);
	}
	if (r->shown && r->c->acct->assocs->len <= 2 && r->p->enforce & ENFORCE_ASSOC) { /* root and its user */
		diag_warn(r->d, r->o->origins ? r->o->origins->path : NULL, 0, 0,
		          "give --accounting: sacctmgr dump, or sacctmgr show assoc -P",
		          "AccountingStorageEnforce is taken as none: no associations are known");
		r->p->enforce = 0;
	}
	if (!r->p->has_accounting) /* P4 */
		r->p->weight_age = r->p->weight_fairshare = 0;
}

static bool finish(struct conf_reader *r)
{
	GPtrArray *texts = conf_resolve_partitions(r);
	GError *error = NULL;

	if (r->d->n_errors == 0 && !cluster_finish(r->c, &error)) {
		diag_error(r->d, "slurm.conf", 0, 0, NULL, "%s", error->message);
		g_error_free(error);
	}
	conf_restore_texts(r, texts);
	return r->d->n_errors == 0;
}

/* Hand out what was given, for those who want to tell it. */
static void tell_origins(const struct conf_reader *r)
{
	GHashTableIter i;
	gpointer key, value;

	g_hash_table_iter_init(&i, r->scalars);
	while (r->o->origins && g_hash_table_iter_next(&i, &key, &value)) {
		const struct conf_pair *p = ((const struct conf_line *)value)->pair;

		conf_origins_put(r->o->origins, key, p->value, p->file, p->line);
	}
}

/* All lines are collected: build the cluster. Takes the reader apart. */
static struct cluster *build(struct conf_reader *r, const char *gres_path, const char *directory)
{
	conf_apply_overrides(r, r->o->overrides);
	tell_origins(r);
	conf_apply_keys(r);
	derive_params(r->p);
	conf_read_nodes(r);
	gresconf_apply_hardware(r->c, gres_path, r->gres_types, r->o->hardware, r->d);
	conf_read_topology(r, directory);
	if (r->p->bf_topopt_enable && r->c->topologies->len) /* B47: flat topologies score 0, so the first slot wins */
		diag_warn(r->d, NULL, 0, 0, NULL, "SchedulerParameters bf_topopt_enable: how slurmctld scores fragmentation is not documented; whypend counts the "
		                                  "switches, blocks and rings that a plan leaves broken up");
	conf_read_node_sets(r);
	conf_read_partitions(r);
	read_accounting(r);
	conf_check_partition_qos(r);
	conf_check_power(r);
	struct cluster *c = r->c;
	if (!finish(r)) {
		cluster_free(c);
		c = NULL;
	}
	reader_clear(r);
	return c;
}

static const struct slurmconf_options *or_default(const struct slurmconf_options *o)
{
	static const struct slurmconf_options none = {.version = SLURM_26};

	return o ? o : &none;
}

/* An output of scontrol or sinfo, or a slurm.conf. */
static void read_input(struct conf_reader *r, struct shown **shown, const char *path)
{
	char *text = conflex_load(path, CONFLEX_FILE_MAX, NULL);
	enum site_kind kind = text ? site_conf_kind(text) : SITE_CONF;

	if (kind == SITE_CONF) { /* also what cannot be read: conflex tells why */
		conflex_file(path, take_line, r, r->d);
	} else {
		if (!*shown)
			*shown = shown_new(take_line, r, r->d);
		shown_take(*shown, text, path, kind);
		r->shown = true;
	}
	g_free(text);
}

static void read_inputs(struct conf_reader *r, const char *path)
{
	char **files = site_conf_files(path);
	struct shown *shown = NULL;

	if (!*files)
		diag_error(r->d, path, 0, 0, "it should hold slurm.conf, or outputs such as scontrol-show-config.txt",
		           "there is no configuration in this folder");
	for (char **f = files; *f; f++)
		read_input(r, &shown, *f);
	if (shown)
		shown_finish(shown, g_hash_table_contains(r->scalars, "grestypes"),
		             g_hash_table_contains(r->scalars, "accountingstoragetres"));
	g_strfreev(files);
}

struct cluster *slurmconf_read(const char *path, const struct slurmconf_options *o, struct diag *d)
{
	struct conf_reader r;
	char *directory = g_file_test(path, G_FILE_TEST_IS_DIR) ? g_strdup(path) : g_path_get_dirname(path), *beside = g_build_filename(directory, "gres.conf", NULL);

	reader_init(&r, or_default(o), d);
	if (r.o->origins) {
		g_free(r.o->origins->path);
		r.o->origins->path = g_strdup(path);
	}
	read_inputs(&r, path);
	const char *gres = r.o->gres_path;
	if (!gres && g_file_test(beside, G_FILE_TEST_EXISTS))
		gres = beside;
	struct cluster *c = build(&r, gres, directory);
	g_free(beside);
	g_free(directory);
	return c;
}

struct cluster *slurmconf_read_text(const char *text, const char *name, const struct slurmconf_options *o,
                                    struct diag *d)
{
	struct conf_reader r;

	reader_init(&r, or_default(o), d);
	conflex_text(text, name, take_line, &r, d);
	return build(&r, r.o->gres_path, NULL);
}

struct cluster *cluster_from_header(guint64 nodes, guint64 cpus_per_node, enum slurm_version version,
                                    GPtrArray *overrides, struct conf_origins *origins, struct diag *d)
{
	struct slurmconf_options o = {.version = version, .overrides = overrides, .origins = origins};

	if (nodes == 0 || nodes > HOSTLIST_MAX)
		diag_error(d, NULL, 0, 0, "give the size of the cluster",
		           "%" G_GUINT64_FORMAT " nodes: 1 to %d are possible", nodes, HOSTLIST_MAX);
	if (cpus_per_node == 0 || cpus_per_node > 65533)
		diag_error(d, NULL, 0, 0, "give the CPUs of a node",
		           "%" G_GUINT64_FORMAT " CPUs per node: 1 to 65533 are possible", cpus_per_node);
	if (d->n_errors)
		return NULL;
	int width = g_snprintf(NULL, 0, "%" G_GUINT64_FORMAT, nodes);
	GString *text =
	    g_string_new("SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n");
	for (guint64 first = 1; first <= nodes; first += 65536) { /* a range may hold 65536 numbers */
		guint64 last = MIN(nodes, first + 65535);

		g_string_append_printf(text,
		                       "NodeName=n[%0*" G_GUINT64_FORMAT "-%0*" G_GUINT64_FORMAT
		                       "] CPUs=%" G_GUINT64_FORMAT " Sockets=1 CoresPerSocket=%" G_GUINT64_FORMAT "\n",
		                       width, first, width, last, cpus_per_node, cpus_per_node);
	}
	g_string_append(text, "PartitionName=all Nodes=ALL Default=YES MaxTime=UNLIMITED\n");
	struct cluster *c = slurmconf_read_text(text->str, "(cluster from the log's header)", &o, d);
	g_string_free(text, TRUE);
	return c;
}
