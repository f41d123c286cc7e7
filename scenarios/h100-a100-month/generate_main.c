/*
 * generate_main.c - whypend-generate-month: write the workload of this scenario at build time.
 *
 *     whypend-generate-month [--seed N] [--jobs N] OUT
 *
 * Exit status 0 = written, 1 = OUT could not be written, 2 = bad usage.
 */
#include "scenarios/generate.h"
#include <locale.h>

static gboolean check(gint64 seed, gint64 jobs, int left, GError **error)
{
	const char *what = NULL;
	if (seed < 0)
		what = "--seed must be 0 or more";
	else if (jobs < 1 || jobs > GENERATE_JOBS_MAX)
		what = "--jobs must be 1 to " G_STRINGIFY(GENERATE_JOBS_MAX);
	else if (left != 1)
		what = left < 1 ? "no output file given" : "more than one output file given";
	if (what)
		g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, what);
	return !what;
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "");
	gint64 seed = 1, jobs = GENERATE_JOBS;
	const GOptionEntry entries[] = {
	    {"seed", 0, 0, G_OPTION_ARG_INT64, &seed, "Seed of the random numbers (1)", "N"},
	    {"jobs", 0, 0, G_OPTION_ARG_INT64, &jobs,
	     "Jobs, array tasks counted (" G_STRINGIFY(GENERATE_JOBS) "); the load grows with it", "N"},
	    G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new("OUT");
	g_option_context_set_summary(context,
	                             "Write the month of work of scenario h100-a100-month to OUT (JSON lines, gzip).\n"
	                             "Same seed and number of jobs, same bytes.");
	g_option_context_add_main_entries(context, entries, NULL);
	g_autoptr(GError) error = NULL;
	if (!g_option_context_parse(context, &argc, &argv, &error) || !check(seed, jobs, argc - 1, &error)) {
		g_printerr("whypend-generate-month: %s; try --help\n", error->message);
		return 2;
	}
	if (!generate_month(argv[1], (guint64)seed, (guint32)jobs, &error)) {
		g_printerr("whypend-generate-month: %s\n", error->message);
		return 1;
	}
	return 0;
}
