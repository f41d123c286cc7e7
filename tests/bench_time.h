/* bench_time.h - the clock of the benches: time of the processor, so that other work on the machine does not count. */
#ifndef TESTS_BENCH_TIME_H
#define TESTS_BENCH_TIME_H
#include <glib.h>
#include <stdlib.h>
#include <time.h>

static inline gint64 cpu_time(void) /* nanoseconds */
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (gint64)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int by_number(const void *a, const void *b)
{
	gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
	return (x > y) - (x < y);
}

/* The median of N times, in milliseconds; TOOK is sorted. */
static inline double median_ms(gint64 *took, size_t n)
{
	qsort(took, n, sizeof *took, by_number);
	return (double)took[n / 2] / 1e6;
}
#endif
