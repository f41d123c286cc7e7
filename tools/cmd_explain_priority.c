/* cmd_explain_priority.c - whypend explain-priority: why a job has its priority, and where a fair-share stands. */
#include "sim/commands.h"
#include "tools/commands.h"
#include "tools/explain_priority.h"
#include "tools/session.h"
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend explain-priority",
    .operands = "JOB|-u USER|-A ACCOUNT [SCENARIO]",
    .summary = "Simulate a scenario up to a moment and tell a job's priority term by term, who is directly ahead and "
               "when it would overtake them; with -u or -A where a fair-share stands and what usage put it there.",
    .examples = "Examples:\n"
                "  whypend explain-priority 6 --at 60 scenarios/first-look\n"
                "  whypend explain-priority -u adler --at 1-00:00:00 scenarios/h100-a100-month",
};

struct question {
	const char *job; /* NULL: about user or account */
	const char *user, *account;
	int ahead;
};

/* JOB is an id as 12 or 12_3, or the label of a submission. */
static const struct job *find_job(const struct sim *sim, const char *text)
{
	const struct controller *c = sim_controller(sim);
	uint32_t id, task;
	if (command_job_id(text, &id, &task))
		return task == NO_VAL ? controller_find_job(c, id) : controller_find_task(c, id, task);
	for (uint32_t i = 0; i < controller_n_jobs(c); i++)
		if (g_strcmp0(sim_job_label(sim, controller_job(c, i)), text) == 0)
			return controller_job(c, i);
	return NULL;
}

static int answer(const struct sim *sim, const struct question *q)
{
	const struct controller *c = sim_controller(sim);
	if (!q->job) {
		if (explain_fairshare(stdout, c, q->user, q->account))
			return tool_flush(USAGE.command);
		tool_complain(USAGE.command, "no association of %s%s%s", q->user ? q->user : "account ",
		              q->user && q->account ? " in " : "", q->account ? q->account : "");
		return EXIT_USAGE;
	}
	const struct job *j = find_job(sim, q->job);
	if (!j) {
		tool_complain(USAGE.command, "no job %s at that moment; whypend squeue -t all lists them", q->job);
		return EXIT_USAGE;
	}
	explain_priority_job(stdout, c, j, usec_to_sec(sim_now(sim)), (unsigned)MAX(0, q->ahead));
	return tool_flush(USAGE.command);
}

static int run(const struct tool_options *options, const struct question *q)
{
	struct session session = {0};
	int code = session_run(&session, options, SESSION_NO_RECORD, NULL);
	if (code == EXIT_GOOD)
		code = answer(session.sim, q);
	session_close(&session);
	return code;
}

/* Take JOB off the operands; NULL when there is none. g_free. */
static char *take_job(struct tool_options *o)
{
	char *job = o->rest ? o->rest[0] : NULL;
	if (job)
		memmove(o->rest, o->rest + 1, g_strv_length(o->rest) * sizeof *o->rest);
	return job;
}

int cmd_explain_priority(int argc, char **argv)
{
	char *user = NULL, *account = NULL, *job = NULL;
	int ahead = 5, code = EXIT_USAGE;
	const GOptionEntry own[] = {
	    {"user", 'u', 0, G_OPTION_ARG_FILENAME, &user, "the fair-share of this user", "USER"},
	    {"account", 'A', 0, G_OPTION_ARG_FILENAME, &account, "that of this account, or of the user in it", "ACCOUNT"},
	    {"ahead", 0, 0, G_OPTION_ARG_INT, &ahead, "so many of the jobs directly ahead (5)", "N"},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own)) {
		job = user || account ? NULL : take_job(&options);
		if (!job && !user && !account)
			tool_complain(USAGE.command, "which job? Give its id or label, or -u USER or -A ACCOUNT");
		else if (tool_options_scenario(&options))
			code = run(&options, &(struct question){job, user, account, ahead});
	}
	tool_options_clear(&options);
	g_free(user);
	g_free(account);
	g_free(job);
	return code;
}
