/* reconfigure_test.c - scontrol reconfigure with a changed slurm.conf (sched/reconfigure.h) */
#include "sched/reconfigure.h"
#include "tests/unit/sched_helper.h"

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
		assert_true(controller_reconfigure(w->c, finished(f), 10 * USEC, NULL));
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
	assert_false(controller_reconfigure(w->c, finished(f), 10 * USEC, &error));
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
		refused(w, f, "nodes cannot come, go");
		f = fresh(v);
		((struct node_config *)f->cl->configs->pdata[0])->real_memory = 1;
		refused(w, f, "node n1: CPUs, memory and GRES");
		f = fresh(v);
		w_part(f, "more", "n1");
		refused(w, f, "partitions cannot come");
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(takes_over), cmocka_unit_test(cannot_change)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
