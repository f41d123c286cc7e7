/* turns_test.c - which turns of a recorded loop read the second before from their clock (turns.h, S2). */
#include "tests/conformance/small_record.h"
#include "tests/conformance/turns.h"

/* The early turns of the recording S, whose loop began at -12 s: "6 7". */
static void early_are(struct small s, const char *want)
{
	small_open(&s);
	struct sim_options *o = &s.replay->scenario->sim;
	o->controller_start = replay_time(s.replay, -12);
	o->nodes_register = replay_time(s.replay, -9.5);
	GArray *early = turns_early(s.replay);
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < early->len; i++)
		g_string_append_printf(text, "%s%" G_GINT64_FORMAT, i ? " " : "", g_array_index(early, sec_t, i) - usec_to_sec(s.replay->t0));
	assert_string_equal(text->str, want);
	g_string_free(text, TRUE);
	g_array_unref(early);
	small_close(&s);
}

#define FIRST "-8.996 main_quick\n"
#define NOTHING_ELSE "a 1.0\n"

/* Passes where batch_sched_delay and the submissions put them. */
static void none(void **state)
{
	(void)state;
	early_are((struct small){.passes = FIRST "2.003 main_quick\n5.003 main_quick\n9.013 main_quick\n",
	                         .events = "1.1,submit,a,,\n2.5,submit,b,,\n8.2,submit,c,,\n", .submits = NOTHING_ELSE}, "");
}

/* The log line stands before the second, or a start bears the second before. */
static void seen(void **state)
{
	(void)state;
	early_are((struct small){.passes = FIRST "1.994 main_quick\n", .events = "1.1,submit,a,,\n", .submits = NOTHING_ELSE}, "2");
	early_are((struct small){.passes = FIRST "2.003 main_quick\n", .events = "1.1,submit,a,,\n2.004,alloc_main,a,n01,\n",
	                         .starts = "a 1\n", .submits = NOTHING_ELSE}, "2");
	early_are((struct small){.passes = FIRST "2.003 main_quick\n", .events = "1.1,submit,a,,\n2.004,alloc_main,a,n01,\n",
	                         .starts = "a 2\n", .submits = NOTHING_ELSE}, "");
}

/* The next pass comes a second sooner than it may: it counts from the second before. */
static void sooner(void **state)
{
	(void)state;
	early_are((struct small){.passes = FIRST "2.003 main_quick\n4.003 main_quick\n", .events = "1.1,submit,a,,\n2.5,submit,b,,\n", .submits = NOTHING_ELSE}, "2");
	/* and that tells of the passes before it, too: they read 1, 4, 7 */
	early_are((struct small){.passes = FIRST "2.003 main_quick\n5.003 main_quick\n7.994 main_quick\n",
	                         .events = "1.1,submit,a,,\n4.5,submit,b,,\n7.5,submit,c,,\n", .submits = NOTHING_ELSE}, "2 5 8");
}

/* Something asked, batch_sched_delay was over, and the pass came a second later; more seconds tell nothing. */
static void later(void **state)
{
	(void)state;
	early_are((struct small){.passes = FIRST "2.003 main_quick\n6.003 main_quick\n", .events = "1.1,submit,a,,\n2.5,submit,b,,\n", .submits = NOTHING_ELSE}, "5");
	early_are((struct small){.passes = FIRST "2.003 main_quick\n7.003 main_quick\n", .events = "1.1,submit,a,,\n2.5,submit,b,,\n", .submits = NOTHING_ELSE}, "");
	early_are((struct small){.passes = FIRST "2.003 main_quick\n6.003 main_quick\n", .events = "1.1,submit,a,,\n5.5,submit,b,,\n", .submits = NOTHING_ELSE}, "");
}

/* An end that the node tells by its answer asks; by a message it has its own pass, which is none of the loop. */
static void ends(void **state)
{
	(void)state;
	early_are((struct small){.passes = FIRST "2.003 main_quick\n6.003 main_quick\n", .events = "1.1,submit,a,,\n2.5,job_end,a,,\n", .submits = NOTHING_ELSE}, "5");
	early_are((struct small){.passes = FIRST "2.003 main_quick\n6.003 main_quick\n",
	                         .events = "1.1,submit,a,,\n2.5,job_end,a,,\n2.6,epilog_message,a,,\n", .submits = NOTHING_ELSE}, "");
	early_are((struct small){.passes = FIRST "2.003 main_quick\n4.01 main_quick\n",
	                         .events = "1.1,submit,a,,\n3.9,job_end,a,,\n4.005,epilog_message,a,,\n", .submits = NOTHING_ELSE}, "");
}

/* Full passes: sched_interval, from the second in which the loop began. */
static void full(void **state)
{
	(void)state;
	const char *params = "sched_interval=20";
	early_are((struct small){.params = params, .passes = FIRST "8.003 main_full\n28.003 main_full\n48.003 main_full\n", .submits = NOTHING_ELSE}, "");
	early_are((struct small){.params = params, .passes = FIRST "9.003 main_full\n28.003 main_full\n49.003 main_full\n", .submits = NOTHING_ELSE}, "8 9 48");
}

/* The nodes of a new controller ask: 3 s after its loop began, or 4. */
static void registered(void **state)
{
	(void)state;
	early_are((struct small){.passes = "-7.996 main_quick\n", .submits = NOTHING_ELSE}, "-9");
}

static void begins_in(struct small s, double second)
{
	small_open(&s);
	assert_true(turns_loop_began(s.replay, -12) == second);
	small_close(&s);
}

static void began(void **state)
{
	(void)state;
	begins_in((struct small){.passes = FIRST "48.003 main_full\n", .submits = NOTHING_ELSE}, -12);
	begins_in((struct small){.passes = "-7.996 main_quick\n48.003 main_full\n", .submits = NOTHING_ELSE}, -12);
	begins_in((struct small){.passes = "-7.996 main_quick\n49.003 main_full\n", .submits = NOTHING_ELSE}, -11);
	begins_in((struct small){.passes = "", .submits = NOTHING_ELSE}, -12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(none), cmocka_unit_test(seen), cmocka_unit_test(sooner),     cmocka_unit_test(later),
	    cmocka_unit_test(ends), cmocka_unit_test(full), cmocka_unit_test(registered), cmocka_unit_test(began),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
