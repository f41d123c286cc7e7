/* update_node_test.c - scontrol update node: states, weights, features and GRES reach decisions (sched/update.h). Texts and states: answers_test.c */
#include "sched/audit.h"
#include "sched/update.h"
#include "sched_helper.h"

static char *try(struct world *w, sec_t t, const char *nodes, struct bitset **asked, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	struct setting *set = g_new0(struct setting, g_strv_length(words) + 1);
	GError *error = NULL, *wrong = NULL;
	char *said = NULL;
	guint n = 0;
	for (char **s = words; *s; s++) {
		char *eq = strchr(*s, '=');
		*eq = '\0';
		set[n++] = (struct setting){*s, eq + 1};
	}
	if (!controller_set_node(w->c, nodes, set, n, t * USEC, asked, &error))
		said = g_strdup(error->message);
	g_clear_error(&error);
	g_free(set);
	if (!controller_audit(w->c, &wrong))
		fail_msg("%s %s: %s", nodes, text, wrong->message);
	return said;
}

static void change(struct world *w, sec_t t, const char *nodes, const char *text)
{
	char *said = try(w, t, nodes, NULL, text);
	if (said)
		fail_msg("%s %s: %s", nodes, text, said);
}

static void refused(struct world *w, sec_t t, const char *nodes, const char *text, const char *why)
{
	char *said = try(w, t, nodes, NULL, text);
	assert_non_null(said);
	if (!strstr(said, why))
		fail_msg("\"%s\" does not hold \"%s\"", said, why);
	g_free(said);
}

/* n[1-3] of 4 cores with 2 GPUs and feature "old", m1 with weight 5 and "new". */
static struct world *four(int v)
{
	struct world *w = world_new((enum slurm_version)v);
	struct node_config *k = w_nodes(w, "n[1-3]", 1, 4, 1), *m;
	w_features(k, "old");
	k->gres = g_new0(struct node_gres, 2);
	k->n_gres = 2;
	k->gres[0] = (struct node_gres){.name = g_strdup("gpu"), .count = 2, .devices = true, .n_groups = 1};
	k->gres[0].group = g_new0(struct gres_group, 1);
	k->gres[0].group[0].count = 2;
	k->gres[1] = (struct node_gres){.name = g_strdup("bw"), .count = 10, .n_groups = 1};
	k->gres[1].group = g_new0(struct gres_group, 1);
	k->gres[1].group[0].count = 10;
	m = w_nodes(w, "m1", 1, 4, 1);
	m->weight = 5;
	w_features(m, "new");
	w_part(w, "p", "n[1-3],m1");
	w_begin(w, 0);
	return w;
}

static const struct node *node(const struct world *w, const char *name)
{
	return cluster_find_node(w->cl, name);
}

/* Recorded: each node by itself; those that may are changed, and it is an error all the same. */
static void several(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = four(v);
		struct bitset *asked = NULL;
		change(w, 1, "n2", "state=drain reason=x");
		char *said = try(w, 2, "n[1-3]", &asked, "state=resume");
		assert_string_equal(said, v == SLURM_22_05 ? "Invalid node state specified" : "Invalid node state transition");
		w_nodes_are(w, asked, "n2");
		bitset_free(asked);
		g_free(said);
		assert_int_equal(node(w, "n2")->flags, 0);
		refused(w, 3, "n1", "state=resume weight=7", "Invalid node state");
		assert_int_equal(node(w, "n1")->config->weight, 1);
		change(w, 4, "ALL", "weight=3 comment=all");
		assert_int_equal(node(w, "m1")->config->weight, 3);
		assert_string_equal(node(w, "m1")->comment, "all");
		refused(w, 5, "n[1-9]", "weight=3", "Invalid node name specified");
		refused(w, 5, "n[1-2]", "nodeaddr=a", "Invalid node name specified");
		change(w, 5, "n[1-2]", "nodeaddr=a[7-8] extra=e");
		assert_string_equal(node(w, "n2")->addr, "a8");
		world_free(w);
	}
}

/* A node that is FUTURE is away: a job that wants it waits, and starts when it is back. */
static void future(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = four(v);
		change(w, 1, "n1", "state=future");
		struct job *named = w_job(w, 2, "nodelist", "n1", "time", "5", NULL), *one = w_job(w, 2, "time", "5", NULL);
		struct job *all = w_job(w, 2, "nodes", "4", "time", "5", NULL);
		w_full(w, 3);
		assert_int_equal(named->state, JOB_PENDING);
		assert_int_equal(all->state, JOB_PENDING);
		w_runs_on(w, one, 3, "n2");
		refused(w, 4, "n2", "state=future", "Invalid node state"); /* busy */
		refused(w, 4, "n1", "state=idle", "Invalid node state");
		change(w, 5, "n1", "state=resume");
		w_full(w, 6);
		w_full(w, 7);
		w_runs_on(w, named, named->start, "n1");
		w_end(w, one, 8, 0, true);
		w_end(w, named, 8, 0, true);
		w_full(w, 9);
		assert_int_equal(all->state, JOB_RUNNING);
		world_free(w);
	}
}

static void busy(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = four(v);
		struct job *j = w_job(w, 1, "nodelist", "n1", "time", "5", "requeue", "", NULL);
		w_full(w, 1);
		change(w, 2, "n1", "state=fail reason=x");
		change(w, 2, "n1", "state=undrain"); /* recorded: it goes on failing */
		assert_int_equal(node(w, "n1")->flags & NODE_FAIL, NODE_FAIL);
		change(w, 3, "n1", "state=drain reason=y");
		assert_int_equal(node(w, "n1")->flags & (NODE_FAIL | NODE_DRAIN), NODE_DRAIN);
		assert_string_equal(node(w, "n1")->reason, "y");
		refused(w, 3, "n1", "state=idle", "Invalid node state");
		assert_int_equal(j->state, JOB_RUNNING);
		change(w, 4, "n1", "state=down reason=z");
		assert_int_equal(j->state, JOB_PENDING);
		change(w, 5, "n1", "reason=other");
		assert_string_equal(node(w, "n1")->reason, "other");
		change(w, 6, "n1", "state=resume");
		assert_null(node(w, "n1")->reason);
		change(w, 7, "n1", "reason=alone"); /* recorded: nothing is wrong with it */
		assert_null(node(w, "n1")->reason);
		world_free(w);
	}
}

static void weights(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = four(v);
		struct job *runs = w_run(w, 1, "n2", 60), *j, *wide;
		change(w, 2, "n1", "weight=9");
		j = w_job(w, 3, "time", "5", NULL);
		w_full(w, 3);
		w_runs_on(w, j, 3, "n3");
		change(w, 4, "m1", "weight=0");
		wide = w_job(w, 5, "exclusive", "", "time", "5", NULL);
		w_full(w, 5);
		w_runs_on(w, wide, 5, "m1");
		assert_int_equal(runs->state, JOB_RUNNING);
		struct job *last = w_job(w, 6, "exclusive", "", "time", "5", NULL);
		w_full(w, 6);
		w_runs_on(w, last, 6, "n1");
		world_free(w);
	}
}

/* Recorded: what is available but not active is known, and no node has it. */
static void features(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = four(v);
		w_refused(w, 1, "Invalid feature specification", "constraint", "fast", NULL);
		change(w, 2, "n3", "availablefeatures=old,fast activefeatures=old");
		w_refused(w, 3, "Requested node configuration is not available", "constraint", "fast", NULL);
		change(w, 4, "n3", "activefeatures=fast");
		w_refused(w, 5, "Requested node configuration is not available", "constraint", "old", "nodes", "3", NULL); /* there are two now */
		struct job *j = w_job(w, 5, "constraint", "fast", "exclusive", "", "time", "5", NULL), *old;
		w_full(w, 6);
		w_runs_on(w, j, 6, "n3");
		refused(w, 7, "n3", "availablefeatures=old", "Active features not subset of available features");
		change(w, 9, "n3", "activefeatures=old,fast"); /* under the job */
		old = w_job(w, 9, "constraint", "old", "nodes", "3", "time", "5", NULL);
		w_full(w, 10);
		assert_int_equal(old->state, JOB_PENDING);
		w_end(w, j, 11, 0, true);
		w_full(w, 11);
		assert_int_equal(old->state, JOB_RUNNING);
		/* a feature that is gone: the job that waits for it never starts */
		struct job *late = w_job(w, 12, "constraint", "fast", "begin", "100", NULL);
		change(w, 13, "n3", "availablefeatures=old activefeatures=old");
		w_full(w, 101);
		assert_int_equal(late->state, JOB_PENDING);
		assert_true(late->reason == REASON_BAD_CONSTRAINTS || late->reason == REASON_CONSTRAINTS);
		world_free(w);
	}
}

static void gres(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = four(v);
		struct job *runs = w_job(w, 1, "nodelist", "n1", "gres", "gpu:1,bw:8", "time", "50", NULL);
		w_full(w, 1);
		assert_int_equal(runs->state, JOB_RUNNING);
		refused(w, 2, "n1", "gres=", "jobs are there");
		refused(w, 2, "n2", "gres=gpu:1", "Invalid generic resource (gres) specification");
		refused(w, 2, "m1", "gres=gpu:1", "Invalid generic resource (gres) specification");
		refused(w, 2, "n2", "gres=gpu:x:y", "Invalid generic resource (gres) specification");
		change(w, 3, "n[2-3]", "gres=gpu:2,bw:4");
		struct job *bw = w_job(w, 4, "gres", "bw:6", "time", "5", NULL), *gpu;
		assert_non_null(bw);
		w_full(w, 4);
		assert_int_equal(bw->state, JOB_PENDING);
		change(w, 5, "m1", "gres=bw:8");
		w_full(w, 6);
		w_full(w, 7);
		assert_int_equal(bw->state, JOB_RUNNING);
		w_nodes_are(w, bw->nodes, "m1");
		change(w, 8, "n[2-3]", "gres=gpu:0"); /* and no bw */
		gpu = w_job(w, 9, "gres", "gpu:2", "time", "5", NULL);
		w_full(w, 10);
		assert_int_equal(gpu->state, JOB_PENDING);
		w_end(w, runs, 11, 0, true);
		w_full(w, 12);
		w_runs_on(w, gpu, 12, "n1");
		refused(w, 13, "n2", "gres=gpu:2", "Invalid generic resource (gres) specification");
		world_free(w);
	}
}

static void power_words(void **state)
{
	(void)state;
	struct world *w = four(SLURM_22_05);
	static const char *const words[] = {"state=power_up", "state=power_down", "state=power_down_asap", "state=power_down_force", "state=cancel_reboot",
	                                    "state=mixed", "state=alloc", "state=unknown"};
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		refused(w, 1, "n1", words[i], "Invalid node state specified"); /* no power saving */
	refused(w, 1, "n1", "state=foo", "Valid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP UNDRAIN");
	refused(w, 1, "n1", "resumeafter=5", "Update of this parameter is not supported");
	world_free(w);
	w = four(SLURM_26);
	change(w, 1, "n1", "state=drain reason=x resumeafter=5"); /* carried out by the host */
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(several), cmocka_unit_test(future),   cmocka_unit_test(busy), cmocka_unit_test(weights),
	                                   cmocka_unit_test(features), cmocka_unit_test(gres), cmocka_unit_test(power_words)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
