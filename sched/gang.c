/* gang.c - see gang.h */
#include "sched/gang.h"
#include "sched/preempt.h"

#include <string.h>

enum turn { TURN_ACTIVE, TURN_FILLER, TURN_WAITING };
struct gang_job {
	struct job *job;
	struct gang_part *part;
	enum turn turn;
};
struct gang_part {
	struct partition *p;
	GPtrArray *jobs; /* of struct gang_job *, owned, in order of arrival as changed by turns */
};
struct gang {
	struct gang_part *part; /* [n] PriorityTier descending, then as in slurm.conf */
	guint n;
	uint64_t *row;          /* scratch: cores of a row, laid out like usage.core */
	uint32_t words;
	struct job *starting;   /* for whose start the rows are rebuilt; NULL */
	bool busy, again;       /* rows are being rebuilt: a job that is killed for it leaves when that is done */
};

/* ---- suspension ---- */

sec_t job_run_seconds(const struct job *j, sec_t now)
{
	return j->suspended ? j->pre_sus : now - j->start - j->sus_total;
}

void job_suspend(struct controller *c, struct job *j, bool admin)
{
	g_assert(j->state == JOB_RUNNING);
	j->pre_sus = job_run_seconds(j, c->now_s);
	j->suspended = c->now_s;
	j->state = JOB_SUSPENDED;
	c->suspends = true;
	j->sus_admin = admin;
	usage_pause(c->use, j->alloc, admin);
	ctl_touch(c);
	if (c->host.suspend)
		c->host.suspend(c->host.data, j);
}

void job_resume(struct controller *c, struct job *j)
{
	g_assert(j->state == JOB_SUSPENDED);
	usage_unpause(c->use, j->alloc);
	j->state = JOB_RUNNING;
	j->sus_total += c->now_s - j->suspended;
	j->suspended = 0;
	j->sus_admin = false;
	job_set_end(c, j, c->now_s + job_limit_seconds(j->time_limit) - j->pre_sus); /* E29 */
	ctl_touch(c);
	if (c->host.resume)
		c->host.resume(c->host.data, j);
}

/* ---- rows ---- */

static gint by_tier(gconstpointer a, gconstpointer b, gpointer data)
{
	(void)data;
	const struct gang_part *x = a, *y = b;
	if (x->p->priority_tier != y->p->priority_tier)
		return x->p->priority_tier > y->p->priority_tier ? -1 : 1;
	return (x->p->index > y->p->index) - (x->p->index < y->p->index);
}

struct gang *gang_new(struct controller *c)
{
	if (!(c->p->preempt_flags & PREEMPT_GANG))
		return NULL;
	struct gang *g = g_new0(struct gang, 1);
	g->n = c->cl->partitions->len;
	g->part = g_new0(struct gang_part, g->n);
	for (guint i = 0; i < g->n; i++)
		g->part[i] = (struct gang_part){c->cl->partitions->pdata[i], g_ptr_array_new_with_free_func(g_free)};
	g_qsort_with_data(g->part, (gint)g->n, sizeof *g->part, by_tier, NULL);
	g->words = c->use->core_off[c->cl->n_nodes];
	g->row = g_new0(uint64_t, g->words + 1);
	usage_share(c->use);
	usage_share(c->future);
	return g;
}

void gang_tiers_changed(struct gang *g)
{
	if (!g)
		return;
	g_qsort_with_data(g->part, (gint)g->n, sizeof *g->part, by_tier, NULL);
	for (guint i = 0; i < g->n; i++)
		for (guint k = 0; k < g->part[i].jobs->len; k++)
			((struct gang_job *)g->part[i].jobs->pdata[k])->part = &g->part[i];
}

void gang_free(struct gang *g)
{
	if (!g)
		return;
	for (guint i = 0; i < g->n; i++)
		g_ptr_array_unref(g->part[i].jobs);
	g_free(g->part);
	g_free(g->row);
	g_free(g);
}

static struct gang_job *job_of(const struct gang_part *p, guint i)
{
	return p->jobs->pdata[i];
}

static bool in_row(const struct controller *c, const struct job *j, bool add)
{
	bool hit = false;
	for (uint32_t k = 0; k < j->alloc->n; k++) {
		const struct alloc_node *an = &j->alloc->node[k];
		uint32_t off = c->use->core_off[an->node], words = c->use->core_off[an->node + 1] - off;
		for (uint32_t w = 0; w < words; w++) {
			uint64_t bits = j->alloc->words[an->core_word + w];
			hit = hit || (c->gang->row[off + w] & bits);
			if (add)
				c->gang->row[off + w] |= bits;
		}
	}
	return hit;
}

/* The row begins with the shadows of the running jobs of higher tiers. */
static void shadows(struct controller *c, const struct gang_part *p)
{
	struct gang *g = c->gang;
	memset(g->row, 0, g->words * sizeof *g->row);
	for (guint k = 0; k < g->n && g->part[k].p->priority_tier > p->p->priority_tier; k++)
		for (guint i = 0; i < g->part[k].jobs->len; i++)
			if (job_of(&g->part[k], i)->turn != TURN_WAITING)
				in_row(c, job_of(&g->part[k], i)->job, true);
}

static bool take_place(struct controller *c, const struct job *j)
{
	if (in_row(c, j, false))
		return false;
	in_row(c, j, true);
	return true;
}

static bool is_killed(const struct controller *c, const struct job *j)
{
	enum preempt_mode m = preempt_mode_of(c, j);
	return preempt_enabled(c) && (m == PREEMPT_MODE_CANCEL || m == PREEMPT_MODE_REQUEUE);
}

/* X of P loses its place: to a job of a higher tier that starts? */
static void tell_preempted(const struct controller *c, const struct gang_part *p, struct job *x)
{
	struct job *by = c->gang->starting;
	if (by && c->host.preempted && p->p->priority_tier < by->part->priority_tier && x->state == JOB_RUNNING)
		c->host.preempted(c->host.data, x, by);
}

/* E27 for one partition. KILL: jobs that must make room and cannot be suspended. */
static void rebuild(struct controller *c, struct gang_part *p, GPtrArray *kill)
{
	shadows(c, p);
	for (enum turn turn = TURN_ACTIVE; turn <= TURN_FILLER; turn++)
		for (guint i = 0; i < p->jobs->len; i++) {
			struct gang_job *x = job_of(p, i);
			if (x->turn != turn || take_place(c, x->job))
				continue;
			tell_preempted(c, p, x->job);
			if (is_killed(c, x->job)) {
				g_ptr_array_add(kill, x->job);
				continue;
			}
			x->turn = TURN_WAITING;
			if (x->job->state == JOB_RUNNING)
				job_suspend(c, x->job, false);
		}
	for (guint i = 0; i < p->jobs->len; i++) {
		struct gang_job *x = job_of(p, i);
		if (x->turn != TURN_WAITING || x->job->sus_admin || !take_place(c, x->job))
			continue;
		x->turn = TURN_FILLER;
		if (x->job->state == JOB_SUSPENDED)
			job_resume(c, x->job);
	}
}

static void rebuild_all(struct controller *c)
{
	struct gang *g = c->gang;
	if (g->busy) {
		g->again = true;
		return;
	}
	g_autoptr(GPtrArray) kill = g_ptr_array_new();
	g->busy = true;
	for (int round = 0; round < 100; round++) { /* a kill makes room, which may wake others */
		g->again = false;
		g_ptr_array_set_size(kill, 0);
		for (guint i = 0; i < g->n; i++)
			rebuild(c, &g->part[i], kill);
		for (guint i = 0; i < kill->len; i++)
			preempt_victim(c, kill->pdata[i]);
		if (!g->again)
			break;
	}
	g->busy = false;
}

static struct gang_part *part_of(const struct controller *c, const struct job *j)
{
	for (guint i = 0; i < c->gang->n; i++)
		if (c->gang->part[i].p == j->part)
			return &c->gang->part[i];
	g_assert_not_reached();
}

void gang_job_started(struct controller *c, struct job *j)
{
	if (!c->gang || j->het)
		return;
	struct gang_part *p = part_of(c, j);
	struct gang_job *x = g_new0(struct gang_job, 1);
	*x = (struct gang_job){j, p, TURN_WAITING};
	shadows(c, p); /* E26 */
	for (guint i = 0; i < p->jobs->len; i++)
		if (job_of(p, i)->turn != TURN_WAITING)
			in_row(c, job_of(p, i)->job, true);
	if (!in_row(c, j, false))
		x->turn = TURN_FILLER;
	j->gang = x;
	g_ptr_array_add(p->jobs, x);
	if (x->turn == TURN_WAITING)
		job_suspend(c, j, false);
	c->gang->starting = j;
	rebuild_all(c);
	c->gang->starting = NULL;
}

void gang_job_gone(struct controller *c, struct job *j)
{
	if (!j->gang)
		return;
	struct gang_part *p = j->gang->part;
	g_ptr_array_remove(p->jobs, j->gang);
	j->gang = NULL;
	rebuild_all(c);
}

/* ---- turns (E28) ---- */

/* ACTIVE jobs go to the end of the list, FILLER ones lose their place without moving. */
static void reorder(struct gang_part *p)
{
	g_autoptr(GPtrArray) last = g_ptr_array_new();
	guint n = 0;
	for (guint i = 0; i < p->jobs->len; i++) {
		struct gang_job *x = job_of(p, i);
		if (x->turn == TURN_ACTIVE)
			g_ptr_array_add(last, x);
		else
			p->jobs->pdata[n++] = x;
		x->turn = TURN_WAITING;
	}
	for (guint i = 0; i < last->len; i++)
		p->jobs->pdata[n++] = last->pdata[i];
}

static bool waits(const struct gang_part *p)
{
	for (guint i = 0; i < p->jobs->len; i++)
		if (job_of(p, i)->turn == TURN_WAITING)
			return true;
	return false;
}

static void turn_over(struct controller *c, struct gang_part *p)
{
	reorder(p);
	shadows(c, p);
	for (guint i = 0; i < p->jobs->len; i++) {
		struct gang_job *x = job_of(p, i);
		if (!x->job->sus_admin && take_place(c, x->job))
			x->turn = TURN_ACTIVE;
	}
	for (guint i = 0; i < p->jobs->len; i++)
		if (job_of(p, i)->turn == TURN_WAITING && job_of(p, i)->job->state == JOB_RUNNING)
			job_suspend(c, job_of(p, i)->job, false);
	for (guint i = 0; i < p->jobs->len; i++)
		if (job_of(p, i)->turn == TURN_ACTIVE && job_of(p, i)->job->state == JOB_SUSPENDED)
			job_resume(c, job_of(p, i)->job);
}

bool gang_has_waiting(const struct controller *c)
{
	for (guint i = 0; c->gang && i < c->gang->n; i++)
		if (waits(&c->gang->part[i]))
			return true;
	return false;
}

void gang_slice(struct controller *c)
{
	for (guint i = 0; c->gang && i < c->gang->n; i++)
		if (waits(&c->gang->part[i]))
			turn_over(c, &c->gang->part[i]);
}

/* ---- from outside ---- */

void controller_slice(struct controller *c, usec_t now)
{
	ctl_enter(c, now);
	gang_slice(c);
}

usec_t controller_next_slice(const struct controller *c, usec_t now)
{
	if (!c->gang || (!c->naive && !gang_has_waiting(c)))
		return INT64_MAX;
	usec_t slice = (usec_t)c->p->time_slice * USEC;
	return c->threads + ((now - c->threads) / slice + 1) * slice; /* E28 */
}

bool controller_suspend(struct controller *c, struct job *j, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (j->state != JOB_RUNNING) {
		g_set_error(error, SUBMIT_ERROR, 0, "%s",
			    j->state == JOB_PENDING ? "Job is pending execution"
						    : "Job/step already completing or completed");
		return false;
	}
	usage_share(c->use);
	usage_share(c->future);
	if (j->gang)
		j->gang->turn = TURN_WAITING;
	job_suspend(c, j, true);
	j->priority = 0; /* C43, recorded: it is held; a new one comes with the resumption */
	if (c->gang)
		rebuild_all(c);
	c->counter++;
	return true;
}

bool controller_resume(struct controller *c, struct job *j, usec_t now, GError **error)
{
	ctl_enter(c, now);
	if (j->state != JOB_SUSPENDED || !j->sus_admin) {
		g_set_error(error, SUBMIT_ERROR, 0, j->state == JOB_PENDING ? "Job is pending execution" : "Job is not suspended");
		return false;
	}
	priority_release(c, j);
	if (!j->gang) {
		job_resume(c, j);
		return true;
	}
	usage_unpause(c->use, j->alloc); /* from now on it waits for its turn like others */
	usage_pause(c->use, j->alloc, false);
	j->sus_admin = false;
	ctl_touch(c);
	rebuild_all(c);
	return true;
}
