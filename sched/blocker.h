/*
 * blocker.h - what stood in a job's way when its reason was set: the figures behind a reason.
 *
 * A reason is one word. A blocker is the limit with its owner, value, use and request; or the job ahead; or the nodes
 * that are missing; or the resource that is short and by how much. It is filled where the reason is set
 * (job_blocked, state.h) and stays with the job until another reason is set. It decides nothing.
 *
 * Pointers are borrowed from the cluster and its accounting, which outlive the jobs; other jobs are named by number.
 */
#ifndef SCHED_BLOCKER_H
#define SCHED_BLOCKER_H
#include "sched/reason.h"
#include <glib.h>
#include <stdint.h>

struct assoc;
struct job;
struct partition;

enum blocker_kind {
	BLOCKER_NONE,       /* nothing more than the reason is known */
	BLOCKER_LIMIT,      /* of an association or a QOS */
	BLOCKER_PARTITION,  /* a setting of the partition, or the cluster's default for it */
	BLOCKER_THROTTLE,   /* the array's own %N */
	BLOCKER_JOB,        /* the job ahead: the first of the partition that could not start */
	BLOCKER_DEPENDENCY, /* the job depended on */
	BLOCKER_NODES,      /* too few nodes are available */
	BLOCKER_RESOURCE,   /* too little is free on those that are */
	BLOCKER_ACCESS,     /* a list of the partition: "AllowQos" ... (L62, L68) */
	BLOCKER_QOS,        /* the QOS itself: it is gone, not allowed, or has a UsageThreshold */
	BLOCKER_TIME,       /* a moment that has not come */
	BLOCKER_HOLD,       /* priority 0: who or what holds the job */
	BLOCKER_RESV,       /* a reservation that is not usable */
	BLOCKER_NEVER,      /* too little of it exists, free or not */
	BLOCKER_POWER,      /* as many nodes are powered up as may be: a setting of the cluster, figures as of LIMIT */
};

enum limit_owner { OWNER_ASSOC, OWNER_QOS, OWNER_QOS_USER, OWNER_QOS_ACCOUNT };

struct blocker {
	enum blocker_kind kind;
	enum limit_owner owner_kind;
	/*
	 *            what                           value        use               request
	 * LIMIT      its name ("GrpTRES")           limit        in use            wanted
	 * PARTITION  its name ("MaxTime")           limit                          wanted
	 * ACCESS     the list ("AllowQos")
	 * NODES      NULL, or "required": of        available    kept by           wanted
	 *            those asked for by name                     reservations
	 * RESOURCE   "cores", "memory", "gpu"       free                           wanted
	 * NEVER      the demand                     there are                      wanted
	 * TIME       of what                        when
	 * HOLD       who or what holds it
	 * RESV       its name                       start        end               an enum resv_problem
	 * QOS        NULL or "UsageThreshold"       threshold,   share, both in
	 *                                           millionths
	 */
	const char *what;             /* static, interned or a job's own */
	const char *tres;             /* LIMIT: which TRES; NULL = it counts jobs or time */
	const void *owner;            /* LIMIT: struct assoc or struct qos; QOS: struct qos */
	const struct partition *part; /* PARTITION, NODES, RESOURCE, ACCESS, NEVER */
	uint64_t value, use, request;
	uint32_t job, array,
	    task;          /* JOB, DEPENDENCY: id; array id (0 = none) and task (NO_VAL = the rest of the array) */
	uint32_t promised; /* NODES, RESOURCE: nodes withheld for jobs ahead */
};

enum resv_problem { RESV_NOT_BEGUN, RESV_OVER, RESV_NO_ACCESS, RESV_EMPTY, RESV_TOO_SMALL, RESV_GONE };

/* ---- filling ---- */
struct blocker blocker_job(enum blocker_kind kind, const struct job *ahead);
struct blocker blocker_partition(const struct partition *p, const char *what, uint64_t value, uint64_t request);
struct controller;
struct bitset;
/* Too few of AVAIL for J, of which reservations leave LEFT (AVAIL itself: all): in the partition, or of those that it
 * requires. */
struct blocker blocker_nodes(const struct controller *c, const struct job *j, const struct bitset *avail,
                             const struct bitset *left);
/* Why J did not fit on AVAIL: the resource that is short. */
struct blocker blocker_fit(const struct controller *c, const struct job *j, const struct bitset *avail);
/* The reservation that J named and cannot use now: of several the one that begins next. */
struct blocker blocker_reservation(const struct controller *c, const struct job *j);
struct reservation;
struct blocker blocker_resv(const struct reservation *r, enum resv_problem problem);
/* Priority 0: WHAT holds it ("--hold at its submission"). */
struct blocker blocker_hold(const char *what);
/* A QOS that J may not use (any more). */
struct blocker blocker_qos(const struct job *j);
/* Why no nodes of its partition could ever run J: the demand that the fewest meet (BadConstraints, Constraints). */
struct blocker blocker_never(const struct controller *c, const struct job *j);
/* How many of its GRES number G the job wants in all, as far as the request says. */
uint64_t blocker_gres_wanted(const struct job *j, uint32_t g);
/* L68: the partition's list that keeps J out. */
struct blocker blocker_access(const struct partition *p, const char *list);

/* ---- printing: in the moment in which the reason was set ---- */
/* Who or what it is: "job 12", "qos gold GrpTRES gres/gpu", "nodes of gpu". NULL for BLOCKER_NONE. g_free. */
char *blocker_who(const struct blocker *b, const struct job *j);
/* The figures: "limit 64, in use 60, wanted 8"; missing nodes by name and cause as they are now; lists; moments; states
 * of the jobs depended on. NULL when there are none. g_free. */
char *blocker_detail(const struct blocker *b, const struct job *j, const struct controller *c);
/* "root/physics/optics/carol": an association's path. g_free. */
char *blocker_assoc_path(const struct assoc *a);
#endif
