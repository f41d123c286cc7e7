/* squeue_help.c - see squeue_help.h */
#include "tools/squeue_help.h"
#include <glib.h>

static const char LETTERS[] = "aFKBokOIXEexfGgiAWcmdjyNCDhPpQqrRnvYzsHSTtVJLlMUuwZ";
static const char *const NAMES[] = {
    "Account", "AccrueTime", "admin_comment", "AllocNodes", "AllocSID", "ArrayJobId", "ArrayTaskId",
    "AssocId", "BatchFlag", "BatchHost", "BoardsPerNode", "BurstBuffer", "BurstBufferState", "Cluster",
    "ClusterFeature", "Command", "Comment", "Container", "ContainerId", "Contiguous", "Cores", "CoreSpec",
    "CPUsPerTask", "cpus-per-task", "cpus-per-tres", "CronJob", "Deadline", "DelayBoot", "Dependency",
    "DerivedEC", "EligibleTime", "EndTime", "ExcNodes", "Exclusive", "exit_code", "Feature", "GroupId",
    "GroupName", "HetJobId", "HetJobIdSet", "HetJobOffset", "JobArrayId", "JobId", "LastSchedEval",
    "Licenses", "LicensesAlloc", "MaxCPUs", "MaxNodes", "mem-per-tres", "MCSLabel", "MinCPUs", "MinMemory",
    "MinTime", "MinTmpDisk", "Name", "Network", "Nice", "NodeList", "NTPerCore", "NTPerNode", "NTPerSocket",
    "NTPerBoard", "NumCPUs", "NumNodes", "NumTasks", "Origin", "OriginRaw", "OverSubscribe", "Partition",
    "PendingTime", "PreemptTime", "Prefer", "Priority", "PriorityLong", "Profile", "QOS", "Reason",
    "ReasonList", "Reboot", "ReqNodes", "ReqSwitch", "Requeue", "Reservation", "ResizeTime", "RestartCnt",
    "Runtime", "SchedNodes", "SCT", "SegmentSize", "SiblingsActive", "SiblingsActiveRaw", "SiblingsViable",
    "SiblingsViableRaw", "SLUID", "Sockets", "SPerBoard", "StartTime", "State", "StateCompact", "StdErr",
    "StdIn", "StdOut", "SubmitTime", "system_comment", "Threads", "TimeLeft", "TimeLimit", "TimeUsed",
    "tres-alloc", "tres-bind", "tres-freq", "tres-per-job", "tres-per-socket", "tres-per-task", "UserId",
    "UserName", "Wait4Switch", "WCKey", "WorkDir"};
static const char *const STATES[] = {
    "pending", "running", "suspended", "completed", "cancelled", "failed", "timeout", "node_fail",
    "preempted", "boot_fail", "deadline", "out_of_memory", "completing", "configuring", "expediting",
    "resizing", "resv_del_hold", "requeued", "requeue_fed", "requeue_hold", "revoked", "signaling",
    "special_exit", "stage_out", "stopped"};

static void end_row(FILE *out, gsize n, gsize per_row)
{
	if (n % per_row)
		fputc('\n', out);
}

void squeue_help_letters(FILE *out)
{
	enum { PER_ROW = 8 };
	gsize n = sizeof LETTERS - 1;

	for (gsize i = 0; i < n; i++)
		fprintf(out, "%%%c    %s", LETTERS[i], (i + 1) % PER_ROW ? "" : "\n");
	end_row(out, n, PER_ROW);
}

void squeue_help_names(FILE *out)
{
	enum { PER_ROW = 4 };

	for (gsize i = 0; i < G_N_ELEMENTS(NAMES); i++)
		fprintf(out, "%-20s%s", NAMES[i], (i + 1) % PER_ROW ? "" : "\n");
	end_row(out, G_N_ELEMENTS(NAMES), PER_ROW);
}

void squeue_help_states(FILE *out)
{
	for (gsize i = 0; i < G_N_ELEMENTS(STATES); i++)
		fprintf(out, "%s\n", STATES[i]);
}
