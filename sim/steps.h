/*
 * steps.h - the steps of a job on simulated time (traces/steps.h says what they are).
 *
 * They count from the start of the job's processes, anew in each run, and stand still while the job is suspended; where
 * the placement model makes the run longer, they are longer by the same factor. What ends the job ends the steps that
 * still run (C30-C34, recorded on 26.11 and 22.05):
 *
 *   the job ends by itself       a step that lasts as long as the job ends as the job does; any other that still runs
 *                                is CANCELLED
 *   TIMEOUT, CANCELLED,          CANCELLED 0:15
 *   PREEMPTED, REQUEUED
 *   NODE_FAIL                    CANCELLED, exit code not known
 *   OUT_OF_MEMORY                the step that used most memory has been killed: OUT_OF_MEMORY 0:125, at its end
 *
 * A step that has not begun by then has never been there.
 */
#ifndef SIM_STEPS_H
#define SIM_STEPS_H
#include "sched/job.h"
#include "traces/workload.h"

struct step_row { /* a step of one run, as sacct and scontrol show it; strings owned unless said otherwise */
	const struct job_step *of; /* borrowed from the submission */
	char *id;                  /* "0", "batch" */
	usec_t start_t, end_t;     /* end_t 0 = runs on */
	sec_t start_s, end_s;
	const char *state;         /* static */
	int exit_code, exit_signal; /* exit_code -1 = not known */
	uint32_t tasks, nodes, cpus, suspended;
	char *nodelist, *tres;     /* "cpu=4,gres/gpu=1,mem=4G,node=1" */
};

/*
 * The steps that the present run of J has begun by NOW, in the order of traces/steps.h. STATE: sacct's word for the run
 * that ends now, or NULL: it goes on. Steps that have ended are among them. NULL when J has none, or its processes have
 * not begun; else all that it has, the batch step too. Free with g_ptr_array_unref.
 */
GPtrArray *sim_job_steps(const struct cluster *c, const struct job *j, usec_t now, const char *state);
#endif
