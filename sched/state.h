/*
 * state.h - the controller's inside, shared by the files of sched/ and by nobody else.
 *
 * Files: submit.c (from request to record), demand.c (N2-N8), depend.c, array.c, partcheck.c (S14, L67), limits_*.c, priority.c, decay.c,
 * queue.c (S10-S12), mainpass.c (S15-S31), backfill.c with slotmap.c (B5-B47), willrun.c (B30-B36), select.c with place.c (N rules),
 * easy.c (strict EASY), license.c, reservation.c with resv_nodes.c and resv_command.c (C58-C65), tick.c (S1, S2), lifecycle.c (C28-C45), requeue.c with expedite.c (C40, C41), command.c (hold, release), update*.c with part_change.c, node_change.c and node_state.c (scontrol update).
 */
#ifndef SCHED_STATE_H
#define SCHED_STATE_H
#include "sched/controller.h"
#include "sched/fairshare.h"
#include "sched/pace.h"
#include "sched/releases.h"

struct queue_record { /* S11: one (job, partition) pair */
	struct job *job;
	struct partition *part;
	struct reservation *resv; /* NULL = plain record */
	bool magnetic;       /* S11: of a reservation that the job did not name */
	uint32_t part_index; /* in job->parts */
	uint32_t priority;   /* key 5 of S12 for jobs with several partitions */
	struct qos *qos;     /* with several QOS: this record's; NULL */
};

struct selector; /* select.c */
struct slot_map; /* slotmap.h */
struct bf_state;
struct gang; /* gang.h */

struct job_list { struct job *head, *tail; uint32_t n; };

struct idle_span { sec_t first, last; }; /* every sched_interval */

struct pass_memory { /* what a repeated pass of the same kind would say again (skipping) */
	uint64_t version;
	bool valid;
	sec_t valid_before; /* time at which its outcome could first differ */
	struct pass_stats stats;
	bool marked; /* backfill: set PLANNED flags */
};

struct controller {
	struct cluster *cl;
	const struct sched_params *p;
	struct sched_host host;
	bool naive;
	bool looking;        /* fit.c: nobody is preempted */
	usec_t now;          /* of the call in progress */
	sec_t now_s;         /* usec_to_sec(now) */
	usec_t start, threads, tick_phase, turn; /* threads: those of backfill and gang scheduling begin; turn: from one turn of the loop to the next */

	struct usage *use, *future;
	GPtrArray *jobs;     /* job list in creation order; purged ones NULL until compacted */
	uint32_t jobs_holes;
	GHashTable *by_id;   /* id -> struct job * */
	GHashTable *arrays;  /* array id -> GPtrArray of its records in order of splitting */
	struct job_list pending, running;
	GPtrArray *by_end;   /* running jobs by (end, seq) */
	uint64_t by_end_changes;
	GQueue finished;     /* in order of end, to be purged (C38) */
	uint32_t n_pending_tasks;
	uint32_t next_id, basic_low;
	uint64_t next_seq;

	/* triggers (S2, S3, S7) */
	uint32_t counter;
	bool quick_requested, full_requested; /* full: the pass asked for is to be a full one */
	usec_t main_end;     /* of the last main pass (S7) */
	GArray *idle_fulls;  /* of struct idle_span: full passes left out since there was no queue */
	sec_t last_full, last_sched, last_sweep, last_purge;
	/* backfill thread (B1, B2) */
	usec_t bf_next;      /* its next look */
	sec_t bf_last_end;   /* second in which the last cycle ended */
	sec_t last_update;   /* of jobs, nodes or partitions */
	usec_t prio_next;    /* decay thread */
	struct fairshare *fair; /* fairshare.h */
	struct decay decay;
	bool ends_by_limit;  /* some limit can end running jobs (L45) */

	/* the controller's own time (pace.h) */
	struct controller_cost cost;
	bool costly;         /* something costs time */
	usec_t work_began, busy_until;
	int64_t spent;       /* nanoseconds since work_began */
	sec_t turn_since;    /* the seconds from then on are those of the turn under way */
	sec_t missed_since;  /* the first second whose turn of the loop is owed; 0 = none */
	uint64_t touches, part_changes, resv_changes; /* B51: changes of anything, of partitions, of reservations */

	uint64_t version;    /* raised by everything that a pass reads */
	struct pass_memory mem[3];

	struct bitset *avail; /* available nodes (S15): up and not withheld; the pass's working copy */
	struct bitset *up;    /* node_available() of every node, kept current */
	struct bitset *tmp_nodes, *tmp_nodes2;
	uint8_t *part_failed, *part_cleared; /* [partitions], of the pass in progress */
	uint32_t *part_count;
	GArray *queue;       /* of struct queue_record, scratch */
	GPtrArray *removal;  /* scratch of willrun.c */
	GPtrArray *candidates; /* scratch of preempt.c */
	struct bitset *victim_nodes; /* scratch of preempt.c */
	struct bitset *emptied;      /* scratch of willrun.c */
	GPtrArray *ends;     /* willrun.c: by_end, or with B12 soft_ends */
	GPtrArray *soft_ends; /* running jobs by their soft ends, of the test in progress */
	struct release_line *release;
	uint32_t most_cpus, most_threads; /* CPUs of the largest node; CPUs per core, of the node with most */
	uint32_t gone;       /* number of the imagined future in work: jobs marked with it are out of it */
	struct selector *sel;
	struct recall *recall; /* estimates and failures that still stand */
	struct bf_state *bf;
	const struct bitset *start_only; /* during a start by backfill: the nodes it is confined to (B45); else NULL */
	struct gang *gang;   /* NULL = off */
	struct power *power;
	struct pings *pings;
	uint64_t bf_cycle;   /* number of the backfill cycle */
	struct het_plans *het_plans; /* hetjob.h */
	uint32_t *lic_free, *lic_future; /* [license_kinds] scratch */
	GPtrArray *resvs;    /* of struct reservation *, in order of creation */
	GPtrArray *expediting; /* of struct job *: those that are EXPEDITING, in that order (expedite.h) */
	uint32_t next_resv_id;
	sec_t last_resv, last_resv_end; /* last turns of 5 s and 30 s (C62) */
	struct bitset *resv_nodes, *resv_scratch;
	struct bitset *held_nodes; /* scratch: N24 */
	uint64_t *resv_cores; /* scratch of resv_block_parts, and */
	struct gres_use *resv_gres;
	GHashTable *user_ids; /* user name -> small integer, for counting keys */
	uint32_t n_signals;      /* running jobs with --signal that was not sent yet */
	uint64_t n_forgotten;    /* array tasks cancelled without a record */
	bool suspends;           /* some job has been suspended */
	bool licenses_forced;    /* a running job was given licences: there may be more in use than there are */
	uint32_t n_deadlines;    /* pending jobs with a deadline */
	sec_t time_bound;    /* during a pass: earliest later time at which its outcome could differ by the clock alone */
	struct job *quiet;       /* whose reason the host is not told of yet */
	enum reason quiet_reason; char *quiet_text;
	struct job **part_first; /* [partitions], of the pass in progress: the job that closed it */
	uint64_t config_version; /* raised when nodes, partitions or a job's demand change: what could ever run */
};

/* Every entry point begins with this. */
void ctl_enter(struct controller *c, usec_t now);
/* Something that a pass reads has changed (version), and the "last update" of B2. */
void ctl_touch(struct controller *c);
usec_t ctl_main_allowed(const struct controller *c); /* tick.c, S7: from when on a main pass may begin; 0 = at any time */
/* The loop turns at whole seconds plus tick_phase. The first turn whose time is >= t. */
usec_t ctl_turn(const struct controller *c, usec_t t);
/* C45: NODE has just gone DOWN: its jobs go on without it, are requeued when they may be, else lost. TOLD: it is there, and stops what runs on it. */
void ctl_node_down(struct controller *c, uint32_t node, bool told);

/* job lists, ids (controller.c) */
struct job *ctl_new_job(struct controller *c);
void ctl_register(struct controller *c, struct job *j, uint32_t id);
uint32_t ctl_take_id(struct controller *c);
void list_insert(struct job_list *l, struct job *j); /* by seq */
void list_remove(struct job_list *l, struct job *j);
uint32_t ctl_user_id(struct controller *c, const char *user);
void ctl_purge(struct controller *c);
/* C26: the array id acts on the head and every split task; C70: that of a leader on all components; anything else on the
 * record itself. ALONE: J was named as one task, even if it carries the id of its array. g_ptr_array_unref. */
GPtrArray *ctl_targets(struct controller *c, struct job *j, bool alone);
GPtrArray *ctl_array_records(const struct controller *c, uint32_t array_id); /* NULL */

/* reasons (queue.c) */
void job_set_reason(struct controller *c, struct job *j, enum reason r, const char *text);
/* The same with what stands in the way. */
void job_blocked(struct controller *c, struct job *j, enum reason r, const char *text, const struct blocker *b);
void job_never(struct controller *c, struct job *j, enum reason r); /* R: BadConstraints or Constraints */
void job_throttled(struct controller *c, struct job *j); /* JobArrayTaskLimit */
/* While one record is looked at, its reason may be cleared and set again: the host hears of it at the end, if it differs then. */
void reason_quiet(struct controller *c, struct job *j);
void reason_tell(struct controller *c);

/* submit.c: J from its request: partitions, account, times, demand, dependencies, array; TEST_LIMITS: those of submission too (L5) */
bool submit_prepare(struct controller *c, struct job *j, bool test_limits, GError **error);
void ctl_by_end_insert(struct controller *c, struct job *j);  /* lifecycle.c: a running job comes into by_end */
void ctl_enter_pending(struct controller *c, struct job *j); /* J begins to wait: list, counts, limits */
void job_first_record(struct job *j); /* its partition and QOS are those of its first record */
/* Its partitions become NAMES (a comma list); false, nothing changed and ERROR when one is unknown or takes no jobs. */
bool job_set_partitions(struct controller *c, struct job *j, const char *names, GError **error);

/* acct_change.c */
bool qos_allowed(const struct controller *c, const struct job *j,
                 const struct qos *q);                 /* L1: to the job's association */
bool qos_checked(struct controller *c, struct job *j); /* R14.6; false: it waits as InvalidQOS */
void qos_resolve(struct controller *c, struct job *j); /* R11.1: InvalidQOS and usable again -> None */
bool ctl_assoc_in_use(void *controller, const struct assoc *a);

/* demand.c */
bool demand_from_request(struct controller *c, struct job *j, GError **error);
void demand_sharing(const struct controller *c, struct job *j); /* whether J is alone on its nodes */
/* J's GRES anew from its changed request, and what follows from them (N8). False and ERROR, and nothing changed, when they do not fit. */
bool demand_renew_gres(struct controller *c, struct job *j, GError **error);
bool demand_static_filter(struct controller *c, struct job *j); /* fills config_ok and prefer_ok; false when no configuration fits (N12) */
/* --prefer instead of --constraint for the trials that follow, and back again. */
void demand_swap_prefer(struct job *j);

/* depend.c */
bool depend_parse(struct controller *c, struct job *j, const char *text, GError **error);
enum dep_state depend_test(struct controller *c, struct job *j);
/* The job that --dependency=singleton makes J wait for; NULL. */
const struct job *depend_singleton(const struct controller *c, const struct job *j);
const char *depend_kind_name(enum dep_kind kind); /* "afterok"; static */

/* array.c */
bool array_parse(struct controller *c, struct job *j, const char *text, GError **error);
struct job *array_split(struct controller *c, struct job *head, uint32_t task); /* C25; may return head itself when it is the last */
void array_task_ended(struct job *j);
void array_task_again(struct job *j); /* J has ended, and is about to wait again */
bool array_at_limit(const struct job *j);
uint32_t array_tasks_left(const struct job *j); /* 1 for ordinary jobs */
uint32_t array_first_task(struct job *head);    /* the lowest one not split off */
void array_forget_task(struct job *head, uint32_t task); /* it ends without a record of its own; not the last one */

/* partcheck.c */
/* L67. *b (may be NULL): the setting that is in the way. */
enum reason partition_check(struct controller *c, struct job *j, const struct partition *p, bool use_time_min, struct blocker *b);
bool partition_access(struct controller *c, const struct job *j, const struct partition *p, GError **error);
bool partition_account_ok(const struct controller *c, const struct job *j, const struct partition *p);
bool partition_qos_ok(const struct job *j, const struct partition *p);
bool partition_group_ok(const struct controller *c, const struct job *j, const struct partition *p);
char *partition_group_text(const struct job *j, const struct partition *p); /* R40 */
char *partition_qos_text(const struct job *j, const struct partition *p); /* R40 */
char *partition_account_text(const struct job *j, const struct partition *p); /* R80, T-account */
bool memory_above_limit(struct controller *c, struct job *j, const struct partition *p);

/* limits_*.c, tres_usage.c: see limits.h */
void limits_prepare(struct controller *c); /* L9 */
bool limits_submit(struct controller *c, struct job *j, uint32_t tasks, GError **error);
void limits_recheck(struct controller *c, struct job *j); /* L29 */
/* The QOS of P (NULL = none) is FRESH from now on: what its jobs count for goes over. */
void limits_partition_qos(struct controller *c, struct partition *p, struct qos *fresh);
void limits_recount_nodes(struct controller *c);          /* L20: limits on nodes may be new */
void limits_count_submit(struct controller *c, struct job *j, int delta);
void limits_count_others(struct controller *c, struct job *j, int delta);
void limits_count_requeue(struct controller *c, struct job *j);
void limits_count_start(struct controller *c, struct job *j, int sign);
void limits_count_resize(struct controller *c, struct job *j, int sign); /* what runs is taken out (-1), and counted anew with what it holds then (1) */
/* As if J ran on A (SIGN 1), and back (-1). */
void limits_count_trial(struct controller *c, struct job *j, const struct job_alloc *a, int sign);
void limits_count_slice(struct controller *c, struct job *j, sec_t b);        /* L21 of a running job */
void limits_count_limit(struct controller *c, struct job *j, uint32_t old);   /* L22: its time limit was OLD */
bool limits_before(struct controller *c, struct job *j);  /* L30; sets the reason */
uint32_t limits_node_cap(struct controller *c, struct job *j, struct blocker *b, enum reason *why); /* L31 */
struct trial_counts;
/* L31 with N20: the node counts to try; false when the limit is below the job's minimum: the reason has been set. */
bool limits_counts(struct controller *c, struct job *j, const struct partition *p, struct trial_counts *n);
struct selection { uint32_t cpus, nodes; uint64_t mem; const struct job_alloc *alloc; const struct bitset *chosen; }; /* alloc, chosen: NULL */
bool limits_after(struct controller *c, struct job *j, const struct selection *s); /* L32 */
uint64_t limits_min_priority(const struct controller *c, const struct job *j);     /* L39; 0 = none */
bool limits_end(const struct controller *c, const struct job *j);                  /* L45 */
uint64_t requested_memory(const struct job *j);
uint32_t accrue_room(const struct controller *c, const struct job *j, bool *limited); /* L40 */
void accrue_count(struct controller *c, struct job *j, int delta);
void accrue_leave(struct controller *c, struct job *j); /* L40: gives the accrue count back */

/* priority.c */
void priority_init(struct controller *c, struct job *j);
void priority_recompute(struct controller *c, struct job *j, sec_t t);
void priority_release(struct controller *c, struct job *j);
void priority_tick(struct controller *c, struct job *j); /* at a decay tick: with INCR_ONLY never less (P10) */
void priority_fix(struct job *j); /* the priority is set directly from now on (P7) */
void accrue_update(struct controller *c, struct job *j);
void accrue_reset(struct controller *c, struct job *j); /* P13.3: with limits the age begins anew */

/* decay.c */
void decay_begin(struct controller *c);                  /* the thread's first pass, at the controller's start */
void decay_pass(struct controller *c);                   /* P30 */
void decay_job_resized(struct controller *c, struct job *j); /* P42: J is about to hold less */
void decay_job_end(struct controller *c, struct job *j); /* P36: J is about to leave its nodes */

/* queue.c */
bool job_independent(struct controller *c, struct job *j);
void queue_build(struct controller *c, bool use_time_min);
bool fifo_order(const struct controller *c); /* S38, S39: 22.05 does not sort */
void record_priority(struct controller *c,
                     const struct queue_record *r); /* P9: what the record looked at shows as the job's */
void record_take(
    struct controller *c,
    const struct queue_record *r); /* the job's partition, QOS, priority and reservation are the record's */
int record_cmp(const struct controller *c, const struct queue_record *a, const struct queue_record *b);
bool job_check_deadline(struct controller *c, struct job *j); /* true when the job was ended (C8) */

/* attempt.c: one try to start a job now (R15, N60, S27) */
enum attempt { ATTEMPT_OK, ATTEMPT_BUSY, ATTEMPT_UNAVAILABLE, ATTEMPT_LIMIT, ATTEMPT_NEVER, ATTEMPT_PARTITION, ATTEMPT_NOT_ALLOWED,
	       ATTEMPT_LICENSES, ATTEMPT_RESV_CLOSED /* its reservation is not active */, ATTEMPT_RESV_INVALID /* the job does not fit in it */ };
/* Try to choose nodes in AVAIL for J in its current partition. ATTEMPT_OK: *alloc is the caller's. Otherwise the reason has been set (not for
 * ATTEMPT_NEVER). AVAIL: the working set of available nodes. */
enum attempt attempt_start(struct controller *c, struct job *j, const struct bitset *avail, struct job_alloc **alloc);
/* The trial at submission (R10, L65): ATTEMPT_NEVER = refuse. Sets the first reason. */
enum attempt attempt_test_only(struct controller *c, struct job *j);
/* Bound the validity of the pass in progress: at T (> now) a test on the clock would come out otherwise. */
static inline void note_time(struct controller *c, sec_t t)
{
	if (t > c->now_s && t < c->time_bound)
		c->time_bound = t;
}

/* completing.c: is some job completing since less than CompleteWait (S9)? EACH (NULL = the first will do) is called for all of them. */
bool completing_recently(struct controller *c, void (*each)(struct controller *c, struct job *j));

/* passes */
void main_pass(struct controller *c, bool full);
void backfill_cycle(struct controller *c);
void easy_pass(struct controller *c);
bool bf_suspended(const struct controller *c);
void bf_forget(struct controller *c, const struct job *j); /* the record is about to be freed */
struct bf_state *bf_new(struct controller *c);
void bf_free(struct bf_state *b);

/* lifecycle.c */
void job_start(struct controller *c, struct job *j, struct job_alloc *alloc, int by);
void job_set_end(struct controller *c, struct job *j, sec_t end); /* of a running job */
void job_end(struct controller *c, struct job *j, enum job_state state, enum reason why, enum end_cause cause);
void job_end_pending(struct controller *c, struct job *j, enum job_state state, enum reason why);
/* Resources go back at once; the nodes stay COMPLETING until their epilogs are done (C30). */
void give_back_run(struct controller *c, struct job *j);
/* After that: its run ended now; recorded (22.05): one that was suspended ended when it was suspended. */
void set_run_end(struct controller *c, struct job *j);
/* J ends by SIGNAL (C31). CAUSE other than END_BY_SELF: the host has to stop what is left of it. */
void job_signalled(struct controller *c, struct job *j, int signal, enum end_cause cause);
double job_billing(const struct controller *c, const struct job *j); /* P41, P42 on what it holds */
/* shrink.c: J loses NODE and goes on, if it has --no-kill and another one. TOLD: the node is there and stops what runs on it. */
bool job_loses_node(struct controller *c, struct job *j, uint32_t node, bool told);
/* requeue.c: STATE is what accounting writes; HOW: enum requeue_how. After its last epilog job_finish_requeue makes it wait (C40). */
bool job_requeue(struct controller *c, struct job *j, const char *state, enum end_cause cause, unsigned how);
void job_finish_requeue(struct controller *c, struct job *j);
void ctl_refresh_up(struct controller *c);
#endif
