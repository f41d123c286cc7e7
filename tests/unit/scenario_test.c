/* scenario_test.c - scenario files, good and bad: each error with file, line, column and what would be right. */
#include "scenarios/scenario.h"
#include "scenarios/scenario_json.h"
#include "scenarios/scenario_parts.h"
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define START (INT64_C(1767603600) * USEC) /* 2026-01-05T09:00:00Z */
#define CONF                                                                                                           \
	"SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"                                           \
	"NodeName=n[1-4] CPUs=8 RealMemory=16000 State=UNKNOWN\nPartitionName=all Nodes=ALL Default=YES State=UP\n"

struct place {
	char *dir;
};

static int place_setup(void **state)
{
	struct place *p = g_new0(struct place, 1);

	p->dir = g_dir_make_tmp("whypend-scenario-XXXXXX", NULL);
	*state = p;
	return p->dir ? 0 : -1;
}

static int place_teardown(void **state)
{
	struct place *p = *state;
	GDir *dir = g_dir_open(p->dir, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(dir))) {
		char *path = g_build_filename(p->dir, name, NULL);

		g_unlink(path);
		g_free(path);
	}
	g_dir_close(dir);
	g_rmdir(p->dir);
	g_free(p->dir);
	g_free(p);
	return 0;
}

static char *put(void **state, const char *name, const char *text)
{
	struct place *p = *state;
	char *path = g_build_filename(p->dir, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	return path;
}

static void put_away(void **state, const char *name, const char *text)
{
	g_free(put(state, name, text));
}

static struct scenario *load(void **state, const struct scenario_options *more, GError **error)
{
	struct place *p = *state;
	struct scenario_options o = more ? *more : (struct scenario_options){0};

	if (!o.path && !o.trace)
		o.path = p->dir;
	return scenario_load(&o, error);
}

/* ---- good ones ---- */

static void test_scenario_file(void **state)
{
	struct scenario *s;
	GError *error = NULL;

	put_away(state, "slurm.conf", CONF);
	put_away(
	    state, "scenario.json",
	    "{\"schema\": \"whypend-scenario/1\", \"name\": \"tiny\", \"about\": \"a test\", \"conf\": "
	    "\"slurm.conf\",\n"
	    " \"start\": \"2026-01-05T09:00:00\", \"until\": 3600, \"seed\": 7, \"clock\": \"ideal\",\n"
	    " \"slurm_version\": \"22.05\", \"controller_start\": -30, \"tick_phase\": 0.25, \"backfill_phase\": 0.93,"
	    " \"launch_latency\": 0.5,\n"
	    " \"epilog_latency\": 1, \"release\": \"reply\", \"set\": {\"SchedulerParameters.bf_window\": \"4320\"},\n"
	    " \"jobs\": [{\"name\": \"b\", \"at\": 5, \"user\": \"bob\", \"run\": 10}, {\"name\": \"a\", \"at\": 1.5, "
	    "\"user\": \"ann\", \"run\": 10}],\n"
	    " \"setup\": [\"scontrol update node=n1 state=drain reason=test\"],\n"
	    " \"events\": [{\"at\": 9, \"cmd\": [\"scontrol\", \"hold\", \"@b\"], \"user\": \"bob\"}]}\n");
	s = load(state, NULL, &error);
	if (error)
		fail_msg("%s", error->message);
	assert_non_null(s);
	assert_string_equal(s->name, "tiny");
	assert_string_equal(s->about, "a test");
	assert_true(s->sim.start == START);
	assert_true(s->sim.until == START + 3600 * USEC);
	assert_true(s->sim.controller_start == START - 30 * USEC);
	assert_true(s->sim.tick_phase == USEC / 4);
	assert_true(s->sim.backfill_phase == 930000);
	assert_true(s->sim.launch_latency == USEC / 2);
	assert_true(s->sim.epilog_latency == USEC);
	assert_int_equal(s->sim.release, RELEASE_REPLY);
	assert_int_equal(s->sim.clock, CLOCK_IDEAL);
	assert_int_equal(s->seed, 7);
	assert_string_equal(s->slurm_version, "22.05");
	assert_int_equal(s->cluster->params->version, SLURM_22_05);
	assert_int_equal(s->cluster->params->bf_window, 4320 * 60);
	assert_int_equal(s->submissions->len, 2);
	assert_string_equal(((struct submission *)s->submissions->pdata[0])->label, "a");
	assert_true(((struct submission *)s->submissions->pdata[0])->at == START + 1500000);
	assert_int_equal(s->events->len, 2);
	assert_true(((struct scenario_event *)s->events->pdata[0])->at == START);
	assert_string_equal(((struct scenario_event *)s->events->pdata[1])->command, "scontrol hold @b");
	assert_string_equal(((struct scenario_event *)s->events->pdata[1])->user, "bob");
	assert_int_equal(s->inputs->len, 2);
	assert_int_equal(s->settings->len, 1);
	assert_null(s->users);
	scenario_free(s);
}

static void test_defaults_and_options(void **state)
{
	char *set[] = {"SchedulerParameters.bf_interval=60", NULL};
	struct scenario_options o = {.until = "1-00:00:00",
	                             .seed_given = true,
	                             .seed = 0,
	                             .clock = "slurm",
	                             .set = set,
	                             .slurm_version = "26.05"};
	struct scenario *s;

	put_away(state, "slurm.conf", CONF);
	put_away(state, "scenario.json",
	         "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"until\": 5, \"clock\": \"ideal\", "
	         "\"seed\": 3,"
	         "\"jobs\": [], \"set\": {\"SchedulerParameters.bf_interval\": 10}}");
	s = load(state, NULL, NULL);
	assert_non_null(s);
	assert_true(s->sim.start == START - 9 * 3600 * USEC);
	assert_true(s->sim.controller_start == s->sim.start - 12 * USEC);
	assert_int_equal(s->seed, 3);
	assert_int_equal(s->cluster->params->bf_interval, 10);
	scenario_free(s);
	s = load(state, &o, NULL);
	assert_non_null(s);
	assert_int_equal(s->seed, 0);
	assert_int_equal(s->sim.clock, CLOCK_SLURM);
	assert_true(s->sim.until == s->sim.start + 86400 * USEC);
	assert_int_equal(s->cluster->params->bf_interval, 60);
	scenario_free(s);
}

static void test_record(void **state)
{
	struct scenario *s;
	GError *error = NULL;
	const struct submission *sub;

	put_away(state, "slurm.conf", CONF);
	put_away(state, "assoc.sacctmgr", "add account a description=a organization=o\nadd user alice account=a\n");
	put_away(state, "jobs.json",
	         "{\"about\": \"x\", \"users\": [\"alice\", \"bob\"], \"speed\": 20, \"sample\": 15, \"align\": 60,\n"
	         "\"jobs\": [{\"name\": \"t\", \"at\": 2, \"user\": \"alice\", \"begin\": \"T0+35 %H:%M:%S\", "
	         "\"tick\": true, \"run\": 5}],\n"
	         "\"events\": [{\"at\": 3, \"cmd\": \"sinfo -N\"}], \"snapshots\": [5, 7.5], \"until\": 75}\n");
	s = load(state, NULL, &error);
	assert_null(error);
	assert_int_equal(s->users->len, 2);
	assert_string_equal(s->users->pdata[1], "bob");
	assert_int_equal(s->n_snapshots, 2);
	assert_true(s->snapshots[1] > 7.4);
	assert_true(s->cluster->params->has_accounting);
	sub = s->submissions->pdata[0];
	assert_true(sub->at == s->sim.start + 2 * USEC);
	if (sub->request->begin_text)
		assert_string_equal(sub->request->begin_text, "00:00:35");
	else
		assert_int_equal(sub->request->begin, s->sim.start / USEC + 35);
	assert_true(s->sim.until == s->sim.start + 75 * USEC);
	scenario_free(s);
}

static void test_swf_without_conf(void **state)
{
	char *swf =
	    put(state, "tiny.swf",
	        "; UnixStartTime: 1000000000\n; MaxNodes: 4\n; MaxProcs: 32\n"
	        "1 10 -1 100 8 -1 -1 8 200 -1 1 1 1 -1 -1 -1 -1 -1\n2 20 -1 50 4 -1 -1 4 60 -1 1 2 1 -1 -1 -1 -1 -1\n");
	struct scenario_options o = {.trace = swf};
	GError *error = NULL;
	struct scenario *s = load(state, &o, &error);

	assert_null(error);
	assert_non_null(s);
	assert_int_equal(s->cluster->n_nodes, 4);
	assert_int_equal(s->cluster->total_cpus, 32);
	assert_true(s->sim.start == INT64_C(1000000000) * USEC);
	assert_true(s->sim.controller_start == s->sim.start);
	assert_true(s->warnings->len >= 1);
	assert_int_equal(s->submissions->len, 1); /* the first one was read ahead */
	scenario_free(s);
	g_free(swf);
}

/* ---- bad ones ---- */

static const struct bad {
	const char *json;
	const char *want[3]; /* parts of the message */
} BAD[] = {
    {"{\"schema\": \"whypend-scenario/1\",\n \"conf\": \"slurm.conf\",,\n}", {"scenario.json:2:", "no valid JSON"}},
    {"{\"schema\": \"whypend-scenario/1\",\n \"conf\": \"slurm.conf\"", {"scenario.json:2:", "ends too early"}},
    {"[]", {"scenario.json:1:1", "one JSON object"}},
    {"{\"conf\": \"slurm.conf\"}", {"scenario.json:1:1", "\"schema\" is missing", "whypend-scenario/1"}},
    {"{\"schema\": \"other/1\", \"conf\": \"slurm.conf\"}", {"scenario.json:1:2", "\"schema\"", "whypend-scenario/1"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"untill\": 5}",
     {"scenario.json:2:3: unknown key \"untill\"", "did you mean until?"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"seed\": -1}",
     {"scenario.json:2:3: bad value of \"seed\"", "whole number"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"jobs\": {}}",
     {"scenario.json:2:3: bad value of \"jobs\"", "list"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"name\": 5}",
     {"scenario.json:2:3: bad value of \"name\"", "text in quotes"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"seed\": 1,\n  \"seed\": 1}",
     {"scenario.json:2:3", "appears twice"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"until\": \"soon\"}",
     {"scenario.json:2:3: bad value of \"until\"", "seconds after the start"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"until\": -5}",
     {"scenario.json:2:3", "before the run starts"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"start\": \"x\"}",
     {"scenario.json:2:3: bad value of \"start\"", "2026-01-05T00:00:00"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"clock\": \"fast\"}",
     {"scenario.json:2:3: bad value of \"clock\"", "slurm, ideal or pinned:FILE"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"slurm_version\": \"17.11\"}",
     {"scenario.json:2:3: bad value of \"slurm_version\"", "26.05 and 22.05"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"release\": \"now\"}",
     {"scenario.json:2:3: bad value of \"release\"", "reply-at-tick"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"tick_slip\": 1}",
     {"scenario.json:2:3: bad value of \"tick_slip\"", "less than 1"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"tick_phase\": 1.5}",
     {"scenario.json:2:3: bad value of \"tick_phase\"", "less than 1"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"controller_start\": 5}",
     {"scenario.json:2:3: bad value of \"controller_start\"", "negative number or 0"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"topology\": \"t.conf\"}",
     {"t.conf"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"users\": []}",
     {"scenario.json:2:3: unknown key \"users\"", "known keys"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"trace\": {\"fil\": 1}}",
     {"scenario.json:2:13: unknown key \"fil\"", "did you mean file?"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n  \"set\": {\"a\": []}}",
     {"scenario.json:2:11: bad setting", "PriorityWeightAge"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"jobs\": [\n {\"name\": \"a\", \"run\": 1, "
     "\"nodez\": 2}]}",
     {"scenario.json:2:26", "nodez"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"jobs\": [\n {\"name\": \"a\", \"run\": -1}]}",
     {"scenario.json:2:16", "\"run\"", "seconds"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"jobs\": [\n {\"name\": \"a\", \"run\": 1, "
     "\"het\": []}]}",
     {"scenario.json:2:26", "must be a list of 1 to 127 objects"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"jobs\": [\n 5]}",
     {"scenario.json:2:2", "object"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"events\": [\n {\"cmd\": \"scancel 1\"}]}",
     {"scenario.json:2:2: the event has no \"at\"", "\"at\": 5"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"events\": [\n {\"at\": 1}]}",
     {"scenario.json:2:2: the event has no \"cmd\""}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"events\": [\n {\"at\": 1, \"cmd\": \"rm "
     "-rf\"}]}",
     {"scenario.json:2:12", "rm"}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"events\": [\n {\"at\": 1, \"who\": \"bob\"}]}",
     {"scenario.json:2:12: unknown key \"who\"", "at, cmd and user"}},
    {"{\"schema\": \"whypend-scenario/1\"}", {"scenario.json", "there is no slurm.conf", "\"conf\": \"slurm.conf\""}},
    {"{\"schema\": \"whypend-scenario/1\", \"conf\": \"missing.conf\"}", {"missing.conf"}},
};

static void test_bad_files(void **state)
{
	put_away(state, "slurm.conf", CONF);
	for (size_t i = 0; i < G_N_ELEMENTS(BAD); i++) {
		GError *error = NULL;
		struct scenario *s;

		put_away(state, "scenario.json", BAD[i].json);
		s = load(state, NULL, &error);
		if (s || !error)
			fail_msg("accepted: %s", BAD[i].json);
		for (size_t k = 0; k < G_N_ELEMENTS(BAD[i].want) && BAD[i].want[k]; k++)
			if (!strstr(error->message, BAD[i].want[k]))
				fail_msg("%s\ngives: %s\nwithout: %s", BAD[i].json, error->message, BAD[i].want[k]);
		g_error_free(error);
	}
}

static void test_every_error_is_told(void **state)
{
	GError *error = NULL;

	put_away(state, "slurm.conf", "NodeNam=n1 CPUs=8\n" CONF);
	put_away(state, "scenario.json",
	         "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n\"seed\": \"x\",\n\"jobs\": "
	         "[{\"runs\": 1}],\n"
	         "\"events\": [{\"at\": -1, \"cmd\": \"scancel 1\"}]}");
	assert_null(load(state, NULL, &error));
	assert_non_null(strstr(error->message, "scenario.json:2:1"));
	assert_non_null(strstr(error->message, "scenario.json:3:"));
	assert_non_null(strstr(error->message, "scenario.json:4:"));
	assert_non_null(strstr(error->message, "slurm.conf:1:1"));
	g_error_free(error);
}

static void test_bad_options(void **state)
{
	char *set[] = {"noequals", NULL};
	const struct {
		struct scenario_options o;
		const char *want;
	} cases[] = {
	    {{.until = "soon"}, "--until"},
	    {{.clock = "x"}, "--clock: bad value \"x\""},
	    {{.slurm_version = "1"}, "--slurm-version"},
	    {{.max_jobs = "0"}, "--max-jobs"},
	    {{.set = set}, "--set: bad value \"noequals\""},
	    {{.topology = "t"}, "cannot open t: No such file"},
	    {{.path = "/nonexistent/x.json"}, "/nonexistent/x.json"},
	};

	put_away(state, "slurm.conf", CONF);
	put_away(state, "scenario.json", "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\"}");
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		GError *error = NULL;

		assert_null(load(state, &cases[i].o, &error));
		if (!strstr(error->message, cases[i].want))
			fail_msg("%s lacks %s", error->message, cases[i].want);
		g_error_free(error);
	}
}

static void test_places_that_are_no_scenario(void **state)
{
	struct place *p = *state;
	struct scenario_options o = {.path = p->dir};
	char *conf;
	GError *error = NULL;

	assert_null(scenario_load(&o, &error));
	assert_non_null(strstr(error->message, "no scenario in this folder"));
	g_clear_error(&error);
	conf = put(state, "slurm.conf", CONF);
	o.path = conf;
	assert_null(scenario_load(&o, &error));
	assert_non_null(strstr(error->message, "not a scenario"));
	g_clear_error(&error);
	o.path = NULL;
	assert_null(scenario_load(&o, &error));
	assert_non_null(strstr(error->message, "nothing to run"));
	g_clear_error(&error);
	g_free(conf);
}

/* ---- the layers below ---- */

static void test_locate(void **state)
{
	char *path =
	    put(state, "x.json", "{\"a\": [1, \"}\\\"]\", {\"b\": {\"a\": null}}],\n\t\"c\" : -1.5e3 , \"d\":true}");
	struct diag *diag = diag_new();
	struct json_text t;
	guint line, column;
	const cJSON *a;

	assert_true(json_text_read(&t, path, diag));
	a = cJSON_GetObjectItem(t.root, "a");
	json_text_locate(&t, a, &line, &column);
	assert_true(line == 1 && column == 2);
	json_text_locate(&t, cJSON_GetArrayItem(a, 1), &line, &column);
	assert_true(line == 1 && column == 11);
	json_text_locate(&t, cJSON_GetArrayItem(a, 2)->child->child, &line, &column);
	assert_true(line == 1 && column == 26);
	json_text_locate(&t, cJSON_GetObjectItem(t.root, "c"), &line, &column);
	assert_true(line == 2 && column == 2);
	json_text_locate(&t, cJSON_GetObjectItem(t.root, "d"), &line, &column);
	assert_true(line == 2 && column == 17);
	json_text_clear(&t);
	diag_free(diag);
	g_free(path);
}

static void test_times(void **state)
{
	usec_t t;
	static const char *const BAD_TIMES[] = {"", "x", "-5", "1.2.3", "2026-13-01", "5 minutes", "UNLIMITED"};

	(void)state;
	assert_true(scenario_parse_time("3600", START, &t) && t == START + 3600 * USEC);
	assert_true(scenario_parse_time("0.5", START, &t) && t == START + USEC / 2);
	assert_true(scenario_parse_time("2026-01-05T09:00:01", 0, &t) && t == START + USEC);
	assert_true(scenario_parse_time("1-02:00:00", START, &t) && t == START + 26 * 3600 * USEC);
	assert_true(scenario_parse_time("12:00:00", START, &t) && t == START + 12 * 3600 * USEC);
	for (size_t i = 0; i < G_N_ELEMENTS(BAD_TIMES); i++)
		if (scenario_parse_time(BAD_TIMES[i], START, &t))
			fail_msg("accepted: %s", BAD_TIMES[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_scenario_file, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_defaults_and_options, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_record, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_swf_without_conf, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_bad_files, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_every_error_is_told, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_bad_options, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_places_that_are_no_scenario, place_setup, place_teardown),
	    cmocka_unit_test_setup_teardown(test_locate, place_setup, place_teardown),
	    cmocka_unit_test(test_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
