/* update_time.c - scontrol update job: limits, times and priority (L22, P13, P20, P21, C3, C8); see update_job.h */
#include "sched/update_job.h"

#include <string.h>

static const char min_msg[] = "Invalid time-min specification (exceeds job's time or other limits)";

uint32_t update_most(const struct job *j)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < j->n_parts; i++)
		most = MAX(most, j->parts[i].part->max_time);
	return most;
}

/* ---- limits ---- */

/* "30", "+5", "-1:00:00" */
static uint32_t limit_of(const struct job *j, const char *value)
{
	bool less = value[0] == '-', more = value[0] == '+';
	uint32_t minutes = 0, old = j->time_limit;
	duration_parse_minutes(value + (less || more), &minutes);
	if (!less && !more)
		return minutes;
	if (old == INFINITE || old == NO_VAL)
		return old;
	return less ? old - MIN(old, minutes) : (uint32_t)MIN((uint64_t)old + minutes, NO_VAL - 1);
}

static void take_limit(struct update *u, uint32_t minutes)
{
	struct job *j = u->j;
	uint32_t old = j->time_limit;
	j->time_limit = minutes;
	j->limit_was_unset = false;
	j->time_set = j->time_set || u->admin;
	if (j->req->time_exact)
		job_own_request(j)->time_exact = 0;
	limits_count_limit(u->c, j, old);
}

bool update_time_limit(struct update *u, GError **error)
{
	struct job *j = u->j;
	uint32_t minutes = limit_of(j, u->value), old = j->time_limit;
	if (minutes == old)
		return true; /* recorded: nothing is changed, and nothing marked */
	bool longer = old != NO_VAL && minutes > old;
	if (!u->admin && longer && (j->state != JOB_PENDING || minutes > update_most(j))) /* recorded: a waiting job's may grow up to the partition's */
		return denied(error);
	if (j->state == JOB_PENDING && j->time_min != NO_VAL && minutes < j->time_min)
		return REFUSE(error, "%s", min_msg);
	take_limit(u, minutes);
	if (j->state == JOB_RUNNING)
		job_set_end(u->c, j, j->start + job_limit_seconds(minutes));
	return true;
}

/* Recorded: of a running job it is accepted and does nothing. */
bool update_time_min(struct update *u, GError **error)
{
	struct job *j = u->j;
	uint32_t minutes;
	if (j->state != JOB_PENDING || !duration_parse_minutes(u->value, &minutes))
		return true;
	uint32_t limit = j->time_limit != NO_VAL ? j->time_limit : update_most(j);
	if (minutes > limit)
		return REFUSE(error, "%s", min_msg);
	j->time_min = minutes ? minutes : NO_VAL;
	u->demand = true;
	return true;
}

/* Recorded: the limit follows by whole minutes, and only when an operator asks. */
bool update_end(struct update *u, GError **error)
{
	struct job *j = u->j;
	sec_t end;
	if (j->state != JOB_RUNNING)
		return REFUSE(error, "Job is not running");
	if (!date_parse_begin(u->value, u->c->now_s, NULL, &end))
		return true;
	end = MAX(end, u->c->now_s);
	if (!u->admin && end > j->end)
		return denied(error);
	sec_t by = (end - j->end) / 60;
	if (u->admin && (j->time_limit == INFINITE || j->time_limit == NO_VAL))
		take_limit(u, (uint32_t)((end - j->start + 59) / 60));
	else if (u->admin && by)
		take_limit(u, (uint32_t)CLAMP((sec_t)j->time_limit + by, 1, (sec_t)NO_VAL - 1));
	job_set_end(u->c, j, end);
	return true;
}

/* ---- times ---- */

/* C8. Recorded: of a running job it is accepted and does nothing. */
bool update_deadline(struct update *u, GError **error)
{
	struct job *j = u->j;
	sec_t t;
	if (j->state != JOB_PENDING || !date_parse_begin(u->value, u->c->now_s, NULL, &t))
		return true;
	if (!u->admin)
		return denied(error);
	if (t < u->c->now_s)
		return REFUSE(error, "Invalid time specified");
	u->c->n_deadlines += !j->deadline;
	j->deadline = t;
	if (j->time_min == NO_VAL && j->time_limit == NO_VAL)
		j->time_min = 1;
	return true;
}

/* C3.5: it is looked at anew; what has aged stays, but with limits enforced it ages no more until then (P13.3). */
bool update_start(struct update *u, GError **error)
{
	(void)error;
	struct job *j = u->j;
	sec_t t;
	if (!date_parse_begin(u->value, u->c->now_s, NULL, &t))
		return true;
	j->eligible = MAX(t, u->c->now_s);
	job_own_request(j)->begin = j->eligible;
	if (j->eligible > u->c->now_s)
		accrue_reset(u->c, j);
	return true;
}

bool update_accrue(struct update *u, GError **error)
{
	(void)error;
	if (u->j->accrue)
		u->j->accrue = u->c->now_s;
	return true;
}

/* ---- priority ---- */

bool update_nice(struct update *u, GError **error)
{
	struct job *j = u->j;
	if (j->direct_priority && j->priority)
		return true; /* P21 */
	int64_t nice = update_number(u->value);
	if (!u->admin && nice < j->nice)
		return denied(error);
	if (u->c->p->priority_type == PRIORITY_BASIC && j->priority)
		j->priority = (uint32_t)CLAMP((int64_t)j->priority - (nice - j->nice), 2, UINT32_MAX - 2);
	j->nice = nice;
	return true;
}

/* Priority 0 is a hold. */
static bool hold(struct update *u)
{
	struct job *j = u->j;
	j->priority = 0;
	priority_fix(j); /* P8 */
	if (j->state != JOB_PENDING)
		return true;
	accrue_reset(u->c, j);
	struct blocker b = blocker_hold("a priority of 0");
	job_blocked(u->c, j, u->admin ? REASON_HELD_ADMIN : REASON_HELD_USER, NULL, &b);
	return true;
}

bool update_priority(struct update *u, GError **error)
{
	struct job *j = u->j;
	uint32_t p = (uint32_t)update_number(u->value);
	if (p == j->priority)
		return true;
	bool held = j->priority == 0 || j->state == JOB_SUSPENDED;
	if (held && j->state != JOB_PENDING && !u->admin)
		return denied(error);
	if (held && p)
		return REFUSE(error, "Job is in held state, pending scheduler release");
	if (!u->admin && p > j->priority)
		return denied(error);
	if (!p)
		return hold(u);
	j->priority = p;
	if (!u->admin)
		return REFUSE(error, "Changes to job priority are not persistent, change nice instead");
	priority_fix(j);
	j->nice = 0;
	return true;
}

/* P20. Recorded: of a running job it is accepted and does nothing. */
bool update_site(struct update *u, GError **error)
{
	if (u->j->state != JOB_PENDING)
		return true;
	if (!u->admin)
		return denied(error);
	u->j->site = (int32_t)update_number(u->value);
	return true;
}

/* ---- the rest ---- */

/* Recorded: 22.05 takes it for any job; it tells where the array's waiting tasks are. */
bool update_throttle(struct update *u, GError **error)
{
	struct job *j = u->j;
	bool head = j->array && (j->tasks || j->id == j->array->job_id);
	if (!j->array && u->c->p->version != SLURM_22_05)
		return REFUSE(error, "scontrol: error: Update of ArrayTaskThrottle is only allowed on ArrayJobId\n" NOT_SUPPORTED); /* recorded, 26.11 */
	if (head)
		j->array->limit = (uint32_t)CLAMP(update_number(u->value), 0, INT32_MAX);
	return true;
}

bool update_requeue(struct update *u, GError **error)
{
	(void)error;
	u->j->requeue = update_number(u->value) != 0;
	return true;
}
