/*
 * options_slurm.h - what Slurm's commands have in common: options that mean nothing for one simulated cluster at one moment and are
 * accepted quietly (-v, -i SECONDS, --federation, --local, --sibling, --hide, --autocomplete), -M CLUSTER (there is one),
 * -V, --usage, --json=PARSER, --yaml=PARSER; and how refusals look under a command's own name (whypend links).
 */
#ifndef TOOLS_OPTIONS_SLURM_H
#define TOOLS_OPTIONS_SLURM_H
#include "sched/cluster.h"
#include <glib.h>
#include <stdbool.h>

struct slurm_options {
	char *clusters, *iterate, *json_form, *complete; /* owned */
	gboolean version, usage, verbose, ignored;
};

/* Called as squeue, sinfo, ...: through a link. */
bool slurm_own_name(void);
/* Entries that OWN does not have already, hidden in --help. Borrows O. */
void slurm_options_add(GOptionContext *context, struct slurm_options *o, const GOptionEntry *own);
/* "--json=FORM" in ARGV becomes "--json", and FORM is kept; --yaml too, which is then what json_print writes. OWN: has the command --json? */
void slurm_options_take_json(struct slurm_options *o, int argc, char **argv, const GOptionEntry *own);
/* After parsing: -V, --usage and --json=list print and exit. False after a message. OLD: 22.05 is followed. */
bool slurm_options_answer(const struct slurm_options *o, const char *command, const char *operands, bool old);
/* -M: false after a message when it names a cluster other than C. */
bool slurm_options_cluster(const struct slurm_options *o, const char *command, const struct cluster *c);
void slurm_options_clear(struct slurm_options *o);
#endif
