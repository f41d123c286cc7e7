/*
 * topo_test.c - every hardware model round-trips: its slurm.conf and gres.conf lines make a node with the model's cores,
 * GPUs, affinity and links, and the matrix of `whypend topo` equals the model's links.
 */
#include "models/gresconf.h"
#include "models/slurmconf.h"
#include "tests/unit/models_helper.h"
#include "tools/topo_out.h"

#define MODELS "models/hardware"

/* A cluster of the model's node line. */
static struct cluster *cluster_of(const struct node_model *m)
{
	char *dir = dir_new(), *gres = g_strjoinv("\n", m->gres_conf), *gres_lines = g_strconcat(gres, "\n", NULL);
	char *conf = g_strdup_printf("ClusterName=c\nGresTypes=gpu\n%s%s\n%s\n"
	                             "PartitionName=p Nodes=ALL Default=YES\n",
	                             m->slurmd_parameters ? "SlurmdParameters=" : "",
	                             m->slurmd_parameters ? m->slurmd_parameters : "", m->node_line);
	char *path = dir_file(dir, "slurm.conf", conf), *gres_path = dir_file(dir, "gres.conf", gres_lines);
	struct diag *d = diag_new();
	struct slurmconf_options o = {.gres_path = *m->gres_conf ? gres_path : NULL};
	struct cluster *c = slurmconf_read(path, &o, d);

	assert_clean(d);
	assert_non_null(c);
	diag_free(d);
	g_free(path);
	g_free(gres_path);
	g_free(conf);
	g_free(gres);
	g_free(gres_lines);
	dir_drop(dir);
	return c;
}

static void check_node(const struct node_model *m)
{
	struct cluster *c = cluster_of(m);
	const struct node_config *k = c->node[0]->config;

	assert_int_equal(k->cores, m->total_cores);
	assert_int_equal(k->cpus, m->cpus);
	assert_int_equal(k->real_memory, m->real_memory_mib);
	assert_int_equal(node_config_gres(k, "gpu", NULL), m->n_gpus);
	assert_int_equal(c->node[0]->flags & NODE_DRAIN, 0);
	for (uint32_t g = 0; g < k->n_gres; g++)
		for (uint32_t i = 0; i < k->gres[g].n_groups; i++) {
			const struct gres_group *group = &k->gres[g].group[i];
			for (uint32_t d = group->first; d < group->first + group->count; d++) {
				assert_string_equal(group->type, m->gpu[d].gres_type);
				for (uint32_t core = 0; group->cores && core < k->cores; core++) /* its NUMA node is in its socket */
					if (bitset_test(m->gpu[d].cores, core))
						assert_true(bitset_test(group->cores, core));
				for (uint32_t to = 0; group->links && to < m->n_gpus; to++)
					assert_int_equal(group->links[to], to == d ? -1 : (int)node_model_nvlinks(m, d, to));
			}
		}
	cluster_free(c);
}

/* Row GPUi of the printed matrix: its first cells are the links. */
static void check_matrix(const struct node_model *m, bool pcie)
{
	char *text = topo_matrix(m, pcie);
	g_auto(GStrv) line = g_strsplit(text, "\n", -1);

	for (uint32_t i = 0; i < m->n_gpus; i++) {
		g_auto(GStrv) cell = g_strsplit(line[i + 1], "\t", -1);
		g_autofree char *name = g_strdup_printf("GPU%u", i);
		assert_string_equal(cell[0], name);
		for (uint32_t k = 0; k < m->n_gpus; k++)
			assert_string_equal(g_strstrip(cell[k + 1]), (pcie ? m->pcie_link : m->link)[i * m->n_gpus + k]);
		for (uint32_t k = 0; k < m->n_nics; k++)
			assert_string_equal(cell[m->n_gpus + k + 1], m->nic[k].gpu_link_class[i]);
		assert_string_equal(cell[m->n_gpus + m->n_nics + 1], m->gpu[i].os_cpus);
	}
	g_free(text);
}

static void round_trip(void **state)
{
	char **names = topo_names();

	(void)state;
	assert_int_equal(g_strv_length(names), 32);
	for (char **n = names; *n; n++) {
		struct node_model *m = topo_load("topo_test", *n);
		assert_non_null(m);
		check_node(m);
		if (m->n_gpus) {
			check_matrix(m, false);
			check_matrix(m, true);
		}
		node_model_free(m);
	}
	g_strfreev(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
