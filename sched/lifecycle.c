/* lifecycle.c - start, end and epilog of jobs; node availability (lifecycle C28-C45). How they wait again: requeue.c */
#include "sched/billing.h"
#include "sched/easy.h"
#include "sched/expedite.h"
#include "sched/gang.h"
#include "sched/share.h"
#include "sched/hetjob.h"
#include "sched/ping.h"
#include "sched/power.h"
#include "sched/recall.h"
#include "sched/requeue.h"
#include "sched/reservation.h"
#include "sched/warn.h"

#include <string.h>

void ctl_refresh_up(struct controller *c)
{
	for (uint32_t i = 0; i < c->cl->n_nodes; i++)
		if (node_available(c->cl->node[i]))
			bitset_set(c->up, i);
		else
			bitset_clear(c->up, i);
}

/* ---- running jobs by end time ---- */

static int end_cmp(const struct job *a, const struct job *b)
{
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static guint end_position(const struct controller *c, const struct job *j)
{
	guint lo = 0, hi = c->by_end->len;
	while (lo < hi) {
		guint mid = (lo + hi) / 2;
		if (end_cmp(c->by_end->pdata[mid], j) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void by_end_remove(struct controller *c, struct job *j)
{
	guint i = end_position(c, j);
	g_assert(i < c->by_end->len && c->by_end->pdata[i] == j);
	g_ptr_array_remove_index(c->by_end, i);
	c->by_end_changes++;
}

void ctl_by_end_insert(struct controller *c, struct job *j)
{
	g_ptr_array_insert(c->by_end, (gint)end_position(c, j), j);
	c->by_end_changes++;
}

void job_set_end(struct controller *c, struct job *j, sec_t end)
{
	by_end_remove(c, j);
	j->end = end;
	ctl_by_end_insert(c, j);
	usage_touch(c->use, j->nodes); /* estimates there count on the end */
}

/* ---- start ---- */

/* C28, L66 */
static void fix_time_limit(struct job *j)
{
	const struct partition *p = j->part;
	bool may_exceed = j->qos && j->qos->flags & QOS_PART_TIME_LIMIT;
	if (j->time_limit == NO_VAL) {
		j->time_limit = p->default_time != NO_VAL ? p->default_time : p->max_time;
		j->limit_was_unset = true;
	} else if (j->time_limit > p->max_time && !may_exceed && !j->time_set) {
		j->time_limit = p->max_time;
	}
}

/* Do two jobs hold the same cores? Nodes are in ascending order in both. */
static bool alloc_overlaps(const struct controller *c, const struct job_alloc *a, const struct job_alloc *b)
{
	for (uint32_t i = 0, k = 0; i < a->n && k < b->n;) {
		const struct alloc_node *x = &a->node[i], *y = &b->node[k];
		uint32_t words = c->use->core_off[x->node + 1] - c->use->core_off[x->node];
		for (uint32_t w = 0; x->node == y->node && w < words; w++)
			if (a->words[x->core_word + w] & b->words[y->core_word + w])
				return true;
		i += x->node <= y->node;
		k += y->node <= x->node;
	}
	return false;
}

double job_billing(const struct controller *c, const struct job *j)
{
	uint64_t counts[TRES_MAX];
	tres_of_alloc(c->cl, j->alloc, counts);
	return billing_of(c->p, c->cl->tres, j->part->billing_weights, counts);
}

/* N50: the first row of its partition that has all its cores free. */
static uint32_t free_row(const struct controller *c, const struct job *j)
{
	for (uint32_t row = 0; share_active(c); row++) {
		bool hit = false;
		for (const struct job *v = c->running.head; v && !hit; v = v->next)
			hit = v != j && v->part == j->part && v->row == row && alloc_overlaps(c, v->alloc, j->alloc);
		if (!hit)
			return row;
	}
	return 0;
}

void job_start(struct controller *c, struct job *j, struct job_alloc *alloc, int by)
{
	g_assert(j->state == JOB_PENDING && !j->alloc && !j->tasks);
	list_remove(&c->pending, j);
	j->in_pending = false;
	recall_forget(c->recall, j);
	c->n_pending_tasks--;
	if (j->deadline)
		c->n_deadlines--;
	j->alloc = alloc;
	j->nodes = bitset_new(c->cl->n_nodes);
	for (uint32_t i = 0; i < alloc->n; i++)
		bitset_set(j->nodes, alloc->node[i].node);
	j->row = free_row(c, j);
	usage_add(c->use, alloc);
	license_take(c, j);
	if (j->resv) {
		j->resv->running++;
		resv_replace_taken(c, j->resv);
	}
	fix_time_limit(j);
	j->state = JOB_RUNNING;
	j->preempt_time = j->preempt_start = 0;
	j->in_grace = j->preempting = false;
	j->exit_code = j->exit_signal = 0;
	j->resized = 0;
	j->flags &= ~(unsigned)JOB_SPECIAL_EXIT;
	expedite_end(c, j);
	j->suspended = j->pre_sus = j->sus_total = j->halted = 0;
	warn_arm(c, j);
	j->start_t = c->host.start_time ? c->host.start_time(c->host.data, j, c->now) : c->now;
	j->start = usec_to_sec(j->start_t);
	j->end = j->start + easy_limit_seconds(c, j);
	j->end_t = 0;
	j->est_start = 0;
	bitset_free(j->sched_nodes);
	j->sched_nodes = NULL;
	alloc->billing = job_billing(c, j);
	j->part_total_cpus = alloc->cpus;
	j->started_by = by;
	if (j->array) {
		j->array->running++;
		j->array->started++;
	}
	list_insert(&c->running, j);
	ctl_by_end_insert(c, j);
	accrue_leave(c, j);
	limits_count_start(c, j, 1);
	job_set_reason(c, j, REASON_NONE, NULL);
	ctl_touch(c);
	power_job_started(c, j);
	ping_heard(c, alloc->node[0].node);
	if (c->host.start)
		c->host.start(c->host.data, j);
	gang_job_started(c, j);
}

/* ---- end ---- */

/* A pending record ends where it is (cancel, deadline, dependency): start = end = now (C32). An array head ends with all its tasks. */
void job_end_pending(struct controller *c, struct job *j, enum job_state state, enum reason why)
{
	g_assert(j->state == JOB_PENDING);
	expedite_end(c, j);
	list_remove(&c->pending, j);
	j->in_pending = false;
	uint32_t n = array_tasks_left(j);
	c->n_pending_tasks -= n;
	if (j->deadline)
		c->n_deadlines--;
	j->end = c->now_s;
	j->end_t = c->now;
	j->start = 0;
	j->est_start = 0;
	job_set_reason(c, j, why, j->reason == why ? j->reason_text : NULL);
	j->state = state;
	if (state == JOB_DEADLINE)
		j->exit_code = 1;
	array_task_ended(j);
	accrue_leave(c, j);
	limits_count_submit(c, j, -(int)n);
	if (!(j->flags & JOB_COMPLETING))
		g_queue_push_tail(&c->finished, j);
	ctl_touch(c);
	if (c->host.closed)
		c->host.closed(c->host.data, j, job_state_name(state));
}

void give_back_run(struct controller *c, struct job *j)
{
	j->halted = j->suspended ? c->now_s - j->suspended : 0;
	j->sus_total += j->halted;
	j->suspended = 0;
	decay_job_end(c, j);
	power_job_ended(c, j);
	warn_disarm(c, j);
	usage_remove(c->use, j->alloc);
	by_end_remove(c, j);
	list_remove(&c->running, j);
	limits_count_start(c, j, -1);
	if (j->array)
		j->array->running--;
	if (j->resv)
		j->resv->running--;
	j->comp_nodes = bitset_copy(j->nodes);
	j->epilogs = bitset_count(j->nodes);
	for (uint32_t i = 0; i < j->alloc->n; i++)
		usage_completing(c->use, j->alloc->node[i].node, 1);
	j->flags |= JOB_COMPLETING;
	ctl_touch(c);
	gang_job_gone(c, j);
}

void set_run_end(struct controller *c, struct job *j)
{
	j->end = c->now_s - j->halted;
	j->end_t = c->now;
	j->sus_total -= j->halted;
}

static void add_finished(struct controller *c, struct job *j)
{
	GList *after = c->finished.tail;
	while (after && ((struct job *)after->data)->end > j->end)
		after = after->prev;
	if (after)
		g_queue_insert_after(&c->finished, after, j);
	else
		g_queue_push_head(&c->finished, j);
}

void job_end(struct controller *c, struct job *j, enum job_state state, enum reason why, enum end_cause cause)
{
	g_assert(j->state == JOB_RUNNING || j->state == JOB_SUSPENDED);
	give_back_run(c, j);
	set_run_end(c, j);
	if (why == REASON_NONE && job_held_running(j)) /* recorded: it is shown still */
		why = j->reason;
	j->state = state;
	job_set_reason(c, j, why, j->reason == why ? j->reason_text : NULL);
	array_task_ended(j);
	limits_count_submit(c, j, -1);
	if (c->host.closed)
		c->host.closed(c->host.data, j, job_state_name(state));
	add_finished(c, j);
	if (c->host.stop && cause != END_BY_SELF)
		c->host.stop(c->host.data, j, cause);
}

void job_signalled(struct controller *c, struct job *j, int signal, enum end_cause cause)
{
	j->exit_signal = signal;
	if (c->p->version == SLURM_22_05) {
		job_end(c, j, JOB_FAILED, REASON_JOB_LAUNCH_FAILURE, cause); /* R80 */
		return;
	}
	j->reason = REASON_RAISED_SIGNAL; /* R40: with its text at once */
	g_free(j->reason_text);
	j->reason_text = g_strdup_printf("RaisedSignal:%d(%s)", signal, strsignal(signal));
	job_end(c, j, JOB_FAILED, REASON_RAISED_SIGNAL, cause);
}

static void exited(struct controller *c, struct job *j, int exit_code, int signal, bool oom)
{
	if (j->state != JOB_RUNNING && j->state != JOB_SUSPENDED)
		return;
	j->exit_code = exit_code;
	j->exit_signal = signal;
	/* C31; a job that ends in the very second of its end time has not exceeded it */
	uint32_t over = j->part->over_time_limit != NO_VAL ? j->part->over_time_limit : c->p->over_time_limit;
	bool late = over != INFINITE && j->end + (sec_t)over * 60 < c->now_s;
	if (j->in_grace) /* E18 */
		job_end(c, j, JOB_PREEMPTED, REASON_NONE, END_BY_SELF);
	else if (oom)
		job_end(c, j, JOB_OOM, REASON_OUT_OF_MEMORY, END_BY_SELF);
	else if (signal)
		job_signalled(c, j, signal, END_BY_SELF);
	else if (exit_code)
		job_end(c, j, JOB_FAILED, REASON_NON_ZERO_EXIT, END_BY_SELF);
	else
		job_end(c, j, late ? JOB_TIMEOUT : JOB_COMPLETED, late ? REASON_TIME_LIMIT : REASON_NONE, END_BY_SELF);
}

void controller_job_exited(struct controller *c, struct job *j, int exit_code, int signal, bool oom, usec_t now)
{
	ctl_enter(c, now);
	struct het_job *h = het_is_leader(j) ? j->het : NULL; /* C70: its end is that of all */
	exited(c, j, exit_code, signal, oom);
	for (uint32_t k = 1; h && k < h->n; k++)
		if (h->comp[k])
			exited(c, h->comp[k], exit_code, signal, oom);
}

void controller_job_lost(struct controller *c, struct job *j, usec_t now)
{
	ctl_enter(c, now);
	if (j->state != JOB_RUNNING && j->state != JOB_SUSPENDED)
		return;
	if (c->p->version != SLURM_22_05)
		j->exit_code = 1;
	job_end(c, j, JOB_NODE_FAIL, REASON_NODE_DOWN, END_NODE_DOWN);
}

void controller_time_limit(struct controller *c, struct job *j, usec_t now)
{
	ctl_enter(c, now);
	if (j->state != JOB_RUNNING)
		return;
	j->timed_out = true;
	job_end(c, j, JOB_TIMEOUT, REASON_TIME_LIMIT, END_TIME_LIMIT);
}

/* ---- epilog ---- */

static void completed(struct controller *c, struct job *j, bool by_message)
{
	j->flags &= ~(unsigned)JOB_COMPLETING;
	license_return(c, j);
	if (job_is_finished(j)) {
		job_alloc_free(j->was_alloc);
		bitset_free(j->was_nodes);
		j->was_alloc = j->alloc;
		j->was_nodes = j->nodes;
	} else {
		job_alloc_free(j->alloc);
		bitset_free(j->nodes);
	}
	j->alloc = NULL;
	bitset_free(j->comp_nodes);
	j->nodes = j->comp_nodes = NULL;
	if (j->state == JOB_PENDING && j->requeue_pending)
		job_finish_requeue(c, j);
	else if (job_is_finished(j))
		requeue_by_exit(c, j);
	if (by_message && !c->p->any_defer) /* S3 */
		c->quick_requested = true;
	else
		c->counter++;
	ctl_touch(c);
}

static void node_done(struct controller *c, struct job *j, uint32_t node)
{
	if (!j->comp_nodes || !bitset_test(j->comp_nodes, node))
		return;
	bitset_clear(j->comp_nodes, node);
	usage_completing(c->use, node, -1);
	power_node_left(c, j, node);
	ping_heard(c, node);
	j->epilogs--;
	ctl_touch(c);
}

void controller_epilog_done(struct controller *c, struct job *j, uint32_t node, bool by_message, usec_t now)
{
	ctl_enter(c, now);
	if (!(j->flags & JOB_COMPLETING))
		return;
	if (node == UINT32_MAX)
		for (uint32_t i = 0; i < j->alloc->n; i++)
			node_done(c, j, j->alloc->node[i].node);
	else
		node_done(c, j, node);
	if (j->epilogs == 0)
		completed(c, j, by_message);
}
