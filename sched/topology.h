/*
 * topology.h - how the nodes are wired: switches of a tree, blocks, rings or tori (node-selection N48, N49).
 *
 * A topology is made by a reader (models/topoconf.h): topology_new, topology_add_unit, topo_unit_add_node, the links
 * between units by hand; then cluster_finish calls topology_finish, which makes the node sets. A cluster has any number
 * of topologies, the first is the default; none = flat.
 */
#ifndef SCHED_TOPOLOGY_H
#define SCHED_TOPOLOGY_H
#include "sched/base/bitset.h"
#include "sched/params.h"
#include <glib.h>

#define TOPO_LEVELS_MAX 20 /* of switches */
#define TOPO_BLOCK_LEVELS 16
#define TOPO_NONE UINT32_MAX

struct node;
struct topo_unit {            /* a switch, a block, a ring or a torus */
	char *name;           /* owned */
	GPtrArray *members;   /* of struct node *, borrowed, as listed; a switch: of a leaf only */
	uint32_t level;       /* switch: 0 = leaf */
	uint32_t parent;      /* switch: index, TOPO_NONE for a root */
	struct bitset *nodes; /* owned; of the unit and all below it; topology_finish */
	uint32_t x, y, z;     /* torus: its size */
	GArray *placements;   /* torus: of struct topo_placement, ascending size; NULL = none */
};

struct topo_placement { /* N49c: a box of dim, and where its corners may be */
	uint32_t dim[3], seed[3], spacing[3];
};

struct topology {
	char *name; /* owned */
	enum topology_kind kind;
	GPtrArray *units;     /* of struct topo_unit *, in the order of the file */
	struct bitset *nodes; /* owned; nodes of any unit */
	uint32_t base_size;   /* block: smallest BlockSizes entry */
	uint32_t levels;      /* block: bit l: the size base x 2^l is configured */
};

struct topology *topology_new(const char *name, enum topology_kind kind);
void topology_free(void *topology); /* NULL is allowed */
struct topo_unit *topology_add_unit(struct topology *t, const char *name);
void topo_unit_add_node(struct topo_unit *u, struct node *n);
/* After the node table is sorted: the node sets. Parents of switches must be set and without cycles. */
void topology_finish(struct topology *t, uint32_t n_nodes);
/* SwitchAsNodeRank, BlockAsNodeRank (slurm-conf.md 7.4): node->rank := 1 + its first unit; before the table is sorted.
 */
void topology_rank_nodes(const struct topology *t);
static inline struct topo_unit *topology_unit(const struct topology *t, uint32_t i)
{
	return t->units->pdata[i];
}
/* Number of links between two switches; large when nothing connects them. */
uint32_t topology_links(const struct topology *t, uint32_t a, uint32_t b);
/* How broken up LEFT is: the number of units (switches of every level, blocks and aggregated blocks of every configured size, rings, tori) that hold some
 * but not all of their nodes in LEFT. whypend's own measure for B47. 0 for a flat topology. */
uint32_t topology_fragments(const struct topology *t, const struct bitset *left);
#endif
