/* command_read.h - what the files that read command lines share: commands.c (jobs, reservations, the rest), commands_cluster.c (partitions, nodes, the
 * controller). */
#ifndef SIM_COMMAND_READ_H
#define SIM_COMMAND_READ_H
#include "sched/update.h"
#include "sim/commands.h"

/* False, with "command "TEXT": WHY" in ERROR. */
bool command_bad(GError **error, const char *text, const char *why);
struct command_pair *command_pair_new(const char *word);

/* scontrol update partition or node: C has its entity and pairs. */
bool command_read_settings(struct command *c, GError **error);
/* The other verbs of scontrol that are about partitions, nodes or the controller; WORDS begin with the verb. *KNOWN: it was one of them. */
bool command_read_cluster(struct command *c, char **words, bool *known, GError **error);
#endif
