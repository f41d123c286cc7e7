/*
 * slotwindow.h - which nodes are free of promises in a whole stretch of time, for one stretch after another (backfill B22.5).
 *
 * A record's tries ask for stretches [start, start + limit) that move on in time. Each answer is the intersection of the slots that the stretch
 * meets; from one try to the next a few slots leave in front and a few come in at the back. So the intersections are kept as a queue is made of two
 * stacks: for the older part, of every slot with those behind it; for the newer part, of all of it. A slot costs two intersections in all
 * however many stretches meet it. slotmap.h's chain is copied into arrays first, again only when the map has changed.
 */
#ifndef SCHED_SLOTWINDOW_H
#define SCHED_SLOTWINDOW_H
#include "sched/slotmap.h"

struct slot_window;

struct slot_window *slotwindow_new(uint32_t n_nodes);
void slotwindow_free(struct slot_window *w);

/*
 * USABLE := the nodes of INITIAL that are in every slot which ends after START and begins no later than END. START may only be
 * smaller than in the call before if the map has changed since; else the window is set up anew (correct, but slow).
 * Returns the first time after START at which nodes of INITIAL that are not usable up to then come free: the end of the slot before; 0 = none.
 * OLD: as 22.05 has it; newer versions take the end of the slot after the next one where no such time is known by END (B22.5c).
 * *beyond: the begin of the first slot after END, 0 = none. *guessed: the time returned is that of B22.5c, which moves with END.
 */
sec_t slotwindow_walk(struct slot_window *w, const struct slot_map *m, sec_t start, sec_t end, bool old, const struct bitset *initial,
		      struct bitset *usable, sec_t *beyond, bool *guessed);
/* Does at T a slot begin with a node of INITIAL that the slot before it lacks, and does a walk of 22.05 with END see it? (It looks no
 * further than one slot past END; INT64_MAX = it does.) */
bool slotwindow_comes_free(struct slot_window *w, const struct slot_map *m, sec_t t, sec_t end, const struct bitset *initial);
/* The end of the first slot that ends after T. */
sec_t slotwindow_first_end(struct slot_window *w, const struct slot_map *m, sec_t t);
#endif
