/*
 * sacctmgr_rest.h - sacctmgr show of what the accounting daemon collects: events of nodes, reservations, transactions, problems,
 * runaway jobs, statistics, configuration; and of what a simulated cluster has none of: federations, resources, wckeys.
 *
 * Events are a cluster's registration and the times when nodes were down, drained or failing; transactions are the sacctmgr
 * commands of the scenario that have happened.
 */
#ifndef TOOLS_SACCTMGR_REST_H
#define TOOLS_SACCTMGR_REST_H
#include "tools/sacctmgr_out.h"
#include "tools/session.h"

/* Whether NAME (or what it begins with) is one of these; EVENTS: whether its rows come from the run's record. */
bool sacctmgr_rest_knows(const char *name, bool *events);
/* S has come to its moment, with a record where sacctmgr_rest_knows asked for it. False and ERROR: no such field. */
bool sacctmgr_rest_print(FILE *out, const struct session *s, const struct sacctmgr_options *o, GError **error);
#endif
