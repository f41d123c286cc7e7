/* scontrol_answer.h - answers of scontrol to verbs that change no decision (sim/scontrol_rest.h), printed */
#ifndef TOOLS_SCONTROL_ANSWER_H
#define TOOLS_SCONTROL_ANSWER_H
#include "tools/session.h"

/* WORDS begin with the verb; S may be NULL, then only what needs no simulation. False: it is none of these verbs. Prints to stdout, what is refused to
 * stderr; *STATUS is scontrol's. "write config [FILE]" writes the cluster's slurm.conf to FILE.TIME (slurm.conf.TIME here). */
bool scontrol_answer(const struct session *s, const char *user, char **words, int *status);
/* Does its answer need a simulation? */
bool scontrol_answer_needs_run(char **words);
#endif
