/*
 * sinfo_out.h - partitions and nodes of a live controller as sinfo prints them (spec command-output.md 1.1 and 3).
 *
 * Default form: a row for each partition and state, partitions in the order of slurm.conf, states by sinfo's rank. With
 * by_node (-N): a row for each node and partition, in node order.
 */
#ifndef TOOLS_SINFO_OUT_H
#define TOOLS_SINFO_OUT_H
#include "sched/controller.h"
#include <stdio.h>

struct sinfo_options {
	const char *partitions; /* comma list; NULL = all that are not hidden */
	bool all;               /* hidden partitions too */
	bool by_node, no_header;
};

/* Write errors are the caller's to ask of OUT. */
void sinfo_print(FILE *out, const struct controller *c, const struct sinfo_options *o);
#endif
