/*
 * confkeys.c - every known slurm.conf parameter and its class (spec slurm-conf.md sections 5 and 9).
 *
 * Parameters are set in the order of this table, because some need others: TRES kinds before weights, MessageTimeout
 * and MaxArraySize before SchedulerParameters, AuthInfo's cred_expire before requeue_delay.
 */
#include "models/confread.h"
#include "models/suggest.h"
#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(struct sched_params, field)
#define SET(name, function)                                                                                            \
	{                                                                                                              \
		name, KEY_VALUE, NULL, NULL, function, TYPE_NONE, 0, 0, 0                                              \
	}
#define BOOL(name, field)                                                                                              \
	{                                                                                                              \
		name, KEY_VALUE, NULL, NULL, NULL, TYPE_BOOL, AT(field), 0, 0                                          \
	}
#define INT(name, field, min, max)                                                                                     \
	{                                                                                                              \
		name, KEY_VALUE, NULL, NULL, NULL, TYPE_INT, AT(field), min, max                                       \
	}
#define U32(name, field, min, max)                                                                                     \
	{                                                                                                              \
		name, KEY_VALUE, NULL, NULL, NULL, TYPE_U32, AT(field), min, max                                       \
	}
#define MINUTES(name, field)                                                                                           \
	{                                                                                                              \
		name, KEY_VALUE, NULL, NULL, NULL, TYPE_MINUTES, AT(field), 0, 0                                       \
	}
#define SECONDS(name, field)                                                                                           \
	{                                                                                                              \
		name, KEY_VALUE, NULL, NULL, NULL, TYPE_MINUTES_AS_SECONDS, AT(field), 0, 0                            \
	}
#define IGNORED(name)                                                                                                  \
	{                                                                                                              \
		name, KEY_IGNORED, NULL, NULL, NULL, TYPE_NONE, 0, 0, 0                                                \
	}
#define OBSOLETE(name, note)                                                                                           \
	{                                                                                                              \
		name, KEY_OBSOLETE, note, NULL, NULL, TYPE_NONE, 0, 0, 0                                               \
	}
#define REMOVED(name, note)                                                                                            \
	{                                                                                                              \
		name, KEY_REMOVED, note, NULL, NULL, TYPE_NONE, 0, 0, 0                                                \
	}
#define LATER(name, what, neutral)                                                                                     \
	{                                                                                                              \
		name, KEY_NOT_MODELLED, what, neutral, NULL, TYPE_NONE, 0, 0, 0                                        \
	}

static const char defunct[] = "Slurm logs that it is defunct and goes on";
static const char gone[] = "present-day Slurm refuses it as an unknown parameter";

const struct conf_key conf_keys[] = {
    SET("ClusterName", conf_set_cluster_name),
    SET("AccountingStorageType", conf_set_accounting_type),
    SET("AccountingStorageEnforce", conf_set_accounting_enforce),
    SET("AccountingStorageTRES", conf_set_accounting_tres),
    SET("PrologFlags", conf_set_prolog_flags),
    SET("GresTypes", conf_set_gres_types),
    SET("SchedulerType", conf_set_scheduler_type),
    SET("SelectType", conf_set_select_type),
    SET("SelectTypeParameters", conf_set_select_parameters),
    /* per node beats per CPU: it is set last */
    SET("DefMemPerCPU", conf_set_def_mem),
    SET("DefMemPerNode", conf_set_def_mem),
    SET("MaxMemPerCPU", conf_set_max_mem),
    SET("MaxMemPerNode", conf_set_max_mem),
    SET("DefMemPerGPU", conf_set_def_mem_per_gpu),
    U32("DefCpuPerGPU", def_cpu_per_gpu, 0, 65535),
    U32("MaxTasksPerNode", max_tasks_per_node, 1, 65533),
    SET("Licenses", conf_set_licenses),
    INT("MessageTimeout", message_timeout, 1, 65533),
    U32("MaxArraySize", max_array_size, 0, 4000001),
    U32("MaxJobCount", max_job_count, 1, G_MAXUINT32 - 2),
    SET("AuthInfo", conf_set_auth_info),
    SET("SchedulerParameters", conf_set_scheduler_parameters),
    INT("CompleteWait", complete_wait, 0, 65533),
    INT("KillWait", kill_wait, 0, 65533),
    INT("SchedulerTimeSlice", time_slice, 5, 65533),
    INT("SlurmdTimeout", slurmd_timeout, 0, 65533),
    INT("ReturnToService", return_to_service, 0, 2),
    INT("MinJobAge", min_job_age, 0, G_MAXINT32),
    INT("InactiveLimit", inactive_limit, 0, 65533),
    MINUTES("OverTimeLimit", over_time_limit),
    INT("ResvOverRun", resv_over_run, 0, 65533),
    U32("FirstJobId", first_job_id, 1, 67043328),
    U32("MaxJobId", max_job_id, 1, 67043328),
    BOOL("JobRequeue", job_requeue),
    INT("MaxBatchRequeue", max_batch_requeue, 0, G_MAXINT32),
    SET("EnforcePartLimits", conf_set_enforce_part_limits),
    SET("DependencyParameters", conf_set_dependency_parameters),
    SET("JobSubmitPlugins", conf_set_job_submit_plugins),
    SET("DisableRootJobs", conf_set_disable_root_jobs),
    SET("PriorityType", conf_set_priority_type),
    U32("PriorityWeightAge", weight_age, 0, G_MAXUINT32),
    U32("PriorityWeightAssoc", weight_assoc, 0, G_MAXUINT32),
    SET("PriorityWeightFairshare", conf_set_weight_fairshare),
    U32("PriorityWeightJobSize", weight_job_size, 0, G_MAXUINT32),
    U32("PriorityWeightPartition", weight_partition, 0, G_MAXUINT32),
    U32("PriorityWeightQOS", weight_qos, 0, G_MAXUINT32),
    SET("PriorityWeightTRES", conf_set_weight_tres),
    SECONDS("PriorityMaxAge", priority_max_age),
    SECONDS("PriorityDecayHalfLife", priority_decay_half_life),
    SECONDS("PriorityCalcPeriod", priority_calc_period),
    BOOL("PriorityFavorSmall", priority_favor_small),
    SET("PriorityFlags", conf_set_priority_flags),
    SET("PriorityUsageResetPeriod", conf_set_usage_reset),
    U32("FairShareDampeningFactor", fairshare_damping, 1, 65533),
    SET("PreemptType", conf_set_preempt_type),
    SET("PreemptMode", conf_set_preempt_mode),
    SET("JobAcctGatherParams", conf_set_acct_gather_params),
    SET("SlurmctldParameters", conf_set_slurmctld_parameters),
    SET("FastSchedule", conf_set_fast_schedule),

    BOOL("AllowSpecResourcesUsage", allow_spec),
    LATER("LicenseParameters", "remote license matching", ""),
    LATER("MCSParameters", "sharing of nodes by label", ""),
    LATER("MCSPlugin", "sharing of nodes by label", "mcs/none"),
    LATER("NodeFeaturesPlugins", "features that change by reboot", ""),
    SET("PreemptExemptTime", conf_set_preempt_exempt),
    SET("PreemptParameters", conf_set_preempt_parameters),
    LATER("PriorityParameters", "the site priority factor", ""),
    LATER("PrioritySiteFactorParameters", "the site priority factor", ""),
    LATER("PrioritySiteFactorPlugin", "the site priority factor", "priority/none,site_factor/none"),
    SET("PrivateData", conf_set_private_data),
    SET("RequeueExit", conf_set_requeue_exit),
    SET("RequeueExitHold", conf_set_requeue_exit),
    LATER("ScronParameters", "scrontab", ""),
    SET("RebootProgram", conf_set_power_program),
    SET("ResumeProgram", conf_set_power_program),
    SET("SuspendProgram", conf_set_power_program),
    INT("ResumeRate", resume_rate, 0, 65533),
    INT("SuspendRate", suspend_rate, 0, 65533),
    INT("ResumeTimeout", resume_timeout, 1, 65533),
    INT("SuspendTimeout", suspend_timeout, 0, 65533),
    SET("SuspendTime", conf_set_suspend_time),
    SET("SuspendExcNodes", conf_set_suspend_exc),
    SET("SuspendExcParts", conf_set_suspend_exc),
    SET("SuspendExcStates", conf_set_suspend_exc),
    SET("ReconfigFlags", conf_set_reconfig_flags),
    SET("TopologyParam", conf_set_topology_param),
    SET("TopologyPlugin", conf_set_topology_plugin),
    LATER("TrackWCKey", "workload characterisation keys", "no,0,false"),

    REMOVED("AccountingStoreJobComment", "use AccountingStoreFlags=job_comment"),
    REMOVED("LaunchType", "remove it"),

    OBSOLETE("AccountingStorageLoc", gone),
    OBSOLETE("AccountingStorageUser", defunct),
    OBSOLETE("CacheGroups", gone),
    OBSOLETE("CheckpointType", gone),
    OBSOLETE("ChosLoc", gone),
    OBSOLETE("CoreSpecPlugin", defunct),
    OBSOLETE("DefaultStorageHost", gone),
    OBSOLETE("DefaultStorageLoc", gone),
    OBSOLETE("DefaultStoragePass", gone),
    OBSOLETE("DefaultStoragePort", gone),
    OBSOLETE("DefaultStorageType", gone),
    OBSOLETE("DefaultStorageUser", gone),
    OBSOLETE("ExtSensorsFreq", defunct),
    OBSOLETE("ExtSensorsType", defunct),
    OBSOLETE("FrontendName", gone),
    OBSOLETE("GetEnvTimeout", defunct),
    OBSOLETE("JobAcctFrequency", gone),
    OBSOLETE("JobAcctLogFile", gone),
    OBSOLETE("JobAcctType", gone),
    OBSOLETE("JobCheckpointDir", gone),
    OBSOLETE("JobCredentialPrivateKey", defunct),
    OBSOLETE("JobCredentialPublicCertificate", defunct),
    OBSOLETE("Layouts", gone),
    OBSOLETE("LayoutsType", gone),
    OBSOLETE("MaxJobsPerUser", gone),
    OBSOLETE("MemLimitEnforce", gone),
    OBSOLETE("MsgAggregationParams", gone),
    OBSOLETE("PowerParameters", defunct),
    OBSOLETE("PowerPlugin", defunct),
    OBSOLETE("SallocDefaultCommand", "Slurm refuses it: use LaunchParameters=use_interactive_step"),
    OBSOLETE("SchedulerAuth", gone),
    OBSOLETE("SchedulerPort", gone),
    OBSOLETE("SchedulerRootFilter", gone),
    OBSOLETE("SlurmctldPlugstack", gone),
    /* slurmdbd.conf's, put into slurm.conf by mistake */
    OBSOLETE("DbdAddr", gone),
    OBSOLETE("DbdBackupHost", gone),
    OBSOLETE("DbdHost", gone),
    OBSOLETE("DbdPort", gone),
    OBSOLETE("StorageHost", gone),
    OBSOLETE("StorageLoc", gone),
    OBSOLETE("StoragePass", gone),
    OBSOLETE("StoragePort", gone),
    OBSOLETE("StorageType", gone),
    OBSOLETE("StorageUser", gone),

    /* 9.1, and those of section 5 that cannot change a result here */
    IGNORED("AccountingStorageBackupHost"),
    IGNORED("AccountingStorageExternalHost"),
    IGNORED("AccountingStorageHost"),
    IGNORED("AccountingStorageParameters"),
    IGNORED("AccountingStoragePass"),
    IGNORED("AccountingStoragePort"),
    IGNORED("AccountingStoreFlags"),
    IGNORED("AcctGatherEnergyType"),
    IGNORED("AcctGatherFilesystemType"),
    IGNORED("AcctGatherInfinibandType"),
    IGNORED("AcctGatherInterconnectType"),
    IGNORED("AcctGatherNodeFreq"),
    IGNORED("AcctGatherProfileType"),
    IGNORED("AuthAltParameters"),
    IGNORED("AuthAltTypes"),
    IGNORED("AuthType"),
    IGNORED("BackupAddr"),
    IGNORED("BackupController"),
    IGNORED("BatchStartTimeout"),
    IGNORED("BcastExclude"),
    IGNORED("BcastParameters"),
    IGNORED("BurstBufferParameters"),
    IGNORED("BurstBufferType"),
    IGNORED("CertgenParameters"),
    IGNORED("CertgenType"),
    IGNORED("CertmgrParameters"),
    IGNORED("CertmgrType"),
    IGNORED("CliFilterParameters"),
    IGNORED("CliFilterPlugins"),
    IGNORED("CommunicationParameters"),
    IGNORED("ControlAddr"),
    IGNORED("ControlMachine"),
    IGNORED("CpuFreqDef"),
    IGNORED("CpuFreqGovernors"),
    IGNORED("CredType"),
    IGNORED("CryptoType"),
    IGNORED("DataParserParameters"),
    IGNORED("DebugFlags"),
    IGNORED("DefRuntimePlugin"),
    IGNORED("EioTimeout"),
    IGNORED("Epilog"),
    IGNORED("EpilogMsgTime"),
    IGNORED("EpilogSlurmctld"),
    IGNORED("EpilogTimeout"),
    IGNORED("FederationParameters"),
    IGNORED("GpuFreqDef"),
    IGNORED("GroupUpdateForce"),
    IGNORED("GroupUpdateTime"),
    IGNORED("HashPlugin"),
    IGNORED("HealthCheckInterval"),
    IGNORED("HealthCheckNodeState"),
    IGNORED("HealthCheckProgram"),
    IGNORED("HealthCheckTimeout"),
    IGNORED("HttpParserType"),
    IGNORED("InteractiveStepOptions"),
    IGNORED("JobAcctGatherFrequency"),
    IGNORED("JobAcctGatherType"),
    IGNORED("JobCompHost"),
    IGNORED("JobCompLoc"),
    IGNORED("JobCompParams"),
    IGNORED("JobCompPass"),
    IGNORED("JobCompPassScript"),
    IGNORED("JobCompPort"),
    IGNORED("JobCompType"),
    IGNORED("JobCompUser"),
    IGNORED("JobContainerType"),
    IGNORED("JobFileAppend"),
    IGNORED("KeepAliveTime"),
    IGNORED("KillOnBadExit"),
    IGNORED("LaunchParameters"),
    IGNORED("LogTimeFormat"),
    IGNORED("MailDomain"),
    IGNORED("MailProg"),
    IGNORED("MaxDBDMsgs"),
    IGNORED("MaxNodeCount"),
    IGNORED("MaxStepCount"),
    IGNORED("MetricsAuthUsers"),
    IGNORED("MetricsParameters"),
    IGNORED("MetricsType"),
    IGNORED("MpiDefault"),
    IGNORED("MpiParams"),
    IGNORED("NamespaceType"),
    IGNORED("PluginDir"),
    IGNORED("PlugStackConfig"),
    IGNORED("PowerAction"),
    IGNORED("PrEpParameters"),
    IGNORED("PrEpPlugins"),
    IGNORED("ProctrackType"),
    IGNORED("Prolog"),
    IGNORED("PrologEpilogTimeout"),
    IGNORED("PrologSlurmctld"),
    IGNORED("PrologTimeout"),
    IGNORED("PropagatePrioProcess"),
    IGNORED("PropagateResourceLimits"),
    IGNORED("PropagateResourceLimitsExcept"),
    IGNORED("ResumeFailProgram"),
    IGNORED("ResvEpilog"),
    IGNORED("ResvProlog"),
    IGNORED("RoutePlugin"),
    IGNORED("SbcastParameters"),
    IGNORED("SerializerParameters"),
    IGNORED("SerializerPlugins"),
    IGNORED("SlurmctldAddr"),
    IGNORED("SlurmctldDebug"),
    IGNORED("SlurmctldHost"),
    IGNORED("SlurmctldHttpAuthParameters"),
    IGNORED("SlurmctldLogFile"),
    IGNORED("SlurmctldPidFile"),
    IGNORED("SlurmctldPort"),
    IGNORED("SlurmctldPrimaryOffProg"),
    IGNORED("SlurmctldPrimaryOnProg"),
    IGNORED("SlurmctldSyslogDebug"),
    IGNORED("SlurmctldTimeout"),
    IGNORED("SlurmdDebug"),
    IGNORED("SlurmdHttpAuthParameters"),
    IGNORED("SlurmdLogFile"),
    IGNORED("SlurmdParameters"),
    IGNORED("SlurmdPidFile"),
    IGNORED("SlurmdPort"),
    IGNORED("SlurmdSpoolDir"),
    IGNORED("SlurmdSyslogDebug"),
    IGNORED("SlurmdUser"),
    IGNORED("SlurmrestdHttpAuthParameters"),
    IGNORED("SlurmrestdParameters"),
    IGNORED("SlurmSchedLogFile"),
    IGNORED("SlurmSchedLogLevel"),
    IGNORED("SlurmstepdParameters"),
    IGNORED("SlurmUser"),
    IGNORED("SrunEpilog"),
    IGNORED("SrunPortRange"),
    IGNORED("SrunProlog"),
    IGNORED("StateSaveLocation"),
    IGNORED("SwitchParameters"),
    IGNORED("SwitchType"),
    IGNORED("TaskEpilog"),
    IGNORED("TaskPlugin"),
    IGNORED("TaskPluginParam"),
    IGNORED("TaskProlog"),
    IGNORED("TCPTimeout"),
    IGNORED("TLSParameters"),
    IGNORED("TLSType"),
    IGNORED("TmpFS"),
    IGNORED("TreeWidth"),
    IGNORED("UnkillableStepProgram"),
    IGNORED("UnkillableStepTimeout"),
    IGNORED("UrlParserType"),
    IGNORED("UsePAM"),
    IGNORED("VSizeFactor"),
    IGNORED("WaitTime"),
    IGNORED("X11Parameters"),
    {NULL, KEY_IGNORED, NULL, NULL, NULL, TYPE_NONE, 0, 0, 0},
};

const struct conf_key *conf_key_find(const char *name)
{
	for (const struct conf_key *k = conf_keys; k->name; k++)
		if (g_ascii_strcasecmp(k->name, name) == 0)
			return k;
	return NULL;
}

char *conf_key_hint(const char *name)
{
	static const char *const lines[] = {"NodeName", "PartitionName", "NodeSet", "DownNodes", "Include"};
	struct suggestion s;

	suggest_begin(&s, name);
	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++)
		suggest_offer(&s, lines[i]);
	for (const struct conf_key *k = conf_keys; k->name; k++)
		if (k->kind != KEY_OBSOLETE && k->kind != KEY_REMOVED)
			suggest_offer(&s, k->name);
	return suggest_hint(&s, "Slurm knows no such parameter: remove the line");
}

static bool is_neutral(const struct conf_key *k, const char *value)
{
	char **neutral = g_strsplit(k->neutral, ",", -1);
	bool found = !*value;

	for (char **s = neutral; *s && !found; s++)
		found = g_ascii_strcasecmp(*s, value) == 0;
	g_strfreev(neutral);
	return found;
}

static void set_number(struct conf_reader *r, const struct conf_key *k, const struct conf_pair *p, void *field)
{
	guint64 v;

	if (!conf_number(r, p, k->max, &v))
		return;
	if (v == CONF_UNLIMITED || v < k->min) {
		conf_error(r, p, NULL, "%s must be %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, k->name, k->min,
		           k->max);
		return;
	}
	if (k->type == TYPE_INT)
		*(int *)field = (int)v;
	else
		*(uint32_t *)field = (uint32_t)v;
}

static void set_time(struct conf_reader *r, const struct conf_key *k, const struct conf_pair *p, uint32_t *field)
{
	uint32_t minutes;

	if (!conf_minutes(r, p, &minutes))
		return;
	if (k->type == TYPE_MINUTES)
		*field = minutes;
	else if (minutes == INFINITE || minutes > G_MAXINT32 / 60)
		conf_error(r, p, "at most 68 years", "%s is too long", k->name);
	else
		*field = minutes * 60;
}

static void set_value(struct conf_reader *r, const struct conf_key *k, const struct conf_pair *p)
{
	void *field = (char *)r->p + k->offset;

	switch (k->type) {
	case TYPE_NONE:
		k->set(r, p);
		break;
	case TYPE_BOOL:
		conf_bool(r, p, field);
		break;
	case TYPE_INT:
	case TYPE_U32:
		set_number(r, k, p, field);
		break;
	case TYPE_MINUTES:
	case TYPE_MINUTES_AS_SECONDS:
		set_time(r, k, p, field);
		break;
	}
}

void conf_apply_keys(struct conf_reader *r)
{
	for (const struct conf_key *k = conf_keys; k->name; k++) {
		char *lower = g_ascii_strdown(k->name, -1);
		const struct conf_line *line = g_hash_table_lookup(r->scalars, lower);
		const struct conf_pair *p = line ? &line->pair[0] : NULL;

		g_free(lower);
		if (!p)
			continue;
		if (k->kind == KEY_VALUE)
			set_value(r, k, p);
		else if (k->kind == KEY_OBSOLETE)
			conf_warn(r, p, NULL, "%s is obsolete and has no effect; %s", k->name, k->note);
		else if (k->kind == KEY_REMOVED)
			conf_error(r, p, k->note, "%s has been removed from Slurm", k->name);
		else if (k->kind == KEY_NOT_MODELLED && !is_neutral(k, p->value))
			conf_not_modelled(r, p, k->note);
	}
}
