/* expect_words.c - expectations in words; see expect.h. */
#include "scenarios/expect.h"
#include <math.h>
#include <string.h>

/* "5", "0.25": a number without surplus digits. */
static char *number(double n)
{
	return g_strdup_printf("%.12g", n);
}

/* "5", "from 3 to 5", "at most 5", "at least 3" */
static char *range(const struct claim *c, const char *unit)
{
	char *low = number(c->low), *high = number(c->high), *text;

	if (c->low == c->high)
		text = g_strdup_printf("%s%s", low, unit);
	else if (isinf(c->low) && isinf(c->high))
		text = g_strdup("any");
	else if (isinf(c->low))
		text = g_strdup_printf("at most %s%s", high, unit);
	else if (isinf(c->high))
		text = g_strdup_printf("at least %s%s", low, unit);
	else
		text = g_strdup_printf("from %s to %s%s", low, high, unit);
	g_free(low);
	g_free(high);
	return text;
}

static char *class_words(const struct expect *e)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; e->class && i < e->class->len; i++) {
		const struct class_part *p = e->class->pdata[i];
		char *names = g_strjoinv(" or ", p->names);

		g_string_append_printf(s, "%s%s %s", i ? ", " : "", p->key, names);
		g_free(names);
	}
	return g_string_free(s, FALSE);
}

static char *idx_words(char **idx)
{
	GString *s = g_string_new(NULL);

	for (char **p = idx; p && p[0] && p[1]; p += 2)
		g_string_append_printf(s, "%s%s on %s", s->len ? ", " : "", p[1], p[0]);
	return g_string_free(s, FALSE);
}

static char *of_class(const struct expect *e, const struct claim *c)
{
	char *class = class_words(e), *span = range(c, c->kind == CLAIM_MAX_WAIT ? " s" : ""), *text;
	const char *of = *class ? " of " : "";

	if (c->kind == CLAIM_MAX_WAIT)
		text = g_strdup_printf("no job%s%s waits longer than %s", of, class, span + strlen("at most "));
	else
		text = g_strdup_printf("%s%s%s is %s", e->metric ? e->metric : "", of, class, span);
	g_free(class);
	g_free(span);
	return text;
}

static char *of_moment(const struct expect *e, const struct claim *c)
{
	char *what = c->kind == CLAIM_GPU_IDX ? idx_words(c->idx) : c->text ? g_strdup(c->text) : range(c, "");
	char *at = number(e->at), *text;

	if (c->kind == CLAIM_PRIORITY_ABOVE)
		text = g_strdup_printf("at %s s %s has a priority above that of %s", at, e->job, what);
	else if (c->kind == CLAIM_STATE)
		text = g_strdup_printf("at %s s %s is %s", at, e->job, what);
	else if (c->kind == CLAIM_REASON)
		text = g_strdup_printf("at %s s %s has the reason %s", at, e->job, what);
	else if (c->kind == CLAIM_NODES)
		text = g_strdup_printf("at %s s %s is on %s", at, e->job, what);
	else if (c->kind == CLAIM_GPU_IDX)
		text = g_strdup_printf("at %s s %s has GPUs %s", at, e->job, what);
	else
		text = g_strdup_printf("at %s s %s has %s %s", at, e->job, claim_key(c->kind), what);
	g_free(what);
	g_free(at);
	return text;
}

static char *of_job(const struct expect *e, const struct claim *c)
{
	static const char *const VERBS[N_CLAIMS] = {
	    [CLAIM_STARTS_BEFORE] = "starts before",
	    [CLAIM_STARTS_AFTER] = "starts after",
	    [CLAIM_STARTS_WITH] = "starts with",
	    [CLAIM_WAITS] = "waits",
	    [CLAIM_ENDS] = "ends as",
	    [CLAIM_WAITED_FOR] = "waits for",
	    [CLAIM_NEVER_WAITED_FOR] = "never waits for",
	};
	char *what = c->text ? g_strdup(c->text) : range(c, c->kind == CLAIM_REQUEUED ? "" : " s"), *text;
	char *run = e->run ? g_strdup_printf(" (run %u)", e->run) : g_strdup("");

	switch (c->kind) {
	case CLAIM_STARTS:
		text = g_strdup_printf("%s%s %s", e->job, run, c->yes ? "starts" : "never starts");
		break;
	case CLAIM_STARTS_BY:
		text = g_strdup_printf("%s%s starts by %s", e->job, run, what + strlen("at most "));
		break;
	case CLAIM_REFUSED:
		if (c->text)
			text = g_strdup_printf("%s is refused: %s", e->job, c->text);
		else
			text = g_strdup_printf("%s is %s", e->job, c->yes ? "refused" : "accepted");
		break;
	case CLAIM_REQUEUED:
		text =
		    g_strdup_printf("%s is requeued %s time%s", e->job, what, c->low == 1 && c->high == 1 ? "" : "s");
		break;
	case CLAIM_PREEMPTED_BY:
		if (c->text)
			text = g_strdup_printf("%s is preempted by %s", e->job, c->text);
		else
			text = g_strdup_printf("%s is %spreempted", e->job, c->yes ? "" : "never ");
		break;
	case CLAIM_STARTS_AT:
		text = g_strdup_printf("%s%s starts %s%s", e->job, run, c->low == c->high ? "at " : "", what);
		break;
	default:
		text = g_strdup_printf("%s%s %s %s", e->job, run, VERBS[c->kind], what);
	}
	g_free(what);
	g_free(run);
	return text;
}

char *claim_words(const struct expect *e, const struct claim *c)
{
	char *span, *text;

	if (c->kind == CLAIM_MAX_WAIT || c->kind == CLAIM_RANGE)
		return of_class(e, c);
	if (c->kind >= CLAIM_PASSES) {
		span = range(c, "");
		text = g_strdup_printf("the run takes %s %s", span,
		                       c->kind == CLAIM_PASSES ? "passes of the main scheduler" : "cycles of backfill");
		g_free(span);
		return text;
	}
	return c->kind >= CLAIM_STATE ? of_moment(e, c) : of_job(e, c);
}

char *expect_words(const struct expect *e)
{
	GString *s;

	if (e->name)
		return g_strdup(e->name);
	s = g_string_new(NULL);
	for (guint i = 0; i < e->claims->len; i++) {
		char *text = claim_words(e, &g_array_index(e->claims, struct claim, i));

		g_string_append_printf(s, "%s%s", i ? "; " : "", text);
		g_free(text);
	}
	return g_string_free(s, FALSE);
}
