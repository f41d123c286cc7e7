/*
 * loops_test.c - where the clocks of the controller's loops stand in a run (sim.h): turns that come early (S2), nodes that register (S3), when the thread of
 * backfill wakes (B1), full passes that must wait (S7).
 */
#include "tests/unit/play_helper.h"

struct loops {
	struct scenario *s;
	struct sim *sim;
	GString *main, *full, *backfill; /* when passes began, seconds; full: those of main that are full ones */
	GString *starts;
};

static void on_pass(void *data, const struct pass_stats *p)
{
	struct loops *l = data;
	GString *to = p->kind == PASS_BACKFILL ? l->backfill : l->main;
	double at = (double)(p->t - l->s->sim.start) / USEC;
	g_string_append_printf(to, "%s%.4f", to->len ? " " : "", at);
	if (p->kind == PASS_MAIN_FULL)
		g_string_append_printf(l->full, "%s%.4f", l->full->len ? " " : "", at);
}

static void on_step(void *data, const struct step *step, usec_t now)
{
	struct loops *l = data;
	(void)now;
	if (step->kind == STEP_START)
		g_string_append_printf(l->starts, "%s%" G_GINT64_FORMAT, l->starts->len ? " " : "", step->job->start - usec_to_sec(l->s->sim.start));
}

/* A cluster of one node of two CPUs; no job comes but those of submit. */
static struct loops loops_new(bool naive)
{
	static const char conf[] = "SchedulerType=sched/backfill\nSchedulerParameters=batch_sched_delay=3,bf_interval=4,sched_interval=60\nSlurmdTimeout=0\n"
	                           "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nNodeName=n1 CPUs=2 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n";
	g_autofree char *dir = g_dir_make_tmp("loops-XXXXXX", NULL), *path = g_build_filename(dir, "slurm.conf", NULL), *jobs = g_build_filename(dir, "jobs.json", NULL);
	GError *error = NULL;
	assert_true(g_file_set_contents(path, conf, -1, NULL));
	assert_true(g_file_set_contents(jobs, "{\"users\": [\"u\"], \"jobs\": []}", -1, NULL));
	struct scenario_options o = {.path = dir, .slurm_version = "26.05"};
	struct loops l = {.s = scenario_load(&o, &error), .main = g_string_new(NULL), .full = g_string_new(NULL), .backfill = g_string_new(NULL), .starts = g_string_new(NULL)};
	if (!l.s)
		fail_msg("%s", error->message);
	g_unlink(path);
	g_unlink(jobs);
	g_rmdir(dir);
	l.s->sim.clock = CLOCK_SLURM;
	l.s->sim.naive = naive;
	l.s->sim.controller_start = l.s->sim.start;
	return l;
}

static void submit(struct loops *l, const char *name, double at, double run)
{
	struct submission *sub = submission_new();
	job_request_set(sub->request, "ntasks", "2", NULL);
	job_request_set(sub->request, "time", "10", NULL);
	sub->request->user = g_strdup("u");
	sub->label = g_strdup(name);
	sub->at = l->s->sim.start + (usec_t)(at * USEC);
	sub->outcome.run_time = (usec_t)(run * USEC);
	sim_add_submission(l->sim, sub);
}

static void begin(struct loops *l)
{
	l->sim = sim_new(l->s->cluster, &l->s->sim, NULL);
	sim_watch(l->sim, on_step, on_pass, NULL, l);
}

static void run_until(struct loops *l, sec_t second)
{
	sim_stop_at(l->sim, l->s->sim.start + second * USEC);
	assert_true(sim_run(l->sim, NULL, NULL, NULL, NULL));
}

static void done(struct loops *l)
{
	sim_free(l->sim);
	scenario_free(l->s);
	g_string_free(l->main, TRUE);
	g_string_free(l->full, TRUE);
	g_string_free(l->backfill, TRUE);
	g_string_free(l->starts, TRUE);
}

static void early(struct loops *l, sec_t second)
{
	sec_t t = usec_to_sec(l->s->sim.start) + second;
	if (!l->s->sim.early_turns)
		l->s->sim.early_turns = g_array_new(FALSE, FALSE, sizeof(sec_t));
	g_array_append_val(l->s->sim.early_turns, t);
}

/* A submission at 10.5 is due at 11. An early turn there that is due all the same is one of second 10; the wait counts from that. */
static void early_and_due(void **state)
{
	(void)state;
	for (int naive = 0; naive < 2; naive++) {
		struct loops l = loops_new(naive);
		l.s->cluster->params->bf_interval = 100;
		early(&l, 11);
		begin(&l);
		submit(&l, "a", 10.5, 0.5);
		submit(&l, "b", 11.6, 0.5);
		run_until(&l, 20);
		assert_string_equal(l.starts->str, "10 13");
		assert_true(g_str_has_prefix(l.main->str, "10.9995 11.4995 13.0000"));
		done(&l);
	}
}

/* The wait after the pass of 11 is over at 14, whose turn reads 13: the pass comes with the next. */
static void early_and_not_due(void **state)
{
	(void)state;
	for (int naive = 0; naive < 2; naive++) {
		struct loops l = loops_new(naive);
		l.s->cluster->params->bf_interval = 100;
		early(&l, 14);
		begin(&l);
		submit(&l, "a", 10.5, 0.1);
		submit(&l, "b", 11.6, 0.1);
		run_until(&l, 20);
		assert_string_equal(l.starts->str, "11 15");
		done(&l);
	}
}

/* Nodes that register ask for a pass: 3 s after the start, and no earlier. */
static void nodes_register(void **state)
{
	(void)state;
	for (int naive = 0; naive < 2; naive++) {
		struct loops l = loops_new(naive);
		l.s->sim.nodes_register = l.s->sim.start + 2 * USEC + USEC / 2;
		l.s->cluster->params->bf_interval = 100;
		begin(&l);
		submit(&l, "a", 3.5, 0.1);
		run_until(&l, 20);
		assert_string_equal(l.starts->str, "6");
		assert_true(g_str_has_prefix(l.main->str, "3.0000 6.0000"));
		done(&l);
	}
}

/* The thread would wake at 4, 8 ...: it wakes 0.2 s later where a cycle is known within 0.3 s, each second from there, and not for one that is farther away. */
static void backfill_wakes(void **state)
{
	(void)state;
	for (int naive = 0; naive < 2; naive++)
		for (int within = 0; within < 2; within++) {
			struct loops l = loops_new(naive);
			usec_t t = l.s->sim.start + 10 * USEC + USEC / 5;
			l.s->sim.backfill_times = g_array_new(FALSE, FALSE, sizeof(usec_t));
			g_array_append_val(l.s->sim.backfill_times, t);
			l.s->sim.backfill_within = within ? 300000 : 100000;
			begin(&l);
			submit(&l, "a", 3.3, 20);
			run_until(&l, 12);
			assert_true(g_str_has_prefix(l.backfill->str, within ? "4.0000 8.2000" : "4.0000 8.0000"));
			done(&l);
		}
}

/* Found by naive_test: the full pass of 60 must wait for sched_min_interval, and when it comes a job is there that was not yet at 60. */
static void full_that_waits(void **state)
{
	(void)state;
	for (int naive = 0; naive < 2; naive++) {
		struct loops l = loops_new(naive);
		l.s->cluster->params->bf_interval = 1000;
		l.s->cluster->params->sched_min_interval_us = 9 * USEC;
		begin(&l);
		submit(&l, "a", 55.5, 100);
		submit(&l, "b", 61.5, 1);
		run_until(&l, 70);
		assert_string_equal(l.full->str, "65.0000");
		done(&l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(early_and_due),
	    cmocka_unit_test(early_and_not_due),
	    cmocka_unit_test(nodes_register),
	    cmocka_unit_test(backfill_wakes),
	    cmocka_unit_test(full_that_waits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
