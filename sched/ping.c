/* ping.c - see ping.h */
#include "sched/ping.h"
#include "sched/adopt.h"

#define FIRST_ROUND 4
#define REGISTRATION 20 /* each so many rounds */

struct pings {
	sec_t last;         /* second of the last round */
	uint64_t rounds;
	bool soon;          /* a round at the next turn */
	sec_t oldest;       /* no node that can answer was heard before */
	uint32_t n_nodes;
	sec_t heard[];      /* [nodes] */
};

/* 0: nobody asks, or no thread of backfill would notice. */
static sec_t period_of(const struct controller *c)
{
	return c->p->sched_type == SCHED_BUILTIN || c->p->bf_interval < 1 ? 0 : c->p->slurmd_timeout / 3;
}

struct pings *pings_new(const struct controller *c)
{
	struct pings *p = g_malloc0(sizeof *p + c->cl->n_nodes * sizeof p->heard[0]);
	p->last = c->now_s + FIRST_ROUND - period_of(c);
	p->oldest = c->now_s;
	p->n_nodes = c->cl->n_nodes;
	for (uint32_t i = 0; i < p->n_nodes; i++) /* they register when the controller comes */
		p->heard[i] = c->now_s;
	return p;
}

void controller_first_ping(struct controller *c, sec_t after)
{
	c->pings->last += after - FIRST_ROUND;
}

/* Nobody expects an answer of the others. */
static bool answers(const struct node *n)
{
	const uint32_t off = NODE_POWERED_DOWN | NODE_POWERING_DOWN | NODE_POWERING_UP | NODE_REBOOT_ISSUED | NODE_NOT_RESPONDING;
	return !(n->flags & off) && n->base != NODE_FUTURE && n->base != NODE_UNKNOWN;
}

void ping_heard(struct controller *c, uint32_t node)
{
	if (answers(c->cl->node[node]))
		c->pings->heard[node] = c->now_s;
}

void ping_soon(struct controller *c, uint32_t node)
{
	c->pings->soon = true;
	c->pings->oldest = MIN(c->pings->oldest, c->pings->heard[node]);
}

/* Ask those not heard for more than the period, or all; false when nobody was asked. */
static bool ask(struct controller *c, struct pings *p, bool all)
{
	bool any = false;
	sec_t oldest = c->now_s, period = period_of(c);
	if (!all && c->now_s - p->oldest <= period)
		return false;
	for (uint32_t i = 0; i < p->n_nodes; i++) {
		if (!answers(c->cl->node[i]))
			continue;
		if (all || c->now_s - p->heard[i] > period) {
			p->heard[i] = c->now_s;
			any = true;
		}
		oldest = MIN(oldest, p->heard[i]);
	}
	p->oldest = oldest;
	return any;
}

void ping_tick(struct controller *c)
{
	struct pings *p = c->pings;
	sec_t period = period_of(c);
	if (!period || (c->now_s - p->last < period && !p->soon))
		return;
	p->last = p->soon ? c->now_s : c->now_s - (c->now_s - p->last) % period;
	p->soon = false;
	p->rounds++;
	if (ask(c, p, p->rounds % REGISTRATION == 0))
		c->last_update = c->now_s;
}

void controller_nodes_register(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	for (uint32_t i = 0; i < c->pings->n_nodes; i++)
		ping_heard(c, i);
	c->counter++; /* S3 */
}

sec_t ping_next(const struct controller *c, sec_t since)
{
	const struct pings *p = c->pings;
	sec_t period = period_of(c);
	return !period ? INT64_MAX : p->soon ? since : p->last + period;
}

/* ---- handing over (adopt.h) ---- */

void controller_pings_get(const struct controller *c, struct controller_pings *out)
{
	const struct pings *p = c->pings;
	*out = (struct controller_pings){p->last, p->rounds, p->soon, p->heard, p->n_nodes};
}

void controller_pings_set(struct controller *c, const struct controller_pings *k)
{
	struct pings *p = c->pings;
	if (k->n_heard != p->n_nodes)
		return;
	p->last = k->last;
	p->rounds = k->rounds;
	p->soon = k->soon;
	p->oldest = INT64_MIN / 2;
	memcpy(p->heard, k->heard, p->n_nodes * sizeof p->heard[0]);
}
