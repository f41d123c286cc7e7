/* shell_until.c - going on to a moment or an event; see shell.h */
#include "scenarios/scenario_parts.h"
#include "tools/shell.h"
#include "tools/show.h"
#include <stdlib.h>
#include <string.h>

/* ---- what is waited for ---- */

static const struct job *find_job(const struct shell *sh)
{
	const struct controller *c = sim_controller(sh->session.sim);
	uint32_t id, task;

	if (!sim_find_id(sh->session.sim, sh->job, &id, &task))
		return NULL;
	return task == NO_VAL ? controller_find_job(c, id) : controller_find_task(c, id, task);
}

/* Submitted once, and gone. */
static bool was_there(const struct shell *sh)
{
	uint32_t id, task;

	return sim_find_id(sh->session.sim, sh->job, &id, &task) &&
	       id < controller_next_id(sim_controller(sh->session.sim));
}

static bool job_reached(struct shell *sh)
{
	const struct job *j = find_job(sh);

	if (!j) /* purged: it has been */
		return was_there(sh);
	if (j->array && j->task == NO_VAL && !sh->ends)
		return j->array->started > 0;
	return sh->ends ? job_is_finished(j) : j->state != JOB_PENDING;
}

static bool reason_reached(struct shell *sh)
{
	const struct job *j = find_job(sh);

	return j && j->state == JOB_PENDING && g_ascii_strcasecmp(reason_name(j->reason), sh->word) == 0;
}

static bool node_reached(struct shell *sh)
{
	const struct controller *c = sim_controller(sh->session.sim);
	const struct node *n = sh->node;
	bool down = n->base == NODE_DOWN || n->base == NODE_UNKNOWN;

	if (g_ascii_strcasecmp(sh->word, "down") == 0)
		return down;
	if (g_ascii_strcasecmp(sh->word, "up") == 0)
		return node_available(n);
	return g_ascii_strcasecmp(controller_node_state(c, n, true), sh->word) == 0 ||
	       g_ascii_strcasecmp(controller_node_state(c, n, false), sh->word) == 0;
}

static bool event_reached(struct shell *sh)
{
	return --sh->steps == 0;
}

static bool pass_reached(struct shell *sh)
{
	return sh->steps == 0;
}

static bool instant(void *data, usec_t now)
{
	struct shell *sh = data;

	(void)now;
	return sh->reached && sh->reached(sh);
}

static void pass(void *data, const struct pass_stats *p)
{
	struct shell *sh = data;

	if (sh->steps > 0 && sh->reached == pass_reached && p->queue > 0)
		sh->steps--;
}

static void refused(void *data, uint32_t id, const char *label, const char *message)
{
	struct shell *sh = data;

	(void)id, (void)label;
	g_free(sh->message);
	sh->message = g_strdup(message);
}

static bool submission(void *data, struct submission *sub, uint32_t id)
{
	struct shell *sh = data;

	(void)sub;
	sh->answered = id;
	return true;
}

static void answer(void *data, const char *text)
{
	struct shell *sh = data;

	g_free(sh->answer);
	sh->answer = g_strdup(text);
}

void shell_watch(struct shell *sh)
{
	const struct sim_hooks hooks = {instant, submission, refused, sh, answer};

	sim_watch(sh->session.sim, NULL, pass, NULL, sh);
	sim_set_hooks(sh->session.sim, &hooks);
}

/* ---- going on ---- */

static bool go(struct shell *sh, bool (*reached)(struct shell *), usec_t until)
{
	bool met = !reached;

	sh->reached = reached;
	sim_set_until(sh->session.sim, until);
	if (session_advance(&sh->session) != EXIT_GOOD)
		return shell_complain(sh, "the run failed");
	if (reached == event_reached || reached == pass_reached)
		met = sh->steps == 0;
	else if (reached)
		met = reached(sh);
	sh->reached = NULL;
	shell_say_stop(sh);
	return met || shell_complain(sh, "the run is over, and this did not happen");
}

static bool parse_moment(const struct shell *sh, const char *text, usec_t *out)
{
	usec_t now = sim_now(sh->session.sim), span;
	guint64 seconds;

	if (*text != '+')
		return scenario_parse_time(text, sh->session.scenario->sim.start, out);
	if (g_ascii_string_to_unsigned(text + 1, 10, 0, G_MAXUINT32, &seconds, NULL))
		*out = now + (usec_t)seconds * USEC;
	else if (duration_parse_elapsed(text + 1, &span))
		*out = now + span;
	else
		return false;
	return true;
}

static bool until_time(struct shell *sh, const char *text)
{
	usec_t t;

	if (!parse_moment(sh, text, &t))
		return shell_complain(
		    sh, "bad time \"%s\"; write a date, seconds or 1:00:00 since the start, or +10:00 from now", text);
	if (t < sim_now(sh->session.sim))
		return shell_complain(sh, "%s has passed; \"undo\" goes back", text);
	return go(sh, NULL, t);
}

static bool until_job(struct shell *sh, char **words)
{
	bool ends = words[2] && g_strcmp0(words[3], "ends") == 0;

	if (!words[2] || (!ends && g_strcmp0(words[3], "starts") != 0))
		return shell_complain(sh, "write: until job J starts, until job J ends");
	g_free(sh->job);
	sh->job = g_strdup(words[2]);
	sh->ends = ends;
	return go(sh, job_reached, INT64_MAX);
}

static bool until_reason(struct shell *sh, char **words)
{
	if (!words[2] || g_strcmp0(words[3], "is") != 0 || !words[4])
		return shell_complain(sh, "write: until reason J is Resources");
	if (reason_find(words[4]) == REASON_COUNT)
		return shell_complain(sh, "no reason is called \"%s\"; \"reasons\" lists them", words[4]);
	g_free(sh->job);
	g_free(sh->word);
	sh->job = g_strdup(words[2]);
	sh->word = g_strdup(words[4]);
	return go(sh, reason_reached, INT64_MAX);
}

static bool until_node(struct shell *sh, char **words)
{
	if (!words[2] || !words[3])
		return shell_complain(sh, "write: until node N down (or up, or a state of sinfo)");
	sh->node = cluster_find_node(sh->session.scenario->cluster, words[2]);
	if (!sh->node)
		return shell_complain(sh, "no node \"%s\"", words[2]);
	g_free(sh->word);
	sh->word = g_strdup(words[3]);
	return go(sh, node_reached, INT64_MAX);
}

bool shell_until(struct shell *sh, char **words)
{
	if (!words[1])
		return shell_complain(sh,
		                      "write: until TIME, until job J starts, until reason J is X, until node N down");
	if (strcmp(words[1], "job") == 0)
		return until_job(sh, words);
	if (strcmp(words[1], "reason") == 0)
		return until_reason(sh, words);
	if (strcmp(words[1], "node") == 0)
		return until_node(sh, words);
	char *text = words[2] ? g_strdup_printf("%s %s", words[1], words[2]) : g_strdup(words[1]);
	bool ok = until_time(sh, text);
	g_free(text);
	return ok;
}

bool shell_step(struct shell *sh, char **words)
{
	guint64 n = 1;
	usec_t now = sim_now(sh->session.sim);

	if (!words[1] || (words[2] && !g_ascii_string_to_unsigned(words[2], 10, 1, 1000000, &n, NULL)))
		return shell_complain(sh, "write: step pass|event|tick [N]");
	sh->steps = (uint32_t)n;
	if (strcmp(words[1], "pass") == 0)
		return go(sh, pass_reached, INT64_MAX);
	if (strcmp(words[1], "event") == 0)
		return go(sh, event_reached, INT64_MAX);
	if (strcmp(words[1], "tick") == 0) {
		for (guint64 i = 0; i < n; i++)
			now = controller_turn_after(sim_controller(sh->session.sim), now);
		return go(sh, NULL, now);
	}
	return shell_complain(sh, "step %s: write pass, event or tick", words[1]);
}
