/*
 * pool.h - many pieces of work, several at once, each in a process of its own; answers come in the order of the work.
 *
 * A process writes its answer as text into a file without a name, so that nobody waits for a reader. With one at a time
 * nothing is forked: the work must not leave anything behind.
 */
#ifndef TOOLS_POOL_H
#define TOOLS_POOL_H
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/* Do piece INDEX and write the answer to OUT. */
typedef void pool_work_fn(void *data, guint index, FILE *out);
/* N pieces, at most JOBS at once. Array of N answers (char *); NULL in the place of one that broke off. */
GPtrArray *pool_run(guint n, guint jobs, pool_work_fn *work, void *data);
#endif
