/* accounting_test.c - sacctmgr commands and dumps into the association tree (spec accounting-files.md). */
#include "tests/unit/models_helper.h"
#include "models/accounting.h"
#include "models/confwrite.h"

struct world {
	struct tres_table *tres;
	struct acct *a;
	struct diag *d;
};

static void world_new(struct world *w)
{
	w->tres = tres_table_new();
	tres_add(w->tres, "gres/gpu");
	tres_add(w->tres, "gres/gpu:a100");
	w->a = acct_new(w->tres);
	w->d = diag_new();
}

static void world_free(struct world *w)
{
	acct_free(w->a);
	tres_table_free(w->tres);
	diag_free(w->d);
}

static void read_good(struct world *w, const char *text)
{
	world_new(w);
	assert_true(accounting_read_text(text, "acct", w->a, w->d) || w->d->n_errors);
	assert_clean(w->d);
}

static void assert_list(char **list, const char *want)
{
	char *got = g_strjoinv(",", list);

	assert_string_equal(got, want);
	g_free(got);
}

/* flags with signs of their own are added and taken away; found by fuzzing */
static void signed_flags(void **state)
{
	struct world w;

	(void)state;
	read_good(&w, "add qos q flags=DenyOnLimit,NoDecay\nmodify qos q set flags=-NoDecay,+OverPartQOS,+\n");
	assert_int_equal(acct_find_qos(w.a, "q")->flags, QOS_DENY_LIMIT | QOS_OVER_PART_QOS);
	world_free(&w);
}

static void commands(void **state)
{
	struct world w;

	(void)state;
	read_good(
	    &w,
	    "# a comment\n\nsacctmgr -i add qos high priority=10 preempt=normal MaxTRESPerUser=gres/gpu=4\nadd qos "
	    "mid,low priority=5\n"
	    "add account phys,bio fairshare=3 description=\"the physics, all\" organization=o\nadd account theory "
	    "parent=phys MaxJobs=7 GrpTRES=cpu=10,mem=2G \\\n MaxWall=1-00:00:00\n"
	    "modify account root set qos=normal,low\nadd user Alice,bob account=theory,bio fairshare=parent\nadd user "
	    "carol account=bio partition=gpu,cpu DefaultQOS=low\n"
	    "modify user set qos+=high,mid where name=alice\nmodify user bob set maxjobs=3 where account=bio\nmodify "
	    "qos low set GrpTRES=gres/gpu=1\nmodify qos low set GrpTRES=cpu=9 Flags=DenyOnLimit,OverPartQOS\n"
	    "modify cluster tern set GrpJobs=100\nmodify account where name=bio set parent=phys\nmodify user bob set "
	    "defaultaccount=bio\nadd coordinator accounts=bio names=bob\n");
	const struct qos *high = acct_find_qos(w.a, "high"), *low = acct_find_qos(w.a, "low");
	assert_int_equal(w.a->qos->len, 4);
	assert_int_equal(high->priority, 10);
	assert_list(high->preempt, "normal");
	assert_int_equal(high->limits.max_tres_pu[tres_find(w.tres, "gres/gpu")], 4);
	assert_true(high->limits.max_tres_pu[TRES_CPU] == NO_VAL64);
	assert_int_equal(low->limits.grp_tres[TRES_CPU], 9);
	assert_int_equal(low->limits.grp_tres[tres_find(w.tres, "gres/gpu")], 1);
	assert_int_equal(low->flags, QOS_DENY_LIMIT | QOS_OVER_PART_QOS);
	assert_int_equal(w.a->max_qos_priority, 10);
	const struct assoc *theory = acct_find_account(w.a, "theory");
	assert_string_equal(theory->parent->account, "phys");
	assert_int_equal(theory->limits.max_jobs, 7);
	assert_int_equal(theory->limits.max_wall, 1440);
	assert_int_equal(theory->limits.grp_tres[TRES_MEM], 2048);
	assert_string_equal(acct_find_account(w.a, "bio")->parent->account, "phys");
	assert_int_equal(acct_find_account(w.a, "phys")->children->len, 2);
	assert_int_equal(acct_find_account(w.a, "phys")->shares, 3);
	const struct assoc *alice = acct_find(w.a, "alice", NULL, NULL);
	assert_string_equal(alice->account, "theory");
	assert_true(alice->shares == SHARES_PARENT);
	assert_list(assoc_qos_list(alice), "normal,low,high,mid");
	assert_list(assoc_qos_list(acct_find(w.a, "bob", "theory", NULL)), "normal,low");
	assert_int_equal(acct_find(w.a, "bob", "bio", NULL)->limits.max_jobs, 3);
	assert_true(acct_find(w.a, "bob", "theory", NULL)->limits.max_jobs == NO_VAL);
	assert_string_equal(acct_find(w.a, "bob", NULL, NULL)->account, "bio");
	assert_true(acct_find(w.a, "bob", "bio", NULL)->is_default &&
	            !acct_find(w.a, "bob", "theory", NULL)->is_default);
	assert_string_equal(acct_find(w.a, "carol", "bio", "gpu")->partition, "gpu");
	assert_null(acct_find(w.a, "carol", "bio", "other"));
	assert_string_equal(assoc_default_qos(acct_find(w.a, "carol", "bio", "cpu")), "low");
	assert_int_equal(w.a->root->limits.grp_jobs, 100);
	assert_warnings(w.d, 0);
	world_free(&w);
}

/* Every value that a command can set and clear. */
static void values(void **state)
{
	struct world w;

	(void)state;
	read_good(&w,
	          "add qos q GraceTime=30 PreemptExemptTime=0:00:10 UsageFactor=0.5 LimitFactor=2 UsageThreshold=0.1 "
	          "MaxWall=5 GrpWall=1:30 MaxJobsPA=1 MaxJobsPerUser=2 "
	          "MaxSubmitPU=3 MaxSubmitJobsPA=4 MaxJobsAccruePU=5 MaxJobsAccruePA=6 GrpJobs=7 GrpSubmit=8 "
	          "GrpJobsAccrue=9 MinPrioThres=10 MinTRES=cpu=2 PreemptMode=cluster\n"
	          "modify qos q set PreemptMode=Requeue Flags+=NoDecay Flags+=NoReserve GrpJobs=-1\nmodify qos q set "
	          "Flags-=NoDecay\nadd account a GrpCPUs=5 MaxNodes=2 Fairshare=0 Priority=4 GrpTRES=node=-1\n");
	const struct qos *q = acct_find_qos(w.a, "q");
	assert_int_equal(q->grace_time, 30);
	assert_int_equal(q->preempt_exempt_time, 10);
	assert_true(q->usage_factor == 0.5 && q->limit_factor == 2);
	assert_int_equal(q->limits.max_wall, 5);
	assert_int_equal(q->limits.grp_wall, 2); /* one minute and 30 seconds */
	assert_int_equal(q->limits.max_jobs_pa, 1);
	assert_int_equal(q->limits.max_jobs_pu, 2);
	assert_int_equal(q->limits.max_submit_pu, 3);
	assert_int_equal(q->limits.max_submit_pa, 4);
	assert_int_equal(q->limits.max_accrue_pu, 5);
	assert_int_equal(q->limits.max_accrue_pa, 6);
	assert_true(q->limits.grp_jobs == INFINITE);
	assert_int_equal(q->limits.grp_submit, 8);
	assert_int_equal(q->limits.min_prio_thresh, 10);
	assert_int_equal(q->limits.min_tres_pj[TRES_CPU], 2);
	assert_string_equal(q->preempt_mode_text, "requeue");
	assert_int_equal(q->flags, QOS_NO_RESERVE);
	const struct assoc *a = acct_find_account(w.a, "a");
	assert_int_equal(a->limits.grp_tres[TRES_CPU], 5);
	assert_true(a->limits.grp_tres[TRES_NODE] == INFINITE64);
	assert_int_equal(a->limits.max_tres_pj[TRES_NODE], 2);
	assert_int_equal(a->shares, 0);
	assert_int_equal(a->priority, 4);
	world_free(&w);
}

/* The example of accounting-files.md section 1. */
static const char dump[] =
    "# comment block written by sacctmgr\n"
    "QOS - 'normal':Description='Normal QOS default':Priority=10\n"
    "QOS - 'urgent':Description='paying "
    "groups':Flags='DenyOnLimit,OverPartQOS':GraceTime=120:GrpTRES=gres/gpu=64:MaxTRESPerUser=gres/"
    "gpu=16,cpu=512:MaxWallDurationPerJob=2880:Preempt='scav':Priority=1000:UsageFactor=2.000000\n"
    "QOS - "
    "'scav':Description='scavenger':MaxSubmitJobsPU=200:MaxTRESPerJob=gres/"
    "gpu:a100=4:PreemptMode='requeue':PreemptExemptTime=600:Priority=0:UsageFactor=0.000000\n"
    "Cluster - 'tern':Fairshare=1:QOS='normal'\n"
    "Parent - 'root'\n"
    "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1\n"
    "Account - 'physics':Description='physics "
    "dept':Organization='science':Fairshare=60:GrpTRES=gres/gpu=48:QOS='normal,urgent'\n"
    "Account - "
    "'bio':Description='biology':Organization='science':Fairshare=40:GrpTRESRunMins=cpu=5000000:QOS='normal,scav'\n"
    "Parent - 'physics'\n"
    "Account - 'lattice':Description='lattice: group':Organization='physics':Fairshare=2\n"
    "User - 'ada':DefaultAccount='physics':Coordinator='physics,lattice':Fairshare=1:MaxJobs=20\n"
    "Parent - 'lattice'\n"
    "User - 'bob':DefaultAccount='lattice':Fairshare=parent:QOS='+scav'\n"
    "User - 'bob':Partition='gpu':DefaultAccount='lattice':Fairshare=1:MaxTRESPerJob=gres/gpu=2\n"
    "Parent - 'bio'\n"
    "User - 'eve':DefaultAccount='bio':DefaultQOS='scav':Fairshare=1:MaxSubmitJobs=500:MaxWallDurationPerJob=1440\n";

static void dump_file(void **state)
{
	struct world w;

	(void)state;
	read_good(&w, dump);
	assert_warnings(w.d, 0);
	const struct qos *urgent = acct_find_qos(w.a, "urgent"), *scav = acct_find_qos(w.a, "scav");
	assert_int_equal(urgent->flags, QOS_DENY_LIMIT | QOS_OVER_PART_QOS);
	assert_int_equal(urgent->grace_time, 120);
	assert_int_equal(urgent->limits.max_wall, 2880);
	assert_int_equal(urgent->limits.max_tres_pu[TRES_CPU], 512);
	assert_list(urgent->preempt, "scav");
	assert_int_equal(scav->preempt_exempt_time, 600);
	assert_int_equal(scav->limits.max_tres_pj[tres_find(w.tres, "gres/gpu:a100")], 4);
	assert_int_equal(scav->limits.max_submit_pu, 200);
	assert_true(scav->usage_factor == 0);
	assert_int_equal(w.a->max_qos_priority, 1000);
	assert_string_equal(acct_find_account(w.a, "lattice")->parent->account, "physics");
	assert_int_equal(acct_find_account(w.a, "physics")->shares, 60);
	assert_true(acct_find(w.a, "bob", NULL, NULL)->shares == SHARES_PARENT);
	assert_list(assoc_qos_list(acct_find(w.a, "bob", NULL, NULL)), "normal,urgent,scav");
	assert_int_equal(acct_find(w.a, "bob", NULL, "gpu")->limits.max_tres_pj[tres_find(w.tres, "gres/gpu")], 2);
	assert_string_equal(assoc_default_qos(acct_find(w.a, "eve", "bio", NULL)), "scav");
	assert_int_equal(acct_find(w.a, "eve", NULL, NULL)->limits.max_wall, 1440);
	assert_int_equal(acct_find(w.a, "ada", NULL, NULL)->limits.max_jobs, 20);
	assert_string_equal(g_hash_table_lookup(w.a->admin, "root"), "Administrator");
	world_free(&w);
}

static void old_dump(void **state)
{
	struct world w;

	(void)state;
	read_good(&w, "machine - 'x':Fairshare=1:QOS='normal,gold'\nParent - 'root'\nProject - "
	              "'a':GrpCPUs=10:MaxWall=1-00:00:00:GrpNodes=3\nParent - a\nUser - \"u\":DefaultAccount='a'\n");
	assert_warnings(w.d, 1);
	assert_message(w.d->warnings, "acct:1:27: QOS gold is not defined here");
	assert_int_equal(acct_find_account(w.a, "a")->limits.max_wall, 1440);
	assert_int_equal(acct_find_account(w.a, "a")->limits.grp_tres[TRES_NODE], 3);
	assert_non_null(acct_find(w.a, "u", NULL, NULL));
	world_free(&w);
}

static void errors(void **state)
{
	static const struct {
		const char *text, *error;
	} table[] = {
	    {"ad account x", "acct:1:1: unknown sacctmgr command ad; add, modify or delete"},
	    {"delete account x", "acct:1:8: no such account"},
	    {"add account x rawusage=5", "acct:1:15: RawUsage of an account can only be set to 0; give it to its users"},
	    {"add account x\nadd user u account=x rawusage=-5", "bad value \"-5\" of rawusage"},
	    {"delete user", "acct:1:8: delete user without a name"},
	    {"add account x\nadd user u account=x\ndelete user u where account=y", "acct:3:8: no such user"},
	    {"add qos q\ndelete qos q\nmodify qos q set priority=1", "acct:3:8: no such QOS"},
	    {"add", "acct:1:1: add what?; account, user, qos or cluster"},
	    {"add acount x", "acct:1:5: unknown entity acount"},
	    {"add account", "acct:1:5: add account without a name"},
	    {"\nadd account x parent=y", "acct:2:5: unknown parent account y"},
	    {"add account x MaxJob5=1", "acct:1:15: unknown option MaxJob5 of an association; did you mean MaxJobs?"},
	    {"add account x MaxJobs=many", "acct:1:15: bad value \"many\" of MaxJobs; a whole number"},
	    {"add account x MaxJobs+=1", "MaxJobs+= is for lists; write ="},
	    {"add account x GrpTRES=gpus=1", "acct:1:15: GrpTRES: "},
	    {"add account x MaxWall=abc", "bad value \"abc\" of MaxWall; minutes"},
	    {"add account x fairshare=-5", "bad value \"-5\" of fairshare"},
	    {"add account x qos=norml", "acct:1:15: unknown QOS norml; did you mean normal?"},
	    {"add account x\nadd account y\nadd account x parent=y", "account x is defined under root and under y"},
	    {"add user u", "acct:1:5: a user without an account; give account="},
	    {"add user u account=zz", "acct:1:5: unknown account zz; add the account first"},
	    {"add qos q preempt=zz", "unknown QOS zz"},
	    {"add qos q flags=Foo", "unknown QOS flag Foo"},
	    {"add qos q PreemptMode=kill", "bad value \"kill\" of PreemptMode"},
	    {"add qos q UsageFactor=x", "bad value \"x\" of UsageFactor"},
	    {"modify user set maxjobs=1 where name=zz", "acct:1:8: no such user"},
	    {"modify qos zz set priority=1", "no such QOS"},
	    {"add account a\nadd account b parent=a\nmodify account a set parent=b", "account a cannot go under b"},
	    {"modify account root set maxjobs=1 where colour=red", "acct:1:41: unknown condition colour"},
	    {"add account a\nadd user u account=a\nmodify user u set defaultaccount=zz",
	     "user u: unknown DefaultAccount zz"},
	    {"Cluster - 'a'\nCluster - 'b'", "acct:2:1: a second Cluster line"},
	    {"Cluster - 'a'\nQOS - 'q'", "acct:2:1: QOS line after the Cluster line; QOS lines come first"},
	    {"Cluster - 'a'\nParent - 'zz'", "acct:2:10: unknown parent account zz"},
	    {"Cluster - 'a'\nGroup - 'zz'", "acct:2:1: unknown kind of line \"Group\""},
	    {"Cluster - 'a'\nhello", "acct:2:1: \"hello\" is no line of a sacctmgr dump"},
	    {"Cluster - 'a':Fairshare", "acct:1:15: \"Fairshare\" is not Key=Value"},
	    {"Cluster - 'a':Farshare=1",
	     "acct:1:15: unknown option Farshare of an association; did you mean Fairshare?"},
	    {"QOS - 'a':Preempt='zz'\nCluster - 'c'", "QOS a preempts the unknown QOS zz"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		struct world w;

		world_new(&w);
		assert_false(accounting_read_text(table[i].text, "acct", w.a, w.d));
		assert_message(w.d->errors, table[i].error);
		assert_int_equal(w.d->n_errors, 1);
		world_free(&w);
	}
}

static void all_errors_and_duplicates(void **state)
{
	struct world w;

	(void)state;
	world_new(&w);
	accounting_read_text("foo\nadd account a b=1 c=2\nadd user\n", "acct", w.a, w.d);
	assert_int_equal(w.d->n_errors, 4); /* foo, b, c, add user */
	world_free(&w);
	read_good(&w, "add account a\nadd account a MaxJobs=3\nadd user u account=a\nadd user u account=a "
	              "MaxJobs=4\nadd qos q\nadd qos q\n");
	assert_warnings(w.d, 3);
	assert_int_equal(acct_find_account(w.a, "a")->limits.max_jobs, 3);
	assert_int_equal(acct_find(w.a, "u", NULL, NULL)->limits.max_jobs, 4);
	assert_false(accounting_read("/nonexistent", w.a, w.d));
	assert_message(w.d->errors, "cannot open /nonexistent");
	world_free(&w);
}

/* Damaged dumps and command lists: no crash. */
static void hostile(void **state)
{
	GRand *rand = g_rand_new_with_seed(11);

	(void)state;
	for (int k = 0; k < 500; k++) {
		struct world w;
		char *text = g_strdup(dump);
		size_t n = strlen(text);

		for (int i = g_rand_int_range(rand, 1, 30); i > 0; i--)
			text[g_rand_int_range(rand, 0, (gint32)n)] = "':=,-+# \n\\x\"9"[g_rand_int_range(rand, 0, 13)];
		text[g_rand_int_range(rand, 1, (gint32)n)] = '\0';
		if (k % 2)
			memcpy(text, "add user ", 9);
		world_new(&w);
		accounting_read_text(text, "acct", w.a, w.d);
		world_free(&w);
		g_free(text);
	}
	g_rand_free(rand);
}

/* E4: since 25.05 a QOS may say PRIORITY. */
/* Recorded on 22.05 (holds-coordinators): what a coordinator of acct, above sub, may change, and a user who is none */
static void rights(void **state)
{
	static const char request[] = "Error with request: Access/permission denied";
	static const struct { const char *by, *command, *refusal; } cases[] = {
	    {"heidi", "add user carol account=sub", NULL},
	    {"heidi", "add user alice account=other", "Problem adding users: Access/permission denied"},
	    {"heidi", "add user alice account=sub,other", "Problem adding users: Access/permission denied"},
	    {"heidi", "modify user bob where account=sub set maxjobs=3", NULL},
	    {"heidi", "modify user carol where account=other set maxjobs=3", request},
	    {"heidi", "modify user carol set maxjobs=3", request},
	    {"heidi", "modify user heidi where account=acct set maxjobs=3", NULL},
	    {"heidi", "modify account sub set maxjobs=4", NULL},
	    {"heidi", "modify account acct set maxjobs=4", request},
	    {"heidi", "modify account other set maxjobs=4", request},
	    {"heidi", "modify account set maxjobs=4", request},
	    {"heidi", "add account subsub parent=sub", NULL},
	    {"heidi", "add account toy parent=root", "Problem adding accounts: Access/permission denied"},
	    {"heidi", "add account toy", "Problem adding accounts: Access/permission denied"},
	    {"heidi", "delete user carol account=sub", NULL},
	    {"heidi", "delete user carol account=other", "Nothing deleted"},
	    {"heidi", "delete account subsub", request},
	    {"heidi", "delete account other", request},
	    {"heidi", "add coordinator account=sub names=bob", NULL},
	    {"bob", "modify account subsub set maxjobs=2", NULL},
	    {"heidi", "delete coordinator account=sub names=bob", NULL},
	    {"bob", "modify account subsub set maxjobs=2", request},
	    {"heidi", "add coordinator account=other names=bob", "Problem adding coordinator: Access/permission denied"},
	    {"heidi", "delete coordinator names=heidi", request},
	    {"heidi", "add qos x", "Problem adding QOS: Access/permission denied"},
	    {"heidi", "modify qos normal set priority=3", request},
	    {"heidi", "delete qos normal", request},
	    {"heidi", "modify cluster set maxjobs=1", request},
	    {"heidi", "modify user bob set adminlevel=operator", request},
	    {"heidi", "add user ivan account=sub adminlevel=admin", "Problem adding users: Access/permission denied"},
	    {"heidi", "modify user where account=sub set maxsubmit=8", NULL},
	    {"alice", "modify user bob where account=sub set maxjobs=5", request},
	    {"alice", "add user carol account=acct", "Problem adding users: Access/permission denied"},
	    {"alice", "add account x", "Problem adding accounts: Access/permission denied"},
	    {NULL, "delete account subsub", NULL},
	};
	struct world w;

	(void)state;
	read_good(&w, "add account acct\nadd account sub parent=acct\nadd account other\nadd user alice account=acct\nadd user bob account=sub\n"
	              "add user carol account=other\nadd user heidi account=acct\nadd coordinator account=acct names=heidi\n");
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		GError *error = NULL;
		bool ok = accounting_command_by(w.a, cases[i].command, cases[i].by, &error);
		if (ok ? cases[i].refusal != NULL : !cases[i].refusal || !strstr(error->message, cases[i].refusal))
			fail_msg("%s: %s", cases[i].command, ok ? "done" : error->message);
		g_clear_error(&error);
	}
	assert_int_equal(acct_find(w.a, "bob", "sub", NULL)->user ? 1 : 0, 1);
	assert_null(acct_find_account(w.a, "toy"));
	world_free(&w);
}

/* Of an account and of all below it, by commands and by dumps. */
static void coordinators(void **state)
{
	static const char base[] = "add account lab\nadd account sub parent=lab\nadd account far\nadd user ann account=lab\nadd user bob account=sub\n";
	struct world w;
	GError *error = NULL;

	(void)state;
	read_good(&w, base);
	assert_false(acct_coordinates(w.a, "ann", "lab"));
	assert_true(accounting_command(w.a, "sacctmgr -i add coordinator account=LAB,far names=Ann", NULL));
	assert_true(acct_coordinates(w.a, "ann", "lab") && acct_coordinates(w.a, "ann", "sub") && acct_coordinates(w.a, "ann", "far"));
	assert_false(acct_coordinates(w.a, "ann", "root") || acct_coordinates(w.a, "bob", "lab") || acct_coordinates(w.a, NULL, "lab"));
	assert_true(accounting_command(w.a, "delete coordinator account=far names=ann", NULL));
	assert_false(acct_coordinates(w.a, "ann", "far"));
	assert_false(accounting_command(w.a, "delete coordinator account=far", &error));
	assert_non_null(strstr(error->message, "Nothing removed"));
	g_clear_error(&error);
	assert_false(accounting_command(w.a, "modify user ann set coordinator=far", &error));
	g_clear_error(&error);
	g_autofree char *dump = confwrite_dump(w.a, "c", false), *old = confwrite_dump(w.a, "c", true), *full = confwrite_accounting(w.a, "c");
	assert_non_null(strstr(dump, "User - 'ann':DefaultAccount='lab':Coordinator='lab':Fairshare=1\n"));
	assert_non_null(strstr(full, "Coordinator='lab'"));
	assert_true(g_str_has_prefix(dump, "QOS - 'normal'") && g_str_has_prefix(old, "Cluster - 'c'"));
	world_free(&w);
	read_good(&w, dump);
	assert_true(acct_coordinates(w.a, "ann", "sub"));
	g_autofree char *again = confwrite_dump(w.a, "c", false);
	assert_int_equal(g_ascii_strcasecmp(dump, again), 0); /* descriptions are read in small letters */
	assert_true(accounting_command(w.a, "delete account sub", NULL) && accounting_command(w.a, "delete coordinator names=ann", NULL));
	assert_false(acct_coordinates(w.a, "ann", "lab"));
	world_free(&w);
}

static void preempt_priority(void **state)
{
	struct sched_params p = {.version = SLURM_26};
	struct world w;

	(void)state;
	read_good(&w, "add qos q PreemptMode=requeue,priority\n");
	accounting_check_release(w.a, &p, "a", w.d);
	assert_clean(w.d);
	p.version = SLURM_22_05;
	accounting_check_release(w.a, &p, "a", w.d);
	assert_message(w.d->errors, "QOS q: Slurm 22.05 has no PRIORITY in PreemptMode=requeue,priority");
	world_free(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(signed_flags), cmocka_unit_test(commands), cmocka_unit_test(values), cmocka_unit_test(dump_file),
	    cmocka_unit_test(old_dump), cmocka_unit_test(errors), cmocka_unit_test(all_errors_and_duplicates),
	    cmocka_unit_test(hostile), cmocka_unit_test(coordinators), cmocka_unit_test(rights), cmocka_unit_test(preempt_priority),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
