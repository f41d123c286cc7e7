/*
 * node_out.h - a node drawn in text: sockets or NUMA nodes, cores, GPUs with their links, who holds what, what is stranded.
 */
#ifndef TOOLS_NODE_OUT_H
#define TOOLS_NODE_OUT_H
#include "models/nodemodel.h"
#include "sched/controller.h"
#include <stdio.h>

/* The node as it is in C. MODEL (NULL = none): what slurm.conf does not say; it must fit, see node_model_fits. */
void node_draw(FILE *out, struct controller *c, const struct node *n, const struct node_model *model);
/* Is MODEL of the size of N: sockets, cores, threads, GPUs? */
bool node_model_fits(const struct node *n, const struct node_model *model);
#endif
