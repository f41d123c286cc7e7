/*
 * preempt_test.c - the worked examples W1-W4 and W6 of spec preemption.md section 7 (killing and requeueing), and what is around them.
 * W5 is requeue, W7 and W9 are in gang_test.c, W8 and W10 in preemptcases_test.c.
 */
#include "sched_helper.h"
#include "sched/preempt.h"

static struct qos *qos_of(struct world *w, const char *name)
{
	return acct_add_qos(w->cl->acct, name);
}

/* PreemptType=preempt/qos with QOS low and high (Preempt=low). */
static struct world *by_qos(enum slurm_version v, const char *nodes, enum preempt_mode mode)
{
	struct world *w = w_simple(v, nodes, 8);
	w_accounting(w);
	w->p->preempt_type = PREEMPT_QOS;
	w->p->preempt_mode = mode;
	w->p->job_requeue = true;
	qos_of(w, "low");
	qos_of(w, "high")->preempt = g_strsplit("low", ",", -1);
	return w;
}

/* W1: two victims are needed; the last removed one is tried first the second time. */
static void two_victims(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
		w_begin(w, 1);
		struct job *a = w_job(w, 100, "qos", "low", "ntasks", "4", "nodes", "1", NULL);
		w_full(w, 100);
		struct job *b = w_job(w, 200, "qos", "low", "ntasks", "4", "nodes", "1", NULL);
		w_full(w, 200);
		struct job *h = w_job(w, 900, "qos", "high", "ntasks", "8", "nodes", "1", NULL);
		w_full(w, 1000);
		assert_int_equal(a->state, JOB_PREEMPTED);
		assert_int_equal(b->state, JOB_PREEMPTED);
		assert_int_equal(a->end, 1000);
		w_waits(h, REASON_RESOURCES);
		controller_epilog_done(w->c, a, UINT32_MAX, true, 1001 * USEC);
		controller_epilog_done(w->c, b, UINT32_MAX, true, 1001 * USEC);
		w_full(w, 1002);
		assert_int_equal(h->state, JOB_RUNNING);
		world_free(w);
	}
}

/* W2: reordering spares those whose end would not help. */
static void reorder_saves(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int count = 0; count < 2; count++) {
			struct world *w = by_qos(v, "n[1-3]", PREEMPT_MODE_CANCEL);
			w->p->preempt_reorder_count = count;
			w_begin(w, 1);
			const char *node[] = {"n1", "n2", "n1", "n2", "n3"}, *qos[] = {"high", "high", "low", "low", "low"};
			const char *cores[] = {"4", "4", "4", "4", "8"};
			struct job *j[5];
			for (int i = 0; i < 5; i++)
				j[i] = w_job(w, 10, "qos", qos[i], "ntasks", cores[i], "nodelist", node[i], "nodes", "1", NULL);
			w_full(w, 10);
			w_job(w, 20, "qos", "high", "ntasks", "8", "nodes", "1", NULL);
			w_full(w, 20);
			assert_int_equal(j[2]->state, JOB_RUNNING);
			assert_int_equal(j[3]->state, JOB_RUNNING);
			assert_int_equal(j[4]->state, JOB_PREEMPTED);
			world_free(w);
		}
}

/* W3: grace; repeats are suppressed for 40 s; the kill comes at the first check or pass at or after the shortened end. */
static void grace(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
		qos_of(w, "low")->grace_time = 120;
		w_begin(w, 0);
		struct job *a = w_job(w, 1, "qos", "low", "ntasks", "8", "nodes", "1", "time", "100", NULL);
		w_full(w, 1);
		w_job(w, 900, "qos", "high", "ntasks", "8", "nodes", "1", NULL);
		w_full(w, 1000);
		assert_int_equal(a->state, JOB_RUNNING);
		assert_int_equal(a->end, 1120);
		w_full(w, 1050);
		assert_int_equal(a->end, 1120);
		controller_sweep(w->c, 1110 * USEC);
		assert_int_equal(a->state, JOB_RUNNING);
		controller_sweep(w->c, 1140 * USEC);
		assert_int_equal(a->state, JOB_PREEMPTED);
		assert_int_equal(a->end, 1140);
		world_free(w);
	}
}

/* E18: a job in its grace that ends by itself counts as preempted. */
static void ends_in_grace(void **state)
{
	(void)state;
	struct world *w = by_qos(SLURM_26, "n1", PREEMPT_MODE_CANCEL);
	qos_of(w, "low")->grace_time = 120;
	w_begin(w, 0);
	struct job *a = w_job(w, 1, "qos", "low", "ntasks", "8", NULL);
	w_full(w, 1);
	w_job(w, 9, "qos", "high", "ntasks", "8", NULL);
	w_full(w, 10);
	controller_job_exited(w->c, a, 0, 0, false, 20 * USEC);
	assert_int_equal(a->state, JOB_PREEMPTED);
	world_free(w);
}

/* W4: the QOS's exempt time wins over the cluster's (since 26; recorded in 22.05: only the cluster's counts). */
static void exempt(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
		w->p->preempt_exempt_time = 600;
		qos_of(w, "low")->preempt_exempt_time = 300;
		w_begin(w, 0);
		struct job *a = w_job(w, 1999, "qos", "low", "ntasks", "8", "time", "100", NULL);
		w_full(w, 2000);
		w_job(w, 2001, "qos", "high", "ntasks", "8", NULL);
		w_full(w, 2299);
		assert_int_equal(a->state, JOB_RUNNING);
		w_full(w, 2300);
		assert_int_equal(a->state, v == SLURM_22_05 ? JOB_RUNNING : JOB_PREEMPTED);
		if (v == SLURM_22_05) {
			w_full(w, 2600);
			assert_int_equal(a->state, JOB_PREEMPTED);
		}
		world_free(w);
	}
}

/* W5, E20, E21: a requeued victim waits 121 s after its epilog; without the requeue flag it is killed. */
static void requeue(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n[1-2]", PREEMPT_MODE_REQUEUE);
		w_begin(w, 0);
		struct job *a = w_job(w, 1, "qos", "low", "ntasks", "8", "nodes", "1", NULL);
		struct job *b = w_job(w, 1, "qos", "low", "ntasks", "8", "nodes", "1", "no-requeue", "", NULL);
		w_full(w, 1);
		w_job(w, 9, "qos", "high", "nodes", "2", "ntasks", "16", NULL);
		w_full(w, 1990);
		assert_int_equal(a->state, JOB_PENDING);
		assert_int_equal(a->run, 1);
		assert_int_equal(b->state, JOB_PREEMPTED);
		controller_epilog_done(w->c, a, UINT32_MAX, true, 2000 * USEC);
		assert_int_equal(a->eligible, 2121);
		assert_int_equal(a->submit, 2000);
		world_free(w);
	}
}

/* W6 */
static void order(void **state)
{
	(void)state;
	for (int youngest = 0; youngest < 2; youngest++) {
		struct world *w = by_qos(SLURM_26, "n[1-7]", PREEMPT_MODE_CANCEL);
		struct qos *low = qos_of(w, "low"), *mid = qos_of(w, "mid"), *high = qos_of(w, "high");
		low->priority = 10;
		mid->priority = 20;
		g_strfreev(high->preempt);
		high->preempt = g_strsplit("low,mid", ",", -1);
		w->p->preempt_youngest_first = youngest;
		w_begin(w, 0);
		struct job *v2 = w_job(w, 99, "qos", "low", "nodes", "4", "exclusive", "", NULL);
		w_full(w, 100);
		struct job *v3 = w_job(w, 199, "qos", "low", "nodes", "2", "exclusive", "", NULL);
		w_full(w, 200);
		struct job *v1 = w_job(w, 299, "qos", "mid", "nodes", "1", "exclusive", "", NULL);
		w_full(w, 300);
		struct job *h = w_job(w, 400, "qos", "high", "nodes", "7", "exclusive", "", NULL);
		GPtrArray *list = preempt_candidates(w->c, h);
		assert_int_equal(list->len, 3);
		assert_ptr_equal(list->pdata[0], youngest ? v1 : v3);
		assert_ptr_equal(list->pdata[1], youngest ? v3 : v2);
		assert_ptr_equal(list->pdata[2], youngest ? v2 : v1);
		world_free(w);
	}
}

/* E5: by partition, strictly higher tiers only, never from a partition with PreemptMode=OFF. */
static void by_partition(void **state)
{
	(void)state;
	struct world *w = world_new(SLURM_26);
	w_nodes(w, "n[1-2]", 1, 8, 1);
	w_part(w, "low", "n1");
	w_part(w, "safe", "n2")->preempt_mode = PREEMPT_MODE_OFF;
	w_part(w, "top", "n[1-2]")->priority_tier = 10;
	w->p->preempt_type = PREEMPT_PARTITION;
	w->p->preempt_mode = PREEMPT_MODE_CANCEL;
	w_begin(w, 0);
	struct job *a = w_job(w, 1, "partition", "low", "ntasks", "8", NULL);
	struct job *b = w_job(w, 1, "partition", "safe", "ntasks", "8", NULL);
	w_full(w, 1);
	w_job(w, 5, "partition", "top", "ntasks", "8", "nodes", "1", NULL);
	w_full(w, 6);
	assert_int_equal(a->state, JOB_PREEMPTED);
	assert_int_equal(b->state, JOB_RUNNING);
	world_free(w);
}

/* Two partitions of one node each, a victim in each of them; h may start in either. */
static struct world *two_ways(enum slurm_version v, struct job *victim[2], struct job **h)
{
	struct world *w = world_new(v);
	w_nodes(w, "n[1-3]", 1, 8, 1);
	w_part(w, "low", "n[1-3]");
	w_part(w, "a", "n1")->priority_tier = 10;
	w_part(w, "b", "n2")->priority_tier = 10;
	w->p->preempt_type = PREEMPT_PARTITION;
	w->p->preempt_mode = PREEMPT_MODE_CANCEL;
	w->p->bf_resolution = 1;
	w_begin(w, 0);
	for (int i = 0; i < 2; i++)
		victim[i] = w_job(w, 1, "partition", "low", "ntasks", "8", "nodelist", i ? "n2" : "n1", "time", "60", NULL);
	w_full(w, 1);
	*h = w_job(w, 5, "partition", "a,b", "ntasks", "8", "time", "10", NULL);
	return w;
}

/* B16: through one partition only in a cycle; E19 too keeps a pass from more. B54: backfill takes the victims for gone, signals them and keeps their nodes from now on. */
static void once_in_a_pass(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int bf = 0; bf < 2; bf++) {
			struct job *victim[2], *h;
			struct world *w = two_ways(v, victim, &h);
			controller_pass(w->c, bf ? PASS_BACKFILL : PASS_MAIN_FULL, 60 * USEC);
			assert_int_equal(victim[0]->state, JOB_PREEMPTED);
			assert_int_equal(victim[1]->state, JOB_RUNNING);
			assert_int_equal(h->state, JOB_PENDING);
			if (bf) {
				w_planned(w, h, 60, "n1");
				w_map_is(w, "[60,660) n[2-3]; [660,86460) n[1-3]");
			}
			world_free(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_victims),	 cmocka_unit_test(reorder_saves), cmocka_unit_test(grace),
		cmocka_unit_test(ends_in_grace), cmocka_unit_test(exempt),	  cmocka_unit_test(requeue),
		cmocka_unit_test(order),	 cmocka_unit_test(by_partition),
		cmocka_unit_test(once_in_a_pass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
