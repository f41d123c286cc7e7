/*
 * snapshots.h - what squeue and sinfo printed at recorded moments, against what tools/ prints of the simulated
 * controller then.
 *
 * For each snapshot the scenario runs again up to it. Of squeue -r, two fields a job: its state, and its nodes or the
 * reason for which it waits. Of sinfo -N, a field a node and partition: the state.
 *
 * Scored where deterministic: jobs whose runs differ between the two recordings are left out, as are, in free runs,
 * those that start or end within the tolerance of the moment, and nodes that such a job uses about that time. Jobs that
 * squeue shows but that are no longer in jobs.csv (tasks cancelled while waiting) are left out too.
 */
#ifndef CONFORMANCE_SNAPSHOTS_H
#define CONFORMANCE_SNAPSHOTS_H
#include "tests/conformance/score.h"

/* Add to SCORE. With SIMULATE = false nothing is simulated, so nothing agrees. */
void snapshots_score(const struct record *record, const struct score_rules *rules, bool simulate, struct score *score);
#endif
