/* update_part.c - scontrol update partition: reading its keys; see update.h. Carrying it out: part_change.c */
#include "sched/update_part.h"

#include <string.h>

#define SAY(error, ...) (g_set_error(error, SUBMIT_ERROR, 0, __VA_ARGS__), false)

struct part_key {
	const char *name; /* as scontrol spells it */
	bool (*read)(struct part_edit *e, const struct part_key *k, const char *value, GError **error);
	gsize offset;   /* in struct partition, for those that many keys share */
	uint32_t what;  /* PART_EDIT_*: what has to be done besides */
	int since;      /* release; 0 = all */
};

static void *field(struct part_edit *e, const struct part_key *k)
{
	return (char *)e->p + k->offset;
}

static bool unlimited(const char *value)
{
	return g_ascii_strcasecmp(value, "unlimited") == 0 || g_ascii_strcasecmp(value, "infinite") == 0;
}

/* ---- kinds of values ---- */

static bool bad_value(const struct part_key *k, const char *value, GError **error)
{
	return SAY(error, "scontrol: error: Invalid %s value: %s", k->name, value);
}

static bool number(const char *value, uint64_t most, uint64_t *out)
{
	return g_ascii_string_to_unsigned(value, 10, 0, most, out, NULL);
}

static bool read_count(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	uint64_t n = INFINITE;
	if (!unlimited(value) && !number(value, UINT32_MAX - 2, &n))
		return bad_value(k, value, error);
	*(uint32_t *)field(e, k) = (uint32_t)n;
	return true;
}

static bool read_short(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	uint64_t n;
	if (!number(value, 65533, &n))
		return bad_value(k, value, error);
	*(uint16_t *)field(e, k) = (uint16_t)n;
	return true;
}

static bool read_both_priorities(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	if (!read_short(e, k, value, error))
		return false;
	e->p->priority_job_factor = e->p->priority_tier;
	return true;
}

static bool read_minutes(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	if (!duration_parse_minutes(value, field(e, k)))
		return SAY(error, "scontrol: error: Invalid input %s=%s", e->typed, value);
	return true;
}

/* Recorded: of "5-6" the first number is taken; for a word scontrol complains of MinNodes, but sends 4294967295, which is refused here. */
static bool read_nodes_count(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	uint64_t n = INFINITE;
	g_autofree char *first = g_strndup(value, value[0] == '-' ? strlen(value) : strcspn(value, "-"));
	bool max = k->offset == G_STRUCT_OFFSET(struct partition, max_nodes);
	if (!(max && unlimited(value)) && !number(first, UINT32_MAX - 2, &n))
		return max ? SAY(error, "scontrol: error: Invalid numeric value \"%s\" for %s.", value, k->name)
		           : SAY(error, "scontrol: error: \"%s\" is not a valid node count", value);
	*(uint32_t *)field(e, k) = (uint32_t)n;
	return true;
}

static bool begins(const char *word, const char *value)
{
	return *value && g_ascii_strncasecmp(word, value, strlen(value)) == 0;
}

static bool read_flag(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	bool yes = begins("YES", value);
	if (!yes && !begins("NO", value))
		return SAY(error, "scontrol: error: Invalid input: %s=%s\nscontrol: error: Acceptable %s values are YES and NO", e->typed, value, k->name);
	*(bool *)field(e, k) = yes;
	return true;
}

static bool read_state(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	static const char *const words[] = {[PART_UP] = "UP", [PART_DOWN] = "DOWN", [PART_DRAIN] = "DRAIN", [PART_INACTIVE] = "INACTIVE"};
	(void)k;
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (begins(words[i], value)) {
			e->p->state = (enum part_state)i;
			return true;
		}
	return SAY(error, "scontrol: error: Invalid input: %s=%s\nscontrol: error: Acceptable State values are UP, DOWN, DRAIN and INACTIVE", e->typed, value);
}

/* Recorded: a count of 0, or one that is none, means EXCLUSIVE; YES:1 is NO. */
static bool read_oversubscribe(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	gsize len = strcspn(value, ":");
	uint64_t n = 4;
	bool yes = len == 3 && g_ascii_strncasecmp(value, "YES", 3) == 0, force = len == 5 && g_ascii_strncasecmp(value, "FORCE", 5) == 0;
	struct partition *p = e->p;
	(void)k;
	if (value[len] && !number(value + len + 1, 32767, &n))
		n = 0;
	if (!yes && !force && (value[len] || (!begins("NO", value) && !begins("EXCLUSIVE", value))))
		return SAY(error, "scontrol: error: Invalid input: %s=%s\nscontrol: error: Acceptable OverSubscribe values are NO, EXCLUSIVE, YES:#, and FORCE:#",
			   e->typed, value);
	p->max_share = 1;
	if ((!yes && !force && begins("EXCLUSIVE", value)) || n == 0) {
		p->oversubscribe = OVERSUB_EXCLUSIVE;
	} else if (force || (yes && n > 1)) {
		p->oversubscribe = force ? OVERSUB_FORCE : OVERSUB_YES;
		p->max_share = (uint16_t)n;
	} else {
		p->oversubscribe = OVERSUB_NO;
	}
	return true;
}

/* Nothing, or GANG alone, is OFF (recorded). */
static bool read_preempt(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	enum preempt_mode mode = PREEMPT_MODE_OFF;
	uint32_t flags;
	(void)k;
	if (*value && !preempt_mode_parse(value, &mode, &flags))
		return SAY(error, "scontrol: error: Invalid input: %s=%s", e->typed, value);
	e->p->preempt_mode = mode;
	return true;
}

static bool read_grace(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	uint64_t n;
	if (!number(value, G_MAXINT32, &n))
		return bad_value(k, value, error);
	e->p->grace_time = (int)n;
	return true;
}

static bool read_overtime(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	uint64_t n = INFINITE;
	if (!unlimited(value) && !number(value, 65533, &n))
		return bad_value(k, value, error);
	e->p->over_time_limit = (uint32_t)n;
	return true;
}

static bool read_memory(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	uint64_t n;
	bool per_cpu = g_str_has_suffix(k->name, "CPU");
	if (!number(value, UINT32_MAX - 2, &n))
		return bad_value(k, value, error);
	*(uint64_t *)field(e, k) = n;
	if (k->offset == G_STRUCT_OFFSET(struct partition, def_mem))
		e->p->def_mem_per_cpu = per_cpu;
	else
		e->p->max_mem_per_cpu = per_cpu;
	return true;
}

/* ALL, or nothing, means everybody, and nobody is denied. */
static bool read_list(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	char ***list = field(e, k);
	bool deny = g_str_has_prefix(k->name, "Deny");
	(void)error;
	g_clear_pointer(list, g_strfreev);
	if (*value && (deny || g_ascii_strcasecmp(value, "ALL") != 0))
		*list = g_strsplit(value, ",", -1);
	return true;
}

static bool read_text(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	char **text = field(e, k);
	(void)error;
	g_free(*text);
	*text = *value ? g_strdup(value) : NULL;
	return true;
}

static bool read_alternate(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	return read_text(e, k, g_ascii_strcasecmp(value, "none") == 0 ? "" : value, error);
}

static bool read_nodes(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	(void)k;
	(void)error;
	g_free(e->p->nodes_text);
	e->p->nodes_text = g_strdup(value);
	return true;
}

static bool late(struct part_edit *e, GError **error)
{
	e->late_error = true;
	return SAY(error, "Invalid JobDefaults specification");
}

static bool read_job_defaults(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	g_auto(GStrv) items = g_strsplit(value, ",", -1);
	(void)k;
	e->p->def_cpu_per_gpu = 0;
	e->p->def_mem_per_gpu = 0;
	for (char **s = items; *s; s++) {
		uint64_t n = 0;
		char *eq = strchr(*s, '=');
		if (!eq || !number(eq + 1, UINT32_MAX - 2, &n))
			return late(e, error);
		if (g_ascii_strncasecmp(*s, "DefCpuPerGPU=", 13) == 0)
			e->p->def_cpu_per_gpu = (uint32_t)n;
		else if (g_ascii_strncasecmp(*s, "DefMemPerGPU=", 13) == 0)
			e->p->def_mem_per_gpu = n;
		else
			return late(e, error);
	}
	return true;
}

bool cpu_bind_known(const char *value)
{
	static const char *const words[] = {"none", "socket", "sockets", "ldom", "ldoms", "core", "cores", "thread", "threads", "off", NULL};
	g_autofree char *low = g_ascii_strdown(value, -1);
	return g_strv_contains(words, low);
}

static bool read_cpu_bind(struct part_edit *e, const struct part_key *k, const char *value, GError **error)
{
	(void)k;
	return cpu_bind_known(value) || SAY(error, "scontrol: error: Invalid input %s=%s", e->typed, value);
}

/* ---- the keys ---- */

#define AT(member) G_STRUCT_OFFSET(struct partition, member)
static const struct part_key keys[] = {
    {"AllocNodes", read_list, AT(alloc_nodes), 0, 0},
    {"AllowAccounts", read_list, AT(allow_accounts), 0, 0},
    {"AllowGroups", read_list, AT(allow_groups), 0, 0},
    {"AllowQOS", read_list, AT(allow_qos), 0, 0},
    {"Alternate", read_alternate, AT(alternate), 0, 0},
    {"CpuBind", read_cpu_bind, 0, 0, 0},
    {"Default", read_flag, AT(is_default), PART_EDIT_DEFAULT, 0},
    {"DefaultTime", read_minutes, AT(default_time), 0, 0},
    {"DefMemPerCPU", read_memory, AT(def_mem), 0, 0},
    {"DefMemPerNode", read_memory, AT(def_mem), 0, 0},
    {"DenyAccounts", read_list, AT(deny_accounts), 0, 0},
    {"DenyQOS", read_list, AT(deny_qos), 0, 0},
    {"DisableRootJobs", read_flag, AT(disable_root), 0, 0},
    {"ExclusiveUser", read_flag, AT(exclusive_user), PART_EDIT_SHAPE, 0},
    {"ExclusiveTopo", read_flag, AT(exclusive_topo), PART_EDIT_SHAPE, SLURM_26},
    {"GraceTime", read_grace, 0, 0, 0},
    {"Hidden", read_flag, AT(hidden), 0, 0},
    {"JobDefaults", read_job_defaults, 0, 0, 0},
    {"LLN", read_flag, AT(lln), 0, 0},
    {"MaxCPUsPerNode", read_count, AT(max_cpus_per_node), 0, 0},
    {"MaxCPUsPerSocket", read_count, AT(max_cpus_per_socket), 0, SLURM_26},
    {"MaxMemPerCPU", read_memory, AT(max_mem), 0, 0},
    {"MaxMemPerNode", read_memory, AT(max_mem), 0, 0},
    {"MaxNodes", read_nodes_count, AT(max_nodes), 0, 0},
    {"MaxTime", read_minutes, AT(max_time), 0, 0},
    {"MinNodes", read_nodes_count, AT(min_nodes), 0, 0},
    {"Nodes", read_nodes, 0, PART_EDIT_NODES | PART_EDIT_SHAPE, 0},
    {"OverSubscribe", read_oversubscribe, 0, PART_EDIT_SHAPE, 0},
    {"Shared", read_oversubscribe, 0, PART_EDIT_SHAPE, 0},
    {"OverTimeLimit", read_overtime, 0, 0, 0},
    {"PowerDownOnIdle", read_flag, AT(power_down_on_idle), PART_EDIT_SHAPE, SLURM_26},
    {"PreemptMode", read_preempt, 0, 0, 0},
    {"Priority", read_both_priorities, AT(priority_tier), PART_EDIT_TIER, 0},
    {"PriorityJobFactor", read_short, AT(priority_job_factor), 0, 0},
    {"PriorityTier", read_short, AT(priority_tier), PART_EDIT_TIER, 0},
    {"QOS", read_text, AT(qos_name), PART_EDIT_QOS, 0},
    {"ReqResv", read_flag, AT(req_resv), 0, 0},
    {"RootOnly", read_flag, AT(root_only), 0, 0},
    {"State", read_state, 0, 0, 0},
    {"TRESBillingWeights", read_text, AT(billing_text), PART_EDIT_BILLING, 0},
};

/* Words that begin several keys stand for the first: "prio" is Priority, "def" is Default. */
static const struct part_key *find_key(const char *typed, int release)
{
	const struct part_key *found = NULL;
	for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (release && keys[i].since > release)
			continue;
		if (g_ascii_strcasecmp(keys[i].name, typed) == 0)
			return &keys[i];
		if (!found && strlen(typed) >= 3 && begins(keys[i].name, typed))
			found = &keys[i];
	}
	return found;
}

static bool edit_one(struct part_edit *e, const struct setting *s, int release, GError **error)
{
	const struct part_key *k = s->value ? find_key(s->key, release) : NULL;
	if (!s->value)
		return SAY(error, "scontrol: error: Invalid input: %s  Request aborted", s->key);
	if (!k)
		return SAY(error, "scontrol: error: Update of this parameter is not supported: %s=%s\n\nscontrol: error: Request aborted", s->key, s->value);
	e->typed = s->key;
	e->what |= k->what;
	return k->read(e, k, s->value, error);
}

bool part_edit(struct part_edit *e, const struct setting *set, guint n, int release, GError **error)
{
	for (guint i = 0; i < n; i++)
		if (!edit_one(e, &set[i], release, error))
			return false;
	return true;
}

bool part_settings_check(const struct setting *set, guint n, bool create, int release, GError **error)
{
	struct cluster *none = cluster_new(SLURM_26);
	struct part_edit e = {.p = cluster_add_partition(none, "")};
	GError *why = NULL;
	bool ok = n > 0 || create || SAY(&why, "scontrol: error: No changes specified");
	ok = ok && part_edit(&e, set, n, release, &why);
	if (!ok && e.late_error) { /* slurmctld's affair */
		g_clear_error(&why);
		ok = true;
	}
	bool counts = why && (strstr(why->message, "No changes") || strstr(why->message, "numeric value") || strstr(why->message, "node count"));
	if (!ok && !create && !counts)
		g_set_error(error, SUBMIT_ERROR, 0, "%s\nslurm_update error: No error", why->message);
	else if (!ok)
		g_propagate_error(error, g_steal_pointer(&why));
	g_clear_error(&why);
	cluster_free(none);
	return ok;
}
