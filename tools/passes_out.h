/*
 * passes_out.h - a scheduler's own log, readable: each pass with what it decided on each job, and by which rule.
 *
 *   2026-01-05T00:00:02  backfill    5 in queue, 5 tested, 1 started, 3 planned: end of queue
 *       6        wide            try at 2026-01-05T00:00:02 on n[1-4]
 *       6        wide            plan 2026-01-05T01:00:00 to 03:00:00 on n[1-4]
 *       7        behind          skip: B17: bf_max_job_user
 *
 * A pass that would decide the same as the last of its kind is not made again (sched/controller.h) and says so. Passes without a queue are only counted.
 */
#ifndef TOOLS_PASSES_OUT_H
#define TOOLS_PASSES_OUT_H
#include "sim/sim.h"
#include <stdio.h>

struct passes_options {
	usec_t from, to;  /* passes that begin in [from, to] */
	char **jobs;      /* strv of ids and names: only steps of these; NULL = all */
	bool main, backfill, summary; /* which passes; summary: without steps */
};

struct passes_out;
/* Print to OUT what SIM does from now on. */
struct passes_out *passes_out_new(FILE *out, const struct cluster *cluster, const struct passes_options *o);
void passes_out_watch(struct passes_out *p, struct sim *sim);
/* The end: totals by what ended the passes. */
void passes_out_finish(struct passes_out *p);
void passes_out_free(struct passes_out *p);
#endif
