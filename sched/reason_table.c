/* reason_table.c - see reason_table.h */
#include "sched/limits.h"
#include "sched/reason_table.h"

struct row {
	const char *kind, *meaning, *cleared, *user, *coordinator, *admin, *time;
};

#define P "pending"
#define H "held"
#define R "running"
#define T "ended"
#define N "never set"

static const struct row rows[REASON_COUNT] = {
    [REASON_NONE] = {P, "Not looked at yet, just released, or it runs or has ended normally.",
                     "the next look of the scheduler", NULL, NULL, NULL, "yes: the next pass"},
    [REASON_PRIORITY] = {P, "A job of higher priority waits for the same nodes, so this one is not tried.",
                         "its turn: the jobs ahead start or go",
                         "ask for less time or fewer resources so that it fits into a gap", NULL,
                         "raise its priority (scontrol update, nice, QOS)", "no"},
    [REASON_RESOURCES] = {P, "It is its turn, but what it needs is not free together.",
                          "its start; Priority when another job passes it",
                          "ask for fewer nodes, cores, GPUs, less memory, or another partition", NULL,
                          "bring nodes back into service", "no"},
    [REASON_DEPENDENCY] = {P, "It waits for another job (--dependency).", "the dependency is met: None",
                           "change or remove the dependency (scontrol update)", NULL, "the same",
                           "no, except after:ID+MINUTES and a singleton's like"},
    [REASON_DEPENDENCY_NEVER] = {P, "The job it depends on has ended in a way that can never meet the dependency.",
                                 "an update of the dependency; an alternative of an OR list coming true",
                                 "cancel it, or change the dependency", NULL, "the same", "no"},
    [REASON_BEGIN_TIME] = {P, "Its begin time has not come (--begin, or the delay after a requeue).",
                           "the begin time comes", "change the begin time (scontrol update StartTime)", NULL,
                           "the same", "yes: at the begin time"},
    [REASON_LICENSES] = {P, "Not enough licences are free.", "licences are given back", "ask for fewer licences", NULL,
                         "define more licences", "no"},
    [REASON_RESERVATION] = {P, "Its reservation has not begun, has ended, or is full.",
                            "the reservation becomes usable", "use another reservation or none", NULL,
                            "change the reservation", "yes: when the reservation begins"},
    [REASON_RESERVATION_DELETED] = {H, "Its reservation was removed, so it is held.", "release",
                                    "release it (scontrol release)", "release it", "release it", "no"},
    [REASON_RESERVATION_INVALID] = {H, "Its reservation cannot be used since the last reconfiguration, so it is held.",
                                    "an admin", NULL, NULL, "repair the reservation, or release the job", "no"},
    [REASON_HELD_USER] = {H, "Held by its owner or a coordinator, or requeued into a hold.", "release",
                          "release it (scontrol release)", "release it", "release it", "no"},
    [REASON_HELD_ADMIN] = {H, "Held by an operator.", "release by an operator", NULL, NULL,
                           "release it (scontrol release)", "no"},
    [REASON_HOLD_MAX_REQUEUE] = {H, "Its launch failed too often (max_batch_requeue), so it is held.", "release", NULL,
                                 NULL, "find out why it does not launch, then release it", "no"},
    [REASON_ARRAY_TASK_LIMIT] = {P, "As many tasks of its array run as its own limit (%N) allows.", "a task ends",
                                 "raise the limit (scontrol update ArrayTaskThrottle)", NULL, "the same", "no"},
    [REASON_BAD_CONSTRAINTS] = {H, "No node can ever give what it asks for, so it is held.",
                                "an update or release of the job", "ask for something that exists, then release it",
                                NULL, "the same", "no"},
    [REASON_CONSTRAINTS] = {P, "Its extra constraints fit no node now.", "a node's update", "relax the constraints",
                            NULL, "update nodes", "no"},
    [REASON_REQ_NODE_NOT_AVAIL] = {P, "Nodes it needs are down, drained, reserved, or kept for a job ahead.",
                                   "the nodes come back or the reservation ends",
                                   "ask for other nodes, or for less time to end before a maintenance", NULL,
                                   "bring the nodes back, change the reservation", "only when a maintenance ends"},
    [REASON_PARTITION_NODE_LIMIT] = {P, "Its node count is outside of what the partition allows.",
                                     "the job or the partition changes",
                                     "change the number of nodes, or use another partition", NULL,
                                     "change MinNodes or MaxNodes", "no"},
    [REASON_PARTITION_TIME_LIMIT] = {P, "Its time limit is above the partition's MaxTime.",
                                     "the job or the partition changes",
                                     "lower the time limit, or use another partition", NULL,
                                     "raise MaxTime, or the QOS flag PartitionTimeLimit", "no"},
    [REASON_PARTITION_DOWN] = {P, "The partition is DOWN: it takes jobs and starts none.", "the partition goes UP",
                               "use another partition", NULL, "scontrol update PartitionName=... State=UP", "no"},
    [REASON_PARTITION_INACTIVE] = {P, "The partition is INACTIVE.", "the partition goes UP", "use another partition",
                                   NULL, "scontrol update PartitionName=... State=UP", "no"},
    [REASON_PARTITION_CONFIG] =
        {P, "The partition does not take such a job: CPU count, group, account, QOS or required nodes.",
         "another reason takes its place", "change the request, or use another partition", NULL, "change the partition",
         "no"},
    [REASON_MAX_MEM_PER_LIMIT] = {P, "Its memory is above MaxMemPerCPU or MaxMemPerNode.",
                                  "another reason takes its place",
                                  "ask for less memory, or for more CPUs to spread it over", NULL, "raise the limit",
                                  "no"},
    [REASON_QOS_NOT_ALLOWED] = {P, "The partition does not allow its QOS.", "a change of job or partition",
                                "use another QOS or partition", NULL, "change AllowQos or DenyQos", "no"},
    [REASON_ACCOUNT_NOT_ALLOWED] = {P, "The partition does not allow its account (in 26 also: its group).",
                                    "a change of job or partition", "use another account or partition", NULL,
                                    "change AllowAccounts, DenyAccounts or AllowGroups", "no"},
    [REASON_INVALID_ACCOUNT] = {P, "Its association is gone or disabled.", "the association comes back",
                                "use another account", NULL, "add the association", "no"},
    [REASON_INVALID_QOS] = {P, "Its QOS is gone or not allowed to its association.", "the QOS comes back",
                            "use another QOS", NULL, "add the QOS to the association", "no"},
    [REASON_QOS_USAGE_THRESHOLD] = {P, "Its fair-share is below the UsageThreshold of its QOS.", "past use decays",
                                    "use another QOS", NULL, "lower UsageThreshold", "yes: as past use decays"},
    [REASON_CLEANING] = {P, "Its run before is not cleaned up yet.", "the clean-up is done", NULL, NULL,
                         "look at the nodes of that run", "no"},
    [REASON_PROLOG] = {R, "It has started and waits for its prolog.", "the prolog is done: None", NULL, NULL,
                       "look at the prolog", "yes: the prolog's time"},
    [REASON_BURST_BUFFER_RESOURCES] = {P, "The burst buffer is full.", "room in the burst buffer", "ask for less of it",
                                       NULL, NULL, "no"},
    [REASON_BURST_BUFFER_STAGE_IN] = {P, "Data is on its way into the burst buffer.", "the data is there", NULL, NULL,
                                      NULL, "yes: the transfer's time"},
    [REASON_BURST_BUFFER_OPERATION] = {H, "The burst buffer failed for it, so it is held.", "an admin", NULL, NULL,
                                       "repair the burst buffer, release the job", "no"},
    [REASON_MAX_POWERED_UP_NODES] = {P, "As many nodes are powered up as are allowed.", "a node powers down", NULL,
                                     NULL, "raise max_powered_nodes in SlurmctldParameters", "no"},
    [REASON_MPI_PORTS_BUSY] = {P, "No MPI ports are free.", "a job gives ports back", NULL, NULL, "define more ports",
                               "no"},
    [REASON_NVIDIA_IMEX_CHANNELS] = {P, "No IMEX channel is free.", "a job gives one back", NULL, NULL, NULL, "no"},
    [REASON_FED_JOB_LOCK] = {P, "Another cluster of the federation looks at it.", "the lock is given back", NULL, NULL,
                             NULL, "yes: the next pass"},
    [REASON_SCHED_DEFER] = {T, "An immediate job was refused because scheduling is deferred.", NULL,
                            "submit a batch job", NULL, NULL, "no"},
    [REASON_DEADLINE] = {T, "It could no longer end before its deadline.", NULL, "submit it with a later deadline",
                         NULL, NULL, "no"},
    [REASON_TIME_LIMIT] = {T, "It ran into its time limit, the end of its reservation, or a limit on use.", NULL,
                           "ask for more time, or save the work more often", NULL, NULL, "no"},
    [REASON_INACTIVE_LIMIT] = {T, "The command that started it did not answer (InactiveLimit).", NULL, NULL, NULL, NULL,
                               "no"},
    [REASON_NODE_DOWN] = {T, "A node of it failed, and it was not requeued.", NULL, "submit it again, with --requeue",
                          NULL, NULL, "no"},
    [REASON_NON_ZERO_EXIT] = {T, "It ended with an exit code other than 0.", NULL, "look at its output", NULL, NULL,
                              "no"},
    [REASON_RAISED_SIGNAL] = {T, "A signal ended it.", NULL, "look at its output", NULL, NULL, "no"},
    [REASON_OUT_OF_MEMORY] = {T, "It used more memory than it had asked for.", NULL, "ask for more memory", NULL, NULL,
                              "no"},
    [REASON_JOB_LAUNCH_FAILURE] = {T, "It could not be launched.", NULL, NULL, NULL, "look at the node", "no"},
    [REASON_SYSTEM_FAILURE] = {T, "The controller failed inside.", NULL, NULL, NULL, "look at the controller's log",
                               "no"},
    [REASON_FRONT_END_DOWN] = {P, "No front end is up.", "a front end comes back", NULL, NULL, "bring one back", "no"},
    [REASON_POWER_NOT_AVAIL] = {P, "Not enough electric power is there.", "power", NULL, NULL, NULL, "no"},
    [REASON_POWER_RESERVED] = {P, "Electric power is reserved.", "the reservation ends", NULL, NULL, NULL,
                               "yes: the reservation's end"},
    [REASON_BLOCK_MAX_ERROR] = {N, "Blue Gene blocks only.", NULL, NULL, NULL, NULL, "no"},
    [REASON_BLOCK_FREE_ACTION] = {N, "Blue Gene blocks only.", NULL, NULL, NULL, NULL, "no"},
    [REASON_ASSOCIATION_JOB_LIMIT] = {N, "Defined, never set.", NULL, NULL, NULL, NULL, "no"},
    [REASON_ASSOCIATION_RESOURCE_LIMIT] = {N, "Defined, never set.", NULL, NULL, NULL, NULL, "no"},
    [REASON_ASSOCIATION_TIME_LIMIT] = {N, "Defined, never set.", NULL, NULL, NULL, NULL, "no"},
    [REASON_QOS_JOB_LIMIT] = {N, "Defined, never set.", NULL, NULL, NULL, NULL, "no"},
    [REASON_QOS_RESOURCE_LIMIT] = {N, "Defined, never set.", NULL, NULL, NULL, NULL, "no"},
    [REASON_QOS_TIME_LIMIT] = {N, "Defined, never set.", NULL, NULL, NULL, NULL, "no"},
    [REASON_ACCOUNTING_POLICY] = {N, "Defined, never set.", NULL, NULL, NULL, NULL, "no"},
};

/* ---- reasons of limits ---- */

/* %1$s: whose; %2$s: what is counted. */
struct kind_row {
	const char *meaning, *cleared, *user, *time;
};
#define SMALLER "ask for less, or use another QOS or account"
#define NO_WAIT "nothing but a change: waiting does not help"

static const struct kind_row kinds[LK_KINDS] = {
    [LK_GRP_TRES] = {"With this one, the running jobs of %1$s would hold more %2$s than they may together.",
                     "one of them ends", SMALLER, "no"},
    [LK_GRP_MINS] = {"The past use of %1$s in minutes of %2$s has reached the limit for all (with \"safe\": it could "
                     "with this job).",
                     "past use decays; with \"safe\" also a job's end before its limit",
                     "ask for less time, or use another QOS or account", "yes: as past use decays"},
    [LK_GRP_RUN_MINS] = {"What the running jobs of %1$s may still use in minutes of %2$s leaves no room for this one.",
                         "running jobs use up or end their limits; counted at the decay tick (PriorityCalcPeriod)",
                         "ask for less time or less, or use another QOS or account", "yes: at every decay tick"},
    [LK_MAX_PJ] = {"It asks for more %2$s than one job of %1$s may have.", NO_WAIT, SMALLER, "no"},
    [LK_MAX_PN] = {"It asks for more %2$s on a node than a job of %1$s may have.", NO_WAIT,
                   "spread it over more nodes, or ask for less", "no"},
    [LK_MAX_MINS_PJ] = {"Its time limit times its %2$s is more than one job of %1$s may use.", NO_WAIT,
                        "ask for less time or less", "no"},
    [LK_MIN_PJ] = {"It asks for less %2$s than a job of %1$s must have.", NO_WAIT, "ask for more, or use another QOS",
                   "no"},
    [LK_MAX_PA] = {"With this one, the account's running jobs of %1$s would hold more %2$s than an account may.",
                   "one of them ends", SMALLER, "no"},
    [LK_MAX_PU] = {"With this one, the user's running jobs of %1$s would hold more %2$s than a user may.",
                   "one of them ends", SMALLER, "no"},
    [LK_RUN_MINS_PA] =
        {"What the account's running jobs of %1$s may still use in minutes of %2$s leaves no room for this one.",
         "as they run on or end; counted at the decay tick", "ask for less time or less", "yes: at every decay tick"},
    [LK_RUN_MINS_PU] =
        {"What the user's running jobs of %1$s may still use in minutes of %2$s leaves no room for this one.",
         "as they run on or end; counted at the decay tick", "ask for less time or less", "yes: at every decay tick"},
    [LK_GRP_JOBS] = {"As many jobs of %1$s run as are allowed for all.", "one of them ends",
                     "use another QOS or account", "no"},
    [LK_GRP_SUBMIT] = {"%1$s has as many jobs waiting and running as are allowed for all: no more are accepted.",
                       "one of them ends", "submit later", "no"},
    [LK_GRP_WALL] =
        {"The past wall time of %1$s has reached the limit for all (with \"safe\": it could with this job).",
         "past use decays", "ask for less time, or use another QOS or account", "yes: as past use decays"},
    [LK_MAX_JOBS] = {"As many of the user's jobs in the account run as are allowed (%1$s).", "one of them ends",
                     "use another account", "no"},
    [LK_MAX_JOBS_PA] = {"As many of the account's jobs of %1$s run as are allowed for an account.", "one of them ends",
                        "use another QOS or account", "no"},
    [LK_MAX_JOBS_PU] = {"As many of the user's jobs of %1$s run as are allowed for a user.", "one of them ends",
                        "use another QOS", "no"},
    [LK_MAX_SUBMIT] = {"The user has as many jobs in the account as are allowed (%1$s): no more are accepted.",
                       "one of them ends", "submit later", "no"},
    [LK_MAX_SUBMIT_PA] = {"The account has as many jobs of %1$s as are allowed: no more are accepted.",
                          "one of them ends", "submit later", "no"},
    [LK_MAX_SUBMIT_PU] = {"The user has as many jobs of %1$s as are allowed: no more are accepted.", "one of them ends",
                          "submit later", "no"},
    [LK_MAX_WALL] = {"Its time limit is above what a job of %1$s may have.", NO_WAIT,
                     "ask for less time, or use another QOS", "no"},
};

/* In the order of REASON_CLASSES and REASON_TRES. */
static const char *const classes[] = {
    "CPUs",         "memory (MiB)", "energy",  "GRES (GPUs and the like)", "burst buffer space", "billing units",
    "another TRES", "nodes",        "licences"};

static bool limit_of(enum reason r, enum limit_kind *k, bool *of_qos, unsigned *class)
{
	for (unsigned i = 0; i < LK_KINDS; i++)
		for (int q = 0; q < 2; q++) {
			enum reason base = q ? limit_info[i].qos_reason : limit_info[i].assoc_reason;
			unsigned n = i >= LK_TRES_KINDS ? 1 : limit_info[i].per_node ? 7 : 9;
			if (base == REASON_NONE || r < base || r >= base + n)
				continue;
			*k = (enum limit_kind)i;
			*of_qos = q;
			*class = r - base;
			return true;
		}
	return false;
}

/* Reasons that no simulated cluster shows, and why. Every other one has a test that makes it come and go
 * (tests/unit/reasons_test.c). */
static const struct {
	enum reason reason;
	const char *why;
} absent_ones[] = {
    {REASON_INVALID_ACCOUNT, "an association with jobs is not deleted, in Slurm either"},
    {REASON_HOLD_MAX_REQUEUE, "launches do not fail here"},
    {REASON_RESERVATION_INVALID, "a reconfiguration here leaves reservations usable"},
    {REASON_CLEANING, "nodes are handed back only when the job is done with"},
    {REASON_INACTIVE_LIMIT, "batch jobs are never inactive"},
    {REASON_SYSTEM_FAILURE, "nothing fails inside the controller here"},
    {REASON_SCHED_DEFER, "of immediate allocations (salloc, srun), not of batch jobs"},
    {REASON_PROLOG, "prologs are not modelled"},
    {REASON_BURST_BUFFER_RESOURCES, "burst buffers are not modelled"},
    {REASON_BURST_BUFFER_STAGE_IN, "burst buffers are not modelled"},
    {REASON_BURST_BUFFER_OPERATION, "burst buffers are not modelled"},
    {REASON_MPI_PORTS_BUSY, "MPI ports are not modelled"},
    {REASON_NVIDIA_IMEX_CHANNELS, "IMEX channels are not modelled"},
    {REASON_FED_JOB_LOCK, "federations are not modelled"},
    {REASON_FRONT_END_DOWN, "front ends are not modelled"},
    {REASON_POWER_NOT_AVAIL, "power capping is not modelled"},
    {REASON_POWER_RESERVED, "power capping is not modelled"},
    {REASON_BLOCK_MAX_ERROR, "BlueGene is gone"},
    {REASON_BLOCK_FREE_ACTION, "BlueGene is gone"},
};

static const char *absent_of(enum reason r)
{
	if (g_strcmp0(rows[r].kind, N) == 0)
		return "Slurm never sets it";
	for (size_t i = 0; i < G_N_ELEMENTS(absent_ones); i++)
		if (absent_ones[i].reason == r)
			return absent_ones[i].why;
	return NULL;
}

enum { ENERGY = 2, BURST_BUFFER = 4, ANOTHER = 6 }; /* of classes */

/* A job has none of such TRES: only a minimum can be violated. Nodes and licences per node count as another TRES. */
static const char *absent_limit(enum limit_kind k, unsigned class)
{
	if (k == LK_MIN_PJ || (k == LK_MAX_PN && class == ANOTHER))
		return NULL;
	return class == ENERGY || class == BURST_BUFFER || class == ANOTHER ? "no job asks for any of it here" : NULL;
}

/* MEANING with its places filled; they come in this order and each at most once. */
static char *filled(const char *meaning, const char *whose, const char *what)
{
	GString *s = g_string_new(meaning);
	g_string_replace(s, "%1$s", whose, 0);
	g_string_replace(s, "%2$s", what, 0);
	if (s->len)
		s->str[0] = g_ascii_toupper(s->str[0]);
	return g_string_free(s, FALSE);
}

static struct reason_note limit_note(enum reason r, enum limit_kind k, bool of_qos, unsigned class)
{
	const struct kind_row *row = &kinds[k];
	bool submit = k == LK_GRP_SUBMIT || k == LK_MAX_SUBMIT || k == LK_MAX_SUBMIT_PA || k == LK_MAX_SUBMIT_PU;
	bool group = k == LK_GRP_TRES || k == LK_GRP_MINS || k == LK_GRP_RUN_MINS || k == LK_GRP_JOBS ||
	             k == LK_GRP_SUBMIT || k == LK_GRP_WALL;
	const char *name = of_qos ? limit_info[k].qos_name : limit_info[k].assoc_name;
	const char *whose = of_qos  ? "the QOS"
	                    : group ? "the association (user, account or one above it)"
	                            : "the user's association";
	return (struct reason_note){
	    .name = reason_name(r),
	    .kind = submit ? "refused at submission" : P,
	    .meaning = filled(row->meaning, whose, classes[class]),
	    .cleared = g_strdup(row->cleared),
	    .user = g_strdup(row->user),
	    .coordinator = of_qos ? NULL : g_strdup_printf("change %s of users of the account (sacctmgr)", name),
	    .admin = g_strdup_printf("sacctmgr modify %s set %s=...", of_qos ? "qos" : "account or user", name),
	    .time = row->time,
	    .absent = k < LK_TRES_KINDS ? absent_limit(k, class) : NULL,
	    .limit = g_strdup(name),
	};
}

struct reason_note reason_note(enum reason r)
{
	enum limit_kind k;
	bool of_qos;
	unsigned class;
	g_assert((unsigned)r < REASON_COUNT);
	if (limit_of(r, &k, &of_qos, &class))
		return limit_note(r, k, of_qos, class);
	const struct row *row = &rows[r];
	return (struct reason_note){.name = reason_name(r),
	                            .kind = row->kind,
	                            .meaning = g_strdup(row->meaning),
	                            .cleared = g_strdup(row->cleared),
	                            .user = g_strdup(row->user),
	                            .coordinator = g_strdup(row->coordinator),
	                            .admin = g_strdup(row->admin),
	                            .time = row->time,
	                            .absent = absent_of(r)};
}

const char *reason_absent(enum slurm_version version, enum reason r)
{
	if (!reason_known(version, r))
		return "this version does not have it";
	if (r == REASON_JOB_LAUNCH_FAILURE && version != SLURM_22_05) /* there: the reason of jobs that a signal ended (R80) */
		return "launches do not fail here";
	struct reason_note n = reason_note(r);
	const char *absent = n.absent;
	reason_note_clear(&n);
	return absent;
}

void reason_note_clear(struct reason_note *n)
{
	g_free(n->meaning);
	g_free(n->cleared);
	g_free(n->user);
	g_free(n->coordinator);
	g_free(n->admin);
	g_free(n->limit);
}

bool reason_note_wait_only(const struct reason_note *n)
{
	return !n->user && !n->coordinator && !n->admin;
}
