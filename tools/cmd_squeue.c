/* cmd_squeue.c - whypend squeue: the queue at a moment, as squeue prints it. */
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/squeue_out.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend squeue",
    .operands = "[SCENARIO]",
    .summary = "Simulate a scenario up to a moment and print the queue as Slurm's squeue does.",
    .examples = "Examples:\n"
                "  whypend squeue --at 25 scenarios/first-look\n"
                "  whypend squeue --at 2026-01-20T12:00:00 -t PENDING -u adler scenarios/h100-a100-month",
};

int cmd_squeue(int argc, char **argv)
{
	char *states = NULL, *users = NULL, *partitions = NULL;
	gboolean all = FALSE, no_header = FALSE, start = FALSE;
	const GOptionEntry own[] = {
	    {"states", 't', 0, G_OPTION_ARG_FILENAME, &states, "only jobs in these states (PENDING or PD, ... or all)",
	     "LIST"},
	    {"user", 'u', 0, G_OPTION_ARG_FILENAME, &users, "only jobs of these users", "LIST"},
	    {"partition", 'p', 0, G_OPTION_ARG_FILENAME, &partitions, "only jobs in these partitions", "LIST"},
	    {"all", 'a', 0, G_OPTION_ARG_NONE, &all, "hidden partitions too", NULL},
	    {"start", 0, 0, G_OPTION_ARG_NONE, &start,
	     "waiting jobs with the start and nodes that backfill has planned: true if every running and planned job "
	     "uses its whole limit",
	     NULL},
	    {"noheader", 'h', 0, G_OPTION_ARG_NONE, &no_header, "no header line", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct session session = {0};
	struct squeue_options print;
	GError *error = NULL;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own) && tool_options_scenario(&options)) {
		print = (struct squeue_options){states, users, partitions, all, no_header, start};
		if (!squeue_check(&print, &error)) {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
		} else {
			code = session_run(&session, &options, SESSION_NO_RECORD, NULL);
			if (code == EXIT_GOOD) {
				squeue_print(stdout, sim_controller(session.sim), usec_to_sec(sim_now(session.sim)),
				             &print);
				code = tool_flush(USAGE.command);
			}
			session_close(&session);
		}
	}
	tool_options_clear(&options);
	g_free(states);
	g_free(users);
	g_free(partitions);
	return code;
}
