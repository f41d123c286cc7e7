/*
 * builtin.h - the starts that sched/builtin expects (main-scheduler S38): shown by squeue --start, reserving nothing and starting nothing.
 */
#ifndef SCHED_BUILTIN_H
#define SCHED_BUILTIN_H
#include "sched/state.h"

/*
 * Set est_start of the first waiting jobs of the queue (bf_max_job_test, here 50 by default, and one more), each in its first partition and not
 * heterogeneous: when the running jobs leave room for it, and where its nodes are among those of an earlier one that is not over by then, at the end of
 * the one before. What is reserved now counts as reserved (C60).
 */
void builtin_estimates(struct controller *c);
#endif
