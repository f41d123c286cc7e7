/*
 * workload.h - what was submitted, and what really happened to it: the one type that all trace readers give.
 *
 * A reader is opened on a file (plain or gzip, decided by its first bytes), gives submissions in ascending order of time
 * (equal times in file order), and counts every line that it could not turn into one by cause, so that
 * lines = replayed + left out by cause. A damaged line is never fatal; a file that is no trace of the format is.
 * One reader, one file (swf.c, sacct.c, jsonl.c): see workload_formats in workload.c.
 */
#ifndef TRACES_WORKLOAD_H
#define TRACES_WORKLOAD_H
#include "sched/base/diag.h"
#include "sched/base/duration.h"
#include "sched/request.h"
#include "traces/steps.h"
#include <glib.h>

enum outcome_end {
	OUTCOME_EXIT,            /* runs run_time, then exits with exit_code */
	OUTCOME_CANCEL_RUNNING,  /* scancel after run_time of running */
	OUTCOME_NODE_FAIL,       /* lost to a node failure after run_time (replayed as an end in NODE_FAIL, no requeue) */
	OUTCOME_OOM,             /* OUT_OF_MEMORY after run_time */
	OUTCOME_HANG,            /* never ends by itself: runs until its time limit */
};

struct outcome {
	usec_t run_time;         /* microseconds of running; >= 0 */
	int exit_code, signal;
	uint32_t exit_runs;      /* so many runs end so, later ones with 0 (RequeueExit); 0 = all */
	enum outcome_end end;
	usec_t cancel_after;     /* scancel this long after submission if still pending; -1 = never */
	/* sim/checkpoint.h; 0 = none */
	usec_t startup, checkpoint, checkpoint_cost, restart_cost;
	bool ignores_term;      /* does not end at SIGTERM: only KillWait later, at SIGKILL */
	bool checkpoint_signal; /* saves itself when it is told that its end is near */
	uint64_t max_rss;        /* MiB on the fullest node; 0 = unknown */
	/* what the real system did, for comparison; 0 = unknown */
	sec_t real_start, real_end, real_eligible;
};

struct task_outcome { uint32_t task; struct outcome outcome; };

struct submission {
	usec_t at;               /* when sbatch was called */
	struct job_request *request; /* owned */
	struct job_request **het; /* owned; the components after the first of a heterogeneous job; NULL */
	uint32_t n_het;          /* their number; 0 = an ordinary job */
	struct outcome outcome;  /* of a heterogeneous job as a whole */
	struct task_outcome *tasks; /* owned; exceptions for single array tasks, ascending; NULL */
	uint32_t n_tasks;
	struct job_steps *steps; /* owned; NULL = the batch step alone */
	uint64_t trace_id;       /* job number in the trace (job id), 0 = none */
	char *label;             /* owned; NULL. A name by which commands and dependencies may refer to the job: "@NAME" */
	uint64_t line;           /* line in the file */
};
struct submission *submission_new(void); /* zeroed, cancel_after -1, a fresh request */
void submission_free(struct submission *s);

struct workload_cause { char *text; uint64_t count; uint64_t first_line; }; /* why lines were left out */

struct workload_info {
	uint64_t lines;          /* data lines read (comments, headers and blank lines not counted) */
	uint64_t replayed;       /* submissions given or to be given */
	GPtrArray *causes;       /* of struct workload_cause *, in order of first appearance; sum of count + replayed = lines */
	/* from the header, 0 / NULL = not told */
	uint32_t max_nodes, max_procs;
	sec_t unix_start;
	char *time_zone;         /* owned */
	GPtrArray *partitions;   /* of char *: names that jobs use, in order of first appearance */
	GPtrArray *notes;        /* of char *: what the reader assumed ("12 limits raised to the run time") */
};

struct workload_options {
	const char *format;      /* "swf", "sacct", "jsonl", or NULL: by file name and first line */
	bool strict;             /* any line left out is an error */
	const char *columns;     /* sacct without a header: the column list */
	bool swf_whole_nodes;    /* CPUs become ceil(CPUs / CPUs per node) whole nodes (MaxProcs/MaxNodes of the header) */
	bool raise_limits;       /* a run time above the limit raises the limit instead of ending in TIMEOUT */
	uint32_t max_jobs;       /* stop after so many submissions; 0 = all */
};

struct workload; /* an open reader */
/* Open PATH. NULL and ERROR: cannot be read, no such format, no required column, or (strict) lines left out. All lines are read here
 * (compactly: about 100 bytes a job), since submissions must come out sorted. */
struct workload *workload_open(const char *path, const struct workload_options *options, GError **error);
/* The next submission, owned by the caller; NULL at the end. */
struct submission *workload_next(struct workload *w);
const struct workload_info *workload_info(const struct workload *w);
void workload_close(struct workload *w);
#endif
