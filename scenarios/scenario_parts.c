/* scenario_parts.c - see scenario_parts.h. */
#include "scenarios/scenario_parts.h"
#include "models/conflex.h"
#include "models/suggest.h"
#include "sim/commands.h"
#include "traces/jsonl.h"
#include "traces/sbatch_line.h"
#include <math.h>
#include <string.h>

#define SECONDS_MAX 1e11

/* ---- times ---- */

static bool seconds_after(usec_t start, double seconds, usec_t *out)
{
	if (!isfinite(seconds) || fabs(seconds) > SECONDS_MAX)
		return false;
	*out = start + llround(seconds * 1e6);
	return true;
}

bool scenario_parse_time(const char *text, usec_t start, usec_t *out)
{
	int64_t seconds;
	sec_t date;
	char *end;

	if (!g_ascii_isdigit(*text))
		return false;
	if (text[strspn(text, "0123456789.")] == '\0') {
		double number = g_ascii_strtod(text, &end);

		return *end == '\0' && seconds_after(start, number, out);
	}
	if (strspn(text, "0123456789") >= 4 && date_parse(text, NULL, &date) && llabs(date) < (int64_t)SECONDS_MAX) {
		*out = date * USEC;
		return true;
	}
	return duration_parse_seconds(text, &seconds) && seconds >= 0 && seconds_after(start, (double)seconds, out);
}

/* ---- jobs ---- */

/* "T0+25 %H:%M:%S" -> "12:00:25". NULL: not of this form, or not to be printed so. */
static char *resolve_t0(const char *text, usec_t start)
{
	GDateTime *date;
	char *end, *printed;
	gint64 offset;

	if (!g_str_has_prefix(text, "T0") || (text[2] != '+' && text[2] != '-'))
		return NULL;
	offset = g_ascii_strtoll(text + 2, &end, 10);
	if (*end != ' ' || !end[1] || offset > (gint64)SECONDS_MAX || offset < -(gint64)SECONDS_MAX)
		return NULL;
	date = g_date_time_new_from_unix_utc(usec_to_sec(start) + offset);
	printed = date ? g_date_time_format(date, end + 1) : NULL;
	if (date)
		g_date_time_unref(date);
	return printed;
}

/* JOB, or a copy of it with T0 in times resolved; the caller deletes the copy. */
static cJSON *with_times_resolved(const cJSON *job, usec_t start)
{
	static const char *const KEYS[] = {"begin", "deadline"};
	cJSON *copy = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(KEYS); i++) {
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(job, KEYS[i]);
		char *text = cJSON_IsString(item) ? resolve_t0(item->valuestring, start) : NULL;

		if (text && !copy)
			copy = cJSON_Duplicate(job, true);
		if (text)
			cJSON_ReplaceItemInObjectCaseSensitive(copy, KEYS[i], cJSON_CreateString(text));
		g_free(text);
	}
	return copy;
}

/* The member of JOB that MESSAGE begins with ("\"key\": ..."), or JOB. */
static const cJSON *blamed(const cJSON *job, const char *message)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, job)
	{
		size_t n = strlen(item->string);

		if (message[0] == '"' && strncmp(message + 1, item->string, n) == 0 && message[n + 1] == '"')
			return item;
	}
	return job;
}

static void job_error(const struct json_text *t, const cJSON *job, enum scenario_kind kind, const GError *problem,
                      struct diag *diag)
{
	const cJSON *item = blamed(job, problem->message);
	guint line, column;

	if (kind == SCENARIO_RECORD && g_error_matches(problem, REQUEST_ERROR, problem->code)) {
		json_text_locate(t, item, &line, &column);
		diag_warn(diag, t->path, line, column, "sbatch refuses it, so this job is left out", "%s",
		          problem->message);
		return;
	}
	json_text_error(t, item, diag, NULL, "%s", problem->message);
}

/* "script" that is no text of a script is a file beside the scenario: its text takes its place in *COPY. */
static bool put_script(const struct json_text *t, cJSON **copy, const cJSON *job, GError **error)
{
	const char *script = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(job, "script"));
	char *dir, *path, *text = NULL;
	gsize length = 0;
	bool ok;

	if (!script || g_str_has_prefix(script, "#!"))
		return true;
	dir = g_path_get_dirname(t->path);
	path = g_path_is_absolute(script) ? g_strdup(script) : g_build_filename(dir, script, NULL);
	ok = g_file_test(path, G_FILE_TEST_IS_REGULAR) && g_file_get_contents(path, &text, &length, NULL);
	if (!ok)
		g_set_error(error, JSONL_ERROR, 0, "\"script\": Unable to open file %s", script);
	else if (length > 4 * 1024 * 1024 || strlen(text) != length) {
		g_set_error(error, JSONL_ERROR, 0, "\"script\": %s is no batch script", script);
		ok = false;
	}
	if (ok) {
		if (!*copy)
			*copy = cJSON_Duplicate(job, true);
		cJSON_ReplaceItemInObjectCaseSensitive(*copy, "script", cJSON_CreateString(text));
	}
	g_free(text);
	g_free(path);
	g_free(dir);
	return ok;
}

static void read_job(const struct json_text *t, const cJSON *job, enum scenario_kind kind, usec_t start, GPtrArray *out,
                     struct diag *diag)
{
	struct submission *sub;
	GError *problem = NULL;
	cJSON *copy;

	copy = kind == SCENARIO_RECORD ? with_times_resolved(job, start) : NULL;
	sub = put_script(t, &copy, job, &problem) ? submission_from_json(copy ? copy : job, &problem) : NULL;
	cJSON_Delete(copy);
	if (!sub) {
		job_error(t, job, kind, problem, diag);
		g_error_free(problem);
		return;
	}
	sub->at += start;
	g_ptr_array_add(out, sub);
}

static int compare_submissions(const void *a, const void *b)
{
	const struct submission *x = *(struct submission *const *)a, *y = *(struct submission *const *)b;

	return (x->at > y->at) - (x->at < y->at);
}

void scenario_read_jobs(const struct json_text *t, const cJSON *jobs, enum scenario_kind kind, usec_t start,
                        GPtrArray *out, struct diag *diag)
{
	const cJSON *job;

	cJSON_ArrayForEach(job, jobs) read_job(t, job, kind, start, out, diag);
	g_ptr_array_sort(out, compare_submissions); /* stable: equal times stay in file order */
}

/* ---- events ---- */

void scenario_event_free(void *event)
{
	struct scenario_event *e = event;

	g_free(e->command);
	g_free(e->user);
	g_free(e);
}

/* A command given as one text, or as a list of words; NULL when it is neither. g_free. */
static char *command_text(const cJSON *cmd)
{
	GString *text;
	const cJSON *word;

	if (cJSON_IsString(cmd) && *cmd->valuestring)
		return g_strdup(cmd->valuestring);
	if (!cJSON_IsArray(cmd) || !cmd->child)
		return NULL;
	text = g_string_new(NULL);
	cJSON_ArrayForEach(word, cmd)
	{
		char *quoted;

		if (!cJSON_IsString(word)) {
			g_string_free(text, TRUE);
			return NULL;
		}
		quoted = strpbrk(word->valuestring, " \t\n'\"\\") ? g_shell_quote(word->valuestring)
		                                                  : g_strdup(word->valuestring);
		g_string_append_printf(text, "%s%s", text->len ? " " : "", quoted);
		g_free(quoted);
	}
	return g_string_free(text, FALSE);
}

/* WORDS as a submission by USER. */
static void add_sbatch(const struct json_text *t, const cJSON *item, usec_t at, char **words, const char *user,
                       bool v22, GPtrArray *out, struct diag *diag)
{
	GError *problem = NULL;
	char *dir = g_path_get_dirname(t->path);
	struct sbatch_line *l = sbatch_line_read((const char *const *)words + 1, dir, v22, &problem);

	g_free(dir);
	if (!l) {
		json_text_error(t, item, diag, NULL, "sbatch: %s", problem->message);
		g_error_free(problem);
		return;
	}
	if (!l->test_only) {
		struct submission *sub = g_steal_pointer(&l->sub);
		if (!sub->request->user)
			sub->request->user = g_strdup(user ? user : "root");
		if (!sub->request->name)
			sub->request->name = g_strdup("sbatch");
		sub->request->privileged = strcmp(sub->request->user, "root") == 0;
		sub->at = at;
		g_ptr_array_add(out, sub);
	}
	sbatch_line_free(l);
}

/* NULL: the command is none of sbatch. g_strfreev. */
static char **sbatch_words(const char *command)
{
	char **words = NULL;

	if (!g_shell_parse_argv(command, NULL, &words, NULL))
		return NULL;
	char *base = g_path_get_basename(words[0]);
	bool is = strcmp(base, "sbatch") == 0;
	g_free(base);
	if (!is)
		g_clear_pointer(&words, g_strfreev);
	return words;
}

static void add_event(const struct json_text *t, const cJSON *item, usec_t at, const char *command, const char *user,
                      GPtrArray *out, struct diag *diag)
{
	GError *problem = NULL;
	struct command *parsed = command_parse(command, user, &problem);
	struct scenario_event *e;

	if (!parsed) {
		json_text_error(t, item, diag, NULL, "%s", problem->message);
		g_error_free(problem);
		return;
	}
	bool asks = parsed->scancel && parsed->scancel->interactive;
	command_free(parsed);
	if (asks) {
		json_text_error(t, item, diag, "leave -i out, or type it in whypend shell", "scancel -i asks, and nobody is there to answer");
		return;
	}
	e = g_new0(struct scenario_event, 1);
	e->at = at;
	e->command = g_strdup(command);
	e->user = g_strdup(user);
	g_ptr_array_add(out, e);
}

static bool event_keys_ok(const struct json_text *t, const cJSON *event, struct diag *diag)
{
	const cJSON *item;

	if (!cJSON_IsObject(event)) {
		json_text_error(t, event, diag, "write {\"at\": 5, \"cmd\": \"scontrol hold @name\"}",
		                "an event is an object");
		return false;
	}
	cJSON_ArrayForEach(item, event)
	{
		if (strcmp(item->string, "at") && strcmp(item->string, "cmd") && strcmp(item->string, "view") && strcmp(item->string, "user")) {
			char *shown = conflex_show(item->string);

			json_text_error(t, item, diag, "an event has at, cmd and user, or at and view", "unknown key \"%s\"", shown);
			g_free(shown);
			return false;
		}
	}
	return true;
}

const char *const scenario_view_names[] = {"squeue", "sinfo",    "sacct",  "sprio", "sshare",           "sdiag",   "scontrol",
                                           "seff",   "sacctmgr", "limits", "node",  "explain-priority", "reasons", NULL};

/* Of scontrol only show looks. */
static bool looks(char **words)
{
	char **w = words + 1;

	if (!g_strv_contains(scenario_view_names, words[0]) || strcmp(words[0], "scontrol") != 0)
		return g_strv_contains(scenario_view_names, words[0]);
	while (*w && (*w)[0] == '-')
		w++;
	return *w && g_ascii_strcasecmp(*w, "show") == 0;
}

static void add_view(const struct json_text *t, const cJSON *item, usec_t at, GPtrArray *views, struct diag *diag)
{
	char **words = NULL, *text = command_text(item);

	if (!text || !g_shell_parse_argv(text, NULL, &words, NULL) || !looks(words)) {
		char *known = g_strjoinv(", ", (char **)(uintptr_t)scenario_view_names);
		json_text_error(t, item, diag, known, "a view is a command that looks, as \"squeue -l\"");
		g_free(known);
	} else {
		struct scenario_event *e = g_new0(struct scenario_event, 1);
		e->at = at;
		e->command = g_strdup(text);
		g_ptr_array_add(views, e);
	}
	g_strfreev(words);
	g_free(text);
}

static void read_event(const struct json_text *t, const cJSON *event, usec_t start, GPtrArray *out, GPtrArray *views,
                       GPtrArray *submissions, bool v22, struct diag *diag)
{
	const cJSON *at = cJSON_GetObjectItemCaseSensitive(event, "at"),
	            *user = cJSON_GetObjectItemCaseSensitive(event, "user"),
	            *cmd = cJSON_GetObjectItemCaseSensitive(event, "cmd"),
	            *view = cJSON_GetObjectItemCaseSensitive(event, "view");
	char *command;
	usec_t t_at;

	if (!event_keys_ok(t, event, diag))
		return;
	if (!cJSON_IsNumber(at) || at->valuedouble < 0 || !seconds_after(start, at->valuedouble, &t_at)) {
		json_text_error(t, at ? at : event, diag, "write seconds after the start, 0 or more: \"at\": 5",
		                at ? "bad value of \"at\"" : "the event has no \"at\"");
		return;
	}
	if (user && (!cJSON_IsString(user) || !*user->valuestring)) {
		json_text_error(t, user, diag, "write a user's name, or leave it out for root",
		                "bad value of \"user\"");
		return;
	}
	if (view) {
		if (cmd || user)
			json_text_error(t, view, diag, "write two events", "an event with \"view\" has neither cmd nor user");
		else
			add_view(t, view, t_at, views, diag);
		return;
	}
	command = command_text(cmd);
	char **words = command ? sbatch_words(command) : NULL;
	if (words)
		add_sbatch(t, cmd, t_at, words, user ? user->valuestring : NULL, v22, submissions, diag);
	else if (!command)
		json_text_error(t, cmd ? cmd : event, diag, "write \"cmd\": \"scontrol hold @name\"",
		                cmd ? "bad value of \"cmd\"" : "the event has no \"cmd\"");
	else
		add_event(t, cmd, t_at, command, user ? user->valuestring : NULL, out, diag);
	g_strfreev(words);
	g_free(command);
}

static int compare_events(const void *a, const void *b)
{
	const struct scenario_event *x = *(struct scenario_event *const *)a, *y = *(struct scenario_event *const *)b;

	return (x->at > y->at) - (x->at < y->at);
}

void scenario_read_events(const struct json_text *t, const cJSON *events, usec_t start, GPtrArray *out, GPtrArray *views,
                          GPtrArray *submissions, bool v22, struct diag *diag)
{
	const cJSON *event;

	cJSON_ArrayForEach(event, events) read_event(t, event, start, out, views, submissions, v22, diag);
	g_ptr_array_sort(out, compare_events);
	g_ptr_array_sort(views, compare_events);
	g_ptr_array_sort(submissions, compare_submissions);
}

void scenario_read_setup(const struct json_text *t, const cJSON *setup, usec_t start, GPtrArray *out, struct diag *diag)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, setup)
	{
		char *command = command_text(item);

		if (command)
			add_event(t, item, start, command, NULL, out, diag);
		else
			json_text_error(t, item, diag, "write commands in quotes", "bad entry in \"setup\"");
		g_free(command);
	}
}

/* ---- settings and plain lists ---- */

void scenario_read_set(const struct json_text *t, const cJSON *set, GPtrArray *out, struct diag *diag)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, set)
	{
		if (cJSON_IsString(item) && *item->string && !strchr(item->string, '='))
			g_ptr_array_add(out, g_strdup_printf("%s=%s", item->string, item->valuestring));
		else if (cJSON_IsNumber(item) && *item->string && !strchr(item->string, '=')) {
			char *number = cJSON_PrintUnformatted(item);

			g_ptr_array_add(out, g_strdup_printf("%s=%s", item->string, number));
			cJSON_free(number);
		} else {
			json_text_error(t, item, diag, "write \"PriorityWeightAge\": \"1000\"",
			                "bad setting in \"set\"");
		}
	}
}

void scenario_read_names(const struct json_text *t, const cJSON *names, GPtrArray *out, struct diag *diag)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, names)
	{
		if (cJSON_IsString(item) && *item->valuestring)
			g_ptr_array_add(out, g_strdup(item->valuestring));
		else
			json_text_error(t, item, diag, "write names in quotes", "bad entry in a list of names");
	}
}

double *scenario_read_seconds(const struct json_text *t, const cJSON *list, guint *n, struct diag *diag)
{
	double *out = g_new0(double, (gsize)cJSON_GetArraySize(list) + 1);
	const cJSON *item;
	usec_t ignored;

	*n = 0;
	cJSON_ArrayForEach(item, list)
	{
		if (cJSON_IsNumber(item) && seconds_after(0, item->valuedouble, &ignored))
			out[(*n)++] = item->valuedouble;
		else
			json_text_error(t, item, diag, "write seconds after the start", "bad entry in a list of times");
	}
	return out;
}
