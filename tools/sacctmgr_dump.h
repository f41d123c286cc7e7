/*
 * sacctmgr_dump.h - sacctmgr dump: the accounts, users, limits (and since 25.05 the QOS) of a cluster as a file that sacctmgr load, and
 * whypend, read (spec accounting-files.md 1).
 */
#ifndef TOOLS_SACCTMGR_DUMP_H
#define TOOLS_SACCTMGR_DUMP_H
#include "sched/cluster.h"
#include <stdio.h>

/* Writes FILE (NULL: CLUSTER.cfg in the working directory) and tells its lines on ECHO as sacctmgr does. CLUSTER NULL: C's own name.
 * False and ERROR: C has another name (in sacctmgr's words), or the file cannot be written. */
bool sacctmgr_dump(FILE *echo, const struct cluster *c, const char *cluster, const char *file, GError **error);
#endif
