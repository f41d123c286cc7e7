/*
 * power_run.c - the machine behind power saving and reboots (sched/power.h): a node that is powered up, or that reboots, registers
 * boot_time later, unless its slurmd was killed (node_kill).
 *
 * Such an event is of kind EVENT_NODE without a command, generation BOOTED (faults_run.c). One of a boot that was given up meanwhile does not count: boots
 * holds when the latest will be done.
 */
#include "sim/run.h"

void sim_host_power(void *data, struct node *node, enum power_order order)
{
	struct sim *s = data;
	if (order == POWER_OFF)
		return;
	if (!s->boots)
		s->boots = g_new0(usec_t, s->cluster->n_nodes);
	s->boots[node->index] = s->now + s->o.boot_time;
	sim_push(s, (struct event){.t = s->boots[node->index], .kind = EVENT_NODE, .arg = node->index, .generation = NODE_BOOTED});
}

void sim_node_boots(struct sim *s, uint32_t node)
{
	if (s->boots[node] != s->now || (s->killed && bitset_test(s->killed, node)))
		return;
	s->boots[node] = 0;
	controller_node_news(s->c, node, NODE_REGISTERS, s->now);
}
