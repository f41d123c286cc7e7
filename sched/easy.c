/* easy.c - see easy.h */
#include "sched/easy.h"

sec_t easy_limit_seconds(const struct controller *c, const struct job *j)
{
	uint32_t minutes = j->time_limit != NO_VAL ? j->time_limit : j->part->max_time;
	if (c->p->sched_type == SCHED_EASY && j->req->time_exact && (sec_t)j->req->time_exact <= job_limit_seconds(minutes))
		return j->req->time_exact;
	return job_limit_seconds(minutes);
}

/* CPUs of the partition that are free now: on available nodes. */
static int64_t free_cpus(const struct controller *c, const struct partition *p)
{
	int64_t n = 0, i;
	for (BITSET_EACH(i, p->nodes))
		if (bitset_test(c->up, (uint32_t)i))
			n += c->cl->node[i]->config->cpus - usage_node(c->use, (uint32_t)i)->cpus;
	return n;
}

struct shadow { sec_t time; int64_t extra; };

static struct shadow shadow_of(const struct controller *c, const struct job *head, int64_t free)
{
	struct shadow s = {c->now_s, 0};
	int64_t need = head->min_cpus, avail = free;
	for (guint i = 0; i < c->by_end->len && avail < need; i++) {
		const struct job *r = c->by_end->pdata[i];
		if (r->part != head->part)
			continue;
		avail += r->alloc->cpus;
		s.time = MAX(r->end, c->now_s);
	}
	avail = free;
	for (guint i = 0; i < c->by_end->len; i++) {
		const struct job *r = c->by_end->pdata[i];
		if (r->end > s.time)
			break;
		if (r->part == head->part)
			avail += r->alloc->cpus;
	}
	s.extra = avail - need;
	return s;
}

static bool start_if_possible(struct controller *c, struct job *j)
{
	struct job_alloc *alloc = NULL;
	if (attempt_start(c, j, c->up, &alloc) != ATTEMPT_OK)
		return false;
	struct job *run = j->tasks ? array_split(c, j, array_first_task(j)) : j;
	job_start(c, run, alloc, BY_BACKFILL);
	return true;
}

void easy_pass(struct controller *c)
{
	struct pass_stats stats = {.t = c->now, .kind = PASS_BACKFILL, .ended_by = "end of queue"};
	c->time_bound = INT64_MAX;
	queue_build(c, false);
	stats.queue = c->queue->len;
	const struct partition *part = NULL;
	struct shadow s = {0, 0};
	int64_t free = 0;
	for (guint i = 0; i < c->queue->len; i++) {
		struct queue_record q = g_array_index(c->queue, struct queue_record, i);
		struct job *j = q.job;
		if (j->state != JOB_PENDING || j->priority == 0 || j->flags & JOB_COMPLETING)
			continue;
		if (!part) { /* the head: the main pass could not start it */
			part = q.part;
			j->part = q.part;
			free = free_cpus(c, part);
			if (free <= 0)
				break;
			s = shadow_of(c, j, free);
			j->est_start = s.time;
			stats.planned = 1;
			continue;
		}
		if (q.part != part || (int64_t)j->min_cpus > free)
			continue;
		j->part = q.part;
		bool ends_before = c->now_s + easy_limit_seconds(c, j) <= s.time;
		if (!ends_before && (int64_t)j->min_cpus > s.extra)
			continue;
		stats.tested++;
		int64_t cpus = j->min_cpus;
		if (!start_if_possible(c, j))
			continue;
		stats.started++;
		free -= cpus;
		if (!ends_before)
			s.extra -= cpus;
	}
	if (c->host.pass)
		c->host.pass(c->host.data, &stats);
}
