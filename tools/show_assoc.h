/*
 * show_assoc.h - scontrol show assoc_mgr: what the controller holds of users, associations and QOS, each limit with what
 * counts against it, "limit(use)", N for no limit (spec command-output.md 7).
 */
#ifndef TOOLS_SHOW_ASSOC_H
#define TOOLS_SHOW_ASSOC_H
#include "tools/job_fields.h"

struct assoc_filter { /* comma lists; NULL = all */
	const char *users, *accounts, *qos;
	const char *flags; /* users, assoc, qos: which parts */
};

/* Takes "users=..", "accounts=..", "qos=..", "flags=..": false when WORD is none of them, or a flag is not known. */
bool assoc_filter_read(struct assoc_filter *f, const char *word);
/* FLAGS as of show.h. */
void show_assoc_mgr(FILE *out, const struct job_view *v, const struct assoc_filter *f, int flags);
#endif
