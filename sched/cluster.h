/*
 * cluster.h - the machine as the controller sees it: nodes, node configurations, partitions.
 *
 * Built once from the site's files (models/), then changed only by commands. Nodes stand in table order (N1: natural
 * name order), and "index" always means the position there. What jobs occupy is not here but in sched/usage.h, so that
 * an estimate of the future can lay an overlay over it without copying the cluster.
 */
#ifndef SCHED_CLUSTER_H
#define SCHED_CLUSTER_H
#include "sched/base/bitset.h"
#include "sched/base/tres.h"
#include "sched/params.h"
#include "sched/topology.h"
#include <glib.h>

enum node_base { NODE_UNKNOWN, NODE_DOWN, NODE_IDLE, NODE_ALLOCATED, NODE_MIXED, NODE_FUTURE };
enum { /* node flags (C50) */
	NODE_DRAIN = 1, NODE_FAIL = 2, NODE_COMPLETING = 4, NODE_MAINT = 8, NODE_RESERVED = 16, NODE_PLANNED = 32,
	NODE_NOT_RESPONDING = 64, NODE_POWERED_DOWN = 128, NODE_POWERING_DOWN = 256, NODE_POWERING_UP = 512, NODE_CLOUD = 1024,
	NODE_REBOOT_REQUESTED = 2048, NODE_INVALID_REG = 4096, NODE_REBOOT_ISSUED = 8192,
	NODE_POWER_DOWN = 16384, /* to be powered down once it is idle */
	NODE_POWER_UP = 32768,   /* to be powered up */
	NODE_ASAP = 65536,       /* the DRAIN flag is that of a reboot or power down asap and goes with it */
	NODE_POWER_FLAGS = NODE_POWERED_DOWN | NODE_POWERING_DOWN | NODE_POWERING_UP | NODE_REBOOT_REQUESTED | NODE_REBOOT_ISSUED |
			   NODE_POWER_DOWN | NODE_POWER_UP
};

/* One group of devices of a GRES on a node: one gres.conf line, or one Gres= entry without a line (N61). */
struct gres_group {
	char *type;               /* owned; NULL = untyped */
	uint32_t first, count;    /* device indexes first .. first+count-1 in the node's GRES bitmap */
	struct bitset *cores;     /* owned; cores near the devices, NULL = any; size = the node's cores */
	int *links;               /* owned; links[i] to device i (-1 self), or NULL */
	struct bitset *sockets;   /* owned; the sockets that its devices count on; NULL = any socket (N62). Set by cluster_finish */
	struct bitset *restricted; /* owned; cores kept for jobs with these devices (N70); NULL = none. Set by cluster_finish */
};

struct node_gres {
	char *name;               /* owned; "gpu" */
	uint32_t count;           /* devices, or plain count */
	bool devices;             /* has files: indexes are handed out. Else a plain count per type */
	bool no_consume;
	struct gres_group *group; /* owned [n_groups] */
	uint32_t n_groups;
	/* mps and shard (N71): the shares of each GPU. Then devices is false and count the sum; per_device NULL: a plain count. */
	uint32_t *per_device;     /* owned [n_devices]: shares of GPU i */
	uint32_t n_devices;       /* GPUs of the node */
	uint32_t share_first;     /* first place of this GRES among the node's shares in a struct usage; set by cluster_finish */
	bool one_sharing;         /* Flags=one_sharing, and mps: while one device has shares in use no other may be opened */
};

/* A configuration record (N22): what all nodes of one NodeName line (equal in everything) share. */
struct node_config {
	uint32_t index;
	uint16_t boards, sockets, cores_per_socket, threads;
	uint16_t cores;           /* sockets x cores_per_socket */
	uint16_t cpus;            /* configured CPUs */
	uint16_t cpus_per_core;   /* CPUs that one core stands for in an allocation: threads, or 1 when CPUs == cores */
	uint64_t real_memory;     /* MiB */
	uint64_t mem_spec_limit;  /* MiB, not for jobs */
	uint64_t tmp_disk;        /* MiB */
	uint32_t weight;          /* 1 */
	uint16_t core_spec_count;
	struct bitset *spec_cores; /* owned; NULL = none */
	char **features;          /* owned, NULL-terminated strv; never NULL: those that the nodes could have */
	char **active;            /* owned; those that they have now; NULL = all of them */
	struct node_gres *gres;   /* owned [n_gres] */
	uint32_t n_gres;
	uint32_t n_shares;        /* sum of n_devices over the GRES with per_device; set by cluster_finish */
	uint32_t restricted_cores_per_gpu; /* 0 = none */
	struct bitset *restricted; /* owned; those cores (N70), NULL = none; set by cluster_finish */
	char *gres_text;          /* owned; "gpu:h100:8", "" if none: as configured, for printing */
	char *gres_shown;         /* owned; as a command gave it, which is what is shown; NULL = gres */
	struct bitset *nodes;     /* owned; the nodes of this record; set by cluster_finish */
};

struct node {
	char *name;               /* owned */
	uint32_t index;
	uint32_t rank;            /* the table is sorted by it before the name (SwitchAsNodeRank): 0 = not ranked */
	struct node_config *config;
	enum node_base base;      /* DOWN, IDLE...: ALLOCATED and MIXED are derived from usage, not stored (C50) */
	uint32_t flags;           /* NODE_* */
	char *reason;             /* owned; NULL = none */
	uint32_t suspend_time;    /* SuspendTime= of its own line, seconds; NO_VAL = not given, INFINITE = never */
	char *comment, *extra;    /* owned; to be shown; NULL = none. So are: */
	char *addr, *host;        /* NULL = its name */
	int64_t state_since;      /* usec of the last change of base or flags, for the record */
};

enum part_state { PART_UP, PART_DOWN, PART_DRAIN, PART_INACTIVE };
enum oversubscribe { OVERSUB_NO, OVERSUB_YES, OVERSUB_FORCE, OVERSUB_EXCLUSIVE };

struct qos;
struct partition {
	char *name;               /* owned */
	uint32_t index;           /* position in the file */
	struct bitset *nodes;     /* owned */
	char *nodes_text;         /* owned; Nodes= as configured, may hold ALL and NodeSets */
	bool nodes_changed;       /* by a command or a reconfigure: what runs in it may be elsewhere */
	bool is_default, root_only, req_resv, hidden, lln, disable_root;
	enum part_state state;
	uint32_t max_time, default_time; /* minutes; max INFINITE, default NO_VAL = unset */
	uint32_t min_nodes, max_nodes;   /* 0; INFINITE */
	uint32_t max_cpus_per_node, max_cpus_per_socket; /* INFINITE */
	uint64_t def_mem, max_mem; /* MiB; NO_VAL64 = use the cluster's */
	bool def_mem_per_cpu, max_mem_per_cpu;
	uint32_t def_cpu_per_gpu; uint64_t def_mem_per_gpu; /* 0 = unset */
	uint16_t priority_tier, priority_job_factor; /* 1, 1 */
	enum oversubscribe oversubscribe; uint16_t max_share; /* 1 for NO, n for YES:n and FORCE:n */
	bool exclusive_user, exclusive_topo;
	uint32_t over_time_limit; /* minutes; NO_VAL = use the cluster's */
	uint32_t suspend_time, suspend_timeout, resume_timeout; /* seconds; NO_VAL = not given, INFINITE = never */
	bool power_down_on_idle;
	int grace_time;
	int preempt_mode;         /* enum preempt_mode; PREEMPT_MODE_UNSET = the cluster's */
	char *qos_name; struct qos *qos; /* partition QOS; name owned */
	char **allow_accounts, **deny_accounts, **allow_qos, **deny_qos, **allow_groups, **alloc_nodes; /* owned strv; NULL = ALL / none */
	double *billing_weights;  /* [tres->n], owned; NULL = none */
	char *billing_text;       /* TRESBillingWeights= as configured, for printing; owned; NULL = none */
	char *alternate;          /* owned */
	char *topology_name;      /* Topology=; owned; NULL = the default one */
	const struct topology *topology; /* set by cluster_finish; NULL = flat */
	/* derived by cluster_finish and after node changes */
	uint32_t total_nodes, total_cpus;
	uint64_t *tres_total;     /* [tres->n], owned (P19) */
};

struct cluster {
	struct sched_params *params; /* owned */
	struct tres_table *tres;     /* owned */
	GPtrArray *configs;          /* of struct node_config * */
	struct node **node;          /* [n_nodes] in table order */
	uint32_t n_nodes, total_cpus;
	GPtrArray *partitions;       /* of struct partition *, file order */
	struct partition *default_partition;
	GHashTable *node_by_name, *partition_by_name; /* borrowed keys */
	uint16_t max_job_factor;     /* largest PriorityJobFactor (P16) */
	GPtrArray *licenses;         /* of struct license * */
	GPtrArray *topologies;       /* of struct topology *; the first is the default; empty = flat */
	GHashTable *groups;          /* owned; group -> set of user names; NULL = unknown: AllowGroups is not tested */
	struct acct *acct;           /* owned; sched/acct.h */
	/* filled while reading, consumed by cluster_finish */
	GPtrArray *pending_nodes;    /* of struct node *, any order */
	/* taken out by a reconfiguration; records and readers may still point there */
	GPtrArray *gone_nodes, *gone_partitions; /* owned; NULL = none */
};

struct license { char *name; uint32_t total, used; };

/* An empty cluster with default parameters of VERSION. Never NULL. */
struct cluster *cluster_new(enum slurm_version version);
void cluster_free(struct cluster *c);

/* Append a configuration record; takes ownership of nothing but returns a zeroed record (weight 1, features empty) to fill in. */
/* CPUs without those of CoreSpecCount or CpuSpecList. */
uint32_t node_config_usable(const struct node_config *k);
struct node_config *cluster_add_config(struct cluster *c);
/* Add a node NAME (copied) with CONFIG, in any order. The state starts as IDLE without flags. */
struct node *cluster_add_node(struct cluster *c, const char *name, struct node_config *config);
/* Append a partition with the defaults of slurm-conf.md section 6. Its node set is made by cluster_finish from nodes_text unless nodes is set. */
struct partition *cluster_add_partition(struct cluster *c, const char *name);
/* Sort the node table (N1), index names, resolve partition nodes (nodes_text: hostlist, ALL) and partition QOS names, compute
 * totals. Errors (unknown node in a partition, no node, no partition, unknown QOS) go to ERROR. Call once. NodeSets must be expanded
 * by the reader before. */
gboolean cluster_finish(struct cluster *c, GError **error);
struct node *cluster_find_node(const struct cluster *c, const char *name);           /* NULL if unknown */
struct partition *cluster_find_partition(const struct cluster *c, const char *name); /* NULL if unknown */
/* Node set of a hostlist; NULL and ERROR for bad text or an unknown name. The caller frees. */
struct bitset *cluster_parse_nodes(const struct cluster *c, const char *hostlist, GError **error);
/* Slurm's print form of a node set, in table order. g_free. */
char *cluster_format_nodes(const struct cluster *c, const struct bitset *nodes);
/* Count of GRES NAME (TYPE NULL = all types) on a node of CONFIG. */
uint32_t node_config_gres(const struct node_config *config, const char *name, const char *type);
/* The topology called NAME, NULL = the default one; NULL if there is none. */
struct topology *cluster_find_topology(const struct cluster *c, const char *name);
/* Count of TRES kind I on a node of CONFIG. */
uint64_t cluster_tres_on_node(const struct cluster *c, uint32_t i, const struct node_config *config);
/* After its nodes or weights changed: what is derived of partition P alone. */
void cluster_partition_changed(struct cluster *c, struct partition *p);
/* NODES get configuration records of their own, alike to the ones that they have, where these are shared with others. */
void cluster_split_configs(struct cluster *c, const struct bitset *nodes);
/* After the GRES of K changed: what is derived of them (N62, N70, N71). */
void cluster_config_changed(const struct cluster *c, struct node_config *k);
/* P with all that it owns but its name, to be changed; then the two change places: P keeps its name and its place in the cluster, COPY is freed. */
struct partition *cluster_partition_copy(const struct cluster *c, const struct partition *p);
void cluster_partition_exchange(struct partition *p, struct partition *copy);
/* P is no partition of C any more; it stays there for records of jobs that name it (gone_partitions). */
void cluster_partition_retire(struct cluster *c, struct partition *p);
/* What is derived of all partitions: the largest PriorityJobFactor (P16; recorded: it only grows, until slurm.conf is read again), the default one (the last
 * that says so; NULL = none). */
void cluster_partitions_changed(struct cluster *c);
/* The features that the nodes of K have now; owned by K. */
static inline char **config_active(const struct node_config *k)
{
	return k->active ? k->active : k->features;
}
void cluster_node_free(void *node);
/* G has no device any more: its groups' content and per_device are freed; the array of groups stays until G goes. */
void node_gres_clear_groups(struct node_gres *g);
void cluster_partition_free(void *partition);
/* Everything of C but its parameters, accounts, TRES, groups and what is gone becomes that of FRESH, and the other way round. Nodes and partitions that both
 * have, by name, keep their records (struct node *, struct partition *) in C, with what FRESH says of them; state and reason of nodes stay. What
 * only C had goes to gone_nodes and gone_partitions. TO[i] of the node that was I in C: its index now, UINT32_MAX = gone. */
void cluster_exchange(struct cluster *c, struct cluster *fresh, uint32_t *to);
/* C53: available for new work (up, not drained, failed, silent or powering down). */
bool node_available(const struct node *n);
#endif
