/* resv_gres.c - see resv_gres.h */
#include "sched/resv_gres.h"
#include "sched/select.h"

#include <string.h>

/* ---- what jobs may use ---- */

const struct gres_taken *resv_taken(const struct job_alloc *a, const struct alloc_node *an, uint32_t gres)
{
	for (uint32_t i = 0; i < an->n_gres; i++)
		if (a->gres[an->gres_first + i].gres == gres)
			return &a->gres[an->gres_first + i];
	return NULL;
}

bool resv_reserves(const struct controller *c, const struct reservation *r, const char *name)
{
	for (uint32_t i = 0; i < r->cores->n; i++) {
		const struct alloc_node *an = &r->cores->node[i];
		const struct node_config *k = c->cl->node[an->node]->config;
		for (uint32_t g = 0; g < an->n_gres; g++)
			if (strcmp(k->gres[r->cores->gres[an->gres_first + g].gres].name, name) == 0)
				return true;
	}
	return false;
}

const struct reservation *resv_part_holder(const struct controller *c, uint32_t node)
{
	for (guint i = 0; i < c->resvs->len; i++) {
		const struct reservation *r = c->resvs->pdata[i];
		if (r->cores && bitset_test(r->nodes, node))
			return r;
	}
	return NULL;
}

/* What R's jobs hold of a plain count on NODE. */
static uint32_t held_inside(const struct controller *c, const struct reservation *r, uint32_t node, uint32_t gres)
{
	uint32_t n = 0;
	for (const struct job *j = c->running.head; j && r->running; j = j->next)
		for (uint32_t i = 0; j->resv == r && j->alloc && i < j->alloc->n; i++) {
			const struct alloc_node *an = &j->alloc->node[i];
			const struct gres_taken *t = an->node == node ? resv_taken(j->alloc, an, gres) : NULL;
			n += t ? t->count : 0;
		}
	return n;
}

static struct gres_use *blocked(struct controller *c)
{
	uint32_t n = c->use->gres_off[c->cl->n_nodes];
	if (c->sel->blocked_gres)
		return c->resv_gres;
	if (!c->resv_gres)
		c->resv_gres = g_new(struct gres_use, n + 1);
	memset(c->resv_gres, 0, (n + 1) * sizeof *c->resv_gres);
	c->sel->blocked_gres = c->resv_gres;
	return c->resv_gres;
}

static uint32_t less(uint32_t a, uint32_t b)
{
	return a - MIN(a, b);
}

static void block_outside(struct controller *c, const struct reservation *r, const struct alloc_node *an)
{
	const struct node_config *k = c->cl->node[an->node]->config;
	for (uint32_t i = 0; i < an->n_gres; i++) {
		const struct gres_taken *t = &r->cores->gres[an->gres_first + i];
		struct gres_use *out = &blocked(c)[c->use->gres_off[an->node] + t->gres];
		if (k->gres[t->gres].devices)
			out->devices |= t->devices;
		else
			out->count += less(t->count, held_inside(c, r, an->node, t->gres));
	}
}

/* The rest of the node's GRES of the kinds that R reserves. */
static void block_inside(struct controller *c, const struct reservation *r, const struct alloc_node *an)
{
	const struct node_config *k = c->cl->node[an->node]->config;
	for (uint32_t g = 0; g < k->n_gres; g++) {
		if (!resv_reserves(c, r, k->gres[g].name))
			continue;
		const struct gres_taken *t = resv_taken(r->cores, an, g);
		struct gres_use *out = &blocked(c)[c->use->gres_off[an->node] + g];
		if (k->gres[g].devices) {
			out->devices |= ~(t ? t->devices : 0);
			continue;
		}
		uint32_t others = less(c->use->gres[c->use->gres_off[an->node] + g].count, held_inside(c, r, an->node, g));
		out->count = MAX(out->count, less(k->gres[g].count - (t ? t->count : 0), others));
	}
}

void resv_gres_block(struct controller *c, const struct reservation *r, bool inside)
{
	for (uint32_t i = 0; i < r->cores->n; i++)
		if (inside)
			block_inside(c, r, &r->cores->node[i]);
		else
			block_outside(c, r, &r->cores->node[i]);
}
