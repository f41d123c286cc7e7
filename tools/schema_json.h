/*
 * schema_json.h - records of Slurm's data_parser: objects made from a schema, then filled in.
 *
 * A schema is "key:KIND key:KIND ...", KIND one of s text, l list, i number, b flag, and n, t, u for {"set",
 * "infinite", "number"}: not set, set to 0, infinite; "key{...}" is an object. A PATH is "key" or "key.key"; it must be
 * in the schema.
 */
#ifndef TOOLS_SCHEMA_JSON_H
#define TOOLS_SCHEMA_JSON_H
#include "sched/base/duration.h"
#include <cjson/cJSON.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

cJSON *json_from_schema(const char *schema);
cJSON *json_unset(char kind);
void json_put(cJSON *o, const char *path, cJSON *item);
void json_put_text(cJSON *o, const char *path, const char *text); /* NULL = "" */
void json_put_taken(cJSON *o, const char *path, char *text);      /* the text is freed */
void json_put_int(cJSON *o, const char *path, double n);
void json_put_flag(cJSON *o, const char *path, bool on);
void json_put_number(cJSON *o, const char *path, double n);          /* {"set": true, ...} */
void json_put_minutes(cJSON *o, const char *path, uint32_t minutes); /* NO_VAL, INFINITE */
void json_put_list(cJSON *o, const char *path, const char *text, const char *separator);

struct json_origin { /* what the envelope tells */
	sec_t now;   /* 0 = no last_update */
	bool v22, accounting;
	const char *cluster;
};
/* {"PAYLOAD": LIST, "last_update", "meta", "errors", "warnings"}; LIST is taken over. */
void json_print_envelope(FILE *out, const struct json_origin *from, const char *payload, cJSON *list,
                         const char *command);
#endif
