/* bitset_test.c - bitset against a plain array of bool. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "sched/base/bitset.h"
#include <glib.h>
#include <string.h>

static const uint32_t sizes[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 1000, 10007};

static uint64_t seed = 88172645463325252u;
static uint64_t xorshift(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* About 1 in 2^thin members. */
static struct bitset *random_set(uint32_t n, int thin, bool *naive)
{
	struct bitset *b = bitset_new(n);

	for (uint32_t i = 0; i < n; i++) {
		naive[i] = (xorshift() & ((1u << thin) - 1)) == 0;
		if (naive[i])
			bitset_set(b, i);
	}
	return b;
}

static void check(const struct bitset *b, const bool *naive)
{
	uint32_t count = 0;
	int64_t first = -1, last = -1, i, next = -1, next_clear = -1;

	for (uint32_t k = 0; k < b->nbits; k++) {
		assert_int_equal(bitset_test(b, k), naive[k]);
		count += naive[k];
		if (naive[k]) {
			first = first < 0 ? k : first;
			last = k;
		}
	}
	assert_int_equal(bitset_count(b), count);
	assert_int_equal(bitset_first(b), first);
	assert_int_equal(bitset_last(b), last);
	assert_int_equal(bitset_empty(b), count == 0);
	assert_int_equal(bitset_next(b, b->nbits), -1);
	for (uint32_t k = b->nbits; k-- > 0;) {
		next = naive[k] ? k : next;
		next_clear = naive[k] ? next_clear : k;
		assert_int_equal(bitset_next(b, k), next);
		assert_int_equal(bitset_next_clear(b, k), next_clear);
	}
	uint32_t seen = 0;
	for (BITSET_EACH(i, b)) {
		assert_true(naive[i]);
		seen++;
	}
	assert_int_equal(seen, count);
	if (b->nbits % 64)
		assert_int_equal(b->word[b->nwords - 1] >> (b->nbits % 64), 0);
}

static void algebra(void **state)
{
	(void)state;
	for (size_t s = 0; s < G_N_ELEMENTS(sizes); s++)
		for (int round = 0; round < 8; round++) {
			uint32_t n = sizes[s], both = 0;
			bool *x = g_new0(bool, n + 1), *y = g_new0(bool, n + 1), *z = g_new0(bool, n + 1);
			struct bitset *a = random_set(n, round % 4, x), *b = random_set(n, round / 2, y);
			struct bitset *c = bitset_copy(a), *d = bitset_new(n);
			bool subset = true;

			check(a, x);
			check(b, y);
			for (uint32_t i = 0; i < n; i++) {
				both += x[i] && y[i];
				subset = subset && (!x[i] || y[i]);
			}
			assert_int_equal(bitset_count_and(a, b), both);
			assert_int_equal(bitset_intersects(a, b), both > 0);
			assert_int_equal(bitset_subset(a, b), subset);
			assert_int_equal(bitset_equal(a, b), memcmp(x, y, n) == 0);
			bitset_and(c, b);
			for (uint32_t i = 0; i < n; i++)
				z[i] = x[i] && y[i];
			check(c, z);
			assert_true(bitset_subset(c, a) && bitset_subset(c, b));
			bitset_assign(c, a);
			assert_true(bitset_equal(c, a));
			bitset_or(c, b);
			for (uint32_t i = 0; i < n; i++)
				z[i] = x[i] || y[i];
			check(c, z);
			bitset_assign(c, a);
			bitset_andnot(c, b);
			for (uint32_t i = 0; i < n; i++)
				z[i] = x[i] && !y[i];
			check(c, z);
			char *text = bitset_to_ranges(a);
			assert_true(bitset_from_ranges(d, text));
			assert_true(bitset_equal(a, d));
			g_free(text);
			bitset_free(a), bitset_free(b), bitset_free(c), bitset_free(d);
			g_free(x), g_free(y), g_free(z);
		}
}

static void ranges(void **state)
{
	(void)state;
	for (size_t s = 1; s < G_N_ELEMENTS(sizes); s++)
		for (int round = 0; round < 50; round++) {
			uint32_t n = sizes[s], lo = (uint32_t)(xorshift() % n), hi = (uint32_t)(xorshift() % n);
			bool *x = g_new0(bool, n);
			struct bitset *b = bitset_new(n);

			bitset_set_range(b, lo, hi);
			for (uint32_t i = lo; i <= hi; i++)
				x[i] = true;
			check(b, x);
			bitset_set_all(b);
			memset(x, true, n);
			check(b, x);
			bitset_clear(b, lo);
			x[lo] = false;
			check(b, x);
			bitset_clear_all(b);
			memset(x, false, n);
			check(b, x);
			bitset_free(b);
			g_free(x);
		}
	bitset_free(NULL);
}

static void texts(void **state)
{
	static const struct {
		const char *text, *printed; /* printed NULL: refused */
	} cases[] = {{"", ""},
	             {"0", "0"},
	             {"0-3,7", "0-3,7"},
	             {"99", "99"},
	             {"0-99", "0-99"},
	             {"5,4,3", "3-5"},
	             {"1-2,2-3", "1-3"},
	             {"62-65", "62-65"},
	             {"007", "7"},
	             {"100", NULL},
	             {"0-100", NULL},
	             {"3-2", NULL},
	             {"1,", NULL},
	             {",1", NULL},
	             {"1-", NULL},
	             {"-1", NULL},
	             {"1 ", NULL},
	             {"a", NULL},
	             {"1-2-3", NULL},
	             {"18446744073709551617", NULL},
	             {"4294967296", NULL}};
	struct bitset *b = bitset_new(100);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		assert_int_equal(bitset_from_ranges(b, cases[i].text), cases[i].printed != NULL);
		if (cases[i].printed == NULL)
			continue;
		char *text = bitset_to_ranges(b);
		assert_string_equal(text, cases[i].printed);
		g_free(text);
	}
	bitset_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(algebra), cmocka_unit_test(ranges),
	                                   cmocka_unit_test(texts)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
