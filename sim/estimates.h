/*
 * estimates.h - how good the StartTime was that users saw: what backfill published for a waiting job, beside its real start.
 *
 * Of the estimates of one run that lie equally far ahead (below 10 minutes, an hour, 6 hours, a day, or more) the first is taken down, when a
 * backfill cycle ends that has published or changed it. They become rows of table `estimate` when the run starts; of jobs that never start there are none.
 * The estimate of an array's waiting tasks counts for the one that starts next.
 */
#ifndef SIM_ESTIMATES_H
#define SIM_ESTIMATES_H
#include "sched/job.h"

#define N_LEADS 5
/* "10 min", "1 h", "6 h", "1 day", "more": estimates that lie less than that ahead. */
const char *estimate_lead_name(int lead);

struct estimates; /* of one record */
struct sim;
/* A backfill cycle has ended. */
void estimates_note(struct sim *s);
void estimates_split(struct job *task, struct job *head);
void estimates_started(struct sim *s, const struct job *job);
#endif
