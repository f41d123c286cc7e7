/* fairshare_test.c - billing, usage, Fair Tree and classic fair-share: worked examples E3-E8, E12, E13 of priority.md and cases 15, 18. */
#include "tests/unit/sched_helper.h"
#include "sched/billing.h"
#include "sched/priority.h"

/* ---- a tree as text ---- */

struct tree {
	struct world *w;
	struct fairshare *f;
};

static struct tree tree_new(enum slurm_version version, uint32_t flags)
{
	struct tree t = {.w = w_simple(version, "n[1-4]", 64)};
	t.w->cl->acct = acct_new(t.w->cl->tres);
	t.w->p->priority_flags = flags;
	t.w->p->has_accounting = true;
	return t;
}

static void tree_free(struct tree *t)
{
	fairshare_free(t->f);
	world_free(t->w);
}

/* "d:10" under PARENT; shares "parent" as -1. */
static struct assoc *account(struct tree *t, const char *name, const char *parent, int shares)
{
	struct assoc *a = acct_add_account(t->w->cl->acct, name, parent);
	a->shares = shares < 0 ? SHARES_PARENT : (uint32_t)shares;
	return a;
}

static struct assoc *user(struct tree *t, const char *name, const char *under, int shares, double usage)
{
	struct assoc *a = acct_add_user(t->w->cl->acct, name, under, NULL);
	a->shares = shares < 0 ? SHARES_PARENT : (uint32_t)shares;
	for (struct assoc *up = a; up; up = up->parent)
		up->usage += usage;
	return a;
}

static struct fairshare *compute(struct tree *t)
{
	t->f = fairshare_new(t->w->cl->acct, t->w->p);
	if (t->f->tree)
		fairtree_compute(t->f);
	else
		classic_accounts(t->f);
	return t->f;
}

static void assert_number(long double value, const char *want)
{
	char *text = g_strdup_printf("%f", (double)value);
	assert_string_equal(text, want);
	g_free(text);
}

static void assert_level(const struct tree *t, const struct assoc *a, const char *want)
{
	assert_number(share_node_of(t->f, a)->level_fs, want);
}

static void assert_fairshare(const struct tree *t, const struct assoc *a, const char *want)
{
	assert_number(fairshare_of(t->f, (struct assoc *)a), want);
}

static struct assoc *root_user(const struct tree *t)
{
	return acct_find(t->w->cl->acct, "root", "root", NULL);
}

/* ---- Fair Tree ---- */

/* E4, P45a: equal sibling accounts are not merged. */
static void equal_accounts(void **state)
{
	(void)state;
	struct tree t = tree_new(SLURM_26, 0);
	struct assoc *d = account(&t, "d", NULL, 10), *e = account(&t, "e", NULL, 10);
	struct assoc *d1 = user(&t, "d1", "d", 1, 25), *d2 = user(&t, "d2", "d", 1, 75);
	struct assoc *e1 = user(&t, "e1", "e", 1, 10), *e2 = user(&t, "e2", "e", 1, 90);
	compute(&t);
	assert_level(&t, d, "0.952381");
	assert_level(&t, e, "0.952381");
	assert_level(&t, d1, "2.000000");
	assert_level(&t, d2, "0.666667");
	assert_level(&t, e1, "5.000000");
	assert_level(&t, e2, "0.555556");
	assert_fairshare(&t, root_user(&t), "1.000000");
	assert_fairshare(&t, d1, "0.800000");
	assert_fairshare(&t, d2, "0.600000");
	assert_fairshare(&t, e1, "0.600000");
	assert_fairshare(&t, e2, "0.200000");
	tree_free(&t);
}

/* E5: users tie with an account; a user without usage and one with shares of its parent are infinite. */
static void users_tie_with_account(void **state)
{
	(void)state;
	struct tree t = tree_new(SLURM_26, 0);
	struct assoc *a = account(&t, "a", NULL, 40), *b = account(&t, "b", NULL, 60), *c = account(&t, "c", "b", 20);
	struct assoc *a1 = user(&t, "a1", "a", 1, 100), *a2 = user(&t, "a2", "a", 1, 0), *a3 = user(&t, "a3", "a", -1, 50);
	struct assoc *b1 = user(&t, "b1", "b", 10, 300), *b2 = user(&t, "b2", "b", 10, 300);
	struct assoc *c1 = user(&t, "c1", "c", 1, 600), *c2 = user(&t, "c2", "c", 1, 0);
	compute(&t);
	assert_int_equal(share_node_of(t.f, t.w->cl->acct->root)->level_shares, 101);
	assert_int_equal(share_node_of(t.f, b)->level_shares, 40);
	assert_level(&t, a, "3.564356");
	assert_level(&t, b, "0.668317");
	assert_level(&t, a1, "0.750000");
	assert_level(&t, a2, "inf");
	assert_level(&t, a3, "inf");
	assert_level(&t, b1, "1.000000");
	assert_level(&t, c, "1.000000");
	assert_level(&t, c1, "0.500000");
	assert_fairshare(&t, root_user(&t), "1.000000");
	assert_fairshare(&t, a2, "0.875000");
	assert_fairshare(&t, a3, "0.875000");
	assert_fairshare(&t, a1, "0.625000");
	assert_fairshare(&t, b1, "0.500000");
	assert_fairshare(&t, b2, "0.500000");
	assert_fairshare(&t, c2, "0.500000");
	assert_fairshare(&t, c1, "0.125000");
	tree_free(&t);
}

/* E6: the members of an account with the shares of its parent stand one level higher. */
static void parent_account(void **state)
{
	(void)state;
	struct tree t = tree_new(SLURM_26, 0);
	account(&t, "p", NULL, -1);
	struct assoc *g = account(&t, "g", NULL, 3);
	struct assoc *p1 = user(&t, "p1", "p", 2, 40), *p2 = user(&t, "p2", "p", -1, 10);
	struct assoc *g1 = user(&t, "g1", "g", 0, 0), *g2 = user(&t, "g2", "g", 5, 50);
	compute(&t);
	assert_int_equal(share_node_of(t.f, t.w->cl->acct->root)->level_shares, 6);
	assert_level(&t, p1, "0.833333");
	assert_level(&t, g, "1.000000");
	assert_level(&t, g1, "0.000000");
	assert_level(&t, g2, "1.000000");
	assert_fairshare(&t, root_user(&t), "1.000000");
	assert_fairshare(&t, p2, "1.000000");
	assert_fairshare(&t, g2, "0.600000");
	assert_fairshare(&t, g1, "0.400000");
	assert_fairshare(&t, p1, "0.200000");
	tree_free(&t);
}

/* E13: measured on 26.11. */
static void measured_tree(void **state)
{
	(void)state;
	struct tree t = tree_new(SLURM_26, 0);
	struct assoc *bio = account(&t, "biology", NULL, 40), *phys = account(&t, "physics", NULL, 60);
	struct assoc *cells = account(&t, "cells", "biology", 1), *genes = account(&t, "genes", "biology", 1);
	struct assoc *rna = account(&t, "rna", "genes", 5), *optics = account(&t, "optics", "physics", 30);
	struct assoc *qcd = account(&t, "qcd", "physics", 70);
	const struct {
		const char *name, *under;
		int shares;
		double usage; /* what the six printed digits of the level fair-shares and the truncated usages allow */
		const char *fairshare;
	} users[] = {{"grace", "biology", 20, 42.01, "0.555556"}, {"dave", "cells", 1, 165.5, "0.444444"},
	             {"erin", "rna", 1, 175.5, "0.222222"},       {"frank", "rna", -1, 491, "0.333333"},
	             {"heidi", "genes", 3, 437.5, "0.111111"},    {"carol", "optics", 10, 341, "0.666667"},
	             {"alice", "qcd", 1, 496, "0.777778"},        {"bob", "qcd", 2, 31.5, "0.888889"}};
	struct assoc *made[G_N_ELEMENTS(users)];
	for (size_t i = 0; i < G_N_ELEMENTS(users); i++)
		made[i] = user(&t, users[i].name, users[i].under, users[i].shares, users[i].usage);
	compute(&t);
	assert_fairshare(&t, root_user(&t), "1.000000");
	for (size_t i = 0; i < G_N_ELEMENTS(users); i++)
		assert_fairshare(&t, made[i], users[i].fairshare);
	const struct {
		const struct assoc *a;
		double level;
	} levels[] = {{bio, 0.658289},      {phys, 1.491185},     {cells, 0.360110},   {genes, 0.054001},
	              {rna, 1.034918},      {optics, 0.763411},   {qcd, 1.153161},     {made[0], 28.374555},
	              {made[4], 0.946761},  {made[2], 3.796757},  {made[6], 0.354579}, {made[7], 11.126380}};
	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) { /* the usages are known to one in their last digit */
		double got = (double)share_node_of(t.f, levels[i].a)->level_fs;
		assert_true(got > levels[i].level * 0.96 && got < levels[i].level * 1.04);
	}
	tree_free(&t);
}

/* P45c, and P45d for an association that comes between two ticks. */
static void no_usage(void **state)
{
	(void)state;
	struct tree t = tree_new(SLURM_26, 0);
	account(&t, "a", NULL, 3);
	struct assoc *u = user(&t, "u", "a", 1, 0), *v = user(&t, "v", "a", 7, 0);
	compute(&t);
	assert_fairshare(&t, u, "1.000000");
	assert_fairshare(&t, v, "1.000000");
	struct assoc *late = user(&t, "late", "a", 2, 0);
	fairshare_refresh(t.f);
	assert_fairshare(&t, late, "0.000000");
	assert_number(share_node_of(t.f, late)->norm_shares, "0.200000");
	assert_false(share_node_of(t.f, late)->known);
	fairtree_compute(t.f);
	assert_fairshare(&t, late, "1.000000");
	tree_free(&t);
}

/* Case 15 (1): shares 0.048056 of its level against 0.328213 of the use. */
static void case_15_shown(void)
{
	struct tree t = tree_new(SLURM_26, 0);
	root_user(&t)->shares = 0;
	struct assoc *group = account(&t, "group", NULL, 48056);
	account(&t, "others", NULL, 1000000 - 48056);
	user(&t, "g", "group", 1, 328213);
	user(&t, "o", "others", 1, 1000000 - 328213);
	compute(&t);
	assert_level(&t, group, "0.146417");
	tree_free(&t);
}

/* Case 15 (2) and (3): siblings are compared, and ranks are no ratios: 10000, 6666, 3333. */
static void case_15(void **state)
{
	(void)state;
	case_15_shown();
	struct tree t = tree_new(SLURM_26, 0);
	struct assoc *a = account(&t, "a", NULL, 1);
	account(&t, "b", NULL, 1);
	root_user(&t)->shares = 0; /* left out: it ranks last */
	struct assoc *x = user(&t, "x", "a", 1, 0.9), *y = user(&t, "y", "a", 99, 0.1), *b = user(&t, "b", "b", 1, 99999);
	compute(&t);
	assert_level(&t, x, "0.011111");
	assert_level(&t, y, "9.900000");
	assert_level(&t, a, "50000.000000");
	assert_true(y->fairshare > x->fairshare && x->fairshare > b->fairshare);
	tree_free(&t);
	t = tree_new(SLURM_26, 0);
	root_user(&t)->shares = 0;
	const char *const names[] = {"p", "q", "r"};
	const double usage[] = {75, 5, 20};
	struct assoc *u[3];
	for (int i = 0; i < 3; i++) {
		account(&t, names[i], NULL, 1);
		u[i] = user(&t, names[i], names[i], 1, usage[i]);
	}
	compute(&t);
	assert_level(&t, u[0]->parent, "0.444444");
	assert_level(&t, u[1]->parent, "6.666667");
	assert_level(&t, u[2]->parent, "1.666667");
	assert_true(u[1]->fairshare > u[2]->fairshare && u[2]->fairshare > u[0]->fairshare);
	const double rank[] = {2, 4, 3}; /* of four with root's own user: P6 of the three alone would be 3333, 10000, 6666 */
	for (int i = 0; i < 3; i++)
		assert_int_equal((uint32_t)(u[i]->fairshare * 10000), (uint32_t)(rank[i] * 2500));
	acct_remove(t.w->cl->acct, root_user(&t));
	fairshare_free(t.f);
	compute(&t);
	const uint32_t priority[] = {3333, 10000, 6666};
	for (int i = 0; i < 3; i++)
		assert_int_equal((uint32_t)(u[i]->fairshare * 10000), priority[i]);
	tree_free(&t);
}

/* ---- classic ---- */

struct e7 {
	struct assoc *a, *b, *a1, *a2, *b1, *b2;
};

static struct e7 e7_tree(struct tree *t)
{
	struct e7 e = {.a = account(t, "a", NULL, 40), .b = account(t, "b", NULL, 60)};
	root_user(t)->shares = 0;
	e.a1 = user(t, "a1", "a", 1, 150);
	e.a2 = user(t, "a2", "a", 1, 50);
	e.b1 = user(t, "b1", "b", 30, 600);
	e.b2 = user(t, "b2", "b", 10, 200);
	return e;
}

static void assert_effective(struct tree *t, struct assoc *a, const char *effective, const char *fairshare)
{
	assert_fairshare(t, a, fairshare);
	assert_number(share_node_of(t->f, a)->effective, effective);
}

/* E7 */
static void classic_formula(void **state)
{
	(void)state;
	struct tree t = tree_new(SLURM_26, PRIO_NO_FAIR_TREE);
	struct e7 e = e7_tree(&t);
	compute(&t);
	assert_effective(&t, e.a, "0.200000", "0.707107");
	assert_effective(&t, e.b, "0.800000", "0.396850");
	assert_false(share_node_of(t.f, e.a1)->known); /* until a job needs it */
	assert_effective(&t, e.a1, "0.175000", "0.545254");
	assert_effective(&t, e.a2, "0.125000", "0.648420");
	assert_effective(&t, e.b1, "0.750000", "0.314980");
	assert_effective(&t, e.b2, "0.350000", "0.198425");
	assert_number(share_node_of(t.f, e.b1)->norm_shares, "0.450000");
	assert_number(share_node_of(t.f, e.b2)->norm_shares, "0.150000");
	fairshare_free(t.f);
	t.w->p->fairshare_damping = 2;
	compute(&t);
	assert_effective(&t, e.b1, "0.750000", "0.561231");
	tree_free(&t);
}

static void depth_oblivious(void **state)
{
	(void)state;
	struct tree t = tree_new(SLURM_26, PRIO_NO_FAIR_TREE | PRIO_DEPTH_OBLIVIOUS);
	struct e7 e = e7_tree(&t);
	compute(&t);
	assert_effective(&t, e.a1, "0.103165", "0.699392");
	assert_effective(&t, e.a2, "0.050000", "0.840896");
	assert_effective(&t, e.b1, "0.600000", "0.396850");
	tree_free(&t);
}

/* ---- billing ---- */

/* E8 */
static void billing(void **state)
{
	(void)state;
	struct sched_params *p = sched_params_new(SLURM_26);
	struct tres_table *t = tres_table_new();
	int gpu = tres_add(t, "gres/gpu"), license = tres_add(t, "license/x");
	double weights[TRES_MAX] = {0};
	uint64_t n[TRES_MAX] = {0};
	assert_true(tres_parse_weights(t, "CPU=1.0,Mem=0.25G,Node=0.5,GRES/gpu=2.0,License/x=3.0", weights, NULL));
	n[TRES_CPU] = 8;
	n[TRES_MEM] = 65536;
	n[TRES_NODE] = 2;
	n[gpu] = 4;
	n[license] = 1;
	assert_true(billing_of(p, t, weights, n) == 36.0);
	p->priority_flags = PRIO_MAX_TRES;
	assert_true(billing_of(p, t, weights, n) == 19.0);
	p->priority_flags = PRIO_MAX_TRES_GRES;
	assert_true(billing_of(p, t, weights, n) == 27.0);
	assert_true(billing_of(p, t, NULL, n) == 8.0);
	weights[gpu] = -100; /* P41: maxima start from 0 */
	p->priority_flags = PRIO_MAX_TRES;
	assert_true(billing_of(p, t, weights, n) == 19.0);
	sched_params_free(p);
	tres_table_free(t);
}

/* Case 18: the larger of cores and memory / 5 GiB, or with the sum of them; use is charged with the untruncated number. */
static void case_18(void **state)
{
	static const struct {
		const char *weights;
		uint64_t cpus, mem;
		uint32_t flags;
		double billing; /* usage of an hour: 3600 times that */
	} jobs[] = {{"CPU=1.0,Mem=0.2G", 4, 102400, PRIO_MAX_TRES, 20}, {"CPU=1.0,Mem=0.2G", 32, 65536, PRIO_MAX_TRES, 32},
	            {"CPU=0.1,Mem=0.02G", 4, 102400, PRIO_MAX_TRES, 2}, {"CPU=0,Mem=0", 4, 102400, PRIO_MAX_TRES, 0},
	            {"CPU=1.0,Mem=0.2G", 1, 2500, PRIO_MAX_TRES, 1},    {"CPU=1.0,Mem=0.2G", 4, 102400, 0, 24},
	            {"CPU=1.0,Mem=0.2G", 32, 65536, 0, 44.8},           {"CPU=0.1,Mem=0.02G", 4, 102400, 0, 2.4},
	            {"CPU=1.0,Mem=0.2G", 1, 2500, 0, 1.48828125}};
	(void)state;
	struct sched_params *p = sched_params_new(SLURM_26);
	struct tres_table *t = tres_table_new();
	for (size_t i = 0; i < G_N_ELEMENTS(jobs); i++) {
		double weights[TRES_MAX] = {0};
		uint64_t n[TRES_MAX] = {0};
		assert_true(tres_parse_weights(t, jobs[i].weights, weights, NULL));
		n[TRES_CPU] = jobs[i].cpus;
		n[TRES_MEM] = jobs[i].mem;
		p->priority_flags = jobs[i].flags;
		double got = billing_of(p, t, weights, n);
		assert_true(got > jobs[i].billing - 1e-9 && got < jobs[i].billing + 1e-9);
	}
	sched_params_free(p);
	tres_table_free(t);
}

/* ---- usage ---- */

#define T0 1000000 /* 0 stands for "not started" */

/* One user u1 of account a; ticks every PERIOD seconds from T0. */
static struct world *usage_world(uint32_t half_life, uint32_t period, bool limits)
{
	struct world *w = w_simple(SLURM_26, "n[1-2]", 64);
	w->cl->acct = acct_new(w->cl->tres);
	acct_add_account(w->cl->acct, "a", NULL);
	acct_add_user(w->cl->acct, "u1", "a", NULL);
	w->p->has_accounting = true;
	w->p->enforce = ENFORCE_ASSOC | (limits ? ENFORCE_LIMITS : 0);
	w->p->priority_decay_half_life = half_life;
	w->p->priority_calc_period = period;
	w_begin(w, T0);
	return w;
}

/* SECONDS after T0. */
static usec_t at(sec_t seconds)
{
	return (T0 + seconds) * USEC;
}

static const struct assoc *u1(const struct world *w)
{
	return acct_find(w->cl->acct, "u1", "a", NULL);
}

static void assert_usage(const struct world *w, const char *want)
{
	for (const struct assoc *a = u1(w); a; a = a->parent) { /* user, account, root alike */
		char *text = g_strdup_printf("%.10Lf", a->usage);
		assert_string_equal(text, want);
		g_free(text);
	}
}

static void end_job(struct world *w, struct job *j, sec_t t)
{
	controller_job_exited(w->c, j, 0, 0, false, t * USEC);
	controller_epilog_done(w->c, j, UINT32_MAX, false, t * USEC);
}

/* B2: a priority that is worked out anew wakes backfill, though it stays as it was (preempt-qos-requeue, 48 s); that of a held job is not. */
static void wakes_backfill(void **state)
{
	(void)state;
	for (int held = 0; held < 2; held++) {
		struct world *w = usage_world(604800, 300, true);
		const char *hold = held ? "hold" : NULL;
		struct job *j = w_job(w, T0 + 100, "ntasks", "8", "begin", "1000", hold, "", NULL);
		uint32_t before = j->priority;
		controller_priority_tick(w->c, at(300));
		assert_int_equal(j->priority, before);
		assert_int_equal(w->c->last_update, held ? T0 + 100 : T0 + 300);
		world_free(w);
	}
}

static void run_e3(uint32_t half_life, bool limits, const char *const want[4])
{
	struct world *w = usage_world(half_life, 300, limits);
	struct job *j = w_job(w, T0 + 100, "ntasks", "8", "time", "60", NULL);
	controller_pass(w->c, PASS_MAIN_FULL, at(100));
	assert_int_equal(j->state, JOB_RUNNING);
	controller_priority_tick(w->c, at(300));
	assert_usage(w, want[0]);
	controller_priority_tick(w->c, at(600));
	assert_usage(w, want[1]);
	end_job(w, j, T0 + 650);
	assert_usage(w, want[2]);
	controller_priority_tick(w->c, at(900));
	if (want[3])
		assert_usage(w, want[3]);
	if (limits && half_life == 604800) {
		char *wall = g_strdup_printf("%.10f", u1(w)->wall);
		assert_string_equal(wall, "549.5905232535");
		assert_int_equal((uint64_t)u1(w)->usage, 4396);
		g_free(wall);
	}
	world_free(w);
}

/* E3 */
static void charging(void **state)
{
	(void)state;
	run_e3(604800, true, (const char *const[]){"1599.6333751340", "3998.2587366533", "4398.2358206299", "4396.7241860276"});
	run_e3(3600, true, (const char *const[]){"1539.5650217902", "3718.4791628570", "4114.6472646205", "3883.7359026619"});
	run_e3(604800, false, (const char *const[]){"1599.6333751340", "3998.2587366533", "3998.2587366533", NULL});
}

/* E12: measured on 22.05. */
static void charging_measured(void **state)
{
	(void)state;
	for (int limits = 0; limits < 2; limits++) {
		struct world *w = usage_world(3600, 60, limits);
		struct job *j = w_job(w, T0 + 0, "ntasks", "128", "time", "60", NULL);
		controller_pass(w->c, PASS_MAIN_FULL, at(0));
		controller_priority_tick(w->c, at(49));
		assert_int_equal((uint64_t)u1(w)->usage, 6213);
		end_job(w, j, T0 + 70);
		assert_int_equal((uint64_t)u1(w)->usage, limits ? 8890 : 6213);
		controller_priority_tick(w->c, at(109));
		if (!limits)
			assert_int_equal((uint64_t)u1(w)->usage, 6141);
		world_free(w);
	}
}

/* P34: UsageFactor, NoDecay, TRES seconds. P31: after a half-life 0.50007, not 0.5. */
static void factors_of_qos(void **state)
{
	(void)state;
	struct world *w = usage_world(3600, 300, true);
	struct qos *q = acct_add_qos(w->cl->acct, "normal");
	q->usage_factor = 0.5;
	q->flags |= QOS_NO_DECAY;
	w_job(w, T0 + 0, "ntasks", "4", "time", "60", NULL);
	controller_pass(w->c, PASS_MAIN_FULL, at(0));
	controller_priority_tick(w->c, at(300));
	assert_true(q->usage == 600.0L); /* 300 s x 4 x 0.5, undecayed */
	double decayed = 300 * decay_factor(decay_per_second(3600), 300) * 4 * 0.5;
	assert_true(u1(w)->usage > (long double)decayed - 1e-9L && u1(w)->usage < (long double)decayed + 1e-9L);
	assert_true(u1(w)->tres_usage[TRES_CPU] == (long double)(u1(w)->wall) * 4.0L);
	assert_true(u1(w)->tres_usage[TRES_ENERGY] == 0.0L);
	char *text = g_strdup_printf("%.5f", decay_factor(decay_per_second(604800), 604800));
	assert_string_equal(text, "0.50007");
	g_free(text);
	world_free(w);
}

/* P33: 2026-01-05 is a Monday. */
static void reset_periods(void **state)
{
	const sec_t monday = 1767571200, day = 86400;
	(void)state;
	assert_int_equal(usage_next_reset(RESET_NONE, monday, monday), INT64_MAX);
	assert_int_equal(usage_next_reset(RESET_DAILY, monday + 5, monday + 5), monday + day);
	assert_int_equal(usage_next_reset(RESET_DAILY, monday + 5, monday + 3 * day + 1), monday + 3 * day);
	assert_int_equal(usage_next_reset(RESET_WEEKLY, monday + 5, monday + 5), monday + 6 * day);
	assert_int_equal(usage_next_reset(RESET_MONTHLY, monday, monday), monday + 27 * day);
	assert_int_equal(usage_next_reset(RESET_QUARTERLY, monday, monday), monday + 86 * day);
	assert_int_equal(usage_next_reset(RESET_YEARLY, monday, monday), monday + 361 * day);
	struct world *w = w_simple(SLURM_26, "n1", 8);
	w->cl->acct = acct_new(w->cl->tres);
	w->p->has_accounting = true;
	w->p->usage_reset = RESET_DAILY;
	w_begin(w, monday + day - 600);
	assert_true(controller_set_usage(w->c, "root", "root", NULL, 1000, NULL));
	controller_priority_tick(w->c, (monday + day - 300) * USEC);
	assert_true(w->cl->acct->root->usage > 900);
	controller_priority_tick(w->c, (monday + day) * USEC);
	assert_true(w->cl->acct->root->usage == 0);
	world_free(w);
}

/* Warm start: fair-share follows at once. */
static void warm_start(void **state)
{
	(void)state;
	struct world *w = usage_world(3600, 300, false);
	acct_add_user(w->cl->acct, "u2", "a", NULL);
	GError *error = NULL;
	assert_false(controller_set_usage(w->c, "nobody", "a", NULL, 5, &error));
	assert_non_null(error);
	g_clear_error(&error);
	assert_true(controller_set_usage(w->c, "u1", "a", NULL, 1000, NULL));
	assert_true(controller_set_usage(w->c, "u1", "a", NULL, 400, NULL));
	assert_true(w->cl->acct->root->usage == 400.0L);
	assert_true(u1(w)->fairshare < acct_find(w->cl->acct, "u2", "a", NULL)->fairshare);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(wakes_backfill), cmocka_unit_test(equal_accounts),   cmocka_unit_test(users_tie_with_account),
	    cmocka_unit_test(parent_account),   cmocka_unit_test(measured_tree),
	    cmocka_unit_test(no_usage),         cmocka_unit_test(case_15),
	    cmocka_unit_test(classic_formula),  cmocka_unit_test(depth_oblivious),
	    cmocka_unit_test(billing),          cmocka_unit_test(case_18),
	    cmocka_unit_test(charging),         cmocka_unit_test(charging_measured),
	    cmocka_unit_test(factors_of_qos),   cmocka_unit_test(reset_periods),
	    cmocka_unit_test(warm_start),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
