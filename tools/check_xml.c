/*
 * check_xml.c - what a check came to, as JUnit XML: what Jenkins, GitLab and others read; see check.h.
 *
 *   <testsuites name tests failures errors skipped>
 *     <testsuite name tests failures errors skipped>          a scenario
 *       <properties><property name="file|slurm_version" value/></properties>
 *       <testcase name classname>                              an expectation
 *         <failure type="expectation" message="what happened">all of it</failure>
 *         or <skipped message/>, or <error type message>...
 *
 * No times: equal runs give equal bytes.
 */
#include "tools/check.h"
#include "tools/rule_title.h"
#include <string.h>

/* XML 1.0 has no control characters besides tab and the line ends, and no broken UTF-8. */
static void put(FILE *out, const char *text)
{
	char *valid = g_utf8_make_valid(text, -1);

	for (const char *p = valid; *p; p++)
		switch (*p) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			if ((guchar)*p < ' ' && *p != '\n' && *p != '\t')
				fputc('?', out);
			else if ((guchar)p[0] == 0xef && (guchar)p[1] == 0xbf &&
			         ((guchar)p[2] == 0xbe || (guchar)p[2] == 0xbf)) {
				fputc('?', out); /* U+FFFE, U+FFFF */
				p += 2;
			} else
				fputc(*p, out);
		}
	g_free(valid);
}

/* In an attribute line ends would be read as blanks. */
static void attribute(FILE *out, const char *name, const char *text)
{
	char *line = g_strdelimit(g_strdup(text), "\n\t", ' ');

	fprintf(out, " %s=\"", name);
	put(out, line);
	fputc('"', out);
	g_free(line);
}

static void counts(FILE *out, const struct check_counts *n)
{
	fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\"",
	        n->holds + n->fails + n->skipped + n->wrong + n->wrong_scenarios, n->fails,
	        n->wrong + n->wrong_scenarios, n->skipped);
}

static void problem(FILE *out, const char *tag, const char *type, const char *message, const char *text)
{
	fprintf(out, "      <%s", tag);
	attribute(out, "type", type);
	attribute(out, "message", message);
	fputc('>', out);
	put(out, text);
	fprintf(out, "</%s>\n", tag);
}

static void failure(FILE *out, const struct check_result *r, const struct verdict *v)
{
	GString *text = g_string_new(NULL);

	if (v->expected)
		g_string_append_printf(text, "expected: %s\n", v->expected);
	g_string_append_printf(text, "happened: %s\n", v->happened);
	for (char **id = v->rules; id && *id; id++) {
		const char *title = rule_title(*id);

		g_string_append_printf(text, "rule: %s%s%s\n", *id, title ? ": " : "", title ? title : "");
	}
	g_string_append_printf(text, "at: %s:%u:%u\n", r->file, v->line, v->column);
	if (v->explanation)
		g_string_append_printf(text, "\n%s", v->explanation);
	if (v->outcome == CHECK_WRONG)
		problem(out, "error", "input", v->happened, text->str);
	else
		problem(out, "failure", "expectation", v->happened, text->str);
	g_string_free(text, TRUE);
}

static void open_case(FILE *out, const char *name, const char *class)
{
	fputs("    <testcase", out);
	attribute(out, "name", name);
	attribute(out, "classname", class);
}

static void put_case(FILE *out, const struct check_result *r, const struct verdict *v)
{
	open_case(out, v->name, r->name ? r->name : r->file);
	if (v->outcome == CHECK_HOLDS) {
		fputs("/>\n", out);
		return;
	}
	fputs(">\n", out);
	if (v->outcome == CHECK_SKIPPED) {
		fputs("      <skipped", out);
		attribute(out, "message", v->happened);
		fputs("/>\n", out);
	} else {
		failure(out, r, v);
	}
	fputs("    </testcase>\n", out);
}

static void put_suite(FILE *out, const struct check_result *r)
{
	const void *one[] = {r};
	const GPtrArray list = {.pdata = (gpointer *)(void *)one, .len = 1};
	const struct check_counts n = check_count(&list);

	fputs("  <testsuite", out);
	attribute(out, "name", r->name ? r->name : r->file);
	counts(out, &n);
	fputs(">\n    <properties>\n      <property name=\"file\"", out);
	attribute(out, "value", r->file);
	fputs("/>\n", out);
	if (r->slurm_version) {
		fputs("      <property name=\"slurm_version\"", out);
		attribute(out, "value", r->slurm_version);
		fputs("/>\n", out);
	}
	fputs("    </properties>\n", out);
	for (guint k = 0; k < r->verdicts->len; k++)
		put_case(out, r, r->verdicts->pdata[k]);
	if (r->error) {
		open_case(out, "the scenario can be checked", r->name ? r->name : r->file);
		fputs(">\n", out);
		problem(out, "error", "input", "the scenario cannot be checked", r->error);
		fputs("    </testcase>\n", out);
	}
	fputs("  </testsuite>\n", out);
}

void check_print_junit(FILE *out, const GPtrArray *results)
{
	const struct check_counts n = check_count(results);

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"whypend check\"", out);
	counts(out, &n);
	fputs(">\n", out);
	for (guint i = 0; i < results->len; i++)
		put_suite(out, results->pdata[i]);
	fputs("</testsuites>\n", out);
}
