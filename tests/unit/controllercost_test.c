/* controllercost_test.c - what a controller costs, from words, files and sdiag */
#include "models/controllercost.h"
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static char *write_file(const char *text)
{
	char *path = NULL;
	int fd = g_file_open_tmp("whypend-cost-XXXXXX", &path, NULL);
	assert_true(fd >= 0);
	g_close(fd, NULL);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	return path;
}

static void gives(const char *text, int64_t pass, int64_t main_job, int64_t bf_job, int64_t node, int64_t start)
{
	struct controller_cost c;
	GError *error = NULL;
	if (!controller_cost_parse(text, &c, &error))
		fail_msg("%s: %s", text, error->message);
	assert_int_equal(c.pass, pass);
	assert_int_equal(c.main_job, main_job);
	assert_int_equal(c.bf_job, bf_job);
	assert_int_equal(c.node, node);
	assert_int_equal(c.start, start);
}

static void fails(const char *text, const char *why)
{
	struct controller_cost c;
	GError *error = NULL;
	assert_false(controller_cost_parse(text, &c, &error));
	if (!strstr(error->message, why))
		fail_msg("%s: \"%s\" does not hold \"%s\"", text, error->message, why);
	g_error_free(error);
}

static void words(void **state)
{
	(void)state;
	gives("instant", 0, 0, 0, 0, 0);
	gives("pass=100,node=0.5", 100000, 0, 0, 500, 0);
	gives("start=1e3, bf_job=2", 0, 0, 2000, 0, 1000000);
	fails("bf_jobs=2", "unknown cost \"bf_jobs\"; known: pass,");
	fails("pass", "write instant, small, large, KEY=VALUE");
	fails("pass=", "bad value \"\" for pass; write microseconds");
	fails("pass=-1", "bad value");
	fails("pass=nan", "bad value");
	fails("pass=1e99", "bad value");
	fails("pass=1x", "bad value");
}

static void files(void **state)
{
	(void)state;
	char *good = write_file("# ours\npass=100 # a pass\n\nmain_job=5,bf_job=7\n");
	gives(good, 100000, 5000, 7000, 0, 0);
	char *bad = write_file("pass=1\nfoo=2\n");
	fails(bad, ":2: unknown cost \"foo\"");
	struct controller_cost c, again;
	assert_true(controller_cost_parse("pass=0.25,main_job=3,bf_job=4,node=5,start=6", &c, NULL));
	char *text = controller_cost_format(&c), *copy = write_file(text);
	assert_true(controller_cost_parse(copy, &again, NULL));
	assert_memory_equal(&c, &again, sizeof c);
	g_unlink(good);
	g_unlink(bad);
	g_unlink(copy);
	g_free(good);
	g_free(bad);
	g_free(copy);
	g_free(text);
}

static void sdiag(void **state)
{
	(void)state;
	char *path = write_file("Main schedule statistics (microseconds):\n\tLast cycle:   1\n\tMean cycle:   1000\n\tMean depth cycle:  9\n"
	                        "Backfilling stats\n\tMean cycle: 20000\n\tDepth Mean: 50\n\tDepth Mean (try depth): 10\n");
	struct sdiag_pace p;
	assert_true(sdiag_read(path, &p, NULL));
	struct controller_cost c = sdiag_cost(&p);
	assert_int_equal(c.pass, 100000);
	assert_int_equal(c.main_job, 100000);
	assert_int_equal(c.bf_job, 1990000);
	assert_true(g_file_set_contents(path, "sdiag output at\n", -1, NULL));
	GError *error = NULL;
	assert_false(sdiag_read(path, &p, &error));
	assert_non_null(strstr(error->message, "give the whole output of sdiag"));
	g_clear_error(&error);
	assert_true(g_file_set_contents(path, "Backfilling stats\n\tMean cycle: 200\n\tDepth Mean (try depth): 2\n", -1, NULL));
	assert_true(sdiag_read(path, &p, NULL));
	assert_int_equal(sdiag_cost(&p).bf_job, 90000);
	assert_int_equal(sdiag_cost(&p).main_job, 0);
	assert_true(g_file_set_contents(path, "{\"statistics\": {\"schedule_cycle_mean\": 1000, \"schedule_cycle_mean_depth\": 9,\n \"bf_cycle_mean\": 20000, "
	                                      "\"bf_depth_mean\": 50, \"bf_depth_mean_try\": 10}}\n", -1, NULL));
	assert_true(sdiag_read(path, &p, NULL)); /* --json */
	struct controller_cost json = sdiag_cost(&p);
	assert_memory_equal(&json, &c, sizeof c);
	g_unlink(path);
	g_free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(files), cmocka_unit_test(sdiag)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
