/* bootstrap.c - see bootstrap.h. */
#include "tools/bootstrap.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

struct bootstrap *bootstrap_new(guint n, uint64_t seed)
{
	struct bootstrap *b = g_new0(struct bootstrap, 1);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	b->n = n;
	b->widen = 1;
	b->weights = g_new0(uint32_t, (gsize)BOOTSTRAP_RESAMPLES * MAX(1, n));
	gsl_rng_set(rng, (unsigned long)((seed ^ (seed >> 32)) & 0xffffffff));
	for (gsize r = 0; r < BOOTSTRAP_RESAMPLES; r++)
		for (guint k = 0; k < n; k++)
			b->weights[r * n + gsl_rng_uniform_int(rng, n)]++;
	gsl_rng_free(rng);
	return b;
}

void bootstrap_free(struct bootstrap *b)
{
	if (!b)
		return;
	g_free(b->weights);
	g_free(b);
}

double bootstrap_widen(const double *over, const double *under, guint n)
{
	double all = 0, jobs = 0, squares = 0, products = 0, before = 0;

	for (guint k = 0; k < n; k++) {
		all += over[k];
		jobs += under[k];
	}
	for (guint k = 0; k < n; k++) {
		double e = over[k] - (jobs > 0 ? all / jobs : 0) * under[k];
		squares += e * e;
		products += k ? e * before : 0;
		before = e;
	}
	return squares > 0 ? sqrt(1 + 2 * CLAMP(products / squares + 1.0 / n, 0, 0.5)) : 1;
}

static double sum_of(const double *values, guint n, const uint32_t *weights)
{
	double sum = 0;

	for (guint k = 0; k < n; k++)
		sum += (values ? values[k] : 1) * (weights ? weights[k] : 1);
	return sum;
}

/* Totals are means over units times their number. */
static double estimate(const struct difference *d, guint n, const uint32_t *weights, double *error)
{
	double under_a = sum_of(d->under_a, n, weights), under_b = sum_of(d->under_b, n, weights), squares = 0;
	double a = sum_of(d->over_a, n, weights) / under_a, b = sum_of(d->over_b, n, weights) / under_b;
	double scale = d->under_a ? 1 : n;

	*error = NAN;
	if (under_a <= 0 || under_b <= 0)
		return NAN;
	for (guint k = 0; k < n; k++) {
		double e = (d->over_b[k] - b * (d->under_b ? d->under_b[k] : 1)) / under_b -
		           (d->over_a[k] - a * (d->under_a ? d->under_a[k] : 1)) / under_a;
		squares += e * e * (weights ? weights[k] : 1);
	}
	*error = n > 1 ? scale * sqrt(squares * n / (n - 1.0)) : NAN;
	return scale * (b - a);
}

double difference_estimate(const struct difference *d, guint n)
{
	double error;

	return estimate(d, n, NULL, &error);
}

static struct interval widened(const struct bootstrap *b, double at, double low, double high)
{
	return (struct interval){at - b->widen * (at - low), at + b->widen * (high - at)};
}

static bool enough(size_t n)
{
	return n * 100 >= (size_t)BOOTSTRAP_RESAMPLES * 99;
}

static struct interval percentiles(const struct bootstrap *b, double *v, size_t n, double at)
{
	double t = gsl_cdf_tdist_Pinv(0.975, b->n - 1.0), level = gsl_cdf_ugaussian_P(-sqrt(b->n / (b->n - 1.0)) * t);

	if (!enough(n))
		return (struct interval){NAN, NAN};
	gsl_sort(v, 1, n);
	return widened(b, at, gsl_stats_quantile_from_sorted_data(v, 1, n, level),
	               gsl_stats_quantile_from_sorted_data(v, 1, n, 1 - level));
}

struct interval bootstrap_difference(const struct bootstrap *b, const struct difference *d)
{
	double error, at = estimate(d, b->n, NULL, &error), *t, *v;
	struct interval out = {NAN, NAN};
	size_t n = 0, defined = 0;

	if (b->n < BOOTSTRAP_LEAST || isnan(at))
		return out;
	if (!(error > 1e-12 * fabs(at)) || error == 0) /* the same in every unit */
		return (struct interval){at, at};
	t = g_new(double, BOOTSTRAP_RESAMPLES);
	v = g_new(double, BOOTSTRAP_RESAMPLES);
	for (gsize r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
		double e, x = estimate(d, b->n, b->weights + r * b->n, &e);
		if (isnan(x))
			continue;
		v[defined++] = x;
		if (e > 1e-9 * error)
			t[n++] = (x - at) / e;
	}
	if (enough(n)) {
		double most = 2 * gsl_cdf_tdist_Pinv(0.975, b->n - 1.0);
		gsl_sort(t, 1, n);
		out = widened(b, at, at - error * MIN(most, gsl_stats_quantile_from_sorted_data(t, 1, n, 0.975)),
		              at - error * MAX(-most, gsl_stats_quantile_from_sorted_data(t, 1, n, 0.025)));
	} else {
		out = percentiles(b, v, defined, at);
	}
	g_free(t);
	g_free(v);
	return out;
}

struct interval bootstrap_statistic(const struct bootstrap *b, bootstrap_fn *fn, const void *data)
{
	double at = fn(data, NULL), *v;
	struct interval out = {NAN, NAN};
	size_t n = 0;

	if (b->n < BOOTSTRAP_LEAST || isnan(at))
		return out;
	v = g_new(double, BOOTSTRAP_RESAMPLES);
	for (gsize r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
		v[n] = fn(data, b->weights + r * b->n);
		n += !isnan(v[n]);
	}
	out = percentiles(b, v, n, at);
	g_free(v);
	return out;
}
