/*
 * turns.h - turns of the once-a-second loop at which a recorded controller read the second before from its clock.
 *
 * Now and then the loop of 26.11 wakes a hair before the second (S2): 13 of 900 passes in the 61 records, every fifth turn on the busier host of the ten
 * further runs. A pass that is due all the same counts as one of the second before, and so do its starts and the wait for the next pass
 * (batch_sched_delay); what is due at the second itself comes with the next turn. That is where the controller's clock stood.
 *
 * Taken from the record: when its loop's passes began, which second the starts of such a pass bear, and when submissions and ends of jobs asked for one.
 * Never which job was started, nor where.
 */
#ifndef CONFORMANCE_TURNS_H
#define CONFORMANCE_TURNS_H
#include "tests/conformance/replay.h"

/* In which second after T0 the loop began, from which its timers count: SECOND, that in which the thread of backfill did, or the next one where the first
 * pass and the first full pass both tell so (two of 71 records: a loaded host). */
double turns_loop_began(const struct replay *r, double second);
/*
 * Of sec_t, ascending. A turn came early
 *   - where a pass bears the second before: its starts do, or its line in the log stands before the second;
 *   - where the next pass came a second sooner than batch_sched_delay (or sched_interval) allows if it had not;
 *   - where something had asked for a pass, it was due, and it came one second later. More seconds have another cause and tell nothing.
 */
GArray *turns_early(const struct replay *r);
#endif
