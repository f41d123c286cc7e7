/*
 * audit.h - is what the controller counts as held just what its jobs hold?
 *
 * controller_audit adds up the allocations of the running jobs anew and compares: no core, device, share, MiB or licence
 * is held twice (cores may be by gang scheduling, N50); what struct usage says of every node, and the totals, equal the sum; a job that allows no other is alone;
 * nodes of a running job belong to its partition; what a reservation of parts of nodes keeps is not held by others, nor do its jobs hold more; licences in use are those of jobs that hold some. It costs as much
 * as the cluster is large, so it is for tests and `--audit`.
 */
#ifndef SCHED_AUDIT_H
#define SCHED_AUDIT_H
#include "sched/controller.h"

#define AUDIT_ERROR (g_quark_from_static_string("audit"))
/* True when all is well; else ERROR names the node and job, and what is wrong. */
bool controller_audit(struct controller *c, GError **error);
#endif
