/*
 * lint_trace.h - what a trace says about the jobs of a site: numbers that the checks hold against the settings.
 */
#ifndef TOOLS_LINT_TRACE_H
#define TOOLS_LINT_TRACE_H
#include "scenarios/scenario.h"
#include "traces/workload.h"

struct lint_job {
	sec_t submit, start, end; /* start, end 0 = the trace does not tell */
	uint32_t limit;           /* minutes; NO_VAL = none given; INFINITE */
	uint32_t run;             /* seconds */
	uint32_t tasks;           /* of an array; else 1 */
	uint32_t node_cpus;       /* CPUs asked on one node at least: tasks per node x CPUs per task; 0 = not told */
	bool depends;             /* has a dependency */
	bool expedite;            /* --requeue=expedite */
	const char *partition;    /* NULL = the default one */
};

struct lint_trace {
	GArray *jobs; /* of struct lint_job: one a submission */
	uint64_t n;   /* jobs: each task of an array counts */
	sec_t first, last;
	/* seconds that the queue was so deep: of gint64, index = pending submissions; NULL = not known */
	GArray *depth;
	bool simulated;     /* depth comes from a run, not from the trace's own starts */
	sec_t waiting;      /* seconds in which somebody waited */
	uint32_t peak;      /* most pending submissions */
	uint32_t peak_jobs; /* most job records together: a pending array is one, each task that runs is one */
	GStringChunk *names;
};

/* An empty one; add every submission, then finish. */
struct lint_trace *lint_trace_new(void);
void lint_trace_add(struct lint_trace *t, const struct submission *s);
void lint_trace_finish(struct lint_trace *t);
void lint_trace_free(struct lint_trace *t);
/*
 * Take the depth of the queue from a run of the scenario that O describes, instead of the starts that the trace tells:
 * what each pass found in the queue holds until the next one. STOP as in sim_run. False and ERROR when the run fails.
 */
bool lint_trace_run(struct lint_trace *t, const struct scenario_options *o, const volatile int *stop, GError **error);

/* Of the time in which somebody waited: the share with more than DEPTH pending submissions; 0 when not known. */
double lint_depth_share(const struct lint_trace *t, uint32_t depth);
/* The depth that is exceeded for SHARE of that time. */
uint32_t lint_depth_at(const struct lint_trace *t, double share);
double lint_trace_days(const struct lint_trace *t); /* from the first to the last submission, at least a second */

/* Share of the jobs for which WANTED says yes, 0..1. */
typedef bool lint_job_test(const struct lint_job *j, const void *data);
double lint_job_share(const struct lint_trace *t, lint_job_test *wanted, const void *data);
#endif
