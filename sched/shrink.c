/*
 * shrink.c - --no-kill: a job goes on without a node that it has lost (C45).
 *
 * Recorded in tests/recorded/no-kill (22.05): CPUs, memory and GRES of that node are gone from the job, its start and end stay. Accounting
 * closes a row as RESIZING and opens another. One that has no other node, and a suspended one, is lost as any. When the
 * node was told to stop, not lost, what ran there is killed: on the first node that is the batch script, so the job ends by signal 9.
 */
#include "sched/state.h"

#include <string.h>

static uint32_t gpus_on(const struct node_config *k, const struct job_alloc *a, const struct alloc_node *an)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < an->n_gres; i++) {
		const struct gres_taken *t = &a->gres[an->gres_first + i];
		n += strcmp(k->gres[t->gres].name, "gpu") == 0 ? t->count : 0;
	}
	return n;
}

static void drop(const struct controller *c, struct job_alloc *a, uint32_t node)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct alloc_node *an = &a->node[i];
		if (an->node != node) {
			a->node[left++] = *an;
			continue;
		}
		a->cpus -= an->cpus;
		a->mem -= an->mem;
		a->gpus -= MIN(a->gpus, gpus_on(c->cl->node[node]->config, a, an));
	}
	a->n = left;
	a->cores = a->most_cores = 0;
}

bool job_loses_node(struct controller *c, struct job *j, uint32_t node, bool told)
{
	if (!j->req->no_kill || j->alloc->n < 2 || j->state != JOB_RUNNING || j->alloc->paused)
		return false;
	bool first = j->alloc->node[0].node == node;
	if (c->host.resized)
		c->host.resized(c->host.data, j);
	limits_count_resize(c, j, -1);
	usage_touch(c->use, j->nodes);
	usage_remove(c->use, j->alloc);
	drop(c, j->alloc, node);
	bitset_clear(j->nodes, node);
	usage_add(c->use, j->alloc);
	j->alloc->billing = job_billing(c, j);
	limits_count_resize(c, j, 1);
	j->resized = c->now_s;
	c->by_end_changes++;
	c->version++;
	ctl_touch(c);
	if (first && told)
		job_signalled(c, j, 9, END_NODE_DOWN);
	return true;
}
