/* sacct.c - fuzz target: a workload in the format sacct. */
#include "tests/fuzz/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_trace("sacct", data, size);
	return 0;
}
