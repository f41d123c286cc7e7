/*
 * sacct_steps.h - rows of table job, and of table step (sim/steps.h), as records that sacct's text, its JSON and seff show.
 */
#ifndef TOOLS_SACCT_STEPS_H
#define TOOLS_SACCT_STEPS_H
#include "tools/sacct_cells.h"

struct sqlite3;
struct sqlite3_stmt;

/* Every run of every job, in order of submission, after sacct_records_open(DB); and a row of it. Strings last until ROW goes on. */
void sacct_records_open(struct sqlite3 *db);
extern const char sacct_record_sql[];
void sacct_record_read(struct sqlite3_stmt *row, struct record *j);

struct sacct_steps;
struct sacct_steps *sacct_steps_open(struct sqlite3 *db);
void sacct_steps_close(struct sacct_steps *t);
/* Sets what the row of JOB says of its steps: cpu_time, derived_code, derived_signal. */
void sacct_steps_sum_up(const struct sacct_steps *t, struct record *job);
typedef void sacct_step_fn(void *data, const struct record *step);
/* FN gets each step of JOB, which has started, in the order of their begin; those that nothing was told of: batch, and extern where
 * PrologFlags has Contain. None when AccountingStorageEnforce keeps none. */
void sacct_steps_each(const struct sacct_steps *t, struct record *job, sacct_step_fn *fn, void *data);
#endif
