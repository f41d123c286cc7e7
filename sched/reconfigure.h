/*
 * reconfigure.h - scontrol reconfigure: another slurm.conf for a controller that goes on; and slurmctld started again with one.
 *
 * What is taken over: every parameter of scheduling, priorities, preemption, limits of time and memory, requeueing and power saving; all
 * settings of partitions (State too, unless ReconfigFlags=KeepPartState); the nodes, with weight, features and shape; licences; topology. States and
 * reasons of nodes stay. Jobs that run stay as they are, also where they could not start now. Waiting jobs keep what they were given at
 * submission (limits, memory); the next pass tries them by the new rules. Priorities follow at the next decay tick.
 *
 * What comes and goes (recorded: tests/recorded/reconfigure, 22.05): a job that runs on a node that is gone, or in a partition that is gone, ends as
 * NODE_FAIL, and so does one that waits for such a node (--nodelist) or names such a partition, even among others; none of them is requeued.
 * Exclusions of the node are forgotten; a feature that no node has any more holds the job (BadConstraints). A reservation loses the node.
 *
 * In 22.05 slurmctld ends ("MaxNodeCount has changed") when the number of nodes differs: only a restart takes it. Since 23.11 a reconfigure is a restart.
 *
 * What can not change under running jobs is refused, and then nothing is changed: the shape of a node where a job is, the plugins (SchedulerType,
 * SelectType and its parameters, PriorityType, PreemptType, topology, accounting), GANG; and under GANG nodes and partitions.
 */
#ifndef SCHED_RECONFIGURE_H
#define SCHED_RECONFIGURE_H
#include "sched/controller.h"

/* FRESH is a whole cluster as its reader made it, of the same release. It gets what went in exchange; the caller frees it. RESTART: slurmctld is started
 * anew with it. *TO (may be NULL): where each node stands now, UINT32_MAX = gone; g_free. False and ERROR with what can not change. */
bool controller_reconfigure(struct controller *c, struct cluster *fresh, bool restart, usec_t now, uint32_t **to, GError **error);

/* For reconfigure.c only: what others keep of the configuration. */
void power_reconfigured(struct controller *c);
void job_sort_partitions(struct job *j);
#endif
