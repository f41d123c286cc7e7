/* builtin.c - see builtin.h */
#include "sched/builtin.h"
#include "sched/reservation.h"
#include "sched/willrun.h"

struct estimates {
	struct bitset *used; /* nodes of the jobs before */
	sec_t end;           /* of the last one */
};

/* J in the partition and the reservation that are set; START: when it could, and the selector holds the nodes. */
static bool could_start(struct controller *c, struct job *j, sec_t *start)
{
	struct will_run w = {.usable = c->resv_nodes, .start_res = c->now_s};
	bitset_assign(c->resv_nodes, j->part->nodes);
	struct resv_answer a = resv_allow(c, j, c->now_s, false, c->resv_nodes);
	if (a.verdict != RESV_OK || !limits_counts(c, j, j->part, &w.count))
		return false;
	resv_block_parts(c, j, c->now_s, a.part_nodes);
	bitset_and(c->resv_nodes, c->up);
	if (j->exc_nodes)
		bitset_andnot(c->resv_nodes, j->exc_nodes);
	bool fits = bitset_at_least(c->resv_nodes, w.count.min) && will_run(c, j, &w, start);
	*start = MAX(*start, c->now_s);
	return fits;
}

static void estimate(struct controller *c, struct estimates *e, const struct queue_record *r)
{
	struct job *j = r->job;
	struct partition *part = j->part;
	struct reservation *resv = j->resv;
	sec_t start = 0;
	j->part = r->part;
	j->resv = r->resv;
	if (could_start(c, j, &start)) {
		if (start <= e->end && bitset_intersects(e->used, c->sel->chosen))
			start = e->end;
		bitset_or(e->used, c->sel->chosen);
		e->end = start + job_limit_seconds(j->time_limit != NO_VAL ? j->time_limit : INFINITE);
		j->est_start = start;
	}
	j->part = part;
	j->resv = resv;
}

void builtin_estimates(struct controller *c)
{
	struct estimates e = {bitset_new(c->cl->n_nodes), 0};
	int left = c->p->builtin_max_job_test + 1;
	c->time_bound = INT64_MAX;
	queue_build(c, false);
	for (guint i = 0; i < c->queue->len && left > 0; i++) {
		const struct queue_record *r = &g_array_index(c->queue, struct queue_record, i);
		const struct job *j = r->job;
		if (!j || j->state != JOB_PENDING || j->priority == 0 || j->flags & JOB_COMPLETING || j->het || r->magnetic || r->part != j->parts[0].part)
			continue;
		left--;
		estimate(c, &e, r);
	}
	bitset_free(e.used);
}
