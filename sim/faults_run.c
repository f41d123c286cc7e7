/* faults_run.c - failures by chance as events of a run (faults.h), and slurmds that die
 *
 * Events of kind EVENT_NODE without a command: arg UINT32_MAX = the next failure by chance; flag = a repair of node
 * arg; generation NODE_IS_SILENT or NODE_IS_LOST = node arg has not answered for so long; NODE_BOOTED (power_run.c); NODE_ANSWERS = node arg
 * answers.
 */
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

/* Measured (26.11, SlurmdTimeout 15): "*" after 13 s, DOWN after 25 s. */
static void kill_slurmd(struct sim *s, uint32_t node)
{
	const struct sched_params *p = s->cluster->params;
	if (bitset_test(s->killed, node))
		return;
	bitset_set(s->killed, node);
	usec_t silent = s->now + (usec_t)p->message_timeout * USEC, lost = silent + (usec_t)p->slurmd_timeout * USEC;
	sim_push(s, (struct event){.t = silent, .kind = EVENT_NODE, .arg = node, .generation = NODE_IS_SILENT});
	if (p->slurmd_timeout > 0)
		sim_push(s, (struct event){.t = lost, .kind = EVENT_NODE, .arg = node, .generation = NODE_IS_LOST});
}

void sim_slurmd(struct sim *s, const struct command *cmd)
{
	GError *error = NULL;
	struct bitset *nodes = cluster_parse_nodes(s->cluster, cmd->name, &error);
	int64_t i;
	if (!nodes) {
		record_command(s, cmd, error->message);
		g_error_free(error);
		return;
	}
	if (!s->killed)
		s->killed = bitset_new(s->cluster->n_nodes);
	for (BITSET_EACH(i, nodes))
		if (cmd->verb == COMMAND_NODE_KILL) {
			kill_slurmd(s, (uint32_t)i);
		} else {
			bitset_clear(s->killed, (uint32_t)i);
			controller_node_news(s->c, (uint32_t)i, NODE_REGISTERS, s->now);
		}
	bitset_free(nodes);
}

/* Failures come to the nodes that there are; the next one has its time already. */
void sim_faults_reshape(struct sim *s)
{
	if (s->dice && s->cluster->n_nodes)
		fault_dice_set_nodes(s->dice, s->cluster->n_nodes);
}

/* To the question that a resumed node is asked (C52); a dead slurmd does not. */
static void answer(struct sim *s, uint32_t node)
{
	if (!s->killed || !bitset_test(s->killed, node))
		controller_update_node(s->c, s->cluster->node[node]->name, "responding", NULL, s->now, NULL);
}

void sim_do_fault(struct sim *s, const struct event *e)
{
	if (e->arg == EVENT_NODE_GONE) {
		s->live--;
		s->repairs -= e->flag && !e->generation;
		return;
	}
	if (e->generation) {
		s->live--;
		if (e->generation == NODE_BOOTED)
			sim_node_boots(s, e->arg);
		else if (e->generation == NODE_ANSWERS)
			answer(s, e->arg);
		else if (bitset_test(s->killed, e->arg))
			controller_node_news(s->c, e->arg, e->generation == NODE_IS_LOST ? NODE_LOST : NODE_SILENT, s->now);
		return;
	}
	if (!e->flag) {
		fail(s);
		return;
	}
	s->live--;
	s->repairs--;
	if (s->cluster->node[e->arg]->base == NODE_DOWN)
		controller_update_node(s->c, s->cluster->node[e->arg]->name, "resume", NULL, s->now, NULL);
}
