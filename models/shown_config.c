/* shown_config.c - "scontrol show config" as lines of a slurm.conf; see shown.h. */
#include "models/confread.h"
#include "models/shown_read.h"
#include <string.h>

/* Rows of the daemon, and those whose parameter the release itself fills in. */
static bool is_derived(const char *name)
{
	static const char *const names[] = {"BOOT_TIME",     "HASH_VAL",        "NEXT_JOB_ID",  "SLURM_CONF",
	                                    "SLURM_VERSION", "MULTIPLE_SLURMD", "MaxNodeCount", "MaxDBDMsgs"};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Take the unit off "30 sec", and the mark that whypend config adds off "9 sec  # --set KillWait=9". */
static void strip_unit(char *value)
{
	static const char *const units[] = {" sec", " min", " usec", " percent", " nodes/min", " MB"};
	char *mark = strstr(value, "  # ");

	if (mark)
		*mark = '\0';
	g_strstrip(value);
	for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
		gsize n = strlen(value), u = strlen(units[i]);

		if (n > u && strcmp(value + n - u, units[i]) == 0 && strspn(value, "0123456789") == n - u) {
			value[n - u] = '\0';
			return;
		}
	}
}

static void deliver(struct shown *s, const char *file, guint line, const char *key, const char *value)
{
	struct conf_line *l = shown_line(file, line);

	shown_pair(l, key, value);
	shown_deliver(s, l);
}

static void job_defaults(struct shown *s, const char *file, guint line, const char *value)
{
	char **list = g_strsplit(value, ",", -1);

	for (char **e = list; *e; e++) {
		char *equals = strchr(*e, '=');

		if (equals) {
			*equals = '\0';
			deliver(s, file, line, *e, equals + 1);
		}
	}
	g_strfreev(list);
}

/* Defaults that are written with a word of their own. */
static bool is_no_value(const char *key, const char *value)
{
	if (strcmp(value, "UNLIMITED") == 0)
		return strstr(key, "MemPer") != NULL;
	return strcmp(key, "PreemptExemptTime") == 0 && strcmp(value, "00:00:00") == 0;
}

static void take_row(struct shown *s, const char *file, guint line, char *name, char *value)
{
	char *index = strchr(name, '[');

	if (index) /* SlurmctldHost[0] */
		*index = '\0';
	strip_unit(value);
	if (strcmp(name, "JobDefaults") == 0 && !shown_unset(value)) {
		job_defaults(s, file, line, value);
		return;
	}
	const struct conf_key *k = conf_key_find(name);
	if (is_derived(name) || (k && (k->kind == KEY_OBSOLETE || k->kind == KEY_REMOVED)))
		return;
	bool none = strcmp(value, "none") == 0 || strcmp(value, "NONE") == 0;
	if ((shown_unset(value) && !none) || is_no_value(name, value) ||
	    (none && strcmp(name, "SelectTypeParameters") == 0))
		return;
	if (!k) {
		char *shown = conflex_show(name);

		diag_warn(s->d, file, line, 1, NULL,
		          "unknown parameter %s: it is of another release, and has no effect", shown);
		g_free(shown);
		return;
	}
	deliver(s, file, line, name, value);
}

void shown_config(struct shown *s, const char *text, const char *name)
{
	char **lines = g_strsplit(text, "\n", -1);
	bool sections = false; /* "Cgroup Support Configuration:" and others follow the table */

	for (guint i = 0; lines[i] && i < 100000; i++) {
		char *equals = strchr(lines[i], '=');

		sections |= g_str_has_suffix(g_strchomp(lines[i]), "Configuration:");
		if (!equals || sections || g_str_has_prefix(lines[i], "Configuration data"))
			continue;
		*equals = '\0';
		take_row(s, name, i + 1, g_strstrip(lines[i]), equals + 1);
	}
	g_strfreev(lines);
}
