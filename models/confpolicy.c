/* confpolicy.c - priority, accounting and preemption in slurm.conf (spec slurm-conf.md 5.5 to 5.7). */
#include "models/confread.h"
#include "models/confword.h"
#include "sched/releases.h"

void conf_set_priority_type(struct conf_reader *r, const struct conf_pair *p)
{
	static const struct conf_word words[] = {
	    {"priority/multifactor", PRIORITY_MULTIFACTOR},
	    {"priority/basic", PRIORITY_BASIC},
	    {NULL, 0},
	};
	const struct conf_word *w = conf_word_find(words, p->value);

	if (w)
		r->p->priority_type = (enum priority_type)w->value;
	else
		conf_bad_word(r, p, words, p->value);
}

/* Flags are found by substring; MAX_TRES_GRES contains MAX_TRES and is looked for first (5.5). */
void conf_set_priority_flags(struct conf_reader *r, const struct conf_pair *p)
{
	static const struct conf_word words[] = {
	    {"ACCRUE_ALWAYS", PRIO_ACCRUE_ALWAYS},
	    {"CALCULATE_RUNNING", PRIO_CALCULATE_RUNNING},
	    {"DEPTH_OBLIVIOUS", PRIO_DEPTH_OBLIVIOUS | PRIO_NO_FAIR_TREE},
	    {"FAIR_TREE", 0},
	    {"INCR_ONLY", PRIO_INCR_ONLY},
	    {"MAX_TRES", PRIO_MAX_TRES},
	    {"MAX_TRES_GRES", PRIO_MAX_TRES_GRES},
	    {"NO_FAIR_TREE", PRIO_NO_FAIR_TREE},
	    {"NO_NORMAL_ALL", PRIO_NO_NORMAL_ASSOC | PRIO_NO_NORMAL_PART | PRIO_NO_NORMAL_QOS | PRIO_NO_NORMAL_TRES},
	    {"NO_NORMAL_ASSOC", PRIO_NO_NORMAL_ASSOC},
	    {"NO_NORMAL_PART", PRIO_NO_NORMAL_PART},
	    {"NO_NORMAL_QOS", PRIO_NO_NORMAL_QOS},
	    {"NO_NORMAL_TRES", PRIO_NO_NORMAL_TRES},
	    {"SMALL_RELATIVE_TO_TIME", PRIO_SMALL_RELATIVE},
	    {NULL, 0},
	};
	char **list = conf_list(p->value, false);

	for (char **s = list; *s; s++) {
		const struct conf_word *w = conf_word_find(words, *s);

		if (w)
			r->p->priority_flags |= (uint32_t)w->value;
		else
			conf_warn(r, p, NULL, "unknown flag %s in PriorityFlags has no effect", *s);
	}
	if (r->p->priority_flags & PRIO_MAX_TRES_GRES && r->p->version == SLURM_22_05) /* it knows the shorter one (P60) */
		r->p->priority_flags = (r->p->priority_flags & ~(uint32_t)PRIO_MAX_TRES_GRES) | PRIO_MAX_TRES;
	if (r->p->priority_flags & PRIO_MAX_TRES_GRES)
		r->p->priority_flags &= ~(uint32_t)PRIO_MAX_TRES;
	g_strfreev(list);
}

void conf_set_weight_fairshare(struct conf_reader *r, const struct conf_pair *p)
{
	guint64 v;

	if (!conf_number(r, p, G_MAXUINT32, &v))
		return;
	if (v == CONF_UNLIMITED) {
		conf_error(r, p, "a whole number", "PriorityWeightFairshare cannot be unlimited");
		return;
	}
	r->p->weight_fairshare = (uint32_t)v;
}

void conf_set_usage_reset(struct conf_reader *r, const struct conf_pair *p)
{
	static const struct conf_word words[] = {
	    {"NONE", RESET_NONE},           {"NOW", RESET_NOW},
	    {"DAILY", RESET_DAILY},         {"WEEKLY", RESET_WEEKLY},
	    {"MONTHLY", RESET_MONTHLY},     {"QUARTERLY", RESET_QUARTERLY},
	    {"YEARLY", RESET_YEARLY},       {NULL, 0},
	};
	const struct conf_word *w = conf_word_find(words, p->value);

	if (w)
		r->p->usage_reset = (enum usage_reset_period)w->value;
	else
		conf_bad_word(r, p, words, p->value);
}

void conf_set_weight_tres(struct conf_reader *r, const struct conf_pair *p)
{
	GError *error = NULL;

	g_free(r->p->weight_tres);
	g_free(r->p->weight_tres_text);
	r->p->weight_tres_text = g_strdup(p->value);
	r->p->weight_tres = g_new0(double, r->c->tres->n);
	if (!tres_parse_weights(r->c->tres, p->value, r->p->weight_tres, &error)) {
		diag_error(r->d, p->file, p->value_line, p->value_column,
		           "AccountingStorageTRES names the kinds that can be used", "%s: %s", p->key, error->message);
		g_error_free(error);
	}
}

void conf_set_accounting_type(struct conf_reader *r, const struct conf_pair *p)
{
	if (g_ascii_strcasecmp(p->value, "accounting_storage/slurmdbd") == 0)
		r->p->has_accounting = true;
	else if (g_ascii_strcasecmp(p->value, "accounting_storage/none") != 0)
		conf_warn(r, p, "accounting_storage/slurmdbd or accounting_storage/none",
		          "%s is obsolete: taken as none", p->value);
}

void conf_set_accounting_enforce(struct conf_reader *r, const struct conf_pair *p)
{
	enum { ALL = ENFORCE_ASSOC | ENFORCE_LIMITS | ENFORCE_WCKEYS | ENFORCE_QOS | ENFORCE_SAFE };
	static const struct conf_word words[] = {
	    {"associations", ENFORCE_ASSOC},
	    {"1", ENFORCE_ASSOC},
	    {"limits", ENFORCE_ASSOC | ENFORCE_LIMITS},
	    {"2", ENFORCE_ASSOC | ENFORCE_LIMITS},
	    {"qos", ENFORCE_ASSOC | ENFORCE_QOS},
	    {"safe", ENFORCE_ASSOC | ENFORCE_LIMITS | ENFORCE_SAFE},
	    {"wckeys", ENFORCE_ASSOC | ENFORCE_WCKEYS},
	    {"all", ALL},
	    {"nojobs", ENFORCE_NOJOBS},
	    {"nosteps", ENFORCE_NOSTEPS},
	    {"none", 0},
	    {NULL, 0},
	};
	char **list = conf_list(p->value, false);

	for (char **s = list; *s; s++) {
		const struct conf_word *w = conf_word_find(words, *s);

		if (w)
			r->p->enforce |= (uint32_t)w->value;
		else
			conf_bad_word(r, p, words, *s);
		if (w && g_ascii_strcasecmp(w->name, "wckeys") == 0)
			conf_not_modelled(r, p, "which wckeys a user may name");
	}
	g_strfreev(list);
}

/* Of these only Contain can be seen: it makes the extern steps. X11 implies it. */
void conf_set_prolog_flags(struct conf_reader *r, const struct conf_pair *p)
{
	static const struct conf_word words[] = {
	    {"alloc", 0},  {"contain", 1},  {"deferbatch", 0}, {"nohold", 0}, {"forcerequeueonfail", 0},
	    {"runinjob", 1}, {"serial", 0}, {"x11", 1},        {"none", 0},   {NULL, 0},
	};
	char **list = conf_list(p->value, false);

	for (char **s = list; *s; s++) {
		const struct conf_word *w = conf_word_find(words, *s);

		if (w)
			r->p->prolog_contain |= w->value != 0;
		else
			conf_bad_word(r, p, words, *s);
	}
	g_strfreev(list);
}

void conf_set_preempt_type(struct conf_reader *r, const struct conf_pair *p)
{
	static const struct conf_word words[] = {
	    {"preempt/none", PREEMPT_NONE}, {"none", PREEMPT_NONE}, {"preempt/qos", PREEMPT_QOS},
	    {"preempt/partition_prio", PREEMPT_PARTITION}, {NULL, 0},
	};
	const struct conf_word *w = conf_word_find(words, p->value);

	if (!w) {
		conf_bad_word(r, p, words, p->value);
		return;
	}
	r->preempt_type_set = w->value != PREEMPT_NONE;
	r->p->preempt_type = (enum preempt_type)w->value;
	if (!r->preempt_type_set)
		return;
	if (!g_hash_table_contains(r->scalars, "preemptmode"))
		conf_error(r, p, "set PreemptMode=REQUEUE, CANCEL or SUSPEND,GANG",
		           "PreemptType=%s without a PreemptMode", p->value);
}

/* PreemptParameters (preemption.md section 0). */
void conf_set_preempt_parameters(struct conf_reader *r, const struct conf_pair *p)
{
	static const struct conf_word words[] = {
	    {"youngest_first", 1}, {"strict_order", 2}, {"reorder_count", 3}, {"min_exempt_priority", 4}, {"send_user_signal", 5},
	    {"reclaim_licenses", 6}, {"suspend_grace_time", 7}, {NULL, 0},
	};
	char **list = conf_list(p->value, false);

	for (char **s = list; *s; s++) {
		char **pair = g_strsplit(*s, "=", 2);
		const struct conf_word *w = conf_word_find(words, pair[0]);
		gint64 n = pair[1] ? g_ascii_strtoll(pair[1], NULL, 10) : 0;

		if (!w)
			conf_warn(r, p, "youngest_first, strict_order, reorder_count=N or min_exempt_priority=N", "unknown token %.60s",
			          pair[0]);
		else if (w->value == 1)
			r->p->preempt_youngest_first = true;
		else if (w->value == 2)
			r->p->preempt_strict_order = true;
		else if (w->value == 3)
			r->p->preempt_reorder_count = n < 0 ? 1 : (int)MIN(n, 1000000);
		else if (w->value == 4)
			r->p->preempt_min_exempt_priority = (uint32_t)CLAMP(n, 0, (gint64)UINT32_MAX);
		else
			conf_not_modelled(r, p, pair[0]);
		g_strfreev(pair);
	}
	g_strfreev(list);
}

/* PreemptExemptTime: a time; -1 = off. */
void conf_set_preempt_exempt(struct conf_reader *r, const struct conf_pair *p)
{
	int64_t seconds;

	if (!duration_parse_seconds(p->value, &seconds)) {
		conf_error(r, p, "write a time: minutes, hh:mm:ss or -1", "bad PreemptExemptTime %.60s", p->value);
		return;
	}
	r->p->preempt_exempt_time = seconds;
}

void conf_check_preempt_flags(struct conf_reader *r, const struct conf_pair *p, uint32_t flags)
{
	if (flags & PREEMPT_PRIORITY && !since(r->p, E4_PRIORITY_FLAG))
		conf_error(r, p, "leave it out, or use --slurm-version 26.05", "Slurm 22.05 has no PRIORITY in PreemptMode=%s",
		           p->value);
}

void conf_set_preempt_mode(struct conf_reader *r, const struct conf_pair *p)
{
	enum { OFF, MODE, SUSPEND, GANG = 4, WITHIN = 8, PRIORITY = 16 };
	static const struct conf_word words[] = {
	    {"OFF", OFF},
	    {"cluster", OFF},
	    {"CANCEL", MODE},
	    {"REQUEUE", MODE},
	    {"SUSPEND", MODE | SUSPEND},
	    {"on", MODE | SUSPEND},
	    {"GANG", GANG},
	    {"WITHIN", WITHIN},
	    {"PRIORITY", PRIORITY},
	    {NULL, 0},
	};
	char **list = conf_list(p->value, false);
	int got = 0;

	for (char **s = list; *s; s++) {
		const struct conf_word *w = conf_word_find(words, *s);

		if (w)
			got |= w->value;
		else
			conf_bad_word(r, p, words, *s);
	}
	g_strfreev(list);
	if (got & GANG && got & (WITHIN | PRIORITY))
		conf_error(r, p, "leave out GANG", "PreemptMode GANG does not go with WITHIN or PRIORITY");
	if (got & SUSPEND && !(got & GANG))
		conf_error(r, p, "write SUSPEND,GANG", "PreemptMode SUSPEND needs GANG");
	if (got & MODE && !r->preempt_type_set)
		conf_error(r, p, "set PreemptType=preempt/qos or preempt/partition_prio",
		           "PreemptMode=%s without a PreemptType", p->value);
	if (!(got & MODE) && r->preempt_type_set)
		conf_error(r, p, "use REQUEUE, CANCEL or SUSPEND,GANG", "PreemptType is set but PreemptMode=%s",
		           p->value);
	preempt_mode_parse(p->value, &r->p->preempt_mode, &r->p->preempt_flags);
	conf_check_preempt_flags(r, p, r->p->preempt_flags);
}

void conf_set_acct_gather_params(struct conf_reader *r, const struct conf_pair *p)
{
	char **list = conf_list(p->value, false);
	for (char **w = list; w && *w; w++)
		if (g_ascii_strcasecmp(*w, "OverMemoryKill") == 0)
			r->p->over_memory_kill = true;
	g_strfreev(list);
}
