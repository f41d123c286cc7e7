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
	char *format, *jobs, *users, *accounts, *partitions, *states, *names, *from, *to;
	gboolean parsable, no_header, json, ignored;
};

/* "column IN ('a','b')"; NULL = all. */
static void add_list(GString *where, const char *column, const char *list)
{
	char **items = list ? g_strsplit(list, ",", -1) : NULL;

	if (!items)
		return;
	g_string_append_printf(where, "%s%s IN (", where->len ? " AND " : "", column);
	for (char **p = items; *p; p++) {
		char *quoted = sqlite3_mprintf("%Q", *p);
		g_string_append_printf(where, "%s%s", p == items ? "" : ",", quoted);
		sqlite3_free(quoted);
	}
	g_string_append_c(where, ')');
	g_strfreev(items);
}

/* sacct's states, long or short, any case. False after a message. */
static bool add_states(GString *where, const char *list)
{
	static const char *const NAMES[][2] = {{"PENDING", "PD"},        {"RUNNING", "R"},    {"COMPLETED", "CD"},
	                                       {"CANCELLED", "CA"},      {"FAILED", "F"},     {"TIMEOUT", "TO"},
	                                       {"NODE_FAIL", "NF"},      {"PREEMPTED", "PR"}, {"DEADLINE", "DL"},
	                                       {"OUT_OF_MEMORY", "OOM"}, {"REQUEUED", "RQ"},  {"SUSPENDED", "S"}};
	char **items = list ? g_strsplit(list, ",", -1) : NULL;
	bool ok = true;

	if (!items)
		return true;
	g_string_append_printf(where, "%s(", where->len ? " AND " : "");
	for (char **p = items; *p && ok; p++) {
		size_t i = 0;
		while (i < G_N_ELEMENTS(NAMES) && g_ascii_strcasecmp(NAMES[i][0], *p) != 0 &&
		       g_ascii_strcasecmp(NAMES[i][1], *p) != 0)
			i++;
		ok = i < G_N_ELEMENTS(NAMES);
		if (ok)
			g_string_append_printf(where, "%sstate LIKE '%s%%'", p == items ? "" : " OR ", NAMES[i][0]);
		else
			tool_complain(USAGE.command, "-s: unrecognized job state value '%s'", *p);
	}
	g_string_append_c(where, ')');
	g_strfreev(items);
	return ok;
}

/* Jobs that existed between FROM and TO. False after a message. */
static bool add_window(GString *where, const struct sacct_options *o)
{
	const struct {
		const char *name, *text, *condition;
	} ends[] = {{"-S", o->from, "(end_s = 0 OR end_s >= %" G_GINT64_FORMAT ")"},
	            {"-E", o->to, "submit_s <= %" G_GINT64_FORMAT}};

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		sec_t t;
		if (!ends[i].text)
			continue;
		if (!date_parse(ends[i].text, NULL, &t)) {
			tool_complain(USAGE.command, "%s: Invalid time specification: %s; write 2026-01-05T09:00:00",
			              ends[i].name, ends[i].text);
			return false;
		}
		g_string_append(where, where->len ? " AND " : "");
		g_string_append_printf(
		    where, i ? "submit_s <= %" G_GINT64_FORMAT : "(end_s = 0 OR end_s >= %" G_GINT64_FORMAT ")", t);
	}
	return true;
}

/* All of it as one condition; "" = every job. NULL after a message. */
static char *whole_condition(const struct sacct_options *o)
{
	GString *where = g_string_new(NULL);
	char *jobs = o->jobs ? job_condition(o->jobs) : NULL;
	bool ok = !o->jobs || jobs;

	if (jobs)
		g_string_append_printf(where, "(%s)", jobs);
	g_free(jobs);
	add_list(where, "user", o->users);
	add_list(where, "account", o->accounts);
	add_list(where, "partition", o->partitions);
	add_list(where, "name", o->names);
	ok = ok && add_states(where, o->states) && add_window(where, o);
	return g_string_free(where, !ok);
}

static int print_jobs(struct session *s, const struct sacct_options *o, const char *condition)
{
	GError *error = NULL;
	bool bad_format;

	if (!recorder_finish(s->recorder, &error)) {
		tool_complain(USAGE.command, "%s", error->message);
		g_error_free(error);
		return EXIT_RUN;
	}
	if (*condition && !select_jobs(recorder_db(s->recorder), condition))
		return EXIT_RUN;
	if (o->json ? sacct_print_json(stdout, recorder_db(s->recorder), &error)
	            : sacct_print(stdout, recorder_db(s->recorder), o->format, o->parsable, o->no_header, &error))
		return tool_flush(USAGE.command);
	bad_format = g_error_matches(error, SACCT_ERROR, error->code);
	tool_complain(USAGE.command, "%s", error->message);
	g_error_free(error);
	return bad_format ? EXIT_USAGE : EXIT_RUN;
}

static int run_and_print(const struct tool_options *options, const struct sacct_options *o)
{
	char *condition = whole_condition(o);
	struct session session;
	int code;

	if (!condition)
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
	    {"format", 'o', 0, G_OPTION_ARG_FILENAME, &o.format, "fields to print, with %WIDTH if wanted", "LIST"},
	    {"parsable2", 'P', 0, G_OPTION_ARG_NONE, &o.parsable, "fields separated by |, nothing cut", NULL},
	    {"noheader", 'n', 0, G_OPTION_ARG_NONE, &o.no_header, "no header lines", NULL},
	    {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &o.jobs, "only these jobs: 12, 12_3", "LIST"},
	    {"user", 'u', 0, G_OPTION_ARG_FILENAME, &o.users, "only jobs of these users", "LIST"},
	    {"accounts", 'A', 0, G_OPTION_ARG_FILENAME, &o.accounts, "only jobs of these accounts", "LIST"},
	    {"partition", 'r', 0, G_OPTION_ARG_FILENAME, &o.partitions, "only jobs in these partitions", "LIST"},
	    {"name", 0, 0, G_OPTION_ARG_FILENAME, &o.names, "only jobs of these names", "LIST"},
	    {"state", 's', 0, G_OPTION_ARG_FILENAME, &o.states, "only jobs in these states (CD, FAILED, ...)", "LIST"},
	    {"starttime", 'S', 0, G_OPTION_ARG_FILENAME, &o.from, "only jobs that had not ended then", "DATE"},
	    {"endtime", 'E', 0, G_OPTION_ARG_FILENAME, &o.to, "only jobs that were submitted by then", "DATE"},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "as JSON, in the shape of Slurm's data_parser", NULL},
	    {"allocations", 'X', 0, G_OPTION_ARG_NONE, &o.ignored, "no steps (there never are any)", NULL},
	    {"allusers", 'a', 0, G_OPTION_ARG_NONE, &o.ignored, "jobs of all users (always)", NULL},
	    {"duplicates", 'D', 0, G_OPTION_ARG_NONE, &o.ignored, "every run of a job (always)", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own) && tool_options_scenario(&options))
		code = run_and_print(&options, &o);
	tool_options_clear(&options);
	char *texts[] = {o.format, o.jobs, o.users, o.accounts, o.partitions, o.names, o.states, o.from, o.to};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	return code;
}
