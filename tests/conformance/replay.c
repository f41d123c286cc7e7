/* replay.c - see replay.h: making the scenario ready. */
#include "tests/conformance/replay.h"
#include "tests/conformance/failures.h"
#include <math.h>
#include <string.h>

#define MONDAY INT64_C(1767571200) /* 2026-01-05T00:00:00Z: an hour begins */
#define AFTERWARDS 0.5             /* the record goes on so long after `until` */

usec_t replay_time(const struct replay *r, double seconds)
{
	return r->t0 + llround(seconds * 1e6);
}

struct submission *replay_submission(const struct replay *r, guint i)
{
	for (guint k = 0; k < r->which->len; k++)
		if (g_array_index(r->which, guint, k) == i)
			return r->scenario->submissions->pdata[k];
	return NULL;
}

/* The first told submission of this name that has no counterpart yet; told->len = none. */
static guint find_told(const struct replay *r, const char *name)
{
	for (guint i = 0; i < r->record->told->len; i++) {
		const struct told *t = r->record->told->pdata[i];
		if (strcmp(t->name, name) == 0 && !replay_submission(r, i))
			return i;
	}
	return r->record->told->len;
}

static void set_labels(struct replay *r)
{
	GPtrArray *subs = r->scenario->submissions;
	for (guint k = 0; k < subs->len; k++) {
		const struct submission *sub = subs->pdata[k];
		guint i = find_told(r, sub->label ? sub->label : "");
		g_array_append_val(r->which, i);
	}
	for (guint k = 0; k < subs->len; k++) {
		struct submission *sub = subs->pdata[k];
		guint i = g_array_index(r->which, guint, k);
		if (i == r->record->told->len)
			continue;
		g_free(sub->label);
		sub->label = g_strdup(((const struct told *)r->record->told->pdata[i])->label);
	}
}

/* The reader has turned "T0+25 %H:%M" into a time of day after its own T0: put the text back, the simulation reads it
 * too. */
static void restore_text(char **text, int64_t *seconds, const cJSON *job, const char *key)
{
	const char *given = json_text(job, key);
	if (!g_str_has_prefix(given, "T0"))
		return;
	g_free(*text);
	*text = g_strdup(given);
	*seconds = 0;
}

static bool restore_texts(struct replay *r, GError **error)
{
	cJSON *jobs = json_read(r->record->scenario, "jobs.json", error);
	const cJSON *job;
	if (!jobs)
		return false;
	cJSON_ArrayForEach(job, cJSON_GetObjectItemCaseSensitive(jobs, "jobs"))
	{
		for (guint k = 0; k < r->scenario->submissions->len; k++) {
			const struct submission *sub = r->scenario->submissions->pdata[k];
			if (g_strcmp0(sub->request->name, json_text(job, "name")))
				continue;
			restore_text(&sub->request->begin_text, &sub->request->begin, job, "begin");
			restore_text(&sub->request->deadline_text, &sub->request->deadline, job, "deadline");
		}
	}
	cJSON_Delete(jobs);
	return true;
}

/* {"cmd": "scancel @a"} or {"cmd": ["scontrol", "update", ...]} as one text. */
char *replay_command_text(const cJSON *line)
{
	const cJSON *cmd = cJSON_GetObjectItemCaseSensitive(line, "cmd"), *word;
	GString *text = g_string_new(cJSON_GetStringValue(cmd));
	cJSON_ArrayForEach(word, cmd)
	    g_string_append_printf(text, "%s%s", text->len ? " " : "", cJSON_GetStringValue(word));
	return g_string_free(text, FALSE);
}

void replay_time_commands(struct replay *r, command_time_fn *when)
{
	guint next = 0;
	for (guint i = 0; i < r->scenario->events->len; i++) {
		struct scenario_event *e = r->scenario->events->pdata[i];
		for (guint k = next; k < r->record->commands->len; k++) {
			char *command = replay_command_text(r->record->commands->pdata[k]);
			bool same = strcmp(command, e->command) == 0;
			double t = json_number(r->record->commands->pdata[k], "t", NAN);
			g_free(command);
			if (!same)
				continue;
			if (!isnan(t)) /* else "setup": move_setup */
				e->at = replay_time(r, when(r->record, e->command, t));
			next = k + 1;
			break;
		}
	}
}

/* When the controller made the first reservation of "setup", before T0; a second before when none is noted. */
static usec_t setup_time(const struct replay *r)
{
	for (guint i = 0; i < r->record->happenings->len; i++) {
		const struct happening *h = r->record->happenings->pdata[i];
		if (h->t < 0 && strcmp(h->what, "note") == 0 && g_str_has_prefix(h->detail, "sched: Created"))
			return replay_time(r, h->t);
	}
	return r->t0 - USEC;
}

/* Commands of "setup" have no time of their own. */
static void move_setup(struct replay *r)
{
	for (guint k = 0; k < r->record->commands->len; k++) {
		const cJSON *line = r->record->commands->pdata[k];
		char *command = replay_command_text(line);
		for (guint i = 0; i < r->scenario->events->len && isnan(json_number(line, "t", NAN)); i++) {
			struct scenario_event *e = r->scenario->events->pdata[i];
			if (strcmp(e->command, command) == 0)
				e->at = MAX(setup_time(r), r->scenario->sim.controller_start);
		}
		g_free(command);
	}
}

/* Everything that has a time goes to the recorded T0. */
static void move_to_t0(struct replay *r)
{
	struct scenario *s = r->scenario;
	usec_t by = r->t0 - s->sim.start;
	for (guint i = 0; i < s->submissions->len; i++)
		((struct submission *)s->submissions->pdata[i])->at += by;
	for (guint i = 0; i < s->events->len; i++)
		((struct scenario_event *)s->events->pdata[i])->at += by;
	s->sim.start = r->t0;
	s->sim.controller_start = replay_time(r, -r->record->controller_lead);
	s->sim.until = replay_time(r, r->record->until + AFTERWARDS);
	move_setup(r);
}

/* ---- loading ---- */

struct replay *replay_load(const struct record *record, guint which, GError **error)
{
	char *copy = NULL;
	if (!failures_replace(record, &copy, error))
		return NULL;
	struct scenario_options o = {.path = copy ? copy : record->scenario,
	                             .slurm_version = record->is_26 ? "26.05" : "22.05"};
	struct scenario *s = scenario_load(&o, error);
	if (!s) {
		failures_remove(copy);
		return NULL;
	}
	struct replay *r = g_new0(struct replay, 1);
	r->record = record;
	r->scenario = s;
	r->copy = copy;
	r->clocks = &record->clocks[which];
	r->t0 = (MONDAY + llround(r->clocks->t0_into_hour)) * USEC;
	r->which = g_array_new(FALSE, FALSE, sizeof(guint));
	set_labels(r);
	move_to_t0(r);
	if (restore_texts(r, error))
		return r;
	replay_free(r);
	return NULL;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	scenario_free(r->scenario);
	failures_remove(r->copy);
	g_array_unref(r->which);
	g_free(r);
}

static int by_at(const void *a, const void *b)
{
	const struct scenario_event *x = *(struct scenario_event *const *)a, *y = *(struct scenario_event *const *)b;
	return (x->at > y->at) - (x->at < y->at);
}

void replay_sort(struct replay *r)
{
	g_ptr_array_sort(r->scenario->events, by_at);
	/* submissions stay in the order in which they were told; the queue of the simulation sorts by time */
}

struct score_rules replay_rules(const struct replay *r, bool pinned)
{
	const struct sched_params *p = r->scenario->cluster->params;
	struct score_rules rules = {.pinned = pinned, .tolerance = fmax(2, p->batch_sched_delay + 1)};
	rules.backfill_extra = p->sched_type == SCHED_BACKFILL ? fmax(0, p->bf_interval) : 0;
	if (p->priority_type == PRIORITY_MULTIFACTOR && p->priority_max_age)
		rules.priority_step =
		    (gint64)ceil((double)p->weight_age * p->priority_calc_period / p->priority_max_age);
	return rules;
}
