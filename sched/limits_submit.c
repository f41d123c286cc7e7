/*
 * limits_submit.c - tests at submission (L25-L27), and the time limit that a job without one gets from limits (L28).
 *
 * Submit counts refuse always; everything else only when "strict" (L25). The error's message is what sbatch prints: the
 * reason's name on a line of its own, then the error.
 */
#include "sched/limits.h"

struct test {
	struct controller *c;
	struct job *j;
	struct qos_pair pair;
	bool strict, again; /* again: L29, the job is counted already */
	uint32_t n;        /* tasks submitted */
	const uint64_t *v; /* what the job asks for at least, by TRES */
	uint64_t hidden[LK_KINDS];
	const void *owner;  /* of the limits being tested: a struct qos, else an association */
	enum reason reason; /* of the violation */
	struct blocker blocker;
};

static bool is_hidden(const struct test *t, enum limit_kind k, uint32_t i)
{
	return (t->hidden[k] >> i & 1) || (k < LK_TRES_KINDS && t->j->tres_set >> i & 1); /* L37 */
}
static void hide(struct test *t, enum limit_kind k, uint32_t i)
{
	t->hidden[k] |= UINT64_C(1) << i;
}

/* What of the job a limit of kind K is compared with. */
static uint64_t asked(const struct test *t, enum limit_kind k, uint32_t i)
{
	if (k == LK_GRP_MINS || k == LK_GRP_RUN_MINS || k == LK_MAX_MINS_PJ || k == LK_RUN_MINS_PA ||
	    k == LK_RUN_MINS_PU)
		return t->v[i] * t->j->time_limit;
	if (k < LK_TRES_KINDS)
		return t->v[i];
	return k == LK_GRP_WALL || k == LK_MAX_WALL ? t->j->time_limit : t->n;
}

static bool hit(struct test *t, enum limit_kind k, bool of_qos, uint32_t i)
{
	const struct limit_info *info = &limit_info[k];
	const struct qos *q = t->owner;
	const struct assoc *a = t->owner;
	t->reason = limit_reason(t->c->cl->tres, k, of_qos, i);
	t->blocker = (struct blocker){.kind = BLOCKER_LIMIT,
	                              .what = of_qos ? info->qos_name : info->assoc_name,
	                              .tres = k < LK_TRES_KINDS ? t->c->cl->tres->name[i] : NULL,
	                              .owner_kind = of_qos ? info->scope : OWNER_ASSOC,
	                              .owner = t->owner,
	                              .request = asked(t, k, i)};
	if (k < LK_TRES_KINDS)
		t->blocker.value = of_qos ? limit_tres(&q->limits, k, i) : limit_tres_inherited(a, k, i);
	else
		t->blocker.value = of_qos ? limit_value(&q->limits, k) : limit_inherited(a, k);
	return true;
}

/* L28: M minutes are allowed. True when the job wants more. */
static bool over_time(struct test *t, uint32_t m, bool derive, bool lower)
{
	struct job *j = t->j;
	if (j->time_set) /* L2 */
		return false;
	if (j->time_limit == NO_VAL && derive) {
		j->time_limit = m ? m : j->part->max_time;
		j->limit_was_unset = true;
	} else if (j->time_limit != NO_VAL && lower && j->limit_was_unset && j->time_limit > m) {
		j->time_limit = m;
	}
	return t->strict && j->time_limit != NO_VAL && j->time_limit > m;
}

/* A kind of TRES minutes; only strict submissions look at it. */
static bool over_minutes(struct test *t, enum limit_kind k, bool of_qos, const struct limits *l,
                         const struct assoc *inherit)
{
	for (uint32_t i = 0; t->strict && i < t->c->cl->tres->n; i++) {
		uint64_t limit = inherit ? limit_tres_inherited(inherit, k, i) : limit_tres(l, k, i);
		if (!limit_set64(limit) || is_hidden(t, k, i))
			continue;
		if (of_qos)
			hide(t, k, i);
		if (t->v[i] && over_time(t, (uint32_t)MIN(limit / t->v[i], (uint64_t)INFINITE), true, true))
			return hit(t, k, of_qos, i);
	}
	return false;
}

static bool over_wall(struct test *t, enum limit_kind k, bool of_qos, uint32_t limit)
{
	if (!limit_set32(limit) || is_hidden(t, k, 0))
		return false;
	if (of_qos)
		hide(t, k, 0);
	bool may_lower = of_qos || t->strict;
	return over_time(t, limit, true, may_lower) && hit(t, k, of_qos, 0);
}

/* A kind of sizes: the request alone above (or for MinTRES below) the limit. */
static bool over_size(struct test *t, enum limit_kind k, bool of_qos, const struct limits *l,
                      const struct assoc *inherit)
{
	for (uint32_t i = 0; t->strict && i < t->c->cl->tres->n; i++) {
		uint64_t limit = inherit ? limit_tres_inherited(inherit, k, i) : limit_tres(l, k, i), want = t->v[i];
		if (!of_qos && (k == LK_GRP_TRES || k == LK_MAX_PJ))
			limit = limit_factored(&t->pair, limit);
		if (!limit_set64(limit) || is_hidden(t, k, i))
			continue;
		if (of_qos)
			hide(t, k, i);
		if (k == LK_MAX_PN && t->v[TRES_NODE])
			want /= t->v[TRES_NODE];
		if (k == LK_MIN_PJ ? want < limit : want > limit)
			return hit(t, k, of_qos, i);
	}
	return false;
}

/* L26.2: for each TRES the group's value, then the user's; the user's is named when it is exceeded too. */
static bool over_user_or_group(struct test *t, const struct limits *l)
{
	bool old = t->c->p->version == SLURM_22_05;
	for (uint32_t i = 0; t->strict && i < t->c->cl->tres->n; i++) {
		uint64_t grp = limit_tres(l, LK_GRP_TRES, i), user = limit_tres(l, LK_MAX_PU, i);
		bool grp_here = limit_set64(grp) && !is_hidden(t, LK_GRP_TRES, i);
		bool user_here = limit_set64(user) && !is_hidden(t, LK_MAX_PU, i);
		if ((grp_here && t->v[i] > grp) || (user_here && t->v[i] > user))
			return hit(t, user_here && t->v[i] > user ? LK_MAX_PU : LK_GRP_TRES, true, i);
		if (grp_here || (old && user_here)) /* L90: either hides both */
			hide(t, LK_GRP_TRES, i);
		if (user_here || (old && grp_here))
			hide(t, LK_MAX_PU, i);
	}
	return false;
}

static bool too_many(struct test *t, enum limit_kind k, const struct qos *q, enum limit_kind hides)
{
	uint32_t limit = limit_value(&q->limits, k);
	if (!limit_set32(limit) || is_hidden(t, k, 0))
		return false;
	hide(t, k, 0);
	hide(t, hides, 0);
	return !t->again && limit_use(q, limit_info[k].scope, t->j)->submit + t->n > limit && hit(t, k, true, 0);
}

/* L26 */
static bool qos_violated(struct test *t, const struct qos *q)
{
	const struct limits *l = &q->limits;
	bool old = t->c->p->version == SLURM_22_05;
	t->owner = q;
	return over_size(t, LK_MAX_PA, true, l, NULL) || over_user_or_group(t, l) ||
	       too_many(t, LK_GRP_SUBMIT, q, LK_GRP_SUBMIT) || over_minutes(t, LK_MAX_MINS_PJ, true, l, NULL) ||
	       over_minutes(t, LK_GRP_MINS, true, l, NULL) || over_minutes(t, LK_GRP_RUN_MINS, true, l, NULL) ||
	       (!old && over_minutes(t, LK_RUN_MINS_PA, true, l, NULL)) ||
	       (!old && over_minutes(t, LK_RUN_MINS_PU, true, l, NULL)) ||
	       over_wall(t, LK_MAX_WALL, true, l->max_wall) || over_wall(t, LK_GRP_WALL, true, l->grp_wall) ||
	       over_size(t, LK_MAX_PJ, true, l, NULL) || over_size(t, LK_MAX_PN, true, l, NULL) ||
	       too_many(t, LK_MAX_SUBMIT_PA, q, LK_MAX_SUBMIT) || too_many(t, LK_MAX_SUBMIT_PU, q, LK_MAX_SUBMIT) ||
	       over_size(t, LK_MIN_PJ, true, l, NULL);
}

static bool submits(struct test *t, enum limit_kind k, const struct assoc *a, uint32_t limit)
{
	return !t->again && limit_set32(limit) && !is_hidden(t, k, 0) && a->use.submit + t->n > limit &&
	       hit(t, k, false, 0);
}

/* L27 */
static bool assoc_violated(struct test *t, const struct assoc *a)
{
	const struct limits *l = &a->limits;
	t->owner = a;
	if (over_size(t, LK_GRP_TRES, false, l, NULL) || submits(t, LK_GRP_SUBMIT, a, l->grp_submit) ||
	    over_minutes(t, LK_GRP_MINS, false, l, NULL) || over_minutes(t, LK_GRP_RUN_MINS, false, l, NULL) ||
	    over_wall(t, LK_GRP_WALL, false, l->grp_wall))
		return true;
	if (a != t->j->assoc)
		return false;
	return over_size(t, LK_MAX_PJ, false, l, a) || over_size(t, LK_MAX_PN, false, l, a) ||
	       submits(t, LK_MAX_SUBMIT, a, limit_inherited(a, LK_MAX_SUBMIT)) ||
	       over_minutes(t, LK_MAX_MINS_PJ, false, l, a) ||
	       over_wall(t, LK_MAX_WALL, false, limit_inherited(a, LK_MAX_WALL));
}

/* One partition of the list. */
static bool violated(struct test *t)
{
	const struct qos *q0 = t->pair.q[0], *q1 = t->pair.q[1];
	t->strict = !q0 || q0->flags & QOS_DENY_LIMIT || (q1 && q1->flags & QOS_DENY_LIMIT); /* L25 */
	if ((q0 && qos_violated(t, q0)) || (q1 && qos_violated(t, q1)))
		return true;
	for (const struct assoc *a = t->j->assoc; a; a = a->parent)
		if (assoc_violated(t, a))
			return true;
	return false;
}

/* All requested partitions in the order of the list; the first failure is the answer, REASON_NONE = none. */
static enum reason first_violation(struct controller *c, struct job *j, uint32_t n, bool again, struct blocker *b)
{
	struct partition *first = j->part;
	enum reason why = REASON_NONE;
	for (uint32_t i = 0; i < j->n_parts && why == REASON_NONE; i++) {
		uint64_t v[TRES_MAX];
		j->part = j->parts[i].part;
		tres_vector(c, j, j->min_cpus, j->min_nodes, requested_memory(j), NULL, v);
		struct test t = {.c = c, .j = j, .pair = qos_pair(j, j->part), .again = again, .n = n, .v = v};
		if (!violated(&t))
			continue;
		why = t.reason;
		*b = t.blocker;
	}
	j->part = first;
	return why;
}

bool limits_submit(struct controller *c, struct job *j, uint32_t n, GError **error)
{
	if (!limits_enforced(c) || !c->cl->acct)
		return true;
	struct blocker b;
	enum reason why = first_violation(c, j, n, false, &b);
	if (why == REASON_NONE)
		return true;
	g_set_error(error, SUBMIT_ERROR, 0,
	            "%s\nJob violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
	            reason_name(why));
	return false;
}

void limits_recheck(struct controller *c, struct job *j)
{
	if (!limits_enforced(c) || !c->cl->acct)
		return;
	struct blocker b;
	enum reason why = first_violation(c, j, array_tasks_left(j), true, &b);
	if (why != REASON_NONE)
		job_blocked(c, j, why, NULL, &b);
}
