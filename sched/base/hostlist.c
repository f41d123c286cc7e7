/*
 * hostlist.c - expansion and compression of hostlist expressions; see hostlist.h and spec slurm-conf.md section 2.
 *
 * A token is read into parts: a literal text followed by a bracket group (the last part may have no group). Its
 * names are the cartesian product of the groups; counting needs only the group sizes, so the limits are checked
 * before a name is made.
 */
#include "sched/base/hostlist.h"
#include <stdbool.h>
#include <string.h>

#define RANGE_MAX 65536 /* numbers a range */
#define NAME_MAX_LEN 255
#define DIGITS_MAX 18 /* digits of a number that is computed with; fits 64 bits */

struct range {
	guint64 lo, hi;
	guint width; /* length of the text of lo: pads every number */
};

struct part {
	const char *literal;
	gsize literal_len;
	GArray *ranges; /* of struct range; NULL = no group follows */
	guint64 count;  /* numbers of the group */
};

struct parser {
	const char *text, *p;
	GArray *parts; /* of struct part; of the current token */
	GError **error;
};

static void part_clear(gpointer data)
{
	struct part *part = data;

	if (part->ranges != NULL)
		g_array_unref(part->ranges);
}

static bool fail(struct parser *ps, const char *at, const char *what) G_GNUC_WARN_UNUSED_RESULT;
static bool fail(struct parser *ps, const char *at, const char *what)
{
	g_set_error(ps->error, HOSTLIST_ERROR, 0, "bad host list, column %u: %s", (guint)(at - ps->text) + 1, what);
	return false;
}

static bool is_separator(char c)
{
	return c == ',' || g_ascii_isspace(c);
}

/* Digits at ps->p. */
static bool parse_number(struct parser *ps, guint64 *value, guint *width)
{
	const char *start = ps->p;

	*value = 0;
	for (; g_ascii_isdigit(*ps->p); ps->p++) {
		if (ps->p - start >= DIGITS_MAX)
			return fail(ps, start, "number too long; at most 18 digits");
		*value = *value * 10 + (guint64)(*ps->p - '0');
	}
	*width = (guint)(ps->p - start);
	if (*width > 0)
		return true;
	if (*ps->p == '\0')
		return fail(ps, ps->p, "the bracket is not closed; want a number and \"]\"");
	if (*ps->p == '[')
		return fail(ps, ps->p, "brackets cannot be nested");
	return fail(ps, ps->p, "want a number such as 7 or a range such as 01-16");
}

/* "lo" or "lo-hi" at ps->p. */
static bool parse_range(struct parser *ps, struct range *r)
{
	const char *start = ps->p;
	guint ignored;

	if (!parse_number(ps, &r->lo, &r->width))
		return false;
	r->hi = r->lo;
	if (*ps->p == 'x' || *ps->p == 'X')
		return fail(ps, start, "boxes such as [000x133] exist on multi-dimension systems only; list the hosts");
	if (*ps->p != '-')
		return true;
	ps->p++;
	if (!parse_number(ps, &r->hi, &ignored))
		return false;
	if (r->hi < r->lo)
		return fail(ps, start, "the range runs backwards; want the lower number first");
	if (r->hi - r->lo >= RANGE_MAX)
		return fail(ps, start, "range too long; at most 65536 numbers a range");
	return true;
}

/* The group whose "[" is at ps->p, into PART. */
static bool parse_group(struct parser *ps, struct part *part)
{
	const char *open = ps->p;

	part->ranges = g_array_new(FALSE, FALSE, sizeof(struct range));
	do {
		struct range r;

		ps->p++; /* the "[" or a "," */
		if (!parse_range(ps, &r))
			return false;
		g_array_append_val(part->ranges, r);
		part->count += r.hi - r.lo + 1;
		if (part->count > HOSTLIST_MAX)
			return fail(ps, open, "too many hosts; at most 1000000");
	} while (*ps->p == ',');
	if (*ps->p == '\0')
		return fail(ps, open, "the bracket is not closed; want \"]\"");
	if (*ps->p != ']')
		return fail(ps, ps->p, "bad character in brackets; want numbers and ranges, separated by commas");
	ps->p++;
	return true;
}

/* Literal text at ps->p up to a "[", a separator or the end. */
static bool parse_literal(struct parser *ps, struct part *part)
{
	part->literal = ps->p;
	for (; *ps->p != '\0' && *ps->p != '[' && !is_separator(*ps->p); ps->p++) {
		if (*ps->p == ']')
			return fail(ps, ps->p, "\"]\" without \"[\"");
		if (*ps->p == '{' || *ps->p == '}')
			return fail(ps, ps->p,
			            "host list functions such as switch{s1} are not known here; list the hosts");
		if ((guchar)*ps->p < ' ' || *ps->p == 127)
			return fail(ps, ps->p, "control character in a host name");
	}
	part->literal_len = (gsize)(ps->p - part->literal);
	return true;
}

/* Length of the longest name of the token. */
static gsize longest_name(const GArray *parts)
{
	gsize len = 0;

	for (guint i = 0; i < parts->len; i++) {
		const struct part *part = &g_array_index(parts, struct part, i);
		guint digits = 0;

		for (guint k = 0; part->ranges != NULL && k < part->ranges->len; k++) {
			const struct range *r = &g_array_index(part->ranges, struct range, k);
			guint n = (guint)g_snprintf(NULL, 0, "%" G_GUINT64_FORMAT, r->hi);
			digits = MAX(digits, MAX(n, r->width));
		}
		len += part->literal_len + digits;
	}
	return len;
}

/* One token at ps->p (not a separator) into ps->parts; *count = its number of names. */
static bool parse_token(struct parser *ps, guint64 *count)
{
	const char *start = ps->p;

	g_array_set_size(ps->parts, 0);
	*count = 1;
	while (*ps->p != '\0' && !is_separator(*ps->p)) {
		struct part part = {0};
		bool ok = parse_literal(ps, &part) && (*ps->p != '[' || parse_group(ps, &part));

		g_array_append_val(ps->parts, part);
		if (!ok)
			return false;
		if (part.ranges != NULL)
			*count *= part.count; /* both <= 10^6 */
		if (*count > HOSTLIST_MAX)
			return fail(ps, start, "too many hosts; at most 1000000");
	}
	if (longest_name(ps->parts) > NAME_MAX_LEN)
		return fail(ps, start, "host name too long; at most 255 characters");
	return true;
}

/* Append to OUT every name of the token that begins with NAME and goes on with the parts from I; the leftmost group
 * varies slowest. The depth is the number of groups, which a name's length bounds. */
static void expand_parts(const GArray *parts, guint i, GString *name, GPtrArray *out)
{
	gsize len = name->len;

	if (i == parts->len) {
		g_ptr_array_add(out, g_strndup(name->str, len));
		return;
	}
	const struct part *part = &g_array_index(parts, struct part, i);

	g_string_append_len(name, part->literal, (gssize)part->literal_len);
	if (part->ranges == NULL)
		expand_parts(parts, i + 1, name, out);
	gsize stem = name->len;

	for (guint k = 0; part->ranges != NULL && k < part->ranges->len; k++) {
		const struct range *r = &g_array_index(part->ranges, struct range, k);

		for (guint64 v = r->lo; v <= r->hi; v++) {
			g_string_truncate(name, stem);
			g_string_append_printf(name, "%0*" G_GUINT64_FORMAT, (int)r->width, v);
			expand_parts(parts, i + 1, name, out);
		}
	}
	g_string_truncate(name, len);
}

/* Walk the tokens of TEXT; names go to OUT unless it is NULL. The number of names, or -1 and ERROR. */
static gint64 walk(const char *text, GPtrArray *out, GError **error)
{
	struct parser ps = {text, text, g_array_new(FALSE, FALSE, sizeof(struct part)), error};
	GString *name = g_string_new(NULL);
	gint64 total = 0;

	g_array_set_clear_func(ps.parts, part_clear);
	while (*ps.p != '\0' && total >= 0) {
		const char *start = ps.p;
		guint64 count;

		if (is_separator(*ps.p)) {
			ps.p++;
		} else if (!parse_token(&ps, &count)) {
			total = -1;
		} else if (total + (gint64)count > HOSTLIST_MAX) {
			total = fail(&ps, start, "too many hosts; at most 1000000") ? 0 : -1;
		} else {
			total += (gint64)count;
			if (out != NULL)
				expand_parts(ps.parts, 0, name, out);
		}
	}
	g_array_unref(ps.parts);
	g_string_free(name, TRUE);
	return total;
}

GPtrArray *hostlist_expand(const char *text, GError **error)
{
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);

	if (walk(text, out, error) >= 0)
		return out;
	g_ptr_array_unref(out);
	return NULL;
}

gint64 hostlist_count(const char *text, GError **error)
{
	return walk(text, NULL, error);
}

/* ---- compression ---- */

/* One printed item: numbers lo..hi behind a prefix. WIDTH is the shortest padding known to give their texts. */
struct run {
	const char *prefix; /* borrowed from the first name */
	gsize prefix_len;
	bool numbered; /* else the name is the prefix alone */
	guint64 lo, hi;
	guint width;
};

static guint digits_of(guint64 v)
{
	guint n = 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

static struct run split_name(const char *name)
{
	gsize len = strlen(name), at = len;
	struct run r = {.prefix = name, .prefix_len = len};

	while (at > 0 && g_ascii_isdigit(name[at - 1]))
		at--;
	if (at == len || len - at >= DIGITS_MAX)
		return r;
	r.numbered = true;
	r.prefix_len = at;
	r.width = (guint)(len - at);
	r.lo = r.hi = g_ascii_strtoull(name + at, NULL, 10);
	return r;
}

/* Can NEXT (one number) share A's padding, or A take NEXT's, without changing a text? Gives that width, 0 = no. */
static guint common_width(const struct run *a, const struct run *next)
{
	guint w = a->width, v = next->width;

	if (MAX(digits_of(next->lo), w) == v)
		return w;
	if (MAX(digits_of(a->lo), v) == MAX(digits_of(a->lo), w) &&
	    MAX(digits_of(a->hi), v) == MAX(digits_of(a->hi), w))
		return v;
	return 0;
}

static void append_run(GString *out, const struct run *r)
{
	g_string_append_printf(out, "%0*" G_GUINT64_FORMAT, (int)r->width, r->lo);
	if (r->hi > r->lo)
		g_string_append_printf(out, "-%0*" G_GUINT64_FORMAT, (int)r->width, r->hi);
}

/* Print the runs of one group behind their common prefix; brackets unless it is a single host. */
static void append_group(GString *out, const GArray *group)
{
	if (group->len == 0)
		return;
	const struct run *first = &g_array_index(group, struct run, 0);
	bool brackets = group->len > 1 || first->hi > first->lo;

	if (out->len > 0)
		g_string_append_c(out, ',');
	g_string_append_len(out, first->prefix, (gssize)first->prefix_len);
	if (!first->numbered)
		return;
	if (brackets)
		g_string_append_c(out, '[');
	for (guint i = 0; i < group->len; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		append_run(out, &g_array_index(group, struct run, i));
	}
	if (brackets)
		g_string_append_c(out, ']');
}

/* Add NEXT to the group's last run or as a new run; false when it needs a group of its own. */
static bool join_group(GArray *group, const struct run *next)
{
	if (group->len == 0)
		return false;
	struct run *last = &g_array_index(group, struct run, group->len - 1);

	if (!last->numbered || !next->numbered || last->prefix_len != next->prefix_len ||
	    memcmp(last->prefix, next->prefix, next->prefix_len) != 0)
		return false;
	guint width = common_width(last, next);

	if (width == 0)
		return false;
	if (next->lo == last->hi + 1 && next->lo - last->lo < RANGE_MAX) {
		last->hi = next->lo;
		last->width = width;
	} else {
		g_array_append_vals(group, next, 1);
	}
	return true;
}

char *hostlist_compress(const char *const *names, gsize n)
{
	GString *out = g_string_new(NULL);
	GArray *group = g_array_new(FALSE, FALSE, sizeof(struct run));

	for (gsize i = 0; i < n; i++) {
		struct run r = split_name(names[i]);

		if (join_group(group, &r))
			continue;
		append_group(out, group);
		g_array_set_size(group, 0);
		g_array_append_val(group, r);
	}
	append_group(out, group);
	g_array_unref(group);
	return g_string_free(out, FALSE);
}

/* Compare the digit runs at *a and *b as numbers of any length and move behind them. */
static int compare_digits(const char **a, const char **b)
{
	while (**a == '0')
		(*a)++;
	while (**b == '0')
		(*b)++;
	const char *x = *a, *y = *b;

	while (g_ascii_isdigit(**a))
		(*a)++;
	while (g_ascii_isdigit(**b))
		(*b)++;
	gsize nx = (gsize)(*a - x), ny = (gsize)(*b - y);

	if (nx != ny)
		return nx < ny ? -1 : 1;
	return memcmp(x, y, nx);
}

int hostlist_name_cmp(const char *a, const char *b)
{
	const char *p = a, *q = b;

	while (*p != '\0' && *q != '\0') {
		if (g_ascii_isdigit(*p) && g_ascii_isdigit(*q)) {
			int c = compare_digits(&p, &q);
			if (c != 0)
				return c;
		} else if (*p != *q) {
			return (guchar)*p < (guchar)*q ? -1 : 1;
		} else {
			p++;
			q++;
		}
	}
	if (*p != *q)
		return *p == '\0' ? -1 : 1;
	return strcmp(a, b);
}
