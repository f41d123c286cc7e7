/*
 * record.c - what happens in a run -> recorder: intervals of waiting and of node states, passes, the series, refusals.
 *
 * Waiting. A record's intervals follow each other from its submission (or the end of the run before) to its start or
 * end; there is a new one when reason or text changes, and none without length. A split array task has intervals of its
 * own only from the moment it was split off; before, it shared those of the head, whose id is the task's array_job.
 *
 * Node states. A new interval begins when the base state, a flag or the reason changes by command or failure; what jobs
 * do to a node (planned, completing, allocated) makes none. The state's name is what sinfo would print at that moment.
 */
#include "sim/checkpoint.h"
#include "sim/run.h"
#include <string.h>

/* ---- waiting ---- */

/* "qos gold GrpTRES cpu: limit 64, in use 60, wanted 8"; NULL when the reason says all. */
static char *blocker_text(const struct sim *s, const struct job *job)
{
	char *who = blocker_who(&job->blocker, job), *figures = blocker_detail(&job->blocker, job, s->c);
	if (who && s->commander && job->blocker.kind == BLOCKER_HOLD)
		figures = g_strdup(s->commander);
	if (!who || !figures) {
		g_free(figures);
		return who;
	}
	char *text = g_strdup_printf("%s: %s", who, figures);
	g_free(who);
	g_free(figures);
	return text;
}

void record_waits(struct sim *s, struct sim_job *sj)
{
	sj->waiting = true;
	sj->wait_from = s->now;
	sj->reason = sj->job->reason;
	g_free(sj->reason_text);
	g_free(sj->blocker);
	sj->reason_text = s->recorder ? g_strdup(sj->job->reason_text) : NULL;
	sj->blocker = s->recorder ? blocker_text(s, sj->job) : NULL;
}

void record_waited(struct sim *s, struct sim_job *sj, usec_t until)
{
	if (!sj->waiting)
		return;
	sj->waiting = false;
	if (s->recorder && sj->wait_from < until)
		recorder_wait(s->recorder, sj->job->id, sj->job->run, sj->wait_from, until, reason_name(sj->reason),
		              sj->reason_text ? sj->reason_text : "", sj->blocker);
	g_clear_pointer(&sj->reason_text, g_free);
	g_clear_pointer(&sj->blocker, g_free);
}

void record_boots(struct sim *s, struct sim_job *sj)
{
	record_waited(s, sj, s->now);
	record_waits(s, sj);
	if (!s->recorder)
		return;
	char *nodes = cluster_format_nodes(s->cluster, sj->job->nodes);
	g_free(sj->blocker);
	sj->blocker = g_strdup_printf("nodes %s: power up", nodes);
	g_free(nodes);
}

static void host_reason(void *data, struct job *job)
{
	struct sim *s = data;
	struct sim_job *sj = job->host;
	if (!sj)
		return;
	if (s->on_reason)
		s->on_reason(s->watch_data, job, s->now);
	if (job->state != JOB_PENDING)
		return;
	sim_job_arm(s, job);
	if (sj->waiting && sj->reason == job->reason && g_strcmp0(sj->reason_text, job->reason_text) == 0)
		return;
	record_waited(s, sj, s->now);
	record_waits(s, sj);
}

/* ---- jobs ---- */

static void host_closed(void *data, struct job *job, const char *state)
{
	struct sim *s = data;
	struct sim_job *sj = job->host;
	s->usage_changed = true;
	bool never_began = sj && sj->waiting;
	if (sj)
		record_waited(s, sj, s->now);
	if (sj && job_is_finished(job)) /* else it is requeued, and waits again or will */
		s->counts.ended++;
	stats_closed(s, job);
	if (s->recorder)
		record_job_row(s, job, state);
	if (sj && !job_is_finished(job) && !never_began) /* requeued: the next run goes on from here */
		sj->done = sim_job_saved(s, sj, sim_job_ran(s, job));
}

static void host_resized(void *data, struct job *job)
{
	struct sim *s = data;
	s->usage_changed = true;
	if (s->recorder)
		record_job_resize(s, job);
}

/* Its work is lost: the next run begins anew, but for what earlier ones have saved. */
static void host_reopened(void *data, struct job *job)
{
	struct sim *s = data;
	struct sim_job *sj = job->host;
	if (!sj)
		return;
	s->counts.ended--;
	s->usage_changed = true;
	if (job->state == JOB_COMPLETED)
		sj->done = 0;
	sec_t ran = job->start && sj->began ? MAX(0, job->end - job->start - job->sus_total) : 0;
	if (s->recorder)
		recorder_job_again(s->recorder, sj->row, usec_to_sec(s->now), (uint32_t)MIN(ran, (sec_t)UINT32_MAX));
}

void record_refused(struct sim *s, uint32_t id, const char *label, const char *message)
{
	s->counts.refused++;
	s->stats.submitted += id > 0;
	if (id)
		stats_refused(s);
	if (s->hooks.refused)
		s->hooks.refused(s->hooks.data, id, label, message);
	if (s->recorder)
		recorder_refused(s->recorder, s->now, id, label, s->user->str, s->account->str, s->partition->str,
		                 message);
}

void record_command(struct sim *s, const struct command *cmd, const char *message)
{
	if (s->hooks.refused)
		s->hooks.refused(s->hooks.data, 0, "command", message);
	if (!s->recorder)
		return;
	char *text = g_strdup_printf("%s: %s", cmd->text, message);
	recorder_refused(s->recorder, s->now, 0, "command", cmd->user ? cmd->user : "root", NULL, NULL, text);
	g_free(text);
}

/* ---- passes ---- */

static void host_pass(void *data, const struct pass_stats *p)
{
	struct sim *s = data;
	s->counts.passes++;
	stats_pass(s, p);
	if (p->kind == PASS_BACKFILL && !p->repeated)
		estimates_note(s);
	if (s->on_pass)
		s->on_pass(s->watch_data, p);
	if (s->recorder && p->queue > 0)
		recorder_pass(s->recorder, p->t, pass_kind_name(p->kind), p->queue, p->tested, p->started, p->planned,
		              p->ended_by, p->spent, p->yields);
}

/* ---- nodes ---- */

#define FLEETING (NODE_PLANNED | NODE_COMPLETING) /* flags that come and go with jobs */

static void open_span(struct sim *s, const struct node *n)
{
	struct node_span *span = &s->nodes[n->index];
	span->from = s->now;
	span->state = controller_node_state(s->c, n, false);
	span->base = n->base;
	span->flags = n->flags & ~(uint32_t)FLEETING;
	g_free(span->reason);
	span->reason = g_strdup(n->reason);
}

static void close_span(struct sim *s, const struct node *n)
{
	const struct node_span *span = &s->nodes[n->index];
	if (span->from < s->now)
		recorder_node_state(s->recorder, n->name, span->from, s->now, span->state, span->reason);
}

static bool is_down(enum node_base b)
{
	return b == NODE_DOWN || b == NODE_UNKNOWN || b == NODE_FUTURE;
}

static bool span_changed(const struct sim *s, const struct node *n)
{
	const struct node_span *span = &s->nodes[n->index];
	if (span->flags != (n->flags & ~(uint32_t)FLEETING) || g_strcmp0(span->reason, n->reason) != 0)
		return true;
	return span->base != n->base && (is_down(span->base) || is_down(n->base));
}

static void host_node(void *data, struct node *node)
{
	struct sim *s = data;
	s->node_news++;
	if (s->nodes && span_changed(s, node))
		g_array_append_val(s->changed_nodes, node->index);
}

void record_open(struct sim *s)
{
	if (!s->recorder)
		return;
	s->nodes = g_new0(struct node_span, s->cluster->n_nodes);
	for (uint32_t i = 0; i < s->cluster->n_nodes; i++)
		open_span(s, s->cluster->node[i]);
}

static void record_nodes(struct sim *s)
{
	for (guint i = 0; i < s->changed_nodes->len; i++) {
		const struct node *n = s->cluster->node[g_array_index(s->changed_nodes, uint32_t, i)];
		if (!span_changed(s, n)) /* changed and back, or told twice */
			continue;
		close_span(s, n);
		open_span(s, n);
	}
	g_array_set_size(s->changed_nodes, 0);
}

static void gone_spans(struct sim *s)
{
	GPtrArray *gone = s->cluster->gone_nodes;
	for (guint i = 0; gone && i < gone->len; i++) {
		struct node *n = gone->pdata[i];
		if (n->index == UINT32_MAX) /* it went before */
			continue;
		close_span(s, n);
		g_clear_pointer(&s->nodes[n->index].reason, g_free);
		n->index = UINT32_MAX;
	}
}

void record_reshape(struct sim *s, const uint32_t *to, uint32_t n_old)
{
	if (!s->nodes)
		return;
	gone_spans(s);
	struct node_span *old = s->nodes;
	s->nodes = g_new0(struct node_span, s->cluster->n_nodes + 1);
	for (uint32_t i = 0; i < n_old; i++)
		if (to[i] != UINT32_MAX)
			s->nodes[to[i]] = old[i];
	g_free(old);
	for (uint32_t i = 0; i < s->cluster->n_nodes; i++)
		if (!s->nodes[i].state)
			open_span(s, s->cluster->node[i]);
	guint kept = 0;
	for (guint i = 0; i < s->changed_nodes->len; i++) {
		uint32_t now = to[g_array_index(s->changed_nodes, uint32_t, i)];
		if (now != UINT32_MAX)
			g_array_index(s->changed_nodes, uint32_t, kept++) = now;
	}
	g_array_set_size(s->changed_nodes, (gint)kept);
	s->usage_changed = true;
}

/* ---- instants ---- */

#define STRANDED_EVERY (300 * USEC)

/* Only changes of the series lead here, so that skipped ticks and passes make no difference. */
static void record_stranded(struct sim *s)
{
	if (s->now < s->stranded_next)
		return;
	s->stranded_next = (s->now / STRANDED_EVERY + 1) * STRANDED_EVERY;
	struct stranded now = stranded_all(s->c);
	if (s->has_stranded && memcmp(&now, &s->stranded, sizeof now) == 0)
		return;
	if (!s->has_stranded && now.free == 0)
		return;
	s->has_stranded = true;
	s->stranded = now;
	recorder_stranded(s->recorder, s->now, now.free, now.by);
}

static void record_series(struct sim *s)
{
	const struct usage *u = controller_usage(s->c);
	uint32_t running = controller_n_running(s->c), pending = controller_n_pending(s->c);
	if (s->has_series && running == s->last_series.running && pending == s->last_series.pending &&
	    u->cpus == s->last_series.cpus && u->gpus == s->last_series.gpus && u->mem == s->last_series.mem)
		return;
	s->has_series = true;
	s->last_series.running = running;
	s->last_series.pending = pending;
	s->last_series.cpus = u->cpus;
	s->last_series.gpus = u->gpus;
	s->last_series.mem = u->mem;
	recorder_series(s->recorder, s->now, running, pending, u->cpus, u->gpus, u->mem);
	record_stranded(s);
}

void record_instant(struct sim *s)
{
	if (!s->recorder)
		return;
	if (recorder_light(s->recorder)) {
		g_array_set_size(s->changed_nodes, 0);
		return;
	}
	record_nodes(s);
	if (s->acted || s->usage_changed)
		record_series(s);
	s->usage_changed = false;
}

void record_host_callbacks(struct sched_host *host)
{
	host->closed = host_closed;
	host->reopened = host_reopened;
	host->resized = host_resized;
	host->reason = host_reason;
	host->pass = host_pass;
	host->node = host_node;
}

/* ---- the end ---- */

static void meta_number(struct sim *s, const char *key, uint64_t value)
{
	char text[24];
	g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, (guint64)value);
	recorder_meta(s->recorder, key, text);
}

static void meta_time(struct sim *s, const char *key, usec_t t)
{
	char text[24];
	g_snprintf(text, sizeof text, "%" G_GINT64_FORMAT, (gint64)t);
	recorder_meta(s->recorder, key, text);
}

static void close_cluster(struct sim *s)
{
	const struct cluster *c = s->cluster;
	uint64_t gpus = 0;
	for (uint32_t i = 0; i < c->n_nodes; i++)
		gpus += node_config_gres(c->node[i]->config, "gpu", NULL);
	recorder_meta(s->recorder, "cluster", c->params->cluster_name ? c->params->cluster_name : "");
	meta_number(s, "nodes", c->n_nodes);
	meta_number(s, "cpus", c->total_cpus);
	meta_number(s, "gpus", gpus);
}

static void close_workloads(struct sim *s)
{
	uint64_t lines = 0, replayed = 0;
	for (guint i = 0; i < s->feeds->len; i++) {
		const struct workload_info *info = workload_info(s->feeds->pdata[i]);
		lines += info->lines;
		replayed += info->replayed;
		for (guint k = 0; k < info->causes->len; k++) {
			const struct workload_cause *cause = info->causes->pdata[k];
			recorder_left_out(s->recorder, cause->text, cause->count, cause->first_line);
		}
	}
	meta_number(s, "lines", lines);
	meta_number(s, "replayed", replayed);
}

static void close_jobs(struct sim *s)
{
	for (uint32_t i = 0, n = controller_n_jobs(s->c); i < n; i++) {
		struct job *job = controller_job(s->c, i);
		struct sim_job *sj = job->host;
		if (job_is_finished(job))
			continue;
		if (sj)
			record_waited(s, sj, s->now);
		record_job_row(s, job, job_state_name(job->state));
	}
}

void sim_close_record(struct sim *s)
{
	static const char *const clocks[] = {"slurm", "ideal", "pinned"};
	if (!s->recorder)
		return;
	sim_make_controller(s);
	close_jobs(s);
	for (uint32_t i = 0; i < s->cluster->n_nodes; i++)
		close_span(s, s->cluster->node[i]);
	close_workloads(s);
	close_cluster(s);
	recorder_meta(s->recorder, "clock", clocks[s->o.clock]);
	meta_time(s, "start", s->o.start);
	meta_time(s, "end", s->now);
	meta_number(s, "submitted", s->counts.submitted);
	meta_number(s, "refused", s->counts.refused);
}
