/* Replicas of a scenario's workload: scenarios/replica.h. */
#include "scenarios/replica.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#define MONTH "scenarios/h100-a100-month"

static struct scenario *load(const char *path)
{
	GError *error = NULL;
	struct scenario_options o = {.path = path};
	struct scenario *s = scenario_load(&o, &error);

	if (error)
		fail_msg("%s", error->message);
	replica_load(s);
	return s;
}

static char *text_of(const struct scenario *s)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < s->submissions->len; i++) {
		const struct submission *sub = s->submissions->pdata[i];
		g_string_append_printf(out, "%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %d\n",
		                       sub->label ? sub->label : "-", sub->at, sub->outcome.run_time,
		                       sub->outcome.exit_code);
	}
	return g_string_free(out, FALSE);
}

static char *replica(const char *path, uint64_t seed, uint32_t number)
{
	struct scenario *s = load(path);
	replica_perturb(s, seed, number);
	char *text = text_of(s);
	scenario_free(s);
	return text;
}

static void test_seeds(void **state)
{
	const char *path = "scenarios/first-look";
	char *given = replica(path, 1, 0), *first = replica(path, 1, 1), *again = replica(path, 1, 1),
	     *second = replica(path, 1, 2), *seed = replica(path, 2, 1);
	struct scenario *s = load(path);
	char *plain = text_of(s);

	(void)state;
	assert_string_equal(given, plain);
	assert_string_equal(first, again);
	assert_string_not_equal(first, given);
	assert_string_not_equal(first, second);
	assert_string_not_equal(first, seed);
	scenario_free(s);
	g_free(plain);
	g_free(given);
	g_free(first);
	g_free(again);
	g_free(second);
	g_free(seed);
}

/* CPU seconds that the jobs would run, cut at their limits. */
static double work(const struct scenario *s)
{
	double sum = 0;

	for (guint i = 0; i < s->submissions->len; i++) {
		const struct submission *sub = s->submissions->pdata[i];
		const struct job_request *r = sub->request;
		double nodes = r->min_nodes == NO_VAL ? 1 : r->min_nodes,
		       per = r->ntasks_per_node == NO_VAL ? 1 : r->ntasks_per_node;
		double cpus = r->cpus_per_task == NO_VAL ? 1 : r->cpus_per_task;
		sum += nodes * per * cpus * MIN((double)sub->outcome.run_time / 1e6, r->time_limit * 60.0);
	}
	return sum;
}

static void test_month(void **state)
{
	struct scenario *given = load(MONTH), *s = load(MONTH);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	guint days[40] = {0}, days_given[40] = {0};
	usec_t before = INT64_MIN;

	(void)state;
	replica_perturb(s, 1, 1);
	assert_int_equal(s->submissions->len, given->submissions->len);
	for (guint i = 0; i < s->submissions->len; i++) {
		const struct submission *sub = s->submissions->pdata[i];
		const char *dependency = sub->request->dependency ? strchr(sub->request->dependency, '@') : NULL;
		assert_true(sub->at >= before && sub->at >= s->sim.start);
		before = sub->at;
		if (dependency) { /* one job each in this trace */
			char *name = g_strndup(dependency + 1, strcspn(dependency + 1, ":,"));
			assert_true(g_hash_table_contains(seen, name));
			g_free(name);
		}
		g_hash_table_add(seen, sub->label);
		days[MIN(39, (sub->at - s->sim.start) / (86400 * USEC))]++;
		days_given[MIN(39, (((struct submission *)given->submissions->pdata[i])->at - s->sim.start) /
		                       (86400 * USEC))]++;
	}
	for (int d = 0; d < 31; d++) /* sessions keep their hour: only their tails pass midnight */
		assert_true(days[d] * 100 >= days_given[d] * 97 && days[d] * 97 <= days_given[d] * 100);
	assert_true(work(s) > 0.9 * work(given) && work(s) < 1.1 * work(given));
	g_hash_table_unref(seen);
	scenario_free(s);
	scenario_free(given);
}

static void test_window(void **state)
{
	struct scenario *s = load(MONTH);
	usec_t from = s->sim.start + 3 * 86400 * USEC, to = from + 86400 * USEC;
	GError *error = NULL;
	guint earlier = 0;

	(void)state;
	replica_perturb(s, 7, 2);
	replica_window(s, from, to);
	assert_true(s->submissions->len > 300 && s->submissions->len < 1500);
	for (guint i = 0; i < s->submissions->len; i++) {
		const struct submission *sub = s->submissions->pdata[i];
		assert_true((sub->at >= from || sub->at + sub->outcome.run_time > from) && sub->at < to);
		earlier += sub->at < from;
	}
	assert_true(earlier > 10 && earlier < 200); /* the cluster is not empty */
	s->sim.until = from + 3600 * USEC;
	struct sim *sim = scenario_start(s, NULL, &error);
	assert_true(sim_run(sim, NULL, NULL, NULL, &error));
	assert_int_equal(sim_counts(sim).refused, 0);
	assert_true(sim_counts(sim).started > 0);
	sim_free(sim);
	scenario_free(s);
}

static void test_strip(void **state)
{
	static const char *const cases[][2] = {
	    {"afterok:@a:@b", "afterok:@a"},         {"afterok:@b", NULL},
	    {"afterok:@b,singleton", "singleton"},   {"afterok:@a_3?afterany:@b", "afterok:@a_3"},
	    {"after:@a+5,afterok:@b", "after:@a+5"}, {"afterok:12", NULL},
	    {"afterok:@b?afterok:@a", "afterok:@a"}, {"singleton", "singleton"}};
	GHashTable *kept = g_hash_table_new(g_str_hash, g_str_equal);

	(void)state;
	g_hash_table_add(kept, (gpointer) "a");
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *left = replica_strip_dependency(cases[i][0], kept);
		if (cases[i][1])
			assert_string_equal(left, cases[i][1]);
		else
			assert_null(left);
		g_free(left);
	}
	g_hash_table_unref(kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_seeds), cmocka_unit_test(test_month),
	                                   cmocka_unit_test(test_window), cmocka_unit_test(test_strip)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
