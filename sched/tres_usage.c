/* tres_usage.c - past use (kept by charge.c) in the minutes that limits compare (L23) */
#include "sched/limits.h"

uint64_t usage_minutes(const long double *tres_usage, uint32_t i)
{
	return tres_usage ? (uint64_t)(tres_usage[i] / 60.0L) : 0;
}

uint32_t wall_minutes(double wall)
{
	double m = wall / 60.0;
	return m >= 4294967295.0 ? UINT32_MAX : (uint32_t)m;
}
