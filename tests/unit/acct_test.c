/* acct_test.c - the association tree of the example in spec accounting-files.md section 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/acct.h"

static struct acct *example(struct tres_table *t)
{
	static const char *const science[] = {"normal", "urgent", NULL}, *const bio[] = {"scav", "fast", NULL};
	struct acct *a = acct_new(t);

	acct_add_qos(a, "Urgent")->priority = 1000;
	acct_add_qos(a, "scav");
	acct_add_account(a, "Physics", "root")->qos = g_strdupv((char **)science);
	acct_add_account(a, "bio", NULL)->qos = g_strdupv((char **)bio);
	acct_add_account(a, "lattice", "physics");
	acct_add_user(a, "ada", "physics", NULL);
	acct_add_user(a, "bob", "lattice", NULL);
	acct_add_user(a, "bob", "lattice", "gpu")->default_qos = g_strdup("urgent");
	acct_add_user(a, "bob", "bio", NULL);
	acct_refresh(a);
	return a;
}

static void tree(void **state)
{
	struct tres_table *t = tres_table_new();
	struct acct *a = example(t);
	struct assoc *lattice = acct_find_account(a, "LATTICE"), *physics = acct_find_account(a, "physics");

	(void)state;
	assert_int_equal(a->root->id, 1);
	assert_null(a->root->parent);
	assert_ptr_equal(acct_find(a, "root", NULL, NULL)->parent, a->root);
	assert_string_equal(physics->account, "physics");
	assert_null(physics->user);
	assert_ptr_equal(lattice->parent, physics);
	assert_int_equal(physics->children->len, 2);
	assert_ptr_equal(acct_add_account(a, "physics", "bio"), physics);
	assert_ptr_equal(acct_add_account(a, "lost", "nowhere")->parent, a->root);
	assert_null(acct_find_account(a, "nosuch"));
	assert_null(acct_find_account(a, NULL));
	assert_null(acct_add_user(a, "eve", "nosuch", NULL));
	assert_null(acct_add_user(a, "", "bio", NULL));
	assert_int_equal(lattice->shares, 1);
	assert_int_equal(lattice->priority, NO_VAL);
	assert_int_equal(lattice->limits.max_jobs, NO_VAL);
	assert_int_equal(lattice->limits.min_prio_thresh, NO_VAL);
	for (guint i = 0; i < a->assocs->len; i++)
		assert_int_equal(((struct assoc *)a->assocs->pdata[i])->id, i + 1);
	acct_free(a);
	tres_table_free(t);
	acct_free(NULL);
}

static void find(void **state)
{
	struct tres_table *t = tres_table_new();
	struct acct *a = example(t);
	struct assoc *any = acct_find(a, "bob", "lattice", NULL), *gpu = acct_find(a, "Bob", NULL, "gpu");

	(void)state;
	assert_null(any->partition);
	assert_string_equal(gpu->partition, "gpu");
	assert_ptr_equal(acct_find(a, "bob", NULL, "cpu"), any);
	assert_ptr_equal(acct_add_user(a, "BOB", "lattice", ""), any);
	assert_string_equal(acct_find(a, "bob", "bio", "gpu")->account, "bio");
	assert_null(acct_find(a, "ada", "bio", NULL));
	assert_null(acct_find(a, "nobody", NULL, NULL));
	assert_null(acct_find(a, NULL, "bio", NULL));
	assert_null(acct_find(a, "", "bio", NULL)); /* not the account's own association */
	assert_true(any->is_default && gpu->is_default);
	assert_false(acct_find(a, "bob", "bio", NULL)->is_default);
	acct_set_default_account(a, "Bob", "Bio");
	assert_string_equal(acct_find(a, "bob", NULL, "gpu")->account, "bio");
	assert_true(acct_find(a, "bob", NULL, NULL)->is_default);
	assert_false(any->is_default);
	acct_free(a);
	tres_table_free(t);
}

static void qos(void **state)
{
	struct tres_table *t = tres_table_new();
	struct acct *a = example(t);
	struct qos *normal = acct_find_qos(a, "NORMAL");

	(void)state;
	assert_int_equal(normal->id, 1);
	assert_ptr_equal(acct_add_qos(a, "normal"), normal);
	assert_true(normal->usage_factor == 1.0 && normal->limit_factor < 0 && normal->usage_threshold < 0);
	assert_int_equal(normal->preempt_mode, -1);
	assert_string_equal(acct_find_qos(a, "urgent")->name, "urgent");
	assert_null(acct_find_qos(a, "nosuch"));
	assert_null(acct_find_qos(a, NULL));
	assert_int_equal(a->max_qos_priority, 1000);
	assert_string_equal(assoc_qos_list(acct_find(a, "bob", "lattice", NULL))[1], "urgent");
	assert_string_equal(assoc_default_qos(acct_find(a, "bob", "lattice", NULL)), "normal");
	assert_string_equal(assoc_default_qos(acct_find(a, "bob", "lattice", "gpu")), "urgent");
	assert_string_equal(assoc_default_qos(acct_find(a, "bob", "bio", NULL)), "scav");
	assert_string_equal(assoc_qos_list(acct_find(a, "root", NULL, NULL))[0], "normal");
	struct use *u = acct_use_of(normal->use_by_user, "ada");

	u->jobs = 3;
	u->tres[TRES_MAX - 1] = 1;
	assert_ptr_equal(acct_use_of(normal->use_by_user, "ada"), u);
	acct_free(a);
	tres_table_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(tree), cmocka_unit_test(find), cmocka_unit_test(qos)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
