/* cmd_lint.c - whypend lint: what is legal in a site's files but surprises people. */
#include "tools/commands.h"
#include "tools/lint_out.h"
#include "tools/options.h"
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend lint",
    .operands = "[SCENARIO]",
    .summary = "Look through slurm.conf, gres.conf, the topology and the accounting file of a site for what Slurm "
               "accepts but\n"
               "what surprises people. Each finding has a stable id, the line that makes it so, why it matters in "
               "numbers of this\n"
               "site, what to set, and the rule behind it. With a trace some checks know the site's jobs: how deep the "
               "queue is,\n"
               "which limits users give, what they ask of a node.\n"
               "Levels: error (it can not work), warning (most likely not meant), note (good to know).",
    .examples = "Examples:\n"
                "  whypend lint --conf slurm.conf --accounting cluster.cfg --trace jobs.psv\n"
                "  whypend lint --fail-on warning SCENARIO                 for CI: exit code 1 when there is one\n"
                "  whypend lint --upgrade-to 26.05 --conf slurm.conf       what the newer release refuses or changes\n"
                "  whypend lint --run SCENARIO                             the depth of the queue from a simulation\n"
                "  whypend lint --list",
};

struct lint_options {
	gboolean list, json, run;
	char *fail_on, *level, *checks, *upgrade_to, *upgrade_from;
	enum lint_level fail_level, least; /* of the texts */
	struct lint_upgrade upgrade;
};

/* ---- reading the site ---- */

/* A site that is read, with what had to be changed to read it. */
struct site {
	struct scenario *scenario;
	GPtrArray *untracked; /* TRES of limits that AccountingStorageTRES lacks; of char * */
	GPtrArray *added;     /* settings made for reading on; of char * */
};

/* The word between BEGIN and END in LINE; NULL. g_free. */
static char *between(const char *line, const char *begin, const char *end)
{
	const char *from = strstr(line, begin), *to = from ? strstr(from + strlen(begin), end) : NULL;

	return to ? g_strndup(from + strlen(begin), (gsize)(to - from) - strlen(begin)) : NULL;
}

/* A parameter or a value that today's Slurm refuses: the setting that takes it out; NULL = LINE says something else. */
static char *without_removed(const char *line)
{
	char *key = between(line, ": ", " has been removed from Slurm"),
	     *word = between(line, "unknown value ", " of "), *of = word ? between(line, " of ", ";") : NULL,
	     *out = NULL;
	const char *token = key ? strrchr(key, ' ') : NULL;

	if (token && g_str_has_prefix(key, "SchedulerParameters"))
		out = fmt("SchedulerParameters.%s=", token + 1);
	else if (key)
		out = fmt("%s=", key);
	else if (of && lint_value_was_removed(of, word))
		out = fmt("%s.%s=", of, word);
	g_free(key);
	g_free(word);
	g_free(of);
	return out;
}

/* A limit on a TRES that is not counted here: the setting that makes it known; NULL = LINE says something else. Slurm
 * keeps such limits, as another cluster of its database may count it. */
static char *with_tres(struct site *s, const char *line)
{
	char *tres = between(line, "unknown TRES \"", "\""), *out = NULL;
	bool limit = strstr(line, ": Grp") || strstr(line, ": Max") || strstr(line, ": Min");

	if (tres && limit && strchr(tres, '/')) {
		for (char *p = tres; *p; p++)
			*p = g_ascii_tolower(*p);
		if (!g_ptr_array_find_with_equal_func(s->untracked, tres, g_str_equal, NULL))
			g_ptr_array_add(s->untracked, g_strdup(tres));
		out = fmt("AccountingStorageTRES.%s", tres);
	}
	g_free(tres);
	return out;
}

/* A setting that takes the cause of LINE (an error of the readers) away; NULL = none. g_free. */
static char *remedy(struct site *s, const char *line, bool upgrade)
{
	char *out = with_tres(s, line);

	return out || !upgrade ? out : without_removed(line);
}

/* Add what lets the reader pass the errors of TEXT to s->added. False when one of them stands. */
static bool find_remedies(struct site *s, const char *text, bool upgrade)
{
	char **lines = g_strsplit(text, "\n", -1);
	bool all = true;

	for (char **line = lines; *line; line++) {
		char *setting = **line ? remedy(s, *line, upgrade) : NULL;

		all &= !**line || setting;
		if (setting && !g_ptr_array_find_with_equal_func(s->added, setting, g_str_equal, NULL))
			g_ptr_array_add(s->added, g_strdup(setting));
		g_free(setting);
	}
	g_strfreev(lines);
	return all;
}

/* o->scenario with the settings of s->added behind its own; g_free the list. */
static char **settings_with(const struct scenario_options *o, const GPtrArray *added)
{
	GPtrArray *all = g_ptr_array_new();

	for (char **p = o->set; p && *p; p++)
		g_ptr_array_add(all, *p);
	for (guint i = 0; i < added->len; i++)
		g_ptr_array_add(all, added->pdata[i]);
	g_ptr_array_add(all, NULL);
	return (char **)g_ptr_array_free(all, FALSE);
}

static bool read_site(struct site *s, const struct tool_options *o, bool upgrade)
{
	s->untracked = g_ptr_array_new_with_free_func(g_free);
	s->added = g_ptr_array_new_with_free_func(g_free);
	for (int i = 0; i < 4 && !s->scenario; i++) { /* at most 20 errors are told at a time */
		struct scenario_options so = o->scenario;
		GError *error = NULL;
		char **set = settings_with(&o->scenario, s->added);

		so.set = set;
		s->scenario = scenario_load(&so, &error);
		g_free(set);
		if (s->scenario)
			return true;
		if (i == 3 || !find_remedies(s, error->message, upgrade)) {
			tool_complain(USAGE.command, "%s", error->message);
			g_error_free(error);
			return false;
		}
		g_error_free(error);
	}
	return false;
}

static void site_clear(struct site *s)
{
	if (s->scenario)
		scenario_free(s->scenario);
	if (s->untracked)
		g_ptr_array_unref(s->untracked);
	if (s->added)
		g_ptr_array_unref(s->added);
}

static const char *input(const struct scenario *s, const char *role)
{
	for (guint i = 0; i < s->inputs->len; i++) {
		const struct scenario_input *in = s->inputs->pdata[i];

		if (g_str_equal(in->role, role))
			return in->path;
	}
	return NULL;
}

static struct lint_trace *read_trace(struct scenario *s)
{
	struct lint_trace *t = lint_trace_new();
	struct submission *sub;

	for (guint i = 0; i < s->submissions->len; i++)
		lint_trace_add(t, s->submissions->pdata[i]);
	while (s->workload && (sub = workload_next(s->workload))) {
		lint_trace_add(t, sub);
		submission_free(sub);
	}
	lint_trace_finish(t);
	return t;
}

/* The settings that the user or the scenario made: those of read_site are not his. */
static GPtrArray *own_settings(const struct site *s)
{
	GPtrArray *own = g_ptr_array_new();

	for (guint i = 0; i < s->scenario->settings->len; i++)
		if (!g_ptr_array_find_with_equal_func(s->added, s->scenario->settings->pdata[i], g_str_equal, NULL))
			g_ptr_array_add(own, s->scenario->settings->pdata[i]);
	return own;
}

/* Warnings about the site's files: not about the jobs. */
static GPtrArray *site_warnings(const struct scenario *s)
{
	const char *jobs[] = {input(s, "trace"), input(s, "scenario")};
	GPtrArray *kept = g_ptr_array_new();

	for (guint i = 0; i < s->warnings->len; i++) {
		bool other = false;

		for (gsize k = 0; k < G_N_ELEMENTS(jobs); k++)
			other |= jobs[k] && g_str_has_prefix(s->warnings->pdata[i], jobs[k]);
		if (!other)
			g_ptr_array_add(kept, s->warnings->pdata[i]);
	}
	return kept;
}

/* Simulate the jobs for the depth of the queue. False after a message. */
static bool run_trace(const struct site *s, const struct tool_options *options, struct lint_trace *t)
{
	struct scenario_options so = options->scenario;
	char **set = settings_with(&options->scenario, s->added);
	GError *error = NULL;

	so.set = set;
	bool good = lint_trace_run(t, &so, NULL, &error);
	g_free(set);
	if (!good) {
		tool_complain(USAGE.command, "--run: %s", error->message);
		g_error_free(error);
	}
	return good;
}

static GPtrArray *lint(struct site *s, const struct lint_options *o, const struct lint_trace *trace)
{
	GPtrArray *own = own_settings(s), *warnings = site_warnings(s->scenario);
	struct lint_files *files = lint_files_read(input(s->scenario, "conf"), input(s->scenario, "gres"),
	                                           input(s->scenario, "accounting"), own);
	struct lint_site site = {s->scenario->cluster, files, trace, warnings, s->untracked, o->upgrade};
	GPtrArray *findings = lint_run(&site);

	lint_files_free(files);
	g_ptr_array_unref(own);
	g_ptr_array_unref(warnings);
	return findings;
}

/* ---- which findings count ---- */

/* Take away what --check and --level leave out. */
static void select_findings(GPtrArray *findings, const struct lint_options *o)
{
	char **wanted = o->checks ? g_strsplit(o->checks, ",", -1) : NULL;

	for (guint i = findings->len; i-- > 0;) {
		const struct lint_finding *f = findings->pdata[i];

		if (f->level < o->least || (wanted && !g_strv_contains((const char *const *)wanted, f->check->id)))
			g_ptr_array_remove_index(findings, i);
	}
	g_strfreev(wanted);
}

/* ---- printing ---- */

static void put(char *text, bool json)
{
	fputs(text, stdout);
	if (json) {
		putchar('\n');
		cJSON_free(text);
	} else {
		g_free(text);
	}
}

static int print_list(bool json)
{
	put(json ? lint_list_json() : lint_list_text(), json);
	return tool_flush(USAGE.command);
}

/* ---- options ---- */

static bool take_level(const char *option, const char *text, enum lint_level *level)
{
	if (!text || lint_level_parse(text, level))
		return true;
	tool_complain(USAGE.command, "%s: bad value \"%s\"; write error, warning or note", option, text);
	return false;
}

static bool take_release(const char *option, const char *text, uint32_t *release)
{
	if (!text || lint_release_parse(text, release))
		return true;
	tool_complain(USAGE.command, "%s: bad value \"%s\"; write a release of Slurm, such as 26.05", option, text);
	return false;
}

static bool check_names(const char *list)
{
	char **wanted = g_strsplit(list ? list : "", ",", -1);
	bool good = true;

	for (char **s = wanted; *s && good; s++) {
		good = lint_check_find(*s) != NULL;
		if (!good)
			tool_complain(USAGE.command, "--check: unknown check \"%s\"; --list names them", *s);
	}
	g_strfreev(wanted);
	return good;
}

static bool take_options(struct lint_options *o)
{
	o->upgrade.from = 2205;
	if (!take_level("--fail-on", o->fail_on, &o->fail_level) || !take_level("--level", o->level, &o->least) ||
	    !check_names(o->checks) || !take_release("--upgrade-to", o->upgrade_to, &o->upgrade.to) ||
	    !take_release("--upgrade-from", o->upgrade_from, &o->upgrade.from))
		return false;
	if (o->upgrade_from && !o->upgrade_to) {
		tool_complain(USAGE.command, "--upgrade-from needs --upgrade-to RELEASE");
		return false;
	}
	if (o->upgrade.to && o->upgrade.to <= o->upgrade.from) {
		tool_complain(USAGE.command, "--upgrade-to %s is not newer than %s (--upgrade-from, default 22.05)",
		              o->upgrade_to, o->upgrade_from ? o->upgrade_from : "22.05");
		return false;
	}
	return true;
}

static int show(struct site *s, const struct lint_options *o, const struct lint_trace *trace)
{
	GPtrArray *findings = lint(s, o, trace);
	guint checks = 0;
	int code;

	for (const struct lint_check *k = lint_checks; k->id; k++)
		checks += !g_str_has_prefix(k->id, "upgrade-") || o->upgrade.to;
	select_findings(findings, o);
	put(o->json ? lint_json(findings, checks) : lint_text(findings, checks), o->json);
	code = tool_flush(USAGE.command);
	for (int level = o->fail_level; o->fail_on && level < LINT_LEVELS && code == EXIT_GOOD; level++)
		if (lint_count(findings, (enum lint_level)level))
			code = EXIT_RUN;
	g_ptr_array_unref(findings);
	return code;
}

static int lint_site(const struct tool_options *options, const struct lint_options *o)
{
	struct site site = {0};
	int code = EXIT_USAGE;

	if (read_site(&site, options, o->upgrade.to != 0)) {
		struct lint_trace *trace = read_trace(site.scenario);

		if (!o->run || run_trace(&site, options, trace))
			code = show(&site, o, trace);
		lint_trace_free(trace);
	}
	site_clear(&site);
	return code;
}

int cmd_lint(int argc, char **argv)
{
	struct lint_options o = {0};
	const GOptionEntry own[] = {
	    {"run", 0, 0, G_OPTION_ARG_NONE, &o.run,
	     "simulate the jobs first: how deep the queue is here, whatever starts the trace tells", NULL},
	    {"list", 0, 0, G_OPTION_ARG_NONE, &o.list, "print all checks: id, level, what it looks for, rules", NULL},
	    {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "print JSON", NULL},
	    {"fail-on", 0, 0, G_OPTION_ARG_STRING, &o.fail_on,
	     "exit code 1 when there is a finding of this level or above", "LEVEL"},
	    {"level", 0, 0, G_OPTION_ARG_STRING, &o.level,
	     "only findings of this level and above: note (default), warning, error", "LEVEL"},
	    {"check", 0, 0, G_OPTION_ARG_STRING, &o.checks, "only findings of these checks", "ID,..."},
	    {"upgrade-to", 0, 0, G_OPTION_ARG_STRING, &o.upgrade_to,
	     "also what a newer release refuses, ignores, renames or decides differently: 26.05", "RELEASE"},
	    {"upgrade-from", 0, 0, G_OPTION_ARG_STRING, &o.upgrade_from, "the release of today (default: 22.05)",
	     "RELEASE"},
	    G_OPTION_ENTRY_NULL};
	struct tool_options options;
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, OPTIONS_FILES, &USAGE, own) && tool_options_scenario(&options) &&
	    take_options(&o))
		code = o.list ? print_list(o.json) : lint_site(&options, &o);
	tool_options_clear(&options);
	g_free(o.fail_on);
	g_free(o.level);
	g_free(o.checks);
	g_free(o.upgrade_to);
	g_free(o.upgrade_from);
	return code;
}
