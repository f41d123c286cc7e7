/* warn_test.c - --signal (lifecycle C36, W2): when it is sent, and what a job that saves itself then keeps (sim/checkpoint.h) */
#include "sim/checkpoint.h"
#include "tests/unit/sched_helper.h"

static GString *told;

static void note(void *data, struct job *j)
{
	struct world *w = data;
	g_string_append_printf(told, "%s%u@%" G_GINT64_FORMAT, told->len ? " " : "", j->id, w->c->now_s);
}

static struct world *begin(int version)
{
	struct world *w = w_simple((enum slurm_version)version, "n1", 8);
	w_begin(w, 0);
	w->c->host.warn = note;
	told = g_string_new(NULL);
	return w;
}

static void sweeps(struct world *w, sec_t from, sec_t to)
{
	for (sec_t t = (from + 29) / 30 * 30; t <= to; t += 30)
		controller_sweep(w->c, t * USEC);
}

/* W2: limit 10 min from 1000, USR1@60: 1500 no, 1530 yes; TIMEOUT at 1620 */
static void w2(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = begin(v);
		struct job *j = w_job(w, 1000, "ntasks", "1", "time", "10", "signal", "USR1@60", NULL);
		struct job *plain = w_job(w, 1000, "ntasks", "1", "time", "10", NULL);
		w_full(w, 1000);
		assert_int_equal(j->end, 1600);
		sweeps(w, 1001, 1500);
		assert_string_equal(told->str, "");
		sweeps(w, 1501, 1590);
		assert_string_equal(told->str, "1@1530"); /* once */
		assert_int_equal(j->state, JOB_RUNNING);
		sweeps(w, 1591, 1620);
		assert_int_equal(j->state, JOB_TIMEOUT);
		assert_int_equal(j->end, 1620);
		assert_int_equal(plain->state, JOB_TIMEOUT);
		assert_int_equal(w->c->n_signals, 0);
		g_string_free(told, TRUE);
		world_free(w);
	}
}

/* Without @ 60 s; a requeue arms it again; a job shorter than that hears of it at the first sweep; a job without a limit never */
static void forms(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = begin(v);
		struct job *j = w_job(w, 0, "ntasks", "1", "time", "5", "signal", "B:TERM", "requeue", "", NULL);
		struct job *k = w_job(w, 0, "ntasks", "1", "time", "1", "signal", "R:10@300", NULL);
		w_full(w, 1);
		sweeps(w, 2, 210);
		assert_string_equal(told->str, "2@30"); /* 301 > 210 + 90 */
		sweeps(w, 211, 240);
		assert_string_equal(told->str, "2@30 1@240");
		controller_epilog_done(w->c, k, UINT32_MAX, true, 245 * USEC); /* its limit was a minute */
		assert_true(controller_requeue(w->c, j, false, 250 * USEC, NULL));
		controller_epilog_done(w->c, j, UINT32_MAX, true, 250 * USEC);
		w_full(w, 371);
		w_full(w, 400);
		assert_int_equal(j->state, JOB_RUNNING);
		sweeps(w, 401, 600);
		assert_string_equal(told->str, "2@30 1@240 1@600"); /* 371 + 300 <= 600 + 90 */
		g_string_free(told, TRUE);
		world_free(w);
	}
}

/* Skipping: the loop turns at the sweep that sends it */
static void skips(void **state)
{
	(void)state;
	struct world *w = begin(SLURM_26);
	w_job(w, 1000, "ntasks", "1", "time", "10", "signal", "USR1@60", NULL);
	w_full(w, 1000);
	w->c->counter = 0;
	w->p->sched_interval = -1;
	w->p->slurmd_timeout = 0;
	w->c->last_sweep = 990;
	assert_int_equal(controller_next_tick(w->c, 1000 * USEC), 1530 * USEC);
	g_string_free(told, TRUE);
	world_free(w);
}

/* What is saved: 600 s of work told after 530, killed after 600 */
static void saves(void **state)
{
	(void)state;
	struct outcome o = {.run_time = 1000 * USEC, .checkpoint_signal = true, .checkpoint_cost = 20 * USEC};
	assert_int_equal(checkpoint_saved_by(&o, 0, 600 * USEC, 530 * USEC), 530 * USEC);
	assert_int_equal(checkpoint_saved_by(&o, 0, 600 * USEC, 590 * USEC), 0); /* killed before it was done */
	assert_int_equal(checkpoint_saved_by(&o, 0, 600 * USEC, -1), 0);
	o.checkpoint = 100 * USEC; /* and every 100 s of work: 4 checkpoints of 20 s in 530 s */
	assert_int_equal(checkpoint_saved_by(&o, 0, 590 * USEC, 530 * USEC), (530 - 4 * 20) * USEC);
	o.checkpoint_signal = false;
	assert_int_equal(checkpoint_saved_by(&o, 0, 590 * USEC, 530 * USEC), 400 * USEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(w2), cmocka_unit_test(forms), cmocka_unit_test(skips), cmocka_unit_test(saves)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
