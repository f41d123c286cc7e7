/* trace_helper.h - what the tests of the trace readers share: a file for a text, and the account of lines. */
#ifndef TESTS_UNIT_TRACE_HELPER_H
#define TESTS_UNIT_TRACE_HELPER_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "traces/workload.h"
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHARED_TRACES "../shared/traces/"

/* A new file with these bytes; unlink and g_free. */
static inline char *file_with(const char *bytes, gssize length)
{
	char *path = NULL;
	int fd = g_file_open_tmp("whypend-XXXXXX", &path, NULL);
	assert_true(fd >= 0);
	close(fd);
	assert_true(g_file_set_contents(path, bytes, length, NULL));
	return path;
}

static inline void file_drop(char *path)
{
	g_unlink(path);
	g_free(path);
}

static inline struct workload *try_text(const char *text, const struct workload_options *options, GError **error)
{
	char *path = file_with(text, -1);
	struct workload *w = workload_open(path, options, error);
	file_drop(path);
	return w;
}

static inline uint64_t left_out(const struct workload *w)
{
	const struct workload_info *info = workload_info(w);
	uint64_t sum = 0;
	for (guint i = 0; i < info->causes->len; i++)
		sum += ((struct workload_cause *)info->causes->pdata[i])->count;
	return sum;
}

static inline void assert_accounted(const struct workload *w)
{
	const struct workload_info *info = workload_info(w);
	assert_int_equal(info->lines, info->replayed + left_out(w));
}

/* A workload that must open, all lines accounted for. */
static inline struct workload *open_text(const char *text, const struct workload_options *options)
{
	GError *error = NULL;
	struct workload *w = try_text(text, options, &error);
	if (!w)
		fail_msg("%s", error->message);
	assert_accounted(w);
	return w;
}

static inline const struct workload_cause *cause_with(const struct workload *w, const char *part)
{
	const struct workload_info *info = workload_info(w);
	for (guint i = 0; i < info->causes->len; i++) {
		const struct workload_cause *cause = info->causes->pdata[i];
		if (strstr(cause->text, part))
			return cause;
	}
	return NULL;
}

static inline void assert_cause(const struct workload *w, const char *part, uint64_t count, uint64_t line)
{
	const struct workload_cause *cause = cause_with(w, part);
	if (!cause)
		fail_msg("no cause with \"%s\"", part);
	assert_int_equal(cause->count, count);
	assert_int_equal(cause->first_line, line);
}

static inline bool has_note(const struct workload *w, const char *part)
{
	const GPtrArray *notes = workload_info(w)->notes;
	for (guint i = 0; i < notes->len; i++)
		if (strstr(notes->pdata[i], part))
			return true;
	return false;
}

/* The submission must be there. */
static inline struct submission *next(struct workload *w)
{
	struct submission *s = workload_next(w);
	assert_non_null(s);
	return s;
}

static inline void assert_refused(const char *text, const struct workload_options *options, const char *part)
{
	GError *error = NULL;
	struct workload *w = try_text(text, options, &error);
	assert_null(w);
	assert_non_null(error);
	if (!strstr(error->message, part))
		fail_msg("\"%s\" does not say \"%s\"", error->message, part);
	g_error_free(error);
}

/* Read a real trace whole: sorted, every line accounted for. False when ../shared is absent (said so). */
static inline bool check_real(const char *name, const char *file, uint64_t lines, uint64_t replayed)
{
	char *path = g_strconcat(SHARED_TRACES, file, NULL);
	bool there = g_access(path, R_OK) == 0;
	if (!there) {
		printf("SKIPPED %s: ../shared absent\n", name);
		g_free(path);
		return false;
	}
	GError *error = NULL;
	struct workload *w = workload_open(path, NULL, &error);
	g_free(path);
	if (!w)
		fail_msg("%s", error->message);
	assert_accounted(w);
	assert_int_equal(workload_info(w)->lines, lines);
	assert_int_equal(workload_info(w)->replayed, replayed);
	uint64_t n = 0;
	usec_t last = INT64_MIN;
	for (struct submission *s; (s = workload_next(w)) != NULL; submission_free(s), n++) {
		assert_true(s->at >= last);
		assert_true(s->outcome.run_time >= 0);
		assert_non_null(s->request->user);
		last = s->at;
	}
	assert_int_equal(n, replayed);
	workload_close(w);
	return true;
}
#endif
