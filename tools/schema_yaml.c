/* schema_yaml.c - see schema_yaml.h. */
#include "tools/schema_yaml.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool is_plain(const char *text)
{
	size_t n = strlen(text);

	if (strchr("-?:,[]{}#&*!|>'\"%@` ", *text) || text[n - 1] == ' ' || text[n - 1] == ':' || strstr(text, ": ") || strstr(text, " #"))
		return false;
	for (const char *p = text; *p; p++)
		if (g_ascii_iscntrl(*p))
			return false;
	return true;
}

static void append_text(GString *s, const char *text)
{
	if (!text || !*text) {
		g_string_append(s, "!!str");
	} else if (is_plain(text)) {
		g_string_append_printf(s, "!!str %s", text);
	} else {
		g_autofree char *escaped = g_strescape(text, NULL);
		g_string_append_printf(s, "!!str \"%s\"", escaped);
	}
}

static void append_number(GString *s, double v)
{
	if (v == rint(v) && fabs(v) < 1e18)
		g_string_append_printf(s, "!!int %" G_GINT64_FORMAT, (gint64)v);
	else
		g_string_append_printf(s, "!!float %f", v);
}

static void append_item(GString *s, const cJSON *item, int depth);

/* Lines of DEPTH. What a list holds stands as deep as its key. */
static void append_children(GString *s, const cJSON *item, int depth)
{
	bool is_object = cJSON_IsObject(item);
	const cJSON *child;

	cJSON_ArrayForEach(child, item)
	{
		g_string_append_printf(s, "\n%*s", 2 * depth, "");
		if (is_object) {
			append_text(s, child->string);
			g_string_append(s, ": ");
		} else {
			g_string_append(s, "- ");
		}
		append_item(s, child, depth);
	}
}

static void append_item(GString *s, const cJSON *item, int depth)
{
	if (cJSON_IsObject(item)) {
		g_string_append(s, item->child ? "!!map" : "!!map {}");
		append_children(s, item, depth + 1);
	} else if (cJSON_IsArray(item)) {
		g_string_append(s, item->child ? "!!seq" : "!!seq []");
		append_children(s, item, depth);
	} else if (cJSON_IsString(item)) {
		append_text(s, item->valuestring);
	} else if (cJSON_IsNumber(item)) {
		append_number(s, item->valuedouble);
	} else if (cJSON_IsRaw(item)) {
		g_string_append_printf(s, "!!float %f", g_ascii_strtod(item->valuestring, NULL));
	} else {
		g_string_append(s, cJSON_IsNull(item) ? "!!null null" : cJSON_IsTrue(item) ? "!!bool true" : "!!bool false");
	}
}

char *yaml_document(const cJSON *item)
{
	GString *s = g_string_new("%YAML 1.1\n--- ");

	append_item(s, item, -1);
	g_string_append(s, "\n...\n");
	return g_string_free(s, FALSE);
}
