/*
 * ends.c - what becomes of a job: its end, its epilogs, a cancellation while it waits, and (ideal clock) the moments at
 * which time alone changes something for it.
 */
#include "sim/checkpoint.h"
#include "sim/run.h"

/* ---- events of a job ---- */

static void push_job(struct sim *s, struct sim_job *sj, enum event_kind kind, usec_t t, uint32_t arg, bool flag)
{
	if (kind != EVENT_WAKE)
		sj->n_events++;
	sim_push(
	    s, (struct event){
	           .t = t, .kind = (uint8_t)kind, .what = sj, .generation = sj->generation, .arg = arg, .flag = flag});
}

bool sim_job_event(struct sim *s, const struct event *e)
{
	struct sim_job *sj = e->what;
	if (sj->generation != e->generation)
		return false;
	if (e->kind == EVENT_WAKE) {
		sj->wake = 0;
		return true;
	}
	sj->n_events--;
	s->live--;
	return true;
}

void sim_job_outdate(struct sim *s, struct sim_job *sj)
{
	s->live -= sj->n_events;
	sj->n_events = 0;
	sj->generation++;
	sj->wake = 0;
}

/* ---- start ---- */

static const struct task_outcome *task_outcome(const struct submission *sub, uint32_t task)
{
	uint32_t lo = 0, hi = sub->n_tasks;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (sub->tasks[mid].task < task)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < sub->n_tasks && sub->tasks[lo].task == task ? &sub->tasks[lo] : NULL;
}

const struct outcome *sim_job_outcome(const struct sim_job *sj)
{
	const struct submission *sub = sj->source->sub;
	const struct task_outcome *t = sj->job->task == NO_VAL ? NULL : task_outcome(sub, sj->job->task);
	return t ? &t->outcome : &sub->outcome;
}

/* Array tasks are pinned as LABEL_TASK, components of heterogeneous jobs as LABEL+OFFSET. */
static const struct pinned_run *pinned_run(const struct sim *s, const struct sim_job *sj, uint32_t run)
{
	const char *label = sj->source->sub->label;
	if (!s->pinned || !label)
		return NULL;
	char *key = sj->job->het             ? g_strdup_printf("%s+%u\n%u", label, sj->job->het_offset, run)
	            : sj->job->task == NO_VAL ? g_strdup_printf("%s\n%u", label, run)
	                                      : g_strdup_printf("%s_%u\n%u", label, sj->job->task, run);
	const struct pinned_run *p = g_hash_table_lookup(s->pinned, key);
	g_free(key);
	return p;
}

/* With the ideal clock a limit is kept exactly; INT64_MAX = none. */
static usec_t limit_time(const struct job *job)
{
	if (job->time_limit == NO_VAL || job->time_limit == INFINITE)
		return INT64_MAX;
	if (job->sus_total) /* resumed: the end was set anew (E29) */
		return job->end * USEC;
	return job->start_t + (job->end - job->start) * USEC;
}

/* At equality the job ends by itself, so only an end beyond the limit needs an event. A component that is not the leader has no end of its own: the leader's
 * may come by its limit, which is not that of the others. */
static void arm_limit(struct sim *s, struct sim_job *sj)
{
	usec_t limit = limit_time(sj->job);
	if (s->o.clock == CLOCK_IDEAL && (limit < sj->end_t || (sj->job->het && sj->job->het_offset && limit != INT64_MAX)))
		push_job(s, sj, EVENT_TIME_LIMIT, limit, 0, false);
}

/* The run time of a job that starts now, perhaps longer for where it was placed. */
static usec_t run_time(struct sim *s, struct sim_job *sj)
{
	usec_t t = checkpoint_wall(sim_job_outcome(sj), sj->done);
	struct sim_stretch x = {.factor = 1};
	if (!s->o.stretch)
		return t;
	s->o.stretch(s->o.stretch_data, s->c, sj->job, &x);
	if (x.factor <= 1)
		return t;
	usec_t longer = (usec_t)((double)t * x.factor + 0.5);
	sj->factor = x.factor;
	if (s->recorder)
		recorder_stretch(s->recorder, &(struct stretch_row){.job = sj->job->id,
	                                                            .run = sj->job->run,
	                                                            .class = x.class,
	                                                            .why = x.why,
	                                                            .factor = x.factor,
	                                                            .run_time = (double)t / USEC,
	                                                            .stretched = (double)longer / USEC});
	return longer;
}

usec_t sim_host_start_time(void *data, const struct job *job, usec_t now)
{
	const struct pinned_run *p = job->host ? pinned_run(data, job->host, job->run) : NULL;
	return p && p->start && p->start_pass == now ? p->start : now;
}

/* Case 54: a job of the trace that was cancelled while it waited, but starts here: nobody knows how long it would have run; it runs until it is
 * cancelled. INT64_MIN: not such a one. */
static usec_t real_cancel(const struct sim_job *sj)
{
	const struct outcome *o = sim_job_outcome(sj);
	if (o->cancel_after < 0 || o->run_time > 0 || o->end != OUTCOME_CANCEL_RUNNING)
		return INT64_MIN;
	return sj->source->sub->at + o->cancel_after;
}

/* The processes begin. */
static void launch(struct sim *s, struct sim_job *sj)
{
	struct job *job = sj->job;
	sj->began = true;
	record_waited(s, sj, MAX(s->now, job->start_t));
	const struct pinned_run *p = pinned_run(s, sj, sj->run);
	bool pinned = p && p->has_end, hangs = sim_job_outcome(sj)->end == OUTCOME_HANG;
	usec_t end = pinned ? p->end : job->start_t + s->o.launch_latency;
	if (!pinned) /* one that hangs stays for a year if nothing ends it */
		end = hangs ? job->start_t + INT64_C(366) * 86400 * USEC : p && p->length ? job->start_t + p->length : end + run_time(s, sj);
	sj->end_t = MAX(MAX(end, real_cancel(sj)), s->now);
	if (!job->het || job->het_offset == 0) /* C70: the leader's end is that of all */
		push_job(s, sj, EVENT_END, sj->end_t, 0, false);
	arm_limit(s, sj);
}

void sim_host_start(void *data, struct job *job)
{
	struct sim *s = data;
	struct sim_job *sj = job->host;
	s->counts.started++;
	s->stats.started++;
	s->stats.backfilled_het += job->het != NULL;
	if (sj->estimates)
		estimates_started(s, job);
	s->usage_changed = true;
	sim_job_outdate(s, sj);
	sj->run = job->run;
	sj->ending = sj->began = false;
	sj->resized = 0;
	sj->warned = 0;
	sj->factor = 0;
	g_clear_pointer(&sj->pauses, g_array_unref);
	g_clear_pointer(&sj->cut, g_array_unref);
	sj->halted = false;
	if (job->flags & JOB_CONFIGURING)
		record_boots(s, sj); /* it still waits: for its nodes */
	else
		launch(s, sj);
}

void sim_host_warn(void *data, struct job *job)
{
	struct sim *s = data;
	struct sim_job *sj = job->host;
	if (sj && !sj->warned)
		sj->warned = s->now;
}

void sim_host_configured(void *data, struct job *job)
{
	struct sim *s = data;
	s->usage_changed = true;
	launch(s, job->host);
}

/* ---- end ---- */

/* A node that still has processes to kill answers the request at once and tells the end of its epilog by a message: only jobs that have
 * ended by themselves are released by the answer (recorded: 60 of 60 killed runs, 98 % of the others). */
static bool by_message(const struct sim *s, bool killed)
{
	return s->o.clock != CLOCK_IDEAL && (killed || s->o.release == RELEASE_MESSAGE);
}

static usec_t release_time(const struct sim *s, bool killed)
{
	if (s->o.clock == CLOCK_IDEAL)
		return s->now;
	usec_t t = s->now + s->o.epilog_latency + (killed ? s->o.kill_latency : 0);
	return s->o.release == RELEASE_REPLY_AT_TICK && !killed ? (usec_to_sec(t) + 1) * USEC : t;
}

static const struct pinned_release *release_of(const GArray *releases, uint32_t node)
{
	for (guint i = 0; i < releases->len; i++) {
		const struct pinned_release *r = &g_array_index(releases, struct pinned_release, i);
		if (r->node == node)
			return r;
	}
	return NULL;
}

/* Node by node; those not given go the usual way. */
static void push_pinned_releases(struct sim *s, struct sim_job *sj, const GArray *releases, bool killed)
{
	int64_t n;
	for (BITSET_EACH(n, sj->job->nodes)) {
		const struct pinned_release *r = release_of(releases, (uint32_t)n);
		push_job(s, sj, EVENT_EPILOG, r ? r->t : release_time(s, killed), (uint32_t)n, r ? r->by_message : by_message(s, killed));
	}
}

/* C45, recorded (drain-down): the request to end a job on a node that does not answer is given up after so long; only
 * then is the job done with on its other nodes too. */
#define PATIENCE_22 11277000 /* it asks for 11 s and looks at the answers a moment later */
#define PATIENCE_26 10017000

static usec_t give_up(const struct sim *s, const struct job *job)
{
	if (!job->nodes || s->o.clock == CLOCK_IDEAL)
		return 0;
	int64_t n;
	for (BITSET_EACH(n, job->nodes))
		if (s->cluster->node[n]->base == NODE_DOWN && s->cluster->node[n]->flags & NODE_NOT_RESPONDING)
			return s->cluster->params->version == SLURM_22_05 ? PATIENCE_22 : PATIENCE_26;
	return 0;
}

/* The processes are gone now: one event for all nodes, unless the real times are given node by node. */
static void begin_epilogs(struct sim *s, struct sim_job *sj, bool killed)
{
	sj->ending = true;
	sim_job_outdate(s, sj);
	const struct pinned_run *p = pinned_run(s, sj, sj->run);
	usec_t patience = give_up(s, sj->job);
	usec_t deaf = killed && sim_job_outcome(sj)->ignores_term ? s->cluster->params->kill_wait * USEC : 0;
	if (patience)
		push_job(s, sj, EVENT_EPILOG, s->now + patience, UINT32_MAX, false);
	else if (p && p->releases && sj->job->nodes)
		push_pinned_releases(s, sj, p->releases, killed);
	else if (p && p->message_after[killed])
		push_job(s, sj, EVENT_EPILOG, s->now + p->message_after[killed], UINT32_MAX, true);
	else
		push_job(s, sj, EVENT_EPILOG, release_time(s, killed) + deaf, UINT32_MAX, by_message(s, killed));
}

static void pause_begins(const struct sim *s, struct sim_job *sj)
{
	struct sim_pause p = {.from = s->now};
	if (!sj->source->sub->steps)
		return;
	if (!sj->pauses)
		sj->pauses = g_array_new(FALSE, FALSE, sizeof p);
	g_array_append_val(sj->pauses, p);
}

static void pause_ends(const struct sim *s, struct sim_job *sj)
{
	if (sj->pauses && sj->pauses->len)
		g_array_index(sj->pauses, struct sim_pause, sj->pauses->len - 1).until = s->now;
}

static void mark_halted(const struct sim_job *sj)
{
	if (sj->pauses)
		g_array_index(sj->pauses, struct sim_pause, sj->pauses->len - 1).halted = true;
}

/* The job, and with it its other components. */
static void end_of_processes(struct sim *s, struct sim_job *sj)
{
	const struct job *job = sj->job;
	s->usage_changed = true;
	if (!sj->ending)
		begin_epilogs(s, sj, false);
	for (uint32_t k = 1; job->het && k < job->het->n; k++) {
		struct job *other = job->het->comp[k];
		struct sim_job *o_sj = other ? other->host : NULL;
		if (o_sj && other->flags & JOB_COMPLETING && !o_sj->ending)
			begin_epilogs(s, o_sj, false);
	}
}

/* The run time counts what it really runs. */
void sim_host_suspend(void *data, struct job *job)
{
	struct sim *s = data;
	struct sim_job *sj = job->host;
	const struct pinned_run *p = pinned_run(s, sj, sj->run);
	s->usage_changed = true;
	if (sj->halted) { /* its processes stand still already */
		pause_ends(s, sj);
		pause_begins(s, sj);
	}
	if (sj->waiting || sj->halted) /* its nodes boot: nothing runs yet */
		return;
	sj->left = MAX(0, sj->end_t - s->now);
	pause_begins(s, sj);
	if (!p || !p->has_end) /* a pinned end comes when it came */
		sim_job_outdate(s, sj);
}

void sim_host_resume(void *data, struct job *job)
{
	struct sim *s = data;
	struct sim_job *sj = job->host;
	const struct pinned_run *p = pinned_run(s, sj, sj->run);
	s->usage_changed = true;
	if (sj->halted) { /* it is resumed, but its processes stand still */
		pause_ends(s, sj);
		pause_begins(s, sj);
		mark_halted(sj);
		if (!(p && p->has_end))
			arm_limit(s, sj);
		return;
	}
	pause_ends(s, sj);
	if ((p && p->has_end) || sj->waiting)
		return;
	sj->end_t = s->now + sj->left;
	if (!job->het || job->het_offset == 0)
		push_job(s, sj, EVENT_END, sj->end_t, 0, false);
	arm_limit(s, sj);
}

void sim_job_halt(struct sim *s, struct sim_job *sj, bool halt)
{
	if (halt == sj->halted || sj->ending || (halt && sj->job->suspended))
		return;
	if (halt) {
		sim_host_suspend(s, sj->job);
		sj->halted = true;
		mark_halted(sj);
		sj->end_t = sj->job->start_t + INT64_C(366) * 86400 * USEC; /* as one that hangs */
		push_job(s, sj, EVENT_END, sj->end_t, 0, false);
		arm_limit(s, sj); /* which does not wait */
		return;
	}
	sj->halted = false;
	sim_job_outdate(s, sj);
	if (sj->job->suspended) /* it goes on when it is resumed */
		return;
	sim_host_resume(s, sj->job);
}

void sim_job_dies(struct sim *s, struct sim_job *sj, int signal)
{
	if (sj->ending)
		return;
	controller_job_exited(s->c, sj->job, 0, signal, false, s->now);
	end_of_processes(s, sj);
}

/* Processes die at SIGTERM, unless they ignore it. */
void sim_host_stop(void *data, struct job *job, enum end_cause cause)
{
	(void)cause;
	struct sim *s = data;
	struct sim_job *sj = job->host;
	s->usage_changed = true;
	if (!sj->ending)
		begin_epilogs(s, sj, true);
	if (job->state == JOB_PENDING && !sj->waiting) { /* requeued */
		record_waits(s, sj);
		if (s->on_reason)
			s->on_reason(s->watch_data, job, s->now);
	}
}

/* Memory is confined and the job uses more than it holds on some node. */
static bool out_of_memory(const struct sim *s, const struct job *job, const struct outcome *o)
{
	bool accounted = s->cluster->params->over_memory_kill;
	if ((!accounted && !s->o.memory_limit) || !o->max_rss || !job->alloc)
		return false;
	for (uint32_t i = 0; i < job->alloc->n; i++) {
		const struct alloc_node *a = &job->alloc->node[i];
		uint64_t real = s->cluster->node[a->node]->config->real_memory;
		if ((accounted && a->mem && a->mem < o->max_rss) ||
		    (s->o.memory_limit && s->o.memory_limit(s->o.memory_limit_data, a->mem ? a->mem : real, real) < o->max_rss))
			return true;
	}
	return false;
}

void sim_do_end(struct sim *s, const struct event *e)
{
	struct sim_job *sj = e->what;
	struct job *job = sj->job;
	const struct outcome *o = sim_job_outcome(sj);
	bool killed = out_of_memory(s, job, o);
	switch (killed ? OUTCOME_OOM : o->end) {
	case OUTCOME_CANCEL_RUNNING:
		s->canceller = job->user;
		if (job->het)
			controller_cancel(s->c, job, s->now, NULL);
		else
			controller_cancel_record(s->c, job, s->now, NULL);
		s->canceller = NULL;
		break;
	case OUTCOME_NODE_FAIL:
		for (uint32_t k = 1; job->het && k < job->het->n; k++)
			if (job->het->comp[k])
				controller_job_lost(s->c, job->het->comp[k], s->now);
		controller_job_lost(s->c, job, s->now);
		break;
	case OUTCOME_EXIT:
	case OUTCOME_HANG:
	case OUTCOME_OOM:
		controller_job_exited(s->c, job, o->exit_runs && job->run >= o->exit_runs ? 0 : o->exit_code, o->signal, killed || o->end == OUTCOME_OOM, s->now);
		break;
	}
	end_of_processes(s, sj);
}

void sim_do_time_limit(struct sim *s, const struct event *e)
{
	struct sim_job *sj = e->what;
	usec_t limit = limit_time(sj->job);
	if (limit <= s->now)
		controller_time_limit(s->c, sj->job, s->now);
	else if (limit != INT64_MAX) /* raised by a command meanwhile */
		arm_limit(s, sj);
}

void sim_do_epilog(struct sim *s, const struct event *e)
{
	struct sim_job *sj = e->what;
	bool completing = sj->job->flags & JOB_COMPLETING;
	if (e->arg == EVENT_NODE_GONE || !completing) { /* its nodes went down, and nobody waits for them */
		if (!completing)
			stats_requeued(s, sj, false);
		sim_job_arm(s, sj->job);
		return;
	}
	controller_epilog_done(s->c, sj->job, e->arg, e->flag, s->now);
	if (!(sj->job->flags & JOB_COMPLETING))
		stats_requeued(s, sj, true);
	s->usage_changed = true;
	sim_job_arm(s, sj->job);
}

/* ---- cancellation while pending ---- */

struct job *sim_task_record(struct sim *s, uint32_t array_id, uint32_t task)
{
	struct job *job = controller_find_task(s->c, array_id, task);
	if (job && job->task == NO_VAL)
		job = controller_split_task(s->c, job, task, s->now); /* C26 */
	return job;
}

static void push_cancel(struct sim *s, struct source *src, const struct outcome *o, uint32_t task)
{
	if (o->cancel_after < 0)
		return;
	usec_t t = src->sub->at > INT64_MAX - o->cancel_after ? INT64_MAX - 1 : src->sub->at + o->cancel_after;
	sim_push(s, (struct event){.t = t, .kind = EVENT_CANCEL, .what = source_ref(src), .arg = task});
}

void sim_plan_cancels(struct sim *s, struct source *src)
{
	push_cancel(s, src, &src->sub->outcome, NO_VAL);
	for (uint32_t i = 0; i < src->sub->n_tasks; i++)
		push_cancel(s, src, &src->sub->tasks[i].outcome, src->sub->tasks[i].task);
}

bool sim_cancel_pending(const struct event *e)
{
	const struct source *src = e->what;
	for (const struct sim_job *sj = src->records; sj; sj = sj->next)
		if (sj->job->state == JOB_PENDING)
			return true;
	return false;
}

static void cancel_task(struct sim *s, const struct source *src, uint32_t task)
{
	const struct job *job = controller_find_task(s->c, src->job_id, task);
	if (job && job->state == JOB_PENDING)
		controller_cancel_task(s->c, src->job_id, task, s->now, NULL);
}

/* A head ends with all the tasks that it still holds, unless some of them have a fate of their own; running tasks end
 * in their own time. */
static void cancel_head(struct sim *s, const struct source *src, struct job *head)
{
	if (src->sub->n_tasks == 0) {
		controller_cancel_record(s->c, head, s->now, NULL);
		return;
	}
	struct bitset *tasks = bitset_copy(head->tasks);
	int64_t task;
	for (BITSET_EACH(task, tasks))
		if (!task_outcome(src->sub, (uint32_t)task))
			cancel_task(s, src, (uint32_t)task);
	bitset_free(tasks);
}

static void cancel_record(struct sim *s, const struct source *src, struct job *job)
{
	if (job->state != JOB_PENDING)
		return;
	if (job->task == NO_VAL && job->tasks)
		cancel_head(s, src, job);
	else if (job->task == NO_VAL || !task_outcome(src->sub, job->task))
		controller_cancel_record(s->c, job, s->now, NULL);
}

void sim_do_cancel(struct sim *s, const struct event *e)
{
	struct source *src = e->what;
	s->canceller = src->records ? src->records->job->user : NULL;
	if (e->arg != NO_VAL) {
		cancel_task(s, src, e->arg);
	} else { /* records come and go meanwhile */
		GPtrArray *jobs = g_ptr_array_new();
		for (const struct sim_job *sj = src->records; sj; sj = sj->next)
			g_ptr_array_add(jobs, sj->job);
		for (guint i = jobs->len; i > 0; i--) /* the oldest first */
			cancel_record(s, src, jobs->pdata[i - 1]);
		g_ptr_array_unref(jobs);
	}
	s->canceller = NULL;
	source_unref(src);
}

/* ---- what time alone changes ---- */

/* after:ID+MINUTES: fulfilled so long after the start of the other job (C11); 0 = not known. */
static sec_t after_time(const struct sim *s, const struct dependency *d)
{
	if (d->kind != DEP_AFTER || d->minutes == 0 || d->state != DEP_PENDING)
		return 0;
	const struct job *other =
	    d->task == NO_VAL ? controller_find_job(s->c, d->job) : controller_find_task(s->c, d->job, d->task);
	if (!other || other->state == JOB_PENDING)
		return 0;
	return other->start + (sec_t)d->minutes * 60;
}

/* C8: the second after the last one at which the job could still meet its deadline; 0 = none. */
static sec_t deadline_time(const struct job *job)
{
	uint32_t minutes = job->time_min != NO_VAL ? job->time_min : job->time_limit;
	if (job->deadline == 0 || minutes == NO_VAL || minutes == INFINITE)
		return 0;
	return job->deadline - (sec_t)minutes * 60 + 1;
}

usec_t sim_job_next_change(const struct sim *s, const struct job *job, usec_t from)
{
	sec_t now = usec_to_sec(from), next = INT64_MAX / USEC;
	if (job->state != JOB_PENDING)
		return INT64_MAX;
	if (job->eligible > now)
		next = MIN(next, job->eligible);
	sec_t deadline = deadline_time(job);
	if (deadline > now)
		next = MIN(next, deadline);
	for (uint32_t i = 0; i < job->n_deps; i++) {
		sec_t after = after_time(s, &job->deps[i]);
		if (after > now)
			next = MIN(next, after);
	}
	return next == INT64_MAX / USEC ? INT64_MAX : next * USEC;
}

void sim_job_arm(struct sim *s, struct job *job)
{
	struct sim_job *sj = job->host;
	if (s->o.clock != CLOCK_IDEAL || !sj)
		return;
	if (job->state == JOB_RUNNING) {
		arm_limit(s, sj);
		return;
	}
	usec_t t = sim_job_next_change(s, job, s->now);
	if (t == INT64_MAX || t == sj->wake)
		return;
	sj->wake = t;
	push_job(s, sj, EVENT_WAKE, t, 0, false);
}
