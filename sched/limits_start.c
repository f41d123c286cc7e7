/* limits_start.c - tests before and after the choice of nodes (L30-L37), the node cap (L31) and MinPrioThreshold (L39)
 */
#include "sched/limits.h"

#include <string.h>

/* One test in progress. HIDDEN: kinds that a QOS has decided already, a bit for each TRES; kinds with one number use
 * bit 0. */
struct test {
	struct controller *c;
	struct job *j;
	struct qos_pair pair;
	uint64_t hidden[LK_KINDS];
	const uint64_t *v;          /* what the job wants, by TRES */
	uint32_t time;              /* T: minutes */
	const struct bitset *nodes; /* the nodes chosen; NULL = none were */
	enum reason reason;         /* of the first violation */
	struct blocker blocker;
};

static uint32_t scaled(const struct job *j, uint32_t minutes)
{
	if (!j->qos || !(j->qos->flags & QOS_USAGE_FACTOR_SAFE))
		return minutes;
	double m = (double)minutes * usage_factor(j);
	return m >= 4294967295.0 ? UINT32_MAX : (uint32_t)m;
}

/* Note a violation. OF_QOS: OWNER is a struct qos, else an association. Returns true for "violated". */
static bool hit(struct test *t, enum limit_kind k, bool of_qos, const void *owner, uint32_t i, uint64_t value,
                uint64_t use, uint64_t request)
{
	const struct limit_info *info = &limit_info[k];
	t->reason = limit_reason(t->c->cl->tres, k, of_qos, i);
	t->blocker = (struct blocker){.kind = BLOCKER_LIMIT,
	                              .what = of_qos ? info->qos_name : info->assoc_name,
	                              .tres = k < LK_TRES_KINDS ? t->c->cl->tres->name[i] : NULL,
	                              .owner_kind = of_qos ? info->scope : OWNER_ASSOC,
	                              .owner = owner,
	                              .value = value,
	                              .use = use,
	                              .request = request};
	return true;
}

static bool is_hidden(const struct test *t, enum limit_kind k, uint32_t i)
{
	if (k < LK_TRES_KINDS && t->j->tres_set >> i & 1) /* L37 */
		return k != LK_GRP_RUN_MINS && k != LK_RUN_MINS_PA && k != LK_RUN_MINS_PU;
	return t->hidden[k] >> i & 1;
}
static void hide(struct test *t, enum limit_kind k, uint32_t i)
{
	t->hidden[k] |= UINT64_C(1) << i;
}

/* ---- before (L30) ---- */

/* A count of running jobs. */
static bool too_many_jobs(struct test *t, const struct qos *q, enum limit_kind k, enum limit_kind hides)
{
	uint32_t limit = limit_value(&q->limits, k), used = limit_use(q, limit_info[k].scope, t->j)->jobs;
	if (!limit_set32(limit) || is_hidden(t, k, 0))
		return false;
	if (used >= limit)
		return hit(t, k, true, q, 0, limit, used, 1);
	hide(t, k, 0);
	hide(t, hides, 0);
	return false;
}

/* T of L30: the job's limit; without one, or with a derived one that is larger, the limit tested. */
static uint32_t wall_time(const struct job *j, uint32_t limit)
{
	if (j->time_limit == NO_VAL || (j->limit_was_unset && j->time_limit > limit))
		return limit;
	return j->time_limit;
}

/* GrpWall: past wall minutes, with "safe" also the job's own. */
static bool group_wall(struct test *t, bool of_qos, const void *owner, const struct limits *l, double usage,
                       uint32_t max_wall)
{
	uint32_t limit = l->grp_wall, used = wall_minutes(usage);
	if (!limit_set32(limit) || t->j->time_set) /* L2 */
		return false;
	uint64_t time = scaled(t->j, wall_time(t->j, limit_set32(max_wall) ? MIN(limit, max_wall) : limit));
	if (used >= limit || (limits_safe(t->c) && used + time > limit))
		return hit(t, LK_GRP_WALL, of_qos, owner, 0, limit, used, time);
	return false;
}

static bool before_qos(struct test *t, const struct qos *q)
{
	const struct limits *l = &q->limits;
	if (too_many_jobs(t, q, LK_GRP_JOBS, LK_GRP_JOBS))
		return true;
	bool grp_wall = limit_set32(l->grp_wall) && !is_hidden(t, LK_GRP_WALL, 0);
	if (grp_wall && group_wall(t, true, q, l, q->wall, l->max_wall))
		return true;
	if (grp_wall)
		hide(t, LK_GRP_WALL, 0);
	if (too_many_jobs(t, q, LK_MAX_JOBS_PA, LK_MAX_JOBS) || too_many_jobs(t, q, LK_MAX_JOBS_PU, LK_MAX_JOBS))
		return true;
	if (!limit_set32(l->max_wall) || is_hidden(t, LK_MAX_WALL, 0) || t->j->time_set)
		return false;
	uint32_t time = scaled(t->j, wall_time(t->j, l->max_wall));
	if (grp_wall) /* it has been multiplied there already */
		time = scaled(t->j, time);
	if (time > l->max_wall)
		return hit(t, LK_MAX_WALL, true, q, 0, l->max_wall, 0, time);
	hide(t, LK_MAX_WALL, 0);
	return false;
}

static bool before_assoc(struct test *t, const struct assoc *a)
{
	uint32_t limit = a->limits.grp_jobs;
	bool user = a == t->j->assoc;
	if (!is_hidden(t, LK_GRP_JOBS, 0) && limit_set32(limit) && a->use.jobs >= limit)
		return hit(t, LK_GRP_JOBS, false, a, 0, limit, a->use.jobs, 1);
	uint32_t wall = limit_inherited(a, LK_MAX_WALL);
	if (!is_hidden(t, LK_GRP_WALL, 0) && group_wall(t, false, a, &a->limits, a->wall, user ? wall : NO_VAL))
		return true;
	if (!user)
		return false;
	limit = limit_inherited(a, LK_MAX_JOBS);
	if (!is_hidden(t, LK_MAX_JOBS, 0) && limit_set32(limit) && a->use.jobs >= limit)
		return hit(t, LK_MAX_JOBS, false, a, 0, limit, a->use.jobs, 1);
	uint32_t time = scaled(t->j, wall_time(t->j, wall));
	if (!is_hidden(t, LK_MAX_WALL, 0) && !t->j->time_set && limit_set32(wall) && time > wall)
		return hit(t, LK_MAX_WALL, false, a, 0, wall, 0, time);
	return false;
}

static void clear_reason(struct controller *c, struct job *j)
{
	if (reason_is_limit(c->p->version, j->reason))
		job_set_reason(c, j, REASON_NONE, NULL);
}

static bool answer(const struct test *t, bool violated)
{
	if (violated)
		job_blocked(t->c, t->j, t->reason, NULL, &t->blocker);
	return !violated;
}

bool limits_before(struct controller *c, struct job *j)
{
	if (!limits_enforced(c))
		return true;
	clear_reason(c, j);
	struct test t = {.c = c, .j = j, .pair = qos_pair(j, j->part)};
	for (int k = 0; k < 2; k++)
		if (t.pair.q[k] && before_qos(&t, t.pair.q[k]))
			return answer(&t, true);
	for (const struct assoc *a = j->assoc; a; a = a->parent)
		if (before_assoc(&t, a))
			return answer(&t, true);
	return true;
}

/* ---- the node cap (L31) ---- */

/* The first QOS of the pair that limits nodes by K. */
static const struct qos *caps(const struct qos_pair *p, enum limit_kind k)
{
	for (int i = 0; i < 2; i++)
		if (p->q[i] && limit_set64(limit_tres(&p->q[i]->limits, k, TRES_NODE)))
			return p->q[i];
	return NULL;
}

static void cap_by(struct test *t, uint32_t *cap, enum limit_kind k, bool of_qos, const void *owner, uint64_t limit)
{
	if (!limit_set64(limit) || limit >= *cap)
		return;
	*cap = (uint32_t)limit;
	hit(t, k, of_qos, owner, TRES_NODE, limit, 0, t->j->min_nodes);
}

uint32_t limits_node_cap(struct controller *c, struct job *j, struct blocker *b, enum reason *why)
{
	static const enum limit_kind kinds[] = {LK_MAX_PA, LK_MAX_PJ, LK_MAX_PU, LK_GRP_TRES};
	struct test t = {.c = c, .j = j, .pair = qos_pair(j, j->part)};
	uint32_t cap = INFINITE;
	bool own = false;
	*why = REASON_NONE;
	if (!limits_enforced(c) || j->tres_set >> TRES_NODE & 1)
		return cap;
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		const struct qos *q = caps(&t.pair, kinds[i]);
		own = own || (q && kinds[i] != LK_GRP_TRES);
		if (q)
			cap_by(&t, &cap, kinds[i], true, q, limit_tres(&q->limits, kinds[i], TRES_NODE));
	}
	struct qos_pair first = {{t.pair.q[0], NULL}}; /* the second one's LimitFactor is not used here */
	for (const struct assoc *a = j->assoc; a && !caps(&t.pair, LK_GRP_TRES); a = a->parent) {
		uint32_t before = cap;
		cap_by(&t, &cap, LK_GRP_TRES, false, a,
		       limit_factored(&first, limit_tres(&a->limits, LK_GRP_TRES, TRES_NODE)));
		if (cap < before)
			break;
	}
	if (j->assoc && !own)
		cap_by(&t, &cap, LK_MAX_PJ, false, j->assoc,
		       limit_factored(&first, limit_tres_inherited(j->assoc, LK_MAX_PJ, TRES_NODE)));
	*why = t.reason;
	*b = t.blocker;
	return cap;
}

/* ---- after (L32-L36) ---- */

static uint64_t wanted_minutes(const struct test *t, uint32_t i)
{
	return t->time * t->v[i];
}

/* L34: for nodes, those already used by the counter's jobs cost nothing. */
static bool over_count(struct test *t, enum limit_kind k, bool of_qos, const void *owner, const struct use *u,
                       uint32_t i, uint64_t limit)
{
	uint64_t used = u->tres ? u->tres[i] : 0, fresh = t->v[i];
	if (i == TRES_NODE && u->node_jobs) {
		int64_t n;
		used = u->nodes;
		if (t->nodes)
			for (BITSET_EACH(n, t->nodes))
				fresh -= u->node_jobs[n] > 0;
	}
	if (t->v[i] > limit || (fresh > 0 && fresh + used > limit))
		return hit(t, k, of_qos, owner, i, limit, used, fresh);
	return false;
}

/* L35: past use; the job's own size and what runs count only with "safe". */
static bool over_minutes(struct test *t, bool of_qos, const void *owner, const struct use *u, const long double *usage,
                         uint32_t i, uint64_t limit)
{
	uint64_t w = wanted_minutes(t, i), run = u->run_secs ? u->run_secs[i] / 60 : 0, used = usage_minutes(usage, i);
	if (usage_factor(t->j) == 0.0)
		run = used = 0;
	bool over = w > 0 && used >= limit;
	if (!over && limits_safe(t->c))
		over = w > limit || (w > 0 && w + run > limit - used);
	return over && hit(t, LK_GRP_MINS, of_qos, owner, i, limit, used + (limits_safe(t->c) ? run : 0), w);
}

/* L36 */
static bool over_run_minutes(struct test *t, enum limit_kind k, bool of_qos, const void *owner, const struct use *u,
                             uint32_t i, uint64_t limit)
{
	uint64_t w = wanted_minutes(t, i), run = u->run_secs ? u->run_secs[i] / 60 : 0;
	if (usage_factor(t->j) == 0.0 && k != LK_RUN_MINS_PU)
		run = 0;
	return (w > limit || (w > 0 && w + run > limit)) && hit(t, k, of_qos, owner, i, limit, run, w);
}

/* One kind of limit with value LIMIT on TRES I. */
static bool over(struct test *t, enum limit_kind k, bool of_qos, const void *owner, const struct use *u,
                 const long double *usage, uint32_t i, uint64_t limit)
{
	uint64_t want = t->v[i];
	switch (k) {
	case LK_GRP_MINS:
		return over_minutes(t, of_qos, owner, u, usage, i, limit);
	case LK_GRP_RUN_MINS:
	case LK_RUN_MINS_PA:
	case LK_RUN_MINS_PU:
		return over_run_minutes(t, k, of_qos, owner, u, i, limit);
	case LK_MAX_MINS_PJ:
		return wanted_minutes(t, i) > limit && hit(t, k, of_qos, owner, i, limit, 0, wanted_minutes(t, i));
	case LK_MAX_PN:
		want = t->v[TRES_NODE] ? want / t->v[TRES_NODE] : want;
		return want > limit && hit(t, k, of_qos, owner, i, limit, 0, want);
	case LK_MAX_PJ:
		return want > limit && hit(t, k, of_qos, owner, i, limit, 0, want);
	case LK_MIN_PJ:
		return want < limit && hit(t, k, of_qos, owner, i, limit, 0, want);
	default:
		return over_count(t, k, of_qos, owner, u, i, limit);
	}
}

/* Which kinds hide the same kind of associations and of the second QOS: all do for the second QOS (L4). */
static bool after_qos(struct test *t, const struct qos *q)
{
	static const enum limit_kind order[] = {LK_GRP_MINS, LK_GRP_TRES,    LK_GRP_RUN_MINS, LK_MAX_MINS_PJ,
	                                        LK_MAX_PJ,   LK_MAX_PN,      LK_MIN_PJ,       LK_MAX_PA,
	                                        LK_MAX_PU,   LK_RUN_MINS_PA, LK_RUN_MINS_PU};
	for (size_t o = 0; o < G_N_ELEMENTS(order); o++) {
		enum limit_kind k = order[o];
		const struct use *u = NULL;
		if ((k == LK_RUN_MINS_PA || k == LK_RUN_MINS_PU) && t->c->p->version == SLURM_22_05)
			continue; /* L90 */
		if (!limit_tres_given(&q->limits, k))
			continue;
		for (uint32_t i = 0; i < t->c->cl->tres->n; i++) {
			uint64_t limit = limit_tres(&q->limits, k, i);
			if (!limit_set64(limit) || is_hidden(t, k, i))
				continue;
			if (!u)
				u = limit_use(q, limit_info[k].scope, t->j);
			if (over(t, k, true, q, u, q->tres_usage, i, limit))
				return true;
			hide(t, k, i);
		}
	}
	return false;
}

static bool after_assoc(struct test *t, const struct assoc *a)
{
	static const enum limit_kind order[] = {LK_GRP_MINS,    LK_GRP_TRES, LK_GRP_RUN_MINS,
	                                        LK_MAX_MINS_PJ, LK_MAX_PJ,   LK_MAX_PN};
	for (size_t o = 0; o < G_N_ELEMENTS(order); o++) {
		enum limit_kind k = order[o];
		bool group = o < 3;
		if (!group && a != t->j->assoc)
			break;
		if (!(group ? limit_tres_given(&a->limits, k) : limit_tres_given_inherited(a, k)))
			continue;
		for (uint32_t i = 0; i < t->c->cl->tres->n; i++) {
			uint64_t limit = group ? limit_tres(&a->limits, k, i) : limit_tres_inherited(a, k, i);
			if (k == LK_GRP_TRES || k == LK_MAX_PJ)
				limit = limit_factored(&t->pair, limit);
			if (limit_set64(limit) && !is_hidden(t, k, i) &&
			    over(t, k, false, a, &a->use, a->tres_usage, i, limit))
				return true;
		}
	}
	return false;
}

/* T of L32 */
static uint32_t after_time(const struct job *j)
{
	uint32_t m = j->time_limit;
	if (m == NO_VAL && j->part->default_time != NO_VAL && j->part->default_time != 0)
		m = j->part->default_time;
	return scaled(j, m);
}

bool limits_after(struct controller *c, struct job *j, const struct selection *s)
{
	if (!limits_enforced(c) || !c->cl->acct)
		return true;
	uint64_t v[TRES_MAX];
	tres_vector(c, j, s->cpus, s->nodes, s->mem, s->alloc, v);
	clear_reason(c, j);
	struct test t = {
	    .c = c, .j = j, .pair = qos_pair(j, j->part), .v = v, .time = after_time(j), .nodes = s->chosen};
	for (int k = 0; k < 2; k++)
		if (t.pair.q[k] && after_qos(&t, t.pair.q[k]))
			return answer(&t, true);
	for (const struct assoc *a = j->assoc; a; a = a->parent)
		if (after_assoc(&t, a))
			return answer(&t, true);
	return true;
}

/* ---- MinPrioThreshold (L39) ---- */

uint64_t limits_min_priority(const struct controller *c, const struct job *j)
{
	struct qos_pair p = qos_pair(j, j->part);
	for (int k = 0; k < 2; k++)
		if (p.q[k] && limit_set32(p.q[k]->limits.min_prio_thresh) && p.q[k]->limits.min_prio_thresh)
			return p.q[k]->limits.min_prio_thresh;
	for (const struct assoc *a = j->assoc; a; a = a->parent)
		if (a->limits.min_prio_thresh != NO_VAL) {
			if (limit_set32(a->limits.min_prio_thresh) && a->limits.min_prio_thresh)
				return a->limits.min_prio_thresh;
			break;
		}
	return c->p->bf_min_prio_reserve;
}
