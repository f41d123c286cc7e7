/*
 * tokentable_test.c - every token of SchedulerParameters in the tables of main-scheduler.md and backfill.md, and what it changes: one row a token, a small
 * scenario run without and with it in both releases, through the reader of slurm.conf. Rows without jobs are tokens that cannot matter in a simulation, or
 * whose decision is tested elsewhere; they say why or where. A token of the tables without a row fails.
 *
 * A result is "LABEL@SECOND NODES" of each start in order of labels, "-" for a job that has not started by the end.
 */
#include "tests/unit/play_helper.h"

#define BASE                                                                                                                                       \
	"ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\nLicenses=app:1\n" \
	"NodeName=n[1-4] CPUs=4 RealMemory=1000\n"                                                                                                  \
	"PartitionName=p Nodes=ALL Default=YES MaxTime=1-0\nPartitionName=q Nodes=n4 MaxTime=1-0\n"
#define QUICK "batch_sched_delay=1,bf_interval=10,bf_resolution=1,sched_interval=1000" /* behind the row's tokens: of two equal ones the first counts */

#define J(name, at, more) "{\"name\": \"" name "\", \"user\": \"u1\", \"at\": " #at ", " more "}"
#define J2(name, at, more) "{\"name\": \"" name "\", \"user\": \"u2\", \"at\": " #at ", " more "}"
#define SIZE(n, minutes, run) "\"ntasks\": " #n ", \"time\": " #minutes ", \"run\": " #run
#define WHOLE(n, minutes, run) "\"nodes\": " #n ", \"exclusive\": true, \"time\": " #minutes ", \"run\": " #run
#define FULL SIZE(16, 2, 100) /* the whole cluster for 100 of 120 seconds */
/* a: one node for long; b: the whole cluster, waits and blocks; c: small, fits before b; d: small and too long for that */
#define GAP J("a", 1, WHOLE(1, 2, 100)) ", " J("b", 2, WHOLE(4, 2, 50)) ", " J("c", 3, SIZE(4, 1, 30)) ", " J("d", 3, SIZE(4, 10, 30))

struct row {
	const char *token; /* as written, "bf_window=1" */
	const char *with;  /* further tokens of both runs */
	const char *conf;  /* further lines of slurm.conf; NULL = none */
	const char *keys;  /* further keys of the scenario, ending in a comma; NULL = none */
	const char *jobs, *events;
	const char *off, *on;         /* 26.11 */
	const char *off_22, *on_22;   /* 22.05; NULL = the same */
	const char *elsewhere;        /* without jobs: where, or why not */
};

static const struct row rows[] = {
#include "tests/unit/tokentable.h"
};

/* The tables of the specification. */
static const char *const tokens[] = {
    "sched_interval", "sched_min_interval", "batch_sched_delay", "default_queue_depth", "partition_job_depth", "max_sched_time", "sched_max_job_start", "defer",
    "defer_batch", "build_queue_timeout", "assoc_limit_stop", "bf_min_age_reserve", "bf_min_prio_reserve", "bf_licenses", "reduce_completing_frag",
    "max_rpc_cnt", "correspond_after_task_cnt", "bb_array_stage_cnt", "bf_hetjob_prio", "bf_hetjob_immediate", "ignore_prefer_validation",
    "ignore_constraint_validation", "bf_interval", "bf_max_time", "bf_window", "bf_resolution", "bf_max_job_test", "bf_node_space_size", "bf_max_job_part",
    "bf_max_job_user", "bf_max_job_user_part", "bf_max_job_assoc", "bf_max_job_start", "bf_max_job_array_resv", "bf_job_part_count_reserve",
    "bf_one_resv_per_job", "bf_continue", "bf_yield_interval", "bf_yield_sleep", "bf_yield_rpc_cnt", "bf_busy_nodes", "bf_running_job_reserve",
    "bf_window_linear", "bf_allow_magnetic_slot", "bf_topopt_enable", "bf_topopt_iterations", "time_min_as_soft_limit", "interval"};

static char *starts_of(sqlite3 *db, usec_t start)
{
	GString *s = g_string_new(NULL);
	sqlite3_stmt *q;
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT label, array_task, het_offset, het_job, start_s, nodelist FROM job ORDER BY label, array_task, het_offset, run", -1, &q,
	                                    NULL),
	                 SQLITE_OK);
	while (sqlite3_step(q) == SQLITE_ROW) {
		sqlite3_int64 task = sqlite3_column_int64(q, 1), t = sqlite3_column_int64(q, 4);
		if (s->len)
			g_string_append(s, "; ");
		g_string_append(s, (const char *)sqlite3_column_text(q, 0));
		if (task < 1000000)
			g_string_append_printf(s, "_%d", (int)task);
		if (t)
			g_string_append_printf(s, "@%d %s", (int)(t - start / USEC), (const char *)sqlite3_column_text(q, 5));
		else
			g_string_append(s, " -");
	}
	sqlite3_finalize(q);
	return g_string_free(s, FALSE);
}

static char *play(const struct row *row, bool on, bool old)
{
	g_autofree char *conf = g_strdup_printf(BASE "%sSchedulerParameters=%s%s%s%s" QUICK "\n", row->conf ? row->conf : "", on ? row->token : "", on ? "," : "",
	                                        row->with ? row->with : "", row->with ? "," : "");
	g_autofree char *json = g_strdup_printf("{\"schema\": \"whypend-scenario/1\", \"conf\": \"slurm.conf\", \"slurm_version\": \"%s\", \"controller_start\": 0, %s"
	                                        "\"until\": 400,\n\"jobs\": [%s],\n\"events\": [%s]}\n",
	                                        old ? "22.05" : "26.05", row->keys ? row->keys : "", row->jobs, row->events ? row->events : "");
	const struct play_file files[] = {{"slurm.conf", conf}, {"scenario.json", json}, {NULL, NULL}};
	struct played p = play_files(files);
	char *text = starts_of(p.db, p.start);
	played_done(&p);
	return text;
}

static bool row_is_of(const struct row *row, const char *token)
{
	gsize n = strlen(token);
	return strncmp(row->token, token, n) == 0 && (row->token[n] == '\0' || row->token[n] == '=');
}

static bool same(const struct row *row, bool on, bool old, const char *want)
{
	g_autofree char *got = play(row, on, old);
	if (g_strcmp0(got, want) == 0)
		return true;
	print_error("%s, %s, %s:\n  got  %s\n  want %s\n", row->token, old ? "22.05" : "26.11", on ? "on" : "off", got, want ? want : "");
	return false;
}

static void each_token_changes_something(void **state)
{
	(void)state;
	guint bad = 0;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct row *row = &rows[i];
		if (!row->jobs) {
			assert_non_null(row->elsewhere);
			continue;
		}
		const char *off_22 = row->off_22 ? row->off_22 : row->off, *on_22 = row->on_22 ? row->on_22 : row->on;
		bad += !same(row, false, false, row->off) + !same(row, true, false, row->on) + !same(row, false, true, off_22) + !same(row, true, true, on_22);
		bad += g_strcmp0(row->off, row->on) == 0; /* it changes a decision */
	}
	assert_int_equal(bad, 0);
}

static void no_token_is_left_out(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(tokens); i++) {
		bool found = false;
		for (gsize k = 0; k < G_N_ELEMENTS(rows) && !found; k++)
			found = row_is_of(&rows[k], tokens[i]);
		if (!found)
			fail_msg("%s has no row", tokens[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_token_changes_something), cmocka_unit_test(no_token_is_left_out)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
