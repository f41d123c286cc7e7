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

/* Partitions: what one job may ask of them; only those that let the account in. */
static void partitions(void **state)
{
	struct world *w = l_unbegun(SLURM_26, "n[1-2]", LIMITS, NULL);
	struct partition *p = w->cl->partitions->pdata[0], *closed = w_part(w, "closed", "n1");
	(void)state;
	p->max_time = 60;
	p->max_nodes = 1;
	p->max_cpus_per_node = 6;
	p->max_mem = 100;
	closed->max_time = 5;
	closed->allow_accounts = g_strsplit("other", ",", -1);
	w_begin(w, 0);
	struct job *late = w_job(w, 10, "time", "90", NULL), *wide = w_job(w, 10, "nodes", "2", NULL),
	           *big = w_job(w, 10, "mem", "200", NULL);
	w_full(w, 11);
	GArray *list = limits_list(w->c, "u1", NULL);
	static const struct {
		const char *name;
		unsigned value, held;
	} want[] = {{"MaxTime", 60, 1}, {"MaxNodes", 1, 1}, {"MaxCPUsPerNode", 6, 0}, {"MaxMemPerNode", 100, 1}};
	const struct job *held[] = {late, wide, NULL, big};
	unsigned n = 0;
	for (guint i = 0; i < list->len; i++) {
		const struct limit_line *l = &g_array_index(list, struct limit_line, i);
		if (!l->of_partition)
			continue;
		assert_true(n < G_N_ELEMENTS(want));
		assert_ptr_equal(l->owner, p);
		assert_string_equal(l->name, want[n].name);
		assert_int_equal(l->value, want[n].value);
		assert_true(l->per_job);
		assert_int_equal(l->holds->len, want[n].held);
		if (held[n])
			assert_ptr_equal(l->holds->pdata[0], held[n]);
		n++;
	}
	assert_int_equal(n, G_N_ELEMENTS(want));
	g_array_unref(list);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_a_user), cmocka_unit_test(no_accounting), cmocka_unit_test(partitions)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
