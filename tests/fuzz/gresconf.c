/* gresconf.c - fuzz target: the text of a gres.conf over nodes with several kinds of GRES. */
#include "models/gresconf.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const gres[] = {"gpu:a:4", "gpu:4,shard:8", "gpu:a:2,gpu:b:2,nic:2"};
	char types[3][8] = {"gpu", "shard", "nic"}, *list[] = {types[0], types[1], types[2], NULL};
	char *text = fuzz_text(data, size);
	struct diag *d = diag_new();
	struct cluster *c = cluster_new(SLURM_26);

	for (int i = 0; i < 3; i++) {
		struct node_config *k = cluster_add_config(c);
		char name[8];

		k->boards = 1;
		k->sockets = 2;
		k->cores_per_socket = 4;
		k->threads = k->cpus_per_core = 1;
		k->cores = k->cpus = 8;
		gres_parse(gres[i], &k->gres, &k->n_gres, NULL);
		for (int n = 0; n < 3; n++) {
			g_snprintf(name, sizeof name, "n%d", 3 * i + n + 1);
			cluster_add_node(c, name, k);
		}
	}
	g_free(cluster_add_partition(c, "p")->nodes_text);
	((struct partition *)g_ptr_array_index(c->partitions, 0))->nodes_text = g_strdup("ALL");
	gresconf_apply_text(c, text, "gres.conf", list, d);
	if (d->n_errors == 0)
		cluster_finish(c, NULL);
	cluster_free(c);
	diag_free(d);
	g_free(text);
	return 0;
}
