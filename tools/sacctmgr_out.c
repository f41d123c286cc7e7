/* sacctmgr_out.c - see sacctmgr_out.h */
#include "tools/sacctmgr_out.h"
#include "sched/acct.h"
#include "tools/acct_json.h"
#include "tools/cells.h"
#include <stdlib.h>
#include <string.h>

struct row {
	const struct cluster *c;
	const struct assoc *as;
	const struct qos *q;
	const char *user; /* of "show user" */
	int tres;
	int depth; /* in the tree */
	bool own;  /* wopinfo: not what is inherited */
};
typedef char *cell_fn(const struct row *r);
struct field {
	const char *names; /* alternatives by "|"; the first is the header */
	int width;
	cell_fn *fill;
};
#define CELL(name) static char *name(const struct row *r)

/* ---- values ---- */

static char *count(uint32_t n)
{
	return n >= NO_VAL ? g_strdup("") : g_strdup_printf("%u", n);
}

static char *minutes(uint32_t n)
{
	return n >= NO_VAL ? g_strdup("") : duration_format((int64_t)n * 60);
}

/* Only what is set: an unset kind is NO_VAL64, a cleared one INFINITE. */
static char *counts(const struct row *r, const uint64_t *list)
{
	uint64_t copy[TRES_MAX];

	if (!list)
		return g_strdup("");
	for (uint32_t i = 0; i < r->c->tres->n; i++)
		copy[i] = list[i] >= NO_VAL64 || list[i] == INFINITE ? NO_VAL64 : list[i];
	return tres_format(r->c->tres, copy, NO_VAL64);
}

/* The nearest value up the tree. */
static uint32_t up_count(const struct row *r, size_t offset)
{
	for (const struct assoc *a = r->as; a; a = r->own ? NULL : a->parent) {
		uint32_t n = *(const uint32_t *)((const char *)&a->limits + offset);
		if (n != NO_VAL)
			return n;
	}
	return NO_VAL;
}

static void merge_up(const struct row *r, size_t offset, uint64_t merged[TRES_MAX])
{
	for (uint32_t i = 0; i < r->c->tres->n; i++)
		merged[i] = NO_VAL64;
	for (const struct assoc *a = r->as; a; a = r->own ? NULL : a->parent) {
		const uint64_t *list = *(uint64_t *const *)((const char *)&a->limits + offset);
		for (uint32_t i = 0; list && i < r->c->tres->n; i++)
			if (merged[i] == NO_VAL64)
				merged[i] = list[i];
	}
}

static char *up_counts(const struct row *r, size_t offset)
{
	uint64_t merged[TRES_MAX];

	merge_up(r, offset, merged);
	return counts(r, merged);
}

/* One kind of what a limit by TRES sets, under its name of old releases. */
static char *one_count(const struct row *r, size_t offset, int tres, bool inherited)
{
	struct row own = *r;
	uint64_t merged[TRES_MAX];

	own.own = r->own || !inherited;
	merge_up(&own, offset, merged);
	if (merged[tres] >= NO_VAL64 || merged[tres] == INFINITE)
		return g_strdup("");
	return g_strdup_printf("%" G_GUINT64_FORMAT, merged[tres]);
}

#define UP_COUNT(name, member)                                                                                         \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return count(up_count(r, offsetof(struct limits, member)));                                            \
	}
#define UP_COUNTS(name, member)                                                                                        \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return up_counts(r, offsetof(struct limits, member));                                                  \
	}
#define OWN_COUNT(name, whose, member)                                                                                 \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return count(r->whose->limits.member);                                                                 \
	}
#define OWN_COUNTS(name, whose, member)                                                                                \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return counts(r, r->whose->limits.member);                                                             \
	}

CELL(empty)
{
	(void)r;
	return g_strdup("");
}
CELL(cluster_name)
{
	return g_strdup(r->c->params->cluster_name ? r->c->params->cluster_name : "");
}

/* ---- associations ---- */

CELL(account)
{
	return g_strdup_printf("%*s%s", MAX(r->depth, 0), "", r->as->account);
}
CELL(user)
{
	return g_strdup(r->as->user ? r->as->user : "");
}
CELL(partition)
{
	return g_strdup(r->as->partition ? r->as->partition : "");
}
CELL(share)
{
	return r->as->shares == SHARES_PARENT ? g_strdup("parent") : g_strdup_printf("%u", r->as->shares);
}
CELL(assoc_priority)
{
	return count(r->as->priority);
}
CELL(assoc_id)
{
	return g_strdup_printf("%u", r->as->id);
}
CELL(parent_name)
{
	return g_strdup(r->as->user || !r->as->parent ? "" : r->as->parent->account);
}
static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}
/* Takes over LIST, of borrowed char *. */
static char *sorted_list(GPtrArray *list)
{
	char *text;

	g_ptr_array_sort(list, by_text);
	g_ptr_array_add(list, NULL);
	text = g_strjoinv(",", (char **)list->pdata);
	g_ptr_array_unref(list);
	return text;
}

static bool inherits(const struct assoc *a, const char *qos)
{
	char **up = a->parent ? assoc_qos_list(a->parent) : NULL;

	return up && g_strv_contains((const char *const *)up, qos);
}

/* Those that A does not get from above; NULL = all that there are. */
static char **own_qos(const struct assoc *a)
{
	GPtrArray *list = g_ptr_array_new();

	for (char **s = a->qos; s && *s; s++)
		if (!inherits(a, *s))
			g_ptr_array_add(list, g_strdup(*s));
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

CELL(qos_list)
{
	char **names = assoc_qos_list(r->as), **copy = r->own ? own_qos(r->as) : names ? g_strdupv(names) : NULL, *text;

	if (!copy)
		return g_strdup("normal");
	qsort(copy, g_strv_length(copy), sizeof *copy, by_text);
	text = g_strjoinv(",", copy);
	g_strfreev(copy);
	return text;
}
CELL(qos_raw)
{
	char **names = assoc_qos_list(r->as);
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < r->c->acct->qos->len; i++) {
		const struct qos *q = r->c->acct->qos->pdata[i];
		if (names ? g_strv_contains((const char *const *)names, q->name) : i == 0)
			g_string_append_printf(s, "%s%u", s->len ? "," : "", q->id);
	}
	return g_string_free(s, FALSE);
}
CELL(parent_id)
{
	return g_strdup_printf("%u", r->as->parent ? r->as->parent->id : 0);
}
CELL(lineage)
{
	return assoc_lineage(r->as);
}
CELL(no_flags)
{
	(void)r;
	return g_strdup("None");
}
CELL(default_qos)
{
	for (const struct assoc *a = r->as; a; a = r->own ? NULL : a->parent)
		if (a->default_qos)
			return g_strdup(a->default_qos);
	return g_strdup("");
}
CELL(up_wall)
{
	return minutes(up_count(r, offsetof(struct limits, max_wall)));
}
CELL(grp_wall)
{
	return minutes(r->as->limits.grp_wall);
}
OWN_COUNT(grp_jobs, as, grp_jobs)
OWN_COUNT(grp_submit, as, grp_submit)
OWN_COUNTS(grp_tres, as, grp_tres)
OWN_COUNTS(grp_tres_mins, as, grp_tres_mins)
OWN_COUNTS(grp_tres_run_mins, as, grp_tres_run_mins)
UP_COUNT(max_jobs, max_jobs)
UP_COUNT(max_submit, max_submit)
UP_COUNTS(max_tres, max_tres_pj)
UP_COUNTS(max_tres_node, max_tres_pn)
UP_COUNTS(max_tres_mins, max_tres_mins_pj)
UP_COUNT(max_accrue, max_jobs_accrue)
UP_COUNT(prio_thresh, min_prio_thresh)
OWN_COUNT(grp_accrue, as, grp_jobs_accrue)
#define ONE(name, member, tres, inherited)                                                                             \
	CELL(name)                                                                                                     \
	{                                                                                                              \
		return one_count(r, offsetof(struct limits, member), tres, inherited);                                 \
	}
ONE(grp_cpus, grp_tres, TRES_CPU, false)
ONE(grp_nodes, grp_tres, TRES_NODE, false)
ONE(grp_mem, grp_tres, TRES_MEM, false)
ONE(grp_cpu_mins, grp_tres_mins, TRES_CPU, false)
ONE(max_cpus, max_tres_pj, TRES_CPU, true)
ONE(max_nodes, max_tres_pj, TRES_NODE, true)
ONE(max_cpu_mins, max_tres_mins_pj, TRES_CPU, true)

static const struct field ASSOC[] = {{"Cluster", 10, cluster_name},
                                     {"Account", 10, account},
                                     {"User", 10, user},
                                     {"Partition", 10, partition},
                                     {"Share|Fairshare", 9, share},
                                     {"Priority", 10, assoc_priority},
                                     {"GrpJobs", 7, grp_jobs},
                                     {"GrpTRES", 13, grp_tres},
                                     {"GrpSubmit|GrpSubmitJobs", 9, grp_submit},
                                     {"GrpWall", 11, grp_wall},
                                     {"GrpTRESMins", 13, grp_tres_mins},
                                     {"MaxJobs", 7, max_jobs},
                                     {"MaxTRES|MaxTRESPerJob|MaxTRESPJ", 13, max_tres},
                                     {"MaxTRESPerNode|MaxTRESPN", 14, max_tres_node},
                                     {"MaxSubmit|MaxSubmitJobs", 9, max_submit},
                                     {"MaxWall|MaxWallDurationPerJob", 11, up_wall},
                                     {"MaxTRESMins|MaxTRESMinsPerJob", 13, max_tres_mins},
                                     {"QOS", 20, qos_list},
                                     {"Def QOS|DefaultQOS|DefQOS", 9, default_qos},
                                     {"GrpTRESRunMins", 13, grp_tres_run_mins},
                                     {"ID", 6, assoc_id},
                                     {"ParentName|Par Name", 10, parent_name},
                                     {"ParentID|Par ID", 8, parent_id},
                                     {"Comment", 20, empty},
                                     {"Flags", 20, no_flags},
                                     {"GrpJobsAccrue", 13, grp_accrue},
                                     {"MaxJobsAccrue", 13, max_accrue},
                                     {"Lineage", -20, lineage},
                                     {"MinPrioThres|MinPrioThreshold", 12, prio_thresh},
                                     {"QOS_RAW|QOSRAW|QOSLevel", 10, qos_raw},
                                     {"GrpCPUs", 8, grp_cpus},
                                     {"GrpNodes", 8, grp_nodes},
                                     {"GrpMem|GrpMemory", 7, grp_mem},
                                     {"GrpCPUMins", 11, grp_cpu_mins},
                                     {"MaxCPUs", 8, max_cpus},
                                     {"MaxNodes", 8, max_nodes},
                                     {"MaxCPUMins", 11, max_cpu_mins}};
enum { ASSOC_SHOWN = 20 };

/* ---- QOS ---- */

CELL(qos_name)
{
	return g_strdup(r->q->name);
}
CELL(qos_priority)
{
	return g_strdup_printf("%u", r->q->priority);
}
CELL(grace)
{
	return duration_format(r->q->grace_time > 0 ? r->q->grace_time : 0);
}
CELL(preempt)
{
	return r->q->preempt ? g_strjoinv(",", r->q->preempt) : g_strdup("");
}
CELL(exempt)
{
	return r->q->preempt_exempt_time < 0 ? g_strdup("") : duration_format(r->q->preempt_exempt_time);
}
CELL(mode)
{
	return r->q->preempt_mode_text ? g_ascii_strdown(r->q->preempt_mode_text, -1) : g_strdup("cluster");
}
CELL(flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} WORDS[] = {{QOS_DENY_LIMIT, "DenyOnLimit"},
	             {QOS_ENFORCE_USAGE_THRESHOLD, "EnforceUsageThreshold"},
	             {QOS_NO_RESERVE, "NoReserve"},
	             {QOS_PART_MAX_NODE, "PartitionMaxNodes"},
	             {QOS_PART_MIN_NODE, "PartitionMinNodes"},
	             {QOS_PART_TIME_LIMIT, "PartitionTimeLimit"},
	             {QOS_OVER_PART_QOS, "OverPartQOS"},
	             {QOS_REQUIRES_RESV, "RequiresReservation"},
	             {QOS_NO_DECAY, "NoDecay"},
	             {QOS_USAGE_FACTOR_SAFE, "UsageFactorSafe"},
	             {QOS_RELATIVE, "Relative"}};
	GString *s = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++)
		if (r->q->flags & WORDS[i].flag)
			g_string_append_printf(s, "%s%s", s->len ? "," : "", WORDS[i].name);
	return g_string_free(s, FALSE);
}
CELL(threshold)
{
	return r->q->usage_threshold < 0 ? g_strdup("") : g_strdup_printf("%f", r->q->usage_threshold);
}
CELL(factor)
{
	return g_strdup_printf("%f", r->q->usage_factor);
}
CELL(qos_wall)
{
	return minutes(r->q->limits.max_wall);
}
CELL(qos_grp_wall)
{
	return minutes(r->q->limits.grp_wall);
}
OWN_COUNTS(q_grp_tres, q, grp_tres)
OWN_COUNTS(q_grp_tres_mins, q, grp_tres_mins)
OWN_COUNTS(q_grp_tres_run, q, grp_tres_run_mins)
OWN_COUNT(q_grp_jobs, q, grp_jobs)
OWN_COUNT(q_grp_submit, q, grp_submit)
OWN_COUNTS(q_max_tres, q, max_tres_pj)
OWN_COUNTS(q_max_tres_node, q, max_tres_pn)
OWN_COUNTS(q_max_tres_mins, q, max_tres_mins_pj)
OWN_COUNTS(q_max_tres_pu, q, max_tres_pu)
OWN_COUNT(q_max_jobs_pu, q, max_jobs_pu)
OWN_COUNT(q_max_submit_pu, q, max_submit_pu)
OWN_COUNTS(q_max_tres_pa, q, max_tres_pa)
OWN_COUNTS(q_run_mins_pa, q, max_tres_run_mins_pa)
OWN_COUNTS(q_run_mins_pu, q, max_tres_run_mins_pu)
OWN_COUNT(q_max_jobs_pa, q, max_jobs_pa)
OWN_COUNT(q_max_submit_pa, q, max_submit_pa)
OWN_COUNTS(q_min_tres, q, min_tres_pj)
OWN_COUNT(q_grp_accrue, q, grp_jobs_accrue)
OWN_COUNT(q_accrue_pu, q, max_accrue_pu)
OWN_COUNT(q_accrue_pa, q, max_accrue_pa)
OWN_COUNT(q_prio_thresh, q, min_prio_thresh)
CELL(qos_id)
{
	return g_strdup_printf("%u", r->q->id);
}
CELL(qos_about)
{
	return g_strdup(qos_description(r->q));
}
CELL(limit_factor)
{
	return r->q->limit_factor < 0 ? g_strdup("") : g_strdup_printf("%f", r->q->limit_factor);
}

static const struct field QOS[] = {{"Name", 10, qos_name},
                                   {"Priority", 10, qos_priority},
                                   {"GraceTime", 10, grace},
                                   {"Preempt", 10, preempt},
                                   {"PreemptExemptTime", 19, exempt},
                                   {"PreemptMode", 11, mode},
                                   {"Flags", 40, flags},
                                   {"UsageThres|UsageThreshold", 10, threshold},
                                   {"UsageFactor", 11, factor},
                                   {"GrpTRES", 13, q_grp_tres},
                                   {"GrpTRESMins", 13, q_grp_tres_mins},
                                   {"GrpTRESRunMins", 13, q_grp_tres_run},
                                   {"GrpJobs", 7, q_grp_jobs},
                                   {"GrpSubmit|GrpSubmitJobs", 9, q_grp_submit},
                                   {"GrpWall", 11, qos_grp_wall},
                                   {"MaxTRES|MaxTRESPerJob|MaxTRESPJ", 13, q_max_tres},
                                   {"MaxTRESPerNode|MaxTRESPN", 14, q_max_tres_node},
                                   {"MaxTRESMins|MaxTRESMinsPerJob", 13, q_max_tres_mins},
                                   {"MaxWall|MaxWallDurationPerJob", 11, qos_wall},
                                   {"MaxTRESPU|MaxTRESPerUser", 13, q_max_tres_pu},
                                   {"MaxJobsPU|MaxJobsPerUser", 9, q_max_jobs_pu},
                                   {"MaxSubmitPU|MaxSubmitJobsPerUser|MaxSubmitJobsPU", 11, q_max_submit_pu},
                                   {"MaxTRESPA|MaxTRESPerAccount", 13, q_max_tres_pa},
                                   {"MaxTRESRunMinsPA", 22, q_run_mins_pa},
                                   {"MaxTRESRunMinsPU", 22, q_run_mins_pu},
                                   {"MaxJobsPA|MaxJobsPerAccount", 9, q_max_jobs_pa},
                                   {"MaxSubmitPA|MaxSubmitJobsPerAccount", 11, q_max_submit_pa},
                                   {"MinTRES|MinTRESPerJob", 13, q_min_tres},
                                   {"ID", 6, qos_id},
                                   {"Descr|Description", 20, qos_about},
                                   {"LimitFactor", 11, limit_factor},
                                   {"GrpJobsAccrue", 13, q_grp_accrue},
                                   {"MaxJobsAccruePU|MaxJobsAccruePerUser", 15, q_accrue_pu},
                                   {"MaxJobsAccruePA|MaxJobsAccruePerAccount", 15, q_accrue_pa},
                                   {"MinPrioThres|MinPrioThreshold", 12, q_prio_thresh}};
enum { QOS_SHOWN = 28 };
static const char QOS_2205[] =
    "Name,Priority,GraceTime,Preempt,PreemptExemptTime,PreemptMode,Flags,UsageThres,UsageFactor,GrpTRES,GrpTRESMins,"
    "GrpTRESRunMins,GrpJobs,GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPU,MaxJobsPU,"
    "MaxSubmitPU,"
    "MaxTRESPA,MaxJobsPA,MaxSubmitPA,MinTRES";

/* ---- users, accounts, TRES ---- */

CELL(user_name)
{
	return g_strdup(r->user);
}
CELL(user_account)
{
	const char *account = g_hash_table_lookup(r->c->acct->default_account, r->user);
	return g_strdup(account ? account : "");
}
CELL(admin)
{
	const char *level = g_hash_table_lookup(r->c->acct->admin, r->user);

	if (strcmp(r->user, "root") == 0 || (level && g_ascii_strncasecmp(level, "admin", 5) == 0))
		return g_strdup("Administrator");
	return g_strdup(level && g_ascii_strncasecmp(level, "operator", 8) == 0 ? "Operator" : "None");
}
CELL(tres_type)
{
	const char *name = r->c->tres->name[r->tres];
	return g_strndup(name, strcspn(name, "/"));
}
CELL(tres_name)
{
	const char *slash = strchr(r->c->tres->name[r->tres], '/');
	return g_strdup(slash ? slash + 1 : "");
}
CELL(tres_id)
{
	return g_strdup_printf("%u", tres_number((uint32_t)r->tres));
}
/* Of the account of a row, also of its users' rows with withassoc. */
CELL(about)
{
	return g_strdup(account_description(r->as->user ? r->as->parent : r->as));
}
CELL(organization)
{
	return g_strdup(account_organization(r->as->user ? r->as->parent : r->as));
}
/* Recorded: the users of an account and of those above it; the accounts of a user and those below them. */
CELL(coord_users)
{
	GPtrArray *all = g_ptr_array_new();

	for (const struct assoc *a = r->as; a; a = a->parent) {
		GPtrArray *own = acct_coordinators(r->c->acct, a->account);

		for (guint i = 0; i < own->len; i++)
			if (!g_ptr_array_find_with_equal_func(all, own->pdata[i], g_str_equal, NULL))
				g_ptr_array_add(all, own->pdata[i]);
		g_ptr_array_unref(own);
	}
	return sorted_list(all);
}
CELL(coord_accounts)
{
	GPtrArray *all = g_ptr_array_new();

	for (guint i = 0; i < r->c->acct->assocs->len; i++) {
		const struct assoc *a = r->c->acct->assocs->pdata[i];
		if (!a->user && !a->removed && acct_coordinates(r->c->acct, r->user, a->account))
			g_ptr_array_add(all, a->account);
	}
	return sorted_list(all);
}
/* Of an association: shown with withassoc. */
#define OF_ASSOC                                                                                                       \
	{"Share|Fairshare", 9, share}, {"Priority", 10, assoc_priority}, {"MaxJobs", 7, max_jobs},                     \
	    {"MaxNodes", 8, max_nodes}, {"MaxCPUs", 8, max_cpus}, {"MaxSubmit|MaxSubmitJobs", 9, max_submit},          \
	    {"MaxWall|MaxWallDurationPerJob", 11, up_wall}, {"MaxCPUMins", 11, max_cpu_mins}, {"QOS", 20, qos_list},   \
	    {"Def QOS|DefaultQOS|DefQOS", 9, default_qos},                                                             \
	{                                                                                                              \
		"Cluster", 10, cluster_name                                                                            \
	}
static const struct field USER[] = {
    {"User|Name", 10, user_name},          {"Def Acct|DefaultAccount|DefAcct", 10, user_account},
    {"Admin|AdminLevel", 9, admin},        {"Account", 10, account},
    {"Partition", 10, partition},          {"Coord Accounts|Coordinators", 20, coord_accounts},
    {"Def WCKey|DefaultWCKey", 10, empty}, OF_ASSOC};
static const struct field ACCOUNT[] = {{"Account|Name", 10, account},
                                       {"Descr|Description", 20, about},
                                       {"Org|Organization", 20, organization},
                                       {"ParentName", 10, parent_name},
                                       {"User", 10, user},
                                       {"GrpJobs", 7, grp_jobs},
                                       {"GrpNodes", 8, grp_nodes},
                                       {"GrpCPUs", 8, grp_cpus},
                                       {"GrpMem|GrpMemory", 7, grp_mem},
                                       {"GrpSubmit|GrpSubmitJobs", 9, grp_submit},
                                       {"GrpWall", 11, grp_wall},
                                       {"GrpCPUMins", 11, grp_cpu_mins},
                                       {"Coord Accounts|Coordinators", 20, coord_users},
                                       {"Flags", 20, no_flags},
                                       OF_ASSOC};
static const struct field TRES[] = {{"Type", 8, tres_type}, {"Name", 15, tres_name}, {"ID", 6, tres_id}};
enum { USER_SHOWN = 3, ACCOUNT_SHOWN = 3 };
static const char USER_ASSOC[] =
    "User,Def Acct,Admin,Cluster,Account,Partition,Share,Priority,MaxJobs,MaxNodes,MaxCPUs,"
    "MaxSubmit,MaxWall,MaxCPUMins,QOS,Def QOS";
static const char ACCOUNT_ASSOC[] =
    "Account,Descr,Org,Cluster,ParentName,User,Share,Priority,GrpJobs,GrpNodes,GrpCPUs,GrpMem,GrpSubmit,GrpWall,"
    "GrpCPUMins,MaxJobs,MaxNodes,MaxCPUs,MaxSubmit,MaxWall,MaxCPUMins,QOS,Def QOS";

/* ---- the cluster ---- */

CELL(no_host)
{
	(void)r;
	return g_strdup("127.0.0.1");
}
CELL(port)
{
	(void)r;
	return g_strdup("6817");
}
CELL(rpc_version)
{
	return g_strdup(r->c->params->version == SLURM_22_05 ? "9728" : "11776");
}
/* The values of the root account. */
static const struct field CLUSTER[] = {{"Cluster|Name", 10, cluster_name},
                                       {"ControlHost", 15, no_host},
                                       {"ControlPort", 12, port},
                                       {"RPC", 5, rpc_version},
                                       {"Share|Fairshare", 9, share},
                                       {"GrpJobs", 7, grp_jobs},
                                       {"GrpTRES", 13, grp_tres},
                                       {"GrpSubmit|GrpSubmitJobs", 9, grp_submit},
                                       {"MaxJobs", 7, max_jobs},
                                       {"MaxTRES", 13, max_tres},
                                       {"MaxSubmit|MaxSubmitJobs", 9, max_submit},
                                       {"MaxWall", 11, up_wall},
                                       {"QOS", 20, qos_list},
                                       {"Def QOS|DefaultQOS|DefQOS", 9, default_qos}};

/* ---- printing ---- */

struct sheet {
	const struct sacctmgr_options *o;
	FILE *out;
	GArray *columns; /* of struct field */
	GArray *left;    /* of bool */
	cJSON *list;     /* of --json; else NULL */
	char kind;       /* of the entity, below */
};

static size_t header_length(const struct field *f)
{
	return strcspn(f->names, "|");
}

static void put(const struct sheet *s, guint i, const char *text, bool header)
{
	const struct field *f = &g_array_index(s->columns, struct field, i);
	bool left = g_array_index(s->left, bool, i);
	size_t n = strlen(text), width = (size_t)f->width;

	if (s->o->parsable || s->o->closed) {
		fprintf(s->out, "%s%s", text, s->o->closed || i + 1 < s->columns->len ? "|" : "");
		return;
	}
	if (n > width)
		fprintf(s->out, "%.*s%s ", (int)(header ? width : width - 1), text, header ? "" : "+");
	else
		fprintf(s->out, left ? "%-*s " : "%*s ", (int)width, text);
}

static void print_header(const struct sheet *s)
{
	if (s->o->no_header)
		return;
	for (guint i = 0; i < s->columns->len; i++) {
		const struct field *f = &g_array_index(s->columns, struct field, i);
		char *name = g_strndup(f->names, header_length(f));
		put(s, i, name, true);
		g_free(name);
	}
	fputc('\n', s->out);
	if (s->o->parsable || s->o->closed)
		return;
	for (guint i = 0; i < s->columns->len; i++) {
		for (int k = 0; k < g_array_index(s->columns, struct field, i).width; k++)
			fputc('-', s->out);
		fputc(' ', s->out);
	}
	fputc('\n', s->out);
}

static cJSON *row_json(const struct row *r, char kind)
{
	return kind == 'a'   ? json_assoc(r->c, r->as)
	       : kind == 'q' ? json_qos(r->c, r->q)
	       : kind == 'u' ? json_user(r->c, r->user)
	                     : json_account(r->as);
}

static void print_row(const struct sheet *s, const struct row *r)
{
	if (s->list) {
		cJSON_AddItemToArray(s->list, row_json(r, s->kind));
		return;
	}
	for (guint i = 0; i < s->columns->len; i++) {
		char *text = g_array_index(s->columns, struct field, i).fill(r);
		put(s, i, text, false);
		g_free(text);
	}
	fputc('\n', s->out);
}

/* ---- which columns ---- */

/* sacctmgr takes what a name begins with. */
static const struct field *find_field(const struct field *fields, size_t n, const char *text, size_t len)
{
	for (int exact = 1; exact >= 0; exact--)
		for (size_t i = 0; i < n; i++)
			for (const char *p = fields[i].names; *p; p += *p == '|') {
				size_t size = strcspn(p, "|");
				if ((exact ? size == len : size > len) && g_ascii_strncasecmp(p, text, len) == 0)
					return &fields[i];
				p += size;
			}
	return NULL;
}

static void add_column(struct sheet *s, struct field f, int width)
{
	bool left = width ? width < 0 : f.width < 0;

	if (s->o->tree && f.fill == account && !width) {
		f.width = 20;
		left = true;
	}
	if (!s->o->with_coord && (f.fill == coord_users || f.fill == coord_accounts))
		f.fill = empty; /* recorded: also when asked for by name */
	if (f.fill == tres_name && s->o->format) /* as captured: narrower when asked for */
		f.width = 10;
	f.width = MIN(abs(width ? width : f.width), 1000);
	g_array_append_val(s->columns, f);
	g_array_append_val(s->left, left);
}

/* FORMAT NULL: the first SHOWN ones. */
static bool read_format(struct sheet *s, const struct field *fields, size_t n, size_t shown, const char *format,
                        GError **error)
{
	for (size_t i = 0; !format && i < shown; i++)
		add_column(s, fields[i], 0);
	for (const char *p = format; p && *p; p += *p == ',') {
		size_t len = strcspn(p, ","), name = MIN(len, strcspn(p, "%"));
		const struct field *found = name ? find_field(fields, n, p, name) : NULL;

		if (!found) {
			g_set_error(error, SACCTMGR_ERROR, 0, "Unknown field '%.*s'", (int)MIN(len, 60), p);
			return false;
		}
		add_column(s, *found, name < len ? atoi(p + name + 1) : 0);
		p += len;
	}
	return true;
}

/* ---- which rows ---- */

static bool is_old(const struct cluster *c)
{
	return c->params->version == SLURM_22_05;
}

static bool assoc_wanted(const struct sacctmgr_options *o, const struct assoc *a)
{
	return in_list(o->accounts, a->account) && (!o->users || (a->user && in_list(o->users, a->user)));
}

/* Accounts and users below A as rows, DEPTH levels down. */
static void print_tree(const struct sheet *s, const struct cluster *c, const struct assoc *a, int depth)
{
	GPtrArray *children = g_ptr_array_new();

	if (assoc_wanted(s->o, a))
		print_row(s, &(struct row){.c = c, .as = a, .depth = s->o->tree ? depth : 0, .own = s->o->own});
	for (guint i = 0; a->children && i < a->children->len; i++)
		g_ptr_array_add(children, a->children->pdata[i]);
	acct_sort_children(children, is_old(c));
	for (guint i = 0; i < children->len; i++)
		print_tree(s, c, children->pdata[i], depth + 1);
	g_ptr_array_unref(children);
}

/* withassoc: the associations of a user, or those of an account and its users (22.05: the newest first). */
static int by_account(gconstpointer a, gconstpointer b, gpointer cluster)
{
	const struct assoc *x = *(struct assoc *const *)a, *y = *(struct assoc *const *)b;
	int order = strcmp(x->account, y->account);

	if (!order && is_old(cluster))
		return (x->id < y->id) - (x->id > y->id);
	return order ? order : assoc_by_place(x, y, is_old(cluster));
}

static void print_assocs(const struct sheet *s, const struct cluster *c, const char *user, const struct assoc *of)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < c->acct->assocs->len; i++) {
		const struct assoc *a = c->acct->assocs->pdata[i];
		if (!a->removed && (user ? a->user && strcmp(a->user, user) == 0 : a->parent == of && a->user))
			g_ptr_array_add(list, (gpointer)a);
	}
	g_ptr_array_sort_with_data(list, by_account, (gpointer)c);
	if (of)
		g_ptr_array_insert(list, 0, (gpointer)of);
	for (guint i = 0; i < list->len; i++)
		print_row(s, &(struct row){.c = c, .as = list->pdata[i], .user = user});
	g_ptr_array_unref(list);
}

static void print_names(const struct sheet *s, const struct cluster *c, bool users)
{
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	GList *names = NULL;

	for (guint i = 0; i < c->acct->assocs->len; i++) {
		const struct assoc *a = c->acct->assocs->pdata[i];
		const char *name = users ? a->user : a->user ? NULL : a->account;
		if (name && !a->removed && in_list(s->o->names, name) &&
		    in_list(users ? s->o->users : s->o->accounts, name))
			g_hash_table_insert(seen, (gpointer)name, (gpointer)a);
	}
	names = g_list_sort(g_hash_table_get_keys(seen), (GCompareFunc)strcmp);
	for (GList *l = names; l; l = l->next) {
		const struct assoc *a = g_hash_table_lookup(seen, l->data);

		if (s->o->with_assoc && !s->list)
			print_assocs(s, c, users ? l->data : NULL, users ? NULL : a);
		else
			print_row(s, &(struct row){.c = c, .user = l->data, .as = a});
	}
	g_list_free(names);
	g_hash_table_unref(seen);
}

static void print_rows(const struct sheet *s, const struct cluster *c)
{
	switch (s->kind) {
	case 'a':
		print_tree(s, c, c->acct->root, 0);
		break;
	case 'q':
		for (guint i = 0; i < c->acct->qos->len; i++) {
			const struct qos *q = c->acct->qos->pdata[i];
			if (!q->removed && in_list(s->o->names, q->name))
				print_row(s, &(struct row){.c = c, .q = q});
		}
		break;
	case 't':
		for (uint32_t i = 0; i < c->tres->n; i++)
			print_row(s, &(struct row){.c = c, .tres = (int)i});
		break;
	case 'l':
		print_row(s, &(struct row){.c = c, .as = c->acct->root});
		break;
	default:
		print_names(s, c, s->kind == 'u');
	}
}

static const struct entity {
	const char *name, *payload;
	char kind;
	const struct field *fields;
	size_t n, shown;
	const char *with_assoc; /* its format */
} ENTITIES[] = {{"associations", "associations", 'a', ASSOC, G_N_ELEMENTS(ASSOC), ASSOC_SHOWN, NULL},
                {"qos", "qos", 'q', QOS, G_N_ELEMENTS(QOS), QOS_SHOWN, NULL},
                {"users", "users", 'u', USER, G_N_ELEMENTS(USER), USER_SHOWN, USER_ASSOC},
                {"accounts", "accounts", 'c', ACCOUNT, G_N_ELEMENTS(ACCOUNT), ACCOUNT_SHOWN, ACCOUNT_ASSOC},
                {"tres", "TRES", 't', TRES, G_N_ELEMENTS(TRES), G_N_ELEMENTS(TRES), NULL},
                {"clusters", "clusters", 'l', CLUSTER, G_N_ELEMENTS(CLUSTER), G_N_ELEMENTS(CLUSTER), NULL}};

static const struct entity *find_entity(const char *name, GError **error)
{
	size_t n = strlen(name);

	for (size_t i = 0; n >= 2 && i < G_N_ELEMENTS(ENTITIES); i++)
		if (g_ascii_strncasecmp(ENTITIES[i].name, name, n) == 0)
			return &ENTITIES[i];
	g_set_error_literal(error, SACCTMGR_ERROR, 0, SACCTMGR_NO_ENTITY);
	return NULL;
}

static void print_json(struct sheet *s, const struct cluster *c, const char *payload)
{
	if (s->kind == 't') {
		s->list = json_tres_kinds(c, false);
	} else if (s->kind == 'l') {
		s->list = cJSON_CreateArray();
		cJSON_AddItemToArray(s->list, json_cluster(c));
	} else {
		s->list = cJSON_CreateArray();
		print_rows(s, c);
	}
	json_print_acct(s->out, c, payload, s->list, s->o->command);
}

bool sacctmgr_print(FILE *out, const struct cluster *c, const struct sacctmgr_options *o, GError **error)
{
	const struct entity *e = find_entity(o->entity, error);
	struct sheet s = {.o = o, .out = out, .kind = e ? e->kind : 0};
	const char *format = o->format;
	bool ok;

	if (!e)
		return false;
	if (!format && o->with_assoc)
		format = e->with_assoc;
	else if (!format && o->with_coord && e->kind == 'u')
		format = "User,Def Acct,Admin,Coord Accounts";
	else if (!format && o->with_coord && e->kind == 'c')
		format = "Account,Descr,Org,Coord Accounts";
	else if (!format && o->without_limits)
		format = "Cluster,Account,User,Partition";
	else if (!format && e->kind == 'q' && is_old(c))
		format = QOS_2205;
	if (!c->acct) {
		g_set_error(error, SACCTMGR_ERROR, 0, "this cluster has no accounting; give --accounting FILE");
		return false;
	}
	s.columns = g_array_new(FALSE, FALSE, sizeof(struct field));
	s.left = g_array_new(FALSE, FALSE, sizeof(bool));
	ok = read_format(&s, e->fields, e->n, e->shown, format, error);
	if (ok && o->json) {
		print_json(&s, c, e->payload);
	} else if (ok) {
		print_header(&s);
		print_rows(&s, c);
	}
	g_array_unref(s.columns);
	g_array_unref(s.left);
	return ok;
}
