/*
 * Do the 95 % intervals of whypend compare cover the truth in 92 to 98 % of 400 seeded repeats? Three kinds of pairs:
 *
 *   rows        records made up job by job, waits that swell and fade together, a change planted whose mean is known;
 *   windows     real simulations of random traces, with and without backfill: the truth is the mean over all of them;
 *   replicas    real simulations of replicas of one trace, ten a comparison: the truth is the mean over a large pool.
 *
 * The windows need enough jobs: of 400 jobs in the second kind 92 % cover, where backfill changes few of them 85 %. So
 * compare gives no intervals over windows below COMPARE_FEW jobs.
 *
 * And what resampling single jobs would have said, to see that it is too narrow.
 */
#include "scenarios/replica.h"
#include "tools/compare.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { REPEATS = 400 };
#define CONF "tests/unit/data/coverage.conf"

static void within(const char *what, int hits)
{
	printf("# %s: %.1f %% of %d intervals cover the truth\n", what, hits * 100.0 / REPEATS, REPEATS);
	assert_true(hits * 100 >= REPEATS * 92 && hits * 100 <= REPEATS * 98);
}

static bool covers(const struct effect *e, double truth)
{
	return e->i.low <= truth && e->i.high >= truth;
}

static struct compare_side *side_of(char name, struct recorder *r)
{
	struct compare_side *s = compare_side_new(name, "made up", NULL);
	struct compare_run *run = g_new0(struct compare_run, 1);
	GError *error = NULL;

	assert_true(recorder_finish(r, &error));
	run->rows = run_rows_read(recorder_db(r), &error);
	assert_non_null(run->rows);
	g_ptr_array_add(s->runs, run);
	return s;
}

/* The database stays the recorder's. */
static void side_free(struct compare_side *s, struct recorder *r)
{
	compare_side_free(s);
	recorder_free(r);
}

/* ---- rows ---- */

enum { JOBS = 400, GAP = 600 };

static void put_job(struct recorder *r, uint32_t id, const char *user, sec_t submit, double wait)
{
	sec_t start = submit + (sec_t)llround(wait), end = start + 600;
	struct job_row row = {.job = id,
	                      .array_task = NO_VAL,
	                      .trace_id = id,
	                      .user = user,
	                      .account = "a",
	                      .partition = "p",
	                      .qos = "q",
	                      .submit_t = submit * USEC,
	                      .start_t = start * USEC,
	                      .end_t = end * USEC,
	                      .submit_s = submit,
	                      .eligible_s = submit,
	                      .start_s = start,
	                      .end_s = end,
	                      .state = "COMPLETED",
	                      .req_cpus = 1,
	                      .ncpus = 1};

	recorder_job(r, &row);
}

/* The load is lognormal over an AR(1) process that forgets within one hundredth of the trace; bob waits 15 % less, ann
 * 5 minutes more, both give or take. */
static void make_up(gsl_rng *rng, struct recorder *a, struct recorder *b)
{
	double level = gsl_ran_gaussian(rng, 1), odd = gsl_ran_gaussian(rng, 1), submit = 1e6,
	       keep = exp(-100.0 / JOBS);

	for (uint32_t id = 1; id <= JOBS; id++) {
		bool bob = gsl_rng_uniform(rng) < 0.5;
		level = keep * level + sqrt(1 - keep * keep) * gsl_ran_gaussian(rng, 1);
		odd = keep * odd + sqrt(1 - keep * keep) * gsl_ran_gaussian(rng, 1);
		double load = exp(0.6 * level - 0.18), wait = 7200 * load * gsl_ran_exponential(rng, 1);
		double change = bob ? -0.15 * wait : 300 + 120 * odd;
		submit += gsl_ran_exponential(rng, GAP);
		put_job(a, id, bob ? "bob" : "ann", (sec_t)submit, wait + 1000);
		put_job(b, id, bob ? "bob" : "ann", (sec_t)submit, wait + 1000 + change);
	}
}

static const struct class_effect *class_of(const struct comparison *c, const char *user)
{
	for (guint i = 0; i < c->classes->len; i++) {
		const struct class_effect *e = &g_array_index(c->classes, struct class_effect, i);
		if (e->kind == CLASS_USER && strcmp(e->name, user) == 0)
			return e;
	}
	fail();
	return NULL;
}

static void test_rows(void **state)
{
	int all = 0, ann = 0, bob = 0, naive = 0;

	(void)state;
	for (uint32_t k = 0; k < REPEATS; k++) {
		gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
		struct recorder *ra = recorder_open(NULL, NULL), *rb = recorder_open(NULL, NULL);
		struct compare_plan plan = {.seed = k + 1};
		gsl_rng_set(rng, 1000 + k);
		make_up(rng, ra, rb);
		struct compare_side *a = side_of('A', ra), *b = side_of('B', rb);
		struct comparison *c = compare_sides(a, b, &plan, NULL, NULL);
		assert_non_null(c);
		assert_int_equal(c->units, BOOTSTRAP_WINDOWS);
		all += covers(&c->metric[METRIC_WAIT_MEAN], 0.5 * -0.15 * 7200 + 0.5 * 300);
		ann += covers(&class_of(c, "ann")->wait, 300);
		bob += covers(&class_of(c, "bob")->wait, -0.15 * 7200);
		double sum = 0, squares = 0;
		for (guint i = 0; i < JOBS; i++) {
			const struct run_rows *x = ((struct compare_run *)a->runs->pdata[0])->rows,
			                      *y = ((struct compare_run *)b->runs->pdata[0])->rows;
			double d = g_array_index(y->jobs, struct run_job, i).wait -
			           g_array_index(x->jobs, struct run_job, i).wait;
			sum += d;
			squares += d * d;
		}
		double mean = sum / JOBS, error = sqrt((squares / JOBS - mean * mean) / JOBS);
		naive += fabs(mean - -390) <= 1.96 * error;
		comparison_free(c);
		side_free(a, ra);
		side_free(b, rb);
		gsl_rng_free(rng);
	}
	within("rows, all", all);
	within("rows, ann", ann);
	within("rows, bob", bob);
	printf("# rows, job by job as if they were independent: %.1f %%\n", naive * 100.0 / REPEATS);
	assert_true(naive * 100 < REPEATS * 90);
}

/* ---- real simulations ---- */

static struct scenario *site(const char *type)
{
	char *set[] = {(char *)type, NULL};
	struct scenario_options o = {.conf = CONF, .clock = "ideal", .set = set};
	GError *error = NULL;
	struct scenario *s = scenario_load(&o, &error);

	if (!s)
		fail_msg("%s", error->message);
	return s;
}

/* N jobs of one to four of the four nodes, 20 minutes on average, one every GAP seconds. */
static void submit(struct scenario *s, uint32_t n, double gap, unsigned long seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double at = 1;

	gsl_rng_set(rng, seed);
	for (uint32_t i = 0; i < n; i++) {
		struct submission *sub = submission_new();
		at += gsl_ran_exponential(rng, gap);
		sub->at = s->sim.start + (usec_t)(at * 1e6);
		sub->trace_id = i + 1;
		sub->request->user = g_strdup(gsl_rng_uniform(rng) < 0.5 ? "ann" : "bob");
		sub->request->min_nodes = sub->request->max_nodes = 1 + (uint32_t)gsl_rng_uniform_int(rng, 4);
		double run = gsl_ran_exponential(rng, 1200);
		sub->outcome.run_time = (usec_t)(run * 1e6);
		sub->request->time_limit = (uint32_t)(run / 60 * (1 + 2 * gsl_rng_uniform(rng))) + 1;
		g_ptr_array_add(s->submissions, sub);
	}
	gsl_rng_free(rng);
}

static struct recorder *simulate(struct scenario *s)
{
	struct recorder *r = recorder_open(NULL, NULL);
	GError *error = NULL;

	recorder_jobs_only(r);
	struct sim *sim = scenario_start(s, r, &error);
	if (!sim || !sim_run(sim, NULL, NULL, NULL, &error))
		fail_msg("%s", error->message);
	sim_close_record(sim);
	sim_free(sim);
	scenario_free(s);
	return r;
}

static const char *const types[2] = {"SchedulerType=sched/builtin", "SchedulerType=sched/backfill"};

static void test_windows(void **state)
{
	struct effect *effect = g_new0(struct effect, REPEATS);
	double truth = 0;
	int hits = 0;

	(void)state;
	for (uint32_t k = 0; k < REPEATS; k++) {
		struct recorder *r[2];
		struct compare_side *side[2];
		struct compare_plan plan = {.seed = k + 1};
		for (int i = 0; i < 2; i++) {
			struct scenario *s = site(types[i]);
			submit(s, 1000, 2400, 7000 + k);
			r[i] = simulate(s);
			side[i] = side_of((char)('A' + i), r[i]);
		}
		struct comparison *c = compare_sides(side[0], side[1], &plan, NULL, NULL);
		assert_non_null(c);
		effect[k] = c->metric[METRIC_WAIT_MEAN];
		truth += effect[k].difference / REPEATS;
		comparison_free(c);
		for (int i = 0; i < 2; i++)
			side_free(side[i], r[i]);
	}
	for (uint32_t k = 0; k < REPEATS; k++)
		hits += covers(&effect[k], truth);
	printf("# windows: backfill changes the mean wait by %.0f s\n", truth);
	within("windows of real runs", hits);
	g_free(effect);
}

enum { POOL = 400, EACH = 10 };

static void test_replicas(void **state)
{
	struct compare_side *pool[2];
	struct recorder *r[2][POOL];
	double sum[2] = {0}, jobs[2] = {0};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int hits = 0, hits_p95 = 0;
	double truth_p95 = 0;

	(void)state;
	for (int i = 0; i < 2; i++) {
		pool[i] = compare_side_new((char)('A' + i), types[i], NULL);
		for (uint32_t k = 0; k < POOL; k++) {
			struct scenario *s = site(types[i]);
			submit(s, 60, 1000, 5);
			replica_load(s);
			replica_perturb(s, 11, k + 1);
			r[i][k] = simulate(s);
			struct compare_side *one = side_of('A', r[i][k]);
			struct compare_run *run = g_ptr_array_steal_index(one->runs, 0);
			compare_side_free(one);
			g_ptr_array_add(pool[i]->runs, run);
			double v[N_METRICS];
			metrics_of(run->rows, NULL, v);
			sum[i] += v[METRIC_WAIT_MEAN] * v[METRIC_STARTS];
			jobs[i] += v[METRIC_STARTS];
			truth_p95 += (i ? 1 : -1) * v[METRIC_WAIT_P95] / POOL;
		}
	}
	double truth = sum[1] / jobs[1] - sum[0] / jobs[0];
	gsl_rng_set(rng, 3);
	for (uint32_t k = 0; k < REPEATS; k++) {
		struct compare_plan plan = {.seed = k + 1, .replicas = EACH};
		struct compare_side *side[2] = {compare_side_new('A', "a", NULL), compare_side_new('B', "b", NULL)};
		size_t chosen[EACH], all[POOL];
		for (size_t i = 0; i < POOL; i++)
			all[i] = i;
		gsl_ran_choose(rng, chosen, EACH, all, POOL, sizeof *all);
		for (int i = 0; i < 2; i++)
			for (int e = 0; e < EACH; e++)
				g_ptr_array_add(side[i]->runs, pool[i]->runs->pdata[chosen[e]]);
		struct comparison *c = compare_sides(side[0], side[1], &plan, NULL, NULL);
		assert_non_null(c);
		hits += covers(&c->metric[METRIC_WAIT_MEAN], truth);
		hits_p95 += covers(&c->metric[METRIC_WAIT_P95], truth_p95);
		comparison_free(c);
		for (int i = 0; i < 2; i++) {
			while (side[i]->runs->len) /* the pool's */
				g_ptr_array_steal_index(side[i]->runs, side[i]->runs->len - 1);
			compare_side_free(side[i]);
		}
	}
	printf("# replicas: backfill changes the mean wait by %.0f s\n", truth);
	within("replicas of real runs", hits);
	within("replicas of real runs, 95 % of waits", hits_p95);
	for (int i = 0; i < 2; i++) {
		compare_side_free(pool[i]);
		for (uint32_t k = 0; k < POOL; k++)
			recorder_free(r[i][k]);
	}
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_windows),
	                                   cmocka_unit_test(test_replicas)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
