/* show_node.c - scontrol show node, partition, reservation, license, hostnames; see show.h */
#include "tools/show.h"
#include "sched/base/hostlist.h"
#include "sched/base/memsize.h"
#include "sched/billing.h"
#include "sched/reservation.h"
#include "sim/placement.h"
#include <string.h>

#define ROW "\n   "

static const struct cluster *cluster_of(const struct job_view *v)
{
	return controller_cluster(v->c);
}

static char *joined(char **names, const char *none)
{
	return names ? g_strjoinv(",", names) : g_strdup(none);
}

/* ---- a node's state ---- */

static bool is_down(const struct node *n)
{
	return n->base == NODE_DOWN || n->base == NODE_UNKNOWN || n->base == NODE_FUTURE;
}

char *node_state_words(const struct job_view *v, const struct node *n)
{
	static const struct {
		uint32_t flag;
		const char *word;
	} WORDS[] = {{NODE_CLOUD, "CLOUD"},
	             {NODE_COMPLETING, "COMPLETING"},
	             {NODE_DRAIN, "DRAIN"},
	             {NODE_FAIL, "FAIL"},
	             {NODE_MAINT, "MAINTENANCE"},
	             {NODE_NOT_RESPONDING, "NOT_RESPONDING"},
	             {NODE_POWERED_DOWN, "POWERED_DOWN"},
	             {NODE_POWERING_DOWN, "POWERING_DOWN"},
	             {NODE_POWERING_UP, "POWERING_UP"},
	             {NODE_REBOOT_REQUESTED, "REBOOT_REQUESTED"},
	             {NODE_RESERVED, "RESERVED"},
	             {NODE_PLANNED, "PLANNED"}};
	static const char *const BASES[] = {"UNKNOWN", "DOWN", "IDLE", "ALLOCATED", "MIXED", "FUTURE"};
	const struct node_use *use = usage_node(controller_usage(v->c), n->index);
	uint16_t usable = n->config->cores;
	uint32_t flags = n->flags | (use->completing ? NODE_COMPLETING : 0);
	GString *s;

	if (n->config->spec_cores)
		usable -= (uint16_t)bitset_count(n->config->spec_cores);
	s = g_string_new(is_down(n)                           ? BASES[n->base]
	                 : use->cores && use->cores >= usable ? "ALLOCATED"
	                 : use->cores || use->cpus            ? "MIXED"
	                                                      : "IDLE");
	for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++)
		if (flags & WORDS[i].flag)
			g_string_append_printf(s, "+%s", WORDS[i].word);
	return g_string_free(s, FALSE);
}

/* ---- a node's things ---- */

/* "(S:0-1)": the sockets that devices are near; "" when there are no cores given. */
static void put_sockets(GString *s, const struct node_config *k, const struct node_gres *g, const char *type)
{
	struct bitset *all = bitset_new(MAX(k->sockets, 1));
	bool some = false;

	for (uint32_t i = 0; i < g->n_groups; i++)
		if (g->group[i].sockets && g_strcmp0(g->group[i].type, type) == 0) {
			bitset_or(all, g->group[i].sockets);
			some = true;
		}
	char *ranges = bitset_to_ranges(all);
	if (some && *ranges)
		g_string_append_printf(s, "(S:%s)", ranges);
	g_free(ranges);
	bitset_free(all);
}

char *node_gres_configured(const struct node *n)
{
	const struct node_config *k = n->config;
	GString *s = g_string_new(NULL);

	for (uint32_t g = 0; g < k->n_gres; g++)
		for (uint32_t i = 0; i < k->gres[g].n_groups; i++) {
			const struct gres_group *group = &k->gres[g].group[i];
			bool told = false;
			for (uint32_t b = 0; b < i; b++)
				told |= g_strcmp0(k->gres[g].group[b].type, group->type) == 0;
			if (told)
				continue;
			g_string_append_printf(s, "%s%s%s%s:%u", s->len ? "," : "", k->gres[g].name,
			                       group->type ? ":" : "", group->type ? group->type : "",
			                       node_config_gres(k, k->gres[g].name, group->type));
			put_sockets(s, k, &k->gres[g], group->type);
		}
	return g_string_free(s, s->len == 0);
}

char *node_partitions(const struct job_view *v, const struct node *n)
{
	const GPtrArray *all = cluster_of(v)->partitions;
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct partition *p = all->pdata[i];
		if (bitset_test(p->nodes, n->index))
			g_string_append_printf(s, "%s%s", s->len ? "," : "", p->name);
	}
	return g_string_free(s, FALSE);
}

/* The dearest of its partitions' weights. */
static uint64_t node_billing(const struct cluster *cl, const struct node *n, const uint64_t *counts)
{
	double most = 0;

	for (guint i = 0; i < cl->partitions->len; i++) {
		const struct partition *p = cl->partitions->pdata[i];
		if (bitset_test(p->nodes, n->index))
			most = MAX(most, billing_of(cl->params, cl->tres, p->billing_weights, counts));
	}
	return (uint64_t)most;
}

/* What jobs hold here, added up from what each holds. */
static void count_used(const struct job_view *v, const struct node *n, uint64_t *counts)
{
	const struct cluster *cl = cluster_of(v);
	const struct node_use *use = usage_node(controller_usage(v->c), n->index);

	counts[TRES_CPU] = use->cpus;
	counts[TRES_MEM] = use->mem;
	for (const struct job *j = controller_first_running(v->c); j; j = j->next) {
		for (uint32_t i = 0; j->alloc && i < j->alloc->n; i++) {
			const struct alloc_node *an = &j->alloc->node[i];
			if (an->node != n->index || !an->n_gres)
				continue;
			struct job_alloc one = *j->alloc;
			uint64_t mine[TRES_MAX] = {0};
			one.node = (struct alloc_node *)an;
			one.n = 1;
			tres_of_alloc(cl, &one, mine);
			for (uint32_t t = TRES_FIRST_CONFIGURED; t < cl->tres->n; t++)
				counts[t] += mine[t];
		}
	}
}

char *node_tres(const struct job_view *v, const struct node *n, bool used)
{
	const struct cluster *cl = cluster_of(v);
	uint64_t counts[TRES_MAX] = {0};

	if (used) {
		count_used(v, n, counts);
	} else {
		for (uint32_t t = 0; t < cl->tres->n; t++)
			counts[t] = cluster_tres_on_node(cl, t, n->config);
		counts[TRES_NODE] = 0;
		counts[TRES_BILLING] = node_billing(cl, n, counts);
	}
	return tres_format(cl->tres, counts, NO_VAL64);
}

const struct reservation *node_reservation(const struct job_view *v, const struct node *n)
{
	const GPtrArray *all = controller_resvs(v->c);

	for (guint i = 0; i < all->len; i++) {
		const struct reservation *r = all->pdata[i];
		if (resv_active_at(r, v->now) && bitset_test(r->nodes, n->index))
			return r;
	}
	return NULL;
}

/* ---- node ---- */

static void put_reason(GString *s, const struct node *n)
{
	char *since;

	if (!n->reason)
		return;
	since = date_format(usec_to_sec(n->state_since), NULL);
	g_string_append_printf(s, ROW "Reason=%s [root@%s]", n->reason, since);
	g_free(since);
}

static void show_node(FILE *out, const struct job_view *v, const struct node *n, int flags)
{
	const struct cluster *cl = cluster_of(v);
	const struct node_config *k = n->config;
	const struct node_use *use = usage_node(controller_usage(v->c), n->index);
	char *features = g_strjoinv(",", k->features), *gres = node_gres_configured(n), *state = node_state_words(v, n);
	char *parts = node_partitions(v, n), *cfg = node_tres(v, n, false), *held = node_tres(v, n, true);
	uint32_t spec = k->spec_cores ? bitset_count(k->spec_cores) : 0;
	const struct reservation *resv = node_reservation(v, n);
	GString *s = g_string_new(NULL);
	const char *feature = *features ? features : "(null)";

	g_string_append_printf(s, "NodeName=%s Arch=x86_64 CoresPerSocket=%u ", n->name, k->cores_per_socket);
	g_string_append_printf(s, ROW "CPUAlloc=%u CPUEfctv=%u CPUTot=%u CPULoad=0.00", use->cpus,
	                       k->cpus - spec * k->cpus_per_core, k->cpus);
	g_string_append_printf(s, ROW "AvailableFeatures=%s" ROW "ActiveFeatures=%s" ROW "Gres=%s", feature, feature,
	                       gres ? gres : "(null)");
	if (flags & SHOW_DETAILS) {
		char *taken = placement_gres_used(cl, controller_usage(v->c), n->index);
		g_string_append(s, ROW "GresDrain=N/A");
		if (gres || v->v22)
			g_string_append_printf(s, ROW "GresUsed=%s", *taken ? taken : "gpu:0");
		g_free(taken);
	}
	g_string_append_printf(s, ROW "NodeAddr=%s NodeHostName=%s Version=%s" ROW "OS=Linux", n->name, n->name,
	                       v->v22 ? "22.05.8" : "26.05.0");
	g_string_append_printf(
	    s, ROW "RealMemory=%" G_GUINT64_FORMAT " AllocMem=%" G_GUINT64_FORMAT " FreeMem=N/A Sockets=%u Boards=%u",
	    k->real_memory, use->mem, k->sockets, MAX(1, k->boards));
	if (spec || k->mem_spec_limit) {
		char *ids = k->spec_cores ? bitset_to_ranges(k->spec_cores) : g_strdup("");
		g_string_append_printf(s, ROW "CoreSpecCount=%u CPUSpecList=%s MemSpecLimit=%" G_GUINT64_FORMAT, spec,
		                       ids, k->mem_spec_limit);
		g_free(ids);
	}
	g_string_append_printf(
	    s, ROW "State=%s ThreadsPerCore=%u TmpDisk=%" G_GUINT64_FORMAT " Weight=%u Owner=N/A MCS_label=N/A", state,
	    k->threads, k->tmp_disk, k->weight);
	g_string_append_printf(
	    s, ROW "Partitions=%s " ROW "BootTime=None SlurmdStartTime=None" ROW "LastBusyTime=Unknown%s", parts,
	    v->v22 ? "" : " ResumeAfterTime=None SuspendTime=INFINITE");
	g_string_append_printf(s, ROW "CfgTRES=%s" ROW "AllocTRES=%s", cfg, held);
	g_string_append(s, v->v22 ? ROW "CapWatts=n/a" : "");
	g_string_append(s, ROW "CurrentWatts=0 AveWatts=0");
	g_string_append(s, v->v22 ? ROW "ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s" : "");
	put_reason(s, n);
	if (resv)
		g_string_append_printf(s, ROW "ReservationName=%s", resv->name);
	show_record(out, s, flags, ROW);
	g_free(features);
	g_free(gres);
	g_free(state);
	g_free(parts);
	g_free(cfg);
	g_free(held);
}

int show_nodes(FILE *out, const struct job_view *v, const char *names, int flags)
{
	const struct cluster *cl = cluster_of(v);
	GPtrArray *list;
	GError *error = NULL;
	int code = 0;

	if (!names) {
		for (uint32_t i = 0; i < cl->n_nodes; i++)
			show_node(out, v, cl->node[i], flags);
		return 0;
	}
	list = hostlist_expand(names, &error);
	if (!list) {
		fprintf(stderr, "scontrol: error: %s\n", error->message);
		g_error_free(error);
		return 1;
	}
	for (guint i = 0; i < list->len; i++) {
		const struct node *n = cluster_find_node(cl, list->pdata[i]);
		if (n) {
			show_node(out, v, n, flags);
		} else {
			fprintf(stderr, "Node %s not found\n", (const char *)list->pdata[i]);
			code = 1;
		}
	}
	g_ptr_array_unref(list);
	return code;
}

/* ---- partition ---- */

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
	g_string_append_printf(s, ROW "Nodes=%s", names);
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
	char *over = minutes_or(p->over_time_limit, "NONE");
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
	g_string_append_printf(s, ROW "TRES=%s", tres);
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

/* ---- reservation ---- */

static char *name_list_text(const struct name_list *l)
{
	GString *s = g_string_new(NULL);

	for (char **p = l->names; p && *p; p++)
		g_string_append_printf(s, "%s%s%s", s->len ? "," : "", l->deny ? "-" : "", *p);
	if (!s->len)
		g_string_append(s, "(null)");
	return g_string_free(s, FALSE);
}

static char *flag_words(uint32_t flags)
{
#define X(name) #name,
	static const char *const WORDS[] = {RESV_FLAGS(X)};
#undef X
	GString *s = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++)
		if (flags & (1u << i))
			g_string_append_printf(s, "%s%s", s->len ? "," : "", WORDS[i]);
	return g_string_free(s, FALSE);
}

static void put_when(GString *s, const struct job_view *v, const struct reservation *r)
{
	char *start = date_format(resv_start(v->c, r), NULL), *end = date_format(resv_end(v->c, r), NULL),
	     *span = duration_format(r->end - r->start);

	g_string_append_printf(s, "ReservationName=%s StartTime=%s EndTime=%s Duration=%s", r->name, start, end, span);
	g_free(start);
	g_free(end);
	g_free(span);
}

static void show_reservation(FILE *out, const struct job_view *v, const struct reservation *r, int flags)
{
	char *nodes = nodes_text(v, r->nodes), *words = flag_words(r->flags), *users = name_list_text(&r->users),
	     *accounts = name_list_text(&r->accounts), *qos = name_list_text(&r->qos),
	     *parts = name_list_text(&r->partitions);
	uint32_t count = bitset_count(r->nodes);
	uint64_t cpus = 0;
	int64_t i;
	GString *s = g_string_new(NULL);

	for (BITSET_EACH(i, r->nodes))
		cpus += cluster_of(v)->node[i]->config->cpus;
	if (r->cores)
		cpus = r->cores->cpus;
	put_when(s, v, r);
	g_string_append_printf(s, ROW "Nodes=%s NodeCnt=%u CoreCnt=%u Features=%s PartitionName=%s Flags=%s",
	                       nodes ? nodes : "(null)", count, r->core_cnt, r->features ? r->features : "(null)",
	                       r->part ? r->part->name : "(null)", words);
	if (cpus)
		g_string_append_printf(s, ROW "TRES=cpu=%" G_GUINT64_FORMAT, cpus);
	else
		g_string_append(s, ROW "TRES=(null)");
	if (!v->v22)
		g_string_append_printf(s, ROW "AllowedPartitions=%s QOS=%s", parts, qos);
	g_string_append_printf(s, ROW "Users=%s Groups=(null) Accounts=%s Licenses=%s State=%s BurstBuffer=(null)%s",
	                       users, accounts, r->licenses_text ? r->licenses_text : "(null)",
	                       resv_active_at(r, v->now) ? "ACTIVE" : "INACTIVE", v->v22 ? " Watts=n/a" : "");
	if (r->max_start_delay) {
		char *delay = duration_format(r->max_start_delay);
		g_string_append_printf(s, ROW "MaxStartDelay=%s", delay);
		g_free(delay);
	} else {
		g_string_append(s, ROW "MaxStartDelay=(null)");
	}
	show_record(out, s, flags, ROW);
	g_free(nodes);
	g_free(words);
	g_free(users);
	g_free(accounts);
	g_free(qos);
	g_free(parts);
}

int show_reservations(FILE *out, const struct job_view *v, const char *names, int flags)
{
	const GPtrArray *all = controller_resvs(v->c);

	if (!all->len && !names) {
		fputs("No reservations in the system\n", out);
		return 0;
	}
	for (guint i = 0; !names && i < all->len; i++)
		show_reservation(out, v, all->pdata[i], flags);
	if (!names)
		return 0;
	const struct reservation *r = resv_find(v->c, names);
	if (!r) {
		fprintf(stderr, "Reservation %s not found\n", names);
		return 1;
	}
	show_reservation(out, v, r, flags);
	return 0;
}

/* ---- licences and host names ---- */

static int by_name(gconstpointer a, gconstpointer b)
{
	const struct license *x = *(struct license *const *)a, *y = *(struct license *const *)b;

	return strcmp(x->name, y->name);
}

int show_licenses(FILE *out, const struct job_view *v, const char *names, int flags)
{
	GPtrArray *list = g_ptr_array_new();
	const GPtrArray *all = cluster_of(v)->licenses;

	for (guint i = 0; i < all->len; i++) {
		const struct license *l = all->pdata[i];
		if (!names || strcmp(names, l->name) == 0)
			g_ptr_array_add(list, (gpointer)l);
	}
	g_ptr_array_sort(list, by_name);
	for (guint i = 0; i < list->len; i++) {
		const struct license *l = list->pdata[i];
		fprintf(out, "LicenseName=%s%sTotal=%u Used=%u Free=%u Reserved=0 Remote=no\n", l->name,
		        flags & SHOW_ONE_LINE ? " " : "\n    ", l->total, l->used, l->total - MIN(l->total, l->used));
	}
	if (!list->len)
		fputs(names ? "" : "No licenses configured in Slurm.\n", out);
	g_ptr_array_unref(list);
	return 0;
}

int show_hostnames(FILE *out, const struct job_view *v, const char *names, bool list)
{
	GError *error = NULL;
	GPtrArray *all = names ? hostlist_expand(names, &error) : NULL;

	(void)v;
	if (!all) {
		fprintf(stderr, "scontrol: error: %s\n", error ? error->message : "no host names given");
		g_clear_error(&error);
		return 1;
	}
	if (list) {
		char *text = hostlist_compress((const char *const *)all->pdata, all->len);
		fprintf(out, "%s\n", text);
		g_free(text);
	}
	for (guint i = 0; !list && i < all->len; i++)
		fprintf(out, "%s\n", (const char *)all->pdata[i]);
	g_ptr_array_unref(all);
	return 0;
}
