/* backfill_rules_test.c - rules of spec backfill.md beyond its examples and parameters (backfill_test.c): when a cycle comes, who is tried, what a plan holds. */
#include "sched_helper.h"

/* B1-B3: the thread looks every second once bf_interval is over, and runs when something changed */
static void trigger(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w->naive = true;
		w_begin(w, 0);
		w_job(w, 5, "time", "10", NULL);
		for (sec_t t = 6; t <= 100; t++)
			controller_backfill(w->c, t * USEC);
		/* at 30 the job starts: a change in that second (B2: >=), so a cycle at 60; it finds nothing and
		 * changes nothing */
		assert_string_equal(w->starts->str, "1@30");
		assert_string_equal(w->passes->str, "backfill@30:end of queue backfill@60:no jobs");
		w_clear(w);
		w_job(w, 101, "time", "10", NULL);
		for (sec_t t = 101; t <= 110; t++)
			controller_backfill(w->c, t * USEC);
		assert_string_equal(w->starts->str, "2@101");
		world_free(w);
	}
}

static void interval_off(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w->p->bf_interval = -1;
	w_begin(w, 0);
	w_job(w, 5, "time", "10", NULL);
	for (sec_t t = 6; t <= 100; t++)
		controller_backfill(w->c, t * USEC);
	assert_string_equal(w->passes->str, "");
	assert_true(controller_next_backfill(w->c, 100 * USEC) == INT64_MAX);
	world_free(w);
}

/* B7: a job not reached has no estimate */
static void estimates_cleared(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_full_cluster(v);
		struct job *a = w_job(w, 100, "nodes", "4", "exclusive", "", "time", "10", NULL);
		w_backfill(w, 100);
		w_planned(w, a, 3600, "n[1-4]");
		w->p->bf_max_job_user = 1;
		struct job *b = w_job(w, 130, "nodes", "4", "exclusive", "", "time", "10", "priority", "10", NULL);
		w_backfill(w, 130);
		w_planned(w, b, 3600, "n[1-4]");
		assert_int_equal(a->est_start, 0);
		assert_null(a->sched_nodes);
		world_free(w);
	}
}

/* B45, B46: --time-min lets a job in before a plan; the limit becomes what fits, not below time_min. Recorded in time-min: 22.05 leaves it at time_min. */
static void time_min(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 4);
		w->p->bf_resolution = 1;
		w_begin(w, 0);
		w_run(w, 0, "n1", 60);
		struct job *big = w_job(w, 60, "nodes", "2", "exclusive", "", "time", "30", "priority", "10", NULL);
		struct job *no = w_job(w, 60, "nodes", "1", "ntasks", "4", "time", "120", "priority", "9", NULL);
		struct job *yes =
		    w_job(w, 60, "nodes", "1", "ntasks", "4", "time", "120", "time-min", "20", "priority", "8", NULL);
		w_backfill(w, 60);
		w_planned(w, big, 3600, "n[1-2]");
		assert_int_equal(no->state, JOB_PENDING);
		w_runs_on(w, yes, 60, "n2");
		uint32_t limit = v == SLURM_22_05 ? 20 : 59; /* (3600 - 60)/60 */
		assert_int_equal(yes->time_limit, limit);
		assert_int_equal(yes->end, 60 + limit * 60);
		world_free(w);
	}
}

/* B9: a whole-node job started in the cycle leaves the map until ceil(end); 22.05: floor(end) */
static void started_whole_node(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 4);
		w_begin(w, 0);
		struct job *j = w_job(w, 100, "nodelist", "n1", "exclusive", "", "time", "10", NULL);
		w_backfill(w, 100);
		w_runs_on(w, j, 100, "n1");
		if (v == SLURM_26)
			w_map_is(w, "[60,720) n2; [720,86460) n[1-2]");
		else
			w_map_is(w, "[60,660) n2; [660,86460) n[1-2]");
		world_free(w);
	}
}

/* B9: one that may be preempted does not (recorded: sdiag of preempt-qos-suspend) */
static void started_preemptable(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 4);
		w->p->preempt_type = PREEMPT_PARTITION;
		w->p->preempt_mode = PREEMPT_MODE_REQUEUE;
		w_begin(w, 0);
		struct job *j = w_job(w, 100, "nodelist", "n1", "exclusive", "", "time", "10", NULL);
		w_backfill(w, 100);
		w_runs_on(w, j, 100, "n1");
		w_map_is(w, "[60,86460) n[1-2]");
		world_free(w);
	}
}

/* B22.5: begin <= end_time is inclusive: a job that ends exactly where a plan begins may not use its nodes */
static void end_inclusive(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int shorter = 0; shorter < 2; shorter++) {
			struct world *w = w_simple(v, "n[1-2]", 4);
			w->p->bf_resolution = 1;
			w_begin(w, 0);
			w_run(w, 0, "n1", 60);
			w_job(w, 60, "nodes", "2", "exclusive", "", "time", "30", "priority", "10", NULL);
			struct job *j = w_job(w, 60, "nodes", "1", "ntasks", "4", "time", shorter ? "58" : "59", NULL);
			w_backfill(w, 60);
			assert_int_equal(j->state, shorter ? JOB_RUNNING : JOB_PENDING);
			world_free(w);
		}
}

/* B24: 26 moves on when an estimate overlaps the plan; the job ends up behind it. In both versions P2 is planned after
 * P1. */
static void behind_a_plan(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w->p->bf_resolution = 1;
		w_begin(w, 0);
		w_run(w, 0, "n1", 60);
		struct job *a = w_job(w, 60, "exclusive", "", "time", "30", NULL);
		struct job *b = w_job(w, 60, "exclusive", "", "time", "30", NULL);
		w_backfill(w, 60);
		w_planned(w, a, 3600, "n1");
		w_planned(w, b, 5400, "n1");
		world_free(w);
	}
}

/* B25: a chosen node whose epilog still runs makes the job start later: planned from now + 1 */
static void completing_node(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 0);
		struct job *x = w_run(w, 0, "n1", 60);
		w_end(w, x, 100, 0, false);
		struct job *j = w_job(w, 110, "ntasks", "4", "time", "10", NULL);
		w_backfill(w, 120);
		w_planned(w, j, 121, "n1");
		controller_epilog_done(w->c, x, UINT32_MAX, true, 130 * USEC);
		w_backfill(w, 150);
		w_runs_on(w, j, 150, "n1");
		world_free(w);
	}
}

/* B55: the main pass ignores the plan: a young job that blocks nobody loses its planned node */
static void main_ignores_plan(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-2]", 1, 4, 1);
		w_part(w, "p", "n[1-2]");
		w_part(w, "q", "n2");
		w->p->bf_min_prio_reserve = 0;
		w_begin(w, 0);
		w_run(w, 0, "n1", 60);
		struct job *a = w_job(w, 100, "nodes", "2", "exclusive", "", "time", "30", "priority", "5", NULL);
		struct job *b = w_job(w, 100, "partition", "q", "ntasks", "4", "time", "600", "priority", "4", NULL);
		w_backfill(w, 100);
		w_planned(w, a, 3600, "n[1-2]");
		assert_int_equal(b->state, JOB_PENDING);
		w->p->bf_min_prio_reserve = 6; /* a blocks nobody in the main pass (S31d) */
		w_full(w, 120);
		w_runs_on(w, b, 120, "n2");
		world_free(w);
	}
}

/* sched/builtin: no backfill thread (S38) */
static void builtin(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w->p->sched_type = SCHED_BUILTIN;
	w_begin(w, 0);
	w_job(w, 5, "time", "10", NULL);
	for (sec_t t = 6; t <= 100; t++)
		controller_backfill(w->c, t * USEC);
	assert_string_equal(w->passes->str, "");
	world_free(w);
}

/* B23: nodes that another user has for himself; of two the one that is free later is left out, the other is waited for. */
static void exclusive_users(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 4);
		w_begin(w, 0);
		struct job *a = w_job(w, 1, "nodelist", "n1", "nodes", "1", "exclusive", "user", "time", "10", "user", "u1", NULL);
		struct job *b = w_job(w, 1, "nodelist", "n2", "nodes", "1", "exclusive", "user", "time", "20", "user", "u1", NULL);
		w_full(w, 1);
		w_runs_on(w, a, 1, "n1");
		w_runs_on(w, b, 1, "n2");
		struct job *j = w_job(w, 2, "nodes", "1", "time", "5", "user", "u2", NULL);
		w_backfill(w, 30);
		if (v == SLURM_22_05) { /* recorded in exclusive-mem: the nodes are out of the question, whenever they come free */
			assert_int_equal(j->est_start, 0);
		} else {
			assert_true(j->est_start >= 601 && j->est_start <= 660);
			w_nodes_are(w, j->sched_nodes, "n1");
		}
		struct job *own = w_job(w, 40, "nodes", "1", "time", "5", "user", "u1", NULL); /* of the same user: at once */
		w_backfill(w, 60);
		assert_int_equal(own->state, JOB_RUNNING);
		world_free(w);
	}
}

/* B6: the queue takes the smallest limit of a job, so one too long for the partition but for its time_min is tried; it gets what the partition lets (B20) */
static void queue_by_time_min(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		((struct partition *)w->cl->partitions->pdata[0])->max_time = 10;
		w_begin(w, 0);
		struct job *j = w_job(w, 60, "ntasks", "4", "time", "30", "time-min", "5", NULL);
		struct job *no = w_job(w, 60, "ntasks", "4", "time", "30", NULL);
		w_full(w, 60);
		w_waits(j, REASON_PARTITION_TIME_LIMIT);
		w_backfill(w, 61);
		w_runs_on(w, j, 61, "n1");
		assert_int_equal(j->time_limit, v == SLURM_22_05 ? 5 : 10);
		w_waits(no, REASON_PARTITION_TIME_LIMIT);
		assert_int_equal(no->est_start, 0);
		world_free(w);
	}
}

/* B10: what counts is the latest end of another user's jobs on a node, not the first */
static void latest_end_of_a_node(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	(void)state;
	w->p->bf_resolution = 1;
	w_begin(w, 0);
	w_job(w, 0, "ntasks", "1", "nodelist", "n1", "time", "10", NULL);
	w_job(w, 0, "ntasks", "1", "nodelist", "n1", "time", "20", NULL);
	w_job(w, 0, "ntasks", "1", "nodelist", "n2", "time", "15", NULL);
	w_full(w, 0);
	struct job *j = w_job(w, 1, "ntasks", "1", "time", "1", "exclusive", "user", "user", "u2", NULL);
	w_clear(w);
	w_backfill(w, 10);
	w_planned(w, j, 900, "n2");
	assert_string_equal(w->steps->str, "test 4; later 4 900; try 4 900 n2; plan 4 900 n2"); /* n1 is left out first: until 1200 */
	world_free(w);
}

/* B11: the better job is tried first, whichever came first */
static void sorted(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 0);
		w_job(w, 1, "ntasks", "4", "time", "10", "priority", "5", NULL);
		w_job(w, 2, "ntasks", "4", "time", "10", "priority", "6", NULL);
		w_backfill(w, 30);
		assert_string_equal(w->starts->str, "2@30");
		world_free(w);
	}
}

/* B18: without bf_licenses a job whose licences are taken now is not planned. One that depends on another is not even in the queue (S10). */
static void not_tried(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int tracked = 0; tracked < 2; tracked++) {
			struct world *w = w_simple(v, "n[1-2]", 4);
			struct license *l = g_new0(struct license, 1);
			*l = (struct license){.name = g_strdup("lic"), .total = 1};
			g_ptr_array_add(w->cl->licenses, l);
			w->p->bf_licenses = tracked;
			w_begin(w, 0);
			w_job(w, 0, "ntasks", "4", "time", "60", "licenses", "lic:1", NULL);
			w_full(w, 0);
			w_run(w, 1, "n2", 60);
			struct job *waits = w_job(w, 2, "ntasks", "4", "time", "5", "licenses", "lic:1", NULL);
			struct job *after = w_job(w, 2, "ntasks", "4", "time", "5", "dependency", "afterok:1", NULL);
			w_clear(w);
			w_backfill(w, 30);
			assert_int_equal(waits->est_start > 0, tracked);
			assert_int_equal(after->est_start, 0);
			if (!tracked)
				assert_string_equal(w->skips->str, "3 B18: licences are not free now");
			world_free(w);
		}
}

/* B20: the length of a plan: the job's limit, the partition's MaxTime where it has none, a year where that is endless too */
static void length_of_a_plan(void **state)
{
	static const struct {
		uint32_t max;
		const char *limit;
		sec_t minutes;
	} cases[] = {{INFINITE, "10", 10}, {20, NULL, 20}, {20, "10", 10}, {INFINITE, NULL, 365 * 24 * 60}};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = w_simple(v, "n1", 4);
			struct partition *p = w->cl->partitions->pdata[0];
			w->p->bf_resolution = 1;
			w->p->bf_window = 400 * 86400;
			p->max_time = INFINITE;
			w_begin(w, 0);
			w_run(w, 0, "n1", 60);
			p->max_time = cases[i].max;
			struct job *j = cases[i].limit ? w_job(w, 60, "ntasks", "4", "time", cases[i].limit, NULL) : w_job(w, 60, "ntasks", "4", NULL);
			w_backfill(w, 100);
			w_planned(w, j, 3600, "n1");
			g_autofree char *map = g_strdup_printf("[100,3600) n1; [3600,%" G_GINT64_FORMAT ") ; [%" G_GINT64_FORMAT ",34560100) n1",
							       3600 + 60 * cases[i].minutes, 3600 + 60 * cases[i].minutes);
			w_map_is(w, map);
			world_free(w);
		}
}

/* B20: a limit set by an administrator is planned up to MaxTime only */
static void length_up_to_max_time(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		struct partition *p = w->cl->partitions->pdata[0];
		w->p->bf_resolution = 1;
		w_begin(w, 0);
		w_run(w, 0, "n1", 60);
		p->max_time = 20;
		struct job *j = w_job(w, 60, "ntasks", "4", "time", "10", NULL);
		assert_true(controller_update_job(w->c, j, "timelimit", "40", 61 * USEC, NULL));
		w_backfill(w, 100);
		w_planned(w, j, 3600, "n1");
		w_map_is(w, "[100,3600) n1; [3600,4800) ; [4800,86500) n1");
		world_free(w);
	}
}

/* B20: planned is time_min, or the whole limit of a job with a deadline; a deadline that cannot be met ends the job */
static void length_with_time_min(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w->p->bf_resolution = 1;
		w_begin(w, 0);
		w_run(w, 0, "n1", 60);
		struct job *j = w_job(w, 60, "ntasks", "4", "time", "30", "time-min", "5", "priority", "9", NULL);
		struct job *d = w_job(w, 60, "ntasks", "4", "time", "30", "time-min", "5", "deadline", "6000", "priority", "8", NULL);
		struct job *late = w_job(w, 60, "ntasks", "4", "time", "30", "deadline", "1890", "priority", "7", NULL);
		w_backfill(w, 100);
		w_planned(w, j, 3600, "n1");
		assert_int_equal(j->time_limit, 30);
		w_planned(w, d, 3900, "n1");
		assert_int_equal(late->state, JOB_DEADLINE);
		w_map_is(w, "[100,3600) n1; [3600,5700) ; [5700,86500) n1");
		world_free(w);
	}
}

/* B27: an estimate later than the next time at which planned nodes come free is given up for that time. 26 does not look so far (B33). */
static void earlier_behind_a_plan(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-3]", 4);
		w->p->bf_resolution = 1;
		w_begin(w, 0);
		w_run(w, 0, "n[1-2]", 60);  /* 3600 */
		w_run(w, 0, "n3", 150);     /* 9000 */
		w_job(w, 60, "nodelist", "n[1-2]", "nodes", "2", "exclusive", "", "time", "30", "priority", "9", NULL); /* until 5400 */
		struct job *j = w_job(w, 60, "nodes", "1", "exclusive", "", "time", "60", "priority", "8", NULL);
		w_clear(w);
		w_backfill(w, 100);
		w_planned(w, j, 5400, "n1");
		if (v == SLURM_22_05) /* the first try gives 9000 on n3, and is no failure ("later") */
			assert_non_null(strstr(w->steps->str, "test 4; try 4 100 n3; try 4 5400 n[1-3]; plan 4 5400 n1"));
		world_free(w);
	}
}

/* B38: terms with counts are estimated one by one and the latest tells the start; of [a|b] the alternative that comes first wins */
static void feature_terms(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int either = 0; either < 2; either++) {
			struct world *w = world_new(v);
			w_features(w_nodes(w, "a1", 1, 4, 1), "a");
			w_features(w_nodes(w, "b1", 1, 4, 1), "b");
			w_part(w, "p", "a1,b1");
			w->p->bf_resolution = 1;
			w_begin(w, 0);
			w_run(w, 0, "a1", 60);
			w_run(w, 0, "b1", 10);
			struct job *j = w_job(w, 60, "nodes", either ? "1" : "2", "exclusive", "", "time", "5", "constraint", either ? "[a|b]" : "[a*1&b*1]", NULL);
			w_backfill(w, 100);
			if (either)
				w_planned(w, j, 600, "b1");
			else
				w_planned(w, j, 3600, "a1,b1");
			world_free(w);
		}
}

/* B53: backfill leaves the reasons of jobs that it plans; Resources comes from a start that fails in earnest */
static void reasons_left(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_full_cluster(v);
		struct job *j[3];
		static const enum reason before[] = {REASON_RESOURCES, REASON_PRIORITY, REASON_NONE};
		for (int i = 0; i < 3; i++) {
			j[i] = w_job(w, 100, "nodes", "4", "exclusive", "", "time", "10", NULL);
			job_set_reason(w->c, j[i], before[i], NULL);
		}
		w_backfill(w, 100);
		for (int i = 0; i < 3; i++) {
			assert_true(j[i]->est_start > 0);
			w_waits(j[i], before[i]);
		}
		world_free(w);
	}
	struct world *w = w_simple(SLURM_26, "n1", 4);
	w_begin(w, 0);
	w_run(w, 30, "n1", 1); /* overdue: W4 */
	struct job *q = w_job(w, 100, "ntasks", "4", "time", "10", NULL);
	job_set_reason(w->c, q, REASON_PRIORITY, NULL);
	w_backfill(w, 100);
	w_waits(q, REASON_RESOURCES);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(exclusive_users),
	    cmocka_unit_test(trigger),
	    cmocka_unit_test(interval_off),
	    cmocka_unit_test(estimates_cleared),
	    cmocka_unit_test(time_min),
	    cmocka_unit_test(started_whole_node),
	    cmocka_unit_test(started_preemptable),
	    cmocka_unit_test(end_inclusive),
	    cmocka_unit_test(behind_a_plan),
	    cmocka_unit_test(completing_node),
	    cmocka_unit_test(main_ignores_plan),
	    cmocka_unit_test(builtin),
	    cmocka_unit_test(queue_by_time_min),
	    cmocka_unit_test(latest_end_of_a_node),
	    cmocka_unit_test(sorted),
	    cmocka_unit_test(not_tried),
	    cmocka_unit_test(length_of_a_plan),
	    cmocka_unit_test(length_with_time_min),
	    cmocka_unit_test(length_up_to_max_time),
	    cmocka_unit_test(earlier_behind_a_plan),
	    cmocka_unit_test(feature_terms),
	    cmocka_unit_test(reasons_left),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
