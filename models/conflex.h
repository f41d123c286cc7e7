/*
 * conflex.h - the lexical layer of slurm.conf, gres.conf and topology.conf (spec slurm-conf.md section 1).
 *
 * A logical line is made from physical ones: the comment is cut first (# after an even number of backslashes; quotes do
 * not protect it), then a trailing backslash joins the next line, then \x becomes x. The line is a list of key=value
 * pairs; what is no pair is an error. "Include FILE" in column 1 is replaced by that file's lines. What the keys mean,
 * and whether several may stand on one line, is for the reader to say.
 *
 * Input is untrusted: a file must be a regular file of at most CONFLEX_FILE_MAX bytes; includes nest at most
 * CONFLEX_DEPTH_MAX deep and CONFLEX_INCLUDES_MAX in all. Beyond: an error, never a crash or a hang.
 */
#ifndef MODELS_CONFLEX_H
#define MODELS_CONFLEX_H
#include "sched/base/diag.h"
#include <glib.h>
#include <stdbool.h>

#define CONFLEX_FILE_MAX (64u << 20)
#define CONFLEX_DEPTH_MAX 16
#define CONFLEX_INCLUDES_MAX 1000
#define CONFLEX_PAIRS_MAX 4096 /* on one line */

/* One key=value. Line and column count from 1 and say where the key begins; value_column is in value_line. */
struct conf_pair {
	char *key, *value; /* owned; as written, quotes removed */
	char op;           /* '+', '-', '*', '/' directly before '=', else 0 */
	const char *file;  /* borrowed from the line */
	guint line, column, value_line, value_column;
};

/* One logical line with at least one pair. */
struct conf_line {
	char *file;             /* owned reference (GRefString): name as given or as included */
	guint line;             /* physical line where it begins */
	struct conf_pair *pair; /* owned [n_pairs] */
	guint n_pairs;
};

/* Takes each line in order; the callee owns LINE and frees it with conf_line_free. */
typedef void (*conf_line_fn)(struct conf_line *line, void *data);

/* Read PATH and hand each line to FN. Errors (unreadable file, text that is no pair, bad Include) go to D; lines are
 * delivered all the same, so that the reader can find its own errors. Relative includes start at PATH's directory. */
void conflex_file(const char *path, conf_line_fn fn, void *data, struct diag *d);
/* The same for TEXT (NUL-terminated) held in memory; NAME stands in messages; relative includes start at NAME's
 * directory. */
void conflex_text(const char *text, const char *name, conf_line_fn fn, void *data, struct diag *d);
void conf_line_free(struct conf_line *line); /* NULL is allowed */

/* A key that may stand on a line of a file; several names may have one id. */
struct conf_line_key {
	const char *name;
	int id;
};
/* V[id] = the pair of LINE that has this key (case ignored); the latest where a key stands twice, with a warning to D. A
 * key that is not among the N of KEYS is an error that names FILE_KIND ("gres.conf") and suggests a near one, or says
 * KNOWN. */
void conf_line_collect(const struct conf_line *line, const struct conf_line_key *keys, gsize n, const char *file_kind,
                       const char *known, const struct conf_pair **v, struct diag *d);

/* Read a whole regular file of at most MAX bytes, NUL-terminated. NULL and ERROR (with the name) when it cannot be
 * read, is no regular file, is larger, or holds a NUL byte. g_free. */
char *conflex_load(const char *path, gsize max, GError **error);
/* TEXT made fit for a message: at most 60 characters, control and non-ASCII bytes escaped. g_free. */
char *conflex_show(const char *text);
#endif
