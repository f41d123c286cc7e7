/* turns.c - see turns.h */
#include "tests/conformance/turns.h"
#include "tests/conformance/starts.h"
#include <math.h>
#include <string.h>

#define LATE 0.05    /* seconds: a pass of the loop begins no later than that after its second; others are asked for by ends of jobs */
#define EARLY 0.015  /* nor sooner before it than that: some logs are cut to hundredths */
#define MESSAGE 0.02 /* a pass so soon after an epilog message was asked for by that */
#define REGISTERED 3 /* the first pass so long after the loop began */
#define ANSWER 0.004 /* an end counts so long after it (free.c) */

struct turn { /* a pass of the loop */
	double second;     /* of the turn */
	bool full, early;
};

static bool is_message(const struct happening *h)
{
	return strcmp(h->what, "epilog_message") == 0 || strcmp(h->detail, "epilog message") == 0;
}

static bool told_by_message(const struct record *record, const struct happening *end)
{
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		if (is_message(h) && h->run == end->run && strcmp(h->job, end->job) == 0)
			return true;
	}
	return false;
}

/* When something first asked the loop for a pass between the two times: the nodes that registered, a submission (one of a heterogeneous job does not), or an end that the
 * nodes told by their answer (S3). NAN = nothing. */
static double asked(const struct replay *r, double from, double to)
{
	const struct record *record = r->record;
	double registered = (double)(r->scenario->sim.nodes_register - r->t0) / USEC;
	if (registered > from && registered < to)
		return registered;
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		bool end = strcmp(h->what, "job_end") == 0;
		double t = h->t + (end ? ANSWER : 0);
		if (t > from && t < to && (strcmp(h->what, "submit") == 0 || (end && !told_by_message(record, h))))
			return t;
	}
	return NAN;
}

static bool follows_message(const struct record *record, double t)
{
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		if (is_message(h) && h->t <= t && h->t > t - MESSAGE)
			return true;
	}
	return false;
}

/* The first one is the second in which the loop began, from which its timers count. */
static GArray *passes_of_loop(const struct replay *r)
{
	const struct record *record = r->record;
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct turn));
	struct turn began = {.second = (double)(r->scenario->sim.controller_start - r->t0) / USEC, .full = true};
	g_array_append_val(list, began);
	for (guint i = 0; i < record->passes->len; i++) {
		const struct pass *p = record->passes->pdata[i];
		struct turn t = {.second = floor(p->t + EARLY), .full = strcmp(p->kind, "main_full") == 0};
		if (strcmp(p->kind, "backfill") == 0 || p->t - t.second >= LATE || follows_message(record, p->t))
			continue;
		t.early = p->t < t.second || starts_pass_began(record, i) < t.second;
		g_array_append_val(list, t);
	}
	return list;
}

/* The second that the turn read from its clock. */
static double read_second(const struct turn *t)
{
	return t->early ? t->second - 1 : t->second;
}

static void add(const struct replay *r, GArray *early, double second)
{
	sec_t t = usec_to_sec(replay_time(r, second));
	if (!early->len || g_array_index(early, sec_t, early->len - 1) < t)
		g_array_append_val(early, t);
}

/* LAST was early if NEXT comes a second sooner than WAIT after it. */
static void see_sooner(struct turn *last, const struct turn *next, double wait)
{
	last->early |= read_second(next) - last->second == wait - 1;
}

/* From the last pass to the first: what is known of the next one tells of the one before. */
static void see_early(GArray *turns, const struct sched_params *p)
{
	struct turn *quick = NULL, *full = NULL;
	for (guint i = turns->len; i-- > 0;) {
		struct turn *t = &g_array_index(turns, struct turn, i);
		if (quick)
			see_sooner(t, quick, p->batch_sched_delay);
		if (full && t->full)
			see_sooner(t, full, p->sched_interval);
		quick = t->full ? NULL : t;
		full = t->full ? t : full;
	}
}

double turns_loop_began(const struct replay *r, double second)
{
	const struct pass *first = NULL, *full = NULL;
	for (guint i = 0; i < r->record->passes->len; i++) {
		const struct pass *p = r->record->passes->pdata[i];
		if (!first && strcmp(p->kind, "backfill"))
			first = p;
		if (!full && strcmp(p->kind, "main_full") == 0)
			full = p;
	}
	bool later = first && full && floor(first->t + EARLY) == second + 1 + REGISTERED && floor(full->t + EARLY) == second + 1 + r->scenario->cluster->params->sched_interval;
	return later ? second + 1 : second;
}

GArray *turns_early(const struct replay *r)
{
	const struct sched_params *p = r->scenario->cluster->params;
	GArray *early = g_array_new(FALSE, FALSE, sizeof(sec_t)), *turns = passes_of_loop(r);
	const struct turn *last = NULL, *full = NULL;
	see_early(turns, p);
	for (guint i = 0; i < turns->len; i++) {
		const struct turn *next = &g_array_index(turns, struct turn, i);
		double due = last ? read_second(last) + p->batch_sched_delay : NAN;
		if (last && isnan(asked(r, last->second, due)))
			due = NAN;
		if (full && next->full && next->second == read_second(full) + p->sched_interval + 1)
			due = next->second - 1;
		if (due == next->second - 1)
			add(r, early, due);
		if (next->early)
			add(r, early, next->second);
		last = next;
		if (next->full)
			full = next;
	}
	g_array_unref(turns);
	return early;
}
