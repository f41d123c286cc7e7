/*
 * records.c - see records.h: what became of the jobs.
 *
 * jobs.csv has a line a run of a job; alloc.jsonl says what it held. Lines of one label are its runs in order.
 */
#include "tests/conformance/records.h"
#include "sched/base/hostlist.h"
#include "tests/conformance/record_parts.h"
#include <stdlib.h>
#include <string.h>

static gint64 whole(const char *text, gint64 otherwise)
{
	return *text ? g_ascii_strtoll(text, NULL, 10) : otherwise;
}

static void replace(char **field, const char *text)
{
	g_free(*field);
	*field = g_strdup(text);
}

static void read_job(struct run *run, const struct table *t, guint row)
{
	const char *label = table_get(t, row, "label");
	if (g_str_has_suffix(label, "!refused"))
		return;
	struct job_story *s = run_story(run, label);
	struct job_run *j = story_add(s);
	j->start = whole(table_get(t, row, "start"), NO_TIME);
	j->start_exact = j->start == NO_TIME ? 0 : (double)j->start;
	j->end = whole(table_get(t, row, "end"), NO_TIME);
	replace(&j->state, table_get(t, row, "state"));
	replace(&j->exit, table_get(t, row, "exit"));
	replace(&j->nodes, table_get(t, row, "nodes"));
	j->priority = whole(table_get(t, row, "priority_last"), NO_PRIORITY);
	s->priority_first = whole(table_get(t, row, "priority_first"), NO_PRIORITY);
	g_strfreev(s->reasons);
	const char *held = table_get(t, row, "reasons_held");
	s->reasons = *held ? g_strsplit(held, ">", -1) : g_new0(char *, 1);
}

static struct run *read_jobs(const char *dir, const char *name, GError **error)
{
	struct table *t = table_read(dir, name, error);
	if (!t)
		return NULL;
	struct run *run = run_new();
	for (guint i = 0; i < t->rows->len; i++)
		read_job(run, t, i);
	table_free(t);
	return run;
}

/* ---- what a run held ---- */

static void place(struct job_run *j, const cJSON *nodes)
{
	const cJSON *group;
	cJSON_ArrayForEach(group, nodes)
	{
		GPtrArray *names = hostlist_expand(json_text(group, "nodes"), NULL);
		for (guint i = 0; names && i < names->len; i++) {
			const char *gres = json_text(group, "gres");
			job_run_place(j, names->pdata[i], json_text(group, "cpu_ids"),
			              whole(json_text(group, "mem_mb"), 0), strcmp(gres, "(null)") ? gres : "");
		}
		if (names)
			g_ptr_array_unref(names);
	}
	job_run_sort_placed(j);
}

/* The run that the allocation belongs to: it began in the same second. */
static void place_line(const cJSON *line, struct run *run)
{
	const struct job_story *s = run_find(run, json_text(line, "label"));
	double start = json_number(line, "start", -1e9);
	for (guint k = 0; s && k < s->runs->len; k++) {
		struct job_run *j = story_run(s, k);
		if (!j->placed && j->start != NO_TIME && (double)j->start == start) {
			place(j, cJSON_GetObjectItemCaseSensitive(line, "nodes"));
			return;
		}
	}
}

static bool read_placed(struct record *r, GError **error)
{
	GPtrArray *lines = json_lines_read(r->dir, "alloc.jsonl", error);
	if (!lines)
		return false;
	for (guint i = 0; i < lines->len; i++)
		place_line(lines->pdata[i], r->run);
	g_ptr_array_unref(lines);
	return true;
}

/* ---- exact starts ---- */

static void add_starts(struct record *r)
{
	for (guint i = 0; i < r->run->stories->len; i++) {
		struct job_story *s = r->run->stories->pdata[i];
		for (guint k = 0; k < s->runs->len; k++) {
			struct job_run *j = story_run(s, k);
			const struct happening *h = record_find(r, "alloc_*", s->label, k);
			if (j->start == NO_TIME || !h)
				continue;
			j->start_exact = h->t;
			j->by_backfill = strcmp(h->what, "alloc_backfill") == 0;
		}
	}
}

/* ---- the second recording ---- */

static bool file_there(const char *dir, const char *name)
{
	char *path = g_build_filename(dir, name, NULL), *zipped = g_strconcat(path, ".gz", NULL);
	bool there = g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(zipped, G_FILE_TEST_EXISTS);
	g_free(path);
	g_free(zipped);
	return there;
}

/* repeat.txt: "LABEL: detailed placement differs". */
static bool read_vague(struct record *r, GError **error)
{
	char *text = textfile_read(r->dir, "repeat.txt", error);
	if (!text)
		return false;
	char **lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		char *end = strstr(lines[i], ": detailed placement differs");
		if (end)
			g_hash_table_add(r->vague, g_strndup(lines[i], (gsize)(end - lines[i])));
	}
	g_strfreev(lines);
	g_free(text);
	return true;
}

static bool read_second_clocks(struct record *r, GError **error)
{
	GPtrArray *first = r->passes;
	r->passes = NULL;
	bool ok = record_read_passes(r, "passes.run2.csv", error);
	ok = ok && record_find_clocks(r, r->passes, r->happenings, &r->clocks[1], error);
	if (r->passes)
		g_ptr_array_unref(r->passes);
	r->passes = first;
	return ok;
}

/* Who started each run in the second recording: its own events say. */
static bool read_second_starters(struct record *r, GError **error)
{
	GPtrArray *first = r->happenings;
	r->happenings = NULL;
	bool ok = record_read_happenings(r, "controller_events.run2.csv", error);
	for (guint i = 0; ok && i < r->second->stories->len; i++) {
		const struct job_story *s = r->second->stories->pdata[i];
		for (guint k = 0; k < s->runs->len; k++)
			story_run(s, k)->by_backfill = record_find(r, "alloc_backfill", s->label, k) != NULL;
	}
	ok = ok && read_second_clocks(r, error);
	if (r->happenings)
		g_ptr_array_unref(r->happenings);
	r->happenings = first;
	return ok;
}

static bool read_second(struct record *r, GError **error)
{
	if (!file_there(r->dir, "jobs.run2.csv"))
		return true;
	r->second = read_jobs(r->dir, "jobs.run2.csv", error);
	return r->second && read_vague(r, error) && read_second_starters(r, error);
}

/* ---- all together ---- */

static bool read_all(struct record *r, GError **error)
{
	r->run = read_jobs(r->dir, "jobs.csv", error);
	if (!r->run || !record_read_meta(r, error) || !record_read_passes(r, "passes.csv", error) ||
	    !record_read_happenings(r, "controller_events.csv", error) || !record_read_told(r, error) ||
	    !record_read_samples(r, error) || !record_read_plans(r, error) || !read_placed(r, error) ||
	    !read_second(r, error))
		return false;
	r->commands = json_lines_read(r->dir, "events.jsonl", error);
	add_starts(r);
	return r->commands && record_find_clocks(r, r->passes, r->happenings, &r->clocks[0], error);
}

struct record *record_read(const char *root, const char *version, const char *name, GError **error)
{
	struct record *r = g_new0(struct record, 1);
	r->name = g_strdup(name);
	r->is_26 = strcmp(version, "22.05") != 0;
	r->dir = g_build_filename(root, version, name, NULL);
	r->scenario = g_build_filename(root, "scenarios", name, NULL);
	r->vague = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (read_all(r, error))
		return r;
	record_free(r);
	return NULL;
}

void record_free(struct record *r)
{
	if (!r)
		return;
	GPtrArray *lists[] = {r->passes, r->happenings, r->told, r->commands};
	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		if (lists[i])
			g_ptr_array_unref(lists[i]);
	if (r->samples)
		g_array_unref(r->samples);
	g_hash_table_unref(r->vague);
	run_free(r->run);
	run_free(r->second);
	g_free(r->name);
	g_free(r->dir);
	g_free(r->scenario);
	g_free(r);
}

int record_pass_at(const struct record *r, double t)
{
	int number = -1;
	for (guint i = 0; i < r->passes->len; i++) {
		const struct pass *p = r->passes->pdata[i];
		if (p->t > t + 1e-9)
			break;
		number = (int)p->number;
	}
	return number;
}

static bool is_what(const char *what, const char *wanted)
{
	gsize n = strlen(wanted);
	return n && wanted[n - 1] == '*' ? strncmp(what, wanted, n - 1) == 0 : strcmp(what, wanted) == 0;
}

const struct happening *record_find(const struct record *r, const char *what, const char *job, guint run)
{
	for (guint i = 0; i < r->happenings->len; i++) {
		const struct happening *h = r->happenings->pdata[i];
		if (h->run == run && strcmp(h->job, job) == 0 && is_what(h->what, what))
			return h;
	}
	return NULL;
}

/* run-oracle's own rule: an interval runs from the first to the last look that showed the reason, whatever else the job
 * did between; neighbours that became equal when shorter ones fell out are one. */
char **reasons_held(const double *times, char *const *seen, guint n)
{
	GPtrArray *held = g_ptr_array_new();
	const char *open = NULL;
	double from = 0, to = 0;
	for (guint i = 0; i <= n; i++) {
		if (i < n && !seen[i])
			continue;
		if (i < n && open && strcmp(open, seen[i]) == 0) {
			to = times[i];
			continue;
		}
		if (open && to - from >= 2 && (held->len == 0 || strcmp(held->pdata[held->len - 1], open) != 0))
			g_ptr_array_add(held, g_strdup(open));
		if (i < n) {
			open = seen[i];
			from = to = times[i];
		}
	}
	g_ptr_array_add(held, NULL);
	return (char **)g_ptr_array_free(held, FALSE);
}
