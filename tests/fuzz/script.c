/* script.c - fuzz target: a batch script; what is read of it gives steps that lie within their job. */
#include "tests/fuzz/input.h"
#include "traces/sbatch_line.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char *script = g_strconcat("#!/bin/sh\n", text, NULL);
	GError *error = NULL;
	struct sbatch_line *l = sbatch_line_of_text(script, strlen(script), &error);

	if ((l == NULL) != (error != NULL))
		abort();
	if (l) {
		const struct job_steps *s = l->sub->steps;
		for (guint i = 0; s && i < s->list->len; i++) {
			const struct job_step *step = &g_array_index(s->list, struct job_step, i);
			if (step->begin < 0 || (step->end >= 0 && step->end < step->begin) || step->number != i)
				abort();
		}
		sbatch_line_free(l);
	}
	g_clear_error(&error);
	g_free(script);
	g_free(text);
	return 0;
}
