/*
 * cmd_seff.c - whypend seff: how well a job used what it held, as seff prints it.
 *
 * A simulation runs no processes. CPU time and memory are those that the trace or scenario tells of steps (sim/steps.h): the time of all
 * together, and the memory of the step that held most (MaxRSS times its tasks). Where nothing is told they are 0.
 */
#include "sched/base/memsize.h"
#include "tools/commands.h"
#include "tools/session.h"
#include "sim/commands.h"
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend seff",
    .operands = "JOB [SCENARIO]",
    .summary = "Simulate a scenario up to a moment and print a job's efficiency in the layout of Slurm's seff.\n"
               "No processes run in a simulation: CPU and memory used are what the trace or the scenario tells of the\n"
               "job's steps (CPU time of all, memory of the largest), else 0.",
    .examples = "Example:\n  whypend seff 1 scenarios/first-look",
};

struct used {
	sec_t cpu;  /* seconds of all steps */
	double mib; /* of the step that held most: that of the fullest task, times the tasks */
	bool estimated; /* some step has several tasks */
};

static struct used read_used(sqlite3 *db, uint32_t job, uint32_t run)
{
	sqlite3_stmt *q = NULL;
	struct used u = {0, 0, false};

	if (sqlite3_prepare_v2(db, "SELECT sum(ifnull(cpu_time, 0)), max(ifnull(max_rss, 0) * max(1, tasks)), max(tasks) FROM step WHERE job = ?1 AND run = ?2", -1,
	                       &q, NULL) == SQLITE_OK) {
		sqlite3_bind_int64(q, 1, job);
		sqlite3_bind_int64(q, 2, run);
		if (sqlite3_step(q) == SQLITE_ROW)
			u = (struct used){usec_to_sec(sqlite3_column_int64(q, 0)), sqlite3_column_double(q, 1) / 1024, sqlite3_column_int64(q, 2) > 1};
	}
	sqlite3_finalize(q);
	return u;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void print_memory(const struct used *u, uint64_t mib, uint32_t nodes, uint32_t cpus, bool per_core)
{
	double used = u->mib, each = (double)mib / MAX(1, per_core ? cpus : nodes);

	printf("Memory Utilized: %.2f %s%s\n", used >= 1024 ? used / 1024 : used, used >= 1024 ? "GB" : "MB",
	       used > 0 && u->estimated ? " (estimated maximum)" : "");
	printf("Memory Efficiency: %.2f%% of %.2f %s (%.2f %s/%s)\n", percent(used, (double)mib), mib >= 1024 ? (double)mib / 1024 : (double)mib,
	       mib >= 1024 ? "GB" : "MB", each >= 1024 ? each / 1024 : each, each >= 1024 ? "GB" : "MB",
	       per_core ? "core" : "node");
}

static int print_row(sqlite3 *db, sqlite3_stmt *q, const char *cluster, sec_t now)
{
	const char *state = (const char *)sqlite3_column_text(q, 4);
	uint32_t array = (uint32_t)sqlite3_column_int64(q, 1), task = (uint32_t)sqlite3_column_int64(q, 2);
	uint32_t nodes = (uint32_t)sqlite3_column_int64(q, 7), cpus = (uint32_t)sqlite3_column_int64(q, 8);
	sec_t start = sqlite3_column_int64(q, 9), end = sqlite3_column_int64(q, 10);
	bool pending = strcmp(state, "PENDING") == 0, running = strcmp(state, "RUNNING") == 0;
	size_t word = strcspn(state, " "); /* "CANCELLED by ..." */

	if (pending && array && task == NO_VAL) {
		printf("Badly formatted array jobid %u with task_id = -2\n", array);
		return 3;
	}
	printf("Job ID: %u\n", (uint32_t)sqlite3_column_int64(q, 0));
	if (array && task != NO_VAL)
		printf("Array Job ID: %u_%u\n", array, task);
	printf("Cluster: %s\nUser/Group: %s/%s\nState: %.*s", cluster, sqlite3_column_text(q, 3),
	       sqlite3_column_text(q, 3), (int)word, state);
	if (!pending && !running)
		printf(" (exit code %d)", sqlite3_column_int(q, 5));
	if (pending) {
		puts("\nCores: 1\nEfficiency not available for jobs in the PENDING state.");
		return 0;
	}
	if (cpus <= 1)
		puts("\nCores: 1");
	else
		printf("\nNodes: %u\nCores per node: %u\n", nodes, cpus / MAX(1, nodes));
	sec_t wall = start ? (end ? end : now) - start : 0;
	struct used used = read_used(db, (uint32_t)sqlite3_column_int64(q, 0), (uint32_t)sqlite3_column_int64(q, 11));
	g_autofree char *wall_text = duration_format(wall), *core = duration_format(wall * MAX(1, cpus)), *cpu = duration_format(used.cpu);

	printf("CPU Utilized: %s\nCPU Efficiency: %.2f%% of %s core-walltime\nJob Wall-clock time: %s\n", cpu,
	       percent((double)used.cpu, (double)(wall * MAX(1, cpus))), core, wall_text);
	print_memory(&used, (uint64_t)sqlite3_column_int64(q, 6), nodes, cpus, cpus <= 1);
	if (running)
		puts("WARNING: Efficiency statistics can only be obtained after the job has ended as seff tool is "
		     "based on the "
		     "accounting database data.");
	return 0;
}

static int find_and_print(struct session *s, uint32_t id, uint32_t task)
{
	sqlite3_stmt *q = NULL;
	const char *cluster = s->scenario->cluster->params->cluster_name;
	int code = 2;
	char *sql = g_strdup_printf(
	    "SELECT job, array_job, array_task, user, state, exit_code, req_mem, nnodes, ncpus, start_s, end_s, run "
	    "FROM job WHERE %s ORDER BY run DESC LIMIT 1",
	    task == NO_VAL ? "job = ?1" : "array_job = ?1 AND array_task = ?2");

	if (sqlite3_prepare_v2(recorder_db(s->recorder), sql, -1, &q, NULL) == SQLITE_OK) {
		sqlite3_bind_int64(q, 1, id);
		if (task != NO_VAL)
			sqlite3_bind_int64(q, 2, task);
		if (sqlite3_step(q) == SQLITE_ROW)
			code = print_row(recorder_db(s->recorder), q, cluster ? cluster : "", usec_to_sec(sim_now(s->sim)));
		else
			puts("Job not found.");
	}
	sqlite3_finalize(q);
	g_free(sql);
	return code;
}

static int run(const struct tool_options *options, uint32_t id, uint32_t task)
{
	struct session session;
	int code = session_run_recorded(&session, options, USAGE.command);

	if (code == EXIT_GOOD) {
		code = find_and_print(&session, id, task);
		code = code ? code : tool_flush(USAGE.command);
	}
	session_close(&session);
	return code;
}

int cmd_seff(int argc, char **argv)
{
	struct tool_options options;
	uint32_t id, task;
	char *job = NULL;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT | OPTIONS_SLURM, &USAGE, NULL)) {
		job = options.rest && options.rest[0] ? options.rest[0] : NULL;
		for (char **p = options.rest; job && *p; p++)
			p[0] = p[1];
		if (!job || !command_job_id(job, &id, &task))
			tool_complain(USAGE.command, "name a job: 12 or 12_3; see \"whypend seff --help\"");
		else if (tool_options_scenario(&options))
			code = run(&options, id, task);
	}
	g_free(job);
	tool_options_clear(&options);
	return code;
}
