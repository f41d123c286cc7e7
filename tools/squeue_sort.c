/* squeue_sort.c - see squeue_sort.h */
#include "tools/squeue_sort.h"
#include <string.h>

static int by_id(const struct job_ref *x, const struct job_ref *y)
{
	if (x->id != y->id)
		return x->id > y->id ? 1 : -1;
	return (x->task > y->task) - (x->task < y->task);
}

static int compare(gconstpointer a, gconstpointer b)
{
	const struct job_ref *x = a, *y = b;
	int order = x->partition == y->partition ? 0 : strcmp(x->partition, y->partition);

	if (!order && x->state != y->state)
		order = strcmp(x->state, y->state);
	if (!order)
		order = (x->priority < y->priority) - (x->priority > y->priority);
	return order ? order : by_id(x, y);
}

/* ---- ranks of the few texts that there are ---- */

enum { TEXTS_MAX = 64, RANK_BITS = 6 };
struct texts {
	const char *text[TEXTS_MAX], *sorted[TEXTS_MAX];
	guint rank[TEXTS_MAX], n;
};

/* Which of them TEXT is, by its address; TEXTS_MAX when there are too many. Equal texts may have two addresses. */
static guint find(struct texts *t, const char *text)
{
	guint i = 0;

	while (i < t->n && t->text[i] != text)
		i++;
	if (i == t->n && t->n < TEXTS_MAX)
		t->text[t->n++] = text;
	return i;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void set_ranks(struct texts *t)
{
	memcpy(t->sorted, t->text, t->n * sizeof *t->text);
	qsort(t->sorted, t->n, sizeof *t->sorted, by_text);
	for (guint i = 0; i < t->n; i++)
		for (guint k = 0; k < t->n; k++)
			if (strcmp(t->sorted[k], t->text[i]) == 0) {
				t->rank[i] = k;
				break;
			}
}

/* ---- keys ---- */

struct key {
	uint64_t word; /* partition, state, priority turned around */
	uint32_t at;   /* the row */
};

/* False when there are too many texts, or rows are not in the order of their ids: what is equal must stay as it is. */
static bool make_keys(const GArray *rows, struct key *keys)
{
	struct texts partitions = {.n = 0}, states = {.n = 0};
	const struct job_ref *r = (const void *)rows->data;

	for (guint i = 0; i < rows->len; i++) {
		guint p = find(&partitions, r[i].partition), s = find(&states, r[i].state);

		if (p == TEXTS_MAX || s == TEXTS_MAX || (i && by_id(&r[i - 1], &r[i]) > 0))
			return false;
		keys[i] = (struct key){(uint64_t)p << RANK_BITS | s, i};
	}
	set_ranks(&partitions);
	set_ranks(&states);
	for (guint i = 0; i < rows->len; i++) {
		uint64_t p = partitions.rank[keys[i].word >> RANK_BITS],
		         s = states.rank[keys[i].word & (TEXTS_MAX - 1)];

		keys[i].word = (p << RANK_BITS | s) << 32 | (UINT32_MAX - r[i].priority);
	}
	return true;
}

/* Digit by digit from the lowest; a digit that all have in common costs a count. KEYS and SPARE change places. */
static struct key *sort_keys(struct key *keys, struct key *spare, guint n)
{
	enum { DIGIT = 11, BASE = 1 << DIGIT };

	for (int shift = 0; shift < 32 + 2 * RANK_BITS; shift += DIGIT) {
		guint count[BASE] = {0}, sum = 0;

		for (guint i = 0; i < n; i++)
			count[keys[i].word >> shift & (BASE - 1)]++;
		if (count[keys[0].word >> shift & (BASE - 1)] == n)
			continue;
		for (guint d = 0; d < BASE; d++) {
			guint here = count[d];
			count[d] = sum;
			sum += here;
		}
		for (guint i = 0; i < n; i++)
			spare[count[keys[i].word >> shift & (BASE - 1)]++] = keys[i];
		struct key *t = keys;
		keys = spare;
		spare = t;
	}
	return keys;
}

void squeue_sort_default(GArray *rows)
{
	enum { FEW = 64 };
	guint n = rows->len;
	struct key *keys;

	if (n < FEW) {
		g_array_sort(rows, compare);
		return;
	}
	keys = g_new(struct key, 2 * (gsize)n);
	if (make_keys(rows, keys)) {
		const struct key *sorted = sort_keys(keys, keys + n, n);
		struct job_ref *row = g_new(struct job_ref, n);

		for (guint i = 0; i < n; i++)
			row[i] = g_array_index(rows, struct job_ref, sorted[i].at);
		memcpy(rows->data, row, n * sizeof *row);
		g_free(row);
	} else {
		g_array_sort(rows, compare);
	}
	g_free(keys);
}
