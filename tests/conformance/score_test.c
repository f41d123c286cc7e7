/* score_test.c - the pure parts of conformance: reading records, measuring reasons, comparing, the floor. */
#include "tests/conformance/floor.h"
#include "tests/conformance/score.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ROOT "tests/conformance"

/* ---- reading ---- */

static void reads_csv(void **state)
{
	(void)state;
	const char *text = "a,b,c\n1,\"x, \"\"y\"\"\",\n2,,\"two\nlines\"\n3\n";
	struct table *t = table_parse(text, strlen(text), NULL);
	assert_non_null(t);
	assert_int_equal(t->rows->len, 3);
	assert_string_equal(table_get(t, 0, "b"), "x, \"y\"");
	assert_string_equal(table_get(t, 0, "c"), "");
	assert_string_equal(table_get(t, 1, "c"), "two\nlines");
	assert_string_equal(table_get(t, 2, "c"), "");
	assert_string_equal(table_get(t, 0, "none"), "");
	table_free(t);
}

static void refuses_bad_csv(void **state)
{
	(void)state;
	GError *error = NULL;
	assert_null(table_parse("a\n\"open", 7, &error));
	assert_non_null(error);
	g_clear_error(&error);
	assert_null(table_parse("", 0, &error));
	assert_non_null(error);
	g_error_free(error);
}

static void missing_file_is_an_error(void **state)
{
	(void)state;
	GError *error = NULL;
	assert_null(record_read(ROOT, "22.05", "no-such-scenario", &error));
	assert_non_null(error);
	g_error_free(error);
}

/* ---- reasons ---- */

static void expect_held(const double *times, char *const *seen, guint n, const char *expected)
{
	char **held = reasons_held(times, seen, n), *text = g_strjoinv(">", held);
	assert_string_equal(text, expected);
	g_free(text);
	g_strfreev(held);
}

static void measures_reasons_by_looks(void **state)
{
	(void)state;
	const double times[] = {0, 1, 2, 3, 4, 5, 6};
	char *const all[] = {"A", "A", "A", "B", "B", "B", NULL};
	char *const brief[] = {"A", "A", "B", "B", "A", "A", "A"};
	char *const merged[] = {"A", "A", "A", "B", "A", "A", "A"};
	char *const gap[] = {"A", NULL, NULL, "A", NULL, NULL, NULL};
	expect_held(times, all, 7, "A>B");
	expect_held(times, brief, 7, "A");
	expect_held(times, merged, 7, "A"); /* neighbours become one */
	expect_held(times, gap, 7, "A");    /* from the first look to the last */
	expect_held(times, NULL, 0, "");
}

/* ---- comparing ---- */

static void compares_times(void **state)
{
	(void)state;
	assert_true(score_times_agree(5, 7, 2));
	assert_false(score_times_agree(5, 8, 2));
	assert_true(score_times_agree(NO_TIME, NO_TIME, 0));
	assert_false(score_times_agree(NO_TIME, 0, 100));
	assert_false(score_times_agree(0, NO_TIME, 100));
}

static void compares_reasons(void **state)
{
	(void)state;
	char *const real[] = {"A", "B", "A", "C", NULL}, *const swapped[] = {"A", "C", "B", "C", NULL};
	char *const less[] = {"A", "C", NULL}, *const none[] = {NULL};
	assert_true(score_reasons_agree(real, real, true));
	assert_false(score_reasons_agree(real, swapped, true));
	assert_true(score_reasons_agree(real, swapped, false));
	assert_false(score_reasons_agree(real, less, false));
	assert_false(score_reasons_agree(real, none, false));
	assert_true(score_reasons_agree(none, none, false));
}

static void compares_messages(void **state)
{
	(void)state;
	const char *real = "sbatch: error: QOSMaxGRESPerUser\nsbatch: error: Batch job submission failed: Job violates "
	                   "accounting/QOS policy (job submit limit, user's size and/or time limits)";
	assert_true(score_messages_agree(
	    real, "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"));
	assert_true(score_messages_agree(real, "QOSMaxGRESPerUser"));
	assert_false(score_messages_agree(real, "Invalid qos specification"));
	assert_false(score_messages_agree(real, ""));
	assert_true(score_messages_agree("sbatch: error: Invalid --begin specification", "bad begin"));
}

static void widens_only_for_backfill(void **state)
{
	(void)state;
	struct score_rules rules = {.tolerance = 4, .backfill_extra = 30};
	struct job_run main_run = {0}, backfilled = {.by_backfill = true};
	assert_true(score_tolerance(&rules, &main_run, NULL) == 4);
	assert_true(score_tolerance(&rules, &backfilled, NULL) == 34);
	assert_true(score_tolerance(&rules, &backfilled, &main_run) == 4);
	assert_true(score_tolerance(&rules, &backfilled, &backfilled) == 34);
}

/* ---- whole records ---- */

/* A recording agrees with itself in everything; nothing agrees with nothing. */
static void record_against_itself(void **state)
{
	(void)state;
	static const char *const names[] = {"arrays", "preempt-qos-requeue", "mixed-day", "partition-limits"};
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		GError *error = NULL;
		struct record *r = record_read(ROOT, "22.05", names[i], &error);
		if (!r)
			fail_msg("%s", error->message);
		for (int pinned = 0; pinned < 2; pinned++) {
			struct score_rules rules = {.pinned = pinned, .tolerance = 2};
			struct score *same = score_run(r, r->run, &rules), *none = score_run(r, NULL, &rules);
			assert_int_equal(same->differences->len, 0);
			for (int m = 0; m < N_MEASURES; m++) {
				assert_int_equal(same->of[m].agree, same->of[m].scored);
				assert_int_equal(none->of[m].scored, same->of[m].scored);
				assert_int_equal(none->of[m].agree, 0);
			}
			assert_true(same->of[M_STATE].scored && same->of[M_START].scored && same->of[M_ORDER].scored);
			assert_true(same->of[M_NODES].scored && same->of[M_PLACEMENT].scored);
			assert_true(same->of[M_REASONS].scored && same->of[M_PRIORITY].scored);
			score_free(same);
			score_free(none);
		}
		record_free(r);
	}
}

static void reads_a_record(void **state)
{
	(void)state;
	struct record *r = record_read(ROOT, "22.05", "preempt-qos-requeue", NULL);
	assert_non_null(r);
	const struct job_story *s = run_find(r->run, "low0");
	assert_int_equal(s->runs->len, 2);
	assert_string_equal(story_run(s, 0)->state, "PREEMPTED");
	assert_int_equal(story_run(s, 1)->start, 169);
	assert_true(story_run(s, 0)->start_exact > 0.178 && story_run(s, 0)->start_exact < 0.18);
	assert_int_equal(story_run(s, 0)->placed->len, 1);
	assert_string_equal(s->reasons[0], "BeginTime");
	assert_null(s->reasons[1]);
	assert_true(r->has_accounting);
	assert_int_equal(record_pass_at(r, 0.5), 2);
	assert_int_equal(record_pass_at(r, -100), -1);
	record_free(r);
}

/* ---- floor ---- */

static void floor_only_rises(void **state)
{
	(void)state;
	cJSON *floor = cJSON_Parse("{\"a\":{\"free\":{\"state\":[3,4],\"start\":[0,0]}}}");
	cJSON *worse = cJSON_Parse("{\"a\":{\"free\":{\"state\":[2,4],\"start\":[1,2]}}}");
	cJSON *wider =
	    cJSON_Parse("{\"a\":{\"free\":{\"state\":[6,8],\"start\":[1,2]}},\"b\":{\"free\":{\"state\":[1,1]}}}");
	FILE *quiet = fopen("/dev/null", "w");
	assert_int_equal(floor_check(floor, worse, quiet), 1);
	assert_int_equal(floor_check(floor, wider, quiet), 0);
	assert_int_equal(floor_raise(floor, worse), 1);
	assert_int_equal(floor_check(floor, worse, quiet), 1);
	assert_int_equal(floor_raise(floor, wider), 2);
	assert_int_equal(floor_raise(floor, wider), 0);
	assert_int_equal(floor_check(floor, worse, quiet), 1);
	fclose(quiet);
	cJSON_Delete(floor);
	cJSON_Delete(worse);
	cJSON_Delete(wider);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reads_csv),
	    cmocka_unit_test(refuses_bad_csv),
	    cmocka_unit_test(missing_file_is_an_error),
	    cmocka_unit_test(measures_reasons_by_looks),
	    cmocka_unit_test(compares_times),
	    cmocka_unit_test(compares_reasons),
	    cmocka_unit_test(compares_messages),
	    cmocka_unit_test(widens_only_for_backfill),
	    cmocka_unit_test(reads_a_record),
	    cmocka_unit_test(record_against_itself),
	    cmocka_unit_test(floor_only_rises),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
