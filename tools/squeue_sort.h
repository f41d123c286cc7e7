/*
 * squeue_sort.h - squeue's default order "P,t,-p", then id, over long queues: keys of one word each, sorted digit by
 * digit.
 */
#ifndef TOOLS_SQUEUE_SORT_H
#define TOOLS_SQUEUE_SORT_H
#include "tools/job_fields.h"

/* ROWS (struct job_ref): by name of the partition, state, priority downwards, id, task. */
void squeue_sort_default(GArray *rows);
#endif
