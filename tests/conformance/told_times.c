/* told_times.c - see told_times.h */
#include "tests/conformance/told_times.h"
#include <math.h>
#include <string.h>

#define RETURN 0.002  /* seconds from the controller's answer to the end of sbatch */
#define COMMAND 0.02  /* from the start of scontrol or scancel until the controller acts: median */
#define TOLD 0.008 /* from the end of a script until the controller knows of it */
#define DATABASE 0.35 /* sacctmgr: by way of slurmdbd (pinned.c) */

static void set_submissions(const struct replay *r)
{
	double last = -G_MAXDOUBLE; /* 0.1 s is the unit of some records: they came one after the other all the same */
	for (guint i = 0; i < r->record->told->len; i++) {
		const struct told *t = r->record->told->pdata[i];
		struct submission *sub = replay_submission(r, i);
		last = fmax(last, t->done - RETURN);
		if (sub)
			sub->at = replay_time(r, last);
	}
}

static double acted(const struct record *record, const char *command, double t)
{
	(void)record;
	return t + (g_str_has_prefix(command, "sacctmgr") ? DATABASE : COMMAND);
}

void told_times_set(struct replay *r)
{
	set_submissions(r);
	replay_time_commands(r, acted);
}

/* ---- ends ---- */

static bool is_of_run(const struct happening *h, const struct happening *of)
{
	return h->run == of->run && strcmp(h->job, of->job) == 0;
}

/* The last message about that run, seconds after its END; NAN = none. */
static double message_after(const struct record *record, const struct happening *end)
{
	double after = NAN;
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		bool message = strcmp(h->what, "epilog_message") == 0 || strcmp(h->detail, "epilog message") == 0;
		if (message && is_of_run(h, end))
			after = h->t - end->t;
	}
	return after;
}

/* How long that run took until its END was told, time suspended not counted; NAN = not known. Processes that have ended a moment before they were to be
 * suspended are gone by then. */
static double length_of(const struct record *record, const struct happening *end)
{
	double length = NAN, runs_since = NAN;
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		if (!is_of_run(h, end) || h->t > end->t)
			continue;
		if (g_str_has_prefix(h->what, "alloc_")) {
			length = 0;
			runs_since = h->t;
		} else if (strcmp(h->what, "gang_suspend") == 0 && !isnan(runs_since)) {
			length += h->t - runs_since;
			runs_since = NAN;
			if (end->t - h->t < TOLD)
				return length - (TOLD - (end->t - h->t));
		} else if (strcmp(h->what, "gang_resume") == 0) {
			runs_since = h->t;
		}
	}
	return length + end->t - runs_since;
}

void told_times_ends(const struct replay *r, struct sim *sim)
{
	for (guint i = 0; i < r->record->happenings->len; i++) {
		const struct happening *end = r->record->happenings->pdata[i];
		bool killed = strcmp(end->what, "preempted") == 0 || strcmp(end->what, "time_limit") == 0, by_itself = strcmp(end->what, "job_end") == 0;
		double after = killed || by_itself ? message_after(r->record, end) : NAN, length = by_itself ? length_of(r->record, end) : NAN;
		if (after > 0)
			sim_pin_message(sim, end->job, end->run, killed, (usec_t)(after * USEC));
		if (length > 0)
			sim_pin_length(sim, end->job, end->run, (usec_t)(length * USEC));
	}
}
