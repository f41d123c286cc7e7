/* summary_data.c - see summary_data.h. */
#include "tools/summary_data.h"
#include "tools/estimate_quality.h"
#include <gio/gio.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* --- small helpers --- */

static bool prepare(sqlite3 *db, const char *sql, sqlite3_stmt **row, GError **error)
{
	if (sqlite3_prepare_v2(db, sql, -1, row, NULL) == SQLITE_OK)
		return true;
	g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot read the record: %s", sqlite3_errmsg(db));
	return false;
}

/* End of a loop over ROW that stopped with RC. */
static bool finish(sqlite3 *db, sqlite3_stmt *row, int rc, GError **error)
{
	if (rc != SQLITE_DONE)
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot read the record: %s", sqlite3_errmsg(db));
	sqlite3_finalize(row);
	return rc == SQLITE_DONE;
}

/* The text of a column as valid UTF-8, "(none)" when absent or empty. */
static char *column_name(sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);
	return g_utf8_make_valid(text && *text ? text : "(none)", -1);
}

static void clear_name(gpointer item) /* all items begin with their name */
{
	g_free(*(char **)item);
}

static GArray *named_array(guint item_size)
{
	GArray *array = g_array_new(FALSE, TRUE, item_size);
	g_array_set_clear_func(array, clear_name);
	return array;
}

static int by_count(gconstpointer a, gconstpointer b)
{
	const struct tally *x = a, *y = b;
	return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->name, y->name);
}

static int by_hours(gconstpointer a, gconstpointer b)
{
	const struct share *x = a, *y = b;
	return x->hours != y->hours ? (x->hours < y->hours ? 1 : -1) : strcmp(x->name, y->name);
}

static int by_jobs(gconstpointer a, gconstpointer b)
{
	const struct wait_group *x = a, *y = b;
	if (x->wait.jobs != y->wait.jobs)
		return x->wait.jobs < y->wait.jobs ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* One part of a task list, "4" or "4-9" or "1-199:3"; 0 when it is something else. */
static uint64_t count_part(const char **at)
{
	char *end = NULL;
	if (!g_ascii_isdigit(**at))
		return 0;
	guint64 first = g_ascii_strtoull(*at, &end, 10), last = first, step = 1;
	if (*end == '-' && g_ascii_isdigit(end[1]))
		last = g_ascii_strtoull(end + 1, &end, 10);
	if (*end == ':' && g_ascii_isdigit(end[1]))
		step = g_ascii_strtoull(end + 1, &end, 10);
	*at = end;
	return last < first || step == 0 || last - first > G_MAXUINT32 ? 0 : (last - first) / step + 1;
}

uint64_t summary_count_tasks(const char *text)
{
	uint64_t total = 0;
	const char *at = text;
	if (!at || *at != '[')
		return 1;
	do {
		at++;
		uint64_t part = count_part(&at);
		if (part == 0)
			return 1;
		total += part;
	} while (*at == ',');
	return *at == '%' || *at == ']' ? total : 1;
}

/* --- waits --- */

static void add_wait(GHashTable *groups, sqlite3_stmt *row, int column, double wait)
{
	char *name = column_name(row, column);
	GArray *waits = g_hash_table_lookup(groups, name);
	if (!waits) {
		waits = g_array_new(FALSE, FALSE, sizeof(double));
		g_hash_table_insert(groups, g_strdup(name), waits);
	}
	g_array_append_val(waits, wait);
	g_free(name);
}

static void measure(GArray *waits, struct wait_stats *w)
{
	double *v = (double *)(void *)waits->data;
	size_t n = waits->len;
	*w = (struct wait_stats){.jobs = n};
	if (n == 0)
		return;
	gsl_sort(v, 1, n);
	w->mean = gsl_stats_mean(v, 1, n);
	w->median = gsl_stats_median_from_sorted_data(v, 1, n);
	w->p90 = gsl_stats_quantile_from_sorted_data(v, 1, n, 0.90);
	w->p99 = gsl_stats_quantile_from_sorted_data(v, 1, n, 0.99);
	w->max = v[n - 1];
}

static GArray *measure_groups(GHashTable *groups)
{
	GArray *out = named_array(sizeof(struct wait_group));
	GHashTableIter iter;
	gpointer name, waits;
	g_hash_table_iter_init(&iter, groups);
	while (g_hash_table_iter_next(&iter, &name, &waits)) {
		struct wait_group group = {.name = g_strdup(name)};
		measure(waits, &group.wait);
		g_array_append_val(out, group);
	}
	g_array_sort(out, by_jobs);
	return out;
}

static GHashTable *new_groups(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
}

static bool collect_waits(sqlite3 *db, struct summary *s, GError **error)
{
	static const char sql[] =
	    "SELECT start_s - CASE WHEN eligible_s > 0 THEN eligible_s ELSE submit_s END, partition, qos "
	    "FROM job WHERE run = 0 AND start_s > 0";
	sqlite3_stmt *row;
	if (!prepare(db, sql, &row, error))
		return false;
	GHashTable *partitions = new_groups(), *qos = new_groups();
	GArray *all = g_array_new(FALSE, FALSE, sizeof(double));
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		double wait = MAX(0.0, sqlite3_column_double(row, 0));
		g_array_append_val(all, wait);
		add_wait(partitions, row, 1, wait);
		add_wait(qos, row, 2, wait);
	}
	measure(all, &s->wait);
	s->by_partition = measure_groups(partitions);
	s->by_qos = measure_groups(qos);
	g_array_unref(all);
	g_hash_table_unref(partitions);
	g_hash_table_unref(qos);
	return finish(db, row, rc, error);
}

/* --- counts --- */

static void add_state(GHashTable *states, sqlite3_stmt *row, uint64_t tasks)
{
	char *name = column_name(row, 0);
	name[strcspn(name, " ")] = '\0';
	struct tally *t = g_hash_table_lookup(states, name);
	if (t) {
		t->count += tasks;
		g_free(name);
		return;
	}
	t = g_new0(struct tally, 1);
	*t = (struct tally){.name = name, .count = tasks};
	g_hash_table_insert(states, name, t);
}

static bool collect_states(sqlite3 *db, struct summary *s, GError **error)
{
	/* with max(), SQLite takes the other columns from the row of the maximum: the last run of each job */
	static const char sql[] = "SELECT state, array_task, array_tasks, max(run), count(*) FROM job GROUP BY job";
	sqlite3_stmt *row;
	if (!prepare(db, sql, &row, error))
		return false;
	GHashTable *states = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		bool rest = (uint32_t)sqlite3_column_int64(row, 1) == NO_VAL;
		uint64_t tasks = rest ? summary_count_tasks((const char *)sqlite3_column_text(row, 2)) : 1;
		add_state(states, row, tasks);
		s->jobs += tasks;
		s->runs += (uint64_t)sqlite3_column_int64(row, 4);
	}
	GHashTableIter iter;
	gpointer tally;
	g_hash_table_iter_init(&iter, states);
	while (g_hash_table_iter_next(&iter, NULL, &tally))
		g_array_append_vals(s->states, tally, 1); /* the name moves along */
	g_array_sort(s->states, by_count);
	g_hash_table_unref(states);
	return finish(db, row, rc, error);
}

/* SQL gives name, count and first line. */
static bool collect_tallies(sqlite3 *db, const char *sql, GArray *out, uint64_t *total, GError **error)
{
	sqlite3_stmt *row;
	if (!prepare(db, sql, &row, error))
		return false;
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		struct tally tally = {.name = column_name(row, 0),
		                      .count = (uint64_t)sqlite3_column_int64(row, 1),
		                      .first_line = (uint64_t)sqlite3_column_int64(row, 2)};
		*total += tally.count;
		g_array_append_val(out, tally);
	}
	g_array_sort(out, by_count);
	return finish(db, row, rc, error);
}

static bool collect_losses(sqlite3 *db, struct summary *s, GError **error)
{
	static const char sql[] = "SELECT lost_cause, count(*), sum(lost * ncpus), sum(lost * ngpus) FROM job "
	                          "WHERE lost > 0 GROUP BY lost_cause ORDER BY 4 DESC, 3 DESC, 1";
	sqlite3_stmt *row;
	if (!prepare(db, sql, &row, error))
		return false;
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		struct loss loss = {.name = column_name(row, 0),
		                    .runs = (uint64_t)sqlite3_column_int64(row, 1),
		                    .cpu_hours = sqlite3_column_double(row, 2) / 3600,
		                    .gpu_hours = sqlite3_column_double(row, 3) / 3600};
		g_array_append_val(s->losses, loss);
	}
	return finish(db, row, rc, error);
}

static bool collect_reasons(sqlite3 *db, struct summary *s, GError **error)
{
	static const char sql[] = "SELECT reason, sum(to_t - from_t) FROM wait GROUP BY reason "
	                          "HAVING sum(to_t - from_t) > 0 ORDER BY 2 DESC, 1";
	sqlite3_stmt *row;
	if (!prepare(db, sql, &row, error))
		return false;
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		struct share share = {.name = column_name(row, 0),
		                      .hours = (double)sqlite3_column_int64(row, 1) / (3600.0 * (double)USEC)};
		s->waiting_hours += share.hours;
		g_array_append_val(s->reasons, share);
	}
	for (guint i = 0; i < s->reasons->len; i++) {
		struct share *share = &g_array_index(s->reasons, struct share, i);
		share->share = share->hours / s->waiting_hours;
	}
	return finish(db, row, rc, error);
}

/* --- meta, time and utilisation --- */

struct span { /* meta's start and end; 0 = absent */
	usec_t start, end;
};

/* Microseconds, or a date as people write it. */
static usec_t parse_instant(const char *value)
{
	gint64 micros = 0;
	sec_t date = 0;
	if (g_ascii_string_to_signed(value, 10, G_MININT64, G_MAXINT64, &micros, NULL))
		return micros;
	return date_parse(value, NULL, &date) ? date * USEC : 0;
}

static void take_meta(struct summary *s, struct span *span, const char *key, const char *value)
{
	const struct {
		const char *key;
		char **text;
		uint64_t *number;
		usec_t *instant;
	} wanted[] = {
	    {"cluster", &s->cluster, NULL, NULL}, {"slurm_version", &s->version, NULL, NULL},
	    {"seed", &s->seed, NULL, NULL},       {"nodes", NULL, &s->nodes, NULL},
	    {"cpus", NULL, &s->cpus.total, NULL}, {"gpus", NULL, &s->gpus.total, NULL},
	    {"start", NULL, NULL, &span->start},  {"end", NULL, NULL, &span->end},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
		if (strcmp(key, wanted[i].key) != 0)
			continue;
		if (wanted[i].text && !*wanted[i].text)
			*wanted[i].text = g_utf8_make_valid(value, -1);
		else if (wanted[i].number)
			*wanted[i].number = g_ascii_strtoull(value, NULL, 10);
		else if (wanted[i].instant)
			*wanted[i].instant = parse_instant(value);
	}
}

static bool collect_meta(sqlite3 *db, struct summary *s, struct span *span, GError **error)
{
	sqlite3_stmt *row;
	if (!prepare(db, "SELECT key, value FROM meta", &row, error))
		return false;
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		const char *key = (const char *)sqlite3_column_text(row, 0);
		const char *value = (const char *)sqlite3_column_text(row, 1);
		if (key && value)
			take_meta(s, span, key, value);
	}
	return finish(db, row, rc, error);
}

static bool collect_makespan(sqlite3 *db, struct summary *s, const struct span *span, GError **error)
{
	static const char sql[] = "SELECT min(submit_t), max(max(submit_t, start_t, end_t)), sum(end_t = 0), "
	                          "(SELECT max(t) FROM series) FROM job";
	sqlite3_stmt *row;
	if (!prepare(db, sql, &row, error))
		return false;
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		s->first_submit = sqlite3_column_int64(row, 0);
		s->last_end = sqlite3_column_int64(row, 1);
		usec_t run_end = span->end ? span->end : sqlite3_column_int64(row, 3);
		if (sqlite3_column_int64(row, 2) > 0)
			s->last_end = MAX(s->last_end, run_end);
	}
	s->makespan = (double)(s->last_end - s->first_submit) / (double)USEC;
	s->simulated =
	    span->start && span->end > span->start ? (double)(span->end - span->start) / (double)USEC : s->makespan;
	return finish(db, row, rc, error);
}

static double utilisation(double integral, uint64_t total, double makespan)
{
	double capacity = (double)total * makespan * (double)USEC;
	return capacity > 0 ? integral / capacity : 0;
}

static bool collect_use(sqlite3 *db, struct summary *s, GError **error)
{
	sqlite3_stmt *row;
	if (!prepare(db, "SELECT t, cpus, gpus FROM series ORDER BY t, rowid", &row, error))
		return false;
	double cpus = 0, gpus = 0; /* in use since AT */
	double cpu_time = 0, gpu_time = 0;
	usec_t at = s->first_submit;
	int rc;
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		usec_t t = CLAMP(sqlite3_column_int64(row, 0), s->first_submit, s->last_end);
		cpu_time += cpus * (double)(t - at);
		gpu_time += gpus * (double)(t - at);
		at = t;
		cpus = sqlite3_column_double(row, 1);
		gpus = sqlite3_column_double(row, 2);
	}
	cpu_time += cpus * (double)(s->last_end - at);
	gpu_time += gpus * (double)(s->last_end - at);
	s->cpus.utilisation = utilisation(cpu_time, s->cpus.total, s->makespan);
	s->gpus.utilisation = utilisation(gpu_time, s->gpus.total, s->makespan);
	return finish(db, row, rc, error);
}

/* GPU time stranded, by cause: the columns of table stranded hold until the next row. */
static bool collect_stranded(sqlite3 *db, struct summary *s, GError **error)
{
	static const char *const cause[] = {"closed", "count", "cores", "memory", "affinity", "socket", "links"};
	enum { CAUSES = G_N_ELEMENTS(cause) };
	double now[CAUSES] = {0}, time[CAUSES] = {0}, all = 0;
	sqlite3_stmt *row;
	if (!prepare(db, "SELECT t, closed, count, cores, memory, affinity, socket, links FROM stranded ORDER BY t, rowid", &row,
	             error))
		return false;
	usec_t at = s->first_submit;
	int rc;
	do {
		rc = sqlite3_step(row);
		usec_t t = rc == SQLITE_ROW ? CLAMP(sqlite3_column_int64(row, 0), s->first_submit, s->last_end) : s->last_end;
		for (int i = 0; i < CAUSES; i++) {
			time[i] += now[i] * (double)(t - at);
			now[i] = rc == SQLITE_ROW ? sqlite3_column_double(row, i + 1) : 0;
		}
		at = t;
	} while (rc == SQLITE_ROW);
	for (int i = 0; i < CAUSES; i++)
		all += time[i];
	for (int i = 0; i < CAUSES; i++) {
		struct share share = {g_strdup(cause[i]), time[i] / (3600.0 * (double)USEC), all > 0 ? time[i] / all : 0};
		if (time[i] > 0)
			g_array_append_val(s->stranded_by, share);
		else
			g_free(share.name);
	}
	g_array_sort(s->stranded_by, by_hours);
	s->stranded = s->makespan > 0 ? all / (double)USEC / s->makespan : 0;
	return finish(db, row, rc, error);
}

static bool collect_stretched(sqlite3 *db, struct summary *s, GError **error)
{
	sqlite3_stmt *row;
	if (!prepare(db, "SELECT count(*), ifnull(sum(stretched - run_time), 0) FROM stretch", &row, error))
		return false;
	int rc = sqlite3_step(row);
	if (rc == SQLITE_ROW) {
		s->stretched = (uint64_t)sqlite3_column_int64(row, 0);
		s->stretched_hours = sqlite3_column_double(row, 1) / 3600;
		rc = sqlite3_step(row);
	}
	return finish(db, row, rc, error);
}

static bool collect_all(sqlite3 *db, struct summary *s, GError **error)
{
	static const char refused_sql[] = "SELECT message, count(*), 0 FROM refused GROUP BY message";
	static const char left_out_sql[] = "SELECT cause, sum(count), min(first_line) FROM left_out GROUP BY cause";
	static const char cut_sql[] = "SELECT kind || ': ' || ended_by, count(*), 0 FROM pass "
	                              "WHERE ended_by NOT IN ('end of queue', 'no jobs') GROUP BY 1";
	struct span span = {0};
	return collect_meta(db, s, &span, error) && collect_makespan(db, s, &span, error) &&
	       collect_states(db, s, error) && collect_tallies(db, refused_sql, s->refused, &s->n_refused, error) &&
	       collect_tallies(db, left_out_sql, s->left_out, &s->n_left_out, error) && collect_waits(db, s, error) &&
	       collect_use(db, s, error) && collect_stranded(db, s, error) && collect_stretched(db, s, error) &&
	       collect_losses(db, s, error) && collect_reasons(db, s, error) && collect_tallies(db, cut_sql, s->cut, &s->n_cut, error) &&
	       (s->estimates = estimate_quality(db, error)) && replay_truth_read(db, &s->replay, error);
}

struct summary *summary_collect(struct sqlite3 *db, GError **error)
{
	struct summary *s = g_new0(struct summary, 1);
	s->states = named_array(sizeof(struct tally));
	s->refused = named_array(sizeof(struct tally));
	s->left_out = named_array(sizeof(struct tally));
	s->reasons = named_array(sizeof(struct share));
	s->stranded_by = named_array(sizeof(struct share));
	s->losses = named_array(sizeof(struct loss));
	s->cut = named_array(sizeof(struct tally));
	if (!collect_all(db, s, error))
		g_clear_pointer(&s, summary_free);
	return s;
}

void summary_free(struct summary *s)
{
	if (!s)
		return;
	GArray *const arrays[] = {s->states, s->refused, s->left_out, s->by_partition, s->by_qos, s->reasons, s->stranded_by,
	                           s->losses, s->cut, s->estimates};
	for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
		if (arrays[i])
			g_array_unref(arrays[i]);
	g_free(s->cluster);
	g_free(s->version);
	g_free(s->seed);
	g_free(s);
}
