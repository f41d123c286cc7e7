/*
 * compare.h - whypend compare: two or more runs of one trace side by side; who wins, who loses, and why.
 *
 *   compare.c        the comparison: pairs of jobs, metrics, classes, windows, the jobs that changed most
 *   compare_why.c    the wait of a job in a line
 *   compare_runs.c   making the runs: replicas and windows of a scenario, in processes of their own on all cores
 *   compare_conf.c   what differs in configuration and inputs
 *   compare_text.c, compare_data.c   text and Markdown; JSON and CSV
 *
 * A is the first side; every other is compared with it. A job of A and one of B are a pair when they are the same in
 * the trace (run_job.key) and were submitted at the same time by the same user. The class of a pair is that of A.
 *
 * What an interval speaks of. Without replicas there is one run each, and the difference for this trace is known
 * exactly; the 95 % interval says what the difference of means is likely to be for such times in general: 10 windows of
 * the run are the units (bootstrap.h). With replicas it is the mean over perturbations of this trace
 * (scenarios/replica.h): replica k of every side gets the same perturbation. Metrics of sums are pooled over replicas,
 * quantiles and fairness are means over them.
 *
 * Replicas of a long trace are windows of it: each a stretch of the perturbed trace at a place drawn at random within
 * its own N-th of the time, with a warm-up before it (a third of the window; it begins with the jobs that run into it)
 * and a while behind it (a quarter), which count for nothing but their effect on the window. A job still waiting when
 * that ends counts with its wait until then. This is done, and told, when whole replicas would come to more than
 * COMPARE_BUDGET jobs simulated; --windows whole asks for whole ones, --windows SPAN for windows of that length.
 */
#ifndef TOOLS_COMPARE_H
#define TOOLS_COMPARE_H
#include "scenarios/scenario.h"
#include "tools/bootstrap.h"
#include "tools/metrics.h"
#include <stdio.h>

enum {
	COMPARE_BUDGET = 40000 /* jobs simulated in all before replicas become windows */,
	COMPARE_CHANGES = 10,
	COMPARE_FEW = 300 /* jobs */
};

struct sqlite3;

/* ---- runs ---- */

struct compare_run {
	struct sqlite3 *db;    /* owned */
	struct run_rows *rows; /* owned */
	struct windows window; /* n = 0: the whole run; n = 3: of which the middle one counts */
};

struct compare_side {
	char name;                              /* 'A', 'B' ... */
	char *what;                             /* owned: "fast.db", "as given", "bf_window=4320" */
	const struct scenario_options *options; /* borrowed; NULL: a run.db */
	GPtrArray *runs;                        /* of struct compare_run *, one a replica */
};
struct compare_side *compare_side_new(char name, const char *what, const struct scenario_options *options);
void compare_side_free(void *side);

struct compare_plan {
	uint32_t replicas; /* 0 = one run each, as given */
	uint64_t seed;
	int64_t windows;    /* --windows: > 0 a number; 0 not given; -1 whole */
	usec_t span;        /* --windows as a length; 0 = not given */
	uint32_t processes; /* 0 = one a processor */
	/* filled by compare_make_runs */
	usec_t length, warm_up, after; /* of replicas that are windows; 0 = whole */
};
/* Run every side (struct compare_side *, all with options). WARNINGS: char *, added to. NULL and ERROR. *CODE:
 * EXIT_USAGE, EXIT_RUN. */
bool compare_make_runs(GPtrArray *sides, struct compare_plan *plan, GPtrArray *warnings, int *code, GError **error);
/* Read SIDE's run from the run.db at PATH. */
bool compare_read_run(struct compare_side *side, const char *path, GError **error);

/* ---- what differs ---- */

struct conf_change {
	char *file, *head, *a, *b;
};                                                             /* owned; a or b NULL: the line is not there */
GPtrArray *compare_conf(struct sqlite3 *a, struct sqlite3 *b); /* of struct conf_change *, owned by the array */

/* ---- the comparison ---- */

struct effect {
	double a, b, difference;
	struct interval i;
};
struct class_effect {
	enum class_kind kind;
	const char *name;   /* of A's rows */
	double jobs, hours; /* hours of waiting more in B, in all */
	struct effect wait, slowdown;
};
struct window_effect {
	usec_t from, to;
	double jobs;
	struct effect wait;
};
struct job_change {
	const struct run_job *a, *b;
	guint replica;       /* 0 = the first or only one */
	char *why_a, *why_b; /* owned */
};

struct comparison { /* of one side with A */
	const struct compare_side *a, *b;
	struct job_class only; /* --by user=ann: metrics of these jobs */
	guint units;           /* windows or replicas behind the intervals; 0 = no intervals */
	double widen;
	usec_t unit_length; /* of windows of one run */
	struct effect metric[N_METRICS];
	GArray *classes; /* of struct class_effect: kind by kind, the largest change first */
	GArray *windows; /* of struct window_effect: windows of one run, or replicas that are windows */
	GArray *changes; /* of struct job_change, the largest first */
	GPtrArray *conf; /* of struct conf_change * */
	guint64 pairs, moved, only_a, only_b, waiting_a, waiting_b; /* moved: other start or end */
	bool same;
};
/* ONLY (NULL = all jobs) is copied. NULL and ERROR: runs of different traces, no job of that class. */
struct comparison *compare_sides(struct compare_side *a, struct compare_side *b, const struct compare_plan *plan,
                                 const struct job_class *only, GError **error);
void comparison_free(void *c);

/* One or two lines: "waited 1h50m: Priority 1h30m behind job 12, Resources 20m". g_free. */
char *compare_why(struct sqlite3 *db, const struct run_job *j);

/* ---- output ---- */

struct compare_output {
	const GPtrArray *sides, *pairs; /* struct compare_side *, struct comparison * */
	const struct compare_plan *plan;
	int by;       /* enum class_kind to be shown whole; -1 = the largest of each kind */
	bool windows; /* asked for */
};
void compare_text(FILE *out, const struct compare_output *o, bool markdown);
void compare_json(FILE *out, const struct compare_output *o);
void compare_csv(FILE *out, const struct compare_output *o);
#endif
