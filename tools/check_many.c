/*
 * check_many.c - which scenarios are meant, and running several at once; see check.h.
 *
 * A process for each scenario; its result comes back as JSON through a file without a name, so that nothing waits for a reader.
 */
#include "tools/check.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

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
	g_set_error(error, DIAG_ERROR, 0, "%s: no scenario in this folder; a scenario is a folder with a scenario.json, or a JSON file with "
	            "\"schema\": \"whypend-scenario/1\"", path);
	return false;
}

/* ---- running ---- */

struct worker {
	pid_t pid;
	FILE *file;
	guint index;
};

static struct check_result *broken(const char *path, const char *why)
{
	struct check_result *r = check_result_new(path);

	r->error = g_strdup_printf("%s: %s", path, why);
	return r;
}

static G_GNUC_NORETURN void work(const struct tool_options *options, const char *path, FILE *file)
{
	struct check_result *r;
	cJSON *json;
	char *text;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	r = check_scenario(options, path);
	json = check_result_json(r);
	text = cJSON_PrintUnformatted(json);
	fputs(text, file);
	_exit(fflush(file) == 0 ? 0 : 1);
}

static bool begin(struct worker *w, const struct tool_options *options, const char *path, guint index)
{
	w->index = index;
	w->file = tmpfile();
	if (!w->file)
		return false;
	fflush(NULL);
	w->pid = fork();
	if (w->pid == 0)
		work(options, path, w->file);
	if (w->pid > 0)
		return true;
	fclose(w->file);
	return false;
}

static char *read_all(FILE *f)
{
	GString *s = g_string_new(NULL);
	char part[4096];
	size_t n;

	rewind(f);
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		g_string_append_len(s, part, (gssize)n);
	return g_string_free(s, FALSE);
}

static struct check_result *collect(struct worker *w, const char *path, int status)
{
	char *text = read_all(w->file);
	struct check_result *r = status == 0 ? check_result_parse(text) : NULL;

	g_free(text);
	fclose(w->file);
	return r ? r : broken(path, "the run of this scenario broke off");
}

/* Wait for one of N; its place among them. */
static guint wait_for_one(const struct worker *workers, guint n, int *status)
{
	for (;;) {
		pid_t pid = waitpid(-1, status, 0);

		for (guint i = 0; i < n; i++)
			if (workers[i].pid == pid)
				return i;
		if (pid < 0 && errno != EINTR) {
			*status = -1;
			return 0;
		}
	}
}

GPtrArray *check_all(const struct tool_options *options, const GPtrArray *paths, guint jobs)
{
	GPtrArray *results = g_ptr_array_new_with_free_func(check_result_free);
	struct worker *workers = g_new0(struct worker, MAX(jobs, 1));
	guint n = 0, next = 0;

	g_ptr_array_set_size(results, (gint)paths->len);
	while (next < paths->len || n > 0) {
		const char *path = next < paths->len ? paths->pdata[next] : NULL;
		int status = 0;

		if (path && jobs <= 1) {
			results->pdata[next++] = check_scenario(options, path);
		} else if (path && n < jobs) {
			if (begin(&workers[n], options, path, next))
				n++;
			else /* no process to be had: do it here */
				results->pdata[next] = check_scenario(options, path);
			next++;
		} else {
			guint i = wait_for_one(workers, n, &status);
			guint index = workers[i].index;

			results->pdata[index] = collect(&workers[i], paths->pdata[index], status);
			workers[i] = workers[--n];
		}
	}
	g_free(workers);
	return results;
}
