/*
 * pace.h - how long the controller's own work takes on the simulated clock, and what follows from that.
 *
 * With cost 0 for everything (the default) a pass takes no time, no cap by time bites and backfill never yields (B50). Otherwise:
 *
 *   - while a pass works, time goes on: each start takes its own moment, max_sched_time (S19) and bf_max_time (B12a) end passes;
 *   - a pass holds the controller's locks: until it is done (controller_busy_until) nothing else happens. The host keeps back what comes
 *     meanwhile - submissions, ends of jobs, turns of the loops - and tells it then;
 *   - backfill lets go of the locks for bf_yield_sleep once bf_yield_interval of work is done (B50), between two queue
 *     records or two tries of one. Afterwards it ends when
 *     something has changed, or with bf_continue goes on with the plan it has (B51);
 *   - the next cycle begins bf_interval after the end of this one (B1), a main pass sched_min_interval after the end of the last (S7).
 *
 * The costs are those of the modelled controller and never the host's clock: equal inputs give equal bytes. Passes that repeat themselves are not left out
 * then, since each moment of a pass sees its own time. What a decision is based on within one record does not age: its clock moves between records.
 */
#ifndef SCHED_PACE_H
#define SCHED_PACE_H
#include "sched/base/duration.h"
#include <stdbool.h>

struct controller;

struct controller_cost { /* nanoseconds */
	int64_t pass;     /* a main pass or a backfill cycle: locks, reservations, building and sorting the queue; none without a queue */
	int64_t main_job; /* a job for which a main pass looks for nodes */
	int64_t bf_job;   /* a try of backfill for a job (B22) */
	int64_t node;     /* in either, each node that is looked at */
	int64_t start;    /* a start */
};

/* Work costs COST from now on. Call once, before time goes on. */
void controller_set_cost(struct controller *c, const struct controller_cost *cost);
/* Until when the pass done last holds the locks; in the past when it is over. */
usec_t controller_busy_until(const struct controller *c);
/* Which loops had a turn while the controller was busy, each after its own FROM and before controller_busy_until. They take it then, all due things of the
 * turns missed at once. */
struct missed_turns { bool tick, backfill, priority, slice; };
struct turns_taken { usec_t tick, backfill, priority, slice; };
struct missed_turns controller_missed_turns(struct controller *c, const struct turns_taken *from);

/* ---- for sched/ alone ---- */

/* A pass begins, or goes on after a yield. */
void pace_begin(struct controller *c);
/* Work is done. */
void pace_spend(struct controller *c, int64_t ns);
/* A test of a job on so many nodes. */
void pace_test(struct controller *c, bool backfill, uint32_t nodes);
/* Time since pace_begin. */
usec_t pace_worked(const struct controller *c);
/* The pass lets go of the locks. */
void pace_end(struct controller *c);
#endif
