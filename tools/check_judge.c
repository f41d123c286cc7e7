/* check_judge.c - the claims of an entry judged over the record of a run; see check_inside.h. */
#include "tools/check_inside.h"
#include <math.h>
#include <string.h>

/* ---- claims of a job ---- */

static char *judge_order(struct judging *g, const struct claim *c)
{
	struct facts other;
	char *a, *b, *text = NULL;
	bool ok;

	read_facts(g->j, c->text, 0, &other);
	if (!other.known) {
		facts_clear(&other);
		return unknown_job(g, c->text, c->line, c->column);
	}
	sec_t mine = g->facts.started ? usec_to_sec(g->facts.start) : INT64_MAX;
	sec_t its = other.started ? usec_to_sec(other.start) : INT64_MAX;
	if (c->kind == CLAIM_STARTS_BEFORE)
		ok = mine < its;
	else if (c->kind == CLAIM_STARTS_AFTER)
		ok = mine > its;
	else
		ok = mine == its && g->facts.started;
	if (!ok) {
		a = start_words(g->j, g->e->job, &g->facts);
		b = start_words(g->j, c->text, &other);
		text = g_strdup_printf("%s, %s", a, b);
		g_free(a);
		g_free(b);
		if (c->kind == CLAIM_STARTS_AFTER) /* why did the other wait so long? */
			g->concerned = g_strdup(c->text);
	}
	facts_clear(&other);
	return text;
}

static char *judge_start(const struct judging *g, const struct claim *c)
{
	const struct facts *f = &g->facts;
	double at = f->started ? (double)usec_to_sec(f->start - g->j->start) : INFINITY;
	bool ok = c->kind == CLAIM_STARTS ? f->started == c->yes
	                                  : f->started && floor(at) >= floor(c->low) && floor(at) <= c->high;

	return ok ? NULL : start_words(g->j, g->e->job, f);
}

static char *judge_wait(const struct judging *g, const struct claim *c)
{
	const struct facts *f = &g->facts;
	char *wait, *text;

	if (f->refused || !f->has_run)
		return start_words(g->j, g->e->job, f);
	if (within(c, (double)f->wait / 1e6) && f->all_started)
		return NULL;
	wait = seconds_words(f->wait);
	text = g_strdup_printf(f->all_started ? "%s waited %s" : "%s waited %s and never started", g->e->job, wait);
	g_free(wait);
	return text;
}

static char *judge_end(const struct judging *g, const struct claim *c)
{
	const struct facts *f = &g->facts;

	if (f->refused)
		return start_words(g->j, g->e->job, f);
	/* "CANCELLED by 1000" */
	if (g_str_has_prefix(f->ends, c->text) && !strchr(f->ends, ',') &&
	    (f->ends[strlen(c->text)] == '\0' || f->ends[strlen(c->text)] == ' '))
		return NULL;
	return g_strdup_printf("%s ended as %s", g->e->job, f->ends);
}

/* What sbatch prints before and after the message itself is left out. */
static bool message_fits(const char *said, const char *wanted)
{
	static const char *const before[] = {
	    "sbatch: error: Batch job submission failed: ", "Batch job submission failed: ", "sbatch: error: "};
	char *a, *b;
	bool fits;

	for (size_t i = 0; i < G_N_ELEMENTS(before); i++)
		if (g_str_has_prefix(wanted, before[i])) {
			wanted += strlen(before[i]);
			break;
		}
	a = g_utf8_casefold(said, -1);
	b = g_utf8_casefold(wanted, -1);
	fits = strstr(a, b) != NULL;
	g_free(a);
	g_free(b);
	return fits;
}

static char *judge_refusal(const struct judging *g, const struct claim *c)
{
	const struct facts *f = &g->facts;

	if (f->refused == c->yes && (!c->text || message_fits(f->refusal, c->text)))
		return NULL;
	return f->refused ? start_words(g->j, g->e->job, f) : g_strdup_printf("%s was accepted", g->e->job);
}

static char *judge_requeued(const struct judging *g, const struct claim *c)
{
	if (within(c, g->facts.requeued))
		return NULL;
	return g_strdup_printf("%s was requeued %u time%s", g->e->job, g->facts.requeued,
	                       g->facts.requeued == 1 ? "" : "s");
}

static char *judge_reasons(const struct judging *g, const struct claim *c)
{
	GPtrArray *list;
	char *all, *text = NULL;
	bool found = false;

	if (g->facts.refused)
		return start_words(g->j, g->e->job, &g->facts);
	list = reasons_of(g->j, &g->facts, g->e->run);
	for (guint i = 0; i < list->len; i++)
		found = found || g_ascii_strcasecmp(list->pdata[i], c->text) == 0;
	if (found != (c->kind == CLAIM_WAITED_FOR)) {
		g_ptr_array_add(list, NULL);
		all = g_strjoinv(", ", (char **)list->pdata);
		text = *all ? g_strdup_printf("%s waited for: %s", g->e->job, all)
		            : g_strdup_printf("%s did not wait", g->e->job);
		g_free(all);
	}
	g_ptr_array_unref(list);
	return text;
}

static bool is_job(const struct facts *f, uint32_t id, uint32_t task)
{
	return f->id == id && (f->task == NO_VAL || f->task == task);
}

/* "job 7, job 12_3": who made it go, each once. */
static char *preemptors(const struct judging *g, const struct facts *wanted, bool *found)
{
	const GArray *all = g->j->preemptions;
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	char *text;

	for (guint i = 0; i < all->len; i++) {
		const struct preemption *p = &g_array_index(all, struct preemption, i);
		char *id;

		if (!is_job(&g->facts, p->victim, p->victim_task))
			continue;
		*found = *found || (wanted && is_job(wanted, p->by, p->by_task));
		id = p->by_task == NO_VAL ? g_strdup_printf("job %u", p->by)
		                          : g_strdup_printf("job %u_%u", p->by, p->by_task);
		if (g_ptr_array_find_with_equal_func(names, id, g_str_equal, NULL))
			g_free(id);
		else
			g_ptr_array_add(names, id);
	}
	g_ptr_array_add(names, NULL);
	text = g_strjoinv(", ", (char **)names->pdata);
	g_ptr_array_unref(names);
	return text;
}

static char *judge_preempted(struct judging *g, const struct claim *c)
{
	struct facts other = {.task = NO_VAL};
	bool found = false, known = true;
	char *by, *text;

	if (c->text) {
		read_facts(g->j, c->text, 0, &other);
		known = other.known;
	}
	by = preemptors(g, c->text ? &other : NULL, &found);
	facts_clear(&other);
	if (!known)
		text = unknown_job(g, c->text, c->line, c->column);
	else if (c->text ? found : (*by != '\0') == c->yes)
		text = NULL;
	else if (*by)
		text = g_strdup_printf("%s was preempted by %s", g->e->job, by);
	else
		text = g_strdup_printf("%s was not preempted", g->e->job);
	g_free(by);
	return text;
}

static char *judge_job(struct judging *g, const struct claim *c)
{
	switch (c->kind) {
	case CLAIM_STARTS_BEFORE:
	case CLAIM_STARTS_AFTER:
	case CLAIM_STARTS_WITH:
		return judge_order(g, c);
	case CLAIM_STARTS:
	case CLAIM_STARTS_AT:
	case CLAIM_STARTS_BY:
		return judge_start(g, c);
	case CLAIM_WAITS:
		return judge_wait(g, c);
	case CLAIM_ENDS:
		return judge_end(g, c);
	case CLAIM_REFUSED:
		return judge_refusal(g, c);
	case CLAIM_REQUEUED:
		return judge_requeued(g, c);
	case CLAIM_PREEMPTED_BY:
		return judge_preempted(g, c);
	case CLAIM_WAITED_FOR:
	case CLAIM_NEVER_WAITED_FOR:
		return judge_reasons(g, c);
	default:
		g_assert_not_reached();
	}
}

/* ---- an entry ---- */

static char *judge_claim(struct judging *g, const struct claim *c)
{
	if (g->e->job && !g->facts.known)
		return unknown_job(g, g->e->job, g->e->line, g->e->column);
	if (c->kind < CLAIM_STATE)
		return judge_job(g, c);
	if (c->kind < CLAIM_MAX_WAIT)
		return judge_moment(g, c);
	if (c->kind == CLAIM_MAX_WAIT || c->kind == CLAIM_RANGE)
		return judge_class(g, c);
	return judge_passes(g, c);
}

static void append(GString *s, char *taken)
{
	g_string_append_printf(s, "%s%s", s->len ? "; " : "", taken);
	g_free(taken);
}

struct verdict *check_judge(const struct judge *j, const struct expect *e, const struct seen *seen)
{
	struct judging g = {.j = j, .e = e, .seen = seen};
	struct verdict *v = g_new0(struct verdict, 1);
	GString *expected = g_string_new(NULL), *happened = g_string_new(NULL);

	v->name = expect_words(e);
	v->rules = g_strdupv(e->rules);
	v->line = e->line;
	v->column = e->column;
	if (e->job)
		read_facts(j, e->job, e->run, &g.facts);
	for (guint i = 0; i < e->claims->len && !g.wrong; i++) {
		const struct claim *c = &g_array_index(e->claims, struct claim, i);
		char *what = judge_claim(&g, c);

		if (!what)
			continue;
		append(expected, claim_words(e, c));
		append(happened, what);
	}
	v->outcome = g.wrong ? CHECK_WRONG : happened->len ? CHECK_FAILS : CHECK_HOLDS;
	if (v->outcome == CHECK_FAILS)
		v->explanation = check_story(&g);
	v->expected = expected->len ? g_strdup(expected->str) : NULL;
	v->happened = g.wrong ? g_strdup(g.wrong) : happened->len ? g_strdup(happened->str) : NULL;
	g_string_free(expected, TRUE);
	g_string_free(happened, TRUE);
	facts_clear(&g.facts);
	g_free(g.concerned);
	g_free(g.wrong);
	return v;
}
