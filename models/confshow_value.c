/* confshow_value.c - see confshow_value.h. */
#include "models/confshow_value.h"
#include "sched/acct.h"
#include <stdlib.h>
#include <string.h>

static bool is_true(const char *text)
{
	static const char *const yes[] = {"yes", "up", "true", "1"};

	for (gsize i = 0; i < G_N_ELEMENTS(yes); i++)
		if (g_ascii_strcasecmp(yes[i], text) == 0)
			return true;
	return false;
}

/* EnforcePartLimits takes truth values as well as its words. */
static char *upper(const char *text)
{
	static const char *const no[] = {"down", "false", "0"};

	if (g_ascii_strcasecmp(text, "yes") == 0 || g_ascii_strcasecmp(text, "up") == 0 ||
	    g_ascii_strcasecmp(text, "true") == 0 || strcmp(text, "1") == 0)
		return g_strdup("ANY");
	for (gsize i = 0; i < G_N_ELEMENTS(no); i++)
		if (g_ascii_strcasecmp(no[i], text) == 0)
			return g_strdup("NO");
	return g_ascii_strup(text, -1);
}

static char *format_time(const char *text)
{
	int64_t seconds;
	uint32_t minutes;

	if (!duration_parse_seconds(text, &seconds))
		return g_strdup(text);
	if (seconds < 0)
		return g_strdup("UNLIMITED");
	/* a plain number is minutes; seconds are rounded up to minutes */
	return duration_parse_minutes(text, &minutes) ? duration_format((int64_t)minutes * 60)
	                                              : duration_format(seconds);
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

char *conf_show_value(enum conf_show_form form, const char *text, bool old)
{
	static const char *const unit[] = {[SHOW_SEC] = "sec",
	                                   [SHOW_MIN] = "min",
	                                   [SHOW_USEC] = "usec",
	                                   [SHOW_PERCENT] = "percent",
	                                   [SHOW_RATE] = "nodes/min"};

	switch (form) {
	case SHOW_TEXT:
	case SHOW_COMPUTED:
		break;
	case SHOW_PLUGIN:
		return g_strdup(!old && g_ascii_strcasecmp(text, "none") == 0 ? "(null)" : text);
	case SHOW_LOWER:
		return g_ascii_strdown(text, -1);
	case SHOW_UPPER:
		return upper(text);
	case SHOW_BOOL:
		return g_strdup(is_true(text) ? old ? "Yes" : "yes" : old ? "No" : "no");
	case SHOW_BOOL01:
		return g_strdup(is_true(text) ? "1" : "0");
	case SHOW_SEC:
	case SHOW_MIN:
	case SHOW_USEC:
	case SHOW_PERCENT:
	case SHOW_RATE:
		if (g_ascii_strcasecmp(text, "INFINITE") == 0 || g_ascii_strcasecmp(text, "UNLIMITED") == 0)
			return g_strdup("UNLIMITED");
		return g_strdup_printf("%s %s", text, unit[form]);
	case SHOW_TIME:
		return format_time(text);
	case SHOW_SUSPEND:
		return is_number(text) ? g_strdup_printf("%s sec", text) : g_strdup("INFINITE");
	case SHOW_USER:
		return g_strdup(strcmp(text, "root") == 0 || strcmp(text, "0") == 0 ? "root(0)" : text);
	}
	return g_strdup(text);
}

/* ---- values that are worked out ---- */

static void add_word(GString *list, bool there, const char *word)
{
	if (there)
		g_string_append_printf(list, "%s%s", list->len ? "," : "", word);
}

char *conf_enforce_text(uint32_t e)
{
	GString *list = g_string_new(NULL);

	add_word(list, e & ENFORCE_ASSOC, "associations");
	add_word(list, e & ENFORCE_LIMITS, "limits");
	add_word(list, e & ENFORCE_NOJOBS, "nojobs");
	add_word(list, e & ENFORCE_NOSTEPS, "nosteps");
	add_word(list, e & ENFORCE_QOS, "qos");
	add_word(list, e & ENFORCE_SAFE, "safe");
	add_word(list, e & ENFORCE_WCKEYS, "wckeys");
	if (!list->len)
		g_string_append(list, "none");
	return g_string_free(list, FALSE);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *tres_text(const struct tres_table *t)
{
	GPtrArray *names = g_ptr_array_new();

	for (uint32_t i = 0; i < t->n; i++)
		g_ptr_array_add(names, t->name[i]);
	if (t->n > TRES_FIRST_CONFIGURED)
		qsort(names->pdata + TRES_FIRST_CONFIGURED, t->n - TRES_FIRST_CONFIGURED, sizeof(void *), by_name);
	g_ptr_array_add(names, NULL);
	char *text = g_strjoinv(",", (char **)names->pdata);
	g_ptr_array_unref(names);
	return text;
}

char *conf_select_text(const struct sched_params *p, const char *given)
{
	static const char *const units[] = {
	    [CR_CPU] = "CR_CPU", [CR_CORE] = "CR_CORE", [CR_SOCKET] = "CR_SOCKET", [CR_NONE] = "CR"};
	static const char *const later[] = {"LL_SHARED_GRES", "MULTIPLE_SHARING_GRES_PJ", "ONE_TASK_PER_SHARING_GRES"};
	GString *list = g_string_new(NULL);
	char *capitals = g_ascii_strup(given ? given : "", -1);

	if (p->cr_unit != CR_NONE || p->cr_memory)
		g_string_append_printf(list, "%s%s", units[p->cr_unit], p->cr_memory ? "_MEMORY" : "");
	add_word(list, p->cr_one_task_per_core, "CR_ONE_TASK_PER_CORE");
	add_word(list, p->cr_default_dist_block, "CR_CORE_DEFAULT_DIST_BLOCK");
	add_word(list, p->cr_lln, "CR_LLN");
	add_word(list, p->cr_pack_nodes, "CR_PACK_NODES");
	add_word(list, p->enforce_binding_gres, "ENFORCE_BINDING_GRES");
	for (gsize i = 0; i < G_N_ELEMENTS(later); i++)
		add_word(list, strstr(capitals, later[i]) != NULL, later[i]);
	if (!list->len)
		g_string_append(list, "NONE");
	g_free(capitals);
	return g_string_free(list, FALSE);
}

char *conf_preempt_text(const struct sched_params *p)
{
	static const char *const modes[] = {"OFF", "CANCEL", "REQUEUE", "SUSPEND"};
	GString *list = g_string_new(NULL);
	int mode = MAX((int)p->preempt_mode, 0);

	add_word(list, p->preempt_flags & PREEMPT_GANG, "GANG");
	add_word(list, p->preempt_flags & PREEMPT_WITHIN, "WITHIN");
	add_word(list, p->preempt_flags & PREEMPT_PRIORITY, "PRIORITY");
	add_word(list, mode != PREEMPT_MODE_OFF || !list->len, modes[mode]);
	return g_string_free(list, FALSE);
}

char *conf_priority_flags_text(uint32_t f)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {{PRIO_ACCRUE_ALWAYS, "ACCRUE_ALWAYS"},
	             {PRIO_SMALL_RELATIVE, "SMALL_RELATIVE_TO_TIME"},
	             {PRIO_CALCULATE_RUNNING, "CALCULATE_RUNNING"},
	             {PRIO_DEPTH_OBLIVIOUS, "DEPTH_OBLIVIOUS"},
	             {PRIO_NO_FAIR_TREE, "NO_FAIR_TREE"},
	             {PRIO_INCR_ONLY, "INCR_ONLY"},
	             {PRIO_MAX_TRES, "MAX_TRES"},
	             {PRIO_MAX_TRES_GRES, "MAX_TRES_GRES"},
	             {PRIO_NO_NORMAL_ASSOC, "NO_NORMAL_ASSOC"},
	             {PRIO_NO_NORMAL_PART, "NO_NORMAL_PART"},
	             {PRIO_NO_NORMAL_QOS, "NO_NORMAL_QOS"},
	             {PRIO_NO_NORMAL_TRES, "NO_NORMAL_TRES"}};
	GString *list = g_string_new(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		add_word(list, f & names[i].flag, names[i].name);
	return g_string_free(list, FALSE);
}

static char *job_defaults_text(const struct sched_params *p)
{
	GString *list = g_string_new(NULL);

	if (p->def_cpu_per_gpu)
		g_string_append_printf(list, "DefCpuPerGPU=%u", p->def_cpu_per_gpu);
	if (p->def_mem_per_gpu)
		g_string_append_printf(list, "%sDefMemPerGPU=%" G_GUINT64_FORMAT, list->len ? "," : "",
		                       p->def_mem_per_gpu);
	if (!list->len)
		g_string_append(list, "(null)");
	return g_string_free(list, FALSE);
}

static char *number(guint64 n)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT, n);
}

static char *memory(guint64 mib)
{
	return mib ? number(mib) : g_strdup("UNLIMITED");
}

/* The first of the NULL-terminated KEYS that was given. */
static const struct conf_origin *given(const struct conf_origins *o, const char *const *keys)
{
	for (; *keys; keys++) {
		const struct conf_origin *at = conf_origins_get(o, *keys);

		if (at)
			return at;
	}
	return NULL;
}

/* Values of the accounting database's connection that depend on whether there is one. */
static char *account_text(const struct conf_show_key *k, bool dbd)
{
	if (strcmp(k->name, "AccountingStoragePort") == 0)
		return g_strdup(dbd ? "6819" : "0");
	return g_strdup(dbd ? "N/A" : "root");
}

static bool show_daemon(struct conf_shown *v, const struct cluster *c, const struct conf_origins *o, sec_t boot)
{
	bool old = c->params->version == SLURM_22_05;

	v->derived = true;
	if (strcmp(v->name, "BOOT_TIME") == 0)
		v->value = date_format(boot, NULL);
	else if (strcmp(v->name, "HASH_VAL") == 0)
		v->value = g_strdup("Match");
	else if (strcmp(v->name, "NEXT_JOB_ID") == 0)
		v->value = number(c->params->first_job_id);
	else if (strcmp(v->name, "SLURM_CONF") == 0)
		v->value = g_strdup(o->path ? o->path : "(null)");
	else if (strcmp(v->name, "SLURM_VERSION") == 0)
		v->value = g_strdup(old ? "22.05.8" : "26.05.0");
	else if (strcmp(v->name, "MULTIPLE_SLURMD") == 0)
		v->value = g_strdup(old ? "No" : "no");
	else
		v->derived = false;
	return v->derived;
}

static void show_memory(struct conf_shown *v, const struct sched_params *p, const struct conf_origins *o)
{
	bool def = strcmp(v->name, "DefMemPerNode") == 0, per_cpu = def ? p->def_mem_per_cpu : p->max_mem_per_cpu;
	static const char *const names[] = {"MaxMemPerNode", "MaxMemPerCPU", "DefMemPerNode", "DefMemPerCPU"};

	v->name = names[2 * def + per_cpu];
	v->value = memory(def ? p->def_mem : p->max_mem);
	v->at = conf_origins_get(o, v->name);
}

static void show_typed(struct conf_shown *v, const struct cluster *c, const struct conf_origins *o)
{
	const struct sched_params *p = c->params;

	if (strcmp(v->name, "AccountingStorageEnforce") == 0)
		v->value = conf_enforce_text(p->enforce);
	else if (strcmp(v->name, "AccountingStorageTRES") == 0)
		v->value = tres_text(c->tres);
	else if (strcmp(v->name, "SelectTypeParameters") == 0)
		v->value = conf_select_text(p, v->at ? v->at->value : NULL);
	else if (strcmp(v->name, "PreemptMode") == 0)
		v->value = conf_preempt_text(p);
	else if (strcmp(v->name, "PriorityFlags") == 0)
		v->value = conf_priority_flags_text(p->priority_flags);
	else if (strcmp(v->name, "JobDefaults") == 0)
		v->value = job_defaults_text(p),
		v->at = given(o, (const char *const[]){"DefCpuPerGPU", "DefMemPerGPU", NULL});
}

/* Defaults that follow the size of the cluster or another parameter, when not given. */
static void show_following(struct conf_shown *v, const struct conf_show_key *k, const struct cluster *c)
{
	const struct sched_params *p = c->params;

	v->derived = true;
	if (strcmp(k->name, "MaxDBDMsgs") == 0)
		v->value = number(2 * (guint64)p->max_job_count + 4 * (guint64)c->n_nodes);
	else if (strcmp(k->name, "MaxNodeCount") == 0)
		v->value = number(c->n_nodes);
	else if (strcmp(k->name, "UnkillableStepTimeout") == 0)
		v->value = g_strdup_printf("%d sec", p->version == SLURM_22_05 ? 60 : MAX(60, 5 * p->message_timeout));
	else
		v->value = account_text(k, p->has_accounting), v->derived = false;
}

struct conf_shown conf_show_computed(const struct conf_show_key *k, const struct cluster *c,
                                     const struct conf_origins *o, sec_t boot)
{
	struct conf_shown v = {.name = k->name, .at = conf_origins_get(o, k->name)};

	if (show_daemon(&v, c, o, boot)) {
		v.at = NULL;
		return v;
	}
	if (strcmp(k->name, "DefMemPerNode") == 0 || strcmp(k->name, "MaxMemPerNode") == 0)
		show_memory(&v, c->params, o);
	else
		show_typed(&v, c, o);
	if (v.value)
		return v;
	if (!v.at)
		show_following(&v, k, c);
	else if (strcmp(k->name, "UnkillableStepTimeout") == 0)
		v.value = conf_show_value(SHOW_SEC, v.at->value, false);
	else
		v.value = g_strdup(v.at->value);
	return v;
}
