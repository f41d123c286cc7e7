/* starts.c - see starts.h. */
#include "tests/conformance/starts.h"
#include <math.h>
#include <string.h>

#define LOG_CUT 0.01     /* seconds: the logs of some 26.11 records are cut to hundredths, and a pass across a whole second stands before it */
#define WAKES_EARLY 0.02 /* seconds: a first line so shortly after a whole second may belong to a pass of the second before */

static bool is_backfill(const struct pass *p)
{
	return strcmp(p->kind, "backfill") == 0;
}

/* The pass in which a run that was allocated at T was started: the last of its kind that began until then. */
static int pass_of(const struct record *r, const struct job_run *j)
{
	int found = -1;
	for (guint i = 0; i < r->passes->len; i++) {
		const struct pass *p = r->passes->pdata[i];
		if (p->t > j->start_exact + 1e-9)
			break;
		if (is_backfill(p) == j->by_backfill)
			found = (int)i;
	}
	return found;
}

static bool has_start(const struct job_run *j)
{
	return j->start != NO_TIME && j->start_exact > 0;
}

/* The earliest second in which pass I started a job; NO_TIME = it started none. */
static gint64 first_second(const struct record *r, guint i)
{
	gint64 first = NO_TIME;
	for (guint k = 0; k < r->run->stories->len; k++) {
		const struct job_story *s = r->run->stories->pdata[k];
		for (guint n = 0; n < s->runs->len; n++) {
			const struct job_run *j = story_run(s, n);
			if (has_start(j) && pass_of(r, j) == (int)i && (first == NO_TIME || j->start < first))
				first = j->start;
		}
	}
	return first;
}

double starts_pass_began(const struct record *r, guint i)
{
	const struct pass *p = r->passes->pdata[i];
	double whole = floor(p->t);
	if (is_backfill(p) || p->t - whole >= WAKES_EARLY) /* backfill logs its beginning itself */
		return p->t;
	gint64 first = first_second(r, i);
	bool early = first == NO_TIME ? p->t - whole < 0.0015 : (double)first < whole;
	return early ? whole - 0.0005 : p->t;
}

void starts_pin(const struct replay *r, struct sim *sim)
{
	const struct record *record = r->record;
	for (guint k = 0; k < record->run->stories->len; k++) {
		const struct job_story *s = record->run->stories->pdata[k];
		for (guint n = 0; n < s->runs->len; n++) {
			const struct job_run *j = story_run(s, n);
			int pass = has_start(j) ? pass_of(record, j) : -1;
			if (pass < 0)
				continue;
			double began = starts_pass_began(record, (guint)pass);
			if ((double)j->start > began && (double)j->start <= j->start_exact + LOG_CUT)
				sim_pin_start(sim, s->label, n, replay_time(r, began), replay_time(r, (double)j->start));
		}
	}
}
