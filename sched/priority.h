/*
 * priority.h - looking into priorities: what sprio and explain-priority print of a live controller.
 *
 * The weighted terms of the last calculation stand in job->terms (P55: all values are those of the last one). What follows
 * from the job and its partition alone is worked out here.
 */
#ifndef SCHED_PRIORITY_H
#define SCHED_PRIORITY_H
#include "sched/controller.h"
#include "sched/fairshare.h"

/* P19: what counts for J: its allocation, else its request. COUNTS [TRES_MAX]. */
void controller_tres_counts(const struct controller *c, const struct job *j, uint64_t *counts);
/* The weighted TRES term of kind I in partition P; 0 without a weight or with a directly set priority. */
double controller_tres_term(const struct controller *c, const struct job *j, const struct partition *p, uint32_t i,
                            const uint64_t *counts);
/* P16, weighted. */
double controller_partition_term(const struct controller *c, const struct job *j, const struct partition *p);
/* P17, weighted, of one of several QOS; Q NULL = the job's. */
double controller_qos_term(const struct controller *c, const struct job *j, const struct qos *q);
/* The weighted terms with which J's priority came about: of the record last looked at, when it has several (P9). */
struct prio_terms controller_terms(const struct controller *c, const struct job *j);
/* P15 before its weight, as the formula of the cluster has it. */
double controller_size_factor(const struct controller *c, const struct job *j);

/* An association's place in the tree as of now: in classic an unknown effective usage is worked out for the view, not kept. */
struct fair_view {
	double norm_shares, fairshare;
	long double usage, norm_usage, effective, level_fs;
	bool is_root, is_new; /* is_new: added after the last pass (P45d) */
	const struct assoc *share_parent;
	uint64_t level_shares; /* of its level */
};
void controller_fair_view(const struct controller *c, const struct assoc *a, struct fair_view *view);
/* The share tree itself, for walking; NULL without accounting. */
const struct fairshare *controller_fairshare(const struct controller *c);
const struct decay *controller_decay(const struct controller *c);
/* L20, L21: TRES seconds that the running jobs below A have still reserved. SECONDS [TRES_MAX]; all 0 without limits. */
void controller_run_seconds(const struct controller *c, const struct assoc *a, uint64_t *seconds);
/*
 * Warm start: the raw usage of USER in ACCOUNT (PARTITION NULL = any) becomes USAGE billing seconds, and the accounts above
 * change by the difference; fair-share and priorities are then computed as in a first pass. For before the first job. False
 * and ERROR when there is no such association.
 */
bool controller_set_usage(struct controller *c, const char *user, const char *account, const char *partition,
                          double usage, GError **error);
#endif
