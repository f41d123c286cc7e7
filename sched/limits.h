/*
 * limits.h - the kinds of association and QOS limits, and what the files limits_*.c share (limits.md L1-L45).
 *
 *   limit_kind.c     the table of kinds: names, reasons, where a value stands; which QOS comes first (L3-L8)
 *   limits_count.c   what jobs hold (L20-L22)
 *   limits_submit.c  tests at submission and the time limit that they give (L25-L28)
 *   limits_start.c   tests before and after the choice of nodes (L30-L37), and MinPrioThreshold (L39)
 *   limits_run.c     limits that end a running job (L45)
 *   limits_accrue.c  limits on ageing jobs (L40)
 *   tres_usage.c     past use in TRES minutes and wall minutes (P31-P36)
 *
 * Order of evaluation (L3, L4): the first QOS completely, then the second, then the associations from the user up. The
 * first that sets a kind decides it, for each TRES by itself, and hides the others (L5).
 */
#ifndef SCHED_LIMITS_H
#define SCHED_LIMITS_H
#include "sched/blocker.h"
#include "sched/state.h"

enum limit_kind {
	/* for each TRES */
	LK_GRP_TRES,
	LK_GRP_MINS,
	LK_GRP_RUN_MINS,
	LK_MAX_PJ,
	LK_MAX_PN,
	LK_MAX_MINS_PJ,
	LK_MIN_PJ,
	LK_MAX_PA,
	LK_MAX_PU,
	LK_RUN_MINS_PA,
	LK_RUN_MINS_PU,
	LK_TRES_KINDS,
	/* one number */
	LK_GRP_JOBS = LK_TRES_KINDS,
	LK_GRP_SUBMIT,
	LK_GRP_WALL,
	LK_MAX_JOBS,
	LK_MAX_JOBS_PA,
	LK_MAX_JOBS_PU,
	LK_MAX_SUBMIT,
	LK_MAX_SUBMIT_PA,
	LK_MAX_SUBMIT_PU,
	LK_MAX_WALL,
	LK_GRP_ACCRUE,
	LK_MAX_ACCRUE,
	LK_MAX_ACCRUE_PA,
	LK_MAX_ACCRUE_PU,
	LK_KINDS
};

struct limit_info {
	const char *qos_name, *assoc_name; /* as sacctmgr prints it; NULL = there is no such limit there */
	enum reason qos_reason,
	    assoc_reason;       /* of the first class (cpu) for TRES kinds; REASON_NONE = it never holds a job */
	size_t offset;          /* in struct limits */
	bool per_node;          /* its reasons know neither nodes nor licences (R30) */
	enum limit_owner scope; /* whose counters a QOS's limit is compared with */
};
extern const struct limit_info limit_info[LK_KINDS];

/* The reason of a violated limit on TRES I (ignored for kinds with one number). */
enum reason limit_reason(const struct tres_table *t, enum limit_kind k, bool of_qos, uint32_t i);
/* NO_VAL / NO_VAL64 or INFINITE: not limited. */
static inline bool limit_set32(uint32_t v)
{
	return v != NO_VAL && v != INFINITE;
}
static inline bool limit_set64(uint64_t v)
{
	return v != NO_VAL64 && v != INFINITE64;
}
/* The value of a kind in L; NO_VAL when there is none. */
uint32_t limit_value(const struct limits *l, enum limit_kind k);
uint64_t limit_tres(const struct limits *l, enum limit_kind k, uint32_t i);
/* L6: the same with inheritance from the ancestors (Max* of a user association). */
uint32_t limit_inherited(const struct assoc *a, enum limit_kind k);
uint64_t limit_tres_inherited(const struct assoc *a, enum limit_kind k, uint32_t i);
/* False: there is no limit of kind K on any TRES. */
bool limit_tres_given(const struct limits *l, enum limit_kind k);
bool limit_tres_given_inherited(const struct assoc *a, enum limit_kind k);

struct qos_pair {
	struct qos *q[2];
}; /* L3; NULL = none */
struct qos_pair qos_pair(const struct job *j, const struct partition *p);
/* L8: an association's GrpTRES or MaxTRES of VALUE with the LimitFactor that applies. */
uint64_t limit_factored(const struct qos_pair *q, uint64_t value);
static inline bool limits_enforced(const struct controller *c)
{
	return (c->p->enforce & ENFORCE_LIMITS) != 0;
}
static inline bool limits_safe(const struct controller *c)
{
	return (c->p->enforce & ENFORCE_SAFE) != 0;
}

/* ---- counters ---- */
/* The counters that a limit of QOS q with SCOPE is compared with for job J; never NULL. */
const struct use *limit_use(const struct qos *q, enum limit_owner scope, const struct job *j);
const struct use *limit_use_of(const struct qos *q, enum limit_owner scope, const char *user, const char *account);
/* Counts of a job by TRES, V[tres->n]: of CPUS, NODES, MEM and what it asks of GRES and licences; or of ALLOC if given.
 */
void tres_vector(const struct controller *c, const struct job *j, uint32_t cpus, uint32_t nodes, uint64_t mem,
                 const struct job_alloc *a, uint64_t *v);
uint64_t requested_memory(const struct job *j);
/* L20: seconds that a job's limit stands for in the counters of run minutes. */
uint64_t limit_run_seconds(uint32_t minutes, double factor);
double usage_factor(const struct job *j); /* of the job's QOS; 1 without */
/* The QOS whose use a running (or ending) job changes: its own and, if another, its partition's. */
struct counted_qos {
	struct qos *q[2];
};
static inline struct counted_qos counted_qos(const struct job *j)
{
	struct qos *part = j->part ? j->part->qos : NULL;
	return (struct counted_qos){{j->qos, part != j->qos ? part : NULL}};
}

/* Of several QOS the one with the highest priority is what counts while the job waits (L20, L40). */
static inline struct qos *waiting_qos(const struct job *j)
{
	return j->several ? j->several[0] : j->qos;
}

/* ---- past use (tres_usage.c) ---- */
uint64_t usage_minutes(const long double *tres_usage, uint32_t i); /* L23 */
uint32_t wall_minutes(double wall);
/* N24: OUT := the nodes on which the associations and QOS of J that have a limit of nodes (GrpTRES=node) hold something. False when
 * there are none. */
bool limits_used_nodes(const struct controller *c, const struct job *j, struct bitset *out);
#endif
