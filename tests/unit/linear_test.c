/* linear_test.c - select/linear (N75): sets by weight, largest nodes first where they differ, runs without weights */
#include "topo_helper.h"

struct set {
	const char *nodes;
	uint16_t cores;
	uint32_t weight;
};

static struct world *linear_world(enum slurm_version v, const struct set *sets)
{
	struct world *w = world_new(v);
	w->p->select_type = SELECT_LINEAR;
	w->p->cr_unit = CR_NONE;
	for (; sets->nodes; sets++)
		w_nodes(w, sets->nodes, 1, sets->cores, 1)->weight = sets->weight;
	w_part(w, "p", "ALL");
	w_begin(w, 1);
	return w;
}

static void largest_first(void **state)
{
	static const struct set sets[] = {{"n[1-2]", 4, 1}, {"n[3-5]", 16, 1}, {NULL, 0, 0}};
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = linear_world(v, sets);
		w_gets(w, 10, "n[4-5]", "ntasks", "20"); /* the highest index of the largest */
		w_gets(w, 11, "n[1-2]", "ntasks", "8");  /* the first set does */
		world_free(w);
		w = linear_world(v, sets);
		w_gets(w, 10, "n1", "ntasks", "1"); /* whole, without a look for the best fit */
		w_gets(w, 11, "n2", "ntasks", "1");
		world_free(w);
	}
}

static void sets_by_weight(void **state)
{
	static const struct set sets[] = {{"n[1-2]", 4, 10}, {"n[3-4]", 4, 1}, {NULL, 0, 0}};
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = linear_world(v, sets);
		w_gets(w, 10, "n3", "nodes", "1");
		world_free(w);
		w = linear_world(v, sets);
		w_gets(w, 10, "n[1-3]", "nodes", "3"); /* all sets together: weights do not count inside */
		world_free(w);
	}
}

static void runs(void **state)
{
	static const struct set sets[] = {{"n[1-6]", 4, 1}, {NULL, 0, 0}};
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = linear_world(v, sets);
		w_run(w, 10, "n2", 60);
		w_gets(w, 11, "n1", "nodes", "1"); /* the smaller of the runs that are enough */
		w_gets(w, 12, "n[3-4]", "nodes", "2");
		world_free(w);
		w = linear_world(v, sets);
		w_run(w, 10, "n3", 60);
		w_gets(w, 11, "n[4-6]", "nodes", "3", "contiguous", "");
		w_gets(w, 12, "n[1-2]", "ntasks", "8");
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(largest_first), cmocka_unit_test(sets_by_weight),
	                                   cmocka_unit_test(runs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
