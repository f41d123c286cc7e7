/*
 * limits_test.c - the worked examples X3, X4, X7, X8, X10, X11 of spec limits.md section 9, and the limits around them.
 * X1, X2, X5, X6, X12-X14 need TRES minutes and X9 accrue limits: not modelled.
 */
#include "sched_helper.h"

static struct qos *qos_of(struct world *w, const char *name)
{
	return acct_add_qos(w->cl->acct, name);
}

static struct world *limited(enum slurm_version v, struct assoc **account)
{
	struct world *w = w_simple(v, "n[1-8]", 16);
	*account = w_accounting(w);
	return w;
}

/* X3 (L3, L4): job QOS N MaxTRESPU cpu=64, partition QOS P cpu=32; 20 CPUs run under both; 16 more are asked */
static void partition_qos(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int over = 0; over < 2; over++) {
			struct assoc *a;
			struct world *w = limited(v, &a);
			struct qos *n = qos_of(w, "n"), *p = qos_of(w, "p");
			n->limits.max_tres_pu = w_tres(TRES_CPU, 64);
			p->limits.max_tres_pu = w_tres(TRES_CPU, 32);
			n->flags = over ? QOS_OVER_PART_QOS : 0;
			((struct partition *)w->cl->partitions->pdata[0])->qos_name = g_strdup("p");
			w_begin(w, 1);
			w_job(w, 10, "qos", "n", "ntasks", "20", NULL);
			w_full(w, 10);
			assert_int_equal(controller_n_running(w->c), 1);
			struct job *j = w_job(w, 20, "qos", "n", "ntasks", "16", NULL);
			w_full(w, 20);
			if (over)
				assert_int_equal(j->state, JOB_RUNNING);
			else
				w_waits(j, REASON_QOS_MAX_CPU_PU);
			world_free(w);
		}
}

/* X4 (L25) */
static void strict(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		qos_of(w, "lax")->limits.max_tres_pj = w_tres(TRES_CPU, 16);
		struct qos *deny = qos_of(w, "deny");
		deny->limits.max_tres_pj = w_tres(TRES_CPU, 16);
		deny->flags = QOS_DENY_LIMIT;
		w_begin(w, 1);
		struct job *j = w_job(w, 10, "qos", "lax", "ntasks", "32", NULL);
		w_full(w, 10);
		w_waits(j, REASON_QOS_MAX_CPU_PJ);
		w_refused(w, 20, "QOSMaxCpuPerJobLimit", "qos", "deny", "ntasks", "32", NULL);
		/* L27: then the associations' sizes count too; MaxTRES is hidden by the QOS's (L5) */
		a->limits.max_tres_pj = w_tres(TRES_CPU, 8);
		a->limits.max_tres_pj[TRES_NODE] = 2;
		a->limits.grp_tres = w_tres(TRES_CPU, 20);
		a->limits.max_wall = 60;
		w_refused(w, 25, "AssocMaxNodePerJobLimit", "qos", "deny", "nodes", "3", NULL);
		w_refused(w, 25, "AssocMaxWallDurationPerJobLimit", "qos", "deny", "time", "61", NULL);
		deny->limits.max_tres_pj[TRES_CPU] = NO_VAL64;
		w_refused(w, 25, "AssocMaxCpuPerJobLimit", "qos", "deny", "ntasks", "9", NULL);
		a->limits.max_tres_pj[TRES_CPU] = NO_VAL64;
		w_refused(w, 25, "AssocGrpCpuLimit", "qos", "deny", "ntasks", "21", NULL);
		struct job *ok = w_job(w, 30, "qos", "deny", "ntasks", "16", NULL);
		w_full(w, 30);
		assert_int_equal(ok->state, JOB_RUNNING);
		world_free(w);
	}
}

/* X7 (L20, L34): GrpTRES node=3; used nodes are counted once. Nodes with A on n1,n2 and B on n2. */
static void nodes_once(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int shared = 0; shared < 2; shared++) {
			struct assoc *a;
			struct world *w = limited(v, &a);
			a->limits.grp_tres = w_tres(TRES_NODE, 3);
			w_begin(w, 1);
			w_job(w, 10, "nodelist", "n[1-2]", "ntasks", "2", NULL);
			w_job(w, 10, "nodelist", "n2", "ntasks", "1", NULL);
			w_full(w, 10);
			assert_int_equal(controller_n_running(w->c), 2);
			struct job *j = w_job(w, 20, "nodelist", shared ? "n[2-3]" : "n[3-4]", "ntasks", "2", NULL);
			w_full(w, 20);
			if (shared)
				w_runs_on(w, j, 20, "n[2-3]");
			else
				w_waits(j, REASON_ASSOC_GRP_NODE);
			world_free(w);
		}
}

/* X8 (L6, L30): MaxJobs of the account is inherited by each user */
static void max_jobs(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		a->limits.max_jobs = 2;
		w_begin(w, 1);
		struct job *j[6];
		for (int i = 0; i < 6; i++)
			j[i] = w_job(w, 10, "user", i % 2 ? "u2" : "u1", "ntasks", "1", NULL);
		w_full(w, 10);
		for (int i = 0; i < 6; i++)
			if (i < 4)
				assert_int_equal(j[i]->state, JOB_RUNNING);
			else
				w_waits(j[i], REASON_ASSOC_MAX_JOBS);
		w_end(w, j[1], 100, 0, false); /* counted down when the job enters COMPLETING */
		w_full(w, 100);
		w_waits(j[4], REASON_ASSOC_MAX_JOBS);
		assert_int_equal(j[5]->state, JOB_RUNNING);
		world_free(w);
	}
}

/* X8: GrpJobs 3 on the account */
static void grp_jobs(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		a->limits.grp_jobs = 3;
		w_begin(w, 1);
		struct job *j[4];
		for (int i = 0; i < 4; i++)
			j[i] = w_job(w, 10, "user", i % 2 ? "u2" : "u1", "ntasks", "1", NULL);
		w_full(w, 10);
		assert_int_equal(controller_n_running(w->c), 3);
		w_waits(j[3], REASON_ASSOC_GRP_JOBS);
		world_free(w);
	}
}

/* X8: a QOS with MaxJobsPerAccount set hides MaxJobs (L5) */
static void hidden(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		a->limits.max_jobs = 1;
		qos_of(w, "q")->limits.max_jobs_pa = 3;
		w_begin(w, 1);
		struct job *j[4];
		for (int i = 0; i < 4; i++)
			j[i] = w_job(w, 10, "qos", "q", "ntasks", "1", NULL);
		w_full(w, 10);
		assert_int_equal(controller_n_running(w->c), 3);
		w_waits(j[3], REASON_QOS_MAX_JOBS_PA);
		world_free(w);
	}
}

/* L4: of each kind the first QOS that sets it decides; per account and per user are two kinds */
static void kinds(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int i = 0; i < 5; i++) {
			struct assoc *a;
			struct world *w = limited(v, &a);
			struct qos *first = qos_of(w, "p"), *second = qos_of(w, "q");
			((struct partition *)w->cl->partitions->pdata[0])->qos_name = g_strdup("p");
			if (i == 0) { /* both sets a kind: the first's */
				first->limits.max_jobs_pu = 2;
				second->limits.max_jobs_pu = 1;
			} else if (i == 1) { /* different kinds: both */
				first->limits.max_jobs_pa = 2;
				second->limits.max_jobs_pu = 1;
			} else if (i == 2) {
				first->limits.max_tres_pj = w_tres(TRES_CPU, 4);
				second->limits.max_tres_pj = w_tres(TRES_CPU, 2);
			} else if (i == 3) {
				first->limits.max_tres_pa = w_tres(TRES_CPU, 8);
				second->limits.max_tres_pa = w_tres(TRES_CPU, 6);
			} else {
				first->limits.max_wall = 60;
				second->limits.max_wall = 30;
			}
			w_begin(w, 1);
			struct job *j = w_job(w, 10, "qos", "q", "ntasks", "4", "time", "60", NULL);
			struct job *k = w_job(w, 10, "qos", "q", "ntasks", "4", "time", "60", NULL);
			w_full(w, 10);
			assert_int_equal(j->state, JOB_RUNNING);
			if (i == 1)
				w_waits(k, REASON_QOS_MAX_JOBS_PU);
			else
				assert_int_equal(k->state, JOB_RUNNING);
			world_free(w);
		}
}

/* L5: MaxSubmit of the association is hidden by the QOS's per-user or per-account one */
static void submit_hidden(void **state)
{
	struct assoc *a;
	struct world *w = limited(SLURM_26, &a);
	(void)state;
	a->limits.max_submit = 1;
	qos_of(w, "q")->limits.max_submit_pa = 3;
	w_begin(w, 1);
	for (int i = 0; i < 3; i++)
		w_job(w, 10, "qos", "q", NULL);
	w_refused(w, 10, "MaxSubmitJobsPerAccount", "qos", "q", NULL);
	w_refused(w, 10, "AssocMaxSubmitJobLimit", "qos", "normal", NULL);
	world_free(w);
}

/* L31: the first QOS's values, the second's only where unset */
static void node_cap_of_two(void **state)
{
	struct assoc *a;
	struct world *w = limited(SLURM_26, &a);
	(void)state;
	((struct partition *)w->cl->partitions->pdata[0])->qos_name = g_strdup("p");
	qos_of(w, "p")->limits.max_tres_pj = w_tres(TRES_NODE, 5);
	qos_of(w, "q")->limits.max_tres_pj = w_tres(TRES_NODE, 3);
	qos_of(w, "r")->limits.grp_tres = w_tres(TRES_NODE, 4);
	w_begin(w, 1);
	w_waits(w_job(w, 10, "qos", "q", "nodes", "6", NULL), REASON_QOS_MAX_NODE_PJ);
	struct job *j = w_job(w, 10, "qos", "q", "nodes", "5", NULL);
	w_waits(w_job(w, 10, "qos", "r", "nodes", "5", NULL), REASON_QOS_GRP_NODE);
	w_full(w, 10);
	w_runs_on(w, j, 10, "n[1-5]");
	world_free(w);
}

/* X10 (L31): per user is looked at before the group; shows at submission already (L32) */
static void node_cap(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		struct qos *q = qos_of(w, "q");
		q->limits.max_tres_pu = w_tres(TRES_NODE, 4);
		q->limits.grp_tres = w_tres(TRES_NODE, 4);
		w_begin(w, 1);
		struct job *j = w_job(w, 10, "qos", "q", "nodes", "5", NULL);
		w_waits(j, REASON_QOS_MAX_NODE_PU);
		w_full(w, 10);
		w_waits(j, REASON_QOS_MAX_NODE_PU);
		struct job *k = w_job(w, 20, "qos", "q", "nodes", "3-6", NULL); /* the cap lowers the maximum */
		w_full(w, 20);
		w_runs_on(w, k, 20, "n[1-4]");
		world_free(w);
	}
}

/* X11 (L63): -p short,long -t 120, MaxTime 60/240 */
static void enforce_part_limits(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int e = ENFORCE_PART_NO; e <= ENFORCE_PART_ALL; e++) {
			struct world *w = world_new(v);
			w_nodes(w, "n[1-2]", 1, 4, 1);
			w_part(w, "short", "n1")->max_time = 60;
			w_part(w, "long", "n2")->max_time = 240;
			w->p->enforce_part_limits = e;
			w_begin(w, 1);
			if (e == ENFORCE_PART_ALL) {
				w_refused(w, 10, "Requested time limit is invalid", "partition", "short,long", "time",
				          "120", NULL);
			} else {
				struct job *j = w_job(w, 10, "partition", "short,long", "time", "120", NULL);
				w_full(w, 10);
				w_runs_on(w, j, 10, "n2");
			}
			w_refused(w, 20, "partition", "partition", "none", NULL);
			world_free(w);
		}
}

/* L38: a job over a limit does not block the ones behind; with assoc_limit_stop it does */
static void does_not_block(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int stop = 0; stop < 2; stop++) {
			struct assoc *a;
			struct world *w = limited(v, &a);
			qos_of(w, "q")->limits.grp_tres = w_tres(TRES_CPU, 8);
			w->p->assoc_limit_stop = stop;
			w_begin(w, 1);
			struct job *j = w_job(w, 10, "qos", "q", "ntasks", "9", "priority", "10", NULL);
			struct job *k = w_job(w, 10, "ntasks", "1", NULL);
			w_full(w, 10);
			w_waits(j, REASON_QOS_GRP_CPU);
			if (stop)
				w_waits(k, REASON_PRIORITY);
			else
				assert_int_equal(k->state, JOB_RUNNING);
			world_free(w);
		}
}

/* L32: a limit reason replaces Resources */
static void replaces_resources(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		qos_of(w, "q")->limits.max_tres_pj = w_tres(TRES_CPU, 8);
		w_begin(w, 1);
		w_run(w, 1, "n[1-8]", 60);
		struct job *j = w_job(w, 10, "qos", "q", "ntasks", "9", NULL);
		w_full(w, 10);
		w_waits(j, REASON_QOS_MAX_CPU_PJ);
		world_free(w);
	}
}

/* Submit counts (L26, L27): always, each array task counts */
static void submit_counts(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		a->limits.max_submit = 4;
		qos_of(w, "q")->limits.max_submit_pu = 2;
		w_begin(w, 1);
		struct job *first = w_job(w, 10, "array", "0-2", NULL);
		w_refused(w, 10, "AssocMaxSubmitJobLimit", "array", "0-1", NULL);
		w_job(w, 10, "user", "u2", "array", "0-3", NULL); /* each user by itself */
		w_job(w, 10, NULL);
		w_refused(w, 10, "AssocMaxSubmitJobLimit", "ntasks", "1", NULL);
		assert_true(controller_cancel(w->c, first, 20 * USEC, NULL));
		w_job(w, 30, "qos", "q", NULL);
		w_job(w, 30, "qos", "q", NULL);
		w_refused(w, 30, "QOSMaxSubmitJobPerUserLimit", "qos", "q", NULL);
		world_free(w);
	}
}

/* L30: MaxWall of the QOS and of the association */
static void max_wall(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		qos_of(w, "q")->limits.max_wall = 60;
		a->limits.max_wall = 30;
		qos_of(w, "free");
		w_begin(w, 1);
		struct job *j = w_job(w, 10, "qos", "q", "time", "61", NULL),
		           *k = w_job(w, 10, "qos", "q", "time", "60", NULL);
		struct job *l = w_job(w, 10, "qos", "free", "time", "31", NULL),
		           *m = w_job(w, 10, "qos", "free", "time", "30", NULL);
		w_full(w, 10);
		w_waits(j, REASON_QOS_MAX_WALL_PJ);
		assert_int_equal(k->state, JOB_RUNNING); /* the QOS hides the association's (L5) */
		w_waits(l, REASON_ASSOC_MAX_WALL_PJ);
		assert_int_equal(m->state, JOB_RUNNING);
		world_free(w);
	}
}

/* Without "limits" nothing is counted (L1) */
static void not_enforced(void **state)
{
	struct assoc *a;
	struct world *w = limited(SLURM_26, &a);
	(void)state;
	w->p->enforce = ENFORCE_ASSOC;
	a->limits.max_jobs = 1;
	a->limits.max_submit = 1;
	w_begin(w, 1);
	struct job *j = w_job(w, 10, NULL), *k = w_job(w, 10, NULL);
	w_full(w, 10);
	assert_int_equal(j->state, JOB_RUNNING);
	assert_int_equal(k->state, JOB_RUNNING);
	assert_int_equal(a->use.jobs, 0);
	w_refused(w, 20, "Invalid account", "user", "nobody", NULL);
	world_free(w);
}

/* Counters come back to zero (L20) */
static void counters(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		struct qos *q = qos_of(w, "q");
		w_begin(w, 1);
		struct job *j = w_job(w, 10, "qos", "q", "ntasks", "20", NULL);
		assert_int_equal(a->use.submit, 1);
		w_full(w, 10);
		assert_int_equal(a->use.jobs, 1);
		assert_int_equal(a->use.tres[TRES_CPU], 20);
		assert_int_equal(a->parent->use.tres[TRES_CPU], 20);
		assert_int_equal(q->use.tres[TRES_NODE], 2);
		assert_true(controller_requeue(w->c, j, false, 20 * USEC, NULL));
		assert_int_equal(a->use.jobs, 0);
		assert_int_equal(a->use.submit, 1);
		controller_epilog_done(w->c, j, UINT32_MAX, true, 20 * USEC);
		w_full(w, 200);
		assert_int_equal(a->use.jobs, 1);
		w_end(w, j, 300, 0, true);
		assert_int_equal(a->use.jobs, 0);
		assert_int_equal(a->use.submit, 0);
		assert_int_equal(a->use.tres[TRES_CPU], 0);
		assert_int_equal(q->use.tres[TRES_CPU], 0);
		assert_int_equal(q->use.submit, 0);
		world_free(w);
	}
}

/* L67: partition limits of a waiting job, and their end after an update (R13) */
static void partition_limits(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		struct partition *p = w->cl->partitions->pdata[0];
		p->max_time = 60;
		p->max_nodes = 2;
		w_begin(w, 1);
		struct job *t = w_job(w, 10, "time", "61", NULL), *n = w_job(w, 10, "nodes", "3", "time", "1", NULL);
		w_full(w, 10);
		w_waits(t, REASON_PARTITION_TIME_LIMIT);
		w_waits(n, REASON_PARTITION_NODE_LIMIT);
		assert_true(controller_update_partition(w->c, "p", "MaxTime", "61", 20 * USEC, NULL));
		w_full(w, 20);
		assert_int_equal(t->state, JOB_RUNNING);
		assert_true(controller_update_partition(w->c, "p", "MaxNodes", "3", 30 * USEC, NULL));
		w_full(w, 30);
		assert_int_equal(n->state, JOB_RUNNING);
		world_free(w);
	}
}

/* Section 6: QOS flags that let a job exceed its partition */
static void qos_flags(void **state)
{
	struct assoc *a;
	struct world *w = limited(SLURM_26, &a);
	struct partition *p = w->cl->partitions->pdata[0];
	(void)state;
	p->max_time = 60;
	p->max_nodes = 4;
	p->min_nodes = 2;
	qos_of(w, "q")->flags = QOS_PART_TIME_LIMIT | QOS_PART_MAX_NODE | QOS_PART_MIN_NODE;
	w_begin(w, 1);
	struct job *j = w_job(w, 10, "qos", "q", "nodes", "6", "time", "120", NULL);
	w_full(w, 10);
	w_runs_on(w, j, 10, "n[1-6]");
	assert_int_equal(j->time_limit, 120);
	world_free(w);
}

/* B15: backfill skips a job over its limit: no estimate, no plan */
static void backfill(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct assoc *a;
		struct world *w = limited(v, &a);
		qos_of(w, "q")->limits.max_jobs_pu = 1;
		w_begin(w, 1);
		w_run(w, 1, "n[1-8]", 60);
		struct job *j[3];
		for (int i = 0; i < 3; i++)
			j[i] = w_job(w, 10, "qos", i < 2 ? "q" : "normal", "ntasks", "16", "nodes", "1", "time", "10",
			             NULL);
		w_end(w, controller_first_running(w->c), 20, 0, true);
		w_backfill(w, 20);
		assert_int_equal(j[0]->state, JOB_RUNNING);
		w_waits(j[1], REASON_QOS_MAX_JOBS_PU);
		assert_int_equal(j[1]->est_start, 0);
		assert_int_equal(j[2]->state, JOB_RUNNING);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(partition_qos),
	    cmocka_unit_test(strict),
	    cmocka_unit_test(nodes_once),
	    cmocka_unit_test(max_jobs),
	    cmocka_unit_test(grp_jobs),
	    cmocka_unit_test(hidden),
	    cmocka_unit_test(kinds),
	    cmocka_unit_test(submit_hidden),
	    cmocka_unit_test(node_cap_of_two),
	    cmocka_unit_test(node_cap),
	    cmocka_unit_test(enforce_part_limits),
	    cmocka_unit_test(does_not_block),
	    cmocka_unit_test(replaces_resources),
	    cmocka_unit_test(submit_counts),
	    cmocka_unit_test(max_wall),
	    cmocka_unit_test(not_enforced),
	    cmocka_unit_test(counters),
	    cmocka_unit_test(partition_limits),
	    cmocka_unit_test(qos_flags),
	    cmocka_unit_test(backfill),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
