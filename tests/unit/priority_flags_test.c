/*
 * priority_flags_test.c - PriorityFlags where no worked example of priority.md has them (P10, P11, P18, P19, P34), and that what
 * explain-priority says of overtaking comes true when time goes on.
 */
#include "tests/unit/sched_helper.h"
#include "sched/priority.h"
#include "tools/explain_priority.h"

#define T0 1000000

/* 10 nodes of 16 cores; users u1 and u2 of account a, whose association priorities are 40 and 80. */
static struct world *flags_world(uint32_t flags)
{
	struct world *w = world_new(SLURM_26);
	w_nodes(w, "n[01-10]", 1, 16, 1);
	w_part(w, "p", "n[01-10]");
	w->cl->acct = acct_new(w->cl->tres);
	acct_add_account(w->cl->acct, "a", NULL);
	acct_add_user(w->cl->acct, "u1", "a", NULL)->priority = 40;
	acct_add_user(w->cl->acct, "u2", "a", NULL)->priority = 80;
	acct_add_qos(w->cl->acct, "top")->priority = 100;
	acct_refresh(w->cl->acct);
	w->p->has_accounting = true;
	w->p->priority_flags = flags;
	return w;
}

static void tick(struct world *w, sec_t after)
{
	controller_priority_tick(w->c, (T0 + after) * USEC);
}

/* P11a: running jobs are weighed too; P34: and waiting ones charged from their planned start on. */
static void calculate_running(void **state)
{
	(void)state;
	for (int on = 0; on < 2; on++) {
		struct world *w = flags_world(on ? PRIO_CALCULATE_RUNNING : 0);
		w->p->weight_age = 604800;
		w_begin(w, T0);
		struct job *runs = w_job(w, T0 + 10, "nodes", "10", "exclusive", "", "time", "60", "user", "u1", NULL);
		w_full(w, T0 + 10);
		assert_int_equal(runs->state, JOB_RUNNING);
		struct job *waits = w_job(w, T0 + 20, "nodes", "1", "time", "60", "user", "u2", NULL);
		w_full(w, T0 + 20);
		tick(w, 300);
		assert_int_equal(runs->priority, on ? 290 : 1);
		assert_int_equal(waits->priority, 280);
		tick(w, 600);
		assert_int_equal(runs->priority, on ? 590 : 1);
		assert_int_equal(waits->priority, 580);
		const struct assoc *u2 = acct_find(w->cl->acct, "u2", "a", NULL);
		assert_true(u2->usage == 0);
		waits->est_start = T0 + 650; /* a plan that has come and gone */
		tick(w, 900);
		assert_true(on ? u2->usage > 240 && u2->usage < 250 : u2->usage == 0);
		world_free(w);
	}
}

/* P18: raw, in the place of a part of the largest */
static void no_normal_assoc(void **state)
{
	(void)state;
	for (int raw = 0; raw < 2; raw++) {
		struct world *w = flags_world(raw ? PRIO_NO_NORMAL_ASSOC : 0);
		w->p->weight_assoc = 1000;
		w_begin(w, T0);
		assert_int_equal(w_job(w, T0, "user", "u1", NULL)->priority, raw ? 40000 : 500);
		assert_int_equal(w_job(w, T0, "user", "u2", NULL)->priority, raw ? 80000 : 1000);
		world_free(w);
	}
}

/* P19 */
static void no_normal_tres(void **state)
{
	(void)state;
	for (int raw = 0; raw < 2; raw++) {
		struct world *w = flags_world(raw ? PRIO_NO_NORMAL_TRES : 0);
		w->p->weight_tres = g_new0(double, TRES_MAX);
		w->p->weight_tres[TRES_CPU] = 1000;
		w->p->weight_tres[TRES_NODE] = 100;
		w_begin(w, T0);
		assert_int_equal(w_job(w, T0, "nodes", "2", "ntasks", "16", "user", "u1", NULL)->priority,
		                 raw ? 16200 : 120); /* 16 x 1000 + 2 x 100, or 16/160 x 1000 + 2/10 x 100 */
		world_free(w);
	}
}

/* P4: NO_NORMAL_ALL is the four of them at once. */
static void no_normal_all(void **state)
{
	(void)state;
	struct world *w = flags_world(PRIO_NO_NORMAL_ASSOC | PRIO_NO_NORMAL_PART | PRIO_NO_NORMAL_QOS | PRIO_NO_NORMAL_TRES);
	((struct partition *)w->cl->partitions->pdata[0])->priority_job_factor = 7;
	acct_add_qos(w->cl->acct, "normal")->priority = 30;
	acct_refresh(w->cl->acct);
	w->p->weight_assoc = w->p->weight_partition = w->p->weight_qos = 10;
	w->p->weight_tres = g_new0(double, TRES_MAX);
	w->p->weight_tres[TRES_CPU] = 1;
	w_begin(w, T0);
	assert_int_equal(w_job(w, T0, "ntasks", "3", "user", "u1", NULL)->priority, 400 + 70 + 300 + 3);
	world_free(w);
}

/* What was foretold, seen by going on tick by tick. */
static void overtaking_comes_true(void **state)
{
	(void)state;
	static const uint32_t qos[] = {1, 5, 9, 40};
	for (size_t i = 0; i < G_N_ELEMENTS(qos); i++) {
		struct world *w = flags_world(0);
		w->p->weight_age = 504;
		w->p->priority_max_age = 21 * 86400;
		w->p->weight_qos = 1000;
		acct_add_qos(w->cl->acct, "better")->priority = qos[i];
		acct_add_qos(w->cl->acct, "plus")->priority = qos[i] + 10;
		acct_add_qos(w->cl->acct, "most")->priority = 1000;
		acct_refresh(w->cl->acct);
		w_begin(w, T0);
		w_run(w, T0, "n[01-10]", 60 * 24 * 365);
		struct job *older = w_job(w, T0 + 10, "user", "u1", "qos", "better", NULL);
		w_full(w, T0 + 10);
		struct job *younger = w_job(w, T0 + 20 * 86400, "user", "u2", "qos", "plus", NULL);
		w_full(w, T0 + 20 * 86400);
		sec_t now = 20 * 86400 + 300;
		tick(w, now);
		sec_t when = explain_overtakes(w->c, younger, older, T0 + now), seen = 0;
		assert_true(younger->priority < older->priority);
		for (sec_t t = now + 300; t <= 45 * 86400 && !seen; t += 300) {
			tick(w, t);
			if (younger->priority > older->priority)
				seen = T0 + t;
		}
		assert_true(seen > 0);
		assert_int_equal(when, seen);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(calculate_running), cmocka_unit_test(no_normal_assoc),
	                                   cmocka_unit_test(no_normal_tres), cmocka_unit_test(no_normal_all),
	                                   cmocka_unit_test(overtaking_comes_true)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
