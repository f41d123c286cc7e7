/* lint_priority.c - weights: what saturates, what vanishes, what can never change an order (priority.md). */
#include "tools/lint_checks.h"
#include <math.h>

static bool multifactor(const struct lint *l)
{
	return l->p->priority_type == PRIORITY_MULTIFACTOR;
}

static bool any_weight(const struct lint *l)
{
	const struct sched_params *p = l->p;

	/* without accounting the reader has zeroed these two (P4) */
	return lint_value(l->files, "PriorityWeightAge") || lint_value(l->files, "PriorityWeightFairshare") ||
	       p->weight_assoc || p->weight_job_size || p->weight_partition || p->weight_qos || p->weight_tres;
}

void lint_prio_basic(struct lint *l)
{
	if (multifactor(l) || !any_weight(l))
		return;
	bool given = lint_value(l->files, "PriorityType") != NULL;

	lint_add(
	    l, LINT_WARNING, given ? lint_at(l->files, "PriorityType") : lint_at(l->files, "PriorityWeightAge"),
	    given ? g_strdup("PriorityType=priority/basic, but priority weights are set")
	          : g_strdup("priority weights are set, but PriorityType is priority/basic by default in this release"),
	    fmt("jobs run in the order of submission: age, fair-share, size, partition and QOS of the site's %u users "
	        "count "
	        "for nothing",
	        lint_users(l)),
	    g_strdup("PriorityType=priority/multifactor"));
}

void lint_prio_equal(struct lint *l)
{
	if (!multifactor(l) || lint_top_priority(l) > 0 || any_weight(l))
		return;
	lint_add(
	    l, LINT_NOTE, lint_at(l->files, "PriorityType"),
	    g_strdup("priority/multifactor without any weight: every job has priority 1"),
	    fmt("jobs of a tier run in the order of submission; shares of %u users and priorities of %u QOS have no "
	        "effect, "
	        "nor has scontrol top",
	        lint_users(l), l->acct->qos->len),
	    g_strdup("PriorityWeightAge=1000 and further weights, or PriorityType=priority/basic if this is meant"));
}

void lint_prio_saturates(struct lint *l)
{
	double top = lint_top_priority(l);

	if (!multifactor(l) || top <= 4294967295.0)
		return;
	lint_add(l, LINT_WARNING,
	         lint_at(l->files, l->p->weight_tres  ? "PriorityWeightTRES"
	                           : l->p->weight_qos ? "PriorityWeightQOS"
	                                              : "PriorityWeightAge"),
	         fmt("the weights add up to %.0f, beyond the largest priority 4294967295", top),
	         fmt("jobs that reach it are equal: whatever lies above (%.0f %% of the range) can not tell them apart",
	             100 * (1 - 4294967295.0 / top)),
	         fmt("weights %.0f times smaller", ceil(top / 4294967295.0)));
}

/* A factor whose steps are all below one point is lost when the sum is truncated. */
static void vanishes(struct lint *l, const char *key, double step, double weight, const char *between)
{
	if (step <= 0 || step >= 1)
		return;
	lint_add(l, LINT_WARNING, lint_at(l->files, key),
	         fmt("%s=%.10g vanishes when the priority is cut to a whole number", key, weight),
	         fmt("%s differ by %.3g points: they get the same priority", between, step),
	         fmt("%s=%.0f or more", key, ceil(10 * weight / step)));
}

/* The smallest step between different QOS priorities, of 1. */
static double qos_step(const struct lint *l)
{
	uint32_t least = 0;

	for (guint i = 0; i < l->n_qos; i++)
		for (guint k = 0; k < i; k++) {
			uint32_t a = lint_qos(l, i)->priority, b = lint_qos(l, k)->priority, d = a > b ? a - b : b - a;

			if (d && (!least || d < least))
				least = d;
		}
	return l->acct->max_qos_priority ? (double)least / l->acct->max_qos_priority : 0;
}

static double tres_step(const struct lint *l)
{
	double most = 0;

	if (!l->p->weight_tres || l->p->priority_flags & PRIO_NO_NORMAL_TRES)
		return 1;
	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);

		for (uint32_t k = 0; p && k < l->c->tres->n; k++) /* a job of one node */
			if (p->tres_total[k])
				most = MAX(most, fabs(l->p->weight_tres[k]) / p->total_nodes);
	}
	return most;
}

void lint_prio_vanishes(struct lint *l)
{
	const struct sched_params *p = l->p;
	double nodes = MAX(1, l->c->n_nodes), qos = qos_step(l);

	if (!multifactor(l))
		return;
	vanishes(l, "PriorityWeightAge",
	         p->priority_max_age ? p->weight_age * MIN(1, 86400.0 / p->priority_max_age) : 0, p->weight_age,
	         "jobs of which one has waited a day longer");
	if (!(p->priority_flags & PRIO_NO_FAIR_TREE)) /* ranks: P45 */
		vanishes(l, "PriorityWeightFairshare",
		         lint_users(l) > 1 ? (double)p->weight_fairshare / lint_users(l) : 0, p->weight_fairshare,
		         "neighbours in the order of fair-share");
	vanishes(l, "PriorityWeightJobSize", nodes >= 4 ? p->weight_job_size * 0.25 : 0, p->weight_job_size,
	         "jobs of one node and of a quarter of the cluster");
	if (!(p->priority_flags & PRIO_NO_NORMAL_QOS))
		vanishes(l, "PriorityWeightQOS", p->weight_qos * qos, p->weight_qos, "jobs of two of the QOS");
	vanishes(l, "PriorityWeightTRES", tres_step(l), 1, "jobs without and with a whole node");
}

/* Can waiting lift a job past STEP points? Says so when not. */
static void overtakes(struct lint *l, double step, struct lint_place at, const char *low, const char *high)
{
	const struct sched_params *p = l->p;

	if (step <= 0 || !p->weight_age || step <= p->weight_age)
		return;
	lint_add(l, LINT_NOTE, at, fmt("waiting never lifts a job from %s past one of %s", low, high),
	         fmt("the step is %.0f points, age gives %u at most, after %s (PriorityMaxAge); with equal other "
	             "factors the lower "
	             "one starts only when no higher one waits",
	             step, p->weight_age, lint_seconds(l, p->priority_max_age)),
	         fmt("if it is to overtake: PriorityWeightAge=%.0f", ceil(step * 1.1)));
}

static void qos_overtakes(struct lint *l)
{
	const struct qos *low = NULL, *high = NULL;
	double scale = l->p->weight_qos, least = 0;

	if (!(l->p->priority_flags & PRIO_NO_NORMAL_QOS))
		scale /= MAX(1, l->acct->max_qos_priority);
	for (guint i = 0; i < l->n_qos; i++)
		for (guint k = 0; k < l->n_qos; k++) {
			const struct qos *a = lint_qos(l, i), *b = lint_qos(l, k);
			double step = ((double)b->priority - a->priority) * scale;

			if (step > l->p->weight_age && (!low || step < least)) {
				low = a;
				high = b;
				least = step;
			}
		}
	if (!low)
		return;
	char *from = fmt("QOS %s", low->name), *to = fmt("QOS %s", high->name);
	overtakes(l, least, lint_at(l->files, "PriorityWeightQOS"), from, to);
	g_free(from);
	g_free(to);
}

void lint_prio_overtakes(struct lint *l)
{
	double scale = l->p->weight_partition;

	if (!multifactor(l))
		return;
	if (l->p->weight_qos && lint_knows_accounts(l))
		qos_overtakes(l);
	if (!(l->p->priority_flags & PRIO_NO_NORMAL_PART))
		scale /= MAX(1, l->c->max_job_factor);
	for (guint i = 0; i < l->n_parts; i++)
		for (guint k = 0; k < l->n_parts; k++) {
			const struct partition *a = lint_live_part(l, i), *b = lint_live_part(l, k);

			double step = a && b ? ((double)b->priority_job_factor - a->priority_job_factor) * scale : 0;

			if (step <= l->p->weight_age || a->priority_tier != b->priority_tier ||
			    !bitset_intersects(a->nodes, b->nodes))
				continue;
			char *from = fmt("partition %s", a->name), *to = fmt("partition %s", b->name);
			overtakes(l, step, lint_at_part(l->files, b->name, "PriorityJobFactor"), from, to);
			g_free(from);
			g_free(to);
		}
}

/* ---- factors and their weights ---- */

static uint32_t different_factors(const struct lint *l)
{
	uint32_t n = 0;

	for (guint i = 0; i < l->n_parts; i++) {
		bool seen = false;

		for (guint k = 0; k < i; k++)
			seen |= lint_part(l, i)->priority_job_factor == lint_part(l, k)->priority_job_factor;
		n += !seen;
	}
	return n;
}

static uint32_t different_qos(const struct lint *l)
{
	uint32_t n = 0;

	for (guint i = 0; i < l->n_qos; i++) {
		bool seen = false;

		for (guint k = 0; k < i; k++)
			seen |= lint_qos(l, i)->priority == lint_qos(l, k)->priority;
		n += !seen;
	}
	return n;
}

static bool assoc_priorities(const struct lint *l)
{
	for (guint i = 0; i < l->acct->assocs->len; i++)
		if (lint_assoc(l, i)->priority != NO_VAL && lint_assoc(l, i)->priority)
			return true;
	return false;
}

static void constant(struct lint *l, const char *key, uint32_t weight, const char *factor, const char *of, guint n)
{
	lint_add(l, LINT_WARNING, lint_at(l->files, key), fmt("%s=%u, but all jobs get the same of it", key, weight),
	         fmt("%s is the same for all %u %s: the weight changes no order", factor, n, of),
	         fmt("different %s, or %s=0", factor, key));
}

void lint_prio_constant(struct lint *l)
{
	const struct sched_params *p = l->p;

	if (!multifactor(l))
		return;
	if (p->weight_partition && different_factors(l) == 1)
		constant(l, "PriorityWeightPartition", p->weight_partition, "PriorityJobFactor", "partitions",
		         l->c->partitions->len);
	if (p->weight_qos && lint_knows_accounts(l) && different_qos(l) == 1)
		constant(l, "PriorityWeightQOS", p->weight_qos, "Priority", "QOS", l->acct->qos->len);
	if (p->weight_assoc && lint_knows_accounts(l) && !assoc_priorities(l))
		constant(l, "PriorityWeightAssoc", p->weight_assoc, "Priority", "associations", l->acct->assocs->len);
}

void lint_prio_unweighted(struct lint *l)
{
	if (!multifactor(l) || !any_weight(l))
		return;
	if (!l->p->weight_qos && lint_knows_accounts(l) && different_qos(l) > 1 && l->p->preempt_type != PREEMPT_QOS)
		lint_add(l, LINT_WARNING, lint_at_acct(l->files, "qos", lint_qos(l, 0)->name, "priority"),
		         fmt("%u different QOS priorities, but PriorityWeightQOS=0", different_qos(l)),
		         fmt("the priority of the %u QOS (up to %u) changes no job's place in the queue",
		             l->acct->qos->len, l->acct->max_qos_priority),
		         g_strdup("PriorityWeightQOS=10000"));
	for (guint i = 0; !l->p->weight_partition && different_factors(l) > 1 && i < l->n_parts; i++) {
		if (lint_part(l, i)->priority_job_factor != l->c->max_job_factor)
			continue;
		lint_add(l, LINT_WARNING, lint_at_part(l->files, lint_part(l, i)->name, "PriorityJobFactor"),
		         fmt("PriorityJobFactor=%u of partition %s, but PriorityWeightPartition=0",
		             l->c->max_job_factor, lint_part(l, i)->name),
		         fmt("%u different factors in %u partitions change no job's place in the queue",
		             different_factors(l), l->c->partitions->len),
		         g_strdup("PriorityWeightPartition=1000, or PriorityTier for a strict order"));
		break;
	}
}

/* With preemption by tiers the order is what they are for. */
void lint_prio_tier(struct lint *l)
{
	for (guint k = 0; k < l->n_parts && l->p->preempt_type != PREEMPT_PARTITION; k++) {
		const struct partition *low = lint_live_part(l, k), *high = NULL;
		uint32_t most = 0;

		for (guint i = 0; low && i < l->n_parts; i++) {
			const struct partition *p = lint_live_part(l, i);
			uint32_t both =
			    p && p->priority_tier > low->priority_tier ? bitset_count_and(p->nodes, low->nodes) : 0;

			high = both > most ? p : high;
			most = MAX(most, both);
		}
		if (!high)
			continue;
		lint_add(l, LINT_NOTE, lint_at_part(l->files, high->name, "PriorityTier"),
		         fmt("partition %s (PriorityTier=%u) comes before %s (%u) whatever the priorities", high->name,
		             high->priority_tier, low->name, low->priority_tier),
		         fmt("on the %u nodes that both have, no priority (at most %.0f here) and no waiting lifts a "
		             "job of %s past one of %s",
		             most, lint_top_priority(l), low->name, high->name),
		         g_strdup("equal PriorityTier and different PriorityJobFactor, if priorities are to count"));
	}
}

/* PriorityMaxAge against the waits that the trace tells. */
static void age_and_waits(struct lint *l)
{
	GArray *waits = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; l->trace && i < l->trace->jobs->len; i++) {
		const struct lint_job *j = &g_array_index(l->trace->jobs, struct lint_job, i);
		uint32_t wait = (uint32_t)CLAMP(j->start - j->submit, 0, G_MAXUINT32);

		if (j->start > 0)
			g_array_append_val(waits, wait);
	}
	g_array_sort(waits, lint_compare_u32);
	uint32_t w95 = waits->len ? g_array_index(waits, uint32_t, waits->len - 1 - waits->len / 20) : 0;
	double points = l->p->weight_age * MIN(1, w95 / (double)l->p->priority_max_age);
	double others = lint_top_priority(l) - l->p->weight_age;
	if (w95 && others > 0 && points < others / 100 && l->p->weight_age > others / 100)
		lint_add(l, LINT_NOTE, lint_at(l->files, "PriorityMaxAge"),
		         fmt("PriorityMaxAge=%s is long against the waits", lint_seconds(l, l->p->priority_max_age)),
		         fmt("95 %% of the trace's jobs waited %s or less: age gave them at most %.0f of %u points, "
		             "where the other "
		             "factors give up to %.0f",
		             lint_seconds(l, w95), points, l->p->weight_age, others),
		         fmt("PriorityMaxAge=%s", lint_seconds(l, MAX(86400, (int64_t)w95 * 4))));
	g_array_unref(waits);
}

void lint_max_age(struct lint *l)
{
	if (!multifactor(l) || !l->p->weight_age)
		return;
	if (l->p->priority_max_age)
		age_and_waits(l);
	else
		lint_add(
		    l, LINT_WARNING, lint_at(l->files, "PriorityMaxAge"),
		    g_strdup("PriorityMaxAge=0: every job has its full age at once"),
		    fmt("all eligible jobs get the same %u points: waiting longer gives nothing", l->p->weight_age),
		    g_strdup("PriorityMaxAge=7-0"));
}
