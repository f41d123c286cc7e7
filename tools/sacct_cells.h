/*
 * sacct_cells.h - the fields of sacct: a run of a job, or its batch step, as text (spec command-output.md 6, sacct.md
 * 2, 3).
 *
 * What a simulation does not have (use of memory and CPU, energy, command lines, working directories) is printed as
 * Slurm prints it when nothing was measured.
 */
#ifndef TOOLS_SACCT_CELLS_H
#define TOOLS_SACCT_CELLS_H
#include "sched/base/duration.h"
#include <glib.h>
#include <stdbool.h>

struct sheet {         /* what all rows share */
	sec_t now;     /* unfinished times are counted up to here */
	bool v22;      /* print as 22.05 does */
	char *cluster; /* owned */
	char unit; /* of memory: K, M, G, T; 0 = the largest that is exact; 'n' = MiB without letter (--noconvert) */
	sec_t from, to; /* -T: start and end are cut to these; 0 = not */
};

struct record { /* a row of table job; strings belong to the statement until its next step */
	uint32_t job, array_job, array_task, run, time_limit, req_nodes, req_cpus, nnodes, ncpus, priority;
	uint32_t het_job, het_offset, suspended;
	const char *array_tasks, *name, *user, *account, *partition, *qos, *state, *reason, *req_tres, *alloc_tres,
	    *nodelist, *scheduler, *constraints;
	sec_t submit, eligible, start, end;
	int exit_code, exit_signal;
	uint64_t req_mem;
	const char *placement; /* JSON */
	bool goes_on;          /* after the loss of a node: not the beginning of its run */
	/* a row of a step: */
	bool step;
	bool described;          /* it is one of table step, else the batch step as far as the job tells it */
	const char *step_id, *step_name;
	char *host, *tres;       /* owned: its nodes; what it holds there */
	uint32_t host_cpus, step_nodes, tasks;
	uint64_t max_rss, ave_rss; /* KiB; 0 = not measured */
	usec_t cpu_time;         /* -1 = not measured; in the row of a job the sum of its steps' */
	int derived_code, derived_signal; /* of a job: the highest of its steps */
	uint32_t uid;
	const char *cancelled_by; /* a user, or NULL */
	uint32_t canceller;       /* the number of that user */
};

/* A field shows a member of struct record, or what a function makes of it, or always the same. Only text is cut to the
 * width of a column. */
struct sacct_field {
	const char *name;
	int width; /* negative: to the left */
	enum { TEXT, NUMBER, TEXT_BY, NUMBER_BY, FIXED } kind;
	size_t member;
	void (*put)(GString *cell, const struct sheet *s, const struct record *j);
	const char *fixed, *fixed_step;
	int release; /* only in: 22 (22.05), 26 (later ones); 0 = all */
};
extern const struct sacct_field SACCT_FIELDS[];
extern const size_t N_SACCT_FIELDS;

const struct sacct_field *sacct_find_field(const char *name); /* any case; NULL */
bool sacct_field_is_text(const struct sacct_field *f);
void sacct_fill_cell(GString *cell, const struct sacct_field *f, const struct sheet *s, const struct record *j);
/* Make of J's run the row of its batch step; undone by record_end_step. */
void record_begin_step(struct record *j);
void record_end_step(struct record *j);
#endif
