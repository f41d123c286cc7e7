/* Lines of plain and gzip files, ended in every way, long ones, and damaged gzip. */
#include "tests/unit/trace_helper.h"
#include "traces/lines.h"
#include <gio/gio.h>

static GString *gzip(const char *text, gsize length)
{
	GConverter *c = G_CONVERTER(g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6));
	GString *out = g_string_new(NULL);
	gsize used = 0;
	for (GConverterResult result = G_CONVERTER_CONVERTED; result != G_CONVERTER_FINISHED;) {
		char buffer[4096];
		gsize in, made;
		result = g_converter_convert(c, text + used, length - used, buffer, sizeof buffer,
		                             G_CONVERTER_INPUT_AT_END, &in, &made, NULL);
		assert_true(result != G_CONVERTER_ERROR);
		used += in;
		g_string_append_len(out, buffer, (gssize)made);
	}
	g_object_unref(c);
	return out;
}

/* All lines, each shown in < >, "!" for a failure. g_free. */
static char *shown(const char *bytes, gsize length)
{
	char *path = file_with(bytes, (gssize)length), *text;
	struct lines *l = lines_open(path, NULL);
	assert_non_null(l);
	GString *out = g_string_new(NULL);
	size_t n;
	enum lines_result result;
	while ((result = lines_next(l, &text, &n, NULL)) == LINES_OK) {
		g_string_append_c(out, '<');
		g_string_append_len(out, text, (gssize)n);
		g_string_append_c(out, '>');
	}
	if (result != LINES_END)
		g_string_append_c(out, '!');
	lines_close(l);
	file_drop(path);
	return g_string_free(out, FALSE);
}

static void assert_shown(const char *bytes, gsize length, const char *right)
{
	char *text = shown(bytes, length);
	assert_string_equal(text, right);
	g_free(text);
}

static const struct {
	const char *text, *right;
} endings[] = {
    {"", ""},
    {"a", "<a>"},
    {"a\n", "<a>"},
    {"a\nb", "<a><b>"},
    {"a\r\nb\r\n", "<a><b>"},
    {"\n\na\n", "<><><a>"},
    {"\xef\xbb\xbfx\n", "<x>"},
    {"\xff\xfe\x80\n", "<\xff\xfe\x80>"},
    {"a\rb\n", "<a\rb>"},
};

static void test_endings(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
		assert_shown(endings[i].text, strlen(endings[i].text), endings[i].right);
		GString *packed = gzip(endings[i].text, strlen(endings[i].text));
		assert_shown(packed->str, packed->len, endings[i].right);
		g_string_free(packed, TRUE);
	}
}

static void test_nul_bytes_stay(void **state)
{
	(void)state;
	char *path = file_with("a\0b\n", 4), *text;
	size_t n;
	struct lines *l = lines_open(path, NULL);
	assert_int_equal(lines_next(l, &text, &n, NULL), LINES_OK);
	assert_int_equal(n, 3);
	assert_memory_equal(text, "a\0b", 4);
	assert_int_equal(lines_number(l), 1);
	lines_close(l);
	file_drop(path);
}

static void test_members_join(void **state)
{
	(void)state;
	GString *a = gzip("one\ntw", 6), *b = gzip("o\nthree", 7);
	g_string_append_len(a, b->str, (gssize)b->len);
	assert_shown(a->str, a->len, "<one><two><three>");
	g_string_append_len(a, "\0\0\0\0", 4); /* padding */
	assert_shown(a->str, a->len, "<one><two><three>");
	g_string_append(a, "rubbish");
	assert_shown(a->str, a->len, "<one><two>!");
	g_string_free(a, TRUE);
	g_string_free(b, TRUE);
}

static void test_damaged_gzip(void **state)
{
	(void)state;
	GString *text = g_string_new(NULL);
	for (int i = 0; i < 20000; i++)
		g_string_append_printf(text, "line %d\n", i * 7919);
	GString *packed = gzip(text->str, text->len);
	for (gsize cut = 2; cut < packed->len; cut += packed->len / 40) {
		char *lines = shown(packed->str, cut);
		assert_true(g_str_has_suffix(lines, "!"));
		g_free(lines);
	}
	packed->str[packed->len / 2] ^= 0x55;
	char *lines = shown(packed->str, packed->len);
	assert_true(g_str_has_suffix(lines, "!"));
	g_free(lines);
	g_string_free(packed, TRUE);
	g_string_free(text, TRUE);
}

static void test_long_line(void **state)
{
	(void)state;
	GString *text = g_string_new("first\n");
	for (int i = 0; i < LINES_MAX + 10; i++)
		g_string_append_c(text, 'x');
	g_string_append(text, "\nlast\n");
	char *path = file_with(text->str, (gssize)text->len), *line;
	size_t n;
	struct lines *l = lines_open(path, NULL);
	assert_int_equal(lines_next(l, &line, &n, NULL), LINES_OK);
	assert_int_equal(lines_next(l, &line, &n, NULL), LINES_TOO_LONG);
	assert_int_equal(n, LINES_MAX);
	assert_int_equal(lines_next(l, &line, &n, NULL), LINES_OK);
	assert_string_equal(line, "last");
	assert_int_equal(lines_number(l), 3);
	assert_int_equal(lines_next(l, &line, &n, NULL), LINES_END);
	lines_close(l);
	file_drop(path);
	g_string_free(text, TRUE);
}

static void test_cannot_open(void **state)
{
	(void)state;
	GError *error = NULL;
	assert_null(lines_open("/nonexistent/file", &error));
	assert_non_null(strstr(error->message, "/nonexistent/file: cannot be opened"));
	g_clear_error(&error);
	assert_null(lines_open("/", &error));
	assert_non_null(error);
	g_clear_error(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_endings),      cmocka_unit_test(test_nul_bytes_stay),
	    cmocka_unit_test(test_members_join), cmocka_unit_test(test_damaged_gzip),
	    cmocka_unit_test(test_long_line),    cmocka_unit_test(test_cannot_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
