/*
 * cases_test.c - real situations of the pending group (01-28) run as whole scenarios, with what real slurmctld 22.05.8
 * did: starts within the seconds given, reasons at a moment, and what the record names as standing in the way.
 *
 * Not here: 03 (reservations), 13, 15, 18 (priority and fair-share), 25 (preemption), 27 (plans: backfill_test.c).
 */
#include "tests/unit/play_helper.h"

/* Run CONF with ACCOUNTS (NULL = none), JOBS and EVENTS as JSON lists, as 22.05, for UNTIL seconds. */
static struct played play(const char *conf, const char *accounts, const char *jobs, const char *events, int until)
{
	GString *list = g_string_new(jobs);
	if (!accounts)
		g_string_replace(list, "{\"name\"", "{\"user\": \"ann\", \"name\"", 0);
	g_autofree char *json = g_strdup_printf(
	    "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\"%s, \"slurm_version\": \"22.05\","
	    " \"controller_start\": -12, \"tick_phase\": 0.36, \"until\": %d, \"release\": \"reply\",\n\"jobs\": "
	    "[%s],\n\"events\": [%s]}\n",
	    accounts ? ", \"accounting\": \"a.sacctmgr\"" : "", until, list->str, events ? events : "");
	g_string_free(list, TRUE);
	const struct play_file files[] = {{"slurm.conf", conf}, {"scenario.json", json}, {"a.sacctmgr", accounts}, {NULL, NULL}};
	return play_files(files);
}

/* LABEL started between FROM and TO (seconds), on NODES unless NULL. */
static void started(const struct played *p, const char *label, int from, int to, const char *nodes)
{
	g_autofree char *t =
	    played_ask(p, "SELECT start_t FROM job WHERE label = ?1 AND start_t > 0 ORDER BY run LIMIT 1", label, 0);
	g_autofree char *n =
	    played_ask(p, "SELECT nodelist FROM job WHERE label = ?1 AND start_t > 0 ORDER BY run LIMIT 1", label, 0);
	if (!t)
		fail_msg("%s never started", label);
	double s = (double)(g_ascii_strtoll(t, NULL, 10) - p->start) / USEC;
	if (s < from || s > to + 0.999)
		fail_msg("%s started at %g, not within %d to %d", label, s, from, to);
	if (nodes)
		assert_string_equal(n, nodes);
}

static void never(const struct played *p, const char *label)
{
	g_autofree char *t = played_ask(p, "SELECT start_t FROM job WHERE label = ?1 AND start_t > 0", label, 0);
	assert_null(t);
}

#define WAIT(column)                                                                                                   \
	"SELECT " column                                                                                               \
	" FROM wait JOIN job USING (job, run) WHERE label = ?1 AND from_t <= ?2 AND to_t > ?2 ORDER BY from_t LIMIT 1"

/* What squeue would show for the waiting LABEL at T. */
static void shows(const struct played *p, const char *label, double t, const char *reason)
{
	g_autofree char *got = played_ask(p, WAIT("CASE detail WHEN '' THEN wait.reason ELSE detail END"), label, t);
	if (g_strcmp0(got, reason) != 0)
		fail_msg("%s at %g: \"%s\", not \"%s\"", label, t, got ? got : "not waiting", reason);
}

/* What stands in the way of LABEL at T holds TEXT. */
static void blocked(const struct played *p, const char *label, double t, const char *text)
{
	g_autofree char *got = played_ask(p, WAIT("blocker"), label, t);
	if (!got || !strstr(got, text))
		fail_msg("%s at %g: blocker \"%s\" does not hold \"%s\"", label, t, got ? got : "", text);
}

#define COMMON                                                                                                         \
	"ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nPriorityType=priority/basic\n"                   \
	"SchedulerParameters=batch_sched_delay=1,bf_interval=2,bf_resolution=1,bf_window=1440,sched_interval=5\n"
#define ACCOUNTING                                                                                                     \
	"AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageEnforce=associations,limits,qos,safe\n"
#define MEMORY "SelectTypeParameters=CR_Core_Memory\n"
#define CORES "SelectTypeParameters=CR_Core\n"

/* 01: without a default each task takes all memory of its node, and the reason's figures say so */
static void case_01(void **state)
{
	static const char nodes[] =
	    "NodeName=comp01 CPUs=12 Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 RealMemory=48000\n"
	    "NodeName=comp56 CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000\n"
	    "PartitionName=test Nodes=comp01,comp56 Default=YES MaxTime=UNLIMITED State=UP\n";
	static const char job[] =
	    "{\"name\": \"a\", \"at\": 0, \"array\": \"0-20\", \"ntasks\": 1, \"time\": 10, \"run\": 300}";
	(void)state;
	g_autofree char *none = g_strconcat(COMMON MEMORY, nodes, NULL),
	                *with = g_strconcat(COMMON MEMORY "DefMemPerCPU=1000\n", nodes, NULL);
	struct played p = play(none, NULL, job, NULL, 200);
	g_autofree char *running = played_ask(&p, "SELECT count(*) FROM job WHERE label = ?1 AND start_t > 0", "a", 0);
	g_autofree char *memory = played_ask(&p, "SELECT max(alloc_mem) FROM job WHERE label = ?1", "a", 0);
	assert_string_equal(running, "2");
	assert_string_equal(memory, "64000");
	shows(&p, "a", 100, "Resources");
	blocked(&p, "a", 100, "enough memory free (no memory was asked for: the default)");
	played_done(&p);
	p = play(with, NULL, job, NULL, 200);
	g_autofree char *all = played_ask(&p, "SELECT count(*) FROM job WHERE label = ?1 AND start_t > 0", "a", 0);
	assert_string_equal(all, "21");
	played_done(&p);
}

/* 02: jobs pinned to one busy node: Resources for the first, ReqNodeNotAvail for those behind, though the node is up */
static void case_02(void **state)
{
#define PINNED(name, at, run)                                                                                          \
	"{\"name\": \"" name "\", \"at\": " at                                                                         \
	", \"nodelist\": \"r34n5\", \"exclusive\": true, \"time\": 5, \"run\": " run "}"
	(void)state;
	struct played p = play(
	    COMMON MEMORY "NodeName=r34n[5-6] CPUs=24 Sockets=2 CoresPerSocket=12 ThreadsPerCore=1 RealMemory=96000\n"
	                  "PartitionName=titan Nodes=r34n[5-6] Default=YES MaxTime=600 DefMemPerCPU=1000\n",
	    NULL,
	    PINNED("w1", "0", "40") "," PINNED("w2", "1", "20") "," PINNED("w3", "2", "20") "," PINNED(
	        "w4", "3", "20") ",{\"name\": \"free\", \"at\": 4, \"ntasks\": 1, \"time\": 5, \"run\": 20}",
	    NULL, 200);
	started(&p, "w1", 0, 1, "r34n5");
	started(&p, "w2", 40, 42, "r34n5");
	started(&p, "w3", 60, 63, "r34n5");
	started(&p, "w4", 80, 84, "r34n5");
	started(&p, "free", 4, 5, "r34n6");
	shows(&p, "w2", 20, "Resources");
	shows(&p, "w3", 20, "ReqNodeNotAvail, UnavailableNodes:r34n5");
	shows(&p, "w4", 20, "ReqNodeNotAvail, UnavailableNodes:r34n5");
	shows(&p, "w3", 50, "Resources");
	shows(&p, "w4", 50, "ReqNodeNotAvail, UnavailableNodes:r34n5");
	blocked(&p, "w3", 20, "kept for jobs ahead: 1"); /* no node is down */
	played_done(&p);
}

/* 03: a maintenance ahead holds what would run into it; a shorter limit starts at once */
static void case_03(void **state)
{
	(void)state;
	struct played p =
	    play(COMMON MEMORY "NodeName=mx[1-2] CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000\n"
	                       "PartitionName=srlab Nodes=mx[1-2] Default=YES MaxTime=UNLIMITED DefMemPerCPU=1000\n",
	         NULL,
	         "{\"name\": \"m_unl\", \"at\": 1, \"ntasks\": 1, \"run\": 20},"
	         "{\"name\": \"m_240h\", \"at\": 2, \"ntasks\": 1, \"time\": \"240:00:00\", \"run\": 20},"
	         "{\"name\": \"m_5\", \"at\": 3, \"ntasks\": 1, \"time\": 5, \"run\": 20},"
	         "{\"name\": \"m_30\", \"at\": 4, \"ntasks\": 1, \"time\": 30, \"run\": 20},"
	         "{\"name\": \"m_w30\", \"at\": 4, \"ntasks\": 1, \"time\": 30, \"nodelist\": \"mx1\", \"run\": 20}",
	         "{\"at\": 0, \"cmd\": \"scontrol create reservation=maint nodes=mx[1-2] starttime=now+649 duration=60 "
	         "flags=maint,ignore_jobs users=root\"}",
	         4400);
	static const char *const held[] = {"m_unl", "m_240h", "m_30", "m_w30"};
	started(&p, "m_5", 3, 5, "mx1");
	for (gsize i = 0; i < G_N_ELEMENTS(held); i++) {
		shows(&p, held[i], 60, "ReqNodeNotAvail, Reserved for maintenance");
		shows(&p, held[i], 4000, "ReqNodeNotAvail, Reserved for maintenance");
		started(&p, held[i], 4249, 4260, NULL);
	}
	played_done(&p);
}

/* 04: three nodes wanted, one down */
static void case_04(void **state)
{
	(void)state;
	struct played p =
	    play(COMMON MEMORY "NodeName=k[1-3] CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000\n"
	                       "PartitionName=three Nodes=k[1-3] Default=YES MaxTime=60 DefMemPerCPU=1000\n",
	         NULL,
	         "{\"name\": \"n3\", \"at\": 0, \"nodes\": 3, \"time\": 10, \"run\": 10},"
	         "{\"name\": \"n2\", \"at\": 2, \"nodes\": 2, \"time\": 10, \"run\": 10},"
	         "{\"name\": \"n2b\", \"at\": 3, \"nodes\": 2, \"exclusive\": true, \"time\": 10, \"run\": 10}",
	         "{\"at\": 0, \"cmd\": \"scontrol update node=k3 state=down reason=broken\"},"
	         "{\"at\": 91, \"cmd\": \"scontrol update node=k3 state=resume\"}",
	         200);
	started(&p, "n3", 91, 94, "k[1-3]");
	started(&p, "n2", 2, 4, "k[1-2]");
	started(&p, "n2b", 12, 16, "k[1-2]");
	shows(&p, "n3", 0.3, "ReqNodeNotAvail, UnavailableNodes:k3");
	shows(&p, "n3", 60,
	      "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions");
	blocked(&p, "n3", 60, "nodes of three: available 2 of 3, wanted 3; down: k3");
	shows(&p, "n2b", 8, "Priority");
	played_done(&p);
}

/* 06: dependencies on a job that failed */
static void case_06(void **state)
{
#define DEP(name, at, depends, more)                                                                                   \
	",{\"name\": \"" name "\", \"at\": " at ", \"ntasks\": 1, \"time\": 5, \"run\": 3, \"depends\": \"" depends    \
	"\"" more "}"
	(void)state;
	for (int kill = 0; kill < 2; kill++) {
		g_autofree char *conf =
		    g_strconcat(COMMON MEMORY, kill ? "DependencyParameters=kill_invalid_depend\n" : "",
		                "NodeName=d1 CPUs=8 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000\n"
		                "PartitionName=dep Nodes=d1 Default=YES MaxTime=60 DefMemPerCPU=10\n",
		                NULL);
		struct played p =
		    play(conf, NULL,
		         "{\"name\": \"bad\", \"at\": 0, \"ntasks\": 1, \"time\": 5, \"run\": 3, \"exit\": 1}" DEP(
		             "dok", "1", "afterok:@bad", "") DEP("dany", "1", "afterany:@bad", "")
		             DEP("dokkill", "1", "afterok:@bad", ", \"kill_on_invalid_dep\": \"yes\"")
		                 DEP("dchain", "2", "afterok:@dok", "") DEP("late1", "8", "afterok:@bad", ""),
		         NULL, 60);
		started(&p, "dany", 3, 5, NULL);
		g_autofree char *state_of = played_ask(&p, "SELECT state FROM job WHERE label = ?1", "dokkill", 0);
		assert_string_equal(state_of, "CANCELLED");
		g_autofree char *dok = played_ask(&p, "SELECT state FROM job WHERE label = ?1", "dok", 0);
		assert_string_equal(dok, kill ? "CANCELLED" : "PENDING");
		g_autofree char *chain = played_ask(&p, "SELECT state FROM job WHERE label = ?1", "dchain", 0);
		assert_string_equal(chain, kill ? "CANCELLED" : "PENDING");
		shows(&p, "dok", 2.5, "Dependency");
		blocked(&p, "dok", 2.5, "job 1");
		if (!kill) {
			shows(&p, "dok", 30, "DependencyNeverSatisfied");
			shows(&p, "dchain", 30, "Dependency");
			shows(&p, "late1", 30, "DependencyNeverSatisfied");
		}
		played_done(&p);
	}
}

/* 08: jobs on one partition count in the job's QOS, where the partition's QOS hides the limit */
static void case_08(void **state)
{
#define STAT(name, at)                                                                                                 \
	"{\"name\": \"" name "\", \"at\": " at                                                                         \
	", \"user\": \"alice\", \"partition\": \"stat\", \"ntasks\": 10, \"time\": 10, \"run\": 80}"
	(void)state;
	struct played p =
	    play(COMMON MEMORY ACCOUNTING "DefMemPerCPU=1000\nNodeName=s[1-4],c[1-4] CPUs=16 Sockets=2 "
	                                  "CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000\n"
	                                  "PartitionName=stat Nodes=s[1-4] MaxTime=UNLIMITED QOS=stat\n"
	                                  "PartitionName=chpc Nodes=c[1-4] Default=YES MaxTime=UNLIMITED\n",
	         "add account a1\nadd user alice,bob account=a1\nmodify qos normal set MaxSubmitJobsPerUser=4\n"
	         "add qos stat MaxSubmitJobsPerUser=10 MaxTRESPerUser=cpu=30\n",
	         STAT("st1", "0") "," STAT("st2", "0") "," STAT("st3", "0") "," STAT("st4", "1") "," STAT(
	             "st5", "1") ",{\"name\": \"ch1\", \"at\": 3, \"user\": \"alice\", \"partition\": \"chpc\", "
	                         "\"ntasks\": 1, \"time\": 10, \"run\": 10},"
	                         "{\"name\": \"bch1\", \"at\": 3, \"user\": \"bob\", \"partition\": \"chpc\", "
	                         "\"ntasks\": 1, \"time\": 10, \"run\": 10}",
	         NULL, 120);
	started(&p, "st1", 0, 1, NULL);
	started(&p, "st3", 0, 1, NULL);
	shows(&p, "st4", 40, "QOSMaxCpuPerUserLimit");
	blocked(&p, "st5", 40, "qos stat user alice MaxTRESPU cpu: limit 30, in use 30, wanted 10");
	started(&p, "st4", 80, 83, NULL);
	started(&p, "bch1", 3, 4, NULL);
	g_autofree char *why = played_ask(&p, "SELECT message FROM refused WHERE label = ?1", "ch1", 0);
	assert_true(g_str_has_prefix(why, "QOSMaxSubmitJobPerUserLimit\nJob violates accounting/QOS policy"));
	played_done(&p);
}

/* 10: GrpTRES node=4 counts shared nodes once */
static void case_10(void **state)
{
#define SPUR(name, at, user, shape, run)                                                                               \
	"{\"name\": \"" name "\", \"at\": " at ", \"user\": \"" user "\", \"qos\": \"amd\", " shape                    \
	", \"time\": 10, \"run\": " run "}"
	(void)state;
	struct played p = play(
	    COMMON MEMORY ACCOUNTING
	    "GresTypes=gpu\nAccountingStorageTRES=gres/gpu\nDefMemPerCPU=1000\n"
	    "NodeName=q[1-8] CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Gres=gpu:8\n"
	    "PartitionName=gpu Nodes=q[1-8] Default=YES MaxTime=UNLIMITED\n",
	    "add account spur\nadd account other\nadd qos amd GrpTRES=node=4\nmodify account root set qos=normal,amd\n"
	    "add user frank,erin account=spur\nadd user dave account=other\n",
	    "{\"name\": \"dave\", \"at\": 0, \"user\": \"dave\", \"nodelist\": \"q1\", \"ntasks\": 6, \"gres\": "
	    "\"gpu:6\", \"time\": 10, \"run\": 31}," SPUR(
	        "n2x", "0", "frank", "\"nodelist\": \"q[2-3]\", \"nodes\": 2, \"exclusive\": true",
	        "70") "," SPUR("n2s", "0", "erin",
	                       "\"nodelist\": \"q[4-5]\", \"nodes\": 2, \"ntasks\": 2, \"gres\": \"gpu:1\"",
	                       "70") "," SPUR("n2t", "4", "erin",
	                                      "\"nodelist\": \"q[4-5]\", \"nodes\": 2, \"ntasks\": 2, \"gres\": "
	                                      "\"gpu:1\"",
	                                      "30") "," SPUR("n1u", "5", "erin",
	                                                     "\"nodelist\": \"q4\", \"ntasks\": 1, \"gres\": \"gpu:1\"",
	                                                     "30") "," SPUR("n3v", "6", "erin",
	                                                                    "\"nodes\": 3, \"ntasks\": 3, \"gres\": "
	                                                                    "\"gpu:1\"",
	                                                                    "30"),
	    NULL, 150);
	started(&p, "n2x", 0, 1, "q[2-3]");
	started(&p, "n2s", 0, 1, "q[4-5]");
	started(&p, "n2t", 4, 6, "q[4-5]");
	started(&p, "n1u", 5, 7, "q4");
	shows(&p, "n3v", 20, "QOSGrpNodeLimit");
	blocked(&p, "n3v", 20, "qos amd GrpTRES node: limit 4, in use 4");
	started(&p, "n3v", 70, 75, NULL);
	played_done(&p);
}

/* 11: GrpTRESRunMins falls at the decay ticks and at ends, to the second */
static void case_11(void **state)
{
#define RM(name, at, n, time, run)                                                                                     \
	"{\"name\": \"" name "\", \"at\": " at ", \"user\": \"dave\", \"ntasks\": " n ", \"time\": " time              \
	", \"run\": " run "}"
	(void)state;
	struct played p = play(
	    "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nPriorityType=priority/multifactor\n"
	    "PriorityCalcPeriod=1\nPriorityDecayHalfLife=0-1\nPriorityWeightAge=1\n"
	    "SchedulerParameters=batch_sched_delay=1,bf_interval=2,bf_resolution=1,bf_window=1440,sched_interval="
	    "5\n" MEMORY ACCOUNTING
	    "DefMemPerCPU=10\nNodeName=g[1-4] CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000\n"
	    "PartitionName=p Nodes=g[1-4] Default=YES MaxTime=UNLIMITED\n",
	    "add account a\nadd user dave account=a\nmodify user dave set GrpTRESRunMins=cpu=100\n",
	    RM("g3", "31", "1", "5", "20") "," RM("rm80", "40", "4", "20", "400") "," RM(
	        "rm30", "42", "2", "11", "20") "," RM("rm18", "44", "2", "9", "20") "," RM("rm120", "45", "8", "15",
	                                                                                   "20"),
	    NULL, 300);
	started(&p, "g3", 31, 32, NULL);
	started(&p, "rm80", 40, 41, NULL);
	shows(&p, "rm30", 47, "AssocGrpCPURunMinutesLimit");
	shows(&p, "rm18", 50, "AssocGrpCPURunMinutesLimit");
	blocked(&p, "rm18", 47, "association root/a/dave GrpTRESRunMins cpu: limit 100, in use 85, wanted 18");
	started(&p, "rm18", 51, 52, NULL);
	started(&p, "rm30", 108, 110, NULL);
	never(&p, "rm120");
	played_done(&p);
}

/* 12: a site's QOS table; the account's limit is tested before the user's */
static void case_12(void **state)
{
#define DEV(name, at, user, nodes, time)                                                                               \
	"{\"name\": \"" name "\", \"at\": " at ", \"user\": \"" user "\", \"qos\": \"qos_gpu-dev\", \"nodes\": " nodes \
	", \"gres\": \"gpu:4\", \"time\": " time ", \"run\": 60}"
	(void)state;
	for (int pa = 0; pa < 2; pa++) {
		g_autofree char *accounts = g_strdup_printf(
		    "add account p1\nadd account p2\nadd qos qos_gpu-dev priority=80 GrpTRES=cpu=10240,gres/gpu=512 "
		    "MaxWall=02:00:00 "
		    "MaxTRESPU=cpu=640,gres/gpu=32 MaxSubmitPU=10%s\nmodify account root set qos=normal,qos_gpu-dev\n"
		    "add user u1,u2 account=p1\nadd user u3 account=p2\n",
		    pa ? " MaxTRESPA=cpu=640,gres/gpu=32" : "");
		struct played p = play(
		    COMMON CORES
		    "GresTypes=gpu\nAccountingStorageTRES=gres/gpu\nAccountingStorageType=accounting_storage/slurmdbd\n"
		    "AccountingStorageEnforce=limits,qos\n"
		    "NodeName=j[1-130] CPUs=40 Sockets=2 CoresPerSocket=20 ThreadsPerCore=1 RealMemory=64000 "
		    "Gres=gpu:4\n"
		    "PartitionName=gpu Nodes=j[1-130] Default=YES MaxTime=UNLIMITED\n",
		    accounts,
		    DEV("a", "0", "u1", "6", "60") "," DEV("b", "3", "u1", "3", "60") "," DEV(
		        "c", "6", "u1", "2", "60") "," DEV("d", "9", "u2", "1",
		                                           "60") "," DEV("e", "12", "u1", "9",
		                                                         "60") "," DEV("f", "15", "u1", "1",
		                                                                       "121") "," DEV("g", "18", "u3",
		                                                                                      "8", "60"),
		    NULL, 100);
		started(&p, "a", 0, 1, NULL);
		started(&p, "c", 6, 8, NULL);
		started(&p, "g", 18, 20, NULL);
		shows(&p, "b", 30, pa ? "MaxGRESPerAccount" : "QOSMaxGRESPerUser");
		shows(&p, "e", 30, pa ? "MaxGRESPerAccount" : "QOSMaxGRESPerUser");
		shows(&p, "f", 30, "QOSMaxWallDurationPerJobLimit");
		if (pa)
			shows(&p, "d", 30, "MaxGRESPerAccount");
		else
			started(&p, "d", 9, 11, NULL);
		started(&p, "b", 60, 63, NULL);
		never(&p, "e");
		never(&p, "f");
		played_done(&p);
	}
}

/* 19: without a plan within bf_window, longer and younger jobs pass a wide one */
static void case_19(void **state)
{
#define WIN(name, at, part, shape, time, run)                                                                          \
	"{\"name\": \"" name "\", \"at\": " at ", \"partition\": \"" part "\", " shape ", \"time\": " time             \
	", \"run\": " run "}"
	(void)state;
	struct played p = play(
	    "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nPriorityType=priority/basic\n" CORES
	    "SchedulerParameters=bf_interval=2,bf_resolution=1,bf_window=10,sched_interval=60\n"
	    "NodeName=b[1-2],u[1-2] CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000\n"
	    "PartitionName=win Nodes=b[1-2] Default=YES MaxTime=UNLIMITED\nPartitionName=lim Nodes=u[1-2] MaxTime=20\n",
	    NULL,
	    WIN("run1", "0", "win", "\"nodelist\": \"b1\", \"ntasks\": 4", "30", "60") "," WIN(
	        "lrun", "0", "lim", "\"nodelist\": \"u1\", \"ntasks\": 4", "4",
	        "60") "," WIN("big", "1", "win", "\"nodes\": 2, \"ntasks\": 8", "5",
	                      "10") "," WIN("lbig", "1", "lim", "\"nodes\": 2, \"ntasks\": 8", "5",
	                                    "10") "," WIN("sm1", "2", "win", "\"ntasks\": 4", "120",
	                                                  "30") "," WIN("lsm5", "2", "lim", "\"ntasks\": 4", "5",
	                                                                "20") "," WIN("sm2", "3", "win",
	                                                                              "\"ntasks\": 4", "120",
	                                                                              "60") "," WIN("lsm3", "3", "lim",
	                                                                                            "\"ntasks\": 4",
	                                                                                            "3", "20"),
	    NULL, 200);
	shows(&p, "big", 30, "Resources");
	blocked(&p, "big", 30, "cores in win: free ");
	started(&p, "sm1", 2, 5, "b2");
	started(&p, "sm2", 32, 36, "b2");
	started(&p, "big", 92, 97, NULL);
	started(&p, "lsm3", 3, 6, "u2");
	started(&p, "lbig", 60, 62, NULL);
	shows(&p, "lsm5", 30, "Priority");
	started(&p, "lsm5", 70, 73, NULL);
	played_done(&p);
}

/* 22: above the partition's limit, and no limit at all */
static void case_22(void **state)
{
	static const char jobs[] = "{\"name\": \"t0\", \"at\": 0.1, \"ntasks\": 1, \"time\": 0, \"run\": 10},"
	                           "{\"name\": \"t31\", \"at\": 0.1, \"ntasks\": 1, \"time\": 31, \"run\": 10},"
	                           "{\"name\": \"t30\", \"at\": 1, \"ntasks\": 1, \"time\": 30, \"run\": 10},"
	                           "{\"name\": \"tnone\", \"at\": 1, \"ntasks\": 1, \"run\": 10}";
	(void)state;
	for (int all = 0; all < 2; all++) {
		g_autofree char *conf =
		    g_strconcat(COMMON MEMORY "DefMemPerCPU=1000\nEnforcePartLimits=", all ? "ALL" : "NO",
		                "\nNodeName=db1 CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=15867\n"
		                "PartitionName=debug Nodes=db1 Default=YES MaxTime=30\n",
		                NULL);
		struct played p = play(conf, NULL, jobs, NULL, 60);
		started(&p, "t30", 1, 3, NULL);
		started(&p, "tnone", 1, 3, NULL);
		never(&p, "t31");
		g_autofree char *limit = played_ask(&p, "SELECT time_limit FROM job WHERE label = ?1", "tnone", 0);
		assert_string_equal(limit, "30");
		g_autofree char *why = played_ask(&p, "SELECT message FROM refused WHERE label = ?1", "t31", 0);
		if (all) {
			assert_string_equal(why, "Requested time limit is invalid (missing or exceeds some limit)");
		} else {
			assert_null(why);
			shows(&p, "t31", 0.2, "PartitionConfig");
			shows(&p, "t31", 30, "PartitionTimeLimit");
			blocked(&p, "t31", 30, "partition debug MaxTime: limit 30, wanted 31");
			shows(&p, "t0", 30, "PartitionTimeLimit");
			blocked(&p, "t0", 30, "wanted unlimited");
		}
		played_done(&p);
	}
}

/* 25: which job is stopped for a higher tier, how many, and when it comes back */
static void case_25(void **state)
{
#define PRE(name, at, part, shape, time, run)                                                                          \
	"{\"name\": \"" name "\", \"at\": " at ", \"partition\": \"" part "\", " shape ", \"time\": " time             \
	", \"requeue\": true, \"run\": " run "}"
	(void)state;
	struct played p = play(
	    COMMON CORES
	    "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
	    "NodeName=hpc[401-402] CPUs=3 Sockets=1 CoresPerSocket=3 ThreadsPerCore=1\n"
	    "NodeName=big[1-4] CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1\n"
	    "PartitionName=uctlo Nodes=hpc[401-402] PriorityTier=1 PreemptMode=REQUEUE MaxTime=60 Default=YES\n"
	    "PartitionName=ucthi Nodes=hpc[401-402] PriorityTier=10 PreemptMode=OFF MaxTime=60\n"
	    "PartitionName=blo Nodes=big[1-4] PriorityTier=1 PreemptMode=CANCEL MaxTime=60\n"
	    "PartitionName=bhi Nodes=big[1-4] PriorityTier=10 PreemptMode=OFF MaxTime=60\n",
	    NULL,
	    PRE("lo1807", "0", "uctlo", "\"nodelist\": \"hpc402\", \"ntasks\": 1", "20", "60") "," PRE("lo1808", "2", "uctlo", "\"nodelist\": \"hpc402\", \"ntasks\": 1", "20", "60") "," PRE(
	        "lo1809", "3", "uctlo",
	        "\"nodelist\": \"hpc402\", \"ntasks\": 1",
	        "20",
	        "60") "," PRE("hi1", "4", "ucthi", "\"nodelist\": \"hpc401\", \"ntasks\": 1", "20",
	                      "60") "," PRE("hi2", "4", "ucthi", "\"nodelist\": \"hpc401\", \"ntasks\": 1", "20",
	                                    "60") "," PRE("hi3", "4", "ucthi", "\"nodelist\": \"hpc401\", \"ntasks\": 1",
	                                                  "20",
	                                                  "60") "," PRE("hi1814", "8", "ucthi", "\"ntasks\": 1", "20",
	                                                                "30") "," PRE("b1", "0", "blo",
	                                                                              "\"nodelist\": \"big1\", "
	                                                                              "\"ntasks\": 4",
	                                                                              "20",
	                                                                              "80") "," PRE("b2", "1", "blo",
	                                                                                            "\"nodelist\": "
	                                                                                            "\"big2\", "
	                                                                                            "\"ntasks\": 1",
	                                                                                            "20",
	                                                                                            "80") "," PRE("b2b",
	                                                                                                          "1",
	                                                                                                          "blo",
	                                                                                                          "\"no"
	                                                                                                          "deli"
	                                                                                                          "st\""
	                                                                                                          ": "
	                                                                                                          "\"bi"
	                                                                                                          "g2\""
	                                                                                                          ", "
	                                                                                                          "\"nt"
	                                                                                                          "asks"
	                                                                                                          "\": "
	                                                                                                          "1",
	                                                                                                          "20",
	                                                                                                          "80") "," PRE("b3",
	                                                                                                                        "2",
	                                                                                                                        "blo",
	                                                                                                                        "\"nodelist\": \"big[3-4]\", \"nodes\": 2, \"ntasks\": 8",
	                                                                                                                        "20",
	                                                                                                                        "80") "," PRE("bh1",
	                                                                                                                                      "6",
	                                                                                                                                      "bhi",
	                                                                                                                                      "\"nodes\": 1, \"ntasks\": 3",
	                                                                                                                                      "20",
	                                                                                                                                      "20") "," PRE("bh2",
	                                                                                                                                                    "20",
	                                                                                                                                                    "bhi",
	                                                                                                                                                    "\"nodes\": 1, \"ntasks\": 4",
	                                                                                                                                                    "20",
	                                                                                                                                                    "20"),
	    NULL, 200);
	started(&p, "hi1814", 8, 10, "hpc402");
	shows(&p, "lo1807", 60, "BeginTime");
	g_autofree char *back =
	    played_ask(&p, "SELECT eligible_s - ?2 / 1000000 FROM job WHERE label = ?1 AND run = 1", "lo1807", 0);
	assert_in_range(g_ascii_strtoll(back, NULL, 10), 128, 131); /* 8 + 121 */
	started(&p, "bh1", 6, 8, "big1");
	started(&p, "bh2", 20, 22, "big2");
	static const struct {
		const char *job, *state;
	} ends[] = {{"lo1808", "COMPLETED"}, {"lo1809", "COMPLETED"}, {"b1", "PREEMPTED"},
	            {"b2", "PREEMPTED"},     {"b2b", "PREEMPTED"},    {"b3", "COMPLETED"}};
	for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
		g_autofree char *end = played_ask(&p, "SELECT state FROM job WHERE label = ?1 AND run = 0", ends[i].job, 0);
		if (g_strcmp0(end, ends[i].state))
			fail_msg("%s ended %s, not %s", ends[i].job, end, ends[i].state);
	}
	played_done(&p);
}

/* 27: a planned job keeps its reason; those beyond bf_max_job_test wait as Priority */
static void case_27(void **state)
{
	(void)state;
	GString *jobs = g_string_new("{\"name\": \"f1\", \"ntasks\": 1, \"time\": 60, \"run\": 60},"
	                             "{\"name\": \"f2\", \"ntasks\": 1, \"time\": 60, \"run\": 60}");
	for (int i = 1; i <= 10; i++)
		g_string_append_printf(jobs,
		                       ",{\"name\": \"j%d\", \"at\": 1, \"ntasks\": 1, \"time\": 60, \"run\": 15}", i);
	struct played p =
	    play("ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nPriorityType=priority/basic\n" CORES
	         "SchedulerParameters=bf_interval=2,bf_resolution=1,bf_window=1440,sched_interval=60,default_queue_"
	         "depth=3,bf_max_job_test=6\n"
	         "NodeName=w[1-2] CPUs=1 Sockets=1 CoresPerSocket=1 ThreadsPerCore=1 RealMemory=16000\n"
	         "PartitionName=od Nodes=w[1-2] Default=YES MaxTime=UNLIMITED\n",
	         NULL, jobs->str, NULL, 200);
	g_string_free(jobs, TRUE);
	shows(&p, "j1", 30, "Resources");
	for (int i = 2; i <= 10; i++) {
		char name[8];
		g_snprintf(name, sizeof name, "j%d", i);
		shows(&p, name, 30, "Priority");
		started(&p, name, 60 + (i - 1) / 2 * 15, 64 + (i - 1) / 2 * 15, NULL);
	}
	played_done(&p);
}

/* S3, recorded (60 killed runs of 60): the nodes of a job that is killed are released by a message, which asks for a pass at once, also where those of
 * one that ends by itself are released by the answer, after which a pass waits for batch_sched_delay. */
static void killed(void **state)
{
	static const char conf[] =
	    "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nPriorityType=priority/basic\n" CORES
	    "SchedulerParameters=bf_interval=200,batch_sched_delay=30,sched_interval=1000\n"
	    "NodeName=w1 CPUs=1 Sockets=1 CoresPerSocket=1 ThreadsPerCore=1 RealMemory=16000\n"
	    "PartitionName=od Nodes=w1 Default=YES MaxTime=UNLIMITED\n";
	static const char first[] = "{\"name\": \"a\", \"at\": 1, \"ntasks\": 1, \"time\": 60, \"run\": ";
	static const char second[] = "},{\"name\": \"b\", \"at\": 20, \"ntasks\": 1, \"time\": 60, \"run\": 15}";
	(void)state;
	g_autofree char *by_itself = g_strconcat(first, "50", second, NULL), *by_scancel = g_strconcat(first, "500", second, NULL);
	struct played p = play(conf, NULL, by_itself, NULL, 200);
	started(&p, "b", 70, 90, NULL);
	shows(&p, "b", 60, "Resources");
	played_done(&p);
	p = play(conf, NULL, by_scancel, "{\"at\": 52, \"cmd\": \"scancel @a\"}", 200);
	started(&p, "b", 52, 52, NULL);
	played_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(case_01), cmocka_unit_test(case_02), cmocka_unit_test(case_03), cmocka_unit_test(case_04),
	    cmocka_unit_test(case_06), cmocka_unit_test(case_08), cmocka_unit_test(case_10), cmocka_unit_test(case_11),
	    cmocka_unit_test(case_12), cmocka_unit_test(case_19), cmocka_unit_test(case_22), cmocka_unit_test(case_25),
	    cmocka_unit_test(case_27), cmocka_unit_test(killed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
