/* lint_trace.c - see lint_trace.h. */
#include "tools/lint_trace.h"
#include <string.h>

#define DEPTH_MAX 1000000u

struct lint_trace *lint_trace_new(void)
{
	struct lint_trace *t = g_new0(struct lint_trace, 1);

	t->jobs = g_array_new(FALSE, TRUE, sizeof(struct lint_job));
	t->names = g_string_chunk_new(1024);
	return t;
}

void lint_trace_free(struct lint_trace *t)
{
	if (!t)
		return;
	g_array_unref(t->jobs);
	if (t->depth)
		g_array_unref(t->depth);
	g_string_chunk_free(t->names);
	g_free(t);
}

/* Tasks of an --array text: "0-9:2,20%4" has 6. What is no list counts as one task. */
static uint32_t count_tasks(const char *text)
{
	uint64_t n = 0;

	for (const char *p = text; *p && *p != '%';) {
		char *end;
		guint64 lo = g_ascii_strtoull(p, &end, 10), hi = lo, step = 1;

		if (end == p)
			break;
		if (*end == '-')
			hi = g_ascii_strtoull(end + 1, &end, 10);
		if (*end == ':')
			step = g_ascii_strtoull(end + 1, &end, 10);
		step = MAX(step, 1);
		n += hi >= lo ? (hi - lo) / step + 1 : 0;
		p = *end == ',' ? end + 1 : end;
	}
	return (uint32_t)CLAMP(n, 1, 4000001);
}

static uint32_t node_cpus(const struct job_request *r)
{
	uint64_t cpt = r->cpus_per_task != NO_VAL && r->cpus_per_task ? r->cpus_per_task : 1, tasks = 1;

	if (r->ntasks_per_node != NO_VAL && r->ntasks_per_node)
		tasks = r->ntasks_per_node;
	else if (r->ntasks != NO_VAL && r->max_nodes != NO_VAL && r->max_nodes)
		tasks = (r->ntasks + r->max_nodes - 1) / r->max_nodes;
	return (uint32_t)MIN(cpt * tasks, G_MAXUINT32);
}

void lint_trace_add(struct lint_trace *t, const struct submission *s)
{
	const struct job_request *r = s->request;
	struct lint_job j = {
	    .submit = usec_to_sec(s->at),
	    .start = s->outcome.real_start,
	    .end = s->outcome.real_end,
	    .limit = r->time_limit,
	    .run = (uint32_t)CLAMP(s->outcome.run_time / USEC, 0, G_MAXUINT32),
	    .tasks = r->array ? count_tasks(r->array) : 1,
	    .node_cpus = node_cpus(r),
	    .depends = r->dependency && *r->dependency,
	    .expedite = r->requeue == REQUEUE_EXPEDITE,
	    .partition = r->partition ? g_string_chunk_insert_const(t->names, r->partition) : NULL,
	};

	if (!t->jobs->len || j.submit < t->first)
		t->first = j.submit;
	t->last = MAX(t->last, j.submit);
	t->n += j.tasks;
	g_array_append_val(t->jobs, j);
}

/* ---- how deep the queue was ---- */

struct change {
	sec_t at;
	int records, jobs;
};

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static void add_change(GArray *all, sec_t at, int records, int jobs)
{
	struct change c = {at, records, jobs};

	g_array_append_val(all, c);
}

static GArray *changes(const struct lint_trace *t)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct change));

	for (guint i = 0; i < t->jobs->len; i++) {
		const struct lint_job *j = &g_array_index(t->jobs, struct lint_job, i);

		if (j->start <= 0 || j->start < j->submit)
			continue;
		add_change(all, j->submit, 1, 1);
		add_change(all, j->start, -1, (int)j->tasks - 1);
		add_change(all, MAX(j->end, j->start + (sec_t)j->run), 0, -(int)j->tasks);
	}
	g_array_sort(all, by_time);
	return all;
}

/* DEPTH submissions waited for SECONDS. */
static void note_depth(struct lint_trace *t, gint64 depth, sec_t seconds)
{
	uint32_t d = (uint32_t)MIN(depth, (gint64)DEPTH_MAX);

	if (seconds <= 0 || depth <= 0)
		return;
	if (t->depth->len <= d)
		g_array_set_size(t->depth, d + 1);
	g_array_index(t->depth, gint64, d) += seconds;
	t->waiting += seconds;
	t->peak = MAX(t->peak, d);
}

static void new_depth(struct lint_trace *t)
{
	if (t->depth)
		g_array_unref(t->depth);
	t->depth = g_array_new(FALSE, TRUE, sizeof(gint64));
	g_array_set_size(t->depth, 1);
	t->waiting = 0;
	t->peak = 0;
}

void lint_trace_finish(struct lint_trace *t)
{
	GArray *all = changes(t);
	gint64 pending = 0, jobs = 0;

	if (all->len)
		new_depth(t);
	for (guint i = 0; i < all->len; i++) {
		const struct change *c = &g_array_index(all, struct change, i);
		sec_t until = i + 1 < all->len ? (c + 1)->at : c->at;

		pending += c->records;
		jobs += c->jobs;
		if (until == c->at)
			continue;
		t->peak_jobs = MAX(t->peak_jobs, (uint32_t)CLAMP(jobs, 0, G_MAXUINT32));
		note_depth(t, pending, until - c->at);
	}
	g_array_unref(all);
}

/* ---- how deep it is in a run ---- */

struct watch {
	struct lint_trace *t;
	usec_t at; /* of the last pass */
	uint32_t queue;
};

static void see_pass(void *data, const struct pass_stats *pass)
{
	struct watch *w = data;

	note_depth(w->t, w->queue, usec_to_sec(pass->t) - usec_to_sec(w->at));
	w->at = pass->t;
	w->queue = pass->queue;
}

bool lint_trace_run(struct lint_trace *t, const struct scenario_options *o, const volatile int *stop, GError **error)
{
	struct scenario *s = scenario_load(o, error);
	struct sim *sim = s ? scenario_start(s, NULL, error) : NULL;
	struct watch w = {t, 0, 0};
	bool good = sim != NULL;

	if (good) {
		new_depth(t);
		t->simulated = true;
		sim_watch(sim, NULL, see_pass, NULL, &w);
		good = sim_run(sim, stop, NULL, NULL, error);
		sim_free(sim);
	}
	if (s)
		scenario_free(s);
	return good;
}

double lint_depth_share(const struct lint_trace *t, uint32_t depth)
{
	gint64 above = 0;

	for (guint i = depth + 1; t->depth && i < t->depth->len; i++)
		above += g_array_index(t->depth, gint64, i);
	return t->waiting ? (double)above / (double)t->waiting : 0;
}

uint32_t lint_depth_at(const struct lint_trace *t, double share)
{
	double above = 0;

	for (guint i = t->depth ? t->depth->len : 0; i-- > 1;) {
		above += (double)g_array_index(t->depth, gint64, i);
		if (above >= share * (double)t->waiting)
			return i;
	}
	return 0;
}

double lint_trace_days(const struct lint_trace *t)
{
	return (double)MAX(1, t->last - t->first) / 86400;
}

double lint_job_share(const struct lint_trace *t, lint_job_test *wanted, const void *data)
{
	uint64_t n = 0;

	for (guint i = 0; i < t->jobs->len; i++) {
		const struct lint_job *j = &g_array_index(t->jobs, struct lint_job, i);

		n += wanted(j, data) ? j->tasks : 0;
	}
	return t->n ? (double)n / (double)t->n : 0;
}
