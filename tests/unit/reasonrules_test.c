/*
 * reasonrules_test.c - rules of reasons.md that the worked examples leave out: who sets and clears a reason and which one
 * wins (R11-R22), how it is printed (R40-R43), states and what leads from one to the other (R50-R53).
 */
#include "limits_helper.h"
#include "sched/reservation.h"
#include "tools/squeue_out.h"
#include <stdio.h>

/* R11.6, R22: a job of priority 0 is held whatever its reason was; the sticky ones stay. */
static void zero_is_held(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_world(v, "n1", LIMITS, NULL);
		struct job *j = w_job(w, 1, NULL), *k = w_job(w, 1, "hold", "", NULL);
		assert_true(controller_update_job(w->c, j, "priority", "0", 2 * USEC, NULL));
		w_full(w, 3);
		w_waits(j, REASON_HELD_ADMIN);
		w_waits(k, REASON_HELD_USER);
		assert_int_equal(k->priority, 0);
		world_free(w);
	}
}

/* R11.7: released behind a dependency. R12: the dependency goes before the throttle, that before the begin time. */
static void eligibility(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_world(v, "n1", LIMITS, NULL);
		struct job *a = w_job(w, 1, NULL);
		struct job *j = w_job(w, 1, "dependency", "afterany:1", "begin", "500", "hold", "", NULL);
		w_full(w, 2);
		w_waits(j, REASON_HELD_USER); /* sticky */
		assert_true(controller_release(w->c, j, NULL, 3 * USEC, NULL));
		w_full(w, 4);
		w_waits(j, REASON_DEPENDENCY);
		w_end(w, a, 5, 0, true);
		w_full(w, 6);
		w_waits(j, REASON_BEGIN_TIME);
		w_full(w, 501);
		l_runs(j);
		world_free(w);
	}
}

/* R15, R16: what closes the partition for those behind: busy nodes; not: a limit, licences, nodes asked for by name. */
static void who_blocks(void **state)
{
	static const struct { const char *key, *value; enum reason why; bool blocks; } rows[] = {
	    {"nodes", "2", REASON_RESOURCES, true},
	    {"qos", "q", REASON_QOS_MAX_JOBS_PU, false},
	    {"licenses", "mat:1", REASON_LICENSES, false},
	    {"nodelist", "n1", REASON_RESOURCES, false},
	};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
			struct world *w = l_unbegun(v, "n[1-2]", LIMITS, "add qos q MaxJobsPerUser=1\nmodify account root set qos+=q\n");
			struct license *mat = g_new0(struct license, 1);
			*mat = (struct license){g_strdup("mat"), 1, 0};
			g_ptr_array_add(w->cl->licenses, mat);
			w_begin(w, 0);
			struct job *first = w_job(w, 1, "nodelist", "n1", "exclusive", "", "qos", "q", "licenses", "mat:1", NULL);
			w_full(w, 1);
			l_runs(first);
			struct job *j = w_job(w, 2, rows[i].key, rows[i].value, "priority", "1000", NULL), *behind = w_job(w, 2, NULL);
			w_full(w, 3);
			w_waits(j, rows[i].why);
			if (rows[i].blocks)
				w_waits(behind, REASON_PRIORITY);
			else
				l_runs(behind);
			world_free(w);
		}
}

/* R17: a plan leaves the reason alone, and backfill lets a limit reason go when the limit has gone. */
static void backfill(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_world(v, "n1", LIMITS, "modify user u1 set MaxJobs=1\n");
		struct job *a = w_job(w, 1, "ntasks", "8", "time", "10", NULL);
		w_full(w, 1);
		l_runs(a);
		struct job *limited = w_job(w, 2, "ntasks", "8", NULL), *other = w_job(w, 2, "user", "u3", "ntasks", "8", "time", "10", NULL),
		           *behind = w_job(w, 2, "user", "u3", "ntasks", "8", "time", "10", NULL);
		w_full(w, 3);
		w_waits(limited, REASON_ASSOC_MAX_JOBS);
		w_waits(other, REASON_RESOURCES);
		w_backfill(w, 4);
		assert_true(other->est_start > 0 && behind->est_start > 0);
		w_waits(other, REASON_RESOURCES);
		w_waits(behind, REASON_PRIORITY);
		world_free(w);
	}
}

/* R13, R19: PartitionTimeLimit of one partition goes when the next lets the job in. */
static void of_two_partitions(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_unbegun(v, "n[1-2]", LIMITS, NULL);
		struct partition *quick = w_part(w, "quick", "n1"), *slow = w_part(w, "slow", "n2");
		quick->max_time = 10;
		quick->priority_tier = 2;
		slow->max_time = 100;
		w_begin(w, 0);
		struct job *a = w_run(w, 1, "n[1-2]", 60), *j = w_job(w, 2, "partition", "quick,slow", "time", "20", NULL);
		w_full(w, 3);
		w_waits(j, REASON_RESOURCES);
		w_end(w, a, 4, 0, true);
		w_full(w, 4);
		w_runs_on(w, j, 4, "n2");
		world_free(w);
	}
}

/* R10: a limit met in the trial at submission (L30) does not take the place of a hold. */
static void held_with_limit(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_world(v, "n1", LIMITS, "modify user u1 set MaxJobs=1\n");
		w_job(w, 1, NULL);
		w_full(w, 1);
		struct job *j = w_job(w, 2, "hold", "", NULL);
		w_waits(j, REASON_HELD_USER);
		assert_int_equal(j->blocker.kind, BLOCKER_HOLD);
		world_free(w);
	}
}

/* R20: of all that stands in the way at once the first of the list is shown; each goes in its turn. */
static void which_wins(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_unbegun(v, "n[1-2]", LIMITS, "add qos q MaxJobsPerUser=1 GrpTRES=cpu=9\nmodify account root set qos+=q\n");
		struct partition *p = w->cl->partitions->pdata[0];
		struct license *mat = g_new0(struct license, 1);
		*mat = (struct license){g_strdup("mat"), 1, 0};
		g_ptr_array_add(w->cl->licenses, mat);
		w_begin(w, 0);
		struct job *a = w_job(w, 1, "qos", "q", "licenses", "mat:1", "ntasks", "8", "nodes", "1", NULL),
			   *full = w_job(w, 1, "nodelist", "n2", "exclusive", "", NULL);
		w_full(w, 1);
		l_runs(a);
		l_runs(full);
		struct job *j = w_job(w, 2, "qos", "q", "licenses", "mat:1", "ntasks", "8", "nodes", "1", "time", "20", "begin", "10", "hold", "",
				      "dependency", "after:1+1", NULL);
		w_full(w, 3);
		w_waits(j, REASON_HELD_USER);
		assert_true(controller_release(w->c, j, NULL, 4 * USEC, NULL));
		w_full(w, 5);
		w_waits(j, REASON_DEPENDENCY);
		w_full(w, 61);
		p->max_time = 10;
		ctl_touch(w->c);
		w_full(w, 102);
		w_waits(j, REASON_PARTITION_TIME_LIMIT);
		p->max_time = INFINITE;
		ctl_touch(w->c);
		w_full(w, 103);
		w_waits(j, v == SLURM_22_05 && j->reason == REASON_LICENSES ? REASON_LICENSES : REASON_QOS_MAX_JOBS_PU);
		l_qos(w, "q")->limits.max_jobs_pu = INFINITE;
		ctl_touch(w->c);
		w_full(w, 104);
		w_waits(j, v == SLURM_22_05 ? REASON_LICENSES : REASON_QOS_GRP_CPU); /* L90: licences are looked at before */
		l_qos(w, "q")->limits.grp_tres[TRES_CPU] = NO_VAL64;
		ctl_touch(w->c);
		w_full(w, 105);
		w_waits(j, REASON_LICENSES);
		world_free(w);
	}
}

/* R21: owners release their own hold only; any update that makes the job fit again clears the reason, and holds stay. */
static void by_command(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_unbegun(v, "n1", LIMITS, NULL);
		((struct partition *)w->cl->partitions->pdata[0])->max_time = 30;
		w_begin(w, 0);
		struct job *j = w_job(w, 1, "time", "40", NULL), *held = w_job(w, 1, NULL);
		assert_true(controller_hold(w->c, held, false, USEC, NULL));
		w_full(w, 2);
		w_waits(j, REASON_PARTITION_TIME_LIMIT);
		assert_true(controller_update_job(w->c, j, "timelimit", "20", 3 * USEC, NULL));
		w_waits(j, REASON_NONE);
		assert_true(controller_update_job(w->c, held, "timelimit", "20", 3 * USEC, NULL));
		w_waits(held, REASON_HELD_ADMIN);
		assert_false(controller_release(w->c, held, "u1", 3 * USEC, NULL));
		assert_true(controller_hold(w->c, held, true, 4 * USEC, NULL));
		assert_true(controller_release(w->c, held, "u1", 4 * USEC, NULL));
		w_waits(held, REASON_NONE);
		world_free(w);
	}
}

/* R30: the spelling of names that do not follow the others. */
static void names(void **state)
{
	static const struct { enum reason r; const char *name; } rows[] = {
	    {REASON_ASSOC_GRP_CPU, "AssocGrpCpuLimit"}, {REASON_ASSOC_GRP_CPU_MINS, "AssocGrpCPUMinutesLimit"},
	    {REASON_ASSOC_GRP_MEM_MINS, "AssocGrpMemMinutes"}, {REASON_QOS_GRP_MEM_MINS, "QOSGrpMemoryMinutes"},
	    {REASON_ASSOC_GRP_CPU_RUN_MINS, "AssocGrpCPURunMinutesLimit"}, {REASON_ASSOC_MAX_MEM_PJ, "AssocMaxMemPerJob"},
	    {REASON_QOS_MAX_MEM_PJ, "QOSMaxMemoryPerJob"}, {REASON_QOS_MAX_CPU_PA, "MaxCpuPerAccount"},
	    {REASON_QOS_MIN_CPU, "QOSMinCpuNotSatisfied"}, {REASON_QOS_MIN_NODE, "QOSMinNode"},
	    {REASON_QOS_MAX_CPU_RUN_MINS_PU, "MaxCpuRunMinsPerUser"}, {REASON_QOS_MAX_UNKNOWN_PN, "QOSMaxUnknownPerNode"},
	    {REASON_QOS_MAX_BB_MINS_PJ, "AssocMaxBBMinutesPerJob"}, {REASON_DEADLINE, "DeadLine"},
	    {REASON_QOS_MAX_SUBMIT_PU, "QOSMaxSubmitJobPerUserLimit"}, {REASON_QOS_MAX_SUBMIT_PA, "MaxSubmitJobsPerAccount"}};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_string_equal(reason_name(rows[i].r), rows[i].name);
}

/* R50, R51: base states and what is shown in their place. */
static void states(void **state)
{
	static const char *const compact[] = {"PD", "R", "S", "CD", "CA", "F", "TO", "NF", "PR", "BF", "DL", "OOM"};
	(void)state;
	for (unsigned s = JOB_PENDING; s <= JOB_OOM; s++)
		assert_string_equal(job_state_compact((enum job_state)s, 0), compact[s]);
	assert_string_equal(job_state_compact(JOB_FAILED, JOB_COMPLETING), "CG");
	assert_string_equal(job_state_compact(JOB_RUNNING, JOB_CONFIGURING), "CF");
	assert_string_equal(job_state_compact(JOB_RUNNING, JOB_CONFIGURING | JOB_COMPLETING), "CG");
	assert_string_equal(job_state_name(JOB_OOM), "OUT_OF_MEMORY");
}

/* R52, R53: what becomes of jobs, and what a requeue sets anew. */
static void transitions(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_world(v, "n[1-4]", LIMITS, NULL);
		w->p->requeue_delay = 10;
		struct job *a = w_job(w, 1, "nodes", "1", NULL), *b = w_job(w, 1, "nodes", "1", NULL), *c = w_job(w, 1, "hold", "", NULL);
		w_full(w, 1);
		assert_true(controller_cancel(w->c, c, 2 * USEC, NULL));
		assert_int_equal(c->state, JOB_CANCELLED);
		assert_int_equal(c->end, 2);
		assert_int_equal(c->reason, REASON_HELD_USER); /* keeps its last pending reason */
		assert_true(controller_cancel(w->c, b, 3 * USEC, NULL));
		assert_string_equal(job_state_compact(b->state, b->flags), "CG");
		assert_int_equal(b->reason, REASON_NONE);
		assert_true(controller_requeue(w->c, a, false, 4 * USEC, NULL));
		assert_int_equal(a->state, JOB_PENDING);
		assert_true(a->flags & JOB_COMPLETING);
		controller_epilog_done(w->c, a, UINT32_MAX, true, 5 * USEC);
		assert_false(a->flags & JOB_COMPLETING);
		assert_int_equal(a->submit, 5);
		assert_int_equal(a->eligible, 5 + 10 + 1);
		assert_true(a->start == 0 && a->end == 0 && a->run == 1 && a->time_limit == NO_VAL);
		w_waits(a, REASON_NONE);
		w_full(w, 6);
		w_waits(a, REASON_BEGIN_TIME);
		w_full(w, 16);
		l_runs(a);
		world_free(w);
	}
}

/* What squeue prints: R41 NODELIST(REASON), R42 waiting tasks of one array in one line, R43 the columns. */
static void shows(struct world *w, sec_t t, const char *format, const char *want)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const struct squeue_options o = {.format = format, .no_header = format != NULL, .states = "all"};
	assert_true(squeue_check(&o, NULL));
	squeue_print(out, w->c, t, &o);
	fclose(out);
	if (format)
		assert_string_equal(text, want);
	else if (!g_str_has_prefix(text, want))
		fail_msg("%s", text);
	free(text);
}

static void printed(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_world(v, "n1", LIMITS, "modify account acct set GrpTRES=cpu=1\n");
		struct job *ran = w_job(w, 1, "user", "u3", NULL), *never = w_job(w, 1, "user", "u3", "hold", "", NULL);
		w_job(w, 1, "array", "0-2", "ntasks", "2", NULL);
		w_full(w, 2);
		w_end(w, ran, 3, 3, false);
		shows(w, 3, "%i %t %R", "1 CG n1\n3_[0-2] PD (AssocGrpCpuLimit)\n2 PD (JobHeldUser)\n");
		controller_epilog_done(w->c, ran, UINT32_MAX, true, 4 * USEC);
		assert_true(controller_cancel(w->c, never, 5 * USEC, NULL));
		shows(w, 5, "%i %t %r %R", "2 CA JobHeldUser \n1 F NonZeroExitCode (NonZeroExitCode)\n3_[0-2] PD AssocGrpCpuLimit (AssocGrpCpuLimit)\n");
		struct job *head = controller_find_task(w->c, 3, 1), *task = controller_split_task(w->c, head, 0, 6 * USEC);
		assert_true(controller_hold_record(w->c, task, false, 6 * USEC, NULL));
		shows(w, 6, "%i %K %R", "2 N/A \n1 N/A (NonZeroExitCode)\n3_[0-2] 0-2 (AssocGrpCpuLimit,JobHeldAdmin)\n");
		shows(w, 6, NULL, "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n");
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(zero_is_held), cmocka_unit_test(eligibility), cmocka_unit_test(who_blocks), cmocka_unit_test(backfill),
	    cmocka_unit_test(of_two_partitions), cmocka_unit_test(held_with_limit), cmocka_unit_test(which_wins), cmocka_unit_test(by_command), cmocka_unit_test(names),
	    cmocka_unit_test(states), cmocka_unit_test(transitions), cmocka_unit_test(printed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
