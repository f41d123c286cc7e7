/* hostlist.c - fuzz target: hostlist expressions; what is expanded, compressed and expanded again is the same. */
#include "sched/base/hostlist.h"
#include "tests/fuzz/input.h"
#include <string.h>

#define NAMES_MAX 2000 /* more says nothing new, slowly */

static void round_trip(const GPtrArray *names)
{
	char *short_form = hostlist_compress((const char *const *)names->pdata, names->len);
	GPtrArray *again = hostlist_expand(short_form, NULL);

	if (!again || again->len != names->len)
		abort();
	for (guint i = 0; i < names->len; i++)
		if (strcmp(names->pdata[i], again->pdata[i]) != 0)
			abort();
	g_ptr_array_unref(again);
	g_free(short_form);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	GError *error = NULL;
	gint64 n = hostlist_count(text, &error);

	if ((n < 0) != (error != NULL))
		abort();
	g_clear_error(&error);
	if (n <= NAMES_MAX) {
		GPtrArray *names = hostlist_expand(text, &error);
		if ((names == NULL) != (error != NULL) || (names != NULL) != (n >= 0))
			abort();
		if (names && names->len != (guint64)n)
			abort();
		if (names)
			round_trip(names);
		if (names)
			g_ptr_array_unref(names);
		g_clear_error(&error);
	}
	g_free(text);
	return 0;
}
