/*
 * forecast.h - when the waiting jobs of a snapshot start: the futures of one or several replicas.
 *
 * Each replica enters the snapshot (scenarios/snapshot.h) into a simulation of its own and runs it. Without a history
 * every job runs to its limit, which is what Slurm's own estimates suppose, or as long as is known (a snapshot of
 * whypend). With one, a job's run time is drawn: a fraction of its limit that a finished job used, of the same user if
 * there are 20 of them, else of the same partition, else of all; of a running job only fractions beyond what it has run
 * already. All draws come from one generator a replica, seeded by seed and number.
 */
#ifndef TOOLS_FORECAST_H
#define TOOLS_FORECAST_H
#include "scenarios/snapshot.h"
#include <stdio.h>

struct forecast_options {
	const char *dir, *slurm_version, *out; /* out: run.db of the first replica; NULL */
	char **set, **commands;                /* strv; NULL. Commands: "[TIME ]scontrol ..." */
	uint32_t replicas;                     /* 0 = 1 where nothing is drawn, else 20 */
	uint64_t seed;
	usec_t until; /* after the moment; 0 = 60 days */
};

struct forecast_job {
	char *id, *partition, *name, *user, *reason; /* owned */
	GArray *start; /* of usec_t, a replica each in which it (an array: its first task) starts; sorted at the end */
	GArray *last;  /* of usec_t: an array's last task */
	guint tasks;   /* 1, or of an array */
};

struct forecast {
	usec_t at;
	uint32_t replicas;
	bool drawn; /* run times were drawn from a history */
	guint n_past, running, left_out;
	GPtrArray *jobs;     /* of struct forecast_job *, in order of submission */
	GPtrArray *warnings; /* of char * */
};

/* NULL and ERROR: bad folder, bad command. STOP may be set by a signal handler. */
struct forecast *forecast_make(const struct forecast_options *o, const volatile int *stop, GError **error);
void forecast_free(struct forecast *f); /* NULL is allowed */
void forecast_print(FILE *out, const struct forecast *f, bool no_header);
/* {"at", "replicas", "drawn", "history", "running", "jobs": [{"job", "partition", "user", "name", "reason", "tasks",
 * "started": n, "start": {"p10", "median", "p90"}, "last": {...}}]}; times are dates in UTC, null when it starts in
 * less than half of the replicas (or the percentile is in none). g_free. */
char *forecast_json(const struct forecast *f);
#endif
