/*
 * placement.h - what a job holds on a node, and what is held of a node's GRES, in scontrol's words.
 */
#ifndef SIM_PLACEMENT_H
#define SIM_PLACEMENT_H
#include "sched/job.h"
#include "sched/usage.h"

/* "0-7,16-23": numbers of the CPUs held. g_free. */
char *placement_cpu_ids(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an);
/* "gpu:a100:2(IDX:0-1)"; "" when no GRES is held. g_free. */
char *placement_gres(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an);
/* The same of all that is held of a node: "gpu:a100:3(IDX:0-1,4)", "gpu:h100:0(IDX:N/A)" when nothing is. g_free. */
char *placement_gres_used(const struct cluster *c, const struct usage *u, uint32_t node);
/* TRES of all that A holds, as sacct prints them; "" for NULL. g_free. */
char *placement_tres(const struct cluster *c, const struct job_alloc *a);
#endif
