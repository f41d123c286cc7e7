/* attempt.c - one try to start a job now, and what its failure means (R15, N60, S27) */
#include "sched/gang.h"
#include "sched/limits.h"
#include "sched/power.h"
#include "sched/preempt.h"
#include "sched/recall.h"
#include "sched/reservation.h"
#include "sched/select.h"
#include "sched/share.h"
#include "sched/state.h"

#include <string.h>

/* T of N60: nodes of the partition that could ever hold a share of the job, down ones included. */
static void ever_nodes(const struct controller *c, const struct job *j, struct bitset *out)
{
	bitset_assign(out, j->part->nodes);
	if (j->exc_nodes)
		bitset_andnot(out, j->exc_nodes);
	if (j->resv && resv_binds(j->resv))
		bitset_and(out, j->resv->nodes);
	if (bitset_count(j->config_ok) == c->cl->configs->len)
		return;
	for (guint i = 0; i < c->cl->configs->len; i++)
		if (!bitset_test(j->config_ok, i))
			bitset_andnot(out, ((struct node_config *)c->cl->configs->pdata[i])->nodes);
}

/* N23: an attempt sets the weights of the nodes it may use anew. */
static void set_weights(struct controller *c, const struct job *j)
{
	if (!c->sel->bytes_differ)
		return;
	ever_nodes(c, j, c->tmp_nodes2);
	if (c->start_only) /* recorded (22.05 hetjob): for a start by backfill all others count as excluded (B45) */
		bitset_and(c->tmp_nodes2, c->start_only);
	trial_forget_bytes(c->sel, c->tmp_nodes2);
}

/* Would the job run on NODES if nothing else ran? */
static bool test_only(struct controller *c, struct job *j, const struct bitset *nodes, struct trial_counts n)
{
	return trial_begin(c->sel, j, j->part, c->use, nodes, n, TRIAL_TEST_ONLY, NULL) && trial_choose(c->sel);
}

static bool ever_runs(struct controller *c, struct job *j, struct trial_counts n)
{
	if (j->ever_version == c->config_version + 1 && j->ever_part == j->part && j->ever_resv == j->resv &&
	    !(j->n_gres && c->p->version == SLURM_22_05))
		return j->ever_ok;
	ever_nodes(c, j, c->tmp_nodes);
	bool ok = bitset_count(c->tmp_nodes) >= n.min && test_only(c, j, c->tmp_nodes, n);
	j->ever_version = c->config_version + 1;
	j->ever_part = j->part;
	j->ever_resv = j->resv;
	j->ever_ok = ok;
	return ok;
}

/* T2a/T2b (R40): nodes of the partition that are not available; since 24.11 only those that are DOWN. */
static char *unavailable_text(const struct controller *c, const struct job *j, const struct bitset *avail)
{
	struct bitset *list = bitset_copy(j->part->nodes);
	bitset_andnot(list, avail);
	if (j->req_nodes)
		bitset_and(list, j->req_nodes);
	int64_t i;
	for (BITSET_EACH(i, list)) {
		enum node_base base = c->cl->node[i]->base;
		if (c->p->version == SLURM_22_05 ? base == NODE_FUTURE : base != NODE_DOWN) /* FUTURE: recorded, partition-updates */
			bitset_clear(list, (uint32_t)i);
	}
	g_autofree char *names = cluster_format_nodes(c->cl, list);
	bitset_free(list);
	if (!*names)
		return g_strdup("ReqNodeNotAvail, May be reserved for other job");
	return g_strdup_printf("ReqNodeNotAvail, UnavailableNodes:%s", names);
}

/* N60: what a failed selection means. AVAIL: the working set; ALLOWED_NODES: what reservations leave of it; A = those of T,
 * U = A without nodes lost to the sharing filter or to COMPLETING. */
struct verdict { bool required_missing, ever, passed, busy; };

static struct verdict classify(struct controller *c, struct job *j, const struct bitset *avail,
			       const struct bitset *allowed_nodes, struct trial_counts n)
{
	struct verdict v = {.ever = true};
	if (j->req_nodes && !bitset_subset(j->req_nodes, avail)) {
		v.required_missing = true;
		return v;
	}
	struct bitset *t = c->tmp_nodes, *a = c->tmp_nodes2;
	ever_nodes(c, j, t);
	bitset_assign(a, t);
	bitset_and(a, allowed_nodes);
	uint32_t n_a = bitset_count(a), n_u = 0;
	bool all_available = n_a == bitset_count(t);
	const struct bitset *allowed = share_alone(c->p, j) ? c->use->idle : c->use->nonexclusive;
	int64_t i;
	for (BITSET_EACH(i, a))
		n_u += bitset_test(allowed, (uint32_t)i) && !usage_node(c->use, (uint32_t)i)->completing;
	if (preempt_enabled(c)) { /* E11 in the place of N26 */
		preempt_usable(c, j, c->victim_nodes);
		for (n_u = 0, i = bitset_next(a, 0); i >= 0; i = bitset_next(a, (uint32_t)i + 1))
			n_u += bitset_test(c->victim_nodes, (uint32_t)i);
	}
	v.busy = n_u != n_a;
	if (n_u >= n.min && !all_available)
		v.passed = test_only(c, j, a, n);
	else if (n_u >= n.min)
		v.passed = ever_runs(c, j, n);
	v.ever = v.passed || ever_runs(c, j, n);
	return v;
}

static void short_of_licences(struct controller *c, struct job *j)
{
	struct blocker b = license_blocker(c, j);
	job_blocked(c, j, REASON_LICENSES, NULL, &b);
}

#define MAINTENANCE_TEXT "ReqNodeNotAvail, Reserved for maintenance" /* T3 */

/* R15, recorded (topo_tree): topology/tree took as many nodes as the job may have, and their CPUs were too few. */
#define OVER_NODES_TEXT "Exceeded maximum node limit during topology allocation"

static enum attempt failed(struct controller *c, struct job *j, const struct bitset *avail,
			   const struct resv_answer *resv, bool licenses, struct trial_counts n)
{
	struct verdict v = classify(c, j, avail, c->resv_nodes, n);
	if (!v.required_missing && !v.ever && resv->overlap && !j->resv) {
		struct blocker b = blocker_nodes(c, j, avail, c->resv_nodes);
		job_blocked(c, j, REASON_RESERVATION, NULL, &b);
		return ATTEMPT_UNAVAILABLE;
	}
	if (!v.required_missing && !licenses) {
		short_of_licences(c, j);
		return ATTEMPT_LICENSES;
	}
	if (!v.ever)
		return ATTEMPT_NEVER;
	if (v.required_missing || (!v.passed && !v.busy)) {
		bool maintenance = !v.required_missing && resv->verdict == RESV_MAINTENANCE;
		bool in_resv = maintenance && j->resv;
		g_autofree char *text = maintenance ? g_strdup(MAINTENANCE_TEXT) : unavailable_text(c, j, avail);
		struct blocker b = blocker_nodes(c, j, avail, c->resv_nodes);
		job_blocked(c, j, REASON_REQ_NODE_NOT_AVAIL, text, &b);
		/* S27: a reservation that is not usable: its nodes leave the working set (measured) */
		return in_resv ? ATTEMPT_RESV_CLOSED : ATTEMPT_UNAVAILABLE;
	}
	struct blocker b = blocker_fit(c, j, avail);
	job_blocked(c, j, REASON_RESOURCES, j->over_nodes && since(c->p, R15_TOPOLOGY_TEXT) ? OVER_NODES_TEXT : NULL, &b);
	return ATTEMPT_BUSY;
}

bool limits_counts(struct controller *c, struct job *j, const struct partition *p, struct trial_counts *n)
{
	struct blocker b;
	enum reason why;
	uint32_t cap = limits_node_cap(c, j, &b, &why);
	*n = trial_counts_for(j, p, cap);
	if (why == REASON_NONE || cap >= n->min)
		return true;
	job_blocked(c, j, why, NULL, &b);
	return false;
}

/* The partition's list that keeps J's QOS, account or group out. */
static const char *list_of(char **allow, const char *allows, const char *denies)
{
	return allow ? allows : denies;
}

/* The node counts that leave nothing to try: the job's own, those of the partition, or too many nodes by name. */
static struct blocker no_counts(const struct job *j, struct trial_counts n)
{
	bool listed = n.max >= n.min;
	return blocker_partition(j->part, listed ? "nodes at most, fewer than are named" : "MaxNodes", n.max,
				 listed ? bitset_count(j->req_nodes) : n.min);
}

/* R15 up to the node counts: may the job be tried at all in its partition? */
static enum attempt may_try(struct controller *c, struct job *j, bool real)
{
	if (!limits_before(c, j))
		return ATTEMPT_LIMIT;
	if (!partition_qos_ok(j, j->part)) {
		g_autofree char *text = partition_qos_text(j, j->part);
		struct blocker b = blocker_access(j->part, list_of(j->part->allow_qos, "AllowQos", "DenyQos"));
		job_blocked(c, j, REASON_QOS_NOT_ALLOWED, text, &b);
		return ATTEMPT_NOT_ALLOWED;
	}
	if (!partition_account_ok(c, j, j->part)) {
		if (c->p->version == SLURM_22_05) { /* R80 */
			g_autofree char *text = partition_account_text(j, j->part);
			struct blocker b = blocker_access(j->part, list_of(j->part->allow_accounts, "AllowAccounts", "DenyAccounts"));
			job_blocked(c, j, REASON_ACCOUNT_NOT_ALLOWED, text, &b);
		}
		return real ? ATTEMPT_NOT_ALLOWED : ATTEMPT_PARTITION;
	}
	if (c->p->version != SLURM_22_05 && !partition_group_ok(c, j, j->part)) { /* L68 */
		g_autofree char *text = partition_group_text(j, j->part);
		struct blocker b = blocker_access(j->part, "AllowGroups");
		job_blocked(c, j, REASON_ACCOUNT_NOT_ALLOWED, text, &b);
		return real ? ATTEMPT_NOT_ALLOWED : ATTEMPT_PARTITION;
	}
	return ATTEMPT_OK;
}

static struct job_alloc *select_now(struct controller *c, struct job *j, struct trial_counts n)
{
	bool chosen = share_active(c) && !j->het
			  ? share_choose(c, j, c->tmp_nodes, n, true)
			  : trial_begin(c->sel, j, j->part, c->use, c->tmp_nodes, n, TRIAL_RUN_NOW, c->running.head) && trial_choose(c->sel);
	struct job_alloc *a = chosen ? trial_place(c->sel) : NULL;
	c->sel->admitted = NULL;
	return a;
}

/* --prefer is tried first, then without it (N28). */
static struct job_alloc *prefer_now(struct controller *c, struct job *j, struct trial_counts n)
{
	if (!j->prefer)
		return NULL;
	demand_swap_prefer(j);
	struct job_alloc *a = select_now(c, j, n);
	demand_swap_prefer(j);
	return a;
}

/* A start now in c->tmp_nodes; what has just failed need not be tried again. */
static struct job_alloc *start_in(struct controller *c, struct job *j, struct trial_counts n)
{
	if (recall_fails_now(c->recall, c, j, c->resv_nodes, &n))
		return NULL;
	sec_t bound = c->time_bound;
	c->time_bound = INT64_MAX;
	c->sel->over_nodes = false;
	struct job_alloc *a = prefer_now(c, j, n);
	a = a ? a : select_now(c, j, n);
	j->over_nodes = !a && c->sel->over_nodes;
	if (!a)
		recall_failed_now(c->recall, c, j, c->resv_nodes, &n, c->time_bound);
	c->time_bound = MIN(bound, c->time_bound);
	return a;
}

/* C60 now: c->resv_nodes = what is left of AVAIL in the partition. */
static struct resv_answer reserved(struct controller *c, struct job *j, const struct bitset *avail)
{
	bitset_assign(c->resv_nodes, avail);
	bitset_and(c->resv_nodes, j->part->nodes);
	return resv_allow(c, j, c->now_s, false, c->resv_nodes);
}

enum attempt attempt_start(struct controller *c, struct job *j, const struct bitset *avail, struct job_alloc **alloc)
{
	enum attempt may = may_try(c, j, true);
	if (may != ATTEMPT_OK)
		return may;
	struct resv_answer resv = reserved(c, j, avail);
	if (resv.verdict == RESV_NOT_ACTIVE || resv.verdict == RESV_INVALID) {
		struct blocker b = blocker_reservation(c, j);
		job_blocked(c, j, REASON_RESERVATION, NULL, &b);
		return resv.verdict == RESV_INVALID ? ATTEMPT_RESV_INVALID : ATTEMPT_RESV_CLOSED;
	}
	struct trial_counts n;
	if (!limits_counts(c, j, j->part, &n))
		return ATTEMPT_LIMIT;
	bool licenses = license_available(c, j);
	bool counts_ok = n.max >= n.min && !(j->req_nodes && bitset_count(j->req_nodes) > n.max);
	*alloc = NULL;
	if (!j->first_try)
		j->first_try = c->now_s;
	if (counts_ok && licenses) {
		resv_block_parts(c, j, c->now_s, resv.part_nodes);
		bitset_assign(c->tmp_nodes, c->resv_nodes);
		set_weights(c, j);
		c->sel->held = first_nodes(c, j);
		*alloc = start_in(c, j, n);
		c->sel->held = NULL;
	}
	struct selection chosen = {j->min_cpus, n.req, requested_memory(j), *alloc, *alloc ? c->sel->chosen : NULL};
	if (!limits_after(c, j, &chosen)) { /* L32: replaces any failure */
		job_alloc_free(*alloc);
		*alloc = NULL;
		return ATTEMPT_LIMIT;
	}
	struct blocker power;
	if (*alloc && power_exceeds(c, *alloc, &power)) {
		job_alloc_free(*alloc);
		*alloc = NULL;
		job_blocked(c, j, REASON_MAX_POWERED_UP_NODES, NULL, &power);
		return ATTEMPT_UNAVAILABLE; /* S27: the partition is not blocked */
	}
	if (*alloc)
		return ATTEMPT_OK;
	if (!counts_ok && j->req_nodes && j->max_nodes != NO_VAL && bitset_count(j->req_nodes) > j->max_nodes)
		return ATTEMPT_NEVER; /* recorded: more nodes were named by an update than the job may have */
	if (!counts_ok) {
		struct blocker b = no_counts(j, n);
		job_blocked(c, j, REASON_PARTITION_NODE_LIMIT, NULL, &b);
		return ATTEMPT_PARTITION;
	}
	if (licenses && !c->looking && preempt_for(c, j, avail, n)) { /* E19: busy until the victims are gone */
		struct blocker b = blocker_fit(c, j, avail);
		job_blocked(c, j, REASON_RESOURCES, NULL, &b);
		return ATTEMPT_BUSY;
	}
	return failed(c, j, avail, &resv, licenses, n);
}

/* One partition of the list at submission (L65). */
static enum attempt test_partition(struct controller *c, struct job *j, bool *maintenance, struct blocker *b)
{
	enum reason r = partition_check(c, j, j->part, false, b);
	bool single = j->n_parts == 1;
	if (r != REASON_NONE && r != REASON_PARTITION_DOWN && c->p->version == SLURM_22_05 && single)
		return ATTEMPT_PARTITION; /* L90 */
	if ((r == REASON_PARTITION_CONFIG || r == REASON_PARTITION_NODE_LIMIT) && c->p->version != SLURM_22_05)
		return ATTEMPT_PARTITION;
	enum attempt may = may_try(c, j, false);
	if (may != ATTEMPT_OK) {
		if (may == ATTEMPT_PARTITION) /* L68 */
			*b = blocker_access(j->part, partition_account_ok(c, j, j->part) ? "AllowGroups"
								: list_of(j->part->allow_accounts, "AllowAccounts", "DenyAccounts"));
		return may;
	}
	struct resv_answer resv = reserved(c, j, c->up);
	resv_block_parts(c, j, c->now_s, resv.part_nodes); /* not heeded, but told */
	if (resv.verdict == RESV_NOT_ACTIVE)
		return ATTEMPT_RESV_CLOSED;
	if (resv.verdict == RESV_INVALID)
		return c->now_s > j->resv->end ? ATTEMPT_RESV_INVALID : ATTEMPT_NEVER;
	struct trial_counts n;
	if (!limits_counts(c, j, j->part, &n))
		return ATTEMPT_LIMIT;
	if (n.max < n.min) {
		*b = no_counts(j, n);
		return ATTEMPT_PARTITION;
	}
	set_weights(c, j);
	struct verdict v = classify(c, j, c->up, c->resv_nodes, n);
	*maintenance = resv.verdict == RESV_MAINTENANCE && !v.required_missing;
	if (v.required_missing)
		return ATTEMPT_UNAVAILABLE;
	if (!v.ever)
		return ATTEMPT_NEVER;
	if (!v.passed && !v.busy)
		return ATTEMPT_UNAVAILABLE;
	if (r == REASON_PARTITION_DOWN) {
		job_blocked(c, j, REASON_PARTITION_DOWN, NULL, b);
		return ATTEMPT_OK;
	}
	return v.passed ? ATTEMPT_OK : ATTEMPT_BUSY;
}

static enum attempt test_all(struct controller *c, struct job *j)
{
	enum attempt result = ATTEMPT_PARTITION;
	struct blocker b = {0}, part = {0};
	bool never = false, config = false, maintenance = false;
	for (uint32_t i = 0; i < j->n_parts; i++) {
		j->part = j->parts[i].part;
		j->qos = j->parts[i].qos ? j->parts[i].qos : j->qos;
		result = test_partition(c, j, &maintenance, &part);
		never = never || result == ATTEMPT_NEVER;
		config = config || result == ATTEMPT_PARTITION;
		if (result == ATTEMPT_OK || result == ATTEMPT_BUSY)
			break;
	}
	bool found = result == ATTEMPT_OK || result == ATTEMPT_BUSY;
	if (!found && (never || (config && c->p->enforce_part_limits != ENFORCE_PART_NO)))
		return ATTEMPT_NEVER;
	bool held = j->priority == 0;
	if ((result == ATTEMPT_BUSY || result == ATTEMPT_UNAVAILABLE) && !held)
		b = result == ATTEMPT_BUSY ? blocker_fit(c, j, c->up) : blocker_nodes(c, j, c->up, c->resv_nodes);
	if (result == ATTEMPT_BUSY && !held)
		job_blocked(c, j, REASON_RESOURCES, NULL, &b);
	else if (result == ATTEMPT_UNAVAILABLE && !held) {
		g_autofree char *text = maintenance ? g_strdup(MAINTENANCE_TEXT) : unavailable_text(c, j, c->up);
		job_blocked(c, j, REASON_REQ_NODE_NOT_AVAIL, text, &b);
	} else if ((result == ATTEMPT_RESV_CLOSED || result == ATTEMPT_RESV_INVALID) && !held) {
		b = blocker_reservation(c, j);
		job_blocked(c, j, REASON_RESERVATION, NULL, &b);
	} else if (result == ATTEMPT_PARTITION && !held && j->reason != REASON_ACCOUNT_NOT_ALLOWED)
		job_blocked(c, j, REASON_PARTITION_CONFIG, NULL, &part);
	return result;
}

enum attempt attempt_test_only(struct controller *c, struct job *j)
{
	enum reason before = j->reason;
	struct blocker b = j->blocker;
	g_autofree char *text = g_strdup(j->reason_text);
	enum attempt a = test_all(c, j);
	if (j->priority == 0) /* R10: a held job ends as it was, whatever limit was met */
		job_blocked(c, j, before, text, &b);
	return a;
}
