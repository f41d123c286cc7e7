/*
 * reasons_test.c - one minimal scenario for each reason that a simulated cluster can produce: what makes it appear, and
 * what makes it go away. Limits come from a table; the others have a function each.
 *
 * Which can be shown the table itself says (reason_table.h, reason_note.absent); the last test fails, in either version,
 * for one that can and has no scenario here, and for one that cannot and has.
 */
#include "limits_helper.h"
#include "models/groups.h"
#include "sched/reservation.h"
#include "sched/reason_table.h"

static bool seen[2][REASON_COUNT]; /* of each version */
static enum slurm_version now; /* the version of the test that runs */
static bool wrong;

/* ---- limits ---- */

enum away { BY_END, BY_LIFTING }; /* the first job's end, or the limit's removal */
enum { OF_QOS, OF_ACCOUNT, OF_USER };

struct row {
	enum reason reason;
	int owner;
	const char *option, *tres, *value;
	const char *first, *second; /* requests; first NULL = none */
	enum away away;
};

#define CPUS "ntasks=4 time=2", "ntasks=4 time=2"
#define MEM "mem=800 time=2", "mem=800 time=2"
#define NODES "nodes=1 exclusive time=2", "nodes=1 exclusive time=2"
#define GPUS "gres=gpu:2 time=2", "gres=gpu:2 time=2"
#define LICENCES "licenses=mat:2 time=2", "licenses=mat:2 time=2"
#define GROUP(P, S, owner, option, c, m, n, g)                                                                         \
	{P##CPU##S, owner, option, "cpu", c, CPUS, BY_END}, {P##MEM##S, owner, option, "mem", m, MEM, BY_END},         \
	    {P##NODE##S, owner, option, "node", n, NODES, BY_END},                                                     \
	    {P##GRES##S, owner, option, "gres/gpu", g, GPUS, BY_END},                                                  \
	    {P##LICENSE##S, owner, option, "license/mat", g, LICENCES, BY_END},                                        \
	{                                                                                                              \
		P##BILLING##S, owner, option, "billing", c, CPUS, BY_END                                               \
	}
#define PER_JOB(P, S, owner, option, c, m, n, g)                                                                       \
	{P##CPU##S, owner, option, "cpu", c, NULL, "ntasks=4 time=2", BY_LIFTING},                                     \
	    {P##MEM##S, owner, option, "mem", m, NULL, "mem=800 time=2", BY_LIFTING},                                  \
	    {P##NODE##S, owner, option, "node", n, NULL, "nodes=2 time=2", BY_LIFTING},                                \
	    {P##GRES##S, owner, option, "gres/gpu", g, NULL, "gres=gpu:2 time=2", BY_LIFTING},                         \
	    {P##LICENSE##S, owner, option, "license/mat", g, NULL, "licenses=mat:2 time=2", BY_LIFTING},               \
	{                                                                                                              \
		P##BILLING##S, owner, option, "billing", c, NULL, "ntasks=4 time=2", BY_LIFTING                        \
	}
#define PER_NODE(P, owner)                                                                                             \
	{P##CPU_PN, owner, "MaxTRESPerNode", "cpu", "3", NULL, "nodes=1 ntasks=4", BY_LIFTING},                        \
	    {P##MEM_PN, owner, "MaxTRESPerNode", "mem", "700", NULL, "mem=800", BY_LIFTING},                           \
	    {P##GRES_PN, owner, "MaxTRESPerNode", "gres/gpu", "1", NULL, "gres=gpu:2", BY_LIFTING},                    \
	    {P##BILLING_PN, owner, "MaxTRESPerNode", "billing", "3", NULL, "nodes=1 ntasks=4", BY_LIFTING},            \
	{                                                                                                              \
		P##UNKNOWN_PN, owner, "MaxTRESPerNode", "node", "0", NULL, "nodes=1", BY_LIFTING                       \
	}
#define MINIMUM(P, t, v, request)                                                                                      \
	{                                                                                                              \
		P, OF_QOS, "MinTRESPerJob", t, v, NULL, request, BY_LIFTING                                            \
	}

static const struct row rows[] = {
    GROUP(REASON_QOS_GRP_, , OF_QOS, "GrpTRES", "6", "1000", "1", "3"),
    GROUP(REASON_QOS_GRP_, _MINS, OF_QOS, "GrpTRESMins", "12", "2000", "3", "6"),
    GROUP(REASON_QOS_GRP_, _RUN_MINS, OF_QOS, "GrpTRESRunMins", "12", "2000", "3", "6"),
    GROUP(REASON_QOS_MAX_, _PU, OF_QOS, "MaxTRESPerUser", "6", "1000", "1", "3"),
    GROUP(REASON_QOS_MAX_, _PA, OF_QOS, "MaxTRESPerAccount", "6", "1000", "1", "3"),
    GROUP(REASON_QOS_MAX_, _RUN_MINS_PU, OF_QOS, "MaxTRESRunMinsPerUser", "12", "2000", "3", "6"),
    GROUP(REASON_QOS_MAX_, _RUN_MINS_PA, OF_QOS, "MaxTRESRunMinsPerAccount", "12", "2000", "3", "6"),
    PER_JOB(REASON_QOS_MAX_, _PJ, OF_QOS, "MaxTRESPerJob", "3", "700", "1", "1"),
    PER_JOB(REASON_QOS_MAX_, _MINS_PJ, OF_QOS, "MaxTRESMinsPerJob", "7", "1500", "3", "3"),
    PER_NODE(REASON_QOS_MAX_, OF_QOS),
    MINIMUM(REASON_QOS_MIN_CPU, "cpu", "4", "ntasks=2"),
    MINIMUM(REASON_QOS_MIN_MEM, "mem", "1000", "mem=100"),
    MINIMUM(REASON_QOS_MIN_NODE, "node", "2", "nodes=1"),
    MINIMUM(REASON_QOS_MIN_GRES, "gres/gpu", "1", "ntasks=1"),
    MINIMUM(REASON_QOS_MIN_BILLING, "billing", "4", "ntasks=2"),
    MINIMUM(REASON_QOS_MIN_LICENSE, "license/mat", "1", "ntasks=1"),
    MINIMUM(REASON_QOS_MIN_ENERGY, "energy", "1", "ntasks=1"), /* no job ever asks for any */
    MINIMUM(REASON_QOS_MIN_UNKNOWN, "vmem", "1", "ntasks=1"),
    MINIMUM(REASON_QOS_MIN_BB, "bb/fast", "1", "ntasks=1"),
    {REASON_QOS_GRP_JOBS, OF_QOS, "GrpJobs", NULL, "1", "ntasks=1", "ntasks=1", BY_END},
    {REASON_QOS_MAX_JOBS_PU, OF_QOS, "MaxJobsPerUser", NULL, "1", "ntasks=1", "ntasks=1", BY_END},
    {REASON_QOS_MAX_JOBS_PA, OF_QOS, "MaxJobsPerAccount", NULL, "1", "ntasks=1", "ntasks=1", BY_END},
    {REASON_QOS_GRP_WALL, OF_QOS, "GrpWall", NULL, "3", NULL, "time=4", BY_LIFTING},
    {REASON_QOS_MAX_WALL_PJ, OF_QOS, "MaxWall", NULL, "3", NULL, "time=4", BY_LIFTING},
    GROUP(REASON_ASSOC_GRP_, , OF_ACCOUNT, "GrpTRES", "6", "1000", "1", "3"),
    GROUP(REASON_ASSOC_GRP_, _MINS, OF_ACCOUNT, "GrpTRESMins", "12", "2000", "3", "6"),
    GROUP(REASON_ASSOC_GRP_, _RUN_MINS, OF_ACCOUNT, "GrpTRESRunMins", "12", "2000", "3", "6"),
    PER_JOB(REASON_ASSOC_MAX_, _PJ, OF_USER, "MaxTRESPerJob", "3", "700", "1", "1"),
    PER_JOB(REASON_ASSOC_MAX_, _MINS_PJ, OF_USER, "MaxTRESMinsPerJob", "7", "1500", "3", "3"),
    PER_NODE(REASON_ASSOC_MAX_, OF_USER),
    {REASON_ASSOC_GRP_JOBS, OF_ACCOUNT, "GrpJobs", NULL, "1", "ntasks=1", "ntasks=1", BY_END},
    {REASON_ASSOC_MAX_JOBS, OF_USER, "MaxJobs", NULL, "1", "ntasks=1", "ntasks=1", BY_END},
    {REASON_ASSOC_GRP_WALL, OF_ACCOUNT, "GrpWall", NULL, "3", NULL, "time=4", BY_LIFTING},
    {REASON_ASSOC_MAX_WALL_PJ, OF_USER, "MaxWall", NULL, "3", NULL, "time=4", BY_LIFTING},
};

/* "ntasks=4 exclusive", with QOS (may be NULL). NULL and ERROR when refused. */
static struct job *ask(struct world *w, sec_t t, const char *text, const char *qos, GError **error)
{
	struct job_request *r = job_request_new();
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	for (char **p = words; *p; p++) {
		char *value = strchr(*p, '=');
		if (value)
			*value++ = '\0';
		assert_true(job_request_set(r, *p, value, NULL));
	}
	r->user = g_strdup("u1");
	r->qos = g_strdup(qos);
	return controller_submit(w->c, r, t * USEC, NULL, error);
}

static char *command(const struct row *r, const char *value)
{
	static const char *const whose[] = {"qos q", "account acct", "user u1"};
	return g_strdup_printf("modify %s set %s=%s%s%s\n", whose[r->owner], r->option, r->tres ? r->tres : "",
	                       r->tres ? "=" : "", value);
}

static struct world *limited(enum slurm_version v, const struct row *r)
{
	g_autofree char *limit = command(r, r->value);
	g_autofree char *all = g_strconcat("add qos q\nmodify account root set qos+=q\n", limit, NULL);
	struct world *w = l_unbegun(v, "n[1-4]", LIMITS | ENFORCE_SAFE, all);
	struct license *mat = g_new0(struct license, 1);
	*mat = (struct license){g_strdup("mat"), 100, 0};
	g_ptr_array_add(w->cl->licenses, mat);
	w->p->cr_memory = true;
	w->p->def_mem = 100;
	w->p->def_mem_per_cpu = true;
	w->p->priority_decay_half_life = 0;
	w_begin(w, 0);
	return w;
}

static void lift(struct world *w, const struct row *r)
{
	g_autofree char *text = command(r, "-1");
	struct diag *d = diag_new();
	assert_true(accounting_read_text(text, "lift", w->cl->acct, d));
	diag_free(d);
}

static void one_limit(enum slurm_version v, const struct row *r)
{
	struct world *w = limited(v, r);
	const char *qos = r->owner == OF_QOS ? "q" : NULL;
	struct job *first = r->first ? ask(w, 10, r->first, qos, NULL) : NULL;
	w_full(w, 10);
	if (first)
		l_runs(first);
	struct job *j = ask(w, 11, r->second, qos, NULL);
	w_full(w, 11);
	w_waits(j, r->reason);
	assert_int_equal(j->blocker.kind, BLOCKER_LIMIT);
	if (r->away == BY_END)
		w_end(w, first, 12, 0, true);
	else
		lift(w, r);
	w_full(w, 13);
	if (j->state != JOB_RUNNING)
		fail_msg("%s does not go away", reason_name(r->reason));
	world_free(w);
}

static void limits(void **state)
{
	(void)state;
	for (EACH_VERSION(v))
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		if (reason_known(v, rows[i].reason)) {
			one_limit(v, &rows[i]);
			seen[v == SLURM_22_05][rows[i].reason] = true;
		}
}

/* Refused at submission; accepted again after the first job's end. */
static void submit_limits(void **state)
{
	static const struct row refused[] = {
	    {REASON_QOS_GRP_SUBMIT, OF_QOS, "GrpSubmitJobs", NULL, "1", NULL, NULL, BY_END},
	    {REASON_QOS_MAX_SUBMIT_PU, OF_QOS, "MaxSubmitJobsPerUser", NULL, "1", NULL, NULL, BY_END},
	    {REASON_QOS_MAX_SUBMIT_PA, OF_QOS, "MaxSubmitJobsPerAccount", NULL, "1", NULL, NULL, BY_END},
	    {REASON_ASSOC_GRP_SUBMIT, OF_ACCOUNT, "GrpSubmitJobs", NULL, "1", NULL, NULL, BY_END},
	    {REASON_ASSOC_MAX_SUBMIT, OF_USER, "MaxSubmitJobs", NULL, "1", NULL, NULL, BY_END},
	};
	(void)state;
	for (EACH_VERSION(v))
	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
		struct world *w = limited(v, &refused[i]);
		const char *qos = refused[i].owner == OF_QOS ? "q" : NULL;
		GError *error = NULL;
		struct job *j = ask(w, 10, "ntasks=1", qos, NULL);
		w_full(w, 10);
		assert_null(ask(w, 11, "ntasks=1", qos, &error));
		if (!g_str_has_prefix(error->message, reason_name(refused[i].reason)))
			fail_msg("%s", error->message);
		g_error_free(error);
		w_end(w, j, 12, 0, true);
		assert_non_null(ask(w, 13, "ntasks=1", qos, NULL));
		seen[v == SLURM_22_05][refused[i].reason] = true;
		world_free(w);
	}
}

/* ---- the others ---- */

/* Whatever the reason: something stands in the way, and it is named. */
static void waits(const struct job *j, enum reason r)
{
	w_waits(j, r);
	if (r == REASON_NONE)
		return;
	seen[now == SLURM_22_05][r] = true;
	if (j->blocker.kind == BLOCKER_NONE)
		fail_msg("nothing stands in the way of a job that is %s", reason_name(r));
}

static void obstacle(const struct world *w, const struct job *j, const char *text)
{
	g_autofree char *who = blocker_who(&j->blocker, j), *detail = blocker_detail(&j->blocker, j, w->c);
	g_autofree char *both = g_strjoin(detail ? ": " : "", who, detail, NULL);
	assert_string_equal(both, text);
}

static void queue(enum slurm_version v)
{
	struct world *w = l_world(v, "n[1-2]", LIMITS, NULL);
	struct job *a = w_run(w, 5, "n[1-2]", 60);
	struct job *b = w_job(w, 10, "nodes", "2", NULL), *c = w_job(w, 11, NULL);
	waits(c, REASON_RESOURCES); /* a whole-node job leaves too few nodes: R10 */
	w_full(w, 12);
	waits(b, REASON_RESOURCES);
	assert_int_equal(b->blocker.kind, BLOCKER_RESOURCE);
	obstacle(w, b, "nodes open to other jobs in p: free 0, wanted 2");
	waits(c, REASON_PRIORITY);
	obstacle(w, c, "job 2");
	assert_int_equal(c->blocker.kind, BLOCKER_JOB);
	assert_int_equal(c->blocker.job, b->id);
	w_end(w, a, 13, 0, true);
	w_full(w, 13);
	l_runs(b);
	l_runs(c);
	world_free(w);
}

static void dependency(enum slurm_version v)
{
	struct world *w = l_world(v, "n1", LIMITS, NULL);
	struct job *a = w_job(w, 10, NULL);
	w_full(w, 10);
	struct job *ok = w_job(w, 11, "dependency", "afterok:1", NULL),
	           *no = w_job(w, 11, "dependency", "afternotok:1", NULL);
	waits(ok, REASON_DEPENDENCY);
	assert_int_equal(ok->blocker.kind, BLOCKER_DEPENDENCY);
	assert_int_equal(ok->blocker.job, a->id);
	obstacle(w, ok, "job 1: afterok, RUNNING");
	struct job *both = w_job(w, 11, "dependency", "afterany:1?after:2", NULL), *single = w_job(w, 11, "dependency", "singleton", NULL);
	obstacle(w, both, "job 1: afterany:1 RUNNING, after:2 PENDING: one of them is enough");
	waits(single, REASON_DEPENDENCY);
	obstacle(w, single, "job 1: singleton  of u1");
	w_end(w, a, 12, 0, true);
	w_full(w, 13);
	l_runs(ok);
	waits(no, REASON_DEPENDENCY_NEVER);
	obstacle(w, no, "job 1: afternotok, COMPLETED");
	world_free(w);
}

static void holds(enum slurm_version v)
{
	struct world *w = l_world(v, "n1", LIMITS, NULL);
	struct job *user = w_job(w, 10, "hold", "", NULL), *admin = w_job(w, 10, NULL),
	           *later = w_job(w, 10, "begin", "100", NULL);
	waits(user, REASON_HELD_USER);
	obstacle(w, user, "held by --hold at its submission");
	waits(later, REASON_BEGIN_TIME);
	obstacle(w, later, "begin time: 1970-01-01T00:01:40");
	assert_true(controller_hold(w->c, admin, false, 11 * USEC, NULL));
	waits(admin, REASON_HELD_ADMIN);
	obstacle(w, admin, "held by an operator");
	w_full(w, 12);
	waits(user, REASON_HELD_USER);
	assert_true(controller_update_job(w->c, later, "priority", "0", 12 * USEC, NULL));
	w_full(w, 12);
	obstacle(w, later, "held by a priority of 0");
	assert_true(controller_hold(w->c, later, true, 12 * USEC, NULL));
	obstacle(w, later, "held by its owner or a coordinator");
	assert_true(controller_release(w->c, later, NULL, 12 * USEC, NULL));
	assert_false(controller_release(w->c, admin, "u1", 13 * USEC, NULL));
	assert_true(controller_release(w->c, admin, NULL, 13 * USEC, NULL));
	assert_true(controller_release(w->c, user, "u1", 13 * USEC, NULL));
	waits(user, REASON_NONE);
	w_full(w, 14);
	l_runs(user);
	l_runs(admin);
	w_full(w, 100);
	l_runs(later);
	world_free(w);
}

static void array_limit(enum slurm_version v)
{
	struct world *w = l_world(v, "n1", LIMITS, NULL);
	struct job *head = w_job(w, 10, "array", "0-2%1", NULL);
	w_full(w, 10);
	w_full(w, 11);
	waits(head, REASON_ARRAY_TASK_LIMIT);
	assert_int_equal(head->blocker.kind, BLOCKER_THROTTLE);
	obstacle(w, head, "array %N: limit 1, in use 1, wanted 1");
	w_end(w, controller_find_task(w->c, head->array->job_id, 0), 12, 0, true);
	w_full(w, 13);
	l_runs(controller_find_task(w->c, head->array->job_id, 1));
	world_free(w);
}

static void nodes_missing(enum slurm_version v)
{
	struct world *w = l_world(v, "n[1-2]", LIMITS, NULL);
	assert_true(controller_update_node(w->c, "n2", "DOWN", "test", 5 * USEC, NULL));
	struct job *j = w_job(w, 10, "nodelist", "n2", NULL), *two = w_job(w, 10, "nodes", "2", NULL);
	waits(j, REASON_REQ_NODE_NOT_AVAIL);
	assert_string_equal(j->reason_text, "ReqNodeNotAvail, UnavailableNodes:n2");
	assert_int_equal(j->blocker.kind, BLOCKER_NODES);
	w_full(w, 11);
	w_waits(two, REASON_RESOURCES);
	obstacle(w, j, "nodes of p: available 0 of 1 required, wanted 1; down: n2");
	obstacle(w, two, "nodes of p: available 1 of 2, wanted 2; down: n2");
	assert_true(controller_update_node(w->c, "n2", "RESUME", NULL, 12 * USEC, NULL));
	w_full(w, 13);
	l_runs(j);
	l_runs(two);
	world_free(w);
}

static void change(struct world *w, sec_t t, const char *key, const char *value)
{
	GError *error = NULL;
	if (!controller_update_partition(w->c, "q", key, value, t * USEC, &error))
		fail_msg("%s", error->message);
}

static void partition_limit(enum slurm_version v, enum reason r, const char *what, const char *key, const char *bad,
                            const char *good, const char *text)
{
	struct world *w = l_unbegun(v, "n[1-4]", LIMITS, NULL);
	w_part(w, "q", "n[1-4]");
	w_begin(w, 0);
	struct job *j = w_job(w, 10, "partition", "q", "nodes", "2", "time", "20", NULL);
	change(w, 11, key, bad);
	w_full(w, 12);
	waits(j, r);
	obstacle(w, j, text);
	assert_int_equal(j->blocker.kind, BLOCKER_PARTITION);
	assert_string_equal(j->blocker.what, what);
	change(w, 13, key, good);
	w_full(w, 14);
	l_runs(j);
	world_free(w);
}

static void partition_limits(enum slurm_version v)
{
	partition_limit(v, REASON_PARTITION_TIME_LIMIT, "MaxTime", "maxtime", "10", "30", "partition q MaxTime: limit 10, wanted 20");
	partition_limit(v, REASON_PARTITION_NODE_LIMIT, "MaxNodes", "maxnodes", "1", "2", "partition q MaxNodes: limit 1, wanted 2");
	partition_limit(v, REASON_PARTITION_NODE_LIMIT, "MinNodes", "minnodes", "3", "2", "partition q MinNodes: limit 3, wanted 2");
	partition_limit(v, REASON_PARTITION_DOWN, "State=DOWN", "state", "down", "up", "partition q State=DOWN");
	partition_limit(v, REASON_PARTITION_INACTIVE, "State=INACTIVE", "state", "inactive", "up", "partition q State=INACTIVE");
}

/* What the partition's definition does not allow; it goes when the definition changes. */
static void part_access(enum slurm_version v)
{
	struct world *w = l_unbegun(v, "n[1-2]", LIMITS, "add qos q\nmodify account root set qos+=q\n");
	struct partition *cpus = w_part(w, "cpus", "n1"), *mem = w_part(w, "mem", "n1"), *qos = w_part(w, "qos", "n1"),
	                 *acct = w_part(w, "acct", "n1");
	cpus->max_cpus_per_node = 2;
	mem->max_mem = 100;
	qos->allow_qos = g_strsplit("normal", ",", -1);
	acct->allow_accounts = g_strsplit("other", ",", -1);
	w_begin(w, 0);
	struct job *a = w_job(w, 10, "partition", "cpus", "ntasks", "4", NULL),
	           *b = w_job(w, 10, "partition", "mem", "mem", "200", NULL);
	struct job *c = w_job(w, 10, "partition", "qos", "qos", "q", NULL),
	           *d = w_job(w, 10, "partition", "acct", NULL);
	w_full(w, 11);
	waits(a, REASON_PARTITION_CONFIG);
	obstacle(w, a, "partition cpus MaxCPUsPerNode: limit 2, wanted 4");
	waits(b, REASON_MAX_MEM_PER_LIMIT);
	obstacle(w, b, "partition mem MaxMemPerNode: limit 100, wanted 200");
	waits(c, REASON_QOS_NOT_ALLOWED);
	obstacle(w, c, "partition qos AllowQos: normal; has not q");
	assert_string_equal(c->reason_text, "Job's QOS not permitted to use this partition (qos allows normal not q)");
	if (v == SLURM_22_05)
		waits(d, REASON_ACCOUNT_NOT_ALLOWED);
	else
		waits(d, REASON_PARTITION_CONFIG);
	obstacle(w, d, "partition acct AllowAccounts: other; has not acct");
	cpus->max_cpus_per_node = INFINITE;
	mem->max_mem = NO_VAL64;
	g_clear_pointer(&qos->allow_qos, g_strfreev);
	g_clear_pointer(&acct->allow_accounts, g_strfreev);
	ctl_touch(w->c);
	w_full(w, 12);
	l_runs(a);
	l_runs(b);
	l_runs(c);
	l_runs(d);
	world_free(w);
}

/* L68, R40: 26 accepts and waits; 22.05 refuses at submission (L90). */
static void groups_of_users(enum slurm_version v)
{
	struct world *w = l_unbegun(v, "n1", LIMITS, NULL);
	struct partition *chem = w_part(w, "chem", "n1");
	struct diag *d = diag_new();
	GError *error = NULL;
	chem->allow_groups = g_strsplit("chem,bio", ",", -1);
	w->cl->groups = groups_read_text("# made by getent\nchem:x:100:u2,u3\nbio:x:101:\n", "group", d);
	assert_non_null(w->cl->groups);
	w_begin(w, 0);
	if (v == SLURM_22_05) {
		assert_null(ask(w, 1, "partition=chem", NULL, &error));
		assert_string_equal(error->message, "User's group not permitted to use this partition");
		g_clear_error(&error);
	} else {
		struct job *j = ask(w, 1, "partition=chem", NULL, NULL);
		w_full(w, 2);
		waits(j, REASON_ACCOUNT_NOT_ALLOWED);
		obstacle(w, j, "partition chem AllowGroups: chem,bio; has not u1 in any of these groups");
		g_autofree char *text = g_strdup_printf("uid %u not in group permitted to use this partition (chem). groups "
		                                        "allowed: chem,bio", 1000 + j->user_key);
		assert_string_equal(j->reason_text, text);
		g_hash_table_add(g_hash_table_lookup(w->cl->groups, "bio"), g_strdup("u1"));
		ctl_touch(w->c);
		w_full(w, 3);
		l_runs(j);
		g_hash_table_remove(g_hash_table_lookup(w->cl->groups, "bio"), "u1");
		w->p->enforce_part_limits = ENFORCE_PART_ANY; /* L62 */
		assert_null(ask(w, 4, "partition=chem", NULL, &error));
		assert_string_equal(error->message, "User's group not permitted to use this partition");
		g_clear_error(&error);
	}
	diag_free(d);
	world_free(w);
}

/* S33: with ignore_constraint_validation what nobody has waits; it goes when the job asks for something else. */
static void constraints(enum slurm_version v)
{
	if (v == SLURM_22_05)
		return;
	struct world *w = world_new(v);
	w_features(w_nodes(w, "n1", 1, 4, 1), "old");
	w_nodes(w, "n2", 1, 4, 1);
	w_part(w, "p", "n[1-2]");
	w->p->ignore_constraint_validation = true;
	w_begin(w, 0);
	struct job *j = w_job(w, 1, "nodes", "2", "constraint", "old", NULL);
	w_full(w, 2);
	waits(j, REASON_CONSTRAINTS);
	obstacle(w, j, "nodes with --constraint=old in p: there are 1, wanted 2");
	assert_true(controller_update_job(w->c, j, "numnodes", "1", 3 * USEC, NULL));
	w_full(w, 3);
	l_runs(j);
	world_free(w);
}

static void usage_threshold(enum slurm_version v)
{
	struct world *w =
	    l_world(v, "n1", LIMITS,
	            "add qos t UsageThreshold=0.5 Flags=EnforceUsageThreshold\nmodify account root set qos+=t\n");
	struct assoc *u1 = acct_find(w->cl->acct, "u1", NULL, NULL);
	w->p->weight_fairshare = 0;
	u1->fairshare = 0.2;
	struct job *j = w_job(w, 10, "qos", "t", NULL);
	w_full(w, 11);
	waits(j, REASON_QOS_USAGE_THRESHOLD);
	obstacle(w, j, "qos t UsageThreshold: 0.5, fair-share 0.2");
	u1->fairshare = 0.6;
	ctl_touch(w->c);
	w_full(w, 12);
	l_runs(j);
	world_free(w);
}

static void bad_constraints(enum slurm_version v)
{
	struct world *w = l_world(v, "n[1-2]", LIMITS, NULL);
	struct node_config *k = w->cl->configs->pdata[0];
	struct job *j = w_job(w, 10, "nodes", "2", "ntasks", "16", NULL);
	uint16_t cores = k->cores;
	k->cores = k->cpus = k->cores_per_socket = 4; /* the nodes shrink: what was possible no longer is */
	w->c->config_version++;
	ctl_touch(w->c);
	w_full(w, 11);
	waits(j, REASON_BAD_CONSTRAINTS);
	obstacle(w, j, "CPUs of the nodes that it may have in p: there are 8, wanted 16");
	assert_int_equal(j->priority, 0);
	k->cores = k->cpus = k->cores_per_socket = cores;
	w->c->config_version++;
	w_full(w, 12);
	waits(j, REASON_BAD_CONSTRAINTS); /* it stays held */
	assert_true(controller_release(w->c, j, NULL, 13 * USEC, NULL));
	w_full(w, 14);
	l_runs(j);
	world_free(w);
}

static void ended_with(const struct job *j, enum job_state state, enum reason r)
{
	assert_int_equal(j->state, state);
	assert_string_equal(reason_name(j->reason), reason_name(r));
	if (r != REASON_NONE)
		seen[now == SLURM_22_05][r] = true;
}

static void ends(enum slurm_version v)
{
	struct world *w = l_world(v, "n[1-2]", LIMITS, NULL);
	struct job *j[6];
	for (int i = 0; i < 5; i++)
		j[i] = w_job(w, 10, "time", i ? "60" : "1", "nodelist", i == 4 ? "n2" : "n1", "no-requeue", "", NULL);
	j[5] = w_job(w, 10, "deadline", "700", "time", "10", "hold", "", NULL);
	w_full(w, 10);
	controller_job_exited(w->c, j[1], 3, 0, false, 20 * USEC);
	controller_job_exited(w->c, j[2], 0, 9, false, 20 * USEC);
	controller_job_exited(w->c, j[3], 0, 9, true, 20 * USEC);
	assert_true(controller_update_node(w->c, "n2", "DOWN", "test", 21 * USEC, NULL));
	controller_sweep(w->c, 90 * USEC);
	assert_true(controller_release(w->c, j[5], NULL, 200 * USEC, NULL));
	w_full(w, 200);
	ended_with(j[0], JOB_TIMEOUT, REASON_TIME_LIMIT);
	ended_with(j[1], JOB_FAILED, REASON_NON_ZERO_EXIT);
	ended_with(j[2], JOB_FAILED, v == SLURM_22_05 ? REASON_JOB_LAUNCH_FAILURE : REASON_RAISED_SIGNAL);
	if (v != SLURM_22_05)
		assert_string_equal(j[2]->reason_text, "RaisedSignal:9(Killed)");
	ended_with(j[3], JOB_OOM, REASON_OUT_OF_MEMORY);
	ended_with(j[4], JOB_NODE_FAIL, REASON_NODE_DOWN);
	ended_with(j[5], JOB_DEADLINE, REASON_DEADLINE);
	world_free(w);
}

static void licences(enum slurm_version v)
{
	struct world *w = w_simple(v, "n[1-2]", 8);
	struct license *mat = g_new0(struct license, 1);
	*mat = (struct license){g_strdup("mat"), 2, 0};
	g_ptr_array_add(w->cl->licenses, mat);
	w_begin(w, 0);
	struct job *a = w_job(w, 1, "licenses", "mat:2", NULL), *b = w_job(w, 1, "licenses", "mat:1", NULL);
	w_full(w, 2);
	l_runs(a);
	waits(b, REASON_LICENSES);
	assert_int_equal(b->blocker.kind, BLOCKER_RESOURCE);
	obstacle(w, b, "licences of mat: free 0, wanted 1");
	w_end(w, a, 3, 0, true);
	w_full(w, 3);
	l_runs(b);
	world_free(w);
}

/* Before its reservation begins; held when it is deleted, until released. */
static void reservations(enum slurm_version v)
{
	struct world *w = w_simple(v, "n[1-2]", 8);
	w_begin(w, 0);
	char *name = NULL;
	static const struct resv_setting set[] = {
	    {"reservation", "r"}, {"nodes", "n1"}, {"users", "u1"}, {"starttime", "now+600"}, {"duration", "10"}};
	assert_true(controller_create_reservation(w->c, set + 1, 4, USEC, &name, NULL));
	struct job *a = w_job(w, 2, "reservation", name, NULL),
	           *b = w_job(w, 2, "reservation", name, "begin", "5000", NULL);
	w_full(w, 3);
	waits(a, REASON_RESERVATION);
	obstacle(w, a, "reservation u1_1: begins 1970-01-01T00:10:01, ends 1970-01-01T00:20:01");
	struct job *wide = w_job(w, 4, "nodes", "2", "time", "60", NULL); /* it would run into r */
	w_full(w, 5);
	waits(wide, REASON_REQ_NODE_NOT_AVAIL);
	obstacle(w, wide, "nodes of p: available 1 of 2, wanted 2; reserved u1_1 from 1970-01-01T00:10:01: n1");
	assert_true(controller_cancel(w->c, wide, 6 * USEC, NULL));
	w_full(w, 601);
	l_runs(a);
	w_end(w, a, 602, 0, true);
	GError *why = NULL;
	if (v == SLURM_22_05) /* recorded: it minds who waits for it; so it comes to its end */
		controller_tick(w->c, 1230 * USEC);
	else if (!controller_delete_reservation(w->c, name, 603 * USEC, &why))
		fail_msg("%s", why->message);
	waits(b, REASON_RESERVATION_DELETED);
	obstacle(w, b, "reservation u1_1: deleted");
	g_free(name);
	world_free(w);
}

static char *reserve(struct world *w, const char *nodes, const char *start, const char *flags)
{
	char *name = NULL;
	GError *why = NULL;
	const struct resv_setting set[] = {
	    {"nodes", nodes}, {"users", "u1"}, {"starttime", start}, {"duration", "10"}, {"flags", flags}};
	if (!controller_create_reservation(w->c, set, flags ? 5 : 4, USEC, &name, &why))
		fail_msg("%s", why->message);
	return name;
}

/* Behind another job of the same reservation (S23); held when it is over (C60); nodes under maintenance. */
static void in_reservations(enum slurm_version v)
{
	struct world *w = w_simple(v, "n[1-3]", 8);
	w_begin(w, 0);
	g_autofree char *name = reserve(w, "n1", "now", NULL), *maint = reserve(w, "n2", "now", "maint");
	assert_string_equal(maint, "u1_2");
	struct job *a = w_job(w, 2, "reservation", name, "ntasks", "8", "time", "5", NULL);
	w_full(w, 2);
	l_runs(a);
	struct job *b = w_job(w, 3, "reservation", name, "ntasks", "8", "time", "5", NULL),
	           *c = w_job(w, 3, "reservation", name, "ntasks", "8", "time", "5", NULL);
	struct job *named = w_job(w, 3, "nodelist", "n2", NULL);
	w_full(w, 4);
	waits(b, REASON_RESOURCES);
	waits(c, REASON_PRIORITY);
	obstacle(w, c, "job 2");
	waits(named, REASON_REQ_NODE_NOT_AVAIL);
	obstacle(w, named, "nodes of p: available 0 of 1 required, wanted 1; maintenance u1_2 until 1970-01-01T00:10:01: n2");
	w_end(w, a, 5, 0, true);
	assert_true(controller_cancel(w->c, b, 6 * USEC, NULL));
	w_full(w, 603);
	waits(c, v == SLURM_22_05 ? REASON_RESERVATION : REASON_HELD_ADMIN); /* recorded: in 22.05 held when it is removed */
	obstacle(w, c, "reservation u1_1: over since 1970-01-01T00:10:01");
	world_free(w);
}

/* partition_job_depth keeps jobs from being looked at. */
static void depth(enum slurm_version v)
{
	struct world *w = w_simple(v, "n1", 4);
	w->p->partition_job_depth = 1;
	w_begin(w, 0);
	w_job(w, 1, "ntasks", "4", NULL);
	w_full(w, 1);
	w_job(w, 2, "nodes", "1", "ntasks", "4", "array", "0-1", NULL);
	struct job *j = w_job(w, 2, "array", "0-1", NULL);
	w_full(w, 3);
	waits(j, REASON_PRIORITY);
	obstacle(w, j, "partition p partition_job_depth: limit 1");
	world_free(w);
}

/* The second of two GRES is short. */
static void second_gres(enum slurm_version v)
{
	struct world *w = l_world(v, "n1", LIMITS, NULL);
	struct job *a = ask(w, 1, "gres=gpu:4 time=2", NULL, NULL);
	w_full(w, 1);
	l_runs(a);
	struct job *b = ask(w, 2, "gres=gpu:1 time=2", NULL, NULL);
	w_full(w, 2);
	waits(b, REASON_RESOURCES);
	obstacle(w, b, "gpu in p: free 0, wanted 1");
	world_free(w);
}

/* R53: the delay after a requeue. */
static void requeued(enum slurm_version v)
{
	struct world *w = l_world(v, "n1", LIMITS, NULL);
	struct job *a = w_job(w, 1, NULL);
	w_full(w, 1);
	l_runs(a);
	assert_true(controller_requeue(w->c, a, false, 2 * USEC, NULL));
	controller_epilog_done(w->c, a, UINT32_MAX, true, 3 * USEC);
	w_full(w, 4);
	waits(a, REASON_BEGIN_TIME);
	obstacle(w, a, "begin time after the requeue: 1970-01-01T00:02:04");
	world_free(w);
}

/* R15: max_powered_nodes, newer than 22.05. */
static void powered(enum slurm_version v)
{
	if (v == SLURM_22_05)
		return;
	struct world *w = w_simple(v, "n[1-2]", 4);
	w->p->suspend_time = 1000;
	w->p->suspend_program = w->p->resume_program = true;
	w->p->max_powered_nodes = 1;
	w_begin(w, 0);
	w->cl->node[1]->flags |= NODE_POWERED_DOWN;
	struct job *a = w_job(w, 1, "ntasks", "4", NULL), *b = w_job(w, 1, "ntasks", "4", NULL);
	w_full(w, 1);
	l_runs(a);
	waits(b, REASON_MAX_POWERED_UP_NODES);
	obstacle(w, b, "SlurmctldParameters max_powered_nodes: limit 1, in use 1, wanted 1");
	world_free(w);
}

/* R14.6: its QOS is taken from the association, and comes back. */
static void invalid_qos(enum slurm_version v)
{
	struct world *w = l_world(v, "n1", LIMITS | ENFORCE_QOS, "add qos q\nmodify account root set qos+=q\n");
	struct job *a = w_run(w, 1, "n1", 5), *j = w_job(w, 2, "qos", "q", NULL);
	assert_true(accounting_command(w->cl->acct, "modify account root set qos-=q", NULL));
	controller_accounting_changed(w->c, 3 * USEC);
	w_full(w, 3);
	waits(j, REASON_INVALID_QOS);
	obstacle(w, j, "qos q: not in the list of association root/acct/u1 (normal)");
	w_end(w, a, 4, 0, true);
	w_full(w, 4);
	waits(j, REASON_INVALID_QOS);
	assert_true(accounting_command(w->cl->acct, "modify account root set qos+=q", NULL));
	controller_accounting_changed(w->c, 5 * USEC);
	w_full(w, 5);
	l_runs(j);
	world_free(w);
}

/* C7: its names are known, in 22.05 but for RaisedSignal; whether each can be shown, all_seen() asks. */
static void main_names(void **state)
{
	static const char *const names[] = {
	    "None", "Priority", "Dependency", "Resources", "BeginTime", "Licenses", "Reservation", "JobArrayTaskLimit", "JobHeldUser", "JobHeldAdmin",
	    "PartitionNodeLimit", "PartitionTimeLimit", "PartitionDown", "PartitionInactive", "ReqNodeNotAvail", "BadConstraints",
	    "DependencyNeverSatisfied", "DeadLine", "Cleaning", "JobHoldMaxRequeue", "MaxMemPerLimit", "TimeLimit", "NonZeroExitCode", "RaisedSignal",
	    "OutOfMemory", "NodeDown", "InactiveLimit", "JobLaunchFailure"};
	(void)state;
	for (EACH_VERSION(v))
		for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
			enum reason r = reason_find(names[i]);
			assert_int_not_equal(r, REASON_COUNT);
			assert_string_equal(reason_name(r), names[i]);
			assert_int_equal(reason_known(v, r), v != SLURM_22_05 || r != REASON_RAISED_SIGNAL);
		}
}

/* After all others: in each version every name that the table says a simulated cluster can show has come and gone, and
 * none that it cannot. */
static void all_seen(void **state)
{
	unsigned n[2] = {0};
	(void)state;
	for (EACH_VERSION(v))
	for (unsigned r = 0; r < REASON_COUNT; r++) {
		bool can = r != REASON_NONE && !reason_absent(v, (enum reason)r);
		bool has = seen[v == SLURM_22_05][r];
		n[v == SLURM_22_05] += has;
		if (can && !has)
			print_error("no test makes %s appear in version %d\n", reason_name((enum reason)r), (int)v);
		if (!can && has)
			print_error("the table says that %s cannot appear in version %d\n", reason_name((enum reason)r), (int)v);
		wrong = wrong || can != has;
	}
	print_message("%u of %u reasons appear in tests; 22.05: %u\n", n[0], (unsigned)REASON_COUNT, n[1]);
	assert_false(wrong);
}

static void others(void **state)
{
	static void (*const all[])(enum slurm_version) = {
	    queue,           dependency,      holds, array_limit, nodes_missing, partition_limits, part_access,
	    usage_threshold, bad_constraints, ends,  licences,    reservations,  invalid_qos,
	    groups_of_users, constraints,     in_reservations, depth, second_gres, requeued, powered};
	(void)state;
	for (EACH_VERSION(v))
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
	{
		now = v;
		all[i](v);
	}
}

/* Every reason has its entry; those of limits name the limit. */
static void table(void **state)
{
	(void)state;
	for (unsigned r = 0; r < REASON_COUNT; r++) {
		struct reason_note n = reason_note((enum reason)r);
		assert_non_null(n.kind);
		assert_non_null(n.meaning);
		assert_non_null(n.time);
		assert_null(strchr(n.meaning, '$'));
		if (reason_in((enum reason)r, RG_LIMIT) && !g_str_equal(n.kind, "never set") &&
		    r != REASON_QOS_USAGE_THRESHOLD)
			assert_non_null(n.limit);
		if (!n.absent && reason_in((enum reason)r, RG_LIMIT) && r != REASON_QOS_USAGE_THRESHOLD)
			assert_non_null(n.admin);
		reason_note_clear(&n);
	}
	assert_int_equal(reason_find("qosgrpmemlimit"), REASON_QOS_GRP_MEM);
	assert_int_equal(reason_find("nonsense"), REASON_COUNT);
}

/* R31, R80: 22.05 knows fewer names as limits */
static void groups(void **state)
{
	(void)state;
	assert_true(reason_is_limit(SLURM_26, REASON_QOS_MAX_GRES_PU));
	assert_false(reason_is_limit(SLURM_22_05, REASON_QOS_MAX_GRES_PU));
	assert_true(reason_is_limit(SLURM_22_05, REASON_QOS_MAX_CPU_PU));
	assert_false(reason_is_limit(SLURM_22_05, REASON_QOS_USAGE_THRESHOLD));
	assert_false(reason_known(SLURM_22_05, REASON_RAISED_SIGNAL));
	assert_false(reason_known(SLURM_26, REASON_FRONT_END_DOWN));
	assert_string_equal(reason_name(REASON_QOS_MAX_BB_MINS_PJ), "AssocMaxBBMinutesPerJob");
	assert_string_equal(reason_name(REASON_ASSOC_MAX_UNKNOWN_PN), "AssocMaxUnknownPerNode");
	unsigned n = 0;
	for (unsigned r = 0; r < REASON_COUNT; r++)
		n += reason_is_limit(SLURM_22_05, (enum reason)r);
	assert_int_equal(n, 8 + 8 + 1 + 8 + 5 + 1 + 3 + 2); /* R80 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(limits), cmocka_unit_test(submit_limits),
	                                   cmocka_unit_test(others), cmocka_unit_test(groups),
	                                   cmocka_unit_test(table),  cmocka_unit_test(main_names), cmocka_unit_test(all_seen)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
