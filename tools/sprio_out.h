/*
 * sprio_out.h - the priorities of a live controller as sprio prints them (priority.md P55, command-output.md 4).
 *
 * A row for every pending job that is eligible and not held, one for each partition it asked for, by job id; with
 * PriorityFlags=CALCULATE_RUNNING running jobs too. Values are those of the last calculation. A letter of the format that nobody knows is told on stderr, and
 * leaves nothing in the output, nor does the text behind it. Of 22.05 the columns are those
 * that it has.
 */
#ifndef TOOLS_SPRIO_OUT_H
#define TOOLS_SPRIO_OUT_H
#include "sched/controller.h"
#include <stdio.h>

struct sprio_options {
	const char *format;     /* as "%.15i %9r %.10Y"; NULL = the default columns, or those of is_long */
	const char *jobs;       /* comma list of job ids; NULL = all */
	const char *users;      /* comma list; NULL = all; given, the default columns have USER */
	const char *partitions; /* comma list; NULL = all */
	bool is_long, normalized, weights, no_header;
	const char *sort;       /* letters between commas, "-" turns one around; NULL = by job id */
};

/* False and ERROR when a key of the order or a job id is not known; useful before a long run. */
bool sprio_check(const struct sprio_options *o, GError **error);
/* Print the rows as of NOW. OPTIONS must have passed sprio_check. Write errors are the caller's to ask of OUT. */
void sprio_print(FILE *out, const struct controller *c, sec_t now, const struct sprio_options *o);
#endif
