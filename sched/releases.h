/*
 * releases.h - where the releases of Slurm decide differently in main pass and backfill: one row a difference, each looked up by the code that makes it.
 *
 * A row says since which release the newer behaviour holds; "whypend version --differences" prints the table. Rows marked "recorded" come from the recorded
 * runs of tests/conformance, the others from the specification (sections "Differences of 22.05").
 */
#ifndef SCHED_RELEASES_H
#define SCHED_RELEASES_H
#include "sched/params.h"

enum release_rule {
	S5_EQUALS, R15_TOPOLOGY_TEXT, S24_FLEX_BLOCKS, S26_NO_EARLY_LICENSES, S27_RESV_KEEPS_JOB, S28_ENDS_PASS, S33_CONSTRAINTS_WAIT, /* main pass */
	B9_ROUNDS_UP, B9_ALL_LICENSES, B12_SOFT_LIMITS, B13_COUNTS_PLANS, B22_STOPS_AT_WINDOW, B22_EXCLUDES_FIRST, B22_LICENSES_STOP, B22_LATER_SLOT, B23_WAITS_FOR_USERS,
	B24_TESTS_OVERLAP, B30_NO_PRESENT, B31_OVERDUE_GONE, B33_STOPS_AT_LATER, B35_CHOSEN_NODES, B37_FORGETS_BYTES, B40_ROUNDS_UP, B44_ALL_PLANS,
	B44_PARTLY_FREE, B46_FITS_LIMIT, B47_TOPOPT, B_MAGNETIC_SLOT, B_FUTURE_LICENSES, L29_QOS_SLEEPS, /* backfill */
	E4_PRIORITY_FLAG, /* preemption */
	P13_PASS_FIRST, /* age of arrays */
	P9_FIRST_TIER, P9_OWN_RECORD, /* priority of jobs of several partitions */
	N_RELEASE_RULES
};

struct release_row {
	enum slurm_version since;
	const char *rule, *before, *now; /* static */
};
const struct release_row *release_row(enum release_rule r);

static inline bool since(const struct sched_params *p, enum release_rule r)
{
	return p->version >= release_row(r)->since;
}
#endif
