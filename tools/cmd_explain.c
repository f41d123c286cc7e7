/* cmd_explain.c - whypend explain: the wait of a job as a story, and what would have helped. */
#include "tools/commands.h"
#include "tools/explain.h"
#include "tools/group_waits.h"
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend explain",
    .operands = "JOB|--group CLASS [SCENARIO|run.db]",
    .summary =
        "Tell why a job waited: interval by interval the reason, the rule, who or what stood in the way and what\n"
        "cleared it; then what would have helped, each found by running the scenario again with that one change.\n"
        "JOB is 12, 12_3 (a task) or a label of the scenario. From a run.db comes the story without new runs.\n"
        "With --group: where the waiting hours of each partition, account, user or QOS went, and the costliest "
        "obstacles.",
    .examples = "Examples:\n"
                "  whypend explain 4 scenarios/first-look\n"
                "  whypend explain wide --what-if time=1:00:00 --what-if nodes=2,twice scenarios/first-look\n"
                "  whypend explain 4 --ticket scenarios/first-look\n"
                "  whypend explain 4 run.db --json\n"
                "  whypend explain --group user scenarios/first-look\n"
                "  whypend explain --group qos=gold run.db\n\n"
                "A change is options of sbatch, separated by commas; \"dependency=\" takes one away; "
                "\"submit=+2:00:00\" (or -,\n"
                "or a date) submits at another time; \"twice\" submits two of them. Times of day are UTC.",
};

struct explain_options {
	char **what_if;
	char *run, *group;
	gboolean json, ticket, all, story_only;
};

static bool is_record(const char *path)
{
	char head[16] = "";
	FILE *f = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
	bool is = f && fread(head, 1, sizeof head, f) == sizeof head && memcmp(head, "SQLite format 3", 16) == 0;

	if (f)
		fclose(f);
	return is;
}

static int from_record(struct explanation *e, const char *path, const struct explain_wish *wish)
{
	struct sqlite3 *db = NULL;
	GError *error = NULL;

	if (wish->what_if) {
		tool_complain(USAGE.command,
		              "--what-if needs the scenario: a run.db holds what happened, not what could have");
		return EXIT_USAGE;
	}
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		tool_complain(USAGE.command, "%s: cannot be read: %s", path, db ? sqlite3_errmsg(db) : "out of memory");
	else if (!(e->story = story_read(db, wish->job, wish->run, &error)))
		tool_complain(USAGE.command, "%s: %s", path, error->message);
	g_clear_error(&error);
	sqlite3_close(db);
	return e->story ? EXIT_GOOD : EXIT_USAGE;
}

static int print(const struct explanation *e, const struct explain_options *o)
{
	if (o->json)
		explain_json(stdout, e);
	else if (o->ticket)
		explain_ticket(stdout, e);
	else
		explain_print(stdout, e, o->all ? ALL_INTERVALS : 0);
	return tool_flush(USAGE.command);
}

static bool read_run(const struct explain_options *o, int *run)
{
	guint64 n;

	*run = -1;
	if (!o->run)
		return true;
	if (!g_ascii_string_to_unsigned(o->run, 10, 0, 1000000, &n, NULL)) {
		tool_complain(USAGE.command, "--run: bad value \"%s\"; write 0 for the first run, 1 after one requeue",
		              o->run);
		return false;
	}
	*run = (int)n;
	return true;
}

/* Changes are tried on the first run of a job; of a later one there is the story. False after a message. */
static bool first_run_only(const struct explain_options *o, struct explain_wish *wish)
{
	if (wish->run > 0 && o->what_if) {
		tool_complain(USAGE.command, "--what-if tries a change on a job's first run; leave out --run");
		return false;
	}
	wish->ideas = wish->ideas && wish->run <= 0;
	return true;
}

/* The job is the first operand; the rest is as in other subcommands. */
static char *take_job(struct tool_options *options)
{
	char *job;

	if (!options->rest || !options->rest[0])
		return NULL;
	job = options->rest[0];
	for (char **p = options->rest; *p; p++)
		p[0] = p[1];
	return job;
}

static int explain(struct tool_options *options, const struct explain_options *o)
{
	struct explanation e = {0};
	struct explain_wish wish = {.what_if = o->what_if, .ideas = !o->story_only};
	char *job = take_job(options);
	int code = EXIT_USAGE;

	wish.job = job;
	if (!job || !*job) {
		tool_complain(USAGE.command, "name a job: 12, 12_3 or a label; see \"whypend explain --help\"");
	} else if (read_run(o, &wish.run) && first_run_only(o, &wish) && tool_options_scenario(options)) {
		const char *path = options->scenario.path;
		code = path && is_record(path) ? from_record(&e, path, &wish) : explain_scenario(&e, options, &wish);
		if (code == EXIT_GOOD)
			code = print(&e, o);
	}
	explanation_clear(&e);
	g_free(job);
	return code;
}

/* ---- classes ---- */

static int print_group(struct sqlite3 *db, const struct explain_options *o)
{
	GError *error = NULL;

	if (group_print(stdout, db, o->group, o->json, &error))
		return tool_flush(USAGE.command);
	tool_complain(USAGE.command, "%s", error->message);
	g_error_free(error);
	return EXIT_USAGE;
}

static int group_of_record(const char *path, const struct explain_options *o)
{
	struct sqlite3 *db = NULL;
	int code = EXIT_USAGE;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		tool_complain(USAGE.command, "%s: cannot be read: %s", path, db ? sqlite3_errmsg(db) : "out of memory");
	else
		code = print_group(db, o);
	sqlite3_close(db);
	return code;
}

static int group_of_run(struct tool_options *options, const struct explain_options *o)
{
	struct session session;
	int code = session_run_recorded(&session, options, USAGE.command);

	if (code == EXIT_GOOD)
		code = print_group(recorder_db(session.recorder), o);
	session_close(&session);
	return code;
}

static int explain_group(struct tool_options *options, const struct explain_options *o)
{
	GError *error = NULL;

	if (o->what_if || o->ticket || o->run) {
		tool_complain(USAGE.command, "--what-if, --ticket and --run speak of one job, not of a --group");
		return EXIT_USAGE;
	}
	if (!group_check(o->group, &error)) {
		tool_complain(USAGE.command, "%s", error->message);
		g_error_free(error);
		return EXIT_USAGE;
	}
	if (!tool_options_scenario(options))
		return EXIT_USAGE;
	const char *path = options->scenario.path;
	return path && is_record(path) ? group_of_record(path, o) : group_of_run(options, o);
}

int cmd_explain(int argc, char **argv)
{
	struct explain_options o = {0};
	const GOptionEntry own[] = {
	    {"what-if", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.what_if,
	     "run again with this change, for example time=4:00:00,gpus=8 (may be repeated)", "CHANGE"},
	    {"no-ideas", 0, 0, G_OPTION_ARG_NONE, &o.story_only, "do not look for what would have helped", NULL},
	    {"all", 'a', 0, G_OPTION_ARG_NONE, &o.all, "every interval, however many", NULL},
	    {"run", 0, 0, G_OPTION_ARG_FILENAME, &o.run, "of a requeued job: the wait before run N (0 first)", "N"},
	    {"group", 0, 0, G_OPTION_ARG_FILENAME, &o.group,
	     "the waiting hours by partition, account, user or qos; of one class with user=NAME", "CLASS"},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "as JSON", NULL},
	    {"ticket", 0, 0, G_OPTION_ARG_NONE, &o.ticket, "one paragraph for a support ticket", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_UNTIL, &USAGE, own))
		code = o.group ? explain_group(&options, &o) : explain(&options, &o);
	tool_options_clear(&options);
	g_strfreev(o.what_if);
	g_free(o.run);
	g_free(o.group);
	return code;
}
