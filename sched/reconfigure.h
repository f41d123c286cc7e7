/*
 * reconfigure.h - scontrol reconfigure: another slurm.conf for a controller that goes on.
 *
 * What is taken over: every parameter of scheduling, priorities, preemption, limits of time and memory, requeueing and power saving; all
 * settings of partitions, State too, as without ReconfigFlags=KeepPartState, and which nodes they have; weight and features of nodes;
 * totals of licences. Jobs that run stay as they are, also where they could not start now. Waiting jobs keep what they were given at
 * submission (limits, memory); the next pass tries them by the new rules. Priorities follow at the next decay tick.
 *
 * What can not change under running jobs is refused, and then nothing is changed: nodes and partitions that come or go, the
 * shape of nodes, the plugins (SchedulerType, SelectType and its parameters, PriorityType, PreemptType, topology, accounting), GANG.
 */
#ifndef SCHED_RECONFIGURE_H
#define SCHED_RECONFIGURE_H
#include "sched/controller.h"

struct selector;

/* FRESH is a whole cluster as its reader made it, of the same release. It gets the old settings in exchange; the caller frees it. False and ERROR with what can not
 * change. */
bool controller_reconfigure(struct controller *c, struct cluster *fresh, usec_t now, GError **error);

/* For reconfigure.c only: what others keep of the configuration. */
void selector_reweigh(struct selector *s);
void power_reconfigured(struct controller *c);
void job_sort_partitions(struct job *j);
#endif
