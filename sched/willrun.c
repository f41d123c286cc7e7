/* willrun.c - see willrun.h */
#include "sched/preempt.h"
#include "sched/willrun.h"
#include "sched/license.h"
#include "sched/limits.h"
#include "sched/reservation.h"

/* B36: the end of a job that has outlived its end time can only be guessed. */
static sec_t overdue_guess(struct controller *c, const struct job *x)
{
	uint32_t over = x->part->over_time_limit != NO_VAL ? x->part->over_time_limit : c->p->over_time_limit;
	sec_t guess;
	note_time(c, c->now_s + 1);
	if (over == INFINITE)
		guess = c->now_s + (x->time_limit == INFINITE ? INT64_C(365) * 86400 : (sec_t)x->time_limit * 60);
	else
		guess = x->end + c->p->kill_wait + (sec_t)over * 60;
	return MAX(guess, c->now_s + 1);
}

/*
 * Removing jobs from the imagined future touches every node of theirs, so it is put off until what they could give at most makes a
 * success possible: up to then the sums alone tell that the test would fail.
 */
struct removal {
	struct controller *c;
	GPtrArray *waiting;   /* jobs whose removal is put off; scratch of the controller */
	uint64_t cpus, nodes; /* what they could give at most */
	uint32_t most_cpus;   /* of any node */
};

static void remove_job(struct removal *r, struct job *x)
{
	g_ptr_array_add(r->waiting, x);
	if (x->licenses_held)
		license_add_back(x->licenses, r->c->lic_future);
	r->cpus += (uint64_t)x->alloc->n * r->most_cpus;
	r->nodes += x->alloc->n;
}

static void flush(struct removal *r, const struct bitset *usable)
{
	struct controller *c = r->c;
	struct selector *s = c->sel;
	if (!r->waiting->len)
		return;
	struct bitset *changed = c->tmp_nodes, *emptied = c->emptied;
	bitset_clear_all(changed);
	bitset_clear_all(emptied);
	for (guint k = 0; k < r->waiting->len; k++) {
		const struct job *x = r->waiting->pdata[k];
		usage_remove_imagined(c->future, x->alloc, emptied, changed);
		for (uint32_t i = 0; s->limit_cpus && x->part == s->part && i < x->alloc->n; i++) {
			const struct alloc_node *an = &x->alloc->node[i];
			s->jobs_cpus[an->node] -= MIN(s->jobs_cpus[an->node], an->cpus);
		}
	}
	bitset_and(changed, usable);
	bitset_andnot(changed, emptied);
	int64_t i;
	for (BITSET_EACH(i, changed))
		trial_recheck(s, (uint32_t)i);
	trial_recheck_idle(s, emptied);
	g_ptr_array_set_size(r->waiting, 0);
	r->cpus = r->nodes = 0;
}

static bool test(struct removal *r, const struct will_run *w)
{
	const struct selector *s = r->c->sel;
	bool possible = s->sum_cpus + r->cpus >= s->job->min_cpus && s->n_ok + r->nodes >= w->count.min;
	if (!possible || !license_fits(r->c->sel->job->licenses, r->c->lic_future))
		return false;
	flush(r, w->usable);
	return trial_would_start(r->c->sel);
}

struct groups {
	struct controller *c;
	const struct will_run *w;
	struct removal *r;
	guint next;       /* index in by_end of the job to look at next */
	guint first_removed; /* index of the first candidate for B35 */
	sec_t base, window;
	const struct job *last_removed;
	bool last;
};

static struct job *by_end(const struct controller *c, guint i)
{
	return c->by_end->pdata[i];
}

/* B33: remove one group. Returns how many jobs were removed. */
static uint32_t remove_group(struct groups *g)
{
	struct controller *c = g->c;
	bool stop_at_later = c->p->version != SLURM_22_05 && g->w->later_start;
	uint32_t removed = 0;
	for (;;) {
		if (g->next >= c->by_end->len || (stop_at_later && by_end(c, g->next)->end > g->w->later_start)) {
			g->last = true;
			return removed;
		}
		struct job *x = by_end(c, g->next++);
		if (x->gone == c->gone || !bitset_intersects(x->nodes, g->w->usable))
			continue; /* dropped, without a look at the window */
		remove_job(g->r, x);
		removed++;
		g->last_removed = x;
		if (!g->base)
			g->base = x->end + (30 - x->end % 30);
		if (g->next >= c->by_end->len) {
			g->last = true;
			return removed;
		}
		if (by_end(c, g->next)->end > g->base + g->window)
			return removed;
	}
}

/* B35 */
static sec_t start_after(const struct groups *g)
{
	struct controller *c = g->c;
	const struct job *x = g->last_removed;
	if (c->p->version != SLURM_22_05)
		for (guint i = g->next; i-- > g->first_removed;) {
			const struct job *y = by_end(c, i);
			if (y->gone != c->gone && bitset_intersects(y->nodes, g->w->usable) &&
			    bitset_intersects(y->nodes, c->sel->chosen)) {
				x = y;
				break;
			}
		}
	return x->end <= c->now_s ? overdue_guess(c, x) : x->end;
}

static void widen(struct groups *g) /* B34 */
{
	const struct controller *c = g->c;
	sec_t looked = by_end(c, g->next)->end;
	do
		g->window = c->p->bf_window_linear ? g->window + c->p->bf_window_linear : g->window * 2;
	while (looked > g->base + g->window && g->window < INT64_C(366) * 86400);
}

/* N23: in 22.05 even a test that fails leaves its GPU bytes behind. */
static bool failed(struct groups *g)
{
	struct controller *c = g->c;
	if (c->p->version == SLURM_22_05 && c->sel->has_gres) {
		flush(g->r, g->w->usable);
		trial_choose(c->sel);
	}
	return false;
}

static bool search_groups(struct groups *g, sec_t *start)
{
	for (;;) {
		uint32_t removed = remove_group(g);
		if (g->last && removed == 0)
			return failed(g);
		if ((removed <= 200 || g->last) && test(g->r, g->w)) {
			*start = start_after(g);
			return true;
		}
		if (g->last)
			return failed(g);
		widen(g);
	}
}

/* Licences in the imagined future; in 22.05 they are no part of it. */
static void license_future(struct controller *c, const struct job *j, sec_t start)
{
	if (!j->licenses)
		return;
	license_free_for(c, j, start, resv_job_seconds(c, j), c->lic_future);
	for (uint32_t k = 0; c->p->version == SLURM_22_05 && k < license_kinds(c->cl); k++)
		c->lic_future[k] = UINT32_MAX / 2;
}

/* B31: jobs that this one may preempt are gone from the beginning. Victims that only suspension could move stay. */
static uint32_t remove_candidates(struct controller *c, struct job *j, const struct will_run *w, struct removal *r)
{
	uint32_t n = 0;
	c->gone++;
	if (!preempt_enabled(c))
		return 0;
	GPtrArray *list = preempt_candidates(c, j);
	for (guint i = 0; i < list->len; i++) {
		struct job *v = list->pdata[i];
		enum preempt_mode m = preempt_mode_of(c, v);
		if (m != PREEMPT_MODE_CANCEL && m != PREEMPT_MODE_REQUEUE)
			continue;
		v->gone = c->gone;
		if (bitset_intersects(v->nodes, w->usable)) {
			remove_job(r, v);
			n++;
		}
	}
	return n;
}

/* A --prefer record is tested for now only (B14). */
static bool prefers_now(struct controller *c, struct job *j, const struct will_run *w)
{
	if (!j->prefer)
		return false;
	demand_swap_prefer(j);
	bool ok = trial_begin(c->sel, j, j->part, c->use, w->usable, w->count, TRIAL_WILL_RUN, c->running.head) && trial_choose(c->sel);
	demand_swap_prefer(j);
	return ok;
}

static bool estimate(struct controller *c, struct job *j, const struct will_run *w, sec_t *start)
{
	/* recorded in backfill-basic and backfill-limits: 22.05 tries the present state first for later times too, so plans prefer nodes free now */
	bool now = w->start_res <= c->now_s || c->p->version == SLURM_22_05;
	c->sel->group_test = false;
	if (c->p->version != SLURM_22_05 && j->n_gres) /* B37 */
		trial_imagine_bytes(c->sel, w->usable);
	else if (c->p->version != SLURM_22_05)
		trial_forget_bytes(c->sel, w->usable);
	if (!j->first_try)
		j->first_try = c->now_s;
	license_future(c, j, w->start_res);
	if (now && license_fits(j->licenses, c->lic_future) && prefers_now(c, j, w)) {
		*start = c->now_s;
		return true;
	}
	bool offered = trial_begin(c->sel, j, j->part, c->use, w->usable, w->count, TRIAL_WILL_RUN, c->running.head);
	if (now && offered && license_fits(j->licenses, c->lic_future) && trial_would_start(c->sel)) {
		*start = c->now_s; /* B30 */
		return true;
	}
	usage_overlay_reset(c->future);
	trial_view(c->sel, c->future);
	g_ptr_array_set_size(c->removal, 0);
	struct removal r = {.c = c, .waiting = c->removal, .most_cpus = c->most_cpus};
	guint i = 0;
	uint32_t preempted = remove_candidates(c, j, w, &r);
	if (c->p->version == SLURM_22_05 && preempted && test(&r, w)) {
		*start = c->now_s;
		return true;
	}
	if (c->p->version != SLURM_22_05) { /* B31, B32: what has ended by then is gone */
		for (; i < c->by_end->len && by_end(c, i)->end <= w->start_res; i++)
			if (by_end(c, i)->gone != c->gone && bitset_intersects(by_end(c, i)->nodes, w->usable))
				remove_job(&r, by_end(c, i));
			else if (j->licenses && by_end(c, i)->licenses_held) /* only they can matter */
				license_add_back(by_end(c, i)->licenses, c->lic_future);
		if ((i > 0 || !now || preempted) && test(&r, w)) {
			*start = c->now_s;
			return true;
		}
	}
	struct groups g = {.c = c, .w = w, .r = &r, .next = i, .first_removed = i, .window = 30};
	c->sel->group_test = true; /* B37 */
	bool found = search_groups(&g, start);
	c->sel->group_test = false;
	return found;
}

bool will_run(struct controller *c, struct job *j, const struct will_run *w, sec_t *start)
{
	c->sel->held = limits_used_nodes(c, j, c->held_nodes) ? c->held_nodes : NULL; /* N24 */
	bool found = estimate(c, j, w, start);
	c->sel->held = NULL;
	return found;
}
