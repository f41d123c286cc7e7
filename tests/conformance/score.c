/* score.c - see score.h: counting, and the comparisons. */
#include "tests/conformance/score.h"
#include "tests/conformance/score_parts.h"
#include <math.h>
#include <string.h>

const char *const measure_names[N_MEASURES] = {
    [M_STATE] = "state",         [M_START] = "start",      [M_ORDER] = "order",       [M_NODES] = "nodes",
    [M_PLACEMENT] = "placement", [M_REASONS] = "reasons",  [M_PRIORITY] = "priority", [M_PLANS] = "plans",
    [M_SNAPSHOTS] = "snapshots", [M_SDIAG] = "sdiag", [M_REFUSALS] = "refusals"};

static void difference_free(void *data)
{
	struct difference *d = data;
	g_free(d->job);
	g_free(d->field);
	g_free(d->real);
	g_free(d->simulated);
	g_free(d);
}

struct score *score_new(void)
{
	struct score *s = g_new0(struct score, 1);
	s->differences = g_ptr_array_new_with_free_func(difference_free);
	return s;
}

void score_free(struct score *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->differences);
	g_free(s);
}

void score_check(struct score *s, enum measure m, bool agree, const char *job, const char *field, const char *real,
                 const char *simulated, int pass)
{
	s->of[m].scored++;
	s->of[m].agree += agree;
	if (agree)
		return;
	struct difference *d = g_new0(struct difference, 1);
	d->job = g_strdup(job);
	d->field = g_strdup(field);
	d->real = g_strdup(real);
	d->simulated = g_strdup(simulated);
	d->pass = pass;
	g_ptr_array_add(s->differences, d);
}

double score_tolerance(const struct score_rules *rules, const struct job_run *real, const struct job_run *second)
{
	bool only_backfill = real->by_backfill && (!second || second->by_backfill);
	return rules->tolerance + (only_backfill ? rules->backfill_extra : 0);
}

bool score_times_agree(gint64 real, gint64 simulated, double tolerance)
{
	if (real == NO_TIME || simulated == NO_TIME)
		return real == simulated;
	return fabs((double)(real - simulated)) <= tolerance;
}

static bool all_in(char *const *list, char *const *other)
{
	for (; *list; list++)
		if (!g_strv_contains((const char *const *)other, *list))
			return false;
	return true;
}

bool score_reasons_agree(char *const *real, char *const *simulated, bool pinned)
{
	guint n = g_strv_length((char **)real), m = g_strv_length((char **)simulated);
	if (pinned)
		return g_strv_equal((const char *const *)real, (const char *const *)simulated);
	if (n == 0 || m == 0)
		return n == m;
	return strcmp(real[0], simulated[0]) == 0 && strcmp(real[n - 1], simulated[m - 1]) == 0 &&
	       all_in(real, simulated) && all_in(simulated, real);
}

#define FAILED "Batch job submission failed: "

/* Letters and digits in lower case. */
static char *bare(const char *text)
{
	GString *out = g_string_new(NULL);
	for (; *text; text++)
		if (g_ascii_isalnum(*text))
			g_string_append_c(out, g_ascii_tolower(*text));
	return g_string_free(out, FALSE);
}

bool score_messages_agree(const char *real, const char *simulated)
{
	const char *why = strstr(real, FAILED), *told = strstr(simulated, FAILED);
	if (!why)
		return true;
	char *a = bare(why + strlen(FAILED)), *all = bare(real), *b = bare(told ? told + strlen(FAILED) : simulated);
	bool agree = *b && (strstr(b, a) || strstr(all, b));
	g_free(a);
	g_free(all);
	g_free(b);
	return agree;
}

const struct job_run *scoring_second(const struct scoring *c, const char *label, guint k, bool *single)
{
	*single = !c->record->second;
	return *single ? NULL : story_run(run_find(c->record->second, label), k);
}

struct score *score_run(const struct record *record, const struct run *sim, const struct score_rules *rules)
{
	struct run *nothing = sim ? NULL : run_new();
	struct scoring c = {.record = record, .sim = sim ? sim : nothing, .rules = rules, .score = score_new()};
	score_jobs(&c);
	score_order(&c);
	score_waiting(&c);
	score_plans(&c);
	score_refusals(&c);
	run_free(nothing);
	return c.score;
}
