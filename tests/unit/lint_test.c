/* lint_test.c - every check of whypend lint fires where it should and stays silent beside it (the table of
 * lint_checks.c). */
#include "tests/unit/lint_cases.h"
#include "tools/lint_out.h"
#include <cjson/cJSON.h>
#include <time.h>

static void test_cases(void **state)
{
	(void)state;
	guint wrong = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		wrong += !lint_holds(&cases[i], NULL);
	assert_int_equal(wrong, 0);
}

static void test_clean(void **state)
{
	const struct lint_case sites[] = {{"none", NONE, CLEAN, NULL, NULL, NULL},
	                                  {"none", NONE, LIM, USERS, NULL, NULL}};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(sites); i++) {
		GPtrArray *all = lint_texts(&sites[i], NULL);

		for (guint k = 0; k < all->len; k++)
			print_error("  %s: %s\n", ((struct lint_finding *)all->pdata[k])->check->id,
			            ((struct lint_finding *)all->pdata[k])->what);
		assert_int_equal(all->len, 0);
		g_ptr_array_unref(all);
	}
}

/* ---- upgrades ---- */

static void test_upgrade(void **state)
{
	static const struct lint_case up[] = {
	    {"upgrade-refused", E, CLEAN "CacheGroups=1\n", NULL, NULL, NULL},
	    {"upgrade-refused", E, CLEAN, NULL, NULL, "SelectType=select/cons_res"},
	    {"upgrade-refused", NONE, CLEAN "GetEnvTimeout=2\n", NULL, NULL, NULL},
	    {"upgrade-ignored", N, CLEAN "GetEnvTimeout=2\n", NULL, NULL, NULL},
	    {"upgrade-ignored", NONE, CLEAN, NULL, NULL, NULL},
	    {"upgrade-renamed", N, CLEAN "PartitionName=q Nodes=n[1-4] MaxTime=60 DefaultTime=9 Shared=NO\n", NULL,
	     NULL, NULL},
	    {"upgrade-renamed", N, SP("preempt_youngest_first"), NULL, NULL, NULL},
	    {"upgrade-renamed", NONE, CLEAN, NULL, NULL, NULL},
	    {"upgrade-defaults", W, CLEAN, NULL, NULL, "PriorityType="},
	    {"upgrade-defaults", W, "PriorityType=priority/basic\n" NODES PART, NULL, NULL, NULL},
	    {"upgrade-defaults", NONE, CLEAN, NULL, NULL, NULL},
	    {"upgrade-decides", N, CLEAN, NULL, NULL, NULL},
	    {"upgrade-decides", NONE, CLEAN "SchedulerType=sched/builtin\n", NULL, NULL, "PriorityType=priority/basic"},
	};
	struct lint_run_options o = {.upgrade = {2205, 2605}, .version = SLURM_22_05};

	(void)state;
	guint wrong = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(up); i++)
		wrong += !lint_holds(&up[i], &o);
	assert_int_equal(wrong, 0);
	o.upgrade = (struct lint_upgrade){2205, 0}; /* not asked */
	for (gsize i = 0; i < G_N_ELEMENTS(up); i++) {
		struct lint_case silent = up[i];

		silent.level = NONE;
		assert_true(lint_holds(&silent, &o));
	}
	o.upgrade = (struct lint_upgrade){2411, 2505}; /* only what these change */
	const struct lint_case later = {"upgrade-defaults", NONE, CLEAN, NULL, NULL, "PriorityType="};
	assert_true(lint_holds(&later, &o));
}

/* ---- traces ---- */

/* A submission at AT seconds that started at START and ran for RUN seconds; limit in minutes. */
static void add_job(struct lint_trace *t, sec_t at, sec_t start, sec_t run, uint32_t limit, const char *options)
{
	struct submission *s = submission_new();

	s->at = at * USEC;
	s->outcome.real_start = start;
	s->outcome.real_end = start ? start + run : 0;
	s->outcome.run_time = run * USEC;
	s->request->time_limit = limit;
	char **list = g_strsplit(options ? options : "", " ", -1);
	for (char **o = list; *o && **o; o++) {
		char **pair = g_strsplit(*o, "=", 2);

		assert_true(job_request_set(s->request, pair[0], pair[1], NULL));
		g_strfreev(pair);
	}
	g_strfreev(list);
	lint_trace_add(t, s);
	submission_free(s);
}

/* N jobs at once, each of which waits WAIT seconds. */
static struct lint_trace *queue_of(guint n, sec_t wait, sec_t run, uint32_t limit, const char *options)
{
	struct lint_trace *t = lint_trace_new();

	for (guint i = 0; i < n; i++)
		add_job(t, 1000000 + i, 1000000 + i + wait, run, limit, options);
	lint_trace_finish(t);
	return t;
}

static guint trace_wrong;

static void expect_with(const char *id, int level, const char *conf, struct lint_trace *t)
{
	const struct lint_case k = {id, level, conf, NULL, NULL, NULL};
	const struct lint_run_options o = {.trace = t};

	trace_wrong += !lint_holds(&k, &o);
	lint_trace_free(t);
}

static void test_trace_checks(void **state)
{
	(void)state;
	expect_with("bf-depth-short", W, SP("bf_max_job_test=20"), queue_of(60, 3600, 60, 30, NULL));
	expect_with("bf-depth-short", NONE, SP("bf_max_job_test=100"), queue_of(60, 3600, 60, 30, NULL));
	expect_with("bf-resolution-coarse", W, SP("bf_resolution=600"), queue_of(9, 10, 60, 5, NULL));
	expect_with("bf-resolution-coarse", NONE, SP("bf_resolution=300"), queue_of(9, 10, 60, 5, NULL));
	expect_with("default-time-missing", W, HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=120\n",
	            queue_of(9, 10, 60, NO_VAL, NULL));
	expect_with("default-time-missing", N, HEAD MEM NODES "PartitionName=p Nodes=ALL Default=YES MaxTime=120\n",
	            queue_of(9, 10, 60, 5, NULL));
	expect_with("defer-delay", W, SP("defer"), queue_of(9, 10, 20, 5, NULL));
	expect_with("defer-delay", N, SP("defer"), queue_of(9, 10, 2000, 50, NULL));
	expect_with("queue-depth-short", N, SP("default_queue_depth=10") GPUS GPART, queue_of(60, 3600, 60, 30, NULL));
	expect_with("queue-depth-short", NONE, SP("default_queue_depth=100") GPUS GPART,
	            queue_of(60, 3600, 60, 30, NULL));
	expect_with("complete-wait", W, CLEAN "CompleteWait=4\n", queue_of(60, 10, 10, 30, NULL)); /* a job a second */
	expect_with("max-job-count-small", E, CLEAN "MaxJobCount=50\nMaxArraySize=10\n",
	            queue_of(60, 3600, 60, 30, NULL));
	expect_with("max-job-count-small", NONE, CLEAN "MaxJobCount=500\nMaxArraySize=10\n",
	            queue_of(60, 3600, 60, 30, NULL));
	expect_with("enforce-part-limits-no", W, HEAD MEM NODES PART "EnforcePartLimits=NO\n",
	            queue_of(9, 10, 60, 500, NULL));
	expect_with("dependency-stays", N, HEAD MEM NODES PART "DependencyParameters=max_depend_depth=10\n",
	            queue_of(9, 10, 60, 5, "dependency=singleton"));
	expect_with("dependency-stays", NONE, CLEAN, queue_of(9, 10, 60, 5, "dependency=singleton"));
	expect_with("max-age", N, CLEAN "PriorityWeightJobSize=50000\nPriorityMaxAge=30-0\n",
	            queue_of(9, 600, 60, 5, NULL));
	expect_with("max-age", NONE, CLEAN "PriorityWeightJobSize=1000\nPriorityMaxAge=1:00:00\n",
	            queue_of(9, 600, 60, 5, NULL));
	expect_with("requeue-expedite-off", W, CLEAN, queue_of(9, 10, 60, 5, "requeue=expedite"));
	expect_with("requeue-expedite-off", NONE, CLEAN "SlurmctldParameters=enable_expedited_requeue\n", queue_of(9, 10, 60, 5, "requeue=expedite"));
	expect_with("requeue-expedite-off", NONE, CLEAN, queue_of(9, 10, 60, 5, "requeue=yes"));
#define SPEC HEAD MEM "NodeName=n[1-4] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=64000 CoreSpecCount=2\n" PART
	expect_with("core-spec", W, SPEC, queue_of(9, 600, 60, 5, "nodes=1 ntasks-per-node=8"));
	expect_with("core-spec", N, SPEC, queue_of(9, 600, 60, 5, "nodes=1 ntasks-per-node=6"));
	assert_int_equal(trace_wrong, 0);
}

static void test_trace_numbers(void **state)
{
	struct lint_trace *t = lint_trace_new();

	(void)state;
	add_job(t, 100, 200, 50, 5, NULL);               /* waits 100..200, runs ..250 */
	add_job(t, 150, 200, 50, 5, "array=0-9:2,20%3"); /* 6 tasks */
	add_job(t, 400, 500, 50, NO_VAL, NULL);
	lint_trace_finish(t);
	assert_int_equal(t->n, 8);
	assert_int_equal(t->waiting, 200);
	assert_int_equal(t->peak, 2);
	assert_int_equal(t->peak_jobs, 7); /* 1 and 6 tasks run together */
	assert_true(lint_depth_share(t, 0) == 1.0);
	assert_true(lint_depth_share(t, 1) == 0.25);
	assert_true(lint_depth_share(t, 2) == 0);
	assert_int_equal(lint_depth_at(t, 0.25), 2);
	assert_int_equal(lint_depth_at(t, 0.5), 1);
	lint_trace_free(t);
	t = lint_trace_new(); /* no starts are told: nothing is known of the queue */
	add_job(t, 100, 0, 50, 5, NULL);
	lint_trace_finish(t);
	assert_true(lint_depth_share(t, 0) == 0);
	assert_int_equal(lint_depth_at(t, 0.1), 0);
	lint_trace_free(t);
}

/* ---- the rest ---- */

static void test_untracked(void **state)
{
	GPtrArray *names = g_ptr_array_new();
	struct lint_case k = {"limit-tres-untracked",
	                      E,
	                      LIM "AccountingStorageTRES=gres/gpu,gres/mig\n",
	                      USERS "modify account a set GrpTRES=gres/mig=4\n",
	                      NULL,
	                      NULL};
	const struct lint_run_options o = {.untracked = names};

	(void)state;
	g_ptr_array_add(names, (gpointer) "gres/mig");
	GPtrArray *all = lint_texts(&k, &o);
	const struct lint_finding *f = lint_find(all, k.id);
	assert_non_null(f);
	assert_int_equal(f->line, 4); /* of the accounting file */
	g_ptr_array_unref(all);
	g_ptr_array_unref(names);
	k.level = NONE;
	assert_true(lint_holds(&k, NULL));
}

static void test_topology(void **state)
{
	static const struct {
		const char *topology;
		int level;
	} sites[] = {{"SwitchName=a Nodes=n[1-2]\n", W},
	             {"SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n", N},
	             {"SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=c Switches=a,b\n", NONE}};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(sites); i++) {
		char *dir = dir_new(), *conf = dir_file(dir, "slurm.conf", CLEAN "TopologyPlugin=topology/tree\n"),
		     *topo = dir_file(dir, "topology.conf", sites[i].topology);
		struct diag *d = diag_new();
		struct cluster *c = slurmconf_read(conf, NULL, d);
		assert_clean(d);
		struct lint_files *files = lint_files_read(conf, NULL, NULL, NULL);
		struct lint_site site = {c, files, NULL, NULL, NULL, {0, 0}};
		GPtrArray *all = lint_run(&site);
		const struct lint_finding *f = lint_find(all, "topology-gaps");
		assert_int_equal(f ? (int)f->level : NONE, sites[i].level);
		g_ptr_array_unref(all);
		lint_files_free(files);
		cluster_free(c);
		diag_free(d);
		g_free(conf);
		g_free(topo);
		dir_drop(dir);
	}
}

/* The finding names the line that makes it so: own lines, DEFAULT lines, the accounting file, --set. */
static void test_places(void **state)
{
	static const struct {
		struct lint_case k;
		const char *file; /* its end */
		guint line;
	} places[] = {
	    {{"bf-window-short", W,
	      "NodeName=n[1-4] CPUs=8 RealMemory=9000\n# comment\nPartitionName=DEFAULT MaxTime=7-0\nPartitionName=p "
	      "Nodes=ALL Default=YES\n",
	      NULL, NULL, NULL},
	     "slurm.conf",
	     3},
	    {{"bf-window-short", W,
	      "NodeName=n[1-4] CPUs=8 RealMemory=9000\nPartitionName=p Nodes=ALL Default=YES \\\nMaxTime=7-0\n", NULL,
	      NULL, NULL},
	     "slurm.conf",
	     3},
	    {{"bf-window-short", W,
	      "NodeName=n[1-4] CPUs=8 RealMemory=9000\nPartitionName=p Nodes=ALL Default=YES "
	      "MaxTime=7-0\nSchedulerParameters=bf_window=60\n",
	      NULL, NULL, NULL},
	     "slurm.conf",
	     3},
	    {{"bf-off", W, CLEAN, NULL, NULL, "SchedulerParameters.bf_interval=-1"},
	     "SchedulerParameters.bf_interval=-1",
	     0},
	    {{"shares-odd", W, LIM "PriorityWeightFairshare=9\n", USERS "modify user set fairshare=0 where name=bob\n",
	      NULL, NULL},
	     "acct",
	     4},
	    {{"limit-never-met", E, LIM,
	      "QOS - 'normal':Priority=5\nQOS - 'x':MinTRESPerJob=cpu=99:Priority=3\nCluster - 't':Fairshare=1\n", NULL,
	      NULL},
	     "acct",
	     2},
	    {{"gpu-less-sockets", N, CLEAN GPUS GPART, NULL,
	      "# one socket\nNodeName=g[1-2] Name=gpu File=/dev/nvidia[0-3] Cores=0-3\n", NULL},
	     "gres.conf",
	     2},
	    {{"unknown-token", W, "ClusterName=x\nSchedulerParameters=bf_windwo=9\n" NODES PART, NULL, NULL, NULL},
	     "slurm.conf",
	     2},
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		GPtrArray *all = lint_texts(&places[i].k, NULL);
		const struct lint_finding *f = lint_find(all, places[i].k.id);

		if (!f || f->line != places[i].line || !g_str_has_suffix(f->file, places[i].file))
			fail_msg("%s: %s:%u, wanted %s:%u", places[i].k.id, f ? f->file : "(silent)", f ? f->line : 0,
			         places[i].file, places[i].line);
		g_ptr_array_unref(all);
	}
}

/* Many findings of one check are cut, and the last tells how many more. */
static void test_cut(void **state)
{
	GString *conf = g_string_new(HEAD MEM NODES);
	struct lint_case k = {"time-unlimited", W, NULL, NULL, NULL, NULL};
	guint n = 0;

	(void)state;
	for (int i = 0; i < 20; i++)
		g_string_append_printf(conf, "PartitionName=p%d Nodes=ALL%s\n", i, i ? "" : " Default=YES");
	k.conf = conf->str;
	GPtrArray *all = lint_texts(&k, NULL);
	const struct lint_finding *last = NULL;
	for (guint i = 0; i < all->len; i++)
		if (g_str_equal(((struct lint_finding *)all->pdata[i])->check->id, k.id)) {
			last = all->pdata[i];
			n++;
		}
	assert_int_equal(n, 8);
	assert_non_null(strstr(last->what, "and 12 more"));
	g_ptr_array_unref(all);
	g_string_free(conf, TRUE);
}

/* What is printed for programs can be read back, also when a file holds bytes that are no UTF-8. */
static void test_json(void **state)
{
	const struct lint_case k = {"unknown-token", W, SP("b\xff\"\x01x=9,defer"), NULL, NULL, NULL};
	GPtrArray *all = lint_texts(&k, NULL);
	char *text = lint_json(all, 7), *plain = lint_text(all, 7);
	cJSON *o = cJSON_Parse(text), *list = cJSON_GetObjectItem(o, "findings");

	(void)state;
	assert_non_null(o);
	assert_true(g_utf8_validate(text, -1, NULL));
	assert_int_equal(cJSON_GetArraySize(list), all->len);
	assert_int_equal(cJSON_GetObjectItem(o, "checks")->valueint, 7);
	assert_int_equal(cJSON_GetObjectItem(o, "warnings")->valueint, lint_count(all, LINT_WARNING));
	for (guint i = 0; i < all->len; i++) {
		static const char *const keys[] = {"id", "level", "file", "what", "why", "set", "rule"};
		const cJSON *x = cJSON_GetArrayItem(list, (int)i);

		for (gsize n = 0; n < G_N_ELEMENTS(keys); n++)
			assert_true(cJSON_IsString(cJSON_GetObjectItem(x, keys[n])));
		assert_non_null(cJSON_GetObjectItem(x, "line"));
	}
	assert_non_null(strstr(plain, "[unknown-token]\n    why:  "));
	cJSON_Delete(o);
	cJSON_free(text);
	g_free(plain);
	g_ptr_array_unref(all);
	text = lint_list_json();
	o = cJSON_Parse(text);
	assert_true(cJSON_GetArraySize(o) >= 40);
	cJSON_Delete(o);
	cJSON_free(text);
}

/* Files that are large in everything: each check of pairs must end. */
static void test_large(void **state)
{
	GString *conf = g_string_new(HEAD MEM ENFORCE
	                             "PreemptType=preempt/qos\nPreemptMode=REQUEUE\nPriorityWeightQOS=1000000\n"
	                             "PriorityWeightFairshare=1\n"),
	        *acct = g_string_new("add account a\n");
	struct lint_case k = {"none", NONE, NULL, NULL, NULL, NULL};
	clock_t begin = clock(); /* CPU time: the machine may be busy */

	(void)state;
	for (int i = 0; i < 3000; i++) {
		g_string_append_printf(conf, "NodeName=n%d CPUs=8 RealMemory=%d Gres=gpu:4\n", i, 10 + i);
		g_string_append_printf(
		    acct, "add qos q%d priority=%d MaxTRESPerUser=cpu=%d MinTRESPerJob=cpu=9 preempt=normal\n", i, i,
		    i % 7);
	}
	for (int i = 0; i < 1500; i++)
		g_string_append_printf(conf, "PartitionName=p%d Nodes=n[%d-%d] PriorityTier=%d QOS=q%d\n", i, i, i + 20,
		                       i, i);
	for (int i = 0; i < 20000; i++)
		g_string_append_printf(acct, "add user u%d account=a fairshare=0 MaxJobs=3 GrpTRES=cpu=0\n", i);
	k.conf = conf->str;
	k.acct = acct->str;
	GPtrArray *all = lint_texts(&k, NULL);
	assert_true(all->len > 20 && all->len < 500);
	g_ptr_array_unref(all);
	g_string_free(conf, TRUE);
	g_string_free(acct, TRUE);
	assert_true(clock() - begin < 100 * CLOCKS_PER_SEC);
}

/* Files with a damaged byte that the readers still take: any finding, but no crash. */
static void test_damaged(void **state)
{
	static const char text[] =
	    LIM GPUS GPART "PartitionName=DEFAULT QOS=x\nPartitionName=q Nodes=n1 AllowAccounts=a\n"
	                   "SchedulerParameters=defer,bf_window=60\nPriorityWeightQOS=9\n";
	static const char users[] = USERS "add qos x GrpTRES=cpu=9,gres/gpu=3 MaxWall=60 preempt=normal\n";
	guint read = 0, seed = 12345;

	(void)state;
	for (int n = 0; n < 1000; n++) {
		char *conf = g_strdup(text), *acct = g_strdup(users), *victim = n % 2 ? conf : acct;
		size_t len = strlen(victim);
		struct diag *d = diag_new();

		seed = seed * 1103515245 + 12345;
		victim[(seed >> 8) % len] = (char)(1 + (seed >> 4) % 255);
		char *dir = dir_new(), *path = quick_file(dir, "slurm.conf", conf),
		     *accounts = quick_file(dir, "acct", acct);
		struct slurmconf_options o = {.accounting_path = accounts};
		struct cluster *c = slurmconf_read(path, &o, d);
		if (c) {
			struct lint_files *files = lint_files_read(path, NULL, accounts, NULL);
			struct lint_site site = {c, files, NULL, d->warnings, NULL, {2205, 2611}};

			g_ptr_array_unref(lint_run(&site));
			lint_files_free(files);
			cluster_free(c);
			read++;
		}
		diag_free(d);
		g_free(path);
		g_free(accounts);
		dir_drop(dir);
		g_free(conf);
		g_free(acct);
	}
	assert_true(read > 50);
}

/* Every check has its cases: firing and not firing. Ids are unique and well-formed. */
static void test_table(void **state)
{
	static const char *const elsewhere[] = {"bf-depth-short",
	                                        "max-job-count-small",
	                                        "dependency-stays",
	                                        "requeue-expedite-off",
	                                        "limit-tres-untracked",
	                                        "topology-gaps",
	                                        "upgrade-refused",
	                                        "upgrade-ignored",
	                                        "upgrade-renamed",
	                                        "upgrade-defaults",
	                                        "upgrade-decides",
	                                        NULL};
	guint n = 0;

	(void)state;
	for (const struct lint_check *k = lint_checks; k->id; k++, n++) {
		bool fires = g_strv_contains(elsewhere, k->id), silent = fires;

		for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
			fires |= g_str_equal(cases[i].id, k->id) && cases[i].level != NONE;
			silent |= g_str_equal(cases[i].id, k->id) && cases[i].level == NONE;
		}
		if (!fires || !silent)
			fail_msg("%s has no case that %s", k->id, fires ? "is silent" : "fires");
		assert_ptr_equal(lint_check_find(k->id), k);
		assert_true(*k->title && *k->rule && k->run);
		assert_int_equal(strspn(k->id, "abcdefghijklmnopqrstuvwxyz-"), strlen(k->id));
	}
	assert_true(n >= 40);
	assert_null(lint_check_find("no-such-check"));
}

static void test_words(void **state)
{
	enum lint_level level;
	uint32_t r;

	(void)state;
	assert_true(lint_level_parse("Warning", &level) && level == LINT_WARNING);
	assert_false(lint_level_parse("info", &level));
	assert_true(lint_release_parse("26.05", &r) && r == 2605);
	assert_false(lint_release_parse("26.5", &r));
	assert_false(lint_release_parse("26", &r));
	assert_false(lint_release_parse("new", &r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_clean),     cmocka_unit_test(test_cases),         cmocka_unit_test(test_upgrade),
	    cmocka_unit_test(test_untracked), cmocka_unit_test(test_trace_numbers), cmocka_unit_test(test_trace_checks),
	    cmocka_unit_test(test_topology),  cmocka_unit_test(test_places),        cmocka_unit_test(test_cut),
	    cmocka_unit_test(test_large),     cmocka_unit_test(test_damaged),       cmocka_unit_test(test_table),
	    cmocka_unit_test(test_words),     cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
