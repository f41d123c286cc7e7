/*
 * fairshare.h - usage, shares and fair-share of the associations of one controller (priority.md P30-P36, P43-P47).
 *
 * Usage stands in the associations and QOS themselves (acct.h); what is worked out from it - shares, effective usage, level
 * fair-share - stands here, in a node for each association, in order of id. A node's children are its SHARE children: an
 * account marked "parent" has none, its members sit one level higher (P43). All levels lie in one array, in the order in which
 * equal members are ranked, so that computing the tree allocates nothing.
 *
 *   shares.c     P43, P44: levels and norm shares; made anew when associations were added
 *   fairtree.c   P45;  classic.c  P46, P47
 *   charge.c     P31, P33, P34, P36: decay, reset and new usage
 *   decay.c      P30: the order of things in one pass of the decay thread
 *
 * Usage, effective usage and level fair-share are long double: equal levels are found by exact comparison (P1, P45).
 */
#ifndef SCHED_FAIRSHARE_H
#define SCHED_FAIRSHARE_H
#include "sched/acct.h"
#include "sched/controller.h"

#define SHARE_NONE UINT32_MAX

struct share_node {
	struct assoc *assoc;
	uint32_t parent;         /* index of the share parent (P43); SHARE_NONE for root */
	uint32_t first, n;       /* its share children: order[first .. first + n - 1] */
	uint32_t place;          /* its own place in order[] */
	uint64_t level_shares;   /* sum of its children's shares, "parent" members adding 0 */
	double norm_shares;      /* P44 */
	long double norm_usage, effective, level_fs; /* P45, P46 */
	bool known;              /* effective holds; a user's is unknown in classic until somebody needs it */
};

struct fairshare {
	struct acct *acct;       /* borrowed */
	bool tree;               /* Fair Tree, else classic */
	bool depth_oblivious;    /* P47 */
	bool newest_first;       /* order of equal members of 22.05: the database puts a new child before its siblings */
	bool assoc_raw;          /* NO_NORMAL_ASSOC */
	double damping;          /* FairShareDampeningFactor */
	struct share_node *node; /* [n], owned; index = id - 1 */
	uint32_t *order, *ranked; /* [n], owned; ranked: the same levels by level fair-share */
	uint32_t *downwards;      /* [n_downwards], owned: every node after its parent */
	uint32_t n, n_users, n_members, n_downwards; /* members: without root and what was deleted */
	uint32_t generation;                         /* of acct, when this was made */
};

/* Shares of ACCT (NULL: none) under the flags of P. Nothing is computed from usage yet. */
struct fairshare *fairshare_new(struct acct *acct, const struct sched_params *p);
void fairshare_free(struct fairshare *f);
/* Take in associations added, moved, deleted or with other shares since; cheap when there are none. New ones begin with
 * FairShare 0 (P45d). */
void fairshare_refresh(struct fairshare *f);
static inline struct share_node *share_node_of(const struct fairshare *f, const struct assoc *a)
{
	return &f->node[a->id - 1];
}
static inline bool shares_inherited(const struct share_node *m) { return m->assoc->shares == SHARES_PARENT; }
long double norm_usage_of(const struct fairshare *f, const struct share_node *m); /* usage / root's, at most 1 */

void fairtree_compute(struct fairshare *f);         /* P45: every user's fairshare */
void classic_accounts(struct fairshare *f);         /* P30.3: accounts top-down; users become unknown */
/* Effective usage from usage as it stands now; the share parent's must be known. */
long double classic_effective(const struct fairshare *f, const struct share_node *m);
double classic_factor(const struct fairshare *f, const struct share_node *m, long double effective); /* P46 */
/* P14: the factor of a job's association; in classic worked out here when it is still unknown. */
double fairshare_of(struct fairshare *f, struct assoc *a);

/* What the controller keeps about the decay thread. */
struct decay {
	sec_t last;            /* time of the previous pass; 0 = never */
	sec_t last_reset;      /* P33; of the last reset, or the controller's start */
	double per_second;     /* P31 */
	uint64_t passes;
};

double decay_per_second(uint32_t half_life);        /* P31: 1 - 0.693 / half-life; 1 without */
double decay_factor(double per_second, sec_t delta); /* of a pass */
void usage_decay(struct acct *acct, double factor);  /* P31 */
void usage_reset(struct acct *acct);                 /* P33: everything to 0 */
/* P33: when usage is reset next after a reset at LAST, looked at NOW; INT64_MAX = never. */
sec_t usage_next_reset(enum usage_reset_period period, sec_t last, sec_t now);
/* P34 for one job over (A, B]. */
void usage_charge(const struct cluster *cl, struct job *j, double per_second, sec_t a, sec_t b);
bool usage_any(const struct acct *acct);             /* somebody has usage left */
#endif
