/* shown.c - fuzz target: an output of scontrol or sinfo in the place of slurm.conf, as text or JSON. */
#include "models/slurmconf.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *path = fuzz_file(data, size);
	struct diag *d = diag_new();
	struct cluster *c = slurmconf_read(path, NULL, d);

	if (c)
		cluster_free(c);
	diag_free(d);
	fuzz_file_free(path);
	return 0;
}
