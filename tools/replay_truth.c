/* replay_truth.c - see replay_truth.h. */
#include "tools/replay_truth.h"
#include "tools/text_time.h"
#include <gio/gio.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

struct pair { /* a job on both sides; seconds since the epoch */
	gint64 submit, real_start, real_end, start, end;
	double cpus;
};

static bool failed(sqlite3 *db, GError **error)
{
	g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot read the record: %s", sqlite3_errmsg(db));
	return false;
}

static bool read_pairs(sqlite3 *db, GArray *pairs, struct replay_truth *t, GError **error)
{
	static const char sql[] = "SELECT submit_s, real_start, real_end, start_s, end_s, ncpus FROM job "
	                          "WHERE run = 0 AND het_offset = 0 AND (real_start > 0 OR start_s > 0)";
	sqlite3_stmt *row;
	if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
		return failed(db, error);
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		struct pair p = {.submit = sqlite3_column_int64(row, 0),
		                 .real_start = sqlite3_column_int64(row, 1),
		                 .real_end = sqlite3_column_int64(row, 2),
		                 .start = sqlite3_column_int64(row, 3),
		                 .end = sqlite3_column_int64(row, 4),
		                 .cpus = sqlite3_column_double(row, 5)};
		if (p.start > 0 && p.real_start > 0)
			g_array_append_val(pairs, p);
		else if (p.start > 0)
			t->only_simulated++;
		else
			t->only_recorded++;
	}
	sqlite3_finalize(row);
	return rc == SQLITE_DONE || failed(db, error);
}

static bool read_cpus(sqlite3 *db, double *cpus, GError **error)
{
	sqlite3_stmt *row;
	if (sqlite3_prepare_v2(db, "SELECT value FROM meta WHERE key = 'cpus'", -1, &row, NULL) != SQLITE_OK)
		return failed(db, error);
	int rc = sqlite3_step(row);
	*cpus = rc == SQLITE_ROW ? sqlite3_column_double(row, 0) : 0;
	sqlite3_finalize(row);
	return rc == SQLITE_ROW || rc == SQLITE_DONE || failed(db, error);
}

static void measure_errors(struct replay_truth *t, const GArray *pairs)
{
	size_t n = pairs->len;
	double *v = g_new(double, n);
	for (size_t i = 0; i < n; i++) {
		const struct pair *p = &g_array_index(pairs, struct pair, i);
		v[i] = (double)(p->start - p->real_start);
		t->minute += fabs(v[i]) <= 60;
		t->ten_minutes += fabs(v[i]) <= 600;
		t->hour += fabs(v[i]) <= 3600;
	}
	t->minute /= (double)n;
	t->ten_minutes /= (double)n;
	t->hour /= (double)n;
	t->mean = gsl_stats_mean(v, 1, n);
	gsl_sort(v, 1, n);
	t->median = gsl_stats_median_from_sorted_data(v, 1, n);
	t->p10 = gsl_stats_quantile_from_sorted_data(v, 1, n, 0.10);
	t->p90 = gsl_stats_quantile_from_sorted_data(v, 1, n, 0.90);
	g_free(v);
}

/* Sorts V. */
static struct wait_side measure_side(double *v, size_t n)
{
	gsl_sort(v, 1, n);
	return (struct wait_side){gsl_stats_mean(v, 1, n), gsl_stats_median_from_sorted_data(v, 1, n),
	                          gsl_stats_quantile_from_sorted_data(v, 1, n, 0.90)};
}

static bool varies(const double *v, size_t n)
{
	double low, high;
	gsl_stats_minmax(&low, &high, v, 1, n);
	return high > low;
}

static void measure_waits(struct replay_truth *t, const GArray *pairs)
{
	size_t n = pairs->len;
	double *real = g_new(double, n), *simulated = g_new(double, n), *work = g_new(double, 2 * n);
	for (size_t i = 0; i < n; i++) {
		const struct pair *p = &g_array_index(pairs, struct pair, i);
		real[i] = (double)(p->real_start - p->submit);
		simulated[i] = (double)(p->start - p->submit);
	}
	t->correlation = t->rank_correlation = NAN;
	if (n >= 3 && varies(real, n) && varies(simulated, n)) {
		t->correlation = gsl_stats_correlation(real, 1, simulated, 1, n);
		t->rank_correlation = gsl_stats_spearman(real, 1, simulated, 1, n, work);
	}
	t->recorded = measure_side(real, n);
	t->simulated = measure_side(simulated, n);
	g_free(real);
	g_free(simulated);
	g_free(work);
}

static void measure_use(struct replay_truth *t, const GArray *pairs, double cpus)
{
	gint64 first = G_MAXINT64, last = 0, real_last = 0;
	double held = 0, real_held = 0;
	for (guint i = 0; i < pairs->len; i++) {
		const struct pair *p = &g_array_index(pairs, struct pair, i);
		if (p->real_end < p->real_start || p->end < p->start)
			continue;
		first = MIN(first, p->submit);
		last = MAX(last, p->end);
		real_last = MAX(real_last, p->real_end);
		held += p->cpus * (double)(p->end - p->start);
		real_held += p->cpus * (double)(p->real_end - p->real_start);
	}
	if (cpus > 0 && last > first && real_last > first) {
		t->simulated_use = held / (cpus * (double)(last - first));
		t->recorded_use = real_held / (cpus * (double)(real_last - first));
	}
}

gboolean replay_truth_read(sqlite3 *db, struct replay_truth *t, GError **error)
{
	*t = (struct replay_truth){0};
	if (sqlite3_table_column_metadata(db, NULL, "job", "real_start", NULL, NULL, NULL, NULL, NULL) != SQLITE_OK)
		return TRUE;
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct pair));
	double cpus = 0;
	bool good = read_pairs(db, pairs, t, error) && read_cpus(db, &cpus, error);
	if (good && pairs->len) {
		t->jobs = pairs->len;
		measure_errors(t, pairs);
		measure_waits(t, pairs);
		measure_use(t, pairs, cpus);
	}
	g_array_unref(pairs);
	return good;
}

/* --- printing --- */

static void text_side(FILE *out, const char *name, const struct wait_side *w)
{
	char *mean = time_short(w->mean), *median = time_short(w->median), *p90 = time_short(w->p90);
	fprintf(out, "  %-26s %10s %9s %9s %9s\n", name, "", mean, median, p90);
	g_free(mean);
	g_free(median);
	g_free(p90);
}

void replay_truth_text(FILE *out, const struct replay_truth *t)
{
	if (t->jobs == 0)
		return;
	char *mean = time_signed(t->mean), *median = time_signed(t->median), *p10 = time_signed(t->p10), *p90 = time_signed(t->p90);
	fprintf(out, "\n%-28s %10s %9s %9s %9s %9s %9s %9s %9s\n", "Replay against the record", "jobs", "mean", "median", "10 %", "90 %", "in 1 min",
	        "10 min", "1 h");
	fprintf(out, "  %-26s %10" G_GUINT64_FORMAT " %9s %9s %9s %9s %7.1f %% %7.1f %% %7.1f %%\n", "start - recorded start", t->jobs, mean, median,
	        p10, p90, 100 * t->minute, 100 * t->ten_minutes, 100 * t->hour);
	if (t->only_recorded + t->only_simulated)
		fprintf(out, "  started only in the record %10" G_GUINT64_FORMAT ", only here %" G_GUINT64_FORMAT "\n", t->only_recorded, t->only_simulated);
	fprintf(out, "%-28s %10s %9s %9s %9s\n", "  wait from submission", "", "mean", "median", "90 %");
	text_side(out, "  recorded", &t->recorded);
	text_side(out, "  simulated", &t->simulated);
	if (!isnan(t->correlation))
		fprintf(out, "  correlation of the waits     %+9.3f, of their ranks %+.3f\n", t->correlation, t->rank_correlation);
	if (t->recorded_use > 0)
		fprintf(out, "  CPUs in use                  %7.1f %% recorded, %.1f %% simulated\n", 100 * t->recorded_use, 100 * t->simulated_use);
	g_free(mean);
	g_free(median);
	g_free(p10);
	g_free(p90);
}

static void json_side(cJSON *parent, const char *key, const struct wait_side *w)
{
	cJSON *o = cJSON_AddObjectToObject(parent, key);
	cJSON_AddNumberToObject(o, "mean", w->mean);
	cJSON_AddNumberToObject(o, "median", w->median);
	cJSON_AddNumberToObject(o, "p90", w->p90);
}

void replay_truth_json(cJSON *root, const struct replay_truth *t)
{
	if (t->jobs == 0)
		return;
	cJSON *o = cJSON_AddObjectToObject(root, "replay");
	cJSON_AddNumberToObject(o, "jobs", (double)t->jobs);
	cJSON_AddNumberToObject(o, "only_recorded", (double)t->only_recorded);
	cJSON_AddNumberToObject(o, "only_simulated", (double)t->only_simulated);
	cJSON *e = cJSON_AddObjectToObject(o, "start_error");
	cJSON_AddNumberToObject(e, "mean", t->mean);
	cJSON_AddNumberToObject(e, "median", t->median);
	cJSON_AddNumberToObject(e, "p10", t->p10);
	cJSON_AddNumberToObject(e, "p90", t->p90);
	cJSON_AddNumberToObject(e, "within_a_minute", t->minute);
	cJSON_AddNumberToObject(e, "within_ten_minutes", t->ten_minutes);
	cJSON_AddNumberToObject(e, "within_an_hour", t->hour);
	cJSON *w = cJSON_AddObjectToObject(o, "wait");
	json_side(w, "recorded", &t->recorded);
	json_side(w, "simulated", &t->simulated);
	if (!isnan(t->correlation)) {
		cJSON_AddNumberToObject(w, "correlation", t->correlation);
		cJSON_AddNumberToObject(w, "rank_correlation", t->rank_correlation);
	}
	cJSON *u = cJSON_AddObjectToObject(o, "cpu_use");
	cJSON_AddNumberToObject(u, "recorded", t->recorded_use);
	cJSON_AddNumberToObject(u, "simulated", t->simulated_use);
}
