/* confparts.c - PartitionName lines (spec slurm-conf.md sections 3 and 6). */
#include "models/confread.h"
#include "sched/acct.h"
#include <stdlib.h>
#include <string.h>

enum part_key {
	P_NODES,
	P_DEFAULT,
	P_STATE,
	P_MAX_TIME,
	P_DEFAULT_TIME,
	P_MIN_NODES,
	P_MAX_NODES,
	P_MAX_CPUS_NODE,
	P_MAX_CPUS_SOCKET,
	P_DEF_MEM_CPU,
	P_DEF_MEM_NODE,
	P_MAX_MEM_CPU,
	P_MAX_MEM_NODE,
	P_DEF_MEM_GPU,
	P_DEF_CPU_GPU,
	P_TIER,
	P_FACTOR,
	P_PRIORITY,
	P_PREEMPT,
	P_GRACE,
	P_OVERSUBSCRIBE,
	P_EXCLUSIVE,
	P_EXCLUSIVE_USER,
	P_EXCLUSIVE_TOPO,
	P_QOS,
	P_ALLOW_QOS,
	P_DENY_QOS,
	P_ALLOW_ACCOUNTS,
	P_DENY_ACCOUNTS,
	P_ALLOW_GROUPS,
	P_ALLOC_NODES,
	P_ROOT_ONLY,
	P_REQ_RESV,
	P_DISABLE_ROOT,
	P_HIDDEN,
	P_LLN,
	P_SELECT,
	P_BILLING,
	P_OVER_TIME,
	P_ALTERNATE,
	P_TOPOLOGY,
	P_SUSPEND_TIME,
	P_SUSPEND_TIMEOUT,
	P_RESUME_TIMEOUT,
	P_POWER_IDLE,
	P_NO_EFFECT,
	P_KEYS
};

static const struct line_key part_keys[] = {
    {"Nodes", P_NODES},
    {"Default", P_DEFAULT},
    {"State", P_STATE},
    {"MaxTime", P_MAX_TIME},
    {"DefaultTime", P_DEFAULT_TIME},
    {"MinNodes", P_MIN_NODES},
    {"MaxNodes", P_MAX_NODES},
    {"MaxCPUsPerNode", P_MAX_CPUS_NODE},
    {"MaxCPUsPerSocket", P_MAX_CPUS_SOCKET},
    {"DefMemPerCPU", P_DEF_MEM_CPU},
    {"DefMemPerNode", P_DEF_MEM_NODE},
    {"MaxMemPerCPU", P_MAX_MEM_CPU},
    {"MaxMemPerNode", P_MAX_MEM_NODE},
    {"DefMemPerGPU", P_DEF_MEM_GPU},
    {"DefCpuPerGPU", P_DEF_CPU_GPU},
    {"PriorityTier", P_TIER},
    {"PriorityJobFactor", P_FACTOR},
    {"Priority", P_PRIORITY},
    {"PreemptMode", P_PREEMPT},
    {"GraceTime", P_GRACE},
    {"OverSubscribe", P_OVERSUBSCRIBE},
    {"Shared", P_OVERSUBSCRIBE},
    {"Exclusive", P_EXCLUSIVE},
    {"ExclusiveUser", P_EXCLUSIVE_USER},
    {"ExclusiveTopo", P_EXCLUSIVE_TOPO},
    {"QOS", P_QOS},
    {"AllowQos", P_ALLOW_QOS},
    {"DenyQos", P_DENY_QOS},
    {"AllowAccounts", P_ALLOW_ACCOUNTS},
    {"DenyAccounts", P_DENY_ACCOUNTS},
    {"AllowGroups", P_ALLOW_GROUPS},
    {"AllocNodes", P_ALLOC_NODES},
    {"RootOnly", P_ROOT_ONLY},
    {"ReqResv", P_REQ_RESV},
    {"DisableRootJobs", P_DISABLE_ROOT},
    {"Hidden", P_HIDDEN},
    {"LLN", P_LLN},
    {"SelectTypeParameters", P_SELECT},
    {"TRESBillingWeights", P_BILLING},
    {"OverTimeLimit", P_OVER_TIME},
    {"Alternate", P_ALTERNATE},
    {"Topology", P_TOPOLOGY},
    {"SuspendTime", P_SUSPEND_TIME},
    {"PowerDownOnIdle", P_POWER_IDLE},
    {"SuspendTimeout", P_SUSPEND_TIMEOUT},
    {"ResumeTimeout", P_RESUME_TIMEOUT},
    {"CpuBind", P_NO_EFFECT},
    {NULL, 0},
};

static void bad(struct conf_reader *r, const struct conf_pair *p, const char *hint)
{
	char *shown = conflex_show(p->value);

	diag_error(r->d, p->file, p->value_line, p->value_column, hint, "bad value \"%s\" of %s", shown, p->key);
	g_free(shown);
}

/* A count where UNLIMITED is allowed. */
static void count32(struct conf_reader *r, const struct conf_pair *p, uint32_t *out)
{
	guint64 v;

	if (p && conf_number(r, p, G_MAXUINT32 - 2, &v))
		*out = v == CONF_UNLIMITED ? INFINITE : (uint32_t)v;
}

static void count16(struct conf_reader *r, const struct conf_pair *p, uint16_t *out)
{
	guint64 v;

	if (!p || !conf_number(r, p, 65533, &v))
		return;
	if (v == CONF_UNLIMITED)
		bad(r, p, "a whole number from 0 to 65533 is expected");
	else
		*out = (uint16_t)v;
}

static void flag(struct conf_reader *r, const struct conf_pair *p, bool *out)
{
	if (p)
		conf_bool(r, p, out);
}

static void set_times(struct conf_reader *r, const struct conf_pair **v, struct partition *p)
{
	if (v[P_MAX_TIME])
		conf_minutes(r, v[P_MAX_TIME], &p->max_time);
	if (v[P_DEFAULT_TIME] && g_ascii_strcasecmp(v[P_DEFAULT_TIME]->value, "NONE") != 0)
		conf_minutes(r, v[P_DEFAULT_TIME], &p->default_time);
	if (v[P_OVER_TIME])
		conf_minutes(r, v[P_OVER_TIME], &p->over_time_limit);
	if (p->default_time != NO_VAL && p->default_time > p->max_time) {
		conf_warn(r, v[P_DEFAULT_TIME], NULL, "DefaultTime of partition %s is above MaxTime and is dropped",
		          p->name);
		p->default_time = NO_VAL;
	}
}

static void memory(struct conf_reader *r, const struct conf_pair *per_cpu, const struct conf_pair *per_node,
                   uint64_t *out, bool *is_per_cpu)
{
	const struct conf_pair *p = per_node ? per_node : per_cpu;
	guint64 v;

	if (per_cpu && per_node)
		conf_warn(r, per_cpu, "remove one of them", "%s is ignored, %s is given", per_cpu->key, per_node->key);
	if (!p || !conf_number(r, p, UINT64_C(1) << 50, &v))
		return;
	*out = v == CONF_UNLIMITED ? 0 : v;
	*is_per_cpu = p == per_cpu;
}

static void set_amounts(struct conf_reader *r, const struct conf_pair **v, struct partition *p)
{
	uint64_t gpu_mem = 0;
	bool unused;

	count32(r, v[P_MIN_NODES], &p->min_nodes);
	count32(r, v[P_MAX_NODES], &p->max_nodes);
	count32(r, v[P_MAX_CPUS_NODE], &p->max_cpus_per_node);
	count32(r, v[P_MAX_CPUS_SOCKET], &p->max_cpus_per_socket);
	count32(r, v[P_DEF_CPU_GPU], &p->def_cpu_per_gpu);
	memory(r, v[P_DEF_MEM_CPU], v[P_DEF_MEM_NODE], &p->def_mem, &p->def_mem_per_cpu);
	memory(r, v[P_MAX_MEM_CPU], v[P_MAX_MEM_NODE], &p->max_mem, &p->max_mem_per_cpu);
	memory(r, NULL, v[P_DEF_MEM_GPU], &gpu_mem, &unused);
	p->def_mem_per_gpu = gpu_mem;
}

static void set_priority(struct conf_reader *r, const struct conf_pair **v, struct partition *p)
{
	uint32_t grace = 0;

	count16(r, v[P_TIER], &p->priority_tier);
	count16(r, v[P_FACTOR], &p->priority_job_factor);
	if (v[P_PRIORITY]) { /* the old key sets both and wins */
		count16(r, v[P_PRIORITY], &p->priority_tier);
		p->priority_job_factor = p->priority_tier;
	}
	count32(r, v[P_GRACE], &grace);
	p->grace_time = (int)MIN(grace, (uint32_t)G_MAXINT32);
	uint32_t flags = 0; /* a GANG flag here is dropped */
	enum preempt_mode mode = PREEMPT_MODE_UNSET;
	if (v[P_PREEMPT] && !preempt_mode_parse(v[P_PREEMPT]->value, &mode, &flags))
		conf_error(r, v[P_PREEMPT], "write OFF, CANCEL, REQUEUE or SUSPEND", "bad PreemptMode %.60s", v[P_PREEMPT]->value);
	else if (v[P_PREEMPT])
		conf_check_preempt_flags(r, v[P_PREEMPT], flags);
	p->preempt_mode = mode;
}

/* NO, YES[:n], FORCE[:n], EXCLUSIVE */
static void set_oversubscribe(struct conf_reader *r, const struct conf_pair *v, struct partition *p)
{
	char **part = g_strsplit(v->value, ":", 2);
	bool yes = part[0] && g_ascii_strcasecmp(part[0], "YES") == 0,
	     force = part[0] && g_ascii_strcasecmp(part[0], "FORCE") == 0;
	guint64 share = 4;

	if (yes || force) {
		p->oversubscribe = yes ? OVERSUB_YES : OVERSUB_FORCE;
		if (part[1] && !g_ascii_string_to_unsigned(part[1], 10, yes ? 2 : 1, 32767, &share, NULL))
			bad(r, v, yes ? "YES:n with n of 2 or more" : "FORCE:n with n of 1 or more");
		p->max_share = (uint16_t)share;
	} else if (g_ascii_strcasecmp(v->value, "EXCLUSIVE") == 0) {
		p->oversubscribe = OVERSUB_EXCLUSIVE;
	} else if (g_ascii_strcasecmp(v->value, "NO") != 0) {
		bad(r, v, "NO, YES[:n], FORCE[:n] or EXCLUSIVE");
	}
	g_strfreev(part);
}

static void set_exclusive(struct conf_reader *r, const struct conf_pair *v, struct partition *p)
{
	if (g_ascii_strcasecmp(v->value, "USER") == 0)
		p->exclusive_user = true;
	else if (g_ascii_strcasecmp(v->value, "NODE") == 0)
		p->oversubscribe = OVERSUB_EXCLUSIVE;
	else if (g_ascii_strcasecmp(v->value, "TOPO") == 0) {
		p->exclusive_topo = true;
		p->oversubscribe = OVERSUB_EXCLUSIVE;
	} else if (g_ascii_strcasecmp(v->value, "NO") != 0)
		bad(r, v, "NO, NODE, USER or TOPO");
}

static void set_sharing(struct conf_reader *r, const struct conf_pair **v, struct partition *p)
{
	if (v[P_OVERSUBSCRIBE])
		set_oversubscribe(r, v[P_OVERSUBSCRIBE], p);
	if (v[P_EXCLUSIVE])
		set_exclusive(r, v[P_EXCLUSIVE], p);
	flag(r, v[P_EXCLUSIVE_USER], &p->exclusive_user);
	flag(r, v[P_EXCLUSIVE_TOPO], &p->exclusive_topo);
	if (p->exclusive_topo)
		p->oversubscribe = OVERSUB_EXCLUSIVE;
}

/* UP, DOWN, DRAIN, INACTIVE, matched by prefix */
static void set_state(struct conf_reader *r, const struct conf_pair *v, struct partition *p)
{
	static const struct {
		const char *name;
		enum part_state state;
	} states[] = {{"UP", PART_UP}, {"DOWN", PART_DOWN}, {"DRAIN", PART_DRAIN}, {"INACTIVE", PART_INACTIVE}};

	for (gsize i = 0; v && i < G_N_ELEMENTS(states); i++) {
		if (g_ascii_strncasecmp(v->value, states[i].name, strlen(states[i].name)) != 0)
			continue;
		p->state = states[i].state;
		return;
	}
	if (v)
		bad(r, v, "UP, DOWN, DRAIN or INACTIVE");
}

/* A list in which ALL, or nothing, means everybody: NULL. */
static char **access_list(const struct conf_pair *v, bool lower)
{
	if (!v || !*v->value || g_ascii_strcasecmp(v->value, "ALL") == 0)
		return NULL;
	return conf_list(v->value, lower);
}

static char **deny_list(struct conf_reader *r, const struct conf_pair *deny, char **allow)
{
	if (!deny || !*deny->value)
		return NULL;
	if (!allow)
		return conf_list(deny->value, true);
	conf_warn(r, deny, "remove one of them", "%s is ignored, the partition has an Allow list too", deny->key);
	return NULL;
}

static void set_access(struct conf_reader *r, const struct conf_pair **v, struct partition *p)
{
	p->allow_accounts = access_list(v[P_ALLOW_ACCOUNTS], true);
	p->allow_qos = access_list(v[P_ALLOW_QOS], true);
	p->deny_accounts = deny_list(r, v[P_DENY_ACCOUNTS], p->allow_accounts);
	p->deny_qos = deny_list(r, v[P_DENY_QOS], p->allow_qos);
	p->allow_groups = access_list(v[P_ALLOW_GROUPS], false);
	p->alloc_nodes = access_list(v[P_ALLOC_NODES], false);
	if (p->allow_groups && !r->o->groups_path)
		conf_warn(r, v[P_ALLOW_GROUPS], "name a file of groups in the scenario: \"groups\"",
		          "AllowGroups is not tested: who is in which group is not known");
	if (p->alloc_nodes)
		conf_not_modelled(r, v[P_ALLOC_NODES], "the node from which a job is submitted");
	flag(r, v[P_ROOT_ONLY], &p->root_only);
	flag(r, v[P_REQ_RESV], &p->req_resv);
	flag(r, v[P_HIDDEN], &p->hidden);
	flag(r, v[P_LLN], &p->lln);
	p->disable_root = r->disable_root;
	flag(r, v[P_DISABLE_ROOT], &p->disable_root);
	if (v[P_QOS] && *v[P_QOS]->value)
		p->qos_name = g_ascii_strdown(v[P_QOS]->value, -1);
	if (v[P_ALTERNATE])
		p->alternate = g_strdup(v[P_ALTERNATE]->value);
}

static void set_billing(struct conf_reader *r, const struct conf_pair *v, struct partition *p)
{
	GError *error = NULL;

	if (!v || !*v->value)
		return;
	g_free(p->billing_text);
	p->billing_text = g_strdup(v->value);
	g_free(p->billing_weights);
	p->billing_weights = g_new0(double, r->c->tres->n);
	if (!tres_parse_weights(r->c->tres, v->value, p->billing_weights, &error)) {
		diag_error(r->d, v->file, v->value_line, v->value_column,
		           "AccountingStorageTRES names the kinds that can be used", "%s: %s", v->key, error->message);
		g_error_free(error);
	}
}

static void set_default(struct conf_reader *r, const struct conf_pair *v, struct partition *p)
{
	flag(r, v, &p->is_default);
	if (!p->is_default)
		return;
	for (guint i = 0; i < r->c->partitions->len; i++) {
		struct partition *other = g_ptr_array_index(r->c->partitions, i);

		if (other == p || !other->is_default)
			continue;
		conf_warn(r, v, NULL, "the default partition is now %s, not %s", p->name, other->name);
		other->is_default = false;
	}
}

static void warn_later(struct conf_reader *r, const struct conf_pair **v)
{
	if (v[P_SELECT])
		conf_not_modelled(r, v[P_SELECT], "SelectTypeParameters of a single partition");
}

static void set_power(struct conf_reader *r, const struct conf_pair **v, struct partition *p)
{
	conf_power_seconds(r, v[P_SUSPEND_TIME], &p->suspend_time);
	conf_power_seconds(r, v[P_SUSPEND_TIMEOUT], &p->suspend_timeout);
	conf_power_seconds(r, v[P_RESUME_TIMEOUT], &p->resume_timeout);
	flag(r, v[P_POWER_IDLE], &p->power_down_on_idle);
}

/* Section 3: these are read from the partition's own line only. */
static void drop_own_keys(const struct conf_pair **v)
{
	static const int own[] = {P_DISABLE_ROOT, P_EXCLUSIVE_USER, P_EXCLUSIVE_TOPO,
	                          P_POWER_IDLE,   P_SELECT,         P_SUSPEND_TIME};

	for (gsize i = 0; i < G_N_ELEMENTS(own); i++)
		v[own[i]] = NULL;
}

static void part_line(struct conf_reader *r, const struct conf_line *line, const struct conf_pair **defaults)
{
	const struct conf_pair *name = &line->pair[0], *v[P_KEYS];

	memcpy(v, defaults, sizeof v);
	conf_line_values(r, line, part_keys, "PartitionName", v);
	if (g_ascii_strcasecmp(name->value, "DEFAULT") == 0) {
		drop_own_keys(v);
		memcpy(defaults, v, sizeof v);
		return;
	}
	char **names = conf_list(name->value, false);
	for (char **s = names; *s; s++) {
		if (cluster_find_partition(r->c, *s)) {
			conf_error(r, name, "define each partition once", "duplicated PartitionName %s", *s);
			continue;
		}
		struct partition *p = cluster_add_partition(r->c, *s);
		g_free(p->nodes_text);
		p->nodes_text = g_strdup(v[P_NODES] ? v[P_NODES]->value : "");
		set_times(r, v, p);
		set_amounts(r, v, p);
		set_priority(r, v, p);
		set_sharing(r, v, p);
		set_state(r, v[P_STATE], p);
		set_access(r, v, p);
		conf_check_topology(r, v[P_TOPOLOGY], p);
		set_billing(r, v[P_BILLING], p);
		set_power(r, v, p);
		set_default(r, v[P_DEFAULT], p);
		g_ptr_array_add(r->part_pairs, (gpointer)name);
		g_ptr_array_add(r->nodes_pairs, (gpointer)(v[P_NODES] ? v[P_NODES] : name));
	}
	g_strfreev(names);
	warn_later(r, v);
}

void conf_read_partitions(struct conf_reader *r)
{
	const struct conf_pair *defaults[P_KEYS] = {NULL};

	for (guint i = 0; i < r->part_lines->len; i++)
		part_line(r, g_ptr_array_index(r->part_lines, i), defaults);
}

static void check_qos(struct conf_reader *r, const struct conf_pair *at, const struct partition *p, const char *name)
{
	if (!name || acct_find_qos(r->c->acct, name))
		return;
	if (r->o->accounting_path && !r->shown) {
		conf_error(r, at, "define it in the accounting file", "partition %s: unknown QOS %s", p->name, name);
		return;
	}
	acct_add_qos(r->c->acct, name);
	conf_warn(r, at, "give the accounting file (sacctmgr dump)",
	          "partition %s: QOS %s is not known: taken as one without limits", p->name, name);
}

void conf_check_partition_qos(struct conf_reader *r)
{
	for (guint i = 0; i < r->c->partitions->len; i++) {
		const struct partition *p = g_ptr_array_index(r->c->partitions, i);
		const struct conf_pair *at = g_ptr_array_index(r->part_pairs, i);

		check_qos(r, at, p, p->qos_name);
		for (char **s = p->allow_qos; s && *s; s++)
			check_qos(r, at, p, *s);
		for (char **s = p->deny_qos; s && *s; s++)
			check_qos(r, at, p, *s);
	}
}
