/* limit_kind.c - the table of limits, and whose value counts (L3-L8, R30); see limits.h */
#include "sched/limits.h"

#include <string.h>

#define AT(field) offsetof(struct limits, field)

const struct limit_info limit_info[LK_KINDS] = {
    [LK_GRP_TRES] = {"GrpTRES", "GrpTRES", REASON_QOS_GRP_CPU, REASON_ASSOC_GRP_CPU, AT(grp_tres), false, OWNER_QOS},
    [LK_GRP_MINS] = {"GrpTRESMins", "GrpTRESMins", REASON_QOS_GRP_CPU_MINS, REASON_ASSOC_GRP_CPU_MINS,
                     AT(grp_tres_mins), false, OWNER_QOS},
    [LK_GRP_RUN_MINS] = {"GrpTRESRunMins", "GrpTRESRunMins", REASON_QOS_GRP_CPU_RUN_MINS, REASON_ASSOC_GRP_CPU_RUN_MINS,
                         AT(grp_tres_run_mins), false, OWNER_QOS},
    [LK_MAX_PJ] = {"MaxTRES", "MaxTRES", REASON_QOS_MAX_CPU_PJ, REASON_ASSOC_MAX_CPU_PJ, AT(max_tres_pj), false,
                   OWNER_QOS},
    [LK_MAX_PN] = {"MaxTRESPerNode", "MaxTRESPerNode", REASON_QOS_MAX_CPU_PN, REASON_ASSOC_MAX_CPU_PN, AT(max_tres_pn),
                   true, OWNER_QOS},
    [LK_MAX_MINS_PJ] = {"MaxTRESMins", "MaxTRESMins", REASON_QOS_MAX_CPU_MINS_PJ, REASON_ASSOC_MAX_CPU_MINS_PJ,
                        AT(max_tres_mins_pj), false, OWNER_QOS},
    [LK_MIN_PJ] = {"MinTRES", NULL, REASON_QOS_MIN_CPU, REASON_NONE, AT(min_tres_pj), false, OWNER_QOS},
    [LK_MAX_PA] = {"MaxTRESPA", NULL, REASON_QOS_MAX_CPU_PA, REASON_NONE, AT(max_tres_pa), false, OWNER_QOS_ACCOUNT},
    [LK_MAX_PU] = {"MaxTRESPU", NULL, REASON_QOS_MAX_CPU_PU, REASON_NONE, AT(max_tres_pu), false, OWNER_QOS_USER},
    [LK_RUN_MINS_PA] = {"MaxTRESRunMinsPA", NULL, REASON_QOS_MAX_CPU_RUN_MINS_PA, REASON_NONE, AT(max_tres_run_mins_pa),
                        false, OWNER_QOS_ACCOUNT},
    [LK_RUN_MINS_PU] = {"MaxTRESRunMinsPU", NULL, REASON_QOS_MAX_CPU_RUN_MINS_PU, REASON_NONE, AT(max_tres_run_mins_pu),
                        false, OWNER_QOS_USER},
    [LK_GRP_JOBS] = {"GrpJobs", "GrpJobs", REASON_QOS_GRP_JOBS, REASON_ASSOC_GRP_JOBS, AT(grp_jobs), false, OWNER_QOS},
    [LK_GRP_SUBMIT] = {"GrpSubmit", "GrpSubmit", REASON_QOS_GRP_SUBMIT, REASON_ASSOC_GRP_SUBMIT, AT(grp_submit), false,
                       OWNER_QOS},
    [LK_GRP_WALL] = {"GrpWall", "GrpWall", REASON_QOS_GRP_WALL, REASON_ASSOC_GRP_WALL, AT(grp_wall), false, OWNER_QOS},
    [LK_MAX_JOBS] = {NULL, "MaxJobs", REASON_NONE, REASON_ASSOC_MAX_JOBS, AT(max_jobs), false, OWNER_QOS},
    [LK_MAX_JOBS_PA] = {"MaxJobsPA", NULL, REASON_QOS_MAX_JOBS_PA, REASON_NONE, AT(max_jobs_pa), false,
                        OWNER_QOS_ACCOUNT},
    [LK_MAX_JOBS_PU] = {"MaxJobsPU", NULL, REASON_QOS_MAX_JOBS_PU, REASON_NONE, AT(max_jobs_pu), false, OWNER_QOS_USER},
    [LK_MAX_SUBMIT] = {NULL, "MaxSubmit", REASON_NONE, REASON_ASSOC_MAX_SUBMIT, AT(max_submit), false, OWNER_QOS},
    [LK_MAX_SUBMIT_PA] = {"MaxSubmitPA", NULL, REASON_QOS_MAX_SUBMIT_PA, REASON_NONE, AT(max_submit_pa), false,
                          OWNER_QOS_ACCOUNT},
    [LK_MAX_SUBMIT_PU] = {"MaxSubmitPU", NULL, REASON_QOS_MAX_SUBMIT_PU, REASON_NONE, AT(max_submit_pu), false,
                          OWNER_QOS_USER},
    [LK_MAX_WALL] = {"MaxWall", "MaxWall", REASON_QOS_MAX_WALL_PJ, REASON_ASSOC_MAX_WALL_PJ, AT(max_wall), false,
                     OWNER_QOS},
    [LK_GRP_ACCRUE] = {"GrpJobsAccrue", "GrpJobsAccrue", REASON_NONE, REASON_NONE, AT(grp_jobs_accrue), false,
                       OWNER_QOS},
    [LK_MAX_ACCRUE] = {NULL, "MaxJobsAccrue", REASON_NONE, REASON_NONE, AT(max_jobs_accrue), false, OWNER_QOS},
    [LK_MAX_ACCRUE_PA] = {"MaxJobsAccruePA", NULL, REASON_NONE, REASON_NONE, AT(max_accrue_pa), false,
                          OWNER_QOS_ACCOUNT},
    [LK_MAX_ACCRUE_PU] = {"MaxJobsAccruePU", NULL, REASON_NONE, REASON_NONE, AT(max_accrue_pu), false, OWNER_QOS_USER},
};

/* In the order of REASON_CLASSES and REASON_TRES. */
enum tres_class { TC_CPU, TC_MEM, TC_ENERGY, TC_GRES, TC_BB, TC_BILLING, TC_UNKNOWN, TC_NODE, TC_LICENSE };
G_STATIC_ASSERT(REASON_ASSOC_GRP_LICENSE - REASON_ASSOC_GRP_CPU == TC_LICENSE);
G_STATIC_ASSERT(REASON_QOS_MAX_NODE_MINS_PJ - REASON_QOS_MAX_CPU_MINS_PJ == TC_NODE);
G_STATIC_ASSERT(REASON_QOS_MAX_LICENSE_MINS_PJ - REASON_QOS_MAX_CPU_MINS_PJ == TC_LICENSE);

static enum tres_class class_of(const struct tres_table *t, uint32_t i)
{
	static const enum tres_class built_in[] = {TC_CPU, TC_MEM, TC_ENERGY, TC_NODE, TC_BILLING};
	if (i < G_N_ELEMENTS(built_in))
		return built_in[i];
	if (i < TRES_FIRST_CONFIGURED)
		return TC_UNKNOWN;
	if (g_str_has_prefix(t->name[i], "gres/"))
		return TC_GRES;
	if (g_str_has_prefix(t->name[i], "license/"))
		return TC_LICENSE;
	return g_str_has_prefix(t->name[i], "bb/") ? TC_BB : TC_UNKNOWN;
}

enum reason limit_reason(const struct tres_table *t, enum limit_kind k, bool of_qos, uint32_t i)
{
	const struct limit_info *info = &limit_info[k];
	enum reason base = of_qos ? info->qos_reason : info->assoc_reason;
	if (k >= LK_TRES_KINDS)
		return base;
	enum tres_class class = class_of(t, i);
	if (info->per_node && (class == TC_NODE || class == TC_LICENSE))
		class = TC_UNKNOWN;
	return (enum reason)(base + (unsigned)class);
}

uint32_t limit_value(const struct limits *l, enum limit_kind k)
{
	return *(const uint32_t *)(const void *)((const char *)l + limit_info[k].offset);
}

bool limit_tres_given(const struct limits *l, enum limit_kind k)
{
	return *(uint64_t *const *)(const void *)((const char *)l + limit_info[k].offset) != NULL;
}

bool limit_tres_given_inherited(const struct assoc *a, enum limit_kind k)
{
	while (a && !limit_tres_given(&a->limits, k))
		a = a->parent;
	return a != NULL;
}

uint64_t limit_tres(const struct limits *l, enum limit_kind k, uint32_t i)
{
	const uint64_t *v = *(uint64_t *const *)(const void *)((const char *)l + limit_info[k].offset);
	return v ? v[i] : NO_VAL64;
}

uint32_t limit_inherited(const struct assoc *a, enum limit_kind k)
{
	for (; a; a = a->parent)
		if (limit_value(&a->limits, k) != NO_VAL)
			return limit_value(&a->limits, k);
	return NO_VAL;
}

uint64_t limit_tres_inherited(const struct assoc *a, enum limit_kind k, uint32_t i)
{
	for (; a; a = a->parent)
		if (limit_tres(&a->limits, k, i) != NO_VAL64)
			return limit_tres(&a->limits, k, i);
	return NO_VAL64;
}

struct qos_pair qos_pair(const struct job *j, const struct partition *p)
{
	struct qos *part = p ? p->qos : NULL, *own = j->qos;
	if (!part || part == own)
		return (struct qos_pair){{own, NULL}};
	if (!own)
		return (struct qos_pair){{part, NULL}};
	if (own->flags & QOS_OVER_PART_QOS)
		return (struct qos_pair){{own, part}};
	return (struct qos_pair){{part, own}};
}

static uint64_t times(double factor, uint64_t value)
{
	long double v = (long double)value * (long double)factor;
	return v >= 18446744073709551615.0L ? INFINITE64 : (uint64_t)v;
}

uint64_t limit_factored(const struct qos_pair *q, uint64_t value)
{
	if (!limit_set64(value))
		return value;
	for (int k = 0; k < 2; k++)
		if (q->q[k] && q->q[k]->limit_factor >= 0)
			return times(q->q[k]->limit_factor, value);
	return value;
}
