/*
 * noise.h - the noise floor: a real Slurm does not repeat itself on a busy trace, so how far may a simulation be from it?
 *
 * For a scenario that was recorded twice the free run is set beside both recordings, and they beside each other, in the distances that
 * conformance.md names: starts, nodes, mean, median and 90 % wait, order inversions. The simulation is within the noise when it is from neither recording
 * farther away than they are from each other. Waits count from the submission recorded first.
 */
#ifndef CONFORMANCE_NOISE_H
#define CONFORMANCE_NOISE_H
#include "tests/conformance/replay.h"
#include <stdio.h>

enum noise_measure { NOISE_STARTS, NOISE_NODES, NOISE_MEAN, NOISE_MEDIAN, NOISE_P90, NOISE_ORDER, N_NOISE };
struct distance { /* of two runs, over the jobs that started in both */
	guint jobs;
	double d[N_NOISE]; /* mean |start - start| s; share on other nodes; |mean - mean|, |median - median|, |90 % - 90 %| of the waits s; share of pairs the other
			    * way round */
};
struct distance noise_distance(const struct record *record, const struct run *a, const struct run *b);
/* A table for NAME of 22.05. False and ERROR when it cannot be run, or was recorded once. *BEYOND: measures in which the simulation is farther away. */
bool noise_print(FILE *out, const char *root, const char *name, bool jobs, guint *beyond, GError **error);
#endif
