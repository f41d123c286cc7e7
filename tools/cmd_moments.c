/* cmd_moments.c - whypend moments: moments of a run, from which looks at later ones begin. */
#include "tools/commands.h"
#include "tools/moments.h"
#include "sim/sim.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend moments",
    .operands = "[SCENARIO]",
    .summary =
        "Simulate a scenario and write a moment of it every day, or as often as told, into a folder. A command that looks at a\n"
        "moment takes that folder in the place of the scenario, begins with the latest moment that lies before it and prints what\n"
        "it would print for the scenario: squeue, sinfo, sprio, scontrol show of jobs, nodes, partitions, steps.",
    .examples = "Examples:\n"
                "  whypend moments --every 0:00:30 --until 0:10:00 -o moments scenarios/first-look\n"
                "  whypend moments --every 2-00:00:00 -o month scenarios/h100-a100-month",
};

static int write_all(struct session *s, const struct tool_options *options, const char *dir, usec_t every)
{
	const struct controller *c = sim_controller(s->sim);
	usec_t until = sim_options_of(s->sim)->until, at = s->scenario->sim.start;
	uint32_t seen = 0, n = 0;
	GError *error = NULL;
	int code = EXIT_GOOD;

	while (at < until - every && code == EXIT_GOOD) {
		at += every;
		code = session_pause_at(s, at);
		if (code != EXIT_GOOD || sim_now(s->sim) < at) /* the run is over */
			break;
		bool idle = !controller_n_running(c) && controller_next_id(c) == seen;
		seen = controller_next_id(c);
		if (idle)
			break;
		if (!moments_write(s, options, dir, n == 0, &error)) {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
			return EXIT_RUN;
		}
		n++;
	}
	if (code == EXIT_GOOD)
		printf("%s: %u moments\n", dir, n);
	return code == EXIT_GOOD ? tool_flush(USAGE.command) : code;
}

/* What a moment does not keep. */
static bool fits(const struct session *s)
{
	const struct scenario *sc = s->scenario;
	const char *what = sc->later->len                                       ? "\"scontrol reconfigure\" in its events"
	                   : s->options->faults || s->options->clock            ? "--faults or --clock"
	                   : s->options->placement_model || sc->placement_model ? "a placement model"
	                   : s->options->controller_cost || sc->controller_cost ? "a cost of the controller"
	                                                                        : NULL;
	if (what)
		tool_complain(USAGE.command, "a run with %s has no moments to go on from", what);
	return !what;
}

int cmd_moments(int argc, char **argv)
{
	char *dir = NULL, *text = NULL;
	const GOptionEntry own[] = {
	    {"out", 'o', 0, G_OPTION_ARG_FILENAME, &dir, "the folder to write (needed)", "FOLDER"},
	    {"every", 0, 0, G_OPTION_ARG_FILENAME, &text, "how far apart: 1-00:00:00 (default), 6:00:00", "TIME"},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct session session = {0};
	usec_t every = INT64_C(86400) * USEC;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_UNTIL, &USAGE, own) && tool_options_scenario(&options)) {
		if (!dir) {
			tool_complain(USAGE.command, "where to? Give -o FOLDER");
		} else if (text && (!duration_parse_elapsed(text, &every) || every < USEC)) {
			tool_complain(USAGE.command, "--every: bad time \"%s\"; write 1-00:00:00 or 6:00:00", text);
		} else if ((code = session_open(&session, &options, SESSION_NO_RECORD, NULL)) == EXIT_GOOD) {
			code = fits(&session) ? write_all(&session, &options, dir, every) : EXIT_USAGE;
		}
		session_close(&session);
	}
	tool_options_clear(&options);
	g_free(dir);
	g_free(text);
	return code;
}
