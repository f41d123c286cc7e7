/*
 * limits.c - association and QOS limits (limits.md L1-L34): counts of jobs, sizes, wall time.
 *
 * Order of evaluation (L3, L4): the first QOS completely, then the second, then the associations from the user up; the first that
 * sets a kind decides it and hides the others (L5). Limits in TRES minutes are not modelled in this version (the reader says so).
 */
#include "sched/state.h"

#include <string.h>

struct pair { const struct qos *first, *second; }; /* L3 */

static struct pair qos_pair(const struct job *j)
{
	struct qos *part = j->part ? j->part->qos : NULL, *own = j->qos;
	if (!part || part == own)
		return (struct pair){own, NULL};
	if (!own)
		return (struct pair){part, NULL};
	if (own->flags & QOS_OVER_PART_QOS)
		return (struct pair){own, part};
	return (struct pair){part, own};
}

static bool enforced(const struct controller *c)
{
	return (c->p->enforce & ENFORCE_LIMITS) != 0;
}

static bool set32(uint32_t v) { return v != NO_VAL && v != INFINITE; }
static bool set64(const uint64_t *a, uint32_t i) { return a && a[i] != NO_VAL64 && a[i] != INFINITE64; }

/* ---- counters (L20) ---- */

static void ensure_tres(const struct controller *c, struct use *u)
{
	if (!u->tres)
		u->tres = g_new0(uint64_t, c->cl->tres->n);
}

static struct use *use_of(GHashTable **table, const char *key)
{
	if (!*table)
		*table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	struct use *u = g_hash_table_lookup(*table, key);
	if (!u) {
		u = g_new0(struct use, 1);
		g_hash_table_insert(*table, g_strdup(key), u);
	}
	return u;
}

static const struct use no_use;

static const struct use *peek(GHashTable *table, const char *key)
{
	const struct use *u = table && key ? g_hash_table_lookup(table, key) : NULL;
	return u ? u : &no_use;
}

/* Counts of a job by TRES: requested, or those of ALLOC. Entries [tres->n]. */
static void tres_vector(const struct controller *c, const struct job *j, uint32_t cpus, uint32_t nodes, uint64_t mem,
			const struct job_alloc *a, uint64_t *v)
{
	const struct tres_table *t = c->cl->tres;
	memset(v, 0, t->n * sizeof *v);
	v[TRES_CPU] = cpus;
	v[TRES_MEM] = mem;
	v[TRES_NODE] = nodes;
	v[TRES_BILLING] = cpus;
	for (uint32_t i = TRES_FIRST_CONFIGURED; i < t->n; i++) {
		if (!g_str_has_prefix(t->name[i], "gres/"))
			continue;
		const char *name = t->name[i] + 5, *type = strchr(name, ':');
		size_t len = type ? (size_t)(type - name) : strlen(name);
		if (a) {
			for (uint32_t k = 0; k < a->n; k++)
				for (uint32_t g = 0; g < a->node[k].n_gres; g++) {
					const struct gres_taken *taken = &a->gres[a->node[k].gres_first + g];
					const struct node_gres *ng = &c->cl->node[a->node[k].node]->config->gres[taken->gres];
					if (strlen(ng->name) != len || strncmp(ng->name, name, len) != 0)
						continue;
					if (!type) {
						v[i] += taken->count;
						continue;
					}
					for (uint32_t q = 0; q < ng->n_groups; q++)
						if (g_strcmp0(ng->group[q].type, type + 1) == 0)
							for (uint32_t d = ng->group[q].first; d < ng->group[q].first + ng->group[q].count; d++)
								v[i] += (taken->devices >> d) & 1;
				}
			continue;
		}
		for (uint32_t g = 0; g < j->n_gres; g++) {
			const struct gres_want *w = &j->gres[g];
			if (strlen(w->name) == len && strncmp(w->name, name, len) == 0 && (!type || g_strcmp0(w->type, type + 1) == 0))
				v[i] += w->per_job ? w->per_job : (uint64_t)w->per_node * nodes;
		}
	}
}

static void add_use(const struct controller *c, struct use *u, const uint64_t *v, int sign)
{
	ensure_tres(c, u);
	u->jobs = sign > 0 ? u->jobs + 1 : u->jobs - MIN(u->jobs, 1u);
	for (uint32_t i = 0; i < c->cl->tres->n; i++)
		u->tres[i] = sign > 0 ? u->tres[i] + v[i] : u->tres[i] - MIN(u->tres[i], v[i]);
}

void limits_count_start(struct controller *c, struct job *j, int sign)
{
	if (!enforced(c))
		return;
	uint64_t v[TRES_MAX];
	tres_vector(c, j, j->alloc->cpus, j->alloc->n, j->alloc->mem, j->alloc, v);
	for (struct assoc *a = j->assoc; a; a = a->parent)
		add_use(c, &a->use, v, sign);
	struct qos *q[2] = {j->qos, j->part->qos != j->qos ? j->part->qos : NULL};
	for (int k = 0; k < 2; k++) {
		if (!q[k])
			continue;
		add_use(c, &q[k]->use, v, sign);
		add_use(c, use_of(&q[k]->use_by_user, j->user), v, sign);
		if (j->account)
			add_use(c, use_of(&q[k]->use_by_account, j->account), v, sign);
	}
}

void limits_count_submit(struct controller *c, struct job *j, int delta)
{
	if (!enforced(c))
		return;
	for (struct assoc *a = j->assoc; a; a = a->parent)
		a->use.submit = (uint32_t)MAX(0, (int64_t)a->use.submit + delta);
	struct qos *q[2] = {j->qos, j->part->qos != j->qos ? j->part->qos : NULL};
	for (int k = 0; k < 2; k++) {
		if (!q[k])
			continue;
		struct use *u[3] = {&q[k]->use, use_of(&q[k]->use_by_user, j->user),
				    j->account ? use_of(&q[k]->use_by_account, j->account) : NULL};
		for (int i = 0; i < 3; i++)
			if (u[i])
				u[i]->submit = (uint32_t)MAX(0, (int64_t)u[i]->submit + delta);
	}
}

/* ---- submission (L25-L27): submit counts always; sizes when strict ---- */

static bool violates(GError **error, const char *detail)
{
	g_set_error(error, SUBMIT_ERROR, 0,
		    "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits): %s", detail);
	return false;
}

/* L4: what a QOS sets, the next one and (L5) the associations do not. */
struct decided {
	bool grp_jobs, max_jobs_pa, max_jobs_pu, max_wall, grp_submit, max_submit_pa, max_submit_pu;
	bool grp[TRES_MAX], max[TRES_MAX], min[TRES_MAX], pa[TRES_MAX], pu[TRES_MAX];
};

static bool submit_qos(struct job *j, const struct qos *q, uint32_t n, struct decided *d, GError **error)
{
	const struct limits *l = &q->limits;
	if (set32(l->grp_submit) && !d->grp_submit && q->use.submit + n > l->grp_submit)
		return violates(error, "QOSGrpSubmitJobsLimit");
	if (set32(l->max_submit_pa) && !d->max_submit_pa && j->account && peek(q->use_by_account, j->account)->submit + n > l->max_submit_pa)
		return violates(error, "MaxSubmitJobsPerAccount");
	if (set32(l->max_submit_pu) && !d->max_submit_pu && peek(q->use_by_user, j->user)->submit + n > l->max_submit_pu)
		return violates(error, "QOSMaxSubmitJobPerUserLimit");
	d->grp_submit = d->grp_submit || set32(l->grp_submit);
	d->max_submit_pa = d->max_submit_pa || set32(l->max_submit_pa);
	d->max_submit_pu = d->max_submit_pu || set32(l->max_submit_pu);
	return true;
}

static enum reason tres_reason(uint32_t i, enum reason cpu, enum reason mem, enum reason node, enum reason gres, const struct tres_table *t)
{
	if (i == TRES_CPU)
		return cpu;
	if (i == TRES_MEM)
		return mem;
	if (i == TRES_NODE)
		return node;
	return i >= TRES_FIRST_CONFIGURED && g_str_has_prefix(t->name[i], "gres/") ? gres : REASON_NONE;
}

/* First TRES of V above LIMIT (request alone) that is not hidden. */
static enum reason above(const struct controller *c, const uint64_t *limit, const bool *hide, const uint64_t *v, enum reason cpu,
			 enum reason mem, enum reason node, enum reason gres)
{
	for (uint32_t i = 0; limit && i < c->cl->tres->n; i++) {
		enum reason r = tres_reason(i, cpu, mem, node, gres, c->cl->tres);
		if (r != REASON_NONE && !hide[i] && set64(limit, i) && v[i] > limit[i])
			return r;
	}
	return REASON_NONE;
}

static void hide_set(const struct controller *c, bool *hide, const uint64_t *limit)
{
	for (uint32_t i = 0; limit && i < c->cl->tres->n; i++)
		hide[i] = hide[i] || set64(limit, i);
}

static void decide_tres(const struct controller *c, struct decided *d, const struct limits *l)
{
	hide_set(c, d->grp, l->grp_tres);
	hide_set(c, d->max, l->max_tres_pj);
	hide_set(c, d->min, l->min_tres_pj);
	hide_set(c, d->pa, l->max_tres_pa);
	hide_set(c, d->pu, l->max_tres_pu);
}

static enum reason strict_qos(struct controller *c, struct job *j, const struct qos *q, const uint64_t *v, struct decided *d)
{
	const struct limits *l = &q->limits;
	enum reason r = above(c, l->max_tres_pa, d->pa, v, REASON_QOS_MAX_CPU_PA, REASON_QOS_MAX_MEM_PA, REASON_QOS_MAX_NODE_PA,
			      REASON_QOS_MAX_GRES_PA);
	if (r == REASON_NONE)
		r = above(c, l->max_tres_pu, d->pu, v, REASON_QOS_MAX_CPU_PU, REASON_QOS_MAX_MEM_PU, REASON_QOS_MAX_NODE_PU,
			  REASON_QOS_MAX_GRES_PU);
	if (r == REASON_NONE)
		r = above(c, l->grp_tres, d->grp, v, REASON_QOS_GRP_CPU, REASON_QOS_GRP_MEM, REASON_QOS_GRP_NODE, REASON_QOS_GRP_GRES);
	if (r == REASON_NONE && set32(l->max_wall) && !d->max_wall && j->time_limit != NO_VAL && j->time_limit > l->max_wall)
		r = REASON_QOS_MAX_WALL_PJ;
	if (r == REASON_NONE)
		r = above(c, l->max_tres_pj, d->max, v, REASON_QOS_MAX_CPU_PJ, REASON_QOS_MAX_MEM_PJ, REASON_QOS_MAX_NODE_PJ,
			  REASON_QOS_MAX_GRES_PJ);
	d->max_wall = d->max_wall || set32(l->max_wall);
	decide_tres(c, d, l);
	return r;
}

static uint64_t requested_memory(const struct job *j)
{
	return j->pn_min_memory * (j->mem_per_cpu ? j->min_cpus : j->min_nodes);
}

static uint32_t inherited32(const struct assoc *a, size_t offset)
{
	for (; a; a = a->parent) {
		uint32_t v = *(const uint32_t *)((const char *)&a->limits + offset);
		if (v != NO_VAL)
			return v;
	}
	return NO_VAL;
}
#define INHERITED(a, field) inherited32((a), offsetof(struct limits, field))

/* L6: each TRES of an inherited array by itself. */
static uint64_t inherited_tres(const struct assoc *a, uint32_t i, size_t offset)
{
	for (; a; a = a->parent) {
		const uint64_t *v = *(uint64_t *const *)((const char *)&a->limits + offset);
		if (v && v[i] != NO_VAL64)
			return v[i];
	}
	return NO_VAL64;
}

/* MaxTRES of a user's association */
static enum reason above_assoc_max(const struct controller *c, const struct assoc *a, const uint64_t *v, const struct decided *d)
{
	for (uint32_t i = 0; i < c->cl->tres->n; i++) {
		uint64_t limit = inherited_tres(a, i, offsetof(struct limits, max_tres_pj));
		enum reason r = tres_reason(i, REASON_ASSOC_MAX_CPU_PJ, REASON_ASSOC_MAX_MEM_PJ, REASON_ASSOC_MAX_NODE_PJ,
					    REASON_ASSOC_MAX_GRES_PJ, c->cl->tres);
		if (r != REASON_NONE && !d->max[i] && limit != NO_VAL64 && limit != INFINITE64 && v[i] > limit)
			return r;
	}
	return REASON_NONE;
}

bool limits_submit(struct controller *c, struct job *j, uint32_t n, GError **error)
{
	if (!enforced(c))
		return true;
	struct pair q = qos_pair(j);
	struct decided d = {0};
	if ((q.first && !submit_qos(j, q.first, n, &d, error)) || (q.second && !submit_qos(j, q.second, n, &d, error)))
		return false;
	bool strict = !q.first || (q.first->flags & QOS_DENY_LIMIT) || (q.second && q.second->flags & QOS_DENY_LIMIT); /* L25 */
	uint64_t v[TRES_MAX];
	tres_vector(c, j, j->min_cpus, j->min_nodes, requested_memory(j), NULL, v);
	enum reason r = strict && q.first ? strict_qos(c, j, q.first, v, &d) : REASON_NONE;
	if (strict && r == REASON_NONE && q.second)
		r = strict_qos(c, j, q.second, v, &d);
	if (r != REASON_NONE)
		return violates(error, reason_name(r));
	for (const struct assoc *a = j->assoc; a; a = a->parent) { /* L27 */
		if (strict)
			r = above(c, a->limits.grp_tres, d.grp, v, REASON_ASSOC_GRP_CPU, REASON_ASSOC_GRP_MEM, REASON_ASSOC_GRP_NODE,
				  REASON_ASSOC_GRP_GRES);
		if (r != REASON_NONE)
			return violates(error, reason_name(r));
		if (!d.grp_submit && set32(a->limits.grp_submit) && a->use.submit + n > a->limits.grp_submit)
			return violates(error, "AssocGrpSubmitJobsLimit");
		if (a != j->assoc)
			continue;
		if (strict)
			r = above_assoc_max(c, a, v, &d);
		if (r != REASON_NONE)
			return violates(error, reason_name(r));
		uint32_t max = INHERITED(a, max_submit), wall = INHERITED(a, max_wall);
		if (set32(max) && !d.max_submit_pa && !d.max_submit_pu && a->use.submit + n > max)
			return violates(error, "AssocMaxSubmitJobLimit");
		if (strict && !d.max_wall && set32(wall) && j->time_limit != NO_VAL && j->time_limit > wall)
			return violates(error, reason_name(REASON_ASSOC_MAX_WALL_PJ));
	}
	return true;
}

/* ---- before selection (L30) ---- */

static bool limit_hit(struct controller *c, struct job *j, enum reason r)
{
	job_set_reason(c, j, r, NULL);
	return false;
}

/* A QOS's share of L30 */
static enum reason before_qos(const struct job *j, const struct qos *q, struct decided *d)
{
	const struct limits *l = &q->limits;
	if (set32(l->grp_jobs) && !d->grp_jobs && q->use.jobs >= l->grp_jobs)
		return REASON_QOS_GRP_JOBS;
	if (set32(l->max_jobs_pa) && !d->max_jobs_pa && j->account && peek(q->use_by_account, j->account)->jobs >= l->max_jobs_pa)
		return REASON_QOS_MAX_JOBS_PA;
	if (set32(l->max_jobs_pu) && !d->max_jobs_pu && peek(q->use_by_user, j->user)->jobs >= l->max_jobs_pu)
		return REASON_QOS_MAX_JOBS_PU;
	if (set32(l->max_wall) && !d->max_wall && j->time_limit != NO_VAL && !j->limit_was_unset && j->time_limit > l->max_wall)
		return REASON_QOS_MAX_WALL_PJ;
	d->grp_jobs = d->grp_jobs || set32(l->grp_jobs);
	d->max_jobs_pa = d->max_jobs_pa || set32(l->max_jobs_pa);
	d->max_jobs_pu = d->max_jobs_pu || set32(l->max_jobs_pu);
	d->max_wall = d->max_wall || set32(l->max_wall);
	return REASON_NONE;
}

bool limits_before(struct controller *c, struct job *j)
{
	if (!enforced(c))
		return true;
	if (reason_in(j->reason, RG_LIMIT))
		job_set_reason(c, j, REASON_NONE, NULL);
	struct pair q = qos_pair(j);
	struct decided h = {0};
	enum reason r = q.first ? before_qos(j, q.first, &h) : REASON_NONE;
	if (r == REASON_NONE && q.second)
		r = before_qos(j, q.second, &h);
	if (r != REASON_NONE)
		return limit_hit(c, j, r);
	for (const struct assoc *a = j->assoc; a; a = a->parent) {
		if (!h.grp_jobs && set32(a->limits.grp_jobs) && a->use.jobs >= a->limits.grp_jobs)
			return limit_hit(c, j, REASON_ASSOC_GRP_JOBS);
		if (a != j->assoc)
			continue;
		uint32_t max = INHERITED(a, max_jobs), wall = INHERITED(a, max_wall);
		if (!h.max_jobs_pa && !h.max_jobs_pu && set32(max) && a->use.jobs >= max)
			return limit_hit(c, j, REASON_ASSOC_MAX_JOBS);
		if (!h.max_wall && set32(wall) && j->time_limit != NO_VAL && !j->limit_was_unset && j->time_limit > wall)
			return limit_hit(c, j, REASON_ASSOC_MAX_WALL_PJ);
	}
	return true;
}

/* ---- node cap (L31) ---- */

static void cap_by(uint32_t *cap, enum reason *why, const uint64_t *limit, enum reason r)
{
	if (set64(limit, TRES_NODE) && limit[TRES_NODE] < *cap) {
		*cap = (uint32_t)limit[TRES_NODE];
		*why = r;
	}
}

static const uint64_t *first_set(const uint64_t *a, const uint64_t *b)
{
	return set64(a, TRES_NODE) ? a : b;
}

uint32_t limits_node_cap(struct controller *c, struct job *j, enum reason *why)
{
	uint32_t cap = INFINITE;
	*why = REASON_NONE;
	if (!enforced(c))
		return cap;
	struct pair q = qos_pair(j);
	static const struct limits unset;
	const struct limits *l = q.first ? &q.first->limits : &unset, *m = q.second ? &q.second->limits : &unset;
	cap_by(&cap, why, first_set(l->max_tres_pa, m->max_tres_pa), REASON_QOS_MAX_NODE_PA);
	cap_by(&cap, why, first_set(l->max_tres_pj, m->max_tres_pj), REASON_QOS_MAX_NODE_PJ);
	cap_by(&cap, why, first_set(l->max_tres_pu, m->max_tres_pu), REASON_QOS_MAX_NODE_PU);
	bool own = *why != REASON_NONE, grp = set64(first_set(l->grp_tres, m->grp_tres), TRES_NODE);
	cap_by(&cap, why, first_set(l->grp_tres, m->grp_tres), REASON_QOS_GRP_NODE);
	for (const struct assoc *a = j->assoc; a && !grp; a = a->parent)
		if (set64(a->limits.grp_tres, TRES_NODE)) {
			cap_by(&cap, why, a->limits.grp_tres, REASON_ASSOC_GRP_NODE);
			break;
		}
	uint64_t max = j->assoc && !own ? inherited_tres(j->assoc, TRES_NODE, offsetof(struct limits, max_tres_pj)) : NO_VAL64;
	if (max != NO_VAL64 && max != INFINITE64 && max < cap) {
		cap = (uint32_t)max;
		*why = REASON_ASSOC_MAX_NODE_PJ;
	}
	return cap;
}

/* ---- after selection (L32-L34) ---- */

enum whose { OF_QOS, OF_USER, OF_ACCOUNT, OF_ASSOC };

static bool job_counts(const struct job *r, enum whose whose, const void *owner, const struct job *j)
{
	if (whose == OF_ASSOC) {
		for (const struct assoc *a = r->assoc; a; a = a->parent)
			if (a == owner)
				return true;
		return false;
	}
	if (r->qos != owner && r->part->qos != owner)
		return false;
	if (whose == OF_USER)
		return strcmp(r->user, j->user) == 0;
	return whose == OF_QOS || g_strcmp0(r->account, j->account) == 0;
}

/* L20, L34: nodes are counted once however many jobs of the group use them. */
static bool too_many_nodes(struct controller *c, const struct job *j, const struct job_alloc *a, uint32_t nodes, uint64_t limit,
			   enum whose whose, const void *owner)
{
	struct bitset *used = c->tmp_nodes2;
	bitset_clear_all(used);
	for (const struct job *r = c->running.head; r; r = r->next)
		if (r->nodes && job_counts(r, whose, owner, j))
			bitset_or(used, r->nodes);
	uint32_t fresh = nodes;
	for (uint32_t k = 0; a && k < a->n; k++)
		fresh -= bitset_test(used, a->node[k].node);
	return nodes > limit || (fresh > 0 && fresh + bitset_count(used) > limit);
}

struct request { const uint64_t *v; const struct job_alloc *a; };

/* L34: request > limit, or request + used > limit. */
static enum reason over_group(struct controller *c, const struct job *j, const struct request *q, const uint64_t *limit, const struct use *u,
			      enum whose whose, const void *owner, const bool *hide, enum reason cpu, enum reason mem, enum reason node, enum reason gres)
{
	for (uint32_t i = 0; limit && i < c->cl->tres->n; i++) {
		enum reason r = tres_reason(i, cpu, mem, node, gres, c->cl->tres);
		if (r == REASON_NONE || !set64(limit, i) || hide[i])
			continue;
		uint64_t used = u->tres ? u->tres[i] : 0;
		if (i == TRES_NODE ? too_many_nodes(c, j, q->a, (uint32_t)q->v[i], limit[i], whose, owner)
				   : q->v[i] > limit[i] || (q->v[i] > 0 && q->v[i] + used > limit[i]))
			return r;
	}
	return REASON_NONE;
}

static enum reason after_qos(struct controller *c, struct job *j, const struct qos *s, const struct request *q, struct decided *d)
{
	const struct limits *l = &s->limits;
	enum reason r = over_group(c, j, q, l->grp_tres, &s->use, OF_QOS, s, d->grp, REASON_QOS_GRP_CPU, REASON_QOS_GRP_MEM,
				   REASON_QOS_GRP_NODE, REASON_QOS_GRP_GRES);
	if (r == REASON_NONE)
		r = above(c, l->max_tres_pj, d->max, q->v, REASON_QOS_MAX_CPU_PJ, REASON_QOS_MAX_MEM_PJ, REASON_QOS_MAX_NODE_PJ,
			  REASON_QOS_MAX_GRES_PJ);
	for (uint32_t i = 0; r == REASON_NONE && l->min_tres_pj && i < c->cl->tres->n; i++)
		if (!d->min[i] && set64(l->min_tres_pj, i) && q->v[i] < l->min_tres_pj[i])
			r = tres_reason(i, REASON_QOS_MIN_CPU, REASON_QOS_MIN_MEM, REASON_QOS_MIN_NODE, REASON_QOS_MIN_GRES, c->cl->tres);
	if (r == REASON_NONE && j->account)
		r = over_group(c, j, q, l->max_tres_pa, peek(s->use_by_account, j->account), OF_ACCOUNT, s, d->pa, REASON_QOS_MAX_CPU_PA,
			       REASON_QOS_MAX_MEM_PA, REASON_QOS_MAX_NODE_PA, REASON_QOS_MAX_GRES_PA);
	if (r == REASON_NONE)
		r = over_group(c, j, q, l->max_tres_pu, peek(s->use_by_user, j->user), OF_USER, s, d->pu, REASON_QOS_MAX_CPU_PU,
			       REASON_QOS_MAX_MEM_PU, REASON_QOS_MAX_NODE_PU, REASON_QOS_MAX_GRES_PU);
	decide_tres(c, d, l);
	return r;
}

static enum reason after_assocs(struct controller *c, struct job *j, const struct request *q, const struct decided *d)
{
	for (const struct assoc *a = j->assoc; a; a = a->parent) {
		enum reason r = over_group(c, j, q, a->limits.grp_tres, &a->use, OF_ASSOC, a, d->grp, REASON_ASSOC_GRP_CPU,
					   REASON_ASSOC_GRP_MEM, REASON_ASSOC_GRP_NODE, REASON_ASSOC_GRP_GRES);
		if (r != REASON_NONE)
			return r;
		r = a == j->assoc ? above_assoc_max(c, a, q->v, d) : REASON_NONE;
		if (r != REASON_NONE)
			return r;
	}
	return REASON_NONE;
}

bool limits_after(struct controller *c, struct job *j, uint32_t cpus, uint32_t nodes, uint64_t mem, const struct job_alloc *a)
{
	if (!enforced(c))
		return true;
	uint64_t v[TRES_MAX];
	struct decided d = {0};
	tres_vector(c, j, a ? a->cpus : cpus, a ? a->n : nodes, a ? a->mem : mem, a, v);
	struct request q = {v, a};
	struct pair p = qos_pair(j);
	enum reason r = p.first ? after_qos(c, j, p.first, &q, &d) : REASON_NONE;
	if (r == REASON_NONE && p.second)
		r = after_qos(c, j, p.second, &q, &d);
	if (r == REASON_NONE)
		r = after_assocs(c, j, &q, &d);
	return r == REASON_NONE ? true : limit_hit(c, j, r);
}
