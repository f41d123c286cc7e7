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

/* L62 without the access part. */
static enum reason size_check(struct controller *c, const struct job *j, const struct partition *p, bool use_time_min)
{
	uint32_t qos = j->qos ? j->qos->flags : 0;
	(void)c;
	if (p->req_resv && !j->req->reservation)
		return REASON_PARTITION_CONFIG;
	if (p->root_only && strcmp(j->user, "root") != 0)
		return REASON_PARTITION_CONFIG;
	if (p->state == PART_DOWN || p->state == PART_INACTIVE)
		return REASON_NONE;
	if (j->min_cpus > p->total_cpus ||
	    (p->max_cpus_per_node != INFINITE && j->min_cpus > (uint64_t)p->max_cpus_per_node * p->total_nodes))
		return REASON_PARTITION_CONFIG;
	if (j->min_nodes > p->total_nodes)
		return REASON_PARTITION_NODE_LIMIT;
	if (j->req_nodes && !bitset_subset(j->req_nodes, p->nodes))
		return REASON_PARTITION_CONFIG;
	if (j->min_nodes < p->min_nodes && !(qos & QOS_PART_MIN_NODE))
		return REASON_PARTITION_NODE_LIMIT;
	uint32_t max = j->max_nodes != NO_VAL ? j->max_nodes : j->min_nodes;
	if (max > p->max_nodes && !(qos & QOS_PART_MAX_NODE))
		return REASON_PARTITION_NODE_LIMIT;
	uint32_t time = use_time_min && j->time_min != NO_VAL ? j->time_min : j->time_limit;
	if (time != NO_VAL && time > p->max_time && !(qos & QOS_PART_TIME_LIMIT))
		return REASON_PARTITION_TIME_LIMIT;
	return REASON_NONE;
}

enum reason partition_check(struct controller *c, struct job *j, const struct partition *p, bool use_time_min)
{
	enum reason r = size_check(c, j, p, use_time_min);
	if (r != REASON_NONE)
		return r;
	if (c->p->enforce_part_limits != ENFORCE_PART_NO && (!partition_qos_ok(j, p) || !partition_account_ok(c, j, p)))
		return REASON_PARTITION_CONFIG;
	if (p->state == PART_DOWN)
		return REASON_PARTITION_DOWN;
	if (p->state == PART_INACTIVE)
		return REASON_PARTITION_INACTIVE;
	return memory_above_limit(c, j, p) ? REASON_MAX_MEM_PER_LIMIT : REASON_NONE;
}

/* L62, L63 at submission: what one partition answers. */
static bool submit_check(struct controller *c, const struct job *j, const struct partition *p, GError **error)
{
	switch (size_check(c, j, p, true)) {
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
	if (c->p->enforce_part_limits == ENFORCE_PART_NO)
		return true;
	return submit_check(c, j, p, error);
}
