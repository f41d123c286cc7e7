/*
 * job_fields.h - the columns of squeue: a job record of a live controller as text (spec command-output.md 2).
 *
 * What a simulation does not have (working directories, commands, users' numbers of a host) is printed as Slurm prints
 * what is unset; UID and GROUP numbers are 1000 + the user's number in the run.
 */
#ifndef TOOLS_JOB_FIELDS_H
#define TOOLS_JOB_FIELDS_H
#include "sched/controller.h"
#include "tools/table.h"

struct job_view {
	const struct controller *c;
	sec_t now;
	bool v22; /* print as 22.05 does */
};
struct job_ref {
	const struct job_view *view;
	const struct job *job;
	uint32_t task;         /* -r: the pending task of an array head that this row stands for; else NO_VAL */
	const char *partition; /* as printed; interned */
	const char *state;     /* compact; static */
	uint32_t id, priority; /* of the job, so that long queues are sorted without looking at each job again */
	struct joined_tasks *joined; /* R42: other waiting tasks of the array stand in this row; NULL; see squeue_merge.h */
};
struct joined_tasks {
	struct bitset *tasks; /* all of them, those of the row's job too */
	GString *reasons;     /* "JobHeldUser,Priority" */
};

extern const struct table_field JOB_FIELDS[];
extern const guint N_JOB_FIELDS;
/* Text of FIELD of a row; data is a struct job_ref. g_free. */
char *job_field_text(void *row, int field);
/* The same without an allocation, where that is easy (table.h); else its text is NULL. */
struct table_text job_field_borrow(void *row, int field, char buffer[TABLE_BUFFER]);
/* Index by letter; -1. */
int job_field_letter(char letter);
int job_field_name(const char *name); /* by its -O name; -1 */

/* Pieces that scontrol and JSON share. g_free. */
/* As job_format_id and job_format_tasks, but many tasks in equal steps are "1-199:3", as squeue shows them. */
char *job_id_shown(const struct job *j);
char *job_tasks_shown(const struct job *j);
char *job_tasks_text(const struct job *j, const struct bitset *tasks); /* the same of TASKS of J's array */
int64_t job_tasks_step(const struct bitset *tasks); /* the step that they are written with, "1-199:3"; 0 = none is */
char *job_nodes_or_reason(const struct job_view *v, const struct job *j);
char *job_dependency_text(const struct job_view *v, const struct job *j); /* "afterok:12(unfulfilled)"; NULL = none */
/* What it holds, or held when it has ended; NULL when it waits or never ran. */
const struct job_alloc *job_alloc_shown(const struct job *j);
const struct bitset *job_nodes_shown(const struct job *j);
/* Its exit as the controller has it: a job that was killed has the signal, one lost with its node 0:1 (22.05: 0:0). */
void job_exit_shown(const struct job_view *v, const struct job *j, int *code, int *signal);
uint32_t job_node_count(const struct job_view *v, const struct job *j);
uint32_t job_cpu_count(const struct job *j);
sec_t job_seconds_shown(const struct job_view *v, const struct job *j);
sec_t job_start_shown(const struct job *j); /* planned or begin time of a pending one; 0 = none */
sec_t job_end_shown(const struct job *j);   /* start + limit of a running one; 0 = none */
char *job_tres_text(const struct job_view *v, const struct job *j, bool allocated); /* NULL = nothing allocated */
char *job_gres_text(const struct job_view *v, const struct job *j); /* TRES_PER_NODE: "gres/gpu:h100:4"; NULL */
char *job_memory_text(const struct job *j);
uint32_t job_uid(const struct job *j);
const char *job_state_shown(const struct job *j);                       /* long, COMPLETING over the base state */
char *nodes_text(const struct job_view *v, const struct bitset *nodes); /* NULL for NULL or empty */
#endif
