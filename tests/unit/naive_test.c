/*
 * naive_test.c - skipping changes nothing: random small scenarios are run as usual, again, and with --naive, where
 * every tick and pass is done literally; the three records must be equal row for row.
 *
 * Environment, for looking closer: NAIVE_SEED=n runs that scenario alone, NAIVE_COUNT=n runs n scenarios,
 * NAIVE_KEEP=DIR leaves the files of a failing one there, NAIVE_BRIEF=1 does not print them. Seeds begin at 1.
 * A scenario that makes no end fails with its seed after MOST_INSTANTS or MOST_PASSES, one that aborts tells it.
 */
#include "scenarios/scenario.h"
#include "tools/dump.h"
#include "tests/unit/random_site.h"
#include <glib/gstdio.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define SCENARIOS 200
#define SHOWN_LINES 6
/* of a run; the most of the first 1,000 seeds are 1,381,190 and 151,212 */
#define MOST_INSTANTS 20000000
#define MOST_PASSES 2000000

/* ---- running it ---- */

static void must(uint64_t seed, bool ok, GError *error)
{
	if (!ok)
		fail_msg("seed %" G_GUINT64_FORMAT ": %s", (guint64)seed, error ? error->message : "failed");
}

struct totals {
	uint64_t scenarios, jobs, passes, refused, preempted;
	uint64_t most_instants, most_passes; /* of a run */
};

/* ---- no end, or a sudden one ---- */

static char seed_line[64]; /* for the signal handler */

static void tell_seed(int signal)
{
	(void)signal; /* SIGABRT: the process ends when this returns */
	if (write(STDERR_FILENO, seed_line, strlen(seed_line)) < 0)
		_exit(EXIT_FAILURE);
}

struct bound {
	const struct sim *sim;
	uint64_t instants;
};

static bool is_without_end(void *data, usec_t now)
{
	struct bound *b = data;

	(void)now;
	return ++b->instants > MOST_INSTANTS || sim_counts(b->sim).passes > MOST_PASSES;
}

static void run_bounded(uint64_t seed, struct sim *sim, struct totals *totals, bool naive)
{
	struct bound bound = {.sim = sim};
	struct sim_hooks hooks = {.instant = is_without_end, .data = &bound};
	GError *error = NULL;
	uint64_t passes;

	sim_set_hooks(sim, &hooks);
	must(seed, sim_run(sim, NULL, NULL, NULL, &error), error);
	passes = sim_counts(sim).passes;
	if (bound.instants > MOST_INSTANTS || passes > MOST_PASSES)
		fail_msg("seed %" G_GUINT64_FORMAT ": no end of the %s run: %" G_GUINT64_FORMAT " instants, %" G_GUINT64_FORMAT
		         " passes, at %" G_GINT64_FORMAT, (guint64)seed, naive ? "naive" : "normal", (guint64)bound.instants,
		         (guint64)passes, (gint64)sim_now(sim));
	totals->most_instants = MAX(totals->most_instants, bound.instants);
	totals->most_passes = MAX(totals->most_passes, passes);
}

/* The record of one run as text. free. */
static char *run(uint64_t seed, const char *dir, bool naive, bool counted, struct totals *totals)
{
	struct scenario_options o = {.path = dir, .naive = naive};
	GError *error = NULL;
	struct scenario *s = scenario_load(&o, &error);
	struct recorder *r;
	struct sim *sim;
	char *text = NULL;
	size_t size;
	FILE *out;

	must(seed, s != NULL, error);
	s->sim.audit = !naive && !counted; /* the second of the equal runs: nothing is held twice, all counts add up */
	r = recorder_open(NULL, &error);
	must(seed, r != NULL, error);
	sim = scenario_start(s, r, &error);
	must(seed, sim != NULL, error);
	run_bounded(seed, sim, totals, naive);
	sim_close_record(sim);
	if (counted) {
		struct sim_counts n = sim_counts(sim);

		totals->jobs += n.ended;
		totals->passes += n.passes;
		totals->refused += n.refused;
	}
	sim_free(sim);
	must(seed, recorder_finish(r, &error), error);
	out = open_memstream(&text, &size);
	assert_non_null(out);
	must(seed, db_dump(out, recorder_db(r), &error), error);
	fclose(out);
	for (const char *p = text; counted && (p = strstr(p, "PREEMPTED")); p++)
		totals->preempted++;
	recorder_free(r);
	scenario_free(s);
	return text;
}

static void print_difference(const char *a, const char *b)
{
	char **x = g_strsplit(a, "\n", -1), **y = g_strsplit(b, "\n", -1);
	const char *table = "";
	int i = 0, shown = 0;

	for (; x[i] && y[i] && strcmp(x[i], y[i]) == 0; i++)
		if (x[i][0] == '#')
			table = x[i];
	print_error("line %d, in %s\n", i + 1, table);
	for (int k = MAX(0, i - 3); k < i; k++)
		print_error("  %s\n", x[k]);
	for (int k = i; shown < SHOWN_LINES && x[k]; k++, shown++)
		print_error("- %s\n", x[k]);
	shown = 0;
	for (int k = i; shown < SHOWN_LINES && y[k]; k++, shown++)
		print_error("+ %s\n", y[k]);
	g_strfreev(x);
	g_strfreev(y);
}

static bool same(uint64_t seed, const struct site *site, const char *what, const char *a, const char *b)
{
	const char *keep = g_getenv("NAIVE_KEEP");

	if (strcmp(a, b) == 0)
		return true;
	print_error("seed %" G_GUINT64_FORMAT ": %s differ\n", (guint64)seed, what);
	print_difference(a, b);
	if (keep)
		put_site(keep, site);
	if (keep || !g_getenv("NAIVE_BRIEF"))
		print_error("%s\n%s\n%s\n", site->conf->str, site->accounting->str, site->json->str);
	return false;
}

static bool one_scenario(uint64_t seed, const char *dir, struct totals *totals)
{
	struct site *site = site_new(seed);
	char *normal, *again, *naive;
	bool ok;

	put_site(dir, site);
	g_snprintf(seed_line, sizeof seed_line, "seed %" G_GUINT64_FORMAT ": aborted\n", (guint64)seed);
	normal = run(seed, dir, false, true, totals);
	again = run(seed, dir, false, false, totals);
	naive = run(seed, dir, true, false, totals);
	totals->scenarios++;
	ok = same(seed, site, "two equal runs", normal, again) &&
	     same(seed, site, "normal (-) and naive (+)", normal, naive);
	free(normal);
	free(again);
	free(naive);
	site_free(site);
	return ok;
}

static void remove_dir(const char *dir)
{
	static const char *const NAMES[] = {"slurm.conf", "assoc.sacctmgr", "scenario.json", "topology.conf", "faults.csv", "faults.json", "changed.conf"};

	for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
		char *path = g_build_filename(dir, NAMES[i], NULL);

		g_unlink(path);
		g_free(path);
	}
	g_rmdir(dir);
}

static void test_naive_is_the_same(void **state)
{
	const char *single = g_getenv("NAIVE_SEED"), *count = g_getenv("NAIVE_COUNT");
	uint64_t first = single ? g_ascii_strtoull(single, NULL, 10) : 1;
	uint64_t n = count ? g_ascii_strtoull(count, NULL, 10) : single ? 1 : SCENARIOS, bad = 0;
	char *dir = g_dir_make_tmp("whypend-naive-XXXXXX", NULL);
	struct totals totals = {0};

	(void)state;
	assert_non_null(dir);
	signal(SIGABRT, tell_seed);
	for (uint64_t seed = first; seed < first + n; seed++)
		bad += !one_scenario(seed, dir, &totals);
	remove_dir(dir);
	g_free(dir);
	print_message("%" G_GUINT64_FORMAT " scenarios, %" G_GUINT64_FORMAT " jobs ended, %" G_GUINT64_FORMAT
	              " refused, %" G_GUINT64_FORMAT " preempted, %" G_GUINT64_FORMAT " passes (most in a run: %" G_GUINT64_FORMAT ", in %" G_GUINT64_FORMAT " instants), %" G_GUINT64_FORMAT " scenarios differ\n",
	              (guint64)totals.scenarios, (guint64)totals.jobs, (guint64)totals.refused, (guint64)totals.preempted, (guint64)totals.passes,
	              (guint64)totals.most_passes, (guint64)totals.most_instants, (guint64)bad);
	assert_int_equal(bad, 0);
	if (n < SCENARIOS)
		return;
	assert_true(totals.jobs > 10 * n); /* else the generator makes nothing worth looking at */
	assert_true(totals.preempted > n / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_naive_is_the_same)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
