/* cmd_config.c - whypend config: the effective configuration as "scontrol show config" prints it, with sources. */
#include "models/confshow.h"
#include "models/confwrite.h"
#include "tools/commands.h"
#include "tools/options.h"
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend config",
    .operands = "[SCENARIO]",
    .summary = "Read the configuration of a scenario, or --conf FILE, with all --set, and print it as \"scontrol show\n"
               "config\" does, without running anything. After each value stands where it comes from: \"default\",\n"
               "FILE:LINE, \"--set ...\" (also of the scenario's \"set\"), or \"derived\" from other values.",
    .examples = "Examples:\n"
                "  whypend config scenarios/first-look\n"
                "  whypend config --conf slurm.conf --set SchedulerParameters.bf_window=4320 | grep -v default\n"
                "  whypend config --plain --conf slurm.conf >show-config.txt\n"
                "  whypend config --json scenarios/first-look\n"
                "  whypend config --write effective --conf show-config.txt,show-node.txt,show-partition.txt",
};

static void print_warnings(const struct tool_options *o, const struct scenario *s)
{
	for (guint i = 0; i < s->warnings->len && !o->quiet; i++)
		tool_complain(USAGE.command, "warning: %s", (const char *)s->warnings->pdata[i]);
}

static int print_config(const struct tool_options *o, const struct scenario *s, bool plain, bool json)
{
	GPtrArray *rows = conf_show(s->cluster, s->origins, usec_to_sec(s->sim.controller_start));
	char *text = json ? conf_show_json(rows, s->cluster)
	                  : conf_show_text(rows, s->origins, s->cgroup, usec_to_sec(s->sim.start), !plain);

	print_warnings(o, s);
	fputs(text, stdout);
	g_free(text);
	g_ptr_array_unref(rows);
	return tool_flush(USAGE.command);
}

/* Only what decisions read is written: a short file, whatever the site's looked like. */
static int write_folder(const struct tool_options *o, const struct scenario *s, const char *dir)
{
	GError *error = NULL;

	print_warnings(o, s);
	if (confwrite_folder(s->cluster, dir, &error))
		return EXIT_GOOD;
	tool_complain(USAGE.command, "%s", error->message);
	g_error_free(error);
	return EXIT_RUN;
}

int cmd_config(int argc, char **argv)
{
	gboolean plain = FALSE, json = FALSE;
	char *write = NULL;
	const GOptionEntry own[] = {{"plain", 0, 0, G_OPTION_ARG_NONE, &plain, "exactly as scontrol: no sources", NULL},
	                            {"json", 0, 0, G_OPTION_ARG_NONE, &json, "a JSON object", NULL},
	                            {"write", 0, 0, G_OPTION_ARG_FILENAME, &write,
	                             "write slurm.conf, gres.conf, topology and a sacctmgr dump that give this cluster",
	                             "FOLDER"},
	                            G_OPTION_ENTRY_NULL};
	struct tool_options options;
	GError *error = NULL;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, 0, &USAGE, own) && tool_options_scenario(&options)) {
		struct scenario *s = scenario_load(&options.scenario, &error);

		if (s && write) {
			code = write_folder(&options, s, write);
			scenario_free(s);
		} else if (s) {
			code = print_config(&options, s, plain, json);
			scenario_free(s);
		} else {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
		}
	}
	tool_options_clear(&options);
	g_free(write);
	return code;
}
