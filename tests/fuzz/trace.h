/* trace.h - fuzzing a workload reader: all submissions of any input can be taken, and the counts add up. */
#ifndef TESTS_FUZZ_TRACE_H
#define TESTS_FUZZ_TRACE_H
#include "tests/fuzz/input.h"
#include "traces/workload.h"

static inline void fuzz_trace(const char *format, const uint8_t *data, size_t size)
{
	const struct workload_options options = {.format = format};
	char *path = fuzz_file(data, size);
	GError *error = NULL;
	struct workload *w = workload_open(path, &options, &error);

	if (w) {
		const struct workload_info *info = workload_info(w);
		uint64_t given = 0, left = 0;
		usec_t last = INT64_MIN;

		for (struct submission *s; (s = workload_next(w)); given++) {
			if (s->at < last)
				abort();
			last = s->at;
			submission_free(s);
		}
		for (guint i = 0; i < info->causes->len; i++)
			left += ((const struct workload_cause *)g_ptr_array_index(info->causes, i))->count;
		if (given != info->replayed || given + left != info->lines)
			abort();
		workload_close(w);
	} else if (!error) {
		abort();
	}
	g_clear_error(&error);
	fuzz_file_free(path);
}
#endif
