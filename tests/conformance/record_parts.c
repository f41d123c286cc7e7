/* record_parts.c - see record_parts.h. */
#include "tests/conformance/record_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool record_read_meta(struct record *r, GError **error)
{
	cJSON *meta = json_read(r->dir, "meta.json", error);
	if (!meta)
		return false;
	const cJSON *hour = cJSON_GetObjectItemCaseSensitive(meta, "t0_seconds_into_hour");
	r->until = json_number(meta, "until", 0);
	r->speed = json_number(meta, "speed", 1);
	r->controller_lead = json_number(meta, "t0_after_slurmctld_start", 12);
	r->lead_from_backfill = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(meta, "lead_from_backfill"));
	r->clocks[0].t0_into_hour = json_number(hour, "run1", 0);
	r->clocks[1].t0_into_hour = json_number(hour, "run2", 0);
	r->has_accounting = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(meta, "slurmdbd"));
	cJSON_Delete(meta);
	return true;
}

static void pass_free(void *data)
{
	struct pass *p = data;
	g_free(p->kind);
	g_free(p);
}

bool record_read_passes(struct record *r, const char *file, GError **error)
{
	struct table *t = table_read(r->dir, file, error);
	if (!t)
		return false;
	r->passes = g_ptr_array_new_with_free_func(pass_free);
	for (guint i = 0; i < t->rows->len; i++) {
		struct pass *p = g_new0(struct pass, 1);
		p->number = (guint)atoi(table_get(t, i, "pass"));
		p->t = g_ascii_strtod(table_get(t, i, "t"), NULL);
		p->kind = g_strdup(table_get(t, i, "kind"));
		p->end = g_ascii_strtod(table_get(t, i, "end"), NULL);
		p->queue = (guint)atoi(table_get(t, i, "queue"));
		p->started = (guint)atoi(table_get(t, i, "started"));
		p->tested = (guint)atoi(table_get(t, i, "tested"));
		g_ptr_array_add(r->passes, p);
	}
	table_free(t);
	return true;
}

static void happening_free(void *data)
{
	struct happening *h = data;
	g_free(h->what);
	g_free(h->job);
	g_free(h->node);
	g_free(h->detail);
	g_free(h);
}

bool record_read_happenings(struct record *r, const char *file, GError **error)
{
	struct table *t = table_read(r->dir, file, error);
	if (!t)
		return false;
	GHashTable *allocated = g_hash_table_new(g_str_hash, g_str_equal); /* job -> how often so far */
	r->happenings = g_ptr_array_new_with_free_func(happening_free);
	for (guint i = 0; i < t->rows->len; i++) {
		struct happening *h = g_new0(struct happening, 1);
		h->t = g_ascii_strtod(table_get(t, i, "t"), NULL);
		h->what = g_strdup(table_get(t, i, "event"));
		h->job = g_strdup(table_get(t, i, "job"));
		h->node = g_strdup(table_get(t, i, "node"));
		h->detail = g_strdup(table_get(t, i, "detail"));
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(allocated, h->job));
		if (g_str_has_prefix(h->what, "alloc_"))
			g_hash_table_insert(allocated, h->job, GUINT_TO_POINTER(++n));
		h->run = n ? n - 1 : 0;
		g_ptr_array_add(r->happenings, h);
	}
	g_hash_table_unref(allocated);
	table_free(t);
	return true;
}

/* ---- submissions ---- */

static void told_free(void *data)
{
	struct told *s = data;
	g_free(s->name);
	g_free(s->label);
	g_free(s);
}

/* Names of refused submissions that used up a job id: jobs.csv has them as NAME!refused. */
static GHashTable *ids_used(const struct record *r, GError **error)
{
	struct table *t = table_read(r->dir, "jobs.csv", error);
	if (!t)
		return NULL;
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < t->rows->len; i++) {
		const char *label = table_get(t, i, "label");
		if (g_str_has_suffix(label, "!refused"))
			g_hash_table_add(names, g_strndup(label, strlen(label) - strlen("!refused")));
	}
	table_free(t);
	return names;
}

/* The N-th accepted submission of a name is NAME, NAME#2, NAME#3. */
static char *label_of(const char *name, guint n)
{
	return n > 1 ? g_strdup_printf("%s#%u", name, n) : g_strdup(name);
}

bool record_read_told(struct record *r, GError **error)
{
	GHashTable *used = ids_used(r, error);
	GPtrArray *lines = used ? json_lines_read(r->dir, "submits.jsonl", error) : NULL;
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal); /* name -> accepted so far */
	r->told = g_ptr_array_new_with_free_func(told_free);
	for (guint i = 0; lines && i < lines->len; i++) {
		const cJSON *line = lines->pdata[i];
		struct told *s = g_new0(struct told, 1);
		s->name = g_strdup(json_text(line, "name"));
		s->done = json_number(line, "done", 0);
		s->at = json_number(line, "at", json_number(line, "t", s->done));
		s->refused = !*json_text(line, "jobid");
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(seen, s->name)) + !s->refused;
		g_hash_table_insert(seen, s->name, GUINT_TO_POINTER(n));
		s->label = s->refused ? g_strdup(s->name) : label_of(s->name, n);
		g_ptr_array_add(r->told, s);
		run_add_answer(r->run, s->name, s->refused, s->refused && g_hash_table_contains(used, s->name),
		               s->refused ? json_text(line, "error") : "");
	}
	g_hash_table_unref(seen);
	if (used)
		g_hash_table_unref(used);
	if (lines)
		g_ptr_array_unref(lines);
	return lines != NULL;
}

/* ---- looks at the queue ---- */

struct look { /* at one job */
	double t;
	gint64 priority;
};

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void sort_samples(GArray *samples)
{
	g_array_sort(samples, by_number);
	guint kept = 0;
	double *t = (double *)(void *)samples->data;
	for (guint i = 0; i < samples->len; i++)
		if (kept == 0 || t[i] > t[kept - 1])
			t[kept++] = t[i];
	g_array_set_size(samples, kept);
}

/* How much the priority changed from the look before a recalculation to the look after it, at most. */
static void note_step(const struct record *r, struct job_story *s, const struct look *before, const struct look *after)
{
	gint64 change = llabs(after->priority - before->priority);
	if (change <= s->priority_step)
		return;
	for (guint i = 0; i < r->happenings->len; i++) {
		const struct happening *h = r->happenings->pdata[i];
		if (strcmp(h->what, "priority_recalc") == 0 && h->t > before->t - 0.05 && h->t <= after->t + 0.05) {
			s->priority_step = change;
			return;
		}
	}
}

static bool read_looks(struct record *r, const char *file, GError **error)
{
	GPtrArray *lines = json_lines_read(r->dir, file, error);
	if (!lines)
		return false;
	GHashTable *last = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	for (guint i = 0; i < lines->len; i++) {
		const cJSON *line = lines->pdata[i];
		struct look *look = g_new0(struct look, 1);
		look->t = json_number(line, "t", 0);
		look->priority = (gint64)json_number(line, "priority", 0);
		g_array_append_val(r->samples, look->t);
		struct job_story *s = run_find(r->run, json_text(line, "label"));
		const struct look *before = s ? g_hash_table_lookup(last, s->label) : NULL;
		if (before)
			note_step(r, s, before, look);
		if (s && look->t >= s->last_look) {
			s->last_look = look->t;
			s->priority_last = look->priority;
		}
		if (s)
			g_hash_table_replace(last, s->label, look);
		else
			g_free(look);
	}
	g_hash_table_unref(last);
	g_ptr_array_unref(lines);
	return true;
}

bool record_read_samples(struct record *r, GError **error)
{
	r->samples = g_array_new(FALSE, FALSE, sizeof(double));
	if (!read_looks(r, "pending.jsonl", error) || !read_looks(r, "timeline.jsonl", error))
		return false;
	sort_samples(r->samples);
	return true;
}

/* ---- plans ---- */

bool record_read_plans(struct record *r, GError **error)
{
	GPtrArray *lines = json_lines_read(r->dir, "decisions.jsonl", error);
	if (!lines)
		return false;
	for (guint i = 0; i < lines->len; i++) {
		const cJSON *line = lines->pdata[i], *step;
		if (strcmp(json_text(line, "kind"), "backfill"))
			continue;
		gint64 cycle = llround(json_number(line, "t", 0) * 1000);
		cJSON_ArrayForEach(step, cJSON_GetObjectItemCaseSensitive(line, "steps"))
		{
			if (strcmp(json_text(step, "what"), "plan") == 0)
				run_add_plan(r->run, cycle, json_text(step, "job"),
				             (gint64)json_number(step, "start", 0), json_text(step, "nodes"));
		}
	}
	g_ptr_array_unref(lines);
	return true;
}
