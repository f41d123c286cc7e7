/*
 * shrink.c - --no-kill: a job goes on without a node that it has lost (C45); and scontrol update: it gives nodes back.
 *
 * Recorded in tests/recorded/no-kill (22.05): CPUs, memory and GRES of that node are gone from the job, its start and end stay. Accounting
 * closes a row as RESIZING and opens another. One that has no other node, and a suspended one, is lost as any. When the
 * node was told to stop, not lost, what ran there is killed: on the first node that is the batch script, so the job ends by signal 9.
 *
 * Given back by NumNodes= or NodeList= (recorded in tests/recorded/updates), nodes are free at once, without an epilog. Usage up to now is charged as
 * it was (P34, P42).
 */
#include "sched/gang.h"
#include "sched/power.h"
#include "sched/update_job.h"

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

/* J keeps KEEP alone. */
static void shrink_to(struct controller *c, struct job *j, const struct bitset *keep)
{
	if (c->host.resized)
		c->host.resized(c->host.data, j);
	decay_job_resized(c, j);
	limits_count_resize(c, j, -1);
	usage_touch(c->use, j->nodes);
	usage_remove(c->use, j->alloc);
	int64_t i;
	for (BITSET_EACH(i, j->nodes))
		if (!bitset_test(keep, (uint32_t)i))
			drop(c, j->alloc, (uint32_t)i);
	bitset_assign(j->nodes, keep);
	usage_add(c->use, j->alloc);
	j->alloc->billing = job_billing(c, j);
	limits_count_resize(c, j, 1);
	c->by_end_changes++;
	c->version++;
	ctl_touch(c);
}

bool job_loses_node(struct controller *c, struct job *j, uint32_t node, bool told)
{
	if (!j->req->no_kill || j->alloc->n < 2 || j->state != JOB_RUNNING || j->alloc->paused)
		return false;
	bool first = j->alloc->node[0].node == node;
	struct bitset *keep = bitset_copy(j->nodes);
	bitset_clear(keep, node);
	shrink_to(c, j, keep);
	bitset_free(keep);
	if (first && told)
		job_signalled(c, j, 9, END_NODE_DOWN);
	return true;
}

/* ---- scontrol update job=N NumNodes=1, ReqNodeList=n[1-2] ---- */

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
	struct bitset *gone = bitset_copy(j->nodes);
	bitset_andnot(gone, keep);
	shrink_to(c, j, keep);
	j->part_total_cpus = j->alloc->cpus;
	int64_t i;
	for (BITSET_EACH(i, gone))
		power_node_left(c, j, (uint32_t)i);
	bitset_free(gone);
	return true;
}
