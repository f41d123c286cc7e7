/*
 * workload.c - opens a trace: which format, all lines, sorted by time, and the account of what was left out.
 */
#include "traces/workload.h"
#include "traces/reader.h"
#include <string.h>

struct workload {
	const struct reader_format *format;
	void *store;
	GArray *entries; /* of struct reader_entry, ascending */
	guint next;
	struct workload_info info;
};

static const struct reader_format *const workload_formats[] = {&jsonl_format, &swf_format, &sacct_format};

struct submission *submission_new(void)
{
	struct submission *s = g_new0(struct submission, 1);
	s->request = job_request_new();
	s->outcome.cancel_after = -1;
	return s;
}

void submission_free(struct submission *s)
{
	if (!s)
		return;
	job_request_free(s->request);
	for (uint32_t k = 0; k < s->n_het; k++)
		job_request_free(s->het[k]);
	g_free(s->het);
	g_free(s->tasks);
	job_steps_free(s->steps);
	g_free(s->label);
	g_free(s);
}

static void cause_free(gpointer data)
{
	struct workload_cause *cause = data;
	g_free(cause->text);
	g_free(cause);
}

static gint compare_causes(gconstpointer a, gconstpointer b)
{
	const struct workload_cause *x = *(struct workload_cause *const *)a, *y = *(struct workload_cause *const *)b;
	return (x->first_line > y->first_line) - (x->first_line < y->first_line);
}

static gint compare_entries(gconstpointer a, gconstpointer b)
{
	const struct reader_entry *x = a, *y = b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->record > y->record) - (x->record < y->record);
}

/* reader.h */

enum lines_result reader_next(struct reader *r, char **text, size_t *length, GError **error)
{
	for (;;) {
		enum lines_result result = lines_next(r->lines, text, length, error);
		if (result == LINES_TOO_LONG) {
			r->info->lines++;
			reader_leave_out(r, lines_number(r->lines), LEFT_MALFORMED, "line longer than %d bytes",
			                 LINES_MAX);
			continue;
		}
		if (result != LINES_OK)
			return result;
		size_t i = 0;
		while (i < *length && g_ascii_isspace((*text)[i]))
			i++;
		if (i < *length)
			return result;
	}
}

static struct workload_cause *cause_of(struct reader *r, char *text)
{
	struct workload_cause *cause = g_hash_table_lookup(r->causes, text);
	if (!cause && g_hash_table_size(r->causes) >= READER_MAX_CAUSES) {
		g_free(text);
		text = g_strdup("other causes");
		cause = g_hash_table_lookup(r->causes, text);
	}
	if (cause) {
		g_free(text);
		return cause;
	}
	cause = g_new0(struct workload_cause, 1);
	cause->text = text;
	g_hash_table_insert(r->causes, cause->text, cause);
	g_ptr_array_add(r->info->causes, cause);
	return cause;
}

void reader_leave_out(struct reader *r, uint64_t line, enum reader_weight weight, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = g_strdup_vprintf(format, args);
	va_end(args);
	struct workload_cause *cause = cause_of(r, text);
	cause->count++;
	if (cause->first_line == 0 || line < cause->first_line)
		cause->first_line = line;
	r->damaged += weight != LEFT_NORMALLY;
	r->malformed += weight == LEFT_MALFORMED;
}

void reader_add(struct reader *r, usec_t at, uint32_t record)
{
	struct reader_entry entry = {.at = at, .record = record};
	g_array_append_val(r->entries, entry);
}

void reader_note(struct reader *r, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	g_ptr_array_add(r->info->notes, g_strdup_vprintf(format, args));
	va_end(args);
}

void reader_partition(struct reader *r, const char *name)
{
	if (!name || !*name || r->info->partitions->len >= 10000 || g_hash_table_contains(r->used_partitions, name))
		return;
	char *copy = g_strdup(name);
	g_ptr_array_add(r->info->partitions, copy);
	g_hash_table_add(r->used_partitions, copy);
}

bool reader_count_ok(const struct reader *r, uint64_t records, GError **error)
{
	if (records < READER_MAX_JOBS)
		return true;
	g_set_error(error, WORKLOAD_ERROR, 0, "%s: more than %d jobs; split the file", r->path, READER_MAX_JOBS);
	return false;
}

/* Which format */

static const struct reader_format *format_by_name(const char *name, GError **error)
{
	for (guint i = 0; i < G_N_ELEMENTS(workload_formats); i++)
		if (g_ascii_strcasecmp(workload_formats[i]->name, name) == 0)
			return workload_formats[i];
	g_set_error(error, WORKLOAD_ERROR, 0, "no such trace format: \"%s\"; there are swf, sacct and jsonl", name);
	return NULL;
}

static const struct reader_format *format_by_first_line(const char *path, const char *text, size_t length)
{
	for (guint i = 0; i < G_N_ELEMENTS(workload_formats); i++)
		if (workload_formats[i]->matches(path, text, length))
			return workload_formats[i];
	return NULL;
}

static const struct reader_format *detect(const char *path, const struct workload_options *options, GError **error)
{
	if (options->format)
		return format_by_name(options->format, error);
	if (options->columns)
		return &sacct_format;
	struct lines *lines = lines_open(path, error);
	if (!lines)
		return NULL;
	char *text;
	size_t length;
	enum lines_result result;
	do
		result = lines_next(lines, &text, &length, error);
	while (result == LINES_OK && strspn(text, " \t") == length);
	const struct reader_format *format = NULL;
	if (result != LINES_FAILED) {
		format = format_by_first_line(path, result == LINES_OK ? text : "", result == LINES_OK ? length : 0);
		if (!format)
			g_set_error(error, WORKLOAD_ERROR, 0,
			            "%s: %s; give the format: swf, sacct (with a header line, or with the list of "
			            "its columns) or jsonl",
			            path,
			            result == LINES_END ? "is empty, so its format cannot be told"
			                                : "its first line is of no known format");
	}
	lines_close(lines);
	return format;
}

/* Opening */

static void info_init(struct workload_info *info)
{
	info->causes = g_ptr_array_new_with_free_func(cause_free);
	info->partitions = g_ptr_array_new_with_free_func(g_free);
	info->notes = g_ptr_array_new_with_free_func(g_free);
}

static void info_clear(struct workload_info *info)
{
	g_ptr_array_unref(info->causes);
	g_ptr_array_unref(info->partitions);
	g_ptr_array_unref(info->notes);
	g_free(info->time_zone);
}

/* --strict: one line for each cause, as a compiler would say it. */
static bool strict_ok(const struct reader *r, GError **error)
{
	if (!r->options->strict || r->damaged == 0)
		return true;
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < r->info->causes->len && i < DIAG_SHOWN; i++) {
		const struct workload_cause *cause = r->info->causes->pdata[i];
		g_string_append_printf(text, "%s%s:%" G_GUINT64_FORMAT ": %s (%" G_GUINT64_FORMAT " in all)",
		                       i ? "\n" : "", r->path, cause->first_line, cause->text, cause->count);
	}
	g_set_error(error, WORKLOAD_ERROR, 0, "%s", text->str);
	g_string_free(text, TRUE);
	return false;
}

static bool is_of_the_format(const struct reader *r, const struct reader_format *format, GError **error)
{
	if (r->malformed == 0 || r->malformed < r->info->lines)
		return true;
	const struct workload_cause *first = r->info->causes->pdata[0];
	g_set_error(error, WORKLOAD_ERROR, 0,
	            "%s: not one line is a job in the format \"%s\"; line %" G_GUINT64_FORMAT ": %s", r->path,
	            format->name, first->first_line, first->text);
	return false;
}

/* max_jobs: what comes later is still accounted for. */
static void keep_first(struct reader *r)
{
	guint keep = r->options->max_jobs;
	if (keep == 0 || r->entries->len <= keep)
		return;
	for (guint i = keep; i < r->entries->len; i++)
		reader_leave_out(r, lines_number(r->lines), LEFT_NORMALLY, "after the first %u jobs", keep);
	g_array_set_size(r->entries, keep);
}

static bool read_all(struct workload *w, const char *path, const struct workload_options *options, GError **error)
{
	struct reader r = {.path = path, .options = options, .info = &w->info, .entries = w->entries};
	r.lines = lines_open(path, error);
	if (!r.lines)
		return false;
	r.causes = g_hash_table_new(g_str_hash, g_str_equal);
	r.used_partitions = g_hash_table_new(g_str_hash, g_str_equal);
	w->store = w->format->read(&r, error);
	bool ok = w->store != NULL;
	if (ok) {
		g_ptr_array_sort(w->info.causes, compare_causes);
		g_array_sort(w->entries, compare_entries);
		ok = is_of_the_format(&r, w->format, error) && strict_ok(&r, error);
		keep_first(&r);
		w->info.replayed = w->entries->len;
	}
	g_hash_table_unref(r.causes);
	g_hash_table_unref(r.used_partitions);
	lines_close(r.lines);
	return ok;
}

struct workload *workload_open(const char *path, const struct workload_options *options, GError **error)
{
	static const struct workload_options defaults = {.format = NULL};
	if (!options)
		options = &defaults;
	const struct reader_format *format = detect(path, options, error);
	if (!format)
		return NULL;
	struct workload *w = g_new0(struct workload, 1);
	w->format = format;
	w->entries = g_array_new(FALSE, FALSE, sizeof(struct reader_entry));
	info_init(&w->info);
	if (!read_all(w, path, options, error)) {
		workload_close(w);
		return NULL;
	}
	return w;
}

struct submission *workload_next(struct workload *w)
{
	if (w->next >= w->entries->len)
		return NULL;
	return w->format->submission(w->store, g_array_index(w->entries, struct reader_entry, w->next++).record);
}

const struct workload_info *workload_info(const struct workload *w)
{
	return &w->info;
}

void workload_close(struct workload *w)
{
	if (!w)
		return;
	if (w->store)
		w->format->free(w->store);
	g_array_unref(w->entries);
	info_clear(&w->info);
	g_free(w);
}
