/* reconfigure.c - see reconfigure.h */
#include "sched/reconfigure.h"
#include "sched/select.h"
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

static bool same_shape(const struct node_config *a, const struct node_config *b)
{
	return a->sockets == b->sockets && a->cores_per_socket == b->cores_per_socket && a->threads == b->threads && a->cpus == b->cpus &&
	       a->real_memory == b->real_memory && a->mem_spec_limit == b->mem_spec_limit && a->core_spec_count == b->core_spec_count &&
	       strcmp(a->gres_text, b->gres_text) == 0 && bitset_equal(a->nodes, b->nodes);
}

static bool same_nodes(const struct cluster *a, const struct cluster *b, GError **error)
{
	bool same = a->n_nodes == b->n_nodes && a->configs->len == b->configs->len;
	for (uint32_t i = 0; same && i < a->n_nodes; i++)
		if (strcmp(a->node[i]->name, b->node[i]->name) != 0)
			same = false;
	if (!same)
		return REFUSE("nodes cannot come, go or change their NodeName line by scontrol reconfigure in this version: the new file has %u nodes in %u "
			      "kinds, the running one %u in %u",
			      b->n_nodes, b->configs->len, a->n_nodes, a->configs->len);
	for (guint i = 0; i < a->configs->len; i++)
		if (!same_shape(a->configs->pdata[i], b->configs->pdata[i]))
			return REFUSE("node %s: CPUs, memory and GRES cannot be changed by scontrol reconfigure in this version",
				      a->node[bitset_next(((struct node_config *)a->configs->pdata[i])->nodes, 0)]->name);
	return true;
}

static bool same_names(const struct cluster *a, const struct cluster *b, GError **error)
{
	if (a->tres->n != b->tres->n)
		return REFUSE("AccountingStorageTRES cannot be changed by scontrol reconfigure; it needs a controller that starts anew");
	for (guint i = 0; i < a->partitions->len; i++)
		if (!cluster_find_partition(b, ((struct partition *)a->partitions->pdata[i])->name))
			return REFUSE("partition %s is not in the new file; partitions cannot go in this version: State=DOWN closes one",
				      ((struct partition *)a->partitions->pdata[i])->name);
	if (a->partitions->len != b->partitions->len)
		return REFUSE("partitions cannot come in this version; have them in the first file with State=DOWN");
	if (a->licenses->len != b->licenses->len)
		return REFUSE("kinds of licences cannot come or go by scontrol reconfigure in this version");
	for (guint i = 0; i < a->licenses->len; i++)
		if (strcmp(((struct license *)a->licenses->pdata[i])->name, ((struct license *)b->licenses->pdata[i])->name) != 0)
			return REFUSE("kinds of licences cannot come or go by scontrol reconfigure in this version");
	return true;
}

/* ---- taking over ---- */

/* What hangs on the running cluster stays: place, name (the index of names borrows it), accounts, topology. */
static void take_partition(struct cluster *cl, struct partition *old, struct partition *fresh)
{
	struct partition was = *old;
	*old = *fresh;
	*fresh = was;
	fresh->name = old->name;
	old->name = was.name;
	old->index = was.index;
	old->topology = was.topology;
	old->qos = old->qos_name && cl->acct ? acct_find_qos(cl->acct, old->qos_name) : NULL;
	fresh->topology = NULL;
	fresh->qos = NULL;
}

static void take_config(struct node_config *old, struct node_config *fresh)
{
	char **features = old->features;
	old->weight = fresh->weight;
	old->features = fresh->features;
	fresh->features = features;
}

static void take_all(struct cluster *cl, struct cluster *fresh)
{
	struct sched_params was = *cl->params;
	*cl->params = *fresh->params;
	*fresh->params = was;
	for (guint i = 0; i < cl->partitions->len; i++) {
		struct partition *p = cl->partitions->pdata[i];
		take_partition(cl, p, cluster_find_partition(fresh, p->name));
	}
	struct partition *d = fresh->default_partition;
	cl->default_partition = d ? cluster_find_partition(cl, d->name) : NULL;
	cl->max_job_factor = fresh->max_job_factor;
	for (guint i = 0; i < cl->configs->len; i++)
		take_config(cl->configs->pdata[i], fresh->configs->pdata[i]);
	for (uint32_t i = 0; i < cl->n_nodes; i++)
		cl->node[i]->suspend_time = fresh->node[i]->suspend_time;
	for (guint i = 0; i < cl->licenses->len; i++)
		((struct license *)cl->licenses->pdata[i])->total = ((struct license *)fresh->licenses->pdata[i])->total;
}

bool controller_reconfigure(struct controller *c, struct cluster *fresh, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (!same_plugins(c->p, fresh->params, error) || !same_nodes(c->cl, fresh, error) || !same_names(c->cl, fresh, error))
		return false;
	take_all(c->cl, fresh);
	selector_reweigh(c->sel);
	power_reconfigured(c);
	for (struct job *j = c->pending.head; j; j = j->next) {
		job_sort_partitions(j);
		demand_static_filter(c, j);
	}
	c->counter++;
	c->part_changes++;
	c->config_version++;
	ctl_touch(c);
	return true;
}
