/* block_test.c - topology/block with segments (N49): example W11, recorded choices. */
#include "tests/unit/topo_helper.h"

static const char four_blocks[] =
    "BlockName=k0 Nodes=b[01-04]\nBlockName=k1 Nodes=b[05-08]\nBlockName=k2 Nodes=b[09-12]\n"
    "BlockName=k3 Nodes=b[13-16]\nBlockSizes=4,8\n";

static struct world *blocks(const char *busy)
{
	struct world *w = w_simple(SLURM_26, "b[01-16]", 4);
	w_topology(w, four_blocks);
	w_begin(w, 0);
	g_autoptr(GPtrArray) names = hostlist_expand(busy ? busy : "", NULL);
	for (guint i = 0; i < names->len; i++)
		w_run(w, 5, names->pdata[i], 60);
	return w;
}

#define GETS(busy, want, ...)                                                                                          \
	do {                                                                                                           \
		struct world *w_ = blocks(busy);                                                                       \
		w_gets(w_, 20, want, __VA_ARGS__);                                                                     \
		world_free(w_);                                                                                        \
	} while (0)

/* W11, b01 busy */
static void example(void **state)
{
	(void)state;
	GETS("b01", "b[02-04]", "nodes", "3");
	GETS("b01", "b[02,05-08]", "nodes", "5", "ntasks", "20");
	GETS("b01", "b[02-03,05-08]", "nodes", "6");
	GETS("b01", "b[09-16]", "nodes", "8");
	GETS("b01", "b[05-16]", "nodes", "12", "ntasks", "48");
}

static void example_segments(void **state)
{
	(void)state;
	GETS("b01", "b[02-03,13-14]", "nodes", "4", "segment", "2");
	GETS("b01", "b[13-16]", "nodes", "4", "segment", "2", "consolidate-segments", "");
}

static void recorded(void **state)
{
	(void)state;
	GETS("b[01-03,09-10,13-15]", "b[04-08]", "nodes", "5", "ntasks", "20");
	struct world *w = w_simple(SLURM_26, "b[01-16]", 4);
	w_topology(w, four_blocks);
	w_begin(w, 0);
	GError *error = NULL;
	assert_true(controller_update_node(w->c, "b06", "down", "test", USEC, &error));
	w_gets(w, 20, "b[01-05,07]", "nodes", "6");
	world_free(w);
}

/* N49.1: a segment larger than the job is ignored, one that does not divide it can never run. */
static void odd_segments(void **state)
{
	(void)state;
	GETS(NULL, "b[13-15]", "nodes", "3", "segment", "4");
	struct world *w = blocks(NULL);
	w_refused(w, 10, "Requested node configuration is not available", "nodes", "4", "segment", "3", NULL);
	world_free(w);
}

/* Segments on base blocks of their own. */
static void spread(void **state)
{
	(void)state;
	GETS("b01", "b[02-03,13-14]", "nodes", "4", "segment", "2", "spread-segments", "");
	GETS(NULL, "b[13-16]", "nodes", "4", "segment", "2");
	GETS(NULL, "b[09-10,13-14]", "nodes", "4", "segment", "2", "spread-segments", "");
}

/* Required nodes: the group that holds them all, or no start. */
static void required(void **state)
{
	(void)state;
	GETS("b01", "b[05-06]", "nodes", "2", "nodelist", "b06");
	struct world *w = blocks(NULL);
	w_refused(w, 10, "Requested node configuration is not available", "nodes", "2", "nodelist", "b[04,05]", NULL);
	world_free(w);
}

/* --exclusive=topo: only blocks that nobody uses. */
static void exclusive_topo(void **state)
{
	(void)state;
	GETS("b[01,05,09]", "b[13-14]", "nodes", "2", "exclusive", "topo");
	GETS("b[01,05,09]", "b13", "nodes", "1", "exclusive", "topo"); /* N40 too */
}

/* Its block is then kept from others until it ends, also in plans. */
static void held_block(void **state)
{
	(void)state;
	struct world *w = blocks("b[01-12]");
	struct job *j = w_job(w, 20, "nodes", "2", "exclusive", "topo", "time", "30", NULL);
	w_full(w, 20);
	w_runs_on(w, j, 20, "b[13-14]");
	struct job *one = w_job(w, 21, "nodes", "1", "time", "5", NULL);
	w_full(w, 21);
	w_waits(one, REASON_RESOURCES); /* b15 and b16 are idle */
	w_backfill(w, 60);
	w_waits(one, REASON_RESOURCES);
	w_end(w, j, 70, 0, true);
	w_full(w, 71);
	w_runs_on(w, one, 71, "b13");
	world_free(w);
}

/* One-node jobs: N40. No BlockSizes: the base is the first block's size. */
static void one_node(void **state)
{
	(void)state;
	GETS("b01", "b02", "ntasks", "1");
	struct world *w = w_simple(SLURM_26, "b[01-08]", 4);
	w_topology(w, "BlockName=k0 Nodes=b[01-04]\nBlockName=k1 Nodes=b[05-08]\n");
	w_begin(w, 0);
	assert_int_equal(cluster_find_topology(w->cl, NULL)->base_size, 4);
	w_run(w, 1, "b[05-06]", 60);
	w_gets(w, 2, "b[07-08]", "nodes", "2");
	world_free(w);
}

/* ---- W12: ring and torus ---- */

static const char two_rings[] = "RingName=a Nodes=r[01-08]\nRingName=b Nodes=r[09-16]\n";

static void ring(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "r[01-16]", 4);
	w_topology(w, two_rings);
	w_begin(w, 0);
	w_gets(w, 1, "r[01-03]", "nodes", "3", "exclusive", "");
	w_gets(w, 2, "r[04-07]", "nodes", "4", "exclusive", "");
	w_gets(w, 3, "r[09-10]", "nodes", "2", "exclusive", "");
	w_gets(w, 4, "r08", "nodes", "1", "exclusive", "");
	w_refused(w, 5, "configuration is not available", "nodes", "9", NULL);
	world_free(w);
	w = w_simple(SLURM_26, "r[01-16]", 4);
	w_topology(w, two_rings);
	w_begin(w, 0);
	w_run(w, 1, "r[02-05]", 60);
	w_gets(w, 2, "r[01,06-08]", "nodes", "4", "exclusive", ""); /* closed: r06 r07 r08 r01 */
	w_refused(w, 3, "configuration is not available", "nodes", "6", "segment", "2", NULL); /* one run a ring */
	world_free(w);
}

static const char torus_yaml[] = "- topology: t\n"
                                 "  torus3d:\n"
                                 "    toruses:\n"
                                 "      - name: q\n"
                                 "        nodes: q[01-16]\n"
                                 "        dims: \n"
                                 "          x: 4\n"
                                 "          y: 2\n"
                                 "          z: 2\n"
                                 "        placements:\n"
                                 "        - dims:\n"
                                 "            x: 2\n"
                                 "        - dims:\n"
                                 "            x: 2\n"
                                 "            y: 2\n"
                                 "        - dims:\n"
                                 "            x: 2\n"
                                 "            y: 2\n"
                                 "            z: 2\n"
                                 "        - dims:\n"
                                 "            x: 4\n"
                                 "            y: 2\n"
                                 "            z: 2\n";

static void torus(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "q[01-16]", 4);
	w_topology(w, torus_yaml);
	w_begin(w, 0);
	w_gets(w, 1, "q[01-02]", "nodes", "2", "exclusive", "");
	w_gets(w, 2, "q[09-10,13-14]", "nodes", "4", "exclusive", "");
	w_refused(w, 3, "configuration is not available", "nodes", "3", NULL);
	w_refused(w, 4, "configuration is not available", "nodes", "1", NULL);
	w_gets(w, 5, "q[03-04,07-08,11-12,15-16]", "nodes", "8", "segment", "4", "exclusive", "");
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(example),        cmocka_unit_test(example_segments), cmocka_unit_test(recorded),
	    cmocka_unit_test(odd_segments),   cmocka_unit_test(spread),           cmocka_unit_test(required),
	    cmocka_unit_test(exclusive_topo), cmocka_unit_test(held_block), cmocka_unit_test(one_node),         cmocka_unit_test(ring),
	    cmocka_unit_test(torus),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
