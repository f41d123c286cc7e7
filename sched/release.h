/*
 * release.h - nodes that give something back by the time the first K running jobs by end are gone.
 *
 * An upper bound that a cycle's estimates share: a job that could not run if each of these nodes and each node with a free core now were wholly
 * free, cannot run by then, and no future need be imagined (willrun.c). Kept for every few K, filled as far as was asked for, until
 * a job starts or ends.
 */
#ifndef SCHED_RELEASE_H
#define SCHED_RELEASE_H
#include "sched/base/bitset.h"
#include <glib.h>

struct controller;
struct release_line;

struct release_line *release_new(uint32_t n_nodes);
void release_free(struct release_line *r);
/* A superset of the nodes with a free core now and those of by_end[0..K). Valid until a job starts or ends. */
const struct bitset *release_by(struct release_line *r, const struct controller *c, guint k);
#endif
