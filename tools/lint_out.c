/* lint_out.c - see lint_out.h. */
#include "tools/lint_out.h"
#include <cjson/cJSON.h>

guint lint_count(const GPtrArray *findings, enum lint_level level)
{
	guint n = 0;

	for (guint i = 0; i < findings->len; i++)
		n += ((const struct lint_finding *)findings->pdata[i])->level == level;
	return n;
}

char *lint_text(const GPtrArray *findings, guint checks)
{
	GString *s = g_string_new(NULL);
	guint e = lint_count(findings, LINT_ERROR), w = lint_count(findings, LINT_WARNING),
	      n = lint_count(findings, LINT_NOTE);

	for (guint i = 0; i < findings->len; i++) {
		const struct lint_finding *f = findings->pdata[i];

		g_string_append(s, f->file);
		if (f->line)
			g_string_append_printf(s, ":%u", f->line);
		g_string_append_printf(s, ": %s: %s [%s]\n", lint_level_name(f->level), f->what, f->check->id);
		g_string_append_printf(s, "    why:  %s\n    set:  %s\n    rule: %s\n", f->why, f->set, f->rule);
	}
	g_string_append_printf(s, "%u error%s, %u warning%s, %u note%s; %u checks\n", e, e == 1 ? "" : "s", w,
	                       w == 1 ? "" : "s", n, n == 1 ? "" : "s", checks);
	return g_string_free(s, FALSE);
}

/* Names of files and words of users may hold any byte. */
static void add_text(cJSON *o, const char *key, const char *text)
{
	char *valid = g_utf8_make_valid(text, -1);

	cJSON_AddStringToObject(o, key, valid);
	g_free(valid);
}

static char *print(cJSON *o)
{
	char *text = cJSON_Print(o);

	cJSON_Delete(o);
	return text;
}

char *lint_json(const GPtrArray *findings, guint checks)
{
	cJSON *o = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(o, "findings");

	for (guint i = 0; i < findings->len; i++) {
		const struct lint_finding *f = findings->pdata[i];
		cJSON *x = cJSON_CreateObject();

		add_text(x, "id", f->check->id);
		add_text(x, "level", lint_level_name(f->level));
		add_text(x, "file", f->file);
		cJSON_AddItemToObject(x, "line", f->line ? cJSON_CreateNumber(f->line) : cJSON_CreateNull());
		add_text(x, "what", f->what);
		add_text(x, "why", f->why);
		add_text(x, "set", f->set);
		add_text(x, "rule", f->rule);
		cJSON_AddItemToArray(list, x);
	}
	cJSON_AddNumberToObject(o, "errors", lint_count(findings, LINT_ERROR));
	cJSON_AddNumberToObject(o, "warnings", lint_count(findings, LINT_WARNING));
	cJSON_AddNumberToObject(o, "notes", lint_count(findings, LINT_NOTE));
	cJSON_AddNumberToObject(o, "checks", checks);
	return print(o);
}

char *lint_list_text(void)
{
	GString *s = g_string_new(NULL);

	for (const struct lint_check *k = lint_checks; k->id; k++)
		g_string_append_printf(s, "%-26s %-8s %s (%s)\n", k->id, lint_level_name(k->level), k->title, k->rule);
	return g_string_free(s, FALSE);
}

char *lint_list_json(void)
{
	cJSON *list = cJSON_CreateArray();

	for (const struct lint_check *k = lint_checks; k->id; k++) {
		cJSON *x = cJSON_CreateObject();

		cJSON_AddStringToObject(x, "id", k->id);
		cJSON_AddStringToObject(x, "level", lint_level_name(k->level));
		cJSON_AddStringToObject(x, "title", k->title);
		cJSON_AddStringToObject(x, "rule", k->rule);
		cJSON_AddItemToArray(list, x);
	}
	return print(list);
}
