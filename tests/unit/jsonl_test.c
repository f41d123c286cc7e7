/* Our own workload format: every key, the header, damage. */
#include "tests/unit/trace_helper.h"
#include "traces/jsonl.h"
#include "traces/sbatch_words.h"

static struct submission *job(const char *text)
{
	cJSON *object = cJSON_Parse(text);
	GError *error = NULL;
	struct submission *s = submission_from_json(object, &error);
	cJSON_Delete(object);
	if (!s)
		fail_msg("%s: %s", text, error->message);
	return s;
}

static void test_request(void **state)
{
	(void)state;
	struct submission *s =
	    job("{\"name\":\"a\",\"at\":7.25,\"user\":\"alice\",\"run\":100.5,\"exit\":3,\"time\":17,"
	        "\"account\":\"bio\",\"partition\":\"p1,p2\",\"qos\":\"high\",\"nodes\":\"1-3\",\"ntasks\":4,"
	        "\"cpus_per_task\":8,\"mem\":\"2G\",\"gres\":\"gpu:h100:4\",\"array\":\"0-3%2\","
	        "\"constraint\":\"old|new\",\"licenses\":\"app:2\",\"exclusive\":true,\"hold\":true,"
	        "\"requeue\":false,\"depends\":\"afterok:@b\",\"priority\":0,\"deadline\":null,"
	        "\"extra\":[\"--contiguous\",\"-x\",\"n1\"],\"contiguous\":false}");
	const struct job_request *r = s->request;
	assert_int_equal(s->at, 7250000);
	assert_int_equal(s->outcome.run_time, 100500000);
	assert_int_equal(s->outcome.exit_code, 3);
	assert_int_equal(s->outcome.cancel_after, -1);
	assert_string_equal(s->label, "a");
	assert_string_equal(r->name, "a");
	assert_string_equal(r->user, "alice");
	assert_false(r->privileged);
	assert_string_equal(r->account, "bio");
	assert_string_equal(r->partition, "p1,p2");
	assert_int_equal(r->time_limit, 17);
	assert_int_equal(r->min_nodes, 1);
	assert_int_equal(r->max_nodes, 3);
	assert_int_equal(r->ntasks, 4);
	assert_int_equal(r->cpus_per_task, 8);
	assert_int_equal(r->mem_per_node, 2048);
	assert_string_equal(r->gres, "gpu:h100:4");
	assert_string_equal(r->array, "0-3%2");
	assert_string_equal(r->dependency, "afterok:@b");
	assert_string_equal(r->exclude, "n1");
	assert_int_equal(r->share, SHARE_EXCLUSIVE);
	assert_int_equal(r->requeue, REQUEUE_NO);
	assert_int_equal(r->priority, NO_VAL);
	assert_true(r->hold && r->contiguous);
	submission_free(s);
}

static void test_outcomes(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum outcome_end end;
		double run, cancel;
	} table[] = {
	    {"{\"user\":\"u\",\"run\":5,\"end\":\"NODE_FAIL\"}", OUTCOME_NODE_FAIL, 5, -1e-6},
	    {"{\"user\":\"u\",\"run\":5,\"end\":\"OUT_OF_MEMORY\"}", OUTCOME_OOM, 5, -1e-6},
	    {"{\"user\":\"u\",\"run\":5,\"cancel\":2.5}", OUTCOME_EXIT, 5, 2.5},
	    {"{\"user\":\"u\",\"run\":5,\"cancel_run\":3}", OUTCOME_CANCEL_RUNNING, 3, -1e-6},
	    {"{\"user\":\"u\",\"run\":5,\"cancel_run\":9}", OUTCOME_EXIT, 5, -1e-6},
	    {"{\"user\":\"u\",\"cancel_run\":9}", OUTCOME_CANCEL_RUNNING, 9, -1e-6},
	};
	for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
		struct submission *s = job(table[i].text);
		assert_int_equal(s->outcome.end, table[i].end);
		assert_int_equal(s->outcome.run_time, (usec_t)(table[i].run * 1e6));
		assert_int_equal(s->outcome.cancel_after, (usec_t)(table[i].cancel * 1e6));
		submission_free(s);
	}
}

static void test_tasks(void **state)
{
	(void)state;
	struct submission *s = job("{\"user\":\"root\",\"exit_task\":{\"7\":1,\"2\":3},\"array\":\"0-9\",\"run\":5}");
	assert_true(s->request->privileged);
	assert_int_equal(s->n_tasks, 2);
	assert_int_equal(s->tasks[0].task, 2);
	assert_int_equal(s->tasks[0].outcome.exit_code, 3);
	assert_int_equal(s->tasks[0].outcome.run_time, 5 * USEC);
	assert_int_equal(s->tasks[1].task, 7);
	submission_free(s);
}

/* What is no job, and what the message must name. */
static const struct {
	const char *text, *part;
} bad[] = {
    {"[1]", "must be an object"},
    {"{}", "\"run\""},
    {"{\"run\":1}", "\"user\""},
    {"{\"run\":\"1\",\"user\":\"u\"}", "\"run\""},
    {"{\"run\":-1,\"user\":\"u\"}", "\"run\""},
    {"{\"run\":1e30,\"user\":\"u\"}", "\"run\""},
    {"{\"run\":1,\"user\":\"u\",\"at\":-1}", "\"at\""},
    {"{\"run\":1,\"user\":5}", "\"user\""},
    {"{\"run\":1,\"user\":\"\"}", "\"user\""},
    {"{\"run\":1,\"user\":\"u\",\"name\":1}", "\"name\""},
    {"{\"run\":1,\"user\":\"u\",\"exit\":300}", "\"exit\""},
    {"{\"run\":1,\"user\":\"u\",\"exit\":1.5}", "\"exit\""},
    {"{\"run\":1,\"user\":\"u\",\"exit_task\":3}", "\"exit_task\""},
    {"{\"run\":1,\"user\":\"u\",\"exit_task\":{\"x\":1}}", "\"exit_task\""},
    {"{\"run\":1,\"user\":\"u\",\"exit_task\":{\"1\":1,\"01\":2}}", "names a task twice"},
    {"{\"run\":1,\"user\":\"u\",\"exit_task\":{\"1\":-1}}", "exit code"},
    {"{\"run\":1,\"user\":\"u\",\"end\":\"LOST\"}", "or \"HANG\""},
    {"{\"run\":1,\"user\":\"u\",\"cancel\":\"x\"}", "\"cancel\""},
    {"{\"run\":1,\"user\":\"u\",\"requeue\":1}", "\"requeue\""},
    {"{\"run\":1,\"user\":\"u\",\"colour\":1}", "\"colour\""},
    {"{\"run\":1,\"user\":\"u\",\"ntasks\":\"many\"}", "\"ntasks\""},
    {"{\"run\":1,\"user\":\"u\",\"ntasks\":1.5}", "\"ntasks\""},
    {"{\"run\":1,\"user\":\"u\",\"ntasks\":[1]}", "\"ntasks\""},
    {"{\"run\":1,\"user\":\"u\",\"extra\":[1]}", "\"extra\""},
    {"{\"run\":1,\"user\":\"u\",\"extra\":[\"--colour=1\"]}", "--colour"},
    {"{\"run\":1,\"user\":\"u\",\"extra\":\"script.sh\"}", "script.sh"},
    {"{\"run\":1,\"user\":\"u\",\"extra\":5}", "\"extra\""},
    {"{\"run\":1,\"user\":\"u\",\"het\":[]}", "1 to 127 objects"},
    {"{\"run\":1,\"user\":\"u\",\"het\":[5]}", "list of objects"},
    {"{\"run\":1,\"user\":\"u\",\"het\":[{\"run\":5}]}", "belongs to the job as a whole"},
    {"{\"run\":1,\"user\":\"u\",\"het\":[{\"nodes\":\"x\"}]}", "component 1"},
    {"{\"run\":1,\"user\":\"u\",\"array\":\"0-3\",\"het\":[{\"nodes\":2}]}", "heterogeneous"},
};

static void test_bad_jobs(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		cJSON *object = cJSON_Parse(bad[i].text);
		assert_non_null(object);
		GError *error = NULL;
		if (submission_from_json(object, &error))
			fail_msg("accepted: %s", bad[i].text);
		if (!strstr(error->message, bad[i].part))
			fail_msg("%s: \"%s\" does not say \"%s\"", bad[i].text, error->message, bad[i].part);
		g_clear_error(&error);
		cJSON_Delete(object);
	}
}

static void test_file(void **state)
{
	(void)state;
	struct workload *w = open_text("{\"schema\":\"whypend-workload/1\",\"start\":\"2026-01-05T00:00:00\"}\n"
	                               "{\"name\":\"b\",\"at\":5,\"user\":\"u\",\"run\":1,\"partition\":\"p,q\"}\n"
	                               "\n"
	                               "{\"name\":\"a\",\"at\":0.5,\"user\":\"u\",\"run\":1,\"partition\":\"q\"}\n"
	                               "{\"name\":\"c\",\"at\":5,\"user\":\"u\",\"run\":1}\n"
	                               "{\"name\":\"d\",\"at\":\n"
	                               "{\"name\":\"e\",\"user\":\"u\"}\n"
	                               "{\"name\":\"f\"} trailing\n",
	                               NULL);
	assert_int_equal(workload_info(w)->lines, 6);
	assert_int_equal(workload_info(w)->unix_start, 1767571200);
	assert_int_equal(workload_info(w)->partitions->len, 2);
	assert_cause(w, "not one whole JSON object", 2, 6);
	assert_cause(w, "\"run\": is missing", 1, 7);
	const char *order[] = {"a", "b", "c"};
	for (guint i = 0; i < 3; i++) {
		struct submission *s = next(w);
		assert_string_equal(s->label, order[i]);
		assert_int_equal(s->at, 1767571200 * USEC + (i == 0 ? USEC / 2 : 5 * USEC));
		submission_free(s);
	}
	workload_close(w);
}

static void test_bad_header(void **state)
{
	(void)state;
	assert_refused("{\"schema\":\"other/1\"}\n", NULL, "whypend-workload/1");
	assert_refused("{\"schema\":\"whypend-workload/1\",\"start\":\"soon\"}\n", NULL, "\"start\"");
	assert_refused("{broken\n", NULL, "not one line is a job");
}

static void test_deep_nesting(void **state)
{
	(void)state;
	GString *text = g_string_new("{\"a\":");
	for (int i = 0; i < 200000; i++)
		g_string_append_c(text, '[');
	assert_refused(text->str, &(struct workload_options){.format = "jsonl"}, "not one whole JSON object");
	g_string_free(text, TRUE);
}

static void test_words(void **state)
{
	(void)state;
	char **words =
	    sbatch_words_split("  -N4 --job-name 'a b' --exclusive -n 8 -HO --part=p --out x.log \"r \\\"n\" -N9 ");
	struct job_request *r = job_request_new();
	assert_int_equal(g_strv_length(words), 12);
	assert_string_equal(words[2], "a b");
	assert_string_equal(words[10], "r \"n");
	assert_true(sbatch_words_apply(r, (const char *const *)words, false, NULL, NULL));
	assert_int_equal(r->min_nodes, 4);
	assert_int_equal(r->ntasks, 8);
	assert_string_equal(r->name, "a b");
	assert_string_equal(r->partition, "p");
	assert_true(r->hold && r->overcommit);
	assert_int_equal(r->share, SHARE_EXCLUSIVE);
	job_request_free(r);
	g_strfreev(words);
}

static void test_bad_words(void **state)
{
	(void)state;
	static const struct {
		const char *text, *part;
		guint ignored;
	} table[] = {
	    {"--colour=1", "unknown option", 0}, {"-y", "unknown option", 0},      {"--no", "unknown option", 0},
	    {"--hold=1", "takes no value", 0},   {"--ntasks", "wants a value", 0}, {"-n", "wants a value", 0},
	    {"--ntasks=x", "ntasks", 1},         {"script", "not an option", 0},
	};
	for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
		char **words = sbatch_words_split(table[i].text);
		struct job_request *r = job_request_new();
		GError *error = NULL;
		guint ignored = 0;
		assert_false(sbatch_words_apply(r, (const char *const *)words, true, NULL, &error));
		if (!strstr(error->message, table[i].part))
			fail_msg("%s: %s", table[i].text, error->message);
		g_clear_error(&error);
		assert_true(sbatch_words_apply(r, (const char *const *)words, false, &ignored, NULL));
		assert_int_equal(ignored, table[i].ignored);
		job_request_free(r);
		g_strfreev(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_request),      cmocka_unit_test(test_outcomes), cmocka_unit_test(test_tasks),
	    cmocka_unit_test(test_bad_jobs),     cmocka_unit_test(test_file),     cmocka_unit_test(test_bad_header),
	    cmocka_unit_test(test_deep_nesting), cmocka_unit_test(test_words),    cmocka_unit_test(test_bad_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
