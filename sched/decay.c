/* decay.c - the decay thread (P30), the charge at a job's end (P36), and what is to be seen of both; see priority.h. */
#include "sched/billing.h"
#include "sched/priority.h"
#include "sched/state.h"
#include <math.h>
#include <stddef.h>

/* ---- one pass (P30) ---- */

static bool counts_running(const struct controller *c)
{
	return c->p->priority_flags & PRIO_CALCULATE_RUNNING;
}

/* P34: who is charged: running, with CALCULATE_RUNNING also who waits with a planned start. */
static void charge(struct controller *c, struct job *j)
{
	bool waits = j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING) && counts_running(c);
	bool runs = (j->state == JOB_RUNNING || j->state == JOB_SUSPENDED) && !(j->flags & JOB_COMPLETING);
	sec_t start = waits ? j->est_start : j->start;
	if ((waits || runs) && start)
		usage_charge(c->cl, j, c->decay.per_second, MAX(MAX(c->decay.last, start), waits ? 0 : j->resized), c->now_s);
}

static void recompute(struct controller *c, struct job *j)
{
	bool runs = j->state == JOB_RUNNING || j->state == JOB_SUSPENDED;
	if ((j->state == JOB_PENDING && j->in_pending) || (runs && counts_running(c)))
		priority_tick(c, j); /* P11a */
}

static void reset(struct controller *c)
{
	bool first = c->decay.passes == 0;
	sec_t next = usage_next_reset(c->p->usage_reset, c->decay.last_reset, c->now_s);
	if (c->p->usage_reset == RESET_NOW && first)
		next = c->now_s;
	if (c->now_s < next)
		return;
	usage_reset(c->cl->acct);
	c->decay.last_reset = next;
}

/* P30.4: a job is charged and then weighed, so the ones before it in the list count already. */
static void classic_pass(struct controller *c)
{
	if (!c->decay.last)
		return;
	for (guint i = 0; i < c->jobs->len; i++) {
		struct job *j = c->jobs->pdata[i];
		if (!j)
			continue;
		charge(c, j);
		recompute(c, j);
	}
	for (guint i = 0; i < c->jobs->len; i++) { /* P30.5 */
		const struct job *j = c->jobs->pdata[i];
		const struct share_node *m = j && j->assoc ? share_node_of(c->fair, j->assoc) : NULL;
		if (m && m->known)
			j->assoc->fairshare = classic_factor(c->fair, m, m->effective);
	}
}

#define AHEAD 16 /* jobs: what is fetched takes about as long as weighing so many */

/* The part of a job that a tick needs (see job.h), and later its association: both lie anywhere in memory. */
static inline __attribute__((always_inline)) void fetch(const struct controller *c, guint i)
{
	const struct job *far = i + AHEAD < c->jobs->len ? c->jobs->pdata[i + AHEAD] : NULL;
	const struct job *near = i + AHEAD / 2 < c->jobs->len ? c->jobs->pdata[i + AHEAD / 2] : NULL;
	for (size_t at = 0; far && at <= offsetof(struct job, id); at += 64)
		__builtin_prefetch((const char *)far + at, 1);
	if (near && near->in_pending && near->assoc) {
		__builtin_prefetch(&near->assoc->fairshare);
		__builtin_prefetch(&near->assoc->priority_factor);
	}
}

/* By the job list, as a linked list tells where a job lies only once the one before it is there. */
static void recompute_pending(struct controller *c)
{
	for (guint i = 0; i < c->jobs->len; i++) {
		struct job *j = c->jobs->pdata[i];
		fetch(c, i);
		if (j && j->in_pending)
			priority_tick(c, j);
	}
}

static const struct job *some_ahead(const struct job *j, int n)
{
	while (j && n-- > 0)
		j = j->next;
	return j;
}

/* What J's association and its account keep by TRES. */
static inline __attribute__((always_inline)) void fetch_counts(const struct job *j)
{
	for (const struct assoc *a = j->assoc; a && a != j->assoc->parent->parent; a = a->parent) {
		__builtin_prefetch(a->use.run_secs, 1);
		__builtin_prefetch(a->use.run_secs + 8, 1);
		__builtin_prefetch(a->tres_usage, 1);
		__builtin_prefetch(a->tres_usage + 4, 1);
		__builtin_prefetch(a->tres_usage + 8, 1);
	}
}

/* Who runs, in the order of the list: ACT on each. */
static void for_running(struct controller *c, void (*act)(struct controller *c, struct job *j))
{
	const struct job *far = some_ahead(c->running.head, 16), *near = some_ahead(c->running.head, 8);
	for (struct job *j = c->running.head; j; j = j->next) {
		if (far && far->assoc)
			__builtin_prefetch(far->assoc, 1);
		if (near && near->assoc && near->assoc->parent)
			fetch_counts(near);
		far = far ? far->next : NULL;
		near = near ? near->next : NULL;
		act(c, j);
	}
}

static void count_slice(struct controller *c, struct job *j)
{
	limits_count_slice(c, j, c->now_s);
}

/* P30.5: only charging depends on the order; who runs stands in it. */
static void tree_pass(struct controller *c)
{
	if (counts_running(c)) {
		for (guint i = 0; i < c->jobs->len; i++)
			if (c->jobs->pdata[i])
				charge(c, c->jobs->pdata[i]);
	} else {
		for_running(c, charge);
	}
	fairtree_compute(c->fair);
	recompute_pending(c);
	for (struct job *j = c->running.head; j && counts_running(c); j = j->next)
		priority_tick(c, j);
}

void decay_pass(struct controller *c)
{
	sec_t t = c->now_s;
	fairshare_refresh(c->fair);
	reset(c);
	if (!c->fair->tree)
		classic_accounts(c->fair); /* P30.3: from usage before this pass */
	if (c->decay.last && t > c->decay.last)
		usage_decay(c->cl->acct, decay_factor(c->decay.per_second, t - c->decay.last));
	if (c->fair->tree)
		tree_pass(c);
	else
		classic_pass(c);
	for_running(c, count_slice); /* L21: run seconds fall with each pass */
	if (c->p->enforce & ENFORCE_LIMITS)
		c->version++; /* a limit in minutes may have let go */
	c->decay.last = t;
	c->decay.passes++;
	if (c->host.decayed)
		c->host.decayed(c->host.data);
	for (guint i = 0; i < c->cl->acct->assocs->len; i++)
		((struct assoc *)c->cl->acct->assocs->pdata[i])->charged = false;
}

/* ---- when ---- */

static bool has_thread(const struct controller *c)
{
	return c->p->priority_type == PRIORITY_MULTIFACTOR && c->p->has_accounting && c->cl->acct;
}

void decay_begin(struct controller *c)
{
	c->fair = fairshare_new(c->cl->acct, c->p);
	c->decay = (struct decay){.last_reset = c->now_s, .per_second = decay_per_second(c->p->priority_decay_half_life)};
	c->prio_next = c->start + (usec_t)c->p->priority_calc_period * USEC;
	if (has_thread(c))
		decay_pass(c);
}

void controller_delay_decay(struct controller *c, usec_t by)
{
	c->prio_next += by;
}

/* Ticks without jobs and without usage change nothing and may have been left out: the last one was a period ago all the same. */
void controller_priority_tick(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	usec_t period = (usec_t)c->p->priority_calc_period * USEC;
	uint32_t passed = 0;
	for (; period > 0 && c->prio_next <= now; passed++)
		c->prio_next += period;
	if (!has_thread(c))
		return;
	if (passed > 1)
		c->decay.last = MAX(c->decay.last, usec_to_sec(c->prio_next - 2 * period));
	decay_pass(c);
}

usec_t controller_next_priority_tick(const struct controller *c, usec_t now)
{
	usec_t period = (usec_t)c->p->priority_calc_period * USEC;
	if (!has_thread(c) || period <= 0)
		return INT64_MAX;
	if (!c->naive && !c->pending.n && !c->running.n && !usage_any(c->cl->acct))
		return INT64_MAX;
	usec_t next = c->prio_next;
	if (next <= now)
		next += (now - next + period) / period * period;
	return next;
}

void decay_job_resized(struct controller *c, struct job *j)
{
	if (has_thread(c) && j->start)
		usage_charge(c->cl, j, c->decay.per_second, MAX(MAX(c->decay.last, j->start), j->resized), c->now_s);
	j->resized = c->now_s;
}

/* P36 */
void decay_job_end(struct controller *c, struct job *j)
{
	if (has_thread(c) && c->p->enforce & ENFORCE_LIMITS && j->start)
		usage_charge(c->cl, j, c->decay.per_second, MAX(MAX(c->decay.last, j->start), j->resized), c->now_s);
}

/* ---- looking ---- */

const struct fairshare *controller_fairshare(const struct controller *c)
{
	if (!c->cl->acct)
		return NULL;
	fairshare_refresh(c->fair);
	return c->fair;
}

const struct decay *controller_decay(const struct controller *c)
{
	return &c->decay;
}

/* In classic the view works out what nobody has needed yet. */
static void classic_view(const struct fairshare *f, const struct share_node *m, struct fair_view *v)
{
	v->norm_usage = m->known ? m->norm_usage : norm_usage_of(f, m);
	v->effective = m->known ? m->effective : classic_effective(f, m);
	v->fairshare = classic_factor(f, m, v->effective);
	v->is_new = false;
}

void controller_fair_view(const struct controller *c, const struct assoc *a, struct fair_view *v)
{
	const struct fairshare *f = controller_fairshare(c);
	const struct share_node *m = share_node_of(f, a);
	*v = (struct fair_view){.norm_shares = m->norm_shares,
	                        .fairshare = a->fairshare,
	                        .usage = a->usage,
	                        .norm_usage = m->norm_usage,
	                        .effective = m->effective,
	                        .level_fs = m->level_fs,
	                        .is_root = m->parent == SHARE_NONE,
	                        .is_new = m->parent != SHARE_NONE && !m->known};
	if (!v->is_root) {
		v->share_parent = f->node[m->parent].assoc;
		v->level_shares = f->node[m->parent].level_shares;
	}
	if (!f->tree)
		classic_view(f, m, v);
}

void controller_run_seconds(const struct controller *c, const struct assoc *a, uint64_t *seconds)
{
	for (uint32_t i = 0; i < TRES_MAX; i++)
		seconds[i] = c->p->enforce & ENFORCE_LIMITS && i < c->cl->tres->n ? a->use.run_secs[i] : 0;
}

/* ---- warm start ---- */

bool controller_set_usage(struct controller *c, const char *user, const char *account, const char *partition,
                          double usage, GError **error)
{
	struct assoc *a = c->cl->acct ? acct_find(c->cl->acct, user, account, partition) : NULL;
	if (!a || !(usage >= 0) || !isfinite(usage)) {
		g_set_error(error, SUBMIT_ERROR, 0, a ? "bad usage of %s in %s" : "no association of %s in %s", user,
		            account ? account : "(default account)");
		return false;
	}
	acct_set_usage(a, (long double)usage);
	if (has_thread(c)) {
		fairshare_refresh(c->fair);
		if (c->fair->tree)
			fairtree_compute(c->fair);
		else
			classic_accounts(c->fair);
		for (struct job *j = c->pending.head; j; j = j->next)
			priority_tick(c, j);
	}
	return true;
}
