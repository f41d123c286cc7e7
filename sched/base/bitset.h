/*
 * bitset.h - a fixed-size set of small non-negative integers.
 *
 * Used for sets of nodes (up to 10,000 and more), of cores on a node and of GPU devices. The words are in one
 * allocation with the header, so a set costs one malloc, and set algebra runs 64 members at a time.
 * All sets that meet in one call must have the same size; this is asserted. Functions that return a
 * position return -1 for "none". Nothing here fails except by assertion; allocation failure aborts (GLib).
 */
#ifndef SCHED_BASE_BITSET_H
#define SCHED_BASE_BITSET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bitset {
	uint32_t nbits;
	uint32_t nwords;
	uint64_t word[]; /* bits beyond nbits are always 0 */
};

struct bitset *bitset_new(uint32_t nbits);                /* empty; the caller frees */
struct bitset *bitset_copy(const struct bitset *b);       /* the caller frees */
void bitset_free(struct bitset *b);                       /* NULL is allowed */
static inline bool bitset_test(const struct bitset *b, uint32_t i)
{
	return (b->word[i >> 6] >> (i & 63)) & 1;
}
/* Members of a word, by adding neighbours: without a processor's own instruction the builtin is a call per word. */
static inline uint32_t bitset_word_count(uint64_t x)
{
	x -= (x >> 1) & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) + ((x >> 2) & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)((x * UINT64_C(0x0101010101010101)) >> 56);
}
/* Lowest member >= from, -1 if none. Inline: the innermost loop of node selection. */
static inline int64_t bitset_next(const struct bitset *b, uint32_t from)
{
	if (from >= b->nbits)
		return -1;
	uint32_t w = from / 64;
	uint64_t bits = b->word[w] & (~UINT64_C(0) << (from % 64));
	while (bits == 0) {
		if (++w == b->nwords)
			return -1;
		bits = b->word[w];
	}
	return (int64_t)w * 64 + __builtin_ctzll(bits);
}
static inline void bitset_set(struct bitset *b, uint32_t i) { b->word[i >> 6] |= UINT64_C(1) << (i & 63); }
static inline void bitset_clear(struct bitset *b, uint32_t i) { b->word[i >> 6] &= ~(UINT64_C(1) << (i & 63)); }
void bitset_set_range(struct bitset *b, uint32_t first, uint32_t last); /* inclusive; first > last sets nothing */
void bitset_set_all(struct bitset *b);
void bitset_clear_all(struct bitset *b);
void bitset_assign(struct bitset *dst, const struct bitset *src); /* dst := src */
void bitset_and(struct bitset *dst, const struct bitset *src);    /* dst &= src */
void bitset_assign_and(struct bitset *dst, const struct bitset *a, const struct bitset *b); /* dst := a & b */
void bitset_or(struct bitset *dst, const struct bitset *src);     /* dst |= src */
void bitset_andnot(struct bitset *dst, const struct bitset *src); /* dst &= ~src */
uint32_t bitset_count(const struct bitset *b);
bool bitset_at_least(const struct bitset *b, uint32_t n);         /* |b| >= n, without counting further than that */
uint32_t bitset_count_and(const struct bitset *a, const struct bitset *b); /* |a & b| without a temporary */
/* The same for members from FIRST to LAST, rounded to whole words. */
uint32_t bitset_count_and_within(const struct bitset *a, const struct bitset *b, uint32_t first, uint32_t last);
bool bitset_empty(const struct bitset *b);
bool bitset_equal(const struct bitset *a, const struct bitset *b);
bool bitset_subset(const struct bitset *a, const struct bitset *b);   /* every member of a is in b */
bool bitset_intersects(const struct bitset *a, const struct bitset *b);
int64_t bitset_first(const struct bitset *b);                   /* lowest member, -1 if empty */
int64_t bitset_last(const struct bitset *b);                    /* highest member, -1 if empty */
int64_t bitset_next_clear(const struct bitset *b, uint32_t from); /* lowest non-member >= from and < nbits, -1 */
/* Print as "0-3,7" (Slurm's CPU_IDs and IDX form; "" if empty). The caller frees with g_free. */
char *bitset_to_ranges(const struct bitset *b);
/* Parse "0-3,7" (blanks not allowed) into b (cleared first). False on bad text, or a number >= nbits. */
bool bitset_from_ranges(struct bitset *b, const char *text);

/* for (BITSET_EACH(i, set)) ... ; i is an int64_t declared by the caller. */
#define BITSET_EACH(i, b) (i) = bitset_next((b), 0); (i) >= 0; (i) = ((uint32_t)(i) + 1 < (b)->nbits ? bitset_next((b), (uint32_t)(i) + 1) : -1)
#endif
