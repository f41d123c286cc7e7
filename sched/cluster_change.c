/* cluster_change.c - a cluster whose nodes and partitions come, go or change while it is in use; see cluster.h */
#include "sched/acct.h"
#include "sched/cluster.h"

#include <string.h>

/* ---- configuration records of their own ---- */

static struct gres_group copy_group(const struct gres_group *g, uint32_t n_devices)
{
	struct gres_group out = *g;
	out.type = g_strdup(g->type);
	out.cores = g->cores ? bitset_copy(g->cores) : NULL;
	out.links = g->links ? g_memdup2(g->links, n_devices * sizeof *g->links) : NULL;
	out.sockets = g->sockets ? bitset_copy(g->sockets) : NULL;
	out.restricted = g->restricted ? bitset_copy(g->restricted) : NULL;
	return out;
}

static struct node_gres copy_gres(const struct node_gres *g)
{
	struct node_gres out = *g;
	out.name = g_strdup(g->name);
	out.group = g_new(struct gres_group, g->n_groups + 1);
	out.per_device = g->per_device ? g_memdup2(g->per_device, g->n_devices * sizeof *g->per_device) : NULL;
	for (uint32_t i = 0; i < g->n_groups; i++)
		out.group[i] = copy_group(&g->group[i], g->count);
	return out;
}

/* A record like K for NODES, which leave K. */
static void split_config(struct cluster *c, struct node_config *k, const struct bitset *nodes)
{
	struct node_config *fresh = cluster_add_config(c), mine = *fresh;
	*fresh = *k;
	fresh->index = mine.index;
	g_strfreev(mine.features);
	g_free(mine.gres_text);
	fresh->spec_cores = k->spec_cores ? bitset_copy(k->spec_cores) : NULL;
	fresh->restricted = k->restricted ? bitset_copy(k->restricted) : NULL;
	fresh->features = g_strdupv(k->features);
	fresh->active = g_strdupv(k->active);
	fresh->gres_text = g_strdup(k->gres_text);
	fresh->gres_shown = g_strdup(k->gres_shown);
	fresh->gres = k->n_gres ? g_new(struct node_gres, k->n_gres) : NULL;
	for (uint32_t i = 0; i < k->n_gres; i++)
		fresh->gres[i] = copy_gres(&k->gres[i]);
	fresh->nodes = bitset_copy(k->nodes);
	bitset_and(fresh->nodes, nodes);
	bitset_andnot(k->nodes, nodes);
	int64_t i;
	for (BITSET_EACH(i, fresh->nodes))
		c->node[i]->config = fresh;
}

void cluster_split_configs(struct cluster *c, const struct bitset *nodes)
{
	for (guint i = 0, n = c->configs->len; i < n; i++) {
		struct node_config *k = c->configs->pdata[i];
		uint32_t here = bitset_count_and(k->nodes, nodes);
		if (here && here < bitset_count(k->nodes))
			split_config(c, k, nodes);
	}
}

/* ---- one partition ---- */

struct partition *cluster_partition_copy(const struct cluster *c, const struct partition *p)
{
	struct partition *out = g_memdup2(p, sizeof *p);
	out->name = NULL;
	out->nodes = p->nodes ? bitset_copy(p->nodes) : NULL;
	out->nodes_text = g_strdup(p->nodes_text);
	out->qos_name = g_strdup(p->qos_name);
	out->allow_accounts = g_strdupv(p->allow_accounts);
	out->deny_accounts = g_strdupv(p->deny_accounts);
	out->allow_qos = g_strdupv(p->allow_qos);
	out->deny_qos = g_strdupv(p->deny_qos);
	out->allow_groups = g_strdupv(p->allow_groups);
	out->alloc_nodes = g_strdupv(p->alloc_nodes);
	out->billing_weights = p->billing_weights ? g_memdup2(p->billing_weights, c->tres->n * sizeof *p->billing_weights) : NULL;
	out->billing_text = g_strdup(p->billing_text);
	out->alternate = g_strdup(p->alternate);
	out->topology_name = g_strdup(p->topology_name);
	out->tres_total = NULL;
	return out;
}

void cluster_partition_exchange(struct partition *p, struct partition *copy)
{
	struct partition was = *p;
	*p = *copy;
	*copy = was;
	p->name = was.name;
	copy->name = NULL;
	cluster_partition_free(copy);
}

void cluster_partitions_changed(struct cluster *c)
{
	c->default_partition = NULL;
	for (guint i = 0; i < c->partitions->len; i++) {
		struct partition *p = c->partitions->pdata[i];
		c->max_job_factor = MAX(c->max_job_factor, p->priority_job_factor);
		if (p->is_default)
			c->default_partition = p;
	}
}

/* ---- another file's cluster ---- */

static void keep_gone(GPtrArray **list, GDestroyNotify gone, void *what)
{
	if (!*list)
		*list = g_ptr_array_new_with_free_func(gone);
	g_ptr_array_add(*list, what);
}

/* Nodes that stay keep their record, which stands for the fresh one in the fresh table. */
static void exchange_nodes(struct cluster *c, struct cluster *fresh, uint32_t *to)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		struct node *n = c->node[i], *f = cluster_find_node(fresh, n->name);
		to[i] = f ? f->index : UINT32_MAX;
		if (!f) {
			n->config = NULL;
			n->base = NODE_UNKNOWN;
			keep_gone(&c->gone_nodes, cluster_node_free, n);
			continue;
		}
		n->index = f->index;
		n->rank = f->rank;
		n->config = f->config;
		n->suspend_time = f->suspend_time;
		fresh->node[f->index] = n;
		c->node[left++] = f; /* goes with FRESH */
	}
	c->n_nodes = left;
	struct node **nodes = c->node;
	c->node = fresh->node;
	fresh->node = nodes;
	c->n_nodes = fresh->n_nodes;
	fresh->n_nodes = left;
	g_hash_table_remove_all(fresh->node_by_name);
	g_hash_table_remove_all(c->node_by_name);
	for (uint32_t i = 0; i < c->n_nodes; i++)
		g_hash_table_insert(c->node_by_name, c->node[i]->name, c->node[i]);
}

void cluster_partition_retire(struct cluster *c, struct partition *p)
{
	bitset_free(p->nodes);
	p->nodes = bitset_new(c->n_nodes);
	p->topology = NULL;
	p->total_nodes = p->total_cpus = 0;
	keep_gone(&c->gone_partitions, cluster_partition_free, p);
	guint i;
	if (!g_ptr_array_find(c->partitions, p, &i)) /* it goes with the others: cluster_exchange */
		return;
	g_ptr_array_steal_index(c->partitions, i);
	for (; i < c->partitions->len; i++)
		((struct partition *)c->partitions->pdata[i])->index = i;
	g_hash_table_remove(c->partition_by_name, p->name);
	cluster_partitions_changed(c);
}

static void exchange_partitions(struct cluster *c, struct cluster *fresh)
{
	GPtrArray *now = fresh->partitions, *was = c->partitions;
	for (guint i = 0; i < was->len; i++) {
		struct partition *p = was->pdata[i], *f = cluster_find_partition(fresh, p->name);
		if (!f) {
			was->pdata[i] = NULL;
			cluster_partition_retire(c, p);
			continue;
		}
		struct partition old = *p;
		*p = *f;
		*f = old;
		f->name = p->name;
		p->name = old.name;
		now->pdata[p->index] = p;
		was->pdata[i] = f;
		if (fresh->default_partition == f)
			fresh->default_partition = p;
	}
	guint left = 0;
	for (guint i = 0; i < was->len; i++)
		if (was->pdata[i])
			was->pdata[left++] = was->pdata[i];
	was->len = left; /* nothing is freed here */
	c->partitions = now;
	fresh->partitions = was;
	c->default_partition = fresh->default_partition;
	c->max_job_factor = fresh->max_job_factor;
	g_hash_table_remove_all(fresh->partition_by_name);
	g_hash_table_remove_all(c->partition_by_name);
	for (guint i = 0; i < now->len; i++) {
		struct partition *p = now->pdata[i];
		g_hash_table_insert(c->partition_by_name, p->name, p);
		p->qos = p->qos_name && c->acct ? acct_find_qos(c->acct, p->qos_name) : NULL;
	}
}

/* Kinds of licences come, but do not go: one that is in the new file no more has none left. */
static void take_licenses(struct cluster *c, struct cluster *fresh)
{
	for (guint i = 0; i < c->licenses->len; i++)
		((struct license *)c->licenses->pdata[i])->total = 0;
	for (guint i = 0; i < fresh->licenses->len; i++) {
		struct license *f = fresh->licenses->pdata[i], *mine = NULL;
		for (guint k = 0; k < c->licenses->len && !mine; k++)
			if (strcmp(((struct license *)c->licenses->pdata[k])->name, f->name) == 0)
				mine = c->licenses->pdata[k];
		if (!mine) {
			mine = g_new0(struct license, 1);
			mine->name = g_strdup(f->name);
			g_ptr_array_add(c->licenses, mine);
		}
		mine->total = f->total;
	}
}

#define SWAP(type, a, b)                                                                                               \
	do {                                                                                                           \
		type swap_ = (a);                                                                                      \
		(a) = (b);                                                                                             \
		(b) = swap_;                                                                                           \
	} while (0)

void cluster_exchange(struct cluster *c, struct cluster *fresh, uint32_t *to)
{
	SWAP(GPtrArray *, c->topologies, fresh->topologies);
	exchange_nodes(c, fresh, to);
	SWAP(GPtrArray *, c->configs, fresh->configs);
	exchange_partitions(c, fresh);
	take_licenses(c, fresh);
	SWAP(uint32_t, c->total_cpus, fresh->total_cpus);
	for (guint t = 0; t < c->topologies->len; t++) {
		struct topology *topology = c->topologies->pdata[t];
		for (guint u = 0; u < topology->units->len; u++) {
			GPtrArray *members = topology_unit(topology, u)->members;
			for (guint m = 0; members && m < members->len; m++)
				members->pdata[m] = c->node[((const struct node *)members->pdata[m])->index];
		}
	}
}
