/* topopt_test.c - bf_topopt_enable and bf_topopt_iterations (B47): the slot whose rest breaks up fewest blocks, switches or rings. */
#include "tests/unit/topo_helper.h"

static const char three_blocks[] = "BlockName=k0 Nodes=n[1-2]\nBlockName=k1 Nodes=n[3-4]\nBlockName=k2 Nodes=n[5-6]\nBlockSizes=2\n";
static const char three_leaves[] = "SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n[3-4]\nSwitchName=s2 Nodes=n[5-6]\nSwitchName=top Switches=s[0-2]\n";

/* All nodes are busy until 60, and then promised so that n1 and n2 are free from 60, n5 and n6 from 120, n3, which is preferred for its weight, from 180. */
static struct world *busy(const char *topology, int iterations)
{
	struct world *w = world_new(SLURM_26);
	w_nodes(w, "n[1-2,4-6]", 1, 4, 1)->weight = 2;
	w_nodes(w, "n3", 1, 4, 1)->weight = 1;
	w_part(w, "p", "n[1-6]")->max_time = 1440;
	if (topology)
		w_topology(w, topology);
	w->p->bf_topopt_enable = iterations > 0;
	w->p->bf_topopt_iterations = MAX(iterations, 2);
	w_begin(w, 0);
	for (int i = 1; i <= 6; i++) {
		g_autofree char *name = g_strdup_printf("n%d", i);
		w_run(w, 0, name, 1);
	}
	w_job(w, 1, "nodelist", "n[5-6]", "nodes", "2", "ntasks", "8", "time", "1", "priority", "900", NULL);
	w_job(w, 1, "nodelist", "n3", "nodes", "1", "ntasks", "4", "time", "2", "priority", "800", NULL);
	w_job(w, 1, "nodelist", "n4", "nodes", "1", "ntasks", "4", "time", "60", "priority", "700", NULL);
	return w;
}

/* b wants one node; c, behind it, the whole block k0. */
static void plans(const char *topology, int iterations, sec_t b_at, const char *b_on, sec_t c_at)
{
	struct world *w = busy(topology, iterations);
	struct job *b = w_job(w, 2, "nodes", "1", "ntasks", "4", "time", "1", "priority", "600", NULL);
	struct job *c = w_job(w, 2, "nodelist", "n[1-2]", "nodes", "2", "ntasks", "8", "time", "1", "priority", "500", NULL);
	w_backfill(w, 30);
	w_planned(w, b, b_at, b_on);
	w_planned(w, c, c_at, "n[1-2]");
	world_free(w);
}

/* at 60 and at 120 a block is left with one of two nodes, at 180 all that is left is whole */
static void the_lowest_score(void **state)
{
	(void)state;
	plans(three_blocks, 0, 60, "n1", 120);
	plans(three_blocks, 10, 180, "n3", 60);
	plans(three_leaves, 0, 60, "n1", 120);
	plans(three_leaves, 10, 180, "n3", 60);
}

/* bf_topopt_iterations counts the slots; of equal ones the first is taken */
static void iterations(void **state)
{
	(void)state;
	plans(three_blocks, 2, 60, "n1", 120);
	plans(three_blocks, 3, 180, "n3", 60);
}

static void flat_takes_the_first(void **state)
{
	(void)state;
	plans(NULL, 10, 60, "n1", 120);
}

/* What can start now does (B26): only plans are chosen among. */
static void starts_are_not_put_off(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	w_topology(w, "BlockName=k0 Nodes=n[1-2]\nBlockName=k1 Nodes=n[3-4]\nBlockSizes=2\n");
	w->p->bf_topopt_enable = true;
	w_begin(w, 0);
	struct job *j = w_job(w, 1, "nodes", "1", "ntasks", "4", "time", "1", NULL);
	w_backfill(w, 30);
	w_runs_on(w, j, 30, "n1");
	world_free(w);
}

static uint32_t fragments(const char *topology, const char *left)
{
	struct world *w = w_simple(SLURM_26, "n[1-8]", 4);
	w_topology(w, topology);
	w_begin(w, 0);
	struct bitset *b = bitset_new(w->cl->n_nodes);
	g_autoptr(GPtrArray) names = hostlist_expand(left, NULL);
	for (guint i = 0; i < names->len; i++)
		bitset_set(b, cluster_find_node(w->cl, names->pdata[i])->index);
	uint32_t n = topology_fragments(((struct partition *)w->cl->partitions->pdata[0])->topology, b);
	bitset_free(b);
	world_free(w);
	return n;
}

static void the_measure(void **state)
{
	(void)state;
	static const char blocks[] = "BlockName=k0 Nodes=n[1-2]\nBlockName=k1 Nodes=n[3-4]\nBlockName=k2 Nodes=n[5-6]\nBlockName=k3 Nodes=n[7-8]\nBlockSizes=2,4\n";
	assert_int_equal(fragments(blocks, "n[1-8]"), 0);
	assert_int_equal(fragments(blocks, "n[2-8]"), 2);   /* k0, and k0 with k1 */
	assert_int_equal(fragments(blocks, "n[3-8]"), 1);   /* k0 with k1 */
	assert_int_equal(fragments(blocks, "n[5-8]"), 0);
	assert_int_equal(fragments(blocks, "n[2,4,6,8]"), 6);
	static const char tree[] = "SwitchName=s0 Nodes=n[1-4]\nSwitchName=s1 Nodes=n[5-8]\nSwitchName=top Switches=s[0-1]\n";
	assert_int_equal(fragments(tree, "n[1-8]"), 0);
	assert_int_equal(fragments(tree, "n[2-8]"), 2);   /* s0 and top */
	assert_int_equal(fragments(tree, "n[5-8]"), 1);   /* top */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_lowest_score), cmocka_unit_test(iterations),  cmocka_unit_test(flat_takes_the_first),
	    cmocka_unit_test(starts_are_not_put_off), cmocka_unit_test(the_measure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
