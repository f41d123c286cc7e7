/*
 * turns.c - turns of the once-a-second loop that a recorded controller missed.
 *
 * Now and then the loop of 26.11 wakes a hair before the second (S2), reads the second before from its clock, and what is due comes a second later: 13 of 900
 * passes in the 61 records, every fifth on the busier host of the ten further runs, where each shifts all passes after it. That is where the controller's
 * clock stood, and the log tells it without a look at any decision: a submission had asked for a pass, batch_sched_delay was over, or sched_interval, and the
 * pass came one second after that. A gap of more seconds has another cause, and counts as none; nor
 * does one under `defer`, where ends of jobs ask for no pass and a submission alone does not tell when one is due (S3).
 */
#include "tests/conformance/turns.h"
#include <math.h>
#include <string.h>

#define LATE 0.05 /* seconds: a pass of the loop is not later than that; others are asked for by ends of jobs */

/* Between the two times a submission came: when the first did; NAN = none. One of a heterogeneous job asks for nothing. */
static double submitted(const struct record *record, double from, double to)
{
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		if (strcmp(h->what, "submit") == 0 && h->t > from && h->t < to)
			return h->t;
	}
	return NAN;
}

static bool is_of_loop(const struct pass *p)
{
	return strcmp(p->kind, "backfill") && p->t - floor(p->t) < LATE;
}

GArray *turns_missed(const struct replay *r)
{
	const struct sched_params *params = r->scenario->cluster->params;
	const struct pass *last = NULL, *full = NULL;
	GArray *missed = g_array_new(FALSE, FALSE, sizeof(sec_t));
	for (guint i = 0; i < r->record->passes->len; i++) {
		const struct pass *p = r->record->passes->pdata[i];
		if (!is_of_loop(p))
			continue;
		double came = last ? submitted(r->record, last->t, p->t) : NAN;
		double due = isnan(came) ? INFINITY : fmax(floor(came) + 1, floor(last->t) + params->batch_sched_delay);
		if (full)
			due = fmin(due, floor(full->t) + params->sched_interval);
		if (due == floor(p->t) - 1 && !params->defer) {
			sec_t t = usec_to_sec(replay_time(r, due));
			g_array_append_val(missed, t);
		}
		last = p;
		if (strcmp(p->kind, "main_full") == 0)
			full = p;
	}
	return missed;
}
