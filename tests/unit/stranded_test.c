/* stranded_test.c - stranded GPUs by cause (sched/stranded.h), and what fit_job says node by node */
#include "sched/fit.h"
#include "sched/stranded.h"
#include "sched_helper.h"

/* Nodes of 2 x 4 cores, GPUs 0,1 near socket 0 and 2,3 near socket 1. */
static struct world *gpu_world(const char *nodes)
{
	struct world *w = world_new(SLURM_26);
	struct node_config *k = w_nodes(w, nodes, 2, 4, 1);
	w_four_gpus(k);
	w->p->cr_memory = true;
	w_part(w, "p", nodes);
	w_begin(w, 1);
	return w;
}

static void is(struct world *w, uint32_t free, enum stranded_cause cause, uint32_t n)
{
	struct stranded s = stranded_all(w->c);
	assert_int_equal(s.free, free);
	for (int i = 0; i < STRANDED_CAUSES; i++)
		assert_int_equal(s.by[i], i == (int)cause ? n : 0);
}

static void by_cause(void **state)
{
	static const struct {
		const char *cpus, *gres, *mem; /* of the job that runs */
		const char *want_cpus, *want_gres, *want_mem, *flags;
		uint32_t free, stranded;
		enum stranded_cause cause;
	} list[] = {
	    {"1", "gpu:1", "1000", "1", "gpu:4", "1000", "disable-binding", 3, 3, STRANDED_COUNT},
	    {"7", "gpu:1", "1000", "2", "gpu:1", "1000", "disable-binding", 3, 3, STRANDED_CORES},
	    {"1", "gpu:1", "60000", "1", "gpu:1", "6000", "disable-binding", 3, 3, STRANDED_MEMORY},
	    {"4", "gpu:1", "1000", "6", "gpu:2", "1000", "disable-binding", 3, 3, STRANDED_CORES},
	    {"4", "gpu:2", "1000", "3", "gpu:1", "1000", "enforce-binding", 2, 1, STRANDED_CORES},
	    {"1", "gpu:1", "1000", "1", "gpu:2", "1000", "disable-binding", 3, 1, STRANDED_COUNT},
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
		struct world *w = gpu_world("n1");
		struct job *run = w_job(w, 10, "cpus-per-task", list[i].cpus, "gres", list[i].gres, "mem", list[i].mem, "nodes",
		                        "1", "time", "60", NULL);
		w_full(w, 10);
		w_runs_on(w, run, 10, "n1");
		is(w, list[i].free, 0, 0); /* nobody waits */
		w_job(w, 11, "cpus-per-task", list[i].want_cpus, "gres", list[i].want_gres, "mem", list[i].want_mem, "nodes",
		      "1", "gres-flags", list[i].flags, "begin", "100000", NULL);
		is(w, list[i].free, list[i].cause, list[i].stranded);
		world_free(w);
	}
}

static void fit_tells(void **state)
{
	(void)state;
	struct world *w = gpu_world("n[1-3]");
	struct job *one = w_job(w, 10, "nodelist", "n1", "ntasks", "8", "nodes", "1", "mem", "1000", "time", "60", NULL);
	struct job *two = w_job(w, 10, "nodelist", "n2", "gres", "gpu:3", "mem", "1000", "time", "60", NULL);
	w_full(w, 10);
	w_runs_on(w, one, 10, "n1");
	w_runs_on(w, two, 10, "n2");
	struct job *j = w_job(w, 11, "gres", "gpu:2", "ntasks", "2", "nodes", "1", "mem", "1000", NULL);
	struct fit *f = fit_job(w->c, j, 11 * USEC);
	assert_non_null(f->alloc);
	assert_int_equal(f->alloc->node[0].node, 2);
	assert_int_equal(f->nodes->len, 0);
	fit_free(f);
	assert_int_equal(j->state, JOB_PENDING); /* nothing was started */
	struct job *wide = w_job(w, 12, "gres", "gpu:2", "nodes", "2", "mem", "1000", NULL);
	f = fit_job(w->c, wide, 12 * USEC);
	assert_null(f->alloc);
	assert_int_equal(f->reason, REASON_RESOURCES);
	static const char *const rule[] = {"N32", "N63", NULL};
	for (guint i = 0; i < 3; i++) {
		const struct fit_node *n = &g_array_index(f->nodes, struct fit_node, i);
		if (g_strcmp0(n->rule, rule[i]) != 0)
			fail_msg("node %u: %s %s", i, n->rule ? n->rule : "-", n->why);
	}
	fit_free(f);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(by_cause), cmocka_unit_test(fit_tells)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
