/* top.c - scontrol top (P22): jobs go before others of the same user, at their cost */
#include "sched/state.h"

#include <string.h>

#define REFUSE(err, ...) (g_set_error(err, SUBMIT_ERROR, 0, __VA_ARGS__), false)

static bool listed(struct job *const *jobs, uint32_t n, const struct job *j)
{
	for (uint32_t i = 0; i < n; i++)
		if (jobs[i] == j)
			return true;
	return false;
}

static bool is_other(const struct job *j, const struct job *first)
{
	return j->priority > 1 && j->n_parts == 1 && strcmp(j->user, first->user) == 0 && j->assoc == first->assoc &&
	       j->part == first->part && j->qos == first->qos;
}

static int descending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? 1 : x > y ? -1 : 0;
}

/* The listed jobs take the largest of all priorities, in list order. Returns the sum of what they gain; *LAST: the last
 * given. */
static int64_t give(struct job **jobs, uint32_t n, GArray *all, uint32_t *last)
{
	int64_t gained = 0;
	g_array_sort(all, descending);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t p = g_array_index(all, uint32_t, i);
		if (i > 0 && p >= *last && *last > 2)
			p = *last - 1;
		int64_t gain = (int64_t)p - jobs[i]->priority;
		jobs[i]->nice -= gain;
		jobs[i]->priority = p;
		gained += gain;
		*last = p;
	}
	return gained;
}

/* The others pay in equal parts. */
static void take_from(GPtrArray *others, int64_t gained, uint32_t last)
{
	for (guint i = 0; i < others->len; i++) {
		struct job *j = others->pdata[i];
		int64_t step = gained / (int64_t)(others->len - i), p = (int64_t)j->priority - step;
		if (p >= last) {
			p = (int64_t)last - 1;
			step = (int64_t)j->priority - p;
		}
		p = MAX(p, 1);
		j->nice += step;
		j->priority = (uint32_t)p;
		gained -= step;
	}
}

static void move_up(struct controller *c, struct job **jobs, uint32_t n)
{
	GPtrArray *others = g_ptr_array_new();
	GArray *all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t last = 0;
	for (uint32_t i = 0; i < n; i++)
		g_array_append_val(all, jobs[i]->priority);
	for (struct job *j = c->pending.head; j; j = j->next)
		if (is_other(j, jobs[0]) && !listed(jobs, n, j)) {
			g_ptr_array_add(others, j);
			g_array_append_val(all, j->priority);
		}
	int64_t gained = give(jobs, n, all, &last);
	take_from(others, gained, last);
	g_array_unref(all);
	g_ptr_array_unref(others);
}

bool controller_top(struct controller *c, struct job *const *jobs, uint32_t n, const char *user, usec_t now,
                    GError **error)
{
	ctl_enter(c, now);
	struct job **kept = g_new(struct job *, n + 1);
	uint32_t k = 0;
	bool ok = true, admin = !user || strcmp(user, "root") == 0;
	if (!admin && !c->p->enable_user_top)
		ok = REFUSE(error, "Function disabled in slurm configuration");
	for (uint32_t i = 0; ok && i < n; i++) {
		struct job *j = jobs[i];
		if (j->state != JOB_PENDING || j->priority == 0 || listed(kept, k, j))
			continue;
		if (!admin && strcmp(user, j->user))
			ok = REFUSE(error, "Access/permission denied");
		else if (j->n_parts > 1)
			ok = REFUSE(error, "Requested operation not supported on this system");
		kept[k++] = j;
	}
	if (ok && k == 0)
		ok = REFUSE(error, "Job is no longer pending execution");
	if (ok) {
		move_up(c, kept, k);
		c->counter++;
		ctl_touch(c);
	}
	g_free(kept);
	return ok;
}
