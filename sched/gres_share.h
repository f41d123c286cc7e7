/*
 * gres_share.h - mps and shard: GRES that are shares of the node's GPUs (node-selection N71, N72).
 *
 * A GPU that a job holds whole has no shares to give, and a GPU with a share in use is not given whole. A job gets its
 * shares of a node from one GPU, unless MULTIPLE_SHARING_GRES_PJ lets them span several. Tests that imagine an empty
 * cluster look at the sum only: a request larger than any GPU is accepted and then waits for good (recorded, case 48).
 */
#ifndef SCHED_GRES_SHARE_H
#define SCHED_GRES_SHARE_H
#include "sched/gres_select.h"
#include <string.h>

/* Is a device of G (NULL: of no known type) of the type that W asks for? Untyped requests take any. */
static inline bool gres_type_fits(const struct gres_want *w, const struct gres_group *g)
{
	return !w->type || (g && g->type && strcmp(w->type, g->type) == 0);
}

/* What of GRES number I of NODE is held, or kept from the job by reservations (C60). */
static inline struct gres_use gres_gone(const struct selector *s, uint32_t node, uint32_t i)
{
	struct gres_use u = usage_gres(s->view, node)[i];
	if (s->blocked_gres) {
		const struct gres_use *kept = &s->blocked_gres[s->view->gres_off[node] + i];
		u.devices |= kept->devices;
		u.count += kept->count;
	}
	return u;
}
/* Devices of GRES number I of NODE that cannot be given whole: held, or GPUs with shares in use. */
uint64_t gres_busy(const struct selector *s, uint32_t node, uint32_t i);
/* Shares of NG (with per_device) that GPU D can give now. */
uint32_t share_free(const struct selector *s, uint32_t node, const struct node_gres *ng, uint32_t d);
/* N63 for shares: what W can use, on each socket. FREE: free cores by socket for enforce-binding, or NULL. */
void share_count(const struct selector *s, uint32_t node, const struct gres_want *w, const struct node_gres *ng,
                 const uint32_t *free, struct gres_by_socket *out);
/* The most tasks of W->per_task that NODE can serve (N72). */
uint32_t share_tasks(const struct selector *s, uint32_t node, const struct gres_want *w, const struct node_gres *ng);

struct share_order {
	const struct selector *s;
	const struct gres_want *w;
	const struct node_gres *ng;
	uint16_t gres; /* index of NG */
	uint32_t node;
	const uint32_t *cores; /* job cores by socket */
	const uint32_t *tasks; /* tasks by socket (N68), for requests per task */
	uint32_t n_tasks;
};
/* N72: append struct gres_taken to OUT, one a GPU. False: there is not enough. */
bool share_place(const struct share_order *r, GArray *out);
#endif
