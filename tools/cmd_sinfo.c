/* cmd_sinfo.c - whypend sinfo: partitions and nodes at a moment, as sinfo prints them. */
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/sinfo_out.h"
#include "tools/sinfo_resv.h"
#include "tools/view_json.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend sinfo",
    .operands = "[SCENARIO]",
    .summary = "Simulate a scenario up to a moment and print partitions and node states as Slurm's sinfo does.",
    .examples = "Examples:\n"
                "  whypend sinfo --at 25 scenarios/first-look\n"
                "  whypend sinfo --at 25 -N -o '%N %C %G %t' scenarios/first-look\n"
                "  whypend sinfo --at 1-00:00:00 -N -p h100 scenarios/h100-a100-month",
};

static int print(const struct tool_options *options, const struct sinfo_options *o, bool json)
{
	struct session session = {0};
	int code = session_run(&session, options, SESSION_NO_RECORD, NULL);

	if (code == EXIT_GOOD) {
		const struct controller *c = sim_controller(session.sim);
		sec_t now = usec_to_sec(sim_now(session.sim));

		if (json)
			json_print_sinfo(stdout, c, now, o->partitions);
		else if (o->reservations)
			sinfo_print_resvs(stdout, c, now, o->no_header);
		else
			sinfo_print(stdout, c, now, o);
		code = tool_flush(USAGE.command);
	}
	session_close(&session);
	return code;
}

int cmd_sinfo(int argc, char **argv)
{
	struct sinfo_options o = {0};
	gboolean all = FALSE, by_node = FALSE, no_header = FALSE, summary = FALSE, wide = FALSE, reasons = FALSE,
	         dead = FALSE, responding = FALSE, json = FALSE,
	         exact = FALSE, resvs = FALSE;
	const GOptionEntry own[] = {
	    {"Node", 'N', 0, G_OPTION_ARG_NONE, &by_node, "a line for each node and partition", NULL},
	    {"partition", 'p', 0, G_OPTION_ARG_FILENAME, &o.partitions, "only these partitions", "LIST"},
	    {"nodes", 'n', 0, G_OPTION_ARG_FILENAME, &o.nodes, "only these nodes", "NODES"},
	    {"states", 't', 0, G_OPTION_ARG_FILENAME, &o.states, "only nodes in these states (idle, mix, drain, ...)",
	     "LIST"},
	    {"dead", 'd', 0, G_OPTION_ARG_NONE, &dead, "only nodes that do not respond", NULL},
	    {"responding", 'r', 0, G_OPTION_ARG_NONE, &responding, "only nodes that respond", NULL},
	    {"list-reasons", 'R', 0, G_OPTION_ARG_NONE, &reasons, "why nodes are down, drained or failing", NULL},
	    {"summarize", 's', 0, G_OPTION_ARG_NONE, &summary, "a line for each partition", NULL},
	    {"long", 'l', 0, G_OPTION_ARG_NONE, &wide, "more columns", NULL},
	    {"format", 'o', 0, G_OPTION_ARG_FILENAME, &o.format, "columns as letters: \"%20P %.6D %N\"; %all",
	     "FORMAT"},
	    {"Format", 'O', 0, G_OPTION_ARG_FILENAME, &o.long_format, "columns by name: nodelist:20,gresused:40",
	     "FORMAT"},
	    {"sort", 'S', 0, G_OPTION_ARG_FILENAME, &o.sort,
	     "order by letters; - turns it around, #P is the order of slurm.conf (default: #P,-t; with -N: N)", "LIST"},
	    {"exact", 'e', 0, G_OPTION_ARG_NONE, &exact, "nodes of different sizes in rows of their own", NULL},
	    {"reservation", 'T', 0, G_OPTION_ARG_NONE, &resvs, "the reservations, instead of nodes", NULL},
	    {"all", 'a', 0, G_OPTION_ARG_NONE, &all, "hidden partitions too", NULL},
	    {"noheader", 'h', 0, G_OPTION_ARG_NONE, &no_header, "no header line", NULL},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON, or --yaml as YAML, in the shape of Slurm's data_parser", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	GError *error = NULL;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT | OPTIONS_SLURM, &USAGE, own) && tool_options_scenario(&options)) {
		o.all = all;
		o.by_node = by_node;
		o.no_header = no_header;
		o.summary = summary;
		o.wide = wide;
		o.reasons = reasons;
		o.dead = dead;
		o.responding = responding;
		o.exact = exact;
		o.reservations = resvs;
		if (sinfo_check(&o, &error)) {
			options.from_moments = !json;
			code = print(&options, &o, json);
		} else {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
		}
	}
	tool_options_clear(&options);
	g_free((char *)(uintptr_t)o.partitions);
	g_free((char *)(uintptr_t)o.nodes);
	g_free((char *)(uintptr_t)o.states);
	g_free((char *)(uintptr_t)o.format);
	g_free((char *)(uintptr_t)o.long_format);
	g_free((char *)(uintptr_t)o.sort);
	return code;
}
