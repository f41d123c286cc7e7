/*
 * willrun.h - when could a job start, seeing what runs now? (backfill B30-B36)
 *
 * The answer is found by removing running jobs from an overlay of the present, in order of their end and in groups of a growing window, until the job fits.
 */
#ifndef SCHED_WILLRUN_H
#define SCHED_WILLRUN_H
#include "sched/select.h"
#include "sched/state.h"

/* How the groups of B33 were cut: this hangs on the ends of all running jobs, also of those that hold none of the nodes asked about, and is
 * what an estimate that is to be given again (recall.h) must find as it was. */
enum { WILL_RUN_GROUPS = 24 };
struct will_run_groups {
	uint32_t n;        /* groups removed; more than WILL_RUN_GROUPS: only the first are told */
	bool ended_before; /* B31: some running job ends by start_res */
	bool last;         /* no group is left */
	struct { uint64_t seq; uint32_t removed; } group[WILL_RUN_GROUPS]; /* its last job, its number of jobs */
};

struct will_run {
	const struct bitset *usable; /* nodes not promised to others in the time tried */
	struct trial_counts count;
	sec_t start_res;             /* not before */
	sec_t later_start;           /* 0 = none: nodes promised to others come free then; no use to look further */
	struct will_run_groups *groups; /* out, or NULL */
	bool no_room;                /* out, of a failure: already all that could be free by then is less than the job's nodes or CPUs */
};
/* True: *start is set (now or later) and the selector holds the choice (chosen, taken). */
bool will_run(struct controller *c, struct job *j, struct will_run *w, sec_t *start);
/* Would the same estimate, over nodes whose state is the same, cut the same groups now? They are cut, and nothing is imagined. */
bool will_run_same_groups(struct controller *c, const struct will_run *w, const struct will_run_groups *as);
/* B12: do running jobs with time_min end when that is over, as estimates see it (time_min_as_soft_limit)? */
bool soft_limits(const struct controller *c);
#endif
