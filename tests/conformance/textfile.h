/*
 * textfile.h - reading the recorded files: plain or gzipped, CSV with a header, JSON, JSON lines.
 *
 * A file NAME of a folder may stand there as NAME or as NAME.gz; callers always say NAME. All functions return NULL and
 * ERROR when the file is missing or bad.
 */
#ifndef CONFORMANCE_TEXTFILE_H
#define CONFORMANCE_TEXTFILE_H
#include <cjson/cJSON.h>
#include <glib.h>

/* The whole file as text. g_free. */
char *textfile_read(const char *dir, const char *name, GError **error);

struct table {
	char **column;   /* owned strv: the header */
	GPtrArray *rows; /* of char **: strv of as many fields as columns (missing ones "") */
};
struct table *table_read(const char *dir, const char *name, GError **error);
struct table *table_parse(const char *text, gsize length, GError **error);
void table_free(struct table *t); /* NULL is allowed */
/* Field COLUMN of a row; "" when there is no such column. Borrowed. */
const char *table_get(const struct table *t, guint row, const char *column);

/* One value. cJSON_Delete. */
cJSON *json_read(const char *dir, const char *name, GError **error);
/* One value a line, blank lines left out: an array of cJSON *. */
GPtrArray *json_lines_read(const char *dir, const char *name, GError **error);
/* Members by name: text or "" (numbers and booleans are none), number or OTHERWISE. */
const char *json_text(const cJSON *o, const char *name);
double json_number(const cJSON *o, const char *name, double otherwise);
#endif
