/* bf_topopt.c - which of several slots a job is planned in (backfill B47); see bf.h */
#include "sched/bf.h"
#include "sched/topology.h"

static bool applies(const struct cycle *y, const struct record *r)
{
	const struct sched_params *p = y->c->p;
	const struct topology *t = r->p->topology;
	return p->bf_topopt_enable && since(p, B47_TOPOPT) && t && t->kind != TOPOLOGY_FLAT && !r->j->het && !r->no_plan && !(p->bf_one_resv_per_job && r->orig_start);
}

/* The nodes that are free during the slot and that the job does not get: those that the map leaves, without those of jobs that still run at its start. */
static uint32_t score_of(struct cycle *y, const struct record *r)
{
	struct controller *c = y->c;
	struct bitset *left = y->b->real;
	bitset_assign(left, y->b->usable);
	for (guint i = c->by_end->len; i-- > 0;) {
		const struct job *run = c->by_end->pdata[i];
		if (run->end <= r->start)
			break;
		bitset_andnot(left, run->nodes);
	}
	bitset_andnot(left, c->sel->chosen);
	return topology_fragments(r->p->topology, left);
}

bool bf_topopt_keep(struct cycle *y, struct record *r)
{
	struct controller *c = y->c;
	if (!applies(y, r))
		return false;
	uint32_t score = score_of(y, r);
	if (!r->kept.n || score < r->kept.score) {
		r->kept.score = score;
		r->kept.start = r->start;
		r->kept.n_chosen = c->sel->n_chosen;
		bitset_assign(y->b->kept, c->sel->chosen);
	}
	r->kept.n++;
	note_time(c, c->now_s + 1); /* another slot may be the best when the clock moves on */
	return r->later_start && r->kept.n < (uint32_t)c->p->bf_topopt_iterations;
}

bool bf_topopt_take(struct cycle *y, struct record *r)
{
	if (!r->kept.n || r->kept.taken)
		return false;
	r->kept.taken = true;
	r->start = r->kept.start;
	y->c->sel->n_chosen = r->kept.n_chosen;
	bitset_assign(y->c->sel->chosen, y->b->kept);
	return true;
}
