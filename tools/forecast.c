/* forecast.c - see forecast.h: replicas and their starts. forecast_out.c prints them. */
#include "tools/forecast.h"
#include "scenarios/scenario_parts.h"
#include "sim/recorder.h"
#include <gsl/gsl_rng.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define FEW 20 /* finished jobs of a user or partition that tell enough */

/* ---- history ---- */

struct history {
	GHashTable *by_user, *by_partition; /* name -> GArray of double, sorted */
	GArray *all;
	gsl_rng *rng;
};

static void array_free(void *data)
{
	g_array_unref(data);
}

static void add_ratio(GHashTable *table, const char *name, double ratio)
{
	GArray *list = g_hash_table_lookup(table, name);

	if (!list) {
		list = g_array_new(FALSE, FALSE, sizeof(double));
		g_hash_table_insert(table, g_strdup(name), list);
	}
	g_array_append_val(list, ratio);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void sort_all(GHashTable *table)
{
	GHashTableIter i;
	gpointer list;

	g_hash_table_iter_init(&i, table);
	while (g_hash_table_iter_next(&i, NULL, &list))
		g_array_sort(list, by_value);
}

static struct history *history_new(const struct snapshot *s)
{
	struct history *h = g_new0(struct history, 1);

	h->by_user = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, array_free);
	h->by_partition = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, array_free);
	h->all = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < s->history->len; i++) {
		const struct snap_past *p = s->history->pdata[i];

		add_ratio(h->by_user, p->user, p->ratio);
		add_ratio(h->by_partition, p->partition, p->ratio);
		g_array_append_val(h->all, p->ratio);
	}
	sort_all(h->by_user);
	sort_all(h->by_partition);
	g_array_sort(h->all, by_value);
	h->rng = gsl_rng_alloc(gsl_rng_mt19937);
	return h;
}

static void history_free(struct history *h)
{
	g_hash_table_unref(h->by_user);
	g_hash_table_unref(h->by_partition);
	g_array_unref(h->all);
	gsl_rng_free(h->rng);
	g_free(h);
}

static const GArray *ratios_for(const struct history *h, const struct snap_job *j)
{
	const GArray *list = j->req->user ? g_hash_table_lookup(h->by_user, j->req->user) : NULL;

	if (list && list->len >= FEW)
		return list;
	list = j->partition ? g_hash_table_lookup(h->by_partition, j->partition) : NULL;
	return list && list->len >= FEW ? list : h->all;
}

/* The first ratio beyond FLOOR. */
static guint first_beyond(const GArray *list, double floor)
{
	guint lo = 0, hi = list->len;

	while (lo < hi) {
		guint mid = (lo + hi) / 2;

		if (g_array_index(list, double, mid) <= floor)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static usec_t draw(void *data, const struct snapshot *s, const struct snap_job *j)
{
	const struct history *h = data;
	const GArray *list = ratios_for(h, j);
	uint32_t limit = j->req->time_limit;
	double seconds = limit == NO_VAL || limit == INFINITE ? 30.0 * 86400 : limit * 60.0;
	double gone = j->state == JOB_RUNNING ? (double)(s->at - j->start_t) / 1e6 / seconds : -1;
	guint from = first_beyond(list, gone), n = list->len - from;

	if (!n)
		return (usec_t)(seconds * 1e6);
	return (usec_t)(g_array_index(list, double, from + gsl_rng_uniform_int(h->rng, n)) * seconds * 1e6) + USEC;
}

/* ---- jobs ---- */

static void job_free_forecast(void *data)
{
	struct forecast_job *j = data;

	g_free(j->id);
	g_free(j->partition);
	g_free(j->name);
	g_free(j->user);
	g_free(j->reason);
	g_array_unref(j->start);
	g_array_unref(j->last);
	g_free(j);
}

static guint count_tasks(const char *list)
{
	struct bitset *set = bitset_new(4000002);
	char *plain = g_strndup(list, strcspn(list, "%:"));
	guint n = bitset_from_ranges(set, plain) ? bitset_count(set) : 1;

	g_free(plain);
	bitset_free(set);
	return MAX(n, 1u);
}

static void add_job(struct forecast *f, const struct snap_job *j)
{
	struct forecast_job *to = g_new0(struct forecast_job, 1);
	const char *array = j->req->array;

	if (array)
		to->id = g_strdup_printf("%u_[%s]", j->id, array);
	else if (j->array_id)
		to->id = g_strdup_printf("%u_%u", j->array_id, j->task);
	else
		to->id = g_strdup_printf("%u", j->id);
	to->tasks = array ? count_tasks(array) : 1;
	to->partition = g_strdup(*j->partition ? j->partition : j->req->partition ? j->req->partition : "");
	to->name = g_strdup(j->req->name ? j->req->name : "");
	to->user = g_strdup(j->req->user ? j->req->user : "");
	to->reason = g_strdup(j->reason ? j->reason : "");
	to->start = g_array_new(FALSE, FALSE, sizeof(usec_t));
	to->last = g_array_new(FALSE, FALSE, sizeof(usec_t));
	g_ptr_array_add(f->jobs, to);
}

static void list_jobs(struct forecast *f, const struct snapshot *s)
{
	for (guint i = 0; i < s->jobs->len; i++) {
		const struct snap_job *j = s->jobs->pdata[i];

		f->running += j->state == JOB_RUNNING;
		if (j->state == JOB_PENDING)
			add_job(f, j);
	}
}

/* First and last start after the moment of the job, or of the array's tasks. */
static void take_starts(struct forecast *f, const struct snapshot *s, struct recorder *r)
{
	sqlite3_stmt *q = NULL;
	guint k = 0;

	sqlite3_prepare_v2(
	    recorder_db(r),
	    "SELECT min(start_t), max(start_t) FROM job WHERE (job = ?1 OR array_job = ?2) AND start_t >= ?3", -1, &q,
	    NULL);
	for (guint i = 0; i < s->jobs->len; i++) {
		const struct snap_job *j = s->jobs->pdata[i];

		if (j->state != JOB_PENDING)
			continue;
		struct forecast_job *to = f->jobs->pdata[k++];
		sqlite3_bind_int64(q, 1, j->id);
		sqlite3_bind_int64(q, 2, j->req->array ? (sqlite3_int64)j->id : -1);
		sqlite3_bind_int64(q, 3, s->at);
		if (sqlite3_step(q) == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL) {
			usec_t first = sqlite3_column_int64(q, 0), last = sqlite3_column_int64(q, 1);

			g_array_append_val(to->start, first);
			g_array_append_val(to->last, last);
		}
		sqlite3_reset(q);
	}
	sqlite3_finalize(q);
}

/* ---- a replica ---- */

/* "[TIME ]COMMAND": +3600 and 1-00:00:00 count from the moment. */
static bool add_command(struct sim *sim, usec_t at, const char *text, GError **error)
{
	gsize n = strcspn(text, " ");
	char *first = g_strndup(text, n);
	usec_t when = at;
	bool timed = *first == '+' || g_ascii_isdigit(*first), good = true;

	if (timed && !scenario_parse_time(first + (*first == '+'), at, &when)) {
		g_set_error(error, DIAG_ERROR, 0, "--do: bad time \"%s\"; " SCENARIO_TIME_HINT, first);
		good = false;
	}
	good = good && sim_add_command(sim, MAX(when, at), timed ? text + n + (text[n] != '\0') : text, NULL, error);
	g_free(first);
	return good;
}

/* LATER: the scenario of an own snapshot, which may end at a time of its own; NULL. */
static struct sim_options options_for(const struct snapshot *s, const struct forecast_options *o,
                                      const struct scenario *later)
{
	struct sim_options so = s->sim;

	so.start = s->at;
	if (!s->own)
		so.controller_start = s->at;
	so.until = s->at + (o->until ? o->until : INT64_C(60) * 86400 * USEC);
	if (later) {
		if (!o->until)
			so.until = later->sim.until;
		so.at_submit = later->sim.at_submit;
		so.at_submit_data = later->sim.at_submit_data;
	}
	return so;
}

static bool run_replica(struct forecast *f, const struct snapshot *s, const struct forecast_options *o,
                        struct history *h, const char *out, const volatile int *stop, GError **error)
{
	struct scenario_options so = {.conf = o->dir, .set = o->set, .slurm_version = o->slurm_version};
	struct scenario *c = scenario_load(&so, error), *later = NULL;
	struct recorder *r = c ? recorder_open(out, error) : NULL;
	struct sim *sim = NULL;
	GError *problem = NULL;
	bool first = f->replicas == 0, good = r != NULL;

	if (good && s->own) {
		later = snapshot_later_load(s, &problem);
		good = !problem;
		if (problem)
			g_propagate_prefixed_error(error, problem, "the scenario of this snapshot: ");
	}
	if (good) {
		struct sim_options sim_options = options_for(s, o, later);

		snapshot_usage(s, c->cluster);
		sim = sim_new(c->cluster, &sim_options, r);
		for (guint i = 0; first && i < c->warnings->len; i++)
			g_ptr_array_add(f->warnings, g_strdup(c->warnings->pdata[i]));
		snapshot_enter(s, sim, h ? draw : NULL, h, &f->left_out, first ? f->warnings : NULL);
		good = !later || snapshot_later_enter(s, later, sim, error);
	}
	for (char **p = o->commands; good && p && *p; p++)
		good = add_command(sim, s->at, *p, error);
	good = good && sim_run(sim, stop, NULL, NULL, error);
	if (good) {
		sim_close_record(sim);
		good = recorder_ok(r, error);
	}
	if (good)
		take_starts(f, s, r);
	good = good && (!out || recorder_finish(r, error));
	if (sim)
		sim_free(sim);
	if (r)
		recorder_free(r);
	scenario_free(later);
	scenario_free(c);
	f->replicas++;
	return good;
}

/* ---- all ---- */

static int by_time(const void *a, const void *b)
{
	usec_t x = *(const usec_t *)a, y = *(const usec_t *)b;

	return x < y ? -1 : x > y;
}

static void sort_starts(struct forecast *f)
{
	for (guint i = 0; i < f->jobs->len; i++) {
		struct forecast_job *j = f->jobs->pdata[i];

		g_array_sort(j->start, by_time);
		g_array_sort(j->last, by_time);
	}
}

static uint32_t how_many(const struct forecast_options *o, const struct snapshot *s)
{
	if (!s->history->len)
		return 1; /* all would be equal */
	if (o->replicas)
		return o->replicas;
	return s->own ? 1 : 20;
}

struct forecast *forecast_make(const struct forecast_options *o, const volatile int *stop, GError **error)
{
	struct snapshot *s = snapshot_read(o->dir, error);
	struct forecast *f;
	bool good = true;

	if (!s)
		return NULL;
	f = g_new0(struct forecast, 1);
	f->at = s->at;
	f->jobs = g_ptr_array_new_with_free_func(job_free_forecast);
	f->warnings = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < s->warnings->len; i++)
		g_ptr_array_add(f->warnings, g_strdup(s->warnings->pdata[i]));
	list_jobs(f, s);
	uint32_t n = how_many(o, s);
	f->n_past = s->history->len;
	f->drawn = s->history->len && (!s->own || o->replicas);
	struct history *h = f->drawn ? history_new(s) : NULL;
	if (!f->drawn && !s->own)
		g_ptr_array_add(f->warnings,
		                g_strdup_printf("%s: no sacct.txt: every job is taken to run to its limit", o->dir));
	for (uint32_t i = 0; i < n && good && !(stop && *stop); i++) {
		if (h)
			gsl_rng_set(h->rng,
			            (unsigned long)((o->seed ^ (o->seed >> 32)) * 1000003u + i + 1) & 0xffffffffu);
		good = run_replica(f, s, o, h, i == 0 ? o->out : NULL, stop, error);
	}
	sort_starts(f);
	if (h)
		history_free(h);
	snapshot_free(s);
	if (!good) {
		forecast_free(f);
		return NULL;
	}
	return f;
}

void forecast_free(struct forecast *f)
{
	if (!f)
		return;
	g_ptr_array_unref(f->jobs);
	g_ptr_array_unref(f->warnings);
	g_free(f);
}
