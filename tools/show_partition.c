/* show_partition.c - scontrol show partition; see show.h */
#include "tools/show.h"

#define ROW "\n   "

static const struct cluster *cluster_of(const struct job_view *v)
{
	return controller_cluster(v->c);
}

static char *joined(char **names, const char *none)
{
	return names ? g_strjoinv(",", names) : g_strdup(none);
}

const char *partition_state(const struct partition *p)
{
	static const char *const STATES[] = {
	    [PART_UP] = "UP", [PART_DOWN] = "DOWN", [PART_DRAIN] = "DRAIN", [PART_INACTIVE] = "INACTIVE"};

	return STATES[p->state];
}

char *partition_oversubscribe(const struct partition *p)
{
	switch (p->oversubscribe) {
	case OVERSUB_YES:
		return g_strdup_printf("YES:%u", p->max_share);
	case OVERSUB_FORCE:
		return g_strdup_printf("FORCE:%u", p->max_share);
	case OVERSUB_EXCLUSIVE:
		return g_strdup("EXCLUSIVE");
	default:
		return g_strdup("NO");
	}
}

char *partition_tres(const struct job_view *v, const struct partition *p)
{
	return tres_format(cluster_of(v)->tres, p->tres_total, NO_VAL64);
}

char *partition_preempt_mode(const struct job_view *v, const struct partition *p)
{
	static const char *const MODES[] = {"OFF", "CANCEL", "REQUEUE", "SUSPEND"};
	int mode = p->preempt_mode == PREEMPT_MODE_UNSET ? cluster_of(v)->params->preempt_mode : p->preempt_mode;

	return g_strdup(mode >= 0 && mode < (int)G_N_ELEMENTS(MODES) ? MODES[mode] : "OFF");
}

static char *count_or(uint32_t n, const char *unlimited)
{
	return n == INFINITE ? g_strdup(unlimited) : g_strdup_printf("%u", n);
}

static char *minutes_or(uint32_t n, const char *none)
{
	return n == NO_VAL ? g_strdup(none) : n == INFINITE ? g_strdup("UNLIMITED") : duration_format((int64_t)n * 60);
}

static void put_memory(GString *s, const char *key, uint64_t mem, bool per_cpu, uint64_t cluster, bool cluster_per_cpu)
{
	bool own = mem != NO_VAL64, cpu = own ? per_cpu : cluster_per_cpu;
	uint64_t value = own ? mem : cluster;

	if (value == 0 || value >= NO_VAL64)
		g_string_append_printf(s, "%sPerNode=UNLIMITED", key);
	else
		g_string_append_printf(s, "%sPer%s=%" G_GUINT64_FORMAT, key, cpu ? "CPU" : "Node", value);
}

static void put_access(GString *s, const struct partition *p)
{
	char *groups = joined(p->allow_groups, "ALL"), *accounts = joined(p->allow_accounts, "ALL"),
	     *qos = joined(p->allow_qos, "ALL"), *hosts = joined(p->alloc_nodes, "ALL");

	g_string_append_printf(s, ROW "AllowGroups=%s", groups);
	if (p->deny_accounts) {
		char *deny = joined(p->deny_accounts, "");
		g_string_append_printf(s, " DenyAccounts=%s", deny);
		g_free(deny);
	} else {
		g_string_append_printf(s, " AllowAccounts=%s", accounts);
	}
	if (p->deny_qos) {
		char *deny = joined(p->deny_qos, "");
		g_string_append_printf(s, " DenyQos=%s", deny);
		g_free(deny);
	} else {
		g_string_append_printf(s, " AllowQos=%s", qos);
	}
	g_string_append_printf(s, ROW "AllocNodes=%s%s%s Default=%s QoS=%s", hosts, p->alternate ? " Alternate=" : "",
	                       p->alternate ? p->alternate : "", p->is_default ? "YES" : "NO",
	                       p->qos_name ? p->qos_name : "N/A");
	g_free(groups);
	g_free(accounts);
	g_free(qos);
	g_free(hosts);
}

static const char *yes_no(bool b)
{
	return b ? "YES" : "NO";
}

static void put_limits(GString *s, const struct job_view *v, const struct partition *p)
{
	char *default_time = minutes_or(p->default_time, "NONE"), *max_time = minutes_or(p->max_time, "UNLIMITED");
	char *nodes = count_or(p->max_nodes, "UNLIMITED"), *node_cpus = count_or(p->max_cpus_per_node, "UNLIMITED"),
	     *socket_cpus = count_or(p->max_cpus_per_socket, "UNLIMITED"),
	     *names = cluster_format_nodes(cluster_of(v), p->nodes);
	const char *alone = p->exclusive_user                       ? "USER"
	                    : p->exclusive_topo                     ? "TOPO"
	                    : p->oversubscribe == OVERSUB_EXCLUSIVE ? "NODE"
	                                                            : "NO";

	g_string_append_printf(s, ROW "DefaultTime=%s DisableRootJobs=%s ", default_time, yes_no(p->disable_root));
	if (v->v22)
		g_string_append_printf(s, "ExclusiveUser=%s", yes_no(p->exclusive_user));
	else
		g_string_append_printf(s, "Exclusive=%s", alone);
	g_string_append_printf(s, " GraceTime=%d Hidden=%s", p->grace_time, yes_no(p->hidden));
	g_string_append_printf(s, ROW "MaxNodes=%s MaxTime=%s MinNodes=%u LLN=%s MaxCPUsPerNode=%s", nodes, max_time,
	                       p->min_nodes, yes_no(p->lln), node_cpus);
	if (!v->v22)
		g_string_append_printf(s, " MaxCPUsPerSocket=%s", socket_cpus);
	g_string_append_printf(s, ROW "Nodes=%s", *names ? names : "(null)");
	g_free(default_time);
	g_free(max_time);
	g_free(nodes);
	g_free(node_cpus);
	g_free(socket_cpus);
	g_free(names);
}

static void show_partition(FILE *out, const struct job_view *v, const struct partition *p, int flags)
{
	const struct sched_params *params = cluster_of(v)->params;
	char *share = partition_oversubscribe(p), *mode = partition_preempt_mode(v, p), *tres = partition_tres(v, p);
	char *over = p->over_time_limit == NO_VAL ? g_strdup("NONE") : count_or(p->over_time_limit, "UNLIMITED");
	GString *s = g_string_new(NULL), *defaults = g_string_new(NULL);

	if (p->def_cpu_per_gpu)
		g_string_append_printf(defaults, "DefCpuPerGPU=%u", p->def_cpu_per_gpu);
	if (p->def_mem_per_gpu)
		g_string_append_printf(defaults, "%sDefMemPerGPU=%" G_GUINT64_FORMAT, defaults->len ? "," : "",
		                       p->def_mem_per_gpu);
	g_string_append_printf(s, "PartitionName=%s", p->name);
	put_access(s, p);
	put_limits(s, v, p);
	g_string_append_printf(s, ROW "PriorityJobFactor=%u PriorityTier=%u RootOnly=%s ReqResv=%s OverSubscribe=%s",
	                       p->priority_job_factor, p->priority_tier, yes_no(p->root_only), yes_no(p->req_resv),
	                       share);
	g_string_append_printf(s, ROW "OverTimeLimit=%s PreemptMode=%s", over, mode);
	g_string_append_printf(s, ROW "State=%s TotalCPUs=%u TotalNodes=%u SelectTypeParameters=NONE",
	                       partition_state(p), p->total_cpus, p->total_nodes);
	g_string_append_printf(s, ROW "JobDefaults=%s" ROW, defaults->len ? defaults->str : "(null)");
	put_memory(s, "DefMem", p->def_mem, p->def_mem_per_cpu, 0, params->def_mem_per_cpu);
	g_string_append_c(s, ' ');
	put_memory(s, "MaxMem", p->max_mem, p->max_mem_per_cpu, 0, params->max_mem_per_cpu);
	g_string_append_printf(s, ROW "TRES=%s", *tres ? tres : "(null)");
	if (p->billing_text)
		g_string_append_printf(s, ROW "TRESBillingWeights=%s", p->billing_text);
	show_record(out, s, flags, ROW);
	g_string_free(defaults, TRUE);
	g_free(share);
	g_free(mode);
	g_free(tres);
	g_free(over);
}

int show_partitions(FILE *out, const struct job_view *v, const char *names, int flags)
{
	const struct cluster *cl = cluster_of(v);
	char **list = names ? g_strsplit(names, ",", -1) : NULL;
	int code = 0;

	for (guint i = 0; !names && i < cl->partitions->len; i++)
		show_partition(out, v, cl->partitions->pdata[i], flags);
	for (char **p = list; p && *p; p++) {
		const struct partition *part = cluster_find_partition(cl, *p);
		if (part) {
			show_partition(out, v, part, flags);
		} else {
			fprintf(stderr, "Partition %s not found\n", *p);
			code = 1;
		}
	}
	g_strfreev(list);
	return code;
}
