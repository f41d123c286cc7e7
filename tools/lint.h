/*
 * lint.h - what is legal in a site's files but surprises people: checks, and what they find.
 *
 * A check is a function over a site that was read without an error (what Slurm itself refuses is the readers' matter).
 * The table of all checks is in lint_checks.c; those of one idea share a file: lint_backfill.c, lint_main.c (the main
 * scheduler and the life of jobs), lint_priority.c, lint_usage.c, lint_limits.c, lint_limits_value.c,
 * lint_partitions.c, lint_memory.c, lint_nodes.c, lint_preempt.c, lint_reader.c, lint_upgrade.c.
 *
 * A finding says what is so (with the line that makes it so), why it matters in numbers of this site, and what to
 * set. Levels: an error is something that can not work (a limit that no job can meet); a warning is most likely not
 * meant; a note is a fact to know. A check has its usual level; a single finding may be milder where the site makes it
 * harmless. Of one check at most LINT_SHOWN findings are told, the last with the number of the others (of upgrade
 * checks all). The same site gives the same findings in the same order: by the table, then in the order of the files.
 */
#ifndef TOOLS_LINT_H
#define TOOLS_LINT_H
#include "sched/acct.h"
#include "sched/cluster.h"
#include "tools/lint_files.h"
#include "tools/lint_trace.h"
#include <glib.h>

enum lint_level { LINT_NOTE, LINT_WARNING, LINT_ERROR, LINT_LEVELS };

struct lint;
struct lint_check {
	const char *id; /* stable: scripts and CI name it */
	enum lint_level level;
	const char *title; /* what it looks for, one line */
	const char *rule;  /* ids of the rules behind it */
	void (*run)(struct lint *l);
};
extern const struct lint_check lint_checks[]; /* ends with id NULL */
/* The check called ID; NULL. */
const struct lint_check *lint_check_find(const char *id);
const char *lint_level_name(enum lint_level level);              /* "note", "warning", "error" */
bool lint_level_parse(const char *text, enum lint_level *level); /* false: no such level */

struct lint_finding {
	const struct lint_check *check;
	enum lint_level level;
	char *file;             /* owned */
	guint line;             /* 0 = no single line: a default, or a setting of --set */
	char *what, *why, *set; /* owned; one line each, without a full stop at the end */
	const char *rule;       /* static; the check's, or the one of this finding */
};

/* Releases of Slurm as numbers: 22.05 is 2205. */
struct lint_upgrade {
	uint32_t from, to; /* to 0 = not asked: the upgrade checks find nothing */
};
/* "26.05", "24.11": false on anything else. */
bool lint_release_parse(const char *text, uint32_t *release);

/* Is WORD one of the values of KEY that today's releases refuse? (Its readers refuse it too: read on without it.) */
bool lint_value_was_removed(const char *key, const char *word);

/* A site, as the checks see it. All borrowed but what lint_run makes. */
struct lint_site {
	const struct cluster *cluster;
	const struct lint_files *files;
	const struct lint_trace *trace;   /* NULL = none */
	const GPtrArray *reader_warnings; /* of char *: "FILE:LINE:COLUMN: text"; NULL = none */
	const GPtrArray *untracked;       /* of char *: TRES in limits that AccountingStorageTRES lacks; NULL = none */
	struct lint_upgrade upgrade;
};
/* All findings, of struct lint_finding *; free with g_ptr_array_unref. */
GPtrArray *lint_run(const struct lint_site *site);

/* ---- for the checks ---- */

struct lint {
	const struct lint_site *site;
	const struct cluster *c;
	const struct sched_params *p;
	const struct acct *acct;
	const struct lint_files *files;
	const struct lint_trace *trace;
	/* how many of each the checks look at: checks of pairs must end on hostile files too */
	guint n_parts, n_configs, n_qos;
	uint64_t total[TRES_MAX];       /* what all nodes have of each TRES */
	const struct lint_check *check; /* the one that runs */
	GPtrArray *findings;
	guint first; /* of the findings: the first one of the running check */
	guint more;  /* findings of it beyond LINT_SHOWN, not kept; with their highest level */
	enum lint_level more_level;
	GStringChunk *texts; /* of lint_time and the like */
};

#define fmt g_strdup_printf
/* Add a finding of the running check. Takes the three texts. NULL when the check has told enough, else the finding,
 * which may be changed. */
struct lint_finding *lint_add(struct lint *l, enum lint_level level, struct lint_place at, char *what, char *why,
                              char *set);
/* "2-00:00:00", "UNLIMITED"; live as long as L. */
const char *lint_minutes(struct lint *l, uint32_t minutes);
const char *lint_seconds(struct lint *l, int64_t seconds);
const char *lint_mem(struct lint *l, uint64_t mib);
/* Where a SchedulerParameters token stands: its setting, the line of SchedulerParameters that names it; else OTHERWISE.
 */
struct lint_place lint_at_token(const struct lint *l, const char *token, struct lint_place otherwise);
/* The same; else the line of SchedulerParameters. */
static inline struct lint_place lint_sp(const struct lint *l, const char *token)
{
	return lint_at_token(l, token, lint_at(l->files, "SchedulerParameters"));
}
bool lint_has_token(const struct lint *l, const char *token);

#define LINT_MANY 1000u /* partitions, node lines and QOS beyond that are not looked at */
#define LINT_SHOWN 8u   /* findings of a check */
/* The running check has told enough: places need not be looked up any more. */
static inline bool lint_full(const struct lint *l)
{
	return l->findings->len - l->first >= LINT_SHOWN;
}

static inline const struct partition *lint_part(const struct lint *l, guint i)
{
	return g_ptr_array_index(l->c->partitions, i);
}
/* Partition I when jobs can start there: UP or DRAIN, with nodes; else NULL. */
const struct partition *lint_live_part(const struct lint *l, guint i);
static inline const struct node_config *lint_config(const struct lint *l, guint i)
{
	return g_ptr_array_index(l->c->configs, i);
}
static inline const struct qos *lint_qos(const struct lint *l, guint i)
{
	return g_ptr_array_index(l->acct->qos, i);
}
static inline const struct assoc *lint_assoc(const struct lint *l, guint i)
{
	return g_ptr_array_index(l->acct->assocs, i);
}
bool lint_backfills(const struct lint *l); /* the backfill thread runs */
/* Users (not root) of the accounting file. */
guint lint_users(const struct lint *l);
/* The largest priority that the weights can give (P5, P6), before the clamp. */
double lint_top_priority(const struct lint *l);
bool lint_enforces(const struct lint *l, uint32_t what); /* ENFORCE_*, with accounting */
/* Is the accounting file there: without one there is nothing to say about users and QOS. */
static inline bool lint_knows_accounts(const struct lint *l)
{
	return l->files->acct_name != NULL;
}
/* Jobs without -t are refused at submission (JobSubmitPlugins=require_timelimit). */
static inline bool lint_requires_limit(const struct lint *l)
{
	return l->p->require_timelimit_plugin;
}
#endif
