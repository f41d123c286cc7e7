/* resv_gres_choose.c - which devices and cores a reservation of GRES gets (lifecycle C64); see resv_gres.h */
#include "sched/gres_share.h"
#include "sched/resv_gres.h"

#include <string.h>

struct choosing {
	struct resv_draft *d;
	const GArray *wants;
	uint32_t *left;      /* [wants] of what is counted over all nodes */
	uint32_t cores_left; /* of a number of cores over all nodes */
	uint32_t spread;     /* nodes to be taken; 0 = as many as it takes */
	uint32_t taken;      /* nodes */
	GArray *words, *nodes, *gres;
};

static const struct resv_want *want(const struct choosing *h, guint i)
{
	return &g_array_index(h->wants, struct resv_want, i);
}

/* ---- what is free ---- */

/* What A has of GRES number GRES of NODE is in use; of a GPU also by its shares. */
static void add_use(const struct job_alloc *a, const struct node_config *k, uint32_t node, uint32_t gres, struct gres_use *use)
{
	bool gpu = strcmp(k->gres[gres].name, "gpu") == 0;
	for (uint32_t i = 0; i < a->n; i++)
		for (uint32_t g = 0; a->node[i].node == node && g < a->node[i].n_gres; g++) {
			const struct gres_taken *t = &a->gres[a->node[i].gres_first + g];
			if (t->gres == gres)
				use->count += t->count;
			if (t->gres == gres || (gpu && k->gres[t->gres].per_device))
				use->devices |= t->devices;
		}
}

/* The counterpart of resv_cores_in_use. */
static struct gres_use gres_in_use(const struct resv_draft *d, uint32_t node, uint32_t gres)
{
	const struct controller *c = d->c;
	const struct node_config *k = c->cl->node[node]->config;
	struct gres_use use = {0};
	for (guint i = 0; i < c->resvs->len && !(d->r->flags & (RESV_FLAG(MAINT) | RESV_FLAG(OVERLAP))); i++) {
		const struct reservation *s = c->resvs->pdata[i];
		if (strcmp(s->name, d->r->name) == 0 || !bitset_test(s->nodes, node) || !resv_times_meet(c, d->r, s))
			continue;
		if (!s->cores)
			return (struct gres_use){UINT64_MAX, UINT32_MAX};
		add_use(s->cores, k, node, gres, &use);
	}
	for (const struct job *j = c->running.head; j && !(d->r->flags & RESV_FLAG(IGNORE_JOBS)); j = j->next)
		if (j->end > d->r->start && bitset_test(j->nodes, node))
			add_use(j->alloc, k, node, gres, &use);
	return use;
}

static int gres_of(const struct node_config *k, const char *name)
{
	for (uint32_t g = 0; g < k->n_gres; g++)
		if (strcmp(k->gres[g].name, name) == 0)
			return (int)g;
	return -1;
}

static uint64_t group_bits(const struct gres_group *g)
{
	if (g->first >= 64)
		return 0;
	return (g->count >= 64 ? UINT64_MAX : (UINT64_C(1) << g->count) - 1) << g->first;
}

static uint64_t devices_of_type(const struct node_gres *ng, const char *type)
{
	uint64_t bits = 0;
	for (uint32_t g = 0; g < ng->n_groups; g++)
		if (!type || g_strcmp0(type, ng->group[g].type) == 0)
			bits |= group_bits(&ng->group[g]);
	return bits;
}

/* Free devices (in *DEVICES) or units of W on NODE. */
static uint32_t free_of(const struct resv_draft *d, uint32_t node, const struct resv_want *w, uint64_t *devices)
{
	const struct node_config *k = d->c->cl->node[node]->config;
	int gres = gres_of(k, w->name);
	*devices = 0;
	if (gres < 0)
		return 0;
	struct gres_use use = gres_in_use(d, node, (uint32_t)gres);
	if (k->gres[gres].devices) {
		*devices = devices_of_type(&k->gres[gres], w->type) & ~use.devices;
		return (uint32_t)__builtin_popcountll(*devices);
	}
	uint32_t have = node_config_gres(k, w->name, w->type);
	return have - MIN(have, use.count);
}

/* ---- one node ---- */

static uint64_t lowest(uint64_t bits, uint32_t n)
{
	uint64_t out = 0;
	for (; n && bits; n--, bits &= bits - 1)
		out |= bits & -bits;
	return out;
}

/* Cores near the devices of T; all, when the place of some is not known. */
static void add_near(const struct node_gres *ng, const struct gres_taken *t, struct bitset *near)
{
	bool anywhere = !t->devices;
	for (uint32_t g = 0; g < ng->n_groups; g++) {
		const struct gres_group *group = &ng->group[g];
		if (!(group_bits(group) & t->devices))
			continue;
		if (group->cores)
			bitset_or(near, group->cores);
		anywhere = anywhere || !group->cores;
	}
	if (anywhere)
		bitset_set_all(near);
}

/* The lowest N of FREE go over to MINE, those of NEAR (NULL: any) alone. */
static uint32_t move_cores(struct bitset *free, const struct bitset *near, uint32_t n, struct bitset *mine)
{
	int64_t i;
	for (BITSET_EACH(i, free)) {
		if (!n)
			break;
		if (near && !bitset_test(near, (uint32_t)i))
			continue;
		bitset_set(mine, (uint32_t)i);
		n--;
	}
	bitset_andnot(free, mine);
	return n;
}

/* Cores that go with COUNT devices of each want when no number is given. */
static uint32_t share_of_cores(const struct choosing *h, const struct node_config *k, const uint32_t *count)
{
	uint32_t most = 1;
	for (guint i = 0; i < h->wants->len; i++) {
		int g = gres_of(k, want(h, i)->name);
		if (g >= 0 && k->gres[g].count)
			most = MAX(most, (uint32_t)((uint64_t)k->cores * count[i] / k->gres[g].count));
	}
	return most;
}

/* Cores for NODE with COUNT devices; FREE of them are there. 0 = it cannot be. */
static uint32_t cores_here(const struct choosing *h, const struct node_config *k, const uint32_t *count, uint32_t free)
{
	const struct resv_draft *d = h->d;
	uint32_t want_cores, total = 0, devices = 0;
	if (!d->cores->len)
		return MIN(free, share_of_cores(h, k, count));
	if (d->cores->len > 1)
		want_cores = h->taken < d->cores->len ? g_array_index(d->cores, uint32_t, h->taken) : 0;
	else if (d->cores_each)
		want_cores = g_array_index(d->cores, uint32_t, 0);
	else if (h->spread)
		want_cores = (h->cores_left + h->spread - h->taken - 1) / (h->spread - h->taken);
	else {
		for (guint i = 0; i < h->wants->len; i++) {
			total += h->left[i];
			devices += count[i];
		}
		want_cores = total ? (uint32_t)(((uint64_t)h->cores_left * devices + total - 1) / total) : 0;
	}
	return want_cores <= free ? want_cores : 0;
}

/* COUNT devices of each want and CORES of the FREE cores of NODE are the reservation's. */
static void hold(struct choosing *h, uint32_t node, const uint32_t *count, struct bitset *free, uint32_t cores)
{
	const struct node_config *k = h->d->c->cl->node[node]->config;
	struct bitset *near = bitset_new(k->cores), *mine = bitset_new(k->cores);
	struct alloc_node an = {.node = node, .cores = (uint16_t)cores, .cpus = (uint16_t)(cores * k->cpus_per_core), .core_word = h->words->len,
	                        .gres_first = h->gres->len};
	for (uint32_t g = 0; g < k->n_gres; g++) {
		struct gres_taken t = {.gres = (uint16_t)g};
		for (guint i = 0; i < h->wants->len; i++) {
			uint64_t devices;
			if (!count[i] || strcmp(want(h, i)->name, k->gres[g].name) != 0)
				continue;
			free_of(h->d, node, want(h, i), &devices);
			t.devices |= lowest(devices, count[i]);
			t.count += count[i];
		}
		if (!t.count)
			continue;
		add_near(&k->gres[g], &t, near);
		g_array_append_val(h->gres, t);
		an.n_gres++;
	}
	move_cores(free, NULL, move_cores(free, near, cores, mine), mine);
	g_array_append_vals(h->words, mine->word, mine->nwords);
	g_array_append_val(h->nodes, an);
	bitset_free(near);
	bitset_free(mine);
}

static struct bitset *free_cores(const struct resv_draft *d, uint32_t node)
{
	const struct node_config *k = d->c->cl->node[node]->config;
	struct bitset *used = bitset_new(k->cores), *free = bitset_new(k->cores);
	resv_cores_in_use(d, node, used);
	bitset_set_all(free);
	bitset_andnot(free, used);
	if (k->spec_cores)
		bitset_andnot(free, k->spec_cores);
	bitset_free(used);
	return free;
}

/* How many of each want NODE is to give; false when it cannot. */
static bool counts_here(const struct choosing *h, uint32_t node, uint32_t *count)
{
	uint32_t sum = 0;
	for (guint i = 0; i < h->wants->len; i++) {
		const struct resv_want *w = want(h, i);
		uint64_t devices;
		uint32_t free = free_of(h->d, node, w, &devices), nodes = h->spread - h->taken;
		count[i] = w->per_node ? w->per_node : h->spread ? (h->left[i] + nodes - 1) / nodes : MIN(h->left[i], free);
		if (count[i] > free)
			return false;
		sum += count[i];
	}
	return sum > 0 || !h->wants->len;
}

static bool take_node(struct choosing *h, uint32_t node)
{
	const struct node_config *k = h->d->c->cl->node[node]->config;
	g_autofree uint32_t *count = g_new0(uint32_t, h->wants->len + 1);
	if (!counts_here(h, node, count))
		return false;
	struct bitset *free = free_cores(h->d, node);
	uint32_t cores = cores_here(h, k, count, bitset_count(free));
	if (cores) {
		hold(h, node, count, free, cores);
		h->taken++;
		h->cores_left -= MIN(h->cores_left, cores);
		for (guint i = 0; i < h->wants->len; i++)
			h->left[i] -= MIN(h->left[i], count[i]);
	}
	bitset_free(free);
	return cores > 0;
}

/* ---- all nodes ---- */

static int node_cmp(gconstpointer a, gconstpointer b)
{
	const struct alloc_node *x = a, *y = b;
	return x->node < y->node ? -1 : x->node > y->node;
}

static struct job_alloc *close_alloc(const struct cluster *cl, GArray *words, GArray *nodes, GArray *gres)
{
	struct job_alloc *a = g_new0(struct job_alloc, 1);
	g_array_sort(nodes, node_cmp);
	a->n = nodes->len;
	a->words = (uint64_t *)(void *)g_array_free(words, FALSE);
	a->node = (struct alloc_node *)(void *)g_array_free(nodes, FALSE);
	a->gres = (struct gres_taken *)(void *)g_array_free(gres, FALSE);
	for (uint32_t i = 0; i < a->n; i++) {
		a->cpus += a->node[i].cpus;
		for (uint32_t g = 0; g < a->node[i].n_gres; g++) {
			const struct gres_taken *t = &a->gres[a->node[i].gres_first + g];
			if (strcmp(cl->node[a->node[i].node]->config->gres[t->gres].name, "gpu") == 0)
				a->gpus += t->count;
		}
	}
	return a;
}

static void open_choice(struct choosing *h, struct resv_draft *d)
{
	*h = (struct choosing){.d = d, .wants = d->wants};
	h->words = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	h->nodes = g_array_new(FALSE, TRUE, sizeof(struct alloc_node));
	h->gres = g_array_new(FALSE, TRUE, sizeof(struct gres_taken));
	h->left = g_new0(uint32_t, h->wants->len + 1);
	for (guint i = 0; i < h->wants->len; i++)
		h->left[i] = want(h, i)->total;
	for (guint i = 0; i < d->cores->len && !d->cores_each; i++)
		h->cores_left += g_array_index(d->cores, uint32_t, i);
}

void resv_keep_parts(struct resv_draft *d, GArray *words, GArray *nodes, GArray *gres)
{
	struct reservation *r = d->r;
	r->cores = close_alloc(d->c->cl, words, nodes, gres);
	r->cores_since = d->c->now_s;
	bitset_clear_all(r->nodes);
	r->core_cnt = 0;
	for (uint32_t i = 0; i < r->cores->n; i++) {
		bitset_set(r->nodes, r->cores->node[i].node);
		r->core_cnt += r->cores->node[i].cores;
	}
}

static bool choice_done(const struct choosing *h)
{
	bool done = !h->spread || h->taken == h->spread;
	for (guint i = 0; i < h->wants->len; i++)
		done = done && !h->left[i];
	return done && h->taken;
}

static bool forms_agree(const struct resv_draft *d, const GArray *list, uint32_t spread)
{
	for (guint i = 0; i < d->wants->len; i++) {
		const struct resv_want *w = &g_array_index(d->wants, struct resv_want, i);
		if (w->per_node && !spread)
			return resv_misread(d, "TRESPerNode=gres/%s needs NodeCnt, TRES=node or Nodes", w->name);
		if (w->total && w->total < spread)
			return resv_misread(d, "TRES=gres/%s=%u is less than one for each of %u nodes", w->name, w->total, spread);
	}
	if (d->cores->len > 1 && d->cores->len != list->len)
		return resv_refused(d, "Core count for reservation node list is not consistent!");
	return !d->cores_each || spread || resv_misread(d, "TRESPerNode=cpu needs NodeCnt, TRES=node or Nodes");
}

bool resv_gres_choose(struct resv_draft *d, const GArray *list)
{
	struct choosing h;
	uint32_t spread = d->has_nodes ? list->len : d->node_cnt;
	if (!forms_agree(d, list, spread))
		return false;
	open_choice(&h, d);
	h.spread = spread;
	for (guint i = 0; i < list->len && !choice_done(&h); i++)
		take_node(&h, g_array_index(list, uint32_t, i));
	bool done = choice_done(&h);
	resv_keep_parts(d, h.words, h.nodes, h.gres);
	g_free(h.left);
	return done || resv_refused(d, "Requested nodes are busy");
}

/* ---- C63 ---- */

static void add_want(GArray *wants, const char *name, const char *type, uint32_t count)
{
	for (guint i = 0; i < wants->len; i++) {
		const struct resv_want *w = &g_array_index(wants, struct resv_want, i);
		if (strcmp(w->name, name) == 0 && g_strcmp0(w->type, type) == 0)
			return;
	}
	struct resv_want w = {.name = g_strdup(name), .type = g_strdup(type), .per_node = count};
	if (count)
		g_array_append_val(wants, w);
}

/* What the part AN of R is, type by type. */
static GArray *wants_of(const struct controller *c, const struct reservation *r, const struct alloc_node *an)
{
	const struct node_config *k = c->cl->node[an->node]->config;
	GArray *wants = resv_wants_new();
	for (uint32_t i = 0; i < an->n_gres; i++) {
		const struct gres_taken *t = &r->cores->gres[an->gres_first + i];
		const struct node_gres *ng = &k->gres[t->gres];
		if (!ng->devices)
			add_want(wants, ng->name, NULL, t->count);
		for (uint32_t g = 0; ng->devices && g < ng->n_groups; g++) {
			const char *type = ng->group[g].type;
			uint64_t mine = 0;
			for (uint32_t m = 0; m < ng->n_groups; m++)
				if (g_strcmp0(ng->group[m].type, type) == 0)
					mine |= group_bits(&ng->group[m]);
			add_want(wants, ng->name, type, (uint32_t)__builtin_popcountll(t->devices & mine));
		}
	}
	return wants;
}

static void keep_part(struct choosing *h, const struct job_alloc *a, struct alloc_node an)
{
	uint32_t core_word = h->words->len, gres_first = h->gres->len;
	g_array_append_vals(h->words, a->words + an.core_word, (h->d->c->cl->node[an.node]->config->cores + 63u) / 64);
	if (an.n_gres)
		g_array_append_vals(h->gres, a->gres + an.gres_first, an.n_gres);
	an.core_word = core_word;
	an.gres_first = gres_first;
	g_array_append_val(h->nodes, an);
}

/* The part AN goes over to node TO, which must have as much free. */
static bool move_part(struct choosing *h, const struct alloc_node *an, uint32_t to)
{
	g_autofree uint32_t *count = g_new0(uint32_t, h->wants->len + 1);
	struct bitset *free = free_cores(h->d, to);
	bool fits = counts_here(h, to, count) && bitset_count(free) >= an->cores;
	if (fits)
		hold(h, to, count, free, an->cores);
	bitset_free(free);
	return fits;
}

bool resv_gres_move(struct controller *c, struct reservation *r, uint32_t from, uint32_t to)
{
	struct job_alloc *old = r->cores;
	g_autoptr(GArray) cores = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct resv_draft d = {.c = c, .r = r, .cores = cores};
	struct choosing h;
	uint32_t i = 0;
	while (i < old->n && old->node[i].node != from)
		i++;
	if (i == old->n)
		return false;
	d.wants = wants_of(c, r, &old->node[i]);
	open_choice(&h, &d);
	bool fits = move_part(&h, &old->node[i], to);
	for (uint32_t k = 0; k < old->n && fits; k++)
		if (k != i)
			keep_part(&h, old, old->node[k]);
	struct job_alloc *fresh = close_alloc(c->cl, h.words, h.nodes, h.gres);
	g_free(h.left);
	g_array_unref(d.wants);
	r->cores = fits ? fresh : old;
	job_alloc_free(fits ? old : fresh);
	return fits;
}
