/* builtin_test.c - the starts that sched/builtin expects (S38) */
#include "tests/unit/sched_helper.h"

/* n1 is busy until 600, n2 until 1200. */
static struct world *fifo(enum slurm_version v)
{
	struct world *w = w_simple(v, "n[1-2]", 4);
	w->p->sched_type = SCHED_BUILTIN;
	w_begin(w, 0);
	w_run(w, 0, "n1", 10);
	w_run(w, 0, "n2", 20);
	return w;
}

static struct job *waits(struct world *w, const char *nodes, const char *minutes)
{
	return w_job(w, 1, "nodes", nodes, "ntasks-per-node", "4", "time", minutes, NULL);
}

/* Each alone beside the running jobs; who meets nodes of an earlier one follows the one before. Nothing is reserved or started. */
static void one_after_the_other(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = fifo(v);
		struct job *a = waits(w, "1", "5"), *b = waits(w, "1", "10"), *c = waits(w, "2", "10"), *d = waits(w, "1", "10");
		w_full(w, 20);
		controller_backfill(w->c, 30 * USEC);
		assert_int_equal(a->est_start, 600);
		assert_int_equal(b->est_start, 900);  /* 600 on n1, too: at the end of a */
		assert_int_equal(c->est_start, 1500); /* 1200 on both: at the end of b */
		assert_int_equal(d->est_start, 2100);
		assert_null(a->sched_nodes);
		assert_int_equal(w->c->pending.n, 4);
		world_free(w);
	}
}

/* bf_max_job_test: one more than it says is looked at */
static void how_many(void **state)
{
	(void)state;
	struct world *w = fifo(SLURM_26);
	w->p->builtin_max_job_test = 1;
	struct job *a = waits(w, "1", "5"), *b = waits(w, "1", "10"), *c = waits(w, "2", "10");
	controller_backfill(w->c, 30 * USEC);
	assert_int_equal(a->est_start, 600);
	assert_int_equal(b->est_start, 900);
	assert_int_equal(c->est_start, 0);
	world_free(w);
}

/* "interval=": every 30 s by default, also when nobody waited at first */
static void how_often(void **state)
{
	(void)state;
	for (int naive = 0; naive < 2; naive++)
		for (int interval = 30; interval <= 70; interval += 40) {
			struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
			w->p->sched_type = SCHED_BUILTIN;
			w->p->builtin_interval = interval;
			w->naive = naive;
			w_begin(w, 0);
			w_run(w, 0, "n1", 10);
			w_run(w, 0, "n2", 20);
			assert_true(controller_next_backfill(w->c, USEC) == (naive ? interval * USEC : INT64_MAX));
			struct job *a = w_job(w, 95, "nodes", "1", "ntasks-per-node", "4", "time", "5", NULL);
			usec_t next = (interval == 30 ? 120 : 140) * USEC;
			assert_true(controller_next_backfill(w->c, 95 * USEC) == next); /* the turns before it find nobody */
			controller_backfill(w->c, next);
			assert_int_equal(a->est_start, 600);
			assert_true(controller_next_backfill(w->c, next) == next + interval * USEC);
			world_free(w);
		}
}

/* In its first partition only. */
static void where(void **state)
{
	(void)state;
	struct world *w = world_new(SLURM_26);
	w_nodes(w, "n[1-2]", 1, 4, 1);
	w_part(w, "p", "n2");
	w_part(w, "q", "n1");
	w->p->sched_type = SCHED_BUILTIN;
	w_begin(w, 0);
	w_job(w, 0, "partition", "q", "ntasks", "4", "time", "10", "priority", "1000", NULL);
	w_job(w, 0, "partition", "p", "ntasks", "4", "time", "20", "priority", "1000", NULL);
	w_full(w, 0);
	struct job *j = w_job(w, 1, "partition", "p,q", "ntasks", "4", "time", "5", NULL);
	controller_backfill(w->c, 30 * USEC);
	assert_int_equal(j->est_start, 1200);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_after_the_other),
	    cmocka_unit_test(how_many),
	    cmocka_unit_test(how_often),
	    cmocka_unit_test(where),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
