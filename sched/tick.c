/* tick.c - the once-a-second loop (S1, S2), the sweep of time limits (C34), and the passes that others ask for */
#include "sched/builtin.h"
#include "sched/ping.h"
#include "sched/power.h"
#include "sched/preempt.h"
#include "sched/reservation.h"
#include "sched/warn.h"

/* C34: a running job at or past its end (plus OverTimeLimit) is ended. */
static void sweep(struct controller *c)
{
	power_jobs_begin(c); /* C29 */
	preempt_sweep(c); /* C34: grace first */
	warn_sweep(c);
	for (struct job *j = c->ends_by_limit ? c->running.head : NULL, *next; j; j = next) { /* L45 */
		next = j->next;
		if (j->state == JOB_RUNNING && limits_end(c, j)) {
			j->timed_out = true;
			job_end(c, j, JOB_TIMEOUT, REASON_TIME_LIMIT, END_TIME_LIMIT);
		}
	}
	for (guint i = 0; i < c->by_end->len;) {
		struct job *j = c->by_end->pdata[i];
		if (j->end > c->now_s)
			break;
		uint32_t over = j->part->over_time_limit != NO_VAL ? j->part->over_time_limit : c->p->over_time_limit;
		sec_t grace = over == INFINITE ? INT64_C(365) * 86400 : (sec_t)over * 60;
		if (j->time_limit == INFINITE || j->end > c->now_s - grace || j->state == JOB_SUSPENDED) { /* C34 */
			i++;
			continue;
		}
		j->timed_out = true;
		job_end(c, j, JOB_TIMEOUT, REASON_TIME_LIMIT, END_TIME_LIMIT); /* removes it from by_end */
	}
}

void controller_sweep(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	c->last_sweep = c->now_s;
	sweep(c);
}

static void purge_deadlines(struct controller *c)
{
	if (!c->n_deadlines)
		return;
	c->time_bound = INT64_MAX;
	for (struct job *j = c->pending.head, *next; j; j = next) {
		next = j->next;
		if (j->priority == 0 && c->p->version == SLURM_22_05) /* recorded: one that is held outlives its deadline there */
			continue;
		if (j->deadline && !(j->flags & JOB_COMPLETING))
			job_check_deadline(c, j);
	}
}

/* The latest of LAST + k * PERIOD that is not after NOW. Turns without anything to do may have been left out by the host. */
static sec_t latest(sec_t last, sec_t period, sec_t now)
{
	return now - last >= period ? last + (now - last) / period * period : last;
}

/* The default of 2 microseconds is none on this clock: ends of jobs share one instant. */
usec_t ctl_main_allowed(const struct controller *c)
{
	return c->p->sched_min_interval_us > 2 && c->main_end ? c->main_end + c->p->sched_min_interval_us + 1 : 0;
}

static void run_requested(struct controller *c)
{
	if (!c->quick_requested || c->now < ctl_main_allowed(c))
		return; /* S7: requests are merged */
	bool full = c->full_requested;
	c->quick_requested = c->full_requested = false;
	main_pass(c, full);
}

static void note_idle(struct controller *c, sec_t first, sec_t last)
{
	struct idle_span s = {first, last};
	if (first <= last)
		g_array_append_val(c->idle_fulls, s);
}

struct idle_passes controller_idle_passes(const struct controller *c, usec_t now, sec_t since)
{
	struct idle_passes n = {0, 0};
	sec_t step = c->p->sched_interval;
	if (step <= 0)
		return n;
	struct idle_span rest = {c->last_full + step, latest(c->last_full, step, usec_to_sec(now))};
	for (guint i = 0; i <= c->idle_fulls->len; i++) {
		struct idle_span s = i < c->idle_fulls->len ? g_array_index(c->idle_fulls, struct idle_span, i) : rest;
		if (s.first < since)
			s.first += (since - s.first + step - 1) / step * step;
		if (s.first > s.last)
			continue;
		n.n += (uint64_t)((s.last - s.first) / step + 1);
		n.last = s.last;
	}
	return n;
}

void controller_tick(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	sec_t t = c->now_s, since = c->missed_since ? c->missed_since : controller_first_second(c, now); /* turns from then on are taken now */
	c->turn_since = since;
	resv_tick(c, true);
	sec_t due = latest(c->last_sweep, 30, t);
	if (due > c->last_sweep) {
		c->last_sweep = due;
		if (due >= since)
			sweep(c);
	}
	resv_end_tick(c, true);
	ping_tick(c);
	sec_t start = usec_to_sec(c->start);
	if (t - (t - start) % 60 >= since)
		purge_deadlines(c);
	bool full = false, quick = false;
	if (c->p->sched_interval > 0) {
		due = latest(c->last_full, c->p->sched_interval, t);
		if (due > c->last_full) { /* S2.1 */
			full = due >= since;
			note_idle(c, c->last_full + c->p->sched_interval, full ? due - c->p->sched_interval : due);
			c->last_full = c->last_sched = full && c->missed_since ? t : due;
			if (full)
				c->counter = 0;
		}
	}
	if (!full && c->counter > 0 && t - c->last_sched >= c->p->batch_sched_delay) { /* S2.2 */
		quick = true;
		c->counter = 0;
		c->last_sched = t;
	}
	c->missed_since = 0;
	if (!full && !quick)
		return;
	c->quick_requested = true;
	c->full_requested |= full;
	run_requested(c);
}

void controller_miss_tick(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	if (!c->missed_since)
		c->missed_since = controller_first_second(c, now);
}

void controller_run_requested(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	run_requested(c);
}

usec_t controller_next_requested(const struct controller *c, usec_t now)
{
	return c->quick_requested ? MAX(now + 1, ctl_main_allowed(c)) : INT64_MAX;
}

void controller_pass(struct controller *c, enum pass_kind kind, usec_t now)
{
	ctl_enter(c, now);
	c->quick_requested = c->full_requested = false;
	if (kind != PASS_BACKFILL)
		main_pass(c, kind == PASS_MAIN_FULL);
	else if (c->p->sched_type == SCHED_EASY)
		easy_pass(c);
	else if (c->p->sched_type == SCHED_BACKFILL)
		backfill_cycle(c);
}

void controller_backfill(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	if (now < c->bf_next)
		return;
	if (c->p->sched_type == SCHED_BUILTIN) { /* S38 */
		builtin_estimates(c);
		c->bf_next = now + (usec_t)c->p->builtin_interval * USEC;
		return;
	}
	if (c->p->bf_interval < 1)
		return;
	if (!bf_suspended(c) && (MAX(c->last_update, resv_last_flags(c)) < c->bf_last_end || completing_recently(c, NULL))) { /* B1, B2: nothing changed: look again in a second */
		c->bf_next = now + USEC;
		return;
	}
	if (c->p->sched_type == SCHED_EASY)
		easy_pass(c);
	else
		backfill_cycle(c);
	if (bf_suspended(c)) /* it has said itself when it goes on */
		return;
	c->bf_last_end = c->now_s;
	c->bf_next = c->now + (usec_t)c->p->bf_interval * USEC;
}

void controller_shift_backfill(struct controller *c, usec_t by)
{
	if (!bf_suspended(c))
		c->bf_next = MAX(c->bf_next + by, c->now + 1);
}
