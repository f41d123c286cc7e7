/*
 * sinfo_out.h - partitions and nodes of a live controller as sinfo prints them (spec command-output.md 3).
 *
 * Columns by letters or names (tools/table.h). A row stands for the nodes that are alike in every column that tells
 * nodes or partitions apart; counts and node lists are of the whole row; sizes print the least, with "+" when they
 * differ.
 */
#ifndef TOOLS_SINFO_OUT_H
#define TOOLS_SINFO_OUT_H
#include "sched/controller.h"
#include <stdio.h>

struct sinfo_options {
	const char *partitions; /* comma list; NULL = all that are not hidden */
	bool all;               /* hidden partitions too */
	bool by_node, no_header;
	const char *nodes, *states;       /* -n, -t; NULL = all */
	const char *format, *long_format; /* -o, -O; NULL = the default columns */
	bool summary, wide, reasons;      /* -s, -l, -R */
	bool dead, responding;            /* -d, -r */
	const char *sort;                 /* -S; NULL = "#P,-t", with -N "N" */
	bool exact;                       /* -e: sizes that differ stay apart */
	bool reservations;                /* -T: these, no nodes */
};

/* False and ERROR when states or keys of the order are not understood. */
bool sinfo_check(const struct sinfo_options *o, GError **error);
/* Write errors are the caller's to ask of OUT. */
void sinfo_print(FILE *out, const struct controller *c, sec_t now, const struct sinfo_options *o);
#endif
