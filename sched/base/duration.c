/* duration.c - time limits and dates; see duration.h, grammars in spec sbatch.md 3.2 and sacct.md section 2. */
#include "sched/base/duration.h"
#include <string.h>

#define DAY INT64_C(86400)
#define SECONDS_MAX (INT64_C(1) << 53) /* longest duration read; far beyond any limit, and sums stay exact */

/* Digits at *p into *v (at most 15 of them); *digits = how many. False when there is none or too many. */
static bool parse_digits(const char **p, int64_t *v, int *digits)
{
	const char *start = *p;

	for (*v = 0; g_ascii_isdigit(**p); (*p)++) {
		if (*p - start >= 15)
			return false;
		*v = *v * 10 + (**p - '0');
	}
	*digits = (int)(*p - start);
	return *digits > 0;
}

/* "a[:b[:c]]" at *p into v[0..2]; the number of fields, 0 = bad. */
static int parse_colons(const char **p, int64_t v[3])
{
	int ignored;

	for (int n = 0; n < 3; n++) {
		if (!parse_digits(p, &v[n], &ignored))
			return 0;
		if (**p != ':' || n == 2)
			return n + 1;
		(*p)++;
	}
	return 0;
}

static bool is_unlimited(const char *text)
{
	return strcmp(text, "-1") == 0 || g_ascii_strcasecmp(text, "INFINITE") == 0 ||
	       g_ascii_strcasecmp(text, "UNLIMITED") == 0;
}

/* days, hours, minutes, seconds of at most 15 digits each cannot overflow 64 bits in this sum but for the days. */
static bool sum(int64_t days, int64_t hours, int64_t minutes, int64_t seconds, int64_t *out)
{
	if (days > SECONDS_MAX / DAY)
		return false;
	int64_t s = days * DAY + hours * 3600 + minutes * 60 + seconds;

	if (s > SECONDS_MAX)
		return false;
	*out = s;
	return true;
}

bool duration_parse_seconds(const char *text, int64_t *seconds)
{
	const char *p = text;
	int64_t v[3] = {0}, days = 0;
	int ignored;

	if (is_unlimited(text)) {
		*seconds = -1;
		return true;
	}
	const char *dash = strchr(text, '-');

	if (dash != NULL && (!parse_digits(&p, &days, &ignored) || p++ != dash))
		return false;
	int n = parse_colons(&p, v);

	if (n == 0 || *p != '\0')
		return false;
	if (dash != NULL) /* days-hours[:minutes[:seconds]] */
		return sum(days, v[0], n > 1 ? v[1] : 0, n > 2 ? v[2] : 0, seconds);
	if (n == 3)
		return sum(0, v[0], v[1], v[2], seconds);
	return sum(0, 0, v[0], n > 1 ? v[1] : 0, seconds);
}

bool duration_parse_minutes(const char *text, uint32_t *minutes)
{
	int64_t seconds;

	if (!duration_parse_seconds(text, &seconds))
		return false;
	if (seconds < 0) {
		*minutes = INFINITE;
		return true;
	}
	int64_t m = (seconds + 59) / 60;

	if (m >= (int64_t)NO_VAL)
		return false;
	*minutes = (uint32_t)m;
	return true;
}

/* ".mmm" at *p in microseconds; digits beyond the sixth are dropped. */
static bool parse_micros(const char **p, int64_t *micros)
{
	int64_t unit = USEC / 10;

	*micros = 0;
	if (**p != '.')
		return true;
	if (!g_ascii_isdigit(*++*p))
		return false;
	for (; g_ascii_isdigit(**p); (*p)++, unit /= 10)
		*micros += unit * (**p - '0');
	return true;
}

bool duration_parse_elapsed(const char *text, usec_t *out)
{
	const char *p = text;
	int64_t v[3] = {0}, days = 0, seconds, micros;
	int ignored;
	const char *dash = strchr(text, '-');

	if (dash != NULL && (!parse_digits(&p, &days, &ignored) || p++ != dash))
		return false;
	int n = parse_colons(&p, v);

	if (n < 2 || (dash != NULL && n < 3) || !parse_micros(&p, &micros) || *p != '\0')
		return false;
	bool ok = n == 3 ? sum(days, v[0], v[1], v[2], &seconds) : sum(0, 0, v[0], v[1], &seconds);

	if (!ok || seconds > INT64_MAX / USEC - 1)
		return false;
	*out = seconds * USEC + micros;
	return true;
}

#define I64 "%" G_GINT64_FORMAT

char *duration_format(int64_t s)
{
	if (s < 0)
		return g_strdup("INVALID");
	int h = (int)(s % DAY / 3600), m = (int)(s % 3600 / 60), sec = (int)(s % 60);

	if (s >= DAY)
		return g_strdup_printf(I64 "-%02d:%02d:%02d", s / DAY, h, m, sec);
	return g_strdup_printf("%02d:%02d:%02d", h, m, sec);
}

char *duration_format_squeue(int64_t s)
{
	if (s < 0 || s > 365 * DAY) /* command-output.md, "elapsed/limit/left" */
		return g_strdup("INVALID");
	int h = (int)(s % DAY / 3600), m = (int)(s % 3600 / 60), sec = (int)(s % 60);

	if (s >= DAY)
		return g_strdup_printf(I64 "-%02d:%02d:%02d", s / DAY, h, m, sec);
	if (h > 0)
		return g_strdup_printf("%d:%02d:%02d", h, m, sec);
	return g_strdup_printf("%d:%02d", m, sec);
}

/* ---- the calendar: days since 1970-01-01 in the proleptic Gregorian calendar, years counted from March ---- */

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t days_from_date(int64_t y, int m, int d)
{
	y -= m <= 2;
	int64_t era = floor_div(y, 400), yoe = y - era * 400;
	int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static void date_from_days(int64_t days, int64_t *y, int *m, int *d)
{
	days += 719468;
	int64_t era = floor_div(days, 146097), doe = days - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;

	*d = (int)(doy - (153 * mp + 2) / 5 + 1);
	*m = (int)(mp < 10 ? mp + 3 : mp - 9);
	*y = yoe + era * 400 + (*m <= 2);
}

static bool date_valid(int64_t y, int64_t m, int64_t d)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	if (y < 1 || y > 9999 || m < 1 || m > 12 || d < 1)
		return false;
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return d <= days[m - 1] + (m == 2 && leap);
}

/* Wall clock seconds (as if UTC) in ZONE -> instant. In the hour that DST repeats, the standard time is meant. */
static sec_t from_wall(int64_t wall, GTimeZone *zone)
{
	gint64 t = wall;

	if (zone == NULL)
		return wall;
	int interval = g_time_zone_adjust_time(zone, G_TIME_TYPE_STANDARD, &t);

	return t - g_time_zone_get_offset(zone, interval);
}

static int64_t to_wall(sec_t t, GTimeZone *zone)
{
	if (zone == NULL)
		return t;
	int interval = g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, t);

	return t + g_time_zone_get_offset(zone, interval);
}

char *date_format(sec_t t, GTimeZone *zone)
{
	t = CLAMP(t, INT64_C(-62135596800), INT64_C(253402214400)); /* years 1 to 9999 */
	int64_t wall = to_wall(t, zone), days = floor_div(wall, DAY), s = wall - days * DAY, y;
	int m, d;

	date_from_days(days, &y, &m, &d);
	return g_strdup_printf("%04d-%02d-%02dT%02d:%02d:%02d", (int)y, m, d, (int)(s / 3600), (int)(s / 60 % 60),
	                       (int)(s % 60));
}

/* Exactly N digits at *p. */
static bool parse_fixed(const char **p, int n, int64_t *v)
{
	*v = 0;
	for (int i = 0; i < n; i++, (*p)++) {
		if (!g_ascii_isdigit(**p))
			return false;
		*v = *v * 10 + (**p - '0');
	}
	return !g_ascii_isdigit(**p);
}

/* "YYYY-MM-DD" at *p, as days since the epoch. */
static bool parse_iso_date(const char **p, int64_t *days)
{
	int64_t y, m, d;

	if (!parse_fixed(p, 4, &y) || *(*p)++ != '-' || !parse_fixed(p, 2, &m) || *(*p)++ != '-' ||
	    !parse_fixed(p, 2, &d) || !date_valid(y, m, d))
		return false;
	*days = days_from_date(y, (int)m, (int)d);
	return true;
}

/* "HH:MM[:SS]" at *p, as seconds of the day; one digit will do for the hour. */
static bool parse_clock(const char **p, int64_t *seconds)
{
	int64_t h, m, s = 0;
	int digits;

	if (!parse_digits(p, &h, &digits) || digits > 2 || h > 23 || *(*p)++ != ':' || !parse_fixed(p, 2, &m) || m > 59)
		return false;
	if (**p == ':') {
		(*p)++;
		if (!parse_fixed(p, 2, &s) || s > 59)
			return false;
	}
	*seconds = h * 3600 + m * 60 + s;
	return true;
}

/* "Z", "+hh:mm", "+hhmm" or "+hh" at p to the end of the text. */
static bool parse_offset(const char *p, int64_t *offset)
{
	int64_t h, m = 0;
	int sign = *p == '-' ? -1 : 1;

	*offset = 0;
	if (g_ascii_toupper(*p) == 'Z')
		return p[1] == '\0';
	if (*p != '+' && *p != '-')
		return false;
	size_t len = strlen(++p);

	if (len == 4) {
		if (!parse_fixed(&p, 4, &h))
			return false;
		m = h % 100;
		h /= 100;
	} else if (!parse_fixed(&p, 2, &h) || (*p == ':' && (p++, !parse_fixed(&p, 2, &m)))) {
		return false;
	}
	*offset = sign * (h * 3600 + m * 60);
	return *p == '\0' && h <= 24 && m < 60;
}

/* A number alone is an epoch time. */
static bool parse_epoch(const char *p, sec_t *out)
{
	bool negative = *p == '-';
	int64_t v;
	int digits;

	p += negative;
	if (!parse_digits(&p, &v, &digits) || *p != '\0')
		return false;
	*out = negative ? -v : v;
	return true;
}

bool date_parse(const char *text, GTimeZone *zone, sec_t *out)
{
	const char *p = text;
	int64_t days, clock = 0, offset, micros;

	if (parse_epoch(text, out))
		return true;
	if (!parse_iso_date(&p, &days))
		return false;
	if (*p == 'T' || *p == 't' || *p == ' ') {
		p++;
		if (!parse_clock(&p, &clock) || !parse_micros(&p, &micros))
			return false;
	}
	int64_t wall = days * DAY + clock;

	if (*p == '\0') {
		*out = from_wall(wall, zone);
		return true;
	}
	if (!parse_offset(p, &offset))
		return false;
	*out = wall - offset;
	return true;
}

/* ---- sbatch --begin: tokens may be combined, a later one wins (spec sbatch.md 3.2) ---- */

struct begin {
	sec_t now;
	GTimeZone *zone;
	int64_t today, now_clock; /* wall clock of now: day and second of the day */
	bool has_date, has_clock, has_instant;
	int64_t days, clock;
	sec_t instant; /* "now+1hour", "uts1700000000" */
};

/* WORD at *p in any case, not followed by a letter. */
static bool take_word(const char **p, const char *word)
{
	size_t n = strlen(word);

	if (g_ascii_strncasecmp(*p, word, n) != 0 || g_ascii_isalpha((*p)[n]))
		return false;
	*p += n;
	return true;
}

static void skip_blanks(const char **p)
{
	while (g_ascii_isspace(**p))
		(*p)++;
}

/* "[{+|-}N[unit]]" behind "now". */
static bool parse_now(struct begin *b, const char **p)
{
	static const struct {
		const char *one, *many;
		int64_t seconds;
	} units[] = {{"second", "seconds", 1},
	             {"minute", "minutes", 60},
	             {"hour", "hours", 3600},
	             {"day", "days", DAY},
	             {"week", "weeks", 7 * DAY}};
	int64_t n, unit = 1;
	int digits;

	b->has_instant = true;
	b->instant = b->now;
	skip_blanks(p);
	if (**p != '+' && **p != '-')
		return true;
	int sign = **p == '-' ? -1 : 1;

	(*p)++;
	skip_blanks(p);
	if (!parse_digits(p, &n, &digits) || digits > 10)
		return false;
	skip_blanks(p);
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
		if (take_word(p, units[i].one) || take_word(p, units[i].many))
			unit = units[i].seconds;
	b->instant += sign * n * unit; /* at most 10^10 weeks: no overflow */
	return true;
}

static bool set_date(struct begin *b, int64_t y, int64_t m, int64_t d)
{
	b->has_date = true;
	b->has_instant = false;
	if (!date_valid(y, m, d))
		return false;
	b->days = days_from_date(y, (int)m, (int)d);
	return true;
}

/* A date without a year: this year, or the next when it is past. */
static bool set_month_day(struct begin *b, int64_t m, int64_t d)
{
	int64_t year;
	int ignored;

	date_from_days(b->today, &year, &ignored, &ignored);
	if (!set_date(b, year, m, d))
		return date_valid(year + 1, m, d) && set_date(b, year + 1, m, d); /* February 29 */
	return b->days >= b->today || set_date(b, year + 1, m, d);
}

/* "MM/DD[/YY]", "MM.DD[.YY]", "MMDD" or "MMDDYY" at *p. */
static bool parse_us_date(struct begin *b, const char **p)
{
	int64_t m, d, y;
	int digits;

	if (!parse_digits(p, &m, &digits))
		return false;
	if (digits == 4)
		return set_month_day(b, m / 100, m % 100);
	if (digits == 6)
		return set_date(b, 2000 + m % 100, m / 10000, m / 100 % 100);
	char mark = **p;

	if (digits > 2 || (mark != '/' && mark != '.'))
		return false;
	(*p)++;
	if (!parse_digits(p, &d, &digits) || digits > 2)
		return false;
	if (**p != mark)
		return set_month_day(b, m, d);
	(*p)++;
	return parse_fixed(p, 2, &y) && set_date(b, 2000 + y, m, d);
}

/* "HH:MM[:SS] [AM|PM]" at *p. */
static bool parse_begin_clock(struct begin *b, const char **p)
{
	if (!parse_clock(p, &b->clock))
		return false;
	b->has_clock = true;
	b->has_instant = false;
	const char *q = *p;

	skip_blanks(&q);
	bool am = take_word(&q, "AM"), pm = !am && take_word(&q, "PM");

	if (!am && !pm)
		return true;
	*p = q;
	int64_t hour = b->clock / 3600;

	if (hour < 1 || hour > 12)
		return false;
	b->clock += ((hour == 12 ? 0 : hour) + (pm ? 12 : 0) - hour) * 3600;
	return true;
}

static bool parse_named(struct begin *b, const char **p)
{
	static const struct {
		const char *name;
		int hour;
	} clocks[] = {{"midnight", 0}, {"elevenses", 11}, {"noon", 12}, {"fika", 15}, {"teatime", 16}};

	for (size_t i = 0; i < G_N_ELEMENTS(clocks); i++)
		if (take_word(p, clocks[i].name)) {
			b->clock = clocks[i].hour * 3600;
			b->has_clock = true;
			b->has_instant = false;
			return true;
		}
	bool tomorrow = take_word(p, "tomorrow");

	if (!tomorrow && !take_word(p, "today"))
		return false;
	b->days = b->today + tomorrow;
	b->has_date = true;
	b->has_instant = false;
	return true;
}

static bool parse_uts(struct begin *b, const char **p)
{
	int digits;

	*p += 3;
	b->has_instant = true;
	return parse_digits(p, &b->instant, &digits);
}

static bool parse_begin_token(struct begin *b, const char **p)
{
	const char *end = *p;
	int64_t days;

	if ((**p == 'T' || **p == 't' || **p == '-') && b->has_date && g_ascii_isdigit((*p)[1])) {
		(*p)++;
		return parse_begin_clock(b, p);
	}
	if (g_ascii_strncasecmp(*p, "uts", 3) == 0)
		return parse_uts(b, p);
	if (take_word(p, "now"))
		return parse_now(b, p);
	if (g_ascii_isalpha(**p))
		return parse_named(b, p);
	while (g_ascii_isdigit(*end))
		end++;
	if (*end == ':')
		return parse_begin_clock(b, p);
	if (*end == '-' && end - *p == 4) {
		b->has_date = true;
		b->has_instant = false;
		bool ok = parse_iso_date(p, &days);
		b->days = ok ? days : 0;
		return ok;
	}
	return parse_us_date(b, p);
}

bool date_parse_begin(const char *text, sec_t now, GTimeZone *zone, sec_t *out)
{
	struct begin b = {.now = now, .zone = zone};
	const char *p = text;
	size_t digits = strspn(text, "0123456789");

	if (digits > 6 && text[digits] == '\0')
		return parse_epoch(text, out);
	int64_t wall = to_wall(now, zone);

	b.today = floor_div(wall, DAY);
	b.now_clock = wall - b.today * DAY;
	for (skip_blanks(&p); *p != '\0'; skip_blanks(&p))
		if (!parse_begin_token(&b, &p))
			return false;
	if (b.has_instant) {
		*out = b.instant;
		return true;
	}
	if (!b.has_date && !b.has_clock)
		return false;
	if (!b.has_date)
		b.days = b.today + (b.clock / 60 <= b.now_clock / 60); /* past, or in this minute (recorded): tomorrow */
	*out = from_wall(b.days * DAY + (b.has_clock ? b.clock : 0), zone);
	return true;
}

bool date_says_elevenses(const char *text)
{
	g_autofree char *small = g_ascii_strdown(text, -1);
	return strstr(small, "elevenses") != NULL;
}
