/* confwrite.c - slurm.conf: parameters, nodes, partitions; see confwrite.h. */
#include "models/confwrite.h"
#include "models/confread.h"
#include "models/confshow_value.h"
#include "sched/acct.h"
#include "sched/base/hostlist.h"
#include <string.h>

/* A value in quotes; what the lexer takes apart is escaped. */
static void quoted(GString *o, const char *key, const char *value)
{
	g_string_append_printf(o, " %s=\"", key);
	for (; *value; value++) {
		if (*value == '#' || *value == '\\')
			g_string_append_c(o, '\\');
		g_string_append_c(o, *value == '"' || *value == '\n' ? ' ' : *value);
	}
	g_string_append_c(o, '"');
}

static void line(GString *o, const char *key, char *value)
{
	g_string_append_printf(o, "%s=%s\n", key, value);
	g_free(value);
}

/* ---- parameters ---- */

/* Numbers, truth values and times stand in the table of keys. */
static void typed_keys(GString *o, const struct sched_params *p)
{
	struct sched_params *plain = sched_params_new(p->version);

	for (const struct conf_key *k = conf_keys; k->name; k++) {
		const char *a = (const char *)p + k->offset, *b = (const char *)plain + k->offset;
		gsize size = k->type == TYPE_BOOL ? sizeof(bool) : sizeof(uint32_t);
		uint32_t v;

		if (k->kind != KEY_VALUE || k->type == TYPE_NONE || memcmp(a, b, size) == 0)
			continue;
		if (k->type == TYPE_BOOL) {
			g_string_append_printf(o, "%s=%s\n", k->name, *(const bool *)(const void *)a ? "YES" : "NO");
			continue;
		}
		memcpy(&v, a, sizeof v);
		if (k->type == TYPE_MINUTES_AS_SECONDS)
			v /= 60;
		if (v == INFINITE && k->type == TYPE_MINUTES)
			g_string_append_printf(o, "%s=UNLIMITED\n", k->name);
		else
			g_string_append_printf(o, "%s=%u\n", k->name, v);
	}
	sched_params_free(plain);
}

static void memory_keys(GString *o, const struct sched_params *p)
{
	if (p->def_mem)
		g_string_append_printf(o, "DefMemPer%s=%" G_GUINT64_FORMAT "\n", p->def_mem_per_cpu ? "CPU" : "Node",
		                       p->def_mem);
	if (p->max_mem)
		g_string_append_printf(o, "MaxMemPer%s=%" G_GUINT64_FORMAT "\n", p->max_mem_per_cpu ? "CPU" : "Node",
		                       p->max_mem);
	if (p->def_mem_per_gpu)
		g_string_append_printf(o, "DefMemPerGPU=%" G_GUINT64_FORMAT "\n", p->def_mem_per_gpu);
}

static void selection_keys(GString *o, const struct sched_params *p)
{
	static const char *const sched[] = {"sched/backfill", "sched/builtin", "sched/easy"};
	static const char *const topology[] = {"topology/flat", "topology/tree", "topology/block", "topology/ring",
	                                       "topology/torus3d"};
	char *select = conf_select_text(p, NULL);
	GString *param = g_string_new(NULL);

	g_string_append_printf(o, "SchedulerType=%s\nSelectType=select/%s\n", sched[p->sched_type],
	                       p->select_type == SELECT_LINEAR ? "linear" : "cons_tres");
	if (strcmp(select, "NONE"))
		g_string_append_printf(o, "SelectTypeParameters=%s\n", select);
	if (p->topology_given)
		g_string_append_printf(o, "TopologyPlugin=%s\n", topology[p->topology]);
	g_string_append(param, p->topo_dragonfly ? ",Dragonfly" : "");
	g_string_append(param, p->topo_optional ? ",TopoOptional" : "");
	g_string_append(param, p->topo_switch_rank ? ",SwitchAsNodeRank" : "");
	g_string_append(param, p->topo_block_rank ? ",BlockAsNodeRank" : "");
	if (param->len)
		g_string_append_printf(o, "TopologyParam=%s\n", param->str + 1);
	g_string_free(param, TRUE);
	g_free(select);
}

/* "1-9,18" */
static void exit_codes(GString *o, const char *key, const uint64_t *bits)
{
	const char *sep = "=";

	for (unsigned i = 1, j; i < 256; i = j + 1) {
		for (j = i; j < 256 && bits[j / 64] >> j % 64 & 1; j++)
			;
		if (j == i)
			continue;
		g_string_append_printf(o, "%s%s%u", *sep == '=' ? key : "", sep, i);
		if (j - 1 > i)
			g_string_append_printf(o, "-%u", j - 1);
		sep = ",";
	}
	if (*sep == ',')
		g_string_append_c(o, '\n');
}

static void policy_keys(GString *o, const struct sched_params *p)
{
	static const char *const reset[] = {"NONE", "NOW", "DAILY", "WEEKLY", "MONTHLY", "QUARTERLY", "YEARLY"};
	static const char *const part_limits[] = {"NO", "ANY", "ALL"};

	g_string_append_printf(o, "PriorityType=priority/%s\n",
	                       p->priority_type == PRIORITY_BASIC ? "basic" : "multifactor");
	if (p->priority_flags)
		line(o, "PriorityFlags", conf_priority_flags_text(p->priority_flags));
	if (p->weight_fairshare)
		g_string_append_printf(o, "PriorityWeightFairshare=%u\n", p->weight_fairshare);
	if (p->weight_tres_text)
		g_string_append_printf(o, "PriorityWeightTRES=%s\n", p->weight_tres_text);
	if (p->usage_reset != RESET_NONE)
		g_string_append_printf(o, "PriorityUsageResetPeriod=%s\n", reset[p->usage_reset]);
	if (p->enforce_part_limits != ENFORCE_PART_NO)
		g_string_append_printf(o, "EnforcePartLimits=%s\n", part_limits[p->enforce_part_limits]);
	if (p->has_accounting)
		g_string_append(o, "AccountingStorageType=accounting_storage/slurmdbd\n");
	if (p->enforce)
		line(o, "AccountingStorageEnforce", conf_enforce_text(p->enforce));
	if (p->prolog_contain)
		g_string_append(o, "PrologFlags=Contain\n");
	exit_codes(o, "RequeueExit", p->requeue_exit);
	exit_codes(o, "RequeueExitHold", p->requeue_exit_hold);
	if (p->expedited_requeue)
		g_string_append(o, "SlurmctldParameters=enable_expedited_requeue\n");
	if (p->kill_invalid_depend || p->max_depend_depth != 10)
		g_string_append_printf(o, "DependencyParameters=max_depend_depth=%d%s\n", p->max_depend_depth,
		                       p->kill_invalid_depend ? ",kill_invalid_depend" : "");
	if (p->all_partitions_plugin || p->require_timelimit_plugin)
		g_string_append_printf(o, "JobSubmitPlugins=%s%s%s\n", p->all_partitions_plugin ? "all_partitions" : "",
		                       p->all_partitions_plugin && p->require_timelimit_plugin ? "," : "",
		                       p->require_timelimit_plugin ? "require_timelimit" : "");
}

static void preempt_keys(GString *o, const struct sched_params *p)
{
	static const char *const types[] = {"none", "qos", "partition_prio"};

	if (p->preempt_type == PREEMPT_NONE)
		return;
	g_string_append_printf(o, "PreemptType=preempt/%s\n", types[p->preempt_type]);
	line(o, "PreemptMode", conf_preempt_text(p));
	if (p->preempt_exempt_time > 0)
		line(o, "PreemptExemptTime", duration_format(p->preempt_exempt_time));
	if (p->preempt_min_exempt_priority != UINT32_MAX)
		g_string_append_printf(o, "PreemptParameters=min_exempt_priority=%u\n", p->preempt_min_exempt_priority);
}

/* The GRES kinds that records have, and the TRES beyond the built-in ones. */
static void tres_keys(GString *o, const struct cluster *c)
{
	GString *types = g_string_new(NULL), *tres = g_string_new(NULL);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < c->configs->len; i++) {
		const struct node_config *k = c->configs->pdata[i];

		for (uint32_t g = 0; g < k->n_gres; g++)
			if (g_hash_table_add(seen, k->gres[g].name))
				g_string_append_printf(types, "%s%s", types->len ? "," : "", k->gres[g].name);
	}
	for (uint32_t i = TRES_FIRST_CONFIGURED; i < c->tres->n; i++)
		g_string_append_printf(tres, "%s%s", tres->len ? "," : "", c->tres->name[i]);
	if (tres->len)
		g_string_append_printf(o, "AccountingStorageTRES=%s\n", tres->str);
	if (types->len)
		g_string_append_printf(o, "GresTypes=%s\n", types->str);
	g_hash_table_unref(seen);
	g_string_free(types, TRUE);
	g_string_free(tres, TRUE);
}

static void license_key(GString *o, const struct cluster *c)
{
	for (guint i = 0; i < c->licenses->len; i++) {
		const struct license *l = c->licenses->pdata[i];

		g_string_append_printf(o, "%s%s:%u", i ? "," : "Licenses=", l->name, l->total);
	}
	if (c->licenses->len)
		g_string_append_c(o, '\n');
}

static void parameters(GString *o, const struct cluster *c)
{
	GString *tokens = g_string_new(NULL);

	g_string_append_printf(o, "ClusterName=%s\n", c->params->cluster_name);
	tres_keys(o, c);
	selection_keys(o, c->params);
	memory_keys(o, c->params);
	typed_keys(o, c->params);
	conf_write_tokens(c->params, tokens);
	if (tokens->len)
		g_string_append_printf(o, "SchedulerParameters=%s\n", tokens->str);
	license_key(o, c);
	policy_keys(o, c->params);
	preempt_keys(o, c->params);
	g_string_free(tokens, TRUE);
}

/* ---- nodes ---- */

static void spec_cores(GString *o, const struct node_config *k)
{
	GString *list = g_string_new(NULL);
	int64_t i;

	if (k->core_spec_count)
		g_string_append_printf(o, " CoreSpecCount=%u", k->core_spec_count);
	for (BITSET_EACH(i, k->spec_cores))
		g_string_append_printf(list, "%s%u", list->len ? "," : "", (uint32_t)i * k->cpus_per_core);
	if (!k->core_spec_count && list->len)
		g_string_append_printf(o, " CpuSpecList=%s", list->str);
	g_string_free(list, TRUE);
}

static void node_state(GString *o, const struct node *n)
{
	GString *state = g_string_new(n->base == NODE_DOWN ? "+DOWN" : n->base == NODE_FUTURE ? "+FUTURE" : "");

	g_string_append(state, n->flags & NODE_DRAIN ? "+DRAIN" : "");
	g_string_append(state, n->flags & NODE_FAIL ? "+FAIL" : "");
	g_string_append(state, n->flags & NODE_CLOUD ? "+CLOUD" : "");
	if (state->len)
		g_string_append_printf(o, " State=%s", state->str + 1);
	if (state->len && n->reason)
		quoted(o, "Reason", n->reason);
	g_string_free(state, TRUE);
}

static void node_line(GString *o, const struct node *n, GPtrArray *names)
{
	const struct node_config *k = n->config;
	char *list = hostlist_compress((const char *const *)names->pdata, names->len),
	     *features = g_strjoinv(",", config_active(k)); /* those that jobs can have */

	g_string_append_printf(o,
	                       "NodeName=%s CPUs=%u Boards=%u Sockets=%u CoresPerSocket=%u ThreadsPerCore=%u "
	                       "RealMemory=%" G_GUINT64_FORMAT,
	                       list, k->cpus, k->boards, k->sockets, k->cores_per_socket, k->threads, k->real_memory);
	if (k->tmp_disk)
		g_string_append_printf(o, " TmpDisk=%" G_GUINT64_FORMAT, k->tmp_disk);
	if (k->mem_spec_limit)
		g_string_append_printf(o, " MemSpecLimit=%" G_GUINT64_FORMAT, k->mem_spec_limit);
	if (k->weight != 1)
		g_string_append_printf(o, " Weight=%u", k->weight);
	if (k->spec_cores)
		spec_cores(o, k);
	if (k->restricted_cores_per_gpu)
		g_string_append_printf(o, " RestrictedCoresPerGPU=%u", k->restricted_cores_per_gpu);
	if (*features)
		g_string_append_printf(o, " Features=%s", features);
	if (*k->gres_text)
		g_string_append_printf(o, " Gres=%s", k->gres_text);
	node_state(o, n);
	g_string_append_c(o, '\n');
	g_free(list);
	g_free(features);
}

/* The nodes of record K, in runs of equal state. */
static void config_nodes(GString *o, const struct cluster *c, const struct node_config *k)
{
	const uint32_t flags = NODE_DRAIN | NODE_FAIL | NODE_CLOUD;
	const struct node *first = NULL;
	GPtrArray *names = g_ptr_array_new();
	int64_t i;

	for (BITSET_EACH(i, k->nodes)) {
		const struct node *n = c->node[i];
		bool same = first && n->base == first->base && (n->flags & flags) == (first->flags & flags) &&
		            g_strcmp0(n->reason, first->reason) == 0 && names->len < 60000;

		if (first && !same) {
			node_line(o, first, names);
			g_ptr_array_set_size(names, 0);
		}
		if (!same)
			first = n;
		g_ptr_array_add(names, n->name);
	}
	if (first)
		node_line(o, first, names);
	g_ptr_array_unref(names);
}

static void nodes(GString *o, const struct cluster *c)
{
	for (guint i = 0; i < c->configs->len; i++)
		config_nodes(o, c, c->configs->pdata[i]);
}

/* ---- partitions ---- */

static void number(GString *o, const char *key, uint64_t value, uint64_t otherwise)
{
	if (value == otherwise)
		return;
	if (value == INFINITE || value == INFINITE64)
		g_string_append_printf(o, " %s=UNLIMITED", key);
	else
		g_string_append_printf(o, " %s=%" G_GUINT64_FORMAT, key, value);
}

static void flag(GString *o, const char *key, bool value)
{
	if (value)
		g_string_append_printf(o, " %s=YES", key);
}

static void list(GString *o, const char *key, char **items)
{
	char *all = items ? g_strjoinv(",", items) : NULL;

	if (all && *all)
		g_string_append_printf(o, " %s=%s", key, all);
	g_free(all);
}

static void sharing(GString *o, const struct partition *p)
{
	static const char *const words[] = {"NO", "YES", "FORCE", "EXCLUSIVE"};

	if (p->oversubscribe != OVERSUB_NO)
		g_string_append_printf(o, " OverSubscribe=%s", words[p->oversubscribe]);
	if (p->oversubscribe == OVERSUB_YES || p->oversubscribe == OVERSUB_FORCE)
		g_string_append_printf(o, ":%u", p->max_share);
	flag(o, "ExclusiveUser", p->exclusive_user);
	flag(o, "ExclusiveTopo", p->exclusive_topo);
}

static void partition_memory(GString *o, const struct partition *p)
{
	if (p->def_mem != NO_VAL64)
		number(o, p->def_mem_per_cpu ? "DefMemPerCPU" : "DefMemPerNode", p->def_mem, NO_VAL64);
	if (p->max_mem != NO_VAL64)
		number(o, p->max_mem_per_cpu ? "MaxMemPerCPU" : "MaxMemPerNode", p->max_mem, NO_VAL64);
	number(o, "DefCpuPerGPU", p->def_cpu_per_gpu, 0);
	number(o, "DefMemPerGPU", p->def_mem_per_gpu, 0);
}

static void billing(GString *o, const struct cluster *c, const struct partition *p)
{
	GString *text = g_string_new(NULL);

	for (uint32_t i = 0; p->billing_weights && i < c->tres->n; i++)
		if (p->billing_weights[i] != 0)
			g_string_append_printf(text, "%s%s=%.17g", text->len ? "," : "", c->tres->name[i],
			                       p->billing_weights[i]);
	if (text->len)
		g_string_append_printf(o, " TRESBillingWeights=\"%s\"", text->str);
	g_string_free(text, TRUE);
}

static void partition_line(GString *o, const struct cluster *c, const struct partition *p)
{
	static const char *const states[] = {"UP", "DOWN", "DRAIN", "INACTIVE"};
	static const char *const modes[] = {"OFF", "CANCEL", "REQUEUE", "SUSPEND"};
	char *names = cluster_format_nodes(c, p->nodes);

	g_string_append_printf(o, "PartitionName=%s", p->name);
	if (*names)
		g_string_append_printf(o, " Nodes=%s", names);
	flag(o, "Default", p->is_default);
	if (p->state != PART_UP)
		g_string_append_printf(o, " State=%s", states[p->state]);
	number(o, "MaxTime", p->max_time, INFINITE);
	number(o, "DefaultTime", p->default_time, NO_VAL);
	number(o, "MinNodes", p->min_nodes, 0);
	number(o, "MaxNodes", p->max_nodes, INFINITE);
	number(o, "MaxCPUsPerNode", p->max_cpus_per_node, INFINITE);
	number(o, "MaxCPUsPerSocket", p->max_cpus_per_socket, INFINITE);
	partition_memory(o, p);
	number(o, "PriorityTier", p->priority_tier, 1);
	number(o, "PriorityJobFactor", p->priority_job_factor, 1);
	if (p->preempt_mode != PREEMPT_MODE_UNSET)
		g_string_append_printf(o, " PreemptMode=%s", modes[p->preempt_mode]);
	number(o, "GraceTime", (uint64_t)p->grace_time, 0);
	sharing(o, p);
	if (p->qos_name)
		g_string_append_printf(o, " QOS=%s", p->qos_name);
	list(o, "AllowQos", p->allow_qos);
	list(o, "DenyQos", p->deny_qos);
	list(o, "AllowAccounts", p->allow_accounts);
	list(o, "DenyAccounts", p->deny_accounts);
	list(o, "AllowGroups", p->allow_groups);
	list(o, "AllocNodes", p->alloc_nodes);
	flag(o, "RootOnly", p->root_only);
	flag(o, "ReqResv", p->req_resv);
	flag(o, "Hidden", p->hidden);
	flag(o, "LLN", p->lln);
	flag(o, "DisableRootJobs", p->disable_root);
	number(o, "OverTimeLimit", p->over_time_limit, NO_VAL);
	if (p->alternate)
		g_string_append_printf(o, " Alternate=%s", p->alternate);
	if (p->topology_name)
		g_string_append_printf(o, " Topology=%s", p->topology_name);
	billing(o, c, p);
	g_string_append_c(o, '\n');
	g_free(names);
}

char *confwrite_slurm_conf(const struct cluster *c)
{
	GString *o = g_string_new(NULL);

	parameters(o, c);
	nodes(o, c);
	for (guint i = 0; i < c->partitions->len; i++)
		partition_line(o, c, c->partitions->pdata[i]);
	return g_string_free(o, FALSE);
}
