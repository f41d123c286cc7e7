/*
 * summary_data.h - the numbers of a run's summary, taken from run.db; summary.h prints them.
 *
 * Definitions (the words of the printed summary mean exactly this):
 *
 * - A job is counted once, by the state of its last run; the first word of it ("CANCELLED by 1000" is CANCELLED). The
 *   record of an array's tasks that never started ("[3-7%2]") counts as its number of tasks.
 * - Wait: Start - Eligible in whole seconds, as sacct's Planned, of first runs that started; waits after a requeue are
 *   not in it. Without an eligible time the submission counts.
 * - Makespan: from the first submission to the last end. Jobs that never ended are counted up to the end of the run.
 * - Utilisation: allocated CPUs (GPUs) of table series, integrated over the makespan, divided by makespan times meta's
 *   cpus (gpus). Nodes that are down count as idle.
 * - Stranded GPUs: table stranded, integrated over the makespan, divided by it.
 * - Reason: time in table wait by reason, over all records and runs.
 * - Work lost: running time of runs cut short that no checkpoint saved (sim/checkpoint.h), times the CPUs and GPUs held.
 * - Replay against the record: replay_truth.h.
 * - Passes cut short: those of table pass that a cap ended before their queue.
 * - Simulated time: meta's start to end, else the makespan.
 */
#ifndef TOOLS_SUMMARY_DATA_H
#define TOOLS_SUMMARY_DATA_H
#include "sched/base/duration.h"
#include "tools/replay_truth.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct sqlite3;

struct wait_stats {
	uint64_t jobs;                      /* 0: the rest is 0 */
	double mean, median, p90, p99, max; /* seconds */
};

struct wait_group { /* of a partition or QOS */
	char *name;
	struct wait_stats wait;
};

struct tally { /* something counted */
	char *name;
	uint64_t count;
	uint64_t first_line; /* of left-out lines; 0 = none */
};

struct loss { /* work lost, by cause */
	char *name;
	uint64_t runs;
	double cpu_hours, gpu_hours;
};

struct share { /* part of all waiting time */
	char *name;
	double hours, share; /* share of all: 0..1 */
};

struct use {
	uint64_t total;     /* CPUs or GPUs of the cluster; 0 = none or not known */
	double utilisation; /* 0..1; 0 when total or the makespan is 0 */
};

/* All arrays own their names and are sorted: by size, largest first, then by name. */
struct summary {
	char *cluster, *version, *seed; /* of meta, owned; NULL = absent */
	uint64_t nodes;                 /* 0 = not known */
	uint64_t jobs, runs;            /* runs: records of jobs, a requeued job has several */
	GArray *states;                 /* struct tally */
	GArray *refused, *left_out;     /* struct tally */
	uint64_t n_refused, n_left_out;
	struct wait_stats wait;
	GArray *by_partition, *by_qos; /* struct wait_group */
	struct use cpus, gpus;
	double stranded;       /* free GPUs that no waiting job can use, mean over the makespan; see sched/stranded.h */
	uint64_t stretched;    /* runs made longer by the placement model */
	double stretched_hours; /* by so much in all */
	GArray *stranded_by;   /* struct share: of that, by cause; hours are GPU hours */
	GArray *losses;  /* struct loss */
	GArray *reasons; /* struct share */
	GArray *cut;     /* struct tally: passes that a cap ended, "backfill: bf_max_job_test" */
	uint64_t n_cut;
	GArray *estimates; /* struct estimate_group */
	struct replay_truth replay;
	double waiting_hours;
	usec_t first_submit, last_end; /* both 0 when there are no jobs */
	double makespan;               /* seconds */
	double simulated;              /* seconds */
};

/* Read DB. The caller frees with summary_free. NULL and ERROR (G_IO_ERROR) when DB cannot be read. */
struct summary *summary_collect(struct sqlite3 *db, GError **error);
void summary_free(struct summary *s); /* NULL is allowed */

/* Number of tasks in "[3-7%2]", "[1,4-9]", "[1-199:3]"; 1 when the text is something else. */
uint64_t summary_count_tasks(const char *text);
#endif
