/* slurmconf_test.c - slurm.conf into a cluster: keys, nodes, partitions, overrides, errors (spec slurm-conf.md). */
#include "tests/unit/models_helper.h"
#include "models/slurmconf.h"
#include "sched/acct.h"

#define TAIL "\nNodeName=n[1-4] CPUs=8 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n"

static struct cluster *read_text(const char *text, const struct slurmconf_options *o, struct diag *d)
{
	return slurmconf_read_text(text, "s.conf", o, d);
}

/* A cluster from TEXT without errors and with WARNINGS; the caller frees. */
static struct cluster *good(const char *text, guint warnings)
{
	struct diag *d = diag_new();
	struct cluster *c = read_text(text, NULL, d);

	assert_clean(d);
	assert_non_null(c);
	assert_warnings(d, warnings);
	diag_free(d);
	return c;
}

static char *with_tail(const char *text)
{
	return g_strconcat(text, TAIL, NULL);
}

static void node_lines(void **state)
{
	struct cluster *c =
	    good("NodeName=DEFAULT Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=64000 Feature=a,b\n"
	         "NodeName=n[10,2] Weight=5\nnodename=n1 procs=8 TmpDisk=10 MemSpecLimit=64000\n"
	         "NodeName=m[1-2] Boards=2 SocketsPerBoard=2 ThreadsPerCore=1\nNodeName=m3 Boards=2 SocketsPerBoard=2 "
	         "ThreadsPerCore=1\n"
	         "PartitionName=p Nodes=n1,m[1-3] Default=YES\n",
	         1 + 2); /* MemSpecLimit; Sockets beside SocketsPerBoard */
	(void)state;
	assert_int_equal(c->n_nodes, 6);
	assert_int_equal(c->configs->len, 3);
	assert_int_equal(cluster_find_node(c, "n10")->config->weight, 5);
	assert_int_equal(cluster_find_node(c, "n1")->config->cpus_per_core, 1); /* 8 CPUs on 8 cores with 2 threads */
	assert_int_equal(cluster_find_node(c, "n1")->config->mem_spec_limit, 0);
	assert_int_equal(cluster_find_node(c, "m3")->config->sockets, 4);
	assert_int_equal(c->default_partition->total_nodes, 4);
	cluster_free(c);
}

static void node_shapes(void **state)
{
	struct cluster *c = good("NodeName=a CPUs=16\nNodeName=b CPUs=16 CoresPerSocket=4 ThreadsPerCore=2\nNodeName=c "
	                         "Sockets=2 CoresPerSocket=8 ThreadsPerCore=2\n"
	                         "NodeName=d CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2\nNodeName=e[1-2] "
	                         "CPUs=7 Sockets=2 CoresPerSocket=2\n"
	                         "NodeName=f Boards=2 SocketsPerBoard=2 CoresPerSocket=4\nPartitionName=p Nodes=ALL\n",
	                         1);
	const struct node_config *k;

	(void)state;
	k = cluster_find_node(c, "a")->config;
	assert_int_equal(k->sockets, 16);
	assert_int_equal(k->cores, 16);
	k = cluster_find_node(c, "b")->config;
	assert_int_equal(k->sockets, 2);
	assert_int_equal(k->cores, 8);
	assert_int_equal(k->cpus_per_core, 2);
	k = cluster_find_node(c, "c")->config;
	assert_int_equal(k->cpus, 32);
	assert_int_equal(k->cpus_per_core, 2);
	k = cluster_find_node(c, "d")->config; /* CPUs == cores: hyperthreads are not schedulable */
	assert_int_equal(k->cpus, 16);
	assert_int_equal(k->cpus_per_core, 1);
	k = cluster_find_node(c, "e1")->config; /* CPUs fit nothing: reset */
	assert_int_equal(k->cpus, 4);
	assert_int_equal(k->real_memory, 1);
	k = cluster_find_node(c, "f")->config;
	assert_int_equal(k->sockets, 4);
	assert_int_equal(k->boards, 2);
	assert_int_equal(c->total_cpus, 16 + 16 + 32 + 16 + 2 * 4 + 16);
	cluster_free(c);
}

static void node_defaults_and_records(void **state)
{
	struct cluster *c =
	    good("NodeName=x1 CPUs=4\nNodeName=DEFAULT CPUs=8 Feature=a,b Weight=3\nNodeName=DEFAULT RealMemory=500\n"
	         "NodeName=n[1-2]\nNodeName=n10\nNodeName=n3 Weight=4 Feature=\"\"\nPartitionName=p Nodes=ALL\n",
	         0);
	(void)state;
	assert_int_equal(c->n_nodes, 5);
	assert_string_equal(c->node[0]->name, "n1");
	assert_string_equal(c->node[3]->name, "n10"); /* natural order */
	assert_int_equal(c->configs->len, 3);         /* the lines of n[1-2] and n10 are equal in everything */
	assert_ptr_equal(cluster_find_node(c, "n1")->config, cluster_find_node(c, "n10")->config);
	assert_int_equal(cluster_find_node(c, "x1")->config->weight, 1);
	assert_int_equal(cluster_find_node(c, "n1")->config->weight, 3);
	assert_int_equal(cluster_find_node(c, "n1")->config->real_memory, 500);
	assert_string_equal(cluster_find_node(c, "n1")->config->features[1], "b");
	assert_null(cluster_find_node(c, "n3")->config->features[0]);
	cluster_free(c);
}

static void node_states(void **state)
{
	struct cluster *c = good("NodeName=n[1-4] CPUs=1\nNodeName=d State=DRAIN Reason=\"bad disk\" "
	                         "CPUs=1\nNodeName=f State=FUTURE CPUs=1\n"
	                         "DownNodes=n[1-2]\nDownNodes=n3 State=FAIL Reason=x\nPartitionName=p Nodes=ALL\n",
	                         0);
	(void)state;
	assert_int_equal(cluster_find_node(c, "n1")->base, NODE_DOWN);
	assert_string_equal(cluster_find_node(c, "n1")->reason, "Set in slurm.conf");
	assert_int_equal(cluster_find_node(c, "n3")->flags, NODE_FAIL);
	assert_int_equal(cluster_find_node(c, "n4")->base, NODE_IDLE);
	assert_int_equal(cluster_find_node(c, "d")->flags, NODE_DRAIN);
	assert_string_equal(cluster_find_node(c, "d")->reason, "bad disk");
	assert_int_equal(cluster_find_node(c, "f")->base, NODE_FUTURE);
	cluster_free(c);
}

static void specialised_cores(void **state)
{
	struct cluster *c =
	    good("NodeName=a Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CoreSpecCount=3\n"
	         "NodeName=b Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CpuSpecList=0,5\nPartitionName=p Nodes=ALL\n",
	         0);
	char *text;

	(void)state;
	text = bitset_to_ranges(
	    cluster_find_node(c, "a")->config->spec_cores); /* last of each socket, last socket first */
	assert_string_equal(text, "3,6-7");
	g_free(text);
	text = bitset_to_ranges(cluster_find_node(c, "b")->config->spec_cores);
	assert_string_equal(text, "0,2");
	g_free(text);
	cluster_free(c);
}

/* Case 60. */
static void quotes_and_case(void **state)
{
	struct cluster *c = good("priorityweighttres=CPU=1000,Mem=2000\nAccountingStorageTRES=gres/gpu,gres/mic,gres/"
	                         "nvme\nGresTypes=gpu,mic,nvme\n"
	                         "nodename=n1 cpus=16 realmemory=64000\nPartitionName=P nodes=n1 DEFAULT=yes "
	                         "TresBillingWeights=\"CPU=1.0,Mem=0.127G\"\n",
	                         0);
	const struct partition *p = cluster_find_partition(c, "P");

	(void)state;
	assert_non_null(p);
	assert_ptr_equal(c->default_partition, p);
	assert_true(p->billing_weights[TRES_MEM] > 0.127 / 1024 * 0.999 &&
	            p->billing_weights[TRES_MEM] < 0.127 / 1024 * 1.001);
	assert_true(c->params->weight_tres[TRES_CPU] == 1000);
	assert_int_equal(tres_find(c->tres, "gres/gpu"), TRES_FIRST_CONFIGURED);
	assert_true(tres_find(c->tres, "gres/gpumem") > 0); /* 26.x */
	cluster_free(c);
}

static void globals(void **state)
{
	char *text = with_tail(
	    "ClusterName=Tern\nSelectType=select/"
	    "cons_tres\nSelectTypeParameters=CR_CPU_Memory,CR_LLN\nSchedulerType=sched/easy\n"
	    "DefMemPerCPU=2k\nMaxMemPerNode=4000\nKillWait=5\nMaxArraySize=50\nPriorityMaxAge=0:"
	    "30\nPriorityDecayHalfLife=7-0\nPriorityCalcPeriod=1\n"
	    "PriorityType=priority/"
	    "multifactor\nPriorityFlags=MAX_TRES,DEPTH_OBLIVIOUS\nPriorityFavorSmall=yes\nOverTimeLimit=UNLIMITED\n"
	    "Licenses=app:4,tool\nEnforcePartLimits=YES\nAccountingStorageEnforce=safe,qos\nDependencyParameters=kill_"
	    "invalid_depend,max_depend_depth=3\n"
	    "JobSubmitPlugins=all_partitions\nAuthInfo=cred_expire=60\nJobRequeue=0\nAccountingStorageType=accounting_"
	    "storage/slurmdbd");
	struct cluster *c = good(text, 0);
	const struct sched_params *p = c->params;

	(void)state;
	assert_string_equal(p->cluster_name, "tern");
	assert_int_equal(p->sched_type, SCHED_EASY);
	assert_int_equal(p->cr_unit, CR_CPU);
	assert_true(p->cr_memory && p->cr_lln);
	assert_int_equal(p->def_mem, 2048);
	assert_true(p->def_mem_per_cpu && !p->max_mem_per_cpu);
	assert_int_equal(p->max_mem, 4000);
	assert_int_equal(p->kill_wait, 5);
	assert_int_equal(p->max_array_tasks, 50);
	assert_int_equal(p->priority_max_age, 60); /* 30 seconds round up to a minute */
	assert_int_equal(p->priority_decay_half_life, 7 * 86400);
	assert_int_equal(p->priority_calc_period, 60);
	assert_int_equal(p->priority_flags, PRIO_MAX_TRES | PRIO_DEPTH_OBLIVIOUS | PRIO_NO_FAIR_TREE);
	assert_true(p->over_time_limit == INFINITE);
	assert_int_equal(c->licenses->len, 2);
	assert_int_equal(((struct license *)g_ptr_array_index(c->licenses, 0))->total, 4);
	assert_int_equal(((struct license *)g_ptr_array_index(c->licenses, 1))->total, 1);
	assert_int_equal(p->enforce_part_limits, ENFORCE_PART_ANY);
	assert_int_equal(p->enforce, ENFORCE_ASSOC | ENFORCE_LIMITS | ENFORCE_SAFE | ENFORCE_QOS);
	assert_true(p->kill_invalid_depend && p->all_partitions_plugin && p->has_accounting && !p->job_requeue);
	assert_int_equal(p->max_depend_depth, 3);
	assert_int_equal(p->requeue_delay, 60);
	cluster_free(c);
	g_free(text);
}

static void nothing_given(void **state)
{
	struct cluster *c = good(TAIL, 0);

	(void)state;
	assert_string_equal(c->params->cluster_name, "cluster");
	assert_int_equal(c->params->cr_unit, CR_CORE);
	assert_true(c->params->cr_memory);
	assert_int_equal(c->params->bf_window, 86400);
	assert_non_null(c->acct);
	cluster_free(c);
}

static void scheduler_parameters(void **state)
{
	char *text = with_tail(
	    "SchedulerParameters=bf_interval=2,bf_window=60,defer_batch,bf_licenses,bf_max_job_test=7,default_queue_"
	    "depth=3,bf_continue,"
	    "sched_interval=-1,bf_interval=9,bf_resolution=0,bf_max_job_usr=1,whole_hetjob,max_rpc_cnt=9");
	struct diag *d = diag_new();
	struct cluster *c = read_text(text, NULL, d);
	const struct sched_params *p = c->params;

	(void)state;
	assert_clean(d);
	assert_int_equal(p->bf_interval, 2); /* the first one counts */
	assert_int_equal(p->bf_max_time, 2);
	assert_int_equal(p->bf_window, 3600);
	assert_true(p->defer_batch && !p->defer && p->any_defer && p->bf_licenses && p->bf_running_job_reserve &&
	            p->bf_continue);
	assert_int_equal(p->bf_node_space_size, 7);
	assert_int_equal(p->default_queue_depth, 3);
	assert_int_equal(p->sched_interval, -1);
	assert_int_equal(p->bf_resolution, 60);
	assert_warnings(d, 4);
	assert_message(d->warnings, "s.conf:1:1: bf_interval stands twice");
	assert_message(d->warnings, "bf_resolution=0 in SchedulerParameters is not 1 to 3600: the default is used");
	assert_message(
	    d->warnings,
	    "unknown token bf_max_job_usr in SchedulerParameters has no effect; did you mean bf_max_job_user?");
	assert_message(d->warnings, "whole_hetjob is not modelled");
	cluster_free(c);
	diag_free(d);
	g_free(text);
}

static void partition_lines(void **state)
{
	struct cluster *c = good("PartitionName=DEFAULT MaxTime=60 State=DRAIN ExclusiveUser=YES PriorityTier=3\n"
	                         "PartitionName=a Nodes=n[1-2] DefaultTime=0:30 OverSubscribe=FORCE:2 DefMemPerCPU=100 "
	                         "AllowAccounts=Phys,BIO MinNodes=1 MaxNodes=2 LLN=YES\n"
	                         "PartitionName=b Nodes=fat,n1 Default=YES State=UP MaxTime=INFINITE Shared=YES "
	                         "AllowQos=ALL Priority=9 DefaultTime=NONE GraceTime=30\n"
	                         "PartitionName=c Nodes=ALL OverSubscribe=EXCLUSIVE State=inactive MaxMemPerNode=10 "
	                         "DefCpuPerGPU=6 DefMemPerGPU=7\n"
	                         "PartitionName=none\nNodeSet=fat Nodes=n3 Feature=big\nNodeName=n[1-3] "
	                         "CPUs=2\nNodeName=n4 CPUs=2 Feature=big\n",
	                         0);
	const struct partition *a = cluster_find_partition(c, "a"), *b = cluster_find_partition(c, "b"),
	                       *k = cluster_find_partition(c, "c");
	char *nodes;

	(void)state;
	assert_int_equal(a->max_time, 60);
	assert_int_equal(a->default_time, 1);
	assert_int_equal(a->state, PART_DRAIN);
	assert_int_equal(a->priority_tier, 3);
	assert_false(a->exclusive_user); /* does not take the DEFAULT */
	assert_int_equal(a->oversubscribe, OVERSUB_FORCE);
	assert_int_equal(a->max_share, 2);
	assert_true(a->def_mem == 100 && a->def_mem_per_cpu && a->lln);
	assert_true(a->max_mem == NO_VAL64);
	assert_string_equal(a->allow_accounts[0], "phys");
	assert_string_equal(a->allow_accounts[1], "bio");
	assert_true(b->max_time == INFINITE && b->default_time == NO_VAL && !b->allow_qos);
	assert_int_equal(b->max_share, 4);
	assert_int_equal(b->priority_tier, 9);
	assert_int_equal(b->priority_job_factor, 9);
	assert_int_equal(b->grace_time, 30);
	assert_string_equal(b->nodes_text, "fat,n1"); /* as configured */
	nodes = cluster_format_nodes(c, b->nodes);
	assert_string_equal(nodes, "n[1,3-4]");
	g_free(nodes);
	assert_int_equal(k->oversubscribe, OVERSUB_EXCLUSIVE);
	assert_int_equal(k->state, PART_INACTIVE);
	assert_int_equal(k->total_nodes, 4);
	assert_true(k->max_mem == 10 && !k->max_mem_per_cpu && k->def_cpu_per_gpu == 6 && k->def_mem_per_gpu == 7);
	assert_int_equal(cluster_find_partition(c, "none")->total_nodes, 0);
	assert_ptr_equal(c->default_partition, b);
	cluster_free(c);
}

static void warnings(void **state)
{
	static const struct {
		const char *text, *warning;
	} table[] = {
	    {"CacheGroups=1", "s.conf:1:1: CacheGroups is obsolete and has no effect; present-day Slurm refuses it"},
	    {"PowerPlugin=x", "PowerPlugin is obsolete and has no effect; Slurm logs that it is defunct"},
	    {"FastSchedule=1", "FastSchedule is obsolete"},
	    {"MaxJobCount=100\nMaxJobCount=200", "s.conf:2:1: MaxJobCount specified more than once, latest value used"},
	    {"PrioritySiteFactorPlugin=site_factor/x",
	     "PrioritySiteFactorPlugin: the site priority factor is not modelled in this version"},
	    {"TopologyPlugin=topology/tree", "there is no topology.conf"},
	    {"SchedulerParameters=whole_hetjob", "whole_hetjob is not modelled"},
	    {"PartitionName=x AllocNodes=login", "AllocNodes: the node from which a job is submitted is not modelled"},
	    {"JobSubmitPlugins=lua", "job submit plugin lua cannot be modelled"},
	    {"SelectType=select/cons_res", "select/cons_tres is used"},
	    {"DefMemPerCPU=1\nDefMemPerNode=2", "DefMemPerNode is used, the value per CPU is ignored"},
	    {"PartitionName=x Nodes=ALL DefaultTime=5 MaxTime=4",
	     "DefaultTime of partition x is above MaxTime and is dropped"},
	    {"PartitionName=x Default=YES", "the default partition is now p, not x"},
	    {"PartitionName=x QOS=gold", "partition x: QOS gold is not known: taken as one without limits"},
	    {"PartitionName=x AllowQos=normal DenyQos=z", "DenyQos is ignored"},
	    {"NodeName=y Gres=gpu:2", "Gres=gpu:2 is ignored: gpu is not in GresTypes"},
	    {"NodeName=y Sockets=0", "s.conf:1:12: Sockets=0 is reset to 1"},
	    {"NodeName=y CPUs=2 CPUs=3", "s.conf:1:19: CPUs specified more than once"},
	    {"NodeName=y State=CLOUD", "1 nodes with State=CLOUD are taken as powered up"},
	    {"SuspendTime=300", "SuspendTime has no effect without SuspendProgram and ResumeProgram"},
	    {"NodeName=y SuspendTime=300", "SuspendTime has no effect without"},
	    {"NodeName=y MemSpecLimit=5", "MemSpecLimit is reset to 0"},
	    {"AccountingStorageEnforce=wckeys", "AccountingStorageEnforce: which wckeys a user may name is not modelled"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		struct diag *d = diag_new();
		char *text = with_tail(table[i].text);
		struct cluster *c = read_text(text, NULL, d);

		assert_clean(d);
		assert_warnings(d, 1);
		assert_message(d->warnings, table[i].warning);
		cluster_free(c);
		g_free(text);
		diag_free(d);
	}
}

/* N72: sharing GRES */
static void sharing_switches(void **state)
{
	(void)state;
	struct diag *d = diag_new();
	char *text = with_tail("SelectTypeParameters=CR_Core,LL_SHARED_GRES,MULTIPLE_SHARING_GRES_PJ,ONE_TASK_PER_SHARING_GRES");
	struct cluster *c = read_text(text, NULL, d);
	assert_clean(d);
	assert_warnings(d, 0);
	assert_true(c->params->ll_shared_gres && c->params->multiple_sharing_gres && c->params->one_task_per_sharing_gres);
	cluster_free(c);
	diag_free(d);
	g_free(text);
}

/* E2: those about PreemptMode (22.05 starts with WITHIN under preempt/partition_prio: tried) */
static void errors(void **state)
{
	static const struct {
		const char *text, *error;
	} table[] = {
	    {"PriorityWeightFairShares=10",
	     "s.conf:1:1: unknown parameter PriorityWeightFairShares; did you mean PriorityWeightFairshare?"},
	    {"NodNam=x", "s.conf:1:1: unknown parameter NodNam; did you mean NodeName?"},
	    {"FastSchedule=2", "FastSchedule=2 has been removed from Slurm; use SlurmdParameters=config_overrides"},
	    {"AccountingStoreJobComment=YES", "use AccountingStoreFlags=job_comment"},
	    {"KillWait=", "s.conf:1:1: KillWait= has no value"},
	    {"KillWait=5x", "s.conf:1:10: bad value \"5x\" of KillWait; a whole number from 0 to 65533 is expected"},
	    {"KillWait=99999", "s.conf:1:10: bad value \"99999\""},
	    {"KillWait=5 MinJobAge=3", "s.conf:1:12: MinJobAge= after the value of KillWait; one parameter a line"},
	    {"JobRequeue=maybe", "s.conf:1:12: bad value \"maybe\" of JobRequeue; YES or NO is expected"},
	    {"PriorityMaxAge=soon", "s.conf:1:16: bad value \"soon\" of PriorityMaxAge; minutes"},
	    {"SchedulerType=sched/backfil",
	     "s.conf:1:15: unknown value sched/backfil of SchedulerType; did you mean sched/backfill?"},
	    {"SelectTypeParameters=CR_Core,CR_CPU", "SelectTypeParameters has both CR_Core and CR_CPU"},
	    {"SelectTypeParameters=CR_NHC", "unknown value CR_NHC of SelectTypeParameters"},
	    {"SelectTypeParameters=CR_CPU,CR_ONE_TASK_PER_CORE", "CR_ONE_TASK_PER_CORE does not go with CR_CPU"},
	    {"SelectType=select/linear\nSelectTypeParameters=CR_Core", "CR_Core does not go with select/linear"},
	    {"AccountingStorageEnforce=limit", "did you mean limits?"},
	    {"AccountingStorageTRES=gpu", "unknown TRES gpu; names look like gres/gpu"},
	    {"PriorityWeightTRES=gres/gpu=5", "s.conf:1:20: PriorityWeightTRES: "},
	    {"Licenses=a:x", "bad count of license a; write name:count"},
	    {"Licenses=a:1,a:2", "license \"a\" is named twice"},
	    {"SchedulerParameters=max_job_bf=3", "max_job_bf has been removed from Slurm; use bf_max_job_test"},
	    {"PreemptType=preempt/qos", "PreemptType=preempt/qos without a PreemptMode"},
	    {"PreemptMode=REQUEUE", "PreemptMode=REQUEUE without a PreemptType"},
	    {"PreemptType=preempt/qos\nPreemptMode=SUSPEND", "write SUSPEND,GANG"},
	    {"NodeName=ALL CPUs=1", "NodeName=ALL is reserved"},
	    {"NodeName=n2 CPUs=1", "duplicated NodeName n2; define each node once"},
	    {"NodeName=x[1-", "s.conf:1:10: bad list of nodes"},
	    {"NodeName=x CoresPerSoket=3",
	     "s.conf:1:12: unknown key CoresPerSoket on a NodeName line; did you mean CoresPerSocket?"},
	    {"NodeName=x KillWait=3", "unknown key KillWait on a NodeName line; it belongs on a line of its own"},
	    {"NodeName=x State=GONE", "s.conf:1:18: bad node State GONE; UNKNOWN, DOWN"},
	    {"NodeName=x[1-3] NodeAddr=a,b", "NodeAddr does not name as many as NodeName (3)"},
	    {"NodeName=DEFAULT NodeAddr=a", "NodeAddr on a NodeName=DEFAULT line"},
	    {"NodeName=x Sockets=300 CoresPerSocket=300", "has too many CPUs"},
	    {"NodeName=x CPUs=4 CpuSpecList=9", "bad CpuSpecList"},
	    {"GresTypes=gpu\nNodeName=x Gres=gpu:a:2,gpu:3",
	     "s.conf:2:17: Gres gpu stands with and without a type on one node"},
	    {"GresTypes=gpu\nNodeName=x Gres=gpu:a:b:c:d:e", "bad Gres entry \"gpu:a:b:c:d:e\"; write name[:type]"},
	    {"GresTypes=gpu\nNodeName=x Gres=gpu:5000", "too many devices on a node"},
	    {"DownNodes=zz", "DownNodes: unknown node zz"},
	    {"NodeSet=n1 Nodes=n2", "NodeSet n1: a node or NodeSet of this name exists"},
	    {"NodeSet=s", "NodeSet s is empty; give Nodes= or Feature="},
	    {"PartitionName=q Nodes=n[1-5]", "s.conf:1:23: q: unknown node \"n5\"; did you mean n"},
	    {"PartitionName=p Nodes=n1", "duplicated PartitionName p"},
	    {"PartitionName=q State=WEIRD", "s.conf:1:23: bad value \"WEIRD\" of State; UP, DOWN, DRAIN or INACTIVE"},
	    {"PartitionName=q OverSubscribe=YES:1", "YES:n with n of 2 or more"},
	    {"PartitionName=q MaxTime=x", "s.conf:1:25: bad value \"x\" of MaxTime"},
	    {"PartitionName=q PriorityTier=70000", "bad value \"70000\" of PriorityTier"},
	    {"PartitionName=q TRESBillingWeights=foo=1", "s.conf:1:36: TRESBillingWeights: "},
	    {"PartitionName=q Exclusive=maybe", "NO, NODE, USER or TOPO"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		struct diag *d = diag_new();
		char *text = with_tail(table[i].text);

		assert_null(read_text(text, NULL, d));
		assert_message(d->errors, table[i].error);
		assert_int_equal(d->n_errors, 1);
		g_free(text);
		diag_free(d);
	}
}

/* E4, E5: 22.05 has no flag PRIORITY of PreemptMode. */
static void preempt_priority(void **state)
{
	static const char *const texts[] = {
	    "PreemptType=preempt/qos\nPreemptMode=REQUEUE,PRIORITY\nNodeName=n1 CPUs=1\nPartitionName=p Nodes=n1\n",
	    "PreemptType=preempt/partition_prio\nPreemptMode=CANCEL\nNodeName=n1 CPUs=1\nPartitionName=p Nodes=n1 "
	    "PreemptMode=REQUEUE,PRIORITY\n"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		for (int old = 0; old < 2; old++) {
			struct slurmconf_options o = {.version = old ? SLURM_22_05 : SLURM_26};
			struct diag *d = diag_new();
			struct cluster *c = read_text(texts[i], &o, d);
			assert_int_equal(c == NULL, old);
			if (old)
				assert_message(d->errors, "Slurm 22.05 has no PRIORITY in PreemptMode=REQUEUE,PRIORITY; "
				                          "leave it out, or use --slurm-version 26.05");
			else
				cluster_free(c);
			diag_free(d);
		}
}

static void all_errors_are_reported(void **state)
{
	struct diag *d = diag_new();

	(void)state;
	assert_null(read_text(
	    "Foo=1\nBar=2\nKillWait=x\nNodeName=n1 Foo=1 CPUs=x\nPartitionName=p Nodes=n2 State=y MaxTime=z\njunk\n",
	    NULL, d));
	assert_int_equal(d->n_errors, 9);
	diag_free(d);
	d = diag_new();
	assert_null(read_text("", NULL, d));
	assert_message(d->errors, "no nodes");
	assert_message(d->errors, "no partitions");
	diag_free(d);
	d = diag_new();
	assert_null(slurmconf_read("/nonexistent/slurm.conf", NULL, d));
	assert_message(d->errors, "cannot open /nonexistent/slurm.conf");
	diag_free(d);
}

static void unknown_as_warning(void **state)
{
	struct slurmconf_options o = {.unknown_is_warning = true};
	struct diag *d = diag_new();
	struct cluster *c = read_text("Foo=1" TAIL "NodeName=z Zork=1\n", &o, d);

	(void)state;
	assert_clean(d);
	assert_warnings(d, 2);
	cluster_free(c);
	diag_free(d);
}

static struct cluster *overridden(const char *text, const char *const *list, struct diag *d)
{
	struct slurmconf_options o = {.overrides = g_ptr_array_new()};

	for (; *list; list++)
		g_ptr_array_add(o.overrides, (gpointer)*list);
	struct cluster *c = read_text(text, &o, d);
	g_ptr_array_unref(o.overrides);
	return c;
}

static void overrides(void **state)
{
	static const char *const list[] = {"KillWait=7",
	                                   "SchedulerParameters.bf_window=4320",
	                                   "SchedulerParameters.bf_continue=yes",
	                                   "SchedulerParameters.defer=",
	                                   "SchedulerParameters.bf_busy_nodes",
	                                   "MinJobAge=",
	                                   "selecttype=select/linear",
	                                   NULL};
	char *text = with_tail("KillWait=99\nMinJobAge=20\nSchedulerParameters=bf_window=60,defer,bf_interval=5");
	struct diag *d = diag_new();
	struct cluster *c = overridden(text, list, d);

	(void)state;
	assert_clean(d);
	assert_warnings(d, 0);
	assert_int_equal(c->params->kill_wait, 7);
	assert_int_equal(c->params->min_job_age, 300);
	assert_int_equal(c->params->bf_window, 4320 * 60);
	assert_int_equal(c->params->bf_interval, 5);
	assert_true(c->params->bf_continue && c->params->bf_busy_nodes && !c->params->defer && !c->params->any_defer);
	assert_int_equal(c->params->select_type, SELECT_LINEAR);
	cluster_free(c);
	diag_free(d);
	g_free(text);
}

static void bad_overrides(void **state)
{
	static const char *const list[] = {"KilWait=7",  "KillWait", "KillWait=x", "SchedulerParameters.=3",
	                                   "NodeName=x", NULL};
	struct diag *d = diag_new();

	(void)state;
	assert_null(overridden(TAIL, list, d));
	assert_message(d->errors, "--set KilWait=7: unknown parameter KilWait; did you mean KillWait?");
	assert_message(d->errors, "--set KillWait: no value; write Key=Value");
	assert_message(d->errors, "--set KillWait=x: bad value \"x\" of KillWait");
	assert_message(d->errors, "--set SchedulerParameters.=3: no value");
	assert_message(d->errors, "--set NodeName=x: unknown parameter NodeName");
	assert_int_equal(d->n_errors, 5);
	diag_free(d);
}

static void from_header(void **state)
{
	struct diag *d = diag_new();
	GPtrArray *set = g_ptr_array_new();

	(void)state;
	g_ptr_array_add(set, "SchedulerType=sched/easy");
	struct cluster *c = cluster_from_header(1024, 2, SLURM_26, set, NULL, d);
	assert_clean(d);
	assert_warnings(d, 0);
	assert_int_equal(c->n_nodes, 1024);
	assert_string_equal(c->node[0]->name, "n0001");
	assert_int_equal(c->total_cpus, 2048);
	assert_string_equal(c->default_partition->name, "all");
	assert_true(c->default_partition->max_time == INFINITE);
	assert_int_equal(c->params->sched_type, SCHED_EASY);
	cluster_free(c);
	c = cluster_from_header(70000, 1, SLURM_26, NULL, NULL, d);
	assert_clean(d);
	assert_int_equal(c->n_nodes, 70000);
	assert_int_equal(c->configs->len, 1);
	cluster_free(c);
	assert_null(cluster_from_header(0, 0, SLURM_26, NULL, NULL, d));
	assert_int_equal(d->n_errors, 2);
	diag_free(d);
	g_ptr_array_unref(set);
}

/* Every scenario of the oracle parses without an error. */
static void oracle_scenarios(void **state)
{
	GDir *dir;
	const char *name;
	guint n = 0;

	(void)state;
	if (access("../shared/oracle", R_OK) != 0) {
		print_message("skipped oracle_scenarios: no ../shared/oracle\n");
		skip();
	}
	dir = g_dir_open(SHARED_ORACLE, 0, NULL);
	while ((name = g_dir_read_name(dir))) {
		char *conf = g_build_filename(SHARED_ORACLE, name, "slurm.conf", NULL),
		     *acct = g_build_filename(SHARED_ORACLE, name, "assoc.sacctmgr", NULL);
		struct slurmconf_options o = {.version = SLURM_22_05,
		                              .accounting_path = g_file_test(acct, G_FILE_TEST_EXISTS) ? acct : NULL};
		struct diag *d = diag_new();
		struct cluster *c = slurmconf_read(conf, &o, d);

		assert_clean(d);
		assert_true(c->n_nodes > 0 && c->partitions->len > 0);
		for (guint i = 0; i < d->warnings->len; i++)
			assert_non_null(strstr(g_ptr_array_index(d->warnings, i), "not modelled"));
		n++;
		cluster_free(c);
		diag_free(d);
		g_free(conf);
		g_free(acct);
	}
	g_dir_close(dir);
	assert_int_equal(n, 62);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(node_lines),
	    cmocka_unit_test(node_shapes),
	    cmocka_unit_test(node_defaults_and_records),
	    cmocka_unit_test(node_states),
	    cmocka_unit_test(specialised_cores),
	    cmocka_unit_test(quotes_and_case),
	    cmocka_unit_test(globals),
	    cmocka_unit_test(nothing_given),
	    cmocka_unit_test(scheduler_parameters),
	    cmocka_unit_test(partition_lines),
	    cmocka_unit_test(warnings),
	    cmocka_unit_test(sharing_switches),
	    cmocka_unit_test(errors),
	    cmocka_unit_test(all_errors_are_reported), cmocka_unit_test(preempt_priority),
	    cmocka_unit_test(unknown_as_warning),
	    cmocka_unit_test(overrides),
	    cmocka_unit_test(bad_overrides),
	    cmocka_unit_test(from_header),
	    cmocka_unit_test(oracle_scenarios),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
