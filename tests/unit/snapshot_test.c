/*
 * snapshot_test.c - a moment as files: a snapshot of a run, continued, gives the future of the run that was not
 * interrupted; a real site's squeue --json; squeue -o; draws from a history.
 */
#include "tests/unit/models_helper.h"
#include "scenarios/snapshot.h"
#include "sim/recorder.h"
#include "tools/forecast.h"
#include <cjson/cJSON.h>
#include <sqlite3.h>
#include <stdlib.h>

#define S "tests/conformance/scenarios/"

/* Everything that a run records of jobs that have not ended at T. */
static char *rows_after(struct sqlite3 *db, usec_t t)
{
	GString *out = g_string_new(NULL);
	sqlite3_stmt *q = NULL;

	sqlite3_prepare_v2(db,
	                   "SELECT job, array_job, array_task, run, start_t, end_t, state, exit_code, nodelist, "
	                   "placement, scheduler, priority "
	                   "FROM job WHERE end_t > ?1 OR end_t = 0 ORDER BY job, run, array_task",
	                   -1, &q, NULL);
	sqlite3_bind_int64(q, 1, t);
	while (sqlite3_step(q) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(q); i++) {
			const char *text = (const char *)sqlite3_column_text(q, i);

			g_string_append_printf(out, "%s|", text ? text : "-");
		}
		g_string_append_c(out, '\n');
	}
	sqlite3_finalize(q);
	return g_string_free(out, FALSE);
}

/* Run PATH from the beginning to UNTIL (NULL = its own end); the caller frees both. */
static struct sim *run(const char *path, const char *until, struct scenario **s, struct recorder **r)
{
	struct scenario_options o = {.path = path, .until = until};
	GError *error = NULL;

	*s = scenario_load(&o, &error);
	assert_non_null(*s);
	*r = recorder_open(NULL, &error);
	struct sim *sim = scenario_start(*s, *r, &error);
	assert_non_null(sim);
	assert_true(sim_run(sim, NULL, NULL, NULL, &error));
	return sim;
}

static void drop(const char *dir)
{
	static const char *const names[] = {
	    "slurm.conf",        "gres.conf",   "topology.yaml", "topology.conf",
	    "sacctmgr-dump.cfg", "squeue.json", "squeue.txt",    "scontrol-show-res.txt",
	    "whypend.json",      "sacct.txt",   "run.db"};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		char *path = g_build_filename(dir, names[i], NULL);
		g_unlink(path);
		g_free(path);
	}
	g_rmdir(dir);
}

static char *continued(const char *dir)
{
	char *db = g_build_filename(dir, "run.db", NULL);
	struct forecast_options o = {.dir = dir, .out = db};
	GError *error = NULL;
	struct forecast *f = forecast_make(&o, NULL, &error);

	if (!f)
		print_error("%s\n", error->message);
	assert_non_null(f);
	assert_int_equal(f->left_out, 0);
	forecast_free(f);
	return db;
}

static void check_moment(const char *path, const char *at)
{
	struct scenario *s;
	struct recorder *r;
	GError *error = NULL;
	char *dir = dir_new();
	struct sim *sim = run(path, at, &s, &r);
	usec_t t = sim_now(sim);
	struct scenario_options o = {.path = path};
	sqlite3 *other;

	assert_true(snapshot_write(s, sim, &o, dir, &error));
	sim_free(sim);
	recorder_free(r);
	scenario_free(s);
	char *db = continued(dir);
	assert_int_equal(sqlite3_open(db, &other), SQLITE_OK);
	sim = run(path, NULL, &s, &r);
	sim_close_record(sim);
	char *whole = rows_after(recorder_db(r), t), *rest = rows_after(other, t);
	if (strcmp(whole, rest))
		print_error("%s at %s:\n%s--- continued:\n%s", path, at, whole, rest);
	assert_string_equal(whole, rest);
	sqlite3_close(other);
	sim_free(sim);
	recorder_free(r);
	scenario_free(s);
	g_free(whole);
	g_free(rest);
	g_free(db);
	drop(dir);
	g_free(dir);
}

static void the_same_future(void **state)
{
	static const char *const paths[] = {"scenarios/first-look",
	                                    S "arrays",
	                                    S "backfill-basic",
	                                    S "dependencies",
	                                    S "fairtree-limits",
	                                    S "fairshare-classic",
	                                    S "gpu-styles",
	                                    S "hold-begin",
	                                    S "license-contention",
	                                    S "mixed-hour",
	                                    S "multi-partition-tiers",
	                                    S "preempt-qos-requeue",
	                                    S "preempt-qos-cancel-grace",
	                                    S "priority-factors",
	                                    S "qos-minutes",
	                                    S "reservations",
	                                    S "select-socket",
	                                    S "order-topology",
	                                    S "time-min",
	                                    S "partition-limits"};
	static const char *const times[] = {"12", "47.5"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++)
		for (size_t k = 0; k < G_N_ELEMENTS(times); k++)
			check_moment(paths[i], times[k]);
	check_moment("scenarios/first-look", "6400");
}

/* A job that is EXPEDITING: its nodes stay kept, and it stays first. */
static void expediting(void **state)
{
	(void)state;
	char *dir = dir_new(), *conf = dir_file(dir, "slurm.conf",
	                                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSlurmctldParameters=enable_expedited_requeue\n"
	                                        "NodeName=n[1-3] CPUs=4 State=UNKNOWN\nPartitionName=p Nodes=ALL Default=YES MaxTime=60\n"),
	     *json = dir_file(dir, "scenario.json",
	                      "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"jobs\": [\n"
	                      " {\"name\": \"x\", \"user\": \"u\", \"nodes\": 2, \"exclusive\": true, \"time\": 30, \"run\": 300, \"requeue\": \"expedite\"},\n"
	                      " {\"name\": \"y\", \"user\": \"u\", \"exclusive\": true, \"time\": 30, \"run\": 200},\n"
	                      " {\"name\": \"z\", \"user\": \"u\", \"at\": 30, \"time\": 1, \"run\": 50}],\n"
	                      " \"events\": [{\"at\": 20, \"cmd\": \"scontrol update nodename=n1 state=down reason=x\"}]}");
	check_moment(dir, "50");
	g_unlink(conf);
	g_unlink(json);
	g_rmdir(dir);
	g_free(conf);
	g_free(json);
	g_free(dir);
}

/* ---- a site ---- */

static char *site_folder(const char *version)
{
	static const char *const files[] = {"slurm.conf",           "gres.conf",
	                                    "topology.conf",        "sacctmgr-dump.cfg",
	                                    "snapshot/squeue.json", "snapshot/scontrol-show-res.txt"};
	char *dir = dir_new();

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		char *from = g_build_filename("tests/site", version, files[i], NULL),
		     *base = g_path_get_basename(files[i]), *text;

		assert_true(g_file_get_contents(from, &text, NULL, NULL));
		g_free(dir_file(dir, base, text));
		g_free(text);
		g_free(base);
		g_free(from);
	}
	return dir;
}

static const struct snap_job *job_of(const struct snapshot *s, uint32_t id)
{
	for (guint i = 0; i < s->jobs->len; i++)
		if (((const struct snap_job *)s->jobs->pdata[i])->id == id)
			return s->jobs->pdata[i];
	fail();
	return NULL;
}

/* squeue --json of a real 26.11: requests, places down to cores and devices, arrays, dependencies, holds. */
static void a_real_squeue(void **state)
{
	char *dir = site_folder("26.11");
	GError *error = NULL;
	struct snapshot *s = snapshot_read(dir, &error);

	(void)state;
	assert_non_null(s);
	assert_int_equal(s->jobs->len, 18);
	assert_int_equal(s->reservations->len, 3);
	assert_string_equal(s->reservations->pdata[0],
	                    "scontrol create reservation=maint_h02 StartTime=2026-11-29T18:57:35 "
	                    "EndTime=2026-11-29T20:57:35 Nodes=h02 Users=root "
	                    "Flags=IGNORE_JOBS,MAINT");
	const struct snap_job *train = job_of(s, 1), *sweep = job_of(s, 7), *task = job_of(s, 25),
	                      *held = job_of(s, 27), *dep = job_of(s, 29);
	const struct snap_node *node = train->nodes->pdata[0];
	assert_int_equal(train->state, JOB_RUNNING);
	assert_string_equal(train->req->gres, "gpu:h100:4");
	assert_int_equal(train->req->ntasks, 8);
	assert_int_equal(train->req->mem_per_node, 65536);
	assert_int_equal(train->req->time_limit, 60);
	assert_string_equal(node->name, "h01");
	assert_int_equal(node->cpus, 16);
	assert_int_equal(node->mem, 65536);
	assert_int_equal(node->cores->len, 16);
	assert_int_equal(g_array_index(node->cores, struct snap_core, 0).socket, 1);
	assert_string_equal(node->gres->pdata[0], "gpu:h100:4(IDX:4-7)");
	assert_string_equal(sweep->req->array, "2-9%2");
	assert_int_equal(task->array_id, 7);
	assert_int_equal(task->task, 1);
	assert_int_equal(held->priority, 0);
	assert_string_equal(dep->dependency, "afterok:1");
	snapshot_free(s);

	struct forecast_options o = {.dir = dir};
	struct forecast *f = forecast_make(&o, NULL, &error);
	assert_non_null(f);
	assert_int_equal(f->left_out, 0);
	assert_int_equal(f->running, 8);
	assert_int_equal(f->jobs->len, 9);
	for (guint i = 0; i < f->jobs->len; i++) {
		const struct forecast_job *j = f->jobs->pdata[i];
		bool runs = !strstr(j->reason, "Held") && strcmp(j->id, "38");

		assert_int_equal(j->start->len, runs ? 1 : 0);
		if (strcmp(j->id, "29") == 0) /* after job 1, which runs to its limit */
			assert_true(g_array_index(j->start, usec_t, 0) / USEC >= 1795975056);
	}
	forecast_free(f);
	drop(dir);
	g_free(dir);
}

static const struct forecast_job *waiting(const struct forecast *f, const char *id)
{
	for (guint i = 0; i < f->jobs->len; i++)
		if (strcmp(((const struct forecast_job *)f->jobs->pdata[i])->id, id) == 0)
			return f->jobs->pdata[i];
	fail();
	return NULL;
}

/* The same of 22.05, whose JSON has another form, with reservations that running jobs use. */
static void an_old_squeue(void **state)
{
	char *dir = site_folder("22.05");
	GError *error = NULL;
	struct forecast_options o = {.dir = dir, .slurm_version = "22.05"};
	struct forecast *f = forecast_make(&o, NULL, &error);
	sec_t eligible;

	(void)state;
	assert_non_null(f);
	assert_int_equal(f->left_out, 0);
	assert_int_equal(f->running, 13);
	assert_int_equal(f->jobs->len, 19);
	assert_true(date_parse("2026-11-29T17:00:18", NULL, &eligible));
	/* a requeued job waits out its begin time, 17:00:17, and backfill comes by, since a reservation is active; held
	 * ones, one past its deadline and one whose dependency failed never start */
	assert_true(g_array_index(waiting(f, "16")->start, usec_t, 0) / USEC == eligible);
	assert_int_equal(waiting(f, "27")->start->len, 0);
	assert_int_equal(waiting(f, "28")->start->len, 0);
	assert_int_equal(waiting(f, "30")->start->len, 0);
	assert_int_equal(waiting(f, "38")->start->len, 0);
	assert_int_equal(waiting(f, "34")->start->len, 1);
	forecast_free(f);
	drop(dir);
	g_free(dir);
}

#define CONF                                                                                                           \
	"SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\nPriorityType=priority/"      \
	"basic\n"                                                                                                      \
	"NodeName=n[1-4] Sockets=2 CoresPerSocket=4 RealMemory=16000 Gres=gpu:4\nPartitionName=p Nodes=ALL "           \
	"Default=YES MaxTime=1-0\n"

/* squeue -o: what is told of places is the node names alone. */
#define TEXT                                                                                                           \
	"10|10|N/A|ann|(null)|p|normal|RUNNING|2026-03-01T08:00:00|2026-03-01T08:30:00|2:00:00|2|8|4000M|gres/"        \
	"gpu:2|n[1-2]|(null)|"                                                                                         \
	"100|None|(null)|(null)|(null)|||0|first\n"                                                                    \
	"11|11|N/A|bob|(null)|p|normal|PENDING|2026-03-01T09:00:00|N/A|1:00:00|4|32|0|N/"                              \
	"A||(null)|90|Resources|(null)|(null)|(null)|||0|a|wide\n"                                                     \
	"12|12|0-3%2|bob|(null)|p|normal|PENDING|2026-03-01T09:10:00|N/A|30:00|1|1|1G|N/"                              \
	"A||afterany:10(unfulfilled)|80|Dependency|(null)|(null)|(null)|||5|arr\n"

static void squeue_as_text(void **state)
{
	char *dir = dir_new();
	GError *error = NULL;

	(void)state;
	g_free(dir_file(dir, "slurm.conf", CONF));
	g_free(dir_file(dir, "squeue.txt", TEXT));
	struct snapshot *s = snapshot_read(dir, &error);
	assert_non_null(s);
	assert_int_equal(s->jobs->len, 3);
	assert_string_equal(job_of(s, 11)->req->name, "a|wide");
	assert_int_equal(job_of(s, 12)->req->nice, 5);
	assert_string_equal(job_of(s, 12)->req->array, "0-3%2");
	sec_t at;
	assert_true(date_parse("2026-03-01T09:10:00", NULL, &at));
	assert_true(s->at == at * USEC); /* the latest time in it */
	snapshot_free(s);
	struct forecast_options o = {.dir = dir};
	struct forecast *f = forecast_make(&o, NULL, &error);
	assert_non_null(f);
	assert_int_equal(f->left_out, 0);
	const struct forecast_job *wide = f->jobs->pdata[0], *arr = f->jobs->pdata[1];
	/* job 10 ends at its limit, 10:30:00, when the sweep finds it */
	usec_t start = g_array_index(wide->start, usec_t, 0) - at * USEC;
	assert_true(start >= 4800 * USEC && start <= 4840 * USEC);
	assert_int_equal(arr->tasks, 4);
	assert_int_equal(arr->start->len, 1);
	forecast_free(f);
	drop(dir);
	g_free(dir);
}

/* A hundred finished jobs that used a quarter of their limits. */
static char *history(void)
{
	GString *o = g_string_new(
	    "JobIDRaw|User|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ExitCode|NNodes|NCPUS\n");

	for (int i = 0; i < 100; i++)
		g_string_append_printf(
		    o,
		    "%d|ann|p|2026-02-01T08:00:00|2026-02-01T08:00:00|2026-02-01T08:%02d:00|%d|60|COMPLETED|0:0|1|1\n",
		    i + 1, 10 + i % 11, 60 * (10 + i % 11));
	return g_string_free(o, FALSE);
}

static void draws(void **state)
{
	char *dir = dir_new(), *past = history();
	GError *error = NULL;

	(void)state;
	g_free(dir_file(dir, "slurm.conf", CONF));
	g_free(dir_file(dir, "squeue.txt", TEXT));
	g_free(dir_file(dir, "sacct.txt", past));
	struct forecast_options o = {.dir = dir, .replicas = 12, .seed = 3};
	struct forecast *f = forecast_make(&o, NULL, &error), *g = forecast_make(&o, NULL, &error);
	assert_non_null(f);
	assert_int_equal(f->n_past, 100);
	assert_int_equal(f->replicas, 12);
	assert_true(f->drawn);
	char *x = forecast_json(f), *y = forecast_json(g);
	assert_string_equal(x, y); /* same seed, same bytes */
	/* job 10 has run 40 of 120 minutes and never more than 21 of 60 have been used: at most 42 */
	const struct forecast_job *wide = f->jobs->pdata[0];
	assert_int_equal(wide->start->len, 12);
	usec_t last = g_array_index(wide->start, usec_t, 11) - f->at;
	assert_true(last <= 4840 * USEC);
	forecast_free(f);
	forecast_free(g);
	g_free(x);
	g_free(y);
	/* and what if */
	char *commands[] = {(char *)"scontrol update NodeName=n4 State=DRAIN Reason=pump",
	                    (char *)"2:00:00 scontrol update NodeName=n4 State=RESUME", NULL};
	o.commands = commands;
	f = forecast_make(&o, NULL, &error);
	assert_non_null(f);
	wide = f->jobs->pdata[0];
	assert_true(g_array_index(wide->start, usec_t, 0) - f->at >= 7200 * USEC);
	forecast_free(f);
	commands[0] = (char *)"scontrol frobnicate";
	assert_null(forecast_make(&o, NULL, &error));
	assert_non_null(error);
	g_error_free(error);
	g_free(past);
	drop(dir);
	g_free(dir);
}

static void bad_folders(void **state)
{
	static const struct {
		const char *name, *text, *error;
	} table[] = {
	    {"slurm.conf", CONF, "there is no squeue.json and no squeue.txt in this folder"},
	    {"squeue.json", "{\"x\": 1}", "there is no list \"jobs\"; give the output of squeue --json"},
	    {"squeue.json", "{", "there is no list \"jobs\""},
	    {"squeue.txt", "12|x\n", "not 26 columns; print it with the format"},
	    {"whypend.json", "{}", "this is no \"whypend-snapshot/1\""},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		char *dir = dir_new();
		GError *error = NULL;

		g_free(dir_file(dir, table[i].name, table[i].text));
		assert_null(snapshot_read(dir, &error));
		if (!strstr(error->message, table[i].error))
			print_error("%s\n", error->message);
		assert_non_null(strstr(error->message, table[i].error));
		g_error_free(error);
		drop(dir);
		g_free(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(expediting), cmocka_unit_test(the_same_future), cmocka_unit_test(a_real_squeue),
	                                   cmocka_unit_test(an_old_squeue),   cmocka_unit_test(squeue_as_text),
	                                   cmocka_unit_test(draws),           cmocka_unit_test(bad_folders)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
