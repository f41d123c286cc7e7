/* input.h - what the fuzz targets share: the input as text, and as a file for readers that open a path. */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H
#include <glib.h>
#include <glib/gstdio.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* DATA as NUL-terminated text; what is behind a NUL byte is not seen by a reader of texts. g_free. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	return g_strndup((const char *)data, size);
}

/* DATA in a file of this process's own; its path. The caller removes it with fuzz_file_free. */
static inline char *fuzz_file(const uint8_t *data, size_t size)
{
	char *path = NULL;
	int fd = g_file_open_tmp("whypend-fuzz-XXXXXX", &path, NULL);

	if (fd < 0 || !g_close(fd, NULL) || !g_file_set_contents(path, (const char *)data, (gssize)size, NULL))
		abort();
	return path;
}

static inline void fuzz_file_free(char *path)
{
	g_remove(path);
	g_free(path);
}
#endif
