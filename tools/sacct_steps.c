/* sacct_steps.c - see sacct_steps.h */
#include "tools/sacct_steps.h"
#include <sqlite3.h>
#include <string.h>

/* A run that lost nodes and went on has a row RESIZING up to each loss; what follows one is submitted, eligible and started then (recorded, C45). */
const char sacct_record_sql[] =
    "WITH cut AS (SELECT job AS j, run AS n, max(end_s) AS t FROM resize GROUP BY 1, 2), "
    "runs AS (SELECT job.*, job.rowid AS r, t FROM job LEFT JOIN cut ON j = job.job AND n = job.run) "
    "SELECT job, array_job, array_task, run, time_limit, req_nodes, req_cpus, nnodes, ncpus, priority, "
    "het_job, het_offset, suspended, array_tasks, name, user, account, partition, qos, state, reason, req_tres, alloc_tres, nodelist, scheduler, "
    "constraints, placement, ifnull(t, submit_s) AS submitted, ifnull(t, eligible_s), ifnull(t, start_s), end_s, exit_code, exit_signal, req_mem, "
    "cancelled_by, t IS NOT NULL, r FROM runs "
    "UNION ALL SELECT x.job, array_job, array_task, x.run, time_limit, req_nodes, req_cpus, z.nnodes, z.ncpus, priority, "
    "het_job, het_offset, 0, array_tasks, name, user, account, partition, qos, 'RESIZING', 'None', req_tres, z.alloc_tres, z.nodelist, scheduler, "
    "constraints, z.placement, z.submit_s, z.eligible_s, z.start_s, z.end_s, 0, 0, req_mem, NULL, z.submit_s = z.start_s AND z.start_s > x.start_s, "
    "x.r FROM resize z JOIN runs x ON x.job = z.job AND x.run = z.run "
    "ORDER BY submitted, 1, 4, 37, 31";

/* Records made before there was such a table. */
void sacct_records_open(sqlite3 *db)
{
	sqlite3_stmt *q = NULL;
	bool there = sqlite3_prepare_v2(db, "SELECT 1 FROM main.sqlite_master WHERE name = 'resize'", -1, &q, NULL) == SQLITE_OK &&
	             sqlite3_step(q) == SQLITE_ROW;
	sqlite3_finalize(q);
	if (!there)
		sqlite3_exec(db,
		             "CREATE TEMP TABLE IF NOT EXISTS resize(job, run, submit_s, eligible_s, start_s, end_s, nnodes, ncpus, alloc_tres, nodelist, "
		             "placement)",
		             NULL, NULL, NULL);
}

void sacct_record_read(sqlite3_stmt *row, struct record *j)
{
	uint32_t *const numbers[] = {&j->job,       &j->array_job, &j->array_task, &j->run,   &j->time_limit,
	                             &j->req_nodes, &j->req_cpus,  &j->nnodes,     &j->ncpus, &j->priority,
	                             &j->het_job,   &j->het_offset, &j->suspended};
	const char **const texts[] = {&j->array_tasks, &j->name,      &j->user,       &j->account,  &j->partition,
	                              &j->qos,         &j->state,     &j->reason,     &j->req_tres, &j->alloc_tres,
	                              &j->nodelist,    &j->scheduler, &j->constraints, &j->placement};
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
	j->cancelled_by = (const char *)sqlite3_column_text(row, c++);
	j->goes_on = sqlite3_column_int(row, c++);
}

/* ---- steps ---- */

struct sacct_steps {
	sqlite3_stmt *rows; /* of one run of a job; NULL = no job has any */
	bool contain;       /* every job has an extern step */
	bool none;          /* AccountingStorageEnforce keeps no steps */
};

static bool has_row(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *q = NULL;
	bool has = sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW;

	sqlite3_finalize(q);
	return has;
}

/* Records of before there were steps have no such table. */
struct sacct_steps *sacct_steps_open(sqlite3 *db)
{
	static const char sql[] = "SELECT step, name, start_s, end_s, state, exit_code, exit_signal, tasks, nodes, cpus, "
	                          "nodelist, alloc_tres, suspended, max_rss, ave_rss, cpu_time FROM step "
	                          "WHERE job = ?1 AND run = ?2 ORDER BY rowid";
	struct sacct_steps *t = g_new0(struct sacct_steps, 1);

	t->contain = has_row(db, "SELECT 1 FROM conf WHERE line LIKE 'PrologFlags=%Contain%'");
	t->none = has_row(db, "SELECT 1 FROM conf WHERE line LIKE 'AccountingStorageEnforce=%nosteps%' "
	                      "OR line LIKE 'AccountingStorageEnforce=%nojobs%'");
	if (has_row(db, "SELECT 1 FROM step"))
		sqlite3_prepare_v2(db, sql, -1, &t->rows, NULL);
	return t;
}

void sacct_steps_close(struct sacct_steps *t)
{
	sqlite3_finalize(t->rows);
	g_free(t);
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

static void steps_of(const struct sacct_steps *t, const struct record *job)
{
	sqlite3_reset(t->rows);
	sqlite3_bind_int64(t->rows, 1, job->job);
	sqlite3_bind_int64(t->rows, 2, job->run);
}

void sacct_steps_sum_up(const struct sacct_steps *t, struct record *job)
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
static void unnamed(const struct sacct_steps *t, struct record *job, sacct_step_fn *fn, void *data)
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

void sacct_steps_each(const struct sacct_steps *t, struct record *job, sacct_step_fn *fn, void *data)
{
	bool any = false;

	if (t->none)
		return;
	if (t->rows)
		steps_of(t, job);
	if (strcmp(job->state, "RESIZING") == 0) { /* steps stand under the last part, the batch step under the first (recorded) */
		any = (t->rows && sqlite3_step(t->rows) == SQLITE_ROW) || job->goes_on;
		if (!any)
			unnamed(t, job, fn, data);
		return;
	}
	while (t->rows && sqlite3_step(t->rows) == SQLITE_ROW) {
		const struct record j = step_record(t->rows, job);
		any = true;
		fn(data, &j);
	}
	if (!any && !job->goes_on)
		unnamed(t, job, fn, data);
}
