/* expect_test.c - the list "expect" of a scenario: what is read, what is refused and where, and its words. */
#include "scenarios/expect.h"
#include <glib/gstdio.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define CONF                                                                                                           \
	"SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\n"                            \
	"NodeName=n[1-4] CPUs=8 RealMemory=16000 Gres=gpu:4 State=UNKNOWN\nPartitionName=all Nodes=ALL Default=YES "   \
	"State=UP\n"
/* the list begins in line 3, its entries in line 4 */
#define HEAD                                                                                                           \
	"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"until\": 1000,\n"                            \
	"\"jobs\": [{\"name\": \"small\", \"user\": \"ann\", \"at\": 0, \"run\": 5}, {\"name\": \"wide\", \"user\": "  \
	"\"bob\", \"at\": 1, \"nodes\": 4, \"run\": 5}],\n"                                                            \
	"\"expect\": [\n"

struct place {
	char *dir;
};

static int place_setup(void **state)
{
	struct place *p = g_new0(struct place, 1);
	char *conf;

	p->dir = g_dir_make_tmp("whypend-expect-XXXXXX", NULL);
	conf = g_build_filename(p->dir, "slurm.conf", NULL);
	assert_true(g_file_set_contents(conf, CONF, -1, NULL));
	g_free(conf);
	*state = p;
	return 0;
}

static int place_teardown(void **state)
{
	struct place *p = *state;
	const char *const names[] = {"slurm.conf", "scenario.json"};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		char *path = g_build_filename(p->dir, names[i], NULL);

		g_unlink(path);
		g_free(path);
	}
	g_rmdir(p->dir);
	g_free(p->dir);
	g_free(p);
	return 0;
}

static struct scenario *load(const struct place *p, const char *list, GError **error)
{
	char *path = g_build_filename(p->dir, "scenario.json", NULL), *text = g_strconcat(HEAD, list, "]}\n", NULL);
	const struct scenario_options o = {.path = path};
	struct scenario *s;

	assert_true(g_file_set_contents(path, text, -1, NULL));
	s = scenario_load(&o, error);
	g_free(path);
	g_free(text);
	return s;
}

/* The only entry of LIST. */
static struct scenario *load_one(const struct place *p, const char *list, const struct expect **e)
{
	GError *error = NULL;
	struct scenario *s = load(p, list, &error);

	if (error)
		fail_msg("%s", error->message);
	assert_non_null(s->expect);
	assert_int_equal(s->expect->len, 1);
	*e = s->expect->pdata[0];
	return s;
}

static const struct claim *claim_at(const struct expect *e, guint i)
{
	assert_true(i < e->claims->len);
	return &g_array_index(e->claims, struct claim, i);
}

/* ---- reading ---- */

static void test_heads(void **state)
{
	const struct expect *e;
	struct scenario *s = load_one(
	    *state,
	    "{\"name\": \"order\", \"rule\": [\"B30\", \"S12\"], \"version\": \"22.05\", \"job\": \"@small\",\n"
	    " \"starts_before\": \"wide\", \"run\": 1}",
	    &e);

	assert_string_equal(e->name, "order");
	assert_string_equal(e->rules[1], "S12");
	assert_null(e->rules[2]);
	assert_string_equal(e->version, "22.05");
	assert_string_equal(e->job, "small");
	assert_int_equal(e->run, 1);
	assert_false(e->has_at);
	assert_int_equal(e->line, 4);
	assert_int_equal(e->column, 1);
	assert_int_equal(claim_at(e, 0)->kind, CLAIM_STARTS_BEFORE);
	assert_int_equal(claim_at(e, 0)->line, 5);
	assert_int_equal(claim_at(e, 0)->column, 2);
	assert_string_equal(claim_at(e, 0)->text, "wide");
	scenario_free(s);
}

static void test_ranges(void **state)
{
	static const struct {
		const char *json;
		double low, high;
	} CASES[] = {
	    {"\"starts_at\": 5", 5, 5},
	    {"\"starts_at\": [5, \"0:01:00\"]", 5, 60},
	    {"\"starts_at\": \"2026-01-05T00:01:00\"", 60, 60},
	    {"\"starts_by\": 5.5", -INFINITY, 5.5},
	    {"\"waits\": \"1:00:00\"", -INFINITY, 3600},
	    {"\"waits\": [\"10:00\", \"1-00:00:00\"]", 600, 86400},
	    {"\"requeued\": 2", 2, 2},
	    {"\"requeued\": [1, 3]", 1, 3},
	    {"\"at\": 5, \"cpus\": 8", 8, 8},
	    {"\"at\": 5, \"priority\": [1, 4294967295]", 1, 4294967295.0},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
		const struct expect *e;
		char *list = g_strdup_printf("{\"job\": \"small\", %s}", CASES[i].json);
		struct scenario *s = load_one(*state, list, &e);

		assert_true(claim_at(e, 0)->low == CASES[i].low);
		assert_true(claim_at(e, 0)->high == CASES[i].high);
		scenario_free(s);
		g_free(list);
	}
}

static void test_places(void **state)
{
	const struct expect *e;
	struct scenario *s = load_one(
	    *state,
	    "{\"job\": \"wide\", \"at\": 5, \"state\": \"running\", \"reason\": \"none\", \"nodes\": \"n4,n[1-2],n3\", "
	    "\"gpu_idx\": {\"n1\": \"0,1,2\", \"n3\": \"3\"}}",
	    &e);

	assert_true(e->has_at);
	assert_true(e->at == 5);
	assert_string_equal(claim_at(e, 0)->text, "RUNNING");
	assert_string_equal(claim_at(e, 1)->text, "None");
	assert_string_equal(claim_at(e, 2)->text, "n[1-4]");
	assert_string_equal(claim_at(e, 3)->idx[1], "0-2");
	assert_string_equal(claim_at(e, 3)->idx[2], "n3");
	assert_null(claim_at(e, 3)->idx[4]);
	scenario_free(s);
}

static void test_classes(void **state)
{
	const struct expect *e;
	struct scenario *s =
	    load_one(*state,
	             "{\"metric\": \"wait_mean\", \"class\": {\"user\": [\"ann\", \"bob\"], \"qos\": \"gold\"}, "
	             "\"range\": [null, 60]}",
	             &e);
	const struct class_part *p;

	assert_string_equal(e->metric, "wait_mean");
	assert_true(e->has_class);
	assert_int_equal(e->class->len, 2);
	p = e->class->pdata[0];
	assert_string_equal(p->key, "user");
	assert_string_equal(p->names[1], "bob");
	assert_true(isinf(claim_at(e, 0)->low));
	assert_true(claim_at(e, 0)->high == 60);
	scenario_free(s);
	s = load_one(*state, "{\"class\": {}, \"max_wait\": 60}", &e);
	assert_int_equal(e->class->len, 0);
	scenario_free(s);
}

static void test_none(void **state)
{
	GError *error = NULL;
	struct scenario *s = load(*state, "", &error);

	assert_null(error);
	assert_non_null(s->expect);
	assert_int_equal(s->expect->len, 0);
	scenario_free(s);
}

/* ---- words ---- */

static void test_words(void **state)
{
	static const struct {
		const char *json, *words;
	} CASES[] = {
	    {"{\"name\": \"as told\", \"job\": \"small\", \"starts\": true}", "as told"},
	    {"{\"job\": \"small\", \"starts\": false, \"waits\": 60}", "small never starts; small waits at most 60 s"},
	    {"{\"job\": \"small\", \"starts_before\": \"wide\"}", "small starts before wide"},
	    {"{\"job\": \"small\", \"starts_at\": [1, 2]}", "small starts from 1 to 2 s"},
	    {"{\"job\": \"small\", \"starts_by\": 9}", "small starts by 9 s"},
	    {"{\"job\": \"small\", \"refused\": \"too many\"}", "small is refused: too many"},
	    {"{\"job\": \"small\", \"refused\": false}", "small is accepted"},
	    {"{\"job\": \"small\", \"requeued\": 1}", "small is requeued 1 time"},
	    {"{\"job\": \"small\", \"preempted_by\": \"wide\"}", "small is preempted by wide"},
	    {"{\"job\": \"small\", \"preempted_by\": false}", "small is never preempted"},
	    {"{\"job\": \"small\", \"never_waited_for\": \"Licenses\"}", "small never waits for Licenses"},
	    {"{\"job\": \"small\", \"at\": 5, \"gpu_idx\": {\"n1\": \"0\"}}", "at 5 s small has GPUs 0 on n1"},
	    {"{\"job\": \"small\", \"at\": 5, \"priority_above\": \"wide\"}",
	     "at 5 s small has a priority above that of wide"},
	    {"{\"class\": {\"user\": [\"a\", \"b\"]}, \"max_wait\": 60}",
	     "no job of user a or b waits longer than 60 s"},
	    {"{\"class\": {}, \"max_wait\": 60}", "no job waits longer than 60 s"},
	    {"{\"metric\": \"jain\", \"range\": [0.5, null]}", "jain is at least 0.5"},
	    {"{\"passes\": 10}", "the run takes at most 10 passes of the main scheduler"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
		const struct expect *e;
		struct scenario *s = load_one(*state, CASES[i].json, &e);
		char *words = expect_words(e);

		assert_string_equal(words, CASES[i].words);
		g_free(words);
		scenario_free(s);
	}
}

/* ---- findings ---- */

static void test_bad(void **state)
{
	static const struct {
		const char *json, *message;
	} CASES[] = {
	    {"5", ":4:1: an expectation is an object"},
	    {"{}", ":4:1: this expectation claims nothing; write {\"job\": \"a\", \"starts_before\": \"b\"}"},
	    {"{\"job\": \"small\", \"starts_befor\": \"wide\"}",
	     ":4:18: unknown key \"starts_befor\" of an expectation; did you mean starts_before?"},
	    {"{\"job\": \"smal\", \"starts\": true}",
	     ":4:2: no job of this scenario is called \"smal\"; did you mean small?"},
	    {"{\"job\": \"small\", \"starts_before\": \"w_x\"}",
	     ":4:18: no job of this scenario is called \"w_x\"; jobs are called by"},
	    {"{\"job\": \"small\"}", ":4:2: \"job\" stands without a claim; say what is expected of it"},
	    {"{\"starts_before\": \"wide\"}", ":4:2: \"starts_before\" does not say of what; add \"job\""},
	    {"{\"job\": \"small\", \"state\": \"PENDING\"}", ":4:18: \"state\" does not say of what; add \"at\""},
	    {"{\"job\": \"small\", \"at\": 5, \"starts\": true}", ":4:18: \"at\" stands without a claim"},
	    {"{\"job\": \"small\", \"at\": 5, \"state\": \"PENDIN\"}",
	     ":4:27: bad value of \"state\": \"PENDIN\"; did you mean PENDING?"},
	    {"{\"job\": \"small\", \"at\": 5, \"reason\": \"Ressources\"}",
	     ":4:27: bad value of \"reason\": \"Ressources\"; did you mean Resources?"},
	    {"{\"job\": \"small\", \"at\": 1001, \"state\": \"PENDING\"}",
	     ":4:18: bad value of \"at\": 1001; this is behind the end of the run (\"until\", --until)"},
	    {"{\"job\": \"small\", \"starts_at\": [5, 2000]}",
	     ":4:35: bad value in a list: 2000; this is behind the end of the run"},
	    {"{\"job\": \"small\", \"starts_at\": [5, 4]}",
	     ":4:18: bad value of \"starts_at\": [5,4]; the first is larger than the second"},
	    {"{\"job\": \"small\", \"starts_at\": [5]}",
	     ":4:18: bad value of \"starts_at\": [5]; write two values: [least, most]"},
	    {"{\"job\": \"small\", \"starts_at\": -1}",
	     ":4:18: bad value of \"starts_at\": -1; write seconds after the start"},
	    {"{\"job\": \"small\", \"waits\": \"60\"}",
	     ":4:18: bad value of \"waits\": \"60\"; write seconds (600), or a duration with ':'"},
	    {"{\"job\": \"small\", \"requeued\": 1.5}",
	     ":4:18: bad value of \"requeued\": 1.5; write a whole number, 0 or more"},
	    {"{\"job\": \"small\", \"refused\": 1}",
	     ":4:18: bad value of \"refused\": 1; write a part of sbatch's message, or false"},
	    {"{\"job\": \"small\", \"at\": 5, \"nodes\": \"n9\"}",
	     ":4:27: bad value of \"nodes\": \"n9\"; unknown node \"n9\""},
	    {"{\"job\": \"small\", \"at\": 5, \"gpu_idx\": {\"n9\": \"0\"}}",
	     ":4:39: bad value of \"n9\": \"0\"; there is no such node"},
	    {"{\"job\": \"small\", \"at\": 5, \"gpu_idx\": {\"n1\": \"x\"}}",
	     ":4:39: bad value of \"n1\": \"x\"; write numbers of GPUs"},
	    {"{\"job\": \"small\", \"at\": 5, \"gpu_idx\": [\"0\"]}", ":4:27: bad value of \"gpu_idx\""},
	    {"{\"job\": \"small\", \"starts\": true, \"starts\": true}",
	     ":4:34: key \"starts\" appears twice; keep one of them"},
	    {"{\"job\": \"small\", \"starts\": 1}", ":4:18: bad value of \"starts\": 1; write true or false"},
	    {"{\"job\": \"small\", \"version\": \"23.11\", \"starts\": true}",
	     ":4:18: bad value of \"version\": \"23.11\"; write \"22.05\" or"},
	    {"{\"class\": {\"group\": \"x\"}, \"max_wait\": 5}",
	     ":4:12: unknown key \"group\"; a class is told by user, account"},
	    {"{\"class\": {\"user\": 5}, \"max_wait\": 5}",
	     ":4:12: bad value of \"user\": 5; write a name, or a list of names"},
	    {"{\"max_wait\": 5}", ":4:2: \"max_wait\" does not say of what; add \"class\""},
	    {"{\"metric\": \"wait_mean\"}", ":4:2: \"metric\" stands without a claim; add \"range\": [least, most]"},
	    {"{\"metric\": \"wait_mean\", \"range\": 5}", ":4:25: bad value of \"range\": 5; write two values"},
	    {"{\"metric\": \"wait_mean\", \"range\": [\"a\", 5]}",
	     ":4:35: bad value in a list: \"a\"; write a number, or null"},
	    {"{\"job\": \"small\", \"starts\": true, \"passes\": 5}",
	     ":4:1: claims of a job, and of a class or the run, in one entry"},
	    {"{\"passes\": -5}", ":4:2: bad value of \"passes\": -5; write a whole number"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
		GError *error = NULL;
		struct scenario *s = load(*state, CASES[i].json, &error);

		assert_null(s);
		if (!strstr(error->message, CASES[i].message))
			fail_msg("%s\n  gives: %s\n  not:   %s", CASES[i].json, error->message, CASES[i].message);
		g_error_free(error);
	}
}

/* Every finding is told, each at its place. */
static void test_all_findings(void **state)
{
	GError *error = NULL;

	assert_null(load(
	    *state, "{\"job\": \"a\", \"starts\": true},\n{\"job\": \"b\", \"starts\": true},\n  {\"passes\": \"c\"}",
	    &error));
	assert_non_null(strstr(error->message, ":4:2: no job of this scenario is called \"a\""));
	assert_non_null(strstr(error->message, ":5:2: no job of this scenario is called \"b\""));
	assert_non_null(strstr(error->message, ":6:4: bad value of \"passes\": \"c\""));
	g_error_free(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_heads, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_ranges, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_places, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_classes, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_none, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_words, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_bad, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_all_findings, place_setup, place_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
