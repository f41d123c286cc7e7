/* schema_json.c - see schema_json.h */
#include "tools/schema_json.h"
#include "tools/schema_yaml.h"
#include <math.h>
#include <string.h>

cJSON *json_double(double v)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE + 4];

	if (!isfinite(v))
		v = 0;
	g_ascii_formatd(text, G_ASCII_DTOSTR_BUF_SIZE, "%.17g", v);
	if (!strpbrk(text, ".e"))
		strcat(text, ".0");
	return cJSON_CreateRaw(text);
}

static cJSON *number_object(bool set, bool infinite, cJSON *number)
{
	cJSON *o = cJSON_CreateObject();

	cJSON_AddBoolToObject(o, "set", set);
	cJSON_AddBoolToObject(o, "infinite", infinite);
	cJSON_AddItemToObject(o, "number", number);
	return o;
}

cJSON *json_unset(char kind)
{
	bool whole = g_ascii_islower(kind);

	kind = g_ascii_tolower(kind);
	return number_object(kind == 't', kind == 'u', whole ? cJSON_CreateNumber(0) : json_double(0));
}

static cJSON *of_kind(char kind)
{
	switch (kind) {
	case 's':
		return cJSON_CreateString("");
	case 'l':
		return cJSON_CreateArray();
	case 'b':
		return cJSON_CreateFalse();
	case 'i':
		return cJSON_CreateNumber(0);
	case 'd':
		return json_double(0);
	case '0':
		return cJSON_CreateNull();
	default:
		return json_unset(kind);
	}
}

/* The object that a schema describes; *p stands behind it (on "}" or the end). */
static cJSON *make(const char **p)
{
	cJSON *o = cJSON_CreateObject();

	while (**p && **p != '}') {
		size_t n = strcspn(*p, ":{");
		char *key = g_strndup(*p, n);

		*p += n;
		if (**p == '{') {
			(*p)++;
			cJSON_AddItemToObject(o, key, make(p));
			(*p)++;
		} else {
			cJSON_AddItemToObject(o, key, of_kind((*p)[1]));
			*p += 2;
		}
		*p += **p == ' ';
		g_free(key);
	}
	return o;
}

cJSON *json_from_schema(const char *schema)
{
	return make(&schema);
}

/* ---- filling: PATH is "key" or "key.key" ---- */

void json_put(cJSON *o, const char *path, cJSON *item)
{
	const char *dot = strchr(path, '.');

	if (!dot) {
		cJSON_ReplaceItemInObjectCaseSensitive(o, path, item);
		return;
	}
	char *key = g_strndup(path, (gsize)(dot - path));
	json_put(cJSON_GetObjectItemCaseSensitive(o, key), dot + 1, item);
	g_free(key);
}

void json_put_text(cJSON *o, const char *path, const char *text)
{
	json_put(o, path, cJSON_CreateString(text ? text : ""));
}

void json_put_taken(cJSON *o, const char *path, char *text)
{
	json_put_text(o, path, text);
	g_free(text);
}

void json_put_int(cJSON *o, const char *path, double n)
{
	json_put(o, path, cJSON_CreateNumber(n));
}

void json_put_flag(cJSON *o, const char *path, bool on)
{
	json_put(o, path, cJSON_CreateBool(on));
}

/* {"set": true, "infinite": false, "number": N} */
void json_put_number(cJSON *o, const char *path, double n)
{
	json_put(o, path, number_object(true, false, cJSON_CreateNumber(n)));
}

void json_put_double(cJSON *o, const char *path, double v)
{
	json_put(o, path, number_object(!isinf(v), isinf(v), json_double(v)));
}

void json_put_limit(cJSON *o, const char *path, uint32_t n)
{
	if (n >= NO_VAL)
		json_put(o, path, json_unset('u'));
	else
		json_put_number(o, path, n);
}

void json_put_minutes(cJSON *o, const char *path, uint32_t minutes)
{
	if (minutes == INFINITE)
		json_put(o, path, json_unset('u'));
	else if (minutes == NO_VAL)
		json_put(o, path, json_unset('n'));
	else
		json_put_number(o, path, minutes);
}

/* "a,b" or "a+b" as a list. */
void json_put_list(cJSON *o, const char *path, const char *text, const char *separator)
{
	cJSON *list = cJSON_CreateArray();
	char **items = text && *text ? g_strsplit(text, separator, -1) : NULL;

	for (char **p = items; p && *p; p++)
		cJSON_AddItemToArray(list, cJSON_CreateString(*p));
	g_strfreev(items);
	json_put(o, path, list);
}

/* ---- printing, as Slurm lays it out: two blanks a level, "/" as "\/", an empty list on two lines ---- */

static void append_text(GString *s, const char *text)
{
	g_string_append_c(s, '"');
	for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p; p++) {
		static const char FROM[] = "\"\\/\b\f\n\r\t", TO[] = "\"\\/bfnrt";
		const char *at = strchr(FROM, *p);

		if (at)
			g_string_append_printf(s, "\\%c", TO[at - FROM]);
		else if (*p < 0x20)
			g_string_append_printf(s, "\\u%04x", *p);
		else
			g_string_append_c(s, (char)*p);
	}
	g_string_append_c(s, '"');
}

static void append_item(GString *s, const cJSON *item, int depth);

static void append_children(GString *s, const cJSON *item, int depth)
{
	bool is_object = cJSON_IsObject(item);
	const cJSON *child;

	g_string_append(s, is_object ? "{\n" : "[\n");
	cJSON_ArrayForEach(child, item)
	{
		g_string_append_printf(s, "%*s", 2 * depth + 2, "");
		if (is_object) {
			append_text(s, child->string);
			g_string_append(s, ": ");
		}
		append_item(s, child, depth + 1);
		g_string_append(s, child->next ? ",\n" : "\n");
	}
	g_string_append_printf(s, "%*s%c", 2 * depth, "", is_object ? '}' : ']');
}

static void append_item(GString *s, const cJSON *item, int depth)
{
	if (cJSON_IsObject(item) || cJSON_IsArray(item))
		append_children(s, item, depth);
	else if (cJSON_IsString(item))
		append_text(s, item->valuestring);
	else if (cJSON_IsNumber(item) && item->valuedouble == rint(item->valuedouble) && fabs(item->valuedouble) < 1e18)
		g_string_append_printf(s, "%" G_GINT64_FORMAT, (gint64)item->valuedouble);
	else if (cJSON_IsNumber(item))
		g_string_append_printf(s, "%.17g", item->valuedouble);
	else if (cJSON_IsRaw(item))
		g_string_append(s, item->valuestring);
	else
		g_string_append(s, cJSON_IsNull(item) ? "null" : cJSON_IsTrue(item) ? "true" : "false");
}

static bool as_yaml; /* one command is answered at a time */

void json_use_yaml(bool on)
{
	as_yaml = on;
}

void json_print(FILE *out, const cJSON *item)
{
	GString *s = g_string_new(NULL);
	g_autofree char *yaml = as_yaml ? yaml_document(item) : NULL;

	if (!yaml)
		append_item(s, item, 0);
	fprintf(out, "%s\n", yaml ? yaml : s->str);
	g_string_free(s, TRUE);
}

/* What was typed: --yaml where COMMAND says --json. */
static void put_command(cJSON *meta, const char *command)
{
	const char *at = as_yaml ? strstr(command, "--json") : NULL;
	g_autofree char *typed = at ? g_strdup_printf("%.*s--yaml%s", (int)(at - command), command, at + strlen("--json")) : g_strdup(command);

	json_put_list(meta, "command", typed, " ");
}

void json_print_envelope(FILE *out, const struct json_origin *from, const char *payload, cJSON *list,
                         const char *command)
{
	cJSON *o = cJSON_CreateObject();
	cJSON *meta =
	    json_from_schema("plugin{type:s name:s data_parser:s accounting_storage:s} client{source:s user:s group:s} "
	                     "command:l slurm{version{major:s micro:s minor:s} release:s cluster:s}");

	cJSON_AddItemToObject(o, payload, list);
	if (from->beside)
		cJSON_AddItemToObject(o, from->beside, from->beside_item);
	if (from->now) {
		cJSON *update = json_unset('t');
		cJSON_SetNumberValue(cJSON_GetObjectItem(update, "number"), (double)from->now);
		cJSON_AddItemToObject(o, "last_update", update);
	}
	json_put_text(meta, "plugin.data_parser", "data_parser/v0.0.46");
	json_put_text(meta, "plugin.accounting_storage", from->accounting ? "accounting_storage/slurmdbd" : "");
	json_put_text(meta, "client.user", "root");
	json_put_text(meta, "client.group", "root");
	put_command(meta, command);
	json_put_text(meta, "slurm.version.major", from->v22 ? "22" : "26");
	json_put_text(meta, "slurm.version.minor", "05");
	json_put_text(meta, "slurm.version.micro", from->v22 ? "8" : "0");
	json_put_text(meta, "slurm.release", from->v22 ? "22.05.8" : "26.05.0");
	json_put_text(meta, "slurm.cluster", from->cluster);
	cJSON_AddItemToObject(o, "meta", meta);
	cJSON_AddArrayToObject(o, "errors");
	cJSON_AddArrayToObject(o, "warnings");
	json_print(out, o);
	cJSON_Delete(o);
}
