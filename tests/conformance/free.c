/*
 * free.c - only the inputs are given: jobs and commands at their times in jobs.json, and where the controller's clock
 * stood.
 *
 * The recording host's own delays are inputs too: how long sbatch takes, a launch, an epilog. In a recording with a
 * faster clock (speed) they count for so many times more. An answer is there 4 ms after the end (pinned.c tells how that is known).
 */
#include "tests/conformance/replay.h"
#include <string.h>

#define SUBMIT_DELAY 0.02
#define SUBMIT_GAP 0.005

struct given { /* a submission or a command, at its time */
	usec_t *at;
	guint order;
};

static int by_time(const void *a, const void *b)
{
	const struct given *x = a, *y = b;
	if (*x->at != *y->at)
		return *x->at < *y->at ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* One after the other as the recorder gave them: at equal times jobs first, then commands. */
static void space_out(const struct replay *r)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct given));
	GPtrArray *subs = r->scenario->submissions, *events = r->scenario->events;
	for (guint i = 0; i < subs->len; i++) {
		struct given g = {&((struct submission *)subs->pdata[i])->at, i};
		g_array_append_val(all, g);
	}
	for (guint i = 0; i < events->len; i++) {
		struct given g = {&((struct scenario_event *)events->pdata[i])->at, subs->len + i};
		g_array_append_val(all, g);
	}
	g_array_sort(all, by_time);
	usec_t next = INT64_MIN;
	for (guint i = 0; i < all->len; i++) {
		usec_t *at = g_array_index(all, struct given, i).at;
		*at = MAX(*at + (usec_t)(SUBMIT_DELAY * r->record->speed * USEC), next);
		next = *at + (usec_t)(SUBMIT_GAP * r->record->speed * USEC);
	}
	g_array_unref(all);
}

/* The loop itself sets nodes down that do not answer: at its turns. */
static void down_at_turns(struct replay *r)
{
	for (guint i = 0; i < r->scenario->events->len; i++) {
		struct scenario_event *e = r->scenario->events->pdata[i];
		if (strstr(e->command, "state=noresp") || strstr(e->command, "reason='Not responding'"))
			e->at = e->at / USEC * USEC + r->scenario->sim.tick_phase;
	}
}

void free_prepare(struct replay *r)
{
	struct sim_options *o = &r->scenario->sim;
	bool new = r->record->is_26;
	o->clock = CLOCK_SLURM;
	o->launch_latency = (usec_t)((new ? 0.035 : 0.026) * r->record->speed * USEC);
	o->epilog_latency = (usec_t)(0.004 * r->record->speed * USEC);
	o->release = RELEASE_REPLY;
	o->tick_phase = new ? 4000 : 360000;
	o->decay_phase = new ? 380000 : 1170000;
	space_out(r);
	down_at_turns(r);
	replay_sort(r);
}
