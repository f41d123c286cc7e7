/*
 * generate_job.h - inside the month generator: one drawn job, and the site it is drawn for.
 *
 * generate_site.c holds the site's tables, generate_draw.c draws the jobs, generate.c calibrates and writes them.
 */
#ifndef SCENARIOS_GENERATE_JOB_H
#define SCENARIOS_GENERATE_JOB_H
#include "scenarios/generate.h"
#include <gsl/gsl_rng.h>

#define MONTH_SECONDS (31 * 86400)

struct month_partition {
	const char *name;
	enum generate_pool pool;
	guint32 max_minutes;
	const char *gpu; /* type, or NULL */
};
enum month_partition_id { PART_H100, PART_A100, PART_LONG, PART_CPU, PART_DEBUG, PART_DEBUG_CPU, PART_COUNT };
extern const struct month_partition month_partitions[PART_COUNT];

struct month_pool {
	const char *name;
	guint32 nodes, cpus, gpus; /* CPUs and GPUs of one node */
};
extern const struct month_pool month_pools[GENERATE_POOLS];

/* What an account's members do: the weight of their part in CPU work, in GPU work on one node, and in wide and
 * week-long GPU work (0 = none; those accounts have neither QOS high nor long). */
enum month_work { WORK_CPU, WORK_GPU, WORK_WIDE, WORK_COUNT };
struct month_account {
	const char *name;
	double weight[WORK_COUNT];
};
extern const struct month_account month_accounts[];

struct month_user {
	const char *name;
	int account, second; /* indices into month_accounts; second -1 = none */
};
extern const struct month_user month_users[];
extern const guint month_user_count;

struct month_job {
	gint64 at;        /* milliseconds */
	guint32 seq;      /* order of drawing, for equal times */
	char name[16];    /* given after sorting */
	const char *kind; /* first part of the name */
	const char *user, *account, *qos;
	enum month_partition_id part;
	guint32 nodes, ntasks, ntasks_per_node, cpus_per_task; /* 0 = not given */
	guint32 mem, mem_per_cpu;                              /* GiB; 0 = not given */
	guint32 gpus;                                          /* per node */
	gboolean gpus_per_job;                                 /* asked for with --gpus (one node) */
	guint32 tasks, at_once;                                /* array; 0 = none. At once 0 = no limit */
	const struct month_job *after;                         /* depends on this one */
	const char *after_how;                                 /* "afterok" or "afterany" */
	/* fate */
	double work;        /* seconds that the work takes, before stretching */
	gboolean stretched; /* takes part in the calibration */
	double over;        /* asked limit over work */
	gboolean ask_most;  /* always asks for the partition's limit */
	gboolean too_short; /* asks for less than it takes */
	double fails_after; /* seconds; 0 = does not fail */
	int exit_code;
	double cancel_part; /* cancelled after this part of its run; 0 = not */
	guint32 cancel;     /* seconds after submission; 0 = not */
	/* derived from the above and the stretch: month_job_finish */
	guint32 limit;          /* minutes */
	gint64 run, cancel_run; /* seconds; cancel_run 0 = not cancelled */
};

/* Draw JOBS jobs (array tasks counted) for the month; an array of owned struct month_job, in order of drawing. */
GPtrArray *month_draw(gsl_rng *rng, guint32 jobs);

/* Give the job its limit and run times when work takes STRETCH times as long. */
void month_job_finish(struct month_job *j, double stretch);
#endif
