/* confwrite_test.c - printing what was read and reading it again gives the same structures, over generated
 * configurations. */
#include "tests/unit/models_helper.h"
#include "tests/unit/cluster_text.h"
#include "models/confwrite.h"
#include "models/slurmconf.h"
#include <stdlib.h>

#define ROUNDS 150

static GRand *dice;

static int pick(int n)
{
	return g_rand_int_range(dice, 0, n);
}

static bool maybe(int percent)
{
	return pick(100) < percent;
}

#define ADD(...) g_string_append_printf(o, __VA_ARGS__)

/* A comma list of some of WORDS (NULL at the end), or "". */
static void some(GString *o, const char *prefix, const char *const *words, int percent)
{
	bool any = false;

	for (; *words; words++)
		if (maybe(percent)) {
			ADD("%s%s", any ? "," : prefix, *words);
			any = true;
		}
	if (any)
		ADD("\n");
}
#define SOME(prefix, percent, ...) some(o, prefix, (const char *const[]){__VA_ARGS__, NULL}, percent)

static void random_parameters(GString *o, enum slurm_version v, bool preempt_qos)
{
	static const char *const units[] = {"CR_Core",       "CR_Core_Memory", "CR_CPU",
	                                    "CR_CPU_Memory", "CR_Socket",      "CR_Socket_Memory"};

	ADD("ClusterName=tern%d\nSelectType=select/cons_tres\nSelectTypeParameters=%s%s%s%s\n", pick(9), units[pick(6)],
	    maybe(20) ? ",CR_LLN" : "", maybe(20) ? ",CR_Pack_Nodes" : "",
	    maybe(20) ? ",CR_CORE_DEFAULT_DIST_BLOCK" : "");
	ADD("AccountingStorageType=accounting_storage/slurmdbd\nGresTypes=gpu,nic,shard\n");
	ADD("AccountingStorageTRES=gres/gpu,gres/gpu:a,gres/nic,license/m\nLicenses=m:%d,x:1\n", pick(20) + 1);
	SOME("AccountingStorageEnforce=", 40, "associations", "limits", "qos", "safe", "nojobs");
	SOME("PriorityFlags=", 20, "ACCRUE_ALWAYS", "SMALL_RELATIVE_TO_TIME", "CALCULATE_RUNNING", "DEPTH_OBLIVIOUS",
	     "NO_FAIR_TREE", "INCR_ONLY", "MAX_TRES", "NO_NORMAL_ASSOC", "NO_NORMAL_PART", "NO_NORMAL_QOS",
	     "NO_NORMAL_TRES");
	SOME("SchedulerParameters=", 25, "bf_window=4320", "bf_resolution=300", "bf_interval=60", "bf_continue",
	     "defer", "bf_max_job_test=900", "bf_max_job_user=10", "bf_max_job_part=7", "default_queue_depth=7",
	     "partition_job_depth=3", "sched_interval=-1", "bf_licenses", "bf_min_prio_reserve=12345678901",
	     "bf_min_age_reserve=60", "batch_sched_delay=9", "requeue_delay=7", "max_array_tasks=50",
	     "pack_serial_at_end", "assoc_limit_stop", "sched_min_interval=2000000", "bf_max_time=44",
	     "preempt_youngest_first", "bf_one_resv_per_job", "bf_busy_nodes", "bf_window_linear=30",
	     "max_switch_wait=99", "sched_max_job_start=5");
	if (maybe(60))
		ADD("PriorityType=priority/%s\n", maybe(70) ? "multifactor" : "basic");
	for (int i = 0; i < 6; i++) {
		static const char *const keys[] = {"Age", "Fairshare", "JobSize", "Partition", "QOS", "Assoc"};
		if (maybe(50))
			ADD("PriorityWeight%s=%d\n", keys[i], pick(100000));
	}
	if (maybe(40))
		ADD("PriorityWeightTRES=CPU=%d,Mem=0.5,GRES/gpu=%d\n", pick(900), pick(9000));
	if (maybe(30))
		ADD("PriorityMaxAge=%d-0\nPriorityDecayHalfLife=%d-0\nPriorityCalcPeriod=%d\n", pick(20), pick(20),
		    pick(30) + 1);
	if (maybe(30))
		ADD("PriorityUsageResetPeriod=%s\n",
		    (const char *const[]){"NONE", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"}[pick(5)]);
	if (maybe(30))
		ADD("DefMemPer%s=%d\n", maybe(50) ? "CPU" : "Node", pick(9000) + 1);
	if (maybe(30))
		ADD("MaxMemPer%s=%d\n", maybe(50) ? "CPU" : "Node", pick(9000) + 1);
	if (maybe(30))
		ADD("DefCpuPerGPU=%d\nDefMemPerGPU=%d\n", pick(9), pick(9000));
	if (maybe(30))
		ADD("OverTimeLimit=%s\n", maybe(50) ? "UNLIMITED" : "17");
	if (maybe(30))
		ADD("KillWait=%d\nMinJobAge=%d\nMaxJobCount=%d\nMaxArraySize=%d\nMessageTimeout=%d\n", pick(90),
		    pick(900), pick(9000) + 1, pick(4000), pick(100) + 1);
	if (maybe(30))
		ADD("EnforcePartLimits=%s\nDependencyParameters=kill_invalid_depend,max_depend_depth=%d\n",
		    maybe(50) ? "ALL" : "ANY", pick(30));
	SOME("JobSubmitPlugins=", 30, "all_partitions", "require_timelimit");
	if (preempt_qos)
		ADD("PreemptType=preempt/qos\nPreemptMode=%s\nPreemptExemptTime=%d:00\n",
		    maybe(50) ? "REQUEUE" : "CANCEL", pick(90));
	if (maybe(30))
		ADD("RequeueExit=1-9,18\nRequeueExitHold=%d,255\n", 20 + pick(200));
	if (maybe(20))
		ADD("DisableRootJobs=YES\nJobRequeue=NO\nMaxBatchRequeue=%d\nCompleteWait=%d\nResvOverRun=%d\n",
		    pick(9), pick(9), pick(9));
	if (v != SLURM_22_05)
		SOME("TopologyParam=", 30, "Dragonfly", "TopoOptional", "SwitchAsNodeRank");
	ADD("FairShareDampeningFactor=%d\n", pick(5) + 1);
}

static void random_nodes(GString *o)
{
	for (int i = 0; i < 4; i++) {
		int sockets = pick(2) + 1, cores = pick(8) + 4, threads = pick(2) + 1;

		ADD("NodeName=%c[1-%d] Sockets=%d CoresPerSocket=%d ThreadsPerCore=%d RealMemory=%d", 'a' + i,
		    pick(5) + 8, sockets, cores, threads, pick(90000) + 2000);
		if (maybe(30))
			ADD(" CPUs=%d", sockets * cores);
		if (maybe(30))
			ADD(" Weight=%d TmpDisk=%d", pick(9), pick(90));
		if (maybe(30))
			ADD(" Features=f%d,Big", pick(3));
		if (maybe(20))
			ADD(" MemSpecLimit=%d", pick(900) + 1);
		if (maybe(20))
			ADD(maybe(50) ? " CoreSpecCount=%d" : " CpuSpecList=%d", pick(3) + 1);
		if (i < 2)
			ADD(" Gres=%s", (const char *const[]){"gpu:a:4", "gpu:4", "gpu:a:2,gpu:b:2",
			                                      "gpu:a:4,shard:8,nic:2"}[pick(4)]);
		if (maybe(20))
			ADD(" State=%s Reason=\"ticket %d\\#7 gone\"",
			    (const char *const[]){"DOWN", "DRAIN", "FAIL", "FUTURE"}[pick(4)], pick(99));
		ADD("\n");
	}
	ADD("NodeName=e[008-011],f-x[1-2]y[01-02] CPUs=4 RealMemory=100\n");
	if (maybe(30))
		ADD("DownNodes=a[2-3] State=DRAIN Reason=\"fan\"\n");
}

static void random_partitions(GString *o)
{
	static const char *const nodes[] = {"ALL", "a[2-4],b[3-5]", "c[2-8]", "d[5-7],a5", "set1"};

	ADD("NodeSet=set1 Nodes=c[2-3] Feature=Big\n");
	if (maybe(50))
		ADD("PartitionName=DEFAULT MaxTime=%d State=UP DefaultTime=10\n", pick(9000) + 10);
	for (int i = 0; i < 4; i++) {
		ADD("PartitionName=p%d Nodes=%s", i, nodes[pick(5)]);
		if (maybe(20))
			ADD(" Default=YES");
		if (maybe(30))
			ADD(" MaxTime=%d-12:00:00 DefaultTime=%d", pick(20), pick(90) + 1);
		if (maybe(30))
			ADD(" MinNodes=%d MaxNodes=%d MaxCPUsPerNode=%d MaxCPUsPerSocket=%d", pick(2), pick(9) + 1,
			    pick(9) + 1, pick(9) + 1);
		if (maybe(30))
			ADD(" DefMemPerCPU=%d MaxMemPerNode=%d", pick(999), pick(9999));
		if (maybe(30))
			ADD(" PriorityTier=%d PriorityJobFactor=%d GraceTime=%d", pick(99), pick(99), pick(99));
		if (maybe(40))
			ADD(" OverSubscribe=%s", (const char *const[]){"NO", "YES:3", "FORCE:2", "EXCLUSIVE"}[pick(4)]);
		if (maybe(20))
			ADD(" ExclusiveUser=YES RootOnly=YES Hidden=YES LLN=YES ReqResv=YES");
		if (maybe(30))
			ADD(" QOS=q1 AllowQos=q1,q2 DenyAccounts=acc1");
		if (maybe(20))
			ADD(" AllowAccounts=acc1,acc2 OverTimeLimit=%s", maybe(50) ? "UNLIMITED" : "3");
		if (maybe(30))
			ADD(" TRESBillingWeights=\"CPU=1.%d,Mem=0.25G,GRES/gpu=%d.5\"", pick(9), pick(9));
		if (maybe(20))
			ADD(" State=%s", (const char *const[]){"UP", "DOWN", "DRAIN", "INACTIVE"}[pick(4)]);
		if (maybe(20))
			ADD(" DefCpuPerGPU=%d DefMemPerGPU=%d", pick(9), pick(900));
		ADD("\n");
	}
}

static char *random_gres(void)
{
	GString *o = g_string_new("");

	if (maybe(40)) {
		ADD("NodeName=a[1-20] Name=gpu File=/dev/nvidia[0-3] Cores=0-3\n");
		ADD("NodeName=b[1-20] Name=gpu File=/dev/nvidia[0-1] Cores=0-1\nNodeName=b[1-20] Name=gpu "
		    "File=/dev/nvidia[2-3]\n");
	} else if (maybe(50)) {
		for (int i = 0; i < 4; i++) {
			ADD("Name=gpu File=/dev/nvidia%d Links=", i);
			for (int k = 0; k < 4; k++)
				ADD("%s%d", k ? "," : "", k == i ? -1 : 2);
			ADD(" Cores=%d-%d\n", i, i + 1);
		}
	} else {
		ADD("AutoDetect=nvml\n");
	}
	if (maybe(50))
		ADD("Name=shard Count=8\nName=nic File=/dev/nic[0-1]\n");
	return g_string_free(o, FALSE);
}

static void random_limits(GString *o, bool qos)
{
	if (maybe(30))
		ADD(":GrpTRES=cpu=%d,gres/gpu=%d", pick(900), pick(90));
	if (maybe(20))
		ADD(":GrpTRESMins=cpu=%d:GrpTRESRunMins=mem=%d:GrpWall=%d", pick(900), pick(90), pick(900));
	if (maybe(20))
		ADD(":GrpJobs=%d:GrpSubmitJobs=%d:GrpJobsAccrue=%d", pick(9), pick(9), pick(9));
	if (maybe(20))
		ADD(":MaxTRESPerJob=node=%d:MaxTRESPerNode=cpu=%d:MaxTRESMinsPerJob=cpu=%d", pick(9), pick(9),
		    pick(999));
	if (maybe(20))
		ADD(":MaxWallDurationPerJob=%d:MinPrioThresh=%d", pick(900), pick(900));
	if (maybe(20) && !qos)
		ADD(":MaxJobs=%d:MaxSubmitJobs=%d:MaxJobsAccrue=-1:Priority=%d", pick(9), pick(9), pick(9));
	if (maybe(20) && qos)
		ADD(":MaxJobsPU=%d:MaxJobsPA=%d:MaxSubmitJobsPU=%d:MaxSubmitJobsPA=%d:MaxTRESPerUser=cpu=%d:"
		    "MaxTRESPerAccount=gres/gpu=%d",
		    pick(9), pick(9), pick(9), pick(9), pick(99), pick(99));
	if (maybe(20) && qos)
		ADD(":MaxTRESRunMinsPerUser=cpu=%d:MinTRESPerJob=cpu=%d:MaxJobsAccruePU=%d:MaxJobsAccruePA=%d",
		    pick(99), pick(9), pick(9), pick(9));
}

static char *random_accounts(void)
{
	GString *o = g_string_new("QOS - 'normal':Description='x'\n");

	for (int i = 1; i <= 3; i++) {
		ADD("QOS - 'q%d'", i);
		if (maybe(40))
			ADD(":Flags='%s'", (const char *const[]){"DenyOnLimit", "DenyOnLimit,NoDecay",
			                                         "OverPartQOS,PartitionTimeLimit"}[pick(3)]);
		if (maybe(40))
			ADD(":Priority=%d:UsageFactor=%d.5:GraceTime=%d:PreemptExemptTime=%d", pick(999), pick(3),
			    pick(99), pick(99));
		if (maybe(30))
			ADD(":Preempt='normal':PreemptMode='%s'", maybe(50) ? "requeue" : "cancel,within");
		if (maybe(20))
			ADD(":LimitFactor=1.25:UsageThreshold=0.125");
		random_limits(o, true);
		ADD("\n");
	}
	ADD("Cluster - 'tern':Fairshare=1:QOS='normal,q1'\nParent - 'root'\nUser - "
	    "'root':DefaultAccount='root':AdminLevel='Administrator'\n");
	for (int i = 1; i <= 3; i++) {
		ADD("Account - 'acc%d':Fairshare=%d", i, pick(99));
		if (maybe(40))
			ADD(":QOS='normal,q2,q1':DefaultQOS='q2'");
		random_limits(o, false);
		ADD("\n");
	}
	for (int i = 1; i <= 3; i++) {
		ADD("Parent - 'acc%d'\n", i);
		if (i == 1)
			ADD("Account - 'sub':Fairshare=parent\n");
		for (int u = 0; u < 3; u++) {
			ADD("User - 'u%d%d':DefaultAccount='acc%d':Fairshare=%s", i, u, i, maybe(30) ? "parent" : "7");
			random_limits(o, false);
			ADD("\n");
			if (maybe(30))
				ADD("User - 'u%d%d':Partition='p1':DefaultAccount='acc%d':Fairshare=2\n", i, u, i);
		}
	}
	ADD("Parent - 'sub'\nUser - 'u10':DefaultAccount='acc1':Fairshare=3\n");
	return g_string_free(o, FALSE);
}

static char *random_topology(enum slurm_version v, const char **name, GString *o)
{
	int kind = pick(3);

	*name = "topology.conf";
	if (kind == 0)
		return g_strdup("");
	ADD("TopologyPlugin=topology/%s\n", kind == 1 ? "tree" : "block");
	if (v != SLURM_22_05 && maybe(40)) {
		*name = "topology.yaml";
		return g_strdup(
		    "- topology: t1\n  cluster_default: true\n  tree:\n    switches:\n      - switch: top\n        "
		    "children: s[1-2]\n"
		    "      - switch: s1\n        nodes: c[2-5]\n      - switch: s2\n        nodes: d[5-7]\n"
		    "- topology: b1\n  cluster_default: false\n  block:\n    block_sizes: [2, 4, 8]\n    blocks:\n"
		    "      - block: k1\n        nodes: c[2-5]\n      - block: k2\n        nodes: d[5-8]\n"
		    "- topology: f1\n  cluster_default: false\n  flat: true\n"
		    "- topology: r1\n  cluster_default: false\n  ring:\n    rings:\n      - ring: o1\n        nodes: "
		    "d6,d5,d7\n");
	}
	return g_strdup(kind == 1 ? "SwitchName=s1 Nodes=c[2-5]\nSwitchName=s2 Nodes=d[5-8]\nSwitchName=s3 "
	                            "Nodes=a[2-4]\nSwitchName=m Switches=s[1-2]\nSwitchName=top Switches=m,s3\n"
	                          : "BlockName=k1 Nodes=c[2-5]\nBlockName=k2 Nodes=d[5-8]\nBlockSizes=2,4\n");
}

static struct cluster *read_folder(const char *dir, enum slurm_version v, bool accounts, struct diag *d)
{
	char *conf = g_build_filename(dir, "slurm.conf", NULL),
	     *dump = g_build_filename(dir, "sacctmgr-dump.cfg", NULL);
	struct slurmconf_options o = {.version = v, .accounting_path = accounts ? dump : NULL};
	struct cluster *c = slurmconf_read(conf, &o, d);

	g_free(conf);
	g_free(dump);
	return c;
}

/* A cluster of random files; prints them when they are refused. */
static struct cluster *random_cluster(const char *dir, enum slurm_version v)
{
	GString *o = g_string_new(NULL);
	struct diag *d = diag_new();
	const char *topology_name;

	random_parameters(o, v, maybe(40));
	char *topology = random_topology(v, &topology_name, o), *gres = random_gres(), *accounts = random_accounts();
	random_nodes(o);
	random_partitions(o);
	g_free(dir_file(dir, "slurm.conf", o->str));
	g_free(dir_file(dir, "gres.conf", gres));
	g_free(dir_file(dir, "sacctmgr-dump.cfg", accounts));
	if (*topology)
		g_free(dir_file(dir, topology_name, topology));
	struct cluster *c = read_folder(dir, v, true, d);
	if (!c) {
		print_error("%s---\n%s---\n%s---\n%s\n", o->str, gres, topology, accounts);
		assert_clean(d);
	}
	g_free(topology);
	g_free(gres);
	g_free(accounts);
	g_string_free(o, TRUE);
	diag_free(d);
	return c;
}

static void one_round(enum slurm_version v)
{
	char *dir = dir_new(), *again = dir_new();
	struct cluster *a = random_cluster(dir, v);
	struct diag *d = diag_new();
	GError *error = NULL;

	assert_true(confwrite_folder(a, again, &error));
	struct cluster *b = read_folder(again, v, true, d);
	assert_clean(d);
	char *x = cluster_text(a, TEXT_ALL & ~TEXT_ACCOUNTS), *y = cluster_text(b, TEXT_ALL & ~TEXT_ACCOUNTS);
	char *q = accounts_text_sorted(a->acct), *r = accounts_text_sorted(b->acct);
	char *s = confwrite_slurm_conf(a), *t = confwrite_slurm_conf(b);
	if (strcmp(x, y))
		print_error("%s\n", s);
	assert_same_text(x, y);
	assert_same_text(q, r);
	assert_string_equal(s, t);
	g_free(q);
	g_free(r);
	g_free(x);
	g_free(y);
	g_free(s);
	g_free(t);
	cluster_free(a);
	cluster_free(b);
	diag_free(d);
	dir_drop(dir);
	dir_drop(again);
}

static void generated_configurations(void **state)
{
	(void)state;
	for (guint32 seed = 1; seed <= ROUNDS; seed++) {
		dice = g_rand_new_with_seed(seed);
		one_round(seed % 3 ? SLURM_26 : SLURM_22_05);
		g_rand_free(dice);
	}
}

/* The ready scenarios and the recorded site too. */
static void ready_configurations(void **state)
{
	static const char *const confs[] = {"scenarios/first-look/slurm.conf", "scenarios/h100-a100-month/slurm.conf",
	                                    "tests/site/26.11/slurm.conf", "tests/site/22.05/slurm.conf"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(confs); i++) {
		enum slurm_version v = i == 3 ? SLURM_22_05 : SLURM_26;
		struct slurmconf_options o = {.version = v};
		struct diag *d = diag_new();
		struct cluster *a = slurmconf_read(confs[i], &o, d);
		char *dir = dir_new();

		assert_clean(d);
		assert_true(confwrite_folder(a, dir, NULL));
		struct cluster *b = read_folder(dir, v, false, d);
		assert_clean(d);
		char *x = cluster_text(a, TEXT_ALL & ~TEXT_ACCOUNTS), *y = cluster_text(b, TEXT_ALL & ~TEXT_ACCOUNTS);
		assert_same_text(x, y);
		g_free(x);
		g_free(y);
		cluster_free(a);
		cluster_free(b);
		diag_free(d);
		dir_drop(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(generated_configurations),
	                                   cmocka_unit_test(ready_configurations)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
