/*
 * bootstrap.h - 95 % intervals for the difference of two runs by resampling whole blocks: windows of time, or replicas.
 *
 * Waits within a run depend on each other (one queue), so jobs must not be resampled one by one: such intervals are far
 * too narrow (tests/unit/coverage_test.c shows by how much). The units here are blocks that are nearly independent: 10
 * windows of the run (nonoverlapping block bootstrap: Carlstein, Ann. Statist. 14, 1986; few long batches rather than
 * many short ones: Schmeiser, Oper. Res. 30, 1982), or replicas, which are independent. Both sides are resampled
 * together: paired.
 *
 * - Means, shares and totals (sums over units, divided by sums): bootstrap-t, with the linearised standard error of a
 * ratio in every resample. It follows the skew of waits, which percentile and BCa intervals of 10 units do not (Hall,
 * Ann. Statist. 16, 1988; Hesterberg, Am. Stat. 69, 2015). Its quantiles are bounded at twice Student's, because a
 * single odd unit can otherwise make them run away. Where more than 1 % of the resamples have no spread (a rare event),
 * as below.
 * - Quantiles and fairness: percentiles of the resampled difference at the levels that Hesterberg (2015, 5.3) gives for
 *   few units: Phi(-+ sqrt(n / (n - 1)) t(n - 1, 97.5 %)).
 * - Windows follow each other, so neighbours may still correlate: both are widened about the estimate by sqrt(1 + 2 r),
 * r the correlation of neighbouring windows' deviations in waiting, corrected for its bias of -1/n, within 0..0.5.
 *
 * All draws come from one gsl_rng_mt19937 by seed. The same seed and number of units give the same resamples.
 */
#ifndef TOOLS_BOOTSTRAP_H
#define TOOLS_BOOTSTRAP_H
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { BOOTSTRAP_RESAMPLES = 2000, BOOTSTRAP_LEAST = 4 /* units, for an interval */, BOOTSTRAP_WINDOWS = 10 };

struct bootstrap {
	guint n;           /* units */
	uint32_t *weights; /* [BOOTSTRAP_RESAMPLES][n]: how often each unit was drawn */
	double widen;      /* 1; of windows bootstrap_widen */
};
struct bootstrap *bootstrap_new(guint n, uint64_t seed);
void bootstrap_free(struct bootstrap *b); /* NULL is allowed */

/* sqrt(1 + 2 r) for N windows with sums OVER per UNDER. */
double bootstrap_widen(const double *over, const double *under, guint n);

struct interval {
	double low, high;
}; /* both NaN: fewer than BOOTSTRAP_LEAST units, or not defined in too many resamples */

/* sum(over_b) / sum(under_b) - sum(over_a) / sum(under_a); by unit [n]. UNDER NULL: totals. */
struct difference {
	const double *over_a, *under_a, *over_b, *under_b;
};
double difference_estimate(const struct difference *d, guint n);
struct interval bootstrap_difference(const struct bootstrap *b, const struct difference *d);

/* Any statistic, if unit k had come weights[k] times (NULL: once). NaN: not defined. */
typedef double bootstrap_fn(const void *data, const uint32_t *weights);
struct interval bootstrap_statistic(const struct bootstrap *b, bootstrap_fn *fn, const void *data);
#endif
