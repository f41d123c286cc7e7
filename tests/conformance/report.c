/* report.c - see report.h. */
#include "tests/conformance/report.h"
#include "tests/conformance/scores.h"
#include <string.h>

#define NAME_WIDTH 32
#define CELL 8

/* Whole per cent, cut so that 100 means all. "" when nothing was scored. */
static void percent(char buffer[8], const struct tally *t)
{
	if (t->scored)
		snprintf(buffer, 8, "%u", (guint)((guint64)t->agree * 100 / t->scored));
	else
		strcpy(buffer, "-");
}

static void print_row(FILE *out, const char *name, const struct tally *pinned, const struct tally *free_run)
{
	fprintf(out, "%-*.*s", NAME_WIDTH, NAME_WIDTH, name);
	for (int m = 0; m < N_MEASURES; m++) {
		char a[8], b[8], cell[20];
		percent(a, &pinned[m]);
		percent(b, &free_run[m]);
		snprintf(cell, sizeof cell, "%s/%s", a, b);
		fprintf(out, " %*s", CELL, cell);
	}
	fputc('\n', out);
}

static const struct tally *tallies(const struct attempt *a)
{
	static const struct tally none[N_MEASURES];
	return a->score ? a->score->of : none;
}

static void add_total(struct tally *total, const struct tally *of)
{
	for (int m = 0; m < N_MEASURES; m++) {
		total[m].agree += of[m].agree;
		total[m].scored += of[m].scored;
	}
}

static guint fields(const struct tally *of, bool agreeing)
{
	guint n = 0;
	for (int m = 0; m < N_MEASURES; m++)
		n += agreeing ? of[m].agree : of[m].scored;
	return n;
}

struct totals {
	struct tally pinned[N_MEASURES], free_run[N_MEASURES];
	guint scenarios, whole_pinned, whole_free;
};

static bool whole(const struct attempt *a)
{
	const struct tally *of = tallies(a);
	return a->score && fields(of, true) == fields(of, false);
}

static void add_pair(struct totals *t, const struct attempt *pinned, const struct attempt *free_run)
{
	add_total(t->pinned, tallies(pinned));
	add_total(t->free_run, tallies(free_run));
	t->scenarios++;
	t->whole_pinned += whole(pinned);
	t->whole_free += whole(free_run);
}

static void print_totals(FILE *out, const char *title, const struct totals *t)
{
	print_row(out, title, t->pinned, t->free_run);
	fprintf(out,
	        "%*s%u scenarios, at 100 %%: %u pinned, %u free; fields that agree: %u of %u pinned, %u of %u free\n",
	        4, "", t->scenarios, t->whole_pinned, t->whole_free, fields(t->pinned, true), fields(t->pinned, false),
	        fields(t->free_run, true), fields(t->free_run, false));
}

static void print_why(FILE *out, const struct attempt *a)
{
	if (a->why)
		fprintf(out, "    %s: %.*s%s\n", a->pinned ? "pinned" : "free", (int)strcspn(a->why, "\n"), a->why,
		        strchr(a->why, '\n') ? " ..." : "");
}

void report_table(FILE *out, const GPtrArray *attempts)
{
	struct totals old = {0}, new = {0};
	fprintf(out, "%-*s", NAME_WIDTH, "per cent pinned/free");
	for (int m = 0; m < N_MEASURES; m++)
		fprintf(out, " %*.*s", CELL, CELL, measure_names[m]);
	fputc('\n', out);
	for (guint i = 0; i + 1 < attempts->len; i += 2) {
		const struct attempt *pinned = attempts->pdata[i], *free_run = attempts->pdata[i + 1];
		char *title = attempt_title(pinned);
		print_row(out, title, tallies(pinned), tallies(free_run));
		print_why(out, pinned);
		print_why(out, free_run);
		add_pair(strcmp(pinned->version, "22.05") ? &new : &old, pinned, free_run);
		g_free(title);
	}
	fputc('\n', out);
	if (old.scenarios)
		print_totals(out, "all of 22.05", &old);
	if (new.scenarios)
		print_totals(out, "all of 26.11", &new);
}

/* ---- differences ---- */

/* On one line: tabs and line ends become blanks. */
static void print_field(FILE *out, const char *text)
{
	for (; text && *text; text++)
		fputc(*text == '\n' || *text == '\t' || *text == '\r' ? ' ' : *text, out);
	fputc('\t', out);
}

static void print_attempt(FILE *out, const struct attempt *a)
{
	for (guint i = 0; a->score && i < a->score->differences->len; i++) {
		const struct difference *d = a->score->differences->pdata[i];
		const char *parts[] = {a->name, a->version,  a->pinned ? "pinned" : "free", d->job, d->field,
		                       d->real, d->simulated};
		for (gsize k = 0; k < G_N_ELEMENTS(parts); k++)
			print_field(out, parts[k]);
		if (d->pass >= 0)
			fprintf(out, "%d\n", d->pass);
		else
			fputs("-\n", out);
	}
}

void report_differences(FILE *out, const GPtrArray *attempts)
{
	for (guint i = 0; i < attempts->len; i++) {
		const struct attempt *a = attempts->pdata[i];
		if (a->why) {
			fprintf(out, "%s\t%s\t%s\t-\tnot run\t-\t", a->name, a->version, a->pinned ? "pinned" : "free");
			print_field(out, a->why);
			fputs("-\n", out);
		} else {
			print_attempt(out, a);
		}
	}
}

bool report_write_differences(const char *path, const GPtrArray *attempts, GError **error)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOMEM, "%s: no memory", path);
		return false;
	}
	report_differences(out, attempts);
	fclose(out);
	bool good = g_file_set_contents(path, text, (gssize)size, error);
	free(text);
	return good;
}

/* ---- JSON ---- */

cJSON *report_tree(const GPtrArray *attempts)
{
	cJSON *tree = cJSON_CreateObject();
	for (guint i = 0; i < attempts->len; i++) {
		const struct attempt *a = attempts->pdata[i];
		char *title = attempt_title(a);
		cJSON *scenario = cJSON_GetObjectItemCaseSensitive(tree, title);
		if (!scenario)
			scenario = cJSON_AddObjectToObject(tree, title);
		cJSON *mode = cJSON_AddObjectToObject(scenario, a->pinned ? "pinned" : "free");
		for (int m = 0; m < N_MEASURES; m++) {
			int pair[2] = {(int)tallies(a)[m].agree, (int)tallies(a)[m].scored};
			cJSON_AddItemToObject(mode, measure_names[m], cJSON_CreateIntArray(pair, 2));
		}
		g_free(title);
	}
	return tree;
}

bool report_write_json(const char *path, const GPtrArray *attempts, GError **error)
{
	cJSON *tree = report_tree(attempts);
	char *text = scores_text(tree);
	bool good = g_file_set_contents(path, text, -1, error);
	g_free(text);
	cJSON_Delete(tree);
	return good;
}
