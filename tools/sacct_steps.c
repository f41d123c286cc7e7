/* sacct_steps.c - the steps of a job as records of sacct (table step; sim/steps.h); see sacct_steps.h */
#include "tools/sacct_steps.h"
#include <string.h>

static bool has_row(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *q = NULL;
	bool has = sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW;

	sqlite3_finalize(q);
	return has;
}

/* Records of before there were steps have no such table. */
void steps_open(struct steps *t, sqlite3 *db)
{
	static const char sql[] = "SELECT step, name, start_s, end_s, state, exit_code, exit_signal, tasks, nodes, cpus, "
	                          "nodelist, alloc_tres, suspended, max_rss, ave_rss, cpu_time FROM step "
	                          "WHERE job = ?1 AND run = ?2 ORDER BY rowid";

	*t = (struct steps){0};
	t->contain = has_row(db, "SELECT 1 FROM conf WHERE line LIKE 'PrologFlags=%Contain%'");
	t->none = has_row(db, "SELECT 1 FROM conf WHERE line LIKE 'AccountingStorageEnforce=%nosteps%' "
	                      "OR line LIKE 'AccountingStorageEnforce=%nojobs%'");
	if (has_row(db, "SELECT 1 FROM step"))
		sqlite3_prepare_v2(db, sql, -1, &t->rows, NULL);
}

static const char *text_of(sqlite3_stmt *q, int column)
{
	const char *text = (const char *)sqlite3_column_text(q, column);

	return text ? text : "";
}

/* The row that Q stands at, as a record made from its job's. Strings last until Q goes on. */
static struct record step_record(sqlite3_stmt *q, const struct record *job)
{
	struct record j = *job;

	j.step = j.described = true;
	j.step_id = text_of(q, 0);
	j.step_name = text_of(q, 1);
	j.start = sqlite3_column_int64(q, 2);
	j.end = sqlite3_column_int64(q, 3);
	j.state = text_of(q, 4);
	j.exit_code = sqlite3_column_type(q, 5) == SQLITE_NULL ? -1 : sqlite3_column_int(q, 5);
	j.exit_signal = sqlite3_column_int(q, 6);
	j.tasks = (uint32_t)sqlite3_column_int64(q, 7);
	j.step_nodes = (uint32_t)sqlite3_column_int64(q, 8);
	j.host_cpus = (uint32_t)sqlite3_column_int64(q, 9);
	j.host = (char *)(uintptr_t)text_of(q, 10);
	j.tres = (char *)(uintptr_t)text_of(q, 11);
	j.suspended = (uint32_t)sqlite3_column_int64(q, 12);
	j.max_rss = (uint64_t)sqlite3_column_int64(q, 13);
	j.ave_rss = (uint64_t)sqlite3_column_int64(q, 14);
	j.cpu_time = sqlite3_column_type(q, 15) == SQLITE_NULL ? -1 : sqlite3_column_int64(q, 15);
	return j;
}

static void steps_of(const struct steps *t, const struct record *job)
{
	sqlite3_reset(t->rows);
	sqlite3_bind_int64(t->rows, 1, job->job);
	sqlite3_bind_int64(t->rows, 2, job->run);
}

void steps_sum_up(const struct steps *t, struct record *job)
{
	job->cpu_time = -1;
	job->derived_code = job->derived_signal = 0;
	if (!t->rows)
		return;
	steps_of(t, job);
	while (sqlite3_step(t->rows) == SQLITE_ROW) {
		const struct record j = step_record(t->rows, job);
		if (j.cpu_time >= 0)
			job->cpu_time = MAX(0, job->cpu_time) + j.cpu_time;
		bool more = j.exit_code > job->derived_code || (j.exit_code == job->derived_code && j.exit_signal > job->derived_signal);
		if (g_ascii_isdigit(*j.step_id) && more) {
			job->derived_code = j.exit_code;
			job->derived_signal = j.exit_signal;
		}
	}
}

/* The batch step, and the extern step on all nodes. */
static void each_unnamed(const struct steps *t, struct record *job, step_fn *fn, void *data)
{
	if (job->het_offset == 0) {
		record_begin_step(job);
		fn(data, job);
		record_end_step(job);
	}
	if (!t->contain)
		return;
	struct record j = *job;
	char *state = g_strdup(g_str_has_prefix(job->state, "FAILED") ? "COMPLETED" : job->state);
	const char *billing = g_str_has_prefix(job->alloc_tres, "billing=") ? strchr(job->alloc_tres, ',') : NULL;

	j.step = true;
	j.step_id = j.step_name = "extern";
	j.state = state;
	if (strcmp(state, "COMPLETED") == 0)
		j.exit_code = j.exit_signal = 0;
	j.host = (char *)(uintptr_t)job->nodelist;
	j.tres = (char *)(uintptr_t)(billing ? billing + 1 : job->alloc_tres);
	j.step_nodes = j.tasks = job->nnodes;
	j.host_cpus = job->ncpus;
	j.cpu_time = -1;
	fn(data, &j);
	g_free(state);
}

void steps_each(const struct steps *t, struct record *job, step_fn *fn, void *data)
{
	bool any = false;

	if (t->none || !job->start)
		return;
	if (t->rows)
		steps_of(t, job);
	if (strcmp(job->state, "RESIZING") == 0) { /* steps stand under the last part, the batch step under the first (recorded) */
		any = (t->rows && sqlite3_step(t->rows) == SQLITE_ROW) || job->goes_on;
		if (!any)
			each_unnamed(t, job, fn, data);
		return;
	}
	while (t->rows && sqlite3_step(t->rows) == SQLITE_ROW) {
		const struct record j = step_record(t->rows, job);
		any = true;
		fn(data, &j);
	}
	if (!any && !job->goes_on)
		each_unnamed(t, job, fn, data);
}
