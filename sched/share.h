/*
 * share.h - choosing nodes where jobs may take turns on cores: the steps of N50 under gang scheduling (E22, E23).
 *
 * Each step is a trial on a view of the cluster in which only some jobs hold their cores; memory and GRES of all count.
 * Idle cores come first; then the cores of jobs that are lower or the job's victims; then the rows of the job's
 * partition.
 */
#ifndef SCHED_SHARE_H
#define SCHED_SHARE_H
#include "sched/select.h"
#include "sched/state.h"

/* Choose nodes for J in NODES, as trial_begin and trial_choose do; the trial is then ready for trial_place. NOW: a
 * start in earnest, else a will-run test. Gang scheduling must be active. Sets sel->admitted; the caller clears it when
 * the trial is over. */
bool share_choose(struct controller *c, struct job *j, const struct bitset *nodes, struct trial_counts n, bool now);
#endif
