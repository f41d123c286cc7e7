/* gang_test.c - jobs that take turns on cores: the worked examples W7 and W9, suspension by command (E22-E30, C43) */
#include "sched/gang.h"
#include "tests/unit/sched_helper.h"

static void is(const struct job *j, enum job_state state)
{
	if (j->state != state)
		fail_msg("job %u is %s, not %s", j->id, job_state_name(j->state), job_state_name(state));
}

/* W7 (E25-E29): slices of 30 s on one node, row 2; a FILLER has its first turn as ACTIVE */
static void test_slices(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n1", 4);
		struct partition *p = w->cl->partitions->pdata[0];
		p->oversubscribe = OVERSUB_FORCE;
		p->max_share = 2;
		w->p->preempt_flags = PREEMPT_GANG;
		w_begin(w, 0);
		struct job *a = w_job(w, 0, "ntasks", "4", "time", "10", NULL);
		w_full(w, 0);
		struct job *b = w_job(w, 4, "ntasks", "4", "time", "10", NULL);
		assert_true(controller_next_slice(w->c, 4 * USEC) == INT64_MAX);
		w_full(w, 5);
		is(a, JOB_RUNNING);
		is(b, JOB_SUSPENDED);
		assert_int_equal(b->start, 5);
		assert_int_equal(controller_next_slice(w->c, 5 * USEC), 30 * USEC);
		controller_slice(w->c, 30 * USEC);
		is(a, JOB_RUNNING);
		controller_slice(w->c, 60 * USEC);
		is(a, JOB_SUSPENDED);
		is(b, JOB_RUNNING);
		assert_int_equal(b->end, 60 + 600);
		controller_slice(w->c, 90 * USEC);
		is(a, JOB_RUNNING);
		is(b, JOB_SUSPENDED);
		assert_int_equal(a->end, 90 + 600 - 60);
		w_end(w, a, 100, 0, true); /* its place is free: the other goes on at once */
		is(b, JOB_RUNNING);
		assert_int_equal(job_run_seconds(b, 110), 40);
		world_free(w);
	}
}

/* E23, E19: preemption by tier: the upper job starts at once; E26, E27: the lower job stops and goes on; a suspended job is never killed for its time limit (E29). */
static void test_tiers(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new((enum slurm_version)v);
		w_nodes(w, "n[1-2]", 1, 4, 1);
		w_part(w, "low", "n[1-2]");
		struct partition *high = w_part(w, "high", "n[1-2]");
		high->priority_tier = 10;
		w->p->preempt_type = PREEMPT_PARTITION;
		w->p->preempt_mode = PREEMPT_MODE_SUSPEND;
		w->p->preempt_flags = PREEMPT_GANG;
		w_begin(w, 0);
		struct job *a = w_job(w, 0, "nodes", "2", "ntasks", "8", "time", "1", NULL);
		w_full(w, 0);
		struct job *b = w_job(w, 9, "ntasks", "4", "partition", "high", "time", "5", NULL);
		w_full(w, 10);
		w_runs_on(w, b, 10, "n1");
		is(a, JOB_SUSPENDED);
		controller_sweep(w->c, 90 * USEC);
		is(a, JOB_SUSPENDED);
		w_end(w, b, 100, 0, true);
		is(a, JOB_RUNNING);
		assert_int_equal(a->end, 100 + 60 - 10);
		controller_sweep(w->c, 150 * USEC);
		is(a, JOB_TIMEOUT);
		world_free(w);
	}
}

/* W9 (E23, E27): three modes under SUSPEND,GANG; the job lands where the last lower partition must give way. */
static void test_modes(void **state)
{
	(void)state;
	struct world *w = world_new(SLURM_22_05);
	w_nodes(w, "n[1-6]", 1, 4, 1);
	static const struct {
		const char *name, *nodes;
		int mode;
	} parts[] = {{"susp", "n[1-2]", PREEMPT_MODE_UNSET},
	             {"requ", "n[3-4]", PREEMPT_MODE_REQUEUE},
	             {"canc", "n[5-6]", PREEMPT_MODE_CANCEL},
	             {"safe", "n6", PREEMPT_MODE_OFF}};
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		struct partition *p = w_part(w, parts[i].name, parts[i].nodes);
		p->preempt_mode = parts[i].mode;
		p->priority_tier = 1;
	}
	w_part(w, "top", "n[1-6]")->priority_tier = 10;
	w->p->preempt_type = PREEMPT_PARTITION;
	w->p->preempt_mode = PREEMPT_MODE_SUSPEND;
	w->p->preempt_flags = PREEMPT_GANG;
	w_begin(w, 0);
	struct job *job[7] = {NULL};
	job[6] = w_job(w, 0, "ntasks", "4", "partition", "safe", "time", "60", NULL);
	w_full(w, 0);
	static const char *const of[] = {NULL, "susp", "susp", "requ", "requ", "canc"};
	for (int i = 1; i <= 5; i++)
		job[i] = w_job(w, 1, "ntasks", "4", "partition", of[i], "time", "60", "requeue", "", NULL);
	w_full(w, 1);
	for (int i = 1; i <= 6; i++)
		is(job[i], JOB_RUNNING);
	struct job *top = w_job(w, 10, "ntasks", "4", "partition", "top", "time", "5", NULL);
	w_full(w, 10);
	w_runs_on(w, top, 10, "n5");
	is(job[5], JOB_PREEMPTED);
	for (int i = 1; i <= 4; i++)
		is(job[i], JOB_RUNNING);
	world_free(w);
}

/* E22: by QOS the cores of victims of mode SUSPEND are taken, not their memory, and the job starts at once; recorded (preempt-qos-suspend): in one
 * partition it then waits for its turn. */
static void test_by_qos(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int enough = 0; enough < 2; enough++) {
			struct world *w = w_simple((enum slurm_version)v, "n1", 4);
			w_accounting(w);
			w->p->cr_memory = true;
			w->p->preempt_type = PREEMPT_QOS;
			w->p->preempt_mode = PREEMPT_MODE_SUSPEND;
			w->p->preempt_flags = PREEMPT_GANG;
			acct_add_qos(w->cl->acct, "low");
			acct_add_qos(w->cl->acct, "high")->preempt = g_strsplit("low", ",", -1);
			w_begin(w, 0);
			struct job *a = w_job(w, 0, "qos", "low", "ntasks", "4", "mem", "40000", "time", "10", NULL);
			w_full(w, 0);
			struct job *b = w_job(w, 9, "qos", "high", "ntasks", "4", "mem", enough ? "20000" : "40000", "time", "10", NULL);
			w_full(w, 10);
			is(a, JOB_RUNNING);
			is(b, enough ? JOB_SUSPENDED : JOB_PENDING);
			if (enough) {
				assert_int_equal(b->start, 10);
				controller_slice(w->c, 15 * USEC);
				controller_slice(w->c, 20 * USEC);
				is(a, JOB_SUSPENDED);
				is(b, JOB_RUNNING);
				w_end(w, b, 30, 0, true);
				is(a, JOB_RUNNING);
			}
			world_free(w);
		}
}

/* E30: suspended by command the cores are free for others, memory is not. */
static void test_by_command(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n1", 4);
		w->p->cr_memory = true;
		w_begin(w, 0);
		struct job *a = w_job(w, 0, "ntasks", "4", "mem", "60000", "time", "10", NULL);
		w_full(w, 0);
		struct job *b = w_job(w, 1, "ntasks", "4", "mem", "1000", "time", "1", NULL);
		struct job *c = w_job(w, 1, "ntasks", "1", "mem", "20000", "time", "1", NULL);
		w_full(w, 2);
		is(b, JOB_PENDING);
		GError *error = NULL;
		assert_false(controller_suspend(w->c, b, 3 * USEC, &error));
		assert_string_equal(error->message, "Job is pending execution");
		g_clear_error(&error);
		assert_true(controller_suspend(w->c, a, 10 * USEC, NULL));
		is(a, JOB_SUSPENDED);
		w_full(w, 11);
		is(b, JOB_RUNNING);
		is(c, JOB_PENDING);
		assert_true(controller_resume(w->c, a, 40 * USEC, NULL)); /* both on the same cores for a while */
		assert_int_equal(a->end, 40 + 600 - 10);
		assert_false(controller_resume(w->c, a, 41 * USEC, &error));
		g_clear_error(&error);
		w_end(w, b, 50, 0, true);
		w_end(w, a, 60, 0, true);
		w_full(w, 61);
		is(c, JOB_RUNNING);
		assert_int_equal(usage_node(w->c->use, 0)->cores, 1);
		w_end(w, c, 70, 0, true);
		assert_int_equal(usage_node(w->c->use, 0)->cores, 0);
		assert_int_equal(w->c->use->cpus, 0);
		world_free(w);
	}
}

/* E25, E28: three take turns in the order of arrival, each ACTIVE one goes to the end; one that an administrator suspended is passed over. */
static void test_turns(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple((enum slurm_version)v, "n1", 4);
		struct partition *p = w->cl->partitions->pdata[0];
		p->oversubscribe = OVERSUB_FORCE;
		p->max_share = 3;
		w->p->preempt_flags = PREEMPT_GANG;
		w->p->time_slice = 20;
		w_begin(w, 3);
		controller_set_loops(w->c, 0, 0);
		struct job *j[3];
		for (int i = 0; i < 3; i++) {
			j[i] = w_job(w, 4 + i, "ntasks", "4", "time", "60", NULL);
			w_full(w, 4 + i);
		}
		assert_int_equal(controller_next_slice(w->c, 6 * USEC), 23 * USEC);
		controller_slice(w->c, 23 * USEC);                                   /* the first turn of the FILLER */
		static const int turn[] = {0, 1, 2, 0, 1};
		for (int k = 0; k < 5; k++) {
			if (k)
				controller_slice(w->c, (23 + 20 * k) * USEC);
			for (int i = 0; i < 3; i++)
				is(j[i], i == turn[k] ? JOB_RUNNING : JOB_SUSPENDED);
		}
		assert_true(controller_suspend(w->c, j[1], 104 * USEC, NULL)); /* 2 goes on in its place */
		static const int later[] = {2, 0, 2};
		for (int k = 0; k < 3; k++) {
			controller_slice(w->c, (123 + 20 * k) * USEC);
			is(j[later[k]], JOB_RUNNING);
			is(j[2 - later[k]], JOB_SUSPENDED);
			is(j[1], JOB_SUSPENDED);
		}
		world_free(w);
	}
}

/* E24: a suspended job keeps its memory; without GANG nobody is suspended, both run on the same cores. */
static void test_only_gang(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int gang = 0; gang < 2; gang++) {
			struct world *w = w_simple((enum slurm_version)v, "n1", 4);
			struct partition *p = w->cl->partitions->pdata[0];
			p->oversubscribe = OVERSUB_FORCE;
			p->max_share = 3;
			w->p->cr_memory = true;
			w->p->preempt_flags = gang ? PREEMPT_GANG : 0;
			w_begin(w, 0);
			struct job *a = w_job(w, 0, "ntasks", "4", "mem", "30000", "time", "10", NULL);
			w_full(w, 0);
			struct job *b = w_job(w, 1, "ntasks", "4", "mem", "30000", "time", "10", NULL);
			w_full(w, 1);
			is(a, JOB_RUNNING);
			is(b, gang ? JOB_SUSPENDED : JOB_RUNNING);
			assert_int_equal(controller_next_slice(w->c, 1 * USEC), gang ? 30 * USEC : INT64_MAX);
			struct job *c = w_job(w, 2, "ntasks", "4", "mem", "30000", "time", "10", NULL);
			w_full(w, 2);
			w_waits(c, REASON_RESOURCES);
			world_free(w);
		}
}

/* Ended while suspended: nothing stays behind. */
static void test_cancelled_meanwhile(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n1", 4);
	w_begin(w, 0);
	struct job *a = w_job(w, 0, "ntasks", "4", "time", "10", NULL);
	w_full(w, 0);
	assert_true(controller_suspend(w->c, a, 10 * USEC, NULL));
	assert_true(controller_cancel(w->c, a, 20 * USEC, NULL));
	is(a, JOB_CANCELLED);
	assert_int_equal(a->end, 10); /* recorded: when it was suspended */
	assert_int_equal(a->sus_total, 0);
	assert_int_equal(a->halted, 10);
	controller_epilog_done(w->c, a, UINT32_MAX, true, 21 * USEC);
	assert_int_equal(usage_node(w->c->use, 0)->jobs, 0);
	assert_int_equal(usage_node(w->c->use, 0)->paused, 0);
	assert_int_equal(w->c->use->cpus, 0);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_slices),     cmocka_unit_test(test_tiers),
	    cmocka_unit_test(test_modes),      cmocka_unit_test(test_by_command),
	    cmocka_unit_test(test_cancelled_meanwhile), cmocka_unit_test(test_turns), cmocka_unit_test(test_by_qos), cmocka_unit_test(test_only_gang),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
