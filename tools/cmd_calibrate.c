/* cmd_calibrate.c - whypend calibrate: from a site's sdiag to what its controller's work costs. */
#include "models/controllercost.h"
#include "tools/commands.h"
#include "tools/options.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend calibrate",
    .operands = "SDIAG.TXT",
    .summary = "Read the output of a site's sdiag, or sdiag --json, and print what its controller's work costs, as a file for\n"
               "--controller-cost: the mean times of passes and backfill cycles, divided by their mean depths.",
    .examples = "Example:\n"
                "  sdiag >sdiag.txt\n"
                "  whypend calibrate sdiag.txt >site.cost\n"
                "  whypend run --controller-cost site.cost --conf slurm.conf --trace jobs.psv",
};

static void print_means(const char *name, double mean, double depth, const char *depth_name)
{
	if (mean > 0 && depth > 0)
		printf("# %s: mean %.0f microseconds, mean %s %.0f\n", name, mean, depth_name, depth);
	else
		printf("# %s: not told by this sdiag; its jobs cost nothing\n", name);
}

static int calibrate(const char *path)
{
	struct sdiag_pace pace;
	GError *error = NULL;

	if (!sdiag_read(path, &pace, &error)) {
		tool_complain(USAGE.command, "%s", error->message);
		g_error_free(error);
		return EXIT_USAGE;
	}
	struct controller_cost cost = sdiag_cost(&pace);
	char *text = controller_cost_format(&cost);

	puts("# microseconds; a tenth of the shorter mean goes to the beginning of a pass, the rest to its jobs");
	print_means("main scheduler", pace.main_mean, pace.main_depth, "depth");
	print_means("backfill", pace.bf_mean, pace.bf_depth_try, "depth of tries");
	fputs(text, stdout);
	g_free(text);
	return tool_flush(USAGE.command);
}

int cmd_calibrate(int argc, char **argv)
{
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, -1, &USAGE, NULL)) {
		if (!options.rest || options.rest[1])
			tool_complain(USAGE.command, "give one file with the output of sdiag");
		else
			code = calibrate(options.rest[0]);
	}
	tool_options_clear(&options);
	return code;
}
