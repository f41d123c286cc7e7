/*
 * reason.h - job states, state flags and reasons with Slurm's names.
 *
 * Names and groups: spec reasons.md (R30, R31, R50, R51). A job has one reason and an optional text that is printed in
 * its place (R40). The list is X(enumerator, Slurm's name, groups) so that enum, names and groups cannot drift apart.
 * What a reason means, and who can do what about it: reason_table.h.
 */
#ifndef SCHED_REASON_H
#define SCHED_REASON_H
#include "sched/params.h"

enum reason_group { /* R31; a reason may be in several: bits */
	RG_NONE = 0,
	RG_LIMIT = 1,     /* an association or QOS limit; ask reason_is_limit, which knows the versions */
	RG_PARTITION = 2, /* partition limits and states */
	RG_MISC = 4,      /* ReqNodeNotAvail, InvalidAccount, InvalidQOS, MaxPoweredUpNodes */
	RG_STICKY = 8,    /* R12a: not eligible, unchanged by the independence test */
	RG_HELD_OK = 16,  /* R11.6: kept on a job of priority 0 */
	RG_OLD = 32,      /* 22.05 knows it as a limit reason too (R80) */
	RG_NOT_22 = 64,   /* 22.05 has no such reason */
	RG_ONLY_22 = 128, /* only 22.05 has it */
};

/* A TRES limit has a reason for each class of TRES, in the order of enum tres_class. */
#define REASON_CLASSES(X, P, S, c, m, cpu, mem, pre, bb, post, g) \
	X(P##CPU##S, cpu, RG_LIMIT | c | g) \
	X(P##MEM##S, mem, RG_LIMIT | m | g) \
	X(P##ENERGY##S, pre "Energy" post, RG_LIMIT | g) \
	X(P##GRES##S, pre "GRES" post, RG_LIMIT | g) \
	X(P##BB##S, bb, RG_LIMIT | g) \
	X(P##BILLING##S, pre "Billing" post, RG_LIMIT | g) \
	X(P##UNKNOWN##S, pre "Unknown" post, RG_LIMIT | g)
#define REASON_TRES(X, P, S, c, m, n, cpu, mem, node, pre, post, g) \
	REASON_CLASSES(X, P, S, c, m, cpu, mem, pre, pre "BB" post, post, g) \
	X(P##NODE##S, node, RG_LIMIT | n | g) \
	X(P##LICENSE##S, pre "License" post, RG_LIMIT | g)

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
	X(REASON_RESERVATION_INVALID, "ReservationInvalid", RG_STICKY | RG_HELD_OK | RG_NOT_22) \
	X(REASON_HELD_USER, "JobHeldUser", RG_STICKY | RG_HELD_OK) \
	X(REASON_HELD_ADMIN, "JobHeldAdmin", RG_STICKY | RG_HELD_OK) \
	X(REASON_HOLD_MAX_REQUEUE, "JobHoldMaxRequeue", RG_STICKY | RG_HELD_OK) \
	X(REASON_ARRAY_TASK_LIMIT, "JobArrayTaskLimit", 0) \
	X(REASON_BAD_CONSTRAINTS, "BadConstraints", RG_HELD_OK) \
	X(REASON_CONSTRAINTS, "Constraints", RG_NOT_22) \
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
	X(REASON_RAISED_SIGNAL, "RaisedSignal", RG_NOT_22) \
	X(REASON_OUT_OF_MEMORY, "OutOfMemory", 0) \
	X(REASON_JOB_LAUNCH_FAILURE, "JobLaunchFailure", 0) \
	X(REASON_SYSTEM_FAILURE, "SystemFailure", 0) \
	X(REASON_SCHED_DEFER, "SchedDefer", 0) \
	X(REASON_PROLOG, "Prolog", 0) \
	X(REASON_BURST_BUFFER_RESOURCES, "BurstBufferResources", 0) \
	X(REASON_BURST_BUFFER_STAGE_IN, "BurstBufferStageIn", 0) \
	X(REASON_BURST_BUFFER_OPERATION, "BurstBufferOperation", RG_STICKY | RG_HELD_OK) \
	X(REASON_MAX_POWERED_UP_NODES, "MaxPoweredUpNodes", RG_MISC | RG_NOT_22) \
	X(REASON_MPI_PORTS_BUSY, "MpiPortsBusy", RG_NOT_22) \
	X(REASON_NVIDIA_IMEX_CHANNELS, "NvidiaImexChannels", RG_NOT_22) \
	X(REASON_FED_JOB_LOCK, "FedJobLock", 0) \
	X(REASON_FRONT_END_DOWN, "FrontEndDown", RG_ONLY_22) \
	X(REASON_POWER_NOT_AVAIL, "PowerNotAvail", RG_ONLY_22) \
	X(REASON_POWER_RESERVED, "PowerReserved", RG_ONLY_22) \
	X(REASON_BLOCK_MAX_ERROR, "BlockMaxError", RG_ONLY_22) \
	X(REASON_BLOCK_FREE_ACTION, "BlockFreeAction", RG_ONLY_22) \
	X(REASON_ASSOCIATION_JOB_LIMIT, "AssociationJobLimit", RG_LIMIT | RG_OLD) \
	X(REASON_ASSOCIATION_RESOURCE_LIMIT, "AssociationResourceLimit", RG_LIMIT | RG_OLD) \
	X(REASON_ASSOCIATION_TIME_LIMIT, "AssociationTimeLimit", RG_LIMIT | RG_OLD) \
	X(REASON_QOS_JOB_LIMIT, "QOSJobLimit", RG_LIMIT | RG_OLD) \
	X(REASON_QOS_RESOURCE_LIMIT, "QOSResourceLimit", RG_LIMIT) \
	X(REASON_QOS_TIME_LIMIT, "QOSTimeLimit", RG_LIMIT | RG_OLD) \
	X(REASON_ACCOUNTING_POLICY, "AccountingPolicy", 0) \
	X(REASON_QOS_GRP_JOBS, "QOSGrpJobsLimit", RG_LIMIT | RG_OLD) \
	X(REASON_QOS_GRP_SUBMIT, "QOSGrpSubmitJobsLimit", RG_LIMIT | RG_OLD) \
	X(REASON_QOS_GRP_WALL, "QOSGrpWallLimit", RG_LIMIT | RG_OLD) \
	X(REASON_QOS_MAX_JOBS_PU, "QOSMaxJobsPerUserLimit", RG_LIMIT | RG_OLD) \
	X(REASON_QOS_MAX_JOBS_PA, "MaxJobsPerAccount", RG_LIMIT) \
	X(REASON_QOS_MAX_SUBMIT_PU, "QOSMaxSubmitJobPerUserLimit", RG_LIMIT | RG_OLD) \
	X(REASON_QOS_MAX_SUBMIT_PA, "MaxSubmitJobsPerAccount", RG_LIMIT) \
	X(REASON_QOS_MAX_WALL_PJ, "QOSMaxWallDurationPerJobLimit", RG_LIMIT | RG_OLD) \
	X(REASON_ASSOC_GRP_JOBS, "AssocGrpJobsLimit", RG_LIMIT | RG_OLD) \
	X(REASON_ASSOC_GRP_SUBMIT, "AssocGrpSubmitJobsLimit", RG_LIMIT | RG_OLD) \
	X(REASON_ASSOC_GRP_WALL, "AssocGrpWallLimit", RG_LIMIT | RG_OLD) \
	X(REASON_ASSOC_MAX_JOBS, "AssocMaxJobsLimit", RG_LIMIT | RG_OLD) \
	X(REASON_ASSOC_MAX_SUBMIT, "AssocMaxSubmitJobLimit", RG_LIMIT | RG_OLD) \
	X(REASON_ASSOC_MAX_WALL_PJ, "AssocMaxWallDurationPerJobLimit", RG_LIMIT | RG_OLD) \
	REASON_TRES(X, REASON_ASSOC_GRP_, , RG_OLD, RG_OLD, RG_OLD, "AssocGrpCpuLimit", "AssocGrpMemLimit", \
		"AssocGrpNodeLimit", "AssocGrp", "", 0) \
	REASON_TRES(X, REASON_ASSOC_GRP_, _MINS, RG_OLD, 0, 0, "AssocGrpCPUMinutesLimit", "AssocGrpMemMinutes", \
		"AssocGrpNodeMinutes", "AssocGrp", "Minutes", 0) \
	REASON_TRES(X, REASON_ASSOC_GRP_, _RUN_MINS, RG_OLD, 0, 0, "AssocGrpCPURunMinutesLimit", \
		"AssocGrpMemRunMinutes", "AssocGrpNodeRunMinutes", "AssocGrp", "RunMinutes", 0) \
	REASON_TRES(X, REASON_ASSOC_MAX_, _PJ, RG_OLD, 0, RG_OLD, "AssocMaxCpuPerJobLimit", "AssocMaxMemPerJob", \
		"AssocMaxNodePerJobLimit", "AssocMax", "PerJob", 0) \
	REASON_CLASSES(X, REASON_ASSOC_MAX_, _PN, 0, 0, "AssocMaxCpuPerNode", "AssocMaxMemPerNode", "AssocMax", \
		"AssocMaxBBPerNode", "PerNode", 0) \
	REASON_TRES(X, REASON_ASSOC_MAX_, _MINS_PJ, RG_OLD, 0, 0, "AssocMaxCpuMinutesPerJobLimit", \
		"AssocMaxMemMinutesPerJob", "AssocMaxNodeMinutesPerJob", "AssocMax", "MinutesPerJob", 0) \
	REASON_TRES(X, REASON_QOS_GRP_, , RG_OLD, RG_OLD, RG_OLD, "QOSGrpCpuLimit", "QOSGrpMemLimit", \
		"QOSGrpNodeLimit", "QOSGrp", "", 0) \
	REASON_TRES(X, REASON_QOS_GRP_, _MINS, RG_OLD, 0, 0, "QOSGrpCPUMinutesLimit", "QOSGrpMemoryMinutes", \
		"QOSGrpNodeMinutes", "QOSGrp", "Minutes", 0) \
	REASON_TRES(X, REASON_QOS_GRP_, _RUN_MINS, RG_OLD, 0, 0, "QOSGrpCPURunMinutesLimit", \
		"QOSGrpMemoryRunMinutes", "QOSGrpNodeRunMinutes", "QOSGrp", "RunMinutes", 0) \
	REASON_TRES(X, REASON_QOS_MAX_, _PJ, RG_OLD, 0, RG_OLD, "QOSMaxCpuPerJobLimit", "QOSMaxMemoryPerJob", \
		"QOSMaxNodePerJobLimit", "QOSMax", "PerJob", 0) \
	REASON_CLASSES(X, REASON_QOS_MAX_, _PN, 0, 0, "QOSMaxCpuPerNode", "QOSMaxMemoryPerNode", "QOSMax", \
		"QOSMaxBBPerNode", "PerNode", 0) \
	REASON_TRES(X, REASON_QOS_MAX_, _PU, RG_OLD, 0, RG_OLD, "QOSMaxCpuPerUserLimit", "QOSMaxMemoryPerUser", \
		"QOSMaxNodePerUserLimit", "QOSMax", "PerUser", 0) \
	REASON_TRES(X, REASON_QOS_MAX_, _PA, 0, 0, 0, "MaxCpuPerAccount", "MaxMemoryPerAccount", \
		"MaxNodePerAccount", "Max", "PerAccount", 0) \
	REASON_CLASSES(X, REASON_QOS_MAX_, _MINS_PJ, RG_OLD, 0, "QOSMaxCpuMinutesPerJobLimit", \
		"QOSMaxMemoryMinutesPerJob", "QOSMax", "AssocMaxBBMinutesPerJob", "MinutesPerJob", 0) \
	X(REASON_QOS_MAX_NODE_MINS_PJ, "QOSMaxNodeMinutesPerJob", RG_LIMIT) \
	X(REASON_QOS_MAX_LICENSE_MINS_PJ, "QOSMaxLicenseMinutesPerJob", RG_LIMIT) \
	REASON_TRES(X, REASON_QOS_MAX_, _RUN_MINS_PA, 0, 0, 0, "MaxCpuRunMinsPerAccount", \
		"MaxMemoryRunMinsPerAccount", "MaxNodeRunMinsPerAccount", "Max", "RunMinsPerAccount", RG_NOT_22) \
	REASON_TRES(X, REASON_QOS_MAX_, _RUN_MINS_PU, 0, 0, 0, "MaxCpuRunMinsPerUser", \
		"MaxMemoryRunMinsPerUser", "MaxNodeRunMinsPerUser", "Max", "RunMinsPerUser", RG_NOT_22) \
	REASON_TRES(X, REASON_QOS_MIN_, , RG_OLD, 0, 0, "QOSMinCpuNotSatisfied", "QOSMinMemory", "QOSMinNode", \
		"QOSMin", "", 0)

#define X(id, name, group) id,
enum reason { REASON_LIST(X) REASON_COUNT };
#undef X

/* Slurm's exact name. */
const char *reason_name(enum reason r);
/* The reason of that name (any case); REASON_COUNT when there is none. */
enum reason reason_find(const char *name);
/* R31: a limit reason in VERSION: cleared before limits are tested anew, no competitor at submission. */
bool reason_is_limit(enum slurm_version version, enum reason r);
/* Does VERSION have the reason? */
bool reason_known(enum slurm_version version, enum reason r);
/* True when r belongs to any group of the bit set. */
bool reason_in(enum reason r, unsigned groups);

/* C1, R50: base states; "finished" = greater than JOB_SUSPENDED. */
enum job_state {
	JOB_PENDING, JOB_RUNNING, JOB_SUSPENDED, JOB_COMPLETED, JOB_CANCELLED, JOB_FAILED, JOB_TIMEOUT, JOB_NODE_FAIL, JOB_PREEMPTED,
	JOB_BOOT_FAIL, JOB_DEADLINE, JOB_OOM
};
enum { /* flags */
	JOB_COMPLETING = 1, JOB_REQUEUED = 2, JOB_CONFIGURING = 4 /* runs, but its nodes boot (C29) */,
	JOB_SPECIAL_EXIT = 8, /* waits, held until it is released (C41) */
	JOB_RESV_DEL_HOLD = 16, /* waits, held since its reservation is gone (C65) */
	JOB_EXPEDITING = 32 /* waits ahead of all others after it lost a node (expedite.h) */
};
const char *job_state_name(enum job_state s);                    /* "PENDING" */
const char *job_state_compact(enum job_state s, unsigned flags); /* "PD"; "CG" when completing (R51); EXPEDITING has no short form */
#endif
