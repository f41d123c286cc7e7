/* expedite.c - see expedite.h */
#include "sched/expedite.h"
#include "sched/state.h"

static void changed(struct controller *c)
{
	c->resv_changes++; /* a cycle of backfill that sleeps must look anew (B51) */
	ctl_touch(c);
}

void expedite_begin(struct controller *c, struct job *j)
{
	expedite_keep(c, j, j->nodes);
}

void expedite_keep(struct controller *c, struct job *j, const struct bitset *nodes)
{
	if (!c->p->expedited_requeue || j->req->requeue != REQUEUE_EXPEDITE)
		return;
	g_assert(!(j->flags & JOB_EXPEDITING));
	j->flags |= JOB_EXPEDITING;
	j->kept_nodes = bitset_copy(nodes);
	g_ptr_array_add(c->expediting, j);
	changed(c);
}

void expedite_end(struct controller *c, struct job *j)
{
	if (!(j->flags & JOB_EXPEDITING))
		return;
	j->flags &= ~(unsigned)JOB_EXPEDITING;
	g_clear_pointer(&j->kept_nodes, bitset_free);
	g_ptr_array_remove(c->expediting, j);
	changed(c);
}

const struct job *expedite_keeper(const struct controller *c, const struct job *j, uint32_t node)
{
	if (j->kept_nodes && bitset_test(j->kept_nodes, node))
		return NULL;
	for (guint i = 0; i < c->expediting->len; i++) {
		const struct job *other = c->expediting->pdata[i];
		if (other != j && bitset_test(other->kept_nodes, node))
			return other;
	}
	return NULL;
}

void expedite_leave(const struct controller *c, const struct job *j, struct bitset *nodes)
{
	if (!c->expediting->len)
		return;
	int64_t i;
	for (BITSET_EACH(i, nodes))
		if (expedite_keeper(c, j, (uint32_t)i))
			bitset_clear(nodes, (uint32_t)i);
}
