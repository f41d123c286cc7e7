/* billing.c - see billing.h. */
#include "sched/billing.h"
#include <string.h>

/* Does the TRES named TRES ("gres/gpu:h100") count a GRES NAME of TYPE (NULL = untyped)? */
static bool counts_gres(const char *tres, const char *name, const char *type)
{
	size_t n = strlen(name);
	if (strncmp(tres, "gres/", 5) != 0 || g_ascii_strncasecmp(tres + 5, name, n) != 0)
		return false;
	tres += 5 + n;
	return *tres == '\0' || (*tres == ':' && type && g_ascii_strcasecmp(tres + 1, type) == 0);
}

static void add_gres(const struct tres_table *t, const char *name, const char *type, uint64_t n, uint64_t *counts)
{
	for (uint32_t i = TRES_FIRST_CONFIGURED; i < t->n; i++)
		if (counts_gres(t->name[i], name, type))
			counts[i] += n;
}

/* Devices are charged to the type of their group, plain counts to the first. */
static void add_taken(const struct tres_table *t, const struct node_gres *g, const struct gres_taken *taken,
                      uint64_t *counts)
{
	if (!g->devices || g->n_groups <= 1) {
		add_gres(t, g->name, g->n_groups ? g->group[0].type : NULL, taken->count, counts);
		return;
	}
	for (uint32_t q = 0; q < g->n_groups; q++) {
		const struct gres_group *group = &g->group[q];
		uint64_t n = 0;
		for (uint32_t d = group->first; d < group->first + group->count; d++)
			n += (taken->devices >> d) & 1;
		if (n)
			add_gres(t, g->name, group->type, n, counts);
	}
}

void tres_of_alloc(const struct cluster *cl, const struct job_alloc *a, uint64_t *counts)
{
	memset(counts, 0, cl->tres->n * sizeof *counts);
	counts[TRES_CPU] = a->cpus;
	counts[TRES_MEM] = a->mem;
	counts[TRES_NODE] = a->n;
	if (cl->tres->n == TRES_FIRST_CONFIGURED)
		return;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct alloc_node *an = &a->node[i];
		const struct node_config *k = cl->node[an->node]->config;
		for (uint32_t g = 0; g < an->n_gres; g++) {
			const struct gres_taken *taken = &a->gres[an->gres_first + g];
			add_taken(cl->tres, &k->gres[taken->gres], taken, counts);
		}
	}
}

static uint64_t gres_wanted(const struct job *j, const struct gres_want *w, uint64_t nodes)
{
	uint64_t tasks = j->ntasks == NO_VAL ? nodes : j->ntasks;
	if (w->per_job)
		return w->per_job;
	if (w->per_node)
		return w->per_node * nodes;
	return w->per_task ? w->per_task * tasks : w->per_socket * nodes; /* at least one socket a node */
}

/* All memory of each node (--mem=0, or none given and no default): counted as that of an average node of the partition. */
static uint64_t memory_wanted(const struct job *j, uint64_t nodes)
{
	const struct partition *p = j->part;
	if (!j->mem_all)
		return j->pn_min_memory * (j->mem_per_cpu ? j->min_cpus : nodes);
	return p && p->tres_total && p->total_nodes ? p->tres_total[TRES_MEM] * nodes / p->total_nodes : 0;
}

void tres_of_request(const struct cluster *cl, const struct job *j, uint64_t *counts)
{
	uint64_t nodes = MAX(j->min_nodes, 1);
	memset(counts, 0, cl->tres->n * sizeof *counts);
	counts[TRES_CPU] = j->min_cpus;
	counts[TRES_MEM] = memory_wanted(j, nodes);
	counts[TRES_NODE] = nodes;
	for (uint32_t i = 0; i < j->n_gres; i++)
		add_gres(cl->tres, j->gres[i].name, j->gres[i].type, gres_wanted(j, &j->gres[i], nodes), counts);
	double b = billing_of(cl->params, cl->tres, j->part ? j->part->billing_weights : NULL, counts);
	counts[TRES_BILLING] = b > 0 ? (uint64_t)b : 0;
}

double billing_of(const struct sched_params *p, const struct tres_table *t, const double *weights,
                  const uint64_t *counts)
{
	bool any_max = p->priority_flags & (PRIO_MAX_TRES | PRIO_MAX_TRES_GRES);
	double sum = 0.0, most = 0.0; /* P41: both begin at 0 */
	if (!weights)
		return (double)counts[TRES_CPU];
	for (uint32_t i = 0; i < t->n; i++) {
		if (i == TRES_BILLING || counts[i] == NO_VAL64 - 1) /* NOCONSUME64 */
			continue;
		double v = (double)counts[i] * weights[i];
		bool gres = i >= TRES_FIRST_CONFIGURED && strncmp(t->name[i], "gres/", 5) == 0;
		bool on_node = i == TRES_CPU || i == TRES_MEM || i == TRES_NODE ||
		               (gres && !(p->priority_flags & PRIO_MAX_TRES_GRES));
		if (any_max && on_node)
			most = MAX(most, v);
		else
			sum += v;
	}
	return sum + most;
}
