/*
 * recorder.c - run.db (see recorder.h) in one SQLite transaction.
 *
 * The bytes of the file are a function of the calls alone: fixed page size, no journal, one connection, rows and
 * indexes in a fixed order, nothing of the clock or of the host. Until recorder_finish SQLite works on PATH.partial
 * with all safety off, because a broken partial file is thrown away anyway; then one fsync and one rename make it real.
 *
 * Numbers are stored as struct job_row holds them (also NO_VAL and INFINITE), absent strings as NULL.
 */
#include "sim/recorder.h"
#include "sim/steps.h"
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum table {
	T_META,
	T_INPUT,
	T_SETTING,
	T_LEFT_OUT,
	T_REFUSED,
	T_JOB,
	T_WAIT,
	T_NODE_STATE,
	T_SERIES,
	T_PASS,
	T_ESTIMATE,
	T_ASSOC_USAGE,
	T_STRANDED,
	T_STRETCH,
	T_RESIZE,
	T_STEP,
	T_CONF,
	T_SHARE,
	N_TABLES
};

static const struct {
	const char *name, *columns;
	int n; /* columns */
} tables[N_TABLES] = {
    [T_META] = {"meta", "key TEXT PRIMARY KEY, value TEXT", 2},
    [T_INPUT] = {"input", "role TEXT, name TEXT, sha256 TEXT, bytes INTEGER", 4},
    [T_SETTING] = {"setting", "key TEXT, value TEXT", 2},
    [T_LEFT_OUT] = {"left_out", "cause TEXT, count INTEGER, first_line INTEGER", 3},
    [T_REFUSED] = {"refused",
                   "t INTEGER, job INTEGER, label TEXT, user TEXT, account TEXT, partition TEXT, message TEXT", 7},
    [T_JOB] = {"job",
               "job INTEGER, array_job INTEGER, array_task INTEGER, array_tasks TEXT, run INTEGER, label TEXT, "
               "trace_id INTEGER, name TEXT, user TEXT, account TEXT, partition TEXT, qos TEXT, "
               "submit_t INTEGER, start_t INTEGER, end_t INTEGER, "
               "submit_s INTEGER, eligible_s INTEGER, start_s INTEGER, end_s INTEGER, "
               "time_limit INTEGER, state TEXT, exit_code INTEGER, exit_signal INTEGER, reason TEXT, "
               "req_nodes INTEGER, req_cpus INTEGER, nnodes INTEGER, ncpus INTEGER, ngpus INTEGER, "
               "req_mem INTEGER, alloc_mem INTEGER, req_tres TEXT, alloc_tres TEXT, nodelist TEXT, "
               "placement TEXT, priority INTEGER, scheduler TEXT, constraints TEXT, "
               "real_start INTEGER, real_end INTEGER, "
               "het_job INTEGER, het_offset INTEGER, suspended INTEGER, lost INTEGER, lost_cause TEXT, "
               "cancelled_by TEXT",
               46},
    [T_WAIT] = {"wait",
                "job INTEGER, run INTEGER, from_t INTEGER, to_t INTEGER, reason TEXT, detail TEXT, blocker TEXT", 7},
    [T_NODE_STATE] = {"node_state", "node TEXT, from_t INTEGER, to_t INTEGER, state TEXT, reason TEXT", 5},
    [T_SERIES] = {"series", "t INTEGER, running INTEGER, pending INTEGER, cpus INTEGER, gpus INTEGER, mem INTEGER", 6},
    [T_PASS] = {"pass",
                "t INTEGER, kind TEXT, queue INTEGER, tested INTEGER, started INTEGER, planned INTEGER, "
                "ended_by TEXT, spent INTEGER, yields INTEGER",
                9},
    [T_ESTIMATE] = {"estimate", "job INTEGER, run INTEGER, seen_t INTEGER, lead TEXT, estimate_s INTEGER, start_s INTEGER", 6},
    [T_ASSOC_USAGE] = {"assoc_usage",
                       "t INTEGER, account TEXT, user TEXT, partition TEXT, raw_usage REAL, norm_usage REAL, "
                       "effective REAL, level_fs REAL, fairshare REAL",
                       9},
    [T_STRANDED] = {"stranded",
                    "t INTEGER, free INTEGER, closed INTEGER, count INTEGER, cores INTEGER, memory INTEGER, "
                    "affinity INTEGER, socket INTEGER, links INTEGER",
                    9},
    [T_RESIZE] = {"resize",
                  "job INTEGER, run INTEGER, t INTEGER, submit_s INTEGER, eligible_s INTEGER, start_s INTEGER, end_s INTEGER, nnodes INTEGER, ncpus INTEGER, "
                  "alloc_tres TEXT, nodelist TEXT, placement TEXT",
                  12},
    [T_STRETCH] = {"stretch", "job INTEGER, run INTEGER, class TEXT, factor REAL, run_time REAL, stretched REAL, why TEXT",
                   7},
    [T_STEP] = {"step",
                "job INTEGER, run INTEGER, step TEXT, name TEXT, start_t INTEGER, end_t INTEGER, start_s INTEGER, "
                "end_s INTEGER, state TEXT, exit_code INTEGER, exit_signal INTEGER, tasks INTEGER, nodes INTEGER, "
                "cpus INTEGER, nodelist TEXT, alloc_tres TEXT, suspended INTEGER, max_rss INTEGER, ave_rss INTEGER, "
                "cpu_time INTEGER",
                20},
    [T_CONF] = {"conf", "file TEXT, line TEXT", 2},
    [T_SHARE] = {"share", "account TEXT, user TEXT, partition TEXT, shares INTEGER, norm REAL", 5},
};

/* 2003335536 is "whyp". A small cache is faster and spills to the file: nobody reads the partial file. */
static const char open_sql[] = "PRAGMA page_size=8192; PRAGMA auto_vacuum=0; PRAGMA encoding='UTF-8';"
                               "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY;"
                               "PRAGMA cache_size=-8192; PRAGMA threads=0;"
                               "PRAGMA application_id=2003335536; PRAGMA user_version=1; BEGIN EXCLUSIVE;";
static const char finish_sql[] = "CREATE INDEX job_by_id ON job(job, run);"
                                 "CREATE INDEX wait_by_job ON wait(job, run);"
                                 "CREATE INDEX step_by_job ON step(job, run);"
                                 "CREATE INDEX node_state_by_node ON node_state(node);"
                                 "COMMIT;";

struct series_row {
	usec_t t;
	uint32_t running, pending;
	uint64_t cpus, gpus, mem;
};

struct recorder {
	char *path, *partial;           /* owned, absolute; both NULL in memory */
	sqlite3 *db;                    /* NULL after abort or a failed finish */
	sqlite3_stmt *insert[N_TABLES]; /* NULL after finish */
	GError *error;                  /* the first one; nothing is written after it */
	bool finished, in_memory; /* in_memory: the file is written at the end */
	bool light; /* jobs only */
	bool held; /* series holds the row of the latest instant, not yet written */
	struct series_row series;
};

/* The system's word on the last failure of SQLite; 0 = none. */
static int system_errno(sqlite3 *db, int code)
{
	int err = 0;
	if (code == SQLITE_CANTOPEN)
		err = sqlite3_system_errno(db);
	else if (code == SQLITE_IOERR && sqlite3_file_control(db, NULL, SQLITE_FCNTL_LAST_ERRNO, &err) != SQLITE_OK)
		err = 0;
	return err;
}

/* Remember the first failure of SQLite. */
static void fail(struct recorder *r)
{
	if (r->error)
		return;
	const char *what = r->partial ? r->partial : "run.db in memory";
	int code = r->db ? sqlite3_errcode(r->db) & 0xff : SQLITE_NOMEM;
	int err = r->db ? system_errno(r->db, code) : 0;
	bool full = code == SQLITE_FULL || err == ENOSPC || err == EFBIG || err == EDQUOT;
	r->error =
	    g_error_new(G_IO_ERROR, full ? G_IO_ERROR_NO_SPACE : G_IO_ERROR_FAILED, "%s: %s%s%s", what,
	                r->db ? sqlite3_errmsg(r->db) : "out of memory", err ? ": " : "", err ? g_strerror(err) : "");
}

/* Remember the failure of a system call on NAME. */
static void fail_errno(struct recorder *r, const char *name, int err)
{
	if (!r->error)
		r->error = g_error_new(G_IO_ERROR, g_io_error_from_errno(err), "%s: %s", name, g_strerror(err));
}

static void exec(struct recorder *r, const char *sql)
{
	if (!r->error && sqlite3_exec(r->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(r);
}

static void create_table(struct recorder *r, enum table t)
{
	char *create = g_strdup_printf("CREATE TABLE %s(%s)", tables[t].name, tables[t].columns);
	exec(r, create);
	g_free(create);
	GString *sql = g_string_new(NULL);
	/* REPLACE matters to meta alone: a key given again takes the new value */
	g_string_printf(sql, "INSERT OR REPLACE INTO %s VALUES(?", tables[t].name);
	for (int i = 1; i < tables[t].n; i++)
		g_string_append(sql, ",?");
	g_string_append_c(sql, ')');
	if (!r->error && sqlite3_prepare_v3(r->db, sql->str, -1, SQLITE_PREPARE_PERSISTENT, &r->insert[t], NULL))
		fail(r);
	g_string_free(sql, TRUE);
}

static void finalize_all(struct recorder *r)
{
	for (int t = 0; t < N_TABLES; t++) {
		sqlite3_finalize(r->insert[t]);
		r->insert[t] = NULL;
	}
}

static void close_db(struct recorder *r)
{
	finalize_all(r);
	sqlite3_close_v2(r->db);
	r->db = NULL;
}

/* A rename must not put a file in the place of a directory or, run by root, of a device. */
static bool place_is_good(const char *path, GError **error)
{
	struct stat st;
	if (stat(path, &st) < 0 || S_ISREG(st.st_mode))
		return true;
	g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s: exists and is not a regular file", path);
	return false;
}

static struct recorder *open_recorder(const char *path, bool in_memory, GError **error)
{
	struct recorder *r = g_new0(struct recorder, 1);
	r->in_memory = in_memory;
	if (path) {
		r->path = g_canonicalize_filename(path, NULL);
		r->partial = g_strconcat(r->path, ".partial", NULL);
		if (!place_is_good(r->path, &r->error))
			goto bad;
		if (g_unlink(r->partial) < 0 && errno != ENOENT) {
			fail_errno(r, r->partial, errno);
			goto bad;
		}
	}
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	/* "": in memory, but for what outgrows the cache, which goes to a file that has no name */
	const char *place = in_memory ? ":memory:" : r->partial ? r->partial : "";
	if (sqlite3_open_v2(place, &r->db, flags, NULL) != SQLITE_OK)
		fail(r);
	exec(r, open_sql);
	for (int t = 0; t < N_TABLES && !r->error; t++)
		create_table(r, t);
	recorder_meta(r, "schema", "1");
	if (!r->error)
		return r;
bad:
	g_propagate_error(error, g_steal_pointer(&r->error));
	recorder_free(r);
	return NULL;
}

struct recorder *recorder_open(const char *path, GError **error)
{
	return open_recorder(path, false, error);
}

struct recorder *recorder_open_in_memory(const char *path, GError **error)
{
	return open_recorder(path, true, error);
}

/* One row on its way into a table: open_row, a call of text or num for each column in order, close_row. */
struct row {
	sqlite3_stmt *stmt;
	int column, rc;
};

static bool open_row(struct recorder *r, enum table t, struct row *row)
{
	if (r->light && (t == T_NODE_STATE || t == T_SERIES || t == T_PASS || t == T_STEP || t == T_ASSOC_USAGE || t == T_STRANDED))
		return false;
	*row = (struct row){.stmt = r->insert[t]};
	return row->stmt && !r->error;
}

static void text(struct row *row, const char *value)
{
	int rc = sqlite3_bind_text(row->stmt, ++row->column, value, -1, SQLITE_STATIC); /* NULL binds NULL */
	row->rc = row->rc ? row->rc : rc;
}

static void num(struct row *row, int64_t value)
{
	int rc = sqlite3_bind_int64(row->stmt, ++row->column, value);
	row->rc = row->rc ? row->rc : rc;
}

static void real(struct row *row, double value) /* NaN binds NULL */
{
	int rc = sqlite3_bind_double(row->stmt, ++row->column, value);
	row->rc = row->rc ? row->rc : rc;
}

static void close_row(struct recorder *r, struct row *row)
{
	g_assert(row->column == sqlite3_bind_parameter_count(row->stmt));
	if (row->rc != SQLITE_OK || sqlite3_step(row->stmt) != SQLITE_DONE)
		fail(r);
	sqlite3_reset(row->stmt);
}

void recorder_meta(struct recorder *r, const char *key, const char *value)
{
	struct row row;
	if (!open_row(r, T_META, &row))
		return;
	text(&row, key);
	text(&row, value);
	close_row(r, &row);
}

/* SHA-256 in hex of the file at PATH and its length; NULL and ERROR when it cannot be read. */
static char *hash_file(const char *path, int64_t *bytes, GError **error)
{
	enum { CHUNK = 1 << 16 };
	FILE *in = g_fopen(path, "rb");
	int err = errno;
	char *hex = NULL;
	if (in) {
		GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
		guchar *buffer = g_malloc(CHUNK);
		size_t n;
		*bytes = 0;
		while ((n = fread(buffer, 1, CHUNK, in)) > 0) {
			g_checksum_update(sum, buffer, (gssize)n);
			*bytes += (int64_t)n;
		}
		err = errno;
		if (!ferror(in))
			hex = g_strdup(g_checksum_get_string(sum));
		g_free(buffer);
		g_checksum_free(sum);
		fclose(in);
	}
	if (!hex)
		g_set_error(error, G_IO_ERROR, g_io_error_from_errno(err), "%s: %s", path, g_strerror(err));
	return hex;
}

void recorder_input(struct recorder *r, const char *role, const char *path, GError **error)
{
	int64_t bytes = 0;
	char *hex = hash_file(path, &bytes, error);
	struct row row;
	if (hex && open_row(r, T_INPUT, &row)) {
		char *name = g_path_get_basename(path);
		text(&row, role);
		text(&row, name);
		text(&row, hex);
		num(&row, bytes);
		close_row(r, &row);
		g_free(name);
	}
	g_free(hex);
}

void recorder_setting(struct recorder *r, const char *key, const char *value)
{
	struct row row;
	if (!open_row(r, T_SETTING, &row))
		return;
	text(&row, key);
	text(&row, value);
	close_row(r, &row);
}

void recorder_left_out(struct recorder *r, const char *cause, uint64_t count, uint64_t first_line)
{
	struct row row;
	if (!open_row(r, T_LEFT_OUT, &row))
		return;
	text(&row, cause);
	num(&row, (int64_t)count);
	num(&row, (int64_t)first_line);
	close_row(r, &row);
}

void recorder_refused(struct recorder *r, usec_t t, uint32_t job, const char *label, const char *user,
                      const char *account, const char *partition, const char *message)
{
	struct row row;
	if (!open_row(r, T_REFUSED, &row))
		return;
	num(&row, t);
	if (job)
		num(&row, job);
	else
		text(&row, NULL);
	text(&row, label);
	text(&row, user);
	text(&row, account);
	text(&row, partition);
	text(&row, message);
	close_row(r, &row);
}

static void job_identity(struct row *row, const struct job_row *j)
{
	num(row, j->job);
	num(row, j->array_job);
	num(row, j->array_task);
	text(row, j->array_tasks);
	num(row, j->run);
	text(row, j->label);
	num(row, (int64_t)j->trace_id);
	text(row, j->name);
	text(row, j->user);
	text(row, j->account);
	text(row, j->partition);
	text(row, j->qos);
}

static void job_life(struct row *row, const struct job_row *j)
{
	num(row, j->submit_t);
	num(row, j->start_t);
	num(row, j->end_t);
	num(row, j->submit_s);
	num(row, j->eligible_s);
	num(row, j->start_s);
	num(row, j->end_s);
	num(row, j->time_limit);
	text(row, j->state);
	num(row, j->exit_code);
	num(row, j->exit_signal);
	text(row, j->reason);
}

static void job_resources(struct row *row, const struct job_row *j)
{
	num(row, j->req_nodes);
	num(row, j->req_cpus);
	num(row, j->nnodes);
	num(row, j->ncpus);
	num(row, j->ngpus);
	num(row, (int64_t)j->req_mem);
	num(row, (int64_t)j->alloc_mem);
	text(row, j->req_tres);
	text(row, j->alloc_tres);
	text(row, j->nodelist);
	text(row, j->placement);
}

int64_t recorder_job(struct recorder *r, const struct job_row *j)
{
	struct row row;
	if (!open_row(r, T_JOB, &row))
		return 0;
	job_identity(&row, j);
	job_life(&row, j);
	job_resources(&row, j);
	num(&row, j->priority);
	text(&row, j->scheduler);
	text(&row, j->constraints);
	num(&row, j->real_start);
	num(&row, j->real_end);
	num(&row, j->het_job);
	num(&row, j->het_offset);
	num(&row, j->suspended);
	num(&row, j->lost);
	text(&row, j->lost_cause);
	text(&row, j->cancelled_by);
	close_row(r, &row);
	return r->error ? 0 : sqlite3_last_insert_rowid(r->db);
}

void recorder_job_again(struct recorder *r, int64_t row, sec_t end_s, uint32_t lost)
{
	if (!row || r->error)
		return;
	char *sql = sqlite3_mprintf("UPDATE job SET state='REQUEUED', end_s=%lld, lost=%u, lost_cause=%s, cancelled_by=NULL WHERE rowid=%lld", (long long)end_s,
	                            lost, lost ? "'requeued'" : "NULL", (long long)row);
	exec(r, sql);
	sqlite3_free(sql);
}

/* 0 or less binds NULL. */
static void measured(struct row *row, int64_t value)
{
	if (value > 0)
		num(row, value);
	else
		text(row, NULL);
}

void recorder_step(struct recorder *r, uint32_t job, uint32_t run, const struct step_row *s)
{
	struct row row;
	if (!open_row(r, T_STEP, &row))
		return;
	num(&row, job);
	num(&row, run);
	text(&row, s->id);
	text(&row, job_step_name(s->of));
	num(&row, s->start_t);
	num(&row, s->end_t);
	num(&row, s->start_s);
	num(&row, s->end_s);
	text(&row, s->state);
	if (s->exit_code >= 0)
		num(&row, s->exit_code);
	else
		text(&row, NULL);
	num(&row, s->exit_signal);
	num(&row, s->tasks);
	num(&row, s->nodes);
	num(&row, s->cpus);
	text(&row, s->nodelist);
	text(&row, s->tres);
	num(&row, s->suspended);
	measured(&row, (int64_t)s->of->max_rss);
	measured(&row, (int64_t)s->of->ave_rss);
	measured(&row, s->of->cpu_time);
	close_row(r, &row);
}

void recorder_wait(struct recorder *r, uint32_t job, uint32_t run, usec_t from, usec_t to, const char *reason,
                   const char *detail, const char *blocker)
{
	struct row row;
	if (!open_row(r, T_WAIT, &row))
		return;
	num(&row, job);
	num(&row, run);
	num(&row, from);
	num(&row, to);
	text(&row, reason);
	text(&row, detail);
	text(&row, blocker);
	close_row(r, &row);
}

void recorder_node_state(struct recorder *r, const char *node, usec_t from, usec_t to, const char *state,
                         const char *reason)
{
	struct row row;
	if (!open_row(r, T_NODE_STATE, &row))
		return;
	text(&row, node);
	num(&row, from);
	num(&row, to);
	text(&row, state);
	text(&row, reason);
	close_row(r, &row);
}

void recorder_stranded(struct recorder *r, usec_t t, uint32_t free, const uint32_t by[7])
{
	struct row row;
	if (!open_row(r, T_STRANDED, &row))
		return;
	num(&row, t);
	num(&row, free);
	for (int i = 0; i < 7; i++)
		num(&row, by[i]);
	close_row(r, &row);
}

void recorder_resize(struct recorder *r, usec_t t, const struct job_row *j)
{
	struct row row;
	if (!open_row(r, T_RESIZE, &row))
		return;
	num(&row, j->job);
	num(&row, j->run);
	num(&row, t);
	num(&row, j->submit_s);
	num(&row, j->eligible_s);
	num(&row, j->start_s);
	num(&row, usec_to_sec(t));
	num(&row, j->nnodes);
	num(&row, j->ncpus);
	text(&row, j->alloc_tres);
	text(&row, j->nodelist);
	text(&row, j->placement);
	close_row(r, &row);
}

void recorder_stretch(struct recorder *r, const struct stretch_row *s)
{
	struct row row;
	if (!open_row(r, T_STRETCH, &row))
		return;
	num(&row, s->job);
	num(&row, s->run);
	text(&row, s->class);
	real(&row, s->factor);
	real(&row, s->run_time);
	real(&row, s->stretched);
	text(&row, s->why);
	close_row(r, &row);
}

/* Write the held row of table series: the instant is over. */
static void flush_series(struct recorder *r)
{
	struct row row;
	if (!r->held || !open_row(r, T_SERIES, &row))
		return;
	num(&row, r->series.t);
	num(&row, r->series.running);
	num(&row, r->series.pending);
	num(&row, (int64_t)r->series.cpus);
	num(&row, (int64_t)r->series.gpus);
	num(&row, (int64_t)r->series.mem);
	close_row(r, &row);
	r->held = false;
}

void recorder_series(struct recorder *r, usec_t t, uint32_t running, uint32_t pending, uint64_t cpus, uint64_t gpus,
                     uint64_t mem)
{
	if (r->held && r->series.t != t)
		flush_series(r);
	r->series = (struct series_row){t, running, pending, cpus, gpus, mem};
	r->held = true;
}

void recorder_pass(struct recorder *r, usec_t t, const char *kind, uint32_t queue, uint32_t tested, uint32_t started,
                   uint32_t planned, const char *ended_by, usec_t spent, uint32_t yields)
{
	struct row row;
	if (!open_row(r, T_PASS, &row))
		return;
	num(&row, t);
	text(&row, kind);
	num(&row, queue);
	num(&row, tested);
	num(&row, started);
	num(&row, planned);
	text(&row, ended_by);
	num(&row, spent);
	num(&row, yields);
	close_row(r, &row);
}

void recorder_estimate(struct recorder *r, uint32_t job, uint32_t run, usec_t seen, const char *lead, sec_t estimate, sec_t start)
{
	struct row row;
	if (!open_row(r, T_ESTIMATE, &row))
		return;
	num(&row, job);
	num(&row, run);
	num(&row, seen);
	text(&row, lead);
	num(&row, estimate);
	num(&row, start);
	close_row(r, &row);
}

void recorder_assoc_usage(struct recorder *r, const struct assoc_usage_row *u)
{
	struct row row;
	if (!open_row(r, T_ASSOC_USAGE, &row))
		return;
	num(&row, u->t);
	text(&row, u->account);
	text(&row, u->user);
	text(&row, u->partition);
	real(&row, u->raw_usage);
	real(&row, u->norm_usage);
	real(&row, u->effective);
	real(&row, u->level_fs);
	real(&row, u->fairshare);
	close_row(r, &row);
}

void recorder_conf(struct recorder *r, const char *file, const char *line)
{
	struct row row;
	if (!open_row(r, T_CONF, &row))
		return;
	text(&row, file);
	text(&row, line);
	close_row(r, &row);
}

void recorder_share(struct recorder *r, const char *account, const char *user, const char *partition, uint32_t shares, double norm)
{
	struct row row;
	if (!open_row(r, T_SHARE, &row))
		return;
	text(&row, account);
	text(&row, user);
	text(&row, partition);
	num(&row, shares);
	real(&row, norm);
	close_row(r, &row);
}

void recorder_jobs_only(struct recorder *r)
{
	r->light = true;
}

bool recorder_light(const struct recorder *r)
{
	return r->light;
}

bool recorder_ok(struct recorder *r, GError **error)
{
	if (!r->error)
		return true;
	g_propagate_error(error, g_error_copy(r->error));
	return false;
}

/* Bring what was written to NAME, a file or a directory, to the disk. */
static void sync_path(struct recorder *r, const char *name, int flags)
{
	if (r->error)
		return;
	int fd = g_open(name, flags | O_CLOEXEC, 0);
	if (fd < 0) {
		fail_errno(r, name, errno);
		return;
	}
	/* some file systems cannot sync a directory and say EINVAL; there is nothing to do then */
	if (fsync(fd) < 0 && errno != EINVAL)
		fail_errno(r, name, errno);
	close(fd);
}

/* The closed partial file becomes PATH, which is opened again for reading. */
static void put_in_place(struct recorder *r)
{
	sync_path(r, r->partial, O_RDWR);
	if (!r->error && g_rename(r->partial, r->path) < 0)
		fail_errno(r, r->path, errno);
	if (r->error)
		return;
	char *directory = g_path_get_dirname(r->path);
	sync_path(r, directory, O_RDONLY | O_DIRECTORY);
	g_free(directory);
	if (!r->error && sqlite3_open_v2(r->path, &r->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		fail(r);
}

/* What is in memory becomes the partial file. */
static void write_out(struct recorder *r)
{
	sqlite3 *memory = r->db;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	finalize_all(r);
	if (sqlite3_open_v2(r->partial, &r->db, flags, NULL) != SQLITE_OK)
		fail(r);
	exec(r, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;");
	sqlite3_backup *b = r->error ? NULL : sqlite3_backup_init(r->db, "main", memory, "main");
	if (!r->error && (!b || sqlite3_backup_step(b, -1) != SQLITE_DONE))
		fail(r);
	sqlite3_backup_finish(b);
	sqlite3_close(memory);
}

bool recorder_finish(struct recorder *r, GError **error)
{
	if (r->finished)
		return recorder_ok(r, error);
	flush_series(r);
	if (!r->db && !r->error)
		r->error = g_error_new_literal(G_IO_ERROR, G_IO_ERROR_CLOSED, "the record was aborted");
	exec(r, finish_sql);
	if (!r->error && r->path && r->in_memory)
		write_out(r);
	if (!r->error && r->path) {
		close_db(r);
		put_in_place(r);
	}
	if (r->error) {
		recorder_abort(r);
		return recorder_ok(r, error);
	}
	finalize_all(r);
	r->finished = true;
	return true;
}

void recorder_abort(struct recorder *r)
{
	if (r->finished)
		return;
	close_db(r);
	if (r->partial)
		g_unlink(r->partial);
	g_clear_pointer(&r->partial, g_free);
}

struct sqlite3 *recorder_db(struct recorder *r)
{
	flush_series(r);
	return r->db;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	recorder_abort(r);
	close_db(r);
	g_clear_error(&r->error);
	g_free(r->path);
	g_free(r->partial);
	g_free(r);
}
