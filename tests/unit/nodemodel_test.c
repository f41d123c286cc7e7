/* nodemodel_test.c - all node models load; broken ones are refused with what is wrong (spec hardware.md section 0). */
#include "tests/unit/models_helper.h"
#include "models/nodemodel.h"

#define MODELS "models/hardware"

static void all_models_load(void **state)
{
	GDir *dir = g_dir_open(MODELS, 0, NULL);
	const char *name;
	guint n = 0;

	(void)state;
	assert_non_null(dir);
	while ((name = g_dir_read_name(dir))) {
		if (!g_str_has_suffix(name, ".json"))
			continue;
		char *path = g_build_filename(MODELS, name, NULL);
		struct diag *d = diag_new();
		struct node_model *m = node_model_load(path, d);

		assert_clean(d);
		assert_non_null(m);
		assert_int_equal(strncmp(m->name, name, strlen(m->name)), 0);
		n++;
		node_model_free(m);
		diag_free(d);
		g_free(path);
	}
	g_dir_close(dir);
	assert_int_equal(n, 32);
}

static void snc4_board(void **state)
{
	struct diag *d = diag_new();
	struct node_model *m = node_model_load(MODELS "/hgx_h100_4gpu_snc4.json", d);

	(void)state;
	assert_clean(d);
	assert_string_equal(m->gres, "gpu:h100:4");
	assert_string_equal(m->slurmd_parameters, "numa_node_as_socket");
	assert_int_equal(m->cpus, 32);
	assert_int_equal(m->sockets_per_board, 8);
	assert_int_equal(m->n_numa, 8);
	assert_int_equal(m->numa[4].socket, 1);
	assert_int_equal(m->numa[7].core_first, 28);
	assert_int_equal(m->numa_distance[0 * 8 + 4], 21);
	assert_int_equal(m->n_gpus, 4);
	assert_int_equal(m->gpu[0].numa, 3);
	assert_int_equal(bitset_first(m->gpu[0].cores), 12);
	assert_int_equal(bitset_count(m->gpu[0].cores), 4);
	assert_int_equal(node_model_nvlinks(m, 0, 3), 6);
	assert_int_equal(node_model_nvlinks(m, 2, 2), 0);
	assert_string_equal(m->pcie_link[1], "SYS");
	assert_int_equal(m->n_nics, 4);
	assert_string_equal(m->gres_conf[0], "Name=gpu Type=h100 File=/dev/nvidia0 Cores=12-15 Links=-1,6,6,6");
	node_model_free(m);
	diag_free(d);
}

/* Replace the first OLD in the model's text by NEW and load. */
static void assert_broken(const char *old, const char *new, const char *error)
{
	char *text = NULL;
	struct diag *d = diag_new();

	assert_true(g_file_get_contents(MODELS "/hgx_h100_4gpu_snc4.json", &text, NULL, NULL));
	GString *s = g_string_new(text);
	assert_int_equal(g_string_replace(s, old, new, 1), 1);
	assert_null(node_model_parse(s->str, "m.json", d));
	assert_message(d->errors, error);
	g_string_free(s, TRUE);
	g_free(text);
	diag_free(d);
}

static void broken_models(void **state)
{
	(void)state;
	assert_broken("node-model/1", "node-model/9", "m.json: schema is missing or wrong; want \"node-model/1\"");
	assert_broken("\"CPUs\"", "\"Cpus\"", "m.json: slurm.CPUs is missing or wrong");
	assert_broken("Cores=12-15", "Cores=12-16",
	              "slurm.gres_conf: Cores=12-16; want the cores of exactly one Slurm socket");
	assert_broken("\"total_cores\"", "\"total_coresx\"", "m.json: total_cores is missing or wrong");
	assert_broken("\"gpus\"", "\"gpux\"", "m.json: gpus is missing or wrong; want an array");
}

static void bad_json(void **state)
{
	static const char *const texts[] = {
	    "", "[", "[]", "{", "{}", "{\"schema\":1}", "nonsense", "{\"gpus\":[[]],\"links\":3}"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct diag *d = diag_new();

		assert_null(node_model_parse(texts[i], "x.json", d));
		assert_true(d->n_errors > 0);
		diag_free(d);
	}
	struct diag *d = diag_new();
	assert_null(node_model_load("/nonexistent.json", d));
	assert_message(d->errors, "/nonexistent.json");
	diag_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_models_load),
	    cmocka_unit_test(snc4_board),
	    cmocka_unit_test(broken_models),
	    cmocka_unit_test(bad_json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
