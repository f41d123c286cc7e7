/*
 * metrics.h - the jobs of a finished run, read from its run.db, and what they come to: whole, by class, by window of
 * time.
 *
 * Job: a row here is a job, or one task of an array that started; runs of a requeued job are one row. What never
 * started of an array is one row too and counts as its tasks in METRIC_JOBS alone.
 *
 * Definitions (jobs of the class only):
 *
 * - Wait: start of the first run - eligible, in whole seconds, as sacct's Planned and whypend's summary. A job that
 * still waits when the record ends counts with its wait until then, so that starving jobs are not overlooked; one that
 * ended without a start (cancelled) or was never eligible has no wait.
 * - Bounded slowdown (Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong, JSSPP 1997): max(1, (end - eligible) /
 * max(run time, 10 s)), of jobs that started and ended; of a requeued job the end and the run time are those of its
 * last run, so that work thrown away counts as delay.
 * - Utilisation: CPU (GPU) time held by the jobs, suspended time not, over all CPUs (GPUs) of the cluster times the
 * time from the first submission to the last end. Of a class it is the part of the cluster that the class used.
 * - Lost: running time that no checkpoint saved, of runs that failed, were preempted or requeued or ran into their
 * limit, times CPUs (GPUs).
 * - Fairness: x = usage / share of each user who submitted; usage in billing seconds held, share the normalised shares
 * of the user's associations (table share; 1 without accounting). Jain (1984): (sum x)^2 / (n sum x^2), 1 = equal;
 * Gini: mean absolute difference over twice the mean, 0 = equal.
 * - Estimates: of the start times that backfill published (table estimate), the shares that came true within a minute,
 *   and later than told by more than that.
 * - Quantiles: GSL's, with linear interpolation.
 *
 * Windows cut the time from the first to the last submission into equal parts; a job belongs to that of its submission,
 * CPU and GPU time to that in which it passed (after the last submission: the last). measure_get with weights tells
 * what the metric would be if window k had happened weight[k] times: the block bootstrap of compare needs no more.
 */
#ifndef TOOLS_METRICS_H
#define TOOLS_METRICS_H
#include "sched/base/duration.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct sqlite3;
#define METRICS_ERROR (g_quark_from_static_string("metrics"))
#define METRICS_TAU 10.0 /* seconds: bound of the slowdown */

/* ---- rows ---- */

enum class_kind {
	CLASS_ALL,
	CLASS_USER,
	CLASS_ACCOUNT,
	CLASS_QOS,
	CLASS_PARTITION,
	CLASS_SIZE,
	CLASS_GPU,
	N_CLASS_KINDS
};

struct run_span { /* a run that held something */
	usec_t from, to, suspended;
	uint32_t cpus, gpus;
};

struct run_job {                          /* texts belong to the run */
	const char *key;                  /* the same in every run of the same trace */
	const char *id;                   /* "12", "12_3" */
	const char *label;                /* NULL */
	const char *asked;                /* TRES as sacct's ReqTRES */
	const char *class[N_CLASS_KINDS]; /* by kind: "" for all, the user's name, ... "none" without */
	uint32_t job, tasks, runs;
	usec_t submit;
	sec_t eligible, start, end; /* first start; end of the last run; 0 = not */
	bool started, waiting;      /* waiting: when the record ended */
	double wait, slowdown;      /* NaN = has none */
	uint32_t preempted, requeued;
	double lost_cpu, lost_gpu; /* hours */
	double usage;              /* billing seconds */
	uint32_t estimates, right, late;
	guint span, n_spans; /* in run_rows.spans */
};

struct run_rows {
	GArray *jobs;        /* of struct run_job, by submission, then id */
	GArray *spans;       /* of struct run_span */
	GHashTable *shares;  /* user -> double *; empty without accounting */
	uint64_t cpus, gpus; /* of the cluster */
	usec_t first, last_submit,
	    last; /* first submission, last submission, last end or end of the record; 0 without jobs */
	GStringChunk *texts;
};

/* Read DB, which is a run.db or recorder_db of a run whose record is closed (sim_close_record). NULL and ERROR. */
struct run_rows *run_rows_read(struct sqlite3 *db, GError **error);
void run_rows_free(struct run_rows *r); /* NULL is allowed */
/* Open the run.db at PATH for reading. NULL and ERROR with the path: no such file, no run.db. sqlite3_close. */
struct sqlite3 *run_db_open(const char *path, GError **error);

/* "user", "account", "qos", "partition", "size", "gpu"; "all". False when NAME is none of them. */
bool class_kind_find(const char *name, enum class_kind *kind);
const char *class_kind_name(enum class_kind kind);

struct job_class {
	enum class_kind kind;
	char *name;
}; /* name owned; NULL = all of the kind */
/* "all", "user", "user=ann", "size=2-4 GPUs". False and ERROR (METRICS_ERROR: what would be right). */
bool job_class_parse(const char *text, struct job_class *c, GError **error);
void job_class_clear(struct job_class *c);
bool job_class_has(const struct job_class *c, const struct run_job *j); /* C NULL: every job */
/* The classes of KIND that have jobs, sorted by name as numbers go; borrowed texts. g_ptr_array_unref. */
GPtrArray *run_rows_classes(const struct run_rows *r, enum class_kind kind);

/* Number of tasks in "0-7%2" of sbatch --array. */
uint64_t array_count_tasks(const char *text);

/* ---- metrics ---- */

enum metric {
	METRIC_JOBS,
	METRIC_STARTS,
	METRIC_WAIT_MEAN,
	METRIC_WAIT_MEDIAN,
	METRIC_WAIT_P95,
	METRIC_WAIT_MAX,
	METRIC_SLOWDOWN_MEAN,
	METRIC_SLOWDOWN_P95,
	METRIC_CPU_USE,
	METRIC_GPU_USE,
	METRIC_PREEMPTED,
	METRIC_REQUEUED,
	METRIC_LOST_CPU,
	METRIC_LOST_GPU,
	METRIC_JAIN,
	METRIC_GINI,
	METRIC_ESTIMATE_RIGHT,
	METRIC_ESTIMATE_LATE,
	N_METRICS
};
enum metric_unit { UNIT_COUNT, UNIT_SECONDS, UNIT_RATIO, UNIT_SHARE /* 0..1, printed in % */, UNIT_HOURS };
struct metric_info {
	const char *name; /* "wait_mean": of --json, --csv and of scenarios' expectations */
	const char *text; /* "wait, mean" */
	enum metric_unit unit;
	int better; /* -1: less is better; +1: more; 0: neither */
};
const struct metric_info *metric_info(enum metric m);
/* False when NAME is no metric. */
bool metric_find(const char *name, enum metric *m);
/* "1h28m", "12.5 %", "17"; DIFFERENCE: with its sign. "-" for NaN. g_free. */
char *metric_format(enum metric m, double value, bool difference);

struct windows {
	usec_t from, length;
	guint n;
}; /* n >= 1 */

/* The window that T falls into: 0..n-1; the first and the last are open. */
guint windows_at(const struct windows *w, usec_t t);

/* The jobs of class C (NULL = all), counted by window W (NULL = one). */
struct measure;
struct measure *measure_new(const struct run_rows *r, const struct job_class *c, const struct windows *w);
void measure_free(struct measure *m); /* NULL is allowed */
/* NaN where there is nothing to measure. WEIGHTS [windows]: how often each counts; NULL = once. */
double measure_get(const struct measure *m, enum metric metric, const uint32_t *weights);

/*
 * The sums behind METRIC by window [windows]: sum(over) / sum(under), or sum(over) with *UNDER NULL (a total). False
 * for what is no such ratio: quantiles, the longest wait, fairness. Borrowed from M.
 */
bool measure_parts(const struct measure *m, enum metric metric, const double **over, const double **under);

/* The values of one class in one call: measure_new, N_METRICS times measure_get, measure_free. */
void metrics_of(const struct run_rows *r, const struct job_class *c, double values[N_METRICS]);
#endif
