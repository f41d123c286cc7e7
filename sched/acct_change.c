/*
 * acct_change.c - what follows when accounts, users, QOS or their limits change while jobs wait and run (L29, R11, R14,
 * P45d).
 *
 * A QOS that a job may not use (any more) is noticed when a pass comes to the job, a deleted one at once; either way
 * the job is held as InvalidQOS until a queue is built at a time when it may. Recorded:
 * tests/conformance/22.05/limit-changes.
 */
#include "sched/limits.h"

bool qos_allowed(const struct controller *c, const struct job *j, const struct qos *q)
{
	if (q->removed)
		return false;
	if (!(c->p->enforce & ENFORCE_QOS) || !j->assoc || j->qos_set)
		return true;
	char **list = assoc_qos_list(j->assoc);
	return !list || g_strv_contains((const char *const *)list, q->name);
}

static void count_waiting(struct controller *c, struct job *j, int sign)
{
	limits_count_submit(c, j, sign * (int)array_tasks_left(j));
}

/* R14.6: from now on the job is not eligible. */
static void hold_invalid(struct controller *c, struct job *j)
{
	accrue_reset(c, j);
	j->eligible = 0;
	struct blocker b = blocker_qos(j);
	job_blocked(c, j, REASON_INVALID_QOS, NULL, &b);
}

bool qos_checked(struct controller *c, struct job *j)
{
	if (!j->qos || qos_allowed(c, j, j->qos))
		return true;
	struct blocker b = blocker_qos(j);
	if (j->several) /* another record of the job may do */
		job_blocked(c, j, REASON_INVALID_QOS, NULL, &b);
	else
		hold_invalid(c, j);
	return false;
}

/* The QOS of the same name, when the job's own was deleted. */
static void find_again(struct controller *c, struct job *j)
{
	struct qos *q = j->qos->removed && !j->several ? acct_find_qos(c->cl->acct, j->qos->name) : NULL;
	if (!q)
		return;
	count_waiting(c, j, -1);
	j->qos = q;
	count_waiting(c, j, 1);
}

void qos_resolve(struct controller *c, struct job *j)
{
	if (j->reason != REASON_INVALID_QOS || !j->qos)
		return;
	find_again(c, j);
	bool ok = qos_allowed(c, j, j->qos);
	for (uint32_t i = 0; i < j->n_several && !ok; i++)
		ok = qos_allowed(c, j, j->several[i]);
	if (ok)
		job_set_reason(c, j, REASON_NONE, NULL);
}

bool ctl_assoc_in_use(void *controller, const struct assoc *a)
{
	struct controller *c = controller;
	const struct job *lists[] = {c->pending.head, c->running.head};
	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		for (const struct job *j = lists[i]; j; j = j->next)
			for (const struct assoc *up = j->assoc; up; up = up->parent)
				if (up == a)
					return true;
	return false;
}

static bool touched(const struct job *j)
{
	for (const struct assoc *a = j->assoc; a; a = a->parent)
		if (a->changed)
			return true;
	bool own = j->qos && j->qos->changed;
	for (uint32_t i = 0; i < j->n_parts && !own; i++)
		own = (j->parts[i].qos && j->parts[i].qos->changed) ||
		      (j->parts[i].part->qos && j->parts[i].part->qos->changed);
	return own;
}

void acct_changes_seen(struct acct *acct)
{
	for (guint i = 0; i < acct->assocs->len; i++)
		((struct assoc *)acct->assocs->pdata[i])->changed = false;
	for (guint i = 0; i < acct->qos->len; i++)
		((struct qos *)acct->qos->pdata[i])->changed = false;
}

void controller_accounting_changed(struct controller *c, usec_t now)
{
	struct acct *acct = c->cl->acct;
	ctl_enter(c, now);
	if (!acct)
		return;
	limits_prepare(c);
	limits_recount_nodes(c);
	fairshare_refresh(c->fair);
	bool news = !since(c->p, L29_QOS_SLEEPS);
	for (struct job *j = c->pending.head; j; j = j->next) {
		if (j->qos && j->qos->removed && !j->several) {
			hold_invalid(c, j);
			news = true;
		} else if (touched(j))
			limits_recheck(c, j);
	}
	for (guint i = 0; i < acct->assocs->len && !news; i++)
		news = ((const struct assoc *)acct->assocs->pdata[i])->changed;
	acct_changes_seen(acct);
	sec_t before = c->last_update;
	ctl_touch(c);
	if (!news) /* B2, recorded (26.11 limits, 80 s): backfill goes on sleeping until something else happens */
		c->last_update = before;
}
