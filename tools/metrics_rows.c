/* metrics_rows.c - see metrics.h: the jobs of a run. */
#include "tools/metrics.h"
#include "tools/summary_data.h"
#include <gio/gio.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define RIGHT 60 /* seconds, as estimate_quality.c */

struct reading {
	sqlite3 *db;
	struct run_rows *r;
	GHashTable *by_id;   /* job id -> index + 1 in jobs */
	GHashTable *by_name; /* key -> times seen */
	sec_t end;           /* of the record */
};

/* ---- the file ---- */

struct sqlite3 *run_db_open(const char *path, GError **error)
{
	struct sqlite3 *db = NULL;
	sqlite3_stmt *q = NULL;
	bool known = false;

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		g_set_error(error, METRICS_ERROR, 0, "%s: there is no such file", path);
		return NULL;
	}
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, "SELECT value FROM meta WHERE key = 'schema'", -1, &q, NULL) == SQLITE_OK)
		known = sqlite3_step(q) == SQLITE_ROW && g_strcmp0((const char *)sqlite3_column_text(q, 0), "1") == 0;
	sqlite3_finalize(q);
	if (known)
		return db;
	g_set_error(error, METRICS_ERROR, 0, "%s: this is no run.db; \"whypend run -o run.db\" writes one", path);
	sqlite3_close(db);
	return NULL;
}

static bool prepare(struct reading *x, const char *sql, sqlite3_stmt **q, GError **error)
{
	if (sqlite3_prepare_v2(x->db, sql, -1, q, NULL) == SQLITE_OK)
		return true;
	g_set_error(error, METRICS_ERROR, 0, "the record cannot be read: %s", sqlite3_errmsg(x->db));
	return false;
}

static bool finish(struct reading *x, sqlite3_stmt *q, int rc, GError **error)
{
	if (rc != SQLITE_DONE)
		g_set_error(error, METRICS_ERROR, 0, "the record cannot be read: %s", sqlite3_errmsg(x->db));
	sqlite3_finalize(q);
	return rc == SQLITE_DONE;
}

static bool has_table(const struct reading *x, const char *table)
{
	return sqlite3_table_column_metadata(x->db, NULL, table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

/* ---- classes of a job ---- */

/* The count of NAME in "billing=8,cpu=8,gres/gpu:a100=1"; 0 without. */
static uint64_t tres_count(const char *tres, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = tres; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		if (strncmp(p, name, n) == 0 && p[n] == '=')
			return g_ascii_strtoull(p + n + 1, NULL, 10);
	return 0;
}

/* "a100" of "gres/gpu:a100=1"; several are joined by "+"; NULL without. g_free. */
static char *gpu_types(const char *tres)
{
	GString *out = g_string_new(NULL);

	for (const char *p = tres; p && (p = strstr(p, "gres/gpu:")); p++) {
		const char *name = p + strlen("gres/gpu:");
		if (out->len)
			g_string_append_c(out, '+');
		g_string_append_len(out, name, (gssize)strcspn(name, "=,"));
	}
	return g_string_free(out, out->len == 0);
}

static const char *gpu_class(struct run_rows *r, const char *asked, const char *given)
{
	char *type = gpu_types(asked);
	const char *text;

	if (!type)
		type = gpu_types(given);
	if (!type)
		return tres_count(asked, "gres/gpu") || tres_count(given, "gres/gpu") ? "any" : "none";
	text = g_string_chunk_insert_const(r->texts, type);
	g_free(type);
	return text;
}

/* By GPUs asked for, else by CPUs. */
static const char *size_class(uint64_t gpus, uint64_t cpus)
{
	static const struct {
		uint64_t up_to;
		const char *name;
	} gpu[] = {{1, "1 GPU"},      {4, "2-4 GPUs"},      {8, "5-8 GPUs"},
	           {32, "9-32 GPUs"}, {128, "33-128 GPUs"}, {UINT64_MAX, "129+ GPUs"}},
	  cpu[] = {{1, "1 CPU"},         {8, "2-8 CPUs"},         {32, "9-32 CPUs"},
	           {128, "33-128 CPUs"}, {1024, "129-1024 CPUs"}, {UINT64_MAX, "1025+ CPUs"}};
	size_t i = 0;

	if (gpus) {
		while (gpus > gpu[i].up_to)
			i++;
		return gpu[i].name;
	}
	while (cpus > cpu[i].up_to)
		i++;
	return cpu[i].name;
}

/* ---- job rows ---- */

enum column {
	C_JOB,
	C_ARRAY,
	C_TASK,
	C_TASKS,
	C_RUN,
	C_LABEL,
	C_TRACE,
	C_USER,
	C_ACCOUNT,
	C_PARTITION,
	C_QOS,
	C_SUBMIT_T,
	C_START_T,
	C_END_T,
	C_SUBMIT,
	C_ELIGIBLE,
	C_START,
	C_END,
	C_STATE,
	C_CPUS,
	C_GPUS,
	C_REQ_CPUS,
	C_REQ,
	C_ALLOC,
	C_SUSPENDED,
	C_LOST,
	C_OFFSET
};
static const char jobs_sql[] = "SELECT job, array_job, array_task, array_tasks, run, label, trace_id, user, account, "
                               "partition, qos, submit_t, start_t, end_t, "
                               "submit_s, eligible_s, start_s, end_s, state, ncpus, ngpus, req_cpus, req_tres, "
                               "alloc_tres, suspended, lost, het_offset "
                               "FROM job ORDER BY job, run";

/* Instants of a damaged file must not overflow. */
static int64_t time_of(sqlite3_stmt *q, int column)
{
	return CLAMP(sqlite3_column_int64(q, column), 0, INT64_C(400000000000) * USEC);
}

static const char *text_of(struct reading *x, sqlite3_stmt *q, int column)
{
	const char *text = (const char *)sqlite3_column_text(q, column);

	return g_string_chunk_insert_const(x->r->texts,
	                                   text && *text && g_utf8_validate(text, -1, NULL) ? text : "none");
}

/* Trace number or label find a job again where ids differ because a submission was refused; with the task. */
static void name_job(struct reading *x, sqlite3_stmt *q, struct run_job *j)
{
	uint32_t task = (uint32_t)sqlite3_column_int64(q, C_TASK), array = (uint32_t)sqlite3_column_int64(q, C_ARRAY);
	const char *label = (const char *)sqlite3_column_text(q, C_LABEL);
	int64_t trace = sqlite3_column_int64(q, C_TRACE);
	GString *key = g_string_new(NULL), *id = g_string_new(NULL);

	if (trace)
		g_string_printf(key, "#%" G_GINT64_FORMAT, trace);
	else if (label)
		g_string_printf(key, "@%s", label);
	else
		g_string_printf(key, "%u", array ? array : j->job);
	g_string_printf(id, "%u", array ? array : j->job);
	if (array && task != NO_VAL) {
		g_string_append_printf(key, "_%u", task);
		g_string_append_printf(id, "_%u", task);
	} else if (array) {
		g_string_append(key, "_rest");
		g_string_append_printf(id, "_%s", text_of(x, q, C_TASKS));
	}
	if (sqlite3_column_int64(q, C_OFFSET))
		g_string_append_printf(key, "+%d", sqlite3_column_int(q, C_OFFSET));
	guint seen = GPOINTER_TO_UINT(g_hash_table_lookup(x->by_name, key->str)) + 1;
	g_hash_table_insert(x->by_name, (gpointer)g_string_chunk_insert_const(x->r->texts, key->str),
	                    GUINT_TO_POINTER(seen));
	if (seen > 1) /* told apart by their order */
		g_string_append_printf(key, " (%u)", seen);
	j->key = g_string_chunk_insert_const(x->r->texts, key->str);
	j->id = g_string_chunk_insert_const(x->r->texts, id->str);
	j->label = label ? text_of(x, q, C_LABEL) : NULL;
	g_string_free(key, TRUE);
	g_string_free(id, TRUE);
}

static void classify(struct reading *x, sqlite3_stmt *q, struct run_job *j)
{
	const char *asked = (const char *)sqlite3_column_text(q, C_REQ),
	           *given = (const char *)sqlite3_column_text(q, C_ALLOC);

	j->asked = text_of(x, q, C_REQ);
	j->class[CLASS_ALL] = "";
	j->class[CLASS_USER] = text_of(x, q, C_USER);
	j->class[CLASS_ACCOUNT] = text_of(x, q, C_ACCOUNT);
	j->class[CLASS_QOS] = text_of(x, q, C_QOS);
	j->class[CLASS_PARTITION] = text_of(x, q, C_PARTITION);
	j->class[CLASS_SIZE] = size_class(tres_count(asked, "gres/gpu"), (uint64_t)sqlite3_column_int64(q, C_REQ_CPUS));
	j->class[CLASS_GPU] = gpu_class(x->r, asked, given);
}

static void begin_job(struct reading *x, sqlite3_stmt *q, struct run_job *j)
{
	sec_t eligible = time_of(q, C_ELIGIBLE), submit = time_of(q, C_SUBMIT);

	*j =
	    (struct run_job){.job = (uint32_t)sqlite3_column_int64(q, C_JOB), .wait = NAN, .slowdown = NAN, .tasks = 1};
	j->submit = time_of(q, C_SUBMIT_T);
	j->start = time_of(q, C_START);
	j->started = j->start > 0;
	j->eligible = eligible > 0 ? eligible : j->started ? submit : 0;
	j->span = x->r->spans->len;
	if ((uint32_t)sqlite3_column_int64(q, C_TASK) == NO_VAL)
		j->tasks =
		    (uint32_t)MIN(summary_count_tasks((const char *)sqlite3_column_text(q, C_TASKS)), G_MAXUINT32);
	name_job(x, q, j);
	classify(x, q, j);
}

/* What one run adds. */
static void add_run(struct reading *x, sqlite3_stmt *q, struct run_job *j)
{
	const char *state = (const char *)sqlite3_column_text(q, C_STATE),
	           *tres = (const char *)sqlite3_column_text(q, C_ALLOC);
	usec_t from = time_of(q, C_START_T), to = time_of(q, C_END_T);
	struct run_span span = {from, to ? to : x->end * USEC,
	                        (usec_t)(uint32_t)sqlite3_column_int64(q, C_SUSPENDED) * USEC,
	                        (uint32_t)sqlite3_column_int64(q, C_CPUS), (uint32_t)sqlite3_column_int64(q, C_GPUS)};
	double lost = sqlite3_column_double(q, C_LOST) / 3600;
	sec_t start = time_of(q, C_START), end = time_of(q, C_END);

	state = state ? state : "";
	j->requeued += sqlite3_column_int64(q, C_RUN) > 0;
	j->runs++;
	j->preempted += g_str_has_prefix(state, "PREEMPTED");
	j->lost_cpu += lost * span.cpus;
	j->lost_gpu += lost * span.gpus;
	j->waiting = strcmp(state, "PENDING") == 0;
	j->end = end;
	if (!j->started && start > 0) { /* its first run was cut off before it started */
		j->started = true;
		j->start = start;
	}
	j->slowdown = NAN;
	if (start > 0 && end >= start && j->eligible) /* the last run's counts */
		j->slowdown = MAX(1.0, (double)(end - j->eligible) / MAX((double)(end - start), METRICS_TAU));
	if (from > 0 && span.to > from && (span.cpus || span.gpus)) {
		uint64_t billing = tres_count(tres, "billing");
		j->usage += (double)(span.to - from - MIN(span.suspended, span.to - from)) / 1e6 *
		            (double)(billing ? billing : span.cpus);
		g_array_append_val(x->r->spans, span);
	}
	j->n_spans = x->r->spans->len - j->span;
}

static void end_job(struct reading *x, struct run_job *j)
{
	if (j->started)
		j->wait = (double)MAX(0, j->start - j->eligible);
	else if (j->waiting && j->eligible > 0 && j->eligible <= x->end)
		j->wait = (double)(x->end - j->eligible);
	g_array_append_val(x->r->jobs, *j);
}

static bool read_jobs(struct reading *x, GError **error)
{
	struct run_job j = {0};
	sqlite3_stmt *q;
	bool open = false;
	int rc;

	if (!prepare(x, jobs_sql, &q, error))
		return false;
	while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
		if (open && j.job != (uint32_t)sqlite3_column_int64(q, C_JOB)) {
			end_job(x, &j);
			open = false;
		}
		if (!open)
			begin_job(x, q, &j);
		open = true;
		add_run(x, q, &j);
	}
	if (open)
		end_job(x, &j);
	return finish(x, q, rc, error);
}

/* ---- the rest ---- */

static bool read_meta(struct reading *x, GError **error)
{
	sqlite3_stmt *q;
	int rc;

	if (!prepare(x, "SELECT key, CAST(value AS INTEGER) FROM meta WHERE key IN ('cpus', 'gpus', 'end')", &q, error))
		return false;
	while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
		const char *key = (const char *)sqlite3_column_text(q, 0);
		int64_t n = sqlite3_column_int64(q, 1);
		if (strcmp(key, "cpus") == 0)
			x->r->cpus = (uint64_t)n;
		else if (strcmp(key, "gpus") == 0)
			x->r->gpus = (uint64_t)n;
		else
			x->end = usec_to_sec(CLAMP(n, 0, INT64_C(400000000000) * USEC));
	}
	return finish(x, q, rc, error);
}

static bool read_shares(struct reading *x, GError **error)
{
	sqlite3_stmt *q;
	int rc;

	if (!has_table(x, "share")) /* an older run.db */
		return true;
	if (!prepare(x, "SELECT user, sum(norm) FROM share GROUP BY user HAVING sum(norm) > 0", &q, error))
		return false;
	while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
		double *share = g_new(double, 1);
		*share = sqlite3_column_double(q, 1);
		g_hash_table_insert(x->r->shares, (gpointer)text_of(x, q, 0), share);
	}
	return finish(x, q, rc, error);
}

static bool read_estimates(struct reading *x, GError **error)
{
	sqlite3_stmt *q;
	int rc;

	if (!has_table(x, "estimate"))
		return true;
	if (!prepare(x, "SELECT job, start_s - estimate_s FROM estimate", &q, error))
		return false;
	while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
		guint at = GPOINTER_TO_UINT(
		    g_hash_table_lookup(x->by_id, GUINT_TO_POINTER((guint)sqlite3_column_int64(q, 0))));
		double error_s = sqlite3_column_double(q, 1);
		if (!at)
			continue;
		struct run_job *j = &g_array_index(x->r->jobs, struct run_job, at - 1);
		j->estimates++;
		j->right += fabs(error_s) <= RIGHT;
		j->late += error_s > RIGHT;
	}
	return finish(x, q, rc, error);
}

static int by_submission(gconstpointer a, gconstpointer b)
{
	const struct run_job *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

static void settle(struct reading *x)
{
	struct run_rows *r = x->r;

	g_array_sort(r->jobs, by_submission);
	for (guint i = 0; i < r->jobs->len; i++) {
		const struct run_job *j = &g_array_index(r->jobs, struct run_job, i);
		g_hash_table_insert(x->by_id, GUINT_TO_POINTER(j->job), GUINT_TO_POINTER(i + 1));
		r->first = i ? r->first : j->submit;
		r->last_submit = j->submit;
		r->last = MAX(r->last, MAX(j->submit, j->waiting ? x->end * USEC : 0));
	}
	for (guint i = 0; i < r->spans->len; i++)
		r->last = MAX(r->last, g_array_index(r->spans, struct run_span, i).to);
}

struct run_rows *run_rows_read(struct sqlite3 *db, GError **error)
{
	struct reading x = {.db = db, .r = g_new0(struct run_rows, 1)};
	bool good;

	x.r->jobs = g_array_new(FALSE, FALSE, sizeof(struct run_job));
	x.r->spans = g_array_new(FALSE, FALSE, sizeof(struct run_span));
	x.r->shares = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	x.r->texts = g_string_chunk_new(1 << 14);
	x.by_id = g_hash_table_new(NULL, NULL);
	x.by_name = g_hash_table_new(g_str_hash, g_str_equal);
	good = read_meta(&x, error) && read_shares(&x, error) && read_jobs(&x, error);
	if (good)
		settle(&x);
	good = good && read_estimates(&x, error);
	g_hash_table_unref(x.by_id);
	g_hash_table_unref(x.by_name);
	if (!good)
		g_clear_pointer(&x.r, run_rows_free);
	return x.r;
}

void run_rows_free(struct run_rows *r)
{
	if (!r)
		return;
	g_array_unref(r->jobs);
	g_array_unref(r->spans);
	g_hash_table_unref(r->shares);
	g_string_chunk_free(r->texts);
	g_free(r);
}

/* ---- classes ---- */

static const char *const kind_names[N_CLASS_KINDS] = {"all", "user", "account", "qos", "partition", "size", "gpu"};

bool class_kind_find(const char *name, enum class_kind *kind)
{
	for (int k = 0; k < N_CLASS_KINDS; k++)
		if (strcmp(kind_names[k], name) == 0) {
			*kind = (enum class_kind)k;
			return true;
		}
	return false;
}

const char *class_kind_name(enum class_kind kind)
{
	return kind_names[kind];
}

bool job_class_parse(const char *text, struct job_class *c, GError **error)
{
	size_t n = strcspn(text, "=");
	char *kind = g_strndup(text, n);
	bool good = class_kind_find(kind, &c->kind) && (text[n] ? c->kind != CLASS_ALL && text[n + 1] : true);

	g_free(kind);
	c->name = good && text[n] ? g_strdup(text + n + 1) : NULL;
	if (!good)
		g_set_error(error, METRICS_ERROR, 0,
		            "bad class \"%s\"; write user, account, qos, partition, size or gpu, or one of them with a "
		            "name: user=ann, "
		            "size=2-4 GPUs",
		            text);
	return good;
}

void job_class_clear(struct job_class *c)
{
	g_clear_pointer(&c->name, g_free);
}

bool job_class_has(const struct job_class *c, const struct run_job *j)
{
	return !c || !c->name || strcmp(j->class[c->kind], c -> name) == 0;
}

/* "9-32 GPUs" before "33-128 GPUs", CPUs before GPUs. */
static int by_name(gconstpointer a, gconstpointer b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	char *rest_x, *rest_y;
	guint64 n = g_ascii_strtoull(x, &rest_x, 10), m = g_ascii_strtoull(y, &rest_y, 10);
	bool gpu_x = strstr(rest_x, "GPU"), gpu_y = strstr(rest_y, "GPU");

	if (rest_x != x && rest_y != y && (gpu_x != gpu_y || n != m))
		return gpu_x != gpu_y ? gpu_x - gpu_y : n < m ? -1 : 1;
	return strcmp(x, y);
}

GPtrArray *run_rows_classes(const struct run_rows *r, enum class_kind kind)
{
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < r->jobs->len; i++) {
		const char *name = g_array_index(r->jobs, struct run_job, i).class[kind];
		if (g_hash_table_add(seen, (gpointer)name))
			g_ptr_array_add(list, (gpointer)name);
	}
	g_ptr_array_sort(list, by_name);
	g_hash_table_unref(seen);
	return list;
}

uint64_t array_count_tasks(const char *text)
{
	char *list = g_strdup_printf("[%s]", text);
	uint64_t n = summary_count_tasks(list);

	g_free(list);
	return n;
}
