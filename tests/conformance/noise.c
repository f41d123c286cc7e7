/* noise.c - see noise.h. */
#include "tests/conformance/noise.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

struct pair { /* a job that started in both */
	double a, b, submit;
	bool same_nodes;
};

/* When LABEL was submitted; tasks go by their array's. */
static double submitted(const struct record *record, const char *label)
{
	for (guint i = 0; i < record->told->len; i++) {
		const struct told *t = record->told->pdata[i];
		gsize n = strlen(t->label);
		if (!t->refused && strncmp(label, t->label, n) == 0 && (label[n] == '\0' || label[n] == '_'))
			return t->done;
	}
	return 0;
}

static GArray *pairs_of(const struct record *record, const struct run *a, const struct run *b)
{
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct pair));
	for (guint i = 0; i < a->stories->len; i++) {
		const struct job_story *s = a->stories->pdata[i], *t = run_find(b, s->label);
		const struct job_run *x = story_run(s, 0), *y = t ? story_run(t, 0) : NULL;
		if (!x || !y || x->start == NO_TIME || y->start == NO_TIME)
			continue;
		struct pair p = {(double)x->start, (double)y->start, submitted(record, s->label), strcmp(x->nodes, y->nodes) == 0};
		g_array_append_val(pairs, p);
	}
	return pairs;
}

static void waits(const GArray *pairs, bool first, double *mean, double *median, double *p90)
{
	double *v = g_new(double, pairs->len);
	for (guint i = 0; i < pairs->len; i++) {
		const struct pair *p = &g_array_index(pairs, struct pair, i);
		v[i] = MAX(0, (first ? p->a : p->b) - p->submit);
	}
	gsl_sort(v, 1, pairs->len);
	*mean = gsl_stats_mean(v, 1, pairs->len);
	*median = gsl_stats_median_from_sorted_data(v, 1, pairs->len);
	*p90 = gsl_stats_quantile_from_sorted_data(v, 1, pairs->len, 0.9);
	g_free(v);
}

/* Pairs of jobs that start one before the other here and the other way round there. */
static double inversions(const GArray *pairs)
{
	guint turned = 0, all = 0;
	for (guint i = 0; i < pairs->len; i++)
		for (guint k = 0; k < i; k++) {
			const struct pair *p = &g_array_index(pairs, struct pair, i), *q = &g_array_index(pairs, struct pair, k);
			all++;
			turned += (p->a - q->a) * (p->b - q->b) < 0;
		}
	return all ? (double)turned / all : 0;
}

struct distance noise_distance(const struct record *record, const struct run *a, const struct run *b)
{
	GArray *pairs = pairs_of(record, a, b);
	struct distance d = {.jobs = pairs->len};
	double x[3], y[3];
	for (guint i = 0; i < pairs->len; i++) {
		const struct pair *p = &g_array_index(pairs, struct pair, i);
		d.d[NOISE_STARTS] += fabs(p->a - p->b) / pairs->len;
		d.d[NOISE_NODES] += (p->same_nodes ? 0 : 1.0) / pairs->len;
	}
	if (pairs->len) {
		waits(pairs, true, &x[0], &x[1], &x[2]);
		waits(pairs, false, &y[0], &y[1], &y[2]);
		for (int i = 0; i < 3; i++)
			d.d[NOISE_MEAN + i] = fabs(x[i] - y[i]);
		d.d[NOISE_ORDER] = inversions(pairs);
	}
	g_array_unref(pairs);
	return d;
}

static void print_row(FILE *out, const char *name, const struct distance *d)
{
	fprintf(out, "  %-32s %5u %8.1f %7.0f %% %8.1f %8.1f %8.1f %7.2f %%\n", name, d->jobs, d->d[0], 100 * d->d[1], d->d[2], d->d[3], d->d[4],
	        100 * d->d[5]);
}

/* ---- job by job ---- */

static int by_start(const void *a, const void *b)
{
	const struct job_run *x = story_run(*(struct job_story *const *)a, 0), *y = story_run(*(struct job_story *const *)b, 0);
	gint64 s = x ? x->start : NO_TIME, t = y ? y->start : NO_TIME;
	return (s > t) - (s < t);
}

static void print_start(FILE *out, const struct run *run, const char *label)
{
	const struct job_story *s = run_find(run, label);
	const struct job_run *j = s ? story_run(s, 0) : NULL;
	if (j && j->start != NO_TIME)
		fprintf(out, "  %6" G_GINT64_FORMAT " %-24s", j->start, j->nodes);
	else
		fprintf(out, "  %6s %-24s", "-", "");
}

/* Starts and nodes in both recordings and in the runs with their phases, in the order of the first: the first line that differs is where they part. */
static void print_jobs(FILE *out, const struct record *record, struct run *const sim[2])
{
	GPtrArray *order = g_ptr_array_copy(record->run->stories, NULL, NULL);
	g_ptr_array_set_free_func(order, NULL);
	g_ptr_array_sort(order, by_start);
	fprintf(out, "%-10s  %-31s  %-31s  %-31s  %-31s\n", "job", "first recording", "simulated", "second recording", "simulated");
	for (guint i = 0; i < order->len; i++) {
		const char *label = ((const struct job_story *)order->pdata[i])->label;
		fprintf(out, "%-10s", label);
		print_start(out, record->run, label);
		print_start(out, sim[0], label);
		print_start(out, record->second, label);
		print_start(out, sim[1], label);
		fputc('\n', out);
	}
	g_ptr_array_unref(order);
}

/* The free run with the phases of one of the recordings. */
static struct run *run_with(const struct record *record, guint which, GError **error)
{
	struct replay *r = replay_load(record, which, error);
	struct run *sim = r ? replay_run(r, false, error) : NULL;
	replay_free(r);
	return sim;
}

bool noise_print(FILE *out, const char *root, const char *name, bool jobs, guint *beyond, GError **error)
{
	struct record *record = record_read(root, "22.05", name, error);
	struct run *sim[2] = {NULL, NULL};
	bool good = record != NULL;
	for (guint i = 0; i < 2 && good; i++)
		good = (sim[i] = run_with(record, i, error)) != NULL;
	if (good && !record->second) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s was recorded once", name);
		good = false;
	}
	if (good) {
		struct distance real = noise_distance(record, record->run, record->second), one = noise_distance(record, sim[0], record->run),
				two = noise_distance(record, sim[1], record->second);
		fprintf(out, "%-34s %5s %8s %9s %8s %8s %8s %9s\n", name, "jobs", "starts", "nodes", "mean", "median", "90 %", "inverted");
		print_row(out, "one recording to the other", &real);
		print_row(out, "simulation to the first", &one);
		print_row(out, "simulation to the second", &two);
		if (jobs)
			print_jobs(out, record, sim);
		*beyond = 0;
		for (int i = 0; i < N_NOISE; i++)
			*beyond += one.d[i] > real.d[i] || two.d[i] > real.d[i];
	}
	run_free(sim[0]);
	run_free(sim[1]);
	record_free(record);
	return good;
}
