/* check_facts.c - what the record says of a job; see check_inside.h. */
#include "tools/check_inside.h"
#include <string.h>

/* ---- words ---- */

char *seconds_words(usec_t t)
{
	return g_strdup_printf("%.12g s", (double)t / 1e6);
}

/* "at 300 s" */
static char *moment(const struct judge *j, usec_t t)
{
	char *text = seconds_words(usec_to_sec(t - j->start) * USEC), *at = g_strconcat("at ", text, NULL);

	g_free(text);
	return at;
}

char *start_words(const struct judge *j, const char *name, const struct facts *f)
{
	char *at, *text;

	if (f->refused)
		return g_strdup_printf("%s was refused: %s", name, f->refusal);
	if (!f->has_run)
		return g_strdup_printf("%s had no such run", name);
	if (!f->started)
		return g_strdup_printf("%s never started", name);
	at = moment(j, f->start);
	text = g_strdup_printf("%s started %s", name, at);
	g_free(at);
	return text;
}

/* ---- the record ---- */

sqlite3_stmt *judge_query(const struct judge *j, const char *sql)
{
	sqlite3_stmt *q = NULL;

	if (sqlite3_prepare_v2(j->db, sql, -1, &q, NULL) != SQLITE_OK)
		g_error("whypend check: %s: %s", sqlite3_errmsg(j->db), sql); /* our own words on our own tables */
	return q;
}

static bool find_refused(const struct judge *j, const char *name, struct facts *f)
{
	sqlite3_stmt *q = judge_query(j, "SELECT message FROM refused WHERE label = ?1 OR (job = ?2 AND job > 0)");

	sqlite3_bind_text(q, 1, name, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int64(q, 2, f->task == NO_VAL ? f->id : 0);
	f->refused = sqlite3_step(q) == SQLITE_ROW;
	if (f->refused)
		f->refusal = g_strdup((const char *)sqlite3_column_text(q, 0));
	sqlite3_finalize(q);
	return f->refused;
}

/* Rows of the job: of a task its own, and while it was never split off that of the rest of its array. */
#define ROWS                                                                                                           \
	" FROM job WHERE (?2 < 0 AND (job = ?1 OR array_job = ?1)) OR (?2 >= 0 AND array_job = ?1 AND (array_task = "  \
	"?2 OR "                                                                                                       \
	"(array_task = 4294967294 AND NOT EXISTS (SELECT 1 FROM job WHERE array_job = ?1 AND array_task = ?2)))) "

sqlite3_stmt *rows_of(const struct judge *j, const struct facts *f, const char *columns, const char *order)
{
	char *sql = g_strconcat("SELECT ", columns, ROWS, order, NULL);
	sqlite3_stmt *q = judge_query(j, sql);

	g_free(sql);
	sqlite3_bind_int64(q, 1, f->id);
	sqlite3_bind_int64(q, 2, f->task == NO_VAL ? -1 : (int64_t)f->task);
	return q;
}

/* When run RUN of record JOB began to wait; 0 = it did not. */
static usec_t wait_begin(const struct judge *j, int64_t job, int64_t run)
{
	sqlite3_stmt *q = judge_query(j, "SELECT min(from_t) FROM wait WHERE job = ?1 AND run = ?2");
	usec_t from;

	sqlite3_bind_int64(q, 1, job);
	sqlite3_bind_int64(q, 2, run);
	from = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
	sqlite3_finalize(q);
	return from;
}

static void add_row(const struct judge *j, uint32_t wanted, sqlite3_stmt *q, struct facts *f)
{
	int64_t job = sqlite3_column_int64(q, 0), run = sqlite3_column_int64(q, 1);
	usec_t submit = sqlite3_column_int64(q, 2), start = sqlite3_column_int64(q, 3),
	       end = sqlite3_column_int64(q, 4);
	usec_t from = run ? wait_begin(j, job, run) : submit;

	f->known = true;
	f->requeued = MAX(f->requeued, (uint32_t)run);
	if (run != (int64_t)wanted)
		return;
	f->has_run = true;
	if (start && (!f->started || start < f->start))
		f->start = start;
	f->started = f->started || start;
	f->all_started = f->all_started && start;
	f->wait = MAX(f->wait, (start ? start : end ? end : j->end) - (from ? from : submit));
}

static void read_ends(const struct judge *j, struct facts *f)
{
	sqlite3_stmt *q = rows_of(j, f, "state, job, max(run)", "GROUP BY job ORDER BY job");
	GString *all = g_string_new(NULL);
	char *last = NULL;

	while (sqlite3_step(q) == SQLITE_ROW) {
		const char *state = (const char *)sqlite3_column_text(q, 0);

		if (g_strcmp0(last, state))
			g_string_append_printf(all, "%s%s", all->len ? ", " : "", state);
		g_free(last);
		last = g_strdup(state);
	}
	g_free(last);
	sqlite3_finalize(q);
	f->ends = g_string_free(all, FALSE);
}

void read_facts(const struct judge *j, const char *name, uint32_t run, struct facts *f)
{
	sqlite3_stmt *q;

	memset(f, 0, sizeof *f);
	f->all_started = true;
	f->task = NO_VAL;
	if (sim_find_id(j->sim, name, &f->id, &f->task)) {
		q = rows_of(j, f, "job, run, submit_t, start_t, end_t", "ORDER BY run, start_t");
		while (sqlite3_step(q) == SQLITE_ROW)
			add_row(j, run, q, f);
		sqlite3_finalize(q);
	}
	if (f->known)
		read_ends(j, f);
	else
		f->known = find_refused(j, name, f);
}

void facts_clear(struct facts *f)
{
	g_free(f->refusal);
	g_free(f->ends);
}

GPtrArray *reasons_of(const struct judge *j, const struct facts *f, uint32_t run)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	sqlite3_stmt *q;

	q = judge_query(
	    j,
	    "SELECT reason FROM wait WHERE (?3 = 0 OR run = ?3) AND (job IN (SELECT job" ROWS
	    ") OR (?2 >= 0 AND job = ?1 AND from_t < (SELECT coalesce(min(w.from_t), 9e18) FROM wait w WHERE w.job IN "
	    "(SELECT job FROM job WHERE array_job = ?1 AND array_task = ?2)))) GROUP BY reason ORDER BY min(from_t), "
	    "reason");
	sqlite3_bind_int64(q, 1, f->id);
	sqlite3_bind_int64(q, 2, f->task == NO_VAL ? -1 : (int64_t)f->task);
	sqlite3_bind_int64(q, 3, run);
	while (sqlite3_step(q) == SQLITE_ROW)
		g_ptr_array_add(list, g_strdup((const char *)sqlite3_column_text(q, 0)));
	sqlite3_finalize(q);
	return list;
}

char *unknown_job(struct judging *g, const char *name, guint line, guint column)
{
	uint32_t id, task;
	bool number = sim_find_id(g->j->sim, name, &id, &task) || g_ascii_isdigit(*name);

	if (!number && !g->j->scenario->workload)
		return g_strdup_printf("%s was not submitted before the run ended", name);
	if (!g->wrong)
		g->wrong = g_strdup_printf("%u:%u: there is no job %s in this run", line, column, name);
	return NULL;
}
