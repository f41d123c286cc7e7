/*
 * shrink.c - a running job gives nodes back: scontrol update job=N NumNodes=1, ReqNodeList=n[1-2] (recorded in 22.05)
 *
 * What it holds on the nodes that it keeps stays as it is; the others are free at once, without an epilog. Its CPUs, memory and billing are what
 * is left, limits count that from now on (L20, L21), and usage up to now is charged as it was (P34, P42). End and time limit stay.
 */
#include "sched/billing.h"
#include "sched/gang.h"
#include "sched/power.h"
#include "sched/update_job.h"
#include "sched/usage.h"

#include <string.h>

static uint32_t gpus_of(const struct controller *c, const struct job_alloc *a, const struct alloc_node *an)
{
	const struct node_config *k = c->cl->node[an->node]->config;
	uint32_t n = 0;
	for (uint32_t i = 0; i < an->n_gres; i++)
		if (strcmp(k->gres[a->gres[an->gres_first + i].gres].name, "gpu") == 0)
			n += a->gres[an->gres_first + i].count;
	return n;
}

/* The part of A on KEEP; it goes on to use A's lists of cores and devices, of which it has copies. */
static struct job_alloc *part_of(const struct controller *c, const struct job_alloc *a, const struct bitset *keep)
{
	struct job_alloc *left = g_memdup2(a, sizeof *a);
	uint32_t words = 0, gres = 0;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct alloc_node *an = &a->node[i];
		words = MAX(words, an->core_word + c->use->core_off[an->node + 1] - c->use->core_off[an->node]);
		gres = MAX(gres, an->gres_first + an->n_gres);
	}
	left->node = g_new(struct alloc_node, a->n);
	left->words = g_memdup2(a->words, words * sizeof *a->words);
	left->gres = gres ? g_memdup2(a->gres, gres * sizeof *a->gres) : NULL;
	left->n = left->cpus = left->gpus = 0;
	left->mem = 0;
	left->cores = left->most_cores = 0; /* counted when first wanted */
	for (uint32_t i = 0; i < a->n; i++) {
		const struct alloc_node *an = &a->node[i];
		if (!bitset_test(keep, an->node))
			continue;
		left->node[left->n++] = *an;
		left->cpus += an->cpus;
		left->mem += an->mem;
		left->gpus += gpus_of(c, a, an);
	}
	return left;
}

static bool modelled(const struct controller *c, const struct job *j, const struct bitset *keep, GError **error)
{
	const char *what = gang_active(c)                                        ? "under gang scheduling"
	                   : j->state != JOB_RUNNING || j->flags & JOB_CONFIGURING ? "of a job that is suspended or whose nodes boot"
	                   : j->het                                              ? "of a heterogeneous job"
	                   : !bitset_test(keep, (uint32_t)bitset_first(j->nodes)) ? "without the first one, on which the batch script runs,"
	                                                                         : NULL;
	return what ? REFUSE(error, "Giving back nodes %s is not modelled in this version", what) : true;
}

bool job_shrink(struct controller *c, struct job *j, const struct bitset *keep, GError **error)
{
	if (!modelled(c, j, keep, error))
		return false;
	struct job_alloc *was = j->alloc;
	decay_job_resized(c, j);
	usage_remove(c->use, was);
	j->alloc = part_of(c, was, keep);
	usage_add(c->use, j->alloc);
	for (uint32_t i = 0; i < was->n; i++)
		if (!bitset_test(keep, was->node[i].node))
			power_node_left(c, was->node[i].node);
	bitset_assign(j->nodes, keep);
	j->alloc->billing = job_billing(c, j);
	j->part_total_cpus = j->alloc->cpus;
	limits_count_resize(c, j, was);
	if (c->host.resized)
		c->host.resized(c->host.data, j, was);
	job_alloc_free(was);
	return true;
}
