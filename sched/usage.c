/* usage.c - see usage.h */
#include "sched/usage.h"

#include <string.h>

static struct usage *usage_alloc(const struct cluster *c)
{
	struct usage *u = g_new0(struct usage, 1);
	u->cluster = c;
	u->node = g_new0(struct node_use, c->n_nodes);
	u->core_off = g_new0(uint32_t, c->n_nodes + 1);
	u->gres_off = g_new0(uint32_t, c->n_nodes + 1);
	u->share_off = g_new0(uint32_t, c->n_nodes + 1);
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		const struct node_config *k = c->node[i]->config;
		u->core_off[i + 1] = u->core_off[i] + (k->cores + 63u) / 64;
		u->gres_off[i + 1] = u->gres_off[i] + k->n_gres;
		u->share_off[i + 1] = u->share_off[i] + k->n_shares;
	}
	u->core = g_new0(uint64_t, u->core_off[c->n_nodes] + 1);
	u->gres = g_new0(struct gres_use, u->gres_off[c->n_nodes] + 1);
	u->share = g_new0(uint32_t, u->share_off[c->n_nodes] + 1);
	u->idle = bitset_new(c->n_nodes);
	u->nonexclusive = bitset_new(c->n_nodes);
	u->free = bitset_new(c->n_nodes);
	u->single = bitset_new(c->n_nodes);
	return u;
}

struct usage *usage_new(const struct cluster *c)
{
	struct usage *u = usage_alloc(c);
	bitset_set_all(u->idle);
	bitset_set_all(u->nonexclusive);
	bitset_set_all(u->free);
	u->stamp = g_new0(uint64_t, c->n_nodes + 1);
	u->word_stamp = g_new0(uint64_t, c->n_nodes / 64 + 1);
	return u;
}

struct usage *usage_overlay_new(const struct usage *base)
{
	struct usage *u = usage_alloc(base->cluster);
	u->base = base;
	u->seen = g_new0(uint32_t, base->cluster->n_nodes);
	u->emptied = bitset_new(base->cluster->n_nodes);
	u->blank = usage_new(base->cluster);
	usage_overlay_reset(u);
	return u;
}

void usage_overlay_reset(struct usage *u)
{
	g_assert(u->base);
	if (++u->epoch == 0) { /* after 2^32 resets: start over */
		memset(u->seen, 0, u->cluster->n_nodes * sizeof *u->seen);
		u->epoch = 1;
	}
	bitset_clear_all(u->emptied);
	bitset_assign(u->idle, u->base->idle);
	bitset_assign(u->nonexclusive, u->base->nonexclusive);
	bitset_assign(u->free, u->base->free);
}

void usage_free(struct usage *u)
{
	if (!u)
		return;
	g_free(u->node);
	g_free(u->core_off);
	g_free(u->core);
	g_free(u->holders);
	g_free(u->gres_off);
	g_free(u->gres);
	g_free(u->share_off);
	g_free(u->share);
	g_free(u->seen);
	g_free(u->stamp);
	g_free(u->word_stamp);
	usage_free(u->blank);
	bitset_free(u->idle);
	bitset_free(u->nonexclusive);
	bitset_free(u->free);
	bitset_free(u->single);
	bitset_free(u->emptied);
	g_free(u);
}

/* Copy node i into an overlay before its first change there. */
static void own_node(struct usage *u, uint32_t i)
{
	const struct usage *b = usage_of(u, i); /* where it is now: the base, or blank */
	if (b == u)
		return;
	bitset_clear(u->emptied, i);
	u->seen[i] = u->epoch;
	u->node[i] = b->node[i];
	memcpy(u->core + u->core_off[i], b->core + b->core_off[i],
	       (u->core_off[i + 1] - u->core_off[i]) * sizeof *u->core);
	if (u->holders)
		memcpy(u->holders + u->core_off[i] * 64, b->holders + u->core_off[i] * 64,
		       (u->core_off[i + 1] - u->core_off[i]) * 64);
	memcpy(u->gres + u->gres_off[i], b->gres + b->gres_off[i],
	       (u->gres_off[i + 1] - u->gres_off[i]) * sizeof *u->gres);
	memcpy(u->share + u->share_off[i], b->share + b->share_off[i],
	       (u->share_off[i + 1] - u->share_off[i]) * sizeof *u->share);
}

static void set_bit(struct bitset *b, uint32_t i, bool on)
{
	if (on)
		bitset_set(b, i);
	else
		bitset_clear(b, i);
}

static void touch(struct usage *u, uint32_t i)
{
	u->stamp[i] = u->word_stamp[i / 64] = ++u->clock;
}

static void refresh_sets(struct usage *u, uint32_t i)
{
	if (u->stamp)
		touch(u, i);
	const struct node_use *n = &u->node[i];
	set_bit(u->idle, i, n->jobs == 0 && n->completing == 0);
	set_bit(u->single, i, n->jobs == 1 && n->completing == 0);
	set_bit(u->nonexclusive, i, n->exclusive == 0);
	set_bit(u->free, i, n->cores < u->cluster->node[i]->config->cores);
}

/* Shares of one device change hands. */
static void change_shares(struct usage *u, uint32_t node, const struct node_gres *ng, const struct gres_taken *t,
                          struct gres_use *g, bool add)
{
	uint32_t d = (uint32_t)__builtin_ctzll(t->devices), *held = u->share + u->share_off[node] + ng->share_first + d;
	g_assert(add ? *held + t->count <= ng->per_device[d] : *held >= t->count);
	*held += add ? t->count : -t->count;
	if (*held)
		g->devices |= UINT64_C(1) << d;
	else
		g->devices &= ~(UINT64_C(1) << d);
}

/* One core more or less for each bit of AN, where several jobs may hold one. */
static void change_holders(struct usage *u, const struct job_alloc *a, const struct alloc_node *an, bool add)
{
	uint32_t off = u->core_off[an->node], words = u->core_off[an->node + 1] - off;
	struct node_use *n = &u->node[an->node];
	for (uint32_t w = 0; w < words; w++)
		for (uint64_t bits = a->words[an->core_word + w]; bits; bits &= bits - 1) {
			uint32_t k = (off + w) * 64 + (uint32_t)__builtin_ctzll(bits);
			g_assert(add ? u->holders[k] < 255 : u->holders[k] > 0);
			bool edge = add ? u->holders[k]++ == 0 : --u->holders[k] == 0;
			if (!edge)
				continue;
			u->core[off + w] ^= UINT64_C(1) << (k % 64);
			n->cores = (uint16_t)(add ? n->cores + 1 : n->cores - 1);
		}
}

static void change_cores(struct usage *u, const struct job_alloc *a, const struct alloc_node *an, bool add)
{
	uint32_t i = an->node;
	if (u->holders) {
		change_holders(u, a, an, add);
		return;
	}
	struct node_use *n = &u->node[i];
	uint64_t *core = u->core + u->core_off[i];
	uint32_t words = u->core_off[i + 1] - u->core_off[i];
	for (uint32_t w = 0; w < words; w++) {
		uint64_t bits = a->words[an->core_word + w];
		g_assert(add ? !(core[w] & bits) : (core[w] & bits) == bits);
		core[w] ^= bits;
	}
	n->cores = (uint16_t)(add ? n->cores + an->cores : n->cores - an->cores);
}

/* All of AN but the cores and the CPUs charged for them. */
static void change_rest(struct usage *u, const struct job_alloc *a, const struct alloc_node *an, bool add)
{
	uint32_t i = an->node;
	own_node(u, i);
	struct node_use *n = &u->node[i];
	for (uint32_t k = 0; k < an->n_gres; k++) {
		const struct gres_taken *t = &a->gres[an->gres_first + k];
		struct gres_use *g = &u->gres[u->gres_off[i] + t->gres];
		const struct node_gres *ng = &u->cluster->node[i]->config->gres[t->gres];
		if (ng->per_device && t->devices) {
			change_shares(u, i, ng, t, g, add);
		} else {
			g_assert(add ? !(g->devices & t->devices) : (g->devices & t->devices) == t->devices);
			g->devices ^= t->devices;
		}
		g->count += add ? t->count : -t->count;
	}
	int sign = add ? 1 : -1;
	n->mem += add ? an->mem : -an->mem;
	n->jobs = (uint16_t)(n->jobs + sign);
	uint64_t square = (uint64_t)a->user * a->user;
	n->user_sum += add ? a->user : -(uint64_t)a->user;
	n->user_squares += add ? square : -square;
	if (a->topo_only)
		n->topo_only = (uint16_t)(n->topo_only + sign);
	if (a->user_only)
		n->user_only = (uint16_t)(n->user_only + sign);
	if (a->paused) {
		n->paused = (uint16_t)(n->paused + sign);
		n->paused_cpus = (uint16_t)(n->paused_cpus + (a->cores_free ? 0 : sign * an->cpus));
	}
	if (a->whole)
		n->exclusive = (uint16_t)(n->exclusive + sign);
	refresh_sets(u, i);
}

static void change_cpus(struct usage *u, const struct job_alloc *a, const struct alloc_node *an, bool add)
{
	own_node(u, an->node);
	struct node_use *n = &u->node[an->node];
	change_cores(u, a, an, add);
	n->cpus = (uint16_t)(add ? n->cpus + an->cpus : n->cpus - an->cpus);
	refresh_sets(u, an->node);
}

static void change(struct usage *u, const struct job_alloc *a, const struct alloc_node *an, bool add)
{
	if (!a->cores_free)
		change_cpus(u, a, an, add);
	change_rest(u, a, an, add);
}

void usage_share(struct usage *u)
{
	if (u->holders)
		return;
	uint32_t words = u->core_off[u->cluster->n_nodes];
	u->holders = g_new0(uint8_t, (gsize)words * 64 + 1);
	for (gsize k = 0; !u->base && k < (gsize)words * 64; k++)
		u->holders[k] = u->core[k / 64] >> (k % 64) & 1;
	if (u->blank)
		usage_share(u->blank);
	if (u->base)
		usage_overlay_reset(u);
}

static void change_totals(struct usage *u, const struct job_alloc *a, bool add)
{
	u->changes++;
	u->cpus = add ? u->cpus + a->cpus : u->cpus - a->cpus;
	u->gpus = add ? u->gpus + a->gpus : u->gpus - a->gpus;
	u->mem = add ? u->mem + a->mem : u->mem - a->mem;
}

void usage_pause(struct usage *u, struct job_alloc *a, bool cores)
{
	g_assert(!a->paused && u->holders);
	change_totals(u, a, false);
	a->paused = true;
	for (uint32_t k = 0; k < a->n; k++) {
		struct node_use *n = &u->node[a->node[k].node];
		n->paused++;
		n->paused_cpus = (uint16_t)(n->paused_cpus + (cores ? 0 : a->node[k].cpus));
		if (cores)
			change_cpus(u, a, &a->node[k], false);
	}
	a->cores_free = cores;
}

void usage_unpause(struct usage *u, struct job_alloc *a)
{
	g_assert(a->paused);
	for (uint32_t k = 0; k < a->n; k++) {
		struct node_use *n = &u->node[a->node[k].node];
		n->paused--;
		n->paused_cpus = (uint16_t)(n->paused_cpus - (a->cores_free ? 0 : a->node[k].cpus));
		if (a->cores_free)
			change_cpus(u, a, &a->node[k], true);
	}
	a->paused = a->cores_free = false;
	change_totals(u, a, true);
}

void usage_remove_cores(struct usage *u, const struct job_alloc *a)
{
	for (uint32_t k = 0; k < a->n; k++)
		change_cpus(u, a, &a->node[k], false);
}


void usage_add(struct usage *u, const struct job_alloc *a)
{
	for (uint32_t k = 0; k < a->n; k++)
		change(u, a, &a->node[k], true);
	change_totals(u, a, true);
	u->user_only += a->user_only;
	u->topo_only += a->topo_only;
}

void usage_remove(struct usage *u, const struct job_alloc *a)
{
	for (uint32_t k = 0; k < a->n; k++)
		change(u, a, &a->node[k], false);
	if (!a->paused)
		change_totals(u, a, false);
	u->user_only -= a->user_only;
	u->topo_only -= a->topo_only;
}

void usage_completing(struct usage *u, uint32_t node, int delta)
{
	own_node(u, node);
	u->node[node].completing = (uint16_t)(u->node[node].completing + delta);
	refresh_sets(u, node);
}

void usage_touch(struct usage *u, const struct bitset *nodes)
{
	int64_t i;
	for (BITSET_EACH(i, nodes))
		touch(u, (uint32_t)i);
}

bool usage_changed_since(const struct usage *u, const struct bitset *nodes, uint64_t stamp)
{
	for (uint32_t w = 0; w < nodes->nwords; w++)
		for (uint64_t bits = u->word_stamp[w] > stamp ? nodes->word[w] : 0; bits; bits &= bits - 1)
			if (u->stamp[w * 64 + (uint32_t)__builtin_ctzll(bits)] > stamp)
				return true;
	return false;
}

/* The part of A on node I. */
static const struct alloc_node *part_on(const struct job_alloc *a, uint32_t i)
{
	uint32_t lo = 0, hi = a->n;
	while (lo + 1 < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (a->node[mid].node <= i)
			lo = mid;
		else
			hi = mid;
	}
	g_assert(a->node[lo].node == i);
	return &a->node[lo];
}

void usage_remove_imagined(struct usage *u, const struct job_alloc *a, const struct bitset *nodes, const struct bitset *within,
			   struct bitset *emptied, struct bitset *changed)
{
	g_assert(u->base);
	const struct bitset *single = u->base->single;
	for (uint32_t w = a->node[0].node / 64, last = a->node[a->n - 1].node / 64; w <= last; w++) {
		uint64_t here = nodes->word[w] & within->word[w], shared = here & ~single->word[w];
		emptied->word[w] |= here ^ shared;
		for (; shared; shared &= shared - 1) {
			uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(shared);
			const struct node_use *n = usage_node(u, i);
			if (n->jobs == 1 && n->completing == 0) {
				bitset_set(emptied, i);
			} else {
				change(u, a, part_on(a, i), false);
				bitset_set(changed, i);
			}
		}
	}
}

void usage_empty_imagined(struct usage *u, const struct bitset *emptied)
{
	bitset_or(u->emptied, emptied);
	bitset_or(u->idle, emptied);
	bitset_or(u->nonexclusive, emptied);
	bitset_or(u->free, emptied);
}

uint64_t usage_room(const struct usage *u, const struct bitset *nodes, uint32_t *n)
{
	uint64_t cpus = 0;
	*n = bitset_count_and(nodes, u->free);
	for (guint c = 0; c < u->cluster->configs->len; c++) { /* idle nodes by kind, the others one by one */
		const struct node_config *k = u->cluster->configs->pdata[c];
		uint64_t idle = 0;
		for (uint32_t w = 0; w < nodes->nwords; w++) {
			uint64_t here = nodes->word[w] & k->nodes->word[w] & u->free->word[w], busy = here & ~u->idle->word[w];
			idle += bitset_word_count(here ^ busy);
			for (; busy; busy &= busy - 1)
				cpus += (uint64_t)(k->cores - usage_node(u, w * 64 + (uint32_t)__builtin_ctzll(busy))->cores) * k->cpus_per_core;
		}
		cpus += idle * k->cores * k->cpus_per_core;
	}
	return cpus;
}
