/* shell_type.c - what is typed as in Slurm, and saving it; see shell.h */
#include "sim/commands.h"
#include "tools/shell.h"
#include "traces/sbatch_line.h"
#include "traces/sbatch_words.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void typed_free(void *data)
{
	struct typed *t = data;

	g_free(t->user);
	g_free(t->line);
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
	g_clear_pointer(&sh->answer, g_free);
	sim_set_until(sh->session.sim, at);
	session_advance(&sh->session);
}

static void note(struct shell *sh, usec_t at, const char *line)
{
	struct typed *t = g_new0(struct typed, 1);

	*t = (struct typed){at, g_strdup(sh->user), g_strdup(line)};
	g_ptr_array_add(sh->typed, t);
}

/* scancel -i: which jobs are meant is asked one by one; those that are, as a line of their own. NULL = none. g_free. */
static char *ask(struct shell *sh, const struct command *cmd)
{
	GArray *ids = sim_scancel_matches(sh->session.sim, cmd);
	const struct scancel *o = cmd->scancel;
	GString *line = g_string_new("scancel");
	guint n = 0;

	if (o->signal >= 0)
		g_string_append_printf(line, " --signal=%d", o->signal);
	g_string_append_printf(line, "%s%s", o->batch ? " --batch" : "", o->full ? " --full" : "");
	for (int state = JOB_PENDING; state <= JOB_SUSPENDED; state++)
		if (o->states & 1U << state)
			g_string_append_printf(line, " --state=%s", job_state_name((enum job_state)state));
	for (guint i = 0; i < ids->len; i++) {
		const struct job *j = controller_find_job(sim_controller(sh->session.sim), g_array_index(ids, uint32_t, i));
		char *id = job_format_id(j), *said;
		printf("Cancel job_id=%s name=%s partition=%s [y/n]? ", id, j->name, j->part ? j->part->name : "");
		fflush(stdout);
		said = shell_read_answer();
		putchar('\n');
		bool yes = said && (*said == 'y' || *said == 'Y');
		if (yes) {
			g_string_append_printf(line, " %u", j->id);
			n++;
		}
		g_free(said);
		g_free(id);
	}
	g_array_unref(ids);
	return g_string_free(line, n == 0);
}

static bool run_command(struct shell *sh, const char *line);

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
	struct command *cmd = command_parse(line, sh->user, NULL);
	bool ok = true;

	if (cmd && cmd->scancel && cmd->scancel->interactive) {
		char *chosen = ask(sh, cmd);
		ok = !chosen || run_command(sh, chosen);
		g_free(chosen);
	} else {
		ok = run_command(sh, line);
	}
	command_free(cmd);
	return ok;
}

static bool run_command(struct shell *sh, const char *line)
{
	usec_t at = next_instant(sh);
	GError *error = NULL;

	if (!sim_add_command(sh->session.sim, at, line, sh->user, &error)) {
		char *before = g_strdup_printf("command \"%s\": ", line); /* it was just typed */
		shell_complain(sh, "%s", error->message + (g_str_has_prefix(error->message, before) ? strlen(before) : 0));
		g_free(before);
		g_error_free(error);
		return false;
	}
	happen(sh, at);
	/* a refused file would make the saved scenario unreadable */
	if (!sh->message || !(strstr(line, "reconfigure") || g_str_has_prefix(line, "restart")))
		note(sh, at, line);
	if (sh->answer)
		puts(sh->answer);
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

/* The command as it is saved: its script is found from anywhere. g_free. */
static char *saved_line(char **words, const struct sbatch_line *l)
{
	GString *text = g_string_new("sbatch");
	char *script = l->script ? g_canonicalize_filename(l->script, NULL) : NULL;

	for (char **w = words + 1; *w; w++) {
		bool is_script = script && strcmp(*w, l->script) == 0;
		char *quoted = g_shell_quote(is_script ? script : *w);
		g_string_append_printf(text, " %s", quoted);
		g_free(quoted);
	}
	g_free(script);
	return g_string_free(text, FALSE);
}

static void answer(const struct shell *sh, const struct sbatch_line *l)
{
	if (l->quiet)
		return;
	if (l->parsable)
		printf("%u%s%s\n", sh->answered, l->cluster ? ";" : "", l->cluster ? l->cluster : "");
	else if (l->cluster)
		printf("Submitted batch job %u on cluster %s\n", sh->answered, l->cluster);
	else
		printf("Submitted batch job %u\n", sh->answered);
}

static bool has_started(void *data, usec_t now)
{
	const struct job *j = data;

	(void)now;
	return j->state != JOB_PENDING;
}

/* sbatch --test-only: in a process of its own the job is put before all others, until it starts there. */
static void tell_start(struct shell *sh, struct submission *sub)
{
	usec_t now = sim_now(sh->session.sim);
	GError *error = NULL;
	struct job *j;

	sub->request->privileged = true;
	sub->request->priority = NO_VAL - 2;
	j = sim_submit_now(sh->session.sim, g_steal_pointer(&sub->request), &error);
	if (!j) {
		printf("allocation failure: %s\n", error->message);
		return;
	}
	uint32_t id = j->id;
	const struct sim_hooks hooks = {.instant = has_started, .data = j};
	sim_set_hooks(sh->session.sim, &hooks);
	sim_set_until(sh->session.sim, now + INT64_C(3660) * 86400 * USEC);
	session_advance(&sh->session);
	j = controller_find_job(sim_controller(sh->session.sim), id);
	if (!j || j->state == JOB_PENDING || !j->alloc) {
		enum reason why = j ? j->reason : REASON_NONE;
		printf("allocation failure: %s\n",
		       why == REASON_PARTITION_NODE_LIMIT   ? "Node count specification invalid"
		       : why == REASON_PARTITION_TIME_LIMIT ? "Requested time limit is invalid (missing or exceeds some limit)"
		       : why                     ? reason_name(why)
		                                 : "Requested node configuration is not available");
		return;
	}
	char *start = date_format(j->start, NULL), *nodes = cluster_format_nodes(sh->session.scenario->cluster, j->nodes);
	printf("sbatch: Job %u to start at %s%s using %u processors on nodes %s in partition %s\n", id, start,
	       sh->session.scenario->cluster->params->version == SLURM_22_05 ? "" : " a", j->alloc->cpus, nodes, j->part->name);
	g_free(start);
	g_free(nodes);
}

/* Nothing of this is left behind. */
static bool test_only(struct shell *sh, struct submission *sub)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0)
		return shell_complain(sh, "cannot fork: %s", g_strerror(errno));
	if (pid == 0) {
		tell_start(sh, sub);
		fflush(stdout);
		_exit(0);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return true;
}

bool shell_submit(struct shell *sh, const char *line)
{
	char **words = sbatch_words_split(line);
	GError *error = NULL;
	struct sbatch_line *l = sbatch_line_read((const char *const *)words + 1, NULL,
	                                          sh->session.scenario->cluster->params->version == SLURM_22_05, &error);
	usec_t at = next_instant(sh);
	bool ok = l != NULL;

	if (!ok) {
		shell_complain(sh, "sbatch: error: %s", error->message);
		g_error_free(error);
		g_strfreev(words);
		return false;
	}
	struct submission *sub = g_steal_pointer(&l->sub);
	if (!sub->request->user)
		sub->request->user = g_strdup(sh->user ? sh->user : "root");
	if (!sub->request->name)
		sub->request->name = g_strdup("sbatch");
	sub->request->privileged = strcmp(sub->request->user, "root") == 0;
	if (l->test_only) {
		ok = test_only(sh, sub);
		submission_free(sub);
	} else {
		char *text = saved_line(words, l);
		sub->at = at;
		sim_add_submission(sh->session.sim, sub);
		happen(sh, at);
		note(sh, at, text);
		if (sh->message)
			ok = shell_complain(sh, "sbatch: error: Batch job submission failed: %s", sh->message);
		else
			answer(sh, l);
		g_free(text);
	}
	sbatch_line_free(l);
	g_strfreev(words);
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
	cJSON_AddStringToObject(o, "cmd", t->line);
	if (t->user)
		cJSON_AddStringToObject(o, "user", t->user);
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
		cJSON_AddItemToArray(list_of(o, "events"), typed_json(sh, t));
	}
	text = cJSON_Print(o);
	line = g_strconcat(text, "\n", NULL);
	bool ok = g_file_set_contents(path, line, -1, &error);
	if (ok)
		printf("%s: %u lines typed, as %s\n", path, sh->typed->len,
		       whole ? "a scenario" : "events for a scenario (this one is not a scenario.json)");
	else
		shell_complain(sh, "%s", error->message);
	g_clear_error(&error);
	g_free(line);
	cJSON_free(text);
	cJSON_Delete(o);
	return ok;
}
