/* backfill_test.c - the worked examples of spec backfill.md sections 9 and 10, and the bf_ parameters. W6 needs
 * reservations; what else the rules say is in backfill_rules_test.c. */
#include "sched_helper.h"

/* Section 9: R1 on n1,n2 until 3600, R2 on n3 until 600; now 100 */
static struct world *example(enum slurm_version v)
{
	struct world *w = w_simple(v, "n[1-4]", 4);
	struct partition *p = w->cl->partitions->pdata[0];
	p->max_time = 1440;
	w_begin(w, 0);
	w_run(w, 0, "n[1-2]", 60);
	w_run(w, 0, "n3", 10);
	return w;
}

static void worked_example(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = example(v);
		struct job *p1 = w_job(w, 100, "nodes", "3", "ntasks-per-node", "4", "time", "30", NULL);
		struct job *p2 = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "20", NULL);
		struct job *p3 = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "70", NULL);
		w_backfill(w, 100);
		w_planned(w, p1, 3600, "n[1-3]");
		w_runs_on(w, p2, 100, "n4");
		assert_int_equal(p2->end, 1300);
		w_planned(w, p3, 1300, "n4");
		if (v == SLURM_26)
			w_map_is(w, "[60,1260) n[1-4]; [1260,3600) n[1-3]; [3600,5400) ; [5400,5520) n[1-3]; "
			            "[5520,86460) n[1-4]");
		else /* B40 of 22.05: the end is floor(1300 + 4200) */
			w_map_is(w, "[60,1260) n[1-4]; [1260,3600) n[1-3]; [3600,5400) ; [5400,5460) n[1-3]; "
			            "[5460,86460) n[1-4]");
		for (uint32_t i = 0; i < 4; i++) /* B44: fully allocated nodes show no PLANNED */
			assert_false(w->cl->node[i]->flags & NODE_PLANNED);
		world_free(w);
	}
}

/* B44, C54: planned nodes that are not fully allocated are PLANNED; cleared at the next cycle (B5) */
static void planned_flag(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = example(v);
		struct job *j = w_job(w, 100, "nodes", "4", "exclusive", "", "time", "30", NULL);
		w_backfill(w, 100);
		w_planned(w, j, 3600, "n[1-4]");
		for (uint32_t i = 0; i < 4; i++)
			assert_int_equal((w->cl->node[i]->flags & NODE_PLANNED) != 0, i == 3);
		assert_string_equal(controller_node_state(w->c, w->cl->node[3], false), "planned");
		controller_cancel(w->c, j, 130 * USEC, NULL);
		w_backfill(w, 130);
		assert_false(w->cl->node[3]->flags & NODE_PLANNED);
		world_free(w);
	}
}

/* W2: begin = floor(start), end = floor(start + 60 time + res - 1) */
static void rounding(void **state)
{
	static const struct {
		sec_t start;
		const char *map26, *map22;
	} cases[] = {
	    {3601, "[60,3600) n1; [3600,3720) ; [3720,86460) n1", "[60,3600) n1; [3600,3660) ; [3660,86460) n1"},
	    {3600, "[60,3600) n1; [3600,3660) ; [3660,86460) n1", "[60,3600) n1; [3600,3660) ; [3660,86460) n1"},
	    {3659, "[60,3600) n1; [3600,3720) ; [3720,86460) n1", "[60,3600) n1; [3600,3660) ; [3660,86460) n1"},
	};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = w_simple(v, "n1", 4);
			w_begin(w, 0);
			w_run(w, cases[i].start - 3600, "n1", 60);
			struct job *j = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "1", NULL);
			w_backfill(w, 100);
			w_planned(w, j, cases[i].start, "n1");
			w_map_is(w, v == SLURM_26 ? cases[i].map26 : cases[i].map22);
			world_free(w);
		}
}

/* W3, and the worked example of section 10: A on m1 ends 625, B on m2 ends 600 */
static void grouping(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int m2_first = 0; m2_first < 2; m2_first++) {
			struct world *w = world_new(v);
			w_nodes(w, "m1", 1, 4, 1)->weight = 2;
			w_nodes(w, "m2", 1, 4, 1)->weight = m2_first ? 1 : 2;
			w_part(w, "p", "m[1-2]");
			w_begin(w, 0);
			w_run(w, 0, "m2", 10);
			w_run(w, 25, "m1", 10);
			struct job *j = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "30", NULL);
			w_backfill(w, 100);
			/* 26: the last removed job on the chosen node; 22.05: the last removed job (B35) */
			w_planned(w, j, m2_first && v == SLURM_26 ? 600 : 625, m2_first ? "m2" : "m1");
			world_free(w);
		}
}

/* B33, B34: a job beyond the window is not in the first group */
static void groups_apart(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "m[1-2]", 4);
		w_begin(w, 0);
		w_run(w, 0, "m2", 10);  /* 600: b = 630, w = 30 */
		w_run(w, 61, "m1", 10); /* 661 > 660 */
		struct job *j = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "30", NULL);
		w_backfill(w, 100);
		w_planned(w, j, 600, "m2");
		world_free(w);
	}
}

/* W4: X has outlived its end by 10 s */
static void overdue(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 0);
		struct job *x = w_run(w, 30, "n1", 1);
		assert_int_equal(x->end, 90);
		struct job *q = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "10", NULL);
		w_backfill(w, 100);
		if (v ==
		    SLURM_26) { /* B31, B32: start = now; the real start fails; planned [60, floor(100 + 600 + 59)) */
			w_planned(w, q, 100, "n1");
			w_map_is(w, "[60,720) ; [720,86460) n1");
		} else { /* B36: E + KillWait, rounded down */
			w_planned(w, q, 120, "n1");
			w_map_is(w, "[60,120) n1; [120,720) ; [720,86460) n1");
		}
		world_free(w);
	}
}

/* B36: OverTimeLimit o: E + KillWait + 60 o; unlimited: now + limit */
static void overdue_guess(void **state)
{
	static const struct {
		uint32_t over;
		sec_t start;
	} cases[] = {{0, 120}, {2, 240}, {INFINITE, 160}};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world *w = w_simple(SLURM_22_05, "n1", 4);
		w->p->over_time_limit = cases[i].over;
		w_begin(w, 0);
		w_run(w, 30, "n1", 1);
		struct job *q = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "10", NULL);
		w_backfill(w, 100);
		w_planned(w, q, cases[i].start, "n1");
		world_free(w);
	}
}

/* W5: bf_max_job_user=2, one user */
static void max_job_user(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = example(v);
		struct job *j[4];
		w->p->bf_max_job_user = 2;
		for (int i = 0; i < 4; i++)
			j[i] = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "10", "nodelist", "n1", NULL);
		enum reason before = j[2]->reason;
		struct job *other =
		    w_job(w, 100, "user", "u2", "nodes", "1", "ntasks", "4", "time", "10", "nodelist", "n1", NULL);
		w_backfill(w, 100);
		w_planned(w, j[0], 3600, "n1");
		w_planned(w, j[1], 4200, "n1");
		assert_int_equal(j[2]->est_start, 0);
		assert_int_equal(j[3]->est_start, 0);
		assert_int_equal(j[2]->reason, before);
		w_planned(w, other, 4800, "n1");
		world_free(w);
	}
}

/* W5, second half: two partitions of the first job use up the limit */
static void max_job_user_partitions(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-4]", 1, 4, 1);
		w_part(w, "p", "n[1-4]");
		w_part(w, "q", "n[1-4]");
		w->p->bf_max_job_user = 2;
		w_begin(w, 0);
		w_run(w, 0, "n[1-4]", 60);
		struct job *a = w_job(w, 100, "partition", "p,q", "nodes", "1", "ntasks", "4", "time", "10", NULL);
		struct job *b = w_job(w, 100, "partition", "p", "nodes", "1", "ntasks", "4", "time", "10", NULL);
		w_backfill(w, 100);
		assert_int_equal(a->est_start, 3600);
		assert_int_equal(b->est_start, 0);
		world_free(w);
	}
}

/* W7: B between A and C is dropped (its node is not usable), so C is removed without a window test. How m3 is kept away
 * does not matter: by
 * --exclude, or planned for another job to the end of the map. */
static void dropped_job(void **state)
{
	(void)state;
	for (int with_b = 0; with_b < 2; with_b++)
		for (int planned = 0; planned < 2; planned++) {
			struct world *w = world_new(SLURM_26);
			w_nodes(w, "m1", 1, 4, 1)->weight = 2;
			w_nodes(w, "m2", 1, 4, 1)->weight = 1;
			w_nodes(w, "m3", 1, 4, 1)->weight = 3;
			w_part(w, "p", "m[1-3]");
			w_begin(w, 0);
			w_run(w, 0, "m1", 10);                 /* A: 600 */
			w_run(w, 20, "m2", 83);                /* C: 5000 */
			w_run(w, 30, "m3", with_b ? 10 : 100); /* B: 630; without it a job that ends after C */
			if (planned)
				w_job(w, 100, "nodelist", "m3", "nodes", "1", "exclusive", "", "time", "2-0",
				      "priority", "10", NULL);
			struct job *j = w_job(w, 100, "nodes", "1", "exclusive", "", "time", planned ? "120" : "10",
			                      planned ? "comment" : "exclude", "m3", NULL);
			w_backfill(w, 100);
			w_planned(w, j, with_b ? 5000 : 600, with_b ? "m2" : "m1");
			world_free(w);
		}
}

/* B43 as recorded: bf_max_job_test=5, so bf_node_space_size 5: the fourth plan ends the cycle. The job keeps its
 * StartTime and, as recorded in backfill-max-job-test, its nodes, without a place in the map (B32a). */
static void node_space_size(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		struct job *j[5];
		w->p->bf_max_job_test = w->p->bf_node_space_size = 5;
		w_begin(w, 0);
		w_run(w, 60, "n1", 1); /* ends at 120 */
		for (int i = 0; i < 5; i++)
			j[i] = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "1", NULL);
		w_clear(w);
		w_backfill(w, 100);
		for (int i = 0; i < 3; i++)
			w_planned(w, j[i], 120 + 60 * i, "n1");
		assert_int_equal(w_map(w)->records, 5);
		assert_int_equal(j[3]->est_start, 300);
		w_planned(w, j[3], 300, "n1");
		assert_int_equal(j[4]->est_start, 0);
		assert_null(j[4]->sched_nodes);
		assert_string_equal(w->passes->str, "backfill@100:bf_node_space_size");
		world_free(w);
	}
}

/* ---- one test for each parameter ---- */

static void max_job_test(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_full_cluster(v);
		struct job *j[4];
		w->p->bf_max_job_test = 2;
		for (int i = 0; i < 4; i++)
			j[i] = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "10", NULL);
		w_clear(w);
		w_backfill(w, 100);
		for (int i = 0; i < 4; i++)
			assert_int_equal(j[i]->est_start, i < 2 ? 3600 : 0);
		assert_string_equal(w->passes->str, "backfill@100:bf_max_job_test");
		world_free(w);
	}
}

static void max_job_part(void **state)
{
	struct world *w = world_new(SLURM_26);
	(void)state;
	w_nodes(w, "n[1-4]", 1, 4, 1);
	w_part(w, "p", "n[1-4]");
	w_part(w, "q", "n[1-4]");
	w->p->bf_max_job_part = 1;
	w_begin(w, 0);
	w_run(w, 0, "n[1-4]", 60);
	struct job *a = w_job(w, 100, "partition", "p", "nodes", "1", "time", "10", NULL);
	struct job *b = w_job(w, 100, "partition", "p", "user", "u2", "nodes", "1", "time", "10", NULL);
	struct job *c = w_job(w, 100, "partition", "q", "nodes", "1", "time", "10", NULL);
	w_backfill(w, 100);
	assert_int_equal(a->est_start, 3600);
	assert_int_equal(b->est_start, 0);
	assert_int_equal(c->est_start, 3600);
	world_free(w);
}

static void max_job_user_part(void **state)
{
	struct world *w = world_new(SLURM_26);
	(void)state;
	w_nodes(w, "n[1-4]", 1, 4, 1);
	w_part(w, "p", "n[1-4]");
	w_part(w, "q", "n[1-4]");
	w->p->bf_max_job_user_part = 1;
	w_begin(w, 0);
	w_run(w, 0, "n[1-4]", 60);
	struct job *a = w_job(w, 100, "partition", "p", "nodes", "1", "time", "10", NULL);
	struct job *b = w_job(w, 100, "partition", "p", "nodes", "1", "time", "10", NULL);
	struct job *c = w_job(w, 100, "partition", "q", "nodes", "1", "time", "10", NULL);
	struct job *d = w_job(w, 100, "partition", "p", "user", "u2", "nodes", "1", "time", "10", NULL);
	w_backfill(w, 100);
	assert_int_equal(a->est_start, 3600);
	assert_int_equal(b->est_start, 0);
	assert_int_equal(c->est_start, 3600);
	assert_int_equal(d->est_start, 3600);
	world_free(w);
}

/* bf_max_job_start: a cycle starts that many jobs and ends (B45) */
static void max_job_start(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-4]", 4);
		struct job *j[3];
		w->p->bf_max_job_start = 1;
		w_begin(w, 0);
		for (int i = 0; i < 3; i++)
			j[i] = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "10", NULL);
		w_backfill(w, 100);
		assert_int_equal(j[0]->state, JOB_RUNNING);
		assert_int_equal(j[1]->state, JOB_PENDING);
		assert_string_equal(w->passes->str, "backfill@100:bf_max_job_start");
		w_backfill(w, 130);
		assert_int_equal(j[1]->start, 130);
		assert_int_equal(j[2]->state, JOB_PENDING);
		world_free(w);
	}
}

/* bf_resolution 1: nothing is rounded */
static void resolution(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w->p->bf_resolution = 1;
		w_begin(w, 0);
		w_run(w, 1, "n1", 60);
		struct job *j = w_job(w, 101, "nodes", "1", "ntasks", "4", "time", "1", NULL);
		w_backfill(w, 101);
		w_planned(w, j, 3601, "n1");
		w_map_is(w, "[101,3601) n1; [3601,3661) ; [3661,86501) n1");
		world_free(w);
	}
}

/* B30a: a start beyond the window is published but not planned */
static void window(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_full_cluster(v);
		w->p->bf_window = 3499;
		struct job *j = w_job(w, 100, "nodes", "4", "exclusive", "", "time", "10", NULL);
		w_backfill(w, 100);
		assert_int_equal(j->est_start, 3600);
		assert_null(j->sched_nodes);
		assert_int_equal(w_map(w)->records, 1);
		w->p->bf_window = 3500;
		ctl_touch(w->c);
		w_backfill(w, 100);
		w_planned(w, j, 3600, "n[1-4]");
		world_free(w);
	}
}

/* B14: young jobs and jobs of low priority are tested for now only; they keep an estimate (B29) and block nobody */
static void min_age_reserve(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_full_cluster(v);
		w->p->bf_min_age_reserve = 60;
		struct job *j = w_job(w, 100, "nodes", "4", "exclusive", "", "time", "10", NULL);
		w_backfill(w, 159);
		assert_int_equal(j->est_start, 3600);
		assert_null(j->sched_nodes);
		w_backfill(w, 160);
		w_planned(w, j, 3600, "n[1-4]");
		world_free(w);
	}
}

static void min_prio_reserve(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_full_cluster(v);
		w->p->bf_min_prio_reserve = 100;
		struct job *low = w_job(w, 100, "nodes", "4", "exclusive", "", "time", "10", "priority", "99", NULL);
		struct job *high = w_job(w, 100, "nodes", "4", "exclusive", "", "time", "10", "priority", "100", NULL);
		w_backfill(w, 100);
		w_planned(w, high, 3600, "n[1-4]");
		assert_null(low->sched_nodes);
		world_free(w);
	}
}

/* bf_max_job_array_resv: so many tasks of an array are planned (B13); its StartTime is the earliest */
static void max_job_array_resv(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int n = 1; n <= 3; n++) {
			struct world *w = w_simple(v, "n1", 4);
			w->p->bf_max_job_array_resv = n;
			w_begin(w, 0);
			w_run(w, 0, "n1", 60);
			struct job *head =
			    w_job(w, 100, "array", "0-9", "nodes", "1", "ntasks", "4", "time", "10", NULL);
			struct job *after = w_job(w, 100, "nodes", "1", "ntasks", "4", "time", "10", NULL);
			w_backfill(w, 100);
			assert_int_equal(head->est_start, 3600);
			assert_int_equal(head->array->planned, n);
			w_planned(w, after, 3600 + 600 * n, "n1");
			world_free(w);
		}
}

/* bf_one_resv_per_job: planned in the first partition only (B14, B32a) */
static void one_resv_per_job(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int one = 0; one < 2; one++) {
			struct world *w = world_new(v);
			w_nodes(w, "n[1-2]", 1, 4, 1);
			w_part(w, "p", "n1")->priority_tier = 2;
			w_part(w, "q", "n2");
			w->p->bf_one_resv_per_job = one;
			w_begin(w, 0);
			w_run(w, 0, "n1", 60);
			w_job(w, 0, "partition", "q", "nodelist", "n2", "exclusive", "", "time", "60", "priority",
			      "1000000", NULL);
			w_full(w, 0);
			struct job *a =
			    w_job(w, 100, "partition", "p,q", "nodes", "1", "ntasks", "4", "time", "10", NULL);
			struct job *b =
			    w_job(w, 100, "partition", "q", "nodes", "1", "ntasks", "4", "time", "10", NULL);
			w_backfill(w, 100);
			assert_int_equal(a->est_start, 3600);
			assert_int_equal(b->est_start, one ? 3600 : 4200);
			world_free(w);
		}
}

/* bf_job_part_count_reserve: so many plans in a partition, the rest is tested for now only (B14, counted by B31a) */
static void job_part_count_reserve(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_full_cluster(v);
		struct job *j[3];
		w->p->bf_job_part_count_reserve = 2;
		for (int i = 0; i < 3; i++)
			j[i] = w_job(w, 100, "nodes", "1", "exclusive", "", "time", "10", NULL);
		w_backfill(w, 100);
		assert_non_null(j[0]->sched_nodes);
		assert_non_null(j[1]->sched_nodes);
		assert_null(j[2]->sched_nodes);
		assert_int_equal(j[2]->est_start, 3600);
		world_free(w);
	}
}

/* B34: with bf_window_linear the grouping window grows by steps instead of doubling: 600, then 800 and 850 (b = 630).
 * Doubling: w = 30, 60, 120, 240 takes both (850 <= 870); linear by 50: 30, 80, 130, 180 takes 800 <= 810 alone. */
static void window_linear(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int linear = 0; linear < 2; linear++) {
			struct world *w = world_new(v);
			w_nodes(w, "n1", 1, 4, 1)->weight = 1;
			w_nodes(w, "n[2-3]", 1, 4, 1)->weight = 2;
			w_part(w, "p", "n[1-3]");
			w->p->bf_window_linear = linear ? 50 : 0;
			w_begin(w, 0);
			w_run(w, 0, "n3", 10);   /* 600 */
			w_run(w, 200, "n2", 10); /* 800 */
			w_run(w, 250, "n1", 10); /* 850 */
			struct job *j = w_job(w, 300, "nodes", "2", "ntasks-per-node", "4", "time", "10", NULL);
			w_backfill(w, 300);
			if (linear)
				w_planned(w, j, 800, "n[2-3]");
			else
				w_planned(w, j, 850, "n[1-2]");
			world_free(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(worked_example),
	    cmocka_unit_test(planned_flag),
	    cmocka_unit_test(rounding),
	    cmocka_unit_test(grouping),
	    cmocka_unit_test(groups_apart),
	    cmocka_unit_test(overdue),
	    cmocka_unit_test(overdue_guess),
	    cmocka_unit_test(max_job_user),
	    cmocka_unit_test(max_job_user_partitions),
	    cmocka_unit_test(dropped_job),
	    cmocka_unit_test(node_space_size),
	    cmocka_unit_test(max_job_test),
	    cmocka_unit_test(max_job_part),
	    cmocka_unit_test(max_job_user_part),
	    cmocka_unit_test(max_job_start),
	    cmocka_unit_test(resolution),
	    cmocka_unit_test(window),
	    cmocka_unit_test(min_age_reserve),
	    cmocka_unit_test(min_prio_reserve),
	    cmocka_unit_test(max_job_array_resv),
	    cmocka_unit_test(one_resv_per_job),
	    cmocka_unit_test(job_part_count_reserve),
	    cmocka_unit_test(window_linear),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
