/* estimate_quality.c - see estimate_quality.h. */
#include "tools/estimate_quality.h"
#include "sim/estimates.h"
#include "tools/text_time.h"
#include <gio/gio.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#define RIGHT 60 /* seconds */

static void clear_group(gpointer group)
{
	g_free(((struct estimate_group *)group)->lead);
}

static struct estimate_group measure(const char *lead, GArray *errors)
{
	double *v = (double *)(void *)errors->data;
	size_t n = errors->len, right = 0, late = 0;
	gsl_sort(v, 1, n);
	for (size_t i = 0; i < n; i++) {
		right += fabs(v[i]) <= RIGHT;
		late += v[i] > RIGHT;
	}
	return (struct estimate_group){.lead = g_strdup(lead),
	                               .n = n,
	                               .median = gsl_stats_median_from_sorted_data(v, 1, n),
	                               .p10 = gsl_stats_quantile_from_sorted_data(v, 1, n, 0.10),
	                               .p90 = gsl_stats_quantile_from_sorted_data(v, 1, n, 0.90),
	                               .right = (double)right / (double)n,
	                               .late = (double)late / (double)n};
}

/* The errors of LEAD; NULL and ERROR when DB cannot be read. */
static GArray *errors_of(sqlite3 *db, const char *lead, GError **error)
{
	sqlite3_stmt *row = NULL;
	int rc = sqlite3_prepare_v2(db, "SELECT start_s - estimate_s FROM estimate WHERE lead = ?", -1, &row, NULL);
	GArray *list = g_array_new(FALSE, FALSE, sizeof(double));
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(row, 1, lead, -1, SQLITE_STATIC);
	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(row);
		double v = rc == SQLITE_ROW ? sqlite3_column_double(row, 0) : 0;
		if (rc == SQLITE_ROW)
			g_array_append_val(list, v);
	}
	if (rc != SQLITE_DONE) {
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot read the record: %s", sqlite3_errmsg(db));
		g_clear_pointer(&list, g_array_unref);
	}
	sqlite3_finalize(row);
	return list;
}

/* A run.db of before this table was made has none. */
static bool has_table(sqlite3 *db)
{
	return sqlite3_table_column_metadata(db, NULL, "estimate", "lead", NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

GArray *estimate_quality(sqlite3 *db, GError **error)
{
	GArray *groups = g_array_new(FALSE, TRUE, sizeof(struct estimate_group));
	g_array_set_clear_func(groups, clear_group);
	for (int lead = 0; lead < N_LEADS && has_table(db); lead++) {
		GArray *errors = errors_of(db, estimate_lead_name(lead), error);
		if (!errors) {
			g_array_unref(groups);
			return NULL;
		}
		if (errors->len) {
			struct estimate_group g = measure(estimate_lead_name(lead), errors);
			g_array_append_val(groups, g);
		}
		g_array_unref(errors);
	}
	return groups;
}

void estimate_quality_text(FILE *out, const GArray *groups)
{
	if (groups->len == 0)
		return;
	fprintf(out, "\n%-28s %10s %9s %9s %9s %9s %9s\n", "Start - StartTime published", "estimates", "median", "10 %", "90 %", "in 1 min", "later");
	for (guint i = 0; i < groups->len; i++) {
		const struct estimate_group *g = &g_array_index(groups, struct estimate_group, i);
		bool more = strcmp(g->lead, estimate_lead_name(N_LEADS - 1)) == 0;
		char *name = g_strdup_printf(more ? "further ahead" : "less than %s ahead", g->lead);
		char *median = time_signed(g->median), *p10 = time_signed(g->p10), *p90 = time_signed(g->p90);
		fprintf(out, "  %-26s %10" G_GUINT64_FORMAT " %9s %9s %9s %7.1f %% %7.1f %%\n", name, g->n, median, p10, p90, 100 * g->right, 100 * g->late);
		g_free(name);
		g_free(median);
		g_free(p10);
		g_free(p90);
	}
}

void estimate_quality_json(cJSON *root, const GArray *groups)
{
	cJSON *list = cJSON_AddArrayToObject(root, "estimates");
	for (guint i = 0; i < groups->len; i++) {
		const struct estimate_group *g = &g_array_index(groups, struct estimate_group, i);
		cJSON *o = cJSON_CreateObject();
		cJSON_AddStringToObject(o, "lead", g->lead);
		cJSON_AddNumberToObject(o, "estimates", (double)g->n);
		cJSON_AddNumberToObject(o, "median", g->median);
		cJSON_AddNumberToObject(o, "p10", g->p10);
		cJSON_AddNumberToObject(o, "p90", g->p90);
		cJSON_AddNumberToObject(o, "within_a_minute", g->right);
		cJSON_AddNumberToObject(o, "later", g->late);
		cJSON_AddItemToArray(list, o);
	}
}
