/* options_slurm.c - see options_slurm.h */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "tools/options_slurm.h"
#include "tools/cells.h"
#include "tools/options.h"
#include "tools/schema_json.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PARSER[] = "v0.0.46"; /* the data_parser that --json follows */

static const char *bare(const char *command)
{
	return g_str_has_prefix(command, "whypend ") ? command + strlen("whypend ") : command;
}

bool slurm_own_name(void)
{
	static const char *const NAMES[] = {"squeue", "sinfo", "sacct", "sprio", "sshare", "scontrol", "seff", "sacctmgr", "sdiag",
	                                    NULL};

	return g_strv_contains(NAMES, program_invocation_short_name);
}

static bool has(const GOptionEntry *own, const GOptionEntry *e, bool *letter)
{
	bool name = false;

	*letter = false;
	for (; own && own->long_name; own++) {
		name |= strcmp(own->long_name, e->long_name) == 0;
		*letter |= e->short_name && own->short_name == e->short_name;
	}
	return name;
}

void slurm_options_add(GOptionContext *context, struct slurm_options *o, const GOptionEntry *own)
{
	enum { HIDDEN = G_OPTION_FLAG_HIDDEN };
	const GOptionEntry all[] = {
	    {"clusters", 'M', HIDDEN, G_OPTION_ARG_FILENAME, &o->clusters, "the cluster (there is one)", "LIST"},
	    {"cluster", 0, HIDDEN, G_OPTION_ARG_FILENAME, &o->clusters, "the cluster (there is one)", "LIST"},
	    {"iterate", 'i', HIDDEN, G_OPTION_ARG_FILENAME, &o->iterate, "print once: the moment stays", "SECONDS"},
	    {"autocomplete", 0, HIDDEN, G_OPTION_ARG_FILENAME, &o->complete, "nothing", "WORD"},
	    {"federation", 0, HIDDEN, G_OPTION_ARG_NONE, &o->ignored, "there is none", NULL},
	    {"local", 0, HIDDEN, G_OPTION_ARG_NONE, &o->ignored, "as without", NULL},
	    {"sibling", 0, HIDDEN, G_OPTION_ARG_NONE, &o->ignored, "there is none", NULL},
	    {"hide", 0, HIDDEN, G_OPTION_ARG_NONE, &o->ignored, "as without", NULL},
	    {"future", 'F', HIDDEN, G_OPTION_ARG_NONE, &o->ignored, "as without", NULL},
	    {"verbose", 'v', HIDDEN, G_OPTION_ARG_NONE, &o->verbose, "as without", NULL},
	    {"usage", 0, HIDDEN, G_OPTION_ARG_NONE, &o->usage, "how it is called", NULL},
	    {"version", 'V', HIDDEN, G_OPTION_ARG_NONE, &o->version, "the release that is followed", NULL},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		GOptionEntry one[] = {all[i], G_OPTION_ENTRY_NULL};
		bool letter;
		if (has(own, &all[i], &letter))
			continue;
		if (letter)
			one[0].short_name = 0;
		g_option_context_add_main_entries(context, one, NULL);
	}
}

void slurm_options_take_json(struct slurm_options *o, int argc, char **argv, const GOptionEntry *own)
{
	static char plain[] = "--json";
	const GOptionEntry wanted = {.long_name = "json"};
	bool letter, known = has(own, &wanted, &letter);

	json_use_yaml(false);
	for (int i = 1; known && i < argc && strcmp(argv[i], "--") != 0; i++) {
		bool json = g_str_has_prefix(argv[i], "--json"), yaml = g_str_has_prefix(argv[i], "--yaml");
		const char *rest = json || yaml ? argv[i] + strlen("--json") : "x";

		if (*rest && *rest != '=')
			continue;
		if (*rest) {
			g_free(o->json_form);
			o->json_form = g_strdup(rest + 1);
		}
		if (yaml)
			json_use_yaml(true);
		argv[i] = plain;
	}
}

/* "v0.0.46+fast": the plugin and what it is asked for. */
static bool check_parser(const char *form, const char *command)
{
	size_t n = strcspn(form, "+");
	const char *more = form + n;

	if (n && (n != strlen(PARSER) || strncmp(form, PARSER, n) != 0) &&
	    (n != strlen("data_parser/v0.0.46") || strncmp(form, "data_parser/v0.0.46", n) != 0)) {
		tool_complain(command, "load_plugins: unable to find plugin: data_parser/%.*s", (int)n, form);
		tool_complain(command, "data_parser_g_new: failure loading plugins: Plugin has invalid format or unable to be loaded");
		tool_complain(command, "application/json output not supported by data_parser/%s", PARSER);
		return false;
	}
	if (*more && strcmp(more, "+fast") != 0) {
		tool_complain(command, "--json=%s: \"%s\" is not supported; +fast is, which changes nothing here", form, more);
		return false;
	}
	return true;
}

bool slurm_options_answer(const struct slurm_options *o, const char *command, const char *operands, bool old)
{
	if (o->version) {
		puts(old ? "slurm-wlm 22.05.8" : "slurm 26.05.0");
		exit(tool_flush(command));
	}
	if (o->usage) {
		printf("Usage: %s [OPTION...] %s\n", slurm_own_name() ? bare(command) : command, operands ? operands : "");
		exit(tool_flush(command));
	}
	if (o->json_form && strcmp(o->json_form, "list") == 0) {
		printf("Possible data_parser plugins:\ndata_parser/%s\n", PARSER);
		exit(tool_flush(command));
	}
	return !o->json_form || check_parser(o->json_form, command);
}

bool slurm_options_cluster(const struct slurm_options *o, const char *command, const struct cluster *c)
{
	const char *own = c->params->cluster_name ? c->params->cluster_name : "";

	if (!o->clusters || in_list(o->clusters, own) || in_list(o->clusters, "all"))
		return true;
	tool_complain(command, "No cluster '%s' known by database.", o->clusters);
	tool_complain(command, "'%s' can't be reached now, or it is an invalid entry for --cluster.  Use 'sacctmgr list clusters' to see "
	                       "available clusters.", o->clusters);
	tool_complain(command, "fatal: Could not get cluster information");
	return false;
}

void slurm_options_clear(struct slurm_options *o)
{
	g_free(o->clusters);
	g_free(o->iterate);
	g_free(o->json_form);
	g_free(o->complete);
}
