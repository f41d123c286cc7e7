/*
 * topoconf.h - read topology.conf and topology.yaml into the topologies of a cluster (spec slurm-conf.md 7.2 to 7.5).
 *
 * topology.conf holds one topology: a tree (SwitchName lines), blocks (BlockName lines, BlockSizes) or rings
 * (RingName lines). topology.yaml (25.05 and later) holds any number of named ones; the subset of YAML that is read:
 * block sequences and maps, flow sequences of plain scalars ("[4, 16]"), plain and quoted scalars, comments, one
 * document. Call after the nodes were added and before cluster_finish. Errors and warnings go to D with file and line.
 */
#ifndef MODELS_TOPOCONF_H
#define MODELS_TOPOCONF_H
#include "sched/base/diag.h"
#include "sched/cluster.h"

#define TOPO_UNITS_MAX 65536u   /* switches, blocks, rings of one file */
#define TOPO_NAMES_MAX 4000000u /* node and switch names in all lists of one file */
#define TOPO_RING_MAX 16u       /* nodes of a ring */
#define TOPO_NAME_MAX 64u       /* letters of a switch's name */

/* The file at PATH as topology of KIND; TOPOLOGY_FLAT = whatever its lines are. Without errors the topology "default"
 * is added. */
void topoconf_read(struct cluster *c, const char *path, enum topology_kind kind, struct diag *d);
/* The same for TEXT; NAME stands in messages. */
void topoconf_read_text(struct cluster *c, const char *text, const char *name, enum topology_kind kind, struct diag *d);
/* The topologies of a topology.yaml, the default one first. */
void topoyaml_read(struct cluster *c, const char *path, struct diag *d);
void topoyaml_read_text(struct cluster *c, const char *text, const char *name, struct diag *d);
#endif
