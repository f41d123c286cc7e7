/*
 * groups.h - who is in which group of users: what AllowGroups of a partition asks for (limits L62, L68).
 *
 * The form of /etc/group, as "getent group" prints it: NAME:PASSWORD:GID:USER,USER... a line. Blank lines and lines that
 * begin with "#" are passed over; a group named again adds its users. Primary groups are not in it, add them.
 */
#ifndef MODELS_GROUPS_H
#define MODELS_GROUPS_H
#include "sched/base/diag.h"
#include <glib.h>

/* Group (owned text) -> set of user names (GHashTable of owned text). NULL and errors in D (file:line) when the file
 * cannot be read or has a bad line. g_hash_table_unref. */
GHashTable *groups_read(const char *path, struct diag *d);
/* The same for TEXT; NAME stands in messages. */
GHashTable *groups_read_text(const char *text, const char *name, struct diag *d);
#endif
