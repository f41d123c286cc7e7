/*
 * reader.h - what a trace format gives to workload.c, and the helpers that all formats count and note with.
 *
 * A format reads the whole file into a compact store of its own and appends one struct reader_entry for each
 * submission, in file order. workload.c sorts the entries by time (stable) and asks for the submissions one by one.
 * Each data line is counted with reader_line(), and then either has an entry or is left out under a cause.
 */
#ifndef TRACES_READER_H
#define TRACES_READER_H
#include "traces/lines.h"
#include "traces/workload.h"

#define WORKLOAD_ERROR (g_quark_from_static_string("workload"))
#define READER_MAX_JOBS 20000000                 /* more is refused, so that a compressed bomb cannot eat all memory */
#define READER_MAX_CAUSES 100                    /* different texts; the rest is counted under one */
#define READER_MAX_SECONDS INT64_C(100000000000) /* instants and spans beyond this are damage */

struct reader_entry {
	usec_t at;
	uint32_t record; /* index in the store */
};

struct reader {
	const char *path;
	struct lines *lines;
	const struct workload_options *options;
	struct workload_info *info;
	GArray *entries;             /* of struct reader_entry */
	GHashTable *causes;          /* text (in info->causes) -> struct workload_cause */
	GHashTable *used_partitions; /* names (in info->partitions) */
	uint64_t damaged;            /* lines left out that matter to --strict */
	uint64_t malformed;          /* lines that are not of the format at all */
};

enum reader_weight {
	LEFT_NORMALLY, /* nothing is lost: a job step, an exact duplicate, a part whose whole is replayed */
	LEFT_LOST,     /* a job that cannot be replayed */
	LEFT_MALFORMED /* not a line of the format */
};

struct reader_format {
	const char *name;
	/* Whether a file of this name and first line (not blank) is of the format. */
	bool (*matches)(const char *path, const char *first, size_t length);
	/* Read all; the store, or NULL and ERROR. */
	void *(*read)(struct reader *r, GError **error);
	struct submission *(*submission)(void *store,
	                                 uint32_t record); /* trace_id, line ... all set; owned by the caller */
	void (*free)(void *store);
};
extern const struct reader_format swf_format, sacct_format, jsonl_format;

/* The next line that is not blank; as lines_next. Lines that are too long are counted under a cause here. */
enum lines_result reader_next(struct reader *r, char **text, size_t *length, GError **error);
void reader_leave_out(struct reader *r, uint64_t line, enum reader_weight weight, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
void reader_add(struct reader *r, usec_t at, uint32_t record);
void reader_note(struct reader *r, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A job uses this partition: kept in info->partitions (at most 10,000 names). */
void reader_partition(struct reader *r, const char *name);
/* False and ERROR when there are more than READER_MAX_JOBS. */
bool reader_count_ok(const struct reader *r, uint64_t records, GError **error);
#endif
