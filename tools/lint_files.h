/*
 * lint_files.h - where things stand in a site's files: the lines behind what the readers made of them.
 *
 * The readers keep values, not lines. Here the same files are split into lines once more, so that a finding can name
 * the line that is to be changed. Nothing here judges or reports: a file that could not be read has no lines.
 */
#ifndef TOOLS_LINT_FILES_H
#define TOOLS_LINT_FILES_H
#include "models/conflex.h"
#include "sched/cluster.h"
#include <glib.h>

struct lint_files {
	char *conf_name, *gres_name, *acct_name; /* owned; NULL = no such file */
	GPtrArray *conf, *gres;                  /* of struct conf_line *, owned */
	char **acct; /* owned: the lines of the accounting file, in lower case, without indent */
	GHashTable *node_lines, *part_lines; /* name -> number of its line in conf, from 1; names owned */
	GHashTable *gres_lines; /* "gpu\1node", or "gpu" for all nodes -> number of the first line in gres */
	GArray *node_defaults, *part_defaults; /* of guint: numbers of the DEFAULT lines, ascending */
	GPtrArray *settings;                   /* of char *, "Key=Value": --set and a scenario's "set"; owned */
};
struct lint_place {
	const char *file; /* borrowed from the files */
	guint line;       /* 0 = the file as a whole */
};

/* Any of the paths may be NULL. SETTINGS (of char *; NULL = none) are copied. */
struct lint_files *lint_files_read(const char *conf, const char *gres, const char *accounting,
                                   const GPtrArray *settings);
void lint_files_free(struct lint_files *f);

/* What was configured for a parameter that stands alone on its line: of the settings, else of the file. NULL = not
 * configured (the default holds). Single tokens of a list that were set are not worked in. */
const char *lint_value(const struct lint_files *f, const char *key);
/* Where it stands; without it: slurm.conf as a whole. */
struct lint_place lint_at(const struct lint_files *f, const char *key);
/* The same, settings of single tokens aside. */
struct lint_place lint_at_list(const struct lint_files *f, const char *key);
/* KEY of partition NAME: its own line, else the DEFAULT line in force. NULL = not configured. */
const struct conf_pair *lint_part_pair(const struct lint_files *f, const char *name, const char *key);
/* Where it stands; without it (or KEY NULL): the line of the partition. */
struct lint_place lint_at_part(const struct lint_files *f, const char *name, const char *key);
/* The NodeName line of node NAME, or where its KEY comes from. */
struct lint_place lint_at_node(const struct lint_files *f, const char *name, const char *key);
/* The first line of gres.conf for NAME ("gpu") on NODE; without one: the node's line. */
struct lint_place lint_at_gres(const struct lint_files *f, const char *node, const char *name);
/*
 * The line of the accounting file that sets KEY (a beginning of its name, lower case; NULL = any) of the "qos",
 * "account" or "user" NAME; without KEY there the line that defines it; else the file (or slurm.conf) as a whole.
 */
struct lint_place lint_at_acct(const struct lint_files *f, const char *kind, const char *name, const char *key);
#endif
