/* topoconf_test.c - topology.conf and topology.yaml (slurm-conf.md 7.2 to 7.5): what is read, and every error with its
 * place. */
#include "tests/unit/models_helper.h"
#include "models/slurmconf.h"
#include "models/topoconf.h"
#include <string.h>

static struct cluster *eight_nodes(void)
{
	struct cluster *c = cluster_new(SLURM_26);
	struct node_config *k = cluster_add_config(c);
	for (int i = 1; i <= 8; i++) {
		char *name = g_strdup_printf("n%d", i);
		cluster_add_node(c, name, k);
		g_free(name);
	}
	cluster_add_partition(c, "p")->nodes_text = g_strdup("ALL");
	return c;
}

static void read_text(struct cluster *c, const char *text, struct diag *d)
{
	if (*text == '-' || *text == '#')
		topoyaml_read_text(c, text, "topology.yaml", d);
	else
		topoconf_read_text(c, text, "topology.conf", TOPOLOGY_FLAT, d);
}

static void nodes_are(const struct cluster *c, const struct topo_unit *u, const char *want)
{
	char *names = cluster_format_nodes(c, u->nodes);
	assert_string_equal(names, want);
	g_free(names);
}

/* Children before or after their parents, levels, several roots. */
static void tree(void **state)
{
	(void)state;
	struct cluster *c = eight_nodes();
	struct diag *d = diag_new();
	read_text(c,
	          "SwitchName=top Switches=mid,c\nSwitchName=a Nodes=n[1-2] LinkSpeed=100\nSwitchName=b Nodes=n3,n4\n"
	          "SwitchName=mid Switches=a,b\nSwitchName=c Nodes=n[5-6]\nSwitchName=other Nodes=n[7-8]\n",
	          d);
	assert_clean(d);
	assert_warnings(d, 0);
	assert_true(cluster_finish(c, NULL));
	const struct topology *t = cluster_find_topology(c, NULL);
	assert_int_equal(t->kind, TOPOLOGY_TREE);
	static const struct {
		uint32_t level, parent;
		const char *nodes;
	} want[] = {{2, TOPO_NONE, "n[1-6]"}, {0, 3, "n[1-2]"}, {0, 3, "n[3-4]"},
	            {1, 0, "n[1-4]"},         {0, 0, "n[5-6]"}, {0, TOPO_NONE, "n[7-8]"}};
	assert_int_equal(t->units->len, G_N_ELEMENTS(want));
	for (uint32_t i = 0; i < t->units->len; i++) {
		assert_int_equal(topology_unit(t, i)->level, want[i].level);
		assert_int_equal(topology_unit(t, i)->parent, want[i].parent);
		nodes_are(c, topology_unit(t, i), want[i].nodes);
	}
	assert_int_equal(topology_links(t, 1, 2), 2);
	assert_int_equal(topology_links(t, 1, 4), 3);
	assert_int_equal(topology_links(t, 1, 0), 2);
	assert_ptr_equal(c->default_partition ? c->default_partition->topology : t, t);
	cluster_free(c);
	diag_free(d);
}

static void block_sizes(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		uint32_t base, levels;
	} cases[] = {{"BlockSizes=2,4,8", 2, 7}, {"BlockSizes=8,2", 2, 5}, {"BlockSizes=1", 1, 1}, {"", 2, 0x1f}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct cluster *c = eight_nodes();
		struct diag *d = diag_new();
		char *text = g_strdup_printf(
		    "BlockName=a Nodes=n[1-2]\nBlockName=b Nodes=n[3-4]\nBlockName=c Nodes=n[5-8]\n%s\n",
		    cases[i].line);
		read_text(c, text, d);
		assert_clean(d);
		assert_int_equal(cluster_find_topology(c, NULL)->base_size, cases[i].base);
		assert_int_equal(cluster_find_topology(c, NULL)->levels, cases[i].levels);
		g_free(text);
		cluster_free(c);
		diag_free(d);
	}
}

static void warnings(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
	    {"SwitchName=a Nodes=n[1-9]", "topology.conf:1:20: switch a: unknown node n9 is left out"},
	    {"SwitchName=a Nodes=n[1-7]", "topology.conf: switches lack access to 1 nodes"},
	    {"SwitchName=a Nodes=n[1-8]\nSwitchName=b Nodes=n8",
	     "topology.conf:2:20: node n8 is in two switches: a and b"},
	    {"SwitchName=a Nodes=n[1-8],n1", "topology.conf:1:20: node n1 stands twice in switch a"},
	    {"SwitchName=a Nodes=n[1-8]\nSwitchName=b Switches=a\nSwitchName=c Switches=a",
	     "topology.conf:3:23: switch a is below b already"},
	    {"BlockName=a Nodes=n[1-7]\nBlockName=b Nodes=n8\nBlockSizes=4",
	     "topology.conf:2:1: block b has 1 nodes, fewer than the base size 4"},
	    {"- topology: t\n  tree:\n    switches:\n    - switch: a\n      nodes: n[1-8]\n      children: b",
	     "topology.yaml:6:17: switch a has nodes"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct cluster *c = eight_nodes();
		struct diag *d = diag_new();
		read_text(c, cases[i][0], d);
		assert_clean(d);
		assert_message(d->warnings, cases[i][1]);
		assert_int_equal(c->topologies->len, 1);
		cluster_free(c);
		diag_free(d);
	}
}

static void errors(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
	    {"SwitchName=a Nodes=n1 Switches=b\nSwitchName=b Nodes=n2",
	     "topology.conf:1:1: switch a has both Nodes and Switches", "a leaf has Nodes"},
	    {"SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2",
	     "topology.conf:2:1: switch a is defined twice, first in line 1", "a name of its own"},
	    {"SwitchName=leaf1 Nodes=n1\nSwitchName=top Switches=leaf2",
	     "topology.conf:2:25: switch top: there is no switch leaf2", "did you mean leaf1?"},
	    {"SwitchName=a Switches=a", "topology.conf:1:23: switch a is its own child", "take it out"},
	    {"SwitchName=a Switches=b\nSwitchName=b Switches=a", "topology.conf:1:1: switch a: a cycle",
	     "check the Switches lists"},
	    {"SwitchName=a[1-2] Nodes=n1", "topology.conf:1:1: switch a[1-2] is more than one name", "a line for each"},
	    {"SwitchName=a Nodes=n[1-", "topology.conf:1:20: bad list", "n[01-16]"},
	    {"SwitchName=a Node=n1", "topology.conf:1:14: unknown topology.conf key Node", "did you mean Nodes?"},
	    {"Nodes=n1", "topology.conf:1:1: the line names no switch, block or ring", "begin with SwitchName"},
	    {"BlockName=a Nodes=n[1-8]\nBlockSizes=2,6",
	     "topology.conf:2:12: invalid BlockSizes value: 6 is not 2 x 2^k", "2, 4, 8"},
	    {"BlockName=a Nodes=n[1-8]\nBlockSizes=2,x", "topology.conf:2:12: bad BlockSizes value \"x\"", "4,16"},
	    {"BlockName=a Nodes=n1\nSwitchName=b Nodes=n2", "topology.conf:2:1: SwitchName among BlockName lines",
	     "one kind of topology"},
	    {"BlockName=a Nodes=n1 Switches=b", "topology.conf:1:22: Switches on a BlockName line", "take it out"},
	    {"RingName=a Nodes=n[1-17]", "topology.conf:1:18: ring a has 17 nodes; at most 16", "several rings"},
	    {"BlockSizes=4", "topology default has no block", ""},
	    {"# nothing", "topology.yaml:1:1: the file is empty", ""},
	    {"- topology: t\n  tree:\n  - x: 1", "topology.yaml:3:3: want a map", "switches"},
	    {"- topology: t\n  trees: 1", "topology.yaml:2:3: unknown key trees", "topology,cluster_default"},
	    {"- tree: 1", "topology.yaml:1:3: topology is missing", ""},
	    {"- topology: t", "topology.yaml:1:3: topology t is of no kind", "flat, tree, block"},
	    {"- topology: t\n  flat: true\n  block: 1", "topology.yaml:3:10: topology t is of two kinds", "make two"},
	    {"- topology: t\n  flat: true\n- topology: t\n  flat: true",
	     "topology.yaml:3:13: topology t is defined twice", ""},
	    {"- topology: t\n  block:\n    block_sizes: [2, x]\n    blocks:\n    - block: a\n      nodes: n[1-8]",
	     "topology.yaml:3:18: bad number", "a whole number"},
	    {"- topology: t\n  tree:\n    switches:\n    - switch: a\n      children: b",
	     "topology.yaml:5:17: switch a: there is no switch b", ""},
	    {"- topology: {a: b}", "topology.yaml:1:13: this form of YAML is not read", "a plain or quoted word"},
	    {"- topology: t\n    flat: true", "topology.yaml:2:5: unexpected indentation", "align it"},
	    {"- topology: t\n\tflat: true", "topology.yaml:2:1: a tab in the indentation", "blanks"},
	    {"- topology: \"t\n  flat: true", "topology.yaml:1:13: bad quoted text", "close the quote"},
	    {"- topology: t\n  topology: u", "topology.yaml:2:3: the key stands twice", "once"},
	    {"- topology: t\n  torus3d:\n    toruses:\n    - name: q\n      nodes: n[1-8]\n      dims:\n        x: 3\n "
	     "     placements: []",
	     "torus q has 8 nodes, but its dims are 3 x 1 x 1", "x first"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct cluster *c = eight_nodes();
		struct diag *d = diag_new();
		read_text(c, cases[i][0], d);
		if (!d->n_errors)
			fail_msg("accepted: %s", cases[i][0]);
		assert_message(d->errors, cases[i][1]);
		assert_message(d->errors, cases[i][2]);
		assert_int_equal(c->topologies->len, 0);
		cluster_free(c);
		diag_free(d);
	}
}

static void all_errors(void **state)
{
	(void)state;
	struct cluster *c = eight_nodes();
	struct diag *d = diag_new();
	read_text(c, "SwitchName=a Nodes=n1 Switches=x\nSwitchName=a Nodes=n2\nFoo=1\nSwitchName=b Switches=nosuch\n",
	          d);
	assert_int_equal(d->n_errors, 4);
	cluster_free(c);
	diag_free(d);
}

static const char two_topologies[] =
    "---\n# of one cluster\n- topology: fabric   # the tree\n  tree:\n    switches:\n      - switch: top\n"
    "        children: l[1-2]\n      - switch: 'l1'\n        nodes: n[1-4]\n      - {}\n";

static void yaml_several(void **state)
{
	(void)state;
	struct cluster *c = eight_nodes();
	struct diag *d = diag_new();
	char *text = g_strdup(two_topologies);
	strcpy(strstr(text, "      - {}"), "");
	char *whole = g_strconcat(
	    text,
	    "      - switch: l2\n        nodes: \"n[5-8]\"\n- topology: nvl\n  cluster_default: true\n  block:\n"
	    "    block_sizes:\n    - 2\n    - 4\n    blocks:\n    - block: b1\n      nodes: n[1-2]\n    - block: b2\n  "
	    "    nodes: n[3-8]\n"
	    "- topology: none\n  flat: true\n",
	    NULL);
	read_text(c, whole, d);
	assert_clean(d);
	assert_true(cluster_finish(c, NULL));
	assert_int_equal(c->topologies->len, 3);
	assert_string_equal(cluster_find_topology(c, NULL)->name, "nvl");
	const struct topology *t = cluster_find_topology(c, "fabric");
	assert_int_equal(t->units->len, 3);
	nodes_are(c, topology_unit(t, 0), "n[1-8]");
	nodes_are(c, topology_unit(t, 2), "n[5-8]");
	assert_int_equal(cluster_find_topology(c, "nvl")->levels, 3);
	assert_int_equal(cluster_find_topology(c, "none")->kind, TOPOLOGY_FLAT);
	assert_null(cluster_find_topology(c, "other"));
	g_free(text);
	g_free(whole);
	cluster_free(c);
	diag_free(d);
}

/* ---- with slurm.conf: which file, Topology= of a partition, node ranks ---- */

static const char conf[] = "NodeName=n[1-8] CPUs=4\nPartitionName=a Nodes=ALL Default=YES\n";

static struct cluster *site(const char *dir, const char *extra, enum slurm_version v, struct diag *d)
{
	char *text = g_strconcat(conf, extra, NULL), *path = g_build_filename(dir, "slurm.conf", NULL);
	struct slurmconf_options o = {.version = v};
	assert_true(g_file_set_contents(path, text, -1, NULL));
	struct cluster *c = slurmconf_read(path, &o, d);
	g_free(text);
	g_free(path);
	return c;
}

static void put(const char *dir, const char *name, const char *text)
{
	char *path = g_build_filename(dir, name, NULL);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	g_free(path);
}

static void beside_slurm_conf(void **state)
{
	(void)state;
	char *dir = dir_new();
	put(dir, "topology.conf",
	    "SwitchName=s2 Nodes=n[5-8]\nSwitchName=s1 Nodes=n[1-4]\nSwitchName=top Switches=s[1-2]\n");
	static const struct {
		const char *extra;
		const char *first;
		bool topology;
	} cases[] = {
	    {"", "n1", false},
	    {"TopologyPlugin=topology/tree\n", "n1", true},
	    {"TopologyPlugin=topology/tree\nTopologyParam=SwitchAsNodeRank,RouteTree\n", "n5", true},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct diag *d = diag_new();
		struct cluster *c = site(dir, cases[i].extra, SLURM_26, d);
		assert_clean(d);
		assert_warnings(d, 0);
		assert_string_equal(c->node[0]->name, cases[i].first);
		assert_int_equal(c->default_partition->topology != NULL, cases[i].topology);
		cluster_free(c);
		diag_free(d);
	}
	dir_drop(dir);
}

static void partition_topology(void **state)
{
	(void)state;
	char *dir = dir_new();
	put(dir, "topology.yaml",
	    "- topology: x\n  tree:\n    switches:\n    - switch: s\n      nodes: n[1-8]\n- topology: y\n  flat: "
	    "true\n");
	struct diag *d = diag_new();
	struct cluster *c = site(dir, "PartitionName=b Nodes=ALL Topology=y\n", SLURM_26, d);
	assert_clean(d);
	assert_non_null(c->default_partition->topology);
	assert_null(cluster_find_partition(c, "b")->topology);
	cluster_free(c);
	diag_free(d);
	d = diag_new();
	assert_null(site(dir, "PartitionName=b Nodes=ALL Topology=z\n", SLURM_26, d));
	assert_message(d->errors, "slurm.conf:3:27: partition b: there is no topology z");
	diag_free(d);
	d = diag_new(); /* 22.05 does not know the file */
	c = site(dir, "", SLURM_22_05, d);
	assert_clean(d);
	assert_int_equal(c->topologies->len, 0);
	cluster_free(c);
	diag_free(d);
	dir_drop(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tree),
	    cmocka_unit_test(block_sizes),
	    cmocka_unit_test(warnings),
	    cmocka_unit_test(errors),
	    cmocka_unit_test(all_errors),
	    cmocka_unit_test(yaml_several),
	    cmocka_unit_test(beside_slurm_conf),
	    cmocka_unit_test(partition_topology),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
