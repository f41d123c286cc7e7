/* limits_accrue.c - how many waiting jobs may age (L40): GrpJobsAccrue and MaxJobsAccrue of QOS and associations */
#include "sched/limits.h"

/* The limit chosen so far, and the room that its own counter leaves. */
struct choice {
	bool set;
	uint32_t limit, room;
};

static void consider(const struct controller *c, struct choice *x, uint32_t limit, uint32_t used)
{
	if (!limit_set32(limit) || (x->set && (c->p->version == SLURM_22_05 || limit >= x->limit)))
		return; /* the smallest, the first at equality; in 22.05 the first */
	*x = (struct choice){true, limit, limit - MIN(limit, used)};
}

uint32_t accrue_room(const struct controller *c, const struct job *j, bool *limited)
{
	struct choice x = {0};
	*limited = false;
	if (!limits_enforced(c) || !c->cl->acct)
		return UINT32_MAX;
	const struct qos *qos = waiting_qos(j);
	if (qos) {
		static const enum limit_kind order[] = {LK_GRP_ACCRUE, LK_MAX_ACCRUE_PA, LK_MAX_ACCRUE_PU};
		for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
			consider(c, &x, limit_value(&qos->limits, order[i]),
			         limit_use(qos, limit_info[order[i]].scope, j)->accrue);
	}
	for (const struct assoc *a = j->assoc; a && !x.set; a = a->parent) {
		consider(c, &x, a->limits.grp_jobs_accrue, a->use.accrue);
		if (a == j->assoc)
			consider(c, &x, limit_inherited(a, LK_MAX_ACCRUE), a->use.accrue);
	}
	*limited = x.set;
	return x.set ? x.room : UINT32_MAX;
}

static void add(struct use *u, int delta)
{
	u->accrue = (uint32_t)MAX(0, (int64_t)u->accrue + delta);
}

void accrue_count(struct controller *c, struct job *j, int delta)
{
	if (!limits_enforced(c) || !c->cl->acct)
		return;
	c->version++; /* there is room for another job, or no more */
	for (struct assoc *a = j->assoc; a; a = a->parent)
		add(&a->use, delta);
	struct qos *qos = waiting_qos(j);
	if (!qos)
		return;
	add(&qos->use, delta);
	add(acct_use_of(qos->use_by_user, j->user), delta);
	if (j->account)
		add(acct_use_of(qos->use_by_account, j->account), delta);
}
