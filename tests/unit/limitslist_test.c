/* limitslist_test.c - what touches a user: value, use, room, and the jobs held (sched/limits_list.h) */
#include "limits_helper.h"
#include "sched/limits_list.h"

static const struct limit_line *line_of(const GArray *list, const char *name, const char *tres, enum limit_owner kind)
{
	for (guint i = 0; i < list->len; i++) {
		const struct limit_line *l = &g_array_index(list, struct limit_line, i);
		if (strcmp(l->name, name) == 0 && g_strcmp0(l->tres, tres) == 0 && l->owner_kind == kind)
			return l;
	}
	fail_msg("no %s %s", name, tres ? tres : "");
	return NULL;
}

static void all_of_a_user(void **state)
{
	struct world *w =
	    l_world(SLURM_26, "n[1-4]", LIMITS,
		    "add qos q MaxTRESPU=cpu=10 GrpJobs=7 MaxWall=60\nmodify account root set qos+=q\n"
		    "modify account acct set GrpTRES=cpu=20,node=3 MaxJobs=5\nmodify user u1 set GrpTRESRunMins=cpu=1000\n");
	(void)state;
	w_job(w, 10, "ntasks", "8", "time", "30", "qos", "q", NULL);
	struct job *held = w_job(w, 10, "ntasks", "4", "time", "30", "qos", "q", NULL);
	w_full(w, 10);
	w_waits(held, REASON_QOS_MAX_CPU_PU);
	GArray *list = limits_list(w->c, "U1", NULL);
	const struct limit_line *l = line_of(list, "MaxTRESPU", "cpu", OWNER_QOS_USER);
	assert_int_equal(l->value, 10);
	assert_int_equal(l->use, 8);
	assert_int_equal(l->room, 2);
	assert_int_equal(l->holds->len, 1);
	assert_ptr_equal(l->holds->pdata[0], held);
	l = line_of(list, "GrpTRES", "node", OWNER_ASSOC);
	assert_int_equal(l->use, 1);
	l = line_of(list, "GrpTRESRunMins", "cpu", OWNER_ASSOC);
	assert_true(l->minutes);
	assert_int_equal(l->use, 240);
	assert_int_equal(l->room, 760);
	l = line_of(list, "MaxJobs", NULL, OWNER_ASSOC);
	assert_true(l->inherited);
	assert_int_equal(l->use, 1);
	assert_true(line_of(list, "MaxWall", NULL, OWNER_QOS)->per_job);
	assert_int_equal(line_of(list, "GrpJobs", NULL, OWNER_QOS)->use, 1);
	g_autofree char *path = blocker_assoc_path(acct_find(w->cl->acct, "u1", NULL, NULL));
	assert_string_equal(path, "root/acct/u1");
	g_array_unref(list);
	assert_true(limits_list_known(w->c, "u3", "other"));
	assert_false(limits_list_known(w->c, "u3", "acct"));
	list = limits_list(w->c, "u3", NULL);
	assert_int_equal(line_of(list, "MaxTRESPU", "cpu", OWNER_QOS_USER)->use, 0);
	g_array_unref(list);
	world_free(w);
}

/* Without accounting there is nothing to tell. */
static void no_accounting(void **state)
{
	struct world *w = w_simple(SLURM_26, "n1", 4);
	(void)state;
	w_begin(w, 0);
	assert_false(limits_list_known(w->c, "u1", NULL));
	GArray *list = limits_list(w->c, "u1", NULL);
	assert_int_equal(list->len, 0);
	g_array_unref(list);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_a_user), cmocka_unit_test(no_accounting)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
