/*
 * confwrite.h - a cluster as the files from which it could have been read: slurm.conf, gres.conf, topology, accounting.
 *
 * Only what decisions read is written: parameters that are not the default, nodes record by record with their present
 * state, partitions, devices, topologies, QOS and associations. Reading the files again gives the same structures
 * (tested over generated configurations). Ids of QOS and associations follow the order in the file.
 *
 * Not written: what has no name in the files (usage; see sshare; whether a node is powered down, and so nothing of power saving), regions of tori.
 */
#ifndef MODELS_CONFWRITE_H
#define MODELS_CONFWRITE_H
#include "sched/cluster.h"

/* All return text; g_free. */
char *confwrite_slurm_conf(const struct cluster *c);
char *confwrite_gres_conf(const struct cluster *c);     /* "" when no node has GRES */
char *confwrite_topology_yaml(const struct cluster *c); /* "" when the topology is flat */
char *
confwrite_topology_conf(const struct cluster *c); /* the default topology, as 22.05 reads it; "" when it is flat */
char *confwrite_accounting(const struct acct *a, const char *cluster); /* a sacctmgr dump, in the order of A */
/* What "sacctmgr dump CLUSTER" writes, without the comment at its head. OLD: of 22.05, which leaves the QOS out. */
char *confwrite_dump(const struct acct *a, const char *cluster, bool old);
/* Write all of them into folder DIR (made when it is not there): slurm.conf, gres.conf, topology.yaml or topology.conf,
 * sacctmgr-dump.cfg where there is accounting. False and ERROR (G_FILE_ERROR) when a file cannot be written. */
gboolean confwrite_folder(const struct cluster *c, const char *dir, GError **error);
#endif
