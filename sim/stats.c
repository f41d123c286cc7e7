/* stats.c - see stats.h. */
#include "sim/run.h"
#include <string.h>

#define DAY 86400

static const struct {
	const char *ended_by; /* of struct pass_stats; NULL = never happens here */
	const char *name;
} main_exits[N_MAIN_EXITS] = {{"end of queue", "End of job queue"},
                              {"default_queue_depth", "Hit default_queue_depth"},
                              {"sched_max_job_start", "Hit sched_max_job_start"},
                              {"licenses", "Blocked on licenses"},
                              {NULL, "Hit max_rpc_cnt"},
                              {"max_sched_time", "Timeout (max_sched_time)"}},
  bf_exits[N_BF_EXITS] = {{"end of queue", "End of job queue"},
                          {"bf_max_job_start", "Hit bf_max_job_start"},
                          {"bf_max_job_test", "Hit bf_max_job_test"},
                          {"state changed", "System state changed"},
                          {"bf_node_space_size", "Hit table size limit (bf_node_space_size)"},
                          {"bf_max_time", "Timeout (bf_max_time)"}};

const char *main_exit_name(guint i)
{
	return main_exits[i].name;
}

const char *bf_exit_name(guint i)
{
	return bf_exits[i].name;
}

static void begin_again(struct sim_stats *t, sec_t since, uint64_t forgotten)
{
	uint64_t backfilled = t->backfilled, het = t->backfilled_het;
	struct sim_stats fresh = {.states_given = t->states_given, .count_due = t->count_due, .since = since, .backfilled = backfilled, .backfilled_het = het, .states_at = t->states_at,
	                          .pending = t->pending, .running = t->running};
	*t = fresh;
	t->forgotten_before = forgotten;
}

static void count_states(struct sim *s, sec_t at)
{
	struct sim_stats *t = &s->stats;
	t->states_at = at;
	t->count_due = 0;
	t->pending = controller_n_pending(s->c);
	t->running = controller_n_running(s->c) - controller_n_suspended(s->c);
}

void stats_states(struct sim *s)
{
	s->stats.states_given = true;
	count_states(s, usec_to_sec(s->now));
}

void stats_time(struct sim *s, usec_t at)
{
	struct sim_stats *t = &s->stats;
	sec_t now = usec_to_sec(at), start = usec_to_sec(s->o.controller_start);
	if (!t->since)
		t->since = t->states_at = start;
	sec_t late = s->cluster->params->version == SLURM_22_05 ? 1 : 0, turn = start + late + (now - start - late) / 30 * 30;
	bool pinned = s->o.clock == CLOCK_PINNED, due = pinned ? t->count_due && at >= t->count_due : now > start && turn > t->states_at;
	if (due) /* nothing has changed since the last instant, which was before this turn */
		count_states(s, pinned ? usec_to_sec(t->count_due) : turn);
	sec_t midnight = now - now % DAY;
	if (midnight > t->since)
		begin_again(t, midnight, controller_n_forgotten(s->c));
}

void stats_sweep(struct sim *s)
{
	if (!s->stats.states_given)
		s->stats.count_due = s->now + (s->cluster->params->version == SLURM_22_05 ? USEC : 0);
}

static void count(struct cycle_stats *c, const struct pass_stats *p)
{
	c->cycles++;
	c->last = p->spent;
	c->max = MAX(c->max, p->spent);
	c->sum += (uint64_t)p->spent;
	c->last_depth = p->depth;
	c->depth_sum += p->depth;
	c->last_try = p->tested;
	c->try_sum += p->tested;
	c->last_queue = p->queue;
	c->queue_sum += p->queue;
	c->last_table = p->table;
	c->table_sum += p->table;
	c->yields += p->yields;
	c->last_when = usec_to_sec(p->t);
}

void stats_refused(struct sim *s)
{
	if (!controller_fifo_records(s->c))
		return;
	if (!s->refused_at)
		s->refused_at = g_array_new(FALSE, FALSE, sizeof(sec_t));
	sec_t now = usec_to_sec(s->now);
	g_array_append_val(s->refused_at, now);
}

/* Job records that a FIFO pass walks; 0 = passes build a queue. */
static uint32_t fifo_records(const struct sim *s, sec_t at)
{
	uint32_t n = controller_fifo_records(s->c);
	for (guint i = s->refused_at ? s->refused_at->len : 0; i-- > 0;) {
		if (g_array_index(s->refused_at, sec_t, i) <= at - s->cluster->params->min_job_age)
			break;
		n++;
	}
	return n;
}

void stats_pass(struct sim *s, const struct pass_stats *p)
{
	struct sim_stats *t = &s->stats;
	bool backfill = p->kind == PASS_BACKFILL;
	struct cycle_stats *c = backfill ? &t->backfill : &t->main;
	if (backfill && p->queue == 0)
		return;
	count(c, p);
	uint32_t fifo = backfill ? 0 : fifo_records(s, usec_to_sec(p->t));
	if (fifo)
		c->last_queue = fifo;
	for (guint i = 0; i < N_MAIN_EXITS; i++)
		if (g_strcmp0(backfill ? bf_exits[i].ended_by : main_exits[i].ended_by, p->ended_by) == 0)
			c->exits[i]++;
	if (backfill) {
		t->backfilled += p->started;
		t->backfilled_since += p->started;
	}
}

void stats_requeued(struct sim *s, struct sim_job *sj, bool waited)
{
	bool counts = sj->requeued && !(sj->job->het && sj->job->het_offset);
	sj->requeued = false;
	if (counts && (waited || s->cluster->params->version == SLURM_22_05))
		s->stats.completed++;
}

void stats_closed(struct sim *s, const struct job *job)
{
	struct sim_stats *t = &s->stats;
	struct sim_job *sj = job->host;
	if (sj)
		sj->requeued = !job_is_finished(job);
	if (!job_is_finished(job) || (job->het && job->het_offset)) /* recorded: their end is the leader's */
		return;
	switch (job->state) {
	case JOB_COMPLETED:
	case JOB_FAILED:
	case JOB_OOM:
		t->completed++;
		break;
	case JOB_CANCELLED:
		t->canceled += job->reason != REASON_DEPENDENCY_NEVER;
		break;
	default:
		break;
	}
}

/* Full passes without a queue are left out of the simulation; the real loop makes them. */
static void add_idle_passes(struct sim *s, struct sim_stats *t)
{
	struct idle_passes idle = controller_idle_passes(s->c, s->now, t->since);
	if (!idle.n)
		return;
	t->main.cycles += idle.n;
	t->main.exits[MAIN_EXIT_END] += idle.n;
	if (idle.last >= t->main.last_when) {
		t->main.last_when = idle.last;
		t->main.last = 0;
		t->main.last_queue = fifo_records(s, idle.last);
	}
}

struct sim_stats sim_stats(struct sim *s)
{
	stats_time(s, s->now);
	struct sim_stats t = s->stats;
	t.canceled += controller_n_forgotten(s->c) - t.forgotten_before;
	if (s->o.clock == CLOCK_SLURM)
		add_idle_passes(s, &t);
	return t;
}
