/*
 * place.h - from chosen nodes to tasks, cores, memory and devices (node-selection N51-N57, N68).
 *
 * What is modelled exactly here: the number of tasks and CPUs on each node, the cyclic and the block choice of cores, memory. Devices are taken lowest index
 * first, those near the job's cores before others.
 */
#ifndef SCHED_PLACE_H
#define SCHED_PLACE_H
#include "sched/select.h"

/* N52: CPUs and tasks of each chosen node, in node order. CAP[i], CPT and TPC describe node i of N; the results go to cpus[i] and tasks[i].
 * Returns the number of tasks that found no place. */
uint32_t place_tasks(uint32_t n, const uint32_t *cap, const uint32_t *tpc, uint32_t cpt, uint32_t ntasks, uint32_t max_per_node, bool overcommit,
		     uint32_t *cpus, uint32_t *tasks);
/* N54: choose cores for CPUS CPUs (a core covers C) among CAND, cyclically over sockets; sets bits in OUT, returns how many. */
uint32_t place_cores_cyclic(const struct node_config *k, const struct bitset *cand, uint32_t cpus, uint32_t cpt, uint32_t c, struct bitset *out);
/* N55 for one board: fewest sockets, lowest cores first. */
uint32_t place_cores_block(const struct node_config *k, const struct bitset *cand, uint32_t cpus, uint32_t c, struct bitset *out);
#endif
