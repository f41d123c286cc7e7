/*
 * place.h - from chosen nodes to tasks, cores, memory and devices (node-selection N51-N57, N68).
 *
 * trial_place (select.h) is made here of: tasks and CPUs on each node (N51, N52), cores (cores.h), devices (gres_place.h), memory.
 */
#ifndef SCHED_PLACE_H
#define SCHED_PLACE_H
#include "sched/select.h"

/* N52: CPUs and tasks of each chosen node, in node order. CAP[i], CPT and TPC describe node i of N; the results go to cpus[i] and tasks[i].
 * Returns the number of tasks that found no place. */
uint32_t place_tasks(uint32_t n, const uint32_t *cap, const uint32_t *tpc, uint32_t cpt, uint32_t ntasks, uint32_t max_per_node, bool overcommit,
		     uint32_t *cpus, uint32_t *tasks);
#endif
