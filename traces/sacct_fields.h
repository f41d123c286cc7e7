/*
 * sacct_fields.h - the value formats of sacct's columns (spec sacct.md section 2).
 *
 * All take one cell as text. "Missing" is what sacct prints for nothing: "", Unknown, None, N/A, INVALID, NULL, (null).
 */
#ifndef TRACES_SACCT_FIELDS_H
#define TRACES_SACCT_FIELDS_H
#include "sched/base/duration.h"
#include <glib.h>

bool sacct_is_missing(const char *text);

/* JobID and JobIDRaw: 123, 123_4, 123_[5-9%3], 123+1, each perhaps with ".batch", ".0", ".0+1". */
struct sacct_id {
	uint64_t number;
	uint32_t task;        /* NO_VAL = none */
	uint32_t component;   /* of a heterogeneous job; NO_VAL = none */
	const char *brackets; /* in the text, behind "["; NULL = none */
	size_t brackets_length;
	bool step;
};
bool sacct_parse_id(const char *text, struct sacct_id *out);

enum sacct_state {
	STATE_PENDING,
	STATE_RUNNING, /* or on the way into or out of running */
	STATE_COMPLETING,
	STATE_COMPLETED,
	STATE_CANCELLED,
	STATE_FAILED,
	STATE_TIMEOUT,
	STATE_NODE_FAIL,
	STATE_PREEMPTED,
	STATE_DEADLINE,
	STATE_OUT_OF_MEMORY,
	STATE_REQUEUED,
	STATE_RESIZING,
	STATE_REVOKED,
};
/* By the first word; a word cut by "+" will do when it is enough ("CANCELLED+", "OUT_OF_ME+"). */
bool sacct_parse_state(const char *text, enum sacct_state *out);
bool sacct_is_state(const char *text);

/* 0 = missing. False when it is no date. */
bool sacct_parse_time(const char *text, sec_t *out);
/* Timelimit ([D-]HH:MM:SS) and TimelimitRaw (minutes): minutes, rounded up; INFINITE; NO_VAL when missing or
 * Partition_Limit. */
bool sacct_parse_limit(const char *text, bool raw, uint32_t *out);
/* A count with an optional letter, base 1024 above K only when it is not a plain count: "4", "1.00K". Missing = 0. */
bool sacct_parse_count(const char *text, uint64_t *out);
/* "exit:signal"; missing = 0:0. */
bool sacct_parse_exit(const char *text, int *exit_code, int *signal);

enum sacct_memory { MEMORY_NONE, MEMORY_PER_NODE, MEMORY_PER_CPU, MEMORY_TOTAL };
/* ReqMem, old ("4Gn", "2000Mc") and new ("4G": of the whole job): MiB rounded up. */
bool sacct_parse_memory(const char *text, enum sacct_memory *kind, uint64_t *mib);

/* The count of NAME ("cpu", "mem" in MiB, "gres/gpu") in a TRES text; false when it is not there. */
bool sacct_tres_get(const char *tres, const char *name, uint64_t *out);
/* What is above the built-in kinds with this prefix ("gres/", "license/"), typed names winning over their untyped sum,
 * each divided by NODES when all can be: "gpu:a100:2,shard:4". *WHOLE tells that they could not be divided. NULL =
 * none. g_free. */
char *sacct_tres_list(const char *tres, const char *prefix, uint64_t nodes, bool *whole);
#endif
