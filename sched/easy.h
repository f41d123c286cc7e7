/*
 * easy.h - strict EASY backfilling, the policy of the literature, for comparison (SchedulerType=sched/easy; ours, not Slurm's).
 *
 * After the main pass has started queue heads in priority order: reserve for the head only. Shadow time = the first instant at which the ends by request of
 * running jobs free enough CPUs for it; extra = CPUs free then beyond its need. The rest of the queue is scanned in order: a job that fits now starts if it ends (by request) at or
 * before the shadow time, or needs at most extra CPUs (which shrinks). Counts are of CPUs of the head's partition; times are exact.
 * Source: Lifka (1995), Mu'alem and Feitelson (2001).
 */
#ifndef SCHED_EASY_H
#define SCHED_EASY_H
#include "sched/state.h"
/* A job's limit in seconds: as the trace tells it under strict EASY, else the minutes of Slurm. */
sec_t easy_limit_seconds(const struct controller *c, const struct job *j);
void easy_pass(struct controller *c);
#endif
