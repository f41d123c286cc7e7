/* hetjob_test.c - heterogeneous jobs: ids, starting together, ending together (C70, S18, B60-B63) */
#include "sched/hetjob.h"
#include "tests/unit/sched_helper.h"

/* A job of components that want A, B (, C) tasks; 0 = no more. */
static struct job *het_at(struct world *w, sec_t t, uint32_t a, uint32_t b, uint32_t c, GError **error)
{
	const uint32_t want[] = {a, b, c};
	struct job_request *reqs[3];
	uint32_t n = c ? 3 : 2;
	for (uint32_t k = 0; k < n; k++) {
		char text[16];
		reqs[k] = job_request_new();
		g_snprintf(text, sizeof text, "%u", want[k]);
		assert_true(job_request_set(reqs[k], "ntasks", text, NULL));
		assert_true(job_request_set(reqs[k], "nodes", "1", NULL));
		assert_true(job_request_set(reqs[k], "time", "10", NULL));
		if (!k)
			reqs[k]->user = g_strdup("u1");
	}
	return controller_submit_het(w->c, reqs, n, t * USEC, NULL, error);
}

static void test_ids(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n[1-4]", 4);
		w_begin(w, 0);
		struct job *j = het_at(w, 100, 4, 2, 1, NULL);
		assert_non_null(j);
		assert_int_equal(j->id, 1);
		assert_int_equal(j->het->n, 3);
		for (uint32_t k = 0; k < 3; k++) {
			struct job *x = controller_find_job(w->c, 1 + k);
			assert_ptr_equal(x, j->het->comp[k]);
			assert_int_equal(x->het_offset, k);
			assert_string_equal(x->user, "u1");
			g_autofree char *id = job_format_id(x), *want = g_strdup_printf("1+%u", k);
			assert_string_equal(id, want);
		}
		assert_int_equal(w_job(w, 101, "ntasks", "1", NULL)->id, 4);
		world_free(w);
	}
}

static void test_main_pass_never_starts_one(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n[1-4]", 4);
		w_begin(w, 0);
		het_at(w, 100, 4, 4, 0, NULL);
		struct job *other = w_job(w, 100, "ntasks", "1", "time", "1", NULL);
		w_full(w, 101);
		assert_string_equal(w->starts->str, "");
		w_waits(other, REASON_PRIORITY); /* its partition is closed */
		w_backfill(w, 102);
		assert_string_equal(w->starts->str, "3@102 1@102 2@102"); /* the components at the end of the cycle (B52) */
		world_free(w);
	}
}

static void test_components_wait_for_each_other(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n[1-2]", 4);
		w_begin(w, 0);
		struct job *a = w_run(w, 100, "n1", 60);
		struct job *j = het_at(w, 101, 4, 2, 0, NULL);
		w_backfill(w, 102);
		assert_int_equal(j->state, JOB_PENDING);
		w_waits(j, REASON_RESOURCES);
		w_waits(j->het->comp[1], REASON_RESOURCES);
		assert_int_equal(j->est_start, 102); /* n2 is free for this one */
		assert_true(j->het->comp[1]->est_start >= 660); /* after the leader on n2 */
		w_end(w, a, 200, 0, true);
		w_backfill(w, 202);
		w_runs_on(w, j, 202, "n1");
		w_runs_on(w, j->het->comp[1], 202, "n2");
		world_free(w);
	}
}

static void test_leader_ends_all(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n[1-4]", 4);
		w_begin(w, 0);
		struct job *j = het_at(w, 100, 4, 4, 1, NULL), *two = j->het->comp[1];
		w_backfill(w, 102);
		assert_int_equal(two->state, JOB_RUNNING);
		controller_job_exited(w->c, j, 3, 0, false, 300 * USEC);
		for (uint32_t k = 0; k < 3; k++) {
			assert_int_equal(j->het->comp[k]->state, JOB_FAILED);
			assert_int_equal(j->het->comp[k]->exit_code, 3);
		}
		world_free(w);
	}
}

static void test_commands(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	w_begin(w, 0);
	struct job *j = het_at(w, 100, 4, 4, 0, NULL), *two = j->het->comp[1];
	GError *error = NULL;
	assert_false(controller_cancel(w->c, two, 101 * USEC, &error)); /* a component alone */
	assert_non_null(strstr(error->message, "name job 1"));
	g_clear_error(&error);
	assert_true(controller_hold(w->c, j, true, 101 * USEC, NULL));
	assert_int_equal(two->priority, 0);
	w_backfill(w, 102);
	assert_string_equal(w->starts->str, "");
	assert_true(controller_release(w->c, j, NULL, 103 * USEC, NULL));
	w_backfill(w, 104);
	assert_string_equal(w->starts->str, "1@104 2@104");
	assert_true(controller_requeue(w->c, two, false, 110 * USEC, NULL));
	assert_int_equal(j->state, JOB_PENDING);
	assert_int_equal(j->run, 1);
	controller_epilog_done(w->c, j, UINT32_MAX, true, 111 * USEC);
	controller_epilog_done(w->c, two, UINT32_MAX, true, 111 * USEC);
	assert_int_equal(two->eligible, 111 + 121);
	assert_true(controller_cancel(w->c, j, 112 * USEC, NULL));
	assert_int_equal(two->state, JOB_CANCELLED);
	world_free(w);
}

static void test_refused_as_a_whole(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n[1-4]", 4);
		w_begin(w, 0);
		GError *error = NULL;
		assert_null(het_at(w, 100, 4, 5, 0, &error)); /* no node has 5 cores */
		assert_non_null(error);
		g_clear_error(&error);
		assert_int_equal(controller_n_jobs(w->c), 0);
		world_free(w);
	}
}

/* A node fails: no component goes on without the others. */
static void test_node_failure(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n[1-4]", 4);
		w_begin(w, 0);
		struct job *j = het_at(w, 100, 4, 4, 4, NULL);
		w_backfill(w, 102);
		assert_true(controller_update_node(w->c, "n2", "down", "gone", 110 * USEC, NULL));
		for (uint32_t k = 0; k < 3; k++) {
			assert_int_equal(j->het->comp[k]->state, JOB_PENDING);
			assert_int_equal(j->het->comp[k]->run, 1);
		}
		world_free(w);
	}
}

/* scontrol hold 10_2 when the last task carries the array's id: that task alone. */
static void test_one_task_of_an_array(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	w_begin(w, 0);
	struct job *head = w_job(w, 100, "array", "0-1", "ntasks", "1", NULL);
	struct job *zero = controller_split_task(w->c, head, 0, 101 * USEC);
	struct job *one = controller_split_task(w->c, head, 1, 101 * USEC);
	assert_ptr_equal(one, head);
	assert_true(controller_hold_record(w->c, one, true, 102 * USEC, NULL));
	assert_int_equal(one->priority, 0);
	assert_true(zero->priority > 0);
	assert_true(controller_hold(w->c, one, true, 103 * USEC, NULL)); /* by the array's id: all */
	assert_int_equal(zero->priority, 0);
	world_free(w);
}

/* S28: a second component finds its partition closed: that ends the pass; in 22.05 (S39) it goes on to the other partitions. */
static void test_second_component_ends_the_pass(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-3]", 1, 4, 1);
		w_part(w, "p", "n[1-2]");
		w_part(w, "q", "n3");
		w_begin(w, 0);
		struct job *between = w_job(w, 99, "partition", "q", "ntasks", "1", "time", "1", NULL);
		het_at(w, 100, 4, 4, 0, NULL);
		struct job *after = w_job(w, 101, "partition", "q", "ntasks", "1", "time", "1", NULL);
		w_full(w, 102);
		assert_int_equal(between->state, JOB_RUNNING);
		assert_int_equal(after->state, v == SLURM_22_05 ? JOB_RUNNING : JOB_PENDING);
		world_free(w);
	}
}

/* B61: each component has its own estimate, but begins no earlier than the others can */
static void test_latest_component(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		w_nodes(w, "n1", 1, 8, 1);
		w_nodes(w, "n[2-3]", 1, 4, 1);
		w_part(w, "p", "n[1-3]");
		w->p->bf_resolution = 1;
		w_begin(w, 0);
		w_run(w, 0, "n1", 60);
		struct job *j = het_at(w, 100, 8, 2, 0, NULL), *second = j->het->comp[1];
		w_backfill(w, 102);
		w_planned(w, j, 3600, "n1");
		w_planned(w, second, 3600, "n2"); /* free now */
		world_free(w);
	}
}

/* B62: on nodes of their own, though one would do; at the end of the cycle, or at once with bf_hetjob_immediate */
static void test_start_together(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int immediate = 0; immediate < 2; immediate++) {
			struct world *w = w_simple(v, "n[1-3]", 4);
			w->p->bf_hetjob_immediate = immediate;
			w_begin(w, 0);
			struct job *j = het_at(w, 100, 2, 2, 0, NULL);
			struct job *other = w_job(w, 101, "ntasks", "4", "time", "1", NULL);
			w_backfill(w, 102);
			assert_string_equal(w->starts->str, immediate ? "1@102 2@102 3@102" : "3@102 1@102 2@102");
			w_runs_on(w, j, 102, "n1");
			w_runs_on(w, j->het->comp[1], 102, "n2");
			w_runs_on(w, other, 102, "n3");
			world_free(w);
		}
}

/* B62: the second fails in earnest (its node has an overdue job, which 26 takes for gone): the first is requeued and waits 121 s.
 * Later cycles know nothing of the estimates of this one (recorded, against B4). */
static void test_taken_back(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	w_begin(w, 0);
	struct job *overdue = w_run(w, 30, "n2", 1);
	struct job *j = het_at(w, 100, 4, 4, 0, NULL), *second = j->het->comp[1];
	w_backfill(w, 102);
	assert_int_equal(second->state, JOB_PENDING);
	assert_int_equal(j->state, JOB_PENDING);
	assert_int_equal(j->run, 1);
	controller_epilog_done(w->c, j, UINT32_MAX, true, 103 * USEC);
	assert_int_equal(j->eligible, 103 + 121);
	w_end(w, overdue, 110, 0, true);
	w_backfill(w, 150);
	assert_int_equal(j->state, JOB_PENDING);
	w_backfill(w, 230);
	w_runs_on(w, j, 230, "n2"); /* it is the later one now: submitted anew */
	w_runs_on(w, second, 230, "n1");
	world_free(w);
}

/* B52: a cycle that ends because the state has changed starts none of them; the next one does */
static void test_not_after_a_change(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int change = 0; change < 2; change++) {
			struct controller_cost cost = {.bf_job = INT64_C(1000000000)};
			struct world *w = w_simple(v, "n[1-4]", 4);
			w_begin(w, 0);
			controller_set_cost(w->c, &cost);
			het_at(w, 1, 4, 4, 0, NULL);
			w_job(w, 2, "ntasks", "4", "time", "1", NULL);
			controller_backfill(w->c, 30 * USEC); /* 2 s of work: it yields after the components */
			assert_int_equal(controller_busy_until(w->c), 32 * USEC);
			assert_string_equal(w->starts->str, "");
			if (change)
				w_job_us(w, 32 * USEC + 200000, "ntasks", "1", "time", "1", "hold", "", NULL);
			controller_backfill(w->c, 32 * USEC + 500000);
			assert_string_equal(w->starts->str, change ? "" : "3@33 1@33 2@33");
			assert_string_equal(w->passes->str, change ? "backfill@30:state changed" : "backfill@30:end of queue");
			world_free(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_ids),
	    cmocka_unit_test(test_main_pass_never_starts_one),
	    cmocka_unit_test(test_components_wait_for_each_other),
	    cmocka_unit_test(test_leader_ends_all),
	    cmocka_unit_test(test_commands),
	    cmocka_unit_test(test_refused_as_a_whole),
	    cmocka_unit_test(test_node_failure),
	    cmocka_unit_test(test_one_task_of_an_array),
	    cmocka_unit_test(test_second_component_ends_the_pass),
	    cmocka_unit_test(test_latest_component),
	    cmocka_unit_test(test_start_together),
	    cmocka_unit_test(test_taken_back),
	    cmocka_unit_test(test_not_after_a_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
