/*
 * requeue.c - jobs that wait again: requeued while they run (C40), after they have ended, or for their exit code (C41).
 *
 * Recorded in tests/recorded/requeue (22.05): an exit code of RequeueExit is looked at when the last epilog is done, whatever --no-requeue says;
 * until then the job is FAILED. It is requeued as "scontrol requeue" does with a job that has ended and is remembered:
 * accounting's record of the run becomes REQUEUED, and the reason of its end stays until the next pass. One that was suspended, or held while it
 * ran, has priority 0 and is held by that.
 */
#include "sched/blocker.h"
#include "sched/hetjob.h"
#include "sched/limits.h"
#include "sched/requeue.h"
#include "sched/reservation.h"
#include "sched/state.h"

/* C40: after the last epilog a requeued job waits again. */
void job_finish_requeue(struct controller *c, struct job *j)
{
	j->requeue_pending = false;
	j->start = j->end = 0;
	j->start_t = j->end_t = 0;
	j->submit = c->now_s == j->submit ? c->now_s + 1 : c->now_s;
	j->submit_t = c->now;
	j->accrue = 0;
	if (j->eligible <= c->now_s)
		j->eligible = c->now_s + (j->flags & JOB_EXPEDITING ? 0 : c->p->requeue_delay) + 1;
	if (j->limit_was_unset) {
		j->time_limit = NO_VAL;
		j->limit_was_unset = false;
	}
	bool multifactor = c->p->priority_type == PRIORITY_MULTIFACTOR;
	if (j->priority && multifactor && c->p->version != SLURM_22_05)
		priority_recompute(c, j, c->now_s); /* P11e */
	else if (j->priority && !multifactor && !j->direct_priority && c->p->version != SLURM_22_05)
		priority_init(c, j); /* recorded (drain-down): priority/basic gives a new number */
	if (c->host.reason)
		c->host.reason(c->host.data, j); /* it waits without completing now */
	ctl_touch(c);
}

/* Held from now on (C41); recorded (hold-begin): already while it completes. */
static void hold_requeued(struct controller *c, struct job *j, unsigned how, const char *text, const char *by)
{
	if (!(how & (REQUEUE_HOLD | REQUEUE_SPECIAL)))
		return;
	j->priority = 0;
	if (how & REQUEUE_SPECIAL)
		j->flags |= JOB_SPECIAL_EXIT;
	struct blocker b = blocker_hold(by);
	job_blocked(c, j, REASON_HELD_USER, text, &b);
}

/* R40; recorded: 22.05 has one text for both. */
static const char *text_of(const struct controller *c, unsigned how)
{
	bool special = how & REQUEUE_SPECIAL && c->p->version != SLURM_22_05;
	return special ? "job requeued in special exit state" : "job requeued in held state";
}

static void wait_again(struct job *j)
{
	j->state = JOB_PENDING;
	resv_end_record(j);
	j->run++;
	j->preempt_time = 0;
	j->in_grace = false;
}

static void enlist(struct controller *c, struct job *j)
{
	list_insert(&c->pending, j);
	j->in_pending = true;
	c->n_pending_tasks += array_tasks_left(j);
	if (j->deadline)
		c->n_deadlines++;
}

bool job_requeue(struct controller *c, struct job *j, const char *state, enum end_cause cause, unsigned how)
{
	bool held = j->state == JOB_SUSPENDED && j->sus_admin;
	give_back_run(c, j);
	set_run_end(c, j);
	if (!job_held_running(j))
		job_set_reason(c, j, REASON_NONE, NULL);
	if (c->host.closed)
		c->host.closed(c->host.data, j, state);
	wait_again(j);
	limits_count_requeue(c, j);
	j->requeue_pending = true;
	if (held) /* C43, recorded: who was suspended by an administrator; the next queue gives it its reason */
		j->priority = 0;
	hold_requeued(c, j, how, text_of(c, how), "scontrol requeuehold");
	enlist(c, j);
	if (c->host.stop)
		c->host.stop(c->host.data, j, cause);
	return true;
}

/* J has ended. Its nodes may not have let go of it: then it waits for that first, as one that is requeued while it runs (recorded). */
static void reopen(struct controller *c, struct job *j)
{
	g_queue_remove(&c->finished, j);
	if (c->host.reopened)
		c->host.reopened(c->host.data, j);
	array_task_again(j);
	wait_again(j);
	if (!j->config_ok) /* other nodes came since it ended */
		demand_static_filter(c, j);
	j->start = 0;
	j->qos = waiting_qos(j);
	limits_count_submit(c, j, (int)array_tasks_left(j));
	job_alloc_free(j->was_alloc);
	bitset_free(j->was_nodes);
	j->was_alloc = NULL;
	j->was_nodes = NULL;
	j->timed_out = false;
	enlist(c, j);
	j->requeue_pending = (j->flags & JOB_COMPLETING) != 0;
	if (!j->requeue_pending)
		job_finish_requeue(c, j);
	else if (c->host.reason)
		c->host.reason(c->host.data, j);
	ctl_touch(c);
}

/* A file read since may have no partition of that name. */
static bool partitions_there(const struct controller *c, const struct job *j)
{
	for (uint32_t i = 0; i < j->n_parts; i++)
		if (cluster_find_partition(c->cl, j->parts[i].part->name) != j->parts[i].part)
			return false;
	return true;
}

static bool in_list(const uint64_t *codes, int code)
{
	return code > 0 && code < 256 && codes[code / 64] >> code % 64 & 1;
}

void requeue_by_exit(struct controller *c, struct job *j)
{
	if (j->state != JOB_FAILED || j->reason != REASON_NON_ZERO_EXIT)
		return;
	bool held = in_list(c->p->requeue_exit_hold, j->exit_code);
	if ((!held && !in_list(c->p->requeue_exit, j->exit_code)) || !partitions_there(c, j))
		return;
	reopen(c, j);
	hold_requeued(c, j, held ? REQUEUE_SPECIAL : 0, NULL, "RequeueExitHold");
}

/* ---- the command ---- */

static bool refuse(GError **error, const char *text)
{
	g_set_error_literal(error, SUBMIT_ERROR, 0, text);
	return false;
}

static bool requeue_one(struct controller *c, struct job *j, unsigned how, GError **error)
{
	bool runs = j->state == JOB_RUNNING || j->state == JOB_SUSPENDED;
	if (!j->requeue)
		return refuse(error, "Requested operation is presently disabled");
	if (runs)
		return job_requeue(c, j, "REQUEUED", END_REQUEUE, how);
	if (how & REQUEUE_INCOMPLETE)
		return true; /* recorded: silently left alone */
	if (j->state == JOB_PENDING)
		return refuse(error, "Job is pending execution");
	if (!partitions_there(c, j))
		return refuse(error, "Invalid partition name specified");
	reopen(c, j);
	c->counter++;
	hold_requeued(c, j, how, text_of(c, how), "scontrol requeuehold");
	return true;
}

bool controller_requeue(struct controller *c, struct job *j, unsigned how, usec_t now, GError **error)
{
	ctl_enter(c, now);
	bool component = j->het && j->het_offset; /* C70: one goes, all go */
	GPtrArray *list = ctl_targets(c, component && j->het->comp[0] ? j->het->comp[0] : j, (how & REQUEUE_RECORD) != 0);
	bool any = false;
	GError *first = NULL;
	for (guint i = 0; i < list->len; i++)
		any = requeue_one(c, list->pdata[i], how, first ? NULL : &first) || any;
	g_ptr_array_unref(list);
	if (any)
		g_clear_error(&first);
	else
		g_propagate_error(error, first);
	return any;
}
