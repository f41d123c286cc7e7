/* story_rule.c - the rule of spec/ (reasons.md, limits.md) behind a reason. */
#include "tools/story.h"
#include <string.h>

static const struct {
	enum reason reason;
	const char *rule;
} RULES[] = {
    {REASON_NONE, "R11"},
    {REASON_PRIORITY, "R14.5"},
    {REASON_RESOURCES, "R15"},
    {REASON_DEPENDENCY, "R12b"},
    {REASON_DEPENDENCY_NEVER, "R12b"},
    {REASON_BEGIN_TIME, "R12e"},
    {REASON_LICENSES, "R15"},
    {REASON_RESERVATION, "R12f"},
    {REASON_RESERVATION_DELETED, "R12a"},
    {REASON_RESERVATION_INVALID, "R12a"},
    {REASON_HELD_USER, "R22"},
    {REASON_HELD_ADMIN, "R22"},
    {REASON_HOLD_MAX_REQUEUE, "R12a"},
    {REASON_ARRAY_TASK_LIMIT, "R12d"},
    {REASON_BAD_CONSTRAINTS, "R16"},
    {REASON_CONSTRAINTS, "R15"},
    {REASON_REQ_NODE_NOT_AVAIL, "R15"},
    {REASON_PARTITION_NODE_LIMIT, "R13"},
    {REASON_PARTITION_TIME_LIMIT, "R13"},
    {REASON_PARTITION_DOWN, "R13"},
    {REASON_PARTITION_INACTIVE, "R13"},
    {REASON_PARTITION_CONFIG, "R10"},
    {REASON_MAX_MEM_PER_LIMIT, "R13"},
    {REASON_QOS_NOT_ALLOWED, "R15"},
    {REASON_ACCOUNT_NOT_ALLOWED, "R15"},
    {REASON_INVALID_ACCOUNT, "R11.1"},
    {REASON_INVALID_QOS, "R14.6"},
    {REASON_QOS_USAGE_THRESHOLD, "R13"},
    {REASON_CLEANING, "R11.4"},
    {REASON_DEADLINE, "R14.7"},
};

/* L30 tests what needs no nodes, L31 caps their number, L32 tests TRES against a selection. */
static const char *limit_rule(enum reason r)
{
	const char *name = reason_name(r);

	if (strstr(name, "Jobs") || strstr(name, "Wall") || strstr(name, "UsageThreshold"))
		return "L30";
	return strstr(name, "Node") && !strstr(name, "PerNode") && !strstr(name, "Minutes") ? "L31" : "L32";
}

const char *story_rule(enum reason r, const char *detail, bool first)
{
	if (first && (r == REASON_NONE || r == REASON_PRIORITY))
		return "R10";
	if (r == REASON_RESOURCES && detail && g_str_has_prefix(detail, "Nodes required for job are DOWN"))
		return "R14.10";
	if (reason_is_limit(SLURM_26, r))
		return limit_rule(r);
	for (size_t i = 0; i < G_N_ELEMENTS(RULES); i++)
		if (RULES[i].reason == r)
			return RULES[i].rule;
	return "R15";
}

const char *clears_name(enum clears c)
{
	static const char *const names[] = {"time", "job", "admin", "pass", "never"};

	return names[c];
}
