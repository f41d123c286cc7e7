/*
 * components.h - what sbatch gives the later components of a heterogeneous job of the options of the earlier ones.
 *
 * Slurm's page on heterogeneous jobs lists the options that are passed on, and a run of 22.05 showed it for each of them: account, QOS,
 * time limits, nice, --exclude, --mem, reservation, begin, dependency ... but not partition, --nodelist, constraint, licences,
 * --exclusive, or any count of tasks and CPUs.
 */
#ifndef TRACES_COMPONENTS_H
#define TRACES_COMPONENTS_H
#include "traces/workload.h"

/* Each component of S takes from the one before it what it was not given itself. Of an ordinary job nothing changes. */
void components_follow(struct submission *s);
#endif
