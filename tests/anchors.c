/*
 * anchors.c - the classical policies on known logs: FCFS and EASY must give the published waits, to the last digit.
 *
 *   anchors [--quick] BUILD        BUILD holds whypend; run from the repository's root
 *
 * The logs lie in ../shared and may not be given away, so that the comparison is left out where they are absent. Two of
 * them are made here from the raw log of the NASA machine: rigid jobs, submit times from 0, the requested time raised
 * to the run time where it is lower; jobs without run time or processors, or larger than the machine, are dropped.
 */
#include "traces/lines.h"
#include <cjson/cJSON.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARED "../shared/anchors"
#define NASA "../shared/traces/swf/NASA-iPSC-1993-3.1-cln.swf.gz"

struct anchor {
	const char *name;
	guint repeats; /* the NASA log so often, one after the other; 0 = a log of SHARED */
	bool quick;
	const char *mean[2]; /* FCFS, EASY; as printed with six decimals */
	const char *max[2];
};

static const struct anchor ANCHORS[] = {
    {"nasa", 1, true, {"8.081313", "4.066645"}, {"23753", "23753"}},
    {"theta6k", 0, true, {"79458.907500", "36185.983833"}, {"396110", "352320"}},
    {"theta24k", 0, false, {"162612.203756", "44663.777257"}, {"817634", "657662"}},
    {"lublin10k", 0, false, {"2388443.760100", "97155.994500"}, {"4759976", "1029731"}},
    {"nasa1m", 56, false, {"8.083270", "4.068602"}, {"23753", "23753"}},
};
static const char *const POLICIES[] = {"sched/builtin", "sched/easy"};

/* ---- making a log ---- */

enum { NASA_PROCS = 128, NASA_SHIFT = 7949000, FIELDS = 18 };
enum { F_SUBMIT = 1, F_RUN = 3, F_ALLOCATED = 4, F_PROCS = 7, F_REQUESTED = 8, F_USER = 11 };

struct rigid {
	gint64 submit, run, procs, requested, user;
	guint line;
};

static gint by_submit(gconstpointer a, gconstpointer b)
{
	const struct rigid *x = a, *y = b;
	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static bool rigid_read(char *text, struct rigid *job)
{
	gint64 f[FIELDS];
	char *save = NULL, *word = strtok_r(text, " \t", &save);

	if (!word || *word == ';')
		return false;
	for (int i = 0; i < FIELDS; i++) {
		f[i] = word ? (gint64)g_ascii_strtod(word, NULL) : -1;
		word = word ? strtok_r(NULL, " \t", &save) : NULL;
	}
	job->submit = f[F_SUBMIT];
	job->run = f[F_RUN];
	job->procs = f[F_PROCS] > 0 ? f[F_PROCS] : f[F_ALLOCATED];
	job->requested = MAX(f[F_REQUESTED], f[F_RUN]);
	job->user = f[F_USER] >= 0 ? f[F_USER] : 1;
	return job->run > 0 && job->procs > 0 && job->procs <= NASA_PROCS;
}

static GArray *rigid_jobs(const char *path, GError **error)
{
	struct lines *lines = lines_open(path, error);
	enum lines_result result;
	GArray *jobs;
	char *text;
	size_t length;

	if (!lines)
		return NULL;
	jobs = g_array_new(FALSE, FALSE, sizeof(struct rigid));
	while ((result = lines_next(lines, &text, &length, error)) == LINES_OK) {
		struct rigid job = {.line = jobs->len};
		if (rigid_read(text, &job))
			g_array_append_val(jobs, job);
	}
	lines_close(lines);
	if (result != LINES_END || jobs->len == 0) {
		if (error && !*error)
			g_set_error(error, LINES_ERROR, 0, "%s: no usable line", path);
		g_array_unref(jobs);
		return NULL;
	}
	g_array_sort(jobs, by_submit);
	return jobs;
}

static bool write_log(const char *path, const GArray *jobs, guint repeats, GError **error)
{
	FILE *out = fopen(path, "w");
	gint64 first = g_array_index(jobs, struct rigid, 0).submit;
	guint n = jobs->len * repeats, number = 0;
	bool good = out;

	if (out) {
		fprintf(out, "; Version: 2.2\n; UnixStartTime: 0\n; MaxJobs: %u\n; MaxRecords: %u\n", n, n);
		fprintf(out, "; MaxNodes: %d\n; MaxProcs: %d\n", NASA_PROCS, NASA_PROCS);
	}
	for (guint r = 0; good && r < repeats; r++) {
		for (guint i = 0; i < jobs->len; i++) {
			const struct rigid *j = &g_array_index(jobs, struct rigid, i);
			fprintf(out,
			        "%u %" G_GINT64_FORMAT " -1 %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
			        " -1 -1 %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " -1 1 %" G_GINT64_FORMAT
			        " 1 1 1 1 -1 -1\n",
			        ++number, j->submit - first + (gint64)r * NASA_SHIFT, j->run, j->procs, j->procs,
			        j->requested, j->user);
		}
	}
	if (out) {
		good = !ferror(out);
		good = fclose(out) == 0 && good;
	}
	if (!good)
		g_set_error(error, LINES_ERROR, 0, "%s: cannot be written", path);
	return good;
}

/* The path of the anchor's log. NULL and ERROR. */
static char *find_log(const struct anchor *a, const char *build, GError **error)
{
	char *path, *dir;
	GArray *jobs;
	bool good;

	if (a->repeats == 0)
		return g_strdup_printf(SHARED "/%s.swf.gz", a->name);
	jobs = rigid_jobs(NASA, error);
	if (!jobs)
		return NULL;
	dir = g_build_filename(build, "anchors", NULL);
	g_mkdir_with_parents(dir, 0777);
	path = g_strdup_printf("%s/%s.swf", dir, a->name);
	good = write_log(path, jobs, a->repeats, error);
	g_array_unref(jobs);
	g_free(dir);
	if (!good)
		g_clear_pointer(&path, g_free);
	return path;
}

/* ---- running and comparing ---- */

static double number_at(const cJSON *summary, const char *key)
{
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(summary, "wait"), "all");
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(all, key);
	return cJSON_IsNumber(value) ? value->valuedouble : -1;
}

/* Mean and longest wait under POLICY. False and ERROR when the run fails. */
static bool simulate(const char *build, const char *log, const char *policy, double *mean, double *max, GError **error)
{
	char *whypend = g_build_filename(build, "whypend", NULL);
	char *type = g_strdup_printf("SchedulerType=%s", policy);
	char *argv[] = {whypend,
	                (char *)"run",
	                (char *)"--trace",
	                (char *)log,
	                (char *)"--clock",
	                (char *)"ideal",
	                (char *)"--set",
	                type,
	                (char *)"--set",
	                (char *)"PriorityType=priority/basic",
	                (char *)"--set",
	                (char *)"MaxJobCount=10000000",
	                (char *)"--json",
	                (char *)"--quiet",
	                NULL};
	char *text = NULL;
	int status = 0;
	cJSON *summary = NULL;
	bool good = g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &text, NULL, &status, error) &&
	            g_spawn_check_wait_status(status, error);

	if (good) {
		summary = cJSON_Parse(text);
		*mean = number_at(summary, "mean");
		*max = number_at(summary, "max");
	}
	cJSON_Delete(summary);
	g_free(text);
	g_free(type);
	g_free(whypend);
	return good;
}

/* False when anything differs. */
static bool check_anchor(const struct anchor *a, const char *build, GError **error)
{
	char *log = find_log(a, build, error);
	bool same = log;

	if (log)
		printf("%-10s", a->name);
	for (gsize p = 0; log && p < G_N_ELEMENTS(POLICIES); p++) {
		double mean, max;
		char mean_text[64], max_text[64];

		if (!simulate(build, log, POLICIES[p], &mean, &max, error)) {
			same = false;
			break;
		}
		g_snprintf(mean_text, sizeof mean_text, "%.6f", mean);
		g_snprintf(max_text, sizeof max_text, "%.0f", max);
		bool equal = strcmp(mean_text, a->mean[p]) == 0 && strcmp(max_text, a->max[p]) == 0;
		printf(" %16s %9s %s", mean_text, max_text, equal ? "  " : "!=");
		fflush(stdout);
		if (!equal)
			printf(" (should be %s, %s)", a->mean[p], a->max[p]);
		same = same && equal;
	}
	if (log)
		putchar('\n');
	g_free(log);
	return same;
}

int main(int argc, char **argv)
{
	bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
	const char *build = argc > 1 + quick ? argv[1 + quick] : "build";
	int differ = 0, n = 0;

	if (g_access(SHARED, R_OK) != 0 || g_access(NASA, R_OK) != 0) {
		puts("SKIPPED anchors: " SHARED " is absent");
		return 0;
	}
	printf("%-10s %16s %9s    %16s %9s\n", "log", "FCFS mean wait s", "max", "EASY mean wait s", "max");
	for (gsize i = 0; i < G_N_ELEMENTS(ANCHORS); i++) {
		GError *error = NULL;
		bool good;

		if (quick && !ANCHORS[i].quick)
			continue;
		good = check_anchor(&ANCHORS[i], build, &error);
		if (error)
			printf("# %s: %s\n", ANCHORS[i].name, error->message);
		g_clear_error(&error);
		differ += !good;
		printf("%s %d - %s under FCFS and EASY\n", good ? "ok" : "not ok", ++n, ANCHORS[i].name);
	}
	return differ ? EXIT_FAILURE : EXIT_SUCCESS;
}
