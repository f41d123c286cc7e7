/*
 * tried.h - tries of a backfill cycle that failed for want of room, remembered for the jobs like it that follow.
 *
 * Queues hold many jobs of one shape, and each would walk through the same hopeless times before it comes to where the one before it was
 * planned. While nothing starts, a cycle's map only loses nodes, so a failure that rests on the number of nodes or CPUs alone stays one:
 *
 *   A try at a with limit L failed although every node that it may use and every job that ends by b (its next time, B22.5c)
 *   was counted as free. Let another job of this shape come to a time t in [a, b), on a map that has lost nodes since, where
 *   at b some node of the partition still comes free (so that its own next time is not after b). From a to b no node came
 *   free that was not usable at a; so what it may use at t is a part of what was usable at a, and jobs that end after b do not
 *   help it: it fails too, and so at every time until b. It may go on from b at once.
 *
 * Shape: partition, time, and the least nodes and CPUs; only for jobs whose tries depend on nothing else (backfill.c asks).
 */
#ifndef SCHED_TRIED_H
#define SCHED_TRIED_H
#include "sched/slotwindow.h"

struct tried;      /* of one cycle */
struct tried_line; /* of one shape */
struct shape { uint32_t part, time, min_nodes, min_cpus; }; /* time in minutes */

struct tried *tried_new(void);
void tried_free(struct tried *t);
/* A new cycle, or a job has started: forget everything. */
void tried_reset(struct tried *t);
/* What is known of a shape; valid until the reset. */
struct tried_line *tried_line(struct tried *t, const struct shape *s);
/* The try at FROM failed for want of room, as above; TO is its next time. PLACED: it had enough usable nodes to be tested (B22.7). */
void tried_note(struct tried_line *l, sec_t from, sec_t to, bool placed);
/* The time, not before T, from which a job that comes to T has to go on. COUNTED: the job counts as tested already; if not, it must not pass over
 * times at which it could come to be. OLD: as 22.05, whose tries end where no next time is in sight of one (slotwindow.h). INITIAL: nodes of the
 * partition that are up. */
sec_t tried_skip(const struct tried_line *l, sec_t t, bool counted, bool old, struct slot_window *w, const struct slot_map *m,
		 const struct bitset *initial);
#endif
