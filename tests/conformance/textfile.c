/* textfile.c - see textfile.h. */
#include "tests/conformance/textfile.h"
#include <csv.h>
#include <gio/gio.h>
#include <stdbool.h>
#include <string.h>

/* Everything that STREAM gives. */
static char *read_all(GInputStream *stream, GError **error)
{
	GString *text = g_string_new(NULL);
	char buffer[65536];
	gssize n;
	while ((n = g_input_stream_read(stream, buffer, sizeof buffer, NULL, error)) > 0)
		g_string_append_len(text, buffer, n);
	return g_string_free(text, n < 0);
}

static char *read_gzip(const char *path, GError **error)
{
	GFile *file = g_file_new_for_path(path);
	GFileInputStream *raw = g_file_read(file, NULL, error);
	g_object_unref(file);
	if (!raw)
		return NULL;
	GZlibDecompressor *unzip = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
	GInputStream *stream = g_converter_input_stream_new(G_INPUT_STREAM(raw), G_CONVERTER(unzip));
	char *text = read_all(stream, error);
	if (!text)
		g_prefix_error(error, "%s: ", path);
	g_object_unref(stream);
	g_object_unref(unzip);
	g_object_unref(raw);
	return text;
}

char *textfile_read(const char *dir, const char *name, GError **error)
{
	char *path = g_build_filename(dir, name, NULL), *zipped = g_strconcat(path, ".gz", NULL), *text = NULL;
	if (g_file_test(zipped, G_FILE_TEST_EXISTS))
		text = read_gzip(zipped, error);
	else
		g_file_get_contents(path, &text, NULL, error);
	g_free(path);
	g_free(zipped);
	return text;
}

/* libcsv's callbacks: the row that is being read. */
struct reading {
	struct table *table;
	GPtrArray *row;
};

static void take_field(void *text, size_t length, void *data)
{
	struct reading *r = data;
	g_ptr_array_add(r->row, g_strndup(text, length));
}

static void take_row(int ending, void *data)
{
	(void)ending;
	struct reading *r = data;
	struct table *t = r->table;
	guint want = t->column ? g_strv_length(t->column) : r->row->len;
	while (r->row->len < want)
		g_ptr_array_add(r->row, g_strdup(""));
	g_ptr_array_add(r->row, NULL);
	char **row = (char **)g_ptr_array_free(r->row, FALSE);
	if (t->column)
		g_ptr_array_add(t->rows, row);
	else
		t->column = row;
	r->row = g_ptr_array_new();
}

static void free_row(void *row)
{
	g_strfreev(row);
}

struct table *table_parse(const char *text, gsize length, GError **error)
{
	struct table *t = g_new0(struct table, 1);
	t->rows = g_ptr_array_new_with_free_func(free_row);
	struct reading r = {.table = t, .row = g_ptr_array_new()};
	struct csv_parser parser;
	bool good = csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) == 0;
	if (good) {
		good = csv_parse(&parser, text, length, take_field, take_row, &r) == length &&
		       csv_fini(&parser, take_field, take_row, &r) == 0;
		if (!good)
			g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "bad CSV in row %u: %s",
			            t->rows->len + 2, csv_strerror(csv_error(&parser)));
		csv_free(&parser);
	}
	if (good && !t->column) {
		g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "CSV without a header");
		good = false;
	}
	g_ptr_array_set_free_func(r.row, g_free);
	g_ptr_array_unref(r.row);
	if (!good) {
		table_free(t);
		return NULL;
	}
	return t;
}

struct table *table_read(const char *dir, const char *name, GError **error)
{
	char *text = textfile_read(dir, name, error);
	if (!text)
		return NULL;
	struct table *t = table_parse(text, strlen(text), error);
	if (!t)
		g_prefix_error(error, "%s/%s: ", dir, name);
	g_free(text);
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	g_strfreev(t->column);
	g_ptr_array_unref(t->rows);
	g_free(t);
}

const char *table_get(const struct table *t, guint row, const char *column)
{
	char **fields = g_ptr_array_index(t->rows, row);
	for (guint i = 0; t->column[i]; i++)
		if (strcmp(t->column[i], column) == 0)
			return fields[i];
	return "";
}

cJSON *json_read(const char *dir, const char *name, GError **error)
{
	char *text = textfile_read(dir, name, error);
	if (!text)
		return NULL;
	cJSON *value = cJSON_Parse(text);
	if (!value)
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s/%s: no JSON", dir, name);
	g_free(text);
	return value;
}

static void free_json(void *value)
{
	cJSON_Delete(value);
}

GPtrArray *json_lines_read(const char *dir, const char *name, GError **error)
{
	char *text = textfile_read(dir, name, error);
	if (!text)
		return NULL;
	GPtrArray *values = g_ptr_array_new_with_free_func(free_json);
	char **lines = g_strsplit(text, "\n", -1);
	g_free(text);
	for (guint i = 0; lines[i] && values; i++) {
		if (!*lines[i])
			continue;
		cJSON *value = cJSON_Parse(lines[i]);
		if (value) {
			g_ptr_array_add(values, value);
			continue;
		}
		g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s/%s:%u: no JSON", dir, name, i + 1);
		g_ptr_array_unref(values);
		values = NULL;
	}
	g_strfreev(lines);
	return values;
}

const char *json_text(const cJSON *o, const char *name)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, name));
	return text ? text : "";
}

double json_number(const cJSON *o, const char *name, double otherwise)
{
	const cJSON *n = cJSON_GetObjectItemCaseSensitive(o, name);
	return cJSON_IsNumber(n) ? n->valuedouble : otherwise;
}
