/* release.c - see release.h */
#include "sched/release.h"
#include "sched/state.h"

struct release_line {
	uint32_t n_nodes;
	uint64_t changes; /* of by_end and of what is held, when filled */
	guint filled;     /* sets that hold */
	GPtrArray *set;   /* [i]: of by_end[0 .. i x stride), owned */
	guint stride;
};

struct release_line *release_new(uint32_t n_nodes)
{
	struct release_line *r = g_new0(struct release_line, 1);
	r->n_nodes = n_nodes;
	r->set = g_ptr_array_new_with_free_func((GDestroyNotify)bitset_free);
	return r;
}

void release_free(struct release_line *r)
{
	if (!r)
		return;
	g_ptr_array_unref(r->set);
	g_free(r);
}

/* Of by_end[from .. to), one more set after the last. */
static void add_set(struct release_line *r, const struct controller *c, guint from, guint to)
{
	if (r->set->len == r->filled)
		g_ptr_array_add(r->set, bitset_new(r->n_nodes));
	struct bitset *b = r->set->pdata[r->filled];
	bitset_assign(b, r->filled ? r->set->pdata[r->filled - 1] : c->use->free);
	for (guint i = from; i < to; i++)
		bitset_or(b, ((const struct job *)c->by_end->pdata[i])->nodes);
	r->filled++;
}

const struct bitset *release_by(struct release_line *r, const struct controller *c, guint k)
{
	uint64_t changes = c->by_end_changes + c->use->changes;
	if (!r->filled || r->changes != changes) {
		r->changes = changes;
		r->filled = 0;
		r->stride = 1 + c->by_end->len / 1024; /* memory stays small */
		add_set(r, c, 0, 0);
	}
	guint want = (k + r->stride - 1) / r->stride;
	while (r->filled <= want)
		add_set(r, c, (r->filled - 1) * r->stride, MIN(r->filled * r->stride, c->by_end->len));
	return r->set->pdata[want];
}
