/* lifecases_test.c - cases 03 (maintenance and unlimited time) and 25 (which job is preempted), measured on a real Slurm; slurmds that die (C45, C46) */
#include "sched/reservation.h"
#include "tests/unit/sched_helper.h"

#define HOUR 3600

static void case_03(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new((enum slurm_version)v);
		w_nodes(w, "mx[1-2]", 1, 4, 1);
		w_part(w, "srlab", "mx[1-2]")->max_time = INFINITE;
		w->p->bf_resolution = 1;
		w_begin(w, 1000000 - 12);
		const struct resv_setting set[] = {{"nodes", "mx[1-2]"}, {"starttime", "now+660"}, {"duration", "60"},
		                                   {"flags", "MAINT,IGNORE_JOBS"}, {"users", "root"}};
		char *name = g_strdup("maint");
		assert_true(controller_create_reservation(w->c, set, 5, (1000000 - 11) * USEC, &name, NULL));
		g_free(name);
		const sec_t t = 1000000;
		struct job *unl = w_job(w, t, "ntasks", "1", NULL);
		struct job *days = w_job(w, t + 1, "ntasks", "1", "time", "240:00:00", NULL);
		struct job *five = w_job(w, t + 2, "ntasks", "1", "time", "5", NULL);
		struct job *named = w_job(w, t + 2, "ntasks", "1", "time", "30", "nodelist", "mx1", NULL);
		w_full(w, t + 2);
		w_runs_on(w, five, t + 2, "mx1");
		struct job *const waiting[] = {unl, days, named};
		for (size_t i = 0; i < G_N_ELEMENTS(waiting); i++) {
			w_waits(waiting[i], REASON_REQ_NODE_NOT_AVAIL);
			assert_string_equal(waiting[i]->reason_text, "ReqNodeNotAvail, Reserved for maintenance");
		}
		w_backfill(w, t + 4);
		assert_int_equal(unl->est_start, t + 649 + HOUR);
		assert_int_equal(days->est_start, t + 649 + HOUR);
		world_free(w);
	}
}

static void case_25(void **state)
{
	(void)state;
	struct world *w = world_new(SLURM_22_05);
	w_nodes(w, "hpc[401-402]", 1, 3, 1);
	w_nodes(w, "big[1-4]", 1, 4, 1);
	static const struct {
		const char *name, *nodes;
		int mode, tier;
	} parts[] = {{"uctlo", "hpc[401-402]", PREEMPT_MODE_REQUEUE, 1},
	             {"ucthi", "hpc[401-402]", PREEMPT_MODE_OFF, 10},
	             {"blo", "big[1-4]", PREEMPT_MODE_CANCEL, 1},
	             {"bhi", "big[1-4]", PREEMPT_MODE_OFF, 10}};
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		struct partition *p = w_part(w, parts[i].name, parts[i].nodes);
		p->preempt_mode = parts[i].mode;
		p->priority_tier = (uint16_t)parts[i].tier;
		p->max_time = 60;
	}
	w->p->preempt_type = PREEMPT_PARTITION;
	w->p->preempt_mode = PREEMPT_MODE_REQUEUE;
	w_begin(w, 0);
#define LOW(t, part, node, n)                                                                                          \
	w_job(w, t, "partition", part, "nodelist", node, "ntasks", n, "time", "20", "requeue", "", NULL)
	struct job *lo[3] = {LOW(0, "uctlo", "hpc402", "1"), LOW(0, "uctlo", "hpc402", "1"), LOW(0, "uctlo", "hpc402", "1")};
	struct job *b1 = LOW(0, "blo", "big1", "4");
	w_full(w, 0);
	struct job *b2 = LOW(1, "blo", "big2", "1"), *b2b = LOW(1, "blo", "big2", "1");
	struct job *b3 = w_job(w, 1, "partition", "blo", "nodes", "2", "nodelist", "big[3-4]", "ntasks", "8", "time", "20", NULL);
	w_full(w, 2);
	for (int i = 0; i < 3; i++)
		w_job(w, 4, "partition", "ucthi", "nodelist", "hpc401", "ntasks", "1", "time", "20", NULL);
	w_full(w, 4);
	struct job *bh1 = w_job(w, 6, "partition", "bhi", "nodes", "1", "ntasks", "3", "time", "20", NULL);
	w_full(w, 6);
	assert_int_equal(b1->state, JOB_PREEMPTED);
	assert_int_equal(b2->state, JOB_RUNNING);
	assert_int_equal(b2b->state, JOB_RUNNING);
	assert_int_equal(b3->state, JOB_RUNNING);
	controller_epilog_done(w->c, b1, UINT32_MAX, true, 6 * USEC);
	w_full(w, 7);
	w_runs_on(w, bh1, 7, "big1");
	struct job *hi = w_job(w, 8, "partition", "ucthi", "ntasks", "1", "time", "20", NULL);
	w_full(w, 8);
	assert_int_equal(lo[0]->state, JOB_PENDING); /* the oldest */
	assert_int_equal(lo[1]->state, JOB_RUNNING);
	assert_int_equal(lo[2]->state, JOB_RUNNING);
	controller_epilog_done(w->c, lo[0], UINT32_MAX, true, 8 * USEC);
	w_full(w, 8);
	w_runs_on(w, hi, 8, "hpc402");
	assert_int_equal(lo[0]->eligible, 8 + 120 + 1);
	assert_int_equal(lo[0]->submit, 8);
	w_waits(lo[0], REASON_BEGIN_TIME);
	w_job(w, 20, "partition", "bhi", "nodes", "1", "ntasks", "4", "time", "20", NULL);
	w_full(w, 20);
	assert_int_equal(b2->state, JOB_PREEMPTED);
	assert_int_equal(b2b->state, JOB_PREEMPTED);
	assert_int_equal(b3->state, JOB_RUNNING);
	world_free(w);
}

static void test_slurmd(void **state)
{
	(void)state;
	for (int back = 0; back <= 2; back++) {
		struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
		w->p->return_to_service = back;
		w_begin(w, 0);
		struct job *j = w_job(w, 0, "ntasks", "4", "time", "10", "requeue", "", NULL);
		w_full(w, 0);
		controller_node_news(w->c, 0, NODE_SILENT, 10 * USEC);
		assert_int_equal(j->state, JOB_RUNNING);
		struct job *other = w_job(w, 11, "ntasks", "4", "time", "10", NULL);
		w_full(w, 12);
		w_runs_on(w, other, 12, "n2");
		controller_node_news(w->c, 0, NODE_LOST, 25 * USEC);
		assert_int_equal(j->state, JOB_PENDING);
		assert_string_equal(controller_node_state(w->c, w->cl->node[0], true), "down*");
		controller_epilog_done(w->c, j, UINT32_MAX, false, 36 * USEC); /* the kill request is given up (C45) */
		controller_node_news(w->c, 0, NODE_REGISTERS, 40 * USEC);
		assert_string_equal(controller_node_state(w->c, w->cl->node[0], true), back ? "idle" : "down");
		assert_true(controller_update_node(w->c, "n1", "down", "by hand", 50 * USEC, NULL));
		controller_node_news(w->c, 0, NODE_REGISTERS, 60 * USEC);
		assert_string_equal(controller_node_state(w->c, w->cl->node[0], true), back == 2 ? "idle" : "down");
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(case_03), cmocka_unit_test(case_25), cmocka_unit_test(test_slurmd)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
