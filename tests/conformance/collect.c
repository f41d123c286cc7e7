/*
 * collect.c - see collect.h.
 *
 * Runs, waits and refusals come from the recorder's tables; plans and first priorities are watched as they happen.
 * Reasons held are measured as the record measured them: by what looks at the queue at the recorded times would have
 * shown. A look that the record rounds to a tenth of a second saw all that happened up to half of one later.
 */
#include "tests/conformance/collect.h"
#include <gio/gio.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#define LOOK 0.05

struct span { /* one interval of waiting */
	usec_t from, to;
	char *reason;
};

struct first { /* the first word on a job */
	usec_t t;
	gint64 priority;
};

struct completing { /* requeued, and its nodes not yet free: no look took it for waiting */
	usec_t from, to;
};

#include <stdio.h>
static bool trace_on(const struct replay *r)
{
	return g_getenv("TRACE") && r->scenario->sim.clock != CLOCK_PINNED;
}

struct identity {           /* of a label */
	guint job, array;   /* ids; array 0 = none */
	usec_t first_start; /* G_MAXINT64 = never */
};

struct collector {
	const struct replay *replay; /* borrowed */
	struct sim *sim;             /* borrowed */
	struct run *run;             /* being filled */
	GHashTable *priority;        /* job id -> struct first * */
	GHashTable *completing;      /* job id -> GArray of struct completing */
	GHashTable *spans;           /* job id -> GPtrArray of struct span *, ascending */
	const struct job_array *started; /* the array whose task was started last in this pass */
	GHashTable *identity;        /* label -> struct identity * */
};

/* ---- watching ---- */

/* An array's head that a start in this cycle has left with one task is called by that task in the log of 22.05; 26.11, and cycles that find it
 * so, call it by the array. */
static char *label_of(const struct collector *c, const struct job *job)
{
	const char *label = sim_job_label(c->sim, job);
	bool last = !c->replay->record->is_26 && job->tasks && job->array == c->started && bitset_count(job->tasks) == 1;
	if (job->task == NO_VAL && !last)
		return g_strdup(label ? label : "");
	return g_strdup_printf("%s_%u", label ? label : "", last ? (unsigned)bitset_first(job->tasks) : job->task);
}

static void on_step(void *data, const struct step *step, usec_t now)
{
	struct collector *c = data;
	if (step->kind == STEP_TEST && step->job->array != c->started)
		c->started = NULL;
	if (step->kind == STEP_START)
		c->started = step->job->array;
	if (trace_on(c->replay) && step->kind == STEP_START) {
		char *l = label_of(c, step->job), *n = step->nodes ? cluster_format_nodes(c->replay->scenario->cluster, step->nodes) : g_strdup("");
		fprintf(stderr, "%.3f,alloc_%s,%s,%s\n", (double)(now - c->replay->t0) / 1e6, step->backfill ? "backfill" : "main", l, n);
		g_free(l);
		g_free(n);
	}
	if (step->kind != STEP_PLAN)
		return;
	char *label = label_of(c, step->job);
	char *nodes = step->nodes ? cluster_format_nodes(c->replay->scenario->cluster, step->nodes) : g_strdup("");
	run_add_plan(c->run, llround((double)(now - c->replay->t0) / 1000.0), label,
	             step->start - usec_to_sec(c->replay->t0), nodes);
	g_free(label);
	g_free(nodes);
}

static void on_pass(void *data, const struct pass_stats *p)
{
	struct collector *c = data;
	fprintf(stderr, "%.3f,%s,queue %u tested %u started %u planned %u %s\n", (double)(p->t - c->replay->t0) / 1e6, pass_kind_name(p->kind), p->queue, p->tested, p->started, p->planned, p->ended_by);
}

static void note_completing(struct collector *c, const struct job *job, usec_t now)
{
	GArray *list = g_hash_table_lookup(c->completing, GUINT_TO_POINTER(job->id));
	struct completing *last = list && list->len ? &g_array_index(list, struct completing, list->len - 1) : NULL;
	if (last && last->to == G_MAXINT64) {
		if (!(job->flags & JOB_COMPLETING))
			last->to = now;
		return;
	}
	if (job->state != JOB_PENDING || !(job->flags & JOB_COMPLETING))
		return;
	if (!list) {
		list = g_array_new(FALSE, FALSE, sizeof(struct completing));
		g_hash_table_insert(c->completing, GUINT_TO_POINTER(job->id), list);
	}
	struct completing span = {now, G_MAXINT64};
	g_array_append_val(list, span);
}

static bool was_completing(const struct collector *c, guint job, usec_t t)
{
	const GArray *list = g_hash_table_lookup(c->completing, GUINT_TO_POINTER(job));
	for (guint i = 0; list && i < list->len; i++) {
		const struct completing *s = &g_array_index(list, struct completing, i);
		if (s->from <= t && t < s->to)
			return true;
	}
	return false;
}

/* A job's first priority is that at the end of the instant at which it came. */
static void on_reason(void *data, const struct job *job, usec_t now)
{
	struct collector *c = data;
	note_completing(c, job, now);
	struct first *seen = g_hash_table_lookup(c->priority, GUINT_TO_POINTER(job->id));
	if (seen && seen->t != now)
		return;
	if (!seen) {
		seen = g_new0(struct first, 1);
		g_hash_table_insert(c->priority, GUINT_TO_POINTER(job->id), seen);
	}
	seen->t = now;
	seen->priority = job->priority;
}

static void spans_free(void *list)
{
	g_ptr_array_unref(list);
}

static void completing_free(void *list)
{
	g_array_unref(list);
}

static void span_free(void *data)
{
	struct span *s = data;
	g_free(s->reason);
	g_free(s);
}

struct collector *collector_new(const struct replay *r, struct sim *sim, struct run *run)
{
	struct collector *c = g_new0(struct collector, 1);
	c->replay = r;
	c->sim = sim;
	c->run = run;
	c->priority = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	c->completing = g_hash_table_new_full(NULL, NULL, NULL, completing_free);
	c->spans = g_hash_table_new_full(NULL, NULL, NULL, spans_free);
	c->identity = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	sim_watch(sim, on_step, trace_on(r) ? on_pass : NULL, on_reason, c);
	return c;
}

void collector_free(struct collector *c)
{
	run_free(c->run);
	g_hash_table_unref(c->priority);
	g_hash_table_unref(c->completing);
	g_hash_table_unref(c->spans);
	g_hash_table_unref(c->identity);
	g_free(c);
}

/* ---- tables ---- */

typedef void row_fn(struct collector *c, sqlite3_stmt *row);

static bool each_row(struct collector *c, struct recorder *recorder, const char *sql, row_fn *fn, GError **error)
{
	sqlite3 *db = recorder_db(recorder);
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(statement);
		if (rc == SQLITE_ROW)
			fn(c, statement);
	}
	if (rc != SQLITE_DONE)
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "the simulated record: %s", sqlite3_errmsg(db));
	sqlite3_finalize(statement);
	return rc == SQLITE_DONE;
}

static const char *text_at(sqlite3_stmt *row, int i)
{
	const char *text = (const char *)sqlite3_column_text(row, i);
	return text ? text : "";
}

/* NAME, NAME_3, or NAME_3-5 for tasks that never left the head. */
static char *row_label(sqlite3_stmt *row)
{
	const char *label = text_at(row, 0), *tasks = text_at(row, 3);
	guint array = (guint)sqlite3_column_int64(row, 2), task = (guint)sqlite3_column_int64(row, 4);
	if (array == 0)
		return g_strdup(label);
	if (task != NO_VAL)
		return g_strdup_printf("%s_%u", label, task);
	const char *from = tasks + (*tasks == '[');
	return g_strdup_printf("%s_%.*s", label, (int)strcspn(from, "]%"), from);
}

static void read_placement(struct job_run *j, const char *text)
{
	cJSON *list = cJSON_Parse(text);
	const cJSON *n;
	cJSON_ArrayForEach(n, list) job_run_place(j, json_text(n, "node"), json_text(n, "cpus"),
	                                          (gint64)json_number(n, "mem", 0), json_text(n, "gres"));
	cJSON_Delete(list);
	job_run_sort_placed(j);
}

#define JOB_SQL                                                                                                        \
	"SELECT label, job, array_job, array_tasks, array_task, start_t, start_s, end_s, state, exit_code, "           \
	"exit_signal, nodelist, placement, priority, scheduler FROM job ORDER BY rowid"

static void fill_run(const struct collector *c, struct job_run *j, sqlite3_stmt *row)
{
	gint64 t0 = usec_to_sec(c->replay->t0), start = sqlite3_column_int64(row, 6),
	       end = sqlite3_column_int64(row, 7);
	usec_t exact = sqlite3_column_int64(row, 5);
	const char *state = text_at(row, 8), *nodes = text_at(row, 11);
	bool started = start > 0 && exact > 0 && strcmp(state, "PENDING");
	if (started) {
		j->start = start - t0;
		j->start_exact = (double)(exact - c->replay->t0) / 1e6;
	}
	if (end > 0)
		j->end = end - t0;
	g_free(j->state);
	g_free(j->exit);
	g_free(j->nodes);
	j->state = g_strdup(state);
	j->exit = g_strdup_printf("%d:%d", sqlite3_column_int(row, 9), sqlite3_column_int(row, 10));
	j->nodes = g_strdup(strcmp(nodes, "None assigned") ? nodes : "");
	j->priority = sqlite3_column_int64(row, 13);
	j->by_backfill = strcmp(text_at(row, 14), "backfill") == 0;
	read_placement(j, text_at(row, 12));
}

static void on_job(struct collector *c, sqlite3_stmt *row)
{
	char *label = row_label(row);
	struct job_story *s = run_story(c->run, label);
	struct identity *id = g_hash_table_lookup(c->identity, label);
	usec_t start = sqlite3_column_int64(row, 5);
	if (!id) {
		id = g_new0(struct identity, 1);
		id->first_start = G_MAXINT64;
		g_hash_table_insert(c->identity, g_strdup(label), id);
	}
	id->job = (guint)sqlite3_column_int64(row, 1);
	id->array = (guint)sqlite3_column_int64(row, 2);
	if (start > 0)
		id->first_start = MIN(id->first_start, start);
	if (!c->replay->record->has_accounting &&
	    s->runs->len) /* without accounting only the last run leaves a trace */
		g_ptr_array_set_size(s->runs, 0);
	fill_run(c, story_add(s), row);
	s->priority_last = sqlite3_column_int64(row, 13);
	g_free(label);
}

static void on_wait(struct collector *c, sqlite3_stmt *row)
{
	gpointer id = GUINT_TO_POINTER((guint)sqlite3_column_int64(row, 0));
	GPtrArray *list = g_hash_table_lookup(c->spans, id);
	if (!list) {
		list = g_ptr_array_new_with_free_func(span_free);
		g_hash_table_insert(c->spans, id, list);
	}
	struct span *s = g_new0(struct span, 1);
	s->from = sqlite3_column_int64(row, 1);
	s->to = sqlite3_column_int64(row, 2);
	const char *detail = text_at(row, 4);
	s->reason = g_strdup(*detail ? detail : text_at(row, 3));
	if (trace_on(c->replay))
		fprintf(stderr, "%.3f,reason,job %u %s until %.3f\n", (double)(s->from - c->replay->t0) / 1e6, sqlite3_column_int(row, 0), s->reason, (double)(s->to - c->replay->t0) / 1e6);
	g_ptr_array_add(list, s);
}

/* ---- reasons ---- */

static char *reason_at(const GPtrArray *spans, usec_t t)
{
	for (guint i = 0; spans && i < spans->len; i++) {
		const struct span *s = spans->pdata[i];
		if (s->from <= t && t < s->to)
			return s->reason;
	}
	return NULL;
}

/* A split task waited as its head did until it was split off. */
static void set_reasons(struct collector *c, struct job_story *s)
{
	const struct identity *id = g_hash_table_lookup(c->identity, s->label);
	const GPtrArray *own = g_hash_table_lookup(c->spans, GUINT_TO_POINTER(id->job));
	const GPtrArray *head = id->array ? g_hash_table_lookup(c->spans, GUINT_TO_POINTER(id->array)) : NULL;
	usec_t split = own && own->len ? ((const struct span *)own->pdata[0])->from : id->first_start;
	const GArray *times = c->replay->record->samples;
	const struct sim_options *o = &c->replay->scenario->sim;
	bool as_recorded = o->clock == CLOCK_PINNED || c->replay->record->is_26; /* else a killed run is gone too early */
	char **seen = g_new0(char *, times->len + 1);
	for (guint i = 0; i < times->len; i++) {
		usec_t t = replay_time(c->replay, g_array_index(times, double, i) + LOOK);
		seen[i] = head && t < MIN(split, id->first_start) ? reason_at(head, t) : reason_at(own, t);
		if (as_recorded && was_completing(c, id->job, t)) /* squeue calls it so, not PENDING */
			seen[i] = NULL;
	}
	g_strfreev(s->reasons);
	s->reasons = reasons_held((const double *)(const void *)times->data, seen, times->len);
	g_free(seen);
}

static void set_first_priority(struct collector *c, struct job_story *s)
{
	const struct identity *id = g_hash_table_lookup(c->identity, s->label);
	guint first = id->array ? id->array : id->job;
	const struct first *seen = g_hash_table_lookup(c->priority, GUINT_TO_POINTER(first));
	if (!seen)
		seen = g_hash_table_lookup(c->priority, GUINT_TO_POINTER(id->job));
	if (seen)
		s->priority_first = seen->priority;
}

/* ---- answers ---- */

#define REFUSED_SQL "SELECT t, job, label, message FROM refused ORDER BY rowid"

/* A refusal belongs to the submission of this label that has the same instant. */
static void on_refused(struct collector *c, sqlite3_stmt *row)
{
	for (guint i = 0; i < c->run->answers->len; i++) {
		struct answer *a = c->run->answers->pdata[i];
		const struct told *told = c->replay->record->told->pdata[i];
		if (a->refused || strcmp(told->label, text_at(row, 2)))
			continue;
		a->refused = true;
		a->id_used = sqlite3_column_int64(row, 1) > 0;
		g_free(a->message);
		a->message = g_strdup(text_at(row, 3));
		return;
	}
}

/* ---- all together ---- */

struct run *collector_finish(struct collector *c, struct recorder *recorder, GError **error)
{
	if (!each_row(c, recorder, JOB_SQL, on_job, error) ||
	    !each_row(c, recorder, "SELECT job, from_t, to_t, reason, detail FROM wait ORDER BY from_t", on_wait,
	              error) ||
	    !each_row(c, recorder, REFUSED_SQL, on_refused, error))
		return NULL;
	for (guint i = 0; i < c->run->stories->len; i++) {
		set_reasons(c, c->run->stories->pdata[i]);
		set_first_priority(c, c->run->stories->pdata[i]);
	}
	return g_steal_pointer(&c->run);
}
