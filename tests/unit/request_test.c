/* request_test.c - the options of spec sbatch.md section 2 and the value grammars of section 3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/request.h"
#include <string.h>

#define F(field) offsetof(struct job_request, field)

static void must(struct job_request *r, const char *option, const char *value)
{
	GError *error = NULL;

	if (!job_request_set(r, option, value, &error)) {
		print_error("--%s=%s: %s\n", option, value ? value : "(none)", error->message);
		fail();
	}
	assert_null(error);
}

static void texts(void **state)
{
	static const struct {
		const char *option;
		size_t field;
	} cases[] = {
	    {"account", F(account)},
	    {"array", F(array)},
	    {"chdir", F(workdir)},
	    {"comment", F(comment)},
	    {"constraint", F(constraint)},
	    {"dependency", F(dependency)},
	    {"exclude", F(exclude)},
	    {"job-name", F(name)},
	    {"name", F(name)},
	    {"licenses", F(licenses)},
	    {"nodelist", F(nodelist)},
	    {"partition", F(partition)},
	    {"prefer", F(prefer)},
	    {"qos", F(qos)},
	    {"reservation", F(reservation)},
	    {"uid", F(user)},
	    {"user", F(user)},
	    {"wckey", F(wckey)},
	    {"job_name", F(name)},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct job_request *r = job_request_new();
		char **field = (char **)((char *)r + cases[i].field);

		assert_null(*field);
		must(r, cases[i].option, "some[1-2] text");
		must(r, cases[i].option, "other");
		assert_string_equal(*field, "other");
		struct job_request *copy = job_request_copy(r);

		assert_string_equal(*(char **)((char *)copy + cases[i].field), "other");
		must(r, cases[i].option, "");
		assert_null(*field);
		assert_false(job_request_set(r, cases[i].option, NULL, NULL));
		job_request_free(copy);
		job_request_free(r);
	}
	job_request_free(NULL);
}

static void numbers(void **state)
{
	static const struct {
		const char *option;
		size_t field;
		bool zero; /* 0 is allowed */
	} cases[] = {
	    {"core-spec", F(core_spec), true},
	    {"cores-per-socket", F(cores_per_socket), false},
	    {"cpus-per-gpu", F(cpus_per_gpu), false},
	    {"cpus-per-task", F(cpus_per_task), false},
	    {"cpus_per_task", F(cpus_per_task), false},
	    {"mincpus", F(mincpus), false},
	    {"ntasks", F(ntasks), false},
	    {"ntasks-per-core", F(ntasks_per_core), false},
	    {"ntasks-per-gpu", F(ntasks_per_gpu), false},
	    {"ntasks-per-node", F(ntasks_per_node), false},
	    {"ntasks-per-socket", F(ntasks_per_socket), false},
	    {"segment", F(segment), false},
	    {"sockets-per-node", F(sockets_per_node), false},
	    {"threads-per-core", F(threads_per_core), false},
	};
	static const char *const bad[] = {"abc", "-1", "1.5", "1x", "", " 1", "2147483648", "99999999999999999999999"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct job_request *r = job_request_new();
		uint32_t *field = (uint32_t *)((char *)r + cases[i].field);
		GError *error = NULL;

		assert_int_equal(*field, NO_VAL);
		must(r, cases[i].option, "2147483647");
		must(r, cases[i].option, "17");
		assert_int_equal(*field, 17);
		assert_int_equal(job_request_set(r, cases[i].option, "0", NULL), cases[i].zero);
		*field = 17;
		for (size_t k = 0; k < G_N_ELEMENTS(bad); k++) {
			assert_false(job_request_set(r, cases[i].option, bad[k], &error));
			assert_non_null(error);
			g_clear_error(&error);
			assert_int_equal(*field, 17);
		}
		job_request_free(r);
	}
	struct job_request *r = job_request_new();
	GError *error = NULL;

	assert_false(job_request_set(r, "ntasks", "abc", &error));
	assert_true(g_str_has_prefix(error->message, "Invalid numeric value \"abc\" for --ntasks"));
	g_clear_error(&error);
	job_request_free(r);
}

static void flags(void **state)
{
	static const struct {
		const char *option;
		size_t field;
	} cases[] = {
	    {"contiguous", F(contiguous)}, {"hold", F(hold)},
	    {"no-kill", F(no_kill)},       {"overcommit", F(overcommit)},
	    {"spread-job", F(spread_job)}, {"use-min-nodes", F(use_min_nodes)},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct job_request *r = job_request_new();
		bool *field = (bool *)((char *)r + cases[i].field);

		must(r, cases[i].option, NULL);
		assert_true(*field);
		must(r, cases[i].option, "off");
		assert_false(*field);
		must(r, cases[i].option, "");
		assert_true(*field);
		assert_false(job_request_set(r, cases[i].option, "maybe", NULL));
		job_request_free(r);
	}
}

static void nodes(void **state)
{
	static const struct {
		const char *text;
		uint32_t min, max; /* min 0: refused */
		const char *list;
	} cases[] = {
	    {"4", 4, 4, NULL},
	    {"1-2", 1, 2, NULL},
	    {"2-6", 2, 6, NULL},
	    {"1,5,9", 1, 9, "1,5,9"},
	    {"1-15:4", 1, 15, "1-15:4"},
	    {"2-8:2", 2, 8, "2-8:2"},
	    {"1,3", 1, 3, "1,3"},
	    {"1k", 1024, 1024, NULL},
	    {"1-2K", 1, 2048, NULL},
	    {"1k,2k", 1024, 2048, "1024,2048"},
	    {"1m", 1048576, 1048576, NULL},
	    {"9,1-3", 1, 9, "9,1-3"},
	    {"0", 0, 0, NULL},
	    {"0-2", 0, 0, NULL},
	    {"4-2", 0, 0, NULL},
	    {"", 0, 0, NULL},
	    {"abc", 0, 0, NULL},
	    {"1-", 0, 0, NULL},
	    {"-2", 0, 0, NULL},
	    {"1,", 0, 0, NULL},
	    {"1-8:", 0, 0, NULL},
	    {"1-8:0", 0, 0, NULL},
	    {"1 2", 0, 0, NULL},
	    {"9999999999", 0, 0, NULL},
	    {"4000m", 0, 0, NULL},
	    {"1,4-2", 0, 0, NULL},
	    {"1kk", 0, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct job_request *r = job_request_new();

		if (job_request_set(r, "nodes", cases[i].text, NULL) != (cases[i].min > 0)) {
			print_error("%s\n", cases[i].text);
			fail();
		}
		if (cases[i].min > 0) {
			assert_int_equal(r->min_nodes, cases[i].min);
			assert_int_equal(r->max_nodes, cases[i].max);
			assert_int_equal(r->node_counts != NULL, cases[i].list != NULL);
			if (cases[i].list != NULL)
				assert_string_equal(r->node_counts, cases[i].list);
		} else {
			assert_int_equal(r->min_nodes, NO_VAL);
		}
		job_request_free(r);
	}
}

static void values(void **state)
{
	struct job_request *r = job_request_new();

	(void)state;
	assert_true(r->mem_per_node == NO_VAL64 && r->mem_per_cpu == NO_VAL64 && r->tmp == NO_VAL64);
	assert_true(r->time_limit == NO_VAL && r->priority == NO_VAL && r->switches_wait == -1);
	must(r, "mem", "4G");
	must(r, "mem-per-cpu", "500MB");
	must(r, "mem-per-gpu", "1025K");
	must(r, "tmp", "0");
	assert_true(r->mem_per_node == 4096 && r->mem_per_cpu == 500 && r->mem_per_gpu == 2 && r->tmp == 0);
	must(r, "mem", "0");
	assert_int_equal(r->mem_per_node, 0);
	must(r, "time", "1-12:00:01");
	must(r, "time-min", "30");
	assert_int_equal(r->time_limit, 2161);
	assert_int_equal(r->time_min, 30);
	must(r, "time", "0");
	assert_int_equal(r->time_limit, INFINITE);
	must(r, "begin", "now+2hours");
	must(r, "deadline", "2026-12-01T08:00");
	assert_string_equal(r->begin_text, "now+2hours");
	assert_string_equal(r->deadline_text, "2026-12-01T08:00");
	must(r, "switches", "1@10:00");
	assert_true(r->switches == 1 && r->switches_wait == 600);
	must(r, "switches", "2");
	assert_true(r->switches == 2 && r->switches_wait == -1);
	must(r, "distribution", "plane=4");
	assert_true(r->distribution == DIST_PLANE && r->plane_size == 4);
	must(r, "distribution", "block:fcyclic,Pack");
	assert_true(r->distribution == DIST_BLOCK && r->distribution_socket == DIST_CYCLIC && r->plane_size == NO_VAL);
	must(r, "distribution", "*:block:cyclic");
	assert_true(r->distribution == DIST_DEFAULT && r->distribution_socket == DIST_BLOCK);
	must(r, "signal", "B:USR1@120");
	assert_string_equal(r->signal, "B:USR1@120");
	must(r, "signal", "SIGTERM");
	must(r, "signal", "10@60");
	must(r, "nice", NULL);
	assert_true(r->nice == 100 && r->nice_set);
	must(r, "nice", "-50");
	assert_int_equal(r->nice, -50);
	must(r, "nice", "abc");
	assert_int_equal(r->nice, 0);
	must(r, "priority", "1234");
	must(r, "priority", "abc");
	assert_int_equal(r->priority, 1234);
	must(r, "kill-on-invalid-dep", "yes");
	assert_true(r->kill_on_invalid_dep && r->kill_on_invalid_dep_set);
	must(r, "kill-on-invalid-dep", "no");
	assert_false(r->kill_on_invalid_dep);
	must(r, "requeue", NULL);
	assert_int_equal(r->requeue, REQUEUE_YES);
	must(r, "no-requeue", NULL);
	assert_int_equal(r->requeue, REQUEUE_NO);
	must(r, "requeue", "expedite");
	assert_int_equal(r->requeue, REQUEUE_EXPEDITE);
	must(r, "extra-node-info", "2:*:1");
	assert_true(r->sockets_per_node == 2 && r->cores_per_socket == NO_VAL && r->threads_per_core == 1);
	must(r, "gres-flags", "enforce-binding,one-task-per-sharing");
	must(r, "tres-per-task", "cpu=4,gres/gpu:a100=2");
	assert_int_equal(r->cpus_per_task, 4);
	assert_string_equal(r->gpus_per_task, "a100:2");
	must(r, "output", "x.log");
	must(r, "mail-type", "END");
	job_request_free(r);
	r = job_request_new();
	must(r, "hint", "nomultithread");
	assert_int_equal(r->threads_per_core, 1);
	job_request_free(r);
}

static void share(void **state)
{
	static const struct {
		const char *option, *value;
		enum share_request share;
	} cases[] = {
	    {"exclusive", NULL, SHARE_EXCLUSIVE},        {"exclusive", "", SHARE_EXCLUSIVE},
	    {"exclusive", "user", SHARE_EXCLUSIVE_USER}, {"exclusive", "mcs", SHARE_EXCLUSIVE_MCS},
	    {"exclusive", "topo", SHARE_EXCLUSIVE_TOPO}, {"oversubscribe", NULL, SHARE_OVERSUBSCRIBE},
	    {"share", NULL, SHARE_OVERSUBSCRIBE},        {"exclusive", "no", SHARE_UNSET},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct job_request *r = job_request_new();

		must(r, cases[i].option, cases[i].value);
		assert_int_equal(r->share, cases[i].share);
		job_request_free(r);
	}
}

static void gpus(void **state)
{
	static const struct {
		const char *gres, *per_node, *result; /* result NULL: refused */
	} cases[] = {
	    {"gpu", NULL, "gpu"},
	    {"gpu:2", NULL, "gpu:2"},
	    {"gpu:a100", NULL, "gpu:a100"},
	    {"gpu:a100:2,nvme:1", NULL, "gpu:a100:2,nvme:1"},
	    {"gres/gpu:a100:2", NULL, "gpu:a100:2"},
	    {"shard:4K", NULL, "shard:4K"},
	    {"gpu:1g.10gb:2", NULL, "gpu:1g.10gb:2"},
	    {"bandwidth:lustre:4G", NULL, "bandwidth:lustre:4G"},
	    {NULL, "4", "gpu:4"},
	    {NULL, "a100:4", "gpu:a100:4"},
	    {NULL, "v100:2,a100:1", "gpu:v100:2,gpu:a100:1"},
	    {"nvme:1", "4", "nvme:1,gpu:4"},
	    {"", NULL, NULL},
	    {"gpu:", NULL, NULL},
	    {":2", NULL, NULL},
	    {"gpu:a100:x", NULL, NULL},
	    {"gpu:a100:2:1", NULL, NULL},
	    {"gpu:-1", NULL, NULL},
	    {"gpu,", NULL, NULL},
	    {"gpu:2 ,nvme", NULL, NULL},
	    {NULL, "", NULL},
	    {NULL, "a100:two", NULL},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct job_request *r = job_request_new();
		bool ok = (cases[i].per_node == NULL || job_request_set(r, "gpus-per-node", cases[i].per_node, NULL)) &&
		          (cases[i].gres == NULL || job_request_set(r, "gres", cases[i].gres, NULL));

		assert_int_equal(ok, cases[i].result != NULL);
		if (ok)
			assert_string_equal(r->gres, cases[i].result);
		job_request_free(r);
	}
	struct job_request *r = job_request_new();

	must(r, "gpus-per-node", "2");
	must(r, "gres", "nvme:1");
	must(r, "gpus-per-node", "4"); /* a repeated option replaces */
	assert_string_equal(r->gres, "nvme:1,gpu:4");
	must(r, "gpus", "a100:8");
	must(r, "gpus-per-task", "2");
	must(r, "gpus-per-socket", "1");
	assert_string_equal(r->gpus, "a100:8");
	assert_string_equal(r->gpus_per_task, "2");
	assert_string_equal(r->gpus_per_socket, "1");
	job_request_free(r);
}

static void refuse(void **state)
{
	static const char *const cases[][2] = {
	    {"mem", "1.5G"},
	    {"mem", "-1"},
	    {"mem", "1P"},
	    {"mem", "lots"},
	    {"time", "soon"},
	    {"time", "1:2:3:4"},
	    {"time", ""},
	    {"begin", "whenever"},
	    {"deadline", "25:00"},
	    {"switches", "x"},
	    {"switches", "1@"},
	    {"distribution", "spiral"},
	    {"distribution", "block:plane"},
	    {"distribution", "plane=0"},
	    {"distribution", "block,what"},
	    {"distribution", ":"},
	    {"signal", "NOPE"},
	    {"signal", "USR1@65536"},
	    {"signal", "X:USR1"},
	    {"signal", "100"},
	    {"signal", ":USR1"},
	    {"signal", "B:"},
	    {"nice", "99999999999"},
	    {"priority", "4294967295"},
	    {"exclusive", "maybe"},
	    {"kill-on-invalid-dep", "perhaps"},
	    {"extra-node-info", "2:x"},
	    {"extra-node-info", "1:1:1:1"},
	    {"gres-flags", "sloppy"},
	    {"hint", "none"},
	    {"tres-per-task", "mem=4G"},
	    {"tres-per-task", "gres/gpu"},
	    {"tres-per-task", "gres/gpus=1"},
	    {"requeue", "later"},
	    {"gpus", "a100:x"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct job_request *r = job_request_new();
		GError *error = NULL;

		if (job_request_set(r, cases[i][0], cases[i][1], &error)) {
			print_error("--%s=%s accepted\n", cases[i][0], cases[i][1]);
			fail();
		}
		assert_non_null(strstr(error->message, cases[i][0]));
		assert_non_null(strstr(error->message, "want"));
		g_clear_error(&error);
		job_request_free(r);
	}
}

static void unknown(void **state)
{
	struct job_request *r = job_request_new();
	GError *error = NULL;

	(void)state;
	assert_false(job_request_set(r, "cpus-per-tusk", "4", &error));
	assert_non_null(strstr(error->message, "--cpus-per-tusk; did you mean --cpus-per-task?"));
	g_clear_error(&error);
	assert_false(job_request_set(r, "xyzzy", NULL, &error));
	assert_non_null(strstr(error->message, "xyzzy"));
	g_clear_error(&error);
	assert_false(job_request_set(r, "", NULL, NULL));
	job_request_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts), cmocka_unit_test(numbers), cmocka_unit_test(flags),
	    cmocka_unit_test(nodes), cmocka_unit_test(values),  cmocka_unit_test(share),
	    cmocka_unit_test(gpus),  cmocka_unit_test(refuse),  cmocka_unit_test(unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
