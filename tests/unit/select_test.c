/* select_test.c - the worked examples W1, W2, W3, W6, W7 of spec node-selection.md section 10 */
#include "sched_helper.h"
#include "sched/place.h"

/* "n1:0-3/4 n2:0/1": node, cores, tasks */
static char *alloc_text(const struct world *w, const struct job *j)
{
	GString *s = g_string_new(NULL);
	for (uint32_t i = 0; i < j->alloc->n; i++) {
		const struct alloc_node *an = &j->alloc->node[i];
		const struct node *n = w->cl->node[an->node];
		struct bitset *b = bitset_new(n->config->cores);
		for (uint32_t k = 0; k < n->config->cores; k++)
			if ((j->alloc->words[an->core_word + k / 64] >> (k % 64)) & 1)
				bitset_set(b, k);
		g_autofree char *cores = bitset_to_ranges(b);
		g_string_append_printf(s, "%s%s:%s/%u", i ? " " : "", n->name, cores, an->tasks);
		bitset_free(b);
	}
	return g_string_free(s, FALSE);
}

static void alloc_is(const struct world *w, const struct job *j, const char *want)
{
	if (j->state != JOB_RUNNING)
		fail_msg("job %u waits: %s; wanted %s", j->id, reason_name(j->reason), want);
	g_autofree char *text = alloc_text(w, j);
	assert_string_equal(text, want);
}

/* Occupy CORES cores of NODE: the lowest ones (block). */
static void busy(struct world *w, sec_t t, const char *node, const char *cores)
{
	struct job *j = w_job(w, t, "nodelist", node, "nodes", "1", "ntasks", cores, "distribution", "block:block",
	                      "priority", "1000000", NULL);
	w_full(w, t);
	assert_int_equal(j->state, JOB_RUNNING);
}

/* W1: N42 keeps one core for each remaining node; tasks by N52 */
static void filling(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-3]", 4);
		w_begin(w, 1);
		struct job *j = w_job(w, 10, "nodes", "2", "ntasks", "5", NULL);
		w_full(w, 10);
		alloc_is(w, j, "n1:0-3/4 n2:0/1");
		world_free(w);
	}
}

/* W2: free 4, 2, 3 cores: best fit (N43) against first fit (N40) */
static void best_or_first(void **state)
{
	static const struct {
		const char *nodes, *ntasks, *new, *old;
	} cases[] = {
	    {NULL, NULL, "n2", "n2"}, /* a plain job: best fit in both */
	    {NULL, "1", "n1", "n2"},  {"1", NULL, "n1", "n2"}, {NULL, "3", "n3", "n3"}, {"1", "2", "n1", "n2"},
	};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = w_simple(v, "n[1-3]", 4);
			w_begin(w, 1);
			busy(w, 1, "n2", "2");
			busy(w, 1, "n3", "1");
			struct job *j = w_job(
			    w, 10, cases[i].nodes ? "nodes" : "comment", cases[i].nodes ? cases[i].nodes : "x",
			    cases[i].ntasks ? "ntasks" : "comment", cases[i].ntasks ? cases[i].ntasks : "x", NULL);
			w_full(w, 10);
			w_runs_on(w, j, 10, v == SLURM_26 ? cases[i].new : cases[i].old);
			world_free(w);
		}
}

/* W3 without GPUs: one node of 2 sockets x 4 cores */
static void cores(void **state)
{
	static const struct {
		uint16_t tpc;
		const char *busy; /* lowest cores that are in use, or NULL */
		const char *option[8];
		const char *new, *old; /* cores */
	} cases[] = {
	    {1, NULL, {"nodes", "1", "ntasks", "3"}, "0-1,4", "0-1,4"},
	    {1, NULL, {"nodes", "1", "ntasks", "3", "distribution", "block:block"}, "0-2", "0-2"},
	    {1, NULL, {"ntasks", "3", "cpus-per-task", "2"}, "0-5", "0-5"},
	    {1, NULL, {"nodes", "1", "ntasks-per-node", "2"}, "0-1", "0,4"},
	    {1, NULL, {"nodes", "1", "ntasks", "2"}, "0,4", "0,4"},
	    {1, "3", {"ntasks", "1", "cpus-per-task", "4"}, "3-6", "4-7"},
	    {2, NULL, {"nodes", "1", "ntasks", "3"}, "0,4", "0,4"},
	};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = world_new(v);
			w_nodes(w, "n1", 2, 4, cases[i].tpc);
			w_part(w, "p", "n1");
			w_begin(w, 1);
			if (cases[i].busy)
				busy(w, 1, "n1", cases[i].busy);
			const char *const *o = cases[i].option;
			struct job *j = w_job(w, 10, o[0], o[1], o[2], o[3], o[4], o[5], NULL);
			w_full(w, 10);
			assert_int_equal(j->state, JOB_RUNNING);
			g_autofree char *text = alloc_text(w, j);
			g_autofree char *want = g_strdup_printf("n1:%s/%u", v == SLURM_26 ? cases[i].new : cases[i].old,
			                                        j->alloc->node[0].tasks);
			if (strcmp(text, want) != 0)
				fail_msg("%d case %zu: %s, want %s", (int)v, i, text, want);
			world_free(w);
		}
}

/* W3, [22.05]: 15 and 28-31 free on 2 x 16 cores, tpc 2, -n1 -c7 -> 28-31 */
static void whole_task_in_socket(void **state)
{
	struct world *w = world_new(SLURM_22_05);
	(void)state;
	w_nodes(w, "n1", 2, 16, 2);
	w_part(w, "p", "n1");
	w_begin(w, 1);
	struct job *a = w_job(w, 1, "ntasks", "15", "cpus-per-task", "2", "distribution", "block:block", NULL);
	w_full(w, 1);
	alloc_is(w, a, "n1:0-14/15");
	struct job *hole = w_job(w, 2, "ntasks", "1", "distribution", "block:block", NULL);
	w_full(w, 2);
	alloc_is(w, hole, "n1:15/1");
	struct job *b = w_job(w, 3, "ntasks", "12", "cpus-per-task", "2", "distribution", "block:block", NULL);
	w_full(w, 3);
	alloc_is(w, b, "n1:16-27/12");
	w_end(w, hole, 4, 0, true);
	struct job *j = w_job(w, 10, "ntasks", "1", "cpus-per-task", "7", NULL);
	w_full(w, 10);
	alloc_is(w, j, "n1:28-31/1");
	world_free(w);
}

/* W3, last line: tasks need 3 CPUs -> 2 cores, 4 CPUs charged; --mem-per-cpu=100M -> 400M */
static void whole_cores_charged(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		w_nodes(w, "n1", 2, 4, 2);
		w_part(w, "p", "n1");
		w->p->cr_memory = true;
		w_begin(w, 1);
		struct job *j = w_job(w, 10, "nodes", "1", "ntasks", "3", "mem-per-cpu", "100M", NULL);
		w_full(w, 10);
		alloc_is(w, j, "n1:0,4/3");
		assert_int_equal(j->alloc->cpus, 4);
		assert_int_equal(j->alloc->mem, 400);
		world_free(w);
	}
}

/* W6 */
static void weights(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int i = 0; i < 3; i++) {
			struct world *w = world_new(v);
			w_nodes(w, "n1", 1, 4, 1)->weight = 10;
			w_nodes(w, "n[2-3]", 1, 4, 1)->weight = 1;
			w_part(w, "p", "n[1-3]");
			w_begin(w, 1);
			if (i == 2)
				busy(w, 1, "n2", "1");
			static const char *const nodes[] = {"2", "3", "1"}, *const tasks[] = {"2", "3", "4"},
			                         *const want[] = {"n[2-3]", "n[1-3]", "n3"};
			struct job *j = w_job(w, 10, "nodes", nodes[i], "ntasks", tasks[i], NULL);
			w_full(w, 10);
			w_runs_on(w, j, 10, want[i]);
			world_free(w);
		}
}

/* W7: runs of consecutive nodes */
static void runs(void **state)
{
	static const struct {
		const char *busy[2], *nodes, *ntasks, *want;
	} cases[] = {
	    {{"n3", "n6"}, "2", "2", "n[1-2]"},
	    {{"n4", NULL}, "2", NULL, "n[1-2]"},
	    {{"n4", NULL}, "5", NULL, "n[1,5-8]"},
	};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = w_simple(v, "n[1-8]", 1);
			w_begin(w, 1);
			for (int b = 0; b < 2; b++)
				if (cases[i].busy[b])
					busy(w, 1, cases[i].busy[b], "1");
			struct job *j = w_job(w, 10, "nodes", cases[i].nodes, cases[i].ntasks ? "ntasks" : "comment",
			                      cases[i].ntasks ? cases[i].ntasks : "x", NULL);
			w_full(w, 10);
			w_runs_on(w, j, 10, cases[i].want);
			world_free(w);
		}
}

/* N43.3: --contiguous */
static void contiguous(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-8]", 1);
	(void)state;
	w_begin(w, 1);
	busy(w, 1, "n3", "1");
	struct job *a = w_job(w, 10, "nodes", "3", "contiguous", "", NULL);
	w_full(w, 10);
	w_runs_on(w, a, 10, "n[4-6]");
	struct job *b = w_job(w, 11, "nodes", "3", "contiguous", "", NULL);
	w_full(w, 11);
	w_waits(b, REASON_RESOURCES);
	world_free(w);
}

/* N20 */
static void counts(void **state)
{
	static const struct {
		const char *nodes, *ntasks;
		uint32_t part_min, part_max, cap, min, max, req;
	} cases[] = {
	    {NULL, NULL, 0, INFINITE, INFINITE, 1, 500000, 1},
	    {"2", NULL, 0, INFINITE, INFINITE, 2, 2, 2},
	    {"2-6", NULL, 0, INFINITE, INFINITE, 2, 6, 6},
	    {"2-6", NULL, 0, 4, INFINITE, 2, 4, 4},
	    {"2-6", NULL, 0, INFINITE, 3, 2, 3, 3},
	    {"1-6", NULL, 3, INFINITE, INFINITE, 3, 6, 6},
	    {NULL, NULL, 0, 2, INFINITE, 1, 2, 1},
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world *w = w_simple(SLURM_26, "n[1-8]", 1);
		struct partition *p = w->cl->partitions->pdata[0];
		p->max_nodes = cases[i].part_max;
		w_begin(w, 1);
		struct job *j =
		    w_job(w, 10, cases[i].nodes ? "nodes" : "comment", cases[i].nodes ? cases[i].nodes : "x", NULL);
		p->min_nodes = cases[i].part_min;
		struct trial_counts t = trial_counts_for(j, p, cases[i].cap);
		assert_int_equal(t.min, cases[i].min);
		assert_int_equal(t.max, cases[i].max);
		assert_int_equal(t.req, cases[i].req);
		world_free(w);
	}
}

/* N3: only -n: at most as many nodes (26: implicit maximum) */
static void implicit_max(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-8]", 1);
		w_begin(w, 1);
		struct job *j = w_job(w, 10, "ntasks", "3", NULL);
		assert_int_equal(j->max_nodes, v == SLURM_26 ? 3 : NO_VAL);
		struct job *k = w_job(w, 10, "ntasks", "2", "nodes", "4", NULL); /* the client lowers -N to the tasks */
		assert_int_equal(k->min_nodes, 2);
		assert_int_equal(k->max_nodes, 2);
		w_full(w, 10);
		w_runs_on(w, j, 10, "n[1-3]");
		w_runs_on(w, k, 10, "n[4-5]");
		world_free(w);
	}
}

/* N26: an exclusive job needs idle nodes, and nobody joins it */
static void exclusive(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 4);
		w_begin(w, 1);
		busy(w, 1, "n1", "1");
		struct job *a = w_job(w, 10, "exclusive", "", "ntasks", "1", NULL);
		w_full(w, 10);
		alloc_is(w, a, "n2:0-3/1");
		assert_int_equal(a->alloc->cpus, 4);
		struct job *b = w_job(w, 11, "ntasks", "4", "nodes", "1", NULL);
		w_full(w, 11);
		w_waits(b, REASON_RESOURCES);
		struct job *c = w_job(w, 12, "ntasks", "3", "nodes", "1", "priority", "10", NULL);
		w_full(w, 12);
		w_runs_on(w, c, 12, "n1");
		world_free(w);
	}
}

/* OverSubscribe=EXCLUSIVE forces the whole node (N7) */
static void exclusive_partition(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	(void)state;
	((struct partition *)w->cl->partitions->pdata[0])->oversubscribe = OVERSUB_EXCLUSIVE;
	w_begin(w, 1);
	struct job *a = w_job(w, 10, "ntasks", "1", NULL), *b = w_job(w, 10, "ntasks", "1", NULL),
	           *c = w_job(w, 10, "ntasks", "1", NULL);
	w_full(w, 10);
	alloc_is(w, a, "n1:0-3/1");
	alloc_is(w, b, "n2:0-3/1");
	w_waits(c, REASON_RESOURCES);
	world_free(w);
}

/* Memory per node as a consumable (N34, N57) */
static void memory(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 4);
		w->p->cr_memory = true; /* 65536 MiB a node */
		w_begin(w, 1);
		struct job *a = w_job(w, 10, "ntasks", "1", "mem", "40G", NULL),
		           *b = w_job(w, 10, "ntasks", "1", "mem", "40G", NULL);
		struct job *c = w_job(w, 10, "ntasks", "1", "mem", "40G", NULL),
		           *d = w_job(w, 10, "ntasks", "1", "mem", "24G", "priority", "9", NULL);
		w_full(w, 10);
		w_runs_on(w, a, 10, "n1"); /* d first, 24 + 40 = 64 GiB exactly */
		assert_int_equal(a->alloc->mem, 40960);
		w_runs_on(w, b, 10, "n2");
		w_waits(c, REASON_RESOURCES);
		w_runs_on(w, d, 10, "n1");
		w_refused(w, 20, "Requested node configuration is not available", "mem", "65G", NULL);
		w_refused(w, 20, "Requested node configuration is not available", "ntasks", "4", "nodes", "1",
		          "mem-per-cpu", "17G", NULL);
		world_free(w);
	}
}

/* N5, N60: what can never run is refused at submission */
static void impossible(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	(void)state;
	w_begin(w, 1);
	w_refused(w, 10, "Requested node configuration is not available", "nodes", "1", "ntasks", "5", NULL);
	w_refused(w, 10, "Requested node configuration is not available", "cpus-per-task", "5", NULL);
	w_refused(w, 10, "Requested node configuration is not available", "constraint", "fast", NULL);
	w_refused(w, 10, "Invalid node name", "nodelist", "n9", NULL);
	w_refused(w, 10, "Invalid node name", "nodelist", "n1", "exclude", "n1", NULL);
	world_free(w);
}

/* N52 by itself */
static void tasks(void **state)
{
	static const struct {
		uint32_t n, cap[3], tpc[3], cpt, ntasks, max, tasks[3], left;
	} cases[] = {
	    {2, {4, 1}, {1, 1}, 1, 5, 64, {4, 1}, 0},
	    {3, {4, 4, 4}, {1, 1, 1}, 1, 6, 64, {2, 2, 2}, 0},
	    {3, {4, 4, 4}, {1, 1, 1}, 1, 7, 64, {3, 2, 2}, 0},
	    {2, {8, 8}, {2, 2}, 1, 5, 64, {3, 2}, 0}, /* the core begun is filled first, then rounds of two */
	    {2, {4, 4}, {1, 1}, 2, 4, 64, {2, 2}, 0},
	    {2, {4, 4}, {1, 1}, 1, 6, 2, {2, 2}, 2},
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		uint32_t cpus[3], got[3];
		uint32_t left = place_tasks(cases[i].n, cases[i].cap, cases[i].tpc, cases[i].cpt, cases[i].ntasks,
		                            cases[i].max, false, cpus, got);
		assert_int_equal(left, cases[i].left);
		for (uint32_t k = 0; k < cases[i].n; k++)
			if (got[k] != cases[i].tasks[k])
				fail_msg("case %zu, node %u: %u tasks, want %u", i, k, got[k], cases[i].tasks[k]);
	}
}

int main(void)
{
	const struct CMUnitTest list[] = {
	    cmocka_unit_test(filling),
	    cmocka_unit_test(best_or_first),
	    cmocka_unit_test(cores),
	    cmocka_unit_test(whole_task_in_socket),
	    cmocka_unit_test(whole_cores_charged),
	    cmocka_unit_test(weights),
	    cmocka_unit_test(runs),
	    cmocka_unit_test(contiguous),
	    cmocka_unit_test(counts),
	    cmocka_unit_test(implicit_max),
	    cmocka_unit_test(exclusive),
	    cmocka_unit_test(exclusive_partition),
	    cmocka_unit_test(memory),
	    cmocka_unit_test(impossible),
	    cmocka_unit_test(tasks),
	};
	return cmocka_run_group_tests(list, NULL, NULL);
}
