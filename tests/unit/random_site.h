/*
 * random_site.h - small random scenarios with all features, for tests that run many of them (naive_test.c, life_test.c).
 *
 * site_new(SEED) is a whole site: slurm.conf, accounting, topology, faults and a scenario of jobs and events; put_site writes it into a
 * folder. A seed means the same scenario everywhere. Seeds that 3 divides have power saving and reboots, one of four has failing nodes, one of
 * five a slurm.conf that is changed on the way, one of three partitions and nodes that scontrol creates, changes and deletes, one of two many
 * keys of scontrol update job. Where preemption is on, low jobs fill the nodes early and high ones come later.
 */
#ifndef TESTS_UNIT_RANDOM_SITE_H
#define TESTS_UNIT_RANDOM_SITE_H
#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- chance: splitmix64, so that a seed means the same scenario everywhere ---- */

static uint64_t chance_state;

static uint64_t draw(void)
{
	uint64_t z = chance_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static int between(int low, int high)
{
	return low + (int)(draw() % (uint64_t)(high - low + 1));
}

static bool one_in(int n)
{
	return draw() % (uint64_t)n == 0;
}

#define PICK(...) pick((const int[]){__VA_ARGS__}, sizeof(const int[]){__VA_ARGS__} / sizeof(int))

static int pick(const int *list, size_t n)
{
	return list[draw() % n];
}

/* ---- a random scenario as text ---- */

struct site {
	GString *conf, *accounting, *json, *topology, *faults;
	int n_a, n_b; /* nodes a1..., b1... */
	int cpus_a, cpus_b;
	int n_parts;
	bool gpus, limits, old, preempt, grace, licenses, power, failing, reconfigured, updated;
	bool again; /* RequeueExit, --no-kill, requeues of what has ended */
	bool expedited; /* --requeue=expedite of most jobs */
	int n_resvs; /* reservations r0, r1, ... are made by events */
	int hour;    /* seconds in which jobs come */
	bool features;
	bool crowd;  /* many jobs of few shapes, which wait for one another for long */
	GString *shape[4]; /* of a crowd: its sizes and limits */
	gsize jobs_end, events_end; /* in json */
	int n_jobs;
};

static const char *const USERS[] = {"alice", "bob", "carol", "dave"};
static const char *const QOS[] = {"normal", "few", "small", "narrow", "group"};

static void token(GString *s, const char *name, int value)
{
	if (s->len)
		g_string_append_c(s, ',');
	g_string_append_printf(s, "%s=%d", name, value);
}

static void draw_scheduler_parameters(GString *conf)
{
	GString *s = g_string_new(NULL);

	token(s, "bf_interval", PICK(2, 5, 10, 30, 30, 60));
	token(s, "bf_resolution", PICK(1, 10, 60, 60, 60, 300));
	token(s, "bf_window", PICK(5, 20, 60, 240, 1440, 1440));
	if (one_in(3))
		token(s, "bf_max_job_test", PICK(1, 3, 10, 50));
	if (one_in(4))
		token(s, "bf_max_job_user", PICK(1, 2, 5));
	if (one_in(6))
		token(s, "bf_max_job_part", PICK(1, 3, 8));
	if (one_in(6))
		token(s, "bf_max_job_start", PICK(1, 2));
	if (one_in(6))
		token(s, "bf_node_space_size", PICK(2, 4, 10));
	if (one_in(6))
		token(s, "bf_max_job_array_resv", PICK(1, 2, 5));
	if (one_in(6))
		token(s, "bf_job_part_count_reserve", PICK(1, 3));
	if (one_in(6))
		token(s, "bf_window_linear", PICK(30, 120));
	if (one_in(3))
		token(s, "default_queue_depth", PICK(1, 3, 8, 20));
	if (one_in(4))
		token(s, "partition_job_depth", PICK(1, 4));
	if (one_in(4))
		token(s, "sched_max_job_start", PICK(1, 2));
	if (one_in(3))
		token(s, "batch_sched_delay", PICK(0, 1, 7, 20));
	if (one_in(4))
		token(s, "sched_interval", PICK(7, 15, 30, 90, -1));
	if (one_in(4))
		token(s, "bf_min_age_reserve", PICK(30, 200, 900));
	if (one_in(4))
		token(s, "bf_min_prio_reserve", PICK(500, 2000));
	if (one_in(6))
		token(s, "requeue_delay", PICK(0, 10, 100));
	if (one_in(5))
		g_string_append(s, ",defer");
	if (one_in(6))
		g_string_append(s, ",assoc_limit_stop");
	if (one_in(6))
		g_string_append(s, ",bf_one_resv_per_job");
	if (one_in(8))
		g_string_append(s, ",kill_invalid_depend");
	if (one_in(6))
		g_string_append(s, ",bf_busy_nodes");
	if (one_in(6))
		g_string_append(s, ",pack_serial_at_end");
	if (one_in(3))
		token(s, "max_switch_wait", PICK(5, 60, 400));
	if (one_in(6))
		g_string_append(s, ",bf_licenses");
	else if (one_in(6))
		g_string_append(s, ",bf_running_job_reserve");
	if (one_in(6))
		g_string_append(s, ",bf_allow_magnetic_slot");
	if (one_in(8)) {
		g_string_append(s, ",bf_topopt_enable");
		token(s, "bf_topopt_iterations", PICK(2, 3, 10));
	}
	if (one_in(5))
		token(s, "sched_min_interval", PICK(2, 500000, 2000000, 9000000));
	if (one_in(2))
		g_string_append(s, ",bf_continue");
	if (one_in(3))
		token(s, "bf_yield_interval", PICK(50000, 500000, 3000000));
	if (one_in(3))
		token(s, "bf_yield_sleep", PICK(20000, 500000, 2500000));
	if (one_in(4))
		token(s, "bf_max_time", PICK(1, 5, 40));
	if (one_in(5))
		g_string_append(s, ((const char *const[]){",bf_hetjob_prio=min", ",bf_hetjob_prio=max", ",bf_hetjob_prio=avg", ",bf_hetjob_immediate"})[draw() % 4]);
	if (one_in(6))
		g_string_append(s, ",time_min_as_soft_limit");
	if (one_in(6))
		g_string_append(s, ",reduce_completing_frag");
	if (one_in(6))
		g_string_append(s, ",allow_zero_lic,ignore_prefer_validation,ignore_constraint_validation");
	if (one_in(6))
		token(s, one_in(2) ? "bf_max_job_user_part" : "bf_max_job_assoc", PICK(1, 2, 4));
	if (one_in(6))
		token(s, "max_sched_time", PICK(1, 3));
	if (one_in(8))
		token(s, "correspond_after_task_cnt", 12);
	g_string_append_printf(conf, "SchedulerParameters=%s\n", s->str);
	g_string_free(s, TRUE);
}

static void draw_priority(struct site *site)
{
	GString *conf = site->conf;

	if (one_in(2)) {
		g_string_append(conf, "PriorityType=priority/basic\n");
		return;
	}
	g_string_append_printf(conf, "PriorityType=priority/multifactor\nPriorityWeightAge=%d\nPriorityCalcPeriod=%d\n",
	                       PICK(0, 1000, 1000, 100000), PICK(1, 1, 5));
	g_string_append_printf(conf, "PriorityMaxAge=%d\n", PICK(1, 30, 1440) * 60);
	if (one_in(2))
		g_string_append_printf(conf, "PriorityWeightJobSize=%d\n", PICK(100, 3000));
	if (one_in(2))
		g_string_append(conf, "PriorityWeightPartition=1000\n");
	if (one_in(2))
		g_string_append(conf, "PriorityWeightQOS=1000\n");
	if (one_in(4))
		g_string_append(conf, "PriorityFavorSmall=YES\n");
	if (one_in(4))
		g_string_append(conf, "PriorityFlags=ACCRUE_ALWAYS\n");
}

static void draw_nodes(struct site *site)
{
	static const int MEMORY[] = {8000, 16000, 64000};

	site->n_a = between(2, 6);
	site->n_b = one_in(3) ? 0 : between(1, 4);
	site->cpus_a = PICK(2, 4, 8);
	site->cpus_b = PICK(4, 16);
	site->gpus = one_in(2);
	site->features = one_in(3);
	if (site->gpus)
		g_string_append(site->conf, "GresTypes=gpu\n");
	g_string_append_printf(site->conf, "NodeName=a[1-%d] CPUs=%d RealMemory=%d%s%s State=UNKNOWN\n", site->n_a,
	                       site->cpus_a, MEMORY[draw() % 3], site->gpus && one_in(3) ? " Gres=gpu:2" : "", site->features ? " Features=old,ib" : "");
	if (site->n_b)
		g_string_append_printf(site->conf,
		                       "NodeName=b[1-%d] CPUs=%d CoresPerSocket=%d ThreadsPerCore=2 RealMemory=%d%s "
		                       "Weight=10%s State=UNKNOWN\n",
		                       site->n_b, site->cpus_b, site->cpus_b / 2, MEMORY[draw() % 3],
		                       site->gpus ? " Gres=gpu:4" : "", site->features ? " Features=new,ib" : "");
}

static void draw_partitions(struct site *site)
{
	site->n_parts = between(1, 3);
	for (int i = 0; i < site->n_parts; i++) {
		int first = between(1, site->n_a), last = between(first, site->n_a);
		GString *nodes = g_string_new(NULL);

		if (i == 0 || one_in(3))
			g_string_assign(nodes, "ALL");
		else if (site->n_b && one_in(2))
			g_string_printf(nodes, "b[1-%d]%s", site->n_b, one_in(2) ? ",a1" : "");
		else
			g_string_printf(nodes, "a[%d-%d]", first, last);
		g_string_append_printf(
		    site->conf, "PartitionName=p%d Nodes=%s Default=%s State=UP PriorityTier=%d PriorityJobFactor=%d",
		    i, nodes->str, i == 0 ? "YES" : "NO", between(1, 2), between(1, 10));
		g_string_append_printf(site->conf, " MaxTime=%d DefaultTime=%d", PICK(30, 60, 120, 1000),
		                       PICK(1, 10, 30));
		if (one_in(6))
			g_string_append_printf(site->conf, " MaxNodes=%d", between(1, 4));
		static const char *const sharing[] = {"EXCLUSIVE", "EXCLUSIVE", "FORCE:1", "FORCE:2", "FORCE:4", "YES:2"};
		if (one_in(6))
			g_string_append_printf(site->conf, " OverSubscribe=%s", sharing[between(0, 5)]);
		if (one_in(8))
			g_string_append(site->conf, " LLN=YES");
		if (one_in(6))
			g_string_append_printf(site->conf, " OverTimeLimit=%d", PICK(0, 1, 5));
		if (one_in(6))
			g_string_append_printf(site->conf, " MaxMemPerCPU=%d", PICK(500, 2000));
		if (site->limits && one_in(5))
			g_string_append(site->conf, " QOS=narrow");
		if (site->grace)
			g_string_append_printf(site->conf, " GraceTime=%d", PICK(0, 10, 45, 200));
		g_string_append_c(site->conf, '\n');
		g_string_free(nodes, TRUE);
	}
}

/* A third of the sites has a tree: two leaves of the a nodes, one of the b nodes. */
static void draw_topology(struct site *site)
{
	int half = site->n_a / 2;

	if (!one_in(3))
		return;
	g_string_append(site->conf, "TopologyPlugin=topology/tree\n");
	if (one_in(4))
		g_string_append_printf(site->conf, "TopologyParam=%s\n", one_in(2) ? "TopoOptional" : "Dragonfly");
	g_string_append_printf(site->topology, "SwitchName=s1 Nodes=a[1-%d]\nSwitchName=s2 Nodes=a[%d-%d]\n", half, half + 1, site->n_a);
	if (site->n_b)
		g_string_append_printf(site->topology, "SwitchName=s3 Nodes=b[1-%d]\n", site->n_b);
	g_string_append_printf(site->topology, "SwitchName=top Switches=s[1-%d]\n", site->n_b ? 3 : 2);
}

static void draw_accounting(struct site *site)
{
	site->limits = one_in(2);
	if (!site->limits && one_in(2))
		return;
	if (site->limits)
		g_string_append_printf(site->conf, "AccountingStorageEnforce=associations,limits,qos%s\n", one_in(3) ? ",safe" : "");
	g_string_append(site->conf, "AccountingStorageType=accounting_storage/slurmdbd\n");
	g_string_append(site->accounting, "add account acct description=acct organization=o\n"
	                                  "add account other description=other organization=o\n"
	                                  "add user alice account=acct\nadd user bob account=acct\n"
	                                  "add user carol account=other\nadd user dave account=other\n");
	g_string_append_printf(site->accounting, "add qos few MaxJobsPerUser=%d priority=10\n", between(1, 3));
	g_string_append_printf(site->accounting, "add qos small MaxTRESPerJob=cpu=%d MaxWall=00:%02d:00 priority=50\n",
	                       between(2, 12), between(5, 40));
	g_string_append_printf(site->accounting, "add qos narrow MaxTRESPerUser=cpu=%d\n", between(4, 20));
	g_string_append_printf(site->accounting, "add qos group GrpTRES=cpu=%d GrpJobs=%d\n", between(4, 30),
	                       between(1, 6));
	g_string_append(site->accounting, "modify account root set qos=normal,few,small,narrow,group\n");
	if (one_in(3))
		g_string_append_printf(site->accounting, "modify account acct set GrpTRES=cpu=%d\n", between(4, 24));
	if (one_in(3))
		g_string_append_printf(site->accounting, "modify account other set GrpTRESRunMins=cpu=%d GrpTRESMins=cpu=%d\n",
		                       between(60, 600), between(50, 900));
	if (one_in(3))
		g_string_append_printf(site->accounting, "modify qos narrow set MaxTRESMins=cpu=%d GrpWall=%d\n", between(30, 400),
		                       between(20, 200));
	if (one_in(4))
		g_string_append_printf(site->accounting, "modify user carol set MaxJobsAccrue=%d\nmodify qos few set UsageFactor=0.7\n",
		                       between(1, 3));
	if (one_in(3))
		g_string_append_printf(site->accounting, "modify user bob set MaxJobs=%d\n", between(1, 4));
}

static void draw_preemption(struct site *site)
{
	bool by_qos = site->accounting->len > 0 && one_in(2);

	site->preempt = !site->crowd && !one_in(3);
	if (!site->preempt)
		return;
	g_string_append_printf(site->conf, "PreemptType=preempt/%s\nPreemptMode=%s\n",
	                       by_qos ? "qos" : "partition_prio", one_in(2)                  ? "REQUEUE"
	                       : (chance_state >> 20) % 3 == 0 ? "SUSPEND,GANG\nSchedulerTimeSlice=20"
	                                                : "CANCEL");
	if (one_in(3))
		g_string_append_printf(site->conf, "PreemptExemptTime=00:%02d:00\n", between(1, 5));
	if (by_qos)
		g_string_append_printf(site->accounting, "modify qos small set preempt=normal,few%s\n",
		                       one_in(2) ? " GraceTime=20" : "");
	site->grace = one_in(2);
}

static void draw_conf(struct site *site)
{
	g_string_append(site->conf, "ClusterName=naive\nSelectType=select/cons_tres\n");
	g_string_append_printf(site->conf, "SelectTypeParameters=%s\n", one_in(4) ? "CR_Core" : "CR_Core_Memory");
	g_string_append_printf(site->conf, "SchedulerType=sched/%s\n", one_in(8) ? "builtin" : "backfill");
	draw_scheduler_parameters(site->conf);
	draw_priority(site);
	if (one_in(4))
		g_string_append_printf(site->conf, "CompleteWait=%d\n", PICK(5, 32));
	if (one_in(4))
		g_string_append_printf(site->conf, "OverTimeLimit=%d\n", PICK(1, 3, 10));
	if (one_in(3))
		g_string_append_printf(site->conf, "MinJobAge=%d\n", PICK(10, 60, 120));
	if (one_in(3))
		g_string_append_printf(site->conf, "EnforcePartLimits=%s\n", one_in(2) ? "ANY" : "ALL");
	site->licenses = one_in(2);
	site->crowd = one_in(3);
	site->n_resvs = site->crowd || one_in(2) ? 0 : between(1, 4);
	if (site->licenses)
		g_string_append(site->conf, "Licenses=app:4,tool:2\n");
	if (one_in(4))
		g_string_append_printf(site->conf, "ResvOverRun=%d\n", PICK(0, 1, 5));
	draw_accounting(site);
	draw_preemption(site);
	draw_nodes(site);
	draw_partitions(site);
	draw_topology(site);
}

static void draw_size(const struct site *site, GString *j)
{
	int shape = between(0, 5);

	if (shape == 0)
		g_string_append_printf(j, ", \"nodes\": %d, \"exclusive\": %s", between(1, site->n_a), one_in(3) ? "\"user\"" : "true");
	else if (shape == 1)
		g_string_append_printf(j, ", \"nodes\": %d, \"ntasks\": %d", between(1, 3), between(3, 9));
	else if (shape == 2)
		g_string_append_printf(j, ", \"nodes\": \"%d-%d\"", between(1, 2), between(2, 5));
	else
		g_string_append_printf(j, ", \"ntasks\": %d", between(1, 2 * site->cpus_a));
	if (shape > 2 && one_in(4))
		g_string_append(j, ", \"oversubscribe\": true");
	if (one_in(4))
		g_string_append_printf(j, ", \"cpus_per_task\": %d", between(1, site->cpus_a));
	if (one_in(3))
		g_string_append_printf(j, ", \"mem\": %d", between(1, 70) * 100);
	else if (one_in(3))
		g_string_append_printf(j, ", \"mem_per_cpu\": %d", between(1, 40) * 100);
	if (site->gpus && one_in(4))
		g_string_append_printf(j, ", \"gres\": \"gpu:%d\"", between(1, 4));
	if (one_in(12))
		g_string_append_printf(j, ", \"nodelist\": \"a%d\"", between(1, site->n_a));
	if (one_in(6))
		g_string_append_printf(j, ", \"switches\": \"1@%d:%02d\"", between(0, 6), between(0, 59));
	if (one_in(15))
		g_string_append(j, ", \"spread_job\": true");
	if (one_in(12))
		g_string_append_printf(j, ", \"exclude\": \"a%d\"", between(1, site->n_a));
}

static void draw_times(GString *j)
{
	int run = one_in(12) ? 0 : one_in(3) ? between(1, 60) : between(30, 1500);

	if (one_in(15))
		g_string_append_printf(j, ", \"run\": %d.%03d", run, between(1, 999));
	else
		g_string_append_printf(j, ", \"run\": %d", run);
	if (!one_in(6)) {
		int limit = one_in(5) ? run / 120 + 1 : run / 60 + between(1, 20);

		g_string_append_printf(j, ", \"time\": %d", limit);
		if (one_in(8))
			g_string_append_printf(j, ", \"time_min\": %d", between(1, limit));
	}
	if (one_in(10))
		g_string_append_printf(j, ", \"begin\": \"now+%d\"", between(1, 1500));
	if (one_in(10))
		g_string_append_printf(j, ", \"deadline\": \"now+%d\"", between(400, 4000));
	if (one_in(12))
		g_string_append_printf(j, ", \"cancel\": %d", between(1, 1200));
	if (one_in(25))
		g_string_append_printf(j, ", \"cancel_run\": %d", between(1, 600));
	if (one_in(10))
		g_string_append_printf(j, ", \"exit\": %d", between(1, 9));
}

static void draw_dependency(GString *j, int i)
{
	static const char *const KINDS[] = {"afterok", "afterany", "afternotok", "after", "aftercorr"};
	int other = between(MAX(0, i - 8), i - 1);

	if (one_in(5))
		g_string_append(j, ", \"depends\": \"singleton\"");
	else if (one_in(4))
		g_string_append_printf(j, ", \"depends\": \"after:@j%d+%d\"", other, between(1, 10));
	else
		g_string_append_printf(j, ", \"depends\": \"%s:@j%d\"", KINDS[draw() % 5], other);
}

static void draw_reserved(const struct site *site, GString *j)
{
	static const char *const LICENSES[] = {"app", "app:2", "app:4", "app:1,tool:2", "tool:1"};

	if (site->licenses && one_in(3))
		g_string_append_printf(j, ", \"licenses\": \"%s\"", !site->old && one_in(5) ? "app:3|tool:1" : LICENSES[draw() % 5]);
	if (site->n_resvs && one_in(5))
		g_string_append_printf(j, ", \"reservation\": \"r%d%s\"", between(0, site->n_resvs - 1), one_in(8) ? ",r0" : "");
}

/* One of the crowd: of a shape, and some end long before their limit. */
static void draw_alike(const struct site *site, int i)
{
	GString *j = site->json;

	g_string_append_printf(j, "%s\n  {\"name\": \"j%d\", \"user\": \"%s\", \"at\": %d%s, \"run\": %d}", i ? "," : "", i, USERS[draw() % 4],
	                       one_in(3) ? 0 : between(0, site->hour / 2), site->shape[draw() % 4]->str, between(20, 3000));
}

/* No draw, so that scenarios without such jobs stay as they were. */
static bool draw_het(int i)
{
	return i % 13 == 5;
}

/* The other components of a heterogeneous job. */
static void draw_components(const struct site *site, GString *j)
{
	g_string_append(j, ", \"het\": [");
	for (int k = 0, n = between(1, 3); k < n; k++) {
		g_string_append_printf(j, "%s{\"ntasks\": %d", k ? ", " : "", between(1, site->cpus_a));
		if (one_in(2))
			g_string_append_printf(j, ", \"time\": %d", between(1, 20));
		if (one_in(2))
			g_string_append_printf(j, ", \"partition\": \"p%d\"", between(0, site->n_parts - 1));
		if (site->gpus && one_in(3))
			g_string_append_printf(j, ", \"gres\": \"gpu:%d\"", between(1, 2));
		g_string_append_c(j, '}');
	}
	g_string_append_c(j, ']');
}

static void draw_job(const struct site *site, int i)
{
	GString *j = site->json;

	if (site->crowd && !one_in(9)) {
		draw_alike(site, i);
		return;
	}

	g_string_append_printf(j, "%s\n  {\"name\": \"j%d\", \"user\": \"%s\"", i ? "," : "", i, USERS[draw() % 4]);
	if (one_in(5))
		g_string_append_printf(j, ", \"at\": %d.%03d", between(0, site->hour - 1), between(1, 999));
	else
		g_string_append_printf(j, ", \"at\": %d", one_in(3) ? between(0, 5) * 60 : between(0, site->hour));
	draw_size(site, j);
	draw_times(j);
	if (i % 7 == 3)
		g_string_append(j, ", \"startup\": 5, \"checkpoint\": {\"every\": 100, \"cost\": 3, \"restart\": 7, \"signal\": true}, \"signal\": \"B:USR1@45\"");
	if (site->n_parts > 1 && one_in(5))
		g_string_append(j, site->n_parts > 2 ? ", \"partition\": \"p2,p0,p1\"" : ", \"partition\": \"p0,p1\"");
	else if (!one_in(3))
		g_string_append_printf(j, ", \"partition\": \"p%d\"", between(0, site->n_parts - 1));
	if (site->accounting->len && one_in(6))
		g_string_append_printf(j, ", \"qos\": \"%s,%s\"", QOS[draw() % 5], QOS[draw() % 5]);
	else if (site->accounting->len && one_in(2))
		g_string_append_printf(j, ", \"qos\": \"%s\"", QOS[draw() % 5]);
	if (one_in(8))
		g_string_append_printf(j, ", \"array\": \"0-%d%s\"", between(1, 9), one_in(2) ? "%2" : "");
	else if (draw_het(i))
		draw_components(site, j);
	if (i > 0 && one_in(6))
		draw_dependency(j, i);
	draw_reserved(site, j);
	if (site->features && one_in(3))
		g_string_append_printf(j, ", \"%s\": \"%s\"", one_in(3) ? "prefer" : "constraint",
		                       ((const char *const[]){"old", "new", "old|new", "[old|new]", "ib&old", "ib*2&new*1"})[draw() % (one_in(3) ? 6 : 5)]);
	if (one_in(15))
		g_string_append(j, ", \"hold\": true");
	if (one_in(15))
		g_string_append_printf(j, ", \"nice\": %d", between(0, 300));
	if (site->expedited && !one_in(4))
		g_string_append(j, ", \"requeue\": \"expedite\"");
	else if (one_in(6))
		g_string_append_printf(j, ", \"requeue\": %s", one_in(2) ? "true" : "false");
	if (site->again && one_in(2))
		g_string_append_printf(j, ", \"exit_runs\": %d", between(1, 3));
	if (site->again && !one_in(4))
		g_string_append(j, ", \"no_kill\": true");
	g_string_append_c(j, '}');
}

#include "tests/unit/random_events.h"

/* Beside the other draws, so that seeds without power saving stay what they were. */
static void draw_power(struct site *site)
{
	GString *conf = site->conf;

	g_string_append_printf(conf, "SuspendTime=%d\nSuspendTimeout=%d\nResumeTimeout=%d\n", PICK(5, 60, 200), PICK(0, 10, 45),
	                       PICK(20, 60, 120));
	g_string_append(conf, "SuspendProgram=/s\nResumeProgram=/r\nRebootProgram=/b\n");
	if (one_in(3))
		g_string_append_printf(conf, "SuspendRate=%d\nResumeRate=%d\n", PICK(1, 2, 10), PICK(1, 2, 20));
	if (one_in(3))
		g_string_append_printf(conf, "SuspendExcNodes=%s\n", one_in(3) ? "a1" : one_in(2) ? "a1,a2:1" : "a2:1,a1");
	if (one_in(4))
		g_string_append(conf, "SuspendExcStates=DRAIN,DOWN\n");
	if (one_in(3))
		g_string_append_printf(conf, "SlurmctldParameters=power_save_interval=%d%s", PICK(1, 5, 30), one_in(2) ? ",idle_on_node_suspend" : "");
	else if (one_in(2))
		g_string_append_printf(conf, "SlurmctldParameters=power_save_min_interval=%d", PICK(2, 4, 15));
	else
		g_string_append(conf, "SlurmctldParameters=cloud_dns");
	if (!site->old && one_in(3))
		g_string_append_printf(conf, ",max_powered_nodes=%d", between(1, site->n_a));
	if (site->expedited)
		g_string_append(conf, ",enable_expedited_requeue");
	g_string_append_c(conf, '\n');
}

static void draw_again(struct site *site)
{
	g_string_append_printf(site->conf, "RequeueExit=%s\nRequeueExitHold=%s\n", one_in(2) ? "1-4" : "2,5-6", one_in(2) ? "7-8" : "4,9");
}

/* Failures and repairs, which may meet a node in any state. */
static void draw_faults(struct site *site)
{
	static const char *const STATES[] = {"down", "resume", "drain", "fail", "resume", "undrain"};
	int n = between(1, 10), t = 0;

	g_string_append(site->faults, "time,node,state,reason\n");
	for (int i = 0; i < n; i++) {
		t += between(0, site->hour / 4);
		g_string_append_printf(site->faults, "%d,a%d,%s,Xid 79\n", t, between(1, site->n_a), STATES[draw() % 6]);
	}
}

static void draw_json(struct site *site)
{
	static const char *const RELEASES[] = {"message", "reply", "reply-at-tick"};
	int n_jobs = site->crowd ? between(60, 150) : between(10, 60), n_events = between(0, 12);
	GString *j = site->json;

	site->hour = PICK(600, 1800, 3600);
	g_string_append(j, "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\"");
	if (site->accounting->len)
		g_string_append(j, ", \"accounting\": \"assoc.sacctmgr\"");
	g_string_append_printf(j, ",\n \"slurm_version\": \"%s\", \"clock\": \"%s\"", site->old ? "22.05" : "26.05",
	                       one_in(4) ? "ideal" : "slurm");
	g_string_append_printf(j, ", \"controller_start\": %d", -between(0, 90));
	if (strstr(j->str, "\"clock\": \"slurm\"") && one_in(3))
		g_string_append_printf(j, ", \"controller_cost\": \"pass=%d,main_job=%d,bf_job=%d,node=%d,start=%d\"",
		                       PICK(0, 1000, 700000), PICK(0, 2000, 300000), PICK(0, 5000, 400000, 2000000), PICK(0, 10, 2000),
		                       PICK(0, 3000, 900000));
	if (site->old && one_in(2))
		g_string_append_printf(j, ", \"tick_phase\": 0.%03d", between(1, 999));
	if (one_in(4))
		g_string_append_printf(j, ", \"tick_slip\": 0.%04d, \"backfill_phase\": %d.%d, \"decay_phase\": %d.%d", PICK(15, 300, 3000, 9700), between(0, 40),
		                       between(0, 9), between(0, 70), between(0, 9));
	if (one_in(3))
		g_string_append_printf(j, ", \"epilog_latency\": %d.%d", PICK(0, 1, 3, 40), between(0, 9));
	if (one_in(4))
		g_string_append_printf(j, ", \"launch_latency\": 0.%d", between(1, 9));
	g_string_append_printf(j, ", \"release\": \"%s\"", RELEASES[draw() % 3]);
	if (site->preempt || site->again || one_in(3)) /* two jobs may take turns for ever, or one with itself */
		g_string_append_printf(j, ", \"until\": %d", between(site->hour, 2 * site->hour));
	if (!site->failing && one_in(4))
		g_string_append_printf(j, ", \"faults\": \"faults.json\", \"seed\": %d", between(1, 1000));
	g_string_append(j, ",\n \"jobs\": [");
	for (int i = 0; i < n_jobs; i++)
		draw_job(site, i);
	site->jobs_end = j->len;
	g_string_append(j, "],\n \"events\": [");
	for (int i = 0; i < n_events; i++)
		draw_event(site, i, n_jobs);
	for (int k = 0; n_events && k < site->n_resvs; k++)
		draw_reservation(site, k, j);
	if (site->power)
		draw_power_events(site, j->str[j->len - 1] == '[');
	if (site->updated)
		draw_updates(site, j, n_jobs);
	if (site->again)
		draw_again_events(site, n_jobs, j->str[j->len - 1] == '[');
	if (site->reconfigured)
		g_string_append_printf(j, "%s\n  {\"at\": %d, \"cmd\": \"scontrol reconfigure changed.conf\"}", j->str[j->len - 1] == '[' ? "" : ",",
		                       between(0, site->hour));
	site->events_end = j->len;
	site->n_jobs = n_jobs;
	g_string_append(j, "]");
	if (site->power)
		g_string_append_printf(j, ", \"boot_time\": %d", PICK(0, 5, 30, 90));
	if (site->failing) {
		draw_faults(site);
		g_string_append(j, ", \"faults\": \"faults.csv\"");
	}
	g_string_append(j, "}\n");
}

/*
 * Jobs that preempt: low ones fill the nodes early, high ones come later. By QOS all are in the low partition, and "small" preempts.
 * After the other draws, so that the other jobs of a seed stay.
 */
static void draw_victims(struct site *site)
{
	bool by_qos = strstr(site->conf->str, "preempt/qos") != NULL;
	GString *jobs = g_string_new(NULL);
	int n_low = site->n_a + site->n_b, n_high = between(2, 5);

	for (int i = 0; i < 2; i++)
		g_string_append_printf(site->conf, "PartitionName=%s Nodes=ALL State=UP PriorityTier=%d MaxTime=120 DefaultTime=5%s\n",
		                       i ? "high" : "low", i ? 20 : 1, site->grace ? " GraceTime=10" : "");
	for (int i = 0; i < n_low; i++)
		g_string_append_printf(jobs, ",\n  {\"name\": \"low%d\", \"user\": \"%s\", \"at\": %d, \"run\": %d, \"time\": 30, \"nodes\": 1, "
		                       "\"exclusive\": true, \"partition\": \"low\", \"requeue\": %s%s}", i, USERS[draw() % 4], between(0, 60),
		                       between(400, 1700), one_in(4) ? "false" : "true", by_qos ? ", \"qos\": \"normal\"" : "");
	for (int i = 0; i < n_high; i++)
		g_string_append_printf(jobs, ",\n  {\"name\": \"high%d\", \"user\": \"%s\", \"at\": %d, \"run\": %d, \"time\": 4, \"ntasks\": %d, %s}", i,
		                       USERS[draw() % 4], between(100, site->hour - 100), between(20, 230), between(1, 2),
		                       by_qos ? "\"partition\": \"low\", \"qos\": \"small\"" : "\"partition\": \"high\"");
	g_string_insert(site->json, (gssize)site->jobs_end, jobs->str);
	site->events_end += jobs->len;
	g_string_free(jobs, TRUE);
}

static struct site *site_new(uint64_t seed)
{
	struct site *s = g_new0(struct site, 1);

	chance_state = seed * UINT64_C(0xd1342543de82ef95);
	s->conf = g_string_new(NULL);
	s->accounting = g_string_new(NULL);
	s->topology = g_string_new(NULL);
	s->json = g_string_new(NULL);
	s->faults = g_string_new(NULL);
	s->power = seed % 3 == 0;
	s->failing = seed % 4 == 1;
	s->reconfigured = seed % 5 == 2;
	s->updated = seed % 6 == 1;
	s->again = seed % 7 < 4;
	s->old = one_in(2);
	s->expedited = !s->old && seed % 2 && (s->failing || s->again);
	draw_conf(s);
	for (int i = 0; i < 4; i++) {
		s->shape[i] = g_string_new(NULL);
		draw_size(s, s->shape[i]);
		g_string_append_printf(s->shape[i], ", \"time\": %d", between(1, 60));
	}
	draw_json(s);
	if (s->power)
		draw_power(s);
	else if (s->expedited)
		g_string_append(s->conf, "SlurmctldParameters=enable_expedited_requeue\n");
	if (s->again)
		draw_again(s);
	if (seed % 2)
		draw_job_updates(s);
	if (s->preempt)
		draw_victims(s);
	return s;
}

static void site_free(struct site *s)
{
	g_string_free(s->conf, TRUE);
	g_string_free(s->accounting, TRUE);
	g_string_free(s->json, TRUE);
	g_string_free(s->faults, TRUE);
	g_string_free(s->topology, TRUE);
	for (int i = 0; i < 4; i++)
		g_string_free(s->shape[i], TRUE);
	g_free(s);
}

static void put(const char *dir, const char *name, const char *text)
{
	char *path = g_build_filename(dir, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	g_free(path);
}

static void put_site(const char *dir, const struct site *s)
{
	put(dir, "slurm.conf", s->conf->str);
	put(dir, "assoc.sacctmgr", s->accounting->str);
	put(dir, "scenario.json", s->json->str);
	put(dir, "topology.conf", s->topology->str);
	put(dir, "faults.csv", s->faults->str);
	put(dir, "faults.json",
	    "{\"schema\": \"failure-rates/1\", \"default_node_rate_per_1000_node_days\": 10000,\n"
	    " \"cause_mix\": [{\"cause\": \"disk\", \"count\": 1}, {\"cause\": \"memory\", \"count\": 2}],\n"
	    " \"repair_classes\": [{\"share\": 1, \"p50_h\": 0.1, \"p90_h\": 0.5}]}\n");
	/* other limits, tiers and intervals: digits before what was drawn */
	char **t = g_strsplit(s->conf->str, " MaxTime=", -1), *a = g_strjoinv(" MaxTime=1", t);
	char **u = g_strsplit(a, "PriorityTier=", -1), *b = g_strjoinv("PriorityTier=1", u);
	char **v = g_strsplit(b, "bf_interval=", -1), *c = g_strjoinv("bf_interval=1", v);
	put(dir, "changed.conf", c);
	g_strfreev(t);
	g_strfreev(u);
	g_strfreev(v);
	g_free(a);
	g_free(b);
	g_free(c);
}
#endif
