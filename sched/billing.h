/*
 * billing.h - a job's counts by TRES, and what they cost (priority.md P19, P41, P42).
 *
 * Counts are arrays of tres->n (at most TRES_MAX) in the order of the table; memory in MiB. The entry TRES_BILLING is the
 * truncated billing; usage (P34) is charged with the untruncated number.
 */
#ifndef SCHED_BILLING_H
#define SCHED_BILLING_H
#include "sched/job.h"

/* P41: COUNTS by WEIGHTS [tres->n] under PriorityFlags of P. WEIGHTS NULL: the CPUs. */
double billing_of(const struct sched_params *p, const struct tres_table *t, const double *weights,
                  const uint64_t *counts);
/* What ALLOC holds, without billing. */
void tres_of_alloc(const struct cluster *cl, const struct job_alloc *alloc, uint64_t *counts);
/* What J asks for, with the truncated billing in its current partition (P42). */
void tres_of_request(const struct cluster *cl, const struct job *j, uint64_t *counts);
#endif
