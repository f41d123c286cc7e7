/*
 * schema_json.h - records of Slurm's data_parser: objects made from a schema, then filled in.
 *
 * A schema is "key:KIND key:KIND ...", KIND one of s text, l list, i number, d number with a fraction, b flag, 0 null,
 * and n, t, u for {"set", "infinite", "number"}: not set, set to 0, infinite (N, T, U: with a fraction); "key{...}" is
 * an object. A PATH is "key" or "key.key"; it must be in the schema.
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
cJSON *json_double(double v); /* "1.0", "0.33333333333333331"; not finite = 0 */
void json_put(cJSON *o, const char *path, cJSON *item);
void json_put_text(cJSON *o, const char *path, const char *text); /* NULL = "" */
void json_put_taken(cJSON *o, const char *path, char *text);      /* the text is freed */
void json_put_int(cJSON *o, const char *path, double n);
void json_put_flag(cJSON *o, const char *path, bool on);
void json_put_number(cJSON *o, const char *path, double n);          /* {"set": true, ...} */
void json_put_double(cJSON *o, const char *path, double v);          /* the same; infinity is "infinite" */
void json_put_limit(cJSON *o, const char *path, uint32_t n);         /* NO_VAL and INFINITE are "infinite" */
void json_put_minutes(cJSON *o, const char *path, uint32_t minutes); /* NO_VAL, INFINITE */
void json_put_list(cJSON *o, const char *path, const char *text, const char *separator);

/* From now on json_print writes YAML (schema_yaml.h), or JSON again. */
void json_use_yaml(bool on);
/* ITEM in the layout of Slurm's commands, and a newline. */
void json_print(FILE *out, const cJSON *item);

struct json_origin { /* what the envelope tells */
	sec_t now;   /* 0 = no last_update */
	bool v22, accounting;
	const char *cluster;
	const char *beside; /* a second key after PAYLOAD, with BESIDE_ITEM (taken over); NULL = none */
	cJSON *beside_item;
};
/* {"PAYLOAD": LIST, "last_update", "meta", "errors", "warnings"}; LIST is taken over. */
void json_print_envelope(FILE *out, const struct json_origin *from, const char *payload, cJSON *list,
                         const char *command);
#endif
