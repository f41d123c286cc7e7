/* gresconf_test.c - Gres= texts and gres.conf into groups of devices (spec slurm-conf.md 4, 7.1; N61). */
#include "tests/unit/models_helper.h"
#include "models/gresconf.h"
#include "models/slurmconf.h"

/* "gpu[devices] 8: h100 0+4 cores 0-31; ..." g_free. */
static char *show(const struct node_config *c)
{
	GString *s = g_string_new(NULL);

	for (uint32_t i = 0; i < c->n_gres; i++) {
		const struct node_gres *g = &c->gres[i];

		g_string_append_printf(s, "%s%s %u:", g->name, g->devices ? "*" : "", g->count);
		for (uint32_t k = 0; k < g->n_groups; k++) {
			char *cores = g->group[k].cores ? bitset_to_ranges(g->group[k].cores) : NULL;

			g_string_append_printf(s, " %s %u+%u", g->group[k].type ? g->group[k].type : "-",
			                       g->group[k].first, g->group[k].count);
			if (cores)
				g_string_append_printf(s, " @%s", cores);
			for (uint32_t j = 0; g->group[k].links && j < g->count; j++)
				g_string_append_printf(s, "%c%d", j ? ',' : '/', g->group[k].links[j]);
			g_free(cores);
		}
		g_string_append_c(s, ';');
	}
	return g_string_free(s, FALSE);
}

/* A cluster of nodes n[1-4] with GRES and the text of gres.conf (NULL: none). */
static struct cluster *build(const char *gres, const char *conf, struct diag *d)
{
	char *dir = dir_new(), *path = conf ? dir_file(dir, "gres.conf", conf) : NULL;
	char *text = g_strdup_printf("GresTypes=gpu,nic,shard,bandwidth\nNodeName=n[1-4] Sockets=2 CoresPerSocket=8 "
	                             "Gres=%s\nPartitionName=p Nodes=ALL\n",
	                             gres);
	struct slurmconf_options o = {.gres_path = path};
	struct cluster *c = slurmconf_read_text(text, "s.conf", &o, d);

	g_free(text);
	g_free(path);
	dir_drop(dir);
	return c;
}

static void assert_node(const struct cluster *c, const char *node, const char *want)
{
	char *got = show(cluster_find_node(c, node)->config);

	assert_string_equal(got, want);
	g_free(got);
}

static void assert_built(const char *gres, const char *conf, const char *want)
{
	struct diag *d = diag_new();
	struct cluster *c = build(gres, conf, d);

	assert_clean(d);
	assert_warnings(d, 0);
	assert_node(c, "n1", want);
	assert_int_equal(c->configs->len, 1);
	assert_int_equal(cluster_find_node(c, "n1")->flags, 0);
	cluster_free(c);
	diag_free(d);
}

static void gres_texts(void **state)
{
	(void)state;
	assert_built("gpu:8", NULL, "gpu* 8: - 0+8;");
	assert_built("gpu", NULL, "gpu* 1: - 0+1;");
	assert_built("gpu:h100:8", NULL, "gpu* 8: h100 0+8;");
	assert_built("gpu:a100:4,gpu:v100:2", NULL, "gpu* 6: a100 0+4 v100 4+2;");
	assert_built("gpu:2,nic:no_consume:1", NULL, "gpu* 2: - 0+2;nic 1: - 0+1;");
	assert_built("bandwidth:lustre:2K", NULL, "bandwidth 2048: lustre 0+2048;");
	assert_built("bandwidth:lustre:4G", NULL, "bandwidth 4294967293: lustre 0+4294967293;");
	assert_built("\"\"", NULL, "");
}

static void bad_texts(void **state)
{
	static const char *const bad[] = {":3", "gpu:3:4x", "gpu:1e", "gpu:a:b:3", "gpu:2,gpu:2", "gpu:a:1,gpu:1"};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		struct node_gres *g;
		uint32_t n;
		GError *error = NULL;

		assert_false(gres_parse(bad[i], &g, &n, &error));
		assert_non_null(error);
		assert_null(g);
		g_clear_error(&error);
	}
}

static void files_and_cores(void **state)
{
	(void)state;
	assert_built(
	    "gpu:h100:8",
	    "Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-7\nName=gpu Type=h100 File=/dev/nvidia[4-7] Cores=8-15\n",
	    "gpu* 8: h100 0+4 @0-7 h100 4+4 @8-15;");
	assert_built("gpu:8", "NodeName=n[1-4] Name=gpu Type=h100 Count=8 File=/dev/nvidia[0-7]", "gpu* 8: h100 0+8;");
	assert_built("gpu:a:1,gpu:b:1", "Name=gpu File=/dev/nvidia[0-3]", "gpu* 2: a 0+1 b 1+1;");
	assert_built("gpu:2", "Name=gpu File=/dev/nvidia0 Links=-1,4\nName=gpu Files=/dev/nvidia1 Link=4,-1 CPUs=8-15",
	             "gpu* 2: - 0+1/-1,4 - 1+1 @8-15/4,-1;");
	assert_built("gpu:mig:1", "Name=gpu Type=mig MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap[30-31]",
	             "gpu* 1: mig 0+1;");
	assert_built("gpu:8", "AutoDetect=nvml", "gpu* 8: - 0+8;");
	assert_built("gpu:h100:8,nic:2", "NodeName=n[1-4] AutoDetect=nvml\nName=nic Count=2\n",
	             "gpu* 8: h100 0+8;nic 2: - 0+2;");
	assert_built("gpu:4", "Name=gpu File=/dev/nvidia[0-7]", "gpu* 4: - 0+4;"); /* surplus is ignored */
	assert_built("gpu:2", "Name=gpu Count=2 Flags=CountOnly", "gpu 2: - 0+2;");
}

static void nodes_told_apart(void **state)
{
	struct diag *d = diag_new();
	struct cluster *c =
	    build("gpu:4",
	          "NodeName=n[1,3] Name=gpu File=/dev/nvidia[0-3] Cores=0-7\nNodeName=n2 Name=gpu "
	          "File=/dev/nvidia[0-3] Cores=0-7\n"
	          "NodeName=n4 Name=gpu File=/dev/nvidia[0-1]\nNodeName=n4 Name=gpu File=/dev/nvidia[2-3]\n",
	          d);
	(void)state;
	assert_clean(d);
	assert_warnings(d, 0);
	assert_int_equal(c->configs->len, 2);
	assert_ptr_equal(cluster_find_node(c, "n1")->config, cluster_find_node(c, "n2")->config); /* alike by content */
	assert_node(c, "n3", "gpu* 4: - 0+4 @0-7;");
	assert_node(c, "n4", "gpu* 4: - 0+2 - 2+2;");
	assert_string_equal(cluster_find_node(c, "n4")->config->gres_text, "gpu:4");
	assert_int_equal(bitset_count(cluster_find_node(c, "n1")->config->nodes), 3);
	cluster_free(c);
	diag_free(d);
}

static void too_few(void **state)
{
	struct diag *d = diag_new();
	struct cluster *c = build(
	    "gpu:8", "NodeName=n1 Name=gpu File=/dev/nvidia[0-3]\nNodeName=n[2-4] Name=gpu File=/dev/nvidia[0-7]\n", d);
	const struct node *n = cluster_find_node(c, "n1");

	(void)state;
	assert_clean(d);
	assert_warnings(d, 1);
	assert_int_equal(n->flags, NODE_DRAIN | NODE_INVALID_REG);
	assert_string_equal(n->reason, "gres/gpu count reported lower than configured (4 < 8)");
	assert_int_equal(cluster_find_node(c, "n2")->flags, 0);
	cluster_free(c);
	diag_free(d);
	d = diag_new();
	c = build("gpu:a:2,gpu:b:2", "Name=gpu Type=a File=/dev/nvidia[0-1]\nName=gpu Type=b File=/dev/nvidia2", d);
	assert_string_equal(cluster_find_node(c, "n1")->reason, "gres/gpu:b count too low (1 < 2)");
	cluster_free(c);
	diag_free(d);
}

static void bad_lines(void **state)
{
	static const struct {
		const char *conf, *error;
	} bad[] = {
	    {"Name=gpu Fil=/dev/x", "gres.conf:1:10: unknown gres.conf key Fil; did you mean File?"},
	    {"Name=gpu Count=x", "bad Count; a number"},
	    {"Name=gpu Count=3 File=/dev/nvidia[0-3]", "Count differs from the number of files"},
	    {"Name=gpu File=/dev/nvidia[3-1]", "gres.conf:1:15: bad list of files"},
	    {"Name=gpu MultipleFiles=/dev/nvidia0", "MultipleFiles needs at least two files; use File"},
	    {"NodeName=n[1- Name=gpu", "gres.conf:1:10: bad list of nodes"},
	    {"AutoDetect=magic", "unknown AutoDetect; full, nvml"},
	    {"NodeName=n1 AutoDetect=nvml\nNodeName=n1 AutoDetect=off",
	     "gres.conf:2:13: node n1 has AutoDetect=nvml and off"},
	    {"Count=3", "the line names no GRES; give Name=gpu"},
	    {"junk", "gres.conf:1:1: \"junk\" is not Key=Value"},
	    {"Name=gpu File=/dev/nvidia0\nName=gpu Count=1",
	     "gres.conf:2:1: gres.conf, gpu: some lines have File, others not"},
	    {"Name=gpu Type=a File=/dev/nvidia0\nName=gpu File=/dev/nvidia1", "some lines have Type, others not"},
	    {"Name=gpu Count=1\nName=gpu Count=1", "two lines with neither File nor Type"},
	    {"Name=gpu File=/dev/nvidia[0-2000]", "too many devices on one line"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		struct diag *d = diag_new();

		assert_null(build("gpu:2", bad[i].conf, d));
		assert_message(d->errors, bad[i].error);
		assert_int_equal(d->n_errors, 1);
		diag_free(d);
	}
}

static void warnings(void **state)
{
	static const struct {
		const char *conf, *warning;
	} table[] = {
	    {"Name=gpu File=/dev/nvidia[0-1]\nName=tpu Count=3",
	     "gres.conf:2:1: tpu is not in GresTypes: the line is ignored"},
	    {"Name=gpu File=/dev/nvidia[0-1] Cores=0-99",
	     "Cores=0-99 does not fit a node of 16 cores: taken as near all cores"},
	    {"Name=gpu File=/dev/nvidia[0-1] Links=1,2", "Links go with a single device: ignored"},
	    {"Name=gpu File=/dev/nvidia0 Links=-1,x\nName=gpu File=/dev/nvidia1", "bad Links are ignored"},
	    {"Name=gpu File=/dev/nvidia[0-1] AutoDetect=nvml", "AutoDetect on a Name line is ignored"},
	    {"Name=gpu File=/dev/nvidia[0-1] Flags=odd", "unknown Flags have no effect"},
	    {"AutoDetect=off", "GPUs without a gres.conf line are a plain count"},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		struct diag *d = diag_new();
		struct cluster *c = build("gpu:2", table[i].conf, d);

		assert_clean(d);
		assert_warnings(d, 1);
		assert_message(d->warnings, table[i].warning);
		cluster_free(c);
		diag_free(d);
	}
}

static void oracle_types(void **state)
{
	struct slurmconf_options o = {.version = SLURM_22_05};
	struct diag *d = diag_new();

	(void)state;
	if (access("../shared/oracle", R_OK) != 0) {
		print_message("skipped oracle_types: no ../shared/oracle\n");
		diag_free(d);
		skip();
	}
	struct cluster *c = slurmconf_read(SHARED_ORACLE "/gpu-types/slurm.conf", &o, d);
	assert_clean(d);
	assert_node(c, "a1", "gpu* 4: a100 0+4;");
	assert_node(c, "h2", "gpu* 8: h100 0+8;");
	assert_node(c, "c1", "");
	cluster_free(c);
	c = slurmconf_read(SHARED_ORACLE "/gpu-styles/slurm.conf", &o, d);
	assert_node(c, "n01", "gpu* 8: h100 0+4 @0-31 h100 4+4 @32-63;");
	cluster_free(c);
	diag_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(gres_texts),       cmocka_unit_test(bad_texts),    cmocka_unit_test(files_and_cores),
	    cmocka_unit_test(nodes_told_apart), cmocka_unit_test(too_few),      cmocka_unit_test(bad_lines),
	    cmocka_unit_test(warnings),         cmocka_unit_test(oracle_types),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
