/* bitset.c - word loops over a fixed-size set; see bitset.h. Every function keeps the bits beyond nbits at 0. */
#include "sched/base/bitset.h"
#include <glib.h>
#include <string.h>

static uint32_t words_for(uint32_t nbits)
{
	return nbits / 64 + (nbits % 64 != 0);
}

static size_t size_of(uint32_t nwords)
{
	return sizeof(struct bitset) + nwords * sizeof(uint64_t);
}

/* The members of the last word that are < nbits. */
static uint64_t last_word_mask(const struct bitset *b)
{
	return b->nbits % 64 ? (UINT64_C(1) << (b->nbits % 64)) - 1 : ~UINT64_C(0);
}

struct bitset *bitset_new(uint32_t nbits)
{
	uint32_t nwords = words_for(nbits);
	struct bitset *b = g_malloc0(size_of(nwords));

	b->nbits = nbits;
	b->nwords = nwords;
	return b;
}

struct bitset *bitset_copy(const struct bitset *b)
{
	struct bitset *copy = g_malloc(size_of(b->nwords));

	memcpy(copy, b, size_of(b->nwords));
	return copy;
}

void bitset_free(struct bitset *b)
{
	g_free(b);
}

void bitset_set_range(struct bitset *b, uint32_t first, uint32_t last)
{
	if (first > last)
		return;
	g_assert(last < b->nbits);
	uint32_t w0 = first / 64, w1 = last / 64;
	uint64_t low = ~UINT64_C(0) << (first % 64), high = ~UINT64_C(0) >> (63 - last % 64);

	if (w0 == w1) {
		b->word[w0] |= low & high;
		return;
	}
	b->word[w0] |= low;
	for (uint32_t w = w0 + 1; w < w1; w++)
		b->word[w] = ~UINT64_C(0);
	b->word[w1] |= high;
}

void bitset_set_all(struct bitset *b)
{
	if (b->nwords == 0)
		return;
	memset(b->word, 0xff, b->nwords * sizeof(uint64_t));
	b->word[b->nwords - 1] = last_word_mask(b);
}

void bitset_clear_all(struct bitset *b)
{
	memset(b->word, 0, b->nwords * sizeof(uint64_t));
}

void bitset_assign(struct bitset *dst, const struct bitset *src)
{
	g_assert(dst->nbits == src->nbits);
	memmove(dst->word, src->word, src->nwords * sizeof(uint64_t));
}

void bitset_and(struct bitset *dst, const struct bitset *src)
{
	g_assert(dst->nbits == src->nbits);
	for (uint32_t w = 0; w < dst->nwords; w++)
		dst->word[w] &= src->word[w];
}

void bitset_assign_and(struct bitset *dst, const struct bitset *a, const struct bitset *b)
{
	g_assert(dst->nbits == a->nbits && dst->nbits == b->nbits);
	for (uint32_t w = 0; w < dst->nwords; w++)
		dst->word[w] = a->word[w] & b->word[w];
}

void bitset_or(struct bitset *dst, const struct bitset *src)
{
	g_assert(dst->nbits == src->nbits);
	for (uint32_t w = 0; w < dst->nwords; w++)
		dst->word[w] |= src->word[w];
}

void bitset_andnot(struct bitset *dst, const struct bitset *src)
{
	g_assert(dst->nbits == src->nbits);
	for (uint32_t w = 0; w < dst->nwords; w++)
		dst->word[w] &= ~src->word[w];
}

uint32_t bitset_count(const struct bitset *b)
{
	uint32_t n = 0;

	for (uint32_t w = 0; w < b->nwords; w++)
		n += bitset_word_count(b->word[w]);
	return n;
}

bool bitset_at_least(const struct bitset *b, uint32_t n)
{
	uint32_t have = 0;

	for (uint32_t w = 0; w < b->nwords && have < n; w++)
		have += bitset_word_count(b->word[w]);
	return have >= n;
}

uint32_t bitset_count_and(const struct bitset *a, const struct bitset *b)
{
	uint32_t n = 0;

	g_assert(a->nbits == b->nbits);
	for (uint32_t w = 0; w < a->nwords; w++)
		n += bitset_word_count(a->word[w] & b->word[w]);
	return n;
}

uint32_t bitset_count_and_within(const struct bitset *a, const struct bitset *b, uint32_t first, uint32_t last)
{
	uint32_t n = 0;

	g_assert(a->nbits == b->nbits && last < a->nbits);
	for (uint32_t w = first / 64; w <= last / 64; w++)
		n += bitset_word_count(a->word[w] & b->word[w]);
	return n;
}

bool bitset_empty(const struct bitset *b)
{
	for (uint32_t w = 0; w < b->nwords; w++)
		if (b->word[w])
			return false;
	return true;
}

bool bitset_equal(const struct bitset *a, const struct bitset *b)
{
	g_assert(a->nbits == b->nbits);
	return memcmp(a->word, b->word, a->nwords * sizeof(uint64_t)) == 0;
}

bool bitset_subset(const struct bitset *a, const struct bitset *b)
{
	g_assert(a->nbits == b->nbits);
	for (uint32_t w = 0; w < a->nwords; w++)
		if (a->word[w] & ~b->word[w])
			return false;
	return true;
}

bool bitset_intersects(const struct bitset *a, const struct bitset *b)
{
	g_assert(a->nbits == b->nbits);
	for (uint32_t w = 0; w < a->nwords; w++)
		if (a->word[w] & b->word[w])
			return true;
	return false;
}

int64_t bitset_first(const struct bitset *b)
{
	for (uint32_t w = 0; w < b->nwords; w++)
		if (b->word[w])
			return (int64_t)w * 64 + __builtin_ctzll(b->word[w]);
	return -1;
}

int64_t bitset_last(const struct bitset *b)
{
	for (uint32_t w = b->nwords; w-- > 0;)
		if (b->word[w])
			return (int64_t)w * 64 + 63 - __builtin_clzll(b->word[w]);
	return -1;
}

int64_t bitset_next_clear(const struct bitset *b, uint32_t from)
{
	if (from >= b->nbits)
		return -1;
	uint32_t w = from / 64;
	uint64_t bits = ~b->word[w] & (~UINT64_C(0) << (from % 64));

	while (bits == 0) {
		if (++w == b->nwords)
			return -1;
		bits = ~b->word[w];
	}
	int64_t i = (int64_t)w * 64 + __builtin_ctzll(bits);

	return i < (int64_t)b->nbits ? i : -1;
}

char *bitset_to_ranges(const struct bitset *b)
{
	GString *s = g_string_new(NULL);

	for (int64_t first = bitset_first(b); first >= 0;) {
		int64_t end = bitset_next_clear(b, (uint32_t)first); /* the first non-member after the run */
		if (end < 0)
			end = b->nbits;
		g_string_append_printf(s, "%s%" G_GINT64_FORMAT, s->len ? "," : "", first);
		if (end - first > 1)
			g_string_append_printf(s, "-%" G_GINT64_FORMAT, end - 1);
		first = end < (int64_t)b->nbits ? bitset_next(b, (uint32_t)end) : -1;
	}
	return g_string_free(s, FALSE);
}

/* Read a decimal number < limit at *p and move *p behind it. */
static bool parse_member(const char **p, uint32_t limit, uint32_t *out)
{
	uint64_t v = 0;

	if (!g_ascii_isdigit(**p))
		return false;
	for (; g_ascii_isdigit(**p); (*p)++) {
		v = v * 10 + (uint64_t)(**p - '0');
		if (v >= limit)
			return false;
	}
	*out = (uint32_t)v;
	return true;
}

bool bitset_from_ranges(struct bitset *b, const char *text)
{
	bitset_clear_all(b);
	if (*text == '\0')
		return true;
	for (const char *p = text;; p++) {
		uint32_t first, last;

		if (!parse_member(&p, b->nbits, &first))
			return false;
		last = first;
		if (*p == '-') {
			p++;
			if (!parse_member(&p, b->nbits, &last) || last < first)
				return false;
		}
		bitset_set_range(b, first, last);
		if (*p == '\0')
			return true;
		if (*p != ',')
			return false;
	}
}
