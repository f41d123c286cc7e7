/* Intervals by resampling: the plain cases of tools/bootstrap.h; coverage_test.c has the hard ones. */
#include "tools/bootstrap.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double jobs[10] = {10, 12, 9, 11, 10, 8, 14, 10, 9, 7};
static const double waits_a[10] = {100, 150, 80, 90, 300, 60, 110, 95, 70, 85};
static const double waits_b[10] = {90, 130, 85, 80, 200, 60, 100, 90, 70, 80};

static void test_same(void **state)
{
	struct bootstrap *b = bootstrap_new(10, 1);
	struct difference d = {waits_a, jobs, waits_a, jobs};
	struct interval i = bootstrap_difference(b, &d);

	(void)state;
	assert_true(difference_estimate(&d, 10) == 0 && i.low == 0 && i.high == 0);
	bootstrap_free(b);
}

static void test_difference(void **state)
{
	struct bootstrap *b = bootstrap_new(10, 1), *again = bootstrap_new(10, 1), *other = bootstrap_new(10, 2);
	struct difference d = {waits_a, jobs, waits_b, jobs}, total = {waits_a, NULL, waits_b, NULL};
	struct interval i = bootstrap_difference(b, &d), same = bootstrap_difference(again, &d),
	                seed = bootstrap_difference(other, &d);

	(void)state;
	assert_true(fabs(difference_estimate(&d, 10) - -1.55) < 1e-9);
	assert_true(i.low < -1.55 && i.high > -1.55);
	assert_true(i.low == same.low && i.high == same.high && i.high != seed.high);
	b->widen = 2;
	struct interval wide = bootstrap_difference(b, &d);
	assert_true(fabs((wide.high + 1.55) - 2 * (i.high + 1.55)) < 1e-9);
	b->widen = 1;
	assert_true(fabs(difference_estimate(&total, 10) - -155) < 1e-9);
	i = bootstrap_difference(b, &total);
	assert_true(i.low < -155 && i.high > -155);
	bootstrap_free(b);
	bootstrap_free(again);
	bootstrap_free(other);
}

static double mean(const void *data, const uint32_t *weights)
{
	double sum = 0, n = 0;

	for (int k = 0; k < 10; k++) {
		sum += ((const double *)data)[k] * (weights ? weights[k] : 1);
		n += weights ? weights[k] : 1;
	}
	return sum / n;
}

static double never(const void *data, const uint32_t *weights)
{
	(void)data;
	return weights && weights[0] ? NAN : 1;
}

static void test_statistic(void **state)
{
	struct bootstrap *b = bootstrap_new(10, 1);
	struct interval i = bootstrap_statistic(b, mean, waits_a);

	(void)state;
	assert_true(i.low < 114 && i.high > 114);
	i = bootstrap_statistic(b, never, waits_a); /* not defined in most resamples */
	assert_true(isnan(i.low) && isnan(i.high));
	bootstrap_free(b);
}

static void test_few(void **state)
{
	struct bootstrap *b = bootstrap_new(3, 1);
	struct difference d = {waits_a, jobs, waits_b, jobs}, none = {waits_a, jobs, waits_b, (const double[10]){0}};

	(void)state;
	assert_true(isnan(bootstrap_difference(b, &d).low));
	bootstrap_free(b);
	b = bootstrap_new(10, 1);
	assert_true(isnan(bootstrap_difference(b, &none).low));
	bootstrap_free(b);
	b = bootstrap_new(0, 1);
	assert_true(isnan(bootstrap_difference(b, &d).low));
	bootstrap_free(b);
}

/* Neighbours that go together widen, those that do not leave it nearly as it is. */
static void test_widen(void **state)
{
	const double ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, slow[10] = {1, 1, 1, 1, 1, 3, 3, 3, 3, 3},
	             fast[10] = {1, 3, 1, 3, 1, 3, 1, 3, 1, 3};

	(void)state;
	assert_true(bootstrap_widen(slow, ones, 10) > 1.4);
	assert_true(bootstrap_widen(fast, ones, 10) == 1);
	assert_true(bootstrap_widen(ones, ones, 10) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_difference),
	                                   cmocka_unit_test(test_statistic), cmocka_unit_test(test_few),
	                                   cmocka_unit_test(test_widen)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
