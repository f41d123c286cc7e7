/*
 * reasonflow_test.c - the worked examples Y1 to Y12 of spec reasons.md section 7: which reason comes after which.
 * Y13 needs licences; Y10's column is squeue's (commands_test.c), here are the states and reasons behind it.
 */
#include "limits_helper.h"

#define T1 "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions"

/* Y1. The first reasons are those of jobs that share nodes; J1 leaves its nodes open, so nothing is "busy" at
 * submission. */
static void example_y1(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = w_simple(v, "n[1-4]", 4);
			w_begin(w, 0);
			struct job *j1 = w_job(w, 1, "nodes", "4", "ntasks", "16", "time", "60", NULL);
			w_full(w, 1);
			w_runs_on(w, j1, 1, "n[1-4]");
			struct job *j2 = w_job(w, 2, "nodes", "4", "ntasks", "16", NULL);
			struct job *j3 = w_job(w, 3, "nodes", "1", "ntasks", "4", NULL),
			           *j4 = w_job(w, 4, "nodes", "1", "ntasks", "4", NULL);
			w_waits(j2, REASON_NONE);
			/* recorded (mixed-hour, j08): in 22.05 a job of the same priority is not ahead of the new one (S5) */
			enum reason first = v == SLURM_22_05 ? REASON_NONE : REASON_PRIORITY;
			w_waits(j3, first);
			w_waits(j4, first);
			assert_int_equal(j4->blocker.job, first == REASON_NONE ? 0 : j2->id);
			w_full(w, 5);
			w_waits(j2, REASON_RESOURCES);
			w_waits(j3, REASON_PRIORITY);
			w_waits(j4, REASON_PRIORITY);
			w_end(w, j1, 10, 0, true);
			w_full(w, 10);
			w_runs_on(w, j2, 10, "n[1-4]");
			w_waits(j3, REASON_RESOURCES);
			w_waits(j4, REASON_PRIORITY);
			assert_int_equal(j4->blocker.job, j3->id);
			world_free(w);
		}
}

/* Y2: a limit does not block; a limit reason is kept while the partition is blocked */
static void example_y2(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_world(v, "n[1-4]", LIMITS, "modify user u1 set MaxJobs=1\n");
			struct job *j1 = w_job(w, 1, "nodes", "4", "ntasks", "32", "time", "60", NULL);
			w_full(w, 1);
			l_runs(j1);
			struct job *j2 = w_job(w, 2, "nodes", "4", "ntasks", "32", "priority", "50", NULL);
			struct job *j3 = w_job(w, 3, "user", "u2", "nodes", "1", "ntasks", "8", "priority", "40", NULL);
			struct job *j4 = w_job(w, 4, "user", "u2", "nodes", "1", "ntasks", "8", "priority", "30", NULL);
			w_full(w, 5);
			w_waits(j2, REASON_ASSOC_MAX_JOBS);
			w_waits(j3, REASON_RESOURCES);
			w_waits(j4, REASON_PRIORITY);
			w_job(w, 6, "user", "u2", "nodes", "4", "priority", "90", "ntasks", "32", NULL);
			w_full(w, 7);
			w_waits(j2, REASON_ASSOC_MAX_JOBS);
			w_waits(j3, REASON_PRIORITY);
			world_free(w);
		}
}

/* Y3: drained is not down */
static void example_y3(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = w_simple(v, "n[1-4]", 4);
			w_begin(w, 0);
			assert_true(controller_update_node(w->c, "n4", "DRAIN", "test", 1 * USEC, NULL));
			struct job *all = w_job(w, 2, "nodes", "4", NULL);
			w_full(w, 3);
			w_waits(all, REASON_RESOURCES);
			assert_string_equal(all->reason_text, T1);
			g_autofree char *detail = blocker_detail(&all->blocker, all, w->c);
			assert_string_equal(detail, "available 3 of 4, wanted 4; drained: n4");
			struct job *one = w_job(w, 4, "nodes", "1", NULL);
			w_full(w, 4);
			w_waits(one, REASON_PRIORITY);
			assert_true(controller_cancel(w->c, all, 5 * USEC, NULL));
			struct job *n4 = w_job(w, 6, "nodes", "1", "nodelist", "n4", "priority", "999999", NULL);
			w_full(w, 6);
			w_waits(n4, REASON_REQ_NODE_NOT_AVAIL);
			assert_string_equal(n4->reason_text, v == SLURM_22_05
			                                         ? "ReqNodeNotAvail, UnavailableNodes:n4"
			                                         : "ReqNodeNotAvail, May be reserved for other job");
			w_runs_on(w, one, 6, "n1"); /* other jobs go on */
			assert_true(controller_update_node(w->c, "n4", "DOWN", "test", 7 * USEC, NULL));
			w_full(w, 8);
			if (v !=
			    SLURM_22_05) /* S26: skipped while its nodes are unavailable, so the old text is kept */
				w_waits(n4, REASON_REQ_NODE_NOT_AVAIL);
			world_free(w);
		}
}

/* Y4 */
static void example_y4(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = w_simple(v, "n[1-4]", 4);
			((struct partition *)w->cl->partitions->pdata[0])->max_time = 60;
			w_begin(w, 0);
			struct job *lengthy = w_job(w, 1, "time", "61", NULL), *wide = w_job(w, 1, "nodes", "8", NULL);
			w_waits(wide, REASON_PARTITION_CONFIG);
			w_waits(lengthy, v == SLURM_22_05 ? REASON_PARTITION_CONFIG : REASON_NONE);
			w_full(w, 2);
			w_waits(wide, REASON_PARTITION_NODE_LIMIT);
			w_waits(lengthy, REASON_PARTITION_TIME_LIMIT);
			assert_int_equal(lengthy->blocker.value, 60);
			assert_int_equal(lengthy->blocker.request, 61);
			assert_true(controller_update_partition(w->c, "p", "maxtime", "90", 3 * USEC, NULL));
			w_full(w, 3);
			assert_int_equal(lengthy->state, JOB_RUNNING);
			world_free(w);
		}
}

/* Y5: one reason for all partitions of a job */
static void example_y5(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
	for (int alone = 0; alone < 2; alone++) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-2]", 1, 4, 1);
		w_part(w, "p1", "n1")->priority_tier = 10;
		w_part(w, "p2", "n2");
		w->p->priority_type = PRIORITY_BASIC;
		w_begin(w, 0);
		w_job(w, 1, "partition", "p1", "ntasks", "4", NULL);
		w_job(w, 1, "partition", "p2", "ntasks", "4", NULL);
		w_full(w, 1);
		struct job *k = alone ? NULL : w_job(w, 2, "partition", "p2", "ntasks", "4", NULL);
		struct job *m = w_job(w, 3, "partition", "p1,p2", "ntasks", "4", NULL);
		w_full(w, 4);
		w_waits(m, alone ? REASON_RESOURCES : REASON_PRIORITY);
		if (k)
			w_waits(k, REASON_RESOURCES);
		world_free(w);
	}
}

/* Y6: holds */
static void example_y6(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_world(v, "n1", LIMITS, NULL);
			struct job *j = w_job(w, 1, NULL);
			assert_true(controller_hold(w->c, j, false, 2 * USEC, NULL));
			w_waits(j, REASON_HELD_ADMIN);
			assert_false(controller_release(w->c, j, "u1", 3 * USEC, NULL));
			assert_true(controller_hold(w->c, j, true, 4 * USEC, NULL));
			w_waits(j, REASON_HELD_USER);
			assert_true(controller_release(w->c, j, "u1", 50 * USEC, NULL));
			w_waits(j, REASON_NONE);
			assert_true(j->priority > 0);
			w_full(w, 60);
			assert_int_equal(j->eligible, 60); /* the next queue build */
			world_free(w);
		}
}

/* Y7 */
static void example_y7(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = w_simple(v, "n1", 4);
			w_begin(w, 0);
			w_job(w, 1, "ntasks", "4", "time", "600", NULL);
			w_full(w, 1);
			struct job *j = w_job(w, 2, "begin", "3602", "ntasks", "4", NULL);
			w_waits(j, REASON_BEGIN_TIME);
			w_full(w, 3601);
			w_waits(j, REASON_BEGIN_TIME);
			w_full(w, 3602);
			w_waits(j, REASON_RESOURCES);
			world_free(w);
		}
}

/* Y8 */
static void example_y8(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = w_simple(v, "n1", 4);
			w_begin(w, 0);
			struct job *j = w_job(w, 1, NULL);
			w_full(w, 1);
			struct job *stays = w_job(w, 2, "dependency", "afterok:1", NULL);
			struct job *dies = w_job(w, 2, "dependency", "afterok:1", "kill-on-invalid-dep", "yes", NULL);
			w_end(w, j, 3, 1, true);
			w_full(w, 4);
			w_waits(stays, REASON_DEPENDENCY_NEVER);
			assert_int_equal(dies->state, JOB_CANCELLED);
			w_full(w, 9999);
			w_waits(stays, REASON_DEPENDENCY_NEVER);
			world_free(w);
		}
}

/* Y9: the limit replaces the resource reason, and nothing is blocked */
static void example_y9(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_world(v, "n[1-2]", LIMITS, "modify account acct set GrpTRES=node=2\n");
			struct job *first = w_job(w, 1, "nodes", "2", "ntasks", "16", NULL);
			w_full(w, 1);
			l_runs(first);
			struct job *limit = w_job(w, 2, "nodes", "1", NULL), *other = w_job(w, 2, "user", "u3", NULL);
			w_full(w, 3);
			w_waits(limit, REASON_ASSOC_GRP_NODE);
			w_waits(other, REASON_RESOURCES); /* not Priority: it was tried */
			world_free(w);
		}
}

/* Y10: what is left behind at the end */
static void example_y10(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = w_simple(v, "n1", 4);
			w_begin(w, 0);
			struct job *j = w_job(w, 1, NULL), *k = w_job(w, 1, NULL);
			w_full(w, 1);
			w_end(w, j, 5, 3, false);
			assert_string_equal(job_state_compact(j->state, j->flags), "CG");
			controller_epilog_done(w->c, j, UINT32_MAX, true, 6 * USEC);
			assert_string_equal(job_state_compact(j->state, j->flags), "F");
			assert_int_equal(j->reason, REASON_NON_ZERO_EXIT);
			assert_true(controller_cancel(w->c, k, 7 * USEC, NULL));
			assert_int_equal(k->state, JOB_CANCELLED);
			assert_int_equal(k->reason, REASON_NONE);
			world_free(w);
		}
}

/* Y11 */
static void example_y11(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
	for (int blocked = 0; blocked < 2; blocked++) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 0);
		struct job *head = w_job(w, 1, "array", "1-4%1", "ntasks", "4", NULL);
		w_full(w, 1);
		w_full(w, 2);
		w_waits(head, REASON_ARRAY_TASK_LIMIT);
		struct job *busy = w_job(w, 3, "ntasks", "4", "priority", "4000000000", "time", "60", NULL);
		w_end(w, controller_find_task(w->c, head->array->job_id, 1), 4, 0, true);
		w_full(w, 4);
		assert_int_equal(busy->state, JOB_RUNNING);
		if (!blocked) {
			w_waits(head, REASON_RESOURCES);
		} else {
			job_set_reason(w->c, head, REASON_ARRAY_TASK_LIMIT, NULL);
			w_job(w, 5, "ntasks", "4", "priority", "3000000000", NULL);
			w_full(w, 6);
			w_waits(head, REASON_ARRAY_TASK_LIMIT);
		}
		world_free(w);
	}
}

/* Y12 (R14.10, measured on 26.11) */
static void example_y12(void **state)
{
	struct world *w = w_simple(SLURM_26, "n0[1-6]", 8);
	(void)state;
	w->p->requeue_delay = 10;
	w_begin(w, 0);
	struct job *busy = w_job(w, 1, "nodes", "3", "ntasks", "24", "nodelist", "n02,n03,n05", "time", "60",
	                         "priority", "4000000000", NULL);
	w_full(w, 1);
	w_runs_on(w, busy, 1, "n[02-03,05]");
	assert_true(controller_update_node(w->c, "n04", "DOWN", "t", 2 * USEC, NULL));
	assert_true(controller_update_node(w->c, "n06", "DRAIN", "t", 2 * USEC, NULL));
	cluster_find_node(w->cl, "n01")->flags |= NODE_NOT_RESPONDING;
	ctl_refresh_up(w->c);
	struct job *j = w_job(w, 3, "nodes", "3", "ntasks", "24", NULL);
	w_full(w, 4);
	w_waits(j, REASON_RESOURCES);
	assert_null(j->reason_text);
	assert_true(controller_update_node(w->c, "n05", "DOWN", "t", 40 * USEC, NULL));
	w_full(w, 41);
	w_waits(j, REASON_RESOURCES);
	assert_string_equal(j->reason_text, T1);
	cluster_find_node(w->cl, "n01")->flags &= ~(unsigned)NODE_NOT_RESPONDING;
	ctl_refresh_up(w->c);
	ctl_touch(w->c);
	struct job *again = w_run(w, 42, "n01", 60); /* keeps n01 busy */
	w_full(w, 43);
	w_waits(j, REASON_RESOURCES);
	assert_null(j->reason_text);
	assert_int_equal(again->state, JOB_RUNNING);
	world_free(w);
}

/* R18: a task of the same array as the last rejected one gets that one's reason, and what stands behind it */
static void r18(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = l_world(v, "n1", LIMITS, "modify account acct set GrpTRES=cpu=1\n");
			struct job *head = w_job(w, 1, "array", "0-3", "ntasks", "2", NULL);
			struct job *task = controller_split_task(w->c, head, 0, 2 * USEC);
			w_full(w, 3);
			w_waits(head, REASON_ASSOC_GRP_CPU);
			w_waits(task, REASON_ASSOC_GRP_CPU);
			assert_string_equal(task->blocker.what, "GrpTRES");
			assert_string_equal(head->blocker.what, "GrpTRES");
			world_free(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(example_y1),  cmocka_unit_test(example_y2),  cmocka_unit_test(example_y3),
	    cmocka_unit_test(example_y4),  cmocka_unit_test(example_y5),  cmocka_unit_test(example_y6),
	    cmocka_unit_test(example_y7),  cmocka_unit_test(example_y8),  cmocka_unit_test(example_y9),
	    cmocka_unit_test(example_y10), cmocka_unit_test(example_y11), cmocka_unit_test(example_y12),
	    cmocka_unit_test(r18),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
