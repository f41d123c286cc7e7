/* check_moment.c - claims about a job at a moment; see check_inside.h. */
#include "tools/check_inside.h"
#include <math.h>
#include <string.h>

static char *idx_text(const struct seen *s)
{
	GString *t = g_string_new(NULL);

	for (guint i = 0; i + 1 < s->idx->len; i += 2)
		g_string_append_printf(t, "%s%s on %s", i ? ", " : "", (char *)s->idx->pdata[i + 1],
		                       (char *)s->idx->pdata[i]);
	return g_string_free(t, FALSE);
}

/* The nodes that are named must have just these GPUs. */
static bool idx_fits(const struct seen *s, char **wanted)
{
	for (char **p = wanted; p[0] && p[1]; p += 2) {
		bool found = false;

		for (guint i = 0; i + 1 < s->idx->len; i += 2)
			found =
			    found || (strcmp(s->idx->pdata[i], p[0]) == 0 && strcmp(s->idx->pdata[i + 1], p[1]) == 0);
		if (!found)
			return false;
	}
	return true;
}

static char *had(const struct judging *g, const char *what, char *taken)
{
	char *text = g_strdup_printf("at %.12g s %s %s %s", g->e->at, g->e->job, what, *taken ? taken : "none");

	g_free(taken);
	return text;
}

static char *number(uint32_t n)
{
	return g_strdup_printf("%u", n);
}

static char *judge_priority(struct judging *g, const struct claim *c)
{
	const struct seen *s = g->seen;

	if (!s->other_there) {
		struct facts other;
		bool known;

		read_facts(g->j, c->text, 0, &other);
		known = other.known;
		facts_clear(&other);
		return known ? g_strdup_printf("at %.12g s %s is not there", g->e->at, c->text)
		             : unknown_job(g, c->text, c->line, c->column);
	}
	if (s->priority > s->other_priority)
		return NULL;
	return g_strdup_printf("at %.12g s %s has priority %u, %s %u", g->e->at, g->e->job, s->priority, c->text,
	                       s->other_priority);
}

/* The state in which it had ended by then, its record being purged (C38); NULL = it had not come yet. */
static char *state_before(const struct judging *g)
{
	usec_t at = g->j->start + llround(g->e->at * 1e6);
	sqlite3_stmt *q = rows_of(g->j, &g->facts, "state, end_t", "ORDER BY run DESC, end_t DESC");
	char *state = NULL;

	while (!state && sqlite3_step(q) == SQLITE_ROW)
		if (sqlite3_column_int64(q, 1) > 0 && sqlite3_column_int64(q, 1) <= at)
			state = g_strdup((const char *)sqlite3_column_text(q, 0));
	sqlite3_finalize(q);
	return state;
}

/* No record was there at the moment: refused, not submitted yet, or purged. */
static char *judge_absent(const struct judging *g, const struct claim *c)
{
	char *state, *text;

	if (g->facts.refused)
		return start_words(g->j, g->e->job, &g->facts);
	state = state_before(g);
	if (!state)
		return g_strdup_printf("at %.12g s %s was not submitted yet", g->e->at, g->e->job);
	text = c->kind == CLAIM_STATE && g_str_has_prefix(state, c->text)
	           ? NULL
	           : g_strdup_printf("at %.12g s %s had ended as %s, and its record was purged", g->e->at, g->e->job,
	                             state);
	g_free(state);
	return text;
}

char *judge_moment(struct judging *g, const struct claim *c)
{
	const struct seen *s = g->seen;

	if (!s->there)
		return judge_absent(g, c);
	switch (c->kind) {
	case CLAIM_STATE:
		return strcmp(c->text, s->state) == 0 || strcmp(c->text, s->shown) == 0
		           ? NULL
		           : had(g, "is", g_strdup(s->shown));
	case CLAIM_REASON:
		return strcmp(c->text, s->reason) == 0 || (s->text && strcmp(c->text, s->text) == 0)
		           ? NULL
		           : had(g,
		                 strcmp(s->state, "PENDING") ? "is running or over; it has the reason"
		                                             : "has the reason",
		                 g_strdup(s->text ? s->text : s->reason));
	case CLAIM_NODES:
		return strcmp(c->text, s->nodes) == 0 ? NULL
		                                      : had(g, "is on", g_strdup(*s->nodes ? s->nodes : "no node"));
	case CLAIM_CPUS:
		return within(c, s->cpus) ? NULL : had(g, "has cpus", number(s->cpus));
	case CLAIM_GPUS:
		return within(c, s->gpus) ? NULL : had(g, "has gpus", number(s->gpus));
	case CLAIM_GPU_IDX:
		return idx_fits(s, c->idx) ? NULL : had(g, "has GPUs", idx_text(s));
	case CLAIM_PRIORITY_ABOVE:
		return judge_priority(g, c);
	case CLAIM_PRIORITY:
		return within(c, s->priority) ? NULL : had(g, "has priority", number(s->priority));
	default:
		g_assert_not_reached();
	}
}
