/* backfill.c - one cycle of the backfill scheduler: its map, its way through the queue, yields (backfill B5-B12, B44, B50-B52); see bf.h */
#include "sched/bf.h"
#include "sched/hetjob.h"
#include "sched/reshape.h"
#include "sched/reservation.h"

#include <string.h>

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
	b->kept = bitset_new(c->cl->n_nodes);
	b->users = node_users_new();
	b->suspended = NULL;
	b->counts = g_hash_table_new(NULL, NULL);
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
	bitset_free(b->kept);
	node_users_free(b->users);
	g_hash_table_unref(b->counts);
	g_free(b);
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
		bf_reserve_running(y, j);
	}
}

void bf_het_started(void *data, struct job *j)
{
	struct cycle *y = data;
	tried_reset(y->b->tried);
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
	if (y->stop) /* what came first counts (recorded: backfill-max-job-test) */
		return true;
	if (y->stats.tested >= (uint32_t)y->c->p->bf_max_job_test) {
		y->stats.ended_by = "bf_max_job_test";
		return true;
	}
	return bf_out_of_time(y);
}

/* Go through the queue. False when the cycle yields (B50). */
static bool go_on(struct cycle *y)
{
	struct controller *c = y->c;
	for (; y->next < y->queue->len && (y->held.active || !at_its_end(y)); y->next++) {
		if (c->costly && pace_worked(c) >= c->p->bf_yield_interval_us)
			return false;
		struct queue_record q = g_array_index(y->queue, struct queue_record, y->next);
		if (!q.job) { /* purged during a yield */
			y->held.active = false;
			continue;
		}
		reason_quiet(c, q.job);
		bf_record(y, &q);
		reason_tell(c);
		resv_end_record(q.job);
		if (y->rejected && q.job->array == y->rejected && q.job != y->rejected_job && y->rejected_job->state == JOB_PENDING &&
		    q.job->state == JOB_PENDING && q.job->reason != y->rejected_job->reason)
			job_blocked(c, q.job, y->rejected_job->reason, y->rejected_job->reason_text, &y->rejected_job->blocker); /* R18 */
		if (y->held.active)
			return false;
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

/* SAME: what the estimates rest on has not changed during a yield. */
static void finish(struct cycle *y, bool same)
{
	struct controller *c = y->c;
	if (y->stats.queue) {
		if (same) /* B52 */
			het_start_ready(c, c->bf_cycle, bf_het_started, y);
		y->marked = mark_planned(c, y->published);
		y->stats.table = y->b->map->records;
	}
	y->stats.spent += pace_worked(c);
	pace_end(c);
	if (c->host.pass)
		c->host.pass(c->host.data, &y->stats);
}

/* What the sleeping cycle knows of nodes holds no more: it ends where it is. */
void bf_abandon(struct controller *c)
{
	struct cycle *y = c->bf->suspended;
	if (!y)
		return;
	c->bf->suspended = NULL;
	y->stats.ended_by = "state changed";
	if (c->host.pass)
		c->host.pass(c->host.data, &y->stats);
	cycle_free(y);
}

static void resume(struct controller *c)
{
	struct cycle *y = c->bf->suspended;
	c->bf->suspended = NULL;
	pace_begin(c);
	bool same = state_holds(y);
	if (same && !go_on(y)) {
		yield(y);
		return;
	}
	finish(y, same);
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
	het_rank_all(c);
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
	finish(&y, true);
	*mem = (struct pass_memory){c->version, c->version == before, c->time_bound, y.stats, y.marked};
}
