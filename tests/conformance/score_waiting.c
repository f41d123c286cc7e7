/* score_waiting.c - why jobs waited, with which priority, what backfill planned for them, and what was refused. */
#include "tests/conformance/score_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reasons ---- */

static void score_reasons(const struct scoring *c, const struct job_story *s)
{
	bool pinned = c->rules->pinned;
	const struct job_story *sim = run_find(c->sim, s->label);
	const struct job_story *second = c->record->second ? run_find(c->record->second, s->label) : NULL;
	if (c->record->second && (!second || !score_reasons_agree(s->reasons, second->reasons, pinned)))
		return;
	char *real_text = g_strjoinv(">", s->reasons), *sim_text = g_strjoinv(">", sim ? sim->reasons : s->reasons);
	score_check(c->score, M_REASONS, sim && score_reasons_agree(s->reasons, sim->reasons, pinned), s->label,
	            "reasons", real_text, sim ? sim_text : "(no such job)", -1);
	g_free(real_text);
	g_free(sim_text);
}

/* ---- priority ---- */

/* CERTAIN: no second recording says otherwise. */
static void check_priority(const struct scoring *c, const struct job_story *s, const char *field, bool certain,
                           gint64 real, const gint64 *sim)
{
	char a[32], b[32] = "(no such job)";
	gint64 step = c->rules->pinned ? 0 : MAX(s->priority_step, c->rules->priority_step);
	if (real == NO_PRIORITY || !certain)
		return;
	snprintf(a, sizeof a, "%" G_GINT64_FORMAT, real);
	if (sim)
		snprintf(b, sizeof b, "%" G_GINT64_FORMAT, *sim);
	score_check(c->score, M_PRIORITY, sim && *sim != NO_PRIORITY && llabs(real - *sim) <= step, s->label, field, a,
	            b, -1);
}

static bool same_in_accounting(const struct job_story *a, const struct job_story *b)
{
	for (guint k = 0; k < a->runs->len; k++)
		if (!story_run(b, k) || story_run(a, k)->priority != story_run(b, k)->priority)
			return false;
	return true;
}

/*
 * The last priority is that of the last look at the queue. The column priority_last of jobs.csv is no measure of it:
 * with accounting it is what sacct says, and there stands the priority with which the job came. It only tells whether
 * two recordings agree.
 */
static void score_priority(const struct scoring *c, const struct job_story *s)
{
	const struct job_story *sim = run_find(c->sim, s->label);
	const struct job_story *second = c->record->second ? run_find(c->record->second, s->label) : NULL;
	bool alone = !c->record->second, first = alone || (second && second->priority_first == s->priority_first);
	check_priority(c, s, "priority first", first, s->priority_first, sim ? &sim->priority_first : NULL);
	check_priority(c, s, "priority last", alone || (second && same_in_accounting(s, second)), s->priority_last,
	               sim ? &sim->priority_last : NULL);
}

void score_waiting(const struct scoring *c)
{
	for (guint i = 0; i < c->record->run->stories->len; i++) {
		score_reasons(c, c->record->run->stories->pdata[i]);
		score_priority(c, c->record->run->stories->pdata[i]);
	}
}

/* ---- plans ---- */

static bool same_plan_of(const struct plan *a, const struct plan *b)
{
	return a->cycle_ms == b->cycle_ms && strcmp(a->label, b->label) == 0;
}

/* How many plans before the I-th are of the same job in the same cycle (tasks of one array). */
static guint rank_of(const GPtrArray *plans, guint i)
{
	guint rank = 0;
	const struct plan *p = plans->pdata[i];
	for (guint j = i; j-- > 0;) {
		const struct plan *q = plans->pdata[j];
		if (q->cycle_ms != p->cycle_ms)
			break;
		rank += same_plan_of(p, q);
	}
	return rank;
}

/* The RANK-th plan like P in CYCLE's plans; NULL = none. */
static const struct plan *counterpart(const GPtrArray *plans, const struct plan *p, guint rank)
{
	for (guint i = 0; i < plans->len; i++) {
		const struct plan *q = plans->pdata[i];
		if (q->cycle_ms > p->cycle_ms)
			break;
		if (same_plan_of(p, q) && rank-- == 0)
			return q;
	}
	return NULL;
}

static void check_plan(const struct scoring *c, const struct plan *real, const struct plan *sim)
{
	const struct plan *known = real ? real : sim;
	int pass = record_pass_at(c->record, (double)known->cycle_ms / 1000.0);
	char a[32] = "none", b[32] = "none";
	if (real)
		snprintf(a, sizeof a, "%" G_GINT64_FORMAT, real->start);
	if (sim)
		snprintf(b, sizeof b, "%" G_GINT64_FORMAT, sim->start);
	score_check(c->score, M_PLANS, real && sim && real->start == sim->start, known->label, "planned start", a, b,
	            pass);
	score_check(c->score, M_PLANS, real && sim && strcmp(real->nodes, sim->nodes) == 0, known->label,
	            "planned nodes", real ? real->nodes : "none", sim ? sim->nodes : "none", pass);
}

void score_plans(const struct scoring *c)
{
	const GPtrArray *real = c->record->run->plans, *sim = c->sim->plans;
	if (!c->rules->pinned)
		return;
	for (guint i = 0; i < real->len; i++)
		check_plan(c, real->pdata[i], counterpart(sim, real->pdata[i], rank_of(real, i)));
	for (guint i = 0; i < sim->len; i++)
		if (!counterpart(real, sim->pdata[i], rank_of(sim, i)))
			check_plan(c, NULL, sim->pdata[i]);
}

/* ---- refusals ---- */

void score_refusals(const struct scoring *c)
{
	const GPtrArray *real = c->record->run->answers, *sim = c->sim->answers;
	for (guint i = 0; i < real->len; i++) {
		const struct answer *r = real->pdata[i], *m = i < sim->len ? sim->pdata[i] : NULL;
		bool refused = m && m->refused;
		if (!r->refused && !refused)
			continue;
		const char *told = !m ? "(nothing)" : refused ? m->message : "accepted";
		score_check(c->score, M_REFUSALS, r->refused && refused && score_messages_agree(r->message, m->message),
		            r->name, "refusal", r->refused ? r->message : "accepted", told, -1);
		if (r->refused)
			score_check(c->score, M_REFUSALS, refused && m->id_used == r->id_used, r->name, "job id used",
			            r->id_used ? "yes" : "no",
			            !refused     ? "accepted"
			            : m->id_used ? "yes"
			                         : "no",
			            -1);
	}
}
