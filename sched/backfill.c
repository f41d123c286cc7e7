/* backfill.c - one cycle of the backfill scheduler (backfill B5-B46) */
#include "sched/choose.h"
#include "sched/gang.h"
#include "sched/hetjob.h"
#include "sched/nodeusers.h"
#include "sched/preempt.h"
#include "sched/reservation.h"
#include "sched/slotmap.h"
#include "sched/slotwindow.h"
#include "sched/tried.h"
#include "sched/willrun.h"

#include <string.h>

struct bf_state { /* kept between cycles: scratch only */
	struct slot_map *map;
	struct slot_window *window;
	struct tried *tried;
	struct bitset *initial, *usable, *real, *none;
	struct node_users *users;
	GHashTable *counts; /* B17: key -> number of jobs considered in this cycle */
	struct cycle *suspended; /* B50: the cycle that has let go of the locks; NULL = none */
};

struct cycle {
	struct controller *c;
	struct bf_state *b;
	struct pass_stats stats;
	sec_t window_end, plan_limit; /* plan_limit: latest start that is planned (B30a) */
	const struct job_array *rejected;
	const struct partition *rejected_part;
	const struct reservation *rejected_resv;
	struct job *rejected_job;
	bool stop, published, marked;
	usec_t began;            /* B12a; with yields longer ago than the work in progress */
	guint next;              /* record to look at */
	GArray *queue;           /* the controller's, or after a yield a copy */
	uint32_t *part_count;    /* [partitions], over a yield; owned */
	uint64_t touches, part_changes, resv_changes; /* B51: of the controller, at the yield */
};

/* One record on its way through B13-B46. */
struct record {
	struct job *j;
	struct partition *p;
	struct trial_counts count;
	bool no_reserve, counted, no_plan; /* no_plan: MAGNETIC, neither counted nor planned */
	sec_t orig_start, later_start, start;
	uint32_t orig_limit, time, comp;
	struct tried_line *line; /* NULL: its tries depend on more than its shape */
};

struct bf_state *bf_new(struct controller *c)
{
	struct bf_state *b = g_new0(struct bf_state, 1);
	b->map = slotmap_new(c->cl->n_nodes);
	b->window = slotwindow_new(c->cl->n_nodes);
	b->tried = tried_new();
	b->initial = bitset_new(c->cl->n_nodes);
	b->usable = bitset_new(c->cl->n_nodes);
	b->real = bitset_new(c->cl->n_nodes);
	b->none = bitset_new(c->cl->n_nodes);
	b->users = node_users_new();
	b->suspended = NULL;
	b->counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return b;
}

static void cycle_free(struct cycle *y)
{
	if (y && y->queue != y->c->queue)
		g_array_unref(y->queue);
	if (y)
		g_free(y->part_count);
	g_free(y);
}

void bf_free(struct bf_state *b)
{
	cycle_free(b->suspended);
	slotmap_free(b->map);
	slotwindow_free(b->window);
	tried_free(b->tried);
	bitset_free(b->initial);
	bitset_free(b->usable);
	bitset_free(b->real);
	bitset_free(b->none);
	node_users_free(b->users);
	g_hash_table_unref(b->counts);
	g_free(b);
}

static sec_t floor_res(const struct controller *c, sec_t t)
{
	return t - t % c->p->bf_resolution;
}

/* The record is passed over, or gets no plan. False, for the caller to return. */
static bool skip(struct controller *c, const struct job *j, const char *rule)
{
	if (c->host.step) {
		struct step s = {.kind = STEP_SKIP, .backfill = true, .job = j, .array_task = NO_VAL, .part = j->part, .reason = j->reason, .rule = rule};
		c->host.step(c->host.data, &s);
	}
	return false;
}

static void step(struct controller *c, enum step_kind kind, const struct job *j, sec_t start, sec_t end, const struct bitset *nodes)
{
	if (!c->host.step)
		return;
	struct step s = {.kind = kind, .backfill = true, .job = j, .array_task = kind == STEP_START ? j->task : NO_VAL, .start = start, .end = end,
			 .nodes = nodes, .part = j->part, .reason = j->reason};
	c->host.step(c->host.data, &s);
}

/* B5, B7 */
static void clear_estimates(struct controller *c)
{
	for (uint32_t i = 0; i < c->cl->n_nodes; i++)
		if (c->cl->node[i]->flags & NODE_PLANNED) {
			c->cl->node[i]->flags &= ~(unsigned)NODE_PLANNED;
			c->last_update = c->now_s;
		}
	for (struct job *j = c->pending.head; j; j = j->next) {
		j->est_start = 0;
		if (j->array)
			j->array->planned = 0;
		bitset_free(j->sched_nodes);
		j->sched_nodes = NULL;
	}
}

/* B44: planned nodes that are not fully allocated show it. Recorded: in 22.05 this flag, set or cleared, is the only change that a plan makes in
 * the sense of B2, and plans on nodes in full use let the thread rest until something happens; in 26.11 every plan is a change. */
static bool mark_planned(struct controller *c, bool published)
{
	bool any = published && since(c->p, B44_ALL_PLANS);
	int64_t i;
	for (const struct job *j = c->pending.head; j; j = j->next)
		if (j->sched_nodes)
			for (BITSET_EACH(i, j->sched_nodes)) {
				struct node *n = c->cl->node[i];
				/* recorded: in 22.05 only idle nodes show it */
				uint32_t cpus = node_use_cpus(usage_node(c->use, n->index), n->config);
				if (since(c->p, B44_PARTLY_FREE) ? cpus < n->config->cpus : !cpus) {
					n->flags |= NODE_PLANNED;
					any = true;
				}
			}
	if (any)
		c->last_update = c->now_s;
	return any;
}

/* B17: count a job under a key; false when the limit is reached. */
static bool below_limit(struct cycle *y, const char *key, int limit)
{
	return !limit || GPOINTER_TO_INT(g_hash_table_lookup(y->b->counts, key)) < limit;
}

static void count_key(struct cycle *y, const char *key)
{
	int n = GPOINTER_TO_INT(g_hash_table_lookup(y->b->counts, key));
	g_hash_table_insert(y->b->counts, g_strdup(key), GINT_TO_POINTER(n + 1));
}

static bool within_counts(struct cycle *y, const struct job *j)
{
	const struct sched_params *p = y->c->p;
	int limits[4] = {p->bf_max_job_user_part, p->bf_max_job_part, p->bf_max_job_assoc, p->bf_max_job_assoc ? 0 : p->bf_max_job_user};
	char key[4][64];
	g_snprintf(key[0], sizeof key[0], "up%u/%u", j->user_key, j->part->index);
	g_snprintf(key[1], sizeof key[1], "p%u", j->part->index);
	g_snprintf(key[2], sizeof key[2], "a%u", j->assoc ? j->assoc->id : 0);
	g_snprintf(key[3], sizeof key[3], "u%u", j->user_key);
	static const char *const rules[] = {"B17: bf_max_job_user_part", "B17: bf_max_job_part", "B17: bf_max_job_assoc", "B17: bf_max_job_user"};
	for (int i = 0; i < 4; i++)
		if (!below_limit(y, key[i], limits[i]))
			return skip(y->c, j, rules[i]);
	for (int i = 0; i < 4; i++)
		if (limits[i])
			count_key(y, key[i]);
	return true;
}

/* B14 */
static bool test_now_only(struct cycle *y, const struct job *j)
{
	const struct sched_params *p = y->c->p;
	uint64_t threshold = limits_min_priority(y->c, j);
	if (threshold && j->priority < threshold)
		return true;
	if (p->bf_min_age_reserve && j->eligible && y->c->now_s - j->eligible < p->bf_min_age_reserve) {
		note_time(y->c, j->eligible + p->bf_min_age_reserve);
		return true;
	}
	if (p->bf_one_resv_per_job && j->est_start)
		return true;
	return p->bf_job_part_count_reserve && y->c->part_count[j->part->index] >= (uint32_t)p->bf_job_part_count_reserve;
}

/* B20: what is planned (time) and what is granted on start (comp), minutes. */
static bool limits_of(struct cycle *y, struct record *r)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	uint32_t l0 = j->time_limit != NO_VAL ? j->time_limit : r->p->max_time;
	if (r->p->max_time != INFINITE)
		l0 = MIN(l0, r->p->max_time);
	if (l0 == INFINITE)
		l0 = 365 * 24 * 60;
	if (job_check_deadline(c, j))
		return skip(c, j, "B20: the deadline can no longer be met");
	r->orig_limit = j->time_limit;
	r->comp = r->time = l0;
	if (j->deadline) {
		c->last_update = c->now_s; /* recorded: cycles go on while a job with a deadline waits, though nothing else changes */
		r->comp = MIN(l0, (uint32_t)MAX(0, (j->deadline - c->now_s) / 60));
	} else if (j->time_min != NO_VAL && j->time_min < l0) {
		r->time = j->time_min;
		j->time_limit = j->time_min;
	}
	if (j->qos && j->qos->flags & QOS_NO_RESERVE && j->qos->preempt_mode_text)
		r->time = 1;
	return true;
}

/* ---- one TRY (B22) ---- */

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
					job_set_reason(c, j, REASON_LICENSES, NULL);
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
	sec_t later = slotwindow_walk(y->b->window, y->b->map, start_res, end_time, !since(c->p, B22_LATER_SLOT), y->b->initial, y->b->usable,
				      &beyond);
	note_time(c, slotwindow_first_end(y->b->window, y->b->map, c->now_s));
	/* what is lost for want of nodes stays lost when the clock moves on: the stretch only meets more slots */
	if (beyond && start_res <= c->now_s && !(later && !bitset_at_least(y->b->usable, min_nodes)))
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
	c->sel->blocked = a.part_nodes ? resv_blocked_cores(c, r->j, *start_res) : NULL;
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

/* B9: a running job that uses whole nodes, or has licences that the map follows. */
static void reserve_running(struct cycle *y, const struct job *run)
{
	struct controller *c = y->c;
	bool licenses = run->licenses && y->b->map->n_licenses;
	if (!run->alloc->whole && !licenses)
		return;
	sec_t end = run->end;
	if (since(c->p, B9_ROUNDS_UP))
		end += c->p->bf_resolution - 1;
	end = floor_res(c, end);
	note_time(c, end); /* gone from the map */
	if (end >= y->window_end) /* comes into the map */
		note_time(c, MAX(c->now_s + 1, end - c->p->bf_window));
	const struct bitset *nodes = run->alloc->whole ? run->nodes : y->b->none;
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
	reserve_running(y, run);
	r->j = run;
	return ATTEMPT_OK;
}

enum try_result { TRY_AGAIN, TRY_NEXT_RECORD, TRY_STARTED, TRY_PLANNED };

/* Whether the tries of R depend on its shape alone, as far as nodes and CPUs decide (tried.h). */
static struct tried_line *line_of(struct cycle *y, const struct record *r)
{
	const struct controller *c = y->c;
	const struct job *j = r->j;
	bool always = !c->naive && !c->host.step && !c->costly && !soft_limits(c) && !node_users_any(y->b->users) &&
		      !c->resvs->len && !preempt_enabled(c) && !gang_active(c);
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
			r->later_start = tried_skip(r->line, r->later_start, r->counted || r->no_plan, y->b->window, y->b->map, y->b->initial);
		r->start = 0;
		step(y->c, STEP_LATER, r->j, r->later_start, 0, NULL);
		return TRY_AGAIN;
	}
	r->j->est_start = r->orig_start;
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
	if (j->reason == REASON_NONE)
		job_set_reason(c, j, REASON_RESOURCES, NULL);
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

/* B27-B32a: the job cannot start now: plan it. */
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
		skip(c, j, "B30a: the start lies beyond bf_window");
		return TRY_NEXT_RECORD;
	}
	sec_t begin = floor_res(c, r->start), end = slot_end(y, r, r->start);
	if (!tested && r->start > c->now_s && plan_conflict(y, r)) {
		step(c, STEP_OVERLAP, j, r->start, end, c->sel->chosen);
		r->later_start = r->start;
		r->start = 0;
		return TRY_AGAIN;
	}
	struct selection chosen = {j->min_cpus, MAX(r->count.min, c->sel->n_chosen), requested_memory(j), NULL,
				   c->sel->n_chosen ? c->sel->chosen : NULL};
	const char *no_plan = NULL; /* B31a */
	if (!c->p->assoc_limit_stop && !limits_after(c, j, &chosen))
		no_plan = "B31a: a limit";
	else if (j->qos && j->qos->flags & QOS_NO_RESERVE)
		no_plan = "B31a: the QOS has NoReserve";
	else if (c->p->bf_job_part_count_reserve && c->part_count[r->p->index]++ >= (uint32_t)c->p->bf_job_part_count_reserve)
		no_plan = "B31a: bf_job_part_count_reserve";
	if (no_plan) {
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
	if (end >= y->window_end) /* cut off by the end of the map, which moves on */
		note_time(c, y->window_end + c->p->bf_resolution - c->p->bf_window);
	if (!(c->p->bf_one_resv_per_job && r->orig_start) && !r->no_plan) {
		slotmap_add(y->b->map, begin, end, planned_nodes(y, r), j->licenses);
		publish_plan(y, r);
	}
	keep_estimate(y, r);
	return TRY_PLANNED;
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
	struct will_run w = {y->b->usable, r->count, start_res, r->later_start, false};
	if (!will_run(c, j, &w, &r->start))
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

/* B12a: bf_max_time counts sleeps too. */
static bool out_of_time(struct cycle *y)
{
	const struct controller *c = y->c;
	if (!c->costly || c->now - y->began < (usec_t)c->p->bf_max_time * USEC)
		return false;
	y->stats.ended_by = "bf_max_time";
	y->stop = true;
	return true;
}

static enum try_result search(struct cycle *y, struct record *r)
{
	enum try_result result = TRY_AGAIN;
	r->line = line_of(y, r);
	for (uint32_t rounds = 0; result == TRY_AGAIN && rounds < 20000; rounds++) {
		if (out_of_time(y)) { /* B12a: also before each try */
			r->j->est_start = r->orig_start;
			result = TRY_NEXT_RECORD;
			break;
		}
		result = one_try(y, r);
	}
	if (result == TRY_AGAIN) { /* no rule leads here; it does not wait for ever all the same */
		r->j->est_start = r->orig_start;
		result = TRY_NEXT_RECORD;
	}
	if (result != TRY_STARTED)
		r->j->time_limit = r->orig_limit;
	return result;
}

/* ---- one record ---- */

/* B17: the array's own rules; true = skip. */
static bool array_skip(struct cycle *y, struct job *j)
{
	struct controller *c = y->c;
	if (!j->array)
		return false;
	if (y->rejected == j->array && y->rejected_part == j->part && y->rejected_resv == j->resv)
		return !skip(c, j, "B17: a task of this array has just failed");
	y->rejected_resv = j->resv;
	y->rejected = j->array;
	y->rejected_part = j->part;
	y->rejected_job = j;
	if (!array_at_limit(j))
		return false;
	if (j->eligible && j->eligible <= c->now_s) {
		j->eligible = 0;
		c->version++;
	}
	job_throttled(c, j);
	return !skip(c, j, "B17: the array's %limit");
}

/* B13: arrays that have enough plans already. */
static bool array_planned_out(const struct controller *c, const struct job *j)
{
	if (!j->array || !j->tasks)
		return false;
	if (j->array->planned >= (uint32_t)c->p->bf_max_job_array_resv)
		return true;
	/* recorded in mixed-hour: 22.05 plans four tasks of an array %2 */
	return since(c->p, B13_COUNTS_PLANS) && j->array->limit && j->array->running + j->array->planned >= j->array->limit;
}

/* B15-B20. False = skip the record. */
static bool prepare_record(struct cycle *y, struct record *r)
{
	struct controller *c = y->c;
	struct job *j = r->j;
	if (!qos_checked(c, j))
		return skip(c, j, "R14: its QOS is not usable");
	if (!c->p->assoc_limit_stop && !limits_before(c, j))
		return skip(c, j, "B15: a limit");
	r->orig_start = j->est_start;
	if (array_skip(y, j))
		return false;
	struct blocker b;
	enum reason check = partition_check(c, j, r->p, true, &b);
	if (check != REASON_NONE) {
		job_blocked(c, j, check, NULL, &b);
		return skip(c, j, "B17: the partition's limits or state");
	}
	if (!within_counts(y, j))
		return false;
	if (!c->p->bf_licenses && !license_available(c, j))
		return skip(c, j, "B18: licences are not free now");
	if (!job_independent(c, j))
		return skip(c, j, "B18: it depends on something");
	if (j->resv && !resv_active_at(j->resv, c->now_s)) {
		note_time(c, j->resv->start);
		job_set_reason(c, j, REASON_RESERVATION, NULL);
		return skip(c, j, "B18: its reservation is not active");
	}
	if (!limits_counts(c, j, r->p, &r->count) || r->count.max < r->count.min)
		return skip(c, j, "B19: limits on the number of nodes");
	return limits_of(y, r);
}

/* A record, and for an array its tasks one after another. */
static void do_record(struct cycle *y, struct queue_record *q)
{
	struct controller *c = y->c;
	struct job *j = q->job;
	if (j && j->state == JOB_RUNNING && !since(c->p, P9_OWN_RECORD))
		record_priority(c, q); /* as in the main pass */
	if (!j || j->state != JOB_PENDING || j->priority == 0 || j->flags & JOB_COMPLETING || j->preempting) /* B13, B16 */
		return;
	if (array_planned_out(c, j)) {
		skip(c, j, "B13: bf_max_job_array_resv, or the array's %limit with the tasks planned");
		return;
	}
	record_take(c, q);
	struct record first = {.j = j, .p = q->part};
	first.no_plan = q->magnetic && !(c->p->bf_allow_magnetic_slot && since(c->p, B_MAGNETIC_SLOT));
	first.no_reserve = test_now_only(y, j);
	step(c, STEP_TEST, j, 0, 0, NULL);
	if (j->het) {
		if (het_others(j, c->bf_cycle) > y->window_end) /* B13 */
			return;
		het_begin(j, c->bf_cycle, c->now_s);
	}
	uint32_t planned = 0;
	for (;;) {
		y->stats.depth++;
		struct record r = first;
		bool head = j->tasks && j->tasks_left > 1;
		if (j->state != JOB_PENDING || !prepare_record(y, &r))
			return;
		sec_t earliest = j->est_start;
		enum try_result result = search(y, &r);
		if (result == TRY_STARTED) {
			y->rejected = NULL;
			if (c->p->bf_max_job_start && y->stats.started >= (uint32_t)c->p->bf_max_job_start) {
				y->stats.ended_by = "bf_max_job_start";
				y->stop = true;
			}
			if (y->stop || !head || y->stats.tested >= (uint32_t)c->p->bf_max_job_test)
				return;
			continue;
		}
		if (result != TRY_PLANNED || !j->tasks)
			return;
		j->array->planned++;
		planned++;
		if (earliest && planned > 1)
			j->est_start = MIN(j->est_start, earliest);
		if (planned >= array_tasks_left(j) || array_planned_out(c, j))
			return;
		y->rejected = NULL;
	}
}

/* B8, B9 */
static void seed_map(struct cycle *y)
{
	struct controller *c = y->c;
	uint32_t kinds = c->p->bf_licenses ? license_kinds(c->cl) : 0;
	uint32_t *total = g_new(uint32_t, kinds + 1);
	for (uint32_t k = 0; k < kinds; k++)
		total[k] = ((struct license *)c->cl->licenses->pdata[k])->total;
	slotmap_licenses(y->b->map, kinds, total);
	g_free(total);
	slotmap_reset(y->b->map, floor_res(c, c->now_s), y->window_end, c->up, c->p->bf_resolution);
	for (guint i = 0; kinds && i < c->resvs->len; i++) {
		const struct reservation *r = c->resvs->pdata[i];
		sec_t begin = r->flags & RESV_FLAG(FLEX) ? floor_res(c, c->now_s) : floor_res(c, resv_start(c, r));
		sec_t end = floor_res(c, resv_end(c, r) + c->p->bf_resolution - 1);
		if (r->flags & RESV_FLAG(FLEX))
			end = y->window_end;
		if (!r->licenses)
			continue;
		note_time(c, end);
		note_time(c, begin - c->p->bf_window);
		note_time(c, end - c->p->bf_window);
		if (end > floor_res(c, c->now_s) && begin < y->window_end)
			slotmap_reserve_licenses(y->b->map, begin, end, r->licenses);
	}
	if (!c->p->bf_running_job_reserve)
		return;
	for (const struct job *j = c->running.head; j; j = j->next) {
		if (y->b->map->records >= (uint32_t)c->p->bf_node_space_size)
			return;
		reserve_running(y, j);
	}
}

static void het_started(void *data, struct job *j)
{
	struct cycle *y = data;
	y->stats.started++;
	pace_spend(y->c, y->c->cost.start);
	step(y->c, STEP_START, j, y->c->now_s, j->end, j->nodes);
}

static void set_up(struct cycle *y)
{
	struct controller *c = y->c;
	memset(c->part_count, 0, c->cl->partitions->len * sizeof *c->part_count);
	g_hash_table_remove_all(y->b->counts);
	tried_reset(y->b->tried);
	bitset_assign(c->avail, c->up);
	seed_map(y);
	node_users_note(y->b->users, c);
	/* E <= start_res = now: the first running job not yet at its end */
	for (guint i = 0; i < c->by_end->len; i++) {
		const struct job *x = c->by_end->pdata[i];
		note_time(c, x->end);
		if (x->end > c->now_s)
			break;
	}
}

/* B12a: nothing more may be looked at. */
static bool at_its_end(struct cycle *y)
{
	if (y->stats.tested >= (uint32_t)y->c->p->bf_max_job_test) {
		y->stats.ended_by = "bf_max_job_test";
		return true;
	}
	return y->stop || out_of_time(y);
}

/* Go through the queue. False when the cycle yields (B50). */
static bool go_on(struct cycle *y)
{
	struct controller *c = y->c;
	for (; y->next < y->queue->len && !at_its_end(y); y->next++) {
		if (c->costly && pace_worked(c) >= c->p->bf_yield_interval_us)
			return false;
		struct queue_record q = g_array_index(y->queue, struct queue_record, y->next);
		if (!q.job) /* purged during a yield */
			continue;
		reason_quiet(c, q.job);
		do_record(y, &q);
		reason_tell(c);
		resv_end_record(q.job);
		if (y->rejected && q.job->array == y->rejected && q.job != y->rejected_job && y->rejected_job->state == JOB_PENDING &&
		    q.job->state == JOB_PENDING && q.job->reason != y->rejected_job->reason)
			job_blocked(c, q.job, y->rejected_job->reason, y->rejected_job->reason_text, &y->rejected_job->blocker); /* R18 */
	}
	return true;
}

/* ---- yields (B50, B51) ---- */

bool bf_suspended(const struct controller *c)
{
	return c->bf->suspended != NULL;
}

void bf_forget(struct controller *c, const struct job *j)
{
	struct cycle *y = c->bf->suspended;
	for (guint i = 0; y && i < y->queue->len; i++) {
		struct queue_record *q = &g_array_index(y->queue, struct queue_record, i);
		if (q->job == j)
			q->job = NULL;
	}
	if (y && (y->rejected_job == j || (j->array && y->rejected == j->array))) {
		y->rejected = NULL;
		y->rejected_job = NULL;
	}
}

static void yield(struct cycle *y)
{
	struct controller *c = y->c;
	gsize n = c->cl->partitions->len;
	if (y->queue == c->queue) {
		y->queue = g_array_sized_new(FALSE, FALSE, sizeof(struct queue_record), c->queue->len);
		g_array_append_vals(y->queue, c->queue->data, c->queue->len);
		y->part_count = g_new(uint32_t, n + 1);
	}
	memcpy(y->part_count, c->part_count, n * sizeof *c->part_count);
	mark_planned(c, y->published); /* B44 */
	y->stats.yields++;
	y->stats.spent += pace_worked(c);
	y->touches = c->touches;
	y->part_changes = c->part_changes;
	y->resv_changes = c->resv_changes;
	c->bf->suspended = y;
	c->bf_next = c->now + c->p->bf_yield_sleep_us;
	pace_end(c);
}

/* Only what was there at the yield may be used again. False = the cycle ends. */
static bool state_holds(struct cycle *y)
{
	const struct controller *c = y->c;
	bool same = y->part_changes == c->part_changes && y->resv_changes == c->resv_changes &&
		    (c->p->bf_continue || y->touches == c->touches);
	if (!same)
		y->stats.ended_by = "state changed";
	memcpy(c->part_count, y->part_count, c->cl->partitions->len * sizeof *c->part_count);
	bitset_assign(c->avail, c->up);
	return same;
}

static void finish(struct cycle *y)
{
	struct controller *c = y->c;
	if (y->stats.queue) {
		het_start_ready(c, c->bf_cycle, het_started, y); /* B52 */
		y->marked = mark_planned(c, y->published);
		y->stats.table = y->b->map->records;
	}
	y->stats.spent += pace_worked(c);
	pace_end(c);
	if (c->host.pass)
		c->host.pass(c->host.data, &y->stats);
}

static void resume(struct controller *c)
{
	struct cycle *y = c->bf->suspended;
	c->bf->suspended = NULL;
	pace_begin(c);
	if (state_holds(y) && !go_on(y)) {
		yield(y);
		return;
	}
	finish(y);
	cycle_free(y);
}

void backfill_cycle(struct controller *c)
{
	struct pass_memory *mem = &c->mem[PASS_BACKFILL];
	if (c->bf->suspended) {
		resume(c);
		return;
	}
	if (!c->naive && !c->costly && !c->host.step && mem->valid && mem->version == c->version && c->now_s < mem->valid_before) {
		mem->stats.repeated = true;
		mem->stats.t = c->now; /* same queue, same plans: only the clock has moved, and not far enough to matter */
		if (mem->marked)
			c->last_update = c->now_s;
		if (c->host.pass)
			c->host.pass(c->host.data, &mem->stats);
		return;
	}
	c->time_bound = INT64_MAX;
	uint64_t before = c->version;
	struct cycle y = {.c = c, .b = c->bf, .began = c->now, .queue = c->queue,
			  .stats = {.t = c->now, .kind = PASS_BACKFILL, .ended_by = "end of queue"}};
	pace_begin(c);
	c->bf_cycle++; /* recorded (hetjob): nothing is remembered from cycle to cycle (B4) */
	het_plans_clear(c->het_plans);
	clear_estimates(c);
	queue_build(c, true);
	y.stats.queue = c->queue->len;
	y.window_end = floor_res(c, c->now_s + c->p->bf_window);
	y.plan_limit = c->now_s + c->p->bf_window;
	uint64_t bytes = trial_bytes(c->sel);
	if (c->queue->len) {
		set_up(&y);
		pace_spend(c, c->cost.pass);
		if (!go_on(&y)) {
			yield(g_memdup2(&y, sizeof y));
			return;
		}
	} else {
		y.stats.ended_by = "no jobs";
	}
	c->version += trial_bytes(c->sel) != bytes ? 1 : 0; /* N23: what passes read of one another */
	finish(&y);
	*mem = (struct pass_memory){c->version, c->version == before, c->time_bound, y.stats, y.marked};
}
