/* check_class.c - claims about a class of jobs, a metric, and the run; see check_inside.h. */
#include "tools/check_inside.h"
#include <math.h>
#include <string.h>

bool check_metric(const char *name, enum metric *m)
{
	const char *bar = strchr(name, '_');
	char *turned;
	bool known;

	if (metric_find(name, m) || !bar)
		return metric_find(name, m);
	turned = g_strdup_printf("%s_%.*s", bar + 1, (int)(bar - name), name);
	known = metric_find(turned, m);
	g_free(turned);
	return known;
}

static bool in_part(const struct class_part *p, const struct run_job *job)
{
	enum class_kind kind = CLASS_ALL;

	class_kind_find(p->key, &kind);
	return g_strv_contains((const char *const *)p->names, job->class[kind]);
}

static bool in_class(const struct expect *e, const struct run_job *job)
{
	for (guint i = 0; e->class && i < e->class->len; i++)
		if (!in_part(e->class->pdata[i], job))
			return false;
	return true;
}

/* The rows of the class alone; what it borrows is the whole's. g_array_unref its jobs. */
static struct run_rows rows_of_class(const struct judging *g)
{
	struct run_rows rows = *g->j->rows;

	rows.jobs = g_array_new(FALSE, FALSE, sizeof(struct run_job));
	for (guint i = 0; i < g->j->rows->jobs->len; i++) {
		const struct run_job *job = &g_array_index(g->j->rows->jobs, struct run_job, i);

		if (in_class(g->e, job))
			g_array_append_vals(rows.jobs, job, 1);
	}
	return rows;
}

static char *judge_max_wait(struct judging *g, const struct claim *c, const struct run_rows *rows)
{
	const struct run_job *worst = NULL;
	char *wait, *text;

	for (guint i = 0; i < rows->jobs->len; i++) {
		const struct run_job *job = &g_array_index(rows->jobs, struct run_job, i);

		if (!isnan(job->wait) && (!worst || job->wait > worst->wait))
			worst = job;
	}
	if (!worst || worst->wait <= c->high)
		return NULL;
	wait = g_strdup_printf("%.12g s", worst->wait);
	g->concerned = g_strdup(strchr(worst->id, '[') ? worst->label : worst->id);
	text = g_strdup_printf("job %s%s%s%s waited %s%s", worst->id, worst->label ? " (" : "",
	                       worst->label ? worst->label : "", worst->label ? ")" : "", wait,
	                       worst->started ? "" : " and never started");
	g_free(wait);
	return text;
}

static char *judge_range(struct judging *g, const struct claim *c, const struct run_rows *rows)
{
	double values[N_METRICS];
	enum metric m = METRIC_JOBS;
	char *shown, *text;

	check_metric(g->e->metric, &m); /* it has been looked up before the run */
	metrics_of(rows, NULL, values);
	if (isnan(values[m]))
		return g_strdup_printf("%s: there is nothing to measure", g->e->metric);
	if (within(c, values[m]))
		return NULL;
	shown = metric_format(m, values[m], false);
	text = g_strdup_printf("%s is %.12g (%s)", g->e->metric, values[m], shown);
	g_free(shown);
	return text;
}

char *judge_class(struct judging *g, const struct claim *c)
{
	struct run_rows rows = rows_of_class(g);
	char *text;

	if (!rows.jobs->len)
		text = g_strdup("no job of this class was submitted");
	else
		text = c->kind == CLAIM_MAX_WAIT ? judge_max_wait(g, c, &rows) : judge_range(g, c, &rows);
	g_array_unref(rows.jobs);
	return text;
}

char *judge_passes(const struct judging *g, const struct claim *c)
{
	bool backfill = c->kind == CLAIM_BACKFILL_CYCLES;
	sqlite3_stmt *q = judge_query(g->j, backfill ? "SELECT count(*) FROM pass WHERE kind = 'backfill'"
	                                             : "SELECT count(*) FROM pass WHERE kind <> 'backfill'");
	int64_t n = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;

	sqlite3_finalize(q);
	if (within(c, (double)n))
		return NULL;
	return g_strdup_printf("the run took %" G_GINT64_FORMAT " %s", (gint64)n,
	                       backfill ? "cycles of backfill" : "passes of the main scheduler");
}
