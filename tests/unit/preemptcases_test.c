/* preemptcases_test.c - the worked examples W8 and W10 of preemption.md, which were measured on real clusters */
#include "sched/preempt.h"
#include "tests/unit/sched_helper.h"

static struct qos *qos_of(struct world *w, const char *name)
{
	return acct_add_qos(w->cl->acct, name);
}

static struct world *by_qos(size_t v, const char *nodes, uint16_t cores, const char *preempts)
{
	struct world *w = w_simple((enum slurm_version)v, nodes, cores);
	w_accounting(w);
	w->p->preempt_type = PREEMPT_QOS;
	w->p->preempt_mode = PREEMPT_MODE_CANCEL;
	qos_of(w, "low");
	qos_of(w, "mid")->priority = 10;
	qos_of(w, "high")->preempt = g_strsplit(preempts, ",", -1);
	return w;
}

/* W8 (E11: nodes of exclusive victims count; E16, E19): H2 is tried by backfill alone, where the plan of H1 keeps the first victim's node from it: other victims */
static void w8(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n[1-4]", 8, "low");
		qos_of(w, "low")->grace_time = 20;
		w_begin(w, 0);
		struct job *l[4];
		for (int i = 0; i < 4; i++)
			l[i] = w_job(w, 0, "qos", "low", "nodes", "1", "exclusive", "", "time", "60", NULL);
		w_full(w, 0);
		struct job *h1 = w_job(w, 10, "qos", "high", "nodes", "1", "ntasks", "8", "time", "5", NULL);
		w_full(w, 10);
		assert_true(l[0]->in_grace && l[0]->end == 30);
		assert_false(l[1]->in_grace || l[2]->in_grace || l[3]->in_grace);
		struct job *h2 = w_job(w, 20, "qos", "high", "nodes", "2", "exclusive", "", "time", "5", NULL);
		w_full(w, 20);
		w_waits(h1, REASON_RESOURCES);
		w_waits(h2, REASON_PRIORITY);
		assert_false(l[1]->in_grace);
		w_backfill(w, 20);
		w_nodes_are(w, h1->sched_nodes, "n1");
		assert_true(l[1]->in_grace && l[1]->end == 40);
		assert_true(l[2]->in_grace && l[2]->end == 40);
		assert_false(l[3]->in_grace);
		controller_sweep(w->c, 49 * USEC);
		for (int i = 0; i < 4; i++)
			assert_int_equal(l[i]->state, i < 3 ? JOB_PREEMPTED : JOB_RUNNING);
		world_free(w);
	}
}

/* The order in which victims were stopped. */
static GString *stopped;

static void note_stop(void *data, struct job *job, enum end_cause cause)
{
	(void)data;
	(void)cause;
	g_string_append_printf(stopped, "%s%s", stopped->len ? " " : "", job->name);
}

#define RUNS(name, qos, node, n) w_job(w, 10, "job-name", name, "qos", qos, "nodelist", node, "nodes", "1", "ntasks", n, "time", "60", NULL)

/* W10 (E13-E15): reorder_count=3, strict_order */
static void w10(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n[1-4]", 16, "low,mid");
		w->p->preempt_reorder_count = 3;
		w->p->preempt_strict_order = true;
		w_begin(w, 0);
		stopped = g_string_new(NULL);
		w->c->host.stop = note_stop;
		struct job *a = RUNS("a", "low", "n4", "4"), *b = RUNS("b", "low", "n4", "4"), *c = RUNS("c", "mid", "n4", "8");
		struct job *wide = w_job(w, 10, "job-name", "w", "qos", "low", "nodelist", "n[1-3]", "nodes", "3", "ntasks", "48", "time", "60", NULL);
		w_full(w, 10);
		assert_true(a->alloc && b->alloc && c->alloc && wide->alloc);
		w_job(w, 20, "qos", "high", "ntasks", "6", "time", "5", NULL);
		w_full(w, 20);
		assert_string_equal(stopped->str, "b a");
		assert_int_equal(wide->state, JOB_RUNNING);
		g_string_free(stopped, TRUE);
		world_free(w);

		w = by_qos(v, "n[1-4]", 16, "low,mid");
		w->p->preempt_reorder_count = 3;
		w->p->preempt_strict_order = true;
		w_begin(w, 0);
		stopped = g_string_new(NULL);
		w->c->host.stop = note_stop;
		RUNS("c", "mid", "n4", "8");
		struct job *d = RUNS("d", "mid", "n1", "12");
		w_job(w, 10, "job-name", "e", "qos", "mid", "nodelist", "n[2-3]", "nodes", "2", "ntasks", "32", "time", "60", NULL);
		w_full(w, 10);
		w_job(w, 20, "qos", "high", "nodes", "3", "ntasks", "48", "time", "5", NULL);
		w_full(w, 20);
		assert_string_equal(stopped->str, "c e");
		assert_int_equal(d->state, JOB_RUNNING);
		g_string_free(stopped, TRUE);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(w8), cmocka_unit_test(w10)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
