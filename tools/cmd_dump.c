/* cmd_dump.c - whypend dump: a run.db as text, for diff. */
#include "tools/commands.h"
#include "tools/dump.h"
#include "tools/options.h"
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend dump",
    .operands = "run.db",
    .summary = "Print all tables of a run.db as text; equal runs give equal text.",
    .examples = "Example:\n  whypend dump run.db | grep '^# table'",
};

/* Whether DB is a run.db of a schema that is known. */
static bool known_schema(struct sqlite3 *db)
{
	sqlite3_stmt *query = NULL;
	bool known =
	    sqlite3_prepare_v2(db, "SELECT value FROM meta WHERE key = 'schema'", -1, &query, NULL) == SQLITE_OK &&
	    sqlite3_step(query) == SQLITE_ROW && sqlite3_column_text(query, 0) &&
	    strcmp((const char *)sqlite3_column_text(query, 0), "1") == 0;

	sqlite3_finalize(query);
	return known;
}

static int dump(const char *path)
{
	struct sqlite3 *db = NULL;
	GError *error = NULL;
	int code = EXIT_USAGE;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
		tool_complain(USAGE.command, "%s: cannot be read: %s", path, db ? sqlite3_errmsg(db) : "out of memory");
	} else if (!known_schema(db)) {
		tool_complain(USAGE.command, "%s: this is no run.db; \"whypend run -o run.db\" writes one", path);
	} else if (db_dump(stdout, db, &error)) {
		code = tool_flush(USAGE.command);
	} else {
		tool_complain(USAGE.command, "%s: %s", path, error->message);
		g_error_free(error);
		code = EXIT_RUN;
	}
	sqlite3_close(db);
	return code;
}

int cmd_dump(int argc, char **argv)
{
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, -1, &USAGE, NULL)) {
		if (options.rest && options.rest[0] && !options.rest[1])
			code = dump(options.rest[0]);
		else
			tool_complain(USAGE.command, "name one run.db; see \"whypend dump --help\"");
	}
	tool_options_clear(&options);
	return code;
}
