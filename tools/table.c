/* table.c - see table.h */
#include "tools/table.h"
#include "tools/cells.h"
#include <stdlib.h>
#include <string.h>

static struct table *table_new(const char *before)
{
	struct table *t = g_new0(struct table, 1);
	struct table_cell first = {-1, 0, false, g_strdup(before), before ? strlen(before) : 0};

	t->cells = g_array_new(FALSE, FALSE, sizeof(struct table_cell));
	t->line = g_string_new(NULL);
	t->unknown = g_ptr_array_new_with_free_func(g_free);
	if (before && *before)
		g_array_append_val(t->cells, first);
	else
		g_free(first.suffix);
	return t;
}

void table_drop(struct table *t)
{
	if (!t)
		return;
	for (guint i = 0; i < t->cells->len; i++)
		g_free(g_array_index(t->cells, struct table_cell, i).suffix);
	g_array_unref(t->cells);
	g_ptr_array_unref(t->unknown);
	g_string_free(t->line, TRUE);
	g_free(t);
}

static void add(struct table *t, int field, int width, bool right, const char *suffix, size_t n)
{
	struct table_cell c = {field, width, right, g_strndup(suffix, n), n};

	g_array_append_val(t->cells, c);
}

static int by_letter(const struct table_field *fields, guint n, char letter)
{
	for (guint i = 0; i < n && letter; i++)
		if (fields[i].letter == letter)
			return (int)i;
	return -1;
}

static bool is_name(const char *names, const char *text, size_t n)
{
	for (const char *p = names; p && *p; p += *p == '|') {
		size_t len = strcspn(p, "|");
		if (len == n && g_ascii_strncasecmp(p, text, n) == 0)
			return true;
		p += len;
	}
	return false;
}

static int by_name(const struct table_field *fields, guint n, const char *text, size_t len)
{
	for (guint i = 0; i < n; i++)
		if (is_name(fields[i].name, text, len))
			return (int)i;
	return -1;
}

/* All letters, small ones first, as wide as their texts. */
static struct table *all_letters(const struct table_field *fields, guint n)
{
	struct table *t = table_new(NULL);

	for (int pass = 0; pass < 2; pass++)
		for (char c = pass ? 'A' : 'a'; c <= (pass ? 'Z' : 'z'); c++) {
			int field = by_letter(fields, n, c);
			if (field >= 0)
				add(t, field, 0, false, "|", 1);
		}
	if (t->cells->len) {
		struct table_cell *last = &g_array_index(t->cells, struct table_cell, t->cells->len - 1);
		last->suffix[0] = '\0';
		last->suffix_length = 0;
	}
	return t;
}

struct table *table_short(const struct table_field *fields, guint n, const char *format)
{
	if (g_ascii_strcasecmp(format, "%all") == 0)
		return all_letters(fields, n);
	size_t plain = strcspn(format, "%");
	char *before = g_strndup(format, plain);
	struct table *t = table_new(before);
	const char *p = format + plain;

	g_free(before);
	while (*p == '%') {
		const char *start = p++;
		bool right = *p == '.';
		char *end;
		int width = (int)MIN(strtoul(p + right, &end, 10), 4096);
		int field = by_letter(fields, n, *end);
		p = *end ? end + 1 : end;
		size_t len = strcspn(p, "%");
		if (field >= 0) {
			add(t, field, width, right, p, len);
		} else {
			if (*end)
				g_ptr_array_add(t->unknown, g_strndup(end, 1));
			else
				g_ptr_array_add(t->unknown, g_strdup(""));
			add(t, -1, 0, false, start, (size_t)(p - start) + len);
		}
		p += len;
	}
	return t;
}

struct table *table_long(const struct table_field *fields, guint n, const char *format)
{
	struct table *t = table_new(NULL);

	for (const char *p = format; *p; p += *p == ',') {
		size_t len = strcspn(p, ","), name = strcspn(p, ":,");
		const char *end = p + len, *q = p + name;
		int width = 20, field = by_name(fields, n, p, name);
		bool right = false;

		if (*q == ':') {
			char *after;
			q++;
			right = *q == '.';
			q += right || *q == '+';
			unsigned long w = strtoul(q, &after, 10);
			width = after > q ? (int)MIN(w, 4096) : 20;
			q = after;
		}
		if (field >= 0)
			add(t, field, width, right, q, q < end ? (size_t)(end - q) : 0);
		else
			g_ptr_array_add(t->unknown, g_strndup(p, name));
		p = end;
	}
	return t;
}

bool table_has(const struct table *t, int field)
{
	for (guint i = 0; i < t->cells->len; i++)
		if (g_array_index(t->cells, struct table_cell, i).field == field)
			return true;
	return false;
}

void table_complain(const struct table *t, const char *command, const char *what)
{
	for (guint i = 0; i < t->unknown->len; i++)
		fprintf(stderr, "%s%s%s: %s\n", command ? command : "", command ? ": error: " : "", what,
		        (const char *)t->unknown->pdata[i]);
}

void table_header(FILE *out, const struct table *t, const struct table_field *fields)
{
	GString *line = g_string_new(NULL);

	for (guint i = 0; i < t->cells->len; i++) {
		const struct table_cell *c = &g_array_index(t->cells, struct table_cell, i);
		if (c->field >= 0)
			cell_put(line, (size_t)c->width, c->right, fields[c->field].whole_header,
			         fields[c->field].header, strlen(fields[c->field].header));
		g_string_append(line, c->suffix);
	}
	fprintf(out, "%s\n", line->str);
	g_string_free(line, TRUE);
}

void table_line(const struct table *t, const struct table_field *fields, table_text_fn *text, table_borrow_fn *borrow,
                void *data)
{
	const struct table_cell *c = (const void *)t->cells->data, *end = c + t->cells->len;
	char buffer[TABLE_BUFFER];

	for (; c < end; c++) {
		if (c->field >= 0) {
			struct table_text shown = borrow ? borrow(data, c->field, buffer) : (struct table_text){0};
			char *value = shown.text ? NULL : text(data, c->field);

			if (!shown.text)
				shown = value ? (struct table_text){value, strlen(value)} : (struct table_text){"", 0};
			/* node lists are never cut, reasons in their place are */
			bool whole = fields[c->field].whole && (shown.text[0] != '(' || strcmp(shown.text, "(null)") == 0);
			cell_put(t->line, (size_t)c->width, c->right, whole, shown.text, shown.length);
			g_free(value);
		}
		cell_put(t->line, 0, false, true, c->suffix, c->suffix_length);
	}
	cell_put(t->line, 0, false, true, "\n", 1);
}

void table_flush(FILE *out, const struct table *t)
{
	fwrite(t->line->str, 1, t->line->len, out);
	g_string_truncate(t->line, 0);
}

void table_row(FILE *out, const struct table *t, const struct table_field *fields, table_text_fn *text, void *data)
{
	table_line(t, fields, text, NULL, data);
	table_flush(out, t);
}
