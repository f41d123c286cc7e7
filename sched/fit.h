/*
 * fit.h - would a job start on the nodes as they are now, and if not, why not, node by node.
 *
 * fit_job tries JOB (pending, just submitted or not) in its partitions as a main pass would try it with nobody ahead:
 * partition and limits, reservations, licences, then nodes, cores and devices. Nothing is started. When the nodes are
 * what is missing, every node of the last partition tried is judged alone, and the first rule that it fails is named
 * (node-selection.md: N12 ... N66; C53, C60 for its state and for reservations).
 *
 * Of the jobs ahead only their number is told: a job that fits may still wait behind them.
 */
#ifndef SCHED_FIT_H
#define SCHED_FIT_H
#include "sched/controller.h"

struct fit_node {
	uint32_t node;
	const char *rule; /* static: "N12"; NULL = the node could take a share of the job */
	char *why;        /* owned: "12 of 32 cores free, 16 wanted"; what it offers when rule is NULL */
};

struct fit {
	const struct partition *part; /* where it fits, or the last tried */
	struct job_alloc *alloc;      /* owned; where it would start; NULL = it would not */
	enum reason reason;           /* why not; REASON_NONE when it would */
	char *text;                   /* owned: what the reason says more, or NULL */
	uint32_t ahead;               /* pending jobs of higher priority in that partition */
	GArray *nodes;                /* of struct fit_node, in table order; empty when the job would start */
};

/* JOB must be pending. Its reason is set as an attempt sets it. Free with fit_free. */
struct fit *fit_job(struct controller *c, struct job *job, usec_t now);
void fit_free(struct fit *f); /* NULL is allowed */
#endif
