/* sacct_out.c - see sacct_out.h: the format, lines, and the database. */
#include "tools/sacct_out.h"
#include "sched/base/duration.h"
#include "tools/options_slurm.h"
#include "tools/sacct_steps.h"
#include <errno.h>
#include <gio/gio.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* Users are numbered in the order of their jobs, as squeue does. */
static const char uid_sql[] = "SELECT user FROM main.job GROUP BY user ORDER BY min(job)";

static const char default_format[] = "JobID,JobName,Partition,Account,AllocCPUS,State,ExitCode";
const char sacct_brief_format[] = "JobID,State,ExitCode";
const char sacct_long_format[] =
    "JobID,JobIDRaw,JobName,Partition,MaxVMSize,MaxVMSizeNode,MaxVMSizeTask,AveVMSize,MaxRSS,MaxRSSNode,MaxRSSTask,AveRSS,"
    "MaxPages,MaxPagesNode,MaxPagesTask,AvePages,MinCPU,MinCPUNode,MinCPUTask,AveCPU,NTasks,AllocCPUS,Elapsed,State,"
    "ExitCode,AveCPUFreq,ReqCPUFreqMin,ReqCPUFreqMax,ReqCPUFreqGov,ReqMem,ConsumedEnergy,MaxDiskRead,MaxDiskReadNode,"
    "MaxDiskReadTask,AveDiskRead,MaxDiskWrite,MaxDiskWriteNode,MaxDiskWriteTask,AveDiskWrite,ReqTRES,AllocTRES,"
    "TRESUsageInAve,TRESUsageInMax,TRESUsageInMaxNode,TRESUsageInMaxTask,TRESUsageInMin,TRESUsageInMinNode,"
    "TRESUsageInMinTask,TRESUsageInTot,TRESUsageOutMax,TRESUsageOutMaxNode,TRESUsageOutMaxTask,TRESUsageOutAve,"
    "TRESUsageOutTot";

struct column {
	const struct sacct_field *field;
	int width;
};

static void bad_format(GError **error, const char *what, const char *token)
{
	GString *message = g_string_new(NULL);
	g_string_printf(message, "%s: \"%s\"%s", what, token, slurm_own_name() ? "" : "; the fields are");
	for (size_t i = 0; i < N_SACCT_FIELDS && !slurm_own_name(); i++)
		g_string_append_printf(message, "%s%s", i ? "," : " ", SACCT_FIELDS[i].name);
	g_set_error_literal(error, SACCT_ERROR, 0, message->str);
	g_string_free(message, TRUE);
}

/* One token of a format, "Name" or "Name%W", which is changed on the way. */
static bool parse_column(char *token, struct column *column, GError **error)
{
	enum { WIDTH_MAX = 10000 };
	char *whole = g_strdup(token), *percent = strchr(token, '%');
	gint64 width = 0;
	bool good = true;
	if (percent) {
		*percent = '\0';
		good = g_ascii_string_to_signed(percent + 1, 10, -WIDTH_MAX, WIDTH_MAX, &width, NULL) && width != 0;
		if (!good)
			bad_format(error, "Invalid field width requested", whole);
	}
	column->field = sacct_find_field(g_strchomp(token));
	if (good && !column->field) {
		bad_format(error, "Invalid field requested", whole);
		good = false;
	}
	if (good)
		column->width = percent ? (int)width : column->field->width;
	g_free(whole);
	return good;
}

/* FORMAT as an array of struct column; NULL and ERROR when it is bad or names nothing. */
static GArray *parse_format(const char *format, GError **error)
{
	GArray *columns = g_array_new(FALSE, FALSE, sizeof(struct column));
	char **tokens = g_strsplit(format, ",", -1);
	bool good = true;
	for (char **token = tokens; good && *token; token++) {
		struct column column;
		if (*g_strstrip(*token) == '\0')
			continue;
		good = parse_column(*token, &column, error);
		if (good)
			g_array_append_val(columns, column);
	}
	if (good && columns->len == 0) {
		bad_format(error, "No field requested", format);
		good = false;
	}
	g_strfreev(tokens);
	if (!good)
		g_clear_pointer(&columns, g_array_unref);
	return columns;
}

/* --- lines --- */

/* A cell of WIDTH (negative: to the left) and the blank after it; text that is too long is cut, with a mark or without.
 */
static void print_padded(FILE *out, const char *text, int width, bool may_cut, bool mark)
{
	int size = abs(width), length = (int)strlen(text);
	if (length <= size || !may_cut)
		fprintf(out, "%*s ", width, text);
	else if (mark)
		fprintf(out, "%.*s+ ", size - 1, text);
	else
		fprintf(out, "%.*s ", size, text);
}

static void end_line(FILE *out, const struct sacct_form *form)
{
	if (form->closed)
		fputs(form->delimiter, out);
	putc('\n', out);
}

static void print_header(FILE *out, const GArray *columns, const struct sacct_form *form)
{
	for (guint i = 0; i < columns->len; i++) {
		const struct column *c = &g_array_index(columns, struct column, i);
		if (form->parsable)
			fprintf(out, "%s%s", i ? form->delimiter : "", c->field->name);
		else
			print_padded(out, c->field->name, c->width, true, false);
	}
	end_line(out, form);
	if (form->parsable)
		return;
	for (guint i = 0; i < columns->len; i++) {
		for (int n = abs(g_array_index(columns, struct column, i).width); n > 0; n--)
			putc('-', out);
		putc(' ', out);
	}
	putc('\n', out);
}

/* Words in a field of numbers ("Partition_Limit") are cut like text, dates ("None", "Unknown") fit anyway. */
static void print_record(FILE *out, const GArray *columns, const struct sheet *s, const struct record *j,
                         const struct sacct_form *form, GString *cell)
{
	for (guint i = 0; i < columns->len; i++) {
		const struct column *c = &g_array_index(columns, struct column, i);
		bool word = sacct_field_is_text(c->field);
		sacct_fill_cell(cell, c->field, s, j);
		if (form->parsable)
			fprintf(out, "%s%s", i ? form->delimiter : "", cell->str);
		else
			print_padded(out, cell->str, c->width, word || g_ascii_isalpha(cell->str[0]), true);
	}
	end_line(out, form);
}

/* --- the database --- */

static bool read_error(sqlite3 *db, GError **error)
{
	g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot read the record: %s", sqlite3_errmsg(db));
	return false;
}

/* "Now" is meta's end (microseconds, or a date); without it the latest instant of the jobs and of the series. */
static sec_t read_now(const char *end, int64_t latest)
{
	int64_t micros = 0;
	sec_t date = 0;
	if (end && g_ascii_string_to_signed(end, 10, G_MININT64, G_MAXINT64, &micros, NULL))
		return usec_to_sec(micros);
	if (end && date_parse(end, NULL, &date))
		return date;
	return usec_to_sec(latest);
}

static bool read_sheet(sqlite3 *db, struct sheet *s, GError **error)
{
	static const char sql[] =
	    "SELECT (SELECT value FROM meta WHERE key='end'), (SELECT value FROM meta WHERE key='slurm_version'), "
	    "(SELECT value FROM meta WHERE key='cluster'), max(ifnull((SELECT max(t) FROM series), 0), "
	    "ifnull((SELECT max(max(submit_t, start_t, end_t)) FROM job), 0))";
	sqlite3_stmt *row = NULL;
	bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
	if (good) {
		const char *version = (const char *)sqlite3_column_text(row, 1);
		s->v22 = version && g_str_has_prefix(version, "22");
		s->cluster = g_strdup((const char *)sqlite3_column_text(row, 2));
		if (!s->cluster)
			s->cluster = g_strdup("");
		s->now = read_now((const char *)sqlite3_column_text(row, 0), sqlite3_column_int64(row, 3));
	} else {
		read_error(db, error);
	}
	sqlite3_finalize(row);
	return good;
}

/* user -> number; GUINT_TO_POINTER */
static GHashTable *read_uids(sqlite3 *db)
{
	GHashTable *uids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	sqlite3_stmt *row = NULL;
	guint next = 1000;

	if (sqlite3_prepare_v2(db, uid_sql, -1, &row, NULL) == SQLITE_OK)
		while (sqlite3_step(row) == SQLITE_ROW) {
			const char *user = (const char *)sqlite3_column_text(row, 0);
			bool root = user && strcmp(user, "root") == 0;
			if (user)
				g_hash_table_insert(uids, g_strdup(user), GUINT_TO_POINTER(root ? 0 : next));
			next++;
		}
	sqlite3_finalize(row);
	return uids;
}

/* The row of tasks that never started, "[3-7,9%2]", as a row of each. */
static void print_tasks(FILE *out, const GArray *columns, const struct sheet *s, const struct record *j,
                        const struct sacct_form *form, GString *cell)
{
	const char *p = j->array_tasks + (*j->array_tasks == '[');
	while (g_ascii_isdigit(*p)) {
		char *end;
		unsigned long low = strtoul(p, &end, 10), high = *end == '-' ? strtoul(end + 1, &end, 10) : low;
		struct record one = *j;
		one.array_tasks = "";
		for (unsigned long task = low; task <= high && task < NO_VAL; task++) {
			one.array_task = (uint32_t)task;
			print_record(out, columns, s, &one, form, cell);
		}
		p = end + (*end == ',');
	}
}

/* ---- steps ---- */

static bool step_wanted(const char *list, const struct record *j, GString *cell)
{
	static const char *const FIELDS[] = {"JobID", "JobIDRaw"};
	char **ids = list ? g_strsplit(list, ",", -1) : NULL;
	bool wanted = !ids;

	for (size_t i = 0; ids && i < G_N_ELEMENTS(FIELDS); i++) {
		sacct_fill_cell(cell, sacct_find_field(FIELDS[i]), NULL, j);
		for (char **id = ids; *id; id++)
			wanted |= strcmp(*id, cell->str) == 0 ||
			          (g_str_has_suffix(*id, ".ba") && g_str_has_prefix(cell->str, *id));
	}
	g_strfreev(ids);
	return wanted;
}

struct step_lines { /* where the rows of steps go */
	FILE *out;
	const GArray *columns;
	const struct sheet *s;
	const struct sacct_form *form;
	GString *cell;
};

static void print_step(void *data, const struct record *j)
{
	const struct step_lines *l = data;

	if (step_wanted(l->form->only_steps ? l->form->step_ids : NULL, j, l->cell))
		print_record(l->out, l->columns, l->s, j, l->form, l->cell);
}

static bool print_records(FILE *out, sqlite3 *db, const GArray *columns, const struct sheet *s,
                          const struct sacct_form *form, GError **error)
{
	sqlite3_stmt *row = NULL;
	sacct_records_open(db);
	if (sqlite3_prepare_v2(db, sacct_record_sql, -1, &row, NULL) != SQLITE_OK)
		return read_error(db, error);
	GHashTable *uids = read_uids(db);
	GString *cell = g_string_new(NULL);
	struct record record = {0};
	struct step_lines lines = {out, columns, s, form, cell};
	struct sacct_steps *steps = sacct_steps_open(db);
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		sacct_record_read(row, &record);
		record.uid = GPOINTER_TO_UINT(g_hash_table_lookup(uids, record.user));
		sacct_steps_sum_up(steps, &record);
		record.canceller = record.cancelled_by ? GPOINTER_TO_UINT(g_hash_table_lookup(uids, record.cancelled_by)) : 0;
		if (!form->only_steps && form->each_task && *record.array_tasks)
			print_tasks(out, columns, s, &record, form, cell);
		else if (!form->only_steps)
			print_record(out, columns, s, &record, form, cell);
		if (form->steps && record.start)
			sacct_steps_each(steps, &record, print_step, &lines);
	}
	g_string_free(cell, TRUE);
	g_hash_table_unref(uids);
	bool good = rc == SQLITE_DONE || read_error(db, error);
	sqlite3_finalize(row);
	sacct_steps_close(steps);
	return good;
}

gboolean sacct_print_form(FILE *out, struct sqlite3 *db, const struct sacct_form *form, GError **error)
{
	struct sheet sheet = {.unit = form->unit, .from = form->from, .to = form->to};
	struct sacct_form f = *form;
	GArray *columns = parse_format(form->format ? form->format : default_format, error);
	if (!columns)
		return FALSE;
	f.delimiter = f.delimiter ? f.delimiter : "|";
	f.parsable |= f.closed;
	bool good = read_sheet(db, &sheet, error);
	if (good && !form->no_header)
		print_header(out, columns, &f);
	good = good && print_records(out, db, columns, &sheet, &f, error);
	g_free(sheet.cluster);
	g_array_unref(columns);
	if (good && (fflush(out) != 0 || ferror(out))) {
		g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "cannot write: %s", g_strerror(errno));
		good = false;
	}
	return good;
}

gboolean sacct_print(FILE *out, struct sqlite3 *db, const char *format, bool parsable2, bool no_header, GError **error)
{
	const struct sacct_form form = {.format = format, .parsable = parsable2, .no_header = no_header};

	return sacct_print_form(out, db, &form, error);
}

void sacct_print_fields(FILE *out)
{
	int n = 0;

	for (size_t i = 0; i < N_SACCT_FIELDS; i++)
		if (SACCT_FIELDS[i].release != 22)
			fprintf(out, "%s%-19s", n == 0 ? "" : n % 4 ? " " : "\n", SACCT_FIELDS[i].name), n++;
	fputc('\n', out);
}
