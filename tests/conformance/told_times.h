/* told_times.h - when submissions and commands of a recording were made, as its recorder noted it itself. */
#ifndef CONFORMANCE_TOLD_TIMES_H
#define CONFORMANCE_TOLD_TIMES_H
#include "tests/conformance/replay.h"

/* Set the times of all submissions and commands; not yet sorted (replay_sort). */
void told_times_set( struct replay *r);
/* Runs take as long in SIM as they did, and ends that nodes told by messages of their own are told so here too, so long after the end. */
void told_times_ends(const struct replay *r, struct sim *sim);
#endif
