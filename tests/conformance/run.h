/*
 * run.h - what became of the jobs in one run of a scenario, recorded or simulated, in one form for both.
 *
 * Jobs are known by label: NAME, NAME_TASK, NAME#2 for a repeated name; a label has a struct job_run for every time it
 * ran (a requeued job has several). All times count from T0.
 */
#ifndef CONFORMANCE_RUN_H
#define CONFORMANCE_RUN_H
#include <glib.h>
#include <stdbool.h>

#define NO_TIME G_MININT64
#define NO_PRIORITY (-1)

struct placed { /* what a run holds on one node */
	char *node, *cpus, *gres;
	gint64 mem; /* MiB */
};

struct job_run {
	gint64 start, end;  /* whole seconds; NO_TIME = never */
	double start_exact; /* seconds of the allocation; only with start */
	char *state, *exit; /* "COMPLETED", "0:0" */
	char *nodes;        /* "" = none */
	bool by_backfill;   /* who started it */
	gint64 priority;    /* as accounting has it; NO_PRIORITY = not known */
	GPtrArray *placed;  /* of struct placed *, by node name; NULL = not known */
};

struct job_story { /* all of one label */
	char *label;
	GPtrArray *runs;       /* of struct job_run * */
	gint64 priority_first; /* when first seen */
	gint64 priority_last;  /* when last seen */
	double last_look;      /* recorded: when that was */
	gint64 priority_step;  /* recorded: the largest change that one recalculation made to it */
	char **reasons;        /* strv: those held for 2 s or more, in order; never NULL */
};

struct plan {            /* backfill reserves nodes for later */
	gint64 cycle_ms; /* begin of the cycle, in milliseconds */
	char *label, *nodes;
	gint64 start;
};

struct answer { /* what a submission was told */
	char *name;
	bool refused, id_used; /* id_used: a refused one took a job id */
	char *message;         /* "" = none */
};

struct run {
	GPtrArray *stories;   /* of struct job_story *, in order of first appearance */
	GHashTable *by_label; /* borrowed */
	GPtrArray *plans;     /* of struct plan *, in order */
	GPtrArray *answers;   /* of struct answer *, a submission each, in order */
};

struct run *run_new(void);
void run_free(struct run *r); /* NULL is allowed */
/* The story of LABEL, made when new. */
struct job_story *run_story(struct run *r, const char *label);
/* NULL when unknown. */
struct job_story *run_find(const struct run *r, const char *label);
/* Append a run with nothing known. */
struct job_run *story_add(struct job_story *s);
/* The K-th run; NULL when there is none. */
struct job_run *story_run(const struct job_story *s, guint k);
void run_add_plan(struct run *r, gint64 cycle_ms, const char *label, gint64 start, const char *nodes);
struct answer *run_add_answer(struct run *r, const char *name, bool refused, bool id_used, const char *message);
/* Append to job->placed (made when NULL). */
void job_run_place(struct job_run *j, const char *node, const char *cpus, gint64 mem, const char *gres);
/* Sort by node name, so that two placements can be compared one by one. */
void job_run_sort_placed(struct job_run *j);
#endif
