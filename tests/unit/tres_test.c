/* tres_test.c - the TRES table, count lists and weights. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/base/duration.h"
#include "sched/base/tres.h"
#include <string.h>

static struct tres_table *table(void)
{
	struct tres_table *t = tres_table_new();

	tres_add(t, "gres/gpu");
	tres_add(t, "gres/gpu:h100");
	tres_add(t, "gres/gpu:A100");
	tres_add(t, "license/matlab");
	tres_add(t, "bb/lustre");
	return t;
}

static void kinds(void **state)
{
	struct tres_table *t = table();
	char name[32];

	(void)state;
	assert_int_equal(tres_find(t, "cpu"), TRES_CPU);
	assert_int_equal(tres_find(t, "FS/Disk"), TRES_FS_DISK);
	assert_int_equal(tres_find(t, "pages"), TRES_PAGES);
	assert_int_equal(tres_find(t, "gres/gpu"), TRES_FIRST_CONFIGURED);
	assert_int_equal(tres_find(t, "gres"), -1);
	assert_int_equal(tres_find(t, ""), -1);
	assert_string_equal(t->name[10], "gres/gpu:a100");
	assert_int_equal(tres_add(t, "GRES/GPU"), TRES_FIRST_CONFIGURED);
	for (int i = (int)t->n; i < TRES_MAX; i++) {
		g_snprintf(name, sizeof(name), "gres/x%d", i);
		assert_int_equal(tres_add(t, name), i);
	}
	assert_int_equal(tres_add(t, "gres/more"), -1);
	assert_int_equal(tres_add(t, "cpu"), TRES_CPU);
	tres_table_free(t);
	tres_table_free(NULL);
}

static void lists(void **state)
{
	static const struct {
		const char *text, *printed, *sacct; /* printed NULL: refused */
	} cases[] = {
	    {"", "", ""},
	    {"cpu=256,mem=2000G,node=4,billing=256,gres/gpu=32", "cpu=256,mem=2000G,node=4,billing=256,gres/gpu=32",
	     "billing=256,cpu=256,gres/gpu=32,mem=2000G,node=4"},
	    {"billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1",
	     "cpu=8,mem=64G,node=1,billing=8,gres/gpu=2,gres/gpu:a100=2",
	     "billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1"},
	    {"gres/gpu=3,gres/gpu:h100=1,gres/gpu:a100=2", "gres/gpu=3,gres/gpu:h100=1,gres/gpu:a100=2",
	     "gres/gpu:a100=2,gres/gpu:h100=1,gres/gpu=3"},
	    {" CPU = 4 , Mem=1024 ,", "cpu=4,mem=1G", "cpu=4,mem=1G"},
	    {"cpu=2K", "cpu=2048", "cpu=2048"},
	    {"billing=1.50K", "billing=1536", "billing=1536"},
	    {"cpu=0", "", ""},
	    {"cpu=1,cpu=2", "cpu=2", "cpu=2"},
	    {"gpu=1", NULL, NULL},
	    {"cpu", NULL, NULL},
	    {"cpu=", NULL, NULL},
	    {"=4", NULL, NULL},
	    {"cpu=-2", NULL, NULL},
	    {"cpu=4x", NULL, NULL},
	    {"cpu=1.5", NULL, NULL},
	    {"cpu=1.2.3K", NULL, NULL},
	    {"mem=4Q", NULL, NULL},
	    {"cpu=99999999999999999999", NULL, NULL},
	    {"cpu=9999999999999999999.5P", NULL, NULL},
	};
	struct tres_table *t = table();
	uint64_t counts[TRES_MAX];

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		GError *error = NULL;

		if (tres_parse(t, cases[i].text, counts, NO_VAL64, &error) != (cases[i].printed != NULL)) {
			print_error("%s\n", cases[i].text);
			fail();
		}
		assert_int_equal(error != NULL, cases[i].printed == NULL);
		g_clear_error(&error);
		if (cases[i].printed == NULL)
			continue;
		char *a = tres_format(t, counts, NO_VAL64), *b = tres_format_sacct(t, counts, NO_VAL64);
		assert_string_equal(a, cases[i].printed);
		assert_string_equal(b, cases[i].sacct);
		g_free(a), g_free(b);
	}
	assert_true(tres_parse(t, "cpu=-1", counts, NO_VAL64, NULL));
	assert_true(counts[TRES_CPU] == INFINITE64 && counts[TRES_MEM] == NO_VAL64);
	GError *error = NULL;

	assert_false(tres_parse(t, "cpu=1,gres/tpu=2", counts, 0, &error));
	assert_non_null(strstr(error->message, "gres/tpu"));
	g_clear_error(&error);
	tres_table_free(t);
}

static void weights(void **state)
{
	static const struct {
		const char *text;
		int kind;
		double weight;
	} cases[] = {
	    {"CPU=1.0,Mem=0.25G,GRES/gpu=2.0,License/matlab=3.0", TRES_CPU, 1.0},
	    {"CPU=1.0,Mem=0.25G,GRES/gpu=2.0,License/matlab=3.0", TRES_MEM, 0.25 / 1024},
	    {"CPU=1.0,Mem=0.25G,GRES/gpu=2.0,License/matlab=3.0", TRES_FIRST_CONFIGURED, 2.0},
	    {"CPU=1.0,Mem=0.25G,GRES/gpu=2.0,License/matlab=3.0", 11, 3.0},
	    {"CPU=1.0,Mem=0.25G,GRES/gpu=2.0,License/matlab=3.0", TRES_NODE, 0},
	    {"mem=0.5", TRES_MEM, 0.5},
	    {"mem=0.5M", TRES_MEM, 0.5},
	    {"mem=0.5K", TRES_MEM, 512},
	    {"mem=1T", TRES_MEM, 1.0 / 1048576},
	    {"cpu=1K", TRES_CPU, 1.0 / 1024},
	    {"bb/lustre=1G", 12, 1.0 / 1024},
	    {"cpu=-1.5", TRES_CPU, -1.5},
	    {"", TRES_CPU, 0},
	};
	static const char *const bad[] = {"cpu",   "cpu=",     "cpu=x",   "cpu=inf",   "cpu=nan",
	                                  "tpu=1", "cpu=1.0X", "cpu=1GG", "cpu=1e999", "cpu=+inf"};
	struct tres_table *t = table();
	double w[TRES_MAX];

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		assert_true(tres_parse_weights(t, cases[i].text, w, NULL));
		assert_true(w[cases[i].kind] == cases[i].weight);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		GError *error = NULL;

		assert_false(tres_parse_weights(t, bad[i], w, &error));
		assert_non_null(error);
		g_clear_error(&error);
	}
	tres_table_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(kinds), cmocka_unit_test(lists), cmocka_unit_test(weights)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
