/*
 * preempt_test.c - the worked examples W1-W4 and W6 of spec preemption.md section 7 (killing and requeueing), and what is around them.
 * W5 is requeue, W7 and W9 are in gang_test.c, W8 and W10 in preemptcases_test.c.
 */
#include "sched_helper.h"
#include "sched/preempt.h"

/* The names of the jobs that were stopped, in order, and how many were warned. */
static char stopped[100];
static int warned;

static void note_stop(void *data, struct job *job, enum end_cause cause)
{
	(void)data;
	(void)cause;
	g_strlcat(stopped, *stopped ? " " : "", sizeof stopped);
	g_strlcat(stopped, job->name ? job->name : "?", sizeof stopped);
}

static void note_warn(void *data, struct job *job)
{
	(void)data;
	(void)job;
	warned++;
}

/* After w_begin. */
static void watch(struct world *w)
{
	*stopped = '\0';
	warned = 0;
	w->c->host.stop = note_stop;
	w->c->host.warn = note_warn;
}

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

/* W1 (E13-E15): two victims are needed; the last removed one is tried first the second time. */
static void two_victims(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
		w_begin(w, 1);
		watch(w);
		struct job *a = w_job(w, 100, "name", "a", "qos", "low", "ntasks", "4", "nodes", "1", NULL);
		w_full(w, 100);
		struct job *b = w_job(w, 200, "name", "b", "qos", "low", "ntasks", "4", "nodes", "1", NULL);
		w_full(w, 200);
		struct job *h = w_job(w, 900, "qos", "high", "ntasks", "8", "nodes", "1", NULL);
		w_full(w, 1000);
		assert_int_equal(a->state, JOB_PREEMPTED);
		assert_int_equal(b->state, JOB_PREEMPTED);
		assert_int_equal(a->end, 1000);
		assert_string_equal(stopped, "b a");
		w_waits(h, REASON_RESOURCES);
		controller_epilog_done(w->c, a, UINT32_MAX, true, 1001 * USEC);
		controller_epilog_done(w->c, b, UINT32_MAX, true, 1001 * USEC);
		w_full(w, 1002);
		assert_int_equal(h->state, JOB_RUNNING);
		world_free(w);
	}
}

/* W2 (E13): those whose end would not help are spared. */
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

/* W3 (E17.1, E17.2, E18): grace; repeats are suppressed for 40 s; the kill comes at the first check or pass at or after the shortened end. */
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

/* W4 (E8): the QOS's exempt time wins over the cluster's (since 26; recorded in 22.05: only the cluster's counts). */
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

/* W6 (E10) */
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

/* E14: the default order puts the last one removed first, then those on nodes that were chosen: a smaller job before it is not needed then. */
static void reorder_first(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
		w_begin(w, 1);
		struct job *small = w_job(w, 10, "qos", "low", "ntasks", "2", NULL), *big = w_job(w, 10, "qos", "low", "ntasks", "6", NULL);
		w_full(w, 10);
		w_job(w, 20, "qos", "high", "ntasks", "6", NULL);
		w_full(w, 20);
		assert_int_equal(small->state, JOB_RUNNING);
		assert_int_equal(big->state, JOB_PREEMPTED);
		world_free(w);
	}
}

/* E14, E15: those that were removed and share no node with the choice live on, whichever the order. */
static void bystander(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int strict = 0; strict < 2; strict++) {
			struct world *w = by_qos(v, "n[1-2]", PREEMPT_MODE_CANCEL);
			w->p->preempt_strict_order = strict;
			if (!strict)
				w->p->preempt_reorder_count = 0;
			w_begin(w, 1);
			watch(w);
			static const char *const name[] = {"other", "x", "a", "b", "c"}, *const node[] = {"n2", "n2", "n1", "n1", "n1"};
			static const char *const cores[] = {"4", "4", "2", "3", "3"};
			struct job *j[5];
			for (int i = 0; i < 5; i++)
				j[i] = w_job(w, 10, "name", name[i], "qos", i ? "low" : "high", "ntasks", cores[i], "nodelist", node[i], NULL);
			w_full(w, 10);
			w_job(w, 20, "qos", "high", "ntasks", "8", "nodes", "1", NULL);
			w_full(w, 20);
			/* default: 99999, 1, 1 and x 0; strict: "x a b c" becomes "c x a b", then "b c x a" */
			assert_string_equal(stopped, strict ? "b c a" : "c a b");
			assert_int_equal(j[1]->state, JOB_RUNNING);
			world_free(w);
		}
}

/* E12.d: who cannot be helped harms nobody; E1: nor does anybody without preemption. */
static void nobody_is_touched(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int on = 0; on < 2; on++) {
			struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
			if (!on) {
				w->p->preempt_type = PREEMPT_NONE;
				w->p->preempt_mode = PREEMPT_MODE_OFF;
			}
			w_begin(w, 1);
			struct job *low = w_job(w, 10, "qos", "low", "ntasks", "4", NULL);
			w_job(w, 10, "qos", on ? "high" : "low", "ntasks", "4", NULL);
			w_full(w, 10);
			struct job *h = w_job(w, 20, "qos", "high", "ntasks", "8", NULL);
			w_full(w, 20);
			assert_int_equal(preempt_enabled(w->c), on);
			assert_int_equal(preempt_candidates(w->c, h)->len, on);
			assert_int_equal(low->state, JOB_RUNNING);
			w_waits(h, REASON_RESOURCES);
			world_free(w);
		}
}

/* E17: the grace never lengthens a job, and it is told once; E9, E18: its end is also noticed by the pass that chooses it again. */
static void grace_ends_in_pass(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int ends_soon = 0; ends_soon < 2; ends_soon++) {
			struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
			qos_of(w, "low")->grace_time = 120;
			w_begin(w, 0);
			watch(w);
			struct job *a = w_job(w, 999, "qos", "low", "ntasks", "8", "time", ends_soon ? "1" : "100", NULL);
			w_full(w, 1000);
			struct job *h = w_job(w, 1009, "qos", "high", "ntasks", "8", NULL);
			w_full(w, 1010);
			sec_t end = ends_soon ? 1060 : 1130;
			assert_int_equal(a->end, end);
			controller_sweep(w->c, (end - 1) * USEC);
			assert_int_equal(a->state, JOB_RUNNING);
			assert_int_equal(preempt_candidates(w->c, h)->len, 1);
			w_full(w, end);
			assert_int_equal(a->state, JOB_PREEMPTED);
			assert_int_equal(a->end, end);
			assert_int_equal(warned, 1);
			world_free(w);
		}
}

/* E17: by partition the grace is that of the victim's partition. */
static void grace_of_partition(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 8);
		((struct partition *)w->cl->partitions->pdata[0])->grace_time = 50;
		w_part(w, "top", "n1")->priority_tier = 10;
		w->p->preempt_type = PREEMPT_PARTITION;
		w->p->preempt_mode = PREEMPT_MODE_CANCEL;
		w_begin(w, 0);
		struct job *a = w_job(w, 1, "ntasks", "8", "time", "100", NULL);
		w_full(w, 1);
		w_job(w, 9, "partition", "top", "ntasks", "8", NULL);
		w_full(w, 10);
		assert_int_equal(a->state, JOB_RUNNING);
		assert_int_equal(a->end, 60);
		world_free(w);
	}
}

/* E19: for KillWait + MessageTimeout after its victims were told the job takes no others; it waits meanwhile, and its partition with it. */
static void no_more_victims(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n[1-2]", PREEMPT_MODE_CANCEL);
		w_begin(w, 0);
		struct job *a = w_job(w, 1, "qos", "low", "ntasks", "8", "nodes", "1", NULL);
		struct job *b = w_job(w, 1, "qos", "low", "ntasks", "7", "nodes", "1", NULL);
		w_full(w, 1);
		struct job *h = w_job(w, 900, "qos", "high", "ntasks", "8", "nodes", "1", NULL);
		struct job *behind = w_job(w, 900, "qos", "low", "ntasks", "1", NULL);
		w_full(w, 1000);
		assert_int_equal(a->state, JOB_PREEMPTED); /* its epilog takes long */
		assert_int_equal(h->preempt_start, 1000);
		w_waits(h, REASON_RESOURCES);
		w_waits(behind, REASON_PRIORITY);
		w_full(w, 1039);
		assert_int_equal(b->state, JOB_RUNNING);
		w_waits(h, REASON_RESOURCES);
		w_full(w, 1040); /* 30 + 10 */
		assert_int_equal(b->state, JOB_PREEMPTED);
		assert_int_equal(h->preempt_start, 1040);
		controller_epilog_done(w->c, b, UINT32_MAX, true, 1041 * USEC);
		w_full(w, 1042);
		w_runs_on(w, h, 1042, "n2");
		world_free(w);
	}
}

/* E3: the QOS's own mode, else the cluster's; --signal=R: makes all but REQUEUE a cancellation. */
static void modes(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
		qos_of(w, "mid")->preempt_mode = PREEMPT_MODE_REQUEUE;
		qos_of(w, "susp")->preempt_mode = PREEMPT_MODE_SUSPEND;
		w_begin(w, 0);
		static const struct { const char *qos, *signal; enum preempt_mode mode; } cases[] = {
		    {"low", "B:USR1@9", PREEMPT_MODE_CANCEL}, {"mid", "B:USR1@9", PREEMPT_MODE_REQUEUE}, {"mid", "R:USR1@9", PREEMPT_MODE_REQUEUE},
		    {"susp", "B:USR1@9", PREEMPT_MODE_SUSPEND}, {"susp", "R:USR1@9", PREEMPT_MODE_CANCEL}};
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
			assert_int_equal(preempt_mode_of(w->c, w_job(w, 1, "qos", cases[i].qos, "signal", cases[i].signal, NULL)), cases[i].mode);
		world_free(w);
	}
}

/* E4: the QOS's list; within a QOS by priority if WITHIN is set; with PRIORITY a higher priority is needed as well. */
static void may(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (uint32_t flags = 0; flags <= (PREEMPT_WITHIN | PREEMPT_PRIORITY); flags += 2) {
			struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
			w->p->preempt_flags = flags;
			w_begin(w, 0);
			struct job *low = w_job(w, 1, "qos", "low", "priority", "50", NULL), *more = w_job(w, 1, "qos", "low", "priority", "60", NULL);
			struct job *high = w_job(w, 1, "qos", "high", "priority", "50", NULL), *top = w_job(w, 1, "qos", "high", "priority", "51", NULL);
			bool within = flags & PREEMPT_WITHIN, priority = flags & PREEMPT_PRIORITY;
			assert_int_equal(preempt_may(w->c, more, low), within);
			assert_false(preempt_may(w->c, low, more));
			assert_int_equal(preempt_may(w->c, high, low), !priority);
			assert_true(preempt_may(w->c, top, low));
			assert_false(preempt_may(w->c, more, high));
			world_free(w);
		}
}

/* E6: who may preempt the other stands before it in the queue, whatever their priorities. */
static void queue_order(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int related = 0; related < 2; related++) {
			struct world *w = by_qos(v, "n1", PREEMPT_MODE_CANCEL);
			qos_of(w, "other");
			w_begin(w, 0);
			w_job(w, 1, "qos", "low", "ntasks", "8", "priority", "900", NULL);
			w_job(w, 1, "qos", related ? "high" : "other", "ntasks", "8", "priority", "5", NULL);
			w_full(w, 2);
			assert_string_equal(w->starts->str, related ? "2@2" : "1@2");
			world_free(w);
		}
}

/* E7: candidates have nodes in the preemptor's partition, wherever it wants to run itself, and (26) a priority up to min_exempt_priority. */
static void candidates(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = by_qos(v, "n[1-3]", PREEMPT_MODE_CANCEL);
		w_part(w, "q", "n[1-2]");
		w->p->preempt_min_exempt_priority = 100;
		w_begin(w, 0);
		struct job *low[4];
		static const char *const node[] = {"n1", "n2", "n3", "n2"}, *const priority[] = {"100", "99", "98", "101"};
		for (int i = 0; i < 4; i++)
			low[i] = w_job(w, 1, "qos", "low", "ntasks", "4", "nodelist", node[i], "priority", priority[i], NULL);
		w_job(w, 1, "qos", "high", "ntasks", "4", "nodelist", "n1", NULL);
		w_full(w, 1);
		struct job *h = w_job(w, 2, "qos", "high", "partition", "q", "ntasks", "8", "nodelist", "n1", NULL);
		GPtrArray *list = preempt_candidates(w->c, h);
		assert_int_equal(list->len, 2);
		assert_ptr_equal(list->pdata[0], low[0]);
		assert_ptr_equal(list->pdata[1], low[1]);
		assert_true(controller_suspend(w->c, low[1], 3 * USEC, NULL));
		assert_int_equal(preempt_candidates(w->c, h)->len, 2);
		w_end(w, low[0], 4, 0, false);
		assert_int_equal(preempt_candidates(w->c, h)->len, 1);
		world_free(w);
	}
}

/* E16a [since late 25.11]: of alternative features only the last one may preempt. */
static void alternatives(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int turned = 0; turned < 2; turned++) {
			struct world *w = world_new(v);
			w_features(w_nodes(w, "n1", 1, 8, 1), "a");
			w_features(w_nodes(w, "n2", 1, 8, 1), "b");
			w_part(w, "p", "n[1-2]");
			w_accounting(w);
			w->p->preempt_type = PREEMPT_QOS;
			w->p->preempt_mode = PREEMPT_MODE_CANCEL;
			qos_of(w, "low");
			qos_of(w, "high")->preempt = g_strsplit("low", ",", -1);
			w_begin(w, 0);
			struct job *n[2];
			for (int i = 0; i < 2; i++)
				n[i] = w_job(w, 1, "qos", "low", "ntasks", "8", "nodelist", i ? "n2" : "n1", NULL);
			w_full(w, 1);
			w_job(w, 9, "qos", "high", "ntasks", "8", "nodes", "1", "constraint", turned ? "[b|a]" : "[a|b]", NULL);
			w_full(w, 10);
			int taken = v == SLURM_26 ? !turned : 0; /* 22.05: the first candidate whose end helps, by any alternative */
			assert_int_equal(n[taken]->state, JOB_PREEMPTED);
			assert_int_equal(n[!taken]->state, JOB_RUNNING);
			world_free(w);
		}
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
		cmocka_unit_test(reorder_first), cmocka_unit_test(nobody_is_touched), cmocka_unit_test(grace_ends_in_pass),
		cmocka_unit_test(grace_of_partition), cmocka_unit_test(no_more_victims), cmocka_unit_test(alternatives),
		cmocka_unit_test(bystander), cmocka_unit_test(modes), cmocka_unit_test(may), cmocka_unit_test(queue_order), cmocka_unit_test(candidates),
		cmocka_unit_test(once_in_a_pass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
