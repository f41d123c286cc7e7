/* diag_test.c - collected errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/base/diag.h"
#include <string.h>

static void none(void **state)
{
	struct diag *d = diag_new();
	GError *error = NULL;

	(void)state;
	diag_warn(d, "f", 1, 0, NULL, "odd");
	assert_true(diag_ok(d, &error));
	assert_null(error);
	assert_string_equal(d->warnings->pdata[0], "f:1: odd");
	diag_free(d);
	diag_free(NULL);
}

static void form(void **state)
{
	struct diag *d = diag_new();
	GError *error = NULL;

	(void)state;
	diag_error(d, "slurm.conf", 12, 5, "want a number", "bad value \"%s\"", "x%s");
	diag_error(d, "slurm.conf", 12, 0, NULL, "no column");
	diag_error(d, "slurm.conf", 0, 7, "", "no line");
	diag_error(d, NULL, 0, 0, NULL, "bare");
	diag_error(d, NULL, 3, 4, NULL, "no file");
	assert_false(diag_ok(d, &error));
	assert_string_equal(error->message, "slurm.conf:12:5: bad value \"x%s\"; want a number\n"
	                                    "slurm.conf:12: no column\nslurm.conf: no line\nbare\nline 3:4: no file");
	g_clear_error(&error);
	assert_false(diag_ok(d, NULL));
	diag_free(d);
}

static void many(void **state)
{
	struct diag *d = diag_new();
	GError *error = NULL;

	(void)state;
	for (guint i = 0; i < 1000; i++) {
		diag_error(d, "f", i + 1, 0, NULL, "e");
		diag_warn(d, "f", i + 1, 0, NULL, "w");
	}
	assert_int_equal(d->n_errors, 1000);
	assert_int_equal(d->errors->len, DIAG_SHOWN);
	assert_int_equal(d->n_warnings, 1000);
	assert_int_equal(d->warnings->len, 200);
	assert_false(diag_ok(d, &error));
	assert_true(g_str_has_suffix(error->message, "f:20: e\n... and 980 more"));
	g_clear_error(&error);
	diag_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(none), cmocka_unit_test(form), cmocka_unit_test(many)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
