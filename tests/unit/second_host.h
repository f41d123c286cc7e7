/*
 * second_host.h - the policy library under another host than the simulator: a real-time GLib main loop whose clock runs
 * SECOND_HOST_SPEED times as fast as the wall's. Only headers of sched/ are used here.
 *
 * Real timers are never punctual, so each wake-up carries out all that is due by then, in order of nominal time: the
 * controller is told when something was to happen, not when the kernel let it. The loop ticks by a timeout of its own,
 * and so does every end, epilog and submission; whichever fires first lets the host catch up.
 *
 * Order of use: host_new, host_run, the logs, host_free.
 */
#ifndef TESTS_UNIT_SECOND_HOST_H
#define TESTS_UNIT_SECOND_HOST_H
#include "sched/base/hostlist.h"
#include "sched/controller.h"
#include "sched/host.h"

#define SECOND_HOST_SPEED 200
#define SECOND_HOST_EPILOG (300 * 1000)  /* microseconds from a job's end to the release of its nodes */
#define SECOND_HOST_LEAD (12 * USEC)     /* the controller starts so long before time 0 */
#define SECOND_HOST_PATIENCE (30 * 1000) /* milliseconds of wall time until the loop gives up */

struct wish { /* a submission */
	const char *name;
	int64_t at, run; /* milliseconds after time 0, and of running */
	int exit_code;
	const char *options[9]; /* sbatch's long options: name, value, ..., NULL */
};

enum due_kind { DUE_END, DUE_EPILOG, DUE_SUBMIT }; /* the order of one instant */

struct due { /* what will happen */
	usec_t t;
	enum due_kind kind;
	uint64_t seq;
	struct job *job;
	const struct wish *wish;
};

struct host {
	struct controller *c;
	struct sched_host calls;
	GMainLoop *loop;
	GArray *agenda; /* of struct due, in order */
	uint64_t next_seq;
	usec_t start, now;  /* nominal */
	usec_t next_second; /* of the controller's loop */
	gint64 wall;        /* g_get_monotonic_time at START */
	const struct wish *submitting;
	GString *starts; /* "name@second.micros nodes scheduler", a line a start */
	GString *ends;   /* "name[_task] start end state exit nodes", a line an end */
	uint32_t wakes, to_submit, epilogs;
	bool gave_up;
};

static struct job_request *wish_request(const struct wish *w)
{
	struct job_request *r = job_request_new();

	r->name = g_strdup(w->name);
	r->user = g_strdup("alice");
	for (int i = 0; w->options[i]; i += 2) {
		const char *value = w->options[i + 1];

		g_assert(job_request_set(r, w->options[i], *value ? value : NULL, NULL));
	}
	return r;
}

static void log_start(GString *log, const struct cluster *cl, const struct job *j, usec_t t)
{
	char *nodes = cluster_format_nodes(cl, j->nodes);

	g_string_append_printf(log, "%s@%" G_GINT64_FORMAT " %s %s\n", j->name, (gint64)t, nodes,
	                       j->started_by == BY_MAIN ? "main" : "backfill");
	g_free(nodes);
}

static void log_end(GString *log, const struct cluster *cl, const struct job *j, const char *state)
{
	char *nodes = j->nodes ? cluster_format_nodes(cl, j->nodes) : g_strdup("-");

	g_string_append_printf(log, "%s_%d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s %d %s\n", j->name,
	                       j->task == NO_VAL ? -1 : (int)j->task, (gint64)j->start_t, (gint64)j->end_t, state,
	                       j->exit_code, nodes);
	g_free(nodes);
}

/* ---- the agenda ---- */

static bool due_before(const struct due *a, const struct due *b)
{
	if (a->t != b->t)
		return a->t < b->t;
	return a->kind != b->kind ? a->kind < b->kind : a->seq < b->seq;
}

static gboolean host_wake(gpointer data);

/* A one-shot timer on the wall's clock; host_wake tells by the agenda what it was for. */
static gboolean host_fire(gpointer data)
{
	host_wake(data);
	return G_SOURCE_REMOVE;
}

static void host_plan(struct host *h, struct due d)
{
	guint i = h->agenda->len;
	gint64 wall = h->wall + (d.t - h->start) / SECOND_HOST_SPEED - g_get_monotonic_time();

	d.seq = h->next_seq++;
	h->epilogs += d.kind == DUE_EPILOG;
	while (i > 0 && due_before(&d, &g_array_index(h->agenda, struct due, i - 1)))
		i--;
	g_array_insert_val(h->agenda, i, d);
	g_timeout_add((guint)(MAX(wall, 0) / 1000 + 1), host_fire, h);
}

/* ---- what the controller says ---- */

static void on_start(void *data, struct job *j)
{
	struct host *h = data;
	const struct wish *w = j->host;

	log_start(h->starts, controller_cluster(h->c), j, h->now);
	host_plan(h, (struct due){.t = j->start_t + w->run * 1000, .kind = DUE_END, .job = j});
}

static void on_stop(void *data, struct job *j, enum end_cause cause)
{
	struct host *h = data;

	(void)cause;
	host_plan(h, (struct due){.t = h->now + SECOND_HOST_EPILOG, .kind = DUE_EPILOG, .job = j});
}

static void on_closed(void *data, struct job *j, const char *state)
{
	struct host *h = data;

	log_end(h->ends, controller_cluster(h->c), j, state);
}

static void on_created(void *data, struct job *j, struct job *from)
{
	struct host *h = data;

	j->host = from ? from->host : (void *)(uintptr_t)h->submitting;
}

static void on_forget(void *data, struct job *j)
{
	struct host *h = data;

	for (guint i = h->agenda->len; i-- > 0;)
		if (g_array_index(h->agenda, struct due, i).job == j)
			g_array_remove_index(h->agenda, i);
}

/* ---- time goes on ---- */

static void host_do(struct host *h, const struct due *d)
{
	const struct wish *w = d->job ? d->job->host : d->wish;

	switch (d->kind) {
	case DUE_END:
		if (d->job->state != JOB_RUNNING) /* its time limit was earlier */
			break;
		controller_job_exited(h->c, d->job, w->exit_code, 0, false, h->now);
		host_plan(h, (struct due){.t = h->now + SECOND_HOST_EPILOG, .kind = DUE_EPILOG, .job = d->job});
		break;
	case DUE_EPILOG:
		h->epilogs--;
		controller_epilog_done(h->c, d->job, UINT32_MAX, true, h->now);
		break;
	case DUE_SUBMIT:
		h->submitting = w;
		g_assert(controller_submit(h->c, wish_request(w), h->now, NULL, NULL));
		h->to_submit--;
		break;
	}
}

/* All of one instant: first what happens, then the controller's own loops. */
static void host_instant(struct host *h, usec_t t)
{
	h->now = t;
	while (h->agenda->len && g_array_index(h->agenda, struct due, 0).t <= t) {
		struct due d = g_array_index(h->agenda, struct due, 0);

		g_array_remove_index(h->agenda, 0);
		host_do(h, &d);
	}
	controller_run_requested(h->c, t);
	if (t < h->next_second)
		return;
	controller_tick(h->c, t);
	controller_run_requested(h->c, t);
	controller_backfill(h->c, t);
	h->next_second = t + USEC;
}

static bool host_idle(const struct host *h)
{
	return h->to_submit == 0 && h->epilogs == 0 && controller_n_pending(h->c) == 0 &&
	       controller_n_running(h->c) == 0;
}

static gboolean host_wake(gpointer data)
{
	struct host *h = data;
	usec_t until = h->start + (g_get_monotonic_time() - h->wall) * SECOND_HOST_SPEED;

	h->wakes++;
	while (!host_idle(h)) {
		usec_t t = h->next_second;

		if (h->agenda->len)
			t = MIN(t, g_array_index(h->agenda, struct due, 0).t);
		if (t > until)
			return G_SOURCE_CONTINUE;
		host_instant(h, t);
	}
	g_main_loop_quit(h->loop);
	return G_SOURCE_CONTINUE;
}

static gboolean host_give_up(gpointer data)
{
	struct host *h = data;

	h->gave_up = true;
	g_main_loop_quit(h->loop);
	return G_SOURCE_CONTINUE;
}

static struct host *host_new(struct cluster *cl, usec_t time0)
{
	struct host *h = g_new0(struct host, 1);

	h->start = h->now = time0 - SECOND_HOST_LEAD;
	h->next_second = h->start + USEC;
	h->agenda = g_array_new(FALSE, FALSE, sizeof(struct due));
	h->starts = g_string_new(NULL);
	h->ends = g_string_new(NULL);
	h->calls = (struct sched_host){.data = h,
	                               .start = on_start,
	                               .stop = on_stop,
	                               .closed = on_closed,
	                               .created = on_created,
	                               .forget = on_forget};
	h->c = controller_new(cl, &h->calls, h->start, 0, false);
	return h;
}

/* Live through all wishes in real time. */
static void host_run(struct host *h, const struct wish *wishes, size_t n)
{
	GMainContext *context = g_main_context_default();

	h->loop = g_main_loop_new(context, FALSE);
	h->wall = g_get_monotonic_time();
	h->to_submit = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		host_plan(h, (struct due){.t = h->start + SECOND_HOST_LEAD + wishes[i].at * 1000,
		                          .kind = DUE_SUBMIT,
		                          .wish = &wishes[i]});
	g_timeout_add(MAX(1000 / SECOND_HOST_SPEED, 1), host_wake, h);
	g_timeout_add(SECOND_HOST_PATIENCE, host_give_up, h);
	g_main_loop_run(h->loop);
	while (g_source_remove_by_user_data(h))
		;
	g_main_loop_unref(h->loop);
}

static void host_free(struct host *h)
{
	controller_free(h->c);
	g_array_unref(h->agenda);
	g_string_free(h->starts, TRUE);
	g_string_free(h->ends, TRUE);
	g_free(h);
}
#endif
