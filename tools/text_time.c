/* text_time.c - see text_time.h. */
#include "tools/text_time.h"
#include <glib.h>
#include <inttypes.h>
#include <math.h>

char *time_short(double seconds)
{
	int64_t s = (int64_t)llround(MAX(0.0, seconds));
	if (s < 60)
		return g_strdup_printf("%" PRId64 "s", s);
	if (s < 3600)
		return g_strdup_printf("%" PRId64 "m%02" PRId64 "s", s / 60, s % 60);
	int64_t m = (s + 30) / 60;
	if (m < 24 * 60)
		return g_strdup_printf("%" PRId64 "h%02" PRId64 "m", m / 60, m % 60);
	int64_t h = (s + 1800) / 3600;
	return g_strdup_printf("%" PRId64 "d%02" PRId64 "h", h / 24, h % 24);
}

char *time_signed(double seconds)
{
	long s = lround(fabs(seconds));
	const char *sign = s == 0 ? "" : seconds < 0 ? "-" : "+";
	if (s < 60)
		return g_strdup_printf("%s%lds", sign, s);
	if (s < 3600)
		return g_strdup_printf("%s%ldm%02lds", sign, s / 60, s % 60);
	if (s < 86400)
		return g_strdup_printf("%s%ldh%02ldm", sign, s / 3600, s / 60 % 60);
	return g_strdup_printf("%s%ldd%02ldh", sign, s / 86400, s / 3600 % 24);
}
