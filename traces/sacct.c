/*
 * sacct.c - dumps of sacct -P: records out of lines (spec sacct.md section 1).
 *
 * A record may go over several lines, since SubmitLine may hold line breaks. A line with too few cells is joined with
 * those behind it until the count fits; a line that is a record by itself ends the attempt, and then each of the lines
 * is left out as damaged. A record counts as one line, at the number of its first.
 */
#include "traces/sacct_rows.h"
#include "traces/sacct_steps.h"
#include <string.h>

#define MAX_RECORD_LINES 1000

struct dump {
	struct reader *r;
	struct sacct_store *store;
	struct sacct_columns *columns; /* NULL until the header */
	struct sacct_cell *cells;
	GString *record; /* lines of the record in hand */
	uint64_t line;   /* number of its first line */
	guint n_lines;
	GString *ahead;      /* a line read too far */
	uint64_t ahead_line; /* 0 = none */
};

static void store_free(void *data)
{
	struct sacct_store *store = data;
	g_array_unref(store->rows);
	g_string_chunk_free(store->texts);
	g_hash_table_unref(store->labels);
	g_hash_table_unref(store->components);
	sacct_steps_free(store);
	g_free(store);
}

/* A line into AHEAD, unless one waits there. */
static enum lines_result look_ahead(struct dump *d, GError **error)
{
	char *text;
	size_t length;
	if (d->ahead_line > 0)
		return LINES_OK;
	enum lines_result result = reader_next(d->r, &text, &length, error);
	if (result == LINES_OK) {
		g_string_truncate(d->ahead, 0);
		g_string_append_len(d->ahead, text, (gssize)length);
		d->ahead_line = lines_number(d->r->lines);
	}
	return result;
}

/* AHEAD as the first line of the record, or as one more. */
static void take_ahead(struct dump *d, bool first)
{
	if (first) {
		g_string_truncate(d->record, 0);
		d->line = d->ahead_line;
		d->n_lines = 0;
	} else {
		g_string_append_c(d->record, '\n');
	}
	g_string_append_len(d->record, d->ahead->str, (gssize)d->ahead->len);
	d->n_lines++;
	d->ahead_line = 0;
}

static void use_columns(struct dump *d, struct sacct_columns *columns)
{
	sacct_columns_free(d->columns);
	d->columns = columns;
	d->cells = g_renew(struct sacct_cell, d->cells, columns->n);
}

/* A header, at the beginning or between joined dumps. */
static bool take_header(struct dump *d, bool *is_header, GError **error)
{
	struct sacct_columns *columns = sacct_columns_from_header(d->ahead->str);
	*is_header = columns != NULL;
	if (!columns)
		return true;
	use_columns(d, columns);
	d->ahead_line = 0;
	return sacct_columns_enough(columns, d->r->path, error);
}

/* The first line: a header, or the user's list, or a list that many use. */
static bool find_columns(struct dump *d, bool any, GError **error)
{
	bool is_header = false;
	if (any && !take_header(d, &is_header, error))
		return false;
	if (is_header)
		return true;
	struct sacct_columns *columns = NULL;
	if (any && d->r->options->columns) {
		columns = sacct_columns_from_list(d->r->options->columns, d->ahead->str, error);
		if (!columns)
			return false;
	} else if (any) {
		columns = sacct_columns_xdmod(d->ahead->str);
		if (columns)
			reader_note(d->r, "no header line: taken as the 26 columns of an Open XDMoD export");
	}
	if (!columns) {
		g_set_error(error, WORKLOAD_ERROR, 0,
		            "%s: no header line was found%s; give the list of columns, or export with: " SACCT_COMMAND,
		            d->r->path, any ? "" : " (the file is empty)");
		return false;
	}
	use_columns(d, columns);
	return sacct_columns_enough(columns, d->r->path, error);
}

static guint cells_of(const struct dump *d, const GString *text)
{
	guint n = sacct_count_cells(d->columns, text->str, text->len);
	bool ended = d->columns->trailing && g_str_has_suffix(text->str, d->columns->delimiter);
	return n - ended;
}

/* Whether the line ahead can only be the rest of the record in hand. */
static bool ahead_continues(const struct dump *d, bool complete)
{
	if (d->n_lines >= MAX_RECORD_LINES || d->record->len + d->ahead->len >= LINES_MAX)
		return false;
	if (sacct_id_is_first(d->columns) && sacct_begins_with_id(d->columns, d->ahead->str))
		return false;
	if (cells_of(d, d->ahead) >= d->columns->n)
		return false;
	if (!complete)
		return true;
	/* complete: only a last free text can go on */
	return sacct_text_is_last(d->columns) && sacct_count_cells(d->columns, d->ahead->str, d->ahead->len) == 1;
}

/* A whole record. LINES_OK, or as look_ahead. */
static enum lines_result next_record(struct dump *d, GError **error)
{
	enum lines_result result = look_ahead(d, error);
	if (result != LINES_OK)
		return result;
	take_ahead(d, true);
	for (;;) {
		bool complete = cells_of(d, d->record) >= d->columns->n;
		if (complete && !sacct_text_is_last(d->columns))
			return LINES_OK;
		result = look_ahead(d, error);
		if (result == LINES_FAILED)
			return result;
		if (result == LINES_END || !ahead_continues(d, complete))
			return LINES_OK;
		take_ahead(d, false);
	}
}

/* The record cannot be cut: each of its lines is damaged. */
static void leave_out_record(struct dump *d, enum sacct_split split)
{
	char **lines = g_strsplit(d->record->str, "\n", -1);
	uint64_t line = d->line;
	for (guint i = 0; i < d->n_lines; i++, line++) {
		d->r->info->lines++;
		const char *text = lines[0] && i < g_strv_length(lines) ? lines[i] : "";
		guint n = sacct_count_cells(d->columns, text, strlen(text));
		if (split == SPLIT_AMBIGUOUS)
			reader_leave_out(d->r, line, LEFT_MALFORMED,
			                 "the delimiter in free text leaves several ways to read the line");
		else
			reader_leave_out(d->r, line, LEFT_MALFORMED, "line has %u cells, header has %u", n,
			                 d->columns->n);
	}
	g_strfreev(lines);
}

static bool is_step(const struct dump *d)
{
	const struct sacct_columns *c = d->columns;
	struct sacct_id id;
	for (guint i = 0; i < 2; i++) {
		int place = c->place[i == 0 ? COL_JOBID : COL_JOBIDRAW];
		if (place >= 0 && sacct_parse_id(d->cells[place].text, &id) && id.step)
			return true;
	}
	return false;
}

static void read_record(struct dump *d)
{
	char *copy = g_strndup(d->record->str, d->record->len);
	enum sacct_split split = sacct_split(d->columns, copy, d->record->len, d->cells);
	if (split != SPLIT_OK) {
		leave_out_record(d, split);
		g_free(copy);
		return;
	}
	d->r->info->lines++;
	struct sacct_row row;
	if (is_step(d)) {
		sacct_steps_read(d->store, d->columns, d->cells);
		reader_leave_out(d->r, d->line, LEFT_NORMALLY, "job steps");
	} else {
		const char *why = sacct_row_read(d->store, d->columns, d->cells, &row);
		row.line = d->line;
		if (why)
			reader_leave_out(d->r, d->line, LEFT_LOST, "%s", why);
		else
			g_array_append_val(d->store->rows, row);
	}
	g_free(copy);
}

static enum lines_result read_records(struct dump *d, GError **error)
{
	for (;;) {
		enum lines_result result = look_ahead(d, error);
		if (result != LINES_OK)
			return result;
		bool is_header;
		if (!take_header(d, &is_header, error))
			return LINES_FAILED;
		if (is_header)
			continue;
		result = next_record(d, error);
		if (result != LINES_OK)
			return result;
		read_record(d);
		if (!reader_count_ok(d->r, d->store->rows->len, error))
			return LINES_FAILED;
	}
}

static void *sacct_read(struct reader *r, GError **error)
{
	struct sacct_store *store = g_new0(struct sacct_store, 1);
	store->rows = g_array_new(FALSE, FALSE, sizeof(struct sacct_row));
	store->texts = g_string_chunk_new(65536);
	store->labels = g_hash_table_new(g_int64_hash, g_int64_equal);
	store->components = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, (GDestroyNotify)g_array_unref);
	struct dump d = {.r = r, .store = store, .record = g_string_new(NULL), .ahead = g_string_new(NULL)};
	enum lines_result result = look_ahead(&d, error);
	if (result != LINES_FAILED && !find_columns(&d, result == LINES_OK, error))
		result = LINES_FAILED;
	if (result == LINES_OK)
		result = read_records(&d, error);
	sacct_columns_free(d.columns);
	g_free(d.cells);
	g_string_free(d.record, TRUE);
	g_string_free(d.ahead, TRUE);
	if (result == LINES_END) {
		sacct_rows_settle(r, store);
		return store;
	}
	store_free(store);
	return NULL;
}

static bool sacct_matches(const char *path, const char *first, size_t length)
{
	(void)path, (void)length;
	struct sacct_columns *c = sacct_columns_from_header(first);
	if (!c)
		c = sacct_columns_xdmod(first);
	bool is = c != NULL;
	sacct_columns_free(c);
	return is;
}

const struct reader_format sacct_format = {
    .name = "sacct",
    .matches = sacct_matches,
    .read = sacct_read,
    .submission = sacct_submission,
    .free = store_free,
};
