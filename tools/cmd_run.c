/* cmd_run.c - whypend run: simulate a scenario, write run.db, say what it came to. */
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/summary.h"
#include "tools/views.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend run",
    .operands = "[SCENARIO]",
    .summary =
        "Simulate a scenario: when every job starts, where it runs, and why it waited until then. SCENARIO is a\n"
        "scenario.json, or its folder; without it the parts are given as --conf and --trace. Prints a summary;\n"
        "all details go to the file named with -o. Events with \"view\" print what a command such as squeue shows at\n"
        "their moment.",
    .examples =
        "Examples:\n"
        "  whypend run scenarios/first-look -o run.db\n"
        "  whypend run --conf /etc/slurm/slurm.conf --trace jobs.sacct.gz --set SchedulerParameters.bf_window=4320\n"
        "  whypend run --trace KTH-SP2-1996-2.1-cln.swf.gz --clock ideal --json\n\n"
        "Exit codes: 0 good; 1 the run failed; 2 bad usage or bad input, nothing written; 130, 143 interrupted.\n"
        "An output file appears whole or not at all.",
};

static int finish(struct session *s, bool json)
{
	GError *error = NULL;

	if (!recorder_finish(s->recorder, &error) ||
	    !summary_print(stdout, recorder_db(s->recorder), json, s->wall_seconds, &error)) {
		tool_complain(USAGE.command, "%s", error->message);
		g_error_free(error);
		return EXIT_RUN;
	}
	return tool_flush(USAGE.command);
}

int cmd_run(int argc, char **argv)
{
	char *out = NULL;
	gboolean json = FALSE;
	const GOptionEntry own[] = {
	    {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out, "write the record of the run there (SQLite)", "run.db"},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "print the summary as JSON", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct session session = {0};
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_UNTIL, &USAGE, own) && tool_options_scenario(&options)) {
		code = session_open(&session, &options, SESSION_RECORD, out);
		if (code == EXIT_GOOD)
			code = views_run(&session, json);
		if (code == EXIT_GOOD)
			code = finish(&session, json);
		session_close(&session);
	}
	tool_options_clear(&options);
	g_free(out);
	return code;
}
