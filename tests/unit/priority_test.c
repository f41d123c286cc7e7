/* priority_test.c - the worked examples E1, E2, E9, E10 of spec priority.md section 11, without fair-share, and
 * priority/basic (P50) */
#include "sched_helper.h"

/* N = 10 nodes, C = 160 CPUs, all busy, so that jobs wait */
static struct world *ten_nodes(enum slurm_version v)
{
	struct world *w = world_new(v);
	w_nodes(w, "n[01-10]", 2, 8, 1);
	w_part(w, "p", "n[01-10]")->priority_job_factor = 5;
	w_part(w, "q", "n[01-10]")->priority_job_factor = 10;
	w_accounting(w);
	w->p->enforce = 0;
	acct_add_qos(w->cl->acct, "q30")->priority = 30;
	acct_add_qos(w->cl->acct, "q29")->priority = 29;
	acct_add_qos(w->cl->acct, "q100")->priority = 100;
	acct_refresh(w->cl->acct);
	return w;
}

static void fill(struct world *w, sec_t t)
{
	w_run(w, t, "n[01-10]", 60 * 24 * 30);
}

static void tick(struct world *w, sec_t t)
{
	controller_priority_tick(w->c, t * USEC);
}

/* E1: age 59.5238, size 150, partition 1000, QOS 900, nice 100; fair-share (7500) is not modelled: 9509 - 7500 = 2009
 */
static void e1(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = ten_nodes(v);
		w->p->weight_age = 1000;
		w->p->weight_job_size = 1000;
		w->p->weight_partition = 2000;
		w->p->weight_qos = 3000;
		w_begin(w, 1000);
		fill(w, 1000);
		struct job *j = w_job(w, 2000, "nodes", "2", "ntasks", "16", "qos", "q30", "nice", "100", NULL);
		assert_int_equal(j->priority, 1950); /* P11b: nothing accrued yet */
		w_full(w, 2000);
		assert_int_equal(j->accrue, 2000);
		assert_int_equal(j->priority, 1950); /* a queue build does not recalculate */
		tick(w, 38000);
		assert_int_equal(j->priority, 2009);
		/* P12: the factor is 1 from PriorityMaxAge on: 1000 + 2050 - 100 */
		tick(w, 2000 + 604799);
		assert_int_equal(j->priority, 2949);
		tick(w, 2000 + 604800);
		assert_int_equal(j->priority, 2950);
		tick(w, 2000 + 2 * 604800);
		assert_int_equal(j->priority, 2950);
		world_free(w);
	}
}

/* E2, shown as trunc(factor x 1e9) */
static void e2(void **state)
{
	static const struct {
		uint32_t flags;
		bool favor_small;
		const char *nodes, *ntasks, *time;
		uint32_t want;
	} cases[] = {
	    {PRIO_SMALL_RELATIVE, false, "2", "16", "60", 3333333},
	    {PRIO_SMALL_RELATIVE, true, "2", "16", "60", 996666666},
	    {PRIO_SMALL_RELATIVE, false, "1-4", "40", "1", 250000000},
	    {0, true, "2", "16", "60", 850000000},
	    {0, false, "2", "16", "60", 150000000},
	    {0, false, "10", "160", "60", 1000000000},
	    {0, true, "10", "160", "60", 1},
	};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = ten_nodes(v);
			w->p->weight_job_size = 1000000000;
			w->p->priority_flags = cases[i].flags;
			w->p->priority_favor_small = cases[i].favor_small;
			w_begin(w, 1000);
			struct job *j = w_job(w, 1000, "nodes", cases[i].nodes, "ntasks", cases[i].ntasks, "time",
			                      cases[i].time, NULL);
			if (j->priority != cases[i].want)
				fail_msg("case %zu: %u, want %u", i, j->priority, cases[i].want);
			world_free(w);
		}
}

/* E9 (P9): age 100, size 150, w_part 2000, factors 1 and 10 of 10; fair-share 3000 + QOS 2100 stand here as QOS 5100 */
static void e9(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int basic = 0; basic < 2; basic++) {
			struct world *w = ten_nodes(v);
			struct partition *p = w->cl->partitions->pdata[0];
			p->priority_job_factor = 1;
			w->p->weight_age = 100;
			w->p->priority_max_age = 60;
			w->p->weight_job_size = 1000;
			w->p->weight_partition = 2000;
			w->p->weight_qos = 5100;
			if (basic)
				p->priority_tier = 2; /* the higher tier is the first pair */
			w_begin(w, 1000);
			fill(w, 1000);
			struct job *j =
			    w_job(w, 2000, "partition", "q,p", "nodes", "2", "ntasks", "16", "qos", "q100", NULL);
			w_full(w, 2000);
			tick(w, 3000);
			for (uint32_t i = 0; i < 2; i++)
				assert_int_equal(j->parts[i].priority, j->parts[i].part == p ? 5550 : 7350);
			assert_ptr_equal(j->parts[0].part == p ? (void *)1 : NULL, basic ? (void *)1 : NULL);
			world_free(w);
		}
}

/* P9: the visible priority is that of the last entry examined */
static void last_examined(void **state)
{
	struct world *w = ten_nodes(SLURM_26);
	(void)state;
	w->p->weight_partition = 2000;
	w_begin(w, 1000);
	fill(w, 1000);
	struct job *j = w_job(w, 2000, "partition", "p,q", "nodes", "2", NULL);
	assert_int_equal(j->priority, 1000); /* the first in tier order */
	w_full(w, 2000);
	/* q (2000) is examined first, then p (1000) */
	assert_int_equal(j->priority, 1000);
	struct job *k = w_job(w, 2100, "partition", "q,p", "nodes", "2", NULL);
	assert_int_equal(k->priority, 2000);
	w_full(w, 2100);
	assert_int_equal(k->priority, 1000);
	world_free(w);
}

/* E10 (P6): the sum is at least 1, and truncated: 0.29 x 100 = 28.999999999999996 -> 28 */
static void e10(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = ten_nodes(v);
		w->p->weight_age = 1000;
		w->p->weight_qos = 100;
		w_begin(w, 1000);
		fill(w, 1000);
		struct job *q = w_job(w, 2000, "qos", "q29", NULL);
		assert_int_equal(q->priority, 28);
		struct job *j = w_job(w, 2000, "nice", "5000", NULL);
		w_full(w, 2000);
		tick(w, 2000 + 604800);
		assert_int_equal(j->priority, 1);
		assert_int_equal(q->priority, 1029); /* 1000 + 28.999999999999996 = 1029 in f64 */
		world_free(w);
	}
}

/* P16: NO_NORMAL_PART; P17: NO_NORMAL_QOS */
static void not_normalised(void **state)
{
	struct world *w = ten_nodes(SLURM_26);
	(void)state;
	w->p->weight_partition = 10;
	w->p->weight_qos = 1000;
	w->p->priority_flags = PRIO_NO_NORMAL_PART | PRIO_NO_NORMAL_QOS;
	w_begin(w, 1000);
	assert_int_equal(w_job(w, 2000, "qos", "q30", NULL)->priority, 30050);
	world_free(w);
}

/* P18: inherited from the nearest ancestor that sets one */
static void association(void **state)
{
	struct world *w = ten_nodes(SLURM_26);
	(void)state;
	acct_find_account(w->cl->acct, "acct")->priority = 40;
	acct_find(w->cl->acct, "u2", "acct", NULL)->priority = 80;
	w->p->weight_assoc = 1000;
	w_begin(w, 1000);
	assert_int_equal(w_job(w, 2000, "user", "u1", NULL)->priority, 500);
	assert_int_equal(w_job(w, 2000, "user", "u2", NULL)->priority, 1000);
	world_free(w);
}

/* P19: requested CPUs of the partition's total, summed in TRES order */
static void tres(void **state)
{
	struct world *w = ten_nodes(SLURM_26);
	(void)state;
	w->p->weight_tres = g_new0(double, TRES_MAX);
	w->p->weight_tres[TRES_CPU] = 1000;
	w->p->weight_tres[TRES_NODE] = 100;
	w_begin(w, 1000);
	assert_int_equal(w_job(w, 2000, "nodes", "2", "ntasks", "16", NULL)->priority,
	                 120); /* 16/160 x 1000 + 2/10 x 100 */
	world_free(w);
}

/* P7, P8: a direct priority stays; held jobs stay held */
static void direct(void **state)
{
	struct world *w = ten_nodes(SLURM_26);
	(void)state;
	w->p->weight_qos = 3000;
	w_begin(w, 1000);
	fill(w, 1000);
	struct job *a = w_job(w, 2000, "priority", "77", "qos", "q30", NULL);
	struct job *b = w_job(w, 2000, "hold", "", "qos", "q30", NULL);
	tick(w, 3000);
	assert_int_equal(a->priority, 77);
	assert_int_equal(b->priority, 0);
	assert_true(controller_release(w->c, b, NULL, 3100 * USEC, NULL)); /* P11c */
	assert_int_equal(b->priority, 900);
	assert_true(controller_hold(w->c, a, false, 3200 * USEC, NULL));
	assert_int_equal(a->priority, 0);
	assert_true(controller_release(w->c, a, NULL, 3300 * USEC, NULL));
	assert_int_equal(a->priority, 900);
	world_free(w);
}

/* P13 */
static void accrue(void **state)
{
	(void)state;
	for (int always = 0; always < 2; always++) {
		struct world *w = ten_nodes(SLURM_26);
		w->p->priority_flags = always ? PRIO_ACCRUE_ALWAYS : 0;
		w_begin(w, 1000);
		fill(w, 1000);
		struct job *plain = w_job(w, 2000, NULL), *later = w_job(w, 2000, "begin", "2500", NULL);
		struct job *array = w_job(w, 2000, "array", "0-3", NULL);
		w_full(w, 2100);
		assert_int_equal(plain->accrue, 2000);
		assert_int_equal(later->accrue, always ? 2000 : 2500);
		/* an array's begin is set by the first queue build, after the accrue time was looked at: one build
		 * later */
		assert_int_equal(array->accrue, always ? 2000 : 0);
		w_full(w, 2200);
		assert_int_equal(array->accrue, always ? 2000 : 2100);
		world_free(w);
	}
}

/* P50 */
static void basic(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w->p->priority_type = PRIORITY_BASIC;
		w_begin(w, 1);
		w_run(w, 1, "n1", 600); /* a direct priority: takes no value */
		assert_int_equal(w_job(w, 10, NULL)->priority, 4294901759u);
		assert_int_equal(w_job(w, 10, NULL)->priority, 4294901758u);
		struct job *nice = w_job(w, 10, "nice", "100", NULL);
		assert_int_equal(nice->priority, 4294901657u);     /* 4294901757 - 100 */
		struct job *held = w_job(w, 10, "hold", "", NULL); /* low = min(low, v + nice) = 4294901757 */
		assert_int_equal(held->priority, 0);
		assert_int_equal(w_job(w, 10, NULL)->priority, 4294901755u); /* the held one used 4294901756 */
		assert_true(controller_release(w->c, held, NULL, 20 * USEC, NULL));
		assert_int_equal(held->priority, 4294901754u); /* a new, lowest value */
		tick(w, 300);
		assert_int_equal(held->priority, 4294901754u);
		assert_int_equal(nice->priority, 4294901657u);
		world_free(w);
	}
}

/* P11e: requeue recalculates; 22.05 waits for the tick */
static void requeued(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = ten_nodes(v);
		w->p->weight_age = 604800;
		w->p->weight_qos = 1000;
		w_begin(w, 1000);
		fill(w, 1000);
		struct job *j = w_job(w, 2000, "qos", "q100", NULL);
		w_full(w, 2000);
		tick(w, 3000);
		assert_int_equal(j->priority, 2000);
		struct job *first = controller_first_running(w->c);
		w_end(w, first, 3000, 0, true);
		w_full(w, 3000);
		assert_int_equal(j->state, JOB_RUNNING);
		assert_true(controller_requeue(w->c, j, false, 4000 * USEC, NULL));
		controller_epilog_done(w->c, j, UINT32_MAX, true, 4000 * USEC);
		assert_int_equal(j->priority, v == SLURM_26 ? 1000 : 2000);
		assert_int_equal(j->accrue, 0);
		tick(w, 4100);
		assert_int_equal(j->priority, 1000);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(e1),          cmocka_unit_test(e2),
	    cmocka_unit_test(e9),          cmocka_unit_test(last_examined),
	    cmocka_unit_test(e10),         cmocka_unit_test(not_normalised),
	    cmocka_unit_test(association), cmocka_unit_test(tres),
	    cmocka_unit_test(direct),      cmocka_unit_test(accrue),
	    cmocka_unit_test(basic),       cmocka_unit_test(requeued),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
