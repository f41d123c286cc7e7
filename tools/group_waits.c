/* group_waits.c - see group_waits.h */
#include "tools/group_waits.h"
#include "sched/reason.h"
#include "tools/story.h"
#include <cjson/cJSON.h>
#include <sqlite3.h>
#include <string.h>

struct sum {          /* of one reason or one obstacle in one class */
	char *key;    /* owned */
	char *reason; /* owned; of an obstacle */
	usec_t length;
	uint64_t jobs;
	uint32_t last; /* the job that was counted last */
};

struct group {
	char *name; /* owned */
	usec_t length;
	uint64_t jobs;
	GHashTable *reasons, *obstacles; /* char * -> struct sum * */
};

struct grouping {
	sqlite3 *db;
	sqlite3_stmt *waits;
	GHashTable *groups;
	uint32_t serial; /* of the job row under way */
};

static const char *const COLUMNS[] = {"partition", "account", "user", "qos"};

/* The column that WHAT names and, behind "=", the class (NULL = all). NULL when there is no such column. */
static const char *column_of(const char *what, const char **name)
{
	size_t n = strcspn(what, "=");

	*name = what[n] ? what + n + 1 : NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(COLUMNS); i++)
		if (strlen(COLUMNS[i]) == n && strncmp(COLUMNS[i], what, n) == 0)
			return COLUMNS[i];
	return NULL;
}

bool group_check(const char *what, GError **error)
{
	const char *name;

	if (column_of(what, &name))
		return true;
	g_set_error(error, GROUP_ERROR, 0,
	            "--group: bad value \"%s\"; write partition, account, user or qos, or one class: user=ann", what);
	return false;
}

static void sum_free(void *data)
{
	struct sum *s = data;

	g_free(s->key);
	g_free(s->reason);
	g_free(s);
}

static void group_free(void *data)
{
	struct group *g = data;

	g_hash_table_unref(g->reasons);
	g_hash_table_unref(g->obstacles);
	g_free(g->name);
	g_free(g);
}

/* ---- adding up ---- */

static struct group *group_of(struct grouping *all, const char *name)
{
	struct group *g = g_hash_table_lookup(all->groups, name);

	if (g)
		return g;
	g = g_new0(struct group, 1);
	g->name = g_strdup(name);
	g->reasons = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, sum_free);
	g->obstacles = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, sum_free);
	g_hash_table_insert(all->groups, g->name, g);
	return g;
}

static void add_to(struct grouping *all, GHashTable *table, const char *key, const char *reason, usec_t length,
                   uint64_t jobs)
{
	struct sum *s = g_hash_table_lookup(table, key);

	if (!s) {
		s = g_new0(struct sum, 1);
		s->key = g_strdup(key);
		s->reason = g_strdup(reason);
		g_hash_table_insert(table, s->key, s);
	}
	s->length += length * (usec_t)jobs;
	s->jobs += s->last == all->serial ? 0 : jobs;
	s->last = all->serial;
}

/* Who or what is in the way, without the figures. g_free. */
static char *obstacle(const char *reason, const char *blocker)
{
	size_t n = blocker ? strcspn(blocker, ":") : 0;

	return n ? g_strdup_printf("%s: %.*s", reason, (int)n, blocker) : g_strdup(reason);
}

/* The waits of record JOB up to BEFORE count for JOBS jobs of G. */
static void add_waits(struct grouping *all, struct group *g, int64_t job, int run, usec_t before, uint64_t jobs)
{
	sqlite3_reset(all->waits);
	sqlite3_bind_int64(all->waits, 1, job);
	sqlite3_bind_int(all->waits, 2, run);
	while (sqlite3_step(all->waits) == SQLITE_ROW) {
		usec_t from = sqlite3_column_int64(all->waits, 0),
		       to = MIN(sqlite3_column_int64(all->waits, 1), before);
		const char *reason = (const char *)sqlite3_column_text(all->waits, 2);
		const char *blocker = (const char *)sqlite3_column_text(all->waits, 3);

		if (to <= from || !reason)
			continue;
		char *key = obstacle(reason, blocker);
		add_to(all, g->reasons, reason, reason, to - from, jobs);
		add_to(all, g->obstacles, key, reason, to - from, jobs);
		g->length += (to - from) * (usec_t)jobs;
		g_free(key);
	}
}

static usec_t first_wait(struct grouping *all, int64_t job, int run)
{
	usec_t first = INT64_MAX;

	sqlite3_reset(all->waits);
	sqlite3_bind_int64(all->waits, 1, job);
	sqlite3_bind_int(all->waits, 2, run);
	if (sqlite3_step(all->waits) == SQLITE_ROW)
		first = sqlite3_column_int64(all->waits, 0);
	return first;
}

/* "[3-7,9%2]" -> 6; "[26-199:3]" steps too. 1 for what is no list. */
static uint64_t count_tasks(const char *text)
{
	uint64_t n = 0;

	if (!text || *text != '[')
		return 1;
	for (const char *p = text + 1; *p && *p != ']' && *p != '%';) {
		char *end;
		uint64_t low = g_ascii_strtoull(p, &end, 10), high = low, step = 1;

		if (end == p)
			break;
		if (*end == '-')
			high = g_ascii_strtoull(end + 1, &end, 10);
		if (*end == ':')
			step = MAX(1, g_ascii_strtoull(end + 1, &end, 10));
		n += high >= low ? (high - low) / step + 1 : 0;
		p = *end == ',' ? end + 1 : end;
	}
	return MAX(1, n);
}

static void add_job(struct grouping *all, sqlite3_stmt *row)
{
	const char *name = (const char *)sqlite3_column_text(row, 0);
	int64_t job = sqlite3_column_int64(row, 1), array = sqlite3_column_int64(row, 2);
	int run = sqlite3_column_int(row, 4);
	usec_t start = sqlite3_column_int64(row, 5), end = sqlite3_column_int64(row, 6);
	uint64_t jobs = count_tasks((const char *)sqlite3_column_text(row, 3));
	usec_t last = start ? start : end ? end : INT64_MAX;
	struct group *g = group_of(all, name ? name : "(none)");

	all->serial++;
	g->jobs += jobs;
	if (array && array != job && run == 0) /* until it was split off it waited as part of its array */
		add_waits(all, g, array, 0, MIN(first_wait(all, job, run), last), jobs);
	add_waits(all, g, job, run, last, jobs);
}

static bool add_jobs(struct grouping *all, const char *column, const char *name, GError **error)
{
	char *sql =
	    g_strdup_printf("SELECT %s, job, array_job, array_tasks, run, start_t, end_t FROM job%s%s%s ORDER BY rowid",
	                    column, name ? " WHERE " : "", name ? column : "", name ? " = ?1" : "");
	sqlite3_stmt *row = NULL;
	bool ok = sqlite3_prepare_v2(all->db, sql, -1, &row, NULL) == SQLITE_OK &&
	          sqlite3_prepare_v2(all->db,
	                             "SELECT from_t, to_t, reason, blocker FROM wait WHERE job = ?1 AND run = ?2 "
	                             "ORDER BY from_t",
	                             -1, &all->waits, NULL) == SQLITE_OK;

	if (ok && name)
		sqlite3_bind_text(row, 1, name, -1, SQLITE_TRANSIENT);
	while (ok && sqlite3_step(row) == SQLITE_ROW)
		add_job(all, row);
	if (!ok)
		g_set_error(error, GROUP_ERROR, 0, "the record cannot be read: %s", sqlite3_errmsg(all->db));
	sqlite3_finalize(row);
	sqlite3_finalize(all->waits);
	g_free(sql);
	return ok;
}

/* ---- order ---- */

static int costlier(gconstpointer a, gconstpointer b)
{
	const struct sum *x = *(struct sum *const *)a, *y = *(struct sum *const *)b;

	return x->length != y->length ? (x->length < y->length ? 1 : -1) : strcmp(x->key, y->key);
}

static GPtrArray *values_of(GHashTable *table)
{
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		g_ptr_array_add(list, value);
	return list;
}

static GPtrArray *sorted(GHashTable *table)
{
	GPtrArray *list = values_of(table);

	g_ptr_array_sort(list, costlier);
	return list;
}

static int longer(gconstpointer a, gconstpointer b)
{
	const struct group *x = *(struct group *const *)a, *y = *(struct group *const *)b;

	return x->length != y->length ? (x->length < y->length ? 1 : -1) : strcmp(x->name, y->name);
}

/* "Priority: job 12" with whose it is and what it asked for. g_free. */
static char *with_owner(sqlite3 *db, const char *key)
{
	const char *job = strstr(key, ": job ");
	sqlite3_stmt *q = NULL;
	char *text = NULL;

	if (!job || sqlite3_prepare_v2(db, "SELECT user, req_nodes, req_tres FROM job WHERE job = ?1 LIMIT 1", -1, &q,
	                               NULL) != SQLITE_OK)
		return g_strdup(key);
	sqlite3_bind_int64(q, 1, (int64_t)g_ascii_strtoull(job + 6, NULL, 10));
	if (sqlite3_step(q) == SQLITE_ROW)
		text = g_strdup_printf("%s of %s, which asked for %s", key, (const char *)sqlite3_column_text(q, 0),
		                       (const char *)sqlite3_column_text(q, 2));
	sqlite3_finalize(q);
	return text ? text : g_strdup(key);
}

/* ---- printing ---- */

static double hours(usec_t t)
{
	return (double)t / 3.6e9;
}

static double percent(usec_t part, usec_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static void print_group(FILE *out, sqlite3 *db, const char *column, const struct group *g)
{
	GPtrArray *reasons = sorted(g->reasons), *obstacles = sorted(g->obstacles);

	fprintf(out, "%s %s: %.1f hours of waiting, %" G_GUINT64_FORMAT " jobs\n", column, g->name, hours(g->length),
	        g->jobs);
	for (guint i = 0; i < reasons->len; i++) {
		const struct sum *s = reasons->pdata[i];
		fprintf(out, "  %-32s %10.1f h %5.1f %%  %6" G_GUINT64_FORMAT " %-4s  [%s]\n", s->key, hours(s->length),
		        percent(s->length, g->length), s->jobs, s->jobs == 1 ? "job" : "jobs",
		        story_rule(reason_find(s->key), NULL, false));
	}
	if (obstacles->len)
		fputs("  the costliest obstacles\n", out);
	for (guint i = 0; i < MIN(obstacles->len, GROUP_OBSTACLES); i++) {
		const struct sum *s = obstacles->pdata[i];
		char *text = with_owner(db, s->key);
		fprintf(out, "  %2u %10.1f h %5.1f %%  %6" G_GUINT64_FORMAT " %-4s  %s\n", i + 1, hours(s->length),
		        percent(s->length, g->length), s->jobs, s->jobs == 1 ? "job" : "jobs", text);
		g_free(text);
	}
	g_ptr_array_unref(reasons);
	g_ptr_array_unref(obstacles);
}

static cJSON *sum_json(const struct sum *s, const char *key, const char *text)
{
	cJSON *o = cJSON_CreateObject();

	cJSON_AddStringToObject(o, key, text);
	cJSON_AddNumberToObject(o, "hours", hours(s->length));
	cJSON_AddNumberToObject(o, "jobs", (double)s->jobs);
	return o;
}

static cJSON *group_json(sqlite3 *db, const struct group *g)
{
	cJSON *o = cJSON_CreateObject(), *list = cJSON_CreateArray();
	GPtrArray *reasons = sorted(g->reasons), *obstacles = sorted(g->obstacles);

	cJSON_AddStringToObject(o, "name", g->name);
	cJSON_AddNumberToObject(o, "hours", hours(g->length));
	cJSON_AddNumberToObject(o, "jobs", (double)g->jobs);
	for (guint i = 0; i < reasons->len; i++) {
		const struct sum *s = reasons->pdata[i];
		cJSON *entry = sum_json(s, "reason", s->key);
		cJSON_AddStringToObject(entry, "rule", story_rule(reason_find(s->key), NULL, false));
		cJSON_AddItemToArray(list, entry);
	}
	cJSON_AddItemToObject(o, "reasons", list);
	list = cJSON_AddArrayToObject(o, "obstacles");
	for (guint i = 0; i < MIN(obstacles->len, GROUP_OBSTACLES); i++) {
		const struct sum *s = obstacles->pdata[i];
		char *text = with_owner(db, s->key);
		cJSON *entry = sum_json(s, "obstacle", text);
		cJSON_AddStringToObject(entry, "reason", s->reason);
		cJSON_AddItemToArray(list, entry);
		g_free(text);
	}
	g_ptr_array_unref(reasons);
	g_ptr_array_unref(obstacles);
	return o;
}

static void print_all(FILE *out, sqlite3 *db, const char *column, const GPtrArray *groups, bool json)
{
	cJSON *root = json ? cJSON_CreateObject() : NULL, *list = json ? cJSON_AddArrayToObject(root, column) : NULL;

	for (guint i = 0; i < groups->len; i++) {
		if (json) {
			cJSON_AddItemToArray(list, group_json(db, groups->pdata[i]));
			continue;
		}
		if (i)
			fputc('\n', out);
		print_group(out, db, column, groups->pdata[i]);
	}
	if (json) {
		char *text = cJSON_Print(root);
		fprintf(out, "%s\n", text);
		cJSON_free(text);
		cJSON_Delete(root);
	}
}

bool group_print(FILE *out, struct sqlite3 *db, const char *what, bool json, GError **error)
{
	struct grouping all = {.db = db, .groups = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, group_free)};
	const char *name, *column = column_of(what, &name);
	bool ok = add_jobs(&all, column, name, error);
	GPtrArray *groups = values_of(all.groups);

	if (ok && name && groups->len == 0) {
		g_set_error(error, GROUP_ERROR, 0, "no job of %s \"%s\" in this record", column, name);
		ok = false;
	}
	g_ptr_array_sort(groups, longer);
	if (ok)
		print_all(out, db, column, groups, json);
	g_ptr_array_unref(groups);
	g_hash_table_unref(all.groups);
	return ok;
}
