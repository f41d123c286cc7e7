/*
 * replay_truth.h - how true a replay is: the starts of a run against those that the trace records, from run.db.
 *
 * Only first runs count that started both in the trace (job.real_start) and in the simulation; what started in one of them
 * alone is counted apart. Words:
 *
 * - Error: simulated start - recorded start in whole seconds; above 0 the simulated job started later.
 * - Wait: start - submission in whole seconds, of either. (The summary's own waits count from eligible, which a trace need not tell.)
 * - Correlation: Pearson's and Spearman's of recorded and simulated waits, -1..1; NAN when all waits of a side are equal, or fewer than 3.
 * - In use: CPUs that the simulation gave each run, times its recorded (or simulated) time of running, over the time from the first
 *   submission to the last end of all these jobs on that side, times meta's cpus; 0..1. The recorded end of a job that still
 *   ran when the trace was taken is not known: the job is left out on both sides.
 */
#ifndef TOOLS_REPLAY_TRUTH_H
#define TOOLS_REPLAY_TRUTH_H
#include <cjson/cJSON.h>
#include <glib.h>
#include <stdio.h>

struct sqlite3;

struct wait_side { /* seconds */
	double mean, median, p90;
};

struct replay_truth {
	guint64 jobs;                           /* 0: the trace records no starts, or none of them was simulated; the rest is 0 */
	guint64 only_recorded, only_simulated;  /* first runs that started on one side alone */
	double mean, median, p10, p90;          /* of the error, seconds */
	double minute, ten_minutes, hour;       /* shares 0..1 of errors at most so large */
	struct wait_side recorded, simulated;
	double correlation, rank_correlation;
	double recorded_use, simulated_use;     /* 0 when meta's cpus are not known */
};

/* False and ERROR (G_IO_ERROR) when DB cannot be read. A run.db of before real_start was recorded has 0 jobs. */
gboolean replay_truth_read(struct sqlite3 *db, struct replay_truth *t, GError **error);
/* Nothing is printed when T has no jobs. */
void replay_truth_text(FILE *out, const struct replay_truth *t);
void replay_truth_json(cJSON *root, const struct replay_truth *t);
#endif
