/* depend_test.c - dependencies (lifecycle C10-C13); W3 is in lifecycle_test.c */
#include "sched_helper.h"

/* Jobs 1 (runs, fails at 100), 2 (runs, succeeds at 100), 3 (runs on), 4 (held); and what a dependency then says at
 * 200. */
static struct world *four_jobs(enum slurm_version v)
{
	struct world *w = w_simple(v, "n1", 8);
	w_begin(w, 1);
	struct job *a = w_job(w, 10, NULL), *b = w_job(w, 10, NULL);
	w_job(w, 10, NULL);
	w_job(w, 10, "hold", "", NULL);
	w_full(w, 20);
	w_end(w, a, 100, 1, true);
	w_end(w, b, 100, 0, true);
	return w;
}

static const struct {
	const char *text;
	enum reason want; /* REASON_NONE = fulfilled */
} items[] = {
    {"after:1", REASON_NONE},
    {"after:3", REASON_NONE},
    {"after:4", REASON_DEPENDENCY},
    {"after:3+1", REASON_NONE},
    {"after:3+3", REASON_NONE},       /* 200 - 20 >= 180 */
    {"after:3+4", REASON_DEPENDENCY}, /* 180 < 240 */
    {"afterany:1", REASON_NONE},
    {"afterany:3", REASON_DEPENDENCY},
    {"afterok:1", REASON_DEPENDENCY_NEVER},
    {"afterok:2", REASON_NONE},
    {"afterok:3", REASON_DEPENDENCY},
    {"afternotok:1", REASON_NONE},
    {"afternotok:2", REASON_DEPENDENCY_NEVER},
    {"afternotok:3", REASON_DEPENDENCY},
    {"aftercorr:2", REASON_NONE},
    {"2", REASON_NONE}, /* a bare id = afterany */
    {"3", REASON_DEPENDENCY},
    {"afterany:99", REASON_NONE}, /* unknown = fulfilled */
    {"afterok:2,afterany:3", REASON_DEPENDENCY},
    {"afterok:2,afterok:1", REASON_DEPENDENCY_NEVER},
    {"afterok:1,afterany:3", REASON_DEPENDENCY_NEVER}, /* AND: failed as soon as one failed */
    {"afterok:1?afterok:2", REASON_NONE},
    {"afterok:1?afterany:3", REASON_DEPENDENCY},
    {"afterok:1?afternotok:2", REASON_DEPENDENCY_NEVER},
    {"afterok:2:1", REASON_DEPENDENCY_NEVER},
    {"afterok:2,afternotok:1", REASON_NONE},
};

static void item_table(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(items); i++) {
			struct world *w = four_jobs(v);
			struct job *j = w_job(w, 200, "dependency", items[i].text, NULL);
			w_full(w, 200);
			if (items[i].want == REASON_NONE ? j->state != JOB_RUNNING : j->reason != items[i].want)
				fail_msg("%s: %s %s", items[i].text, job_state_name(j->state), reason_name(j->reason));
			world_free(w);
		}
}

/* C11: since 23.02 an unknown id makes afterok and afternotok invalid at submission */
static void unknown(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-3]", 8);
		w_begin(w, 1);
		static const char *const texts[] = {"afterok:77", "afternotok:77"};
		for (int i = 0; i < 2; i++)
			if (v == SLURM_26) {
				w_refused(w, 10, "Job dependency problem", "dependency", texts[i], NULL);
			} else {
				struct job *j = w_job(w, 10, "dependency", texts[i], NULL);
				w_full(w, 10);
				assert_int_equal(j->state, JOB_RUNNING);
			}
		w_job(w, 10, "dependency", "after:77", NULL);
		w_refused(w, 10, "Job dependency problem", "dependency", "never:1", NULL);
		w_refused(w, 10, "Requested operation not supported on this system", "dependency", "expand:1", NULL);
		w_refused(w, 10, "Job dependency problem", "dependency", "afterany:x", NULL);
		struct job *long_one = w_run(w, 11, "n2", 10), *short_one = w_run(w, 11, "n3", 10);
		g_autofree char *mixed = g_strdup_printf("afterany:%u,afterany:%u?afterok:%u", long_one->id, short_one->id, long_one->id);
		g_autofree char *bare = g_strdup_printf("%u?%u", long_one->id, short_one->id);
		if (v == SLURM_26) {
			w_refused(w, 12, "Job dependency problem", "dependency", mixed, NULL);
			w_job(w, 12, "dependency", bare, NULL);
		} else { /* recorded: any of them all; and bare ids are in no such list */
			struct job *j = w_job(w, 12, "dependency", mixed, NULL);
			w_end(w, short_one, 13, 0, true);
			w_full(w, 14);
			assert_int_equal(j->state, JOB_RUNNING);
			w_refused(w, 14, "Job dependency problem", "dependency", bare, NULL);
			g_autofree char *task = g_strdup_printf("afterok:%u_0", long_one->id); /* it is no array */
			j = w_job(w, 14, "dependency", task, NULL);
			w_full(w, 14);
			assert_int_equal(j->state, JOB_RUNNING);
		}
		w_refused(w, 15, "Job dependency problem", "dependency", "after:1+0", NULL);
		g_autofree char *burst = g_strdup_printf("AFTERburstbuffer:%u", long_one->id);
		struct job *after = w_job(w, 15, "dependency", burst, NULL);
		w_full(w, 15);
		w_waits(after, REASON_DEPENDENCY);
		w_end(w, long_one, 16, 1, true);
		w_full(w, 17);
		assert_int_equal(after->state, JOB_RUNNING);
		world_free(w);
	}
}

/* C11 singleton: no other job of the same user and name runs (COMPLETING does not count), none pending has a lower id
 */
static void singleton(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 8);
		w_begin(w, 1);
		struct job *a = w_job(w, 10, "name", "x", NULL);
		struct job *b = w_job(w, 10, "name", "x", "dependency", "singleton", NULL);
		struct job *c = w_job(w, 10, "name", "x", "dependency", "singleton", NULL);
		struct job *other = w_job(w, 10, "name", "y", "dependency", "singleton", NULL);
		struct job *user = w_job(w, 10, "name", "x", "user", "u2", "dependency", "singleton", NULL);
		w_waits(b, REASON_DEPENDENCY);
		w_full(w, 20);
		assert_int_equal(a->state, JOB_RUNNING);
		w_waits(b, REASON_DEPENDENCY);
		w_waits(c, REASON_DEPENDENCY);
		assert_int_equal(other->state, JOB_RUNNING);
		assert_int_equal(user->state, JOB_RUNNING);
		w_end(w, a, 100, 0, false);
		w_full(w, 101);
		w_runs_on(w, b, 101, "n2"); /* n1 is COMPLETING */
		w_waits(c, REASON_DEPENDENCY);
		w_end(w, b, 200, 0, true);
		w_full(w, 201);
		assert_int_equal(c->start, 201);
		world_free(w);
	}
}

/* C10: fulfilled is permanent: D requeued later does not matter */
static void permanent(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 8);
	(void)state;
	w_begin(w, 1);
	struct job *a = w_job(w, 10, NULL);
	w_full(w, 10);
	struct job *b = w_job(w, 20, "dependency", "after:1,afterany:1", NULL);
	w_full(w, 20);
	assert_int_equal(b->deps[0].state, DEP_MET);
	assert_int_equal(b->deps[1].state, DEP_PENDING);
	assert_true(controller_requeue(w->c, a, false, 30 * USEC, NULL));
	controller_epilog_done(w->c, a, UINT32_MAX, true, 30 * USEC);
	w_full(w, 31);
	assert_int_equal(b->deps[0].state, DEP_MET);
	w_waits(b, REASON_DEPENDENCY); /* a requeued D is pending again */
	world_free(w);
}

/* C13: --kill-on-invalid-dep wins over kill_invalid_depend */
static void kill_on_invalid(void **state)
{
	(void)state;
	for (int global = 0; global < 2; global++)
		for (int own = -1; own < 2; own++) {
			struct world *w = w_simple(SLURM_26, "n1", 8);
			w->p->kill_invalid_depend = global;
			w_begin(w, 1);
			struct job *a = w_job(w, 10, NULL);
			w_full(w, 10);
			struct job *j =
			    w_job(w, 20, "dependency", "afterok:1", own < 0 ? "comment" : "kill-on-invalid-dep",
			          own == 1 ? "yes" : "no", NULL);
			uint32_t prio = j->priority;
			w_end(w, a, 100, 1, true);
			w_full(w, 100);
			bool killed = own < 0 ? global : own;
			assert_int_equal(j->state, killed ? JOB_CANCELLED : JOB_PENDING);
			assert_int_equal(j->reason, REASON_DEPENDENCY_NEVER);
			assert_int_equal(j->priority, prio);
			world_free(w);
		}
}

/* D an array without an index: all its tasks (C11) */
static void on_array(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int bad = 0; bad < 2; bad++) {
			struct world *w = w_simple(v, "n1", 8);
			w_begin(w, 1);
			struct job *head = w_job(w, 10, "array", "0-2", NULL);
			w_full(w, 10);
			struct job *all = w_job(w, 20, "dependency", "afterok:1", NULL);
			struct job *one = w_job(w, 20, "dependency", "afterok:1_1", NULL);
			struct job *task[3];
			for (uint32_t i = 0; i < 3; i++)
				task[i] = controller_find_task(w->c, head->id, i);
			w_end(w, task[1], 100, bad, true);
			w_full(w, 100);
			w_waits(all, REASON_DEPENDENCY);
			if (bad)
				w_waits(one, REASON_DEPENDENCY_NEVER);
			else
				w_runs_on(w, one, 100, "n1");
			w_end(w, task[0], 110, 0, true);
			w_end(w, task[2], 120, 0, true);
			w_full(w, 120);
			if (bad)
				w_waits(all, REASON_DEPENDENCY_NEVER);
			else
				w_runs_on(w, all, 120, "n1");
			world_free(w);
		}
}

/* C3.2: an unmet dependency resets a begin time in the past: eligible only when it is met */
static void begin_reset(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 8);
	(void)state;
	w_begin(w, 1);
	struct job *a = w_run(w, 1, "n1", 60);
	struct job *j = w_job(w, 20, "dependency", "afterany:1", "begin", "50", NULL);
	w_full(w, 60);
	w_waits(j, REASON_DEPENDENCY);
	assert_int_equal(j->eligible, 0);
	w_end(w, a, 100, 0, true);
	w_full(w, 101);
	assert_int_equal(j->eligible, 101);
	assert_int_equal(j->start, 101);
	world_free(w);
}

/* C12, recorded (22.05): an update that closes a circle of up to max_depend_depth jobs is refused; chains may be longer */
static void circles(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int depth = 2; depth <= 10; depth += 4) {
			struct world *w = w_simple(v, "n1", 8);
			w->p->max_depend_depth = depth;
			w_begin(w, 1);
			struct job *first = w_job(w, 10, "hold", "", NULL), *alone = w_job(w, 10, "hold", "", NULL), *last = first;
			GError *error = NULL;
			assert_false(controller_update_job(w->c, first, "dependency", "afterok:1", 11 * USEC, &error));
			assert_string_equal(error->message, "Job dependency problem");
			g_clear_error(&error);
			for (int jobs = 2; jobs <= depth + 1; jobs++) {
				g_autofree char *text = g_strdup_printf("afterok:%u", last->id);
				last = w_job(w, 12, "dependency", text, NULL);
				g_autofree char *back = g_strdup_printf("afterok:%u", last->id);
				if (jobs == depth + 1)
					assert_true(controller_update_job(w->c, alone, "dependency", back, 12 * USEC, &error));
				bool ok = controller_update_job(w->c, first, "dependency", back, 12 * USEC, &error);
				assert_int_equal(ok, jobs > depth);
				if (!ok)
					assert_string_equal(error->message, "Circular job dependency");
				assert_int_equal(first->n_deps, ok);
				g_clear_error(&error);
			}
			world_free(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(item_table),  cmocka_unit_test(unknown),         cmocka_unit_test(singleton),
	    cmocka_unit_test(permanent),   cmocka_unit_test(kill_on_invalid), cmocka_unit_test(on_array),
	    cmocka_unit_test(begin_reset), cmocka_unit_test(circles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
