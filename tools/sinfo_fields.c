/* sinfo_fields.c - see sinfo_fields.h */
#include "tools/sinfo_fields.h"
#include "sched/reservation.h"
#include "sim/placement.h"
#include "tools/cells.h"
#include "tools/show.h"
#include <string.h>

typedef char *cell_fn(const struct job_view *v, const struct sinfo_row *r);
#define CELL(name) static char *name(const struct job_view *v, const struct sinfo_row *r)
#define UNUSED (void)v, (void)r

/* The raw state number's order, highest first: flags outweigh the base state. */
uint32_t sinfo_state_rank(const struct controller *c, const struct node *n)
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

static const struct node *first_node(const struct job_view *v, const struct sinfo_row *r)
{
	int64_t first = bitset_first(r->nodes);

	return first < 0 ? NULL : controller_cluster(v->c)->node[first];
}

static const struct partition *part(const struct sinfo_row *r)
{
	return r->part;
}

/* ---- of the partition ---- */

CELL(available)
{
	static const char *const WORDS[] = {
	    [PART_UP] = "up", [PART_DOWN] = "down", [PART_DRAIN] = "drain", [PART_INACTIVE] = "inact"};
	UNUSED;
	return g_strdup(WORDS[part(r)->state]);
}
static char *limit(uint32_t minutes)
{
	if (minutes == NO_VAL)
		return g_strdup("n/a");
	return minutes == INFINITE ? g_strdup("infinite") : duration_format_squeue((int64_t)minutes * 60);
}
CELL(time_limit)
{
	UNUSED;
	return limit(part(r)->max_time);
}
CELL(default_time)
{
	UNUSED;
	return limit(part(r)->default_time);
}
CELL(partition)
{
	UNUSED;
	return g_strconcat(part(r)->name, part(r)->is_default ? "*" : "", NULL);
}
CELL(partition_name)
{
	UNUSED;
	return g_strdup(part(r)->name);
}
CELL(size)
{
	UNUSED;
	uint32_t low = MAX(1, part(r)->min_nodes), high = part(r)->max_nodes;
	if (high == INFINITE)
		return g_strdup_printf("%u-infinite", low);
	return low == high ? g_strdup_printf("%u", low) : g_strdup_printf("%u-%u", low, high);
}
CELL(root)
{
	UNUSED;
	return g_strdup(part(r)->root_only ? "yes" : "no");
}
CELL(oversubscribe)
{
	UNUSED;
	return partition_oversubscribe(part(r));
}
CELL(groups)
{
	UNUSED;
	return part(r)->allow_groups ? g_strjoinv(",", part(r)->allow_groups) : g_strdup("all");
}
CELL(alloc_nodes)
{
	UNUSED;
	return part(r)->alloc_nodes ? g_strjoinv(",", part(r)->alloc_nodes) : g_strdup("all");
}
CELL(job_factor)
{
	UNUSED;
	return g_strdup_printf("%u", part(r)->priority_job_factor);
}
CELL(tier)
{
	UNUSED;
	return g_strdup_printf("%u", part(r)->priority_tier);
}
CELL(preempt)
{
	return partition_preempt_mode(v, part(r));
}
CELL(max_cpus)
{
	UNUSED;
	return part(r)->max_cpus_per_node == INFINITE ? g_strdup("UNLIMITED")
	                                              : g_strdup_printf("%u", part(r)->max_cpus_per_node);
}

/* ---- of the node ---- */

CELL(state)
{
	const struct node *n = first_node(v, r);
	return g_strdup(n ? controller_node_state(v->c, n, true) : "n/a");
}
CELL(state_long)
{
	const struct node *n = first_node(v, r);
	return g_strdup(n ? controller_node_state(v->c, n, false) : "n/a");
}
CELL(state_complete)
{
	const struct node *n = first_node(v, r);
	char *words = n ? node_state_words(v, n) : g_strdup("n/a"), *lower = g_ascii_strdown(words, -1);
	g_free(words);
	return lower;
}
CELL(features)
{
	const struct node *n = first_node(v, r);
	return n && n->config->features[0] ? g_strjoinv(",", n->config->features) : g_strdup("(null)");
}
CELL(active_features)
{
	const struct node *n = first_node(v, r);
	return n && config_active(n->config)[0] ? g_strjoinv(",", config_active(n->config)) : g_strdup("(null)");
}
CELL(gres)
{
	const struct node *n = first_node(v, r);
	char *text = n ? node_gres_configured(n) : NULL;
	return text ? text : g_strdup("(null)");
}
CELL(gres_used)
{
	const struct node *n = first_node(v, r);
	char *text = n ? placement_gres_used(controller_cluster(v->c), controller_usage(v->c), n->index) : g_strdup("");
	if (*text)
		return text;
	g_free(text);
	return g_strdup(v->v22 ? "gpu:0" : "(null)");
}
CELL(host)
{
	const struct node *n = first_node(v, r);
	return g_strdup(n ? n->name : "");
}
CELL(reason)
{
	const struct node *n = first_node(v, r);
	return g_strdup(n && n->reason ? n->reason : "none");
}
CELL(reason_user)
{
	const struct node *n = first_node(v, r);
	return g_strdup(n && n->reason ? "root" : "Unknown");
}
CELL(reason_user_long)
{
	const struct node *n = first_node(v, r);
	return g_strdup(n && n->reason ? "root(0)" : "Unknown");
}
CELL(reason_time)
{
	const struct node *n = first_node(v, r);
	return n && n->reason ? date_format(usec_to_sec(n->state_since), NULL) : g_strdup("Unknown");
}
CELL(reservation)
{
	const struct node *n = first_node(v, r);
	const struct reservation *resv = n ? node_reservation(v, n) : NULL;
	return g_strdup(resv ? resv->name : "");
}
CELL(version)
{
	UNUSED;
	return g_strdup(v->v22 ? "22.05.8" : "26.05.0");
}
/* Notes that nothing here can set. */
CELL(no_note)
{
	UNUSED;
	return g_strdup("(null)");
}
/* SlurmdPort's default: other ports change nothing, and are not kept. */
CELL(port)
{
	UNUSED;
	return g_strdup("6818");
}
CELL(cluster_name)
{
	UNUSED;
	return g_strdup("N/A");
}

/* ---- sizes: the least, "+" when they differ ---- */

typedef uint64_t size_fn(const struct node_config *k);
static uint64_t size_cpus(const struct node_config *k)
{
	return k->cpus;
}
static uint64_t size_memory(const struct node_config *k)
{
	return k->real_memory;
}
static uint64_t size_disk(const struct node_config *k)
{
	return k->tmp_disk;
}
static uint64_t size_weight(const struct node_config *k)
{
	return k->weight;
}
static uint64_t size_sockets(const struct node_config *k)
{
	return k->sockets;
}
static uint64_t size_cores(const struct node_config *k)
{
	return k->cores_per_socket;
}
static uint64_t size_threads(const struct node_config *k)
{
	return k->threads;
}

static char *least(const struct job_view *v, const struct sinfo_row *r, size_fn *fn)
{
	uint64_t low = UINT64_MAX, high = 0;
	int64_t i;

	for (BITSET_EACH(i, r->nodes)) {
		uint64_t n = fn(controller_cluster(v->c)->node[i]->config);
		low = MIN(low, n);
		high = MAX(high, n);
	}
	if (low == UINT64_MAX)
		return g_strdup("0");
	return g_strdup_printf("%" G_GUINT64_FORMAT "%s", low, low < high ? "+" : "");
}
#define SIZE(name)                                                                                                     \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return least(v, r, size_##name);                                                                       \
	}
SIZE(cpus)
SIZE(memory)
SIZE(disk)
SIZE(weight)
SIZE(sockets)
SIZE(cores)
SIZE(threads)
CELL(sct)
{
	char *s = sockets(v, r), *c = cores(v, r), *t = threads(v, r), *text = g_strdup_printf("%s:%s:%s", s, c, t);
	g_free(s);
	g_free(c);
	g_free(t);
	return text;
}

/* ---- counts ---- */

struct counts {
	uint32_t nodes, allocated, idle, other;
	uint64_t cpus, cpus_allocated, cpus_idle, cpus_other, memory;
};

static struct counts count(const struct job_view *v, const struct sinfo_row *r)
{
	struct counts c = {0};
	int64_t i;

	for (BITSET_EACH(i, r->nodes)) {
		const struct node *n = controller_cluster(v->c)->node[i];
		const struct node_use *use = usage_node(controller_usage(v->c), (uint32_t)i);
		bool down = n->base == NODE_DOWN || n->base == NODE_UNKNOWN || n->base == NODE_FUTURE;
		uint64_t rest = n->config->cpus - MIN(n->config->cpus, node_use_cpus(use, n->config));

		c.nodes++;
		if (down)
			c.other++;
		else if (use->cpus || use->completing)
			c.allocated++;
		else if (n->flags & NODE_DRAIN)
			c.other++;
		else
			c.idle++;
		c.cpus += n->config->cpus;
		c.cpus_allocated += node_use_cpus(use, n->config);
		c.memory += use->mem;
		if (down || n->flags & NODE_DRAIN)
			c.cpus_other += rest;
		else
			c.cpus_idle += rest;
	}
	return c;
}

CELL(nodes)
{
	return cell_count(count(v, r).nodes);
}
CELL(nodes_ai)
{
	struct counts c = count(v, r);
	return g_strdup_printf("%u/%u", c.allocated, c.idle);
}
CELL(nodes_aiot)
{
	struct counts c = count(v, r);
	return g_strdup_printf("%u/%u/%u/%u", c.allocated, c.idle, c.other, c.nodes);
}
CELL(cpus_aiot)
{
	struct counts c = count(v, r);
	return g_strdup_printf("%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
	                       c.cpus_allocated, c.cpus_idle, c.cpus_other, c.cpus);
}
CELL(alloc_mem)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT, count(v, r).memory);
}
CELL(node_list)
{
	char *text = nodes_text(v, r->nodes);
	return text ? text : g_strdup("");
}
CELL(na)
{
	UNUSED;
	return g_strdup("N/A");
}

/* ---- the columns: 'p' tells partitions apart, 'n' nodes, 's' sizes with -e, ' ' none ---- */

#define FIELDS(X)                                                                                                      \
	X('a', "Available", "AVAIL", 0, 'p', available)                                                                \
	X('A', "NodeAI", "NODES(A/I)", 0, ' ', nodes_ai)                                                               \
	X('b', "features_act", "ACTIVE_FEATURES", 0, 'n', active_features)                                                 \
	X('B', "MaxCPUsPerNode", "MAX_CPUS_PER_NODE", 0, 'p', max_cpus)                                                \
	X('c', "CPUs", "CPUS", 0, 's', cpus)                                                                           \
	X('C', "CPUsState", "CPUS(A/I/O/T)", 0, ' ', cpus_aiot)                                                        \
	X('d', "Disk", "TMP_DISK", 0, 's', disk)                                                                       \
	X('D', "Nodes", "NODES", 0, ' ', nodes)                                                                        \
	X('e', "FreeMem", "FREE_MEM", 0, ' ', na)                                                                      \
	X('E', "Reason", "REASON", 0, 'n', reason)                                                                     \
	X('f', "Features", "AVAIL_FEATURES", 0, 'n', features)                                                         \
	X('F', "NodeAIOT", "NODES(A/I/O/T)", 0, ' ', nodes_aiot)                                                       \
	X('g', "Groups", "GROUPS", 0, 'p', groups)                                                                     \
	X('G', "Gres", "GRES", 0, 'n', gres)                                                                           \
	X('h', "OverSubscribe", "OVERSUBSCRIBE", 0, 'o', oversubscribe)                                                \
	X('H', "TimeStamp", "TIMESTAMP", 0, 'n', reason_time)                                                          \
	X('i', "Reservation", "RESERVATION", 0, 'n', reservation)                                                      \
	X('I', "PriorityJobFactor", "PRIO_JOB_FACTOR", 0, 'p', job_factor)                                             \
	X('l', "Time", "TIMELIMIT", 0, 'p', time_limit)                                                                \
	X('L', "DefaultTime", "DEFAULTTIME", 0, 'p', default_time)                                                     \
	X('m', "Memory", "MEMORY", 0, 's', memory)                                                                     \
	X('M', "PreemptMode", "PREEMPT_MODE", 0, 'p', preempt)                                                         \
	X('n', "NodeHost", "HOSTNAMES", 0, 'n', host)                                                                  \
	X('N', "NodeList", "NODELIST", 1, ' ', node_list)                                                              \
	X('o', "NodeAddr", "NODE_ADDR", 0, 'n', host)                                                                  \
	X('O', "CPUsLoad", "CPU_LOAD", 0, ' ', na)                                                                     \
	X('p', "PriorityTier", "PRIO_TIER", 0, 'p', tier)                                                              \
	X('P', "Partition", "PARTITION", 0, 'p', partition)                                                            \
	X('r', "Root", "ROOT", 0, 'p', root)                                                                           \
	X('R', "PartitionName", "PARTITION", 0, 'p', partition_name)                                                   \
	X('s', "Size", "JOB_SIZE", 0, 'p', size)                                                                       \
	X('S', "AllocNodes", "ALLOCNODES", 0, 'p', alloc_nodes)                                                        \
	X('t', "StateCompact", "STATE", 0, 'n', state)                                                                 \
	X('T', "StateLong", "STATE", 0, 'n', state_long)                                                               \
	X('u', "User", "USER", 0, 'n', reason_user)                                                                    \
	X('U', "UserLong", "USER", 0, 'n', reason_user_long)                                                           \
	X('v', "Version", "VERSION", 0, ' ', version)                                                                  \
	X('V', "Cluster", "CLUSTER", 0, ' ', cluster_name)                                                             \
	X('w', "Weight", "WEIGHT", 0, 's', weight)                                                                     \
	X('X', "Sockets", "SOCKETS", 0, 's', sockets)                                                                  \
	X('Y', "Cores", "CORES", 0, 's', cores)                                                                        \
	X('z', "SocketCoreThread", "S:C:T", 0, 's', sct)                                                               \
	X('Z', "Threads", "THREADS", 0, 's', threads)                                                                  \
	X(0, "Share", "OVERSUBSCRIBE", 0, 'p', oversubscribe)                                                          \
	X(0, "AllocMem", "ALLOCMEM", 0, 'n', alloc_mem)                                                                \
	X(0, "GresUsed", "GRES_USED", 0, 'n', gres_used)                                                               \
	X(0, "StateComplete", "STATECOMPLETE", 0, 'n', state_complete)                                                 \
	X(0, "Comment", "COMMENT", 0, ' ', no_note)                                                                    \
	X(0, "Extra", "EXTRA", 0, ' ', no_note)                                                                        \
	X(0, "Port", "PORT", 0, ' ', port)

#define X(letter, name, header, whole_header, splits, fn) {letter, name, header, false, whole_header},
const struct table_field SINFO_FIELDS[] = {FIELDS(X)};
#undef X
#define X(letter, name, header, whole_header, splits, fn) fn,
static cell_fn *const FILL[] = {FIELDS(X)};
#undef X
#define X(letter, name, header, whole_header, splits, fn) splits,
static const char SPLITS[] = {FIELDS(X)};
#undef X
const guint N_SINFO_FIELDS = G_N_ELEMENTS(SINFO_FIELDS);

char *sinfo_field_text(void *data, int field)
{
	const struct sinfo_row *r = data;

	return FILL[field](r->sheet->view, r);
}

bool sinfo_field_splits(guint field, bool exact, bool v22)
{
	return SPLITS[field] == 's' ? exact : SPLITS[field] == 'o' ? v22 : SPLITS[field] != ' ';
}

int sinfo_field_letter(char letter)
{
	for (guint i = 0; i < N_SINFO_FIELDS; i++)
		if (letter && SINFO_FIELDS[i].letter == letter)
			return (int)i;
	return -1;
}

bool sinfo_splits_partitions(const struct table *t)
{
	for (guint i = 0; i < N_SINFO_FIELDS; i++)
		if (SPLITS[i] == 'p' && table_has(t, (int)i))
			return true;
	return false;
}
