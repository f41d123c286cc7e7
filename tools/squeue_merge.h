/*
 * squeue_merge.h - waiting tasks of one array are one row of squeue (reasons.md R42).
 *
 * Tasks come to have records of their own while they wait (requeued, held or changed singly, aftercorr). Without -r the
 * first record's row stands for all: it names all tasks, and behind its reason those of the others that differ.
 */
#ifndef TOOLS_SQUEUE_MERGE_H
#define TOOLS_SQUEUE_MERGE_H
#include "tools/job_fields.h"

/* Join rows (of struct job_ref, in the order of the controller's list). The rows own what was joined: free them with
 * squeue_rows_free. */
void squeue_merge(GArray *rows);
void squeue_rows_free(GArray *rows);
#endif
