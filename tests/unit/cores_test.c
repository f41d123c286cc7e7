/* cores_test.c - which cores of a node: N54, N55, and the examples of W3 that are about cores alone */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/base/bitset.h"
#include "sched/cores.h"
#include <string.h>

struct cores_case {
	const char *cand;
	struct core_request r;
	const char *cyclic, *block;
};

static char *run(const struct node_config *k, const struct cores_case *c, bool block)
{
	struct bitset *cand = bitset_new(k->cores), *out = bitset_new(k->cores);
	assert_true(bitset_from_ranges(cand, c->cand));
	if (block)
		cores_block(k, cand->word, &c->r, out->word);
	else
		cores_cyclic(k, cand->word, &c->r, out->word);
	char *text = bitset_to_ranges(out);
	bitset_free(cand);
	bitset_free(out);
	return text;
}

static void choice(void **state)
{
	const struct node_config k = {.boards = 1, .sockets = 2, .cores_per_socket = 4, .cores = 8, .cpus = 8, .cpus_per_core = 1};
	static const struct cores_case cases[] = {
	    {"0-7", {.cpus = 3, .cpt = 1, .c = 1}, "0-1,4", "0-2"},                    /* W3 */
	    {"0-7", {.cpus = 6, .cpt = 2, .c = 1}, "0-5", "0-5"},                      /* W3: -n3 -c2 */
	    {"3-6", {.cpus = 4, .cpt = 4, .c = 1}, "3-6", "3-6"},                      /* W3: no socket holds a task */
	    {"3-7", {.cpus = 4, .cpt = 4, .c = 1}, "4-7", "4-7"},                      /* W3 in 22.05: socket 1 does */
	    {"0-7", {.cpus = 3, .cpt = 1, .c = 2}, "0,4", "0-1"},                      /* two CPUs a core */
	    {"0-1,4-7", {.cpus = 4, .cpt = 1, .c = 1}, "0-1,4-5", "4-7"},              /* the smallest socket that suffices */
	    {"0-2,4-5", {.cpus = 2, .cpt = 1, .c = 1}, "0,4", "4-5"},
	    {"0-7", {.cpus = 2, .cpt = 1, .c = 1, .per_socket = 1}, "0,4", "0-1"},     /* ntasks-per-socket=1 */
	    {"0-7", {.cpus = 2, .cpt = 1, .c = 1, .per_socket = 4}, "4-5", "0-1"},     /* sockets left out from the lowest */
	    {"0-7", {.cpus = 6, .cpt = 3, .c = 2, .whole_core_task = true}, "0-3", "0-2"}, /* a task uses whole cores */
	    {"0-1", {.cpus = 4, .cpt = 1, .c = 1}, "0-1", "0-1"},                      /* too few: what there is */
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *cyclic = run(&k, &cases[i], false), *block = run(&k, &cases[i], true);
		if (strcmp(cyclic, cases[i].cyclic) != 0 || strcmp(block, cases[i].block) != 0)
			fail_msg("case %zu: cyclic %s, block %s", i, cyclic, block);
	}
}

/* N55: fewest boards, the one with fewer candidates among equals */
static void boards(void **state)
{
	const struct node_config k = {.boards = 2, .sockets = 4, .cores_per_socket = 2, .cores = 8, .cpus = 8, .cpus_per_core = 1};
	static const struct cores_case cases[] = {
	    {"0-7", {.cpus = 4, .cpt = 1, .c = 1}, "0,2,4,6", "4-7"},   /* equal boards: the last */
	    {"0-3,4-6", {.cpus = 3, .cpt = 1, .c = 1}, "0,2,4", "4-6"}, /* fewer candidates */
	    {"0-1,4-7", {.cpus = 4, .cpt = 1, .c = 1}, "0-1,4,6", "4-7"},
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *block = run(&k, &cases[i], true);
		assert_string_equal(block, cases[i].block);
	}
}

static void masks(void **state)
{
	const struct node_config k = {.boards = 1, .sockets = 2, .cores_per_socket = 40, .cores = 80};
	uint64_t w[2] = {UINT64_MAX, UINT64_MAX >> 48};
	(void)state;
	assert_int_equal(cores_all(w, &k), 80);
	assert_int_equal(cores_on_socket(w, &k, 1), 40);
	cores_keep_on_socket(w, &k, 1, 30); /* over the border of two words */
	assert_int_equal(cores_on_socket(w, &k, 1), 30);
	assert_int_equal(cores_on_socket(w, &k, 0), 40);
	cores_drop_broken_sockets(w, &k);
	assert_int_equal(cores_on_socket(w, &k, 1), 0);
	core_set(w, 70);
	cores_fill_sockets(w, &k);
	assert_int_equal(cores_all(w, &k), 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(choice),
	    cmocka_unit_test(boards),
	    cmocka_unit_test(masks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
