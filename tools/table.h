/*
 * table.h - formats of squeue and sinfo: "-o" letters and "-O" names with widths (spec command-output.md 1.1).
 *
 *   -o "%[[.]size]X"                    text between cells is literal; "%all" alone: every letter, joined by "|"
 *   -O "name[:[.]size][suffix],..."     size 20 unless given, 0 = as wide as its text; "name:+10" as "name:10"
 *
 * A reader of a format fills a list of cells; the caller gives each cell its text. What nobody knows stands literally
 * in the output (letters) or is left out (names), and is told in a message, as the commands do it.
 */
#ifndef TOOLS_TABLE_H
#define TOOLS_TABLE_H
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

struct table_field {
	char letter;      /* 0 = only by name */
	const char *name; /* of -O, any case; alternatives separated by "|"; NULL = only by letter */
	const char *header;
	bool whole;        /* to the right its values are never cut */
	bool whole_header; /* nor its header */
};

struct table_cell {
	int field; /* index; -1 = only the suffix */
	int width; /* 0 = as wide as its text */
	bool right;
	char *suffix; /* literal text behind it; owned */
	size_t suffix_length;
};

struct table {
	GArray *cells;      /* of struct table_cell */
	GString *line;      /* rows not yet written */
	GPtrArray *unknown; /* of char *: letters or names that nobody knows */
};

struct table *table_short(const struct table_field *fields, guint n, const char *format);
struct table *table_long(const struct table_field *fields, guint n, const char *format);
void table_drop(struct table *t);
bool table_has(const struct table *t, int field);
/* "NAME: error: Invalid job format specification: x" on stderr for each unknown one. */
void table_complain(const struct table *t, const char *command, const char *what);
/* Header, then rows: TEXT gives the text of FIELD, g_free. */
void table_header(FILE *out, const struct table *t, const struct table_field *fields);
typedef char *table_text_fn(void *data, int field);
void table_row(FILE *out, const struct table *t, const struct table_field *fields, table_text_fn *text, void *data);

/* Long tables: table_line puts a row into t->line, table_flush writes what is there: call it every TABLE_CHUNK bytes,
 * and at the end. */
enum { TABLE_BUFFER = 128, TABLE_CHUNK = 32 * 1024 };
struct table_text {
	const char *text; /* NULL = ask the function that allocates */
	size_t length;
};
/* BORROW (NULL = none) is asked first: the text without an allocation, in the row or in BUFFER. */
typedef struct table_text table_borrow_fn(void *data, int field, char buffer[TABLE_BUFFER]);
void table_line(const struct table *t, const struct table_field *fields, table_text_fn *text, table_borrow_fn *borrow,
                void *data);
void table_flush(FILE *out, const struct table *t);
#endif
