/*
 * squeue_out.h - the queue of a live controller as squeue prints it (spec command-output.md 1.1 and 2).
 *
 * Columns by letters or names (job_fields.h), rows in the order of -S, then by job id. An array's tasks that have not
 * started are one row, unless all are wanted singly.
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
	/* comma lists; NULL = all */
	const char *jobs, *accounts, *qos, *names, *nodes, *licenses, *reservations;
	const char *format, *long_format; /* -o, -O (tools/table.h); NULL = the default columns */
	const char *sort;                 /* letters, "-" before one turns it around; NULL = "P,t,-p" */
	bool singly;                      /* -r: each array task is a row */
	bool wide;                        /* -l */
	bool by_partition;                /* -P: a row for each partition of a waiting job */
	bool steps;                       /* -s: steps (steps_out.h) */
	bool only_state;                  /* --only-job-state */
	bool timed;                       /* one of the next two is given: running jobs only */
	sec_t running_over, running_under; /* seconds; 0 = not given */
};

/* False and ERROR when states are not understood; useful before a long run. */
bool squeue_check(const struct squeue_options *o, GError **error);
/* What can be told only with the cluster at hand: a node that is not there, a job id that is not there (only when it is the only
 * one). False and ERROR. An unknown user is told in WARNING (g_free), which does not stop squeue. */
bool squeue_check_names(const struct controller *c, const struct squeue_options *o, char **warning, GError **error);
/* Print the rows as of NOW. OPTIONS must have passed squeue_check. Write errors are the caller's to ask of OUT. */
void squeue_print(FILE *out, const struct controller *c, sec_t now, const struct squeue_options *o);
/* Call FN with each row, in order. */
struct job_view;
struct job_ref;
void squeue_each(const struct job_view *v, const struct squeue_options *o,
                 void (*fn)(void *data, const struct job_ref *row), void *data);
#endif
