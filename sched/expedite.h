/*
 * expedite.h - expedited requeues (25.11 and later): sbatch --requeue=expedite where SlurmctldParameters has enable_expedited_requeue.
 *
 * A job of that kind that loses a node waits again as EXPEDITING (C1, R51): it may start at once (C40: D = 0) and comes before everything (S12, key 1). Until it
 * starts or ends the nodes that it had are kept: no other job starts on them, nor is planned there (release notes of 25.11). Jobs that had a node together and
 * lost it together may both use it. The release notes name one more end, a script that fails and an epilog that fails too; no epilog fails here.
 */
#ifndef SCHED_EXPEDITE_H
#define SCHED_EXPEDITE_H
#include "sched/controller.h"

/* J, which runs, is about to be requeued since it lost a node: from now on it is EXPEDITING, if it is of that kind. */
void expedite_begin(struct controller *c, struct job *j);
/* J, taken over from another controller, has been waiting so, and NODES were kept for it. */
void expedite_keep(struct controller *c, struct job *j, const struct bitset *nodes);
/* J, EXPEDITING or not, starts or ends: its nodes are not kept any more. */
void expedite_end(struct controller *c, struct job *j);
/* Out of NODES: what is kept for other jobs than J. */
void expedite_leave(const struct controller *c, const struct job *j, struct bitset *nodes);
/* The EXPEDITING job other than J for which NODE is kept; NULL. */
const struct job *expedite_keeper(const struct controller *c, const struct job *j, uint32_t node);
#endif
