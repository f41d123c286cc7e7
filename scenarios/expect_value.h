/*
 * expect_value.h - the values of expectations (expect.h): times, spans, counts, jobs, states, reasons, nodes, GPUs. Each
 * reader gives false after reporting at ITEM.
 */
#ifndef SCENARIOS_EXPECT_VALUE_H
#define SCENARIOS_EXPECT_VALUE_H
#include "scenarios/expect.h"

struct reader { /* of one list */
	const struct json_text *t;
	struct scenario *s;
	struct diag *diag;
	GHashTable *labels; /* of the inline jobs; NULL = a trace may bring others */
	GHashTable *places; /* item -> struct spot */
};
struct spot { /* in the text */
	guint line, column;
};

/* Report "bad value of ..." with what would be right; always false. */
bool expect_bad(const struct reader *r, const cJSON *item, const char *hint);
bool expect_is_text(const cJSON *item); /* and not an empty one */
/* Seconds after the start; seconds; a whole number; a number or null (then *OUT stays as it is). */
bool expect_time(const struct reader *r, const cJSON *item, double *out);
bool expect_span(const struct reader *r, const cJSON *item, double *out);
bool expect_count(const struct reader *r, const cJSON *item, double *out);
bool expect_bound(const struct reader *r, const cJSON *item, double *out);
/* As the record calls it; g_free. */
bool expect_job_name(const struct reader *r, const cJSON *item, char **out);
bool expect_state(const struct reader *r, const cJSON *item, char **out);
/* OR_TEXT: or a text with blanks, which squeue may print instead. */
bool expect_reason(const struct reader *r, const cJSON *item, bool or_text, char **out);
bool expect_nodes(const struct reader *r, const cJSON *item, char **out);
/* Node and index list in turn; g_strfreev. */
bool expect_idx(const struct reader *r, const cJSON *item, char ***out);
#endif
