/* cmd_sacctmgr.c - whypend sacctmgr show: what accounting holds, as sacctmgr prints it. */
#include "tools/commands.h"
#include "tools/sacctmgr_dump.h"
#include "tools/sacctmgr_out.h"
#include "tools/sacctmgr_rest.h"
#include "tools/session.h"
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend sacctmgr",
    .operands = "show ENTITY [where] [KEY=VALUE...] [SCENARIO] | dump [CLUSTER] [file=FILE] [SCENARIO]",
    .summary =
        "Print what accounting holds of a scenario as Slurm's sacctmgr show does. ENTITY: assoc, qos, user, account, tres,\n"
        "cluster, event, reservation, transaction, problem, runawayjobs, stats, config, and federation, resource and\n"
        "wckey, of which there are none. KEY: format (fields, with %WIDTH), account, user, name, node. Words: tree,\n"
        "wolimits, wopinfo (assoc), withassoc, withcoord (user, account).\n"
        "dump writes accounts, users, limits and (since 25.05) QOS to FILE, or CLUSTER.cfg, as sacctmgr dump does; a scenario's\n"
        "\"accounting\" may name that file.",
    .examples = "Examples:\n"
                "  whypend sacctmgr show qos scenarios/h100-a100-month\n"
                "  whypend sacctmgr dump file=accounts.cfg scenarios/h100-a100-month\n"
                "  whypend sacctmgr -n -P show assoc where account=physics format=user,share scenarios/h100-a100-month",
};

struct dump_words {
	const char *cluster, *file; /* borrowed; NULL = not given */
};

static bool read_flag(const char *word, struct sacctmgr_options *o)
{
	bool ignored; /* there is one cluster; what is deleted is not remembered */
	const struct {
		const char *name;
		bool *to;
	} flags[] = {
	    {"tree", &o->tree}, {"wolimits", &o->without_limits}, {"wopinfo", &o->own}, {"withassoc", &o->with_assoc},
	    {"withcoord", &o->with_coord},  {"all_clusters", &ignored},        {"withdeleted", &ignored}, {"clusters", &ignored},
	    {"onlydefaults", &ignored},     {"nodes", &ignored},               {"all_time", &ignored}};

	for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
		if (g_ascii_strcasecmp(word, flags[i].name) == 0) {
			*flags[i].to = true;
			return true;
		}
	return false;
}

static bool unknown_condition(const char *word)
{
	char *raw = g_strdup_printf(" Unknown condition: %s\n Use keyword 'set' to modify SLURM_PRINT_VALUE", word);

	tool_refuse(USAGE.command, raw, "unknown condition \"%s\"; known are format=, account=, user=, name=, node=, cluster=", word);
	g_free(raw);
	return false;
}

static bool refuse_words(char **rest)
{
	static const char *const CHANGES[] = {"add", "create", "modify", "delete", "remove", "load", "archive", "clear", "reconfigure",
	                                      NULL};
	const char *verb = rest && rest[0] ? rest[0] : "";
	char *raw = g_strdup_printf("invalid keyword: %s", verb);

	if (g_strv_contains(CHANGES, verb))
		tool_complain(USAGE.command, "%s: commands that change things stand in a scenario's \"events\", or are typed in \"whypend "
		                             "shell\"", verb);
	else if (strcmp(verb, "show") == 0 || strcmp(verb, "list") == 0)
		tool_refuse(USAGE.command, SACCTMGR_NO_ENTITY, "write: show assoc|qos|user|account|tres|cluster|event|... [KEY=VALUE...] [SCENARIO]");
	else
		tool_refuse(USAGE.command, raw, "write: show assoc|qos|user|account|tres|cluster|event|... [KEY=VALUE...] [SCENARIO]");
	g_free(raw);
	return false;
}

/* dump: the last word is the scenario when it is a file and not the only thing that could name the cluster. */
static void read_dump(char **rest, struct dump_words *d, GPtrArray *taken)
{
	guint left = 0, n = g_strv_length(rest);

	for (guint i = 0; i < n; i++) {
		char *word = rest[i], *eq = strchr(word, '=');
		size_t len = eq ? (size_t)(eq - word) : 0;
		bool file = len && g_ascii_strncasecmp(word, "file", len) == 0, cluster = len && g_ascii_strncasecmp(word, "clusters", len) == 0;

		if (i && !file && !cluster && (d->cluster || left || g_file_test(word, G_FILE_TEST_EXISTS))) {
			rest[left++] = word;
			continue;
		}
		if (file)
			d->file = eq + 1;
		else if (i)
			d->cluster = cluster ? eq + 1 : word;
		g_ptr_array_add(taken, word);
	}
	rest[left] = NULL;
}

/* Takes KEY=VALUE, "where" and the verb out of REST; what is left is the scenario. False after a message. */
static bool read_words(char **rest, struct sacctmgr_options *o, GPtrArray *taken)
{
	guint left = 0, n = rest ? g_strv_length(rest) : 0;
	bool good = true;

	if (n < 2 || (g_ascii_strcasecmp(rest[0], "show") != 0 && g_ascii_strcasecmp(rest[0], "list") != 0)) {
		return refuse_words(rest);
	}
	for (guint i = 0; i < n; i++) {
		char *word = rest[i], *eq = strchr(word, '=');
		size_t len = eq ? (size_t)(eq - word) : 0;
		const char **to = NULL, *clusters;

		if (len && g_ascii_strncasecmp(word, "format", len) == 0)
			to = &o->format;
		else if (len && g_ascii_strncasecmp(word, "accounts", len) == 0)
			to = &o->accounts;
		else if (len && g_ascii_strncasecmp(word, "users", len) == 0)
			to = &o->users;
		else if (len && g_ascii_strncasecmp(word, "names", len) == 0)
			to = &o->names;
		else if (len && g_ascii_strncasecmp(word, "nodes", len) == 0)
			to = &o->nodes;
		else if (len && g_ascii_strncasecmp(word, "clusters", len) == 0)
			to = &clusters;
		if (i < 2 || to || g_ascii_strcasecmp(word, "where") == 0 || read_flag(word, o)) {
			if (i == 1)
				o->entity = word;
			if (to)
				*to = eq + 1;
			g_ptr_array_add(taken, word);
		} else if (len && !g_file_test(word, G_FILE_TEST_EXISTS)) {
			good = unknown_condition(word);
			g_ptr_array_add(taken, word);
		} else if (!g_file_test(word, G_FILE_TEST_EXISTS) && g_getenv("WHYPEND_SCENARIO") && !o->names) { /* "show user bob" */
			o->names = word;
			g_ptr_array_add(taken, word);
		} else {
			rest[left++] = word;
		}
	}
	rest[left] = NULL;
	return good;
}

static int dump(const struct tool_options *options, const struct dump_words *d)
{
	struct session session;
	GError *error = NULL;
	int code = options->until ? session_run(&session, options, SESSION_NO_RECORD, NULL) : session_open(&session, options, SESSION_NO_RECORD, NULL);

	if (code == EXIT_GOOD && !sacctmgr_dump(stderr, session.scenario->cluster, d->cluster, d->file, &error)) {
		tool_refuse(USAGE.command, error->message, "%s", error->message + strspn(error->message, " "));
		g_error_free(error);
		code = EXIT_USAGE;
	}
	session_close(&session);
	return code;
}

static int print(const struct tool_options *options, const struct sacctmgr_options *o)
{
	struct session session;
	GError *error = NULL;
	bool events, rest = sacctmgr_rest_knows(o->entity, &events);
	enum session_record record = events ? SESSION_RECORD : SESSION_NO_RECORD;
	/* what accounting holds at the start, or has become by a moment; events are those of the whole run */
	int code = options->until || events ? session_run(&session, options, record, NULL)
	                                    : session_open(&session, options, record, NULL);

	if (code == EXIT_GOOD) {
		sim_controller(session.sim); /* relative limits become counts */
		if (rest ? sacctmgr_rest_print(stdout, &session, o, &error)
		         : sacctmgr_print(stdout, session.scenario->cluster, o, &error)) {
			code = tool_flush(USAGE.command);
		} else {
			tool_refuse(USAGE.command, error->message, "%s", error->message);
			g_error_free(error);
			code = EXIT_USAGE;
		}
	}
	session_close(&session);
	return code;
}

int cmd_sacctmgr(int argc, char **argv)
{
	struct sacctmgr_options o = {0};
	struct dump_words d = {NULL, NULL};
	gboolean parsable = FALSE, closed = FALSE, no_header = FALSE, json = FALSE, ignored = FALSE, with_assoc = FALSE;
	const GOptionEntry own[] = {
	    {"parsable2", 'P', 0, G_OPTION_ARG_NONE, &parsable, "fields separated by |, nothing cut", NULL},
	    {"parsable", 'p', 0, G_OPTION_ARG_NONE, &closed, "the same with | at the end", NULL},
	    {"immediate", 'i', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &ignored, "nothing is asked", NULL},
	    {"associations", 's', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &with_assoc, "with associations", NULL},
	    {"readonly", 'r', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &ignored, "always", NULL},
	    {"noheader", 'n', 0, G_OPTION_ARG_NONE, &no_header, "no header lines", NULL},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON, or --yaml as YAML, in the shape of Slurm's data_parser", NULL},
	    G_OPTION_ENTRY_NULL};
	GPtrArray *taken = g_ptr_array_new_with_free_func(g_free);
	struct tool_options options;
	char *command = NULL;
	int code = EXIT_USAGE;

	bool good = tool_options_parse(&options, argc, argv, OPTIONS_AT | OPTIONS_SLURM, &USAGE, own);
	bool dumps = good && options.rest && options.rest[0] && g_ascii_strcasecmp(options.rest[0], "dump") == 0;

	if (dumps)
		read_dump(options.rest, &d, taken);
	good = good && (dumps || read_words(options.rest, &o, taken)) && tool_options_scenario(&options);
	if (good && dumps) {
		code = dump(&options, &d);
	} else if (good) {
		o.with_assoc |= with_assoc;
		o.parsable = parsable;
		o.closed = closed;
		o.no_header = no_header;
		o.json = json;
		command = g_strdup_printf("sacctmgr --json show %s", o.entity);
		o.command = command;
		code = print(&options, &o);
	}
	tool_options_clear(&options);
	g_free(command);
	g_ptr_array_unref(taken);
	return code;
}
