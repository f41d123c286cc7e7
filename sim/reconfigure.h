/* reconfigure.h - scontrol reconfigure and a restart of slurmctld in a run: who reads the file, and carrying it out (sched/reconfigure.h) */
#ifndef SIM_RECONFIGURE_H
#define SIM_RECONFIGURE_H
#include "sim/sim.h"

/* FN gives the cluster that the file PATH, as the command names it (NULL: the file that the run began with, as it is now), describes (the caller frees it), or NULL and ERROR. Without one the command is refused. */
typedef struct cluster *sim_conf_fn(void *data, const char *path, GError **error);
void sim_set_conf(struct sim *s, sim_conf_fn *fn, void *data);
/* RESTART: slurmctld is started anew with it. */
bool sim_reconfigure(struct sim *s, const char *path, bool restart, GError **error);
#endif
