/*
 * request_read.h - what the files that read options into a request share; nobody else includes it.
 *
 * request.c: the record, plain kinds of values, the table of options. request_shape.c: values with a grammar of their own (spec sbatch.md section 3).
 */
#ifndef SCHED_REQUEST_READ_H
#define SCHED_REQUEST_READ_H
#include "sched/request.h"
#include <stddef.h>

#define NUMBER_MAX INT32_MAX

#define F(field) offsetof(struct job_request, field)

struct option;
typedef bool (*reader)(struct job_request *r, const struct option *o, const char *value, GError **error);
struct option {
	const char *name;
	reader read;
	size_t field;
	const char *want; /* for messages; NULL: the reader has its own */
};

/* ERROR: VALUE is not WANT. Always false. */
bool request_invalid(const struct option *o, const char *value, const char *want, GError **error);
/* VALUE is there; else false and ERROR. */
bool request_need(const struct option *o, const char *value, GError **error);
/* A whole number LOW..NUMBER_MAX and nothing behind it. */
bool request_parse_number(const char *text, uint32_t low, uint32_t *out);
/* *FIELD := VALUE, which is taken over. */
void request_set_string(char **field, char *value);
char **request_string_at(struct job_request *r, size_t offset);

/* request_shape.c */
bool request_read_nodes(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_gres(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_gpus_per_node(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_gpus(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_gres_flags(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_switches(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_distribution(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_signal(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_nice(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_priority(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_extra_node_info(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_hint(struct job_request *r, const struct option *o, const char *value, GError **error);
bool request_read_tres_per_task(struct job_request *r, const struct option *o, const char *value, GError **error);
#endif
