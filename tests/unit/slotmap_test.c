/* slotmap_test.c - backfill's time slots (B41, B43 and the map of B8) */
#include "sched_helper.h"

static struct bitset *set_of(uint32_t n, const char *ranges)
{
	struct bitset *b = bitset_new(n);
	assert_true(bitset_from_ranges(b, ranges));
	return b;
}

static void add(struct slot_map *m, sec_t begin, sec_t end, const char *ranges)
{
	struct bitset *b = set_of(m->n_nodes, ranges);
	slotmap_add(m, begin, end, b, NULL);
	bitset_free(b);
}

static bool conflict(struct slot_map *m, sec_t begin, sec_t end, const char *ranges)
{
	struct bitset *b = set_of(m->n_nodes, ranges);
	bool r = slotmap_conflict(m, begin, end, b, NULL);
	bitset_free(b);
	return r;
}

static void is(struct slot_map *m, const char *want, uint32_t records)
{
	g_autofree char *text = slots_text(NULL, m);
	assert_string_equal(text, want);
	assert_int_equal(m->records, records);
}

static struct slot_map *map4(sec_t begin, sec_t end)
{
	struct slot_map *m = slotmap_new(4);
	struct bitset *all = set_of(4, "0-3");
	slotmap_reset(m, begin, end, all, 60);
	bitset_free(all);
	return m;
}

/* B43: plans [120,180), [180,240), [240,300) on one node set bring the count 1 -> 3 -> 4 -> 5 */
static void recorded_count(void **state)
{
	struct slot_map *m = map4(60, 86460);
	(void)state;
	is(m, "[60,86460) 0-3", 1);
	add(m, 120, 180, "0-1");
	is(m, "[60,120) 0-3; [120,180) 2-3; [180,86460) 0-3", 3);
	add(m, 180, 240, "0-1");
	is(m, "[60,120) 0-3; [120,240) 2-3; [240,86460) 0-3", 4);
	add(m, 240, 300, "0-1");
	is(m, "[60,120) 0-3; [120,300) 2-3; [300,86460) 0-3", 5);
	slotmap_free(m);
}

/* B43: the first insertion at the map's begin adds a record too */
static void at_map_begin(void **state)
{
	struct slot_map *m = map4(60, 86460);
	(void)state;
	add(m, 60, 180, "0");
	is(m, "[60,180) 1-3; [180,86460) 0-3", 3);
	assert_int_equal(slotmap_at(m, 0)->begin, 60);
	assert_int_equal(slotmap_at(m, 0)->end, 60);
	add(m, 60, 120, "1");
	is(m, "[60,120) 2-3; [120,180) 1-3; [180,86460) 0-3", 4);
	slotmap_free(m);
}

/* B43: begin is lifted to the map's begin, the end to one resolution after the begin */
static void widened(void **state)
{
	struct slot_map *m = map4(60, 86460);
	(void)state;
	add(m, 0, 0, "3");
	is(m, "[60,120) 0-2; [120,86460) 0-3", 3);
	add(m, 600, 600, "3");
	is(m, "[60,120) 0-2; [120,600) 0-3; [600,660) 0-2; [660,86460) 0-3", 5);
	slotmap_free(m);
}

static void over_the_end(void **state)
{
	struct slot_map *m = map4(60, 600);
	(void)state;
	add(m, 120, 6000, "0");
	is(m, "[60,120) 0-3; [120,600) 1-3", 2);
	slotmap_free(m);
}

/* The plan of section 9: P1 takes n1-n3, then P3 takes n4 across two slots */
static void across_slots(void **state)
{
	struct slot_map *m = map4(60, 86460);
	(void)state;
	add(m, 3600, 5400, "0-2");
	is(m, "[60,3600) 0-3; [3600,5400) 3; [5400,86460) 0-3", 3);
	add(m, 1260, 5520, "3");
	is(m, "[60,1260) 0-3; [1260,3600) 0-2; [3600,5400) ; [5400,5520) 0-2; [5520,86460) 0-3", 5);
	slotmap_free(m);
}

/* B43: only one pair of equal neighbours is merged */
static void one_merge(void **state)
{
	struct slot_map *m = map4(0, 6000);
	(void)state;
	add(m, 600, 1200, "0");
	add(m, 1800, 2400, "0");
	is(m, "[0,600) 0-3; [600,1200) 1-3; [1200,1800) 0-3; [1800,2400) 1-3; [2400,6000) 0-3", 5);
	add(m, 1200, 1800, "0"); /* equal to both neighbours: one merge stays to be done */
	is(m, "[0,600) 0-3; [600,1800) 1-3; [1800,2400) 1-3; [2400,6000) 0-3", 5);
	slotmap_free(m);
}

/* B41: over records with r.end > begin and r.begin < end */
static void conflicts(void **state)
{
	struct slot_map *m = map4(60, 86460);
	(void)state;
	add(m, 600, 1200, "0-1");
	static const struct {
		sec_t begin, end;
		const char *nodes;
		bool yes;
	} cases[] = {{60, 600, "0-3", false},    {60, 601, "0", true},      {1199, 1260, "1", true},
	             {1200, 1260, "0-3", false}, {600, 1200, "2-3", false}, {600, 1200, "1-2", true},
	             {60, 86460, "2", false}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_int_equal(conflict(m, cases[i].begin, cases[i].end, cases[i].nodes), cases[i].yes);
	slotmap_free(m);
}

static void reset(void **state)
{
	struct slot_map *m = map4(60, 86460);
	(void)state;
	add(m, 600, 1200, "0-1");
	struct bitset *some = set_of(4, "1-2");
	slotmap_reset(m, 120, 240, some, 30);
	is(m, "[120,240) 1-2", 1);
	add(m, 150, 150, "1");
	is(m, "[120,150) 1-2; [150,180) 2; [180,240) 1-2", 3);
	bitset_free(some);
	slotmap_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(recorded_count), cmocka_unit_test(at_map_begin), cmocka_unit_test(widened),
	    cmocka_unit_test(over_the_end),   cmocka_unit_test(across_slots), cmocka_unit_test(one_merge),
	    cmocka_unit_test(conflicts),      cmocka_unit_test(reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
