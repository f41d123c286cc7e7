/*
 * oversubscribe_test.c - which jobs may be on one node, or on one core, at the same time: every value of OverSubscribe, of
 * --oversubscribe and of --exclusive (N7, N26, N31, N50, N75), without gang scheduling.
 */
#include "tests/unit/sched_helper.h"

static struct world *sharing(enum slurm_version v, const char *nodes, uint16_t cores, enum oversubscribe o, uint16_t n)
{
	struct world *w = w_simple(v, nodes, cores);
	struct partition *p = w->cl->partitions->pdata[0];
	p->oversubscribe = o;
	p->max_share = n;
	w_begin(w, 0);
	return w;
}

static uint32_t how_many_run(const struct world *w)
{
	return controller_n_running(w->c);
}

/* FORCE:n: n jobs on each core, whether they ask or not. */
static void force(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = sharing(v, "n1", 4, OVERSUB_FORCE, 2);
		struct job *a = w_job(w, 0, "ntasks", "4", "time", "10", NULL);
		w_full(w, 0);
		struct job *b = w_job(w, 1, "ntasks", "2", "time", "20", NULL);
		w_full(w, 1);
		w_runs_on(w, b, 1, "n1");
		assert_int_equal(b->row, 1);
		struct job *c = w_job(w, 2, "ntasks", "2", "time", "20", NULL);
		w_full(w, 2);
		w_runs_on(w, c, 2, "n1"); /* the rest of row 1 */
		struct job *d = w_job(w, 3, "ntasks", "3", "time", "5", NULL);
		w_full(w, 3);
		w_waits(d, REASON_RESOURCES);
		w_backfill(w, 4);
		w_planned(w, d, 600, "n1"); /* a's row is free then; b and c go on */
		w_end(w, a, 100, 0, true);
		w_full(w, 101);
		w_runs_on(w, d, 101, "n1");
		assert_int_equal(d->row, 0);
		world_free(w);
	}
}

/* Idle cores come before those that others hold (step 1). */
static void idle_first(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = sharing(v, "n[1-2]", 4, OVERSUB_FORCE, 4);
		static const char *const want[] = {"n1", "n2", "n1", "n2"};
		for (int i = 0; i < 4; i++) {
			struct job *j = w_job(w, i, "ntasks", "4", "nodes", "1", "time", "10", NULL);
			w_full(w, i);
			if (i < 2 || i == 2)
				w_runs_on(w, j, i, want[i]);
			assert_int_equal(j->state, JOB_RUNNING);
		}
		world_free(w);
	}
}

/* FORCE:1 and NO: one job on a core. */
static void one_row(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int o = 0; o < 2; o++) {
			struct world *w = sharing(v, "n1", 4, o ? OVERSUB_FORCE : OVERSUB_NO, 1);
			w_job(w, 0, "ntasks", "3", "time", "10", "oversubscribe", "", NULL);
			w_full(w, 0);
			struct job *b = w_job(w, 1, "ntasks", "2", "time", "10", "oversubscribe", "", NULL);
			struct job *c = w_job(w, 1, "ntasks", "1", "time", "10", "oversubscribe", "", "priority", "9", NULL);
			w_full(w, 1);
			w_waits(b, REASON_RESOURCES);
			assert_int_equal(c->state, JOB_RUNNING);
			world_free(w);
		}
}

/* YES:n: only among jobs that ask, and never beside one that does not (N31). */
static void yes(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = sharing(v, "n1", 4, OVERSUB_YES, 2);
		w_job(w, 0, "ntasks", "4", "time", "10", "oversubscribe", "", NULL);
		struct job *b = w_job(w, 0, "ntasks", "4", "time", "10", "oversubscribe", "", NULL);
		w_full(w, 0);
		assert_int_equal(how_many_run(w), 2);
		w_end(w, b, 5, 0, true);
		struct job *c = w_job(w, 6, "ntasks", "4", "time", "10", NULL);
		w_full(w, 6);
		w_waits(c, REASON_RESOURCES);
		w_backfill(w, 7);
		w_planned(w, c, 600, "n1");
		world_free(w);

		w = sharing(v, "n1", 4, OVERSUB_YES, 2);
		w_job(w, 0, "ntasks", "1", "time", "10", NULL);
		w_full(w, 0);
		struct job *d = w_job(w, 1, "ntasks", "1", "time", "10", "oversubscribe", "", NULL);
		w_full(w, 1);
		w_waits(d, REASON_RESOURCES); /* three cores are idle, but the node holds a job of the other kind */
		w_backfill(w, 2);
		w_planned(w, d, 600, "n1");
		world_free(w);
	}
}

/* Memory is not shared. */
static void memory(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		struct partition *p = w->cl->partitions->pdata[0];
		p->oversubscribe = OVERSUB_FORCE;
		p->max_share = 4;
		w->p->cr_memory = true;
		w_begin(w, 0);
		w_job(w, 0, "ntasks", "4", "mem", "40000", "time", "10", NULL);
		w_full(w, 0);
		struct job *b = w_job(w, 1, "ntasks", "4", "mem", "40000", "time", "10", NULL);
		w_full(w, 1);
		w_waits(b, REASON_RESOURCES);
		struct job *c = w_job(w, 2, "ntasks", "4", "mem", "20000", "time", "10", "priority", "9", NULL);
		w_full(w, 2);
		w_runs_on(w, c, 2, "n1");
		world_free(w);
	}
}

/* Partitions over the same nodes: a row knows the jobs of its own partition alone. */
static void partitions(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-2]", 1, 4, 1);
		w_part(w, "plain", "ALL");
		for (int i = 0; i < 2; i++) {
			struct partition *p = w_part(w, i ? "two" : "one", "n1");
			p->oversubscribe = OVERSUB_FORCE;
			p->max_share = 2;
		}
		w_begin(w, 0);
		for (int i = 0; i < 4; i++)
			w_job(w, 0, "ntasks", "4", "partition", i < 2 ? "one" : "two", "time", "10", NULL);
		w_full(w, 0);
		assert_int_equal(how_many_run(w), 4);
		struct job *plain = w_job(w, 1, "ntasks", "1", "time", "10", NULL);
		w_full(w, 1);
		w_runs_on(w, plain, 1, "n2"); /* N31 */
		world_free(w);
	}
}

/* --exclusive and OverSubscribe=EXCLUSIVE: an idle node, whole; --exclusive=user and =mcs: beside their own. */
static void exclusive(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = sharing(v, "n[1-2]", 4, OVERSUB_FORCE, 4);
		w_job(w, 0, "ntasks", "1", "time", "10", NULL);
		w_full(w, 0);
		struct job *whole = w_job(w, 1, "ntasks", "1", "exclusive", "", "time", "10", NULL);
		w_full(w, 1);
		w_runs_on(w, whole, 1, "n2");
		assert_int_equal(whole->alloc->cpus, 4);
		struct job *next = w_job(w, 2, "ntasks", "4", "time", "10", NULL);
		w_full(w, 2);
		w_runs_on(w, next, 2, "n1");
		world_free(w);

		w = sharing(v, "n[1-2]", 4, OVERSUB_EXCLUSIVE, 1);
		for (int i = 0; i < 3; i++)
			w_job(w, 0, "ntasks", "1", "time", "10", NULL);
		w_full(w, 0);
		assert_int_equal(how_many_run(w), 2);
		world_free(w);

		w = sharing(v, "n[1-2]", 4, OVERSUB_NO, 1);
		w_job(w, 0, "ntasks", "1", "exclusive", "user", "time", "10", NULL);
		w_full(w, 0);
		struct job *other = w_job(w, 1, "ntasks", "1", "user", "u2", "time", "10", NULL);
		struct job *own = w_job(w, 1, "ntasks", "1", "exclusive", "user", "time", "10", NULL);
		w_full(w, 1);
		w_runs_on(w, other, 1, "n2");
		w_runs_on(w, own, 1, "n1");
		world_free(w);
	}
}

/* select/linear: whole nodes, but up to n jobs on each (N75.2). */
static void linear(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int yes = 0; yes < 2; yes++) {
			struct world *w = w_simple(v, "n[1-3]", 4);
			struct partition *p = w->cl->partitions->pdata[0];
			w->p->select_type = SELECT_LINEAR;
			w->p->cr_unit = CR_NONE;
			p->oversubscribe = yes ? OVERSUB_YES : OVERSUB_FORCE;
			p->max_share = 2;
			w_begin(w, 0);
			const char *ask = yes ? "oversubscribe" : NULL;
			struct job *two = w_job(w, 0, "nodes", "2", "time", "10", ask, "", NULL);
			w_full(w, 0);
			w_runs_on(w, two, 0, "n[1-2]");
			struct job *one = w_job(w, 1, "nodes", "1", "time", "10", ask, "", NULL);
			w_full(w, 1);
			w_runs_on(w, one, 1, "n3"); /* idle ones first */
			struct job *also = w_job(w, 2, "nodes", "2", "time", "10", ask, "", NULL);
			w_full(w, 2);
			w_runs_on(w, also, 2, "n[1-2]"); /* a running job of as many nodes */
			struct job *last = w_job(w, 3, "nodes", "1", "time", "10", ask, "", NULL);
			w_full(w, 3);
			w_runs_on(w, last, 3, "n3");
			struct job *full = w_job(w, 4, "nodes", "1", "time", "10", ask, "", NULL);
			w_full(w, 4);
			w_waits(full, REASON_RESOURCES);
			w_backfill(w, 5);
			assert_in_range(full->est_start, 600, 603); /* the end of a group (B33) */
			w_end(w, one, 50, 0, true);
			w_full(w, 51);
			w_runs_on(w, full, 51, "n3");
			world_free(w);
		}
}

/* Under YES a job that does not ask has its nodes alone. */
static void linear_alone(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		struct partition *p = w->cl->partitions->pdata[0];
		w->p->select_type = SELECT_LINEAR;
		w->p->cr_unit = CR_NONE;
		p->oversubscribe = OVERSUB_YES;
		p->max_share = 2;
		w_begin(w, 0);
		w_job(w, 0, "nodes", "1", "time", "10", NULL);
		w_full(w, 0);
		struct job *b = w_job(w, 1, "nodes", "1", "time", "10", "oversubscribe", "", NULL);
		w_full(w, 1);
		w_waits(b, REASON_RESOURCES);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(force),     cmocka_unit_test(idle_first), cmocka_unit_test(one_row),
	    cmocka_unit_test(yes),       cmocka_unit_test(memory),     cmocka_unit_test(partitions),
	    cmocka_unit_test(exclusive), cmocka_unit_test(linear),     cmocka_unit_test(linear_alone)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
