/* part_change.c - partitions that are created, changed and deleted while jobs wait and run; see update.h */
#include "sched/gang.h"
#include "sched/license.h"
#include "sched/limits.h"
#include "sched/reconfigure.h"
#include "sched/reshape.h"
#include "sched/update_part.h"

#include <string.h>

#define REFUSE(...) (g_set_error(error, SUBMIT_ERROR, 0, __VA_ARGS__), false)

/* ---- what only the cluster knows ---- */

static bool resolve_nodes(const struct controller *c, struct partition *p, GError **error)
{
	struct bitset *set;
	if (g_ascii_strcasecmp(p->nodes_text ? p->nodes_text : "", "ALL") == 0) {
		set = bitset_new(c->cl->n_nodes);
		bitset_set_all(set);
	} else {
		set = p->nodes_text && *p->nodes_text ? cluster_parse_nodes(c->cl, p->nodes_text, NULL) : bitset_new(c->cl->n_nodes);
	}
	if (!set)
		return REFUSE("Invalid node name specified");
	bitset_free(p->nodes);
	p->nodes = set;
	return true;
}

static bool resolve_qos(const struct controller *c, struct partition *p, GError **error)
{
	p->qos = p->qos_name && c->cl->acct ? acct_find_qos(c->cl->acct, p->qos_name) : NULL;
	return !p->qos_name || p->qos || !c->p->has_accounting || REFUSE("Invalid qos specification");
}

static bool resolve_billing(const struct controller *c, struct partition *p, GError **error)
{
	g_clear_pointer(&p->billing_weights, g_free);
	if (!p->billing_text)
		return true;
	p->billing_weights = g_new0(double, c->cl->tres->n);
	return tres_parse_weights(c->cl->tres, p->billing_text, p->billing_weights, NULL) || REFUSE("Invalid TRESBillingWeights specification");
}

static bool resolve(const struct controller *c, const struct part_edit *e, GError **error)
{
	return (!(e->what & PART_EDIT_NODES) || resolve_nodes(c, e->p, error)) && (!(e->what & PART_EDIT_QOS) || resolve_qos(c, e->p, error)) &&
	       (!(e->what & PART_EDIT_BILLING) || resolve_billing(c, e->p, error));
}

/* ---- what follows ---- */

/* Only one partition is the default. */
static void take_default(struct cluster *cl, const struct partition *p)
{
	for (guint i = 0; p->is_default && i < cl->partitions->len; i++)
		((struct partition *)cl->partitions->pdata[i])->is_default = cl->partitions->pdata[i] == p;
}

static void follow(struct controller *c, struct partition *p, uint32_t what)
{
	if (what & PART_EDIT_DEFAULT)
		take_default(c->cl, p);
	cluster_partitions_changed(c->cl);
	cluster_partition_changed(c->cl, p);
	if (what & PART_EDIT_TIER)
		gang_tiers_changed(c->gang);
	for (struct job *j = what & PART_EDIT_TIER ? c->pending.head : NULL; j; j = j->next)
		if (j->n_parts > 1)
			job_sort_partitions(j);
	if (what & PART_EDIT_SHAPE && controller_reshapable(c, NULL)) {
		controller_reshape(c, NULL, c->cl->n_nodes, license_kinds(c->cl));
		return;
	}
	c->counter++;
	c->part_changes++;
	c->config_version++;
	ctl_touch(c);
}

/* Nothing of P but what SET says; a text equal to what there is changes nothing, and needs nothing. */
static uint32_t changed(const struct partition *p, const struct part_edit *e)
{
	uint32_t what = e->what;
	bool same = bitset_equal(p->nodes, e->p->nodes);
	if (same)
		what &= ~(uint32_t)PART_EDIT_NODES;
	if (same && p->oversubscribe == e->p->oversubscribe && p->max_share == e->p->max_share && p->exclusive_user == e->p->exclusive_user &&
	    p->exclusive_topo == e->p->exclusive_topo && p->power_down_on_idle == e->p->power_down_on_idle)
		what &= ~(uint32_t)PART_EDIT_SHAPE;
	return what;
}

bool controller_set_partition(struct controller *c, const char *name, const struct setting *set, guint n, usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct partition *p = cluster_find_partition(c->cl, name);
	if (!p)
		return REFUSE("Invalid partition name specified");
	struct part_edit e = {.p = cluster_partition_copy(c->cl, p)};
	bool ok = part_edit(&e, set, n, (int)c->p->version, error) && resolve(c, &e, error);
	uint32_t what = ok ? changed(p, &e) : 0;
	ok = ok && (!(what & PART_EDIT_SHAPE) || controller_reshapable(c, error));
	if (!ok) {
		cluster_partition_free(e.p);
		return false;
	}
	if (what & PART_EDIT_NODES)
		e.p->nodes_changed = true;
	if (what & PART_EDIT_QOS && e.p->qos != p->qos)
		limits_partition_qos(c, p, e.p->qos);
	cluster_partition_exchange(p, e.p);
	follow(c, p, what);
	return true;
}

bool controller_update_partition(struct controller *c, const char *partition, const char *key, const char *value, usec_t now, GError **error)
{
	const struct setting one = {key, value};
	return controller_set_partition(c, partition, &one, 1, now, error);
}

bool controller_create_partition(struct controller *c, const char *name, const struct setting *set, guint n, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (!*name || cluster_find_partition(c->cl, name))
		return REFUSE("Invalid partition name specified");
	struct cluster *apart = cluster_new(c->p->version);
	struct part_edit e = {.p = cluster_partition_copy(c->cl, cluster_add_partition(apart, name)), .what = PART_EDIT_NODES};
	e.p->min_nodes = 1;
	bool ok = part_edit(&e, set, n, (int)c->p->version, error);
	e.what |= PART_EDIT_NODES;
	ok = ok && resolve(c, &e, error) && controller_reshapable(c, error);
	cluster_free(apart);
	if (!ok) {
		cluster_partition_free(e.p);
		return false;
	}
	struct partition *p = cluster_add_partition(c->cl, name);
	uint32_t index = p->index;
	const struct topology *topology = cluster_find_topology(c->cl, NULL);
	e.p->topology = topology && topology->kind != TOPOLOGY_FLAT ? topology : NULL;
	cluster_partition_exchange(p, e.p);
	p->index = index;
	follow(c, p, PART_EDIT_DEFAULT | PART_EDIT_SHAPE);
	return true;
}

static bool names(const struct job *j, const struct partition *p)
{
	if (j->state != JOB_PENDING)
		return j->part == p;
	for (uint32_t k = 0; k < j->n_parts; k++)
		if (j->parts[k].part == p)
			return true;
	return false;
}

bool controller_delete_partition(struct controller *c, const char *name, usec_t now, GError **error)
{
	ctl_enter(c, now);
	struct partition *p = cluster_find_partition(c->cl, name);
	if (!p)
		return REFUSE("Invalid partition name specified");
	const struct job *lists[] = {c->pending.head, c->running.head};
	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		for (const struct job *j = lists[i]; j; j = j->next)
			if (names(j, p))
				return REFUSE("Partition is in use");
	if (!controller_reshapable(c, error))
		return false;
	cluster_partition_retire(c->cl, p);
	controller_reshape(c, NULL, c->cl->n_nodes, license_kinds(c->cl));
	return true;
}
