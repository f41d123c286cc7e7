/* queue.c - who may be scheduled, and in which order (main-scheduler S10-S14, lifecycle C3, C8) */
#include "sched/preempt.h"
#include "sched/reservation.h"
#include "sched/state.h"

#include <string.h>

static void tell_reason(struct controller *c, struct job *j)
{
	ctl_touch(c);
	/* a job not yet admitted is announced as a whole by submit.c */
	if (c->host.reason && (j->in_pending || j->state != JOB_PENDING))
		c->host.reason(c->host.data, j);
}

void job_blocked(struct controller *c, struct job *j, enum reason r, const char *text, const struct blocker *b)
{
	bool same_text = g_strcmp0(j->reason_text, text) == 0;
	j->blocker = *b;
	if (j->reason == r && same_text)
		return;
	j->reason = r;
	if (!same_text) {
		g_free(j->reason_text);
		j->reason_text = g_strdup(text);
	}
	if (c->quiet != j || j->state != JOB_PENDING)
		tell_reason(c, j);
}

void job_set_reason(struct controller *c, struct job *j, enum reason r, const char *text)
{
	static const struct blocker none;
	job_blocked(c, j, r, text, j->reason == r ? &j->blocker : &none);
}

void job_never(struct controller *c, struct job *j, enum reason r)
{
	struct blocker b = j->reason == r ? j->blocker : blocker_never(c, j);
	job_blocked(c, j, r, NULL, &b);
}

void reason_quiet(struct controller *c, struct job *j)
{
	g_assert(!c->quiet);
	c->quiet = j;
	c->quiet_reason = j->reason;
	c->quiet_text = g_strdup(j->reason_text);
}

void reason_tell(struct controller *c)
{
	struct job *j = c->quiet;
	c->quiet = NULL;
	if (j->state == JOB_PENDING && (j->reason != c->quiet_reason || g_strcmp0(j->reason_text, c->quiet_text) != 0))
		tell_reason(c, j);
	g_clear_pointer(&c->quiet_text, g_free);
}

void job_throttled(struct controller *c, struct job *j)
{
	struct blocker b = {.kind = BLOCKER_THROTTLE, .value = j->array->limit, .use = j->array->running, .request = 1};
	job_blocked(c, j, REASON_ARRAY_TASK_LIMIT, NULL, &b);
}

/* The first job that J waits for in STATE. */
static struct blocker depended_on(const struct controller *c, const struct job *j, enum dep_state state)
{
	for (uint32_t i = 0; i < j->n_deps; i++) {
		bool single = j->deps[i].kind == DEP_SINGLETON;
		const struct job *other = single && state == DEP_PENDING ? depend_singleton(c, j) : NULL;
		if (other)
			return blocker_job(BLOCKER_DEPENDENCY, other);
		if (j->deps[i].state == state && !single)
			return (struct blocker){.kind = BLOCKER_DEPENDENCY,
						.job = j->deps[i].job,
						.array = j->deps[i].task == NO_VAL ? 0 : j->deps[i].job,
						.task = j->deps[i].task};
	}
	return (struct blocker){0};
}

/* C3: begin time to come; after a requeue the delay (R53). */
static struct blocker not_before(const struct job *j)
{
	bool requeued = j->run > 0 && j->eligible != j->req->begin;
	return (struct blocker){.kind = BLOCKER_TIME,
				.what = requeued ? "begin time after the requeue" : "begin time",
				.value = (uint64_t)j->eligible};
}

static bool dependency_ok(struct controller *c, struct job *j)
{
	if (!j->n_deps)
		return true;
	for (uint32_t i = 0; i < j->n_deps; i++) /* after:id+minutes is met by time alone: no bound is worked out */
		if (j->deps[i].state == DEP_PENDING && j->deps[i].kind == DEP_AFTER)
			note_time(c, c->now_s + 1);
	enum dep_state state = depend_test(c, j);
	struct blocker b = depended_on(c, j, state);
	switch (state) {
	case DEP_PENDING:
		note_time(c, j->eligible);
		if (j->eligible && j->eligible <= c->now_s) {
			j->eligible = 0;
			c->version++;
		}
		job_blocked(c, j, REASON_DEPENDENCY, NULL, &b);
		return false;
	case DEP_FAILED:
		if (j->dep_kill && j->in_pending)
			job_end_pending(c, j, JOB_CANCELLED, REASON_DEPENDENCY_NEVER); /* C13 */
		else
			job_blocked(c, j, REASON_DEPENDENCY_NEVER, NULL, &b);
		return false;
	default:
		return true;
	}
}

/* C3, R12 */
bool job_independent(struct controller *c, struct job *j)
{
	if (reason_in(j->reason, RG_STICKY))
		return false;
	if (!dependency_ok(c, j))
		return false;
	if (j->reason == REASON_DEPENDENCY)
		job_set_reason(c, j, REASON_NONE, NULL);
	if (array_at_limit(j)) {
		job_throttled(c, j);
		return false;
	}
	if (j->eligible > c->now_s) {
		struct blocker b = not_before(j);
		note_time(c, j->eligible);
		job_blocked(c, j, REASON_BEGIN_TIME, NULL, &b);
		return false;
	}
	if (j->n_resvs && !resv_usable_now(c, j)) {
		struct blocker b = blocker_reservation(c, j);
		job_blocked(c, j, REASON_RESERVATION, NULL, &b);
		return false;
	}
	if (j->eligible == 0 && j->priority != 0) {
		j->eligible = c->now_s;
		c->version++;
	} else if (j->reason == REASON_BEGIN_TIME) {
		job_set_reason(c, j, REASON_NONE, NULL);
	}
	return true;
}

/* C8: a pending job that can no longer end by its deadline is ended. */
bool job_check_deadline(struct controller *c, struct job *j)
{
	if (!j->deadline)
		return false;
	uint32_t m = j->time_min != NO_VAL ? j->time_min : j->time_limit;
	if (m == NO_VAL || m == INFINITE)
		m = 1;
	note_time(c, c->now_s + 1); /* the limit in force changes with every second */
	if (j->deadline >= c->now_s + (sec_t)m * 60)
		return false;
	job_end_pending(c, j, JOB_DEADLINE, REASON_DEADLINE);
	return true;
}

/* S10.5 for one partition: false when this pair is not queued. */
static bool pair_queued(struct controller *c, struct job *j, struct partition *p, bool use_time_min)
{
	struct blocker b;
	enum reason r = partition_check(c, j, p, use_time_min, &b);
	if (r != j->reason && (r != REASON_NONE || reason_in(j->reason, RG_PARTITION)))
		job_blocked(c, j, r, NULL, &b);
	return r == REASON_NONE;
}

/* S11: the plain record, or one per reservation named; then one per MAGNETIC reservation the user may use. */
static void add_records(struct controller *c, struct queue_record r)
{
	struct job *j = r.job;
	r.resv = j->n_resvs == 1 ? j->resvs[0] : NULL;
	if (j->n_resvs <= 1)
		g_array_append_val(c->queue, r);
	for (uint32_t i = 0; j->n_resvs > 1 && i < j->n_resvs; i++) {
		r.resv = j->resvs[i];
		g_array_append_val(c->queue, r);
	}
	for (guint i = 0; !j->n_resvs && !j->het && i < c->resvs->len; i++) {
		r.resv = c->resvs->pdata[i];
		r.magnetic = true;
		if (r.resv->flags & RESV_FLAG(MAGNETIC) && resv_access(c, r.resv, j))
			g_array_append_val(c->queue, r);
	}
}

static void queue_job(struct controller *c, struct job *j, bool use_time_min)
{
	j->preempting = false; /* S10.1 */
	qos_resolve(c, j);
	if (!use_time_min && !j->eligible && j->tasks && !since(c->p, P13_PASS_FIRST)) /* S2: the loop's own test of what is independent comes first */
		job_independent(c, j);
	uint32_t old_accrue = (uint32_t)j->accrue;
	accrue_update(c, j);
	if ((uint32_t)j->accrue != old_accrue)
		c->version++;
	if (j->flags & JOB_COMPLETING)
		return;
	bool independent = job_independent(c, j);
	if (j->state != JOB_PENDING) /* killed by its dependency */
		return;
	if (j->priority == 0) {
		struct blocker b = j->n_resvs ? blocker_reservation(c, j) : blocker_hold("a priority of 0");
		if (!reason_in(j->reason, RG_HELD_OK))
			job_blocked(c, j, REASON_HELD_ADMIN, NULL, &b);
		return;
	}
	if (!independent) {
		struct blocker b = depended_on(c, j, DEP_PENDING);
		if (j->reason == REASON_HELD_ADMIN || j->reason == REASON_HELD_USER)
			job_blocked(c, j, REASON_DEPENDENCY, NULL, &b);
		return;
	}
	struct qos *qos = j->qos;
	for (uint32_t i = 0; i < j->n_parts; i++) {
		struct partition *p = j->parts[i].part;
		j->qos = j->parts[i].qos ? j->parts[i].qos : qos;
		if (!pair_queued(c, j, p, use_time_min))
			continue;
		struct queue_record r = {.job = j, .part = p, .part_index = i, .qos = j->parts[i].qos};
		r.priority = j->n_parts > 1 ? j->parts[i].priority : j->priority;
		if (j->n_parts > 1 && (c->p->priority_type == PRIORITY_BASIC || j->direct_priority))
			r.priority = j->priority;
		add_records(c, r);
	}
	j->qos = qos;
}

void record_take(struct controller *c, const struct queue_record *r)
{
	struct job *j = r->job;
	c->version += j->part != r->part || (r->qos && j->qos != r->qos);
	j->part = r->part;
	if (r->qos)
		j->qos = r->qos;
	record_priority(c, r);
	j->resv = r->resv;
	j->magnetic = r->magnetic;
}

/* P9 */
void record_priority(struct controller *c, const struct queue_record *r)
{
	struct job *j = r->job;
	if (j->n_parts > 1 && !j->direct_priority && j->priority && j->priority != r->priority) {
		c->version++;
		j->priority = r->priority;
	}
}

/* Keys 3 to 5: those of the whole het job where bf_hetjob_prio says so (B60), but not among its components. */
struct rank { bool resv; uint32_t tier, priority; };

static struct rank rank_of(const struct queue_record *r, bool others)
{
	const struct job *j = r->job;
	if (others && j->het && j->het->ranked)
		return (struct rank){j->het->any_resv, j->het->tier, j->het->priority};
	return (struct rank){r->resv != NULL, r->part->priority_tier, j->n_parts > 1 ? r->priority : j->priority};
}

/* S12 without --prefer. */
int record_cmp(const struct controller *c, const struct queue_record *a, const struct queue_record *b)
{
	const struct job *x = a->job, *y = b->job;
	if ((x->flags ^ y->flags) & JOB_EXPEDITING) /* key 1 */
		return x->flags & JOB_EXPEDITING ? -1 : 1;
	if (preempt_enabled(c)) { /* key 2 */
		int order = preempt_order(c, a, b);
		if (order)
			return order;
	}
	struct rank p = rank_of(a, x->het != y->het), q = rank_of(b, x->het != y->het);
	if (p.resv != q.resv)
		return p.resv ? -1 : 1;
	if (p.tier != q.tier)
		return p.tier > q.tier ? -1 : 1;
	if (p.priority != q.priority)
		return p.priority > q.priority ? -1 : 1;
	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	uint32_t i = x->array ? x->array->job_id : x->id, k = y->array ? y->array->job_id : y->id;
	if (i != k)
		return i < k ? -1 : 1;
	uint32_t t = x->tasks || !x->array ? NO_VAL : x->task, u = y->tasks || !y->array ? NO_VAL : y->task;
	if (t != u)
		return t < u ? -1 : 1;
	sec_t s = a->resv && b->resv ? resv_start(c, a->resv) - resv_start(c, b->resv) : 0;
	return s ? s < 0 ? -1 : 1 : 0;
}

static int cmp_adapter(gconstpointer a, gconstpointer b, gpointer data)
{
	return record_cmp(data, a, b);
}

bool fifo_order(const struct controller *c)
{
	if (c->p->version != SLURM_22_05 || c->p->sched_type != SCHED_BUILTIN || c->p->priority_type != PRIORITY_BASIC)
		return false; /* S38, S39 */
	for (guint i = 1; i < c->cl->partitions->len; i++)
		if (((struct partition *)c->cl->partitions->pdata[i])->priority_tier !=
		    ((struct partition *)c->cl->partitions->pdata[0])->priority_tier)
			return false;
	return true;
}

static bool has_aftercorr(const struct job *j)
{
	for (uint32_t i = 0; i < j->n_deps; i++)
		if (j->deps[i].kind == DEP_AFTERCORR)
			return true;
	return false;
}

/* S10, C24: the lowest tasks of an array with aftercorr become records of their own, each with its own dependency. */
static void pre_split(struct controller *c, struct job *head)
{
	int pending = 0;
	GPtrArray *records = ctl_array_records(c, head->array->job_id);
	for (guint i = 0; i < records->len; i++) {
		const struct job *r = records->pdata[i];
		pending += !r->tasks && r->state == JOB_PENDING;
	}
	while (head->tasks && pending++ < c->p->correspond_after_task_cnt) {
		array_split(c, head, array_first_task(head));
		ctl_touch(c);
	}
}

void queue_build(struct controller *c, bool use_time_min)
{
	ctl_purge(c);
	for (struct job *j = c->pending.head; j; j = j->next)
		if (j->tasks && has_aftercorr(j))
			pre_split(c, j);
	g_array_set_size(c->queue, 0);
	for (struct job *j = c->pending.head, *next; j; j = next) {
		next = j->next;
		queue_job(c, j, use_time_min);
	}
	if (fifo_order(c))
		return;
	if (preempt_enabled(c)) { /* not transitive: no short cut */
		g_qsort_with_data(c->queue->data, (gint)c->queue->len, sizeof(struct queue_record), cmp_adapter, c);
		return;
	}
	struct queue_record *r = (struct queue_record *)(void *)c->queue->data;
	for (guint i = 1; i < c->queue->len; i++)
		if (record_cmp(c, &r[i - 1], &r[i]) > 0) { /* a stable merge sort, only when needed */
			g_qsort_with_data(r, (gint)c->queue->len, sizeof *r, cmp_adapter, c);
			break;
		}
}
