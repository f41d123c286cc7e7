/* events.c - a binary heap of events; see events.h */
#include "sim/events.h"

struct event_queue {
	GArray *heap; /* of struct event */
	uint64_t next_seq;
};

static bool before(const struct event *a, const struct event *b)
{
	if (a->t != b->t)
		return a->t < b->t;
	if (a->kind != b->kind)
		return a->kind < b->kind;
	return a->seq < b->seq;
}

static struct event *at(const struct event_queue *q, guint i)
{
	return &g_array_index(q->heap, struct event, i);
}

struct event_queue *event_queue_new(void)
{
	struct event_queue *q = g_new0(struct event_queue, 1);
	q->heap = g_array_new(FALSE, FALSE, sizeof(struct event));
	return q;
}

void event_queue_free(struct event_queue *q)
{
	if (!q)
		return;
	g_array_unref(q->heap);
	g_free(q);
}

void event_queue_push(struct event_queue *q, struct event e)
{
	e.seq = q->next_seq++;
	guint i = q->heap->len;
	g_array_append_val(q->heap, e);
	for (guint up; i > 0; i = up) { /* move the hole up to where e belongs */
		up = (i - 1) / 2;
		if (!before(&e, at(q, up)))
			break;
		*at(q, i) = *at(q, up);
	}
	*at(q, i) = e;
}

const struct event *event_queue_peek(const struct event_queue *q)
{
	return q->heap->len ? at(q, 0) : NULL;
}

/* Put E into the hole at the top. */
static void sift_down(struct event_queue *q, const struct event *e)
{
	guint i = 0, n = q->heap->len;
	for (guint child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && before(at(q, child + 1), at(q, child)))
			child++;
		if (!before(at(q, child), e))
			break;
		*at(q, i) = *at(q, child);
	}
	*at(q, i) = *e;
}

bool event_queue_pop(struct event_queue *q, struct event *e)
{
	if (q->heap->len == 0)
		return false;
	*e = *at(q, 0);
	struct event last = *at(q, q->heap->len - 1);
	g_array_set_size(q->heap, q->heap->len - 1);
	if (q->heap->len)
		sift_down(q, &last);
	return true;
}

uint32_t event_queue_length(const struct event_queue *q)
{
	return q->heap->len;
}

const struct event *event_queue_at(const struct event_queue *q, uint32_t i)
{
	g_assert(i < q->heap->len);
	return at(q, i);
}

struct event *event_queue_edit(struct event_queue *q, uint32_t i)
{
	g_assert(i < q->heap->len);
	return at(q, i);
}
