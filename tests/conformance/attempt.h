/*
 * attempt.h - one scenario scored in one way, in a process of its own, so that a crash or a hang of one stops no other.
 *
 * The child first sends the score of nothing simulated, then that of the simulation. When it dies between the two, or
 * ALARM seconds are over, the first stands, with a word on what happened.
 */
#ifndef CONFORMANCE_ATTEMPT_H
#define CONFORMANCE_ATTEMPT_H
#include "tests/conformance/score.h"

#define ATTEMPT_ALARM 60 /* seconds */

struct attempt {
	char *version, *name; /* "22.05" or "26.11"; scenario */
	bool pinned;
	bool plain;           /* a free run that knows nothing of the recording's host (free.c) */
	struct score *score; /* NULL = the record itself could not be read */
	char *why;           /* NULL = it ran */
};

struct attempt *attempt_new(const char *version, const char *name, bool pinned);
void attempt_free(void *attempt);
/* "NAME", or "26.11/NAME". g_free. */
char *attempt_title(const struct attempt *a);

/* Fill in score and why of all (GPtrArray of struct attempt *), AT_ONCE children at a time. */
void attempts_run(const char *root, GPtrArray *attempts, guint at_once);
#endif
