/* cmd_sshare.c - whypend sshare: shares and usage at a moment, as sshare prints them. */
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/sshare_out.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend sshare",
    .operands = "[SCENARIO]",
    .summary = "Simulate a scenario up to a moment and print shares and usage as Slurm's sshare does.",
    .examples = "Examples:\n"
                "  whypend sshare --at 1-00:00:00 -a -l scenarios/h100-a100-month\n"
                "  whypend sshare --at 3600 -P -o Account,User,RawUsage,FairShare -a scenarios/h100-a100-month",
};

static int run(const struct tool_options *options, const struct sshare_options *print)
{
	struct session session = {0};
	int code = session_run(&session, options, SESSION_NO_RECORD, NULL);
	if (code == EXIT_GOOD) {
		sshare_print(stdout, sim_controller(session.sim), print);
		code = tool_flush(USAGE.command);
	}
	session_close(&session);
	return code;
}

int cmd_sshare(int argc, char **argv)
{
	char *format = NULL, *accounts = NULL, *users = NULL;
	gboolean all = FALSE, only_users = FALSE, is_long = FALSE, partition = FALSE, parsable = FALSE, parsable2 = FALSE,
	         no_header = FALSE, fields = FALSE, json = FALSE;
	const GOptionEntry own[] = {
	    {"all", 'a', 0, G_OPTION_ARG_NONE, &all, "all users", NULL},
	    {"accounts", 'A', 0, G_OPTION_ARG_FILENAME, &accounts, "only these accounts and what is below them", "LIST"},
	    {"users", 'u', 0, G_OPTION_ARG_FILENAME, &users, "the rows of these users (default: root)", "LIST"},
	    {"Users", 'U', 0, G_OPTION_ARG_NONE, &only_users, "user rows only", NULL},
	    {"long", 'l', 0, G_OPTION_ARG_NONE, &is_long, "normalized usage, level fair-share, TRES minutes too", NULL},
	    {"partition", 'm', 0, G_OPTION_ARG_NONE, &partition, "the partition of the association too", NULL},
	    {"format", 'o', 0, G_OPTION_ARG_FILENAME, &format, "fields as Account,User%20,FairShare", "LIST"},
	    {"helpformat", 'e', 0, G_OPTION_ARG_NONE, &fields, "list the fields", NULL},
	    {"parsable", 'p', 0, G_OPTION_ARG_NONE, &parsable, "cells joined with |, one at the end too", NULL},
	    {"parsable2", 'P', 0, G_OPTION_ARG_NONE, &parsable2, "cells joined with |", NULL},
	    {"noheader", 'n', 0, G_OPTION_ARG_NONE, &no_header, "no header line", NULL},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON, or --yaml as YAML, in the shape of Slurm's data_parser", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	GError *error = NULL;
	int code = EXIT_USAGE;
	bool ok = tool_options_parse(&options, argc, argv, OPTIONS_AT | OPTIONS_SLURM, &USAGE, own);

	if (ok && fields) {
		sshare_print_fields(stdout);
		code = tool_flush(USAGE.command);
	} else if (ok && tool_options_scenario(&options)) {
		struct sshare_options print = {format,    accounts, users,     all, only_users, is_long,
		                               partition, parsable, parsable2, no_header, json};
		if (sshare_check(&print, &error)) {
			code = run(&options, &print);
		} else {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
		}
	}
	tool_options_clear(&options);
	g_free(format);
	g_free(accounts);
	g_free(users);
	return code;
}
