/* checkpoint_test.c - what a run that is cut short keeps (sim/checkpoint.h), and the dice of failures (sim/faults.h) */
#include "sim/checkpoint.h"
#include "sim/faults.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define S(x) ((x) * USEC)

static void test_without(void **state)
{
	(void)state;
	struct outcome o = {.run_time = S(100)};
	assert_int_equal(checkpoint_wall(&o, 0), S(100));
	assert_int_equal(checkpoint_saved(&o, 0, S(99)), 0);
	o.startup = S(20);
	assert_int_equal(checkpoint_wall(&o, 0), S(120));
}

static void test_with(void **state)
{
	(void)state;
	struct outcome o = {.run_time = S(10000),
	                    .startup = S(30),
	                    .checkpoint = S(1000),
	                    .checkpoint_cost = S(50),
	                    .restart_cost = S(100)};
	assert_int_equal(checkpoint_wall(&o, 0), S(30 + 10000 + 9 * 50)); /* none at the end */
	assert_int_equal(checkpoint_saved(&o, 0, S(30)), 0);
	assert_int_equal(checkpoint_saved(&o, 0, S(30 + 1049)), 0); /* not complete */
	assert_int_equal(checkpoint_saved(&o, 0, S(30 + 1050)), S(1000));
	assert_int_equal(checkpoint_saved(&o, 0, S(3000)), S(2000));
	assert_int_equal(checkpoint_wall(&o, S(2000)), S(30 + 100 + 8000 + 7 * 50));
	assert_int_equal(checkpoint_saved(&o, S(2000), S(100)), S(2000));
	assert_int_equal(checkpoint_saved(&o, S(2000), S(130 + 1050)), S(3000));
	assert_int_equal(checkpoint_saved(&o, S(9000), S(1000000)), S(10000)); /* never more than there is */
	o.run_time = 0;
	assert_int_equal(checkpoint_wall(&o, 0), S(30));
}

/* One that hangs saves nothing after that, and hears no signal. */
static void test_hang(void **state)
{
	(void)state;
	struct outcome o = {.run_time = 1000, .end = OUTCOME_HANG, .checkpoint = 600, .checkpoint_signal = true, .checkpoint_cost = 10};
	assert_int_equal(checkpoint_saved(&o, 0, 3627), 600);
	assert_int_equal(checkpoint_saved_by(&o, 0, 3627, 3000), 600);
	assert_int_equal(checkpoint_saved_by(&o, 0, 3627, 900), 890); /* one checkpoint took time before */
	o.end = OUTCOME_EXIT;
	assert_int_equal(checkpoint_saved(&o, 0, 3627), 1000);
}

static void test_causes(void **state)
{
	(void)state;
	assert_string_equal(checkpoint_cause("PREEMPTED"), "preempted");
	assert_string_equal(checkpoint_cause("NODE_FAIL"), "node failure");
	assert_null(checkpoint_cause("COMPLETED"));
	assert_null(checkpoint_cause("CANCELLED"));
}

static struct fault_model *model(void)
{
	struct fault_model *m = fault_model_new();
	struct fault_cause causes[] = {{g_strdup("gpu"), 3}, {g_strdup("nic"), 1}};
	struct repair_class repairs[] = {{0.5, 1, 2}, {0.5, 10, 100}};
	m->rate = 4;
	g_array_append_vals(m->causes, causes, 2);
	g_array_append_vals(m->repairs, repairs, 2);
	return m;
}

static void test_dice(void **state)
{
	(void)state;
	struct fault_model *m = model();
	struct fault_dice *a = fault_dice_new(m, 250, 7), *b = fault_dice_new(m, 250, 7), *c = fault_dice_new(m, 250, 8);
	double sum = 0, other = 0;
	uint32_t gpu = 0, seen = 0, short_repairs = 0;
	for (int i = 0; i < 4000; i++) {
		uint32_t node, same;
		const char *cause, *same_cause;
		double repair, same_repair, t = fault_dice_next(a);
		assert_true(t == fault_dice_next(b));
		fault_dice_throw(a, &node, &cause, &repair);
		fault_dice_throw(b, &same, &same_cause, &same_repair);
		assert_true(node == same && cause == same_cause && repair == same_repair);
		assert_true(node < 250 && repair > 0);
		sum += t;
		other += fault_dice_next(c);
		gpu += cause[0] == 'g';
		seen += node == 17;
		short_repairs += repair < 2 * 3600;
	}
	assert_true(other < sum || other > sum);
	assert_true(sum / 4000 > 0.9 * 86400 && sum / 4000 < 1.1 * 86400); /* 250 nodes x 4 per 1000 node-days = one a day */
	assert_true(gpu > 2800 && gpu < 3200);
	assert_true(seen > 3 && seen < 40);
	assert_true(short_repairs > 1600 && short_repairs < 2400);
	fault_dice_free(a);
	fault_dice_free(b);
	fault_dice_free(c);
	fault_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_without), cmocka_unit_test(test_with),
	                                   cmocka_unit_test(test_hang), cmocka_unit_test(test_causes), cmocka_unit_test(test_dice)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
