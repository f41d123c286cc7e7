/* limits_run.c - limits that end a running job (L45): past use that has reached a limit, unless enforcement is "safe"
 */
#include "sched/limits.h"

struct test {
	const struct controller *c;
	const struct job *j;
	uint64_t minutes; /* run so far */
	uint64_t hidden[LK_KINDS];
};

static bool is_hidden(const struct test *t, enum limit_kind k, uint32_t i)
{
	return t->hidden[k] >> i & 1;
}
static void hide(struct test *t, enum limit_kind k, uint32_t i)
{
	t->hidden[k] |= UINT64_C(1) << i;
}

/* GrpTRESMins and GrpWall of one QOS or association. */
static bool used_up(struct test *t, const struct limits *l, const long double *usage, double wall, bool of_qos)
{
	bool over = false;
	for (uint32_t i = 0; i < t->c->cl->tres->n; i++) {
		uint64_t limit = limit_tres(l, LK_GRP_MINS, i);
		if (!limit_set64(limit) || is_hidden(t, LK_GRP_MINS, i))
			continue;
		if (of_qos)
			hide(t, LK_GRP_MINS, i);
		over = over || (t->j->tres[i] && usage_minutes(usage, i) >= limit);
	}
	if (limit_set32(l->grp_wall) && !is_hidden(t, LK_GRP_WALL, 0)) {
		if (of_qos)
			hide(t, LK_GRP_WALL, 0);
		over = over || wall_minutes(wall) >= l->grp_wall;
	}
	return over;
}

/* MaxTRESMins of one job. */
static bool too_long(struct test *t, const struct limits *l, const struct assoc *inherit)
{
	for (uint32_t i = 0; i < t->c->cl->tres->n; i++) {
		uint64_t limit =
		    inherit ? limit_tres_inherited(inherit, LK_MAX_MINS_PJ, i) : limit_tres(l, LK_MAX_MINS_PJ, i);
		if (!limit_set64(limit) || is_hidden(t, LK_MAX_MINS_PJ, i) || (inherit && i == TRES_NODE))
			continue;
		if (!inherit)
			hide(t, LK_MAX_MINS_PJ, i);
		if (t->j->tres[i] && t->minutes * t->j->tres[i] + 1 > limit)
			return true;
	}
	return false;
}

bool limits_end(const struct controller *c, const struct job *j)
{
	if (!limits_enforced(c) || limits_safe(c) || !j->tres)
		return false;
	struct test t = {.c = c, .j = j, .minutes = (uint64_t)MAX(0, (c->now_s - j->start) / 60)};
	struct qos_pair p = qos_pair(j, j->part);
	for (int k = 0; k < 2; k++) {
		const struct qos *q = p.q[k];
		if (q &&
		    (used_up(&t, &q->limits, q->tres_usage, q->wall, true) || too_long(&t, &q->limits, NULL)))
			return true;
	}
	for (const struct assoc *a = j->assoc; a && a->parent; a = a->parent)
		if (used_up(&t, &a->limits, a->tres_usage, a->wall, false) ||
		    (a == j->assoc && too_long(&t, NULL, a)))
			return true;
	return false;
}
