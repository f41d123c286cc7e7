/* lint_reader.c - what the readers warned of: settings without effect, values that were not taken (slurm-conf.md). */
#include "tools/lint_checks.h"
#include <string.h>

/* FILE:LINE:COLUMN: TEXT; HINT in its parts. *TEXT is owned; without a place the file is slurm.conf. */
static void take_apart(const struct lint *l, const char *warning, char **file, guint *line, char **text, char **hint)
{
	const char *colon = strstr(warning, ": "), *semi;
	char *place = colon ? g_strndup(warning, (gsize)(colon - warning)) : g_strdup("");
	char **part = g_strsplit(place, ":", 3);
	guint64 n = 0;

	*file = g_strdup(l->files->conf_name ? l->files->conf_name : "slurm.conf");
	*line = 0;
	*text = g_strdup(warning);
	if (part[0] && part[1] && g_ascii_string_to_unsigned(part[1], 10, 1, G_MAXUINT32, &n, NULL)) {
		g_free(*file);
		g_free(*text);
		*file = g_strdup(part[0]);
		*line = (guint)n;
		*text = g_strdup(colon + 2);
	}
	semi = strrchr(*text, ';');
	*hint = semi && semi[1] == ' ' ? g_strdup(semi + 2) : NULL;
	if (*hint)
		(*text)[semi - *text] = '\0';
	g_strfreev(part);
	g_free(place);
}

/* Settings that Slurm passes over without a word. */
static bool is_silent(const char *warning)
{
	return strstr(warning, "unknown token") || strstr(warning, "unknown flag");
}

static void pass_on(struct lint *l, bool silent, enum lint_level level, const char *why)
{
	for (guint i = 0; l->site->reader_warnings && i < l->site->reader_warnings->len; i++) {
		const char *warning = l->site->reader_warnings->pdata[i];
		char *file, *text, *hint;
		guint line;

		if (is_silent(warning) != silent)
			continue;
		take_apart(l, warning, &file, &line, &text, &hint);
		lint_add(l, level, (struct lint_place){file, line}, text, g_strdup(why),
		         hint ? hint : g_strdup("see the text"));
		g_free(file);
	}
}

void lint_unknown_token(struct lint *l)
{
	pass_on(l, true, LINT_WARNING,
	        "Slurm finds the words of such lists by searching for those it knows: this one is passed over without "
	        "a message, and the "
	        "default holds");
}

void lint_reader_warning(struct lint *l)
{
	pass_on(l, false, LINT_NOTE,
	        "read so by Slurm, or not simulated by whypend: what is said here has another effect than it seems");
}
