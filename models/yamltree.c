/* yamltree.c - see yamltree.h. */
#include "models/yamltree.h"
#include <stdbool.h>
#include <string.h>

struct yaml_line {
	guint number, indent;
	char *text; /* borrowed from the buffer; without indent, comment and trailing blanks */
};

struct yaml_reader {
	GArray *lines; /* of struct yaml_line */
	guint next;
	const char *name;
	struct diag *d;
	guint depth;
	bool failed;
};

void yaml_free(void *yaml)
{
	struct yaml *y = yaml;

	if (!y)
		return;
	g_free(y->key);
	g_free(y->text);
	if (y->kids)
		g_ptr_array_unref(y->kids);
	g_free(y);
}

const struct yaml *yaml_get(const struct yaml *map, const char *key)
{
	for (guint i = 0; map->type == YAML_MAP && i < map->kids->len; i++) {
		const struct yaml *y = map->kids->pdata[i];
		if (strcmp(y->key, key) == 0)
			return y;
	}
	return NULL;
}

static struct yaml *node_new(int type, guint line, guint column)
{
	struct yaml *y = g_new0(struct yaml, 1);

	y->type = type;
	y->line = line;
	y->column = column;
	if (type == YAML_SCALAR)
		y->text = g_strdup("");
	else
		y->kids = g_ptr_array_new_with_free_func(yaml_free);
	return y;
}

static void fail_at(struct yaml_reader *r, guint line, guint column, const char *hint, const char *text)
{
	if (!r->failed)
		diag_error(r->d, r->name, line, column, hint, "%s", text);
	r->failed = true;
}

/* ---- lines ---- */

/* Cut the comment: "#" at the beginning or after a blank, outside quotes. */
static void cut_comment(char *s)
{
	char quote = 0;

	for (char *p = s; *p; p++) {
		if (quote)
			quote = *p == quote ? 0 : quote;
		else if ((*p == '"' || *p == '\'') && (p == s || strchr(" :[,-", p[-1])))
			quote = *p;
		else if (*p == '#' && (p == s || p[-1] == ' ' || p[-1] == '\t'))
			*p = '\0';
		if (!*p)
			break;
	}
	g_strchomp(s);
}

static void split_lines(struct yaml_reader *r, char *buffer)
{
	guint number = 0;

	for (char *s = buffer, *end; s && !r->failed; s = end) {
		struct yaml_line l = {.number = ++number};

		end = strchr(s, '\n');
		if (end)
			*end++ = '\0';
		l.text = s + strspn(s, " ");
		l.indent = (guint)(l.text - s);
		cut_comment(l.text);
		if (!*l.text || (strcmp(l.text, "---") == 0 && r->lines->len == 0))
			continue;
		if (*l.text == '\t')
			fail_at(r, number, l.indent + 1, "indent with blanks", "a tab in the indentation");
		if (l.indent == 0 && (strcmp(l.text, "---") == 0 || strcmp(l.text, "...") == 0)) {
			if (strcmp(l.text, "---") == 0)
				fail_at(r, number, 1, "one document a file", "a second document");
			break;
		}
		if (r->lines->len >= YAML_LINES_MAX)
			fail_at(r, number, 1, NULL, "too many lines");
		g_array_append_val(r->lines, l);
	}
}

/* ---- scalars ---- */

static char *unquote(struct yaml_reader *r, const char *text, guint line, guint column)
{
	gsize n = strlen(text);

	if (*text != '"' && *text != '\'') {
		if (strchr("{&*!|>%@`", *text) && *text)
			fail_at(r, line, column, "a plain or quoted word, a list in [], or indented lines",
			        "this form of YAML is not read");
		return g_strdup(text);
	}
	if (n < 2 || text[n - 1] != *text || memchr(text + 1, *text, n - 2) || memchr(text, '\\', n))
		fail_at(r, line, column, "close the quote on the same line", "bad quoted text");
	return n < 2 ? g_strdup("") : g_strndup(text + 1, n - 2);
}

static struct yaml *flow_sequence(struct yaml_reader *r, char *text, guint line, guint column)
{
	struct yaml *y = node_new(YAML_SEQ, line, column);
	gsize n = strlen(text);

	if (text[n - 1] != ']' || strpbrk(text + 1, "[{") || strchr(text, ']') != text + n - 1) {
		fail_at(r, line, column, "such as [4, 16], on one line", "a bad list in brackets");
		return y;
	}
	text[n - 1] = '\0';
	char **items = g_strsplit(text + 1, ",", -1);
	for (char **s = items; *s; s++) {
		struct yaml *item = node_new(YAML_SCALAR, line, column);
		g_free(item->text);
		item->text = unquote(r, g_strstrip(*s), line, column);
		g_ptr_array_add(y->kids, item);
	}
	g_strfreev(items);
	return y;
}

static struct yaml *value(struct yaml_reader *r, char *text, guint line, guint column)
{
	if (*text == '[')
		return flow_sequence(r, text, line, column);
	struct yaml *y = node_new(YAML_SCALAR, line, column);
	g_free(y->text);
	y->text = unquote(r, text, line, column);
	return y;
}

/* ---- blocks ---- */

static struct yaml_line *line_at(struct yaml_reader *r)
{
	return r->next < r->lines->len && !r->failed ? &g_array_index(r->lines, struct yaml_line, r->next) : NULL;
}

static bool is_item(const struct yaml_line *l)
{
	return l->text[0] == '-' && (l->text[1] == ' ' || l->text[1] == '\0');
}

/* The ":" that ends the key of a line; NULL: the line is no member of a map. */
static char *key_end(const struct yaml_line *l)
{
	for (char *p = l->text; *p; p++)
		if (*p == ':' && (p[1] == ' ' || p[1] == '\0'))
			return p;
	return NULL;
}

static struct yaml *block(struct yaml_reader *r, guint indent);

static struct yaml *nested(struct yaml_reader *r, guint indent)
{
	struct yaml *y = NULL;

	if (++r->depth > YAML_DEPTH_MAX)
		fail_at(r, line_at(r) ? line_at(r)->number : 0, 0, NULL, "nested too deeply");
	else
		y = block(r, indent);
	r->depth--;
	return y ? y : node_new(YAML_SCALAR, 0, 0);
}

static struct yaml *sequence(struct yaml_reader *r, guint indent)
{
	struct yaml_line *l = line_at(r);
	struct yaml *y = node_new(YAML_SEQ, l->number, l->indent + 1);

	for (; (l = line_at(r)) && l->indent == indent && is_item(l);) {
		guint skip = 1 + (guint)strspn(l->text + 1, " ");

		if (l->text[skip]) { /* what follows the dash is a line of its own, further in */
			l->text += skip;
			l->indent += skip;
			g_ptr_array_add(y->kids, nested(r, l->indent));
			continue;
		}
		r->next++;
		const struct yaml_line *n = line_at(r);
		g_ptr_array_add(y->kids, n && n->indent > indent ? nested(r, n->indent)
		                                                 : node_new(YAML_SCALAR, l->number, indent + 1));
	}
	return y;
}

static struct yaml *member(struct yaml_reader *r, struct yaml_line *l, guint indent)
{
	char *end = key_end(l), *rest = end + 1 + strspn(end + 1, " ");
	guint line = l->number, column = l->indent + 1, value_column = column + (guint)(rest - l->text);
	char *key;
	struct yaml *y;

	*end = '\0';
	key = unquote(r, l->text, line, column);
	r->next++;
	const struct yaml_line *n = line_at(r);
	if (*rest)
		y = value(r, rest, line, value_column);
	else if (n && (n->indent > indent || (n->indent == indent && is_item(n))))
		y = nested(r, n->indent);
	else
		y = node_new(YAML_SCALAR, line, column);
	y->key = key;
	y->key_line = line;
	y->key_column = column;
	return y;
}

static struct yaml *map(struct yaml_reader *r, guint indent)
{
	struct yaml_line *l = line_at(r);
	struct yaml *y = node_new(YAML_MAP, l->number, l->indent + 1);

	while ((l = line_at(r)) && l->indent == indent && !is_item(l)) {
		if (!key_end(l)) {
			fail_at(r, l->number, l->indent + 1, "write key: value", "a line that is no member of a map");
			break;
		}
		struct yaml *m = member(r, l, indent);
		if (yaml_get(y, m->key))
			fail_at(r, l->number, l->indent + 1, "give it once", "the key stands twice");
		g_ptr_array_add(y->kids, m);
	}
	return y;
}

static struct yaml *block(struct yaml_reader *r, guint indent)
{
	struct yaml_line *l = line_at(r);
	struct yaml *y;

	if (!l)
		return NULL;
	if (is_item(l)) {
		y = sequence(r, indent);
	} else if (key_end(l)) {
		y = map(r, indent);
	} else {
		y = value(r, l->text, l->number, l->indent + 1);
		r->next++;
	}
	l = line_at(r);
	if (l && l->indent > indent)
		fail_at(r, l->number, l->indent + 1, "align it with the lines before", "unexpected indentation");
	return y;
}

struct yaml *yaml_parse(const char *text, const char *name, struct diag *d)
{
	struct yaml_reader r = {.name = name, .d = d};
	char *buffer = g_strdup(text);
	struct yaml *y = NULL;

	r.lines = g_array_new(FALSE, FALSE, sizeof(struct yaml_line));
	split_lines(&r, buffer);
	if (r.lines->len)
		y = block(&r, g_array_index(r.lines, struct yaml_line, 0).indent);
	else
		fail_at(&r, 1, 1, NULL, "the file is empty");
	if (line_at(&r))
		fail_at(&r, line_at(&r)->number, line_at(&r)->indent + 1, "align it with the first line",
		        "unexpected indentation");
	g_array_unref(r.lines);
	g_free(buffer);
	if (!r.failed)
		return y;
	yaml_free(y);
	return NULL;
}
