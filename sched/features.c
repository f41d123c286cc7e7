/* features.c - see features.h */
#include "sched/features.h"

#include <string.h>

/* ---- one expression without brackets, for one configuration ---- */

struct eval {
	const struct node_config *k; /* NULL: only check the grammar */
	GHashTable *known;           /* names that some node has */
	const char *p;
	bool bad;
	int depth;
};

static bool feature_list(struct eval *e);

static bool feature_name(struct eval *e)
{
	const char *s = e->p;
	while (*e->p && !strchr("&|,()[]*!", *e->p))
		e->p++;
	g_autofree char *name = g_strndup(s, (gsize)(e->p - s));
	if (!*name || (e->known && !g_hash_table_contains(e->known, name)))
		e->bad = true;
	return e->k && g_strv_contains((const char *const *)config_active(e->k), name);
}

static bool feature_atom(struct eval *e)
{
	if (*e->p != '(')
		return feature_name(e);
	if (++e->depth > 64) {
		e->bad = true;
		return false;
	}
	e->p++;
	bool v = feature_list(e);
	if (*e->p == ')')
		e->p++;
	else
		e->bad = true;
	e->depth--;
	return v;
}

/* Left to right: "a|b&c" is (a or b) and c. */
static bool feature_list(struct eval *e)
{
	bool v = feature_atom(e);
	while (!e->bad && *e->p && strchr("&,|", *e->p)) {
		char op = *e->p++;
		bool w = feature_atom(e);
		v = op == '|' ? v || w : v && w;
	}
	return v;
}

static bool expr_valid(const char *expr, GHashTable *known)
{
	struct eval e = {.known = known, .p = expr};
	feature_list(&e);
	return !e.bad && *e.p == '\0';
}

static bool expr_allows(const char *expr, const struct node_config *k)
{
	struct eval e = {.k = k, .p = expr};
	return feature_list(&e) && !e.bad;
}

/* ---- terms ---- */

/* Take "*N" off the end of TEXT. False when it is no number. */
static bool split_count(char *text, uint32_t *count)
{
	char *star = strrchr(text, '*');
	guint64 n;
	*count = 0;
	if (!star)
		return true;
	if (!g_ascii_string_to_unsigned(star + 1, 10, 1, 500000, &n, NULL))
		return false;
	*star = '\0';
	*count = (uint32_t)n;
	return true;
}

static void add_term(struct features *f, const struct cluster *c, const char *expr, uint32_t count)
{
	struct feature_term t = {count, bitset_new(c->configs->len), bitset_new(c->n_nodes)};
	for (guint i = 0; i < c->configs->len; i++) {
		const struct node_config *k = c->configs->pdata[i];
		if (!expr_allows(expr, k))
			continue;
		bitset_set(t.configs, i);
		bitset_or(t.nodes, k->nodes);
	}
	f->term = g_renew(struct feature_term, f->term, f->n + 1);
	f->term[f->n++] = t;
}

/* The member TEXT of a bracket group, between HEAD and TAIL. */
static bool add_member(struct features *f, const struct cluster *c, GHashTable *known, const char *head, char *text,
                       const char *tail)
{
	uint32_t count;
	if (!split_count(text, &count))
		return false;
	g_autofree char *expr = g_strdup_printf("%s(%s)%s", head, text, tail);
	if (!expr_valid(expr, known))
		return false;
	if (!f->alternatives && !count)
		count = 1;
	add_term(f, c, expr, count);
	return true;
}

/* Where the first member of a bracket group ends: at the operator that joins the members, outside parentheses. */
static char *member_end(char *s, const char *ops)
{
	int depth = 0;
	for (; *s; s++) {
		depth += (*s == '(') - (*s == ')');
		if (depth == 0 && strchr(ops, *s))
			return s;
	}
	return s;
}

static bool add_group(struct features *f, const struct cluster *c, GHashTable *known, const char *head, char *inside,
                      const char *tail)
{
	char *end = member_end(inside, "|&,");
	bool counted = strchr(inside, '*') != NULL;
	f->alternatives = *end == '|' || !counted;
	const char *ops = *end == '|' ? "|" : counted ? "&," : "";
	for (char *s = inside;;) {
		end = *ops ? member_end(s, ops) : s + strlen(s);
		bool last = *end == '\0';
		*end = '\0';
		if (!add_member(f, c, known, head, s, tail))
			return false;
		if (last)
			return true;
		s = end + 1;
	}
}

static bool parse(struct features *f, const struct cluster *c, GHashTable *known, const char *expr)
{
	g_autofree char *text = g_strdup(expr);
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	if (!open) { /* a count may stand behind the last name */
		f->alternatives = true;
		return add_member(f, c, known, "", text, "");
	}
	if (!close || strchr(close, '['))
		return false;
	*open = *close = '\0';
	return add_group(f, c, known, text, open + 1, close + 1);
}

struct features *features_parse(const struct cluster *c, const char *expr)
{
	struct features *f = g_new0(struct features, 1);
	GHashTable *known = g_hash_table_new(g_str_hash, g_str_equal);
	f->refs = 1;
	for (guint i = 0; i < c->configs->len; i++)
		for (char **s = ((struct node_config *)c->configs->pdata[i])->features; *s; s++)
			g_hash_table_add(known, *s);
	bool ok = parse(f, c, known, expr);
	g_hash_table_unref(known);
	if (ok)
		return f;
	features_unref(f);
	return NULL;
}

struct features *features_ref(struct features *f)
{
	if (f)
		f->refs++;
	return f;
}

void features_unref(struct features *f)
{
	if (!f || --f->refs)
		return;
	for (uint32_t i = 0; i < f->n; i++) {
		bitset_free(f->term[i].configs);
		bitset_free(f->term[i].nodes);
	}
	g_free(f->term);
	g_free(f);
}

bool features_allow(const struct features *f, const struct node_config *k)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (bitset_test(f->term[i].configs, k->index))
			return true;
	return false;
}

bool features_text_allows(const struct cluster *c, const char *expr, const struct node_config *k)
{
	struct features *f = features_parse(c, expr);
	bool ok = f && features_allow(f, k);

	features_unref(f);
	return ok;
}
