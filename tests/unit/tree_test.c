/* tree_test.c - topology/tree and dragonfly (N48): example W10, recorded choices, --switches. */
#include "tests/unit/topo_helper.h"

static const char two_leaves[] =
    "SwitchName=l0 Nodes=t[1-4]\nSwitchName=l1 Nodes=t[5-8]\nSwitchName=top Switches=l[0-1]\n";

static struct world *leaves(enum slurm_version version)
{
	struct world *w = w_simple(version, "t[1-8]", 4);
	w_topology(w, two_leaves);
	w_begin(w, 0);
	return w;
}

/* W10: t1, t2 busy: both leaves fit, the one with fewer nodes wins. */
static void both_fit(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = leaves(v);
			w_run(w, 10, "t[1-2]", 60);
			w_gets(w, 20, "t[3-4]", "nodes", "2", "ntasks", "8");
			world_free(w);
		}
}

/* W10: t1 busy: no leaf holds 5, the fuller one comes first. */
static void none_fits(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = leaves(v);
			w_run(w, 10, "t1", 60);
			w_gets(w, 20, "t[2,5-8]", "nodes", "5", "ntasks", "20");
			world_free(w);
		}
}

/* W10: a range takes the leaf that holds its upper end; tasks 3, 3, 1, 1. */
static void range(void **state)
{
	(void)state;
	struct world *w = leaves(SLURM_26);
	w_run(w, 10, "t1", 60);
	struct job *j = w_job(w, 20, "nodes", "2-4", "ntasks", "8", "time", "30", NULL);
	w_full(w, 20);
	w_runs_on(w, j, 20, "t[5-8]");
	static const uint16_t tasks[] = {3, 3, 1, 1};
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(j->alloc->node[i].tasks, tasks[i]);
	world_free(w);
}

/* W10: only a number of tasks: the first leaf, filled from its first node on. */
static void tasks_only(void **state)
{
	(void)state;
	struct world *w = leaves(SLURM_26);
	w_busy(w, 10, "t1", 3);
	struct job *j = w_job(w, 20, "ntasks", "6", "time", "30", NULL);
	w_full(w, 20);
	w_runs_on(w, j, 20, "t[1-3]");
	static const uint16_t cpus[] = {1, 4, 1};
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(j->alloc->node[i].cpus, cpus[i]);
	world_free(w);
}

/* W10, recorded: one-node jobs go to the smallest leaf in 22.05, to the first node in 26. */
static void one_node(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = w_simple(v, "n[01-06]", 4);
			w_topology(
			    w, "SwitchName=s1 Nodes=n[01-02]\nSwitchName=s2 Nodes=n[03-05]\nSwitchName=s3 Nodes=n06\n"
			       "SwitchName=top Switches=s[1-3]\n");
			w_begin(w, 0);
			for (int i = 0; i < 4; i++)
				w_gets(w, 10 + i, v == SLURM_26 ? "n01" : "n06", "ntasks", "1");
			w_gets(w, 20, v == SLURM_26 ? "n02" : "n01", "ntasks", "1");
			world_free(w);
		}
}

/* ---- the recorded run topo_tree (26.11): states of the cluster and what was decided from them ---- */

static struct world *recorded(void)
{
	struct world *w = w_simple(SLURM_26, "t[01-16]", 4);
	w_topology(w, "SwitchName=l0 Nodes=t[01-04]\nSwitchName=l1 Nodes=t[05-08]\nSwitchName=l2 Nodes=t[09-12]\n"
	              "SwitchName=l3 Nodes=t[13-16]\nSwitchName=s0 Switches=l[0-1]\nSwitchName=s1 Switches=l[2-3]\n"
	              "SwitchName=core Switches=s[0-1]\n");
	w->p->max_switch_wait = 60;
	w_begin(w, 0);
	return w;
}

static void recorded_starts(void **state)
{
	(void)state;
	struct world *w = recorded();
	w_gets(w, 1, "t01", "nodes", "1", "ntasks", "4");
	w_gets(w, 2, "t[02-03]", "nodes", "2", "ntasks", "8");
	w_gets(w, 5, "t[05-07]", "nodes", "3", "ntasks", "12");
	w_gets(w, 6, "t[09-10]", "nodes", "2", "ntasks", "8");
	w_gets(w, 7, "t04", "ntasks", "2");
	w_gets(w, 8, "t[13-16]", "nodes", "4", "ntasks", "16");
	w_gets(w, 15, "t[04,08]", "ntasks", "6", "exclude", "t[11-12]"); /* planned for others then */
	world_free(w);
}

/* three_sw1w and three_sw1 wait for one leaf; the first gives up waiting after its 20 seconds. */
static void recorded_switches(void **state)
{
	(void)state;
	struct world *w = recorded();
	w_run(w, 5, "t[01-07,09-10,13-16]", 60);
	struct job *one =
	    w_job(w, 7, "nodes", "3", "ntasks", "12", "switches", "1", "time", "2", "priority", "10", NULL);
	struct job *wait =
	    w_job(w, 8, "nodes", "3", "ntasks", "12", "switches", "1@00:20", "time", "2", "priority", "20", NULL);
	w_full(w, 8);
	w_waits(wait, REASON_RESOURCES);
	w_full(w, 27);
	w_waits(wait, REASON_RESOURCES);
	w_full(w, 28);
	w_runs_on(w, wait, 28, "t[08,11-12]");
	assert_int_equal(one->state, JOB_PENDING);
	world_free(w);
}

/* five, six_sw2 */
static void recorded_crossing(void **state)
{
	(void)state;
	struct world *w = recorded();
	w_run(w, 5, "t[01,04,08-10,13-15]", 60);
	w_gets(w, 45, "t[02-03,05-07]", "nodes", "5", "ntasks", "20");
	world_free(w);
	w = recorded();
	w_run(w, 5, "t[04,08-10,12,16]", 60);
	w_gets(w, 71, "t[01-03,05-07]", "nodes", "6", "ntasks", "24", "switches", "2@01:00");
	world_free(w);
}

/* n12spread: single nodes left in three leaves; w_t10: a required node; x: excluded ones. */
static void recorded_fragments(void **state)
{
	(void)state;
	struct world *w = recorded();
	w_run(w, 5, "t[01-03,05-10,13-15]", 60);
	w_gets(w, 55, "t[04,11-12,16]", "nodes", "4", "ntasks", "8");
	world_free(w);
	w = recorded();
	w_run(w, 5, "t[01-07,13-14]", 60);
	w_gets(w, 81, "t[09-10]", "nodes", "2", "ntasks", "8", "nodelist", "t10");
	world_free(w);
	w = recorded();
	w_run(w, 5, "t[09-10,12,16]", 60);
	w_gets(w, 75, "t[13-14]", "nodes", "2", "ntasks", "8", "exclude", "t[01-08]");
	world_free(w);
}

/* ---- further rules ---- */

/* (a): required nodes under two roots can never run; one root only. */
static void required(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "t[1-8]", 4);
	w_topology(w, "SwitchName=l0 Nodes=t[1-4]\nSwitchName=l1 Nodes=t[5-8]\n");
	w_begin(w, 0);
	w_refused(w, 1, "Requested node configuration is not available", "nodes", "2", "nodelist", "t[1,5]", NULL);
	w_refused(w, 2, "Requested node configuration is not available", "nodes", "5", NULL);
	w_gets(w, 3, "t[5-6]", "nodes", "2", "nodelist", "t6");
	world_free(w);
}

/* (b): lighter nodes first; all of a group opened before the last are taken. */
static void weight_groups(void **state)
{
	(void)state;
	struct world *w = world_new(SLURM_26);
	w_nodes(w, "t[2,6]", 1, 4, 1)->weight = 1;
	w_nodes(w, "t[1,3-5,7-8]", 1, 4, 1)->weight = 5;
	w_part(w, "p", "t[1-8]");
	w_topology(w, two_leaves);
	w_begin(w, 0);
	w_gets(w, 1, "t[1-2,6]", "nodes", "3", "ntasks", "3");
	world_free(w);
}

/* (f): a range gives up nodes to stay within the switches, up to 26 only. */
static void fewer_nodes(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		{
			struct world *w = leaves(v);
			w_run(w, 1, "t[1,8]", 60);
			struct job *j = w_job(w, 2, "nodes", "2-5", "switches", "1", "time", "30", NULL);
			w_full(w, 2);
			if (v == SLURM_26)
				w_runs_on(w, j, 2, "t[2-4]");
			else
				w_waits(j, REASON_RESOURCES);
			world_free(w);
		}
}

/* TopoOptional: the tree counts only with --switches. */
static void optional(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "t[1-8]", 4);
	w_topology(w, two_leaves);
	w->p->topo_optional = true;
	w_begin(w, 0);
	w_run(w, 1, "t[1-3]", 60);
	w_gets(w, 2, "t[4-5]", "nodes", "2", "exclusive", "");
	w_gets(w, 3, "t[6-7]", "nodes", "2", "switches", "1");
	world_free(w);
}

/* dragonfly: one leaf that suffices, else one node of each in turn. */
static void dragonfly(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "t[1-8]", 4);
	w_topology(w, two_leaves);
	w->p->topo_dragonfly = true;
	w_begin(w, 0);
	w_gets(w, 1, "t[1-3]", "nodes", "3", "exclusive", "");
	w_gets(w, 2, "t[4-8]", "nodes", "5", "exclusive", "");
	world_free(w);
	w = w_simple(SLURM_26, "t[1-8]", 4);
	w_topology(w, two_leaves);
	w->p->topo_dragonfly = true;
	w_begin(w, 0);
	w_gets(w, 1, "t[1-3,5-6]", "nodes", "5");
	world_free(w);
}

/* SwitchAsNodeRank: the table follows the leaves. */
static void node_rank(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "t[1-6]", 4);
	w_topology(w, "SwitchName=a Nodes=t[4-5]\nSwitchName=b Nodes=t[1-2]\nSwitchName=top Switches=a,b\n");
	topology_rank_nodes(cluster_find_topology(w->cl, NULL));
	w_begin(w, 0);
	static const char *const order[] = {"t4", "t5", "t1", "t2", "t3", "t6"};
	for (uint32_t i = 0; i < 6; i++)
		assert_string_equal(w->cl->node[i]->name, order[i]);
	w_gets(w, 1, "t4", "ntasks", "1");
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_fit),
	    cmocka_unit_test(none_fits),
	    cmocka_unit_test(range),
	    cmocka_unit_test(tasks_only),
	    cmocka_unit_test(one_node),
	    cmocka_unit_test(recorded_starts),
	    cmocka_unit_test(recorded_switches),
	    cmocka_unit_test(recorded_crossing),
	    cmocka_unit_test(recorded_fragments),
	    cmocka_unit_test(required),
	    cmocka_unit_test(weight_groups),
	    cmocka_unit_test(fewer_nodes),
	    cmocka_unit_test(optional),
	    cmocka_unit_test(dragonfly),
	    cmocka_unit_test(node_rank),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
