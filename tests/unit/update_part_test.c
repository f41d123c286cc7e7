/* update_part_test.c - scontrol create, update and delete partition: what each key does to decisions (sched/update.h). Texts: answers_test.c */
#include "limits_helper.h"
#include "sched/audit.h"
#include "sched/update.h"

/* "KEY=VALUE KEY=VALUE" in parts; g_strfreev of *HOLD, g_free of the result. */
static struct setting *parts(const char *text, guint *n, char ***hold)
{
	*hold = g_strsplit(text, " ", -1);
	struct setting *set = g_new0(struct setting, g_strv_length(*hold) + 1);
	*n = 0;
	for (char **s = *hold; *s && **s; s++) {
		char *eq = strchr(*s, '=');
		*eq = '\0';
		set[(*n)++] = (struct setting){*s, eq + 1};
	}
	return set;
}

enum what { UPDATE, CREATE };

static char *try(struct world *w, sec_t t, enum what what, const char *name, const char *text)
{
	GError *error = NULL;
	char **hold, *said = NULL;
	guint n;
	struct setting *set = parts(text, &n, &hold);
	bool ok = (what == CREATE ? controller_create_partition : controller_set_partition)(w->c, name, set, n, t * USEC, &error);
	if (!ok)
		said = g_strdup(error->message);
	g_clear_error(&error);
	g_strfreev(hold);
	g_free(set);
	GError *wrong = NULL;
	if (!controller_audit(w->c, &wrong))
		fail_msg("%s %s: %s", name, text, wrong->message);
	return said;
}

static void change(struct world *w, sec_t t, const char *name, const char *text)
{
	char *said = try(w, t, UPDATE, name, text);
	if (said)
		fail_msg("%s %s: %s", name, text, said);
}

static void refused(struct world *w, sec_t t, enum what what, const char *name, const char *text, const char *why)
{
	char *said = try(w, t, what, name, text);
	assert_non_null(said);
	if (!strstr(said, why))
		fail_msg("\"%s\" does not hold \"%s\"", said, why);
	g_free(said);
}

/* p over n1 and n2, q over n2; 4 cores each. */
static struct world *two(int v)
{
	struct world *w = world_new((enum slurm_version)v);
	w_nodes(w, "n[1-2]", 1, 4, 1);
	w_part(w, "p", "n[1-2]");
	w_part(w, "q", "n2");
	w_begin(w, 0);
	return w;
}

/* ---- keys that stop a waiting job, and let it go ---- */

static void stops_a_job(void **state)
{
	(void)state;
	static const struct {
		const char *stop, *go;
		enum reason reason;
	} cases[] = {
	    {"state=down", "state=up", REASON_PARTITION_DOWN},
	    {"state=inactive", "state=up", REASON_PARTITION_INACTIVE},
	    {"maxtime=4", "maxtime=unlimited", REASON_PARTITION_TIME_LIMIT},
	    {"maxnodes=0", "maxnodes=1", REASON_PARTITION_NODE_LIMIT},
	    {"minnodes=2", "minnodes=0", REASON_PARTITION_NODE_LIMIT},
	    {"rootonly=yes", "rootonly=no", REASON_PARTITION_CONFIG},
	    {"reqresv=yes", "reqresv=no", REASON_PARTITION_CONFIG},
	    {"maxcpuspernode=0", "maxcpuspernode=unlimited", REASON_PARTITION_CONFIG},
	    {"nodes=", "nodes=n2,n1", REASON_PARTITION_CONFIG}};
	for (EACH_VERSION(v))
		for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = two(v);
			struct job *j = w_job(w, 1, "time", "5", "nodes", "1", NULL);
			change(w, 2, "p", cases[i].stop);
			w_full(w, 3);
			w_full(w, 4);
			if (j->state != JOB_PENDING || j->reason != cases[i].reason)
				fail_msg("%s: %s, reason %s", cases[i].stop, job_state_name(j->state), reason_name(j->reason));
			change(w, 5, "p", cases[i].go);
			w_full(w, 6);
			w_full(w, 7);
			if (j->state != JOB_RUNNING)
				fail_msg("%s: %s, reason %s", cases[i].go, job_state_name(j->state), reason_name(j->reason));
			world_free(w);
		}
}

/* Recorded: jobs that ask for more nodes than there are, and for one that is not there. */
static void nodes(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = two(v);
		struct job *runs = w_run(w, 1, "n1", 60);
		change(w, 2, "p", "nodes=n2");
		assert_int_equal(runs->state, JOB_RUNNING); /* it stays where it is */
		struct job *named = w_job(w, 3, "nodelist", "n1", "time", "5", NULL);
		struct job *wide = w_job(w, 3, "nodes", "2", "time", "5", NULL);
		struct job *one = w_job(w, 3, "time", "5", NULL);
		w_full(w, 4);
		w_waits(named, REASON_PARTITION_CONFIG);
		assert_int_equal(wide->state, JOB_PENDING);
		w_runs_on(w, one, 4, "n2");
		struct partition *p = cluster_find_partition(w->cl, "p");
		assert_int_equal(p->total_nodes, 1);
		assert_int_equal(p->total_cpus, 4);
		w_end(w, runs, 5, 0, true);
		w_end(w, one, 5, 0, true);
		change(w, 6, "p", "nodes=ALL");
		assert_int_equal(p->total_nodes, 2);
		w_full(w, 7);
		w_full(w, 8);
		assert_int_equal(named->state, JOB_RUNNING);
		assert_int_equal(wide->state, JOB_RUNNING);
		refused(w, 9, UPDATE, "p", "maxtime=3 nodes=n9", "Invalid node name specified");
		assert_int_equal(p->max_time, INFINITE); /* nothing is changed */
		assert_int_equal(p->total_nodes, 2);
		refused(w, 9, UPDATE, "r", "maxtime=3", "Invalid partition name specified");
		world_free(w);
	}
}

/* DRAIN takes no jobs, Alternate= says where they go; Default= where those go that name none. */
static void submissions(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = two(v);
		struct job *waits = w_job(w, 1, "time", "5", NULL);
		change(w, 2, "p", "state=drain");
		w_refused(w, 3, "Required partition not available (inactive or drain)", "time", "5", NULL);
		change(w, 4, "p", "alternate=q");
		struct job *other = w_job(w, 5, "time", "5", NULL);
		assert_string_equal(other->part->name, "q");
		w_full(w, 6);
		assert_int_equal(waits->state, JOB_RUNNING); /* those that wait may start */
		change(w, 7, "p", "state=up alternate=none");
		change(w, 8, "q", "default=yes");
		assert_string_equal(w_job(w, 9, "time", "5", NULL)->part->name, "q");
		assert_false(((struct partition *)cluster_find_partition(w->cl, "p"))->is_default);
		change(w, 10, "q", "default=no");
		w_refused(w, 11, "No partition specified or system default partition", "time", "5", NULL);
		change(w, 12, "p", "default=yes defaulttime=7 defmempernode=100");
		struct job *j = w_job(w, 13, NULL);
		assert_int_equal(j->time_limit, 7);
		assert_int_equal(j->pn_min_memory, 100);
		change(w, 14, "p", "disablerootjobs=yes");
		w_refused(w, 15, "", "uid", "root", NULL);
		world_free(w);
	}
}

static void limits_of_size(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = two(v);
		w->p->cr_memory = true;
		change(w, 1, "p", "maxmempernode=1000");
		struct job *j = w_job(w, 2, "mem", "2000", "time", "5", NULL);
		w_full(w, 3);
		assert_int_equal(j->state, JOB_PENDING);
		change(w, 4, "p", "maxmempernode=0");
		w_full(w, 5);
		w_full(w, 6);
		assert_int_equal(j->state, JOB_RUNNING);
		change(w, 7, "p", "maxcpuspernode=2"); /* of n1, where one core is taken */
		struct job *wide = w_job(w, 8, "ntasks", "3", "mem", "100", "time", "5", NULL);
		w_full(w, 9);
		assert_int_equal(wide->state, JOB_RUNNING);
		for (uint32_t i = 0; i < wide->alloc->n; i++)
			assert_true(wide->alloc->node[i].cpus <= 2);
		world_free(w);
	}
}

/* ---- order ---- */

static void priorities(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = two(v);
		w->p->weight_partition = 1000;
		struct job *first = w_job(w, 1, "nodelist", "n2", "exclusive", "", "time", "5", NULL);
		struct job *second = w_job(w, 1, "partition", "q", "exclusive", "", "time", "5", NULL);
		struct job *both = w_job(w, 1, "partition", "p,q", "hold", "", NULL);
		assert_string_equal(both->parts[0].part->name, "p");
		change(w, 2, "q", "prioritytier=5");
		assert_string_equal(both->parts[0].part->name, "q"); /* the higher tier comes first */
		w_full(w, 3);
		w_runs_on(w, second, 3, "n2");
		assert_int_equal(first->state, JOB_PENDING);
		/* P16: a share of the largest factor; seen at the next tick */
		assert_int_equal(first->priority, 1000);
		change(w, 4, "q", "priorityjobfactor=4");
		assert_int_equal(first->priority, 1000);
		assert_int_equal(w->cl->max_job_factor, 4);
		assert_int_equal(w_job(w, 5, "begin", "1000", NULL)->priority, 250);
		change(w, 6, "q", "priority=1");
		assert_int_equal(w->cl->max_job_factor, 4); /* recorded: it only grows */
		world_free(w);
	}
}

static void least_loaded(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = two(v);
		struct job *a = w_job(w, 1, "time", "5", NULL), *b, *c;
		w_full(w, 1);
		w_runs_on(w, a, 1, "n1");
		change(w, 2, "p", "lln=yes");
		b = w_job(w, 3, "time", "5", NULL);
		w_full(w, 3);
		w_runs_on(w, b, 3, "n2");
		change(w, 4, "p", "lln=no");
		c = w_job(w, 5, "time", "5", NULL);
		w_full(w, 5);
		w_runs_on(w, c, 5, "n1");
		world_free(w);
	}
}

static void sharing(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = two(v);
		change(w, 1, "q", "oversubscribe=exclusive");
		struct job *a = w_job(w, 2, "partition", "q", "time", "5", NULL), *b = w_job(w, 2, "partition", "q", "time", "5", NULL);
		w_full(w, 3);
		assert_int_equal(a->state, JOB_RUNNING);
		assert_int_equal(a->alloc->cpus, 4); /* the whole node */
		assert_int_equal(b->state, JOB_PENDING);
		w_end(w, a, 4, 0, true);
		change(w, 5, "q", "oversubscribe=force:2");
		struct job *full[3];
		for (int i = 0; i < 3; i++)
			full[i] = w_job(w, 6, "partition", "q", "ntasks", "4", "time", "5", NULL);
		controller_cancel(w->c, b, 6 * USEC, NULL);
		w_full(w, 7);
		assert_int_equal(full[0]->state, JOB_RUNNING); /* two on each core, at the same time */
		assert_int_equal(full[1]->state, JOB_RUNNING);
		assert_int_equal(full[2]->state, JOB_PENDING);
		change(w, 8, "q", "oversubscribe=no");
		w_end(w, full[0], 9, 0, true);
		w_full(w, 10);
		assert_int_equal(full[2]->state, JOB_PENDING); /* the cores of the other are its own now */
		world_free(w);

		w = two(v);
		change(w, 1, "q", "exclusiveuser=yes");
		struct job *mine = w_job(w, 2, "partition", "q", "time", "5", NULL), *too = w_job(w, 2, "partition", "q", "time", "5", NULL);
		struct job *theirs = w_job(w, 2, "partition", "q", "uid", "u2", "time", "5", NULL);
		w_full(w, 3);
		assert_int_equal(mine->state, JOB_RUNNING);
		assert_int_equal(too->state, JOB_RUNNING);
		assert_int_equal(theirs->state, JOB_PENDING);
		world_free(w);
	}
}

static void preemption(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new((enum slurm_version)v);
		w_nodes(w, "n[1-2]", 1, 4, 1);
		w_part(w, "low", "n[1-2]");
		w_part(w, "high", "n[1-2]")->priority_tier = 5;
		w->p->preempt_type = PREEMPT_PARTITION;
		w->p->preempt_mode = PREEMPT_MODE_CANCEL;
		w_begin(w, 0);
		struct job *a = w_job(w, 1, "nodes", "2", "exclusive", "", "time", "50", NULL);
		w_full(w, 1);
		change(w, 2, "low", "preemptmode=off");
		struct job *top = w_job(w, 3, "partition", "high", "time", "5", NULL);
		w_full(w, 3);
		assert_int_equal(top->state, JOB_PENDING);
		assert_int_equal(a->state, JOB_RUNNING);
		change(w, 4, "low", "preemptmode=cancel gracetime=20");
		w_full(w, 5);
		assert_int_equal(a->state, JOB_RUNNING); /* it is given 20 s */
		assert_int_equal(a->end, 25);
		change(w, 6, "high", "prioritytier=1");
		world_free(w);
	}
}

static void over_time(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = two(v);
		struct job *j = w_job(w, 1, "time", "1", NULL);
		w_full(w, 1);
		change(w, 2, "p", "overtimelimit=1");
		controller_sweep(w->c, 90 * USEC);
		assert_int_equal(j->state, JOB_RUNNING);
		change(w, 91, "p", "overtimelimit=0");
		controller_sweep(w->c, 92 * USEC);
		assert_int_equal(j->state, JOB_TIMEOUT);
		world_free(w);
	}
}

/* ---- accounts ---- */

static void access_lists(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"allowaccounts=other", "allowaccounts=ALL"}, {"denyaccounts=acct", "denyaccounts="}, {"allowqos=high", "allowqos="},
	                                       {"denyqos=normal", "denyqos="}};
	for (EACH_VERSION(v))
		for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
			struct world *w = l_world((enum slurm_version)v, "n[1-2]", LIMITS, "add qos high\nmodify user u1 set qos+=high,normal\n");
			struct job *j = w_job(w, 1, "time", "5", NULL);
			change(w, 2, "p", cases[i][0]);
			w_full(w, 3);
			w_full(w, 4);
			if (j->state != JOB_PENDING)
				fail_msg("%s does not stop it", cases[i][0]);
			change(w, 5, "p", cases[i][1]);
			w_full(w, 6);
			w_full(w, 7);
			if (j->state != JOB_RUNNING)
				fail_msg("%s: %s", cases[i][1], reason_name(j->reason));
			world_free(w);
		}
}

/* What the jobs of a partition count for goes over to its new QOS. */
static void partition_qos(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = l_world((enum slurm_version)v, "n[1-2]", LIMITS, "add qos tight GrpTRES=cpu=3\nadd qos loose GrpTRES=cpu=9\n");
		struct job *a = w_job(w, 1, "ntasks", "2", "time", "5", NULL);
		w_full(w, 1);
		assert_int_equal(a->state, JOB_RUNNING);
		change(w, 2, "p", "qos=tight");
		assert_int_equal(l_qos(w, "tight")->use.tres[TRES_CPU], 2);
		assert_int_equal(l_qos(w, "tight")->use.submit, 1);
		struct job *b = w_job(w, 3, "ntasks", "2", "time", "5", NULL);
		w_full(w, 4);
		w_waits(b, REASON_QOS_GRP_CPU);
		change(w, 5, "p", "qos=loose");
		assert_int_equal(l_qos(w, "tight")->use.tres[TRES_CPU], 0);
		assert_int_equal(l_qos(w, "tight")->use.submit, 0);
		w_full(w, 6);
		assert_int_equal(b->state, JOB_RUNNING);
		assert_int_equal(l_qos(w, "loose")->use.tres[TRES_CPU], 4);
		w_end(w, a, 7, 0, true);
		w_end(w, b, 7, 0, true);
		assert_int_equal(l_qos(w, "loose")->use.tres[TRES_CPU], 0);
		assert_int_equal(l_qos(w, "loose")->use.submit, 0);
		refused(w, 8, UPDATE, "p", "qos=nosuch", "Invalid qos specification");
		change(w, 9, "p", "qos=");
		assert_null(((struct partition *)cluster_find_partition(w->cl, "p"))->qos);
		world_free(w);
	}
}

static void billing(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = two(v);
		struct job *a = w_job(w, 1, "time", "5", NULL);
		w_full(w, 1);
		change(w, 2, "p", "tresbillingweights=CPU=3");
		struct job *b = w_job(w, 3, "time", "5", NULL);
		w_full(w, 3);
		assert_true(a->alloc->billing == 1 && b->alloc->billing == 3); /* new jobs */
		assert_int_equal(((struct partition *)cluster_find_partition(w->cl, "p"))->tres_total[TRES_BILLING], 24);
		refused(w, 4, UPDATE, "p", "tresbillingweights=foo=3", "Invalid TRESBillingWeights specification");
		refused(w, 4, UPDATE, "p", "jobdefaults=foo=3", "Invalid JobDefaults specification");
		world_free(w);
	}
}

/* ---- create and delete ---- */

static void comes_and_goes(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = two(v);
		w_refused(w, 1, "Invalid partition name specified", "partition", "new", NULL);
		assert_null(try(w, 2, CREATE, "new", "nodes=n[1-2] maxtime=9 prioritytier=3"));
		struct partition *p = cluster_find_partition(w->cl, "new");
		assert_int_equal(p->min_nodes, 1); /* recorded */
		assert_int_equal(p->max_time, 9);
		assert_int_equal(p->index, 2);
		struct job *low = w_job(w, 3, "exclusive", "", "nodes", "2", "time", "5", NULL);
		struct job *j = w_job(w, 3, "partition", "q,new", "exclusive", "", "nodes", "1", "time", "5", NULL);
		w_full(w, 4);
		assert_int_equal(j->state, JOB_RUNNING);
		assert_string_equal(j->part->name, "new"); /* by its tier */
		assert_int_equal(low->state, JOB_PENDING);
		GError *error = NULL;
		assert_false(controller_delete_partition(w->c, "new", 5 * USEC, &error));
		assert_string_equal(error->message, "Partition is in use");
		g_clear_error(&error);
		struct job *waits = w_job(w, 6, "partition", "q,new", "hold", "", NULL);
		w_end(w, j, 7, 0, true);
		assert_false(controller_delete_partition(w->c, "new", 8 * USEC, &error)); /* named by one that waits */
		g_clear_error(&error);
		controller_cancel(w->c, waits, 9 * USEC, NULL);
		assert_true(controller_delete_partition(w->c, "new", 10 * USEC, NULL));
		assert_string_equal(j->part->name, "new"); /* ended jobs still tell where they were */
		assert_null(cluster_find_partition(w->cl, "new"));
		assert_true(controller_delete_partition(w->c, "q", 11 * USEC, NULL));
		w_full(w, 12);
		assert_int_equal(low->state, JOB_RUNNING);
		refused(w, 13, CREATE, "p", "nodes=n1", "Invalid partition name specified");
		refused(w, 13, CREATE, "x", "nodes=n7", "Invalid node name specified");
		assert_null(cluster_find_partition(w->cl, "x"));
		assert_null(try(w, 14, CREATE, "q", "")); /* the name is free again; no nodes */
		struct job *none = w_job(w, 15, "partition", "q", NULL);
		w_full(w, 16);
		w_waits(none, REASON_PARTITION_CONFIG);
		change(w, 17, "q", "nodes=n2");
		w_end(w, low, 18, 0, true);
		w_full(w, 19);
		w_full(w, 20);
		assert_int_equal(none->state, JOB_RUNNING);
		world_free(w);
	}
}

static void releases(void **state)
{
	(void)state;
	struct world *w = two(SLURM_22_05);
	refused(w, 1, UPDATE, "p", "maxcpuspersocket=2", "Update of this parameter is not supported: maxcpuspersocket=2");
	world_free(w);
	w = two(SLURM_26);
	change(w, 1, "p", "maxcpuspersocket=2");
	assert_int_equal(((struct partition *)cluster_find_partition(w->cl, "p"))->max_cpus_per_socket, 2);
	world_free(w);
}

/* Under gang scheduling what is derived of the cluster stays as it is. */
static void gang(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = world_new((enum slurm_version)v);
		w_nodes(w, "n[1-2]", 1, 4, 1);
		w_part(w, "p", "n[1-2]");
		w->p->preempt_flags = PREEMPT_GANG;
		w_begin(w, 0);
		refused(w, 1, UPDATE, "p", "nodes=n1", "gang scheduling");
		refused(w, 1, CREATE, "q", "nodes=n1", "gang scheduling");
		change(w, 2, "p", "maxtime=3 state=down prioritytier=4");
		change(w, 2, "p", "nodes=n[1-2]"); /* nothing new */
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(stops_a_job),  cmocka_unit_test(nodes),         cmocka_unit_test(submissions),
	                                   cmocka_unit_test(limits_of_size), cmocka_unit_test(priorities),  cmocka_unit_test(least_loaded),
	                                   cmocka_unit_test(sharing),      cmocka_unit_test(preemption),    cmocka_unit_test(over_time),
	                                   cmocka_unit_test(access_lists), cmocka_unit_test(partition_qos), cmocka_unit_test(billing),
	                                   cmocka_unit_test(comes_and_goes), cmocka_unit_test(releases),    cmocka_unit_test(gang)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
