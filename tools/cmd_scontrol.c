/* cmd_scontrol.c - whypend scontrol: records at a moment, as scontrol show prints them. */
#include "models/suggest.h"
#include "tools/commands.h"
#include "tools/session.h"
#include "tools/show.h"
#include "tools/view_json.h"
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend scontrol",
    .operands = "show ENTITY[=ID] [ID] [SCENARIO]",
    .summary = "Simulate a scenario up to a moment and print records as Slurm's scontrol show does.\n"
               "ENTITY: job, node, partition, reservation, license, hostnames, hostlist.",
    .examples = "Examples:\n"
                "  whypend scontrol --at 60 show job 6 scenarios/first-look\n"
                "  whypend scontrol --at 60 -d show node gpu1 scenarios/first-look\n"
                "  whypend scontrol show hostnames gpu[1-4]",
};

static const char *const ENTITIES[] = {"job", "node", "partition", "reservation", "license", "hostnames", "hostlist"};
enum entity { JOB, NODE, PARTITION, RESERVATION, LICENSE, HOSTNAMES, HOSTLIST, ENTITIES_N };

/* scontrol takes what the name begins with ("part"), and plurals. */
static int find_entity(const char *name, size_t n)
{
	for (int i = 0; i < ENTITIES_N; i++)
		if (n > 0 && g_ascii_strncasecmp(ENTITIES[i], name, n) == 0)
			return i;
	for (int i = 0; i < ENTITIES_N; i++)
		if (n > 1 && strlen(ENTITIES[i]) == n - 1 && g_ascii_strncasecmp(ENTITIES[i], name, n - 1) == 0)
			return i;
	if (n >= 5 && g_ascii_strncasecmp("jobid", name, n) == 0)
		return JOB;
	return g_ascii_strncasecmp("nodename", name, n) == 0        ? NODE
	       : g_ascii_strncasecmp("partitionname", name, n) == 0 ? PARTITION
	                                                            : -1;
}

struct wish {
	enum entity entity;
	char *id; /* NULL = all */
	int flags;
	bool json;
};

int show_entity(FILE *out, const struct controller *c, sec_t now, int entity, const char *id, int flags)
{
	static int (*const SHOW[])(FILE *, const struct job_view *, const char *,
	                           int) = {show_jobs, show_nodes, show_partitions, show_reservations, show_licenses};
	const struct job_view v = {c, now, controller_cluster(c)->params->version == SLURM_22_05};

	if (entity >= HOSTNAMES)
		return show_hostnames(out, &v, id, entity == HOSTLIST);
	return SHOW[entity](out, &v, id, flags);
}

int show_find_entity(const char *name)
{
	return find_entity(name, strcspn(name, "="));
}

static int print_json(const struct controller *c, sec_t now, const struct wish *w)
{
	struct squeue_options o = {.states = "all", .all = true, .jobs = w->id, .sort = ""};

	if (w->entity == JOB)
		json_print_jobs(stdout, c, now, &o, "scontrol show jobs --json");
	else if (w->entity == NODE)
		json_print_nodes(stdout, c, now, w->id, "scontrol show nodes --json");
	else if (w->entity == PARTITION)
		json_print_partitions(stdout, c, now, w->id, "scontrol show partitions --json");
	else {
		tool_complain(USAGE.command, "--json: for job, node and partition");
		return EXIT_USAGE;
	}
	return EXIT_GOOD;
}

static int run(const struct tool_options *options, const struct wish *w)
{
	struct session session = {0};
	int code;

	if (w->entity >= HOSTNAMES) { /* needs no cluster */
		code = show_hostnames(stdout, NULL, w->id, w->entity == HOSTLIST);
		return code ? code : tool_flush(USAGE.command);
	}
	code = session_run(&session, options, SESSION_NO_RECORD, NULL);
	if (code == EXIT_GOOD) {
		const struct controller *c = sim_controller(session.sim);
		sec_t now = usec_to_sec(sim_now(session.sim));

		code = w->json ? print_json(c, now, w) : show_entity(stdout, c, now, w->entity, w->id, w->flags);
		code = code ? code : tool_flush(USAGE.command);
	}
	session_close(&session);
	return code;
}

static bool looks_like_scenario(const char *path)
{
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* Words "show job 12 SCENARIO" or "show job=12": leaves the scenario in REST. False after a message. */
static bool read_words(char **rest, struct wish *w)
{
	guint n = rest ? g_strv_length(rest) : 0, used = 2;
	int entity;

	if (n < 2 || g_ascii_strcasecmp(rest[0], "show") != 0) {
		tool_complain(USAGE.command,
		              "write: show ENTITY [ID] [SCENARIO]; commands that change things stand in a scenario's "
		              "\"events\", or are typed in \"whypend shell\"");
		return false;
	}
	entity = find_entity(rest[1], strcspn(rest[1], "="));
	if (entity < 0) {
		struct suggestion s;
		suggest_begin(&s, rest[1]);
		for (int i = 0; i < ENTITIES_N; i++)
			suggest_offer(&s, ENTITIES[i]);
		char *hint =
		    suggest_hint(&s, "known are job, node, partition, reservation, license, hostnames, hostlist");
		tool_complain(USAGE.command, "invalid entity \"%s\"; %s", rest[1], hint);
		g_free(hint);
		return false;
	}
	w->entity = (enum entity)entity;
	if (strchr(rest[1], '='))
		w->id = g_strdup(strchr(rest[1], '=') + 1);
	else if (n > 2 && (n > 3 || !looks_like_scenario(rest[2])))
		w->id = g_strdup(rest[used++]);
	for (guint i = 0; i < used; i++)
		g_free(rest[i]);
	memmove(rest, rest + used, (n - used + 1) * sizeof *rest);
	return true;
}

int cmd_scontrol(int argc, char **argv)
{
	gboolean details = FALSE, one_line = FALSE, all = FALSE, json = FALSE;
	const GOptionEntry own[] = {
	    {"details", 'd', 0, G_OPTION_ARG_NONE, &details, "what is held, node by node", NULL},
	    {"oneliner", 'o', 0, G_OPTION_ARG_NONE, &one_line, "a line for each record", NULL},
	    {"all", 'a', 0, G_OPTION_ARG_NONE, &all, "hidden partitions too (they always are)", NULL},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &json,
	     "as JSON, in the shape of Slurm's data_parser: job, node, partition", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct wish w = {0};
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own) && read_words(options.rest, &w) &&
	    tool_options_scenario(&options)) {
		w.flags = (details ? SHOW_DETAILS : 0) | (one_line ? SHOW_ONE_LINE : 0);
		w.json = json;
		code = run(&options, &w);
	}
	g_free(w.id);
	tool_options_clear(&options);
	return code;
}
