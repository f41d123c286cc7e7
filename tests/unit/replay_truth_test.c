/* Tests of tools/replay_truth.c on small hand-made records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/recorder.h"
#include "tools/replay_truth.h"
#include "tools/text_time.h"
#include <math.h>
#include <string.h>

enum { T0 = 1767225600, LONG = 1000 };

/* Submitted at T0, 10 CPUs, runs for LONG; starts are seconds after T0, -1 = never. */
static void add(struct recorder *r, uint32_t id, uint32_t run, sec_t real, sec_t simulated)
{
	struct job_row j = {.job = id, .run = run, .array_task = NO_VAL, .submit_s = T0, .submit_t = T0 * USEC, .state = "COMPLETED", .ncpus = 10};
	if (real >= 0) {
		j.real_start = T0 + real;
		j.real_end = j.real_start + LONG;
	}
	if (simulated >= 0) {
		j.start_s = T0 + simulated;
		j.end_s = j.start_s + LONG;
	}
	recorder_job(r, &j);
}

static struct replay_truth read_all(struct recorder *r)
{
	struct replay_truth t;
	recorder_meta(r, "cpus", "20");
	assert_true(recorder_finish(r, NULL));
	assert_true(replay_truth_read(recorder_db(r), &t, NULL));
	return t;
}

static void near(double got, double expected)
{
	if (!(fabs(got - expected) < 1e-6))
		fail_msg("%.9g is not %.9g", got, expected);
}

static char *text_of(const struct replay_truth *t)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	replay_truth_text(out, t);
	fclose(out);
	return text;
}

static void test_errors_waits_and_use(void **state)
{
	(void)state;
	struct recorder *r = recorder_open(NULL, NULL);
	add(r, 1, 0, 0, 0);       /* exact */
	add(r, 2, 0, 100, 160);   /* a minute late: still within it */
	add(r, 3, 0, 1000, 400);  /* ten minutes early */
	add(r, 4, 0, 2000, 9000); /* 7000 s late */
	add(r, 4, 1, 5, 5);       /* a second run does not count */
	add(r, 5, 0, 50, -1);
	add(r, 6, 0, -1, 50);
	add(r, 7, 0, -1, -1);
	struct replay_truth t = read_all(r);
	assert_int_equal(t.jobs, 4);
	assert_int_equal(t.only_recorded, 1);
	assert_int_equal(t.only_simulated, 1);
	near(t.mean, (0 + 60 - 600 + 7000) / 4.0);
	near(t.median, 30);
	near(t.p10, -600 + 0.3 * 600);
	near(t.p90, 60 + 0.7 * 6940);
	near(t.minute, 0.5);
	near(t.ten_minutes, 0.75);
	near(t.hour, 0.75);
	near(t.recorded.mean, 775);
	near(t.simulated.median, 280);
	near(t.rank_correlation, 1);
	assert_true(t.correlation > 0.8 && t.correlation < 1);
	near(t.recorded_use, 4 * 10.0 * LONG / (20.0 * 3000));
	near(t.simulated_use, 4 * 10.0 * LONG / (20.0 * 10000));
	char *text = text_of(&t);
	assert_non_null(strstr(text, "started only in the record"));
	assert_non_null(strstr(text, "+26m55s")); /* 1615 s */
	free(text);
	cJSON *root = cJSON_CreateObject();
	replay_truth_json(root, &t);
	const cJSON *replay = cJSON_GetObjectItem(root, "replay");
	near(cJSON_GetObjectItem(cJSON_GetObjectItem(replay, "start_error"), "within_ten_minutes")->valuedouble, 0.75);
	near(cJSON_GetObjectItem(cJSON_GetObjectItem(replay, "cpu_use"), "simulated")->valuedouble, 0.2);
	cJSON_Delete(root);
	recorder_free(r);
}

static void test_nothing_recorded(void **state)
{
	(void)state;
	struct recorder *r = recorder_open(NULL, NULL);
	add(r, 1, 0, -1, 10);
	add(r, 2, 0, -1, 20);
	struct replay_truth t = read_all(r);
	assert_int_equal(t.jobs, 0);
	char *text = text_of(&t);
	assert_string_equal(text, "");
	free(text);
	cJSON *root = cJSON_CreateObject();
	replay_truth_json(root, &t);
	assert_null(root->child);
	cJSON_Delete(root);
	recorder_free(r);
}

static void test_equal_waits_have_no_correlation(void **state)
{
	(void)state;
	struct recorder *r = recorder_open(NULL, NULL);
	for (uint32_t id = 1; id <= 4; id++)
		add(r, id, 0, 5, (sec_t)id);
	struct replay_truth t = read_all(r);
	assert_true(isnan(t.correlation) && isnan(t.rank_correlation));
	char *text = text_of(&t);
	assert_null(strstr(text, "correlation"));
	free(text);
	recorder_free(r);
}

static void test_times(void **state)
{
	(void)state;
	static const struct {
		double seconds;
		const char *brief, *sign;
	} rows[] = {{0, "0s", "0s"}, {59.4, "59s", "+59s"}, {725, "12m05s", "+12m05s"}, {-7000, "0s", "-1h56m"}, {183600, "2d03h", "+2d03h"}};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *brief = time_short(rows[i].seconds), *sign = time_signed(rows[i].seconds);
		assert_string_equal(brief, rows[i].brief);
		assert_string_equal(sign, rows[i].sign);
		g_free(brief);
		g_free(sign);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_errors_waits_and_use),
	    cmocka_unit_test(test_nothing_recorded),
	    cmocka_unit_test(test_equal_waits_have_no_correlation),
	    cmocka_unit_test(test_times),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
