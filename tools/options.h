/*
 * options.h - the options that subcommands share, and how all of them parse, answer --help and fail.
 *
 * Exit codes: EXIT_GOOD; EXIT_RUN for a run that failed (disk full, output closed); EXIT_USAGE for bad usage or bad
 * input, when nothing was written; 128 + the signal's number for an interrupted run.
 */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H
#include "scenarios/scenario.h"
#include "tools/options_slurm.h"
#include <glib.h>
#include <stdbool.h>

#define WHYPEND_VERSION "0.1.0"
enum { EXIT_GOOD = 0, EXIT_RUN = 1, EXIT_USAGE = 2 };

enum {                    /* which of the shared options a subcommand has */
       OPTIONS_UNTIL = 1, /* --until */
       OPTIONS_AT = 2,    /* --at */
       OPTIONS_SLURM = 8, /* those that all of Slurm's commands have (options_slurm.h) */
       OPTIONS_FILES = 4, /* none that only matter to a run: --until, --clock, --seed, --naive, --quiet */
};

/* What the command line gave; owned strings. */
struct tool_options {
	const char *command; /* "whypend run" */
	char *conf, *gres, *topology, *accounting, *trace, *format, *columns, *until, *clock, *slurm_version, *max_jobs, *controller_cost,
	    *seed, *placement_model, *faults;
	char **set, **rest;
	bool looks_at_moment; /* the subcommand has --at */
	bool from_moments;    /* what it prints a folder of moments can tell (moments.h) */
	gboolean strict, naive, audit, swf_whole_nodes, raise_limits, quiet;
	struct slurm_options slurm;
	struct scenario_options scenario; /* the same, borrowed: filled by tool_options_parse */
};

struct tool_usage {
	const char *command;  /* "whypend run" */
	const char *operands; /* "SCENARIO" */
	const char *summary;  /* what it does: before the options in --help */
	const char *examples; /* after them */
};

/*
 * Parse a subcommand's arguments (argv[0] is its name): OWN entries (NULL = none) and the shared ones; WHICH < 0 = no
 * shared options at all.
 * --help prints and exits. False after a message on stderr: the caller returns EXIT_USAGE. What is no option is left in
 * o->rest (strv or NULL).
 */
bool tool_options_parse(struct tool_options *o, int argc, char **argv, int which, const struct tool_usage *usage,
                        const GOptionEntry *own);
/* Check and fill o->scenario: at most one SCENARIO, a seed that is a number. Without SCENARIO, --conf and --trace the
 * environment tells it: WHYPEND_SCENARIO, and WHYPEND_AT for --at. False after a message. */
bool tool_options_scenario(struct tool_options *o);
/* Take the first word that is no option out of o->rest; NULL when there is none. g_free. */
char *tool_options_take(struct tool_options *o);
void tool_options_clear(struct tool_options *o);

/* "COMMAND: TEXT" on stderr; of several lines each is marked. Under a command's own name as Slurm does: "squeue: error: TEXT". */
void tool_complain(const char *command, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A refusal in Slurm's words: RAW, a line as it is, under the command's own name; else as tool_complain says FORMAT. */
void tool_refuse(const char *command, const char *raw, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Flush stdout: EXIT_GOOD, or EXIT_RUN after a message when what was printed did not arrive. */
int tool_flush(const char *command);
#endif
