/*
 * failures.h - scenarios in which a slurmd is killed (node_kill NODE).
 *
 * How a controller comes to notice a silent node is not scheduling: here the node is lost when the real controller set
 * it DOWN. The scenario is read from a copy with these commands in their place.
 */
#ifndef CONFORMANCE_FAILURES_H
#define CONFORMANCE_FAILURES_H
#include "tests/conformance/records.h"

/* *COPY: the folder of a changed copy (failures_remove it), or NULL when the scenario needs none. False and ERROR when
 * files cannot be read or written. */
bool failures_replace(const struct record *record, char **copy, GError **error);
void failures_remove(char *copy); /* NULL is allowed */
#endif
