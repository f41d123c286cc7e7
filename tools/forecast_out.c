/* forecast_out.c - a forecast as a table and as JSON; see forecast.h. */
#include "tools/forecast.h"
#include <cjson/cJSON.h>

/* The time by which a share P of all N replicas has started it; 0 = in fewer. */
static usec_t percentile(const GArray *times, uint32_t n, double p)
{
	guint i = (guint)(p * (n - 1) + 0.5);

	return i < times->len ? g_array_index(times, usec_t, i) : 0;
}

static char *shown(usec_t t)
{
	return t ? date_format(usec_to_sec(t), NULL) : g_strdup("never");
}

static void print_row(FILE *out, const struct forecast *f, const struct forecast_job *j, const char *id,
                      const GArray *times)
{
	char *median = shown(percentile(times, f->replicas, 0.5)), *early = shown(percentile(times, f->replicas, 0.1));
	char *late = shown(percentile(times, f->replicas, 0.9));

	fprintf(out, "%18s %10.10s %8.8s %8.8s %19s %19s %19s  %3u%% %s\n", id, j->partition, j->name, j->user, median,
	        early, late, (unsigned)(100.0 * times->len / MAX(f->replicas, 1u) + 0.5), j->reason);
	g_free(median);
	g_free(early);
	g_free(late);
}

void forecast_print(FILE *out, const struct forecast *f, bool no_header)
{
	char *at = date_format(usec_to_sec(f->at), NULL);

	if (!no_header) {
		fprintf(out, "Moment %s: %u running, %u waiting; %u %s, run times %s\n", at, f->running, f->jobs->len,
		        f->replicas, f->replicas == 1 ? "replica" : "replicas",
		        f->drawn ? "drawn from the site's history" : "as known, or to the limit");
		fprintf(out, "%18s %10s %8s %8s %19s %19s %19s  %4s %s\n", "JOBID", "PARTITION", "NAME", "USER",
		        "START (MEDIAN)", "10 %", "90 %", "RUNS", "REASON NOW");
	}
	for (guint i = 0; i < f->jobs->len; i++) {
		const struct forecast_job *j = f->jobs->pdata[i];

		print_row(out, f, j, j->id, j->start);
		if (j->tasks > 1)
			print_row(out, f, j, "(last task)", j->last);
	}
	g_free(at);
}

static void add_times(cJSON *o, const char *key, const struct forecast *f, const GArray *times)
{
	static const struct {
		const char *name;
		double share;
	} parts[] = {{"p10", 0.1}, {"median", 0.5}, {"p90", 0.9}};
	cJSON *all = cJSON_AddObjectToObject(o, key);

	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
		usec_t t = percentile(times, f->replicas, parts[i].share);
		char *date = t ? shown(t) : NULL;

		if (date)
			cJSON_AddStringToObject(all, parts[i].name, date);
		else
			cJSON_AddNullToObject(all, parts[i].name);
		g_free(date);
	}
}

char *forecast_json(const struct forecast *f)
{
	cJSON *root = cJSON_CreateObject(), *jobs;
	char *at = date_format(usec_to_sec(f->at), NULL);

	cJSON_AddStringToObject(root, "at", at);
	cJSON_AddNumberToObject(root, "replicas", f->replicas);
	cJSON_AddBoolToObject(root, "drawn", f->drawn);
	cJSON_AddNumberToObject(root, "history", f->n_past);
	cJSON_AddNumberToObject(root, "running", f->running);
	cJSON_AddNumberToObject(root, "left_out", f->left_out);
	jobs = cJSON_AddArrayToObject(root, "jobs");
	for (guint i = 0; i < f->jobs->len; i++) {
		const struct forecast_job *j = f->jobs->pdata[i];
		cJSON *o = cJSON_CreateObject();

		cJSON_AddStringToObject(o, "job", j->id);
		cJSON_AddStringToObject(o, "partition", j->partition);
		cJSON_AddStringToObject(o, "user", j->user);
		cJSON_AddStringToObject(o, "name", j->name);
		cJSON_AddStringToObject(o, "reason", j->reason);
		cJSON_AddNumberToObject(o, "tasks", j->tasks);
		cJSON_AddNumberToObject(o, "started", j->start->len);
		add_times(o, "start", f, j->start);
		if (j->tasks > 1)
			add_times(o, "last", f, j->last);
		cJSON_AddItemToArray(jobs, o);
	}
	char *printed = cJSON_Print(root), *text = g_strconcat(printed, "\n", NULL);
	cJSON_free(printed);
	cJSON_Delete(root);
	g_free(at);
	return text;
}
