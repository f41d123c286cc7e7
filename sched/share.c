/* share.c - see share.h */
#include "sched/share.h"
#include "sched/gang.h"
#include "sched/preempt.h"

struct steps {
	struct controller *c;
	struct job *j;
	const struct bitset *nodes;
	struct trial_counts n;
	bool now;
	GPtrArray *order; /* of struct partition *: lower ones in the order of step 3 */
	guint n_lower;    /* of these, hold their cores */
	bool same;        /* jobs of the same tier hold theirs */
};

static bool trial(struct steps *s, const struct usage *view)
{
	enum trial_mode mode = s->now ? TRIAL_RUN_NOW : TRIAL_WILL_RUN;
	struct selector *sel = s->c->sel;
	return trial_begin(sel, s->j, s->j->part, view, s->nodes, s->n, mode, s->c->running.head) && trial_choose(sel);
}

typedef bool holds_fn(const struct steps *s, const struct job *v, uint32_t row);

static bool try_view(struct steps *s, holds_fn *holds, uint32_t row)
{
	struct controller *c = s->c;
	usage_overlay_reset(c->future);
	for (const struct job *v = c->running.head; v; v = v->next)
		if (!v->alloc->cores_free && !holds(s, v, row))
			usage_remove_cores(c->future, v->alloc);
	return trial(s, c->future);
}

static bool none(const struct steps *s, const struct job *v, uint32_t row)
{
	(void)s, (void)v, (void)row;
	return false;
}

/* Step 2: higher tiers, mode OFF, and those whose exempt time has not passed [26.05+]. */
static bool is_above(const struct steps *s, const struct job *v)
{
	const struct controller *c = s->c;
	if (c->p->preempt_type != PREEMPT_PARTITION)
		return false;
	if (v->part->priority_tier > s->j->part->priority_tier || v->part->preempt_mode == PREEMPT_MODE_OFF)
		return true;
	return c->p->version != SLURM_22_05 && c->p->preempt_exempt_time > 0 &&
	       preempt_mode_of(c, v) == PREEMPT_MODE_SUSPEND && preempt_is_exempt(s->c, v);
}

static bool above(const struct steps *s, const struct job *v, uint32_t row)
{
	(void)row;
	return is_above(s, v);
}

static bool is_lower(const struct steps *s, const struct job *v)
{
	return s->c->p->preempt_type == PREEMPT_PARTITION && v->part->priority_tier < s->j->part->priority_tier;
}

static bool same_and_lower(const struct steps *s, const struct job *v, uint32_t row)
{
	(void)row;
	if (is_above(s, v) || !is_lower(s, v))
		return true;
	for (guint i = 0; i < s->n_lower; i++)
		if (s->order->pdata[i] == v->part)
			return true;
	return false;
}

static gint lower_first(gconstpointer a, gconstpointer b)
{
	const struct partition *x = *(struct partition *const *)a, *y = *(struct partition *const *)b;
	if (x->priority_tier != y->priority_tier)
		return x->priority_tier > y->priority_tier ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Step 3: as many lower partitions keep their cores as leave room for the job. */
static bool beside_lower(struct steps *s)
{
	s->n_lower = 0;
	if (!try_view(s, same_and_lower, 0))
		return false;
	s->order = g_ptr_array_new();
	for (guint i = 0; i < s->c->cl->partitions->len; i++) {
		struct partition *p = s->c->cl->partitions->pdata[i];
		if (p->priority_tier < s->j->part->priority_tier)
			g_ptr_array_add(s->order, p);
	}
	g_ptr_array_sort(s->order, lower_first);
	bool fits = true;
	while (fits && s->n_lower < s->order->len) {
		s->n_lower++;
		fits = try_view(s, same_and_lower, 0);
	}
	if (!fits) {
		s->n_lower--;
		fits = try_view(s, same_and_lower, 0);
	}
	g_ptr_array_unref(s->order);
	return fits;
}

/* Step 4: the row of a job is the first in which its cores were free when it started. */
static bool rows(const struct steps *s, const struct job *v, uint32_t row)
{
	return is_above(s, v) || (v->part == s->j->part && v->row == row);
}

/* E22 [26]: only the cores of candidates are given up, one job at a time until the job fits. */
static bool over_candidates(struct steps *s)
{
	struct controller *c = s->c;
	GPtrArray *list = preempt_candidates(c, s->j);
	usage_overlay_reset(c->future);
	for (guint i = 0; i < list->len; i++) {
		const struct job *v = list->pdata[i];
		if (preempt_mode_of(c, v) != PREEMPT_MODE_SUSPEND || v->alloc->cores_free)
			continue;
		usage_remove_cores(c->future, v->alloc);
		if (trial(s, c->future))
			return true;
	}
	return false;
}

static bool suspends_by_qos(struct steps *s)
{
	if (s->c->p->preempt_type != PREEMPT_QOS || !preempt_enabled(s->c))
		return false;
	GPtrArray *list = preempt_candidates(s->c, s->j);
	return list->len && preempt_mode_of(s->c, list->pdata[0]) == PREEMPT_MODE_SUSPEND;
}

static bool in_rows(struct steps *s)
{
	const struct partition *p = s->j->part;
	bool asked = s->j->req->share == SHARE_OVERSUBSCRIBE;
	bool shared = p->oversubscribe == OVERSUB_FORCE || (p->oversubscribe == OVERSUB_YES && asked);
	uint32_t most = shared ? MAX(1, p->max_share) : 1;
	for (uint32_t r = 0; r < most; r++)
		if (try_view(s, rows, r))
			return true;
	if (!suspends_by_qos(s))
		return false;
	return s->c->p->version == SLURM_22_05 ? try_view(s, rows, most) : over_candidates(s);
}

bool share_choose(struct controller *c, struct job *j, const struct bitset *nodes, struct trial_counts n, bool now)
{
	struct steps s = {.c = c, .j = j, .nodes = nodes, .n = n, .now = now};
	preempt_usable(c, j, c->victim_nodes);
	c->sel->admitted = c->victim_nodes;
	if (trial(&s, c->use)) /* step 1 */
		return true;
	if (!try_view(&s, none, 0) || !try_view(&s, above, 0)) /* steps 0 and 2 */
		return false;
	return beside_lower(&s) || in_rows(&s);
}
