/*
 * sacct_steps.h - the steps of a job in run.db, each as a record made from its job's: those of table step, or else the batch step that every job has.
 */
#ifndef TOOLS_SACCT_STEPS_H
#define TOOLS_SACCT_STEPS_H
#include "tools/sacct_cells.h"
#include <sqlite3.h>
#include <stdbool.h>

struct steps {
	sqlite3_stmt *rows; /* of one run of a job; NULL = no job has any. To be finalized */
	bool contain;       /* every job has an extern step */
	bool none;          /* AccountingStorageEnforce keeps no steps */
};
typedef void step_fn(void *data, const struct record *step);

void steps_open(struct steps *t, sqlite3 *db);
/* What the row of the job says of its steps: CPU time (-1 = not measured), DerivedExitCode. */
void steps_sum_up(const struct steps *t, struct record *job);
/* FN for each step of a job that has started; its texts last for the call. */
void steps_each(const struct steps *t, struct record *job, step_fn *fn, void *data);
#endif
