/*
 * life_test.c - nothing is lost: random scenarios with faults, preemption, reservations, power saving and reboots run under the audit
 * (no core, GPU, MiB or licence held twice after any instant), and then the record must add up (lifecycle C1, C2):
 *
 *   - every submission of the scenario that came before the end was refused, or has rows, not both;
 *   - every job, component and array task ends in exactly one final state, or still waits or runs when the run ends; all rows before
 *     that one are of runs that were requeued, and runs are numbered without gaps;
 *   - an array has as many tasks in its rows as were submitted; no task ends twice;
 *   - waiting intervals follow each other without gaps up to the start or the end;
 *   - each node's intervals fill the run; what rows held, times how long, is the integral of the series of CPUs.
 *
 * Environment: LIFE_COUNT=n scenarios (make lifetest: 500), LIFE_SEED=n that one alone.
 */
#include "scenarios/scenario.h"
#include "sched/base/hostlist.h"
#include "tests/unit/random_site.h"
#include <cjson/cJSON.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdlib.h>

#define SCENARIOS 60

struct totals { uint64_t scenarios, rows, requeued, preempted, failed, power, resized, waits; };

static void must(uint64_t seed, bool ok, const GError *error)
{
	if (!ok)
		fail_msg("seed %" G_GUINT64_FORMAT ": %s", (guint64)seed, error ? error->message : "failed");
}

/* The rows that QUERY finds are wrong. False when there are such. */
static bool none(sqlite3 *db, uint64_t seed, const char *what, const char *query)
{
	sqlite3_stmt *q;
	bool good = true;
	if (sqlite3_prepare_v2(db, query, -1, &q, NULL) != SQLITE_OK)
		fail_msg("%s: %s", query, sqlite3_errmsg(db));
	for (int n = 0; n < 5 && sqlite3_step(q) == SQLITE_ROW; n++, good = false) {
		print_error("seed %" G_GUINT64_FORMAT ": %s:", (guint64)seed, what);
		for (int i = 0; i < sqlite3_column_count(q); i++)
			print_error(" %s=%s", sqlite3_column_name(q, i), (const char *)sqlite3_column_text(q, i));
		print_error("\n");
	}
	sqlite3_finalize(q);
	return good;
}

static int64_t number(sqlite3 *db, const char *query)
{
	sqlite3_stmt *q;
	if (sqlite3_prepare_v2(db, query, -1, &q, NULL) != SQLITE_OK)
		fail_msg("%s: %s", query, sqlite3_errmsg(db));
	int64_t n = sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
	sqlite3_finalize(q);
	return n;
}

#define OVER "('COMPLETED','CANCELLED','FAILED','TIMEOUT','NODE_FAIL','PREEMPTED','DEADLINE','OUT_OF_MEMORY','BOOT_FAIL')"
#define END "(SELECT CAST(value AS INTEGER) FROM meta WHERE key='end')"

static bool jobs_add_up(sqlite3 *db, uint64_t seed)
{
	bool ok = none(db, seed, "a state that no run can have",
	               "SELECT job, run, state FROM job WHERE state NOT IN " OVER " AND state NOT IN ('PENDING','RUNNING','SUSPENDED','REQUEUED')");
	ok &= none(db, seed, "the runs are not 0, 1, 2 ...",
	           "SELECT job, array_tasks, count(*) n, max(run) m FROM job GROUP BY job, coalesce(array_tasks,'') HAVING m != n - 1 AND coalesce(array_tasks,'') = ''");
	ok &= none(db, seed, "a run that is not the last was not requeued",
	           "SELECT j.job, j.run, j.state FROM job j WHERE EXISTS (SELECT 1 FROM job k WHERE k.job = j.job AND k.run > j.run)"
	           " AND j.state NOT IN ('REQUEUED','PREEMPTED','NODE_FAIL')");
	ok &= none(db, seed, "the last run was requeued and never waited again",
	           "SELECT job, run, state FROM job j WHERE state = 'REQUEUED' AND NOT EXISTS (SELECT 1 FROM job k WHERE k.job = j.job AND k.run > j.run)");
	ok &= none(db, seed, "it ran without nodes, or has nodes and never ran",
	           "SELECT job, run, state, start_t, nnodes FROM job WHERE (start_t > 0) != (nnodes > 0) AND state != 'PENDING'");
	ok &= none(db, seed, "it ends before it starts, or starts before it is submitted",
	           "SELECT job, run, submit_t, start_t, end_t FROM job WHERE (end_t > 0 AND start_t > end_t) OR (start_t > 0 AND start_t < submit_t)");
	ok &= none(db, seed, "a task has two lives",
	           "SELECT array_job, array_task, count(DISTINCT job) n FROM job WHERE array_job > 0 AND coalesce(array_tasks,'') = '' GROUP BY 1, 2 HAVING n > 1");
	ok &= none(db, seed, "refused and accepted",
	           "SELECT r.label FROM refused r JOIN job j ON j.label = r.label WHERE r.label != 'command' AND r.label != ''");
	return ok;
}

/* "5" or "[3-7,9%2]": TASK is in it. */
static void add_tasks(GHashTable *tasks, const char *text)
{
	char *list = g_strdup_printf("t%s", text), *percent = strchr(list, '%');
	if (percent)
		memmove(percent, strchr(percent, ']'), strlen(strchr(percent, ']')) + 1);
	GPtrArray *names = hostlist_expand(list, NULL);
	assert_non_null(names);
	for (guint i = 0; i < names->len; i++)
		g_hash_table_add(tasks, g_strdup(names->pdata[i]));
	g_ptr_array_unref(names);
	g_free(list);
}

static bool array_is_whole(sqlite3 *db, uint64_t seed, const char *label, const char *spec)
{
	GHashTable *want = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), *have = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autofree char *plain = g_strndup(spec, strcspn(spec, "%")), *text = g_strdup_printf("[%s]", plain);
	g_autofree char *query = g_strdup_printf("SELECT CASE WHEN coalesce(array_tasks,'') != '' THEN array_tasks ELSE '[' || array_task || ']' END FROM job WHERE label = '%s'", label);
	sqlite3_stmt *q;
	assert_int_equal(sqlite3_prepare_v2(db, query, -1, &q, NULL), SQLITE_OK);
	while (sqlite3_step(q) == SQLITE_ROW)
		add_tasks(have, (const char *)sqlite3_column_text(q, 0));
	sqlite3_finalize(q);
	add_tasks(want, text);
	bool same = g_hash_table_size(want) == g_hash_table_size(have);
	if (!same)
		print_error("seed %" G_GUINT64_FORMAT ": array %s: %u tasks submitted, %u in the record\n", (guint64)seed, label,
		            g_hash_table_size(want), g_hash_table_size(have));
	g_hash_table_unref(want);
	g_hash_table_unref(have);
	return same;
}

/* Each job of the scenario that came before the end is there, or was refused. */
static bool all_came(sqlite3 *db, uint64_t seed, const char *json)
{
	cJSON *root = cJSON_Parse(json), *j;
	assert_non_null(root);
	int64_t start = number(db, "SELECT CAST(value AS INTEGER) FROM meta WHERE key='start'"), end = number(db, "SELECT " END);
	bool ok = true;
	cJSON_ArrayForEach(j, cJSON_GetObjectItem(root, "jobs"))
	{
		const char *label = cJSON_GetObjectItem(j, "name")->valuestring;
		const cJSON *at = cJSON_GetObjectItem(j, "at"), *array = cJSON_GetObjectItem(j, "array");
		g_autofree char *rows = g_strdup_printf("SELECT count(*) FROM job WHERE label = '%s' OR label LIKE '%s+%%'", label, label);
		g_autofree char *refused = g_strdup_printf("SELECT count(*) FROM refused WHERE label = '%s'", label);
		bool there = number(db, rows) > 0, came = start + (int64_t)((at ? at->valuedouble : 0) * 1e6) < end - 700 * INT64_C(1000000);
		if (came && !there && !number(db, refused)) { /* an outage may put it off for 500 s */
			print_error("seed %" G_GUINT64_FORMAT ": job %s is nowhere\n", (guint64)seed, label);
			ok = false;
		}
		if (there && array)
			ok &= array_is_whole(db, seed, label, array->valuestring);
	}
	cJSON_Delete(root);
	return ok;
}

static bool waits_add_up(sqlite3 *db, uint64_t seed)
{
	bool ok = none(db, seed, "a gap in its waiting, or a double",
	               "SELECT job, run, to_t, nxt FROM (SELECT job, run, to_t, lead(from_t) OVER (PARTITION BY job, run ORDER BY from_t, to_t) nxt FROM wait)"
	               " WHERE nxt IS NOT NULL AND nxt != to_t");
	ok &= none(db, seed, "an interval without length", "SELECT job, run, from_t, to_t FROM wait WHERE to_t <= from_t");
	ok &= none(db, seed, "its waiting does not end with its start",
	           "SELECT j.job, j.run, j.start_t, w.t FROM job j JOIN (SELECT job, run, max(to_t) t FROM wait GROUP BY 1, 2) w ON w.job = j.job AND w.run = j.run"
	           " WHERE j.start_t > 0 AND w.t != j.start_t AND w.t != j.end_t AND w.t != " END);
	return ok;
}

/* CPU-microseconds of rows against those of the series. A job holds its nodes while they boot, before it starts. */
static bool nodes_add_up(sqlite3 *db, uint64_t seed, bool exact)
{
	bool ok = none(db, seed, "the intervals of a node do not fill the run",
	               "SELECT node, sum(to_t - from_t) s, max(to_t) - min(from_t) w, max(to_t) e FROM node_state GROUP BY node HAVING s != w OR e != " END);
	if (!exact)
		return ok;
	int64_t held = number(db, "SELECT sum(j.ncpus * ((CASE WHEN j.end_t > 0 THEN j.end_t ELSE " END " END) - j.start_t + coalesce((SELECT sum(w.to_t - w.from_t)"
	                          " FROM wait w WHERE w.job = j.job AND w.run = j.run AND w.blocker LIKE '%: power up' AND w.to_t = j.start_t), 0)))"
	                          " FROM job j WHERE j.start_t > 0");
	/* --no-kill: until the loss of a node it held more than at its end */
	held += number(db, "SELECT coalesce(sum((z.ncpus - j.ncpus) * (z.t - z.since)), 0) FROM (SELECT *, coalesce(lag(t) OVER (PARTITION BY job, run ORDER BY t), "
	                   "(SELECT k.start_t - coalesce((SELECT sum(w.to_t - w.from_t) FROM wait w WHERE w.job = k.job AND w.run = k.run AND w.blocker LIKE '%: power up'"
	                   " AND w.to_t = k.start_t), 0) FROM job k WHERE k.job = resize.job AND k.run = resize.run)) since FROM resize) z"
	                   " JOIN job j ON j.job = z.job AND j.run = z.run");
	int64_t series = number(db, "SELECT sum(cpus * (coalesce(nxt, " END ") - t)) FROM (SELECT t, cpus, lead(t) OVER (ORDER BY t) nxt FROM series)");
	if (held != series)
		print_error("seed %" G_GUINT64_FORMAT ": rows hold %" G_GINT64_FORMAT " CPU-microseconds, the series %" G_GINT64_FORMAT "\n",
		            (guint64)seed, (gint64)held, (gint64)series);
	return ok && held == series;
}

static bool one_scenario(uint64_t seed, const char *dir, struct totals *t)
{
	struct site *site = site_new(seed);
	put_site(dir, site);
	struct scenario_options o = {.path = dir};
	GError *error = NULL;
	struct scenario *s = scenario_load(&o, &error);
	must(seed, s != NULL, error);
	s->sim.audit = true;
	struct recorder *r = recorder_open(NULL, &error);
	must(seed, r != NULL, error);
	struct sim *sim = scenario_start(s, r, &error);
	must(seed, sim != NULL, error);
	must(seed, sim_run(sim, NULL, NULL, NULL, &error), error);
	sim_close_record(sim);
	sim_free(sim);
	must(seed, recorder_finish(r, &error), error);
	sqlite3 *db = recorder_db(r);
	/* suspended jobs hold nothing that the series counts; a costly pass starts jobs after the instant of its series' row */
	bool exact = !strstr(site->conf->str, "SUSPEND,") && !strstr(site->json->str, "scontrol suspend") &&
	             !strstr(site->json->str, "controller_cost");
	bool ok = jobs_add_up(db, seed);
	ok &= all_came(db, seed, site->json->str);
	ok &= waits_add_up(db, seed);
	ok &= nodes_add_up(db, seed, exact);
	t->scenarios++;
	t->rows += (uint64_t)number(db, "SELECT count(*) FROM job");
	t->requeued += (uint64_t)number(db, "SELECT count(*) FROM job WHERE run > 0");
	t->preempted += (uint64_t)number(db, "SELECT count(*) FROM job WHERE state = 'PREEMPTED'");
	t->failed += (uint64_t)number(db, "SELECT count(*) FROM job WHERE state = 'NODE_FAIL'");
	t->power += (uint64_t)number(db, "SELECT count(*) FROM wait WHERE blocker LIKE '%: power up'");
	t->resized += (uint64_t)number(db, "SELECT count(*) FROM resize");
	t->waits += (uint64_t)number(db, "SELECT count(*) FROM wait");
	recorder_free(r);
	scenario_free(s);
	site_free(site);
	return ok;
}

static void remove_dir(const char *dir)
{
	static const char *const NAMES[] = {"slurm.conf", "assoc.sacctmgr", "scenario.json", "topology.conf", "faults.csv", "changed.conf"};
	for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
		char *path = g_build_filename(dir, NAMES[i], NULL);
		g_unlink(path);
		g_free(path);
	}
	g_rmdir(dir);
}

static void test_nothing_is_lost(void **state)
{
	const char *single = g_getenv("LIFE_SEED"), *count = g_getenv("LIFE_COUNT");
	uint64_t first = single ? g_ascii_strtoull(single, NULL, 10) : 1001; /* other scenarios than naive_test.c's */
	uint64_t n = single ? 1 : count ? g_ascii_strtoull(count, NULL, 10) : SCENARIOS, bad = 0;
	char *dir = g_dir_make_tmp("whypend-life-XXXXXX", NULL);
	struct totals t = {0};

	(void)state;
	assert_non_null(dir);
	for (uint64_t seed = first; seed < first + n; seed++)
		bad += !one_scenario(seed, dir, &t);
	remove_dir(dir);
	g_free(dir);
	print_message("%" G_GUINT64_FORMAT " scenarios, %" G_GUINT64_FORMAT " runs of jobs, %" G_GUINT64_FORMAT " of them after a requeue, %" G_GUINT64_FORMAT
	              " preempted, %" G_GUINT64_FORMAT " lost with a node, %" G_GUINT64_FORMAT " waits for nodes to boot, %" G_GUINT64_FORMAT " nodes lost by jobs that went on; %" G_GUINT64_FORMAT " scenarios do not add up\n",
	              (guint64)t.scenarios, (guint64)t.rows, (guint64)t.requeued, (guint64)t.preempted, (guint64)t.failed, (guint64)t.power, (guint64)t.resized, (guint64)bad);
	assert_int_equal(bad, 0);
	if (n >= SCENARIOS) /* else the generator makes nothing worth looking at */
		assert_true(t.requeued > n / 5 && t.failed > n / 10 && t.power > n / 5 && t.resized > n / 20 && t.preempted > n / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_lost)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
