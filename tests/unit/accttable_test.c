/* accttable_test.c - tables of sacctmgr and sshare (spec accounting-files.md sections 2 to 4), alone and together. */
#include "tests/unit/models_helper.h"
#include "tests/unit/cluster_text.h"
#include "models/accounting.h"
#include <stdlib.h>

struct world {
	struct tres_table *tres;
	struct acct *a;
	struct diag *d;
};

static void begin(struct world *w)
{
	w->tres = tres_table_new();
	tres_add(w->tres, "gres/gpu");
	tres_add(w->tres, "license/matlab");
	w->a = acct_new(w->tres);
	w->d = diag_new();
}

static void end(struct world *w)
{
	acct_free(w->a);
	diag_free(w->d);
	tres_table_free(w->tres);
}

static void read_files(struct world *w, const char *paths)
{
	begin(w);
	accounting_read_all(paths, "orc", w->a, w->d);
	if (w->d->n_errors)
		assert_clean(w->d);
}

#define S "tests/site/26.11/"
#define T "tests/site/22.05/"

/* The dump, the table of what is set, and the table of what is in force say the same. */
static void dump_and_tables_agree(void **state)
{
	static const struct {
		const char *dump, *tables;
	} pairs[] = {
	    {S "sacctmgr-dump.cfg", S "sacctmgr-assoc-parents.txt," S "sacctmgr-show-assoc-wopinfo.txt," S
	                              "sacctmgr-show-qos.txt," S "sacctmgr-show-user.txt"},
	    {S "sacctmgr-dump.cfg",
	     S "sacctmgr-show-assoc.txt," S "sacctmgr-show-user.txt," S "sacctmgr-show-tres.txt," S
	       "sacctmgr-show-qos.txt," S "sacctmgr-assoc-parents.txt"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		struct world x, y;

		read_files(&x, pairs[i].dump);
		read_files(&y, pairs[i].tables);
		char *a = accounts_text_sorted(x.a), *b = accounts_text_sorted(y.a);
		assert_same_text(a, b);
		assert_warnings(y.d, i == 0);
		assert_true(i == 1 || has_message(y.d->warnings, "the QOS of 1 rows are taken as additions"));
		assert_string_equal(g_hash_table_lookup(y.a->admin, "heidi"), "Operator");
		g_free(a);
		g_free(b);
		end(&x);
		end(&y);
	}
}

/* 22.05's dump has no QOS; with the table of QOS beside it nothing is made up. */
static void old_dump_with_qos_table(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	accounting_read_all(T "sacctmgr-dump.cfg," T "sacctmgr-show-qos.txt", "oracle", w.a, w.d);
	assert_clean(w.d);
	assert_warnings(w.d, 0);
	const struct qos *q = acct_find_qos(w.a, "high");
	assert_int_equal(q->priority, 100);
	assert_int_equal(q->grace_time, 30);
	assert_int_equal(q->limits.max_wall, 60);
	assert_int_equal(q->limits.max_jobs_pu, 3);
	assert_string_equal(q->preempt[0], "low");
	assert_int_equal(acct_find_qos(w.a, "low")->preempt_mode, PREEMPT_MODE_REQUEUE);
	assert_int_equal(acct_find_qos(w.a, "vip")->limits.grp_wall, 10000);
	assert_true(acct_find_qos(w.a, "low")->usage_factor == 0.5);
	end(&w);
}

/* Where both state a value, the table wins (section 2). */
static void the_table_wins(void **state)
{
	struct world w;
	char *dir = dir_new();
	char *dump =
	    dir_file(dir, "d", "Cluster - 'c':Fairshare=1\nParent - 'root'\nAccount - 'a':Fairshare=5:MaxJobs=3\n");
	char *table = dir_file(dir, "t", "Cluster|Account|User|Share|MaxJobs\nc|a|||7\n");
	char *paths = g_strconcat(table, ",", dump, NULL);

	(void)state;
	begin(&w);
	assert_true(accounting_read_all(paths, NULL, w.a, w.d));
	assert_int_equal(acct_find_account(w.a, "a")->limits.max_jobs, 7);
	assert_int_equal(acct_find_account(w.a, "a")->shares, 5); /* an empty cell says nothing */
	end(&w);
	g_free(paths);
	g_free(dump);
	g_free(table);
	dir_drop(dir);
}

static struct world read_table(const char *text)
{
	struct world w;

	begin(&w);
	accounting_read_text(text, "t", w.a, w.d);
	return w;
}

static void every_column_of_assoc(void **state)
{
	struct world w = read_table("Cluster|Account|User|Partition|ParentName|Share|Priority|GrpJobs|GrpTRES|"
	                            "GrpSubmit|GrpWall|GrpTRESMins|MaxJobs|MaxTRES|"
	                            "MaxTRESPerNode|MaxSubmit|MaxWall|MaxTRESMins|QOS|Def "
	                            "QOS|GrpTRESRunMins|GrpJobsAccrue|MaxJobsAccrue|MinPrioThres|ID|Comment|Flags\n"
	                            "c|a||||9|3|4|cpu=10|5|1-00:00:00|cpu=100|6|cpu=7,mem=2G|gres/"
	                            "gpu=8|11|02:00:00|cpu=12|normal|normal|cpu=13|14|15|16|2|x|y\n");

	(void)state;
	assert_clean(w.d);
	const struct assoc *as = acct_find_account(w.a, "a");
	int gpu = tres_find(w.tres, "gres/gpu");
	assert_int_equal(as->shares, 9);
	assert_int_equal(as->priority, 3);
	assert_int_equal(as->limits.grp_jobs, 4);
	assert_int_equal(as->limits.grp_tres[TRES_CPU], 10);
	assert_int_equal(as->limits.grp_submit, 5);
	assert_int_equal(as->limits.grp_wall, 1440);
	assert_int_equal(as->limits.grp_tres_mins[TRES_CPU], 100);
	assert_int_equal(as->limits.max_jobs, 6);
	assert_int_equal(as->limits.max_tres_pj[TRES_MEM], 2048);
	assert_int_equal(as->limits.max_tres_pn[gpu], 8);
	assert_int_equal(as->limits.max_submit, 11);
	assert_int_equal(as->limits.max_wall, 120);
	assert_int_equal(as->limits.max_tres_mins_pj[TRES_CPU], 12);
	assert_string_equal(as->default_qos, "normal");
	assert_int_equal(as->limits.grp_tres_run_mins[TRES_CPU], 13);
	assert_int_equal(as->limits.grp_jobs_accrue, 14);
	assert_int_equal(as->limits.max_jobs_accrue, 15);
	assert_int_equal(as->limits.min_prio_thresh, 16);
	end(&w);
}

static void every_column_of_qos(void **state)
{
	struct world w = read_table("Name|Descr|Priority|GraceTime|Preempt|PreemptExemptTime|PreemptMode|Flags|"
	                            "UsageThres|UsageFactor|GrpTRES|GrpTRESMins|GrpTRESRunMins|"
	                            "GrpJobs|GrpSubmit|GrpWall|MaxTRES|MaxTRESPerNode|MaxTRESMins|MaxWall|MaxTRESPU|"
	                            "MaxJobsPU|MaxSubmitPU|MaxTRESPA|"
	                            "MaxTRESRunMinsPA|MaxTRESRunMinsPU|MaxJobsPA|MaxSubmitPA|MinTRES|LimitFactor|"
	                            "GrpJobsAccrue|MaxJobsAccruePA|MaxJobsAccruePU|MinPrioThres|ID\n"
	                            "q|a | in the "
	                            "text|5|00:01:30|z|00:10:00|requeue|DenyOnLimit,NoDecay|0.25|2.000000|cpu=1|cpu=2|"
	                            "cpu=3|4|5|00:06:00|cpu=7|cpu=8|cpu=9|"
	                            "1-00:00:00|mem=112.50T|11|12|cpu=13|cpu=14|cpu=15|16|17|cpu=18|1.5|19|20|21|22|7\n"
	                            "z||0|00:00:00|||cluster|||1.000000|||||||||||||||||||||||||\n");

	(void)state;
	assert_clean(w.d);
	const struct qos *q = acct_find_qos(w.a, "q");
	const struct limits *l = &q->limits;
	assert_int_equal(q->priority, 5);
	assert_int_equal(q->grace_time, 90);
	assert_string_equal(q->preempt[0], "z");
	assert_int_equal(q->preempt_exempt_time, 600);
	assert_int_equal(q->preempt_mode, PREEMPT_MODE_REQUEUE);
	assert_int_equal(q->flags, QOS_DENY_LIMIT | QOS_NO_DECAY);
	assert_true(q->usage_threshold == 0.25 && q->usage_factor == 2 && q->limit_factor == 1.5);
	assert_int_equal(l->grp_tres[TRES_CPU], 1);
	assert_int_equal(l->grp_tres_mins[TRES_CPU], 2);
	assert_int_equal(l->grp_tres_run_mins[TRES_CPU], 3);
	assert_int_equal(l->grp_jobs, 4);
	assert_int_equal(l->grp_submit, 5);
	assert_int_equal(l->grp_wall, 6);
	assert_int_equal(l->max_tres_pj[TRES_CPU], 7);
	assert_int_equal(l->max_tres_pn[TRES_CPU], 8);
	assert_int_equal(l->max_tres_mins_pj[TRES_CPU], 9);
	assert_int_equal(l->max_wall, 1440);
	assert_int_equal(l->max_tres_pu[TRES_MEM], 117964800);
	assert_int_equal(l->max_jobs_pu, 11);
	assert_int_equal(l->max_submit_pu, 12);
	assert_int_equal(l->max_tres_pa[TRES_CPU], 13);
	assert_int_equal(l->max_tres_run_mins_pa[TRES_CPU], 14);
	assert_int_equal(l->max_tres_run_mins_pu[TRES_CPU], 15);
	assert_int_equal(l->max_jobs_pa, 16);
	assert_int_equal(l->max_submit_pa, 17);
	assert_int_equal(l->min_tres_pj[TRES_CPU], 18);
	assert_int_equal(l->grp_jobs_accrue, 19);
	assert_int_equal(l->max_accrue_pa, 20);
	assert_int_equal(l->max_accrue_pu, 21);
	assert_int_equal(l->min_prio_thresh, 22);
	assert_int_equal(acct_find_qos(w.a, "z")->preempt_mode, PREEMPT_MODE_UNSET);
	end(&w);
}

static void qos_as_json(void **state)
{
	struct world w = read_table("[{\"Name\": \"a\", \"Priority\": \"7\", \"Preempt\": \"b\", \"GrpTRES\": "
	                            "\"cpu=4096,mem=28800G\", \"Flags\": \"\"},\n"
	                            " {\"Name\": \"b\", \"Priority\": 3, \"MaxWall\": \"01:00:00\"}]\n  ]\n");

	(void)state;
	assert_clean(w.d);
	assert_int_equal(acct_find_qos(w.a, "a")->priority, 7);
	assert_int_equal(acct_find_qos(w.a, "a")->limits.grp_tres[TRES_MEM], 28800 * 1024);
	assert_string_equal(acct_find_qos(w.a, "a")->preempt[0], "b");
	assert_int_equal(acct_find_qos(w.a, "b")->priority, 3);
	assert_int_equal(acct_find_qos(w.a, "b")->limits.max_wall, 60);
	end(&w);
	w = read_table("{\"a\": 1}");
	assert_message(w.d->errors, "this is no JSON of QOS");
	end(&w);
	w = read_table("[{\"a\": 1}]");
	assert_message(w.d->errors, "a QOS without \"Name\"");
	end(&w);
}

/* Parents: by name, by lineage, by the blanks of "tree". */
static void parents(void **state)
{
	static const char *const texts[] = {
	    "Cluster|Account|User|ParentName\nc|root||\nc|a||root\nc|b||a\nc|b|u|\n",
	    "Cluster|Account|User|Lineage\nc|root||/\nc|a||/a/\nc|b||/a/b/\nc|b|u|/a/b/0-u/\n",
	    "Cluster|Account|User|Share\nc|root||1\nc| a||1\nc|  b||1\nc|  b|u|1\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct world w = read_table(texts[i]);

		assert_clean(w.d);
		assert_warnings(w.d, 0);
		assert_string_equal(acct_find_account(w.a, "b")->parent->account, "a");
		assert_string_equal(acct_find(w.a, "u", NULL, NULL)->parent->account, "b");
		end(&w);
	}
	struct world w = read_table("Cluster|Account|User|Share\nc|a||1\nc|b||1\nx|other||1\n");
	assert_clean(w.d);
	assert_message(w.d->warnings, "2 accounts have no parent that the table tells");
	assert_message(w.d->warnings, "1 rows of other clusters than c are left out");
	assert_null(acct_find_account(w.a, "other"));
	end(&w);
	w = read_table("Cluster|Account|User|ParentName\nc|b||a\n");
	assert_message(w.d->errors, "t:2:1: unknown parent account a");
	end(&w);
	w = read_table("Cluster|Account|User|ParentName\nc|b|u|\n");
	assert_message(w.d->errors, "t:2:1: unknown account b");
	end(&w);
}

/* What a row repeats of its account is inherited: a change of the account later reaches it. */
static void inherited_cells(void **state)
{
	struct world w =
	    read_table("Cluster|Account|User|Share|MaxJobs|GrpJobs|QOS\nc|root||1|||normal\nc| a||1|5|9|normal\n"
	               "c| a|u|1|5||normal\nc| a|v|1|6||normal\n");

	(void)state;
	assert_clean(w.d);
	assert_int_equal(acct_find_account(w.a, "a")->limits.max_jobs, 5);
	assert_int_equal(acct_find(w.a, "u", "a", NULL)->limits.max_jobs, NO_VAL);
	assert_int_equal(acct_find(w.a, "v", "a", NULL)->limits.max_jobs, 6);
	assert_null(acct_find(w.a, "u", "a", NULL)->qos);
	end(&w);
}

static void usage_of_sshare(void **state)
{
	struct world w;

	(void)state;
	read_files(&w, S "sacctmgr-dump.cfg," S "sshare.txt");
	assert_warnings(w.d, 0);
	assert_true(w.a->root->usage == 268);
	assert_true(acct_find_account(w.a, "science")->usage == 160);
	assert_true(acct_find(w.a, "dave", NULL, NULL)->usage == 85);
	assert_true(acct_find(w.a, "grace", "chem", NULL)->usage == 44);
	end(&w);
	/* alone it tells the tree too */
	read_files(&w, S "sshare.txt");
	assert_string_equal(acct_find_account(w.a, "chem")->parent->account, "science");
	assert_int_equal(acct_find_account(w.a, "science")->shares, 60);
	assert_int_equal(acct_find(w.a, "dave", NULL, NULL)->shares, SHARES_PARENT);
	assert_true(acct_find(w.a, "bob", "physics", NULL)->usage == 31);
	end(&w);
	w = read_table(
	    "Account|User|Partition|RawShares|RawUsage|GrpTRESRaw\nroot||||90|cpu=2,gres/gpu=1\n a|||3|80|cpu=1\n"
	    "  a|u|p|1|50|\n  a|u||1|30|\n");
	assert_clean(w.d);
	assert_true(acct_find(w.a, "u", "a", "p")->usage == 50);
	assert_true(acct_find(w.a, "u", "a", NULL)->usage == 30);
	assert_true(w.a->root->tres_usage[TRES_CPU] == 120);
	assert_true(w.a->root->tres_usage[tres_find(w.tres, "gres/gpu")] == 60);
	end(&w);
}

static void bad_tables(void **state)
{
	static const struct {
		const char *text, *error;
	} table[] = {
	    {"Cluster|Account|User|Share\nc|a||x\n", "t:2:1: bad value \"x\" of Fairshare"},
	    {"Cluster|Account|User|MaxWall\nc|a||soon\n", "t:2:1: bad value \"soon\" of MaxWall"},
	    {"Cluster|Account|User|GrpTRES\nc|a||gold=1\n", "t:2:1: GrpTRES: "},
	    {"Name|Priority\nq|high\n", "t:2:1: bad value \"high\" of Priority"},
	    {"Name|Priority\n|3\n", "t:2:1: a QOS without a name"},
	    {"Cluster|Account|User\nno table\n", "t:2:1: this is no row of the table; give the output of -P"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		struct world w = read_table(table[i].text);

		assert_message(w.d->errors, table[i].error);
		end(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(dump_and_tables_agree),
	    cmocka_unit_test(old_dump_with_qos_table),
	    cmocka_unit_test(the_table_wins),
	    cmocka_unit_test(every_column_of_assoc),
	    cmocka_unit_test(every_column_of_qos),
	    cmocka_unit_test(qos_as_json),
	    cmocka_unit_test(parents),
	    cmocka_unit_test(inherited_cells),
	    cmocka_unit_test(usage_of_sshare),
	    cmocka_unit_test(bad_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
