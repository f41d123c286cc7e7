/* lifecycle_test.c - the worked examples of spec lifecycle.md section 10 (W1, W3, W5, W7; W4 is in array_test.c) and
 * the rules around them */
#include "sched_helper.h"

static void ticks(struct world *w, sec_t from, sec_t to)
{
	for (sec_t t = from + 1; t <= to; t++)
		controller_tick(w->c, t * USEC);
}

/* W1 (C34): checks at 30, 60, 90, ...; the first check with end_time <= t - 60 x OverTimeLimit */
static void time_limit(void **state)
{
	static const struct {
		const char *limit;
		sec_t start;
		uint32_t over, part_over;
		sec_t end;
	} cases[] = {
	    {"1", 1000, 0, NO_VAL, 1080}, {"1", 1000, 1, NO_VAL, 1140}, {"2", 1020, 0, NO_VAL, 1140},
	    {"1", 1000, 0, 1, 1140},      {"1", 1000, 1, 0, 1080}, /* the partition's value first */
	};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = w_simple(v, "n1", 4);
			struct partition *p = w->cl->partitions->pdata[0];
			w->naive = true;
			w->p->over_time_limit = cases[i].over;
			p->over_time_limit = cases[i].part_over;
			w_begin(w, 0);
			ticks(w, 0, cases[i].start - 1);
			struct job *j = w_job_us(w, cases[i].start * USEC - USEC / 2, "time", cases[i].limit, NULL);
			ticks(w, cases[i].start - 1, cases[i].start);
			w_runs_on(w, j, cases[i].start, "n1");
			ticks(w, cases[i].start, cases[i].end - 1);
			assert_int_equal(j->state, JOB_RUNNING);
			ticks(w, cases[i].end - 1, cases[i].end);
			assert_int_equal(j->state, JOB_TIMEOUT);
			assert_int_equal(j->flags & JOB_COMPLETING, JOB_COMPLETING);
			assert_int_equal(j->reason, REASON_TIME_LIMIT);
			assert_int_equal(j->end, cases[i].end);
			world_free(w);
		}
}

/* C34 with the turns left out that the library does not ask for */
static void time_limit_skipped(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w_begin(w, 0);
	struct job *j = w_job(w, 1000, "time", "1", NULL);
	w_full(w, 1000);
	usec_t t = 1000 * USEC;
	while (j->state == JOB_RUNNING) {
		t = controller_next_tick(w->c, t);
		assert_true(t <= 1080 * USEC);
		controller_tick(w->c, t);
	}
	assert_int_equal(j->end, 1080);
	world_free(w);
}

/* C28, L66: the limit in force */
static void limit_at_start(void **state)
{
	static const struct {
		uint32_t def, max;
		const char *asked;
		uint32_t want;
	} cases[] = {{NO_VAL, INFINITE, NULL, INFINITE},
	             {NO_VAL, 60, NULL, 60},
	             {30, 60, NULL, 30},
	             {30, 60, "45", 45},
	             {30, INFINITE, "0", INFINITE}};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = w_simple(v, "n1", 4);
			struct partition *p = w->cl->partitions->pdata[0];
			p->default_time = cases[i].def;
			p->max_time = cases[i].max;
			w_begin(w, 1);
			struct job *j = w_job(w, 10, cases[i].asked ? "time" : "comment",
			                      cases[i].asked ? cases[i].asked : "x", NULL);
			w_full(w, 20);
			assert_int_equal(j->time_limit, cases[i].want);
			assert_int_equal(j->end, 20 + (cases[i].want == INFINITE ? 365 * 86400 : cases[i].want * 60));
			world_free(w);
		}
}

/* W3 (C10-C13): A ends with exit 1 at 500, epilog done at 503 */
static void dependency_chain(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int kill = 0; kill < 2; kill++) {
			struct world *w = w_simple(v, "n1", 4);
			w->p->kill_invalid_depend = kill;
			w_begin(w, 1);
			struct job *a = w_job(w, 10, NULL);
			assert_int_equal(a->id, 1);
			w_full(w, 10);
			struct job *b = w_job(w, 20, "dependency", "afterok:1", NULL);
			struct job *c = w_job(w, 20, "dependency", "afternotok:1", NULL);
			struct job *d = w_job(w, 20, "dependency", "afterany:1", NULL);
			w_waits(b, REASON_DEPENDENCY);
			w_end(w, a, 500, 1, false);
			assert_int_equal(a->state, JOB_FAILED);
			assert_int_equal(a->reason, REASON_NON_ZERO_EXIT);
			w_full(w, 501);
			w_waits(b, REASON_DEPENDENCY);
			w_waits(c, REASON_DEPENDENCY);
			w_waits(d, REASON_DEPENDENCY);
			controller_epilog_done(w->c, a, UINT32_MAX, true, 503 * USEC);
			controller_run_requested(w->c, 503 * USEC);
			assert_int_equal(b->state, kill ? JOB_CANCELLED : JOB_PENDING);
			assert_int_equal(b->reason, REASON_DEPENDENCY_NEVER);
			if (kill)
				assert_int_equal(b->end, 503);
			w_runs_on(w, c, 503, "n1");
			assert_int_equal(c->eligible, 503);
			assert_int_equal(d->eligible, 503);
			world_free(w);
		}
}

/* W5 (C40, C45): job 7 on n1, set DOWN at 2000 */
static void requeue_node_down(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 4);
		w->p->first_job_id = 7;
		w_begin(w, 1);
		struct job *j = w_job(w, 10, "nodelist", "n1", "time", "600", NULL);
		w_full(w, 20);
		w_runs_on(w, j, 20, "n1");
		assert_true(controller_update_node(w->c, "n1", "DOWN", "test", 2000 * USEC, NULL));
		assert_int_equal(j->id, 7);
		assert_int_equal(j->state, JOB_PENDING);
		assert_false(j->flags & JOB_COMPLETING);
		assert_int_equal(j->eligible, 2121);
		assert_int_equal(j->submit, 2000);
		assert_int_equal(j->run, 1);
		assert_int_equal(j->start, 0);
		assert_int_equal(j->end, 0);
		w_waits(j, REASON_NONE);
		w_full(w, 2010);
		w_waits(j, REASON_BEGIN_TIME);
		assert_true(controller_update_node(w->c, "n1", "RESUME", NULL, 2020 * USEC, NULL));
		w_full(w, 2120);
		w_waits(j, REASON_BEGIN_TIME);
		w_full(w, 2121);
		w_runs_on(w, j, 2121, "n1");
		assert_int_equal(j->eligible, 2121);
		world_free(w);
	}
}

/* C30, C45: only nodes that are down are not waited for */
static void two_nodes_down(void **state)
{
	(void)state;
	for (int both = 0; both < 2; both++) {
		struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
		w_begin(w, 1);
		struct job *j = w_run(w, 1, "n[1-2]", 600);
		assert_true(controller_update_node(w->c, both ? "n[1-2]" : "n1", "DOWN", "test", 2000 * USEC, NULL));
		assert_int_equal((j->flags & JOB_COMPLETING) == 0, both);
		controller_epilog_done(w->c, j, UINT32_MAX, true, 2003 * USEC);
		assert_int_equal(j->eligible, both ? 2121 : 2124);
		world_free(w);
	}
}

/* C45 without requeue: NODE_FAIL, reason NodeDown */
static void node_down_no_requeue(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w_begin(w, 1);
	struct job *j = w_job(w, 10, "no-requeue", "", NULL);
	w_full(w, 20);
	assert_true(controller_update_node(w->c, "n1", "DOWN", "test", 2000 * USEC, NULL));
	assert_int_equal(j->state, JOB_NODE_FAIL);
	assert_false(j->flags & JOB_COMPLETING);
	assert_int_equal(j->reason, REASON_NODE_DOWN);
	assert_int_equal(j->end, 2000);
	world_free(w);
}

/* C40: requeue of a running job waits for the epilog; a limit made at the start is forgotten, one from DefaultTime at
 * submission stays */
static void requeue(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int def = 0; def < 2; def++) {
			struct world *w = w_simple(v, "n1", 4);
			struct partition *p = w->cl->partitions->pdata[0];
			p->max_time = 60;
			p->default_time = def ? 30 : NO_VAL;
			w_begin(w, 1);
			struct job *j = w_job(w, 10, NULL);
			w_full(w, 20);
			assert_int_equal(j->time_limit, def ? 30 : 60);
			assert_true(controller_requeue(w->c, j, false, 100 * USEC, NULL));
			assert_int_equal(j->state, JOB_PENDING);
			assert_true(j->flags & JOB_COMPLETING);
			w_full(w, 101); /* nothing happens to a COMPLETING job (S10.2) */
			assert_int_equal(j->state, JOB_PENDING);
			int64_t asked = (int64_t)w->c->counter;
			controller_epilog_done(w->c, j, UINT32_MAX, true, 110 * USEC);
			assert_int_equal((int64_t)w->c->counter, asked); /* S3: the message has a pass of its own, and there is no other (preempt-order, hold-begin) */
			assert_int_equal(j->eligible, 231);
			assert_int_equal(j->submit, 110);
			assert_int_equal(j->time_limit, def ? 30 : NO_VAL);
			w_waits(j, REASON_NONE);
			w_full(w, 230);
			w_waits(j, REASON_BEGIN_TIME);
			w_full(w, 231);
			assert_int_equal(j->start, 231);
			assert_int_equal(j->run, 1);
			world_free(w);
		}
}

/* C41 */
static void requeue_hold(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w_begin(w, 1);
	struct job *j = w_job(w, 10, NULL);
	w_full(w, 20);
	assert_true(controller_requeue(w->c, j, true, 100 * USEC, NULL));
	assert_int_equal(j->reason, REASON_HELD_USER); /* recorded: while it completes already */
	assert_int_equal(j->priority, 0);
	controller_epilog_done(w->c, j, UINT32_MAX, true, 100 * USEC);
	w_waits(j, REASON_HELD_USER);
	assert_int_equal(j->priority, 0);
	w_full(w, 300);
	w_waits(j, REASON_HELD_USER);
	assert_true(controller_release(w->c, j, "u1", 310 * USEC, NULL));
	w_full(w, 320);
	assert_int_equal(j->start, 320);
	world_free(w);
}

static void requeue_refused(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w->p->job_requeue = false;
	w_begin(w, 1);
	struct job *j = w_job(w, 10, NULL), *k = w_job(w, 10, "requeue", "", NULL);
	w_full(w, 20);
	GError *error = NULL;
	assert_false(controller_requeue(w->c, j, false, 100 * USEC, &error));
	g_clear_error(&error);
	assert_true(controller_requeue(w->c, k, false, 100 * USEC, NULL));
	world_free(w);
}

/* W7 (C50-C52) */
static void node_display(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 8);
		w_begin(w, 1);
		struct node *n = w->cl->node[0];
		struct job *a = w_job(w, 10, "ntasks", "4", NULL);
		w_full(w, 20);
		assert_string_equal(controller_node_state(w->c, n, true), "mix");
		assert_true(controller_update_node(w->c, "n1", "DRAIN", "test", 30 * USEC, NULL));
		assert_string_equal(controller_node_state(w->c, n, false), "draining");
		assert_string_equal(controller_node_state(w->c, n, true), "drng");
		w_end(w, a, 40, 0, true);
		assert_string_equal(controller_node_state(w->c, n, false), "drained");
		assert_string_equal(controller_node_state(w->c, n, true), "drain");
		assert_true(controller_update_node(w->c, "n1", "RESUME", NULL, 50 * USEC, NULL));
		assert_string_equal(controller_node_state(w->c, n, true), "idle");
		struct job *b = w_job(w, 60, "ntasks", "4", NULL), *c = w_job(w, 60, "ntasks", "4", NULL);
		w_full(w, 60);
		assert_string_equal(controller_node_state(w->c, n, true), "alloc");
		w_end(w, b, 70, 0, false);
		/* recorded (captures sinfo-default), as C51 has it: COMPLETING comes before MIXED, though the other job is still there */
		assert_string_equal(controller_node_state(w->c, n, true), "comp");
		w_end(w, c, 80, 0, false);
		assert_string_equal(controller_node_state(w->c, n, true), "comp");
		assert_string_equal(controller_node_state(w->c, n, false), "completing");
		controller_epilog_done(w->c, b, UINT32_MAX, true, 90 * USEC);
		assert_string_equal(controller_node_state(w->c, n, true), "comp");
		controller_epilog_done(w->c, c, UINT32_MAX, true, 91 * USEC);
		assert_string_equal(controller_node_state(w->c, n, true), "idle");
		world_free(w);
	}
}

/* C30: cores go back at once, but a COMPLETING node takes no new job until its epilog is done */
static void epilog_keeps_node(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 1);
		struct job *a = w_run(w, 1, "n1", 60);
		struct job *b = w_job(w, 10, NULL);
		w_end(w, a, 100, 0, false);
		assert_int_equal(w->c->use->cpus, 0);
		w_full(w, 101);
		w_waits(b, REASON_RESOURCES);
		controller_epilog_done(w->c, a, 0, true, 102 * USEC);
		assert_false(a->flags & JOB_COMPLETING);
		w_full(w, 102);
		w_runs_on(w, b, 102, "n1");
		world_free(w);
	}
}

/* C30: the last of several nodes ends the COMPLETING phase */
static void epilogs_by_node(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	(void)state;
	w_begin(w, 1);
	struct job *a = w_run(w, 1, "n[1-2]", 60);
	w_end(w, a, 100, 0, false);
	controller_epilog_done(w->c, a, 0, true, 101 * USEC);
	assert_true(a->flags & JOB_COMPLETING);
	assert_false(w->c->quick_requested);
	controller_epilog_done(w->c, a, 0, true, 101 * USEC); /* told twice */
	assert_true(a->flags & JOB_COMPLETING);
	struct job *b = w_job(w, 101, "exclusive", "", NULL);
	w_full(w, 101);
	w_runs_on(w, b, 101, "n1");
	controller_epilog_done(w->c, a, 1, true, 102 * USEC);
	assert_false(a->flags & JOB_COMPLETING);
	assert_true(w->c->quick_requested);
	world_free(w);
}

/* C31 */
static void final_states(void **state)
{
	static const struct {
		int code, signal;
		bool oom;
		sec_t at;
		enum job_state want;
		enum reason reason;
	} cases[] = {
	    {0, 0, false, 50, JOB_COMPLETED, REASON_NONE},       {3, 0, false, 50, JOB_FAILED, REASON_NON_ZERO_EXIT},
	    {0, 9, false, 50, JOB_FAILED, REASON_RAISED_SIGNAL}, {1, 0, true, 50, JOB_OOM, REASON_OUT_OF_MEMORY},
	    {0, 0, false, 61, JOB_COMPLETED, REASON_NONE},       {0, 0, false, 62, JOB_TIMEOUT, REASON_TIME_LIMIT},
	    {2, 0, false, 62, JOB_FAILED, REASON_NON_ZERO_EXIT},
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world *w = w_simple(SLURM_26, "n1", 4);
		w_begin(w, 1);
		struct job *j = w_run(w, 1, "n1", 1); /* end 61 */
		controller_job_exited(w->c, j, cases[i].code, cases[i].signal, cases[i].oom, cases[i].at * USEC);
		assert_int_equal(j->state, cases[i].want);
		assert_int_equal(j->reason, cases[i].reason);
		assert_int_equal(j->end, cases[i].at);
		world_free(w);
	}
}

/* C32 */
static void cancel(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w_begin(w, 1);
	struct job *a = w_run(w, 1, "n1", 60);
	struct job *b = w_job(w, 10, NULL);
	assert_true(controller_cancel(w->c, b, 20 * USEC, NULL));
	assert_int_equal(b->state, JOB_CANCELLED);
	assert_int_equal(b->end, 20);
	assert_false(b->flags & JOB_COMPLETING);
	assert_true(controller_cancel(w->c, a, 30 * USEC, NULL));
	assert_int_equal(a->state, JOB_CANCELLED);
	assert_true(a->flags & JOB_COMPLETING);
	assert_int_equal(w->c->use->cpus, 0);
	GError *error = NULL;
	assert_false(controller_cancel(w->c, a, 31 * USEC, &error));
	g_clear_error(&error);
	world_free(w);
}

/* C3-C6 */
static void eligible(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 1);
		w_job(w, 1, "ntasks", "4", NULL); /* not exclusive: that would show as Resources at submission (R10) */
		w_full(w, 1);
		struct job *plain = w_job(w, 10, NULL);
		struct job *later = w_job(w, 10, "begin", "100", NULL);
		struct job *held = w_job(w, 10, "hold", "", NULL);
		struct job *kept = w_job(w, 10, NULL);
		assert_int_equal(plain->eligible, 10);
		assert_int_equal(later->eligible, 100);
		w_waits(later, REASON_BEGIN_TIME);
		assert_int_equal(held->eligible, 0);
		w_waits(held, REASON_HELD_USER);
		assert_true(controller_hold(w->c, kept, false, 11 * USEC, NULL));
		w_full(w, 99);
		w_waits(later, REASON_BEGIN_TIME);
		w_full(w, 130);
		assert_int_equal(later->eligible, 100); /* C4 */
		w_waits(later, REASON_PRIORITY);
		w_waits(held, REASON_HELD_USER);
		w_waits(kept, REASON_HELD_ADMIN);
		GError *error = NULL;
		assert_false(controller_release(w->c, kept, "u1", 140 * USEC, &error)); /* C6: only an administrator */
		g_clear_error(&error);
		assert_true(controller_release(w->c, held, "u1", 150 * USEC, NULL));
		w_full(w, 160);
		assert_int_equal(held->eligible, 160); /* C5: the first test after the release */
		world_free(w);
	}
}

/* C8a */
static void deadline_at_submit(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 1);
		w_refused(w, 100, "Requested time limit is invalid", "deadline", "99", NULL);
		w_refused(w, 100, "Requested time limit is invalid", "deadline", "700", "time", "11", NULL);
		w_refused(w, 100, "time-min", "deadline", "700", "time", "20", "time-min", "11", NULL);
		assert_int_equal(w_job(w, 100, "deadline", "700", "time", "20", "time-min", "10", NULL)->time_min, 10);
		assert_int_equal(w_job(w, 100, "deadline", "700", NULL)->time_min, 1);
		if (v == SLURM_26)
			w_refused(w, 100, "Requested time limit is invalid", "deadline", "700", "begin", "200", "time",
			          "10", NULL);
		else
			w_job(w, 100, "deadline", "700", "begin", "200", "time", "10", NULL);
		world_free(w);
	}
}

/* C38: a record goes MinJobAge after its end */
static void purge(void **state)
{
	(void)state;
	for (int age = 0; age < 2; age++) {
		struct world *w = w_simple(SLURM_26, "n1", 4);
		w->p->min_job_age = age ? 300 : 0;
		w_begin(w, 0);
		struct job *a = w_run(w, 1, "n1", 60);
		uint32_t id = a->id;
		w_end(w, a, 100, 0, true);
		controller_purge(w->c, 360 * USEC);
		assert_non_null(controller_find_job(w->c, id));
		controller_purge(w->c, 420 * USEC); /* 100 <= 420 - 300 */
		if (age)
			assert_null(controller_find_job(w->c, id));
		else
			assert_non_null(controller_find_job(w->c, id));
		world_free(w);
	}
}

/* C38: tasks go one by one, the record that bears the array's id when all are done */
static void purge_array(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n1", 16);
	w->p->first_job_id = 10;
	w_begin(w, 0);
	struct job *head = w_job(w, 0, "array", "0-4", "ntasks", "1", NULL);
	w_full(w, 1);
	static const struct { uint32_t task; sec_t end; } ends[] = {{1, 60}, {4, 100}, {0, 100}, {3, 110}, {2, 1000}};
	for (int i = 0; i < 4; i++)
		w_end(w, controller_find_task(w->c, 10, ends[i].task), ends[i].end, 0, true);
	controller_purge(w->c, 360 * USEC); /* task 1 */
	assert_null(controller_find_task(w->c, 10, 1));
	assert_int_equal(ctl_array_records(w->c, 10)->len, 4);
	controller_purge(w->c, 600 * USEC); /* the others that have ended, but for the head */
	assert_null(controller_find_task(w->c, 10, 0));
	assert_null(controller_find_task(w->c, 10, 3));
	assert_ptr_equal(controller_find_task(w->c, 10, 4), head);
	assert_int_equal(controller_n_jobs(w->c), 2);
	w_end(w, controller_find_task(w->c, 10, 2), 1000, 0, true);
	controller_purge(w->c, 1020 * USEC);
	assert_null(controller_find_job(w->c, 10));
	assert_non_null(controller_find_task(w->c, 10, 2));
	controller_purge(w->c, 1320 * USEC);
	assert_int_equal(controller_n_jobs(w->c), 0);
	assert_null(ctl_array_records(w->c, 10));
	world_free(w);
}

/* C43, recorded (22.05): who is suspended by an administrator is held meanwhile, ends when it was suspended, and is held still when it is requeued */
static void suspended_by_admin(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-3]", 4);
		w_begin(w, 0);
		struct job *resumed = w_run(w, 5, "n1", 10), *killed = w_run(w, 5, "n2", 10), *requeued = w_run(w, 5, "n3", 10);
		struct job *all[] = {resumed, killed, requeued};
		for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
			assert_true(controller_suspend(w->c, all[i], 20 * USEC, NULL));
			assert_int_equal(all[i]->priority, 0);
		}
		assert_true(controller_cancel(w->c, killed, 35 * USEC, NULL));
		assert_int_equal(killed->end, 20);
		assert_int_equal(killed->end_t, 35 * USEC);
		assert_int_equal(killed->sus_total, 0);
		assert_int_equal(killed->halted, 15);
		assert_true(controller_requeue(w->c, requeued, false, 35 * USEC, NULL));
		assert_int_equal(requeued->end, 20);
		controller_epilog_done(w->c, requeued, UINT32_MAX, true, 36 * USEC);
		w_full(w, 200);
		w_waits(requeued, REASON_HELD_ADMIN);
		assert_true(controller_release(w->c, requeued, NULL, 201 * USEC, NULL));
		w_full(w, 202);
		assert_int_equal(requeued->state, JOB_RUNNING);
		assert_true(controller_resume(w->c, resumed, 203 * USEC, NULL));
		assert_int_not_equal(resumed->priority, 0);
		assert_int_equal(resumed->end, 203 + 600 - 15);
		w_end(w, resumed, 300, 0, true);
		assert_int_equal(resumed->end, 300);
		assert_int_equal(resumed->halted, 0);
		world_free(w);
	}
}

/* C8; recorded (22.05): a held one outlives its deadline */
static void deadline_held(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 0);
		struct job *held = w_job(w, 1, "deadline", "200", "time", "2", "hold", "", NULL);
		controller_tick(w->c, 120 * USEC);
		assert_int_equal(held->state, v == SLURM_22_05 ? JOB_PENDING : JOB_DEADLINE);
		world_free(w);
	}
}

/* C37: InactiveLimit is about srun and salloc, which are not simulated: a batch job says nothing for hours and runs on */
static void inactive(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w->p->inactive_limit = 10;
		w_begin(w, 0);
		struct job *j = w_run(w, 1, "n1", 600);
		controller_sweep(w->c, 30000 * USEC);
		assert_int_equal(j->state, JOB_RUNNING);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(time_limit),
	    cmocka_unit_test(time_limit_skipped),
	    cmocka_unit_test(limit_at_start),
	    cmocka_unit_test(dependency_chain),
	    cmocka_unit_test(requeue_node_down),
	    cmocka_unit_test(two_nodes_down),
	    cmocka_unit_test(node_down_no_requeue),
	    cmocka_unit_test(requeue),
	    cmocka_unit_test(requeue_hold),
	    cmocka_unit_test(requeue_refused),
	    cmocka_unit_test(node_display),
	    cmocka_unit_test(epilog_keeps_node),
	    cmocka_unit_test(epilogs_by_node),
	    cmocka_unit_test(final_states),
	    cmocka_unit_test(cancel),
	    cmocka_unit_test(eligible),
	    cmocka_unit_test(deadline_at_submit),
	    cmocka_unit_test(suspended_by_admin),
	    cmocka_unit_test(deadline_held),
	    cmocka_unit_test(inactive),
	    cmocka_unit_test(purge),
	    cmocka_unit_test(purge_array),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
