/* schema_json.c - see schema_json.h */
#include "tools/schema_json.h"
#include <string.h>

cJSON *json_unset(char kind)
{
	cJSON *o = cJSON_CreateObject();

	cJSON_AddBoolToObject(o, "set", kind == 't');
	cJSON_AddBoolToObject(o, "infinite", kind == 'u');
	cJSON_AddNumberToObject(o, "number", 0);
	return o;
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
	cJSON *item = json_unset('t');

	cJSON_SetNumberValue(cJSON_GetObjectItem(item, "number"), n);
	json_put(o, path, item);
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

void json_print_envelope(FILE *out, const struct json_origin *from, const char *payload, cJSON *list,
                         const char *command)
{
	cJSON *o = cJSON_CreateObject();
	cJSON *meta =
	    json_from_schema("plugin{type:s name:s data_parser:s accounting_storage:s} client{source:s user:s group:s} "
	                     "command:l slurm{version{major:s micro:s minor:s} release:s cluster:s}");
	char *text;

	cJSON_AddItemToObject(o, payload, list);
	if (from->now) {
		cJSON *update = json_unset('t');
		cJSON_SetNumberValue(cJSON_GetObjectItem(update, "number"), (double)from->now);
		cJSON_AddItemToObject(o, "last_update", update);
	}
	json_put_text(meta, "plugin.data_parser", "data_parser/v0.0.46");
	json_put_text(meta, "plugin.accounting_storage", from->accounting ? "accounting_storage/slurmdbd" : "");
	json_put_text(meta, "client.user", "root");
	json_put_text(meta, "client.group", "root");
	json_put_list(meta, "command", command, " ");
	json_put_text(meta, "slurm.version.major", from->v22 ? "22" : "26");
	json_put_text(meta, "slurm.version.minor", "05");
	json_put_text(meta, "slurm.version.micro", from->v22 ? "8" : "0");
	json_put_text(meta, "slurm.release", from->v22 ? "22.05.8" : "26.05.0");
	json_put_text(meta, "slurm.cluster", from->cluster);
	cJSON_AddItemToObject(o, "meta", meta);
	cJSON_AddArrayToObject(o, "errors");
	cJSON_AddArrayToObject(o, "warnings");
	text = cJSON_Print(o);
	fprintf(out, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(o);
}
