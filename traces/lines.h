/*
 * lines.h - a text file line by line, plain or gzip, in bounded memory.
 *
 * Gzip is told by its first two bytes, never by the name; several gzip members in one file are one text. Lines may
 * hold any bytes; "\n" or "\r\n" ends one, and the last needs no end. A line longer than LINES_MAX is not kept: it
 * comes as LINES_TOO_LONG, and reading goes on behind it. A UTF-8 byte order mark at the beginning is dropped.
 */
#ifndef TRACES_LINES_H
#define TRACES_LINES_H
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_MAX (1024 * 1024) /* bytes of one line */
#define LINES_ERROR (g_quark_from_static_string("lines"))

enum lines_result {
	LINES_OK,       /* a line */
	LINES_TOO_LONG, /* a line that is not kept; TEXT holds its beginning */
	LINES_END,      /* no more */
	LINES_FAILED,   /* cannot be read on (I/O, damaged gzip); ERROR is set */
};

struct lines;

/* Open PATH. NULL and ERROR when it cannot be opened or is a directory. */
struct lines *lines_open(const char *path, GError **error);
/* The next line without its end, closed by a NUL. *TEXT stays valid, and may be written to, until the next call. */
enum lines_result lines_next(struct lines *l, char **text, size_t *length, GError **error);
/* Number of the line that came last, from 1. */
uint64_t lines_number(const struct lines *l);
void lines_close(struct lines *l); /* NULL is allowed */
#endif
