/*
 * checkpoint.h - how much of a job's work is kept when a run is cut short.
 *
 * A job has work to do: its run time. With a checkpoint interval it saves itself after each so many seconds of work,
 * which takes the cost of a checkpoint; the end needs none. A run begins with a start-up (staging in, pulling an image)
 * and, when it goes on from a checkpoint, with the cost of a restart. A run that is preempted, requeued, lost with its
 * node, killed at its limit or fails keeps the work of its last complete checkpoint for the next run; without an
 * interval nothing; one that saves itself at a signal (--signal, or SIGTERM when its grace as a victim begins) also what it had done by then. Lost = all other running time of that run. A job that
 * hangs (OUTCOME_HANG) works for its run time; after that it saves nothing more and hears no signal. All times in microseconds.
 */
#ifndef SIM_CHECKPOINT_H
#define SIM_CHECKPOINT_H
#include "traces/workload.h"

/* Running time of a run that does the work left after DONE. */
usec_t checkpoint_wall(const struct outcome *o, usec_t done);
/* Work that is safe after RAN of running in a run that began with DONE; never less than DONE. */
usec_t checkpoint_saved(const struct outcome *o, usec_t done, usec_t ran);
/* The same for a run that was told after WARNED of running that its end was near (-1 = not): one that saves itself then keeps all work up to there, if it
 * lived on for the cost of a checkpoint. */
usec_t checkpoint_saved_by(const struct outcome *o, usec_t done, usec_t ran, usec_t warned);
/* What an accounting state says of the cause of a loss: "preempted", "node failure", "requeued", "time limit",
 * "failed", "out of memory"; NULL = nothing is lost (COMPLETED, CANCELLED ...). */
const char *checkpoint_cause(const char *state);
#endif
