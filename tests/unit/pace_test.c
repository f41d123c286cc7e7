/* pace_test.c - the controller's own work takes time (sched/pace.h): caps by time, yields, turns that are missed */
#include "sched_helper.h"
#include "sim/sim.h"

#define SECOND INT64_C(1000000000)

static struct world *costly(enum slurm_version v, const char *nodes, const struct controller_cost *cost)
{
	struct world *w = w_simple(v, nodes, 4);
	w->p->bf_resolution = 1;
	w_begin(w, 0);
	controller_set_cost(w->c, cost);
	return w;
}

/* S19: each test takes 0.6 s, so max_sched_time = 2 ends the pass before the fifth; starts take their own moments */
static void max_sched_time(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct controller_cost cost = {.main_job = 6 * SECOND / 10};
		struct world *w = costly(v, "n[1-8]", &cost);
		struct job *j[6];
		for (int i = 0; i < 6; i++)
			j[i] = w_job(w, 1, "ntasks", "4", "time", "10", NULL);
		w_full(w, 10);
		assert_string_equal(w->starts->str, "1@10 2@11 3@11 4@12");
		assert_int_equal(j[0]->start_t, 10 * USEC + USEC * 6 / 10);
		assert_int_equal(j[4]->state, JOB_PENDING);
		assert_int_equal(controller_busy_until(w->c), 12 * USEC + USEC * 4 / 10);
		world_free(w);
	}
}

/* B12a: bf_max_time is tested before each record and each try */
static void bf_max_time(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct controller_cost cost = {.bf_job = SECOND};
		struct world *w = costly(v, "n[1-4]", &cost);
		w->p->bf_max_time = 3;
		w->p->bf_yield_interval_us = 10000000;
		for (int i = 0; i < 5; i++)
			w_job(w, 1, "ntasks", "4", "time", "10", NULL);
		w_backfill(w, 20);
		assert_string_equal(w->passes->str, "backfill@20:bf_max_time");
		assert_string_equal(w->starts->str, "1@21 2@22 3@23");
		world_free(w);
	}
}

/* B50, B51: after bf_yield_interval the locks are free for bf_yield_sleep; a change ends the cycle unless bf_continue is set */
static void yields(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int change = 0; change < 2; change++)
			for (int go_on = 0; go_on < 2; go_on++) {
				struct controller_cost cost = {.bf_job = SECOND};
				struct world *w = costly(v, "n[1-8]", &cost);
				w->p->bf_continue = go_on;
				w->p->bf_interval = 30;
				for (int i = 0; i < 3; i++)
					w_job(w, 1, "ntasks", "4", "time", "10", NULL);
				controller_backfill(w->c, 30 * USEC);
				assert_string_equal(w->starts->str, "1@31 2@32"); /* 2 s of work: it yields */
				assert_int_equal(controller_busy_until(w->c), 32 * USEC);
				assert_int_equal(controller_next_backfill(w->c, 32 * USEC), 32 * USEC + 500000);
				if (change)
					w_job_us(w, 32 * USEC + 200000, "ntasks", "1", "time", "1", NULL);
				controller_backfill(w->c, 32 * USEC + 500000);
				bool ended = change && !go_on;
				assert_string_equal(w->starts->str, ended ? "1@31 2@32" : "1@31 2@32 3@33");
				assert_string_equal(w->passes->str, ended ? "backfill@30:state changed" : "backfill@30:end of queue");
				/* B1: bf_interval counts from the end */
				assert_int_equal(controller_next_backfill(w->c, 40 * USEC), (ended ? 62 : 63) * USEC + 500000);
				world_free(w);
			}
}

/* B50: it yields between two tries of one job too, which goes on where it was; one that has changed meanwhile is left to the next cycle */
static void yields_within_a_job(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int change = 0; change < 2; change++) {
			struct controller_cost cost = {.bf_job = SECOND};
			struct world *w = costly(v, "n[1-4]", &cost);
			w->p->bf_continue = true;
			w->p->bf_interval = 30;
			w->p->bf_yield_interval_us = 500000;
			w_job(w, 1, "ntasks", "4", "time", "10", "nodelist", "n1", NULL);
			w_job(w, 1, "ntasks", "4", "time", "30", "nodelist", "n3", NULL);
			w_full(w, 2);
			struct job *b = w_job(w, 3, "nodes", "2", "ntasks", "8", "time", "10", "nodelist", "n[1-2]", NULL);
			struct job *d = w_job(w, 3, "nodes", "2", "ntasks", "8", "time", "20", "time_min", "15", NULL);
			controller_backfill(w->c, 30 * USEC); /* b, planned in [602, 1202) */
			assert_int_equal(controller_next_backfill(w->c, 31 * USEC), 31 * USEC + 500000);
			controller_backfill(w->c, 31 * USEC + 500000); /* d, now: n3 is free too late */
			assert_int_equal(controller_next_backfill(w->c, 32 * USEC + 500000), 33 * USEC);
			assert_string_equal(w->passes->str, "full@2");
			assert_int_equal(b->est_start, 602);
			assert_int_equal(d->time_limit, 20);
			if (change)
				d->time_limit = 25;
			controller_backfill(w->c, 33 * USEC);
			assert_int_equal(d->est_start, change ? 0 : 1202);
			assert_int_equal(d->time_limit, change ? 25 : 20);
			world_free(w);
		}
}

/* A job that is purged during a yield is gone from the queue of the cycle */
static void purged_during_yield(void **state)
{
	(void)state;
	struct controller_cost cost = {.bf_job = SECOND};
	struct world *w = costly(SLURM_26, "n[1-8]", &cost);
	w->p->bf_continue = true;
	w->p->bf_yield_sleep_us = 10000000;
	w->p->min_job_age = 2;
	for (int i = 0; i < 4; i++)
		w_job(w, 1, "ntasks", "4", "time", "10", NULL);
	controller_backfill(w->c, 30 * USEC);
	assert_true(controller_cancel(w->c, controller_find_job(w->c, 3), 33 * USEC, NULL));
	controller_purge(w->c, 41 * USEC);
	assert_null(controller_find_job(w->c, 3));
	controller_backfill(w->c, 42 * USEC);
	assert_string_equal(w->starts->str, "1@31 2@32 4@43");
	world_free(w);
}

/* S7: the next main pass begins more than sched_min_interval after the end of the last; requests are merged */
static void sched_min_interval(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w->p->sched_min_interval_us = 2000000;
		w->p->batch_sched_delay = 0;
		w_begin(w, 0);
		w_job(w, 1, "ntasks", "4", "time", "10", NULL);
		controller_tick(w->c, 1 * USEC);
		assert_string_equal(w->passes->str, "quick@1");
		w_job(w, 2, "ntasks", "4", "time", "10", NULL);
		controller_tick(w->c, 2 * USEC);
		assert_string_equal(w->passes->str, "quick@1");
		assert_int_equal(controller_next_requested(w->c, 2 * USEC), 3 * USEC + 1);
		controller_run_requested(w->c, 3 * USEC + 1);
		assert_string_equal(w->passes->str, "quick@1 quick@3");
		assert_int_equal(controller_next_requested(w->c, 4 * USEC), INT64_MAX);
		world_free(w);
	}
}

/* A full pass whose second went by while the controller was busy is made when it is free, and counts from then (S2) */
static void missed_turn(void **state)
{
	(void)state;
	struct controller_cost cost = {.bf_job = 5 * SECOND};
	struct world *w = costly(SLURM_26, "n1", &cost);
	w_job(w, 1, "ntasks", "4", "time", "10", "hold", "", NULL);
	w_job(w, 1, "ntasks", "4", "time", "10", NULL);
	w_backfill(w, 57);
	assert_int_equal(controller_busy_until(w->c), 62 * USEC);
	struct turns_taken from = {.tick = 57 * USEC, .backfill = 57 * USEC, .priority = 57 * USEC};
	assert_true(controller_missed_turns(w->c, &from).tick);
	w_clear(w);
	w_job(w, 62, "ntasks", "4", "time", "10", NULL);
	controller_tick(w->c, 62 * USEC);
	assert_string_equal(w->passes->str, "full@62");
	controller_tick(w->c, 120 * USEC);
	assert_string_equal(w->passes->str, "full@62");
	controller_tick(w->c, 122 * USEC);
	assert_string_equal(w->passes->str, "full@62 full@122");
	world_free(w);
}

/* B11: a node that comes back during a yield is not used before the next cycle */
static void node_back_during_yield(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct controller_cost cost = {.bf_job = SECOND};
		struct world *w = costly(v, "n[1-3]", &cost);
		w->p->bf_continue = true;
		w->p->bf_interval = 30;
		assert_true(controller_update_node(w->c, "n3", "drain", "x", USEC, NULL));
		for (int i = 0; i < 3; i++)
			w_job(w, 1, "ntasks", "4", "time", "10", NULL);
		controller_backfill(w->c, 30 * USEC);
		assert_true(controller_update_node(w->c, "n3", "resume", NULL, 32 * USEC + 200000, NULL));
		controller_backfill(w->c, 32 * USEC + 500000);
		assert_string_equal(w->starts->str, "1@31 2@32");
		assert_string_equal(w->passes->str, "backfill@30:end of queue");
		w_job(w, 60, "hold", "", NULL); /* B2: a change after the end of the cycle */
		controller_backfill(w->c, 64 * USEC);
		assert_string_equal(w->starts->str, "1@31 2@32 3@65");
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(max_sched_time),      cmocka_unit_test(bf_max_time),        cmocka_unit_test(yields), cmocka_unit_test(yields_within_a_job),
	    cmocka_unit_test(purged_during_yield), cmocka_unit_test(sched_min_interval), cmocka_unit_test(missed_turn), cmocka_unit_test(node_back_during_yield),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
