/*
 * records.h - one recorded run of real Slurm (shared/oracle/README.md, shared/oracle-26.11/README.md), read for
 * scoring.
 */
#ifndef CONFORMANCE_RECORDS_H
#define CONFORMANCE_RECORDS_H
#include "tests/conformance/run.h"
#include "tests/conformance/textfile.h"

struct pass {
	guint number;
	double t;   /* seconds after T0 */
	double end;
	char *kind; /* "main_quick", "main_full", "backfill" */
	guint queue, tested, started; /* jobs; 0 where the record does not say */
};

struct happening { /* a line of controller_events.csv */
	double t;
	char *what, *job, *node, *detail;
	guint run; /* which run of the job it belongs to: allocations of it so far - 1, 0 before the first */
};

struct told {               /* a submission, in the order in which they were made */
	char *name, *label; /* label: as in jobs.csv, NAME when refused */
	double at, done; /* when it was due and when sbatch had its answer, seconds after T0 */
	bool refused;
};

struct clocks { /* where the controller's clocks stood in a recording, seconds after T0, and how long things took, seconds; NAN = the log does not say */
	double t0_into_hour;
	double turn;     /* a turn of the once-a-second loop */
	double slip;     /* how much more than a second a turn takes */
	double backfill; /* the first cycle */
	double decay;    /* a calculation of priorities */
	double pass, bf_job, start; /* work of backfill (pace.h); 0 = not known */
	double submit;   /* sbatch */
	double cold;     /* the first one, from a cold start */
	double launch;   /* launch and end of a job */
};

struct record {
	char *name;            /* of the scenario */
	bool is_26;            /* of 26.11, else 22.05.8 */
	char *dir;             /* of the recorded files */
	char *scenario;        /* the scenario's folder */
	struct run *run;       /* what became of the jobs */
	struct run *second;    /* the second recording's jobs (stories only); NULL = recorded once */
	GHashTable *vague;     /* labels whose placement differed between the two recordings */
	GPtrArray *passes;     /* of struct pass *, ascending */
	GPtrArray *happenings; /* of struct happening *, ascending */
	GPtrArray *told;       /* of struct told * */
	GPtrArray *commands;   /* events.jsonl, of cJSON * */
	GArray *samples;       /* of double: times at which the queue was looked at, ascending, without repeats */
	bool lead_from_backfill; /* controller_lead counts from the beginning of the backfill thread */
	bool has_accounting;   /* each run of a job has a row; else only the last one */
	double until, speed, controller_lead;
	struct clocks clocks[2]; /* of the recording and of the second one */
	bool plain;              /* free runs know nothing of the host but T0 and the phases of the clocks (free.c); set by who asks for it */
};

/* Read the record of scenario NAME under ROOT (tests/conformance); VERSION is "22.05" or "26.11". NULL and ERROR when a
 * file is missing or bad. */
struct record *record_read(const char *root, const char *version, const char *name, GError **error);
void record_free(struct record *r); /* NULL is allowed */

/* Number of the pass that began last at or before T; -1 = none. */
int record_pass_at(const struct record *r, double t);
/* The first happening WHAT of run RUN of JOB; NULL = none. WHAT may end in "*". */
const struct happening *record_find(const struct record *r, const char *what, const char *job, guint run);

/* Which reasons were held for 2 s or more: SEEN[i] is what a look at TIMES[i] showed (NULL = was not waiting). The
 * measure of the recording itself: looks count, not the time between them. A strv. */
char **reasons_held(const double *times, char *const *seen, guint n);
#endif
