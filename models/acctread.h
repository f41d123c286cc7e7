/* acctread.h - what the two readers of accounting files share; private to models/. */
#ifndef MODELS_ACCTREAD_H
#define MODELS_ACCTREAD_H
#include "sched/acct.h"
#include "sched/base/diag.h"
#include <stdbool.h>

#define ACCT_QOS_MAX 10000u
#define ACCT_WORK_MAX UINT64_C(4000000000) /* associations looked at by all "modify" commands */

struct acct_reader {
	struct acct *a;
	struct diag *d;
	const char *by; /* who asks, with the rights of a coordinator at most; NULL = with an operator's */
	const char *file;
	guint line;
	bool dump;            /* sacctmgr dump, not commands */
	bool qos_lines;       /* a QOS was defined in the file */
	bool make_qos;        /* an old dump: unknown QOS are made */
	GHashTable *defaults; /* user -> account, both owned: DefaultAccount as given */
	guint64 work_left;
	/* tables (accttable.c) */
	char *cluster;          /* owned; lower case; rows of other clusters are left out. NULL = the first row's */
	guint other_clusters, no_parents, added_qos;
	bool qos_tables; /* QOS were named by tables before */
	bool own_only; /* a table with wopinfo: what a row inherits is not shown */
	GPtrArray *path;        /* of char *: accounts from the top down to the last row, by its blanks */
	GHashTable *seen_cells; /* struct assoc * -> what its row shows (owned) */
	bool table;             /* of a table: rows may repeat what another file said */
	bool make_tree;         /* sshare is all there is */
};

/* One option: Key=Value, Key+=Value or Key-=Value. */
struct acct_option {
	char *key, *value; /* owned; value unquoted; key NULL for a bare word */
	char op;           /* 0, '+' or '-' */
	guint column;
};
void acct_option_free(void *option);

void acct_error(struct acct_reader *r, guint column, const char *hint, const char *format, ...) G_GNUC_PRINTF(4, 5);
void acct_warn(struct acct_reader *r, guint column, const char *hint, const char *format, ...) G_GNUC_PRINTF(4, 5);

/* Where options go: one of the two. */
struct acct_target {
	struct assoc *assoc;
	struct qos *qos;
};
/*
 * Set one limit or property (acctopts.c). Keys may be shortened to a unique beginning of 3 letters or more. Errors:
 * unknown key (with "did you mean"), bad value, unknown QOS or TRES.
 */
void acct_apply(struct acct_reader *r, const struct acct_target *t, const struct acct_option *o);
/* Does KEY stand for NAME: equal, or a beginning of at least SHORTEST letters (case ignored)? */
bool acct_key_is(const char *key, const char *name, gsize shortest);

/* Options of a user line that are no limits: DefaultAccount, AdminLevel, Coordinator, WCKeys... True when O was one of
 * them. */
bool acct_user_option(struct acct_reader *r, const char *user, const struct acct_option *o);
/* USER is coordinator of the comma list ACCOUNTS, which may be defined later. */
void acct_coordinator_of(struct acct *a, const char *user, const char *accounts);
/* Options without effect here: Description, Organization, Comment, Cluster. True when O was one. */
bool acct_ignored_option(const struct acct_option *o);
/* True when O was description or organization, which are now those of AS when it is an account. */
bool acct_about_option(struct assoc *as, const struct acct_option *o);

/*
 * Rights of r->by (acctright.c; recorded on 22.05, tests/recorded/holds-coordinators): ACCOUNT is his or below his; with BELOW one above it is
 * his. True also of an unknown account, which has an error of its own.
 */
bool acct_reaches(const struct acct_reader *r, const char *account, bool below);
bool acct_reaches_all(const struct acct_reader *r, char **accounts, bool below); /* NULL: every account there is */
bool acct_sets_admin(const GPtrArray *set); /* of struct acct_option: an AdminLevel among them */
/* "Problem adding WHAT: Access/permission denied", of NULL the text for modify and delete. False. */
bool acct_denied(struct acct_reader *r, guint column, const char *what);

struct assoc *acct_make_account(struct acct_reader *r, guint column, const char *name, const char *parent);
struct assoc *acct_make_user(struct acct_reader *r, guint column, const char *user, const char *account,
                             const char *partition);
struct qos *acct_make_qos(struct acct_reader *r, guint column, const char *name);

/* Tables with columns between "|" and JSON (accttable.c). NAMES_ONLY: QOS are made, their values left for later. */
void acct_qos_table(struct acct_reader *r, const char *text, bool names_only);
void acct_qos_json(struct acct_reader *r, const char *text, bool names_only);
void acct_assoc_table(struct acct_reader *r, const char *text);
void acct_user_table(struct acct_reader *r, const char *text);
/* RawUsage, and GrpTRESRaw if there: usage at the start. */
void acct_usage_table(struct acct_reader *r, const char *text);

/* The readers (acctcmds.c, acctdump.c): one logical line each. */
void acct_command(struct acct_reader *r, char *line);
struct dump_state {
	char *parent; /* owned; NULL = root */
	bool cluster; /* the Cluster line was seen */
};
void acct_dump_line(struct acct_reader *r, struct dump_state *s, char *line);
#endif
