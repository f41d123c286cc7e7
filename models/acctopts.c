/* acctopts.c - the limits and properties of associations and QOS (spec accounting-files.md section 1). */
#include "models/acctread.h"
#include "models/conflex.h"
#include "models/suggest.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ON_ASSOC = 1, ON_QOS = 2, ON_BOTH = 3 };
enum kind {
	U32,
	TRES,
	ONE_TRES,
	WALL,
	SHARES,
	PRIORITY,
	QOS_LIST,
	DEF_QOS,
	GRACE,
	FACTOR,
	FLAGS,
	PREEMPT,
	PREEMPT_MODE,
	EXEMPT,
	LATER,
	RAW_USAGE,
	TEXT
};

struct option {
	const char *name;
	int on;
	enum kind kind;
	size_t offset; /* in struct limits; FACTOR: in struct qos; ONE_TRES: in struct limits */
	int tres;      /* ONE_TRES: the kind */
};
#define LIMIT(field) offsetof(struct limits, field)

static const struct option options[] = {
    {"DefaultQOS", ON_ASSOC, DEF_QOS, 0, 0},
    {"DefQOS", ON_ASSOC, DEF_QOS, 0, 0},
    {"Fairshare", ON_ASSOC, SHARES, 0, 0},
    {"Shares", ON_ASSOC, SHARES, 0, 0},
    {"QOS", ON_ASSOC, QOS_LIST, 0, 0},
    {"QosLevel", ON_ASSOC, QOS_LIST, 0, 0},
    {"Priority", ON_BOTH, PRIORITY, 0, 0},
    {"GrpTRESMins", ON_BOTH, TRES, LIMIT(grp_tres_mins), 0},
    {"GrpTRESRunMins", ON_BOTH, TRES, LIMIT(grp_tres_run_mins), 0},
    {"GrpTRES", ON_BOTH, TRES, LIMIT(grp_tres), 0},
    {"GrpJobs", ON_BOTH, U32, LIMIT(grp_jobs), 0},
    {"GrpJobsAccrue", ON_BOTH, U32, LIMIT(grp_jobs_accrue), 0},
    {"GrpSubmitJobs", ON_BOTH, U32, LIMIT(grp_submit), 0},
    {"GrpWall", ON_BOTH, WALL, LIMIT(grp_wall), 0},
    {"MaxTRESMinsPerJob", ON_BOTH, TRES, LIMIT(max_tres_mins_pj), 0},
    {"MaxTRESMinsPJ", ON_BOTH, TRES, LIMIT(max_tres_mins_pj), 0},
    {"MaxTRESMins", ON_BOTH, TRES, LIMIT(max_tres_mins_pj), 0},
    {"MaxTRESRunMins", ON_ASSOC, LATER, 0, 0},
    {"MaxTRESPerJob", ON_BOTH, TRES, LIMIT(max_tres_pj), 0},
    {"MaxTRESPJ", ON_BOTH, TRES, LIMIT(max_tres_pj), 0},
    {"MaxTRES", ON_BOTH, TRES, LIMIT(max_tres_pj), 0},
    {"MaxTRESPerNode", ON_BOTH, TRES, LIMIT(max_tres_pn), 0},
    {"MaxTRESPN", ON_BOTH, TRES, LIMIT(max_tres_pn), 0},
    {"MaxJobs", ON_ASSOC, U32, LIMIT(max_jobs), 0},
    {"MaxJobs", ON_QOS, U32, LIMIT(max_jobs_pu), 0},
    {"MaxJobsAccrue", ON_ASSOC, U32, LIMIT(max_jobs_accrue), 0},
    {"MaxSubmitJobs", ON_ASSOC, U32, LIMIT(max_submit), 0},
    {"MaxSubmitJobs", ON_QOS, U32, LIMIT(max_submit_pu), 0},
    {"MaxWallDurationPerJob", ON_BOTH, WALL, LIMIT(max_wall), 0},
    {"MaxWall", ON_BOTH, WALL, LIMIT(max_wall), 0},
    {"MaxWallPJ", ON_BOTH, WALL, LIMIT(max_wall), 0},
    {"RawUsage", ON_ASSOC, RAW_USAGE, 0, 0},
    {"MinPrioThresh", ON_BOTH, U32, LIMIT(min_prio_thresh), 0},
    /* QOS only */
    {"GraceTime", ON_QOS, GRACE, 0, 0},
    {"LimitFactor", ON_QOS, FACTOR, offsetof(struct qos, limit_factor), 0},
    {"UsageFactor", ON_QOS, FACTOR, offsetof(struct qos, usage_factor), 0},
    {"UsageThreshold", ON_QOS, FACTOR, offsetof(struct qos, usage_threshold), 0},
    {"Flags", ON_QOS, FLAGS, 0, 0},
    {"Preempt", ON_QOS, PREEMPT, 0, 0},
    {"PreemptMode", ON_QOS, PREEMPT_MODE, 0, 0},
    {"PreemptExemptTime", ON_QOS, EXEMPT, 0, 0},
    {"Description", ON_QOS, TEXT, 0, 0},
    {"MaxJobsPA", ON_QOS, U32, LIMIT(max_jobs_pa), 0},
    {"MaxJobsPerAccount", ON_QOS, U32, LIMIT(max_jobs_pa), 0},
    {"MaxJobsPU", ON_QOS, U32, LIMIT(max_jobs_pu), 0},
    {"MaxJobsPerUser", ON_QOS, U32, LIMIT(max_jobs_pu), 0},
    {"MaxJobsAccruePA", ON_QOS, U32, LIMIT(max_accrue_pa), 0},
    {"MaxJobsAccruePerAccount", ON_QOS, U32, LIMIT(max_accrue_pa), 0},
    {"MaxJobsAccruePU", ON_QOS, U32, LIMIT(max_accrue_pu), 0},
    {"MaxJobsAccruePerUser", ON_QOS, U32, LIMIT(max_accrue_pu), 0},
    {"MaxSubmitJobsPA", ON_QOS, U32, LIMIT(max_submit_pa), 0},
    {"MaxSubmitJobsPerAccount", ON_QOS, U32, LIMIT(max_submit_pa), 0},
    {"MaxSubmitPA", ON_QOS, U32, LIMIT(max_submit_pa), 0},
    {"MaxSubmitJobsPU", ON_QOS, U32, LIMIT(max_submit_pu), 0},
    {"MaxSubmitJobsPerUser", ON_QOS, U32, LIMIT(max_submit_pu), 0},
    {"MaxSubmitPU", ON_QOS, U32, LIMIT(max_submit_pu), 0},
    {"MaxTRESPerAccount", ON_QOS, TRES, LIMIT(max_tres_pa), 0},
    {"MaxTRESPA", ON_QOS, TRES, LIMIT(max_tres_pa), 0},
    {"MaxTRESPerUser", ON_QOS, TRES, LIMIT(max_tres_pu), 0},
    {"MaxTRESPU", ON_QOS, TRES, LIMIT(max_tres_pu), 0},
    {"MaxTRESRunMinsPerAccount", ON_QOS, TRES, LIMIT(max_tres_run_mins_pa), 0},
    {"MaxTRESRunMinsPA", ON_QOS, TRES, LIMIT(max_tres_run_mins_pa), 0},
    {"MaxTRESRunMinsPerUser", ON_QOS, TRES, LIMIT(max_tres_run_mins_pu), 0},
    {"MaxTRESRunMinsPU", ON_QOS, TRES, LIMIT(max_tres_run_mins_pu), 0},
    {"MinTRESPerJob", ON_QOS, TRES, LIMIT(min_tres_pj), 0},
    {"MinTRES", ON_QOS, TRES, LIMIT(min_tres_pj), 0},
    /* names of old releases */
    {"GrpCPUs", ON_BOTH, ONE_TRES, LIMIT(grp_tres), TRES_CPU},
    {"GrpNodes", ON_BOTH, ONE_TRES, LIMIT(grp_tres), TRES_NODE},
    {"GrpMemory", ON_BOTH, ONE_TRES, LIMIT(grp_tres), TRES_MEM},
    {"GrpCPUMins", ON_BOTH, ONE_TRES, LIMIT(grp_tres_mins), TRES_CPU},
    {"GrpCPURunMins", ON_BOTH, ONE_TRES, LIMIT(grp_tres_run_mins), TRES_CPU},
    {"MaxCPUsPerJob", ON_BOTH, ONE_TRES, LIMIT(max_tres_pj), TRES_CPU},
    {"MaxNodesPerJob", ON_BOTH, ONE_TRES, LIMIT(max_tres_pj), TRES_NODE},
    {"MaxCPUMinsPerJob", ON_BOTH, ONE_TRES, LIMIT(max_tres_mins_pj), TRES_CPU},
};

/* The option that KEY means: the exact name, else the only or first one that begins with it. */
static const struct option *find_option(const char *key, int on)
{
	gsize n = strlen(key);
	const struct option *found = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(options); i++) {
		const struct option *o = &options[i];

		if (!(o->on & on) || g_ascii_strncasecmp(o->name, key, n) != 0)
			continue;
		if (!o->name[n])
			return o;
		if (!found && n >= 3)
			found = o;
	}
	return found;
}

static void unknown_option(struct acct_reader *r, const struct acct_option *o, int on)
{
	struct suggestion s;
	char *shown = conflex_show(o->key);

	suggest_begin(&s, o->key);
	for (gsize i = 0; i < G_N_ELEMENTS(options); i++)
		if (options[i].on & on)
			suggest_offer(&s, options[i].name);
	char *hint = suggest_hint(&s, "see sacctmgr's manual for the options");
	acct_error(r, o->column, hint, "unknown option %s of %s", shown, on == ON_QOS ? "a QOS" : "an association");
	g_free(hint);
	g_free(shown);
}

static void bad_value(struct acct_reader *r, const struct acct_option *o, const char *hint)
{
	char *shown = conflex_show(o->value);

	acct_error(r, o->column, hint, "bad value \"%s\" of %s", shown, o->key);
	g_free(shown);
}

static bool number(struct acct_reader *r, const struct acct_option *o, uint32_t *out)
{
	guint64 v;

	if (g_str_equal(o->value, "-1")) {
		*out = INFINITE;
		return true;
	}
	if (!g_ascii_string_to_unsigned(o->value, 10, 0, G_MAXUINT32 - 2, &v, NULL)) {
		bad_value(r, o, "a whole number, or -1 for no limit");
		return false;
	}
	*out = (uint32_t)v;
	return true;
}

/* Kinds that are not named keep their value. */
static void set_tres(struct acct_reader *r, const struct acct_option *o, uint64_t **field, const char *text)
{
	const struct tres_table *t = r->a->tres;
	uint64_t fresh[TRES_MAX];
	GError *error = NULL;

	if (!tres_parse(t, text, fresh, NO_VAL64, &error)) {
		acct_error(r, o->column, "write kind=number,...; AccountingStorageTRES names the kinds", "%s: %s",
		           o->key, error->message);
		g_error_free(error);
		return;
	}
	if (!*field) {
		*field = g_new(uint64_t, t->n);
		for (uint32_t i = 0; i < t->n; i++)
			(*field)[i] = NO_VAL64;
	}
	for (uint32_t i = 0; i < t->n; i++)
		if (fresh[i] != NO_VAL64)
			(*field)[i] = fresh[i];
}

static void set_one_tres(struct acct_reader *r, const struct acct_option *o, uint64_t **field, int kind)
{
	char *text = g_strdup_printf("%s=%s", r->a->tres->name[kind], o->value);

	set_tres(r, o, field, text);
	g_free(text);
}

static void set_wall(struct acct_reader *r, const struct acct_option *o, uint32_t *field)
{
	if (!duration_parse_minutes(o->value, field))
		bad_value(r, o, "minutes, [days-]hours:minutes:seconds, or -1 for no limit");
}

/* Seconds; a plain number is SECONDS in a dump and for GraceTime, else minutes as in all time limits. */
static bool seconds_of(struct acct_reader *r, const struct acct_option *o, bool plain_seconds, int64_t *out)
{
	gint64 v;

	if (plain_seconds && g_ascii_string_to_signed(o->value, 10, -1, G_MAXINT32, &v, NULL)) {
		*out = v;
		return true;
	}
	if (duration_parse_seconds(o->value, out) && *out <= G_MAXINT32)
		return true;
	bad_value(r, o, "seconds, or [days-]hours:minutes:seconds");
	return false;
}

static void set_shares(struct acct_reader *r, const struct acct_option *o, struct assoc *as)
{
	guint64 v;

	if (g_ascii_strcasecmp(o->value, "parent") == 0)
		as->shares = SHARES_PARENT;
	else if (g_str_equal(o->value, "-1"))
		as->shares = 1;
	else if (g_ascii_string_to_unsigned(o->value, 10, 0, SHARES_PARENT, &v, NULL))
		as->shares = (uint32_t)v;
	else
		bad_value(r, o, "a number of shares, or parent");
}

/* Is QOS name known? In old dumps, which define none, it is made. */
static bool qos_known(struct acct_reader *r, const struct acct_option *o, const char *name)
{
	if (acct_find_qos(r->a, name))
		return true;
	if (r->make_qos && r->a->qos->len < ACCT_QOS_MAX) {
		acct_add_qos(r->a, name);
		acct_warn(r, o->column, "give the site's QOS too",
		          "QOS %s is not defined here: taken as one without limits", name);
		return true;
	}
	struct suggestion s;
	suggest_begin(&s, name);
	for (guint i = 0; i < r->a->qos->len; i++)
		suggest_offer(&s, ((const struct qos *)g_ptr_array_index(r->a->qos, i))->name);
	char *hint = suggest_hint(&s, "define it before"), *shown = conflex_show(name);
	acct_error(r, o->column, hint, "unknown QOS %s", shown);
	g_free(shown);
	g_free(hint);
	return false;
}

static void change_set(GPtrArray *set, const char *name, char op)
{
	for (guint i = 0; i < set->len; i++) {
		if (!g_str_equal(g_ptr_array_index(set, i), name))
			continue;
		if (op == '-')
			g_ptr_array_remove_index(set, i);
		return;
	}
	if (op != '-')
		g_ptr_array_add(set, g_strdup(name));
}

/* The list OLD changed by o: replaced, or with "+name", "-name" items (or +=, -=) changed. g_strfreev. */
static char **change_list(struct acct_reader *r, const struct acct_option *o, char **old, bool check)
{
	GPtrArray *set = g_ptr_array_new_with_free_func(g_free);
	char **item = g_strsplit(o->value, ",", -1);
	bool delta = o->op || strchr("+-", o->value[0]);

	for (char **s = old; delta && s && *s; s++)
		g_ptr_array_add(set, g_strdup(*s));
	for (char **s = item; *s; s++) {
		char *name = g_ascii_strdown(g_strstrip(*s), -1);
		char op = *name && strchr("+-", *name) ? *name : o->op;
		const char *plain = *name && strchr("+-", *name) ? name + 1 : name;

		if (*plain && (!check || qos_known(r, o, plain)))
			change_set(set, plain, op);
		g_free(name);
	}
	g_strfreev(item);
	g_ptr_array_add(set, NULL);
	g_ptr_array_set_free_func(set, NULL);
	return (char **)g_ptr_array_free(set, FALSE);
}

static void set_qos_list(struct acct_reader *r, const struct acct_option *o, struct assoc *as)
{
	char **fresh = change_list(r, o, assoc_qos_list(as), true);

	g_strfreev(as->qos);
	as->qos = fresh;
}

static void set_preempt(struct acct_reader *r, const struct acct_option *o, struct qos *q)
{
	/* dumps name QOS that follow later: accounting.c looks at the end */
	char **fresh = change_list(r, o, q->preempt, !r->dump);

	g_strfreev(q->preempt);
	q->preempt = fresh;
}

static void set_flags(struct acct_reader *r, const struct acct_option *o, struct qos *q)
{
	static const struct {
		const char *name;
		uint32_t flag;
	} flags[] = {
	    {"DenyOnLimit", QOS_DENY_LIMIT},
	    {"OverPartQOS", QOS_OVER_PART_QOS},
	    {"NoReserve", QOS_NO_RESERVE},
	    {"PartitionMaxNodes", QOS_PART_MAX_NODE},
	    {"PartitionMinNodes", QOS_PART_MIN_NODE},
	    {"PartitionTimeLimit", QOS_PART_TIME_LIMIT},
	    {"EnforceUsageThreshold", QOS_ENFORCE_USAGE_THRESHOLD},
	    {"RequiresReservation", QOS_REQUIRES_RESV},
	    {"RequiresReserv", QOS_REQUIRES_RESV},
	    {"NoDecay", QOS_NO_DECAY},
	    {"UsageFactorSafe", QOS_USAGE_FACTOR_SAFE},
	    {"Relative", QOS_RELATIVE},
	    {"Deleted", 0},
	    {"PartQOS", 0},
	};
	char **item = g_strsplit(o->value, ",", -1);

	if (!o->op && !strchr("+-", o->value[0]))
		q->flags = 0;
	for (char **s = item; *s; s++) {
		bool own = **s == '+' || **s == '-';
		const char *name = *s + own;
		char op = own ? **s : o->op;
		gsize i = 0;

		while (i < G_N_ELEMENTS(flags) && g_ascii_strcasecmp(flags[i].name, name) != 0)
			i++;
		if (i < G_N_ELEMENTS(flags))
			q->flags = op == '-' ? q->flags & ~flags[i].flag : q->flags | flags[i].flag;
		else if (!g_str_equal(*s, "-1") && *name)
			acct_error(r, o->column, "DenyOnLimit, OverPartQOS, NoReserve, NoDecay ...",
			           "unknown QOS flag %.60s", name);
	}
	g_strfreev(item);
}

static void set_factor(struct acct_reader *r, const struct acct_option *o, double *field)
{
	char *end;
	double v = g_ascii_strtod(o->value, &end);

	if (end == o->value || *end || !isfinite(v))
		bad_value(r, o, "a number");
	else
		*field = v;
}

static void set_preempt_mode(struct acct_reader *r, const struct acct_option *o, struct qos *q)
{
	static const char *const known[] = {"off", "cluster", "cancel", "requeue", "suspend", "within", "gang", "priority", NULL};
	char *text = g_ascii_strdown(o->value, -1);
	char **item = g_strsplit(text, ",", -1);
	bool good = true;

	for (char **s = item; *s; s++)
		good &= g_strv_contains(known, *s);
	if (!good)
		bad_value(r, o, "cluster, off, cancel, requeue, suspend, within or priority");
	g_strfreev(item);
	g_free(q->preempt_mode_text);
	if (good) {
		enum preempt_mode mode = PREEMPT_MODE_UNSET;
		preempt_mode_parse(text, &mode, &q->preempt_flags);
		q->preempt_mode = mode;
	}
	q->preempt_mode_text = good && !g_str_equal(text, "cluster") ? g_strdup(text) : NULL;
	g_free(text);
}

static void set_default_qos(struct acct_reader *r, const struct acct_option *o, struct assoc *as)
{
	g_free(as->default_qos);
	as->default_qos = NULL;
	if (!g_str_equal(o->value, "-1") && qos_known(r, o, o->value))
		as->default_qos = g_ascii_strdown(o->value, -1);
}

static void set_qos_text(struct qos *q, const char *text)
{
	g_free(q->description);
	q->description = g_ascii_strdown(text, -1);
}

static void apply_qos(struct acct_reader *r, struct qos *q, const struct option *k, const struct acct_option *o)
{
	int64_t seconds;

	if (k->kind == GRACE) {
		if (seconds_of(r, o, true, &seconds))
			q->grace_time = (int)MAX(seconds, 0);
	} else if (k->kind == EXEMPT) {
		if (seconds_of(r, o, r->dump, &seconds))
			q->preempt_exempt_time = seconds;
	} else if (k->kind == FACTOR) {
		set_factor(r, o, (double *)(void *)((char *)q + k->offset));
	} else if (k->kind == FLAGS) {
		set_flags(r, o, q);
	} else if (k->kind == PREEMPT) {
		set_preempt(r, o, q);
	} else if (k->kind == PREEMPT_MODE) {
		set_preempt_mode(r, o, q);
	} else if (k->kind == TEXT) {
		set_qos_text(q, o->value);
	} else if (k->kind == PRIORITY) {
		number(r, o, &q->priority);
		if (q->priority == INFINITE)
			q->priority = 0;
	}
}

/* Billing seconds used in the past: a warm start, or (0) sacctmgr's reset. */
static void set_raw_usage(struct acct_reader *r, const struct acct_option *o, struct assoc *as)
{
	guint64 v;

	if (!g_ascii_string_to_unsigned(o->value, 10, 0, G_MAXINT64, &v, NULL))
		bad_value(r, o, "billing seconds, a whole number");
	else if (!as->user && v > 0)
		acct_error(r, o->column, "give it to its users", "RawUsage of an account can only be set to 0");
	else
		acct_set_usage(as, (long double)v);
}

static void apply_assoc(struct acct_reader *r, struct assoc *as, const struct option *k, const struct acct_option *o)
{
	if (k->kind == SHARES)
		set_shares(r, o, as);
	else if (k->kind == RAW_USAGE)
		set_raw_usage(r, o, as);
	else if (k->kind == QOS_LIST)
		set_qos_list(r, o, as);
	else if (k->kind == DEF_QOS)
		set_default_qos(r, o, as);
	else if (k->kind == PRIORITY && number(r, o, &as->priority) && as->priority == INFINITE)
		as->priority = NO_VAL;
}

void acct_apply(struct acct_reader *r, const struct acct_target *t, const struct acct_option *o)
{
	const struct option *k = find_option(o->key, t->qos ? ON_QOS : ON_ASSOC);

	if (!k) {
		unknown_option(r, o, t->qos ? ON_QOS : ON_ASSOC);
		return;
	}
	if (!*o->value) /* blank field discarded */
		return;
	if (o->op && k->kind != QOS_LIST && k->kind != PREEMPT && k->kind != FLAGS) {
		acct_error(r, o->column, "write =", "%s%c= is for lists", o->key, o->op);
		return;
	}
	if (t->qos && t->qos->relative_done && (k->kind == TRES || k->kind == ONE_TRES)) {
		acct_error(r, o->column, "make a QOS with other percentages",
		           "%s of a QOS with the flag Relative cannot change in a run", o->key);
		return;
	}
	if (t->qos)
		t->qos->changed = true;
	else
		t->assoc->changed = true;
	if (t->assoc && (k->kind == SHARES || k->kind == PRIORITY))
		r->a->generation++;
	void *field = (char *)(t->qos ? &t->qos->limits : &t->assoc->limits) + k->offset;
	if (k->kind == U32)
		number(r, o, field);
	else if (k->kind == TRES)
		set_tres(r, o, field, o->value);
	else if (k->kind == ONE_TRES)
		set_one_tres(r, o, field, k->tres);
	else if (k->kind == WALL)
		set_wall(r, o, field);
	else if (k->kind == LATER)
		acct_warn(r, o->column, NULL, "%s of an association has no effect: Slurm stores it and never enforces it",
		          k->name);
	else if (t->qos)
		apply_qos(r, t->qos, k, o);
	else
		apply_assoc(r, t->assoc, k, o);
}
