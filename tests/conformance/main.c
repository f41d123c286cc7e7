/*
 * main.c - conformance: the simulation against recorded runs of real Slurm (shared/conformance.md).
 *
 *   conformance [-v] [--check | --raise | --plain] [--data DIR] [--out DIR] [NAME | 26.11/NAME ...]
 *
 * CONFORMANCE_DB=FILE in the environment keeps the record of the free run (run.db) of the one NAME that is given.
 */
#include "tests/conformance/attempt.h"
#include "tests/conformance/floor.h"
#include "tests/conformance/noise.h"
#include "tests/conformance/report.h"
#include <string.h>

static struct {
	gboolean verbose, check, raise, noise, plain;
	char *data, *out;
	char **names;
} options;

static const GOptionEntry entries[] = {
    {"verbose", 'v', 0, G_OPTION_ARG_NONE, &options.verbose, "print every difference", NULL},
    {"check", 0, 0, G_OPTION_ARG_NONE, &options.check, "fail when a score is below the floor", NULL},
    {"raise", 0, 0, G_OPTION_ARG_NONE, &options.raise, "raise the floor to what was reached", NULL},
    {"plain", 0, 0, G_OPTION_ARG_NONE, &options.plain,
     "free runs know nothing of the recording's host but T0 and the phases of the controller's clocks", NULL},
    {"noise", 0, 0, G_OPTION_ARG_NONE, &options.noise,
     "only the noise floor: free runs beside two recordings (mixed-day and mixed-hour, or NAME)", NULL},
    {"data", 0, 0, G_OPTION_ARG_FILENAME, &options.data, "where the records are (tests/conformance)", "DIR"},
    {"out", 0, 0, G_OPTION_ARG_FILENAME, &options.out, "where conformance.json and .diff go (build)", "DIR"},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.names, NULL, "[NAME | 26.11/NAME ...]"},
    {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static GPtrArray *names_in(const char *root, const char *version, GError **error)
{
	char *path = g_build_filename(root, version, NULL);
	GDir *dir = g_dir_open(path, 0, error);
	g_free(path);
	if (!dir)
		return NULL;
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	for (const char *name; (name = g_dir_read_name(dir));)
		g_ptr_array_add(names, g_strdup(name));
	g_dir_close(dir);
	g_ptr_array_sort(names, by_text);
	return names;
}

/* NAME asks for both versions, 22.05/NAME and 26.11/NAME for one. */
static bool wanted(const char *version, const char *name)
{
	if (!options.names)
		return true;
	char *full = g_strdup_printf("%s/%s", version, name);
	bool yes = g_strv_contains((const char *const *)options.names, name) ||
	           g_strv_contains((const char *const *)options.names, full);
	g_free(full);
	return yes;
}

static GPtrArray *choose(const char *root, GError **error)
{
	static const char *const versions[] = {"22.05", "26.11"};
	GPtrArray *attempts = g_ptr_array_new_with_free_func(attempt_free);
	for (gsize v = 0; v < G_N_ELEMENTS(versions); v++) {
		GPtrArray *names = names_in(root, versions[v], error);
		if (!names) {
			g_ptr_array_unref(attempts);
			return NULL;
		}
		for (guint i = 0; i < names->len; i++) {
			if (!wanted(versions[v], names->pdata[i]))
				continue;
			g_ptr_array_add(attempts, attempt_new(versions[v], names->pdata[i], true));
			struct attempt *free_run = attempt_new(versions[v], names->pdata[i], false);
			free_run->plain = options.plain;
			g_ptr_array_add(attempts, free_run);
		}
		g_ptr_array_unref(names);
	}
	return attempts;
}

static bool write_reports(const GPtrArray *attempts, GError **error)
{
	const char *out = options.out ? options.out : "build";
	g_mkdir_with_parents(out, 0777);
	char *json = g_build_filename(out, "conformance.json", NULL);
	char *diff = g_build_filename(out, "conformance.diff", NULL);
	bool good = report_write_json(json, attempts, error) && report_write_differences(diff, attempts, error);
	g_free(json);
	g_free(diff);
	return good;
}

/* 0; 1 = something fell below. */
static int mind_floor(const char *root, const GPtrArray *attempts, GError **error)
{
	char *path = g_build_filename(root, "floor.json", NULL);
	cJSON *floor = floor_read(path, error), *now = report_tree(attempts);
	guint fell = 0, raised = 0;
	if (floor && options.check)
		fell = floor_check(floor, now, stdout);
	if (floor && options.raise && (raised = floor_raise(floor, now)) && floor_write(path, floor, error))
		printf("%u entries of %s raised\n", raised, path);
	if (fell)
		printf("%u scores are below the floor\n", fell);
	cJSON_Delete(floor);
	cJSON_Delete(now);
	g_free(path);
	return fell > 0;
}

static int print_noise(const char *root, GError **error)
{
	static const char *const usual[] = {"mixed-day", "mixed-hour", NULL};
	bool far = false;
	const char *const *names = options.names ? (const char *const *)options.names : usual;
	puts("distances: mean of |start - start| s, jobs on other nodes, of the waits' means, medians and 90 % s, pairs in another order");
	for (; *names; names++) {
		guint beyond;
		if (!noise_print(stdout, root, *names, options.verbose, &beyond, error))
			return 2;
		far |= beyond > 0;
		if (beyond)
			printf("  beyond the noise in %u of %d\n", beyond, N_NOISE);
		else
			puts("  within the noise");
	}
	return options.check && far;
}

static int run(GError **error)
{
	const char *root = options.data ? options.data : "tests/conformance";
	if (options.noise)
		return print_noise(root, error);
	if (options.plain && (options.check || options.raise)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "the floor is that of runs without --plain");
		return 2;
	}
	GPtrArray *attempts = choose(root, error);
	if (!attempts)
		return 2;
	if (attempts->len == 0)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "no recorded scenario of that name");
	int status = attempts->len ? 0 : 2;
	if (attempts->len) {
		attempts_run(root, attempts, 2);
		report_table(stdout, attempts);
		if (options.verbose)
			report_differences(stdout, attempts);
		if (write_reports(attempts, error) && (options.check || options.raise))
			status = mind_floor(root, attempts, error);
	}
	g_ptr_array_unref(attempts);
	return status;
}

int main(int argc, char **argv)
{
	GError *error = NULL;
	GOptionContext *context = g_option_context_new(NULL);
	g_option_context_add_main_entries(context, entries, NULL);
	bool good = g_option_context_parse(context, &argc, &argv, &error);
	int status = good ? run(&error) : 2;
	g_option_context_free(context);
	if (error) {
		fprintf(stderr, "conformance: %s\n", error->message);
		g_error_free(error);
		status = 2;
	}
	g_strfreev(options.names);
	g_free(options.data);
	g_free(options.out);
	return status;
}
