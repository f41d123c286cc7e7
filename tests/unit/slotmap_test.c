/* slotmap_test.c - backfill's time slots (B41, B43 and the map of B8) */
#include "sched_helper.h"

#include "sched/slotwindow.h"
#include "sched/tried.h"

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

/* Recorded (26.11 license-contention): what takes no node away leaves equal slots, of which one pair becomes one, also that without length; a plan that begins
 * where they part needs no new one there */
static void takes_no_nodes(void **state)
{
	struct slot_map *m = map4(60, 86460);
	(void)state;
	slotmap_add(m, 60, 120, NULL, NULL);
	is(m, "[60,120) 0-3; [120,86460) 0-3", 3);
	add(m, 120, 180, "0-1");
	is(m, "[60,120) 0-3; [120,180) 2-3; [180,86460) 0-3", 4);
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

/* B22.5 as it stands, slot by slot */
static sec_t plain_walk(const struct slot_map *m, sec_t start, sec_t end, bool old, const struct bitset *initial, struct bitset *usable)
{
	sec_t later = 0;
	bitset_assign(usable, initial);
	for (int i = 0; i >= 0; i = slotmap_at(m, i)->next) {
		const struct slot *r = slotmap_at(m, i), *s = r->next >= 0 ? slotmap_at(m, r->next) : NULL;
		if (r->end > start && s && !later) {
			struct bitset *gain = bitset_copy(initial), *left = bitset_copy(usable);
			bitset_and(left, r->nodes);
			bitset_and(gain, s->nodes);
			bitset_andnot(gain, left);
			later = bitset_empty(gain) ? 0 : r->end;
			bitset_free(gain);
			bitset_free(left);
		}
		if (r->end <= start)
			continue;
		if (r->begin > end) {
			if (!old && !later && s && s->next >= 0)
				later = s->end;
			break;
		}
		bitset_and(usable, r->nodes);
	}
	return later;
}

/* The window gives what a walk over the slots gives, on growing maps, for stretches in any order. */
static void window_is_a_walk(void **state)
{
	enum { N = 70, END = 3600 };
	struct slot_map *m = slotmap_new(N);
	struct slot_window *w = slotwindow_new(N);
	struct bitset *all = set_of(N, "0-69"), *initial = set_of(N, "3-66"), *a = bitset_new(N), *b = bitset_new(N);
	GRand *rand = g_rand_new_with_seed(7);
	(void)state;
	for (int map = 0; map < 60; map++) {
		slotmap_reset(m, 0, END, all, 60);
		for (int plan = 0; plan < 25; plan++) {
			sec_t begin = g_rand_int_range(rand, 0, 55) * 60, at = g_rand_int_range(rand, 0, END);
			uint32_t first = (uint32_t)g_rand_int_range(rand, 0, N);
			struct bitset *nodes = bitset_new(N);
			uint32_t last = first + (uint32_t)g_rand_int_range(rand, 0, 30);
			bitset_set_range(nodes, first, MIN(last, N - 1u));
			slotmap_add(m, begin, begin + g_rand_int_range(rand, 1, 30) * 60, nodes, NULL);
			bitset_free(nodes);
			for (int t = 0; t < 12; t++, at = g_rand_int_range(rand, 0, 5) ? at + g_rand_int_range(rand, 0, 400) : at / 2) {
				sec_t end = at + g_rand_int_range(rand, 1, 1500), beyond;
				bool old = g_rand_boolean(rand), guessed;
				sec_t want = plain_walk(m, at, end, old, initial, a);
				assert_int_equal(slotwindow_walk(w, m, at, end, old, initial, b, &beyond, &guessed), want);
				assert_true(bitset_equal(a, b));
				assert_false(guessed && (old || !want));
				if (want && !guessed) /* what waits for a node that comes free waits for it with a later end too */
					assert_int_equal(plain_walk(m, at, end + 500, old, initial, a), want);
			}
		}
	}
	g_rand_free(rand);
	bitset_free(all);
	bitset_free(initial);
	bitset_free(a);
	bitset_free(b);
	slotwindow_free(w);
	slotmap_free(m);
}

/* A job of the same shape goes on where the one before it stood, as long as something comes free there. */
static void tried_times_are_passed_over(void **state)
{
	struct slot_map *m = map4(0, 36000);
	struct slot_window *w = slotwindow_new(4);
	struct tried *t = tried_new();
	struct shape s = {0, 60, 2, 8};
	struct tried_line *l = tried_line(t, &s);
	struct bitset *initial = set_of(4, "0-3");
	(void)state;
	add(m, 0, 600, "0-3");
	add(m, 600, 1200, "0-2");
	add(m, 1200, 1800, "0-1");
	assert_int_equal(tried_skip(l, 600, true, false, w, m, initial), 600); /* nothing known */
	tried_note(l, 0, 600, false);
	tried_note(l, 600, 1200, true);
	tried_note(l, 1200, 1800, true);
	assert_int_equal(tried_skip(l, 600, true, false, w, m, initial), 1800);
	assert_int_equal(tried_skip(l, 900, true, false, w, m, initial), 1800); /* a time in between as well */
	assert_int_equal(tried_skip(l, 1800, true, false, w, m, initial), 1800);
	assert_int_equal(tried_skip(l, 600, false, false, w, m, initial), 600); /* there it would come to be counted */
	add(m, 1800, 2400, "0-1"); /* at 1800 nothing comes free any more */
	assert_int_equal(tried_skip(l, 600, true, false, w, m, initial), 1200);
	tried_note(l, 1200, 2400, true);
	assert_int_equal(tried_skip(l, 600, true, false, w, m, initial), 2400);
	add(m, 1500, 1800, "2-3");
	s.time = 1; /* 22.05: from 600 a job of a minute sees no further than 1500, and gives up */
	l = tried_line(t, &s);
	tried_note(l, 600, 2400, true);
	assert_int_equal(tried_skip(l, 600, true, false, w, m, initial), 2400);
	assert_int_equal(tried_skip(l, 600, true, true, w, m, initial), 600);
	tried_reset(t);
	l = tried_line(t, &s);
	assert_int_equal(tried_skip(l, 600, true, false, w, m, initial), 600);
	bitset_free(initial);
	tried_free(t);
	slotwindow_free(w);
	slotmap_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(recorded_count), cmocka_unit_test(takes_no_nodes), cmocka_unit_test(at_map_begin), cmocka_unit_test(widened),
	    cmocka_unit_test(over_the_end),   cmocka_unit_test(across_slots), cmocka_unit_test(one_merge),
	    cmocka_unit_test(conflicts),      cmocka_unit_test(reset), cmocka_unit_test(window_is_a_walk),
	    cmocka_unit_test(tried_times_are_passed_over)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
