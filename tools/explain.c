/*
 * explain.c - the run behind whypend explain; see explain.h.
 *
 * At the job's submission the process forks for every change to be tried (whatif.h); then the run goes on with a record
 * in memory until the job starts. Meanwhile every pass is noted: did it look at the job, and if not, which cap ended it
 * before?
 */
#include "tools/explain.h"
#include <string.h>

struct look { /* one pass */
	usec_t t;
	bool backfill, tested, planned;
	const char *ended_by; /* static */
};

struct explainer {
	struct explanation *out;
	const struct explain_wish *wish;
	struct session session;
	struct whatif *whatif;
	struct target target;
	bool seen; /* submitted */
	uint32_t run;
	GArray *looks;   /* of struct look */
	struct look now; /* of the pass under way */
	char *refused;   /* message; owned */
};

void explanation_clear(struct explanation *e)
{
	story_free(e->story);
	if (e->ideas)
		g_ptr_array_unref(e->ideas);
	if (e->own)
		g_ptr_array_unref(e->own);
	g_free(e->slurm_version);
	memset(e, 0, sizeof *e);
}

/* ---- watching ---- */

static bool is_target(const struct explainer *x, const struct job *j)
{
	if (!x->seen)
		return false;
	if (x->target.task != NO_VAL && j->task != NO_VAL && j->task != x->target.task)
		return false;
	return j->id == x->target.id || (j->array && j->array->job_id == x->target.id);
}

static void on_step(void *data, const struct step *step, usec_t now)
{
	struct explainer *x = data;

	(void)now;
	if (!is_target(x, step->job))
		return;
	x->now.tested |= step->kind == STEP_TEST || step->kind == STEP_TRY || step->kind == STEP_START;
	x->now.planned |= step->kind == STEP_PLAN;
}

static void on_pass(void *data, const struct pass_stats *p)
{
	struct explainer *x = data;

	if (x->seen && p->queue > 0) {
		x->now.t = p->t;
		x->now.backfill = p->kind == PASS_BACKFILL;
		x->now.ended_by = p->ended_by;
		g_array_append_val(x->looks, x->now);
	}
	x->now = (struct look){0};
}

/* The cap that ended backfill most often without a look at the job. */
static void note_cut(struct story_interval *i, const struct look *looks, guint n)
{
	const char *best = NULL;
	uint32_t most = 0;

	for (guint a = 0; a < n; a++) {
		uint32_t count = 0;
		if (!looks[a].backfill || looks[a].tested || !g_str_has_prefix(looks[a].ended_by, "bf_"))
			continue;
		for (guint b = 0; b < n; b++)
			count +=
			    looks[b].backfill && !looks[b].tested && strcmp(looks[b].ended_by, looks[a].ended_by) == 0;
		if (count > most) {
			most = count;
			best = looks[a].ended_by;
		}
		if (most * 2 > n)
			break;
	}
	i->cut_by = g_strdup(best);
	i->cut = most;
}

static void spread_looks(const struct explainer *x, struct story *s)
{
	const struct look *looks = (const struct look *)(const void *)x->looks->data;
	guint at = 0;

	for (guint k = 0; k < s->intervals->len; k++) {
		struct story_interval *i = s->intervals->pdata[k];
		guint first = at;

		for (; at < x->looks->len && looks[at].t < i->to; at++) {
			if (looks[at].t < i->from) {
				first = at + 1;
				continue;
			}
			i->main_passes += !looks[at].backfill;
			i->main_tested += !looks[at].backfill && looks[at].tested;
			i->backfill_cycles += looks[at].backfill;
			i->backfill_tested += looks[at].backfill && looks[at].tested;
			i->backfill_planned += looks[at].backfill && looks[at].planned;
		}
		note_cut(i, looks + first, at - first);
	}
}

/* ---- what if ---- */

static GPtrArray *changes_of(const GPtrArray *ideas, guint from)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = from; i < ideas->len; i++)
		g_ptr_array_add(list, ((struct idea *)ideas->pdata[i])->change);
	return list;
}

/* Answers for the ideas from FROM on. False in a child: *PASS is what the hook returns. */
static bool ask(struct explainer *x, struct submission *sub, GPtrArray *ideas, guint from, usec_t latest, bool *pass)
{
	GPtrArray *list = changes_of(ideas, from);
	struct answer *answers = g_new0(struct answer, list->len + 1);

	*pass = whatif_ask(x->whatif, sub, list, latest, answers);
	for (guint i = 0; i < list->len && !whatif_child(x->whatif); i++)
		((struct idea *)ideas->pdata[from + i])->answer = answers[i];
	g_ptr_array_unref(list);
	g_free(answers);
	return !whatif_child(x->whatif);
}

/* Partitions and QOS that do not take it were no ideas. */
static void drop_refused(GPtrArray *ideas)
{
	for (guint k = ideas->len; k-- > 0;) {
		const struct idea *i = ideas->pdata[k];
		if (i->kind == IDEA_PLACE && i->answer.kind == ANSWER_REFUSED)
			g_ptr_array_remove_index(ideas, k);
	}
}

/* Narrow down between the largest that starts at once and the next larger that does not. */
static bool narrow(struct explainer *x, struct submission *sub, enum idea_kind kind, usec_t latest, bool *pass)
{
	for (int round = 0; round < 6; round++) {
		const struct idea *good = NULL, *bad = NULL;

		for (guint k = 0; k < x->out->ideas->len; k++) {
			const struct idea *i = x->out->ideas->pdata[k];
			if (i->kind == kind && !i->change->twice && answer_at_once(&i->answer) &&
			    (!good || i->kept > good->kept))
				good = i;
		}
		for (guint k = 0; good && k < x->out->ideas->len; k++) {
			const struct idea *i = x->out->ideas->pdata[k];
			if (i->kind == kind && !i->change->twice && !answer_at_once(&i->answer) &&
			    i->kept > good->kept && (!bad || i->kept < bad->kept))
				bad = i;
		}
		struct idea *next =
		    good ? idea_between(sub, &x->target, sim_controller(x->session.sim), good, bad) : NULL;
		if (!next)
			return true;
		g_ptr_array_add(x->out->ideas, next);
		if (!ask(x, sub, x->out->ideas, x->out->ideas->len - 1, latest, pass))
			return false;
	}
	return true;
}

/* How long is it worth to look? Until it started as it was; first of all that is found out. */
static bool ask_all(struct explainer *x, struct submission *sub, bool *pass)
{
	GPtrArray *none = g_ptr_array_new();
	struct answer base = {0};

	*pass = true;
	if (x->out->own && x->out->own->len && !ask(x, sub, x->out->own, 0, INT64_MAX, pass))
		return false;
	if (!x->wish->ideas) {
		g_ptr_array_unref(none);
		return true;
	}
	g_ptr_array_add(none, NULL);
	*pass = whatif_ask(x->whatif, sub, none, INT64_MAX, &base);
	g_ptr_array_unref(none);
	if (whatif_child(x->whatif))
		return false;
	x->out->ideas = ideas_for(sub, &x->target, sim_controller(x->session.sim));
	if (answer_at_once(&base)) { /* nothing can help */
		g_ptr_array_set_size(x->out->ideas, 0);
		return true;
	}
	usec_t latest = base.kind == ANSWER_STARTED ? base.start : INT64_MAX;
	if (!ask(x, sub, x->out->ideas, 0, latest, pass))
		return false;
	drop_refused(x->out->ideas);
	return narrow(x, sub, IDEA_TIME, latest, pass) && narrow(x, sub, IDEA_SIZE, latest, pass);
}

static bool on_submission(void *data, struct submission *sub, uint32_t id)
{
	struct explainer *x = data;
	bool pass = true;

	if (x->seen || !target_is(&x->target, sub->label, id))
		return true;
	x->seen = true;
	if (x->wish->ideas || x->out->own)
		ask_all(x, sub, &pass);
	return pass;
}

static void on_refused(void *data, uint32_t id, const char *label, const char *message)
{
	struct explainer *x = data;

	(void)label;
	if (x->seen && id == x->target.id && !x->refused)
		x->refused = g_strdup(message);
}

static bool on_instant(void *data, usec_t now)
{
	struct explainer *x = data;
	usec_t start;

	(void)now;
	return x->refused || (x->seen && target_started(&x->target, sim_controller(x->session.sim), x->run, &start));
}

/* ---- the whole ---- */

static int complain(const struct explainer *x, GError *error, int code)
{
	tool_complain(x->session.options->command, "%s", error->message);
	g_error_free(error);
	return code;
}

static int tell_story(struct explainer *x)
{
	const struct tool_options *o = x->session.options;
	GError *error = NULL;

	if (x->refused) {
		tool_complain(o->command, "job %s was refused at its submission: %s", x->wish->job, x->refused);
		return EXIT_USAGE;
	}
	if (!recorder_finish(x->session.recorder, &error))
		return complain(x, error, EXIT_RUN);
	x->out->story = story_read(recorder_db(x->session.recorder), x->wish->job, x->wish->run, &error);
	if (!x->out->story)
		return complain(x, error, EXIT_USAGE);
	spread_looks(x, x->out->story);
	return EXIT_GOOD;
}

static bool read_own(struct explainer *x)
{
	for (char **text = x->wish->what_if; text && *text; text++) {
		GError *error = NULL;
		struct idea *i = g_new0(struct idea, 1);

		i->change = change_parse(*text, &error);
		if (!i->change) {
			tool_complain("whypend explain", "--what-if \"%s\": %s", *text, error->message);
			g_error_free(error);
			idea_free(i);
			return false;
		}
		i->what = g_strdup("as you asked");
		i->kept = 1;
		if (!x->out->own)
			x->out->own = g_ptr_array_new_with_free_func(idea_free);
		g_ptr_array_add(x->out->own, i);
	}
	return true;
}

static int run(struct explainer *x, const struct tool_options *options)
{
	const struct sim_hooks hooks = {on_instant, on_submission, on_refused, x, NULL};
	int code = session_open(&x->session, options, SESSION_RECORD, NULL);

	if (code != EXIT_GOOD)
		return code;
	x->whatif = whatif_new(x->session.sim, options, &x->target);
	x->out->slurm_version = g_strdup(x->session.scenario->slurm_version);
	sim_watch(x->session.sim, on_step, on_pass, NULL, x);
	sim_set_hooks(x->session.sim, &hooks);
	code = session_go(&x->session);
	if (whatif_child(x->whatif))
		whatif_child_end(x->whatif);
	return code;
}

int explain_scenario(struct explanation *e, const struct tool_options *options, const struct explain_wish *wish)
{
	struct explainer x = {.out = e, .wish = wish, .run = (uint32_t)MAX(0, wish->run)};
	int code;

	target_init(&x.target, wish->job);
	x.looks = g_array_new(FALSE, FALSE, sizeof(struct look));
	code = read_own(&x) ? run(&x, options) : EXIT_USAGE;
	if (code == EXIT_GOOD)
		code = tell_story(&x);
	if (x.whatif)
		whatif_free(x.whatif);
	session_close(&x.session);
	target_clear(&x.target);
	g_array_unref(x.looks);
	g_free(x.refused);
	return code;
}
