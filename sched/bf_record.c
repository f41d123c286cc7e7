/* bf_record.c - one record of the queue: is it tried, and what follows (backfill B13-B20); see bf.h */
#include "sched/bf.h"
#include "sched/hetjob.h"
#include "sched/reservation.h"

/* B17: what the jobs considered are counted by; a key holds the kind and one or two numbers. */
enum counted_by { BY_USER_PART, BY_PART, BY_ASSOC, BY_USER };

static gpointer count_key(enum counted_by kind, uint64_t a, uint64_t b)
{
	return GSIZE_TO_POINTER((((b << 32) | a) << 2 | kind) + 1);
}

static bool within_counts(struct cycle *y, const struct job *j)
{
	const struct sched_params *p = y->c->p;
	const int limits[4] = {p->bf_max_job_user_part, p->bf_max_job_part, p->bf_max_job_assoc, p->bf_max_job_assoc ? 0 : p->bf_max_job_user};
	const gpointer keys[4] = {count_key(BY_USER_PART, j->user_key, j->part->index), count_key(BY_PART, j->part->index, 0),
				  count_key(BY_ASSOC, j->assoc ? j->assoc->id : 0, 0), count_key(BY_USER, j->user_key, 0)};
	static const char *const rules[] = {"B17: bf_max_job_user_part", "B17: bf_max_job_part", "B17: bf_max_job_assoc", "B17: bf_max_job_user"};
	int n[4];
	for (int i = 0; i < 4; i++) {
		n[i] = limits[i] ? GPOINTER_TO_INT(g_hash_table_lookup(y->b->counts, keys[i])) : 0;
		if (limits[i] && n[i] >= limits[i])
			return skip(y->c, j, rules[i]);
	}
	for (int i = 0; i < 4; i++)
		if (limits[i])
			g_hash_table_insert(y->b->counts, keys[i], GINT_TO_POINTER(n[i] + 1));
	return true;
}

/* B14 */
static bool test_now_only(struct cycle *y, const struct job *j)
{
	const struct sched_params *p = y->c->p;
	uint64_t threshold = limits_min_priority(y->c, j);
	if (threshold && j->priority < threshold)
		return true;
	if (p->bf_min_age_reserve && j->eligible && y->c->now_s - j->eligible < p->bf_min_age_reserve) {
		note_time(y->c, j->eligible + p->bf_min_age_reserve);
		return true;
	}
	if (p->bf_one_resv_per_job && j->est_start)
		return true;
	return p->bf_job_part_count_reserve && y->c->part_count[j->part->index] >= (uint32_t)p->bf_job_part_count_reserve;
}

/* B20: what is planned (time) and what is granted on start (comp), minutes. */
static bool limits_of(struct cycle *y, struct record *r)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	uint32_t l0 = j->time_limit != NO_VAL ? j->time_limit : r->p->max_time;
	if (r->p->max_time != INFINITE)
		l0 = MIN(l0, r->p->max_time);
	if (l0 == INFINITE)
		l0 = 365 * 24 * 60;
	if (job_check_deadline(c, j))
		return skip(c, j, "B20: the deadline can no longer be met");
	r->orig_limit = j->time_limit;
	r->comp = r->time = l0;
	if (j->deadline) {
		c->last_update = c->now_s; /* recorded: cycles go on while a job with a deadline waits, though nothing else changes */
		r->comp = MIN(l0, (uint32_t)MAX(0, (j->deadline - c->now_s) / 60));
	} else if (j->time_min != NO_VAL && j->time_min < l0) {
		r->time = j->time_min;
		j->time_limit = j->time_min;
	}
	if (j->qos && j->qos->flags & QOS_NO_RESERVE && j->qos->preempt_mode_text)
		r->time = 1;
	return true;
}

/* B17: the array's own rules; true = skip. */
static bool array_skip(struct cycle *y, struct job *j)
{
	struct controller *c = y->c;
	if (!j->array)
		return false;
	if (y->rejected == j->array && y->rejected_part == j->part && y->rejected_resv == j->resv)
		return !skip(c, j, "B17: a task of this array has just failed");
	y->rejected_resv = j->resv;
	y->rejected = j->array;
	y->rejected_part = j->part;
	y->rejected_job = j;
	if (!array_at_limit(j))
		return false;
	if (j->eligible && j->eligible <= c->now_s) {
		j->eligible = 0;
		c->version++;
	}
	job_throttled(c, j);
	return !skip(c, j, "B17: the array's %limit");
}

/* B13: arrays that have enough plans already. */
static bool array_planned_out(const struct controller *c, const struct job *j)
{
	if (!j->array || !j->tasks)
		return false;
	if (j->array->planned >= (uint32_t)c->p->bf_max_job_array_resv)
		return true;
	/* recorded in mixed-hour: 22.05 plans four tasks of an array %2 */
	return since(c->p, B13_COUNTS_PLANS) && j->array->limit && j->array->running + j->array->planned >= j->array->limit;
}

/* B15-B20. False = skip the record. */
static bool prepare_record(struct cycle *y, struct record *r)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	if (!qos_checked(c, j))
		return skip(c, j, "R14: its QOS is not usable");
	if (!c->p->assoc_limit_stop && !limits_before(c, j))
		return skip(c, j, "B15: a limit");
	y->stats.depth++; /* recorded: what a limit keeps back is not counted */
	r->orig_start = j->est_start;
	if (array_skip(y, j))
		return false;
	struct blocker b;
	enum reason check = partition_check(c, j, r->p, true, &b);
	if (check != REASON_NONE) {
		job_blocked(c, j, check, NULL, &b);
		return skip(c, j, "B17: the partition's limits or state");
	}
	if (!within_counts(y, j))
		return false;
	if (!c->p->bf_licenses && !license_available(c, j))
		return skip(c, j, "B18: licences are not free now");
	if (!job_independent(c, j))
		return skip(c, j, "B18: it depends on something");
	if (j->resv) { /* a magnetic one too, of which job_independent knows nothing */
		note_time(c, j->resv->start);
		note_time(c, j->resv->end);
	}
	if (j->resv && !resv_active_at(j->resv, c->now_s)) {
		b = blocker_reservation(c, j);
		job_blocked(c, j, REASON_RESERVATION, NULL, &b);
		return skip(c, j, "B18: its reservation is not active");
	}
	if (!limits_counts(c, j, r->p, &r->count) || r->count.max < r->count.min)
		return skip(c, j, "B19: limits on the number of nodes");
	return limits_of(y, r);
}

/* B62: with bf_hetjob_immediate as soon as the last of its components has an estimate. */
static void start_het(struct cycle *y, struct job *j)
{
	const struct het_job *h = j->het;
	if (!het_start_one(y->c, j, y->c->bf_cycle, bf_het_started, y))
		return;
	for (uint32_t k = 0; k < h->n; k++)
		if (h->comp[k] && h->comp[k]->state == JOB_RUNNING)
			bf_reserve_running(y, h->comp[k]); /* B9 */
}

void bf_record(struct cycle *y, struct queue_record *q)
{
	struct controller *c = y->c;
	struct job *j = q->job;
	struct held held = y->held; /* of this record, if it has yielded */
	y->held.active = false;
	if (!j || j->state != JOB_PENDING || j->priority == 0 || j->flags & JOB_COMPLETING || j->preempting) /* B13, B16 */
		return;
	if (held.active && j->time_limit != held.r.orig_limit) /* changed meanwhile: the next cycle looks at it */
		return;
	if (!held.active && array_planned_out(c, j)) {
		skip(c, j, "B13: bf_max_job_array_resv, or the array's %limit with the tasks planned");
		return;
	}
	record_take(c, q);
	struct record first = {.j = j, .p = q->part};
	first.no_plan = q->magnetic && !(c->p->bf_allow_magnetic_slot && since(c->p, B_MAGNETIC_SLOT));
	first.no_reserve = !held.active && test_now_only(y, j);
	if (!held.active)
		step(c, STEP_TEST, j, 0, 0, NULL);
	if (j->het && !held.active) {
		if (het_others(j, c->bf_cycle) > y->window_end) /* B13 */
			return;
		het_begin(j, c->bf_cycle, c->now_s);
	}
	uint32_t planned = held.active ? held.planned : 0;
	for (;;) {
		struct record r = held.active ? held.r : first;
		bool head = j->tasks && j->tasks_left > 1;
		if (held.active)
			j->time_limit = r.limit;
		else if (j->state != JOB_PENDING || !prepare_record(y, &r))
			return;
		sec_t earliest = held.active ? held.earliest : j->est_start;
		first.no_reserve = r.no_reserve;
		held.active = false;
		enum try_result result = bf_search(y, &r);
		if (result == TRY_YIELDS) {
			y->held = (struct held){true, r, earliest, planned};
			return;
		}
		if (j->het && c->p->bf_hetjob_immediate && j->state == JOB_PENDING)
			start_het(y, j);
		if (result == TRY_STARTED) {
			y->rejected = NULL;
			if (c->p->bf_max_job_start && y->stats.started >= (uint32_t)c->p->bf_max_job_start) {
				y->stats.ended_by = "bf_max_job_start";
				y->stop = true;
			}
			if (y->stop || !head || y->stats.tested >= (uint32_t)c->p->bf_max_job_test)
				return;
			continue;
		}
		if (result != TRY_PLANNED || !j->tasks)
			return;
		j->array->planned++;
		planned++;
		if (earliest && planned > 1)
			j->est_start = MIN(j->est_start, earliest);
		if (planned >= array_tasks_left(j) || array_planned_out(c, j))
			return;
		y->rejected = NULL;
	}
}
