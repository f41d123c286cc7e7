/* moments.c - see moments.h */
#include "tools/moments.h"
#include "models/accounting.h"
#include "scenarios/scenario_parts.h"
#include "scenarios/snapshot.h"
#include "sim/sim.h"
#include <glib/gstdio.h>
#include <string.h>

#define SCHEMA "whypend-moments/1"
#define LIST "moments.json"

bool moments_is_folder(const char *path)
{
	char *list = path ? g_build_filename(path, LIST, NULL) : NULL;
	bool is = list && g_file_test(list, G_FILE_TEST_IS_REGULAR);

	g_free(list);
	return is;
}

/* ---- the list ---- */

static char *hash_of(const char *path, GError **error)
{
	char *bytes, *hex;
	gsize n;

	if (!g_file_get_contents(path, &bytes, &n, error))
		return NULL;
	hex = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes, n);
	g_free(bytes);
	return hex;
}

static bool write_list(const struct session *s, const char *dir, GError **error)
{
	cJSON *o = cJSON_CreateObject(), *list;
	bool good = true;

	cJSON_AddStringToObject(o, "schema", SCHEMA);
	list = cJSON_AddArrayToObject(o, "inputs");
	for (guint i = 0; i < s->scenario->inputs->len && good; i++) {
		const struct scenario_input *in = s->scenario->inputs->pdata[i];
		char *path = g_canonicalize_filename(in->path, NULL), *hex = hash_of(path, error);
		cJSON *one = cJSON_CreateObject();
		good = hex != NULL;
		cJSON_AddStringToObject(one, "path", path);
		cJSON_AddStringToObject(one, "sha256", hex ? hex : "");
		cJSON_AddItemToArray(list, one);
		g_free(path);
		g_free(hex);
	}
	char *text = cJSON_Print(o), *path = g_build_filename(dir, LIST, NULL);
	good = good && g_file_set_contents(path, text, -1, error);
	g_free(path);
	cJSON_free(text);
	cJSON_Delete(o);
	return good;
}

/* Every input is still what it was. */
static bool check_list(const char *dir, GError **error)
{
	char *path = g_build_filename(dir, LIST, NULL), *text = NULL;
	cJSON *o = g_file_get_contents(path, &text, NULL, error) ? cJSON_Parse(text) : NULL;
	const cJSON *schema = cJSON_GetObjectItem(o, "schema"), *one;
	bool good = o && cJSON_IsString(schema) && strcmp(schema->valuestring, SCHEMA) == 0;

	if (!good && !(error && *error))
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: not a list of moments of this version", path);
	const cJSON *inputs = good ? cJSON_GetObjectItem(o, "inputs") : NULL;
	cJSON_ArrayForEach(one, inputs)
	{
		const cJSON *file = cJSON_GetObjectItem(one, "path"), *sum = cJSON_GetObjectItem(one, "sha256");
		char *hex = cJSON_IsString(file) ? hash_of(file->valuestring, error) : NULL;
		if (good && hex && (!cJSON_IsString(sum) || strcmp(sum->valuestring, hex) != 0))
			g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
			            "%s has changed since these moments were written; \"whypend moments\" writes them anew", file->valuestring);
		good = good && hex && cJSON_IsString(sum) && strcmp(sum->valuestring, hex) == 0;
		g_free(hex);
		if (!good)
			break;
	}
	if (!good && error && !*error)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: bad list of inputs", path);
	cJSON_Delete(o);
	g_free(text);
	g_free(path);
	return good;
}

bool moments_write(const struct session *s, const struct tool_options *options, const char *dir, bool first, GError **error)
{
	char *date = date_format(usec_to_sec(sim_now(s->sim)), NULL), *sub = g_build_filename(dir, date, NULL);
	bool good = g_mkdir_with_parents(sub, 0777) == 0 && (!first || write_list(s, dir, error)) &&
	            snapshot_write(s->scenario, s->sim, &options->scenario, sub, error);

	if (!good && error && !*error)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: cannot be made", sub);
	g_free(date);
	g_free(sub);
	return good;
}

/* ---- going on ---- */

/* The latest moment not after LIMIT; NULL = none. g_free. */
static char *latest(const char *dir, sec_t limit)
{
	GDir *d = g_dir_open(dir, 0, NULL);
	char *best = NULL;
	const char *name;
	sec_t t, at = 0;

	while (d && (name = g_dir_read_name(d)))
		if (date_parse(name, NULL, &t) && t <= limit && (!best || t > at)) {
			g_free(best);
			best = g_strdup(name);
			at = t;
		}
	if (d)
		g_dir_close(d);
	return best;
}

static int complain(const struct tool_options *options, GError *error)
{
	tool_complain(options->command, "%s", error->message);
	g_error_free(error);
	return EXIT_USAGE;
}

/* The configuration as it was, the jobs and what was to come: as a run that was not interrupted. */
static bool enter(struct session *s, const struct snapshot *snap, struct scenario *later, usec_t at, GError **error)
{
	struct sim_options so = snap->sim;
	guint left_out = 0;

	so.start = snap->at;
	so.until = at;
	so.at_submit = later->sim.at_submit;
	so.at_submit_data = later->sim.at_submit_data;
	snapshot_usage(snap, s->scenario->cluster);
	s->sim = sim_new(s->scenario->cluster, &so, NULL);
	sim_set_accounting(s->sim, accounting_command_by);
	snapshot_enter(snap, s->sim, NULL, NULL, &left_out, NULL);
	if (left_out)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%u jobs of the moment cannot be entered", left_out);
	return !left_out && snapshot_later_enter(snap, later, s->sim, error);
}

/* DIR's moment before AT. 1 = too near for MinJobAge: an earlier one is wanted. */
static int open_at(struct session *s, const struct tool_options *options, const char *sub, usec_t at)
{
	GError *error = NULL;
	struct snapshot *snap = snapshot_read(sub, &error);
	struct scenario_options so = {.conf = sub, .slurm_version = options->slurm_version};
	int code = EXIT_GOOD;

	s->later = snap ? snapshot_later_load(snap, &error) : NULL;
	if (snap && !s->later && !error)
		g_set_error(&error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: not a moment of a scenario", sub);
	so.slurm_version = s->later ? s->later->slurm_version : NULL;
	s->scenario = s->later ? scenario_load(&so, &error) : NULL;
	if (s->scenario && (at - snap->at) / USEC < s->scenario->cluster->params->min_job_age)
		code = -1;
	else if (s->scenario)
		enter(s, snap, s->later, at, &error);
	if (error)
		code = complain(options, error);
	snapshot_free(snap);
	return code;
}

int moments_open(struct session *s, const struct tool_options *options)
{
	const char *dir = options->scenario.path;
	GError *error = NULL;
	sec_t limit, now;
	int code = -1;

	if (!options->until || !date_parse(options->until, NULL, &now)) {
		tool_complain(options->command, "%s holds moments: give --at with a date, as 2026-01-20T12:00:00", dir);
		return EXIT_USAGE;
	}
	if (options->conf || options->trace || options->set || options->faults || options->accounting || options->clock ||
	    options->controller_cost || options->slurm_version || options->placement_model) {
		tool_complain(options->command, "%s holds moments of a run as it was: only --at can be given", dir);
		return EXIT_USAGE;
	}
	if (!check_list(dir, &error))
		return complain(options, error);
	limit = now - MOMENTS_AGE;
	while (code < 0) {
		char *name = latest(dir, limit), *sub = name ? g_build_filename(dir, name, NULL) : NULL;
		if (!name) {
			tool_complain(options->command, "%s: the first moment here is later than %s, or less than an hour before it", dir,
			              options->until);
			return EXIT_USAGE;
		}
		date_parse(name, NULL, &limit);
		limit--;
		code = open_at(s, options, sub, now * USEC);
		if (code < 0) {
			scenario_free(s->scenario);
			scenario_free(s->later);
			s->scenario = s->later = NULL;
		}
		g_free(sub);
		g_free(name);
	}
	return code;
}
