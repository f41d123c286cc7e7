/*
 * dump.h - a canonical text of run.db, for "same inputs, same seed, same bytes" tests and for diff.
 *
 * Two databases with equal rows give equal text, whatever version of SQLite wrote them. Form:
 *
 *   # table meta (key, value)
 *   "schema"<TAB>"1"
 *
 * Tables come in the order of the schema, rows in the order they were written (rowid). Numbers are bare, text is in
 * double quotes with \\ \" \t \n \r and \xHH for other control bytes, absent values are NULL, blobs X'HEX'.
 */
#ifndef TOOLS_DUMP_H
#define TOOLS_DUMP_H
#include <glib.h>
#include <stdio.h>

struct sqlite3;

/* Write all tables of DB to OUT. False and ERROR (G_IO_ERROR) when DB cannot be read or OUT cannot be written. */
gboolean db_dump(FILE *out, struct sqlite3 *db, GError **error);
#endif
