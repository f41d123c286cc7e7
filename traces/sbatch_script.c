/*
 * sbatch_script.c - see sbatch_script.h: lines, directives, and the words of the body. What these mean in time is read
 * by sbatch_body.c.
 */
#include "traces/sbatch_script.h"
#include "traces/sbatch_body.h"
#include "traces/sbatch_words.h"
#include <string.h>

#define MAX_SCRIPT (4 * 1024 * 1024)
#define MAX_COMPONENTS 128

static bool refuse(GError **error, const char *text)
{
	g_set_error_literal(error, SBATCH_SCRIPT_ERROR, 0, text);
	return false;
}

static bool looks_right(const char *text, size_t length, GError **error)
{
	if (length == 0)
		return refuse(error, "Batch script is empty!");
	if (length > MAX_SCRIPT)
		return refuse(error, "Batch script is larger than 4 MiB");
	if (memchr(text, '\0', length))
		return refuse(error, "The Slurm controller does not allow scripts that contain a NULL character '\\0'.");
	if (strncmp(text, "#!", 2) != 0)
		return refuse(error, "This does not look like a batch script.  The first line must start with #! followed by "
		                     "the path to an interpreter. For instance: #!/bin/sh");
	if (strstr(text, "\r\n"))
		return refuse(error, "Batch script contains DOS line breaks (\\r\\n) instead of expected UNIX line breaks (\\n).");
	return true;
}

/* ---- directives ---- */

/* The words of the rest of a line: blanks separate, quotes and backslash quote, "#" begins a comment. */
static void add_words(GPtrArray *words, const char *p)
{
	while (*p) {
		while (*p == ' ' || *p == '\t')
			p++;
		if (!*p || *p == '#')
			return;
		GString *word = g_string_new(NULL);
		char quote = 0;
		for (; *p && (quote || (*p != ' ' && *p != '\t' && *p != '#')); p++) {
			if (quote ? *p == quote : *p == '\'' || *p == '"')
				quote = quote ? 0 : *p;
			else if (*p == '\\' && p[1])
				g_string_append_c(word, *++p);
			else
				g_string_append_c(word, *p);
		}
		g_ptr_array_add(words, g_string_free(word, FALSE));
	}
}

/* A line of #SBATCH; false when it is not allowed. */
static bool read_directive(struct sbatch_script *s, const char *rest, GError **error)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free), *last = s->components->pdata[s->components->len - 1];
	add_words(words, rest);
	bool next = words->len == 1 && (strcmp(words->pdata[0], "hetjob") == 0 || strcmp(words->pdata[0], "packjob") == 0);
	bool ok = true;
	if (next && s->components->len < MAX_COMPONENTS)
		g_ptr_array_add(s->components, g_ptr_array_new_with_free_func(g_free));
	else if (next)
		ok = refuse(error, "too many components of a heterogeneous job");
	for (guint i = 0; ok && !next && i < words->len; i++) {
		if (((const char *)words->pdata[i])[0] == ':')
			ok = refuse(error, "Invalid directive found in batch script: :");
		else
			g_ptr_array_add(last, g_strdup(words->pdata[i]));
	}
	g_ptr_array_unref(words);
	return ok;
}

static bool read_sim(struct sbatch_script *s, const char *rest, GError **error)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	bool ok = true;
	add_words(words, rest);
	for (guint i = 0; ok && i < words->len; i++) {
		char *word = words->pdata[i], *eq = strchr(word, '=');
		guint64 n = 0;
		usec_t span;
		if (eq && g_str_has_prefix(word, "runtime=") && g_ascii_string_to_unsigned(eq + 1, 10, 0, G_MAXUINT32, &n, NULL))
			s->runtime = (usec_t)n * USEC;
		else if (eq && g_str_has_prefix(word, "runtime=") && duration_parse_elapsed(eq + 1, &span))
			s->runtime = span;
		else if (eq && g_str_has_prefix(word, "exit=") && g_ascii_string_to_unsigned(eq + 1, 10, 0, 255, &n, NULL))
			s->exit_code = (int)n;
		else if (eq && g_str_has_prefix(word, "user=") && eq[1]) {
			g_free(s->user);
			s->user = g_strdup(eq + 1);
		} else {
			g_set_error(error, SBATCH_SCRIPT_ERROR, 0,
			            "#SIM: \"%s\" is not understood; write runtime=3600, exit=1 or user=ada", word);
			ok = false;
		}
	}
	g_ptr_array_unref(words);
	return ok;
}

/* Directives count up to the first command; our own anywhere. */
static bool read_head(struct sbatch_script *s, char **lines, GError **error)
{
	bool head = true, ok = true;
	for (char **l = lines; ok && *l; l++) {
		const char *text = *l;
		if (g_str_has_prefix(text, "#SIM ") || g_str_has_prefix(text, "#SIM\t"))
			ok = read_sim(s, text + strlen("#SIM"), error);
		else if (head && g_str_has_prefix(text, "#SBATCH") && (!text[7] || text[7] == ' ' || text[7] == '\t'))
			ok = read_directive(s, text + strlen("#SBATCH"), error);
		else if (head && g_str_has_prefix(text, "#SLURM"))
			s->old_directive = true;
		else if (text[strspn(text, " \t")] && text[strspn(text, " \t")] != '#')
			head = false;
	}
	return ok;
}

/* ---- making ---- */

static struct sbatch_script *script_new(void)
{
	struct sbatch_script *s = g_new0(struct sbatch_script, 1);
	s->components = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	g_ptr_array_add(s->components, g_ptr_array_new_with_free_func(g_free));
	s->runtime = s->length = -1;
	return s;
}

static void read_body(struct sbatch_script *s, const char *text)
{
	int code = 0;
	s->words = sbatch_body_words(text);
	s->length = sbatch_body_length(s->words, &code);
	if (code && !s->exit_code)
		s->exit_code = code;
}

struct sbatch_script *sbatch_script_read(const char *text, size_t length, GError **error)
{
	if (!looks_right(text, length, error))
		return NULL;
	struct sbatch_script *s = script_new();
	char *copy = g_strndup(text, length), **lines = g_strsplit(copy, "\n", -1);
	bool ok = read_head(s, lines, error);
	if (ok)
		read_body(s, copy);
	g_strfreev(lines);
	g_free(copy);
	if (ok)
		return s;
	sbatch_script_free(s);
	return NULL;
}

struct sbatch_script *sbatch_script_wrap(const char *command)
{
	struct sbatch_script *s = script_new();
	read_body(s, command);
	return s;
}

struct job_steps *sbatch_script_steps(const struct sbatch_script *s, usec_t run)
{
	return sbatch_body_steps(s->words, run);
}

void sbatch_script_free(struct sbatch_script *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->components);
	if (s->words)
		g_ptr_array_unref(s->words);
	g_free(s->user);
	g_free(s);
}
