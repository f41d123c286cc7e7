/* failures.c - see failures.h. */
#include "tests/conformance/failures.h"
#include <glib/gstdio.h>
#include <string.h>

static const char *const site_files[] = {"slurm.conf", "gres.conf", "assoc.sacctmgr", "topology.conf"};

/* "node_kill n03" as one text or as two words: the node, NULL = another command. */
static char *node_of(const cJSON *cmd, const char *verb)
{
	const cJSON *first = cJSON_GetArrayItem(cmd, 0), *second = cJSON_GetArrayItem(cmd, 1);
	const char *text = cJSON_GetStringValue(cmd);
	char *start = g_strconcat(verb, " ", NULL), *node = NULL;
	if (text && g_str_has_prefix(text, start))
		node = g_strdup(text + strlen(start));
	else if (g_strcmp0(cJSON_GetStringValue(first), verb) == 0)
		node = g_strdup(cJSON_GetStringValue(second));
	g_free(start);
	return node;
}

/* When the real controller set NODE down, from T on; T itself when it never did. */
static double down_time(const struct record *record, const char *node, double t)
{
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		if (h->t >= t && strcmp(h->what, "node_down") == 0 && strcmp(h->node, node) == 0)
			return h->t;
	}
	return t;
}

static void set_command(cJSON *event, double at, const char *format, const char *node)
{
	GString *command = g_string_new(NULL);
	g_string_append_printf(command, "scontrol update node=%s %s", node, format);
	cJSON_ReplaceItemInObjectCaseSensitive(event, "cmd", cJSON_CreateString(command->str));
	cJSON_ReplaceItemInObjectCaseSensitive(event, "at", cJSON_CreateNumber(at));
	g_string_free(command, TRUE);
}

/* MORE: events that come in addition. */
static bool replace_event(const struct record *record, cJSON *event, cJSON *more)
{
	const cJSON *cmd = cJSON_GetObjectItemCaseSensitive(event, "cmd");
	double at = json_number(event, "at", 0);
	char *killed = node_of(cmd, "node_kill");
	bool replaced = killed != NULL;
	if (killed) { /* it stops answering, and is set down */
		cJSON *down = cJSON_Duplicate(event, true);
		set_command(event, down_time(record, killed, at), "state=noresp", killed);
		set_command(down, down_time(record, killed, at), "state=lost", killed);
		cJSON_AddItemToArray(more, down);
	}
	g_free(killed);
	return replaced;
}

static bool copy_site(const char *from, const char *to, GError **error)
{
	bool good = true;
	for (gsize i = 0; i < G_N_ELEMENTS(site_files) && good; i++) {
		char *source = g_build_filename(from, site_files[i], NULL);
		char *target = g_build_filename(to, site_files[i], NULL), *text = NULL;
		gsize length = 0;
		if (g_file_test(source, G_FILE_TEST_EXISTS))
			good = g_file_get_contents(source, &text, &length, error) &&
			       g_file_set_contents(target, text, (gssize)length, error);
		g_free(text);
		g_free(source);
		g_free(target);
	}
	return good;
}

static char *write_copy(const struct record *record, const cJSON *jobs, GError **error)
{
	char *dir = g_dir_make_tmp("conformance-XXXXXX", error);
	if (!dir)
		return NULL;
	char *path = g_build_filename(dir, "jobs.json", NULL), *text = cJSON_Print(jobs);
	bool good = copy_site(record->scenario, dir, error) && g_file_set_contents(path, text, -1, error);
	cJSON_free(text);
	g_free(path);
	if (good)
		return dir;
	failures_remove(dir);
	return NULL;
}

bool failures_replace(const struct record *record, char **copy, GError **error)
{
	cJSON *jobs = json_read(record->scenario, "jobs.json", error), *event;
	bool replaced = false;
	*copy = NULL;
	if (!jobs)
		return false;
	cJSON *events = cJSON_GetObjectItemCaseSensitive(jobs, "events"), *more = cJSON_CreateArray();
	cJSON_ArrayForEach(event, events) replaced |= replace_event(record, event, more);
	while ((event = cJSON_DetachItemFromArray(more, 0)))
		cJSON_AddItemToArray(events, event);
	cJSON_Delete(more);
	if (replaced)
		*copy = write_copy(record, jobs, error);
	cJSON_Delete(jobs);
	return !replaced || *copy;
}

void failures_remove(char *copy)
{
	if (!copy)
		return;
	for (gsize i = 0; i <= G_N_ELEMENTS(site_files); i++) {
		const char *name = i < G_N_ELEMENTS(site_files) ? site_files[i] : "jobs.json";
		char *path = g_build_filename(copy, name, NULL);
		g_unlink(path);
		g_free(path);
	}
	g_rmdir(copy);
	g_free(copy);
}
