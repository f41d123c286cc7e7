/* Tests of tools/summary.c and tools/summary_data.c on a small hand-made record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/recorder.h"
#include "tools/summary.h"
#include "tools/summary_data.h"
#include <cjson/cJSON.h>
#include <gio/gio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { T0 = 1767225600, HOUR = 3600 }; /* 2026-01-01T00:00:00 */

static void add_job(struct recorder *r, uint32_t id, uint32_t run, const char *partition, const char *qos, sec_t wait,
                    sec_t time, const char *state)
{
	struct job_row j = {.job = id,
	                    .array_task = NO_VAL,
	                    .run = run,
	                    .partition = partition,
	                    .qos = qos,
	                    .submit_t = T0 * USEC,
	                    .submit_s = T0,
	                    .eligible_s = T0,
	                    .state = state};
	if (wait >= 0) {
		j.start_s = T0 + wait;
		j.start_t = j.start_s * USEC;
	}
	if (time >= 0) {
		j.end_s = T0 + MAX(0, wait) + time;
		j.end_t = j.end_s * USEC;
	}
	recorder_job(r, &j);
}

static void add_jobs(struct recorder *r)
{
	add_job(r, 1, 0, "gpu", "normal", 0, HOUR, "COMPLETED");
	add_job(r, 2, 0, "gpu", "normal", 100, HOUR, "COMPLETED");
	add_job(r, 3, 0, "cpu", "high", 300, HOUR, "PREEMPTED"); /* its second run is the one that counts */
	add_job(r, 3, 1, "cpu", "high", 2 * HOUR, HOUR, "COMPLETED");
	add_job(r, 4, 0, "gpu", "high", 4000, 10 * HOUR - 4000, "TIMEOUT");
	add_job(r, 5, 0, "gpu", "high", -1, 60, "CANCELLED by 1000");
	struct job_row rest = {.job = 6,
	                       .array_job = 6,
	                       .array_task = NO_VAL,
	                       .array_tasks = "[3-7%2]",
	                       .partition = "cpu",
	                       .qos = "normal",
	                       .submit_t = T0 * USEC,
	                       .submit_s = T0,
	                       .end_t = (T0 + 5) * USEC,
	                       .end_s = T0 + 5,
	                       .state = "CANCELLED"};
	recorder_job(r, &rest);
}

static struct recorder *make(void)
{
	struct recorder *r = recorder_open(NULL, NULL);
	recorder_meta(r, "cluster", "tern");
	recorder_meta(r, "slurm_version", "26.11");
	recorder_meta(r, "nodes", "4");
	recorder_meta(r, "cpus", "100");
	recorder_meta(r, "gpus", "8");
	recorder_meta(r, "start", "1767225600000000");
	recorder_meta(r, "end", "2026-01-03T00:00:00");
	add_jobs(r);
	recorder_series(r, T0 * USEC, 1, 0, 50, 8, 0);
	recorder_series(r, (T0 + 5 * HOUR) * USEC, 1, 0, 100, 0, 0);
	recorder_series(r, (T0 + 10 * HOUR) * USEC, 0, 0, 0, 0, 0);
	recorder_wait(r, 1, 0, T0 * USEC, (T0 + 3 * HOUR) * USEC, "Priority", NULL, NULL);
	recorder_wait(r, 2, 0, T0 * USEC, (T0 + HOUR) * USEC, "Resources", NULL, NULL);
	recorder_refused(r, T0 * USEC, 0, NULL, NULL, NULL, NULL, "Invalid account");
	recorder_refused(r, T0 * USEC, 0, NULL, NULL, NULL, NULL, "Invalid account");
	recorder_refused(r, T0 * USEC, 0, NULL, NULL, NULL, NULL, "Bad\033[31m constraint");
	recorder_left_out(r, "no end time", 3, 17);
	assert_true(recorder_finish(r, NULL));
	return r;
}

static void near(double got, double expected)
{
	if (got < expected - 1e-6 || got > expected + 1e-6)
		fail_msg("%.9g is not %.9g", got, expected);
}

static void test_numbers(void **state)
{
	(void)state;
	struct recorder *r = make();
	struct summary *s = summary_collect(recorder_db(r), NULL);
	assert_non_null(s);
	assert_int_equal(s->jobs, 10); /* 5 and an array's rest of 5 tasks */
	assert_int_equal(s->runs, 7);
	assert_int_equal(s->states->len, 3);
	assert_string_equal(g_array_index(s->states, struct tally, 0).name, "CANCELLED");
	assert_int_equal(g_array_index(s->states, struct tally, 0).count, 6);
	assert_string_equal(g_array_index(s->states, struct tally, 1).name, "COMPLETED");
	assert_int_equal(g_array_index(s->states, struct tally, 1).count, 3);
	assert_int_equal(s->n_refused, 3);
	assert_int_equal(g_array_index(s->refused, struct tally, 0).count, 2);
	assert_int_equal(s->n_left_out, 3);
	assert_int_equal(g_array_index(s->left_out, struct tally, 0).first_line, 17);
	assert_int_equal(s->wait.jobs, 4); /* 0, 100, 300, 4000 */
	near(s->wait.mean, 1100);
	near(s->wait.median, 200);
	near(s->wait.p90, 300 + 0.7 * 3700);
	near(s->wait.p99, 300 + 0.97 * 3700);
	near(s->wait.max, 4000);
	assert_int_equal(s->by_partition->len, 2);
	assert_string_equal(g_array_index(s->by_partition, struct wait_group, 0).name, "gpu");
	assert_int_equal(g_array_index(s->by_partition, struct wait_group, 0).wait.jobs, 3);
	near(g_array_index(s->by_partition, struct wait_group, 0).wait.median, 100);
	assert_string_equal(g_array_index(s->by_qos, struct wait_group, 0).name, "high");
	near(s->makespan, 10 * HOUR);
	near(s->simulated, 48 * HOUR);
	near(s->cpus.utilisation, 0.75);
	near(s->gpus.utilisation, 0.5);
	near(s->waiting_hours, 4);
	assert_string_equal(g_array_index(s->reasons, struct share, 0).name, "Priority");
	near(g_array_index(s->reasons, struct share, 0).share, 0.75);
	summary_free(s);
	recorder_free(r);
}

static char *print(struct recorder *r, bool json, double wall)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_true(summary_print(out, recorder_db(r), json, wall, NULL));
	fclose(out);
	return text;
}

static void test_text(void **state)
{
	(void)state;
	struct recorder *r = make();
	char *text = print(r, false, 0.5);
	static const char expected[] =
	    "Cluster      tern                       4 nodes, 100 CPUs, 8 GPUs\n"
	    "Makespan     10h00m                     2026-01-01T00:00:00 to 2026-01-01T10:00:00\n"
	    "Simulated    2.00 days in 0.50 s, 4.0 days a second\n"
	    "\n"
	    "Jobs                                 10\n"
	    "  CANCELLED                           6   60.0 %\n"
	    "  COMPLETED                           3   30.0 %\n"
	    "  TIMEOUT                             1   10.0 %\n"
	    "\n"
	    "Refused at submission                 3\n"
	    "         2  Invalid account\n"
	    "         1  Bad?[31m constraint\n"
	    "\n"
	    "Left out of the trace                 3\n"
	    "         3  no end time (line 17)\n"
	    "\n"
	    "Wait from eligible to start        jobs      mean    median      90 %      99 %       max\n"
	    "  all                                 4    18m20s     3m20s    48m10s     1h05m     1h07m\n"
	    "  partition gpu                       3    22m47s     1m40s    53m40s     1h05m     1h07m\n"
	    "  partition cpu                       1     5m00s     5m00s     5m00s     5m00s     5m00s\n"
	    "  qos high                            2    35m50s    35m50s     1h01m     1h06m     1h07m\n"
	    "  qos normal                          2       50s       50s     1m30s     1m39s     1m40s\n"
	    "\n"
	    "In use over the makespan            all\n"
	    "  CPUs                              100   75.0 %  #######################\n"
	    "  GPUs                                8   50.0 %  ###############\n"
	    "\n"
	    "Why jobs were pending             hours\n"
	    "  Priority                          3.0   75.0 %  #######################\n"
	    "  Resources                         1.0   25.0 %  ########\n";
	assert_string_equal(text, expected);
	free(text);
	text = print(r, false, -1);
	assert_non_null(strstr(text, "Simulated    2.00 days\n"));
	free(text);
	recorder_free(r);
}

static double number(const cJSON *root, const char *path)
{
	char **names = g_strsplit(path, ".", -1);
	for (char **name = names; *name; name++)
		root = cJSON_GetObjectItemCaseSensitive(root, *name);
	g_strfreev(names);
	if (!cJSON_IsNumber(root))
		fail_msg("no number %s", path);
	return cJSON_GetNumberValue(root);
}

static void test_json(void **state)
{
	(void)state;
	struct recorder *r = make();
	char *text = print(r, true, 0.5);
	cJSON *root = cJSON_Parse(text);
	assert_non_null(root);
	near(number(root, "jobs.states.CANCELLED"), 6);
	near(number(root, "jobs.total"), 10);
	near(number(root, "refused.total"), 3);
	near(number(root, "wait.all.mean"), 1100);
	near(number(root, "wait.partition.gpu.jobs"), 3);
	near(number(root, "wait.qos.high.max"), 4000);
	near(number(root, "cpu.utilisation"), 0.75);
	near(number(root, "pending.hours"), 4);
	near(number(root, "makespan"), 10 * HOUR);
	near(number(root, "simulated_days"), 2);
	near(number(root, "simulated_days_per_wall_second"), 4);
	cJSON_Delete(root);
	free(text);
	text = print(r, true, -1);
	assert_null(strstr(text, "wall"));
	free(text);
	recorder_free(r);
}

static void test_empty(void **state)
{
	(void)state;
	struct recorder *r = recorder_open(NULL, NULL);
	assert_true(recorder_finish(r, NULL));
	char *text = print(r, false, 0);
	assert_non_null(strstr(text, "Jobs                                  0\n"));
	free(text);
	text = print(r, true, 0);
	cJSON *root = cJSON_Parse(text);
	near(number(root, "wait.all.jobs"), 0);
	near(number(root, "cpu.utilisation"), 0);
	cJSON_Delete(root);
	free(text);
	recorder_free(r);
}

static void test_unfinished_jobs(void **state)
{
	(void)state;
	struct recorder *r = recorder_open(NULL, NULL);
	recorder_meta(r, "cpus", "10");
	add_job(r, 1, 0, "p", "q", 0, -1, "RUNNING");
	recorder_series(r, (T0 - 100) * USEC, 0, 0, 99, 0, 0); /* before the first submission: does not count */
	recorder_series(r, T0 * USEC, 1, 0, 10, 0, 0);
	recorder_series(r, (T0 + HOUR) * USEC, 1, 1, 10, 0, 0);
	assert_true(recorder_finish(r, NULL));
	struct summary *s = summary_collect(recorder_db(r), NULL);
	near(s->makespan, HOUR);
	near(s->simulated, HOUR);
	near(s->cpus.utilisation, 1);
	summary_free(s);
	recorder_free(r);
}

static void test_wide_and_many(void **state)
{
	(void)state;
	struct recorder *r = recorder_open(NULL, NULL);
	for (uint32_t i = 0; i < 20; i++) {
		char *name = g_strdup_printf("%02u_a_partition_with_a_very_long_näme", i);
		add_job(r, i + 1, 0, name, name, 40 * 86400, 5, "COMPLETED");
		recorder_wait(r, i, 0, 0, INT64_C(3600000000) * (i + 1) * 100000, name, NULL, NULL);
		g_free(name);
	}
	char *message = g_strnfill(500, 'm');
	recorder_refused(r, 0, 1, NULL, NULL, NULL, NULL, message);
	recorder_left_out(r, message, 4000000000, 4000000000);
	g_free(message);
	recorder_meta(r, "cpus", "1000000");
	assert_true(recorder_finish(r, NULL));
	char *text = print(r, false, 1);
	char **lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		if (g_utf8_strlen(*line, -1) > 100)
			fail_msg("wider than 100: %s", *line);
	assert_non_null(strstr(text, "  ... and 8 more\n"));
	g_strfreev(lines);
	free(text);
	recorder_free(r);
}

static void test_count_tasks(void **state)
{
	(void)state;
	assert_int_equal(summary_count_tasks("[3-7%2]"), 5);
	assert_int_equal(summary_count_tasks("[1,4-9]"), 7);
	assert_int_equal(summary_count_tasks("[1-199:3]"), 67);
	assert_int_equal(summary_count_tasks("[5]"), 1);
	assert_int_equal(summary_count_tasks(NULL), 1);
	assert_int_equal(summary_count_tasks(""), 1);
	assert_int_equal(summary_count_tasks("[1,3,...]"), 1);
	assert_int_equal(summary_count_tasks("[9-1]"), 1);
	assert_int_equal(summary_count_tasks("[1-5:0]"), 1);
	assert_int_equal(summary_count_tasks("[1-5"), 1);
	assert_int_equal(summary_count_tasks("[0-99999999999999999999]"), 1);
}

static void test_errors(void **state)
{
	(void)state;
	struct recorder *r = make();
	GError *error = NULL;
	FILE *full = fopen("/dev/full", "w");
	if (full) {
		assert_false(summary_print(full, recorder_db(r), false, -1, &error));
		assert_true(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE));
		g_clear_error(&error);
		fclose(full);
	}
	recorder_free(r);
	sqlite3 *other = NULL;
	assert_int_equal(sqlite3_open(":memory:", &other), SQLITE_OK); /* no record: no tables */
	assert_false(summary_print(stdout, other, false, -1, &error));
	assert_non_null(strstr(error->message, "cannot read the record"));
	g_clear_error(&error);
	sqlite3_close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_text),
	    cmocka_unit_test(test_json),
	    cmocka_unit_test(test_empty),
	    cmocka_unit_test(test_unfinished_jobs),
	    cmocka_unit_test(test_wide_and_many),
	    cmocka_unit_test(test_count_tasks),
	    cmocka_unit_test(test_errors),
	};
	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
