/* turns.h - turns of the once-a-second loop that a recorded controller missed. */
#ifndef CONFORMANCE_TURNS_H
#define CONFORMANCE_TURNS_H
#include "tests/conformance/replay.h"

/* Of sec_t, ascending. */
GArray *turns_missed(const struct replay *r);
#endif
