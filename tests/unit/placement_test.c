/*
 * placement_test.c - what a placement costs (models/placement.h): each cause alone, classes, and the constants against
 * perf_constants.json.
 */
#include "models/placement.h"
#include "topo_helper.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

/* Nodes of 2 x 4 cores with 4 GPUs, two near each socket; PAIRS: linked in pairs. */
static struct world *gpu_world(const char *nodes, bool pairs, const char *topology)
{
	static const int rows[4][4] = {{-1, 12, 0, 0}, {12, -1, 0, 0}, {0, 0, -1, 12}, {0, 0, 12, -1}};
	struct world *w = world_new(SLURM_26);
	struct node_config *k = w_nodes(w, nodes, 2, 4, 1);
	k->n_gres = 1;
	k->gres = g_new0(struct node_gres, 1);
	k->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = 4, .devices = true, .n_groups = 4};
	k->gres[0].group = g_new0(struct gres_group, 4);
	for (uint32_t d = 0; d < 4; d++) {
		k->gres[0].group[d] = (struct gres_group){.first = d, .count = 1, .cores = bitset_new(8)};
		bitset_set_range(k->gres[0].group[d].cores, d / 2 * 4, d / 2 * 4 + 3);
		k->gres[0].group[d].links = pairs ? g_memdup2(rows[d], sizeof rows[d]) : NULL;
	}
	w_part(w, "p", nodes);
	if (topology)
		w_topology(w, topology);
	w_begin(w, 1);
	return w;
}

static struct placement_cost cost_of(struct world *w, const struct job *j, const char *class)
{
	struct placement_cost out;
	assert_int_equal(j->state, JOB_RUNNING);
	placement_cost(placement_find(class), w->c, j, &out);
	return out;
}

static void costs(struct world *w, const struct job *j, const char *class, double factor, const char *why)
{
	struct placement_cost c = cost_of(w, j, class);
	if (fabs(c.factor - factor) > 1e-9 || strcmp(c.why, why) != 0)
		fail_msg("%s: factor %.9f (%s), wanted %.9f (%s)", class, c.factor, c.why, factor, why);
}

static void well_placed(void **state)
{
	(void)state;
	struct world *w = gpu_world("n1", true, NULL);
	struct job *j = w_job(w, 10, "gres", "gpu:2", "ntasks", "2", "nodes", "1", NULL);
	w_full(w, 10);
	costs(w, j, "comm", 1, "");
	world_free(w);
	w = gpu_world("n1", false, NULL);
	j = w_job(w, 10, "ntasks", "8", "nodes", "1", NULL); /* no GPUs */
	w_full(w, 10);
	costs(w, j, "comm", 1, "");
	world_free(w);
}

/* One task on socket 1 with all four GPUs: two of them are far. */
static void far_from_cores(void **state)
{
	(void)state;
	struct world *w = gpu_world("n1", false, NULL);
	struct job *j = w_job(w, 10, "gres", "gpu:4", "ntasks", "1", NULL);
	w_full(w, 10);
	costs(w, j, "cnn", 1 + 0.05 * 0.5 * (1 / 0.7 - 1), "2 of 4 GPUs far from its cores");
	costs(w, j, "none", 1, "");
	world_free(w);
}

static void without_links(void **state)
{
	(void)state;
	struct world *w = gpu_world("n1", true, NULL);
	struct job *a = w_job(w, 10, "gres", "gpu:1", "nodelist", "n1", NULL);
	w_full(w, 10);
	w_runs_on(w, a, 10, "n1");
	struct job *j = w_job(w, 11, "gres", "gpu:2", "ntasks", "2", "nodes", "1", NULL);
	w_full(w, 11);
	struct placement_cost c = cost_of(w, j, "comm");
	uint64_t devices = j->alloc->gres[0].devices;
	bool pair = devices == 3 || devices == 12;
	assert_int_equal(strstr(c.why, "GPUs without links") != NULL, !pair);
	/* three GPUs are never all linked there: no loss against the best */
	world_free(w);
	w = gpu_world("n1", true, NULL);
	j = w_job(w, 10, "gres", "gpu:3", "ntasks", "2", "nodes", "1", NULL);
	w_full(w, 10);
	costs(w, j, "comm", 1, "");
	world_free(w);
}

static void across(void **state)
{
	static const char tree[] = "SwitchName=l0 Nodes=n[1-2]\nSwitchName=l1 Nodes=n[3-4]\nSwitchName=top Switches=l[0-1]\n";
	(void)state;
	struct world *w = gpu_world("n[1-4]", false, tree);
	/* two nodes with one GPU each: one node would do; the bandwidth of class comm makes its speed 0.78 */
	struct job *j = w_job(w, 10, "gres", "gpu:1", "nodes", "2", NULL);
	w_full(w, 10);
	costs(w, j, "comm", 1 / 0.78, "2 nodes where 1 would do");
	/* now four GPUs on two nodes of different leaves */
	struct job *far = w_job(w, 11, "gres", "gpu:2", "nodes", "2", "nodelist", "n[1,3]", NULL);
	w_full(w, 11);
	struct placement_cost c = cost_of(w, far, "comm");
	assert_non_null(strstr(c.why, "2 leaf switches where 1 would do"));
	assert_true(fabs(c.factor - (1 / 0.65 + 0.5 * 0.5 * (1 / 0.66 - 1))) < 1e-9); /* n1 is shared with the first */
	world_free(w);
}

static void neighbours_and_comment(void **state)
{
	(void)state;
	struct world *w = gpu_world("n1", false, NULL);
	struct job *a = w_job(w, 10, "gres", "gpu:1", NULL);
	struct job *b = w_job(w, 10, "gres", "gpu:1", "comment", "run 7 placement:none", NULL);
	w_full(w, 10);
	costs(w, a, "cnn", 1 / 0.66, "1 of 1 nodes shared");
	costs(w, b, "cnn", 1, "");
	assert_string_equal(cost_of(w, b, "cnn").class->name, "none");
	assert_null(placement_find("cnnn"));
	world_free(w);
}

/* "a.b" and "a[3].b" in a tree. */
static const cJSON *walk(const cJSON *o, const char *path)
{
	g_auto(GStrv) part = g_strsplit(path, ".", -1);
	for (char **p = part; *p && o; p++) {
		char *bracket = strchr(*p, '[');
		int index = bracket ? atoi(bracket + 1) : -1;
		if (bracket)
			*bracket = '\0';
		o = cJSON_GetObjectItemCaseSensitive(o, *p);
		if (index >= 0)
			o = cJSON_GetArrayItem(o, index);
	}
	return o;
}

static void constants(void **state)
{
	char *text = NULL;
	(void)state;
	assert_true(g_file_get_contents("models/hardware/data/perf_constants.json", &text, NULL, NULL));
	cJSON *root = cJSON_Parse(text);
	assert_non_null(root);
	for (const struct placement_constant *k = placement_constants(); k->name; k++) {
		const cJSON *v = walk(root, k->path);
		if (!cJSON_IsNumber(v) || fabs(v->valuedouble - k->value) > 1e-12)
			fail_msg("%s is not %g in %s", k->name, k->value, k->path);
		g_autofree char *parent = g_strndup(k->path, (gsize)(strrchr(k->path, '.') - k->path));
		const cJSON *source = cJSON_GetObjectItemCaseSensitive(walk(root, parent), "source");
		assert_string_equal(cJSON_GetStringValue(source), k->source);
	}
	cJSON_Delete(root);
	g_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(well_placed), cmocka_unit_test(far_from_cores),
	                                   cmocka_unit_test(without_links), cmocka_unit_test(across),
	                                   cmocka_unit_test(neighbours_and_comment), cmocka_unit_test(constants)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
