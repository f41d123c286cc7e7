/* compare_why.c - see compare.h: the wait of one job in a line. */
#include "tools/compare.h"
#include "tools/story.h"
#include <string.h>

static char *hours_of(usec_t t)
{
	return metric_format(METRIC_WAIT_MEAN, (double)t / 1e6, false);
}

/* Of one reason: how long, and its longest interval. */
struct reason_sum {
	usec_t length;
	const struct story_interval *longest;
};

static usec_t length_of(const struct story_interval *i, usec_t from)
{
	return MAX(0, i->to - MAX(i->from, from));
}

static int longer_reason(gconstpointer x, gconstpointer y)
{
	const struct reason_sum *a = x, *b = y;

	if (a->length != b->length)
		return a->length < b->length ? 1 : -1;
	return strcmp(a->longest->name, b->longest->name);
}

/* From the moment FROM on. */
static GArray *sum_reasons(const struct story *s, usec_t from)
{
	GArray *sums = g_array_new(FALSE, FALSE, sizeof(struct reason_sum));

	for (guint k = 0; k < s->intervals->len; k++) {
		const struct story_interval *i = s->intervals->pdata[k];
		struct reason_sum new = {0, i}, *sum = NULL;
		if (length_of(i, from) == 0)
			continue;
		for (guint n = 0; n < sums->len && !sum; n++)
			if (strcmp(g_array_index(sums, struct reason_sum, n).longest->name, i->name) == 0)
				sum = &g_array_index(sums, struct reason_sum, n);
		if (!sum) {
			g_array_append_val(sums, new);
			sum = &g_array_index(sums, struct reason_sum, sums->len - 1);
		}
		sum->length += length_of(i, from);
		if (length_of(i, from) > length_of(sum->longest, from))
			sum->longest = i;
	}
	g_array_sort(sums, longer_reason);
	return sums;
}

static void tell_reasons(GString *out, const struct story *s, usec_t from)
{
	GArray *sums = sum_reasons(s, from);

	for (guint k = 0; k < MIN(sums->len, 2u); k++) {
		const struct reason_sum *sum = &g_array_index(sums, struct reason_sum, k);
		char *length = hours_of(sum->length);
		g_string_append_printf(out, "%s%s %s", k ? ", " : ": ", sum->longest->name, length);
		if (sum->longest->blocker && *sum->longest->blocker)
			g_string_append_printf(out, " (%s)", sum->longest->blocker);
		g_free(length);
	}
	if (sums->len > 2)
		g_string_append_printf(out, ", %u more", sums->len - 2);
	g_array_unref(sums);
}

char *compare_why(struct sqlite3 *db, const struct run_job *j)
{
	struct story *s = story_read(db, j->id, -1, NULL);
	GString *out = g_string_new(NULL);
	char *wait = metric_format(METRIC_WAIT_MEAN, j->wait, false);

	if (j->wait == 0)
		g_string_append(out, "started at once");
	else
		g_string_append_printf(out, j->waiting ? "still waits after %s" : "waited %s", wait);
	if (s && s->intervals->len && j->wait > 0) {
		const struct story_interval *last = s->intervals->pdata[s->intervals->len - 1];
		tell_reasons(out, s, j->eligible * USEC);
		if (last->ended_by && !j->waiting)
			g_string_append_printf(out, "; then %s", last->ended_by);
	}
	story_free(s);
	g_free(wait);
	return g_string_free(out, FALSE);
}
