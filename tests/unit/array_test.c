/* array_test.c - job arrays (lifecycle C20-C26, W4; main-scheduler S20, S21, S30) */
#include "sched_helper.h"

/* W4 (C21: the shown id): submitted at 0 as job 10, --array=0-4%2, next free id 11 */
static void worked_example(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 16);
		w->p->first_job_id = 10;
		w_begin(w, 0);
		struct job *head = w_job(w, 0, "array", "0-4%2", "ntasks", "1", NULL);
		w_full(w, 1);
		assert_string_equal(w->starts->str, "11@1 12@1");
		g_autofree char *text = job_format_id(head);
		assert_string_equal(text, "10_[2-4%2]");
		w_waits(head, REASON_ARRAY_TASK_LIMIT);
		w_end(w, controller_find_task(w->c, 10, 0), 100, 0, true);
		controller_run_requested(w->c, 100 * USEC);
		w_end(w, controller_find_task(w->c, 10, 1), 110, 0, true);
		controller_run_requested(w->c, 110 * USEC);
		w_end(w, controller_find_task(w->c, 10, 2), 120, 0, true);
		controller_run_requested(w->c, 120 * USEC);
		assert_string_equal(w->starts->str, "11@1 12@1 13@100 14@110 10@120");
		assert_int_equal(controller_find_job(w->c, 13)->task, 2);
		assert_int_equal(controller_find_job(w->c, 14)->task, 3);
		assert_ptr_equal(controller_find_job(w->c, 10), head);
		assert_int_equal(head->task, 4);
		assert_null(head->tasks);
		world_free(w);
	}
}

/* C25: array 10 with 5 tasks started in order: ids 11, 12, 13, 14 and 10 for the last */
static void ids(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int by_backfill = 0; by_backfill < 2; by_backfill++) {
			struct world *w = w_simple(v, "n1", 16);
			w->p->first_job_id = 10;
			w_begin(w, 1);
			w_job(w, 10, "array", "1-9:2", "ntasks", "1", "time", "10", NULL);
			controller_pass(w->c, by_backfill ? PASS_BACKFILL : PASS_MAIN_FULL, 20 * USEC);
			assert_string_equal(w->starts->str, "11@20 12@20 13@20 14@20 10@20");
			static const uint32_t id[] = {11, 12, 13, 14, 10};
			for (uint32_t i = 0; i < 5; i++)
				assert_int_equal(controller_find_task(w->c, 10, 1 + 2 * i)->id, id[i]);
			assert_int_equal(controller_n_running(w->c), 5);
			assert_int_equal(controller_n_pending(w->c), 0);
			world_free(w);
		}
}

/* C24: the count falls when the end of a task is processed, before its epilog */
static void freed_before_epilog(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	(void)state;
	w_begin(w, 1);
	struct job *head = w_job(w, 10, "array", "0-2%1", "exclusive", "", NULL);
	w_full(w, 20);
	struct job *first = controller_find_task(w->c, head->id, 0);
	w_runs_on(w, first, 20, "n1");
	w_end(w, first, 100, 0, false);
	w_full(w, 101);
	w_runs_on(w, controller_find_task(w->c, head->id, 1), 101, "n2");
	world_free(w);
}

/* C20, C21, C22 */
static void forms(void **state)
{
	static const struct {
		const char *text;
		uint32_t n; /* 0 = refused */
		const char *id;
	} cases[] = {
	    {"0-3", 4, "1_[0-3]"},
	    {"1,3,5-6", 4, "1_[1,3,5-6]"},
	    {"0-7:2", 4, "1_[0,2,4,6]"},
	    {"5", 1, "1_[5]"},
	    {"0-3%2", 4, "1_[0-3%2]"},
	    {"1000", 1, "1_[1000]"},
	    {"1001", 0, NULL},
	    {"0-3%0", 0, NULL},
	    {"3-1", 0, NULL},
	    {"x", 0, NULL},
	    {"0-1000", 1001, "1_[0-1000]"},
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world *w = w_simple(SLURM_26, "n1", 4);
		w_begin(w, 1);
		if (!cases[i].n) {
			w_refused(w, 10, "Invalid job array specification", "array", cases[i].text, NULL);
		} else {
			struct job *j = w_job(w, 10, "array", cases[i].text, NULL);
			g_autofree char *id = job_format_id(j);
			assert_string_equal(id, cases[i].id);
			assert_int_equal(array_tasks_left(j), cases[i].n);
			assert_int_equal(controller_n_pending(w->c), cases[i].n);
		}
		world_free(w);
	}
}

static void size_limits(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w->p->max_array_size = 101;
	w->p->max_array_tasks = 10;
	w_begin(w, 1);
	w_refused(w, 10, "Invalid job array specification", "array", "101", NULL);
	w_refused(w, 10, "Invalid job array specification", "array", "0-10", NULL);
	w_job(w, 10, "array", "91-100", NULL);
	world_free(w);
}

/* S30: a head starts tasks until one fails; S20, S21: the array is then passed over in this pass, split tasks copy its
 * reason */
static void until_full(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 1);
		struct job *head = w_job(w, 10, "array", "0-9", "ntasks", "1", NULL);
		struct job *task = controller_split_task(w->c, head, 9, 10 * USEC);
		w_full(w, 20);
		/* task 9 has a record of its own and a task id below the head's "no value" (S12 key 8): it comes first
		 */
		assert_int_equal(task->state, JOB_RUNNING);
		assert_int_equal(controller_n_running(w->c), 4);
		assert_int_equal(array_tasks_left(head), 6);
		w_waits(head, REASON_RESOURCES);
		world_free(w);
	}
}

/* C26: the head cancels all; one index only that */
static void cancel(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 2);
		w_begin(w, 1);
		struct job *head = w_job(w, 10, "array", "0-4", "ntasks", "1", NULL);
		w_full(w, 20);
		assert_true(controller_cancel_task(w->c, head->id, 3, 30 * USEC, NULL)); /* the head forgets it */
		assert_null(controller_find_task(w->c, head->id, 3));
		GError *error = NULL;
		assert_false(controller_cancel_task(w->c, head->id, 3, 30 * USEC, &error));
		g_clear_error(&error);
		assert_int_equal(controller_n_pending(w->c), 2);
		g_autofree char *text = job_format_id(head);
		assert_string_equal(text, "1_[2,4]");
		assert_true(controller_cancel_task(w->c, head->id, 0, 31 * USEC, NULL));
		assert_int_equal(controller_find_task(w->c, head->id, 0)->state, JOB_CANCELLED);
		assert_int_equal(controller_n_running(w->c), 1);
		assert_true(controller_cancel(w->c, head, 40 * USEC, NULL));
		assert_int_equal(controller_n_running(w->c), 0);
		assert_int_equal(controller_n_pending(w->c), 0);
		world_free(w);
	}
}

/* C26: hold and release of the array id reach split tasks too */
static void hold(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w_begin(w, 1);
	struct job *head = w_job(w, 10, "array", "0-3", "ntasks", "1", NULL);
	struct job *task = controller_split_task(w->c, head, 2, 11 * USEC);
	assert_true(controller_hold(w->c, head, true, 12 * USEC, NULL));
	assert_int_equal(head->priority, 0);
	assert_int_equal(task->priority, 0);
	w_full(w, 20);
	assert_string_equal(w->starts->str, "");
	assert_true(controller_release(w->c, head, NULL, 21 * USEC, NULL));
	w_full(w, 30);
	assert_int_equal(controller_n_running(w->c), 4);
	world_free(w);
}

/* P13, C3.7: an array becomes eligible at its first queue build, not at submission */
static void eligible(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 1);
	(void)state;
	w_begin(w, 1);
	struct job *head = w_job(w, 10, "array", "0-3", NULL);
	assert_int_equal(head->eligible, 0);
	w_full(w, 20);
	assert_int_equal(head->eligible, 20);
	world_free(w);
}

/* B32a: tasks are planned one after another and then started one by one in the right order */
static void backfill_plans(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 4);
		w_begin(w, 0);
		w_run(w, 0, "n[1-2]", 60);
		struct job *head = w_job(w, 100, "array", "0-2", "exclusive", "", "time", "10", NULL);
		w_clear(w);
		w_backfill(w, 100);
		assert_int_equal(head->est_start, 3600); /* the earliest planned */
		assert_int_equal(head->array->planned, 3);
		assert_non_null(strstr(w->steps->str, "plan 2 3600 n1;"));
		assert_non_null(strstr(w->steps->str, "plan 2 3600 n2;"));
		assert_non_null(strstr(w->steps->str, "plan 2 4200 n1"));
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(worked_example), cmocka_unit_test(ids),         cmocka_unit_test(freed_before_epilog),
	    cmocka_unit_test(forms),          cmocka_unit_test(size_limits), cmocka_unit_test(until_full),
	    cmocka_unit_test(cancel),         cmocka_unit_test(hold),        cmocka_unit_test(eligible),
	    cmocka_unit_test(backfill_plans),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
