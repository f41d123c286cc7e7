/* willrun.c - see willrun.h */
#include "sched/preempt.h"
#include "sched/willrun.h"
#include "sched/hetjob.h"
#include "sched/license.h"
#include "sched/release.h"
#include "sched/limits.h"
#include "sched/reservation.h"
#include "sched/gang.h"
#include "sched/share.h"

bool soft_limits(const struct controller *c)
{
	return c->p->time_min_as_soft_limit && since(c->p, B12_SOFT_LIMITS);
}

/* B12: when X is taken to end. */
static sec_t ends_at(const struct controller *c, const struct job *x)
{
	if (!soft_limits(c) || x->time_min == NO_VAL)
		return x->end;
	sec_t soft = x->start + (sec_t)x->time_min * 60;
	if (soft <= c->now_s)
		soft = c->now_s + (x->end - c->now_s) / 2;
	return MIN(soft, x->end);
}

static gint by_soft_end(gconstpointer a, gconstpointer b, gpointer c)
{
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;
	sec_t ex = ends_at(c, x), ey = ends_at(c, y);
	return ex != ey ? (ex < ey ? -1 : 1) : (x->seq > y->seq) - (x->seq < y->seq);
}

/* The running jobs in the order in which they are taken to end. */
static void order_ends(struct controller *c)
{
	c->ends = c->by_end;
	if (!soft_limits(c))
		return;
	c->ends = c->soft_ends;
	g_ptr_array_set_size(c->soft_ends, 0);
	for (guint i = 0; i < c->by_end->len; i++) {
		const struct job *x = c->by_end->pdata[i];
		if (x->time_min != NO_VAL && x->time_min != x->time_limit)
			note_time(c, c->now_s + 1); /* its soft end moves once it is past */
		g_ptr_array_add(c->soft_ends, c->by_end->pdata[i]);
	}
	g_ptr_array_sort_with_data(c->soft_ends, by_soft_end, c);
}

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

/* How many nodes of SET does running job X hold? Most jobs hold few nodes, or neighbours. */
static uint32_t held(const struct job *x, const struct bitset *set)
{
	const struct job_alloc *a = x->alloc;
	uint32_t n = 0;
	if (a->n > 16)
		return bitset_count_and_within(x->nodes, set, a->node[0].node, a->node[a->n - 1].node);
	for (uint32_t i = 0; i < a->n; i++)
		n += bitset_test(set, a->node[i].node);
	return n;
}

/*
 * Removing jobs from the imagined future touches every node of theirs, so it is put off until what they could give at most makes a
 * success possible: up to then the sums alone tell that the test would fail. For jobs without GRES, whose trials leave nothing behind, not
 * even the trial is begun before.
 */
struct removal {
	struct controller *c;
	struct job *j;
	const struct will_run *w;
	GPtrArray *waiting;   /* jobs whose removal is put off; scratch of the controller */
	bool begun;           /* the trial is */
	uint64_t cpus, nodes; /* what those that wait could add to its offers at most */
	uint64_t room_cpus, room_nodes; /* what is free on usable nodes with all that were removed so far: no offer can be more */
	GHashTable *gone;     /* share.h: jobs removed so far, where jobs run on the same cores; else NULL */
};

/* Begin the trial, if it is not yet, and show it the imagined future, which is the present still. */
static void begin(struct removal *r)
{
	struct controller *c = r->c;
	if (!r->begun)
		trial_begin(c->sel, r->j, r->j->part, c->use, r->w->usable, r->w->count, TRIAL_WILL_RUN, c->running.head);
	r->begun = true;
	usage_overlay_reset(c->future);
	trial_view(c->sel, c->future);
}

static void count_cores(struct job_alloc *a)
{
	for (uint32_t i = 0; i < a->n; i++) {
		a->cores += a->node[i].cores;
		a->most_cores = MAX(a->most_cores, a->node[i].cores);
	}
}

/* N: nodes of X that are usable. A node that offers nothing yet may come to offer all that it has. */
static void remove_job(struct removal *r, struct job *x, uint32_t n)
{
	struct job_alloc *a = x->alloc;
	g_ptr_array_add(r->waiting, x);
	if (x->licenses_held)
		license_add_back(x->licenses, r->c->lic_future);
	if (!a->cores)
		count_cores(a);
	r->cpus += (uint64_t)n * r->c->most_cpus;
	r->nodes += n;
	r->room_cpus += (uint64_t)MIN(a->cores, n * a->most_cores) * r->c->most_threads;
	r->room_nodes += n;
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
		usage_remove_imagined(c->future, x->alloc, x->nodes, usable, emptied, changed);
		for (uint32_t i = 0; s->limit_cpus && x->part == s->part && i < x->alloc->n; i++) {
			const struct alloc_node *an = &x->alloc->node[i];
			s->jobs_cpus[an->node] -= MIN(s->jobs_cpus[an->node], an->cpus);
		}
	}
	usage_empty_imagined(c->future, emptied);
	bitset_andnot(changed, emptied);
	int64_t i;
	for (BITSET_EACH(i, changed))
		trial_recheck(s, (uint32_t)i);
	trial_recheck_idle(s, emptied);
	g_ptr_array_set_size(r->waiting, 0);
	r->cpus = r->nodes = 0;
}

/* N50 in the imagined future, which is made anew for each step. */
static bool test_rows(struct removal *r, const struct will_run *w)
{
	for (guint i = 0; i < r->waiting->len; i++)
		g_hash_table_add(r->gone, r->waiting->pdata[i]);
	g_ptr_array_set_size(r->waiting, 0);
	return license_fits(r->j->licenses, r->c->lic_future) &&
	       share_choose_later(r->c, r->j, w->usable, w->count, r->gone) && trial_would_start(r->c->sel);
}

static bool test(struct removal *r, const struct will_run *w)
{
	if (r->gone)
		return test_rows(r, w);
	const struct selector *s = r->c->sel;
	if (r->room_cpus < r->j->min_cpus || r->room_nodes < w->count.min)
		return false;
	if (r->begun && (s->sum_cpus + r->cpus < r->j->min_cpus || s->n_ok + r->nodes < w->count.min))
		return false;
	if (!license_fits(r->j->licenses, r->c->lic_future))
		return false;
	if (!r->begun)
		begin(r);
	flush(r, w->usable);
	return trial_would_start(r->c->sel);
}

struct groups {
	struct controller *c;
	const struct will_run *w;
	struct removal *r; /* NULL: only the cuts are wanted */
	guint next;       /* index in by_end of the job to look at next */
	guint first_removed; /* index of the first candidate for B35 */
	sec_t base, window;
	const struct job *last_removed;
	bool last;
};

static struct job *by_end(const struct controller *c, guint i)
{
	return c->ends->pdata[i];
}

/* B33: remove one group. Returns how many jobs were removed. */
static uint32_t remove_group(struct groups *g)
{
	struct controller *c = g->c;
	bool stop_at_later = since(c->p, B33_STOPS_AT_LATER) && g->w->later_start;
	uint32_t removed = 0;
	for (;;) {
		if (g->next >= c->ends->len || (stop_at_later && ends_at(c, by_end(c, g->next)) > g->w->later_start)) {
			g->last = true;
			return removed;
		}
		struct job *x = by_end(c, g->next++);
		uint32_t n = x->gone == c->gone ? 0 : held(x, g->w->usable);
		if (!n)
			continue; /* dropped, without a look at the window */
		if (g->r)
			remove_job(g->r, x, n);
		removed++;
		g->last_removed = x;
		if (!g->base)
			g->base = ends_at(c, x) + (30 - ends_at(c, x) % 30);
		if (g->next >= c->ends->len) {
			g->last = true;
			return removed;
		}
		if (ends_at(c, by_end(c, g->next)) > g->base + g->window)
			return removed;
	}
}

/* B35 */
static sec_t start_after(const struct groups *g)
{
	struct controller *c = g->c;
	const struct job *x = g->last_removed;
	if (since(c->p, B35_CHOSEN_NODES))
		for (guint i = g->next; i-- > g->first_removed;) {
			const struct job *y = by_end(c, i);
			if (y->gone != c->gone && held(y, g->w->usable) && held(y, c->sel->chosen)) {
				x = y;
				break;
			}
		}
	return ends_at(c, x) <= c->now_s ? overdue_guess(c, x) : ends_at(c, x);
}

static void widen(struct groups *g) /* B34 */
{
	const struct controller *c = g->c;
	sec_t looked = ends_at(c, by_end(c, g->next));
	do
		g->window = c->p->bf_window_linear ? g->window + c->p->bf_window_linear : g->window * 2;
	while (looked > g->base + g->window && g->window < INT64_C(366) * 86400);
}

/* N23: in 22.05 even a test that fails leaves its GPU bytes behind. */
static bool failed(struct groups *g)
{
	struct controller *c = g->c;
	if (!since(c->p, B37_FORGETS_BYTES) && c->sel->has_gres) {
		flush(g->r, g->w->usable);
		trial_choose(c->sel);
	}
	return false;
}

static void note_group(struct will_run_groups *t, const struct groups *g, uint32_t removed)
{
	if (t->n < WILL_RUN_GROUPS) {
		t->group[t->n].seq = g->last_removed ? g->last_removed->seq : 0;
		t->group[t->n].removed = removed;
	}
	t->n++;
	t->last = g->last;
}

static bool search_groups(struct groups *g, sec_t *start)
{
	for (;;) {
		uint32_t removed = remove_group(g);
		if (g->w->groups)
			note_group(g->w->groups, g, removed);
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
	for (uint32_t k = 0; !since(c->p, B_FUTURE_LICENSES) && k < license_kinds(c->cl); k++)
		c->lic_future[k] = UINT32_MAX / 2;
}

/* B31: of a victim that would be suspended only the cores come free. Recorded (preempt-*-suspend): its end does not count any more, so a job that
 * needs its memory or devices is not planned. */
static uint32_t remove_cores(struct controller *c, struct job *v)
{
	v->gone = c->gone;
	if (v->alloc->cores_free)
		return 0;
	usage_remove_cores(c->future, v->alloc);
	for (uint32_t k = 0; k < v->alloc->n; k++)
		trial_recheck(c->sel, v->alloc->node[k].node);
	return 1;
}

/* B31: jobs that this one may preempt are gone from the beginning. */
static uint32_t remove_candidates(struct controller *c, struct job *j, const struct will_run *w, struct removal *r)
{
	uint32_t n = 0;
	c->gone++;
	if (!preempt_enabled(c))
		return 0;
	GPtrArray *list = preempt_candidates(c, j);
	for (guint i = 0; i < list->len; i++) {
		enum preempt_mode m = preempt_mode_of(c, list->pdata[i]);
		if (m == PREEMPT_MODE_SUSPEND && gang_active(c))
			n += remove_cores(c, list->pdata[i]);
		if (m != PREEMPT_MODE_CANCEL && m != PREEMPT_MODE_REQUEUE)
			continue;
		for (uint32_t k = 0; het_member(list->pdata[i], k); k++) {
			struct job *v = het_member(list->pdata[i], k);
			uint32_t nodes = held(v, w->usable);
			v->gone = c->gone;
			if (nodes) {
				remove_job(r, v, nodes);
				n++;
			}
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

/* Even if all nodes of jobs that end as far ahead as the groups look were wholly free? Tells at once for most tries. */
static bool never_enough(struct controller *c, const struct job *j, const struct will_run *w)
{
	if (preempt_enabled(c) || soft_limits(c)) /* B12: the release line knows hard ends */
		return false;
	guint lo = 0, hi = c->by_end->len;
	bool all = !since(c->p, B33_STOPS_AT_LATER) || !w->later_start;
	while (!all && lo < hi) { /* those that end by later_start, or by start_res */
		guint mid = (lo + hi) / 2;
		if (by_end(c, mid)->end <= MAX(w->later_start, w->start_res))
			lo = mid + 1;
		else
			hi = mid;
	}
	uint64_t nodes = bitset_count_and(w->usable, release_by(c->release, c, all ? hi : lo));
	return nodes < w->count.min || nodes * c->most_cpus < j->min_cpus;
}

static bool estimate(struct controller *c, struct job *j, struct will_run *w, sec_t *start)
{
	/* recorded in backfill-basic and backfill-limits: 22.05 tries the present state first for later times too, so plans prefer nodes free now */
	bool now = w->start_res <= c->now_s || !since(c->p, B30_NO_PRESENT);
	c->sel->group_test = false;
	if (since(c->p, B37_FORGETS_BYTES) && j->n_gres)
		trial_imagine_bytes(c->sel, w->usable);
	else if (since(c->p, B37_FORGETS_BYTES))
		trial_forget_bytes(c->sel, w->usable);
	if (!j->first_try)
		j->first_try = c->now_s;
	license_future(c, j, w->start_res);
	order_ends(c);
	if (now && license_fits(j->licenses, c->lic_future) && prefers_now(c, j, w)) {
		*start = c->now_s;
		return true;
	}
	bool turns = share_active(c) && !j->het, rows = turns && share_rows(c);
	if (turns && now && license_fits(j->licenses, c->lic_future)) {
		bool ok = share_choose(c, j, w->usable, w->count, false) && trial_would_start(c->sel);
		if (ok) {
			c->sel->admitted = NULL;
			*start = c->now_s;
			return true;
		}
	}
	c->sel->admitted = NULL;
	bool sums = !j->n_gres && !share_active(c); /* sums of what is held tell what could be free at most */
	struct removal r = {.c = c, .j = j, .w = w, .waiting = c->removal, .room_cpus = UINT64_MAX / 2, .room_nodes = UINT64_MAX / 2};
	bool offered = false;
	if (now || !sums) {
		r.begun = true;
		offered = trial_begin(c->sel, j, j->part, c->use, w->usable, w->count, TRIAL_WILL_RUN, c->running.head);
		if (now && !rows && offered && license_fits(j->licenses, c->lic_future) && trial_would_start(c->sel)) {
			*start = c->now_s; /* B30 */
			return true;
		}
		begin(&r);
	}
	g_autoptr(GHashTable) gone = rows ? g_hash_table_new(NULL, NULL) : NULL;
	r.gone = gone;
	g_ptr_array_set_size(c->removal, 0);
	if (sums && !c->naive && never_enough(c, j, w)) {
		w->no_room = true;
		return false;
	}
	if (sums) {
		uint32_t nodes;
		r.room_cpus = usage_room(c->use, w->usable, &nodes);
		r.room_nodes = nodes;
	}
	guint i = 0;
	uint32_t nodes;
	uint32_t preempted = remove_candidates(c, j, w, &r);
	if (!since(c->p, B31_OVERDUE_GONE) && preempted && test(&r, w)) {
		*start = c->now_s;
		return true;
	}
	if (since(c->p, B31_OVERDUE_GONE)) { /* B31, B32: what has ended by then is gone */
		for (; i < c->ends->len && ends_at(c, by_end(c, i)) <= w->start_res; i++)
			if (by_end(c, i)->gone != c->gone && (nodes = held(by_end(c, i), w->usable)))
				remove_job(&r, by_end(c, i), nodes);
			else if (j->licenses && by_end(c, i)->licenses_held) /* only they can matter */
				license_add_back(by_end(c, i)->licenses, c->lic_future);
		if (w->groups)
			w->groups->ended_before = i > 0;
		/* With nothing gone it is the same test again, but for the GPU bytes that the first one has left, which change the
		 * order of the nodes (B37; recorded in 26.11 limits). With CPUs per GPU it is recorded to fail like the first
		 * (gpu_frag, cpg at 61). */
		bool bytes_left = j->n_gres && offered && j->req->cpus_per_gpu == NO_VAL;
		bool anew = i > 0 || !now || preempted || bytes_left;
		if (anew && test(&r, w)) {
			*start = c->now_s;
			return true;
		}
	}
	struct groups g = {.c = c, .w = w, .r = &r, .next = i, .first_removed = i, .window = 30};
	c->sel->group_test = true; /* B37 */
	bool found = search_groups(&g, start);
	c->sel->group_test = false;
	w->no_room = r.room_cpus < j->min_cpus || r.room_nodes < w->count.min;
	return found;
}

bool will_run(struct controller *c, struct job *j, struct will_run *w, sec_t *start)
{
	c->sel->held = first_nodes(c, j); /* N24 */
	bool found = estimate(c, j, w, start);
	c->sel->held = NULL;
	return found;
}

bool will_run_same_groups(struct controller *c, const struct will_run *w, const struct will_run_groups *as)
{
	struct groups g = {.c = c, .w = w, .window = 30};
	struct will_run_groups is = {0};
	order_ends(c);
	for (; since(c->p, B31_OVERDUE_GONE) && g.next < c->ends->len && ends_at(c, by_end(c, g.next)) <= w->start_res; g.next++)
		;
	if (as->n > WILL_RUN_GROUPS || (g.next > 0) != as->ended_before)
		return false;
	while (is.n < as->n) {
		if (is.n)
			widen(&g);
		uint32_t removed = remove_group(&g);
		note_group(&is, &g, removed);
		if (is.group[is.n - 1].seq != as->group[is.n - 1].seq || is.group[is.n - 1].removed != as->group[is.n - 1].removed ||
		    (is.last && is.n < as->n))
			return false;
	}
	return is.last == as->last;
}
