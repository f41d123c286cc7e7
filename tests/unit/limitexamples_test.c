/* limitexamples_test.c - the worked examples X1 to X14 of spec limits.md section 9, and the rules that they leave out */
#include "limits_helper.h"

#define RUN_SECS(as, i) ((as)->use.run_secs[i])

/* X1 (L21, L36): ticks every 300 s from 0 */
static void run_minutes(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_world(v, "n1", LIMITS, "modify account acct set GrpTRESRunMins=cpu=300\n");
			struct job *a = w_job(w, 100, "ntasks", "4", "time", "60", NULL);
			w_full(w, 100);
			l_runs(a);
			assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 14400);
			struct job *b = w_job(w, 101, "ntasks", "2", "time", "40", NULL);
			w_full(w, 101);
			w_waits(b, REASON_ASSOC_GRP_CPU_RUN_MINS);
			assert_string_equal(b->blocker.what, "GrpTRESRunMins");
			assert_int_equal(b->blocker.value, 300);
			assert_int_equal(b->blocker.use, 240);
			assert_int_equal(b->blocker.request, 80);
			l_tick(w, 300);
			assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 13600);
			w_full(w, 301);
			w_waits(b, REASON_ASSOC_GRP_CPU_RUN_MINS);
			assert_int_equal(b->blocker.use, 226);
			l_tick(w, 600);
			assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 12400);
			w_full(w, 601);
			l_runs(b);
			assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 17200);
			l_tick(w, 900);
			assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 15402);
			w_end(w, a, 1000, 0, true);
			assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 4202);
			world_free(w);
		}
}

/* X2 (L35) */
static void past_minutes(void **state)
{
	static const struct {
		double usage;
		bool safe, starts;
	} cases[] = {{57000, false, true},
	             {57000, true, false},
	             {59999.9, false, true},
	             {60000, false, false},
	             {60000, true, false}};
	(void)state;
	for (EACH_VERSION(v))
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world *w = l_world(v, "n1", LIMITS | (cases[i].safe ? ENFORCE_SAFE : 0),
		                          "modify account acct set GrpTRESMins=cpu=1000\n");
		l_acct(w)->tres_usage[TRES_CPU] = cases[i].usage;
		struct job *j = w_job(w, 10, "ntasks", "4", "time", "30", NULL);
		w_full(w, 10);
		if (cases[i].starts)
			l_runs(j);
		else
			w_waits(j, REASON_ASSOC_GRP_CPU_MINS);
		world_free(w);
	}
}

/* X3 (L3, L4) */
static void which_qos(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
	for (int over = 0; over < 2; over++) {
		struct world *w = l_unbegun(
		    v, "n[1-8]", LIMITS,
		    "add qos n MaxTRESPU=cpu=64\nadd qos pq MaxTRESPU=cpu=32\nmodify account root set qos+=n\n");
		((struct partition *)w->cl->partitions->pdata[0])->qos_name = g_strdup("pq");
		if (over)
			l_qos(w, "n")->flags |= QOS_OVER_PART_QOS;
		w_begin(w, 0);
		struct job *first = w_job(w, 10, "ntasks", "20", "qos", "n", NULL);
		w_full(w, 10);
		l_runs(first);
		struct job *j = w_job(w, 11, "ntasks", "16", "qos", "n", NULL);
		w_full(w, 11);
		if (over) {
			l_runs(j);
		} else {
			w_waits(j, REASON_QOS_MAX_CPU_PU);
			assert_string_equal(((const struct qos *)j->blocker.owner)->name, "pq");
		}
		world_free(w);
	}
}

/* A job without any QOS: there is none of the default name. */
static void no_qos(struct world *w)
{
	l_qos(w, "normal")->name[0] = 'x';
}

/* X4 (L25), with the name of the reason as sbatch prints it */
static void deny_on_limit(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w =
			    l_world(v, "n[1-8]", LIMITS,
			            "add qos q MaxTRESPerJob=cpu=16\nadd qos d MaxTRESPerJob=cpu=16 Flags=DenyOnLimit\n"
			            "modify account root set qos+=q,d\n");
			struct job *j = w_job(w, 10, "ntasks", "32", "qos", "q", NULL);
			w_full(w, 10);
			w_waits(j, REASON_QOS_MAX_CPU_PJ);
			w_refused(w, 11,
			          "QOSMaxCpuPerJobLimit\nJob violates accounting/QOS policy (job submit limit, user's "
			          "size and/or time limits)",
			          "ntasks", "32", "qos", "d", NULL);
			world_free(w);
			w = l_world(v, "n[1-8]", LIMITS, "modify user u1 set MaxTRES=cpu=16\n");
			no_qos(w);
			w_refused(w, 10, "AssocMaxCpuPerJobLimit\nJob violates", "ntasks", "32", NULL);
			world_free(w);
		}
}

/* X5 (L28) */
static void derived_limit(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_world(v, "n1", LIMITS, "modify user u1 set MaxTRESMins=cpu=1000\n");
			no_qos(w);
			struct job *j = w_job(w, 10, "ntasks", "8", NULL);
			assert_int_equal(j->time_limit, 125);
			assert_true(j->limit_was_unset);
			w_refused(w, 11, "AssocMaxCpuMinutesPerJobLimit", "ntasks", "8", "time", "126", NULL);
			struct job *k = w_job(w, 12, "ntasks", "8", "time", "125", NULL);
			w_full(w, 12);
			l_runs(j);
			w_end(w, j, 13, 0, true);
			w_full(w, 13);
			l_runs(k); /* W = 1000 is not above 1000 */
			world_free(w);
		}
}

/* L28 when not strict: the QOS's wall limits give a time limit and lower it, its minutes do not. */
static void derived_not_strict(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_world(v, "n1", LIMITS,
			                          "add qos m MaxTRESMins=cpu=1000\nadd qos x MaxWall=60 "
			                          "GrpWall=40\nmodify account root set qos+=m,x\n");
			assert_int_equal(w_job(w, 10, "ntasks", "8", "qos", "m", NULL)->time_limit, NO_VAL);
			assert_int_equal(w_job(w, 10, "qos", "x", NULL)->time_limit, 40);
			assert_int_equal(w_job(w, 10, "qos", "x", "time", "90", NULL)->time_limit, 90);
			world_free(w);
		}
}

/* X6 (L20, L21): truncation with UsageFactor 0.75 */
static void factor_truncates(void **state)
{
	struct world *w =
	    l_world(SLURM_26, "n1", LIMITS, "add qos f UsageFactor=0.75\nmodify account root set qos+=f\n");
	(void)state;
	struct job *j = w_job(w, 1, "ntasks", "4", "time", "61", "qos", "f", NULL);
	w_full(w, 1);
	l_runs(j);
	assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 10980);
	l_tick(w, 300); /* a slice of 299 s */
	assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 10980 - 896);
	world_free(w);
}

/* X7 (L20, L34): nodes are counted once */
static void distinct_nodes(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_world(v, "n[1-4]", LIMITS, "modify account acct set GrpTRES=node=3\n");
			struct job *a = w_job(w, 10, "nodes", "2", "nodelist", "n[1-2]", NULL);
			struct job *b = w_job(w, 10, "nodelist", "n2", NULL);
			w_full(w, 10);
			l_runs(a);
			l_runs(b);
			assert_int_equal(l_acct(w)->use.nodes, 2);
			struct job *bad = w_job(w, 11, "nodes", "2", "nodelist", "n[3-4]", NULL);
			w_full(w, 11);
			w_waits(bad, REASON_ASSOC_GRP_NODE);
			assert_int_equal(bad->blocker.use, 2);
			assert_true(
			    controller_cancel(w->c, bad, 11 * USEC, NULL)); /* S31a: its nodes would be withheld */
			struct job *good = w_job(w, 12, "nodes", "2", "nodelist", "n[2-3]", NULL);
			w_full(w, 12);
			l_runs(good);
			assert_int_equal(l_acct(w)->use.nodes, 3);
			w_end(w, a, 13, 0, true);
			assert_int_equal(l_acct(w)->use.nodes, 2);
			world_free(w);
		}
}

/* X8 (L30, L5, L6) */
static void job_counts(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w =
			    l_world(v, "n1", LIMITS,
			            "modify account acct set MaxJobs=2 GrpJobs=3\nadd qos h MaxJobsPerAccount=9\n"
			            "modify account root set qos+=h\n");
			struct job *j[6];
			for (int i = 0; i < 3; i++)
				j[i] = w_job(w, 10, NULL);
			w_full(w, 10);
			l_runs(j[0]);
			l_runs(j[1]);
			w_waits(j[2], REASON_ASSOC_MAX_JOBS); /* inherited, counted for u1 alone */
			j[3] = w_job(w, 11, "user", "u2", NULL);
			w_full(w, 11);
			l_runs(j[3]);
			j[4] = w_job(w, 12, "user", "u2", NULL);
			w_full(w, 12);
			w_waits(j[4], REASON_ASSOC_GRP_JOBS);
			w_end(w, j[3], 13, 0, true);
			j[5] = w_job(w, 13, "qos", "h", "priority", "99999", NULL);
			w_full(w, 13);
			l_runs(j[5]); /* the QOS hides MaxJobs */
			world_free(w);
		}
}

/* X9 (L40) */
static void accrue(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_world(
			    v, "n1", LIMITS,
			    "add qos q GrpJobsAccrue=2 MaxJobsAccruePerUser=1\nmodify account root set qos+=q\n");
			struct job *j[3];
			bool limited;
			for (int i = 0; i < 3; i++)
				j[i] = w_job(w, 10, "exclusive", "", "qos", "q", NULL);
			w_full(w, 10);
			l_runs(j[0]);
			assert_int_equal(l_qos(w, "q")->use.accrue, v == SLURM_26 ? 0 : 1);
			l_qos(w, "q")->use.accrue = 2; /* the group is full, u2 has none */
			struct job *u2 = w_job(w, 11, "user", "u2", "qos", "q", "exclusive", "", NULL);
			assert_int_equal(accrue_room(w->c, u2, &limited), v == SLURM_26 ? 1 : 0);
			assert_true(limited);
			world_free(w);
		}
}

/* L40: without limits waiting jobs and all tasks of an array age; with one, only as many as there is room for */
static void accrue_array(void **state)
{
	struct world *w = l_world(SLURM_26, "n1", LIMITS, "modify user u1 set MaxJobsAccrue=2\n");
	(void)state;
	w_run(w, 10, "n1", 60);
	struct job *head = w_job(w, 11, "array", "0-4", NULL);
	w_full(w, 12); /* begin time is set */
	w_full(w, 13); /* two tasks are split off and age */
	assert_int_equal(bitset_count(head->tasks), 3);
	assert_int_equal(head->accrue, 0);
	assert_int_equal(acct_find(w->cl->acct, "u1", NULL, NULL)->use.accrue, 2);
	assert_int_equal(controller_find_task(w->c, head->id, 0)->accrue, 13);
	world_free(w);
}

/* X10 (L31) */
static void node_cap(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w =
			    l_world(v, "n[1-8]", LIMITS,
			            "add qos q MaxTRESPU=node=4 GrpTRES=node=4\nmodify account root set qos+=q\n");
			struct job *j = w_job(w, 10, "nodes", "5", "qos", "q", NULL);
			w_waits(j, REASON_QOS_MAX_NODE_PU); /* at once: L31 is part of the trial at submission */
			struct job *k = w_job(w, 10, "nodes", "2-8", "ntasks", "16", "qos", "q", NULL);
			w_full(w, 10);
			w_waits(j, REASON_QOS_MAX_NODE_PU);
			l_runs(k);
			assert_true(k->alloc->n <= 4);
			world_free(w);
		}
}

/* X11 (L63) */
static void enforce_part_limits(void **state)
{
	static const enum enforce_part_limits all[] = {ENFORCE_PART_NO, ENFORCE_PART_ANY, ENFORCE_PART_ALL};
	(void)state;
	for (EACH_VERSION(v))
	for (size_t i = 0; i < 3; i++) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-2]", 1, 8, 1);
		w_part(w, "short", "n[1-2]")->max_time = 60;
		w_part(w, "long", "n[1-2]")->max_time = 240;
		w->p->enforce_part_limits = all[i];
		w_begin(w, 0);
		if (all[i] == ENFORCE_PART_ALL)
			w_refused(w, 1, "Requested time limit is invalid (missing or exceeds some limit)", "partition",
			          "short,long", "time", "120", NULL);
		else
			w_job(w, 1, "partition", "short,long", "time", "120", NULL);
		world_free(w);
	}
}

/* X12 (L45) */
static void ends_running(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
	for (int safe = 0; safe < 2; safe++) {
		struct world *w = l_world(v, "n1", LIMITS | (safe ? ENFORCE_SAFE : 0),
		                          "add qos q MaxTRESMins=cpu=40\nmodify account root set qos+=q\n");
		struct job *j = w_job(w, 100, "ntasks", "4", "time", "10", "qos", "q", NULL);
		w_full(w, 100);
		l_runs(j);
		assert_true(controller_update_job(w->c, j, "timelimit", "60", 101 * USEC, NULL));
		controller_sweep(w->c, 699 * USEC);
		l_runs(j);
		controller_sweep(w->c, 700 * USEC);
		assert_int_equal(j->state, safe ? JOB_RUNNING : JOB_TIMEOUT);
		if (!safe)
			assert_int_equal(j->reason, REASON_TIME_LIMIT);
		world_free(w);
	}
}

/* L45: past use of an account that has reached GrpTRESMins ends its running jobs; that of root does not */
static void ends_running_group(void **state)
{
	(void)state;
	for (int root = 0; root < 2; root++) {
		struct world *w = l_world(SLURM_26, "n1", LIMITS,
		                          root ? "modify account root set GrpTRESMins=cpu=10\n"
		                               : "modify account acct set GrpTRESMins=cpu=10\n");
		struct job *j = w_job(w, 10, "ntasks", "4", "time", "60", NULL);
		w_full(w, 10);
		l_runs(j);
		l_tick(w, 310); /* 300 s of 4 CPUs, decayed a little: 19 minutes */
		controller_sweep(w->c, 311 * USEC);
		assert_int_equal(j->state, root ? JOB_RUNNING : JOB_TIMEOUT);
		world_free(w);
	}
}

/* X13 (L36, measured on 26.11) */
static void factor_not_safe(void **state)
{
	struct world *w = l_unbegun(SLURM_26, "n[1-2]", LIMITS,
	                            "modify account acct set GrpTRESRunMins=gres/gpu=8\nadd qos two "
	                            "UsageFactor=2\nmodify account root set qos+=two\n");
	(void)state;
	w->p->priority_type = PRIORITY_BASIC;
	w_begin(w, 0);
	struct job *a = w_job(w, 5, "gres", "gpu:2", "time", "2", NULL);
	w_full(w, 5);
	struct job *c = w_job(w, 6, "gres", "gpu:1", "time", "2", NULL);
	w_full(w, 6);
	l_runs(a);
	l_runs(c);
	struct job *b = w_job(w, 7, "gres", "gpu:2", "time", "3", NULL),
	           *d = w_job(w, 8, "gres", "gpu:2", "time", "2", "qos", "two", NULL);
	w_full(w, 8);
	w_waits(b, REASON_ASSOC_GRP_GRES_RUN_MINS);
	w_waits(d, REASON_ASSOC_GRP_GRES_RUN_MINS);
	w_end(w, c, 26, 0, true);
	w_full(w, 31);
	w_waits(b, REASON_ASSOC_GRP_GRES_RUN_MINS);
	l_runs(d);
	assert_int_equal(RUN_SECS(l_acct(w), (uint32_t)tres_find(w->cl->tres, "gres/gpu")), 240 + 480);
	w_end(w, a, 35, 0, true);
	w_full(w, 36);
	w_waits(b, REASON_ASSOC_GRP_GRES_RUN_MINS);
	w_end(w, d, 41, 0, true);
	w_full(w, 42);
	l_runs(b);
	world_free(w);
}

/* X14 (L35 safe, measured on 22.05) */
static void safe_minutes(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_unbegun(v, "n[1-2]", LIMITS | ENFORCE_SAFE,
			                            "add qos m GrpTRESMins=cpu=9\nmodify account root set qos+=m\n");
			w->p->priority_decay_half_life = 0;
			w_begin(w, 0);
			struct job *a = w_job(w, 1, "ntasks", "4", "time", "1", "qos", "m", NULL);
			struct job *b = w_job(w, 1, "ntasks", "4", "time", "1", "qos", "m", NULL);
			w_full(w, 1);
			l_runs(a);
			l_runs(b);
			struct job *c = w_job(w, 2, "ntasks", "2", "time", "1", "qos", "m", NULL);
			w_full(w, 2);
			w_waits(c, REASON_QOS_GRP_CPU_MINS);
			w_end(w, a, 6, 0, true);
			w_full(w, 6);
			l_runs(c);
			world_free(w);
		}
}

/* L8: LimitFactor multiplies GrpTRES and MaxTRES of associations */
static void limit_factor(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w =
			    l_world(v, "n[1-4]", LIMITS,
			            "modify account acct set GrpTRES=cpu=10 MaxTRES=cpu=5\nadd qos f LimitFactor=1.5\n"
			            "modify account root set qos+=f\n");
			struct job *plain = w_job(w, 10, "ntasks", "6", NULL),
			           *f = w_job(w, 10, "ntasks", "7", "qos", "f", NULL);
			struct job *more = w_job(w, 10, "ntasks", "8", "qos", "f", NULL),
			           *last = w_job(w, 10, "ntasks", "7", "qos", "f", NULL);
			w_full(w, 10);
			w_waits(plain, REASON_ASSOC_MAX_CPU_PJ);
			l_runs(f); /* 7 = trunc(7.5) */
			w_waits(more, REASON_ASSOC_MAX_CPU_PJ);
			l_runs(last); /* 14 of 15 */
			world_free(w);
		}
}

/* L9: percentages of the cluster, or of the partition for its own QOS (23.11+) */
static void relative_qos(void **state)
{
	struct world *w = l_unbegun(SLURM_26, "n[1-4]", LIMITS,
	                            "add qos r GrpTRES=cpu=25 Flags=Relative\nadd qos rp GrpTRES=cpu=50 "
	                            "Flags=Relative\nmodify account root set qos+=r\n");
	(void)state;
	w_part(w, "half", "n[1-2]")->qos_name = g_strdup("rp");
	w_begin(w, 0);
	assert_int_equal(l_qos(w, "r")->limits.grp_tres[TRES_CPU], 8);
	assert_int_equal(l_qos(w, "rp")->limits.grp_tres[TRES_CPU], 8);
	struct job *a = w_job(w, 10, "ntasks", "8", "qos", "r", NULL),
	           *b = w_job(w, 10, "ntasks", "1", "qos", "r", NULL);
	w_full(w, 10);
	l_runs(a);
	w_waits(b, REASON_QOS_GRP_CPU);
	world_free(w);
}

/* L39: a job below MinPrioThreshold does not block */
static void min_priority(void **state)
{
	(void)state;
	for (int low = 0; low < 2; low++) {
		struct world *w =
		    l_world(SLURM_26, "n[1-2]", LIMITS, "add qos t MinPrioThresh=50\nmodify account root set qos+=t\n");
		w_run(w, 5, "n1", 60);
		struct job *a = w_job(w, 10, "nodes", "2", "qos", "t", "priority", low ? "49" : "50", NULL);
		struct job *b = w_job(w, 10, "priority", "10", NULL);
		w_full(w, 10);
		w_waits(a, REASON_RESOURCES);
		assert_int_equal(b->state, low ? JOB_RUNNING : JOB_PENDING);
		world_free(w);
	}
}

/* L20: a job for several partitions counts once in every distinct partition QOS until it starts */
static void submit_counts(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_unbegun(v, "n[1-2]", LIMITS, "add qos a\nadd qos b MaxSubmitPU=2\n");
			((struct partition *)w->cl->partitions->pdata[0])->qos_name = g_strdup("a");
			w_part(w, "q", "n[1-2]")->qos_name = g_strdup("b");
			w_begin(w, 0);
			struct job *j = w_job(w, 1, "partition", "p,q", NULL),
			           *k = w_job(w, 1, "partition", "p,q", NULL);
			assert_int_equal(l_qos(w, "a")->use.submit, 2);
			assert_int_equal(l_qos(w, "b")->use.submit, 2);
			assert_int_equal(l_qos(w, "normal")->use.submit, 2);
			w_refused(w, 2, "QOSMaxSubmitJobPerUserLimit", "partition", "p,q", NULL);
			w_full(w, 2);
			l_runs(j);
			const char *mine = j->part->qos->name;
			assert_int_equal(l_qos(w, "a")->use.submit, strcmp(mine, "a") == 0 ? 2 : 0);
			assert_int_equal(l_qos(w, "b")->use.submit, strcmp(mine, "b") == 0 ? 2 : 0);
			w_end(w, j, 3, 0, true);
			w_end(w, k, 3, 0, true);
			for (int i = 0; i < 2; i++)
				assert_int_equal(l_qos(w, i ? "a" : "b")->use.submit, 0);
			assert_int_equal(l_acct(w)->use.submit, 0);
			world_free(w);
		}
}

/* L22: a new time limit of a running job changes what it may still use */
static void changed_limit(void **state)
{
	struct world *w = l_world(SLURM_26, "n1", LIMITS, NULL);
	(void)state;
	struct job *j = w_job(w, 10, "ntasks", "4", "time", "10", NULL);
	w_full(w, 10);
	assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 2400);
	assert_true(controller_update_job(w->c, j, "timelimit", "20", 11 * USEC, NULL));
	assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 4800);
	assert_true(controller_update_job(w->c, j, "timelimit", "5", 12 * USEC, NULL));
	assert_int_equal(RUN_SECS(l_acct(w), TRES_CPU), 1200);
	world_free(w);
}

/* L1: without "limits" nothing is counted or tested */
static void not_enforced(void **state)
{
	struct world *w = l_world(SLURM_26, "n1", ENFORCE_ASSOC, "modify account acct set GrpJobs=0 GrpTRES=cpu=1\n");
	(void)state;
	struct job *j = w_job(w, 10, "ntasks", "4", NULL);
	w_full(w, 10);
	l_runs(j);
	assert_int_equal(l_acct(w)->use.jobs, 0);
	assert_int_equal(l_acct(w)->use.submit, 0);
	world_free(w);
}

/* N24: with a limit of nodes those that the account holds already come first. */
static void held_nodes_first(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int limited = 0; limited < 2; limited++) {
			struct world *w = l_world(v, "n[1-4]", LIMITS, limited ? "modify account acct set grptres=node=3\n" : NULL);
			struct job *a = w_job(w, 10, "nodelist", "n3", "nodes", "1", "ntasks", "1", NULL);
			w_full(w, 10);
			w_runs_on(w, a, 10, "n3");
			struct job *b = w_job(w, 11, "nodes", "2", "ntasks", "2", NULL);
			w_full(w, 11);
			w_runs_on(w, b, 11, limited ? "n[3-4]" : "n[1-2]");
			world_free(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(held_nodes_first),
	    cmocka_unit_test(run_minutes),         cmocka_unit_test(past_minutes),
	    cmocka_unit_test(which_qos),           cmocka_unit_test(deny_on_limit),
	    cmocka_unit_test(derived_limit),       cmocka_unit_test(derived_not_strict),
	    cmocka_unit_test(factor_truncates),    cmocka_unit_test(distinct_nodes),
	    cmocka_unit_test(job_counts),          cmocka_unit_test(accrue),
	    cmocka_unit_test(accrue_array),        cmocka_unit_test(node_cap),
	    cmocka_unit_test(enforce_part_limits), cmocka_unit_test(ends_running),
	    cmocka_unit_test(ends_running_group),  cmocka_unit_test(factor_not_safe),
	    cmocka_unit_test(safe_minutes),        cmocka_unit_test(limit_factor),
	    cmocka_unit_test(relative_qos),        cmocka_unit_test(min_priority),
	    cmocka_unit_test(submit_counts),       cmocka_unit_test(changed_limit),
	    cmocka_unit_test(not_enforced),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
