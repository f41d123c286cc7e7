/* shown_json.c - nodes of "scontrol show node --json" and "sinfo --json", of old and new releases; see shown.h. */
#include "models/shown_read.h"
#include <cjson/cJSON.h>
#include <string.h>

struct pairs {
	GArray *list; /* of struct conf_pair with owned values */
	const char *file;
};

static void clear(void *data)
{
	g_free(((struct conf_pair *)data)->value);
}

static void add(struct pairs *p, const char *key, char *value)
{
	struct conf_pair pair = {.key = (char *)key, .value = value, .file = p->file, .line = 0};

	g_array_append_val(p->list, pair);
}

/* A number, also wrapped as {"set": true, "number": n}; or a text; or a list of texts joined by JOIN. NULL = nothing.
 */
static char *text_of(const cJSON *v, const char *join)
{
	if (cJSON_IsObject(v)) /* the wrapper of a number, or a range of which the least counts */
		v = cJSON_GetObjectItem(v, cJSON_HasObjectItem(v, "minimum") ? "minimum" : "number");
	if (cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < 1e15)
		return g_strdup_printf("%.0f", v->valuedouble);
	if (cJSON_IsString(v) && *v->valuestring)
		return g_strdup(v->valuestring);
	if (!cJSON_IsArray(v))
		return NULL;
	GString *all = g_string_new(NULL);
	const cJSON *one;
	cJSON_ArrayForEach(one, v) if (cJSON_IsString(one))
	    g_string_append_printf(all, "%s%s", all->len ? join : "", one->valuestring);
	return g_string_free(all, all->len == 0);
}

static void add_member(struct pairs *p, const char *key, const cJSON *object, const char *member, const char *join)
{
	char *text = text_of(cJSON_GetObjectItem(object, member), join);

	if (text)
		add(p, key, text);
}

/* State and flags: new releases have one list, 22.05 a word and a list. */
static void add_state(struct pairs *p, const cJSON *node)
{
	char *state = text_of(cJSON_GetObjectItem(node, "state"), "+");
	char *flags = text_of(cJSON_GetObjectItem(node, "state_flags"), "+");

	add(p, "State", g_strdup_printf("%s%s%s", state ? state : "", flags ? "+" : "", flags ? flags : ""));
	g_free(state);
	g_free(flags);
}

static void take_node(struct shown *s, const cJSON *node, const char *file)
{
	static const struct {
		const char *shown, *json, *join;
	} members[] = {{"NodeName", "name", ""},
	               {"CPUTot", "cpus", ""},
	               {"Sockets", "sockets", ""},
	               {"CoresPerSocket", "cores", ""},
	               {"ThreadsPerCore", "threads", ""},
	               {"RealMemory", "real_memory", ""},
	               {"TmpDisk", "temporary_disk", ""},
	               {"Weight", "weight", ""},
	               {"AvailableFeatures", "features", ","},
	               {"Gres", "gres", ","},
	               {"CoreSpecCount", "specialized_cores", ""},
	               {"CPUSpecList", "specialized_cpus", ","},
	               {"MemSpecLimit", "specialized_memory", ""},
	               {"Reason", "reason", ""}};
	struct pairs p = {g_array_new(FALSE, FALSE, sizeof(struct conf_pair)), file};

	g_array_set_clear_func(p.list, clear);
	for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
		add_member(&p, members[i].shown, node, members[i].json, members[i].join);
	add_state(&p, node);
	if (cJSON_IsString(cJSON_GetObjectItem(node, "name")))
		shown_node((const struct conf_pair *)(void *)p.list->data, p.list->len, s);
	g_array_unref(p.list);
}

static cJSON *parse(struct shown *s, const char *text, const char *file, const char *member, const cJSON **list)
{
	cJSON *root = cJSON_Parse(text);

	*list = root ? cJSON_GetObjectItem(root, member) : NULL;
	if (!root)
		diag_error(s->d, file, 0, 0, NULL, "this is no JSON that can be read");
	else if (!cJSON_IsArray(*list))
		diag_error(s->d, file, 0, 0, "give the output of scontrol show node --json or sinfo --json",
		           "there is no list \"%s\"", member);
	return root;
}

void shown_node_json(struct shown *s, const char *text, const char *name)
{
	const cJSON *list, *node;
	cJSON *root = parse(s, text, name, "nodes", &list);

	if (cJSON_IsArray(list)) {
		cJSON_ArrayForEach(node, list) take_node(s, node, name);
	}
	cJSON_Delete(root);
}

/* A record of sinfo is about all nodes of one state in one partition. */
static void take_group(struct shown *s, const cJSON *group, const char *file)
{
	const cJSON *names = cJSON_GetObjectItem(cJSON_GetObjectItem(group, "nodes"), "nodes"), *name;
	const cJSON *partition = cJSON_GetObjectItem(group, "partition"), *cpus = cJSON_GetObjectItem(group, "cpus");
	const cJSON *part_name = cJSON_GetObjectItem(partition, "name");
	const cJSON *part_nodes = cJSON_GetObjectItem(cJSON_GetObjectItem(partition, "nodes"), "configured");
	struct pairs p = {g_array_new(FALSE, FALSE, sizeof(struct conf_pair)), file};

	g_array_set_clear_func(p.list, clear);
	add(&p, "NodeName", NULL);
	add_member(&p, "CPUTot", cpus, "minimum", "");
	add_member(&p, "Sockets", group, "sockets", "");
	add_member(&p, "CoresPerSocket", group, "cores", "");
	add_member(&p, "ThreadsPerCore", group, "threads", "");
	add_member(&p, "RealMemory", group, "memory", "");
	add_member(&p, "TmpDisk", group, "disk", "");
	add_member(&p, "Weight", group, "weight", "");
	add_member(&p, "AvailableFeatures", cJSON_GetObjectItem(group, "features"), "total", ",");
	add_member(&p, "Gres", cJSON_GetObjectItem(group, "gres"), "total", ",");
	add_member(&p, "Reason", cJSON_GetObjectItem(group, "reason"), "description", "");
	add_state(&p, cJSON_GetObjectItem(group, "node"));
	if (cJSON_IsArray(names)) {
		cJSON_ArrayForEach(name, names)
		{
			if (!cJSON_IsString(name))
				continue;
			struct conf_pair *first = &g_array_index(p.list, struct conf_pair, 0);

			first->value = name->valuestring;
			shown_node((const struct conf_pair *)(void *)p.list->data, p.list->len, s);
			first->value = NULL;
		}
	}
	if (cJSON_IsString(part_name) && cJSON_IsString(part_nodes) &&
	    !g_hash_table_contains(s->sinfo_parts, part_name->valuestring))
		g_hash_table_insert(s->sinfo_parts, g_strdup(part_name->valuestring),
		                    g_string_new(part_nodes->valuestring));
	g_array_unref(p.list);
}

void shown_sinfo_json(struct shown *s, const char *text, const char *name)
{
	const cJSON *list, *group;
	cJSON *root = parse(s, text, name, "sinfo", &list);

	if (cJSON_IsArray(list)) {
		cJSON_ArrayForEach(group, list) take_group(s, group, name);
	}
	cJSON_Delete(root);
}
