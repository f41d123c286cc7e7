/* story.c - see story.h */
#include "tools/story.h"
#include "sched/reason_table.h"
#include "sim/commands.h"
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { KEPT_JOBS = 5 };

#define JOB_COLUMNS                                                                                                    \
	"job, array_job, array_task, array_tasks, user, account, qos, partition, state, submit_t, start_t, end_t, "    \
	"time_limit, nnodes, ncpus, ngpus, req_nodes, req_cpus"

static void job_clear(struct story_job *j)
{
	char *texts[] = {j->id, j->user, j->account, j->qos, j->partition, j->state};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
}

static void job_free(void *data)
{
	job_clear(data);
	g_free(data);
}

static void interval_free(void *data)
{
	struct story_interval *i = data;

	g_free(i->name);
	g_free(i->detail);
	g_free(i->blocker);
	g_free(i->cleared_by);
	g_free(i->ended_by);
	g_free(i->cut_by);
	g_ptr_array_unref(i->jobs);
	g_free(i);
}

void story_free(struct story *s)
{
	if (!s)
		return;
	job_clear(&s->job);
	g_free(s->name);
	g_free(s->label);
	g_free(s->asked);
	g_ptr_array_unref(s->intervals);
	g_free(s);
}

/* ---- SQL ---- */

/* BINDINGS: 'i' int64, 't' text, for each "?". NULL and ERROR when SQLite does not take it. */
static sqlite3_stmt *query(sqlite3 *db, GError **error, const char *sql, const char *bindings, ...)
{
	sqlite3_stmt *q = NULL;
	va_list args;

	if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK) {
		g_set_error(error, STORY_ERROR, 0, "the record cannot be read: %s", sqlite3_errmsg(db));
		return NULL;
	}
	va_start(args, bindings);
	for (int i = 1; *bindings; bindings++, i++) {
		if (*bindings == 'i')
			sqlite3_bind_int64(q, i, va_arg(args, int64_t));
		else
			sqlite3_bind_text(q, i, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
	}
	va_end(args);
	return q;
}

static char *text(sqlite3_stmt *q, int column)
{
	return g_strdup((const char *)sqlite3_column_text(q, column));
}

static char *job_id(sqlite3_stmt *q)
{
	uint32_t array = (uint32_t)sqlite3_column_int64(q, 1), task = (uint32_t)sqlite3_column_int64(q, 2);
	const char *tasks = (const char *)sqlite3_column_text(q, 3);

	if (!array)
		return g_strdup_printf("%u", (uint32_t)sqlite3_column_int64(q, 0));
	if (task != NO_VAL)
		return g_strdup_printf("%u_%u", array, task);
	return g_strdup_printf("%u_%s", array, tasks ? tasks : "[]");
}

/* A row of JOB_COLUMNS. */
static void read_job(sqlite3_stmt *q, struct story_job *j)
{
	*j = (struct story_job){.id = job_id(q),
	                        .user = text(q, 4),
	                        .account = text(q, 5),
	                        .qos = text(q, 6),
	                        .partition = text(q, 7),
	                        .state = text(q, 8),
	                        .submit = sqlite3_column_int64(q, 9),
	                        .start = sqlite3_column_int64(q, 10),
	                        .end = sqlite3_column_int64(q, 11),
	                        .time_limit = (uint32_t)sqlite3_column_int64(q, 12)};
	bool ran = sqlite3_column_int(q, 13) > 0;

	j->nodes = (uint32_t)sqlite3_column_int64(q, ran ? 13 : 16);
	j->cpus = (uint32_t)sqlite3_column_int64(q, ran ? 14 : 17);
	j->gpus = (uint32_t)sqlite3_column_int64(q, 15);
	j->ended = j->end > 0;
	j->until = j->end;
	if (!j->ended && j->start && j->time_limit < NO_VAL)
		j->until = j->start + (usec_t)j->time_limit * 60 * USEC;
}

/* ---- which job ---- */

/* Fills the story from the job's row. False with ERROR when there is none. */
static bool find_row(sqlite3 *db, struct story *s, const char *condition, int64_t a, int64_t b, const char *label,
                     int run, GError **error)
{
	char *sql = g_strdup_printf("SELECT " JOB_COLUMNS
	                            ", name, label, run, eligible_s, req_mem, req_tres FROM job WHERE %s%s "
	                            "ORDER BY run, (start_t = 0), start_t LIMIT 1",
	                            condition, run >= 0 ? " AND run = ?3" : "");
	sqlite3_stmt *q = query(db, error, sql, "");
	bool found;

	g_free(sql);
	if (!q)
		return false;
	if (label)
		sqlite3_bind_text(q, 1, label, -1, SQLITE_TRANSIENT);
	else
		sqlite3_bind_int64(q, 1, a);
	if (sqlite3_bind_parameter_count(q) >= 2)
		sqlite3_bind_int64(q, 2, b);
	if (run >= 0)
		sqlite3_bind_int64(q, 3, run);
	found = sqlite3_step(q) == SQLITE_ROW;
	if (found) {
		read_job(q, &s->job);
		s->raw_id = (uint32_t)sqlite3_column_int64(q, 0);
		s->name = text(q, 18);
		s->label = text(q, 19);
		s->run = (uint32_t)sqlite3_column_int64(q, 20);
		s->eligible = sqlite3_column_int64(q, 21);
		s->req_mem = (uint64_t)sqlite3_column_int64(q, 22);
		s->asked = text(q, 23);
	}
	sqlite3_finalize(q);
	return found;
}

/* "NAME_3": a label and a task. */
static bool find_labelled_task(sqlite3 *db, struct story *s, const char *name, int run, GError **error)
{
	const char *bar = strrchr(name, '_');
	uint32_t task, none;
	char *label;
	bool found;

	if (!bar || !command_job_id(bar + 1, &task, &none) || none != NO_VAL)
		return false;
	label = g_strndup(name, (gsize)(bar - name));
	found = find_row(db, s, "label = ?1 AND array_task = ?2", 0, task, label, run, error);
	g_free(label);
	return found;
}

static bool find_job(sqlite3 *db, struct story *s, const char *job, int run, GError **error)
{
	const char *name = job + (job[0] == '@');
	GError *problem = NULL;
	uint32_t id, task;
	bool found;

	if (job[0] != '@' && command_job_id(job, &id, &task)) {
		found = task != NO_VAL
		            ? find_row(db, s, "array_job = ?1 AND array_task = ?2", id, task, NULL, run, &problem)
		            : find_row(db, s, "(job = ?1 OR array_job = ?1)", id, 0, NULL, run, &problem);
	} else {
		found = find_row(db, s, "label = ?1", 0, 0, name, run, &problem) ||
		        (!problem && find_labelled_task(db, s, name, run, &problem));
	}
	if (problem) {
		g_propagate_error(error, problem);
		return false;
	}
	if (!found && run >= 0)
		g_set_error(error, STORY_ERROR, 0, "no run %d of job %s in this record", run, job);
	else if (!found)
		g_set_error(error, STORY_ERROR, 0,
		            "no job %s in this record; jobs are named 12, 12_3 or by their label in the scenario", job);
	return found;
}

/* ---- the intervals ---- */

static void add_interval(struct story *s, sqlite3_stmt *q)
{
	struct story_interval *i = g_new0(struct story_interval, 1);

	i->from = sqlite3_column_int64(q, 0);
	i->to = sqlite3_column_int64(q, 1);
	i->name = text(q, 2);
	i->detail = sqlite3_column_text(q, 3) ? text(q, 3) : g_strdup("");
	i->blocker = text(q, 4);
	i->reason = reason_find(i->name);
	if (i->reason == REASON_COUNT)
		i->reason = REASON_NONE;
	i->jobs = g_ptr_array_new_with_free_func(job_free);
	g_ptr_array_add(s->intervals, i);
}

static bool add_intervals(sqlite3 *db, struct story *s, uint32_t id, usec_t before, GError **error)
{
	sqlite3_stmt *q =
	    query(db, error,
	          "SELECT from_t, min(to_t, ?4), reason, detail, blocker FROM wait WHERE job = ?1 AND run = ?2 "
	          "AND from_t >= ?3 AND from_t < ?4 ORDER BY from_t",
	          "iiii", (int64_t)id, (int64_t)s->run, (int64_t)s->job.submit, before);

	while (q && sqlite3_step(q) == SQLITE_ROW)
		add_interval(s, q);
	sqlite3_finalize(q);
	return q != NULL;
}

/* When did the record's own intervals begin? INT64_MAX = it has none. */
static bool own_begin(sqlite3 *db, const struct story *s, usec_t *from, GError **error)
{
	sqlite3_stmt *q = query(db, error, "SELECT min(from_t) FROM wait WHERE job = ?1 AND run = ?2", "ii",
	                        (int64_t)s->raw_id, (int64_t)s->run);

	*from = INT64_MAX;
	if (q && sqlite3_step(q) == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL)
		*from = sqlite3_column_int64(q, 0);
	sqlite3_finalize(q);
	return q != NULL;
}

static bool array_of(sqlite3 *db, const struct story *s, uint32_t *array, GError **error)
{
	sqlite3_stmt *q = query(db, error, "SELECT array_job FROM job WHERE job = ?1", "i", (int64_t)s->raw_id);

	*array = q && sqlite3_step(q) == SQLITE_ROW ? (uint32_t)sqlite3_column_int64(q, 0) : 0;
	sqlite3_finalize(q);
	return q != NULL;
}

static bool end_of_record(sqlite3 *db, usec_t *end, GError **error)
{
	sqlite3_stmt *q = query(db, error, "SELECT value FROM meta WHERE key = 'end'", "");

	*end = q && sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
	sqlite3_finalize(q);
	return q != NULL;
}

static bool read_intervals(sqlite3 *db, struct story *s, GError **error)
{
	usec_t own, end, last;
	uint32_t array;

	if (!own_begin(db, s, &own, error) || !array_of(db, s, &array, error) || !end_of_record(db, &end, error))
		return false;
	s->started = s->job.start > 0;
	s->outcome = s->started ? "started" : s->job.ended ? "ended without a start" : "still waits";
	last = s->started ? s->job.start : s->job.ended ? s->job.end : end;
	/* until it was split off a task waited as part of its array */
	if (array && array != s->raw_id && s->run == 0 && !add_intervals(db, s, array, MIN(own, last), error))
		return false;
	if (!add_intervals(db, s, s->raw_id, last, error))
		return false;
	s->from =
	    s->run == 0 || !s->intervals->len ? s->job.submit : ((struct story_interval *)s->intervals->pdata[0])->from;
	s->to = MAX(last, s->from);
	return true;
}

/* ---- what stood in the way ---- */

static int by_until(gconstpointer a, gconstpointer b)
{
	const struct story_job *x = *(struct story_job *const *)a, *y = *(struct story_job *const *)b;

	if (x->until != y->until)
		return (x->until ? x->until : INT64_MAX) < (y->until ? y->until : INT64_MAX) ? -1 : 1;
	return g_strcmp0(x->id, y->id);
}

/* The jobs of Q, largest first: sums of all, the first few kept, by the time they go. */
static void keep_jobs(struct story_interval *i, sqlite3_stmt *q)
{
	while (q && sqlite3_step(q) == SQLITE_ROW) {
		struct story_job *j = g_new0(struct story_job, 1);

		read_job(q, j);
		i->n_jobs++;
		i->nodes += j->nodes;
		i->cpus += j->cpus;
		i->gpus += j->gpus;
		if (i->jobs->len < KEPT_JOBS)
			g_ptr_array_add(i->jobs, j);
		else
			job_free(j);
	}
	sqlite3_finalize(q);
	g_ptr_array_sort(i->jobs, by_until);
}

#define RUNNING_AT "start_t > 0 AND start_t <= ?1 AND (end_t = 0 OR end_t > ?1) AND "
#define LARGEST " ORDER BY ngpus DESC, nnodes DESC, ncpus DESC, job"

static sqlite3_stmt *running(sqlite3 *db, const struct story_interval *i, const char *condition, const char *value,
                             const char *value2, GError **error)
{
	char *sql = g_strdup_printf("SELECT " JOB_COLUMNS " FROM job WHERE " RUNNING_AT "%s" LARGEST, condition);
	sqlite3_stmt *q =
	    value2 ? query(db, error, sql, "itt", i->from, value, value2) : query(db, error, sql, "it", i->from, value);

	g_free(sql);
	return q;
}

/* Whose limit? "qos gold user ann ...", "qos gold ...", "association root/phys/ann ...". */
static sqlite3_stmt *counted(sqlite3 *db, const struct story *s, const struct story_interval *i, GError **error)
{
	char **word = g_strsplit(i->blocker, " ", 5);
	guint n = g_strv_length(word);
	sqlite3_stmt *q = NULL;

	if (n >= 4 && strcmp(word[0], "qos") == 0 && strcmp(word[2], "user") == 0) {
		q = running(db, i, "qos = ?2 AND user = ?3", word[1], word[3], error);
	} else if (n >= 4 && strcmp(word[0], "qos") == 0 && strcmp(word[2], "account") == 0) {
		q = running(db, i, "qos = ?2 AND account = ?3", word[1], word[3], error);
	} else if (n >= 2 && strcmp(word[0], "qos") == 0) {
		q = running(db, i, "qos = ?2", word[1], NULL, error);
	} else if (n >= 2 && strcmp(word[0], "association") == 0) {
		const char *last = strrchr(word[1], '/');
		last = last ? last + 1 : word[1];
		if (g_strcmp0(last, s->job.user) == 0)
			q = running(db, i, "user = ?2 AND account = ?3", last, s->job.account, error);
		else if (strcmp(last, "root") == 0)
			q = running(db, i, "?2 = ?2", last, NULL, error);
		else
			q = running(db, i, "account = ?2", last, NULL, error);
	}
	g_strfreev(word);
	return q;
}

/* "job 12", "job 12_3", "job 12_[]" */
static sqlite3_stmt *named(sqlite3 *db, const struct story_interval *i, GError **error)
{
	unsigned id = 0, task = 0;
	int n = sscanf(i->blocker, "job %u_%u", &id, &task);
	const char *order = " ORDER BY (end_t > 0 AND end_t <= ?2), start_t > 0 DESC, run DESC LIMIT 1";
	char *sql;
	sqlite3_stmt *q;

	if (n < 1)
		return NULL;
	sql = g_strdup_printf("SELECT " JOB_COLUMNS " FROM job WHERE %s%s",
	                      n == 2 ? "array_job = ?1 AND array_task = ?3" : "(job = ?1 OR array_job = ?1)", order);
	q = n == 2 ? query(db, error, sql, "iii", (int64_t)id, i->from, (int64_t)task)
	           : query(db, error, sql, "ii", (int64_t)id, i->from);
	g_free(sql);
	return q;
}

static bool needs_nodes(enum reason r)
{
	return r == REASON_RESOURCES || r == REASON_REQ_NODE_NOT_AVAIL || r == REASON_LICENSES;
}

static bool find_obstacle(sqlite3 *db, const struct story *s, struct story_interval *i, GError **error)
{
	GError *problem = NULL;
	sqlite3_stmt *q = NULL;

	if (i->reason == REASON_ARRAY_TASK_LIMIT) {
		char array[16];
		g_snprintf(array, sizeof array, "%u", (uint32_t)g_ascii_strtoull(s->job.id, NULL, 10));
		q = running(db, i, "array_job = CAST(?2 AS INTEGER)", array, NULL, &problem);
	} else if (needs_nodes(i->reason)) {
		q = running(db, i, "partition = ?2", s->job.partition, NULL, &problem);
	} else if (i->blocker && g_str_has_prefix(i->blocker, "job ")) {
		q = named(db, i, &problem);
	} else if (i->blocker && reason_is_limit(SLURM_26, i->reason)) {
		q = counted(db, s, i, &problem);
	}
	keep_jobs(i, q);
	if (problem)
		g_propagate_error(error, problem);
	return !problem;
}

/* ---- what clears it ---- */

static enum clears clears_by(const struct story_interval *i, const struct reason_note *n)
{
	if (i->reason == REASON_DEPENDENCY_NEVER)
		return CLEARS_NEVER;
	if (i->reason == REASON_NONE)
		return CLEARS_PASS;
	if (g_str_has_prefix(n->time, "yes"))
		return CLEARS_TIME;
	if (strcmp(n->kind, "held") == 0 || reason_in(i->reason, RG_PARTITION) || i->reason == REASON_PARTITION_CONFIG)
		return CLEARS_COMMAND;
	if (i->reason == REASON_REQ_NODE_NOT_AVAIL || i->reason == REASON_QOS_NOT_ALLOWED ||
	    i->reason == REASON_ACCOUNT_NOT_ALLOWED || i->reason == REASON_INVALID_ACCOUNT ||
	    i->reason == REASON_INVALID_QOS)
		return CLEARS_COMMAND;
	return CLEARS_JOB;
}

/* The last end of a job in the way within the interval. */
static char *last_end(const struct story_interval *i)
{
	const struct story_job *last = NULL;

	for (guint k = 0; k < i->jobs->len; k++) {
		const struct story_job *j = i->jobs->pdata[k];
		if (j->ended && j->end > i->from && j->end <= i->to && (!last || j->end > last->end))
			last = j;
	}
	return last ? g_strdup_printf("job %s of %s ended", last->id, last->user) : NULL;
}

static char *ended_by(const struct story *s, const struct story_interval *i, const struct story_interval *next)
{
	const struct story_job *first = i->jobs->len ? i->jobs->pdata[0] : NULL;
	bool cleared = next || s->started;

	if (!cleared)
		return NULL;
	if (i->reason == REASON_NONE)
		return g_strdup("a pass of the scheduler looked at it");
	if (i->reason == REASON_BEGIN_TIME)
		return g_strdup("the begin time came");
	if (i->clears == CLEARS_COMMAND && strstr(i->name, "Held"))
		return g_strdup("a release");
	if (i->reason == REASON_PRIORITY) {
		if (first && first->start > i->from && first->start <= i->to)
			return g_strdup_printf("job %s of %s, which was ahead, started", first->id, first->user);
		if (!next)
			return g_strdup("it fitted beside the jobs ahead (backfill), or its turn came");
		return next->reason == REASON_RESOURCES ? g_strdup("its turn came") : NULL;
	}
	return last_end(i);
}

static void clear_up(struct story *s)
{
	for (guint k = 0; k < s->intervals->len; k++) {
		struct story_interval *i = s->intervals->pdata[k];
		const struct story_interval *next = k + 1 < s->intervals->len ? s->intervals->pdata[k + 1] : NULL;
		struct reason_note n = reason_note(i->reason);

		i->rule = story_rule(i->reason, i->detail, k == 0 && s->run == 0);
		i->clears = clears_by(i, &n);
		i->cleared_by = g_strdup(n.cleared ? n.cleared : "a change of the job");
		i->ended_by = ended_by(s, i, next);
		reason_note_clear(&n);
	}
}

/* ---- the whole ---- */

static bool count_runs(sqlite3 *db, struct story *s, GError **error)
{
	sqlite3_stmt *q = query(db, error, "SELECT count(*) FROM job WHERE job = ?1", "i", (int64_t)s->raw_id);

	s->runs = q && sqlite3_step(q) == SQLITE_ROW ? (uint32_t)sqlite3_column_int64(q, 0) : 1;
	sqlite3_finalize(q);
	return q != NULL;
}

struct story *story_read(struct sqlite3 *db, const char *job, int run, GError **error)
{
	struct story *s = g_new0(struct story, 1);
	bool ok;

	s->intervals = g_ptr_array_new_with_free_func(interval_free);
	ok = find_job(db, s, job, run, error) && count_runs(db, s, error) && read_intervals(db, s, error);
	for (guint i = 0; ok && i < s->intervals->len; i++)
		ok = find_obstacle(db, s, s->intervals->pdata[i], error);
	if (!ok) {
		story_free(s);
		return NULL;
	}
	clear_up(s);
	return s;
}

uint32_t *story_shares(const struct story *s)
{
	uint32_t *shares = g_new0(uint32_t, s->intervals->len + 1);
	usec_t whole = s->to - s->from, passed = 0;
	uint64_t before = 0;

	/* differences of rounded sums: they add up */
	for (guint i = 0; i < s->intervals->len && whole > 0; i++) {
		const struct story_interval *v = s->intervals->pdata[i];
		passed += v->to - v->from;
		uint64_t sum = (uint64_t)(((__int128)passed * 1000 + whole / 2) / whole);
		shares[i] = (uint32_t)(sum - before);
		before = sum;
	}
	return shares;
}

static int longer(gconstpointer a, gconstpointer b)
{
	const struct story_sum *x = a, *y = b;

	return x->length != y->length ? (x->length < y->length ? 1 : -1) : strcmp(x->name, y->name);
}

GArray *story_sums(const struct story *s)
{
	GArray *sums = g_array_new(FALSE, FALSE, sizeof(struct story_sum));

	for (guint k = 0; k < s->intervals->len; k++) {
		const struct story_interval *v = s->intervals->pdata[k];
		guint at = 0;

		while (at < sums->len && strcmp(g_array_index(sums, struct story_sum, at).name, v->name) != 0)
			at++;
		if (at == sums->len) {
			struct story_sum none = {v->name, 0};
			g_array_append_val(sums, none);
		}
		g_array_index(sums, struct story_sum, at).length += v->to - v->from;
	}
	g_array_sort(sums, longer);
	return sums;
}
