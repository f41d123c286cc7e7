/* models_helper.h - what the tests of the site file readers share: messages of a diag, temporary directories. */
#ifndef TESTS_UNIT_MODELS_HELPER_H
#define TESTS_UNIT_MODELS_HELPER_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/base/diag.h"
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHARED_ORACLE "../shared/oracle/scenarios"

/* Does a message of LIST hold TEXT? */
static inline int has_message(const GPtrArray *list, const char *text)
{
	for (guint i = 0; i < list->len; i++)
		if (strstr(g_ptr_array_index(list, i), text))
			return 1;
	return 0;
}

static inline void assert_message(const GPtrArray *list, const char *text)
{
	if (has_message(list, text))
		return;
	print_error("missing message: %s\n", text);
	for (guint i = 0; i < list->len; i++)
		print_error("  got: %s\n", (const char *)g_ptr_array_index(list, i));
	fail();
}

/* No errors; else print them. */
static inline void assert_clean(const struct diag *d)
{
	for (guint i = 0; i < d->errors->len; i++)
		print_error("  error: %s\n", (const char *)g_ptr_array_index(d->errors, i));
	assert_int_equal(d->n_errors, 0);
}

static inline void assert_warnings(const struct diag *d, guint n)
{
	for (guint i = 0; i < d->warnings->len && d->n_warnings != n; i++)
		print_error("  warning: %s\n", (const char *)g_ptr_array_index(d->warnings, i));
	assert_int_equal(d->n_warnings, n);
}

/* A new directory; drop with dir_drop. */
static inline char *dir_new(void)
{
	char *dir = g_dir_make_tmp("whypend-XXXXXX", NULL);

	assert_non_null(dir);
	return dir;
}

/* Write DIR/NAME; returns its path (g_free). */
static inline char *dir_file(const char *dir, const char *name, const char *text)
{
	char *path = g_build_filename(dir, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	return path;
}

/* Remove DIR and the files in it. Frees DIR. */
static inline void dir_drop(char *dir)
{
	GDir *d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		char *path = g_build_filename(dir, name, NULL);
		g_unlink(path);
		g_free(path);
	}
	if (d)
		g_dir_close(d);
	g_rmdir(dir);
	g_free(dir);
}
#endif
