/*
 * choose.h - the methods of choosing nodes (node-selection N41-N49), and what they share; private to sched/.
 *
 * A method takes nodes of s->cand one by one with take_node until need_met, and says what a failure means (N41.4).
 * choose_by_method tries it, and tries again with fewer candidates where the rules say so. The default method, the
 * consecutive best fit N43, is in choose_fit.c, the one-node test N40 and its retries are in select.c.
 *
 * Files: choose.c (which method, retries, required nodes), choose_order.c (N44-N47), choose_groups.c (weight groups), choose_tree.c (N48),
 * choose_linear.c (N75), choose_block.c (N49), choose_ring.c (N49b, N49c), choose_features.c (N28).
 */
#ifndef SCHED_CHOOSE_H
#define SCHED_CHOOSE_H
#include "sched/select.h"

struct need { /* what is still missing while nodes are taken */
	int64_t nodes, cpus, max_nodes;
	int64_t min_left;  /* k of N42 */
	int64_t cpu_cap;   /* R of N42 */
	uint32_t gpus;     /* of the per-job GRES count */
	uint32_t given;    /* of it so far */
	int64_t tasks;     /* M of N42 */
	bool looked;       /* look_at_all was here, with */
	uint32_t look_given, look_left;
};

struct run { /* N43.2: consecutive usable nodes of equal weight */
	uint32_t first, last; /* node indexes; members are the candidates between them */
	uint32_t nodes;
	uint64_t cpus, gpus;
	uint64_t weight; /* of the nodes, see sched_weight() */
	bool required, used;
};

/* Nothing chosen yet (N42, N43): at most MAX_NODES, and REQ for count.req. */
struct need need_begin(struct selector *s, uint32_t max_nodes, uint32_t req);
static inline bool need_met(const struct need *n)
{
	return n->nodes <= 0 && n->cpus <= 0 && n->gpus == 0;
}
/* Enough even without the nodes asked for (N43.5). */
bool need_acceptable(const struct selector *s, const struct need *n);
/* N43: the first look at every candidate of a job with GRES: look_cpus, look_gpus; those that cannot be used leave cand. Only what is not known
 * yet is looked at. */
void look_at_all(struct selector *s, struct need *n);
/* N42: take NODE; false when it cannot be used. */
bool take_node(struct selector *s, struct need *n, uint32_t node);
/* Take the candidates of SET ascending that are not chosen yet, until the need is met or no more are allowed. */
void take_nodes_of(struct selector *s, struct need *n, const struct bitset *set);
/* The required nodes, ascending; false when one cannot be taken. */
bool take_required(struct selector *s, struct need *n);
/* N23 */
uint64_t sched_weight(const struct selector *s, uint32_t node);
/* N43: the best fit among the candidates, of at most MAX_NODES nodes. */
bool choose_best_fit(struct selector *s, uint32_t max_nodes);
/* The least number of nodes an accepted choice may have (N41.2). */
uint32_t least_nodes(const struct selector *s);
/* CPUs of NODE's free cores, before any limit (N45). */
uint32_t free_cpus(const struct selector *s, uint32_t node);

/* Weight groups opened one after the other (N48 b, N49.4). */
struct weight_groups {
	struct bitset *best;      /* nodes of the groups opened, none chosen yet */
	struct bitset *mandatory; /* of it, of all groups but the last: taken first */
	struct bitset *scratch;
	uint64_t *weight;         /* [nodes] sched_weight of the candidates */
};
void groups_init(struct weight_groups *g, const struct selector *s);
void groups_clear(struct weight_groups *g);
/* Open groups of the candidates in WITHIN, lightest first, until they hold WANT nodes and the CPUs and GPUs of N. False when in the end there
 * are not even LEAST nodes with them. */
bool groups_open(struct weight_groups *g, const struct selector *s, const struct need *n, const struct bitset *within, int64_t want,
		 int64_t least);
/* g->scratch := the candidates in SET that are not chosen yet. */
void groups_usable(struct weight_groups *g, const struct selector *s, const struct bitset *set);

enum method { METHOD_BEST_FIT, METHOD_SPREAD, METHOD_BUSY, METHOD_LLN, METHOD_PACK_END, METHOD_TREE, METHOD_BLOCK, METHOD_RING, METHOD_TORUS };
/* N41.3 */
enum method choose_method(const struct selector *s);
/* N41 with a method other than the best fit: the candidates are all of s->ok. */
bool choose_by_method(struct selector *s, enum method m, uint32_t max_nodes);

/* N49.1: SEGMENTS placements of SIZE nodes. False: never runnable. */
bool segments_of(const struct selector *s, uint32_t *size, uint32_t *segments);
/* Does J in PART hold the blocks or rings of its nodes (--exclusive=topo, or the partition's)? */
static inline bool wants_units(const struct job *j, const struct partition *part)
{
	return (j->req->share == SHARE_EXCLUSIVE_TOPO || part->exclusive_topo) && part->topology &&
	       part->topology->kind != TOPOLOGY_TREE;
}
/* Out of WITHIN: the blocks and rings that running jobs of that kind hold. */
void leave_held_units(const struct selector *s, struct bitset *within);
/* --exclusive=topo: blocks and rings with any job are taken out of WITHIN. */
void leave_shared_units(const struct selector *s, struct bitset *within);
/* --switches was given with a count. */
static inline bool wants_switches(const struct job *j)
{
	return j->req->switches != NO_VAL && j->req->switches > 0;
}

/* The choice on all of s->ok, by whatever method: the part of trial_choose below the features. */
bool choose_nodes(struct selector *s);
/* N28: F has counts or alternatives. */
struct features;
bool choose_by_features(struct selector *s, const struct features *f);
/* One of the two above, as the job has it. */
bool choose_features_or_nodes(struct selector *s);
/* N20: only the sizes of LIST ("1,3", "2-8:2"), the largest first. */
bool choose_of_list(struct selector *s, const char *list);

enum choice { /* what came of one try (N41.4) */
	CHOICE_DONE,
	CHOICE_STOP,    /* no other try can help */
	CHOICE_DEFAULT, /* leave out the candidate with the smallest offer */
	CHOICE_HINT,    /* leave out the smallest of those taken */
	CHOICE_DROP     /* leave out s->dropped */
};
/* N75: select/linear, on all of s->ok. */
bool choose_linear(struct selector *s);
enum choice choose_in_order(struct selector *s, enum method m, uint32_t max_nodes); /* N44-N46 */
enum choice choose_spread(struct selector *s, uint32_t max_nodes);                  /* N47 */
enum choice choose_tree(struct selector *s, uint32_t max_nodes);                    /* N48 */
enum choice choose_block(struct selector *s, uint32_t max_nodes);                   /* N49 */
enum choice choose_ring(struct selector *s, uint32_t max_nodes);                    /* N49b */
enum choice choose_torus(struct selector *s, uint32_t max_nodes);                   /* N49c */
#endif
