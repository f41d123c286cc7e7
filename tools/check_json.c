/*
 * check_json.c - what a check came to, as JSON, and read back from it; see check.h.
 *
 *   {"schema": "whypend-check/1", "counts": {"scenarios", "wrong_scenarios", "holds", "fails", "skipped", "wrong"},
 *    "scenarios": [{"file", "name", "slurm_version", "error", "warnings": [],
 *                   "expect": [{"outcome": "holds|fails|skipped|wrong", "name", "expected", "happened",
 *                               "rules": [{"id", "title"}], "explanation", "line", "column"}]}]}
 *
 * What is not there is null.
 */
#include "tools/check.h"
#include "tools/rule_title.h"
#include <cjson/cJSON.h>
#include <string.h>

/* JSON is UTF-8. */
static void add_text(cJSON *o, const char *key, const char *text)
{
	char *valid = text ? g_utf8_make_valid(text, -1) : NULL;

	cJSON_AddItemToObject(o, key, valid ? cJSON_CreateString(valid) : cJSON_CreateNull());
	g_free(valid);
}

static cJSON *rules_json(char **rules)
{
	cJSON *list = cJSON_CreateArray();

	for (char **id = rules; id && *id; id++) {
		cJSON *o = cJSON_CreateObject();

		add_text(o, "id", *id);
		add_text(o, "title", rule_title(*id));
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

static cJSON *verdict_json(const struct verdict *v)
{
	cJSON *o = cJSON_CreateObject();

	add_text(o, "outcome", outcome_name(v->outcome));
	add_text(o, "name", v->name);
	add_text(o, "expected", v->expected);
	add_text(o, "happened", v->happened);
	cJSON_AddItemToObject(o, "rules", rules_json(v->rules));
	add_text(o, "explanation", v->explanation);
	cJSON_AddNumberToObject(o, "line", v->line);
	cJSON_AddNumberToObject(o, "column", v->column);
	return o;
}

cJSON *check_result_json(const struct check_result *r)
{
	cJSON *o = cJSON_CreateObject(), *warnings = cJSON_CreateArray(), *expect = cJSON_CreateArray();

	add_text(o, "file", r->file);
	add_text(o, "name", r->name);
	add_text(o, "slurm_version", r->slurm_version);
	add_text(o, "error", r->error);
	for (guint i = 0; i < r->warnings->len; i++) {
		char *valid = g_utf8_make_valid(r->warnings->pdata[i], -1);

		cJSON_AddItemToArray(warnings, cJSON_CreateString(valid));
		g_free(valid);
	}
	cJSON_AddItemToObject(o, "warnings", warnings);
	for (guint i = 0; i < r->verdicts->len; i++)
		cJSON_AddItemToArray(expect, verdict_json(r->verdicts->pdata[i]));
	cJSON_AddItemToObject(o, "expect", expect);
	return o;
}

/* ---- and back ---- */

static char *get_text(const cJSON *o, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);

	return cJSON_IsString(item) ? g_strdup(item->valuestring) : NULL;
}

static guint get_number(const cJSON *o, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);

	return cJSON_IsNumber(item) ? (guint)item->valuedouble : 0;
}

static char **get_rules(const cJSON *list)
{
	GPtrArray *ids = g_ptr_array_new();
	const cJSON *one;

	cJSON_ArrayForEach(one, list) g_ptr_array_add(ids, get_text(one, "id"));
	if (!ids->len) {
		g_ptr_array_unref(ids);
		return NULL;
	}
	g_ptr_array_add(ids, NULL);
	return (char **)g_ptr_array_free(ids, FALSE);
}

static struct verdict *verdict_parse(const cJSON *o)
{
	struct verdict *v = g_new0(struct verdict, 1);
	char *outcome = get_text(o, "outcome");

	for (enum check_outcome k = CHECK_HOLDS; k <= CHECK_WRONG; k++)
		if (g_strcmp0(outcome_name(k), outcome) == 0)
			v->outcome = k;
	g_free(outcome);
	v->name = get_text(o, "name");
	v->expected = get_text(o, "expected");
	v->happened = get_text(o, "happened");
	v->rules = get_rules(cJSON_GetObjectItemCaseSensitive(o, "rules"));
	v->explanation = get_text(o, "explanation");
	v->line = get_number(o, "line");
	v->column = get_number(o, "column");
	return v;
}

struct check_result *check_result_parse(const char *text)
{
	cJSON *o = cJSON_Parse(text);
	struct check_result *r;
	const cJSON *one;

	if (!o)
		return NULL;
	r = check_result_new(NULL);
	r->file = get_text(o, "file");
	r->name = get_text(o, "name");
	r->slurm_version = get_text(o, "slurm_version");
	r->error = get_text(o, "error");
	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(o, "warnings"))
	    g_ptr_array_add(r->warnings, g_strdup(cJSON_GetStringValue(one)));
	cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(o, "expect"))
	    g_ptr_array_add(r->verdicts, verdict_parse(one));
	cJSON_Delete(o);
	return r;
}

/* ---- all ---- */

void check_print_json(FILE *out, const GPtrArray *results)
{
	const struct check_counts n = check_count(results);
	cJSON *top = cJSON_CreateObject(), *counts = cJSON_CreateObject(), *list = cJSON_CreateArray();
	char *text;

	cJSON_AddStringToObject(top, "schema", "whypend-check/1");
	cJSON_AddNumberToObject(counts, "scenarios", n.scenarios);
	cJSON_AddNumberToObject(counts, "wrong_scenarios", n.wrong_scenarios);
	cJSON_AddNumberToObject(counts, "holds", n.holds);
	cJSON_AddNumberToObject(counts, "fails", n.fails);
	cJSON_AddNumberToObject(counts, "skipped", n.skipped);
	cJSON_AddNumberToObject(counts, "wrong", n.wrong);
	cJSON_AddItemToObject(top, "counts", counts);
	for (guint i = 0; i < results->len; i++)
		cJSON_AddItemToArray(list, check_result_json(results->pdata[i]));
	cJSON_AddItemToObject(top, "scenarios", list);
	text = cJSON_Print(top);
	fprintf(out, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(top);
}
