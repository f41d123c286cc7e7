/* conf_json.c - see conf_json.h: a schema with Slurm's keys in Slurm's order, filled from the rows of the text. */
#include "tools/conf_json.h"
#include "models/confshow.h"
#include "tools/schema_json.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>

static const char SCHEMA[] =
    "AccountingStorageTRES:l AccountingStorageBackupHost:s AccountingStorageEnforce:l "
    "AccountingStorageExternalHost:s AccountingStorageHost:s AccountingStorageParameters:l "
    "AccountingStoragePort:i AccountingStorageType:s AcctGatherEnergyType:l AcctGatherProfileType:s "
    "AcctGatherInterconnectType:s AcctGatherFilesystemType:s AcctGatherNodeFreq:i ConfFlags:l AuthAltTypes:l "
    "AuthInfo:s AuthAltParameters:s AuthType:s BatchStartTimeout:i BurstBufferType:s BcastExclude:l "
    "BcastParameters:l CertgenParameters:l CertgenType:s CertmgrParameters:s CertmgrType:s CliFilterParameters:l "
    "CliFilterPlugins:l ClusterName:s CommunicationParameters:l CompleteWait:i CommunicationParametersFlags:l "
    "AccountingStoreFlags:l SlurmdParametersFlags:l controllers:l CpuFreqDef:s CpuFreqGovernors:l CredType:s "
    "DataParserParameters:s DebugFlags:l DefMemPerCPU:t DefRuntimePlugin:s DependencyParameters:l EioTimeout:i "
    "EnforcePartLimits:l Epilog:l EpilogMsgTime:i EpilogSlurmctld:l EpilogTimeout:n FederationParameters:l "
    "FirstJobId:i FairShareDampeningFactor:i GetNameInfoCacheTimeout:i GresTypes:l GroupUpdateTime:i "
    "GroupUpdateForce:b GpuFreqDef:s HashPlugin:s HealthCheckInterval:i HealthCheckNodeState:l "
    "HealthCheckProgram:s HealthCheckTimeout:i HttpParserType:s HostUnreachRetryCount:i InactiveLimit:i "
    "InteractiveStepOptions:s JobAcctGatherFrequency:l JobAcctGatherType:s JobAcctGatherParams:l "
    "JobAcctOomKill:b JobCompHost:s JobCompLoc:s JobCompParams:s JobCompPort:i JobCompType:s JobCompUser:s "
    "JobDefaults:l JobFileAppend:b JobRequeue:b JobSubmitPlugins:l KeepaliveInterval:i KeepaliveProbes:i "
    "KeepaliveTime:i KillOnBadExit:b KillWait:i LaunchParameters:l Licenses:l LicenseParameters:l "
    "LogTimeFormat:s MailDomain:s MailProg:s MaxArraySize:i MaxBatchRequeue:i MaxDBDMsgs:i MaxJobCount:i "
    "MaxJobId:i MaxMemPerCPU:t MaxNodeCount:i MaxStepCount:i MaxTasksPerNode:i MCSPlugin:s MCSParameters:l "
    "MetricsAuthUsers:l MetricsParameters:l MetricsType:s MinJobAge:i MpiDefault:s MpiParams:l MessageTimeout:i "
    "NamespaceType:s NodeFeaturesPlugins:l OverTimeLimit:i PluginDir:s PlugStackConfig:s PreemptExemptTime:t "
    "PreemptMode:l PreemptParameters:l PreemptType:s PrEpParameters:s PrEpPlugins:l PriorityDecayHalfLife:s "
    "PriorityCalcPeriod:s PriorityFavorSmall:b PriorityFlags:l PriorityMaxAge:s PriorityParameters:s "
    "PriorityUsageResetPeriod:s PriorityType:s PriorityWeightAge:i PriorityWeightAssoc:i "
    "PriorityWeightFairshare:i PriorityWeightJobSize:i PriorityWeightPartition:i PriorityWeightQOS:i "
    "PriorityWeightTRES:s PrivateData:l ProctrackType:s Prolog:l PrologSlurmctld:l PrologTimeout:n "
    "PropagatePrioProcess:s PrologFlags:l PropagateResourceLimits:l PropagateResourceLimitsExcept:l "
    "RebootProgram:s ReconfigFlags:l RequeueExit:l RequeueExitHold:l ResumeFailProgram:s ResumeProgram:s "
    "ResumeRate:i ResumeTimeout:i ResvEpilog:s ResvOverRun:i ResvProlog:s ReturnToService:s SlurmSchedLogFile:s "
    "SlurmSchedLogLevel:i SchedulerParameters:l SchedulerTimeSlice:i SchedulerType:s ScronParameters:l "
    "SelectType:s SelectTypeParameters:l SerializerParameters:l SerializerPlugins:l PrioritySiteFactorPlugin:s "
    "PrioritySiteFactorParameters:s SlurmUserId:i SlurmUser:s SlurmdUserId:i SlurmdUser:s SlurmctldAddr:s "
    "SlurmctldDebug:s SlurmctldHttpAuthParams:l SlurmctldLogFile:s SlurmctldPidFile:s SlurmctldPort:i "
    "SlurmctldPortCount:i SlurmctldPrimaryOffProg:s SlurmctldPrimaryOnProg:s SlurmctldSyslogDebug:s "
    "SlurmctldTimeout:i SlurmctldParameters:l SlurmdDebug:s SlurmdHttpAuthParams:l SlurmdLogFile:s "
    "SlurmdParameters:l SlurmdPidFile:s SlurmdPort:i SlurmdSpoolDir:s SlurmdSyslogDebug:s SlurmdTimeout:i "
    "SlurmrestdHttpAuthParameters:l SlurmrestdParameters:l SlurmstepdParameters:l SrunEpilog:s "
    "SrunPortRange{minimum:i maximum:i set:b} SrunProlog:s StateSaveLocation:s SuspendExcNodes:l "
    "SuspendExcParts:l SuspendExcStates:l SuspendProgram:s SuspendRate:i SuspendTime:u SuspendTimeout:i "
    "SwitchType:s SwitchParameters:l TaskEpilog:s TaskPlugin:l TaskPluginParam:l TaskProlog:s TLSParameters:l "
    "TLSType:s TCPTimeout:i TmpFS:s TopologyParam:l TopologyPlugin:s TreeWidth:i UnkillableStepProgram:s "
    "UnkillableStepTimeout:i UrlParserType:s VSizeFactor:i WaitTime:i X11Parameters:l";

static bool is_unset(const char *text)
{
	return g_str_has_prefix(text, "(null") || strcmp(text, "none") == 0;
}

/* "yes", "1" */
static bool is_on(const char *text)
{
	return strcmp(text, "yes") == 0 || atoi(text) != 0;
}

/* Keys whose text is not the row's. */
static char *text_of(const char *key, const char *value)
{
	static const char *const RETURNS[] = {"none", "on_response", "always"}, *const PROPAGATES[] = {"off", "always", "nicer"};
	unsigned long n = strtoul(value, NULL, 10);

	if (strcmp(key, "ReturnToService") == 0)
		return g_strdup(RETURNS[MIN(n, 2)]);
	if (strcmp(key, "PropagatePrioProcess") == 0)
		return g_strdup(PROPAGATES[MIN(n, 2)]);
	if (g_str_has_suffix(key, "SyslogDebug") && is_unset(value))
		return g_strdup("default");
	if (strcmp(key, "SlurmUser") == 0 || strcmp(key, "SlurmdUser") == 0) /* "root(0)" */
		return g_strndup(value, strcspn(value, "("));
	return g_strdup(g_str_has_prefix(value, "(null") ? "" : value);
}

/* What the controller looks at is in the parameters themselves: the rows have it as text. */
static void fill(cJSON *o, const char *key, const char *value)
{
	cJSON *item = cJSON_GetObjectItem(o, key); /* in any case: PriorityWeightFairShare */
	char *unit;
	double n = g_ascii_strtod(value, &unit);

	if (!item || strcmp(key, "SrunPortRange") == 0 || strcmp(key, "CpuFreqGovernors") == 0)
		return;
	key = item->string;
	if (cJSON_IsArray(item) && !is_unset(value) && *value)
		json_put_list(o, key, value, ",");
	else if (cJSON_IsString(item))
		json_put_taken(o, key, text_of(key, value));
	else if (cJSON_IsBool(item))
		json_put_flag(o, key, is_on(value));
	else if (cJSON_IsNumber(item))
		json_put_int(o, key, unit > value ? n : 0);
	else if (cJSON_IsObject(item) && isinf(n)) /* "INFINITE" */
		json_put(o, key, json_unset('u'));
	else if (cJSON_IsObject(item) && unit > value)
		json_put_number(o, key, n);
	else if (cJSON_IsObject(item) && strcmp(value, "UNLIMITED") == 0)
		json_put_number(o, key, 0);
}

void conf_json_print(FILE *out, const struct controller *c, const GPtrArray *rows, sec_t boot, sec_t now)
{
	const struct cluster *cl = controller_cluster(c);
	cJSON *about = json_from_schema("LastUpdate:i BOOT_TIME:i ClusterId:t HashValue:i NEXT_JOB_ID:t SLURM_CONF:s SLURM_VERSION:s");
	const struct json_origin from = {.v22 = cl->params->version == SLURM_22_05,
	                                 .accounting = cl->acct != NULL,
	                                 .cluster = cl->params->cluster_name,
	                                 .beside = "slurm_conf_meta",
	                                 .beside_item = about};
	cJSON *o = json_from_schema(SCHEMA), *controller = cJSON_CreateObject();

	for (guint i = 0; i < rows->len; i++) {
		const struct conf_row *row = rows->pdata[i];
		if (row->value && strcmp(row->name, "SLURM_CONF") == 0)
			json_put_text(about, row->name, row->value);
		else if (row->value)
			fill(o, row->name, row->value);
	}
	if (cl->params->priority_type == PRIORITY_MULTIFACTOR && !cJSON_GetArraySize(cJSON_GetObjectItem(o, "PriorityFlags")))
		json_put_list(o, "PriorityFlags", "FAIR_TREE", ",");
	json_put_int(about, "LastUpdate", (double)now);
	json_put_int(about, "BOOT_TIME", (double)boot);
	json_put_number(about, "NEXT_JOB_ID", controller_next_id(c));
	json_put_text(about, "SLURM_VERSION", from.v22 ? "22.05.8" : "26.05.0");
	cJSON_AddStringToObject(controller, "address", "127.0.0.1");
	cJSON_AddStringToObject(controller, "machine", "localhost");
	cJSON_AddItemToArray(cJSON_GetObjectItem(o, "controllers"), controller);
	json_put_list(o, "CommunicationParametersFlags", "IPv4", ",");
	json_print_envelope(out, &from, "slurm_conf", o, "scontrol show config --json");
}
