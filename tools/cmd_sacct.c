/* cmd_sacct.c - whypend sacct: the jobs up to a moment, as sacct prints them. */
#include "tools/commands.h"
#include "sim/commands.h"
#include "tools/sacct_out.h"
#include "tools/session.h"
#include <sqlite3.h>
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend sacct",
    .operands = "[SCENARIO]",
    .summary =
        "Simulate a scenario up to a moment and print its jobs as Slurm's sacct -X -D does: every run of every job.",
    .examples = "Examples:\n"
                "  whypend sacct scenarios/first-look\n"
                "  whypend sacct -P -o JobID,State,Submit,Start,End,NodeList --at 12:00:00 scenarios/first-look",
};

/* "12,13_4" as a condition on table job; NULL after a message. */
static char *job_condition(const char *jobs)
{
	GString *where = g_string_new(NULL);
	char **ids = g_strsplit(jobs, ",", -1);
	bool ok = ids[0] != NULL;

	for (char **id = ids; *id && ok; id++) {
		uint32_t job, task;

		ok = command_job_id(*id, &job, &task);
		if (!ok)
			tool_complain(USAGE.command, "-j: bad job id \"%s\"; write 12 or 12_3", *id);
		else if (task == NO_VAL)
			g_string_append_printf(where, "%sjob = %u OR array_job = %u OR het_job = %u", where->len ? " OR " : "",
			                       job, job, job);
		else
			g_string_append_printf(where, "%s(array_job = %u AND array_task = %u)",
			                       where->len ? " OR " : "", job, task);
	}
	if (!ids[0])
		tool_complain(USAGE.command, "-j: no job id; write 12 or 12_3");
	g_strfreev(ids);
	return g_string_free(where, !ok);
}

/* A temporary table takes the place of table job in what follows; the record itself stays as it is. */
static bool select_jobs(struct sqlite3 *db, const char *condition)
{
	char *sql = g_strdup_printf("PRAGMA temp_store = MEMORY;"
	                            "CREATE TEMP TABLE job AS SELECT * FROM main.job WHERE %s ORDER BY rowid",
	                            condition);
	bool ok = sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;

	if (!ok)
		tool_complain(USAGE.command, "cannot select jobs: %s", sqlite3_errmsg(db));
	g_free(sql);
	return ok;
}

struct sacct_options {
	char *format, *jobs;
	gboolean parsable, no_header;
};

static int print_jobs(struct session *s, const struct sacct_options *o, const char *condition)
{
	GError *error = NULL;
	bool bad_format;

	if (!recorder_finish(s->recorder, &error)) {
		tool_complain(USAGE.command, "%s", error->message);
		g_error_free(error);
		return EXIT_RUN;
	}
	if (condition && !select_jobs(recorder_db(s->recorder), condition))
		return EXIT_RUN;
	if (sacct_print(stdout, recorder_db(s->recorder), o->format, o->parsable, o->no_header, &error))
		return tool_flush(USAGE.command);
	bad_format = g_error_matches(error, SACCT_ERROR, error->code);
	tool_complain(USAGE.command, "%s", error->message);
	g_error_free(error);
	return bad_format ? EXIT_USAGE : EXIT_RUN;
}

static int run_and_print(const struct tool_options *options, const struct sacct_options *o)
{
	char *condition = o->jobs ? job_condition(o->jobs) : NULL;
	struct session session;
	int code;

	if (o->jobs && !condition)
		return EXIT_USAGE;
	code = session_run(&session, options, SESSION_RECORD, NULL);
	if (code == EXIT_GOOD)
		code = print_jobs(&session, o, condition);
	session_close(&session);
	g_free(condition);
	return code;
}

int cmd_sacct(int argc, char **argv)
{
	struct sacct_options o = {0};
	const GOptionEntry own[] = {
	    {"fields", 'o', 0, G_OPTION_ARG_FILENAME, &o.format, "fields to print, with %WIDTH if wanted", "LIST"},
	    {"parsable2", 'P', 0, G_OPTION_ARG_NONE, &o.parsable, "fields separated by |, nothing cut", NULL},
	    {"noheader", 'n', 0, G_OPTION_ARG_NONE, &o.no_header, "no header lines", NULL},
	    {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &o.jobs, "only these jobs: 12, 12_3", "LIST"},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own) && tool_options_scenario(&options))
		code = run_and_print(&options, &o);
	tool_options_clear(&options);
	g_free(o.format);
	g_free(o.jobs);
	return code;
}
