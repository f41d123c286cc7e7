/*
 * nodeusers.h - which users are on which nodes until when, for backfill's view of --exclusive=user (backfill B10, B23).
 *
 * A table made at the set-up of a cycle from the jobs that run then; what the cycle starts itself is not in it. Without any job that
 * shares with its own user alone it stays empty and costs nothing.
 */
#ifndef SCHED_NODEUSERS_H
#define SCHED_NODEUSERS_H
#include "sched/state.h"

struct node_users;

struct node_users *node_users_new(void);
void node_users_free(struct node_users *t);
/* B10: the jobs running now, if C's queue or they hold a job that shares with its user alone. */
void node_users_note(struct node_users *t, struct controller *c);
/* Is there any to keep apart? */
bool node_users_any(const struct node_users *t);
/*
 * B23: take nodes of other users out of USABLE for a try of J from START_RES on. False when so few remain that the try must wait: *LATER is
 * then the end of the last job on the node that would have gone next. *DROPPED: the earliest such end of the nodes taken away, 0 = none.
 * Recorded (exclusive-mem, 26.11): it is the next time to try when the map of plans knows none. 22.05 takes the nodes away, whenever they
 * come free.
 */
bool node_users_filter(const struct node_users *t, struct controller *c, const struct job *j, struct bitset *usable, uint32_t min_nodes,
		       sec_t start_res, sec_t *dropped, sec_t *later);
#endif
