/*
 * gpucases_test.c - the GPU group of the collected cases that needs gres.conf: shards (48, and W8 of node-selection.md), MIG
 * types (50), played as whole scenarios.
 */
#include "tests/unit/play_helper.h"

static const char *const versions[] = {"22.05", "26.05"};

/* Play JOBS ("AT NAME RUN OPTIONS" lines) on CONF and GRES. */
static struct played play(const char *version, const char *conf, const char *gres, const char *jobs, int until)
{
	GString *list = g_string_new(NULL);
	g_auto(GStrv) line = g_strsplit(jobs, "\n", -1);
	for (char **l = line; *l && **l; l++) {
		g_auto(GStrv) w = g_strsplit(*l, " ", 4);
		g_auto(GStrv) option = g_strsplit(w[3], " ", -1);
		g_autofree char *words = g_strjoinv("\", \"", option);
		g_string_append_printf(
		    list, "%s{\"name\": \"%s\", \"at\": %s, \"user\": \"ann\", \"run\": %s, \"extra\": [\"%s\"]}",
		    list->len ? ",\n" : "", w[1], w[0], w[2], words);
	}
	g_autofree char *json = g_strdup_printf(
	    "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"gres\": \"gres.conf\", \"slurm_version\": \"%s\","
	    " \"controller_start\": -12, \"until\": %d,\n\"jobs\": [%s]}\n",
	    version, until, list->str);
	g_string_free(list, TRUE);
	const struct play_file files[] = {{"slurm.conf", conf}, {"gres.conf", gres}, {"scenario.json", json}, {NULL, NULL}};
	return play_files(files);
}

/* It started FROM .. TO seconds after the beginning and its placement holds TEXT. */
static void ran(const struct played *p, const char *label, double from, double to, const char *text)
{
	g_autofree char *t = played_ask(p, "SELECT start_t FROM job WHERE label = ?1 AND start_t > 0", label, 0);
	if (!t)
		fail_msg("%s never started", label);
	double at = (double)(g_ascii_strtoll(t, NULL, 10) - p->start) / USEC;
	if (at < from || at > to)
		fail_msg("%s started at %g", label, at);
	g_autofree char *where = played_ask(p, "SELECT placement FROM job WHERE label = ?1", label, 0);
	if (!strstr(where, text))
		fail_msg("%s: %s does not hold %s", label, where, text);
}

static void never(const struct played *p, const char *label, const char *reason)
{
	g_autofree char *t = played_ask(p, "SELECT start_t FROM job WHERE label = ?1 AND start_t > 0", label, 0);
	assert_null(t);
	g_autofree char *why = played_ask(p, "SELECT w.reason FROM wait w JOIN job j ON j.job = w.job WHERE j.label = ?1 ORDER BY w.from_t DESC",
	    label, 0);
	if (g_strcmp0(why, reason) != 0)
		fail_msg("%s waits for %s", label, why);
}

static void refused(const struct played *p, const char *label)
{
	g_autofree char *why = played_ask(p, "SELECT message FROM refused WHERE label = ?1", label, 0);
	if (!why || !strstr(why, "Requested node configuration is not available"))
		fail_msg("%s: %s", label, why ? why : "not refused");
}

#define CONF                                                                                                           \
	"ClusterName=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nSchedulerType=sched/backfill\n" \
	"SchedulerParameters=bf_interval=2,bf_resolution=1\nGresTypes=gpu,shard,mps\nDefMemPerCPU=1000\n"
#define SHARDS                                                                                                         \
	"NodeName=sh1,sk1 CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 "                       \
	"Gres=gpu:a40:2,shard:8\nPartitionName=p Nodes=ALL Default=YES MaxTime=60\n"
#define SHARD_GRES                                                                                                     \
	"Name=gpu Type=a40 File=/dev/nvidia0 Cores=0-7\nName=gpu Type=a40 File=/dev/nvidia1 Cores=8-15\n"              \
	"Name=shard Count=8\n"

static void case_48(void **state)
{
	(void)state;
	for (size_t v = 0; v < G_N_ELEMENTS(versions); v++) {
		struct played p = play(versions[v], CONF SHARDS, SHARD_GRES,
		                       "0 one 40 -n1 -w sh1 --gres=shard:1 -t 10\n"
		                       "2 both 10 -n1 -w sh1 --gres=gpu:2 -t 10\n"
		                       "0.1 whole 30 -n1 -w sk1 --gres=gpu:1 -t 10\n"
		                       "2.1 four 20 -n1 -w sk1 --gres=shard:4 -t 3\n"
		                       "4 three 10 -n1 -w sk1 --gres=shard:3 -t 3\n"
		                       "6 five 10 -n1 -w sk1 --gres=shard:5 -t 3\n",
		                       100);
		ran(&p, "one", 0, 4, "\"cpus\":\"0\",\"mem\":1000,\"gres\":\"shard:1(IDX:0)\"");
		ran(&p, "both", 40, 47, "\"gres\":\"gpu:a40:2(IDX:0-1)\"");
		ran(&p, "whole", 0, 4, "\"gres\":\"gpu:a40:1(IDX:0)\"");
		ran(&p, "four", 2, 6, "\"cpus\":\"8\",\"mem\":1000,\"gres\":\"shard:4(IDX:1)\"");
		ran(&p, "three", 22, 28, "\"gres\":\"shard:3(IDX:1)\"");
		never(&p, "five", "Resources");
		played_done(&p);
	}
}

/* 22.05 without Cores and Type: a whole GPU is given although a share of it is in use. */
static void one_way(void **state)
{
	(void)state;
	for (size_t v = 0; v < G_N_ELEMENTS(versions); v++) {
		struct played p = play(versions[v],
		                       CONF "NodeName=n1 CPUs=4 RealMemory=64000 Gres=gpu:2,shard:8\n"
		                            "PartitionName=p Nodes=ALL Default=YES MaxTime=60\n",
		                       "Name=gpu File=/dev/nvidia[0-1]\nName=shard Count=8\n",
		                       "0 share 40 -n1 --gres=shard:1 -t 10\n"
		                       "2 both 10 -n1 --gres=gpu:2 -t 10\n",
		                       80);
		ran(&p, "both", v ? 40 : 2, v ? 47 : 8, "gpu:2(IDX:0-1)");
		played_done(&p);
	}
}

/* W8: GPUs 0 and 1 with 4 shares each, near all cores; mps keeps to the device that it has opened. */
static void w8(void **state)
{
	static const char gres[] =
	    "Name=gpu Type=a40 File=/dev/nvidia[0-1]\nName=shard Count=8\nName=mps Count=200\n";
	(void)state;
	for (size_t v = 0; v < G_N_ELEMENTS(versions); v++) {
		struct played p = play(versions[v],
		                       CONF "NodeName=n1 CPUs=16 RealMemory=64000 Gres=gpu:a40:2,shard:8,mps:200\n"
		                            "PartitionName=p Nodes=ALL Default=YES MaxTime=60\n",
		                       gres,
		                       "0 a 40 -n1 --gres=shard:3 -t 10\n"
		                       "1 b 40 -n1 --gres=shard:2 -t 10\n"
		                       "2 c 40 -n1 --gres=shard:2 -t 10\n"
		                       "9 d 10 -n1 --gres=shard:2 -t 10\n"
		                       "10 e 10 -n1 --gres=gpu:1 -t 10\n",
		                       30);
		ran(&p, "a", 0, 8, "shard:3(IDX:0)");
		ran(&p, "b", 1, 8, "shard:2(IDX:1)");
		ran(&p, "c", 2, 8, "shard:2(IDX:1)");
		never(&p, "d", "Resources");
		never(&p, "e", "Priority");
		played_done(&p);
		p = play(versions[v],
		         CONF "NodeName=n1 CPUs=16 RealMemory=64000 Gres=gpu:a40:2,shard:8,mps:200\n"
		              "PartitionName=p Nodes=ALL Default=YES MaxTime=60\n",
		         gres, "0 a 40 -n1 --gres=mps:70 -t 10\n5 b 40 -n1 --gres=mps:50 -t 10\n9 c 10 -n1 --gres=mps:30 -t 1\n",
		         30);
		ran(&p, "a", 0, 8, "mps:70(IDX:0)");
		never(&p, "b", "Resources");
		ran(&p, "c", 9, 16, "mps:30(IDX:0)");
		played_done(&p);
	}
}

/* N72: shares may span GPUs, the least loaded GPU first, a task a GPU. */
static void spanning(void **state)
{
	static const char nodes[] = "NodeName=n1 CPUs=16 RealMemory=64000 Gres=gpu:a40:2,shard:8\n"
	                            "PartitionName=p Nodes=ALL Default=YES MaxTime=60\n";
	static const char gres[] = "Name=gpu Type=a40 File=/dev/nvidia[0-1]\nName=shard Count=8\n";
	static const char jobs[] = "0 a 40 -n1 --gres=shard:3 -t 10\n"
	                           "5 b 40 -n1 --gres=shard:1 -t 10\n"
	                           "9 c 10 -n1 --gres=shard:4 -t 1\n";
	(void)state;
	g_autofree char *loaded = g_strconcat(
	    "ClusterName=c\nSelectTypeParameters=CR_Core_Memory,LL_SHARED_GRES,MULTIPLE_SHARING_GRES_PJ\n"
	    "GresTypes=gpu,shard\nDefMemPerCPU=1000\nSchedulerParameters=bf_interval=2\n",
	    nodes, NULL);
	struct played p = play("26.05", loaded, gres, jobs, 30);
	ran(&p, "b", 5, 9, "shard:1(IDX:1)");
	ran(&p, "c", 9, 16, "shard:1(IDX:0),shard:3(IDX:1)");
	played_done(&p);
	p = play("26.05", loaded, gres,
	         "0 t 10 -n2 --tres-per-task=gres/shard=2 --gres-flags=one-task-per-sharing -t 1\n", 20);
	ran(&p, "t", 0, 8, "shard:2(IDX:0),shard:2(IDX:1)");
	played_done(&p);
}

static void case_50(void **state)
{
	static const char conf[] =
	    CONF "NodeName=mix1 CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 "
	         "Gres=gpu:a100:2,gpu:1g.5gb:7,gpu:3g.20gb:2\nPartitionName=mig Nodes=mix1 Default=YES MaxTime=60\n";
	(void)state;
	for (size_t v = 0; v < G_N_ELEMENTS(versions); v++) {
		struct played p = play(versions[v], conf,
		                       "NodeName=mix1 Name=gpu Type=a100 File=/dev/nvidia[0-1]\n"
		                       "NodeName=mix1 Name=gpu Type=1g.5gb File=/dev/nvidia[2-8]\n"
		                       "NodeName=mix1 Name=gpu Type=3g.20gb File=/dev/nvidia[9-10]\n",
		                       "0 both 20 -n1 --gres=gpu:3g.20gb:2 -t 10\n"
		                       "1 next 10 -n1 --gres=gpu:3g.20gb:1 -t 10\n"
		                       "2 small 10 -n1 --gres=gpu:1g.5gb:3 -t 5\n"
		                       "3 any 10 -n1 --gres=gpu:1 -t 5\n"
		                       "3 unknown 1 -n1 --gres=gpu:2g.10gb:1\n"
		                       "3 many 1 -n1 --gres=gpu:3g.20gb:3\n"
		                       "3 upper 1 -n1 --gres=gpu:A100:1\n",
		                       60);
		ran(&p, "both", 0, 4, "gpu:3g.20gb:2(IDX:9-10)");
		ran(&p, "next", 20, 26, "gpu:3g.20gb:1(IDX:9)");
		ran(&p, "small", 2, 8, "gpu:1g.5gb:3(IDX:2-4)");
		ran(&p, "any", 3, 8, "gpu:a100:1(IDX:0)");
		refused(&p, "unknown");
		refused(&p, "many");
		refused(&p, "upper");
		played_done(&p);
		p = play(versions[v], conf,
		         "NodeName=mix1 Name=gpu Type=a100 File=/dev/nvidia[0-1]\n"
		         "NodeName=mix1 Name=gpu Type=1g.5gb File=/dev/nvidia[2-7]\n"
		         "NodeName=mix1 Name=gpu Type=3g.20gb File=/dev/nvidia[9-10]\n",
		         "1 x 1 -n1\n", 20);
		g_autofree char *t = played_ask(&p, "SELECT start_t FROM job WHERE label = ?1 AND start_t > 0", "x", 0);
		assert_null(t); /* the node is drained: fewer devices than slurm.conf says */
		played_done(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(case_48), cmocka_unit_test(one_way), cmocka_unit_test(w8),
	                                   cmocka_unit_test(spanning), cmocka_unit_test(case_50)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
