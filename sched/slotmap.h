/*
 * slotmap.h - backfill's plan: time slots with the nodes not yet promised to anybody (backfill B8, B41, B43).
 *
 * Slots stand in time order in a chain; the first begins at the map's begin. Each split uses up a record number that is never given back (B43), which
 * is what bf_node_space_size limits. Node sets come from a pool, so a cycle allocates nothing once warm.
 */
#ifndef SCHED_SLOTMAP_H
#define SCHED_SLOTMAP_H
#include "sched/base/bitset.h"
#include "sched/base/duration.h"
#include "sched/license.h"
#include <glib.h>

struct slot {
	sec_t begin, end;     /* [begin, end) */
	struct bitset *nodes; /* owned by the map */
	uint32_t *licenses;   /* [n_licenses] still free; owned by the map; NULL without */
	int next;             /* index of the next slot in time, -1 = last */
};

struct slot_map {
	GArray *slots;        /* of struct slot; [0] is the first in time */
	GPtrArray *pool;      /* spare node sets */
	uint32_t n_nodes;
	uint64_t changes;     /* counts resets and promises: equal = the same slots */
	uint32_t records;     /* record numbers used */
	sec_t resolution;
	uint32_t *total;      /* of each licence; owned */
	uint32_t n_licenses;  /* bf_licenses: kinds that the map follows, else 0 */
};

struct slot_map *slotmap_new(uint32_t n_nodes);
void slotmap_free(struct slot_map *m);
/* From the next reset on, follow N kinds of licences, TOTAL[] of each free at first. */
void slotmap_licenses(struct slot_map *m, uint32_t n, const uint32_t *total);
/* Start over: one slot [begin, end) with NODES (B8). */
void slotmap_reset(struct slot_map *m, sec_t begin, sec_t end, const struct bitset *nodes, sec_t resolution);
static inline struct slot *slotmap_at(const struct slot_map *m, int i) { return &g_array_index(m->slots, struct slot, i); }
/* B41: is some node of NODES promised to another in [begin, end), or are the licences L (NULL = none) short there? */
bool slotmap_conflict(const struct slot_map *m, sec_t begin, sec_t end, const struct bitset *nodes, const struct license_list *l);
/* B43: promise NODES in [begin, end), widened to the map's begin and to one resolution. */
void slotmap_add(struct slot_map *m, sec_t begin, sec_t end, const struct bitset *nodes, const struct license_list *l);
/* The same for licences alone: COUNT[] of each kind. */
void slotmap_reserve_licenses(struct slot_map *m, sec_t begin, sec_t end, const uint32_t *count);
#endif
