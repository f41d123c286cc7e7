/* cmd_sprio.c - whypend sprio: the priorities at a moment, as sprio prints them. */
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/sprio_out.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend sprio",
    .operands = "[SCENARIO]",
    .summary = "Simulate a scenario up to a moment and print the priorities of waiting jobs as Slurm's sprio does.",
    .examples = "Examples:\n"
                "  whypend sprio --at 2:00:00 -l scenarios/h100-a100-month\n"
                "  whypend sprio --at 3600 -o '%.15i %9r %.10Y %.10F' -u adler scenarios/h100-a100-month",
};

static int run(const struct tool_options *options, const struct sprio_options *print)
{
	struct session session = {0};
	int code = session_run(&session, options, SESSION_NO_RECORD, NULL);
	if (code == EXIT_GOOD) {
		sprio_print(stdout, sim_controller(session.sim), usec_to_sec(sim_now(session.sim)), print);
		code = tool_flush(USAGE.command);
	}
	session_close(&session);
	return code;
}

int cmd_sprio(int argc, char **argv)
{
	char *format = NULL, *jobs = NULL, *users = NULL, *partitions = NULL, *sort = NULL;
	gboolean is_long = FALSE, normalized = FALSE, weights = FALSE, no_header = FALSE;
	const GOptionEntry own[] = {
	    {"long", 'l', 0, G_OPTION_ARG_NONE, &is_long, "all columns", NULL},
	    {"norm", 'n', 0, G_OPTION_ARG_NONE, &normalized, "factors from 0 to 1", NULL},
	    {"weights", 'w', 0, G_OPTION_ARG_NONE, &weights, "the weights of the factors", NULL},
	    {"format", 'o', 0, G_OPTION_ARG_FILENAME, &format, "columns as \"%.15i %9r %.10Y\"", "FORMAT"},
	    {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &jobs, "only these jobs", "LIST"},
	    {"user", 'u', 0, G_OPTION_ARG_FILENAME, &users, "only jobs of these users", "LIST"},
	    {"partition", 'p', 0, G_OPTION_ARG_FILENAME, &partitions, "only jobs in these partitions", "LIST"},
	    {"sort", 'S', 0, G_OPTION_ARG_FILENAME, &sort, "order by letters of -o; - turns it around (default: i)", "LIST"},
	    {"noheader", 'h', 0, G_OPTION_ARG_NONE, &no_header, "no header line", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	GError *error = NULL;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT | OPTIONS_SLURM, &USAGE, own) && tool_options_scenario(&options)) {
		struct sprio_options print = {format, jobs, users, partitions, is_long, normalized, weights, no_header, sort};
		if (sprio_check(&print, &error)) {
			options.from_moments = true;
			code = run(&options, &print);
		} else {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
		}
	}
	tool_options_clear(&options);
	g_free(format);
	g_free(jobs);
	g_free(users);
	g_free(partitions);
	g_free(sort);
	return code;
}
