/* hostlist_test.c - the examples of spec slurm-conf.md section 2, bad input, and compression undone by expansion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/base/hostlist.h"
#include <string.h>

static char *expanded(const char *text)
{
	GError *error = NULL;
	GPtrArray *names = hostlist_expand(text, &error);

	if (names == NULL) {
		print_error("%s: %s\n", text, error->message);
		fail();
	}
	assert_int_equal(hostlist_count(text, NULL), names->len);
	g_ptr_array_add(names, NULL);
	char *joined = g_strjoinv(" ", (char **)names->pdata);
	g_ptr_array_unref(names);
	return joined;
}

static void expand(void **state)
{
	static const struct {
		const char *text, *names;
	} cases[] = {
	    {"", ""},
	    {"n1", "n1"},
	    {"n[08-11]", "n08 n09 n10 n11"},
	    {"n[8-11]", "n8 n9 n10 n11"},
	    {"n[001,10]", "n001 n10"},
	    {"n[3]", "n3"},
	    {"n[1-4]-ib", "n1-ib n2-ib n3-ib n4-ib"},
	    {"a[1-2]b[3-4]c[5]", "a1b3c5 a1b4c5 a2b3c5 a2b4c5"},
	    {"rack[0-1]_node[01-02]", "rack0_node01 rack0_node02 rack1_node01 rack1_node02"},
	    {"n[01-03,07],gpu5", "n01 n02 n03 n07 gpu5"},
	    {"n1,n01,n001", "n1 n01 n001"},
	    {"n2,n1,n2", "n2 n1 n2"},
	    {"n1 n2\tn3\nn4, n5", "n1 n2 n3 n4 n5"},
	    {"n[1-2][3-4]", "n13 n14 n23 n24"},
	    {"[1-2]", "1 2"},
	    {"n[0098-0101]", "n0098 n0099 n0100 n0101"},
	    {"/dev/nvidia[0-1]", "/dev/nvidia0 /dev/nvidia1"},
	    {",,n1,,", "n1"},
	    {"n[10-10]", "n10"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *names = expanded(cases[i].text);
		assert_string_equal(names, cases[i].names);
		g_free(names);
	}
}

static void refuse(void **state)
{
	static const struct {
		const char *text, *part; /* a part of the message */
	} cases[] = {
	    {"n[1-3", "column 2"},
	    {"n[", "closed"},
	    {"n[]", "column 3"},
	    {"n[1-]", "column 5"},
	    {"n[-1]", "column 3"},
	    {"n[1,]", "column 5"},
	    {"n[a-c]", "column 3"},
	    {"n[1-3a]", "bad character"},
	    {"n[3-1]", "backwards"},
	    {"n[[1]]", "nested"},
	    {"n1]", "without"},
	    {"bgl[000x133]", "multi-dimension"},
	    {"n[1 -3]", "column 4"},
	    {"n[0-65536]", "65536"},
	    {"switch{s1}", "functions"},
	    {"n[1-65536][1-65536]", "1000000"},
	    {"n[99999999999999999999]", "18 digits"},
	    {"ok1,n[1-2", "column 6"},
	    {"a\001b", "control"},
	    {"n[1-60000],n[1-60000][1-20]", "1000000"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		GError *error = NULL;

		assert_null(hostlist_expand(cases[i].text, &error));
		assert_non_null(error);
		if (strstr(error->message, cases[i].part) == NULL) {
			print_error("%s: %s\n", cases[i].text, error->message);
			fail();
		}
		g_clear_error(&error);
		assert_int_equal(hostlist_count(cases[i].text, NULL), -1);
	}
}

static void limits(void **state)
{
	GString *many = g_string_new("x");

	(void)state;
	assert_int_equal(hostlist_count("n[0-65535]", NULL), 65536);
	assert_int_equal(hostlist_count("n[0-999][0-999]", NULL), HOSTLIST_MAX);
	assert_int_equal(hostlist_count("n[0-999][0-999],m", NULL), -1);
	for (int i = 0; i < 100000; i++)
		g_string_append(many, "[1]");
	assert_int_equal(hostlist_count(many->str, NULL), -1);
	assert_null(hostlist_expand(many->str, NULL));
	for (int i = 0; i < 100000; i++)
		g_string_append(many, "[0-9]");
	assert_int_equal(hostlist_count(many->str, NULL), -1);
	g_string_assign(many, "");
	for (int i = 0; i < 300; i++)
		g_string_append_c(many, 'n');
	assert_int_equal(hostlist_count(many->str, NULL), -1);
	g_string_free(many, TRUE);
}

static void compress(void **state)
{
	static const char *const cases[][2] = {
	    {"", ""},
	    {"n1", "n1"},
	    {"n01 n02 n03 n07", "n[01-03,07]"},
	    {"n9 n10", "n[9-10]"},
	    {"n09 n10", "n[09-10]"},
	    {"n9 n010", "n9,n010"},
	    {"n1 n2 n02", "n[1-2],n02"},
	    {"r1n1 r1n2 r2n1 r2n2", "r1n[1-2],r2n[1-2]"},
	    {"n1 m1 n2", "n1,m1,n2"},
	    {"n1-ib n2-ib", "n1-ib,n2-ib"},
	    {"login n1 n2", "login,n[1-2]"},
	    {"n98 n99 n100 n101", "n[98-101]"},
	    {"n1 n1", "n[1,1]"},
	    {"1 2", "[1-2]"},
	    {"n000000000000000000001", "n000000000000000000001"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char **names = g_strsplit(cases[i][0], " ", -1);
		char *text = hostlist_compress((const char *const *)names, g_strv_length(names));

		assert_string_equal(text, cases[i][1]);
		g_free(text);
		g_strfreev(names);
	}
}

static guint64 seed = 1181783497276652981u;
static guint64 xorshift(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static char *random_name(void)
{
	static const char *const prefixes[] = {"n", "n", "n", "r1n", "r2n", "gpu-", "", "n1-"};
	static const char *const suffixes[] = {"", "", "", "", "", "-ib"};
	guint64 number = xorshift() % (xorshift() % 8 ? 15 : 1200);

	return g_strdup_printf("%s%0*u%s", prefixes[xorshift() % G_N_ELEMENTS(prefixes)], (int)(xorshift() % 4),
	                       (guint)number, suffixes[xorshift() % G_N_ELEMENTS(suffixes)]);
}

static void round_trip(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
		guint n = (guint)(xorshift() % 60);

		for (guint i = 0; i < n; i++)
			g_ptr_array_add(names, random_name());
		if (round % 2) /* runs come from sorted names */
			for (guint i = 1; i < n; i++)
				for (guint k = i; k > 0 && hostlist_name_cmp(names->pdata[k - 1], names->pdata[k]) > 0;
				     k--) {
					gpointer t = names->pdata[k];
					names->pdata[k] = names->pdata[k - 1];
					names->pdata[k - 1] = t;
				}
		char *text = hostlist_compress((const char *const *)names->pdata, n), *back = expanded(text);

		g_ptr_array_add(names, NULL);
		char *joined = g_strjoinv(" ", (char **)names->pdata);

		assert_string_equal(joined, back);
		g_free(joined), g_free(back), g_free(text);
		g_ptr_array_unref(names);
	}
}

static void long_run(void **state)
{
	GPtrArray *names = hostlist_expand("n[0-9][0000-9999]", NULL);
	char *text = hostlist_compress((const char *const *)names->pdata, names->len);

	(void)state;
	assert_string_equal(text, "n[00000-65535,65536-99999]");
	g_free(text);
	g_ptr_array_unref(names);
}

static void order(void **state)
{
	static const char *const sorted[] = {"",
	                                     "a",
	                                     "a1",
	                                     "a01",
	                                     "a1b",
	                                     "a2",
	                                     "a10",
	                                     "a10b2",
	                                     "a10b10",
	                                     "a99999999999999999999999",
	                                     "a100000000000000000000000",
	                                     "ab",
	                                     "b0"};

	(void)state;
	/* a01 and a1 are equal as numbers: bytewise "a01" < "a1" */
	for (size_t i = 0; i < G_N_ELEMENTS(sorted); i++)
		for (size_t k = 0; k < G_N_ELEMENTS(sorted); k++) {
			int c = hostlist_name_cmp(sorted[i], sorted[k]);
			int want = i < k ? -1 : i > k;
			if ((i == 2 && k == 3) || (i == 3 && k == 2))
				want = -want;
			assert_int_equal((c > 0) - (c < 0), want);
		}
}

/* Case 64: forms that broke other parsers. */
static void case_64(void **state)
{
	static const struct {
		const char *text, *names; /* NULL = refused */
	} cases[] = {
	    {"foo003,foo0[10-20],foo[103-104],foo[10,12-14],foo-m11-16",
	     "foo003 foo010 foo011 foo012 foo013 foo014 foo015 foo016 foo017 foo018 foo019 foo020 foo103 foo104 foo10 foo12 foo13 "
	     "foo14 foo-m11-16"},
	    {"rack[0-1]_blade[0-1]", "rack0_blade0 rack0_blade1 rack1_blade0 rack1_blade1"},
	    {"nodeA,nodeB[001,003],nodeC", "nodeA nodeB001 nodeB003 nodeC"},
	    {"host[001,003-004,006]", "host001 host003 host004 host006"},
	    {"c427-032,c429-002", "c427-032 c429-002"},
	    {"c438-[062,104]", "c438-062 c438-104"},
	    {"c[098-102]", "c098 c099 c100 c101 c102"},
	    {"c[9-011]", "c9 c10 c11"},
	    {"n[1-2,2-3],n2", "n1 n2 n2 n3 n2"},
	    {"tux[0-5,12,20-21],cn[001]", "tux0 tux1 tux2 tux3 tux4 tux5 tux12 tux20 tux21 cn001"},
	    {"x[3-1]", NULL},
	    {"a[]", NULL},
	    {"a[1-3:2]", NULL},
	    {"n[1-65537]", NULL},
	    {"a[1-2]b[01-02]c", "a1b01c a1b02c a2b01c a2b02c"},
	    {"a1-3", "a1-3"},
	};
	static const char *const mixed[] = {"n3", "n1", "n2", "n10", "n09"}, *const racks[] = {"rack0_blade0", "rack0_blade1", "rack1_blade0", "rack1_blade1"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		if (!cases[i].names) {
			assert_null(hostlist_expand(cases[i].text, NULL));
			continue;
		}
		char *names = expanded(cases[i].text);
		assert_string_equal(names, cases[i].names);
		g_free(names);
	}
	char *list = hostlist_compress(mixed, 5);
	assert_string_equal(list, "n[3,1-2,10,09]");
	g_free(list);
	list = hostlist_compress(racks, 4);
	assert_string_equal(list, "rack0_blade[0-1],rack1_blade[0-1]");
	g_free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(expand),   cmocka_unit_test(refuse),     cmocka_unit_test(limits),
	    cmocka_unit_test(compress), cmocka_unit_test(round_trip), cmocka_unit_test(long_run),
	    cmocka_unit_test(order),    cmocka_unit_test(case_64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
