/*
 * recall.h - estimates (willrun.h) that an earlier backfill cycle made and that still stand.
 *
 * Between two cycles a cluster changes in a few places, and most records of the queue meet what they met a minute before. What an estimate
 * reads is known: the job's demand, the nodes it may use, their state, the running jobs there and their ends, and the clock. It is kept
 * with all of these and given again while they are the same:
 *
 *   - the same partition, node counts, usable nodes and next time (later_start), and the same time tried; a try for the present moment
 *     counts as the same as long as no running job has come to its end since and nothing that was noted about the clock (note_time) has passed;
 *   - no usable node has changed hands since (usage.h: stamps), no running job there has another end;
 *   - nothing about nodes, partitions or demands has been changed by a command (config_version).
 *
 * Left out are jobs whose estimates read more: licences, preemption, gang scheduling, reservations, het jobs, soft limits, --prefer,
 * limits of nodes (N24), and 22.05 where the GPU bytes of other trials shine through (N23). --naive keeps nothing.
 */
#ifndef SCHED_RECALL_H
#define SCHED_RECALL_H
#include "sched/state.h"
#include "sched/willrun.h"

struct recall;

/* For clusters of N_NODES; holds at most some tens of MiB and starts anew when that is full. */
struct recall *recall_new(uint32_t n_nodes);
void recall_free(struct recall *r);
/* will_run (willrun.h) for backfill, from memory where the answer stands. After a success the selector holds chosen and n_chosen alone. */
bool recall_will_run(struct recall *r, struct controller *c, struct job *j, struct will_run *w, sec_t *start);
/* Starts now (attempt.c): is it known that J finds no place among NODES with node counts N? And: it has found none; that stands while nothing
 * changes there and the clock is before BOUND. */
bool recall_fails_now(struct recall *r, struct controller *c, struct job *j, const struct bitset *nodes, const struct trial_counts *n);
void recall_failed_now(struct recall *r, struct controller *c, struct job *j, const struct bitset *nodes, const struct trial_counts *n, sec_t bound);
/* For tests and measurements: estimates given from memory, and made; starts not tried. */
struct recall_counts { uint64_t recalled, made, spared; };
struct recall_counts recall_counts(const struct recall *r);
/* J has started, or its record goes. */
void recall_forget(struct recall *r, const struct job *j);
#endif
