/* cluster_test.c - the node table, partitions, totals and their errors; and the default parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/acct.h"
#include "sched/cluster.h"
#include <string.h>

static struct node_config *config(struct cluster *c, uint16_t cpus, uint64_t memory)
{
	struct node_config *config = cluster_add_config(c);

	config->cpus = config->cores = cpus;
	config->real_memory = memory;
	return config;
}

static void add_gpus(struct node_config *config, const char *const *types, uint32_t n_types, uint32_t each)
{
	config->n_gres = 1;
	config->gres = g_new0(struct node_gres, 1);
	config->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = n_types * each, .n_groups = n_types};
	config->gres[0].group = g_new0(struct gres_group, n_types);
	for (uint32_t i = 0; i < n_types; i++)
		config->gres[0].group[i] =
		    (struct gres_group){.type = g_strdup(types[i]), .first = i * each, .count = each};
}

/* n2, n10 (4 CPUs) and g1 (8 CPUs, 2 H100 and 2 a100), given out of order. */
static struct cluster *small(void)
{
	static const char *const types[] = {"H100", "a100"};
	struct cluster *c = cluster_new(SLURM_26);
	struct node_config *plain = config(c, 4, 1000), *gpu = config(c, 8, 4000);

	add_gpus(gpu, types, 2, 2);
	tres_add(c->tres, "gres/gpu");
	tres_add(c->tres, "gres/gpu:h100");
	tres_add(c->tres, "license/matlab");
	struct license *l = g_new0(struct license, 1);

	l->name = g_strdup("matlab");
	l->total = 7;
	g_ptr_array_add(c->licenses, l);
	cluster_add_node(c, "n10", plain);
	cluster_add_node(c, "n2", plain);
	cluster_add_node(c, "g1", gpu);
	return c;
}

static void add_partition(struct cluster *c, const char *name, const char *nodes)
{
	cluster_add_partition(c, name)->nodes_text = g_strdup(nodes);
}

static void table(void **state)
{
	struct cluster *c = small();
	GError *error = NULL;

	(void)state;
	add_partition(c, "a", "n[2,10] g1");
	add_partition(c, "b", "all");
	add_partition(c, "empty", NULL);
	cluster_find_partition(c, "a")->is_default = true;
	cluster_find_partition(c, "b")->is_default = true;
	cluster_find_partition(c, "a")->priority_job_factor = 10;
	assert_true(cluster_finish(c, &error));
	assert_int_equal(c->n_nodes, 3);
	assert_string_equal(c->node[0]->name, "g1"); /* N1 */
	assert_string_equal(c->node[1]->name, "n2");
	assert_string_equal(c->node[2]->name, "n10");
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(c->node[i]->index, i);
		assert_ptr_equal(cluster_find_node(c, c->node[i]->name), c->node[i]);
	}
	assert_int_equal(c->total_cpus, 16);
	assert_int_equal(c->max_job_factor, 10);
	assert_string_equal(c->default_partition->name, "b");
	assert_int_equal(bitset_count(c->node[1]->config->nodes), 2);
	const struct partition *p = cluster_find_partition(c, "b"), *e = cluster_find_partition(c, "empty");

	assert_int_equal(p->total_nodes, 3);
	assert_int_equal(p->total_cpus, 16);
	assert_int_equal(p->tres_total[TRES_MEM], 6000);
	assert_int_equal(p->tres_total[TRES_NODE], 3);
	assert_int_equal(p->tres_total[TRES_BILLING], 16);
	assert_int_equal(p->tres_total[tres_find(c->tres, "gres/gpu")], 4);
	assert_int_equal(p->tres_total[tres_find(c->tres, "gres/gpu:h100")], 2);
	assert_int_equal(p->tres_total[tres_find(c->tres, "license/matlab")], 7);
	assert_int_equal(e->total_nodes, 0);
	assert_int_equal(node_config_gres(c->node[0]->config, "gpu", NULL), 4);
	assert_int_equal(node_config_gres(c->node[0]->config, "gpu", "H100"), 2);
	assert_int_equal(node_config_gres(c->node[0]->config, "gpu", "h100"), 0);
	assert_int_equal(node_config_gres(c->node[0]->config, "gp", NULL), 0);
	assert_int_equal(node_config_gres(c->node[1]->config, "gpu", NULL), 0);
	cluster_free(c);
	cluster_free(NULL);
}

static void node_sets(void **state)
{
	struct cluster *c = small();
	GError *error = NULL;

	(void)state;
	add_partition(c, "p", "ALL");
	assert_true(cluster_finish(c, NULL));
	struct bitset *set = cluster_parse_nodes(c, "n10,n2,n2", NULL);
	char *text = cluster_format_nodes(c, set);

	assert_string_equal(text, "n[2,10]");
	g_free(text);
	bitset_free(set);
	set = cluster_parse_nodes(c, "", NULL);
	assert_true(bitset_empty(set));
	text = cluster_format_nodes(c, set);
	assert_string_equal(text, "");
	g_free(text);
	bitset_free(set);
	assert_null(cluster_parse_nodes(c, "n2,n3", &error));
	assert_non_null(strstr(error->message, "n3"));
	g_clear_error(&error);
	assert_null(cluster_parse_nodes(c, "n[2", &error));
	assert_non_null(strstr(error->message, "column 2"));
	g_clear_error(&error);
	assert_null(cluster_find_node(c, "n3"));
	cluster_free(c);
}

static void errors(void **state)
{
	struct cluster *c = cluster_new(SLURM_26);
	GError *error = NULL;

	(void)state;
	assert_false(cluster_finish(c, &error));
	assert_non_null(strstr(error->message, "no nodes"));
	assert_non_null(strstr(error->message, "no partitions"));
	g_clear_error(&error);
	cluster_free(c);

	c = small();
	c->acct = acct_new(c->tres);
	add_partition(c, "p", "n[2,3],x");
	add_partition(c, "p", "ALL");
	add_partition(c, "q", "n[2-");
	cluster_find_partition(c, "p")->qos_name = g_strdup("nosuch");
	cluster_find_partition(c, "q")->qos_name = g_strdup("Normal");
	cluster_add_node(c, "n2", c->configs->pdata[0]);
	assert_false(cluster_finish(c, &error));
	static const char *const parts[] = {"Duplicated NodeName n2",     "unknown node \"n3\"",
	                                    "unknown node \"x\"",         "Duplicated PartitionName p",
	                                    "partition q: bad host list", "unknown QOS \"nosuch\""};

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		assert_non_null(strstr(error->message, parts[i]));
	assert_ptr_equal(cluster_find_partition(c, "q")->qos, acct_find_qos(c->acct, "normal"));
	g_clear_error(&error);
	cluster_free(c);

	c = small(); /* never finished */
	cluster_free(c);
}

/* P41 E8: 8 CPUs, 64 GiB, 2 nodes, 4 GPUs and 1 license: 36; MAX_TRES 19; MAX_TRES_GRES 27. */
static void billing(void **state)
{
	static const struct {
		uint32_t flags;
		uint64_t billing;
	} cases[] = {{0, 36}, {PRIO_MAX_TRES, 19}, {PRIO_MAX_TRES_GRES, 27}};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct cluster *c = cluster_new(SLURM_26);
		struct node_config *both = config(c, 4, 32768);
		struct partition *p = cluster_add_partition(c, "p");
		struct license *l = g_new0(struct license, 1);

		add_gpus(both, (const char *const[]){"a100"}, 1, 2);
		tres_add(c->tres, "gres/gpu");
		tres_add(c->tres, "license/x");
		l->name = g_strdup("x");
		l->total = 1;
		g_ptr_array_add(c->licenses, l);
		cluster_add_node(c, "n1", both);
		cluster_add_node(c, "n2", both);
		p->nodes_text = g_strdup("n1,n2");
		p->billing_weights = g_new0(double, c->tres->n);
		assert_true(tres_parse_weights(c->tres, "CPU=1.0,Mem=0.25G,Node=0.5,GRES/gpu=2.0,License/x=3.0",
		                               p->billing_weights, NULL));
		c->params->priority_flags = cases[i].flags;
		assert_true(cluster_finish(c, NULL));
		assert_int_equal(p->tres_total[TRES_BILLING], cases[i].billing);
		cluster_free(c);
	}
}

static void available(void **state)
{
	static const struct {
		enum node_base base;
		uint32_t flags;
		bool available;
	} cases[] = {
	    {NODE_IDLE, 0, true},
	    {NODE_DOWN, 0, false},
	    {NODE_FUTURE, 0, false},
	    {NODE_UNKNOWN, 0, false},
	    {NODE_IDLE, NODE_DRAIN, false},
	    {NODE_IDLE, NODE_FAIL, false},
	    {NODE_IDLE, NODE_NOT_RESPONDING, false},
	    {NODE_IDLE, NODE_POWERING_DOWN, false},
	    {NODE_IDLE, NODE_INVALID_REG, false},
	    {NODE_IDLE, NODE_POWERED_DOWN, true},
	    {NODE_IDLE, NODE_COMPLETING | NODE_MAINT | NODE_PLANNED | NODE_RESERVED, true},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct node n = {.base = cases[i].base, .flags = cases[i].flags};
		assert_int_equal(node_available(&n), cases[i].available);
	}
}

static void parameters(void **state)
{
	struct sched_params *p = sched_params_new(SLURM_26), *old = sched_params_new(SLURM_22_05);

	(void)state;
	assert_true(p->select_type == SELECT_CONS_TRES && p->cr_unit == CR_CORE && p->cr_memory);
	assert_int_equal(p->priority_type, PRIORITY_MULTIFACTOR);
	assert_true(old->select_type == SELECT_LINEAR && old->cr_unit == CR_NONE && !old->cr_memory);
	assert_int_equal(old->priority_type, PRIORITY_BASIC);
	assert_int_equal(p->bf_window, 86400);
	assert_int_equal(p->bf_max_time, p->bf_interval);
	assert_int_equal(p->bf_node_space_size, p->bf_max_job_test);
	assert_int_equal(p->max_job_id, 0x03ff0000);
	assert_int_equal(p->priority_decay_half_life, 604800);
	assert_int_equal(p->default_queue_depth, 100);
	sched_params_free(p);
	sched_params_free(old);
	sched_params_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(table),     cmocka_unit_test(node_sets), cmocka_unit_test(errors),
	    cmocka_unit_test(available), cmocka_unit_test(billing),   cmocka_unit_test(parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
