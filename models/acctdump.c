/* acctdump.c - the lines of a "sacctmgr dump" file (spec accounting-files.md section 1). */
#include "models/acctread.h"
#include "models/conflex.h"
#include <string.h>

/*
 * Where the field at P ends: at a ':' outside quotes that begins a new option. A ':' before a digit belongs to a time,
 * and one in an item of a TRES list that has no '=' yet belongs to a typed name ("gres/gpu:a100=4").
 */
static const char *field_end(const char *p, bool option)
{
	char quote = 0;
	bool tres = false, item_has_value = false;
	const char *key = p;

	for (; *p; p++) {
		if (quote) {
			if (*p == quote)
				quote = 0;
		} else if (*p == '\'' || *p == '"') {
			quote = *p;
		} else if (*p == '#') {
			break;
		} else if (option && *p == '=' && !tres) {
			tres = g_ascii_strncasecmp(key, "Grp", 3) == 0 || g_ascii_strncasecmp(key, "Max", 3) == 0 ||
			       g_ascii_strncasecmp(key, "Min", 3) == 0;
			item_has_value = !tres || !g_strstr_len(key, p - key, "TRES");
			option = tres;
		} else if (*p == '=') {
			item_has_value = true;
		} else if (*p == ',' && tres) {
			item_has_value = false;
		} else if (*p == ':' && !g_ascii_isdigit(p[1]) && (!tres || item_has_value)) {
			break;
		}
	}
	return p;
}

/* TEXT without the quotes around or inside it. g_free. */
static char *unquote(const char *p, const char *end)
{
	GString *s = g_string_new(NULL);
	char quote = 0;

	for (; p < end; p++) {
		if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
		else
			g_string_append_c(s, *p);
	}
	return g_strstrip(g_string_free(s, FALSE));
}

static struct acct_option *take_option(struct acct_reader *r, const char *p, const char *end, guint column)
{
	const char *equals = memchr(p, '=', (gsize)(end - p));
	struct acct_option *o = g_new0(struct acct_option, 1);

	o->column = column;
	if (!equals || equals == p) {
		char *text = g_strndup(p, (gsize)(end - p)), *shown = conflex_show(text);

		acct_error(r, column, "options are Key=Value, separated by :", "\"%s\" is not Key=Value", shown);
		g_free(shown);
		g_free(text);
		acct_option_free(o);
		return NULL;
	}
	bool op = strchr("+-", equals[-1]) != NULL;
	o->op = op ? equals[-1] : 0;
	o->key = g_strstrip(g_strndup(p, (gsize)(equals - p) - op));
	o->value = unquote(equals + 1, end);
	return o;
}

/* The options after the name. Of struct acct_option *. */
static GPtrArray *take_options(struct acct_reader *r, const char *line, const char *p)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(acct_option_free);

	while (*p == ':') {
		const char *end = field_end(p + 1, true);

		if (end > p + 1) {
			struct acct_option *o = take_option(r, p + 1, end, (guint)(p + 1 - line) + 1);
			if (o)
				g_ptr_array_add(list, o);
		}
		p = end;
	}
	return list;
}

/* The value of an option, or NULL. */
static const char *value_of(const GPtrArray *options, const char *key, gsize shortest)
{
	for (guint i = 0; i < options->len; i++) {
		const struct acct_option *o = g_ptr_array_index(options, i);
		if (acct_key_is(o->key, key, shortest) && *o->value)
			return o->value;
	}
	return NULL;
}

static void apply_all(struct acct_reader *r, struct assoc *as, const GPtrArray *options)
{
	struct acct_target t = {.assoc = as};

	for (guint i = 0; i < options->len; i++) {
		const struct acct_option *o = g_ptr_array_index(options, i);

		if (acct_about_option(as, o) || acct_ignored_option(o) ||
		    (as->user && (acct_key_is(o->key, "Partition", 3) || acct_user_option(r, as->user, o))))
			continue;
		acct_apply(r, &t, o);
	}
}

static void qos_line(struct acct_reader *r, const struct dump_state *s, guint column, const char *name,
                     const GPtrArray *options)
{
	struct acct_target t = {0};

	if (s->cluster)
		acct_error(r, 1, "QOS lines come first", "QOS line after the Cluster line");
	t.qos = acct_make_qos(r, column, name);
	for (guint i = 0; t.qos && i < options->len; i++)
		acct_apply(r, &t, g_ptr_array_index(options, i));
}

static void cluster_line(struct acct_reader *r, struct dump_state *s, const GPtrArray *options)
{
	if (s->cluster)
		acct_error(r, 1, "one cluster a file", "a second Cluster line");
	s->cluster = true;
	apply_all(r, r->a->root, options);
}

static void parent_line(struct acct_reader *r, struct dump_state *s, guint column, const char *name)
{
	if (!acct_find_account(r->a, name)) {
		char *shown = conflex_show(name);

		acct_error(r, column, "an Account line must define it before", "unknown parent account %s", shown);
		g_free(shown);
		return;
	}
	g_free(s->parent);
	s->parent = g_strdup(name);
}

static void record(struct acct_reader *r, struct dump_state *s, const char *word, guint column, const char *name,
                   const GPtrArray *options)
{
	const char *parent = s->parent ? s->parent : "root";

	if (acct_key_is(word, "QOS", 3)) {
		qos_line(r, s, column, name, options);
	} else if (acct_key_is(word, "Cluster", 2) || acct_key_is(word, "Machine", 2)) {
		cluster_line(r, s, options);
	} else if (acct_key_is(word, "Parent", 2)) {
		parent_line(r, s, column, name);
	} else if (acct_key_is(word, "Account", 2) || acct_key_is(word, "Project", 2)) {
		struct assoc *as = acct_make_account(r, column, name, parent);
		if (as)
			apply_all(r, as, options);
	} else if (acct_key_is(word, "User", 1)) {
		struct assoc *as = acct_make_user(r, column, name, parent, value_of(options, "Partition", 3));
		if (as)
			apply_all(r, as, options);
	} else {
		char *shown = conflex_show(word);

		acct_error(r, 1, "QOS, Cluster, Parent, Account or User", "unknown kind of line \"%s\"", shown);
		g_free(shown);
	}
}

void acct_dump_line(struct acct_reader *r, struct dump_state *s, char *line)
{
	const char *p = line + strspn(line, " \t\r");

	if (!*p || *p == '#')
		return;
	if (g_str_has_prefix(p, "sacctmgr: ")) /* as printed on the screen */
		p += strlen("sacctmgr: ");
	const char *dash = strstr(p, " -");
	if (!dash) {
		char *shown = conflex_show(p);

		acct_error(r, (guint)(p - line) + 1, "lines look like User - 'name':Key=Value",
		           "\"%s\" is no line of a sacctmgr dump", shown);
		g_free(shown);
		return;
	}
	char *word = g_strstrip(g_strndup(p, (gsize)(dash - p)));
	const char *begin = dash + 2 + strspn(dash + 2, " \t"), *end = field_end(begin, false);
	char *name = unquote(begin, end);
	GPtrArray *options = take_options(r, line, end);

	record(r, s, word, (guint)(begin - line) + 1, name, options);
	g_ptr_array_unref(options);
	g_free(name);
	g_free(word);
}
