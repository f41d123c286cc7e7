/* compare.c - see compare.h. */
#include "tools/compare.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct both {
	struct measure *a, *b;
}; /* of one replica, or of all windows of the one run */

struct work {
	struct comparison *c;
	const struct compare_plan *plan;
	struct bootstrap *boot;
	struct windows windows; /* of one run; n = 0 with replicas */
	guint runs;
	guint64 paired, most; /* of all jobs, whether they count or not */
};

static struct compare_run *run_of(const struct compare_side *s, guint r)
{
	return s->runs->pdata[r];
}

/* ---- pairs of jobs ---- */

static bool counts(const struct work *w, guint r, const struct run_job *j)
{
	const struct windows *window = &run_of(w->c->a, r)->window;

	if (!job_class_has(w->c->only.name ? &w->c->only : NULL, j))
		return false;
	return !window->n ||
	       (j->submit >= window->from + window->length && j->submit < window->from + 2 * window->length);
}

static guint count_jobs(const struct work *w, guint r, const struct run_rows *rows)
{
	guint n = 0;

	for (guint i = 0; i < rows->jobs->len; i++)
		n += counts(w, r, &g_array_index(rows->jobs, struct run_job, i));
	return n;
}

struct pairing {
	const struct run_job *a;
	struct run_job *b;
};

/* Pairs of replica R, and B's classes become A's. */
static GArray *pair_jobs(struct work *w, guint r)
{
	struct compare_run *a = run_of(w->c->a, r), *b = run_of(w->c->b, r);
	GHashTable *by_key = g_hash_table_new(g_str_hash, g_str_equal);
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct pairing));

	for (guint i = 0; i < b->rows->jobs->len; i++) {
		struct run_job *j = &g_array_index(b->rows->jobs, struct run_job, i);
		g_hash_table_insert(by_key, (gpointer)j->key, j);
	}
	for (guint i = 0; i < a->rows->jobs->len; i++) {
		const struct run_job *j = &g_array_index(a->rows->jobs, struct run_job, i);
		struct pairing p = {j, g_hash_table_lookup(by_key, j->key)};
		if (!p.b || p.b->submit != j->submit || strcmp(p.b->class[CLASS_USER], j -> class[CLASS_USER]))
			continue;
		memcpy(p.b->class, j->class, sizeof j->class);
		g_array_append_val(pairs, p);
	}
	w->paired += pairs->len;
	w->most += MAX(a->rows->jobs->len, b->rows->jobs->len);
	w->c->only_a += count_jobs(w, r, a->rows);
	w->c->only_b += count_jobs(w, r, b->rows);
	g_hash_table_unref(by_key);
	return pairs;
}

static double change(const struct job_change *c)
{
	return fabs(c->b->wait - c->a->wait);
}

static int larger_change(gconstpointer x, gconstpointer y)
{
	const struct job_change *a = x, *b = y;
	double m = change(a), n = change(b);

	if (m != n)
		return m < n ? 1 : -1;
	if (a->replica != b->replica)
		return a->replica < b->replica ? -1 : 1;
	return (a->a->job > b->a->job) - (a->a->job < b->a->job);
}

static void note_changes(struct work *w, const GArray *pairs, guint r)
{
	for (guint i = 0; i < pairs->len; i++) {
		const struct pairing *p = &g_array_index(pairs, struct pairing, i);
		struct job_change c = {.a = p->a, .b = p->b, .replica = r};
		if (!counts(w, r, p->a))
			continue;
		w->c->pairs++;
		w->c->only_a--;
		w->c->only_b--;
		w->c->moved += p->a->start != p->b->start || p->a->end != p->b->end || p->a->runs != p->b->runs;
		w->c->waiting_a += p->a->waiting && !isnan(p->a->wait);
		w->c->waiting_b += p->b->waiting && !isnan(p->b->wait);
		if (!isnan(c.a->wait) && !isnan(c.b->wait) && c.a->wait != c.b->wait)
			g_array_append_val(w->c->changes, c);
	}
	g_array_sort(w->c->changes, larger_change);
	g_array_set_size(w->c->changes, MIN(w->c->changes->len, COMPARE_CHANGES));
}

static void explain_changes(struct comparison *c)
{
	for (guint i = 0; i < c->changes->len; i++) {
		struct job_change *j = &g_array_index(c->changes, struct job_change, i);
		j->why_a = compare_why(run_of(c->a, j->replica)->db, j->a);
		j->why_b = compare_why(run_of(c->b, j->replica)->db, j->b);
	}
}

/* ---- effects ---- */

/* The values of one unit of replicas: sums of the window that counts. */
struct stack {
	double *over_a, *under_a, *over_b, *under_b;
};

static struct stack stack_new(guint n)
{
	return (struct stack){g_new0(double, n), g_new0(double, n), g_new0(double, n), g_new0(double, n)};
}

static void stack_free(struct stack *s)
{
	g_free(s->over_a);
	g_free(s->under_a);
	g_free(s->over_b);
	g_free(s->under_b);
}

static const uint32_t middle[3] = {0, 1, 0};

/* Sums by unit; false when METRIC is no ratio. *TOTAL: there is nothing under it. */
static bool fill(const struct work *w, const struct both *both, enum metric m, struct stack *s, bool *total)
{
	for (guint r = 0; r < w->runs; r++) {
		const double *oa, *ua, *ob, *ub;
		guint k = run_of(w->c->a, r)->window.n ? 1 : 0, n = w->windows.n ? w->windows.n : 1;
		if (!measure_parts(both[r].a, m, &oa, &ua) || !measure_parts(both[r].b, m, &ob, &ub))
			return false;
		*total = !ua;
		for (guint i = 0; i < n; i++) {
			guint to = w->windows.n ? i : r, from = w->windows.n ? i : k;
			s->over_a[to] = oa[from];
			s->over_b[to] = ob[from];
			s->under_a[to] = ua ? ua[from] : 1;
			s->under_b[to] = ub ? ub[from] : 1;
		}
	}
	return true;
}

static double sum_over(const double *v, guint n)
{
	double sum = 0;

	for (guint i = 0; i < n; i++)
		sum += v[i];
	return sum;
}

static guint units(const struct work *w)
{
	return w->windows.n ? w->windows.n : w->runs;
}

/* Totals of replicas are told per replica. */
static struct effect ratio_effect(const struct work *w, const struct stack *s, bool total, bool interval)
{
	guint n = units(w);
	double per = total ? (w->windows.n ? 1 : n) : 0;
	struct effect e = {.i = {NAN, NAN}};
	struct difference d = {s->over_a, total ? NULL : s->under_a, s->over_b, total ? NULL : s->under_b};

	e.a = sum_over(s->over_a, n) / (total ? per : sum_over(s->under_a, n));
	e.b = sum_over(s->over_b, n) / (total ? per : sum_over(s->under_b, n));
	e.difference = e.b - e.a;
	if (w->boot && interval && !isnan(e.difference)) {
		e.i = bootstrap_difference(w->boot, &d);
		if (total) {
			e.i.low /= per;
			e.i.high /= per;
		}
	}
	return e;
}

/* Of what is no ratio: of windows the statistic under weights; of replicas the mean of theirs. */
struct statistic {
	const struct both *both;
	enum metric m;
};

static double of_windows(const void *data, const uint32_t *weights)
{
	const struct statistic *s = data;

	return measure_get(s->both->b, s->m, weights) - measure_get(s->both->a, s->m, weights);
}

static struct effect statistic_of_replicas(const struct work *w, const struct both *both, enum metric m)
{
	struct stack s = stack_new(w->runs);
	struct effect e = {.i = {NAN, NAN}};

	for (guint r = 0; r < w->runs; r++) {
		const uint32_t *weights = run_of(w->c->a, r)->window.n ? middle : NULL;
		double a = measure_get(both[r].a, m, weights), b = measure_get(both[r].b, m, weights);
		bool has = !isnan(a) && !isnan(b);
		s.over_a[r] = has ? a : 0;
		s.over_b[r] = has ? b : 0;
		s.under_a[r] = s.under_b[r] = has;
	}
	e = ratio_effect(w, &s, false, true);
	stack_free(&s);
	return e;
}

static struct effect effect_of(const struct work *w, const struct both *both, enum metric m)
{
	struct stack s = stack_new(units(w));
	struct effect e = {.i = {NAN, NAN}};
	bool total = false;

	if (fill(w, both, m, &s, &total)) {
		e = ratio_effect(w, &s, total, m != METRIC_JOBS);
	} else if (!w->windows.n) {
		e = statistic_of_replicas(w, both, m);
	} else {
		struct statistic statistic = {.both = both, .m = m};
		e.a = measure_get(both->a, m, NULL);
		e.b = measure_get(both->b, m, NULL);
		e.difference = e.b - e.a;
		if (w->boot && m != METRIC_WAIT_MAX) /* the bootstrap fails for a maximum (Bickel and Freedman, 1981) */
			e.i = bootstrap_statistic(w->boot, of_windows, &statistic);
	}
	stack_free(&s);
	return e;
}

static struct both *measure_all(const struct work *w, const struct job_class *class)
{
	struct both *both = g_new0(struct both, w->runs);

	for (guint r = 0; r < w->runs; r++) {
		const struct compare_run *a = run_of(w->c->a, r), *b = run_of(w->c->b, r);
		const struct windows *windows = w->windows.n ? &w->windows : a->window.n ? &a->window : NULL;
		both[r].a = measure_new(a->rows, class, windows);
		both[r].b = measure_new(b->rows, class, windows);
	}
	return both;
}

static void measures_free(const struct work *w, struct both *both)
{
	for (guint r = 0; r < w->runs; r++) {
		measure_free(both[r].a);
		measure_free(both[r].b);
	}
	g_free(both);
}

/* ---- classes and windows ---- */

static int larger_class(gconstpointer x, gconstpointer y)
{
	const struct class_effect *a = x, *b = y;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (fabs(a->hours) != fabs(b->hours))
		return fabs(a->hours) < fabs(b->hours) ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* Of one class, by unit. */
struct class_sums {
	const char *name;
	struct stack wait, slowdown;
	double starts;
};

static void class_sums_free(void *data)
{
	struct class_sums *c = data;

	stack_free(&c->wait);
	stack_free(&c->slowdown);
	g_free(c);
}

static struct class_sums *sums_of(const struct work *w, GHashTable *classes, const char *name)
{
	struct class_sums *c = g_hash_table_lookup(classes, name);

	if (c)
		return c;
	c = g_new0(struct class_sums, 1);
	c->name = name;
	c->wait = stack_new(units(w));
	c->slowdown = stack_new(units(w));
	g_hash_table_insert(classes, (gpointer)name, c);
	return c;
}

static void add_value(double value, double *over, double *under)
{
	if (isnan(value))
		return;
	*over += value;
	*under += 1;
}

static void sum_classes(const struct work *w, GHashTable *classes, enum class_kind kind, guint r, bool is_a)
{
	const struct run_rows *rows = run_of(is_a ? w->c->a : w->c->b, r)->rows;

	for (guint i = 0; i < rows->jobs->len; i++) {
		const struct run_job *j = &g_array_index(rows->jobs, struct run_job, i);
		if (!counts(w, r, j))
			continue;
		struct class_sums *c = sums_of(w, classes, j->class[kind]);
		guint k = w->windows.n ? windows_at(&w->windows, j->submit) : r;
		add_value(j->wait, is_a ? &c->wait.over_a[k] : &c->wait.over_b[k],
		          is_a ? &c->wait.under_a[k] : &c->wait.under_b[k]);
		add_value(j->slowdown, is_a ? &c->slowdown.over_a[k] : &c->slowdown.over_b[k],
		          is_a ? &c->slowdown.under_a[k] : &c->slowdown.under_b[k]);
		c->starts += is_a && j->started;
	}
}

static void add_class(struct work *w, enum class_kind kind, const struct class_sums *c)
{
	struct class_effect e = {.kind = kind, .name = c->name, .jobs = c->starts / w->runs};

	if (c->starts == 0)
		return;
	e.wait = ratio_effect(w, &c->wait, false, true);
	e.slowdown = ratio_effect(w, &c->slowdown, false, true);
	e.hours = isnan(e.wait.difference) ? 0 : e.wait.difference * e.jobs / 3600;
	g_array_append_val(w->c->classes, e);
}

static void add_classes(struct work *w)
{
	for (int kind = CLASS_USER; kind < N_CLASS_KINDS; kind++) {
		GHashTable *classes = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, class_sums_free);
		GHashTableIter iter;
		gpointer sums;
		for (guint r = 0; r < w->runs; r++) {
			sum_classes(w, classes, (enum class_kind)kind, r, true);
			sum_classes(w, classes, (enum class_kind)kind, r, false);
		}
		g_hash_table_iter_init(&iter, classes);
		while (g_hash_table_iter_next(&iter, NULL, &sums))
			add_class(w, (enum class_kind)kind, sums);
		g_hash_table_unref(classes);
	}
	g_array_sort(w->c->classes, larger_class);
}

static void add_windows(struct work *w, const struct both *both)
{
	struct stack s = stack_new(units(w)), jobs = stack_new(units(w));
	bool total;

	fill(w, both, METRIC_WAIT_MEAN, &s, &total);
	fill(w, both, METRIC_JOBS, &jobs, &total);
	for (guint k = 0; k < units(w); k++) {
		const struct windows *own = w->windows.n ? NULL : &run_of(w->c->a, k)->window;
		struct window_effect e = {.wait = {.i = {NAN, NAN}}, .jobs = jobs.over_a[k]};
		e.from = own ? own->from + own->length : w->windows.from + (usec_t)k * w->windows.length;
		e.to = e.from + (own ? own->length : w->windows.length);
		if (own && !own->n) {
			e.from = run_of(w->c->a, k)->rows->first;
			e.to = run_of(w->c->a, k)->rows->last_submit;
		}
		e.wait.a = s.under_a[k] > 0 ? s.over_a[k] / s.under_a[k] : NAN;
		e.wait.b = s.under_b[k] > 0 ? s.over_b[k] / s.under_b[k] : NAN;
		e.wait.difference = e.wait.b - e.wait.a;
		g_array_append_val(w->c->windows, e);
	}
	stack_free(&s);
	stack_free(&jobs);
}

/* ---- units of the intervals ---- */

static void choose_windows(struct work *w)
{
	const struct run_rows *rows = run_of(w->c->a, 0)->rows;
	usec_t span = MAX(1, rows->last_submit - rows->first + 1);
	usec_t length =
	    w->plan->span ? w->plan->span : span / (w->plan->windows > 0 ? w->plan->windows : BOOTSTRAP_WINDOWS) + 1;

	w->windows =
	    (struct windows){rows->first, MAX(1, length), (guint)CLAMP((span - 1) / MAX(1, length) + 1, 1, 1000)};
}

/* Windows of too few jobs tell nothing. */
static void choose_units(struct work *w)
{
	const double *over_a, *over_b, *under_a, *under_b;

	w->runs = w->c->a->runs->len;
	if (!w->plan->replicas)
		choose_windows(w);
	if (units(w) < BOOTSTRAP_LEAST || (w->windows.n && run_of(w->c->a, 0)->rows->jobs->len < COMPARE_FEW))
		return;
	w->boot = bootstrap_new(units(w), w->plan->seed);
	w->c->units = units(w);
	w->c->unit_length = w->windows.length;
	if (!w->windows.n)
		return;
	struct both *both = measure_all(w, NULL);
	double *difference = g_new(double, w->windows.n);
	measure_parts(both->a, METRIC_WAIT_MEAN, &over_a, &under_a);
	measure_parts(both->b, METRIC_WAIT_MEAN, &over_b, &under_b);
	for (guint k = 0; k < w->windows.n; k++)
		difference[k] = over_b[k] - over_a[k];
	w->boot->widen = bootstrap_widen(difference, under_a, w->windows.n);
	g_free(difference);
	measures_free(w, both);
}

/* ---- the whole ---- */

static bool of_one_trace(const struct work *w, GError **error)
{
	const struct comparison *c = w->c;

	if (w->paired * 2 >= w->most && w->paired)
		return true;
	if (!w->most) {
		g_set_error(error, METRICS_ERROR, 0, "no jobs to compare in %c (%s) and %c (%s)", c->a->name,
		            c->a->what, c->b->name, c->b->what);
		return false;
	}
	g_set_error(error, METRICS_ERROR, 0,
	            "%c (%s) and %c (%s) are runs of different traces: of %" G_GUINT64_FORMAT " jobs %" G_GUINT64_FORMAT
	            " are in both, submitted at the same time by the same user",
	            c->a->name, c->a->what, c->b->name, c->b->what, w->most, w->paired);
	return false;
}

static bool fill_comparison(struct work *w, GError **error)
{
	struct comparison *c = w->c;

	w->runs = c->a->runs->len;
	for (guint r = 0; r < w->runs; r++) {
		GArray *pairs = pair_jobs(w, r);
		note_changes(w, pairs, r);
		g_array_unref(pairs);
	}
	if (!of_one_trace(w, error))
		return false;
	choose_units(w);
	c->widen = w->boot ? w->boot->widen : 1;
	struct both *both = measure_all(w, c->only.name ? &c->only : NULL);
	for (int m = 0; m < N_METRICS; m++)
		c->metric[m] = effect_of(w, both, (enum metric)m);
	add_windows(w, both);
	measures_free(w, both);
	if (c->only.name && c->metric[METRIC_JOBS].a == 0) {
		g_set_error(error, METRICS_ERROR, 0, "no job of %s \"%s\" in %s", class_kind_name(c->only.kind),
		            c->only.name, c->a->what);
		return false;
	}
	add_classes(w);
	explain_changes(c);
	c->conf = compare_conf(run_of(c->a, 0)->db, run_of(c->b, 0)->db);
	c->same = !c->moved && !c->only_a && !c->only_b;
	return true;
}

static void change_clear(void *data)
{
	struct job_change *c = data;

	g_free(c->why_a);
	g_free(c->why_b);
}

struct comparison *compare_sides(struct compare_side *a, struct compare_side *b, const struct compare_plan *plan,
                                 const struct job_class *only, GError **error)
{
	struct comparison *c = g_new0(struct comparison, 1);
	struct work w = {.c = c, .plan = plan};
	bool good;

	c->a = a;
	c->b = b;
	if (only)
		c->only = (struct job_class){only->kind, g_strdup(only->name)};
	c->classes = g_array_new(FALSE, FALSE, sizeof(struct class_effect));
	c->windows = g_array_new(FALSE, FALSE, sizeof(struct window_effect));
	c->changes = g_array_new(FALSE, TRUE, sizeof(struct job_change));
	good = fill_comparison(&w, error);
	bootstrap_free(w.boot);
	g_array_set_clear_func(c->changes, change_clear);
	if (!good)
		g_clear_pointer(&c, comparison_free);
	return c;
}

void comparison_free(void *data)
{
	struct comparison *c = data;

	if (!c)
		return;
	job_class_clear(&c->only);
	g_array_unref(c->classes);
	g_array_unref(c->windows);
	g_array_unref(c->changes);
	if (c->conf)
		g_ptr_array_unref(c->conf);
	g_free(c);
}
