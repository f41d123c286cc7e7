/* audit.c - see audit.h */
#include "sched/audit.h"
#include "sched/cores.h"
#include "sched/license.h"
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
	good = good && check_licenses(&a);
	usage_free(a.sum);
	return good;
}
