/* compare_data.c - see compare.h: a comparison as JSON and as CSV. */
#include "tools/compare.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

/* ---- JSON ---- */

static void add_number(cJSON *o, const char *key, double value)
{
	if (isnan(value))
		cJSON_AddNullToObject(o, key);
	else
		cJSON_AddNumberToObject(o, key, value);
}

static void add_text(cJSON *o, const char *key, const char *text)
{
	if (text)
		cJSON_AddStringToObject(o, key, text);
	else
		cJSON_AddNullToObject(o, key);
}

static void add_date(cJSON *o, const char *key, usec_t t)
{
	char *date = date_format(usec_to_sec(t), NULL);

	cJSON_AddStringToObject(o, key, date);
	g_free(date);
}

static cJSON *effect_json(const struct effect *e)
{
	cJSON *o = cJSON_CreateObject();

	add_number(o, "a", e->a);
	add_number(o, "b", e->b);
	add_number(o, "difference", e->difference);
	add_number(o, "low", e->i.low);
	add_number(o, "high", e->i.high);
	return o;
}

static cJSON *conf_json(const GPtrArray *conf)
{
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < conf->len; i++) {
		const struct conf_change *c = conf->pdata[i];
		cJSON *o = cJSON_CreateObject();
		add_text(o, "file", c->file);
		add_text(o, "line", c->head);
		add_text(o, "a", c->a);
		add_text(o, "b", c->b);
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

static cJSON *classes_json(const GArray *classes)
{
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < classes->len; i++) {
		const struct class_effect *e = &g_array_index(classes, struct class_effect, i);
		cJSON *o = cJSON_CreateObject();
		add_text(o, "by", class_kind_name(e->kind));
		add_text(o, "name", e->name);
		add_number(o, "jobs", e->jobs);
		cJSON_AddItemToObject(o, "wait_mean", effect_json(&e->wait));
		cJSON_AddItemToObject(o, "slowdown_mean", effect_json(&e->slowdown));
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

static cJSON *windows_json(const GArray *windows)
{
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < windows->len; i++) {
		const struct window_effect *w = &g_array_index(windows, struct window_effect, i);
		cJSON *o = effect_json(&w->wait);
		cJSON_DeleteItemFromObject(o, "low");
		cJSON_DeleteItemFromObject(o, "high");
		add_date(o, "from", w->from);
		add_date(o, "to", w->to);
		add_number(o, "jobs", w->jobs);
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

static cJSON *changes_json(const GArray *changes, bool replicas)
{
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < changes->len; i++) {
		const struct job_change *c = &g_array_index(changes, struct job_change, i);
		cJSON *o = cJSON_CreateObject();
		add_text(o, "job", c->a->id);
		add_text(o, "label", c->a->label);
		for (int k = CLASS_USER; k < N_CLASS_KINDS; k++)
			add_text(o, class_kind_name((enum class_kind)k), c->a->class[k]);
		if (replicas)
			add_number(o, "replica", c->replica + 1);
		add_number(o, "wait_a", c->a->wait);
		add_number(o, "wait_b", c->b->wait);
		add_text(o, "why_a", c->why_a);
		add_text(o, "why_b", c->why_b);
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

static cJSON *pair_json(const struct comparison *c, bool replicas)
{
	const char a[2] = {c->a->name, 0}, b[2] = {c->b->name, 0};
	cJSON *o = cJSON_CreateObject(), *metrics;

	add_text(o, "a", a);
	add_text(o, "b", b);
	cJSON_AddBoolToObject(o, "same", c->same);
	add_number(o, "pairs", (double)c->pairs);
	add_number(o, "moved", (double)c->moved);
	add_number(o, "only_a", (double)c->only_a);
	add_number(o, "only_b", (double)c->only_b);
	add_number(o, "waiting_a", (double)c->waiting_a);
	add_number(o, "waiting_b", (double)c->waiting_b);
	add_number(o, "units", c->units);
	add_number(o, "widened", c->widen);
	cJSON_AddItemToObject(o, "conf", conf_json(c->conf));
	metrics = cJSON_AddObjectToObject(o, "metrics");
	for (int m = 0; m < N_METRICS; m++)
		cJSON_AddItemToObject(metrics, metric_info((enum metric)m)->name, effect_json(&c->metric[m]));
	cJSON_AddItemToObject(o, "classes", classes_json(c->classes));
	cJSON_AddItemToObject(o, replicas ? "replicas" : "windows", windows_json(c->windows));
	cJSON_AddItemToObject(o, "jobs", changes_json(c->changes, replicas));
	return o;
}

void compare_json(FILE *out, const struct compare_output *o)
{
	cJSON *root = cJSON_CreateObject(), *sides = cJSON_AddArrayToObject(root, "sides"), *pairs;
	char *text;

	for (guint i = 0; i < o->sides->len; i++) {
		const struct compare_side *s = o->sides->pdata[i];
		const char name[2] = {s->name, 0};
		cJSON *side = cJSON_CreateObject();
		add_text(side, "side", name);
		add_text(side, "what", s->what);
		cJSON_AddItemToArray(sides, side);
	}
	add_number(root, "replicas", o->plan->replicas);
	add_number(root, "seed", (double)o->plan->seed);
	add_number(root, "window_seconds", (double)o->plan->length / 1e6);
	add_number(root, "warm_up_seconds", (double)o->plan->warm_up / 1e6);
	pairs = cJSON_AddArrayToObject(root, "comparisons");
	for (guint i = 0; i < o->pairs->len; i++)
		cJSON_AddItemToArray(pairs, pair_json(o->pairs->pdata[i], o->plan->replicas > 0));
	text = cJSON_Print(root);
	fprintf(out, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(root);
}

/* ---- CSV ---- */

static void put_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (const char *p = text; *p; p++)
		fprintf(out, *p == '"' ? "\"\"" : "%c", *p);
	fputc('"', out);
}

static void put_number(FILE *out, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	fputc(',', out);
	if (!isnan(value))
		fputs(g_ascii_formatd(text, sizeof text, "%.10g", value), out);
}

static void put_row(FILE *out, const struct comparison *c, const char *by, const char *name, const char *metric,
                    double jobs, const struct effect *e)
{
	fprintf(out, "%c,%c,%s,", c->a->name, c->b->name, by);
	put_text(out, name);
	fprintf(out, ",%s", metric);
	put_number(out, jobs);
	put_number(out, e->a);
	put_number(out, e->b);
	put_number(out, e->difference);
	put_number(out, e->i.low);
	put_number(out, e->i.high);
	fputc('\n', out);
}

static void pair_csv(FILE *out, const struct comparison *c)
{
	const char *by = class_kind_name(c->only.name ? c->only.kind : CLASS_ALL),
	           *name = c->only.name ? c->only.name : "";

	for (int m = 0; m < N_METRICS; m++)
		put_row(out, c, by, name, metric_info((enum metric)m)->name, c->metric[METRIC_JOBS].a, &c->metric[m]);
	for (guint i = 0; i < c->classes->len; i++) {
		const struct class_effect *e = &g_array_index(c->classes, struct class_effect, i);
		put_row(out, c, class_kind_name(e->kind), e->name, "wait_mean", e->jobs, &e->wait);
		put_row(out, c, class_kind_name(e->kind), e->name, "slowdown_mean", e->jobs, &e->slowdown);
	}
	for (guint i = 0; i < c->windows->len; i++) {
		const struct window_effect *w = &g_array_index(c->windows, struct window_effect, i);
		char *from = date_format(usec_to_sec(w->from), NULL);
		put_row(out, c, "window", from, "wait_mean", w->jobs, &w->wait);
		g_free(from);
	}
}

void compare_csv(FILE *out, const struct compare_output *o)
{
	fputs("a,b,by,name,metric,jobs,value_a,value_b,difference,low,high\n", out);
	for (guint i = 0; i < o->pairs->len; i++)
		pair_csv(out, o->pairs->pdata[i]);
}
