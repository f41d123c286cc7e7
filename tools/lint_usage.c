/* lint_usage.c - fair-share, decay and billing: what is charged to whom, and for how long (priority.md). */
#include "tools/lint_checks.h"
#include <string.h>

/* PriorityWeightFairshare as configured: the reader zeroes it without accounting (P4). */
static guint64 configured_fairshare(const struct lint *l)
{
	const char *text = lint_value(l->files, "PriorityWeightFairshare");

	return text ? g_ascii_strtoull(text, NULL, 10) : 0;
}

void lint_fairshare(struct lint *l)
{
	guint64 weight = configured_fairshare(l);

	if (!weight || l->p->priority_type != PRIORITY_MULTIFACTOR || lint_enforces(l, ENFORCE_ASSOC))
		return;
	if (!l->p->has_accounting)
		lint_add(l, LINT_WARNING, lint_at(l->files, "PriorityWeightFairshare"),
		         fmt("PriorityWeightFairshare=%" G_GUINT64_FORMAT " without accounting", weight),
		         fmt("without a database the weight of fair-share counts as 0 and no usage is kept: users of "
		             "all %u partitions are "
		             "equal",
		             l->c->partitions->len),
		         g_strdup("AccountingStorageType=accounting_storage/slurmdbd"));
	else
		lint_add(
		    l, LINT_WARNING, lint_at(l->files, "PriorityWeightFairshare"),
		    fmt("PriorityWeightFairshare=%" G_GUINT64_FORMAT ", but associations are not enforced", weight),
		    fmt("a job of somebody without an association (all but %u users) runs with fair-share 0 and is "
		        "charged to "
		        "nobody",
		        lint_users(l)),
		    g_strdup("AccountingStorageEnforce=associations,limits,qos"));
}

void lint_age(struct lint *l)
{
	const char *weight = lint_value(l->files, "PriorityWeightAge");

	if (!weight || g_str_equal(weight, "0") || l->p->has_accounting || l->p->priority_type != PRIORITY_MULTIFACTOR)
		return;
	lint_add(
	    l, LINT_WARNING, lint_at(l->files, "PriorityWeightAge"),
	    fmt("PriorityWeightAge=%s without accounting", weight),
	    fmt("without a database the weight of age counts as 0: jobs in the %u partitions gain nothing by waiting",
	        l->c->partitions->len),
	    g_strdup("AccountingStorageType=accounting_storage/slurmdbd"));
}

static bool shorter_than(const struct lint_job *j, const void *seconds)
{
	return j->run < *(const uint32_t *)seconds;
}

void lint_usage_uncharged(struct lint *l)
{
	uint32_t period = l->p->priority_calc_period;

	if (!configured_fairshare(l) || !l->p->has_accounting || lint_enforces(l, ENFORCE_LIMITS))
		return;
	double share = l->trace ? lint_job_share(l->trace, shorter_than, &period) : 0;
	char *seen = l->trace ? fmt("; %.0f %% of the trace's jobs are shorter", 100 * share) : g_strdup("");

	lint_add(l, LINT_WARNING, lint_at(l->files, "AccountingStorageEnforce"),
	         g_strdup("limits are not enforced, so the last part of a run is not charged"),
	         fmt("usage is added every %s (PriorityCalcPeriod) only: a job that starts and ends in between costs "
	             "nothing%s",
	             lint_seconds(l, period), seen),
	         g_strdup("AccountingStorageEnforce=limits (no limit need be set)"));
	g_free(seen);
}

void lint_half_life(struct lint *l)
{
	const struct sched_params *p = l->p;
	uint32_t longest = 0;

	if (p->priority_type != PRIORITY_MULTIFACTOR || !p->has_accounting || !p->weight_fairshare)
		return;
	for (guint i = 0; i < l->n_parts; i++)
		if (lint_live_part(l, i) && lint_part(l, i)->max_time != INFINITE)
			longest = MAX(longest, lint_part(l, i)->max_time);
	if (!p->priority_decay_half_life && p->usage_reset == RESET_NONE)
		lint_add(l, LINT_ERROR, lint_at(l->files, "PriorityDecayHalfLife"),
		         g_strdup("PriorityDecayHalfLife=0 without PriorityUsageResetPeriod"),
		         fmt("Slurm refuses this; usage of the %u users would count for ever", lint_users(l)),
		         g_strdup("PriorityDecayHalfLife=7-0, or PriorityUsageResetPeriod=MONTHLY"));
	else if (p->priority_decay_half_life && p->priority_decay_half_life < (guint64)longest * 60)
		lint_add(l, LINT_NOTE, lint_at(l->files, "PriorityDecayHalfLife"),
		         fmt("PriorityDecayHalfLife=%s is shorter than the longest job (%s)",
		             lint_seconds(l, p->priority_decay_half_life), lint_minutes(l, longest)),
		         fmt("what such a job was charged in its first hours counts for less than half when it ends: a "
		             "user who keeps long jobs "
		             "running never shows what they took (%u partitions, longest limit %s)",
		             l->c->partitions->len, lint_minutes(l, longest)),
		         g_strdup("PriorityDecayHalfLife=14-0"));
}

void lint_calc_period(struct lint *l)
{
	const struct sched_params *p = l->p;

	if (p->priority_type != PRIORITY_MULTIFACTOR || p->priority_calc_period <= 900)
		return;
	lint_add(l, LINT_WARNING, lint_at(l->files, "PriorityCalcPeriod"),
	         fmt("PriorityCalcPeriod=%s between recalculations", lint_seconds(l, p->priority_calc_period)),
	         fmt("a new job has age 0 until then, finished usage changes no fair-share, and run-minute limits of "
	             "the %u users "
	             "free nothing in between",
	             lint_users(l)),
	         g_strdup("PriorityCalcPeriod=5"));
}

/* ---- billing ---- */

static double node_amount(const struct lint *l, uint32_t i, const struct node_config *k)
{
	return (double)cluster_tres_on_node(l->c, i, k);
}

static const struct node_config *first_config(const struct lint *l, const struct partition *p)
{
	int64_t n = bitset_first(p->nodes);

	return n < 0 ? NULL : l->c->node[n]->config;
}

static uint32_t gpus(const struct lint *l, const struct partition *p)
{
	uint32_t most = 0;

	for (guint i = 0; i < l->n_configs; i++) {
		const struct node_config *k = lint_config(l, i);

		if (k->nodes && bitset_intersects(k->nodes, p->nodes))
			most = MAX(most, node_config_gres(k, "gpu", NULL));
	}
	return most;
}

static bool bills_gpu(const struct lint *l, const struct partition *p)
{
	for (uint32_t i = TRES_FIRST_CONFIGURED; p->billing_weights && i < l->c->tres->n; i++)
		if (g_str_has_prefix(l->c->tres->name[i], "gres/gpu") && p->billing_weights[i] > 0)
			return true;
	return false;
}

void lint_billing_gpu(struct lint *l)
{
	for (guint i = 0; i < l->n_parts && l->p->weight_fairshare; i++) {
		const struct partition *p = lint_live_part(l, i);
		uint32_t n = p ? gpus(l, p) : 0;

		if (!n || bills_gpu(l, p) || p->exclusive_topo || p->oversubscribe == OVERSUB_EXCLUSIVE)
			continue;
		lint_add(l, LINT_WARNING, lint_at_part(l->files, p->name, "TRESBillingWeights"),
		         fmt("partition %s does not bill GPUs", p->name),
		         fmt("a job with all %u GPUs of a node and 1 CPU costs as much fair-share as 1 CPU without: "
		             "its user is charged "
		             "1 of the node's %u CPUs",
		             n, first_config(l, p)->cpus),
		         fmt("PartitionName=%s TRESBillingWeights=CPU=1.0,Mem=0.25G,GRES/gpu=%.0f", p->name,
		             MAX(1.0, (double)first_config(l, p)->cpus / n)));
	}
}

void lint_billing_mem(struct lint *l)
{
	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);
		const struct node_config *k = p && p->billing_weights ? first_config(l, p) : NULL;
		double mem = k ? p->billing_weights[TRES_MEM] * (double)k->real_memory : 0, rest = 0;

		for (uint32_t t = 0; k && t < l->c->tres->n; t++)
			if (t != TRES_MEM && t != TRES_BILLING && p->billing_weights[t] > 0)
				rest += p->billing_weights[t] * node_amount(l, t, k);
		if (mem <= 20 * MAX(rest, 1))
			continue;
		lint_add(l, LINT_WARNING, lint_at_part(l->files, p->name, "TRESBillingWeights"),
		         fmt("partition %s bills memory a MiB, not a GiB", p->name),
		         fmt("a whole node costs %.0f for its memory and %.0f for all else: what a job costs is its "
		             "memory alone",
		             mem, rest),
		         fmt("TRESBillingWeights=...,Mem=%.4gG (a weight without a suffix is per MiB)",
		             p->billing_weights[TRES_MEM]));
	}
}

void lint_max_tres(struct lint *l)
{
	bool any = false;

	for (guint i = 0; i < l->n_parts; i++)
		any |= lint_part(l, i)->billing_weights != NULL;
	if (any || !(l->p->priority_flags & (PRIO_MAX_TRES | PRIO_MAX_TRES_GRES)))
		return;
	lint_add(l, LINT_WARNING, lint_at(l->files, "PriorityFlags"),
	         g_strdup("PriorityFlags has MAX_TRES, but no partition has TRESBillingWeights"),
	         fmt("jobs of all %u partitions are billed by their CPUs alone, so there is no maximum to take",
	             l->c->partitions->len),
	         g_strdup("TRESBillingWeights=CPU=1.0,Mem=0.25G,GRES/gpu=16 on the partitions, or leave the flag out"));
}

/* ---- shares ---- */

static guint users_below(const struct assoc *a)
{
	guint n = a->user != NULL;

	for (guint i = 0; a->children && i < a->children->len; i++)
		n += users_below(a->children->pdata[i]);
	return n;
}

void lint_shares(struct lint *l)
{
	for (guint i = 0; i < l->acct->assocs->len && l->p->weight_fairshare; i++) {
		const struct assoc *a = lint_assoc(l, i);

		if (a->shares == 0)
			lint_add(
			    l, LINT_WARNING, lint_at_assoc(l, a, "fairshare"),
			    fmt("%s %s has 0 shares", a->user ? "user" : "account", a->user ? a->user : a->account),
			    fmt("%u users come last at every level, even after those who have used a hundred times "
			        "their share, and "
			        "age is all that can lift their jobs",
			        users_below(a)),
			    g_strdup("fairshare=1"));
		else if (a->shares == SHARES_PARENT && !a->user && a->parent)
			lint_add(l, LINT_NOTE, lint_at_assoc(l, a, "fairshare"),
			         fmt("account %s has fairshare=parent", a->account),
			         fmt("its %u users sit in the level of %s and compete with its accounts one by one; "
			             "shares given to them "
			             "count there",
			             users_below(a), a->parent->account),
			         g_strdup("a number of shares, if the account is to have a share of its own"));
	}
}
