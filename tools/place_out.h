/* place_out.h - what a job holds on a node, as text. */
#ifndef TOOLS_PLACE_OUT_H
#define TOOLS_PLACE_OUT_H
#include "sched/controller.h"
#include <glib.h>

/* CPU ids of AN's cores as scontrol -d prints CPU_IDs: "0-3,8". g_free. */
char *place_cpu_ids(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an);
/* The cores themselves: "0-3". g_free. */
char *place_cores(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an);
/* "gpu:h100:2(IDX:0-1),shard:3(IDX:2)"; "" when nothing is held. g_free. */
char *place_gres(const struct cluster *c, const struct job_alloc *a, const struct alloc_node *an);
/* "0-3,8" of the low N bits. g_free. */
char *place_bits(uint64_t bits, uint32_t n);
#endif
