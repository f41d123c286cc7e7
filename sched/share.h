/*
 * share.h - choosing nodes where several jobs may be given the same cores: the steps of N50.
 *
 * That is so under gang scheduling, where such jobs take turns (E22, E23), and without it in partitions with
 * OverSubscribe=FORCE:n, or YES:n when the job asks (--oversubscribe): up to n jobs then run on a core at the same
 * time, each in a row of its partition. Each step is a trial on a view of the cluster in which only some jobs hold
 * their cores; memory and GRES of all count. Idle cores come first; then, under gang scheduling, the cores of jobs
 * that are lower or the job's victims; then the rows of the job's partition.
 *
 * Without gang scheduling jobs that share and jobs that do not are never on one node (N31).
 */
#ifndef SCHED_SHARE_H
#define SCHED_SHARE_H
#include "sched/select.h"
#include "sched/state.h"

/* Jobs may hold the same cores: gang scheduling, or a partition that shares. */
bool share_active(const struct controller *c);
/* Without gang scheduling: jobs run on the same cores at the same time. */
static inline bool share_rows(const struct controller *c)
{
	return share_active(c) && !c->gang;
}
/* N50: J may be given cores that others of its kind hold. */
bool share_wanted(const struct sched_params *params, const struct job *j);
/* N26: J lets no other job on its nodes. */
bool share_alone(const struct sched_params *params, const struct job *j);
/* At the start of the controller: a partition that shares lets several jobs hold a core. */
void share_begin(struct controller *c);
/* Choose nodes for J in NODES, as trial_begin and trial_choose do; the trial is then ready for trial_place. NOW: a
 * start in earnest, else a will-run test. Sharing must be active. Sets sel->admitted; the caller clears it when
 * the trial is over. */
bool share_choose(struct controller *c, struct job *j, const struct bitset *nodes, struct trial_counts n, bool now);
/* The same without gang scheduling, in a future in which the jobs GONE have ended. */
bool share_choose_later(struct controller *c, struct job *j, const struct bitset *nodes, struct trial_counts n,
                        GHashTable *gone);
#endif
