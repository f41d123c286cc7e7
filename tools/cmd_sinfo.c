/* cmd_sinfo.c - whypend sinfo: partitions and nodes at a moment, as sinfo prints them. */
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/sinfo_out.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend sinfo",
    .operands = "[SCENARIO]",
    .summary = "Simulate a scenario up to a moment and print partitions and node states as Slurm's sinfo does.",
    .examples = "Examples:\n"
                "  whypend sinfo --at 25 scenarios/first-look\n"
                "  whypend sinfo --at 1-00:00:00 -N -p h100 scenarios/h100-a100-month",
};

int cmd_sinfo(int argc, char **argv)
{
	char *partitions = NULL;
	gboolean all = FALSE, by_node = FALSE, no_header = FALSE;
	const GOptionEntry own[] = {
	    {"Node", 'N', 0, G_OPTION_ARG_NONE, &by_node, "a line for each node and partition", NULL},
	    {"partition", 'p', 0, G_OPTION_ARG_FILENAME, &partitions, "only these partitions", "LIST"},
	    {"all", 'a', 0, G_OPTION_ARG_NONE, &all, "hidden partitions too", NULL},
	    {"noheader", 'h', 0, G_OPTION_ARG_NONE, &no_header, "no header line", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct session session = {0};
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own) && tool_options_scenario(&options)) {
		code = session_run(&session, &options, SESSION_NO_RECORD, NULL);
		if (code == EXIT_GOOD) {
			struct sinfo_options print = {partitions, all, by_node, no_header};

			sinfo_print(stdout, sim_controller(session.sim), &print);
			code = tool_flush(USAGE.command);
		}
		session_close(&session);
	}
	tool_options_clear(&options);
	g_free(partitions);
	return code;
}
