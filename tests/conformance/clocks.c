/*
 * clocks.c - where the clocks of a recorded controller stood, and how fast it and its host were (struct clocks in records.h).
 *
 * All of it is an input of a free run: no decision of the recording is looked at, only how long its daemons took.
 */
#include "tests/conformance/record_parts.h"
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALONE 0.5 /* seconds without another submission: then it took only its own time */

#define FEW_CYCLES 8
#define FEW_SWEEPS 8
#define SLIP 0.0015 /* how much more than a second a turn of 22.05's loop takes, about: loaded hosts are slower */

struct cycle_row { double took, x[3]; };

/* Of doubles; NAN without any. */
static double median(GArray *v)
{
	double *x = (double *)(void *)v->data;
	if (!v->len)
		return NAN;
	gsl_sort(x, 1, v->len);
	return gsl_stats_median_from_sorted_data(x, 1, v->len);
}

static void find_phases(const GPtrArray *passes, const GPtrArray *happenings, struct clocks *c)
{
	c->turn = c->backfill = c->decay = NAN;
	for (guint i = 0; i < passes->len; i++) {
		const struct pass *x = passes->pdata[i];
		double *t = strcmp(x->kind, "backfill") == 0 ? &c->backfill : &c->turn;
		if (isnan(*t))
			*t = x->t;
	}
	for (guint i = 0; i < happenings->len; i++) {
		const struct happening *h = happenings->pdata[i];
		if (strcmp(h->what, "priority_recalc") == 0 && isnan(c->decay))
			c->decay = h->t;
		if (strcmp(h->what, "time_limit_sweep") == 0 && !(c->turn < h->t))
			c->turn = h->t;
	}
}

/* From sweep to sweep of time limits, which are the loop's own: where there are many the usual one, whatever stalls the host had. */
static double find_slip(const GPtrArray *happenings, double turn, double speed)
{
	GArray *v = g_array_new(FALSE, FALSE, sizeof(double));
	double last = turn, sum = 0, all = 0;
	for (guint i = 0; i < happenings->len; i++) {
		const struct happening *h = happenings->pdata[i];
		if (strcmp(h->what, "time_limit_sweep"))
			continue;
		double turns = round((h->t - last) / (1 + SLIP * speed)), slip = (h->t - last) / turns - 1;
		if (turns >= 20) {
			g_array_append_val(v, slip);
			sum += h->t - last;
			all += turns;
		}
		last = h->t;
	}
	double m = v->len == 0 ? SLIP * speed : fmax(v->len < FEW_SWEEPS ? sum / all - 1 : median(v), 0);
	g_array_unref(v);
	return m;
}

/* What a cycle took as pass + tested * job + started * start: least squares over the columns in USED; the rest is 0. */
static void fit(const GArray *rows, const bool *used, double *cost)
{
	gsize n = rows->len, k = 0;
	for (int i = 0; i < 3; i++)
		k += used[i];
	gsl_matrix *x = gsl_matrix_alloc(n, k), *cov = gsl_matrix_alloc(k, k);
	gsl_vector *y = gsl_vector_alloc(n), *c = gsl_vector_alloc(k);
	gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(n, k);
	double chisq;
	for (gsize r = 0; r < n; r++) {
		const struct cycle_row *row = &g_array_index(rows, struct cycle_row, r);
		gsize at = 0;
		for (int i = 0; i < 3; i++)
			if (used[i])
				gsl_matrix_set(x, r, at++, row->x[i]);
		gsl_vector_set(y, r, row->took);
	}
	gsl_multifit_linear(x, y, c, cov, &chisq, w);
	k = 0;
	for (int i = 0; i < 3; i++)
		cost[i] = used[i] ? gsl_vector_get(c, k++) : 0;
	gsl_multifit_linear_free(w);
	gsl_vector_free(c);
	gsl_vector_free(y);
	gsl_matrix_free(cov);
	gsl_matrix_free(x);
}

/* Seconds; nothing costs less than nothing. */
static void backfill_cost(const GPtrArray *passes, struct clocks *c)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct cycle_row));
	bool used[3] = {true, true, true}, again = true;
	double cost[3] = {0, 0, 0};
	for (guint i = 0; i < passes->len; i++) {
		const struct pass *x = passes->pdata[i];
		struct cycle_row row = {x->end - x->t, {1, x->tested, x->started}};
		if (strcmp(x->kind, "backfill") == 0 && x->queue > 0)
			g_array_append_val(rows, row);
	}
	while (again && rows->len >= FEW_CYCLES && (used[0] || used[1] || used[2])) {
		fit(rows, used, cost);
		again = false;
		for (int i = 0; i < 3; i++)
			if (cost[i] < 0) {
				used[i] = false;
				again = true;
			}
	}
	c->pass = again ? 0 : cost[0];
	c->bf_job = again ? 0 : cost[1];
	c->start = again ? 0 : cost[2];
	g_array_unref(rows);
}

static const cJSON *job_named(const cJSON *jobs, const char *label)
{
	const cJSON *job;
	cJSON_ArrayForEach(job, cJSON_GetObjectItemCaseSensitive(jobs, "jobs")) if (strcmp(json_text(job, "name"), label) == 0) return job;
	return NULL;
}

static bool is_alone(const cJSON *jobs, const cJSON *one)
{
	const cJSON *job;
	cJSON_ArrayForEach(job, cJSON_GetObjectItemCaseSensitive(jobs, "jobs")) if (job != one && fabs(json_number(job, "at", 0) - json_number(one, "at", 0)) < ALONE) return false;
	return true;
}

/* From the time that the scenario gives to that at which the controller had the job. */
static double submit_delay(const cJSON *jobs, const GPtrArray *happenings)
{
	GArray *v = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < happenings->len; i++) {
		const struct happening *h = happenings->pdata[i];
		const cJSON *job = strcmp(h->what, "submit") == 0 ? job_named(jobs, h->job) : NULL;
		if (job && is_alone(jobs, job)) {
			double x = h->t - json_number(job, "at", 0);
			g_array_append_val(v, x);
		}
	}
	double m = median(v);
	g_array_unref(v);
	return m;
}

/* The first submission of all. */
static double cold_delay(const cJSON *jobs, const GPtrArray *happenings)
{
	double first = G_MAXDOUBLE;
	const cJSON *job;
	cJSON_ArrayForEach(job, cJSON_GetObjectItemCaseSensitive(jobs, "jobs"))
		first = fmin(first, json_number(job, "at", 0));
	for (guint i = 0; i < happenings->len; i++) {
		const struct happening *h = happenings->pdata[i];
		if (g_str_has_prefix(h->what, "submit") && h->t >= first)
			return h->t - first;
	}
	return NAN;
}

static double allocated(const GPtrArray *happenings, guint before, const char *job)
{
	for (guint i = before; i-- > 0;) {
		const struct happening *h = happenings->pdata[i];
		if (strcmp(h->job, job) == 0 && g_str_has_prefix(h->what, "alloc_"))
			return h->t;
	}
	return NAN;
}

/* What a run takes beyond its script's time, from allocation to the end as the controller sees it. */
static double launch_delay(const cJSON *jobs, const GPtrArray *happenings)
{
	GArray *v = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < happenings->len; i++) {
		const struct happening *h = happenings->pdata[i];
		if (strcmp(h->what, "job_end") || strcmp(h->detail, "WEXITSTATUS 0"))
			continue;
		const cJSON *job = job_named(jobs, h->job);
		double x = h->t - allocated(happenings, i, h->job) - (job ? json_number(job, "run", NAN) : NAN);
		if (!isnan(x) && x > 0 && !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(job, "tick")))
			g_array_append_val(v, x);
	}
	double m = median(v);
	g_array_unref(v);
	return m;
}

bool record_find_clocks(const struct record *r, const GPtrArray *passes, const GPtrArray *happenings, struct clocks *c, GError **error)
{
	cJSON *jobs = json_read(r->scenario, "jobs.json", error);
	if (!jobs)
		return false;
	find_phases(passes, happenings, c);
	c->slip = find_slip(happenings, c->turn, r->speed);
	backfill_cost(passes, c);
	c->submit = submit_delay(jobs, happenings);
	c->cold = cold_delay(jobs, happenings);
	c->launch = launch_delay(jobs, happenings);
	cJSON_Delete(jobs);
	return true;
}
