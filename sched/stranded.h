/*
 * stranded.h - free GPUs that no waiting job can use as things are: fragmentation, by cause.
 *
 * The waiting jobs with GPUs are reduced to shapes: what one node must give to such a job at least (GPUs of a type, CPUs,
 * memory, and whether its cores must be near the GPUs). On a node with free GPUs those are useful that the best shape
 * could take, as often as it fits; the others are stranded. Their cause is what stopped the shape that came farthest:
 *
 *   count     fewer GPUs are free on the node than the shape wants together
 *   cores     too few free CPUs
 *   memory    too little free memory
 *   affinity  enforce-binding: the free GPUs have too few free cores near them
 *   socket    --gpus-per-socket: no socket has enough
 *   links     only shapes of several GPUs fit, and no two free GPUs are linked, where gres.conf gives Links
 *   closed    the node is drained or down, or other jobs are there and the waiting one wants it whole
 *
 * Where no waiting job may run at all (no GPU jobs wait, or for other partitions, types or features) nothing is stranded.
 */
#ifndef SCHED_STRANDED_H
#define SCHED_STRANDED_H
#include "sched/controller.h"

enum stranded_cause {
	STRANDED_CLOSED, /* in the order of how far a shape came */
	STRANDED_COUNT,
	STRANDED_CORES,
	STRANDED_MEMORY,
	STRANDED_AFFINITY,
	STRANDED_SOCKET,
	STRANDED_LINKS,
	STRANDED_CAUSES
};

struct stranded {
	uint32_t free; /* GPUs that nobody holds */
	uint32_t by[STRANDED_CAUSES];
};

const char *stranded_cause_name(enum stranded_cause c); /* static */
static inline uint32_t stranded_total(const struct stranded *s)
{
	uint32_t n = 0;
	for (int i = 0; i < STRANDED_CAUSES; i++)
		n += s->by[i];
	return n;
}

/* The shapes of the jobs that wait now. Free with gpu_shapes_free. */
struct gpu_shapes *gpu_shapes_new(const struct controller *c);
void gpu_shapes_free(struct gpu_shapes *s); /* NULL is allowed */
/* One node, and all of them. */
struct stranded stranded_on(const struct controller *c, const struct gpu_shapes *s, uint32_t node);
struct stranded stranded_all(const struct controller *c);
#endif
