/* slurmconf.c - fuzz target: the text of a slurm.conf. Includes find nothing, since the directory does not exist. */
#include "models/slurmconf.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct diag *d = diag_new();
	struct cluster *c = slurmconf_read_text(text, "/nonexistent/slurm.conf", NULL, d);

	if (c)
		cluster_free(c);
	diag_free(d);
	g_free(text);
	return 0;
}
