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

/* Recorded in 22.05: a count speaks of all nodes before it; what follows the last is kept whole */
static void exceptions_with_counts(void **state)
{
	static const struct { const char *text, *up; } cases[] = {
	    {"n1,n[2-4]:2", "n[1-2]"}, {"n[3-4],n1:2", "n[1,3]"}, {"n2:1,n4", "n[2,4]"}, {"n1:1,n[2-3]:1", "n[1-2]"}, {"n[1-2]", "n[1-2]"}};
	(void)state;
	for (EACH_VERSION(v))
		for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = saving(v, 20);
			w->p->suspend_exc_nodes = g_strdup(cases[i].text);
			w_begin(w, 0);
			turns(w, 1, 25);
			struct bitset *up = bitset_new(4);
			for (uint32_t k = 0; k < 4; k++)
				if (strcmp(state_of(w, k), "idle") == 0)
					bitset_set(up, k);
			g_autofree char *names = cluster_format_nodes(w->cl, up);
			assert_string_equal(names, cases[i].up);
			bitset_free(up);
			world_free(w);
		}
}

/* Recorded in 22.05: whatever it was it is idle then, with its reason until a job wakes it */
static void idle_on_node_suspend(void **state)
{
	static const char *const states[] = {"down", "drain", "fail"};
	(void)state;
	for (EACH_VERSION(v))
		for (int on = 0; on < 2; on++) {
			struct world *w = saving(v, 20);
			w->p->idle_on_node_suspend = on;
			w->p->suspend_timeout = 6;
			w_begin(w, 0);
			for (int i = 0; i < 3; i++) {
				char name[] = {'n', (char)('1' + i), 0};
				assert_true(controller_update_node(w->c, name, states[i], "broken", USEC, NULL));
			}
			turns(w, 2, 25);
			assert_string_equal(state_of(w, 0), on ? "idle%" : "down%");
			turns(w, 26, 60);
			static const char *const off[] = {"down~", "drained~", "fail~"};
			for (uint32_t i = 0; i < 3; i++) {
				assert_string_equal(state_of(w, i), on ? "idle~" : off[i]);
				assert_string_equal(w->cl->node[i]->reason, "broken");
				assert_int_equal(node_available(w->cl->node[i]), on);
			}
			struct job *j = w_job(w, 61, "nodelist", "n2", NULL);
			w_full(w, 61);
			assert_int_equal(j->state, on ? JOB_RUNNING : JOB_PENDING);
			if (on)
				assert_null(w->cl->node[1]->reason);
			world_free(w);
		}
}

/* Recorded in 22.05 (min 4): two changes in a row, the second scan comes so long after the first */
static void least_interval(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = saving(v, 1000);
		w->p->power_save_min_interval = 4;
		w_begin(w, 0);
		turns(w, 1, 20); /* the first scan of all comes at 4, later ones every 11 s */
		assert_true(controller_update_node(w->c, "n1", "power_down", NULL, 20 * USEC, NULL));
		assert_int_equal(usec_to_sec(controller_next_power(w->c, 20 * USEC)), 21);
		turns(w, 21, 21);
		assert_string_equal(state_of(w, 0), "idle%");
		assert_true(controller_update_node(w->c, "n2", "power_down", NULL, 22 * USEC, NULL));
		assert_int_equal(usec_to_sec(controller_next_power(w->c, 22 * USEC)), 25);
		turns(w, 22, 24);
		assert_string_equal(state_of(w, 1), "idle!");
		turns(w, 25, 25);
		assert_string_equal(state_of(w, 1), "idle%");
		world_free(w);
	}
}

/* R15: so many nodes and no more; the partition is not blocked. It is newer than 22.05 */
static void most_nodes(void **state)
{
	struct world *w = saving(SLURM_26, 20);
	(void)state;
	w->p->max_powered_nodes = 2;
	w->p->suspend_timeout = 2;
	w_begin(w, 0);
	turns(w, 1, 60);
	struct job *one = w_job(w, 61, "nodes", "1", "ntasks", "4", NULL), *two = w_job(w, 61, "nodes", "2", "ntasks", "8", NULL),
		   *three = w_job(w, 61, "nodes", "1", "ntasks", "4", NULL);
	w_full(w, 62);
	w_runs_on(w, one, 62, "n1");
	w_waits(two, REASON_MAX_POWERED_UP_NODES);
	g_autofree char *who = blocker_who(&two->blocker, two), *figures = blocker_detail(&two->blocker, two, w->c);
	assert_string_equal(who, "SlurmctldParameters max_powered_nodes");
	assert_string_equal(figures, "limit 2, in use 1, wanted 2");
	w_runs_on(w, three, 62, "n2");
	controller_job_exited(w->c, one, 0, 0, false, 70 * USEC);
	controller_job_exited(w->c, three, 0, 0, false, 70 * USEC);
	controller_epilog_done(w->c, one, UINT32_MAX, true, 71 * USEC);
	controller_epilog_done(w->c, three, UINT32_MAX, true, 71 * USEC);
	turns(w, 71, 72);
	registers(w, 0, 73);
	registers(w, 1, 73);
	w_full(w, 74);
	w_runs_on(w, two, 74, "n[1-2]");
	world_free(w);
}

/* PowerDownOnIdle: after a job of that partition, at once and once; nodes that had none follow their own time */
static void down_on_idle(void **state)
{
	struct world *w = saving(SLURM_26, 1000);
	(void)state;
	((struct partition *)w->cl->partitions->pdata[0])->power_down_on_idle = true;
	w_part(w, "q", "n[1-4]");
	w_begin(w, 0);
	struct job *j = w_job(w, 1, "nodes", "1", "partition", "p", NULL), *k = w_job(w, 1, "nodelist", "n2", "partition", "q", NULL);
	w_full(w, 2);
	w_runs_on(w, j, 2, "n1");
	turns(w, 3, 29);
	controller_job_exited(w->c, j, 0, 0, false, 30 * USEC);
	controller_job_exited(w->c, k, 0, 0, false, 30 * USEC);
	controller_epilog_done(w->c, j, UINT32_MAX, true, 31 * USEC);
	controller_epilog_done(w->c, k, UINT32_MAX, true, 31 * USEC);
	assert_false(node_available(w->cl->node[0])); /* C53: powering down requested */
	turns(w, 32, 33);
	assert_string_equal(state_of(w, 0), "idle%");
	assert_string_equal(state_of(w, 1), "idle");
	assert_string_equal(state_of(w, 2), "idle");
	world_free(w);
}

/* --reboot, recorded in 22.05: the whole node, POWERING_UP at once; the job begins at the sweep after it registered. Administrators alone may */
static void job_reboots(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n[1-2]", 4);
		w->p->reboot_program = true; /* no power saving is needed */
		w_begin(w, 0);
		struct job_request *r[2] = {job_request_new(), job_request_new()};
		GError *error = NULL;
		for (int i = 0; i < 2; i++) {
			r[i]->user = g_strdup(i ? "root" : "u1");
			r[i]->privileged = i == 1;
			r[i]->reboot = true;
		}
		assert_null(controller_submit(w->c, r[0], USEC, NULL, &error));
		assert_true(g_str_has_prefix(error->message, "Access/permission denied"));
		g_error_free(error);
		struct job *j = controller_submit(w->c, r[1], USEC, NULL, NULL);
		w_full(w, 2);
		w_runs_on(w, j, 2, "n1");
		assert_int_equal(j->alloc->cpus, 4);
		assert_string_equal(job_state_compact(j->state, j->flags), "CF");
		assert_string_equal(state_of(w, 0), "allocated#");
		registers(w, 0, 9);
		controller_sweep(w->c, 30 * USEC);
		assert_int_equal(j->start, 30);
		assert_string_equal(state_of(w, 0), "allocated");
		world_free(w);

		w = w_simple((enum slurm_version)v, "n1", 4); /* no RebootProgram: without effect on the node */
		w_begin(w, 0);
		r[1] = job_request_new();
		r[1]->user = g_strdup("root");
		r[1]->privileged = r[1]->reboot = true;
		j = controller_submit(w->c, r[1], USEC, NULL, NULL);
		w_full(w, 2);
		assert_string_equal(job_state_compact(j->state, j->flags), "R");
		world_free(w);
	}
}

/* Recorded in 22.05 */
static void cloud_hidden(void **state)
{
	struct world *w = saving(SLURM_22_05, 20);
	(void)state;
	w_begin(w, 0);
	w->cl->node[0]->flags |= NODE_CLOUD | NODE_POWERED_DOWN;
	w->cl->node[1]->flags |= NODE_CLOUD;
	assert_true(power_hides(w->cl, w->cl->node[0]));
	assert_false(power_hides(w->cl, w->cl->node[1]));
	w->p->show_cloud = true;
	assert_false(power_hides(w->cl, w->cl->node[0]));
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(goes_down), cmocka_unit_test(comes_up),      cmocka_unit_test(boot_fails),
	                                   cmocka_unit_test(settings),  cmocka_unit_test(by_hand),       cmocka_unit_test(reboots),
	                                   cmocka_unit_test(skips),     cmocka_unit_test(reboot_errors), cmocka_unit_test(exceptions), cmocka_unit_test(exceptions_with_counts), cmocka_unit_test(idle_on_node_suspend),
	    cmocka_unit_test(least_interval), cmocka_unit_test(most_nodes), cmocka_unit_test(down_on_idle), cmocka_unit_test(cloud_hidden), cmocka_unit_test(job_reboots)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
