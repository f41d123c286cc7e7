/*
 * limitrules_test.c - rules of limits.md that the worked examples leave out: the words of AccountingStorageEnforce (L1),
 * the order of tests at submission and after selection (L26, L27, L33), flags of a QOS (section 6), partitions (L60-L72).
 */
#include "limits_helper.h"
#include "models/slurmconf.h"
#include "sched/reservation.h"

static struct world *with(enum slurm_version v, const char *commands)
{
	g_autofree char *all = g_strconcat("add qos q\nadd qos d flags=DenyOnLimit\nmodify account root set qos+=q,d\n", commands, NULL);
	return l_unbegun(v, "n[1-4]", LIMITS, all);
}

static struct partition *first_part(struct world *w)
{
	return w->cl->partitions->pdata[0];
}

/* L1: what each word turns on; without "qos" any QOS may be named. */
static void enforce_words(void **state)
{
	static const struct { const char *text; uint32_t value; } words[] = {
	    {"associations", ENFORCE_ASSOC}, {"1", ENFORCE_ASSOC}, {"Limits", LIMITS}, {"2", LIMITS},
	    {"safe", LIMITS | ENFORCE_SAFE}, {"qos", ENFORCE_ASSOC | ENFORCE_QOS},
	    {"wckeys", ENFORCE_ASSOC | ENFORCE_WCKEYS}, {"nojobs", ENFORCE_NOJOBS}, {"nosteps", ENFORCE_NOSTEPS},
	    {"all", LIMITS | ENFORCE_SAFE | ENFORCE_QOS | ENFORCE_WCKEYS}};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		g_autofree char *text = g_strdup_printf("AccountingStorageEnforce=%s\nNodeName=n1 CPUs=1\nPartitionName=p Nodes=n1\n", words[i].text);
		struct diag *d = diag_new();
		struct cluster *c = slurmconf_read_text(text, "s.conf", NULL, d);
		assert_int_equal(c->params->enforce, words[i].value);
		cluster_free(c);
		diag_free(d);
	}
	for (EACH_VERSION(v))
		for (int qos = 0; qos < 2; qos++) {
			struct world *w = l_world(v, "n1", ENFORCE_ASSOC | (qos ? ENFORCE_QOS : 0), "add qos other\n");
			if (qos)
				w_refused(w, 1, "Invalid qos specification", "qos", "other", NULL);
			else
				w_job(w, 1, "qos", "other", NULL);
			world_free(w);
		}
}

/* L7: MaxTRESRunMins of an association is kept and never tested. */
static void run_minutes_of_associations(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = with(v, "modify user u1 set MaxTRESRunMins=cpu=1\n");
		w_begin(w, 0);
		struct job *j = w_job(w, 1, "ntasks", "4", "time", "60", NULL);
		w_full(w, 1);
		l_runs(j);
		world_free(w);
	}
}

/* L23: 59 s of a minute are none. */
static void minutes_truncated(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int over = 0; over < 2; over++) {
			struct world *w = with(v, "modify account acct set GrpTRESMins=cpu=2\n");
			w_begin(w, 0);
			l_acct(w)->tres_usage[TRES_CPU] = over ? 120.0L : 119.9L;
			struct job *j = w_job(w, 1, "time", "1", "qos", "q", NULL);
			w_full(w, 1);
			if (over)
				w_waits(j, REASON_ASSOC_GRP_CPU_MINS);
			else
				l_runs(j);
			world_free(w);
		}
}

/* L26: the first of two violated kinds is named, in this order. The request: 4 CPUs for 10 minutes on one node. */
static void order_of_qos(void **state)
{
	static const struct { const char *limit; enum reason why; } order[] = {
	    {"MaxTRESPerAccount=cpu=3", REASON_QOS_MAX_CPU_PA}, {"MaxTRESPerUser=cpu=3", REASON_QOS_MAX_CPU_PU},
	    {"GrpTRES=cpu=3", REASON_QOS_GRP_CPU}, {"GrpSubmitJobs=0", REASON_QOS_GRP_SUBMIT},
	    {"MaxTRESMinsPerJob=cpu=39", REASON_QOS_MAX_CPU_MINS_PJ}, {"GrpTRESMins=cpu=39", REASON_QOS_GRP_CPU_MINS},
	    {"GrpTRESRunMins=cpu=39", REASON_QOS_GRP_CPU_RUN_MINS}, {"MaxWall=9", REASON_QOS_MAX_WALL_PJ},
	    {"GrpWall=9", REASON_QOS_GRP_WALL}, {"MaxTRESPerJob=cpu=3", REASON_QOS_MAX_CPU_PJ},
	    {"MaxTRESPerNode=cpu=3", REASON_QOS_MAX_CPU_PN}, {"MaxSubmitJobsPerAccount=0", REASON_QOS_MAX_SUBMIT_PA},
	    {"MaxSubmitJobsPerUser=0", REASON_QOS_MAX_SUBMIT_PU}, {"MinTRESPerJob=cpu=5", REASON_QOS_MIN_CPU}};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t first = 0; first < G_N_ELEMENTS(order); first++) {
			g_autoptr(GString) all = g_string_new(NULL);
			for (size_t i = first; i < G_N_ELEMENTS(order); i++)
				g_string_append_printf(all, "modify qos d set %s\n", order[i].limit);
			struct world *w = with(v, all->str);
			w_begin(w, 0);
			w_refused(w, 1, reason_name(order[first].why), "qos", "d", "ntasks", "4", "time", "10", NULL);
			world_free(w);
		}
}

/* L27: the same of associations; without a QOS all of them count (L25). */
static void order_of_associations(void **state)
{
	static const struct { const char *limit; enum reason why; } order[] = {
	    {"GrpTRES=cpu=3", REASON_ASSOC_GRP_CPU}, {"GrpSubmitJobs=0", REASON_ASSOC_GRP_SUBMIT},
	    {"GrpTRESMins=cpu=39", REASON_ASSOC_GRP_CPU_MINS}, {"GrpTRESRunMins=cpu=39", REASON_ASSOC_GRP_CPU_RUN_MINS},
	    {"GrpWall=9", REASON_ASSOC_GRP_WALL}, {"MaxTRESPerJob=cpu=3", REASON_ASSOC_MAX_CPU_PJ},
	    {"MaxTRESPerNode=cpu=3", REASON_ASSOC_MAX_CPU_PN}, {"MaxSubmitJobs=0", REASON_ASSOC_MAX_SUBMIT},
	    {"MaxTRESMinsPerJob=cpu=39", REASON_ASSOC_MAX_CPU_MINS_PJ}, {"MaxWall=9", REASON_ASSOC_MAX_WALL_PJ}};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t first = 0; first < G_N_ELEMENTS(order); first++) {
			g_autoptr(GString) all = g_string_new(NULL);
			for (size_t i = first; i < G_N_ELEMENTS(order); i++)
				g_string_append_printf(all, "modify user u1 set %s\n", order[i].limit);
			struct world *w = with(v, all->str);
			w_begin(w, 0);
			w_refused(w, 1, reason_name(order[first].why), "qos", "d", "ntasks", "4", "time", "10", NULL);
			world_free(w);
		}
}

/* L33: the order after the choice of nodes; a QOS that does not deny lets them in. */
static void order_after_selection(void **state)
{
	static const struct { const char *limit; enum reason why; bool late; } order[] = {
	    {"GrpTRES=cpu=3", REASON_QOS_GRP_CPU, false},
	    {"GrpTRESRunMins=cpu=39", REASON_QOS_GRP_CPU_RUN_MINS, false},
	    {"MaxTRESMinsPerJob=cpu=39", REASON_QOS_MAX_CPU_MINS_PJ, false},
	    {"MaxTRESPerJob=cpu=3", REASON_QOS_MAX_CPU_PJ, false}, {"MaxTRESPerNode=cpu=3", REASON_QOS_MAX_CPU_PN, false},
	    {"MinTRESPerJob=cpu=5", REASON_QOS_MIN_CPU, false}, {"MaxTRESPerAccount=cpu=3", REASON_QOS_MAX_CPU_PA, false},
	    {"MaxTRESPerUser=cpu=3", REASON_QOS_MAX_CPU_PU, false},
	    {"MaxTRESRunMinsPerAccount=cpu=39", REASON_QOS_MAX_CPU_RUN_MINS_PA, true},
	    {"MaxTRESRunMinsPerUser=cpu=39", REASON_QOS_MAX_CPU_RUN_MINS_PU, true}};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t first = 0; first < G_N_ELEMENTS(order); first++) {
			if (order[first].late && v == SLURM_22_05) /* L90 */
				continue;
			g_autoptr(GString) all = g_string_new(NULL);
			for (size_t i = first; i < G_N_ELEMENTS(order); i++)
				g_string_append_printf(all, "modify qos q set %s\n", order[i].limit);
			struct world *w = with(v, all->str);
			w_begin(w, 0);
			struct job *j = w_job(w, 1, "qos", "q", "ntasks", "4", "time", "10", NULL);
			w_full(w, 1);
			w_waits(j, order[first].why);
			world_free(w);
		}
}

/* ---- section 6 ---- */

/* RequiresReservation: refused without one. */
static void requires_reservation(void **state)
{
	static const struct resv_setting set[] = {{"nodes", "n1"}, {"users", "u1"}, {"starttime", "now"}, {"duration", "60"}};
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = with(v, "modify qos q set flags=RequiresReservation\n");
		g_autofree char *name = NULL;
		w_begin(w, 0);
		w_refused(w, 1, "Invalid qos specification", "qos", "q", NULL);
		assert_true(controller_create_reservation(w->c, set, 4, USEC, &name, NULL));
		struct job *j = w_job(w, 2, "qos", "q", "reservation", name, "time", "5", NULL);
		w_full(w, 2);
		l_runs(j);
		world_free(w);
	}
}

/* NoReserve (B31a): backfill keeps nothing for such a job; it has an estimate all the same, without nodes (recorded/noreserve). */
static void no_reserve(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int flag = 0; flag < 2; flag++) {
			struct world *w = with(v, flag ? "modify qos q set flags=NoReserve\n" : "");
			w_begin(w, 0);
			w_run(w, 1, "n[1-3]", 10);
			struct job *wide = w_job(w, 2, "qos", "q", "nodes", "4", "ntasks", "32", "time", "60", "priority", "500", NULL);
			struct job *lengthy = w_job(w, 2, "ntasks", "8", "nodes", "1", "time", "30", NULL);
			w_full(w, 2);
			w_backfill(w, 3);
			assert_true(wide->est_start > 0);
			assert_true((wide->sched_nodes == NULL) == flag);
			if (flag) {
				l_runs(lengthy);
			} else {
				assert_int_equal(lengthy->state, JOB_PENDING);
			}
			world_free(w);
		}
}

/* UsageFactorSafe: the limit on minutes is compared with the minutes that will be charged (L30, L32). */
static void usage_factor_safe(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int flag = 0; flag < 2; flag++) {
			struct world *w = with(v, flag ? "modify qos q set UsageFactor=2 MaxTRESMinsPerJob=cpu=60 flags=UsageFactorSafe\n"
						       : "modify qos q set UsageFactor=2 MaxTRESMinsPerJob=cpu=60\n");
			w_begin(w, 0);
			struct job *j = w_job(w, 1, "qos", "q", "ntasks", "4", "time", "10", NULL);
			w_full(w, 1);
			if (flag)
				w_waits(j, REASON_QOS_MAX_CPU_MINS_PJ);
			else
				l_runs(j);
			world_free(w);
		}
}

/* EnforceUsageThreshold: the weighted term is compared when there is one, and MaxMem is not looked at (L67). */
static void usage_threshold(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int weight = 0; weight < 2; weight++) {
			struct world *w = with(v, "modify qos q set UsageThreshold=0.5 flags=EnforceUsageThreshold\n");
			first_part(w)->max_mem = 100;
			w_begin(w, 0);
			acct_find(w->cl->acct, "u1", NULL, NULL)->fairshare = 0.2;
			w->p->weight_fairshare = weight ? 1000 : 0;
			struct job *j = w_job(w, 1, "qos", "q", "mem", "200", NULL);
			w_full(w, 2);
			if (weight)
				l_runs(j);
			else
				w_waits(j, REASON_QOS_USAGE_THRESHOLD);
			world_free(w);
		}
}

/* PartitionMaxNodes, PartitionMinNodes, PartitionTimeLimit: each lets through what it names and nothing else. */
static void partition_flags(void **state)
{
	static const struct { const char *flag, *nodes, *time; enum reason without; } rows[] = {
	    {"PartitionMaxNodes", "4", "10", REASON_PARTITION_NODE_LIMIT},
	    {"PartitionMinNodes", "1", "10", REASON_PARTITION_NODE_LIMIT},
	    {"PartitionTimeLimit", "2", "90", REASON_PARTITION_TIME_LIMIT}};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
			for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
				g_autofree char *set = g_strdup_printf("modify qos q set flags=%s\n", rows[k].flag);
				g_autofree char *count = g_strdup_printf("%s-%s", rows[i].nodes, rows[i].nodes);
				struct world *w = with(v, set);
				struct partition *p = first_part(w);
				p->max_nodes = 3;
				p->min_nodes = 2;
				p->max_time = 60;
				w_begin(w, 0);
				struct job *j = w_job(w, 1, "qos", "q", "nodes", count, "time", rows[i].time, NULL);
				w_full(w, 1);
				if (i == k)
					l_runs(j);
				else
					w_waits(j, rows[i].without);
				world_free(w);
			}
}

/* ---- partitions ---- */

/* L60: what a partition is when nothing is said. */
static void partition_defaults(void **state)
{
	struct diag *d = diag_new();
	struct cluster *c = slurmconf_read_text("NodeName=n1 CPUs=1\nPartitionName=p Nodes=n1\n"
	                                        "PartitionName=q Nodes=n1 MaxTime=1:30 DefaultTime=3\n", "s.conf", NULL, d);
	const struct partition *p = c->partitions->pdata[0], *q = c->partitions->pdata[1];
	(void)state;
	assert_true(p->max_time == INFINITE && p->default_time == NO_VAL && p->max_nodes == INFINITE);
	assert_true(p->min_nodes == 0 && p->max_cpus_per_node == INFINITE && p->state == PART_UP && p->priority_tier == 1);
	assert_int_equal(p->over_time_limit, NO_VAL);
	assert_int_equal(q->max_time, 2); /* seconds are rounded up */
	assert_true(q->default_time == NO_VAL); /* above MaxTime: dropped */
	assert_int_equal(c->params->enforce_part_limits, ENFORCE_PART_NO);
	cluster_free(c);
	diag_free(d);
}

/* L61: who takes jobs, who starts them, and the chain of alternates. */
static void partition_states(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = with(v, "");
		struct partition *down = w_part(w, "down", "n1"), *drain = w_part(w, "drain", "n1"), *off = w_part(w, "off", "n1"),
				 *loop = w_part(w, "loop", "n1");
		w_begin(w, 0);
		struct job *early = w_job(w, 1, "partition", "drain", "begin", "5", NULL), *held = w_job(w, 1, "partition", "off", "begin", "5", NULL);
		down->state = PART_DOWN;
		drain->state = PART_DRAIN;
		off->state = PART_INACTIVE;
		loop->state = PART_DRAIN;
		ctl_touch(w->c);
		struct job *waits = w_job(w, 2, "partition", "down", NULL);
		w_refused(w, 2, "Required partition not available (inactive or drain)", "partition", "drain", NULL);
		w_refused(w, 2, "Required partition not available (inactive or drain)", "partition", "off,drain", NULL);
		struct job *list = w_job(w, 2, "partition", "off,p", NULL);
		assert_string_equal(list->part->name, "p");
		w_full(w, 6);
		l_runs(early);
		w_waits(held, REASON_PARTITION_INACTIVE);
		w_waits(waits, REASON_PARTITION_DOWN);
		off->alternate = g_strdup("drain");
		drain->alternate = g_strdup("p");
		loop->alternate = g_strdup("loop");
		struct job *other = w_job(w, 7, "partition", "off", NULL);
		assert_string_equal(other->part->name, "p");
		w_refused(w, 7, "Required partition not available", "partition", "loop", NULL);
		world_free(w);
	}
}

/* L62, L64: refusals of an enforcing cluster, with their texts. L63: only ALL looks at every partition of the list. */
static void enforced(void **state)
{
	static const char node_count[] = "Node count specification invalid", denied[] = "Access/permission denied",
			  config[] = "Requested node configuration is not available",
			  time_limit[] = "Requested time limit is invalid (missing or exceeds some limit)";
	(void)state;
	for (EACH_VERSION(v))
		for (int e = ENFORCE_PART_ANY; e <= ENFORCE_PART_ALL; e++) {
			struct world *w = with(v, "");
			struct partition *two = w_part(w, "two", "n[1-4]"), *root = w_part(w, "root", "n1"), *resv = w_part(w, "resv", "n1"),
					 *nobody = w_part(w, "nobody", "n1"), *qos = w_part(w, "qos", "n1"), *acct = w_part(w, "acct", "n1");
			two->min_nodes = 2;
			two->max_nodes = 3;
			two->max_time = 60;
			two->max_cpus_per_node = 6;
			root->root_only = true;
			resv->req_resv = true;
			nobody->disable_root = true;
			qos->allow_qos = g_strsplit("other", ",", -1);
			acct->deny_accounts = g_strsplit("acct", ",", -1);
			w->p->enforce_part_limits = (enum enforce_part_limits)e;
			w_begin(w, 0);
			w_refused(w, 1, denied, "partition", "root", NULL);
			w_refused(w, 1, denied, "partition", "resv", NULL);
			w_refused(w, 1, denied, "partition", "nobody", "user", "root", NULL);
			w_refused(w, 1, node_count, "partition", "two", "nodes", "1", NULL);
			w_refused(w, 1, node_count, "partition", "two", "nodes", "4", NULL);
			w_refused(w, 1, node_count, "partition", "two", "nodes", "9", NULL);
			w_refused(w, 1, "Task count specification invalid", "partition", "two", "ntasks", "1", NULL);
			w_refused(w, 1, time_limit, "partition", "two", "time", "61", NULL);
			w_refused(w, 1, config, "partition", "two", "ntasks", "25", NULL);
			w_refused(w, 1, config, "partition", "qos", "nodelist", "n2", NULL);
			w_refused(w, 1, "Invalid qos specification", "partition", "qos", NULL);
			w_refused(w, 1, "Invalid account or account/partition combination specified", "partition", "acct", NULL);
			struct job *two_nodes = w_job(w, 1, "partition", "two", "ntasks", "3", NULL); /* no -N: MinNodes */
			if (v != SLURM_22_05) /* L69, L65: the record's maximum is 4 */
				w_refused(w, 1, config, "partition", "two", "ntasks", "4", NULL);
			assert_int_equal(two_nodes->min_nodes, 2);
			if (v == SLURM_22_05) /* L90: the trial ends with any failure of L67 */
				w_refused(w, 1, config, "partition", "two", "time", "61", "time-min", "10", NULL);
			else
				w_job(w, 1, "partition", "two", "time", "61", "time-min", "10", NULL);
			if (e == ENFORCE_PART_ALL)
				w_refused(w, 1, "Invalid qos specification", "partition", "p,qos", NULL);
			else
				w_job(w, 1, "partition", "p,qos", NULL);
			world_free(w);
		}
}

/* L64: DefaultTime of the first partition; of 0 a limit must be given; --time-min above MaxTime or the limit. */
static void default_time(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = with(v, "");
		struct partition *a = first_part(w), *b = w_part(w, "b", "n1"), *zero = w_part(w, "zero", "n1");
		a->max_time = 60;
		a->default_time = 30;
		b->default_time = 20;
		zero->default_time = 0;
		w_begin(w, 0);
		assert_int_equal(w_job(w, 1, NULL)->time_limit, 30);
		assert_int_equal(w_job(w, 1, "partition", "b,p", NULL)->time_limit, 20);
		w_refused(w, 1, "Requested time limit is invalid", "partition", "zero", NULL);
		w_refused(w, 1, "Invalid time-min", "time-min", "61", "time", "90", NULL);
		w_refused(w, 1, "Invalid time-min", "time-min", "50", "time", "40", NULL);
		world_free(w);
	}
}

/* L65: what the trial after creation makes of the partitions' own limits. */
static void trial(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
		for (int e = 0; e < 2; e++) {
			struct world *w = with(v, "");
			struct partition *down = w_part(w, "down", "n1"), *few = w_part(w, "few", "n[1-2]");
			down->state = PART_DOWN;
			few->max_time = 60;
			w->p->enforce_part_limits = e ? ENFORCE_PART_ANY : ENFORCE_PART_NO;
			w_begin(w, 0);
			w_waits(w_job(w, 1, "partition", "down", NULL), REASON_PARTITION_DOWN);
			if (e) {
				w_refused(w, 1, "Node count specification invalid", "partition", "few", "nodes", "3", NULL);
			} else {
				struct job *wide = w_job(w, 1, "partition", "few", "nodes", "3", NULL);
				w_waits(wide, REASON_PARTITION_CONFIG);
				w_full(w, 2);
				w_waits(wide, REASON_PARTITION_NODE_LIMIT);
				struct job *lengthy = w_job(w, 2, "partition", "few", "time", "61", NULL);
				if (v == SLURM_22_05) /* L90 */
					w_waits(lengthy, REASON_PARTITION_CONFIG);
				w_full(w, 3);
				w_waits(lengthy, REASON_PARTITION_TIME_LIMIT);
			}
			w_refused(w, 4, "Requested node configuration is not available", "ntasks", "9", "nodes", "1-1", NULL);
			world_free(w);
		}
}

/* L69: -n N without -N on a partition of fewer nodes. L70, L71: overtime and tiers. */
static void tasks_overtime_tiers(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = with(v, "");
		struct partition *p = first_part(w), *low = w_part(w, "low", "n[1-4]");
		p->priority_tier = 2;
		low->max_nodes = 2;
		p->over_time_limit = 5;
		w_begin(w, 0);
		struct job *j = w_job(w, 1, "time", "1", "nodes", "4", "ntasks", "32", NULL);
		w_full(w, 1);
		l_runs(j);
		struct job *first = w_job(w, 2, "partition", "low", "ntasks", "2", "priority", "1000", NULL),
		           *high = w_job(w, 2, "ntasks", "8", NULL), *many = w_job(w, 2, "partition", "low", "ntasks", "3", NULL);
		w_full(w, 3);
		w_waits(high, REASON_RESOURCES); /* the higher tier is first in spite of the priority, and takes all nodes */
		assert_null(high->reason_text);
		w_waits(first, REASON_RESOURCES);
		assert_non_null(first->reason_text);
		if (v == SLURM_22_05) {
			w_waits(many, REASON_PRIORITY);
		} else { /* at most N nodes, and that is above MaxNodes */
			w_waits(many, REASON_PARTITION_NODE_LIMIT);
			assert_int_equal(many->max_nodes, 3);
		}
		controller_sweep(w->c, 330 * USEC);
		l_runs(j);
		controller_sweep(w->c, 361 * USEC);
		assert_int_equal(j->state, JOB_TIMEOUT);
		world_free(w);
	}
}

/* L26, L63, L65: an id is used up by what the trial after creation refuses, not by limits or access. */
static void ids_of_refused(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = with(v, "modify qos d set MaxTRESPerJob=cpu=3 MaxSubmitJobsPerUser=9\n");
		w_part(w, "root", "n1")->root_only = true;
		w_begin(w, 0);
		assert_int_equal(w_job(w, 1, NULL)->id, 1);
		w_refused(w, 1, "QOSMaxCpuPerJobLimit\nJob violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
			  "qos", "d", "ntasks", "4", NULL);
		w_refused(w, 1, "Access/permission denied", "partition", "root", NULL);
		w_refused(w, 1, "Invalid account or account/partition combination specified", "user", "nobody", NULL);
		assert_int_equal(w_job(w, 1, NULL)->id, 2);
		w_refused(w, 1, "Requested node configuration is not available", "ntasks", "9", "nodes", "1-1", NULL);
		assert_int_equal(w_job(w, 1, NULL)->id, 4);
		world_free(w);
	}
}

/* L72: MaxMemPerNode and MaxMemPerCPU of a partition against requests per node and per CPU. */
static void memory(void **state)
{
	static const struct { bool per_cpu_limit, per_cpu; const char *mem; bool fails; } rows[] = {
	    {false, false, "1001", true}, {false, false, "1000", false}, {false, true, "501", true}, {false, true, "500", false},
	    {true, true, "1500", false} /* more CPUs instead */, {true, false, "1001", false} /* two CPUs a node */};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
			for (int e = 0; e < 2; e++) {
				struct world *w = with(v, "");
				struct partition *p = first_part(w);
				w->p->cr_memory = true;
				p->max_mem = 1000;
				p->max_mem_per_cpu = rows[i].per_cpu_limit;
				w->p->enforce_part_limits = e ? ENFORCE_PART_ALL : ENFORCE_PART_NO;
				w_begin(w, 0);
				const char *option = rows[i].per_cpu ? "mem-per-cpu" : "mem";
				if (e && rows[i].fails) {
					w_refused(w, 1, "Memory required by task is not available", option, rows[i].mem, "ntasks", "1", "cpus-per-task", "2", NULL);
				} else {
					struct job *j = w_job(w, 1, option, rows[i].mem, "ntasks", "1", "cpus-per-task", "2", NULL);
					w_full(w, 1);
					if (rows[i].fails)
						w_waits(j, REASON_MAX_MEM_PER_LIMIT);
					else
						l_runs(j);
				}
				world_free(w);
			}
}

/* B19: too many nodes for a limit: with assoc_limit_stop, which leaves B15 out, it is told by the node counts */
static void backfill_node_counts(void **state)
{
	(void)state;
	for (EACH_VERSION(v)) {
		struct world *w = with(v, "modify user u1 set MaxTRESPerJob=node=1\n");
		w->p->assoc_limit_stop = true;
		w_begin(w, 0);
		struct job *j = w_job(w, 2, "nodes", "2", "ntasks", "2", "time", "10", NULL);
		struct job *fits = w_job(w, 2, "nodes", "1", "ntasks", "1", "time", "10", NULL);
		w_backfill(w, 3);
		assert_string_equal(w->skips->str, "1 B19: limits on the number of nodes");
		assert_int_equal(j->state, JOB_PENDING);
		assert_int_equal(j->est_start, 0);
		l_runs(fits);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(enforce_words), cmocka_unit_test(run_minutes_of_associations), cmocka_unit_test(minutes_truncated),
	    cmocka_unit_test(order_of_qos), cmocka_unit_test(order_of_associations), cmocka_unit_test(order_after_selection),
	    cmocka_unit_test(requires_reservation), cmocka_unit_test(no_reserve), cmocka_unit_test(backfill_node_counts), cmocka_unit_test(usage_factor_safe),
	    cmocka_unit_test(usage_threshold), cmocka_unit_test(partition_flags), cmocka_unit_test(partition_defaults),
	    cmocka_unit_test(partition_states), cmocka_unit_test(enforced), cmocka_unit_test(default_time), cmocka_unit_test(trial),
	    cmocka_unit_test(tasks_overtime_tiers), cmocka_unit_test(memory), cmocka_unit_test(ids_of_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
