/* tokens_test.c - SchedulerParameters that change a decision, each by the decision; the skips tell which rule it was */
#include "sched_helper.h"

/* B17: the rule that passes a record over is told */
static void skips_are_told(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w->p->bf_max_job_user = 1;
		w->p->default_queue_depth = 0;
		w_begin(w, 0);
		for (int i = 0; i < 3; i++)
			w_job(w, 1, "ntasks", "4", "time", "10", NULL);
		w_quick(w, 2);
		assert_string_equal(w->skips->str, "2 S20: default_queue_depth ends the pass");
		w_clear(w);
		w_backfill(w, 30);
		assert_string_equal(w->skips->str, "3 B17: bf_max_job_user");
		world_free(w);
	}
}

/* S9: CompleteWait stops all passes; with reduce_completing_frag only partitions that share nodes with the completing job's wait (B1 in any case) */
static void reduce_completing_frag(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int frag = 0; frag < 2; frag++) {
			struct world *w = world_new(v);
			w_nodes(w, "a[1-2],b1", 1, 4, 1);
			w_part(w, "a", "a[1-2]");
			w_part(w, "b", "b1");
			w->p->complete_wait = 20;
			w->p->reduce_completing_frag = frag;
			w_begin(w, 0);
			struct job *old = w_run(w, 1, "a1", 10);
			w_end(w, old, 30, 0, false);
			struct job *near = w_job(w, 31, "ntasks", "4", "time", "1", NULL);
			struct job *far = w_job(w, 31, "ntasks", "4", "time", "1", "partition", "b", NULL);
			w_full(w, 32);
			assert_int_equal(far->state, frag ? JOB_RUNNING : JOB_PENDING);
			assert_int_equal(near->state, JOB_PENDING);
			w_clear(w);
			controller_backfill(w->c, 40 * USEC);
			assert_string_equal(w->passes->str, ""); /* B1 */
			w_full(w, 51);
			w_runs_on(w, near, 51, "a2");
			world_free(w);
		}
}

/* B12: a running job with --time-min is expected to end after that; the job that it lets in gets its whole limit (B45) */
static void time_min_as_soft_limit(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int soft = 0; soft < 2; soft++) {
			struct world *w = w_simple(v, "n1", 4);
			w->p->bf_resolution = 1;
			w->p->time_min_as_soft_limit = soft;
			w_begin(w, 0);
			struct job *a = w_job(w, 0, "ntasks", "4", "time", "60", "time-min", "10", "priority", "9", NULL);
			w_full(w, 0);
			w_runs_on(w, a, 0, "n1");
			struct job *b = w_job(w, 60, "ntasks", "4", "time", "30", "priority", "8", NULL);
			w_backfill(w, 60);
			w_planned(w, b, soft && v != SLURM_22_05 ? 600 : 3600, "n1");
			w_backfill(w, 1600); /* 10 minutes are past: half of what is left */
			w_planned(w, b, soft && v != SLURM_22_05 ? 2600 : 3600, "n1");
			world_free(w);
		}
}

static void soft_limit_of_a_start(void **state)
{
	(void)state;
	for (int soft = 0; soft < 2; soft++) {
		struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
		w->p->bf_resolution = 1;
		w->p->time_min_as_soft_limit = soft;
		w_begin(w, 0);
		w_run(w, 0, "n1", 60);
		w_job(w, 60, "nodes", "2", "exclusive", "", "time", "30", "priority", "10", NULL);
		struct job *j = w_job(w, 60, "ntasks", "4", "time", "120", "time-min", "20", "priority", "8", NULL);
		w_backfill(w, 60);
		w_runs_on(w, j, 60, "n2");
		assert_int_equal(j->time_limit, soft ? 120 : 59); /* B46 */
		world_free(w);
	}
}

/* More licences than there are: refused, or waiting for good */
static void allow_zero_lic(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int allow = 0; allow < 2; allow++) {
			struct world *w = w_simple(v, "n1", 4);
			struct license *l = g_new0(struct license, 1);
			l->name = g_strdup("mat");
			l->total = 2;
			g_ptr_array_add(w->cl->licenses, l);
			w->p->allow_zero_lic = allow;
			w_begin(w, 0);
			if (!allow) {
				w_refused(w, 1, "Invalid license specification", "ntasks", "1", "licenses", "mat:3", NULL);
			} else {
				struct job *j = w_job(w, 1, "ntasks", "1", "licenses", "mat:3", NULL);
				w_full(w, 2);
				w_backfill(w, 30);
				w_waits(j, REASON_LICENSES);
			}
			world_free(w);
		}
}

/* S4, S33: what features nobody has would have refused waits instead */
static void ignored_validation(void **state)
{
	(void)state;
	for (int ignore = 0; ignore < 2; ignore++) {
		struct world *w = world_new(SLURM_26);
		w_features(w_nodes(w, "n1", 1, 4, 1), "old");
		w_nodes(w, "n2", 1, 4, 1);
		w_part(w, "p", "n[1-2]");

		w->p->ignore_constraint_validation = ignore;
		w->p->ignore_prefer_validation = ignore;
		w_begin(w, 0);
		if (!ignore) {
			w_refused(w, 1, "", "nodes", "2", "constraint", "old", NULL);
			w_refused(w, 1, "", "nodes", "2", "prefer", "old", NULL);
		} else {
			struct job *c = w_job(w, 1, "nodes", "2", "constraint", "old", NULL);
			struct job *p = w_job(w, 1, "nodes", "2", "prefer", "old", NULL);
			w_full(w, 2);
			w_waits(c, REASON_CONSTRAINTS);
			assert_true(c->priority > 0);
			w_runs_on(w, p, 2, "n[1-2]");
		}
		world_free(w);
	}
}

/* B23 as recorded in exclusive-mem: in 26 the nodes of others are dropped, the latest end first, and the try waits for the last one;
 * in 22.05 they are simply not there. */
static void users_apart(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-2]", 4);
		w->p->bf_resolution = 1;
		w_begin(w, 0);
		w_job(w, 0, "ntasks", "1", "nodelist", "n1", "time", "1", NULL);
		w_job(w, 0, "ntasks", "1", "nodelist", "n2", "time", "2", NULL);
		w_full(w, 0);
		struct job *j = w_job(w, 1, "ntasks", "1", "time", "1", "exclusive", "user", "user", "u2", NULL);
		w_backfill(w, 10);
		if (v == SLURM_22_05)
			assert_int_equal(j->est_start, 0);
		else
			w_planned(w, j, 60, "n1");
		struct job *own = w_job(w, 11, "ntasks", "1", "time", "1", "exclusive", "user", NULL);
		w_backfill(w, 12);
		w_runs_on(w, own, 12, v == SLURM_22_05 ? "n1" : "n2"); /* n1 is promised */
		world_free(w);
	}
}

/* B13; recorded in mixed-hour: 22.05 plans more tasks of an array than its %limit lets run */
static void array_plans(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w_begin(w, 0);
		w_run(w, 0, "n1", 60);
		struct job *j = w_job(w, 1, "ntasks", "4", "time", "10", "array", "0-3%2", NULL);
		w_backfill(w, 60);
		assert_int_equal(j->array->planned, v == SLURM_22_05 ? 4 : 2);
		world_free(w);
	}
}

/* One table of differences, without holes */
static void releases(void **state)
{
	(void)state;
	for (int i = 0; i < N_RELEASE_RULES; i++) {
		const struct release_row *row = release_row((enum release_rule)i);
		assert_non_null(row->rule);
		assert_non_null(row->before);
		assert_non_null(row->now);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(skips_are_told),        cmocka_unit_test(reduce_completing_frag), cmocka_unit_test(time_min_as_soft_limit),
	    cmocka_unit_test(soft_limit_of_a_start), cmocka_unit_test(allow_zero_lic),         cmocka_unit_test(ignored_validation),
	    cmocka_unit_test(users_apart),           cmocka_unit_test(array_plans),            cmocka_unit_test(releases),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
