/* cluster.c - nodes, configuration records and partitions; see cluster.h. */
#include "sched/cluster.h"
#include "sched/acct.h"
#include "sched/cores.h"
#include "sched/gres_cores.h"
#include "sched/base/diag.h"
#include "sched/base/hostlist.h"
#include <string.h>

void node_gres_clear_groups(struct node_gres *g)
{
	for (uint32_t i = 0; i < g->n_groups; i++) {
		g_free(g->group[i].type);
		bitset_free(g->group[i].cores);
		g_free(g->group[i].links);
		bitset_free(g->group[i].sockets);
		bitset_free(g->group[i].restricted);
	}
	g->n_groups = g->n_devices = 0;
	g_clear_pointer(&g->per_device, g_free);
}

static void node_gres_clear(struct node_gres *g)
{
	node_gres_clear_groups(g);
	g_free(g->group);
	g_free(g->name);
}

static void config_free(void *data)
{
	struct node_config *config = data;

	bitset_free(config->spec_cores);
	bitset_free(config->restricted);
	g_strfreev(config->features);
	g_strfreev(config->active);
	g_free(config->gres_shown);
	for (uint32_t i = 0; i < config->n_gres; i++)
		node_gres_clear(&config->gres[i]);
	g_free(config->gres);
	g_free(config->gres_text);
	bitset_free(config->nodes);
	g_free(config);
}

void cluster_node_free(void *data)
{
	struct node *n = data;

	g_free(n->name);
	g_free(n->reason);
	g_free(n->comment);
	g_free(n->extra);
	g_free(n->addr);
	g_free(n->host);
	g_free(n);
}

void cluster_partition_free(void *data)
{
	struct partition *p = data;

	g_free(p->name);
	bitset_free(p->nodes);
	g_free(p->nodes_text);
	g_free(p->qos_name);
	g_strfreev(p->allow_accounts);
	g_strfreev(p->deny_accounts);
	g_strfreev(p->allow_qos);
	g_strfreev(p->deny_qos);
	g_strfreev(p->allow_groups);
	g_strfreev(p->alloc_nodes);
	g_free(p->billing_weights);
	g_free(p->alternate);
	g_free(p->topology_name);
	g_free(p->billing_text);
	g_free(p->tres_total);
	g_free(p);
}

static void license_free(void *data)
{
	struct license *l = data;

	g_free(l->name);
	g_free(l);
}

struct cluster *cluster_new(enum slurm_version version)
{
	struct cluster *c = g_new0(struct cluster, 1);

	c->params = sched_params_new(version);
	c->tres = tres_table_new();
	c->configs = g_ptr_array_new_with_free_func(config_free);
	c->partitions = g_ptr_array_new_with_free_func(cluster_partition_free);
	c->licenses = g_ptr_array_new_with_free_func(license_free);
	c->topologies = g_ptr_array_new_with_free_func(topology_free);
	c->pending_nodes = g_ptr_array_new_with_free_func(cluster_node_free);
	c->node_by_name = g_hash_table_new(g_str_hash, g_str_equal);
	c->partition_by_name = g_hash_table_new(g_str_hash, g_str_equal);
	c->max_job_factor = 1;
	return c;
}

void cluster_free(struct cluster *c)
{
	if (c == NULL)
		return;
	g_hash_table_unref(c->node_by_name);
	g_hash_table_unref(c->partition_by_name);
	g_ptr_array_unref(c->pending_nodes);
	for (uint32_t i = 0; i < c->n_nodes; i++)
		cluster_node_free(c->node[i]);
	g_free(c->node);
	g_ptr_array_unref(c->partitions);
	if (c->gone_nodes)
		g_ptr_array_unref(c->gone_nodes);
	if (c->gone_partitions)
		g_ptr_array_unref(c->gone_partitions);
	g_ptr_array_unref(c->configs);
	g_ptr_array_unref(c->licenses);
	g_ptr_array_unref(c->topologies);
	if (c->groups)
		g_hash_table_unref(c->groups);
	acct_free(c->acct);
	sched_params_free(c->params);
	tres_table_free(c->tres);
	g_free(c);
}

uint32_t node_config_usable(const struct node_config *k)
{
	return k->cpus - (k->spec_cores ? bitset_count(k->spec_cores) * k->cpus_per_core : 0);
}

struct node_config *cluster_add_config(struct cluster *c)
{
	struct node_config *config = g_new0(struct node_config, 1);

	config->index = c->configs->len;
	config->weight = 1;
	config->features = g_new0(char *, 1);
	config->gres_text = g_strdup("");
	g_ptr_array_add(c->configs, config);
	return config;
}

struct node *cluster_add_node(struct cluster *c, const char *name, struct node_config *config)
{
	struct node *n = g_new0(struct node, 1);

	n->name = g_strdup(name);
	n->config = config;
	n->base = NODE_IDLE;
	n->suspend_time = NO_VAL;
	g_ptr_array_add(c->pending_nodes, n);
	if (!g_hash_table_contains(c->node_by_name, n->name)) /* cluster_finish reports the second one */
		g_hash_table_insert(c->node_by_name, n->name, n);
	return n;
}

struct partition *cluster_add_partition(struct cluster *c, const char *name)
{
	struct partition *p = g_new0(struct partition, 1);

	p->name = g_strdup(name);
	p->index = c->partitions->len;
	p->state = PART_UP;
	p->max_time = INFINITE;
	p->default_time = NO_VAL;
	p->max_nodes = INFINITE;
	p->max_cpus_per_node = p->max_cpus_per_socket = INFINITE;
	p->def_mem = p->max_mem = NO_VAL64;
	p->priority_tier = p->priority_job_factor = 1;
	p->oversubscribe = OVERSUB_NO;
	p->max_share = 1;
	p->over_time_limit = NO_VAL;
	p->suspend_time = p->suspend_timeout = p->resume_timeout = NO_VAL;
	p->preempt_mode = PREEMPT_MODE_UNSET;
	g_ptr_array_add(c->partitions, p);
	if (!g_hash_table_contains(c->partition_by_name, p->name))
		g_hash_table_insert(c->partition_by_name, p->name, p);
	return p;
}

struct node *cluster_find_node(const struct cluster *c, const char *name)
{
	return g_hash_table_lookup(c->node_by_name, name);
}

struct partition *cluster_find_partition(const struct cluster *c, const char *name)
{
	return g_hash_table_lookup(c->partition_by_name, name);
}

struct bitset *cluster_parse_nodes(const struct cluster *c, const char *hostlist, GError **error)
{
	GPtrArray *names = hostlist_expand(hostlist, error);

	if (names == NULL)
		return NULL;
	struct bitset *set = bitset_new(c->n_nodes);

	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		const struct node *n = cluster_find_node(c, name);

		if (n != NULL) {
			bitset_set(set, n->index);
			continue;
		}
		g_set_error(error, HOSTLIST_ERROR, 0, "unknown node \"%s\"; want a NodeName of slurm.conf", name);
		bitset_free(set);
		set = NULL;
		break;
	}
	g_ptr_array_unref(names);
	return set;
}

char *cluster_format_nodes(const struct cluster *c, const struct bitset *nodes)
{
	const char **names = g_new(const char *, bitset_count(nodes) + 1);
	gsize n = 0;
	int64_t i;

	for (BITSET_EACH(i, nodes))
		names[n++] = c->node[i]->name;
	char *text = hostlist_compress(names, n);

	g_free(names);
	return text;
}

/* Sum of the groups of TYPE (NULL: all) of the GRES NAME[0..name_len) compared by EQUAL. */
static uint32_t count_gres(const struct node_config *config, const char *name, size_t name_len, const char *type,
                           int (*compare)(const char *, const char *))
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < config->n_gres; i++) {
		const struct node_gres *g = &config->gres[i];

		if (strlen(g->name) != name_len || strncmp(g->name, name, name_len) != 0)
			continue;
		if (type == NULL)
			n += g->count;
		for (uint32_t k = 0; type != NULL && k < g->n_groups; k++)
			if (g->group[k].type != NULL && compare(g->group[k].type, type) == 0)
				n += g->group[k].count;
	}
	return n;
}

uint32_t node_config_gres(const struct node_config *config, const char *name, const char *type)
{
	return count_gres(config, name, strlen(name), type, strcmp);
}

bool node_available(const struct node *n)
{
	/* C53 */
	if (n->base == NODE_DOWN || n->base == NODE_FUTURE || n->base == NODE_UNKNOWN)
		return false;
	return (n->flags & (NODE_DRAIN | NODE_FAIL | NODE_NOT_RESPONDING | NODE_POWERING_DOWN | NODE_POWER_DOWN | NODE_INVALID_REG)) == 0;
}

/* ---- cluster_finish ---- */

static gint by_name(gconstpointer a, gconstpointer b)
{
	const struct node *const *x = a, *const *y = b;

	if ((*x)->rank != (*y)->rank) /* nodes that no unit ranks come last */
		return (*x)->rank - 1 < (*y)->rank - 1 ? -1 : 1;
	return hostlist_name_cmp((*x)->name, (*y)->name);
}

struct topology *cluster_find_topology(const struct cluster *c, const char *name)
{
	for (guint i = 0; i < c->topologies->len; i++) {
		struct topology *t = g_ptr_array_index(c->topologies, i);
		if (name == NULL || strcmp(t->name, name) == 0)
			return t;
	}
	return NULL;
}

/* N1: the table in natural name order, within the ranks if there are any; then indexes and the node sets of the configuration records. */
static void make_node_table(struct cluster *c, struct diag *d)
{
	g_ptr_array_sort(c->pending_nodes, by_name);
	c->n_nodes = c->pending_nodes->len;
	c->node = g_new(struct node *, c->n_nodes);
	for (guint i = 0; i < c->configs->len; i++) {
		struct node_config *config = g_ptr_array_index(c->configs, i);
		bitset_free(config->nodes);
		config->nodes = bitset_new(c->n_nodes);
	}
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		struct node *n = c->node[i] = g_ptr_array_index(c->pending_nodes, i);

		n->index = i;
		bitset_set(n->config->nodes, i);
		c->total_cpus += n->config->cpus;
		if (cluster_find_node(c, n->name) != n)
			diag_error(d, NULL, 0, 0, "define each node once", "Duplicated NodeName %s", n->name);
	}
	/* The table owns the nodes now. */
	g_ptr_array_set_free_func(c->pending_nodes, NULL);
	g_ptr_array_set_size(c->pending_nodes, 0);
	g_ptr_array_set_free_func(c->pending_nodes, cluster_node_free);
}

/* N62: devices whose cores touch every socket, or that have no cores, are of any socket. 22.05 counts devices near several but not all
 * sockets on the first of them only. */
static void find_sockets(const struct cluster *c, const struct node_config *k, struct gres_group *g)
{
	bitset_free(g->sockets);
	g->sockets = NULL;
	if (!g->cores || k->sockets > SOCKETS_MAX)
		return;
	g->sockets = bitset_new(k->sockets);
	for (uint32_t s = 0; s < k->sockets; s++)
		if (cores_on_socket(g->cores->word, k, s))
			bitset_set(g->sockets, s);
	uint32_t n = bitset_count(g->sockets);
	if (n == k->sockets && !k->restricted) {
		bitset_free(g->sockets);
		g->sockets = NULL;
	} else if (n > 1 && n < k->sockets && c->params->version == SLURM_22_05) {
		bitset_set_range(g->sockets, 0, k->sockets - 1);
		for (uint32_t s = 0; s < k->sockets; s++)
			if (s != (uint32_t)bitset_first(g->cores) / k->cores_per_socket)
				bitset_clear(g->sockets, s);
	}
}

/* N71: where the shares of a configuration's GPUs stand in a struct usage. */
static void place_shares(struct node_config *k)
{
	k->n_shares = 0;
	for (uint32_t g = 0; g < k->n_gres; g++)
		if (k->gres[g].per_device) {
			k->gres[g].share_first = k->n_shares;
			k->n_shares += k->gres[g].n_devices;
		}
}

static void map_config(const struct cluster *c, struct node_config *k)
{
	place_shares(k);
	for (uint32_t g = 0; g < k->n_gres; g++)
		for (uint32_t n = 0; n < k->gres[g].n_groups; n++)
			find_sockets(c, k, &k->gres[g].group[n]);
}

static void map_devices(const struct cluster *c)
{
	for (guint i = 0; i < c->configs->len; i++)
		map_config(c, g_ptr_array_index(c->configs, i));
}

void cluster_config_changed(const struct cluster *c, struct node_config *k)
{
	if (!k->restricted_cores_per_gpu) {
		bitset_free(k->restricted);
		k->restricted = NULL;
	}
	map_config(c, k);
}

/* Nodes= of a partition; "ALL" in any case is every node. */
static void resolve_nodes(const struct cluster *c, struct partition *p, struct diag *d)
{
	GError *error = NULL;

	if (p->nodes != NULL)
		return;
	p->nodes = bitset_new(c->n_nodes);
	GPtrArray *names = hostlist_expand(p->nodes_text != NULL ? p->nodes_text : "", &error);

	if (names == NULL) {
		diag_error(d, NULL, 0, 0, NULL, "partition %s: %s", p->name, error->message);
		g_error_free(error);
		return;
	}
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		const struct node *n = cluster_find_node(c, name);

		if (g_ascii_strcasecmp(name, "ALL") == 0)
			bitset_set_all(p->nodes);
		else if (n != NULL)
			bitset_set(p->nodes, n->index);
		else
			diag_error(d, NULL, 0, 0, "want a NodeName, a NodeSet or ALL",
			           "Invalid node names in partition %s: unknown node \"%s\"", p->name, name);
	}
	g_ptr_array_unref(names);
}

static void resolve_qos(const struct cluster *c, struct partition *p, struct diag *d)
{
	if (p->qos_name == NULL || c->acct == NULL)
		return;
	p->qos = acct_find_qos(c->acct, p->qos_name);
	if (p->qos == NULL)
		diag_error(d, NULL, 0, 0, "want a QOS of the accounting file", "partition %s: unknown QOS \"%s\"",
		           p->name, p->qos_name);
}

/* The count of TRES kind I ("gres/gpu", "gres/gpu:h100") on a node of CONFIG. TRES names are in lower case. */
uint64_t cluster_tres_on_node(const struct cluster *c, uint32_t i, const struct node_config *config)
{
	const char *name = c->tres->name[i];

	switch (i) {
	case TRES_CPU:
		return config->cpus;
	case TRES_MEM:
		return config->real_memory;
	case TRES_NODE:
		return 1;
	}
	if (!g_str_has_prefix(name, "gres/"))
		return 0;
	name += strlen("gres/");
	const char *colon = strchr(name, ':');

	return count_gres(config, name, colon ? (size_t)(colon - name) : strlen(name), colon ? colon + 1 : NULL,
	                  g_ascii_strcasecmp);
}

/* P41 applied to the partition's totals. */
static uint64_t billing_total(const struct cluster *c, const struct partition *p)
{
	double sum = 0, most = 0;
	uint32_t flags = c->params->priority_flags;

	if (p->billing_weights == NULL)
		return p->tres_total[TRES_CPU];
	for (uint32_t i = 0; i < c->tres->n; i++) {
		double v = (double)p->tres_total[i] * p->billing_weights[i];
		bool base = i == TRES_CPU || i == TRES_MEM || i == TRES_NODE;
		bool gres = g_str_has_prefix(c->tres->name[i], "gres/");

		if (i == TRES_BILLING)
			continue;
		if ((flags & (PRIO_MAX_TRES | PRIO_MAX_TRES_GRES) && base) || (flags & PRIO_MAX_TRES && gres))
			most = MAX(most, v);
		else
			sum += v;
	}
	sum += most;
	return sum >= 1 ? (uint64_t)MIN(sum, 9e18) : 0;
}

/* P19: sums over the nodes; licenses are cluster-wide. */
static void make_totals(const struct cluster *c, struct partition *p)
{
	uint64_t *total = g_new0(uint64_t, TRES_MAX);

	for (guint k = 0; k < c->configs->len; k++) {
		const struct node_config *config = g_ptr_array_index(c->configs, k);
		uint64_t nodes = bitset_count_and(config->nodes, p->nodes);

		for (uint32_t i = 0; nodes > 0 && i < c->tres->n; i++)
			total[i] += nodes * cluster_tres_on_node(c, i, config);
	}
	for (guint k = 0; k < c->licenses->len; k++) {
		const struct license *l = g_ptr_array_index(c->licenses, k);
		char *name = g_strconcat("license/", l->name, NULL);
		int i = tres_find(c->tres, name);

		if (i >= 0)
			total[i] = l->total;
		g_free(name);
	}
	g_free(p->tres_total);
	p->tres_total = total;
	p->total_nodes = (uint32_t)total[TRES_NODE];
	p->total_cpus = (uint32_t)total[TRES_CPU];
	total[TRES_BILLING] = billing_total(c, p);
}

void cluster_partition_changed(struct cluster *c, struct partition *p)
{
	make_totals(c, p);
}

static void finish_partition(struct cluster *c, struct partition *p, struct diag *d)
{
	if (cluster_find_partition(c, p->name) != p)
		diag_error(d, NULL, 0, 0, "define each partition once", "Duplicated PartitionName %s", p->name);
	resolve_nodes(c, p, d);
	resolve_qos(c, p, d);
	const struct topology *topology = cluster_find_topology(c, p->topology_name);
	p->topology = topology != NULL && topology->kind != TOPOLOGY_FLAT ? topology : NULL;
	make_totals(c, p);
	c->max_job_factor = MAX(c->max_job_factor, p->priority_job_factor); /* P16 */
	if (p->is_default)
		c->default_partition = p; /* the last one wins */
}

gboolean cluster_finish(struct cluster *c, GError **error)
{
	struct diag *d = diag_new();

	make_node_table(c, d);
	restricted_find(c);
	map_devices(c);
	for (guint i = 0; i < c->topologies->len; i++)
		topology_finish(g_ptr_array_index(c->topologies, i), c->n_nodes);
	if (c->n_nodes == 0)
		diag_error(d, NULL, 0, 0, "want at least one NodeName line", "the cluster has no nodes");
	if (c->partitions->len == 0)
		diag_error(d, NULL, 0, 0, "want at least one PartitionName line", "the cluster has no partitions");
	for (guint i = 0; i < c->partitions->len; i++)
		finish_partition(c, g_ptr_array_index(c->partitions, i), d);
	gboolean ok = diag_ok(d, error);

	diag_free(d);
	return ok;
}
