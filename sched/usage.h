/*
 * usage.h - what jobs occupy on the nodes: now, and in an imagined future.
 *
 * A struct usage is the true state. A struct overlay lies over it: it copies a node's record the first time that node
 * is changed in it, so that "as if jobs A, B, C had ended" (B31-B33) costs only the nodes of A, B and C, and forgetting it all is O(1)
 * (an epoch number). Nothing is copied per pass.
 *
 * Sets kept up to date in both: idle (no job and nothing completing), nonexclusive (no job there that allows no other, N26) and
 * free (at least one core free).
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
	struct bitset *idle, *nonexclusive, *free;
	/* totals for series and utilisation */
	uint64_t cpus, gpus, mem;
	uint32_t topo_only; /* jobs that hold whole blocks or rings */
	uint32_t user_only; /* jobs that share only with jobs of their user */
	/* overlay part: base == NULL for the true state */
	const struct usage *base;
	uint32_t epoch, *seen;      /* seen[i] == epoch: node i is copied here; epoch + 1: it is empty, see blank */
	struct usage *blank;        /* owned: nothing is held anywhere; the record of every emptied node */
};

/* May a job of USER (alloc.user) be on the node as to users (--exclusive=user, N7)? ONLY: it shares with jobs of its user alone. */
static inline bool node_use_admits(const struct node_use *n, uint32_t user, bool only)
{
	if (!n->jobs || (!only && !n->user_only))
		return true;
	return n->user_sum == (uint64_t)n->jobs * user && n->user_squares == (uint64_t)n->jobs * user * user;
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
	if (!u->base || u->seen[node] == u->epoch)
		return u;
	return u->seen[node] == u->epoch + 1 ? u->blank : u->base;
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
/* The short form of usage_remove for an overlay, where most time goes in a long simulation: nodes of A that hold nothing else become empty without a copy
 * of what they held, and are added to EMPTIED; the others are changed as usual and added to CHANGED. */
void usage_remove_imagined(struct usage *u, const struct job_alloc *a, struct bitset *emptied, struct bitset *changed);
/* An ended job's epilog begins / is done on a node: the node is COMPLETING in between (C30). */
void usage_completing(struct usage *u, uint32_t node, int delta);
#endif
