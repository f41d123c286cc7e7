/* lines.c - see lines.h. Bytes flow file -> raw -> (inflate) -> text -> line; each buffer has a fixed size. */
#include "traces/lines.h"
#include <errno.h>
#include <gio/gio.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 65536 };

struct buffer {
	char bytes[BUFFER];
	size_t begin, end; /* what is not yet used */
};

struct lines {
	char *path;
	FILE *file;
	GConverter *inflate; /* NULL: plain text */
	bool end_of_file;    /* no more bytes in FILE */
	bool member_ended;   /* inflate: between two gzip members */
	struct buffer raw;   /* gzip only */
	struct buffer text;
	GString *line;
	uint64_t number;
};

static bool fill_from_file(struct lines *l, struct buffer *b, GError **error)
{
	memmove(b->bytes, b->bytes + b->begin, b->end - b->begin);
	b->end -= b->begin;
	b->begin = 0;
	if (l->end_of_file || b->end == BUFFER)
		return true;
	errno = 0;
	size_t n = fread(b->bytes + b->end, 1, BUFFER - b->end, l->file);
	b->end += n;
	if (n == 0) {
		if (ferror(l->file)) {
			g_set_error(error, LINES_ERROR, 0, "%s: cannot be read: %s", l->path, g_strerror(errno));
			return false;
		}
		l->end_of_file = true;
	}
	return true;
}

/* Between members: another one, the padding of zeros that tapes leave, or rubbish. */
static bool next_member(struct lines *l, bool *more, GError **error)
{
	struct buffer *raw = &l->raw;
	*more = false;
	do {
		while (raw->begin < raw->end && raw->bytes[raw->begin] == 0)
			raw->begin++;
		if (raw->end - raw->begin < 2 && !fill_from_file(l, raw, error))
			return false;
	} while (!l->end_of_file && raw->end - raw->begin < 2);
	if (raw->begin == raw->end || (raw->end - raw->begin == 1 && raw->bytes[raw->begin] == 0))
		return true;
	if (raw->end - raw->begin < 2 || memcmp(raw->bytes + raw->begin, "\x1f\x8b", 2) != 0) {
		g_set_error(error, LINES_ERROR, 0, "%s: bytes that are not gzip follow the gzip data", l->path);
		return false;
	}
	g_converter_reset(l->inflate);
	l->member_ended = false;
	*more = true;
	return true;
}

/* One call of the converter into the empty text buffer. */
static bool inflate_some(struct lines *l, GError **error)
{
	struct buffer *raw = &l->raw;
	gsize used = 0, made = 0;
	GError *problem = NULL;
	GConverterResult result =
	    g_converter_convert(l->inflate, raw->bytes + raw->begin, raw->end - raw->begin, l->text.bytes, BUFFER,
	                        l->end_of_file ? G_CONVERTER_INPUT_AT_END : 0, &used, &made, &problem);
	if (result == G_CONVERTER_ERROR) {
		bool wants_more = g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT) && !l->end_of_file;
		if (wants_more) {
			g_error_free(problem);
			return true;
		}
		g_set_error(error, LINES_ERROR, 0, "%s: damaged gzip after line %" G_GUINT64_FORMAT ": %s", l->path,
		            l->number, problem->message);
		g_error_free(problem);
		return false;
	}
	raw->begin += used;
	l->text.end = made;
	l->member_ended = result == G_CONVERTER_FINISHED;
	return true;
}

/* Refill the empty text buffer; still empty afterwards = the end. */
static bool fill_text(struct lines *l, GError **error)
{
	l->text.begin = l->text.end = 0;
	if (!l->inflate)
		return fill_from_file(l, &l->text, error);
	while (l->text.end == 0) {
		if (l->member_ended) {
			bool more;
			if (!next_member(l, &more, error))
				return false;
			if (!more)
				return true;
		}
		if (!inflate_some(l, error))
			return false;
		if (l->text.end == 0 && !l->member_ended && !fill_from_file(l, &l->raw, error))
			return false;
	}
	return true;
}

struct lines *lines_open(const char *path, GError **error)
{
	FILE *file = fopen(path, "rb");
	if (!file) {
		g_set_error(error, LINES_ERROR, 0, "%s: cannot be opened: %s", path, g_strerror(errno));
		return NULL;
	}
	struct lines *l = g_new0(struct lines, 1);
	l->path = g_strdup(path);
	l->file = file;
	l->line = g_string_new(NULL);
	if (!fill_from_file(l, &l->raw, error)) {
		lines_close(l);
		return NULL;
	}
	if (l->raw.end >= 2 && memcmp(l->raw.bytes, "\x1f\x8b", 2) == 0) {
		l->inflate = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
	} else {
		l->text = l->raw;
		l->raw.end = 0;
	}
	return l;
}

/* Append text to the line up to its end; what goes beyond LINES_MAX is dropped. */
static enum lines_result collect(struct lines *l, GError **error)
{
	bool too_long = false, any = false;
	for (;;) {
		struct buffer *t = &l->text;
		if (t->begin == t->end) {
			if (!fill_text(l, error))
				return LINES_FAILED;
			if (t->begin == t->end)
				break;
		}
		any = true;
		char *from = t->bytes + t->begin;
		char *newline = memchr(from, '\n', t->end - t->begin);
		size_t n = newline ? (size_t)(newline - from) : t->end - t->begin;
		size_t room = LINES_MAX - l->line->len;
		too_long |= n > room;
		g_string_append_len(l->line, from, (gssize)MIN(n, room));
		t->begin += n + (newline ? 1 : 0);
		if (newline)
			break;
	}
	if (!any)
		return LINES_END;
	return too_long ? LINES_TOO_LONG : LINES_OK;
}

enum lines_result lines_next(struct lines *l, char **text, size_t *length, GError **error)
{
	g_string_truncate(l->line, 0);
	enum lines_result result = collect(l, error);
	if (result == LINES_OK || result == LINES_TOO_LONG) {
		l->number++;
		if (l->number == 1 && g_str_has_prefix(l->line->str, "\xef\xbb\xbf"))
			g_string_erase(l->line, 0, 3);
		if (l->line->len > 0 && l->line->str[l->line->len - 1] == '\r')
			g_string_truncate(l->line, l->line->len - 1);
	}
	*text = l->line->str;
	*length = l->line->len;
	return result;
}

uint64_t lines_number(const struct lines *l)
{
	return l->number;
}

void lines_close(struct lines *l)
{
	if (!l)
		return;
	fclose(l->file);
	g_clear_object(&l->inflate);
	g_string_free(l->line, TRUE);
	g_free(l->path);
	g_free(l);
}
