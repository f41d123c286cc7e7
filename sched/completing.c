/* completing.c - CompleteWait: jobs whose nodes are about to come free (main-scheduler S9, backfill B1) */
#include "sched/state.h"

static bool is_recent(struct controller *c, const struct job *j)
{
	if (!(j->flags & JOB_COMPLETING) || j->end < c->now_s - c->p->complete_wait)
		return false;
	note_time(c, j->end + c->p->complete_wait + 1);
	return true;
}

bool completing_recently(struct controller *c, void (*each)(struct controller *c, struct job *j))
{
	bool any = false;
	if (!c->p->complete_wait)
		return false;
	for (GList *l = c->finished.tail; l && (each || !any); l = l->prev) {
		struct job *j = l->data;
		if (j->end < c->now_s - c->p->complete_wait)
			break;
		if (!is_recent(c, j))
			continue;
		any = true;
		if (each)
			each(c, j);
	}
	for (struct job *j = c->pending.head; j && (each || !any); j = j->next) /* requeued ones */
		if (is_recent(c, j)) {
			any = true;
			if (each)
				each(c, j);
		}
	return any;
}
