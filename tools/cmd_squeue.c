/* cmd_squeue.c - whypend squeue: the queue at a moment, as squeue prints it. */
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/squeue_help.h"
#include "tools/squeue_out.h"
#include "tools/steps_out.h"
#include "tools/view_json.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend squeue",
    .operands = "[SCENARIO]",
    .summary = "Simulate a scenario up to a moment and print the queue as Slurm's squeue does.",
    .examples = "Examples:\n"
                "  whypend squeue --at 25 scenarios/first-look\n"
                "  whypend squeue --at 60 -t PD -o '%i %u %r %S' -S i scenarios/first-look\n"
                "  whypend squeue --at 60 --json scenarios/first-look\n"
                "  whypend squeue --at 2026-01-20T12:00:00 -t PENDING -u adler scenarios/h100-a100-month",
};

/* In squeue's own words, which it says for whatever command asked. */
static bool names_good(const struct controller *c, const struct squeue_options *o)
{
	GError *error = NULL;
	char *warning;
	bool good = squeue_check_names(c, o, &warning, &error);

	if (warning) {
		tool_complain(USAGE.command, "%s", warning);
		fputc('\n', stderr);
	}
	g_free(warning);
	if (!good && g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED))
		fprintf(stderr, "%s\n", error->message);
	else if (!good)
		tool_complain(USAGE.command, "%s", error->message);
	g_clear_error(&error);
	return good;
}

static bool read_span(const char *option, const char *text, sec_t *seconds)
{
	uint32_t minutes;

	if (!text)
		return true;
	if (!duration_parse_minutes(text, &minutes) || minutes >= NO_VAL) {
		tool_complain(USAGE.command, "%s: bad time \"%s\"; write minutes, 1:00:00 or 1-00:00:00", option, text);
		return false;
	}
	*seconds = (sec_t)minutes * 60;
	return true;
}

static int print(const struct tool_options *options, const struct squeue_options *o, bool json)
{
	struct session session = {0};
	int code = session_run(&session, options, SESSION_NO_RECORD, NULL);

	if (code == EXIT_GOOD && !names_good(sim_controller(session.sim), o)) {
		code = EXIT_RUN;
	} else if (code == EXIT_GOOD) {
		const struct controller *c = sim_controller(session.sim);
		sec_t now = usec_to_sec(sim_now(session.sim));

		if (json && o->steps)
			json_print_steps(stdout, c, now, o, "squeue -s --json");
		else if (o->steps)
			steps_print(stdout, c, now, o);
		else if (json)
			json_print_jobs(stdout, c, now, o, "squeue --json");
		else
			squeue_print(stdout, c, now, o);
		code = tool_flush(USAGE.command);
	}
	session_close(&session);
	return code;
}

static int print_help(bool letters, bool names, bool states)
{
	if (letters)
		squeue_help_letters(stdout);
	if (names)
		squeue_help_names(stdout);
	if (states)
		squeue_help_states(stdout);
	return tool_flush(USAGE.command);
}

int cmd_squeue(int argc, char **argv)
{
	struct squeue_options o = {0};
	gboolean all = FALSE, start = FALSE, no_header = FALSE, wide = FALSE, singly = FALSE, json = FALSE, me = FALSE,
	         steps = FALSE, only_state = FALSE, by_partition = FALSE, letters = FALSE, names = FALSE, states = FALSE,
	         expand = FALSE;
	char *over = NULL, *under = NULL;
	const GOptionEntry own[] = {
	    {"states", 't', 0, G_OPTION_ARG_FILENAME, &o.states,
	     "only jobs in these states (PENDING or PD, ... or all)", "LIST"},
	    {"user", 'u', 0, G_OPTION_ARG_FILENAME, &o.users, "only jobs of these users", "LIST"},
	    {"me", 0, 0, G_OPTION_ARG_NONE, &me, "only your own jobs", NULL},
	    {"partition", 'p', 0, G_OPTION_ARG_FILENAME, &o.partitions, "only jobs in these partitions", "LIST"},
	    {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &o.jobs, "only these jobs: 12, 12_3", "LIST"},
	    {"account", 'A', 0, G_OPTION_ARG_FILENAME, &o.accounts, "only jobs of these accounts", "LIST"},
	    {"qos", 'q', 0, G_OPTION_ARG_FILENAME, &o.qos, "only jobs in these QOS", "LIST"},
	    {"name", 'n', 0, G_OPTION_ARG_FILENAME, &o.names, "only jobs of these names", "LIST"},
	    {"nodelist", 'w', 0, G_OPTION_ARG_FILENAME, &o.nodes, "only jobs on these nodes", "NODES"},
	    {"licenses", 'L', 0, G_OPTION_ARG_FILENAME, &o.licenses, "only jobs with these licences", "LIST"},
	    {"reservation", 'R', 0, G_OPTION_ARG_FILENAME, &o.reservations, "only jobs in these reservations", "LIST"},
	    {"format", 'o', 0, G_OPTION_ARG_FILENAME, &o.format, "columns as letters: \"%.18i %.9P %R\"; %all",
	     "FORMAT"},
	    {"Format", 'O', 0, G_OPTION_ARG_FILENAME, &o.long_format, "columns by name: jobid:8,reasonlist:0",
	     "FORMAT"},
	    {"sort", 'S', 0, G_OPTION_ARG_FILENAME, &o.sort, "order by letters; - turns it around (default: P,t,-p)",
	     "LIST"},
	    {"array", 'r', 0, G_OPTION_ARG_NONE, &singly, "a row for each array task", NULL},
	    {"steps", 's', 0, G_OPTION_ARG_NONE, &steps,
	     "the steps that run now: the batch step and those that were described or that srun starts", NULL},
	    {"long", 'l', 0, G_OPTION_ARG_NONE, &wide, "more columns", NULL},
	    {"all", 'a', 0, G_OPTION_ARG_NONE, &all, "hidden partitions too", NULL},
	    {"start", 0, 0, G_OPTION_ARG_NONE, &start,
	     "waiting jobs with the start and nodes that backfill has planned: true if every running and planned job "
	     "uses its whole limit",
	     NULL},
	    {"only-job-state", 0, 0, G_OPTION_ARG_NONE, &only_state, "id and state only", NULL},
	    {"priority", 'P', 0, G_OPTION_ARG_NONE, &by_partition,
	     "a row for each partition of a waiting job that named several", NULL},
	    {"expand-patterns", 0, 0, G_OPTION_ARG_NONE, &expand, "file names as they are; a simulated job has none", NULL},
	    {"running-over", 0, 0, G_OPTION_ARG_FILENAME, &over, "only running jobs that have run longer", "TIME"},
	    {"running-under", 0, 0, G_OPTION_ARG_FILENAME, &under, "only running jobs that have run less", "TIME"},
	    {"helpformat", 0, 0, G_OPTION_ARG_NONE, &letters, "list the letters of -o; needs no scenario", NULL},
	    {"helpFormat", 0, 0, G_OPTION_ARG_NONE, &names, "list the names of -O; needs no scenario", NULL},
	    {"helpstate", 0, 0, G_OPTION_ARG_NONE, &states, "list the states for -t; needs no scenario", NULL},
	    {"noheader", 'h', 0, G_OPTION_ARG_NONE, &no_header, "no header line", NULL},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON, or --yaml as YAML, in the shape of Slurm's data_parser", NULL},
	    G_OPTION_ENTRY_NULL};
	const void *owned[] = {&o.states, &o.users,    &o.partitions,   &o.jobs,   &o.accounts,    &o.qos, &o.names,
	                       &o.nodes,  &o.licenses, &o.reservations, &o.format, &o.long_format, &o.sort};
	struct tool_options options;
	GError *error = NULL;
	int code = EXIT_USAGE;

	if (!tool_options_parse(&options, argc, argv, OPTIONS_AT | OPTIONS_SLURM, &USAGE, own)) {
		code = EXIT_USAGE;
	} else if (letters || names || states) {
		code = print_help(letters, names, states);
	} else if (tool_options_scenario(&options) && read_span("--running-over", over, &o.running_over) &&
	           read_span("--running-under", under, &o.running_under)) {
		o.timed = over || under;
		o.all = all;
		o.start = start;
		o.no_header = no_header;
		o.wide = wide;
		o.singly = singly;
		o.steps = steps;
		o.by_partition = by_partition;
		o.only_state = only_state && !o.format && !o.long_format;
		if (me && !o.users)
			o.users = g_strdup(g_get_user_name());
		if (squeue_check(&o, &error)) {
			options.from_moments = !json;
			code = print(&options, &o, json);
		} else {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
		}
	}
	tool_options_clear(&options);
	g_free(over);
	g_free(under);
	for (size_t i = 0; i < G_N_ELEMENTS(owned); i++)
		g_free(*(char **)(uintptr_t)owned[i]);
	return code;
}
