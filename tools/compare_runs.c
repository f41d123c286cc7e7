/*
 * compare_runs.c - see compare.h: the runs of a comparison.
 *
 * Each side's scenario is read once; each run is a forked process that finds it as it was read, perturbs it, runs it
 * with a light record in memory and hands that back through a file without a name. So a run needs neither copies nor
 * locks, and what it comes to does not depend on how many go on at a time.
 */
#include "tools/compare.h"
#include "scenarios/replica.h"
#include "tools/options.h"
#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_rng.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct task {
	struct compare_side *side;
	struct scenario *scenario; /* borrowed */
	struct replica_pool *pool; /* of that; borrowed; NULL without replicas */
	uint32_t replica;          /* 0 = as given */
	usec_t from;               /* of the window */
	pid_t pid;                 /* 0 = not under way */
	int fd;                    /* what it hands back */
};

static void run_free(void *data)
{
	struct compare_run *r = data;

	if (!r)
		return;
	run_rows_free(r->rows);
	sqlite3_close(r->db);
	g_free(r);
}

struct compare_side *compare_side_new(char name, const char *what, const struct scenario_options *options)
{
	struct compare_side *s = g_new0(struct compare_side, 1);

	s->name = name;
	s->what = g_strdup(what);
	s->options = options;
	s->runs = g_ptr_array_new_with_free_func(run_free);
	return s;
}

void compare_side_free(void *data)
{
	struct compare_side *s = data;

	g_ptr_array_unref(s->runs);
	g_free(s->what);
	g_free(s);
}

bool compare_read_run(struct compare_side *side, const char *path, GError **error)
{
	struct sqlite3 *db = run_db_open(path, error);
	struct run_rows *rows = db ? run_rows_read(db, error) : NULL;
	struct compare_run *r;

	if (!rows) {
		if (db)
			g_prefix_error(error, "%s: ", path);
		sqlite3_close(db);
		return false;
	}
	r = g_new0(struct compare_run, 1);
	r->db = db;
	r->rows = rows;
	g_ptr_array_add(side->runs, r);
	return true;
}

/* ---- in the process of a run ---- */

static void write_all(int fd, const void *data, size_t n)
{
	const char *at = data;

	while (n > 0) {
		ssize_t done = write(fd, at, n);
		if (done < 0 && errno != EINTR)
			_exit(3);
		if (done > 0) {
			at += done;
			n -= (size_t)done;
		}
	}
}

static void give_up(int fd, const char *message)
{
	write_all(fd, message, strlen(message));
	_exit(1);
}

static void prepare(const struct task *t, const struct compare_plan *plan)
{
	struct scenario *s = t->scenario;

	if (!plan->replicas)
		return;
	replica_perturb_from(s, t->pool, plan->seed, t->replica);
	if (!plan->length)
		return;
	replica_window(s, t->from - plan->warm_up, t->from + plan->length + plan->after);
	s->sim.until = MIN(s->sim.until, t->from + plan->length + plan->after);
}

static void do_task(const struct task *t, const struct compare_plan *plan)
{
	GError *error = NULL;
	sqlite3_int64 size = 0;
	unsigned char *bytes = NULL;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prepare(t, plan);
	struct recorder *r = recorder_open(NULL, &error);
	if (r)
		recorder_jobs_only(r);
	struct sim *sim = r ? scenario_start(t->scenario, r, &error) : NULL;
	if (sim && sim_run(sim, NULL, NULL, NULL, &error)) {
		sim_close_record(sim);
		if (recorder_ok(r, &error) && recorder_finish(r, &error))
			bytes = sqlite3_serialize(recorder_db(r), "main", &size, 0);
	}
	if (!bytes)
		give_up(t->fd, error ? error->message : "out of memory");
	write_all(t->fd, bytes, (size_t)size);
	_exit(0);
}

/* ---- in the command ---- */

static bool start_task(struct task *t, const struct compare_plan *plan, GError **error)
{
	char *name = NULL;

	t->fd = g_file_open_tmp("whypend-XXXXXX", &name, error);
	if (t->fd < 0)
		return false;
	unlink(name);
	g_free(name);
	fflush(NULL);
	t->pid = fork();
	if (t->pid == 0)
		do_task(t, plan);
	if (t->pid > 0)
		return true;
	g_set_error(error, METRICS_ERROR, 0, "cannot start a process: %s", g_strerror(errno));
	close(t->fd);
	return false;
}

static unsigned char *read_all(int fd, size_t *size)
{
	off_t n = lseek(fd, 0, SEEK_END);
	unsigned char *data = n >= 0 ? sqlite3_malloc64((sqlite3_uint64)n + 1) : NULL;
	size_t at = 0;

	if (data && lseek(fd, 0, SEEK_SET) == 0)
		while (at < (size_t)n) {
			ssize_t got = read(fd, data + at, (size_t)n - at);
			if (got <= 0 && errno != EINTR)
				break;
			at += got > 0 ? (size_t)got : 0;
		}
	if (data)
		data[at] = '\0';
	*size = at;
	return data;
}

static bool take_result(struct task *t, int status, const struct compare_plan *plan, int *code, GError **error)
{
	size_t size = 0;
	unsigned char *data = read_all(t->fd, &size);
	struct compare_run *r = g_new0(struct compare_run, 1);
	bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && size;

	close(t->fd);
	if (!good) {
		*code = WIFEXITED(status) && WEXITSTATUS(status) == 1 ? EXIT_USAGE : EXIT_RUN;
		if (WIFEXITED(status))
			g_set_error(error, METRICS_ERROR, 0, "side %c: %s", t->side->name,
			            size ? (char *)data : "the run failed");
		else
			g_set_error(error, METRICS_ERROR, 0, "side %c: the run was ended by signal %d", t->side->name,
			            WTERMSIG(status));
		sqlite3_free(data);
		run_free(r);
		return false;
	}
	*code = EXIT_RUN;
	if (plan->length)
		r->window = (struct windows){t->from - plan->length, plan->length, 3};
	good = sqlite3_open(":memory:", &r->db) == SQLITE_OK &&
	       sqlite3_deserialize(r->db, "main", data, (sqlite3_int64)size, (sqlite3_int64)size,
	                           SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) == SQLITE_OK;
	if (!good)
		g_set_error(error, METRICS_ERROR, 0, "the record of a run cannot be read: %s",
		            r->db ? sqlite3_errmsg(r->db) : "out of memory");
	r->rows = good ? run_rows_read(r->db, error) : NULL;
	if (!r->rows) {
		run_free(r);
		return false;
	}
	t->side->runs->pdata[plan->replicas ? t->replica - 1 : 0] = r;
	return true;
}

static void stop_all(struct task *tasks, guint n)
{
	for (guint i = 0; i < n; i++)
		if (tasks[i].pid > 0) {
			kill(tasks[i].pid, SIGKILL);
			waitpid(tasks[i].pid, NULL, 0);
			close(tasks[i].fd);
		}
}

static void show_progress(guint done, guint n)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, done < n ? "\r%u of %u runs\033[K" : "\r\033[K", done, n);
}

/* One after the other as processors come free. */
static bool run_tasks(struct task *tasks, guint n, const struct compare_plan *plan, int *code, GError **error)
{
	guint most = plan->processes ? plan->processes : MAX(1, g_get_num_processors()), next = 0, under_way = 0,
	      done = 0;
	bool good = true;

	while (good && done < n) {
		if (next < n && under_way < most) {
			*code = EXIT_RUN;
			good = start_task(&tasks[next++], plan, error);
			under_way++;
			continue;
		}
		int status;
		pid_t pid = waitpid(-1, &status, 0);
		for (guint i = 0; i < n && pid > 0; i++) {
			if (tasks[i].pid != pid)
				continue;
			tasks[i].pid = 0;
			under_way--;
			show_progress(++done, n);
			good = take_result(&tasks[i], status, plan, code, error);
		}
	}
	stop_all(tasks, n);
	return good;
}

/* ---- windows of the trace ---- */

static double count_jobs(const struct submission *sub)
{
	return sub->request->array ? (double)array_count_tasks(sub->request->array) : 1;
}

static double jobs_of(const struct scenario *s)
{
	double n = 0;

	for (guint i = 0; i < s->submissions->len; i++)
		n += count_jobs(s->submissions->pdata[i]);
	return n;
}

static usec_t trace_span(const struct scenario *s, usec_t *first)
{
	guint n = s->submissions->len;

	*first = n ? ((struct submission *)s->submissions->pdata[0])->at : s->sim.start;
	return n ? ((struct submission *)s->submissions->pdata[n - 1])->at + 1 - *first : 0;
}

static void plan_length(struct compare_plan *plan, const struct scenario *s, guint n_sides)
{
	usec_t first, span = trace_span(s, &first);
	double share = (double)COMPARE_BUDGET / MAX(1, jobs_of(s) * plan->replicas * n_sides);

	if (plan->windows < 0)
		return;
	if (plan->span)
		plan->length = plan->span;
	else if (plan->windows > 0)
		plan->length = span / plan->windows;
	else if (share < 1)
		plan->length = (usec_t)(share * (double)span / (1 + 1 / 3.0 + 1 / 4.0));
	if (plan->length >= span)
		plan->length = 0;
	if (plan->length > 60 * USEC) /* whole minutes read better */
		plan->length -= plan->length % (60 * USEC);
	plan->warm_up = plan->length / 3;
	plan->after = plan->length / 4;
}

/* Where replica K's window begins: somewhere in the K-th part of the places that it can have. */
static usec_t place(const struct compare_plan *plan, const struct scenario *s, uint32_t k, gsl_rng *rng)
{
	usec_t first, span = trace_span(s, &first), room = MAX(0, span - plan->length - plan->warm_up);
	double where = (k + gsl_rng_uniform(rng)) / plan->replicas;

	return first + plan->warm_up + (usec_t)(where * (double)room);
}

static void add_tasks(GArray *tasks, GPtrArray *sides, GPtrArray *scenarios, GPtrArray *pools,
                      const struct compare_plan *plan)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(rng, (unsigned long)((plan->seed ^ (plan->seed >> 32)) & 0xffffffff));
	for (uint32_t k = 0; k < MAX(1, plan->replicas); k++) {
		usec_t from = plan->length ? place(plan, scenarios->pdata[0], k, rng) : 0;
		for (guint i = 0; i < sides->len; i++) {
			struct task t = {.side = sides->pdata[i],
			                 .scenario = scenarios->pdata[i],
			                 .pool = plan->replicas ? pools->pdata[i] : NULL,
			                 .replica = plan->replicas ? k + 1 : 0,
			                 .from = from};
			g_array_append_val(tasks, t);
		}
	}
	gsl_rng_free(rng);
}

static bool load_all(GPtrArray *sides, GPtrArray *scenarios, bool in_memory, GPtrArray *warnings, GError **error)
{
	for (guint i = 0; i < sides->len; i++) {
		struct compare_side *side = sides->pdata[i];
		struct scenario *s = scenario_load(side->options, error);
		if (!s) {
			g_prefix_error(error, "side %c: ", side->name);
			return false;
		}
		for (guint k = 0; k < s->warnings->len; k++)
			g_ptr_array_add(warnings,
			                g_strdup_printf("side %c: %s", side->name, (char *)s->warnings->pdata[k]));
		if (in_memory)
			replica_load(s);
		g_ptr_array_add(scenarios, s);
	}
	return true;
}

static void scenario_drop(void *s)
{
	scenario_free(s);
}

bool compare_make_runs(GPtrArray *sides, struct compare_plan *plan, GPtrArray *warnings, int *code, GError **error)
{
	GPtrArray *scenarios = g_ptr_array_new_with_free_func(scenario_drop);
	GPtrArray *pools = g_ptr_array_new_with_free_func(replica_pool_free);
	GArray *tasks = g_array_new(FALSE, TRUE, sizeof(struct task));
	bool good;

	*code = EXIT_USAGE;
	good = load_all(sides, scenarios, plan->replicas > 0, warnings, error);
	for (guint i = 0; good && plan->replicas && i < scenarios->len; i++)
		g_ptr_array_add(pools, replica_pool_new(scenarios->pdata[i]));
	if (good && plan->replicas)
		plan_length(plan, scenarios->pdata[0], sides->len);
	if (good) {
		for (guint i = 0; i < sides->len; i++)
			g_ptr_array_set_size(((struct compare_side *)sides->pdata[i])->runs,
			                     (gint)MAX(1, plan->replicas));
		add_tasks(tasks, sides, scenarios, pools, plan);
		good = run_tasks((struct task *)(void *)tasks->data, tasks->len, plan, code, error);
	}
	g_array_unref(tasks);
	g_ptr_array_unref(pools);
	g_ptr_array_unref(scenarios);
	return good;
}
