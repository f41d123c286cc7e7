/* memsize_test.c - memory sizes and counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/base/memsize.h"
#include <glib.h>

#define BAD UINT64_MAX

static void parse(void **state)
{
	static const struct {
		const char *text;
		uint64_t mib;
	} cases[] = {
	    {"0", 0},
	    {"1000", 1000},
	    {"512K", 1},
	    {"1024K", 1},
	    {"1025K", 2},
	    {"4G", 4096},
	    {"4g", 4096},
	    {"4GB", 4096},
	    {"1.5T", 1572864},
	    {"7.50G", 7680},
	    {"187.50G", 192000},
	    {"0.3G", 308},
	    {"1P", 1 << 30},
	    {"2.5M", 3},
	    {"0K", 0},
	    {"", BAD},
	    {"G", BAD},
	    {"-1", BAD},
	    {"1.G", BAD},
	    {".5G", BAD},
	    {"1X", BAD},
	    {"1GG", BAD},
	    {"1 G", BAD},
	    {"12B", BAD},
	    {"1e3", BAD},
	    {"1GBx", BAD},
	    {"99999999999999999999", BAD},
	    {"18446744073709551615", BAD},
	    {"99999999999999P", BAD},
	};
	uint64_t mib;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		if (memsize_parse_mib(cases[i].text, &mib) != (cases[i].mib != BAD)) {
			print_error("%s\n", cases[i].text);
			fail();
		}
		if (cases[i].mib != BAD)
			assert_int_equal(mib, cases[i].mib);
	}
}

static void count(void **state)
{
	static const struct {
		const char *text;
		uint64_t n;
	} cases[] = {
	    {"8", 8},
	    {"4K", 4096},
	    {"4k", 4096},
	    {"1M", 1048576},
	    {"1G", 1 << 30},
	    {"1T", UINT64_C(1) << 40},
	    {"1P", UINT64_C(1) << 50},
	    {"18446744073709551614", UINT64_MAX - 1},
	    {"", BAD},
	    {"K", BAD},
	    {"1KB", BAD},
	    {"1E", BAD},
	    {"-1", BAD},
	    {"1.5K", BAD},
	    {"99999999999P", BAD},
	    {"18446744073709551616", BAD},
	    {" 1", BAD},
	};
	uint64_t n;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		assert_int_equal(count_parse(cases[i].text, &n), cases[i].n != BAD);
		if (cases[i].n != BAD)
			assert_int_equal(n, cases[i].n);
	}
}

static void format(void **state)
{
	static const struct {
		uint64_t mib;
		const char *text;
	} cases[] = {
	    {0, "0"},
	    {1, "1M"},
	    {512, "512M"},
	    {1000, "1000M"},
	    {1024, "1G"},
	    {1536, "1.50G"},
	    {2048, "2G"},
	    {2560, "2.50G"},
	    {4000, "4000M"},
	    {192000, "187.50G"},
	    {65536, "64G"},
	    {2048000, "2000G"},
	    {1572864, "1.50T"},
	    {1048576, "1T"},
	    {1048577, "1048577M"},
	    {UINT64_MAX, "18446744073709551615M"},
	    {UINT64_C(1) << 62, "4194304E"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *text = memsize_format_mib(cases[i].mib);
		assert_string_equal(text, cases[i].text);
		g_free(text);
	}
	for (uint64_t m = 1; m < 3000000; m = m * 3 / 2 + 1) { /* what is printed reads back */
		char *text = memsize_format_mib(m);
		uint64_t back;
		assert_true(memsize_parse_mib(text, &back));
		assert_int_equal(back, m);
		g_free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parse), cmocka_unit_test(count), cmocka_unit_test(format)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
