/* show_node.c - scontrol show node; see show.h */
#include "tools/show.h"
#include "sched/base/hostlist.h"
#include "sched/base/memsize.h"
#include "sched/billing.h"
#include "sched/power.h"
#include "sched/reservation.h"
#include "sim/placement.h"
#include <string.h>

#define ROW "\n   "

static const struct cluster *cluster_of(const struct job_view *v)
{
	return controller_cluster(v->c);
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
	             {NODE_POWER_DOWN, "POWER_DOWN"},
	             {NODE_POWER_UP, "POWER_UP"},
	             {NODE_POWERED_DOWN, "POWERED_DOWN"},
	             {NODE_REBOOT_REQUESTED, "REBOOT_REQUESTED"},
	             {NODE_REBOOT_ISSUED, "REBOOT_ISSUED"},
	             {NODE_POWERING_DOWN, "POWERING_DOWN"},
	             {NODE_POWERING_UP, "POWERING_UP"},
	             {NODE_RESERVED, "RESERVED"},
	             {NODE_PLANNED, "PLANNED"}};
	static const char *const BASES[] = {"UNKNOWN", "DOWN", "IDLE", "ALLOCATED", "MIXED", "FUTURE"};
	const struct node_use *use = usage_node(controller_usage(v->c), n->index);
	uint16_t usable = n->config->cores;
	uint32_t flags = n->flags | (use->completing ? NODE_COMPLETING : 0);
	if (flags & NODE_POWERING_UP) /* recorded (scenario power) */
		flags |= NODE_NOT_RESPONDING;
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
	if (k->gres_shown)
		return *k->gres_shown ? g_strdup(k->gres_shown) : NULL;
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

	counts[TRES_CPU] = node_use_cpus(use, n->config);
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
	char *active = g_strjoinv(",", config_active(k)); /* none of several: nothing (recorded) */

	g_string_append_printf(s, "NodeName=%s Arch=x86_64 CoresPerSocket=%u ", n->name, k->cores_per_socket);
	g_string_append_printf(s, ROW "CPUAlloc=%u CPUEfctv=%u CPUTot=%u CPULoad=0.00", node_use_cpus(use, k),
	                       k->cpus - spec * k->cpus_per_core, k->cpus);
	g_string_append_printf(s, ROW "AvailableFeatures=%s" ROW "ActiveFeatures=%s" ROW "Gres=%s", feature, k->active ? active : feature,
	                       gres ? gres : "(null)");
	if (flags & SHOW_DETAILS) {
		char *taken = placement_gres_used(cl, controller_usage(v->c), n->index);
		g_string_append(s, ROW "GresDrain=N/A");
		if (gres || v->v22)
			g_string_append_printf(s, ROW "GresUsed=%s", *taken ? taken : "gpu:0");
		g_free(taken);
	}
	g_string_append_printf(s, ROW "NodeAddr=%s NodeHostName=%s Version=%s" ROW "OS=Linux", n->addr ? n->addr : n->name, n->host ? n->host : n->name,
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
	if (power_next_state(v->c, n))
		g_string_append_printf(s, ROW "NextState=%s", power_next_state(v->c, n));
	g_string_append_printf(
	    s, ROW "Partitions=%s " ROW "BootTime=None SlurmdStartTime=None" ROW "LastBusyTime=Unknown%s", parts,
	    v->v22 ? "" : " ResumeAfterTime=None SuspendTime=INFINITE");
	g_string_append_printf(s, ROW "CfgTRES=%s" ROW "AllocTRES=%s", cfg, held);
	g_string_append(s, v->v22 ? ROW "CapWatts=n/a" : "");
	g_string_append(s, ROW "CurrentWatts=0 AveWatts=0");
	g_string_append(s, v->v22 ? ROW "ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s" : "");
	put_reason(s, n);
	if (n->comment)
		g_string_append_printf(s, ROW "Comment=%s", n->comment);
	if (n->extra)
		g_string_append_printf(s, ROW "Extra=%s", n->extra);
	if (resv)
		g_string_append_printf(s, ROW "ReservationName=%s", resv->name);
	show_record(out, s, flags, ROW);
	g_free(features);
	g_free(active);
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
			if (cl->node[i]->base != NODE_FUTURE && !power_hides(cl, cl->node[i]))
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
		if (n && n->base != NODE_FUTURE && !power_hides(cl, n)) { /* recorded: such a node is not found */
			show_node(out, v, n, flags);
		} else {
			fprintf(stderr, "Node %s not found\n", (const char *)list->pdata[i]);
			code = 1;
		}
	}
	g_ptr_array_unref(list);
	return code;
}
