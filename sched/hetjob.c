/* hetjob.c - see hetjob.h */
#include "sched/power.h"
#include "sched/hetjob.h"
#include "sched/state.h"

#define A_YEAR (INT64_C(365) * 86400)

void het_join(struct job **records, uint32_t n)
{
	g_assert(n >= 2);
	struct het_job *h = g_new0(struct het_job, 1);
	h->refs = h->n = n;
	h->job_id = records[0]->id;
	h->comp = g_memdup2(records, n * sizeof *records);
	h->est = g_new0(sec_t, n);
	h->part = g_new0(struct partition *, n);
	for (uint32_t k = 0; k < n; k++) {
		g_assert(!records[k]->het);
		records[k]->het = h;
		records[k]->het_offset = k;
	}
}

void het_leave(struct job *j)
{
	struct het_job *h = j->het;
	j->het = NULL;
	h->comp[j->het_offset] = NULL;
	if (--h->refs)
		return;
	g_free(h->comp);
	g_free(h->est);
	g_free(h->part);
	g_free(h);
}

/* ---- order (B60) ---- */

struct ranks { /* of one key over the components */
	uint64_t sum;
	uint32_t least, most, n;
};

static void rank(struct ranks *r, uint32_t v)
{
	r->least = r->n ? MIN(r->least, v) : v;
	r->most = MAX(r->most, v);
	r->sum += v;
	r->n++;
}

static uint32_t ranked(const struct ranks *r, enum het_prio how)
{
	return how == HET_PRIO_MAX ? r->most : how == HET_PRIO_AVG && r->n ? (uint32_t)(r->sum / r->n) : r->least;
}

static void rank_job(struct controller *c, struct het_job *h)
{
	struct ranks tier = {0}, priority = {0};
	bool any_resv = false;
	for (uint32_t k = 0; k < h->n; k++) {
		const struct job *j = h->comp[k];
		if (!j)
			continue;
		any_resv |= j->n_resvs > 0;
		bool own = j->n_parts > 1 && c->p->priority_type != PRIORITY_BASIC && !j->direct_priority;
		for (uint32_t i = 0; i < j->n_parts; i++) {
			rank(&tier, j->parts[i].part->priority_tier);
			rank(&priority, own ? j->parts[i].priority : j->priority);
		}
	}
	uint32_t t = ranked(&tier, c->p->bf_hetjob_prio), p = ranked(&priority, c->p->bf_hetjob_prio);
	c->version += !h->ranked || h->any_resv != any_resv || h->tier != t || h->priority != p;
	h->ranked = true;
	h->any_resv = any_resv;
	h->tier = t;
	h->priority = p;
}

void het_rank_all(struct controller *c)
{
	for (struct job *j = c->p->bf_hetjob_prio == HET_PRIO_NONE ? NULL : c->pending.head; j; j = j->next)
		if (het_is_leader(j))
			rank_job(c, j->het);
}

/* ---- estimates (B61) ---- */

static void renew(struct het_job *h, uint64_t cycle)
{
	if (h->cycle == cycle)
		return;
	h->cycle = cycle;
	for (uint32_t k = 0; k < h->n; k++)
		h->est[k] = 0;
}

sec_t het_others(const struct job *j, uint64_t cycle)
{
	sec_t latest = 0;
	if (j->het->cycle != cycle)
		return 0;
	for (uint32_t k = 0; k < j->het->n; k++)
		if (k != j->het_offset)
			latest = MAX(latest, j->het->est[k]);
	return latest;
}

void het_begin(struct job *j, uint64_t cycle, sec_t now)
{
	renew(j->het, cycle);
	if (j->het->est[j->het_offset])
		return;
	j->het->est[j->het_offset] = now + A_YEAR;
	j->het->part[j->het_offset] = j->part;
}

void het_estimate(struct job *j, uint64_t cycle, sec_t t)
{
	struct het_job *h = j->het;
	renew(h, cycle);
	if (h->est[j->het_offset] && h->est[j->het_offset] <= t)
		return;
	h->est[j->het_offset] = t;
	h->part[j->het_offset] = j->part;
}

/* ---- deadlocks (B63) ---- */

struct plan { /* of one het job in one partition */
	const struct partition *part;
	const struct het_job *het;
	sec_t start;
};
struct het_plans { GArray *list; };

struct het_plans *het_plans_new(void)
{
	struct het_plans *p = g_new(struct het_plans, 1);
	p->list = g_array_new(FALSE, FALSE, sizeof(struct plan));
	return p;
}

void het_plans_free(struct het_plans *p)
{
	g_array_unref(p->list);
	g_free(p);
}

void het_plans_clear(struct het_plans *p)
{
	g_array_set_size(p->list, 0);
}

static struct plan *find_plan(const struct het_plans *p, const struct partition *part, const struct het_job *het)
{
	for (guint i = 0; i < p->list->len; i++) {
		struct plan *x = &g_array_index(p->list, struct plan, i);
		if (x->part == part && x->het == het)
			return x;
	}
	return NULL;
}

/* Is G before H in another partition that both are planned in? */
static bool before_elsewhere(const struct het_plans *p, const struct plan *g, const struct plan *h)
{
	for (guint i = 0; i < p->list->len; i++) {
		const struct plan *x = &g_array_index(p->list, struct plan, i);
		if (x->het != g->het || x->part == g->part)
			continue;
		const struct plan *y = find_plan(p, x->part, h->het);
		if (y && x->start < y->start)
			return true;
	}
	return false;
}

bool het_plans_deadlock(struct het_plans *p, const struct job *j, sec_t t)
{
	struct plan *mine = find_plan(p, j->part, j->het);
	if (!mine) {
		struct plan x = {j->part, j->het, t};
		g_array_append_val(p->list, x);
		mine = &g_array_index(p->list, struct plan, p->list->len - 1);
	}
	mine->start = MAX(mine->start, t);
	for (const struct plan *x = (const struct plan *)(const void *)p->list->data; x < mine; x++)
		if (x->part == mine->part && x->het != mine->het && x->start > mine->start &&
		    before_elsewhere(p, x, mine))
			return true;
	return false;
}

/* ---- starting together (B62) ---- */

static bool is_ready(const struct het_job *h, uint64_t cycle, sec_t now)
{
	if (h->cycle != cycle)
		return false;
	for (uint32_t k = 0; k < h->n; k++) {
		const struct job *j = h->comp[k];
		bool waits = j && j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING) && j->priority;
		if (!waits || !h->est[k] || h->est[k] > now)
			return false;
	}
	return true;
}

static struct job_alloc *place(struct controller *c, struct het_job *h, uint32_t k, struct bitset *avail,
			       enum attempt *a)
{
	struct job *j = h->comp[k];
	struct job_alloc *alloc = NULL;
	struct bitset *mine = bitset_copy(avail);
	for (uint32_t m = k + 1; m < h->n; m++) /* not what the ones after it are planned on */
		if (h->comp[m]->sched_nodes)
			bitset_andnot(mine, h->comp[m]->sched_nodes);
	j->part = h->part[k];
	c->start_only = mine;
	*a = attempt_start(c, j, mine, &alloc);
	c->start_only = NULL;
	bitset_free(mine);
	if (*a != ATTEMPT_OK)
		return NULL;
	for (uint32_t i = 0; i < alloc->n; i++)
		bitset_clear(avail, alloc->node[i].node);
	return alloc;
}

static bool all_planned(const struct het_job *h)
{
	for (uint32_t k = 0; k < h->n; k++)
		if (!h->comp[k]->sched_nodes)
			return false;
	return true;
}

/* Would some component fail once the ones before it run? Nothing is started for that; the reason has been set. Asked
 * where a limit could stop it, or where some component has an estimate but no plan, so that others may be estimated on
 * the same nodes: to try in earnest would then start and requeue the job for ever. */
static bool fits_together(struct controller *c, struct het_job *h)
{
	bool planned = all_planned(h);
	if (planned && (!c->p->enforce || !c->cl->acct) && c->p->max_powered_nodes == INFINITE)
		return true;
	struct bitset *avail = bitset_copy(c->up);
	struct job_alloc **alloc = g_new0(struct job_alloc *, h->n);
	enum attempt a = ATTEMPT_OK;
	uint32_t n = 0;
	for (; n < h->n && (alloc[n] = place(c, h, n, avail, &a)); n++) {
		limits_count_trial(c, h->comp[n], alloc[n], 1);
		power_count_trial(c, alloc[n], 1);
	}
	bool power = n < h->n && h->comp[n]->reason == REASON_MAX_POWERED_UP_NODES;
	for (uint32_t k = 0; k < n; k++) {
		limits_count_trial(c, h->comp[k], alloc[k], -1);
		power_count_trial(c, alloc[k], -1);
		job_alloc_free(alloc[k]);
	}
	g_free(alloc);
	bitset_free(avail);
	return planned ? a != ATTEMPT_LIMIT && !power : a == ATTEMPT_OK;
}

/* Those that have started must not run without the rest. */
static void take_back(struct controller *c, struct het_job *h, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		job_requeue(c, h->comp[k], "REQUEUED", END_REQUEUE, 0);
}

static uint32_t start_all(struct controller *c, struct het_job *h, void (*started)(void *, struct job *), void *data)
{
	struct bitset *avail = bitset_copy(c->up);
	uint32_t n = 0;
	for (; n < h->n; n++) {
		enum attempt a;
		struct job_alloc *alloc = place(c, h, n, avail, &a);
		if (!alloc)
			break;
		job_start(c, h->comp[n], alloc, BY_BACKFILL);
		started(data, h->comp[n]);
	}
	bitset_free(avail);
	if (n < h->n)
		take_back(c, h, n);
	return n;
}

uint32_t het_start_one(struct controller *c, const struct job *j, uint64_t cycle, void (*started)(void *, struct job *), void *data)
{
	struct het_job *h = j->het;
	return is_ready(h, cycle, c->now_s) && fits_together(c, h) ? start_all(c, h, started, data) : 0;
}

uint32_t het_start_ready(struct controller *c, uint64_t cycle, void (*started)(void *, struct job *), void *data)
{
	uint32_t n = 0;
	for (struct job *j = c->pending.head, *next; j; j = next) {
		next = j->next;
		if (!het_is_leader(j) || !is_ready(j->het, cycle, c->now_s))
			continue;
		while (next && next->het == j->het) /* components leave the list */
			next = next->next;
		if (fits_together(c, j->het))
			n += start_all(c, j->het, started, data);
	}
	return n;
}
