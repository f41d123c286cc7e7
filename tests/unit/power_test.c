/*
 * power_test.c - power saving and reboots (lifecycle C29, C50-C53, C56, C57; node-selection N23; sched/power.h). The times of
 * the tests marked as recorded are those of two runs on a real 22.05.8 (tests/recorded).
 */
#include "sched/power.h"
#include "tests/unit/sched_helper.h"

static struct world *saving(int version, uint32_t idle)
{
	struct world *w = w_simple((enum slurm_version)version, "n[1-4]", 4);
	w->p->suspend_time = idle;
	w->p->suspend_program = w->p->resume_program = w->p->reboot_program = true;
	return w;
}

/* The loop's turns from FROM to TO. */
static void turns(struct world *w, sec_t from, sec_t to)
{
	for (sec_t t = from; t <= to; t++)
		controller_power(w->c, t * USEC);
}

static const char *state_of(const struct world *w, uint32_t node)
{
	return controller_node_state(w->c, w->cl->node[node], false);
}

static void registers(struct world *w, uint32_t node, sec_t t)
{
	controller_node_news(w->c, node, NODE_REGISTERS, t * USEC);
}

/* C56: idle for longer than SuspendTime; POWERING_DOWN for SuspendTimeout and until a scan; then usable again */
static void goes_down(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = saving(v, 20);
		w->p->suspend_timeout = 8;
		w_begin(w, 0);
		turns(w, 1, 20);
		assert_string_equal(state_of(w, 0), "idle"); /* last busy at 0: 0 < 20 - 20 is false */
		turns(w, 21, 30);
		assert_string_equal(state_of(w, 0), "idle%");
		assert_false(node_available(w->cl->node[0]));
		turns(w, 31, 45);
		assert_string_equal(state_of(w, 0), "idle~");
		assert_true(node_available(w->cl->node[0])); /* C53 */
		world_free(w);
	}
}

/* C57, C29, N23: a job takes what is up before what is off; on nodes that boot it is CONFIGURING and begins at a sweep */
static void comes_up(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = saving(v, 20);
		w->p->suspend_exc_nodes = g_strdup("n4");
		w_begin(w, 0);
		turns(w, 1, 90);
		assert_string_equal(state_of(w, 3), "idle");
		struct job *up = w_job(w, 91, "ntasks", "4", "time", "5", NULL);
		w_full(w, 91);
		w_runs_on(w, up, 91, "n4");
		struct job *two = w_job(w, 92, "nodes", "2", "time", "1", NULL);
		w_full(w, 92);
		w_runs_on(w, two, 92, "n[1-2]");
		assert_string_equal(job_state_compact(two->state, two->flags), "CF");
		struct job *small = w_job(w, 93, "ntasks", "1", "time", "5", NULL); /* powering up comes before off */
		w_full(w, 93);
		w_runs_on(w, small, 93, "n1");
		assert_string_equal(state_of(w, 0), "mixed~");
		turns(w, 93, 94);
		assert_string_equal(state_of(w, 0), "mixed#");
		registers(w, 0, 100);
		controller_sweep(w->c, 105 * USEC);
		assert_true(two->flags & JOB_CONFIGURING); /* n2 is not there yet */
		assert_false(small->flags & JOB_CONFIGURING);
		assert_int_equal(small->start, 105);
		registers(w, 1, 106);
		controller_sweep(w->c, 135 * USEC);
		assert_int_equal(two->start, 135);
		assert_int_equal(two->end, 135 + 60);
		assert_string_equal(state_of(w, 1), "mixed");
		world_free(w);
	}
}

/* C57: not up in ResumeTimeout: DOWN, the job is requeued or lost (C45) */
static void boot_fails(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = saving(v, 20);
		w->p->resume_timeout = 40;
		w_begin(w, 0);
		turns(w, 1, 80);
		struct job *j = w_job(w, 81, "nodelist", "n3", "time", "5", "requeue", "", NULL);
		struct job *k = w_job(w, 81, "nodelist", "n3", "time", "5", "no-requeue", "", NULL);
		w_full(w, 81);
		turns(w, 82, 122);
		assert_string_equal(state_of(w, 2), "mixed#");
		turns(w, 123, 140);
		assert_string_equal(state_of(w, 2), "down~");
		assert_string_equal(w->cl->node[2]->reason, "ResumeTimeout reached");
		assert_int_equal(j->state, JOB_PENDING);
		assert_int_equal(j->run, 1);
		assert_int_equal(k->state, JOB_NODE_FAIL);
		registers(w, 2, 141); /* too late */
		assert_string_equal(state_of(w, 2), "down~");
		controller_update_node(w->c, "n3", "resume", NULL, 142 * USEC, NULL);
		assert_string_equal(state_of(w, 2), "idle~");
		world_free(w);
	}
}

/* Rates, exceptions with a count, times of nodes and partitions (node, then the highest of its partitions, then the cluster's) */
static void settings(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = saving(v, INFINITE);
		struct partition *q = w_part(w, "q", "n[1-3]");
		q->suspend_time = 100;
		w_begin(w, 0);
		(void)q;
		turns(w, 1, 120);
		assert_string_equal(state_of(w, 0), "idle%");
		assert_string_equal(state_of(w, 3), "idle");
		world_free(w);

		w = saving(v, 20);
		w->p->suspend_exc_nodes = g_strdup("n[1-3]:2");
		w->p->suspend_rate = 1;
		w_begin(w, 0);
		turns(w, 1, 25);
		assert_string_equal(state_of(w, 0), "idle");
		assert_string_equal(state_of(w, 1), "idle");
		assert_string_equal(state_of(w, 2), "idle%");
		assert_string_equal(state_of(w, 3), "idle"); /* one a minute */
		turns(w, 26, 100);
		assert_string_equal(state_of(w, 1), "idle");
		assert_string_not_equal(state_of(w, 3), "idle");
		world_free(w);
	}
}

/* power_up, power_down, power_down_asap, power_down_force */
static void by_hand(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = saving(v, 100000);
		GError *error = NULL;
		w_begin(w, 0);
		struct job *j = w_run(w, 1, "n1", 5), *k = w_run(w, 1, "n2", 5);
		assert_true(controller_update_node(w->c, "n1", "power_down", NULL, 2 * USEC, NULL));
		assert_true(controller_update_node(w->c, "n3", "power_down_asap", NULL, 2 * USEC, NULL));
		assert_true(controller_update_node(w->c, "n2", "power_down_force", NULL, 2 * USEC, NULL));
		assert_string_equal(state_of(w, 0), "allocated!");
		assert_string_equal(state_of(w, 2), "drained!");
		assert_string_equal(w->cl->node[2]->reason, "POWER_DOWN_ASAP");
		assert_int_equal(j->state, JOB_RUNNING);
		assert_int_not_equal(k->state, JOB_RUNNING);
		turns(w, 3, 4);
		assert_string_equal(state_of(w, 2), "idle%");
		w_end(w, j, 5, 0, true);
		turns(w, 5, 6);
		assert_string_equal(state_of(w, 0), "idle%");
		turns(w, 7, 80);
		assert_true(controller_update_node(w->c, "n1", "power_up", NULL, 81 * USEC, NULL));
		turns(w, 82, 83);
		assert_string_equal(state_of(w, 0), "idle#");
		registers(w, 0, 90);
		assert_string_equal(state_of(w, 0), "idle");
		world_free(w);

		w = w_simple((enum slurm_version)v, "n1", 4);
		w_begin(w, 0);
		assert_false(controller_update_node(w->c, "n1", "power_down", NULL, USEC, &error));
		assert_non_null(strstr(error->message, "SuspendProgram"));
		g_error_free(error);
		world_free(w);
	}
}

/* Recorded: states and reasons from the request to the return */
static void reboots(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = saving(v, INFINITE);
		struct cluster *cl = w->cl;
		w_begin(w, 0);
		struct job *b2 = w_job(w, 0, "nodelist", "n2", "ntasks", "2", "time", "5", NULL);
		struct job *b3 = w_job(w, 0, "nodelist", "n3", "ntasks", "2", "time", "5", NULL);
		w_full(w, 1);
		assert_true(controller_reboot(w->c, "n1", false, NULL, NULL, 5 * USEC, NULL));
		assert_true(controller_reboot(w->c, "n2", true, "RESUME", "kernel", 5 * USEC, NULL));
		assert_true(controller_reboot(w->c, "n3", false, NULL, "fw", 5 * USEC, NULL));
		assert_true(controller_reboot(w->c, "n4", true, "DOWN", NULL, 5 * USEC, NULL));
		assert_string_equal(state_of(w, 0), "reboot");
		assert_string_equal(cl->node[0]->reason, "reboot requested");
		assert_string_equal(state_of(w, 1), "draining@");
		assert_string_equal(state_of(w, 2), "mixed@");
		assert_string_equal(power_next_state(w->c, cl->node[1]), "RESUME");
		turns(w, 6, 6);
		assert_string_equal(state_of(w, 0), "reboot^");
		assert_string_equal(cl->node[0]->reason, "reboot requested : reboot issued");
		assert_int_equal(cl->node[0]->base, NODE_DOWN);
		struct job *any = w_job(w, 9, "ntasks", "1", "time", "1", NULL); /* only n3 takes jobs */
		struct job *q1 = w_job(w, 9, "nodelist", "n1", "ntasks", "1", "time", "1", NULL);
		w_full(w, 11);
		w_runs_on(w, any, 11, "n3");
		assert_null(cl->node[2]->reason);
		w_waits(q1, REASON_REQ_NODE_NOT_AVAIL);
		assert_string_equal(q1->reason_text, "ReqNodeNotAvail, UnavailableNodes:n1");
		registers(w, 0, 16);
		assert_string_equal(state_of(w, 0), "idle");
		assert_null(cl->node[0]->reason);
		w_end(w, any, 16, 0, true);
		w_end(w, b2, 26, 0, true);
		w_end(w, b3, 26, 0, true);
		assert_string_equal(state_of(w, 1), "reboot");
		turns(w, 27, 27);
		assert_string_equal(cl->node[1]->reason, "kernel : reboot issued");
		assert_string_equal(cl->node[2]->reason, "reboot issued");
		registers(w, 1, 37);
		assert_string_equal(state_of(w, 1), "idle");
		registers(w, 3, 38);
		assert_string_equal(state_of(w, 3), "down");
		assert_string_equal(cl->node[3]->reason, "Reboot ASAP : reboot issued : reboot complete");
		world_free(w);
	}
}

static void reboot_errors(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = saving(v, INFINITE);
		GError *error = NULL;
		w->p->resume_timeout = 40;
		w_begin(w, 0);
		assert_false(controller_reboot(w->c, "n9", false, NULL, NULL, USEC, &error));
		g_clear_error(&error);
		assert_false(controller_reboot(w->c, "n1", false, "maybe", NULL, USEC, &error));
		g_clear_error(&error);
		assert_false(controller_cancel_reboot(w->c, "n1", USEC, &error));
		assert_string_equal(error->message, "Invalid node state specified");
		g_clear_error(&error);
		w_run(w, 1, "n1", 5);
		assert_true(controller_reboot(w->c, "n[1-2]", true, NULL, NULL, 2 * USEC, NULL));
		assert_true(controller_cancel_reboot(w->c, "n1", 3 * USEC, NULL));
		assert_string_equal(state_of(w, 0), "allocated");
		turns(w, 3, 42);
		assert_string_equal(state_of(w, 1), "reboot^");
		turns(w, 43, 60); /* it never comes back */
		assert_string_equal(state_of(w, 1), "drained");
		assert_string_equal(w->cl->node[1]->reason, "reboot timed out");
		w->p->reboot_program = false;
		assert_false(controller_reboot(w->c, "n3", false, NULL, NULL, 61 * USEC, &error));
		assert_string_equal(error->message, "RebootProgram isn't defined");
		g_clear_error(&error);
		world_free(w);
	}
}

/* Skipping: the next turn that matters is found without a look at every second */
static void skips(void **state)
{
	(void)state;
	struct world *w = saving(SLURM_26, 500);
	w_begin(w, 0);
	assert_int_equal(controller_next_power(w->c, 0), USEC);
	controller_power(w->c, USEC);
	assert_int_equal(controller_next_power(w->c, USEC), (1 + 11 * 46) * USEC); /* the first scan after 500 */
	controller_power(w->c, 507 * USEC);
	assert_string_equal(state_of(w, 0), "idle%");
	assert_int_equal(controller_next_power(w->c, 507 * USEC), (507 + 33) * USEC);
	world_free(w);
	w = w_simple(SLURM_26, "n1", 4);
	w_begin(w, 0);
	assert_true(controller_next_power(w->c, 0) == INT64_MAX);
	world_free(w);
}

static void exceptions(void **state)
{
	(void)state;
	GPtrArray *list = power_exceptions_split("n[1,3-4]:2,n9,x:y,:3");
	const struct power_exception *x[4];
	assert_int_equal(list->len, 4);
	for (guint i = 0; i < 4; i++)
		x[i] = list->pdata[i];
	assert_string_equal(x[0]->nodes, "n[1,3-4]");
	assert_int_equal(x[0]->keep, 2);
	assert_string_equal(x[1]->nodes, "n9");
	assert_true(x[1]->keep == UINT32_MAX && !x[1]->bad);
	assert_true(x[2]->bad && x[3]->bad);
	g_ptr_array_unref(list);
	assert_true(power_exception_state("maintenance") && !power_exception_state("busy"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(goes_down), cmocka_unit_test(comes_up),      cmocka_unit_test(boot_fails),
	                                   cmocka_unit_test(settings),  cmocka_unit_test(by_hand),       cmocka_unit_test(reboots),
	                                   cmocka_unit_test(skips),     cmocka_unit_test(reboot_errors), cmocka_unit_test(exceptions)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
