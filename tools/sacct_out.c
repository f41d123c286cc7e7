/* sacct_out.c - see sacct_out.h. One function fills one cell; a table names the fields. */
#include "tools/sacct_out.h"
#include "sched/base/duration.h"
#include "sched/base/memsize.h"
#include <errno.h>
#include <gio/gio.h>
#include <inttypes.h>
#include <stddef.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct sheet {         /* what all rows share */
	sec_t now;     /* unfinished times are counted up to here */
	bool v22;      /* print as 22.05 does */
	char *cluster; /* owned */
};

struct record { /* a row of table job; strings belong to the statement until its next step */
	uint32_t job, array_job, array_task, run, time_limit, req_nodes, req_cpus, nnodes, ncpus, priority;
	uint32_t het_job, het_offset, suspended;
	const char *array_tasks, *name, *user, *account, *partition, *qos, *state, *reason, *req_tres, *alloc_tres,
	    *nodelist, *scheduler, *constraints;
	sec_t submit, eligible, start, end;
	int exit_code, exit_signal;
	uint64_t req_mem;
};

static const char record_sql[] =
    "SELECT job, array_job, array_task, run, time_limit, req_nodes, req_cpus, nnodes, ncpus, priority, "
    "het_job, het_offset, suspended, array_tasks, name, user, account, partition, qos, state, reason, req_tres, alloc_tres, nodelist, scheduler, "
    "constraints, submit_s, eligible_s, start_s, end_s, exit_code, exit_signal, req_mem "
    "FROM job ORDER BY submit_s, job, run, rowid";

/* The columns of record_sql in their order. */
static void record_read(sqlite3_stmt *row, struct record *j)
{
	uint32_t *const numbers[] = {&j->job,       &j->array_job, &j->array_task, &j->run,   &j->time_limit,
	                             &j->req_nodes, &j->req_cpus,  &j->nnodes,     &j->ncpus, &j->priority,
	                             &j->het_job,   &j->het_offset, &j->suspended};
	const char **const texts[] = {&j->array_tasks, &j->name,      &j->user,       &j->account,  &j->partition,
	                              &j->qos,         &j->state,     &j->reason,     &j->req_tres, &j->alloc_tres,
	                              &j->nodelist,    &j->scheduler, &j->constraints};
	sec_t *const times[] = {&j->submit, &j->eligible, &j->start, &j->end};
	int c = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
		*numbers[i] = (uint32_t)sqlite3_column_int64(row, c++);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		const char *text = (const char *)sqlite3_column_text(row, c++);
		*texts[i] = text ? text : "";
	}
	for (size_t i = 0; i < G_N_ELEMENTS(times); i++)
		*times[i] = sqlite3_column_int64(row, c++);
	j->exit_code = sqlite3_column_int(row, c++);
	j->exit_signal = sqlite3_column_int(row, c++);
	j->req_mem = (uint64_t)sqlite3_column_int64(row, c++);
}

/* --- cells: each appends the value of its field --- */

static void put_number(GString *cell, int64_t n)
{
	g_string_append_printf(cell, "%" PRId64, n);
}

static void put_taken(GString *cell, char *text)
{
	g_string_append(cell, text);
	g_free(text);
}

static void put_date(GString *cell, sec_t t, const char *when_zero)
{
	if (t)
		put_taken(cell, date_format(t, NULL));
	else
		g_string_append(cell, when_zero);
}

static void put_duration(GString *cell, int64_t seconds)
{
	if (seconds < 0)
		g_string_append(cell, "INVALID");
	else
		put_taken(cell, duration_format(seconds));
}

static int64_t elapsed(const struct sheet *s, const struct record *j)
{
	int64_t seconds = !j->start ? 0 : (j->end ? j->end : s->now) - j->start;
	return MAX(0, seconds - j->suspended);
}

/* The wait that Slurm shows; a job that ended, or is asked for, before it was eligible did not wait. */
static int64_t planned(const struct sheet *s, const struct record *j)
{
	sec_t until = j->start ? j->start : j->end ? j->end : s->now;
	return j->eligible && until > j->eligible ? until - j->eligible : 0;
}

static uint32_t alloc_cpus(const struct sheet *s, const struct record *j)
{
	return s->v22 && !j->start ? j->req_cpus : j->ncpus;
}

static void cell_jobid(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	if (j->het_job)
		g_string_append_printf(cell, "%" PRIu32 "+%" PRIu32, j->het_job, j->het_offset);
	else if (!j->array_job)
		put_number(cell, j->job);
	else if (j->array_task != NO_VAL)
		g_string_append_printf(cell, "%" PRIu32 "_%" PRIu32, j->array_job, j->array_task);
	else if (*j->array_tasks)
		g_string_append_printf(cell, "%" PRIu32 "_%s", j->array_job, j->array_tasks);
	else
		put_number(cell, j->array_job);
}

static void cell_cluster(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)j;
	g_string_append(cell, s->cluster);
}

static void cell_submit(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_date(cell, j->submit, "Unknown");
}

static void cell_eligible(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_date(cell, j->eligible, "Unknown");
}

static void cell_start(GString *cell, const struct sheet *s, const struct record *j)
{
	if (!j->start && s->v22 && g_str_has_prefix(j->state, "CANCELLED"))
		put_date(cell, j->end, "Unknown");
	else
		put_date(cell, j->start, j->end ? "None" : "Unknown");
}

static void cell_end(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_date(cell, j->end, "Unknown");
}

static void cell_elapsed(GString *cell, const struct sheet *s, const struct record *j)
{
	put_duration(cell, elapsed(s, j));
}

static void cell_elapsedraw(GString *cell, const struct sheet *s, const struct record *j)
{
	put_number(cell, elapsed(s, j));
}

static void cell_cputime(GString *cell, const struct sheet *s, const struct record *j)
{
	put_duration(cell, elapsed(s, j) * alloc_cpus(s, j));
}

static void cell_cputimeraw(GString *cell, const struct sheet *s, const struct record *j)
{
	put_number(cell, elapsed(s, j) * alloc_cpus(s, j));
}

static void cell_planned(GString *cell, const struct sheet *s, const struct record *j)
{
	put_duration(cell, planned(s, j));
}

/* Both time limit fields say the same words where there is no number. */
static bool put_limit_word(GString *cell, const struct record *j)
{
	if (j->time_limit == INFINITE)
		g_string_append(cell, "UNLIMITED");
	else if (j->time_limit == NO_VAL)
		g_string_append(cell, "Partition_Limit");
	return j->time_limit == INFINITE || j->time_limit == NO_VAL;
}

static void cell_timelimit(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	if (!put_limit_word(cell, j))
		put_duration(cell, (int64_t)j->time_limit * 60);
}

static void cell_timelimitraw(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	if (!put_limit_word(cell, j))
		put_number(cell, j->time_limit);
}

static void cell_exitcode(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	g_string_append_printf(cell, "%d:%d", j->exit_code, j->exit_signal);
}

static void cell_nnodes(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_number(cell, j->nnodes ? j->nnodes : j->req_nodes);
}

static void cell_alloccpus(GString *cell, const struct sheet *s, const struct record *j)
{
	put_number(cell, alloc_cpus(s, j));
}

static void cell_reqmem(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	put_taken(cell, memsize_format_mib(j->req_mem));
}

static void cell_nodelist(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	g_string_append(cell, *j->nodelist ? j->nodelist : "None assigned");
}

static void cell_reason(GString *cell, const struct sheet *s, const struct record *j)
{
	(void)s;
	g_string_append(cell, *j->reason ? j->reason : "None");
}

static void cell_flags(GString *cell, const struct sheet *s, const struct record *j)
{
	static const struct {
		const char *scheduler, *flag;
	} flags[] = {{"main", "SchedMain,"}, {"backfill", "SchedBackfill,"}, {"submit", "SchedSubmit,"}};
	for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
		if (strcmp(j->scheduler, flags[i].scheduler) == 0)
			g_string_append(cell, flags[i].flag);
	g_string_append(cell, s->v22 ? "StartRecieved" : "StartReceived"); /* so spelt in 22.05 */
}

/* --- the fields and the format --- */

/* A field shows a member of struct record, or what a function makes of it. Only text is cut to the width of a column.
 */
struct field {
	const char *name;
	int width; /* negative: to the left */
	enum { TEXT, NUMBER, TEXT_BY, NUMBER_BY } kind;
	size_t member;
	void (*put)(GString *cell, const struct sheet *s, const struct record *j);
};

#define MEMBER(kind, member) kind, offsetof(struct record, member), NULL
#define CELL(kind, put) kind##_BY, 0, put

static const struct field fields[] = {
    {"Account", 10, MEMBER(TEXT, account)},
    {"AllocCPUS", 10, CELL(NUMBER, cell_alloccpus)},
    {"AllocNodes", 10, MEMBER(NUMBER, nnodes)},
    {"AllocTRES", 10, MEMBER(TEXT, alloc_tres)},
    {"Cluster", 10, CELL(TEXT, cell_cluster)},
    {"Constraints", 19, MEMBER(TEXT, constraints)},
    {"CPUTime", 10, CELL(NUMBER, cell_cputime)},
    {"CPUTimeRAW", 10, CELL(NUMBER, cell_cputimeraw)},
    {"Elapsed", 10, CELL(NUMBER, cell_elapsed)},
    {"ElapsedRaw", 10, CELL(NUMBER, cell_elapsedraw)},
    {"Eligible", 19, CELL(NUMBER, cell_eligible)},
    {"End", 19, CELL(NUMBER, cell_end)},
    {"ExitCode", 8, CELL(TEXT, cell_exitcode)},
    {"Flags", 19, CELL(TEXT, cell_flags)},
    {"JobID", -12, CELL(TEXT, cell_jobid)},
    {"JobIDRaw", -12, MEMBER(NUMBER, job)},
    {"JobName", 10, MEMBER(TEXT, name)},
    {"NCPUS", 10, CELL(NUMBER, cell_alloccpus)},
    {"NNodes", 8, CELL(NUMBER, cell_nnodes)},
    {"NodeList", 15, CELL(TEXT, cell_nodelist)},
    {"Partition", 10, MEMBER(TEXT, partition)},
    {"Planned", 10, CELL(NUMBER, cell_planned)},
    {"Priority", 10, MEMBER(NUMBER, priority)},
    {"QOS", 10, MEMBER(TEXT, qos)},
    {"Reason", 22, CELL(TEXT, cell_reason)},
    {"ReqCPUS", 8, MEMBER(NUMBER, req_cpus)},
    {"ReqMem", 10, CELL(TEXT, cell_reqmem)},
    {"ReqNodes", 8, MEMBER(NUMBER, req_nodes)},
    {"ReqTRES", 10, MEMBER(TEXT, req_tres)},
    {"Reserved", 10, CELL(NUMBER, cell_planned)}, /* 22.05's name of Planned */
    {"Restarts", 8, MEMBER(NUMBER, run)},
    {"Start", 19, CELL(NUMBER, cell_start)},
    {"State", 10, MEMBER(TEXT, state)},
    {"Submit", 19, CELL(NUMBER, cell_submit)},
    {"Timelimit", 10, CELL(NUMBER, cell_timelimit)},
    {"TimelimitRaw", 10, CELL(NUMBER, cell_timelimitraw)},
    {"User", 9, MEMBER(TEXT, user)},
};

static void fill_cell(GString *cell, const struct field *f, const struct sheet *s, const struct record *j)
{
	const char *member = (const char *)j + f->member;
	g_string_truncate(cell, 0);
	if (f->put)
		f->put(cell, s, j);
	else if (f->kind == TEXT)
		g_string_append(cell, *(const char *const *)member);
	else
		put_number(cell, *(const uint32_t *)member);
}

static const char default_format[] = "JobID,JobName,Partition,Account,AllocCPUS,State,ExitCode";

struct column {
	const struct field *field;
	int width;
};

static const struct field *find_field(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (g_ascii_strcasecmp(fields[i].name, name) == 0)
			return &fields[i];
	return NULL;
}

static void bad_format(GError **error, const char *what, const char *token)
{
	GString *message = g_string_new(NULL);
	g_string_printf(message, "%s: \"%s\"; the fields are", what, token);
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		g_string_append_printf(message, "%s%s", i ? "," : " ", fields[i].name);
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
	column->field = find_field(g_strchomp(token));
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

static void print_header(FILE *out, const GArray *columns, bool parsable2)
{
	for (guint i = 0; i < columns->len; i++) {
		const struct column *c = &g_array_index(columns, struct column, i);
		if (parsable2)
			fprintf(out, "%s%s", i ? "|" : "", c->field->name);
		else
			print_padded(out, c->field->name, c->width, true, false);
	}
	putc('\n', out);
	if (parsable2)
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
                         bool parsable2, GString *cell)
{
	for (guint i = 0; i < columns->len; i++) {
		const struct column *c = &g_array_index(columns, struct column, i);
		bool word = c->field->kind == TEXT || c->field->kind == TEXT_BY;
		fill_cell(cell, c->field, s, j);
		if (parsable2)
			fprintf(out, "%s%s", i ? "|" : "", cell->str);
		else
			print_padded(out, cell->str, c->width, word || g_ascii_isalpha(cell->str[0]), true);
	}
	putc('\n', out);
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

static bool print_records(FILE *out, sqlite3 *db, const GArray *columns, const struct sheet *s, bool parsable2,
                          GError **error)
{
	sqlite3_stmt *row = NULL;
	if (sqlite3_prepare_v2(db, record_sql, -1, &row, NULL) != SQLITE_OK)
		return read_error(db, error);
	GString *cell = g_string_new(NULL);
	struct record record = {0};
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		record_read(row, &record);
		print_record(out, columns, s, &record, parsable2, cell);
	}
	g_string_free(cell, TRUE);
	bool good = rc == SQLITE_DONE || read_error(db, error);
	sqlite3_finalize(row);
	return good;
}

gboolean sacct_print(FILE *out, struct sqlite3 *db, const char *format, bool parsable2, bool no_header, GError **error)
{
	struct sheet sheet = {0};
	GArray *columns = parse_format(format ? format : default_format, error);
	if (!columns)
		return FALSE;
	bool good = read_sheet(db, &sheet, error);
	if (good && !no_header)
		print_header(out, columns, parsable2);
	good = good && print_records(out, db, columns, &sheet, parsable2, error);
	g_free(sheet.cluster);
	g_array_unref(columns);
	if (good && (fflush(out) != 0 || ferror(out))) {
		g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "cannot write: %s", g_strerror(errno));
		good = false;
	}
	return good;
}
