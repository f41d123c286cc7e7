/* submit.c - workloads and submissions, on their way to the controller */
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
	src->job_id = job->array ? job->array->job_id : job->id;
	if (src->sub->label)
		g_hash_table_insert(s->labels, g_strdup(src->sub->label), GUINT_TO_POINTER(src->job_id));
	for (uint32_t i = 0; i < job->n_deps; i++)
		s->timed_after = s->timed_after || job->deps[i].minutes > 0;
	sim_plan_cancels(s, src);
	sim_job_arm(s, job);
}

static void submit(struct sim *s, struct submission *sub)
{
	struct source *src = source_new(sub);
	GError *error = NULL;
	if (s->hooks.submission && !s->hooks.submission(s->hooks.data, sub, controller_next_id(s->c))) {
		source_unref(src);
		return;
	}
	keep_names(s, sub->request);
	if (!sim_resolve_request(s, sub->request, &error)) {
		record_refused(s, 0, sub->label, error->message);
	} else {
		uint32_t refused_id = 0;
		s->submitting = src;
		struct job *job = controller_submit(s->c, g_steal_pointer(&sub->request), s->now, &refused_id, &error);
		s->submitting = NULL;
		if (job)
			accepted(s, src, job);
		else
			record_refused(s, refused_id, sub->label, error ? error->message : "refused");
	}
	g_clear_error(&error);
	source_unref(src);
}

void sim_do_submit(struct sim *s, const struct event *e)
{
	submit(s, e->what);
	if (e->arg != UINT32_MAX)
		feed_next(s, e->arg);
}
