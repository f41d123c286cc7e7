/*
 * preempt.h - preemption by killing or requeueing (preemption.md E1-E21).
 *
 * A preemptor that fits nowhere looks for victims: running jobs that it may preempt are removed from an imagined state one by one, in a fixed
 * order, until it fits; the search is repeated with the useful ones first, so that no job is killed for nothing (E12-E15). The victims are
 * signalled; the preemptor itself starts in a later pass, when the nodes are really free (E19). Victims of mode SUSPEND stay where they are: the
 * preemptor is placed on their cores (share.h), and gang scheduling suspends them (gang.h).
 */
#ifndef SCHED_PREEMPT_H
#define SCHED_PREEMPT_H
#include "sched/select.h"
#include "sched/state.h"

bool preempt_enabled(const struct controller *c); /* E1 */
enum preempt_mode preempt_mode_of(const struct controller *c, const struct job *victim); /* E3 */
bool preempt_may(const struct controller *c, const struct job *j, const struct job *victim); /* E4, E5 */
/* E6: key 2 of the queue order: < 0 when A preempts B's job, > 0 the other way round, 0 = no relation. */
int preempt_order(const struct controller *c, const struct queue_record *a, const struct queue_record *b);
/* E7-E10 for J in its current partition: jobs in the order in which they are removed. The array is the controller's scratch. */
GPtrArray *preempt_candidates(struct controller *c, const struct job *j);
/* E11: nodes that J may be tested on: where nobody runs alone, or a candidate does; none that is completing. */
void preempt_usable(struct controller *c, const struct job *j, struct bitset *out);
/* E12-E19: try to make room for J on AVAIL (working set). True when victims were found (and signalled unless J has just done so): J waits for
 * Resources. */
bool preempt_for(struct controller *c, struct job *j, const struct bitset *avail, struct trial_counts n);
/* E8: V may not be preempted yet. */
bool preempt_is_exempt(struct controller *c, const struct job *v);
/* E17 for one victim that gang scheduling cannot suspend. */
void preempt_victim(struct controller *c, struct job *v);
/* E18: grace periods that are over, seen by the 30 s sweep. */
void preempt_sweep(struct controller *c);
#endif
