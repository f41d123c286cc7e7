/* metrics.c - see metrics.h: what the jobs come to. */
#include "tools/metrics.h"
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What adds up over windows. */
enum sum {
	S_JOBS,
	S_STARTS,
	S_WAITS,
	S_WAIT,
	S_SLOWDOWNS,
	S_SLOWDOWN,
	S_CPU,
	S_GPU,
	S_CPU_ALL,
	S_GPU_ALL,
	S_PREEMPTED,
	S_REQUEUED,
	S_LOST_CPU,
	S_LOST_GPU,
	S_ESTIMATES,
	S_RIGHT,
	S_LATE,
	N_SUMS
};

struct value {
	double v;
	guint window;
};

struct measure {
	guint n;                   /* windows */
	double *sum[N_SUMS];       /* [n] */
	GArray *waits, *slowdowns; /* of struct value, ascending */
	guint users;
	double *usage; /* [users][n], over the share */
};

static const struct metric_info infos[N_METRICS] = {
    [METRIC_JOBS] = {"jobs", "jobs", UNIT_COUNT, 0},
    [METRIC_STARTS] = {"starts", "jobs started", UNIT_COUNT, 1},
    [METRIC_WAIT_MEAN] = {"wait_mean", "wait, mean", UNIT_SECONDS, -1},
    [METRIC_WAIT_MEDIAN] = {"wait_median", "wait, median", UNIT_SECONDS, -1},
    [METRIC_WAIT_P95] = {"wait_p95", "wait, 95 %", UNIT_SECONDS, -1},
    [METRIC_WAIT_MAX] = {"wait_max", "wait, longest", UNIT_SECONDS, -1},
    [METRIC_SLOWDOWN_MEAN] = {"slowdown_mean", "bounded slowdown, mean", UNIT_RATIO, -1},
    [METRIC_SLOWDOWN_P95] = {"slowdown_p95", "bounded slowdown, 95 %", UNIT_RATIO, -1},
    [METRIC_CPU_USE] = {"cpu_utilisation", "CPUs in use", UNIT_SHARE, 1},
    [METRIC_GPU_USE] = {"gpu_utilisation", "GPUs in use", UNIT_SHARE, 1},
    [METRIC_PREEMPTED] = {"preempted", "runs preempted", UNIT_COUNT, -1},
    [METRIC_REQUEUED] = {"requeued", "runs after a requeue", UNIT_COUNT, -1},
    [METRIC_LOST_CPU] = {"lost_cpu_hours", "work lost, CPU hours", UNIT_HOURS, -1},
    [METRIC_LOST_GPU] = {"lost_gpu_hours", "work lost, GPU hours", UNIT_HOURS, -1},
    [METRIC_JAIN] = {"jain", "fairness, Jain (1 = equal)", UNIT_RATIO, 1},
    [METRIC_GINI] = {"gini", "inequality, Gini (0 = equal)", UNIT_RATIO, -1},
    [METRIC_ESTIMATE_RIGHT] = {"estimates_right", "start told within a minute", UNIT_SHARE, 1},
    [METRIC_ESTIMATE_LATE] = {"estimates_late", "started later than told", UNIT_SHARE, -1},
};

const struct metric_info *metric_info(enum metric m)
{
	return &infos[m];
}

bool metric_find(const char *name, enum metric *m)
{
	for (int i = 0; i < N_METRICS; i++)
		if (strcmp(infos[i].name, name) == 0) {
			*m = (enum metric)i;
			return true;
		}
	return false;
}

/* ---- texts ---- */

/* The two largest units: "45s", "12m05s", "1h28m", "3d02h". */
static char *format_seconds(double seconds, const char *sign)
{
	long long s = llround(seconds);

	if (s < 60)
		return g_strdup_printf("%s%llds", s ? sign : "", s);
	if (s < 3600)
		return g_strdup_printf("%s%lldm%02llds", sign, s / 60, s % 60);
	if (s < 86400)
		return g_strdup_printf("%s%lldh%02lldm", sign, s / 3600, s / 60 % 60);
	return g_strdup_printf("%s%lldd%02lldh", sign, s / 86400, s / 3600 % 24);
}

char *metric_format(enum metric m, double value, bool difference)
{
	double size = fabs(value);
	const char *sign = value < 0 ? "-" : difference ? "+" : "";

	if (isnan(value))
		return g_strdup("-");
	switch (infos[m].unit) {
	case UNIT_SECONDS:
		return format_seconds(size, sign);
	case UNIT_SHARE:
		return g_strdup_printf("%s%.1f %%", size * 1000 < 0.5 ? "" : sign, size * 100);
	case UNIT_RATIO:
		return size >= 100 ? g_strdup_printf("%s%.0f", sign, size)
		                   : g_strdup_printf("%s%.*f", size < 0.0005 ? "" : sign, size < 10 ? 3 : 1, size);
	case UNIT_HOURS:
		return g_strdup_printf("%s%.1f", size < 0.05 ? "" : sign, size);
	default:
		return size == floor(size) ? g_strdup_printf("%s%.0f", size > 0 ? sign : "", size)
		                           : g_strdup_printf("%s%.1f", sign, size);
	}
}

/* ---- counting ---- */

guint windows_at(const struct windows *w, usec_t t)
{
	if (w->n <= 1 || t <= w->from || w->length <= 0)
		return 0;
	return (guint)MIN((usec_t)w->n - 1, (t - w->from) / w->length);
}

/* The part of FROM..TO in each window, times HOW_MUCH seconds; the first and the last window are open. */
static void spread(double *sum, const struct windows *w, usec_t from, usec_t to, double how_much)
{
	for (guint k = windows_at(w, from), last = windows_at(w, to); k <= last; k++) {
		usec_t lo = k == 0 ? from : MAX(from, w->from + (usec_t)k * w->length);
		usec_t hi = k + 1 == w->n ? to : MIN(to, w->from + ((usec_t)k + 1) * w->length);
		sum[k] += (double)MAX(0, hi - lo) / 1e6 * how_much;
	}
}

static void add_spans(struct measure *m, const struct run_rows *r, const struct windows *w, const struct run_job *j)
{
	for (guint i = 0; i < j->n_spans; i++) {
		const struct run_span *s = &g_array_index(r->spans, struct run_span, j->span + i);
		usec_t length = s->to - s->from;
		double held = (double)(length - MIN(s->suspended, length)) /
		              (double)length; /* when it was suspended is not known */
		spread(m->sum[S_CPU], w, s->from, s->to, held * s->cpus);
		if (s->gpus)
			spread(m->sum[S_GPU], w, s->from, s->to, held * s->gpus);
	}
}

static void add_job(struct measure *m, const struct run_rows *r, const struct windows *w, const struct run_job *j)
{
	guint k = windows_at(w, j->submit);
	const struct value wait = {j->wait, k}, slowdown = {j->slowdown, k};
	const double add[N_SUMS] = {[S_JOBS] = j->tasks,
	                            [S_STARTS] = j->started,
	                            [S_PREEMPTED] = j->preempted,
	                            [S_REQUEUED] = j->requeued,
	                            [S_LOST_CPU] = j->lost_cpu,
	                            [S_LOST_GPU] = j->lost_gpu,
	                            [S_ESTIMATES] = j->estimates,
	                            [S_RIGHT] = j->right,
	                            [S_LATE] = j->late,
	                            [S_WAITS] = !isnan(j->wait),
	                            [S_WAIT] = isnan(j->wait) ? 0 : j->wait,
	                            [S_SLOWDOWNS] = !isnan(j->slowdown),
	                            [S_SLOWDOWN] = isnan(j->slowdown) ? 0 : j->slowdown};

	for (int s = 0; s < N_SUMS; s++)
		if (add[s] != 0)
			m->sum[s][k] += add[s];
	if (!isnan(j->wait))
		g_array_append_val(m->waits, wait);
	if (!isnan(j->slowdown))
		g_array_append_val(m->slowdowns, slowdown);
	add_spans(m, r, w, j);
}

static int by_value(gconstpointer a, gconstpointer b)
{
	const struct value *x = a, *y = b;

	return x->v != y->v ? (x->v < y->v ? -1 : 1) : (x->window > y->window) - (x->window < y->window);
}

static void add_usage(struct measure *m, const struct run_rows *r, const struct job_class *c, const struct windows *w)
{
	GHashTable *user = g_hash_table_new(g_str_hash, g_str_equal); /* -> row + 1 */

	for (int pass = 0; pass < 2; pass++) {
		for (guint i = 0; i < r->jobs->len; i++) {
			const struct run_job *j = &g_array_index(r->jobs, struct run_job, i);
			if (!job_class_has(c, j))
				continue;
			guint at = GPOINTER_TO_UINT(g_hash_table_lookup(user, j->class[CLASS_USER]));
			const double *share = g_hash_table_lookup(r->shares, j->class[CLASS_USER]);
			if (!at)
				g_hash_table_insert(user, (gpointer)j->class[CLASS_USER], GUINT_TO_POINTER(++m->users));
			else if (pass)
				m->usage[(at - 1) * m->n + windows_at(w, j->submit)] += j->usage / (share ? *share : 1);
		}
		if (!pass)
			m->usage = g_new0(double, MAX(1, m->users) * m->n);
	}
	g_hash_table_unref(user);
}

struct measure *measure_new(const struct run_rows *r, const struct job_class *c, const struct windows *windows)
{
	const struct windows whole = {r->first, MAX(1, r->last_submit - r->first + 1), 1};
	const struct windows *w = windows ? windows : &whole;
	struct measure *m = g_new0(struct measure, 1);

	m->n = w->n;
	for (int s = 0; s < N_SUMS; s++)
		m->sum[s] = g_new0(double, m->n);
	m->waits = g_array_new(FALSE, FALSE, sizeof(struct value));
	m->slowdowns = g_array_new(FALSE, FALSE, sizeof(struct value));
	for (guint i = 0; i < r->jobs->len; i++) {
		const struct run_job *j = &g_array_index(r->jobs, struct run_job, i);
		if (job_class_has(c, j))
			add_job(m, r, w, j);
	}
	g_array_sort(m->waits, by_value);
	g_array_sort(m->slowdowns, by_value);
	spread(m->sum[S_CPU_ALL], w, r->first, r->last, (double)r->cpus);
	spread(m->sum[S_GPU_ALL], w, r->first, r->last, (double)r->gpus);
	add_usage(m, r, c, w);
	return m;
}

void measure_free(struct measure *m)
{
	if (!m)
		return;
	for (int s = 0; s < N_SUMS; s++)
		g_free(m->sum[s]);
	g_array_unref(m->waits);
	g_array_unref(m->slowdowns);
	g_free(m->usage);
	g_free(m);
}

/* ---- asking ---- */

static double total(const struct measure *m, enum sum s, const uint32_t *weights)
{
	double sum = 0;

	for (guint k = 0; k < m->n; k++)
		sum += m->sum[s][k] * (weights ? weights[k] : 1);
	return sum;
}

static double ratio(const struct measure *m, enum sum over, enum sum under, const uint32_t *weights)
{
	double n = total(m, under, weights);

	return n > 0 ? total(m, over, weights) / n : NAN;
}

/* The value at RANK (0 first) when each counts as often as its window; N in all. Looked for from the nearer end. */
static guint find_rank(const GArray *values, double rank, double n, const uint32_t *weights)
{
	double seen = 0;

	if (rank < n / 2) {
		for (guint i = 0; i < values->len; i++) {
			seen += weights ? weights[g_array_index(values, struct value, i).window] : 1;
			if (seen > rank)
				return i;
		}
		return values->len - 1;
	}
	for (guint i = values->len; i-- > 0;) {
		seen += weights ? weights[g_array_index(values, struct value, i).window] : 1;
		if (seen >= n - rank)
			return i;
	}
	return 0;
}

/* GSL's quantile of the values, each as often as its window counts; N in all. */
static double quantile(const GArray *values, double p, double n, const uint32_t *weights)
{
	double at = p * (n - 1), whole = floor(at);

	if (n <= 0)
		return NAN;
	double low = g_array_index(values, struct value, find_rank(values, whole, n, weights)).v;
	if (at == whole)
		return low;
	return low +
	       (at - whole) * (g_array_index(values, struct value, find_rank(values, whole + 1, n, weights)).v - low);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Jain, or Gini by the sorted sum. */
static double fairness(const struct measure *m, bool gini, const uint32_t *weights)
{
	double *x = g_new0(double, MAX(1, m->users)), sum = 0, squares = 0, ranked = 0;
	double n = m->users;

	for (guint u = 0; u < m->users; u++) {
		for (guint k = 0; k < m->n; k++)
			x[u] += m->usage[u * m->n + k] * (weights ? weights[k] : 1);
		sum += x[u];
		squares += x[u] * x[u];
	}
	qsort(x, m->users, sizeof *x, ascending);
	for (guint u = 0; u < m->users; u++)
		ranked += (2.0 * (u + 1) - n - 1) * x[u];
	g_free(x);
	if (sum <= 0)
		return NAN;
	return gini ? ranked / (n * sum) : sum * sum / (n * squares);
}

/* Sums of the metrics that are ratios; N_SUMS: a total. */
static const struct parts {
	bool is;
	enum sum over, under;
} parts[N_METRICS] = {
    [METRIC_JOBS] = {true, S_JOBS, N_SUMS},
    [METRIC_STARTS] = {true, S_STARTS, N_SUMS},
    [METRIC_WAIT_MEAN] = {true, S_WAIT, S_WAITS},
    [METRIC_SLOWDOWN_MEAN] = {true, S_SLOWDOWN, S_SLOWDOWNS},
    [METRIC_CPU_USE] = {true, S_CPU, S_CPU_ALL},
    [METRIC_GPU_USE] = {true, S_GPU, S_GPU_ALL},
    [METRIC_PREEMPTED] = {true, S_PREEMPTED, N_SUMS},
    [METRIC_REQUEUED] = {true, S_REQUEUED, N_SUMS},
    [METRIC_LOST_CPU] = {true, S_LOST_CPU, N_SUMS},
    [METRIC_LOST_GPU] = {true, S_LOST_GPU, N_SUMS},
    [METRIC_ESTIMATE_RIGHT] = {true, S_RIGHT, S_ESTIMATES},
    [METRIC_ESTIMATE_LATE] = {true, S_LATE, S_ESTIMATES},
};

bool measure_parts(const struct measure *m, enum metric metric, const double **over, const double **under)
{
	const struct parts *p = &parts[metric];

	if (!p->is)
		return false;
	*over = m->sum[p->over];
	*under = p->under == N_SUMS ? NULL : m->sum[p->under];
	return true;
}

double measure_get(const struct measure *m, enum metric metric, const uint32_t *weights)
{
	const struct parts *p = &parts[metric];

	if (p->is)
		return p->under == N_SUMS ? total(m, p->over, weights) : ratio(m, p->over, p->under, weights);
	switch (metric) {
	case METRIC_WAIT_MEDIAN:
		return quantile(m->waits, 0.5, total(m, S_WAITS, weights), weights);
	case METRIC_WAIT_P95:
		return quantile(m->waits, 0.95, total(m, S_WAITS, weights), weights);
	case METRIC_WAIT_MAX:
		return quantile(m->waits, 1, total(m, S_WAITS, weights), weights);
	case METRIC_SLOWDOWN_P95:
		return quantile(m->slowdowns, 0.95, total(m, S_SLOWDOWNS, weights), weights);
	default:
		return fairness(m, metric == METRIC_GINI, weights);
	}
}

void metrics_of(const struct run_rows *r, const struct job_class *c, double values[N_METRICS])
{
	struct measure *m = measure_new(r, c, NULL);

	for (int k = 0; k < N_METRICS; k++)
		values[k] = measure_get(m, (enum metric)k, NULL);
	measure_free(m);
}
