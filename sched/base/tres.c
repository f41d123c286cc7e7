/* tres.c - trackable resources; see tres.h. */
#include "sched/base/tres.h"
#include "sched/base/duration.h"
#include "sched/base/memsize.h"
#include <math.h>
#include <string.h>

#define TRES_ERROR (g_quark_from_static_string("tres"))

struct tres_table *tres_table_new(void)
{
	static const char *const builtin[] = {"cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"};
	struct tres_table *t = g_new0(struct tres_table, 1);

	for (size_t i = 0; i < G_N_ELEMENTS(builtin); i++)
		tres_add(t, builtin[i]);
	return t;
}

void tres_table_free(struct tres_table *t)
{
	if (t == NULL)
		return;
	for (uint32_t i = 0; i < t->n; i++)
		g_free(t->name[i]);
	g_free(t);
}

int tres_find(const struct tres_table *t, const char *name)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (g_ascii_strcasecmp(t->name[i], name) == 0)
			return (int)i;
	return -1;
}

int tres_add(struct tres_table *t, const char *name)
{
	int i = tres_find(t, name);

	if (i >= 0)
		return i;
	if (t->n == TRES_MAX)
		return -1;
	t->name[t->n] = g_ascii_strdown(name, -1);
	return (int)t->n++;
}

static const char units[] = "KMGTP"; /* each 1024 times the one before */

/* "4", "4K" and, as sacct prints big counts, "1.50K". */
static bool parse_count(const char *text, uint64_t *out)
{
	char *end;
	const char *unit;

	if (count_parse(text, out))
		return true;
	if (!g_ascii_isdigit(*text) || strspn(text, "0123456789.KMGTPkmgtp") != strlen(text))
		return false;
	double v = g_ascii_strtod(text, &end);

	if (*end == '\0' || end[1] != '\0' || (unit = strchr(units, g_ascii_toupper(*end))) == NULL)
		return false;
	v = ldexp(v, 10 * (int)(unit - units + 1));
	if (!(v < 1.8e19))
		return false;
	*out = (uint64_t)v;
	return true;
}

static bool parse_value(int kind, const char *value, uint64_t *out)
{
	if (strcmp(value, "-1") == 0) {
		*out = INFINITE64;
		return true;
	}
	return kind == TRES_MEM ? memsize_parse_mib(value, out) : parse_count(value, out);
}

/* One "name=value" item of a list, split and looked up. */
struct item {
	int kind;
	char *value; /* in the item's text */
};

/* TOKEN is changed. Sets ERROR for a bad shape or an unknown name. */
static bool split_item(const struct tres_table *t, char *token, struct item *item, GError **error)
{
	char *eq = strchr(token, '=');

	if (eq == NULL) {
		g_set_error(error, TRES_ERROR, 0, "bad TRES \"%s\"; want NAME=COUNT such as cpu=4", token);
		return false;
	}
	*eq = '\0';
	item->value = g_strstrip(eq + 1);
	item->kind = tres_find(t, g_strstrip(token));
	if (item->kind >= 0)
		return true;
	g_set_error(error, TRES_ERROR, 0,
	            "unknown TRES \"%s\"; want cpu, mem, node, gres/gpu or another one of AccountingStorageTRES",
	            token);
	return false;
}

typedef bool (*item_fn)(const struct tres_table *t, const struct item *item, void *out);

/* Call SET for each item of TEXT; empty items are skipped. WANT says what a value looks like. */
static bool parse_list(const struct tres_table *t, const char *text, item_fn set, void *out, const char *want,
                       GError **error)
{
	char **tokens = g_strsplit(text, ",", -1);
	bool ok = true;

	for (char **p = tokens; ok && *p != NULL; p++) {
		struct item item;
		char *token = g_strstrip(*p);

		if (*token == '\0')
			continue;
		ok = split_item(t, token, &item, error);
		if (ok && !set(t, &item, out)) {
			g_set_error(error, TRES_ERROR, 0, "bad value \"%s\" for TRES %s; want %s", item.value,
			            t->name[item.kind], want);
			ok = false;
		}
	}
	g_strfreev(tokens);
	return ok;
}

static bool set_count(const struct tres_table *t, const struct item *item, void *out)
{
	(void)t;
	return parse_value(item->kind, item->value, (uint64_t *)out + item->kind);
}

bool tres_parse(const struct tres_table *t, const char *text, uint64_t *counts, uint64_t unset, GError **error)
{
	for (uint32_t i = 0; i < t->n; i++)
		counts[i] = unset;
	return parse_list(t, text, set_count, counts, "a count such as 4, 2K or, for mem, 4G", error);
}

/* P41: a suffix relates the weight to that unit; the base unit of mem and burst buffers is M, else none. */
static bool set_weight(const struct tres_table *t, const struct item *item, void *out)
{
	double *weights = out;
	const char *name = t->name[item->kind], *unit;
	char *end;

	if (!g_ascii_isdigit(*item->value) && strchr("+-.", *item->value) == NULL)
		return false;
	double v = g_ascii_strtod(item->value, &end);

	if (end == item->value || !isfinite(v))
		return false;
	if (*end != '\0') {
		if (end[1] != '\0' || (unit = strchr(units, g_ascii_toupper(*end))) == NULL)
			return false;
		int base = item->kind == TRES_MEM || g_str_has_prefix(name, "bb/") ? 2 : 0;
		v = ldexp(v, -10 * ((int)(unit - units) + 1 - base));
	}
	weights[item->kind] = v;
	return true;
}

bool tres_parse_weights(const struct tres_table *t, const char *text, double *weights, GError **error)
{
	for (uint32_t i = 0; i < t->n; i++)
		weights[i] = 0;
	return parse_list(t, text, set_weight, weights, "a weight such as 1.0 or 0.25G", error);
}

static void append_count(GString *s, const struct tres_table *t, uint32_t i, uint64_t count)
{
	char *text = i == TRES_MEM ? memsize_format_mib(count) : g_strdup_printf("%" G_GUINT64_FORMAT, count);

	g_string_append_printf(s, "%s%s=%s", s->len ? "," : "", t->name[i], text);
	g_free(text);
}

char *tres_format(const struct tres_table *t, const uint64_t *counts, uint64_t unset)
{
	GString *s = g_string_new(NULL);

	for (uint32_t i = 0; i < t->n; i++)
		if (counts[i] != 0 && counts[i] != unset)
			append_count(s, t, i, counts[i]);
	return g_string_free(s, FALSE);
}

/* Bytewise, but "gres/gpu:h100" before "gres/gpu" (sacct.md section 2). */
static int sacct_name_cmp(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	if ((*a == ':' && *b == '\0') || (*a == '\0' && *b == ':'))
		return *a == ':' ? -1 : 1;
	return (guchar)*a - (guchar)*b;
}

static int sacct_order(const void *a, const void *b, void *table)
{
	const struct tres_table *t = table;

	return sacct_name_cmp(t->name[*(const uint32_t *)a], t->name[*(const uint32_t *)b]);
}

char *tres_format_sacct(const struct tres_table *t, const uint64_t *counts, uint64_t unset)
{
	uint32_t order[TRES_MAX];
	GString *s = g_string_new(NULL);

	for (uint32_t i = 0; i < t->n; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)t->n, sizeof(*order), sacct_order, (void *)t);
	for (uint32_t i = 0; i < t->n; i++)
		if (counts[order[i]] != 0 && counts[order[i]] != unset)
			append_count(s, t, order[i], counts[order[i]]);
	return g_string_free(s, FALSE);
}
