/* topology.c - fuzz target: a topology.conf, or a topology.yaml when it begins with "-" or "#". */
#include "models/topoconf.h"
#include "tests/fuzz/input.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct diag *d = diag_new();
	struct cluster *c = cluster_new(SLURM_26);
	struct node_config *k = cluster_add_config(c);
	char name[8];

	for (int i = 1; i <= 16; i++) {
		g_snprintf(name, sizeof name, "n%d", i);
		cluster_add_node(c, name, k);
	}
	cluster_add_partition(c, "p")->nodes_text = g_strdup("ALL");
	if (*text && strchr("-#", *text))
		topoyaml_read_text(c, text, "topology.yaml", d);
	else
		topoconf_read_text(c, text, "topology.conf", TOPOLOGY_FLAT, d);
	if (d->n_errors == 0)
		cluster_finish(c, NULL);
	cluster_free(c);
	diag_free(d);
	g_free(text);
	return 0;
}
