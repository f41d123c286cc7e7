/* swf.c - fuzz target: a workload in the format swf. */
#include "tests/fuzz/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_trace("swf", data, size);
	return 0;
}
