/* confshow.c - see confshow.h: the rows. confshow_value.c turns given texts into what scontrol prints. */
#include "models/confshow_value.h"
#include <cjson/cJSON.h>
#include <string.h>

/* Rows in Slurm's order; NULL = the release has no such row. */
static const struct conf_show_key show_keys[] = {
    {"AccountingStorageBackupHost", SHOW_TEXT, "(null)", "(null)"},
    {"AccountingStorageEnforce", SHOW_COMPUTED, "", ""},
    {"AccountingStorageHost", SHOW_TEXT, "localhost", "localhost"},
    {"AccountingStorageExternalHost", SHOW_TEXT, "(null)", "(null)"},
    {"AccountingStorageParameters", SHOW_TEXT, "(null)", "(null)"},
    {"AccountingStoragePort", SHOW_COMPUTED, "", ""},
    {"AccountingStorageTRES", SHOW_COMPUTED, "", ""},
    {"AccountingStorageType", SHOW_TEXT, "accounting_storage/none", "(null)"},
    {"AccountingStorageUser", SHOW_COMPUTED, "root", NULL},
    {"AccountingStoreFlags", SHOW_TEXT, "(null)", "(null)"},
    {"AcctGatherEnergyType", SHOW_TEXT, "acct_gather_energy/none", "(null)"},
    {"AcctGatherFilesystemType", SHOW_TEXT, "acct_gather_filesystem/none", "(null)"},
    {"AcctGatherInterconnectType", SHOW_TEXT, "acct_gather_interconnect/none", "(null)"},
    {"AcctGatherNodeFreq", SHOW_SEC, "0 sec", "0 sec"},
    {"AcctGatherProfileType", SHOW_TEXT, "acct_gather_profile/none", "(null)"},
    {"AllowSpecResourcesUsage", SHOW_BOOL, "No", "no"},
    {"AuthAltTypes", SHOW_TEXT, "(null)", "(null)"},
    {"AuthAltParameters", SHOW_TEXT, "(null)", "(null)"},
    {"AuthInfo", SHOW_TEXT, "(null)", "(null)"},
    {"AuthType", SHOW_TEXT, "auth/munge", "auth/munge"},
    {"BatchStartTimeout", SHOW_SEC, "10 sec", "10 sec"},
    {"BcastExclude", SHOW_TEXT, "/lib,/usr/lib,/lib64,/usr/lib64", "/lib,/usr/lib,/lib64,/usr/lib64"},
    {"BcastParameters", SHOW_TEXT, "(null)", "(null)"},
    {"BOOT_TIME", SHOW_COMPUTED, "", ""},
    {"BurstBufferType", SHOW_TEXT, "(null)", "(null)"},
    {"CertgenParameters", SHOW_TEXT, NULL, "(null)"},
    {"CertgenType", SHOW_TEXT, NULL, "(null)"},
    {"CertmgrParameters", SHOW_TEXT, NULL, "(null)"},
    {"CertmgrType", SHOW_TEXT, NULL, "(null)"},
    {"CliFilterParameters", SHOW_TEXT, NULL, "(null)"},
    {"CliFilterPlugins", SHOW_TEXT, "(null)", "(null)"},
    {"ClusterName", SHOW_LOWER, "cluster", "cluster"},
    {"CommunicationParameters", SHOW_TEXT, "(null)", "(null)"},
    {"CompleteWait", SHOW_SEC, "0 sec", "0 sec"},
    {"CoreSpecPlugin", SHOW_TEXT, "core_spec/none", NULL},
    {"CpuFreqDef", SHOW_TEXT, "Unknown", "Unknown"},
    {"CpuFreqGovernors", SHOW_TEXT, "OnDemand,Performance,UserSpace", "OnDemand,Performance,UserSpace"},
    {"CredType", SHOW_TEXT, "cred/munge", "cred/munge"},
    {"DataParserParameters", SHOW_TEXT, NULL, "(null)"},
    {"DebugFlags", SHOW_TEXT, "(null)", "(null)"},
    {"DefMemPerNode", SHOW_COMPUTED, "", ""},
    {"DefRuntimePlugin", SHOW_TEXT, NULL, "runtime/oci"},
    {"DependencyParameters", SHOW_TEXT, "(null)", "(null)"},
    {"DisableRootJobs", SHOW_BOOL, "No", "no"},
    {"EioTimeout", SHOW_TEXT, "60", "60"},
    {"EnforcePartLimits", SHOW_UPPER, "NO", "NO"},
    {"Epilog", SHOW_TEXT, "(null)", NULL},
    {"EpilogMsgTime", SHOW_USEC, "2000 usec", "2000 usec"},
    {"EpilogSlurmctld", SHOW_TEXT, "(null)", NULL},
    {"ExtSensorsType", SHOW_TEXT, "ext_sensors/none", NULL},
    {"ExtSensorsFreq", SHOW_SEC, "0 sec", NULL},
    {"FairShareDampeningFactor", SHOW_TEXT, "1", "1"},
    {"FederationParameters", SHOW_TEXT, "(null)", "(null)"},
    {"FirstJobId", SHOW_TEXT, "1", "1"},
    {"GetEnvTimeout", SHOW_SEC, "2 sec", NULL},
    {"GresTypes", SHOW_TEXT, "(null)", "(null)"},
    {"GpuFreqDef", SHOW_TEXT, "high,memory=high", "(null)"},
    {"GroupUpdateForce", SHOW_TEXT, "1", "1"},
    {"GroupUpdateTime", SHOW_SEC, "600 sec", "600 sec"},
    {"HASH_VAL", SHOW_COMPUTED, "", ""},
    {"HashPlugin", SHOW_TEXT, NULL, "hash/k12"},
    {"HealthCheckInterval", SHOW_SEC, "0 sec", "0 sec"},
    {"HealthCheckNodeState", SHOW_UPPER, "ANY", "ANY"},
    {"HealthCheckProgram", SHOW_TEXT, "(null)", "(null)"},
    {"HealthCheckTimeout", SHOW_SEC, NULL, "0 sec"},
    {"HttpParserType", SHOW_TEXT, NULL, "(null)"},
    {"InactiveLimit", SHOW_SEC, "0 sec", "0 sec"},
    {"InteractiveStepOptions", SHOW_TEXT, "--interactive --preserve-env --pty $SHELL",
     "--interactive --preserve-env --pty $SHELL"},
    {"JobAcctGatherFrequency", SHOW_TEXT, "30", "30"},
    {"JobAcctGatherType", SHOW_TEXT, "jobacct_gather/none", "(null)"},
    {"JobAcctGatherParams", SHOW_TEXT, "(null)", "(null)"},
    {"JobCompHost", SHOW_TEXT, "localhost", "localhost"},
    {"JobCompLoc", SHOW_TEXT, "/var/log/slurm_jobcomp.log", "(null)"},
    {"JobCompParams", SHOW_TEXT, NULL, "(null)"},
    {"JobCompPass", SHOW_TEXT, NULL, "(null)"},
    {"JobCompPort", SHOW_TEXT, "0", "0"},
    {"JobCompType", SHOW_TEXT, "jobcomp/none", "(null)"},
    {"JobCompUser", SHOW_TEXT, "root", "root"},
    {"JobContainerType", SHOW_TEXT, "job_container/none", NULL},
    {"JobCredentialPrivateKey", SHOW_TEXT, "(null)", NULL},
    {"JobCredentialPublicCertificate", SHOW_TEXT, "(null)", NULL},
    {"JobDefaults", SHOW_COMPUTED, "", ""},
    {"JobFileAppend", SHOW_TEXT, "0", "0"},
    {"JobRequeue", SHOW_BOOL01, "1", "1"},
    {"JobSubmitPlugins", SHOW_TEXT, "(null)", "(null)"},
    {"KillOnBadExit", SHOW_TEXT, "0", "0"},
    {"KillWait", SHOW_SEC, "30 sec", "30 sec"},
    {"LaunchParameters", SHOW_TEXT, "(null)", "(null)"},
    {"LaunchType", SHOW_TEXT, "launch/slurm", NULL},
    {"LicenseParameters", SHOW_TEXT, NULL, "(null)"},
    {"Licenses", SHOW_TEXT, "(null)", "(null)"},
    {"LogTimeFormat", SHOW_TEXT, "iso8601_ms", "iso8601_ms"},
    {"MailDomain", SHOW_TEXT, "(null)", "(null)"},
    {"MailProg", SHOW_TEXT, "/bin/mail", "/bin/mail"},
    {"MaxArraySize", SHOW_TEXT, "1001", "1001"},
    {"MaxBatchRequeue", SHOW_TEXT, NULL, "5"},
    {"MaxDBDMsgs", SHOW_COMPUTED, "", ""},
    {"MaxJobCount", SHOW_TEXT, "10000", "10000"},
    {"MaxJobId", SHOW_TEXT, "67043328", "67043328"},
    {"MaxMemPerNode", SHOW_COMPUTED, "", ""},
    {"MaxNodeCount", SHOW_COMPUTED, "", ""},
    {"MaxStepCount", SHOW_TEXT, "40000", "40000"},
    {"MaxTasksPerNode", SHOW_TEXT, "512", "512"},
    {"MCSPlugin", SHOW_TEXT, "mcs/none", "(null)"},
    {"MCSParameters", SHOW_TEXT, "(null)", "(null)"},
    {"MessageTimeout", SHOW_SEC, "10 sec", "10 sec"},
    {"MetricsAuthUsers", SHOW_TEXT, NULL, "(null)"},
    {"MetricsParameters", SHOW_TEXT, NULL, "(null)"},
    {"MetricsType", SHOW_TEXT, NULL, "(null)"},
    {"MinJobAge", SHOW_SEC, "300 sec", "300 sec"},
    {"MpiDefault", SHOW_PLUGIN, "none", "(null)"},
    {"MpiParams", SHOW_TEXT, "(null)", "(null)"},
    {"NamespaceType", SHOW_TEXT, NULL, "(null)"},
    {"NEXT_JOB_ID", SHOW_COMPUTED, "", ""},
    {"NodeFeaturesPlugins", SHOW_TEXT, "(null)", "(null)"},
    {"OverTimeLimit", SHOW_MIN, "0 min", "0 min"},
    {"PluginDir", SHOW_TEXT, "/usr/lib/slurm", "/usr/lib/slurm"},
    {"PlugStackConfig", SHOW_TEXT, "(null)", "(null)"},
    {"PowerParameters", SHOW_TEXT, "(null)", NULL},
    {"PowerPlugin", SHOW_TEXT, "", NULL},
    {"PreemptMode", SHOW_COMPUTED, "", ""},
    {"PreemptParameters", SHOW_TEXT, NULL, "(null)"},
    {"PreemptType", SHOW_TEXT, "preempt/none", "(null)"},
    {"PreemptExemptTime", SHOW_TIME, "00:00:00", "00:00:00"},
    {"PrEpParameters", SHOW_TEXT, "(null)", "(null)"},
    {"PrEpPlugins", SHOW_TEXT, "prep/script", "prep/script"},
    {"PriorityParameters", SHOW_TEXT, "(null)", "(null)"},
    {"PrioritySiteFactorParameters", SHOW_TEXT, "(null)", "(null)"},
    {"PrioritySiteFactorPlugin", SHOW_TEXT, "(null)", "(null)"},
    {"PriorityDecayHalfLife", SHOW_TIME, "7-00:00:00", "7-00:00:00"},
    {"PriorityCalcPeriod", SHOW_TIME, "00:05:00", "00:05:00"},
    {"PriorityFavorSmall", SHOW_BOOL, "No", "no"},
    {"PriorityFlags", SHOW_COMPUTED, "", ""},
    {"PriorityMaxAge", SHOW_TIME, "7-00:00:00", "7-00:00:00"},
    {"PriorityUsageResetPeriod", SHOW_UPPER, "NONE", NULL},
    {"PriorityType", SHOW_TEXT, "priority/basic", "priority/multifactor"},
    {"PriorityUsageResetPeriod", SHOW_UPPER, NULL, "NONE"},
    {"PriorityWeightAge", SHOW_TEXT, "0", "0"},
    {"PriorityWeightAssoc", SHOW_TEXT, "0", "0"},
    {"PriorityWeightFairShare", SHOW_TEXT, "0", "0"},
    {"PriorityWeightJobSize", SHOW_TEXT, "0", "0"},
    {"PriorityWeightPartition", SHOW_TEXT, "0", "0"},
    {"PriorityWeightQOS", SHOW_TEXT, "0", "0"},
    {"PriorityWeightTRES", SHOW_TEXT, "(null)", "(null)"},
    {"PrivateData", SHOW_TEXT, "none", "none"},
    {"ProctrackType", SHOW_TEXT, "proctrack/cgroup", "proctrack/cgroup"},
    {"Prolog", SHOW_TEXT, "(null)", NULL},
    {"PrologEpilogTimeout", SHOW_TEXT, "65534", "65534"},
    {"PrologSlurmctld", SHOW_TEXT, "(null)", NULL},
    {"PrologFlags", SHOW_TEXT, "(null)", "(null)"},
    {"PropagatePrioProcess", SHOW_TEXT, "0", "0"},
    {"PropagateResourceLimits", SHOW_UPPER, "ALL", "ALL"},
    {"PropagateResourceLimitsExcept", SHOW_TEXT, "(null)", "(null)"},
    {"RebootProgram", SHOW_TEXT, "(null)", "(null)"},
    {"ReconfigFlags", SHOW_TEXT, "(null)", "(null)"},
    {"RequeueExit", SHOW_TEXT, "(null)", "(null)"},
    {"RequeueExitHold", SHOW_TEXT, "(null)", "(null)"},
    {"ResumeFailProgram", SHOW_TEXT, "(null)", "(null)"},
    {"ResumeProgram", SHOW_TEXT, "(null)", "(null)"},
    {"ResumeRate", SHOW_RATE, "300 nodes/min", "300 nodes/min"},
    {"ResumeTimeout", SHOW_SEC, "60 sec", "60 sec"},
    {"ResvEpilog", SHOW_TEXT, "(null)", "(null)"},
    {"ResvOverRun", SHOW_MIN, "0 min", "0 min"},
    {"ResvProlog", SHOW_TEXT, "(null)", "(null)"},
    {"ReturnToService", SHOW_TEXT, "0", "0"},
    {"RoutePlugin", SHOW_TEXT, "route/default", NULL},
    {"SchedulerParameters", SHOW_TEXT, "(null)", "(null)"},
    {"SchedulerTimeSlice", SHOW_SEC, "30 sec", "30 sec"},
    {"SchedulerType", SHOW_TEXT, "sched/backfill", "sched/backfill"},
    {"ScronParameters", SHOW_TEXT, "(null)", "(null)"},
    {"SelectType", SHOW_TEXT, "select/linear", "select/cons_tres"},
    {"SelectTypeParameters", SHOW_COMPUTED, "", ""},
    {"SerializerParameters", SHOW_TEXT, NULL, "(null)"},
    {"SerializerPlugins", SHOW_TEXT, NULL, "(null)"},
    {"SlurmUser", SHOW_USER, "root(0)", "root(0)"},
    {"SlurmctldAddr", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmctldDebug", SHOW_TEXT, "info", "info"},
    {"SlurmctldHost", SHOW_COMPUTED, "", ""},
    {"SlurmctldHttpAuthParameters", SHOW_TEXT, NULL, "(null)"},
    {"SlurmctldLogFile", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmctldPort", SHOW_TEXT, "6817", "6817"},
    {"SlurmctldSyslogDebug", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmctldPrimaryOffProg", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmctldPrimaryOnProg", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmctldTimeout", SHOW_SEC, "120 sec", "120 sec"},
    {"SlurmctldParameters", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmdDebug", SHOW_TEXT, "info", "info"},
    {"SlurmdHttpAuthParameters", SHOW_TEXT, NULL, "(null)"},
    {"SlurmdLogFile", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmdParameters", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmdPidFile", SHOW_TEXT, "/var/run/slurmd.pid", "/var/run/slurmd.pid"},
    {"SlurmdPort", SHOW_TEXT, "6818", "6818"},
    {"SlurmdSpoolDir", SHOW_TEXT, "/var/spool/slurmd", "/var/spool/slurmd"},
    {"SlurmdSyslogDebug", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmdTimeout", SHOW_SEC, "300 sec", "300 sec"},
    {"SlurmdUser", SHOW_USER, "root(0)", "root(0)"},
    {"SlurmrestdHttpAuthParameters", SHOW_TEXT, NULL, "(null)"},
    {"SlurmrestdParameters", SHOW_TEXT, NULL, "(null)"},
    {"SlurmSchedLogFile", SHOW_TEXT, "(null)", "(null)"},
    {"SlurmSchedLogLevel", SHOW_TEXT, "0", "0"},
    {"SlurmstepdParameters", SHOW_TEXT, NULL, "(null)"},
    {"SlurmctldPidFile", SHOW_TEXT, "/var/run/slurmctld.pid", "/var/run/slurmctld.pid"},
    {"SlurmctldPlugstack", SHOW_TEXT, "(null)", NULL},
    {"SLURM_CONF", SHOW_COMPUTED, "", ""},
    {"SLURM_VERSION", SHOW_COMPUTED, "", ""},
    {"SrunEpilog", SHOW_TEXT, "(null)", "(null)"},
    {"SrunPortRange", SHOW_TEXT, "0-0", "0-0"},
    {"SrunProlog", SHOW_TEXT, "(null)", "(null)"},
    {"StateSaveLocation", SHOW_TEXT, "/var/spool", "/var/spool"},
    {"SuspendExcNodes", SHOW_TEXT, "(null)", "(null)"},
    {"SuspendExcParts", SHOW_TEXT, "(null)", "(null)"},
    {"SuspendExcStates", SHOW_TEXT, NULL, "(null)"},
    {"SuspendProgram", SHOW_TEXT, "(null)", "(null)"},
    {"SuspendRate", SHOW_RATE, "60 nodes/min", "60 nodes/min"},
    {"SuspendTime", SHOW_SUSPEND, "INFINITE", "INFINITE"},
    {"SuspendTimeout", SHOW_SEC, "30 sec", "30 sec"},
    {"SwitchParameters", SHOW_TEXT, "(null)", "(null)"},
    {"SwitchType", SHOW_TEXT, "switch/none", "(null)"},
    {"TaskEpilog", SHOW_TEXT, "(null)", "(null)"},
    {"TaskPlugin", SHOW_TEXT, "task/none", "(null)"},
    {"TaskPluginParam", SHOW_TEXT, "(null type)", "(null type)"},
    {"TaskProlog", SHOW_TEXT, "(null)", "(null)"},
    {"TCPTimeout", SHOW_SEC, "2 sec", "2 sec"},
    {"TLSParameters", SHOW_TEXT, NULL, "(null)"},
    {"TLSType", SHOW_TEXT, NULL, "tls/none"},
    {"TmpFS", SHOW_TEXT, "/tmp", "/tmp"},
    {"TopologyParam", SHOW_TEXT, "(null)", "(null)"},
    {"TopologyPlugin", SHOW_TEXT, "topology/default", "topology/flat"},
    {"TrackWCKey", SHOW_BOOL, "No", "no"},
    {"TreeWidth", SHOW_TEXT, "50", "16"},
    {"UsePam", SHOW_BOOL, "No", "no"},
    {"UnkillableStepProgram", SHOW_TEXT, "(null)", "(null)"},
    {"UnkillableStepTimeout", SHOW_COMPUTED, "", ""},
    {"UrlParserType", SHOW_TEXT, NULL, "(null)"},
    {"VSizeFactor", SHOW_PERCENT, "0 percent", "0 percent"},
    {"WaitTime", SHOW_SEC, "0 sec", "0 sec"},
    {"X11Parameters", SHOW_TEXT, "(null)", "(null)"},
};

static void row_free(void *data)
{
	struct conf_row *row = data;

	g_free(row->name);
	g_free(row->value);
	g_free(row);
}

static void add_row(GPtrArray *rows, const char *name, char *value, const struct conf_origin *at, bool derived)
{
	struct conf_row *row = g_new0(struct conf_row, 1);

	row->name = g_strdup(name);
	row->value = value;
	row->at = at;
	row->derived = derived;
	g_ptr_array_add(rows, row);
}

/* SlurmctldHost[0], SlurmctldHost[1]...; one without a value when none is given. */
static void add_hosts(GPtrArray *rows, const struct conf_origins *o)
{
	char key[48];

	for (guint i = 0;; i++) {
		g_snprintf(key, sizeof key, "SlurmctldHost[%u]", i);
		const struct conf_origin *at = conf_origins_get(o, key);

		if (!at && i == 0)
			at = conf_origins_get(o, "ControlMachine");
		if (!at && i > 0)
			return;
		add_row(rows, key, g_strdup(at ? at->value : "(null)"), at, false);
	}
}

/* Scripts that later releases show as a list, and only when given. */
static bool is_script(const char *name)
{
	static const char *const names[] = {"Epilog", "EpilogSlurmctld", "Prolog", "PrologSlurmctld"};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void add_script(GPtrArray *rows, const struct conf_show_key *k, const struct conf_origins *o)
{
	const struct conf_origin *at = conf_origins_get(o, k->name);
	char *name = g_strconcat(k->name, "[0]", NULL);

	if (at)
		add_row(rows, name, g_strdup(at->value), at, false);
	g_free(name);
}

static void add_key(GPtrArray *rows, const struct conf_show_key *k, const struct cluster *c,
                    const struct conf_origins *o, sec_t boot)
{
	bool old = c->params->version == SLURM_22_05;
	const char *otherwise = old ? k->default22 : k->default26;

	if (strcmp(k->name, "SlurmctldHost") == 0) {
		add_hosts(rows, o);
	} else if (!otherwise) {
		if (!old && is_script(k->name))
			add_script(rows, k, o);
	} else if (k->form == SHOW_COMPUTED) {
		struct conf_shown v = conf_show_computed(k, c, o, boot);

		add_row(rows, v.name, v.value, v.at, v.derived);
	} else {
		const struct conf_origin *at = conf_origins_get(o, k->name);

		add_row(rows, k->name, at ? conf_show_value(k->form, at->value, old) : g_strdup(otherwise), at, false);
	}
}

GPtrArray *conf_show(const struct cluster *c, const struct conf_origins *o, sec_t boot)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);

	for (gsize i = 0; i < G_N_ELEMENTS(show_keys); i++)
		add_key(rows, &show_keys[i], c, o, boot);
	return rows;
}

char *conf_row_source(const struct conf_row *row)
{
	if (row->at && row->at->line)
		return g_strdup_printf("%s:%u", row->at->file, row->at->line);
	if (row->at)
		return g_strdup(row->at->file);
	return g_strdup(row->derived ? "derived" : "default");
}

char *conf_show_text(const GPtrArray *rows, const struct conf_origins *o, const struct cgroup_conf *cgroup, sec_t now,
                     bool marks)
{
	char *date = date_format(now, NULL);
	GString *out = g_string_new(NULL);
	const struct conf_origin *host = conf_origins_get(o, "SlurmctldHost[0]");
	gsize name = host ? strcspn(host->value, "(") : 0;

	g_string_append_printf(out, "Configuration data as of %s\n", date);
	for (guint i = 0; i < rows->len; i++) {
		const struct conf_row *row = rows->pdata[i];
		char *source = conf_row_source(row);

		g_string_append_printf(out, "%-23s = %s", row->name, row->value);
		if (marks)
			g_string_append_printf(out, "  # %s", source);
		g_string_append_c(out, '\n');
		g_free(source);
	}
	char *section = cgroup ? cgroup_conf_show(cgroup) : g_strdup("");
	if (*section)
		g_string_append_printf(out, "\n%s", section);
	g_free(section);
	g_string_append_printf(out, "\nSlurmctld(primary) at %.*s is UP\n", host ? (int)name : 9,
	                       host ? host->value : "localhost");
	g_free(date);
	return g_string_free(out, FALSE);
}

char *conf_show_json(const GPtrArray *rows, const struct cluster *c)
{
	cJSON *root = cJSON_CreateObject();

	cJSON_AddStringToObject(root, "cluster", c->params->cluster_name);
	cJSON_AddStringToObject(root, "slurm_version", c->params->version == SLURM_22_05 ? "22.05" : "26.05");
	cJSON *all = cJSON_AddObjectToObject(root, "parameters");
	for (guint i = 0; i < rows->len; i++) {
		const struct conf_row *row = rows->pdata[i];
		cJSON *one = cJSON_AddObjectToObject(all, row->name);

		if (strcmp(row->value, "(null)"))
			cJSON_AddStringToObject(one, "value", row->value);
		else
			cJSON_AddNullToObject(one, "value");
		cJSON_AddStringToObject(one, "source",
		                        row->at        ? row->at->line ? "file" : "set"
		                        : row->derived ? "derived"
		                                       : "default");
		if (row->at && row->at->line) {
			cJSON_AddStringToObject(one, "file", row->at->file);
			cJSON_AddNumberToObject(one, "line", row->at->line);
		} else if (row->at) {
			cJSON_AddStringToObject(one, "set", row->at->file);
		}
	}
	char *printed = cJSON_Print(root), *text = g_strconcat(printed, "\n", NULL);
	cJSON_free(printed);
	cJSON_Delete(root);
	return text;
}
