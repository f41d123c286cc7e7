/* mig_test.c - MIG instances sit only at the placements of their profiles (models/mig.h, hardware.md 3.1) */
#include "models/mig.h"
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#define TABLES "models/hardware/data/mig_profiles.json"

static GPtrArray *tables(void)
{
	struct diag *d = diag_new();
	GPtrArray *t = mig_tables_load(TABLES, d);
	if (!t)
		fail_msg("%s", (const char *)d->errors->pdata[0]);
	diag_free(d);
	return t;
}

/* "2x3g.20gb + 1x1g.5gb" */
static uint32_t read_list(const struct mig_table *t, const char *text, struct mig_instance *out)
{
	g_auto(GStrv) part = g_strsplit(text, " + ", -1);
	uint32_t n = 0;
	for (char **p = part; *p; p++) {
		char *name;
		for (unsigned long k = strtoul(*p, &name, 10); k; k--) {
			out[n].profile = mig_profile_find(t, name + 1);
			assert_non_null(out[n].profile);
			n++;
		}
	}
	return n;
}

static bool fits(const struct mig_table *t, const char *text, uint32_t gpus)
{
	struct mig_instance list[64];
	return mig_fit(list, read_list(t, text, list), gpus);
}

static void combinations(void **state)
{
	(void)state;
	GPtrArray *all = tables();
	const struct mig_table *t = mig_table_find(all, "A100-40GB");
	char *text;
	assert_true(g_file_get_contents(TABLES, &text, NULL, NULL));
	cJSON *root = cJSON_Parse(text);
	const cJSON *item;
	cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, "maximal_combinations_a100_40gb_without_double_memory_1g"))
	{
		if (!fits(t, item->valuestring, 1))
			fail_msg("%s does not fit", item->valuestring);
		g_autofree char *more = g_strconcat(item->valuestring, " + 1x3g.20gb + 1x2g.10gb", NULL);
		assert_false(fits(t, more, 1));
		assert_true(fits(t, more, 3));
	}
	cJSON_Delete(root);
	g_free(text);
	g_ptr_array_unref(all);
}

static void rules(void **state)
{
	(void)state;
	GPtrArray *all = tables();
	const struct mig_table *t = mig_table_find(all, "H100-80GB");
	static const struct {
		const char *list;
		uint32_t gpus;
		bool fits;
	} rows[] = {{"2x4g.40gb", 1, false}, /* 4g begins at slice 0 only */
	            {"2x4g.40gb", 2, true},
	            {"2x3g.40gb", 1, true},
	            {"3x3g.40gb", 1, false},
	            {"8x1g.10gb", 1, false}, /* compute slices: 7 */
	            {"7x1g.10gb", 1, true},
	            {"4x1g.20gb", 1, true},
	            {"1x1g.10gb+me + 6x1g.10gb", 1, true},
	            {"2x1g.10gb+me", 1, false},
	            {"2x1g.10gb+me", 2, true},
	            {"1x3g.40gb + 4x1g.10gb", 1, true}, /* 3g goes to slice 4 */
	            {"2x3g.40gb + 1x1g.10gb", 1, false}, /* no memory slice is left */
	            {"1x7g.80gb + 1x1g.10gb", 1, false},
	            {"8x7g.80gb", 8, true},
	            {"56x1g.10gb", 8, true},
	            {"57x1g.10gb", 8, false}};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		if (fits(t, rows[i].list, rows[i].gpus) != rows[i].fits)
			fail_msg("%s on %u GPUs", rows[i].list, rows[i].gpus);
	struct mig_instance list[8];
	assert_true(mig_fit(list, read_list(t, "1x1g.10gb + 1x3g.40gb + 1x2g.20gb", list), 1));
	assert_string_equal(list[0].profile->name, "3g.40gb"); /* larger ones first */
	for (int i = 0; i < 3; i++)
		assert_true(list[i].profile->starts >> list[i].start & 1);
	g_ptr_array_unref(all);
}

static void bad_files(void **state)
{
	(void)state;
	static const char *const bad[] = {
	    "", "{", "[]", "{\"schema\": \"mig-tables/1\"}", "{\"schema\": \"mig-tables/1\", \"tables\": [1]}",
	    "{\"schema\": \"mig-tables/1\", \"tables\": [{\"gpu\": \"X\", \"profiles\": [{\"name\": \"1g\"}]}]}",
	    ("{\"schema\": \"mig-tables/1\", \"tables\": [{\"gpu\": \"X\", \"profiles\": [{\"name\": \"1g\", \"compute_slices\": 1, "
	     "\"placement_size\": 4, \"max_instances\": 1, \"placements\": [5]}]}]}")};
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		struct diag *d = diag_new();
		assert_null(mig_tables_parse(bad[i], "m.json", d));
		assert_true(d->n_errors > 0);
		diag_free(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(combinations), cmocka_unit_test(rules), cmocka_unit_test(bad_files)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
