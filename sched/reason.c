/* reason.c - see reason.h */
#include "sched/reason.h"
#include <glib.h>

#define X(id, name, group) name,
static const char *const names[] = {REASON_LIST(X)};
#undef X
#define X(id, name, group) group,
static const unsigned groups_of[] = {REASON_LIST(X)};
#undef X
static const char *const state_names[] = {"PENDING", "RUNNING",   "SUSPENDED", "COMPLETED", "CANCELLED", "FAILED",
					  "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE",	 "OUT_OF_MEMORY"};
static const char *const state_compact[] = {"PD", "R", "S", "CD", "CA", "F", "TO", "NF", "PR", "BF", "DL", "OOM"};

const char *reason_name(enum reason r)
{
	g_assert((unsigned)r < REASON_COUNT);
	return names[r];
}

enum reason reason_find(const char *name)
{
	for (unsigned r = 0; r < REASON_COUNT; r++)
		if (g_ascii_strcasecmp(name, names[r]) == 0)
			return (enum reason)r;
	return REASON_COUNT;
}

bool reason_is_limit(enum slurm_version version, enum reason r)
{
	return reason_in(r, version == SLURM_22_05 ? RG_OLD : RG_LIMIT);
}

bool reason_known(enum slurm_version version, enum reason r)
{
	return !reason_in(r, version == SLURM_22_05 ? RG_NOT_22 : RG_ONLY_22);
}

bool reason_in(enum reason r, unsigned groups)
{
	g_assert((unsigned)r < REASON_COUNT);
	return (groups_of[r] & groups) != 0;
}

const char *job_state_name(enum job_state s)
{
	g_assert((unsigned)s < G_N_ELEMENTS(state_names));
	return state_names[s];
}

const char *job_state_compact(enum job_state s, unsigned flags)
{
	g_assert((unsigned)s < G_N_ELEMENTS(state_compact));
	return flags & JOB_COMPLETING ? "CG" : flags & JOB_CONFIGURING ? "CF" : flags & JOB_EXPEDITING ? "EXPEDITING" : flags & JOB_SPECIAL_EXIT ? "SE" : flags & JOB_RESV_DEL_HOLD ? "RD" : state_compact[s];
}
