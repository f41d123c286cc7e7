/*
 * stats.h - what sdiag counts: jobs, passes and why they ended, as the real controller counts them.
 *
 * Counters begin at the controller's start and again at each midnight UTC, but for the jobs backfilled since the start. Counted is
 *   submitted  each task of an array, each component of a heterogeneous job, and refusals that used up a job id;
 *   started    each start, also of requeued jobs;
 *   completed  ends by themselves (of a heterogeneous job the leader's), whatever the exit code, and requeues, once the nodes have answered; not time
 *              limits, cancellations and lost nodes; in 26.11 not a requeue that waits for no node, all of them being DOWN;
 *   canceled   by scancel, an array task that had no record yet too, not by a dependency that can never be met;
 *   failed     0: jobs that fail for the daemons' own reasons.
 * (Recorded: the sdiag snapshots of tests/conformance.) Main passes count also without a queue, backfill cycles only with one. Jobs pending and running are
 * counted every 30 s by the loop: in 22.05 a second after the sweep of time limits, in 26.11 with it, before the passes of that turn; suspended jobs are
 * neither. In 22.05 "Last queue length" of a main pass that builds no queue (S38) is the number of all job records, refused and ended ones too.
 */
#ifndef SIM_STATS_H
#define SIM_STATS_H
#include "sched/host.h"

enum main_exit { MAIN_EXIT_END, MAIN_EXIT_DEPTH, MAIN_EXIT_STARTS, MAIN_EXIT_LICENSES, MAIN_EXIT_RPC, MAIN_EXIT_TIME, N_MAIN_EXITS };
enum bf_exit { BF_EXIT_END, BF_EXIT_STARTS, BF_EXIT_TESTS, BF_EXIT_STATE, BF_EXIT_TABLE, BF_EXIT_TIME, N_BF_EXITS };

struct cycle_stats { /* of one scheduler; times in microseconds */
	uint64_t cycles, sum, depth_sum, try_sum, queue_sum, table_sum, yields;
	usec_t last, max;
	uint32_t last_depth, last_try, last_queue, last_table;
	sec_t last_when;
	uint64_t exits[N_MAIN_EXITS]; /* as many as backfill has */
};

struct sim_stats {
	sec_t since; /* 0 = nothing counted yet */
	uint64_t submitted, started, completed, canceled, failed;
	struct cycle_stats main, backfill;
	uint64_t backfilled_het; /* components of heterogeneous jobs, which count among the others too */
	uint64_t backfilled, backfilled_since; /* jobs; since the start, since `since` */
	usec_t count_due;                      /* pinned: when they will be counted again; 0 = not known */
	uint64_t forgotten_before;             /* array tasks without a record, cancelled before `since` */
	bool states_given;                     /* pinned: these moments are given too */
	sec_t states_at;                       /* of the last count */
	uint32_t pending, running;             /* then */
};

/* Names as run.db and sdiag have them; I below N_MAIN_EXITS. */
const char *main_exit_name(guint i);
const char *bf_exit_name(guint i);

struct sim;
struct sim_job;
/* The counters at the run's present moment. */
struct sim_stats sim_stats(struct sim *s);
/* ---- for sim/ alone ---- */
void stats_time(struct sim *s, usec_t t); /* an instant begins: midnight and sweeps may have passed since the last one */
void stats_pass(struct sim *s, const struct pass_stats *p);
void stats_sweep(struct sim *s); /* pinned: a sweep happens now */
void stats_states(struct sim *s); /* pinned: jobs pending and running are counted now */
void stats_refused(struct sim *s); /* a refused job has used up an id: its record stays for MinJobAge */
void stats_closed(struct sim *s, const struct job *job);
/* The nodes of SJ have answered; if it was requeued it counts now. WAITED: they were waited for. */
void stats_requeued(struct sim *s, struct sim_job *sj, bool waited);
#endif
