/*
 * sshare_out.h - shares and usage of a live controller as sshare prints them (priority.md P56, command-output.md 5).
 *
 * Accounts in tree order, users after their account, each level by name. The caller is root: without all or users the user
 * rows are those of root alone. Works without accounting too: then only the header is printed. With json the same rows as
 * JSON (acct_json.h).
 */
#ifndef TOOLS_SSHARE_OUT_H
#define TOOLS_SSHARE_OUT_H
#include "sched/controller.h"
#include <stdio.h>

struct sshare_options {
	const char *format;   /* comma list of field names, "Account%30"; NULL = the default or long columns */
	const char *accounts; /* comma list: only these subtrees; NULL = all */
	const char *users;    /* comma list; NULL = root */
	bool all, only_users, is_long, partition, parsable, parsable2, no_header, json;
};

/* False and ERROR when a field is not known; useful before a long run. */
bool sshare_check(const struct sshare_options *o, GError **error);
void sshare_print(FILE *out, const struct controller *c, const struct sshare_options *o);
/* The names that a format may have, as sshare -e prints them. */
void sshare_print_fields(FILE *out);
#endif
