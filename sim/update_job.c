/* update_job.c - scontrol update job=, jobname= and step=; see commands.h. What a setting does: sched/update_job.h */
#include "sim/run.h"
#include <string.h>

/* The settings of CMD as the controller takes them, labels of a dependency in numbers. g_array_unref; NULL and ERROR. */
static GArray *settings(const struct sim *s, const struct command *cmd, GPtrArray *texts, GError **error)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct job_setting));
	for (guint i = 0; i < cmd->pairs->len; i++) {
		const struct command_pair *p = cmd->pairs->pdata[i];
		struct job_setting set = {p->word, p->value};
		if (set.value && strcmp(p->key, "dependency") == 0 && strchr(set.value, '@')) {
			char *resolved = sim_resolve_dependency(s, set.value, error);
			if (!resolved) {
				g_array_unref(list);
				return NULL;
			}
			g_ptr_array_add(texts, resolved);
			set.value = resolved;
		}
		g_array_append_val(list, set);
	}
	return list;
}

/* What is told of one job names it; what is told of the line or of tasks stands for itself (recorded). */
static void tell(struct sim *s, const struct command *cmd, uint32_t id, const GError *why)
{
	bool of_job = !g_error_matches(why, SUBMIT_ERROR, UPDATE_LINE) && !g_error_matches(why, SUBMIT_ERROR, UPDATE_TASKS);
	char *text = of_job ? g_strdup_printf("%s for job %u", why->message, id) : g_strdup(why->message);
	record_command(s, cmd, text);
	g_free(text);
}

/* False: scontrol finds the line itself wrong, and goes to no other job. */
static bool update_one(struct sim *s, const struct command *cmd, const struct target *t, const GArray *set)
{
	GError *why = NULL;
	struct job *j = t->task == NO_VAL ? t->job : sim_task_record(s, t->id, t->task); /* C26: from now on it has values of its own */
	const char *user = sim_is_operator(s, cmd->user) ? NULL : j->user; /* a coordinator acts as the owner */
	bool go_on = true;
	if (!sim_may_change(s, cmd->user, j)) {
		g_set_error_literal(&why, SUBMIT_ERROR, UPDATE_JOB, "Invalid user id");
	} else if (!controller_update_job_set(s->c, j, t->task != NO_VAL, user, (const struct job_setting *)(void *)set->data, set->len, s->now, &why)) {
		go_on = !g_error_matches(why, SUBMIT_ERROR, UPDATE_LINE);
	}
	if (why)
		tell(s, cmd, t->task == NO_VAL ? t->id : j->id, why);
	g_clear_error(&why);
	sim_job_arm(s, j);
	return go_on;
}

static void update_named(struct sim *s, const struct command *cmd, const GArray *set)
{
	for (guint i = 0; i < cmd->jobs->len; i++) {
		struct target t = {.job = NULL};
		GError *why = NULL;
		if (!sim_find_target(s, cmd->jobs->pdata[i], &t, &why)) {
			record_command(s, cmd, why->message);
			g_clear_error(&why);
		} else if (!update_one(s, cmd, &t, set)) {
			return;
		}
	}
}

static bool wanted(const struct command *cmd, const struct job *j)
{
	const char *user = command_value(cmd, "userid");
	bool first = !j->array || j->tasks || j->id == j->array->job_id; /* an array once */
	return first && !job_is_finished(j) && g_strcmp0(j->name, cmd->name) == 0 && (!user || strcmp(user, j->user) == 0);
}

static void update_by_name(struct sim *s, const struct command *cmd, const GArray *set)
{
	GArray *ids = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (uint32_t i = 0; i < controller_n_jobs(s->c); i++) {
		const struct job *j = controller_job(s->c, i);
		if (j && wanted(cmd, j))
			g_array_append_val(ids, j->id);
	}
	bool go_on = true;
	for (guint i = 0; i < ids->len && go_on; i++) {
		uint32_t id = g_array_index(ids, uint32_t, i);
		struct target t = {.id = id, .task = NO_VAL, .job = controller_find_job(s->c, id)};
		go_on = !t.job || update_one(s, cmd, &t, set);
	}
	if (!ids->len) {
		char *text = g_strdup_printf("scontrol: error: No jobs with name '%s'", cmd->name);
		record_command(s, cmd, text);
		g_free(text);
	}
	g_array_unref(ids);
}

void sim_update_jobs(struct sim *s, const struct command *cmd)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	GError *why = NULL;
	GArray *set = settings(s, cmd, texts, &why);
	if (set && !controller_check_job_update(NULL, (const struct job_setting *)(void *)set->data, set->len, s->now, &why))
		record_command(s, cmd, why->message);
	else if (!set)
		record_command(s, cmd, why->message);
	else if (cmd->name)
		update_by_name(s, cmd, set);
	else
		update_named(s, cmd, set);
	g_clear_error(&why);
	if (set)
		g_array_unref(set);
	g_ptr_array_unref(texts);
}

/* ---- steps ---- */

static bool is_step(const char *text)
{
	gsize n = strcspn(text, ".");
	const char *step = text[n] ? text + n + 1 : NULL;
	bool job = text[0] == '@' ? n > 1 : n > 0 && strspn(text, "0123456789_+") == n;
	return job && (!step || strcmp(step, "batch") == 0 || strcmp(step, "extern") == 0 || (*step && strspn(step, "0123456789+") == strlen(step)));
}

/* Recorded texts of what is wrong; a good one is refused too, since steps have no limits of their own here. g_free. */
static char *step_answer(struct sim *s, const struct command *cmd)
{
	const char *limit = command_value(cmd, "timelimit");
	int64_t seconds;
	if (!is_step(cmd->name))
		return g_strdup_printf("Invalid StepID parameter: step=%s\nRequest aborted", cmd->name);
	for (guint i = 0; i < cmd->pairs->len; i++) {
		const struct command_pair *p = cmd->pairs->pdata[i];
		if (strcmp(p->key, "timelimit"))
			return g_strdup_printf("Update of this parameter is not supported: %s=%s\nRequest aborted", p->word, p->value);
	}
	if (!limit || !duration_parse_seconds(limit, &seconds))
		return g_strdup("scontrol: error: Invalid TimeLimit value");
	char *name = g_strndup(cmd->name, strcspn(cmd->name, "."));
	struct job *j = sim_named_job(s, name, NULL);
	g_free(name);
	if (!j || (j->state != JOB_RUNNING && j->state != JOB_SUSPENDED))
		return g_strdup("slurm_update error: Invalid job id specified");
	if (!sim_may_change(s, cmd->user, j))
		return g_strdup("slurm_update error: Invalid user id");
	return g_strdup("time limits of steps are not modelled in this version; a job's own ends its steps: scontrol update job=ID timelimit=TIME");
}

void sim_update_step(struct sim *s, const struct command *cmd)
{
	char *text = step_answer(s, cmd);
	record_command(s, cmd, text);
	g_free(text);
}
