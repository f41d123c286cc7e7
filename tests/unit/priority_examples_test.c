/* priority_examples_test.c - the sum and when it is computed: worked examples E1, E2, E9-E11 of priority.md, case 13, P7-P11, P51. */
#include "tests/unit/sched_helper.h"
#include "sched/priority.h"
#include "tools/explain_priority.h"
#include "tools/sprio_out.h"
#include <stdio.h>
#include <stdlib.h>

#define T0 1000000

/* N = 10 nodes, C = 160 CPUs, one user u1 of account a, QOS of priority 100 as the largest. */
static struct world *sum_world(void)
{
	struct world *w = world_new(SLURM_26);
	w_nodes(w, "n[1-10]", 1, 16, 1);
	w_part(w, "p", "n[1-10]");
	w->cl->acct = acct_new(w->cl->tres);
	acct_add_account(w->cl->acct, "a", NULL);
	acct_add_user(w->cl->acct, "u1", "a", NULL);
	acct_add_qos(w->cl->acct, "top")->priority = 100;
	w->p->has_accounting = true;
	return w;
}

static void begin(struct world *w, uint32_t qos_priority)
{
	acct_add_qos(w->cl->acct, "normal")->priority = qos_priority;
	acct_refresh(w->cl->acct);
	w_begin(w, T0);
}

/* As if its user stood there in the tree and it had waited since T0. */
static void wait_until(struct world *w, struct job *j, double fairshare, sec_t seconds)
{
	j->assoc->fairshare = fairshare;
	j->accrue = T0;
	priority_recompute(w->c, j, T0 + seconds);
}

/* E1 */
static void example_sum(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_age = 1000;
	w->p->weight_fairshare = 10000;
	w->p->weight_job_size = 1000;
	w->p->weight_partition = 2000;
	w->p->weight_qos = 3000;
	struct partition *p = w->cl->partitions->pdata[0];
	p->priority_job_factor = 5;
	w_part(w, "big", "n1")->priority_job_factor = 10;
	begin(w, 30);
	struct job *j = w_job(w, T0, "nodes", "2", "ntasks", "16", "nice", "100", NULL);
	wait_until(w, j, 0.75, 36000);
	assert_true(j->terms.age == 36000.0 / 604800.0 * 1000.0);
	assert_true(j->terms.size == 0.15000000000000002 * 1000.0);
	assert_true(j->terms.fairshare == 7500.0 && j->terms.partition == 1000.0 && j->terms.qos == 900.0);
	assert_int_equal(j->priority, 9509);
	world_free(w);
}

/* E2 */
static void example_size(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_job_size = 1000;
	begin(w, 0);
	struct job *j = w_job(w, T0, "nodes", "2", "ntasks", "16", "time", "60", NULL);
	struct job *small = w_job(w, T0, "nodes", "1", "ntasks", "16", "time", "1", NULL);
	small->min_cpus = 40; /* more than a node has: only the formula is asked */
	assert_true(controller_size_factor(w->c, j) == 0.15000000000000002);
	w->p->priority_favor_small = true;
	assert_true(controller_size_factor(w->c, j) == 0.85000000000000009);
	w->p->priority_flags = PRIO_SMALL_RELATIVE;
	assert_true(controller_size_factor(w->c, j) == 0.9966666666666667);
	w->p->priority_favor_small = false;
	assert_true(controller_size_factor(w->c, j) == 0.0033333333333333331);
	assert_true(controller_size_factor(w->c, small) == 0.25);
	world_free(w);
}

/* E9, P9: one value per partition. */
static void example_pairs(void **state)
{
	(void)state;
	struct world *w = sum_world();
	struct partition *p = w->cl->partitions->pdata[0];
	w->p->weight_age = 100;
	w->p->priority_max_age = 0;
	w->p->weight_fairshare = 3000;
	w->p->weight_job_size = 1000;
	w->p->weight_qos = 2100;
	w->p->weight_partition = 2000;
	p->priority_job_factor = 1;
	w_part(w, "q", "n[1-10]")->priority_job_factor = 10;
	begin(w, 100);
	struct job *j = w_job(w, T0, "nodes", "2", "ntasks", "16", "partition", "p,q", NULL);
	wait_until(w, j, 1.0, 1);
	assert_int_equal(j->n_parts, 2);
	assert_int_equal(j->parts[0].priority, 5550);
	assert_int_equal(j->parts[1].priority, 7350);
	world_free(w);
}

/* E10 */
static void example_clamp(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_age = 1000;
	begin(w, 29);
	struct job *j = w_job(w, T0, "nice", "5000", NULL);
	wait_until(w, j, 1.0, 604800);
	assert_int_equal(j->priority, 1);
	w->p->weight_age = 0;
	w->p->weight_qos = 100;
	struct job *k = w_job(w, T0, NULL);
	assert_true(k->terms.qos == 28.999999999999996);
	assert_int_equal(k->priority, 28);
	world_free(w);
}

/* E11: accrue time is set by a queue build, the priority by the next tick. */
static void example_accrue(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_age = 604800;
	begin(w, 0);
	w_job(w, T0 + 1, "nodes", "10", "exclusive", "", "time", "60", NULL);
	controller_pass(w->c, PASS_MAIN_FULL, (T0 + 2) * USEC);
	struct job *j = w_job(w, T0 + 10, NULL);
	assert_int_equal(j->eligible, T0 + 10);
	assert_int_equal(j->accrue, 0);
	assert_int_equal(j->priority, 1);
	controller_pass(w->c, PASS_MAIN_FULL, (T0 + 60) * USEC);
	assert_int_equal(j->accrue, T0 + 10);
	assert_int_equal(j->priority, 1);
	controller_priority_tick(w->c, (T0 + 300) * USEC);
	assert_int_equal(j->priority, 290);
	world_free(w);
}

/* Case 13: columns are rounded, the total is truncated. */
static void case_13(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_age = 504;
	w->p->weight_fairshare = 1000;
	w->p->weight_job_size = 196;
	w->p->weight_qos = 299;
	begin(w, 10);
	struct job *j = w_job(w, T0, "nodes", "1", "ntasks", "16", NULL);
	wait_until(w, j, 1.0, 21 * 86400);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	assert_true(sprio_check(&(struct sprio_options){.format = "%i %Y %A %F %J %Q"}, NULL));
	sprio_print(out, w->c, T0 + 60, &(struct sprio_options){.format = "%i %Y %A %F %J %Q", .no_header = true});
	fclose(out);
	assert_string_equal(text, "1 1553 504 1000 20 30\n");
	assert_int_equal(j->priority, 1553);
	free(text);
	world_free(w);
}

/* Case 13: one point an hour; a job a day older is caught up with when both are at their most, never overtaken. */
static void case_13_overtaking(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_age = 504;
	w->p->priority_max_age = 21 * 86400;
	w->p->weight_qos = 100;
	begin(w, 0);
	struct job *older = w_job(w, T0, NULL), *younger = w_job(w, T0 + 86400, NULL);
	struct job *better = w_job(w, T0 + 86400, "qos", "top", NULL);
	sec_t now = T0 + 14 * 86400;
	older->accrue = T0;
	younger->accrue = better->accrue = T0 + 86400;
	better->qos->priority = 100;
	priority_recompute(w->c, older, now);
	priority_recompute(w->c, younger, now);
	priority_recompute(w->c, better, now);
	assert_int_equal(older->priority, 336);
	assert_int_equal(younger->priority, 312);
	assert_int_equal(explain_overtakes(w->c, younger, older, now), 0);
	better->terms.qos = 10; /* 14 points short when the older one stops growing */
	better->priority = 322;
	sec_t when = explain_overtakes(w->c, better, older, now);
	sec_t first = T0 + 86400 + 495 * 3600; /* 495 + 10 > 504; an equal priority goes by submission */
	assert_true(when >= first && when < first + 300 && (when - T0) % 300 == 0);
	world_free(w);
}

static void assert_told(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" does not say \"%s\"", text, part);
}

static void explained(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_fairshare = 10000;
	w->p->weight_qos = 1000;
	begin(w, 50);
	struct job *j = w_job(w, T0, NULL);
	w_job(w, T0, "qos", "top", NULL);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	explain_priority_job(out, w->c, j, T0 + 1, 5);
	assert_true(explain_fairshare(out, w->c, "u1", "a"));
	assert_false(explain_fairshare(out, w->c, "u9", NULL));
	fclose(out);
	assert_told(text, "priority 10500");
	assert_told(text, "normal: priority 50 of at most 100");
	assert_told(text, "sum 10500.0000, truncated: 10500");
	assert_told(text, "1 eligible jobs of its partitions are ahead");
	assert_told(text, "has more of: QOS +500.0");
	assert_told(text, "never by age: PriorityWeightAge is 0");
	assert_told(text, "User u1 in account a:");
	assert_told(text, "its rank among 2 users");
	free(text);
	world_free(w);
}

/* P7, P8, P11: a priority set directly stays, with all factors 0; release computes it anew. */
static void set_directly(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_qos = 1000;
	begin(w, 50);
	struct job *j = w_job(w, T0, NULL);
	assert_int_equal(j->priority, 500);
	assert_true(controller_update_job(w->c, j, "priority", "77", T0 * USEC, NULL));
	controller_priority_tick(w->c, (T0 + 300) * USEC);
	assert_int_equal(j->priority, 77);
	assert_true(j->terms.qos == 0.0);
	assert_true(controller_hold(w->c, j, true, (T0 + 301) * USEC, NULL));
	controller_priority_tick(w->c, (T0 + 600) * USEC);
	assert_int_equal(j->priority, 0);
	assert_true(controller_release(w->c, j, NULL, (T0 + 601) * USEC, NULL));
	assert_int_equal(j->priority, 500);
	world_free(w);
}

/* P10: at ticks never less; an update always overwrites. */
static void only_more(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_qos = 1000;
	w->p->priority_flags = PRIO_INCR_ONLY;
	begin(w, 50);
	struct job *j = w_job(w, T0, NULL);
	j->qos->priority = 40;
	controller_priority_tick(w->c, (T0 + 300) * USEC);
	assert_int_equal(j->priority, 500);
	assert_true(controller_update_job(w->c, j, "nice", "1", (T0 + 301) * USEC, NULL));
	assert_int_equal(j->priority, 399);
	j->qos->priority = 60;
	controller_priority_tick(w->c, (T0 + 600) * USEC);
	assert_int_equal(j->priority, 599);
	world_free(w);
}

/* P11d: a refused update computes the priority too. P20: the site factor. */
static void updates(void **state)
{
	(void)state;
	struct world *w = sum_world();
	w->p->weight_qos = 1000;
	begin(w, 50);
	struct job *j = w_job(w, T0, NULL);
	j->qos->priority = 40;
	assert_false(controller_update_job(w->c, j, "timelimit", "x", (T0 + 1) * USEC, NULL));
	assert_int_equal(j->priority, 400);
	assert_true(controller_update_job(w->c, j, "sitefactor", "-30", (T0 + 2) * USEC, NULL));
	assert_int_equal(j->priority, 370);
	assert_false(controller_update_job(w->c, j, "sitefactor", "2147483646", (T0 + 3) * USEC, NULL));
	assert_int_equal(j->priority, 370);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(example_sum),    cmocka_unit_test(example_size),    cmocka_unit_test(example_pairs),
	    cmocka_unit_test(example_clamp),  cmocka_unit_test(example_accrue),  cmocka_unit_test(case_13),
	    cmocka_unit_test(case_13_overtaking),     cmocka_unit_test(explained),
	    cmocka_unit_test(set_directly),   cmocka_unit_test(only_more),       cmocka_unit_test(updates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
