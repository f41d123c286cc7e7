/* cells.c - see cells.h. */
#include "tools/cells.h"
#include "sched/base/duration.h"
#include <string.h>

/* Room for N bytes at the end of LINE, which are then part of it. */
static inline char *extend(GString *line, size_t n)
{
	gsize before = line->len;

	if (G_LIKELY(before + n < line->allocated_len)) {
		line->len += n;
		line->str[line->len] = '\0';
	} else {
		g_string_set_size(line, before + n);
	}
	return line->str + before;
}

void cell_put(GString *line, size_t width, bool right, bool whole, const char *text, size_t length)
{
	if (width && length > width && !(right && whole))
		length = width;
	size_t blanks = length < width ? width - length : 0;
	char *p = extend(line, blanks + length);

	if (right) {
		memset(p, ' ', blanks);
		p += blanks;
	}
	memcpy(p, text, length);
	if (!right)
		memset(p + length, ' ', blanks);
}

void cell_right_whole(GString *line, size_t width, const char *text)
{
	cell_put(line, width, true, true, text, strlen(text));
}

void cell_right(GString *line, size_t width, const char *text)
{
	cell_put(line, width, true, false, text, strnlen(text, width));
}

void cell_left(GString *line, size_t width, const char *text)
{
	cell_put(line, width, false, false, text, strnlen(text, width));
}

/* "16:57:37" today, "Tomorr 16:57", "Tue 20:57" within a week, else "1 Dec 20:57" */
static char *relative_date(GDateTime *t, int64_t days)
{
	if (days == 0)
		return g_date_time_format(t, "%H:%M:%S");
	if (days == 1 || days == -1)
		return g_date_time_format(t, days > 0 ? "Tomorr %H:%M" : "Ystday %H:%M");
	return g_date_time_format(t, days > -7 && days < 7 ? "%a %H:%M" : "%-d %b %H:%M");
}

char *date_shown(int64_t t, int64_t now)
{
	enum { DAY = 86400 };
	const char *format = g_getenv("SLURM_TIME_FORMAT");
	GDateTime *date =
	    format && *format && g_ascii_strcasecmp(format, "standard") != 0 ? g_date_time_new_from_unix_utc(t) : NULL;
	char *text;

	if (!date)
		return date_format(t, NULL);
	text = g_ascii_strcasecmp(format, "relative") == 0 ? relative_date(date, t / DAY - now / DAY)
	                                                   : g_date_time_format(date, format);
	g_date_time_unref(date);
	return text ? text : date_format(t, NULL);
}

char *cell_count(uint64_t n)
{
	static const char UNITS[] = " KMGTP";
	size_t unit = 0;

	while (n >= 1024 && n % 1024 == 0 && unit + 2 < sizeof UNITS) {
		n /= 1024;
		unit++;
	}
	if (n > 1024 && n % 512 == 0 && unit + 2 < sizeof UNITS)
		return g_strdup_printf("%" G_GUINT64_FORMAT ".50%c", n / 1024, UNITS[unit + 1]);
	return unit ? g_strdup_printf("%" G_GUINT64_FORMAT "%c", n, UNITS[unit])
	            : g_strdup_printf("%" G_GUINT64_FORMAT, n);
}

bool in_list(const char *list, const char *name)
{
	if (!list) /* without a look at the name: long queues are read here */
		return true;
	size_t length = strlen(name);
	for (const char *p = list; *p; p += *p == ',') {
		size_t n = strcspn(p, ",");

		if (n == length && strncmp(p, name, n) == 0)
			return true;
		p += n;
	}
	return false;
}

void print_date_line(FILE *out, int64_t now)
{
	static const char *const MONTHS[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
	                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	static const char *const DAYS[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
	GDateTime *t = g_date_time_new_from_unix_utc(now);

	if (!t)
		return;
	fprintf(out, "%s %s %2d %02d:%02d:%02d %d\n", DAYS[g_date_time_get_day_of_week(t) - 1],
	        MONTHS[g_date_time_get_month(t) - 1], g_date_time_get_day_of_month(t), g_date_time_get_hour(t),
	        g_date_time_get_minute(t), g_date_time_get_second(t), g_date_time_get_year(t));
	g_date_time_unref(t);
}
