/* options.c - see options.h. */
#include "tools/options.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

void tool_complain(const char *command, const char *format, ...)
{
	va_list args;
	char *text, **lines;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	lines = g_strsplit(text, "\n", -1);
	bool own = slurm_own_name(), marked = g_str_has_prefix(text, "warning: ") || g_str_has_prefix(text, "fatal: ");
	if (own && g_str_has_prefix(command, "whypend "))
		command += strlen("whypend ");
	for (char **line = lines; *line; line++)
		if (**line)
			fprintf(stderr, "%s: %s%s\n", command, own && !marked ? "error: " : "", *line);
	g_strfreev(lines);
	g_free(text);
}

void tool_refuse(const char *command, const char *raw, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (slurm_own_name())
		fprintf(stderr, "%s\n", raw);
	else
		tool_complain(command, "%s", text);
	g_free(text);
}

int tool_flush(const char *command)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_GOOD;
	tool_complain(command, "cannot write the output: %s", g_strerror(errno));
	return EXIT_RUN;
}

/* What of the run options matters when nothing is run. */
static void add_file_options(GOptionContext *context, struct tool_options *o)
{
	const GOptionEntry entries[] = {{"slurm-version", 0, 0, G_OPTION_ARG_FILENAME, &o->slurm_version,
	                                 "release to follow: 26.05 (default) or 22.05", "RELEASE"},
	                                G_OPTION_ENTRY_NULL};

	g_option_context_add_main_entries(context, entries, NULL);
}

static void add_site_options(GOptionContext *context, struct tool_options *o)
{
	const GOptionEntry entries[] = {
	    {"conf", 0, 0, G_OPTION_ARG_FILENAME, &o->conf, "slurm.conf of the cluster; or outputs of scontrol show, as FILE,FILE or a folder", "FILE"},
	    {"gres", 0, 0, G_OPTION_ARG_FILENAME, &o->gres, "gres.conf (default: the one beside slurm.conf)", "FILE"},
	    {"topology", 0, 0, G_OPTION_ARG_FILENAME, &o->topology,
	     "topology.conf or topology.yaml (default: the one beside slurm.conf)", "FILE"},
	    {"accounting", 0, 0, G_OPTION_ARG_FILENAME, &o->accounting,
	     "sacctmgr dump or commands, tables of sacctmgr -P and sshare -P, as FILE,FILE or a folder", "FILE"},
	    {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->set,
	     "change a setting of slurm.conf; SchedulerParameters.bf_window=4320 changes one token of a list (may be "
	     "repeated)",
	     "KEY=VALUE"},
	    G_OPTION_ENTRY_NULL};

	g_option_context_add_main_entries(context, entries, NULL);
}

/* Where --format is the command's own, as in Slurm, the trace's is --trace-format. */
static bool has_own_format(const GOptionEntry *own)
{
	for (; own && own->long_name; own++)
		if (strcmp(own->long_name, "format") == 0)
			return true;
	return false;
}

static void add_trace_options(GOptionContext *context, struct tool_options *o, const GOptionEntry *own)
{
	const GOptionEntry entries[] = {
	    {"trace", 0, 0, G_OPTION_ARG_FILENAME, &o->trace, "jobs to replay, plain or gzip", "FILE"},
	    {has_own_format(own) ? "trace-format" : "format", 0, 0, G_OPTION_ARG_FILENAME, &o->format,
	     "swf, sacct or jsonl (default: by name and first line)", "NAME"},
	    {"columns", 0, 0, G_OPTION_ARG_FILENAME, &o->columns, "columns of a sacct trace that has no header line",
	     "LIST"},
	    {"max-jobs", 0, 0, G_OPTION_ARG_FILENAME, &o->max_jobs, "replay only the first N submissions", "N"},
	    {"swf-whole-nodes", 0, 0, G_OPTION_ARG_NONE, &o->swf_whole_nodes, "SWF: jobs get whole nodes", NULL},
	    {"raise-limits", 0, 0, G_OPTION_ARG_NONE, &o->raise_limits, "a run time above the limit raises the limit",
	     NULL},
	    {"strict", 0, 0, G_OPTION_ARG_NONE, &o->strict, "a trace line that cannot be replayed is an error", NULL},
	    G_OPTION_ENTRY_NULL};

	g_option_context_add_main_entries(context, entries, NULL);
}

static void add_run_options(GOptionContext *context, struct tool_options *o, int which)
{
	const GOptionEntry until = {
	    "until", 0, 0, G_OPTION_ARG_FILENAME, &o->until, "stop then: 3600 (seconds), 2-00:00:00, or a date (UTC)",
	    "TIME"};
	const GOptionEntry at = {
	    "at",  0, 0, G_OPTION_ARG_FILENAME, &o->until, "the moment: 3600 (seconds), 2-00:00:00, or a date (UTC)",
	    "TIME"};
	const GOptionEntry when[] = {which & OPTIONS_AT ? at : until, G_OPTION_ENTRY_NULL};
	const GOptionEntry entries[] = {
	    {"clock", 0, 0, G_OPTION_ARG_FILENAME, &o->clock, "slurm (default), ideal, or pinned:FILE", "CLOCK"},
	    {"controller-cost", 0, 0, G_OPTION_ARG_FILENAME, &o->controller_cost,
	     "time that the controller's own work takes: instant (default), small, large, "
	     "KEY=VALUE,... (pass, main_job, bf_job, node, start in microseconds), or a file of \"whypend calibrate\"",
	     "COST"},
	    {"slurm-version", 0, 0, G_OPTION_ARG_FILENAME, &o->slurm_version,
	     "release to follow: 26.05 (default) or 22.05", "RELEASE"},
	    {"seed", 0, 0, G_OPTION_ARG_FILENAME, &o->seed, "seed of all randomness (default: 1)", "N"},
	    {"placement-model", 0, 0, G_OPTION_ARG_FILENAME, &o->placement_model,
	     "let bad placement stretch run times of GPU jobs; CLASS (cnn, dense, comm, none) is that of jobs without "
	     "placement:CLASS in their --comment",
	     "CLASS"},
	    {"faults", 0, 0, G_OPTION_ARG_FILENAME, &o->faults,
	     "failures of nodes: CSV time,node,state,reason; what sacctmgr -P show event or sinfo -R prints; or a JSON model as "
	     "models/failure_rates.json", "FILE"},
	    {"naive", 0, 0, G_OPTION_ARG_NONE, &o->naive, "skip no tick and no pass: slow, with the same result", NULL},
	    {"audit", 0, 0, G_OPTION_ARG_NONE, &o->audit,
	     "check after every event that nothing is held twice and that what is held is what the jobs hold; slow", NULL},
	    {"quiet", 0, 0, G_OPTION_ARG_NONE, &o->quiet, "neither progress nor warnings", NULL},
	    G_OPTION_ENTRY_NULL};

	g_option_context_add_main_entries(context, when, NULL);
	g_option_context_add_main_entries(context, entries, NULL);
}

/* Under a command's own name in Slurm's words. */
static void complain_usage(const struct tool_options *o, const GError *error)
{
	const char *name = strrchr(error->message, ' '), *own = o->command;

	if (slurm_own_name() && g_str_has_prefix(own, "whypend "))
		own += strlen("whypend ");
	if (slurm_own_name() && g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
		fprintf(stderr, "%s: unrecognized option '%s'\nTry \"%s --help\" for more information\n", own,
		        name ? name + 1 : error->message, own);
	else
		tool_complain(o->command, "%s; see \"%s --help\"", error->message, own);
}

bool tool_options_parse(struct tool_options *o, int argc, char **argv, int which, const struct tool_usage *usage,
                        const GOptionEntry *own)
{
	const GOptionEntry rest[] = {
	    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->rest, NULL, usage->operands},
	    G_OPTION_ENTRY_NULL};
	GOptionContext *context = g_option_context_new(NULL);
	GError *error = NULL;
	bool ok;

	memset(o, 0, sizeof *o);
	o->command = usage->command;
	o->looks_at_moment = which >= 0 && which & OPTIONS_AT;
	g_set_prgname(usage->command);
	g_option_context_set_summary(context, usage->summary);
	g_option_context_set_description(context, usage->examples);
	g_option_context_add_main_entries(context, rest, NULL);
	if (own)
		g_option_context_add_main_entries(context, own, NULL);
	if (which >= 0) {
		add_site_options(context, o);
		add_trace_options(context, o, own);
		(which & OPTIONS_FILES ? add_file_options(context, o) : add_run_options(context, o, which));
	}
	char **words = g_memdup2(argv, ((gsize)argc + 1) * sizeof *argv);
	if (which >= 0 && which & OPTIONS_SLURM) {
		slurm_options_add(context, &o->slurm, own);
		slurm_options_take_json(&o->slurm, argc, words, own);
	}
	ok = g_option_context_parse(context, &argc, &words, &error);
	if (!ok) {
		complain_usage(o, error);
		g_error_free(error);
	}
	g_option_context_free(context);
	g_free(words);
	return ok && (which < 0 || !(which & OPTIONS_SLURM) ||
	              slurm_options_answer(&o->slurm, o->command, usage->operands, g_strcmp0(o->slurm_version, "22.05") == 0));
}

static bool parse_seed(struct tool_options *o)
{
	guint64 seed;

	if (!o->seed)
		return true;
	if (!g_ascii_string_to_unsigned(o->seed, 10, 0, G_MAXUINT64, &seed, NULL)) {
		tool_complain(o->command, "--seed: bad value \"%s\"; write a whole number, 0 or more", o->seed);
		return false;
	}
	o->scenario.seed_given = true;
	o->scenario.seed = seed;
	return true;
}

bool tool_options_scenario(struct tool_options *o)
{
	if (o->rest && o->rest[0] && o->rest[1]) {
		tool_complain(o->command, "one SCENARIO at a time; \"%s\" is too many", o->rest[1]);
		return false;
	}
	const char *path = o->rest ? o->rest[0] : NULL;
	if (!path && !o->conf && !o->trace) { /* scripts that know nothing of scenarios */
		path = g_getenv("WHYPEND_SCENARIO");
		if (path && o->looks_at_moment && !o->until)
			o->until = g_strdup(g_getenv("WHYPEND_AT"));
	}
	o->scenario = (struct scenario_options){
	    .path = path,
	    .conf = o->conf,
	    .gres = o->gres,
	    .topology = o->topology,
	    .faults = o->faults,
	    .accounting = o->accounting,
	    .trace = o->trace,
	    .format = o->format,
	    .columns = o->columns,
	    .set = o->set,
	    .until = o->until,
	    .clock = o->clock,
	    .controller_cost = o->controller_cost,
	    .slurm_version = o->slurm_version,
	    .max_jobs = o->max_jobs,
	    .placement_model = o->placement_model,
	    .strict = o->strict,
	    .naive = o->naive,
	    .audit = o->audit,
	    .swf_whole_nodes = o->swf_whole_nodes,
	    .raise_limits = o->raise_limits,
	};
	return parse_seed(o);
}

char *tool_options_take(struct tool_options *o)
{
	if (!o->rest || !o->rest[0])
		return NULL;
	char *first = o->rest[0];

	for (char **r = o->rest; *r; r++)
		r[0] = r[1];
	if (!o->rest[0])
		g_clear_pointer(&o->rest, g_strfreev);
	return first;
}

void tool_options_clear(struct tool_options *o)
{
	char *texts[] = {o->conf,    o->gres,  o->topology, o->accounting,    o->trace,    o->format,
	                 o->columns, o->until, o->clock,    o->slurm_version, o->max_jobs, o->seed, o->placement_model, o->controller_cost,
	                 o->faults};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	g_strfreev(o->set);
	g_strfreev(o->rest);
	slurm_options_clear(&o->slurm);
	memset(o, 0, sizeof *o);
}
