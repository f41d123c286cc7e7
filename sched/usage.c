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
	return u;
}

struct usage *usage_new(const struct cluster *c)
{
	struct usage *u = usage_alloc(c);
	bitset_set_all(u->idle);
	bitset_set_all(u->nonexclusive);
	bitset_set_all(u->free);
	return u;
}

struct usage *usage_overlay_new(const struct usage *base)
{
	struct usage *u = usage_alloc(base->cluster);
	u->base = base;
	u->seen = g_new0(uint32_t, base->cluster->n_nodes);
	u->blank = usage_new(base->cluster);
	usage_overlay_reset(u);
	return u;
}

void usage_overlay_reset(struct usage *u)
{
	g_assert(u->base);
	u->epoch += 2;
	if (u->epoch == 0) { /* after 2^31 resets: start over */
		memset(u->seen, 0, u->cluster->n_nodes * sizeof *u->seen);
		u->epoch = 2;
	}
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
	g_free(u->gres_off);
	g_free(u->gres);
	g_free(u->share_off);
	g_free(u->share);
	g_free(u->seen);
	usage_free(u->blank);
	bitset_free(u->idle);
	bitset_free(u->nonexclusive);
	bitset_free(u->free);
	g_free(u);
}

/* Copy node i into an overlay before its first change there. */
static void own_node(struct usage *u, uint32_t i)
{
	if (!u->base || u->seen[i] == u->epoch)
		return;
	const struct usage *b = usage_of(u, i); /* the base, or blank */
	u->seen[i] = u->epoch;
	u->node[i] = b->node[i];
	memcpy(u->core + u->core_off[i], b->core + b->core_off[i],
	       (u->core_off[i + 1] - u->core_off[i]) * sizeof *u->core);
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

static void refresh_sets(struct usage *u, uint32_t i)
{
	const struct node_use *n = &u->node[i];
	set_bit(u->idle, i, n->jobs == 0 && n->completing == 0);
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

static void change(struct usage *u, const struct job_alloc *a, const struct alloc_node *an, bool add)
{
	uint32_t i = an->node;
	own_node(u, i);
	struct node_use *n = &u->node[i];
	uint64_t *core = u->core + u->core_off[i];
	uint32_t words = u->core_off[i + 1] - u->core_off[i];
	for (uint32_t w = 0; w < words; w++) {
		uint64_t bits = a->words[an->core_word + w];
		g_assert(add ? !(core[w] & bits) : (core[w] & bits) == bits);
		core[w] ^= bits;
	}
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
	n->cores = (uint16_t)(n->cores + sign * an->cores);
	n->cpus = (uint16_t)(n->cpus + sign * an->cpus);
	n->jobs = (uint16_t)(n->jobs + sign);
	uint64_t square = (uint64_t)a->user * a->user;
	n->user_sum += add ? a->user : -(uint64_t)a->user;
	n->user_squares += add ? square : -square;
	if (a->topo_only)
		n->topo_only = (uint16_t)(n->topo_only + sign);
	if (a->user_only)
		n->user_only = (uint16_t)(n->user_only + sign);
	if (a->whole)
		n->exclusive = (uint16_t)(n->exclusive + sign);
	refresh_sets(u, i);
}

void usage_add(struct usage *u, const struct job_alloc *a)
{
	for (uint32_t k = 0; k < a->n; k++)
		change(u, a, &a->node[k], true);
	u->cpus += a->cpus;
	u->gpus += a->gpus;
	u->mem += a->mem;
	u->user_only += a->user_only;
	u->topo_only += a->topo_only;
}

void usage_remove(struct usage *u, const struct job_alloc *a)
{
	for (uint32_t k = 0; k < a->n; k++)
		change(u, a, &a->node[k], false);
	u->cpus -= a->cpus;
	u->gpus -= a->gpus;
	u->mem -= a->mem;
	u->user_only -= a->user_only;
	u->topo_only -= a->topo_only;
}

void usage_completing(struct usage *u, uint32_t node, int delta)
{
	own_node(u, node);
	u->node[node].completing = (uint16_t)(u->node[node].completing + delta);
	refresh_sets(u, node);
}

void usage_remove_imagined(struct usage *u, const struct job_alloc *a, struct bitset *emptied, struct bitset *changed)
{
	g_assert(u->base);
	for (uint32_t k = 0; k < a->n; k++) {
		uint32_t i = a->node[k].node;
		const struct node_use *n = usage_node(u, i);
		if (n->jobs == 1 && n->completing == 0) {
			u->seen[i] = u->epoch + 1;
			bitset_set(emptied, i);
		} else {
			change(u, a, &a->node[k], false);
			bitset_set(changed, i);
		}
	}
	bitset_or(u->idle, emptied);
	bitset_or(u->nonexclusive, emptied);
	bitset_or(u->free, emptied);
}
