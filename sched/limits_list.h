/*
 * limits_list.h - every limit that touches a user: of the associations from the user up, of the QOS that they allow, of
 * the partitions' QOS, of the partitions themselves; with its value, what counts against it now, and the room that is
 * left.
 */
#ifndef SCHED_LIMITS_LIST_H
#define SCHED_LIMITS_LIST_H
#include "sched/blocker.h"
#include "sched/controller.h"

struct limit_line {
	enum limit_owner owner_kind;
	const void *owner;         /* struct assoc, struct qos or struct partition */
	bool of_partition;         /* the owner is a partition; owner_kind means nothing then */
	const struct assoc *assoc; /* of the user: the one that it touches */
	const char *name, *tres;   /* "GrpTRES", "cpu" or NULL */
	bool inherited;            /* set by an association above, checked at the user's */
	bool per_job;              /* of one job: nothing counts against it, use and room mean nothing */
	bool minimum;              /* MinTRES */
	bool minutes;              /* value and use are (TRES) minutes */
	uint64_t value, use, room;
	GPtrArray *holds; /* of struct job *: waiting jobs that it holds, in list order; owned */
};

/* Lines for USER in ACCOUNT (NULL: all accounts); in the order of evaluation: partitions that let the account in, then
 * QOS by name, then associations upwards.
 * Free with g_array_unref. Empty when the user has no association or nothing is limited. */
GArray *limits_list(struct controller *c, const char *user, const char *account);
/* Has USER an association (in ACCOUNT)? */
bool limits_list_known(const struct controller *c, const char *user, const char *account);
/* The number by which jobs know USER (job.h: user_key); NO_VAL before the user's first job. */
uint32_t limits_user_number(const struct controller *c, const char *user);
#endif
