/*
 * free.c - only the inputs are given: jobs and commands at their times, and where the controller's clocks stood.
 *
 * The recording host's own delays are inputs too: how long sbatch takes, a launch, an epilog. In a recording with a
 * faster clock (speed) they count for so many times more. An answer is there 4 ms after the end (pinned.c tells how that is known).
 *
 * Of 22.05 phases and speed come from the log of each recording (clocks.c), and the work of backfill takes its time: its cycles slide by it, and which of them
 * finds a node just freed is a matter of milliseconds (mixed-day at 22 s: 3 ms, in both recordings).
 *
 * Of 26.11 the delays are those of each submission and each run (told_times.h). Its loop keeps to the second but for the turns that came early (turns.h), and
 * its thread of backfill wakes where in the second the recorded one did: when there is something to do for it, and what, the simulation finds itself.
 *
 * Plain runs (conformance --plain) know none of these delays: only T0, the phases of the controller's clocks, and constants of the release. They tell how much of
 * the agreement is the policy's and how much the host's.
 *
 * What differs: preempt_strict, where something that its log does not show wakes backfill between 23.6 and 28.6 s (two reasons); j37 and j78 of mixed-hour,
 * where the free run is the second recording (starts 2.7 s apart, no other node), and the reasons are measured by the looks of the first.
 */
#include "tests/conformance/told_times.h"
#include "tests/conformance/turns.h"
#include <math.h>
#include <string.h>

#define SUBMIT_DELAY 0.02 /* seconds, where nothing else is known */
#define COMMAND_DELAY 0.02 /* of scontrol and scancel */
#define SUBMIT_GAP 0.005
#define LAUNCH_DELAY 0.026
#define LAUNCH_DELAY_26 0.035
#define ANSWER 0.004
#define KILL 0.022 /* until the processes of a killed job are gone */
#define BACKFILL_AT 0.934 /* after the controller its thread begins */
#define DECAY_AT 1.17
#define KILL_26 0.026 /* more for a killed run, until its epilog message: 27 of them, 0.024 to 0.081 */
#define THREADS_AT_26 0.384 /* median of 61 records: 0.374 to 0.392 */
#define BACKFILL_SLIDES 0.1 /* seconds of work of its cycles that the model of costs may be off */
#define FIRST_PING_26 3 /* in the ten further runs: backfill wakes at 18 s and 139 s of preempt_strict, 179 s of more_fairtree, each 20 s */
#define REGISTER_26 2.5 /* nodes answer so long after the second in which it does: a pass 3 s after it, or 4 where that turn was early (71 records) */

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
static void space_out(const struct replay *r, double first, double delay)
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
		const struct given *g = &g_array_index(all, struct given, i);
		usec_t *at = g->at;
		double takes = g->order >= subs->len ? COMMAND_DELAY * r->record->speed : i ? delay : first;
		*at = MAX(*at + (usec_t)(takes * USEC), next);
		next = *at + (usec_t)(SUBMIT_GAP * r->record->speed * USEC);
	}
	g_array_unref(all);
}

static usec_t turn_near(const struct sim_options *o, usec_t t)
{
	usec_t first = o->controller_start + o->tick_phase, turn = USEC + o->tick_slip;
	return first + (t - first + turn / 2) / turn * turn;
}

/* The loop itself sets nodes down that do not answer: at its turns. */
static void down_at_turns(struct replay *r)
{
	for (guint i = 0; i < r->scenario->events->len; i++) {
		struct scenario_event *e = r->scenario->events->pdata[i];
		if (strstr(e->command, "state=noresp") || strstr(e->command, "state=lost"))
			e->at = turn_near(&r->scenario->sim, e->at);
	}
}

/* X into [LOW, LOW + STEP) */
static double wrap(double x, double low, double step)
{
	return x - floor((x - low) / step) * step;
}

static double known(double x, double otherwise)
{
	return isnan(x) ? otherwise : x;
}

/* A first cycle of backfill that came later than one interval after its thread's begin tells the fraction of the second only (B1). */
static double backfill_phase(double first, double interval, double usual)
{
	double began = first - interval;
	if (isnan(first))
		return usual;
	return began >= -1 && began < 2 * usual ? began : wrap(began, usual - 0.5, 1);
}

/* The timers of the loop (S1) count from the second in which it and the thread of decay begin, and that is a moment after slurmctld's start: 1.17 s in
 * recordings without a faster clock, sweeps and full passes come at T0 + 19, 49. */
static void set_clocks_22(const struct replay *r)
{
	struct sim_options *o = &r->scenario->sim;
	const struct sched_params *p = r->scenario->cluster->params;
	const struct clocks *x = r->clocks;
	double lead = r->record->controller_lead, speed = r->record->speed;
	double began = isnan(x->decay) ? DECAY_AT * speed - lead : wrap(x->decay, -lead - 1, p->priority_calc_period), start = floor(began);
	o->controller_start = replay_time(r, start);
	o->decay_phase = llround((began - start) * 1e6);
	o->tick_slip = llround(x->slip * 1e6);
	o->tick_phase = isnan(x->turn) ? 360000 : llround(wrap(x->turn - start, 0, 1 + x->slip) * 1e6);
	o->backfill_phase = llround((backfill_phase(x->backfill + lead, p->bf_interval, BACKFILL_AT * speed) - lead - start) * 1e6);
	if (r->record->plain) {
		o->launch_latency = llround(LAUNCH_DELAY * speed * 1e6);
		space_out(r, SUBMIT_DELAY * speed, SUBMIT_DELAY * speed);
		return;
	}
	o->launch_latency = llround(known(x->launch, LAUNCH_DELAY * speed) * 1e6);
	o->cost.bf_job = llround(x->bf_job * 1e9);
	o->cost.pass = llround(x->pass * 1e9);
	o->cost.start = llround(x->start * 1e9);
	double submit = known(x->submit, SUBMIT_DELAY * speed);
	space_out(r, known(x->cold, submit), submit);
}

/* When the thread of backfill woke for a cycle; where in the second it looks when nothing has changed. */
static GArray *backfill_times(const struct replay *r)
{
	GArray *times = g_array_new(FALSE, FALSE, sizeof(usec_t));
	for (guint i = 0; i < r->record->passes->len; i++) {
		const struct pass *p = r->record->passes->pdata[i];
		usec_t t = replay_time(r, p->t);
		if (strcmp(p->kind, "backfill") == 0)
			g_array_append_val(times, t);
	}
	return times;
}

/* The threads of backfill and of decay begin together, 0.38 s after slurmctld; the loop's timers count from the second in which they do. Where the
 * record has no calculation of priorities it tells from its first cycle. */
static void set_clocks_26(struct replay *r)
{
	struct sim_options *o = &r->scenario->sim;
	const struct sched_params *p = r->scenario->cluster->params;
	const struct clocks *x = r->clocks;
	double speed = r->record->speed, usual = r->record->lead_from_backfill ? 0 : THREADS_AT_26 * speed, lead = r->record->controller_lead;
	double began = backfill_phase(x->backfill + lead, p->bf_interval, usual) - lead, start = turns_loop_began(r, floor(usual - lead));
	o->controller_start = replay_time(r, start);
	o->decay_phase = o->backfill_phase = llround((began - start) * 1e6);
	o->tick_phase = 4000;
	o->first_ping = r->record->lead_from_backfill ? FIRST_PING_26 : 0;
	o->nodes_register = o->controller_start + llround(REGISTER_26 * speed * 1e6);
	o->kill_latency = (usec_t)(KILL_26 * speed * USEC);
	o->launch_latency = llround(LAUNCH_DELAY_26 * speed * 1e6); /* steadier than what a short log tells */
	if (r->record->plain) {
		space_out(r, SUBMIT_DELAY * speed, SUBMIT_DELAY * speed);
		return;
	}
	o->cost.bf_job = llround(x->bf_job * 1e9);
	o->cost.pass = llround(x->pass * 1e9);
	o->cost.start = llround(x->start * 1e9);
	o->early_turns = turns_early(r); /* freed with the scenario */
	o->backfill_times = backfill_times(r); /* this too */
	o->backfill_within = llround(BACKFILL_SLIDES * speed * 1e6);
	told_times_set(r);
}

void free_prepare(struct replay *r)
{
	struct sim_options *o = &r->scenario->sim;
	o->clock = CLOCK_SLURM;
	o->epilog_latency = (usec_t)(ANSWER * r->record->speed * USEC);
	o->kill_latency = (usec_t)(KILL * r->record->speed * USEC);
	o->release = RELEASE_REPLY;
	if (r->record->is_26)
		set_clocks_26(r);
	else
		set_clocks_22(r);
	down_at_turns(r);
	replay_sort(r);
}

void free_pin(const struct replay *r, struct sim *sim)
{
	if (r->record->is_26 && !r->record->plain)
		told_times_ends(r, sim);
}
