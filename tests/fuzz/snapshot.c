/* snapshot.c - fuzz target: the jobs of a snapshot: squeue --json, squeue -o, or scontrol show reservation. */
#include "scenarios/snapshot.h"
#include "tests/fuzz/input.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct diag *d = diag_new();
	struct snapshot s = {.jobs = g_ptr_array_new_with_free_func(snap_job_free),
	                     .reservations = g_ptr_array_new_with_free_func(g_free)};

	if (*text == '{')
		snapshot_read_squeue_json(&s, text, "squeue.json", d);
	else if (*text == 'R')
		snapshot_read_reservations(&s, text, "res", d);
	else
		snapshot_read_squeue_text(&s, text, "squeue.txt", d);
	for (guint i = 0; i < s.jobs->len; i++)
		cJSON_Delete(snapshot_request_json(((struct snap_job *)s.jobs->pdata[i])->req));
	g_ptr_array_unref(s.jobs);
	g_ptr_array_unref(s.reservations);
	diag_free(d);
	g_free(text);
	return 0;
}
