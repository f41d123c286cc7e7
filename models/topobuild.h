/* topobuild.h - lists of switches, blocks or rings as read from either file, made into a struct topology; private to
 * models/topoconf.c and topoyaml.c. */
#ifndef MODELS_TOPOBUILD_H
#define MODELS_TOPOBUILD_H
#include "models/topoconf.h"

struct topo_place {       /* where a text stands */
	const char *file; /* borrowed */
	guint line, column;
};

struct topo_item {                     /* one switch, block, ring or torus as written */
	char *name, *nodes, *children; /* owned; lists NULL = not given */
	struct topo_place at, nodes_at, children_at;
	guint32 dim[3];     /* torus */
	GArray *placements; /* torus: of struct topo_placement; owned, handed over */
};

struct topo_plan {
	char *name; /* owned; of the topology */
	enum topology_kind kind;
	GPtrArray *items; /* of struct topo_item *, in order */
	GArray *sizes;    /* block: of guint32, BlockSizes; empty = not given */
	struct topo_place at, sizes_at;
	bool children_ignored; /* a switch with nodes and children is a warning (topology.yaml), else an error */
	guint64 names_left;
};

struct topo_plan *topo_plan_new(const char *name, enum topology_kind kind);
struct topo_item *topo_plan_add(struct topo_plan *p, const char *name, struct topo_place at);
void topo_plan_free(void *plan);
/* Check everything against the nodes of C; the topology, or NULL when D got errors. */
struct topology *topo_plan_build(struct topo_plan *p, struct cluster *c, struct diag *d);
#endif
