/*
 * controller.h - the door of the policy library: a Slurm controller without clock, network or files.
 *
 * A host (the simulator, a test, a real daemon) creates a controller over a cluster and calls in with the time:
 *   - what users and machines do: controller_submit, _cancel, _job_exited, _epilog_done, _hold, _update_..., node state;
 *   - the passing of time: controller_tick for the once-a-second loop (S1, S2), controller_backfill for the backfill thread's
 *     turn (B1), controller_priority_tick for the decay thread (P30).
 * The library answers through sched/host.h. Time never goes back. Calls at one instant should come in the order of sim/events.h.
 *
 * Passes asked for by a job's last epilog (S3) run inside controller_run_requested, which the host calls once all
 * that happened at that instant is told, so that several ends at one instant lead to one pass.
 *
 * Skipping (design.md, "Time and determinism"): controller_next_tick tells when a tick can matter again; a pass whose inputs have not
 * changed since the last one of its kind repeats its result without work. With naive = true every tick and pass is done literally.
 */
#ifndef SCHED_CONTROLLER_H
#define SCHED_CONTROLLER_H
#include "sched/cluster.h"
#include "sched/host.h"
#include "sched/job.h"
#include "sched/pace.h"
#include "sched/usage.h"

struct controller;

#define SUBMIT_ERROR (g_quark_from_static_string("submit"))

/* CLUSTER is borrowed and must outlive the controller. START: when slurmctld starts; all its timers count from there (S1). TICK_PHASE: microseconds
 * after the whole second at which the loop turns (0 for 26; any for 22.05). */
struct controller *controller_new(struct cluster *cluster, const struct sched_host *host, usec_t start, usec_t tick_phase, bool naive);
void controller_free(struct controller *c);

/*
 * Submit REQ at NOW. Ownership of REQ passes in all cases. Returns the new record, or NULL and ERROR with Slurm's message when
 * refused; then *REFUSED_ID (may be NULL) is the job id used up by the refused job, 0 if none.
 * Rules: C5, C8a, C11, N2-N8, N60, R10, L65. A batch job never starts here (S6).
 */
struct job *controller_submit(struct controller *c, struct job_request *req, usec_t now, uint32_t *refused_id, GError **error);

/*
 * Submit a heterogeneous job of N >= 2 components (C70, hetjob.h), REQS[0] the leader's. Ownership of the requests (not of the array) passes in
 * all cases. Name, user, dependency, begin time, hold and requeue are the leader's for all. Returns the leader's record; NULL and ERROR as
 * above when any component is refused: then none is there.
 */
struct job *controller_submit_het(struct controller *c, struct job_request **reqs, uint32_t n, usec_t now, uint32_t *refused_id, GError **error);

/* The process of a running job ended by itself with EXIT_CODE / SIGNAL (C30, C31); oom: memory kill. Ignored when the job is not running. */
void controller_job_exited(struct controller *c, struct job *job, int exit_code, int signal, bool oom, usec_t now);
/* The job was lost with its node (C45 without requeue): NODE_FAIL. */
void controller_job_lost(struct controller *c, struct job *job, usec_t now);
/* Epilogs of JOB done on node NODE, or on all its nodes with node = UINT32_MAX. BY_MESSAGE: the last one asks for a quick pass at once (S3); else
 * only the counter is raised. */
void controller_epilog_done(struct controller *c, struct job *job, uint32_t node, bool by_message, usec_t now);

/* Commands. JOB is any record; for an array head they act on the whole array (C26). False and ERROR with scontrol's text when refused. */
bool controller_cancel(struct controller *c, struct job *job, usec_t now, GError **error);
/* Cancel this record alone, also a split task whose id is the array's. */
bool controller_cancel_record(struct controller *c, struct job *job, usec_t now, GError **error);
/* Turn TASK of an array head into a pending record of its own (C26); the head itself when it is the last one. */
struct job *controller_split_task(struct controller *c, struct job *head, uint32_t task, usec_t now);
/* Cancel one task of an array, split off or not (C26). */
bool controller_cancel_task(struct controller *c, uint32_t array_id, uint32_t task, usec_t now, GError **error);
bool controller_hold(struct controller *c, struct job *job, bool by_user, usec_t now, GError **error);
bool controller_release(struct controller *c, struct job *job, const char *user /* NULL = root */, usec_t now, GError **error);
/* The same for this record alone, also a split task whose id is the array's. */
bool controller_hold_record(struct controller *c, struct job *job, bool by_user, usec_t now, GError **error);
bool controller_release_record(struct controller *c, struct job *job, const char *user, usec_t now, GError **error);
/* scontrol suspend and resume of one record (C43, E30). */
bool controller_suspend(struct controller *c, struct job *job, usec_t now, GError **error);
bool controller_resume(struct controller *c, struct job *job, usec_t now, GError **error);
enum requeue_how {
	REQUEUE_HOLD = 1,       /* held from then on (requeuehold) */
	REQUEUE_SPECIAL = 2,    /* held as SPECIAL_EXIT (requeuehold State=SpecialExit) */
	REQUEUE_INCOMPLETE = 4, /* only if it runs; others are left alone without a word */
	REQUEUE_RECORD = 8     /* this record alone, also a split task whose id is the array's */
};
/* A job that runs, is suspended, or has ended and is still remembered (C40, C41); all components of a heterogeneous one, all tasks of an array. HOW:
 * of enum requeue_how. */
bool controller_requeue(struct controller *c, struct job *job, unsigned how, usec_t now, GError **error);
/*
 * scontrol update job: each KEY (any case) becomes its VALUE; NULL: the key stood alone ("nice", "ResetAccrueTime"). USER: who asks, NULL or
 * "root" = an operator. Keys, and what each does: sched/update.c. Users may only ask for less: a shorter limit (of a waiting job up to the
 * partition's), a larger nice value; QOS that they may use. What an operator sets is not tested against limits any more (L2). The priority is
 * computed anew, also after a refusal (P11d). False and ERROR with scontrol's text when refused; what was set before it stays. Its code: 0 =
 * the text is of one job; UPDATE_LINE = scontrol's own, of the line; UPDATE_TASKS = a line for each group of tasks ("5_2-3: No error").
 */
struct job_setting { const char *key, *value; };
enum update_error { UPDATE_JOB, UPDATE_LINE, UPDATE_TASKS };
/* ALONE: this record alone, also a split task whose id is the array's. */
bool controller_update_job_set(struct controller *c, struct job *job, bool alone, const char *user, const struct job_setting *set, uint32_t n,
                               usec_t now, GError **error);
/* What scontrol itself finds wrong with a line for JOB (NULL: any): unknown keys, bad values. Nothing is changed. */
bool controller_check_job_update(const struct job *job, const struct job_setting *set, uint32_t n, usec_t now, GError **error);
/* One setting. */
bool controller_update_job(struct controller *c, struct job *job, const char *key, const char *value, usec_t now, GError **error);
bool controller_update_job_by(struct controller *c, struct job *job, const char *user, const char *key,
                              const char *value, usec_t now, GError **error);
/* scontrol top (P22): JOBS go before the other jobs of the first one's user, account, partition and QOS, at their cost.
 */
bool controller_top(struct controller *c, struct job *const *jobs, uint32_t n, const char *user, usec_t now,
                    GError **error);
/* One key of a partition; all of them, creating and deleting: sched/update.h. */
bool controller_update_partition(struct controller *c, const char *partition, const char *key, const char *value, usec_t now, GError **error);
/* For hosts: STATE of NODES, whatever theirs is now (what scontrol may do: sched/update.h). Drain, down, fail, undrain, resume, idle, future, noresp and lost (as
 * NODE_SILENT and NODE_LOST below), power_up, power_down, power_down_asap, power_down_force; and "responding", the node's answer to being asked to
 * register (C52). REASON may be NULL. */
bool controller_update_node(struct controller *c, const char *nodes, const char *state, const char *reason, usec_t now, GError **error);

/*
 * What a node's daemon does, not an administrator (C45, C46). NODE_SILENT: it does not answer ("*", no new jobs); NODE_LOST: nor did it for
 * SlurmdTimeout: DOWN, its jobs are lost or requeued; NODE_REGISTERS: it is there again; DOWN stays unless ReturnToService lets it come back.
 */
enum node_news { NODE_SILENT, NODE_LOST, NODE_REGISTERS };
void controller_node_news(struct controller *c, uint32_t node, enum node_news news, usec_t now);

/*
 * scontrol reboot (power.h): ASAP drains the nodes first; NEXT: "resume", "down" or NULL; REASON may be NULL. Nodes that reboot already are left as
 * they are. CANCEL: scontrol cancel_reboot; refused once it is issued.
 */
bool controller_reboot(struct controller *c, const char *nodes, bool asap, const char *next, const char *reason, usec_t now, GError **error);
bool controller_cancel_reboot(struct controller *c, const char *nodes, usec_t now, GError **error);
/* Power saving and reboots: the turn at NOW. next: the earliest one > NOW that can matter; INT64_MAX = none. */
void controller_power(struct controller *c, usec_t now);
usec_t controller_next_power(const struct controller *c, usec_t now);
/* For the ideal clock: jobs whose nodes have booted begin now, not at a sweep. */
void controller_begin_configured(struct controller *c, usec_t now);

/* The accounts, users or QOS of the cluster's acct were changed, added or deleted (sacctmgr): what was set counts from
 * now on (L29), new associations begin to have shares (P45d), jobs whose association or QOS has gone wait as
 * InvalidAccount or InvalidQOS (R11, R14). */
void controller_accounting_changed(struct controller *c, usec_t now);

/* The nodes answer the first round of a controller that has just begun (ping.h): that asks for a pass (S3). */
void controller_nodes_register(struct controller *c, usec_t now);

/* The once-a-second loop's turn at NOW (S1, S2). */
void controller_tick(struct controller *c, usec_t now);
/* That turn has come a hair early and read the second before (S2): what is due at this second comes with the next one. */
void controller_miss_tick(struct controller *c, usec_t now);
/* The earliest turn > NOW of the loop that can matter; INT64_MAX when none can. */
usec_t controller_next_tick(const struct controller *c, usec_t now);
/* Full passes with nothing to do, left out since SINCE: how many, and when the last one would have been. */
struct idle_passes { uint64_t n; sec_t last; };
struct idle_passes controller_idle_passes(const struct controller *c, usec_t now, sec_t since);
/* Run the quick pass that the last calls asked for, if any. */
void controller_run_requested(struct controller *c, usec_t now);
/* The earliest time > NOW at which a pass asked for may begin, when sched_min_interval puts it off (S7); INT64_MAX = none waits. */
usec_t controller_next_requested(const struct controller *c, usec_t now);
/* For the ideal and pinned clocks: what the loop does about reservations that have begun or ended (C62). */
void controller_reservations(struct controller *c, usec_t now);
/* The earliest time > FROM at which a reservation begins or ends, in case a job waits for that; recurring ones count a few times only. */
usec_t controller_reservation_change(const struct controller *c, usec_t from);
/* The earliest time > NOW at which a reservation begins or ends, or the loop does something about one (C62); INT64_MAX = none. */
usec_t controller_next_reservation(const struct controller *c, usec_t now);
/* The backfill thread looks at NOW; runs a cycle if B1-B2 allow. next: the earliest time > NOW at which it would look and run. */
void controller_backfill(struct controller *c, usec_t now);
usec_t controller_next_backfill(const struct controller *c, usec_t now);
/* The thread wakes next BY later, or sooner; not while a cycle has yielded. */
void controller_shift_backfill(struct controller *c, usec_t by);
/* Gang scheduling: the change of turns (E28). next: the earliest one > NOW that can matter; INT64_MAX = none. */
void controller_slice(struct controller *c, usec_t now);
usec_t controller_next_slice(const struct controller *c, usec_t now);
/* The decay thread (P30). next: INT64_MAX when priorities do not change by time. */
void controller_priority_tick(struct controller *c, usec_t now);
usec_t controller_next_priority_tick(const struct controller *c, usec_t now);
/* How the loops of a real controller depart from the clock: each turn of the once-a-second loop takes SLIP microseconds more than a second (0; recorded:
 * 1500 in 22.05), and the threads of backfill and gang scheduling (E28) begin BACKFILL_PHASE after the controller. Call once, before time goes on. */
void controller_set_loops(struct controller *c, usec_t slip, usec_t backfill_phase);
/* The first turn of the once-a-second loop after T, and the first whole second that belongs to a turn (more than one where it has slipped past another). */
usec_t controller_turn_after(const struct controller *c, usec_t t);
sec_t controller_first_second(const struct controller *c, usec_t turn);
/* The first round of pings comes AFTER seconds after the controller's start, not 4 (ping.h). Call once, before time goes on. */
void controller_first_ping(struct controller *c, sec_t after);
/* The decay thread begins BY later than the controller. Call once, before time goes on. */
void controller_delay_decay(struct controller *c, usec_t by);
/* For the ideal and pinned clocks: one pass, or one sweep of time limits (C34), here and now. */
void controller_pass(struct controller *c, enum pass_kind kind, usec_t now);
void controller_sweep(struct controller *c, usec_t now);
void controller_purge(struct controller *c, usec_t now); /* C38 */
/* With ideal time limits a job ends at its limit, not at a sweep: end JOB by its time limit now. */
void controller_time_limit(struct controller *c, struct job *job, usec_t now);

/* Looking */
struct cluster *controller_cluster(const struct controller *c);
const struct usage *controller_usage(const struct controller *c);
/* Job list in creation order, purged ones gone: i-th of controller_n_jobs. */
uint32_t controller_n_jobs(const struct controller *c);
struct job *controller_job(const struct controller *c, uint32_t i);
struct job *controller_find_job(const struct controller *c, uint32_t id);                 /* NULL; a head or single by its id */
struct job *controller_find_task(const struct controller *c, uint32_t array_id, uint32_t task); /* split task's record, or the head that still holds it */
uint32_t controller_next_id(const struct controller *c);                                  /* the job id that the next submission will take */
uint32_t controller_n_running(const struct controller *c);
uint64_t controller_n_forgotten(const struct controller *c); /* array tasks cancelled before they had a record of their own */
uint32_t controller_n_suspended(const struct controller *c); /* of those running */
/* S38: the main pass of sched/builtin in 22.05 walks the list of all job records, finished ones among them: their number; 0 = it builds a queue. */
uint32_t controller_fifo_records(const struct controller *c);
uint32_t controller_n_pending(const struct controller *c); /* array tasks counted singly */
/* Jobs running and pending in list order: first, then job->next. */
struct job *controller_first_pending(const struct controller *c);
struct job *controller_first_running(const struct controller *c);
/* Name of node state as sinfo prints it: "idle", "mix", "alloc", "drain*"... (C51). Static. */
const char *controller_node_state(const struct controller *c, const struct node *n, bool compact);
#endif
