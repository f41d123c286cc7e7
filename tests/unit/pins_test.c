/* pins_test.c - reading the times of real passes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* after the four headers that it needs */
#include <cmocka.h>

#include <glib/gstdio.h>

#include "sim/sim.h"

static GArray *read_text(const char *text, usec_t start, GError **error)
{
	char *path = NULL;
	int fd = g_file_open_tmp("pins-XXXXXX.csv", &path, NULL);
	assert_true(fd >= 0);
	g_close(fd, NULL);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	GArray *pins = sim_read_pins(path, start, error);
	g_unlink(path);
	g_free(path);
	return pins;
}

static void assert_pin(const GArray *pins, guint i, usec_t t, int kind)
{
	assert_true(i < pins->len);
	assert_int_equal(g_array_index(pins, struct pin, i).t, t);
	assert_int_equal(g_array_index(pins, struct pin, i).kind, kind);
}

static void recorded_form(void **state)
{
	(void)state;
	static const char *const ends[] = {"\n", "\r\n"};
	for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
		char *text = g_strjoin(ends[i], "pass,t,kind,end,ended_by", "0,-9.093,backfill,-9.093,no jobs",
		                       "1,28.020875,main_quick,28.1,", "2,30,main_full,30,\"a, b\"", "3,30,sweep,,",
		                       "4,31.5,priority,,", "", NULL);
		GArray *pins = read_text(text, 1000 * USEC, NULL);
		g_free(text);
		assert_non_null(pins);
		assert_int_equal(pins->len, 5);
		assert_pin(pins, 0, 990907000, PIN_BACKFILL);
		assert_pin(pins, 1, 1028020875, PIN_MAIN_QUICK);
		assert_pin(pins, 2, 1030 * USEC, PIN_MAIN_FULL);
		assert_pin(pins, 3, 1030 * USEC, PIN_SWEEP);
		assert_pin(pins, 4, 1031500000, PIN_PRIORITY);
		g_array_unref(pins);
	}
}

/* Sorted by time, equal times as in the file; columns in any order; the last line may be open. */
static void sorted(void **state)
{
	(void)state;
	GArray *pins = read_text("kind,t\nsweep,2\nbackfill,1\n\nmain_quick,2\npriority,2", 0, NULL);
	assert_non_null(pins);
	assert_int_equal(pins->len, 4);
	assert_pin(pins, 0, USEC, PIN_BACKFILL);
	assert_pin(pins, 1, 2 * USEC, PIN_SWEEP);
	assert_pin(pins, 2, 2 * USEC, PIN_MAIN_QUICK);
	assert_pin(pins, 3, 2 * USEC, PIN_PRIORITY);
	g_array_unref(pins);
	pins = read_text("t,kind\n", 0, NULL);
	assert_int_equal(pins->len, 0);
	g_array_unref(pins);
}

static void bad(const char *text, const char *const *want)
{
	GError *error = NULL;
	assert_null(read_text(text, 0, &error));
	assert_non_null(error);
	for (; *want; want++)
		if (!strstr(error->message, *want))
			fail_msg("\"%s\" does not say \"%s\"", error->message, *want);
	g_error_free(error);
}

static void all_errors(void **state)
{
	(void)state;
	static const char *const rows[] = {".csv:2", "bad time \"soon\"", ".csv:3", "unknown kind \"main\"",
	                                   ".csv:5", "no kind",           NULL};
	bad("t,kind\nsoon,sweep\n1,main\n2,sweep\n3\n", rows);
	static const char *const columns[] = {"no column \"t\"", "no column \"kind\"", NULL};
	bad("time,what\n1,sweep\n", columns);
	static const char *const empty[] = {"empty", NULL};
	bad("", empty);
	static const char *const huge[] = {"bad time", NULL};
	bad("t,kind\n1e300,sweep\n", huge);
	bad("t,kind\nnan,sweep\n", huge);
	bad("t,kind\n,sweep\n", huge);
}

static void no_file(void **state)
{
	(void)state;
	GError *error = NULL;
	assert_null(sim_read_pins("/nonexistent/pins.csv", 0, &error));
	assert_non_null(error);
	g_error_free(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(recorded_form),
	    cmocka_unit_test(sorted),
	    cmocka_unit_test(all_errors),
	    cmocka_unit_test(no_file),
	};
	return cmocka_run_group_tests_name("pins", tests, NULL, NULL);
}
