/* Metrics over the jobs of a run: definitions of tools/metrics.h, by hand. */
#include "sim/recorder.h"
#include "tools/metrics.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* Submitted, eligible at SUBMIT; started after WAIT, ran RUN seconds on CPUS. */
static struct job_row row(uint32_t id, const char *user, sec_t submit, sec_t wait, sec_t run, uint32_t cpus)
{
	sec_t start = submit + wait;

	return (struct job_row){.job = id,
	                        .array_task = NO_VAL,
	                        .user = user,
	                        .account = "a",
	                        .partition = "p",
	                        .qos = "q",
	                        .label = "x",
	                        .submit_t = submit * USEC,
	                        .start_t = start * USEC,
	                        .end_t = (start + run) * USEC,
	                        .submit_s = submit,
	                        .eligible_s = submit,
	                        .start_s = start,
	                        .end_s = start + run,
	                        .state = "COMPLETED",
	                        .req_cpus = cpus,
	                        .ncpus = cpus,
	                        .req_tres = "cpu=1",
	                        .alloc_tres = "billing=2,cpu=1"};
}

static struct run_rows *rows_of(struct recorder *r)
{
	GError *error = NULL;

	recorder_meta(r, "cpus", "10");
	recorder_meta(r, "gpus", "0");
	recorder_meta(r, "end", "2000000000");
	assert_true(recorder_finish(r, &error));
	struct run_rows *rows = run_rows_read(recorder_db(r), &error);
	assert_non_null(rows);
	return rows;
}

static void test_definitions(void **state)
{
	struct recorder *r = recorder_open(NULL, NULL);
	struct job_row jobs[] = {row(1, "ann", 1000, 0, 100, 5), row(2, "ann", 1000, 30, 5, 1),
	                         row(3, "bob", 1100, 100, 100, 10), row(4, "bob", 1100, 60, 0, 1)};
	double v[N_METRICS];

	(void)state;
	jobs[3].start_t = jobs[3].start_s = 0; /* still waits at 2000 */
	jobs[3].end_t = jobs[3].end_s = 0;
	jobs[3].state = "PENDING";
	jobs[3].ncpus = 0;
	for (int i = 0; i < 4; i++)
		recorder_job(r, &jobs[i]);
	struct run_rows *rows = rows_of(r);
	metrics_of(rows, NULL, v);
	NEAR(v[METRIC_JOBS], 4);
	NEAR(v[METRIC_STARTS], 3);
	NEAR(v[METRIC_WAIT_MEAN], (0 + 30 + 100 + 900) / 4.0);
	NEAR(v[METRIC_WAIT_MEDIAN], 65);
	NEAR(v[METRIC_WAIT_MAX], 900);
	NEAR(v[METRIC_SLOWDOWN_MEAN], (1 + 35 / 10.0 + 200 / 100.0) / 3);
	NEAR(v[METRIC_CPU_USE], (500 + 5 + 1000) / (10.0 * 1000));
	assert_true(isnan(v[METRIC_GPU_USE]));
	/* billing seconds: ann 2 * 105, bob 2 * 100 */
	NEAR(v[METRIC_JAIN], 410.0 * 410 / (2 * (210.0 * 210 + 200.0 * 200)));
	NEAR(v[METRIC_GINI], 10 / (2 * 410.0));
	struct job_class c;
	assert_true(job_class_parse("user=bob", &c, NULL));
	metrics_of(rows, &c, v);
	NEAR(v[METRIC_JOBS], 2);
	NEAR(v[METRIC_WAIT_MEAN], 500);
	job_class_clear(&c);
	assert_true(job_class_parse("size=1 CPU", &c, NULL));
	metrics_of(rows, &c, v);
	NEAR(v[METRIC_STARTS], 1);
	job_class_clear(&c);
	GPtrArray *sizes = run_rows_classes(rows, CLASS_SIZE);
	assert_int_equal(sizes->len, 3); /* as sizes go */
	assert_string_equal(sizes->pdata[0], "1 CPU");
	assert_string_equal(sizes->pdata[1], "2-8 CPUs");
	assert_string_equal(sizes->pdata[2], "9-32 CPUs");
	g_ptr_array_unref(sizes);
	run_rows_free(rows);
	recorder_free(r);
}

static void test_requeued(void **state)
{
	struct recorder *r = recorder_open(NULL, NULL);
	struct job_row first = row(1, "ann", 1000, 10, 50, 2), second = row(1, "ann", 1000, 100, 40, 2);
	double v[N_METRICS];

	(void)state;
	first.state = "PREEMPTED";
	first.lost = 36;
	second.run = 1;
	recorder_job(r, &first);
	recorder_job(r, &second);
	struct run_rows *rows = rows_of(r);
	metrics_of(rows, NULL, v);
	NEAR(v[METRIC_STARTS], 1);
	NEAR(v[METRIC_WAIT_MEAN], 10);
	NEAR(v[METRIC_SLOWDOWN_MEAN], 140 / 40.0);
	NEAR(v[METRIC_PREEMPTED], 1);
	NEAR(v[METRIC_REQUEUED], 1);
	NEAR(v[METRIC_LOST_CPU], 36 * 2 / 3600.0);
	run_rows_free(rows);
	recorder_free(r);
}

/* Weights: as if the windows had happened so often. */
static void test_windows(void **state)
{
	struct recorder *r = recorder_open(NULL, NULL);
	const uint32_t twice_first[] = {2, 0}, both[] = {1, 1};

	(void)state;
	for (uint32_t i = 0; i < 10; i++) {
		struct job_row j = row(i + 1, i < 5 ? "ann" : "bob", 1000 + 10 * i, i, 100, 1);
		recorder_job(r, &j);
	}
	struct run_rows *rows = rows_of(r);
	struct windows w = {1000 * USEC, 50 * USEC, 2};
	struct measure *m = measure_new(rows, NULL, &w), *whole = measure_new(rows, NULL, NULL);
	NEAR(measure_get(m, METRIC_JOBS, twice_first), 10);
	NEAR(measure_get(m, METRIC_WAIT_MEAN, twice_first), 2);
	NEAR(measure_get(m, METRIC_WAIT_MEDIAN, twice_first), 2);
	NEAR(measure_get(m, METRIC_WAIT_MAX, twice_first), 4);
	for (int k = 0; k < N_METRICS; k++) {
		double a = measure_get(m, (enum metric)k, both), b = measure_get(whole, (enum metric)k, NULL);
		assert_true((isnan(a) && isnan(b)) || fabs(a - b) < 1e-9);
	}
	measure_free(m);
	measure_free(whole);
	run_rows_free(rows);
	recorder_free(r);
}

static void test_names(void **state)
{
	enum metric m;
	struct job_class c;
	GError *error = NULL;

	(void)state;
	for (int k = 0; k < N_METRICS; k++) {
		assert_true(metric_find(metric_info((enum metric)k)->name, &m));
		assert_int_equal(m, k);
	}
	assert_false(metric_find("waiting", &m));
	assert_false(job_class_parse("colour=red", &c, &error));
	assert_non_null(strstr(error->message, "size"));
	g_clear_error(&error);
	assert_false(job_class_parse("user=", &c, NULL));
	assert_true(job_class_parse("gpu", &c, NULL));
	job_class_clear(&c);
	struct {
		enum metric m;
		double v;
		bool d;
		const char *text;
	} texts[] = {{METRIC_WAIT_MEAN, 5288, false, "1h28m"}, {METRIC_WAIT_MEAN, -725, true, "-12m05s"},
	             {METRIC_WAIT_MEAN, 0, true, "0s"},        {METRIC_CPU_USE, 0.1234, false, "12.3 %"},
	             {METRIC_CPU_USE, 0.01, true, "+1.0 %"},   {METRIC_JOBS, 17, false, "17"},
	             {METRIC_JAIN, NAN, false, "-"},           {METRIC_SLOWDOWN_MEAN, 123.4, true, "+123"}};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		char *text = metric_format(texts[i].m, texts[i].v, texts[i].d);
		assert_string_equal(text, texts[i].text);
		g_free(text);
	}
}

static void test_no_record(void **state)
{
	GError *error = NULL;

	(void)state;
	assert_null(run_db_open("/nonexistent.db", &error));
	assert_non_null(strstr(error->message, "no such file"));
	g_clear_error(&error);
	assert_null(run_db_open("scenarios/first-look/slurm.conf", &error));
	assert_non_null(strstr(error->message, "no run.db"));
	g_clear_error(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_definitions), cmocka_unit_test(test_requeued),
	                                   cmocka_unit_test(test_windows), cmocka_unit_test(test_names),
	                                   cmocka_unit_test(test_no_record)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
