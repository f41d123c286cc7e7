/* slotwindow.c - see slotwindow.h */
#include "sched/slotwindow.h"

struct slot_window {
	const struct slot_map *map;
	uint64_t changes;       /* of the map when the arrays were filled */
	GArray *at;             /* of const struct slot *: the map's slots in time order */
	int lo, mid, hi;        /* the stretch meets lo..hi; suffix[] holds for lo..mid, back for mid+1..hi */
	GPtrArray *suffix;      /* [i]: of slots i..mid, owned */
	struct bitset *back, *sofar;
};

struct slot_window *slotwindow_new(uint32_t n_nodes)
{
	struct slot_window *w = g_new0(struct slot_window, 1);
	w->at = g_array_new(FALSE, FALSE, sizeof(struct slot *));
	w->suffix = g_ptr_array_new_with_free_func((GDestroyNotify)bitset_free);
	w->back = bitset_new(n_nodes);
	w->sofar = bitset_new(n_nodes);
	return w;
}

void slotwindow_free(struct slot_window *w)
{
	if (!w)
		return;
	g_array_unref(w->at);
	g_ptr_array_unref(w->suffix);
	bitset_free(w->back);
	bitset_free(w->sofar);
	g_free(w);
}

static const struct slot *slot(const struct slot_window *w, int i)
{
	return g_array_index(w->at, const struct slot *, i);
}

static void refresh(struct slot_window *w, const struct slot_map *m)
{
	if (w->map == m && w->changes == m->changes)
		return;
	w->map = m;
	w->changes = m->changes;
	g_array_set_size(w->at, 0);
	for (int i = 0; i >= 0; i = slotmap_at(m, i)->next) {
		const struct slot *s = slotmap_at(m, i);
		g_array_append_val(w->at, s);
	}
	while (w->suffix->len < w->at->len)
		g_ptr_array_add(w->suffix, bitset_new(m->n_nodes));
	w->lo = 0;
	w->mid = w->hi = -1;
}

/* Let the stretch meet the slots lo..hi from now on. */
static void move_to(struct slot_window *w, int lo, int hi)
{
	if (lo < w->lo || hi < w->hi)
		w->mid = w->hi = -1;
	w->lo = lo;
	if (lo <= w->mid) {
		for (; w->hi < hi; w->hi++)
			bitset_and(w->back, slot(w, w->hi + 1)->nodes);
		return;
	}
	w->mid = w->hi = hi;
	bitset_set_all(w->back);
	if (hi < lo)
		return;
	bitset_assign(w->suffix->pdata[hi], slot(w, hi)->nodes);
	for (int i = hi - 1; i >= lo; i--)
		bitset_assign_and(w->suffix->pdata[i], w->suffix->pdata[i + 1], slot(w, i)->nodes);
}

/* Nodes of INITIAL in SLOT that are not in USABLE: something comes free. */
static bool gains(const struct bitset *initial, const struct bitset *slot, const struct bitset *usable)
{
	for (uint32_t i = 0; i < initial->nwords; i++)
		if (initial->word[i] & slot->word[i] & ~usable->word[i])
			return true;
	return false;
}

sec_t slotwindow_walk(struct slot_window *w, const struct slot_map *m, sec_t start, sec_t end, bool old, const struct bitset *initial,
		      struct bitset *usable, sec_t *beyond, bool *guessed)
{
	refresh(w, m);
	int n = (int)w->at->len, lo = w->hi >= w->lo && slot(w, w->lo)->begin <= start ? w->lo : 0;
	while (lo < n && slot(w, lo)->end <= start)
		lo++;
	int hi = MAX(lo - 1, MIN(w->hi, n - 1));
	while (hi >= lo && slot(w, hi)->begin > end)
		hi--;
	while (hi + 1 < n && slot(w, hi + 1)->begin <= end)
		hi++;
	move_to(w, lo, hi);
	if (lo <= hi) {
		bitset_assign_and(usable, w->suffix->pdata[lo], initial);
		bitset_and(usable, w->back);
	} else {
		bitset_assign(usable, initial);
	}
	*beyond = hi + 1 < n ? slot(w, hi + 1)->begin : 0;
	*guessed = false;
	const struct bitset *sofar = initial;
	for (int i = lo; i <= hi + 1 && i + 1 < n; i++) {
		bitset_assign_and(w->sofar, sofar, slot(w, i)->nodes);
		sofar = w->sofar;
		if (gains(initial, slot(w, i + 1)->nodes, sofar))
			return slot(w, i)->end;
	}
	*guessed = !old && hi + 3 < n;
	return *guessed ? slot(w, hi + 2)->end : 0;
}

bool slotwindow_comes_free(struct slot_window *w, const struct slot_map *m, sec_t t, sec_t end, const struct bitset *initial)
{
	refresh(w, m);
	guint lo = 0, hi = w->at->len;
	while (lo < hi) { /* the first slot that ends at T or later */
		guint mid = (lo + hi) / 2;
		if (slot(w, (int)mid)->end < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && lo < w->at->len && slot(w, (int)lo - 1)->begin > end)
		return false;
	return lo + 1 < w->at->len && slot(w, (int)lo)->end == t && gains(initial, slot(w, (int)lo + 1)->nodes, slot(w, (int)lo)->nodes);
}

sec_t slotwindow_first_end(struct slot_window *w, const struct slot_map *m, sec_t t)
{
	refresh(w, m);
	for (guint i = 0; i < w->at->len; i++)
		if (slot(w, (int)i)->end > t)
			return slot(w, (int)i)->end;
	return 0;
}
