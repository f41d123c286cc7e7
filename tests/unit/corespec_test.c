/* corespec_test.c - --core-spec and --thread-spec (N7, N32, N53; sbatch.md 2); all cases as recorded in tests/recorded/core-spec (22.05) */
#include "sched_helper.h"
#include "sched/audit.h"
#include "sched/cores.h"

/* Nodes k of 2 sockets x 2 cores x 2 threads, m the same with CoreSpecCount=1. */
static struct world *site(enum slurm_version v, bool allow)
{
	struct world *w = world_new(v);
	w->p->allow_spec = allow;
	w_nodes(w, "k[1-7]", 2, 2, 2);
	struct node_config *m = w_nodes(w, "m[1-5]", 2, 2, 2);
	m->core_spec_count = 1;
	m->spec_cores = bitset_new(m->cores);
	cores_special(m, 1, false, m->spec_cores->word);
	w_part(w, "p", "k[1-7],m[1-5]");
	w_begin(w, 0);
	return w;
}

static void one_case(enum slurm_version v, const char *node, const char *option, const char *n, const char *tasks, uint32_t cpus, uint64_t cores)
{
	struct world *w = site(v, true);
	GError *error = NULL;
	struct job_request *r = job_request_new();
	r->user = g_strdup("u1");
	assert_true((!option || job_request_set(r, option, n, NULL)) && job_request_set(r, "ntasks", tasks, NULL) && job_request_set(r, "nodelist", node, NULL) &&
		    job_request_set(r, "nodes", "1", NULL));
	struct job *j = controller_submit(w->c, r, USEC, NULL, &error);
	if (!cpus) {
		assert_null(j);
		assert_string_equal(error->message, "Requested node configuration is not available");
		g_error_free(error);
		world_free(w);
		return;
	}
	assert_non_null(j);
	w_full(w, 2);
	w_runs_on(w, j, 2, node);
	assert_int_equal(j->alloc->cpus, cpus);
	assert_int_equal(j->alloc->words[j->alloc->node[0].core_word], cores);
	assert_string_equal(controller_node_state(w->c, w->cl->node[j->alloc->node[0].node], false), "allocated");
	assert_int_equal(node_use_cpus(usage_node(w->c->use, j->alloc->node[0].node), w->cl->node[j->alloc->node[0].node]->config), cpus);
	struct job *other = w_job(w, 3, "ntasks", "1", "nodelist", node, NULL); /* the whole node is its own */
	w_full(w, 3);
	w_waits(other, REASON_RESOURCES);
	assert_true(controller_audit(w->c, NULL));
	world_free(w);
}

static void as_recorded(void **state)
{
	static const struct { const char *node, *option, *n, *tasks; uint32_t cpus; uint64_t cores; } cases[] = {
	    {"k1", "core-spec", "1", "1", 8, 0x7}, {"k2", "core-spec", "2", "4", 8, 0x5}, {"k3", "core-spec", "2", "6", 0, 0},   {"k4", "thread-spec", "3", "1", 8, 0xf},
	    {"k5", "core-spec", "4", "1", 0, 0},   {"k6", "thread-spec", "3", "5", 8, 0xf}, {"k7", "thread-spec", "3", "6", 0, 0}, {"m1", "core-spec", "0", "8", 6, 0xf},
	    {"m2", NULL, NULL, "6", 6, 0x7},       {"m3", NULL, NULL, "7", 0, 0},           {"m4", "core-spec", "2", "1", 6, 0x5}, {"m5", "thread-spec", "1", "2", 6, 0x7}};
	(void)state;
	for (EACH_VERSION(v))
		for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
			one_case(v, cases[i].node, cases[i].option, cases[i].n, cases[i].tasks, cases[i].cpus, cases[i].cores);
}

/* Without AllowSpecResourcesUsage it is as if not given (recorded in no-kill: cs1, th1) */
static void not_allowed(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = site(v, false);
		struct job *j = w_job(w, 1, "core-spec", "1", "nodelist", "k1", NULL), *k = w_job(w, 1, "thread-spec", "1", "nodelist", "k1", NULL);
		w_full(w, 2);
		w_runs_on(w, j, 2, "k1");
		w_runs_on(w, k, 2, "k1");
		assert_int_equal(j->alloc->cpus, 2);
		assert_int_equal(j->core_spec, NO_VAL);
		world_free(w);
	}
}

static void options(void **state)
{
	struct job_request *r = job_request_new();
	GError *error = NULL;
	(void)state;
	assert_true(job_request_set(r, "core-spec", "2", NULL));
	assert_true(job_request_set(r, "core-spec", "0", NULL));
	assert_false(job_request_set(r, "thread-spec", "1", &error));
	assert_string_equal(error->message, "-S/--core-spec and --thread-spec options are mutually exclusive");
	g_clear_error(&error);
	assert_true(job_request_set(r, "delay-boot", "5", NULL));
	assert_int_equal(r->delay_boot, 5);
	assert_true(job_request_set(r, "reboot", NULL, NULL));
	assert_true(r->reboot);
	job_request_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_recorded), cmocka_unit_test(not_allowed), cmocka_unit_test(options)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
