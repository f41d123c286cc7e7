/* tried.c - see tried.h */
#include "sched/tried.h"

#include <glib.h>
#include <string.h>

struct link { sec_t from, to; bool placed; };
struct tried_line {
	struct shape shape; /* the key */
	GArray *link;       /* of struct link: disjoint, ascending */
};
struct tried {
	GHashTable *line; /* set of struct tried_line * */
	GPtrArray *spare; /* lines to use again; all lines are owned by these two */
};

static guint shape_hash(gconstpointer p)
{
	const struct shape *s = &((const struct tried_line *)p)->shape;
	return ((s->part * 31 + s->time) * 31 + s->min_nodes) * 31 + s->min_cpus;
}

static gboolean shape_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(&((const struct tried_line *)a)->shape, &((const struct tried_line *)b)->shape, sizeof(struct shape)) == 0;
}

static void line_free(gpointer p)
{
	struct tried_line *l = p;
	g_array_unref(l->link);
	g_free(l);
}

struct tried *tried_new(void)
{
	struct tried *t = g_new0(struct tried, 1);
	t->line = g_hash_table_new(shape_hash, shape_equal);
	t->spare = g_ptr_array_new_with_free_func(line_free);
	return t;
}

void tried_free(struct tried *t)
{
	if (!t)
		return;
	tried_reset(t);
	g_hash_table_unref(t->line);
	g_ptr_array_unref(t->spare);
	g_free(t);
}

void tried_reset(struct tried *t)
{
	GHashTableIter i;
	gpointer line;
	g_hash_table_iter_init(&i, t->line);
	while (g_hash_table_iter_next(&i, &line, NULL))
		g_ptr_array_add(t->spare, line);
	g_hash_table_remove_all(t->line);
}

struct tried_line *tried_line(struct tried *t, const struct shape *s)
{
	struct tried_line key = {.shape = *s}, *l = g_hash_table_lookup(t->line, &key);
	if (l)
		return l;
	if (t->spare->len) {
		l = g_ptr_array_steal_index_fast(t->spare, t->spare->len - 1);
		g_array_set_size(l->link, 0);
	} else {
		l = g_new0(struct tried_line, 1);
		l->link = g_array_new(FALSE, FALSE, sizeof(struct link));
	}
	l->shape = *s;
	g_hash_table_add(t->line, l);
	return l;
}

/* Index of the first link that ends after T. */
static guint first_after(const struct tried_line *l, sec_t t)
{
	guint lo = 0, hi = l->link->len;
	while (lo < hi) {
		guint mid = (lo + hi) / 2;
		if (g_array_index(l->link, struct link, mid).to <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void tried_note(struct tried_line *l, sec_t from, sec_t to, bool placed)
{
	guint i = first_after(l, from);
	struct link fresh = {from, to, placed};
	if (i < l->link->len) {
		struct link *old = &g_array_index(l->link, struct link, i);
		if (i == 0 && old->from == from)
			return; /* the first time is always tried anew; what was known of it holds */
		if (old->from < from) { /* nothing comes free at its end any more */
			old->to = from;
			i++;
		}
	}
	guint n = i;
	while (n < l->link->len && g_array_index(l->link, struct link, n).from < to)
		n++;
	if (n > i)
		g_array_remove_range(l->link, i, n - i);
	g_array_insert_val(l->link, i, fresh);
}

sec_t tried_skip(const struct tried_line *l, sec_t t, bool counted, bool old, struct slot_window *w, const struct slot_map *m,
		 const struct bitset *initial)
{
	for (guint i = first_after(l, t); i < l->link->len; i++) {
		const struct link *k = &g_array_index(l->link, struct link, i);
		sec_t end = old ? t + (sec_t)l->shape.time * 60 : INT64_MAX;
		if (k->from > t || (k->placed && !counted) || !slotwindow_comes_free(w, m, k->to, end, initial))
			break;
		t = k->to;
	}
	return t;
}
