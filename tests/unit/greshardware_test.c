/* greshardware_test.c - what AutoDetect finds: node models by name, guesses by shape and type (spec hardware.md,
 * slurm-conf.md 7.1). */
#include "tests/unit/models_helper.h"
#include "models/greshardware.h"
#include "models/slurmconf.h"
#include "scenarios/scenario.h"

#define CONF(type)                                                                                                     \
	"GresTypes=gpu\nNodeName=n[1-3] Sockets=2 CoresPerSocket=56 ThreadsPerCore=2 RealMemory=1000 Gres=gpu:" type   \
	"8\nNodeName=c1 CPUs=4\nPartitionName=p Nodes=ALL\n"

static struct cluster *build(const char *conf, const char *gres, const char *nodes, const char *model,
                             const char *folder, struct diag *d)
{
	char *dir = dir_new(), *path = gres ? dir_file(dir, "gres.conf", gres) : NULL;
	struct gres_hardware hw = {.named = g_ptr_array_new_with_free_func(gres_model_of_free), .folder = folder};
	struct slurmconf_options o = {.gres_path = path, .hardware = &hw};

	if (nodes) {
		struct gres_model_of *m = g_new0(struct gres_model_of, 1);

		m->nodes = g_strdup(nodes);
		m->path = g_strdup(model);
		g_ptr_array_add(hw.named, m);
	}
	struct cluster *c = slurmconf_read_text(conf, "s.conf", &o, d);
	g_ptr_array_unref(hw.named);
	g_free(path);
	dir_drop(dir);
	return c;
}

/* "0-3@0-55 4-7@56-111" of the GPUs of NODE. */
static void assert_gpus(const struct cluster *c, const char *node, const char *want)
{
	const struct node_gres *g = &cluster_find_node(c, node)->config->gres[0];
	GString *got = g_string_new(NULL);

	for (uint32_t i = 0; i < g->n_groups; i++) {
		char *cores = g->group[i].cores ? bitset_to_ranges(g->group[i].cores) : g_strdup("any");

		g_string_append_printf(got, "%s%s:%u-%u@%s", i ? " " : "", g->group[i].type ? g->group[i].type : "-",
		                       g->group[i].first, g->group[i].first + g->group[i].count - 1, cores);
		g_free(cores);
	}
	assert_string_equal(got->str, want);
	assert_true(g->devices);
	g_string_free(got, TRUE);
}

static void a_named_model(void **state)
{
	struct diag *d = diag_new();
	struct cluster *c =
	    build(CONF("h100:"), "AutoDetect=nvml\n", "n[1-2]", "models/hardware/dgx_h100.json", NULL, d);

	(void)state;
	assert_clean(d);
	assert_warnings(d, 0);
	assert_gpus(c, "n1", "h100:0-3@0-55 h100:4-7@56-111");
	assert_gpus(c, "n3", "h100:0-7@any"); /* not named, and nothing to guess from */
	cluster_free(c);
	c = build(CONF("nvidia_h100_80gb:"), NULL, "n[1-3]", "models/hardware/dgx_h100.json", NULL,
	          d); /* no gres.conf; the site's own word */
	assert_clean(d);
	assert_gpus(c, "n3", "nvidia_h100_80gb:0-3@0-55 nvidia_h100_80gb:4-7@56-111");
	cluster_free(c);
	diag_free(d);
}

static void links_come_along(void **state)
{
	struct diag *d = diag_new();
	struct cluster *c = build("GresTypes=gpu\nNodeName=n1 Sockets=2 CoresPerSocket=52 ThreadsPerCore=2 "
	                          "Gres=gpu:4\nPartitionName=p Nodes=n1\n",
	                          "AutoDetect=nvml\n", "n1", "models/hardware/a100_pcie_4gpu_bridges.json", NULL, d);

	(void)state;
	assert_clean(d);
	const struct node_gres *g = &cluster_find_node(c, "n1")->config->gres[0];
	assert_int_equal(g->n_groups, 4);
	assert_int_equal(g->group[0].links[1], 12);
	assert_int_equal(g->group[0].links[2], 0);
	cluster_free(c);
	diag_free(d);
}

static void guesses(void **state)
{
	struct diag *d = diag_new();
	struct cluster *c = build(CONF("h100:"), "AutoDetect=nvml\n", NULL, NULL, "models/hardware", d);

	(void)state;
	assert_clean(d);
	assert_message(d->warnings, "AutoDetect: devices of node n1 and its like are taken from the hardware model ");
	assert_int_equal(d->n_warnings, 1);
	assert_gpus(c, "n2", "h100:0-3@0-55 h100:4-7@56-111");
	cluster_free(c);
	diag_free(d);
	/* no AutoDetect, AutoDetect=off, lines of its own, another type: nothing is guessed */
	static const struct {
		const char *conf, *gres;
	} none[] = {{CONF("h100:"), NULL},
	            {CONF("h100:"), "AutoDetect=off\nName=gpu Type=h100 File=/dev/nvidia[0-7]\n"},
	            {CONF("h100:"), "AutoDetect=nvml\nNodeName=n[1-3] Name=gpu Type=h100 File=/dev/nvidia[0-7]\n"},
	            {CONF("v100:"), "AutoDetect=nvml\n"}};
	for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
		d = diag_new();
		c = build(none[i].conf, none[i].gres, NULL, NULL, "models/hardware", d);
		assert_clean(d);
		assert_warnings(d, 0);
		assert_gpus(c, "n1", i == 3 ? "v100:0-7@any" : "h100:0-7@any");
		cluster_free(c);
		diag_free(d);
	}
}

static void bad_models(void **state)
{
	static const struct {
		const char *nodes, *model, *error;
	} table[] = {
	    {"n1", "models/hardware/a100_pcie_4gpu_bridges.json", "has 104 cores in 2 sockets, node n1 112 in 2"},
	    {"n1", "models/hardware/none.json", "none.json"},
	    {"n[1-", "models/hardware/dgx_h100.json", "hardware \"n[1-\""},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		struct diag *d = diag_new();

		assert_null(build(CONF("h100:"), "AutoDetect=nvml\n", table[i].nodes, table[i].model, NULL, d));
		assert_message(d->errors, table[i].error);
		diag_free(d);
	}
}

static void in_a_scenario(void **state)
{
	char *dir = dir_new(), *conf = dir_file(dir, "slurm.conf", CONF("h100:"));
	char *path = dir_file(
	    dir, "s.json",
	    "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"hardware\": {\"n[1-3]\": \"dgx_h100\"}}");
	struct scenario_options o = {.path = path};
	GError *error = NULL;
	struct scenario *s = scenario_load(&o, &error);

	(void)state;
	assert_non_null(s);
	assert_gpus(s->cluster, "n3", "h100:0-3@0-55 h100:4-7@56-111");
	scenario_free(s);
	g_free(dir_file(dir, "s.json",
	                "{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\",\n \"hardware\": {\"n1\": 3}}"));
	assert_null(scenario_load(&o, &error));
	assert_non_null(strstr(error->message, "s.json:2:15: bad value of \"n1\""));
	g_error_free(error);
	g_free(conf);
	g_free(path);
	dir_drop(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_named_model), cmocka_unit_test(links_come_along),
	                                   cmocka_unit_test(guesses), cmocka_unit_test(bad_models),
	                                   cmocka_unit_test(in_a_scenario)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
