/*
 * check_record.c - whypend check --record: what replicas of a scenario come to, as expectations; see check.h.
 *
 * For all jobs and for each class of a kind that has several: a metric's range is its mean over the scenario as it is and
 * N replicas of it (scenarios/replica.h), less and plus SPREADS standard deviations, cut to what the metric can be, and
 * widened where the scenario as it is lies outside. Numbers are rounded outwards to three figures: a person tightens them.
 *
 * The file's own text is kept as it is: the entries are put behind the last one of "expect", or a list of them behind
 * the last key.
 */
#include "scenarios/replica.h"
#include "tools/check.h"
#include "tools/pool.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#define SPREADS 3.0

/* What is worth a promise; the others of metrics.h may be written by hand. */
static const enum metric RECORDED[] = {METRIC_WAIT_MEAN,     METRIC_WAIT_P95, METRIC_WAIT_MAX,
                                       METRIC_SLOWDOWN_MEAN, METRIC_CPU_USE,  METRIC_GPU_USE,
                                       METRIC_PREEMPTED,     METRIC_LOST_CPU, METRIC_JAIN};

struct recording {
	const struct tool_options *options;
	const char *path;
	enum class_kind kind;
};

/* ---- one replica ---- */

static bool fails(FILE *out, GError *error)
{
	cJSON *o = cJSON_CreateObject();
	char *text;

	cJSON_AddStringToObject(o, "error", error->message);
	text = cJSON_PrintUnformatted(o);
	fputs(text, out);
	cJSON_free(text);
	cJSON_Delete(o);
	g_error_free(error);
	return false;
}

/* {"NAME of the class": [metric, ...]}, "" = all jobs; null = nothing to measure. */
static void put_class(cJSON *o, const struct run_rows *rows, enum class_kind kind, const char *name)
{
	struct job_class class = {kind, (char *)(void *)(uintptr_t)name};
	double values[N_METRICS];
	cJSON *list = cJSON_CreateArray();

	metrics_of(rows, *name ? &class : NULL, values);
	for (size_t i = 0; i < G_N_ELEMENTS(RECORDED); i++) {
		double v = values[RECORDED[i]];

		cJSON_AddItemToArray(list, isnan(v) ? cJSON_CreateNull() : cJSON_CreateNumber(v));
	}
	cJSON_AddItemToObject(o, name, list);
}

static bool measure(const struct recording *r, struct recorder *recorder, FILE *out)
{
	GError *error = NULL;
	struct run_rows *rows = run_rows_read(recorder_db(recorder), &error);
	GPtrArray *classes;
	cJSON *o;
	char *text;

	if (!rows)
		return fails(out, error);
	o = cJSON_CreateObject();
	classes = run_rows_classes(rows, r->kind);
	put_class(o, rows, r->kind, "");
	for (guint i = 0; i < classes->len; i++)
		put_class(o, rows, r->kind, classes->pdata[i]);
	text = cJSON_PrintUnformatted(o);
	fputs(text, out);
	cJSON_free(text);
	cJSON_Delete(o);
	g_ptr_array_unref(classes);
	run_rows_free(rows);
	return true;
}

static void run_replica(void *data, guint number, FILE *out)
{
	const struct recording *r = data;
	struct scenario_options so = r->options->scenario;
	struct recorder *recorder = NULL;
	struct sim *sim = NULL;
	struct scenario *s;
	GError *error = NULL;

	so.path = r->path;
	s = scenario_load(&so, &error);
	if (s) {
		replica_load(s);
		replica_perturb(s, s->seed, number);
		recorder = recorder_open(NULL, &error);
	}
	sim = recorder ? scenario_start(s, recorder, &error) : NULL;
	if (sim && sim_run(sim, NULL, NULL, NULL, &error)) {
		sim_close_record(sim);
		recorder_finish(recorder, &error);
	}
	if (error)
		fails(out, error);
	else
		measure(r, recorder, out);
	if (sim)
		sim_free(sim);
	if (recorder)
		recorder_free(recorder);
	scenario_free(s);
}

/* ---- ranges ---- */

struct spread {
	guint n;
	double mean, squares; /* squares of the differences from the mean */
	double first;         /* of the scenario as it is; NaN */
};

static double deviation(const struct spread *s)
{
	return s->n > 1 ? sqrt(s->squares / (s->n - 1)) : 0;
}

/* Three figures, away from the middle. */
static double rounded(double x, bool up)
{
	double unit = x == 0 ? 1 : pow(10, floor(log10(fabs(x))) - 2);

	return (up ? ceil(x / unit - 1e-9) : floor(x / unit + 1e-9)) * unit;
}

static void range_of(const struct spread *s, enum metric m, double *low, double *high)
{
	double sd = deviation(s);

	*low = fmax(m == METRIC_SLOWDOWN_MEAN, s->mean - SPREADS * sd);
	*high = s->mean + SPREADS * sd;
	if (!isnan(s->first)) {
		*low = fmin(*low, s->first);
		*high = fmax(*high, s->first);
	}
	*low = rounded(*low, false);
	*high = rounded(*high, true);
	if (metric_info(m)->unit == UNIT_SHARE || m == METRIC_JAIN)
		*high = fmin(*high, 1);
}

static char *number(double x)
{
	return g_strdup_printf("%.6g", x);
}

static char *quoted(const char *text)
{
	cJSON *item = cJSON_CreateString(text);
	char *printed = cJSON_PrintUnformatted(item), *copy = g_strdup(printed);

	cJSON_free(printed);
	cJSON_Delete(item);
	return copy;
}

static char *entry(const struct recording *r, const char *class, enum metric m, const struct spread *s)
{
	double low, high;
	const struct metric_info *info = metric_info(m);
	char *mean_text = metric_format(m, s->mean, false), *sd_text = metric_format(m, deviation(s), false), *a, *b,
	     *name, *what, *of, *text;

	range_of(s, m, &low, &high);
	a = number(low);
	b = number(high);
	name =
	    g_strdup_printf("%s%s%s%s%s: %s in the mean of %u runs, spread %s", info->text, *class ? ", " : "",
	                    *class ? class_kind_name(r->kind) : "", *class ? " " : "", class, mean_text, s->n, sd_text);
	what = quoted(name);
	if (*class) {
		char *value = quoted(class);

		of = g_strdup_printf("\"class\": {\"%s\": %s}, ", class_kind_name(r->kind), value);
		g_free(value);
	} else {
		of = g_strdup("");
	}
	text = g_strdup_printf("    {\"name\": %s,\n     \"metric\": \"%s\", %s\"range\": [%s, %s]}", what, info->name,
	                       of, a, b);
	g_free(mean_text);
	g_free(sd_text);
	g_free(a);
	g_free(b);
	g_free(name);
	g_free(what);
	g_free(of);
	return text;
}

/* Of one class and metric over all ANSWERS (of cJSON *). False: there is nothing to measure. */
static bool spread_over(const GPtrArray *answers, const char *class, guint metric, struct spread *s)
{
	*s = (struct spread){.first = NAN};
	for (guint i = 0; i < answers->len; i++) {
		const cJSON *list = cJSON_GetObjectItemCaseSensitive(answers->pdata[i], class);
		const cJSON *item = cJSON_GetArrayItem(list, (int)metric);

		if (!cJSON_IsNumber(item))
			continue;
		double before = item->valuedouble - s->mean;

		s->mean += before / ++s->n;
		s->squares += before * (item->valuedouble - s->mean);
		if (i == 0)
			s->first = item->valuedouble;
	}
	return s->n > 0;
}

/* What says nothing is left out: no GPUs in the cluster, nobody preempted, one user. */
static bool is_dull(enum metric m, const struct spread *s)
{
	bool none = s->mean == 0 && s->squares == 0;

	return (m == METRIC_GPU_USE || m == METRIC_PREEMPTED || m == METRIC_LOST_CPU)
	           ? none
	           : m == METRIC_JAIN && s->mean == 1;
}

static GString *entries(const struct recording *r, const GPtrArray *answers)
{
	const cJSON *first = answers->pdata[0], *class;
	bool alone = cJSON_GetArraySize(first) <= 2; /* one class is all jobs */
	GString *out = g_string_new(NULL);

	cJSON_ArrayForEach(class, first)
	{
		for (guint i = 0; i < G_N_ELEMENTS(RECORDED); i++) {
			struct spread s;

			if ((*class->string && (alone || RECORDED[i] == METRIC_JAIN)) ||
			    !spread_over(answers, class->string, i, &s) || is_dull(RECORDED[i], &s))
				continue;
			char *text = entry(r, class->string, RECORDED[i], &s);

			g_string_append_printf(out, "%s%s", out->len ? ",\n" : "", text);
			g_free(text);
		}
	}
	return out;
}

/* ---- into the file ---- */

static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* The closing bracket of the object or list that begins at P. */
static const char *closing(const char *p)
{
	int depth = 0;

	while (*p) {
		if (*p == '"') {
			p = skip_string(p);
			continue;
		}
		depth += *p == '{' || *p == '[';
		depth -= *p == '}' || *p == ']';
		if (depth == 0)
			return p;
		p++;
	}
	return p;
}

/* NEW before END, behind what stands before it. COMMA: that is something. */
static char *splice(const char *text, const char *end, bool comma, const char *new, const char *after)
{
	const char *last = end;
	GString *out;

	while (last > text && g_ascii_isspace(last[-1]))
		last--;
	out = g_string_new_len(text, last - text);
	g_string_append_printf(out, "%s\n%s\n%s%s", comma ? "," : "", new, after, end);
	return g_string_free(out, FALSE);
}

/* The file at PATH with NEW entries. */
static char *into_file(const char *path, const char *new, GError **error)
{
	struct json_text t;
	struct diag *diag = diag_new();
	const cJSON *list;
	char *out = NULL;

	if (json_text_read(&t, path, diag)) {
		list = cJSON_GetObjectItemCaseSensitive(t.root, "expect");
		if (cJSON_IsArray(list)) {
			guint line, column;
			const char *p = t.text;

			json_text_locate(&t, list, &line, &column);
			for (guint i = 1; i < line; i++)
				p = strchr(p, '\n') + 1;
			p = skip_string(p + column - 1);
			p += strspn(p, " \t\r\n:");
			out = splice(t.text, closing(p), list->child != NULL, new, "  ");
		} else {
			char *whole = g_strdup_printf("  \"expect\": [\n%s\n  ]", new);
			const char *begin = t.text + strcspn(t.text, "{");

			out = splice(t.text, closing(begin), t.root->child != NULL, whole, "");
			g_free(whole);
		}
	}
	diag_ok(diag, error);
	diag_free(diag);
	json_text_clear(&t);
	return out;
}

/* ---- all ---- */

/* Texts to trees; false and ERROR when a run failed. */
static bool parse_all(const GPtrArray *texts, GPtrArray *answers, GError **error)
{
	for (guint i = 0; i < texts->len; i++) {
		cJSON *o = texts->pdata[i] ? cJSON_Parse(texts->pdata[i]) : NULL;
		const char *message =
		    o ? cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, "error")) : "a run broke off";

		if (o)
			g_ptr_array_add(answers, o);
		if (message) {
			g_set_error(error, DIAG_ERROR, 0, "%s", message);
			return false;
		}
	}
	return true;
}

char *check_record(const struct tool_options *options, const char *path, guint replicas, guint jobs,
                   enum class_kind kind, GError **error)
{
	struct recording r = {.options = options, .path = path, .kind = kind};
	GPtrArray *texts = pool_run(replicas + 1, jobs, run_replica, &r);
	GPtrArray *answers = g_ptr_array_new_with_free_func((GDestroyNotify)cJSON_Delete);
	char *file =
	         g_file_test(path, G_FILE_TEST_IS_DIR) ? g_build_filename(path, "scenario.json", NULL) : g_strdup(path),
	     *out = NULL;

	if (parse_all(texts, answers, error)) {
		GString *new = entries(&r, answers);

		if (new->len)
			out = into_file(file, new->str, error);
		else
			g_set_error(error, DIAG_ERROR, 0, "%s: no job of this scenario has anything to measure", file);
		g_string_free(new, TRUE);
	}
	g_free(file);
	g_ptr_array_unref(answers);
	g_ptr_array_unref(texts);
	return out;
}
