/* controllercost.c - see controllercost.h. */
#include "models/controllercost.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

#define MOST_US 1e9       /* a single cost above a thousand seconds is a mistake */
#define LARGEST_FILE 65536

static const struct {
	const char *name;
	size_t offset;
} keys[] = {{"pass", offsetof(struct controller_cost, pass)},
            {"main_job", offsetof(struct controller_cost, main_job)},
            {"bf_job", offsetof(struct controller_cost, bf_job)},
            {"node", offsetof(struct controller_cost, node)},
            {"start", offsetof(struct controller_cost, start)}};

static const struct {
	const char *name;
	struct controller_cost cost;
} presets[] = {{"instant", {0, 0, 0, 0, 0}},
               {"small", {300000, 200000, 500000, 5000, 500000}},
               {"large", {5000000, 1000000, 8000000, 5000, 3000000}}};

static int64_t *field(struct controller_cost *cost, size_t i)
{
	return (int64_t *)(void *)((char *)cost + keys[i].offset);
}

static bool set_key(struct controller_cost *cost, const char *where, char *word, GError **error)
{
	char *equals = strchr(word, '='), *end = NULL;
	if (equals)
		*equals = '\0';
	size_t i = 0;
	while (i < G_N_ELEMENTS(keys) && strcmp(keys[i].name, word))
		i++;
	if (i == G_N_ELEMENTS(keys)) {
		g_set_error(error, COST_ERROR, 0, "%sunknown cost \"%.40s\"; known: pass, main_job, bf_job, node, start", where, word);
		return false;
	}
	double v = equals ? g_ascii_strtod(equals + 1, &end) : -1;
	if (!equals || end == equals + 1 || *end || !(v >= 0 && v <= MOST_US)) {
		g_set_error(error, COST_ERROR, 0, "%sbad value \"%.40s\" for %s; write microseconds, 0 to 1000000000", where,
		            equals ? equals + 1 : "", word);
		return false;
	}
	*field(cost, i) = llround(v * 1000);
	return true;
}

static bool parse_words(const char *line, const char *where, struct controller_cost *cost, GError **error)
{
	char **words = g_strsplit_set(line, ", \t\r", -1);
	bool ok = true;
	for (char **w = words; *w && ok; w++)
		ok = !**w || set_key(cost, where, *w, error);
	g_strfreev(words);
	return ok;
}

static bool read_text(const char *path, char **text, GError **error)
{
	gsize length;
	GError *io = NULL;
	if (!g_file_get_contents(path, text, &length, &io)) {
		g_set_error(error, COST_ERROR, 0, "%s: cannot be read: %s", path, io->message);
		g_error_free(io);
		return false;
	}
	if (length <= LARGEST_FILE && !memchr(*text, '\0', length))
		return true;
	g_set_error(error, COST_ERROR, 0, "%s: this is not a text of at most %d bytes", path, LARGEST_FILE);
	g_free(*text);
	return false;
}

static bool parse_file(const char *path, struct controller_cost *cost, GError **error)
{
	char *text;
	if (!read_text(path, &text, error))
		return false;
	char **lines = g_strsplit(text, "\n", -1);
	bool ok = true;
	for (guint i = 0; lines[i] && ok; i++) {
		lines[i][strcspn(lines[i], "#")] = '\0';
		char *where = g_strdup_printf("%s:%u: ", path, i + 1);
		ok = parse_words(lines[i], where, cost, error);
		g_free(where);
	}
	g_strfreev(lines);
	g_free(text);
	return ok;
}

bool controller_cost_parse(const char *text, struct controller_cost *cost, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(presets); i++)
		if (strcmp(text, presets[i].name) == 0) {
			*cost = presets[i].cost;
			return true;
		}
	*cost = (struct controller_cost){0};
	if (strchr(text, '=') && !g_file_test(text, G_FILE_TEST_EXISTS))
		return parse_words(text, "", cost, error);
	if (g_file_test(text, G_FILE_TEST_EXISTS))
		return parse_file(text, cost, error);
	g_set_error(error, COST_ERROR, 0, "write instant, small, large, KEY=VALUE,... or a file that is there (%.200s is not)", text);
	return false;
}

char *controller_cost_format(const struct controller_cost *cost)
{
	GString *s = g_string_new(NULL);
	char number[G_ASCII_DTOSTR_BUF_SIZE];
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		double us = (double)*field((struct controller_cost *)cost, i) / 1000;
		g_string_append_printf(s, "%s=%s\n", keys[i].name, g_ascii_formatd(number, sizeof number, "%.12g", us));
	}
	return g_string_free(s, FALSE);
}

/* ---- sdiag ---- */

static bool value_of(const char *line, const char *name, double *v)
{
	while (*line == ' ' || *line == '\t')
		line++;
	size_t n = strlen(name);
	if (strncmp(line, name, n) || line[n] != ':')
		return false;
	char *end;
	double read = g_ascii_strtod(line + n + 1, &end);
	if (end == line + n + 1 || !(read >= 0 && read <= 1e12))
		return false;
	*v = read;
	return true;
}

static void read_line(struct sdiag_pace *p, const char *line, bool *backfill)
{
	if (strstr(line, "Backfilling stats"))
		*backfill = true;
	value_of(line, "Mean cycle", *backfill ? &p->bf_mean : &p->main_mean);
	if (*backfill)
		value_of(line, "Depth Mean (try depth)", &p->bf_depth_try);
	else
		value_of(line, "Mean depth cycle", &p->main_depth);
}

/* sdiag --json, printed over lines or in one. */
static void read_json(struct sdiag_pace *p, const char *text)
{
	const struct {
		const char *key;
		double *value;
	} wanted[] = {{"\"schedule_cycle_mean\"", &p->main_mean}, {"\"schedule_cycle_mean_depth\"", &p->main_depth},
	              {"\"bf_cycle_mean\"", &p->bf_mean}, {"\"bf_depth_mean_try\"", &p->bf_depth_try}};
	for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
		const char *at = strstr(text, wanted[i].key);
		if (at)
			value_of(at, wanted[i].key, wanted[i].value);
	}
}

bool sdiag_read(const char *path, struct sdiag_pace *p, GError **error)
{
	*p = (struct sdiag_pace){-1, -1, -1, -1};
	GError *io = NULL;
	char *text;
	gsize length;
	if (!g_file_get_contents(path, &text, &length, &io)) {
		g_set_error(error, COST_ERROR, 0, "%s: cannot be read: %s", path, io->message);
		g_error_free(io);
		return false;
	}
	bool backfill = false;
	char **lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		read_line(p, *line, &backfill);
	g_strfreev(lines);
	read_json(p, text);
	g_free(text);
	if ((p->main_mean > 0 && p->main_depth > 0) || (p->bf_mean > 0 && p->bf_depth_try > 0))
		return true;
	g_set_error(error, COST_ERROR, 0,
	            "%s: neither \"Mean cycle\" and \"Mean depth cycle\" of the main scheduler nor \"Mean cycle\" and \"Depth Mean (try depth)\" of "
	            "backfill are there and above 0; give the whole output of sdiag or sdiag --json",
	            path);
	return false;
}

struct controller_cost sdiag_cost(const struct sdiag_pace *p)
{
	struct controller_cost c = {0};
	bool main_known = p->main_mean > 0 && p->main_depth > 0, bf_known = p->bf_mean > 0 && p->bf_depth_try > 0;
	double pass = main_known ? p->main_mean / 10 : p->bf_mean / 10;
	if (main_known && bf_known)
		pass = MIN(p->main_mean, p->bf_mean) / 10;
	pass = MIN(pass, MOST_US);
	c.pass = llround(pass * 1000);
	if (main_known)
		c.main_job = llround(MIN((p->main_mean - pass) / p->main_depth, MOST_US) * 1000);
	if (bf_known)
		c.bf_job = llround(MIN((p->bf_mean - pass) / p->bf_depth_try, MOST_US) * 1000);
	return c;
}
