/*
 * update_test.c - scontrol update job: what each key changes of what the scheduler decides, from the command to the record of the run. Job "j"
 * could start at second 20; the command comes before. What 22.05 answers and shows is in updateanswers_test.c and updateeffects_test.c.
 */
#include "play_helper.h"
#include "tests/unit/limits_helper.h"

/* Two racks: n1 and n2 have old nodes, n3 and n4 new ones. */
#define CONF                                                                                                                                        \
	"ClusterName=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nSchedulerType=sched/backfill\nGresTypes=gpu,tape\n"       \
	"PriorityType=priority/basic\nLicenses=app:2\nTopologyPlugin=topology/tree\nJobRequeue=1\n"                                                     \
	"NodeName=n[1-2] Sockets=2 CoresPerSocket=4 RealMemory=16000 TmpDisk=100 Gres=gpu:2 Feature=old\n"                                            \
	"NodeName=n[3-4] Sockets=1 CoresPerSocket=8 RealMemory=32000 TmpDisk=900 Gres=gpu:4,tape:1 Feature=new Weight=9\n"                                     \
	"PartitionName=p Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=30 OverSubscribe=YES:2\nPartitionName=q Nodes=n[3-4] MaxTime=1-0\n"
#define TOPOLOGY "SwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n[3-4]\nSwitchName=top Switches=s[1-2]\n"

/* MORE: further options of j, with a comma before each; OTHERS: jobs before it, each with a comma behind. */
static char *state_of(const char *label, const char *others, const char *more, const char *event)
{
	g_autofree char *json = g_strdup_printf(
	    "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"topology\": \"topology.conf\", \"slurm_version\": \"22.05\", \"clock\": \"ideal\",\n"
	    " \"jobs\": [%s{\"name\": \"j\", \"at\": 0, \"user\": \"u\", \"run\": 100, \"time\": 10, \"begin\": \"now+20\"%s}],\n"
	    " \"events\": [%s]}",
	    others, more, event);
	const struct play_file files[] = {{"slurm.conf", CONF}, {"topology.conf", TOPOLOGY}, {"scenario.json", json}, {NULL, NULL}};
	struct played p = play_files(files);
	char *refused = played_ask(&p, "select message from refused where ?1 = ?1", label, 0), *out;
	out = refused ? refused : played_ask(&p, "select state || ' ' || case when start_s then start_s - ?2 / 1000000 else '-' end || ' ' || nodelist || ' ' || ncpus "
	                                         "from job where label = ?1 order by job.run desc limit 1", label, 0);
	played_done(&p);
	return out;
}

static guint unlike; /* cases of the test under way */

static int fresh(void **state)
{
	(void)state;
	unlike = 0;
	return 0;
}

static void is_then(const char *label, const char *others, const char *more, const char *event, const char *want)
{
	g_autofree char *got = state_of(label, others, more, event);
	if (g_strcmp0(got, want) == 0)
		return;
	unlike++;
	print_error("%s | %s\n  is %s, not %s\n", more, event, got, want);
}

/* J with MORE after "scontrol update job=@j KEYS" at second 10. */
static void updated(const char *more, const char *keys, const char *want)
{
	g_autofree char *event = g_strdup_printf("{\"at\": 10, \"cmd\": \"scontrol update job=@j %s\"}", keys);
	is_then("j", "", more, event, want);
}

static void plain(void **state)
{
	(void)state;
	is_then("j", "", "", "", "COMPLETED 20 n1 1");
	assert_int_equal(unlike, 0);
}

static void times(void **state)
{
	(void)state;
	updated("", "starttime=now+50", "COMPLETED 60 n1 1");
	updated("", "eligibletime=now", "COMPLETED 10 n1 1");
	updated("", "timelimit=1", "TIMEOUT 20 n1 1");
	updated("", "timelimit=-9", "TIMEOUT 20 n1 1");
	updated("", "deadline=now+3minutes", "DEADLINE - None assigned 0"); /* C8: with a limit of 10 minutes it cannot end by then */
	updated("", "deadline=now+3minutes timemin=1", "COMPLETED 20 n1 1");
	is_then("j", "", ", \"time\": 10", "{\"at\": 30, \"cmd\": \"scontrol update job=@j endtime=now+30\"}", "TIMEOUT 20 n1 1");
	is_then("j", "", "", "{\"at\": 30, \"cmd\": \"scontrol update job=@j timelimit=1\"}", "TIMEOUT 20 n1 1");
	assert_int_equal(unlike, 0);
}

static void which_nodes(void **state)
{
	(void)state;
	updated("", "features=new", "COMPLETED 20 n3 1");
	updated(", \"constraint\": \"new\"", "features=", "COMPLETED 20 n1 1");
	updated("", "prefer=new", "COMPLETED 20 n3 1");
	updated("", "nodelist=n2", "COMPLETED 20 n2 1");
	updated(", \"nodelist\": \"n2\"", "reqnodelist=", "COMPLETED 20 n1 1");
	updated("", "excnodelist=n1", "COMPLETED 20 n2 1");
	updated("", "partition=q", "COMPLETED 20 n3 1");
	updated("", "mintmpdisknode=500", "COMPLETED 20 n3 1");
	updated("", "minmemorynode=20000", "COMPLETED 20 n3 1");
	updated(", \"ntasks\": 2, \"nodes\": 1", "minmemorycpu=9000", "COMPLETED 20 n3 2");
	updated("", "reqcores=5", "COMPLETED 20 n3 1");
	updated(", \"constraint\": \"new\"", "reqsockets=2 features=", "COMPLETED 20 n1 1");
#define RESERVED "{\"at\": 0, \"cmd\": \"scontrol create reservation=r starttime=now duration=60 users=u,v nodes=n4\"}, "
	is_then("j", "", "", RESERVED "{\"at\": 10, \"cmd\": \"scontrol update job=@j reservationname=r\"}", "COMPLETED 20 n4 1");
	is_then("j", "", "", RESERVED "{\"at\": 10, \"cmd\": \"scontrol update job=@j reservationname=r\"}, {\"at\": 11, \"cmd\": \"scontrol update job=@j reservationname=\"}",
	        "COMPLETED 20 n1 1");
	assert_int_equal(unlike, 0);
}

static void how_much(void **state)
{
	(void)state;
	updated("", "numcpus=3", "COMPLETED 20 n1 3");
	updated("", "numtasks=2 numcpus=2 cpuspertask=1", "COMPLETED 20 n1 2");
	updated("", "mincpusnode=5", "COMPLETED 20 n1 5");
	updated("", "numnodes=2", "COMPLETED 20 n[1-2] 2");
	is_then("k", "{\"name\": \"k\", \"at\": 0, \"user\": \"u\", \"run\": 70, \"time\": 9, \"mem\": 100, \"begin\": \"now+30\"},", ", \"mem\": 100",
	        "{\"at\": 10, \"cmd\": \"scontrol update job=@j oversubscribe=no\"}", "COMPLETED 30 n2 1"); /* nobody else on j's node */
	updated(", \"exclusive\": true", "oversubscribe=yes", "COMPLETED 20 n1 1");
	updated("", "gres=gpu:3", "COMPLETED 20 n3 1");
	updated("", "trespernode=gres:gpu:1,gres:tape:1", "COMPLETED 20 n3 1");
	updated(", \"gres\": \"gpu:3\"", "gres=", "COMPLETED 20 n1 1");
	updated("", "tresperjob=gres:gpu:4", "COMPLETED 20 n[1-2] 2"); /* as --gpus=4 */
	updated("", "numcpus=99", "scontrol update job=@j numcpus=99: Requested partition configuration not available now for job 1");
	updated("", "tresperjob=gres:tape:1",
	        "scontrol update job=@j tresperjob=gres:tape:1: TresPerJob of other GRES than GPUs is not modelled in this version for job 1");
	assert_int_equal(unlike, 0);
}

/* A neighbour on n1 and n2 leaves one node of each rack. */
static void shape(void **state)
{
	(void)state;
	static const char others[] = "{\"name\": \"a\", \"at\": 0, \"user\": \"u\", \"run\": 500, \"nodes\": 1, \"nodelist\": \"n2\", \"exclusive\": true, \"time\": 9},";
	is_then("j", others, ", \"nodes\": 2", "", "COMPLETED 20 n[1,3] 2");
	is_then("j", others, ", \"nodes\": 2", "{\"at\": 10, \"cmd\": \"scontrol update job=@j contiguous=yes\"}", "COMPLETED 20 n[3-4] 2");
	is_then("j", others, ", \"nodes\": 2, \"exclude\": \"n4\"", "{\"at\": 10, \"cmd\": \"scontrol update job=@j switches=1@30\"}", "COMPLETED 500 n[1-2] 2");
	is_then("j", others, ", \"nodes\": 2, \"exclude\": \"n4\", \"switches\": \"1@3\"", "{\"at\": 10, \"cmd\": \"scontrol update job=@j switches=0\"}",
	        "COMPLETED 20 n[1,3] 2");
	assert_int_equal(unlike, 0);
}

static void others_matter(void **state)
{
	(void)state;
	static const char a[] = "{\"name\": \"a\", \"at\": 0, \"user\": \"u\", \"run\": 70, \"time\": 9},";
	is_then("j", a, "", "{\"at\": 10, \"cmd\": \"scontrol update job=@j dependency=afterok:@a\"}", "COMPLETED 70 n1 1");
	is_then("j", a, ", \"depends\": \"afternotok:@a\"", "{\"at\": 30, \"cmd\": \"scontrol update job=@j dependency=\"}", "COMPLETED 30 n2 1");
	is_then("j", a, "", "{\"at\": 10, \"cmd\": \"scontrol update job=@j name=a\"}, {\"at\": 11, \"cmd\": \"scontrol update job=@j dependency=singleton\"}",
	        "COMPLETED 70 n1 1");
	is_then("j", a, "", "{\"at\": 10, \"cmd\": \"scontrol update job=@j dependency=afterok:@j\"}",
	        "scontrol update job=@j dependency=afterok:@j: Job dependency problem for job 2");
	is_then("j", "{\"name\": \"a\", \"at\": 0, \"user\": \"u\", \"run\": 70, \"time\": 9, \"licenses\": \"app:2\"},", "",
	        "{\"at\": 10, \"cmd\": \"scontrol update job=@j licenses=app\"}", "COMPLETED 70 n1 1");
	is_then("j", "{\"name\": \"a\", \"at\": 0, \"user\": \"u\", \"run\": 70, \"time\": 9, \"licenses\": \"app:2\"},", ", \"licenses\": \"app\"",
	        "{\"at\": 30, \"cmd\": \"scontrol update job=@a licenses=app\"}", "COMPLETED 30 n2 1"); /* a runs: it gives one back */
	is_then("j", "", "", "{\"at\": 30, \"cmd\": \"scontrol update job=@j requeue=0\"}, {\"at\": 40, \"cmd\": \"scontrol requeue @j\"}",
	        "scontrol requeue @j: Requested operation is presently disabled");
	assert_int_equal(unlike, 0);
}

static void lines(void **state)
{
	(void)state;
	/* what scontrol finds wrong changes nothing; of what slurmctld refuses the settings before it stay (recorded) */
	updated("", "numcpus=3 colour=red", "scontrol update job=@j numcpus=3 colour=red: Update of this parameter is not supported: colour=red\nRequest aborted");
	is_then("j", "", "", "{\"at\": 10, \"cmd\": \"scontrol update jobname=j userid=u numcpus=3\"}", "COMPLETED 20 n1 3");
	is_then("j", "", "", "{\"at\": 10, \"cmd\": \"scontrol update jobname=j userid=v numcpus=3\"}",
	        "scontrol update jobname=j userid=v numcpus=3: scontrol: error: No jobs with name 'j'");
	is_then("j", "", "", "{\"at\": 10, \"cmd\": \"scontrol update job @j numcpus=3\"}", "COMPLETED 20 n1 3");
	is_then("j", "", "", "{\"at\": 10, \"cmd\": \"scontrol update step=@j.0 timelimit=3\"}",
	        "scontrol update step=@j.0 timelimit=3: slurm_update error: Invalid job id specified");
	assert_int_equal(unlike, 0);
}

/* Nodes that a running job gives back are free at once; it ends as it would have. */
static void shrinks(void **state)
{
	(void)state;
	static const char wide[] = "{\"name\": \"w\", \"at\": 0, \"user\": \"u\", \"run\": 300, \"time\": 9, \"nodes\": 4, \"exclusive\": true},";
	is_then("j", wide, "", "", "COMPLETED 300 n1 1");
	is_then("j", wide, "", "{\"at\": 50, \"cmd\": \"scontrol update job=@w numnodes=2\"}", "COMPLETED 50 n3 1");
	is_then("w", wide, "", "{\"at\": 50, \"cmd\": \"scontrol update job=@w numnodes=2\"}", "COMPLETED 0 n[1-2] 16");
	is_then("j", wide, "", "{\"at\": 50, \"cmd\": \"scontrol update job=@w nodelist=n[1,3-4]\"}", "COMPLETED 50 n2 1");
	is_then("j", wide, "", "{\"at\": 50, \"cmd\": \"scontrol update job=@w nodelist=n[2-3]\"}",
	        "scontrol update job=@w nodelist=n[2-3]: Giving back nodes without the first one, on which the batch script runs, is not modelled in this version for job 1");
	is_then("j", wide, "", "{\"at\": 50, \"cmd\": \"scontrol update job=@w numnodes=5\"}",
	        "scontrol update job=@w numnodes=5: Requested operation not supported on this system for job 1");
	assert_int_equal(unlike, 0);
}

/* L20, L21, P34: what a shrunken job counts and is charged. */
static void shrink_counts(void **state)
{
	(void)state;
	for (int v = SLURM_22_05; v <= SLURM_26; v++) {
		struct world *w = l_world(v, "n[1-4]", LIMITS, NULL);
		struct job *a = w_job(w, 1, "nodes", "3", "ntasks", "6", "time", "10", NULL);
		w_full(w, 1);
		w_runs_on(w, a, 1, "n[1-3]");
		struct use *use = &l_acct(w)->use;
		assert_int_equal(use->tres[TRES_CPU], 6);
		assert_int_equal(use->run_secs[TRES_CPU], 6 * 600);
		assert_true(controller_update_job(w->c, a, "numnodes", "1", 301 * USEC, NULL));
		uint32_t cpus = a->alloc->cpus;
		assert_int_equal(use->jobs, 1);
		assert_int_equal(use->tres[TRES_CPU], cpus);
		assert_int_equal(use->tres[TRES_NODE], 1);
		assert_int_equal(use->run_secs[TRES_CPU], (uint64_t)cpus * 600);
		l_tick(w, 301);
		w_end(w, a, 401, 0, true);
		assert_int_equal(use->tres[TRES_CPU], 0);
		assert_int_equal(use->run_secs[TRES_CPU], 0);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup(plain, fresh),   cmocka_unit_test_setup(times, fresh),
	                                   cmocka_unit_test_setup(which_nodes, fresh), cmocka_unit_test_setup(how_much, fresh),
	                                   cmocka_unit_test_setup(shape, fresh),   cmocka_unit_test_setup(others_matter, fresh),
	                                   cmocka_unit_test_setup(lines, fresh),   cmocka_unit_test_setup(shrinks, fresh),
	                                   cmocka_unit_test(shrink_counts)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
