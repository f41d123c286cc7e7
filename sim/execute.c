/* execute.c - carrying out commands; see commands.h */
#include "sim/run.h"
#include <string.h>

/* Root, or a user whom accounting calls an operator or administrator. */
static bool is_operator(const struct sim *s, const char *user)
{
	if (!user)
		return true;
	const char *level = s->cluster->acct ? g_hash_table_lookup(s->cluster->acct->admin, user) : NULL;
	return level && (g_ascii_strncasecmp(level, "admin", 5) == 0 || g_ascii_strncasecmp(level, "operator", 8) == 0);
}

static bool find_id(const struct sim *s, const char *name, uint32_t *id, uint32_t *task, GError **error)
{
	if (name[0] != '@')
		return command_job_id(name, id, task);
	if (sim_resolve_label(s, name + 1, id, task))
		return true;
	g_set_error(error, COMMAND_ERROR, 0, "no job %s was submitted before", name);
	return false;
}

/* *ALONE: a task was named, so its record is meant even if it bears the array's id. */
static struct job *find_job(struct sim *s, const char *name, bool *alone, GError **error)
{
	uint32_t id, task = NO_VAL;
	*alone = false;
	if (!find_id(s, name, &id, &task, error))
		return NULL;
	*alone = task != NO_VAL;
	struct job *job = task == NO_VAL ? controller_find_job(s->c, id) : sim_task_record(s, id, task);
	if (!job)
		g_set_error(error, COMMAND_ERROR, 0, "Invalid job id specified for job %s", name);
	return job;
}

static bool hold(struct sim *s, const struct command *cmd, struct job *job, GError **error)
{
	bool by_user = cmd->verb == COMMAND_UHOLD || !is_operator(s, cmd->user);
	return controller_hold(s->c, job, by_user, s->now, error);
}

static bool update_job(struct sim *s, const struct command *cmd, struct job *job, GError **error)
{
	for (guint i = 0; i < cmd->pairs->len; i++) {
		const struct command_pair *p = cmd->pairs->pdata[i];
		if (!controller_update_job(s->c, job, p->key, p->value, s->now, error))
			return false;
	}
	return true;
}

static bool act_on_job(struct sim *s, const struct command *cmd, struct job *job, bool alone, GError **error)
{
	bool operator_user = is_operator(s, cmd->user);
	if (!operator_user && g_strcmp0(cmd->user, job->user) != 0) {
		g_set_error(error, COMMAND_ERROR, 0, "Invalid user id for job %u", job->id);
		return false;
	}
	switch (cmd->verb) {
	case COMMAND_HOLD:
	case COMMAND_UHOLD:
		return hold(s, cmd, job, error);
	case COMMAND_RELEASE:
		return controller_release(s->c, job, operator_user ? NULL : cmd->user, s->now, error);
	case COMMAND_REQUEUE:
	case COMMAND_REQUEUE_HOLD:
		return controller_requeue(s->c, job, cmd->verb == COMMAND_REQUEUE_HOLD, s->now, error);
	case COMMAND_CANCEL:
		return alone ? controller_cancel_record(s->c, job, s->now, error)
		             : controller_cancel(s->c, job, s->now, error);
	default:
		return update_job(s, cmd, job, error);
	}
}

/* One failure keeps no other job of the list from its turn. */
static void act_on_jobs(struct sim *s, const struct command *cmd)
{
	for (guint i = 0; i < cmd->jobs->len; i++) {
		GError *error = NULL;
		bool alone;
		struct job *job = find_job(s, cmd->jobs->pdata[i], &alone, &error);
		if (!job || !act_on_job(s, cmd, job, alone, &error))
			record_command(s, cmd, error ? error->message : "failed");
		g_clear_error(&error);
		if (job)
			sim_job_arm(s, job);
	}
}

static bool update_partition(struct sim *s, const struct command *cmd, GError **error)
{
	for (guint i = 0; i < cmd->pairs->len; i++) {
		const struct command_pair *p = cmd->pairs->pdata[i];
		if (!controller_update_partition(s->c, cmd->name, p->key, p->value, s->now, error))
			return false;
	}
	return true;
}

static void act_on_cluster(struct sim *s, const struct command *cmd)
{
	GError *error = NULL;
	bool ok;
	if (!is_operator(s, cmd->user)) {
		g_set_error(&error, COMMAND_ERROR, 0, "Invalid user id");
		ok = false;
	} else if (cmd->verb == COMMAND_UPDATE_PARTITION) {
		ok = update_partition(s, cmd, &error);
	} else {
		const char *state = command_value(cmd, "state"), *reason = command_value(cmd, "reason");
		ok = controller_update_node(s->c, cmd->name, state, reason, s->now, &error);
	}
	if (!ok)
		record_command(s, cmd, error ? error->message : "failed");
	g_clear_error(&error);
}

void sim_execute(struct sim *s, const struct command *cmd)
{
	if (cmd->verb == COMMAND_SHOW)
		return;
	if (cmd->verb == COMMAND_UPDATE_PARTITION || cmd->verb == COMMAND_UPDATE_NODE)
		act_on_cluster(s, cmd);
	else
		act_on_jobs(s, cmd);
}
