/* faults_run.c - failures by chance as events of a run (faults.h) */
#include "sim/run.h"
#include <math.h>

#define LATEST (INT64_C(100) * 366 * 86400) /* no failure or repair is farther away, in seconds */

static usec_t later(const struct sim *s, double seconds)
{
	return s->now + (usec_t)llround(fmin(seconds, (double)LATEST) * 1e6);
}

static void push_failure(struct sim *s)
{
	struct event e = {.t = later(s, fault_dice_next(s->dice)), .kind = EVENT_NODE, .arg = UINT32_MAX};
	event_queue_push(s->queue, e); /* does not count as live */
}

void sim_first_fault(struct sim *s)
{
	if (!s->o.faults || s->dice || s->cluster->n_nodes == 0)
		return;
	s->dice = fault_dice_new(s->o.faults, s->cluster->n_nodes, s->o.seed);
	s->now = MAX(s->now, s->o.start);
	push_failure(s);
}

/* The dice are thrown also when nothing comes of it. */
static void fail(struct sim *s)
{
	uint32_t node;
	const char *cause;
	double repair;
	fault_dice_throw(s->dice, &node, &cause, &repair);
	const struct node *n = s->cluster->node[node];
	if (n->base != NODE_DOWN) {
		controller_update_node(s->c, n->name, "down", cause, s->now, NULL);
		sim_push(s, (struct event){.t = later(s, repair), .kind = EVENT_NODE, .arg = node, .flag = true});
		s->repairs++;
	}
	push_failure(s);
}

void sim_do_fault(struct sim *s, const struct event *e)
{
	if (!e->flag) {
		fail(s);
		return;
	}
	s->live--;
	s->repairs--;
	if (s->cluster->node[e->arg]->base == NODE_DOWN)
		controller_update_node(s->c, s->cluster->node[e->arg]->name, "resume", NULL, s->now, NULL);
}
