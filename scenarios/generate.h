/*
 * generate.h - a synthetic month of work for the ready scenario h100-a100-month, as a JSON-lines workload.
 *
 * The month begins on Monday 2026-01-05 and has 31 days. What users do is drawn class by class (debugging, sweeps as
 * arrays, small, one-node and multi-node training, chains, week-long jobs, CPU preprocessing and MPI): when (thinning
 * by a daily and weekly rhythm), who (Zipf over the users, by what their account does), what shape, how long (lognormal
 * or Weibull, heavy-tailed), and what becomes of it (success, early failure, time limit, cancelled while pending or
 * running).
 *
 * Calibration: run times of the training and CPU classes are stretched by one factor per pool (h100, a100, cpu), found
 * by bisection, so that the work offered is the stated share of what the pool's nodes give in the month:
 * GENERATE_LOAD_GPU and GENERATE_LOAD_CPU for GENERATE_JOBS jobs, in proportion for other numbers (3,000 jobs are a
 * tenth of the work). Jobs that are cancelled if still pending may run or not, and with them what depends on them: the
 * load without and with all of these has the target in its middle.
 *
 * Determinism: all draws come from one gsl_rng_mt19937. Same seed and number, same bytes on one platform, also of the
 * gzip file (no time and no name in its head). The generator takes 32 bits, so both halves of the seed are folded; seed
 * 0 is GSL's default, 4357.
 *
 * The partitions, accounts, users and QOS that jobs name are those of scenarios/h100-a100-month/
 * (tests/unit/generate_test.c compares). Every job fits its partition's limits, so none is refused at submission.
 *
 * Format: the first line is {"schema":"whypend-workload/1","start":"2026-01-05T00:00:00"}; then one object a line, `at`
 * ascending, with the keys
 *
 * - name, user, account, partition, qos: always given
 * - at: submission, seconds after the start with three decimals
 * - nodes, ntasks, ntasks_per_node, cpus_per_task, mem, mem_per_cpu, gres, gpus: the shape, as in sbatch's options
 * - time: limit, "D-HH:MM:SS" or minutes
 * - run: seconds that it would run; more than the limit ends in TIMEOUT
 * - exit: exit code; absent is 0
 * - array: "0-19" or "0-19%4"; all tasks share run and exit
 * - depends: "afterok:@NAME" or "afterany:@NAME", NAME of an earlier line
 * - cancel: seconds after submission at which it is cancelled if it is still pending
 * - cancel_run: seconds of running after which it is cancelled; always less than run
 */
#ifndef SCENARIOS_GENERATE_H
#define SCENARIOS_GENERATE_H
#include <glib.h>

#define GENERATE_JOBS 30000 /* the number that the scenario is made for, array tasks counted one by one */
#define GENERATE_JOBS_MAX 1000000
#define GENERATE_LOAD_GPU 0.80 /* share of GPU hours of h100 and of a100 */
#define GENERATE_LOAD_CPU 0.65 /* share of core hours of the CPU nodes */

enum generate_pool { GENERATE_H100, GENERATE_A100, GENERATE_CPU, GENERATE_POOLS };

/* What was drawn. Jobs count array tasks one by one; submissions are lines. */
struct generate_stats {
	guint32 submissions, jobs;
	guint32 arrays, array_tasks;
	guint32 dependent;           /* submissions with `depends` */
	guint32 cancel_pending;      /* submissions with `cancel` */
	guint32 cancel_run;          /* submissions with `cancel_run` */
	guint32 failing, over_limit; /* submissions with another exit code than 0; with run > time */
	guint32 max_gpus;
	double load[GENERATE_POOLS];      /* share of the pool's hours if all that may be cancelled while pending are */
	double load_most[GENERATE_POOLS]; /* the same if none is */
	double stretch[GENERATE_POOLS];   /* factor on run times found by calibration */
};

/* "h100", "a100" or "cpu". */
const char *generate_pool_name(enum generate_pool pool);

/* The whole workload as text. JOBS must be in 1..GENERATE_JOBS_MAX and comes out exactly. STATS may be NULL. Free with
 * g_string_free. */
GString *generate_month_text(guint64 seed, guint32 jobs, struct generate_stats *stats);

/* The same, gzipped into the file OUT, which appears whole or not at all. False and ERROR (G_FILE_ERROR, G_IO_ERROR):
 * JOBS out of range, or the file cannot be written. */
gboolean generate_month(const char *out, guint64 seed, guint32 jobs, GError **error);
#endif
