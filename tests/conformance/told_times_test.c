/* told_times_test.c - what a free run takes from the recorder's own times (told_times.h). */
#include "tests/conformance/small_record.h"
#include "tests/conformance/told_times.h"
#include <math.h>

static const struct small one = {.passes = "-8.996 main_quick\n", .submits = "a 1.5\n"};

static usec_t at_of(const struct small *s, guint i)
{
	const struct submission *sub = replay_submission(s->replay, i);
	return sub->at - s->replay->t0;
}

/* 2 ms before sbatch came back; one after the other, even where the record's tenths say otherwise. */
static void submissions(void **state)
{
	(void)state;
	struct small s = one;
	s.submits = "a 1.5\nb 1.4\nc 2.25\n";
	small_open(&s);
	told_times_set(s.replay);
	assert_int_equal(at_of(&s, 0), 1498000);
	assert_int_equal(at_of(&s, 1), 1498000);
	assert_int_equal(at_of(&s, 2), 2248000);
	small_close(&s);
}

static void command_at(const char *line, usec_t at)
{
	struct small s = one;
	s.commands = line;
	small_open(&s);
	told_times_set(s.replay);
	assert_int_equal(s.replay->scenario->events->len, 1);
	assert_int_equal(((const struct scenario_event *)s.replay->scenario->events->pdata[0])->at - s.replay->t0, at);
	small_close(&s);
}

/* sacctmgr goes by way of the database. */
static void commands(void **state)
{
	(void)state;
	command_at("{\"t\": 4.0, \"cmd\": \"scontrol hold @b\"}\n", 4020000);
}

/* When the first pass that starts B after A's end comes, seconds after A's start; NAN = never. */
static double b_after_a(struct small s, gint64 *end)
{
	GError *error = NULL;
	s.submits = "a 1.5\nb 1.6\n";
	small_open(&s);
	struct run *run = replay_run(s.replay, false, &error);
	if (!run)
		fail_msg("%s", error->message);
	const struct job_run *a = story_run(run_find(run, "a"), 0), *b = story_run(run_find(run, "b"), 0);
	double after = b->start == NO_TIME ? NAN : b->start_exact - a->start_exact;
	if (end)
		*end = a->end - a->start;
	run_free(run);
	small_close(&s);
	return after;
}

#define STARTED "1.498,submit,a,,\n2.003,alloc_main,a,n01,\n"

/* A run takes as long as it did, though its script says 10 s; the loop finds its node free at its next turn. */
static void lengths(void **state)
{
	(void)state;
	gint64 end;
	struct small s = one;
	s.events = STARTED "14.503,job_end,a,,WEXITSTATUS 0\n";
	double after = b_after_a(s, &end);
	assert_int_equal(end, 12);
	assert_true(fabs(after - 13) < 0.001);
	s.events = STARTED;
	b_after_a(s, &end);
	assert_int_equal(end, 10);
}

/* Its node tells the end by a message 0.25 s after it: that brings a pass of its own. */
static void messages(void **state)
{
	(void)state;
	struct small s = one;
	s.events = STARTED "14.503,job_end,a,,WEXITSTATUS 0\n14.753,epilog_message,a,,\n";
	assert_true(fabs(b_after_a(s, NULL) - 12.75) < 0.001);
	s.events = STARTED "14.503,job_end,a,,WEXITSTATUS 0\n14.753,node_release,a,n01,epilog message\n";
	assert_true(fabs(b_after_a(s, NULL) - 12.75) < 0.001);
}

/* So does a run that is killed, so long after that: the sweep at 78 s ends A, which has a limit of a minute and would run for 100 s. */
static void killed(void **state)
{
	(void)state;
	struct small s = one;
	s.limit = "1";
	s.events = STARTED "102.003,job_end,a,,WEXITSTATUS 0\n";
	double usual = b_after_a(s, NULL);
	s.events = STARTED "78.003,time_limit,a,,\n78.503,epilog_message,a,,\n102.003,job_end,a,,WEXITSTATUS 0\n";
	assert_true(usual < 76.2);
	assert_true(fabs(b_after_a(s, NULL) - 76.5) < 0.001);
}

/* Time suspended does not count; who is told to have ended a moment after a suspension had ended before it. */
static void suspended(void **state)
{
	(void)state;
	gint64 end;
	struct small s = one;
	s.events = STARTED "5.003,gang_suspend,a,,\n25.003,gang_resume,a,,\n34.003,job_end,a,,WEXITSTATUS 0\n";
	b_after_a(s, &end);
	assert_int_equal(end, 12);
	s.events = STARTED "14.0,gang_suspend,a,,\n14.002,job_end,a,,WEXITSTATUS 0\n";
	b_after_a(s, &end);
	assert_int_equal(end, 11); /* 11.997 s but for the 6 ms that the end was on its way by then: it ends before the second */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(submissions), cmocka_unit_test(commands), cmocka_unit_test(lengths),
	    cmocka_unit_test(messages),    cmocka_unit_test(killed),   cmocka_unit_test(suspended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
