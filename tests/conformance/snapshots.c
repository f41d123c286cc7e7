/* snapshots.c - see snapshots.h. */
#include "tests/conformance/snapshots.h"
#include "sched/base/hostlist.h"
#include "tests/conformance/replay.h"
#include "tests/conformance/snapshot_sdiag.h"
#include "tools/sdiag_out.h"
#include "tools/sinfo_out.h"
#include "tools/sprio_out.h"
#include "tools/sshare_out.h"
#include "tools/squeue_out.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The recorder runs its commands one after the other: sprio, sdiag, sinfo, scontrol show node, squeue, sshare. 26.11 logs a
 * request for the nodes unless they have changed since the one before it: over all its records sinfo's comes 50 ms after
 * the second that names the snapshot (median) and the next command 6 ms later or more.
 */
#define SINFO_AFTER 0.05 /* seconds */
#define NEXT_AFTER 0.006
#define SDIAG_AFTER 0.021 /* 22.05: after a pass at 43.019 (limit-changes), before one at 80.024 (fairshare-classic) */
#define SSHARE_AFTER 0.08
#define LATEST 0.2 /* a request after that is none of a snapshot's */

struct queued { /* a row of squeue */
	char *state, *last;
};

struct moment {
	const struct record *record;
	const struct score_rules *rules;
	struct score *score;
	gint64 t;           /* seconds after T0: its name */
	double sdiag_at, sinfo, squeue, sshare; /* seconds after T0: when these came */
	GHashTable *labels; /* job id as printed -> label */
	GHashTable *unsure; /* node names */
	GHashTable *bases;  /* simulated: job id of a submission, as text -> label */
	GHashTable *queue;  /* simulated: label -> struct queued * */
	GHashTable *nodes;  /* simulated: "node partition" -> state */
	GHashTable *prio;   /* simulated: "label partition" -> the rest of sprio's line */
	GHashTable *shares; /* simulated: "account|user" -> the rest of sshare's line */
	GHashTable *sdiag;  /* simulated: sdiag_counts; NULL = nothing was simulated, or a free run */
};

/* ---- what is not certain ---- */

static bool about(const struct moment *m, gint64 time, double tolerance)
{
	return time != NO_TIME && fabs((double)(time - m->t)) <= tolerance;
}

static bool same_run(const struct job_run *a, const struct job_run *b)
{
	return b && a->start == b->start && a->end == b->end && strcmp(a->nodes, b->nodes) == 0;
}

static bool unsure(const struct moment *m, const char *label)
{
	const struct job_story *s = label ? run_find(m->record->run, label) : NULL;
	const struct job_story *second = s && m->record->second ? run_find(m->record->second, label) : NULL;
	if (!s || (m->record->second && (!second || second->runs->len != s->runs->len)))
		return true;
	for (guint k = 0; k < s->runs->len; k++) {
		const struct job_run *r = story_run(s, k), *b = story_run(second, k);
		double tolerance = score_tolerance(m->rules, r, b);
		if (m->record->second && !same_run(r, b))
			return true;
		if (!m->rules->pinned && (about(m, r->start, tolerance) || about(m, r->end, tolerance)))
			return true;
	}
	return false;
}

/* Whether the run used its nodes within a moment of the snapshot. */
static bool near(const struct moment *m, const struct job_run *r)
{
	double margin = m->rules->tolerance;
	return r->start != NO_TIME && (double)r->start <= (double)m->t + margin &&
	       (r->end == NO_TIME || (double)r->end >= (double)m->t - margin);
}

static void add_nodes(const struct moment *m, const struct job_story *s)
{
	for (guint k = 0; s && k < s->runs->len; k++) {
		const struct job_run *r = story_run(s, k);
		GPtrArray *names = near(m, r) ? hostlist_expand(r->nodes, NULL) : NULL;
		for (guint i = 0; names && i < names->len; i++)
			g_hash_table_add(m->unsure, g_strdup(names->pdata[i]));
		if (names)
			g_ptr_array_unref(names);
	}
}

static void find_unsure(const struct moment *m)
{
	for (guint i = 0; i < m->record->run->stories->len; i++) {
		const struct job_story *s = m->record->run->stories->pdata[i];
		if (!unsure(m, s->label))
			continue;
		add_nodes(m, s);
		if (m->record->second)
			add_nodes(m, run_find(m->record->second, s->label));
	}
}

/* ---- what is printed here ---- */

static void queued_free(void *data)
{
	struct queued *q = data;
	g_free(q->state);
	g_free(q->last);
	g_free(q);
}

/* "15", "15_3" -> label: ids depend on when array tasks were split off. NULL when unknown; g_free. */
static char *label_of(const struct moment *m, const char *id)
{
	gsize n = strcspn(id, "_");
	char *base = g_strndup(id, n);
	const char *label = g_hash_table_lookup(m->bases, base);
	g_free(base);
	return label ? g_strconcat(label, id + n, NULL) : NULL;
}

/* "15_[4-7%2]" is a row a task. */
static void add_queued(const struct moment *m, const char *id, const char *state, const char *last)
{
	char *limit = strchr(id, '%'), *plain = limit ? g_strdup_printf("%.*s]", (int)(limit - id), id) : g_strdup(id);
	GPtrArray *ids = hostlist_expand(plain, NULL);
	for (guint i = 0; ids && i < ids->len; i++) {
		char *label = label_of(m, ids->pdata[i]);
		if (!label)
			continue;
		struct queued *q = g_new0(struct queued, 1);
		q->state = g_strdup(state);
		q->last = g_strdup(last);
		g_hash_table_replace(m->queue, label, q);
	}
	if (ids)
		g_ptr_array_unref(ids);
	g_free(plain);
}

static void find_bases(const struct moment *m, const struct sim *sim)
{
	const struct controller *c = sim_controller(sim);
	for (uint32_t i = 0, n = controller_n_jobs(c); i < n; i++) {
		const struct job *job = controller_job(c, i);
		const char *label = sim_job_label(sim, job);
		uint32_t base = job->array ? job->array->job_id : job->id;
		char *id = job->het ? job_format_id(job) : g_strdup_printf("%u", base);
		g_hash_table_replace(m->bases, id, g_strdup(label ? label : ""));
	}
}

/* JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON), the last with blanks in it. */
static void read_queue(const struct moment *m, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		char *rest = lines[i], *word[7];
		guint n = 0;
		while (n < 7 && *(rest += strspn(rest, " "))) {
			word[n++] = rest;
			rest += strcspn(rest, " ");
			if (*rest)
				*rest++ = '\0';
		}
		if (n == 7)
			add_queued(m, word[0], word[4], rest);
	}
	g_strfreev(lines);
}

/* NODELIST NODES PARTITION STATE */
static void read_nodes(const struct moment *m, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		char node[256], partition[256], state[64];
		if (sscanf(lines[i], "%255s %*s %255s %63s", node, partition, state) == 3)
			g_hash_table_replace(m->nodes, g_strdup_printf("%s %s", node, partition), g_strdup(state));
	}
	g_strfreev(lines);
}

/* JOBID PARTITION ... -> "label partition", "..." with single blanks; false when it is no row of a known job. */
static bool split_priority(const char *line, GHashTable *labels, char **key, char **rest)
{
	GString *text = g_string_new(NULL);
	char **word = g_strsplit_set(line, " ", -1);
	const char *id = NULL, *partition = NULL;
	for (guint i = 0; word[i]; i++) {
		if (!*word[i])
			continue;
		if (!id)
			id = word[i];
		else if (!partition)
			partition = word[i];
		else
			g_string_append_printf(text, "%s%s", text->len ? " " : "", word[i]);
	}
	const char *label = id ? g_hash_table_lookup(labels, id) : NULL;
	*key = label && partition ? g_strconcat(label, " ", partition, NULL) : NULL;
	*rest = g_string_free(text, *key == NULL);
	g_strfreev(word);
	return *key != NULL;
}

static void read_priorities(const struct moment *m, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1), *key, *rest;
	for (guint i = 0; lines[i]; i++)
		if (split_priority(lines[i], m->bases, &key, &rest))
			g_hash_table_replace(m->prio, key, rest);
	g_strfreev(lines);
}

/* " theory|alice|1|..." -> "theory|alice", "1|..." */
static bool split_share(const char *line, char **key, char **rest)
{
	const char *account = line + strspn(line, " "), *user = strchr(account, '|');
	const char *end = user ? strchr(user + 1, '|') : NULL;
	if (!end)
		return false;
	*key = g_strndup(account, (gsize)(end - account));
	*rest = g_strdup(end + 1);
	return true;
}

static void read_shares(const struct moment *m, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1), *key, *rest;
	for (guint i = 0; lines[i]; i++)
		if (split_share(lines[i], &key, &rest))
			g_hash_table_replace(m->shares, key, rest);
	g_strfreev(lines);
}

/* ---- when ---- */

/* The recorder does one thing after another: a snapshot begins when the submissions due before it are done with. */
static double begin_of(const struct record *record, double t)
{
	double begin = t;
	for (guint i = 0; i < record->told->len; i++) {
		const struct told *told = record->told->pdata[i];
		if (told->at <= t)
			begin = MAX(begin, told->done);
	}
	return begin;
}

/* One request in the log is scontrol's, two are sinfo's and scontrol's. */
static void find_times(struct moment *m, const struct table *requests)
{
	double first = NAN, second = NAN, t = (double)m->t;
	for (guint i = 0; requests && i < requests->rows->len; i++) {
		double at = g_ascii_strtod(table_get(requests, i, "t"), NULL);
		if (at < t || at > t + LATEST)
			continue;
		second = !isnan(first) && isnan(second) ? at : second;
		first = isnan(first) ? at : first;
	}
	bool both = !isnan(second) && second < first + 5 * NEXT_AFTER;
	double speed = m->record->speed;
	m->sinfo = both ? first : !isnan(first) ? first - NEXT_AFTER : t + SINFO_AFTER * speed;
	m->squeue = both ? second + NEXT_AFTER : m->sinfo + 2 * NEXT_AFTER * speed;
	m->sshare = MAX(m->squeue, t + SSHARE_AFTER * speed);
	m->sdiag_at = MIN(begin_of(m->record, t) + SDIAG_AFTER * speed, m->sinfo);
}

/* ---- printing ---- */

static void print_priorities(const struct moment *m, const struct controller *c, sec_t now)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (controller_cluster(c)->params->priority_type == PRIORITY_MULTIFACTOR)
		sprio_print(out, c, now, &(struct sprio_options){.is_long = true, .no_header = true});
	fclose(out);
	read_priorities(m, text);
	free(text);
}

static void print_shares(const struct moment *m, const struct controller *c)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	sshare_print(out, c, &(struct sshare_options){.all = true, .is_long = true, .parsable2 = true});
	fclose(out);
	read_shares(m, text);
	free(text);
}

static void print_nodes(const struct moment *m, const struct controller *c)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	sinfo_print(out, c, 0, &(struct sinfo_options){.all = true, .by_node = true, .no_header = true});
	fclose(out);
	read_nodes(m, text);
	free(text);
}

static void print_queue(const struct moment *m, const struct controller *c, sec_t now)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	squeue_print(out, c, now, &(struct squeue_options){.all = true, .no_header = true});
	fclose(out);
	read_queue(m, text);
	free(text);
}

static GHashTable *count_all(const struct moment *m, struct sim *sim)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct sim_stats stats = sim_stats(sim);
	sdiag_print(out, &stats, usec_to_sec(sim_now(sim)), !m->record->is_26);
	fclose(out);
	GHashTable *counts = sdiag_counts(text);
	free(text);
	return counts;
}

static void simulate_until(struct moment *m)
{
	struct replay *r = replay_load(m->record, 0, NULL);
	if (!r)
		return;
	if (m->rules->pinned)
		pinned_prepare(r);
	else
		free_prepare(r);
	r->scenario->sim.until = replay_time(r, m->sdiag_at);
	r->scenario->sim.stop_when_idle = false;
	struct sim *sim = scenario_start(r->scenario, NULL, NULL);
	if (sim && m->rules->pinned)
		pinned_pin(r, sim);
	else if (sim)
		free_pin(r, sim);
	if (sim && sim_run(sim, NULL, NULL, NULL, NULL)) {
		const struct controller *c = sim_controller(sim);
		if (m->rules->pinned)
			m->sdiag = count_all(m, sim);
		sim_set_until(sim, replay_time(r, m->sinfo));
		sim_run(sim, NULL, NULL, NULL, NULL);
		print_nodes(m, c);
		sim_set_until(sim, replay_time(r, m->squeue));
		sim_run(sim, NULL, NULL, NULL, NULL);
		find_bases(m, sim);
		print_queue(m, c, usec_to_sec(sim_now(sim)));
		print_priorities(m, c, usec_to_sec(sim_now(sim)));
		sim_set_until(sim, replay_time(r, m->sshare));
		sim_run(sim, NULL, NULL, NULL, NULL);
		print_shares(m, c);
	}
	sim_free(sim);
	replay_free(r);
}

/* ---- comparing ---- */

static const char *compact_job(const char *state)
{
	static const char *const names[][2] = {
	    {"PENDING", "PD"}, {"RUNNING", "R"}, {"SUSPENDED", "S"}, {"COMPLETING", "CG"}};
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(state, names[i][0]) == 0)
			return names[i][1];
	return state;
}

/* "mixed-" -> "mix-"; as wide as sinfo prints it. */
static char *compact_node(const char *state)
{
	static const char *const names[][2] = {{"allocated", "alloc"}, {"completing", "comp"}, {"draining", "drng"},
	                                       {"drained", "drain"},   {"mixed", "mix"},       {"planned", "plnd"},
	                                       {"reserved", "resv"}};
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (g_str_has_prefix(state, names[i][0]))
			return g_strconcat(names[i][1], state + strlen(names[i][0]), NULL);
	return g_strdup(state);
}

static void check(const struct moment *m, const char *of, const char *field, const char *real, const char *sim)
{
	char *name = g_strdup_printf("%s at %" G_GINT64_FORMAT, field, m->t);
	score_check(m->score, M_SNAPSHOTS, g_strcmp0(real, sim) == 0, of, name, real, sim ? sim : "(no such row)", -1);
	g_free(name);
}

/* JOBID|JOBID|NAME|STATE|REASON|PRIORITY|PRIORITY|START_TIME|SCHEDNODES|NODELIST|... */
static void compare_job(const struct moment *m, char **field)
{
	const char *label = g_hash_table_lookup(m->labels, field[0]);
	if (unsure(m, label))
		return;
	const struct queued *q = g_hash_table_lookup(m->queue, label);
	char *last = *field[9] ? g_strdup(field[9]) : g_strdup_printf("(%s)", field[4]);
	check(m, label, "squeue state", compact_job(field[3]), q ? q->state : NULL);
	check(m, label, "squeue nodes or reason", last, q ? q->last : NULL);
	g_free(last);
}

static void compare_queue(const struct moment *m, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	for (guint i = 1; lines[0] && lines[i]; i++) {
		char **field = g_strsplit(lines[i], "|", -1);
		if (g_strv_length(field) >= 10)
			compare_job(m, field);
		g_strfreev(field);
	}
	g_strfreev(lines);
}

static void compare_nodes(const struct moment *m, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	for (guint i = 1; lines[0] && lines[i]; i++) {
		char node[256], partition[256], state[64];
		if (sscanf(lines[i], "%255s %255s %63s", node, partition, state) != 3 ||
		    g_hash_table_contains(m->unsure, node))
			continue;
		char *key = g_strdup_printf("%s %s", node, partition), *compact = compact_node(state);
		check(m, key, "sinfo state", compact, g_hash_table_lookup(m->nodes, key));
		g_free(key);
		g_free(compact);
	}
	g_strfreev(lines);
}

/* Usage, and with it the order of users, hangs on every job that ran before. */
static bool usage_certain(const struct moment *m)
{
	for (guint i = 0; i < m->record->run->stories->len; i++) {
		const struct job_story *s = m->record->run->stories->pdata[i];
		if (unsure(m, s->label))
			return false;
	}
	return m->rules->pinned;
}

static void compare_priorities(const struct moment *m, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1), *key, *rest;
	for (guint i = 0; usage_certain(m) && lines[i]; i++) {
		if (!split_priority(lines[i], m->labels, &key, &rest))
			continue;
		check(m, key, "sprio row", rest, g_hash_table_lookup(m->prio, key));
		g_free(key);
		g_free(rest);
	}
	g_strfreev(lines);
}

/* Every field has a score of its own; the header stands in the first line. */
static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "gres/gpu=2,cpu=8" -> "cpu=8,gres/gpu=2": in which order a database knows its TRES hangs on its past. g_free. */
static char *sorted_tres(const char *text)
{
	char **items = g_strsplit(text ? text : "", ",", -1);
	qsort(items, g_strv_length(items), sizeof *items, by_text);
	char *joined = g_strjoinv(",", items);
	g_strfreev(items);
	return joined;
}

static void compare_share(const struct moment *m, const char *key, char **head, const char *real)
{
	const char *sim = g_hash_table_lookup(m->shares, key);
	char **a = g_strsplit(real, "|", -1), **b = g_strsplit(sim ? sim : "", "|", -1);
	guint n = g_strv_length(b);
	for (guint k = 0; a[k] && head[k] && head[k + 1] && head[k + 2]; k++) {
		char *field = g_strconcat("sshare ", head[k + 2], NULL);
		char *x = sorted_tres(a[k]), *y = sorted_tres(k < n ? b[k] : NULL);
		check(m, key, field, x, k < n ? y : NULL);
		g_free(x);
		g_free(y);
		g_free(field);
	}
	g_strfreev(a);
	g_strfreev(b);
}

static void compare_shares(const struct moment *m, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1), *key, *rest;
	char **head = g_strsplit(lines[0] ? lines[0] : "", "|", -1);
	for (guint i = 1; usage_certain(m) && lines[0] && lines[i]; i++) {
		if (!split_share(lines[i], &key, &rest))
			continue;
		compare_share(m, key, head, rest);
		g_free(key);
		g_free(rest);
	}
	g_strfreev(head);
	g_strfreev(lines);
}

static char *snapshot_text(const struct moment *m, const char *command)
{
	char *dir = g_build_filename(m->record->dir, "snapshots", NULL);
	char *name = g_strdup_printf("t%04" G_GINT64_FORMAT ".%s.txt", m->t, command);
	char *text = textfile_read(dir, name, NULL);
	g_free(dir);
	g_free(name);
	return text ? text : g_strdup("");
}

static void score_moment(struct moment *m, bool simulate)
{
	m->unsure = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	m->bases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	m->queue = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, queued_free);
	m->nodes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	m->prio = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	m->shares = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	find_unsure(m);
	if (simulate)
		simulate_until(m);
	char *queue = snapshot_text(m, "squeue"), *nodes = snapshot_text(m, "sinfo");
	compare_queue(m, queue);
	compare_nodes(m, nodes);
	char *prio = snapshot_text(m, "sprio"), *shares = snapshot_text(m, "sshare");
	compare_priorities(m, prio);
	compare_shares(m, shares);
	if (m->sdiag) {
		g_autofree char *counts = snapshot_text(m, "sdiag");
		sdiag_compare(m->score, m->t, counts, m->sdiag);
		g_clear_pointer(&m->sdiag, g_hash_table_unref);
	}
	g_free(prio);
	g_free(shares);
	g_free(queue);
	g_free(nodes);
	g_hash_table_unref(m->unsure);
	g_hash_table_unref(m->bases);
	g_hash_table_unref(m->queue);
	g_hash_table_unref(m->nodes);
	g_hash_table_unref(m->prio);
	g_hash_table_unref(m->shares);
}

static GHashTable *labels_of(const struct record *record)
{
	GHashTable *labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	struct table *t = table_read(record->dir, "jobs.csv", NULL);
	for (guint i = 0; t && i < t->rows->len; i++)
		g_hash_table_replace(labels, g_strdup(table_get(t, i, "job")), g_strdup(table_get(t, i, "label")));
	table_free(t);
	return labels;
}

static int by_number(const void *a, const void *b)
{
	return *(const gint64 *)a < *(const gint64 *)b ? -1 : *(const gint64 *)a > *(const gint64 *)b;
}

/* The seconds for which there is a file tSSSS.sshare.txt. */
static GArray *moments_of(const struct record *record)
{
	GArray *moments = g_array_new(FALSE, FALSE, sizeof(gint64));
	char *path = g_build_filename(record->dir, "snapshots", NULL);
	GDir *dir = g_dir_open(path, 0, NULL);
	for (const char *name; dir && (name = g_dir_read_name(dir));)
		if (name[0] == 't' && strstr(name, ".sshare.txt")) {
			gint64 t = g_ascii_strtoll(name + 1, NULL, 10);
			g_array_append_val(moments, t);
		}
	if (dir)
		g_dir_close(dir);
	g_array_sort(moments, by_number);
	g_free(path);
	return moments;
}

void snapshots_score(const struct record *record, const struct score_rules *rules, bool simulate, struct score *score)
{
	GArray *moments = moments_of(record);
	struct moment m = {.record = record, .rules = rules, .score = score, .labels = labels_of(record)};
	struct table *requests = table_read(record->dir, "node_requests.csv", NULL);
	for (guint i = 0; i < moments->len; i++) {
		m.t = g_array_index(moments, gint64, i);
		find_times(&m, requests);
		score_moment(&m, simulate);
	}
	table_free(requests);
	g_hash_table_unref(m.labels);
	g_array_unref(moments);
}
