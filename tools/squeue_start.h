/* squeue_start.h - squeue --start: waiting jobs with the start and nodes that backfill has planned (command-output.md 2, B44). */
#ifndef TOOLS_SQUEUE_START_H
#define TOOLS_SQUEUE_START_H
#include "sched/controller.h"
#include <glib.h>
#include <stdio.h>

struct start_row {
	const struct job *job;
	const char *partition, *count, *last; /* cells as in the plain table */
};

/* When J is said to start: planned, or the begin time that it waits for; 0 = N/A. */
sec_t squeue_start_time(const struct job *j, sec_t now);
/* By start, those without last; then by id. For g_ptr_array_sort_with_data over struct job pointers: NOW as data. */
int squeue_start_cmp(const struct job *a, const struct job *b, sec_t now);
void squeue_start_header(FILE *out);
void squeue_start_print(FILE *out, const struct controller *c, const struct start_row *row, sec_t now);
#endif
