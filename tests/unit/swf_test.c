/* The Standard Workload Format: mapping, quirks, damage, and the real logs. */
#include "tests/unit/trace_helper.h"

/* Numbers of a line: job submit wait run alloc cpu mem procs time reqmem status user group exe queue part prec think */
static const char case_67[] = "; Version: 2.2\n"
                              "; UnixStartTime: 1027839845\n"
                              "; TimeZoneString: Europe/Stockholm\n"
                              "; MaxNodes: 12\n"
                              "; MaxProcs: 192\n"
                              "; Queue: 1 batch\n"
                              "  1     0    10   600   17  -1    -1   17    900   -1  1  3  2 -1  1 -1 -1 -1\n"
                              "  2\t5\t0\t600\t8\t-1\t-1\t8\t-1\t-1\t1\t4\t2\t-1\t1\t-1\t-1\t-1\r\n"
                              "  3     6    -1    -1   -1  -1    -1   32   3600   -1  5  4  2 -1  1 -1 -1 -1\n"
                              "; a note between jobs\n"
                              "  4     7     0     0    1  -1    -1   -1     60   -1  0  5  2 -1  1 -1 -1 -1\n"
                              "  5     9     2   120.5  4  60.25 1024  4    100   -1  1  5  2 -1  1 -1 -1 -1\n"
                              "  6    20     0   300   -1  -1    -1   -1    600   -1  1  5  2 -1  1 -1 -1 -1\n"
                              "  7    21     0   300   16  -1    -1   16    600   -1  2  6  2 -1  1 -1 -1 -1\n"
                              "  7    21     0   700   16  -1    -1   16    900   -1  1  6  2 -1  1 -1 -1 -1\n"
                              "  8    22     0   300  193  -1    -1  193    600   -1  1  6  2 -1  1 -1 -1 -1\n"
                              "  9    15     0   300    1  -1    -1    1    600   -1  1  6  2 -1  1 -1 -1 -1\n"
                              " 10    23     0   300    1\n";

static const struct {
	uint64_t id, line;
	double at, run;
	uint32_t ntasks, limit;
	int exit_code;
} right_67[] = {
    {1, 7, 0, 600, 17, 15, 0},  {2, 8, 5, 600, 8, NO_VAL, 0}, {4, 11, 7, 0, 1, 1, 1},       {5, 12, 9, 120.5, 4, 2, 0},
    {9, 17, 15, 300, 1, 10, 0}, {7, 15, 21, 700, 16, 15, 0},  {8, 16, 22, 300, 193, 10, 0},
};

static void test_case_67(void **state)
{
	(void)state;
	struct workload *w = open_text(case_67, NULL);
	const struct workload_info *info = workload_info(w);
	assert_int_equal(info->lines, 11);
	assert_int_equal(info->replayed, 7);
	assert_int_equal(info->unix_start, 1027839845);
	assert_string_equal(info->time_zone, "Europe/Stockholm");
	assert_int_equal(info->max_nodes, 12);
	assert_int_equal(info->max_procs, 192);
	assert_int_equal(info->partitions->len, 1);
	assert_string_equal(info->partitions->pdata[0], "batch");
	assert_cause(w, "cancelled before its start, at an unknown time", 1, 9);
	assert_cause(w, "no processors", 1, 13);
	assert_cause(w, "part of a checkpointed job", 1, 14);
	assert_cause(w, "line has 5 columns", 1, 18);
	assert_true(has_note(w, "1 jobs ran longer than their limit"));
	for (guint i = 0; i < G_N_ELEMENTS(right_67); i++) {
		struct submission *s = next(w);
		assert_int_equal(s->trace_id, right_67[i].id);
		assert_int_equal(s->line, right_67[i].line);
		assert_int_equal(s->at, (INT64_C(1027839845) * USEC) + (usec_t)(right_67[i].at * 1e6));
		assert_int_equal(s->outcome.run_time, (usec_t)(right_67[i].run * 1e6));
		assert_int_equal(s->request->ntasks, right_67[i].ntasks);
		assert_int_equal(s->request->time_limit, right_67[i].limit);
		assert_int_equal(s->outcome.exit_code, right_67[i].exit_code);
		submission_free(s);
	}
	assert_null(workload_next(w));
	workload_close(w);
}

static void test_names_and_times(void **state)
{
	(void)state;
	struct workload *w = open_text("; UnixStartTime: 1000\n"
	                               "3 1.25 10.5 600 17 -1 -1 17 61 1025 1 7 -1 -1 -1 -1 -1 -1 99 extra\n",
	                               NULL);
	struct submission *s = next(w);
	assert_string_equal(s->request->name, "swf_3");
	assert_string_equal(s->request->user, "u7");
	assert_null(s->request->account);
	assert_null(s->request->partition);
	assert_int_equal(s->request->mem_per_cpu, 2);
	assert_int_equal(s->request->time_limit, 2);
	assert_int_equal(s->at, 1001250000);
	assert_int_equal(s->outcome.real_start, 1011);
	assert_int_equal(s->outcome.real_end, 1611);
	assert_int_equal(s->outcome.cancel_after, -1);
	submission_free(s);
	workload_close(w);
}

static void test_cancelled(void **state)
{
	(void)state;
	struct workload *w = open_text("1 0 50 0 -1 -1 -1 4 60 -1 5 1 1 -1 -1 -1 -1 -1\n"
	                               "2 1 50 -1 -1 -1 -1 4 60 -1 5 1 1 -1 -1 -1 -1 -1\n"
	                               "3 2 -1 30 4 -1 -1 4 60 -1 5 1 1 -1 -1 -1 -1 -1\n",
	                               &(struct workload_options){.format = "swf"});
	for (int i = 0; i < 2; i++) {
		struct submission *s = next(w);
		assert_int_equal(s->outcome.cancel_after, 50 * USEC);
		assert_int_equal(s->outcome.real_start, 0);
		submission_free(s);
	}
	struct submission *s = next(w);
	assert_int_equal(s->outcome.end, OUTCOME_CANCEL_RUNNING);
	assert_int_equal(s->outcome.run_time, 30 * USEC);
	assert_int_equal(s->outcome.cancel_after, -1);
	submission_free(s);
	workload_close(w);
}

static void test_parts_without_summary(void **state)
{
	(void)state;
	struct workload *w = open_text("4 10 0 100 8 -1 -1 8 600 -1 2 1 1 -1 -1 -1 -1 -1\n"
	                               "4 200 0 50 8 -1 -1 8 900 -1 2 1 1 -1 -1 -1 -1 -1\n"
	                               "4 300 0 25 8 -1 -1 8 600 -1 4 1 1 -1 -1 -1 -1 -1\n",
	                               NULL);
	struct submission *s = next(w);
	assert_int_equal(s->at, (946684800 + 10) * USEC); /* no UnixStartTime: 2000-01-01 */
	assert_int_equal(s->outcome.run_time, 175 * USEC);
	assert_int_equal(s->outcome.exit_code, 1);
	assert_int_equal(s->request->time_limit, 15);
	submission_free(s);
	assert_null(workload_next(w));
	assert_cause(w, "later part of a checkpointed job", 2, 2);
	workload_close(w);
}

static const char good[] = "1 0 0 100 17 -1 -1 17 60 -1 1 1 1 -1 -1 -1 -1 -1\n";

static void test_raise_limits(void **state)
{
	(void)state;
	struct workload *w = open_text(good, &(struct workload_options){.raise_limits = true});
	struct submission *s = next(w);
	assert_int_equal(s->request->time_limit, 2);
	assert_true(has_note(w, "1 limits raised to the run time"));
	submission_free(s);
	workload_close(w);
}

static void test_whole_nodes(void **state)
{
	(void)state;
	static const struct {
		const char *header;
		uint32_t nodes;
	} table[] = {
	    {"; MaxNodes: 12\n; MaxProcs: 192\n", 2},
	    {"; MaxNodes: 24\n; MaxProcs: 48\n", 9},
	    {"; MaxNodes: 48\n; MaxProcs: 48\n", NO_VAL},
	    {"", NO_VAL},
	};
	for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
		char *text = g_strconcat(table[i].header, good, NULL);
		struct workload *w = open_text(text, &(struct workload_options){.swf_whole_nodes = true});
		struct submission *s = next(w);
		assert_int_equal(s->request->min_nodes, table[i].nodes);
		assert_int_equal(s->request->max_nodes, table[i].nodes);
		assert_int_equal(s->request->share, table[i].nodes == NO_VAL ? SHARE_UNSET : SHARE_EXCLUSIVE);
		assert_int_equal(s->request->ntasks, table[i].nodes == NO_VAL ? 17 : NO_VAL);
		submission_free(s);
		workload_close(w);
		g_free(text);
	}
}

/* One damaged line after a good one: counted by cause, never fatal, an error with strict. */
static const struct {
	const char *line, *cause;
} damage[] = {
    {"2 0 0 100", "line has 4 columns, not 18"},
    {"word", "line has 1 columns"},
    {"2 x 0 100 17 -1 -1 17 60 -1 1 1 1 -1 -1 -1 -1 -1", "field 2 is not a number"},
    {"2 0 0 1e99 17 -1 -1 17 60 -1 1 1 1 -1 -1 -1 -1 -1", "field 4 is not a number"},
    {"2 0 0 nan 17 -1 -1 17 60 -1 1 1 1 -1 -1 -1 -1 -1", "field 4 is not a number"},
    {"2 0 0 99999999999999999999 17 -1 -1 17 60 -1 1 1 1 -1 -1 -1 -1 -1", "field 4 is not a number"},
    {"2 0 0 3999999999999 17 -1 -1 17 60 -1 1 1 1 -1 -1 -1 -1 -1", "time out of range"},
    {"2 -1 0 100 17 -1 -1 17 60 -1 1 1 1 -1 -1 -1 -1 -1", "no submit time"},
    {"2 0 0 -1 17 -1 -1 17 60 -1 1 1 1 -1 -1 -1 -1 -1", "never ran"},
    {"2 0 0 100 0 -1 -1 -1 60 -1 1 1 1 -1 -1 -1 -1 -1", "no processors"},
    {"2 0 -1 0 4 -1 -1 4 60 -1 5 1 1 -1 -1 -1 -1 -1", "cancelled before its start, at an unknown time"},
};

static void test_damage(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(damage); i++) {
		char *text = g_strconcat(good, "\n", damage[i].line, "\n", NULL);
		struct workload *w = open_text(text, NULL);
		assert_int_equal(workload_info(w)->replayed, 1);
		assert_cause(w, damage[i].cause, 1, 3);
		workload_close(w);
		assert_refused(text, &(struct workload_options){.strict = true}, damage[i].cause);
		g_free(text);
	}
}

static void test_unused_fields_may_be_damaged(void **state)
{
	(void)state;
	struct workload *w =
	    open_text("1 0 0 1e2 17 x ? 17 60 zz 1 1 1 - y - - -\n", &(struct workload_options){.format = "swf"});
	struct submission *s = next(w);
	assert_int_equal(s->outcome.run_time, 100 * USEC);
	submission_free(s);
	workload_close(w);
}

static void test_no_swf_at_all(void **state)
{
	(void)state;
	const struct workload_options swf = {.format = "swf"};
	assert_refused("hello\nworld\n", &swf, "not one line is a job");
	struct workload *w = open_text("; Version: 2\n", NULL);
	assert_int_equal(workload_info(w)->lines, 0);
	assert_null(workload_next(w));
	workload_close(w);
}

static void test_limits_of_requested_time(void **state)
{
	(void)state;
	static const struct {
		const char *time;
		uint32_t minutes;
	} table[] = {{"-1", NO_VAL},
	             {"0", NO_VAL},
	             {"1", 1},
	             {"60", 1},
	             {"60.5", 2},
	             {"2147483647", 35791395},
	             {"999999999999", INFINITE}};
	for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
		char *text = g_strdup_printf("1 0 0 1 1 -1 -1 1 %s -1 1 1 1 -1 -1 -1 -1 -1\n", table[i].time);
		struct workload *w = open_text(text, NULL);
		struct submission *s = next(w);
		assert_int_equal(s->request->time_limit, table[i].minutes);
		submission_free(s);
		workload_close(w);
		g_free(text);
	}
}

static const struct {
	const char *name, *file;
	uint64_t lines, replayed;
} logs[] = {
    {"NASA", "swf/NASA-iPSC-1993-3.1-cln.swf.gz", 18239, 18239},
    {"KTH", "swf/KTH-SP2-1996-2.1-cln.swf.gz", 27992, 27992},
    {"Thunder", "swf/LLNL-Thunder-2007-1.1-cln.swf.gz", 121039, 118754},
    {"SDSC BLUE", "swf/SDSC-BLUE-2000-4.2-cln.swf.gz", 243306, 243304},
    {"Curie", "swf/CEA-Curie-2011-2.1-cln.swf.gz", 312826, 312807},
    {"lublin_256", "swf/lublin_256.swf.gz", 10000, 10000},
};

static void test_real_logs(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(logs); i++)
		check_real(logs[i].name, logs[i].file, logs[i].lines, logs[i].replayed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_case_67),       cmocka_unit_test(test_names_and_times),
	    cmocka_unit_test(test_cancelled),     cmocka_unit_test(test_parts_without_summary),
	    cmocka_unit_test(test_raise_limits),  cmocka_unit_test(test_whole_nodes),
	    cmocka_unit_test(test_damage),        cmocka_unit_test(test_unused_fields_may_be_damaged),
	    cmocka_unit_test(test_no_swf_at_all), cmocka_unit_test(test_limits_of_requested_time),
	    cmocka_unit_test(test_real_logs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
