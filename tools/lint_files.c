/* lint_files.c - see lint_files.h. */
#include "tools/lint_files.h"
#include "sched/base/hostlist.h"
#include <string.h>

#define ACCT_FILE_MAX (64u << 20)
#define NODE_NAMES_MAX (2 * (gint64)HOSTLIST_MAX) /* of all NodeName lines */

static void free_line(void *line)
{
	conf_line_free(line);
}

static void keep_line(struct conf_line *line, void *data)
{
	g_ptr_array_add(data, line);
}

static GPtrArray *read_lines(const char *path)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(free_line);
	struct diag *d = diag_new(); /* the readers have told the errors */

	if (path)
		conflex_file(path, keep_line, lines, d);
	diag_free(d);
	return lines;
}

/* Each name to the first line that defines it. */
static void index_names(GHashTable *lines, char **names, guint number)
{
	for (char **s = names; *s; s++)
		if (!g_hash_table_contains(lines, g_strstrip(*s)))
			g_hash_table_insert(lines, g_strdup(*s), GUINT_TO_POINTER(number));
}

/* Each host of LIST, behind PREFIX, to its first line. */
static void index_hosts(GHashTable *lines, const char *prefix, const char *list, guint number, gint64 *left)
{
	gint64 n = hostlist_count(list, NULL);
	GPtrArray *names = n >= 0 && n <= *left ? hostlist_expand(list, NULL) : NULL;

	if (!names)
		return;
	*left -= n;
	for (guint i = 0; i < names->len; i++) {
		char *key = g_strconcat(prefix, names->pdata[i], NULL);

		if (g_hash_table_contains(lines, key))
			g_free(key);
		else
			g_hash_table_insert(lines, key, GUINT_TO_POINTER(number));
	}
	g_ptr_array_unref(names);
}

/* The value of KEY on LINE; NULL. */
static const char *value_of(const struct conf_line *line, const char *key)
{
	for (guint i = 0; i < line->n_pairs; i++)
		if (g_ascii_strcasecmp(line->pair[i].key, key) == 0)
			return line->pair[i].value;
	return NULL;
}

static void index_gres(struct lint_files *f)
{
	gint64 left = NODE_NAMES_MAX;

	f->gres_lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < f->gres->len; i++) {
		const char *name = value_of(f->gres->pdata[i], "Name"),
		           *nodes = value_of(f->gres->pdata[i], "NodeName");
		char *prefix = name ? g_strconcat(name, nodes ? "\1" : "", NULL) : NULL;

		if (name && nodes)
			index_hosts(f->gres_lines, prefix, nodes, i + 1, &left);
		else if (name && !g_hash_table_contains(f->gres_lines, prefix))
			g_hash_table_insert(f->gres_lines, g_strdup(prefix), GUINT_TO_POINTER(i + 1));
		g_free(prefix);
	}
}

static void index_lines(struct lint_files *f)
{
	gint64 left = NODE_NAMES_MAX;

	f->node_lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	f->part_lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	f->node_defaults = g_array_new(FALSE, FALSE, sizeof(guint));
	f->part_defaults = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < f->conf->len; i++) {
		const struct conf_pair *p = &((const struct conf_line *)f->conf->pdata[i])->pair[0];

		bool node = g_ascii_strcasecmp(p->key, "NodeName") == 0,
		     part = g_ascii_strcasecmp(p->key, "PartitionName") == 0;
		guint number = i + 1;

		if ((node || part) && g_ascii_strcasecmp(p->value, "DEFAULT") == 0) {
			g_array_append_val(node ? f->node_defaults : f->part_defaults, number);
		} else if (node) {
			index_hosts(f->node_lines, "", p->value, number, &left);
		} else if (part) {
			char **names = g_strsplit(p->value, ",", -1);

			index_names(f->part_lines, names, number);
			g_strfreev(names);
		}
	}
}

static char **lower_lines(const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	for (char **s = lines; *s; s++) {
		char *low = g_ascii_strdown(g_strchug(*s), -1);

		g_free(*s);
		*s = low;
	}
	return lines;
}

struct lint_files *lint_files_read(const char *conf, const char *gres, const char *accounting,
                                   const GPtrArray *settings)
{
	struct lint_files *f = g_new0(struct lint_files, 1);
	char *text = accounting ? conflex_load(accounting, ACCT_FILE_MAX, NULL) : NULL;

	f->conf_name = g_strdup(conf);
	f->gres_name = g_strdup(gres);
	f->acct_name = g_strdup(accounting);
	f->conf = read_lines(conf);
	f->gres = read_lines(gres);
	f->acct = text ? lower_lines(text) : g_new0(char *, 1);
	f->settings = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; settings && i < settings->len; i++)
		g_ptr_array_add(f->settings, g_strdup(settings->pdata[i]));
	g_free(text);
	index_lines(f);
	index_gres(f);
	return f;
}

void lint_files_free(struct lint_files *f)
{
	if (!f)
		return;
	g_free(f->conf_name);
	g_free(f->gres_name);
	g_free(f->acct_name);
	g_ptr_array_unref(f->conf);
	g_ptr_array_unref(f->gres);
	g_ptr_array_unref(f->settings);
	g_hash_table_unref(f->node_lines);
	g_hash_table_unref(f->part_lines);
	g_hash_table_unref(f->gres_lines);
	g_array_unref(f->node_defaults);
	g_array_unref(f->part_defaults);
	g_strfreev(f->acct);
	g_free(f);
}

static const struct conf_line *line_at(const GPtrArray *lines, guint i)
{
	return g_ptr_array_index(lines, i);
}

/* ---- parameters ---- */

/* The last setting "KEY=...", or with TOKENS also "KEY.token...". */
static const char *setting(const struct lint_files *f, const char *key, bool tokens)
{
	size_t n = strlen(key);

	for (guint i = f->settings->len; i-- > 0;) {
		const char *s = f->settings->pdata[i];

		if (g_ascii_strncasecmp(s, key, n) == 0 && (s[n] == '=' || (tokens && s[n] == '.')))
			return s;
	}
	return NULL;
}

static const struct conf_pair *scalar(const struct lint_files *f, const char *key)
{
	for (guint i = f->conf->len; i-- > 0;)
		if (g_ascii_strcasecmp(line_at(f->conf, i)->pair[0].key, key) == 0)
			return &line_at(f->conf, i)->pair[0];
	return NULL;
}

const char *lint_value(const struct lint_files *f, const char *key)
{
	const char *s = setting(f, key, false);
	const struct conf_pair *p = scalar(f, key);

	if (s)
		return s[strlen(key) + 1] ? s + strlen(key) + 1 : NULL;
	return p ? p->value : NULL;
}

static struct lint_place conf_place(const struct lint_files *f)
{
	return (struct lint_place){f->conf_name ? f->conf_name : "slurm.conf", 0};
}

static struct lint_place pair_place(const struct lint_files *f, const struct conf_pair *p)
{
	return p ? (struct lint_place){p->file, p->line} : conf_place(f);
}

struct lint_place lint_at(const struct lint_files *f, const char *key)
{
	const char *s = setting(f, key, true);

	return s ? (struct lint_place){s, 0} : pair_place(f, scalar(f, key));
}

struct lint_place lint_at_list(const struct lint_files *f, const char *key)
{
	const char *s = setting(f, key, false);

	return s ? (struct lint_place){s, 0} : pair_place(f, scalar(f, key));
}

/* ---- lines of nodes and partitions ---- */

static const struct conf_pair *pair_of(const struct conf_line *line, const char *key)
{
	for (guint i = 1; key && i < line->n_pairs; i++)
		if (g_ascii_strcasecmp(line->pair[i].key, key) == 0)
			return &line->pair[i];
	return NULL;
}

/* The pair of KEY on the line of NAME that INDEX tells, else on the last of the DEFAULT lines before it; *LINE: that
 * line. */
static const struct conf_pair *named_pair(const struct lint_files *f, GHashTable *index, const GArray *defaults,
                                          const char *name, const char *key, const struct conf_line **line)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(index, name));
	const struct conf_pair *own;

	*line = number ? line_at(f->conf, number - 1) : NULL;
	own = *line ? pair_of(*line, key) : NULL;
	for (guint i = defaults->len; i-- > 0 && key && !own;) {
		guint at = g_array_index(defaults, guint, i);

		own = at < number ? pair_of(line_at(f->conf, at - 1), key) : NULL;
	}
	return own;
}

const struct conf_pair *lint_part_pair(const struct lint_files *f, const char *name, const char *key)
{
	const struct conf_line *line;

	return named_pair(f, f->part_lines, f->part_defaults, name, key, &line);
}

struct lint_place lint_at_part(const struct lint_files *f, const char *name, const char *key)
{
	const struct conf_line *line;
	const struct conf_pair *p = named_pair(f, f->part_lines, f->part_defaults, name, key, &line);

	return pair_place(f, p ? p : line ? &line->pair[0] : NULL);
}

struct lint_place lint_at_node(const struct lint_files *f, const char *name, const char *key)
{
	const struct conf_line *line;
	const struct conf_pair *p = named_pair(f, f->node_lines, f->node_defaults, name, key, &line);

	return pair_place(f, p ? p : line ? &line->pair[0] : NULL);
}

struct lint_place lint_at_gres(const struct lint_files *f, const char *node, const char *name)
{
	char *key = g_strdup_printf("%s\1%s", name, node);
	guint own = GPOINTER_TO_UINT(g_hash_table_lookup(f->gres_lines, key)),
	      all = GPOINTER_TO_UINT(g_hash_table_lookup(f->gres_lines, name)),
	      first = own && all ? MIN(own, all) : own + all;

	g_free(key);
	return first ? pair_place(f, &line_at(f->gres, first - 1)->pair[0]) : lint_at_node(f, node, "Gres");
}

/* ---- the accounting file ---- */

static bool word_char(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '-' || c == '.' || c == '/';
}

/* Does TEXT hold WORD, not as a part of a longer word? */
static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
		if ((p == text || !word_char(p[-1])) && !word_char(p[n]))
			return true;
	return false;
}

/* Is LINE (lower case) one that defines or changes NAME of KIND? */
static bool line_is_about(const char *line, const char *kind, const char *name)
{
	bool root = g_str_equal(kind, "account") && g_str_equal(name, "root");

	if (root && g_str_has_prefix(line, "cluster"))
		return true;
	if (!has_word(line, kind) || !has_word(line, name))
		return false;
	/* "add user x account=physics" is about the user, and Parent lines are about nobody */
	if (g_str_has_prefix(line, "parent"))
		return false;
	return !g_str_equal(kind, "account") || !has_word(line, "user");
}

struct lint_place lint_at_acct(const struct lint_files *f, const char *kind, const char *name, const char *key)
{
	struct lint_place at = {f->acct_name, 0};
	bool exact = false;

	if (!f->acct_name)
		return conf_place(f);
	for (guint i = 0; f->acct[i]; i++) {
		const char *line = f->acct[i];
		bool about = *line != '#' && line_is_about(line, kind, name), sets = key && strstr(line, key);

		if (about && (sets || at.line == 0) && (sets || !exact)) {
			at.line = i + 1;
			exact |= sets;
		}
	}
	return at;
}
