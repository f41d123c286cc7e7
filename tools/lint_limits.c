/* lint_limits.c - limits against what is enforced and against each other (limits.md). */
#include "tools/lint_checks.h"
#include <string.h>

/* ---- reading limits ---- */

static const struct {
	const char *name, *key; /* key: how its name begins in the file, in lower case */
	size_t offset;          /* in struct limits: of a uint64_t array */
} TRES_LIMITS[] = {
    {"GrpTRES", "grptres=", offsetof(struct limits, grp_tres)},
    {"GrpTRESMins", "grptresm", offsetof(struct limits, grp_tres_mins)},
    {"GrpTRESRunMins", "grptresr", offsetof(struct limits, grp_tres_run_mins)},
    {"MaxTRESPerJob", "maxtres", offsetof(struct limits, max_tres_pj)},
    {"MaxTRESPerNode", "maxtresp", offsetof(struct limits, max_tres_pn)},
    {"MaxTRESMinsPerJob", "maxtresm", offsetof(struct limits, max_tres_mins_pj)},
    {"MaxTRESPerUser", "maxtresp", offsetof(struct limits, max_tres_pu)},
    {"MaxTRESPerAccount", "maxtresp", offsetof(struct limits, max_tres_pa)},
    {"MaxTRESRunMinsPerUser", "maxtresr", offsetof(struct limits, max_tres_run_mins_pu)},
    {"MaxTRESRunMinsPerAccount", "maxtresr", offsetof(struct limits, max_tres_run_mins_pa)},
    {"MinTRESPerJob", "mintres", offsetof(struct limits, min_tres_pj)},
};

static const uint64_t *array_of(const struct limits *s, size_t offset)
{
	return *(uint64_t *const *)((const char *)s + offset);
}

uint64_t lint_limit(const struct lint *l, const uint64_t *array, uint32_t tres)
{
	(void)l;
	return array && array[tres] != NO_VAL64 ? array[tres] : INFINITE64;
}

static bool any_tres(const struct lint *l, const uint64_t *array)
{
	for (uint32_t i = 0; array && i < l->c->tres->n; i++)
		if (lint_limit(l, array, i) != INFINITE64)
			return true;
	return false;
}

static bool set32(uint32_t v)
{
	return v != NO_VAL && v != INFINITE;
}

bool lint_limits_any(const struct lint *l, const struct limits *s)
{
	for (gsize i = 0; i < G_N_ELEMENTS(TRES_LIMITS); i++)
		if (any_tres(l, array_of(s, TRES_LIMITS[i].offset)))
			return true;
	return set32(s->grp_jobs) || set32(s->grp_submit) || set32(s->grp_wall) || set32(s->max_jobs) ||
	       set32(s->max_submit) || set32(s->max_wall) || set32(s->max_jobs_pu) || set32(s->max_jobs_pa) ||
	       set32(s->max_submit_pu) || set32(s->max_submit_pa);
}

struct lint_place lint_at_qos(struct lint *l, const struct qos *q, const char *key)
{
	return lint_full(l) ? (struct lint_place){l->files->acct_name, 0} : lint_at_acct(l->files, "qos", q->name, key);
}

struct lint_place lint_at_assoc(struct lint *l, const struct assoc *a, const char *key)
{
	if (lint_full(l))
		return (struct lint_place){l->files->acct_name, 0};
	return lint_at_acct(l->files, a->user ? "user" : "account", a->user ? a->user : a->account, key);
}

static const char *keep(struct lint *l, char *text)
{
	const char *kept = g_string_chunk_insert(l->texts, text);

	g_free(text);
	return kept;
}

const char *lint_qos_name(struct lint *l, const struct qos *q)
{
	return keep(l, fmt("QOS %s", q->name));
}

const char *lint_assoc_name(struct lint *l, const struct assoc *a)
{
	return keep(l, a->user ? fmt("user %s of account %s", a->user, a->account) : fmt("account %s", a->account));
}

/* ---- what is enforced ---- */

void lint_limits_enforced(struct lint *l)
{
	guint qos = 0, assocs = 0;

	for (guint i = 0; i < l->n_qos; i++)
		qos += lint_limits_any(l, &lint_qos(l, i)->limits);
	for (guint i = 0; i < l->acct->assocs->len; i++)
		assocs += lint_limits_any(l, &lint_assoc(l, i)->limits);
	if (lint_enforces(l, ENFORCE_LIMITS) || !(qos + assocs))
		return;
	lint_add(l, LINT_WARNING, lint_at(l->files, "AccountingStorageEnforce"),
	         g_strdup("limits are set, but AccountingStorageEnforce has no \"limits\""),
	         fmt("none of the limits of %u QOS and of %u accounts and users holds any job", qos, assocs),
	         g_strdup("AccountingStorageEnforce=associations,limits,qos"));
}

void lint_qos_enforced(struct lint *l)
{
	guint restricted = 0;
	uint32_t top = l->acct->max_qos_priority;

	for (guint i = 0; i < l->acct->assocs->len; i++)
		restricted += lint_assoc(l, i)->qos != NULL && lint_assoc(l, i) != l->acct->root;
	if (!lint_knows_accounts(l) || lint_enforces(l, ENFORCE_QOS) || l->acct->qos->len < 2)
		return;
	lint_add(l, restricted ? LINT_WARNING : LINT_NOTE, lint_at(l->files, "AccountingStorageEnforce"),
	         g_strdup("AccountingStorageEnforce has no \"qos\": every user may use every QOS"),
	         fmt("the QOS lists of %u accounts and users are not looked at; any of the %u users may take any of "
	             "the %u QOS, up "
	             "to priority %u",
	             restricted, lint_users(l), l->acct->qos->len, top),
	         g_strdup("AccountingStorageEnforce=associations,limits,qos"));
}

void lint_assoc_run_mins(struct lint *l)
{
	for (guint i = 0; l->files->acct[i]; i++) {
		const char *line = l->files->acct[i];
		bool qos = g_str_has_prefix(line, "qos") || strstr(line, "add qos") || strstr(line, "modify qos");

		if (*line == '#' || qos || !strstr(line, "maxtresrunmins="))
			continue;
		lint_add(l, LINT_WARNING, (struct lint_place){l->files->acct_name, i + 1},
		         g_strdup("MaxTRESRunMins of an account or user is stored but never enforced"),
		         fmt("the running jobs of the site's %u users are not held by it", lint_users(l)),
		         g_strdup("MaxTRESRunMinsPerUser or PerAccount on a QOS, or GrpTRESRunMins on the account"));
		if (lint_full(l))
			break;
	}
}

/* ---- budgets of past use ---- */

void lint_budget_kills(struct lint *l)
{
	guint n = 0;
	const struct assoc *first = NULL;
	const struct qos *q = NULL;

	for (guint i = 0; i < l->acct->assocs->len; i++) {
		const struct assoc *a = lint_assoc(l, i);
		bool has = any_tres(l, a->limits.grp_tres_mins) || set32(a->limits.grp_wall);

		first = has && !first ? a : first;
		n += has;
	}
	for (guint i = 0; i < l->n_qos; i++) {
		const struct qos *x = lint_qos(l, i);
		bool has = any_tres(l, x->limits.grp_tres_mins) || set32(x->limits.grp_wall);

		q = has && !q ? x : q;
		n += has;
	}
	if (!n || !lint_enforces(l, ENFORCE_LIMITS) || lint_enforces(l, ENFORCE_SAFE))
		return;
	lint_add(
	    l, LINT_WARNING, first ? lint_at_assoc(l, first, "grp") : lint_at_qos(l, q, "grp"),
	    g_strdup("GrpTRESMins or GrpWall without \"safe\": running jobs are killed when the budget is used up"),
	    fmt("%u budgets: a job starts with any rest of it, and ends in TIMEOUT when the last minute is used, with "
	        "all others "
	        "that run on it",
	        n),
	    g_strdup("AccountingStorageEnforce=safe: a job starts only if it can finish"));
}

void lint_budget_refill(struct lint *l)
{
	bool fades = l->p->priority_decay_half_life || l->p->usage_reset != RESET_NONE;

	for (guint i = 0; i < l->n_qos && lint_enforces(l, ENFORCE_LIMITS); i++) {
		const struct qos *q = lint_qos(l, i);
		bool has = any_tres(l, q->limits.grp_tres_mins) || set32(q->limits.grp_wall);

		if (!has || !(q->flags & QOS_NO_DECAY) || l->p->usage_reset != RESET_NONE)
			continue;
		lint_add(
		    l, LINT_NOTE, lint_at_qos(l, q, "flags"),
		    fmt("the budget of QOS %s is for ever (NoDecay)", q->name),
		    g_strdup("what was used never fades: when it is used up the QOS starts no job any more until "
		             "somebody resets it"),
		    g_strdup(
		        "sacctmgr modify qos set RawUsage=0 at the begin of a period, or PriorityUsageResetPeriod"));
	}
	for (guint i = 0; i < l->acct->assocs->len && fades && lint_enforces(l, ENFORCE_LIMITS); i++) {
		const struct assoc *a = lint_assoc(l, i);

		if (!any_tres(l, a->limits.grp_tres_mins) || !l->p->priority_decay_half_life)
			continue;
		lint_add(
		    l, LINT_NOTE, lint_at_assoc(l, a, "grptresm"),
		    fmt("the budget of %s grows back by half every %s", lint_assoc_name(l, a),
		        lint_seconds(l, l->p->priority_decay_half_life)),
		    g_strdup("use in GrpTRESMins decays with PriorityDecayHalfLife: it limits the recent rate of use, "
		             "not the sum "
		             "over a period"),
		    g_strdup("PriorityDecayHalfLife=0 with PriorityUsageResetPeriod, if a sum over a period is meant"));
	}
}

/* ---- who hides whom ---- */

static void hidden(struct lint *l, const struct assoc *a, const char *kind, const char *qos_kind, guint n)
{
	lint_add(l, LINT_NOTE, lint_at_assoc(l, a, NULL),
	         fmt("%s of %s does not count for jobs of a QOS that sets %s", kind, lint_assoc_name(l, a), qos_kind),
	         fmt("the first QOS that sets a limit decides it, and %u of the %u QOS do: the account's or user's own "
	             "value is not "
	             "looked at",
	             n, l->acct->qos->len),
	         fmt("leave %s out of these QOS, or know that it is the QOS that decides", qos_kind));
}

void lint_limit_hidden(struct lint *l)
{
	guint jobs = 0, submit = 0, wall = 0, told = 0;

	for (guint i = 0; i < l->n_qos; i++) {
		const struct limits *s = &lint_qos(l, i)->limits;

		jobs += set32(s->max_jobs_pu) || set32(s->max_jobs_pa);
		submit += set32(s->max_submit_pu) || set32(s->max_submit_pa);
		wall += set32(s->max_wall);
	}
	for (guint i = 0; i < l->acct->assocs->len && lint_enforces(l, ENFORCE_LIMITS) && told < 5; i++) {
		const struct assoc *a = lint_assoc(l, i);
		guint before = l->findings->len;

		if (jobs && set32(a->limits.max_jobs))
			hidden(l, a, "MaxJobs", "MaxJobsPerUser or PerAccount", jobs);
		if (submit && set32(a->limits.max_submit))
			hidden(l, a, "MaxSubmitJobs", "MaxSubmitJobsPerUser or PerAccount", submit);
		if (wall && set32(a->limits.max_wall))
			hidden(l, a, "MaxWall", "MaxWall", wall);
		told += l->findings->len > before;
	}
}

/* TRES I of limit K of the job's QOS Q that the partition's QOS sets lower (X3). */
static void part_hides(struct lint *l, const struct partition *p, const struct qos *q)
{
	static const size_t kinds[] = {offsetof(struct limits, max_tres_pu), offsetof(struct limits, max_tres_pj),
	                               offsetof(struct limits, grp_tres), offsetof(struct limits, max_tres_pa)};

	for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++)
		for (uint32_t i = 0; i < l->c->tres->n; i++) {
			uint64_t mine = lint_limit(l, array_of(&q->limits, kinds[k]), i),
			         its = lint_limit(l, array_of(&p->qos->limits, kinds[k]), i);

			if (mine == INFINITE64 || its == INFINITE64 || mine == its)
				continue;
			lint_add(l, LINT_NOTE, lint_at_part(l->files, p->name, "QOS"),
			         fmt("in partition %s its QOS %s sets %s=%" G_GUINT64_FORMAT
			             ", not the job's QOS %s (%" G_GUINT64_FORMAT ")",
			             p->name, p->qos->name, l->c->tres->name[i], (guint64)its, q->name, (guint64)mine),
			         fmt("the partition's QOS comes first and what it sets is not looked up in the job's: "
			             "users of %s get %s there",
			             q->name,
			             mine < its ? "more than their QOS allows" : "less than their QOS promises"),
			         fmt("Flags=OverPartQOS on QOS %s, if its own value is to count", q->name));
			return;
		}
}

void lint_part_qos_hides(struct lint *l)
{
	for (guint i = 0; i < l->n_parts && lint_enforces(l, ENFORCE_LIMITS); i++)
		for (guint k = 0; lint_part(l, i)->qos && k < l->n_qos; k++) {
			const struct partition *p = lint_part(l, i);
			const struct qos *q = lint_qos(l, k);

			if (q == p->qos || q->flags & QOS_OVER_PART_QOS)
				continue;
			if (p->allow_qos && !g_strv_contains((const char *const *)p->allow_qos, q->name))
				continue;
			part_hides(l, p, q);
		}
}

/* ---- flags and thresholds ---- */

void lint_waits_forever(struct lint *l)
{
	guint n = 0;
	const struct qos *first = NULL;

	for (guint i = 0; i < l->n_qos; i++) {
		const struct qos *q = lint_qos(l, i);

		if (q->flags & QOS_DENY_LIMIT || (!any_tres(l, q->limits.max_tres_pj) && !set32(q->limits.max_wall)))
			continue;
		first = first ? first : q;
		n++;
	}
	if (!n || !lint_enforces(l, ENFORCE_LIMITS))
		return;
	lint_add(l, LINT_NOTE, lint_at_qos(l, first, "max"),
	         fmt("QOS %s%s without DenyOnLimit: jobs that can never run are accepted", first->name,
	             n > 1 ? " and others" : ""),
	         fmt("a job above MaxTRESPerJob or MaxWall of %u QOS waits for ever, and counts in submit limits and "
	             "the queue's depth",
	             n),
	         g_strdup("Flags=DenyOnLimit: it is refused at submission"));
}

void lint_usage_threshold(struct lint *l)
{
	for (guint i = 0; i < l->n_qos; i++) {
		const struct qos *q = lint_qos(l, i);

		if (!(q->flags & QOS_ENFORCE_USAGE_THRESHOLD) || q->usage_threshold < 0 || !l->p->weight_fairshare)
			continue;
		lint_add(l, LINT_WARNING, lint_at_qos(l, q, "usagethre"),
		         fmt("UsageThreshold=%g of QOS %s holds next to nobody", q->usage_threshold, q->name),
		         fmt("it is compared with the weighted fair-share (factor x %u): only a user whose factor is "
		             "below %.2g is held",
		             l->p->weight_fairshare, q->usage_threshold / l->p->weight_fairshare),
		         fmt("UsageThreshold=%.0f for a factor of %g", q->usage_threshold * l->p->weight_fairshare,
		             q->usage_threshold));
	}
}

static bool above_top(const struct lint *l, const struct limits *s)
{
	return set32(s->min_prio_thresh) && s->min_prio_thresh > lint_top_priority(l);
}

static void min_prio(struct lint *l, uint32_t value, struct lint_place at, const char *whose)
{
	double top = lint_top_priority(l);

	lint_add(l, LINT_WARNING, at,
	         fmt("MinPrioThresh=%u of %s is above every priority that a job can have", value, whose),
	         fmt("the weights give at most %.0f: no job of it ever gets nodes kept for it", top),
	         fmt("MinPrioThresh=%.0f or less", top / 2));
}

void lint_min_prio(struct lint *l)
{
	if (!lint_enforces(l, ENFORCE_LIMITS))
		return;
	for (guint i = 0; i < l->n_qos; i++) {
		const struct qos *q = lint_qos(l, i);

		if (above_top(l, &q->limits))
			min_prio(l, q->limits.min_prio_thresh, lint_at_qos(l, q, "minprio"), lint_qos_name(l, q));
	}
	for (guint i = 0; i < l->acct->assocs->len; i++) {
		const struct assoc *a = lint_assoc(l, i);

		if (above_top(l, &a->limits))
			min_prio(l, a->limits.min_prio_thresh, lint_at_assoc(l, a, "minprio"), lint_assoc_name(l, a));
	}
}

void lint_qos_wall(struct lint *l)
{
	uint32_t longest = 0;

	for (guint i = 0; i < l->n_parts; i++)
		longest = MAX(longest, lint_part(l, i)->max_time);
	for (guint i = 0; i < l->n_qos && lint_enforces(l, ENFORCE_LIMITS); i++) {
		const struct qos *q = lint_qos(l, i);

		if (!set32(q->limits.max_wall) || q->limits.max_wall <= longest || q->flags & QOS_PART_TIME_LIMIT)
			continue;
		lint_add(l, LINT_WARNING, lint_at_qos(l, q, "maxwall"),
		         fmt("QOS %s allows %s, but no partition allows more than %s", q->name,
		             lint_minutes(l, q->limits.max_wall), lint_minutes(l, longest)),
		         fmt("MaxTime of all %u partitions holds its jobs first: the longer MaxWall gives nothing",
		             l->c->partitions->len),
		         fmt("Flags=PartitionTimeLimit on QOS %s, or a longer MaxTime", q->name));
	}
}

/* The first run-minute limit of S that is set, with its value. */
static bool minutes_limit(const struct lint *l, const struct limits *s, const char **name, uint64_t *value)
{
	for (gsize k = 0; k < G_N_ELEMENTS(TRES_LIMITS); k++) {
		if (!strstr(TRES_LIMITS[k].name, "RunMins"))
			continue;
		const uint64_t *array = array_of(s, TRES_LIMITS[k].offset);

		for (uint32_t i = 0; array && i < l->c->tres->n; i++) {
			*value = lint_limit(l, array, i);
			*name = TRES_LIMITS[k].name;
			if (*value != INFINITE64)
				return true;
		}
	}
	return false;
}

/* The first partition in which a job without -t has no limit, and how many there are. */
static const struct partition *open_ended(const struct lint *l, guint *n)
{
	const struct partition *first = NULL;

	*n = 0;
	for (guint i = 0; i < l->n_parts; i++) {
		const struct partition *p = lint_live_part(l, i);
		bool unset = p && (p->default_time == NO_VAL || p->default_time == 0);

		first = unset && !first ? p : first;
		*n += unset;
	}
	return first;
}

void lint_run_mins(struct lint *l)
{
	guint n;
	const struct partition *p = open_ended(l, &n);

	for (guint i = 0; p && i < l->n_qos + l->acct->assocs->len && lint_enforces(l, ENFORCE_LIMITS); i++) {
		const struct qos *q = i < l->n_qos ? lint_qos(l, i) : NULL;
		const struct assoc *a = q ? NULL : lint_assoc(l, i - l->n_qos);
		const char *name;
		uint64_t value;

		if (lint_requires_limit(l) || !minutes_limit(l, q ? &q->limits : &a->limits, &name, &value))
			continue;
		lint_add(l, LINT_WARNING, q ? lint_at_qos(l, q, "runmins") : lint_at_assoc(l, a, "runmins"),
		         fmt("%s of %s, but partition %s has no DefaultTime", name,
		             q ? lint_qos_name(l, q) : lint_assoc_name(l, a), p->name),
		         fmt("a job without -t counts as 4294967294 minutes, which is above %" G_GUINT64_FORMAT
		             ": in %u partitions such jobs wait for ever",
		             (guint64)value, n),
		         fmt("PartitionName=%s DefaultTime=1:00:00, or JobSubmitPlugins=require_timelimit", p->name));
	}
}
