/*
 * sacct_columns.h - the shape of a sacct -P dump: its columns, its delimiter, and cutting a record into cells.
 *
 * sacct does not quote, so a free text may hold the delimiter. Surplus cells are given to the free-text columns such
 * that every other column holds what its kind allows; when there is no such way, or more than one, the record is
 * refused, never guessed.
 */
#ifndef TRACES_SACCT_COLUMNS_H
#define TRACES_SACCT_COLUMNS_H
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Columns that the replay uses. */
enum sacct_column {
	COL_JOBID,
	COL_JOBIDRAW,
	COL_JOBNAME,
	COL_USER,
	COL_UID,
	COL_ACCOUNT,
	COL_PARTITION,
	COL_QOS,
	COL_QOSREQ,
	COL_WCKEY,
	COL_SUBMIT,
	COL_ELIGIBLE,
	COL_START,
	COL_END,
	COL_ELAPSED,
	COL_ELAPSEDRAW,
	COL_SUSPENDED,
	COL_TIMELIMIT,
	COL_TIMELIMITRAW,
	COL_STATE,
	COL_EXITCODE,
	COL_NNODES,
	COL_REQNODES,
	COL_NCPUS,
	COL_REQCPUS,
	COL_REQMEM,
	COL_REQTRES,
	COL_ALLOCTRES,
	COL_REQGRES,
	COL_CONSTRAINTS,
	COL_LICENSES,
	COL_RESERVATION,
	COL_NODELIST,
	COL_SUBMITLINE,
	COL_NTASKS,
	COL_MAXRSS,
	COL_AVERSS,
	COL_TOTALCPU,
	COL_USED,
	COL_OTHER = COL_USED /* known or not, but not used */
};

struct sacct_cell {
	const char *text; /* closed by a NUL; not owned */
	size_t length;
};

struct sacct_columns {
	char *delimiter;
	size_t delimiter_length;
	bool trailing;       /* -p: every line ends with the delimiter */
	guint n;             /* columns */
	guint n_text;        /* of them free text */
	guint8 *kind;        /* by column */
	int place[COL_USED]; /* column that holds it, or -1 */
};

/* Columns from a header line, its delimiter found in it; NULL when the line is no header (it must name JobID or
 * JobIDRaw and at least one more known column). */
struct sacct_columns *sacct_columns_from_header(const char *line);
/* Columns from the user's list ("JobID,State%20,Submit"); FIRST is the first record, which tells the delimiter. NULL
 * and ERROR when a name is unknown. */
struct sacct_columns *sacct_columns_from_list(const char *list, const char *first, GError **error);
/* The fixed list of the Open XDMoD export, when FIRST fits it; else NULL. */
struct sacct_columns *sacct_columns_xdmod(const char *first);
void sacct_columns_free(struct sacct_columns *c);
/* False and ERROR when a column is missing that a replay needs: the message names all such and a sacct command. */
bool sacct_columns_enough(const struct sacct_columns *c, const char *path, GError **error);

/* How many cells TEXT has. */
guint sacct_count_cells(const struct sacct_columns *c, const char *text, size_t length);
enum sacct_split { SPLIT_OK, SPLIT_TOO_FEW, SPLIT_NO_WAY, SPLIT_AMBIGUOUS };
/* Cut TEXT in place; CELLS has room for c->n. */
enum sacct_split sacct_split(const struct sacct_columns *c, char *text, size_t length, struct sacct_cell *cells);
/* Whether the text begins with a job id cell, as a record does whose first column is JobID or JobIDRaw. */
bool sacct_begins_with_id(const struct sacct_columns *c, const char *text);
/* Whether the first column is JobID or JobIDRaw / the last column is free text. */
bool sacct_id_is_first(const struct sacct_columns *c);
bool sacct_text_is_last(const struct sacct_columns *c);

#define SACCT_COMMAND                                                                                                  \
	"sacct -a -X -D -P --noconvert -S 2026-01-01 -E 2026-02-01 -o JobID,JobIDRaw,User,Account,Partition,QOS,"      \
	"Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,Suspended,State,ExitCode,NNodes,NCPUS,ReqCPUS,ReqMem,"      \
	"ReqNodes,ReqTRES,AllocTRES,Constraints,Reservation,Licenses,NodeList,JobName"
#endif
