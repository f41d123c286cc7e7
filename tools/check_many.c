/* check_many.c - which scenarios are meant, and running several at once; see check.h. A result comes back as JSON. */
#include "tools/check.h"
#include "tools/pool.h"
#include <cjson/cJSON.h>
#include <string.h>

/* ---- finding ---- */

#define DEPTH_MAX 32

/* A JSON file that says so at its top level. */
static bool is_scenario(const char *path)
{
	char *text = NULL;
	gsize size;
	bool is = false;
	cJSON *o;

	if (!g_file_get_contents(path, &text, &size, NULL))
		return false;
	o = strstr(text, "whypend-scenario/") ? cJSON_ParseWithLength(text, size) : NULL;
	if (o) {
		const char *schema = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, "schema"));

		is = schema && g_str_has_prefix(schema, "whypend-scenario/");
	} else {
		is = strstr(text, "\"whypend-scenario/") != NULL; /* with a mistake in it: the check tells */
	}
	cJSON_Delete(o);
	g_free(text);
	return is;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_in(const char *dir, int depth, GPtrArray *out)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *d = g_dir_open(dir, 0, NULL);
	char *own = g_build_filename(dir, "scenario.json", NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d)))
		if (*name != '.')
			g_ptr_array_add(names, g_strdup(name));
	if (d)
		g_dir_close(d);
	g_ptr_array_sort(names, by_name);
	if (g_file_test(own, G_FILE_TEST_IS_REGULAR)) {
		g_ptr_array_add(out, g_strdup(dir));
		g_ptr_array_set_size(names, 0);
	}
	for (guint i = 0; i < names->len; i++) {
		char *path = g_build_filename(dir, names->pdata[i], NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
			if (depth < DEPTH_MAX && !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
				find_in(path, depth + 1, out);
		} else if (g_str_has_suffix(path, ".json") && is_scenario(path)) {
			g_ptr_array_add(out, g_strdup(path));
		}
		g_free(path);
	}
	g_ptr_array_unref(names);
	g_free(own);
}

bool check_find(const char *path, GPtrArray *out, GError **error)
{
	guint before = out->len;

	if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
		g_ptr_array_add(out, g_strdup(path)); /* reading it tells what is wrong */
		return true;
	}
	find_in(path, 0, out);
	if (out->len > before)
		return true;
	g_set_error(error, DIAG_ERROR, 0,
	            "%s: no scenario in this folder; a scenario is a folder with a scenario.json, or a JSON file with "
	            "\"schema\": \"whypend-scenario/1\"",
	            path);
	return false;
}

/* ---- running ---- */

struct work {
	const struct tool_options *options;
	const GPtrArray *paths;
};

static void check_one(void *data, guint index, FILE *out)
{
	const struct work *w = data;
	struct check_result *r = check_scenario(w->options, w->paths->pdata[index]);
	cJSON *json = check_result_json(r);
	char *text = cJSON_PrintUnformatted(json);

	fputs(text, out);
	cJSON_free(text);
	cJSON_Delete(json);
	check_result_free(r);
}

static struct check_result *broken(const char *path)
{
	struct check_result *r = check_result_new(path);

	r->error = g_strdup_printf("%s: the run of this scenario broke off", path);
	return r;
}

GPtrArray *check_all(const struct tool_options *options, const GPtrArray *paths, guint jobs)
{
	struct work w = {options, paths};
	GPtrArray *results = g_ptr_array_new_with_free_func(check_result_free);
	GPtrArray *answers = pool_run(paths->len, jobs, check_one, &w);

	for (guint i = 0; i < paths->len; i++) {
		struct check_result *r = answers->pdata[i] ? check_result_parse(answers->pdata[i]) : NULL;

		g_ptr_array_add(results, r ? r : broken(paths->pdata[i]));
	}
	g_ptr_array_unref(answers);
	return results;
}
