/* mainsched_test.c - the worked examples of spec main-scheduler.md section 6 and the parameters of the main pass */
#include "sched_helper.h"
#include "sched/reservation.h"

#define T1 "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions"

static char *queue_order(struct world *w)
{
	GString *s = g_string_new(NULL);
	queue_build(w->c, false);
	for (guint i = 0; i < w->c->queue->len; i++) {
		g_autofree char *id = job_format_id(g_array_index(w->c->queue, struct queue_record, i).job);
		g_string_append_printf(s, "%s%s", i ? " " : "", id);
	}
	return g_string_free(s, FALSE);
}

static struct job *at(struct job *j, sec_t submit)
{
	j->submit = submit;
	return j;
}

/* Reservation R of user u1 on n1 from T for two hours. */
static void reserve(struct world *w, sec_t t)
{
	static const struct resv_setting set[] = {{"starttime", "now"}, {"duration", "120"}, {"nodes", "n1"}, {"users", "u1"}};
	g_autofree char *name = g_strdup("R");
	GError *error = NULL;
	if (!controller_create_reservation(w->c, set, G_N_ELEMENTS(set), t * USEC, &name, &error))
		fail_msg("%s", error->message);
}

/* W1 (S12) */
static void sort(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int split = 0; split < 2; split++) {
			struct world *w = world_new(v);
			w_nodes(w, "n[1-4]", 1, 4, 1);
			w_part(w, "A", "n[1-4]");
			w_part(w, "B", "n[1-4]")->priority_tier = 2;
			w->p->first_job_id = 10;
			w_begin(w, 1);
			reserve(w, 60);
			at(w_job(w, 60, "partition", "A", "priority", "100", NULL), 50);
			at(w_job(w, 60, "partition", "A", "priority", "100", NULL), 40);
			at(w_job(w, 60, "partition", "B", "priority", "90", NULL), 45);
			w_job(w, 60, "partition", "A", "priority", "10", "reservation", "R", NULL);
			struct job *head =
			    at(w_job(w, 60, "partition", "A", "priority", "100", "array", "0-3", NULL), 40);
			if (split)
				assert_int_equal(controller_split_task(w->c, head, 0, 60 * USEC)->id, 15);
			g_autofree char *order = queue_order(w);
			assert_string_equal(order, split ? "13 12 11 14_0 14_[1-3] 10" : "13 12 11 14_[0-3] 10");
			world_free(w);
		}
}

/* S12, keys 5 to 8, one by one */
static void sort_keys(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	(void)state;
	w_begin(w, 1);
	at(w_job(w, 60, "priority", "5", NULL), 60);
	at(w_job(w, 60, "priority", "6", NULL), 60); /* 2: priority */
	at(w_job(w, 60, "priority", "5", NULL), 59); /* 3: submit time */
	at(w_job(w, 60, "priority", "5", NULL), 60); /* 4: job id */
	w_job(w, 60, "hold", "", NULL);              /* 5: not queued (S10.3) */
	w_job(w, 60, "begin", "1000", NULL);         /* 6: not queued (S10.4) */
	g_autofree char *order = queue_order(w);
	assert_string_equal(order, "2 3 1 4");
	world_free(w);
}

static struct world *blocking_world(enum slurm_version v, struct job *j[3])
{
	struct world *w = world_new(v);
	w_nodes(w, "n[1-4]", 1, 8, 1);
	w_part(w, "p", "n[1-4]");
	w_part(w, "q", "n4");
	w_begin(w, 1);
	w_run(w, 1, "n[1-3]", 60);
	j[0] = w_job(w, 10, "partition", "p", "priority", "10", "nodes", "2", "exclusive", "", NULL);
	j[1] = w_job(w, 10, "partition", "p", "priority", "9", NULL);
	j[2] = w_job(w, 10, "partition", "q", "priority", "8", NULL);
	for (int i = 0; i < 3; i++)
		job_set_reason(w->c, j[i], REASON_NONE, NULL);
	return w;
}

/* W2 (S27, S29, S24, S26) */
static void blocking(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct job *j[3];
		struct world *w = blocking_world(v, j);
		w_full(w, 20);
		w_waits(j[0], REASON_RESOURCES);
		w_waits(j[1], REASON_PRIORITY);
		w_waits(j[2], REASON_RESOURCES);
		assert_string_equal(j[2]->reason_text, T1);
		assert_null(j[0]->reason_text);
		world_free(w);
	}
}

/* W2, second half: bf_min_prio_reserve=11 (S31d) */
static void blocking_min_prio(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct job *j[3];
		struct world *w = blocking_world(v, j);
		w->p->bf_min_prio_reserve = 11;
		w_full(w, 20);
		w_waits(j[0], REASON_RESOURCES);
		w_runs_on(w, j[1], 20, "n4");
		w_runs_on(w, j[2], 20, "n4");
		world_free(w);
	}
}

/* S31c: the same for jobs younger than bf_min_age_reserve */
static void blocking_min_age(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int old = 0; old < 2; old++) {
			struct job *j[3];
			struct world *w = blocking_world(v, j);
			w->p->bf_min_age_reserve = 30;
			w_full(w, old ? 40 : 39); /* begin time 10 */
			w_waits(j[0], REASON_RESOURCES);
			assert_int_equal(j[1]->state, old ? JOB_PENDING : JOB_RUNNING);
			world_free(w);
		}
}

/* S31a: a job that named its nodes does not block; it keeps only these from others */
static void required_nodes(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-4]", 8);
	(void)state;
	w_begin(w, 1);
	w_run(w, 1, "n1", 60);
	struct job *a = w_job(w, 10, "nodelist", "n[1-2]", "exclusive", "", "priority", "10", NULL);
	struct job *b = w_job(w, 10, "exclusive", "", "priority", "9", NULL);
	w_full(w, 20);
	w_waits(a, REASON_RESOURCES);
	w_runs_on(w, b, 20, "n3");
	world_free(w);
}

/* W3: default_queue_depth=2: depth values 0, 1, 2 pass; a full pass has no depth (S20), in both versions (S39) */
static void depth(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int full = 0; full < 2; full++) {
			struct world *w = w_simple(v, "n1", 8);
			struct job *j[5];
			w->p->default_queue_depth = 2;
			w_begin(w, 1);
			for (int i = 0; i < 5; i++)
				j[i] = w_job(w, 10, "ntasks", "1", NULL);
			controller_pass(w->c, full ? PASS_MAIN_FULL : PASS_MAIN_QUICK, 20 * USEC);
			for (int i = 0; i < 5; i++)
				assert_int_equal(j[i]->state, i < 3 || full ? JOB_RUNNING : JOB_PENDING);
			world_free(w);
		}
}

/* partition_job_depth: both passes; reason Priority only if it was None (S20) */
static void part_depth(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int full = 0; full < 2; full++) {
			struct world *w = world_new(v);
			struct job *j[5];
			w_nodes(w, "n1", 1, 8, 1);
			w_part(w, "p", "n1");
			w_part(w, "q", "n1");
			w->p->partition_job_depth = 2;
			w_begin(w, 1);
			for (int i = 0; i < 5; i++)
				j[i] = w_job(w, 10, "ntasks", "1", "partition", i < 4 ? "p" : "q", NULL);
			job_set_reason(w->c, j[2], REASON_NONE, NULL);
			job_set_reason(w->c, j[3], REASON_RESOURCES, NULL);
			controller_pass(w->c, full ? PASS_MAIN_FULL : PASS_MAIN_QUICK, 20 * USEC);
			for (int i = 0; i < 5; i++)
				assert_int_equal(j[i]->state, i < 2 || i == 4 ? JOB_RUNNING : JOB_PENDING);
			w_waits(j[2], REASON_PRIORITY);
			w_waits(j[3], REASON_RESOURCES);
			world_free(w);
		}
}

/* S19 */
static void max_job_start(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 8);
		struct job *j[4];
		w->p->sched_max_job_start = 2;
		w_begin(w, 1);
		for (int i = 0; i < 4; i++)
			j[i] = w_job(w, 10, "ntasks", "1", NULL);
		w_full(w, 20);
		for (int i = 0; i < 4; i++)
			assert_int_equal(j[i]->state, i < 2 ? JOB_RUNNING : JOB_PENDING);
		w_full(w, 21);
		assert_int_equal(j[3]->start, 21);
		world_free(w);
	}
}

/* Ticks of every second in (from, to]. */
static void ticks(struct world *w, sec_t from, sec_t to)
{
	for (sec_t t = from + 1; t <= to; t++)
		controller_tick(w->c, t * USEC);
}

/* W4 (S2): with every turn made, and with only those turns that the library asks for; a batch job starts in a pass, not when it comes (S6) */
static void timing(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 8);
		w->naive = true;
		w_begin(w, 0);
		ticks(w, 0, 10);
		w_job_us(w, 10200000, "ntasks", "1", NULL);
		ticks(w, 10, 11);
		w_job_us(w, 11500000, "ntasks", "1", NULL);
		ticks(w, 11, 13);
		w_job_us(w, 13900000, "ntasks", "1", NULL);
		ticks(w, 13, 60);
		assert_string_equal(w->starts->str, "1@11 2@14 3@14");
		assert_string_equal(w->passes->str, "quick@11 quick@14 full@60");
		world_free(w);
	}
}

static void timing_skipped(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 8);
	(void)state;
	w_begin(w, 0);
	w_job_us(w, 10200000, "ntasks", "1", NULL);
	assert_int_equal(controller_next_tick(w->c, 10200000), 11 * USEC);
	controller_tick(w->c, 11 * USEC);
	w_job_us(w, 11500000, "ntasks", "1", NULL);
	assert_int_equal(controller_next_tick(w->c, 11500000), 14 * USEC);
	w_job_us(w, 13900000, "ntasks", "1", NULL);
	controller_tick(w->c, 14 * USEC);
	assert_string_equal(w->starts->str, "1@11 2@14 3@14");
	w_job(w, 58, "ntasks", "8", NULL);
	assert_int_equal(controller_next_tick(w->c, 58 * USEC), 59 * USEC);
	world_free(w);
}

/* batch_sched_delay and sched_interval (S2) */
static void delays(void **state)
{
	static const struct {
		int delay, interval;
		const char *passes;
	} cases[] = {
	    {3, 60, "quick@11 quick@14 full@60"}, {0, 60, "quick@11 quick@13 full@60"},
	    {1, 60, "quick@11 quick@13 full@60"}, {10, 60, "quick@11 quick@21 full@60"},
	    {20, 60, "quick@20 full@60"},         {3, 12, "quick@11 full@12 quick@15 full@24 full@36 full@48 full@60"},
	    {3, 1000, "quick@11 quick@14"},       {3, -1, ""},
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world *w = w_simple(SLURM_26, "n1", 8);
		w->naive = true;
		w->p->batch_sched_delay = cases[i].delay;
		w->p->sched_interval = cases[i].interval;
		w_begin(w, 0);
		ticks(w, 0, 10);
		w_job_us(w, 10200000, "ntasks", "1", NULL);
		ticks(w, 10, 12);
		w_job_us(w, 12500000, "ntasks", "1", NULL);
		ticks(w, 12, 60);
		if (strcmp(w->passes->str, cases[i].passes) != 0)
			fail_msg("case %zu: %s", i, w->passes->str);
		world_free(w);
	}
}

/* S3: the last epilog asks for a quick pass at once; with any defer parameter it raises the counter only */
static void epilog_pass(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int defer = 0; defer < 2; defer++) {
			struct world *w = w_simple(v, "n1", 8);
			w->naive = true;
			w->p->defer = w->p->any_defer = defer;
			w_begin(w, 0);
			struct job *a = w_run(w, 1, "n1", 60);
			struct job *b = w_job(w, 2, "ntasks", "8", NULL);
			ticks(w, 2, 9);
			w_waits(b, REASON_RESOURCES);
			w_end(w, a, 10, 0, true);
			controller_run_requested(w->c, 10 * USEC);
			assert_int_equal(b->state, defer ? JOB_PENDING : JOB_RUNNING);
			ticks(w, 10, 11);
			assert_int_equal(b->start, defer ? 11 : 10);
			world_free(w);
		}
}

/* S3: an end told without a message (by_message false) is only counted */
static void epilog_counted(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 8);
	(void)state;
	w->naive = true;
	w_begin(w, 0);
	struct job *a = w_run(w, 1, "n1", 60);
	struct job *b = w_job(w, 2, "ntasks", "8", NULL);
	ticks(w, 2, 9);
	controller_job_exited(w->c, a, 0, 0, false, 10 * USEC);
	controller_epilog_done(w->c, a, UINT32_MAX, false, 10 * USEC);
	controller_run_requested(w->c, 10 * USEC);
	assert_int_equal(b->state, JOB_PENDING);
	ticks(w, 10, 11);
	assert_int_equal(b->start, 11);
	world_free(w);
}

/* defer: at submission the order is not looked at: the reason stays None (S4, S5) */
static void defer_reason(void **state)
{
	(void)state;
	for (int defer = 0; defer < 2; defer++) {
		struct world *w = w_simple(SLURM_26, "n1", 8);
		w->p->defer = w->p->any_defer = defer;
		w_begin(w, 1);
		w_job(w, 10, "ntasks", "1", NULL);
		w_waits(w_job(w, 10, "ntasks", "1", NULL), defer ? REASON_NONE : REASON_PRIORITY);
		world_free(w);
	}
}

/* S8, S9, C33: with CompleteWait no pass while a job that ended lately is COMPLETING. What else C33 names cannot arise: processes are always gone after
 * KillWait (no UnkillableStepTimeout), and epilogs do not fail (README, limits). */
static void complete_wait(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int done = 0; done < 2; done++) {
			struct world *w = w_simple(v, "n[1-2]", 8);
			w->p->complete_wait = 20;
			w_begin(w, 1);
			struct job *a = w_run(w, 1, "n1", 60);
			w_end(w, a, 100, 0, false);
			struct job *b = w_job(w, 101, "ntasks", "8", NULL);
			w_full(w, 120); /* end >= now - 20 */
			assert_int_equal(b->state, JOB_PENDING);
			if (done)
				controller_epilog_done(w->c, a, UINT32_MAX, true, 120 * USEC);
			w_full(w, done ? 120 : 121);
			w_runs_on(w, b, done ? 120 : 121, done ? "n1" : "n2");
			world_free(w);
		}
}

/* W5 (S30): one head record starts as many tasks as %2 lets */
static void arrays(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 8);
		w->p->first_job_id = 20;
		w_begin(w, 1);
		struct job *head = w_job(w, 10, "array", "0-3%2", "ntasks", "1", NULL);
		assert_int_equal(head->id, 20);
		w_full(w, 20);
		assert_string_equal(w->starts->str, "21@20 22@20");
		assert_int_equal(controller_find_job(w->c, 21)->task, 0);
		assert_int_equal(controller_find_job(w->c, 22)->task, 1);
		w_waits(head, REASON_ARRAY_TASK_LIMIT);
		g_autofree char *text = job_format_id(head);
		assert_string_equal(text, "20_[2-3%2]");
		world_free(w);
	}
}

/* S24, S36: jobs behind keep a reason that is neither None nor Resources; S14: DOWN partitions start nothing, DRAIN
 * ones do */
static void partition_states(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-3]", 1, 8, 1);
		w_part(w, "down", "n1")->state = PART_DOWN;
		struct partition *drain = w_part(w, "drain", "n2"), *inactive = w_part(w, "inactive", "n3");
		w_begin(w, 1);
		struct job *a = w_job(w, 10, "partition", "down", NULL);
		struct job *b = w_job(w, 10, "partition", "drain", NULL);
		struct job *c = w_job(w, 10, "partition", "inactive", NULL);
		drain->state = PART_DRAIN;
		inactive->state = PART_INACTIVE;
		w_full(w, 20);
		w_waits(a, REASON_PARTITION_DOWN);
		w_runs_on(w, b, 20, "n2");
		w_waits(c, REASON_PARTITION_INACTIVE);
		world_free(w);
	}
}

/* S16: a job with two partitions starts once, in the one of the higher tier (S10.5) */
static void two_partitions(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		w_nodes(w, "n[1-2]", 1, 8, 1);
		w_part(w, "p", "n1");
		w_part(w, "q", "n2")->priority_tier = 5;
		w_begin(w, 1);
		struct job *a = w_job(w, 10, "partition", "p,q", "ntasks", "8", NULL);
		struct job *b = w_job(w, 10, "partition", "p,q", "ntasks", "8", NULL);
		w_full(w, 20);
		w_runs_on(w, a, 20, "n2");
		assert_string_equal(a->part->name, "q");
		w_runs_on(w, b, 20, "n1");
		assert_string_equal(w->starts->str, "1@20 2@20");
		world_free(w);
	}
}

/* S27: "anything else": a job that can never run (here since its node was shrunk by an update of the cluster) is held
 * with BadConstraints */
static void never_runs(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		struct node_config *big = w_nodes(w, "n1", 1, 8, 1);
		w_nodes(w, "n2", 1, 8, 1);
		w_part(w, "p", "n[1-2]");
		w_begin(w, 1);
		struct job *j = w_job(w, 10, "nodes", "2", "ntasks-per-node", "8", NULL);
		big->cores_per_socket = big->cores = big->cpus = 4;
		w->c->config_version++;
		demand_static_filter(w->c, j);
		w_full(w, 20);
		w_waits(j, REASON_BAD_CONSTRAINTS);
		assert_int_equal(j->priority, 0);
		world_free(w);
	}
}

/* C8: effective limit min(limit, (deadline - now)/60); DEADLINE when it can no longer end */
static void deadline(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 8);
		w_begin(w, 1);
		struct job *a = w_job(w, 10, "time", "60", "time-min", "5", "deadline", "1000", NULL);
		struct job *b = w_job(w, 10, "exclusive", "", "time", "10", "deadline", "800", NULL);
		w_full(w, 200);
		w_runs_on(w, a, 200, "n1");
		assert_int_equal(a->time_limit, 13); /* (1000 - 200)/60 */
		w_waits(b, REASON_RESOURCES);
		w_full(w, 201); /* 800 < 201 + 600 */
		assert_int_equal(b->state, JOB_DEADLINE);
		assert_int_equal(b->reason, REASON_DEADLINE);
		assert_int_equal(b->end, 201);
		assert_int_equal(b->exit_code, 1);
		world_free(w);
	}
}

/* A repeated pass without changes gives the same result when it is skipped (design: skipping) */
static void skipping(void **state)
{
	(void)state;
	for (int naive = 0; naive < 2; naive++) {
		struct world *w = w_simple(SLURM_26, "n1", 8);
		w->naive = naive;
		w_begin(w, 0);
		struct job *a = w_run(w, 1, "n1", 10);
		struct job *b = w_job(w, 2, "ntasks", "8", NULL);
		struct job *c = w_job(w, 2, "begin", "400", "ntasks", "1", NULL);
		ticks(w, 2, 599);
		w_waits(b, REASON_RESOURCES);
		w_waits(c, REASON_PRIORITY);
		assert_int_equal(c->eligible, 400);
		w_end(w, a, 600, 0, true);
		controller_run_requested(w->c, 600 * USEC);
		w_runs_on(w, b, 600, "n1");
		world_free(w);
	}
}

/* slurm-conf.md 5.3: the two submit plugins that are easy to model */
static void submit_plugins(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	w_part(w, "q", "n2")->priority_tier = 2;
	w->p->all_partitions_plugin = w->p->require_timelimit_plugin = true;
	w_begin(w, 1);
	w_refused(w, 10, "Time limit specification required", "ntasks", "1", NULL);
	struct job *j = w_job(w, 10, "ntasks", "1", "time", "5", NULL);
	assert_int_equal(j->n_parts, 2);
	assert_string_equal(j->parts[0].part->name, "q");
	assert_int_equal(w_job(w, 10, "ntasks", "1", "time", "5", "partition", "p", NULL)->n_parts, 1);
	world_free(w);
}

static int order_of(struct world *w)
{
	assert_int_equal(w->c->queue->len, 2);
	return record_cmp(w->c, &g_array_index(w->c->queue, struct queue_record, 0), &g_array_index(w->c->queue, struct queue_record, 1));
}

/* S13: key 5 reads the priority that the job has now, not that of the record */
static void sort_current_priority(void **state)
{
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	(void)state;
	w_begin(w, 1);
	w_job(w, 60, "priority", "6", NULL);
	struct job *b = w_job(w, 60, "priority", "5", NULL);
	queue_build(w->c, false);
	assert_true(order_of(w) < 0);
	b->priority = 7; /* the records stay as they are */
	assert_true(order_of(w) > 0);
	world_free(w);
}

/* S15: no partition is blocked, no node left out and no record counted from the pass before. S32: a pass estimates nothing. */
static void fresh_pass(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct job *j[3];
		struct world *w = blocking_world(v, j);
		w->p->partition_job_depth = 2;
		w_full(w, 20);
		for (int i = 0; i < 3; i++) {
			assert_int_equal(j[i]->state, JOB_PENDING);
			assert_int_equal(j[i]->est_start, 0);
			assert_null(j[i]->sched_nodes);
		}
		controller_cancel(w->c, j[0], 21 * USEC, NULL);
		w_full(w, 22);
		w_runs_on(w, j[1], 22, "n4");
		w_runs_on(w, j[2], 22, "n4");
		world_free(w);
	}
}

static void partition_goes_down(void *data, struct job *j)
{
	struct world *w = data;
	((struct partition *)w->cl->partitions->pdata[0])->state = PART_DOWN;
	w_note_start(data, j);
}

/* S22: what has changed since the queue was built counts when the record's turn comes */
static void checked_again(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 8);
		w_begin(w, 1);
		w_job(w, 10, "ntasks", "1", NULL);
		struct job *b = w_job(w, 10, "ntasks", "1", NULL);
		w->c->host.start = partition_goes_down;
		w_full(w, 20);
		assert_string_equal(w->starts->str, "1@20");
		w_waits(b, REASON_PARTITION_DOWN);
		world_free(w);
	}
}

/* S34: the first is Resources, those behind it Priority; a partition whose nodes went with another's is closed by its own first job. S35: jobs
 * that a quick pass does not reach keep the reason they had. */
static void reasons_in_order(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct job *j[3];
		struct world *w = blocking_world(v, j);
		w->p->default_queue_depth = 3;
		struct job *behind = w_job(w, 10, "partition", "q", "priority", "7", NULL);
		struct job *late[2] = {w_job(w, 10, "partition", "q", "priority", "6", NULL), w_job(w, 10, "partition", "q", "priority", "5", NULL)};
		job_set_reason(w->c, behind, REASON_NONE, NULL);
		job_set_reason(w->c, late[0], REASON_NONE, NULL);
		job_set_reason(w->c, late[1], REASON_RESOURCES, NULL);
		w_quick(w, 20);
		w_waits(j[0], REASON_RESOURCES);
		w_waits(j[1], REASON_PRIORITY);
		w_waits(j[2], REASON_RESOURCES);
		assert_string_equal(j[2]->reason_text, T1);
		w_waits(behind, REASON_PRIORITY);
		w_waits(late[0], REASON_NONE);
		w_waits(late[1], REASON_RESOURCES);
		w_full(w, 21); /* reached now */
		w_waits(late[0], REASON_PRIORITY);
		w_waits(late[1], REASON_PRIORITY);
		world_free(w);
	}
}

/* S37: of a job with two records the second one's reason is left */
static void last_record_wins(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int first = 0; first < 2; first++) {
			struct world *w = world_new(v);
			w_nodes(w, "n[1-2]", 1, 8, 1);
			w_part(w, "p", "n1")->priority_tier = 2;
			w_part(w, "q", "n2");
			w_begin(w, 1);
			w_job(w, 1, "ntasks", "8", "partition", "p", NULL);
			w_job(w, 1, "ntasks", "8", "partition", "q", NULL);
			w_full(w, 1);
			struct job *j = w_job(w, 10, "ntasks", "8", "partition", "p,q", "priority", "5", NULL);
			struct job *k = w_job(w, 10, "ntasks", "8", "partition", first ? "p" : "q", "priority", "9", NULL);
			w_full(w, 20);
			w_waits(k, REASON_RESOURCES);
			w_waits(j, first ? REASON_RESOURCES : REASON_PRIORITY); /* q is looked at last */
			world_free(w);
		}
}

/* S38: sched/builtin makes the same pass: a blocked job blocks those behind it in its partition, and no other; bf_licenses means nothing */
static void builtin(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new(v);
		struct license *l = g_new0(struct license, 1);
		*l = (struct license){.name = g_strdup("lic"), .total = 1};
		g_ptr_array_add(w->cl->licenses, l);
		w_nodes(w, "n[1-3]", 1, 8, 1);
		w_part(w, "p", "n[1-2]");
		w_part(w, "q", "n3");
		w->p->sched_type = SCHED_BUILTIN;
		w->p->bf_licenses = true;
		w_begin(w, 1);
		w_job(w, 1, "ntasks", "8", "nodelist", "n1", "licenses", "lic:1", NULL);
		w_full(w, 1);
		struct job *no_license = w_job(w, 2, "ntasks", "1", "licenses", "lic:1", "priority", "20", NULL);
		struct job *wide = w_job(w, 2, "nodes", "2", "exclusive", "", "priority", "10", NULL);
		struct job *small = w_job(w, 2, "ntasks", "1", "priority", "9", NULL);
		struct job *other = w_job(w, 2, "ntasks", "1", "partition", "q", "priority", "8", NULL);
		w_full(w, 20);
		w_waits(no_license, REASON_LICENSES);
		w_waits(wide, REASON_RESOURCES);
		w_waits(small, REASON_PRIORITY);
		w_runs_on(w, other, 20, "n3");
		world_free(w);
	}
}

/* S38, S39: with priority/basic and equal tiers 22.05 goes through the list of jobs as they came */
static void builtin_order(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int tiers = 0; tiers < 2; tiers++) {
			struct world *w = w_simple(v, "n1", 8);
			w_part(w, "q", "n1")->priority_tier = tiers ? 2 : 1;
			w->p->sched_type = SCHED_BUILTIN;
			w->p->priority_type = PRIORITY_BASIC;
			w_begin(w, 1);
			w_job(w, 10, "priority", "5", NULL);
			w_job(w, 10, "priority", "6", NULL);
			g_autofree char *order = queue_order(w);
			assert_string_equal(order, v == SLURM_22_05 && !tiers ? "1 2" : "2 1");
			world_free(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(submit_plugins),
	    cmocka_unit_test(sort),
	    cmocka_unit_test(sort_keys),
	    cmocka_unit_test(blocking),
	    cmocka_unit_test(blocking_min_prio),
	    cmocka_unit_test(blocking_min_age),
	    cmocka_unit_test(required_nodes),
	    cmocka_unit_test(depth),
	    cmocka_unit_test(part_depth),
	    cmocka_unit_test(max_job_start),
	    cmocka_unit_test(timing),
	    cmocka_unit_test(timing_skipped),
	    cmocka_unit_test(delays),
	    cmocka_unit_test(epilog_pass),
	    cmocka_unit_test(epilog_counted),
	    cmocka_unit_test(defer_reason),
	    cmocka_unit_test(complete_wait),
	    cmocka_unit_test(arrays),
	    cmocka_unit_test(partition_states),
	    cmocka_unit_test(two_partitions),
	    cmocka_unit_test(never_runs),
	    cmocka_unit_test(deadline),
	    cmocka_unit_test(skipping),
	    cmocka_unit_test(sort_current_priority),
	    cmocka_unit_test(fresh_pass),
	    cmocka_unit_test(checked_again),
	    cmocka_unit_test(reasons_in_order),
	    cmocka_unit_test(last_record_wins),
	    cmocka_unit_test(builtin),
	    cmocka_unit_test(builtin_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
