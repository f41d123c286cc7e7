/*
 * replica.h - a scenario's workload again, as it could just as well have come: the trace perturbed by its own spread.
 *
 * Replica 0 is the workload as given. Replica k > 0 keeps who submits what (users, shapes, limits, arrays, chains) and
 * draws anew when and how long:
 *
 * - Arrivals. Submissions of a user less than 60 s after the one before are one session and keep their distances. The
 * gaps between beginnings of sessions are drawn with replacement from the gaps of the same hour of the day, then
 * stretched so that the sessions of an hour fill that hour: every hour keeps its number of sessions, the days keep
 * their rhythm, and what is drawn is how they fall and what falls together. A job never comes before one that it
 * depends on. Jobs named by an event of the scenario, and what those depend on, keep their time. Where a dependency or
 * an event names jobs by number, all keep their order.
 * - Run times. A job (each task of an array that has an outcome of its own) takes the outcome of a job like it, drawn
 * with replacement: its run time as a fraction of its limit, its exit and its way to end. Like: same user, partition,
 * limit and size; where fewer than 5 are, the same partition, limit and size; then partition and size; then all. A job
 * without a limit takes the run time itself. Since fractions come from jobs of the same limit and size first, the work
 * offered stays the same on average.
 * - What is not drawn: cancellations of waiting jobs, checkpoints, memory, events, failures of nodes (their own seed).
 *
 * Draws come from one gsl_rng_mt19937 a replica, seeded by SEED and number alone, in the order of the trace: the same
 * replica of two configurations of one trace gets the same perturbation (paired; common random numbers).
 *
 * A window is a part of the trace: submissions outside it are left out, and dependencies on what was left out count as
 * fulfilled. What was submitted before and would still run when the window begins, had it started at once, is kept, so
 * that the window does not begin on an empty cluster.
 */
#ifndef SCENARIOS_REPLICA_H
#define SCENARIOS_REPLICA_H
#include "scenarios/scenario.h"

/*
 * Take all submissions of S's trace into memory (s->submissions, ascending; s->workload becomes NULL). Before
 * scenario_start, once, before the two below. The record of such a run tells nothing of the trace's lines.
 */
void replica_load(struct scenario *s);
/* Make S replica NUMBER; 0 leaves it as it is. Once. */
void replica_perturb(struct scenario *s, uint64_t seed, uint32_t number);
/* The same in two steps, for many replicas in forked processes: what run times are drawn from, once for S as it was
 * loaded. */
struct replica_pool *replica_pool_new(const struct scenario *s);
void replica_perturb_from(struct scenario *s, const struct replica_pool *pool, uint64_t seed, uint32_t number);
void replica_pool_free(void *pool); /* NULL is allowed */
/* Keep what is submitted at FROM <= t < TO, and what runs into FROM. */
void replica_window(struct scenario *s, usec_t from, usec_t to);
/* "afterok:@a:@b,singleton" without the jobs that KEPT (labels) does not hold: NULL when nothing is left. g_free. For
 * tests. */
char *replica_strip_dependency(const char *text, GHashTable *kept);
#endif
