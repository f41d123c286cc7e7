/*
 * starts.h - the clock of the real controller within its passes, for pinned runs.
 *
 * A pass takes time, and each start takes its second when it happens. In mixed-hour, whose clock runs 20 times as fast, one pass starts jobs in
 * two or three different seconds. And a main pass takes its second a few milliseconds before it logs its first line, now and then just before the
 * whole second at which the loop was to wake (S2). Both are times of the real controller, not decisions: they are pinned like the passes themselves.
 * A job that the simulation starts in another pass than the record gets that pass's time.
 */
#ifndef CONFORMANCE_STARTS_H
#define CONFORMANCE_STARTS_H
#include "tests/conformance/replay.h"

/* When pass I of the record took its second, seconds after T0. */
double starts_pass_began(const struct record *r, guint i);
/* Tell SIM when within its pass each recorded run started. */
void starts_pin(const struct replay *r, struct sim *sim);
#endif
