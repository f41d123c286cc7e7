/* reconfigure_test.c - scontrol reconfigure with a changed slurm.conf (sched/reconfigure.h) */
#include "sched/reconfigure.h"
#include "tests/unit/resv_helper.h"

/* The running one: main over n[1-2], low over all and closed. */
static struct world *running(int version)
{
	struct world *w = world_new((enum slurm_version)version);
	w_nodes(w, "n[1-2]", 1, 4, 1);
	struct node_config *k = w_nodes(w, "m[1-2]", 1, 4, 1);
	k->weight = 5;
	w_part(w, "main", "n[1-2]")->max_time = 60;
	w_part(w, "low", "n[1-2],m[1-2]")->state = PART_DOWN;
	return w;
}

/* The same again as a file's reader would make it, to be changed and then finished. */
static struct world *fresh(int version)
{
	struct world *w = running(version);
	w->cl->params->cluster_name = g_strdup("c");
	return w;
}

static struct cluster *finished(struct world *w)
{
	assert_true(cluster_finish(w->cl, NULL));
	return w->cl;
}

static void takes_over(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = running(v), *f = fresh(v);
		struct partition *main_f = f->cl->partitions->pdata[0], *low_f = f->cl->partitions->pdata[1];
		w_begin(w, 0);
		struct job *wide = w_job(w, 0, "nodes", "4", "time", "60", NULL);
		struct job *low = w_job(w, 0, "partition", "main,low", "time", "5", "nodes", "1", NULL);
		struct job *runs = w_run(w, 1, "n1", 60);
		w_full(w, 2);
		w_waits(wide, REASON_PARTITION_NODE_LIMIT);
		w_runs_on(w, low, 1, "n2");
		struct job *both = w_job(w, 3, "partition", "main,low", "time", "5", "nodes", "1", NULL);
		assert_ptr_equal(both->parts[0].part, w->cl->partitions->pdata[0]);
		g_free(main_f->nodes_text);
		main_f->nodes_text = g_strdup("n[1-2],m[1-2]");
		main_f->max_time = 10;
		low_f->state = PART_UP;
		low_f->priority_tier = 7;
		f->p->bf_interval = 77;
		struct node_config *m = f->cl->configs->pdata[1];
		m->weight = 1;
		w_features(m, "fast");
		assert_true(controller_reconfigure(w->c, finished(f), false, 10 * USEC, NULL, NULL));
		assert_int_equal(w->p->bf_interval, 77);
		assert_int_equal(runs->state, JOB_RUNNING); /* longer than the partition allows now */
		assert_int_equal(runs->end, 1 + 3600);
		assert_string_equal(both->parts[0].part->name, "low"); /* the higher tier comes first now */
		assert_ptr_equal(cluster_find_partition(w->cl, "low"), w->cl->partitions->pdata[1]);
		w_full(w, 11);
		w_waits(wide, REASON_PARTITION_TIME_LIMIT);
		assert_int_equal(both->state, JOB_RUNNING);
		struct job *fast = w_job(w, 12, "constraint", "fast", "time", "5", NULL);
		w_full(w, 12);
		w_runs_on(w, fast, 12, "m1");
		world_free(f);
		world_free(w);
	}
}

static void refused(struct world *w, struct world *f, const char *text)
{
	GError *error = NULL;
	int interval = w->p->bf_interval;
	f->p->bf_interval = interval + 1;
	assert_false(controller_reconfigure(w->c, finished(f), false, 10 * USEC, NULL, &error));
	if (!strstr(error->message, text))
		fail_msg("\"%s\" does not hold \"%s\"", error->message, text);
	g_error_free(error);
	assert_int_equal(w->p->bf_interval, interval); /* nothing has changed */
	world_free(f);
}

static void cannot_change(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = running(v), *f;
		w_begin(w, 0);
		f = fresh(v);
		f->p->cr_unit = CR_SOCKET;
		refused(w, f, "SelectTypeParameters");
		f = fresh(v);
		f->p->priority_type = PRIORITY_BASIC;
		refused(w, f, "PriorityType");
		f = fresh(v);
		w_nodes(f, "x1", 1, 4, 1);
		if (v == SLURM_22_05)
			refused(w, f, "fatal: MaxNodeCount has changed (4->5) during reconfig, slurmctld must be restarted");
		else
			world_free(f);
		f = fresh(v);
		w_run(w, 10, "n2", 60);
		((struct node_config *)f->cl->configs->pdata[0])->real_memory = 1;
		refused(w, f, "node n2: CPUs, memory and GRES cannot change under job 1");
		f = fresh(v);
		create(w, 10, "part", "starttime=now duration=9 users=u1 nodes=m1 corecnt=2");
		((struct node_config *)f->cl->configs->pdata[1])->real_memory = 1;
		refused(w, f, "node m1: CPUs, memory and GRES cannot change under reservation part");
		world_free(w);
	}
}

/* ---- what comes and goes: tests/recorded/reconfigure ---- */

/* n[1-4] and x, partitions main (n), other (all), gone (n4). */
static struct world *wide(int version)
{
	struct world *w = world_new((enum slurm_version)version);
	w_nodes(w, "n[1-4]", 1, 4, 1);
	w_features(w_nodes(w, "x", 1, 4, 1), "odd");
	w_part(w, "main", "n[1-4]");
	w_part(w, "other", "n[1-4],x");
	w_part(w, "gone", "n4");
	return w;
}

/* Without x and without the partition gone; with a0, which comes first in the table, and the partition new on it. */
static struct cluster *narrow(struct world **out, int version)
{
	struct world *f = *out = world_new((enum slurm_version)version);
	f->cl->params->cluster_name = g_strdup("c");
	w_nodes(f, "a0", 1, 8, 1);
	w_nodes(f, "n[1-4]", 1, 4, 1);
	w_part(f, "main", "n[1-4]");
	w_part(f, "new", "a0");
	w_part(f, "other", "a0,n[1-4]");
	return finished(f);
}

static void is_lost(struct world *w, const struct job *j)
{
	assert_int_equal(j->state, JOB_NODE_FAIL);
	assert_int_equal(j->end, 10);
	assert_int_equal(j->reason, REASON_NODE_DOWN);
	assert_int_equal(w->c->by_end->len, w->c->running.n);
}

static void comes_and_goes(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = wide(v), *f;
		w_begin(w, 0);
		struct job *on_x = w_job(w, 1, "partition", "other", "nodelist", "x", "time", "60", "requeue", "", NULL);
		struct job *stays = w_job(w, 1, "partition", "main", "nodelist", "n1", "ntasks", "4", "time", "60", NULL);
		struct job *in_gone = w_job(w, 1, "partition", "gone", "time", "60", NULL);
		w_full(w, 2);
		w_runs_on(w, on_x, 2, "x");
		struct job *waits_x = w_job(w, 3, "partition", "other", "nodelist", "x", "ntasks", "4", "time", "60", NULL);
		struct job *waits_gone = w_job(w, 3, "partition", "main,gone", "nodes", "4", "time", "60", NULL);
		struct job *odd = w_job(w, 3, "partition", "other", "constraint", "odd", "ntasks", "4", "time", "60", NULL);
		struct job *without_x = w_job(w, 3, "partition", "other", "exclude", "x", "nodes", "4", "hold", "", NULL);
		uint32_t *to = NULL;
		assert_true(controller_reconfigure(w->c, narrow(&f, v), true, 10 * USEC, &to, NULL));
		assert_int_equal(to[0], 1); /* n1 is the second one now */
		assert_int_equal(to[4], UINT32_MAX);
		g_free(to);
		world_free(f);
		is_lost(w, on_x); /* not requeued */
		is_lost(w, in_gone);
		is_lost(w, waits_x);
		is_lost(w, waits_gone);
		assert_int_equal(stays->state, JOB_RUNNING);
		w_nodes_are(w, stays->nodes, "n1");
		assert_int_equal(usage_node(w->c->use, 1)->cpus, 4);
		assert_true(bitset_test(w->c->use->idle, 0));
		w_full(w, 11);
		w_waits(odd, REASON_BAD_CONSTRAINTS);
		assert_int_equal(odd->priority, 0);
		assert_true(bitset_empty(without_x->exc_nodes));
		struct job *fresh_job = w_job(w, 12, "partition", "new", "ntasks", "8", "time", "5", NULL);
		w_full(w, 12);
		w_runs_on(w, fresh_job, 12, "a0");
		w_end(w, stays, 20, 0, true);
		assert_int_equal(usage_node(w->c->use, 1)->cpus, 0);
		world_free(w);
	}
}

/* A job that ends over the change: its epilog on the node that is gone is not waited for. */
static void epilogs_under_way(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = wide(v), *f;
		w_begin(w, 0);
		struct job *j = w_job(w, 1, "partition", "other", "nodelist", "n2,x", "nodes", "2", "time", "60", NULL);
		w_full(w, 2);
		w_end(w, j, 8, 0, false);
		assert_int_equal(j->epilogs, 2);
		assert_true(controller_reconfigure(w->c, narrow(&f, v), true, 10 * USEC, NULL, NULL));
		world_free(f);
		assert_int_equal(j->epilogs, 1);
		assert_int_equal(usage_node(w->c->use, 2)->completing, 1);
		controller_epilog_done(w->c, j, 2, false, 11 * USEC);
		assert_false(j->flags & JOB_COMPLETING);
		assert_int_equal(usage_node(w->c->use, 2)->completing, 0);
		world_free(w);
	}
}

static void reservations_shrink(void **state)
{
	(void)state;
	struct resv_setting set[] = {{"users", "u"}, {"nodes", "n2,x"}, {"starttime", "now+100"}, {"duration", "10"}};
	for (EACH_VERSION(v)) {
		struct world *w = wide(v), *f;
		char *name = g_strdup("r");
		w_begin(w, 0);
		assert_true(controller_create_reservation(w->c, set, 4, USEC, &name, NULL));
		g_free(name);
		assert_true(controller_reconfigure(w->c, narrow(&f, v), true, 10 * USEC, NULL, NULL));
		world_free(f);
		w_nodes_are(w, resv_find(w->c, "r")->nodes, "n2");
		assert_int_equal(resv_find(w->c, "r")->core_cnt, 4);
		world_free(w);
	}
}

/* A node that nobody uses may change its kind; power saving, licences and the state of partitions follow. */
static void kinds_change(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = wide(v), *f = wide(v);
		w_begin(w, 0);
		controller_update_node(w->c, "n3", "drain", "disk", 5 * USEC, NULL);
		controller_update_partition(w->c, "main", "state", "down", 5 * USEC, NULL);
		f->cl->params->cluster_name = g_strdup("c");
		f->p->keep_part_state = true;
		struct node_config *x = f->cl->configs->pdata[1];
		x->cores_per_socket = x->cores = x->cpus = 16;
		struct license *l = g_new0(struct license, 1);
		*l = (struct license){g_strdup("mat"), 3, 0};
		g_ptr_array_add(f->cl->licenses, l);
		assert_true(controller_reconfigure(w->c, finished(f), false, 10 * USEC, NULL, NULL));
		world_free(f);
		assert_int_equal(w->cl->node[2]->flags & NODE_DRAIN, NODE_DRAIN);
		assert_string_equal(w->cl->node[2]->reason, "disk");
		assert_int_equal(cluster_find_partition(w->cl, "main")->state, PART_DOWN); /* KeepPartState */
		struct job *j = w_job(w, 12, "partition", "other", "ntasks", "16", "nodes", "1", "licenses", "mat:3", "time", "5", NULL);
		w_full(w, 12);
		w_runs_on(w, j, 12, "x");
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(takes_over),        cmocka_unit_test(cannot_change),       cmocka_unit_test(comes_and_goes),
	                                   cmocka_unit_test(epilogs_under_way), cmocka_unit_test(reservations_shrink), cmocka_unit_test(kinds_change)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
