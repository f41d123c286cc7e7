/* scancel.c - which jobs scancel means, and signals; see scancel.h */
#include "sim/scancel.h"
#include "sched/reservation.h"
#include "sim/run.h"
#include <string.h>

/* ---- which ---- */

static bool in_list(const char *list, const char *name)
{
	if (!list)
		return true;
	char **words = g_strsplit(list, ",", -1);
	bool found = name && g_strv_contains((const char *const *)words, name);
	g_strfreev(words);
	return found;
}

static bool in_partition(const char *list, const struct job *j)
{
	bool any = in_list(list, j->part ? j->part->name : j->req->partition);
	for (uint32_t i = 0; !any && j->state == JOB_PENDING && i < j->n_parts; i++)
		any = in_list(list, j->parts[i].part->name);
	return any;
}

static bool on_nodes(const struct sim *s, const struct job *j, const GPtrArray *names)
{
	bool any = !names;
	for (guint i = 0; !any && j->nodes && i < names->len; i++) {
		const struct node *n = cluster_find_node(s->cluster, names->pdata[i]);
		any = n && bitset_test(j->nodes, n->index);
	}
	return any;
}

static bool matches(const struct sim *s, const struct command *cmd, const struct job *j)
{
	const struct scancel *o = cmd->scancel;
	const char *self = cmd->user ? cmd->user : "root";
	bool own = o->me || (cmd->user && !o->user && !cmd->jobs->len);
	return !job_is_finished(j) && (!o->states || o->states & 1U << j->state) && (!own || g_strcmp0(j->user, self) == 0) &&
	       in_list(o->account, j->account) && in_list(o->name, j->name) && in_partition(o->partition, j) &&
	       in_list(o->qos, j->qos ? j->qos->name : j->req->qos) && in_list(o->reservation, j->req->reservation) &&
	       in_list(o->user, j->user) && in_list(o->wckey, j->req->wckey) && on_nodes(s, j, o->nodes);
}

/* Records that the named jobs stand for, or all; heterogeneous jobs by their leader. Told by id, since records come and
 * go while they are treated. */
static void add_matching(const struct sim *s, const struct command *cmd, const struct job *only, GArray *ids)
{
	for (uint32_t i = 0; i < controller_n_jobs(s->c); i++) {
		const struct job *j = controller_job(s->c, i);
		bool mine = !only || j == only || (only->array && only->id == only->array->job_id && j->array == only->array) ||
		            (only->het && only->het_offset == 0 && j->het == only->het);
		if (j && mine && (!j->het || j->het_offset == 0 || j == only) && matches(s, cmd, j))
			g_array_append_val(ids, j->id);
	}
}

/* ---- what ---- */

enum effect { EFFECT_CANCEL, EFFECT_NONE, EFFECT_HALT, EFFECT_GO_ON, EFFECT_DIE };

static enum effect effect_of(const struct scancel *o)
{
	bool to_shell = o->batch;
	switch (o->signal) {
	case -1:
		return to_shell ? EFFECT_DIE : EFFECT_CANCEL;
	case 9:
		return to_shell ? EFFECT_DIE : EFFECT_CANCEL;
	case 0:
	case 17:
	case 23:
	case 28:
		return EFFECT_NONE;
	case 18:
		return EFFECT_GO_ON;
	case 19:
	case 20:
	case 21:
	case 22:
		return EFFECT_HALT;
	default:
		return EFFECT_DIE;
	}
}

static void die(struct sim *s, struct job *j, const struct scancel *o)
{
	struct sim_job *sj = j->host;
	int number = o->signal > 0 ? o->signal : 15;
	if (number != 9 && sim_job_outcome(sj)->checkpoint_signal) {
		sim_host_warn(s, j);
	} else if (o->batch || o->full) {
		sim_job_dies(s, sj, number);
	} else {
		sim_steps_cut(sj, NULL, s->now, number);
	}
}

static bool act(struct sim *s, struct job *j, const struct scancel *o, GError **error)
{
	enum effect e = effect_of(o);
	if (e == EFFECT_CANCEL)
		return j->het ? controller_cancel(s->c, j, s->now, error) : controller_cancel_record(s->c, j, s->now, error);
	if (j->state == JOB_PENDING) {
		g_set_error_literal(error, COMMAND_ERROR, 0, "Job is pending execution");
		return false;
	}
	if (!((struct sim_job *)j->host)->began)
		return true;
	if (e == EFFECT_HALT || e == EFFECT_GO_ON)
		sim_job_halt(s, j->host, e == EFFECT_HALT);
	else if (e == EFFECT_DIE)
		die(s, j, o);
	return true;
}

static void complain(struct sim *s, const struct command *cmd, const char *id, const char *why)
{
	char *text = g_strdup_printf("Kill job error on job id %s: %s", id, why);
	record_command(s, cmd, text);
	g_free(text);
}

static void act_on(struct sim *s, const struct command *cmd, uint32_t id)
{
	struct job *j = controller_find_job(s->c, id);
	GError *error = NULL;
	if (!j || job_is_finished(j))
		return;
	char *name = job_format_id(j);
	if (!sim_may_change(s, cmd->user, j))
		complain(s, cmd, name, "Access/permission denied");
	else if (!act(s, j, cmd->scancel, &error))
		complain(s, cmd, name, error->message);
	g_clear_error(&error);
	g_free(name);
	j = controller_find_job(s->c, id);
	if (j && j->host)
		sim_job_arm(s, j);
}

/* ---- steps ---- */

/* "12.0": the job and its step in *STEP; a dot in a label is none unless a step follows. */
static char *split_step(const char *word, const char **step)
{
	const char *dot = strrchr(word, '.');
	*step = NULL;
	if (!dot || (!g_ascii_isdigit(dot[1]) && strcmp(dot, ".batch") != 0 && strcmp(dot, ".extern") != 0))
		return g_strdup(word);
	*step = dot + 1;
	return g_strndup(word, (gsize)(dot - word));
}

static void cancel_step(struct sim *s, const struct command *cmd, struct job *j, const char *word, const char *step)
{
	struct sim_job *sj = j->host;
	int number = cmd->scancel->signal > 0 ? cmd->scancel->signal : 15;
	if (!sim_may_change(s, cmd->user, j))
		complain(s, cmd, word, s->cluster->params->version == SLURM_22_05 ? "Invalid user id" : "Access/permission denied");
	else if (j->state == JOB_PENDING || job_is_finished(j) || !sj || !sj->began)
		complain(s, cmd, word, j->state == JOB_PENDING ? "Job is pending execution" : "Job/step already completing or completed");
	else if (strcmp(step, "batch") == 0)
		sim_job_dies(s, sj, number);
	else if (!sim_steps_cut(sj, step, s->now, number))
		complain(s, cmd, word, "Job/step already completing or completed");
}

/* ---- the command ---- */

/* The record of a word, a task split off its head if need be. */
static struct job *find(struct sim *s, const struct command *cmd, const char *word, const char *name)
{
	GError *error = NULL;
	struct job *j = sim_named_job(s, name, &error);
	if (!j)
		complain(s, cmd, word, error && !strstr(error->message, "Invalid job id") ? error->message : "Invalid job id specified");
	g_clear_error(&error);
	return j;
}

void sim_scancel(struct sim *s, const struct command *cmd)
{
	GArray *ids = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	if (!cmd->jobs->len)
		add_matching(s, cmd, NULL, ids);
	for (guint i = 0; i < cmd->jobs->len; i++) {
		const char *word = cmd->jobs->pdata[i], *step;
		char *name = split_step(word, &step);
		struct job *j = find(s, cmd, word, name);
		if (j && step)
			cancel_step(s, cmd, j, word, step);
		else if (j)
			add_matching(s, cmd, j, ids);
		g_free(name);
	}
	for (guint i = 0; i < ids->len; i++)
		act_on(s, cmd, g_array_index(ids, uint32_t, i));
	g_array_unref(ids);
}

GArray *sim_scancel_matches(struct sim *s, const struct command *cmd)
{
	GArray *ids = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	if (!cmd->jobs->len)
		add_matching(s, cmd, NULL, ids);
	for (guint i = 0; i < cmd->jobs->len; i++) {
		struct job *j = sim_named_job(s, cmd->jobs->pdata[i], NULL);
		if (j)
			add_matching(s, cmd, j, ids);
	}
	return ids;
}
