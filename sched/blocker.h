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

struct cluster;
struct job;

enum blocker_kind {
	BLOCKER_NONE,     /* nothing more than the reason is known */
	BLOCKER_LIMIT,    /* of an association or a QOS */
	BLOCKER_PARTITION,/* of a partition (or the cluster's default for it) */
	BLOCKER_JOB,      /* the highest-priority blocked job of the partition */
	BLOCKER_NODES,    /* too few nodes are available */
	BLOCKER_RESOURCE, /* too little is free on those that are */
};

enum limit_owner { OWNER_ASSOC, OWNER_QOS, OWNER_QOS_USER, OWNER_QOS_ACCOUNT };

struct blocker {
	enum blocker_kind kind;
	const char *what;       /* LIMIT, PARTITION: its name ("GrpTRES"); RESOURCE: "cores", "memory", "gpu" ...; static */
	const char *tres;       /* LIMIT: which TRES; NULL = counts jobs or time */
	enum limit_owner owner_kind;
	const void *owner;      /* LIMIT: struct assoc or struct qos; PARTITION and RESOURCE: struct partition */
	uint64_t value, use, request;
	uint32_t job, array, task; /* JOB: its id; array id (0 = none) and task (NO_VAL = the head) */
	uint32_t down, drained, reserved, promised; /* NODES: how many of the partition's are lost to what; promised: to jobs ahead */
};

/* A short name of who or what it is: "job 12", "QOS gold GrpTRES cpu", "nodes". NULL for BLOCKER_NONE. g_free. */
char *blocker_who(const struct blocker *b, const struct job *j);
/* The figures as a sentence: "limit 64, in use 60, wanted 8". NULL when there are none. g_free. */
char *blocker_detail(const struct blocker *b);
/* "root/physics/optics carol": an association's path. g_free. */
struct assoc;
char *blocker_assoc_path(const struct assoc *a);
#endif
