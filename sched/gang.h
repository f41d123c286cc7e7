/*
 * gang.h - suspension, and gang scheduling: jobs that share cores take turns (preemption.md E22-E30, lifecycle C43).
 *
 * Active when the cluster's PreemptMode has GANG (E24). Each partition has a list of its jobs in order of arrival and
 * an active row: the cores of those that run now. Jobs of a partition of higher tier cast a shadow on the rows of all
 * lower ones. A job that starts on cores of others (share.h) either runs, and those below it are suspended, or it is
 * suspended at once and waits for its turn (E26). Every SchedulerTimeSlice seconds of the controller's life partitions
 * with suspended jobs change over (E28).
 *
 * A suspended job keeps nodes, memory and GRES and, unless an administrator suspended it (E30), its cores too, which
 * others may hold at the same time. It is in the list of running jobs with state SUSPENDED; its end time is set anew
 * when it goes on (E29). Heterogeneous jobs take no part.
 */
#ifndef SCHED_GANG_H
#define SCHED_GANG_H
#include "sched/state.h"

struct gang;
struct gang *gang_new(struct controller *c); /* NULL when gang scheduling is off */
void gang_free(struct gang *g);
/* Partitions may stand in another order now; G NULL: nothing to do. */
void gang_tiers_changed(struct gang *g);
static inline bool gang_active(const struct controller *c) { return c->gang != NULL; }

/* E26, E27: J has just started / is about to leave its nodes, running or suspended. */
void gang_job_started(struct controller *c, struct job *j);
void gang_job_gone(struct controller *c, struct job *j);
/* E28 here and now. */
void gang_slice(struct controller *c);
/* Some partition has a job that waits for its turn. */
bool gang_has_waiting(const struct controller *c);

/* C43: stop and go on. ADMIN: by command; the cores are given back meanwhile. */
void job_suspend(struct controller *c, struct job *j, bool admin);
void job_resume(struct controller *c, struct job *j);
/* Seconds that J has run so far in this run, suspension left out. */
sec_t job_run_seconds(const struct job *j, sec_t now);
#endif
