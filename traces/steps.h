/*
 * steps.h - the steps of a job, as ranges of its running time.
 *
 * Steps are not scheduled: a step begins when its job has run for BEGIN and ends when it has run for END, on the first
 * NODES of the job's nodes. What cuts the job short cuts its steps (sim/steps.h). They come from the "steps" of a job of
 * our own format, from the step rows of a dump of sacct, or from the srun lines of a batch script (sbatch_script.h).
 *
 * The batch step itself is there without being named, unless the job was started by srun or salloc (no_batch); it may be
 * given all the same, to say what it used.
 */
#ifndef TRACES_STEPS_H
#define TRACES_STEPS_H
#include "sched/base/duration.h"
#include <glib.h>
#include <stdbool.h>

#define STEPS_MAX 100000 /* of one job */

enum jobstep_kind { JOBSTEP_NUMBERED, JOBSTEP_BATCH, JOBSTEP_EXTERN, JOBSTEP_INTERACTIVE };
enum jobstep_end {
	JOBSTEP_EXITS,     /* with its exit code or signal */
	JOBSTEP_CANCELLED, /* scancel JOB.STEP */
	JOBSTEP_TIMEOUT,   /* by its own -t */
	JOBSTEP_OOM,
};

struct job_step {
	enum jobstep_kind kind;
	uint32_t number;               /* of a numbered one */
	uint32_t component;            /* of a heterogeneous job, "0+1"; NO_VAL = the leader, or no such job */
	char *name;                    /* owned; NULL = the kind's */
	usec_t begin;                  /* >= 0 */
	usec_t end;                    /* >= begin; -1 = with its job */
	uint32_t tasks, nodes, cpus;   /* 0 = all that the job has */
	uint32_t gpus;                 /* NO_VAL = all that the job has there */
	uint64_t mem;                  /* MiB in all; 0 = all */
	int exit_code, signal;
	enum jobstep_end how;
	uint64_t max_rss, ave_rss;     /* KiB of one task; 0 = unknown */
	usec_t cpu_time;               /* used by all its tasks; -1 = unknown */
};

struct job_steps {
	GArray *list;                  /* of struct job_step, as listed; numbered ones in order of number */
	uint32_t next;                 /* number of the next one added */
	bool no_batch;
};

struct job_steps *job_steps_new(void);
void job_steps_free(struct job_steps *s); /* NULL is allowed */
/* A new one at the end: a numbered one with the next number, the whole length and size of the job. Borrowed until the
 * next. */
struct job_step *job_steps_add(struct job_steps *s);
/* "batch", "extern", "interactive", "0", "0+1". g_free. */
char *job_step_id(const struct job_step *step);
const char *job_step_name(const struct job_step *step); /* never NULL */
/* The batch step and its like first, then the numbered ones by number and component. */
void job_steps_sort(struct job_steps *s);
/* The most that a task of any step uses, MiB rounded up; 0 = unknown. */
uint64_t job_steps_memory(const struct job_steps *s);
#endif
