/*
 * tres_usage.c - past use of associations and QOS in TRES seconds and wall seconds (P31, P34-P36), as GrpTRESMins and
 * GrpWall need it, and the run seconds that fall with it (L21).
 *
 * Only usage_charge writes what jobs add. Raw (billing) usage and fair-share are not kept here.
 */
#include "sched/limits.h"

#include <float.h>
#include <math.h>

uint64_t usage_minutes(const long double *usage_tres, uint32_t i)
{
	return (uint64_t)(usage_tres[i] / 60.0L);
}

uint32_t wall_minutes(double usage_wall)
{
	double m = usage_wall / 60.0;
	return m >= 4294967295.0 ? UINT32_MAX : (uint32_t)m;
}

/* P31: the factor of one second, and of a slice of D seconds. */
static double second_factor(const struct controller *c)
{
	return c->p->priority_decay_half_life ? 1.0 - 0.693 / (double)c->p->priority_decay_half_life : 1.0;
}

static double decay_factor(const struct controller *c, double d)
{
	return MAX(pow(second_factor(c), d), DBL_MIN);
}

static void add_usage(const struct controller *c, const struct job *j, long double *tres, double *wall, double seconds)
{
	*wall += seconds;
	for (uint32_t i = 0; i < c->cl->tres->n; i++)
		if (i != TRES_ENERGY && j->tres[i])
			tres[i] += (long double)seconds * (long double)j->tres[i];
}

void usage_charge(struct controller *c, struct job *j, sec_t a, sec_t b)
{
	double d = (double)MAX(0, b - a), u = usage_factor(j);
	if (!j->tres || d == 0.0 || !j->assoc)
		return;
	double decayed = d * pow(second_factor(c), d) * u, plain = d * u;
	struct counted_qos list = counted_qos(j);
	for (int k = 0; k < 2; k++)
		if (list.q[k])
			add_usage(c, j, list.q[k]->usage_tres, &list.q[k]->usage_wall,
			          list.q[k]->flags & QOS_NO_DECAY ? plain : decayed);
	for (struct assoc *as = j->assoc; as; as = as->parent)
		add_usage(c, j, as->usage_tres, &as->usage_wall, decayed);
}

static void decay(const struct controller *c, long double *tres, double *wall, double g)
{
	*wall *= g;
	for (uint32_t i = 0; i < c->cl->tres->n; i++)
		tres[i] *= (long double)g;
}

static void decay_all(struct controller *c, double g)
{
	const struct acct *a = c->cl->acct;
	if (g == 1.0)
		return;
	for (guint i = 0; i < a->assocs->len; i++) {
		struct assoc *as = a->assocs->pdata[i];
		decay(c, as->usage_tres, &as->usage_wall, g);
	}
	for (guint i = 0; i < a->qos->len; i++) {
		struct qos *q = a->qos->pdata[i];
		if (!(q->flags & QOS_NO_DECAY))
			decay(c, q->usage_tres, &q->usage_wall, g);
	}
}

void usage_tick(struct controller *c)
{
	if (!limits_enforced(c) || !c->cl->acct || c->now_s <= c->usage_last)
		return;
	if (c->usage_last)
		decay_all(c, decay_factor(c, (double)(c->now_s - c->usage_last)));
	for (struct job *j = c->running.head; j; j = j->next) {
		sec_t a = MAX(c->usage_last, j->start);
		usage_charge(c, j, a, c->now_s);
		limits_count_slice(c, j, c->now_s);
	}
	c->usage_last = c->now_s;
	if (c->running.n || second_factor(c) != 1.0)
		c->version++; /* a limit in minutes may have let go */
}
