/* submit.c - workloads and submissions, on their way to the controller */
#include "sched/adopt.h"
#include "sim/run.h"

static struct source *source_new(struct submission *sub)
{
	struct source *src = g_new0(struct source, 1);
	src->refs = 1;
	src->sub = sub;
	return src;
}

void source_unref(struct source *src)
{
	if (--src->refs > 0)
		return;
	submission_free(src->sub);
	g_free(src);
}

void sim_push(struct sim *s, struct event e)
{
	e.t = MAX(e.t, s->now);
	if (e.kind != EVENT_WAKE && e.kind != EVENT_CANCEL)
		s->live++;
	event_queue_push(s->queue, e);
}

void sim_add_submission(struct sim *s, struct submission *sub)
{
	sim_push(s, (struct event){.t = sub->at, .kind = EVENT_SUBMIT, .what = sub, .arg = UINT32_MAX});
}

/* Workloads come in order of time, so one submission ahead is enough however long they are. */
static void feed_next(struct sim *s, uint32_t feed)
{
	struct submission *sub = workload_next(s->feeds->pdata[feed]);
	if (sub)
		sim_push(s, (struct event){.t = sub->at, .kind = EVENT_SUBMIT, .what = sub, .arg = feed});
}

void sim_add_workload(struct sim *s, struct workload *w)
{
	g_ptr_array_add(s->feeds, w);
	feed_next(s, s->feeds->len - 1);
}

/* The controller takes the request, also when it refuses it: what the record of a refusal needs is kept here. */
static void keep_names(struct sim *s, const struct job_request *req)
{
	g_string_assign(s->user, req->user ? req->user : "");
	g_string_assign(s->account, req->account ? req->account : "");
	g_string_assign(s->partition, req->partition ? req->partition : "");
}

static void accepted(struct sim *s, struct source *src, struct job *job)
{
	s->counts.submitted++;
	s->stats.submitted += job->array ? job->array->n_tasks : job->het ? job->het->n : 1;
	src->job_id = job->array ? job->array->job_id : job->id;
	if (src->sub->label)
		g_hash_table_insert(s->labels, g_strdup(src->sub->label), GUINT_TO_POINTER(src->job_id));
	for (uint32_t k = 0; job->het && src->sub->label && k < job->het->n; k++)
		g_hash_table_insert(s->labels, g_strdup_printf("%s+%u", src->sub->label, k), GUINT_TO_POINTER(job->id + k));
	for (uint32_t i = 0; i < job->n_deps; i++)
		s->timed_after = s->timed_after || job->deps[i].minutes > 0;
	sim_plan_cancels(s, src);
	sim_job_arm(s, job);
}

/* The requests go to the controller. */
static struct job *hand_over(struct sim *s, struct submission *sub, uint32_t *refused_id, GError **error)
{
	if (!sub->n_het)
		return controller_submit(s->c, g_steal_pointer(&sub->request), s->now, refused_id, error);
	uint32_t n = sub->n_het + 1;
	struct job_request **all = g_new(struct job_request *, n);
	all[0] = g_steal_pointer(&sub->request);
	for (uint32_t k = 1; k < n; k++)
		all[k] = sub->het[k - 1];
	g_clear_pointer(&sub->het, g_free);
	sub->n_het = 0;
	struct job *leader = controller_submit_het(s->c, all, n, s->now, refused_id, error);
	g_free(all);
	return leader;
}

/* Texts of every component become what they stand for now. */
static bool resolve(const struct sim *s, struct submission *sub, GError **error)
{
	bool good = sim_resolve_request(s, sub->request, error);
	for (uint32_t k = 0; good && k < sub->n_het; k++)
		good = sim_resolve_request(s, sub->het[k], error);
	return good;
}

/* NULL and ERROR when refused. */
static struct job *submit(struct sim *s, struct submission *sub, GError **error)
{
	struct source *src = source_new(sub);
	struct job *job = NULL;
	GError *why = NULL;
	if (s->hooks.submission && !s->hooks.submission(s->hooks.data, sub, controller_next_id(s->c))) {
		source_unref(src);
		return NULL;
	}
	bool good = !s->o.at_submit || s->o.at_submit(s->o.at_submit_data, sub->request, &why);
	keep_names(s, sub->request);
	if (!good || !resolve(s, sub, &why)) {
		record_refused(s, 0, sub->label, why->message);
	} else {
		uint32_t refused_id = 0;
		s->submitting = src;
		job = hand_over(s, sub, &refused_id, &why);
		s->submitting = NULL;
		if (job)
			accepted(s, src, job);
		else
			record_refused(s, refused_id, sub->label, why ? why->message : "refused");
	}
	if (why)
		g_propagate_error(error, why);
	source_unref(src);
	return job;
}

struct job *sim_submit_now(struct sim *s, struct job_request *request, GError **error)
{
	struct submission *sub = submission_new();
	job_request_free(sub->request);
	sub->request = request;
	sub->at = s->now;
	return submit(s, sub, error);
}

void sim_do_submit(struct sim *s, const struct event *e)
{
	submit(s, e->what, NULL);
	if (e->arg != UINT32_MAX)
		feed_next(s, e->arg);
}

/* ---- continuing from a moment ---- */

struct job *sim_adopt(struct sim *s, struct submission *sub, const struct adopted *a, usec_t at, GError **error)
{
	struct controller *c = sim_make_controller(s);
	struct source *src = source_new(sub);

	s->now = MAX(s->now, at);
	s->submitting = src;
	struct job *job = controller_adopt(c, g_steal_pointer(&sub->request), a, s->now, error);
	s->submitting = NULL;
	if (job) {
		src->job_id = job->array ? job->array->job_id : job->id;
		if (sub->label)
			g_hash_table_insert(s->labels, g_strdup(sub->label), GUINT_TO_POINTER(src->job_id));
		if (job->state == JOB_PENDING)
			sim_plan_cancels(s, src);
	}
	source_unref(src);
	return job;
}

void sim_adopt_done(struct sim *s, const struct controller_clock *clock, usec_t at)
{
	struct controller *c = sim_make_controller(s);

	s->now = MAX(s->now, at);
	controller_adopt_done(c, clock, s->now);
	s->last_tick = s->last_backfill = s->last_priority = clock ? s->now : INT64_MIN;
	for (struct job *j = controller_first_pending(c); j; j = j->next)
		sim_job_arm(s, j);
	s->usage_changed = true;
}
