/*
 * told_times.h - a free run of 26.11 takes the times of the recording's own host: how long its commands, launches and epilogs took.
 *
 * Those are inputs, as the run times of a trace are, and none says what the controller decided. Taken are
 *   - when a submission reached the controller: 2 ms before sbatch came back (824 submissions: -4 to +11 ms), one after the other. jobs.json says when it was
 *     meant; sbatch was started up to 0.1 s later, 0.7 s in the ten further runs. When a command did: so long after it was given as is usual;
 *   - how long a run took that ended by itself, from its allocation until the controller was told, without the time for which it was suspended: the script's
 *     time, and 0.02 to 0.26 s of launch and exit on a host with a load of 6 to 16 (defaults: which of eight jobs of one core ends last);
 *   - how long after its end, or after it was killed, the last of its nodes told that by a message of its own. Most answer the kill request that the job is gone,
 *     but on some its processes are not quite gone then, and a message follows (40 of 898 ends; every fifth in the ten further runs; all killed runs).
 * All belong to the K-th run of a job; where the simulation starts it more often, the others take what the scenario says.
 */
#ifndef CONFORMANCE_TOLD_TIMES_H
#define CONFORMANCE_TOLD_TIMES_H
#include "tests/conformance/replay.h"

/* Set the times of all submissions and commands; not yet sorted (replay_sort). */
void told_times_set(struct replay *r);
/* The lengths of runs, and the messages about their ends. */
void told_times_ends(const struct replay *r, struct sim *sim);
#endif
