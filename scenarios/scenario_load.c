/*
 * scenario_load.c - scenario_load: a scenario file or folder and the command line, read into one struct scenario.
 *
 * The command line wins over the file. Paths in the file count from its folder, those of the command line from here.
 * Reading goes on after an error, so that one answer tells everything that is wrong in all files.
 */
#include "models/accounting.h"
#include "models/controllercost.h"
#include "models/placement.h"
#include "models/conflex.h"
#include "models/greshardware.h"
#include "models/nodemodel.h"
#include "models/siteinput.h"
#include "models/slurmconf.h"
#include "scenarios/changed_conf.h"
#include "scenarios/expect.h"
#include "scenarios/scenario_faults.h"
#include "scenarios/scenario_parts.h"
#include "scenarios/siterules.h"
#include "sim/commands.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RECORD_START "2026-01-05T00:00:00Z"
#define RECORD_LEAD (12 * USEC) /* slurmctld starts so long before the first job */

struct loader {
	const struct scenario_options *o;
	struct scenario *s;
	struct diag *diag;
	enum scenario_kind kind; /* of the file; 0 = no file */
	char *dir;               /* its folder, NULL = no file */
	struct json_text text;
	struct scenario_values v;
	GPtrArray *overrides;
	enum slurm_version version;
	char *conf, *gres, *topology, *accounting, *trace; /* as found; NULL = none */
	struct submission *first;               /* of the trace, read ahead to know when the run starts */
	bool syntax_bad;
};

/* ---- small things ---- */

static void add_input(struct loader *d, const char *role, const char *path)
{
	struct scenario_input *input = g_new0(struct scenario_input, 1);

	input->role = g_strdup(role);
	input->path = g_strdup(path);
	g_ptr_array_add(d->s->inputs, input);
}

/* Takes FILES. */
static void add_inputs(struct loader *d, const char *role, char **files)
{
	for (char **f = files; *f; f++)
		add_input(d, role, *f);
	g_strfreev(files);
}

static void input_free(void *input)
{
	struct scenario_input *i = input;

	g_free(i->role);
	g_free(i->path);
	g_free(i);
}

/* A bad VALUE of OPTION ("--until") or, when that was not given, of the file's KEY. */
static void bad_value(struct loader *d, bool by_option, const char *option, const char *key, const char *value,
                      const char *hint)
{
	if (by_option)
		diag_error(d->diag, NULL, 0, 0, hint, "%s: bad value \"%s\"", option, value);
	else
		json_text_error(&d->text, cJSON_GetObjectItemCaseSensitive(d->text.root, key), d->diag, hint,
		                "bad value of \"%s\": \"%s\"", key, value);
}

static char *from_dir(const struct loader *d, const char *value)
{
	if (g_path_is_absolute(value) || strcmp(d->dir, ".") == 0)
		return g_strdup(value);
	return g_build_filename(d->dir, value, NULL);
}

/* The path of an input, or several between commas: of the command line as it is, of the file from the file's folder. */
static char *input_path(const struct loader *d, const char *option, const char *value)
{
	char *whole = option || !value ? g_strdup(option) : from_dir(d, value);

	if (option || !value || !strchr(value, ',') || g_file_test(whole, G_FILE_TEST_EXISTS))
		return whole;
	g_free(whole);
	char **parts = g_strsplit(value, ",", -1);
	for (char **p = parts; *p; p++) {
		char *path = from_dir(d, g_strstrip(*p));

		g_free(*p);
		*p = path;
	}
	whole = g_strjoinv(",", parts);
	g_strfreev(parts);
	return whole;
}

static usec_t to_usec(double seconds)
{
	return llround(seconds * 1e6);
}

/* ---- where the scenario is ---- */

static bool beside(const char *dir, const char *name)
{
	char *path = g_build_filename(dir, name, NULL);
	bool there = g_file_test(path, G_FILE_TEST_IS_REGULAR);

	g_free(path);
	return there;
}

/* The JSON file that PATH stands for, and what kind of file it is. NULL after reporting. */
static char *find_file(struct loader *d, const char *path)
{
	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		d->dir = g_strdup(path);
		d->kind = beside(path, "scenario.json") ? SCENARIO_FILE : SCENARIO_RECORD;
		if (d->kind == SCENARIO_FILE || (beside(path, "slurm.conf") && beside(path, "jobs.json")))
			return g_build_filename(path, d->kind == SCENARIO_FILE ? "scenario.json" : "jobs.json", NULL);
		diag_error(d->diag, path, 0, 0, "a scenario's folder holds scenario.json, or slurm.conf and jobs.json",
		           "no scenario in this folder");
		return NULL;
	}
	if (!g_str_has_suffix(path, ".json") && g_file_test(path, G_FILE_TEST_EXISTS)) {
		diag_error(
		    d->diag, path, 0, 0,
		    "give a scenario.json or its folder; a trace is given as --trace FILE, a slurm.conf as --conf FILE",
		    "this is not a scenario");
		return NULL;
	}
	d->dir = g_path_get_dirname(path);
	d->kind = g_str_has_suffix(path, "jobs.json") && beside(d->dir, "slurm.conf") ? SCENARIO_RECORD : SCENARIO_FILE;
	return g_strdup(path);
}

static void read_file(struct loader *d)
{
	char *path;

	if (!d->o->path)
		return;
	path = find_file(d, d->o->path);
	if (!path || !json_text_read(&d->text, path, d->diag)) {
		d->syntax_bad = true;
		g_free(path);
		return;
	}
	add_input(d, "scenario", path);
	scenario_values_read(&d->text, d->kind, &d->v, d->diag);
	g_free(path);
}

static char *base_name(const char *path)
{
	char *full = g_canonicalize_filename(path, NULL), *name = g_path_get_basename(full);

	g_free(full);
	return name;
}

static void read_names(struct loader *d)
{
	const char *from = d->o->path ? d->dir : d->o->trace ? d->o->trace : d->o->conf;

	d->s->name = d->v.name ? g_strdup(d->v.name) : base_name(from ? from : ".");
	d->s->about = g_strdup(d->v.about);
	if (d->v.users) {
		d->s->users = g_ptr_array_new_with_free_func(g_free);
		scenario_read_names(&d->text, d->v.users, d->s->users, d->diag);
	}
	if (d->v.snapshots)
		d->s->snapshots = scenario_read_seconds(&d->text, d->v.snapshots, &d->s->n_snapshots, d->diag);
}

/* ---- how it is simulated ---- */

static void read_version(struct loader *d)
{
	const char *text = d->o->slurm_version ? d->o->slurm_version : d->v.slurm_version;

	d->version = SLURM_26;
	d->s->slurm_version = "26.05";
	if (!text || strcmp(text, "26.05") == 0)
		return;
	if (strcmp(text, "22.05") == 0) {
		d->version = SLURM_22_05;
		d->s->slurm_version = "22.05";
		return;
	}
	bad_value(d, d->o->slurm_version, "--slurm-version", "slurm_version", text,
	          "known releases are 26.05 and 22.05");
}

/* --set comes after the file's "set", so that it wins. */
static void read_set(struct loader *d)
{
	if (d->v.set)
		scenario_read_set(&d->text, d->v.set, d->s->settings, d->diag);
	for (char **p = d->o->set; p && *p; p++) {
		size_t n = strcspn(*p, "=");

		/* a token of a comma list may stand without a value: SchedulerParameters.defer */
		if (n == 0 || ((*p)[n] == '\0' && !memchr(*p, '.', n)))
			bad_value(d, true, "--set", NULL, *p,
			          "write Key=Value, as in slurm.conf, or SchedulerParameters.bf_window=4320");
		else
			g_ptr_array_add(d->s->settings, g_strdup(*p));
	}
	for (guint i = 0; i < d->s->settings->len; i++)
		g_ptr_array_add(d->overrides, g_strdup(d->s->settings->pdata[i]));
}

static void read_latencies(struct loader *d)
{
	static const struct {
		const char *name;
		enum release_mode mode;
	} RELEASES[] = {
	    {"message", RELEASE_MESSAGE}, {"reply", RELEASE_REPLY}, {"reply-at-tick", RELEASE_REPLY_AT_TICK}};
	size_t i = 0;

	if (d->v.tick_phase >= 1)
		json_text_error(&d->text, cJSON_GetObjectItemCaseSensitive(d->text.root, "tick_phase"), d->diag,
		                "the controller's loop turns once a second: write 0 or more, and less than 1",
		                "bad value of \"tick_phase\"");
	if (d->v.tick_slip >= 1)
		json_text_error(&d->text, cJSON_GetObjectItemCaseSensitive(d->text.root, "tick_slip"), d->diag,
		                "so much longer than a second does a turn of the controller's loop take: write 0 or more, and less than 1",
		                "bad value of \"tick_slip\"");
	d->s->sim.tick_phase = to_usec(d->v.tick_phase);
	d->s->sim.tick_slip = to_usec(d->v.tick_slip);
	d->s->sim.backfill_phase = to_usec(d->v.backfill_phase);
	d->s->sim.decay_phase = to_usec(d->v.decay_phase);
	d->s->sim.launch_latency = to_usec(d->v.launch_latency);
	d->s->sim.epilog_latency = to_usec(d->v.epilog_latency);
	d->s->sim.kill_latency = to_usec(d->v.kill_latency);
	if (cJSON_HasObjectItem(d->text.root, "boot_time"))
		d->s->sim.boot_time = to_usec(d->v.boot_time);
	if (!d->v.release)
		return;
	while (i < G_N_ELEMENTS(RELEASES) && strcmp(RELEASES[i].name, d->v.release))
		i++;
	if (i < G_N_ELEMENTS(RELEASES))
		d->s->sim.release = RELEASES[i].mode;
	else
		bad_value(d, false, NULL, "release", d->v.release, "write message, reply or reply-at-tick");
}

static void stretch(const void *data, const struct controller *c, const struct job *job, struct sim_stretch *out)
{
	struct placement_cost cost;

	placement_cost(data, c, job, &cost);
	out->factor = cost.factor;
	out->class = cost.class->name;
	g_strlcpy(out->why, cost.why, sizeof out->why);
}

/* "off", or the class of jobs that name none. */
static void read_placement(struct loader *d)
{
	const char *text = d->o->placement_model ? d->o->placement_model : d->v.placement_model;
	const struct placement_class *class = text ? placement_find(text) : NULL;

	if (!text || strcmp(text, "off") == 0)
		return;
	if (!class) {
		bad_value(d, d->o->placement_model, "--placement-model", "placement_model", text,
		          "write the class of jobs that name none: cnn, dense, comm or none; or off");
		return;
	}
	d->s->sim.stretch = stretch;
	d->s->sim.stretch_data = class;
	d->s->placement_model = class->name;
}

static void read_pins(struct loader *d, const char *file)
{
	GError *problem = NULL;
	char *path = d->o->clock ? g_strdup(file) : input_path(d, NULL, file);

	d->s->sim.clock = CLOCK_PINNED;
	d->s->sim.pins = sim_read_pins(path, d->s->sim.start, &problem);
	if (!d->s->sim.pins) {
		diag_error(d->diag, NULL, 0, 0, NULL, "%s", problem->message);
		g_error_free(problem);
	}
	add_input(d, "pinned", path);
	g_free(path);
}

static void read_clock(struct loader *d)
{
	const char *text = d->o->clock ? d->o->clock : d->v.clock ? d->v.clock : "slurm";

	d->s->clock = g_strdup(text);
	read_placement(d);
	d->s->sim.naive = d->o->naive;
	d->s->sim.audit = d->o->audit;
	if (strcmp(text, "slurm") == 0)
		d->s->sim.clock = CLOCK_SLURM;
	else if (strcmp(text, "ideal") == 0)
		d->s->sim.clock = CLOCK_IDEAL;
	else if (g_str_has_prefix(text, "pinned:") && text[7])
		read_pins(d, text + 7);
	else
		bad_value(d, d->o->clock, "--clock", "clock", text, "write slurm, ideal or pinned:FILE");
}

static void read_cost(struct loader *d)
{
	const char *text = d->o->controller_cost ? d->o->controller_cost : d->v.controller_cost;
	GError *problem = NULL;
	struct controller_cost cost;

	if (!text)
		return;
	/* a word is a preset, KEY=VALUE is itself, all else a file beside the scenario */
	char *path = strchr(text, '=') || d->o->controller_cost ? g_strdup(text) : input_path(d, NULL, text);
	bool is_file = g_file_test(path, G_FILE_TEST_IS_REGULAR);
	d->s->controller_cost = g_strdup(text);
	if (!controller_cost_parse(is_file ? path : text, &cost, &problem)) {
		bad_value(d, d->o->controller_cost, "--controller-cost", "controller_cost", text, problem->message);
		g_error_free(problem);
	} else if (d->s->sim.clock != CLOCK_SLURM && strcmp(text, "instant")) {
		bad_value(d, d->o->controller_cost, "--controller-cost", "controller_cost", text,
		          "only the slurm clock lets the controller's work take time: leave it out, or --clock");
	} else {
		d->s->sim.cost = cost;
		if (is_file)
			add_input(d, "controller_cost", path);
	}
	g_free(path);
}

/* ---- what is simulated ---- */

static void open_trace(struct loader *d)
{
	struct workload_options w = {
	    .format = d->o->format ? d->o->format : d->v.format,
	    .strict = d->o->strict,
	    .columns = d->o->columns ? d->o->columns : d->v.columns,
	    .swf_whole_nodes = d->o->swf_whole_nodes || d->v.swf_whole_nodes,
	    .raise_limits = d->o->raise_limits || d->v.raise_limits,
	};
	GError *problem = NULL;
	guint64 max_jobs = 0;

	if (d->o->max_jobs && !g_ascii_string_to_unsigned(d->o->max_jobs, 10, 1, G_MAXUINT32, &max_jobs, NULL))
		bad_value(d, true, "--max-jobs", NULL, d->o->max_jobs, "write a number of jobs, 1 or more");
	w.max_jobs = (uint32_t)max_jobs;
	d->trace = input_path(d, d->o->trace, d->v.trace);
	if (!d->trace)
		return;
	d->s->workload = workload_open(d->trace, &w, &problem);
	if (!d->s->workload) {
		diag_error(d->diag, NULL, 0, 0, NULL, "%s", problem->message);
		g_error_free(problem);
		return;
	}
	add_input(d, "trace", d->trace);
	d->first = workload_next(d->s->workload);
	if (d->first)
		g_ptr_array_add(d->s->submissions, d->first);
}

/* What of the command line changes how the trace is read. */
static void note_changes(struct loader *d)
{
	if (d->o->swf_whole_nodes)
		g_ptr_array_add(d->s->settings, g_strdup("swf_whole_nodes=true"));
	if (d->o->raise_limits)
		g_ptr_array_add(d->s->settings, g_strdup("raise_limits=true"));
	if (d->o->max_jobs)
		g_ptr_array_add(d->s->settings, g_strdup_printf("max_jobs=%s", d->o->max_jobs));
	if (d->o->until)
		g_ptr_array_add(d->s->settings, g_strdup_printf("until=%s", d->o->until));
}

static void find_site_files(struct loader *d)
{
	d->conf = input_path(d, d->o->conf, d->kind == SCENARIO_RECORD ? "slurm.conf" : d->v.conf);
	d->gres = input_path(d, d->o->gres, d->v.gres);
	d->accounting = input_path(d, d->o->accounting, d->v.accounting);
	if (d->kind == SCENARIO_RECORD && !d->accounting && beside(d->dir, "assoc.sacctmgr"))
		d->accounting = g_build_filename(d->dir, "assoc.sacctmgr", NULL);
	d->topology = input_path(d, d->o->topology, d->v.topology);
	if (!d->accounting && d->conf && g_file_test(d->conf, G_FILE_TEST_IS_DIR)) { /* a folder may hold both */
		char **files = site_acct_files(d->conf);

		d->accounting = *files ? g_strdup(d->conf) : NULL;
		g_strfreev(files);
	}
}

/* The topology file beside slurm.conf that its reader takes when none is named. */
static void find_topology(struct loader *d, const char *dir)
{
	bool yaml = d->version != SLURM_22_05 && beside(dir, "topology.yaml");
	const char *name = yaml ? "topology.yaml" : "topology.conf";

	if (!d->topology && d->s->cluster && d->s->cluster->topologies->len && beside(dir, name))
		d->topology = strcmp(dir, ".") ? g_build_filename(dir, name, NULL) : g_strdup(name);
	if (d->topology)
		add_input(d, "topology", d->topology);
}

/* The section of "scontrol show config". */
static void read_shown_cgroup(struct loader *d)
{
	char **files = site_conf_files(d->conf);

	for (char **f = files; *f; f++) {
		char *text = conflex_load(*f, CONFLEX_FILE_MAX, NULL);
		const char *section = text && site_conf_kind(text) == SITE_SHOW_CONFIG
		                          ? strstr(text, "\nCgroup Support Configuration:") : NULL;

		if (section)
			cgroup_conf_read_text(d->s->cgroup, section + 1, *f, d->diag);
		g_free(text);
	}
	g_strfreev(files);
}

static uint64_t memory_limit(void *data, uint64_t held, uint64_t real)
{
	return cgroup_conf_limit(data, held, real);
}

/* cgroup.conf beside slurm.conf, or the one that the scenario names. */
static void read_cgroup(struct loader *d, const char *dir)
{
	char *path = d->v.cgroup ? input_path(d, NULL, d->v.cgroup) : NULL;

	if (!path && beside(dir, "cgroup.conf"))
		path = strcmp(dir, ".") ? g_build_filename(dir, "cgroup.conf", NULL) : g_strdup("cgroup.conf");
	if (!path)
		read_shown_cgroup(d);
	if (path) {
		cgroup_conf_read(d->s->cgroup, path, d->diag);
		add_input(d, "cgroup", path);
	}
	if (d->s->cgroup->constrain_ram) {
		d->s->sim.memory_limit = memory_limit;
		d->s->sim.memory_limit_data = d->s->cgroup;
	}
	g_free(path);
}

/* {"n[1-4]": "dgx_h100"} */
static void read_hardware(struct loader *d, struct gres_hardware *hw, const char *folder)
{
	const cJSON *item;

	hw->folder = folder;
	hw->named = g_ptr_array_new_with_free_func(gres_model_of_free);
	cJSON_ArrayForEach(item, d->v.hardware)
	{
		if (!cJSON_IsString(item) || !*item->valuestring) {
			json_text_error(&d->text, item, d->diag, "write {\"n[1-4]\": \"dgx_h100\"}", "bad value of \"%s\"", item->string);
			continue;
		}
		struct gres_model_of *m = g_new0(struct gres_model_of, 1);
		bool file = strchr(item->valuestring, '/') || g_str_has_suffix(item->valuestring, ".json");
		char *name = file ? NULL : g_strconcat(item->valuestring, ".json", NULL);

		m->nodes = g_strdup(item->string);
		m->path = file ? from_dir(d, item->valuestring) : g_build_filename(folder ? folder : ".", name, NULL);
		g_free(name);
		g_ptr_array_add(hw->named, m);
		add_input(d, "hardware", m->path);
	}
}

/* How it is read again later (changed_conf.h). Takes NAMED. */
static void keep_source(struct loader *d, GPtrArray *named)
{
	struct conf_source *s = d->s->source = conf_source_new();

	s->version = d->version;
	s->dir = g_strdup(d->dir);
	s->conf = g_strdup(d->conf);
	s->gres = g_strdup(d->gres);
	s->topology = g_strdup(d->topology);
	s->accounting = g_strdup(d->accounting);
	s->overrides = g_ptr_array_ref(d->overrides);
	s->hardware = named;
}

/* A file of the folder that is the configuration (a snapshot); NULL = no folder, or not there. */
static char *beside_conf(const struct loader *d, const char *name)
{
	char *path = g_file_test(d->conf, G_FILE_TEST_IS_DIR) ? g_build_filename(d->conf, name, NULL) : NULL;

	if (path && g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return path;
	g_free(path);
	return NULL;
}

static void read_conf(struct loader *d)
{
	struct gres_hardware hw = {NULL, NULL};
	char *folder = node_model_folder();
	struct slurmconf_options so = {
	    .version = d->version, .gres_path = d->gres, .topology_path = d->topology, .accounting_path = d->accounting,
	    .overrides = d->overrides, .origins = d->s->origins};
	char *groups = d->v.groups ? input_path(d, NULL, d->v.groups) : beside_conf(d, "groups");
	char *dir = g_file_test(d->conf, G_FILE_TEST_IS_DIR) ? g_strdup(d->conf) : g_path_get_dirname(d->conf);

	read_hardware(d, &hw, folder);
	so.hardware = &hw;
	so.groups_path = groups;
	d->s->cluster = slurmconf_read(d->conf, &so, d->diag);
	if (groups)
		add_input(d, "groups", groups);
	g_free(groups);
	keep_source(d, hw.named);
	g_free(folder);
	add_inputs(d, "conf", site_conf_files(d->conf));
	if (d->gres) {
		add_input(d, "gres", d->gres);
	} else if (beside(dir, "gres.conf")) {
		d->gres = strcmp(dir, ".") ? g_build_filename(dir, "gres.conf", NULL) : g_strdup("gres.conf");
		add_input(d, "gres", d->gres);
	}
	find_topology(d, dir);
	read_cgroup(d, dir);
	if (d->accounting)
		add_inputs(d, "accounting", site_acct_files(d->accounting));
	g_free(dir);
}

/* What a cluster made from a header has unless --set says otherwise: no site limits the queue, and ages count. */
static GPtrArray *header_settings(const struct loader *d)
{
	GPtrArray *all = g_ptr_array_new();

	g_ptr_array_add(all, "MaxJobCount=10000000");
	g_ptr_array_add(all, "AccountingStorageType=accounting_storage/slurmdbd");
	for (guint i = 0; d->overrides && i < d->overrides->len; i++)
		g_ptr_array_add(all, d->overrides->pdata[i]);
	return all;
}

static void make_cluster(struct loader *d)
{
	const struct workload_info *info = workload_info(d->s->workload);
	uint64_t nodes = info->max_nodes ? info->max_nodes : info->max_procs;
	uint64_t cpus = info->max_procs > nodes ? (info->max_procs + nodes - 1) / nodes : 1;

	if (!nodes) {
		diag_error(d->diag, d->trace, 0, 0, "give the cluster as --conf slurm.conf",
		           "this trace does not tell its machine (no MaxNodes or MaxProcs in a header)");
		return;
	}
	if (d->accounting) {
		diag_error(d->diag, d->accounting, 0, 0, "give --conf slurm.conf as well",
		           "an accounting file needs a cluster that is configured");
		return;
	}
	GPtrArray *settings = header_settings(d);

	d->s->cluster = cluster_from_header(nodes, cpus, d->version, settings, d->s->origins, d->diag);
	g_ptr_array_unref(settings);
	diag_warn(d->diag, d->trace, 0, 0, NULL,
	          "no slurm.conf given: a cluster of %" G_GUINT64_FORMAT " nodes with %" G_GUINT64_FORMAT
	          " CPUs each is made from the trace's header",
	          nodes, cpus);
}

static void read_cluster(struct loader *d)
{
	find_site_files(d);
	if (d->conf)
		read_conf(d);
	else if (d->trace && !d->gres && !d->topology && d->s->workload)
		make_cluster(d);
	else if (!d->trace || d->gres || d->topology)
		diag_error(d->diag, d->text.path, 0, 0,
		           "add \"conf\": \"slurm.conf\" to the scenario, or --conf slurm.conf",
		           "there is no slurm.conf");
}

/* ---- when ---- */

static void read_trace_start(struct loader *d)
{
	sec_t told = d->s->workload ? workload_info(d->s->workload)->unix_start : 0;
	usec_t first = d->first ? d->first->at : told * USEC;

	d->s->sim.start = told > 0 && told * USEC <= first ? told * USEC : usec_to_sec(first) * USEC;
}

static void read_start(struct loader *d)
{
	sec_t start;

	if (d->trace && !d->v.start) {
		read_trace_start(d);
	} else if (date_parse(d->v.start ? d->v.start : RECORD_START, NULL, &start) && llabs(start) < 100000000000) {
		d->s->sim.start = start * USEC;
		if (d->first && d->first->at < d->s->sim.start)
			bad_value(d, false, NULL, "start", d->v.start,
			          "the trace's first submission is earlier; leave start out");
	} else {
		bad_value(d, false, NULL, "start", d->v.start, "write a date: 2026-01-05T00:00:00");
	}
	d->s->sim.controller_start = d->s->sim.start - (d->trace ? 0 : RECORD_LEAD);
	if (d->v.controller_start_given)
		d->s->sim.controller_start = d->s->sim.start + to_usec(d->v.controller_start);
}

static void read_until(struct loader *d)
{
	const cJSON *item = d->v.until;
	bool given = d->o->until || item, ok = true;
	const char *text = d->o->until ? d->o->until : cJSON_IsString(item) ? item->valuestring : NULL;

	if (!given)
		return;
	if (text)
		ok = scenario_parse_time(text, d->s->sim.start, &d->s->sim.until);
	else
		d->s->sim.until = d->s->sim.start + to_usec(item->valuedouble);
	if (!ok)
		bad_value(d, d->o->until, "--until or --at", "until", text, SCENARIO_TIME_HINT);
	else if (d->s->sim.until < d->s->sim.start)
		bad_value(d, d->o->until, "--until or --at", "until", text ? text : "(negative)",
		          "this is before the run starts");
}

static void read_lists(struct loader *d)
{
	if (d->v.jobs)
		scenario_read_jobs(&d->text, d->v.jobs, d->kind, d->s->sim.start, d->s->submissions, d->diag);
	if (d->v.setup)
		scenario_read_setup(&d->text, d->v.setup, d->s->sim.start, d->s->events, d->diag);
	if (d->v.events)
		scenario_read_events(&d->text, d->v.events, d->s->sim.start, d->s->events, d->s->views, d->s->submissions,
		                     d->version == SLURM_22_05, d->diag);
	if (d->v.site_rules && d->s->cluster) {
		d->s->rules = site_rules_read(&d->text, d->v.site_rules, d->s->cluster->params, d->diag);
		d->s->sim.at_submit = d->s->rules ? site_rules_apply : NULL;
		d->s->sim.at_submit_data = d->s->rules;
	}
	d->s->seed = d->o->seed_given ? d->o->seed : d->v.seed_given ? d->v.seed : 1;
	d->s->sim.seed = d->s->seed;
}

static void read_faults(struct loader *d)
{
	char *path = input_path(d, d->o->faults, d->v.faults);

	if (!path)
		return;
	add_input(d, "faults", path);
	scenario_read_faults(d->s, path, d->diag);
	g_free(path);
}

/* sacctmgr commands are tried on a copy of the accounts, in the order in which they will come. */
static void check_accounting_events(struct loader *d)
{
	struct acct *copy = NULL;

	for (guint i = 0; d->s->cluster && i < d->s->events->len; i++) {
		const struct scenario_event *e = d->s->events->pdata[i];
		if (!g_str_has_prefix(e->command, "sacctmgr") || strstr(e->command, " show ") ||
		    strstr(e->command, " list "))
			continue;
		if (!copy) {
			struct diag *known = diag_new(); /* its errors have been told */
			copy = acct_new(d->s->cluster->tres);
			if (d->accounting)
				accounting_read(d->accounting, copy, known);
			diag_free(known);
		}
		char *name = g_strdup_printf("%s: event at %g: %s", d->text.path,
		                             (double)(e->at - d->s->sim.start) / 1e6, e->command);
		if (accounting_read_text(e->command, name, copy, d->diag) && d->s->cluster->params)
			accounting_check_release(copy, d->s->cluster->params, name, d->diag);
		g_free(name);
	}
	acct_free(copy);
}

/* ---- scontrol reconfigure ---- */

static void later_free(void *data)
{
	struct later_conf *l = data;

	cluster_free(l->cluster);
	g_free(l->path);
	g_free(l);
}

static void read_later(struct loader *d)
{
	for (guint i = 0; d->s->cluster && i < d->s->events->len; i++) {
		const struct scenario_event *e = d->s->events->pdata[i];
		struct command *cmd = command_parse(e->command, e->user, NULL);
		if (cmd && (cmd->verb == COMMAND_RECONFIGURE || cmd->verb == COMMAND_RESTART)) {
			struct later_conf *l = g_new0(struct later_conf, 1);
			char *path = d->s->source ? conf_source_path(d->s->source, cmd->name) : NULL;
			l->path = g_strdup(cmd->name);
			g_ptr_array_add(d->s->later, l);
			if (path && cmd->name)
				add_input(d, "conf", path);
			if (path)
				l->cluster = conf_source_read(d->s->source, path, d->diag);
			g_free(path);
		}
		command_free(cmd);
	}
}

/* ---- all together ---- */

static void loader_begin(struct loader *d)
{
	d->diag = diag_new();
	d->s = g_new0(struct scenario, 1);
	d->overrides = g_ptr_array_new_with_free_func(g_free);
	d->s->origins = conf_origins_new();
	d->s->cgroup = cgroup_conf_new();
	d->s->submissions = g_ptr_array_new_with_free_func((GDestroyNotify)submission_free);
	d->s->events = g_ptr_array_new_with_free_func(scenario_event_free);
	d->s->views = g_ptr_array_new_with_free_func(scenario_event_free);
	d->s->later = g_ptr_array_new_with_free_func(later_free);
	d->s->inputs = g_ptr_array_new_with_free_func(input_free);
	d->s->settings = g_ptr_array_new_with_free_func(g_free);
	d->s->warnings = g_ptr_array_new_with_free_func(g_free);
	sim_options_init(&d->s->sim);
}

static void loader_end(struct loader *d)
{
	json_text_clear(&d->text);
	g_ptr_array_unref(d->overrides);
	g_free(d->dir);
	g_free(d->conf);
	g_free(d->gres);
	g_free(d->topology);
	g_free(d->accounting);
	g_free(d->trace);
	diag_free(d->diag);
}

static void load_parts(struct loader *d)
{
	read_file(d);
	if (d->syntax_bad)
		return;
	read_names(d);
	read_version(d);
	read_set(d);
	open_trace(d);
	read_cluster(d);
	note_changes(d);
	read_start(d);
	read_latencies(d);
	read_clock(d);
	read_cost(d);
	read_until(d);
	read_lists(d);
	read_faults(d);
	read_later(d);
	check_accounting_events(d);
	if (d->v.expect && d->s->cluster)
		scenario_read_expect(&d->text, d->v.expect, d->s, d->diag);
}

static void keep_warnings(struct loader *d)
{
	const struct workload_info *info = d->s->workload ? workload_info(d->s->workload) : NULL;

	for (guint i = 0; i < d->diag->warnings->len; i++)
		g_ptr_array_add(d->s->warnings, g_strdup(d->diag->warnings->pdata[i]));
	for (guint i = 0; info && i < info->notes->len; i++)
		g_ptr_array_add(d->s->warnings,
		                g_strdup_printf("%s: %s", d->trace, (const char *)info->notes->pdata[i]));
}

struct scenario *scenario_load(const struct scenario_options *o, GError **error)
{
	struct loader d = {.o = o};
	struct scenario *s;

	loader_begin(&d);
	if (!o->path && !o->trace && !o->conf)
		diag_error(d.diag, NULL, 0, 0, "give a SCENARIO (a scenario.json or its folder), or --conf and --trace",
		           "nothing to run");
	else
		load_parts(&d);
	s = d.s;
	keep_warnings(&d);
	if (!diag_ok(d.diag, error)) {
		scenario_free(s);
		s = NULL;
	} else if (!s->cluster) { /* a reader that fails says why; this is the last line of defence */
		g_set_error(error, DIAG_ERROR, 0, "the cluster could not be read");
		scenario_free(s);
		s = NULL;
	}
	loader_end(&d);
	return s;
}
