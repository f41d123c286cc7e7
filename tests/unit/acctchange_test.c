/*
 * acctchange_test.c - accounts, QOS and limits that change while jobs wait and run (L20, L29, P45d, R14), limits
 * overridden by an administrator (L2, L37), several QOS (P9, L20), scontrol top (P22).
 */
#include "limits_helper.h"

/* A sacctmgr command at second T. */
static void change(struct world *w, sec_t t, const char *command)
{
	GError *error = NULL;
	if (!accounting_command(w->cl->acct, command, &error))
		fail_msg("%s", error->message);
	controller_accounting_changed(w->c, t * USEC);
}

static void update(struct world *w, struct job *j, sec_t t, const char *key, const char *value)
{
	GError *error = NULL;
	if (!controller_update_job(w->c, j, key, value, t * USEC, &error))
		fail_msg("%s=%s: %s", key, value, error->message);
}

static void not_updated(struct world *w, struct job *j, sec_t t, const char *user, const char *key, const char *value,
                        const char *text)
{
	GError *error = NULL;
	assert_false(controller_update_job_by(w->c, j, user, key, value, t * USEC, &error));
	if (!strstr(error->message, text))
		fail_msg("\"%s\" does not hold \"%s\"", error->message, text);
	g_error_free(error);
}

static void waits(const struct job *j, enum reason r)
{
	if (j->state != JOB_PENDING || j->reason != r)
		fail_msg("job %u is %s, reason %s, not %s", j->id, job_state_name(j->state), reason_name(j->reason),
		         reason_name(r));
}

/* B2: 26.11 lets backfill sleep when a QOS is changed (limits, 80 s); a change of an association, or a job that is held for it, wakes it. */
static void wakes_backfill(void **state)
{
	(void)state;
	for (int v = SLURM_22_05; v <= SLURM_26; v++) {
		struct world *w = l_world(v, "n[1-4]", LIMITS, "add qos grp GrpTRES=cpu=2\nadd qos gone\nmodify account root set qos+=grp,gone\n");
		w_job(w, 1, "ntasks", "2", "qos", "grp", "time", "10", NULL);
		w_job(w, 1, "ntasks", "2", "qos", "grp", "time", "10", NULL);
		struct job *held = w_job(w, 1, "ntasks", "4", "qos", "gone", "begin", "1000", "time", "10", NULL);
		w_full(w, 2);
		change(w, 3, "modify qos grp set grptres=cpu=4");
		assert_int_equal(w->c->last_update, v == SLURM_26 ? 2 : 3);
		change(w, 4, "modify user u1 set maxjobs=5");
		assert_int_equal(w->c->last_update, 4);
		change(w, 5, "delete qos gone");
		assert_int_equal(w->c->last_update, 5);
		waits(held, REASON_INVALID_QOS);
		world_free(w);
	}
}

/* A limit is raised, lowered and cleared. */
static void limits_change(void **state)
{
	(void)state;
	for (int v = SLURM_22_05; v <= SLURM_26; v++) {
		struct world *w =
		    l_world(v, "n[1-4]", LIMITS, "add qos grp GrpTRES=cpu=2\nmodify account root set qos+=grp\n");
		struct job *a = w_job(w, 1, "ntasks", "2", "qos", "grp", "time", "10", NULL);
		struct job *b = w_job(w, 1, "ntasks", "2", "qos", "grp", "time", "10", NULL);
		struct job *c = w_job(w, 1, "ntasks", "2", "qos", "grp", "time", "10", NULL);
		w_full(w, 2);
		l_runs(a);
		waits(b, REASON_QOS_GRP_CPU);
		change(w, 3, "sacctmgr -i modify qos grp set grptres=cpu=4");
		w_full(w, 4);
		l_runs(b);
		waits(c, REASON_QOS_GRP_CPU);
		change(w, 5, "modify user u1 set maxjobs=0");
		change(w, 5, "modify qos grp set grptres=cpu=-1");
		w_full(w, 6);
		waits(c, REASON_ASSOC_MAX_JOBS);
		change(w, 7, "modify user u1 set maxjobs=-1");
		w_full(w, 8);
		l_runs(c);
		world_free(w);
	}
}

/* L20: a limit on nodes that comes late counts the nodes of the jobs that run already. */
static void nodes_counted_late(void **state)
{
	(void)state;
	struct world *w = l_world(SLURM_26, "n[1-4]", LIMITS, NULL);
	l_runs((w_job(w, 1, "nodes", "2", "time", "10", NULL), w_full(w, 1), controller_first_running(w->c)));
	change(w, 2, "modify account acct set grptres=node=3");
	assert_int_equal(l_acct(w)->use.nodes, 2);
	struct job *j = w_job(w, 3, "nodes", "2", "exclusive", "", "time", "10", NULL);
	w_full(w, 3);
	waits(j, REASON_ASSOC_GRP_NODE);
	world_free(w);
}

/* R14.6, R11.1: a QOS taken from the list, or deleted, and back; recorded in 22.05/limit-changes. */
static void invalid_qos(void **state)
{
	(void)state;
	struct world *w = l_world(SLURM_22_05, "n1", LIMITS | ENFORCE_QOS,
	                          "add qos extra,gone\nmodify account root set qos+=extra,gone\n");
	w_run(w, 1, "n1", 5);
	struct job *z = w_job(w, 2, "qos", "extra", NULL), *v = w_job(w, 2, "qos", "gone", NULL);
	w_full(w, 3);
	change(w, 4, "modify account root set qos-=extra");
	change(w, 4, "delete qos gone");
	waits(v, REASON_INVALID_QOS); /* at once */
	w_backfill(w, 5);
	waits(z, REASON_INVALID_QOS);
	assert_int_equal(z->eligible, 0);
	change(w, 6, "modify account root set qos+=extra");
	w_full(w, 7);
	waits(z, REASON_RESOURCES);
	assert_int_equal(z->eligible, 7);
	waits(v, REASON_INVALID_QOS);
	change(w, 8, "add qos gone");
	change(w, 8, "modify account root set qos+=gone");
	w_full(w, 9);
	waits(v, REASON_PRIORITY);
	world_free(w);
}

/* P45d: a new association has its shares at once, its FairShare at the next tick; one with jobs is not deleted. */
static void users_come_and_go(void **state)
{
	(void)state;
	GError *error = NULL;
	struct world *w = l_unbegun(SLURM_26, "n1", LIMITS, NULL);
	w->p->weight_fairshare = 1000;
	w_begin(w, 0);
	w_run(w, 1, "n1", 5);
	w_refused(w, 2, "Invalid account", "user", "erin", NULL);
	change(w, 3, "add user erin account=acct fairshare=2");
	struct job *e = w_job(w, 4, "user", "erin", NULL);
	assert_int_equal(e->priority, 1);
	l_tick(w, 300);
	assert_true(e->priority > 1);
	assert_false(accounting_command(w->cl->acct, "delete user erin", &error));
	assert_non_null(strstr(error->message, "Job(s) active, cancel job(s) before remove"));
	g_clear_error(&error);
	assert_true(controller_cancel(w->c, e, 301 * USEC, NULL));
	change(w, 302, "delete user erin");
	w_refused(w, 303, "Invalid account", "user", "erin", NULL);
	l_tick(w, 600);
	change(w, 601, "modify account other set parent=acct");
	l_tick(w, 900);
	change(w, 901, "add account late");
	change(w, 901, "modify account acct set parent=late"); /* its parent has the larger id */
	l_tick(w, 1200);
	assert_string_equal(acct_find(w->cl->acct, "u3", NULL, NULL)->parent->parent->parent->account, "late");
	world_free(w);
}

/* L2, L37: what an administrator sets is not tested any more; what a user sets is, and a value that stays the same is
 * not set. */
static void overridden(void **state)
{
	(void)state;
	struct world *w =
	    l_world(SLURM_22_05, "n[1-2]", LIMITS,
	            "add qos wall MaxWall=1\nadd qos size MaxTRES=cpu=2\nmodify account root set qos+=wall,size\n");
	struct job *a = w_job(w, 1, "qos", "wall", "time", "3", NULL),
	           *b = w_job(w, 1, "qos", "wall", "time", "3", NULL);
	struct job *c = w_job(w, 1, "qos", "size", "ntasks", "4", NULL),
	           *d = w_job(w, 1, "qos", "size", "ntasks", "4", NULL);
	w_full(w, 2);
	update(w, a, 3, "timelimit", "3");
	w_full(w, 3);
	waits(a, REASON_QOS_MAX_WALL_PJ);
	update(w, a, 4, "timelimit", "2");
	assert_true(controller_update_job_by(w->c, b, "u1", "timelimit", "4", 4 * USEC, NULL)); /* recorded: a waiting one's may grow */
	assert_true(controller_update_job_by(w->c, b, "u1", "timelimit", "2", 4 * USEC, NULL));
	update(w, c, 4, "numcpus", "6");
	update(w, d, 4, "numnodes", "2");
	w_full(w, 5);
	l_runs(a);
	waits(b, REASON_QOS_MAX_WALL_PJ);
	l_runs(c);
	assert_int_equal(c->alloc->cpus, 6);
	waits(d, REASON_QOS_MAX_CPU_PJ);
	not_updated(w, a, 6, "u1", "timelimit", "4", "Access/permission denied");
	not_updated(w, d, 6, "u1", "nice", "-5", "Access/permission denied");
	not_updated(w, d, 6, "u1", "priority", "4000000000", "Access/permission denied");
	not_updated(w, d, 6, NULL, "qos", "nosuch", "Invalid qos specification");
	not_updated(w, c, 6, NULL, "numcpus", "2", "no longer pending");
	not_updated(w, d, 6, NULL, "colour", "red", "Update of this parameter is not supported: colour=red\nRequest aborted");
	world_free(w);
}

/* P9, L20: a record a QOS; the highest counts while the job waits, the one that starts it when it runs. */
static void several_qos(void **state)
{
	(void)state;
	struct world *w = l_unbegun(
	    SLURM_26, "n[1-2]", LIMITS | ENFORCE_QOS,
	    "add qos lo priority=10\nadd qos hi priority=100 GrpTRES=cpu=0\nmodify account root set qos+=lo,hi\n");
	w->p->weight_qos = 1000;
	w_begin(w, 0);
	struct job *j = w_job(w, 1, "qos", "lo,hi", "ntasks", "1", NULL);
	assert_int_equal(j->n_parts, 2);
	assert_string_equal(j->parts[0].qos->name, "hi");
	assert_int_equal(j->parts[0].priority, 1000);
	assert_int_equal(j->parts[1].priority, 100);
	assert_int_equal(l_qos(w, "hi")->use.submit, 1);
	assert_int_equal(l_qos(w, "lo")->use.submit, 0);
	w_full(w, 2);
	l_runs(j);
	assert_string_equal(j->qos->name, "lo");
	assert_int_equal(l_qos(w, "hi")->use.submit, 0);
	assert_int_equal(l_qos(w, "lo")->use.submit, 1);
	assert_true(controller_requeue(w->c, j, false, 3 * USEC, NULL));
	controller_epilog_done(w->c, j, UINT32_MAX, true, 3 * USEC);
	assert_int_equal(l_qos(w, "hi")->use.submit, 1);
	assert_int_equal(l_qos(w, "lo")->use.submit, 0);
	assert_true(controller_cancel(w->c, j, 4 * USEC, NULL));
	assert_int_equal(l_qos(w, "hi")->use.submit, 0);
	w_refused(w, 5, "Invalid qos specification", "qos", "lo,nosuch", NULL);
	world_free(w);
	w = l_world(SLURM_22_05, "n1", LIMITS, "add qos lo,hi\nmodify account root set qos+=lo,hi\n");
	w_refused(w, 1, "Invalid qos specification", "qos", "lo,hi", NULL); /* 24.11 */
	world_free(w);
}

/* P22: the examples, one measured on 26.11 and two on 22.05 (limit-changes). */
static void top(void **state)
{
	(void)state;
	struct world *w = l_unbegun(SLURM_22_05, "n1", ENFORCE_ASSOC, NULL);
	w->p->weight_partition = 1000;
	w_begin(w, 0);
	w_run(w, 1, "n1", 5);
	struct job *s[4];
	static const char *const nice[] = {"0", "10", "20", "30"};
	for (int i = 0; i < 4; i++)
		s[i] = w_job(w, 2, "nice", nice[i], NULL);
	assert_true(controller_top(w->c, (struct job *[]){s[2]}, 1, NULL, 3 * USEC, NULL));
	static const uint32_t first[] = {994, 983, 1000, 963}, second[] = {970, 994, 976, 1000};
	for (int i = 0; i < 4; i++)
		assert_int_equal(s[i]->priority, first[i]);
	assert_true(controller_top(w->c, (struct job *[]){s[3], s[1]}, 2, NULL, 4 * USEC, NULL));
	for (int i = 0; i < 4; i++)
		assert_int_equal(s[i]->priority, second[i]);
	GError *error = NULL;
	assert_false(controller_top(w->c, s, 1, "u1", 5 * USEC, &error));
	assert_string_equal(error->message, "Function disabled in slurm configuration");
	g_clear_error(&error);
	w->p->enable_user_top = true;
	assert_true(controller_top(w->c, s, 1, "u1", 5 * USEC, NULL));
	assert_false(controller_top(w->c, s, 1, "u2", 5 * USEC, NULL));
	world_free(w);

	w = l_unbegun(SLURM_26, "n1", ENFORCE_ASSOC, NULL);
	w->p->priority_type = PRIORITY_BASIC;
	w_begin(w, 0);
	w_run(w, 1, "n1", 5);
	struct job *b[3];
	for (int i = 0; i < 3; i++)
		b[i] = w_job(w, 2, NULL);
	uint32_t p = b[0]->priority;
	assert_true(controller_top(w->c, (struct job *[]){b[2], b[1]}, 2, NULL, 3 * USEC, NULL));
	assert_int_equal(b[2]->priority, p);
	assert_int_equal(b[1]->priority, p - 1);
	assert_int_equal(b[0]->priority, p - 2);
	world_free(w);
}

/* L29: a strict QOS that becomes too small says so at once, with what stands in the way. */
static void strict_at_once(void **state)
{
	(void)state;
	struct world *w =
	    l_world(SLURM_26, "n1", LIMITS, "add qos q flags=DenyOnLimit\nmodify account root set qos+=q\n");
	w_run(w, 1, "n1", 5);
	struct job *j = w_job(w, 2, "qos", "q", "ntasks", "4", "time", "10", NULL);
	change(w, 3, "modify qos q set maxtresperjob=cpu=2");
	waits(j, REASON_QOS_MAX_CPU_PJ);
	g_autofree char *who = blocker_who(&j->blocker, j), *figures = blocker_detail(&j->blocker, j, w->c);
	assert_string_equal(who, "qos q MaxTRES cpu");
	assert_string_equal(figures, "limit 2, wanted 4");
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(wakes_backfill), cmocka_unit_test(limits_change), cmocka_unit_test(nodes_counted_late),
	    cmocka_unit_test(invalid_qos),   cmocka_unit_test(users_come_and_go),
	    cmocka_unit_test(overridden),    cmocka_unit_test(several_qos),
	    cmocka_unit_test(top),           cmocka_unit_test(strict_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
