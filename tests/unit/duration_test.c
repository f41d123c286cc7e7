/* duration_test.c - the grammars of spec sbatch.md 3.2, sacct.md section 2 and command-output.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/base/duration.h"
#include <string.h>

#define BAD INT64_MIN

static void limits(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
		uint32_t minutes;
	} cases[] = {
	    {"0", 0, 0},
	    {"90", 5400, 90},
	    {"0:30", 30, 1},
	    {"1:00", 60, 1},
	    {"1:01", 61, 2},
	    {"2:00:00", 7200, 120},
	    {"1-0", 86400, 1440},
	    {"1-12", 129600, 2160},
	    {"1-12:30", 131400, 2190},
	    {"1-12:30:01", 131401, 2191},
	    {"-1", -1, INFINITE},
	    {"infinite", -1, INFINITE},
	    {"UNLIMITED", -1, INFINITE},
	    {"90:90", 5490, 92},
	};
	static const char *const bad[] = {"",
	                                  " ",
	                                  "a",
	                                  "1a",
	                                  "1:",
	                                  ":1",
	                                  "1:2:3:4",
	                                  "1-",
	                                  "-2",
	                                  "1-2-3",
	                                  "1.5",
	                                  "-1-2",
	                                  "1-:2",
	                                  "--1",
	                                  "1 ",
	                                  "+1",
	                                  "INF",
	                                  "9999999999999999",
	                                  "999999999999999-0"};
	int64_t seconds;
	uint32_t minutes;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		assert_true(duration_parse_seconds(cases[i].text, &seconds));
		assert_int_equal(seconds, cases[i].seconds);
		assert_true(duration_parse_minutes(cases[i].text, &minutes));
		assert_int_equal(minutes, cases[i].minutes);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		assert_false(duration_parse_seconds(bad[i], &seconds));
		assert_false(duration_parse_minutes(bad[i], &minutes));
	}
	assert_true(duration_parse_minutes("4294967293", &minutes));
	assert_false(duration_parse_minutes("4294967294", &minutes));
}

static void elapsed(void **state)
{
	static const struct {
		const char *text;
		int64_t micros;
	} cases[] = {
	    {"00:00:07", 7 * USEC},
	    {"1-02:03:04", 93784 * USEC},
	    {"12:34.567", 754567000},
	    {"00:00.000001", 1},
	    {"01:02:03.5", 3723500000},
	    {"00:00.0000019", 1},
	    {"", BAD},
	    {"7", BAD},
	    {"1-02:03", BAD},
	    {"12:34.", BAD},
	    {"INVALID", BAD},
	    {"-00:01", BAD},
	    {"1-1", BAD},
	    {"00:00:01 ", BAD},
	};
	usec_t t;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		assert_int_equal(duration_parse_elapsed(cases[i].text, &t), cases[i].micros != BAD);
		if (cases[i].micros != BAD)
			assert_int_equal(t, cases[i].micros);
	}
	assert_int_equal(usec_to_sec(1999999), 1);
	assert_int_equal(usec_to_sec(-1), -1);
	assert_int_equal(usec_to_sec(-USEC), -1);
}

static void print(void **state)
{
	static const struct {
		int64_t seconds;
		const char *sacct, *squeue;
	} cases[] = {
	    {0, "00:00:00", "0:00"},
	    {7, "00:00:07", "0:07"},
	    {725, "00:12:05", "12:05"},
	    {3723, "01:02:03", "1:02:03"},
	    {172800, "2-00:00:00", "2-00:00:00"},
	    {86399, "23:59:59", "23:59:59"},
	    {-1, "INVALID", "INVALID"},
	    {365 * 86400, "365-00:00:00", "365-00:00:00"},
	    {365 * 86400 + 1, "365-00:00:01", "INVALID"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *a = duration_format(cases[i].seconds), *b = duration_format_squeue(cases[i].seconds);
		assert_string_equal(a, cases[i].sacct);
		assert_string_equal(b, cases[i].squeue);
		g_free(a), g_free(b);
	}
}

static void dates(void **state)
{
	static const struct {
		const char *text;
		int64_t t;
	} cases[] = {
	    {"1970-01-01T00:00:00", 0},
	    {"2024-02-29T12:34:56", 1709210096},
	    {"2024-02-29 12:34:56", 1709210096},
	    {"2024-02-29T12:34", 1709210040},
	    {"2024-02-29", 1709164800},
	    {"2024-02-29T12:34:56.789", 1709210096},
	    {"2024-02-29T12:34:56Z", 1709210096},
	    {"2024-02-29T12:34:56+01:00", 1709206496},
	    {"2024-02-29T12:34:56-0130", 1709215496},
	    {"2024-02-29T12:34:56+01", 1709206496},
	    {"1709210096", 1709210096},
	    {"-1", -1},
	    {"1969-12-31T23:59:59", -1},
	    {"2000-03-01", 951868800},
	    {"", BAD},
	    {"Unknown", BAD},
	    {"2023-02-29", BAD},
	    {"2024-13-01", BAD},
	    {"2024-00-10", BAD},
	    {"2024-01-01T24:00", BAD},
	    {"2024-01-01T00:60", BAD},
	    {"2024-01-01T00:00:00x", BAD},
	    {"2024-1-1", BAD},
	    {"2024-01-01T", BAD},
	    {"2024-01-01T00:00:00+1", BAD},
	    {"99999999999999999999", BAD},
	    {"None", BAD},
	};
	sec_t t;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		if (date_parse(cases[i].text, NULL, &t) != (cases[i].t != BAD)) {
			print_error("%s\n", cases[i].text);
			fail();
		}
		if (cases[i].t != BAD)
			assert_int_equal(t, cases[i].t);
	}
	for (t = -60000000000; t < 250000000000; t += 7777777777) { /* print and read back */
		char *text = date_format(t, NULL);
		sec_t back;

		assert_true(date_parse(text, NULL, &back));
		assert_int_equal(back, t);
		g_free(text);
	}
}

static void zones(void **state)
{
	GTimeZone *zone = g_time_zone_new_identifier("Europe/Vienna");
	sec_t t;

	(void)state;
	if (zone == NULL)
		skip();
	assert_true(date_parse("2024-07-01T12:00:00", zone, &t));
	assert_int_equal(t, 1719828000); /* 10:00 UTC */
	char *text = date_format(1719828000, zone);
	assert_string_equal(text, "2024-07-01T12:00:00");
	g_free(text);
	assert_true(date_parse("2024-01-01T00:00:00", zone, &t));
	assert_int_equal(t, 1704063600);
	g_time_zone_unref(zone);
}

static void begin(void **state)
{
	const sec_t now = 1709210096; /* 2024-02-29T12:34:56, a Thursday */
	static const struct {
		const char *text, *date; /* NULL: refused */
	} cases[] = {
	    {"now", "2024-02-29T12:34:56"},
	    {"now+15", "2024-02-29T12:35:11"},
	    {"now+2hours", "2024-02-29T14:34:56"},
	    {"now+1hour", "2024-02-29T13:34:56"},
	    {"NOW + 3 Days", "2024-03-03T12:34:56"},
	    {"now+1week", "2024-03-07T12:34:56"},
	    {"now-1minute", "2024-02-29T12:33:56"},
	    {"16:00", "2024-02-29T16:00:00"},
	    {"12:34:56", "2024-03-01T12:34:56"}, /* recorded: a time in the present minute means tomorrow (begin-formats: hms) */
	    {"12:34:59", "2024-03-01T12:34:59"},
	    {"12:35", "2024-02-29T12:35:00"},
	    {"12:00", "2024-03-01T12:00:00"},
	    {"1:30 PM", "2024-02-29T13:30:00"},
	    {"12:15am", "2024-03-01T00:15:00"},
	    {"12:50 PM", "2024-02-29T12:50:00"},
	    {"midnight", "2024-03-01T00:00:00"},
	    {"noon", "2024-03-01T12:00:00"},
	    {"elevenses", "2024-03-01T11:00:00"},
	    {"fika", "2024-02-29T15:00:00"},
	    {"teatime", "2024-02-29T16:00:00"},
	    {"today", "2024-02-29T00:00:00"},
	    {"tomorrow", "2024-03-01T00:00:00"},
	    {"tomorrow noon", "2024-03-01T12:00:00"},
	    {"noon tomorrow", "2024-03-01T12:00:00"},
	    {"2024-06-01", "2024-06-01T00:00:00"},
	    {"2024-06-01T08:30", "2024-06-01T08:30:00"},
	    {"2024-06-01T08:30:15", "2024-06-01T08:30:15"},
	    {"060124", "2024-06-01T00:00:00"},
	    {"0601", "2024-06-01T00:00:00"},
	    {"0101", "2025-01-01T00:00:00"},
	    {"06/01", "2024-06-01T00:00:00"},
	    {"01/01/27", "2027-01-01T00:00:00"},
	    {"06.01.25", "2025-06-01T00:00:00"},
	    {"06/01-10:00", "2024-06-01T10:00:00"},
	    {"060125 18:00", "2025-06-01T18:00:00"},
	    {"1709210100", "2024-02-29T12:35:00"},
	    {"uts1709210100", "2024-02-29T12:35:00"},
	    {"2/29", "2024-02-29T00:00:00"},
	    {"", NULL},
	    {"whenever", NULL},
	    {"25:00", NULL},
	    {"now+", NULL},
	    {"now+x", NULL},
	    {"13/01", NULL},
	    {"06/31", NULL},
	    {"13:00 PM", NULL},
	    {"2024-06", NULL},
	    {"12345", NULL},
	    {"now+99999999999", NULL},
	    {"uts", NULL},
	    {"T10:00", NULL},
	    {"99999999999999999", NULL},
	    {"todayx", NULL},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		sec_t t;

		if (date_parse_begin(cases[i].text, now, NULL, &t) != (cases[i].date != NULL)) {
			print_error("%s\n", cases[i].text);
			fail();
		}
		if (cases[i].date == NULL)
			continue;
		char *date = date_format(t, NULL);
		assert_string_equal(date, cases[i].date);
		g_free(date);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(limits), cmocka_unit_test(elapsed), cmocka_unit_test(print),
	    cmocka_unit_test(dates),  cmocka_unit_test(zones),   cmocka_unit_test(begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
