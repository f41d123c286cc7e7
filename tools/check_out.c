/* check_out.c - what a check came to, as TAP and as annotations of GitHub; see check.h. */
#include "tools/check.h"
#include "tools/rule_title.h"
#include <string.h>

bool check_format_find(const char *name, enum check_format *out)
{
	static const char *const names[N_CHECK_FORMATS] = {"tap", "junit", "json", "github"};

	for (int i = 0; i < N_CHECK_FORMATS; i++)
		if (strcmp(names[i], name) == 0) {
			*out = (enum check_format)i;
			return true;
		}
	return false;
}

static const char *shown_name(const struct check_result *r)
{
	return r->name ? r->name : r->file;
}

/* "B30: words" */
static char *rule_line(const char *id)
{
	const char *title = rule_title(id);

	return title ? g_strdup_printf("%s: %s", id, title) : g_strdup(id);
}

/* ---- TAP 13 ---- */

/* In one line, "#" does not begin a directive. */
static char *tap_text(const char *text)
{
	GString *s = g_string_new(NULL);

	for (const char *p = text; *p; p++) {
		if (*p == '#' || *p == '\\')
			g_string_append_c(s, '\\');
		g_string_append_c(s, (guchar)*p < ' ' ? ' ' : *p);
	}
	return g_string_free(s, FALSE);
}

static void yaml_value(FILE *out, const char *before, const char *text)
{
	fprintf(out, "%s'", before);
	for (const char *p = text; *p; p++)
		if (*p == '\'')
			fputs("''", out);
		else
			fputc((guchar)*p < ' ' ? ' ' : *p, out);
	fputs("'\n", out);
}

/* Empty lines are indented too: the reader of prove takes one that is not for the end. */
static void yaml_block(FILE *out, const char *key, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	fprintf(out, "  %s: |\n", key);
	for (char **l = lines; *l; l++)
		if (**l || l[1])
			fprintf(out, "    %s\n", *l);
	g_strfreev(lines);
}

static void tap_details(FILE *out, const struct check_result *r, const struct verdict *v)
{
	char *at = g_strdup_printf("%s:%u:%u", r->file, v->line, v->column);

	fputs("  ---\n", out);
	if (v->expected)
		yaml_value(out, "  expected: ", v->expected);
	yaml_value(out, v->outcome == CHECK_WRONG ? "  wrong: " : "  happened: ", v->happened);
	if (v->rules)
		fputs("  rules:\n", out);
	for (char **id = v->rules; id && *id; id++) {
		char *line = rule_line(*id);

		yaml_value(out, "    - ", line);
		g_free(line);
	}
	yaml_value(out, "  at: ", at);
	if (v->explanation)
		yaml_block(out, "explanation", v->explanation);
	fputs("  ...\n", out);
	g_free(at);
}

static void tap_verdict(FILE *out, const struct check_result *r, const struct verdict *v, guint number)
{
	bool ok = v->outcome == CHECK_HOLDS || v->outcome == CHECK_SKIPPED;
	char *name = tap_text(shown_name(r)), *words = tap_text(v->name), *why;

	fprintf(out, "%sok %u - %s: %s", ok ? "" : "not ", number, name, words);
	if (v->outcome == CHECK_SKIPPED) {
		why = tap_text(v->happened);
		fprintf(out, " # SKIP %s", why);
		g_free(why);
	}
	fputc('\n', out);
	if (!ok)
		tap_details(out, r, v);
	g_free(name);
	g_free(words);
}

static const char *s_of(guint n)
{
	return n == 1 ? "" : "s";
}

static void put_counts(FILE *out, const struct check_counts *n)
{
	fprintf(out, "%u scenario%s: %u expectation%s hold%s, %u fail%s, %u skipped", n->scenarios, s_of(n->scenarios),
	        n->holds, s_of(n->holds), n->holds == 1 ? "s" : "", n->fails, n->fails == 1 ? "s" : "", n->skipped);
	if (n->wrong || n->wrong_scenarios)
		fprintf(out, "; %u scenario%s and %u expectation%s wrong", n->wrong_scenarios, s_of(n->wrong_scenarios),
		        n->wrong, s_of(n->wrong));
	fputc('\n', out);
}

static void print_tap(FILE *out, const GPtrArray *results)
{
	struct check_counts n = check_count(results);
	guint number = 0;

	fprintf(out, "TAP version 13\n1..%u\n", n.wrong_scenarios + n.holds + n.fails + n.skipped + n.wrong);
	for (guint i = 0; i < results->len; i++) {
		const struct check_result *r = results->pdata[i];

		for (guint k = 0; k < r->verdicts->len; k++)
			tap_verdict(out, r, r->verdicts->pdata[k], ++number);
		if (r->error) {
			char *file = tap_text(r->file);

			fprintf(out, "not ok %u - %s: the scenario can be checked\n  ---\n", ++number, file);
			yaml_block(out, "wrong", r->error);
			fputs("  ...\n", out);
			g_free(file);
		}
	}
	fputs("# ", out);
	put_counts(out, &n);
}

/* ---- GitHub ---- */

static void escape(FILE *out, const char *text, bool property)
{
	for (const char *p = text; *p; p++)
		if (*p == '%' || *p == '\r' || *p == '\n' || (property && (*p == ':' || *p == ',')))
			fprintf(out, "%%%02X", (guint)(guchar)*p);
		else
			fputc(*p, out);
}

static void annotate(FILE *out, const char *file, guint line, guint column, const char *title, const char *text)
{
	fputs("::error file=", out);
	escape(out, file, true);
	if (line)
		fprintf(out, ",line=%u", line);
	if (column)
		fprintf(out, ",col=%u", column);
	fputs(",title=", out);
	escape(out, title, true);
	fputs("::", out);
	escape(out, text, false);
	fputc('\n', out);
}

static void github_verdict(FILE *out, const struct check_result *r, const struct verdict *v)
{
	GString *text = g_string_new(NULL);

	if (v->expected)
		g_string_append_printf(text, "expected: %s\n", v->expected);
	g_string_append_printf(text, v->outcome == CHECK_WRONG ? "wrong: %s\n" : "happened: %s\n", v->happened);
	for (char **id = v->rules; id && *id; id++) {
		char *line = rule_line(*id);

		g_string_append_printf(text, "rule %s\n", line);
		g_free(line);
	}
	if (v->explanation)
		g_string_append_printf(text, "\n%s", v->explanation);
	annotate(out, r->file, v->line, v->column, v->name, text->str);
	g_string_free(text, TRUE);
}

/* "FILE:12:5: text" */
static void github_error(FILE *out, const char *file, const char *line)
{
	static GRegex *place;
	GMatchInfo *match = NULL;

	if (!place)
		place = g_regex_new("^(.+?):([0-9]+)(?::([0-9]+))?: (.*)$", 0, 0, NULL);
	if (g_regex_match(place, line, 0, &match)) {
		char *part[4];

		for (int i = 0; i < 4; i++)
			part[i] = g_match_info_fetch(match, i + 1);
		annotate(out, part[0], (guint)g_ascii_strtoull(part[1], NULL, 10),
		         (guint)g_ascii_strtoull(part[2], NULL, 10), "the scenario cannot be checked", part[3]);
		for (int i = 0; i < 4; i++)
			g_free(part[i]);
	} else {
		annotate(out, file, 0, 0, "the scenario cannot be checked", line);
	}
	g_match_info_free(match);
}

static void github_errors(FILE *out, const struct check_result *r)
{
	char **lines = g_strsplit(r->error, "\n", -1);

	for (char **l = lines; *l; l++)
		if (**l)
			github_error(out, r->file, *l);
	g_strfreev(lines);
}

static void print_github(FILE *out, const GPtrArray *results)
{
	struct check_counts n = check_count(results);

	for (guint i = 0; i < results->len; i++) {
		const struct check_result *r = results->pdata[i];

		if (r->error)
			github_errors(out, r);
		for (guint k = 0; k < r->verdicts->len; k++) {
			const struct verdict *v = r->verdicts->pdata[k];

			if (v->outcome == CHECK_FAILS || v->outcome == CHECK_WRONG)
				github_verdict(out, r, v);
		}
	}
	put_counts(out, &n);
}

void check_print(FILE *out, const GPtrArray *results, enum check_format format)
{
	switch (format) {
	case CHECK_TAP:
		print_tap(out, results);
		break;
	case CHECK_JUNIT:
		check_print_junit(out, results);
		break;
	case CHECK_JSON:
		check_print_json(out, results);
		break;
	case CHECK_GITHUB:
		print_github(out, results);
		break;
	case N_CHECK_FORMATS:
		break;
	}
}
