/* partcheck.c - partition limits, states and access (limits L60-L72, main-scheduler S14) */
#include "sched/state.h"

#include <string.h>

#define REFUSE(err, text) (g_set_error_literal(err, SUBMIT_ERROR, 0, text), false)

static bool in_list(char **list, const char *name)
{
	for (; list && *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

/* A listed account covers all its descendants; in 22.05 names must match exactly (L62). */
static bool account_in(const struct controller *c, const struct job *j, char **list)
{
	if (!j->assoc)
		return in_list(list, j->account ? j->account : "");
	for (const struct assoc *a = j->assoc; a; a = a->parent) {
		if (a->account && in_list(list, a->account))
			return true;
		if (c->p->version == SLURM_22_05 && !a->user)
			break;
	}
	return false;
}

bool partition_account_ok(const struct controller *c, const struct job *j, const struct partition *p)
{
	if (c->p->version != SLURM_22_05 && !(c->p->enforce & ENFORCE_ASSOC))
		return true; /* L1: AllowAccounts needs associations */
	if (p->allow_accounts)
		return account_in(c, j, p->allow_accounts);
	return !p->deny_accounts || !account_in(c, j, p->deny_accounts);
}

bool partition_qos_ok(const struct job *j, const struct partition *p)
{
	if (!j->qos)
		return true;
	if (p->allow_qos)
		return in_list(p->allow_qos, j->qos->name);
	return !p->deny_qos || !in_list(p->deny_qos, j->qos->name);
}

/* AllowGroups; root may always. */
bool partition_group_ok(const struct controller *c, const struct job *j, const struct partition *p)
{
	if (!p->allow_groups || !c->cl->groups || g_strcmp0(j->user, "root") == 0)
		return true;
	for (char **g = p->allow_groups; *g; g++) {
		GHashTable *users = g_hash_table_lookup(c->cl->groups, *g);
		if (users && j->user && g_hash_table_contains(users, j->user))
			return true;
	}
	return false;
}

char *partition_group_text(const struct job *j, const struct partition *p)
{
	g_autofree char *list = g_strjoinv(",", p->allow_groups);
	return g_strdup_printf("uid %u not in group permitted to use this partition (%s). groups allowed: %s", 1000 + j->user_key,
			       p->name, list);
}

char *partition_qos_text(const struct job *j, const struct partition *p)
{
	bool allows = p->allow_qos != NULL;
	g_autofree char *list = g_strjoinv(",", allows ? p->allow_qos : p->deny_qos);
	return g_strdup_printf("Job's QOS not permitted to use this partition (%s %s %s %s %s)", p->name, allows ? "allows" : "denies", list,
			       allows ? "not" : "including", j->qos->name);
}

char *partition_account_text(const struct job *j, const struct partition *p)
{
	const char *acct = j->account ? j->account : "";
	if (p->allow_accounts) {
		g_autofree char *list = g_strjoinv(",", p->allow_accounts);
		return g_strdup_printf("Job's account not permitted to use this partition (%s allows %s not %s)", p->name, list, acct);
	}
	g_autofree char *list = g_strjoinv(",", p->deny_accounts);
	return g_strdup_printf("Job's account not permitted to use this partition (%s denies %s including %s)", p->name, list, acct);
}

/* N15, L72: with a per-CPU limit a larger per-CPU request raises CPUs instead of failing. */
static void raise_cpus(struct controller *c, struct job *j, uint64_t max)
{
	c->version++; /* later checks see another job */
	uint64_t ratio = (j->pn_min_memory + max - 1) / max;
	j->pn_min_memory = (j->pn_min_memory + ratio - 1) / ratio;
	j->cpt = (uint16_t)MIN(j->cpt * ratio, 65535u);
	uint32_t tasks = j->ntasks != NO_VAL ? j->ntasks : j->min_nodes;
	j->min_cpus = MAX(j->min_cpus, tasks * j->cpt);
	j->pn_min_cpus = MAX(j->pn_min_cpus, (uint32_t)j->cpt * MAX(1u, j->ntasks_per_node));
}

bool memory_above_limit(struct controller *c, struct job *j, const struct partition *p)
{
	uint64_t max = p->max_mem != NO_VAL64 ? p->max_mem : c->p->max_mem;
	bool per_cpu = p->max_mem != NO_VAL64 ? p->max_mem_per_cpu : c->p->max_mem_per_cpu;
	if (!max || max == INFINITE64)
		return false;
	uint64_t m = j->pn_min_memory;
	if (j->mem_all) {
		int64_t first = bitset_first(p->nodes);
		const struct node_config *k = first >= 0 ? c->cl->node[first]->config : NULL;
		m = k ? k->real_memory - MIN(k->mem_spec_limit, k->real_memory) : 0;
	}
	if (j->mem_per_cpu && per_cpu) {
		if (m > max)
			raise_cpus(c, j, max);
		return false;
	}
	if (!j->mem_per_cpu && !per_cpu)
		return m > max;
	if (j->mem_per_cpu) { /* per CPU asked, per node limited */
		uint32_t n = MAX(1u, j->ntasks_per_node);
		if (j->ntasks != NO_VAL && j->max_nodes != NO_VAL && j->max_nodes)
			n = MAX(n, (j->ntasks + j->max_nodes - 1) / j->max_nodes);
		n = MAX(n * j->cpt, j->pn_min_cpus);
		return m * n > max;
	}
	uint32_t cpus = (uint32_t)MIN((m + max - 1) / max, 65535u);
	if (cpus > j->pn_min_cpus) {
		j->pn_min_cpus = cpus;
		if (c->p->version != SLURM_22_05 && j->ntasks == 1) { /* recorded: the one task gets these CPUs */
			j->cpt = (uint16_t)cpus;
			j->min_cpus = MAX(j->min_cpus, cpus);
		}
		c->version++;
	}
	return m > max * j->pn_min_cpus;
}

static enum reason in_the_way(struct blocker *b, enum reason r, const struct partition *p, const char *what, uint64_t value,
			      uint64_t request)
{
	*b = blocker_partition(p, what, value, request);
	return r;
}

static enum reason kept_out(struct blocker *b, const struct partition *p, const char *list)
{
	*b = blocker_access(p, list);
	return REASON_PARTITION_CONFIG;
}

/* L62 without the access part. */
static enum reason size_check(const struct job *j, const struct partition *p, bool use_time_min, struct blocker *b)
{
	uint32_t qos = j->qos ? j->qos->flags : 0;
	if (p->req_resv && !j->req->reservation)
		return in_the_way(b, REASON_PARTITION_CONFIG, p, "ReqResv", 1, 0);
	if (p->root_only && strcmp(j->user, "root") != 0)
		return in_the_way(b, REASON_PARTITION_CONFIG, p, "RootOnly", 1, 0);
	if (p->state == PART_DOWN || p->state == PART_INACTIVE)
		return REASON_NONE;
	if (j->min_cpus > p->total_cpus)
		return in_the_way(b, REASON_PARTITION_CONFIG, p, "TotalCPUs", p->total_cpus, j->min_cpus);
	if (p->max_cpus_per_node != INFINITE && j->min_cpus > (uint64_t)p->max_cpus_per_node * p->total_nodes)
		return in_the_way(b, REASON_PARTITION_CONFIG, p, "MaxCPUsPerNode", p->max_cpus_per_node, j->min_cpus);
	if (j->min_nodes > p->total_nodes)
		return in_the_way(b, REASON_PARTITION_NODE_LIMIT, p, "TotalNodes", p->total_nodes, j->min_nodes);
	if (j->req_nodes && !bitset_subset(j->req_nodes, p->nodes))
		return in_the_way(b, REASON_PARTITION_CONFIG, p, "Nodes", p->total_nodes, bitset_count(j->req_nodes));
	if (j->min_nodes < p->min_nodes && !(qos & QOS_PART_MIN_NODE))
		return in_the_way(b, REASON_PARTITION_NODE_LIMIT, p, "MinNodes", p->min_nodes, j->min_nodes);
	uint32_t max = j->max_nodes != NO_VAL ? j->max_nodes : j->min_nodes;
	if (max > p->max_nodes && !(qos & QOS_PART_MAX_NODE))
		return in_the_way(b, REASON_PARTITION_NODE_LIMIT, p, "MaxNodes", p->max_nodes, max);
	uint32_t time = use_time_min && j->time_min != NO_VAL ? j->time_min : j->time_limit;
	if (time != NO_VAL && time > p->max_time && !(qos & QOS_PART_TIME_LIMIT) && !j->time_set)
		return in_the_way(b, REASON_PARTITION_TIME_LIMIT, p, "MaxTime", p->max_time, time);
	return REASON_NONE;
}

/* QOS flag EnforceUsageThreshold (section 6): the weighted fair-share term when there is one, else the factor. */
static bool below_threshold(const struct controller *c, const struct job *j, struct blocker *b)
{
	double term = j->assoc->fairshare * (double)c->p->weight_fairshare;
	if (term == 0.0)
		term = j->assoc->fairshare;
	if (term >= j->qos->usage_threshold)
		return false;
	*b = blocker_qos(j);
	b->what = "UsageThreshold";
	b->value = (uint64_t)(j->qos->usage_threshold * 1e6);
	b->use = (uint64_t)(MAX(term, 0.0) * 1e6);
	return true;
}

static enum reason memory_check(struct controller *c, struct job *j, const struct partition *p, struct blocker *b)
{
	uint64_t asked = j->pn_min_memory;
	if (!memory_above_limit(c, j, p))
		return REASON_NONE;
	bool per_cpu = p->max_mem != NO_VAL64 ? p->max_mem_per_cpu : c->p->max_mem_per_cpu;
	return in_the_way(b, REASON_MAX_MEM_PER_LIMIT, p, per_cpu ? "MaxMemPerCPU" : "MaxMemPerNode",
			  p->max_mem != NO_VAL64 ? p->max_mem : c->p->max_mem, asked);
}

enum reason partition_check(struct controller *c, struct job *j, const struct partition *p, bool use_time_min, struct blocker *b)
{
	struct blocker unasked;
	b = b ? b : &unasked;
	*b = (struct blocker){0};
	enum reason r = size_check(j, p, use_time_min, b);
	if (r != REASON_NONE)
		return r;
	bool enforce = c->p->enforce_part_limits != ENFORCE_PART_NO;
	if (enforce && !partition_qos_ok(j, p))
		return kept_out(b, p, p->allow_qos ? "AllowQos" : "DenyQos");
	if (enforce && !partition_group_ok(c, j, p))
		return kept_out(b, p, "AllowGroups");
	if (enforce && !partition_account_ok(c, j, p))
		return kept_out(b, p, p->allow_accounts ? "AllowAccounts" : "DenyAccounts");
	if (p->state == PART_DOWN)
		return in_the_way(b, REASON_PARTITION_DOWN, p, "State=DOWN", 0, 0);
	if (p->state == PART_INACTIVE)
		return in_the_way(b, REASON_PARTITION_INACTIVE, p, "State=INACTIVE", 0, 0);
	if (j->qos && j->qos->flags & QOS_ENFORCE_USAGE_THRESHOLD && j->assoc && j->qos->usage_threshold >= 0)
		return below_threshold(c, j, b) ? REASON_QOS_USAGE_THRESHOLD : REASON_NONE;
	return memory_check(c, j, p, b);
}

#define NOT_IN_GROUP "User's group not permitted to use this partition"

/* L62, L63 at submission: what one partition answers. */
static bool submit_check(struct controller *c, const struct job *j, const struct partition *p, GError **error)
{
	struct blocker b;
	struct job asked = *j;
	if (asked.max_nodes_implicit) /* L69: the record gets it after this */
		asked.max_nodes = NO_VAL;
	switch (size_check(&asked, p, true, &b)) {
	case REASON_PARTITION_NODE_LIMIT:
		return REFUSE(error, "Node count specification invalid");
	case REASON_PARTITION_TIME_LIMIT:
		return REFUSE(error, "Requested time limit is invalid (missing or exceeds some limit)");
	case REASON_PARTITION_CONFIG:
		return REFUSE(error, "Requested node configuration is not available");
	default:
		break;
	}
	if (!partition_qos_ok(j, p))
		return REFUSE(error, "Invalid qos specification");
	if (!partition_group_ok(c, j, p))
		return REFUSE(error, NOT_IN_GROUP);
	if (!partition_account_ok(c, j, p))
		return REFUSE(error, "Invalid account or account/partition combination specified");
	return true;
}

bool partition_access(struct controller *c, const struct job *j, const struct partition *p, GError **error)
{
	if ((p->root_only && strcmp(j->user, "root") != 0) || (p->disable_root && strcmp(j->user, "root") == 0))
		return REFUSE(error, "Access/permission denied");
	if (p->req_resv && !j->req->reservation)
		return REFUSE(error, "Access/permission denied");
	if (c->p->version == SLURM_22_05 && !partition_group_ok(c, j, p)) /* L90: always */
		return REFUSE(error, NOT_IN_GROUP);
	if (c->p->enforce_part_limits == ENFORCE_PART_NO)
		return true;
	return submit_check(c, j, p, error);
}
