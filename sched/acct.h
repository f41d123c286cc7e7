/*
 * acct.h - accounting as the controller holds it: the association tree and the QOS, with limits and use.
 *
 * The tree has one root; accounts are inner nodes, users are leaves (an association of a user with an account, optionally for one
 * partition). Limits hold NO_VAL/NO_VAL64 for "not set" and INFINITE for "cleared" (-1). TRES arrays have tres->n entries and may be
 * NULL (nothing set). Usage fields are maintained by sched/ alone.
 */
#ifndef SCHED_ACCT_H
#define SCHED_ACCT_H
#include "sched/base/tres.h"
#include "sched/params.h"
#include <glib.h>

#define SHARES_PARENT 2147483647u /* fairshare=parent (P3) */

struct limits { /* of an association (Grp*, Max*) or a QOS; units: minutes for wall and TRES minutes */
	uint64_t *grp_tres, *grp_tres_mins, *grp_tres_run_mins;                 /* [tres->n] or NULL; owned */
	uint64_t *max_tres_pj, *max_tres_pn, *max_tres_mins_pj;                 /* per job, per node, minutes per job */
	uint64_t *max_tres_pu, *max_tres_pa, *max_tres_run_mins_pu, *max_tres_run_mins_pa, *min_tres_pj; /* QOS only */
	uint32_t grp_jobs, grp_submit, grp_wall, grp_jobs_accrue;
	uint32_t max_jobs, max_submit, max_wall, max_jobs_accrue;               /* association: per user; QOS: unused but max_wall (per job) */
	uint32_t max_jobs_pu, max_jobs_pa, max_submit_pu, max_submit_pa, max_accrue_pu, max_accrue_pa; /* QOS only */
	uint32_t min_prio_thresh;
};

struct use { /* what running and pending jobs hold (L20) */
	uint32_t jobs, submit, accrue; /* accrue: waiting jobs that age (L40) */
	uint64_t *tres;      /* [tres->n], running */
	uint64_t *run_secs;  /* [tres->n]: TRES seconds of the limits of what runs (L20) */
	uint16_t *node_jobs; /* [nodes]: jobs on each; NULL while no limit asks for nodes */
	uint32_t nodes;      /* distinct ones */
};

struct assoc {
	uint32_t id;                  /* 1 = root, then in the order of creation */
	bool charged;                 /* usage was added since the last decay pass told the host (fairshare.h) */
	double fairshare;             /* last computed factor (P14); here, where a tick over many jobs finds it with id */
	double priority_factor;       /* P18 */
	struct assoc *parent;         /* NULL for root */
	long double usage;            /* raw usage, billing seconds (P34); this and the next two are kept by fairshare.h */
	long double *tres_usage;      /* past TRES seconds [TRES_MAX] (P34), only with limits; owned */
	double wall;                  /* past seconds (P34) */
	char *account, *user, *partition; /* owned; user NULL for accounts, partition NULL = any. Lower case */
	GPtrArray *children;          /* borrowed */
	uint32_t shares;              /* 1; SHARES_PARENT */
	uint32_t priority;            /* NO_VAL = inherit */
	struct limits limits;
	char **qos;                   /* owned strv of allowed QOS names; NULL = inherit; root default {"normal"} */
	char *default_qos;            /* owned; NULL = inherit */
	char *description, *organization; /* of an account, lower case; owned; NULL */
	bool is_default;              /* the user's default account */
	bool removed; /* deleted during a run: no new job uses it, and it has no shares; the record stays for its id */
	bool changed; /* a limit or property was set since the controller looked (controller_accounting_changed) */
	struct use use;
};

enum { /* QOS flags */
	QOS_DENY_LIMIT = 1, QOS_OVER_PART_QOS = 2, QOS_NO_RESERVE = 4, QOS_PART_MAX_NODE = 8, QOS_PART_MIN_NODE = 16, QOS_PART_TIME_LIMIT = 32,
	QOS_ENFORCE_USAGE_THRESHOLD = 64, QOS_REQUIRES_RESV = 128, QOS_NO_DECAY = 256, QOS_USAGE_FACTOR_SAFE = 512, QOS_RELATIVE = 1024
};
struct qos {
	uint32_t id;                  /* 1 = normal, then in the order of creation */
	char *name, *description;     /* owned, name lower case */
	uint32_t flags, priority;
	double usage_factor;          /* 1.0 */
	double limit_factor;          /* < 0 = unset */
	double usage_threshold;       /* < 0 = unset */
	struct limits limits;
	char **preempt;               /* owned strv of names; NULL = none */
	int preempt_mode;             /* enum preempt_mode; PREEMPT_MODE_UNSET = the cluster's */
	uint32_t preempt_flags;       /* PREEMPT_WITHIN, PREEMPT_PRIORITY of its mode */
	char *preempt_mode_text;      /* owned; NULL */
	int grace_time; int64_t preempt_exempt_time; /* seconds; -1 = unset */
	struct use use;
	GHashTable *use_by_user, *use_by_account; /* char * -> struct use *, owned, made on demand */
	long double usage, *tres_usage; double wall; /* as of an association */
	bool relative_done;           /* L9: percentages have been turned into counts */
	bool removed, changed;        /* as of an association */
};

struct acct {
	struct tres_table *tres;      /* borrowed */
	struct assoc *root;
	GPtrArray *assocs;            /* owned, in order of id */
	GPtrArray *blocks;            /* owned: where they lie, close together, as a decay tick reads all of them */
	GPtrArray *qos;               /* owned, in order of id; [0] is "normal" */
	GHashTable *admin;            /* user name -> admin level text; owned */
	GHashTable *coordinators;     /* account -> GPtrArray of the users named for it; all owned, lower case */
	uint32_t max_qos_priority;    /* derived (P17) */
	bool (*in_use)(void *data,
	               const struct assoc *as); /* set by the controller: has AS jobs? It is not deleted then. NULL */
	void *in_use_data;
	uint32_t generation;          /* raised when the tree or its shares change: fairshare_refresh looks at it */
	GHashTable *by_key;           /* "account\1user\1partition" -> struct assoc *; owned keys */
	GHashTable *default_account;  /* user -> account; owned */
};

struct acct *acct_new(struct tres_table *tres); /* root account, root's own user association, QOS normal */
void acct_free(struct acct *a);
void limits_init(struct limits *l);                     /* everything unset */
#define LIMITS_TRES 11
/* The arrays of L that hold a value for each TRES (each may be NULL), into OUT [LIMITS_TRES]. */
void limits_tres_arrays(const struct limits *l, uint64_t **out);
struct qos *acct_add_qos(struct acct *a, const char *name);          /* the existing one if known */
struct qos *acct_find_qos(const struct acct *a, const char *name);   /* NULL */
/* Add account NAME under PARENT (NULL or unknown name: root). The existing one if known. */
struct assoc *acct_add_account(struct acct *a, const char *name, const char *parent);
/* Add USER to ACCOUNT (must exist, else NULL) for PARTITION (NULL = any). The first account of a user is the default one. */
struct assoc *acct_add_user(struct acct *a, const char *user, const char *account, const char *partition);
/* Make ACCOUNT the default account of USER (both need not exist yet). */
void acct_set_default_account(struct acct *a, const char *user, const char *account);
/* Delete AS with everything below it, or Q: nothing finds them by name any more. Jobs may still point to them. Not
 * root. */
void acct_remove(struct acct *a, struct assoc *as);
void acct_remove_qos(struct acct *a, struct qos *q);
/* Warm start: the raw usage of AS becomes USAGE billing seconds; the accounts above change by the difference. For a user, or an
 * account and 0: everything below it is reset. */
void acct_set_usage(struct assoc *as, long double usage);
/* Hang account AS under UP; false when UP is AS or below it. */
bool acct_move(struct acct *a, struct assoc *as, struct assoc *up);
/* The use that NAME has in a QOS's use_by_user or use_by_account; made when there is none yet. */
struct use *acct_use_of(GHashTable *table, const char *name);
struct assoc *acct_find_account(const struct acct *a, const char *account);
/* The association that a job of USER in ACCOUNT (NULL = the user's default) and PARTITION uses: the partition-specific one if there is one. NULL = none. */
struct assoc *acct_find(const struct acct *a, const char *user, const char *account, const char *partition);
/*
 * Coordinators (acct_coord.c): users who may act on the jobs of an account and of all accounts below it. ADD: true when that is new.
 * REMOVE: ACCOUNT or USER may be NULL for all; true when there was one. COORDINATES: of ACCOUNT, or of one above it.
 */
bool acct_add_coordinator(struct acct *a, const char *account, const char *user);
bool acct_remove_coordinator(struct acct *a, const char *account, const char *user);
bool acct_coordinates(const struct acct *a, const char *user, const char *account);
/* The users named for an account itself, in name order (of borrowed char *); g_ptr_array_unref. */
GPtrArray *acct_coordinators(const struct acct *a, const char *account);
/* The order in which accounting lists the children of an account: users before accounts, by name; of a user's associations 22.05 (OLD)
 * lists the newest first, later releases that without a partition. LIST: of struct assoc *. */
int assoc_by_place(const struct assoc *x, const struct assoc *y, bool old);
void acct_sort_children(GPtrArray *list, bool old);
/* As given, or what sacctmgr fills in: the name, and for the organization that of the parent account. Borrowed. */
const char *account_description(const struct assoc *a);
const char *account_organization(const struct assoc *a);
const char *qos_description(const struct qos *q);
/* Allowed QOS names of an association (inherited); borrowed strv. And the default QOS's name (inherited; "normal" if allowed, else the first). */
char **assoc_qos_list(const struct assoc *as);
const char *assoc_default_qos(const struct assoc *as);
/* The limit at OFFSET of struct limits, the nearest one up the tree; NO_VAL = none. */
uint32_t assoc_inherited_count(const struct assoc *as, size_t offset);
/* The same of an array of TRES limits, each TRES by itself: OUT [N]; NO_VAL64 = none. */
void assoc_inherited_tres(const struct assoc *as, size_t offset, uint32_t n, uint64_t *out);
/* Recompute derived values (largest QOS priority) after changes. */
void acct_refresh(struct acct *a);
/* What was changed so far is known: the marks are cleared. */
void acct_changes_seen(struct acct *acct);
#endif
