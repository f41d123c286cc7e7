/* cmd_reasons.c - whypend reasons: what each reason means and who can do what about it (sched/reason_table.h). */
#include "models/suggest.h"
#include "sched/reason_table.h"
#include "tools/commands.h"
#include "tools/options.h"
#include <cjson/cJSON.h>
#include <stdio.h>

static const struct tool_usage USAGE = {
    .command = "whypend reasons",
    .operands = "[NAME...]",
    .summary =
        "Print what the reasons of waiting and ended jobs mean, who can do what about them, and whether time alone\n"
        "clears them. Without NAME: a line for each reason.",
    .examples = "Examples:\n"
                "  whypend reasons QOSMaxGRESPerUser\n"
                "  whypend reasons --json",
};

static const char *versions(enum reason r)
{
	if (!reason_known(SLURM_22_05, r))
		return "26";
	return reason_known(SLURM_26, r) ? "22.05 26" : "22.05";
}

static void line(const char *key, const char *value)
{
	if (value)
		printf("  %-13s %s\n", key, value);
}

static void print_entry(enum reason r)
{
	struct reason_note n = reason_note(r);

	printf("%s (%s; Slurm %s)\n", n.name, n.kind, versions(r));
	line("meaning", n.meaning);
	line("limit", n.limit);
	line("goes away by", n.cleared);
	line("time alone", n.time);
	line("user", n.user);
	line("coordinator", n.coordinator);
	line("admin", n.admin);
	if (reason_note_wait_only(&n) && n.cleared)
		line("nobody", "wait");
	line("simulated", n.absent ? n.absent : "yes");
	reason_note_clear(&n);
}

static void print_line(enum reason r)
{
	struct reason_note n = reason_note(r);

	printf("%-30s %-21s %s\n", n.name, n.kind, n.meaning);
	reason_note_clear(&n);
}

static void add_text(cJSON *o, const char *key, const char *text)
{
	if (text)
		cJSON_AddStringToObject(o, key, text);
	else
		cJSON_AddNullToObject(o, key);
}

static cJSON *entry_json(enum reason r)
{
	struct reason_note n = reason_note(r);
	cJSON *o = cJSON_CreateObject(), *known = cJSON_AddArrayToObject(o, "slurm");

	add_text(o, "name", n.name);
	add_text(o, "kind", n.kind);
	add_text(o, "meaning", n.meaning);
	add_text(o, "limit", n.limit);
	add_text(o, "cleared_by", n.cleared);
	add_text(o, "time_alone", n.time);
	add_text(o, "user", n.user);
	add_text(o, "coordinator", n.coordinator);
	add_text(o, "admin", n.admin);
	cJSON_AddBoolToObject(o, "simulated", n.absent == NULL);
	add_text(o, "not_simulated_since", n.absent);
	if (reason_known(SLURM_22_05, r))
		cJSON_AddItemToArray(known, cJSON_CreateString("22.05"));
	if (reason_known(SLURM_26, r))
		cJSON_AddItemToArray(known, cJSON_CreateString("26"));
	reason_note_clear(&n);
	return o;
}

/* The named reasons, or all; false after a message. */
static bool chosen(char **names, GArray *out)
{
	if (!names || !*names) {
		for (unsigned r = 0; r < REASON_COUNT; r++)
			g_array_append_val(out, r);
		return true;
	}
	for (; *names; names++) {
		unsigned r = reason_find(*names);
		if (r == REASON_COUNT) {
			struct suggestion s;
			suggest_begin(&s, *names);
			for (unsigned k = 0; k < REASON_COUNT; k++)
				suggest_offer(&s, reason_name((enum reason)k));
			char *hint = suggest_hint(&s, "\"whypend reasons\" lists them");
			tool_complain(USAGE.command, "unknown reason \"%s\"; %s", *names, hint);
			g_free(hint);
			return false;
		}
		g_array_append_val(out, r);
	}
	return true;
}

static void print(const GArray *list, bool json, bool whole)
{
	cJSON *all = json ? cJSON_CreateArray() : NULL;

	for (guint i = 0; i < list->len; i++) {
		enum reason r = g_array_index(list, unsigned, i);
		if (json)
			cJSON_AddItemToArray(all, entry_json(r));
		else if (whole)
			print_entry(r);
		else
			print_line(r);
	}
	if (!json)
		return;
	char *text = cJSON_Print(all);
	puts(text);
	cJSON_free(text);
	cJSON_Delete(all);
}

int cmd_reasons(int argc, char **argv)
{
	gboolean json = FALSE;
	const GOptionEntry own[] = {{"json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL}, G_OPTION_ENTRY_NULL};
	struct tool_options options;
	GArray *list = g_array_new(FALSE, FALSE, sizeof(unsigned));
	int code = EXIT_USAGE;

	if (tool_options_parse(&options, argc, argv, -1, &USAGE, own) && chosen(options.rest, list)) {
		print(list, json, options.rest && *options.rest);
		code = tool_flush(USAGE.command);
	}
	tool_options_clear(&options);
	g_array_unref(list);
	return code;
}
