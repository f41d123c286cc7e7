/* reservation_test.c - reservations (lifecycle C35, C60-C65; W6 there and W6 of backfill.md) */
#include "tests/unit/resv_helper.h"

/* W6 of lifecycle.md: R on n1,n2 from 5000 to 6000. */
static struct world *w6(enum slurm_version v, const char *partition)
{
	struct world *w = world_new(v);
	w_nodes(w, "n[1-3]", 1, 4, 1);
	w_part(w, "p", partition);
	w_begin(w, 0);
	create(w, 10, "r", "starttime=now+4990 duration=1000 users=other nodes=n[1-2]");
	resv_find(w->c, "r")->end = 6000;
	return w;
}

static void test_w6_fits_before(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
			struct world *w = w6(v, "n[1-3]");
			struct job *a = w_job(w, 3000, "nodes", "1", "time", "30", NULL);
			w_full(w, 3000);
			w_runs_on(w, a, 3000, "n1");
			struct job *b = w_job(w, 3200, "nodes", "1", "exclusive", "", "time", "30",
			                      NULL); /* 5000 > 5000 is false */
			w_full(w, 3200);
			w_runs_on(w, b, 3200, "n2");
			world_free(w);
		}
}

static void test_w6_runs_into_it(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
			struct world *w = w6(v, "n[1-3]");
			struct job *busy = w_run(w, 100, "n3", 1000);
			struct job *j = w_job(w, 3201, "nodes", "1", "exclusive", "", "time", "30", NULL);
			w_full(w, 3201);
			w_waits(j, REASON_RESOURCES);
			w_full(w, 5999);
			w_waits(j, REASON_RESOURCES);
			w_full(w, 6000);
			w_runs_on(w, j, 6000, "n1");
			assert_int_equal(busy->state, JOB_RUNNING);
			world_free(w);
			w = w6(v, "n[1-2]");
			j = w_job(w, 3201, "nodes", "1", "time", "30", NULL);
			text_is(j, OTHERS); /* at submission already */
			w_full(w, 3201);
			text_is(j, OTHERS);
			world_free(w);
		}
}

/* a. of C60: maintenance of the whole partition; required nodes in another's reservation: b. */
static void test_maintenance_and_required(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
			struct world *w = w_simple(v, "n[1-4]", 4);
			w_begin(w, 0);
			create(w, 1, "m", "starttime=now+100 duration=10 users=root nodes=ALL flags=maint");
			struct job *j = w_job(w, 2, "nodes", "1", "time", "5", NULL);
			w_full(w, 3);
			text_is(j, MAINTENANCE);
			struct job *fits = w_job(w, 4, "nodes", "1", "time", "1", NULL);
			w_full(w, 5); /* the one in front blocks nobody */
			w_runs_on(w, fits, 5, "n1");
			world_free(w);
			w = w_simple(v, "n[1-4]", 4);
			w_begin(w, 0);
			create(w, 1, "r", "starttime=now duration=10 users=other nodes=n4");
			j = w_job(w, 2, "nodes", "1", "nodelist", "n4", "time", "1", NULL);
			w_full(w, 3);
			text_is(j, OTHERS);
			w_full(w, 601);
			w_runs_on(w, j, 601, "n4");
			world_free(w);
		}
}

static void test_named(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
			struct world *w = w_simple(v, "n[1-4]", 4);
			w_begin(w, 0);
			struct reservation *r = create(w, 1, "r", "starttime=now+60 duration=5 users=u1 nodes=n[3-4]");
			w_refused(w, 2, "Requested reservation is invalid", "reservation", "none", NULL);
			w_refused(w, 2, "Access denied to requested reservation", "reservation", "r", "user", "u2",
			          NULL);
			struct job *j = w_job(w, 3, "nodes", "1", "time", "1", "reservation", "r", NULL);
			w_waits(j, REASON_RESERVATION);
			w_full(w, 60);
			w_waits(j, REASON_RESERVATION);
			struct job *plain = w_job(w, 60, "nodes", "1", "time", "1", "priority", "4000000000", NULL);
			w_full(w, 61);
			w_runs_on(w, j, 61, "n3");
			w_runs_on(w, plain, 61, "n1");
			assert_int_equal(r->running, 1);
			GError *error = NULL;
			assert_false(controller_delete_reservation(w->c, "r", 62 * USEC, &error));
			assert_non_null(strstr(error->message, "in use"));
			g_error_free(error);
			w_end(w, j, 70, 0, true);
			assert_int_equal(r->running, 0);
			struct job *late = w_job(w, 71, "nodes", "2", "exclusive", "", "reservation", "r", NULL);
			assert_true(controller_delete_reservation(w->c, "r", 72 * USEC, NULL)); /* C65 */
			w_waits(late, REASON_RESERVATION_DELETED);
			assert_int_equal(late->priority, 0);
			world_free(w);
		}
}

/* S31(b), S23: a blocked job closes its reservation, not its partition. */
static void test_blocks_reservation(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	w_begin(w, 0);
	create(w, 1, "r", "starttime=now duration=60 users=u1 nodes=n4");
	struct job *a = w_job(w, 2, "nodes", "1", "exclusive", "", "time", "10", "reservation", "r", NULL);
	struct job *b = w_job(w, 3, "nodes", "1", "exclusive", "", "time", "10", "reservation", "r", NULL);
	struct job *c = w_job(w, 4, "nodes", "1", "time", "1", "reservation", "r", NULL);
	struct job *d = w_job(w, 5, "nodes", "1", "time", "1", NULL);
	w_full(w, 6);
	w_runs_on(w, a, 6, "n4");
	w_waits(b, REASON_RESOURCES);
	w_waits(c, REASON_PRIORITY);
	w_runs_on(w, d, 6, "n1");
	world_free(w);
}

/* C61, last paragraph of S27. */
static void test_magnetic(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	w_begin(w, 0);
	create(w, 1, "mag", "starttime=now+60 duration=10 users=u1 nodes=n1 flags=magnetic");
	struct job *j = w_job(w, 2, "nodes", "1", "exclusive", "", "time", "5", NULL);
	struct job *k = w_job(w, 2, "nodes", "1", "exclusive", "", "time", "5", "user", "u2", NULL);
	w_full(w, 3); /* not active: its nodes are kept off in this pass, the plain records use n2 */
	w_runs_on(w, j, 3, "n2");
	w_waits(k, REASON_RESOURCES);
	struct job *l = w_job(w, 4, "nodes", "1", "exclusive", "", "time", "5", NULL);
	w_full(w, 61);
	w_runs_on(w, l, 61, "n1");
	assert_true(l->magnetic);
	struct job *too_long = w_job(w, 62, "nodes", "1", "time", "11", NULL);
	w_end(w, l, 70, 0, true);
	w_full(w, 71); /* 71 + 660 > 661 */
	assert_int_equal(too_long->state, JOB_PENDING);
	assert_null(too_long->resv);
	world_free(w);
}

/* Part nodes: only the reserved cores are kept off. */
static void test_cores(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	w_begin(w, 0);
	struct reservation *r = create(w, 1, "r", "starttime=now duration=60 users=u1 nodes=n1 corecnt=3");
	assert_int_equal(r->core_cnt, 3);
	struct job *wide = w_job(w, 2, "nodes", "2", "exclusive", "", "time", "1", "user", "u2", NULL);
	struct job *one = w_job(w, 2, "ntasks", "1", "time", "1", "nodelist", "n1", "user", "u2", NULL);
	struct job *two = w_job(w, 2, "nodes", "1", "ntasks", "2", "time", "1", "nodelist", "n1", "user", "u2", NULL);
	struct job *in = w_job(w, 2, "ntasks", "3", "time", "1", "reservation", "r", NULL);
	w_full(w, 3);
	text_is(wide, OTHERS);
	w_waits(two, REASON_RESOURCES);
	w_runs_on(w, one, 3, "n1");
	w_runs_on(w, in, 3, "n1");
	assert_int_equal(one->alloc->words[0], 8); /* core 3 */
	assert_int_equal(in->alloc->words[0], 7);
	world_free(w);
}

/* Controller's loop: flags every 5 s, ends every 30 s (C62, C35, C63). */
static void test_ticks(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	w_begin(w, 0);
	struct node *n1 = w->cl->node[0];
	create(w, 1, "r", "starttime=now+11 duration=1 users=u1 nodes=n1");
	struct job *j = w_job(w, 2, "nodes", "1", "time", "10", "reservation", "r", NULL);
	for (sec_t t = 2; t <= 14; t++)
		controller_tick(w->c, t * USEC);
	assert_string_equal(controller_node_state(w->c, n1, true), "idle"); /* began at 12 */
	w_full(w, 14);
	w_runs_on(w, j, 14, "n1");
	controller_tick(w->c, 15 * USEC);
	assert_true(n1->flags & NODE_RESERVED);
	for (sec_t t = 16; t <= 89; t++)
		controller_tick(w->c, t * USEC);
	assert_int_equal(j->state, JOB_RUNNING); /* the end was 72 */
	controller_tick(w->c, 90 * USEC);
	assert_int_equal(j->state, JOB_TIMEOUT);
	assert_null(resv_find(w->c, "r"));
	assert_false(n1->flags & NODE_RESERVED);
	world_free(w);
}

static void test_recurring(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-2]", 4);
	w_begin(w, 0); /* 1970-01-01, a Thursday */
	struct reservation *r = create(w, 1, "d", "starttime=now+9 duration=1 users=u1 nodes=n1 flags=weekday");
	uint32_t id = r->id;
	controller_tick(w->c, 90 * USEC);
	assert_int_equal(r->start, 10 + 86400);
	assert_int_equal(r->end, 70 + 86400);
	assert_true(r->id != id);
	controller_tick(w->c, (2 * 86400 - 30) * USEC);
	assert_int_equal(r->start, 10 + 4 * 86400); /* Friday -> Monday */
	/* C64: all occurrences count */
	not_created(w, 2 * 86400, "starttime=now+2592010 duration=1 users=u1 nodes=n1 flags=weekly",
	            "Requested nodes are busy");
	create(w, 2 * 86400, "e", "starttime=now+10 duration=1 users=u1 nodes=n1 flags=weekend");
	world_free(w);
}

static void test_float_and_purge(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n1", 4);
	w_begin(w, 0);
	create(w, 1, "f", "starttime=now+600 duration=10 users=u2 nodes=n1 flags=time_float");
	struct job *shorter = w_job(w, 2, "ntasks", "1", "time", "10", NULL),
	           *longer = w_job(w, 2, "ntasks", "1", "time", "11", NULL);
	w_full(w, 5000);
	w_runs_on(w, shorter, 5000, "n1");
	text_is(longer, OTHERS);
	assert_true(controller_delete_reservation(w->c, "f", 5001 * USEC, NULL));
	create(w, 5001, "p", "starttime=now duration=100 users=u1 nodes=n1 flags=purge_comp=60,ignore_jobs");
	for (sec_t t = 5002; t <= 5100; t++)
		controller_tick(w->c, t * USEC);
	assert_null(resv_find(w->c, "p"));
	world_free(w);
}

static void test_create(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n[1-4]", 4);
	w_begin(w, 0);
	struct job *run = w_run(w, 1, "n2", 10); /* until 601 */
	not_created(w, 2, "duration=1 users=u1 nodes=n1", "A start time must be given");
	not_created(w, 2, "starttime=now users=u1 nodes=n1", "An end time or duration must be given");
	not_created(w, 2, "starttime=now duration=1 nodes=n1", "Either Users/Groups");
	not_created(w, 2, "starttime=abc duration=1 users=u1 nodes=n1", "Invalid start time");
	not_created(w, 2, "starttime=now duration=1 users=u1 nodes=n9", "Invalid node name specified");
	not_created(w, 2, "starttime=now duration=1 users=u1 nodes=n1 flags=foo", "Error parsing flags foo");
	not_created(w, 2, "starttime=now duration=1 users=u1 nodecnt=5", "Requested nodes are busy");
	not_created(w, 2, "starttime=now duration=1 users=u1 nodecnt=1 partition=q",
	            "Invalid partition name specified");
	not_created(w, 2, "starttime=now duration=1 users=u1 nodes=n2", "Requested nodes are busy");
	not_created(w, 2, "starttime=now duration=1 users=u1 licenses=none:1", "Invalid license specification");
	not_created(w, 2, "starttime=now duration=1 users=u1,-u2 nodes=n1", "Invalid user id");
	not_created(w, 2, "starttime=now duration=1 users=u1", "must be given");
	struct reservation *r = create(w, 2, "count", "starttime=now duration=1 users=u1 nodecnt=2");
	w_nodes_are(w, r->nodes, "n[1,3]");
	r = create(w, 2, "after", "starttime=now+600 duration=1 users=u1 nodes=n2"); /* at 602 the job is over */
	assert_true(r->flags & RESV_FLAG(SPEC_NODES));
	r = create(w, 2, "over", "starttime=now duration=1 users=u1 nodes=n2 flags=ignore_jobs,overlap");
	assert_int_equal(r->core_cnt, 4);
	const struct resv_setting longer = {"duration", "120"};
	assert_true(controller_update_reservation(w->c, "after", &longer, 1, 3 * USEC, NULL));
	assert_int_equal(resv_find(w->c, "after")->end, 602 + 7200);
	assert_int_equal(run->state, JOB_RUNNING);
	world_free(w);
}

/* W6 of backfill.md. */
static void test_backfill_w6(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_26, "n0[1-4]", 8);
	w->p->bf_resolution = 1;
	w->p->bf_window = 3600;
	w_begin(w, 0);
	create(w, 0, "r1", "starttime=now+70 duration=1 users=bob nodes=n0[3-4]");
	create(w, 0, "maint", "starttime=now+150 duration=5 users=root nodes=ALL flags=maint");
	create(w, 1, "mag", "starttime=now+20 duration=1 users=erin nodes=n02 flags=magnetic");
	w_run(w, 20, "n01", 2); /* until 140 */
	struct job *in_mag =
	    w_job(w, 20, "nodes", "1", "exclusive", "", "time", "1", "user", "erin", "priority", "900", NULL);
	struct job *first = w_job(w, 20, "nodes", "1", "ntasks", "8", "time", "2", "priority", "800", NULL);
	struct job *j =
	    w_job(w, 20, "nodes", "1", "ntasks", "8", "time", "10", "time-min", "1", "priority", "700", NULL);
	struct job *wide = w_job(w, 20, "nodes", "4", "exclusive", "", "time", "2", "priority", "600", NULL);
	w_clear(w);
	w_backfill(w, 21);
	w_runs_on(w, in_mag, 21, "n02");
	w_planned(w, first, 450, "n01");
	w_planned(w, j, 450, "n02");
	/* TRY 1: x = 82. TRY 2 with the original limit meets maint: 450. The wide job: 82, then 451 from the end of
	 * maint */
	assert_string_equal(
	    w->steps->str,
	    "test 2; try 2 21 n02; start 2 n02; test 3; try 3 21 n01; later 3 82; try 3 450 n[01-04]; plan 3 450 n01; "
	    "test 4; try 4 21 n01; later 4 82; try 4 450 n[02-04]; plan 4 450 n02; "
	    "test 5; later 5 82; later 5 451; later 5 510; later 5 570; try 5 570 n[01-04]; plan 5 570 n[01-04]");
	assert_int_equal(wide->state, JOB_PENDING);
	assert_int_equal(slotmap_at(w_map(w), 0)->begin, 21);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_w6_fits_before),
	    cmocka_unit_test(test_w6_runs_into_it),
	    cmocka_unit_test(test_maintenance_and_required),
	    cmocka_unit_test(test_named),
	    cmocka_unit_test(test_blocks_reservation),
	    cmocka_unit_test(test_magnetic),
	    cmocka_unit_test(test_cores),
	    cmocka_unit_test(test_ticks),
	    cmocka_unit_test(test_recurring),
	    cmocka_unit_test(test_float_and_purge),
	    cmocka_unit_test(test_create),
	    cmocka_unit_test(test_backfill_w6),
	};
	return cmocka_run_group_tests_name("reservation", tests, NULL, NULL);
}
