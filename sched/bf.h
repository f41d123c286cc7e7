/*
 * bf.h - what the files of the backfill scheduler share; nobody else includes it.
 *
 * backfill.c: the cycle, its map at the start, yields. bf_record.c: one record of the queue, whether it is tried (B13-B20). bf_try.c: one try
 * after another until it starts, is planned or has no place (B22-B46). bf_topopt.c: which of several places is planned (B47).
 */
#ifndef SCHED_BF_H
#define SCHED_BF_H
#include "sched/nodeusers.h"
#include "sched/slotmap.h"
#include "sched/slotwindow.h"
#include "sched/state.h"
#include "sched/tried.h"
#include "sched/willrun.h"

struct bf_state { /* kept between cycles: scratch only */
	struct slot_map *map;
	struct slot_window *window;
	struct tried *tried;
	struct bitset *initial, *usable, *real, *none;
	struct bitset *kept; /* B47: the nodes of the best slot so far */
	struct node_users *users;
	GHashTable *counts; /* B17: key -> number of jobs considered in this cycle */
	struct cycle *suspended; /* B50: the cycle that has let go of the locks; NULL = none */
};

/* One record on its way through B13-B46. */
struct record {
	struct job *j;
	struct partition *p;
	struct trial_counts count;
	bool no_reserve, counted, no_plan; /* no_plan: MAGNETIC, neither counted nor planned */
	sec_t orig_start, later_start, start;
	uint32_t orig_limit, time, comp, limit; /* limit: in force at a yield */
	struct tried_line *line; /* NULL: its tries depend on more than its shape */
	struct kept_slots { /* B47: the slots found so far, of which the best is known; its nodes: bf_state.kept */
		uint32_t n, score, n_chosen;
		sec_t start;
		bool taken; /* it is the record's now */
	} kept;
};

/* B50: a record whose search was broken off by a yield, to be gone on with. */
struct held {
	bool active;
	struct record r;
	sec_t earliest;   /* of its array's estimates so far */
	uint32_t planned; /* tasks of its array */
};

/* A cycle on its way through the queue. */
struct cycle {
	struct controller *c;
	struct bf_state *b;
	struct pass_stats stats;
	sec_t window_end, plan_limit; /* plan_limit: latest start that is planned (B30a) */
	const struct job_array *rejected;
	const struct partition *rejected_part;
	const struct reservation *rejected_resv;
	struct job *rejected_job;
	bool stop, published, marked;
	usec_t began;            /* B12a; with yields longer ago than the work in progress */
	guint next;              /* record to look at */
	GArray *queue;           /* the controller's, or after a yield a copy */
	uint32_t *part_count;    /* [partitions], over a yield; owned */
	struct held held;        /* of the record at `next`, when the yield came between two of its tries */
	uint64_t touches, part_changes, resv_changes; /* B51: of the controller, at the yield */
};

/* What became of a record's tries. */
enum try_result { TRY_AGAIN, TRY_NEXT_RECORD, TRY_STARTED, TRY_PLANNED, TRY_YIELDS /* the locks are let go before the next try */ };

static inline sec_t floor_res(const struct controller *c, sec_t t)
{
	return t - t % c->p->bf_resolution;
}

/* The record is passed over, or gets no plan. False, for the caller to return. */
static inline bool skip(struct controller *c, const struct job *j, const char *rule)
{
	if (c->host.step) {
		struct step s = {.kind = STEP_SKIP, .backfill = true, .job = j, .array_task = NO_VAL, .part = j->part, .reason = j->reason, .rule = rule};
		c->host.step(c->host.data, &s);
	}
	return false;
}

static inline void step(struct controller *c, enum step_kind kind, const struct job *j, sec_t start, sec_t end, const struct bitset *nodes)
{
	if (!c->host.step)
		return;
	struct step s = {.kind = kind, .backfill = true, .job = j, .array_task = kind == STEP_START ? j->task : NO_VAL, .start = start, .end = end,
			 .nodes = nodes, .part = j->part, .reason = j->reason};
	c->host.step(c->host.data, &s);
}

/* bf_record.c: a record, and for an array its tasks one after another. y->held.active afterwards: it yields, and is called again for the same record. */
void bf_record(struct cycle *y, struct queue_record *q);

/* bf_try.c */
/* Try R until it starts, is planned, or has no place (B22-B46). */
enum try_result bf_search(struct cycle *y, struct record *r);
/* B9: a running job that uses whole nodes, or has licences that the map follows, comes into the map. */
/* B62: a component of a het job has started in the cycle Y. */
void bf_het_started(void *y, struct job *j);
void bf_reserve_running(struct cycle *y, const struct job *run);

/* bf_topopt.c (B47). Neither the specification nor the documentation says how a fragmentation score is counted; here it is topology_fragments() of the nodes
 * that are free during the slot and not the job's. */
/* Remember the slot that R has now: its start and the chosen nodes. True: a later one is to be tried too. Never with flat topologies, for heterogeneous jobs
 * (their components agree on a start, B61), for records that get no plan, and without bf_topopt_enable. */
bool bf_topopt_keep(struct cycle *y, struct record *r);
/* The best remembered slot, the first of equal ones, becomes R's start and the chosen nodes. False: none is remembered, or it was taken already. */
bool bf_topopt_take(struct cycle *y, struct record *r);

/* B12a: bf_max_time, which counts sleeps too, is over; the cycle ends. */
bool bf_out_of_time(struct cycle *y);
#endif
