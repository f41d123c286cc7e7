/* requeue_test.c - jobs that wait again after they have ended, RequeueExit and RequeueExitHold (C40, C41), SPECIAL_EXIT (C11);
 * recorded in tests/recorded/requeue (22.05)
 *
 * C42 (a launch that fails: requeued and held, JobHoldMaxRequeue) cannot arise: launches do not fail here (README, limits). reasons_test.c holds the
 * table of reasons to that. */
#include "sched_helper.h"
#include "play_helper.h"

static void code(uint64_t *list, int c)
{
	list[c / 64] |= UINT64_C(1) << c % 64;
}

static void refused(struct world *w, struct job *j, unsigned how, sec_t t, const char *text)
{
	GError *error = NULL;
	assert_false(controller_requeue(w->c, j, how, t * USEC, &error));
	assert_string_equal(error->message, text);
	g_error_free(error);
}

/* C40: a job that has ended and is remembered; the delay counts from the command, the old reason stays until the next pass */
static void ended(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 1);
		struct job *ok = w_job(w, 10, NULL), *bad = w_job(w, 10, NULL), *gone = w_job(w, 10, "hold", "", NULL),
			   *no = w_job(w, 10, "no-requeue", "", NULL);
		uint32_t priority;
		w_full(w, 20);
		controller_job_exited(w->c, ok, 0, 0, false, 30 * USEC);
		controller_job_exited(w->c, bad, 1, 0, false, 30 * USEC);
		controller_job_exited(w->c, no, 0, 0, false, 30 * USEC);
		controller_epilog_done(w->c, ok, UINT32_MAX, true, 31 * USEC);
		controller_epilog_done(w->c, bad, UINT32_MAX, true, 31 * USEC);
		controller_epilog_done(w->c, no, UINT32_MAX, true, 31 * USEC);
		assert_true(controller_cancel(w->c, gone, 32 * USEC, NULL));
		priority = ok->priority;
		assert_true(controller_requeue(w->c, ok, 0, 100 * USEC, NULL));
		assert_true(controller_requeue(w->c, bad, REQUEUE_HOLD, 100 * USEC, NULL));
		assert_true(controller_requeue(w->c, gone, 0, 100 * USEC, NULL));
		refused(w, no, 0, 100, "Requested operation is presently disabled");
		refused(w, ok, 0, 100, "Job is pending execution");
		assert_true(controller_requeue(w->c, ok, REQUEUE_INCOMPLETE, 100 * USEC, NULL)); /* not a word */
		w_waits(ok, REASON_NONE);
		assert_int_equal(ok->submit, 100);
		assert_int_equal(ok->eligible, 221);
		assert_int_equal(ok->run, 1);
		assert_int_equal(v == SLURM_22_05 ? priority : 1, v == SLURM_22_05 ? ok->priority : 1);
		assert_string_equal(bad->reason_text, "job requeued in held state");
		assert_int_equal(bad->priority, 0);
		assert_int_equal(bad->exit_code, 1); /* shown until it is released */
		assert_string_equal(job_state_compact(bad->state, bad->flags), "PD");
		w_waits(gone, REASON_HELD_USER); /* as it was */
		w_full(w, 101);
		w_waits(ok, REASON_BEGIN_TIME);
		w_full(w, 221);
		w_runs_on(w, ok, 221, "n1");
		assert_int_equal(controller_n_pending(w->c), 2);
		world_free(w);
	}
}

/* Recorded: while its epilog runs it waits for that first; then the delay begins */
static void completing(void **state)
{
	struct world *w = w_simple(SLURM_22_05, "n1", 4);
	(void)state;
	w_begin(w, 1);
	struct job *j = w_job(w, 10, NULL);
	w_full(w, 20);
	controller_job_exited(w->c, j, 0, 0, false, 30 * USEC);
	assert_true(controller_requeue(w->c, j, 0, 35 * USEC, NULL));
	assert_string_equal(job_state_compact(j->state, j->flags), "CG");
	refused(w, j, 0, 36, "Job is pending execution");
	controller_epilog_done(w->c, j, UINT32_MAX, true, 42 * USEC);
	assert_string_equal(job_state_compact(j->state, j->flags), "PD");
	assert_int_equal(j->eligible, 163);
	assert_int_equal(j->submit, 42);
	world_free(w);
}

/* C41: looked at when the last epilog is done, whatever --no-requeue says (recorded) */
static void by_exit_code(void **state)
{
	static const struct { int exit, signal; const char *shown; enum reason reason; } cases[] = {
	    {3, 0, "PD", REASON_NON_ZERO_EXIT}, {20, 0, "SE", REASON_HELD_USER}, {4, 0, "F", REASON_NON_ZERO_EXIT},
	    {0, 0, "CD", REASON_NONE},          {0, 3, "F", REASON_COUNT},
	};
	(void)state;
	for (EACH_VERSION(v))
		for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = w_simple(v, "n1", 4);
			code(w->p->requeue_exit, 3);
			code(w->p->requeue_exit_hold, 20);
			w_begin(w, 1);
			struct job *j = w_job(w, 10, i % 2 ? "no-requeue" : "requeue", "", NULL);
			w_full(w, 20);
			controller_job_exited(w->c, j, cases[i].exit, cases[i].signal, false, 30 * USEC);
			assert_string_equal(job_state_compact(j->state, j->flags), "CG");
			assert_int_equal(j->state, cases[i].exit || cases[i].signal ? JOB_FAILED : JOB_COMPLETED);
			controller_epilog_done(w->c, j, UINT32_MAX, true, 33 * USEC);
			assert_string_equal(job_state_compact(j->state, j->flags), cases[i].shown);
			if (cases[i].reason != REASON_COUNT)
				assert_int_equal(j->reason, cases[i].reason);
			assert_int_equal(j->run, i < 2);
			if (i < 2)
				assert_int_equal(j->eligible, 154);
			assert_int_equal(j->priority == 0, i == 1);
			world_free(w);
		}
}

/* C11: afternotok is met by SPECIAL_EXIT, afterok and afterany are not; release ends it */
static void special_exit(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 8);
		w_begin(w, 1);
		struct job *j = w_job(w, 10, NULL), *ok = w_job(w, 10, "dependency", "afterok:1", NULL),
			   *any = w_job(w, 10, "dependency", "afterany:1", NULL), *notok = w_job(w, 10, "dependency", "afternotok:1", NULL);
		w_full(w, 20);
		assert_true(controller_requeue(w->c, j, REQUEUE_HOLD | REQUEUE_SPECIAL, 30 * USEC, NULL));
		w_full(w, 31); /* recorded: while it completes already */
		w_runs_on(w, notok, 31, "n2");
		controller_epilog_done(w->c, j, UINT32_MAX, true, 33 * USEC);
		w_full(w, 34);
		assert_string_equal(job_state_compact(j->state, j->flags), "SE");
		assert_string_equal(j->reason_text, v == SLURM_22_05 ? "job requeued in held state" : "job requeued in special exit state");
		w_waits(ok, REASON_DEPENDENCY);
		w_waits(any, REASON_DEPENDENCY);
		assert_true(controller_release(w->c, j, NULL, 200 * USEC, NULL));
		assert_string_equal(job_state_compact(j->state, j->flags), "PD");
		assert_true(j->priority > 0);
		w_full(w, 201);
		assert_int_equal(j->start, 201);
		world_free(w);
	}
}

/* Recorded: one that was suspended by a command keeps its priority of 0, which holds it */
static void suspended(void **state)
{
	struct world *w = w_simple(SLURM_22_05, "n1", 8);
	(void)state;
	w_begin(w, 1);
	struct job *j = w_job(w, 10, NULL);
	w_full(w, 20);
	assert_true(controller_suspend(w->c, j, 30 * USEC, NULL));
	assert_true(controller_requeue(w->c, j, 0, 40 * USEC, NULL));
	controller_epilog_done(w->c, j, UINT32_MAX, true, 41 * USEC);
	w_full(w, 42);
	w_waits(j, REASON_HELD_ADMIN);
	world_free(w);
}

/* Recorded (requeue: e3h; holds-coordinators: h1 to h4b): a hold of a running job is a priority of 0 and its reason at once. Both stay
 * through a requeue and with a good end; a bad one has its own reason, and one that is requeued for it is held from the next pass on. */
static void held(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 8);
		code(w->p->requeue_exit, 3);
		w_begin(w, 1);
		struct job *j = w_job(w, 10, NULL), *by_user = w_job(w, 10, NULL), *freed = w_job(w, 10, NULL), *good = w_job(w, 10, NULL), *bad = w_job(w, 10, NULL),
			   *again = w_job(w, 10, NULL), *zero = w_job(w, 10, NULL);
		w_full(w, 20);
		struct job *all[] = {j, by_user, freed, good, bad, again};
		for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
			assert_true(controller_hold(w->c, all[i], i == 1, 25 * USEC, NULL));
		assert_true(controller_update_job_set(w->c, zero, false, NULL, &(struct job_setting){"priority", "0"}, 1, 25 * USEC, NULL));
		for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
			assert_int_equal(all[i]->state, JOB_RUNNING);
			assert_int_equal(all[i]->priority, 0);
			assert_int_equal(all[i]->reason, i == 1 ? REASON_HELD_USER : REASON_HELD_ADMIN);
		}
		assert_int_equal(zero->reason, REASON_HELD_ADMIN);
		assert_true(controller_release(w->c, freed, NULL, 26 * USEC, NULL));
		assert_int_not_equal(freed->priority, 0);
		assert_int_equal(freed->reason, REASON_NONE);
		assert_true(controller_requeue(w->c, j, 0, 30 * USEC, NULL));
		assert_true(controller_requeue(w->c, by_user, 0, 30 * USEC, NULL));
		assert_true(controller_requeue(w->c, freed, 0, 30 * USEC, NULL));
		controller_job_exited(w->c, good, 0, 0, false, 30 * USEC);
		controller_job_exited(w->c, bad, 1, 0, false, 30 * USEC);
		controller_job_exited(w->c, again, 3, 0, false, 30 * USEC);
		struct job *gone[] = {j, by_user, freed, good, bad, again};
		for (gsize i = 0; i < G_N_ELEMENTS(gone); i++)
			controller_epilog_done(w->c, gone[i], UINT32_MAX, true, 31 * USEC);
		w_waits(j, REASON_HELD_ADMIN);
		w_waits(by_user, REASON_HELD_USER);
		w_waits(again, REASON_NON_ZERO_EXIT);
		assert_int_equal(good->state, JOB_COMPLETED);
		assert_int_equal(good->reason, REASON_HELD_ADMIN);
		assert_int_equal(bad->reason, REASON_NON_ZERO_EXIT);
		w_full(w, 200);
		w_waits(j, REASON_HELD_ADMIN);
		w_waits(by_user, REASON_HELD_USER);
		w_waits(again, REASON_HELD_ADMIN);
		w_runs_on(w, freed, 200, "n1");
		assert_true(controller_release(w->c, j, NULL, 201 * USEC, NULL));
		w_full(w, 202);
		w_runs_on(w, j, 202, "n1");
		world_free(w);
	}
}

/* C26: the id of an array means all its tasks; counts of ended tasks go back (C11) */
static void arrays(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 8);
	(void)state;
	w_begin(w, 1);
	struct job *head = w_job(w, 10, "array", "0-2", NULL), *after = w_job(w, 11, "dependency", "afterany:1", NULL);
	w_full(w, 20);
	struct job *task[3];
	for (uint32_t i = 0; i < 3; i++) {
		task[i] = controller_find_task(w->c, head->id, i);
		w_runs_on(w, task[i], 20, "n1");
	}
	controller_job_exited(w->c, task[0], 0, 0, false, 30 * USEC);
	controller_epilog_done(w->c, task[0], UINT32_MAX, true, 31 * USEC);
	assert_int_equal(task[0]->array->ended, 1);
	assert_true(controller_requeue(w->c, task[0], REQUEUE_INCOMPLETE, 32 * USEC, NULL)); /* split off: this one alone, which has ended */
	assert_int_equal(task[0]->state, JOB_COMPLETED);
	assert_true(controller_requeue(w->c, head, 0, 33 * USEC, NULL));
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(task[i]->state, JOB_PENDING);
	assert_int_equal(task[0]->array->ended, 0);
	assert_int_equal(task[0]->array->ended_ok, 0);
	w_full(w, 34);
	w_waits(after, REASON_DEPENDENCY);
	world_free(w);
}

/* C70 */
static void components(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	(void)state;
	w_begin(w, 1);
	struct job_request *r[2] = {job_request_new(), job_request_new()};
	for (int i = 0; i < 2; i++)
		r[i]->user = g_strdup("u1");
	struct job *lead = controller_submit_het(w->c, r, 2, 10 * USEC, NULL, NULL);
	assert_non_null(lead);
	controller_backfill(w->c, 40 * USEC);
	controller_backfill(w->c, 80 * USEC);
	assert_int_equal(lead->state, JOB_RUNNING);
	struct job *two = lead->het->comp[1];
	controller_job_exited(w->c, lead, 0, 0, false, 100 * USEC);
	controller_epilog_done(w->c, lead, UINT32_MAX, true, 101 * USEC);
	controller_epilog_done(w->c, two, UINT32_MAX, true, 101 * USEC);
	assert_true(controller_requeue(w->c, lead, 0, 110 * USEC, NULL));
	assert_int_equal(lead->state, JOB_PENDING);
	assert_int_equal(two->state, JOB_PENDING);
	world_free(w);
}

/* From a scenario to accounting: the rows are REQUEUED, and the last run ends well */
static void scenario(void **state)
{
	const struct play_file files[] = {
	    {"slurm.conf", "RequeueExit=1-3,17\nRequeueExitHold=20\nSelectTypeParameters=CR_Core\nSchedulerParameters=requeue_delay=20\n"
			   "NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n"},
	    {"scenario.json",
	     "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n"
	     " \"jobs\": [{\"name\": \"again\", \"user\": \"u\", \"run\": 10, \"exit\": 17, \"exit_runs\": 2},\n"
	     "          {\"name\": \"held\", \"user\": \"u\", \"run\": 10, \"exit\": 20, \"exit_runs\": 1},\n"
	     "          {\"name\": \"fixes\", \"user\": \"u\", \"run\": 5, \"depends\": \"afternotok:@held\"},\n"
	     "          {\"name\": \"done\", \"user\": \"u\", \"run\": 10},\n"
	     "          {\"name\": \"se\", \"user\": \"u\", \"run\": 100}],\n"
	     " \"events\": [{\"at\": 60, \"cmd\": \"scontrol release @held\"}, {\"at\": 50, \"cmd\": \"scontrol requeue @done\"},\n"
	     "            {\"at\": 55, \"cmd\": \"scontrol requeue Incomplete @done\"},\n"
	     "            {\"at\": 40, \"cmd\": \"scontrol requeuehold State=SpecialExit @se\"}],\n"
	     " \"until\": 1000}"},
	    {NULL, NULL}};
	static const struct { const char *label, *rows; } want[] = {
	    {"again", "REQUEUED 17 10,REQUEUED 17 10,COMPLETED 0 0"},
	    {"held", "REQUEUED 20 10,COMPLETED 0 0"},
	    {"fixes", "COMPLETED 0 0"},
	    {"done", "REQUEUED 0 10,COMPLETED 0 0"},
	    {"se", "REQUEUED 0 40,PENDING 0 0"}};
	(void)state;
	struct played p = play_files(files);
	for (gsize i = 0; i < G_N_ELEMENTS(want); i++) {
		char *rows = played_ask(&p,
		                        "SELECT group_concat(state || ' ' || exit_code || ' ' || lost) FROM (SELECT * FROM job WHERE label = ?1 ORDER BY run)",
		                        want[i].label, 0);
		assert_string_equal(rows, want[i].rows);
		g_free(rows);
	}
	/* recorded: the end that accounting shows of a run requeued afterwards is the moment of that */
	char *end = played_ask(&p, "SELECT end_s - (SELECT min(submit_s) FROM job) FROM job WHERE label = ?1 AND run = 0", "done", 0);
	assert_string_equal(end, "50");
	g_free(end);
	end = played_ask(&p, "SELECT (end_t - start_t) / 1000000 FROM job WHERE label = ?1 AND run = 0", "done", 0);
	assert_string_equal(end, "10"); /* what it really used */
	g_free(end);
	played_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ended),    cmocka_unit_test(completing), cmocka_unit_test(by_exit_code), cmocka_unit_test(special_exit),
	    cmocka_unit_test(suspended), cmocka_unit_test(held), cmocka_unit_test(arrays),    cmocka_unit_test(components),   cmocka_unit_test(scenario),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
