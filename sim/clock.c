/*
 * clock.c - the loop over instants.
 *
 * At each instant first all events of the queue (events.h), then what the clock of the run adds: the controller's own
 * loops (slurm), one pass (ideal), or the given passes (pinned). The record then takes what the instant has changed.
 */
#include "sched/audit.h"
#include "sim/run.h"

/* ---- events ---- */

static void do_event(struct sim *s, const struct event *e)
{
	s->counts.events++;
	switch ((enum event_kind)e->kind) {
	case EVENT_NODE:
		if (!e->what) {
			sim_do_fault(s, e);
			break;
		}
		s->live--;
		sim_execute(s, e->what);
		break;
	case EVENT_COMMAND:
		s->live--;
		sim_execute(s, e->what);
		break;
	case EVENT_SUBMIT:
		if (s->now < s->outage_until && s->o.clock != CLOCK_PINNED) { /* sbatch tries again until somebody answers */
			struct event again = *e;
			again.t = s->outage_until;
			event_queue_push(s->queue, again);
			break;
		}
		s->live--;
		sim_do_submit(s, e);
		break;
	case EVENT_CANCEL:
		sim_do_cancel(s, e);
		break;
	case EVENT_END:
		sim_do_end(s, e);
		break;
	case EVENT_TIME_LIMIT:
		sim_do_time_limit(s, e);
		break;
	case EVENT_EPILOG:
		sim_do_epilog(s, e);
		break;
	case EVENT_WAKE:
		break;
	}
}

static bool is_of_job(const struct event *e)
{
	return e->kind == EVENT_END || e->kind == EVENT_TIME_LIMIT || e->kind == EVENT_EPILOG || e->kind == EVENT_WAKE;
}

static void do_events(struct sim *s)
{
	const struct event *next;
	while ((next = event_queue_peek(s->queue)) && next->t <= s->now) {
		struct event e;
		event_queue_pop(s->queue, &e);
		if (is_of_job(&e) && !sim_job_event(s, &e))
			continue;
		do_event(s, &e);
		s->acted = true;
	}
}

/* ---- the clocks ---- */

static bool is_free(const struct sim *s)
{
	return controller_busy_until(s->c) <= s->now;
}

static bool is_owed(const struct sim *s)
{
	return s->owed.tick || s->owed.backfill || s->owed.priority || s->owed.slice;
}

/* Take a turn that is DUE or owed, or owe it: a pass of this instant holds the locks. */
static bool takes_turn(const struct sim *s, bool due, bool *owed)
{
	*owed |= due;
	if (!*owed || !is_free(s))
		return false;
	*owed = false;
	return true;
}

static void owe_missed(struct sim *s, const struct turns_taken *taken)
{
	struct missed_turns m = controller_missed_turns(s->c, taken);
	s->owed.tick |= m.tick;
	s->owed.backfill |= m.backfill;
	s->owed.priority |= m.priority;
	s->owed.slice |= m.slice;
}

static void run_requested(struct sim *s)
{
	if (is_free(s))
		controller_run_requested(s->c, s->now);
}

/* Power saving and reboots (sched/power.h). */
static void turn_power(struct sim *s, bool every_turn)
{
	if (!is_free(s)) /* it tries again at the loop's next turn */
		return;
	if (s->last_power < s->now && (every_turn || controller_next_power(s->c, s->now - 1) <= s->now)) {
		uint64_t before = s->node_news;
		controller_power(s->c, s->now);
		s->acted |= s->node_news != before;
	}
	s->last_power = s->now;
}

/* How much before the second the loop wakes, when it does (S2). */
#define HAIR 500 /* microseconds */

/* The first turn at or after T that comes early; INT64_MAX = none. */
static usec_t next_early(const struct sim *s, usec_t t)
{
	const GArray *early = s->o.early_turns;
	for (guint i = 0; early && i < early->len; i++) {
		usec_t turn = g_array_index(early, sec_t, i) * USEC - HAIR;
		if (turn >= t)
			return turn;
	}
	return INT64_MAX;
}

/* The turn at T has come early, and what is due at its second waits for the next one. */
static bool was_early(const struct sim *s, usec_t t)
{
	usec_t turn = usec_to_sec(t) * USEC - HAIR;
	return next_early(s, turn) == turn;
}

/* The thread of backfill wakes where the recorded one did: how much the next wake is off, by the first recorded cycle from then on; 0 = more than is believed. */
static usec_t backfill_off(const struct sim *s, usec_t next)
{
	const GArray *times = s->o.backfill_times;
	for (guint i = 0; times && i < times->len; i++) {
		usec_t by = g_array_index(times, usec_t, i) - next;
		if (by < -s->o.backfill_within)
			continue;
		by = (by + USEC / 2) % USEC - USEC / 2; /* it looks each second */
		return ABS(by) <= s->o.backfill_within ? by : 0;
	}
	return 0;
}

static void turn_backfill(struct sim *s)
{
	controller_backfill(s->c, s->now);
	usec_t next = controller_next_backfill(s->c, s->now), off = next == INT64_MAX ? 0 : backfill_off(s, next);
	if (off)
		controller_shift_backfill(s->c, off);
}

static bool register_now(const struct sim *s)
{
	return s->o.nodes_register && s->last_tick < s->o.nodes_register && s->now >= s->o.nodes_register;
}

/* Asking from t - 1 tells whether a turn is due at t itself, now that the events of t are done. */
static void turn_slurm(struct sim *s)
{
	usec_t t = s->now;
	if (t < s->outage_until) /* nobody is there to turn the loops */
		return;
	run_requested(s);
	/* a turn at t itself that finds the controller busy is missed too, also one that would not matter now */
	struct turns_taken taken = {.priority = t - !is_free(s)};
	if (takes_turn(s, s->last_priority < t && controller_next_priority_tick(s->c, t - 1) <= t, &s->owed.priority))
		controller_priority_tick(s->c, t);
	taken.slice = t - !is_free(s);
	if (takes_turn(s, s->last_slice < t && controller_next_slice(s->c, t - 1) <= t, &s->owed.slice))
		controller_slice(s->c, t);
	turn_power(s, s->o.naive && controller_next_tick(s->c, t - 1) <= t);
	if (register_now(s))
		controller_nodes_register(s->c, t);
	taken.tick = t - !is_free(s);
	bool early = next_early(s, t) == t;
	if (takes_turn(s, s->last_tick < t && (early || controller_next_tick(s->c, t - 1) <= t), &s->owed.tick)) {
		if (!early && was_early(s, t)) {
			controller_miss_tick(s->c, t);
		} else {
			controller_tick(s->c, t);
			run_requested(s);
		}
	}
	taken.backfill = t - !is_free(s);
	if (takes_turn(s, s->last_backfill < t && controller_next_backfill(s->c, t - 1) <= t, &s->owed.backfill))
		turn_backfill(s);
	owe_missed(s, &taken);
	s->last_priority = s->last_slice = s->last_tick = s->last_backfill = t; /* also those left out: their turn at T is over */
}

static void arm_timed_afters(struct sim *s)
{
	for (struct job *j = controller_first_pending(s->c); j; j = j->next)
		if (j->n_deps)
			sim_job_arm(s, j);
}

static void turn_ideal(struct sim *s)
{
	usec_t t = s->now;
	if (t < s->outage_until)
		return;
	bool due = s->last_priority < t && controller_next_priority_tick(s->c, t - 1) <= t;
	if (due) {
		s->last_priority = t;
		controller_priority_tick(s->c, t);
	}
	if (s->last_slice < t && controller_next_slice(s->c, t - 1) <= t) {
		s->last_slice = t;
		controller_slice(s->c, t);
	}
	turn_power(s, false);
	controller_begin_configured(s->c, t);
	due = due || controller_next_reservation(s->c, t - 1) <= t;
	if (!due && !s->acted)
		return;
	controller_purge(s->c, t);
	controller_reservations(s->c, t);
	controller_pass(s->c, PASS_MAIN_FULL, t);
	if (s->cluster->params->sched_type != SCHED_BUILTIN)
		controller_pass(s->c, PASS_BACKFILL, t);
	if (s->timed_after)
		arm_timed_afters(s);
}

static const struct pin *next_pin(const struct sim *s)
{
	if (!s->o.pins || s->next_pin >= s->o.pins->len)
		return NULL;
	return &g_array_index(s->o.pins, struct pin, s->next_pin);
}

static void do_pin(struct sim *s, const struct pin *pin)
{
	switch (pin->kind) {
	case PIN_MAIN_QUICK:
		controller_pass(s->c, PASS_MAIN_QUICK, s->now);
		break;
	case PIN_MAIN_FULL:
		controller_pass(s->c, PASS_MAIN_FULL, s->now);
		break;
	case PIN_BACKFILL:
		controller_pass(s->c, PASS_BACKFILL, s->now);
		break;
	case PIN_SWEEP:
		controller_sweep(s->c, s->now);
		stats_sweep(s);
		break;
	case PIN_SLICE:
		controller_slice(s->c, s->now);
		break;
	case PIN_STATES:
		stats_states(s);
		break;
	case PIN_PRIORITY:
		controller_priority_tick(s->c, s->now);
		break;
	}
}

static void turn_pinned(struct sim *s)
{
	controller_purge(s->c, s->now);
	controller_reservations(s->c, s->now);
	turn_power(s, false);
	for (const struct pin *pin; (pin = next_pin(s)) && pin->t <= s->now; s->next_pin++)
		do_pin(s, pin);
}

static usec_t next_instant(const struct sim *s)
{
	const struct event *e = event_queue_peek(s->queue);
	usec_t t = e ? e->t : INT64_MAX;
	const struct pin *pin;
	if (s->now < s->outage_until && s->o.clock != CLOCK_PINNED)
		return MAX(MIN(t, s->outage_until), s->now);
	t = MIN(t, controller_next_power(s->c, s->now));
	switch (s->o.clock) {
	case CLOCK_SLURM:
		t = MIN(t, controller_next_tick(s->c, s->now));
		t = MIN(t, next_early(s, s->now + 1));
		t = MIN(t, s->o.nodes_register > s->now ? s->o.nodes_register : INT64_MAX);
		t = MIN(t, controller_next_backfill(s->c, s->now));
		t = MIN(t, controller_next_slice(s->c, s->now));
		t = MIN(t, controller_next_priority_tick(s->c, s->now));
		t = MIN(t, controller_next_requested(s->c, s->now));
		if (is_owed(s))
			t = s->now;
		t = MAX(t, controller_busy_until(s->c)); /* it holds its locks: what comes meanwhile waits */
		break;
	case CLOCK_IDEAL:
		t = MIN(t, controller_next_priority_tick(s->c, s->now));
		t = MIN(t, controller_next_reservation(s->c, s->now));
		t = MIN(t, controller_next_slice(s->c, s->now));
		break;
	case CLOCK_PINNED:
		if ((pin = next_pin(s)))
			t = MIN(t, pin->t);
		break;
	}
	return MAX(t, s->now);
}

/* ---- the end of a run ---- */

/* How long the controller must have had nothing to do but turn its loops before we believe that it will not start
 * anything more. */
static usec_t quiet_span(const struct sim *s)
{
	const struct sched_params *p = s->cluster->params;
	int64_t longest = MAX(MAX(p->sched_interval, p->bf_interval), (int64_t)p->priority_calc_period);
	return (2 * MAX(longest, 0) + 120) * USEC;
}

/* The next time after FROM at which the clock alone may change something for a waiting job; INT64_MAX = never. */
static usec_t next_change(const struct sim *s, usec_t from)
{
	usec_t next = controller_reservation_change(s->c, from);
	for (const struct job *j = controller_first_pending(s->c); j; j = j->next)
		next = MIN(next, sim_job_next_change(s, j, from));
	next = MIN(next, s->outage_until > from ? s->outage_until : INT64_MAX);
	for (uint32_t i = 0; i < event_queue_length(s->queue); i++) {
		const struct event *e = event_queue_at(s->queue, i);
		if (e->kind == EVENT_CANCEL && e->t < next && sim_cancel_pending(e))
			next = e->t;
	}
	return next;
}

/* Nothing runs and nothing will come, but jobs wait: has the controller had its chances? T: the next instant. */
static bool waits_for_ever(struct sim *s, usec_t t)
{
	while (t > s->quiet_until) {
		/* What became possible in the last span has not had its chances. Not counted from the last instant, which
		 * depends on the turns that were left out. */
		usec_t change = next_change(s, s->quiet_until - quiet_span(s));
		if (change == INT64_MAX)
			return true;
		s->quiet_until = MIN(change, INT64_MAX - quiet_span(s)) + quiet_span(s);
	}
	return false;
}

/* Some job runs, or is suspended and will have its turn again. One that an administrator suspended waits for him alone. */
static bool some_run(const struct sim *s)
{
	for (const struct job *j = controller_first_running(s->c); j; j = j->next)
		if (j->state == JOB_RUNNING || !j->sus_admin)
			return true;
	return false;
}

static bool is_over(struct sim *s, usec_t t)
{
	if (t == INT64_MAX)
		return true;
	if (s->live > s->repairs || some_run(s))
		return false;
	if (controller_n_pending(s->c) == 0)
		return s->o.stop_when_idle || s->o.until == INT64_MAX;
	if (s->repairs > 0) /* jobs may wait for a node that comes back */
		return false;
	return s->o.until == INT64_MAX && s->o.clock != CLOCK_PINNED && waits_for_ever(s, t);
}

/* The loops turn without end, and jobs wait all the same. */
static bool waits_on(const struct sim *s)
{
	return s->o.clock == CLOCK_SLURM && s->o.until == INT64_MAX && s->live == 0 && !some_run(s) && controller_n_pending(s->c) > 0;
}

/* Nothing more happens before `until`; somebody may still run or wait until then. */
static void close_clock(struct sim *s)
{
	if (waits_on(s)) { /* the end does not hang on which turns were left out */
		waits_for_ever(s, INT64_MAX);
		s->now = MAX(s->now, s->quiet_until);
	}
	bool busy = controller_n_running(s->c) > 0 || controller_n_pending(s->c) > 0 || s->live > 0;
	if (s->o.until != INT64_MAX && (busy || !s->o.stop_when_idle))
		s->now = MAX(s->now, s->o.until);
}

/* ---- the loop ---- */

static void run_instant(struct sim *s, usec_t t)
{
	uint64_t started = s->counts.started;
	g_assert(t >= s->now);
	stats_time(s, t);
	s->now = t;
	s->acted = false;
	controller_purge(s->c, t); /* the scans since the last instant, when nothing happened */
	do_events(s);
	switch (s->o.clock) {
	case CLOCK_SLURM:
		turn_slurm(s);
		break;
	case CLOCK_IDEAL:
		turn_ideal(s);
		break;
	case CLOCK_PINNED:
		turn_pinned(s);
		break;
	}
	record_instant(s);
	if (s->acted || s->live > 0 || s->counts.started != started)
		s->quiet_until = t + quiet_span(s);
}

static bool audit_instant(const struct sim *s, GError **error)
{
	if (controller_audit(s->c, error))
		return true;
	g_autofree char *date = date_format(usec_to_sec(s->now), NULL);
	g_prefix_error(error, "audit at %s: ", date);
	return false;
}

#define MOST_FRUITLESS 20000 /* starts in a row, in which no job ends */

/* Jobs that preempt or requeue each other for ever: no job has ended since so many starts that each one that lives has had
 * many. Only where no end of the run is given. */
static bool is_livelock(struct sim *s, GError **error)
{
	if (s->counts.ended > s->ended_before) { /* it falls when one that had ended waits again */
		s->ended_before = s->counts.ended;
		s->runs_since = s->counts.started;
	}
	uint64_t fruitless = s->counts.started - s->runs_since;
	uint64_t alive = (uint64_t)controller_n_running(s->c) + controller_n_pending(s->c);
	if (s->o.until != INT64_MAX || fruitless < MOST_FRUITLESS || fruitless < 100 * alive)
		return false;
	const struct job *most = NULL;
	for (uint32_t i = 0; i < controller_n_jobs(s->c); i++) {
		const struct job *j = controller_job(s->c, i);
		if (!job_is_finished(j) && (!most || j->run > most->run))
			most = j;
	}
	char *id = most ? job_format_id(most) : NULL, *at = date_format(usec_to_sec(s->now), NULL);
	g_set_error(error, COMMAND_ERROR, 0,
	            "at %s: no job has ended in the last %" G_GUINT64_FORMAT " starts; jobs preempt or requeue each other, or end with a code of RequeueExit, without "
	            "end (job %s was started %u times). Give --until to run it up to a time",
	            at, (guint64)fruitless, id ? id : "-", most ? most->run + 1 : 0);
	g_free(id);
	g_free(at);
	return true;
}

bool sim_run(struct sim *s, const volatile int *stop, void (*progress)(void *data, usec_t now, uint64_t ended),
             void *progress_data, GError **error)
{
	sim_make_controller(s);
	sim_first_fault(s);
	uint64_t told = s->counts.events;
	while (!(stop && *stop)) {
		usec_t t = next_instant(s);
		if (t > s->o.until || is_over(s, t)) {
			close_clock(s);
			break;
		}
		run_instant(s, t);
		if (s->o.audit && !audit_instant(s, error))
			return false;
		if ((s->instants & 0xff) == 0 && is_livelock(s, error))
			return false;
		if ((++s->instants & 0xfff) == 0 && s->recorder && !recorder_ok(s->recorder, error))
			return false;
		if (progress && s->counts.events - told >= 65536) {
			told = s->counts.events;
			progress(progress_data, s->now, s->counts.ended);
		}
		if (s->hooks.instant && s->hooks.instant(s->hooks.data, s->now))
			break;
	}
	return !s->recorder || recorder_ok(s->recorder, error);
}
