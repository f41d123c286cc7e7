/*
 * usage.h - what jobs occupy on the nodes: now, and in an imagined future.
 *
 * A struct usage is the true state. A struct overlay lies over it: it copies a node's record the first time that node
 * is changed in it, so that "as if jobs A, B, C had ended" (B31-B33) costs only the nodes of A, B and C, and forgetting it all is O(1)
 * (an epoch number). Nothing is copied per pass.
 *
 * Sets kept up to date in both: idle (no job and nothing completing), nonexclusive (no job there that allows no other, N26) and
 * free (at least one core free), single (one job, nothing completing).
 */
#ifndef SCHED_USAGE_H
#define SCHED_USAGE_H
#include "sched/cluster.h"
#include "sched/job.h"

struct node_use {
	uint64_t mem;         /* MiB held */
	uint16_t cores;       /* cores held */
	uint16_t cpus;        /* CPUs charged */
	uint16_t jobs;        /* jobs that hold something here */
	uint16_t exclusive;   /* of these, jobs that allow no other */
	uint16_t completing;  /* ended jobs whose epilog is outstanding */
	uint16_t paused, paused_cpus; /* of these, suspended jobs, and their CPUs while they keep their cores */
	uint16_t topo_only;   /* of these, jobs that hold whole blocks or rings */
	uint16_t user_only;   /* of these, jobs that share only with jobs of their user */
	uint64_t user_sum, user_squares; /* over the jobs here: of their user numbers, which tells whether all are of one user */
};
struct gres_use {
	uint64_t devices;     /* bits of devices held; of a sharing GRES: devices with shares in use */
	uint32_t count;       /* held */
};

struct usage {
	const struct cluster *cluster;
	struct node_use *node;      /* [n_nodes] */
	uint32_t *core_off;         /* [n_nodes + 1]: first word of a node's core bitmap */
	uint64_t *core;             /* core bitmaps: bit set = held */
	uint32_t *gres_off;         /* [n_nodes + 1] */
	struct gres_use *gres;
	uint32_t *share_off;        /* [n_nodes + 1] */
	uint32_t *share;            /* shares held of each GPU, for the GRES with per_device */
	struct bitset *idle, *nonexclusive, *free, *single;
	uint64_t changes;           /* allocations given and taken back */
	uint64_t clock;             /* of the true state: raised by each change of a node */
	uint64_t *stamp;            /* [n_nodes] clock at its last change */
	uint64_t *word_stamp;       /* the latest stamp of each 64 nodes */
	uint8_t *holders;           /* jobs that hold a core, by core (core k of node i: word_off[i] * 64 + k); NULL = never more than one */
	/* totals for series and utilisation */
	uint64_t cpus, gpus, mem;
	uint32_t topo_only; /* jobs that hold whole blocks or rings */
	uint32_t user_only; /* jobs that share only with jobs of their user */
	/* overlay part: base == NULL for the true state */
	const struct usage *base;
	struct bitset *emptied;     /* nodes that are empty here, see blank */
	uint32_t epoch, *seen;      /* seen[i] == epoch: node i is copied here, if it is not in emptied */
	struct usage *blank;        /* owned: nothing is held anywhere; the record of every emptied node */
};

/* May a job of USER (alloc.user) be on the node as to users (--exclusive=user, N7)? ONLY: it shares with jobs of its user alone. */
static inline bool node_use_admits(const struct node_use *n, uint32_t user, bool only)
{
	if (!n->jobs || (!only && !n->user_only))
		return true;
	return n->user_sum == (uint64_t)n->jobs * user && n->user_squares == (uint64_t)n->jobs * user * user;
}

/* CPUs that a node of K shows as held: all threads of the cores held, also where jobs are charged for single threads (CR_CPU; recorded in
 * select-cpu). Those of suspended jobs are taken off by who counts them so. */
static inline uint32_t node_use_cpus(const struct node_use *n, const struct node_config *k)
{
	uint32_t threads = (uint32_t)n->cores * k->cpus_per_core, cpus = threads > n->cpus && !n->paused ? threads : n->cpus;
	uint32_t most = k->spec_cores ? node_config_usable(k) : cpus; /* recorded: --core-spec=0 may hold more */
	return cpus < most ? cpus : most;
}

struct usage *usage_new(const struct cluster *c);
/* An overlay over BASE, which must outlive it. Starts clean. */
struct usage *usage_overlay_new(const struct usage *base);
void usage_free(struct usage *u);
/* Forget all changes of an overlay: it shows the base's present state again. */
void usage_overlay_reset(struct usage *u);

/* Read access that works on both kinds. */
static inline const struct usage *usage_of(const struct usage *u, uint32_t node)
{
	if (!u->base)
		return u;
	if (bitset_test(u->emptied, node))
		return u->blank;
	return u->seen[node] == u->epoch ? u : u->base;
}
static inline const struct node_use *usage_node(const struct usage *u, uint32_t node) { return &usage_of(u, node)->node[node]; }
static inline const uint64_t *usage_cores(const struct usage *u, uint32_t node) { return usage_of(u, node)->core + u->core_off[node]; }
static inline const struct gres_use *usage_gres(const struct usage *u, uint32_t node) { return usage_of(u, node)->gres + u->gres_off[node]; }
/* Shares of GRES NG of NODE that are held, by device. */
static inline const uint32_t *usage_shares(const struct usage *u, uint32_t node, const struct node_gres *ng)
{
	return usage_of(u, node)->share + u->share_off[node] + ng->share_first;
}

/* Give JOB's allocation to the nodes / take it back. Asserts that nothing is held twice. */
void usage_add(struct usage *u, const struct job_alloc *a);
void usage_remove(struct usage *u, const struct job_alloc *a);
/* From now on several jobs may hold one core (gang scheduling, suspended jobs). Jobs that have started stay as they are. */
void usage_share(struct usage *u);
/* A job is suspended: it leaves the totals, with CORES its cores too; and goes on. */
void usage_pause(struct usage *u, struct job_alloc *a, bool cores);
void usage_unpause(struct usage *u, struct job_alloc *a);
/* Its cores alone, in an overlay. */
void usage_remove_cores(struct usage *u, const struct job_alloc *a);
/* The short form of usage_remove for an overlay, where most time goes in a long simulation: as far as nodes WITHIN are concerned A, which holds
 * NODES, is gone. Nodes that hold nothing else are added to EMPTIED; the others are changed as usual and added to CHANGED. When all of a
 * group are gone, usage_empty_imagined makes those of EMPTIED empty, without a copy of what they held; until then the overlay must
 * not be read. */
void usage_remove_imagined(struct usage *u, const struct job_alloc *a, const struct bitset *nodes, const struct bitset *within,
			   struct bitset *emptied, struct bitset *changed);
void usage_empty_imagined(struct usage *u, const struct bitset *emptied);
/* CPUs of the free cores of NODES, at the most that a job could get there, and *n: how many of NODES have a free core. */
uint64_t usage_room(const struct usage *u, const struct bitset *nodes, uint32_t *n);
/* The true state alone: have any of NODES been changed since the clock stood at STAMP? And: count NODES as changed. */
bool usage_changed_since(const struct usage *u, const struct bitset *nodes, uint64_t stamp);
void usage_touch(struct usage *u, const struct bitset *nodes);
/* An ended job's epilog begins / is done on a node: the node is COMPLETING in between (C30). */
void usage_completing(struct usage *u, uint32_t node, int delta);
#endif
