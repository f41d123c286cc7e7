/* cmd_sdiag.c - whypend sdiag: the controller's statistics at a moment, as sdiag prints them. */
#include "tools/commands.h"
#include "tools/sdiag_out.h"
#include "tools/session.h"
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend sdiag",
    .operands = "[SCENARIO]",
    .summary = "Simulate a scenario up to a moment and print the controller's statistics as Slurm's sdiag does: how\n"
               "many passes there were, how deep they went, and what ended them. Times are those of --controller-cost,\n"
               "0 with an instant controller. A simulated controller gets no RPCs.",
    .examples = "Examples:\n"
                "  whypend sdiag --at 3600 scenarios/first-look\n"
                "  whypend sdiag --controller-cost large --at 1-00:00:00 scenarios/h100-a100-month",
};

int cmd_sdiag(int argc, char **argv)
{
	gboolean json = FALSE, reset = FALSE, sorted = FALSE; /* sorted: there are no RPC rows that could be */
	const GOptionEntry own[] = {
	    {"reset", 'r', 0, G_OPTION_ARG_NONE, &reset, "say that the statistics are reset, which a look does not do", NULL},
	    {"sort-by-id", 'i', 0, G_OPTION_ARG_NONE, &sorted, "RPCs by id (a simulated controller has none)", NULL},
	    {"sort-by-time", 't', 0, G_OPTION_ARG_NONE, &sorted, "RPCs by total time (none)", NULL},
	    {"sort-by-time2", 'T', 0, G_OPTION_ARG_NONE, &sorted, "RPCs by average time (none)", NULL},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON, or --yaml as YAML, in the shape of Slurm's data_parser", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT | OPTIONS_SLURM, &USAGE, own) && tool_options_scenario(&options)) {
		struct session session = {0};

		code = session_run(&session, &options, SESSION_NO_RECORD, NULL);
		if (code == EXIT_GOOD) {
			struct sim_stats s = sim_stats(session.sim);

			sec_t now = usec_to_sec(sim_now(session.sim));

			if (reset)
				puts("Reset scheduling statistics");
			else if (json)
				sdiag_print_json(stdout, &s, now, session.scenario->cluster);
			else
				sdiag_print(stdout, &s, now, strcmp(session.scenario->slurm_version, "22.05") == 0);
			code = tool_flush(USAGE.command);
		}
		session_close(&session);
	}
	tool_options_clear(&options);
	return code;
}
