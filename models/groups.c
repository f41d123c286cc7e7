/* groups.c - see groups.h. */
#include "models/groups.h"
#include "models/conflex.h"
#include <string.h>

static void free_set(void *data)
{
	g_hash_table_unref(data);
}

static GHashTable *set_of(GHashTable *groups, const char *name)
{
	GHashTable *set = g_hash_table_lookup(groups, name);
	if (!set) {
		set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		g_hash_table_insert(groups, g_strdup(name), set);
	}
	return set;
}

/* NAME:PASSWORD:GID:USER,USER */
static void read_line(GHashTable *groups, const char *line, const char *name, guint number, struct diag *d)
{
	char **field = g_strsplit(line, ":", 5);
	if (g_strv_length(field) != 4 || !*g_strstrip(field[0])) {
		diag_error(d, name, number, 1, "a line is NAME:PASSWORD:GID:USER,USER, as \"getent group\" prints it",
		           "bad group \"%.60s\"", line);
	} else {
		GHashTable *set = set_of(groups, field[0]);
		char **user = g_strsplit(field[3], ",", -1);
		for (char **u = user; *u; u++)
			if (*g_strstrip(*u))
				g_hash_table_add(set, g_strdup(*u));
		g_strfreev(user);
	}
	g_strfreev(field);
}

GHashTable *groups_read_text(const char *text, const char *name, struct diag *d)
{
	GHashTable *groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_set);
	guint before = d->n_errors;
	guint number = 0;
	for (const char *at = text; *at;) {
		const char *end = at + strcspn(at, "\n");
		char *line = g_strndup(at, (gsize)(end - at));
		number++;
		g_strstrip(line);
		if (*line && *line != '#')
			read_line(groups, line, name, number, d);
		g_free(line);
		at = *end ? end + 1 : end;
	}
	if (d->n_errors == before)
		return groups;
	g_hash_table_unref(groups);
	return NULL;
}

GHashTable *groups_read(const char *path, struct diag *d)
{
	GError *error = NULL;
	char *text = conflex_load(path, CONFLEX_FILE_MAX, &error);
	if (!text) {
		diag_error(d, NULL, 0, 0, "write who is in which group, as \"getent group\" prints it", "%s", error->message);
		g_clear_error(&error);
	}
	GHashTable *groups = text ? groups_read_text(text, path, d) : NULL;
	g_free(text);
	return groups;
}
