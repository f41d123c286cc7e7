/* lint_preempt.c - preemption that never comes, comes to nobody's use, or comes too late (preemption.md). */
#include "tools/lint_checks.h"
#include <string.h>

static bool by_qos(const struct lint *l)
{
	return l->p->preempt_type == PREEMPT_QOS;
}

static bool by_partition(const struct lint *l)
{
	return l->p->preempt_type == PREEMPT_PARTITION;
}

static const char *mode_name(int mode)
{
	static const char *const names[] = {"OFF", "CANCEL", "REQUEUE", "SUSPEND"};

	return mode >= 0 && mode < 4 ? names[mode] : "cluster";
}

/* The first QOS that names another in its Preempt list, or preempts within itself. */
static const struct qos *preempting_qos(const struct lint *l)
{
	for (guint i = 0; i < l->n_qos; i++) {
		const struct qos *q = lint_qos(l, i);

		if ((q->preempt && *q->preempt) || q->preempt_flags & PREEMPT_WITHIN)
			return q;
	}
	return NULL;
}

void lint_preempt_nobody(struct lint *l)
{
	if (!by_qos(l) || !lint_knows_accounts(l) || preempting_qos(l) || l->p->preempt_flags & PREEMPT_WITHIN)
		return;
	lint_add(l, LINT_WARNING, lint_at(l->files, "PreemptType"),
	         g_strdup("PreemptType=preempt/qos, but no QOS may preempt another"),
	         fmt("the %u QOS have no Preempt list: no job is ever preempted", l->acct->qos->len),
	         g_strdup("sacctmgr modify qos HIGH set preempt=LOW"));
}

/* Does J's partition preempt V's (E5, E7)? */
static bool may_preempt(const struct partition *j, const struct partition *v)
{
	return j->priority_tier > v->priority_tier && v->preempt_mode != PREEMPT_MODE_OFF &&
	       bitset_intersects(j->nodes, v->nodes);
}

void lint_preempt_tier(struct lint *l)
{
	if (!by_partition(l))
		return;
	for (guint i = 0; i < l->n_parts; i++)
		for (guint k = 0; k < l->n_parts; k++)
			if (lint_live_part(l, i) && lint_live_part(l, k) &&
			    may_preempt(lint_part(l, i), lint_part(l, k)))
				return;
	lint_add(l, LINT_WARNING, lint_at(l->files, "PreemptType"),
	         g_strdup("PreemptType=preempt/partition_prio, but no partition may preempt another"),
	         fmt("of %u partitions none has a higher PriorityTier than another on the same nodes whose PreemptMode "
	             "is not OFF: no job is "
	             "ever preempted",
	             l->c->partitions->len),
	         g_strdup("a higher PriorityTier on the partition that preempts"));
}

static void part_modes(struct lint *l)
{
	for (guint i = 0; i < l->n_parts && !by_partition(l); i++) {
		const struct partition *p = lint_part(l, i);

		if (p->preempt_mode == PREEMPT_MODE_UNSET || p->preempt_mode == PREEMPT_MODE_OFF)
			continue;
		lint_add(l, LINT_WARNING, lint_at_part(l->files, p->name, "PreemptMode"),
		         fmt("PreemptMode=%s of partition %s has no effect", mode_name(p->preempt_mode), p->name),
		         fmt("a partition's mode counts with PreemptType=preempt/partition_prio only; here it is %s: "
		             "jobs on its %u nodes are %s",
		             by_qos(l) ? "preempt/qos" : "none", p->total_nodes,
		             by_qos(l) ? "preempted by the mode of their QOS" : "never preempted"),
		         by_qos(l) ? g_strdup("PreemptMode on the QOS")
		                   : g_strdup("PreemptType=preempt/partition_prio and a PreemptMode"));
		return;
	}
}

void lint_preempt_one_sided(struct lint *l)
{
	const struct qos *q = preempting_qos(l);

	part_modes(l);
	if (q && !by_qos(l))
		lint_add(l, LINT_WARNING, lint_at_qos(l, q, "preempt"),
		         fmt("QOS %s has a Preempt list, but PreemptType is %s", q->name,
		             by_partition(l) ? "preempt/partition_prio" : "none"),
		         fmt("the lists of the %u QOS are not looked at: %s waits like all others", l->acct->qos->len,
		             q->name),
		         g_strdup("PreemptType=preempt/qos and PreemptMode=REQUEUE"));
}

/* The mode of jobs of QOS Q, of partition P (E3). */
static int qos_mode(const struct lint *l, const struct qos *q)
{
	return q->preempt_mode != PREEMPT_MODE_UNSET ? q->preempt_mode : (int)l->p->preempt_mode;
}

static int part_mode(const struct lint *l, const struct partition *p)
{
	return p->preempt_mode != PREEMPT_MODE_UNSET ? p->preempt_mode : (int)l->p->preempt_mode;
}

static bool any_mode(const struct lint *l, int mode)
{
	for (guint i = 0; i < l->n_qos && by_qos(l); i++)
		if (qos_mode(l, lint_qos(l, i)) == mode)
			return true;
	for (guint i = 0; i < l->n_parts && by_partition(l); i++)
		if (part_mode(l, lint_part(l, i)) == mode)
			return true;
	return false;
}

void lint_preempt_suspend(struct lint *l)
{
	uint32_t gpus = 0;
	uint64_t mem = 0;

	for (guint i = 0; i < l->n_configs; i++) {
		gpus = MAX(gpus, node_config_gres(lint_config(l, i), "gpu", NULL));
		mem = MAX(mem, lint_config(l, i)->real_memory);
	}
	if (!any_mode(l, PREEMPT_MODE_SUSPEND) || (!l->p->cr_memory && !gpus))
		return;
	char *what = l->p->cr_memory && gpus ? fmt("memory (%s) and %u GPUs", lint_mem(l, mem), gpus)
	             : gpus                  ? fmt("%u GPUs", gpus)
	                                     : fmt("memory (%s)", lint_mem(l, mem));
	lint_add(
	    l, LINT_WARNING, lint_at(l->files, "PreemptMode"), g_strdup("PreemptMode=SUSPEND frees cores only"),
	    fmt("a suspended job keeps its %s of a node: one that asks for them waits as long as without preemption",
	        what),
	    g_strdup("PreemptMode=REQUEUE, or half of the memory for the jobs that may be suspended (MaxMemPerNode)"));
	g_free(what);
}

/* Is every job of a limit of LONGEST minutes exempt for EXEMPT seconds? */
static void exempt(struct lint *l, int64_t seconds, uint32_t longest, struct lint_place at, const char *whose)
{
	if (seconds <= 0 || longest == INFINITE || longest == NO_VAL || seconds < (int64_t)longest * 60)
		return;
	lint_add(
	    l, LINT_WARNING, at, fmt("PreemptExemptTime=%s covers every job of %s", lint_seconds(l, seconds), whose),
	    fmt("they may run for %s at most, and until then they can not be preempted: preemption never happens there",
	        lint_minutes(l, longest)),
	    g_strdup("PreemptExemptTime well below the limit"));
}

void lint_preempt_exempt(struct lint *l)
{
	uint32_t longest = 0;

	for (guint i = 0; i < l->n_parts; i++)
		longest = lint_live_part(l, i) ? MAX(longest, lint_part(l, i)->max_time) : longest;
	if (by_qos(l) || by_partition(l))
		exempt(l, l->p->preempt_exempt_time, longest, lint_at(l->files, "PreemptExemptTime"), "the cluster");
	for (guint i = 0; i < l->n_qos && by_qos(l); i++) {
		const struct qos *q = lint_qos(l, i);
		uint32_t wall = q->limits.max_wall == NO_VAL ? longest : MIN(q->limits.max_wall, longest);
		char *whose = fmt("QOS %s", q->name);

		exempt(l, q->preempt_exempt_time, wall, lint_at_qos(l, q, "preemptexempt"), whose);
		if (q->preempt_exempt_time < 0 && wall < longest)
			exempt(l, l->p->preempt_exempt_time, wall, lint_at(l->files, "PreemptExemptTime"), whose);
		g_free(whose);
	}
}

void lint_grace(struct lint *l)
{
	for (guint i = 0; i < l->n_parts && !by_partition(l); i++) {
		const struct partition *p = lint_part(l, i);

		if (p->grace_time)
			lint_add(l, LINT_WARNING, lint_at_part(l->files, p->name, "GraceTime"),
			         fmt("GraceTime=%d of partition %s has no effect", p->grace_time, p->name),
			         fmt("it counts with preempt/partition_prio only: %s",
			             by_qos(l) ? "with preempt/qos its jobs are killed without it, "
			                         "unless their QOS has one"
			                       : "nothing is preempted here"),
			         g_strdup("GraceTime on the QOS"));
	}
	for (guint i = 0; i < l->n_qos && by_partition(l); i++) {
		const struct qos *q = lint_qos(l, i);

		if (q->grace_time)
			lint_add(l, LINT_WARNING, lint_at_qos(l, q, "gracetime"),
			         fmt("GraceTime=%d of QOS %s has no effect", q->grace_time, q->name),
			         fmt("it counts with preempt/qos only: with preempt/partition_prio its jobs are killed "
			             "without it, in any of the %u "
			             "partitions that has none",
			             l->c->partitions->len),
			         g_strdup("GraceTime on the partition"));
	}
}

static void long_grace(struct lint *l, int seconds, struct lint_place at, const char *whose)
{
	if (seconds <= 600)
		return;
	lint_add(l, LINT_NOTE, at, fmt("GraceTime=%s of %s", lint_seconds(l, seconds), whose),
	         fmt("a preemptor waits that long for its nodes, and up to 30 s more until the end of grace is "
	             "noticed; KillWait is %d s",
	             l->p->kill_wait),
	         g_strdup("GraceTime= what a checkpoint takes"));
}

void lint_grace_long(struct lint *l)
{
	for (guint i = 0; i < l->n_parts && by_partition(l); i++) {
		char *whose = fmt("partition %s", lint_part(l, i)->name);

		long_grace(l, lint_part(l, i)->grace_time, lint_at_part(l->files, lint_part(l, i)->name, "GraceTime"),
		           whose);
		g_free(whose);
	}
	for (guint i = 0; i < l->n_qos && by_qos(l); i++) {
		char *whose = fmt("QOS %s", lint_qos(l, i)->name);

		long_grace(l, lint_qos(l, i)->grace_time, lint_at_qos(l, lint_qos(l, i), "gracetime"), whose);
		g_free(whose);
	}
}

void lint_requeue_off(struct lint *l)
{
	if (l->p->job_requeue || !any_mode(l, PREEMPT_MODE_REQUEUE))
		return;
	lint_add(l, LINT_WARNING, lint_at(l->files, "JobRequeue"),
	         g_strdup("PreemptMode=REQUEUE with JobRequeue=0: victims are killed"),
	         g_strdup("a job without --requeue can not be requeued, so that preemption ends it as PREEMPTED and "
	                  "its work is lost"),
	         g_strdup("JobRequeue=1 (users can say --no-requeue)"));
}

static bool wants_expedite(const struct lint_job *j, const void *data)
{
	(void)data;
	return j->expedite;
}

void lint_expedite_off(struct lint *l)
{
	double share = l->trace ? lint_job_share(l->trace, wants_expedite, NULL) : 0;

	if (share == 0 || l->p->expedited_requeue)
		return;
	bool old = l->p->version == SLURM_22_05;
	lint_add(l, LINT_WARNING, lint_at(l->files, "SlurmctldParameters"),
	         fmt("%.1f %% of the trace's jobs have --requeue=expedite, %s", 100 * share,
	             old ? "which 22.05 refuses" : "but SlurmctldParameters has no enable_expedited_requeue"),
	         old ? g_strdup("sbatch takes no argument of --requeue before 25.11: these jobs are not submitted")
	             : fmt("after the failure of a node they wait as with plain --requeue: for %d s, by their priority, and others take what is left of their nodes",
	                   l->p->requeue_delay + 1),
	         g_strdup(old ? "--requeue" : "SlurmctldParameters=enable_expedited_requeue"));
}

static bool names(const struct qos *q, const char *other)
{
	return q->preempt && g_strv_contains((const char *const *)q->preempt, other);
}

void lint_preempt_cycle(struct lint *l)
{
	for (guint i = 0; i < l->n_qos && by_qos(l); i++)
		for (guint k = 0; k < i; k++) {
			const struct qos *a = lint_qos(l, k), *b = lint_qos(l, i);

			if (!names(a, b->name) || !names(b, a->name) ||
			    (l->p->preempt_flags | (a->preempt_flags & b->preempt_flags)) & PREEMPT_PRIORITY)
				continue;
			lint_add(l, LINT_WARNING, lint_at_qos(l, b, "preempt"),
			         fmt("QOS %s and %s preempt each other", a->name, b->name),
			         fmt("a job that was requeued preempts the one that took its nodes: the same %u nodes "
			             "change hands without end%s",
			             l->c->n_nodes, l->p->preempt_exempt_time > 0 ? " (after PreemptExemptTime)" : ""),
			         g_strdup("one direction only, or PreemptMode=...,PRIORITY"));
		}
}

void lint_preempt_order(struct lint *l)
{
	guint above = 0;
	const struct qos *first = NULL;

	for (guint i = 0; i < l->n_qos; i++) {
		const struct qos *q = lint_qos(l, i);

		above += q->priority > 65535;
		first = q->priority > 65535 && !first ? q : first;
	}
	if (!by_qos(l) || above < 2)
		return;
	lint_add(l, LINT_NOTE, lint_at_qos(l, first, "priority"), fmt("%u QOS have a priority above 65535", above),
	         g_strdup("the order in which victims are chosen cuts it at 65535: among these the smallest jobs go "
	                  "first, whatever their QOS"),
	         g_strdup("QOS priorities up to 65535"));
}

void lint_gang(struct lint *l)
{
	bool shared = any_mode(l, PREEMPT_MODE_SUSPEND);

	for (guint i = 0; i < l->n_parts; i++)
		shared |=
		    lint_part(l, i)->oversubscribe == OVERSUB_FORCE || lint_part(l, i)->oversubscribe == OVERSUB_YES;
	if (!(l->p->preempt_flags & PREEMPT_GANG) || shared)
		return;
	lint_add(l, LINT_NOTE, lint_at(l->files, "PreemptMode"), g_strdup("GANG is set, but no jobs share cores"),
	         fmt("none of the %u partitions has OverSubscribe=FORCE or YES, and nothing is suspended: there is "
	             "nothing to slice",
	             l->c->partitions->len),
	         g_strdup("OverSubscribe=FORCE:2 on a partition, or PreemptMode without GANG"));
}
