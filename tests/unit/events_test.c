/* events_test.c - the order of events: by time, by kind, then as they came */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* after the four headers that it needs */
#include <cmocka.h>

#include "sim/events.h"

static void push(struct event_queue *q, usec_t t, enum event_kind kind, uint32_t arg)
{
	event_queue_push(q, (struct event){.t = t, .kind = (uint8_t)kind, .arg = arg});
}

static void empty_queue(void **state)
{
	(void)state;
	struct event_queue *q = event_queue_new();
	struct event e;
	assert_null(event_queue_peek(q));
	assert_false(event_queue_pop(q, &e));
	assert_int_equal(event_queue_length(q), 0);
	event_queue_free(q);
	event_queue_free(NULL);
}

static void kinds_of_one_instant(void **state)
{
	(void)state;
	static const enum event_kind order[] = {EVENT_NODE,   EVENT_END,     EVENT_TIME_LIMIT, EVENT_EPILOG,
	                                        EVENT_CANCEL, EVENT_COMMAND, EVENT_SUBMIT,     EVENT_WAKE};
	struct event_queue *q = event_queue_new();
	for (int i = (int)G_N_ELEMENTS(order) - 1; i >= 0; i--)
		push(q, 5, order[i], 0);
	push(q, 4, EVENT_WAKE, 1); /* an earlier instant comes first, whatever its kind */
	push(q, 6, EVENT_NODE, 2);
	struct event e;
	assert_true(event_queue_pop(q, &e));
	assert_int_equal(e.arg, 1);
	for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
		assert_int_equal(event_queue_peek(q)->kind, order[i]);
		assert_true(event_queue_pop(q, &e));
		assert_int_equal(e.t, 5);
		assert_int_equal(e.kind, order[i]);
	}
	assert_true(event_queue_pop(q, &e));
	assert_int_equal(e.arg, 2);
	event_queue_free(q);
}

static void equals_keep_their_order(void **state)
{
	(void)state;
	struct event_queue *q = event_queue_new();
	for (uint32_t i = 0; i < 1000; i++)
		push(q, 7, EVENT_SUBMIT, i);
	for (uint32_t i = 0; i < 1000; i++) {
		struct event e;
		assert_true(event_queue_pop(q, &e));
		assert_int_equal(e.arg, i);
	}
	event_queue_free(q);
}

/* What an event brings about at its own instant comes before later kinds, though it was put in after them. */
static void consequences_take_their_place(void **state)
{
	(void)state;
	struct event_queue *q = event_queue_new();
	push(q, 1, EVENT_END, 0);
	push(q, 1, EVENT_SUBMIT, 0);
	struct event e;
	assert_true(event_queue_pop(q, &e));
	assert_int_equal(e.kind, EVENT_END);
	push(q, 1, EVENT_EPILOG, 0);
	assert_true(event_queue_pop(q, &e));
	assert_int_equal(e.kind, EVENT_EPILOG);
	assert_true(event_queue_pop(q, &e));
	assert_int_equal(e.kind, EVENT_SUBMIT);
	event_queue_free(q);
}

static uint32_t next_random(uint32_t *x)
{
	*x = *x * 1664525u + 1013904223u;
	return *x >> 8;
}

/* Any mixture of pushes and pops: what comes out never goes back within what was in the queue. */
static void heap_holds(void **state)
{
	(void)state;
	struct event_queue *q = event_queue_new();
	uint32_t x = 1, in = 0, out = 0;
	struct event last = {.t = INT64_MIN}, e;
	for (int round = 0; round < 20000; round++) {
		if (next_random(&x) % 3) {
			usec_t now = last.t == INT64_MIN ? 0 : last.t;
			push(q, now + 1 + next_random(&x) % 50, (enum event_kind)(next_random(&x) % 8), 0);
			in++;
		} else if (event_queue_pop(q, &e)) {
			bool later =
			    e.t > last.t ||
			    (e.t == last.t && (e.kind > last.kind || (e.kind == last.kind && e.seq > last.seq)));
			assert_true(later);
			last = e;
			out++;
		}
	}
	assert_int_equal(event_queue_length(q), in - out);
	while (event_queue_pop(q, &e)) {
		assert_true(e.t >= last.t);
		last = e;
		out++;
	}
	assert_int_equal(in, out);
	event_queue_free(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(empty_queue),
	    cmocka_unit_test(kinds_of_one_instant),
	    cmocka_unit_test(equals_keep_their_order),
	    cmocka_unit_test(consequences_take_their_place),
	    cmocka_unit_test(heap_holds),
	};
	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
