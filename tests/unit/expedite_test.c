/* expedite_test.c - expedited requeues: --requeue=expedite with enable_expedited_requeue (S12 key 1, C1, C40, R51; release notes of 25.11) */
#include "sched_helper.h"
#include "play_helper.h"
#include "tools/explain_priority.h"

/* n1-n3 of four cores; p over all, "top" of a higher PriorityTier over n2 and n3, "two" over n2 */
static struct world *site(enum slurm_version v, bool enabled)
{
	struct world *w = w_simple(v, "n[1-3]", 4);
	struct partition *top = w_part(w, "top", "n[2-3]");
	top->priority_tier = 10;
	w_part(w, "two", "n2");
	w->p->expedited_requeue = enabled;
	return w;
}

static void node(struct world *w, const char *name, const char *state, sec_t t)
{
	GError *error = NULL;
	if (!controller_update_node(w->c, name, state, "test", t * USEC, &error))
		fail_msg("%s", error->message);
}

static const char *shown(const struct job *j)
{
	return job_state_compact(j->state, j->flags);
}

/* A job on n1 and n2, whole, with --requeue=WORD; n1 goes down at 30, the epilog of n2 is done at 33 */
static struct job *lost(struct world *w, const char *word)
{
	struct job *j = w_job(w, 10, "requeue", word, "nodelist", "n[1-2]", "exclusive", "", "time", "60", NULL);
	w_full(w, 20);
	w_runs_on(w, j, 20, "n[1-2]");
	node(w, "n1", "DOWN", 30);
	assert_string_equal(shown(j), "CG"); /* R51: completing goes before expediting */
	controller_epilog_done(w->c, j, UINT32_MAX, true, 33 * USEC);
	return j;
}

/* C40 with D = 0; R51; without the word or the parameter it is a plain requeue */
static void delay_and_state(void **state)
{
	static const struct { const char *word; bool enabled, expedited; } cases[] = {
	    {"expedite", true, true}, {"EXPEDITE", true, true}, {"expedite", false, false}, {"", true, false}};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world *w = site(SLURM_26, cases[i].enabled);
		w_begin(w, 1);
		struct job *j = lost(w, cases[i].word);
		assert_int_equal(j->state, JOB_PENDING);
		assert_string_equal(shown(j), cases[i].expedited ? "EXPEDITING" : "PD");
		assert_int_equal(j->eligible, cases[i].expedited ? 34 : 154);
		assert_int_equal(j->run, 1);
		w_full(w, 33);
		w_waits(j, REASON_BEGIN_TIME);
		node(w, "n1", "RESUME", 40);
		w_full(w, 40);
		if (cases[i].expedited) {
			w_runs_on(w, j, 40, "n[1-2]");
			assert_string_equal(shown(j), "R");
		} else {
			w_waits(j, REASON_BEGIN_TIME);
		}
		world_free(w);
	}
}

/* --no-requeue after it, JobRequeue=0 before it */
static void asks_for_requeue(void **state)
{
	(void)state;
	struct world *w = site(SLURM_26, true);
	w->p->job_requeue = false;
	w_begin(w, 1);
	struct job *yes = w_job(w, 10, "requeue", "expedite", NULL), *no = w_job(w, 10, "requeue", "expedite", "no-requeue", "", NULL);
	w_full(w, 20);
	w_runs_on(w, yes, 20, "n1");
	w_runs_on(w, no, 20, "n1");
	node(w, "n1", "DOWN", 30);
	assert_string_equal(shown(yes), "EXPEDITING"); /* no other node to wait for */
	assert_int_equal(no->state, JOB_NODE_FAIL);
	world_free(w);
}

/* sbatch 22.05.8 takes no argument there */
static void not_in_22_05(void **state)
{
	(void)state;
	struct world *w = site(SLURM_22_05, false);
	w_begin(w, 1);
	w_refused(w, 10, "option '--requeue' doesn't allow an argument", "requeue", "expedite", NULL);
	world_free(w);
}

/* S12 key 1: before a higher PriorityTier and any priority, with preemption on too (key 2) */
static void comes_first(void **state)
{
	(void)state;
	for (int preempts = 0; preempts < 2; preempts++) {
		struct world *w = site(SLURM_26, true);
		if (preempts) {
			w->p->preempt_type = PREEMPT_PARTITION;
			w->p->preempt_mode = PREEMPT_MODE_REQUEUE;
		}
		w_begin(w, 1);
		struct job *long_one = w_job(w, 10, "nodelist", "n3", "exclusive", "", "partition", "top", NULL);
		struct job *j = lost(w, "expedite");
		struct job *top = w_job(w, 34, "partition", "top", "nodes", "1", "exclusive", "", "priority", "4000000000", NULL);
		struct job *high = w_job(w, 34, "nodes", "1", "exclusive", "", "priority", "4000000000", NULL);
		w_full(w, 35);
		w_waits(j, REASON_REQ_NODE_NOT_AVAIL);
		queue_build(w->c, false);
		assert_ptr_equal(g_array_index(w->c->queue, struct queue_record, 0).job, j);
		assert_ptr_equal(g_array_index(w->c->queue, struct queue_record, 1).job, top);
		assert_ptr_equal(g_array_index(w->c->queue, struct queue_record, 2).job, high);
		char *text = NULL;
		size_t length;
		FILE *out = open_memstream(&text, &length);
		explain_priority_job(out, w->c, high, 35, 5);
		fclose(out);
		assert_non_null(strstr(text, "1 eligible jobs of its partitions are ahead"));
		assert_non_null(strstr(text, "p of u1 is EXPEDITING"));
		free(text);
		w_end(w, long_one, 50, 0, true);
		w_full(w, 51); /* n2 is kept, n3 is not */
		w_runs_on(w, top, 51, "n3");
		world_free(w);
	}
}

/* The nodes it had are kept, from both schedulers, until it starts */
static void nodes_kept(void **state)
{
	(void)state;
	for (int kept = 0; kept < 2; kept++) {
		struct world *w = site(SLURM_26, kept);
		w_begin(w, 1);
		struct job *other = w_job(w, 10, "nodelist", "n3", "exclusive", "", "time", "100", NULL);
		struct job *j = lost(w, "expedite");
		struct job *two = kept ? w_job(w, 33, "partition", "two", "time", "1", NULL) : NULL;
		if (two) {
			w_full(w, 33); /* before the pass that asks for j, whose nodes leave the working set then (S31 a) */
			w_waits(two, REASON_REQ_NODE_NOT_AVAIL);
			assert_string_equal(two->reason_text, "ReqNodeNotAvail, May be reserved for other job");
			g_autofree char *detail = blocker_detail(&two->blocker, two, w->c);
			assert_string_equal(detail, "available 0 of 1, wanted 1; kept for job 2, requeued expedited: n2");
		}
		struct job *small = w_job(w, 35, "partition", "top", "time", "1", NULL);
		w_full(w, 35);
		if (!kept) {
			w_runs_on(w, small, 35, "n2");
			world_free(w);
			continue;
		}
		w_waits(small, REASON_RESOURCES); /* N60: n3 is busy */
		w_backfill(w, 65);
		assert_int_equal(small->state, JOB_PENDING);
		assert_int_equal(two->state, JOB_PENDING);
		w_nodes_are(w, small->sched_nodes, "n3");
		assert_null(two->sched_nodes);
		node(w, "n1", "RESUME", 100);
		w_full(w, 100);
		w_runs_on(w, j, 100, "n[1-2]");
		assert_null(j->kept_nodes);
		w_end(w, other, 110, 0, true);
		w_full(w, 111);
		w_runs_on(w, small, 111, "n3");
		w_end(w, j, 120, 0, true); /* nothing is kept after a good end */
		struct job *late = w_job(w, 121, "nodelist", "n1", NULL);
		w_full(w, 122);
		w_runs_on(w, late, 122, "n1");
		world_free(w);
	}
}

/* scancel lets go of them, a preemptor does not kill for them */
static void let_go(void **state)
{
	(void)state;
	struct world *w = site(SLURM_26, true);
	w_begin(w, 1);
	w_job(w, 10, "nodelist", "n3", "exclusive", "", "time", "100", NULL);
	struct job *j = lost(w, "expedite"), *small = w_job(w, 34, "partition", "top", "time", "1", NULL);
	w_full(w, 35);
	w_waits(small, REASON_RESOURCES);
	assert_true(controller_cancel(w->c, j, 40 * USEC, NULL));
	assert_string_equal(shown(j), "CA");
	w_full(w, 41);
	w_runs_on(w, small, 41, "n2");
	world_free(w);
}

static void no_victims_there(void **state)
{
	(void)state;
	struct world *w = site(SLURM_26, true);
	w->p->preempt_type = PREEMPT_PARTITION;
	w->p->preempt_mode = PREEMPT_MODE_REQUEUE;
	w_begin(w, 1);
	struct job *one = w_job(w, 10, "requeue", "expedite", "nodelist", "n[1-2]", "ntasks", "2", NULL);
	struct job *beside = w_job(w, 10, "nodelist", "n2", "time", "100", NULL);
	struct job *third = w_job(w, 10, "nodelist", "n3", "exclusive", "", "time", "100", "no-requeue", "", NULL);
	w_full(w, 20);
	node(w, "n1", "DOWN", 30);
	controller_epilog_done(w->c, one, UINT32_MAX, true, 31 * USEC);
	assert_string_equal(shown(one), "EXPEDITING");
	assert_int_equal(beside->state, JOB_RUNNING); /* what runs there goes on */
	struct job *top = w_job(w, 34, "partition", "top", "exclusive", "", "nodes", "1", NULL);
	w_full(w, 35);
	assert_int_equal(beside->state, JOB_RUNNING);
	assert_int_equal(third->state, JOB_PREEMPTED);
	controller_epilog_done(w->c, third, UINT32_MAX, true, 36 * USEC);
	w_full(w, 37);
	w_runs_on(w, top, 37, "n3");
	world_free(w);
}

/* Two jobs that lost a node together do not keep each other out */
static void together(void **state)
{
	(void)state;
	struct world *w = site(SLURM_26, true);
	w_begin(w, 1);
	struct job *j[2];
	for (int i = 0; i < 2; i++)
		j[i] = w_job(w, 10, "requeue", "expedite", "nodelist", "n[1-2]", "ntasks", "2", NULL);
	w_full(w, 20);
	node(w, "n1", "DOWN", 30);
	for (int i = 0; i < 2; i++)
		controller_epilog_done(w->c, j[i], UINT32_MAX, true, 31 * USEC);
	node(w, "n1", "RESUME", 40);
	w_full(w, 40);
	for (int i = 0; i < 2; i++)
		w_runs_on(w, j[i], 40, "n[1-2]");
	world_free(w);
}

/* What others do to it is no failure of a node: scontrol requeue, preemption, RequeueExit */
static void not_for_others(void **state)
{
	(void)state;
	struct world *w = site(SLURM_26, true);
	w->p->requeue_exit[0] = UINT64_C(1) << 3;
	w_begin(w, 1);
	struct job *j = w_job(w, 10, "requeue", "expedite", NULL), *bad = w_job(w, 10, "requeue", "expedite", NULL);
	w_full(w, 20);
	assert_true(controller_requeue(w->c, j, 0, 30 * USEC, NULL));
	controller_job_exited(w->c, bad, 3, 0, false, 30 * USEC);
	controller_epilog_done(w->c, j, UINT32_MAX, true, 31 * USEC);
	controller_epilog_done(w->c, bad, UINT32_MAX, true, 31 * USEC);
	assert_string_equal(shown(j), "PD");
	assert_string_equal(shown(bad), "PD");
	assert_int_equal(j->eligible, 152);
	assert_int_equal(bad->eligible, 152);
	world_free(w);
}

/* C70: no component without the others; an array's task is EXPEDITING alone */
static void components_and_tasks(void **state)
{
	(void)state;
	struct world *w = site(SLURM_26, true);
	w_begin(w, 1);
	struct job_request *r[2] = {job_request_new(), job_request_new()};
	for (int i = 0; i < 2; i++) {
		r[i]->user = g_strdup("u1");
		r[i]->nodelist = g_strdup(i ? "n2" : "n1");
		assert_true(job_request_set(r[i], "requeue", "expedite", NULL));
	}
	struct job *lead = controller_submit_het(w->c, r, 2, 10 * USEC, NULL, NULL);
	assert_non_null(lead);
	w_backfill(w, 40);
	w_backfill(w, 80);
	assert_int_equal(lead->state, JOB_RUNNING);
	struct job *two = lead->het->comp[1], *head = w_job(w, 81, "array", "0-1", "requeue", "expedite", "nodelist", "n3", "exclusive", "", NULL);
	w_full(w, 82);
	struct job *task = controller_find_task(w->c, head->id, 0);
	w_runs_on(w, task, 82, "n3");
	node(w, "n1,n3", "DOWN", 90);
	controller_epilog_done(w->c, two, UINT32_MAX, true, 91 * USEC);
	assert_string_equal(shown(lead), "EXPEDITING");
	assert_string_equal(shown(two), "EXPEDITING");
	assert_string_equal(shown(task), "EXPEDITING");
	assert_string_equal(shown(controller_find_task(w->c, head->id, 1)), "PD");
	node(w, "n1,n3", "RESUME", 100);
	w_backfill(w, 120); /* the main pass starts no component, and leaves their partition closed (S18) */
	w_backfill(w, 150);
	w_runs_on(w, two, lead->start, "n2");
	w_runs_on(w, task, task->start, "n3");
	assert_int_equal(w->c->expediting->len, 0);
	world_free(w);
}

/* From a scenario to accounting: NODE_FAIL, then the run that began one second after the epilog */
static void scenario(void **state)
{
	static const struct { const char *parameter, *request, *rows; } cases[] = {
	    {"SlurmctldParameters=enable_expedited_requeue\n", "\"requeue\": \"expedite\"", "NODE_FAIL 20,COMPLETED 1"},
	    {"", "\"requeue\": \"expedite\"", "NODE_FAIL 20,COMPLETED 121"},
	    {"SlurmctldParameters=enable_expedited_requeue\n", "\"extra\": [\"--requeue=expedite\"]", "NODE_FAIL 20,COMPLETED 1"}};
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *conf = g_strdup_printf("SelectTypeParameters=CR_Core\n%sNodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n",
		                                        cases[i].parameter);
		g_autofree char *json = g_strdup_printf("{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n"
		                                        " \"jobs\": [{\"name\": \"j\", \"user\": \"u\", \"run\": 100, %s}],\n"
		                                        " \"events\": [{\"at\": 20, \"cmd\": \"scontrol update nodename=n1 state=down reason=x\"}], \"until\": 1000}",
		                                        cases[i].request);
		const struct play_file files[] = {{"slurm.conf", conf}, {"scenario.json", json}, {NULL, NULL}};
		struct played p = play_files(files);
		char *rows = played_ask(&p,
		                        "SELECT group_concat(state || ' ' || CASE run WHEN 0 THEN (end_t - submit_t) / 1000000 ELSE eligible_s - submit_s END)"
		                        " FROM (SELECT * FROM job WHERE label = ?1 ORDER BY run)",
		                        "j", 0);
		assert_string_equal(rows, cases[i].rows);
		g_free(rows);
		played_done(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(delay_and_state), cmocka_unit_test(asks_for_requeue), cmocka_unit_test(not_in_22_05), cmocka_unit_test(comes_first),
	    cmocka_unit_test(nodes_kept), cmocka_unit_test(let_go), cmocka_unit_test(no_victims_there), cmocka_unit_test(together),
	    cmocka_unit_test(not_for_others), cmocka_unit_test(components_and_tasks), cmocka_unit_test(scenario),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
