/*
 * gres_place.h - which devices a started job gets on its nodes (node-selection N65, N68).
 *
 * Order of use: gres_place_begin, gres_place_node for each node ascending, gres_place_finish (which deals out what the
 * count per job still lacks), then gres_place_store. Any of them false: the start fails.
 */
#ifndef SCHED_GRES_PLACE_H
#define SCHED_GRES_PLACE_H
#include "sched/gres_select.h"

struct gres_placing {
	struct selector *s;
	GArray *taken;  /* of struct gres_taken: every GRES of every node, in order, count 0 when nothing is taken */
	GArray *shares; /* of struct gres_taken: shares of GPUs (N72), and for each */
	GArray *share_of; /* of guint: the place in nodes that it belongs to */
	GArray *first;  /* of guint: a node's first entry */
	GArray *nodes;  /* of guint: node indexes */
	uint32_t given; /* of the per-job count */
	uint32_t nodes_left;
};

struct gres_node { /* what the job has on the node by then */
	uint32_t node;
	const uint64_t *cores;
	uint32_t cpus, tasks; /* N52 */
};

void gres_place_begin(struct gres_placing *p, struct selector *s, uint32_t nodes);
bool gres_place_node(struct gres_placing *p, const struct gres_node *n);
bool gres_place_finish(struct gres_placing *p);
/* Append what node I (0 = first placed) has to OUT; returns its GPUs. */
uint32_t gres_place_store(const struct gres_placing *p, guint i, GArray *out);
void gres_place_end(struct gres_placing *p);
#endif
