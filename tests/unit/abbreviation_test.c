/* abbreviation_test.c - sched/base/abbreviation.h */
#include "sched/base/abbreviation.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

struct option {
	const char *name;
	int value;
};

static const struct option options[] = {{"mem", 1}, {"mem-bind", 2}, {"mem-per-cpu", 3}, {"nodes", 4}};

static int found(const char *word)
{
	const struct option *o = abbreviation_find(options, 4, sizeof *options, word, strcspn(word, "="));
	return o ? o->value : 0;
}

static void names(void **state)
{
	(void)state;
	assert_int_equal(found("mem"), 1); /* the whole name, though others begin so */
	assert_int_equal(found("mem-b"), 2);
	assert_int_equal(found("mem-per-cpu=4"), 3);
	assert_int_equal(found("mem-"), 0); /* two of them */
	assert_int_equal(found("n"), 4);
	assert_int_equal(found("nodes-of"), 0);
	assert_int_equal(found(""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
