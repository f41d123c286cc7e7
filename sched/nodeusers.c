/* nodeusers.c - see nodeusers.h */
#include "sched/nodeusers.h"

enum { NOBODY = 0, SEVERAL = UINT32_MAX }; /* else a user's number + 1, as in struct job_alloc */

struct busy_node {
	uint32_t node;
	uint32_t user, owner; /* whose jobs are there; who shares it with nobody else */
	sec_t end;            /* of the job that ends last */
};

struct node_users {
	GArray *busy; /* of struct busy_node, the latest end first */
};

struct node_users *node_users_new(void)
{
	struct node_users *t = g_new0(struct node_users, 1);
	t->busy = g_array_new(FALSE, FALSE, sizeof(struct busy_node));
	return t;
}

void node_users_free(struct node_users *t)
{
	g_array_unref(t->busy);
	g_free(t);
}

static bool wants_own_nodes(const struct job *j, const struct partition *p)
{
	return j->req->share == SHARE_EXCLUSIVE_USER || p->exclusive_user;
}

static bool anybody_cares(const struct controller *c)
{
	for (guint i = 0; i < c->queue->len; i++) {
		const struct queue_record *q = &g_array_index(c->queue, struct queue_record, i);
		if (wants_own_nodes(q->job, q->part))
			return true;
	}
	for (const struct job *j = c->running.head; j; j = j->next)
		if (j->alloc->user_only)
			return true;
	return false;
}

static gint later_first(gconstpointer a, gconstpointer b)
{
	const struct busy_node *x = a, *y = b;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static void add(struct busy_node *b, const struct job *j)
{
	b->user = b->user == NOBODY || b->user == j->alloc->user ? j->alloc->user : SEVERAL;
	if (j->alloc->user_only)
		b->owner = j->alloc->user;
	b->end = MAX(b->end, j->end);
}

void node_users_note(struct node_users *t, struct controller *c)
{
	g_array_set_size(t->busy, 0);
	if (!anybody_cares(c))
		return;
	struct busy_node *all = g_new0(struct busy_node, c->cl->n_nodes);
	for (const struct job *j = c->running.head; j; j = j->next)
		for (uint32_t i = 0; i < j->alloc->n; i++)
			add(&all[j->alloc->node[i].node], j);
	for (uint32_t i = 0; i < c->cl->n_nodes; i++) {
		all[i].node = i;
		if (all[i].user != NOBODY)
			g_array_append_val(t->busy, all[i]);
	}
	g_array_sort(t->busy, later_first);
	g_free(all);
}

bool node_users_any(const struct node_users *t)
{
	return t->busy->len > 0;
}

static bool in_the_way(const struct busy_node *b, uint32_t user, bool alone)
{
	return alone ? b->user != user : b->owner != NOBODY && b->owner != user;
}

bool node_users_filter(const struct node_users *t, struct controller *c, const struct job *j, struct bitset *usable, uint32_t min_nodes,
		       sec_t start_res, sec_t *dropped, sec_t *later)
{
	bool old = !since(c->p, B23_WAITS_FOR_USERS), alone = wants_own_nodes(j, j->part);
	*dropped = 0;
	int64_t left = t->busy->len ? bitset_count(usable) : 0;
	for (guint i = 0; i < t->busy->len; i++) {
		const struct busy_node *b = &g_array_index(t->busy, struct busy_node, i);
		if (start_res <= c->now_s)
			note_time(c, b->end);
		if (!old && b->end <= start_res)
			break;
		if (!bitset_test(usable, b->node) || !in_the_way(b, j->user_key + 1, alone))
			continue;
		bool needed = j->req_nodes && bitset_test(j->req_nodes, b->node);
		if (!old && (needed || left <= (int64_t)min_nodes)) {
			*later = b->end;
			return false;
		}
		bitset_clear(usable, b->node);
		left--;
		*dropped = old ? 0 : b->end;
	}
	return true;
}
