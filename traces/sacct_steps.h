/*
 * sacct_steps.h - step rows of a dump (JOB.batch, JOB.extern, JOB.0, JOB+1.0 ...) and what they make of their jobs.
 *
 * Kept by the id that stands before the dot, and given to the run of that job in which they began. A step that ends no
 * earlier than its job lasts as long as the job, however long that is in the replay. A job with steps but without
 * a batch step was started by srun or salloc.
 */
#ifndef TRACES_SACCT_STEPS_H
#define TRACES_SACCT_STEPS_H
#include "traces/sacct_rows.h"

/* The cells of a step's record; what cannot be read is as if it were not there. */
void sacct_steps_read(struct sacct_store *store, const struct sacct_columns *c, const struct sacct_cell *cells);
/* The steps of ROW, and of the rows of its other components (COMPONENTS: indexes of rows; may be NULL). NULL = none. */
struct job_steps *sacct_steps_of(const struct sacct_store *store, const struct sacct_row *row, const GArray *components);
void sacct_steps_free(struct sacct_store *store);
#endif
