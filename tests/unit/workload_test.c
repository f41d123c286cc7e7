/* What all formats share: which format, order, the first jobs only, strict, names of formats. */
#include "tests/unit/trace_helper.h"

#define SWF(id, at) #id " " #at " 0 100 1 -1 -1 1 600 -1 1 1 1 -1 -1 -1 -1 -1\n"

static void test_detection(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t jobs;
	} table[] = {
	    {"; Version: 2\n" SWF(1, 0), 1},
	    {"\n  \n" SWF(1, 0), 1},
	    {"{\"user\":\"u\",\"run\":1}\n", 1},
	    {"JobID|User|Partition|Submit|Start|End|Timelimit|State|ReqTRES\n"
	     "1|u|p|2026-01-01T00:00:00|2026-01-01T00:00:01|2026-01-01T00:00:02|00:01:00|COMPLETED|cpu=1\n",
	     1},
	};
	for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
		struct workload *w = open_text(table[i].text, NULL);
		assert_int_equal(workload_info(w)->replayed, table[i].jobs);
		workload_close(w);
	}
	assert_refused("some text\n", NULL, "of no known format");
	assert_refused("", NULL, "is empty");
	assert_refused("x", &(struct workload_options){.format = "csv"}, "no such trace format: \"csv\"");
}

static void test_missing_file(void **state)
{
	(void)state;
	GError *error = NULL;
	assert_null(workload_open("/nonexistent.swf", NULL, &error));
	assert_non_null(strstr(error->message, "/nonexistent.swf"));
	g_clear_error(&error);
	assert_null(workload_open("/nonexistent.swf", &(struct workload_options){.format = "swf"}, &error));
	g_clear_error(&error);
}

static void test_order_is_stable(void **state)
{
	(void)state;
	struct workload *w = open_text(SWF(1, 9) SWF(2, 5) SWF(3, 9) SWF(4, 5) SWF(5, 0), NULL);
	static const uint64_t right[] = {5, 2, 4, 1, 3};
	for (guint i = 0; i < G_N_ELEMENTS(right); i++) {
		struct submission *s = next(w);
		assert_int_equal(s->trace_id, right[i]);
		submission_free(s);
	}
	assert_null(workload_next(w));
	assert_null(workload_next(w));
	workload_close(w);
}

static void test_first_jobs(void **state)
{
	(void)state;
	const char *text = SWF(1, 9) SWF(2, 5) "damaged\n" SWF(3, 9);
	struct workload *w = open_text(text, &(struct workload_options){.max_jobs = 2});
	assert_int_equal(workload_info(w)->lines, 4);
	assert_int_equal(workload_info(w)->replayed, 2);
	assert_int_equal(cause_with(w, "after the first 2 jobs")->count, 1);
	workload_close(w);
}

static void test_strict(void **state)
{
	(void)state;
	const struct workload_options strict = {.strict = true, .max_jobs = 1};
	struct workload *w = open_text(SWF(1, 0) SWF(2, 1), &strict);
	assert_int_equal(workload_info(w)->replayed, 1);
	workload_close(w);
	assert_refused(SWF(1, 0) "a b\na b\n", &strict, ":2: line has 2 columns, not 18 (2 in all)");
}

static void test_causes_are_bounded(void **state)
{
	(void)state;
	GString *text = g_string_new(NULL);
	for (int i = 0; i < 300; i++)
		g_string_append_printf(text, "{\"user\":\"u\",\"run\":1,\"key%d\":1}\n", i);
	struct workload *w = open_text(text->str, NULL);
	assert_true(workload_info(w)->causes->len <= 101);
	assert_int_equal(cause_with(w, "other causes")->count, 200);
	assert_int_equal(workload_info(w)->lines, 300);
	workload_close(w);
	g_string_free(text, TRUE);
}

static void test_long_lines_are_counted(void **state)
{
	(void)state;
	GString *text = g_string_new(SWF(1, 0));
	for (int i = 0; i < 1100000; i++)
		g_string_append_c(text, '1');
	g_string_append(text, "\n" SWF(2, 0));
	struct workload *w = open_text(text->str, NULL);
	assert_int_equal(workload_info(w)->replayed, 2);
	assert_cause(w, "line longer than", 1, 2);
	workload_close(w);
	g_string_free(text, TRUE);
}

/* A few thousand random edits of good files: never a crash, and the account always holds. */
static void mutate(const char *good, const char *format, guint32 seed)
{
	GRand *rand = g_rand_new_with_seed(seed);
	gsize length = strlen(good);
	for (int round = 0; round < 1500; round++) {
		GString *text = g_string_new(good);
		for (int edits = g_rand_int_range(rand, 1, 8); edits > 0; edits--) {
			gsize at = (gsize)g_rand_int_range(rand, 0, (gint32)length);
			static const char bytes[] = "0123456789-.:|,=[]{}\"\n\r\t %_+TeE;\xff";
			text->str[at] = bytes[g_rand_int_range(rand, 0, sizeof bytes)];
		}
		char *path = file_with(text->str, (gssize)text->len);
		struct workload *w = workload_open(path, &(struct workload_options){.format = format}, NULL);
		if (w) {
			assert_accounted(w);
			for (struct submission *s; (s = workload_next(w)) != NULL;)
				submission_free(s);
			workload_close(w);
		}
		file_drop(path);
		g_string_free(text, TRUE);
	}
	g_rand_free(rand);
}

static void test_random_damage(void **state)
{
	(void)state;
	mutate("; MaxProcs: 10\n; UnixStartTime: 5\n" SWF(1, 0) SWF(2, 1), "swf", 1);
	mutate("{\"schema\":\"whypend-workload/1\",\"start\":\"2026-01-05T00:00:00\"}\n"
	       "{\"user\":\"u\",\"run\":1.5,\"nodes\":\"1-3\",\"exit_task\":{\"2\":3},\"extra\":[\"-N\",\"4\"]}\n",
	       "jsonl", 2);
	mutate("JobID|JobName|User|Partition|Submit|Start|End|Timelimit|State|ReqTRES|ReqMem|SubmitLine\n"
	       "1|a|u|p|2026-01-01T00:00:00|2026-01-01T00:00:01|2026-01-01T00:00:02|00:01:00|COMPLETED|cpu=1,node=2,"
	       "gres/gpu=3|4Gn|sbatch -N2 -d afterok:1 x\n"
	       "2_[3-9%2]|b|u|p|2026-01-01T00:00:00|None|2026-01-01T00:00:02|1-00:01:00|CANCELLED by 5|cpu=1|2Gc|\n"
	       "2_1|b|u|p|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:00:02|1-00:01:00|REQUEUED|cpu=1|2Gc|\n"
	       "2_1|b|u|p|2026-01-01T00:00:02|2026-01-01T00:02:00|2026-01-01T00:03:02|1-00:01:00|FAILED|cpu=1|2G|\n",
	       "sacct", 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_detection),
	    cmocka_unit_test(test_missing_file),
	    cmocka_unit_test(test_order_is_stable),
	    cmocka_unit_test(test_first_jobs),
	    cmocka_unit_test(test_strict),
	    cmocka_unit_test(test_causes_are_bounded),
	    cmocka_unit_test(test_long_lines_are_counted),
	    cmocka_unit_test(test_random_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
