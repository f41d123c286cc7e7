/* cmd_check.c - whypend check: do scenarios keep what they promise? */
#include "tools/check.h"
#include "tools/commands.h"
#include <errno.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend check",
    .operands = "SCENARIO...",
    .summary =
        "Run scenarios and judge what they expect (\"expect\" in scenario.json): a gate for continuous integration.\n"
        "SCENARIO is a scenario.json, its folder, or a folder with scenarios in it. Of what fails it prints what was\n"
        "expected, what happened, the rules with their words, and the story of the job concerned.",
    .examples =
        "Examples:\n"
        "  whypend check scenarios/policy/\n"
        "  whypend check --set SchedulerParameters.bf_window=120 scenarios/policy/\n"
        "  whypend check --conf /etc/slurm/slurm.conf --format junit -o check.xml promises/\n"
        "  whypend check --record 20 -o month/promises.json month/scenario.json\n"
        "  prove --exec 'whypend check' promises/*/scenario.json\n\n"
        "Exit codes: 0 all hold; 1 some fail; 2 bad usage or bad input: a scenario that cannot be read or expects\n"
        "nothing stands in the output as an error, and the others are checked. A scenario's own options (--set,\n"
        "--slurm-version, ...) apply to all scenarios.",
};

struct check_options {
	char *format, *out, *jobs, *record, *by;
};

static void tell_wrong(const GPtrArray *results, bool quiet)
{
	for (guint i = 0; i < results->len; i++) {
		const struct check_result *r = results->pdata[i];

		for (guint k = 0; k < r->warnings->len && !quiet; k++)
			tool_complain(USAGE.command, "warning: %s", (const char *)r->warnings->pdata[k]);
		if (r->error)
			tool_complain(USAGE.command, "%s", r->error);
		for (guint k = 0; k < r->verdicts->len; k++) {
			const struct verdict *v = r->verdicts->pdata[k];

			if (v->outcome == CHECK_WRONG)
				tool_complain(USAGE.command, "%s:%s", r->file, v->happened);
		}
	}
}

/* An output file appears whole or not at all. */
static bool write_text(const char *path, const char *text)
{
	GError *error = NULL;

	if (g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0666, &error))
		return true;
	tool_complain(USAGE.command, "%s", error->message);
	g_error_free(error);
	return false;
}

static bool write_file(const char *path, const GPtrArray *results, enum check_format format)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buffer, &size);
	bool ok;

	check_print(out, results, format);
	fclose(out);
	ok = write_text(path, buffer);
	free(buffer);
	return ok;
}

static int check(struct tool_options *options, const struct check_options *o, enum check_format format, guint jobs,
                 const GPtrArray *paths)
{
	GPtrArray *results = check_all(options, paths, jobs);
	int code = check_exit(results);

	tell_wrong(results, options->quiet);
	if (o->out) {
		if (!write_file(o->out, results, format))
			code = EXIT_USAGE;
	} else {
		check_print(stdout, results, format);
		if (tool_flush(USAGE.command) != EXIT_GOOD)
			code = EXIT_RUN;
	}
	g_ptr_array_unref(results);
	return code;
}

static bool read_jobs(const char *text, guint *jobs)
{
	guint64 n = MIN(g_get_num_processors(), 64);

	if (text && !g_ascii_string_to_unsigned(text, 10, 1, 256, &n, NULL)) {
		tool_complain(USAGE.command, "--jobs: bad value \"%s\"; write how many scenarios run at once, 1 to 256",
		              text);
		return false;
	}
	*jobs = (guint)n;
	return true;
}

/* All operands, as scenarios. False after a message. */
static bool find_all(struct tool_options *options, GPtrArray *paths)
{
	bool ok = true;
	char *path;

	while ((path = tool_options_take(options))) {
		GError *error = NULL;

		if (!check_find(path, paths, &error)) {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
			ok = false;
		}
		g_free(path);
	}
	if (ok && !paths->len)
		tool_complain(USAGE.command, "name the scenarios to check; see \"whypend check --help\"");
	return ok && paths->len;
}

static bool read_record(const struct check_options *o, guint *replicas, enum class_kind *kind)
{
	guint64 n;

	*kind = CLASS_PARTITION;
	if (!g_ascii_string_to_unsigned(o->record, 10, 2, 10000, &n, NULL)) {
		tool_complain(USAGE.command, "--record: bad value \"%s\"; write how many replicas are run, 2 to 10000",
		              o->record);
		return false;
	}
	*replicas = (guint)n;
	if (!o->by || (class_kind_find(o->by, kind) && *kind != CLASS_ALL))
		return true;
	tool_complain(USAGE.command, "--by: bad value \"%s\"; write user, account, qos, partition, size or gpu", o->by);
	return false;
}

static int record(const struct tool_options *options, const struct check_options *o, guint jobs, const GPtrArray *paths)
{
	enum class_kind kind;
	guint replicas;
	GError *error = NULL;
	char *text;
	int code = EXIT_USAGE;

	if (!read_record(o, &replicas, &kind))
		return EXIT_USAGE;
	if (o->format || paths->len != 1) {
		tool_complain(USAGE.command, o->format ? "--record writes a scenario; leave out --format"
		                                       : "--record takes one scenario");
		return EXIT_USAGE;
	}
	text = check_record(options, paths->pdata[0], replicas, jobs, kind, &error);
	if (!text) {
		tool_complain(USAGE.command, "%s", error->message);
		g_error_free(error);
	} else if (o->out) {
		code = write_text(o->out, text) ? EXIT_GOOD : EXIT_USAGE;
	} else {
		fputs(text, stdout);
		code = tool_flush(USAGE.command);
	}
	g_free(text);
	return code;
}

static int run(struct tool_options *options, const struct check_options *o)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	enum check_format format = CHECK_TAP;
	guint jobs;
	int code = EXIT_USAGE;

	if (o->format && !check_format_find(o->format, &format))
		tool_complain(USAGE.command, "--format: bad value \"%s\"; write tap, junit, json or github", o->format);
	else if (read_jobs(o->jobs, &jobs) && find_all(options, paths) && tool_options_scenario(options))
		code = o->record ? record(options, o, jobs, paths) : check(options, o, format, jobs, paths);
	g_ptr_array_unref(paths);
	return code;
}

int cmd_check(int argc, char **argv)
{
	struct check_options o = {0};
	const GOptionEntry own[] = {
	    {"format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "tap (default), junit, json or github", "NAME"},
	    {"out", 'o', 0, G_OPTION_ARG_FILENAME, &o.out, "write there instead of to standard output", "FILE"},
	    {"record", 0, 0, G_OPTION_ARG_STRING, &o.record,
	     "instead: run N replicas of one scenario, and write its file with ranges of metrics as expectations, to "
	     "tighten by hand",
	     "N"},
	    {"by", 0, 0, G_OPTION_ARG_STRING, &o.by,
	     "--record: also for each partition (default), user, account, qos, size or gpu", "CLASS"},
	    {"jobs", 'j', 0, G_OPTION_ARG_STRING, &o.jobs,
	     "scenarios or replicas that run at once (default: one a processor); the output is the same", "N"},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_UNTIL, &USAGE, own))
		code = run(&options, &o);
	tool_options_clear(&options);
	g_free(o.format);
	g_free(o.out);
	g_free(o.jobs);
	g_free(o.record);
	g_free(o.by);
	return code;
}
