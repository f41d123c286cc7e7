/*
 * gres_cores.h - cores kept for GPUs: RestrictedCoresPerGPU=k (node-selection N70).
 *
 * The first k cores for each device of a gres.conf line are restricted. Jobs without GPUs never see them; a job with
 * GPUs sees whole groups of k, and keeps at most k for each GPU it gets on the node.
 */
#ifndef SCHED_GRES_CORES_H
#define SCHED_GRES_CORES_H
#include "sched/cores.h"
#include "sched/select.h"

/* Set restricted of every configuration and group. Nodes where a line has too few cores go down with a reason. Not in
 * 22.05, which does not know the key. */
void restricted_find(struct cluster *c);
/* Before N33: what of the free cores W the job may use. */
void restricted_cut(const struct selector *s, const struct node_config *k, uint64_t *w);
/* At most MOST restricted cores stay in CAND: surplus goes from the lowest up, first where REQUIRED is false (NULL: all
 * alike), or from the highest down. */
void restricted_keep(const struct node_config *k, uint64_t *cand, uint32_t most, const bool *required, bool highest_first);
/* GPUs that the restricted cores of a job on SOCKET stand for (N68). */
uint32_t restricted_gpus(const struct node_config *k, const uint64_t *cores, uint32_t socket);
#endif
