/* command.c - what users and administrators do to jobs (C6, C26, C32) */
#include "sched/hetjob.h"
#include "sched/ping.h"
#include "sched/power.h"

#include <string.h>

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)

GPtrArray *ctl_targets(struct controller *c, struct job *j, bool alone)
{
	GPtrArray *list = g_ptr_array_new();
	bool whole = !alone && j->array && (j->tasks || j->id == j->array->job_id);
	GPtrArray *records = whole ? ctl_array_records(c, j->array->job_id) : NULL;
	for (uint32_t k = 0; het_is_leader(j) && k < j->het->n; k++)
		if (j->het->comp[k])
			g_ptr_array_add(list, j->het->comp[k]);
	if (!records && !list->len)
		g_ptr_array_add(list, j);
	if (!records)
		return list;
	for (guint i = 0; i < records->len; i++)
		g_ptr_array_add(list, records->pdata[i]);
	return list;
}

static void cancel_one(struct controller *c, struct job *j)
{
	if (j->state == JOB_PENDING) {
		bool completing = (j->flags & JOB_COMPLETING) != 0; /* a requeue under way: R52 */
		j->requeue_pending = false;
		job_end_pending(c, j, JOB_CANCELLED, j->reason);
		if (completing)
			g_queue_push_tail(&c->finished, j);
	} else if (j->state == JOB_RUNNING || j->state == JOB_SUSPENDED) {
		job_end(c, j, JOB_CANCELLED, REASON_NONE, END_CANCEL);
	}
}

/* C70: a component that waits cannot be treated apart from its job. */
static bool is_waiting_component(const struct job *j, GError **error)
{
	if (!j->het || j->het_offset == 0 || j->state != JOB_PENDING)
		return false;
	g_set_error(error, SUBMIT_ERROR, 0, "Unable to access or operate on an individual component of a pending heterogeneous job; name job %u",
		    j->het->job_id);
	return true;
}

bool controller_cancel(struct controller *c, struct job *j, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (is_waiting_component(j, error))
		return false;
	GPtrArray *list = ctl_targets(c, j, false);
	bool any = false;
	for (guint i = 0; i < list->len; i++) {
		struct job *t = list->pdata[i];
		any = any || !job_is_finished(t);
		if (!job_is_finished(t))
			cancel_one(c, t);
	}
	g_ptr_array_unref(list);
	return any ? true : REFUSE(error, "Job/step already completing or completed");
}

bool controller_cancel_record(struct controller *c, struct job *j, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (job_is_finished(j))
		return REFUSE(error, "Job/step already completing or completed");
	cancel_one(c, j);
	return true;
}

bool controller_cancel_task(struct controller *c, uint32_t array_id, uint32_t task, usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct job *j = controller_find_task(c, array_id, task);
	if (!j)
		return REFUSE(error, "Invalid job id specified");
	if (j->tasks && j->tasks_left > 1) { /* recorded: the head forgets it; no record, no id */
		array_forget_task(j, task);
		c->n_pending_tasks--;
		j->array->ended++;
		c->n_forgotten++;
		limits_count_submit(c, j, -1);
		ctl_touch(c);
		return true;
	}
	if (j->tasks)
		j = array_split(c, j, task);
	return controller_cancel_record(c, j, now, error);
}

struct job *controller_split_task(struct controller *c, struct job *head, uint32_t task, usec_t now)
{
	ctl_enter(c, now);
	ctl_touch(c);
	return array_split(c, head, task);
}

/* Recorded (requeue: e3h): one that runs is held as well, should it be requeued. */
static void hold_one(struct controller *c, struct job *j, bool by_user)
{
	if (job_is_finished(j))
		return;
	j->priority = 0;
	priority_fix(j); /* P8 */
	if (j->state == JOB_PENDING)
		accrue_reset(c, j);
	struct blocker b = blocker_hold(by_user ? "its owner or a coordinator" : "an operator");
	job_blocked(c, j, by_user ? REASON_HELD_USER : REASON_HELD_ADMIN, NULL, &b);
	ctl_touch(c);
}

static bool hold(struct controller *c, struct job *j, bool alone, bool by_user, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (job_is_finished(j))
		return REFUSE(error, "Job/step already completing or completed");
	if (is_waiting_component(j, error))
		return false;
	GPtrArray *list = ctl_targets(c, j, alone);
	for (guint i = 0; i < list->len; i++)
		hold_one(c, list->pdata[i], by_user);
	g_ptr_array_unref(list);
	c->counter++;
	return true;
}

bool controller_hold(struct controller *c, struct job *j, bool by_user, usec_t now, GError **error)
{
	return hold(c, j, false, by_user, now, error);
}

bool controller_hold_record(struct controller *c, struct job *j, bool by_user, usec_t now, GError **error)
{
	return hold(c, j, true, by_user, now, error);
}

/* P13.3, C5: release recomputes the priority; the eligible time is the first test after it. */
static void release_one(struct controller *c, struct job *j)
{
	if (job_held_running(j)) { /* recorded */
		priority_release(c, j);
		job_set_reason(c, j, REASON_NONE, NULL);
	}
	if (j->state != JOB_PENDING || (j->priority != 0 && !j->direct_priority))
		return;
	if (j->eligible <= c->now_s)
		j->eligible = 0;
	j->flags &= ~(unsigned)(JOB_SPECIAL_EXIT | JOB_RESV_DEL_HOLD);
	j->exit_code = j->exit_signal = 0; /* recorded: shown until then */
	priority_release(c, j);
	job_set_reason(c, j, REASON_NONE, NULL);
	ctl_touch(c);
}

static bool release(struct controller *c, struct job *j, bool alone, const char *user, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (job_is_finished(j))
		return REFUSE(error, "Job/step already completing or completed");
	if (is_waiting_component(j, error))
		return false;
	if (user && strcmp(user, "root") != 0) {
		if (strcmp(user, j->user) != 0 || j->reason == REASON_HELD_ADMIN) /* R21 */
			return REFUSE(error, "Access/permission denied");
	}
	GPtrArray *list = ctl_targets(c, j, alone);
	for (guint i = 0; i < list->len; i++)
		release_one(c, list->pdata[i]);
	g_ptr_array_unref(list);
	c->counter++;
	return true;
}

bool controller_release(struct controller *c, struct job *j, const char *user, usec_t now, GError **error)
{
	return release(c, j, false, user, now, error);
}

bool controller_release_record(struct controller *c, struct job *j, const char *user, usec_t now, GError **error)
{
	return release(c, j, true, user, now, error);
}
