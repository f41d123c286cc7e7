/* ping_test.c - answers of nodes to pings, and the turns of active reservations, wake backfill (S1, B2, C62). */
#include "tests/unit/sched_helper.h"
#include "sched/ping.h"
#include "sched/reservation.h"

/* Turns of the loop and looks of backfill, second by second; the seconds at which the loop's turn was a change: "10 22". */
static char *turns(struct world *w, sec_t from, sec_t to)
{
	GString *s = g_string_new(NULL);
	for (sec_t t = from; t <= to; t++) {
		sec_t before = w->c->last_update;
		controller_tick(w->c, t * USEC);
		if (w->c->last_update > before)
			g_string_append_printf(s, "%s%" G_GINT64_FORMAT, s->len ? " " : "", t);
		controller_backfill(w->c, t * USEC);
	}
	return g_string_free(s, FALSE);
}

static void turns_are(struct world *w, sec_t from, sec_t to, const char *want)
{
	g_autofree char *s = turns(w, from, to);
	assert_string_equal(s, want);
}

static struct world *idle(enum slurm_version v, int timeout)
{
	struct world *w = w_simple(v, "n[1-2]", 4);
	w->p->slurmd_timeout = timeout;
	w->p->sched_interval = 100000;
	w->p->bf_interval = 2;
	w_begin(w, 0);
	return w;
}

/* drain-down: rounds each 6 s from the fourth on, every other one asks. */
static void rounds(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = idle(v, 20);
		turns_are(w, 1, 60, "10 22 34 46 58");
		world_free(w);
		w = idle(v, 0);
		turns_are(w, 1, 60, "");
		world_free(w);
	}
}

/* Nodes that were up before the controller: the first round comes a second sooner (26.11: preempt_strict). */
static void first_round(void **state)
{
	(void)state;
	struct world *w = idle(SLURM_26, 20);
	controller_first_ping(w->c, 3);
	turns_are(w, 1, 40, "9 21 33");
	world_free(w);
}

/* The nodes answer a controller that has just begun: that asks for a pass (S3), and they were heard then. */
static void they_register(void **state)
{
	(void)state;
	struct world *w = idle(SLURM_26, 20);
	controller_nodes_register(w->c, 3 * USEC);
	assert_int_equal(w->c->counter, 1);
	turns_are(w, 3, 30, "10 22");
	world_free(w);
}

/* The next turn is never left out. */
static void next_round(void **state)
{
	(void)state;
	struct world *w = idle(SLURM_22_05, 300);
	assert_int_equal(controller_next_tick(w->c, 0), 4 * USEC);
	controller_tick(w->c, 4 * USEC);
	assert_int_equal(controller_next_tick(w->c, 4 * USEC), 104 * USEC);
	controller_tick(w->c, 104 * USEC);
	assert_int_equal(w->c->last_update, 104);
	world_free(w);
}

/* A node of which something was heard is not asked; the twentieth round asks all. */
static void registration(void **state)
{
	(void)state;
	struct world *w = idle(SLURM_26, 20);
	g_free(turns(w, 1, 112));
	ping_heard(w->c, 0);
	ping_heard(w->c, 1);
	turns_are(w, 113, 136, "118 130");
	world_free(w);
}

/* Two nodes are heard at different times: each round has somebody to ask. */
static void two_nodes(void **state)
{
	(void)state;
	struct world *w = idle(SLURM_22_05, 20);
	g_free(turns(w, 1, 17));
	ping_heard(w->c, 1); /* n1 at 10, n2 at 17 */
	turns_are(w, 18, 36, "22 28 34");
	world_free(w);
}

/* A resumed node is asked at the next turn, and the rounds count from there. */
static void resumed(void **state)
{
	(void)state;
	struct world *w = idle(SLURM_22_05, 20);
	g_free(turns(w, 1, 30));
	assert_true(controller_update_node(w->c, "n1", "drain", "test", 30 * USEC, NULL));
	assert_true(controller_update_node(w->c, "n1", "resume", NULL, 31 * USEC, NULL));
	assert_int_equal(controller_next_tick(w->c, 31 * USEC), 32 * USEC);
	turns_are(w, 32, 60, "32 44 56");
	world_free(w);
}

/* A silent node asks for no pass (drain-down: none until something else happens); one that is back does. */
static void silent(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = idle(v, 20);
		controller_node_news(w->c, 0, NODE_SILENT, 5 * USEC);
		controller_node_news(w->c, 0, NODE_LOST, 6 * USEC);
		assert_int_equal(w->c->counter, 0);
		controller_node_news(w->c, 0, NODE_REGISTERS, 7 * USEC);
		assert_int_equal(w->c->counter, 1);
		world_free(w);
	}
}

/* dependencies, after1m: nothing happens but that its time comes. */
static void waits_for_an_answer(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = idle(v, 300);
		struct job *j = w_job(w, 10, "begin", "50", NULL);
		g_free(turns(w, 11, 110));
		assert_int_equal(j->start, 104);
		world_free(w);
	}
}

/* Recorded: while a reservation is active backfill comes by each 5 s. */
static void reservation(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = idle(v, 300);
		char *name = (char *)"r", *made = name;
		const struct resv_setting set[] = {{"nodes", "n2"}, {"users", "u2"}, {"starttime", "now"}, {"duration", "60"}};
		assert_true(controller_create_reservation(w->c, set, G_N_ELEMENTS(set), 1 * USEC, &made, NULL));
		struct job *j = w_job(w, 10, "begin", "52", NULL);
		g_free(turns(w, 11, 51));
		assert_true(controller_next_backfill(w->c, 51 * USEC) <= 56 * USEC);
		g_free(turns(w, 52, 90));
		assert_in_range(j->start, 52, 56);
		world_free(w);
	}
}

/* S5 (mixed-hour, j08): in 22.05 no job goes before another of the same priority when that comes. */
static void ties(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = idle(v, 300);
		w_job(w, 10, "nodes", "2", "priority", "100", NULL);
		struct job *same = w_job(w, 11, "priority", "100", NULL), *less = w_job(w, 12, "priority", "99", NULL);
		assert_int_equal(same->reason, v == SLURM_22_05 ? REASON_NONE : REASON_PRIORITY);
		assert_int_equal(less->reason, REASON_PRIORITY);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rounds),	 cmocka_unit_test(first_round), cmocka_unit_test(they_register), cmocka_unit_test(next_round), cmocka_unit_test(registration),
	    cmocka_unit_test(two_nodes), cmocka_unit_test(resumed),    cmocka_unit_test(silent),
	    cmocka_unit_test(waits_for_an_answer), cmocka_unit_test(reservation), cmocka_unit_test(ties),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
