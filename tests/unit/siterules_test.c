/* siterules_test.c - the table of a submit plugin: conditions, actions, order, and a whole run with bins. */
#include "tests/unit/models_helper.h"
#include "scenarios/scenario.h"
#include "scenarios/siterules.h"

static struct sched_params *params;

static struct site_rules *rules_of(const char *json, struct diag *d)
{
	struct json_text t = {.path = g_strdup("s.json"), .text = g_strdup(json), .root = cJSON_Parse(json)};

	assert_non_null(t.root);
	struct site_rules *r = site_rules_read(&t, t.root, params, d);
	json_text_clear(&t);
	return r;
}

/* One job with OPTIONS (pairs, NULL at the end) through the rules; the caller frees. NULL when rejected. */
static struct job_request *through(const char *json, const char *const *options)
{
	struct diag *d = diag_new();
	struct site_rules *r = rules_of(json, d);
	struct job_request *q = job_request_new();
	GError *error = NULL;

	assert_clean(d);
	q->user = g_strdup("ann");
	for (; *options; options += 2)
		assert_true(job_request_set(q, options[0], options[1], NULL));
	if (!site_rules_apply(r, q, &error)) {
		assert_non_null(error);
		g_error_free(error);
		job_request_free(q);
		q = NULL;
	}
	site_rules_free(r);
	diag_free(d);
	return q;
}

static void check_partition(const char *condition, const char *const *options, bool fits)
{
	char *json = g_strdup_printf("[{\"if\": {%s}, \"partition\": \"hit\"}]", condition);
	struct job_request *q = through(json, options);

	if (fits != (q->partition && strcmp(q->partition, "hit") == 0)) {
		print_error("%s with %s=%s\n", condition, options[0], options[1]);
		fail();
	}
	job_request_free(q);
	g_free(json);
}
#define OPTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void conditions(void **state)
{
	(void)state;
	check_partition("\"nodes_min\": 4, \"nodes_max\": 8", OPTS("nodes", "4"), true);
	check_partition("\"nodes_min\": 4, \"nodes_max\": 8", OPTS("nodes", "8"), true);
	check_partition("\"nodes_min\": 4, \"nodes_max\": 8", OPTS("nodes", "9"), false);
	check_partition("\"nodes_min\": 4", OPTS("nodes", "3"), false);
	check_partition("\"nodes_min\": 3", OPTS("ntasks", "5", "ntasks-per-node", "2"), true);
	check_partition("\"nodes_min\": 4", OPTS("ntasks", "5", "ntasks-per-node", "2"), false);
	check_partition("\"gpus_min\": 8", OPTS("gpus", "8"), true);
	check_partition("\"gpus_min\": 8", OPTS("gpus", "h100:8"), true);
	check_partition("\"gpus_min\": 8", OPTS("gres", "gpu:4", "nodes", "2"), true);
	check_partition("\"gpus_min\": 9", OPTS("gres", "gpu:h100:4", "nodes", "2"), false);
	check_partition("\"gpus_min\": 1", OPTS("gres", "shard:4"), false);
	check_partition("\"gpus_min\": 1", OPTS("gres", "gpu"), true);
	check_partition("\"gpus_max\": 0", OPTS("nodes", "2"), true);
	check_partition("\"cpus_min\": 12", OPTS("ntasks", "4", "cpus-per-task", "3"), true);
	check_partition("\"cpus_min\": 13", OPTS("ntasks", "4", "cpus-per-task", "3"), false);
	check_partition("\"time_max\": \"4:00:00\"", OPTS("time", "4:00:00"), true);
	check_partition("\"time_max\": 240", OPTS("time", "241"), false);
	check_partition("\"time_max\": 240", OPTS("nodes", "1"), false); /* no limit given */
	check_partition("\"time_min\": 1", OPTS("time", "UNLIMITED"), true);
	check_partition("\"partition\": \"\"", OPTS("nodes", "1"), true);
	check_partition("\"partition\": \"\"", OPTS("partition", "x"), false);
	check_partition("\"partition\": [\"x\", \"y\"]", OPTS("partition", "y"), true);
	check_partition("\"user\": \"ann\"", OPTS("nodes", "1"), true);
	check_partition("\"user\": [\"bob\"]", OPTS("nodes", "1"), false);
	check_partition("\"qos\": \"\", \"account\": \"lab\"", OPTS("account", "lab"), true);
	check_partition("\"name\": \"train\"", OPTS("job-name", "train"), true);
}

static void actions(void **state)
{
	struct job_request *q;

	(void)state;
	q = through("[{\"qos\": \"q\", \"account\": \"a\", \"reservation\": \"r\", \"constraint\": \"c\", \"time\": "
	            "\"1:00:00\","
	            " \"nice\": 5, \"site_factor\": 100, \"age_boost\": \"1-00:00:00\"}]",
	            OPTS("nodes", "1"));
	assert_string_equal(q->qos, "q");
	assert_string_equal(q->account, "a");
	assert_string_equal(q->reservation, "r");
	assert_string_equal(q->constraint, "c");
	assert_int_equal(q->time_limit, 60);
	assert_int_equal(q->nice, 5);
	assert_int_equal(q->site_factor, 100 + 1000 / 7); /* a day of seven is a seventh of PriorityWeightAge=1000 */
	job_request_free(q);
	q = through("[{\"time\": 60}]", OPTS("time", "5"));
	assert_int_equal(q->time_limit, 5); /* only where none was given */
	job_request_free(q);
	assert_null(through("[{\"if\": {\"nodes_min\": 3}, \"reject\": \"too wide\"}]", OPTS("nodes", "3")));
	/* in order, each sees what the ones before did; last ends the walk */
	q = through("[{\"partition\": \"a\"}, {\"if\": {\"partition\": \"a\"}, \"qos\": \"q\", \"last\": true}, "
	            "{\"qos\": \"z\"}]",
	            OPTS("nodes", "1"));
	assert_string_equal(q->qos, "q");
	job_request_free(q);
}

static void bad_rules(void **state)
{
	static const struct {
		const char *json, *error;
	} table[] = {
	    {"[{\"partitions\": \"a\"}]", "s.json:1:3: unknown key \"partitions\"; did you mean partition?"},
	    {"[{\"if\": {\"gpus\": 3}}]", "unknown key \"gpus\""},
	    {"[{\"if\": {\"gpus_min\": \"x\"}}]", "s.json:1:10: bad value of \"gpus_min\"; write a number"},
	    {"[{\"if\": 3}]", "bad value of \"if\"; write an object of conditions"},
	    {"[{\"if\": {\"time_max\": \"soon\"}}]", "bad value of \"time_max\""},
	    {"[{\"if\": {\"user\": []}}]", "bad value of \"user\""},
	    {"[{\"qos\": 3}]", "bad value of \"qos\"; write a text"},
	    {"[{\"age_boost\": \"x\"}]", "bad value of \"age_boost\""},
	    {"[{\"site_factor\": \"x\"}]", "write a number of points"},
	    {"[{\"last\": 1}]", "write true or false"},
	    {"[3]", "a site rule is an object"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		struct diag *d = diag_new();

		assert_null(rules_of(table[i].json, d));
		assert_message(d->errors, table[i].error);
		diag_free(d);
	}
}

/* Bins as a leadership system has them: the wide job overtakes jobs that came before it. */
static void bins_in_a_run(void **state)
{
	char *dir = dir_new();
	char *conf = dir_file(
	    dir, "slurm.conf",
	    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/multifactor\n"
	    "PriorityWeightAge=1209600\nPriorityMaxAge=14-0\nAccountingStorageType=accounting_storage/slurmdbd\n"
	    "NodeName=n[1-4] CPUs=4\nPartitionName=batch Nodes=ALL Default=YES\nPartitionName=short Nodes=ALL\n");
	char *path =
	    dir_file(dir, "scenario.json",
	             "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"site_rules\": ["
	             "{\"if\": {\"nodes_min\": 4}, \"age_boost\": \"8-0\"},"
	             "{\"if\": {\"time_max\": 5}, \"partition\": \"short\"},"
	             "{\"if\": {\"nodes_min\": 5}, \"reject\": \"more nodes than there are\"}],"
	             "\"jobs\": [{\"name\": \"first\", \"user\": \"u\", \"nodes\": 4, \"exclusive\": true, \"time\": "
	             "10, \"run\": 100},"
	             "{\"name\": \"small\", \"at\": 5, \"user\": \"u\", \"nodes\": 3, \"exclusive\": true, \"time\": "
	             "10, \"run\": 100},"
	             "{\"name\": \"wide\", \"at\": 10, \"user\": \"u\", \"nodes\": 4, \"exclusive\": true, \"time\": "
	             "10, \"run\": 100},"
	             "{\"name\": \"quick\", \"at\": 11, \"user\": \"u\", \"nodes\": 1, \"time\": 5, \"run\": 10},"
	             "{\"name\": \"much\", \"at\": 12, \"user\": \"u\", \"nodes\": 5, \"time\": 10, \"run\": 10}],"
	             "\"until\": 150}");
	struct scenario_options o = {.path = path};
	GError *error = NULL;
	struct scenario *s = scenario_load(&o, &error);

	(void)state;
	assert_non_null(s);
	struct sim *sim = scenario_start(s, NULL, &error);
	assert_non_null(sim);
	assert_true(sim_run(sim, NULL, NULL, NULL, &error));
	const struct controller *c = sim_controller(sim);
	assert_int_equal(controller_find_job(c, 2)->state, JOB_PENDING);
	assert_int_equal(controller_find_job(c, 3)->state, JOB_RUNNING);
	assert_int_equal(controller_find_job(c, 3)->site, 8 * 86400);
	assert_string_equal(controller_find_job(c, 4)->part->name, "short");
	assert_int_equal(sim_counts(sim).refused, 1);
	sim_free(sim);
	scenario_free(s);
	g_free(conf);
	g_free(path);
	dir_drop(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(conditions), cmocka_unit_test(actions),
	                                   cmocka_unit_test(bad_rules), cmocka_unit_test(bins_in_a_run)};
	int failed;

	params = sched_params_new(SLURM_26);
	params->weight_age = 1000;
	params->priority_max_age = 7 * 86400;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	sched_params_free(params);
	return failed;
}
