/* Tests of sim/recorder.c and tools/dump.c. WHYPEND_BENCH=1 in the environment adds a measurement of speed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/recorder.h"
#include "tools/dump.h"
#include <errno.h>
#include <math.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct place { /* a directory of a test's own */
	char *dir, *path, *partial;
};

static int set_up(void **state)
{
	struct place *p = g_new0(struct place, 1);
	p->dir = g_dir_make_tmp("recorder-XXXXXX", NULL);
	p->path = g_build_filename(p->dir, "run.db", NULL);
	p->partial = g_strconcat(p->path, ".partial", NULL);
	*state = p;
	return p->dir ? 0 : -1;
}

static int tear_down(void **state)
{
	struct place *p = *state;
	g_unlink(p->path);
	g_unlink(p->partial);
	int rc = g_rmdir(p->dir); /* fails when a test left something else behind */
	g_free(p->dir);
	g_free(p->path);
	g_free(p->partial);
	g_free(p);
	return rc;
}

static bool exists(const char *path)
{
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

static struct recorder *must_open(const char *path)
{
	GError *error = NULL;
	struct recorder *r = recorder_open(path, &error);
	if (error)
		print_error("%s\n", error->message);
	assert_non_null(r);
	return r;
}

static void must_finish(struct recorder *r)
{
	GError *error = NULL;
	bool good = recorder_finish(r, &error);
	if (error)
		print_error("%s\n", error->message);
	assert_true(good);
	assert_null(error);
}

static struct job_row a_job(uint32_t id)
{
	return (struct job_row){.job = id,
	                        .array_task = NO_VAL,
	                        .name = "train",
	                        .user = "ada",
	                        .account = "physics",
	                        .partition = "gpu",
	                        .qos = "normal",
	                        .submit_t = id * USEC,
	                        .start_t = id * USEC + 5,
	                        .end_t = (id + 60) * USEC,
	                        .submit_s = id,
	                        .eligible_s = id,
	                        .start_s = id,
	                        .end_s = id + 60,
	                        .time_limit = 60,
	                        .state = "COMPLETED",
	                        .reason = "None",
	                        .req_nodes = 1,
	                        .req_cpus = 8,
	                        .nnodes = 1,
	                        .ncpus = 8,
	                        .ngpus = 1,
	                        .req_mem = 4096,
	                        .alloc_mem = 4096,
	                        .req_tres = "billing=8,cpu=8,gres/gpu=1,mem=4G,node=1",
	                        .alloc_tres = "billing=8,cpu=8,gres/gpu=1,mem=4G,node=1",
	                        .nodelist = "n01",
	                        .placement = "[{\"node\":\"n01\",\"cpus\":\"0-7\",\"mem\":4096}]",
	                        .priority = 1000,
	                        .scheduler = "main",
	                        .constraints = "h100"};
}

/* A little of everything. */
static void fill(struct recorder *r, uint32_t jobs)
{
	recorder_meta(r, "seed", "1");
	recorder_setting(r, "bf_interval", "60");
	recorder_left_out(r, "no end time", 3, 17);
	recorder_refused(r, 5 * USEC, 0, NULL, "ada", NULL, "gpu", "Invalid account \"x\"\tor\nso");
	for (uint32_t id = 1; id <= jobs; id++) {
		struct job_row row = a_job(id);
		recorder_job(r, &row);
		recorder_wait(r, id, 0, id * USEC, id * USEC + 5, "Priority", NULL, "job 12");
		recorder_series(r, id * USEC, 1, 0, 8, 1, 4096);
		recorder_series(r, id * USEC, 2, 0, 16, 2, 8192); /* the same instant: only this row counts */
		recorder_pass(r, id * USEC, "main", 2, 1, 1, 0, "end of queue", 0, 0);
	}
	recorder_node_state(r, "n01", 0, 9, "DOWN", "power");
	struct assoc_usage_row u = {.t = 300 * USEC,
	                            .account = "phys",
	                            .raw_usage = 12.5,
	                            .norm_usage = 0.5,
	                            .effective = 1,
	                            .level_fs = NAN,
	                            .fairshare = 0.25};
	recorder_assoc_usage(r, &u);
	recorder_conf(r, "slurm.conf", "ClusterName=a");
	recorder_share(r, "phys", "ada", NULL, 3, 0.75);
}

static int64_t ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *row = NULL;
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	int64_t n = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return n;
}

static char *dump_text(sqlite3 *db)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_true(db_dump(out, db, NULL));
	fclose(out);
	return text;
}

static void test_rows_come_back(void **state)
{
	(void)state;
	struct recorder *r = must_open(NULL);
	fill(r, 3);
	assert_true(recorder_ok(r, NULL));
	must_finish(r);
	sqlite3 *db = recorder_db(r);
	assert_non_null(db);
	assert_int_equal(ask(db, "PRAGMA user_version"), 1);
	assert_int_equal(ask(db, "PRAGMA application_id"), 0x77687970);
	assert_int_equal(ask(db, "SELECT value FROM meta WHERE key='schema'"), 1);
	assert_int_equal(ask(db, "SELECT count(*) FROM job"), 3);
	assert_int_equal(ask(db, "SELECT end_t FROM job WHERE job=2"), 62 * USEC);
	assert_int_equal(ask(db, "SELECT array_task FROM job WHERE job=2"), NO_VAL);
	assert_int_equal(ask(db, "SELECT count(*) FROM job WHERE constraints='h100' AND label IS NULL AND real_end=0"),
	                 3);
	assert_int_equal(ask(db, "SELECT count(*) FROM series"), 3);
	assert_int_equal(ask(db, "SELECT min(cpus) FROM series"), 16);
	assert_int_equal(ask(db, "SELECT job IS NULL FROM refused"), 1);
	assert_int_equal(ask(db, "SELECT first_line FROM left_out WHERE count=3"), 17);
	assert_int_equal(ask(db, "SELECT sum(to_t-from_t) FROM wait WHERE blocker='job 12'"), 15);
	assert_int_equal(ask(db, "SELECT to_t FROM node_state WHERE node='n01'"), 9);
	assert_int_equal(ask(db, "SELECT count(*) FROM pass WHERE kind='main' AND queue=2 AND ended_by='end of queue'"),
	                 3);
	assert_int_equal(ask(db, "SELECT value FROM setting WHERE key='bf_interval'"), 60);
	recorder_free(r);
}

static void test_meta_takes_last_value(void **state)
{
	(void)state;
	struct recorder *r = must_open(NULL);
	recorder_meta(r, "nodes", "1");
	recorder_meta(r, "nodes", "2");
	assert_int_equal(ask(recorder_db(r), "SELECT value FROM meta WHERE key='nodes'"), 2);
	assert_int_equal(ask(recorder_db(r), "SELECT count(*) FROM meta WHERE key='nodes'"), 1);
	recorder_free(r);
}

static void test_equal_runs_equal_bytes(void **state)
{
	struct place *p = *state;
	char *bytes[2], *texts[2];
	gsize size[2];
	for (int i = 0; i < 2; i++) {
		struct recorder *r = must_open(p->path); /* the second run replaces the file of the first */
		fill(r, 2000);
		assert_true(exists(p->partial));
		must_finish(r);
		assert_false(exists(p->partial));
		texts[i] = dump_text(recorder_db(r));
		recorder_free(r);
		assert_true(g_file_get_contents(p->path, &bytes[i], &size[i], NULL));
	}
	assert_int_equal(size[0], size[1]);
	assert_memory_equal(bytes[0], bytes[1], size[0]);
	assert_string_equal(texts[0], texts[1]);
	for (int i = 0; i < 2; i++) {
		g_free(bytes[i]);
		free(texts[i]);
	}
}

static void test_nothing_before_finish(void **state)
{
	struct place *p = *state;
	struct recorder *r = must_open(p->path);
	fill(r, 100);
	assert_false(exists(p->path));
	must_finish(r);
	assert_true(exists(p->path));
	assert_int_equal(ask(recorder_db(r), "SELECT count(*) FROM job"), 100);
	must_finish(r);    /* again: nothing to do */
	recorder_abort(r); /* after finish: the file stays */
	recorder_free(r);
	assert_true(exists(p->path));
}

static void test_old_file_stays_until_finish(void **state)
{
	struct place *p = *state;
	assert_true(g_file_set_contents(p->path, "old", 3, NULL));
	assert_true(g_file_set_contents(p->partial, "of a killed run", -1, NULL));
	struct recorder *r = must_open(p->path);
	fill(r, 100);
	char *text = NULL;
	assert_true(g_file_get_contents(p->path, &text, NULL, NULL));
	assert_string_equal(text, "old");
	g_free(text);
	must_finish(r);
	assert_int_equal(ask(recorder_db(r), "SELECT count(*) FROM job"), 100);
	recorder_free(r);
}

static void test_abort_leaves_nothing(void **state)
{
	struct place *p = *state;
	struct recorder *r = must_open(p->path);
	fill(r, 100);
	recorder_abort(r);
	assert_false(exists(p->partial));
	fill(r, 1); /* goes nowhere, harms nothing */
	recorder_abort(r);
	GError *error = NULL;
	assert_false(recorder_finish(r, &error));
	assert_true(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CLOSED));
	g_clear_error(&error);
	recorder_free(r);
	assert_false(exists(p->path));

	r = must_open(p->path);
	recorder_free(r); /* without finish: the same */
	assert_false(exists(p->partial));
}

static void refuse(const char *path, const char *word)
{
	GError *error = NULL;
	assert_null(recorder_open(path, &error));
	assert_non_null(error);
	if (!strstr(error->message, word))
		fail_msg("\"%s\" does not say \"%s\"", error->message, word);
	g_error_free(error);
}

static void test_bad_places(void **state)
{
	struct place *p = *state;
	char *no_dir = g_build_filename(p->dir, "none", "run.db", NULL);
	refuse(no_dir, "No such file or directory");
	g_free(no_dir);
	refuse(p->dir, "not a regular file");
	refuse("/dev/null", "not a regular file");
	assert_true(exists("/dev/null"));
	if (geteuid() != 0) { /* root may write anywhere */
		assert_int_equal(g_chmod(p->dir, 0555), 0);
		refuse(p->path, "Permission denied");
		assert_int_equal(g_chmod(p->dir, 0755), 0);
	}
	refuse("/proc/run.db", "/proc/run.db.partial");
}

static void test_input_hash(void **state)
{
	struct place *p = *state;
	GError *error = NULL;
	assert_true(g_file_set_contents(p->path, "abc", 3, NULL));
	struct recorder *r = must_open(NULL);
	recorder_input(r, "conf", p->path, &error);
	assert_null(error);
	static const char sql[] =
	    "SELECT count(*) FROM input WHERE role='conf' AND name='run.db' AND bytes=3 AND sha256="
	    "'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'";
	assert_int_equal(ask(recorder_db(r), sql), 1);
	recorder_input(r, "trace", p->partial, &error);
	assert_non_null(error);
	assert_true(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND));
	g_clear_error(&error);
	recorder_input(r, "trace", p->dir, &error); /* opens, but cannot be read */
	assert_non_null(error);
	g_clear_error(&error);
	assert_true(recorder_ok(r, NULL)); /* the record itself is good */
	recorder_free(r);
}

/* Finish must fail with "no space" and leave nothing. */
static void must_be_full(struct recorder *r, const struct place *p)
{
	GError *error = NULL;
	assert_false(recorder_finish(r, &error));
	assert_non_null(error);
	if (!g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
		fail_msg("%s", error->message);
	g_clear_error(&error);
	assert_false(recorder_ok(r, NULL));
	assert_null(recorder_db(r));
	recorder_free(r);
	assert_false(exists(p->partial));
	assert_false(exists(p->path));
}

static void test_full_disk_by_page_count(void **state)
{
	struct place *p = *state;
	struct recorder *r = must_open(p->path);
	assert_int_equal(sqlite3_exec(recorder_db(r), "PRAGMA max_page_count=40", NULL, NULL, NULL), SQLITE_OK);
	fill(r, 2000);
	GError *error = NULL;
	assert_false(recorder_ok(r, &error)); /* known at once */
	assert_non_null(error);
	g_clear_error(&error);
	must_be_full(r, p);
}

/* ROWS rows with DETAIL_BYTES each, while no file may grow beyond 256 KiB. */
static void write_beyond_limit(const struct place *p, uint32_t rows, size_t detail_bytes)
{
	struct rlimit old, small;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 256 * 1024;
	char *detail = g_strnfill(detail_bytes, 'x');
	struct recorder *r = must_open(p->path);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (uint32_t i = 0; i < rows; i++)
		recorder_wait(r, i, 0, 0, 1, "Resources", detail, NULL);
	GError *error = NULL;
	bool good = recorder_finish(r, &error);
	setrlimit(RLIMIT_FSIZE, &old); /* before anything can print */
	signal(SIGXFSZ, handler);
	g_free(detail);
	assert_false(good);
	assert_non_null(error);
	g_clear_error(&error);
	must_be_full(r, p);
}

static void test_full_disk_at_commit(void **state)
{
	write_beyond_limit(*state, 1000, 1000);
}

static void test_full_disk_while_writing(void **state)
{
	write_beyond_limit(*state, 5000, 4000); /* more than the cache */
}

static void test_dump_text(void **state)
{
	(void)state;
	struct recorder *r = must_open(NULL);
	fill(r, 1);
	must_finish(r);
	char *text = dump_text(recorder_db(r));
	static const char expected[] =
	    "# table meta (key, value)\n\"schema\"\t\"1\"\n\"seed\"\t\"1\"\n"
	    "# table input (role, name, sha256, bytes)\n"
	    "# table setting (key, value)\n\"bf_interval\"\t\"60\"\n"
	    "# table left_out (cause, count, first_line)\n\"no end time\"\t3\t17\n"
	    "# table refused (t, job, label, user, account, partition, message)\n"
	    "5000000\tNULL\tNULL\t\"ada\"\tNULL\t\"gpu\"\t\"Invalid account \\\"x\\\"\\tor\\nso\"\n"
	    "# table job (job, array_job, array_task, array_tasks, run, label, trace_id, name, user, ";
	static const char end[] =
	    "# table wait (job, run, from_t, to_t, reason, detail, blocker)\n"
	    "1\t0\t1000000\t1000005\t\"Priority\"\tNULL\t\"job 12\"\n"
	    "# table node_state (node, from_t, to_t, state, reason)\n\"n01\"\t0\t9\t\"DOWN\"\t\"power\"\n"
	    "# table series (t, running, pending, cpus, gpus, mem)\n1000000\t2\t0\t16\t2\t8192\n"
	    "# table pass (t, kind, queue, tested, started, planned, ended_by, spent, yields)\n"
	    "1000000\t\"main\"\t2\t1\t1\t0\t\"end of queue\"\t0\t0\n"
	    "# table estimate (job, run, seen_t, lead, estimate_s, start_s)\n"
	    "# table assoc_usage (t, account, user, partition, raw_usage, norm_usage, effective, level_fs, fairshare)\n"
	    "300000000\t\"phys\"\tNULL\tNULL\t12.5\t0.5\t1\tNULL\t0.25\n"
	    "# table stranded (t, free, closed, count, cores, memory, affinity, socket, links)\n"
	    "# table stretch (job, run, class, factor, run_time, stretched, why)\n"
	    "# table resize (job, run, t, submit_s, eligible_s, start_s, end_s, nnodes, ncpus, alloc_tres, nodelist, placement)\n"
	    "# table step (job, run, step, name, start_t, end_t, start_s, end_s, state, exit_code, exit_signal, tasks, nodes, "
	    "cpus, nodelist, alloc_tres, suspended, max_rss, ave_rss, cpu_time)\n"
	    "# table conf (file, line)\n\"slurm.conf\"\t\"ClusterName=a\"\n"
	    "# table share (account, user, partition, shares, norm)\n\"phys\"\t\"ada\"\tNULL\t3\t0.75\n";
	char *head = g_strndup(text, strlen(expected));
	assert_string_equal(head, expected);
	assert_true(g_str_has_suffix(text, end));
	g_free(head);
	free(text);
	recorder_free(r);
}

static void test_dump_reports_full_output(void **state)
{
	(void)state;
	struct recorder *r = must_open(NULL);
	fill(r, 1);
	GError *error = NULL;
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	assert_false(db_dump(full, recorder_db(r), &error));
	assert_true(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE));
	g_clear_error(&error);
	fclose(full);
	recorder_free(r);
}

static void bench(void **state)
{
	struct place *p = *state;
	if (!getenv("WHYPEND_BENCH"))
		skip();
	enum { JOBS = 300000, ROWS = 2000000 };
	gint64 start = g_get_monotonic_time();
	struct recorder *r = must_open(p->path);
	for (uint32_t i = 0; i < ROWS; i++) {
		if (i < JOBS) {
			struct job_row row = a_job(i);
			recorder_job(r, &row);
		}
		recorder_wait(r, i % JOBS, 0, i, i + 1, "Priority", NULL, "job 123456");
		recorder_series(r, i, 100, 2000, 8192, 512, 1 << 20);
		recorder_pass(r, i, "main", 2000, 100, 3, 0, "end of queue", 0, 0);
	}
	gint64 written = g_get_monotonic_time();
	must_finish(r);
	recorder_free(r);
	gint64 end = g_get_monotonic_time();
	struct stat st;
	assert_int_equal(stat(p->path, &st), 0);
	print_message("bench: %.2f s rows, %.2f s finish, %.0f MB\n", (double)(written - start) / 1e6,
	              (double)(end - written) / 1e6, (double)st.st_size / 1e6);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rows_come_back),
	    cmocka_unit_test(test_meta_takes_last_value),
	    IN_PLACE(test_equal_runs_equal_bytes),
	    IN_PLACE(test_nothing_before_finish),
	    IN_PLACE(test_old_file_stays_until_finish),
	    IN_PLACE(test_abort_leaves_nothing),
	    IN_PLACE(test_bad_places),
	    IN_PLACE(test_input_hash),
	    IN_PLACE(test_full_disk_by_page_count),
	    IN_PLACE(test_full_disk_at_commit),
	    IN_PLACE(test_full_disk_while_writing),
	    cmocka_unit_test(test_dump_text),
	    cmocka_unit_test(test_dump_reports_full_output),
	    IN_PLACE(bench),
	};
	return cmocka_run_group_tests_name("recorder", tests, NULL, NULL);
}
