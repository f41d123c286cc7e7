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
			if (v == SLURM_22_05) { /* recorded: it minds who waits for it */
				assert_false(controller_delete_reservation(w->c, "r", 72 * USEC, NULL));
				world_free(w);
				continue;
			}
			assert_true(controller_delete_reservation(w->c, "r", 72 * USEC, NULL)); /* C65 */
			w_waits(late, REASON_RESERVATION_DELETED);
			assert_int_equal(late->priority, 0);
			assert_string_equal(job_state_compact(late->state, late->flags), "RD");
			assert_true(controller_release(w->c, late, NULL, 73 * USEC, NULL));
			assert_string_equal(job_state_compact(late->state, late->flags), "PD");
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
	            "overlaps with another reservation");
	create(w, 2 * 86400, "e", "starttime=now+10 duration=1 users=u1 nodes=n1 flags=weekend");
	world_free(w);
}

/* Recorded (22.05, HOURLY): a job that runs over the end of a recurring one runs on when a pass finds it over before the turn that would end it; idle for the
 * time of PURGE_COMP it moves on with its length */
static void test_moves_on(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_22_05, "n[1-2]", 4);
	w_begin(w, 0);
	struct reservation *h = create(w, 10, "h", "starttime=now duration=5 users=u1 nodes=n1 flags=hourly");
	struct job *fill = w_job(w, 20, "ntasks", "4", "time", "30", "reservation", "h", NULL), *next = w_job(w, 30, "ntasks", "1", "time", "2", "reservation", "h", NULL);
	w_full(w, 31);
	w_runs_on(w, fill, 31, "n1");
	w_backfill(w, 310);
	assert_int_equal(h->start, 10 + 3600);
	assert_int_equal(h->end, 310 + 3600);
	controller_tick(w->c, 330 * USEC);
	assert_int_equal(fill->state, JOB_RUNNING);
	w_waits(next, REASON_RESERVATION);
	struct reservation *p = create(w, 400, "p", "starttime=now duration=20 users=u1 nodes=n2 flags=hourly,purge_comp=2");
	for (sec_t t = 401; t <= 560; t++)
		controller_tick(w->c, t * USEC);
	assert_int_equal(p->start, 400 + 3600);
	assert_int_equal(p->end - p->start, 1200);
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
	create(w, 5001, "p", "starttime=now duration=100 users=u1 nodes=n1 flags=purge_comp=1,ignore_jobs"); /* a minute */
	for (sec_t t = 5002; t <= 5069; t++)
		controller_tick(w->c, t * USEC);
	assert_true(resv_active_at(resv_find(w->c, "p"), 5069)); /* recorded: until the turn of ended ones that finds it idle for so long */
	controller_tick(w->c, 5070 * USEC);
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
	not_created(w, 2, "starttime=now duration=1 users=u1", "must be specified");
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

static void submitted(struct world *w, bool taken, const char *resv, const char *partition, const char *nodes, const char *minutes)
{
	if (taken)
		w_job(w, 66, "reservation", resv, "partition", partition, "nodes", nodes, "time", minutes, NULL);
	else
		w_refused(w, 66, "Requested node configuration is not available", "reservation", resv, "partition", partition, "nodes", nodes, "time", minutes,
		          NULL);
}

/* Recorded on 22.05 (reservations: f2, two2, oa; holds-coordinators: ra to fh): refused is a job whose reservations leave it fewer nodes than it wants in
 * its partition, but not one from which another's takes the last. */
static void test_no_nodes_left(void **state)
{
	struct world *w = w_simple(SLURM_22_05, "n[1-4]", 8);
	(void)state;
	w_nodes(w, "n[11-14]", 1, 8, 1);
	w_part(w, "other", "n[11-14]");
	w_begin(w, 0);
	create(w, 60, "a", "starttime=now duration=10 users=u1 nodes=n14");
	create(w, 60, "c", "starttime=now duration=10 users=u1 nodes=n1");
	create(w, 60, "flex", "starttime=now+120 duration=5 users=u1 nodes=n13 flags=flex");
	create(w, 60, "b1", "starttime=now duration=10 users=u2 nodes=n11");
	create(w, 60, "b2", "starttime=now+300 duration=5 users=u2 nodes=n12");
	create(w, 60, "future", "starttime=now+600 duration=5 users=u1 nodes=n4");
	submitted(w, false, "a", "p", "1", "1");
	submitted(w, false, "a", "other", "2", "1");
	submitted(w, true, "a", "other", "1", "1");
	submitted(w, true, "a,flex", "other", "1", "1");
	submitted(w, true, "c,a", "other", "1", "1");
	submitted(w, false, "flex", "other", "3", "10");
	submitted(w, false, "flex", "other", "3", "1");
	submitted(w, false, "flex", "other", "2", "10");
	submitted(w, false, "flex", "other", "4", "1");
	submitted(w, true, "flex", "other", "2", "1");
	submitted(w, true, "flex", "other", "1", "10");
	submitted(w, true, "future", "p", "1", "1");
	create(w, 66, "over", "starttime=now duration=10 users=u2 nodes=n14 flags=overlap");
	submitted(w, true, "a", "other", "1", "1");
	submitted(w, false, "a,c", "other", "1", "1");
	world_free(w);
}

static void change(struct world *w, sec_t t, const char *name, const char *key, const char *value, const char *refusal)
{
	const struct resv_setting set = {key, value};
	GError *error = NULL;
	bool ok = controller_update_reservation(w->c, name, &set, 1, t * USEC, &error);
	if (ok ? refusal != NULL : !refusal || !strstr(error->message, refusal))
		fail_msg("%s=%s: %s", key, value, ok ? "done" : error->message);
	g_clear_error(&error);
}

/* What an update takes, what it refuses (tests/recorded/reservations: 22.05) */
static void test_update(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-6]", 4);
		w_begin(w, 0);
		struct reservation *r = create(w, 1, "u", "starttime=now duration=10 users=u1 nodecnt=2");
		change(w, 2, "u", "nodecnt", "3", NULL);
		w_nodes_are(w, r->nodes, "n[1-3]");
		change(w, 2, "u", "nodecnt", "1", NULL); /* the last ones stay */
		w_nodes_are(w, r->nodes, "n3");
		change(w, 2, "u", "nodecnt", "4", NULL);
		w_nodes_are(w, r->nodes, "n[1-4]");
		change(w, 2, "u", "duration+", "5", NULL);
		assert_int_equal(r->end, 1 + 900);
		change(w, 2, "u", "duration-", "60", NULL); /* not before now */
		assert_int_equal(r->end, 2);
		change(w, 2, "u", "duration", "20", NULL);
		change(w, 2, "u", "starttime", "now+60", "Reservation already started");
		change(w, 2, "u", "corecnt", "4", "Core-based reservation can not be updated");
		change(w, 2, "u", "features", "f", "Requested operation not supported");
		change(w, 2, "u", "skip", "", "not skipable");
		change(w, 2, "u", "users-", "u1", "lacks users, groups or accounts");
		change(w, 2, "u", "users", "u2,u3", NULL);
		change(w, 2, "u", "users", "-u2", NULL); /* taken out */
		assert_string_equal(r->users.names[0], "u3");
		assert_null(r->users.names[1]);
		assert_false(r->users.deny);
		change(w, 2, "u", "nodes+", "n6", v == SLURM_22_05 ? "notation is not supported" : NULL);
		if (v != SLURM_22_05) {
			w_nodes_are(w, r->nodes, "n[1-4,6]");
			change(w, 2, "u", "nodes-", "n[1-4]", NULL);
			w_nodes_are(w, r->nodes, "n6");
		}
		change(w, 2, "u", "nodes", "n5", NULL);
		assert_true(r->flags & RESV_FLAG(SPEC_NODES));
		change(w, 2, "u", "flags", "daily", NULL);
		change(w, 2, "u", "skip", "", NULL);
		assert_int_equal(r->start, 1 + 86400);
		change(w, 2, "u", "foo", "bar", "Unknown parameter foo=bar");
		world_free(w);
	}
}

/* Forms of creation that are refused, and those that are not of 22.05 */
static void test_forms(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		bool old = v == SLURM_22_05;
		struct world *w = w_simple(v, "n[1-4]", 4);
		w_begin(w, 0);
#define AT "starttime=now duration=10 users=u1 "
		not_created(w, 1, AT "nodes=n1 flags=replace", "Invalid node name specified");
		not_created(w, 1, AT "nodes=n[1-2] corecnt=3", "not consistent");
		not_created(w, 1, AT "nodes=n1 flags=time_float,daily", "not supported on this system");
		not_created(w, 1, AT "partition=p flags=part_nodes", "PART_NODES flag requires");
		not_created(w, 1, AT "nodes=n1 flags=all_nodes", "Error parsing flags");
		not_created(w, 1, AT "nodes=n1 endtime=now+60", "StartTime + Duration does not equal EndTime");
		not_created(w, 1, "starttime=now+60 endtime=now users=u1 nodes=n1", "Start time cannot be after end time");
		not_created(w, 1, AT "nodes=n1 burstbuffer=x", "not modelled");
		struct reservation *r = create(w, 1, "a", AT "nodecnt=1");
		assert_ptr_equal(r->part, w->cl->default_partition);
		not_created(w, 1, AT "nodes=n1", "overlaps with another reservation");
		not_created(w, 1, AT "nodes=n1 corecnt=1", "overlaps with another reservation");
		GError *error = NULL;
		assert_false(try_create(w, 1, "a", AT "nodecnt=1", &error));
		assert_string_equal(error->message, "Error creating the reservation: Duplicate reservation name");
		g_clear_error(&error);
		if (old) { /* it takes what there is */
			w_nodes_are(w, create(w, 1, "b", AT "nodecnt=2k")->nodes, "n[2-4]");
			not_created(w, 1, AT "nodes=n1 flags=user_delete", "Error parsing flags user_delete");
			not_created(w, 1, "starttime=now duration=10 qos=q nodecnt=1", "Unknown parameter qos=q");
			not_created(w, 1, AT "nodes=n1 comment=x", "Unknown parameter comment=x");
		} else {
			not_created(w, 1, AT "nodecnt=4", "Requested nodes are busy");
			r = create(w, 1, "c", AT "nodes=n2 flags=user_delete comment=hello");
			assert_string_equal(r->comment, "hello");
			assert_true(controller_user_may_delete(w->c, "c", "u1"));
			assert_false(controller_user_may_delete(w->c, "c", "u2"));
			assert_false(controller_user_may_delete(w->c, "a", "u1"));
		}
#undef AT
		world_free(w);
	}
}

/* C63, recorded (22.05): with REPLACE the nodes that a job takes are exchanged when it starts, a node that goes down at the next turn */
static void test_replace(void **state)
{
	(void)state;
	struct world *w = w_simple(SLURM_22_05, "n[1-6]", 4);
	w_begin(w, 0);
	struct reservation *taken = create(w, 1, "taken", "starttime=now duration=60 users=u1 nodecnt=2 flags=replace"),
	                   *count = create(w, 1, "count", "starttime=now duration=60 users=u2 nodecnt=1"),
	                   *fixed = create(w, 1, "fixed", "starttime=now duration=60 users=u2 nodecnt=1 flags=static_alloc"),
	                   *cores = create(w, 1, "cores", "starttime=now duration=60 users=u2 corecnt=2");
	w_nodes_are(w, cores->nodes, "n5");
	struct job *j = w_job(w, 2, "ntasks", "1", "time", "10", "reservation", "taken", NULL);
	w_full(w, 3);
	w_runs_on(w, j, 3, "n1");
	w_nodes_are(w, taken->nodes, "n[2,5]"); /* those of cores do not count */
	assert_true(controller_update_node(w->c, "n[3-5]", "drain", "x", 4 * USEC, NULL));
	assert_int_equal(controller_next_tick(w->c, 4 * USEC), 5 * USEC);
	controller_tick(w->c, 5 * USEC);
	w_nodes_are(w, taken->nodes, "n[2,6]");
	w_nodes_are(w, count->nodes, "n3"); /* there is none left */
	w_nodes_are(w, fixed->nodes, "n4");
	w_nodes_are(w, cores->nodes, "n1"); /* beside the job */
	assert_int_equal(cores->cores->words[0], 6);
	assert_int_equal(cores->cores->cpus, 2);
	assert_int_equal(taken->running, 1);
	world_free(w);
}

/* Recorded (22.05): a job of a FLEX reservation begins before it, and takes its nodes before others */
static void test_flex(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-4]", 4);
		w_begin(w, 0);
		create(w, 1, "f", "starttime=now+600 duration=1 users=u1 nodes=n3 flags=flex");
		struct job *one = w_job(w, 2, "ntasks", "1", "time", "30", "reservation", "f", NULL),
		           *three = w_job(w, 2, "nodes", "3", "ntasks", "3", "time", "30", "reservation", "f", NULL);
		w_full(w, 3);
		w_runs_on(w, one, 3, "n3");
		w_runs_on(w, three, 3, "n[1-3]");
		world_free(w);
	}
}

/* C58: reservations share what there is; their licences are those of nobody else */
static void test_licenses(void **state)
{
	(void)state;
	struct world *w = world_new(SLURM_26);
	w_nodes(w, "n1", 1, 4, 1);
	w_part(w, "p", "n1");
	struct license *l = g_new0(struct license, 1);
	*l = (struct license){.name = g_strdup("lic"), .total = 4};
	g_ptr_array_add(w->cl->licenses, l);
	w_begin(w, 0);
	not_created(w, 1, "starttime=now duration=10 users=u1 licenses=lic:3", "Invalid node name specified");
	struct reservation *r = create(w, 1, "l", "starttime=now duration=10 users=u1 licenses=lic:3 flags=license_only nodecnt=1");
	assert_true(bitset_empty(r->nodes));
	not_created(w, 1, "starttime=now duration=10 users=u1 licenses=lic:2 flags=license_only", "Invalid license specification");
	create(w, 1, "m", "starttime=now+660 duration=10 users=u1 licenses=lic:2 flags=license_only");
	assert_int_equal(license_reserved(w->c, 0, 1), 3);
	assert_int_equal(license_reserved(w->c, 0, 700), 2);
	world_free(w);
}

/* Recorded (22.05): the end of a reservation takes no job that waits for it away; when it is removed they are held, but for NO_HOLD_JOBS_AFTER_END */
static void test_ended(void **state)
{
	(void)state;
	for (int hold = 0; hold < 2; hold++) {
		struct world *w = w_simple(SLURM_22_05, "n1", 4);
		w_begin(w, 0);
		create(w, 1, "r", hold ? "starttime=now duration=1 users=u1 nodes=n1" : "starttime=now duration=1 users=u1 nodes=n1 flags=no_hold_jobs_after_end");
		struct job *busy = w_job(w, 1, "ntasks", "4", "time", "10", "reservation", "r", NULL);
		w_full(w, 2);
		w_runs_on(w, busy, 2, "n1");
		struct job *j = w_job(w, 3, "ntasks", "4", "time", "1", "reservation", "r", NULL);
		w_full(w, 70);
		w_waits(j, REASON_RESERVATION);
		assert_int_not_equal(j->priority, 0);
		controller_tick(w->c, 90 * USEC);
		assert_null(resv_find(w->c, "r"));
		assert_int_equal(busy->state, JOB_TIMEOUT);
		assert_string_equal(job_state_compact(j->state, j->flags), hold ? "RD" : "PD");
		assert_int_equal(j->priority == 0, hold);
		world_free(w);
	}
}

/* W6 of backfill.md (B28: after a failure the limit in force is the original one, and the next try begins at later_start). */
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

static void records_are(struct world *w, const char *want)
{
	g_autoptr(GString) s = g_string_new(NULL);
	queue_build(w->c, false);
	for (guint i = 0; i < w->c->queue->len; i++) {
		const struct queue_record *r = &g_array_index(w->c->queue, struct queue_record, i);
		g_string_append_printf(s, "%s%u:%s", i ? " " : "", r->job->id, r->resv ? r->resv->name : "-");
	}
	assert_string_equal(s->str, want);
}

/* S11: a record for each reservation named, or the plain one and one for each MAGNETIC reservation that is the user's (those of reservations first, S12) */
static void test_records(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n[1-4]", 4);
		w_begin(w, 0);
		create(w, 1, "a", "starttime=now duration=10 users=u1 nodes=n1");
		create(w, 1, "b", "starttime=now+60 duration=10 users=u1 nodes=n2");
		create(w, 1, "m", "starttime=now duration=10 users=u1 nodes=n3 flags=magnetic");
		struct job *two = w_job(w, 2, "reservation", "a,b", "time", "1", NULL);
		records_are(w, "1:a 1:b");
		controller_cancel(w->c, two, 3 * USEC, NULL);
		w_job(w, 4, "time", "1", NULL);
		w_job(w, 5, "reservation", "a", "time", "1", NULL);
		w_job(w, 6, "user", "u2", "time", "1", NULL);
		records_are(w, "2:m 3:a 2:- 4:-");
		world_free(w);
	}
}

/* S17: of the reservation's nodes too few lie in the partition; those of a FLEX one need not */
static void test_out_of_partition(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int flex = 0; flex < 2; flex++) {
			struct world *w = world_new(v);
			w_nodes(w, "n[1-4]", 1, 4, 1);
			w_part(w, "p", "n[1-2]");
			w_part(w, "q", "n[3-4]");
			w_begin(w, 0);
			create(w, 1, "r", flex ? "starttime=now duration=10 users=u1 nodes=n[1-2] flags=flex" : "starttime=now duration=10 users=u1 nodes=n[1-2]");
			struct job *j = w_job(w, 2, "nodes", "2", "time", "1", "reservation", "r", NULL);
			struct resv_setting other = {"nodes", "n[2-3]"};
			assert_true(controller_update_reservation(w->c, "r", &other, 1, 3 * USEC, NULL));
			w_full(w, 4);
			assert_int_equal(j->state == JOB_RUNNING, flex);
			if (flex)
				assert_null(strstr(w->skips->str, "S17"));
			else
				assert_string_equal(w->skips->str, "1 S17: too few nodes of the reservation are in the partition");
			world_free(w);
		}
}

/* S25: behind a job of a reservation with MaxStartDelay those with --signal=R: are left to backfill */
static void test_max_start_delay(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int delay = 0; delay < 2; delay++) {
			struct world *w = w_simple(v, "n[1-4]", 4);
			w_begin(w, 0);
			create(w, 1, "r", delay ? "starttime=now duration=100 users=u1 nodes=n4 maxstartdelay=5" : "starttime=now duration=100 users=u1 nodes=n4");
			w_job(w, 2, "time", "1", "reservation", "r", "priority", "9", NULL);
			struct job *yields = w_job(w, 2, "time", "1", "signal", "R:USR1@60", "priority", "8", NULL);
			struct job *plain = w_job(w, 2, "time", "1", "signal", "USR1@60", "priority", "7", NULL);
			w_full(w, 3);
			assert_int_equal(plain->state, JOB_RUNNING);
			assert_int_equal(yields->state, delay ? JOB_PENDING : JOB_RUNNING);
			w_backfill(w, 4);
			assert_int_equal(yields->state, JOB_RUNNING);
			world_free(w);
		}
}

/* B56: what is planned fits before a reservation of others or comes after it, by the limit in force (time_min); what is over counts no more (B4) */
static void test_plans_around(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = w_simple(v, "n1", 4);
		w->p->bf_resolution = 1;
		w_begin(w, 0);
		create(w, 1, "r", "starttime=now+3599 duration=10 users=other nodes=n1");
		w_run(w, 600, "n1", 40); /* until 3000 */
		struct job *fits = w_job(w, 700, "exclusive", "", "time", "5", "priority", "9", NULL);
		struct job *no = w_job(w, 700, "exclusive", "", "time", "10", "priority", "8", NULL);
		w_backfill(w, 700);
		w_planned(w, fits, 3000, "n1");
		assert_true(no->est_start >= 4200);
		controller_cancel(w->c, fits, 710 * USEC, NULL);
		controller_cancel(w->c, no, 710 * USEC, NULL);
		struct job *shrinks = w_job(w, 720, "exclusive", "", "time", "30", "time-min", "9", NULL);
		w_backfill(w, 730);
		w_planned(w, shrinks, 3000, "n1");
		world_free(w);
		w = w_simple(v, "n1", 4);
		w_begin(w, 0);
		create(w, 1, "r", "starttime=now duration=1 users=other nodes=n1");
		struct job *j = w_job(w, 2, "ntasks", "4", "time", "5", NULL);
		w_backfill(w, 60);
		assert_int_equal(j->state, JOB_PENDING);
		w_backfill(w, 61);
		w_runs_on(w, j, 61, "n1");
		world_free(w);
	}
}

/* B18: no plan, and reason Reservation, for a record whose reservation has not begun, be it named or MAGNETIC */
static void test_not_yet_active(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int magnetic = 0; magnetic < 2; magnetic++) {
			struct world *w = w_simple(v, "n1", 4);
			w_begin(w, 0);
			w_run(w, 1, "n1", 5);
			create(w, 2, "r", magnetic ? "starttime=now+600 duration=10 users=u1 nodes=n1 flags=magnetic" : "starttime=now+600 duration=10 users=u1 nodes=n1");
			struct job *j = magnetic ? w_job(w, 3, "ntasks", "4", "time", "5", NULL) : w_job(w, 3, "ntasks", "4", "time", "5", "reservation", "r", NULL);
			w_clear(w);
			w_backfill(w, 30);
			if (magnetic) {
				assert_non_null(strstr(w->skips->str, "2 B18: its reservation is not active"));
			} else {
				w_waits(j, REASON_RESERVATION);
				assert_int_equal(j->est_start, 0);
			}
			world_free(w);
		}
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
	    cmocka_unit_test(test_moves_on),
	    cmocka_unit_test(test_float_and_purge),
	    cmocka_unit_test(test_create),
	    cmocka_unit_test(test_no_nodes_left), cmocka_unit_test(test_update),
	    cmocka_unit_test(test_forms),
	    cmocka_unit_test(test_replace),
	    cmocka_unit_test(test_flex),
	    cmocka_unit_test(test_licenses),
	    cmocka_unit_test(test_ended),
	    cmocka_unit_test(test_backfill_w6),
	    cmocka_unit_test(test_records),
	    cmocka_unit_test(test_out_of_partition),
	    cmocka_unit_test(test_max_start_delay),
	    cmocka_unit_test(test_plans_around),
	    cmocka_unit_test(test_not_yet_active),
	};
	return cmocka_run_group_tests_name("reservation", tests, NULL, NULL);
}
