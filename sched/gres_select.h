/*
 * gres_select.h - how a node looks to a job that asks for GPUs or other GRES (node-selection N10, N61-N67).
 *
 * Two steps. gres_offer belongs to the judgement of a node (N31-N34): how many devices are usable, what limits them, how many are near kept cores.
 * gres_look comes when nodes are compared and taken (N40-N43): how many of the devices the job wants here now, which sockets it therefore needs,
 * and which cores stay candidates. The second pass (N67) asks the same with locality relaxed.
 *
 * A job may ask for several GRES or types: each is looked at in turn and what it leaves of CPUs and cores goes on to the next. Counts
 * per job are kept for the first one that has such a count (job_main_gres).
 */
#ifndef SCHED_GRES_SELECT_H
#define SCHED_GRES_SELECT_H
#include "sched/cores.h"
#include "sched/select.h"

struct gres_by_socket {
	uint32_t any, total;       /* devices of any socket; all, each once */
	uint32_t on[SOCKETS_MAX];  /* devices counted on each socket */
};

struct gres_look {
	uint32_t cpus;   /* avail after N66 */
	uint32_t gpus;   /* the node's count of the main GRES */
	uint32_t least;  /* CPUs implied by the GPUs (N66.5), 0 = none */
	uint32_t t_max;  /* GPU task limit of N52, UINT32_MAX = none */
};

/* N10: CPUs per GPU of the job in a pass: given or defaulted (*firm), else estimated; 0 = none. */
uint32_t gres_cpus_per_gpu(const struct selector *s, bool first_pass, bool *firm);
/* N63: usable devices of W on NODE. FREE: free cores by socket for enforce-binding, or NULL. */
void gres_count(const struct selector *s, uint32_t node, const struct gres_want *w, const uint32_t *free, struct gres_by_socket *out);
/* N31, N63: is NODE possible at all? Sets needed[] for the sockets whose cores are to be kept first. FREE: free cores by socket. */
bool gres_possible(struct selector *s, uint32_t node, const uint32_t *free, bool *needed);
/* N64, N23: limits by CPUs and memory; s->gpus and s->near of NODE are set. CAND: kept cores. */
bool gres_limits(struct selector *s, uint32_t node, const uint64_t *cand, uint32_t avail, uint64_t free_mem);
/* N66: CAND is cut down. GIVEN: per-job count given so far; MIN_LEFT: k of N42. False: unusable in this pass. */
bool gres_look(struct selector *s, uint32_t node, uint32_t avail, uint32_t given, uint32_t min_left, uint64_t *cand, struct gres_look *out);
static inline bool gres_enforces(const struct job *j) { return j->gres_enforce; }
#endif
