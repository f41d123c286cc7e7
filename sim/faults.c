/* faults.c - see faults.h */
#include "sim/faults.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#define Z90 1.2815515655446004 /* of the normal distribution */

struct fault_dice {
	const struct fault_model *m;
	uint32_t n_nodes;
	double weights, shares; /* sums */
	gsl_rng *rng;
};

static void cause_clear(void *cause)
{
	g_free(((struct fault_cause *)cause)->name);
}

struct fault_model *fault_model_new(void)
{
	struct fault_model *m = g_new0(struct fault_model, 1);
	m->causes = g_array_new(FALSE, TRUE, sizeof(struct fault_cause));
	g_array_set_clear_func(m->causes, cause_clear);
	m->repairs = g_array_new(FALSE, TRUE, sizeof(struct repair_class));
	return m;
}

void fault_model_free(struct fault_model *m)
{
	if (!m)
		return;
	g_array_unref(m->causes);
	g_array_unref(m->repairs);
	g_free(m);
}

struct fault_dice *fault_dice_new(const struct fault_model *m, uint32_t n_nodes, uint64_t seed)
{
	struct fault_dice *d = g_new0(struct fault_dice, 1);
	d->m = m;
	d->n_nodes = n_nodes;
	for (guint i = 0; i < m->causes->len; i++)
		d->weights += g_array_index(m->causes, struct fault_cause, i).weight;
	for (guint i = 0; i < m->repairs->len; i++)
		d->shares += g_array_index(m->repairs, struct repair_class, i).share;
	d->rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(d->rng, (unsigned long)(seed ^ seed >> 32));
	return d;
}

void fault_dice_set_nodes(struct fault_dice *d, uint32_t n_nodes)
{
	d->n_nodes = n_nodes;
}

void fault_dice_free(struct fault_dice *d)
{
	if (!d)
		return;
	gsl_rng_free(d->rng);
	g_free(d);
}

double fault_dice_next(struct fault_dice *d)
{
	return gsl_ran_exponential(d->rng, 86400.0 * 1000.0 / (d->m->rate * d->n_nodes));
}

void fault_dice_throw(struct fault_dice *d, uint32_t *node, const char **cause, double *repair)
{
	*node = (uint32_t)gsl_rng_uniform_int(d->rng, d->n_nodes);
	double at = gsl_rng_uniform(d->rng) * d->weights;
	const struct fault_cause *c = NULL;
	for (guint i = 0; i < d->m->causes->len; i++) {
		c = &g_array_index(d->m->causes, struct fault_cause, i);
		if ((at -= c->weight) < 0)
			break;
	}
	*cause = c->name;
	at = gsl_rng_uniform(d->rng) * d->shares;
	const struct repair_class *r = NULL;
	for (guint i = 0; i < d->m->repairs->len; i++) {
		r = &g_array_index(d->m->repairs, struct repair_class, i);
		if ((at -= r->share) < 0)
			break;
	}
	double mu = log(r->p50_h), sigma = (log(r->p90_h) - mu) / Z90;
	*repair = 3600.0 * gsl_ran_lognormal(d->rng, mu, sigma);
}
