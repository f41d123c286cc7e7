/* audit.c - see audit.h */
#include "sched/audit.h"
#include "sched/cores.h"
#include "sched/license.h"
#include "sched/resv_gres.h"
#include "sched/state.h"

#include <string.h>

struct audit {
	struct controller *c;
	const struct usage *use;
	struct usage *sum; /* of the allocations */
	GError **error;
};

G_GNUC_PRINTF(4, 5)
static bool wrong(const struct audit *a, const struct job *j, uint32_t node, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *what = g_strdup_vprintf(format, args), *id = j ? job_format_id(j) : NULL;
	va_end(args);
	g_set_error(a->error, AUDIT_ERROR, 0, "%s%s%s%s: %s", node != UINT32_MAX ? "node " : "",
	            node != UINT32_MAX ? a->c->cl->node[node]->name : "the cluster", id ? ", job " : "", id ? id : "",
	            what);
	g_free(what);
	g_free(id);
	return false;
}

/* What J takes on one node must be free in the sum so far. */
static bool check_part(const struct audit *a, const struct job *j, const struct alloc_node *an)
{
	const struct node_config *k = a->c->cl->node[an->node]->config;
	const struct node_use *u = &a->sum->node[an->node];
	const uint64_t *held = usage_cores(a->sum, an->node), *mine = j->alloc->words + an->core_word;
	uint64_t memory = k->real_memory - MIN(k->mem_spec_limit, k->real_memory);
	bool shared = a->sum->holders; /* gang scheduling: suspended jobs keep their cores, and partitions of one tier do not see each other (N50) */
	for (uint32_t i = 0; i < core_words(k) && !shared; i++)
		if (held[i] & mine[i])
			return wrong(a, j, an->node, "core %u is held twice",
			             i * 64 + (uint32_t)__builtin_ctzll(held[i] & mine[i]));
	if (cores_all(mine, k) != an->cores)
		return wrong(a, j, an->node, "%u cores in its map, %u counted", cores_all(mine, k), an->cores);
	if (a->c->p->cr_memory && u->mem + an->mem > memory)
		return wrong(a, j, an->node, "%" G_GUINT64_FORMAT " MiB held, %" G_GUINT64_FORMAT " there",
		             (guint64)(u->mem + an->mem), (guint64)memory);
	if (!shared && u->jobs && (j->alloc->whole || u->exclusive))
		return wrong(a, j, an->node, "a job that allows no other is not alone");
	if (j->part && !j->part->nodes_changed && !bitset_test(j->part->nodes, an->node))
		return wrong(a, j, an->node, "not in partition %s", j->part->name);
	for (uint32_t i = 0; i < an->n_gres; i++) {
		const struct gres_taken *t = &j->alloc->gres[an->gres_first + i];
		const struct node_gres *ng = &k->gres[t->gres];
		const struct gres_use *g = &usage_gres(a->sum, an->node)[t->gres];
		if (ng->devices && g->devices & t->devices)
			return wrong(a, j, an->node, "%s %u is held twice", ng->name,
			             (uint32_t)__builtin_ctzll(g->devices & t->devices));
		if (ng->devices && (uint32_t)__builtin_popcountll(t->devices) != t->count)
			return wrong(a, j, an->node, "%u %s counted, %u devices", t->count, ng->name,
			             (uint32_t)__builtin_popcountll(t->devices));
		if (g->count + t->count > ng->count)
			return wrong(a, j, an->node, "%u %s held, %u there", g->count + t->count, ng->name, ng->count);
	}
	return true;
}

static bool add_job(const struct audit *a, const struct job *j)
{
	for (uint32_t i = 0; i < j->alloc->n; i++)
		if (!check_part(a, j, &j->alloc->node[i]))
			return false;
	usage_add(a->sum, j->alloc);
	if (j->alloc->paused) { /* a suspended job is not in the totals (usage.h) */
		a->sum->cpus -= j->alloc->cpus;
		a->sum->gpus -= j->alloc->gpus;
		a->sum->mem -= j->alloc->mem;
	}
	return true;
}

static bool same_node(const struct audit *a, uint32_t i)
{
	const struct node_use *was = &a->use->node[i], *is = &a->sum->node[i];
	const struct node_config *k = a->c->cl->node[i]->config;
	if (was->mem != is->mem || was->cores != is->cores || was->cpus != is->cpus || was->jobs != is->jobs ||
	    was->exclusive != is->exclusive || was->user_only != is->user_only || was->user_sum != is->user_sum)
		return wrong(a, NULL, i,
		             "%u cores, %u CPUs, %" G_GUINT64_FORMAT " MiB, %u jobs counted; its jobs hold %u, %u, %" G_GUINT64_FORMAT
		             ", %u",
		             was->cores, was->cpus, (guint64)was->mem, was->jobs, is->cores, is->cpus, (guint64)is->mem,
		             is->jobs);
	if (memcmp(usage_cores(a->use, i), usage_cores(a->sum, i), core_words(k) * sizeof(uint64_t)) != 0)
		return wrong(a, NULL, i, "its map of cores is not that of its jobs");
	for (uint32_t g = 0; g < k->n_gres; g++) {
		const struct gres_use *x = &usage_gres(a->use, i)[g], *y = &usage_gres(a->sum, i)[g];
		if (x->devices != y->devices || x->count != y->count)
			return wrong(a, NULL, i, "%u %s counted, its jobs hold %u", x->count, k->gres[g].name, y->count);
		for (uint32_t d = 0; k->gres[g].per_device && d < k->gres[g].n_devices; d++)
			if (usage_shares(a->use, i, &k->gres[g])[d] != usage_shares(a->sum, i, &k->gres[g])[d])
				return wrong(a, NULL, i, "%s of GPU %u: the count is wrong", k->gres[g].name, d);
	}
	bool idle = is->jobs == 0 && was->completing == 0;
	if (bitset_test(a->use->idle, i) != idle)
		return wrong(a, NULL, i, "it is%s in the set of idle nodes", idle ? " not" : "");
	return true;
}

/* ---- parts of nodes that are reserved ---- */

/* Does J, in its part MINE of a node, hold something of what R has there; or, when it is R's, of the rest? */
static bool check_reserved(const struct audit *a, const struct job *j, const struct alloc_node *mine, const struct reservation *r,
                           const struct alloc_node *kept)
{
	const struct node_config *k = a->c->cl->node[mine->node]->config;
	bool inside = j->resv == r;
	const uint64_t *held = j->alloc->words + mine->core_word, *cores = r->cores->words + kept->core_word;
	for (uint32_t i = 0; i < core_words(k); i++)
		if (held[i] & (inside ? ~cores[i] : cores[i]))
			return wrong(a, j, mine->node, inside ? "cores outside its reservation %s" : "cores of reservation %s", r->name);
	for (uint32_t i = 0; i < mine->n_gres; i++) {
		const struct gres_taken *t = &j->alloc->gres[mine->gres_first + i];
		const struct gres_taken *theirs = resv_taken(r->cores, kept, t->gres);
		uint64_t devices = theirs ? theirs->devices : 0;
		if (k->gres[t->gres].devices && t->devices & (inside ? ~devices : devices) &&
		    (!inside || resv_reserves(a->c, r, k->gres[t->gres].name)))
			return wrong(a, j, mine->node, inside ? "%s outside its reservation %s" : "%s of reservation %s", k->gres[t->gres].name,
			             r->name);
	}
	return true;
}

/* Was R there and active when J began, and does it concern it? A reservation that is changed later says nothing of jobs that run. */
static bool concerns(const struct controller *c, const struct job *j, const struct reservation *r)
{
	if (!r->cores || j->start_t < r->made || r->flags & RESV_FLAG(TIME_FLOAT) || j->start < r->start || j->start >= r->end)
		return false;
	if (j->resv == r)
		return !(r->flags & RESV_FLAG(FLEX));
	if (r->max_start_delay && resv_signal_asked(j))
		return false;
	return resv_keeps_from(c, r, j->resv);
}

static bool check_reservations(const struct audit *a)
{
	const GPtrArray *all = controller_resvs(a->c);
	for (guint i = 0; i < all->len; i++)
		for (const struct job *j = a->c->running.head; j; j = j->next) {
			const struct reservation *r = all->pdata[i];
			for (uint32_t n = 0; concerns(a->c, j, r) && n < j->alloc->n; n++)
				for (uint32_t m = 0; m < r->cores->n; m++)
					if (r->cores->node[m].node == j->alloc->node[n].node &&
					    !check_reserved(a, j, &j->alloc->node[n], r, &r->cores->node[m]))
						return false;
		}
	return true;
}

static bool check_licenses(const struct audit *a)
{
	uint32_t n = license_kinds(a->c->cl);
	g_autofree uint32_t *held = g_new0(uint32_t, n + 1);
	for (guint i = 0; i < a->c->jobs->len; i++) {
		const struct job *j = a->c->jobs->pdata[i];
		if (j && j->licenses_held)
			license_add_back(j->licenses, held);
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct license *l = a->c->cl->licenses->pdata[i];
		if (l->used != held[i])
			return wrong(a, NULL, UINT32_MAX, "licence %s: %u counted, jobs hold %u", l->name, l->used, held[i]);
		if (l->used > l->total && !a->c->licenses_forced)
			return wrong(a, NULL, UINT32_MAX, "licence %s: %u held, %u there", l->name, l->used, l->total);
	}
	return true;
}

bool controller_audit(struct controller *c, GError **error)
{
	struct audit a = {.c = c, .use = c->use, .sum = usage_new(c->cl), .error = error};
	bool good = true;
	uint32_t running = 0;
	if (c->use->holders)
		usage_share(a.sum);
	for (const struct job *j = c->running.head; j && good; j = j->next, running++)
		good = j->alloc ? add_job(&a, j) : wrong(&a, j, UINT32_MAX, "runs without an allocation");
	for (uint32_t i = 0; i < c->cl->n_nodes && good; i++)
		good = same_node(&a, i);
	if (good && (a.use->cpus != a.sum->cpus || a.use->gpus != a.sum->gpus || a.use->mem != a.sum->mem))
		good = wrong(&a, NULL, UINT32_MAX, "%" G_GUINT64_FORMAT " CPUs and %" G_GUINT64_FORMAT " GPUs counted, jobs hold %" G_GUINT64_FORMAT
		             " and %" G_GUINT64_FORMAT, (guint64)a.use->cpus, (guint64)a.use->gpus, (guint64)a.sum->cpus,
		             (guint64)a.sum->gpus);
	if (good && running != c->running.n)
		good = wrong(&a, NULL, UINT32_MAX, "%u jobs counted as running, %u are", c->running.n, running);
	good = good && check_licenses(&a) && check_reservations(&a);
	usage_free(a.sum);
	return good;
}
