/* cmd_scontrol.c - whypend scontrol: records at a moment, as scontrol show prints them. */
#include "models/confshow.h"
#include "models/suggest.h"
#include "sim/commands.h"
#include "sim/scontrol_rest.h"
#include "tools/commands.h"
#include "tools/conf_json.h"
#include "tools/scontrol_answer.h"
#include "tools/session.h"
#include "tools/show.h"
#include "tools/show_assoc.h"
#include "tools/steps_out.h"
#include "tools/view_json.h"
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend scontrol",
    .operands = "show ENTITY[=ID] [ID] [SCENARIO] | completing|ping|version [SCENARIO] | VERB [ARGUMENT...] [SCENARIO]",
    .summary =
        "Simulate a scenario up to a moment and print records as Slurm's scontrol show does.\n"
        "ENTITY: job, node, partition, reservation, license, step, topology, config, daemons, assoc_mgr\n"
        "[users=|accounts=|qos=|flags=users,assoc,qos], aliases, hostnames, hostlist, hostlistsorted. completing: jobs that have ended but still hold nodes.\n"
        "VERB: setdebug, setdebugflags, schedloglevel, write config|batch_script, notify, wait_job, listpids, pidinfo,\n"
        "token, takeover, errnumstr, cluster, details, oneliner: answered as Slurm's scontrol does, and change nothing.\n"
        "What changes something (update, create, delete, hold, reboot, power, reconfigure ...) stands in a scenario's \"events\", or is\n"
        "typed in \"whypend shell\"; what scontrol itself refuses of it is told here too.",
    .examples = "Examples:\n"
                "  whypend scontrol --at 60 show job 6 scenarios/first-look\n"
                "  whypend scontrol --at 60 -d show node gpu1 scenarios/first-look\n"
                "  whypend scontrol --at 60 show assoc_mgr flags=assoc scenarios/first-look\n"
                "  whypend scontrol show hostnames gpu[1-4]",
};

static const char *const ENTITIES[] = {"job", "node", "partition", "reservation", "license", "step", "topology",
                                       "config", "daemons", "assoc_mgr", "aliases", "federation", "burstbuffer", "bbstat", "dwstat",
                                       "hostnames", "hostlist", "hostlistsorted",
                                       /* not shown, but asked for by themselves */
                                       "completing", "ping", "version", NULL};
enum entity {
	JOB,
	NODE,
	PARTITION,
	RESERVATION,
	LICENSE,
	STEP,
	TOPOLOGY,
	CONFIG,
	DAEMONS,
	ASSOC_MGR,
	ALIASES,
	FEDERATION, /* this and the next three: there is none, and so Slurm prints nothing */
	BURST_BUFFER,
	BB_STAT,
	DW_STAT,
	HOSTNAMES,
	HOSTLIST,
	HOSTLISTSORTED,
	SHOWN_N,
	COMPLETING = SHOWN_N,
	PING,
	VERSION,
	ENTITIES_N
};

/* scontrol takes what the name begins with ("part"), and plurals. */
static int find_entity(const char *name, size_t n)
{
	for (int i = 0; i < SHOWN_N; i++)
		if (n > 0 && g_ascii_strncasecmp(ENTITIES[i], name, n) == 0)
			return i;
	for (int i = 0; i < SHOWN_N; i++)
		if (n > 1 && strlen(ENTITIES[i]) == n - 1 && g_ascii_strncasecmp(ENTITIES[i], name, n - 1) == 0)
			return i;
	if (n >= 5 && g_ascii_strncasecmp("jobid", name, n) == 0)
		return JOB;
	return g_ascii_strncasecmp("nodename", name, n) == 0        ? NODE
	       : g_ascii_strncasecmp("partitionname", name, n) == 0 ? PARTITION
	       : g_ascii_strncasecmp("configuration", name, n) == 0 ? CONFIG
	                                                            : -1;
}

struct wish {
	enum entity entity;
	char *id; /* NULL = all */
	int flags;
	bool json;
	struct assoc_filter filter;
	GPtrArray *words; /* owned: those that the filter borrows */
	char **verb;      /* owned; a verb that is answered, and its arguments; NULL */
};

/* As `scontrol show config`: whypend config tells in addition where each value is from. */
static void show_config(const struct scenario *s, sec_t now)
{
	GPtrArray *rows = conf_show(s->cluster, s->origins, usec_to_sec(s->sim.controller_start));
	char *text = conf_show_text(rows, s->origins, s->cgroup, now, false);

	fputs(text, stdout);
	g_free(text);
	g_ptr_array_unref(rows);
}

/* The names of all nodes. */
static void show_aliases(const struct cluster *cl)
{
	for (uint32_t i = 0; i < cl->n_nodes; i++)
		printf("%s%s", i ? " " : "", cl->node[i]->name);
	putchar('\n');
}

static int show(const struct session *session, const struct wish *w)
{
	static int (*const SHOW[])(FILE *, const struct job_view *, const char *, int) = {
	    show_jobs, show_nodes, show_partitions, show_reservations, show_licenses, show_steps, show_topology};
	const struct controller *c = sim_controller(session->sim);
	const struct cluster *cl = controller_cluster(c);
	const struct job_view v = {c, usec_to_sec(sim_now(session->sim)), cl->params->version == SLURM_22_05};

	if (w->entity < G_N_ELEMENTS(SHOW))
		return SHOW[w->entity](stdout, &v, w->id, w->flags);
	if (w->entity == CONFIG)
		show_config(session->scenario, v.now);
	else if (w->entity == DAEMONS)
		puts("slurmctld slurmd");
	else if (w->entity == ASSOC_MGR)
		show_assoc_mgr(stdout, &v, &w->filter, w->flags);
	else if (w->entity == ALIASES)
		show_aliases(cl);
	else if (w->entity >= FEDERATION && w->entity <= DW_STAT)
		return EXIT_GOOD;
	else if (w->entity == COMPLETING)
		return show_completing(stdout, &v);
	else if (w->entity == PING)
		puts("Slurmctld(primary) at localhost is UP");
	else
		puts(v.v22 ? "slurm-wlm 22.05.8" : "slurm 26.05.0");
	return EXIT_GOOD;
}

/* Topology, daemons, assoc_mgr and host names are plain text there as well. */
static int show_json(const struct session *session, const struct wish *w)
{
	const struct controller *c = sim_controller(session->sim);
	struct squeue_options o = {.states = "all", .all = true, .jobs = w->id, .sort = ""};
	sec_t now = usec_to_sec(sim_now(session->sim));

	if (w->entity == JOB)
		json_print_jobs(stdout, c, now, &o, "scontrol show jobs --json");
	else if (w->entity == NODE)
		json_print_nodes(stdout, c, now, w->id, "scontrol show nodes --json");
	else if (w->entity == PARTITION)
		json_print_partitions(stdout, c, now, w->id, "scontrol show partitions --json");
	else if (w->entity == RESERVATION)
		json_print_reservations(stdout, c, now, w->id, "scontrol show reservations --json");
	else if (w->entity == LICENSE)
		json_print_licenses(stdout, c, now, w->id, "scontrol show licenses --json");
	else if (w->entity == STEP)
		json_print_steps(stdout, c, now, &(struct squeue_options){.all = true, .jobs = w->id},
		                 "scontrol show steps --json");
	else if (w->entity == PING)
		json_print_pings(stdout, c);
	else if (w->entity == CONFIG) {
		GPtrArray *rows = conf_show(session->scenario->cluster, session->scenario->origins,
		                            usec_to_sec(session->scenario->sim.controller_start));
		conf_json_print(stdout, c, rows, usec_to_sec(session->scenario->sim.controller_start), now);
		g_ptr_array_unref(rows);
	} else
		return show(session, w);
	return EXIT_GOOD;
}

static int run(const struct tool_options *options, const struct wish *w)
{
	struct session session = {0};
	int code, status = 0;

	if (w->verb && !scontrol_answer_needs_run(w->verb)) {
		scontrol_answer(NULL, NULL, w->verb, &status);
		code = tool_flush(USAGE.command);
		return code ? code : status ? EXIT_USAGE : EXIT_GOOD;
	}
	if (w->entity >= HOSTNAMES && w->entity <= HOSTLISTSORTED) { /* needs no cluster */
		enum host_form form = w->entity == HOSTNAMES  ? HOST_NAMES
		                      : w->entity == HOSTLIST ? HOST_LIST
		                                              : HOST_SORTED;
		code = show_hostnames(stdout, w->id, form);
		return code ? code : tool_flush(USAGE.command);
	}
	code = session_run(&session, options, SESSION_NO_RECORD, NULL);
	if (code == EXIT_GOOD) {
		if (w->verb)
			code = scontrol_answer(&session, NULL, w->verb, &status) && status ? EXIT_USAGE : EXIT_GOOD;
		else
			code = (w->json ? show_json : show)(&session, w);
		code = code ? code : tool_flush(USAGE.command);
	}
	session_close(&session);
	return code;
}

static bool looks_like_scenario(const char *path)
{
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

static void drop_words(char **rest, guint n)
{
	guint all = g_strv_length(rest);

	for (guint i = 0; i < n; i++)
		g_free(rest[i]);
	memmove(rest, rest + n, (all - n + 1) * sizeof *rest);
}

/* "completing", "ping", "version" */
static bool read_plain(char **rest, struct wish *w)
{
	for (int i = SHOWN_N; rest && rest[0] && i < ENTITIES_N; i++)
		if (g_ascii_strcasecmp(rest[0], ENTITIES[i]) == 0) {
			w->entity = (enum entity)i;
			drop_words(rest, 1);
			return true;
		}
	return false;
}

static const char *const OF_MACHINES[] = {"listjobs", "liststeps", "getaddrs", NULL};

/* A verb that is answered: all words but a scenario at the end. */
static bool read_verb(char **rest, struct wish *w)
{
	GString *text = g_string_new(NULL);
	guint n = rest ? g_strv_length(rest) : 0, used = n;
	int status;
	bool known = n > 0 && scontrol_rest(NULL, NULL, rest, text, &status);

	if (known && used > 1 && g_ascii_strcasecmp(rest[0], "write") != 0 && looks_like_scenario(rest[used - 1]))
		used--;
	if (known) {
		w->verb = g_new0(char *, used + 1);
		for (guint i = 0; i < used; i++)
			w->verb[i] = g_strdup(rest[i]);
		drop_words(rest, used);
	}
	g_string_free(text, TRUE);
	return known;
}

/* What scontrol refuses by itself is told in its words. */
static bool refuse_change(char **rest)
{
	GString *line = g_string_new("scontrol");
	GError *error = NULL;
	char *before;

	for (char **w = rest; w && *w; w++) {
		if (w > rest && !w[1] && looks_like_scenario(*w))
			break;
		char *quoted = g_shell_quote(*w);
		g_string_append_printf(line, " %s", quoted);
		g_free(quoted);
	}
	struct command *cmd = rest && rest[0] ? command_parse(line->str, NULL, &error) : NULL;
	before = g_strdup_printf("command \"%s\": ", line->str);
	if (error && g_str_has_prefix(error->message, before))
		fprintf(stderr, "%s\n", error->message + strlen(before));
	else
		tool_complain(USAGE.command, "write: show ENTITY [ID] [SCENARIO]; commands that change things stand in a scenario's "
			      "\"events\", or are typed in \"whypend shell\"");
	command_free(cmd);
	g_clear_error(&error);
	g_free(before);
	g_string_free(line, TRUE);
	return false;
}

static bool unknown_entity(const char *name)
{
	struct suggestion s;
	char *all = g_strjoinv(", ", (char **)ENTITIES), *known, *hint;

	suggest_begin(&s, name);
	for (int i = 0; i < SHOWN_N; i++)
		suggest_offer(&s, ENTITIES[i]);
	all[strstr(all, ", completing") - all] = '\0';
	known = g_strconcat("known are ", all, NULL);
	hint = suggest_hint(&s, known);
	tool_complain(USAGE.command, "invalid entity \"%s\"; %s", name, hint);
	g_free(hint);
	g_free(known);
	g_free(all);
	return false;
}

/* Words "show job 12 SCENARIO" or "show job=12": leaves the scenario in REST. False after a message. */
static bool read_words(char **rest, struct wish *w)
{
	guint n = rest ? g_strv_length(rest) : 0, used = 2;
	int entity;

	if (read_plain(rest, w) || read_verb(rest, w))
		return true;
	if (rest && rest[0] && g_strv_contains(OF_MACHINES, rest[0])) {
		tool_complain(USAGE.command, "%s asks for processes, files or addresses of machines; a simulation has none", rest[0]);
		return false;
	}
	if (n < 2 || g_ascii_strcasecmp(rest[0], "show") != 0)
		return refuse_change(rest);
	entity = find_entity(rest[1], strcspn(rest[1], "="));
	if (entity < 0)
		return unknown_entity(rest[1]);
	w->entity = (enum entity)entity;
	while (entity == ASSOC_MGR && used < n && strchr(rest[used], '=')) {
		char *word = g_strdup(rest[used++]);
		g_ptr_array_add(w->words, word);
		if (!assoc_filter_read(&w->filter, word)) {
			tool_complain(USAGE.command, "assoc_mgr: bad filter \"%s\"; write users=, accounts=, qos= or flags=users,assoc,qos",
			              word);
			return false;
		}
	}
	if (entity == ASSOC_MGR)
		;
	else if (strchr(rest[1], '='))
		w->id = g_strdup(strchr(rest[1], '=') + 1);
	else if (n > 2 && (n > 3 || !looks_like_scenario(rest[2]) || entity >= HOSTNAMES))
		w->id = g_strdup(rest[used++]);
	drop_words(rest, used);
	return true;
}

int cmd_scontrol(int argc, char **argv)
{
	gboolean details = FALSE, one_line = FALSE, all = FALSE, json = FALSE;
	const GOptionEntry own[] = {
	    {"details", 'd', 0, G_OPTION_ARG_NONE, &details, "what is held, node by node", NULL},
	    {"oneliner", 'o', 0, G_OPTION_ARG_NONE, &one_line, "a line for each record", NULL},
	    {"all", 'a', 0, G_OPTION_ARG_NONE, &all, "hidden partitions too (they always are)", NULL},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "as JSON, or --yaml as YAML, in the shape of Slurm's data_parser", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct wish w = {.words = g_ptr_array_new_with_free_func(g_free)};
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_AT | OPTIONS_SLURM, &USAGE, own) && read_words(options.rest, &w) &&
	    ((w.verb && !scontrol_answer_needs_run(w.verb)) || tool_options_scenario(&options))) {
		w.flags = (details ? SHOW_DETAILS : 0) | (one_line ? SHOW_ONE_LINE : 0);
		w.json = json;
		options.from_moments = !json && w.entity != CONFIG && w.entity != ASSOC_MGR && w.entity != LICENSE;
		code = run(&options, &w);
	}
	g_free(w.id);
	g_strfreev(w.verb);
	g_ptr_array_unref(w.words);
	tool_options_clear(&options);
	return code;
}
