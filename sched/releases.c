/* releases.c - see releases.h */
#include "sched/releases.h"

static const struct release_row rows[N_RELEASE_RULES] = {
    [S5_EQUALS] = {SLURM_26, "S5, recorded", "at submission an equal job is not before the new one", "it does"},
    [R15_TOPOLOGY_TEXT] = {SLURM_26, "R15, recorded", "too few CPUs on the nodes of a tree: Resources", "with a text of its own"},
    [S24_FLEX_BLOCKS] = {SLURM_26, "S24, S31b", "a blocked job in a reservation never blocks its partition", "in a FLEX or ANY_NODES one it does"},
    [S26_NO_EARLY_LICENSES] = {SLURM_26, "S26, R14", "licences are tested before nodes are looked for", "after that"},
    [S27_RESV_KEEPS_JOB] = {SLURM_26, "S27", "a job that never fits is held, in a reservation too", "in a reservation it waits"},
    [S28_ENDS_PASS] = {SLURM_26, "S28", "a second failure of a closed partition is ignored", "it ends the pass"},
    [S33_CONSTRAINTS_WAIT] = {SLURM_26, "S33", "no ignore_constraint_validation", "a job with features nobody has waits (Constraints)"},
    [B9_ALL_LICENSES] = {SLURM_26, "B9", "only with bf_licenses do started jobs with licences enter the map", "always: they count for its size"},
    [B9_ROUNDS_UP] = {SLURM_26, "B9", "ends of running jobs in the map are rounded down", "rounded up"},
    [B12_SOFT_LIMITS] = {SLURM_26, "B12", "hard ends only", "time_min_as_soft_limit: running jobs are expected to end after --time-min"},
    [B13_COUNTS_PLANS] = {SLURM_26, "B13, recorded", "an array's %limit does not count planned tasks", "it does"},
    [B22_STOPS_AT_WINDOW] = {SLURM_26, "B22.2", "a try beyond the window goes on", "the record is passed over"},
    [B22_EXCLUDES_FIRST] = {SLURM_26, "B22.4", "excluded nodes leave after the walk over the map", "before it"},
    [B22_LICENSES_STOP] = {SLURM_26, "B22.5b", "short of licences the walk goes on", "it stops there"},
    [B22_LATER_SLOT] = {SLURM_26, "B22.5c", "behind the try there is no next time", "the end of the slot after"},
    [B23_WAITS_FOR_USERS] = {SLURM_26, "B23", "nodes of other users are just not there", "the try waits for the last of them"},
    [B24_TESTS_OVERLAP] = {SLURM_26, "B24", "plans are tested for overlap when they are made", "already after the estimate"},
    [B30_NO_PRESENT] = {SLURM_26, "B30, recorded", "the present is tried first also for later times", "only for now"},
    [B31_OVERDUE_GONE] = {SLURM_26, "B31, B32", "only victims are gone at first", "jobs that have ended by then too"},
    [B33_STOPS_AT_LATER] = {SLURM_26, "B33", "the removal of jobs has no end", "it stops at the next time to try"},
    [B35_CHOSEN_NODES] = {SLURM_26, "B35", "the estimate is the end of the last job removed", "of the last one on a chosen node"},
    [B37_FORGETS_BYTES] = {SLURM_26, "B37, N23", "GPU bytes of node weights stay from test to test", "each estimate begins anew"},
    [B40_ROUNDS_UP] = {SLURM_26, "B40", "the end of a plan is rounded down", "rounded up"},
    [B44_ALL_PLANS] = {SLURM_26, "B2, B44, recorded", "a plan on nodes in full use is no change", "every plan wakes backfill"},
    [B44_PARTLY_FREE] = {SLURM_26, "B44, recorded", "PLANNED is shown by idle nodes", "by all that are not full"},
    [B46_FITS_LIMIT] = {SLURM_26, "B45, B46, recorded", "a --time-min job started by backfill keeps the minimum", "gets what fits"},
    [B47_TOPOPT] = {SLURM_26, "B47", "no bf_topopt_enable: the first slot is taken", "the slot with the lowest fragmentation score"},
    [B_MAGNETIC_SLOT] = {SLURM_26, "section 10", "records of MAGNETIC reservations never plan", "with bf_allow_magnetic_slot they do"},
    [E4_PRIORITY_FLAG] = {SLURM_26, "E4, E5", "PreemptMode has no flag PRIORITY: it is refused", "a preemptor needs the higher priority too"},
    [P13_PASS_FIRST] = {SLURM_26, "S2, P13, recorded", "an array ages from its first main pass on", "it is looked at for the second time before that"},
    [P9_FIRST_TIER] = {SLURM_26, "P9, recorded", "a job of several partitions comes with the priority of the first named", "of the highest tier"},
    [P9_OWN_RECORD] = {SLURM_26, "P9, recorded", "a job started in a main pass shows the priority of its last record there", "of the one that started it"},
    [B_FUTURE_LICENSES] = {SLURM_26, "section 10", "licences are no part of the estimate", "running jobs give theirs back in it"},
    [L29_QOS_SLEEPS] = {SLURM_26, "B2, L29, recorded", "a change of a QOS wakes backfill", "only one that holds a job, or of an association"},
};

const struct release_row *release_row(enum release_rule r)
{
	return &rows[r];
}
