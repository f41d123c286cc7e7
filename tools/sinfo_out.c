/* sinfo_out.c - see sinfo_out.h. */
#include "tools/sinfo_out.h"
#include "tools/cells.h"
#include <string.h>

struct group { /* the nodes of a partition that are in one state */
	const char *state;
	uint32_t rank;
	struct bitset *nodes;
};

static bool partition_shown(const struct sinfo_options *o, const struct partition *p)
{
	return in_list(o->partitions, p->name) && (o->all || !p->hidden);
}

static char *partition_label(const struct partition *p)
{
	return g_strconcat(p->name, p->is_default ? "*" : "", NULL);
}

/* PARTITION is as wide as the longest name that is printed, at least 9. */
static size_t partition_width(const struct cluster *cluster, const struct sinfo_options *o)
{
	size_t width = 9;

	for (guint i = 0; i < cluster->partitions->len; i++) {
		const struct partition *p = cluster->partitions->pdata[i];

		if (partition_shown(o, p))
			width = MAX(width, strlen(p->name) + p->is_default);
	}
	return width;
}

/* The raw state number's order, highest first: flags outweigh the base state (default sort "#P,-t"). */
static uint32_t state_rank(const struct controller *c, const struct node *n)
{
	static const uint32_t FLAGS[] = {NODE_PLANNED,        NODE_REBOOT_REQUESTED, NODE_MAINT, NODE_FAIL,
	                                 NODE_NOT_RESPONDING, NODE_COMPLETING,       NODE_DRAIN, NODE_RESERVED};
	const struct node_use *use = usage_node(controller_usage(c), n->index);
	uint32_t flags = n->flags | (use->completing ? NODE_COMPLETING : 0), rank = 0;
	uint16_t usable = n->config->cores;

	if (n->config->spec_cores)
		usable -= (uint16_t)bitset_count(n->config->spec_cores);
	for (size_t i = 0; i < G_N_ELEMENTS(FLAGS); i++)
		rank = rank * 2 + ((flags & FLAGS[i]) != 0);
	rank *= 8;
	if (n->base == NODE_DOWN || n->base == NODE_UNKNOWN || n->base == NODE_FUTURE)
		return rank + (n->base == NODE_DOWN);
	return rank + (use->cores >= usable ? 3 : use->cores || use->cpus ? 4 : 2);
}

static void group_free(void *group)
{
	struct group *g = group;

	bitset_free(g->nodes);
	g_free(g);
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = *(struct group *const *)a, *y = *(struct group *const *)b;

	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return bitset_first(x->nodes) < bitset_first(y->nodes) ? -1 : 1; /* groups share no node */
}

static struct group *group_of(GPtrArray *groups, const char *state, uint32_t n_nodes)
{
	struct group *g;

	for (guint i = 0; i < groups->len; i++) {
		g = groups->pdata[i];
		if (strcmp(g->state, state) == 0)
			return g;
	}
	g = g_new0(struct group, 1);
	g->state = state;
	g->nodes = bitset_new(n_nodes);
	g_ptr_array_add(groups, g);
	return g;
}

static GPtrArray *group_nodes(const struct controller *c, const struct partition *p)
{
	const struct cluster *cluster = controller_cluster(c);
	GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);
	int64_t i;

	for (BITSET_EACH(i, p->nodes)) {
		const struct node *n = cluster->node[i];
		struct group *g = group_of(groups, controller_node_state(c, n, true), cluster->n_nodes);

		g->rank = MAX(g->rank, state_rank(c, n));
		bitset_set(g->nodes, (uint32_t)i);
	}
	g_ptr_array_sort(groups, compare_groups);
	return groups;
}

static void print_group(FILE *out, const struct cluster *cluster, const struct partition *p, size_t width,
                        const struct group *g)
{
	static const char *const AVAILABLE[] = {
	    [PART_UP] = "up", [PART_DOWN] = "down", [PART_DRAIN] = "drain", [PART_INACTIVE] = "inact"};
	GString *line = g_string_new(NULL);
	char *label = partition_label(p), *count = cell_count(g ? bitset_count(g->nodes) : 0);
	char *limit =
	    p->max_time == INFINITE ? g_strdup("infinite") : duration_format_squeue((int64_t)p->max_time * 60);
	char *nodes = g ? cluster_format_nodes(cluster, g->nodes) : g_strdup("");
	const struct {
		size_t width;
		const char *text;
	} cells[] = {{5, AVAILABLE[p->state]}, {10, limit}, {6, count}, {6, g ? g->state : "n/a"}};

	cell_left(line, width, label);
	for (size_t i = 0; i < G_N_ELEMENTS(cells); i++) {
		g_string_append_c(line, ' ');
		cell_right(line, cells[i].width, cells[i].text);
	}
	fprintf(out, "%s %s\n", line->str, nodes);
	g_string_free(line, TRUE);
	g_free(label);
	g_free(count);
	g_free(limit);
	g_free(nodes);
}

static void print_partition(FILE *out, const struct controller *c, const struct partition *p, size_t width)
{
	GPtrArray *groups = group_nodes(c, p);

	if (!groups->len)
		print_group(out, controller_cluster(c), p, width, NULL);
	for (guint i = 0; i < groups->len; i++)
		print_group(out, controller_cluster(c), p, width, groups->pdata[i]);
	g_ptr_array_unref(groups);
}

static void print_by_partition(FILE *out, const struct controller *c, const struct sinfo_options *o)
{
	const struct cluster *cluster = controller_cluster(c);
	size_t width = partition_width(cluster, o);

	if (!o->no_header)
		fprintf(out, "%-*s AVAIL  TIMELIMIT  NODES  STATE NODELIST\n", (int)width, "PARTITION");
	for (guint i = 0; i < cluster->partitions->len; i++)
		if (partition_shown(o, cluster->partitions->pdata[i]))
			print_partition(out, c, cluster->partitions->pdata[i], width);
}

static void print_node(FILE *out, const struct controller *c, const struct node *n, const struct partition *p,
                       size_t node_width, size_t width)
{
	GString *line = g_string_new(NULL);
	char *label = partition_label(p);

	cell_left(line, node_width, n->name);
	g_string_append_c(line, ' ');
	cell_right(line, 6, "1");
	g_string_append_c(line, ' ');
	cell_right(line, width, label);
	g_string_append_c(line, ' ');
	cell_left(line, 6, controller_node_state(c, n, true));
	fprintf(out, "%s\n", line->str);
	g_string_free(line, TRUE);
	g_free(label);
}

static void print_by_node(FILE *out, const struct controller *c, const struct sinfo_options *o)
{
	const struct cluster *cluster = controller_cluster(c);
	size_t node_width = 9, width = partition_width(cluster, o);

	for (uint32_t i = 0; i < cluster->n_nodes; i++)
		node_width = MAX(node_width, strlen(cluster->node[i]->name));
	if (!o->no_header)
		fprintf(out, "%-*s  NODES %*s STATE \n", (int)node_width, "NODELIST", (int)width, "PARTITION");
	for (uint32_t i = 0; i < cluster->n_nodes; i++)
		for (guint k = 0; k < cluster->partitions->len; k++) {
			const struct partition *p = cluster->partitions->pdata[k];

			if (partition_shown(o, p) && bitset_test(p->nodes, i))
				print_node(out, c, cluster->node[i], p, node_width, width);
		}
}

void sinfo_print(FILE *out, const struct controller *c, const struct sinfo_options *o)
{
	if (o->by_node)
		print_by_node(out, c, o);
	else
		print_by_partition(out, c, o);
}
