/* pool.c - see pool.h. */
#include "tools/pool.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct worker {
	pid_t pid;
	FILE *file;
	guint index;
};

static char *read_all(FILE *f)
{
	GString *s = g_string_new(NULL);
	char part[4096];
	size_t n;

	rewind(f);
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		g_string_append_len(s, part, (gssize)n);
	return g_string_free(s, FALSE);
}

/* In this process; NULL when there is no file to be had. */
static char *do_here(pool_work_fn *work, void *data, guint index)
{
	char *buffer = NULL, *text;
	size_t size = 0;
	FILE *out = open_memstream(&buffer, &size);

	if (!out)
		return NULL;
	work(data, index, out);
	fclose(out);
	text = g_strdup(buffer);
	free(buffer);
	return text;
}

static bool begin(struct worker *w, pool_work_fn *work, void *data, guint index)
{
	w->index = index;
	w->file = tmpfile();
	if (!w->file)
		return false;
	fflush(NULL);
	w->pid = fork();
	if (w->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		work(data, index, w->file);
		_exit(fflush(w->file) == 0 ? 0 : 1);
	}
	if (w->pid > 0)
		return true;
	fclose(w->file);
	return false;
}

/* Wait for one of N; its place among them. */
static guint wait_for_one(const struct worker *workers, guint n, int *status)
{
	for (;;) {
		pid_t pid = waitpid(-1, status, 0);

		for (guint i = 0; i < n; i++)
			if (workers[i].pid == pid)
				return i;
		if (pid < 0 && errno != EINTR) {
			*status = -1;
			return 0;
		}
	}
}

static char *collect(struct worker *w, int status)
{
	char *text = status == 0 ? read_all(w->file) : NULL;

	fclose(w->file);
	return text;
}

GPtrArray *pool_run(guint n, guint jobs, pool_work_fn *work, void *data)
{
	GPtrArray *answers = g_ptr_array_new_with_free_func(g_free);
	struct worker *workers = g_new0(struct worker, MAX(jobs, 1));
	guint running = 0, next = 0;

	g_ptr_array_set_size(answers, (gint)n);
	while (next < n || running > 0) {
		if (next < n && jobs > 1 && running < jobs && begin(&workers[running], work, data, next)) {
			running++;
			next++;
		} else if (next < n && running == 0) { /* one at a time, or no process to be had */
			answers->pdata[next] = do_here(work, data, next);
			next++;
		} else {
			int status = 0;
			guint i = wait_for_one(workers, running, &status);

			answers->pdata[workers[i].index] = collect(&workers[i], status);
			workers[i] = workers[--running];
		}
	}
	g_free(workers);
	return answers;
}
