/* compare_conf.c - see compare.h: what differs in configuration and inputs, from tables conf, input, setting and meta
 * of two run.dbs. */
#include "tools/compare.h"
#include <sqlite3.h>
#include <string.h>

static void change_free(void *data)
{
	struct conf_change *c = data;

	g_free(c->file);
	g_free(c->head);
	g_free(c->a);
	g_free(c->b);
	g_free(c);
}

/* Rows "file\nline" of a query with two columns, in order. A table that is not there has none. */
static GPtrArray *rows_of(struct sqlite3 *db, const char *sql)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	sqlite3_stmt *q = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK)
		while (sqlite3_step(q) == SQLITE_ROW) {
			const char *file = (const char *)sqlite3_column_text(q, 0),
			           *line = (const char *)sqlite3_column_text(q, 1);
			g_ptr_array_add(list, g_strdup_printf("%s\n%s", file ? file : "", line ? line : ""));
		}
	sqlite3_finalize(q);
	return list;
}

static void drop_common(GPtrArray *a, GPtrArray *b)
{
	for (guint i = a->len; i-- > 0;)
		for (guint k = 0; k < b->len; k++)
			if (strcmp(a->pdata[i], b->pdata[k]) == 0) {
				g_ptr_array_remove_index(a, i);
				g_ptr_array_remove_index(b, k);
				break;
			}
}

/* What a line is about: "PriorityWeightAge", "PartitionName=gpu", "User - 'ann'". */
static gsize head_length(const char *line)
{
	gsize word = strcspn(line, " "), key = strcspn(line, "=");

	if (line[word] && word > key) /* NodeName=... with more behind it */
		return word;
	return strcspn(line, key < strlen(line) && line[word] == '\0' ? "=" : ":");
}

static const char *separator(const char *line)
{
	gsize word = strcspn(line, " ");

	if (line[word] == '\0')
		return ",";
	return strcspn(line, "=") < word ? " " : ":";
}

/* The parts of LINE behind its head that OTHER does not have. g_free. */
static char *only_in(const char *line, const char *other)
{
	const char *sep = separator(line);
	gsize head = head_length(line);
	char **mine = g_strsplit(line[head] ? line + head + 1 : "", sep, -1);
	char **theirs = g_strsplit(other && other[head_length(other)] ? other + head_length(other) + 1 : "", sep, -1);
	GString *out = g_string_new(NULL);

	for (char **m = mine; *m; m++)
		if (**m && !g_strv_contains((const char *const *)theirs, *m)) {
			if (out->len)
				g_string_append_c(out, *sep);
			g_string_append(out, *m);
		}
	g_strfreev(mine);
	g_strfreev(theirs);
	return g_string_free(out, FALSE);
}

static bool same_head(const char *a, const char *b)
{
	gsize file = strcspn(a, "\n") + 1, n;

	if (strncmp(a, b, file) != 0)
		return false;
	n = head_length(a + file);
	return n == head_length(b + file) && strncmp(a + file, b + file, n) == 0;
}

static void add_change(GPtrArray *out, const char *a, const char *b)
{
	const char *any = a ? a : b;
	gsize file = strcspn(any, "\n");
	const char *line = any + file + 1;
	struct conf_change *c = g_new0(struct conf_change, 1);

	c->file = g_strndup(any, file);
	c->head = g_strndup(line, head_length(line));
	c->a = a ? only_in(a + file + 1, b ? b + file + 1 : NULL) : NULL;
	c->b = b ? only_in(b + file + 1, a ? a + file + 1 : NULL) : NULL;
	g_ptr_array_add(out, c);
}

static void pair_lines(GPtrArray *out, GPtrArray *a, GPtrArray *b)
{
	drop_common(a, b);
	for (guint i = 0; i < a->len; i++) {
		const char *other = NULL;
		guint at = 0;
		for (guint k = 0; k < b->len && !other; k++)
			if (same_head(a->pdata[i], b->pdata[k])) {
				other = b->pdata[k];
				at = k;
			}
		add_change(out, a->pdata[i], other);
		if (other)
			g_ptr_array_remove_index(b, at);
	}
	for (guint k = 0; k < b->len; k++)
		add_change(out, NULL, b->pdata[k]);
	g_ptr_array_unref(a);
	g_ptr_array_unref(b);
}

static bool has_conf(struct sqlite3 *db)
{
	GPtrArray *rows = rows_of(db, "SELECT file, line FROM conf LIMIT 1");
	bool has = rows->len > 0;

	g_ptr_array_unref(rows);
	return has;
}

GPtrArray *compare_conf(struct sqlite3 *a, struct sqlite3 *b)
{
	static const char lines[] = "SELECT file, line FROM conf ORDER BY rowid";
	static const char meta[] =
	    "SELECT 'run', key || '=' || value FROM meta WHERE key IN ('slurm_version', 'clock', 'seed', "
	    "'controller_cost', 'placement_model') ORDER BY key";
	/* of the configuration only where its lines are not recorded: then all that is known is that the bytes differ
	 */
	static const char inputs[] =
	    "SELECT 'input', role || '=' || name || ', ' || bytes || ' bytes, sha256 ' || substr(sha256, 1, 12) "
	    "FROM input WHERE role NOT IN ('conf', 'gres', 'accounting', 'topology', 'scenario') ORDER BY rowid";
	static const char all[] =
	    "SELECT 'input', role || '=' || name || ', ' || bytes || ' bytes, sha256 ' || substr(sha256, 1, 12) "
	    "FROM input ORDER BY rowid";
	static const char reading[] =
	    "SELECT 'setting', key || '=' || value FROM setting WHERE key IN ('until', 'max_jobs', "
	    "'swf_whole_nodes', 'raise_limits') ORDER BY rowid";
	static const char settings[] = "SELECT 'setting', key || '=' || value FROM setting ORDER BY rowid";
	GPtrArray *out = g_ptr_array_new_with_free_func(change_free);
	bool known = has_conf(a) && has_conf(b);

	if (known)
		pair_lines(out, rows_of(a, lines), rows_of(b, lines));
	pair_lines(out, rows_of(a, meta), rows_of(b, meta));
	pair_lines(out, rows_of(a, known ? inputs : all), rows_of(b, known ? inputs : all));
	pair_lines(out, rows_of(a, known ? reading : settings), rows_of(b, known ? reading : settings));
	return out;
}
