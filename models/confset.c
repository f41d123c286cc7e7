/* confset.c - "--set" overrides of slurm.conf parameters; see slurmconf.h. */
#include "models/confread.h"
#include "models/confset.h"
#include <string.h>

static struct conf_line *new_line(const char *key, const char *value, const char *text)
{
	struct conf_line *line = g_new0(struct conf_line, 1);
	char *file = g_strconcat("--set ", text, NULL);

	line->file = g_ref_string_new(file);
	line->pair = g_new0(struct conf_pair, 1);
	line->n_pairs = 1;
	line->pair[0] = (struct conf_pair){.key = g_strdup(key), .value = g_strdup(value), .file = line->file};
	g_free(file);
	return line;
}

/* The comma list LIST with TOKEN set to VALUE: NULL = removed, "" = without a value. g_free. */
static char *change_token(const char *list, const char *token, const char *value)
{
	char **item = conf_list(list, false);
	GString *out = g_string_new(NULL);
	bool done = value == NULL;
	char *fresh = !value ? NULL : *value ? g_strconcat(token, "=", value, NULL) : g_strdup(token);

	for (char **s = item; *s; s++) {
		gsize n = strcspn(*s, "=");
		bool same = strlen(token) == n && g_ascii_strncasecmp(*s, token, n) == 0;

		if (same && done)
			continue;
		done |= same;
		g_string_append_printf(out, "%s%s", out->len ? "," : "", same ? fresh : *s);
	}
	if (!done)
		g_string_append_printf(out, "%s%s", out->len ? "," : "", fresh);
	g_free(fresh);
	g_strfreev(item);
	return g_string_free(out, FALSE);
}

/* KEY.TOKEN[=VALUE]; "=yes" sets a token without a value, "=no" and "=" take it away. */
static char *token_value(struct conf_reader *r, const char *key, const char *token, const char *value)
{
	char *lower = g_ascii_strdown(key, -1);
	const struct conf_line *old = g_hash_table_lookup(r->scalars, lower);
	bool yes = !value || g_ascii_strcasecmp(value, "yes") == 0;
	bool no = value && (!*value || g_ascii_strcasecmp(value, "no") == 0);

	g_free(lower);
	return change_token(old ? old->pair[0].value : "", token, no ? NULL : yes ? "" : value);
}

static void apply_one(struct conf_reader *r, const char *text)
{
	char *file = g_strconcat("--set ", text, NULL), *key = g_strdup(text), *value = strchr(key, '='), *token;

	if (value)
		*value++ = '\0';
	token = strchr(key, '.');
	if (token)
		*token++ = '\0';
	if (!conf_key_find(key)) {
		char *hint = conf_key_hint(key);

		diag_error(r->d, file, 0, 0, hint, "unknown parameter %s", key);
		g_free(hint);
	} else if ((!value && !token) || (token && !*token)) {
		diag_error(r->d, file, 0, 0, "write Key=Value, or Key.token=value", "no value");
	} else {
		char *result = token ? token_value(r, key, token, value) : g_strdup(value);
		char *lower = g_ascii_strdown(key, -1);

		if (*result) {
			g_hash_table_replace(r->scalars, lower, new_line(key, result, text));
		} else {
			g_hash_table_remove(r->scalars, lower);
			g_free(lower);
		}
		g_free(result);
	}
	g_free(key);
	g_free(file);
}

void conf_apply_overrides(struct conf_reader *r, const GPtrArray *overrides)
{
	for (guint i = 0; overrides && i < overrides->len; i++)
		apply_one(r, g_ptr_array_index(overrides, i));
}
