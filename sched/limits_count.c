/* limits_count.c - what jobs hold of every association and QOS: counts, TRES, run seconds, distinct nodes (L20-L22) */
#include "sched/limits.h"
#include "sched/select.h"

#include <string.h>

double usage_factor(const struct job *j)
{
	return j->qos && j->qos->usage_factor >= 0 ? j->qos->usage_factor : 1.0;
}

uint64_t requested_memory(const struct job *j)
{
	if (j->mem_per_gpu && j->n_gres && job_main_gres(j)->per_job)
		return j->mem_per_gpu * job_main_gres(j)->per_job;
	return j->pn_min_memory * (j->mem_per_cpu ? j->min_cpus : j->min_nodes);
}

uint64_t limit_run_seconds(uint32_t minutes, double factor)
{
	return (uint64_t)((double)((uint64_t)minutes * 60) * factor);
}

const struct use *limit_use(const struct qos *q, enum limit_owner scope, const struct job *j)
{
	return limit_use_of(q, scope, j->user, j->account);
}

const struct use *limit_use_of(const struct qos *q, enum limit_owner scope, const char *user, const char *account)
{
	static const struct use none;
	const struct use *u = NULL;
	if (scope == OWNER_QOS)
		return &q->use;
	if (scope == OWNER_QOS_USER)
		u = g_hash_table_lookup(q->use_by_user, user);
	else if (account)
		u = g_hash_table_lookup(q->use_by_account, account);
	return u ? u : &none;
}

/* ---- counts by TRES ---- */

static uint64_t gres_on_node(const struct node_gres *ng, const struct gres_taken *taken, const char *type)
{
	uint64_t n = 0;
	if (!type)
		return taken->count;
	for (uint32_t q = 0; q < ng->n_groups; q++)
		if (g_strcmp0(ng->group[q].type, type) == 0)
			for (uint32_t d = ng->group[q].first; d < ng->group[q].first + ng->group[q].count && d < 64;
			     d++)
				n += (taken->devices >> d) & 1;
	return n;
}

static uint64_t gres_held(const struct controller *c, const struct job_alloc *a, const char *name, size_t len,
                          const char *type)
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < a->n; k++)
		for (uint32_t g = 0; g < a->node[k].n_gres; g++) {
			const struct gres_taken *taken = &a->gres[a->node[k].gres_first + g];
			const struct node_gres *ng = &c->cl->node[a->node[k].node]->config->gres[taken->gres];
			if (strlen(ng->name) == len && strncmp(ng->name, name, len) == 0)
				n += gres_on_node(ng, taken, type);
		}
	return n;
}

static uint64_t gres_asked(const struct job *j, uint32_t nodes, const char *name, size_t len, const char *type)
{
	uint64_t n = 0;
	for (uint32_t g = 0; g < j->n_gres; g++) {
		const struct gres_want *w = &j->gres[g];
		if (strlen(w->name) != len || strncmp(w->name, name, len) != 0 ||
		    (type && g_strcmp0(w->type, type) != 0))
			continue;
		uint64_t tasks = j->ntasks != NO_VAL ? j->ntasks : nodes;
		n += w->per_job    ? w->per_job
		     : w->per_node ? (uint64_t)w->per_node * nodes
		     : w->per_task ? w->per_task * tasks
		                   : (uint64_t)w->per_socket * nodes;
	}
	return n;
}

/* "matlab:2,ansys" -> the count of NAME. */
static uint64_t licences_asked(const char *text, const char *name)
{
	uint64_t n = 0;
	for (size_t len = strlen(name); text && *text; text += *text == ',') {
		size_t part = strcspn(text, ",");
		if (strncmp(text, name, len) == 0 && (len == part || text[len] == ':' || text[len] == '='))
			n += len == part ? 1 : g_ascii_strtoull(text + len + 1, NULL, 10);
		text += part;
	}
	return n;
}

/* P41; with MAX_TRES the largest of the node-bound ones instead of their sum. */
static uint64_t billing_of(const struct controller *c, const struct job *j, const uint64_t *v)
{
	const double *w = j->part ? j->part->billing_weights : NULL;
	uint32_t flags = c->p->priority_flags;
	double sum = 0, most = 0;
	if (!w)
		return v[TRES_CPU];
	for (uint32_t i = 0; i < c->cl->tres->n; i++) {
		double x = (double)v[i] * w[i];
		bool base = i == TRES_CPU || i == TRES_MEM || i == TRES_NODE;
		bool gres = i >= TRES_FIRST_CONFIGURED && g_str_has_prefix(c->cl->tres->name[i], "gres/");
		if (i == TRES_BILLING)
			continue;
		if ((base && flags & (PRIO_MAX_TRES | PRIO_MAX_TRES_GRES)) || (gres && flags & PRIO_MAX_TRES))
			most = MAX(most, x);
		else
			sum += x;
	}
	sum += most;
	return sum >= 1 ? (uint64_t)MIN(sum, 9e18) : 0;
}

void tres_vector(const struct controller *c, const struct job *j, uint32_t cpus, uint32_t nodes, uint64_t mem,
                 const struct job_alloc *a, uint64_t *v)
{
	const struct tres_table *t = c->cl->tres;
	memset(v, 0, t->n * sizeof *v);
	v[TRES_CPU] = a ? a->cpus : cpus;
	v[TRES_MEM] = a ? a->mem : mem;
	v[TRES_NODE] = a ? a->n : nodes;
	for (uint32_t i = TRES_FIRST_CONFIGURED; i < t->n; i++) {
		if (g_str_has_prefix(t->name[i], "license/"))
			v[i] = licences_asked(j->req->licenses, t->name[i] + strlen("license/"));
		if (!g_str_has_prefix(t->name[i], "gres/"))
			continue;
		const char *name = t->name[i] + strlen("gres/"), *type = strchr(name, ':');
		size_t len = type ? (size_t)(type - name) : strlen(name);
		type = type ? type + 1 : NULL;
		v[i] = a ? gres_held(c, a, name, len, type) : gres_asked(j, nodes, name, len, type);
	}
	v[TRES_BILLING] = billing_of(c, j, v);
}

/* ---- counters (L20) ---- */

/* Distinct nodes are counted only where some limit asks for them. */
static void count_nodes(const struct controller *c, struct use *u, bool wanted, const struct job_alloc *a, int sign)
{
	if (wanted && !u->node_jobs)
		u->node_jobs = g_new0(uint16_t, c->cl->n_nodes);
	if (!u->node_jobs)
		return;
	for (uint32_t k = 0; k < a->n; k++) {
		uint16_t *n = &u->node_jobs[a->node[k].node];
		if (sign > 0)
			u->nodes += (*n)++ == 0;
		else if (*n)
			u->nodes -= --*n == 0;
	}
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a - MIN(a, b);
}

/* What a start or an end changes: TRES held, and seconds of the limit still to run. */
struct change {
	const uint64_t *v;
	uint64_t seconds;
	const struct job_alloc *a;
	int sign;
};

static void change_use(const struct controller *c, struct use *u, bool nodes_wanted, const struct change *x)
{
	u->jobs = x->sign > 0 ? u->jobs + 1 : u->jobs - MIN(u->jobs, 1u);
	for (uint32_t i = 0; i < c->cl->tres->n; i++) {
		uint64_t run = i == TRES_ENERGY ? 0 : x->v[i] * x->seconds;
		u->tres[i] = x->sign > 0 ? u->tres[i] + x->v[i] : less(u->tres[i], x->v[i]);
		u->run_secs[i] = x->sign > 0 ? u->run_secs[i] + run : less(u->run_secs[i], run);
	}
	count_nodes(c, u, nodes_wanted, x->a, x->sign);
}

static bool limits_nodes(const struct limits *l, enum limit_kind k)
{
	return limit_set64(limit_tres(l, k, TRES_NODE));
}

/* L21: seconds of J's limit that the slice from the last tick to B uses up. */
static uint64_t slice_seconds(const struct controller *c, const struct job *j, sec_t b, bool ended)
{
	sec_t a = MAX(c->decay.last, j->start), end = j->start + (sec_t)((uint64_t)j->time_limit * 60), s;
	if (a >= end)
		s = 0;
	else if (ended)
		s = end - a;
	else if (b > j->end)
		s = MAX(0, j->end - a);
	else
		s = MAX(0, b - a);
	return (uint64_t)((double)s * usage_factor(j));
}

/* OUT gets the nodes of U. True when there is a count. */
static bool add_nodes(const struct controller *c, const struct use *u, struct bitset *out)
{
	if (!u || !u->node_jobs)
		return false;
	for (uint32_t i = 0; i < c->cl->n_nodes; i++)
		if (u->node_jobs[i])
			bitset_set(out, i);
	return true;
}

bool limits_used_nodes(const struct controller *c, const struct job *j, struct bitset *out)
{
	bool any = false;
	bitset_clear_all(out);
	for (const struct assoc *a = j->assoc; a; a = a->parent)
		any = (limits_nodes(&a->limits, LK_GRP_TRES) && add_nodes(c, &a->use, out)) || any;
	struct counted_qos list = counted_qos(j);
	for (int k = 0; k < 2; k++)
		if (list.q[k])
			any = (limits_nodes(&list.q[k]->limits, LK_GRP_TRES) && add_nodes(c, &list.q[k]->use, out)) || any;
	return any && !bitset_empty(out);
}

static void change_all(struct controller *c, struct job *j, const struct change *x)
{
	for (struct assoc *a = j->assoc; a; a = a->parent)
		change_use(c, &a->use, limits_nodes(&a->limits, LK_GRP_TRES), x);
	struct counted_qos list = counted_qos(j);
	for (int k = 0; k < 2; k++) {
		struct qos *q = list.q[k];
		if (!q)
			continue;
		change_use(c, &q->use, limits_nodes(&q->limits, LK_GRP_TRES), x);
		change_use(c, acct_use_of(q->use_by_user, j->user), limits_nodes(&q->limits, LK_MAX_PU), x);
		if (j->account)
			change_use(c, acct_use_of(q->use_by_account, j->account), limits_nodes(&q->limits, LK_MAX_PA),
			           x);
	}
}

void limits_count_trial(struct controller *c, struct job *j, const struct job_alloc *a, int sign)
{
	if (!limits_enforced(c) || !c->cl->acct)
		return;
	uint64_t v[TRES_MAX];
	tres_vector(c, j, 0, 0, 0, a, v);
	struct change x = {v, limit_run_seconds(j->time_limit, usage_factor(j)), a, sign};
	change_all(c, j, &x);
}

/* ---- submitted jobs ---- */

static void add_submit(struct use *u, int delta)
{
	u->submit = (uint32_t)MAX(0, (int64_t)u->submit + delta);
}

static void qos_submit(struct qos *q, const struct job *j, int delta)
{
	add_submit(&q->use, delta);
	add_submit(acct_use_of(q->use_by_user, j->user), delta);
	if (j->account)
		add_submit(acct_use_of(q->use_by_account, j->account), delta);
}

/* Several QOS: from its start on (SIGN > 0) a job counts as submitted to the one with which it runs. */
static void count_chosen(const struct job *j, int sign)
{
	struct qos *waited = waiting_qos(j);
	if (!j->several || waited == j->qos)
		return;
	qos_submit(waited, j, -sign);
	qos_submit(j->qos, j, sign);
}

void limits_count_requeue(struct controller *c, struct job *j)
{
	if (limits_enforced(c) && c->cl->acct)
		count_chosen(j, -1);
	j->qos = waiting_qos(j);
	limits_count_others(c, j, 1);
}

/* Count J's nodes in U, which begins to count nodes now or has begun in this round (FRESH). */
static void recount(struct controller *c, struct use *u, bool wanted, const struct job *j, GHashTable *fresh)
{
	if (!wanted || (u->node_jobs && !g_hash_table_contains(fresh, u)))
		return;
	g_hash_table_add(fresh, u);
	count_nodes(c, u, true, j->alloc, 1);
}

void limits_recount_nodes(struct controller *c)
{
	GHashTable *fresh = g_hash_table_new(NULL, NULL);
	for (struct job *j = c->running.head; j; j = j->next) {
		if (!j->tres || !j->alloc)
			continue;
		for (struct assoc *a = j->assoc; a; a = a->parent)
			recount(c, &a->use, limits_nodes(&a->limits, LK_GRP_TRES), j, fresh);
		struct counted_qos list = counted_qos(j);
		for (int k = 0; k < 2; k++) {
			struct qos *q = list.q[k];
			if (!q)
				continue;
			recount(c, &q->use, limits_nodes(&q->limits, LK_GRP_TRES), j, fresh);
			recount(c, acct_use_of(q->use_by_user, j->user), limits_nodes(&q->limits, LK_MAX_PU), j, fresh);
			if (j->account)
				recount(c, acct_use_of(q->use_by_account, j->account),
				        limits_nodes(&q->limits, LK_MAX_PA), j, fresh);
		}
	}
	g_hash_table_unref(fresh);
}

void limits_count_start(struct controller *c, struct job *j, int sign)
{
	if (!limits_enforced(c) || !c->cl->acct)
		return;
	if (sign > 0) {
		uint64_t v[TRES_MAX];
		tres_vector(c, j, 0, 0, 0, j->alloc, v);
		g_free(j->tres);
		j->tres = g_memdup2(v, c->cl->tres->n * sizeof *v);
		struct change x = {j->tres, limit_run_seconds(j->time_limit, usage_factor(j)), j->alloc, 1};
		change_all(c, j, &x);
		limits_count_others(c, j, -1);
		count_chosen(j, 1);
		return;
	}
	struct change x = {j->tres, slice_seconds(c, j, c->now_s, true), j->alloc, -1};
	change_all(c, j, &x);
	g_clear_pointer(&j->tres, g_free);
}

void limits_count_resize(struct controller *c, struct job *j, int sign)
{
	if (!limits_enforced(c) || !c->cl->acct || !j->tres)
		return;
	if (sign > 0) {
		uint64_t v[TRES_MAX];
		tres_vector(c, j, 0, 0, 0, j->alloc, v);
		memcpy(j->tres, v, c->cl->tres->n * sizeof *v);
	}
	struct change x = {j->tres, slice_seconds(c, j, c->now_s, true), j->alloc, sign};
	change_all(c, j, &x);
}

static void change_seconds(struct use *u, const uint64_t *by, uint32_t n, bool add)
{
	for (uint32_t i = 0; i < n; i++)
		u->run_secs[i] = add ? u->run_secs[i] + by[i] : less(u->run_secs[i], by[i]);
}

/* Only the run seconds change: by SECONDS for each unit held. */
static void change_run(struct controller *c, struct job *j, uint64_t seconds, bool add)
{
	uint64_t by[TRES_MAX], any = 0;
	uint32_t n = c->cl->tres->n;
	for (uint32_t i = 0; i < n; i++)
		any |= by[i] = i == TRES_ENERGY ? 0 : seconds * j->tres[i];
	if (!any)
		return;
	for (struct assoc *a = j->assoc; a; a = a->parent)
		change_seconds(&a->use, by, n, add);
	struct counted_qos list = counted_qos(j);
	for (int k = 0; k < 2; k++) {
		struct qos *q = list.q[k];
		if (!q)
			continue;
		change_seconds(&q->use, by, n, add);
		change_seconds(acct_use_of(q->use_by_user, j->user), by, n, add);
		if (j->account)
			change_seconds(acct_use_of(q->use_by_account, j->account), by, n, add);
	}
}

void limits_count_slice(struct controller *c, struct job *j, sec_t b)
{
	if (j->tres)
		change_run(c, j, slice_seconds(c, j, b, false), false);
}

void limits_count_limit(struct controller *c, struct job *j, uint32_t old)
{
	if (!j->tres)
		return;
	double f = c->p->version == SLURM_22_05 ? 1.0 : usage_factor(j); /* L90 */
	uint64_t was = limit_run_seconds(old, f), is = limit_run_seconds(j->time_limit, f);
	change_run(c, j, is > was ? is - was : was - is, is > was);
}

/* The QOS of the partitions that a waiting job does not end up in. */
void limits_count_others(struct controller *c, struct job *j, int delta)
{
	if (!limits_enforced(c))
		return;
	struct counted_qos mine = {{waiting_qos(j), j->part ? j->part->qos : NULL}};
	for (uint32_t i = 0; i < j->n_parts; i++) {
		struct qos *q = j->parts[i].part->qos;
		bool known = !q || q == mine.q[0] || q == mine.q[1];
		for (uint32_t k = 0; k < i && !known; k++)
			known = j->parts[k].part->qos == q;
		if (!known)
			qos_submit(q, j, delta);
	}
}

void limits_count_submit(struct controller *c, struct job *j, int delta)
{
	if (!limits_enforced(c))
		return;
	for (struct assoc *a = j->assoc; a; a = a->parent)
		add_submit(&a->use, delta);
	bool waits = j->state == JOB_PENDING || !j->start; /* waiting, or ended without a start */
	struct qos *own = waits ? waiting_qos(j) : j->qos, *part = j->part ? j->part->qos : NULL;
	if (own)
		qos_submit(own, j, delta);
	if (part && part != own)
		qos_submit(part, j, delta);
	if (waits)
		limits_count_others(c, j, delta);
}

/* All that jobs of P count for goes with SIGN to the counters of its QOS, and so what they count for otherwise. */
static void count_partition(struct controller *c, const struct partition *p, int sign)
{
	for (struct job *j = c->pending.head; j; j = j->next)
		limits_count_submit(c, j, sign * (int)array_tasks_left(j));
	for (struct job *j = c->running.head; j; j = j->next) {
		if (j->part != p)
			continue;
		limits_count_submit(c, j, sign);
		if (!j->tres)
			continue;
		struct change x = {j->tres, slice_seconds(c, j, c->now_s, true), j->alloc, sign};
		change_all(c, j, &x);
	}
}

void limits_partition_qos(struct controller *c, struct partition *p, struct qos *fresh)
{
	if (limits_enforced(c) && c->cl->acct)
		count_partition(c, p, -1);
	p->qos = fresh;
	if (limits_enforced(c) && c->cl->acct)
		count_partition(c, p, 1);
	limits_prepare(c);
	limits_recount_nodes(c);
}

/* ---- relative QOS (L9) ---- */

static void relative(const struct controller *c, uint64_t *limit, const uint64_t *total)
{
	for (uint32_t i = 0; limit && i < c->cl->tres->n; i++)
		if (limit_set64(limit[i]))
			limit[i] = limit[i] * total[i] / 100;
}

static void make_counts(const struct controller *c, struct qos *q, const uint64_t *total)
{
	uint64_t *arrays[LIMITS_TRES];
	limits_tres_arrays(&q->limits, arrays);
	for (size_t i = 0; i < LIMITS_TRES; i++)
		relative(c, arrays[i], total);
	q->relative_done = true;
}

/* L45: does any of L's limits end running jobs? */
static bool can_end(const struct controller *c, const struct limits *l)
{
	bool any = limit_set32(l->grp_wall);
	for (uint32_t i = 0; i < c->cl->tres->n; i++)
		any = any || limit_set64(limit_tres(l, LK_GRP_MINS, i)) || limit_set64(limit_tres(l, LK_MAX_MINS_PJ, i));
	return any;
}

static bool ends_by_limit(const struct controller *c)
{
	const struct acct *a = c->cl->acct;
	if (!limits_enforced(c) || limits_safe(c))
		return false;
	for (guint i = 0; i < a->assocs->len; i++)
		if (can_end(c, &((struct assoc *)a->assocs->pdata[i])->limits))
			return true;
	for (guint i = 0; i < a->qos->len; i++)
		if (can_end(c, &((struct qos *)a->qos->pdata[i])->limits))
			return true;
	return false;
}

/* Percentages become counts once: of its partition for a partition's QOS, else of the cluster. */
void limits_prepare(struct controller *c)
{
	if (!c->cl->acct)
		return;
	c->ends_by_limit = ends_by_limit(c);
	uint64_t cluster[TRES_MAX] = {0};
	for (guint k = 0; k < c->cl->configs->len; k++) {
		const struct node_config *config = c->cl->configs->pdata[k];
		for (uint32_t i = 0; i < c->cl->tres->n; i++)
			cluster[i] += bitset_count(config->nodes) * cluster_tres_on_node(c->cl, i, config);
	}
	for (guint i = 0; i < c->cl->acct->qos->len; i++) {
		struct qos *q = c->cl->acct->qos->pdata[i];
		const uint64_t *total = cluster;
		for (guint k = 0; k < c->cl->partitions->len; k++) {
			const struct partition *p = c->cl->partitions->pdata[k];
			if (p->qos == q)
				total = p->tres_total;
		}
		if (q->flags & QOS_RELATIVE && !q->relative_done && c->p->version != SLURM_22_05)
			make_counts(c, q, total);
	}
}
