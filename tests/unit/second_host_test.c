/*
 * second_host_test.c - the policy library decides under a real-time GLib main loop (second_host.h, which knows only
 * sched/) as it does under the simulator: same starts in the same order, same nodes, same ends.
 */
#include "tests/unit/second_host.h"
/* ---- from here on also the simulator, to compare with ---- */
#include "sim/sim.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define TIME0 (INT64_C(1767603600) * USEC) /* 2026-01-05T09:00:00Z */

static const struct wish WISHES[] = {
    {"wide", 200, 70450, 0, {"nodes", "3", "exclusive", "", "time", "2", NULL}},
    {"whole", 1400, 40450, 0, {"nodes", "4", "exclusive", "", "time", "1", NULL}},
    {"short", 4400, 20350, 0, {"ntasks", "2", "time", "1", NULL}},
    {"long", 5400, 90450, 0, {"ntasks", "3", "time", "2", NULL}},
    {"filler", 9400, 25350, 3, {"ntasks", "2", "time", "1", NULL}},
    {"late", 30400, 500000, 0, {"ntasks", "6", "time", "1", NULL}},
    {"urgent", 42400, 15450, 0, {"partition", "debug", "ntasks", "4", "time", "1", NULL}},
    {"tasks", 60400, 12350, 0, {"array", "1-4%2", "ntasks", "2", "time", "1", NULL}},
    {"big", 61400, 10350, 0, {"mem", "7000", "nodes", "2", "time", "1", NULL}},
};

static struct partition *add_partition(struct cluster *cl, const char *name, const char *nodes, uint16_t tier)
{
	struct partition *p = cluster_add_partition(cl, name);

	p->nodes_text = g_strdup(nodes);
	p->priority_tier = tier;
	p->max_time = 60;
	p->default_time = 2;
	return p;
}

/* Four nodes of four cores; partition debug goes first on two of them. */
static struct cluster *make_cluster(void)
{
	struct cluster *cl = cluster_new(SLURM_26);
	struct sched_params *p = cl->params;
	struct node_config *k = cluster_add_config(cl);
	GError *error = NULL;

	p->select_type = SELECT_CONS_TRES;
	p->cr_unit = CR_CORE;
	p->cr_memory = true;
	p->sched_interval = 30;
	p->batch_sched_delay = 2;
	p->bf_interval = 10;
	p->bf_resolution = 1;
	p->bf_window = 3600;
	k->boards = k->sockets = k->threads = k->cpus_per_core = 1;
	k->cores_per_socket = k->cores = k->cpus = 4;
	k->real_memory = 8000;
	for (int i = 1; i <= 4; i++) {
		char name[8];

		g_snprintf(name, sizeof name, "n%d", i);
		cluster_add_node(cl, name, k);
	}
	add_partition(cl, "batch", "ALL", 1)->is_default = true;
	cl->default_partition = cluster_find_partition(cl, "batch");
	add_partition(cl, "debug", "n[1-2]", 2);
	assert_true(cluster_finish(cl, &error));
	return cl;
}

/* ---- the same by the simulator ---- */

struct told {
	struct cluster *cl;
	GString *starts;
};

static void on_step(void *data, const struct step *step, usec_t now)
{
	struct told *told = data;

	if (step->kind == STEP_START)
		log_start(told->starts, told->cl, step->job, now);
}

static void append_ends(GString *out, struct controller *c)
{
	for (uint32_t i = 0; i < controller_n_jobs(c); i++) {
		const struct job *j = controller_job(c, i);

		log_end(out, controller_cluster(c), j, job_state_name(j->state));
	}
}

static struct submission *submission_of(const struct wish *w)
{
	struct submission *sub = submission_new();

	job_request_free(sub->request);
	sub->request = wish_request(w);
	sub->at = TIME0 + w->at * 1000;
	sub->label = g_strdup(w->name);
	sub->outcome.run_time = w->run * 1000;
	sub->outcome.exit_code = w->exit_code;
	return sub;
}

static struct sim *simulate(struct told *told, bool naive)
{
	struct sim_options o;
	struct sim *sim;

	sim_options_init(&o);
	o.start = TIME0;
	o.controller_start = TIME0 - SECOND_HOST_LEAD;
	o.epilog_latency = SECOND_HOST_EPILOG;
	o.naive = naive;
	sim = sim_new(told->cl, &o, NULL);
	sim_watch(sim, on_step, NULL, NULL, told);
	for (size_t i = 0; i < G_N_ELEMENTS(WISHES); i++)
		sim_add_submission(sim, submission_of(&WISHES[i]));
	assert_true(sim_run(sim, NULL, NULL, NULL, NULL));
	return sim;
}

static void compare_with_simulator(struct host *h, bool naive)
{
	struct told told = {.cl = make_cluster(), .starts = g_string_new(NULL)};
	struct sim *sim = simulate(&told, naive);
	GString *theirs = g_string_new(NULL), *ours = g_string_new(NULL);

	assert_string_equal(h->starts->str, told.starts->str);
	append_ends(theirs, sim_controller(sim));
	append_ends(ours, h->c);
	assert_string_equal(ours->str, theirs->str);
	g_string_free(theirs, TRUE);
	g_string_free(ours, TRUE);
	sim_free(sim);
	g_string_free(told.starts, TRUE);
	cluster_free(told.cl);
}

static void test_same_decisions(void **state)
{
	struct cluster *cl = make_cluster();
	struct host *h = host_new(cl, TIME0);
	gint64 wall = g_get_monotonic_time();

	(void)state;
	host_run(h, WISHES, G_N_ELEMENTS(WISHES));
	wall = g_get_monotonic_time() - wall;
	assert_false(h->gave_up);
	print_message("%u wake-ups in %.2f s for %.0f s; the starts:\n%s", h->wakes, (double)wall / 1e6,
	              (double)(h->now - h->start) / 1e6, h->starts->str);
	assert_true(wall >= (h->now - h->start) / SECOND_HOST_SPEED); /* it was real time */
	assert_true(h->wakes > 20);
	/* the scenario is worth comparing: both schedulers start jobs, and jobs end in several ways */
	assert_non_null(strstr(h->starts->str, " main\n"));
	assert_non_null(strstr(h->starts->str, " backfill\n"));
	assert_non_null(strstr(h->ends->str, " TIMEOUT "));
	assert_non_null(strstr(h->ends->str, " FAILED 3 "));
	assert_non_null(strstr(h->ends->str, "tasks_4 "));
	compare_with_simulator(h, false);
	compare_with_simulator(h, true);
	host_free(h);
	cluster_free(cl);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_decisions)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
