/*
 * resvgres_test.c - reservations of GRES and of parts of nodes, and by groups (lifecycle C60, C64; sched/resv_gres.h). What is said of 22.05 is recorded:
 * tests/recorded/reservations-tres.
 */
#include "sched/audit.h"
#include "sched/resv_gres.h"
#include "tests/unit/resv_helper.h"

/* Nodes of two sockets of four cores and four GPUs, two near each socket; CPU nodes c1, c2 behind them. */
static struct world *gpu_world(enum slurm_version v, const char *names)
{
	struct world *w = world_new(v);
	w_four_gpus(w_nodes(w, names, 2, 4, 1));
	w_nodes(w, "c[1-2]", 2, 4, 1);
	g_autofree char *all = g_strdup_printf("%s,c[1-2]", names);
	w_part(w, "p", all);
	tres_add(w->cl->tres, "gres/gpu");
	w_begin(w, 0);
	return w;
}

/* The cores and devices of part I of R, as "n1 0f 3": node, cores and GPUs in hex. */
static void part_is(const struct world *w, const struct reservation *r, uint32_t i, const char *want)
{
	assert_non_null(r->cores);
	assert_true(i < r->cores->n);
	const struct alloc_node *an = &r->cores->node[i];
	const struct gres_taken *t = resv_taken(r->cores, an, 0);
	g_autofree char *is = g_strdup_printf("%s %02" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x", w->cl->node[an->node]->name,
	                                      r->cores->words[an->core_word], t ? t->devices : 0);
	assert_string_equal(is, want);
}

static uint64_t gpus_of(const struct job *j)
{
	assert_int_equal(j->state, JOB_RUNNING);
	return j->alloc->node[0].n_gres ? j->alloc->gres[j->alloc->node[0].gres_first].devices : 0;
}

static void audit(struct world *w)
{
	GError *error = NULL;
	if (!controller_audit(w->c, &error))
		fail_msg("%s", error->message);
}

/* 22.05 reserves no GRES: the words are recorded. */
static void test_22_05(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_22_05, "n[1-2]");
	not_created(w, 1, "starttime=now duration=1 users=u1 tres=gres/gpu=2", "scontrol: error: TRES type 'gres/gpu' not supported with reservations");
	not_created(w, 1, "starttime=now duration=1 users=u1 nodes=n1 tres=cpu=4,gres/gpu=2", "TRES type 'gres/gpu' not supported with reservations");
	not_created(w, 1, "starttime=now duration=1 users=u1 tres=gres/gpu:h100=2", "couldn't identify configured TRES 'gres/gpu:h100'");
	not_created(w, 1, "starttime=now duration=1 users=u1 nodecnt=1 trespernode=gres/gpu=2",
	            "Unknown parameter trespernode=gres/gpu=2.  No reservation created.");
	not_created(w, 1, "starttime=now duration=1 users=u1 tres=license/matlab=1", "couldn't identify configured TRES 'license/matlab'");
	world_free(w);
}

static void test_refused(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
			struct world *w = gpu_world(v, "n[1-2]");
			not_created(w, 1, "starttime=now duration=1 users=u1 tres=mem=4000", "TRES type 'mem' not supported with reservations");
			not_created(w, 1, "starttime=now duration=1 users=u1 tres=bb/cray=4", "couldn't identify configured TRES 'bb/cray'");
			not_created(w, 1, "starttime=now duration=1 users=u1 tres=foo", "invalid TRES 'foo'");
			not_created(w, 1, "starttime=now duration=1 users=u1 tres=cpu", "invalid TRES 'cpu'");
			not_created(w, 1, "starttime=now duration=1 users=u1 tres=cpu=x", "invalid TRES cpu value 'x'");
			not_created(w, 1, "starttime=now duration=1 users=u1 tres=cpu=4k", "invalid TRES cpu value '4k'");
			not_created(w, 1, "starttime=now duration=1 users=u1 nodes=n[1-2] tres=cpu=2", "Core count for reservation node list is not consistent!");
			not_created(w, 1, "starttime=now duration=1 users=u1 corecnt=4 flags=replace_down", "CPU count specification invalid");
			world_free(w);
		}
	struct world *w = gpu_world(SLURM_26, "n[1-2]");
	not_created(w, 1, "starttime=now duration=1 users=u1 tres=gres/gpu=9", "Requested nodes are busy");
	not_created(w, 1, "starttime=now duration=1 users=u1 tres=gres/gpu=x", "invalid TRES gres/gpu value 'x'");
	not_created(w, 1, "starttime=now duration=1 users=u1 tres=gres/gpu:h100=1", "couldn't identify configured TRES 'gres/gpu:h100'");
	not_created(w, 1, "starttime=now duration=1 users=u1 tres=gres/nic=1", "couldn't identify configured TRES 'gres/nic'");
	not_created(w, 1, "starttime=now duration=1 users=u1 trespernode=gres/gpu=1", "TRESPerNode=gres/gpu needs NodeCnt");
	not_created(w, 1, "starttime=now duration=1 users=u1 nodecnt=1 trespernode=node=1", "not supported with reservations per node");
	not_created(w, 1, "starttime=now duration=1 users=u1 nodecnt=3 tres=gres/gpu=2", "less than one for each of 3 nodes");
	not_created(w, 1, "starttime=now duration=1 users=u1 tres=gres/gpu=1,gres/gpu=1", "is given twice");
	not_created(w, 1, "starttime=now duration=1 users=u1 nodes=c1 tres=gres/gpu=1", "Requested nodes are busy");
	not_created(w, 1, "starttime=now duration=1 users=u1 tres=gres/gpu=2 flags=replace_down", "CPU count specification invalid");
	static const char *const ODD[] = {"tres==", "tres=gres/=1", "tres=gres/gpu=", "tres=gres/gpu:=1", "tres=,,", "tres=gres/gpu=1,,2", "tres=gres/gpu=99999999999",
	                                  "tres=gres/gpu=0", "tres=gres/gpu=-1", "tres=license/=1", "tres=license/", "nodecnt=99 trespernode=gres/gpu=1",
	                                  "trespernode=cpu=2", "nodecnt=1 tres=gres/gpu=1,cpu=2,2", "nodes=n[1-2] tres=gres/gpu=2,cpu=1", "nodes=n1 tres=gres/gpu=1,cpu=9",
	                                  "tres=gres/gpu=1 flags=any_nodes", "nodes=ALL tres=gres/gpu=4"};
	for (guint i = 0; i < G_N_ELEMENTS(ODD); i++) {
		g_autofree char *text = g_strdup_printf("starttime=now duration=1 users=u1 %s", ODD[i]);
		GError *error = NULL;
		if (try_create(w, 1, "x", text, &error))
			fail_msg("made: %s", ODD[i]);
		g_clear_error(&error);
	}
	create(w, 1, "r", "starttime=now duration=1 users=u1 nodes=n1 tres=gres/gpu=1");
	const struct resv_setting more = {"tres", "gres/gpu=2"}, nodes = {"nodes", "n2"}, longer = {"duration", "9"};
	GError *error = NULL;
	assert_false(controller_update_reservation(w->c, "r", &more, 1, 2 * USEC, &error));
	assert_non_null(strstr(error->message, "Core-based reservation can not be updated"));
	g_clear_error(&error);
	assert_false(controller_update_reservation(w->c, "r", &nodes, 1, 2 * USEC, &error));
	g_clear_error(&error);
	assert_true(controller_update_reservation(w->c, "r", &longer, 1, 2 * USEC, NULL));
	part_is(w, resv_find(w->c, "r"), 0, "n1 03 1");
	world_free(w);
}

/* Which devices and cores: the lowest free ones, cores near the devices. */
static void test_create_gres(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n[1-3]");
	struct reservation *r = create(w, 1, "a", "starttime=now duration=10 users=u1 tres=gres/gpu=2");
	part_is(w, r, 0, "n1 0f 3"); /* half of the GPUs: half of the cores */
	assert_int_equal(r->cores->n, 1);
	assert_int_equal(r->core_cnt, 4);
	assert_int_equal(r->cores->gpus, 2);
	assert_ptr_equal(r->part, w->cl->default_partition);
	r = create(w, 1, "b", "starttime=now duration=10 users=u1 nodes=n1 tres=cpu=1,gres/gpu=1");
	part_is(w, r, 0, "n1 10 4");
	assert_true(r->flags & RESV_FLAG(SPEC_NODES));
	r = create(w, 1, "c", "starttime=now duration=10 users=u1 tres=gres/gpu=4"); /* what n1 has left first */
	part_is(w, r, 0, "n1 60 8");
	part_is(w, r, 1, "n2 3f 7");
	g_autofree char *text = resv_tres_text(w->c, r);
	assert_string_equal(text, "cpu=8,gres/gpu=4");
	r = create(w, 1, "d", "starttime=now+3600 duration=10 users=u1 nodecnt=2 trespernode=gres/gpu=3,cpu=2"); /* another time */
	part_is(w, r, 0, "n1 03 7");
	part_is(w, r, 1, "n2 03 7");
	r = create(w, 1, "e", "starttime=now+7200 duration=10 users=u1 tres=node=2,gres/gpu=3,cpu=5");
	part_is(w, r, 0, "n1 07 3");
	part_is(w, r, 1, "n2 03 1");
	r = create(w, 1, "f", "starttime=now+7200 duration=10 users=u1 nodes=n[1-2] tres=cpu=1,2,gres/gpu=2");
	part_is(w, r, 0, "n1 10 4"); /* core 4 is near GPU 2; 3 is not */
	part_is(w, r, 1, "n2 0c 2");
	r = create(w, 1, "g", "starttime=now+7200 duration=10 users=u1 nodecnt=1 trespernode=cpu=3");
	part_is(w, r, 0, "c1 07 0");
	world_free(w);
}

/* C60 c.: only its cores and GRES are excluded; they count as in use. */
static void test_outside(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n1");
	w->p->bf_resolution = 1;
	struct reservation *r = create(w, 1, "r", "starttime=now duration=10 users=u2 nodes=n1 tres=gres/gpu=2,cpu=2"); /* until 601 */
	part_is(w, r, 0, "n1 03 3");
	struct job *three = w_job(w, 2, "ntasks", "1", "gres", "gpu:3", "time", "2", NULL);
	w_full(w, 3);
	w_waits(three, REASON_RESOURCES);
	w_clear(w);
	w_backfill(w, 4);
	assert_int_equal(three->est_start, 602); /* when the reservation is over */
	struct job *two = w_job(w, 5, "ntasks", "1", "gres", "gpu:2", "time", "1", "priority", "4000000000", NULL);
	w_full(w, 6);
	w_runs_on(w, two, 6, "n1");
	assert_int_equal(gpus_of(two), 0xc);
	struct job *cores = w_job(w, 7, "nodes", "1", "ntasks", "6", "nodelist", "n1", "time", "1", "priority", "4000000000", NULL);
	w_full(w, 8);
	w_waits(cores, REASON_RESOURCES); /* one of six is taken by the other job */
	struct job *fits = w_job(w, 8, "nodes", "1", "ntasks", "5", "nodelist", "n1", "time", "1", "priority", "4000000001", NULL);
	w_full(w, 8);
	w_runs_on(w, fits, 8, "n1");
	assert_int_equal(fits->alloc->words[fits->alloc->node[0].core_word] & 3, 0);
	struct job *whole = w_job(w, 9, "nodes", "1", "exclusive", "", "nodelist", "n1", "time", "1", "priority", "4000000000", NULL);
	w_full(w, 10);
	text_is(whole, OTHERS); /* as in a reservation of the whole node (recorded) */
	audit(w);
	world_free(w);
}

/* Before it begins the devices are for jobs that end in time. */
static void test_before(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n1");
	create(w, 1, "r", "starttime=now+599 duration=10 users=u2 nodes=n1 tres=gres/gpu=3,cpu=3"); /* from 600 */
	struct job *not = w_job(w, 2, "ntasks", "1", "gres", "gpu:1", "time", "20", NULL),
	           *in_time = w_job(w, 2, "ntasks", "1", "gres", "gpu:3", "time", "5", NULL);
	w_full(w, 3);
	w_runs_on(w, in_time, 3, "n1");
	w_runs_on(w, not, 3, "n1"); /* the fourth one is not reserved */
	assert_int_equal(gpus_of(in_time) | gpus_of(not), 0xf);
	assert_int_equal(gpus_of(not), 8);
	audit(w);
	world_free(w);
}

/* C60: jobs inside have R's cores and GRES, no others. */
static void test_inside(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n[1-2]");
	struct reservation *r = create(w, 1, "r", "starttime=now duration=100 users=u1 nodes=n2 tres=gres/gpu=2,cpu=3");
	part_is(w, r, 0, "n2 07 3");
	struct job *three = w_job(w, 2, "ntasks", "1", "gres", "gpu:3", "reservation", "r", "time", "1", NULL);
	w_full(w, 3);
	w_waits(three, REASON_RESOURCES);
	assert_int_equal(three->blocker.value, 2);
	struct job *cpus = w_job(w, 4, "nodes", "1", "ntasks", "4", "reservation", "r", "time", "1", "priority", "4000000000", NULL);
	w_full(w, 5);
	w_waits(cpus, REASON_RESOURCES); /* recorded: k5 */
	struct job *one = w_job(w, 6, "ntasks", "1", "gres", "gpu:1", "reservation", "r", "time", "1", "priority", "4000000001", NULL),
	           *another = w_job(w, 6, "ntasks", "1", "gres", "gpu:1", "reservation", "r", "time", "1", "priority", "4000000001", NULL),
	           *last = w_job(w, 6, "ntasks", "1", "gres", "gpu:1", "reservation", "r", "time", "1", "priority", "4000000001", NULL);
	w_full(w, 7);
	w_runs_on(w, one, 7, "n2");
	w_runs_on(w, another, 7, "n2");
	w_waits(last, REASON_RESOURCES);
	assert_int_equal(gpus_of(one), 1);
	assert_int_equal(gpus_of(another), 2);
	audit(w);
	world_free(w);
}

/* A whole node is not to be had in a part (recorded: kx); of a GRES that is not reserved any will do (recorded: k4). */
static void test_inside_cores(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
			struct world *w = gpu_world(v, "n1");
			create(w, 1, "r", "starttime=now duration=100 users=u1 nodes=n1 corecnt=4");
			struct job *whole = w_job(w, 2, "nodes", "1", "exclusive", "", "reservation", "r", "time", "1", NULL);
			w_full(w, 3);
			w_waits(whole, REASON_RESOURCES);
			struct job *gpus = w_job(w, 4, "nodes", "1", "ntasks", "4", "gres", "gpu:3", "reservation", "r", "time", "1", "priority",
			                         "4000000000", NULL);
			w_full(w, 5);
			w_runs_on(w, gpus, 5, "n1");
			assert_int_equal(gpus->alloc->words[gpus->alloc->node[0].core_word], 0xf);
			audit(w);
			world_free(w);
		}
}

/* FLEX: its jobs may use what is outside too, and of course its own. */
static void test_flex(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n1");
	create(w, 1, "r", "starttime=now duration=100 users=u1 nodes=n1 tres=gres/gpu=2,cpu=2 flags=flex");
	struct job *all = w_job(w, 2, "nodes", "1", "ntasks", "8", "gres", "gpu:4", "reservation", "r", "time", "1", "nodelist", "n1", NULL);
	w_full(w, 3);
	w_runs_on(w, all, 3, "n1");
	assert_int_equal(gpus_of(all), 0xf);
	audit(w);
	world_free(w);
}

/* Jobs of both sides beside each other; when a plain count is reserved, what is left of it is counted. */
static void test_plain_count(void **state)
{
	(void)state;
	struct world *w = world_new(SLURM_26);
	struct node_config *k = w_nodes(w, "n1", 1, 8, 1);
	k->n_gres = 1;
	k->gres = g_new0(struct node_gres, 1);
	k->gres[0] = (struct node_gres){.name = g_strdup("bw"), .count = 10, .n_groups = 1};
	k->gres[0].group = g_new0(struct gres_group, 1);
	k->gres[0].group[0].count = 10;
	w_part(w, "p", "n1");
	w_begin(w, 0);
	create(w, 1, "r", "starttime=now duration=100 users=u1 tres=gres/bw=6,cpu=4");
	struct job *out5 = w_job(w, 2, "ntasks", "1", "gres", "bw:5", "time", "1", "user", "u2", NULL);
	w_full(w, 3);
	w_waits(out5, REASON_RESOURCES);
	struct job *out3 = w_job(w, 4, "ntasks", "1", "gres", "bw:3", "time", "1", "user", "u2", "priority", "4000000000", NULL),
	           *in4 = w_job(w, 4, "ntasks", "1", "gres", "bw:4", "time", "1", "reservation", "r", NULL),
	           *in3 = w_job(w, 4, "ntasks", "1", "gres", "bw:3", "time", "1", "reservation", "r", NULL);
	w_full(w, 5);
	w_runs_on(w, out3, 5, "n1");
	w_runs_on(w, in4, 5, "n1");
	w_waits(in3, REASON_RESOURCES);
	struct job *in2 = w_job(w, 6, "ntasks", "1", "gres", "bw:2", "time", "1", "reservation", "r", "priority", "4000000000", NULL),
	           *out1 = w_job(w, 6, "ntasks", "1", "gres", "bw:1", "time", "1", "user", "u2", "priority", "4000000000", NULL),
	           *one_more = w_job(w, 6, "ntasks", "1", "gres", "bw:1", "time", "1", "user", "u2", "priority", "4000000000", NULL);
	w_full(w, 7);
	w_runs_on(w, in2, 7, "n1");
	w_runs_on(w, out1, 7, "n1");
	w_waits(one_more, REASON_RESOURCES);
	audit(w);
	world_free(w);
}

/* A recurring one keeps its devices; at its end outsiders have them until the next time. */
static void test_recurring_gres(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n1");
	struct reservation *r = create(w, 1, "d", "starttime=now duration=1 users=u2 tres=gres/gpu=3,cpu=1 flags=hourly");
	struct job *j = w_job(w, 2, "ntasks", "1", "gres", "gpu:4", "time", "10", NULL);
	for (sec_t t = 2; t <= 90; t++)
		controller_tick(w->c, t * USEC);
	assert_int_equal(r->start, 3601);
	part_is(w, r, 0, "n1 01 7");
	w_full(w, 91);
	w_runs_on(w, j, 91, "n1");
	not_created(w, 92, "starttime=now+7200 duration=90 users=u1 nodes=n1 tres=gres/gpu=2", "Requested nodes are busy");
	create(w, 92, "e", "starttime=now+7200 duration=90 users=u1 nodes=n1 tres=gres/gpu=1");
	part_is(w, resv_find(w->c, "e"), 0, "n1 30 8");
	world_free(w);
}

/* Devices of jobs beyond the start are not to be had, unless IGNORE_JOBS. */
static void test_busy_devices(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n1");
	struct job *j = w_job(w, 1, "ntasks", "1", "gres", "gpu:2", "time", "10", NULL);
	w_full(w, 2);
	w_runs_on(w, j, 2, "n1");
	struct reservation *r = create(w, 3, "a", "starttime=now duration=1 users=u1 tres=gres/gpu=1");
	part_is(w, r, 0, "n1 30 4");
	not_created(w, 3, "starttime=now duration=1 users=u1 tres=gres/gpu=2", "Requested nodes are busy");
	r = create(w, 3, "b", "starttime=now+600 duration=1 users=u1 tres=gres/gpu=2"); /* the job is over at 602 */
	part_is(w, r, 0, "n1 0f 3");
	r = create(w, 3, "c", "starttime=now duration=1 users=u1 nodes=n1 tres=gres/gpu=2,cpu=1 flags=ignore_jobs,overlap");
	part_is(w, r, 0, "n1 01 3");
	world_free(w);
}

/* C60: groups; recorded words of 22.05. */
static void test_groups(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
			struct world *w = gpu_world(v, "n1");
			w->cl->groups = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_hash_table_unref);
			g_hash_table_insert(w->cl->groups, (gpointer) "bio", g_hash_table_new(g_str_hash, g_str_equal));
			g_hash_table_add(g_hash_table_lookup(w->cl->groups, "bio"), (gpointer) "u1");
			g_hash_table_insert(w->cl->groups, (gpointer) "chem", g_hash_table_new(g_str_hash, g_str_equal));
			g_hash_table_add(g_hash_table_lookup(w->cl->groups, "chem"), (gpointer) "u2");
			g_hash_table_insert(w->cl->groups, (gpointer) "empty", g_hash_table_new(g_str_hash, g_str_equal));
			not_created(w, 1, "starttime=now duration=1 groups=nosuch nodes=n1", "Error creating the reservation: Invalid group id");
			not_created(w, 1, "starttime=now duration=1 groups=empty nodes=n1", "Invalid group id");
			not_created(w, 1, "starttime=now duration=1 groups=-bio nodes=n1", "Invalid group id");
			not_created(w, 1, "starttime=now duration=1 groups=bio users=u3 nodes=n1", "Users and Groups are mutually exclusive");
			create(w, 1, "r", "starttime=now duration=10 groups=bio nodes=n1");
			w_refused(w, 2, "Access denied to requested reservation", "reservation", "r", "user", "u2", NULL);
			struct job *j = w_job(w, 2, "nodes", "1", "time", "1", "reservation", "r", "user", "u1", NULL);
			w_full(w, 3);
			w_runs_on(w, j, 3, "n1");
			const struct resv_setting chem = {"groups", "chem"}, more = {"groups+", "bio"}, users = {"users", "u3"}, none = {"groups", ""};
			const struct resv_setting swap[] = {{"groups", ""}, {"users", "u3"}};
			GError *error = NULL;
			struct job *waits = w_job(w, 4, "nodes", "1", "exclusive", "", "time", "1", "reservation", "r", "user", "u1", NULL);
			assert_true(controller_update_reservation(w->c, "r", &chem, 1, 5 * USEC, NULL));
			w_full(w, 6);
			w_waits(waits, v == SLURM_22_05 ? REASON_RESERVATION : REASON_RESERVATION_DELETED); /* recorded of 22.05: not held */
			assert_int_equal(waits->priority > 0, v == SLURM_22_05);
			assert_true(controller_update_reservation(w->c, "r", &more, 1, 7 * USEC, NULL));
			w_refused(w, 8, "Access denied to requested reservation", "reservation", "r", "user", "u3", NULL);
			assert_false(controller_update_reservation(w->c, "r", &users, 1, 9 * USEC, &error));
			assert_non_null(strstr(error->message, "Reservations can't have users and groups specified, only one or the other"));
			g_clear_error(&error);
			assert_false(controller_update_reservation(w->c, "r", &none, 1, 9 * USEC, &error));
			assert_non_null(strstr(error->message, "Reservation request lacks users, groups or accounts"));
			g_clear_error(&error);
			assert_true(controller_update_reservation(w->c, "r", swap, 2, 9 * USEC, NULL));
			world_free(w);
		}
}

/* Parts=: just these, as a snapshot has them. */
static void test_parts(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n[1-2]");
	struct reservation *r = create(w, 1, "r", "starttime=now duration=10 users=u1 parts=n2:1,3:gpu=1,3+n1:7");
	part_is(w, r, 0, "n1 80 0");
	part_is(w, r, 1, "n2 0a a");
	assert_int_equal(r->core_cnt, 3);
	assert_int_equal(r->cores->gpus, 2);
	w_nodes_are(w, r->nodes, "n[1-2]");
	static const char *const BAD[] = {"n9:0", "n1", "n1:", "n1:8", "n1:0:gpu", "n1:0:gpu=4", "n1:0:nic=0", "n1:0+n1:1", "c1:0:gpu=0", "n1:0:gpu=x2", ""};
	for (guint i = 0; i < G_N_ELEMENTS(BAD); i++) {
		g_autofree char *text = g_strdup_printf("starttime=now duration=1 users=u1 parts=%s", BAD[i]);
		not_created(w, 1, text, "Invalid part");
	}
	world_free(w);
}

/* C63: a node that goes down is exchanged with all that was held there, if it was chosen by count. */
static void test_replaced(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n[1-3]");
	struct reservation *r = create(w, 1, "r", "starttime=now duration=100 users=u1 nodecnt=2 trespernode=gres/gpu=2,cpu=2"),
	                   *named = create(w, 1, "s", "starttime=now duration=100 users=u1 nodes=n1 tres=gres/gpu=1,cpu=1");
	part_is(w, r, 0, "n1 03 3");
	part_is(w, named, 0, "n1 10 4");
	struct job *busy = w_job(w, 2, "ntasks", "1", "gres", "gpu:1", "nodelist", "n3", "time", "60", NULL);
	w_full(w, 3);
	w_runs_on(w, busy, 3, "n3");
	assert_true(controller_update_node(w->c, "n1", "down", "x", 4 * USEC, NULL));
	for (sec_t t = 4; t <= 11; t++)
		controller_tick(w->c, t * USEC);
	part_is(w, r, 0, "n2 03 3");
	part_is(w, r, 1, "n3 06 6"); /* GPU 0 and a core have gone to the job */
	w_nodes_are(w, r->nodes, "n[2-3]");
	part_is(w, named, 0, "n1 10 4");
	audit(w);
	assert_true(controller_update_node(w->c, "n3", "down", "x", 12 * USEC, NULL));
	for (sec_t t = 12; t <= 21; t++)
		controller_tick(w->c, t * USEC);
	w_nodes_are(w, r->nodes, "n[2-3]"); /* nowhere to go */
	part_is(w, r, 1, "n3 06 6");
	world_free(w);
}

/* The audit sees a device that is held against a reservation. */
static void test_audit_finds(void **state)
{
	(void)state;
	struct world *w = gpu_world(SLURM_26, "n1");
	struct reservation *r = create(w, 1, "r", "starttime=now duration=100 users=u1 nodes=n1 tres=gres/gpu=2,cpu=2");
	struct job *in = w_job(w, 2, "ntasks", "1", "gres", "gpu:1", "reservation", "r", "time", "1", NULL),
	           *out = w_job(w, 2, "ntasks", "1", "gres", "gpu:1", "time", "1", NULL);
	w_full(w, 3);
	w_runs_on(w, in, 3, "n1");
	w_runs_on(w, out, 3, "n1");
	audit(w);
	GError *error = NULL;
	r->cores->gres[0].devices = 2; /* as if the one inside had another's */
	assert_false(controller_audit(w->c, &error));
	assert_non_null(strstr(error->message, "gpu outside its reservation r"));
	g_clear_error(&error);
	r->cores->gres[0].devices = 1 | gpus_of(out);
	assert_false(controller_audit(w->c, &error));
	assert_non_null(strstr(error->message, "gpu of reservation r"));
	g_clear_error(&error);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_22_05),
	    cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_create_gres),
	    cmocka_unit_test(test_outside),
	    cmocka_unit_test(test_before),
	    cmocka_unit_test(test_inside),
	    cmocka_unit_test(test_inside_cores),
	    cmocka_unit_test(test_flex),
	    cmocka_unit_test(test_plain_count),
	    cmocka_unit_test(test_recurring_gres),
	    cmocka_unit_test(test_busy_devices),
	    cmocka_unit_test(test_groups),
	    cmocka_unit_test(test_parts),
	    cmocka_unit_test(test_replaced),
	    cmocka_unit_test(test_audit_finds),
	};
	return cmocka_run_group_tests_name("resvgres", tests, NULL, NULL);
}
