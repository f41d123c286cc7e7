/* cmd_passes.c - whypend passes: what each pass of the scheduler decided, and by which rule. */
#include "scenarios/scenario_parts.h"
#include "tools/commands.h"
#include "tools/passes_out.h"
#include "tools/session.h"
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend passes",
    .operands = "[SCENARIO]",
    .summary = "Simulate a scenario and list its passes: who was looked at, tried, planned, started and skipped, and by\n"
               "which rule (B... backfill, S... main scheduler). At the end: what ended the passes, with counts.",
    .examples = "Examples:\n"
                "  whypend passes --to 60 scenarios/first-look\n"
                "  whypend passes --from 3600 --to 2:00:00 -j wide --kind backfill scenarios/first-look\n"
                "  whypend passes --summary --controller-cost large scenarios/h100-a100-month",
};

/* What an option says: seconds after the start, a duration, or a date. */
static bool parse_time(const char *option, const char *text, usec_t start, usec_t *t)
{
	if (!text || scenario_parse_time(text, start, t))
		return true;
	tool_complain(USAGE.command, "%s: bad value \"%s\"; %s", option, text, SCENARIO_TIME_HINT);
	return false;
}

struct asked {
	char *from, *to, *jobs, *kind;
	gboolean summary;
	struct passes_options o;
	struct passes_out *out;
};

/* The start of the run is known once the scenario is read. */
static bool settle_times(struct session *s, struct asked *a)
{
	usec_t start = s->scenario->sim.start;
	a->o.from = INT64_MIN;
	a->o.to = INT64_MAX;
	if (!parse_time("--from", a->from, start, &a->o.from) || !parse_time("--to", a->to, start, &a->o.to))
		return false;
	if (a->o.from <= a->o.to)
		return true;
	tool_complain(USAGE.command, "--to %s is before --from %s: no pass lies between them", a->to, a->from ? a->from : "");
	return false;
}

struct watching {
	struct asked *asked;
	bool bad;
};

static void prepare_times(struct session *s, void *data)
{
	struct watching *w = data;
	w->bad = !settle_times(s, w->asked);
	if (w->bad)
		return;
	sim_stop_at(s->sim, w->asked->o.to); /* nothing after it is asked for */
	w->asked->out = passes_out_new(stdout, s->scenario->cluster, &w->asked->o);
	passes_out_watch(w->asked->out, s->sim);
}

static int run(const struct tool_options *options, struct asked *a)
{
	struct session session = {0};
	struct watching w = {.asked = a};
	int code = session_run_watched(&session, options, SESSION_NO_RECORD, NULL, prepare_times, &w);
	if (w.bad)
		code = EXIT_USAGE;
	if (code == EXIT_GOOD) {
		passes_out_finish(a->out);
		code = tool_flush(USAGE.command);
	}
	if (a->out)
		passes_out_free(a->out);
	session_close(&session);
	return code;
}

static bool check_kind(struct asked *a)
{
	a->o.main = !a->kind || g_strcmp0(a->kind, "main") == 0;
	a->o.backfill = !a->kind || g_strcmp0(a->kind, "backfill") == 0;
	if (a->o.main || a->o.backfill)
		return true;
	tool_complain(USAGE.command, "--kind: bad value \"%s\"; write main or backfill", a->kind);
	return false;
}

int cmd_passes(int argc, char **argv)
{
	struct asked a = {0};
	const GOptionEntry own[] = {
	    {"from", 0, 0, G_OPTION_ARG_FILENAME, &a.from, "passes from then on: 3600 (seconds), 2:00:00, or a date", "TIME"},
	    {"to", 0, 0, G_OPTION_ARG_FILENAME, &a.to, "up to then", "TIME"},
	    {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &a.jobs, "only what concerns these jobs: ids or names", "LIST"},
	    {"kind", 'k', 0, G_OPTION_ARG_FILENAME, &a.kind, "only these passes: main or backfill", "KIND"},
	    {"summary", 's', 0, G_OPTION_ARG_NONE, &a.summary, "a line a pass", NULL},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_UNTIL, &USAGE, own) && tool_options_scenario(&options) && check_kind(&a)) {
		a.o.summary = a.summary;
		a.o.jobs = a.jobs ? g_strsplit(a.jobs, ",", -1) : NULL;
		code = run(&options, &a);
		g_strfreev(a.o.jobs);
	}
	tool_options_clear(&options);
	g_free(a.from);
	g_free(a.to);
	g_free(a.jobs);
	g_free(a.kind);
	return code;
}
