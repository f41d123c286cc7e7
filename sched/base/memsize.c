/* memsize.c - memory sizes and suffixed counts; see memsize.h. */
#include "sched/base/memsize.h"
#include <glib.h>
#include <math.h>
#include <string.h>

static const char units[] = "KMGTPE"; /* each 1024 times the one before */

/* Digits at *p into *v; false when there is none or the number does not fit. */
static bool parse_digits(const char **p, uint64_t *v)
{
	if (!g_ascii_isdigit(**p))
		return false;
	for (*v = 0; g_ascii_isdigit(**p); (*p)++)
		if (__builtin_mul_overflow(*v, UINT64_C(10), v) || __builtin_add_overflow(*v, (uint64_t)(**p - '0'), v))
			return false;
	return true;
}

/* ".50" at *p (may be absent) into a number in [0,1). A point without digits is refused. */
static bool parse_fraction(const char **p, double *fraction)
{
	double scale = 0.1;

	*fraction = 0;
	if (**p != '.')
		return true;
	if (!g_ascii_isdigit(*++*p))
		return false;
	for (; g_ascii_isdigit(**p); (*p)++, scale /= 10)
		*fraction += scale * (**p - '0');
	return true;
}

bool memsize_parse_mib(const char *text, uint64_t *mib)
{
	const char *p = text;
	unsigned unit = 1; /* index into units; M unless said otherwise */
	uint64_t whole, kib;
	double fraction;

	if (!parse_digits(&p, &whole) || !parse_fraction(&p, &fraction))
		return false;
	if (*p != '\0') {
		const char *u = strchr(units, g_ascii_toupper(*p));
		if (u == NULL)
			return false;
		unit = (unsigned)(u - units);
		p++;
		if (g_ascii_toupper(*p) == 'B')
			p++;
		if (*p != '\0')
			return false;
	}
	uint64_t unit_kib = UINT64_C(1) << (10 * unit);

	if (__builtin_mul_overflow(whole, unit_kib, &kib) ||
	    __builtin_add_overflow(kib, (uint64_t)ceil(fraction * (double)unit_kib - 1e-6), &kib))
		return false;
	*mib = kib / 1024 + (kib % 1024 != 0);
	return true;
}

bool count_parse(const char *text, uint64_t *out)
{
	const char *p = text;
	uint64_t v;

	if (!parse_digits(&p, &v))
		return false;
	if (*p != '\0') {
		const char *u = strchr(units, g_ascii_toupper(*p));
		if (u == NULL || *u == 'E' || p[1] != '\0')
			return false;
		if (__builtin_mul_overflow(v, UINT64_C(1) << (10 * (u - units + 1)), &v))
			return false;
	}
	*out = v;
	return true;
}

char *memsize_format_mib(uint64_t mib)
{
	unsigned unit = 1;

	if (mib == 0)
		return g_strdup("0");
	if (mib > UINT64_MAX / 2)
		return g_strdup_printf("%" G_GUINT64_FORMAT "M", mib);
	/* Counting half units keeps the test "exact to half a unit" in integers. */
	uint64_t halves = 2 * mib;

	while (halves >= 2048 && halves % 1024 == 0 && units[unit + 1] != '\0') {
		halves /= 1024;
		unit++;
	}
	return g_strdup_printf("%" G_GUINT64_FORMAT "%s%c", halves / 2, halves % 2 ? ".50" : "", units[unit]);
}
