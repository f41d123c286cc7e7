/*
 * play_helper.h - what the tests that play a whole scenario share: it is written to a directory of its own, run to its end
 * with a recorder, and the record is asked.
 */
#ifndef TESTS_UNIT_PLAY_HELPER_H
#define TESTS_UNIT_PLAY_HELPER_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include "scenarios/scenario.h"

struct played {
	struct recorder *r; /* owned: played_done */
	sqlite3 *db;        /* its record */
	usec_t start;       /* second 0 of the scenario */
};

struct play_file {
	const char *name, *text; /* text NULL = the file is not written */
};

/* Write FILES (up to one without a name; scenario.json among them), run the scenario and drop them again. */
static inline struct played play_files(const struct play_file *files)
{
	struct played p = {0};
	GError *error = NULL;
	g_autofree char *dir = g_dir_make_tmp("whypend-play-XXXXXX", NULL);
	for (const struct play_file *f = files; f->name; f++) {
		g_autofree char *path = g_build_filename(dir, f->name, NULL);
		assert_true(!f->text || g_file_set_contents(path, f->text, -1, NULL));
	}
	struct scenario_options o = {.path = dir};
	struct scenario *s = scenario_load(&o, &error);
	if (!s)
		fail_msg("%s", error->message);
	p.start = s->sim.start;
	p.r = recorder_open(NULL, NULL);
	struct sim *sim = scenario_start(s, p.r, &error);
	if (!sim)
		fail_msg("%s", error->message);
	assert_true(sim_run(sim, NULL, NULL, NULL, NULL));
	sim_close_record(sim);
	sim_free(sim);
	assert_true(recorder_finish(p.r, NULL));
	p.db = recorder_db(p.r);
	scenario_free(s);
	for (const struct play_file *f = files; f->name; f++) {
		g_autofree char *path = g_build_filename(dir, f->name, NULL);
		g_unlink(path);
	}
	g_rmdir(dir);
	return p;
}

static inline void played_done(struct played *p)
{
	recorder_free(p->r);
}

/* The first value of SQL with ?1 = LABEL and ?2 = T (seconds after the start, in microseconds); NULL: no row. g_free. */
static inline char *played_ask(const struct played *p, const char *sql, const char *label, double t)
{
	sqlite3_stmt *q;
	char *out = NULL;
	assert_int_equal(sqlite3_prepare_v2(p->db, sql, -1, &q, NULL), SQLITE_OK);
	sqlite3_bind_text(q, 1, label, -1, SQLITE_STATIC);
	if (sqlite3_bind_parameter_count(q) > 1)
		sqlite3_bind_int64(q, 2, p->start + (sqlite3_int64)(t * USEC));
	if (sqlite3_step(q) == SQLITE_ROW)
		out = g_strdup((const char *)sqlite3_column_text(q, 0));
	sqlite3_finalize(q);
	return out;
}
#endif
