/* jsonl.c - fuzz target: a workload in the format jsonl. */
#include "tests/fuzz/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_trace("jsonl", data, size);
	return 0;
}
