/*
 * scontrol_rest.h - the verbs of scontrol that change no decision, and what it answers to them (tests/recorded/updates): setdebug, setdebugflags,
 * schedloglevel, write, completing, listpids, pidinfo, notify, wait_job, errnumstr, token, takeover, cluster, details, oneliner and the like.
 */
#ifndef SIM_SCONTROL_REST_H
#define SIM_SCONTROL_REST_H
#include <glib.h>
#include <stdbool.h>

struct sim;
/*
 * WORDS begin with the verb. False when it is none of these. Else *STATUS is scontrol's exit status, and TEXT gets its answer, lines separated by "\n", without
 * the last line's end. USER: who asks, NULL = root. S NULL: only what scontrol says without asking slurmctld.
 */
bool scontrol_rest(struct sim *s, const char *user, char **words, GString *text, int *status);
#endif
