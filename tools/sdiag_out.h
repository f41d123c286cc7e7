/* sdiag_out.h - the controller's statistics as sdiag prints them (command-output 8), and the extra lines of --caps. */
#ifndef TOOLS_SDIAG_OUT_H
#define TOOLS_SDIAG_OUT_H
#include "sim/sim.h"
#include "sim/stats.h"
#include <stdio.h>

/* OLD: the layout of 22.05. NOW: the moment. Lines whose divisor would be 0 are left out, as there. */
void sdiag_print(FILE *out, const struct sim_stats *s, sec_t now, bool old);
/* The same as JSON, in the shape of Slurm's data_parser (v0.0.46). */
void sdiag_print_json(FILE *out, const struct sim_stats *s, sec_t now, const struct cluster *cluster);
#endif
