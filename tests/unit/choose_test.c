/* choose_test.c - which nodes: best fit and first fit (N40-N43), the orders N44-N47, features (N28), node counts (N3,
 * N20). */
#include "tests/unit/topo_helper.h"

/* W2: first fit for one node, best fit for others; n1 4 free, n2 2 free, n3 3 free. */
static void w2(void **state)
{
	(void)state;
	static const struct {
		const char *option[4];
		const char *new, *old;
	} cases[] = {
	    {{NULL}, "n2", "n2"},
	    {{"ntasks", "1", NULL}, "n1", "n2"},
	    {{"nodes", "1", NULL}, "n1", "n2"},
	    {{"ntasks", "3", NULL}, "n3", "n3"},
	    {{"ntasks", "2", "nodes", "1"}, "n1", "n2"},
	};
	for (EACH_VERSION(v))
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world *w = w_simple(v, "n[1-3]", 4);
		w_begin(w, 0);
		w_busy(w, 1, "n2", 2);
		w_busy(w, 2, "n3", 1);
		const char *const *o = cases[i].option;
		struct job *j = w_job(w, 3, "time", "30", o[0], o[0] ? o[1] : NULL, o[0] ? o[2] : NULL, o[3], NULL);
		w_full(w, 3);
		w_runs_on(w, j, 3, v == SLURM_26 ? cases[i].new : cases[i].old);
		world_free(w);
	}
}

static struct world *weighted(void)
{
	struct world *w = world_new(SLURM_26);
	w_nodes(w, "n1", 1, 4, 1)->weight = 10;
	w_nodes(w, "n[2-3]", 1, 4, 1)->weight = 1;
	w_part(w, "p", "n[1-3]");
	w_begin(w, 0);
	return w;
}

static void w6(void **state)
{
	(void)state;
	struct world *w = weighted();
	w_gets(w, 1, "n[2-3]", "nodes", "2", "ntasks", "2");
	w_gets(w, 2, "n[1-3]", "nodes", "3", "ntasks", "3");
	world_free(w);
	w = weighted();
	w_busy(w, 1, "n2", 1);
	w_gets(w, 2, "n3", "nodes", "1", "ntasks", "4");
	world_free(w);
}

struct eight { /* of n[1-8], one core each, some are busy: what a job of NODES gets */
	const char *busy, *nodes, *want;
};

static void of_eight(const struct eight *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct world *w = w_simple(SLURM_26, "n[1-8]", 1);
		w_begin(w, 0);
		w_run(w, 1, cases[i].busy, 60);
		w_gets(w, 2, cases[i].want, "nodes", cases[i].nodes);
		world_free(w);
	}
}

static void w7(void **state)
{
	(void)state;
	static const struct eight cases[] = {{"n[3,6]", "2", "n[1-2]"}, {"n4", "2", "n[1-2]"}, {"n4", "5", "n[1,5-8]"}};
	of_eight(cases, G_N_ELEMENTS(cases));
}

/* ---- N44-N47 ---- */

/* N44, backfill B37: a plan prefers nodes that are in use; the run-now choice does not. */
static void busy_nodes(void **state)
{
	(void)state;
	for (int on = 0; on < 2; on++) {
		struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
		w->p->bf_busy_nodes = on;
		w_begin(w, 0);
		w_run(w, 1, "n[1-2]", 10);
		w_busy(w, 2, "n4", 1);
		struct job *j = w_job(w, 3, "nodes", "3", "time", "5", NULL);
		w_full(w, 4);
		w_waits(j, REASON_RESOURCES);
		w_backfill(w, 10);
		w_nodes_are(w, j->sched_nodes, on ? "n[1-2,4]" : "n[1-3]");
		world_free(w);
	}
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	w->p->bf_busy_nodes = true;
	w_begin(w, 0);
	w_busy(w, 1, "n4", 1);
	w_gets(w, 2, "n[1-2]", "nodes", "2", "ntasks", "2");
	world_free(w);
}

/* N45: the greatest share of free CPUs, not the greatest number; lowest index on ties. 22.05 also for one node. */
static void least_loaded(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
	for (int by_partition = 0; by_partition < 2; by_partition++) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-2]", 1, 8, 1);
		w_nodes(w, "n[3-4]", 1, 4, 1);
		w_part(w, "p", "n[1-4]")->lln = by_partition;
		w->p->cr_lln = !by_partition;
		w_begin(w, 0);
		w_busy(w, 1, "n1", 2);                                    /* 6/8 free */
		w_gets(w, 2, "n[2-3]", "nodes", "2", "ntasks", "2");      /* 8/8 and 4/4: now 7/8 and 3/4 */
		w_gets(w, 3, "n[2,4]", "nodes", "2", "ntasks", "2");      /* 7/8 and 4/4: now 6/8 and 3/4 */
		w_gets(w, 4, v == SLURM_26 ? "n1" : "n1", "ntasks", "1"); /* all 3/4 */
		w_gets(w, 5, v == SLURM_26 ? "n1" : "n2", "ntasks", "1"); /* 5/8, 6/8, 3/4, 3/4; 26: first fit */
		world_free(w);
	}
}

/* N46: 22.05: every one-CPU job; 26: only when more than one node would be possible (N40). */
static void pack_serial(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = w_simple(v, "n[1-4]", 2);
			w->p->pack_serial_at_end = true;
			w_begin(w, 0);
			w_gets(w, 1, v == SLURM_26 ? "n1" : "n4", "ntasks", "1");
			w_gets(w, 2, "n4", "comment", "neither tasks nor nodes");
			w_gets(w, 3, v == SLURM_26 ? "n[2-3]" : "n[1-2]", "nodes", "2", "ntasks", "4");
			world_free(w);
		}
}

/* N47: as many nodes as tasks, CPUs dealt in turn. */
static void spread(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	w_begin(w, 0);
	struct job *j = w_job(w, 1, "ntasks", "6", "spread-job", "", "time", "30", NULL);
	w_full(w, 1);
	w_runs_on(w, j, 1, "n[1-4]");
	static const uint16_t cpus[] = {2, 2, 1, 1};
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(j->alloc->node[i].cpus, cpus[i]);
	w_gets(w, 2, "n[1-2]", "nodes", "2", "ntasks", "3", "spread-job", "");
	world_free(w);
}

/* ---- N28 ---- */

static void have(struct node_config *k, const char *features)
{
	g_strfreev(k->features);
	k->features = g_strsplit(features, ",", -1);
}

static struct world *featured(enum slurm_version v)
{
	struct world *w = world_new(v);
	have(w_nodes(w, "a[1-3]", 1, 4, 1), "a100,rack1");
	have(w_nodes(w, "h[1-3]", 1, 4, 1), "h100,rack2");
	w_part(w, "p", "a[1-3],h[1-3]");
	w_begin(w, 0);
	return w;
}

static void feature_counts(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = featured(v);
			w_gets(w, 1, "a[1-2],h1", "nodes", "3", "constraint", "[a100*2&h100*1]", "exclusive", "");
			w_gets(w, 2, "a3,h2", "nodes", "2", "constraint", "[a100*1&h100*1]", "exclusive", "");
			w_refused(w, 3, "Requested node configuration is not available", "constraint", "h100*9", NULL);
			w_refused(w, 4, "Requested node configuration is not available", "nodes", "5", "constraint",
			          "[a100*1&h100*4]", NULL);
			world_free(w);
		}
}

static void feature_alternatives(void **state)
{
	(void)state;
	struct world *w = featured(SLURM_26);
	w_gets(w, 1, "a[1-2]", "nodes", "2", "constraint", "[rack1|rack2]", "exclusive", "");
	w_gets(w, 2, "h[1-2]", "nodes", "2", "constraint", "[rack1|rack2]", "exclusive", "");
	w_gets(w, 3, "a3,h3", "nodes", "2", "constraint", "rack1|rack2", "exclusive", "");
	w_refused(w, 4, "Requested node configuration is not available", "nodes", "4", "constraint", "[rack1|rack2]",
	          NULL);
	world_free(w);
}

static void feature_grammar(void **state)
{
	(void)state;
	static const char *const bad[] = {"nosuch", "[h100|", "h100]",  "a100&",    "|a100",         "(a100",
	                                  "!a100",  "a100*0", "a100*x", "[[a100]]", "[a100]&[h100]", "a100 h100"};
	struct world *w = featured(SLURM_26);
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		w_refused(w, 1, "Invalid feature specification", "constraint", bad[i], NULL);
	w_refused(w, 2, "Invalid feature specification", "prefer", "nosuch", NULL);
	w_refused(w, 3, "Requested node configuration is not available", "constraint", "a100&h100", NULL);
	w_gets(w, 4, "h1", "ntasks", "1", "constraint", "a100|h100&rack2"); /* left to right */
	w_gets(w, 5, "h1", "ntasks", "1", "constraint", "h100&(rack1|rack2)");
	w_gets(w, 6, "a1", "ntasks", "1", "constraint", "a100,rack1");
	world_free(w);
}

/* --prefer first, then without; checked like a constraint at submission. */
static void prefer(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = featured(v);
			w_gets(w, 1, "h[1-3]", "nodes", "3", "prefer", "h100", "exclusive", "");
			w_gets(w, 2, "a1", "nodes", "1", "prefer", "h100", "exclusive", "");
			w_refused(w, 3, "Requested node configuration is not available", "nodes", "4", "prefer", "a100",
			          NULL);
			struct job *j =
			    w_job(w, 4, "nodes", "1", "prefer", "h100", "exclusive", "", "time", "30", NULL);
			w_backfill(w, 5);
			w_runs_on(w, j, 5, "a2");
			world_free(w);
		}
}

/* ---- N3, N20 ---- */

static void node_counts(void **state)
{
	(void)state;
	static const struct eight cases[] = {{"n[1-5]", "1,3", "n[6-8]"},
	                                     {"n[1-6]", "1,3", "n7"},
	                                     {"n1", "2-8:2", "n[2-7]"},
	                                     {"n[1-5]", "2-8:2", "n[6-7]"},
	                                     {"n[1-5]", "2-8", "n[6-8]"}};
	of_eight(cases, G_N_ELEMENTS(cases));
}

/* A range asks for its upper end, with --use-min-nodes for its lower one. */
static void use_min_nodes(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-8]", 1);
	w_begin(w, 0);
	w_gets(w, 1, "n[1-4]", "nodes", "2-4");
	w_gets(w, 2, "n[5-6]", "nodes", "2-4", "use-min-nodes", "");
	world_free(w);
}

/* Recorded (26.11 select-lln, job m): -N1-3 takes an even share from the least loaded nodes, where they have it */
static void least_loaded_even(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-4]", 1, 8, 1);
		w_part(w, "p", "n[1-4]")->lln = true;
		w_begin(w, 0);
		struct job *j = w_job(w, 1, "nodes", "1-3", "ntasks", "10", "time", "10", NULL);
		w_full(w, 2);
		w_runs_on(w, j, 2, "n[1-3]");
		assert_int_equal(j->alloc->node[0].cpus == 4 && j->alloc->node[1].cpus == 4, v == SLURM_26); /* 22.05 fills the first */
		assert_int_equal(j->alloc->node[2].cpus == 2, v == SLURM_26);
		struct job *k = w_job(w, 3, "nodes", "1-3", "ntasks", "17", "time", "10", NULL); /* n4 has 8, the others 4, 4, 6 in 26 */
		w_full(w, 4);
		assert_int_equal(k->state, JOB_RUNNING);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(w2),
	    cmocka_unit_test(w6),
	    cmocka_unit_test(w7),
	    cmocka_unit_test(busy_nodes),
	    cmocka_unit_test(least_loaded),
	    cmocka_unit_test(least_loaded_even),
	    cmocka_unit_test(pack_serial),
	    cmocka_unit_test(spread),
	    cmocka_unit_test(feature_counts),
	    cmocka_unit_test(feature_alternatives),
	    cmocka_unit_test(feature_grammar),
	    cmocka_unit_test(prefer),
	    cmocka_unit_test(node_counts),
	    cmocka_unit_test(use_min_nodes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
