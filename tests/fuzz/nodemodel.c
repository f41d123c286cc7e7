/* nodemodel.c - fuzz target: the JSON of a node model. */
#include "models/nodemodel.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct diag *d = diag_new();

	node_model_free(node_model_parse(text, "model", d));
	diag_free(d);
	g_free(text);
	return 0;
}
