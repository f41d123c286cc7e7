/*
 * reason_table.h - what each reason means and who can do what about it (spec reasons.md section 2, R30).
 *
 * One entry a reason: the one source of `whypend reasons` and of every explanation. Reasons of limits are composed from
 * the kind of limit, whose it is and what it counts.
 */
#ifndef SCHED_REASON_TABLE_H
#define SCHED_REASON_TABLE_H
#include "sched/reason.h"

struct reason_note { /* texts are owned; NULL = nothing to say */
	const char *name;
	const char *kind;  /* "pending", "held" (pending, priority 0), "running", "ended", "never set"; static */
	char *meaning;     /* in plain words */
	char *cleared;     /* what makes it go away */
	char *user;        /* what the job's owner can do */
	char *coordinator; /* what the owner of the account can do */
	char *admin;       /* what an operator can do */
	const char *time; /* can time alone (no job's end, no admin, no node's change) clear it? "no", or how; static */
	const char *absent; /* why no simulated cluster of any version shows it; NULL = one can; static */
	char *limit;      /* reasons of limits: the limit's name as sacctmgr prints it, "GrpTRES"; else NULL */
};

/* The entry of R; reason_note_clear frees its texts. */
struct reason_note reason_note(enum reason r);
void reason_note_clear(struct reason_note *n);
/* Why no simulated cluster of VERSION shows R; NULL = one can. Static. */
const char *reason_absent(enum slurm_version version, enum reason r);
/* Nobody can do anything but wait: neither the user, nor the coordinator, nor an admin. */
bool reason_note_wait_only(const struct reason_note *n);
#endif
