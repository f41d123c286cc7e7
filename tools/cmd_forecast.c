/* cmd_forecast.c - whypend forecast: when the waiting jobs of a snapshot start, and what if. */
#include "scenarios/scenario_parts.h"
#include "tools/commands.h"
#include "tools/forecast.h"
#include "tools/options.h"
#include <signal.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend forecast",
    .operands = "FOLDER",
    .summary = "Read a snapshot (whypend snapshot-commands tells how to take one of a site; whypend snapshot writes "
               "one of a run)\n"
               "and print when every waiting job starts: the median of the replicas, and the times by which one in ten "
               "and nine in\n"
               "ten have it started. In each replica jobs run a part of their limit that jobs of the site's history "
               "(sacct.txt) ran.",
    .examples =
        "Examples:\n"
        "  whypend forecast snapshot\n"
        "  whypend forecast snapshot --do 'scontrol update NodeName=rack7-[01-16] State=DRAIN Reason=pump'\n"
        "  whypend forecast snapshot --do '1-00:00:00 scontrol update PartitionName=gpu State=DOWN' --replicas 50\n"
        "  whypend forecast snapshot --set SchedulerParameters.bf_window=10080 --json",
};

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
	stopped = number;
}

static bool parse_number(const char *option, const char *text, guint64 min, guint64 max, guint64 *out)
{
	if (!text || g_ascii_string_to_unsigned(text, 10, min, max, out, NULL))
		return true;
	tool_complain(USAGE.command, "%s: bad value \"%s\"; write a whole number from %" G_GUINT64_FORMAT, option, text,
	              min);
	return false;
}

static int print(const struct forecast *f, bool json, bool no_header, bool quiet)
{
	for (guint i = 0; i < f->warnings->len && !quiet; i++)
		tool_complain(USAGE.command, "warning: %s", (const char *)f->warnings->pdata[i]);
	if (json) {
		char *text = forecast_json(f);

		fputs(text, stdout);
		g_free(text);
	} else {
		forecast_print(stdout, f, no_header);
	}
	return tool_flush(USAGE.command);
}

static int make(struct forecast_options *o, bool json, bool no_header, bool quiet)
{
	struct sigaction action = {.sa_handler = on_signal};
	GError *error = NULL;
	int code;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	struct forecast *f = forecast_make(o, (const volatile int *)&stopped, &error);
	if (stopped) {
		tool_complain(USAGE.command, "interrupted");
		code = 128 + (int)stopped;
	} else if (!f) {
		tool_complain(USAGE.command, "%s", error->message);
		code = EXIT_USAGE;
	} else {
		code = print(f, json, no_header, quiet);
	}
	g_clear_error(&error);
	forecast_free(f);
	return code;
}

int cmd_forecast(int argc, char **argv)
{
	char **commands = NULL, **set = NULL, *replicas = NULL, *seed = NULL, *until = NULL, *version = NULL,
	     *out = NULL;
	gboolean json = FALSE, no_header = FALSE, quiet = FALSE;
	const GOptionEntry own[] = {
	    {"do", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &commands,
	     "carry out a command, now or at a time: \"1-00:00:00 scontrol ...\" (may be repeated)", "[TIME ]COMMAND"},
	    {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &set, "change a setting of slurm.conf (may be repeated)",
	     "KEY=VALUE"},
	    {"replicas", 0, 0, G_OPTION_ARG_FILENAME, &replicas,
	     "how many futures (default: 20 with a history, else 1)", "N"},
	    {"seed", 0, 0, G_OPTION_ARG_FILENAME, &seed, "seed of the draws (default: 1)", "N"},
	    {"until", 0, 0, G_OPTION_ARG_FILENAME, &until,
	     "how far to look: 3600 (seconds), 7-00:00:00 (default: 60 days)", "TIME"},
	    {"slurm-version", 0, 0, G_OPTION_ARG_FILENAME, &version, "release to follow: 26.05 (default) or 22.05",
	     "RELEASE"},
	    {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out, "write the record of the first replica there", "run.db"},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "a JSON object", NULL},
	    {"noheader", 'h', 0, G_OPTION_ARG_NONE, &no_header, "no header lines", NULL},
	    {"quiet", 0, 0, G_OPTION_ARG_NONE, &quiet, "no warnings", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	guint64 n = 0, s = 1;
	usec_t span = 0;
	int code = EXIT_USAGE;
	bool good = tool_options_parse(&options, argc, argv, -1, &USAGE, own) &&
	            parse_number("--replicas", replicas, 1, 10000, &n) &&
	            parse_number("--seed", seed, 0, G_MAXUINT64, &s);

	if (good && until && !scenario_parse_time(until, 0, &span)) {
		tool_complain(USAGE.command, "--until: bad value \"%s\"; " SCENARIO_TIME_HINT, until);
		good = false;
	}
	if (good && (!options.rest || !options.rest[0] || options.rest[1])) {
		tool_complain(USAGE.command, "give one FOLDER; whypend snapshot-commands tells how to fill it");
		good = false;
	}
	if (good) {
		struct forecast_options o = {.dir = options.rest[0],
		                             .slurm_version = version,
		                             .out = out,
		                             .set = set,
		                             .commands = commands,
		                             .replicas = (uint32_t)n,
		                             .seed = s,
		                             .until = span};

		code = make(&o, json, no_header, quiet);
	}
	tool_options_clear(&options);
	g_strfreev(commands);
	g_strfreev(set);
	g_free(replicas);
	g_free(seed);
	g_free(until);
	g_free(version);
	g_free(out);
	return code;
}
