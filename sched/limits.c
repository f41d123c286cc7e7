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

static bool submit_qos(struct controller *c, struct job *j, const struct qos *q, uint32_t n, GError **error)
{
	const struct limits *l = &q->limits;
	(void)c;
	if (set32(l->grp_submit) && q->use.submit + n > l->grp_submit)
		return violates(error, "QOSGrpSubmitJobsLimit");
	if (set32(l->max_submit_pa) && j->account && peek(q->use_by_account, j->account)->submit + n > l->max_submit_pa)
		return violates(error, "MaxSubmitJobsPerAccount");
	if (set32(l->max_submit_pu) && peek(q->use_by_user, j->user)->submit + n > l->max_submit_pu)
		return violates(error, "QOSMaxSubmitJobPerUserLimit");
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

/* First TRES of V above LIMIT (request alone). */
static enum reason above(const struct controller *c, const uint64_t *limit, const uint64_t *v, enum reason cpu, enum reason mem,
			 enum reason node, enum reason gres)
{
	for (uint32_t i = 0; limit && i < c->cl->tres->n; i++) {
		enum reason r = tres_reason(i, cpu, mem, node, gres, c->cl->tres);
		if (r != REASON_NONE && set64(limit, i) && v[i] > limit[i])
			return r;
	}
	return REASON_NONE;
}

static enum reason strict_qos(struct controller *c, struct job *j, const struct qos *q, const uint64_t *v)
{
	const struct limits *l = &q->limits;
	enum reason r = above(c, l->max_tres_pa, v, REASON_QOS_MAX_CPU_PA, REASON_QOS_MAX_MEM_PA, REASON_QOS_MAX_NODE_PA, REASON_QOS_MAX_GRES_PA);
	if (r == REASON_NONE)
		r = above(c, l->max_tres_pu, v, REASON_QOS_MAX_CPU_PU, REASON_QOS_MAX_MEM_PU, REASON_QOS_MAX_NODE_PU, REASON_QOS_MAX_GRES_PU);
	if (r == REASON_NONE)
		r = above(c, l->grp_tres, v, REASON_QOS_GRP_CPU, REASON_QOS_GRP_MEM, REASON_QOS_GRP_NODE, REASON_QOS_GRP_GRES);
	if (r == REASON_NONE && set32(l->max_wall) && j->time_limit != NO_VAL && j->time_limit > l->max_wall)
		r = REASON_QOS_MAX_WALL_PJ;
	if (r == REASON_NONE)
		r = above(c, l->max_tres_pj, v, REASON_QOS_MAX_CPU_PJ, REASON_QOS_MAX_MEM_PJ, REASON_QOS_MAX_NODE_PJ, REASON_QOS_MAX_GRES_PJ);
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

bool limits_submit(struct controller *c, struct job *j, uint32_t n, GError **error)
{
	if (!enforced(c))
		return true;
	struct pair q = qos_pair(j);
	if ((q.first && !submit_qos(c, j, q.first, n, error)) || (q.second && !submit_qos(c, j, q.second, n, error)))
		return false;
	bool strict = !q.first || (q.first->flags & QOS_DENY_LIMIT) || (q.second && q.second->flags & QOS_DENY_LIMIT); /* L25 */
	if (strict) {
		uint64_t v[TRES_MAX];
		tres_vector(c, j, j->min_cpus, j->min_nodes, requested_memory(j), NULL, v);
		enum reason r = q.first ? strict_qos(c, j, q.first, v) : REASON_NONE;
		if (r == REASON_NONE && q.second)
			r = strict_qos(c, j, q.second, v);
		if (r != REASON_NONE)
			return violates(error, reason_name(r));
	}
	bool qos_grp = q.first && (set32(q.first->limits.grp_submit) || (q.second && set32(q.second->limits.grp_submit)));
	for (const struct assoc *a = j->assoc; a && !qos_grp; a = a->parent)
		if (set32(a->limits.grp_submit) && a->use.submit + n > a->limits.grp_submit)
			return violates(error, "AssocGrpSubmitJobsLimit");
	uint32_t max = j->assoc ? INHERITED(j->assoc, max_submit) : NO_VAL;
	if (set32(max) && j->assoc->use.submit + n > max)
		return violates(error, "AssocMaxSubmitJobLimit");
	return true;
}

/* ---- before selection (L30) ---- */

static bool limit_hit(struct controller *c, struct job *j, enum reason r)
{
	job_set_reason(c, j, r, NULL);
	return false;
}

/* A QOS's share of L30; *hides gets the kinds it decides. */
struct hidden { bool grp_jobs, max_jobs, max_wall; bool *grp_tres, *max_tres; };

static enum reason before_qos(const struct job *j, const struct qos *q, struct hidden *h)
{
	const struct limits *l = &q->limits;
	if (set32(l->grp_jobs) && !h->grp_jobs) {
		if (q->use.jobs >= l->grp_jobs)
			return REASON_QOS_GRP_JOBS;
		h->grp_jobs = true;
	}
	bool jobs = h->max_jobs;
	if (set32(l->max_jobs_pa) && !jobs) {
		if (j->account && peek(q->use_by_account, j->account)->jobs >= l->max_jobs_pa)
			return REASON_QOS_MAX_JOBS_PA;
		h->max_jobs = true;
	}
	if (set32(l->max_jobs_pu) && !jobs) {
		if (peek(q->use_by_user, j->user)->jobs >= l->max_jobs_pu)
			return REASON_QOS_MAX_JOBS_PU;
		h->max_jobs = true;
	}
	if (set32(l->max_wall) && !h->max_wall) {
		if (j->time_limit != NO_VAL && !j->limit_was_unset && j->time_limit > l->max_wall)
			return REASON_QOS_MAX_WALL_PJ;
		h->max_wall = true;
	}
	return REASON_NONE;
}

bool limits_before(struct controller *c, struct job *j)
{
	if (!enforced(c))
		return true;
	if (reason_in(j->reason, RG_LIMIT))
		job_set_reason(c, j, REASON_NONE, NULL);
	struct pair q = qos_pair(j);
	struct hidden h = {0};
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
		if (!h.max_jobs && set32(max) && a->use.jobs >= max)
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

uint32_t limits_node_cap(struct controller *c, struct job *j, enum reason *why)
{
	uint32_t cap = INFINITE;
	*why = REASON_NONE;
	if (!enforced(c))
		return cap;
	struct pair q = qos_pair(j);
	const struct qos *list[2] = {q.first, q.second};
	bool grp = false, own = false;
	for (int k = 0; k < 2; k++) {
		if (!list[k])
			continue;
		const struct limits *l = &list[k]->limits;
		cap_by(&cap, why, l->max_tres_pa, REASON_QOS_MAX_NODE_PA);
		cap_by(&cap, why, l->max_tres_pj, REASON_QOS_MAX_NODE_PJ);
		cap_by(&cap, why, l->max_tres_pu, REASON_QOS_MAX_NODE_PU);
		cap_by(&cap, why, l->grp_tres, REASON_QOS_GRP_NODE);
		grp = grp || set64(l->grp_tres, TRES_NODE);
		own = own || set64(l->max_tres_pa, TRES_NODE) || set64(l->max_tres_pj, TRES_NODE) || set64(l->max_tres_pu, TRES_NODE);
	}
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
			      enum whose whose, const void *owner, bool *hide, enum reason cpu, enum reason mem, enum reason node, enum reason gres)
{
	for (uint32_t i = 0; limit && i < c->cl->tres->n; i++) {
		enum reason r = tres_reason(i, cpu, mem, node, gres, c->cl->tres);
		if (r == REASON_NONE || !set64(limit, i) || (hide && hide[i]))
			continue;
		uint64_t used = u->tres ? u->tres[i] : 0;
		if (i == TRES_NODE ? too_many_nodes(c, j, q->a, (uint32_t)q->v[i], limit[i], whose, owner)
				   : q->v[i] > limit[i] || (q->v[i] > 0 && q->v[i] + used > limit[i]))
			return r;
	}
	return REASON_NONE;
}

static void hide_set(const struct controller *c, bool *hide, const uint64_t *limit)
{
	for (uint32_t i = 0; limit && i < c->cl->tres->n; i++)
		hide[i] = hide[i] || set64(limit, i);
}

static enum reason after_qos(struct controller *c, struct job *j, const struct qos *s, const struct request *q, bool *grp, bool *max)
{
	const struct limits *l = &s->limits;
	enum reason r = over_group(c, j, q, l->grp_tres, &s->use, OF_QOS, s, grp, REASON_QOS_GRP_CPU, REASON_QOS_GRP_MEM, REASON_QOS_GRP_NODE,
				   REASON_QOS_GRP_GRES);
	if (r == REASON_NONE)
		r = above(c, l->max_tres_pj, q->v, REASON_QOS_MAX_CPU_PJ, REASON_QOS_MAX_MEM_PJ, REASON_QOS_MAX_NODE_PJ, REASON_QOS_MAX_GRES_PJ);
	for (uint32_t i = 0; r == REASON_NONE && l->min_tres_pj && i < c->cl->tres->n; i++)
		if (set64(l->min_tres_pj, i) && q->v[i] < l->min_tres_pj[i])
			r = tres_reason(i, REASON_QOS_MIN_CPU, REASON_QOS_MIN_MEM, REASON_QOS_MIN_NODE, REASON_QOS_MIN_GRES, c->cl->tres);
	if (r == REASON_NONE && j->account)
		r = over_group(c, j, q, l->max_tres_pa, peek(s->use_by_account, j->account), OF_ACCOUNT, s, NULL, REASON_QOS_MAX_CPU_PA,
			       REASON_QOS_MAX_MEM_PA, REASON_QOS_MAX_NODE_PA, REASON_QOS_MAX_GRES_PA);
	if (r == REASON_NONE)
		r = over_group(c, j, q, l->max_tres_pu, peek(s->use_by_user, j->user), OF_USER, s, NULL, REASON_QOS_MAX_CPU_PU,
			       REASON_QOS_MAX_MEM_PU, REASON_QOS_MAX_NODE_PU, REASON_QOS_MAX_GRES_PU);
	hide_set(c, grp, l->grp_tres);
	hide_set(c, max, l->max_tres_pj);
	return r;
}

static enum reason after_assocs(struct controller *c, struct job *j, const struct request *q, const bool *grp, const bool *max)
{
	for (const struct assoc *a = j->assoc; a; a = a->parent) {
		enum reason r = over_group(c, j, q, a->limits.grp_tres, &a->use, OF_ASSOC, a, (bool *)grp, REASON_ASSOC_GRP_CPU,
					   REASON_ASSOC_GRP_MEM, REASON_ASSOC_GRP_NODE, REASON_ASSOC_GRP_GRES);
		if (r != REASON_NONE)
			return r;
		for (uint32_t i = 0; a == j->assoc && i < c->cl->tres->n; i++) {
			uint64_t limit = inherited_tres(a, i, offsetof(struct limits, max_tres_pj));
			r = tres_reason(i, REASON_ASSOC_MAX_CPU_PJ, REASON_ASSOC_MAX_MEM_PJ, REASON_ASSOC_MAX_NODE_PJ, REASON_ASSOC_MAX_GRES_PJ,
					c->cl->tres);
			if (r != REASON_NONE && !max[i] && limit != NO_VAL64 && limit != INFINITE64 && q->v[i] > limit)
				return r;
		}
	}
	return REASON_NONE;
}

bool limits_after(struct controller *c, struct job *j, uint32_t cpus, uint32_t nodes, uint64_t mem, const struct job_alloc *a)
{
	if (!enforced(c))
		return true;
	uint64_t v[TRES_MAX];
	bool grp[TRES_MAX] = {0}, max[TRES_MAX] = {0};
	tres_vector(c, j, a ? a->cpus : cpus, a ? a->n : nodes, a ? a->mem : mem, a, v);
	struct request q = {v, a};
	struct pair p = qos_pair(j);
	enum reason r = p.first ? after_qos(c, j, p.first, &q, grp, max) : REASON_NONE;
	if (r == REASON_NONE && p.second)
		r = after_qos(c, j, p.second, &q, grp, max);
	if (r == REASON_NONE)
		r = after_assocs(c, j, &q, grp, max);
	return r == REASON_NONE ? true : limit_hit(c, j, r);
}
