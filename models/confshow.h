/*
 * confshow.h - a configuration as "scontrol show config" prints it, each value with where it comes from.
 *
 * Layout and order are those of the release that the cluster follows (recorded outputs of 22.05 and 26.11); a parameter
 * that was not given shows Slurm's default. Values of the running daemon that a file can not tell are those of a
 * simulation: BOOT_TIME is the controller's start, NEXT_JOB_ID the first id, HASH_VAL "Match". Users are printed with
 * their number only when it is known (root).
 */
#ifndef MODELS_CONFSHOW_H
#define MODELS_CONFSHOW_H
#include "models/cgroupconf.h"
#include "models/conforigin.h"
#include "sched/cluster.h"

struct conf_row {
	char *name, *value;           /* owned; as printed */
	const struct conf_origin *at; /* borrowed from the origins; NULL = by default */
	bool derived;                 /* no parameter at all: of the daemon or of other parameters */
};

/* All rows in order, of struct conf_row *; unref when done. O holds what was given for C; BOOT: the controller's start.
 */
GPtrArray *conf_show(const struct cluster *c, const struct conf_origins *o, sec_t boot);
/* Where a row's value comes from: "default", "FILE:LINE", "--set Key=Value" or "derived". g_free. */
char *conf_row_source(const struct conf_row *row);
/* The whole page for the moment NOW, with the section of CGROUP (may be NULL) if there is a cgroup.conf. MARKS: each
 * value is followed by "  # SOURCE". g_free. */
char *conf_show_text(const GPtrArray *rows, const struct conf_origins *o, const struct cgroup_conf *cgroup, sec_t now,
                     bool marks);
/* As a JSON object: {"cluster", "slurm_version", "parameters": {NAME: {"value", "source", "file", "line", "set"}}}; of
 * file, line and set those that apply; an unset value ("(null)") is null. g_free. */
char *conf_show_json(const GPtrArray *rows, const struct cluster *c);
#endif
