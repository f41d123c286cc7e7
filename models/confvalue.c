/* confvalue.c - numbers, booleans, times and lists as slurm.conf writes them (spec slurm-conf.md section 1). */
#include "models/confread.h"
#include "models/suggest.h"
#include "sched/base/hostlist.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void report(struct conf_reader *r, const struct conf_pair *p, bool is_error, const char *hint,
                   const char *format, va_list args)
{
	char *text = g_strdup_vprintf(format, args);

	if (is_error)
		diag_error(r->d, p->file, p->line, p->column, hint, "%s", text);
	else
		diag_warn(r->d, p->file, p->line, p->column, hint, "%s", text);
	g_free(text);
}

void conf_error(struct conf_reader *r, const struct conf_pair *p, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(r, p, true, hint, format, args);
	va_end(args);
}

void conf_warn(struct conf_reader *r, const struct conf_pair *p, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(r, p, false, hint, format, args);
	va_end(args);
}

void conf_not_modelled(struct conf_reader *r, const struct conf_pair *p, const char *what)
{
	char *key = g_ascii_strdown(p->key, -1);

	if (g_hash_table_add(r->warned, key))
		conf_warn(r, p, NULL, "%s: %s is not modelled in this version and has no effect", p->key, what);
}

static void bad_value(struct conf_reader *r, const struct conf_pair *p, const char *hint)
{
	char *shown = conflex_show(p->value);

	diag_error(r->d, p->file, p->value_line, p->value_column, hint, "bad value \"%s\" of %s", shown, p->key);
	g_free(shown);
}

static bool is_unlimited(const char *text)
{
	return g_ascii_strcasecmp(text, "UNLIMITED") == 0 || g_ascii_strcasecmp(text, "INFINITE") == 0;
}

bool conf_number(struct conf_reader *r, const struct conf_pair *p, guint64 max, guint64 *out)
{
	char *end, hint[96];

	if (is_unlimited(p->value)) {
		*out = CONF_UNLIMITED;
		return true;
	}
	errno = 0;
	guint64 v = g_ascii_strtoull(p->value, &end, 10);
	bool good = g_ascii_isdigit(p->value[0]) && errno == 0;
	if (good && (*end == 'k' || *end == 'K')) {
		good = v <= UINT64_MAX / 1024;
		v *= 1024;
		end++;
	}
	if (good && !*end && v <= max) {
		*out = v;
		return true;
	}
	g_snprintf(hint, sizeof hint, "a whole number from 0 to %" G_GUINT64_FORMAT " is expected", max);
	bad_value(r, p, hint);
	return false;
}

bool conf_bool(struct conf_reader *r, const struct conf_pair *p, bool *out)
{
	static const char *const yes[] = {"yes", "up", "true", "1"}, *const no[] = {"no", "down", "false", "0"};

	for (gsize i = 0; i < G_N_ELEMENTS(yes); i++) {
		if (g_ascii_strcasecmp(p->value, yes[i]) == 0 || g_ascii_strcasecmp(p->value, no[i]) == 0) {
			*out = g_ascii_strcasecmp(p->value, yes[i]) == 0;
			return true;
		}
	}
	bad_value(r, p, "YES or NO is expected");
	return false;
}

bool conf_minutes(struct conf_reader *r, const struct conf_pair *p, uint32_t *out)
{
	if (duration_parse_minutes(p->value, out))
		return true;
	bad_value(r, p, "minutes, [days-]hours:minutes:seconds, days-hours or UNLIMITED is expected");
	return false;
}

bool conf_double(struct conf_reader *r, const struct conf_pair *p, double *out)
{
	char *end;
	double v = g_ascii_strtod(p->value, &end);

	if (end != p->value && !*end && isfinite(v)) {
		*out = v;
		return true;
	}
	bad_value(r, p, "a number is expected");
	return false;
}

char **conf_list(const char *text, bool lower)
{
	GPtrArray *list = g_ptr_array_new();
	char **part = g_strsplit_set(text, ", \t\r\n", -1);

	for (char **s = part; *s; s++)
		if (**s)
			g_ptr_array_add(list, lower ? g_ascii_strdown(*s, -1) : g_strdup(*s));
	g_strfreev(part);
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

GPtrArray *conf_expand_within(struct diag *d, const struct conf_pair *p, const char *text, guint64 *names_left, bool *more)
{
	GError *error = NULL;
	gint64 n = hostlist_count(text, &error);

	*more = n >= 0 && (guint64)n > *names_left;
	if (*more)
		return NULL;
	GPtrArray *names = n >= 0 ? hostlist_expand(text, &error) : NULL;
	if (!names) {
		diag_error(d, p->file, p->value_line, p->value_column, NULL, "bad list of nodes: %s", error->message);
		g_error_free(error);
		return NULL;
	}
	*names_left -= names->len;
	return names;
}

GPtrArray *conf_expand(struct conf_reader *r, const struct conf_pair *p, const char *text)
{
	bool more;
	GPtrArray *names = conf_expand_within(r->d, p, text, &r->names_left, &more);

	if (more)
		conf_error(r, p, NULL, "more than %d node names in all lists", 10 * HOSTLIST_MAX);
	return names;
}

static void unknown_line_key(struct conf_reader *r, const struct conf_pair *p, const struct line_key *keys,
                             const char *what)
{
	struct suggestion s;

	suggest_begin(&s, p->key);
	for (const struct line_key *k = keys; k->name; k++)
		suggest_offer(&s, k->name);
	char *other = conf_key_find(p->key) ? g_strdup("it belongs on a line of its own")
	                                    : g_strdup("see the slurm.conf manual for the keys of this line");
	char *hint = suggest_hint(&s, other);
	if (r->o->unknown_is_warning)
		conf_warn(r, p, hint, "unknown key %s on a %s line", p->key, what);
	else
		conf_error(r, p, hint, "unknown key %s on a %s line", p->key, what);
	g_free(hint);
	g_free(other);
}

void conf_line_values(struct conf_reader *r, const struct conf_line *line, const struct line_key *keys,
                      const char *what, const struct conf_pair **value)
{
	for (guint i = 1; i < line->n_pairs; i++) {
		const struct conf_pair *p = &line->pair[i];
		const struct line_key *k = keys;

		while (k->name && g_ascii_strcasecmp(k->name, p->key) != 0)
			k++;
		if (!k->name) {
			unknown_line_key(r, p, keys, what);
			continue;
		}
		for (guint j = 1; value[k->id] && j < i; j++)
			if (value[k->id] == &line->pair[j] && g_ascii_strcasecmp(line->pair[j].key, p->key) == 0)
				conf_warn(r, p, NULL, "%s specified more than once, latest value used", p->key);
		value[k->id] = p;
	}
}
