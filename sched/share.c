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
	GHashTable *gone; /* jobs that have ended in this future; NULL = none */
};

/* N50: jobs of P can be given cores that others hold. */
static bool partition_shares(const struct partition *p)
{
	return (p->oversubscribe == OVERSUB_FORCE || p->oversubscribe == OVERSUB_YES) && p->max_share > 1;
}

static bool is_linear(const struct controller *c)
{
	return c->p->select_type == SELECT_LINEAR;
}

/* Jobs of select/linear have whole nodes, which they may share all the same. */
bool share_wanted(const struct sched_params *params, const struct job *j)
{
	const struct partition *p = j->part;
	bool linear = params->select_type == SELECT_LINEAR && p->oversubscribe != OVERSUB_EXCLUSIVE &&
	              j->req->share != SHARE_EXCLUSIVE;
	if (j->whole_node && !linear)
		return false;
	return p->oversubscribe == OVERSUB_FORCE || (partition_shares(p) && j->req->share == SHARE_OVERSUBSCRIBE);
}

static bool any_shares(const struct controller *c)
{
	for (guint i = 0; i < c->cl->partitions->len; i++)
		if (partition_shares(c->cl->partitions->pdata[i]))
			return true;
	return false;
}

bool share_alone(const struct sched_params *params, const struct job *j)
{
	return (j->share_none || j->whole_node) && !(params->select_type == SELECT_LINEAR && share_wanted(params, j));
}

bool share_active(const struct controller *c)
{
	return gang_active(c) || (c->use->holders && any_shares(c));
}

void share_begin(struct controller *c)
{
	if (gang_active(c) || !any_shares(c))
		return;
	usage_share(c->use);
	usage_share(c->future);
}

static bool trial(struct steps *s, const struct usage *view)
{
	enum trial_mode mode = s->now ? TRIAL_RUN_NOW : TRIAL_WILL_RUN;
	struct selector *sel = s->c->sel;
	return trial_begin(sel, s->j, s->j->part, view, s->nodes, s->n, mode, s->c->running.head) && trial_choose(sel);
}

typedef bool holds_fn(const struct steps *s, const struct job *v, uint32_t row);

static void make_view(const struct steps *s, holds_fn *holds, uint32_t row)
{
	struct controller *c = s->c;
	usage_overlay_reset(c->future);
	for (const struct job *v = c->running.head; v; v = v->next) {
		if (s->gone && g_hash_table_contains(s->gone, v))
			usage_remove(c->future, v->alloc);
		else if (!v->alloc->cores_free && !holds(s, v, row))
			usage_remove_cores(c->future, v->alloc);
	}
}

static bool try_view(struct steps *s, holds_fn *holds, uint32_t row)
{
	make_view(s, holds, row);
	return trial(s, s->c->future);
}

static bool all(const struct steps *s, const struct job *v, uint32_t row)
{
	(void)s, (void)v, (void)row;
	return true;
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
	uint32_t most = share_wanted(s->c->p, s->j) ? MAX(1, s->j->part->max_share) : 1;
	for (uint32_t r = 0; r < most; r++)
		if (try_view(s, rows, r))
			return true;
	if (!suspends_by_qos(s))
		return false;
	return s->c->p->version == SLURM_22_05 ? try_view(s, rows, most) : over_candidates(s);
}

static bool choose_with_gang(struct steps *s)
{
	struct controller *c = s->c;
	preempt_usable(c, s->j, c->victim_nodes);
	c->sel->admitted = c->victim_nodes;
	if (trial(s, c->use)) /* step 1 */
		return true;
	if (!try_view(s, none, 0) || !try_view(s, above, 0)) /* steps 0 and 2 */
		return false;
	return beside_lower(s) || in_rows(s);
}

/* ---- without gang scheduling ---- */

/* N31: the nodes without those of jobs of the other kind. */
static const struct bitset *of_its_kind(const struct steps *s)
{
	struct bitset *nodes = s->c->emptied;
	bool mine = share_wanted(s->c->p, s->j);
	bitset_assign(nodes, s->nodes);
	for (const struct job *v = s->c->running.head; v; v = v->next)
		if (share_wanted(s->c->p, v) != mine && !(s->gone && g_hash_table_contains(s->gone, v)))
			bitset_andnot(nodes, v->nodes);
	return nodes;
}

/* ---- select/linear ---- */

/* N75.2: nodes without an exclusive job, with at most R running jobs and MORE suspended ones. Returns how many. */
static uint32_t linear_usable(const struct steps *s, uint32_t r, uint32_t more, struct bitset *out)
{
	int64_t i;
	bitset_assign(out, s->nodes);
	bitset_and(out, s->c->future->nonexclusive);
	for (BITSET_EACH(i, out)) {
		const struct node_use *n = usage_node(s->c->future, (uint32_t)i);
		if ((uint32_t)(n->jobs - MIN(n->paused, n->jobs)) > r || n->jobs > r + more || (s->now && n->completing))
			bitset_clear(out, (uint32_t)i);
	}
	return bitset_count(out);
}

/* Is V's set of nodes one that the job can share? */
static bool may_share_with(const struct steps *s, const struct job *v, const struct bitset *usable)
{
	return v->alloc->n == s->n.req && v->alloc->cpus >= s->j->min_cpus && v->contiguous == s->j->contiguous &&
	       !(s->gone && g_hash_table_contains(s->gone, v)) && bitset_subset(v->nodes, usable) &&
	       !(s->j->exc_nodes && bitset_intersects(v->nodes, s->j->exc_nodes)) &&
	       !(s->j->req_nodes && !bitset_subset(s->j->req_nodes, v->nodes));
}

static bool linear_pass(struct steps *s, uint32_t r, const struct bitset *usable)
{
	struct controller *c = s->c;
	for (const struct job *v = c->running.head; v && r; v = v->next)
		if (may_share_with(s, v, usable)) {
			c->sel->admitted = v->nodes;
			if (trial(s, c->future))
				return true;
			break;
		}
	c->sel->admitted = usable;
	return trial(s, c->future);
}

static bool choose_linear_rows(struct steps *s)
{
	uint32_t most = share_wanted(s->c->p, s->j) ? MAX(1, s->j->part->max_share) : 1, before = 0;
	struct bitset *usable = s->c->emptied;
	make_view(s, none, 0);
	for (uint32_t r = 0; r < most; r++)
		for (uint32_t k = 0; k < 3; k++) {
			uint32_t n = linear_usable(s, r, k == 0 ? 0 : k == 1 ? 4 : UINT16_MAX, usable);
			if (n == before || n < s->n.min)
				continue;
			before = n;
			if (linear_pass(s, r, usable))
				return true;
		}
	return false;
}

static bool choose_in_rows(struct steps *s)
{
	if (is_linear(s->c))
		return choose_linear_rows(s);
	s->nodes = of_its_kind(s);
	if (s->gone ? try_view(s, all, 0) : trial(s, s->c->use)) /* step 1 */
		return true;
	if (!share_wanted(s->c->p, s->j) || !try_view(s, none, 0) || !try_view(s, above, 0)) /* steps 0 and 2 */
		return false;
	return beside_lower(s) || in_rows(s);
}

bool share_choose(struct controller *c, struct job *j, const struct bitset *nodes, struct trial_counts n, bool now)
{
	struct steps s = {.c = c, .j = j, .nodes = nodes, .n = n, .now = now};
	return gang_active(c) ? choose_with_gang(&s) : choose_in_rows(&s);
}

bool share_choose_later(struct controller *c, struct job *j, const struct bitset *nodes, struct trial_counts n,
                        GHashTable *gone)
{
	struct steps s = {.c = c, .j = j, .nodes = nodes, .n = n, .gone = gone};
	return choose_in_rows(&s);
}
