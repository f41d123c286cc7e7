/*
 * offer.h - what one node offers to the job of the trial in progress (node-selection N31-N34), and which of its cores are candidates.
 */
#ifndef SCHED_OFFER_H
#define SCHED_OFFER_H
#include "sched/cores.h"
#include "sched/select.h"

/* c of N33.3: CPUs per core that the job may use. */
uint32_t offer_core_cpus(const struct selector *s, const struct node_config *k);
/* CPUs that NODE offers; 0 = unusable. For jobs with GRES s->gpus and s->near of NODE are set as well. */
uint32_t node_offer(struct selector *s, uint32_t node);
/* The cores kept by N33.7, from which N54 and N66 choose. CAND: core_words() words. */
void node_candidates(struct selector *s, uint32_t node, uint64_t *cand);
#endif
