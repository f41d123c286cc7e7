/* shown_test.c - outputs of scontrol and sinfo in the place of slurm.conf: whole clusters, units, states, guesses. */
#include "tests/unit/models_helper.h"
#include "tests/unit/cluster_text.h"
#include "models/shown.h"
#include "models/slurmconf.h"

#define TRACES "../shared/traces/slurm/meta_gcm_"

static struct cluster *read_path(const char *path, enum slurm_version v, struct diag *d)
{
	struct slurmconf_options o = {.version = v};

	return slurmconf_read(path, &o, d);
}

/* What was read from slurm.conf, printed by a real Slurm and read again is the same cluster. */
static void real_outputs_give_the_same_cluster(void **state)
{
	static const struct {
		const char *dir;
		enum slurm_version version;
	} sites[] = {{"tests/site/22.05", SLURM_22_05}, {"tests/site/26.11", SLURM_26}};
	const int what = TEXT_PARAMS | TEXT_NODES | TEXT_PARTITIONS;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(sites); i++) {
		struct diag *d = diag_new();
		char *shown = g_strdup_printf("%s/show-config.txt,%s/show-node.txt,%s/show-partition.txt", sites[i].dir,
		                              sites[i].dir, sites[i].dir);
		struct slurmconf_options o = {.version = sites[i].version};
		char *path = g_build_filename(sites[i].dir, "slurm.conf", NULL), *text = NULL;

		assert_true(g_file_get_contents(path, &text, NULL, NULL));
		/* scontrol update had changed the partition when the outputs were taken */
		char **conf = g_strsplit(text, "PartitionName=gpu ", -1);
		char *changed = g_strjoinv("PartitionName=gpu QOS=partgpu AllowAccounts=science,physics,chem ", conf);
		struct cluster *a = slurmconf_read_text(changed, path, &o, d),
		               *b = read_path(shown, sites[i].version, d);

		assert_clean(d);
		assert_message(d->warnings, "AccountingStorageEnforce is taken as none");
		a->params->enforce = 0;
		char *x = cluster_text(a, what), *y = cluster_text(b, what);
		/* of a partition without a mode of its own scontrol prints the cluster's */
		char **part = g_strsplit(y, "preempt 2 qos", -1);
		char *z = g_strjoinv("preempt -1 qos", part);
		assert_same_text(x, z);
		assert_int_equal(cluster_find_node(b, "c04")->base, NODE_DOWN);
		assert_string_equal(cluster_find_node(b, "c04")->reason, "bad disk, ticket 4711");
		assert_int_equal(cluster_find_node(b, "a02")->flags, NODE_DRAIN);
		g_strfreev(part);
		g_strfreev(conf);
		g_free(changed);
		g_free(text);
		g_free(path);
		g_free(x);
		g_free(y);
		g_free(z);
		g_free(shown);
		cluster_free(a);
		cluster_free(b);
		diag_free(d);
	}
}

/* Write TEXTS (pairs of name and text, NULL at the end) into a folder and read the folder. */
static struct cluster *read_folder(const char *const *texts, struct diag *d)
{
	char *dir = dir_new();

	for (; *texts; texts += 2)
		g_free(dir_file(dir, texts[0], texts[1]));
	struct cluster *c = read_path(dir, SLURM_26, d);
	dir_drop(dir);
	return c;
}

static void rows_of_config(void **state)
{
	static const char *const texts[] = {
	    "scontrol_show_config.txt",
	    "Configuration data as of 2026-01-01T00:00:00\n"
	    "ClusterName             = Tern\nBOOT_TIME               = 2026-01-01T00:00:00\n"
	    "KillWait                = 45 sec\nOverTimeLimit           = 5 min\nPriorityMaxAge          = 1-00:00:00\n"
	    "PriorityCalcPeriod      = 00:02:00\nMaxMemPerNode           = UNLIMITED\nDefMemPerCPU            = 2000\n"
	    "JobDefaults             = DefCpuPerGPU=4,DefMemPerGPU=1000\nSlurmctldHost[0]        = a(1.2.3.4)\n"
	    "SlurmctldHost[1]        = b\nPreemptMode             = OFF\nPreemptType             = (null)\n"
	    "PriorityFlags           = \nLaunchType              = launch/slurm\nPowerPlugin             =\n"
	    "NewThingOf27            = 7\nMinJobAge               = 60 sec  # slurm.conf:12\n"
	    "Licenses                = a:3,b:4  # --set Licenses=a:3,b:4\n"
	    "\nCgroup Support Configuration:\nConstrainRAMSpace       = yes\n\nSlurmctld(primary) at a is UP\n",
	    "show-node.txt",
	    "NodeName=n1 CoresPerSocket=2 CPUTot=4 RealMemory=100 Sockets=2 State=IDLE ThreadsPerCore=1\n",
	    "show-partition.txt",
	    "PartitionName=p TotalNodes=1 Nodes=n1 MaxTime=UNLIMITED\n",
	    NULL};
	struct diag *d = diag_new();
	struct cluster *c = read_folder(texts, d);

	(void)state;
	assert_clean(d);
	assert_message(d->warnings, "unknown parameter NewThingOf27: it is of another release");
	assert_int_equal(d->n_warnings, 1);
	const struct sched_params *p = c->params;
	assert_string_equal(p->cluster_name, "tern");
	assert_int_equal(p->kill_wait, 45);
	assert_int_equal(p->over_time_limit, 5);
	assert_int_equal(p->priority_max_age, 86400);
	assert_int_equal(p->priority_calc_period, 120);
	assert_int_equal(p->def_mem, 2000);
	assert_true(p->def_mem_per_cpu);
	assert_int_equal(p->def_cpu_per_gpu, 4);
	assert_int_equal(p->def_mem_per_gpu, 1000);
	assert_int_equal(p->min_job_age, 60);
	assert_int_equal(c->licenses->len, 2);
	cluster_free(c);
	diag_free(d);
}

static void states_of_nodes(void **state)
{
	static const char *const texts[] = {
	    "show-node.txt",
	    "NodeName=n1 CPUTot=4 RealMemory=9 Gres=gpu:a:2(S:0-1),shard:8(S:0) State=DOWN*+DRAIN Reason=bad [x] disk "
	    "[root@2026-01-01T00:00:00]\n"
	    "NodeName=n2 CPUTot=4 RealMemory=9 State=MIXED+PLANNED Reason=old [root@2026-01-01T00:00:00]\n"
	    "NodeName=n3 CPUTot=4 RealMemory=9 State=IDLE+FAIL Reason=flaky\nNodeName=n4 CPUTot=4 RealMemory=9 "
	    "State=FUTURE\n"
	    "NodeName=n1 CPUTot=8\n",
	    "show-partition.txt", "PartitionName=p TotalNodes=3 Nodes=n[1-3]\n", NULL};
	struct diag *d = diag_new();
	struct cluster *c = read_folder(texts, d);

	(void)state;
	assert_clean(d);
	assert_int_equal(cluster_find_node(c, "n1")->base, NODE_DOWN);
	assert_int_equal(cluster_find_node(c, "n1")->flags, NODE_DRAIN);
	assert_string_equal(cluster_find_node(c, "n1")->reason, "bad [x] disk");
	assert_string_equal(cluster_find_node(c, "n1")->config->gres_text, "gpu:a:2,shard:8");
	assert_int_equal(cluster_find_node(c, "n1")->config->cpus, 4);
	assert_int_equal(cluster_find_node(c, "n2")->base, NODE_IDLE);
	assert_null(cluster_find_node(c, "n2")->reason);
	assert_int_equal(cluster_find_node(c, "n3")->flags, NODE_FAIL);
	assert_int_equal(cluster_find_node(c, "n4")->base, NODE_FUTURE);
	cluster_free(c);
	diag_free(d);
}

/* Totals of overlapping partitions are met exactly where they agree. */
static void nodes_from_totals(void **state)
{
	static const char *const texts[] = {
	    "show-partition.txt",
	    "PartitionName=big TotalNodes=6 Nodes=n[1-6] TRES=cpu=61,mem=6G,node=6,gres/gpu=16,gres/gpu:x=16\n"
	    "PartitionName=small TotalNodes=2 Nodes=n[1-2] TRES=cpu=20,mem=2G,node=2,billing=9,gres/gpu=8\n",
	    "sinfo.txt", "n6|gpu:x:8|gpu:x:2(IDX:0-1)|10|2/8/0/10|mixed|big*\n", NULL};
	struct diag *d = diag_new();
	struct cluster *c = read_folder(texts, d);

	(void)state;
	assert_clean(d);
	assert_message(d->warnings, "5 nodes are described by no file");
	const struct partition *big = cluster_find_partition(c, "big"), *small = cluster_find_partition(c, "small");
	int gpu = tres_find(c->tres, "gres/gpu");
	assert_int_equal(big->total_cpus, 61);
	assert_int_equal(small->total_cpus, 20);
	assert_int_equal(big->tres_total[gpu], 16);
	assert_int_equal(small->tres_total[gpu], 8);
	assert_string_equal(cluster_find_node(c, "n1")->config->gres_text, "gpu:x:8");
	assert_string_equal(cluster_find_node(c, "n2")->config->gres_text, "");
	assert_string_equal(cluster_find_node(c, "n3")->config->gres_text, "");
	assert_int_equal(cluster_find_node(c, "n1")->config->real_memory, 1024);
	assert_int_equal(cluster_find_node(c, "n6")->config->sockets, 2);
	cluster_free(c);
	diag_free(d);
}

static void forms_of_sinfo(void **state)
{
	static const char *const texts[] = {
	    "sinfo.txt",
	    "NODELIST|CPUS|S:C:T|MEMORY|TMP_DISK|WEIGHT|AVAIL_FEATURES|GRES|STATE|REASON|PARTITION\n"
	    "n[1-2]|32+|2:16:1|1000+|50|7|a,b|gpu:2|idle|none|p*\nn3|8|1:8:1|500|0|1|(null)|(null)|drained|bad "
	    "disk|p*\n"
	    "n3|8|1:8:1|500|0|1|(null)|(null)|drained|bad disk|q\n",
	    NULL};
	struct diag *d = diag_new();
	struct cluster *c = read_folder(texts, d);

	(void)state;
	assert_clean(d);
	assert_int_equal(c->n_nodes, 3);
	assert_int_equal(cluster_find_node(c, "n1")->config->sockets, 2);
	assert_int_equal(cluster_find_node(c, "n1")->config->cores_per_socket, 16);
	assert_int_equal(cluster_find_node(c, "n1")->config->real_memory, 1000);
	assert_int_equal(cluster_find_node(c, "n3")->flags, NODE_DRAIN);
	assert_string_equal(cluster_find_node(c, "n3")->reason, "bad disk");
	assert_string_equal(c->default_partition->name, "p");
	assert_int_equal(cluster_find_partition(c, "p")->total_nodes, 3);
	assert_int_equal(cluster_find_partition(c, "q")->total_nodes, 1);
	cluster_free(c);
	diag_free(d);
}

static void json_forms(void **state)
{
	static const char *const node[] = {"show-node.json",
	                                   "{\"nodes\": [{\"name\": \"n1\", \"cpus\": 32, \"sockets\": 2, \"cores\": "
	                                   "16, \"threads\": 1, \"real_memory\": 1000,"
	                                   " \"features\": [\"a\", \"b\"], \"gres\": \"gpu:h:4(S:0)\", \"state\": "
	                                   "[\"DOWN\", \"DRAIN\"], \"reason\": \"x\", \"weight\": 3}]}",
	                                   "show-partition.txt", "PartitionName=p TotalNodes=1 Nodes=n1\n", NULL};
	static const char *const group[] = {
	    "sinfo.json",
	    "{\"sinfo\": [{\"node\": {\"state\": [\"IDLE\"]}, \"nodes\": {\"nodes\": [\"n1\", \"n2\"]}, \"cpus\": "
	    "{\"minimum\": 8},"
	    " \"sockets\": {\"minimum\": 1}, \"cores\": {\"minimum\": 8}, \"threads\": {\"minimum\": 1}, \"memory\": "
	    "{\"minimum\": 500},"
	    " \"features\": {\"total\": \"f\"}, \"gres\": {\"total\": \"\"},"
	    " \"partition\": {\"name\": \"q\", \"nodes\": {\"configured\": \"n[1-2]\"}}}]}",
	    NULL};
	struct diag *d = diag_new();
	struct cluster *c = read_folder(node, d);

	(void)state;
	assert_clean(d);
	assert_int_equal(cluster_find_node(c, "n1")->config->cores, 32);
	assert_int_equal(cluster_find_node(c, "n1")->flags, NODE_DRAIN);
	assert_string_equal(cluster_find_node(c, "n1")->config->gres_text, "gpu:h:4");
	cluster_free(c);
	c = read_folder(group, d);
	assert_clean(d);
	assert_int_equal(c->n_nodes, 2);
	assert_int_equal(cluster_find_partition(c, "q")->total_cpus, 16);
	cluster_free(c);
	diag_free(d);
}

static void bad_outputs(void **state)
{
	static const struct {
		const char *name, *text, *error;
	} table[] = {
	    {"show-node.json", "{\"nodes\": 1}", "there is no list \"nodes\""},
	    {"show-node.json", "{\"nodes\": [", "this is no JSON"},
	    {"sinfo.txt", "n[1-|8|idle|p\n", "sinfo.txt:1:1: bad list of nodes in sinfo"},
	    {"show-config.txt", "Configuration data as of x\nKillWait = never sec\n",
	     "show-config.txt:2:1: bad value \"never sec\""},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		const char *texts[] = {table[i].name, table[i].text, NULL};
		struct diag *d = diag_new();

		assert_null(read_folder(texts, d));
		assert_message(d->errors, table[i].error);
		diag_free(d);
	}
	struct diag *d = diag_new();
	char *dir = dir_new();
	assert_null(read_path(dir, SLURM_26, d));
	assert_message(d->errors, "there is no configuration in this folder; it should hold slurm.conf");
	dir_drop(dir);
	diag_free(d);
}

/* A large research cluster of which only these outputs are public (never committed). */
static void a_real_large_cluster(void **state)
{
	struct diag *d = diag_new();
	gint64 begin = g_get_monotonic_time();

	(void)state;
	if (!g_file_test(TRACES "scontrol_show_config.txt", G_FILE_TEST_EXISTS)) {
		diag_free(d);
		print_message("skipped: no " TRACES "*\n");
		skip();
	}
	struct cluster *c =
	    read_path(TRACES "scontrol_show_config.txt," TRACES "scontrol_show_partition.txt," TRACES "sinfo_nodes.txt",
	              SLURM_26, d);
	assert_clean(d);
	assert_true(g_get_monotonic_time() - begin < 2000000);
	assert_int_equal(c->n_nodes, 3028); /* 3023 in partitions, and the five of sinfo that are in none */
	assert_int_equal(c->params->bf_window, 4320 * 60);
	assert_int_equal(c->params->preempt_type, PREEMPT_PARTITION);
	static const struct {
		const char *name;
		uint32_t nodes;
	} parts[] = {{"partition1", 1565}, {"partition2", 1631}, {"partition3", 510}, {"partition4", 1458},
	             {"partition5", 165},  {"partition6", 66},   {"partition7", 66},  {"partition8", 194}};
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		assert_int_equal(cluster_find_partition(c, parts[i].name)->total_nodes, parts[i].nodes);
	const struct partition *p6 = cluster_find_partition(c, "partition6"),
	                       *p1 = cluster_find_partition(c, "partition1");
	int gpu = tres_find(c->tres, "gres/gpu");
	assert_int_equal(p6->tres_total[gpu], 528);
	assert_int_equal(p1->tres_total[gpu], 10864);
	assert_int_equal(p6->total_cpus, 5280);
	assert_int_equal(p6->tres_total[TRES_MEM], 33000000);
	cluster_free(c);
	diag_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(real_outputs_give_the_same_cluster),
	    cmocka_unit_test(rows_of_config),
	    cmocka_unit_test(states_of_nodes),
	    cmocka_unit_test(nodes_from_totals),
	    cmocka_unit_test(forms_of_sinfo),
	    cmocka_unit_test(json_forms),
	    cmocka_unit_test(bad_outputs),
	    cmocka_unit_test(a_real_large_cluster),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
