/*
 * willrun.h - when could a job start, seeing what runs now? (backfill B30-B36)
 *
 * The answer is found by removing running jobs from an overlay of the present, in order of their end and in groups of a growing window, until the job fits.
 */
#ifndef SCHED_WILLRUN_H
#define SCHED_WILLRUN_H
#include "sched/select.h"
#include "sched/state.h"

struct will_run {
	const struct bitset *usable; /* nodes not promised to others in the time tried */
	struct trial_counts count;
	sec_t start_res;             /* not before */
	sec_t later_start;           /* 0 = none: nodes promised to others come free then; no use to look further */
	bool no_room;                /* out, of a failure: already all that could be free by then is less than the job's nodes or CPUs */
};
/* True: *start is set (now or later) and the selector holds the choice (chosen, taken). */
bool will_run(struct controller *c, struct job *j, struct will_run *w, sec_t *start);
/* B12: do running jobs with time_min end when that is over, as estimates see it (time_min_as_soft_limit)? */
bool soft_limits(const struct controller *c);
#endif
