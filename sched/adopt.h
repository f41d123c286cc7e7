/*
 * adopt.h - taking over the state of a controller that has been running: jobs as they stand, timers, usage.
 *
 * A host that knows a moment of a real cluster, or of another run, makes a controller and then, before time goes on,
 * hands in the jobs in the order of their submission (running, waiting, lately finished), then what they depend on,
 * then the controller's timers. Nothing is decided here: no limit is tested, no pass is made, no message is refused but
 * for requests that this cluster cannot hold. The host hears of each record by created, and of each running one by
 * start.
 *
 * What is not taken over: what a pass remembers of the last one (it is made anew), and epilogs under way (their nodes
 * are free).
 */
#ifndef SCHED_ADOPT_H
#define SCHED_ADOPT_H
#include "sched/controller.h"

struct adopted_gres {            /* devices or a count of one GRES of a node */
	const char *name, *type; /* borrowed; type NULL = any */
	uint32_t count;
	uint64_t devices; /* bits; 0 = the first free ones */
};
struct adopted_node {
	uint32_t node;
	uint16_t cpus;        /* charged */
	uint64_t mem;         /* MiB */
	struct bitset *cores; /* owned by the caller; NULL = the first free ones */
	GArray *gres;         /* of struct adopted_gres; NULL = none; owned by the caller */
};

struct adopted {
	uint32_t id;
	uint32_t array_id, task,
	    array_limit; /* a task split off: of which array; array_id 0 = none. A head has the array in its request */
	enum job_state state; /* JOB_PENDING, JOB_RUNNING, or a finished one */
	usec_t submit_t, start_t, end_t;
	sec_t eligible, accrue; /* 0 = as a submission now would have it */
	uint32_t time_limit;    /* minutes; NO_VAL = as asked for */
	uint32_t priority;      /* NO_VAL = computed; 0 = held */
	const uint32_t
	    *part_priorities; /* [n_part_priorities], in the order of the job's partitions; NULL = all as above */
	uint32_t n_part_priorities;
	bool held_by_admin;
	bool direct_priority; /* P7 */
	uint32_t total_cpus;  /* CPUs that its size counts as once estimated (P15); 0 = not yet */
	uint32_t run;         /* restarts */
	sec_t preempt_time, preempt_start,
	    grace_end;         /* a victim in its grace time (grace_end not 0), a job that chose victims; 0 = not */
	int started_by;        /* BY_MAIN, BY_BACKFILL; BY_NONE = unknown */
	const char *partition; /* running: where; NULL = the request's first */
	const struct bitset *kept; /* waiting as EXPEDITING: nodes that are kept for it (expedite.h); NULL; borrowed */
	const struct adopted_node *node; /* running: [n], ascending */
	uint32_t n;
};

/* REQ is owned from now on. NULL and ERROR when the request does not fit this cluster or a node cannot hold what is
 * said. */
struct job *controller_adopt(struct controller *c, struct job_request *req, const struct adopted *a, usec_t now,
                             GError **error);
/* JOB waits for others, which have been handed in: "afterok:12_3,singleton". What it names and nobody has is taken as
 * met. */
bool controller_adopt_dependency(struct controller *c, struct job *job, const char *text, GError **error);

struct reservation;
/* The reservations, in order of creation: I < controller_n_reservations. */
uint32_t controller_n_reservations(const struct controller *c);
const struct reservation *controller_reservation(const struct controller *c, uint32_t i);

struct controller_clock { /* the controller's own times; whole seconds but for *_t */
	uint32_t counter, next_id, basic_low;
	sec_t last_full, last_sched, last_sweep, last_purge, bf_last_end, last_update, last_resv, last_resv_end;
	usec_t bf_next_t, prio_next_t;
	sec_t decay_last, decay_reset;
	uint64_t decay_passes;
};
struct controller_pings { /* sched/ping.h */
	sec_t last;
	uint64_t rounds;
	bool soon;
	const sec_t *heard; /* [n_heard]: second in which each node was heard; borrowed */
	uint32_t n_heard;
};
void controller_pings_get(const struct controller *c, struct controller_pings *k);
/* After controller_adopt_done. K of another number of nodes is left. */
void controller_pings_set(struct controller *c, const struct controller_pings *k);
void controller_clock_get(const struct controller *c, struct controller_clock *k);
/* The last step: time is NOW. K NULL: a controller that has just been started. */
void controller_adopt_done(struct controller *c, const struct controller_clock *k, usec_t now);
/* Users in the order in which the controller has met them, which gives their numbers (job.h: user_key); of char *, borrowed. Unref. */
GPtrArray *controller_user_names(const struct controller *c);
/* USER is the next that it meets. For before the first job. */
void controller_meet_user(struct controller *c, const char *user);
#endif
