/* lint_partitions.c - partitions: who may use them, what they share, and what no job can meet (main-scheduler.md,
 * limits.md).
 */
#include "tools/lint_checks.h"
#include <string.h>

/*
 * S29: the first job of A that finds its nodes busy takes all nodes of A out of the pass, also for B. So A comes before
 * B: by its tier, or, at equal tiers, as the larger of the two; equal node sets are one queue in effect.
 */
static uint32_t takes(const struct partition *a, const struct partition *b)
{
	if (!a || a == b || a->priority_tier < b->priority_tier || bitset_equal(a->nodes, b->nodes))
		return 0;
	if (a->priority_tier == b->priority_tier &&
	    (a->total_nodes < b->total_nodes || (a->total_nodes == b->total_nodes && a->index > b->index)))
		return 0;
	return bitset_count_and(a->nodes, b->nodes);
}

void lint_part_overlap(struct lint *l)
{
	for (guint k = 0; k < l->n_parts; k++) {
		const struct partition *b = lint_live_part(l, k), *a = NULL;
		uint32_t most = 0, n = 0;

		for (guint i = 0; b && i < l->n_parts; i++) {
			uint32_t both = takes(lint_live_part(l, i), b);

			n += both > 0;
			a = both > most ? lint_part(l, i) : a;
			most = MAX(most, both);
		}
		if (!a)
			continue;
		lint_add(l, lint_backfills(l) ? LINT_NOTE : LINT_WARNING, lint_at_part(l->files, b->name, "Nodes"),
		         fmt("the first waiting job of %s takes %u of the %u nodes of %s out of the main pass", a->name,
		             most, b->total_nodes, b->name),
		         fmt("while it waits for nodes, jobs of %s see %u nodes for the rest of the pass, even when "
		             "the others are idle%s; %s",
		             b->name, b->total_nodes - most, n > 1 ? " (and other partitions do the same)" : "",
		             lint_backfills(l) ? "only backfill starts jobs there then"
		                               : "and there is no backfill to start jobs there"),
		         g_strdup("separate nodes, or bf_min_prio_reserve or bf_min_age_reserve (such a job then holds "
		                  "no nodes)"));
	}
}

void lint_part_empty(struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_part(l, i);

		if (!p->total_nodes)
			lint_add(l, LINT_WARNING, lint_at_part(l->files, p->name, "Nodes"),
			         fmt("partition %s has no nodes", p->name),
			         fmt("a job sent there is refused or waits for ever; the cluster has %u nodes",
			             l->c->n_nodes),
			         fmt("PartitionName=%s Nodes=..., or State=INACTIVE", p->name));
		else if (p->state != PART_UP)
			lint_add(l, LINT_NOTE, lint_at_part(l->files, p->name, "State"),
			         fmt("partition %s is %s", p->name,
			             p->state == PART_DOWN    ? "DOWN: jobs wait"
			             : p->state == PART_DRAIN ? "DRAIN: no new jobs"
			                                      : "INACTIVE: neither new jobs nor starts"),
			         fmt("it comes back in this state at each restart of the controller: %u nodes, %u CPUs",
			             p->total_nodes, p->total_cpus),
			         fmt("PartitionName=%s State=UP", p->name));
	}
}

void lint_part_default(struct lint *l)
{
	const struct partition *p = l->c->default_partition;

	if (l->p->all_partitions_plugin)
		return;
	if (!p) {
		lint_add(l, LINT_NOTE, lint_at(l->files, "PartitionName"), g_strdup("no partition is the default"),
		         fmt("a job without -p is refused (%u partitions to choose from)", l->c->partitions->len),
		         g_strdup("Default=YES on one PartitionName line"));
		return;
	}
	const char *why = p->root_only          ? "RootOnly=YES: only root may use it"
	                  : p->req_resv         ? "ReqResv=YES: it takes jobs of reservations only"
	                  : p->allow_accounts   ? "AllowAccounts lets some accounts in only"
	                  : p->allow_groups     ? "AllowGroups lets some groups in only"
	                  : p->state != PART_UP ? "it is not UP"
	                                        : NULL;
	bool some = p->allow_accounts || p->allow_groups; /* it may be nearly all */
	if (why)
		lint_add(l, some && p->state == PART_UP ? LINT_NOTE : LINT_WARNING,
		         lint_at_part(l->files, p->name, NULL),
		         fmt("the default partition %s is closed to %s users", p->name, some ? "some" : "most"),
		         fmt("%s: a job without -p of anybody else is refused or waits, though %u of %u nodes may be "
		             "open elsewhere",
		             why, l->c->n_nodes - p->total_nodes, l->c->n_nodes),
		         g_strdup("Default=YES on a partition for all"));
}

void lint_part_never(struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);

		if (p && p->min_nodes > p->total_nodes)
			lint_add(l, LINT_ERROR, lint_at_part(l->files, p->name, "MinNodes"),
			         fmt("MinNodes=%u of partition %s is more than its %u nodes", p->min_nodes, p->name,
			             p->total_nodes),
			         g_strdup("no job ever starts there: all are raised to MinNodes"),
			         fmt("MinNodes=%u or less", p->total_nodes));
		else if (p && p->max_nodes != INFINITE && p->min_nodes > p->max_nodes)
			lint_add(l, LINT_ERROR, lint_at_part(l->files, p->name, "MinNodes"),
			         fmt("MinNodes=%u of partition %s is above MaxNodes=%u", p->min_nodes, p->name,
			             p->max_nodes),
			         fmt("no job meets both: its %u nodes are never used", p->total_nodes),
			         g_strdup("MinNodes at most MaxNodes"));
		else if (p && (p->max_time == 0 || p->max_nodes == 0))
			lint_add(l, LINT_ERROR, lint_at_part(l->files, p->name, p->max_time ? "MaxNodes" : "MaxTime"),
			         fmt("partition %s: %s=0", p->name, p->max_time ? "MaxNodes" : "MaxTime"),
			         fmt("no job fits: its %u nodes are never used", p->total_nodes),
			         g_strdup("UNLIMITED, or a real limit"));
	}
}

void lint_unreachable(struct lint *l)
{
	struct bitset *open = bitset_new(l->c->n_nodes), *lost = bitset_new(l->c->n_nodes);
	uint32_t cpus = 0, gpus = 0;
	int64_t n;

	for (guint i = 0; i < l->n_parts; i++)
		bitset_or(open, lint_part(l, i)->nodes);
	bitset_set_all(lost);
	bitset_andnot(lost, open);
	for (BITSET_EACH(n, lost)) {
		cpus += l->c->node[n]->config->cpus;
		gpus += node_config_gres(l->c->node[n]->config, "gpu", NULL);
	}
	if (!bitset_empty(lost)) {
		char *names = cluster_format_nodes(l->c, lost);

		lint_add(l, LINT_WARNING, lint_at_node(l->files, l->c->node[bitset_first(lost)]->name, NULL),
		         fmt("%u nodes are in no partition: %s", bitset_count(lost), names),
		         fmt("%u CPUs and %u GPUs of %u CPUs in all are never used", cpus, gpus, l->c->total_cpus),
		         fmt("PartitionName=... Nodes=%s, or Nodes=ALL", names));
		g_free(names);
	}
	bitset_free(open);
	bitset_free(lost);
}

/* ---- who may use them ---- */

static void unknown_accounts(struct lint *l, const struct partition *p, char **list, const char *key)
{
	guint known = 0, unknown = 0;
	const char *first = NULL;

	for (char **s = list; s && *s; s++) {
		bool there = acct_find_account(l->acct, *s) != NULL;

		known += there;
		unknown += !there;
		first = !there && !first ? *s : first;
	}
	if (!unknown)
		return;
	bool nobody = !known && g_str_equal(key, "AllowAccounts");
	lint_add(
	    l, nobody && lint_enforces(l, ENFORCE_ASSOC) ? LINT_ERROR : LINT_WARNING,
	    lint_at_part(l->files, p->name, key),
	    fmt("%s of partition %s names %s, which is no account", key, p->name, first),
	    nobody
	        ? fmt("Slurm does not check the name, and no other account is named: nobody can use its %u nodes",
	              p->total_nodes)
	        : fmt("Slurm does not check the name: %u of %u names let nobody in or out", unknown, unknown + known),
	    g_strdup("the account's name as sacctmgr shows it"));
}

void lint_accounts_unknown(struct lint *l)
{
	for (guint i = 0; i < l->n_parts && lint_knows_accounts(l); i++) {
		unknown_accounts(l, lint_part(l, i), lint_part(l, i)->allow_accounts, "AllowAccounts");
		unknown_accounts(l, lint_part(l, i), lint_part(l, i)->deny_accounts, "DenyAccounts");
	}
}

void lint_accounts_enforced(struct lint *l)
{
	for (guint i = 0; i < l->n_parts && !lint_enforces(l, ENFORCE_ASSOC); i++) {
		const struct partition *p = lint_part(l, i);

		if (!p->allow_accounts && !p->deny_accounts)
			continue;
		lint_add(l, LINT_WARNING,
		         lint_at_part(l->files, p->name, p->allow_accounts ? "AllowAccounts" : "DenyAccounts"),
		         fmt("partition %s has a list of accounts, but associations are not enforced", p->name),
		         fmt("the list is not looked at: everybody may use its %u nodes (%u CPUs)", p->total_nodes,
		             p->total_cpus),
		         g_strdup("AccountingStorageEnforce=associations"));
		break;
	}
}
