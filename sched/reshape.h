/*
 * reshape.h - a controller whose cluster has another shape from now on: nodes, configuration records, partitions or licences came, went or moved.
 *
 * What the controller derives of the cluster (usage, node sets, the selector, what passes remember, power saving's times) is made anew, and everything
 * that names a node by its index follows it: requests, allocations, epilogs under way, reservations. A cycle of backfill that sleeps ends there.
 *
 * Not under gang scheduling, whose rows would have to be dealt again: see controller_reshapable.
 */
#ifndef SCHED_RESHAPE_H
#define SCHED_RESHAPE_H
#include "sched/state.h"

/* False and ERROR where it cannot be done. */
bool controller_reshapable(const struct controller *c, GError **error);
/* TO[i], i < N_OLD: where the node that was I stands now, UINT32_MAX = gone; no job holds such a node any more. NULL: all where they were. KINDS: of
 * licences, before. */
void controller_reshape(struct controller *c, const uint32_t *to, uint32_t n_old, uint32_t kinds);
/* The file that the controller follows from now on has no place for J: it ends as NODE_FAIL, may it be requeued or not (recorded). SOME_LEFT: it keeps
 * nodes on which its processes are killed. A heterogeneous job ends as a whole. */
void ctl_job_displaced(struct controller *c, struct job *j, bool some_left);

/* For reshape.c only. */
void bf_abandon(struct controller *c);
void power_reshape(struct controller *c, const uint32_t *to, uint32_t n_old);
#endif
