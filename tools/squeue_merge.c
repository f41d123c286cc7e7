/* squeue_merge.c - see squeue_merge.h */
#include "tools/squeue_merge.h"
#include <string.h>

static bool may_join(const struct job *j)
{
	return j->array && j->array->refs > 1 && j->state == JOB_PENDING && !(j->flags & JOB_COMPLETING);
}

static const char *reason_shown(const struct job *j)
{
	return j->reason_text && *j->reason_text ? j->reason_text : reason_name(j->reason);
}

static uint32_t bits_of(const struct job *j)
{
	return j->tasks ? j->tasks->nbits : j->task + 1;
}

static void put_tasks(struct bitset *all, const struct job *j)
{
	int64_t i;

	if (!j->tasks)
		bitset_set(all, j->task);
	for (i = j->tasks ? bitset_next(j->tasks, 0) : -1; i >= 0;
	     i = (uint32_t)i + 1 < j->tasks->nbits ? bitset_next(j->tasks, (uint32_t)i + 1) : -1)
		bitset_set(all, (uint32_t)i);
}

static void join(struct job_ref *row, const struct job *other)
{
	struct joined_tasks *t = row->joined;

	if (!t) {
		t = row->joined = g_new0(struct joined_tasks, 1);
		t->tasks = bitset_new(bits_of(row->job));
		put_tasks(t->tasks, row->job);
		t->reasons = g_string_new(reason_shown(row->job));
	}
	if (bits_of(other) > t->tasks->nbits) {
		struct bitset *larger = bitset_new(bits_of(other));
		memcpy(larger->word, t->tasks->word, t->tasks->nwords * sizeof *larger->word);
		bitset_free(t->tasks);
		t->tasks = larger;
	}
	put_tasks(t->tasks, other);
	if (!strstr(t->reasons->str, reason_name(other->reason)))
		g_string_append_printf(t->reasons, ",%s", reason_name(other->reason));
}

void squeue_merge(GArray *rows)
{
	GHashTable *first = NULL; /* struct job_array -> its row + 1 */
	guint kept = 0;

	for (guint i = 0; i < rows->len; i++) {
		struct job_ref *r = &g_array_index(rows, struct job_ref, i);
		guint at = 0;

		if (r->task == NO_VAL && may_join(r->job)) {
			first = first ? first : g_hash_table_new(NULL, NULL);
			at = GPOINTER_TO_UINT(g_hash_table_lookup(first, r->job->array));
			if (at)
				join(&g_array_index(rows, struct job_ref, at - 1), r->job);
			else
				g_hash_table_insert(first, r->job->array, GUINT_TO_POINTER(kept + 1));
		}
		if (!at)
			g_array_index(rows, struct job_ref, kept++) = *r;
	}
	g_array_set_size(rows, kept);
	if (first)
		g_hash_table_destroy(first);
}

void squeue_rows_free(GArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		struct joined_tasks *t = g_array_index(rows, struct job_ref, i).joined;

		if (!t)
			continue;
		bitset_free(t->tasks);
		g_string_free(t->reasons, TRUE);
		g_free(t);
	}
	g_array_unref(rows);
}
