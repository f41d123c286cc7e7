#include "models/conflex.h"
#include "models/suggest.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SHOWN 60
#define LINE_HINT "write Key=Value, or begin a comment with #"

/* Where a stretch of the logical line came from: characters from OFFSET on stand at LINE:COLUMN and following. */
struct segment {
	gsize offset;
	guint line, column;
};

struct lexer {
	struct diag *d;
	conf_line_fn fn;
	void *data;
	char *directory; /* owned; where relative includes start */
	char *cluster;   /* owned; ClusterName seen so far, lower case; NULL = none */
	guint depth, includes;
};

/* One physical file being read. */
struct source {
	const char *text, *end, *pos;
	char *file;       /* owned reference */
	guint line;       /* physical line at pos */
	GString *logical; /* the logical line, unescaped */
	GArray *segments; /* of struct segment */
};

char *conflex_show(const char *text)
{
	bool cut = strlen(text) > SHOWN;
	char *head = g_strndup(text, SHOWN);
	char *shown = g_strescape(head, "\"\\");

	g_free(head);
	if (!cut)
		return shown;
	char *dots = g_strconcat(shown, "...", NULL);
	g_free(shown);
	return dots;
}

static char *read_stream(FILE *f, const char *path, gsize max, gsize *length, GError **error)
{
	GString *all = g_string_new(NULL);
	char chunk[65536];
	size_t n;

	while (all->len <= max && (n = fread(chunk, 1, sizeof chunk, f)) > 0)
		g_string_append_len(all, chunk, (gssize)n);
	if (ferror(f) || all->len > max) {
		if (ferror(f))
			g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_IO, "cannot read %s: %s", path,
			            g_strerror(errno));
		else
			g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s is larger than %zu MiB", path,
			            max >> 20);
		g_string_free(all, TRUE);
		return NULL;
	}
	*length = all->len;
	return g_string_free(all, FALSE);
}

char *conflex_load(const char *path, gsize max, GError **error)
{
	struct stat st;
	gsize length = 0;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s is not a regular file", path);
		return NULL;
	}
	FILE *f = fopen(path, "rb");
	if (!f) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "cannot open %s: %s", path,
		            g_strerror(errno));
		return NULL;
	}
	char *text = read_stream(f, path, max, &length, error);
	fclose(f);
	if (text && strlen(text) != length) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s holds a NUL byte: it is not a text file",
		            path);
		g_free(text);
		return NULL;
	}
	return text;
}

void conf_line_free(struct conf_line *line)
{
	if (!line)
		return;
	for (guint i = 0; i < line->n_pairs; i++) {
		g_free(line->pair[i].key);
		g_free(line->pair[i].value);
	}
	g_free(line->pair);
	g_ref_string_release(line->file);
	g_free(line);
}

/* Where the comment of [p, end) begins, or end: the first # after an even number of backslashes. */
static const char *comment_start(const char *p, const char *end)
{
	guint slashes = 0;

	for (; p < end; p++) {
		if (*p == '#' && slashes % 2 == 0)
			return p;
		slashes = *p == '\\' ? slashes + 1 : 0;
	}
	return end;
}

/* Does [p, *end) end in an odd number of backslashes (blanks after them ignored)? Then *end is set before the last. */
static bool continues(const char *p, const char **end)
{
	const char *e = *end;
	guint slashes = 0;

	while (e > p && g_ascii_isspace(e[-1]))
		e--;
	while (e - slashes > p && e[-1 - (gssize)slashes] == '\\')
		slashes++;
	if (slashes % 2 == 0)
		return false;
	*end = e - 1;
	return true;
}

static void add_segment(struct source *s, const char *begin, const char *p)
{
	struct segment g = {s->logical->len, s->line, (guint)(p - begin) + 1};

	g_array_append_val(s->segments, g);
}

/* Append the physical text [p, end) without its escapes. */
static void append_piece(struct source *s, const char *p, const char *end)
{
	const char *begin = p;

	add_segment(s, begin, p);
	while (p < end) {
		const char *slash = memchr(p, '\\', (gsize)(end - p));
		if (!slash || slash + 1 >= end) {
			g_string_append_len(s->logical, p, end - p);
			return;
		}
		g_string_append_len(s->logical, p, slash - p);
		add_segment(s, begin, slash + 1);
		g_string_append_c(s->logical, slash[1]);
		p = slash + 2;
	}
}

/* Read the next logical line into s->logical. */
static void next_logical(struct source *s)
{
	bool more = true;

	g_string_truncate(s->logical, 0);
	g_array_set_size(s->segments, 0);
	while (more && s->pos < s->end) {
		const char *newline = memchr(s->pos, '\n', (gsize)(s->end - s->pos));
		const char *stop = newline ? newline : s->end;
		const char *cut = comment_start(s->pos, stop);

		more = continues(s->pos, &cut);
		append_piece(s, s->pos, cut);
		s->pos = newline ? newline + 1 : s->end;
		s->line++;
	}
}

static void where(const struct source *s, const char *p, guint *line, guint *column)
{
	gsize offset = (gsize)(p - s->logical->str);
	guint low = 0, high = s->segments->len;

	while (high - low > 1) {
		guint middle = (low + high) / 2;
		if (g_array_index(s->segments, struct segment, middle).offset <= offset)
			low = middle;
		else
			high = middle;
	}
	const struct segment *g = &g_array_index(s->segments, struct segment, low);
	*line = g->line;
	*column = g->column + (guint)(offset - g->offset);
}

static const char *skip_blank(const char *p)
{
	while (g_ascii_isspace(*p))
		p++;
	return p;
}

static const char *skip_word(const char *p)
{
	while (*p && !g_ascii_isspace(*p))
		p++;
	return p;
}

/* The value at *P: "..." followed by a blank or the end, else a run of non-blanks. */
static char *take_value(const char **p)
{
	const char *v = *p;

	if (*v == '"') {
		const char *close = strchr(v + 1, '"');
		if (close && (!close[1] || g_ascii_isspace(close[1]))) {
			*p = close + 1;
			return g_strndup(v + 1, (gsize)(close - v - 1));
		}
	}
	*p = skip_word(v);
	return g_strndup(v, (gsize)(*p - v));
}

/* The pair at *P; its value stays NULL when the line ends before one. False: there is no pair. */
static bool take_pair(const struct source *s, const char **p, struct conf_pair *pair)
{
	const char *key = *p, *q = key;

	while (g_ascii_isalnum(*q) || *q == '_' || *q == '.')
		q++;
	gsize key_length = (gsize)(q - key);
	q = skip_blank(q);
	char op = *q && strchr("+-*/", *q) && q[1] == '=' ? *q++ : 0;
	if (key_length == 0 || *q != '=')
		return false;
	q = skip_blank(q + 1);
	*pair = (struct conf_pair){.key = g_strndup(key, key_length), .op = op, .file = s->file};
	where(s, key, &pair->line, &pair->column);
	if (!*q) {
		*p = q;
		return true;
	}
	where(s, q, &pair->value_line, &pair->value_column);
	pair->value = take_value(&q);
	*p = q;
	return true;
}

static void bad_text(struct lexer *x, const struct source *s, const char *p)
{
	guint line, column;
	char *shown = conflex_show(p);

	where(s, p, &line, &column);
	diag_error(x->d, s->file, line, column, LINE_HINT, "\"%s\" is not Key=Value", shown);
	g_free(shown);
}

static void no_value(struct lexer *x, const struct conf_pair *pair)
{
	diag_error(x->d, pair->file, pair->line, pair->column, "give a value, or remove the key; an empty one is \"\"",
	           "%s= has no value", pair->key);
}

static void remember_cluster(struct lexer *x, const struct conf_pair *pair)
{
	if (g_ascii_strcasecmp(pair->key, "ClusterName") != 0)
		return;
	g_free(x->cluster);
	x->cluster = g_ascii_strdown(pair->value, -1);
}

/* Append PAIR, or report that it has no value or is one too many; false ends the line. */
static bool keep_pair(struct lexer *x, GArray *pairs, struct conf_pair *pair)
{
	if (pair->value && pairs->len < CONFLEX_PAIRS_MAX) {
		g_array_append_val(pairs, *pair);
		return true;
	}
	if (!pair->value)
		no_value(x, pair);
	else
		diag_error(x->d, pair->file, pair->line, pair->column, NULL, "more than %d pairs on one line",
		           CONFLEX_PAIRS_MAX);
	g_free(pair->key);
	g_free(pair->value);
	return false;
}

/* Split the logical line at P into pairs and deliver it. A run of words that are no pair is one error. */
static void lex_pairs(struct lexer *x, const struct source *s, const char *p)
{
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct conf_pair));
	bool in_bad = false;

	for (p = skip_blank(p); *p; p = skip_blank(p)) {
		struct conf_pair pair;

		if (take_pair(s, &p, &pair)) {
			in_bad = false;
			if (!keep_pair(x, pairs, &pair))
				break;
			continue;
		}
		if (!in_bad)
			bad_text(x, s, p);
		in_bad = true;
		p = skip_word(p);
	}
	if (pairs->len == 0) {
		g_array_free(pairs, TRUE);
		return;
	}
	struct conf_line *line = g_new0(struct conf_line, 1);
	line->file = g_ref_string_acquire(s->file);
	line->n_pairs = pairs->len;
	line->pair = (struct conf_pair *)(void *)g_array_free(pairs, FALSE);
	line->line = line->pair[0].line;
	remember_cluster(x, &line->pair[0]);
	x->fn(line, x->data);
}

static void lex_source(struct lexer *x, const char *text, const char *name);

/* The path that an Include names: %c replaced, relative to the main file's directory. NULL after an error in D. */
static char *include_path(struct lexer *x, const struct source *s, guint line, const char *name)
{
	if (strpbrk(name, "*?")) {
		diag_error(x->d, s->file, line, 9, "name one file in each Include",
		           "Include does not know patterns: %s", name);
		return NULL;
	}
	GString *path = g_string_new(name);
	if (strstr(name, "%c")) {
		if (!x->cluster) {
			diag_error(x->d, s->file, line, 9, "put ClusterName= before it",
			           "Include with %%c before the cluster has a name");
			g_string_free(path, TRUE);
			return NULL;
		}
		g_string_replace(path, "%c", x->cluster, 16);
	}
	char *full =
	    g_path_is_absolute(path->str) ? g_strdup(path->str) : g_build_filename(x->directory, path->str, NULL);
	g_string_free(path, TRUE);
	return full;
}

static void lex_include(struct lexer *x, const struct source *s, guint line, const char *argument)
{
	char *name = g_strstrip(g_strdup(argument));
	guint errors = x->d->n_errors;

	if (!*name)
		diag_error(x->d, s->file, line, 1, "write Include FILE", "Include without a file name");
	else if (x->depth >= CONFLEX_DEPTH_MAX || x->includes >= CONFLEX_INCLUDES_MAX)
		diag_error(x->d, s->file, line, 1, "does a file include itself?",
		           "includes nest deeper than %d, or are more than %d", CONFLEX_DEPTH_MAX,
		           CONFLEX_INCLUDES_MAX);
	else {
		char *path = include_path(x, s, line, name);
		GError *error = NULL;
		char *text = path ? conflex_load(path, CONFLEX_FILE_MAX, &error) : NULL;

		x->depth++;
		x->includes++;
		if (text)
			lex_source(x, text, path);
		else if (error)
			diag_error(x->d, s->file, line, 9, NULL, "%s", error->message);
		if (text && x->d->n_errors > errors && x->depth == 1)
			diag_error(x->d, s->file, line, 1, "see the errors above", "Include of %s failed", name);
		x->depth--;
		g_clear_error(&error);
		g_free(text);
		g_free(path);
	}
	g_free(name);
}

static bool is_include(const char *line)
{
	return g_ascii_strncasecmp(line, "include", 7) == 0 && g_ascii_isspace(line[7]);
}

static void lex_source(struct lexer *x, const char *text, const char *name)
{
	struct source s = {
	    .text = text,
	    .end = text + strlen(text),
	    .pos = text,
	    .file = g_ref_string_new(name),
	    .line = 1,
	    .logical = g_string_new(NULL),
	    .segments = g_array_new(FALSE, FALSE, sizeof(struct segment)),
	};

	if (g_str_has_prefix(text, "\xef\xbb\xbf")) /* a byte order mark that editors leave */
		s.pos += 3;
	while (s.pos < s.end) {
		guint line = s.line;

		next_logical(&s);
		if (is_include(s.logical->str))
			lex_include(x, &s, line, s.logical->str + 8);
		else
			lex_pairs(x, &s, s.logical->str);
	}
	g_string_free(s.logical, TRUE);
	g_array_free(s.segments, TRUE);
	g_ref_string_release(s.file);
}

void conflex_text(const char *text, const char *name, conf_line_fn fn, void *data, struct diag *d)
{
	struct lexer x = {.d = d, .fn = fn, .data = data, .directory = g_path_get_dirname(name)};

	lex_source(&x, text, name);
	g_free(x.directory);
	g_free(x.cluster);
}

void conflex_file(const char *path, conf_line_fn fn, void *data, struct diag *d)
{
	GError *error = NULL;
	char *text = conflex_load(path, CONFLEX_FILE_MAX, &error);

	if (!text) {
		diag_error(d, path, 0, 0, NULL, "%s", error->message);
		g_error_free(error);
		return;
	}
	conflex_text(text, path, fn, data, d);
	g_free(text);
}

/* ---- keys of a line ---- */

static void unknown_key(const struct conf_pair *p, const struct conf_line_key *keys, gsize n, const char *file_kind,
                        const char *known, struct diag *d)
{
	struct suggestion s;

	suggest_begin(&s, p->key);
	for (gsize i = 0; i < n; i++)
		suggest_offer(&s, keys[i].name);
	char *hint = suggest_hint(&s, known);
	diag_error(d, p->file, p->line, p->column, hint, "unknown %s key %s", file_kind, p->key);
	g_free(hint);
}

void conf_line_collect(const struct conf_line *line, const struct conf_line_key *keys, gsize n, const char *file_kind,
                       const char *known, const struct conf_pair **v, struct diag *d)
{
	for (guint i = 0; i < line->n_pairs; i++) {
		const struct conf_pair *p = &line->pair[i];
		gsize k = 0;

		while (k < n && g_ascii_strcasecmp(keys[k].name, p->key) != 0)
			k++;
		if (k == n) {
			unknown_key(p, keys, n, file_kind, known, d);
			continue;
		}
		if (v[keys[k].id])
			diag_warn(d, p->file, p->line, p->column, NULL,
			          "%s stands twice on the line: the latest value is used", keys[k].name);
		v[keys[k].id] = p;
	}
}
