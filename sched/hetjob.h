/*
 * hetjob.h - heterogeneous jobs (C70, S18, B60-B63): several requests that must start together.
 *
 * Each component is a job record of its own, with consecutive ids from the leader's; they share a struct het_job. All
 * of them wait in the queue like any job, but the main pass never starts one (its partition is closed instead, S18).
 * Backfill estimates each component by itself and lets it begin no earlier than the others could (B61); at the end of
 * the cycle those whose components could all start now are started, one component after the other on disjoint nodes
 * (B62). The leader's end, cancellation, hold, requeue is that of all; dependencies and begin time are those of the
 * leader, so every component has a copy.
 */
#ifndef SCHED_HETJOB_H
#define SCHED_HETJOB_H
#include "sched/job.h"

struct controller;

/* Make RECORDS[n] (all new, none in a het job) the components of one; n >= 2. The first one is the leader. */
void het_join(struct job **records, uint32_t n);
/* The record is about to be freed. */
void het_leave(struct job *j);
/* The records that go where J goes: the I-th of them, NULL when there are no more. J alone unless it is the leader of a
 * het job. */
static inline struct job *het_member(struct job *j, uint32_t i)
{
	if (!j->het || j->het_offset)
		return i ? NULL : j;
	return i < j->het->n ? j->het->comp[i] : NULL;
}
static inline bool het_is_leader(const struct job *j) { return j->het && j->het_offset == 0; }

/* B60: with bf_hetjob_prio, the keys 3 to 5 (S12) of every waiting het job from those of all its components and their partitions. */
void het_rank_all(struct controller *c);

/* B61, in the backfill cycle numbered CYCLE. The time before which the other components cannot start; 0 = nothing
 * known. */
sec_t het_others(const struct job *j, uint64_t cycle);
/* The trial of a component begins: unless an earlier partition gave a time, it is a year from NOW. */
void het_begin(struct job *j, uint64_t cycle, sec_t now);
/* It could start at T in its current partition. */
void het_estimate(struct job *j, uint64_t cycle, sec_t t);

/* B63: the het jobs planned in each partition in this cycle, in the order in which they came. */
struct het_plans;
struct het_plans *het_plans_new(void);
void het_plans_free(struct het_plans *p);
void het_plans_clear(struct het_plans *p);
/* Note that J's job is planned for T in J's partition. True when planning it would make two het jobs wait for each
 * other. */
bool het_plans_deadlock(struct het_plans *p, const struct job *j, sec_t t);

/* B62: the same for the het job of J alone (bf_hetjob_immediate). */
uint32_t het_start_one(struct controller *c, const struct job *j, uint64_t cycle, void (*started)(void *data, struct job *j), void *data);
/* B62: start the het jobs whose components could all start by now. STARTED is told each component. Returns how many
 * there were. */
uint32_t het_start_ready(struct controller *c, uint64_t cycle, void (*started)(void *data, struct job *j), void *data);
#endif
