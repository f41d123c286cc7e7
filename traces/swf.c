/*
 * swf.c - the Standard Workload Format: 18 numbers a line (spec swf.md).
 *
 * Numbers are held as millionths in int64_t, so that fractions of seconds stay exact. A job that was checkpointed
 * has one summary line and lines for its parts (status 2, 3, 4); the parts are left out when there is a summary, else
 * they are joined to one job whose run time is their sum.
 */
#include "traces/reader.h"
#include <math.h>
#include <string.h>

enum {
	JOB = 1,
	SUBMIT,
	WAIT,
	RUN,
	ALLOCATED,
	CPU_TIME,
	USED_MEMORY,
	PROCESSORS,
	REQUESTED_TIME,
	REQUESTED_MEMORY,
	STATUS,
	USER,
	GROUP,
	EXECUTABLE,
	QUEUE,
	PARTITION,
	PRECEDING,
	THINK,
	FIELDS = THINK
};
/* A number that the replay needs: damage there costs the line. */
#define NEEDED                                                                                                         \
	(1u << JOB | 1u << SUBMIT | 1u << WAIT | 1u << RUN | 1u << ALLOCATED | 1u << PROCESSORS |                      \
	 1u << REQUESTED_TIME | 1u << STATUS | 1u << USER | 1u << GROUP)
#define MILLION INT64_C(1000000)
#define MAX_NUMBER INT64_C(4000000000000) /* of any field, so that millionths fit */
#define MAX_NAMES 4096

#define UNKNOWN_START INT64_C(946684800) /* 2000-01-01T00:00:00Z */

struct swf_job {
	uint64_t line;
	int64_t number;
	usec_t at, wait, run; /* wait, run: < 0 unknown */
	int32_t user, group, queue, partition;
	uint32_t cpus, limit; /* limit in minutes, NO_VAL = not given */
	uint32_t memory;      /* MiB per CPU, 0 = not given */
	uint32_t exact;       /* the limit in whole seconds as the log has it, 0 = none */
	int8_t status;
};

struct swf_store {
	GArray *jobs;                              /* of struct swf_job, file order */
	GArray *parts;                             /* of struct swf_job with status 2, 3, 4 */
	GHashTable *partition_names, *queue_names; /* number -> owned name */
	sec_t start;
	bool whole_nodes;
	uint32_t max_nodes, max_procs;
	uint64_t raised, above, no_limit;
};

/* Numbers */

static bool parse_slowly(const char *text, const char *end, int64_t *out)
{
	char *stop;
	double value = g_ascii_strtod(text, &stop);
	if (stop != end || !isfinite(value) || fabs(value) > (double)MAX_NUMBER)
		return false;
	*out = llround(value * 1e6);
	return true;
}

/* TEXT up to END (a blank or NUL) as millionths; digits beyond the sixth decimal are cut. */
static bool parse_number(const char *text, const char *end, int64_t *out)
{
	const char *p = text;
	bool minus = *p == '-';
	p += *p == '-' || *p == '+';
	int64_t whole = 0, fraction = 0, scale = MILLION;
	const char *digits = p;
	for (; p < end && g_ascii_isdigit(*p) && whole <= MAX_NUMBER; p++)
		whole = whole * 10 + (*p - '0');
	bool any = p > digits;
	if (p < end && *p == '.')
		for (p++; p < end && g_ascii_isdigit(*p); p++, any = true) {
			scale /= 10;
			fraction += scale * (*p - '0');
		}
	if (!any || p != end || whole > MAX_NUMBER)
		return parse_slowly(text, end, out);
	*out = (whole * MILLION + fraction) * (minus ? -1 : 1);
	return true;
}

/* The fields of a line in VALUE[1..18]; the number of columns; *BAD = the first needed field that is no number. */
static unsigned split(const char *text, int64_t *value, unsigned *bad)
{
	unsigned n = 0;
	*bad = 0;
	for (const char *p = text;;) {
		p += strspn(p, " \t\r\f\v");
		if (!*p)
			return n;
		const char *end = p + strcspn(p, " \t\r\f\v");
		n++;
		if (n <= FIELDS && !parse_number(p, end, &value[n])) {
			value[n] = -MILLION;
			if (!*bad && (NEEDED >> n & 1))
				*bad = n;
		}
		p = end;
	}
}

/* Header */

static void keep_name(GHashTable *names, const char *value)
{
	char *rest;
	gint64 number = g_ascii_strtoll(value, &rest, 10);
	if (rest == value || number < 0 || number > G_MAXINT32 || g_hash_table_size(names) >= MAX_NAMES)
		return;
	char *name = g_strstrip(g_strdup(rest));
	if (*name)
		g_hash_table_insert(names, GINT_TO_POINTER((int)number), name);
	else
		g_free(name);
}

static uint32_t header_count(const char *value)
{
	gint64 n = g_ascii_strtoll(value, NULL, 10);
	return n > 0 && n < (gint64)NO_VAL ? (uint32_t)n : 0;
}

/* "; Label: value" */
static void read_header(struct reader *r, struct swf_store *store, const char *text)
{
	text += strspn(text, "; \t");
	const char *colon = strchr(text, ':');
	if (!colon || colon - text > 32)
		return;
	char *label = g_strstrip(g_strndup(text, (gsize)(colon - text)));
	const char *value = colon + 1 + strspn(colon + 1, " \t");
	if (g_ascii_strcasecmp(label, "MaxNodes") == 0)
		r->info->max_nodes = header_count(value);
	else if (g_ascii_strcasecmp(label, "MaxProcs") == 0)
		r->info->max_procs = header_count(value);
	else if (g_ascii_strcasecmp(label, "UnixStartTime") == 0) {
		gint64 start = g_ascii_strtoll(value, NULL, 10);
		r->info->unix_start = start > 0 && start < READER_MAX_SECONDS ? start : 0;
	} else if (g_ascii_strcasecmp(label, "TimeZoneString") == 0) {
		g_free(r->info->time_zone);
		r->info->time_zone = *value ? g_strchomp(g_strdup(value)) : NULL;
	} else if (g_ascii_strcasecmp(label, "Partition") == 0)
		keep_name(store->partition_names, value);
	else if (g_ascii_strcasecmp(label, "Queue") == 0)
		keep_name(store->queue_names, value);
	g_free(label);
}

/* Job lines */

static int32_t small(int64_t value)
{
	int64_t whole = value / MILLION;
	return value < 0 || whole > G_MAXINT32 ? -1 : (int32_t)whole;
}

/* Requested seconds (millionths) as a limit in minutes. */
static uint32_t limit_minutes(int64_t seconds)
{
	if (seconds <= 0)
		return NO_VAL;
	int64_t minutes = (seconds + 60 * MILLION - 1) / (60 * MILLION);
	return minutes >= NO_VAL ? INFINITE : (uint32_t)minutes;
}

static uint32_t memory_mib(int64_t kilobytes)
{
	if (kilobytes <= 0)
		return 0;
	int64_t mib = (kilobytes + 1024 * MILLION - 1) / (1024 * MILLION);
	return (uint32_t)MIN(mib, (int64_t)G_MAXINT32);
}

/* Why this job cannot be replayed, or NULL. */
static const char *unusable(const int64_t *v)
{
	int64_t far = READER_MAX_SECONDS;
	if (v[SUBMIT] < 0)
		return "no submit time";
	if (v[SUBMIT] / MILLION > far || v[WAIT] / MILLION > far || v[RUN] / MILLION > far)
		return "time out of range";
	if (v[PROCESSORS] <= 0 && v[ALLOCATED] <= 0)
		return "no processors";
	if (v[STATUS] == 5 * MILLION)
		return v[RUN] <= 0 && v[WAIT] < 0 ? "cancelled before its start, at an unknown time" : NULL;
	return v[RUN] < 0 ? "never ran (run time -1)" : NULL;
}

static struct swf_job job_of(const struct reader *r, const int64_t *v)
{
	int64_t cpus = (v[PROCESSORS] > 0 ? v[PROCESSORS] : v[ALLOCATED]);
	struct swf_job job = {
	    .line = lines_number(r->lines),
	    .number = v[JOB] / MILLION,
	    .at = v[SUBMIT],
	    .wait = v[WAIT] < 0 ? -1 : v[WAIT],
	    .run = v[RUN] < 0 ? -1 : v[RUN],
	    .user = small(v[USER]),
	    .group = small(v[GROUP]),
	    .queue = small(v[QUEUE]),
	    .partition = small(v[PARTITION]),
	    .cpus = (uint32_t)MIN((cpus + MILLION - 1) / MILLION, (int64_t)G_MAXINT32),
	    .limit = limit_minutes(v[REQUESTED_TIME]),
	    .exact = v[REQUESTED_TIME] > 0 ? (uint32_t)MIN(v[REQUESTED_TIME] / MILLION, (int64_t)G_MAXINT32) : 0,
	    .memory = memory_mib(v[REQUESTED_MEMORY]),
	    .status = (int8_t)(v[STATUS] < 0 || v[STATUS] > 5 * MILLION ? -1 : v[STATUS] / MILLION),
	};
	return job;
}

static void read_job(struct reader *r, struct swf_store *store, const char *text)
{
	int64_t value[FIELDS + 1];
	unsigned bad, columns = split(text, value, &bad);
	uint64_t line = lines_number(r->lines);
	r->info->lines++;
	if (columns < FIELDS) {
		reader_leave_out(r, line, LEFT_MALFORMED, "line has %u columns, not 18", columns);
		return;
	}
	if (bad) {
		reader_leave_out(r, line, LEFT_MALFORMED, "field %u is not a number", bad);
		return;
	}
	const char *why = unusable(value);
	if (why) {
		reader_leave_out(r, line, LEFT_LOST, "%s", why);
		return;
	}
	struct swf_job job = job_of(r, value);
	if (job.status >= 2 && job.status <= 4)
		g_array_append_val(store->parts, job);
	else
		g_array_append_val(store->jobs, job);
}

/* Parts of checkpointed jobs */

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	const struct swf_job *x = a, *y = b;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static void join_part(struct swf_job *whole, const struct swf_job *part)
{
	whole->run = MIN(MAX(whole->run, 0) + MAX(part->run, 0), READER_MAX_SECONDS * USEC);
	whole->at = MIN(whole->at, part->at);
	whole->status = part->status;
	if (whole->limit != NO_VAL && whole->limit != INFINITE && part->limit != NO_VAL)
		whole->limit = MAX(whole->limit, part->limit);
}

static void join_parts(struct reader *r, struct swf_store *store)
{
	if (store->parts->len == 0)
		return;
	GHashTable *whole = g_hash_table_new(g_int64_hash, g_int64_equal);
	for (guint i = 0; i < store->jobs->len; i++) {
		struct swf_job *job = &g_array_index(store->jobs, struct swf_job, i);
		if (job->status == 0 || job->status == 1)
			g_hash_table_add(whole, &job->number);
	}
	g_array_sort(store->parts, compare_numbers);
	GArray *joined = g_array_new(FALSE, FALSE, sizeof(struct swf_job));
	for (guint i = 0; i < store->parts->len; i++) {
		struct swf_job *part = &g_array_index(store->parts, struct swf_job, i);
		struct swf_job *last = joined->len ? &g_array_index(joined, struct swf_job, joined->len - 1) : NULL;
		if (g_hash_table_contains(whole, &part->number)) {
			reader_leave_out(r, part->line, LEFT_NORMALLY,
			                 "part of a checkpointed job with a summary line");
		} else if (last && last->number == part->number) {
			join_part(last, part);
			reader_leave_out(r, part->line, LEFT_NORMALLY,
			                 "later part of a checkpointed job, joined to the first");
		} else {
			g_array_append_val(joined, *part);
		}
	}
	g_hash_table_unref(whole);
	g_array_append_vals(store->jobs, joined->data, joined->len);
	g_array_unref(joined);
	g_array_set_size(store->parts, 0);
}

/* A name that a partition may have; some headers hold lists and rubbish. */
static bool is_plain(const char *name)
{
	return g_ascii_isalpha(*name) && strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                                              "0123456789_.-") == strlen(name);
}

/* After the last line: the header is complete, so instants and limits can be settled. */
static void settle(struct reader *r, struct swf_store *store)
{
	if (r->info->unix_start == 0) { /* instants of the year 1970 would read as "unknown" */
		r->info->unix_start = UNKNOWN_START;
		reader_note(r, "the header has no UnixStartTime: time 0 is taken for 2000-01-01T00:00:00");
	}
	store->start = r->info->unix_start;
	store->max_nodes = r->info->max_nodes;
	store->max_procs = r->info->max_procs;
	store->whole_nodes = r->options->swf_whole_nodes && store->max_nodes > 0 && store->max_procs > store->max_nodes;
	bool by_partition = g_hash_table_size(store->partition_names) > 0;
	for (guint i = 0; i < store->jobs->len; i++) {
		struct swf_job *job = &g_array_index(store->jobs, struct swf_job, i);
		job->at += store->start * USEC;
		reader_add(r, job->at, i);
		int32_t number = by_partition ? job->partition : job->queue;
		GHashTable *names = by_partition ? store->partition_names : store->queue_names;
		const char *name = number >= 0 ? g_hash_table_lookup(names, GINT_TO_POINTER(number)) : NULL;
		if (name && is_plain(name))
			reader_partition(r, name);
		store->no_limit += job->limit == NO_VAL;
		if (job->limit >= NO_VAL || job->run <= (int64_t)job->limit * 60 * USEC)
			continue;
		store->above++;
		if (r->options->raise_limits)
			job->limit = limit_minutes(job->run);
	}
}

static void note_all(struct reader *r, const struct swf_store *store)
{
	if (store->above > 0 && r->options->raise_limits)
		reader_note(r, "%" G_GUINT64_FORMAT " limits raised to the run time", store->above);
	else if (store->above > 0)
		reader_note(r, "%" G_GUINT64_FORMAT " jobs ran longer than their limit and may end in TIMEOUT",
		            store->above);
	if (store->no_limit > 0)
		reader_note(r, "%" G_GUINT64_FORMAT " jobs have no requested time: the partition's default holds",
		            store->no_limit);
	if (store->whole_nodes)
		reader_note(r, "processors taken as whole nodes of %.4g processors",
		            (double)store->max_procs / store->max_nodes);
	else if (r->options->swf_whole_nodes)
		reader_note(r, "whole nodes asked for, but the header has no MaxProcs above MaxNodes: "
		               "processors are taken as they are");
}

static void swf_free(void *data)
{
	struct swf_store *store = data;
	g_array_unref(store->jobs);
	g_array_unref(store->parts);
	g_hash_table_unref(store->partition_names);
	g_hash_table_unref(store->queue_names);
	g_free(store);
}

static void *swf_read(struct reader *r, GError **error)
{
	struct swf_store *store = g_new0(struct swf_store, 1);
	store->jobs = g_array_new(FALSE, FALSE, sizeof(struct swf_job));
	store->parts = g_array_new(FALSE, FALSE, sizeof(struct swf_job));
	store->partition_names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	store->queue_names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	char *text;
	size_t length;
	enum lines_result result;
	while ((result = reader_next(r, &text, &length, error)) == LINES_OK) {
		const char *first = text + strspn(text, " \t");
		if (*first == ';')
			read_header(r, store, first);
		else
			read_job(r, store, text);
		if (!reader_count_ok(r, (uint64_t)store->jobs->len + store->parts->len, error)) {
			result = LINES_FAILED;
			break;
		}
	}
	if (result == LINES_FAILED) {
		swf_free(store);
		return NULL;
	}
	join_parts(r, store);
	settle(r, store);
	note_all(r, store);
	return store;
}

/* Submissions */

static void set_size(struct job_request *request, const struct swf_store *store, const struct swf_job *job)
{
	if (job->memory > 0)
		request->mem_per_cpu = job->memory;
	if (!store->whole_nodes) {
		request->ntasks = job->cpus;
		return;
	}
	uint64_t nodes = ((uint64_t)job->cpus * store->max_nodes + store->max_procs - 1) / store->max_procs;
	request->min_nodes = request->max_nodes = (uint32_t)MIN(nodes, (uint64_t)G_MAXINT32);
	request->share = SHARE_EXCLUSIVE;
}

static void set_outcome(struct outcome *outcome, const struct swf_job *job)
{
	outcome->run_time = MAX(job->run, 0);
	outcome->exit_code = job->status == 0 || job->status == 4;
	if (job->status == 5) {
		outcome->end = OUTCOME_CANCEL_RUNNING;
		if (job->run <= 0) {
			outcome->cancel_after = job->wait;
			return; /* never started: no real start to compare with */
		}
	}
	if (job->wait >= 0) {
		outcome->real_start = usec_to_sec(job->at + job->wait);
		outcome->real_end = usec_to_sec(job->at + job->wait + outcome->run_time);
	}
}

static struct submission *swf_submission(void *data, uint32_t record)
{
	struct swf_store *store = data;
	const struct swf_job *job = &g_array_index(store->jobs, struct swf_job, record);
	struct submission *s = submission_new();
	s->at = job->at;
	s->line = job->line;
	s->trace_id = job->number > 0 ? (uint64_t)job->number : 0;
	s->request->name = g_strdup_printf("swf_%" G_GINT64_FORMAT, job->number);
	s->request->user = job->user >= 0 ? g_strdup_printf("u%d", job->user) : g_strdup("unknown");
	if (job->group >= 0)
		s->request->account = g_strdup_printf("g%d", job->group);
	s->request->time_limit = job->limit;
	s->request->time_exact = job->exact;
	set_size(s->request, store, job);
	set_outcome(&s->outcome, job);
	return s;
}

static bool swf_matches(const char *path, const char *first, size_t length)
{
	if (g_str_has_suffix(path, ".swf") || g_str_has_suffix(path, ".swf.gz"))
		return true;
	(void)length;
	first += strspn(first, " \t");
	if (*first == ';')
		return true;
	int64_t value[FIELDS + 1];
	unsigned bad;
	return split(first, value, &bad) >= FIELDS && !bad;
}

const struct reader_format swf_format = {
    .name = "swf",
    .matches = swf_matches,
    .read = swf_read,
    .submission = swf_submission,
    .free = swf_free,
};
