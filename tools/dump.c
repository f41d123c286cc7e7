/* dump.c - see dump.h. */
#include "tools/dump.h"
#include <errno.h>
#include <gio/gio.h>
#include <sqlite3.h>

static void put_text(FILE *out, const unsigned char *text, int bytes)
{
	putc('"', out);
	for (int i = 0; i < bytes; i++) {
		unsigned char c = text[i];
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c == '\t')
			fputs("\\t", out);
		else if (c == '\n')
			fputs("\\n", out);
		else if (c == '\r')
			fputs("\\r", out);
		else if (c < 0x20 || c == 0x7f)
			fprintf(out, "\\x%02x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

static void put_blob(FILE *out, const unsigned char *blob, int bytes)
{
	fputs("X'", out);
	for (int i = 0; i < bytes; i++)
		fprintf(out, "%02X", blob[i]);
	putc('\'', out);
}

static void put_value(FILE *out, sqlite3_stmt *row, int column)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];
	switch (sqlite3_column_type(row, column)) {
	case SQLITE_INTEGER:
		fprintf(out, "%lld", (long long)sqlite3_column_int64(row, column));
		break;
	case SQLITE_FLOAT:
		fputs(g_ascii_dtostr(number, sizeof(number), sqlite3_column_double(row, column)), out);
		break;
	case SQLITE_TEXT:
		put_text(out, sqlite3_column_text(row, column), sqlite3_column_bytes(row, column));
		break;
	case SQLITE_BLOB:
		put_blob(out, sqlite3_column_blob(row, column), sqlite3_column_bytes(row, column));
		break;
	default:
		fputs("NULL", out);
	}
}

/* Returns SQLITE_DONE, or the code of the failure. */
static int dump_table(FILE *out, sqlite3 *db, const char *name)
{
	char *sql = sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY rowid", name);
	sqlite3_stmt *row = NULL;
	int rc = sql ? sqlite3_prepare_v2(db, sql, -1, &row, NULL) : SQLITE_NOMEM;
	sqlite3_free(sql);
	if (rc != SQLITE_OK)
		return rc;
	int n = sqlite3_column_count(row);
	fprintf(out, "# table %s (", name);
	for (int i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? ", " : "", sqlite3_column_name(row, i));
	fputs(")\n", out);
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		for (int i = 0; i < n; i++) {
			if (i)
				putc('\t', out);
			put_value(out, row, i);
		}
		putc('\n', out);
	}
	sqlite3_finalize(row);
	return rc;
}

gboolean db_dump(FILE *out, struct sqlite3 *db, GError **error)
{
	static const char sql[] = "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite\\_%' "
	                          "ESCAPE '\\' ORDER BY rowid";
	sqlite3_stmt *table = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &table, NULL);
	if (rc == SQLITE_OK) {
		while ((rc = sqlite3_step(table)) == SQLITE_ROW) {
			rc = dump_table(out, db, (const char *)sqlite3_column_text(table, 0));
			if (rc != SQLITE_DONE)
				break;
		}
	}
	if (rc != SQLITE_DONE)
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot read the record: %s", sqlite3_errmsg(db));
	sqlite3_finalize(table);
	if (rc != SQLITE_DONE)
		return FALSE;
	if (fflush(out) == 0 && !ferror(out))
		return TRUE;
	g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "cannot write: %s", g_strerror(errno));
	return FALSE;
}
