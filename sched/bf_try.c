/* bf_try.c - the tries of one record, from now on to later times (backfill B22-B46); see bf.h */
#include "sched/bf.h"
#include "sched/choose.h"
#include "sched/share.h"
#include "sched/hetjob.h"
#include "sched/preempt.h"
#include "sched/recall.h"
#include "sched/reservation.h"

#include <string.h>

/* With bf_licenses: are J's licences free in slot S? Those of its own reservation are its own. */
static bool slot_has_licenses(struct cycle *y, const struct job *j, const struct slot *s)
{
	struct controller *c = y->c;
	if (!s->licenses || !j->licenses)
		return true;
	memcpy(c->lic_free, s->licenses, y->b->map->n_licenses * sizeof *s->licenses);
	for (uint32_t k = 0; j->resv && j->resv->licenses && k < y->b->map->n_licenses; k++)
		c->lic_free[k] += j->resv->licenses[k];
	return license_fits(j->licenses, c->lic_free);
}

/* B22.5: nodes usable in the whole time, and the next time at which more come free: slot by slot, with licences. */
static sec_t walk_licenses(struct cycle *y, struct job *j, sec_t start_res, sec_t end_time, bool *short_of)
{
	struct controller *c = y->c;
	const struct slot_map *m = y->b->map;
	sec_t later = 0;
	bitset_assign(y->b->usable, y->b->initial);
	for (int i = 0; i >= 0; i = slotmap_at(m, i)->next) {
		const struct slot *r = slotmap_at(m, i);
		const struct slot *s = r->next >= 0 ? slotmap_at(m, r->next) : NULL;
		if (r->end > start_res && s && !later) {
			const struct bitset *in = y->b->initial, *u = y->b->usable;
			for (uint32_t w = 0; w < in->nwords && !later; w++) /* nodes of s that r does not leave usable */
				if (in->word[w] & s->nodes->word[w] & ~(u->word[w] & r->nodes->word[w]))
					later = r->end;
		}
		note_time(c, r->end);
		if (r->end <= start_res)
			continue;
		if (r->begin <= end_time) {
			bitset_and(y->b->usable, r->nodes);
			if (!slot_has_licenses(y, j, r)) { /* B22.5b */
				later = r->end;
				*short_of = true;
				if (since(c->p, B22_LICENSES_STOP)) {
					struct blocker b = license_short(c, j); /* of lic_free: the plan's */
					job_blocked(c, j, REASON_LICENSES, NULL, &b);
					break;
				}
			}
			continue;
		}
		if (start_res <= c->now_s)
			note_time(c, r->begin - (end_time - c->now_s));
		if (since(c->p, B22_LATER_SLOT) && !later && s && s->next >= 0)
			later = s->end;
		break;
	}
	return later;
}

static sec_t walk_map(struct cycle *y, struct job *j, uint32_t min_nodes, sec_t start_res, sec_t end_time, bool *short_of)
{
	struct controller *c = y->c;
	if (c->naive || (c->p->bf_licenses && j->licenses))
		return walk_licenses(y, j, start_res, end_time, short_of);
	sec_t beyond;
	bool guessed;
	sec_t later = slotwindow_walk(y->b->window, y->b->map, start_res, end_time, !since(c->p, B22_LATER_SLOT), y->b->initial, y->b->usable,
				      &beyond, &guessed);
	note_time(c, slotwindow_first_end(y->b->window, y->b->map, c->now_s));
	/* what is lost for want of nodes stays lost when the clock moves on: the stretch only meets more slots; its next time
	 * stays too, unless that was a guess */
	if (beyond && start_res <= c->now_s && !(later && !guessed && !bitset_at_least(y->b->usable, min_nodes)))
		note_time(c, beyond - (end_time - c->now_s));
	return later;
}

/* B22.6: a time after which fewer reservations are in the way. */
static void retry_after_reservation(struct cycle *y, struct record *r, sec_t start_res)
{
	struct controller *c = y->c;
	sec_t end = resv_earliest_end(c, start_res);
	for (guint i = 0; i < c->resvs->len; i++) /* one that floats ends a second later each second */
		if (((const struct reservation *)c->resvs->pdata[i])->flags & RESV_FLAG(TIME_FLOAT))
			note_time(c, c->now_s + 1);
	if (start_res == c->now_s)
		note_time(c, end + 1);
	if (!end)
		return;
	sec_t x = floor_res(c, end + c->p->bf_resolution - 1) + 1;
	if (x >= y->window_end)
		note_time(c, MAX(c->now_s + 1, x - c->p->bf_window));
	else if (!r->later_start || x < r->later_start)
		r->later_start = x;
}

enum prepared { PREPARED, NO_PLACE /* B28 */, SKIP_RECORD };

/* Step 2: c->resv_nodes = what reservations leave of the partition; may move START_RES. */
static enum prepared ask_reservations(struct cycle *y, struct record *r, sec_t *start_res, bool *overlap)
{
	struct controller *c = y->c;
	bitset_assign(c->resv_nodes, r->p->nodes);
	struct resv_answer a = resv_allow(c, r->j, *start_res, true, c->resv_nodes);
	if (a.verdict != RESV_OK)
		return SKIP_RECORD;
	*start_res = a.when;
	*overlap = a.overlap;
	resv_block_parts(c, r->j, *start_res, a.part_nodes);
	if (since(c->p, B22_STOPS_AT_WINDOW) && y->window_end < *start_res) {
		note_time(c, MAX(c->now_s + 1, *start_res - c->p->bf_window));
		return SKIP_RECORD;
	}
	return PREPARED;
}

/* Steps 1-7. */
static enum prepared prepare_try(struct cycle *y, struct record *r, sec_t *start_res)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	bool early = since(c->p, B22_EXCLUDES_FIRST);
	*start_res = MAX(r->later_start, c->now_s);
	if (j->het) /* B22.1 */
		*start_res = MAX(*start_res, het_others(j, c->bf_cycle));
	r->later_start = 0;
	bool overlap = false, short_of = false;
	if (ask_reservations(y, r, start_res, &overlap) == SKIP_RECORD)
		return SKIP_RECORD;
	sec_t end_time = (sec_t)r->time * 60 + MAX(*start_res, c->now_s);
	bitset_assign(y->b->initial, c->resv_nodes);
	bitset_and(y->b->initial, c->up);
	if (early && j->exc_nodes)
		bitset_andnot(y->b->initial, j->exc_nodes);
	sec_t shared_until;
	if (!node_users_filter(y->b->users, c, j, y->b->initial, r->count.min, *start_res, &shared_until, &r->later_start))
		return NO_PLACE;
	r->later_start = walk_map(y, j, r->count.min, *start_res, end_time, &short_of);
	if (!r->later_start)
		r->later_start = shared_until;
	if (overlap)
		retry_after_reservation(y, r, *start_res);
	if (!early && j->exc_nodes)
		bitset_andnot(y->b->usable, j->exc_nodes);
	if (short_of || (j->req_nodes && !bitset_subset(j->req_nodes, y->b->usable)))
		return NO_PLACE;
	return bitset_at_least(y->b->usable, r->count.min) ? PREPARED : NO_PLACE;
}

static sec_t slot_end(const struct cycle *y, const struct record *r, sec_t start) /* B40 */
{
	const struct controller *c = y->c;
	sec_t end = start + (sec_t)r->time * 60;
	return floor_res(c, since(c->p, B40_ROUNDS_UP) ? end + c->p->bf_resolution - 1 : end);
}

/* What a plan keeps: the chosen nodes, or their whole blocks or rings (--exclusive=topo). */
static const struct bitset *planned_nodes(struct cycle *y, const struct record *r)
{
	const struct bitset *chosen = y->c->sel->chosen;
	if (!wants_units(r->j, r->p))
		return chosen;
	const struct topology *t = r->p->topology;
	bitset_assign(y->b->real, chosen);
	for (guint b = 0; b < t->units->len; b++)
		if (bitset_intersects(topology_unit(t, b)->nodes, chosen))
			bitset_or(y->b->real, topology_unit(t, b)->nodes);
	return y->b->real;
}

static bool plan_conflict(struct cycle *y, const struct record *r)
{
	sec_t begin = floor_res(y->c, r->start), end = slot_end(y, r, r->start);
	const struct job *j = r->j;
	bool own = j->resv && j->resv->licenses && j->licenses; /* those of its reservation are its own, in the map they are given away */
	if (slotmap_conflict(y->b->map, begin, end, planned_nodes(y, r), own ? NULL : j->licenses))
		return true;
	for (int i = 0; own && i >= 0; i = slotmap_at(y->b->map, i)->next) {
		const struct slot *s = slotmap_at(y->b->map, i);
		if (s->end > begin && s->begin < end && !slot_has_licenses(y, j, s))
			return true;
	}
	return false;
}

static bool chosen_completing(const struct controller *c)
{
	int64_t i;
	for (BITSET_EACH(i, c->sel->chosen))
		if (usage_node(c->use, (uint32_t)i)->completing)
			return true;
	return false;
}

/* B46: a time_min job keeps as much of its limit as fits before nodes are promised to others. */
static void fit_limit(struct cycle *y, struct job *run, uint32_t time_min)
{
	struct controller *c = y->c;
	uint32_t limit = run->time_limit;
	sec_t end = run->start + job_limit_seconds(limit);
	for (int i = 0; i >= 0; i = slotmap_at(y->b->map, i)->next) {
		const struct slot *s = slotmap_at(y->b->map, i);
		if (s->begin != c->now_s && s->begin < end && s->begin > c->now_s && !bitset_subset(run->nodes, s->nodes))
			limit = MIN(limit, (uint32_t)((s->begin - c->now_s) / 60));
	}
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *v = c->resvs->pdata[i];
		sec_t begin = resv_start(c, v);
		if (v != run->resv && begin > c->now_s && begin < end && bitset_intersects(v->nodes, run->nodes))
			limit = MIN(limit, (uint32_t)((begin - c->now_s) / 60));
	}
	run->time_limit = MAX(limit, time_min);
	job_set_end(c, run, run->start + job_limit_seconds(run->time_limit));
}

void bf_reserve_running(struct cycle *y, const struct job *run)
{
	struct controller *c = y->c;
	bool licenses = run->licenses && (y->b->map->n_licenses || since(c->p, B9_ALL_LICENSES));
	bool whole = run->alloc->whole && !(preempt_enabled(c) && preempt_mode_of(c, run) != PREEMPT_MODE_OFF);
	if (!whole && !licenses)
		return;
	sec_t end = run->end;
	if (since(c->p, B9_ROUNDS_UP))
		end += c->p->bf_resolution - 1;
	end = floor_res(c, end);
	note_time(c, end); /* gone from the map */
	if (end >= y->window_end) /* comes into the map */
		note_time(c, MAX(c->now_s + 1, end - c->p->bf_window));
	const struct bitset *nodes = whole ? run->nodes : y->b->none;
	slotmap_add(y->b->map, slotmap_at(y->b->map, 0)->begin, end, nodes, run->licenses);
}

/* B45: start for real on what is usable. */
static enum attempt start_now(struct cycle *y, struct record *r)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	struct job_alloc *alloc = NULL;
	bitset_assign(y->b->real, y->b->usable);
	/* the choice of the estimate must survive a failed start: it is planned then */
	struct bitset *chosen = bitset_copy(c->sel->chosen);
	c->start_only = y->b->real;
	enum attempt a = attempt_start(c, j, y->b->real, &alloc);
	c->start_only = NULL;
	if (a != ATTEMPT_OK) {
		bitset_assign(c->sel->chosen, chosen);
		bitset_free(chosen);
		return a;
	}
	bitset_free(chosen);
	struct job *run = j->tasks ? array_split(c, j, array_first_task(j)) : j;
	bool soft = j->time_min != NO_VAL && r->orig_limit != NO_VAL && j->time_min < r->comp && !j->deadline;
	bool keeps_min = soft && !since(c->p, B46_FITS_LIMIT); /* recorded in time-min: it runs with the minimum */
	soft = soft && !(c->p->time_min_as_soft_limit && since(c->p, B12_SOFT_LIMITS)); /* B12: else it may run up to its whole limit */
	run->time_limit = keeps_min ? j->time_min : soft || j->deadline || r->orig_limit == NO_VAL ? r->comp : r->orig_limit;
	if (run != j)
		j->time_limit = r->orig_limit;
	run->limit_was_unset = run->limit_was_unset || r->orig_limit == NO_VAL;
	job_start(c, run, alloc, BY_BACKFILL);
	pace_spend(c, c->cost.start);
	y->stats.started++;
	tried_reset(y->b->tried);
	step(c, STEP_START, run, c->now_s, run->end, run->nodes);
	if ((soft && !keeps_min) || run->deadline)
		fit_limit(y, run, run->time_min != NO_VAL ? run->time_min : 1);
	bf_reserve_running(y, run);
	r->j = run;
	return ATTEMPT_OK;
}

/* Whether the tries of R depend on its shape alone, as far as nodes and CPUs decide (tried.h). */
static struct tried_line *line_of(struct cycle *y, const struct record *r)
{
	const struct controller *c = y->c;
	const struct job *j = r->j;
	bool always = !c->naive && !c->host.step && !c->costly && !c->p->bf_topopt_enable && !soft_limits(c) && !node_users_any(y->b->users) &&
		      !c->resvs->len && !c->expediting->len && !preempt_enabled(c) && !share_active(c);
	if (!always || j->het || j->n_gres || j->licenses || j->exc_nodes || j->req_nodes || j->prefer)
		return NULL;
	struct shape s = {r->p->index, r->time, r->count.min, j->min_cpus};
	return tried_line(y->b->tried, &s);
}

/* B28. PLACED: enough nodes were usable. NO_ROOM: it failed for want of nodes or CPUs. */
static enum try_result give_up_try(struct record *r, struct cycle *y, sec_t start_res, bool placed, bool no_room)
{
	r->j->time_limit = r->orig_limit;
	if (r->later_start && !r->no_reserve) {
		if (r->line && no_room)
			tried_note(r->line, start_res, r->later_start, placed);
		if (r->line)
			r->later_start = tried_skip(r->line, r->later_start, r->counted || r->no_plan, !since(y->c->p, B22_LATER_SLOT),
						    y->b->window, y->b->map, y->b->initial);
		r->start = 0;
		step(y->c, STEP_LATER, r->j, r->later_start, 0, NULL);
		return TRY_AGAIN;
	}
	r->j->est_start = r->orig_start;
	if (r->kept.n) /* B47: an earlier slot will do */
		return TRY_NEXT_RECORD;
	skip(y->c, r->j, r->later_start ? "B28: no place now, and it is tested for now only (B14)" : "B28: no place, and no later time to try");
	return TRY_NEXT_RECORD;
}

static void keep_estimate(struct cycle *y, struct record *r)
{
	y->published = true;
	r->j->est_start = r->orig_start && r->orig_start < r->start ? r->orig_start : r->start;
}

/* B61, B63: the component could start so; true when it may be planned. */
static bool het_planned(struct cycle *y, struct record *r)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	if (r->start > c->now_s && plan_conflict(y, r)) /* tried again later */
		return true;
	if (j->reason == REASON_NONE) {
		struct blocker b = blocker_fit(c, j, c->up);
		job_blocked(c, j, REASON_RESOURCES, NULL, &b);
	}
	het_estimate(j, c->bf_cycle, r->start);
	if (!het_plans_deadlock(c->het_plans, j, r->start))
		return true;
	keep_estimate(y, r);
	return false;
}

static void publish_plan(struct cycle *y, struct record *r) /* B44 */
{
	struct job *j = r->j;
	const struct bitset *chosen = y->c->sel->chosen;
	y->stats.planned++;
	if (!r->orig_start || r->start <= r->orig_start) {
		bitset_free(j->sched_nodes);
		j->sched_nodes = bitset_copy(chosen);
	}
	step(y->c, STEP_PLAN, j, r->start, r->start + (sec_t)r->time * 60, chosen);
}

/* B31a-B32a: the plan itself, if limits and the map leave room for it. */
static enum try_result plan_slot(struct cycle *y, struct record *r)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	sec_t begin = floor_res(c, r->start), end = slot_end(y, r, r->start);
	struct selection chosen = {j->min_cpus, MAX(r->count.min, c->sel->n_chosen), requested_memory(j), NULL,
				   c->sel->n_chosen ? c->sel->chosen : NULL};
	const char *no_plan = NULL; /* B31a */
	if (!c->p->assoc_limit_stop && !limits_after(c, j, &chosen))
		no_plan = "B31a: a limit";
	else if (j->qos && j->qos->flags & QOS_NO_RESERVE)
		no_plan = "B31a: the QOS has NoReserve";
	else if (c->p->bf_job_part_count_reserve && c->part_count[r->p->index]++ >= (uint32_t)c->p->bf_job_part_count_reserve)
		no_plan = "B31a: bf_job_part_count_reserve";
	if (no_plan) { /* recorded (mixed-day j52, squeue --start, recorded/noreserve): the estimate stays */
		keep_estimate(y, r);
		skip(c, j, no_plan);
		return TRY_NEXT_RECORD;
	}
	if (y->b->map->records >= (uint32_t)c->p->bf_node_space_size) { /* B32a; recorded: the nodes are published too */
		publish_plan(y, r);
		j->est_start = r->start;
		y->stats.ended_by = "bf_node_space_size";
		y->stop = true;
		return TRY_NEXT_RECORD;
	}
	if (r->start <= c->now_s)
		note_time(c, c->now_s + 1); /* a plan "from now" moves with the clock */
	if (MAX(end, begin + c->p->bf_resolution) >= y->window_end) /* B43: cut off by the end of the map, which moves on */
		note_time(c, y->window_end + c->p->bf_resolution - c->p->bf_window);
	if (!(c->p->bf_one_resv_per_job && r->orig_start) && !r->no_plan) {
		slotmap_add(y->b->map, begin, end, planned_nodes(y, r), j->licenses);
		publish_plan(y, r);
	}
	keep_estimate(y, r);
	return TRY_PLANNED;
}

/* B27-B32a: the job cannot start now: plan it, at once or when further slots were looked at too (B47). */
static enum try_result plan(struct cycle *y, struct record *r, bool tested)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	if (r->no_reserve && r->start > c->now_s) { /* B29 */
		keep_estimate(y, r);
		skip(c, j, "B29: an estimate without a plan (B14)");
		return TRY_NEXT_RECORD;
	}
	if (r->later_start && r->start > r->later_start) { /* B27 */
		r->start = 0;
		return TRY_AGAIN;
	}
	if (j->het && !het_planned(y, r))
		return TRY_NEXT_RECORD;
	if (r->start > y->plan_limit) { /* B30a */
		note_time(c, r->start - c->p->bf_window);
		keep_estimate(y, r);
		if (!r->kept.n)
			skip(c, j, "B30a: the start lies beyond bf_window");
		return TRY_NEXT_RECORD;
	}
	if (!tested && r->start > c->now_s && plan_conflict(y, r)) {
		step(c, STEP_OVERLAP, j, r->start, slot_end(y, r, r->start), c->sel->chosen);
		r->later_start = r->start;
		r->start = 0;
		return TRY_AGAIN;
	}
	if (bf_topopt_keep(y, r)) {
		r->start = 0;
		return TRY_AGAIN;
	}
	bf_topopt_take(y, r);
	return plan_slot(y, r);
}

static enum try_result one_try(struct cycle *y, struct record *r)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	sec_t start_res;
	switch (prepare_try(y, r, &start_res)) {
	case NO_PLACE:
		return give_up_try(r, y, start_res, false, true);
	case SKIP_RECORD:
		j->est_start = r->orig_start;
		if (!r->kept.n)
			skip(c, j, "B22: reservations leave no time for it");
		return TRY_NEXT_RECORD;
	default:
		break;
	}
	if (!r->counted && !r->no_plan) {
		r->counted = true;
		y->stats.tested++;
	}
	step(c, STEP_TRY, j, start_res, 0, y->b->usable);
	if (c->costly)
		pace_test(c, true, bitset_count(y->b->usable));
	struct will_run w = {y->b->usable, r->count, start_res, r->later_start, NULL, false};
	if (!recall_will_run(c->recall, c, j, &w, &r->start))
		return give_up_try(r, y, start_res, true, w.no_room);
	r->start = MAX(r->start, start_res); /* step 9 */
	bool tested = false;
	if (since(c->p, B24_TESTS_OVERLAP) && r->start > c->now_s) {
		if (plan_conflict(y, r)) {
			step(c, STEP_OVERLAP, j, r->start, slot_end(y, r, r->start), c->sel->chosen);
			r->later_start = r->start + (r->start == start_res ? c->p->bf_resolution : 0);
			r->start = 0;
			return TRY_AGAIN;
		}
		tested = true;
	}
	if (r->start <= c->now_s && chosen_completing(c)) { /* B25 */
		r->start = c->now_s + 1;
		r->later_start = 0;
		note_time(c, c->now_s + 1);
	} else if (r->start <= c->now_s && !j->het) { /* B26 */
		enum attempt a = start_now(y, r);
		if (a == ATTEMPT_OK)
			return TRY_STARTED;
		if (a == ATTEMPT_LIMIT && !c->p->assoc_limit_stop) {
			j->est_start = r->orig_start;
			skip(c, j, "B45: a limit");
			return TRY_NEXT_RECORD;
		}
		step(c, STEP_FAILED, j, c->now_s, 0, NULL);
		r->later_start = 0;
		note_time(c, c->now_s + 1);
	}
	return plan(y, r, tested);
}

bool bf_out_of_time(struct cycle *y)
{
	const struct controller *c = y->c;
	if (!c->costly || c->now - y->began < (usec_t)c->p->bf_max_time * USEC)
		return false;
	y->stats.ended_by = "bf_max_time";
	y->stop = true;
	return true;
}

enum try_result bf_search(struct cycle *y, struct record *r)
{
	enum try_result result = TRY_AGAIN;
	r->line = line_of(y, r);
	for (uint32_t rounds = 0; result == TRY_AGAIN && rounds < 20000; rounds++) {
		if (rounds && y->c->costly && pace_worked(y->c) >= y->c->p->bf_yield_interval_us) { /* B50 */
			r->limit = r->j->time_limit;
			result = TRY_YIELDS;
			break;
		}
		if (bf_out_of_time(y)) { /* B12a: also before each try */
			r->j->est_start = r->orig_start;
			result = TRY_NEXT_RECORD;
			break;
		}
		result = one_try(y, r);
		if (result == TRY_NEXT_RECORD && !y->stop && bf_topopt_take(y, r)) /* no further slot: the best so far */
			result = plan_slot(y, r);
	}
	if (result == TRY_AGAIN) { /* no rule leads here; it does not wait for ever all the same */
		r->j->est_start = r->orig_start;
		result = TRY_NEXT_RECORD;
	}
	if (result != TRY_STARTED)
		r->j->time_limit = r->orig_limit;
	return result;
}
