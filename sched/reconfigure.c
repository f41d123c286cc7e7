/* reconfigure.c - see reconfigure.h */
#include "sched/reconfigure.h"
#include "sched/gang.h"
#include "sched/reshape.h"
#include "sched/resv_gres.h"
#include "sched/state.h"

#include <string.h>

#define REFUSE(...) (g_set_error(error, SUBMIT_ERROR, 0, __VA_ARGS__), false)

/* ---- may it? ---- */

static bool same_plugins(const struct sched_params *a, const struct sched_params *b, GError **error)
{
	const struct { bool same; const char *what; } checks[] = {
		{a->sched_type == b->sched_type, "SchedulerType"},
		{a->select_type == b->select_type, "SelectType"},
		{a->cr_unit == b->cr_unit && a->cr_memory == b->cr_memory && a->cr_one_task_per_core == b->cr_one_task_per_core &&
			 a->cr_default_dist_block == b->cr_default_dist_block && a->cr_lln == b->cr_lln && a->cr_pack_nodes == b->cr_pack_nodes,
		 "SelectTypeParameters"},
		{a->topology == b->topology && a->topo_dragonfly == b->topo_dragonfly && a->topo_optional == b->topo_optional &&
			 a->topo_switch_rank == b->topo_switch_rank && a->topo_block_rank == b->topo_block_rank,
		 "TopologyPlugin or TopologyParam"},
		{a->priority_type == b->priority_type, "PriorityType"},
		{a->preempt_type == b->preempt_type, "PreemptType"},
		{(a->preempt_flags & PREEMPT_GANG) == (b->preempt_flags & PREEMPT_GANG), "GANG in PreemptMode"},
		{a->has_accounting == b->has_accounting && a->enforce == b->enforce, "AccountingStorageType or AccountingStorageEnforce"},
		{a->first_job_id == b->first_job_id && a->max_job_id == b->max_job_id, "FirstJobId or MaxJobId"}};
	for (gsize i = 0; i < G_N_ELEMENTS(checks); i++)
		if (!checks[i].same)
			return REFUSE("%s cannot be changed by scontrol reconfigure; it needs a controller that starts anew", checks[i].what);
	return true;
}

/* ---- another shape ---- */

static bool same_shape(const struct node_config *a, const struct node_config *b)
{
	return a->sockets == b->sockets && a->cores_per_socket == b->cores_per_socket && a->threads == b->threads && a->cpus == b->cpus &&
	       a->real_memory == b->real_memory && a->mem_spec_limit == b->mem_spec_limit && a->core_spec_count == b->core_spec_count &&
	       strcmp(a->gres_text, b->gres_text) == 0;
}

/* Nothing that has an index or a shape changes. */
static bool same_table(const struct cluster *a, const struct cluster *b)
{
	if (a->n_nodes != b->n_nodes || a->configs->len != b->configs->len || a->partitions->len != b->partitions->len ||
	    a->licenses->len != b->licenses->len)
		return false;
	for (uint32_t i = 0; i < a->n_nodes; i++)
		if (strcmp(a->node[i]->name, b->node[i]->name) != 0)
			return false;
	for (guint i = 0; i < a->configs->len; i++) {
		const struct node_config *x = a->configs->pdata[i], *y = b->configs->pdata[i];
		if (!same_shape(x, y) || !bitset_equal(x->nodes, y->nodes))
			return false;
	}
	for (guint i = 0; i < a->partitions->len; i++)
		if (strcmp(((struct partition *)a->partitions->pdata[i])->name, ((struct partition *)b->partitions->pdata[i])->name) != 0)
			return false;
	for (guint i = 0; i < a->licenses->len; i++)
		if (strcmp(((struct license *)a->licenses->pdata[i])->name, ((struct license *)b->licenses->pdata[i])->name) != 0)
			return false;
	return true;
}

/* The job that holds NODE, or has not let go of it; NULL. */
static const struct job *holder(const struct controller *c, uint32_t node)
{
	for (guint i = 0; i < c->jobs->len; i++) {
		const struct job *j = c->jobs->pdata[i];
		bool runs = j && (j->state == JOB_RUNNING || j->state == JOB_SUSPENDED);
		if (runs ? bitset_test(j->nodes, node) : j && j->flags & JOB_COMPLETING && j->comp_nodes && bitset_test(j->comp_nodes, node))
			return j;
	}
	return NULL;
}

static bool shapes_free(const struct controller *c, const struct cluster *fresh, GError **error)
{
	for (uint32_t i = 0; i < c->cl->n_nodes; i++) {
		const struct node *n = c->cl->node[i], *f = cluster_find_node(fresh, n->name);
		if (!f || same_shape(n->config, f->config))
			continue;
		const struct job *j = holder(c, i);
		const struct reservation *r = resv_part_holder(c, i);
		if (r)
			return REFUSE("node %s: CPUs, memory and GRES cannot change under reservation %s, which has a part of it; delete it first", n->name,
			              r->name);
		if (j)
			return REFUSE("node %s: CPUs, memory and GRES cannot change under job %u, which is there; drain the node first", n->name, j->id);
	}
	return true;
}

static bool known_qos(const struct cluster *cl, const struct cluster *fresh, GError **error)
{
	for (guint i = 0; cl->acct && i < fresh->partitions->len; i++) {
		const struct partition *p = fresh->partitions->pdata[i];
		if (p->qos_name && !acct_find_qos(cl->acct, p->qos_name))
			return REFUSE("partition %s: unknown QOS \"%s\"; want a QOS that accounting has now", p->name, p->qos_name);
	}
	return true;
}

static bool may_change(struct controller *c, const struct cluster *fresh, bool restart, GError **error)
{
	if (!same_plugins(c->p, fresh->params, error) || !known_qos(c->cl, fresh, error))
		return false;
	if (c->cl->tres->n != fresh->tres->n)
		return REFUSE("AccountingStorageTRES cannot be changed by scontrol reconfigure; it needs a controller that starts anew");
	if (same_table(c->cl, fresh))
		return true;
	if (!restart && c->p->version == SLURM_22_05 && c->cl->n_nodes != fresh->n_nodes) /* recorded: slurmctld ends with it */
		return REFUSE("fatal: MaxNodeCount has changed (%u->%u) during reconfig, slurmctld must be restarted; write: restart FILE", c->cl->n_nodes,
			      fresh->n_nodes);
	return controller_reshapable(c, error) && shapes_free(c, fresh, error);
}

/* Does J name or hold something that FRESH has no more? *LEFT: it keeps nodes. */
static bool displaced(const struct controller *c, const struct cluster *fresh, const struct job *j, bool *left)
{
	bool pending = j->state == JOB_PENDING, out = false;
	const struct bitset *needs = pending ? j->req_nodes : j->nodes;
	int64_t i;
	*left = false;
	for (uint32_t k = 0; pending && k < j->n_parts; k++)
		out |= !cluster_find_partition(fresh, j->parts[k].part->name);
	if (!pending)
		out = !cluster_find_partition(fresh, j->part->name);
	if (!needs)
		return out;
	for (BITSET_EACH(i, needs)) {
		bool stays = cluster_find_node(fresh, c->cl->node[i]->name) != NULL;
		out |= !stays;
		*left |= stays;
	}
	return out;
}

static void displace_jobs(struct controller *c, const struct cluster *fresh)
{
	for (guint i = 0; i < c->jobs->len; i++) {
		struct job *j = c->jobs->pdata[i];
		bool left;
		if (j && !job_is_finished(j) && displaced(c, fresh, j, &left))
			ctl_job_displaced(c, j, left);
	}
	/* nobody waits for the epilog of a node that is gone */
	for (uint32_t n = 0; n < c->cl->n_nodes; n++)
		for (guint i = 0; !cluster_find_node(fresh, c->cl->node[n]->name) && i < c->jobs->len; i++) {
			struct job *j = c->jobs->pdata[i];
			if (j && j->flags & JOB_COMPLETING && j->comp_nodes && bitset_test(j->comp_nodes, n))
				controller_epilog_done(c, j, n, false, c->now);
		}
}

/* ---- taking over ---- */

static void keep_text(const char *now, char **fresh)
{
	g_free(*fresh);
	*fresh = g_strdup(now);
}

/* What a command has set, or was in force before the file changed, stays where ReconfigFlags say so. */
static void keep_states(const struct cluster *cl, struct cluster *fresh)
{
	for (guint i = 0; fresh->params->keep_part_state && i < fresh->partitions->len; i++) {
		struct partition *f = fresh->partitions->pdata[i];
		const struct partition *p = cluster_find_partition(cl, f->name);
		f->state = p ? p->state : f->state;
	}
	if (!fresh->params->keep_power_settings)
		return;
	keep_text(cl->params->suspend_exc_nodes, &fresh->params->suspend_exc_nodes);
	keep_text(cl->params->suspend_exc_parts, &fresh->params->suspend_exc_parts);
	keep_text(cl->params->suspend_exc_states, &fresh->params->suspend_exc_states);
}

static void take_params(struct cluster *cl, struct cluster *fresh)
{
	struct sched_params was = *cl->params;
	*cl->params = *fresh->params;
	*fresh->params = was;
}

static void resort_partitions(struct controller *c)
{
	for (struct job *j = c->pending.head; j; j = j->next)
		job_sort_partitions(j);
}

bool controller_reconfigure(struct controller *c, struct cluster *fresh, bool restart, usec_t now, uint32_t **to, GError **error)
{
	uint32_t n_old = c->cl->n_nodes, kinds = c->cl->licenses->len;
	ctl_enter(c, now);
	if (to)
		*to = NULL;
	if (!may_change(c, fresh, restart, error))
		return false;
	keep_states(c->cl, fresh);
	displace_jobs(c, fresh);
	take_params(c->cl, fresh);
	uint32_t *where = g_new(uint32_t, n_old + 1);
	cluster_exchange(c->cl, fresh, where);
	for (guint i = 0; i < c->cl->partitions->len; i++)
		((struct partition *)c->cl->partitions->pdata[i])->nodes_changed = true;
	controller_reshape(c, where, n_old, kinds);
	resort_partitions(c);
	gang_tiers_changed(c->gang);
	if (to)
		*to = g_steal_pointer(&where);
	g_free(where);
	return true;
}
