/*
 * Tests of tools/story.c, tools/explain.c and tools/whatif.c: the intervals of every job's story follow each other and
 * add up to its wait; what a forked run answers is what a run of its own, with the job changed before it begins, gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/explain.h"
#include "tools/group_waits.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFORMANCE "tests/conformance/scenarios/"
static const char *const SCENARIOS[] = {
    "scenarios/first-look",        CONFORMANCE "arrays",
    CONFORMANCE "assoc-limits",    CONFORMANCE "backfill-basic",
    CONFORMANCE "backfill-limits", CONFORMANCE "backfill-max-job-test",
    CONFORMANCE "dependencies",    CONFORMANCE "fairshare-classic",
    CONFORMANCE "fairtree-limits", CONFORMANCE "begin-formats",
    CONFORMANCE "qos-minutes",     CONFORMANCE "exclusive-mem",
};

static void options_for(struct tool_options *o, const char *path)
{
	memset(o, 0, sizeof *o);
	o->command = "test";
	o->quiet = TRUE;
	o->scenario.path = path;
}

/* ---- shares ---- */

static void check_story(const struct story *s)
{
	uint32_t *shares = story_shares(s), sum = 0;
	usec_t at = s->from, length = 0, by_reason = 0;
	GArray *sums = story_sums(s);

	for (guint i = 0; i < s->intervals->len; i++) {
		const struct story_interval *v = s->intervals->pdata[i];
		assert_true(v->from == at);
		assert_true(v->to > v->from);
		assert_non_null(v->rule);
		at = v->to;
		length += v->to - v->from;
		sum += shares[i];
	}
	for (guint i = 0; i < sums->len; i++)
		by_reason += g_array_index(sums, struct story_sum, i).length;
	assert_true(at == s->to);
	assert_true(length == s->to - s->from);
	assert_true(by_reason == length);
	assert_int_equal(sum, length > 0 ? 1000 : 0);
	g_array_unref(sums);
	g_free(shares);
}

/* Hours of all stories; a row that stands for several tasks counts for each. */
static double all_hours(struct sqlite3 *db)
{
	sqlite3_stmt *q = NULL;
	double hours = 0;

	sqlite3_prepare_v2(db, "SELECT job, array_job, array_task, run, array_tasks FROM job", -1, &q, NULL);
	while (sqlite3_step(q) == SQLITE_ROW) {
		uint32_t array = (uint32_t)sqlite3_column_int64(q, 1), task = (uint32_t)sqlite3_column_int64(q, 2);
		char *name = array && task != NO_VAL ? g_strdup_printf("%u_%u", array, task)
		                                     : g_strdup_printf("%u", (uint32_t)sqlite3_column_int64(q, 0));
		struct story *s = story_read(db, name, sqlite3_column_int(q, 3), NULL);

		assert_null(sqlite3_column_text(q, 4)); /* all tasks of these have started */
		hours += (double)(s->to - s->from) / 3.6e9;
		story_free(s);
		g_free(name);
	}
	sqlite3_finalize(q);
	return hours;
}

static guint check_all_jobs(struct sqlite3 *db)
{
	sqlite3_stmt *q = NULL;
	guint n = 0;

	assert_int_equal(sqlite3_prepare_v2(db, "SELECT job, array_job, array_task, run FROM job", -1, &q, NULL),
	                 SQLITE_OK);
	for (; sqlite3_step(q) == SQLITE_ROW; n++) {
		uint32_t array = (uint32_t)sqlite3_column_int64(q, 1), task = (uint32_t)sqlite3_column_int64(q, 2);
		char *name = array && task != NO_VAL ? g_strdup_printf("%u_%u", array, task)
		                                     : g_strdup_printf("%u", (uint32_t)sqlite3_column_int64(q, 0));
		GError *error = NULL;
		struct story *s = story_read(db, name, sqlite3_column_int(q, 3), &error);

		assert_null(error);
		check_story(s);
		story_free(s);
		g_free(name);
	}
	sqlite3_finalize(q);
	return n;
}

static void shares_add_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(SCENARIOS); i++) {
		struct tool_options o;
		struct session session;
		GError *error = NULL;

		options_for(&o, SCENARIOS[i]);
		assert_int_equal(session_run(&session, &o, SESSION_RECORD, NULL), EXIT_GOOD);
		assert_true(recorder_finish(session.recorder, &error));
		assert_true(check_all_jobs(recorder_db(session.recorder)) > 0);
		session_close(&session);
	}
}

/* ---- what if ---- */

static struct submission *find(struct scenario *s, const char *label, guint *at)
{
	for (*at = 0; *at < s->submissions->len; (*at)++) {
		struct submission *sub = s->submissions->pdata[*at];
		if (g_strcmp0(sub->label, label) == 0)
			return sub;
	}
	return NULL;
}

/* When the jobs labelled A and B (may be NULL) have both begun in a run of S; 0 = not. */
static usec_t begins(struct scenario *s, const char *a, const char *b)
{
	GError *error = NULL;
	struct recorder *r = recorder_open(NULL, &error);
	struct sim *sim = scenario_start(s, r, &error);
	usec_t last = 0;

	assert_non_null(sim);
	assert_true(sim_run(sim, NULL, NULL, NULL, &error));
	sim_close_record(sim);
	assert_true(recorder_finish(r, &error));
	for (int i = 0; i < 2 && (i == 0 || b); i++) {
		struct story *story = story_read(recorder_db(r), i ? b : a, -1, &error);
		if (!story || !story->job.start) { /* refused, or never began */
			g_clear_error(&error);
			story_free(story);
			last = 0;
			break;
		}
		last = MAX(last, story->job.start);
		story_free(story);
	}
	sim_free(sim);
	recorder_free(r);
	return last;
}

static usec_t on_its_own(const char *path, const char *label, const struct change *c)
{
	struct scenario_options so = {.path = path};
	GError *error = NULL;
	struct scenario *s = scenario_load(&so, &error);
	guint at;
	struct submission *sub = find(s, label, &at);
	usec_t start;

	assert_non_null(sub);
	assert_true(change_apply(c, sub->request, &error));
	assert_true(change_time(c, sub->at, &sub->at, &error));
	if (c->twice) {
		struct submission *second = submission_new();
		job_request_free(second->request);
		*second = *sub;
		second->request = job_request_copy(sub->request);
		second->label = g_strdup("the-second");
		g_ptr_array_add(s->submissions, second);
	}
	start = begins(s, label, c->twice ? "the-second" : NULL);
	scenario_free(s);
	return start;
}

static guint check_answers(const char *path, const char *label, char **own)
{
	struct tool_options o;
	struct explanation e = {0};
	struct explain_wish wish = {.job = label, .run = -1, .what_if = own, .ideas = true};
	guint compared = 0;

	options_for(&o, path);
	assert_int_equal(explain_scenario(&e, &o, &wish), EXIT_GOOD);
	check_story(e.story);
	for (int k = 0; k < 2; k++) {
		GPtrArray *list = k ? e.own : e.ideas;
		for (guint i = 0; list && i < list->len; i++) {
			const struct idea *idea = list->pdata[i];
			usec_t start = on_its_own(path, label, idea->change);

			assert_int_not_equal(idea->answer.kind, ANSWER_FAILED);
			if (idea->answer.kind == ANSWER_STARTED)
				assert_true(start == idea->answer.start);
			else if (idea->answer.kind == ANSWER_WAITS && start && e.story->started && !k)
				assert_true(start - idea->answer.submit > e.story->to - e.story->from);
			else
				assert_true(start == 0);
			compared++;
		}
	}
	explanation_clear(&e);
	return compared;
}

static void answers_are_those_of_runs(void **state)
{
	char *own[] = {"time=30:00,nodes=1",          "submit=-00:00:05",
	               "submit=+00:30:00,gres=gpu:1", "twice",
	               "partition=nowhere",           NULL};
	static const char *const look[] = {"wide", "behind", "eval", "nightly", "maybe", "short"};
	guint n = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(look); i++)
		n += check_answers("scenarios/first-look", look[i], own);
	assert_true(n > 50);
}

/* Which cap kept backfill from looking at a job, and how often. */
static void caps_are_told(void **state)
{
	struct tool_options o;
	struct explanation e = {0};
	struct explain_wish wish = {.job = "12", .run = -1};
	const struct story_interval *v;

	(void)state;
	options_for(&o, CONFORMANCE "backfill-max-job-test");
	assert_int_equal(explain_scenario(&e, &o, &wish), EXIT_GOOD);
	assert_null(e.ideas);
	v = e.story->intervals->pdata[0];
	assert_non_null(v->cut_by);
	assert_true(g_str_has_prefix(v->cut_by, "bf_"));
	assert_true(v->cut > 0 && v->cut <= v->backfill_cycles - v->backfill_tested);
	explanation_clear(&e);
}

/* The hours of all classes are the waits of all jobs, array tasks singly. */
static void groups_add_up(void **state)
{
	static const char *const classes[] = {"partition", "account", "user", "qos"};
	struct tool_options o;
	struct session session;
	GError *error = NULL;

	(void)state;
	options_for(&o, CONFORMANCE "arrays");
	assert_int_equal(session_run(&session, &o, SESSION_RECORD, NULL), EXIT_GOOD);
	assert_true(recorder_finish(session.recorder, &error));
	for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);
		double hours = 0;

		assert_true(group_print(out, recorder_db(session.recorder), classes[i], true, &error));
		fclose(out);
		cJSON *root = cJSON_Parse(text), *g;
		cJSON_ArrayForEach(g, cJSON_GetObjectItem(root, classes[i])) hours +=
		    cJSON_GetObjectItem(g, "hours")->valuedouble;
		assert_true(fabs(hours - all_hours(recorder_db(session.recorder))) < 1e-6);
		cJSON_Delete(root);
		free(text);
	}
	session_close(&session);
}

static void what_is_no_change(void **state)
{
	static const char *const bad[] = {"", "colour=red", "time=soon", "submit=+x", "nodes=0"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		GError *error = NULL;
		assert_null(change_parse(bad[i], &error));
		assert_non_null(error);
		g_error_free(error);
	}
}

static void values_may_hold_commas(void **state)
{
	struct change *c = change_parse("gres=gpu:1,nic:2,partition=a,b,exclusive,twice,submit=+1:00:00", NULL);

	(void)state;
	assert_non_null(c);
	assert_int_equal(c->keys->len, 3);
	assert_string_equal(c->values->pdata[0], "gpu:1,nic:2");
	assert_string_equal(c->values->pdata[1], "a,b");
	assert_true(c->twice);
	assert_string_equal(c->submit, "+1:00:00");
	change_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(shares_add_up),     cmocka_unit_test(answers_are_those_of_runs),
	    cmocka_unit_test(caps_are_told),     cmocka_unit_test(groups_add_up),
	    cmocka_unit_test(what_is_no_change), cmocka_unit_test(values_may_hold_commas),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
