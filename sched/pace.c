/* pace.c - see pace.h */
#include "sched/pace.h"
#include "sched/state.h"

void controller_set_cost(struct controller *c, const struct controller_cost *cost)
{
	c->cost = *cost;
	c->costly = cost->pass || cost->main_job || cost->bf_job || cost->node || cost->start;
}

usec_t controller_busy_until(const struct controller *c)
{
	return c->busy_until;
}

/* Does the grid FIRST, FIRST + STEP ... have a point in (FROM, TO)? */
static bool has_turn(usec_t first, usec_t step, usec_t from, usec_t to)
{
	if (first <= from)
		first += ((from - first) / step + 1) * step;
	return first < to;
}

struct missed_turns controller_missed_turns(struct controller *c, const struct turns_taken *from)
{
	struct missed_turns m = {0};
	usec_t to = c->busy_until, turn = controller_turn_after(c, from->tick);
	if (to <= from->tick)
		return m;
	m.tick = turn < to;
	if (m.tick && !c->missed_since) /* the first second that had no turn */
		c->missed_since = controller_first_second(c, turn);
	bool builtin = c->p->sched_type == SCHED_BUILTIN;
	m.backfill = (builtin || c->p->bf_interval > 0) && has_turn(c->bf_next, builtin ? (usec_t)c->p->builtin_interval * USEC : USEC, from->backfill, to);
	usec_t period = (usec_t)c->p->priority_calc_period * USEC;
	m.priority = period > 0 && has_turn(c->prio_next, period, from->priority, to);
	m.slice = c->gang && has_turn(c->threads, (usec_t)c->p->time_slice * USEC, from->slice, to);
	return m;
}

void pace_begin(struct controller *c)
{
	c->work_began = c->now;
	c->spent = 0;
}

void pace_spend(struct controller *c, int64_t ns)
{
	if (!c->costly)
		return;
	c->spent += ns;
	c->now = c->work_began + c->spent / 1000;
	c->now_s = usec_to_sec(c->now);
}

void pace_test(struct controller *c, bool backfill, uint32_t nodes)
{
	pace_spend(c, (backfill ? c->cost.bf_job : c->cost.main_job) + c->cost.node * nodes);
}

usec_t pace_worked(const struct controller *c)
{
	return c->spent / 1000;
}

void pace_end(struct controller *c)
{
	c->busy_until = c->now;
}
