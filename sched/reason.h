/*
 * reason.h - job states, state flags and pending reasons with Slurm's names.
 *
 * Names and groups: spec reasons.md (R30, R31, R50, R51). A job has one reason and an optional text that is printed in
 * its place (R40). The list is X(enumerator, Slurm's name, group) so that enum, names and groups cannot drift apart.
 */
#ifndef SCHED_REASON_H
#define SCHED_REASON_H
#include <stdbool.h>

enum reason_group { /* R31; a reason may be in several: bits */
	RG_NONE = 0,
	RG_LIMIT = 1,     /* an association or QOS limit */
	RG_PARTITION = 2, /* partition limits and states */
	RG_MISC = 4,      /* ReqNodeNotAvail, InvalidAccount, InvalidQOS, MaxPoweredUpNodes */
	RG_STICKY = 8,    /* R12a: not eligible, unchanged by the independence test */
	RG_HELD_OK = 16,  /* R11.6: kept on a job of priority 0 */
};

#define REASON_LIST(X) \
	X(REASON_NONE, "None", 0) \
	X(REASON_PRIORITY, "Priority", 0) \
	X(REASON_RESOURCES, "Resources", 0) \
	X(REASON_DEPENDENCY, "Dependency", 0) \
	X(REASON_DEPENDENCY_NEVER, "DependencyNeverSatisfied", RG_STICKY) \
	X(REASON_BEGIN_TIME, "BeginTime", 0) \
	X(REASON_LICENSES, "Licenses", 0) \
	X(REASON_RESERVATION, "Reservation", 0) \
	X(REASON_RESERVATION_DELETED, "ReservationDeleted", RG_STICKY | RG_HELD_OK) \
	X(REASON_RESERVATION_INVALID, "ReservationInvalid", RG_STICKY | RG_HELD_OK) \
	X(REASON_HELD_USER, "JobHeldUser", RG_STICKY | RG_HELD_OK) \
	X(REASON_HELD_ADMIN, "JobHeldAdmin", RG_STICKY | RG_HELD_OK) \
	X(REASON_HOLD_MAX_REQUEUE, "JobHoldMaxRequeue", RG_STICKY | RG_HELD_OK) \
	X(REASON_ARRAY_TASK_LIMIT, "JobArrayTaskLimit", 0) \
	X(REASON_BAD_CONSTRAINTS, "BadConstraints", RG_HELD_OK) \
	X(REASON_CONSTRAINTS, "Constraints", 0) \
	X(REASON_REQ_NODE_NOT_AVAIL, "ReqNodeNotAvail", RG_MISC) \
	X(REASON_PARTITION_NODE_LIMIT, "PartitionNodeLimit", RG_PARTITION) \
	X(REASON_PARTITION_TIME_LIMIT, "PartitionTimeLimit", RG_PARTITION) \
	X(REASON_PARTITION_DOWN, "PartitionDown", RG_PARTITION) \
	X(REASON_PARTITION_INACTIVE, "PartitionInactive", RG_PARTITION) \
	X(REASON_PARTITION_CONFIG, "PartitionConfig", 0) \
	X(REASON_MAX_MEM_PER_LIMIT, "MaxMemPerLimit", 0) \
	X(REASON_QOS_NOT_ALLOWED, "QOSNotAllowed", 0) \
	X(REASON_ACCOUNT_NOT_ALLOWED, "AccountNotAllowed", 0) \
	X(REASON_INVALID_ACCOUNT, "InvalidAccount", RG_STICKY | RG_MISC) \
	X(REASON_INVALID_QOS, "InvalidQOS", RG_STICKY | RG_MISC) \
	X(REASON_QOS_USAGE_THRESHOLD, "QOSUsageThreshold", RG_LIMIT | RG_PARTITION) \
	X(REASON_CLEANING, "Cleaning", 0) \
	X(REASON_DEADLINE, "DeadLine", 0) \
	X(REASON_TIME_LIMIT, "TimeLimit", 0) \
	X(REASON_INACTIVE_LIMIT, "InactiveLimit", 0) \
	X(REASON_NODE_DOWN, "NodeDown", 0) \
	X(REASON_NON_ZERO_EXIT, "NonZeroExitCode", 0) \
	X(REASON_RAISED_SIGNAL, "RaisedSignal", 0) \
	X(REASON_OUT_OF_MEMORY, "OutOfMemory", 0) \
	X(REASON_JOB_LAUNCH_FAILURE, "JobLaunchFailure", 0) \
	X(REASON_QOS_GRP_JOBS, "QOSGrpJobsLimit", RG_LIMIT) \
	X(REASON_QOS_GRP_CPU, "QOSGrpCpuLimit", RG_LIMIT) \
	X(REASON_QOS_GRP_MEM, "QOSGrpMemLimit", RG_LIMIT) \
	X(REASON_QOS_GRP_NODE, "QOSGrpNodeLimit", RG_LIMIT) \
	X(REASON_QOS_GRP_GRES, "QOSGrpGRES", RG_LIMIT) \
	X(REASON_QOS_MAX_JOBS_PU, "QOSMaxJobsPerUserLimit", RG_LIMIT) \
	X(REASON_QOS_MAX_JOBS_PA, "MaxJobsPerAccount", RG_LIMIT) \
	X(REASON_QOS_MAX_CPU_PU, "QOSMaxCpuPerUserLimit", RG_LIMIT) \
	X(REASON_QOS_MAX_MEM_PU, "QOSMaxMemoryPerUser", RG_LIMIT) \
	X(REASON_QOS_MAX_NODE_PU, "QOSMaxNodePerUserLimit", RG_LIMIT) \
	X(REASON_QOS_MAX_GRES_PU, "QOSMaxGRESPerUser", RG_LIMIT) \
	X(REASON_QOS_MAX_CPU_PA, "MaxCpuPerAccount", RG_LIMIT) \
	X(REASON_QOS_MAX_MEM_PA, "MaxMemoryPerAccount", RG_LIMIT) \
	X(REASON_QOS_MAX_NODE_PA, "MaxNodePerAccount", RG_LIMIT) \
	X(REASON_QOS_MAX_GRES_PA, "MaxGRESPerAccount", RG_LIMIT) \
	X(REASON_QOS_MAX_CPU_PJ, "QOSMaxCpuPerJobLimit", RG_LIMIT) \
	X(REASON_QOS_MAX_MEM_PJ, "QOSMaxMemoryPerJob", RG_LIMIT) \
	X(REASON_QOS_MAX_NODE_PJ, "QOSMaxNodePerJobLimit", RG_LIMIT) \
	X(REASON_QOS_MAX_GRES_PJ, "QOSMaxGRESPerJob", RG_LIMIT) \
	X(REASON_QOS_MIN_CPU, "QOSMinCpuNotSatisfied", RG_LIMIT) \
	X(REASON_QOS_MIN_MEM, "QOSMinMemory", RG_LIMIT) \
	X(REASON_QOS_MIN_NODE, "QOSMinNode", RG_LIMIT) \
	X(REASON_QOS_MIN_GRES, "QOSMinGRES", RG_LIMIT) \
	X(REASON_QOS_MAX_WALL_PJ, "QOSMaxWallDurationPerJobLimit", RG_LIMIT) \
	X(REASON_ASSOC_GRP_JOBS, "AssocGrpJobsLimit", RG_LIMIT) \
	X(REASON_ASSOC_GRP_CPU, "AssocGrpCpuLimit", RG_LIMIT) \
	X(REASON_ASSOC_GRP_MEM, "AssocGrpMemLimit", RG_LIMIT) \
	X(REASON_ASSOC_GRP_NODE, "AssocGrpNodeLimit", RG_LIMIT) \
	X(REASON_ASSOC_GRP_GRES, "AssocGrpGRES", RG_LIMIT) \
	X(REASON_ASSOC_MAX_JOBS, "AssocMaxJobsLimit", RG_LIMIT) \
	X(REASON_ASSOC_MAX_CPU_PJ, "AssocMaxCpuPerJobLimit", RG_LIMIT) \
	X(REASON_ASSOC_MAX_MEM_PJ, "AssocMaxMemPerJob", RG_LIMIT) \
	X(REASON_ASSOC_MAX_NODE_PJ, "AssocMaxNodePerJobLimit", RG_LIMIT) \
	X(REASON_ASSOC_MAX_GRES_PJ, "AssocMaxGRESPerJob", RG_LIMIT) \
	X(REASON_ASSOC_MAX_WALL_PJ, "AssocMaxWallDurationPerJobLimit", RG_LIMIT)

#define X(id, name, group) id,
enum reason { REASON_LIST(X) REASON_COUNT };
#undef X

/* Slurm's exact name. */
const char *reason_name(enum reason r);
/* True when r belongs to any group of the bit set. */
bool reason_in(enum reason r, unsigned groups);

/* C1, R50: base states; "finished" = greater than JOB_SUSPENDED. */
enum job_state {
	JOB_PENDING, JOB_RUNNING, JOB_SUSPENDED, JOB_COMPLETED, JOB_CANCELLED, JOB_FAILED, JOB_TIMEOUT, JOB_NODE_FAIL, JOB_PREEMPTED,
	JOB_BOOT_FAIL, JOB_DEADLINE, JOB_OOM
};
enum { /* flags */
	JOB_COMPLETING = 1, JOB_REQUEUED = 2
};
const char *job_state_name(enum job_state s);                    /* "PENDING" */
const char *job_state_compact(enum job_state s, unsigned flags); /* "PD"; "CG" when completing (R51) */
#endif
