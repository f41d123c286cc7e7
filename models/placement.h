/*
 * placement.h - what a bad placement costs: how much longer a GPU job runs where it was put.
 *
 * Off by default, so that a replay stays a replay. A job's step time at the best placement has a share c of communication
 * between its GPUs and a share h of copies from the host; the rest is computing (spec hardware.md 2.3):
 *
 *   factor = (1 - c - h) + c / bandwidth + h * ((1 - far) + far / copy) + n * shared * (1 / neighbours - 1)
 *
 *   far        share of its GPUs that have no core of the job on their socket
 *   bandwidth  1, or the least of: links (several GPUs on a node of which no two are linked although that many linked
 *              ones exist there; where gres.conf gives Links), nodes (more nodes than its GPUs need), leaves (more leaf
 *              switches than its nodes need)
 *   shared     share of its nodes on which another job runs when it starts
 *
 * Classes of sensitivity: c and h of hardware.md, n by how near they are to the job that was measured. A job's class is the
 * word after "placement:" in its --comment, else the default. "none" is never stretched. Jobs without GPUs are not either.
 * Every constant is in placement_constants with its place in models/hardware/data/perf_constants.json and its source.
 */
#ifndef MODELS_PLACEMENT_H
#define MODELS_PLACEMENT_H
#include "sched/controller.h"

struct placement_class {
	const char *name;
	double c, h, n;
};
struct placement_constant {
	const char *name;
	double value;
	const char *path;   /* in perf_constants.json: "h2d_remote_factor.default", "placement[6].factor" */
	const char *source; /* as there */
};

struct placement_cost {
	const struct placement_class *class;
	double factor;  /* 1 and more */
	char why[160];  /* "far 0.50, links 0.10, leaves 2 of 1"; "" when the factor is 1 */
};

/* NULL when there is no class of this name. */
const struct placement_class *placement_find(const char *name);
/* All, ended by one without name. */
const struct placement_class *placement_classes(void);
const struct placement_constant *placement_constants(void);
/* What the allocation of JOB, just started, costs; DEFAULT_CLASS is that of jobs that name none. */
void placement_cost(const struct placement_class *default_class, const struct controller *c, const struct job *job,
                    struct placement_cost *out);
#endif
