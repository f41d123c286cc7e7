/* cmd_sacct.c - whypend sacct: the jobs up to a moment, as sacct prints them. */
#include "sched/base/hostlist.h"
#include "sched/limits_list.h"
#include "sim/commands.h"
#include "tools/cells.h"
#include "tools/commands.h"
#include "tools/sacct_out.h"
#include "tools/session.h"
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend sacct",
    .operands = "[SCENARIO]",
    .summary =
        "Simulate a scenario up to a moment and print its jobs as Slurm's sacct -X -D does: every run of every job. Under\n"
        "its own name (whypend links) --as-slurm is meant.",
    .examples = "Examples:\n"
                "  whypend sacct scenarios/first-look\n"
                "  whypend sacct -P -o JobID,State,Submit,Start,End,NodeList --at 12:00:00 scenarios/first-look",
};

/* Are all ids those of steps, "12.batch"? Then only steps are printed. */
static bool only_steps(const char *jobs)
{
	char **ids = g_strsplit(jobs ? jobs : "", ",", -1);
	bool only = ids[0] != NULL;

	for (char **id = ids; *id; id++)
		only &= strchr(*id, '.') != NULL;
	g_strfreev(ids);
	return only;
}

/* "12,13_4,14.batch" as a condition on table job; NULL after a message. */
static char *job_condition(const char *jobs)
{
	GString *where = g_string_new(NULL);
	char **ids = g_strsplit(jobs, ",", -1);
	bool ok = ids[0] != NULL;

	for (char **id = ids; *id && ok; id++) {
		uint32_t job, task;

		char *step = strchr(*id, '.');
		if (step)
			*step = '\0';
		ok = command_job_id(*id, &job, &task);
		if (!ok)
			tool_complain(USAGE.command, "fatal: Bad job/step specified: %s", *id);
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
	char *format, *jobs, *users, *accounts, *partitions, *states, *names, *from, *to, *qos, *nodes, *clusters, *sizes,
	    *limit_min, *limit_max, *delimiter, *units;
	gboolean no_cluster, parsable, closed, no_header, json, ignored, steps, as_slurm, duplicates, no_steps, brief, all_fields, list_fields, truncate,
	    no_convert, each_task, script, environment;
	sec_t now, from_s, to_s; /* 0 = not given */
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
			tool_complain(USAGE.command, "fatal: unrecognized job state value '%s'", *p);
	}
	g_string_append_c(where, ')');
	g_strfreev(items);
	return ok;
}

static void add_condition(GString *where, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add_condition(GString *where, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_string_append(where, where->len ? " AND " : "");
	g_string_append_vprintf(where, format, args);
	va_end(args);
}

/* A date, or "now-1hour", "today", "00:00" ... on the clock of the simulation; times of day are today's. */
static bool read_when(const char *option, const char *text, sec_t now, sec_t *t)
{
	char *past = g_str_has_prefix(text, "now-") ? g_strconcat("now+", text + 4, NULL) : NULL;
	bool ok = date_parse(text, NULL, t);

	if (!ok && past) {
		ok = date_parse_begin(past, now, NULL, t);
		*t = now - (*t - now);
	} else if (!ok) {
		ok = date_parse_begin(text, now, NULL, t);
		if (ok && strchr(text, ':') && !strpbrk(text, "-/.n") && *t > now)
			*t -= 86400;
	}
	g_free(past);
	if (!ok) {
		char *raw = g_strdup_printf("Invalid time specification (pos=0): %s", text);
		tool_refuse(USAGE.command, raw, "%s: Invalid time specification: %s; write 2026-01-05T09:00:00 or now-1hour", option, text);
		g_free(raw);
	}
	return ok;
}

/* -S and -E. False after a message. */
static bool read_window(struct sacct_options *o, bool dry)
{
	if ((o->from && !read_when("-S", o->from, o->now, &o->from_s)) || (o->to && !read_when("-E", o->to, o->now, &o->to_s)))
		return false;
	if (!dry && o->from_s && o->to_s && o->to_s < o->from_s) {
		char *from = date_format(o->from_s, NULL), *to = date_format(o->to_s, NULL);
		tool_complain(USAGE.command, "Start time (%s) requested is after end time (%s).", from, to);
		g_free(from);
		g_free(to);
		return false;
	}
	return true;
}

/* "2-3" or "2": allocated nodes, of a job that waits the wanted ones. */
static bool add_sizes(GString *where, const char *text)
{
	char *end;
	unsigned long low = text ? strtoul(text, &end, 10) : 0, high = low;

	if (!text)
		return true;
	if (end > text && *end == '-')
		high = strtoul(end + 1, &end, 10);
	if (end == text || *end || high < low) {
		tool_complain(USAGE.command, "-i: bad number of nodes \"%s\"; write 2 or 2-4", text);
		return false;
	}
	add_condition(where, "(CASE WHEN nnodes > 0 THEN nnodes ELSE req_nodes END) BETWEEN %lu AND %lu", low, high);
	return true;
}

/* -k, -K: time limits, minutes or 1:00:00. */
static bool add_limits(GString *where, const struct sacct_options *o)
{
	uint32_t low = 0, high = NO_VAL - 1;

	if (!o->limit_min && !o->limit_max)
		return true;
	if ((o->limit_min && !duration_parse_minutes(o->limit_min, &low)) ||
	    (o->limit_max && !duration_parse_minutes(o->limit_max, &high))) {
		tool_complain(USAGE.command, "-k, -K: bad time limit; write minutes or 1:00:00");
		return false;
	}
	if (!o->limit_max)
		high = low; /* as there: -k alone is that very limit */
	add_condition(where, "time_limit BETWEEN %u AND %u", low, high);
	return true;
}

/* -N: ran on one of them. False after a message. */
static bool add_nodes(GString *where, const char *nodes)
{
	GError *error = NULL;
	GPtrArray *names = nodes ? hostlist_expand(nodes, &error) : NULL;

	if (!nodes)
		return true;
	if (!names) {
		tool_complain(USAGE.command, "-N: %s", error->message);
		g_error_free(error);
		return false;
	}
	GString *any = g_string_new("0");
	for (guint i = 0; i < names->len; i++) {
		char *quoted = sqlite3_mprintf("%Q", names->pdata[i]);
		g_string_append_printf(any, " OR instr(placement, '\"node\":\"' || %s || '\"') > 0", quoted);
		sqlite3_free(quoted);
	}
	add_condition(where, "(%s)", any->str);
	g_string_free(any, TRUE);
	g_ptr_array_unref(names);
	return true;
}

/* Slurm's default window: from midnight on; with -s the jobs that are in the state now. Not with -j. */
static void set_default_window(struct sacct_options *o)
{
	enum { DAY = 86400 };

	if (!o->as_slurm || o->jobs || o->from)
		return;
	o->from_s = o->states ? o->now : o->now - o->now % DAY;
}

/* "sacct: error: Invalid user id: x": nobody of that name has a job or an association. */
static bool users_known(const struct sacct_options *o, struct sqlite3 *db, const struct controller *c)
{
	char **users = g_strsplit(o->as_slurm && o->users ? o->users : "", ",", -1);
	bool known = true;

	for (char **u = users; *u && known; u++) {
		char *sql = sqlite3_mprintf("SELECT 1 FROM job WHERE user = %Q LIMIT 1", *u);
		sqlite3_stmt *row = NULL;
		known = limits_list_known(c, *u, NULL) ||
		        (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW);
		sqlite3_finalize(row);
		sqlite3_free(sql);
		if (!known)
			tool_complain(USAGE.command, "Invalid user id: %s", *u);
	}
	g_strfreev(users);
	return known;
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
	add_list(where, "qos", o->qos);
	if (o->no_cluster || (o->as_slurm && !o->jobs && o->states && o->from && !o->to))
		add_condition(where, "0"); /* recorded: a state and -S without -E select nothing */
	if (o->from_s)
		add_condition(where, "(end_s = 0 OR end_s >= %" G_GINT64_FORMAT ")", o->from_s);
	if (o->to_s)
		add_condition(where, "submit_s <= %" G_GINT64_FORMAT, o->to_s);
	if (o->as_slurm && !o->duplicates)
		add_condition(where, "(job, run) IN (SELECT job, max(run) FROM main.job GROUP BY job)");
	if (o->as_slurm && !o->jobs)
		add_condition(where, "(start_s > 0 OR eligible_s BETWEEN 1 AND %" G_GINT64_FORMAT ")", o->now);
	ok = ok && add_states(where, o->states) && add_sizes(where, o->sizes) && add_limits(where, o) &&
	     add_nodes(where, o->nodes);
	return g_string_free(where, !ok);
}

static const char *format_of(const struct sacct_options *o)
{
	return o->format ? o->format : o->all_fields ? sacct_long_format : o->brief ? sacct_brief_format : NULL;
}

static int print_jobs(struct session *s, const struct sacct_options *o, const char *condition)
{
	GError *error = NULL;
	bool bad_format;
	const struct sacct_form form = {.format = format_of(o),
	                                .parsable = o->parsable,
	                                .closed = o->closed,
	                                .no_header = o->no_header,
	                                .steps = only_steps(o->jobs) || ((o->steps || o->as_slurm) && !o->no_steps),
	                                .only_steps = only_steps(o->jobs),
	                                .step_ids = o->jobs,
	                                .each_task = o->each_task,
	                                .delimiter = o->delimiter,
	                                .unit = o->no_convert ? 'n' : o->units ? g_ascii_toupper(o->units[0]) : 0,
	                                .from = o->truncate ? o->from_s : 0,
	                                .to = o->truncate ? o->to_s ? o->to_s : o->now : 0};

	if (!recorder_finish(s->recorder, &error)) {
		tool_complain(USAGE.command, "%s", error->message);
		g_error_free(error);
		return EXIT_RUN;
	}
	if (*condition && !select_jobs(recorder_db(s->recorder), condition))
		return EXIT_RUN;
	if (o->json ? sacct_print_json(stdout, recorder_db(s->recorder), form.steps, &error)
	            : sacct_print_form(stdout, recorder_db(s->recorder), &form, &error))
		return tool_flush(USAGE.command);
	bad_format = g_error_matches(error, SACCT_ERROR, error->code);
	tool_complain(USAGE.command, "%s", error->message);
	g_error_free(error);
	return bad_format ? EXIT_USAGE : EXIT_RUN;
}

static int run_and_print(const struct tool_options *options, struct sacct_options *o)
{
	struct session session;
	int code = session_run(&session, options, SESSION_RECORD, NULL);

	if (code == EXIT_GOOD) {
		char *condition;

		o->now = usec_to_sec(sim_now(session.sim));
		const char *cluster = session.scenario->cluster->params->cluster_name;
		o->no_cluster = o->clusters && !in_list(o->clusters, cluster ? cluster : "") && !in_list(o->clusters, "all");
		set_default_window(o);
		condition = read_window(o, false) && users_known(o, recorder_db(session.recorder), sim_controller(session.sim))
		                ? whole_condition(o)
		                : NULL;
		code = condition ? print_jobs(&session, o, condition) : EXIT_USAGE;
		g_free(condition);
	}
	session_close(&session);
	return code;
}

/* What can be told before a long run. False after a message. */
static bool check(const struct sacct_options *o)
{
	struct sacct_options dry = *o;
	char *condition;

	if (o->units && (strlen(o->units) != 1 || !strchr("KMGTPkmgtp", o->units[0]))) {
		tool_complain(USAGE.command, "--units: bad unit \"%s\"; write K, M, G, T or P", o->units);
		return false;
	}
	dry.now = 1;
	condition = read_window(&dry, true) ? whole_condition(&dry) : NULL;
	g_free(condition);
	return condition != NULL;
}

/* -B, --env-vars: what accounting answers when it has kept neither scripts nor environments. */
static int print_kept(const struct sacct_options *o)
{
	char **ids = g_strsplit(o->jobs ? o->jobs : "", ",", -1);

	if (!o->jobs)
		tool_complain(USAGE.command, "--batch-script and --env-vars want jobs: -j");
	for (char **id = ids; *id; id++) {
		printf(o->script ? "Batch Script for %s\n" : "Environment used for %s (must be batch to display)\n", *id);
		puts("--------------------------------------------------------------------------------\nNONE");
	}
	g_strfreev(ids);
	return o->jobs ? tool_flush(USAGE.command) : EXIT_USAGE;
}

int cmd_sacct(int argc, char **argv)
{
	struct sacct_options o = {0};
	const GOptionEntry own[] = {
	    {"format", 'o', 0, G_OPTION_ARG_FILENAME, &o.format, "fields to print, with %WIDTH if wanted", "LIST"},
	    {"parsable2", 'P', 0, G_OPTION_ARG_NONE, &o.parsable, "fields separated by |, nothing cut", NULL},
	    {"parsable", 'p', 0, G_OPTION_ARG_NONE, &o.closed, "the same with | at the end", NULL},
	    {"delimiter", 0, 0, G_OPTION_ARG_FILENAME, &o.delimiter, "what takes the place of |", "TEXT"},
	    {"brief", 'b', 0, G_OPTION_ARG_NONE, &o.brief, "job, state and exit code", NULL},
	    {"long", 'l', 0, G_OPTION_ARG_NONE, &o.all_fields, "many fields", NULL},
	    {"helpformat", 'e', 0, G_OPTION_ARG_NONE, &o.list_fields, "list the fields", NULL},
	    {"units", 0, 0, G_OPTION_ARG_FILENAME, &o.units, "memory in this unit: K, M, G, T, P", "UNIT"},
	    {"noconvert", 0, 0, G_OPTION_ARG_NONE, &o.no_convert, "memory as it was asked for, in M", NULL},
	    {"noheader", 'n', 0, G_OPTION_ARG_NONE, &o.no_header, "no header lines", NULL},
	    {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &o.jobs, "only these jobs: 12, 12_3", "LIST"},
	    {"user", 'u', 0, G_OPTION_ARG_FILENAME, &o.users, "only jobs of these users", "LIST"},
	    {"accounts", 'A', 0, G_OPTION_ARG_FILENAME, &o.accounts, "only jobs of these accounts", "LIST"},
	    {"partition", 'r', 0, G_OPTION_ARG_FILENAME, &o.partitions, "only jobs in these partitions", "LIST"},
	    {"name", 0, 0, G_OPTION_ARG_FILENAME, &o.names, "only jobs of these names", "LIST"},
	    {"state", 's', 0, G_OPTION_ARG_FILENAME, &o.states, "only jobs in these states (CD, FAILED, ...)", "LIST"},
	    {"qos", 'q', 0, G_OPTION_ARG_FILENAME, &o.qos, "only jobs in these QOS", "LIST"},
	    {"nodelist", 'N', 0, G_OPTION_ARG_FILENAME, &o.nodes, "only jobs that ran on these nodes", "NODES"},
	    {"nnodes", 'i', 0, G_OPTION_ARG_FILENAME, &o.sizes, "only jobs of so many nodes", "MIN[-MAX]"},
	    {"timelimit-min", 'k', 0, G_OPTION_ARG_FILENAME, &o.limit_min, "only jobs with this time limit; with -K from it on",
	     "TIME"},
	    {"timelimit-max", 'K', 0, G_OPTION_ARG_FILENAME, &o.limit_max, "only jobs up to this time limit", "TIME"},
	    {"clusters", 'C', 0, G_OPTION_ARG_FILENAME, &o.clusters, "the cluster (there is one)", "LIST"},
	    {"cluster", 'M', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &o.clusters, "the same", "LIST"},
	    {"expand-patterns", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.ignored, "file names as they are", NULL},
	    {"batch-script", 'B', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.script, "of -j: a simulated job has none", NULL},
	    {"env-vars", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.environment, "of -j: a simulated job has none", NULL},
	    {"allclusters", 'L', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.ignored, "there is one", NULL},
	    {"completion", 'c', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.ignored, "as without", NULL},
	    {"uid", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &o.users, "as -u", "LIST"},
	    {"truncate", 'T', 0, G_OPTION_ARG_NONE, &o.truncate, "start and end cut to -S and -E", NULL},
	    {"steps", 0, 0, G_OPTION_ARG_NONE, &o.steps, "the steps of each job too", NULL},
	    {"as-slurm", 0, 0, G_OPTION_ARG_NONE, &o.as_slurm,
	     "Slurm's defaults: from midnight on (with -s: now) unless -S or -j, steps unless -X, the last run of a job unless -D, jobs "
	     "that were never eligible with -j only",
	     NULL},
	    {"array", 0, 0, G_OPTION_ARG_NONE, &o.each_task, "a line for each array task that has not started", NULL},
	    {"starttime", 'S', 0, G_OPTION_ARG_FILENAME, &o.from, "only jobs that had not ended then (date, now-1hour, today)",
	     "DATE"},
	    {"endtime", 'E', 0, G_OPTION_ARG_FILENAME, &o.to, "only jobs that were submitted by then", "DATE"},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "as JSON, or --yaml as YAML, in the shape of Slurm's data_parser", NULL},
	    {"allocations", 'X', 0, G_OPTION_ARG_NONE, &o.no_steps, "no steps", NULL},
	    {"allusers", 'a', 0, G_OPTION_ARG_NONE, &o.ignored, "jobs of all users (always)", NULL},
	    {"duplicates", 'D', 0, G_OPTION_ARG_NONE, &o.duplicates, "with --as-slurm: every run of a job", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	int code = EXIT_USAGE;

	bool ok = tool_options_parse(&options, argc, argv, OPTIONS_AT | OPTIONS_SLURM, &USAGE, own);

	if (ok && o.list_fields) {
		sacct_print_fields(stdout);
		code = tool_flush(USAGE.command);
	} else if (ok && (o.script || o.environment)) {
		code = print_kept(&o);
	} else if (ok && tool_options_scenario(&options) && check(&o)) {
		code = run_and_print(&options, &o);
	}
	tool_options_clear(&options);
	char *texts[] = {o.format, o.jobs, o.users, o.accounts, o.partitions, o.names, o.states, o.from, o.to,
	                 o.qos,    o.nodes, o.clusters, o.sizes,    o.limit_min,  o.limit_max, o.delimiter, o.units};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	return code;
}
