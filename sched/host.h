/*
 * host.h - what the policy library asks of whoever runs it.
 *
 * The host owns the clock and the machines. It calls controller.h with the time; the library calls back through this
 * table. Every callback may be NULL. Callbacks must not call the controller again except where said.
 */
#ifndef SCHED_HOST_H
#define SCHED_HOST_H
#include "sched/job.h"

enum pass_kind { PASS_MAIN_QUICK, PASS_MAIN_FULL, PASS_BACKFILL };
const char *pass_kind_name(enum pass_kind k); /* "main_quick", "main_full", "backfill" */

struct pass_stats {
	usec_t t;
	enum pass_kind kind;
	uint32_t queue;    /* records in the queue */
	uint32_t tested;   /* got as far as choosing nodes */
	uint32_t started, planned;
	uint32_t depth;    /* records that the depth settings count (S20); backfill: records looked at */
	uint32_t table;    /* backfill: records of the plan at its end (bf_node_space_size) */
	uint32_t yields;   /* backfill: how often it let go of the locks (B50) */
	bool repeated;     /* the same as the last of its kind, without work: nothing it reads had changed */
	usec_t spent;      /* its work, without the yields (pace.h) */
	const char *ended_by; /* static text; "end of queue" */
};

enum step_kind { STEP_TEST, STEP_TRY, STEP_START, STEP_PLAN, STEP_OVERLAP, STEP_LATER, STEP_FAILED, STEP_BLOCKED, STEP_PASSED_OVER,
		 STEP_SKIP /* not tried, or no plan made */ };
struct step { /* one decision of a pass, in order */
	enum step_kind kind;
	bool backfill;                 /* of a backfill cycle; over its yields main passes come in between */
	const struct job *job;
	uint32_t array_task;           /* STEP_START of an array task: its index; else NO_VAL */
	sec_t start, end;              /* STEP_TRY: start = the time tried; PLAN: start, end; LATER: start = next try */
	const struct bitset *nodes;    /* STEP_TRY: usable; START, PLAN: chosen; may be NULL */
	const struct partition *part;
	enum reason reason;
	const char *rule;              /* SKIP, BLOCKED, LATER ...: which rule and why, static text; NULL = the kind says all */
};

enum power_order { POWER_OFF, POWER_ON, POWER_REBOOT };

enum end_cause { END_BY_SELF, END_TIME_LIMIT, END_CANCEL, END_REQUEUE, END_NODE_DOWN, END_DEADLINE };

struct sched_host {
	void *data;
	/* When within the pass that began at NOW the job, just placed, starts; NULL = at NOW (pinned clock). */
	usec_t (*start_time)(void *data, const struct job *job, usec_t now);
	/* A job has been placed; launch it. job->alloc and start are set. */
	void (*start)(void *data, struct job *job);
	/* JOB was CONFIGURING and its nodes are there now (C29): it begins now, start and end are set anew. */
	void (*configured)(void *data, struct job *job);
	/* SuspendProgram, ResumeProgram or RebootProgram is called for NODE (C56, C57). When it has booted the host says controller_node_news. */
	void (*power)(void *data, struct node *node, enum power_order order);
	/* A running job is stopped for a while / goes on (gang.h); its state is set. */
	void (*suspend)(void *data, struct job *job);
	void (*resume)(void *data, struct job *job);
	/* A running job hears that its end is near: the signal of --signal (C36), or SIGTERM when it begins its grace as a victim (E17). It may save itself. */
	void (*warn)(void *data, struct job *job);
	/* A running job must stop: the controller has already taken its cores back and set the state (C30, C32, C34). The host makes the
	 * processes go and then calls controller_epilog_done for every node. */
	void (*stop)(void *data, struct job *job, enum end_cause cause);
	/* BY, which found no room, makes VICTIM go (at once or after its grace; E15, and again when it is chosen again), or by its start takes
	 * the cores on which VICTIM is then suspended (E27). */
	void (*preempted)(void *data, struct job *victim, struct job *by);
	/* A run of a job has reached its end (or a pending job its): accounting closes a row. The record still holds everything of that run.
	 * STATE is what accounting writes (REQUEUED as text for a requeue, so a string). */
	void (*closed)(void *data, struct job *job, const char *state);
	/* A running job is about to lose a node and to go on (--no-kill): accounting closes a row as RESIZING, of what it has held until now. */
	void (*resized)(void *data, struct job *job);
	/* A job that had ended, all said and done, waits again (C40, C41): accounting's row of that run becomes REQUEUED. The record still holds the end. */
	void (*reopened)(void *data, struct job *job);
	/* The reason or its text changed (job->reason holds the new one), or the job began to wait (submission, requeue). */
	void (*reason)(void *data, struct job *job);
	/* A new record came to be: submitted, or split from an array head (FROM = the head, else NULL). */
	void (*created)(void *data, struct job *job, struct job *from);
	/* The record is about to be freed: forget pointers to it. */
	void (*forget)(void *data, struct job *job);
	void (*pass)(void *data, const struct pass_stats *stats);
	void (*step)(void *data, const struct step *step);   /* expensive: only when somebody looks */
	void (*node)(void *data, struct node *node);         /* base or flags changed */
	void (*decayed)(void *data); /* a pass of the decay thread is done (P30); of the first within controller_new */
};
#endif
