/* shell_type.c - what is typed as in Slurm, and saving it; see shell.h */
#include "tools/shell.h"
#include "traces/sbatch_words.h"
#include "traces/workload.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

void typed_free(void *data)
{
	struct typed *t = data;

	g_free(t->user);
	g_free(t->line);
	g_free(t->label);
	g_free(t);
}

/* The instant at which what is typed happens: after all of the stop's own. */
static usec_t next_instant(const struct shell *sh)
{
	return sim_now(sh->session.sim) + 1;
}

static void happen(struct shell *sh, usec_t at)
{
	g_clear_pointer(&sh->message, g_free);
	sim_set_until(sh->session.sim, at);
	session_advance(&sh->session);
}

static void note(struct shell *sh, usec_t at, const char *line, double run, const char *label)
{
	struct typed *t = g_new0(struct typed, 1);

	*t = (struct typed){at, g_strdup(sh->user), g_strdup(line), run, g_strdup(label)};
	g_ptr_array_add(sh->typed, t);
}

/* A file named by "scontrol reconfigure FILE" or "restart FILE" counts from here where there is such a one, else from the scenario's folder; in what is
 * saved it is found from anywhere. g_free. */
static char *with_whole_path(const char *line)
{
	char **words = NULL, *out = NULL;
	int n = 0;

	if (!g_shell_parse_argv(line, &n, &words, NULL))
		return g_strdup(line);
	int at = n == 3 && strcmp(words[0], "scontrol") == 0 && g_ascii_strcasecmp(words[1], "reconfigure") == 0 ? 2
	         : n == 2 && strcmp(words[0], "restart") == 0                                                ? 1
	                                                                                                     : 0;
	if (at && g_file_test(words[at], G_FILE_TEST_IS_REGULAR)) {
		char *full = g_canonicalize_filename(words[at], NULL), *quoted = g_shell_quote(full);
		out = g_strdup_printf("%s %s", at == 2 ? "scontrol reconfigure" : "restart", strpbrk(full, " \t'\"\\") ? quoted : full);
		g_free(quoted);
		g_free(full);
	}
	g_strfreev(words);
	return out ? out : g_strdup(line);
}

static bool give_command(struct shell *sh, const char *line)
{
	usec_t at = next_instant(sh);
	GError *error = NULL;

	if (!sim_add_command(sh->session.sim, at, line, sh->user, &error)) {
		shell_complain(sh, "%s", error->message);
		g_error_free(error);
		return false;
	}
	happen(sh, at);
	/* a refused file would make the saved scenario unreadable */
	if (!sh->message || !(strstr(line, "reconfigure") || g_str_has_prefix(line, "restart")))
		note(sh, at, line, -1, NULL);
	return !sh->message || shell_complain(sh, "%s", sh->message);
}

bool shell_command(struct shell *sh, const char *line)
{
	char *whole = with_whole_path(line);
	bool ok = give_command(sh, whole);

	g_free(whole);
	return ok;
}

/* ---- sbatch ---- */

/* "sleep 600" in a wrapped command. */
static double seconds_of(const char *wrap)
{
	const char *p = wrap ? strstr(wrap, "sleep ") : NULL;

	return p ? g_ascii_strtod(p + 6, NULL) : -1;
}

static char *take_value(char **words, guint *i, const char *option)
{
	size_t n = strlen(option);

	if (strncmp(words[*i], option, n) != 0)
		return NULL;
	if (words[*i][n] == '=')
		return words[*i] + n + 1;
	return words[*i][n] == '\0' && words[*i + 1] ? words[++*i] : NULL;
}

/* Takes --wrap and --run out of WORDS and leaves out a script at the end. Seconds; < 0 = not told. False: --run is bad.
 */
static bool take_own(char **words, GPtrArray *rest, double *run)
{
	double by_wrap = -1;
	usec_t span;

	*run = -1;
	for (guint i = 0; words[i]; i++) {
		guint at = i;
		char *value = take_value(words, &i, "--run");

		if (value) {
			guint64 n;
			if (g_ascii_string_to_unsigned(value, 10, 0, G_MAXUINT32, &n, NULL))
				*run = (double)n;
			else if (duration_parse_elapsed(value, &span))
				*run = (double)span / 1e6;
			else
				return false;
			continue;
		}
		value = take_value(words, &i, "--wrap");
		if (value) {
			by_wrap = seconds_of(value);
			continue;
		}
		i = at;
		g_ptr_array_add(rest, words[i]);
	}
	if (*run < 0)
		*run = by_wrap;
	/* the script: a last word that is no option and belongs to none */
	if (rest->len && ((char *)rest->pdata[rest->len - 1])[0] != '-' &&
	    g_str_has_suffix(rest->pdata[rest->len - 1], ".sh"))
		g_ptr_array_set_size(rest, (gint)rest->len - 1);
	return true;
}

/* Up to the limit when nothing tells; without a limit a day. */
static double default_run(const struct job_request *r)
{
	return r->time_limit < NO_VAL ? r->time_limit * 60.0 : 86400;
}

static struct submission *read_submission(struct shell *sh, const char *line, char **rest_text)
{
	char **words = sbatch_words_split(line);
	GPtrArray *rest = g_ptr_array_new();
	struct submission *sub = submission_new();
	GError *error = NULL;
	double run;

	bool good = take_own(words + 1, rest, &run);
	*rest_text = NULL;
	g_ptr_array_add(rest, NULL);
	if (!good)
		shell_complain(sh, "--run: write seconds, 10:00 or 1:00:00");
	else if (!sbatch_words_apply(sub->request, (const char *const *)rest->pdata, true, NULL, &error))
		shell_complain(sh, "sbatch: error: %s", error->message);
	if (!good || error) {
		g_clear_error(&error);
		submission_free(sub);
		sub = NULL;
	} else {
		GString *text = g_string_new(NULL);
		for (guint i = 0; i + 1 < rest->len; i++) {
			char *quoted = g_shell_quote(rest->pdata[i]);
			g_string_append_printf(text, "%s%s", i ? " " : "", quoted);
			g_free(quoted);
		}
		*rest_text = g_string_free(text, FALSE);
		if (!sub->request->user)
			sub->request->user = g_strdup(sh->user ? sh->user : "root");
		sub->request->privileged = strcmp(sub->request->user, "root") == 0;
		sub->outcome.run_time = (usec_t)((run < 0 ? default_run(sub->request) : run) * 1e6);
	}
	g_ptr_array_unref(rest);
	g_strfreev(words);
	return sub;
}

bool shell_submit(struct shell *sh, const char *line)
{
	char *text, *label = g_strdup_printf("typed-%u", sh->typed->len + 1);
	struct submission *sub = read_submission(sh, line, &text);
	usec_t at = next_instant(sh);
	bool ok = sub != NULL;

	if (ok) {
		if (sub->request->name) { /* its name is its label, as in a scenario */
			g_free(label);
			label = g_strdup(sub->request->name);
		}
		double run = (double)sub->outcome.run_time / 1e6;
		if (!sub->request->name)
			sub->request->name = g_strdup(label);
		sub->label = g_strdup(label);
		sub->at = at;
		sim_add_submission(sh->session.sim, sub);
		happen(sh, at);
		note(sh, at, text, run, label);
		if (sh->message)
			ok = shell_complain(sh, "sbatch: error: Batch job submission failed: %s", sh->message);
		else
			printf("Submitted batch job %u\n", sh->answered);
	}
	g_free(text);
	g_free(label);
	return ok;
}

/* ---- saving ---- */

static void add_seconds(cJSON *o, const struct shell *sh, usec_t at)
{
	char text[40];

	g_snprintf(text, sizeof text, "%.6f", (double)(at - sh->session.scenario->sim.start) / 1e6);
	cJSON_AddRawToObject(o, "at", text);
}

static cJSON *typed_json(const struct shell *sh, const struct typed *t)
{
	cJSON *o = cJSON_CreateObject();

	add_seconds(o, sh, t->at);
	if (t->run < 0) {
		cJSON_AddStringToObject(o, "cmd", t->line);
		if (t->user)
			cJSON_AddStringToObject(o, "user", t->user);
		return o;
	}
	cJSON_AddStringToObject(o, "name", t->label);
	cJSON_AddStringToObject(o, "user", t->user ? t->user : "root");
	cJSON_AddNumberToObject(o, "run", t->run);
	char **words = sbatch_words_split(t->line);
	cJSON *list = cJSON_AddArrayToObject(o, "extra");
	for (char **w = words; *w; w++)
		cJSON_AddItemToArray(list, cJSON_CreateString(*w));
	g_strfreev(words);
	return o;
}

/* The scenario's own file, with paths that hold from anywhere; a fresh object when there is none. */
static cJSON *base_json(const struct shell *sh, bool *whole)
{
	const GPtrArray *inputs = sh->session.scenario->inputs;
	cJSON *o = NULL;

	*whole = false;
	for (guint i = 0; i < inputs->len; i++) {
		const struct scenario_input *in = inputs->pdata[i];
		char *text = NULL;
		if (strcmp(in->role, "scenario") != 0 || g_str_has_suffix(in->path, "jobs.json") ||
		    !g_file_get_contents(in->path, &text, NULL, NULL))
			continue;
		o = cJSON_Parse(text);
		g_free(text);
	}
	if (!o || !sh->options->scenario.path)
		return o ? o : cJSON_CreateObject();
	*whole = true;
	for (guint i = 0; i < inputs->len; i++) {
		const struct scenario_input *in = inputs->pdata[i];
		char *full = g_canonicalize_filename(in->path, NULL);
		cJSON *trace = cJSON_GetObjectItem(o, "trace");
		if (strcmp(in->role, "trace") == 0 && cJSON_IsObject(trace))
			cJSON_ReplaceItemInObject(trace, "file", cJSON_CreateString(full));
		else if (cJSON_GetObjectItem(o, in->role) && cJSON_IsString(cJSON_GetObjectItem(o, in->role)))
			cJSON_ReplaceItemInObject(o, in->role, cJSON_CreateString(full));
		g_free(full);
	}
	return o;
}

static cJSON *list_of(cJSON *o, const char *key)
{
	cJSON *list = cJSON_GetObjectItem(o, key);

	return list ? list : cJSON_AddArrayToObject(o, key);
}

bool shell_save(struct shell *sh, const char *path)
{
	GError *error = NULL;
	bool whole;
	cJSON *o = base_json(sh, &whole);
	char *text, *line;

	for (guint i = 0; i < sh->typed->len; i++) {
		const struct typed *t = sh->typed->pdata[i];
		cJSON_AddItemToArray(list_of(o, t->run < 0 ? "events" : "jobs"), typed_json(sh, t));
	}
	text = cJSON_Print(o);
	line = g_strconcat(text, "\n", NULL);
	bool ok = g_file_set_contents(path, line, -1, &error);
	if (ok)
		printf("%s: %u lines typed, as %s\n", path, sh->typed->len,
		       whole ? "a scenario" : "events and jobs for a scenario (this one is not a scenario.json)");
	else
		shell_complain(sh, "%s", error->message);
	g_clear_error(&error);
	g_free(line);
	cJSON_free(text);
	cJSON_Delete(o);
	return ok;
}
