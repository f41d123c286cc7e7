/*
 * squeue_out.h - the queue of a live controller as squeue prints it (spec command-output.md 1.1 and 2).
 *
 * Default columns and sort order (partition, compact state, priority descending; then job id). An array's tasks that
 * have not started are one row.
 */
#ifndef TOOLS_SQUEUE_OUT_H
#define TOOLS_SQUEUE_OUT_H
#include "sched/controller.h"
#include <stdio.h>

struct squeue_options {
	const char
	    *states;       /* comma list of long or compact names, any case, or "all"; NULL = those that squeue shows */
	const char *users; /* comma list; NULL = all */
	const char *partitions; /* comma list; NULL = all that are not hidden */
	bool all;               /* hidden partitions too */
	bool no_header;
	bool start;             /* --start: waiting jobs with their planned start and nodes */
};

/* False and ERROR when states are not understood; useful before a long run. */
bool squeue_check(const struct squeue_options *o, GError **error);
/* Print the rows as of NOW. OPTIONS must have passed squeue_check. Write errors are the caller's to ask of OUT. */
void squeue_print(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o);
#endif
