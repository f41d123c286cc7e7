/*
 * sacct_het.c - rows 123+0, 123+1 ... as one heterogeneous job (spec sacct.md 3.2; C70).
 *
 * Rows of one leader's id and one submission belong together. The lowest component that is there leads: its run time, its
 * end and its user are those of the job. The others count as told with it.
 */
#include "traces/sacct_rows.h"

static guint key_hash(gconstpointer data)
{
	const struct sacct_row *row = data;
	return (guint)(row->array_id * 31 + (guint64)row->submit);
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
	const struct sacct_row *x = a, *y = b;
	return x->array_id == y->array_id && x->submit == y->submit;
}

static gint compare(gconstpointer a, gconstpointer b, gpointer rows)
{
	const struct sacct_row *x = &g_array_index((GArray *)rows, struct sacct_row, *(const guint *)a),
	                       *y = &g_array_index((GArray *)rows, struct sacct_row, *(const guint *)b);
	return (x->component > y->component) - (x->component < y->component);
}

/* The members of a job are known: the first leads the others. */
static void lead(struct reader *r, struct sacct_store *store, GArray *members)
{
	g_array_sort_with_data(members, compare, store->rows);
	guint first = g_array_index(members, guint, 0);
	for (guint i = 1; i < members->len; i++) {
		struct sacct_row *row = &g_array_index(store->rows, struct sacct_row, g_array_index(members, guint, i));
		row->dropped = true;
		reader_leave_out(r, row->line, LEFT_NORMALLY, "component of a heterogeneous job: replayed with its leader");
	}
	g_array_remove_index(members, 0);
	if (members->len)
		g_hash_table_insert(store->components, GUINT_TO_POINTER(first + 1), g_array_ref(members));
}

void sacct_het_join(struct reader *r, struct sacct_store *store)
{
	GHashTable *jobs = g_hash_table_new(key_hash, key_equal);
	GPtrArray *order = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	for (guint i = 0; i < store->rows->len; i++) {
		struct sacct_row *row = &g_array_index(store->rows, struct sacct_row, i);
		if (row->dropped || row->component == NO_VAL)
			continue;
		GArray *members = g_hash_table_lookup(jobs, row);
		if (!members) {
			members = g_array_new(FALSE, FALSE, sizeof(guint));
			g_hash_table_insert(jobs, row, members);
			g_ptr_array_add(order, members);
		}
		if (members->len < SACCT_COMPONENTS)
			g_array_append_val(members, i);
	}
	for (guint i = 0; i < order->len; i++)
		lead(r, store, order->pdata[i]);
	g_ptr_array_unref(order);
	g_hash_table_unref(jobs);
}
