/*
 * group_waits.h - where the waiting hours of each partition, account, user or QOS went, from a run.db.
 *
 * Every run of every job counts, array tasks singly: a task waited with its array until it was split off. An obstacle
 * is what the record names as in the way (a limit with its owner, the job ahead or depended on, the resource that was
 * short), or the reason itself where there is nothing more to name; its cost is the time that jobs of the class waited
 * for it.
 */
#ifndef TOOLS_GROUP_WAITS_H
#define TOOLS_GROUP_WAITS_H
#include "sched/base/duration.h"
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

struct sqlite3;
#define GROUP_ERROR (g_quark_from_static_string("group"))
enum { GROUP_OBSTACLES = 10 };

/* WHAT: "partition", "account", "user", "qos", or one of them with a name: "user=ann". Useful before a long run. */
bool group_check(const char *what, GError **error);
/* Print the classes, costliest first. False and ERROR when the record cannot be read or holds no such class. */
bool group_print(FILE *out, struct sqlite3 *db, const char *what, bool json, GError **error);
#endif
