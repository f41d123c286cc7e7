/*
 * events.h - the queue of what will happen, and the order of what happens at one instant.
 *
 * Events come out in order of time. Those of one instant come out in this order, whatever order they went in:
 *
 *   1 EVENT_NODE        a command that changes nodes, a node that has booted   machines change before anybody looks at them;
 *   2 EVENT_END         the processes of a job are gone  (also its running scancel, loss or memory kill);
 *   3 EVENT_TIME_LIMIT  a limit is reached (ideal)       after 2: a job that runs exactly as long as its limit ends by
 *                                                        itself;
 *   4 EVENT_EPILOG      a node of an ended job is free   after 2 and 3: with no latency an end frees its nodes at once;
 *   5 EVENT_CANCEL      the trace's user gave up waiting before any pass: a job due to be cancelled now does not start;
 *   6 EVENT_COMMAND     scontrol, scancel                may name jobs submitted before this instant, not at it;
 *   7 EVENT_SUBMIT      sbatch                           last, so that a pass sees all that is free and all that waits;
 *   8 EVENT_WAKE        a begin time is reached (ideal)  changes nothing by itself, only calls for a pass.
 *
 * Within a kind: in the order in which they were put in (seq), which for submissions and commands is file order. An
 * event that another one of the same instant brings about (the epilog of a job that a command kills) takes its place in
 * this order before all that has not happened yet.
 *
 * Then, not events but computed by the clock: passes asked for by the last epilogs (S3, controller_run_requested), the
 * decay tick (P30), the loop's tick (S1, S2), backfill (B1). So a pass never misses what happened at its very instant,
 * a quick pass after a job's end comes before the loop's turn as in the controller, and the loop sees fresh priorities.
 * With the pinned clock the pins of the instant follow, in file order. A pass may start a job that ends at this instant
 * (run time 0): then the events of the instant go on, but no clock turns twice.
 *
 * An event of a job that was requeued, killed or forgotten meanwhile must be ignored. Nothing is searched for in the
 * heap: the event carries the generation of its job, and the reader drops it when the job has a newer one.
 *
 * A binary heap in one array: no allocation an event. Nothing here fails.
 */
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H
#include "sched/base/duration.h"
#include <stdbool.h>
#include <stdint.h>

enum event_kind {
	EVENT_NODE,
	EVENT_END,
	EVENT_TIME_LIMIT,
	EVENT_EPILOG,
	EVENT_CANCEL,
	EVENT_COMMAND,
	EVENT_SUBMIT,
	EVENT_WAKE
};

struct event {
	usec_t t;
	uint64_t seq;        /* set by event_queue_push */
	void *what;          /* borrowed: the job, source, command or submission that it is about */
	uint32_t generation; /* of a job's event */
	uint32_t arg;        /* node of an epilog, task of a cancel, feed of a submission */
	uint8_t kind;        /* enum event_kind */
	bool flag;           /* epilog: by message */
};

#define EVENT_NODE_GONE (UINT32_MAX - 1) /* arg: the node is in the cluster no more; nothing happens */

struct event_queue;
struct event_queue *event_queue_new(void);
void event_queue_free(struct event_queue *q); /* NULL is allowed; what the events point to is not touched */
void event_queue_push(struct event_queue *q, struct event e);
/* The next event, NULL when there is none; valid until the next push or pop. */
const struct event *event_queue_peek(const struct event_queue *q);
/* Take out the next event; false when there is none. */
bool event_queue_pop(struct event_queue *q, struct event *e);
/* Look at all events in no order; I < event_queue_length. */
uint32_t event_queue_length(const struct event_queue *q);
const struct event *event_queue_at(const struct event_queue *q, uint32_t i);
/* The same, to change what it is about; not its time or kind. */
struct event *event_queue_edit(struct event_queue *q, uint32_t i);
#endif
