/*
 * confwrite_acct.c - accounting as a sacctmgr dump, see confwrite.h.
 *
 * One writer for two uses: everything as it is held, in its own order; or what sacctmgr itself writes (spec accounting-files.md 1,
 * recorded in both releases).
 */
#include "models/confwrite.h"
#include "sched/acct.h"
#include <string.h>

struct writer {
	GString *o;
	const struct acct *a;
	bool as_sacctmgr; /* names and lists sorted, QOS lists as differences */
	bool old;         /* 22.05 */
};

static void tres(GString *o, const struct tres_table *t, const char *key, const uint64_t *counts)
{
	GString *text = g_string_new(NULL);

	for (uint32_t i = 0; counts && i < t->n; i++) {
		if (counts[i] == NO_VAL64)
			continue;
		g_string_append_printf(text, "%s%s=", text->len ? "," : "", t->name[i]);
		if (counts[i] == INFINITE64)
			g_string_append(text, "-1");
		else
			g_string_append_printf(text, "%" G_GUINT64_FORMAT, counts[i]);
	}
	if (text->len)
		g_string_append_printf(o, ":%s=%s", key, text->str);
	g_string_free(text, TRUE);
}

static void count(GString *o, const char *key, uint32_t value)
{
	if (value == INFINITE)
		g_string_append_printf(o, ":%s=-1", key);
	else if (value != NO_VAL)
		g_string_append_printf(o, ":%s=%u", key, value);
}

static int by_text(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* ITEMS between commas, each behind SIGN. */
static void names(const struct writer *w, const char *key, char **items, const char *sign)
{
	char **copy = items && *items ? g_strdupv(items) : NULL;

	if (!copy)
		return;
	if (w->as_sacctmgr)
		qsort(copy, g_strv_length(copy), sizeof *copy, by_text);
	g_string_append_printf(w->o, ":%s='", key);
	for (char **s = copy; *s; s++)
		g_string_append_printf(w->o, "%s%s%s", s == copy ? "" : ",", sign, *s);
	g_string_append_c(w->o, '\'');
	g_strfreev(copy);
}

static void fraction(const struct writer *w, const char *key, double value)
{
	g_string_append_printf(w->o, w->as_sacctmgr ? ":%s=%f" : ":%s=%.17g", key, value);
}

static void text(const struct writer *w, const char *key, const char *value)
{
	if (value)
		g_string_append_printf(w->o, ":%s='%s'", key, value);
}

static void minute_limits(const struct writer *w, const struct limits *l)
{
	tres(w->o, w->a->tres, "GrpTRESMins", l->grp_tres_mins);
	tres(w->o, w->a->tres, "GrpTRESRunMins", l->grp_tres_run_mins);
}

static void qos_flags(GString *o, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} words[] = {{QOS_DENY_LIMIT, "DenyOnLimit"},
	             {QOS_OVER_PART_QOS, "OverPartQOS"},
	             {QOS_NO_RESERVE, "NoReserve"},
	             {QOS_PART_MAX_NODE, "PartitionMaxNodes"},
	             {QOS_PART_MIN_NODE, "PartitionMinNodes"},
	             {QOS_PART_TIME_LIMIT, "PartitionTimeLimit"},
	             {QOS_ENFORCE_USAGE_THRESHOLD, "EnforceUsageThreshold"},
	             {QOS_REQUIRES_RESV, "RequiresReservation"},
	             {QOS_NO_DECAY, "NoDecay"},
	             {QOS_USAGE_FACTOR_SAFE, "UsageFactorSafe"},
	             {QOS_RELATIVE, "Relative"}};
	GString *text = g_string_new(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (flags & words[i].flag)
			g_string_append_printf(text, "%s%s", text->len ? "," : "", words[i].name);
	if (text->len)
		g_string_append_printf(o, ":Flags='%s'", text->str);
	g_string_free(text, TRUE);
}

static void qos_group_limits(const struct writer *w, const struct limits *l)
{
	GString *o = w->o;

	count(o, "GrpJobsAccrue", l->grp_jobs_accrue);
	count(o, "GrpJobs", l->grp_jobs);
	count(o, "GrpSubmitJobs", l->grp_submit);
	tres(o, w->a->tres, "GrpTRES", l->grp_tres);
	minute_limits(w, l);
	count(o, "GrpWall", l->grp_wall);
}

static void qos_job_limits(const struct writer *w, const struct limits *l)
{
	const struct tres_table *t = w->a->tres;
	GString *o = w->o;

	count(o, "MaxJobsPA", l->max_jobs_pa);
	count(o, "MaxJobsPU", l->max_jobs_pu);
	count(o, "MaxJobsAccruePA", l->max_accrue_pa);
	count(o, "MaxJobsAccruePU", l->max_accrue_pu);
	count(o, "MaxSubmitJobsPA", l->max_submit_pa);
	count(o, "MaxSubmitJobsPU", l->max_submit_pu);
	tres(o, t, "MaxTRESMinsPerJob", l->max_tres_mins_pj);
	tres(o, t, "MaxTRESPerAccount", l->max_tres_pa);
	tres(o, t, "MaxTRESPerJob", l->max_tres_pj);
	tres(o, t, "MaxTRESPerNode", l->max_tres_pn);
	tres(o, t, "MaxTRESPerUser", l->max_tres_pu);
	tres(o, t, "MaxTRESRunMinsPerAccount", l->max_tres_run_mins_pa);
	tres(o, t, "MaxTRESRunMinsPerUser", l->max_tres_run_mins_pu);
	count(o, "MaxWallDurationPerJob", l->max_wall);
	count(o, "MinPrioThresh", l->min_prio_thresh);
	tres(o, t, "MinTRESPerJob", l->min_tres_pj);
}

static void qos_preemption(const struct writer *w, const struct qos *q)
{
	char *mode = q->preempt_mode_text && w->as_sacctmgr ? g_ascii_strdown(q->preempt_mode_text, -1) : g_strdup(q->preempt_mode_text);

	names(w, "Preempt", q->preempt, "");
	text(w, "PreemptMode", mode);
	if (q->preempt_exempt_time >= 0)
		g_string_append_printf(w->o, ":PreemptExemptTime=%" G_GINT64_FORMAT, q->preempt_exempt_time);
	g_free(mode);
}

static void qos_line(const struct writer *w, const struct qos *q)
{
	g_string_append_printf(w->o, "QOS - '%s'", q->name);
	text(w, "Description", w->as_sacctmgr ? qos_description(q) : q->description);
	qos_flags(w->o, q->flags);
	if (q->grace_time)
		g_string_append_printf(w->o, ":GraceTime=%d", q->grace_time);
	qos_group_limits(w, &q->limits);
	if (q->limit_factor >= 0)
		fraction(w, "LimitFactor", q->limit_factor);
	qos_job_limits(w, &q->limits);
	qos_preemption(w, q);
	if (q->priority)
		g_string_append_printf(w->o, ":Priority=%u", q->priority);
	if (q->usage_factor != 1)
		fraction(w, "UsageFactor", q->usage_factor);
	if (q->usage_threshold >= 0)
		fraction(w, "UsageThreshold", q->usage_threshold);
	g_string_append_c(w->o, '\n');
}

/* ---- associations ---- */

/* sacctmgr tells what AS has beyond what it inherits with "+". False: it is no such list. */
static bool more_qos(const struct writer *w, const struct assoc *as)
{
	char **above = as->parent ? assoc_qos_list(as->parent) : NULL;
	GPtrArray *more = g_ptr_array_new();
	guint kept = 0;

	for (char **s = as->qos; w->as_sacctmgr && above && s && *s; s++)
		if (g_strv_contains((const char *const *)above, *s))
			kept++;
		else
			g_ptr_array_add(more, *s);
	bool is = more->len && kept == g_strv_length(above);
	g_ptr_array_add(more, NULL);
	if (is)
		names(w, "QOS", (char **)more->pdata, "+");
	g_ptr_array_unref(more);
	return is;
}

static void assoc_options(const struct writer *w, const struct assoc *as)
{
	const struct tres_table *t = w->a->tres;
	const struct limits *l = &as->limits;
	GString *o = w->o;

	text(w, "DefaultQOS", as->default_qos);
	g_string_append_printf(o, ":Fairshare=%u", as->shares);
	minute_limits(w, l);
	tres(o, t, "GrpTRES", l->grp_tres);
	count(o, "GrpJobs", l->grp_jobs);
	count(o, "GrpJobsAccrue", l->grp_jobs_accrue);
	count(o, "GrpSubmitJobs", l->grp_submit);
	count(o, "GrpWall", l->grp_wall);
	tres(o, t, "MaxTRESMinsPerJob", l->max_tres_mins_pj);
	tres(o, t, "MaxTRESPerJob", l->max_tres_pj);
	tres(o, t, "MaxTRESPerNode", l->max_tres_pn);
	count(o, "MaxJobs", l->max_jobs);
	count(o, "MaxJobsAccrue", l->max_jobs_accrue);
	count(o, "MaxSubmitJobs", l->max_submit);
	count(o, "MaxWallDurationPerJob", l->max_wall);
	count(o, "MinPrioThresh", l->min_prio_thresh);
	count(o, "Priority", as->priority);
	if (!more_qos(w, as))
		names(w, "QOS", as->qos, "");
	g_string_append_c(o, '\n');
}

static void user_options(const struct writer *w, const struct assoc *as)
{
	const char *account = g_hash_table_lookup(w->a->default_account, as->user),
	           *admin = w->as_sacctmgr && strcmp(as->user, "root") == 0 ? "Administrator" : g_hash_table_lookup(w->a->admin, as->user);
	GPtrArray *accounts = g_ptr_array_new();
	GHashTableIter it;
	gpointer name, users;

	g_hash_table_iter_init(&it, w->a->coordinators);
	while (g_hash_table_iter_next(&it, &name, &users))
		if (g_ptr_array_find_with_equal_func(users, as->user, g_str_equal, NULL))
			g_ptr_array_add(accounts, name);
	g_ptr_array_sort(accounts, by_text);
	g_ptr_array_add(accounts, NULL);
	text(w, "Partition", as->partition);
	text(w, "DefaultAccount", account ? account : as->account);
	if (admin && w->as_sacctmgr)
		admin = g_ascii_strncasecmp(admin, "admin", 5) == 0 ? "Administrator" : g_ascii_strncasecmp(admin, "op", 2) == 0 ? "Operator" : NULL;
	text(w, "AdminLevel", admin);
	names(w, "Coordinator", (char **)accounts->pdata, "");
	g_ptr_array_unref(accounts);
}

static void child_line(const struct writer *w, const struct assoc *as)
{
	g_string_append_printf(w->o, "%s - '%s'", as->user ? "User" : "Account", as->user ? as->user : as->account);
	if (as->user) {
		user_options(w, as);
	} else {
		text(w, "Description", w->as_sacctmgr ? account_description(as) : as->description);
		text(w, "Organization", w->as_sacctmgr ? account_organization(as) : as->organization);
	}
	assoc_options(w, as);
}

static void children(const struct writer *w, const struct assoc *parent)
{
	GPtrArray *list = g_ptr_array_copy(parent->children, NULL, NULL);

	if (w->as_sacctmgr)
		acct_sort_children(list, w->old);
	if (list->len)
		g_string_append_printf(w->o, "Parent - '%s'\n", parent->account);
	for (int accounts = 0; accounts < 2; accounts++) /* users first */
		for (guint i = 0; i < list->len; i++) {
			const struct assoc *as = list->pdata[i];

			if ((as->user == NULL) == (accounts == 1))
				child_line(w, as);
		}
	for (guint i = 0; i < list->len; i++)
		if (!((const struct assoc *)list->pdata[i])->user)
			children(w, list->pdata[i]);
	g_ptr_array_unref(list);
}

static char *write_all(const struct writer *w, const char *cluster, bool with_qos)
{
	for (guint i = 0; with_qos && i < w->a->qos->len; i++)
		if (!((const struct qos *)w->a->qos->pdata[i])->removed)
			qos_line(w, w->a->qos->pdata[i]);
	g_string_append_printf(w->o, "Cluster - '%s'", cluster);
	assoc_options(w, w->a->root);
	children(w, w->a->root);
	return g_string_free(w->o, FALSE);
}

char *confwrite_accounting(const struct acct *a, const char *cluster)
{
	return write_all(&(struct writer){.o = g_string_new(NULL), .a = a}, cluster, true);
}

char *confwrite_dump(const struct acct *a, const char *cluster, bool old)
{
	return write_all(&(struct writer){.o = g_string_new(NULL), .a = a, .as_sacctmgr = true, .old = old}, cluster, !old);
}
