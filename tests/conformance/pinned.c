/*
 * pinned.c - the real controller's times: passes, sweeps, calculations of priority, submissions, commands, ends and
 * releases happen when the record says. What is left to the simulation is decisions.
 */
#include "tests/conformance/starts.h"
#include "tests/conformance/textfile.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A node that answers the kill request is free at once. 22.05 logs that then; 26.11 logs the answer up to two seconds
 * late, in a batch with those to launches: its passes before that line already count the node as idle and start jobs on
 * it (136 starts over all records against none that had to wait for the line). So of 26.11 only epilog messages are
 * pinned, and an answer counts as coming as fast as in 22.05.
 *
 * 22.05 logs the answer in the sending thread, some milliseconds after the fact (oracle/README.md): a launch, too, is
 * acknowledged 5 ms after its thread was made. A pass in between already sees the node free: license-contention, where
 * the pass 3.4 ms after a job's end starts the next one on its node.
 */
#define LOGGED_LATE 0.002 /* seconds */
#define REPLY_DELAY 4000  /* microseconds: the median of 22.05's log, 6 ms, less that */

static bool is_exact(const struct record *record, const struct happening *release)
{
	return !record->is_26 || strcmp(release->detail, "epilog message") == 0;
}

/*
 * It came sooner still where a pass that began less than that after the end started a job on the node: then it counts as
 * coming with the end. Returns seconds, NAN = nothing is known.
 */
static double sure_release(const struct replay *r, const struct happening *release, double end)
{
	for (guint i = 0; i < r->record->happenings->len; i++) {
		const struct happening *h = r->record->happenings->pdata[i];
		if (h->t < end || h->t > end + 0.05 || !g_str_has_prefix(h->what, "alloc_"))
			continue;
		struct bitset *nodes = cluster_parse_nodes(r->scenario->cluster, h->node, NULL);
		const struct node *n = cluster_find_node(r->scenario->cluster, release->node);
		bool here = nodes && n && bitset_test(nodes, n->index);
		bitset_free(nodes);
		double began = NAN;
		for (guint k = 0; k < r->record->passes->len; k++) {
			const struct pass *p = r->record->passes->pdata[k];
			if (p->t <= h->t)
				began = p->t;
		}
		if (here && began >= end && began < end + REPLY_DELAY / 1e6)
			return end;
	}
	return NAN;
}

static const struct happening *end_of(const struct record *record, const struct happening *release)
{
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		if (strcmp(h->what, "job_end") == 0 && h->run == release->run && strcmp(h->job, release->job) == 0)
			return h;
	}
	return NULL;
}

static void pin_release(const struct replay *r, struct sim *sim, const struct happening *h, const struct node *n)
{
	bool message = strcmp(h->detail, "epilog message") == 0;
	if (is_exact(r->record, h)) {
		sim_pin_release(sim, h->job, h->run, n->index, replay_time(r, message ? h->t : h->t - LOGGED_LATE), message);
		return;
	}
	const struct happening *end = end_of(r->record, h);
	double t = end ? sure_release(r, h, end->t) : NAN;
	if (!isnan(t))
		sim_pin_release(sim, h->job, h->run, n->index, replay_time(r, t), false);
}

/* Records that have no line of a release (26.11-more) tell when the controller had taken note of an end: the kill request goes out after that, and a
 * pass in between finds the nodes COMPLETING (defaults, b00). */
static bool tells_releases(const struct record *record)
{
	for (guint i = 0; i < record->happenings->len; i++)
		if (strcmp(((const struct happening *)record->happenings->pdata[i])->what, "node_release") == 0)
			return true;
	return false;
}

static void pin_noted_end(const struct replay *r, struct sim *sim, const struct happening *h)
{
	const struct cluster *c = r->scenario->cluster;
	for (guint i = 0; i < r->record->happenings->len; i++) {
		const struct happening *a = r->record->happenings->pdata[i];
		if (!g_str_has_prefix(a->what, "alloc_") || a->run != h->run || strcmp(a->job, h->job) != 0)
			continue;
		struct bitset *nodes = cluster_parse_nodes(c, a->node, NULL);
		int64_t n = -1;
		while (nodes && (n = bitset_next(nodes, (uint32_t)(n + 1))) >= 0) {
			struct happening release = *h;
			release.node = c->node[n]->name;
			double t = sure_release(r, &release, h->t);
			sim_pin_release(sim, h->job, h->run, (uint32_t)n, replay_time(r, isnan(t) ? h->t + REPLY_DELAY / 1e6 : t), false);
		}
		bitset_free(nodes);
	}
}

static const struct {
	const char *name;
	int kind;
} kinds[] = {{"main_quick", PIN_MAIN_QUICK}, {"main_full", PIN_MAIN_FULL}, {"backfill", PIN_BACKFILL}};

static void add_pin(GArray *pins, usec_t t, int kind)
{
	struct pin p = {.t = t};
	p.kind = kind;
	g_array_append_val(pins, p);
}

static int by_time(const void *a, const void *b)
{
	const struct pin *x = a, *y = b;
	return (x->t > y->t) - (x->t < y->t);
}

/* Gang scheduling changes turns every SchedulerTimeSlice seconds since its thread began, which was together with that of backfill: one interval
 * before the first cycle. */
static void add_slices(const struct replay *r, GArray *pins)
{
	const struct sched_params *p = r->scenario->cluster->params;
	double began = NAN;
	for (guint i = 0; i < r->record->passes->len && isnan(began); i++) {
		const struct pass *x = r->record->passes->pdata[i];
		if (strcmp(x->kind, "backfill") == 0)
			began = x->t - p->bf_interval;
	}
	for (int k = 1; p->preempt_flags & PREEMPT_GANG && !isnan(began) && began + k * p->time_slice < r->record->until; k++)
		add_pin(pins, replay_time(r, began + k * p->time_slice), PIN_SLICE);
}

/* "Job states ts" of the sdiag output TEXT, seconds after T0, if it was made in second T; NAN = not known. */
static double states_counted(const char *text, gint64 t)
{
	const char *made = strstr(text, "sdiag output at "), *since = strstr(text, "Data since"), *ts = strstr(text, "Job states ts:");
	double at[3];
	const char *line[] = {made, since, ts};
	for (int i = 0; i < 3; i++) {
		const char *end = line[i] ? line[i] + strcspn(line[i], "\n") : NULL, *p = line[i] ? g_strstr_len(line[i], end - line[i], "(") : NULL;
		if (!p) /* times are seconds after T0 in records of 26.11 */
			p = line[i] ? strpbrk(line[i], "+-") : NULL;
		if (!p || p > end)
			return NAN;
		at[i] = g_ascii_strtod(*p == '(' ? p + 1 : p, NULL);
	}
	return at[2] - at[0] + (double)t + (at[2] == at[1]); /* not counted yet: 0 of both, since the start */
}

/* Where in second TS the loop turned, before its passes: sweeps tell. */
static double turn_in(const struct record *record, double ts)
{
	double turn = record->is_26 ? -0.0007 : 0;
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		if (strcmp(h->what, "time_limit_sweep") == 0 && (record->is_26 ? floor(h->t) == ts : h->t <= ts))
			turn = h->t - floor(h->t);
	}
	return turn;
}

/*
 * When the pending and running jobs were counted for sdiag: its snapshots name the second. In 22.05 that is a turn of the loop, which slides with the
 * sweeps; in 26.11 turns come on the whole second, and the count comes before the passes of the turn.
 */
static void add_states(const struct replay *r, GArray *pins)
{
	char *path = g_build_filename(r->record->dir, "snapshots", NULL);
	GDir *dir = g_dir_open(path, 0, NULL);
	for (const char *name; dir && (name = g_dir_read_name(dir));) {
		char *text = strstr(name, ".sdiag.txt") ? textfile_read(path, name, NULL) : NULL;
		double ts = text ? states_counted(text, g_ascii_strtoll(name + 1, NULL, 10)) : NAN;
		g_free(text);
		if (isnan(ts))
			continue;
		add_pin(pins, replay_time(r, ts + turn_in(r->record, ts)), PIN_STATES);
	}
	if (dir)
		g_dir_close(dir);
	g_free(path);
}

/* Records begin 15 s before T0. Where the controller had begun earlier (mixed-hour) it made a quick pass when the nodes registered and its full passes since:
 * sdiag counts them. The loop began one interval before the first of these. */
#define RECORDED_FROM -15
#define NODES_REGISTER 4 /* seconds after that: in all records that show it */

static void add_unseen(const struct replay *r, GArray *pins)
{
	double full = NAN, step = r->scenario->cluster->params->sched_interval, began = -r->record->controller_lead;
	for (guint i = 0; i < r->record->passes->len && isnan(full); i++) {
		const struct pass *p = r->record->passes->pdata[i];
		if (strcmp(p->kind, "main_full") == 0)
			full = p->t;
	}
	if (isnan(full) || step <= 0 || began + step > RECORDED_FROM)
		return;
	for (full -= step; full - step > began; full -= step)
		add_pin(pins, replay_time(r, full), PIN_MAIN_FULL);
	add_pin(pins, replay_time(r, full + NODES_REGISTER), PIN_MAIN_QUICK);
}

static GArray *all_pins(const struct replay *r)
{
	GArray *pins = g_array_new(FALSE, TRUE, sizeof(struct pin));
	for (guint i = 0; i < r->record->happenings->len; i++) {
		const struct happening *h = r->record->happenings->pdata[i];
		if (strcmp(h->what, "time_limit_sweep") == 0)
			add_pin(pins, replay_time(r, h->t), PIN_SWEEP);
		else if (strcmp(h->what, "priority_recalc") == 0)
			add_pin(pins, replay_time(r, h->t), PIN_PRIORITY);
	}
	for (guint i = 0; i < r->record->passes->len; i++) {
		const struct pass *p = r->record->passes->pdata[i];
		for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++)
			if (strcmp(p->kind, kinds[k].name) == 0)
				add_pin(pins, replay_time(r, starts_pass_began(r->record, i)), kinds[k].kind);
	}
	add_slices(r, pins);
	add_states(r, pins);
	add_unseen(r, pins);
	g_array_sort(pins, by_time);
	while (pins->len && g_array_index(pins, struct pin, 0).t < r->scenario->sim.controller_start)
		g_array_remove_index(pins, 0);
	return pins;
}

/* ---- submissions ---- */

/* The next refusal that the controller logged, from the I-th happening on. */
static guint next_refusal(const struct record *record, guint i)
{
	while (i < record->happenings->len &&
	       strcmp(((const struct happening *)record->happenings->pdata[i])->what, "submit_refused"))
		i++;
	return i;
}

/* When the controller was done with it; sbatch's own word when it never came there. */
static double told_time(const struct record *record, guint i, guint *refusals)
{
	const struct told *told = record->told->pdata[i];
	const struct answer *answer = record->run->answers->pdata[i];
	const struct happening *h = told->refused ? NULL : record_find(record, "submit", told->label, 0);
	if (told->refused && strstr(answer->message, "Batch job submission failed")) {
		*refusals = next_refusal(record, *refusals);
		if (*refusals < record->happenings->len)
			h = record->happenings->pdata[(*refusals)++];
	}
	return h ? h->t : told->done;
}

static void set_submissions(struct replay *r)
{
	guint refusals = 0;
	for (guint i = 0; i < r->record->told->len; i++) {
		double t = told_time(r->record, i, &refusals);
		struct submission *sub = replay_submission(r, i);
		if (sub)
			sub->at = replay_time(r, t);
	}
}

/* ---- commands ---- */

/* The first note within LATEST after T that begins with one of PREFIXES; OTHERWISE without one. */
static double noted(const struct record *record, double t, double latest, const char *const *prefixes, double otherwise)
{
	for (guint i = 0; i < record->happenings->len; i++) {
		const struct happening *h = record->happenings->pdata[i];
		if (h->t < t - 0.01 || h->t > t + latest || strcmp(h->what, "note"))
			continue;
		for (const char *const *p = prefixes; *p; p++)
			if (g_str_has_prefix(h->detail, *p))
				return h->t;
	}
	return otherwise;
}

/* When the controller acted on a command given at T: the first request that it noted within a moment. A change of the
 * accounts goes through the database and reaches it 0.25 to 0.45 s later (logs of 22.05). */
static double acted(const struct record *record, const char *command, double t)
{
	static const char *const requests[] = {"_slurm_rpc_", "update_", NULL}, *const changes[] = {"accounting update",
	                                                                                            NULL};
	if (g_str_has_prefix(command, "sacctmgr"))
		return noted(record, t, 1, changes, t + 0.35);
	return noted(record, t, 0.25, requests, t + 0.01);
}

/* Where in the second the controller's loop turns: its sweeps tell. It slides by 1.5 ms a second in 22.05: the last
 * one. */
static usec_t turn_phase(const struct record *record)
{
	for (guint i = record->happenings->len; i-- > 0;) {
		const struct happening *h = record->happenings->pdata[i];
		if (strcmp(h->what, "time_limit_sweep") == 0 && h->t > 0)
			return llround((h->t - floor(h->t)) * 1e6);
	}
	return 0;
}

void pinned_prepare(struct replay *r)
{
	struct sim_options *o = &r->scenario->sim;
	o->clock = CLOCK_PINNED;
	o->release = RELEASE_REPLY;
	o->epilog_latency = REPLY_DELAY;
	o->tick_phase = turn_phase(r->record);
	o->pins = all_pins(r); /* freed with the scenario */
	set_submissions(r);
	replay_time_commands(r, acted);
	replay_sort(r);
}

void pinned_pin(const struct replay *r, struct sim *sim)
{
	const struct cluster *c = r->scenario->cluster;
	bool released = tells_releases(r->record);
	starts_pin(r, sim);
	for (guint i = 0; i < r->record->happenings->len; i++) {
		const struct happening *h = r->record->happenings->pdata[i];
		const struct node *n = cluster_find_node(c, h->node);
		if (strcmp(h->what, "job_end") == 0)
			sim_pin_end(sim, h->job, h->run, replay_time(r, h->t));
		else if (strcmp(h->what, "node_release") == 0 && n)
			pin_release(r, sim, h, n);
		else if (strcmp(h->what, "job_complete") == 0 && !released)
			pin_noted_end(r, sim, h);
	}
}
