/* cmd_compare.c - whypend compare: sides from the command line, runs, output. */
#include "scenarios/scenario_parts.h"
#include "tools/commands.h"
#include "tools/compare.h"
#include "tools/options.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend compare",
    .operands = "A.db B.db [C.db...] | SCENARIO [SCENARIO...]",
    .summary =
        "Two or more runs of one trace side by side: what differs in the configuration, who waits less and who more,\n"
        "with 95 % intervals, and the jobs that changed most with the reasons on both sides. From run.db files; or a\n"
        "scenario is run with each --conf, --accounting or --with, on all cores. The first side is A; the others are "
        "compared with it.",
    .examples =
        "Examples:\n"
        "  whypend compare before.db after.db\n"
        "  whypend compare scenarios/first-look --with SchedulerParameters.bf_window=240\n"
        "  whypend compare --conf slurm.conf --conf new/slurm.conf --trace jobs.sacct.gz --replicas 10 --markdown\n"
        "  whypend compare site --with PriorityWeightAge=5000 --with 'PriorityWeightAge=5000;PriorityMaxAge=1-0' --by "
        "user\n"
        "  whypend compare before.db after.db --by qos=gold\n\n"
        "--with KEY=VALUE[;KEY=VALUE...] is the scenario with these settings; A is then the scenario without any. "
        "--set holds for all.\n"
        "Without --replicas the intervals come from windows of the one run; with it, from N runs of each side with "
        "arrivals and\n"
        "run times drawn anew from the trace's own spread, the same for every side. Replicas of a long trace are "
        "windows of it\n"
        "(--windows SPAN, or whole). The same --seed gives the same bytes on any number of --processes.",
};

enum { MOST_SIDES = 26 };

struct compare_options {
	char **with;
	char *replicas, *windows, *by, *processes;
	gboolean csv, json, markdown;
	GPtrArray *confs, *accountings; /* of char *: every one given */
};

/* ---- options given several times ---- */

/* Take --NAME VALUE and --NAME=VALUE out of the arguments into LIST, which gets them all; the first stays. */
static int take_repeated(int argc, char **argv, const char *name, GPtrArray *list)
{
	size_t n = strlen(name);
	int to = 0;

	for (int i = 0; i < argc; i++) {
		bool is = i && g_str_has_prefix(argv[i], "--") && strncmp(argv[i] + 2, name, n) == 0;
		bool joined = is && argv[i][2 + n] == '=', apart = is && !argv[i][2 + n] && i + 1 < argc;
		if (joined || apart)
			g_ptr_array_add(list, g_strdup(joined ? argv[i] + n + 3 : argv[i + 1]));
		if ((joined || apart) && list->len > 1) {
			i += apart;
			continue;
		}
		argv[to++] = argv[i];
		if (apart)
			argv[to++] = argv[++i];
	}
	argv[to] = NULL;
	return to;
}

static bool read_number(const char *option, const char *text, guint64 low, guint64 high, guint64 *out)
{
	if (!text || g_ascii_string_to_unsigned(text, 10, low, high, out, NULL))
		return true;
	tool_complain(USAGE.command,
	              "%s: bad value \"%s\"; write a number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, option,
	              text, low, high);
	return false;
}

/* A number of windows, or how long each is. */
static bool read_windows(const char *text, struct compare_plan *plan)
{
	guint64 n;
	usec_t span;

	if (!text)
		return true;
	if (strcmp(text, "whole") == 0) {
		plan->windows = -1;
		return true;
	}
	if (g_ascii_string_to_unsigned(text, 10, 1, 1000, &n, NULL)) {
		plan->windows = (int64_t)n;
		return true;
	}
	if (strpbrk(text, ":-") && scenario_parse_time(text, 0, &span) && span > 0) {
		plan->span = span;
		return true;
	}
	tool_complain(USAGE.command,
	              "--windows: bad value \"%s\"; write a number of windows up to 1000, their length as 12:00:00 or "
	              "1-00:00:00, or whole",
	              text);
	return false;
}

static bool read_plan(const struct compare_options *o, const struct tool_options *options, struct compare_plan *plan)
{
	guint64 replicas = 0, processes = 0;

	*plan = (struct compare_plan){.seed = options->scenario.seed_given ? options->scenario.seed : 1};
	if (!read_number("--replicas", o->replicas, 1, 10000, &replicas) ||
	    !read_number("--processes", o->processes, 1, 1024, &processes) || !read_windows(o->windows, plan))
		return false;
	plan->replicas = (uint32_t)replicas;
	plan->processes = (uint32_t)processes;
	return true;
}

static bool read_by(const struct compare_options *o, struct job_class *class)
{
	GError *error = NULL;

	if (!o->by || job_class_parse(o->by, class, &error))
		return true;
	tool_complain(USAGE.command, "--by: %s", error->message);
	g_error_free(error);
	return false;
}

/* ---- sides ---- */

static bool is_record(const char *path)
{
	char start[16] = "";
	FILE *f = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
	bool is = f && fread(start, 1, sizeof start, f) == sizeof start && memcmp(start, "SQLite format 3", 16) == 0;

	if (f)
		fclose(f);
	return is;
}

static bool add_side(GPtrArray *sides, const char *what, const struct scenario_options *options)
{
	if (sides->len == MOST_SIDES) {
		tool_complain(USAGE.command, "%d sides are the most", MOST_SIDES);
		return false;
	}
	g_ptr_array_add(sides, compare_side_new((char)('A' + sides->len), what, options));
	return true;
}

static bool records_only(char **paths, guint n, guint n_records)
{
	if (n_records == n)
		return true;
	for (char **p = paths; *p; p++)
		if (!is_record(*p)) {
			tool_complain(USAGE.command, "%s: %s", *p,
			              g_file_test(*p, G_FILE_TEST_EXISTS)
			                  ? "this is no run.db; name run.db files or scenarios, not both"
			                  : "there is no such file");
			return false;
		}
	return true;
}

static bool from_records(GPtrArray *sides, char **paths, const struct compare_options *o)
{
	GError *error = NULL;

	if (o->with || o->confs->len || o->accountings->len || o->replicas) {
		tool_complain(USAGE.command, "--with, --conf, --accounting and --replicas need a scenario: a run.db "
		                             "holds what happened, not what could have");
		return false;
	}
	for (char **p = paths; *p; p++) {
		if (!add_side(sides, *p, NULL))
			return false;
		if (!compare_read_run(sides->pdata[sides->len - 1], *p, &error)) {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
			return false;
		}
	}
	if (sides->len < 2) {
		tool_complain(USAGE.command, "one file only: name the run.db to compare %s with", paths[0]);
		return false;
	}
	return true;
}

/* What is owned by the sides of scenarios. */
struct owned {
	GPtrArray *options, *sets;
};

static struct scenario_options *copy_options(struct owned *owned, const struct scenario_options *from)
{
	struct scenario_options *o = g_memdup2(from, sizeof *from);

	g_ptr_array_add(owned->options, o);
	return o;
}

/* The settings of all, then those of this side. */
static char **join_settings(struct owned *owned, char **all, const char *with)
{
	GStrvBuilder *b = g_strv_builder_new();
	char **more = g_strsplit(with, ";", -1), **out;

	for (char **s = all; s && *s; s++)
		g_strv_builder_add(b, *s);
	for (char **s = more; *s; s++)
		if (*g_strstrip(*s))
			g_strv_builder_add(b, *s);
	out = g_strv_builder_end(b);
	g_strv_builder_unref(b);
	g_strfreev(more);
	g_ptr_array_add(owned->sets, out);
	return out;
}

static bool add_files(GPtrArray *sides, struct owned *owned, const struct scenario_options *base,
                      const struct compare_options *o)
{
	guint n = MAX(o->confs->len, o->accountings->len);

	for (guint i = 0; i < n; i++) {
		struct scenario_options *s = copy_options(owned, base);
		const char *conf = o->confs->len ? o->confs->pdata[MIN(i, o->confs->len - 1)] : NULL;
		const char *accounting =
		    o->accountings->len ? o->accountings->pdata[MIN(i, o->accountings->len - 1)] : NULL;
		bool both = o->confs->len > 1 && o->accountings->len > 1;
		char *what = both ? g_strdup_printf("%s, %s", conf, accounting)
		                  : g_strdup(o->confs->len > 1 ? conf : accounting);
		s->conf = conf;
		s->accounting = accounting;
		bool good = add_side(sides, what, s);
		g_free(what);
		if (!good)
			return false;
	}
	return true;
}

static bool from_scenarios(GPtrArray *sides, struct owned *owned, char **paths, const struct tool_options *options,
                           const struct compare_options *o)
{
	struct scenario_options base = options->scenario;
	bool files = o->confs->len > 1 || o->accountings->len > 1, several = paths && paths[0] && paths[1];

	if (paths)
		base.path = paths[0];
	if (files && several) {
		tool_complain(USAGE.command, "several scenarios, or one with several --conf: not both");
		return false;
	}
	if (files && !add_files(sides, owned, &base, o))
		return false;
	for (char **p = paths; p && *p && several; p++) {
		struct scenario_options *s = copy_options(owned, &base);
		s->path = *p;
		if (!add_side(sides, *p, s))
			return false;
	}
	if (!files && !several &&
	    !add_side(sides,
	              base.path   ? base.path
	              : base.conf ? base.conf
	                          : "as given",
	              copy_options(owned, &base)))
		return false;
	if (!sides->len)
		return false;
	const struct scenario_options *first = ((struct compare_side *)sides->pdata[0])->options;
	for (char **with = o->with; with && *with; with++) {
		struct scenario_options *s = copy_options(owned, first);
		s->set = join_settings(owned, base.set, *with);
		if (!add_side(sides, *with, s))
			return false;
	}
	if (sides->len < 2) {
		tool_complain(USAGE.command,
		              "one side only: add --with KEY=VALUE, a second --conf, or a second run.db");
		return false;
	}
	return true;
}

/* ---- comparing ---- */

static int print(const struct compare_output *out, const struct compare_options *o)
{
	if (o->json)
		compare_json(stdout, out);
	else if (o->csv)
		compare_csv(stdout, out);
	else
		compare_text(stdout, out, o->markdown);
	return tool_flush(USAGE.command);
}

static int compare_all(GPtrArray *sides, const struct compare_plan *plan, const struct compare_options *o,
                       const struct job_class *class)
{
	GPtrArray *pairs = g_ptr_array_new_with_free_func(comparison_free);
	struct compare_output out = {sides, pairs, plan, o->by && !class->name ? (int)class->kind : -1,
	                             o->windows != NULL};
	GError *error = NULL;
	int code = EXIT_GOOD;

	for (guint i = 1; i < sides->len && code == EXIT_GOOD; i++) {
		struct comparison *c =
		    compare_sides(sides->pdata[0], sides->pdata[i], plan, class->name ? class : NULL, &error);
		if (c) {
			g_ptr_array_add(pairs, c);
			continue;
		}
		tool_complain(USAGE.command, "%s", error->message);
		g_error_free(error);
		code = EXIT_USAGE;
	}
	if (code == EXIT_GOOD)
		code = print(&out, o);
	g_ptr_array_unref(pairs);
	return code;
}

static int make_runs(GPtrArray *sides, struct compare_plan *plan, bool quiet)
{
	GPtrArray *warnings = g_ptr_array_new_with_free_func(g_free);
	GError *error = NULL;
	int code = EXIT_GOOD;

	if (!compare_make_runs(sides, plan, warnings, &code, &error)) {
		tool_complain(USAGE.command, "%s", error->message);
		g_error_free(error);
	} else {
		code = EXIT_GOOD;
	}
	for (guint i = 0; i < warnings->len && !quiet; i++)
		tool_complain(USAGE.command, "warning: %s", (char *)warnings->pdata[i]);
	g_ptr_array_unref(warnings);
	return code;
}

static void drop_strv(void *strv)
{
	g_strfreev(strv);
}

static int compare(struct tool_options *options, const struct compare_options *o)
{
	GPtrArray *sides = g_ptr_array_new_with_free_func(compare_side_free);
	struct owned owned = {g_ptr_array_new_with_free_func(g_free), g_ptr_array_new_with_free_func(drop_strv)};
	char **paths = g_steal_pointer(&options->rest);
	struct job_class class = {0};
	struct compare_plan plan;
	guint n = paths ? g_strv_length(paths) : 0, records = 0;
	int code = EXIT_USAGE;

	for (guint i = 0; i < n; i++)
		records += is_record(paths[i]);
	bool from_db = records > 0 || (n > 1 && g_str_has_suffix(paths[0], ".db"));
	if (tool_options_scenario(options) && read_plan(o, options, &plan) && read_by(o, &class)) {
		if (from_db && records_only(paths, n, records) && from_records(sides, paths, o))
			code = compare_all(sides, &plan, o, &class);
		else if (!from_db && from_scenarios(sides, &owned, paths, options, o) &&
		         (code = make_runs(sides, &plan, options->quiet)) == EXIT_GOOD)
			code = compare_all(sides, &plan, o, &class);
	}
	job_class_clear(&class);
	g_ptr_array_unref(sides);
	g_ptr_array_unref(owned.options);
	g_ptr_array_unref(owned.sets);
	g_strfreev(paths);
	return code;
}

int cmd_compare(int argc, char **argv)
{
	struct compare_options o = {.confs = g_ptr_array_new_with_free_func(g_free),
	                            .accountings = g_ptr_array_new_with_free_func(g_free)};
	const GOptionEntry own[] = {
	    {"with", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.with,
	     "a further side: the scenario with these settings (may be repeated)", "KEY=VALUE[;...]"},
	    {"replicas", 0, 0, G_OPTION_ARG_FILENAME, &o.replicas,
	     "run each side N times, arrivals and run times drawn anew, the same for all sides", "N"},
	    {"windows", 0, 0, G_OPTION_ARG_FILENAME, &o.windows,
	     "cut the trace into N windows or into windows of this length, and show each; whole: replicas of the whole "
	     "trace",
	     "N|SPAN|whole"},
	    {"by", 0, 0, G_OPTION_ARG_FILENAME, &o.by,
	     "all classes of user, account, qos, partition, size or gpu; with =NAME all metrics of one class",
	     "CLASS[=NAME]"},
	    {"processes", 0, 0, G_OPTION_ARG_FILENAME, &o.processes, "runs at a time (default: one a processor)", "N"},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "as JSON", NULL},
	    {"csv", 0, 0, G_OPTION_ARG_NONE, &o.csv, "as CSV", NULL},
	    {"markdown", 0, 0, G_OPTION_ARG_NONE, &o.markdown, "as Markdown, for a merge request", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	char **args = g_memdup2(argv, ((gsize)argc + 1) * sizeof *argv);
	int code = EXIT_USAGE;

	argc = take_repeated(argc, args, "conf", o.confs);
	argc = take_repeated(argc, args, "accounting", o.accountings);
	if (tool_options_parse(&options, argc, args, OPTIONS_UNTIL, &USAGE, own)) {
		if (o.json + o.csv + o.markdown > 1)
			tool_complain(USAGE.command, "one of --json, --csv and --markdown");
		else
			code = compare(&options, &o);
	}
	tool_options_clear(&options);
	g_strfreev(o.with);
	g_free(o.replicas);
	g_free(o.windows);
	g_free(o.by);
	g_free(o.processes);
	g_ptr_array_unref(o.confs);
	g_ptr_array_unref(o.accountings);
	g_free(args);
	return code;
}
