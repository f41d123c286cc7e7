/*
 * jsonl.c - files of our own workload format. A job is kept as its line of text, which is the most compact form there
 * is, and read twice: once to check it and to know its time, once more when it is handed out.
 */
#include "traces/jsonl.h"
#include "traces/reader.h"
#include <string.h>

#define SCHEMA "whypend-workload/1"

struct jsonl_job {
	char *text; /* owned */
	uint64_t line;
};

struct jsonl_store {
	GArray *jobs; /* of struct jsonl_job */
	sec_t start;
};

static void job_clear(gpointer data)
{
	struct jsonl_job *job = data;
	g_free(job->text);
}

static void jsonl_free(void *data)
{
	struct jsonl_store *store = data;
	g_array_unref(store->jobs);
	g_free(store);
}

static bool is_header(const cJSON *object)
{
	return cJSON_GetObjectItemCaseSensitive(object, "schema") != NULL;
}

static bool read_header(struct reader *r, struct jsonl_store *store, const cJSON *header, GError **error)
{
	const char *schema = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(header, "schema"));
	if (!schema || strcmp(schema, SCHEMA) != 0) {
		g_set_error(error, JSONL_ERROR, 0,
		            "%s:%" G_GUINT64_FORMAT ": \"schema\" must be \"" SCHEMA "\", not \"%s\"", r->path,
		            lines_number(r->lines), schema ? schema : "");
		return false;
	}
	const cJSON *start = cJSON_GetObjectItemCaseSensitive(header, "start");
	const char *text = cJSON_GetStringValue(start);
	sec_t when = 0;
	if (start && (!text || !date_parse(text, NULL, &when) || when <= 0 || when > READER_MAX_SECONDS)) {
		g_set_error(error, JSONL_ERROR, 0,
		            "%s:%" G_GUINT64_FORMAT ": \"start\" must be a date as \"2026-01-05T00:00:00\"", r->path,
		            lines_number(r->lines));
		return false;
	}
	store->start = r->info->unix_start = when;
	return true;
}

/* Names of partitions that the job lists. */
static void note_partitions(struct reader *r, const char *list)
{
	if (!list)
		return;
	char **names = g_strsplit(list, ",", -1);
	for (char **name = names; *name; name++)
		reader_partition(r, *name);
	g_strfreev(names);
}

static void read_job(struct reader *r, struct jsonl_store *store, const cJSON *object, const char *text, size_t length)
{
	uint64_t line = lines_number(r->lines);
	GError *problem = NULL;
	struct submission *s = submission_from_json(object, &problem);
	if (!s) {
		reader_leave_out(r, line, cJSON_IsObject(object) ? LEFT_LOST : LEFT_MALFORMED, "%s", problem->message);
		g_clear_error(&problem);
		return;
	}
	struct jsonl_job job = {.text = g_strndup(text, length), .line = line};
	reader_add(r, s->at + store->start * USEC, store->jobs->len);
	g_array_append_val(store->jobs, job);
	note_partitions(r, s->request->partition);
	submission_free(s);
}

static bool read_line(struct reader *r, struct jsonl_store *store, const char *text, size_t length, GError **error)
{
	const char *end = NULL;
	cJSON *object = strlen(text) == length ? cJSON_ParseWithLengthOpts(text, length + 1, &end, 1) : NULL;
	bool ok = true;
	if (!object) {
		r->info->lines++;
		reader_leave_out(r, lines_number(r->lines), LEFT_MALFORMED, "not one whole JSON object");
	} else if (r->info->lines == 0 && is_header(object)) {
		ok = read_header(r, store, object, error);
	} else {
		r->info->lines++;
		read_job(r, store, object, text, length);
	}
	cJSON_Delete(object);
	return ok && reader_count_ok(r, store->jobs->len, error);
}

static void *jsonl_read(struct reader *r, GError **error)
{
	struct jsonl_store *store = g_new0(struct jsonl_store, 1);
	store->jobs = g_array_new(FALSE, FALSE, sizeof(struct jsonl_job));
	g_array_set_clear_func(store->jobs, job_clear);
	char *text;
	size_t length;
	enum lines_result result;
	while ((result = reader_next(r, &text, &length, error)) == LINES_OK)
		if (!read_line(r, store, text, length, error)) {
			result = LINES_FAILED;
			break;
		}
	if (result == LINES_END)
		return store;
	jsonl_free(store);
	return NULL;
}

static struct submission *jsonl_submission(void *data, uint32_t record)
{
	struct jsonl_store *store = data;
	const struct jsonl_job *job = &g_array_index(store->jobs, struct jsonl_job, record);
	cJSON *object = cJSON_Parse(job->text);
	struct submission *s = submission_from_json(object, NULL);
	g_assert(s); /* it was read once before */
	cJSON_Delete(object);
	s->at += store->start * USEC;
	s->line = job->line;
	return s;
}

static bool jsonl_matches(const char *path, const char *first, size_t length)
{
	(void)length;
	return g_str_has_suffix(path, ".jsonl") || g_str_has_suffix(path, ".jsonl.gz") ||
	       first[strspn(first, " \t")] == '{';
}

const struct reader_format jsonl_format = {
    .name = "jsonl",
    .matches = jsonl_matches,
    .read = jsonl_read,
    .submission = jsonl_submission,
    .free = jsonl_free,
};
