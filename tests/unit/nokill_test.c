/* nokill_test.c - --no-kill: a job goes on without a node it has lost (C45); recorded in tests/recorded/no-kill (22.05) */
#include "sched_helper.h"
#include "play_helper.h"
#include "sched/audit.h"

static void down(struct world *w, const char *node, sec_t t)
{
	GError *error = NULL;
	assert_true(controller_update_node(w->c, node, "down", "broken", t * USEC, NULL));
	if (!controller_audit(w->c, &error))
		fail_msg("%s", error->message);
}

static void held(const struct world *w, const struct job *j, const char *nodes, uint32_t cpus)
{
	g_autofree char *names = cluster_format_nodes(w->cl, j->nodes);
	assert_string_equal(names, nodes);
	assert_int_equal(j->alloc->cpus, cpus);
}

static void goes_on(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-4]", 4);
		w_begin(w, 0);
		struct job *three = w_job(w, 1, "nodelist", "n[1-3]", "ntasks", "6", "no-kill", "", "time", "5", NULL),
			   *one = w_job(w, 1, "nodelist", "n2", "no-kill", "", NULL), *off = w_job(w, 1, "nodelist", "n[2-3]", "no-kill", "off", "no-requeue", "", NULL);
		w_full(w, 2);
		held(w, three, "n[1-3]", 6);
		down(w, "n2", 5);
		assert_int_equal(three->state, JOB_RUNNING);
		held(w, three, "n[1,3]", 5);
		assert_int_equal(three->start, 2);
		assert_int_equal(three->end, 302);
		assert_int_equal(three->resized, 5);
		assert_int_equal(one->state, JOB_PENDING); /* it has no other: requeued */
		assert_int_equal(one->run, 1);
		assert_int_equal(off->state, JOB_NODE_FAIL);
		down(w, "n3", 6);
		held(w, three, "n1", 4);
		controller_job_exited(w->c, three, 0, 0, false, 100 * USEC);
		controller_epilog_done(w->c, three, UINT32_MAX, true, 101 * USEC);
		assert_int_equal(three->state, JOB_COMPLETED);
		world_free(w);
	}
}

/* The first node's script: killed when the node was told to stop, not when it does not answer (recorded); the last node is the last */
static void first_node(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-4]", 4);
		w_begin(w, 0);
		struct job *told = w_job(w, 1, "nodelist", "n[1-2]", "no-kill", "", NULL), *lost = w_job(w, 1, "nodelist", "n[3-4]", "no-kill", "", NULL);
		w_full(w, 2);
		down(w, "n1", 5);
		assert_int_equal(told->state, JOB_FAILED);
		assert_int_equal(told->reason, v == SLURM_22_05 ? REASON_JOB_LAUNCH_FAILURE : REASON_RAISED_SIGNAL);
		assert_int_equal(told->exit_signal, 9);
		controller_node_news(w->c, 2, NODE_LOST, 6 * USEC);
		assert_int_equal(lost->state, JOB_RUNNING);
		held(w, lost, "n4", 1);
		controller_node_news(w->c, 3, NODE_LOST, 7 * USEC);
		assert_int_equal(lost->state, JOB_PENDING);
		assert_int_equal(lost->resized, 5 + 1);
		world_free(w);
	}
}

/* Accounting: a row of all runs, and what a run held until each loss */
static void recorded(void **state)
{
	const struct play_file files[] = {
	    {"slurm.conf", "SelectTypeParameters=CR_Core_Memory\nSlurmdTimeout=30\nNodeName=n[1-6] CPUs=4 RealMemory=4000\nPartitionName=p Nodes=ALL Default=YES\n"},
	    {"scenario.json", "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n"
			      " \"jobs\": [{\"name\": \"k\", \"user\": \"u\", \"run\": 100, \"nodes\": 3, \"ntasks\": 6, \"mem\": 1000, \"nodelist\": \"n[1-3]\", \"no_kill\": true}],\n"
			      " \"events\": [{\"at\": 20, \"cmd\": \"scontrol update node=n2 state=down reason=x\"},\n"
			      "            {\"at\": 40, \"cmd\": \"scontrol update node=n3 state=down reason=x\"}]}"},
	    {NULL, NULL}};
	(void)state;
	struct played p = play_files(files);
	char *rows = played_ask(&p, "SELECT group_concat(z.nnodes || ' ' || z.ncpus || ' ' || z.nodelist || ' ' || z.alloc_tres || ' ' || (z.end_s - z.start_s), ';') "
			      "FROM resize z JOIN job j ON j.job = z.job WHERE j.label = ?1", "k", 0);
	assert_string_equal(rows, "3 6 n[1-3] billing=6,cpu=6,mem=3000M,node=3 20;2 5 n[1,3] billing=5,cpu=5,mem=2000M,node=2 20");
	g_free(rows);
	rows = played_ask(&p, "SELECT state || ' ' || run || ' ' || nnodes || ' ' || ncpus || ' ' || nodelist || ' ' || (end_s - start_s) FROM job WHERE label = ?1", "k", 0);
	assert_string_equal(rows, "COMPLETED 0 1 4 n1 100");
	g_free(rows);
	played_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(goes_on), cmocka_unit_test(first_node), cmocka_unit_test(recorded)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
