/* cmd_limits.c - whypend limits: every limit that touches a user at a moment, with value, use, room and the jobs held.
 */
#include "sched/limits_list.h"
#include "tools/commands.h"
#include "tools/session.h"
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static const struct tool_usage USAGE = {
    .command = "whypend limits",
    .operands = "[SCENARIO]",
    .summary =
        "Simulate a scenario up to a moment and print every limit that touches a user: of the partitions and their QOS,\n"
        "of the QOS that the user may use, and of the associations from the user up to root; with its value, what counts\n"
        "against it, the room left, and the waiting jobs that it holds. Limits of one job have no use and no room.\n"
        "A limit of a QOS hides the same limit of associations (and of the job's QOS, when the partition's sets it).",
    .examples = "Examples:\n"
                "  whypend limits --user alice --at 3600 SCENARIO\n"
                "  whypend limits --user alice --account physics --json SCENARIO",
};

static char *owner_text(const struct limit_line *l)
{
	const struct qos *q = l->owner;

	if (l->of_partition)
		return g_strdup_printf("partition %s", ((const struct partition *)l->owner)->name);
	switch (l->owner_kind) {
	case OWNER_ASSOC:
		return blocker_assoc_path(l->owner);
	case OWNER_QOS_USER:
		return g_strdup_printf("qos %s, user %s", q->name, l->assoc->user);
	case OWNER_QOS_ACCOUNT:
		return g_strdup_printf("qos %s, account %s", q->name, l->assoc->account);
	default:
		return g_strdup_printf("qos %s", q->name);
	}
}

static char *held_text(const struct limit_line *l)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < l->holds->len; i++) {
		char *id = job_format_id(l->holds->pdata[i]);
		g_string_append_printf(s, "%s%s", i ? " " : "", id);
		g_free(id);
	}
	return g_string_free(s, FALSE);
}

static void print_text(const GArray *lines)
{
	static const char *const title[] = {"OWNER", "LIMIT", "TRES", "VALUE", "USE", "ROOM", "HOLDS"};
	enum { COLUMNS = 7 };
	GPtrArray *cells = g_ptr_array_new_with_free_func(g_free);
	size_t width[COLUMNS] = {0};

	for (int k = 0; k < COLUMNS; k++)
		g_ptr_array_add(cells, g_strdup(title[k]));
	for (guint i = 0; i < lines->len; i++) {
		const struct limit_line *l = &g_array_index(lines, struct limit_line, i);
		const char *unit = l->minutes ? " min" : "";
		g_ptr_array_add(cells, owner_text(l));
		g_ptr_array_add(cells, g_strdup_printf("%s%s", l->name, l->inherited ? " (inherited)" : ""));
		g_ptr_array_add(cells, g_strdup(l->tres ? l->tres : "-"));
		g_ptr_array_add(cells, g_strdup_printf("%" G_GUINT64_FORMAT "%s", (guint64)l->value, unit));
		for (int k = 0; k < 2; k++)
			g_ptr_array_add(cells, l->per_job ? g_strdup("-")
			                                  : g_strdup_printf("%" G_GUINT64_FORMAT "%s",
			                                                    (guint64)(k ? l->room : l->use), unit));
		g_ptr_array_add(cells, held_text(l));
	}
	for (guint i = 0; i < cells->len; i++)
		width[i % COLUMNS] = MAX(width[i % COLUMNS], strlen(cells->pdata[i]));
	for (guint i = 0; i < cells->len; i++) {
		int k = (int)(i % COLUMNS), w = (int)width[k];
		if (k == COLUMNS - 1)
			printf("%s\n", (char *)cells->pdata[i]);
		else if (k >= 3)
			printf("%*s  ", w, (char *)cells->pdata[i]);
		else
			printf("%-*s  ", w, (char *)cells->pdata[i]);
	}
	g_ptr_array_unref(cells);
}

static void print_json(const GArray *lines)
{
	cJSON *all = cJSON_CreateArray();

	for (guint i = 0; i < lines->len; i++) {
		const struct limit_line *l = &g_array_index(lines, struct limit_line, i);
		cJSON *o = cJSON_CreateObject();
		char *owner = owner_text(l);
		cJSON_AddStringToObject(o, "owner", owner);
		cJSON_AddStringToObject(o, "account", l->assoc->account);
		cJSON_AddStringToObject(o, "limit", l->name);
		cJSON_AddItemToObject(o, "tres", l->tres ? cJSON_CreateString(l->tres) : cJSON_CreateNull());
		cJSON_AddStringToObject(o, "unit", l->minutes ? "minutes" : "count");
		cJSON_AddBoolToObject(o, "inherited", l->inherited);
		cJSON_AddNumberToObject(o, "value", (double)l->value);
		cJSON_AddItemToObject(o, "use", l->per_job ? cJSON_CreateNull() : cJSON_CreateNumber((double)l->use));
		cJSON_AddItemToObject(o, "room", l->per_job ? cJSON_CreateNull() : cJSON_CreateNumber((double)l->room));
		cJSON *held = cJSON_AddArrayToObject(o, "holds");
		for (guint k = 0; k < l->holds->len; k++) {
			char *id = job_format_id(l->holds->pdata[k]);
			cJSON_AddItemToArray(held, cJSON_CreateString(id));
			g_free(id);
		}
		cJSON_AddItemToArray(all, o);
		g_free(owner);
	}
	char *text = cJSON_Print(all);
	puts(text);
	cJSON_free(text);
	cJSON_Delete(all);
}

/* The run has come to its moment. */
static int show(struct controller *c, const char *user, const char *account, bool json)
{
	if (!limits_list_known(c, user, account)) {
		tool_complain(USAGE.command, "user \"%s\" has no association%s%s%s", user,
		              account ? " with account \"" : "", account ? account : "", account ? "\"" : "");
		return EXIT_USAGE;
	}
	GArray *lines = limits_list(c, user, account);

	if (!(controller_cluster(c)->params->enforce & ENFORCE_LIMITS))
		tool_complain(USAGE.command, "AccountingStorageEnforce is without \"limits\": those of QOS and associations are "
		                             "not enforced, nothing counts against them");
	if (json)
		print_json(lines);
	else
		print_text(lines);
	g_array_unref(lines);
	return tool_flush(USAGE.command);
}

int cmd_limits(int argc, char **argv)
{
	char *user = NULL, *account = NULL;
	gboolean json = FALSE;
	const GOptionEntry own[] = {{"user", 'u', 0, G_OPTION_ARG_STRING, &user, "whose limits (needed)", "NAME"},
	                            {"account", 'A', 0, G_OPTION_ARG_STRING, &account,
	                             "only in this account (default: all of the user's)", "NAME"},
	                            {"json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL},
	                            G_OPTION_ENTRY_NULL};
	struct tool_options options;
	struct session session = {0};
	int code = EXIT_USAGE;
	bool good =
	    tool_options_parse(&options, argc, argv, OPTIONS_AT, &USAGE, own) && tool_options_scenario(&options);

	if (good && !user) {
		tool_complain(USAGE.command, "whose limits? Give --user NAME");
	} else if (good) {
		code = session_run(&session, &options, SESSION_NO_RECORD, NULL);
		if (code == EXIT_GOOD)
			code = show(sim_controller(session.sim), user, account, json);
		session_close(&session);
	}
	tool_options_clear(&options);
	g_free(user);
	g_free(account);
	return code;
}
