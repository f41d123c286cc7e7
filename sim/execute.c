/* execute.c - carrying out commands; see commands.h */
#include "sim/run.h"
#include <string.h>

bool sim_is_operator(const struct sim *s, const char *user)
{
	if (!user)
		return true;
	const char *level = s->cluster->acct ? g_hash_table_lookup(s->cluster->acct->admin, user) : NULL;
	return level && (g_ascii_strncasecmp(level, "admin", 5) == 0 || g_ascii_strncasecmp(level, "operator", 8) == 0);
}

/* Root, an operator, the owner, or a coordinator of the job's account (recorded: who acts as its owner, but for suspend and resume). */
bool sim_may_change(const struct sim *s, const char *user, const struct job *j)
{
	return sim_is_operator(s, user) || g_strcmp0(user, j->user) == 0 ||
	       (s->cluster->acct && acct_coordinates(s->cluster->acct, user, j->account));
}

/* Whose rights USER, who may change J, has on it; NULL = an operator's. */
static const char *acts_as(const struct sim *s, const char *user, const struct job *j)
{
	return sim_is_operator(s, user) ? NULL : j->user;
}

static bool find_id(const struct sim *s, const char *name, struct target *t, GError **error)
{
	if (name[0] != '@')
		return command_job_id(name, &t->id, &t->task);
	if (sim_resolve_label(s, name + 1, &t->id, &t->task))
		return true;
	g_set_error(error, COMMAND_ERROR, 0, "no job %s was submitted before", name);
	return false;
}

bool sim_find_target(const struct sim *s, const char *name, struct target *t, GError **error)
{
	if (!find_id(s, name, t, error))
		return false;
	t->job = t->task == NO_VAL ? controller_find_job(s->c, t->id) : controller_find_task(s->c, t->id, t->task);
	if (!t->job)
		g_set_error(error, COMMAND_ERROR, 0, "Invalid job id specified for job %s", name);
	return t->job != NULL;
}

/* One task is one record, also when it is the last and carries the id of the array. */
static bool hold(struct sim *s, const struct command *cmd, const struct target *t, GError **error)
{
	bool by_user = cmd->verb == COMMAND_UHOLD || !sim_is_operator(s, cmd->user);
	return (t->task == NO_VAL ? controller_hold : controller_hold_record)(s->c, t->job, by_user, s->now, error);
}

/* Of an array all tasks that run, of a heterogeneous job all components (C26, C70). */
static bool pause_job(struct sim *s, const struct command *cmd, const struct target *t, GError **error)
{
	bool (*act)(struct controller *, struct job *, usec_t, GError **) =
	    cmd->verb == COMMAND_SUSPEND ? controller_suspend : controller_resume;
	bool array = t->job->array && t->task == NO_VAL && t->id == t->job->array->job_id;
	if (!array && !t->job->het)
		return act(s->c, t->job, s->now, error);
	bool any = false;
	GError *first = NULL;
	for (uint32_t i = 0; i < controller_n_jobs(s->c); i++) {
		struct job *j = controller_job(s->c, i);
		bool mine = array ? j->array == t->job->array : t->job->het_offset ? j == t->job : j->het == t->job->het;
		if (mine && act(s->c, j, s->now, first ? NULL : &first))
			any = true;
	}
	if (any)
		g_clear_error(&first);
	else if (first)
		g_propagate_error(error, first);
	return any;
}

static bool cancel(struct sim *s, const struct command *cmd, const struct target *t, GError **error)
{
	s->canceller = cmd->user ? cmd->user : "root";
	bool done = t->task == NO_VAL ? controller_cancel(s->c, t->job, s->now, error)
	                              : controller_cancel_task(s->c, t->id, t->task, s->now, error);
	s->canceller = NULL;
	return done;
}

struct job *sim_named_job(struct sim *s, const char *name, GError **error)
{
	struct target t = {.job = NULL};
	const char *plus = name[0] == '@' ? NULL : strchr(name, '+');
	if (plus) {
		char *leader = g_strndup(name, (gsize)(plus - name));
		bool ok = sim_find_target(s, leader, &t, error);
		g_free(leader);
		guint64 k = g_ascii_strtoull(plus + 1, NULL, 10);
		return ok && t.job->het && k < t.job->het->n ? t.job->het->comp[k] : NULL;
	}
	if (!sim_find_target(s, name, &t, error))
		return NULL;
	return t.task == NO_VAL ? t.job : sim_task_record(s, t.id, t.task);
}

/* State=SpecialExit counts with requeue too (recorded). */
static unsigned requeue_how(const struct command *cmd, const struct target *t)
{
	bool special = command_value(cmd, "state") != NULL;
	return (cmd->verb == COMMAND_REQUEUE_HOLD ? REQUEUE_HOLD : 0) | (special ? REQUEUE_SPECIAL : 0) |
	       (command_value(cmd, "incomplete") ? REQUEUE_INCOMPLETE : 0) | (t->task == NO_VAL ? 0 : REQUEUE_RECORD);
}

static bool pauses(const struct command *cmd)
{
	return cmd->verb == COMMAND_SUSPEND || cmd->verb == COMMAND_RESUME;
}

/* Recorded: coordinators do not suspend and resume, in 22.05 owners do not either. */
static bool is_allowed(const struct sim *s, const struct command *cmd, const struct job *j)
{
	if (!pauses(cmd))
		return sim_may_change(s, cmd->user, j);
	return sim_is_operator(s, cmd->user) || (g_strcmp0(cmd->user, j->user) == 0 && s->cluster->params->version != SLURM_22_05);
}

static bool act_on_target(struct sim *s, const struct command *cmd, struct target *t, GError **error)
{
	if (!is_allowed(s, cmd, t->job)) {
		bool denied = cmd->verb == COMMAND_REQUEUE || cmd->verb == COMMAND_REQUEUE_HOLD || pauses(cmd); /* recorded in both releases */
		g_set_error(error, COMMAND_ERROR, 0,
		            cmd->verb == COMMAND_CANCEL ? "Kill job error on job id %u: Access/permission denied"
		            : denied                    ? "Access/permission denied for job %u"
		                                        : "Invalid user id for job %u",
		            t->job->id);
		return false;
	}
	if (cmd->verb == COMMAND_CANCEL)
		return cancel(s, cmd, t, error);
	if (t->task != NO_VAL) /* C26: from now on it has values of its own */
		t->job = sim_task_record(s, t->id, t->task);
	switch (cmd->verb) {
	case COMMAND_HOLD:
	case COMMAND_UHOLD:
		return hold(s, cmd, t, error);
	case COMMAND_RELEASE:
		return (t->task == NO_VAL ? controller_release : controller_release_record)(
		    s->c, t->job, acts_as(s, cmd->user, t->job), s->now, error);
	case COMMAND_REQUEUE:
	case COMMAND_REQUEUE_HOLD:
		return controller_requeue(s->c, t->job, requeue_how(cmd, t), s->now, error);
	default:
		return pause_job(s, cmd, t, error);
	}
}

/* One failure keeps no other job of the list from its turn. */
static void act_on_jobs(struct sim *s, const struct command *cmd)
{
	for (guint i = 0; i < cmd->jobs->len; i++) {
		GError *error = NULL;
		struct target t = {.job = NULL};
		if (!sim_find_target(s, cmd->jobs->pdata[i], &t, &error) || !act_on_target(s, cmd, &t, &error))
			record_command(s, cmd, error ? error->message : "failed");
		g_clear_error(&error);
		if (t.job)
			sim_job_arm(s, t.job);
	}
}

/* All jobs of the list at once. */
static void put_on_top(struct sim *s, const struct command *cmd)
{
	GError *error = NULL;
	struct job **jobs = g_new(struct job *, cmd->jobs->len + 1);
	guint n = 0;
	bool ok = true;
	for (guint i = 0; ok && i < cmd->jobs->len; i++) {
		struct target t = {.job = NULL};
		ok = sim_find_target(s, cmd->jobs->pdata[i], &t, &error);
		jobs[n++] = ok && t.task != NO_VAL ? sim_task_record(s, t.id, t.task) : t.job;
	}
	if (ok && n)
		ok = controller_top(s->c, jobs, n, sim_is_operator(s, cmd->user) ? NULL : cmd->user, s->now, &error);
	if (!ok)
		record_command(s, cmd, error ? error->message : "failed");
	g_clear_error(&error);
	g_free(jobs);
}

static void carry_out(struct sim *s, const struct command *cmd)
{
	if (cmd->verb == COMMAND_NODE_KILL || cmd->verb == COMMAND_NODE_START)
		sim_slurmd(s, cmd);
	else if (cmd->verb == COMMAND_OUTAGE)
		s->outage_until = MAX(s->outage_until, s->now + g_ascii_strtoll(cmd->name, NULL, 10) * USEC);
	else if (cmd->verb >= COMMAND_UPDATE_PARTITION)
		sim_act_on_cluster(s, cmd);
	else if (cmd->verb == COMMAND_UPDATE_JOB)
		sim_update_jobs(s, cmd);
	else if (cmd->verb == COMMAND_UPDATE_STEP)
		sim_update_step(s, cmd);
	else if (cmd->verb == COMMAND_TOP)
		put_on_top(s, cmd);
	else if (cmd->scancel)
		sim_scancel(s, cmd);
	else
		act_on_jobs(s, cmd);
}

void sim_execute(struct sim *s, const struct command *cmd)
{
	if (cmd->verb == COMMAND_SHOW)
		return;
	s->commander = cmd->user ? cmd->user : "root";
	carry_out(s, cmd);
	s->commander = NULL;
}
