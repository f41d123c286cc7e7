/* mainpass.c - one pass of the main scheduler (main-scheduler S9, S15-S31) */
#include "sched/reservation.h"
#include "sched/select.h"
#include "sched/state.h"

#include <string.h>

struct main_pass {
	struct controller *c;
	struct pass_stats stats;
	const struct job_array *rejected; /* S20: last rejected array record, with its partition */
	const struct partition *rejected_part;
	const struct reservation *rejected_resv;
	struct job *rejected_job;
	bool stop, wait_on_resv;
};

static void step_by(struct controller *c, enum step_kind kind, const struct job *j, const struct bitset *nodes, const char *rule)
{
	if (!c->host.step)
		return;
	struct step s = {.kind = kind, .job = j, .array_task = kind == STEP_START ? j->task : NO_VAL, .start = c->now_s, .nodes = nodes,
			 .part = j->part, .reason = j->reason, .rule = rule};
	c->host.step(c->host.data, &s);
}

static void step(struct controller *c, enum step_kind kind, const struct job *j, const struct bitset *nodes)
{
	step_by(c, kind, j, nodes, NULL);
}

/* The record is not tried. True, for the caller to return. */
static bool skip(struct controller *c, const struct job *j, const char *rule)
{
	step_by(c, STEP_SKIP, j, NULL, rule);
	return true;
}


/* S24: the partition is closed for this pass. */
static void pass_over(struct main_pass *m, struct job *j, struct partition *p)
{
	struct controller *c = m->c;
	if (!c->part_cleared[p->index]) {
		bitset_andnot(c->avail, p->nodes);
		c->part_cleared[p->index] = 1;
	}
	struct blocker ahead = blocker_job(BLOCKER_JOB, c->part_first[p->index]);
	if (j->reason == REASON_NONE || j->reason == REASON_RESOURCES || (j->reason == REASON_PRIORITY && !j->reason_text))
		job_blocked(c, j, REASON_PRIORITY, NULL, &ahead);
	step(c, STEP_PASSED_OVER, j, NULL);
}

/* S29: nodes of P leave the working set; in the "non-reserved" form only those of no reservation. */
static void close_partition(struct controller *c, const struct partition *p, bool not_reserved)
{
	c->part_failed[p->index] = 1;
	c->part_cleared[p->index] = !not_reserved;
	bitset_assign(c->tmp_nodes, p->nodes);
	for (guint i = 0; not_reserved && i < c->resvs->len; i++)
		bitset_andnot(c->tmp_nodes, ((struct reservation *)c->resvs->pdata[i])->nodes);
	bitset_andnot(c->avail, c->tmp_nodes);
}

/* S31(b): a job in a reservation blocks that, and its partition only when it may use other nodes too. */
static bool block_reservation(struct controller *c, struct reservation *r, const struct job *j)
{
	if (!r->failed)
		r->first_failed = j;
	r->failed = true;
	return since(c->p, S24_FLEX_BLOCKS) && r->flags & (RESV_FLAG(FLEX) | RESV_FLAG(ANY_NODES));
}

/* S28. Recorded (hetjob): sdiag counts such an end under none of its causes. */
static void stop_blocked(struct main_pass *m, bool stop)
{
	if (!stop)
		return;
	m->stats.ended_by = "blocked partition";
	m->stop = true;
}

/* S31, S28, S29: a failed job closes its partition, unless a modifier says otherwise. */
static void block(struct main_pass *m, struct job *j, bool blocks)
{
	struct controller *c = m->c;
	if (j->req_nodes && bitset_count(j->req_nodes) >= j->min_nodes) { /* (a) */
		bitset_andnot(c->avail, j->req_nodes);
		blocks = false;
	}
	if (blocks && j->resv) /* (b) */
		blocks = block_reservation(c, j->resv, j);
	if (blocks && c->p->bf_min_age_reserve) { /* (c) */
		if (j->eligible == 0 || c->now_s - j->eligible < c->p->bf_min_age_reserve) {
			blocks = false;
			note_time(c, j->eligible + c->p->bf_min_age_reserve);
		}
	}
	uint64_t threshold = limits_min_priority(c, j);
	if (blocks && threshold && j->priority < threshold) /* (d) */
		blocks = false;
	if (!blocks)
		return;
	if (c->part_failed[j->part->index]) { /* S28; 22.05 goes on */
		stop_blocked(m, since(c->p, S28_ENDS_PASS));
		return;
	}
	c->part_first[j->part->index] = j;
	close_partition(c, j->part, j->resv != NULL);
}

/* S18, S28: the main pass never starts a component, but its partition is closed. */
static void block_het(struct main_pass *m, struct job *j)
{
	struct controller *c = m->c;
	if (c->part_failed[j->part->index]) {
		stop_blocked(m, since(c->p, S28_ENDS_PASS));
		return;
	}
	c->part_first[j->part->index] = j;
	close_partition(c, j->part, j->resv != NULL);
}

/* S27 "anything else": a single-partition job that can never run is held. */
static void never_runs(struct controller *c, struct job *j)
{
	if (j->n_parts > 1 || (j->resv && since(c->p, S27_RESV_KEEPS_JOB)))
		return;
	if (c->p->ignore_constraint_validation && since(c->p, S33_CONSTRAINTS_WAIT) && j->features) {
		job_never(c, j, REASON_CONSTRAINTS);
		return;
	}
	job_never(c, j, REASON_BAD_CONSTRAINTS);
	j->priority = 0;
	ctl_touch(c);
}

static void start_record(struct main_pass *m, struct job *j, struct job_alloc *alloc)
{
	struct controller *c = m->c;
	struct job *run = j;
	if (j->tasks)
		run = array_split(c, j, array_first_task(j));
	job_start(c, run, alloc, BY_MAIN);
	pace_spend(c, c->cost.start);
	m->stats.started++;
	m->rejected = NULL;
	step(c, STEP_START, run, run->nodes);
}

/* S27: with bf_licenses a shortage of licences ends the pass. */
static void stop_for_licenses(struct main_pass *m)
{
	if (!m->c->p->bf_licenses || m->c->p->sched_type != SCHED_BACKFILL)
		return;
	m->stats.ended_by = "licenses";
	m->stop = true;
}

/* S26: tests before node selection. True when the record is done with. */
static bool pre_tests(struct main_pass *m, struct job *j)
{
	struct controller *c = m->c;
	if (!qos_checked(c, j))
		return skip(c, j, "S26: its QOS is not usable");
	if (job_check_deadline(c, j))
		return skip(c, j, "S26: the deadline can no longer be met");
	if (reason_is_limit(c->p->version, j->reason) && !limits_before(c, j))
		return skip(c, j, "S26: a limit");
	if (j->reason == REASON_REQ_NODE_NOT_AVAIL && j->req_nodes && !bitset_subset(j->req_nodes, c->avail))
		return skip(c, j, "S26: nodes asked for by name are not available");
	if (bitset_count_and(c->avail, j->part->nodes) < j->min_nodes) {
		struct blocker b = blocker_nodes(c, j, c->avail, c->avail);
		job_blocked(c, j, REASON_RESOURCES,
			    "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions", &b); /* T1 */
		block(m, j, true);
		step_by(c, STEP_BLOCKED, j, NULL, "S26: too few nodes of the partition are left in this pass");
		return true;
	}
	if (!since(c->p, S26_NO_EARLY_LICENSES) && !license_available(c, j)) { /* R14.12 */
		struct blocker b = license_blocker(c, j);
		job_blocked(c, j, REASON_LICENSES, NULL, &b);
		stop_for_licenses(m);
		return skip(c, j, "S27: licences");
	}
	return false;
}

/* One try. Returns true when the record is an array head with more tasks to try (S30). */
static bool try_record(struct main_pass *m, struct job *j)
{
	struct controller *c = m->c;
	struct job_alloc *alloc = NULL;
	m->stats.tested++;
	step(c, STEP_TEST, j, NULL);
	if (c->costly)
		pace_test(c, false, bitset_count_and(c->avail, j->part->nodes));
	uint32_t limit = j->time_limit;
	if (j->deadline) { /* C8 */
		uint32_t left = (uint32_t)((j->deadline - c->now_s) / 60);
		uint32_t base = limit != NO_VAL ? limit : j->part->default_time != NO_VAL ? j->part->default_time : j->part->max_time;
		j->time_limit = MIN(base, left);
	}
	enum attempt a = attempt_start(c, j, c->avail, &alloc);
	if (a == ATTEMPT_OK) {
		bool head = j->tasks && j->tasks_left > 1;
		start_record(m, j, alloc);
		if (head)
			j->time_limit = limit;
		return head;
	}
	j->time_limit = limit;
	if (a == ATTEMPT_NEVER)
		never_runs(c, j);
	if (a == ATTEMPT_RESV_CLOSED)
		bitset_andnot(c->avail, j->resv->nodes);
	if (a == ATTEMPT_LICENSES)
		stop_for_licenses(m);
	block(m, j, a == ATTEMPT_BUSY || (a == ATTEMPT_LIMIT && c->p->assoc_limit_stop));
	step(c, STEP_BLOCKED, j, NULL);
	return false;
}

/* S20. True when the record is skipped. */
static bool array_skip(struct main_pass *m, struct job *j)
{
	struct controller *c = m->c;
	if (!j->array)
		return false;
	if (m->rejected == j->array && m->rejected_part == j->part && m->rejected_resv == j->resv)
		return skip(c, j, "S20: a task of this array has just failed");
	m->rejected = j->array;
	m->rejected_resv = j->resv;
	m->rejected_part = j->part;
	m->rejected_job = j;
	if (!array_at_limit(j))
		return false;
	if (j->eligible <= c->now_s && j->eligible) {
		j->eligible = 0;
		c->version++;
	}
	job_throttled(c, j);
	return skip(c, j, "S20: the array's %limit");
}

static void copy_rejected_reason(struct main_pass *m, struct job *j) /* S21, R18 */
{
	if (m->rejected && j->array == m->rejected && m->rejected_job && j != m->rejected_job && j->state == JOB_PENDING &&
	    m->rejected_job->state == JOB_PENDING && j->reason != m->rejected_job->reason)
		job_blocked(m->c, j, m->rejected_job->reason, m->rejected_job->reason_text, &m->rejected_job->blocker);
}

/* S23-S25. True when the record is skipped. */
static bool is_blocked(struct main_pass *m, struct job *j, struct queue_record *r)
{
	struct controller *c = m->c;
	if (r->resv && r->resv->max_start_delay)
		m->wait_on_resv = true;
	if (r->resv) {
		if (!r->resv->failed)
			return false;
		struct blocker ahead = blocker_job(BLOCKER_JOB, r->resv->first_failed);
		job_blocked(c, j, REASON_PRIORITY, NULL, &ahead);
		return skip(c, j, "S23: a job ahead waits for this reservation");
	}
	if (c->part_failed[r->part->index]) {
		pass_over(m, j, r->part);
		return true;
	}
	return m->wait_on_resv && resv_signal_asked(j) && skip(c, j, "S25: left to backfill, a reservation waits");
}

/* S17: too few nodes of the reservation are in the partition. */
static bool out_of_reservation(const struct queue_record *r)
{
	return r->resv && !(r->resv->flags & RESV_FLAG(FLEX)) && !bitset_empty(r->resv->nodes) &&
	       bitset_count_and(r->resv->nodes, r->part->nodes) < r->job->min_nodes;
}

static void do_record(struct main_pass *m, struct queue_record *r, bool full)
{
	struct controller *c = m->c;
	struct job *j = r->job;
	if (j->state == JOB_RUNNING && !since(c->p, P9_OWN_RECORD)) /* it has started in this pass */
		record_priority(c, r);
	if (j->state != JOB_PENDING || j->priority == 0 || j->flags & JOB_COMPLETING || j->preempting)
		return; /* S16, S17 */
	if (out_of_reservation(r)) {
		skip(c, j, "S17: too few nodes of the reservation are in the partition");
		return;
	}
	record_take(c, r);
	if (j->het) {
		block_het(m, j);
		return;
	}
	for (bool again = true; again;) {
		if (c->costly && pace_worked(c) >= (usec_t)c->p->max_sched_time * USEC) { /* S19 */
			m->stats.ended_by = "max_sched_time";
			m->stop = true;
			return;
		}
		if (c->p->sched_max_job_start && m->stats.started >= (uint32_t)c->p->sched_max_job_start) { /* S19 */
			m->stats.ended_by = "sched_max_job_start";
			m->stop = true;
			return;
		}
		if (array_skip(m, j))
			return;
		if (c->p->partition_job_depth && ++c->part_count[r->part->index] > (uint32_t)c->p->partition_job_depth) {
			struct blocker depth = blocker_partition(r->part, "partition_job_depth", (uint64_t)c->p->partition_job_depth, 0);
			if (j->reason == REASON_NONE)
				job_blocked(c, j, REASON_PRIORITY, NULL, &depth);
			skip(c, j, "S20: partition_job_depth");
			return;
		}
		if (!full && m->stats.depth > (uint32_t)c->p->default_queue_depth) {
			m->stats.ended_by = "default_queue_depth";
			m->stop = true;
			skip(c, j, "S20: default_queue_depth ends the pass");
			return;
		}
		m->stats.depth++;
		struct blocker b;
		enum reason check = partition_check(c, j, r->part, false, &b); /* S22 */
		if (check != REASON_NONE) {
			job_blocked(c, j, check, NULL, &b);
			skip(c, j, "S22: the partition's limits or state");
			return;
		}
		if (is_blocked(m, j, r))
			return;
		if (pre_tests(m, j))
			return;
		again = try_record(m, j);
	}
}

/* S9: with reduce_completing_frag only the partitions around a job that completes wait for its nodes. */
static void close_around(struct controller *c, struct job *j)
{
	const struct partition *p = j->part;
	for (guint i = 0; i < c->cl->partitions->len; i++) {
		const struct partition *q = c->cl->partitions->pdata[i];
		if (!bitset_intersects(p->nodes, q->nodes))
			continue;
		c->part_failed[q->index] = 1;
		c->part_first[q->index] = j;
	}
}

static void run_pass(struct main_pass *m, bool full)
{
	struct controller *c = m->c;
	memset(c->part_failed, 0, c->cl->partitions->len);
	memset(c->part_cleared, 0, c->cl->partitions->len);
	memset(c->part_count, 0, c->cl->partitions->len * sizeof *c->part_count);
	if (c->p->reduce_completing_frag)
		completing_recently(c, close_around);
	bitset_assign(c->avail, c->up);
	for (guint i = 0; i < c->resvs->len; i++)
		((struct reservation *)c->resvs->pdata[i])->failed = false;
	queue_build(c, false);
	m->stats.queue = c->queue->len;
	if (c->queue->len) /* idle passes are left out, so they may not cost anything */
		pace_spend(c, c->cost.pass);
	for (guint i = 0; i < c->queue->len && !m->stop; i++) {
		/* the array may move when a task is split off: copy */
		struct queue_record r = g_array_index(c->queue, struct queue_record, i);
		reason_quiet(c, r.job);
		do_record(m, &r, full);
		reason_tell(c);
		resv_end_record(r.job);
		copy_rejected_reason(m, r.job);
	}
}

void main_pass(struct controller *c, bool full)
{
	enum pass_kind kind = full ? PASS_MAIN_FULL : PASS_MAIN_QUICK;
	struct pass_memory *mem = &c->mem[kind];
	if (c->p->sched_interval < 0) /* the main pass is disabled for good */
		return;
	if (!c->naive && !c->costly && mem->valid && mem->version == c->version && c->now_s < mem->valid_before) {
		if (mem->stats.queue) /* idle passes are left out: S7 does not count them */
			c->main_end = c->now;
		mem->stats.repeated = true;
		mem->stats.t = c->now; /* nothing it reads has changed: the same would happen again */
		if (c->host.pass)
			c->host.pass(c->host.data, &mem->stats);
		return;
	}
	c->time_bound = INT64_MAX;
	uint64_t before = c->version;
	struct main_pass m = {.c = c, .stats = {.t = c->now, .kind = kind, .ended_by = "end of queue"}};
	if (!c->p->reduce_completing_frag && completing_recently(c, NULL)) {
		mem->valid = false;
		return;
	}
	uint64_t bytes = trial_bytes(c->sel);
	pace_begin(c);
	run_pass(&m, full);
	pace_end(c);
	m.stats.spent = pace_worked(c);
	if (m.stats.queue)
		c->main_end = c->now;
	c->version += trial_bytes(c->sel) != bytes ? 1 : 0; /* N23: what passes read of one another */
	*mem = (struct pass_memory){c->version, c->version == before, c->time_bound, m.stats, false};
	if (c->host.pass)
		c->host.pass(c->host.data, &m.stats);
}
