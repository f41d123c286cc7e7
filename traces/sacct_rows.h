/*
 * sacct_rows.h - one allocation row of sacct, read but not yet judged; and the steps that turn rows to submissions.
 *
 * Texts are interned in the store: rows of the same user share one text. 0 stands for an unknown instant.
 */
#ifndef TRACES_SACCT_ROWS_H
#define TRACES_SACCT_ROWS_H
#include "traces/reader.h"
#include "traces/sacct_columns.h"
#include "traces/sacct_fields.h"

struct sacct_row {
	uint64_t line;
	uint64_t number;          /* of JobIDRaw, else of JobID */
	uint64_t array_id;        /* number of JobID */
	uint32_t task, component; /* NO_VAL = none */
	const char *id, *brackets, *name, *user, *account, *partition, *qos, *constraints, *licenses, *reservation;
	const char *req_tres, *alloc_tres, *req_gres, *submit_line; /* "" or NULL = not there */
	sec_t submit, eligible, start, end;
	usec_t run; /* -1 = unknown */
	uint64_t mib;
	uint32_t limit;                                /* minutes */
	uint32_t cpus, nodes, alloc_cpus, alloc_nodes; /* asked for; given, 0 = unknown */
	int exit_code, signal;
	enum sacct_memory memory;
	enum sacct_state state;
	bool started;
	bool never_eligible; /* the column says so */
	bool dropped;
};

struct sacct_store {
	GArray *rows; /* of struct sacct_row, file order */
	GStringChunk *texts;
	GHashTable *labels; /* array_id or number of jobs replayed as one -> label; only with SubmitLine */
	GHashTable *components; /* index of a leader's row + 1 -> GArray of guint: rows of the other components */
	GArray *steps;          /* of struct sacct_step (sacct_steps.c); NULL = none */
	GHashTable *step_first; /* id of a job as text -> place of its last step in STEPS, +1 */
	bool raise_limits;
};

#define SACCT_COMPONENTS 128 /* of one job */
/* Rows of one heterogeneous job joined: all but the leader's are dropped. After the runs are folded. */
void sacct_het_join(struct reader *r, struct sacct_store *store);

/* A row out of the cells of a record; NULL, or why it is damaged. */
const char *sacct_row_read(struct sacct_store *store, const struct sacct_columns *c, const struct sacct_cell *cells,
                           struct sacct_row *row);
/* Runs of one job folded, duplicates and jobs without a known end left out; entries added for the others. */
void sacct_rows_settle(struct reader *r, struct sacct_store *store);
/* The label of a heterogeneous job: the leader's id, "123". */
const char *sacct_het_label(const struct sacct_store *store, const struct sacct_row *row);
/* Limit of the replay, in minutes. */
uint32_t sacct_limit(const struct sacct_store *store, const struct sacct_row *row);
struct submission *sacct_submission(void *store, uint32_t record);
#endif
