/* recall_test.c - estimates and failed starts are made again when, and only when, something they read has changed (sched/recall.h) */
#include "sched_helper.h"
#include "sched/recall.h"

/* Two partitions apart; in the first all nodes are busy until 3600 and a job waits. */
static struct world *busy(struct job **waits)
{
	struct world *w = world_new(SLURM_26);
	w_nodes(w, "n[1-4]", 1, 4, 1);
	w_nodes(w, "m[1-4]", 1, 4, 1);
	w_part(w, "p", "n[1-4]");
	w_part(w, "q", "m[1-4]");
	w_begin(w, 0);
	w_run(w, 0, "n[1-4]", 60);
	*waits = w_job(w, 1, "nodes", "2", "exclusive", "", "time", "10", NULL);
	return w;
}

/* Estimates made by the cycle at T. */
static uint64_t made(struct world *w, sec_t t)
{
	uint64_t before = recall_counts(w->c->recall).made;
	w_backfill(w, t);
	return recall_counts(w->c->recall).made - before;
}

static void an_estimate_stands(void **state)
{
	struct job *j, *k;
	struct world *w = busy(&j);
	(void)state;
	assert_int_equal(made(w, 30), 1);
	w_planned(w, j, 3600, "n[1-2]");
	k = w_job(w, 31, "partition", "q", "nodes", "1", "time", "10", NULL); /* elsewhere something starts and ends */
	w_full(w, 32);
	assert_int_equal(k->state, JOB_RUNNING);
	assert_int_equal(made(w, 60), 0);
	w_planned(w, j, 3600, "n[1-2]");
	w_end(w, k, 70, 0, true);
	assert_int_equal(made(w, 90), 0);
	assert_int_equal(recall_counts(w->c->recall).recalled, 2);
	w_planned(w, j, 3600, "n[1-2]");
	world_free(w);
}

/* A change on the nodes asked about. */
static void a_node_changes(void **state)
{
	struct job *j, *k;
	struct world *w = busy(&j);
	(void)state;
	made(w, 30);
	k = w_job(w, 31, "nodes", "2", "exclusive", "", "time", "10", NULL); /* planned beside it: another set of usable nodes */
	assert_int_equal(made(w, 60), 2); /* now, and when the first plan begins */
	w_planned(w, k, 3600, "n[3-4]");
	w_end(w, w->c->running.head, 70, 0, true);
	assert_int_equal(made(w, 90), 2);
	assert_int_equal(j->state, JOB_RUNNING);
	assert_int_equal(k->state, JOB_RUNNING);
	world_free(w);
}

/* Another end of a running job (scontrol update timelimit), and a command that changes a demand. */
static void a_command_changes(void **state)
{
	struct job *j;
	struct world *w = busy(&j);
	GError *error = NULL;
	(void)state;
	made(w, 30);
	struct job *run = w->c->running.head;
	assert_true(controller_update_job(w->c, run, "TimeLimit", "30", 40 * USEC, &error));
	assert_int_equal(run->end, 1800);
	assert_int_equal(made(w, 60), 1);
	w_planned(w, j, 1800, "n[1-2]");
	world_free(w);
}

/* B36: past its end a running job's end is a guess, which moves with the clock. */
static void past_the_end(void **state)
{
	struct job *j;
	struct world *w = busy(&j);
	(void)state;
	assert_int_equal(made(w, 30), 1);
	assert_int_equal(made(w, 3599), 0);
	assert_true(made(w, 3601) > 0);
	world_free(w);
}

/* A start that failed is not tried again before something changes there. */
static void a_failure_stands(void **state)
{
	struct job *j;
	struct world *w = busy(&j);
	(void)state;
	w_full(w, 10);
	assert_int_equal(recall_counts(w->c->recall).spared, 0);
	w_job(w, 11, "partition", "q", "nodes", "1", "time", "10", NULL);
	w_full(w, 12);
	w_waits(j, REASON_RESOURCES);
	assert_int_equal(recall_counts(w->c->recall).spared, 1);
	w_end(w, w->c->running.head, 20, 0, true);
	w_full(w, 21);
	w_runs_on(w, j, 21, "n[1-2]");
	world_free(w);
}

static void naive_recalls_nothing(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	(void)state;
	w->naive = true;
	w_begin(w, 0);
	w_run(w, 0, "n[1-4]", 60);
	w_job(w, 1, "nodes", "2", "exclusive", "", "time", "10", NULL);
	w_backfill(w, 30);
	w_backfill(w, 60);
	assert_int_equal(recall_counts(w->c->recall).recalled + recall_counts(w->c->recall).spared, 0);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_estimate_stands), cmocka_unit_test(a_node_changes),   cmocka_unit_test(a_command_changes),
	    cmocka_unit_test(past_the_end),       cmocka_unit_test(a_failure_stands), cmocka_unit_test(naive_recalls_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
